//! What is wrong with the scenarios, and where on the page it is said.

use super::Store;
use crate::{
    catalogue::Side,
    knob_catalogue::{knob_at, path_of_problem},
    problem_words::sentence,
};
use spindle_scenario::Problem;
use std::collections::BTreeMap;

impl Store {
    /// What is wrong with a side's scenario.
    pub fn problems_of(&self, side: Side) -> &[Problem] {
        &self.problems[side.index()]
    }

    /// Whether the scenarios can be run.
    pub fn is_sound(&self) -> bool {
        self.drafts.is_empty() && self.shown().all(|side| self.problems_of(side).is_empty())
    }

    /// Messages by the path of the knob beside which they stand.
    pub fn messages(&self) -> BTreeMap<String, String> {
        let drafts = self.drafts.iter().map(|(path, draft)| (path.clone(), draft.message.clone()));
        let mut beside: BTreeMap<String, String> = drafts.collect();
        for problem in self.problems_of(self.side) {
            let path = path_of_problem(self.scenario(), &problem.path, &problem.found);
            if knob_at(self.scenario(), path).is_some() {
                beside.entry(path.to_owned()).or_insert_with(|| sentence(problem));
            }
        }
        beside
    }

    /// Problems that have no knob to stand beside, and those of the other side; nothing twice.
    pub fn other_problems(&self) -> Vec<(Side, Problem)> {
        let mut others: Vec<(Side, Problem)> = Vec::new();
        for side in self.shown() {
            for problem in self.problems_of(side) {
                let path = path_of_problem(&self.scenarios[side.index()], &problem.path, &problem.found);
                let beside = side == self.side && knob_at(self.scenario(), path).is_some();
                let known = others.iter().any(|(_, known)| known == problem)
                    || side != self.side && self.problems_of(self.side).contains(problem);
                if !beside && !known {
                    others.push((side, problem.clone()));
                }
            }
        }
        others
    }
}
