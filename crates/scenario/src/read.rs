//! TOML to Scenario, with the place of everything that is wrong.

use crate::{Problem, Scenario};
use toml::{Table, Value};

/// Reads a scenario and checks it.
pub fn scenario_from_toml(text: &str) -> Result<Scenario, Vec<Problem>> {
    let deserializer = toml::Deserializer::parse(text).map_err(|e| vec![located(text, "", &e)])?;
    let scenario: Scenario = serde_path_to_error::deserialize(deserializer)
        .map_err(|e| vec![located(text, &e.path().to_string(), e.inner())])?;
    let problems = scenario.check();
    if problems.is_empty() { Ok(scenario) } else { Err(problems) }
}

/// Reads any TOML document.
pub fn table_from_toml(text: &str) -> Result<Table, Vec<Problem>> {
    text.parse::<Table>().map_err(|e| vec![located(text, "", &e)])
}

/// Reads a scenario from a table that was put together, and checks it.
pub fn scenario_from_table(table: Table) -> Result<Scenario, Vec<Problem>> {
    let scenario: Scenario = serde_path_to_error::deserialize(Value::Table(table))
        .map_err(|e| vec![Problem::of_message(e.path().to_string(), e.inner().message())])?;
    let problems = scenario.check();
    if problems.is_empty() { Ok(scenario) } else { Err(problems) }
}

fn located(text: &str, path: &str, error: &toml::de::Error) -> Problem {
    let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    Problem { line, ..Problem::of_message(path, error.message()) }
}

/// Lays `over` onto `base`: tables are merged key by key, everything else is replaced.
pub fn merge(base: &mut Table, over: &Table) {
    for (key, value) in over {
        match (base.get_mut(key), value) {
            (Some(Value::Table(inner)), Value::Table(more)) => merge(inner, more),
            _ => {
                base.insert(key.clone(), value.clone());
            }
        }
    }
}
