//! Files, standard input, and links of the page.

use clap::{Args, ValueEnum};
use serde::de::IgnoredAny;
use spindle_scenario::{Problem, Scenario, link, scenario_from_toml};
use std::io::Read;

/// Where a scenario comes from.
#[derive(Debug, Args)]
pub(crate) struct Source {
    /// A scenario in TOML, `-` for standard input, EXPERIMENT/CASE (see `spindle list`), or a link of the page in
    /// quotes.
    scenario: String,
    /// Which of its scenarios, where a link compares two.
    #[arg(long, value_enum, default_value = "b")]
    side: Side,
}

/// A side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    /// The one that the other is compared with.
    A,
    /// The one that the page shows.
    B,
}

impl Source {
    /// Reads the scenario, which can be run.
    pub(crate) fn read(&self) -> Result<Scenario, Vec<String>> {
        let path = self.scenario.as_str();
        if link::is_link(path) {
            return self.of_link(path);
        }
        if let Some(scenario) = case(path) {
            return scenario;
        }
        let text = text(path)?;
        if link::is_link(&text) {
            return self.of_link(&text);
        }
        scenario_from_toml(&text).map_err(|problems| messages(path, &problems))
    }

    fn of_link(&self, text: &str) -> Result<Scenario, Vec<String>> {
        let decoded = link::decode::<IgnoredAny>(text);
        if !decoded.problems.is_empty() {
            return Err(messages("link", &decoded.problems));
        }
        let mut scenarios = decoded.link.map(|link| link.scenarios).unwrap_or_default();
        let chosen = if self.side == Side::A { 0 } else { scenarios.len().saturating_sub(1) };
        if chosen < scenarios.len() {
            Ok(scenarios.swap_remove(chosen))
        } else {
            Err(vec!["link: found no scenario, expected one or two".to_owned()])
        }
    }
}

/// Reads a scenario from wherever it comes; of a link that compares two, the second one.
pub(crate) fn scenario(path: &str) -> Result<Scenario, Vec<String>> {
    Source { scenario: path.to_owned(), side: Side::B }.read()
}

/// The scenario of EXPERIMENT/CASE, if there is such an experiment.
fn case(path: &str) -> Option<Result<Scenario, Vec<String>>> {
    let (experiment, case) = path.split_once('/')?;
    let card = spindle_experiments::card(experiment)?;
    let Some(found) = card.cases.iter().find(|c| c.id == case) else {
        let cases: Vec<_> = card.cases.iter().map(|c| c.id.as_str()).collect();
        return Some(Err(vec![format!(
            "{path}: found no case `{case}`, expected one of {}",
            cases.join(", ")
        )]));
    };
    Some(card.scenario(found).map_err(|problems| messages(path, &problems)))
}

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

/// Problems as lines, each with the file's name.
pub(crate) fn messages(path: &str, problems: &[Problem]) -> Vec<String> {
    problems.iter().map(|problem| format!("{path}: {problem}")).collect()
}
