//! What undo brings back, and when it is noted.

use super::Store;
use crate::{catalogue::Side, undo::History};
use spindle_scenario::Scenario;
use std::rc::Rc;

/// What undo brings back.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Setup {
    scenarios: [Rc<Scenario>; 2],
    compare: bool,
    side: Side,
    linked: bool,
    experiment: Option<(usize, usize)>,
    originals: [Rc<Scenario>; 2],
}

impl Setup {
    /// Whether both are the same without looking into the scenarios.
    pub(super) fn is(&self, other: &Self) -> bool {
        let same = |a: &[Rc<Scenario>; 2], b: &[Rc<Scenario>; 2]| (0..2).all(|at| Rc::ptr_eq(&a[at], &b[at]));
        same(&self.scenarios, &other.scenarios)
            && same(&self.originals, &other.originals)
            && self.compare == other.compare
            && self.linked == other.linked
            && self.experiment == other.experiment
    }
}

impl Store {
    pub(super) fn setup(&self) -> Setup {
        Setup {
            scenarios: self.scenarios.clone(),
            compare: self.compare,
            side: self.side,
            linked: self.linked,
            experiment: self.pair.map(|pair| (self.card, pair)),
            originals: self.originals.clone(),
        }
    }

    pub(super) fn restore(&mut self, setup: Setup) {
        if let Some((card, pair)) = setup.experiment {
            if card != self.card {
                self.show_card(card);
            }
            self.pair = Some(pair);
        } else {
            self.pair = None;
        }
        (self.scenarios, self.originals) = (setup.scenarios, setup.originals);
        (self.compare, self.side, self.linked) = (setup.compare, setup.side, setup.linked);
        self.drafts.clear();
    }

    pub(super) fn step(&mut self, way: fn(&mut History<Setup>, Setup) -> Option<Setup>) {
        let present = self.setup();
        if let Some(setup) = way(Rc::make_mut(&mut self.history), present) {
            self.restore(setup);
        }
    }

    /// Notes the way back from what `action` has changed.
    pub(super) fn remember(&mut self, before: Setup, place: Option<String>) {
        let goes_on = place.as_deref().is_some_and(|place| self.history.continues(place));
        if !goes_on && !before.is(&self.setup()) {
            Rc::make_mut(&mut self.history).record(before, place.as_deref());
        }
    }
}
