//! Cards, pairs of cases, links and earlier visits: what is opened.

use super::{Store, nothing};
use crate::{
    catalogue::{Side, pairs},
    session::Opening,
};
use spindle_experiments::{CaseReport, compare};
use spindle_report::Report;
use std::rc::Rc;

impl Store {
    pub(super) fn open_card(&mut self, at: usize) {
        self.show_card(at);
        self.outcomes = [None, None];
        self.open_pair(0);
    }

    /// Shows another card without opening any of its pairs.
    pub(super) fn show_card(&mut self, at: usize) {
        let Some(card) = self.cards.get(at) else { return };
        self.pairs = Rc::new(pairs(card));
        self.card = at;
        self.reports.clear();
        self.replay = None;
        self.compare_cases();
    }

    /// Compares what is known of the card's cases with what was published.
    pub(super) fn compare_cases(&mut self) {
        self.experiment = self.card().map(|card| {
            let known = card.cases.iter().filter_map(|case| {
                let report = self.reports.get(&case.id)?;
                let (id, title) = (case.id.clone(), case.title.clone());
                Some(CaseReport { id, title, report: (**report).clone() })
            });
            Rc::new(compare(card, known.collect()))
        });
    }

    /// A case of the card is known.
    pub(super) fn know_case(&mut self, id: String, report: Rc<Report>) {
        self.reports.insert(id, report);
        self.compare_cases();
    }

    pub(super) fn open_pair(&mut self, at: usize) {
        let (Some(card), Some(pair)) = (self.cards.get(self.card), self.pairs.get(at)) else { return };
        let [Ok(base), Ok(other)] = [0, 1].map(|i: usize| card.scenario(&pair.cases[i])) else { return };
        self.pair = Some(at);
        self.scenarios = [Rc::new(base), Rc::new(other)];
        self.originals = self.scenarios.clone();
        (self.compare, self.linked) = (pair.compares(), true);
        if !self.compare {
            self.side = Side::Other;
        }
        self.drafts.clear();
    }

    /// Opens what a link or an earlier visit says. Where it belongs to a card, the card says what was published and what
    /// the scenarios were.
    pub(super) fn open(&mut self, opening: &Opening) {
        if !opening.scenarios.is_empty() {
            let state = &opening.state;
            let card = self.cards.iter().position(|card| state.card.as_deref() == Some(card.id.as_str()));
            if let Some(card) = card.filter(|card| *card != self.card) {
                self.show_card(card);
            }
            let pair = card.and_then(|_| {
                self.pairs.iter().position(|pair| state.claim.as_deref() == Some(pair.claim.as_str()))
            });
            match pair {
                Some(pair) => self.open_pair(pair),
                None => self.pair = None,
            }
            let second = opening.scenarios.last().cloned().unwrap_or_else(nothing);
            let first = opening.scenarios.first().cloned().unwrap_or_else(nothing);
            self.scenarios = [Rc::new(first), Rc::new(second)];
            if pair.is_none() {
                self.originals = self.scenarios.clone();
            }
            self.compare = state.compare && opening.scenarios.len() > 1;
            (self.side, self.linked) = (if self.compare { state.side } else { Side::Other }, state.linked);
            self.view = state.view.clone();
            self.outcomes = [None, None];
            self.drafts.clear();
        }
        self.notice = opening.notice();
    }
}
