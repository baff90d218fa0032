//! TOML to Scenario, with the place of everything that is wrong.

use crate::{
    Problem, Scenario,
    understand::{Fault, Step, understand, value_of_toml},
};
use serde::de::DeserializeOwned;
use toml::{
    Table, Value,
    de::{DeTable, DeValue},
};

/// Reads a scenario and checks it.
pub fn scenario_from_toml(text: &str) -> Result<Scenario, Vec<Problem>> {
    checked(from_toml(text)?)
}

/// Reads any TOML document.
pub fn table_from_toml(text: &str) -> Result<Table, Vec<Problem>> {
    text.parse::<Table>().map_err(|e| {
        let line = e.span().map(|span| line_at(text, span.start));
        vec![Problem { line, ..Problem::of_message("", e.message()) }]
    })
}

/// Reads a type from a TOML document; what is wrong is told with its line.
///
/// # Errors
/// The text is not TOML, or not what the type wants.
pub fn from_toml<T: DeserializeOwned>(text: &str) -> Result<T, Vec<Problem>> {
    let table = table_from_toml(text)?;
    understand(&value_of_toml(Value::Table(table))).map_err(|fault| {
        let line = line_of(text, &fault);
        vec![Problem { line, ..Problem::of_message(fault.path(), fault.message()) }]
    })
}

/// Reads a scenario from a table that was put together, and checks it.
pub fn scenario_from_table(table: Table) -> Result<Scenario, Vec<Problem>> {
    let read = understand(&value_of_toml(Value::Table(table)));
    checked(read.map_err(|fault| vec![Problem::of_message(fault.path(), fault.message())])?)
}

fn checked(scenario: Scenario) -> Result<Scenario, Vec<Problem>> {
    let problems = scenario.check();
    if problems.is_empty() { Ok(scenario) } else { Err(problems) }
}

/// The line of the innermost place on the way to a fault that is in the text; `None` for the text as a whole.
fn line_of(text: &str, fault: &Fault) -> Option<usize> {
    let whole = DeTable::parse(text).ok()?;
    let (mut start, mut around): (_, Option<&DeValue<'_>>) = (None, None);
    for step in fault.steps() {
        let found = match step {
            Step::Key(key) => {
                let table = around.map_or(Some(whole.get_ref()), DeValue::as_table);
                table
                    .and_then(|table| table.get_key_value(key.as_str()))
                    .map(|(name, value)| (name.span(), value))
            }
            Step::Place(place) => {
                let items = around.and_then(DeValue::as_array);
                items.and_then(|items| items.get(*place)).map(|item| (item.span(), item))
            }
        };
        let Some((span, value)) = found else { break };
        (start, around) = (Some(span.start), Some(value.get_ref()));
    }
    start.map(|start| line_at(text, start))
}

fn line_at(text: &str, start: usize) -> usize {
    text.as_bytes()[..start.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
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
