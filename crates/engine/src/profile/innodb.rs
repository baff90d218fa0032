//! Data sheets of InnoDB.

use super::{BufferSize, ProcessorCosts, Profile, TB, count, size, switch};
use crate::{
    layout::StorageFormat,
    parameters::{ParameterKind, ParameterSpec},
};

const DOUBLEWRITE: ParameterSpec =
    switch("innodb_doublewrite", "1", "Write pages twice, so that a torn page can be repaired.");

const SYNC_BINLOG: ParameterSpec = count(
    "sync_binlog",
    "0",
    0.0,
    4e9,
    "Commits after which the binary log is made durable; 0 leaves it to the system.",
);

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
        DOUBLEWRITE,
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
        SYNC_BINLOG,
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
        plan_lookup_ns: 2_000,
        plan_row_ns: 200,
        page_read_ns: 75_000,
        page_write_ns: 100_000,
        log_wait_ns: 0,
    },
    source: "MySQL 5.1 Reference Manual, chapter 13.6; storage/innobase of 5.1.47 (buf0flu, buf0lru, log0log, srv0srv, ibuf0ibuf); \
             page checksums of that version at about 300 MB/s (55 us a page, read and written), simulated asynchronous \
             writes by one thread; sysbench point selects of that time at 30 000 to 45 000 a second on 8 cores (180 to 270 us each, client included)",
};

// What several versions have in common.
const BUFFER_POOL_SIZE: ParameterSpec = size(
    "innodb_buffer_pool_size",
    "128M",
    5_242_880.0,
    TB,
    "Memory for pages of tables and indexes: the more, the fewer reads.",
);
const OLD_BLOCKS_PCT: ParameterSpec = count(
    "innodb_old_blocks_pct",
    "37",
    5.0,
    95.0,
    "Share of the LRU list behind the point at which pages enter it.",
);
const OLD_BLOCKS_TIME: ParameterSpec = count(
    "innodb_old_blocks_time",
    "1000",
    0.0,
    4e9,
    "Milliseconds in the old part after the first use before another use moves a page to the front.",
);
const FLUSH_LOG_AT_TRX_COMMIT: ParameterSpec = count(
    "innodb_flush_log_at_trx_commit",
    "1",
    0.0,
    3.0,
    "1: a commit waits for the log to be durable; 2: for it to be written; 0: for nothing.",
);
const IO_CAPACITY: ParameterSpec =
    count("innodb_io_capacity", "200", 100.0, 4e9, "Pages a second that flushing in the background aims at.");
const IO_CAPACITY_MAX: ParameterSpec =
    count("innodb_io_capacity_max", "2000", 100.0, 4e9, "Pages of one flush at most.");
const ADAPTIVE_FLUSHING_LWM: ParameterSpec = count(
    "innodb_adaptive_flushing_lwm",
    "10",
    0.0,
    70.0,
    "Share of the log in use from which old changes are written.",
);
const FLUSHING_AVG_LOOPS: ParameterSpec = count(
    "innodb_flushing_avg_loops",
    "30",
    1.0,
    1000.0,
    "Seconds over which the need to flush is averaged.",
);
const FLUSH_NEIGHBORS: ParameterSpec = count(
    "innodb_flush_neighbors",
    "1",
    0.0,
    2.0,
    "1: dirty pages beside a flushed one on the disk are flushed along.",
);
const USE_NATIVE_AIO: ParameterSpec =
    switch("innodb_use_native_aio", "1", "Pages are written by the system's asynchronous I/O.");
const WRITE_IO_THREADS: ParameterSpec =
    count("innodb_write_io_threads", "4", 2.0, 64.0, "Pages written side by side.");
const FILE_PER_TABLE: ParameterSpec =
    switch("innodb_file_per_table", "1", "A file for each table: a checkpoint syncs each file written to.");
