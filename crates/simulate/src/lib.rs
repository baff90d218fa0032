//! Runs a Scenario into a Report, in virtual time.
//!
//! This crate knows events, clients, processor cores and statistics. It must never know the page it is shown on, nor
//! any file: a Scenario goes in, a Report comes out, and between them nothing but integers tell the time.

pub mod bench;
mod client;
#[cfg(feature = "tpch")]
mod cluster;
#[cfg(not(feature = "tpch"))]
#[path = "no_cluster.rs"]
mod cluster;
mod histogram;
mod kernel;
#[cfg(feature = "tpch")]
mod loading;
#[cfg(not(feature = "tpch"))]
#[path = "no_loading.rs"]
mod loading;
#[cfg(feature = "tpch")]
mod queries;
#[cfg(not(feature = "tpch"))]
#[path = "no_queries.rs"]
mod queries;
mod run;
mod sample;
mod statistics;

pub use histogram::Histogram;
pub use run::{Progress, Run};

use spindle_report::Report;
use spindle_scenario::{Problem, Scenario};

/// Runs a scenario to its end.
///
/// # Errors
/// Everything that is wrong with the scenario.
pub fn simulate(scenario: &Scenario) -> Result<Report, Vec<Problem>> {
    let mut run = Run::new(scenario)?;
    while !run.advance(1_000_000) {}
    Ok(run.report())
}
