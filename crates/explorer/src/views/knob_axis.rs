//! Knobs along axes: which there are, what they are called, and from where to where they go.

use crate::{
    edit::EXPONENT,
    figure::{self, Unit},
    knob_catalogue::{self, Kind, Reading, Values, knob_at},
    view_state::AxisSpec,
};
use spindle_scenario::Scenario;
use spindle_sweep::{Axis, Scale};
use spindle_units::Bytes;
use toml::Value;

/// What the present value is divided and multiplied by where an axis has no ends of its own.
const AROUND: f64 = 16.0;
/// Nanoseconds in a second: the catalogue counts times in the one, axes in the other.
const NANOSECONDS: f64 = 1e9;

/// The path of the engine's buffer.
pub fn buffer_path(scenario: &Scenario) -> Option<String> {
    scenario.profile().map(|profile| format!("engine.parameters.{}", profile.buffer_parameter()))
}

/// Knobs that can lie along an axis: path and name, the buffer first.
pub fn knobs(scenario: &Scenario) -> Vec<(String, String)> {
    let buffer = buffer_path(scenario);
    let mut knobs: Vec<(String, String)> = knob_catalogue::knobs(scenario)
        .into_iter()
        // The parts of a text have no place of their own in a Scenario.
        .filter(|knob| knob.kind.is_number() && knob.path != EXPONENT)
        .map(|knob| (knob.path.clone(), knob.label()))
        .collect();
    knobs.sort_by_key(|(path, _)| buffer.as_ref() != Some(path));
    knobs
}

/// What a knob is called.
pub fn name(scenario: &Scenario, path: &str) -> String {
    knob_at(scenario, path).map_or_else(|| path.to_owned(), |knob| knob.label())
}

/// What its values are to a reader.
pub fn unit(scenario: &Scenario, path: &str) -> Unit {
    match knob_at(scenario, path).map(|knob| knob.kind) {
        Some(Kind::Bytes | Kind::Pages(_)) => Unit::Bytes,
        Some(Kind::Time) => Unit::Seconds,
        Some(Kind::Share) => Unit::Share,
        _ => Unit::Count,
    }
}

/// What a value in the Scenario's own unit stands for to a reader: pages are bytes.
pub fn factor(scenario: &Scenario, path: &str) -> f64 {
    match knob_at(scenario, path).map(|knob| knob.kind) {
        Some(Kind::Pages(bytes)) if bytes > 0.0 => bytes,
        _ => 1.0,
    }
}

/// Where a knob stands now, as a reader counts it.
pub fn value_now(scenario: &Scenario, path: &str) -> Option<f64> {
    let knob = knob_at(scenario, path)?;
    match knob.reading(&Values::of(scenario)) {
        Reading::Number(number) if knob.kind == Kind::Time => Some(number / NANOSECONDS),
        Reading::Number(number) => Some(number),
        Reading::On(_) | Reading::Word(_) => None,
    }
}

/// From where to where an axis goes, as a reader counts it: as it was asked, or around the present value.
pub fn range(scenario: &Scenario, path: &str, spec: &AxisSpec) -> [f64; 2] {
    let now = value_now(scenario, path).filter(|now| *now > 0.0).unwrap_or(1.0);
    let kind = knob_at(scenario, path).map(|knob| knob.kind);
    let least = if matches!(kind, Some(Kind::Count | Kind::Bytes | Kind::Pages(_))) { 1.0 } else { 0.0 };
    let from = (now / AROUND).max(least);
    let from = if kind == Some(Kind::Count) { from.round() } else { from };
    let to = if kind == Some(Kind::Share) { 1.0f64.max(now) } else { (now * AROUND).max(from * 2.0) };
    let [from, to] = [spec.from.unwrap_or(from), spec.to.unwrap_or(to)];
    if from < to { [from, to] } else { [to, from.max(to * 2.0).max(1.0)] }
}