const LOG_BIN: ParameterSpec = switch("log_bin", "0", "Write the binary log: a commit appends its changes.");
const LRU_SCAN_DEPTH: ParameterSpec = count(
    "innodb_lru_scan_depth",
    "1536",
    100.0,
    4e9,
    "Free frames the page cleaner keeps ready; they hold no data.",
);
const LOG_FILE_SIZE: ParameterSpec = size(
    "innodb_log_file_size",
    "96M",
    4_194_304.0,
    TB,
    "Size of the log: the more log, the longer dirty pages may wait.",
);
const MAX_DIRTY_PAGES_PCT: ParameterSpec = count(
    "innodb_max_dirty_pages_pct",
    "90",
    0.0,
    99.999,
    "Share of dirty pages above which the page cleaner writes whatever the log says.",
);
const PURGE_BATCH_SIZE: ParameterSpec =
    count("innodb_purge_batch_size", "127", 1.0, 5000.0, "Undo log pages purged at a time.");
const ADAPTIVE_HASH_INDEX: ParameterSpec =
    switch("innodb_adaptive_hash_index", "0", "Find hot leaves without descending the tree.");
const CHANGE_BUFFERING: ParameterSpec = ParameterSpec {
    name: "innodb_change_buffering",
    kind: ParameterKind::Choice(&["none", "inserts", "deletes", "changes", "purges", "all"]),
    default: "none",
    range: (0.0, 5.0),
    effect: "Keep changes to leaves of non-unique indexes that are not in the pool.",
};
const FLUSH_METHOD: ParameterSpec = ParameterSpec {
    name: "innodb_flush_method",
    kind: ParameterKind::Choice(&["fsync", "O_DSYNC", "O_DIRECT"]),
    default: "O_DIRECT",
    range: (0.0, 2.0),
    effect: "O_DIRECT keeps data files out of the host's page cache.",
};

/// Measured on MariaDB 10.11.19.
const COSTS_10_11: ProcessorCosts = ProcessorCosts {
    select_ns: 90_000,
    insert_ns: 80_000,
    index_entry_ns: 8_000,
    update_ns: 60_000,
    row_ns: 800,
    plan_lookup_ns: 2_000,
    plan_row_ns: 200,
    page_read_ns: 60_000,
    page_write_ns: 10_000,
    log_wait_ns: 50_000,
};

/// MariaDB 10.11 with its InnoDB.
pub(super) const MARIADB_10_11: Profile = Profile {
    name: "mariadb-10.11",
    title: "MariaDB 10.11, InnoDB",
    format: StorageFormat::Innodb,
    page_bytes: 16_384,
    buffer: BufferSize::Bytes("innodb_buffer_pool_size"),
    parameters: &[
        BUFFER_POOL_SIZE,
        size(
            "innodb_buffer_pool_extent_size",
            "8M",
            8_388_608.0,
            8_388_608.0,
            "Unit of the pool's memory; page descriptors lie at its head.",
        ),
        OLD_BLOCKS_PCT,
        OLD_BLOCKS_TIME,
        LRU_SCAN_DEPTH,
        LOG_FILE_SIZE,
        size("innodb_log_buffer_size", "16M", 2_097_152.0, 4e9, "Log kept in memory until it is written."),
        size("innodb_log_write_ahead_size", "4096", 512.0, 4096.0, "Block in which the log is written."),
        FLUSH_LOG_AT_TRX_COMMIT,
        DOUBLEWRITE,
        IO_CAPACITY,
        IO_CAPACITY_MAX,
        ADAPTIVE_FLUSHING_LWM,
        FLUSHING_AVG_LOOPS,
        FLUSH_NEIGHBORS,
        USE_NATIVE_AIO,
        WRITE_IO_THREADS,
        MAX_DIRTY_PAGES_PCT,
        CHANGE_BUFFERING,
        PURGE_BATCH_SIZE,
        ADAPTIVE_HASH_INDEX,
        FILE_PER_TABLE,
        LOG_BIN,
        SYNC_BINLOG,
        FLUSH_METHOD,
    ],
    costs: COSTS_10_11,
    source: "MariaDB Server documentation (InnoDB system variables); storage/innobase of 10.11 (buf0flu, buf0lru, buf0dblwr, log0log, \
             trx0purge); requests of single statements and times of single clients measured on 10.11.19, the client included",
};

