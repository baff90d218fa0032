//! A replay card: one published experiment as a data file.

use crate::{
    claim::{Claim, Pairs},
    grid::{Grid, stars},
};
use serde::{Deserialize, Serialize};
use spindle_engine::profile::Profile;
use spindle_scenario::{
    Problem, Scenario, StandardTables, from_toml, merge, number_in, scenario_from_table, value_in,
};
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
    /// The scenarios, one by one, and those of the grids behind them.
    #[serde(rename = "case", default)]
    pub cases: Vec<Case>,
    /// Families of scenarios.
    #[serde(rename = "grid", default, skip_serializing_if = "Vec::is_empty")]
    pub grids: Vec<Grid>,
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
    /// Where it stands in the scenarios; empty where it is the unit of a published figure.
    #[serde(default, skip_serializing_if = "String::is_empty")]
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Name.
    pub id: String,
    /// A line for people.
    pub title: String,
    /// The parts it is put together from; a later one overrules an earlier one.
    pub parts: Vec<String>,
    /// What is set over the parts.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub set: Table,
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
        let mut card: Self = from_toml(text)?;
        card.cases.extend(card.grids.iter().flat_map(Grid::cases));
        Ok(card)
    }

    /// Names of the cases that fit a pattern, in the card's order; a star stands for one word.
    pub fn cases_like<'a>(&'a self, pattern: &'a str) -> impl Iterator<Item = &'a str> {
        self.cases.iter().map(|case| case.id.as_str()).filter(move |id| stars(pattern, id).is_some())
    }

    /// Names of the cases of `pairs`, above and below the line.
    pub fn paired<'a>(&'a self, pairs: &'a [Pairs]) -> Vec<(&'a str, &'a str)> {
        let below = |pattern: &'a Pairs, above: &str| {
            let words = stars(&pattern.above, above);
            self.cases_like(&pattern.below).find(|id| stars(&pattern.below, id) == words)
        };
        let of = |pattern: &'a Pairs| {
            self.cases_like(&pattern.above).filter_map(move |above| Some((above, below(pattern, above)?)))
        };
        pairs.iter().flat_map(of).collect()
    }

    /// The value of a fitted constant.
    pub fn fitted_value(&self, name: &str) -> Option<f64> {
        self.fitted.iter().find(|fitted| fitted.name == name).map(|fitted| fitted.value)
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
            lay_over(&mut whole, part);
        }
        lay_over(&mut whole, &case.set);
        if let Some(named) = whole.remove(STANDARD_TABLES) {
            whole.insert("table".into(), standard_tables(&named, &whole)?);
        }
        scenario_from_table(whole)
    }

    /// Names of the constants fitted in a case: those whose value stands at their path in its scenario.
    pub fn fitted_in(&self, case: &Case) -> Vec<String> {
        let Ok(scenario) = self.scenario(case) else { return Vec::new() };
        let whole = scenario.to_table();
        let holds = |fitted: &&Fitted| {
            let value = value_in(&whole, &fitted.path);
            let written = format!("{}{}", fitted.value, fitted.unit);
            value.is_some_and(|value| {
                number_in(value).map_or(value.as_str() == Some(&written), |value| value == fitted.value)
            })
        };
        self.fitted.iter().filter(holds).map(|f| f.name.clone()).collect()
    }
}

/// The part of a case that names tables of a benchmark in place of tables one by one: the name of the set, and how large
/// it is (warehouses, branches, or so many times its rows).
const STANDARD_TABLES: &str = "standard_tables";

/// The tables that `named` stands for, as the engine of `whole` stores them.
fn standard_tables(named: &Value, whole: &Table) -> Result<Value, Vec<Problem>> {
    let problem = |found: String, expected: String| vec![Problem::new(STANDARD_TABLES, found, expected)];
    let name = named.get("set").and_then(Value::as_str).unwrap_or_default();
    let set = StandardTables::find(name).ok_or_else(|| {
        let names = StandardTables::ALL.map(StandardTables::id).join(", ");
        problem(format!("set `{name}`"), format!("one of {names}"))
    })?;
    let scale = named.get("scale").and_then(Value::as_integer).and_then(|scale| u64::try_from(scale).ok());
    let scale = scale.ok_or_else(|| problem("no scale".into(), "a whole number".into()))?;
    let profile = whole.get("engine").and_then(|engine| engine.get("profile")).and_then(Value::as_str);
    let profile = profile.and_then(Profile::find);
    let profile =
        profile.ok_or_else(|| problem("no known engine".into(), "one that stores the tables".into()))?;
    Value::try_from(set.tables(scale, profile.format)).map_err(|e| problem(e.to_string(), "tables".into()))
}

