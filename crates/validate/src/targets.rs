//! How near the models are meant to come, and how near they come.

use crate::run::CellOutcome;
use serde::{Deserialize, Serialize};

/// What a target is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Load {
    Any,
    ReadOnly,
    Writing,
    /// Reading, or committing with everything cached.
    ReadOnlyOrCommits,
}

/// An aim for the errors of like figures.
struct Aim {
    what: &'static str,
    quantities: &'static [&'static str],
    load: Load,
    median: f64,
    p90: f64,
}

/// The aims. They were set before the models were made.
const AIMS: [Aim; 14] = [
    aim("leaf or data pages", &["leaf_pages", "data_pages"], Load::Any, 0.01, 0.03),
    aim("height or depth", &["height"], Load::Any, 0.0, 0.0),
    aim("allocated pages or bytes", ALLOCATED, Load::Any, 0.03, 0.08),
    aim("page requests, reading only", &["page_requests"], Load::ReadOnly, 0.01, 0.03),
    aim("page requests, writing", &["page_requests"], Load::Writing, 0.08, 0.20),
    aim("page reads, reading only", &["page_reads"], Load::ReadOnly, 0.03, 0.08),
    aim("page reads, writing", &["page_reads"], Load::Writing, 0.10, 0.25),
    aim("pages written", &["pages_written"], Load::Any, 0.15, 0.35),
    aim("log bytes", &["log_bytes"], Load::Any, 0.10, 0.25),
    aim("log syncs", &["log_syncs"], Load::Any, 0.05, 0.15),
    aim("throughput, reading or committing", &["throughput_tps"], Load::ReadOnlyOrCommits, 0.05, 0.12),
    aim("throughput, writing", &["throughput_tps"], Load::Writing, 0.12, 0.30),
    aim("mean latency, reading or committing", &["latency_mean_ms"], Load::ReadOnlyOrCommits, 0.06, 0.15),
    aim("95th percentile, reading or committing", &["latency_p95_ms"], Load::ReadOnlyOrCommits, 0.15, 0.30),
];

const ALLOCATED: &[&str] =
    &["allocated_pages", "allocated_bytes", "file_bytes", "total_bytes", "database_bytes"];

const fn aim(
    what: &'static str,
    quantities: &'static [&'static str],
    load: Load,
    median: f64,
    p90: f64,
) -> Aim {
    Aim { what, quantities, load, median, p90 }
}

/// An aim and what was reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// What it is about.
    pub what: String,
    /// How many figures there are.
    pub cells: usize,
    /// Half of the errors are not larger.
    pub median: f64,
    /// Nine in ten are not larger.
    pub p90: f64,
    /// What the median should not pass.
    pub median_aim: f64,
    /// What the 90th percentile should not pass.
    pub p90_aim: f64,
}

impl Target {
    /// Whether both were reached.
    pub fn met(&self) -> bool {
        self.median <= self.median_aim && self.p90 <= self.p90_aim
    }
}

/// All aims, over the trusted figures of `cells`.
pub fn targets(cells: &[CellOutcome]) -> Vec<Target> {
    AIMS.iter()
        .map(|aim| {
            let mut errors: Vec<f64> = cells
                .iter()
                .filter(|cell| aim.load.takes(cell))
                .flat_map(|cell| &cell.quantities)
                .filter(|quantity| quantity.trusted && aim.quantities.contains(&quantity.kind()))
                .map(crate::Quantity::counted_error)
                .collect();
            errors.sort_by(f64::total_cmp);
            let at = |share: f64| crate::summary::percentile(&errors, share);
            Target {
                what: aim.what.to_owned(),
                cells: errors.len(),
                median: at(0.5),
                p90: at(0.9),
                median_aim: aim.median,
                p90_aim: aim.p90,
            }
        })
        .collect()
}

impl Load {
    fn takes(self, cell: &CellOutcome) -> bool {
        match self {
            Self::Any => true,
            Self::ReadOnly => !cell.writes,
            Self::Writing => cell.writes && cell.kind != "group_commit",
            Self::ReadOnlyOrCommits => !cell.writes || cell.kind == "group_commit",
        }
    }
}
