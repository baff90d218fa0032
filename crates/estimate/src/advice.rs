//! The one knob that would change throughput most.

use crate::estimate;
use serde::Serialize;
use spindle_device::RaidLevel;
use spindle_engine::{parameters::Value, profile::BufferSize};
use spindle_scenario::Scenario;

/// A change that pays.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Advice {
    /// Path of the value in the Scenario.
    pub path: String,
    /// The value now: bytes, GHz or a number of things.
    pub from: f64,
    /// Twice that.
    pub to: f64,
    /// Throughput with it over throughput without.
    pub throughput_factor: f64,
}

/// Doubles each of buffer, cores, clock, devices and clients by itself and returns what helps most; nothing where none
/// brings two per cent, or where the scenario cannot be answered.
pub fn advice(scenario: &Scenario) -> Option<Advice> {
    const WORTH_IT: f64 = 1.02;
    let now = estimate(scenario).ok()?.throughput_tps;
    if now <= 0.0 {
        return None;
    }
    let changes = [buffer(scenario), cores(scenario), clock(scenario), devices(scenario), clients(scenario)];
    changes
        .into_iter()
        .flatten()
        .filter_map(|(path, from, changed)| {
            let throughput_factor = estimate(&changed).ok()?.throughput_tps / now;
            (throughput_factor >= WORTH_IT).then_some(Advice {
                path,
                from,
                to: 2.0 * from,
                throughput_factor,
            })
        })
        .max_by(|a, b| a.throughput_factor.total_cmp(&b.throughput_factor))
}

/// A path, the value there now, and the scenario with twice that.
type Change = Option<(String, f64, Scenario)>;

fn buffer(scenario: &Scenario) -> Change {
    let profile = scenario.profile()?;
    let bytes = scenario.buffer_bytes();
    let unit = match profile.buffer {
        BufferSize::Bytes(_) => 1.0,
        BufferSize::Pages(_) => f64::from(profile.page_bytes(&scenario.parameters())),
    };
    let mut changed = scenario.clone();
    changed.engine.parameters.set(profile.buffer_parameter(), Value::Number(2.0 * bytes / unit));
    Some((format!("engine.parameters.{}", profile.buffer_parameter()), bytes / unit, changed))
}

fn cores(scenario: &Scenario) -> Change {
    let mut changed = scenario.clone();
    changed.machine.cores *= 2;
    Some(("machine.cores".into(), f64::from(scenario.machine.cores), changed))
}

fn clock(scenario: &Scenario) -> Change {
    let mut changed = scenario.clone();
    changed.machine.clock_ghz *= 2.0;
    Some(("machine.clock_ghz".into(), scenario.machine.clock_ghz, changed))
}

fn devices(scenario: &Scenario) -> Change {
    let mut changed = scenario.clone();
    let device = &mut changed.storage.device;
    device.count *= 2;
    if device.raid == RaidLevel::Single {
        device.raid = RaidLevel::Raid0;
    }
    Some(("storage.device.count".into(), f64::from(scenario.storage.device.count), changed))
}

fn clients(scenario: &Scenario) -> Change {
    let mut changed = scenario.clone();
    changed.workload.clients = changed.workload.clients.saturating_mul(2);
    Some(("workload.clients".into(), f64::from(scenario.workload.clients), changed))
}
