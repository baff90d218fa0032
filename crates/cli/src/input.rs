//! Files and standard input.

use spindle_scenario::{Problem, Scenario, scenario_from_toml};
use std::io::Read;

/// Reads a file, or standard input for `-`.
pub(crate) fn text(path: &str) -> Result<String, Vec<String>> {
    let read = if path == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(path)
    };
    read.map_err(|error| vec![format!("{path}: {error}, expected a readable text file")])
}

/// Reads a scenario, or a case of an experiment by `experiment/case`.
pub(crate) fn scenario(path: &str) -> Result<Scenario, Vec<String>> {
    if let Some((experiment, case)) = path.split_once('/')
        && let Some(card) = spindle_experiments::card(experiment)
    {
        let found = card.cases.iter().find(|c| c.id == case).ok_or_else(|| {
            let cases: Vec<_> = card.cases.iter().map(|c| c.id.as_str()).collect();
            vec![format!("{path}: found no case `{case}`, expected one of {}", cases.join(", "))]
        })?;
        return card.scenario(found).map_err(|problems| messages(path, &problems));
    }
    scenario_from_toml(&text(path)?).map_err(|problems| messages(path, &problems))
}

/// Problems as lines, each with the file's name.
pub(crate) fn messages(path: &str, problems: &[Problem]) -> Vec<String> {
    problems.iter().map(|problem| format!("{path}: {problem}")).collect()
}
