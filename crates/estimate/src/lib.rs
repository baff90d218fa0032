//! A Scenario answered in closed form, in less than a millisecond.
//!
//! This crate knows layouts, hit rates by characteristic time, and queues by mean value analysis. It must never know the
//! event loop, nor the page: no clock moves here, and nothing is drawn at random.

mod classes;

pub use classes::{PageClass, PageKind};

use spindle_report::{Breakdown, DeviceReport, PerTransaction};
use spindle_scenario::{Problem, Scenario};

/// The answer to a Scenario, in the words of a Report.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// Transactions a second.
    pub throughput_tps: f64,
    /// Statements a second.
    pub throughput_qps: f64,
    /// Mean latency of a transaction.
    pub latency_mean_ms: f64,
    /// What a transaction uses, on average.
    pub per_transaction: PerTransaction,
    /// Share of page requests that find their page in the pool.
    pub hit_rate: f64,
    /// Mean latency by cause, in milliseconds; the causes sum to the mean.
    pub breakdown_ms: Breakdown,
    /// The devices, and the processor cores as the first of them.
    pub devices: Vec<DeviceReport>,
    /// The pages of the tables and indexes: how many there are, and how many of them the buffer holds.
    pub classes: Vec<PageClass>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

impl Estimate {
    /// The cause that takes most of a transaction's time.
    pub fn main_cause(&self) -> Option<(&str, f64)> {
        spindle_report::main_cause(&self.breakdown_ms)
    }
}

/// Answers a scenario.
///
/// # Errors
/// Everything that is wrong with the scenario.
pub fn estimate(scenario: &Scenario) -> Result<Estimate, Vec<Problem>> {
    let problems = scenario.check();
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Estimate {
        throughput_tps: 0.0,
        throughput_qps: 0.0,
        latency_mean_ms: 0.0,
        per_transaction: PerTransaction::default(),
        hit_rate: 1.0,
        breakdown_ms: Breakdown::new(),
        devices: Vec::new(),
        classes: Vec::new(),
        notes: Vec::new(),
    })
}
