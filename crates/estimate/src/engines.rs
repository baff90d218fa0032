//! What statements demand of each engine.

mod cubrid;
mod firebird;
mod innodb;
mod postgresql;

use crate::{
    demand::Demand,
    load::{Asked, Load},
    shape::TableShape,
};
use spindle_engine::{layout::StorageFormat, profile::Profile};
use spindle_scenario::Scenario;

/// Transactions before a run is measured and up to its end: what an update costs depends on how many there were.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Measured {
    pub from: f64,
    pub to: f64,
    /// Updates of each table before the run.
    pub updates_before: f64,
}

/// Whether what a transaction demands depends on how many there were before it.
pub(crate) fn ages(profile: &Profile, load: &Load) -> bool {
    let updates = |(_, asked, _): &(usize, Asked, f64)| matches!(asked, Asked::Update { .. });
    profile.format.is_postgresql() && load.statements.iter().any(updates)
}

/// What a transaction of the scenario demands.
pub(crate) fn demand(
    scenario: &Scenario,
    profile: &'static Profile,
    tables: &[TableShape],
    load: &Load,
    page_bytes: u32,
    measured: Measured,
) -> Demand {
    let parameters = scenario.parameters();
    let value = |name: &str, built_in: f64| {
        profile.parameter(name).and_then(|spec| parameters.number(spec).ok()).unwrap_or(built_in)
    };
    let mut demand = match profile.format {
        StorageFormat::Innodb => innodb::demand(scenario, profile, tables, load, &value),
        StorageFormat::Cubrid | StorageFormat::CubridVersions => {
            cubrid::demand(scenario, profile, tables, load, &value)
        }
        StorageFormat::Postgresql | StorageFormat::Postgresql12 => {
            postgresql::demand(scenario, profile, tables, load, measured, &value)
        }
        StorageFormat::Firebird | StorageFormat::Firebird11 => {
            firebird::demand(scenario, profile, tables, load, f64::from(page_bytes), &value)
        }
    };
    // Each statement has its message; transactions of several are bracketed by two more.
    demand.network_ns += scenario.workload.round_trip.0 as f64 * (load.count + 2.0 * load.bracketed);
    demand
}
