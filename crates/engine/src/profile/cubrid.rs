//! Data sheets of CUBRID.

use super::{BufferSize, ProcessorCosts, Profile, TB, count, share, size, switch};
use crate::{layout::StorageFormat, parameters::ParameterSpec};

const ASYNC_COMMIT: ParameterSpec = switch("async_commit", "no", "A commit does not wait for the log.");

const GROUP_COMMIT: ParameterSpec = count(
    "group_commit_interval_in_msecs",
    "0",
    0.0,
    1e6,
    "Time over which commits share one write of the log.",
);

/// CUBRID 2008 R3.0.
pub(super) const CUBRID_2008_R3: Profile = Profile {
    name: "cubrid-2008-r3",
    title: "CUBRID 2008 R3.0",
    format: StorageFormat::Cubrid,
    page_bytes: 16_384,
    buffer: BufferSize::Pages("data_buffer_pages"),
    parameters: &[
        count(
            "data_buffer_pages",
            "25000",
            64.0,
            4e9,
            "Frames for pages of tables and indexes: the more, the fewer reads.",
        ),
        count("log_buffer_pages", "50", 3.0, 1e6, "Pages of log kept in memory until they are written."),
        count(
            "num_LRU_chains",
            "1",
            1.0,
            1000.0,
            "Lists over which frames are spread, so that threads seldom meet.",
        ),
        ASYNC_COMMIT,
        GROUP_COMMIT,
        count(
            "checkpoint_interval_in_mins",
            "720",
            1.0,
            1e6,
            "Minutes between checkpoints, which write all dirty pages.",
        ),
        count("checkpoint_every_npages", "10000", 10.0, 1e9, "Log pages between checkpoints."),
    ],
    costs: ProcessorCosts {
        select_ns: 340_000,
        insert_ns: 300_000,
        index_entry_ns: 20_000,
        update_ns: 300_000,
        row_ns: 4_000,
        plan_lookup_ns: 2_000,
        plan_row_ns: 200,
        page_read_ns: 25_000,
        page_write_ns: 12_500,
        log_wait_ns: 0,
    },
    source: "CUBRID 2008 R3.0 manual (system parameters); single-list measurements of CUBRID 11.3 for layout and page requests; a \
             statement passes a broker's process between client and server, and a SELECT needs a round more to fetch",
};

/// CUBRID 11.3.
pub(super) const CUBRID_11_3: Profile = Profile {
    name: "cubrid-11.3",
    title: "CUBRID 11.3",
    format: StorageFormat::CubridVersions,
    page_bytes: 16_384,
    buffer: BufferSize::Bytes("data_buffer_size"),
    parameters: &[
        size(
            "data_buffer_size",
            "512M",
            1_048_576.0,
            TB,
            "Frames for pages of tables and indexes: the more, the fewer reads.",
        ),
        size("log_buffer_size", "16M", 65_536.0, TB, "Log kept in memory until it is written."),
        size(
            "double_write_buffer_size",
            "2M",
            0.0,
            33_554_432.0,
            "Pages collected and written twice, a block with one sync at a time; 0 writes them once, one by one.",
        ),
        count("max_clients", "100", 10.0, 2000.0, "Clients at most; each has a list of pages of its own."),
        count(
            "num_LRU_chains",
            "0",
            0.0,
            1000.0,
            "Lists of pages that several clients use; 0 for one in a thousand frames.",
        ),
        count(
            "num_private_chains",
            "-1",
            -1.0,
            10_000.0,
            "Lists of pages that one client uses; 0 for none, -1 for one a client and vacuum worker.",
        ),
        share("lru_hot_ratio", "0.4", 0.05, 0.90, "Front of a shared list, where pages stay in place."),
        share(
            "lru_buffer_ratio",
            "0.05",
            0.05,
            0.90,
            "Part of a shared list behind the front, not given up either.",
        ),
        count(
            "data_buffer_neighbor_flush_pages",
            "8",
            0.0,
            32.0,
            "Dirty pages that lie side by side and are written together.",
        ),
        count(
            "page_flush_interval_in_msecs",
            "1000",
            -1.0,
            1e6,
            "Milliseconds between rounds of the flush daemon, which wakes earlier when pages to give up are dirty.",
        ),
        ASYNC_COMMIT,
        GROUP_COMMIT,
        count(
            "checkpoint_interval_in_mins",
            "6",
            1.0,
            1e6,
            "Minutes between checkpoints, which write all dirty pages.",
        ),
        size("checkpoint_every_size", "1536M", 163_840.0, TB, "Log between checkpoints."),
        count("vacuum_worker_count", "10", 1.0, 50.0, "Threads that take old versions out."),
    ],
    costs: CUBRID_2008_R3.costs,
    source: "CUBRID 11.3 manual (system parameters); source of release 11.3.2: page_buffer.c, btree.c, heap_file.c, vacuum.c, \
             log_page_buffer.c, double_write_buffer.c; processor costs are those of cubrid-2008-r3",
};
