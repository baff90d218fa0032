//! A Scenario answered in closed form, in less than a millisecond.
//!
//! This crate knows layouts, hit rates by characteristic time, and queues by mean value analysis. It must never know the
//! event loop, nor the page: no clock moves here, and nothing is drawn at random.

mod advice;
mod answer;
mod characteristic_time;
mod classes;
mod demand;
mod device_curve;
mod engines;
mod load;
mod network;
mod pool;
mod popularity;
mod shape;

pub use advice::{Advice, advice};
pub use classes::{PageClass, PageKind};

use spindle_report::{Breakdown, DeviceReport, PerTransaction};
use spindle_scenario::{Problem, Scenario};
use spindle_workload::WorkloadKind;

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
    /// What a load brings in, in MiB a second, if all of it went as its orders do; 0 for what is no load.
    pub load_mib_per_s: f64,
    /// What a reader should know.
    pub notes: Vec<String>,
}

impl Estimate {
    /// The cause that takes most of a transaction's time.
    pub fn main_cause(&self) -> Option<(&str, f64)> {
        spindle_report::main_cause(&self.breakdown_ms)
    }
}

/// The longest part of a load: orders that go into tables without indexes, next to others that are full.
fn of_orders(scenario: &Scenario) -> Scenario {
    let mut orders = scenario.clone();
    orders.tables.iter_mut().for_each(|table| table.indexes.clear());
    orders
}

/// MiB a second of a load whose orders come at this rate.
fn load_mib_per_s(scenario: &Scenario, orders_per_s: f64) -> f64 {
    let orders = scenario.tables.iter().find(|table| table.name.eq_ignore_ascii_case("orders"));
    let orders = orders.map_or(1.0, |table| (table.rows as f64).max(1.0));
    scenario.data_bytes() / f64::from(1 << 20) * orders_per_s / orders
}

/// Answers a scenario. Of a load it says how its orders get on, which is most of it: what comes many rows at a time, and the making
/// of indexes, are the simulation's.
///
/// # Errors
/// Everything that is wrong with the scenario.
pub fn estimate(scenario: &Scenario) -> Result<Estimate, Vec<Problem>> {
    let problems = scenario.check();
    if !problems.is_empty() {
        return Err(problems);
    }
    if scenario.workload.kind == WorkloadKind::Tpch {
        let expected = "a load of short transactions: a plan's reads are found by carrying it out";
        return Err(vec![Problem::new("workload.kind", "tpch", expected)]);
    }
    let orders = scenario.workload.kind.loads().then(|| of_orders(scenario));
    let scenario = orders.as_ref().unwrap_or(scenario);
    let profile = scenario
        .profile()
        .ok_or_else(|| vec![Problem::new("engine.profile", &scenario.engine.profile, "a known profile")])?;
    let page_bytes = profile.page_bytes(&scenario.parameters());
    let tables = shape::shapes(scenario, profile, page_bytes);
    let load = load::Load::of(scenario);
    let mut measured = engines::Measured {
        updates_before: scenario.run.heap.updates as f64,
        ..engines::Measured::default()
    };
    let mut answer = None;
    // Where a demand depends on how far the run has come, the first answer says how far.
    for _ in 0..if engines::ages(profile, &load) { 2 } else { 1 } {
        let demand = engines::demand(scenario, profile, &tables, &load, page_bytes, measured);
        answer = answer::answer(scenario, &demand, &tables, &load);
        if let Some((_, (from, to))) = answer {
            measured = engines::Measured { from, to, ..measured };
        }
    }
    let of_load = |estimate: Estimate| match &orders {
        Some(orders) => {
            Estimate { load_mib_per_s: load_mib_per_s(orders, estimate.throughput_tps), ..estimate }
        }
        None => estimate,
    };
    answer.map(|(estimate, _)| of_load(estimate)).ok_or_else(|| {
        vec![Problem::new("storage.device", "a device that cannot be built", "a sound device")]
    })
}
