//! A replay card: one published experiment as a data file.

use serde::{Deserialize, Serialize};
use spindle_scenario::{Problem, Scenario, merge, scenario_from_table, table_from_toml};
use std::collections::BTreeMap;
use toml::{Table, Value};

/// One published experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// Name.
    pub id: String,
    /// A line for people.
    pub title: String,
    /// Who published it, where and when.
    pub source: String,
    /// What it asks.
    pub question: String,
    /// What was done, in a few sentences.
    pub summary: String,
    /// What the source leaves open and the card decides.
    pub assumed: Vec<String>,
    /// Constants that were set so that a claim comes out.
    pub fitted: Vec<Fitted>,
    /// Pieces of scenarios, by name.
    pub parts: BTreeMap<String, Table>,
    /// The scenarios.
    #[serde(rename = "case")]
    pub cases: Vec<Case>,
    /// What was published.
    #[serde(rename = "claim")]
    pub claims: Vec<Claim>,
}

/// A constant that was set so that a claim comes out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fitted {
    /// What it is.
    pub name: String,
    /// Where it stands in the scenarios.
    pub path: String,
    /// The value.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// The range within which it is plausible.
    pub range: [f64; 2],
    /// The claim it was fitted on.
    pub on: String,
}

/// One scenario of a card.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Name.
    pub id: String,
    /// A line for people.
    pub title: String,
    /// The parts it is put together from; a later one overrules an earlier one.
    pub parts: Vec<String>,
}

/// Something that was published.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// Name.
    pub id: String,
    /// What it says.
    pub title: String,
    /// What is compared, and how.
    #[serde(flatten)]
    pub kind: ClaimKind,
}

/// What is compared, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ClaimKind {
    /// The throughput of one case over that of another has a published value.
    Ratio {
        /// Case above the line.
        above: String,
        /// Case below it.
        below: String,
        /// The published ratio.
        published: f64,
    },
    /// One case has more throughput than another.
    Order {
        /// The case with more.
        above: String,
        /// The case with less.
        below: String,
    },
    /// One case has more throughput than another, but not by much.
    Within {
        /// The case with more.
        above: String,
        /// The case with less.
        below: String,
        /// The largest ratio that the words allow.
        at_most: f64,
    },
    /// Processor and storage of a case are not fully used.
    Idle {
        /// The case.
        case: String,
        /// The largest utilisation that the words allow.
        at_most: f64,
    },
}

/// All cards.
///
/// # Errors
/// What is wrong with the first card that cannot be read; the crate's tests read them all.
pub fn cards() -> Result<Vec<Card>, Vec<Problem>> {
    crate::CARDS.iter().map(|text| Card::read(text)).collect()
}

/// The card of that name.
pub fn card(id: &str) -> Option<Card> {
    cards().ok()?.into_iter().find(|card| card.id == id)
}

impl Card {
    /// Reads a card.
    ///
    /// # Errors
    /// Where the text is not TOML or not a card.
    pub fn read(text: &str) -> Result<Self, Vec<Problem>> {
        let table = table_from_toml(text)?;
        Value::Table(table)
            .try_into()
            .map_err(|e: toml::de::Error| vec![Problem::new("", e.message(), "a replay card")])
    }

    /// The scenario of a case, put together from its parts.
    ///
    /// # Errors
    /// Parts that are missing, and everything that is wrong with the result.
    pub fn scenario(&self, case: &Case) -> Result<Scenario, Vec<Problem>> {
        let mut whole = Table::new();
        whole.insert("title".into(), Value::String(case.title.clone()));
        for name in &case.parts {
            let part = self.parts.get(name).ok_or_else(|| {
                vec![Problem::new(
                    format!("case.{}.parts", case.id),
                    format!("`{name}`"),
                    "a part of the card",
                )]
            })?;
            let mut part = part.clone();
            // `tables` changes every table that an earlier part has set up.
            if let Some(Value::Table(change)) = part.remove("tables")
                && let Some(Value::Array(tables)) = whole.get_mut("table")
            {
                for table in tables {
                    if let Value::Table(table) = table {
                        merge(table, &change);
                    }
                }
            }
            merge(&mut whole, &part);
        }
        scenario_from_table(whole)
    }

    /// Names of the constants fitted in a case: those whose value stands at their path in its scenario.
    pub fn fitted_in(&self, case: &Case) -> Vec<String> {
        let Ok(scenario) = self.scenario(case) else { return Vec::new() };
        let holds = |fitted: &&Fitted| match fitted.path.as_str() {
            "table.0.fill" => scenario.tables.first().is_some_and(|t| t.fill == fitted.value),
            "workload.search_range" => scenario.workload.search_range == fitted.value,
            "engine.contention" => scenario.engine.contention == fitted.value,
            _ => false,
        };
        self.fitted.iter().filter(holds).map(|f| f.name.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_reads_and_every_case_can_be_run() {
        for card in cards().unwrap() {
            for case in &card.cases {
                let scenario =
                    card.scenario(case).unwrap_or_else(|p| panic!("{}/{}: {p:?}", card.id, case.id));
                assert_eq!(scenario.check(), []);
                let text = scenario.to_toml();
                assert_eq!(spindle_scenario::scenario_from_toml(&text).unwrap(), scenario, "{text}");
            }
            for claim in &card.claims {
                let named = match &claim.kind {
                    ClaimKind::Ratio { above, below, .. }
                    | ClaimKind::Order { above, below }
                    | ClaimKind::Within { above, below, .. } => vec![above, below],
                    ClaimKind::Idle { case, .. } => vec![case],
                };
                for id in named {
                    assert!(card.cases.iter().any(|c| c.id == *id), "{}: no case {id}", claim.id);
                }
            }
        }
    }

    #[test]
    fn every_fitted_constant_stands_where_it_says_and_within_its_range() {
        for card in cards().unwrap() {
            for fitted in &card.fitted {
                assert!(
                    fitted.range[0] <= fitted.value && fitted.value <= fitted.range[1],
                    "{}",
                    fitted.name
                );
                assert!(
                    card.claims.iter().any(|c| c.id == fitted.on),
                    "{} is fitted on a claim",
                    fitted.name
                );
                let used =
                    card.cases.iter().filter(|case| card.fitted_in(case).contains(&fitted.name)).count();
                assert!(used > 0, "{} is not used by any case", fitted.name);
            }
        }
    }

    /// Between two cases of one system only what the article changed may differ.
    #[test]
    fn cases_that_a_ratio_compares_differ_only_in_machine_and_storage() {
        for card in cards().unwrap() {
            for claim in &card.claims {
                let ClaimKind::Ratio { above, below, .. } = &claim.kind else { continue };
                let scenario = |id: &str| {
                    let case = card.cases.iter().find(|c| c.id == id).unwrap();
                    card.scenario(case).unwrap()
                };
                let (mut a, b) = (scenario(above), scenario(below));
                a.machine = b.machine.clone();
                a.storage = b.storage.clone();
                a.title = b.title.clone();
                assert_eq!(a, b, "{}", claim.id);
            }
        }
    }
}
