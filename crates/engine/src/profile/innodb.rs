//! Data sheets of InnoDB.

use super::{BufferSize, ProcessorCosts, Profile, TB, count, size, switch};
use crate::{
    layout::StorageFormat,
    parameters::{ParameterKind, ParameterSpec},
};

/// MySQL 5.1.47 with its built-in InnoDB.
pub(super) const INNODB_5_1: Profile = Profile {
    name: "innodb-5.1",
    title: "MySQL 5.1.47, built-in InnoDB",
    format: StorageFormat::Innodb,
    page_bytes: 16_384,
    buffer: BufferSize::Bytes("innodb_buffer_pool_size"),
    parameters: &[
        size(
            "innodb_buffer_pool_size",
            "8M",
            1_048_576.0,
            TB,
            "Memory for pages of tables and indexes: the more, the fewer reads.",
        ),
        size(
            "innodb_log_file_size",
            "5M",
            1_048_576.0,
            4e9,
            "Size of one log file: the more log, the longer dirty pages may wait.",
        ),
        count("innodb_log_files_in_group", "2", 2.0, 100.0, "Log files written in turn."),
        size("innodb_log_buffer_size", "1M", 262_144.0, 4e9, "Log kept in memory until it is written."),
        count(
            "innodb_flush_log_at_trx_commit",
            "1",
            0.0,
            2.0,
            "1: a commit waits for the log to be durable; 2: for it to be written; 0: for nothing.",
        ),
        switch("innodb_doublewrite", "1", "Write pages twice, so that a torn page can be repaired."),
        count(
            "innodb_thread_concurrency",
            "8",
            0.0,
            1000.0,
            "Threads inside the engine at a time; 0 is no limit.",
        ),
        count(
            "innodb_max_dirty_pages_pct",
            "90",
            0.0,
            99.0,
            "Share of dirty pages above which the master thread flushes.",
        ),
        switch("innodb_file_per_table", "0", "A file for each table: a flush syncs each file it wrote to."),
        switch("log_bin", "0", "Write the binary log: a commit appends its statement."),
        count(
            "sync_binlog",
            "0",
            0.0,
            4e9,
            "Commits after which the binary log is made durable; 0 leaves it to the system.",
        ),
        ParameterSpec {
            name: "innodb_flush_method",
            kind: ParameterKind::Choice(&["fdatasync", "O_DSYNC", "O_DIRECT"]),
            default: "fdatasync",
            range: (0.0, 2.0),
            effect: "O_DIRECT keeps data files out of the host's page cache.",
        },
    ],
    costs: ProcessorCosts {
        select_ns: 170_000,
        insert_ns: 190_000,
        index_entry_ns: 20_000,
        update_ns: 190_000,
        row_ns: 2_000,
        page_read_ns: 75_000,
        page_write_ns: 100_000,
    },
    source: "MySQL 5.1 Reference Manual, chapter 13.6; storage/innobase of 5.1.47 (buf0flu, buf0lru, log0log, srv0srv, ibuf0ibuf); \
             page checksums of that version at about 300 MB/s (55 us a page, read and written), simulated asynchronous \
             writes by one thread; sysbench point selects of that time at 30 000 to 45 000 a second on 8 cores (180 to 270 us each, client included)",
};
