//! What runs have shown, and where they stand.

use spindle_report::Report;
use spindle_scenario::Scenario;
use std::{collections::BTreeSet, rc::Rc};

/// What one side's run has shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The job it comes from.
    pub job: u32,
    /// The scenario that was run.
    pub scenario: Rc<Scenario>,
    /// Name of the system.
    pub system: String,
    /// How far along, 0 to 1.
    pub fraction: f64,
    /// Virtual time so far, in seconds.
    pub virtual_s: f64,
    /// Whether it is over.
    pub done: bool,
    /// The report so far.
    pub report: Rc<Report>,
}

/// Where the page's own job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Settings are about to be run.
    Waiting,
    /// At work.
    Running,
    /// All runs are over.
    Done,
    /// The reader stopped it.
    Stopped,
    /// The worker died.
    Died,
}

/// All cases of a card, one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// The job's number.
    pub job: u32,
    /// Places of the cases in the card, in the order in which they run.
    pub cases: Vec<usize>,
    /// Which of those that are over.
    over: BTreeSet<usize>,
    /// The first that is not.
    pub at: usize,
    /// How far along that one is.
    pub fraction: f64,
}

impl Replay {
    /// A replay that begins.
    pub(super) fn new(job: u32, cases: Vec<usize>) -> Self {
        Self { job, cases, over: BTreeSet::new(), at: 0, fraction: 0.0 }
    }

    /// A case has got somewhere. Several are at work at once; the first of them stands for all.
    pub(super) fn hear(&mut self, index: usize, fraction: f64, over: bool) {
        if over {
            self.over.insert(index);
        }
        let first = (0..self.cases.len()).find(|case| !self.over.contains(case));
        let first = first.unwrap_or(self.cases.len());
        if self.at != first {
            (self.at, self.fraction) = (first, 0.0);
        }
        if self.at == index {
            self.fraction = fraction;
        }
    }
}
