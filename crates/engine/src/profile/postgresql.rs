//! Data sheets of PostgreSQL.

use super::{BufferSize, ProcessorCosts, Profile, TB, count, share, size, switch};
use crate::layout::StorageFormat;

/// PostgreSQL 15.
pub(super) const POSTGRESQL_15: Profile = Profile {
    name: "postgresql-15",
    title: "PostgreSQL 15",
    format: StorageFormat::Postgresql,
    page_bytes: 8192,
    buffer: BufferSize::Bytes("shared_buffers"),
    parameters: &[
        size(
            "shared_buffers",
            "128M",
            131_072.0,
            TB,
            "Memory for pages of tables and indexes: the more, the fewer reads.",
        ),
        size(
            "wal_buffers",
            "0",
            0.0,
            2e9,
            "Log kept in memory until it is written; 0 stands for 1/32 of shared_buffers, up to 16 MB.",
        ),
        switch("full_page_writes", "1", "Log a page in full when it first changes after a checkpoint."),
        switch("synchronous_commit", "1", "Whether a commit waits for its log to be durable."),
        count("wal_writer_delay", "200", 1.0, 10_000.0, "Milliseconds between rounds of the log writer."),
        size("wal_writer_flush_after", "1M", 0.0, 2e9, "Log after which the log writer makes it durable."),
        count("checkpoint_timeout", "300", 30.0, 86_400.0, "Seconds between checkpoints."),
        size("max_wal_size", "1G", 33_554_432.0, TB, "Log between checkpoints, about twice over."),
        count(
            "bgwriter_delay",
            "200",
            10.0,
            10_000.0,
            "Milliseconds between rounds of the background writer.",
        ),
        count("bgwriter_lru_maxpages", "100", 0.0, 1e6, "Pages it writes in a round at most."),
        count(
            "bgwriter_lru_multiplier",
            "2",
            0.0,
            10.0,
            "Clean frames it keeps ahead of the clock hand, in rounds' worth of use.",
        ),
        size(
            "work_mem",
            "4M",
            65_536.0,
            2.1e12,
            "Memory of a sort or a hash table of a query; what outgrows it goes to temporary files.",
        ),
        share("hash_mem_multiplier", "2", 1.0, 1000.0, "Times work_mem that a hash table may take."),
    ],
    costs: ProcessorCosts {
        select_ns: 41_000,
        insert_ns: 34_000,
        index_entry_ns: 5_000,
        update_ns: 41_000,
        row_ns: 500,
        plan_lookup_ns: 2_000,
        plan_row_ns: 200,
        page_read_ns: 10_000,
        page_write_ns: 10_000,
        log_wait_ns: 0,
    },
    source: "PostgreSQL 15 Manual, chapters 20 and 30; src/backend of 15 (bufmgr, freelist, bgwriter, checkpointer, \
             xlog, heapam, pruneheap, nbtree); pgbench's tpcb-like at 0.25 ms of processor a transaction, prepared \
             statements, client included (8000 a second on two cores without waiting for the log)",
};
