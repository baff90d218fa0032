//! Data sheets of PostgreSQL.

use super::{BufferSize, ProcessorCosts, Profile, TB, count, share, size, switch};
use crate::layout::StorageFormat;

use crate::parameters::ParameterSpec;

const SHARED_BUFFERS: ParameterSpec = size(
    "shared_buffers",
    "128M",
    131_072.0,
    TB,
    "Memory for pages of tables and indexes: the more, the fewer reads.",
);
const WAL_BUFFERS: ParameterSpec = size(
    "wal_buffers",
    "0",
    0.0,
    2e9,
    "Log kept in memory until it is written; 0 stands for 1/32 of shared_buffers, up to 16 MB.",
);
const FULL_PAGE_WRITES: ParameterSpec =
    switch("full_page_writes", "1", "Log a page in full when it first changes after a checkpoint.");
const SYNCHRONOUS_COMMIT: ParameterSpec =
    switch("synchronous_commit", "1", "Whether a commit waits for its log to be durable.");
const WAL_WRITER_DELAY: ParameterSpec =
    count("wal_writer_delay", "200", 1.0, 10_000.0, "Milliseconds between rounds of the log writer.");
const WAL_WRITER_FLUSH_AFTER: ParameterSpec =
    size("wal_writer_flush_after", "1M", 0.0, 2e9, "Log after which the log writer makes it durable.");
const CHECKPOINT_TIMEOUT: ParameterSpec =
    count("checkpoint_timeout", "300", 30.0, 86_400.0, "Seconds between checkpoints.");
const MAX_WAL_SIZE: ParameterSpec =
    size("max_wal_size", "1G", 33_554_432.0, TB, "Log between checkpoints, about twice over.");
const BGWRITER_DELAY: ParameterSpec =
    count("bgwriter_delay", "200", 10.0, 10_000.0, "Milliseconds between rounds of the background writer.");
const BGWRITER_LRU_MAXPAGES: ParameterSpec =
    count("bgwriter_lru_maxpages", "100", 0.0, 1e6, "Pages it writes in a round at most.");
const BGWRITER_LRU_MULTIPLIER: ParameterSpec = count(
    "bgwriter_lru_multiplier",
    "2",
    0.0,
    10.0,
    "Clean frames it keeps ahead of the clock hand, in rounds' worth of use.",
);
const WORK_MEM: ParameterSpec = size(
    "work_mem",
    "4M",
    65_536.0,
    2.1e12,
    "Memory of a sort or a hash table of a query; what outgrows it goes to temporary files.",
);
const HASH_MEM_MULTIPLIER: ParameterSpec =
    share("hash_mem_multiplier", "2", 1.0, 1000.0, "Times work_mem that a hash table may take.");

/// Parameters of all versions here.
macro_rules! parameters {
    ($($more:expr)?) => {
        &[SHARED_BUFFERS, WAL_BUFFERS, FULL_PAGE_WRITES, SYNCHRONOUS_COMMIT, WAL_WRITER_DELAY, WAL_WRITER_FLUSH_AFTER, CHECKPOINT_TIMEOUT, MAX_WAL_SIZE, BGWRITER_DELAY, BGWRITER_LRU_MAXPAGES, BGWRITER_LRU_MULTIPLIER, WORK_MEM$(, $more)?]
    };
}

const COSTS: ProcessorCosts = ProcessorCosts {
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
};

/// PostgreSQL 15.
pub(super) const POSTGRESQL_15: Profile = Profile {
    name: "postgresql-15",
    title: "PostgreSQL 15",
    format: StorageFormat::Postgresql,
    page_bytes: 8192,
    buffer: BufferSize::Bytes("shared_buffers"),
    parameters: parameters!(HASH_MEM_MULTIPLIER),
    costs: COSTS,
    source: "PostgreSQL 15 Manual, chapters 20 and 30; src/backend of 15 (bufmgr, freelist, bgwriter, checkpointer, \
             xlog, heapam, pruneheap, nbtree); pgbench's tpcb-like at 0.25 ms of processor a transaction, prepared \
             statements, client included (8000 a second on two cores without waiting for the log)",
};

/// PostgreSQL 9.6.
pub(super) const POSTGRESQL_9_6: Profile = Profile {
    name: "postgresql-9.6",
    title: "PostgreSQL 9.6",
    format: StorageFormat::Postgresql12,
    page_bytes: 8192,
    buffer: BufferSize::Bytes("shared_buffers"),
    parameters: parameters!(),
    costs: COSTS,
    source: "PostgreSQL 9.6 Manual, chapters 19 and 30: no posting lists in indexes (13), hash tables within work_mem alone \
             (hash_mem_multiplier: 13), hash aggregates that do not spill (13), no workers of a query by default \
             (max_parallel_workers_per_gather = 0 until 10); processor time as measured on 15",
};

/// A data node of Postgres-XL 9.5.
pub(super) const POSTGRES_XL_9_5: Profile = Profile {
    name: "postgres-xl-9.5",
    title: "Postgres-XL 9.5, one data node",
    format: StorageFormat::Postgresql12,
    page_bytes: 8192,
    buffer: BufferSize::Bytes("shared_buffers"),
    parameters: parameters!(),
    costs: COSTS,
    source: "Postgres-XL 9.5, a data node: PostgreSQL 9.5 with the same buffer, heap and indexes as 9.6; what passes between \
             nodes belongs to the cluster",
};
