//! The closed form beside what the simulation answered to the same scenarios.

use crate::{document::text, scenarios::random_scenario};
use serde::{Deserialize, Serialize};
use spindle_estimate::{Estimate, estimate};
use spindle_report::Report;

/// What the simulation said of a scenario, as `data/simulated.jsonl` keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Simulated {
    /// The scenario's number.
    pub number: u64,
    /// Transactions a second, five digits of them.
    pub tps: f64,
    /// Share of page requests that found their page in the pool, likewise.
    pub hit_rate: f64,
    /// What takes most of a transaction's time.
    pub cause: String,
    /// Digest of the whole report.
    pub digest: String,
}

impl Simulated {
    /// What is kept of a report.
    pub fn of(number: u64, report: &Report) -> Self {
        let cause = report.main_cause().map_or(String::new(), |(name, _)| name.to_owned());
        Self {
            number,
            tps: five_digits(report.throughput_tps),
            hit_rate: five_digits(report.hit_rate),
            cause,
            digest: report.digest.clone(),
        }
    }
}

fn five_digits(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

/// The closed form's answer to a scenario beside the simulation's.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The scenario's number.
    pub number: u64,
    /// The engine's profile.
    pub profile: String,
    /// Whether the load writes.
    pub writes: bool,
    /// Throughput of the closed form over that of the simulation, less one.
    pub error: f64,
    /// Hit rate of the closed form less that of the simulation.
    pub hit_rate_error: f64,
    /// Whether both name the same main cause.
    pub same_cause: bool,
    /// The closed form's answer.
    pub answer: Estimate,
}

impl Compared {
    /// Answers a scenario anew and holds the answer against what the simulation said.
    ///
    /// # Panics
    /// When the scenario is not sound, which a test looks after.
    pub fn with(simulated: &Simulated) -> Self {
        let scenario = random_scenario(simulated.number);
        let answer = estimate(&scenario).expect("a sound scenario");
        Self {
            number: simulated.number,
            profile: scenario.engine.profile.clone(),
            writes: scenario.workload.kind.writes(),
            error: answer.throughput_tps / simulated.tps.max(1e-9) - 1.0,
            hit_rate_error: answer.hit_rate - simulated.hit_rate,
            same_cause: answer.main_cause().is_some_and(|(name, _)| name == simulated.cause),
            answer,
        }
    }

    /// How many times too high or too low the closed form is, as a logarithm: the same for twice and for half.
    pub fn distance(&self) -> f64 {
        (1.0 + self.error).max(1e-12).ln().abs()
    }
}

/// What the simulation said of each scenario when it was last asked.
///
/// # Panics
/// When the file is not what it should be.
pub fn known() -> Vec<Simulated> {
    let lines = text("tests/data/simulated.jsonl");
    lines.lines().map(|line| serde_json::from_str(line).expect("an outcome a line")).collect()
}
