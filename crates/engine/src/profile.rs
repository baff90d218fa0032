//! The data sheets of the engines: format, parameters, and what a statement costs a processor.

use crate::{
    layout::StorageFormat,
    parameters::{BadValue, ParameterKind, ParameterSpec, Parameters},
};

/// Processor time of statements, in nanoseconds at [`REFERENCE_CLOCK_GHZ`]. These are orders of size for servers of
/// the engine's years, parsing, network and client library included; they are assumptions, and reports say so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProcessorCosts {
    /// A lookup of one row by an index.
    pub select_ns: u64,
    /// An insert of one row, by statement and commit.
    pub insert_ns: u64,
    /// Each index entry an insert makes.
    pub index_entry_ns: u64,
    /// Reading a page: system call, interrupt, task switches, and the checksum where there is one.
    pub page_read_ns: u64,
    /// Writing a page, likewise.
    pub page_write_ns: u64,
}

/// The clock at which processor costs are given.
pub const REFERENCE_CLOCK_GHZ: f64 = 2.5;

/// One version of one engine.
#[derive(Debug, Clone, Copy)]
pub struct Profile {
    /// The name used in scenarios.
    pub name: &'static str,
    /// The product and version it stands for.
    pub title: &'static str,
    /// Whose pages it writes.
    pub format: StorageFormat,
    /// Parameters the model follows.
    pub parameters: &'static [ParameterSpec],
    /// Processor costs.
    pub costs: ProcessorCosts,
    /// Where the rules come from.
    pub source: &'static str,
}

impl Profile {
    /// Finds a profile by name.
    pub fn find(name: &str) -> Option<&'static Self> {
        PROFILES.iter().find(|p| p.name == name)
    }

    /// The parameter of that name.
    pub fn parameter(&self, name: &str) -> Option<&'static ParameterSpec> {
        let name = crate::parameters::canonical(name);
        self.parameters.iter().find(|p| crate::parameters::canonical(p.name) == name)
    }

    /// The value of a parameter the model follows.
    ///
    /// # Panics
    /// When the profile has no such parameter: names are checked by the profile's own tests.
    pub(crate) fn value(&self, parameters: &Parameters, name: &str) -> Result<f64, BadValue> {
        let spec = self.parameter(name).expect("an engine asks for parameters of its own profile");
        parameters.number(spec)
    }
}

const fn size(
    name: &'static str,
    default: &'static str,
    low: f64,
    high: f64,
    effect: &'static str,
) -> ParameterSpec {
    ParameterSpec { name, kind: ParameterKind::Size, default, range: (low, high), effect }
}

const fn count(
    name: &'static str,
    default: &'static str,
    low: f64,
    high: f64,
    effect: &'static str,
) -> ParameterSpec {
    ParameterSpec { name, kind: ParameterKind::Count, default, range: (low, high), effect }
}

const fn switch(name: &'static str, default: &'static str, effect: &'static str) -> ParameterSpec {
    ParameterSpec { name, kind: ParameterKind::Switch, default, range: (0.0, 1.0), effect }
}

const TB: f64 = 1.1e12;

/// MySQL 5.1.47 with its built-in InnoDB.
const INNODB_5_1: Profile = Profile {
    name: "innodb-5.1",
    title: "MySQL 5.1.47, built-in InnoDB",
    format: StorageFormat::Innodb,
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
        page_read_ns: 75_000,
        page_write_ns: 100_000,
    },
    source: "MySQL 5.1 Reference Manual, chapter 13.6; storage/innobase of 5.1.47 (buf0flu, buf0lru, log0log, srv0srv, ibuf0ibuf); \
             page checksums of that version at about 300 MB/s (55 us a page, read and written), simulated asynchronous \
             writes by one thread; sysbench point selects of that time at 30 000 to 45 000 a second on 8 cores (180 to 270 us each, client included)",
};

/// CUBRID 2008 R3.0.
const CUBRID_2008_R3: Profile = Profile {
    name: "cubrid-2008-r3",
    title: "CUBRID 2008 R3.0",
    format: StorageFormat::Cubrid,
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
        page_read_ns: 25_000,
        page_write_ns: 12_500,
    },
    source: "CUBRID 2008 R3.0 manual (system parameters); single-list measurements of CUBRID 11.3 for layout and page requests; a \
             statement passes a broker's process between client and server, and a SELECT needs a round more to fetch",
};

/// All profiles.
pub const PROFILES: [Profile; 2] = [INNODB_5_1, CUBRID_2008_R3];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_a_value_its_parameter_takes() {
        for profile in &PROFILES {
            for parameter in profile.parameters {
                parameter.parse(parameter.default).unwrap_or_else(|bad| panic!("{}: {bad:?}", profile.name));
                assert!(parameter.effect.ends_with('.'), "{}", parameter.name);
            }
        }
    }
}
