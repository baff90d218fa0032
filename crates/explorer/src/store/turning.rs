//! What knobs, tables and the tools for two sides do to the scenarios.

use super::{Draft, Store};
use crate::{catalogue::Side, edit, knob_catalogue::Group, problem_words::sentence, view_state::ViewAction};
use spindle_scenario::{Scenario, Table};
use std::rc::Rc;
use toml::Value;

impl Store {
    /// The sides that a knob turns, the one whose knobs are shown first.
    pub(super) fn reach(&self, path: &str) -> Vec<Side> {
        let shared = self.linked && !Group::of_path(path).is_some_and(Group::is_of_one_machine);
        let other = self.shown().filter(|side| shared && *side != self.side);
        std::iter::once(self.side).chain(other).collect()
    }

    pub(super) fn turn(&mut self, path: &str, value: &Value) {
        let sides = self.reach(path);
        match edit::turned(self.scenario(), path, value.clone()) {
            Ok(next) => {
                self.drafts.remove(path);
                let lead = Rc::new(next);
                for side in &sides[1..] {
                    if let Ok(next) = edit::follow(&self.scenarios[side.index()], &lead, path, value.clone())
                    {
                        self.replace(*side, next);
                    }
                }
                self.replace(self.side, (*lead).clone());
            }
            Err(problem) => {
                let draft = Draft { text: problem.found.clone(), message: sentence(&problem) };
                self.drafts.insert(path.to_owned(), draft);
            }
        }
    }

    pub(super) fn reset_knob(&mut self, path: &str) {
        self.drafts.remove(path);
        for side in self.reach(path) {
            let at = side.index();
            if let Ok(next) = edit::reset(&self.scenarios[at], &self.originals[at], path) {
                self.replace(side, next);
            }
        }
    }

    pub(super) fn set_tables(&mut self, tables: &[Table]) {
        self.drafts.retain(|path, _| !path.starts_with("table["));
        for side in self.reach("table") {
            let next = Scenario { tables: tables.to_vec(), ..(*self.scenarios[side.index()]).clone() };
            self.replace(side, next);
        }
    }

    /// Puts a scenario in its place, unless it is the one that is there.
    pub(super) fn replace(&mut self, side: Side, next: Scenario) {
        let place = &mut self.scenarios[side.index()];
        if **place != next {
            *place = Rc::new(next);
        }
    }

    /// Changes the scenarios of both sides alike, as a suggested question does.
    pub fn change_shown(&mut self, change: impl Fn(&Scenario) -> Scenario) {
        for side in self.shown() {
            let next = change(&self.scenarios[side.index()]);
            self.replace(side, next);
        }
    }

    /// Changes what is looked at.
    pub fn look(&mut self, action: ViewAction) {
        self.view = std::mem::take(&mut self.view).reduce(action);
    }

    pub(super) fn pin(&mut self) {
        let shown = self.side.index();
        self.compare = true;
        self.linked = false;
        self.side = Side::Other;
        self.scenarios = [0, 1].map(|_: usize| Rc::clone(&self.scenarios[shown]));
        self.originals = [0, 1].map(|_: usize| Rc::clone(&self.originals[shown]));
        let outcome = self.outcomes[shown].clone();
        self.outcomes = [outcome.clone(), outcome];
        self.pair = None;
    }

    pub(super) fn swap(&mut self) {
        self.scenarios.swap(0, 1);
        self.originals.swap(0, 1);
        self.outcomes.swap(0, 1);
        // What was published compares them the other way round.
        self.pair = None;
    }

    pub(super) fn unpin(&mut self) {
        self.compare = false;
        self.side = Side::Other;
        self.pair = None;
    }
}
