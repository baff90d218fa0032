//! What there is to choose from: the systems, tests and machines of a replay card, read from the card itself.

use crate::language::text;
use serde::{Deserialize, Serialize};
use spindle_device::Model;
use spindle_experiments::{Card, Case, Claim, ClaimKind};
use spindle_scenario::Scenario;

/// One of the two machines that an experiment compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// The one below the line of a ratio: disks.
    #[serde(rename = "a")]
    Base,
    /// The one above the line: solid-state drives.
    #[serde(rename = "b")]
    Other,
}

impl Side {
    /// Both, the base first.
    pub const BOTH: [Self; 2] = [Self::Base, Self::Other];

    /// Its place in a pair.
    pub fn index(self) -> usize {
        self as usize
    }

    /// The letter that names it.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Base => "A",
            Self::Other => "B",
        }
    }

    /// The class under which its colour is found in the style sheet.
    pub fn class(self) -> &'static str {
        match self {
            Self::Base => "disks",
            Self::Other => "ssds",
        }
    }
}

/// Two cases that differ only in machine and storage, and what was published about them.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The system, as the card's titles name it.
    pub system: String,
    /// The test.
    pub test: String,
    /// The cases, base first.
    pub cases: [Case; 2],
    /// Names of the two machines.
    pub machines: [String; 2],
    /// The published ratio.
    pub published: f64,
    /// The claim's name.
    pub claim: String,
}

/// The pairs of a card: one for each ratio that was published.
pub fn pairs(card: &Card) -> Vec<Pair> {
    card.claims.iter().filter_map(|claim| pair(card, claim)).collect()
}

fn pair(card: &Card, claim: &Claim) -> Option<Pair> {
    let ClaimKind::Ratio { above, below, published } = &claim.kind else { return None };
    let case = |id: &str| card.cases.iter().find(|case| case.id == id).cloned();
    let cases = [case(below)?, case(above)?];
    // A case is called "test, system, machine".
    let words = |case: &Case| -> Vec<String> { case.title.split(", ").map(str::to_owned).collect() };
    let (base, other) = (words(&cases[0]), words(&cases[1]));
    let word = |words: &[String], at: usize| words.get(at).cloned().unwrap_or_default();
    Some(Pair {
        test: word(&base, 0),
        system: word(&base, 1),
        machines: [word(&base, 2), word(&other, 2)],
        cases,
        published: *published,
        claim: claim.id.clone(),
    })
}

/// The different values of one choice, in the card's order.
pub fn distinct(pairs: &[Pair], of: impl Fn(&Pair) -> &str) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for pair in pairs {
        if !values.iter().any(|value| value == of(pair)) {
            values.push(of(pair).to_owned());
        }
    }
    values
}

/// What the devices of a scenario are called in a sentence.
pub fn device_word(scenario: &Scenario) -> String {
    text(match scenario.storage.device.model() {
        Ok(Model::Hdd(_)) => "machine-disks",
        Ok(Model::Ssd(_) | Model::Nvme(_)) => "machine-ssds",
        Ok(Model::Fixed(_)) => "machine-constant",
        Err(_) => "machine-unknown",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_card_has_six_pairs_of_two_systems_and_three_tests() {
        let card = spindle_experiments::card("cubrid-2010").unwrap();
        let pairs = pairs(&card);
        assert_eq!(pairs.len(), 6);
        assert_eq!(distinct(&pairs, |p| &p.system), ["CUBRID", "MySQL"]);
        assert_eq!(
            distinct(&pairs, |p| &p.test),
            ["INSERT FULL", "SELECT in memory", "SELECT beyond memory"]
        );
        assert_eq!(pairs[0].machines, ["disks", "SSDs"]);
        let scenario = card.scenario(&pairs[0].cases[1]).unwrap();
        assert_eq!(device_word(&scenario), "SSDs");
    }
}