/// The values along an axis, each with where a reader sees it; none where the path leads nowhere in this Scenario, or its
/// values are words.
pub fn ticks(scenario: &Scenario, path: &str, spec: &AxisSpec, steps: usize) -> Vec<(f64, Value)> {
    let factor = factor(scenario, path);
    let [from, to] = range(scenario, path, spec).map(|end| end / factor);
    let scale = if spec.linear || from <= 0.0 { Scale::Linear } else { Scale::Log };
    let axis = Axis::between(scenario, path, from, to, steps, scale);
    let ticks = axis.as_ref().map_or(&[][..], Axis::ticks);
    ticks.iter().map(|tick| (tick.at * factor, tick.value.clone())).collect()
}

/// A number, as a reader counts it, as a knob's value.
pub fn value(scenario: &Scenario, path: &str, number: f64) -> Option<Value> {
    let number = number / factor(scenario, path);
    let axis = Axis::between(scenario, path, number, number, 1, Scale::Linear).ok()?;
    axis.ticks().first().map(|tick| tick.value.clone())
}

/// The axis of a figure for a knob.
pub fn figure_axis(scenario: &Scenario, path: &str, spec: &AxisSpec) -> figure::Axis {
    let range = range(scenario, path, spec);
    let scale = if spec.linear || range[0] <= 0.0 { figure::Scale::Linear } else { figure::Scale::Log };
    let whole = figure::Axis::new(name(scenario, path), unit(scenario, path), scale);
    figure::Axis { range: Some(range), ..whole }
}

/// The Scenario with another value of a knob. A buffer that would not fit brings its memory with it: how much of it
/// there should be is what such an axis asks.
pub fn with_value(scenario: &Scenario, path: &str, value: &Value) -> Option<Scenario> {
    let mut next = scenario.with_value(path, value.clone()).ok()?;
    if buffer_path(scenario).as_deref() == Some(path) {
        let buffer = next.profile()?.buffer_bytes(&next.parameters());
        let needed = buffer * 1.25;
        if needed > next.machine.memory.0 as f64 {
            next.machine.memory = Bytes(needed.min(1e18).ceil() as u64);
        }
    }
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn every_knob_has_a_range_and_values_that_can_be_set() {
        let store = Store::default();
        let scenario = &store.scenarios[1];
        for (path, name) in knobs(scenario) {
            assert!(!name.is_empty());
            let ticks = ticks(scenario, &path, &AxisSpec::default(), 8);
            assert!(!ticks.is_empty(), "{path}");
            assert!(ticks.iter().any(|(_, value)| with_value(scenario, &path, value).is_some()), "{path}");
        }
    }

    #[test]
    fn a_buffer_is_counted_in_bytes_and_brings_its_memory() {
        let store = Store::default();
        let scenario = &store.scenarios[1];
        let path = buffer_path(scenario).unwrap();
        assert_eq!(value_now(scenario, &path), Some(scenario.buffer_bytes()));
        for (at, value) in ticks(scenario, &path, &AxisSpec::default(), 5) {
            let next = with_value(scenario, &path, &value).unwrap();
            assert!((next.buffer_bytes() / at - 1.0).abs() < 0.01, "{at}");
            assert!(next.check().is_empty(), "{at}: {:?}", next.check());
        }
    }

    #[test]
    fn ranges_that_were_asked_for_hold_and_wrong_ones_are_mended() {
        let store = Store::default();
        let asked = |from, to| AxisSpec { from: Some(from), to: Some(to), ..AxisSpec::default() };
        let ends = |spec: &AxisSpec| range(&store.scenarios[0], "workload.clients", spec);
        assert_eq!(ends(&asked(2.0, 64.0)), [2.0, 64.0]);
        for spec in [asked(64.0, 2.0), asked(5.0, 5.0), asked(-3.0, 0.0), asked(0.0, 0.0)] {
            let [from, to] = ends(&spec);
            assert!(from < to, "{spec:?}");
        }
    }
}