/// MySQL 5.6 with its InnoDB. It flushes by the rules of MariaDB 10.11, which come from it: one page cleaner, adaptive
/// flushing by averages, LRU flushing by scan depth.
pub(super) const INNODB_5_6: Profile = Profile {
    name: "innodb-5.6",
    title: "MySQL 5.6, InnoDB",
    format: StorageFormat::Innodb,
    page_bytes: 16_384,
    buffer: BufferSize::Bytes("innodb_buffer_pool_size"),
    parameters: &[
        BUFFER_POOL_SIZE,
        OLD_BLOCKS_PCT,
        OLD_BLOCKS_TIME,
        ParameterSpec { default: "1024", ..LRU_SCAN_DEPTH },
        ParameterSpec { default: "48M", ..LOG_FILE_SIZE },
        count("innodb_log_files_in_group", "2", 2.0, 100.0, "Log files written in turn."),
        size("innodb_log_buffer_size", "8M", 262_144.0, 4e9, "Log kept in memory until it is written."),
        FLUSH_LOG_AT_TRX_COMMIT,
        DOUBLEWRITE,
        IO_CAPACITY,
        IO_CAPACITY_MAX,
        ADAPTIVE_FLUSHING_LWM,
        FLUSHING_AVG_LOOPS,
        FLUSH_NEIGHBORS,
        USE_NATIVE_AIO,
        WRITE_IO_THREADS,
        ParameterSpec { default: "75", ..MAX_DIRTY_PAGES_PCT },
        ParameterSpec { default: "all", ..CHANGE_BUFFERING },
        ParameterSpec { default: "300", ..PURGE_BATCH_SIZE },
        ParameterSpec { default: "1", ..ADAPTIVE_HASH_INDEX },
        FILE_PER_TABLE,
        LOG_BIN,
        SYNC_BINLOG,
        ParameterSpec { default: "fsync", ..FLUSH_METHOD },
    ],
    costs: COSTS_10_11,
    source: "MySQL 5.6 Reference Manual, chapter 14.14 (InnoDB startup options and system variables); storage/innobase of 5.6 (buf0flu, \
             buf0rea, btr0sea, page0zip); processor costs as of MariaDB 10.11, whose InnoDB grew out of it: not measured",
};