/// Lays a part of a scenario over what earlier parts have set up; its `tables` changes every table there is.
fn lay_over(whole: &mut Table, part: &Table) {
    let mut part = part.clone();
    if let Some(Value::Table(change)) = part.remove("tables")
        && let Some(Value::Array(tables)) = whole.get_mut("table")
    {
        for table in tables {
            if let Value::Table(table) = table {
                merge(table, &change);
            }
        }
    }
    merge(whole, &part);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::ClaimKind;

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
            let mut ids: Vec<&str> = card.cases.iter().map(|case| case.id.as_str()).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), card.cases.len(), "{}: each case has a name of its own", card.id);
        }
    }

    #[test]
    fn every_claim_speaks_of_cases_there_are() {
        for card in cards().unwrap() {
            let there =
                |id: &str| assert!(card.cases.iter().any(|c| c.id == *id), "{}: no case {id}", card.id);
            for claim in &card.claims {
                match &claim.kind {
                    ClaimKind::Ratio { above, below, .. }
                    | ClaimKind::Order { above, below }
                    | ClaimKind::Within { above, below, .. } => {
                        [above, below].into_iter().for_each(|id| there(id))
                    }
                    ClaimKind::Idle { case, .. } => there(case),
                    ClaimKind::Curve { cases, published, unit, .. } => {
                        assert_eq!(card.cases_like(cases).count(), published.len(), "{}", claim.id);
                        assert!(
                            unit.as_ref().is_none_or(|unit| card.fitted_value(unit).is_some()),
                            "{}",
                            claim.id
                        );
                    }
                    ClaimKind::Orders { pairs }
                    | ClaimKind::Range { pairs, .. }
                    | ClaimKind::Mean { pairs, .. }
                    | ClaimKind::Share { pairs, .. }
                    | ClaimKind::Bound { pairs, .. } => {
                        for one in pairs {
                            let above = card.cases_like(&one.above).count();
                            assert!(above > 0, "{}: no case {}", claim.id, one.above);
                            assert_eq!(card.paired(std::slice::from_ref(one)).len(), above, "{}", claim.id);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn names_of_values_are_words_without_hyphens() {
        for card in cards().unwrap() {
            for value in card.grids.iter().flat_map(|grid| &grid.axes).flat_map(|axis| &axis.values) {
                assert!(value.id.chars().all(|c| c.is_ascii_alphanumeric()), "{}", value.id);
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
                let used = if fitted.path.is_empty() {
                    card.claims.iter().any(|claim| {
                        matches!(&claim.kind, ClaimKind::Curve { unit: Some(unit), .. } if *unit == fitted.name)
                    })
                } else {
                    card.cases.iter().any(|case| card.fitted_in(case).contains(&fitted.name))
                };
                assert!(used, "{} is not used", fitted.name);
            }
        }
    }

    /// Between two cases of one system only what the article changed may differ.
    #[test]
    fn cases_that_a_ratio_compares_differ_only_in_machine_and_storage() {
        for card in cards().unwrap() {
            for claim in &card.claims {
                let pairs = match &claim.kind {
                    ClaimKind::Ratio { above, below, .. } => vec![(above.as_str(), below.as_str())],
                    ClaimKind::Orders { pairs }
                    | ClaimKind::Range { pairs, .. }
                    | ClaimKind::Mean { pairs, .. }
                    | ClaimKind::Share { pairs, .. }
                    | ClaimKind::Bound { pairs, .. } => card.paired(pairs),
                    _ => continue,
                };
                let scenario = |id: &str| {
                    let case = card.cases.iter().find(|c| c.id == id).unwrap();
                    card.scenario(case).unwrap()
                };
                for (above, below) in pairs {
                    let (mut a, b) = (scenario(above), scenario(below));
                    a.machine = b.machine.clone();
                    a.storage = b.storage.clone();
                    a.title = b.title.clone();
                    if claim.between_systems {
                        a.engine = b.engine.clone();
                        a.cluster = b.cluster.clone();
                        a.workload.plans = b.workload.plans.clone();
                    }
                    for name in &claim.varied {
                        let value = b.engine.parameters.get(name).expect("a parameter that is set");
                        a.engine.parameters.set(name, value.clone());
                    }
                    assert_eq!(a, b, "{}", claim.id);
                }
            }
        }
    }
}
