//! What differs between the Scenarios of both sides, place by place.

use crate::{
    knob_catalogue::{Knob, Reading, Values, knobs},
    language::text,
};
use spindle_scenario::Scenario;
use std::collections::BTreeMap;
use toml::Value;

/// A place at which two Scenarios differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The place.
    pub path: String,
    /// What it is called.
    pub name: String,
    /// What stands there on both sides, in words.
    pub values: [String; 2],
}

/// What differs, in the order of the knobs; what has no knob comes last.
pub fn differences(scenarios: [&Scenario; 2]) -> Vec<Difference> {
    let catalogues = scenarios.map(knobs);
    let leaves = scenarios.map(leaves);
    let mut found = Vec::new();
    let mut places: Vec<&str> = Vec::new();
    for knob in catalogues.iter().flatten() {
        if !places.contains(&knob.path.as_str()) {
            places.push(&knob.path);
        }
    }
    let rest = leaves.iter().flat_map(BTreeMap::keys).map(String::as_str);
    let mut rest: Vec<&str> = rest.filter(|path| !places.contains(path)).collect();
    rest.sort_unstable();
    rest.dedup();
    let values = scenarios.map(Values::of);
    for path in places {
        let at = [0, 1].map(|side: usize| catalogues[side].iter().find(|knob| knob.path == path));
        let Some(knob) = at[0].or(at[1]) else { continue };
        // Words are made for what differs only: this is done at each step of a slider.
        let readings = [0, 1].map(|side: usize| at[side].map(|knob| knob.reading(&values[side])));
        if readings[0] != readings[1] {
            let values = [0, 1].map(|side: usize| in_words(at[side], readings[side].as_ref()));
            found.push(Difference { path: path.into(), name: knob.label(), values });
        }
    }
    for path in rest {
        let values = [0, 1].map(|side: usize| leaves[side].get(path));
        if values[0] != values[1] {
            let values = values.map(|value| value.map_or_else(nothing, Clone::clone));
            found.push(Difference { path: path.into(), name: path.into(), values });
        }
    }
    found
}

fn in_words(knob: Option<&Knob>, reading: Option<&Reading>) -> String {
    knob.zip(reading).map_or_else(nothing, |(knob, reading)| knob.words(reading))
}

fn nothing() -> String {
    text("difference-nothing")
}

/// What a Scenario says outside its engine's parameters and configuration, which the knobs show by their effect; columns
/// and indexes of a table as one place.
fn leaves(scenario: &Scenario) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (key, value) in scenario.to_table() {
        if key != "title" {
            gather(&key, &value, &mut found);
        }
    }
    found.retain(|path, _| !path.starts_with("engine.parameters") && path != "engine.configuration");
    found
}

fn gather(path: &str, value: &Value, found: &mut BTreeMap<String, String>) {
    match value {
        Value::Table(table) => {
            for (key, value) in table {
                gather(&format!("{path}.{key}"), value, found);
            }
        }
        Value::Array(values) if path.ends_with(".columns") || path.ends_with(".indexes") => {
            let names = values.iter().filter_map(|value| value.get("name")?.as_str());
            found.insert(path.to_owned(), names.collect::<Vec<_>>().join(", "));
        }
        Value::Array(values) => {
            for (at, value) in values.iter().enumerate() {
                gather(&format!("{path}[{at}]"), value, found);
            }
        }
        Value::String(text) => {
            found.insert(path.to_owned(), text.clone());
        }
        other => {
            found.insert(path.to_owned(), other.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{edit::turned, store::Store};

    fn scenario() -> Scenario {
        (*Store::default().scenarios[0]).clone()
    }

    fn paths(other: &Scenario) -> Vec<String> {
        differences([&scenario(), other]).into_iter().map(|difference| difference.path).collect()
    }

    #[test]
    fn equal_scenarios_do_not_differ() {
        assert_eq!(paths(&scenario()), Vec::<String>::new());
    }

    #[test]
    fn each_changed_knob_is_one_place_with_both_values() {
        let other =
            turned(&scenario(), "engine.parameters.data_buffer_pages", Value::Integer(524_288)).unwrap();
        let found = differences([&scenario(), &other]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].values, ["4\u{a0}GiB", "8\u{a0}GiB"]);
        let other = turned(&other, "workload.clients", Value::Integer(8)).unwrap();
        assert_eq!(paths(&other), ["engine.parameters.data_buffer_pages", "workload.clients"]);
    }

    #[test]
    fn what_has_no_knob_is_named_by_its_path() {
        let mut other = scenario();
        other.seed = 7;
        other.tables[0].columns.pop();
        assert_eq!(paths(&other), ["seed", "table[0].columns"]);
    }

    #[test]
    fn another_engine_shows_the_parameters_that_only_one_has() {
        let other = turned(&scenario(), "engine.profile", Value::String("innodb-5.1".into())).unwrap();
        let found = differences([&scenario(), &other]);
        assert_eq!(found[0].path, "engine.profile");
        assert!(
            found.iter().any(|d| d.path == "engine.parameters.num_lru_chains" && d.values[1] == nothing())
        );
    }
}