/// Parameters that InnoDB 8.0 has in MySQL and in GreatSQL.
const VERSION_8: [ParameterSpec; 29] = [
    BUFFER_POOL_SIZE,
    count(
        "innodb_buffer_pool_instances",
        "8",
        1.0,
        64.0,
        "Parts of the pool with lists of their own: so many threads can free frames side by side.",
    ),
    OLD_BLOCKS_PCT,
    OLD_BLOCKS_TIME,
    count(
        "innodb_lru_scan_depth",
        "1024",
        100.0,
        4e9,
        "Free frames kept ready in each instance, and pages looked at in one go for it.",
    ),
    count("innodb_page_cleaners", "4", 1.0, 64.0, "Threads that write dirty pages, one an instance at most."),
    size(
        "innodb_log_file_size",
        "48M",
        4_194_304.0,
        TB,
        "Size of one log file: the more log, the longer dirty pages may wait.",
    ),
    count("innodb_log_files_in_group", "2", 2.0, 100.0, "Log files written in turn."),
    size("innodb_log_buffer_size", "16M", 262_144.0, 4e9, "Log kept in memory until it is written."),
    size("innodb_log_write_ahead_size", "8192", 512.0, 16_384.0, "Block in which the log is written."),
    count(
        "innodb_flush_log_at_trx_commit",
        "1",
        0.0,
        2.0,
        "1: a commit waits for the log to be durable; 2: for it to be written; 0: for nothing.",
    ),
    DOUBLEWRITE,
    count(
        "innodb_doublewrite_pages",
        "0",
        0.0,
        512.0,
        "Pages of a batch that is written twice; 0 is one for each write thread.",
    ),
    count("innodb_write_io_threads", "4", 1.0, 64.0, "Threads that complete writes and make files durable."),
    IO_CAPACITY,
    count("innodb_io_capacity_max", "2000", 100.0, 4e9, "Pages a second of adaptive flushing at most."),
    ADAPTIVE_FLUSHING_LWM,
    FLUSHING_AVG_LOOPS,
    count(
        "innodb_max_dirty_pages_pct",
        "90",
        0.0,
        99.999,
        "Share of dirty pages above which the page cleaner writes whatever the log says.",
    ),
    count(
        "innodb_max_dirty_pages_pct_lwm",
        "10",
        0.0,
        99.999,
        "Share of dirty pages from which the page cleaner begins to write; 0 is the upper mark alone.",
    ),
    ParameterSpec {
        name: "innodb_change_buffering",
        kind: ParameterKind::Choice(&["none", "inserts", "deletes", "changes", "purges", "all"]),
        default: "all",
        range: (0.0, 5.0),
        effect: "Keep changes to leaves of non-unique indexes that are not in the pool.",
    },
    count("innodb_purge_batch_size", "300", 1.0, 5000.0, "Undo log pages purged at a time."),
    switch("innodb_adaptive_hash_index", "1", "Find hot leaves without descending the tree."),
    count(
        "innodb_thread_concurrency",
        "0",
        0.0,
        1000.0,
        "Threads inside the engine at a time; 0 is no limit.",
    ),
    FILE_PER_TABLE,
    switch("log_bin", "1", "Write the binary log: a commit appends its changes."),
    count(
        "sync_binlog",
        "1",
        0.0,
        4e9,
        "Commits after which the binary log is made durable; 0 leaves it to the system.",
    ),
    ParameterSpec {
        name: "innodb_flush_method",
        kind: ParameterKind::Choice(&["fsync", "O_DSYNC", "O_DIRECT", "O_DIRECT_NO_FSYNC"]),
        default: "fsync",
        range: (0.0, 3.0),
        effect: "O_DIRECT keeps data files out of the host's page cache; NO_FSYNC spares their syncs as well.",
    },
    // GreatSQL's, which MySQL does not have: the last one, so that MySQL's list is a part of this one.
    ParameterSpec {
        name: "innodb_cleaner_lsn_age_factor",
        kind: ParameterKind::Choice(&["legacy", "high_checkpoint"]),
        default: "high_checkpoint",
        range: (0.0, 1.0),
        effect: "high_checkpoint: the log's age hardly counts until it is high.",
    },
];

const COSTS_8_0: ProcessorCosts = ProcessorCosts {
    select_ns: 40_000,
    insert_ns: 50_000,
    index_entry_ns: 5_000,
    update_ns: 55_000,
    row_ns: 600,
    plan_lookup_ns: 2_000,
    plan_row_ns: 200,
    page_read_ns: 10_000,
    page_write_ns: 8_000,
    log_wait_ns: 40_000,
};

/// MySQL 8.0.20 to 8.0.29 with its InnoDB.
pub(super) const INNODB_8_0: Profile = Profile {
    name: "innodb-8.0",
    title: "MySQL 8.0, InnoDB",
    format: StorageFormat::Innodb,
    page_bytes: 16_384,
    buffer: BufferSize::Bytes("innodb_buffer_pool_size"),
    parameters: VERSION_8.split_at(28).0,
    costs: COSTS_8_0,
    source: "MySQL 8.0 Reference Manual; storage/innobase of 8.0.25 (buf0flu, buf0lru, buf0dblwr, log0chkp, ibuf0ibuf, row0purge), \
             sql/binlog.cc; times of statements: sysbench on a Xeon Silver 4510, one thread: 24 700 point selects a second, and \
             19 300 statements a second of oltp_write_only, the client included (plantegg.github.io, 2025)",
};

/// GreatSQL 8.0.25, which has Percona Server's managers of LRU lists and weight of the log's age.
pub(super) const GREATSQL_8_0: Profile = Profile {
    name: "greatsql-8.0",
    title: "GreatSQL 8.0.25, InnoDB",
    parameters: &VERSION_8,
    source: "GreatSQL 8.0.25 (buf_lru_manager_thread of buf0flu.cc, buf_LRU_get_free_block of buf0lru.cc), which it has from Percona \
             Server; otherwise as innodb-8.0",
    ..INNODB_8_0
};
