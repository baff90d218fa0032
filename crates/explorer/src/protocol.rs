//! What page and worker say to each other, as JSON.

use serde::{Deserialize, Serialize};
use spindle_report::Report;
use spindle_scenario::{Problem, Scenario};
use spindle_simulate::bench::Figures;

/// In what order the scenarios of a job advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// Side by side, the one that is behind in virtual time first.
    Together,
    /// One after the other.
    InTurn,
}

/// From the page to the worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ToWorker {
    /// Simulate these.
    Run {
        /// The job's number.
        id: u32,
        /// The scenarios.
        scenarios: Vec<Scenario>,
        /// In what order.
        order: Order,
    },
    /// Forget a job.
    Stop {
        /// The job's number.
        id: u32,
    },
    /// Measure the simulator's speed.
    Bench,
}

/// From the worker to the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum FromWorker {
    /// The worker listens.
    Ready,
    /// A run has got somewhere. Its report covers what was measured so far; the last one is the answer.
    Progress {
        /// The job's number.
        id: u32,
        /// Which of its scenarios.
        index: usize,
        /// How far along, 0 to 1.
        fraction: f64,
        /// Virtual time so far, in seconds.
        virtual_s: f64,
        /// Whether the run is over.
        done: bool,
        /// The report so far.
        report: Box<Report>,
    },
    /// A scenario cannot be run.
    Refused {
        /// The job's number.
        id: u32,
        /// Which of its scenarios.
        index: usize,
        /// Why.
        problems: Vec<Problem>,
    },
    /// Every scenario of a job is over.
    Finished {
        /// The job's number.
        id: u32,
    },
    /// The simulator's speed.
    Bench(Figures),
}
