//! What there is to choose from: the systems, tests and machines of a replay card, read from the card itself.

use crate::{
    card_grid::{CardGrid, GridCase},
    language::{data_words, text},
};
use serde::{Deserialize, Serialize};
use spindle_device::Model;
use spindle_experiments::{Card, Case, Claim, ClaimKind, Grid, GridAxis};
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
}

/// Something that tells one pair of a card from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    /// What is chosen: `system` and `test`, or in the card's own words.
    pub what: String,
    /// Which one, in the card's own words.
    pub value: String,
}

impl Chosen {
    fn new(what: &str, value: &str) -> Self {
        Self { what: what.to_owned(), value: value.to_owned() }
    }

    /// What is chosen, in the reader's language.
    pub fn legend(&self) -> String {
        match self.what.as_str() {
            "system" => text("choice-system"),
            "test" => text("choice-test"),
            own => data_words(own),
        }
    }
}

/// Two cases that differ only in machine and storage, and what was published about them. A case that stands alone is
/// both of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// What was chosen to come to it.
    pub choices: Vec<Chosen>,
    /// The cases, base first.
    pub cases: [Case; 2],
    /// What the card calls the machines, in its own words; without it they are called by their devices.
    pub machines: Option<[String; 2]>,
    /// The published ratio of their throughputs.
    pub published: Option<f64>,
    /// What a link calls it: the claim, or the case above the line.
    pub claim: String,
}

impl Pair {
    /// What was chosen, in the reader's language.
    pub fn words(&self) -> String {
        self.choices.iter().map(|chosen| data_words(&chosen.value)).collect::<Vec<_>>().join(", ")
    }

    /// Whether there are two sides to compare.
    pub fn compares(&self) -> bool {
        self.cases[0].id != self.cases[1].id
    }

    /// How many other choices it shares with `other`, where `at` is to have another value.
    fn shares(&self, other: &Self, at: usize) -> usize {
        let others = self.choices.iter().enumerate().filter(|(place, _)| *place != at);
        others.filter(|(_, chosen)| other.choices.contains(chosen)).count()
    }
}

/// The pairs of a card: one for each ratio that was published, then those of its grids; a card without either has its
/// first case.
pub fn pairs(card: &Card) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = card.claims.iter().filter_map(|claim| pair(card, claim)).collect();
    pairs.extend(card.grids.iter().flat_map(|grid| pairs_of_grid(card, grid)));
    if pairs.is_empty() {
        pairs.extend(card.cases.first().map(|case| Pair {
            choices: Vec::new(),
            cases: [case.clone(), case.clone()],
            machines: None,
            published: None,
            claim: case.id.clone(),
        }));
    }
    pairs
}

fn pair(card: &Card, claim: &Claim) -> Option<Pair> {
    let ClaimKind::Ratio { above, below, published } = &claim.kind else { return None };
    let case = |id: &str| card.cases.iter().find(|case| case.id == id).cloned();
    let cases = [case(below)?, case(above)?];
    // A case is called "test, system, machine".
    let words: Vec<&str> = cases[0].title.split(", ").collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    Some(Pair {
        choices: vec![Chosen::new("system", word(1)), Chosen::new("test", word(0))],
        cases: cases.clone(),
        machines: None,
        published: Some(*published),
        claim: claim.id.clone(),
    })
}

/// Every two cases of a grid that differ in nothing but what the grid compares.
fn pairs_of_grid(card: &Card, grid: &Grid) -> Vec<Pair> {
    let seen = CardGrid::of(card, grid);
    let throughput = seen.measures(card).into_iter().find(|measure| measure.is_rate());
    let case = |id: &str| card.cases.iter().find(|case| case.id == id).cloned();
    let pair = |place: &GridCase| {
        let other = seen.opposite(place)?;
        let published = |case: &GridCase| throughput.as_ref()?.published.get(&case.id).copied();
        let machine = |case: &GridCase| {
            let axis = seen.compared_axis()?;
            Some(grid.axes[axis].values[case.values[axis]].title.clone())
        };
        let machines = machine(place).zip(machine(other)).filter(|_| place.id != other.id);
        let chosen = |(axis, value): (&GridAxis, &usize)| Chosen::new(&axis.name, &axis.values[*value].title);
        let axes = grid.axes.iter().zip(&place.values).enumerate();
        let own = axes.filter(|(axis, _)| Some(*axis) != seen.compared_axis()).map(|(_, pair)| chosen(pair));
        Some(Pair {
            choices: std::iter::once(Chosen::new("test", &grid.title)).chain(own).collect(),
            cases: [case(&place.id)?, case(&other.id)?],
            machines: machines.map(|(below, above)| [below, above]),
            published: published(other)
                .zip(published(place))
                .filter(|_| place.id != other.id)
                .map(|(above, below)| above / below),
            claim: other.id.clone(),
        })
    };
    seen.cases.iter().filter_map(pair).collect()
}

/// The values that a choice of `present` can have: of the first one all there are, of the others those that go with it.
pub fn values(pairs: &[Pair], present: &Pair, at: usize) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    for pair in pairs.iter().filter(|pair| at == 0 || pair.choices.first() == present.choices.first()) {
        if let (Some(chosen), Some(own)) = (pair.choices.get(at), present.choices.get(at))
            && chosen.what == own.what
            && !values.contains(&chosen.value)
        {
            values.push(chosen.value.clone());
        }
    }
    values
}

/// Which pair has another value of a choice, and otherwise the most in common with `present`.
pub fn chosen(pairs: &[Pair], present: &Pair, at: usize, value: &str) -> Option<usize> {
    let what = &present.choices.get(at)?.what;
    let fits = |pair: &Pair| pair.choices.get(at).is_some_and(|own| own.what == *what && own.value == value);
    let fitting = pairs.iter().enumerate().filter(|(_, pair)| fits(pair));
    // Of several alike the first one.
    fitting.rev().max_by_key(|(_, pair)| present.shares(pair, at)).map(|(place, _)| place)
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
    use crate::card_grid::tests::card_of_grid;

    #[test]
    fn the_first_card_has_six_pairs_of_two_systems_and_three_tests() {
        let card = spindle_experiments::card("cubrid-2010").unwrap();
        let pairs = pairs(&card);
        assert_eq!(pairs.len(), 6);
        assert_eq!(values(&pairs, &pairs[0], 0), ["CUBRID", "MySQL"]);
        assert_eq!(values(&pairs, &pairs[0], 1), ["INSERT FULL", "SELECT in memory", "SELECT beyond memory"]);
        let mysql = chosen(&pairs, &pairs[2], 0, "MySQL").unwrap();
        assert_eq!(pairs[mysql].choices[1], pairs[2].choices[1], "the test stays");
        let scenario = card.scenario(&pairs[0].cases[1]).unwrap();
        assert_eq!(device_word(&scenario), "SSDs");
    }

    #[test]
    fn a_grid_has_a_pair_for_each_combination_of_what_it_does_not_compare() {
        let card = card_of_grid();
        let pairs = pairs(&card);
        let pairs: Vec<&Pair> = pairs.iter().filter(|pair| pair.claim.starts_with("g-")).collect();
        assert_eq!(pairs.len(), 4);
        assert_eq!(pairs[2].cases.clone().map(|case| case.id), ["g-hdd-large-10", "g-ssd-large-10"]);
        assert_eq!(pairs[2].words(), "Lookups, large, 10 clients");
        assert_eq!(pairs[0].published, Some(3.0));
        assert_eq!(pairs[2].published, None);
        assert!(pairs[0].compares());
    }
}
