//! Data sheets of CUBRID.

use super::{BufferSize, ProcessorCosts, Profile, count, switch};
use crate::layout::StorageFormat;

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
        switch("async_commit", "no", "A commit does not wait for the log."),
        count(
            "group_commit_interval_in_msecs",
            "0",
            0.0,
            1e6,
            "Time over which commits share one write of the log.",
        ),
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
        page_read_ns: 25_000,
        page_write_ns: 12_500,
        log_wait_ns: 0,
    },
    source: "CUBRID 2008 R3.0 manual (system parameters); single-list measurements of CUBRID 11.3 for layout and page requests; a \
             statement passes a broker's process between client and server, and a SELECT needs a round more to fetch",
};
