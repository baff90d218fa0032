//! What page, pool and workers say to each other. Pool and worker speak JSON, with long series beside it as plain numbers.

use crate::view_state::SimulatedPoint;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use spindle_report::{Report, Series};
use spindle_scenario::{Problem, Scenario, understand};

/// What a job's answers are for; the most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Purpose {
    /// To be shown side by side as they come.
    Shown,
    /// Cases of a card, one after the other.
    Replay,
    /// Points of a sweep, of which only the outcome matters.
    Sweep,
}

/// Scenarios to be simulated.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// What for.
    pub purpose: Purpose,
    /// The scenarios.
    pub scenarios: Vec<Scenario>,
}

/// One scenario of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The job's number.
    pub job: u32,
    /// Which of its scenarios.
    pub index: usize,
    /// What for.
    pub purpose: Purpose,
    /// The scenario.
    pub scenario: Scenario,
}

/// From the pool to a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum ToWorker {
    /// Simulate this as well.
    Run(Box<Task>),
    /// Forget a job, and say so.
    Stop {
        /// The job's number.
        job: u32,
    },
}

/// From a worker to the pool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// The worker listens.
    Ready,
    /// The worker goes on with another of its tasks.
    Busy {
        /// The job's number.
        job: u32,
        /// Which of its scenarios.
        index: usize,
    },
    /// A run that is shown has got somewhere. The seconds that it has passed since the last time come beside it.
    Progress {
        /// The job's number.
        job: u32,
        /// Which of its scenarios.
        index: usize,
        /// How far along, 0 to 1.
        fraction: f64,
        /// Virtual time so far, in seconds.
        virtual_s: f64,
        /// Whether the run is over.
        done: bool,
        /// The report so far, without its series.
        report: Box<Report>,
        /// The second with which the series beside it begins.
        from: usize,
    },
    /// A point of a sweep is over.
    Point {
        /// The job's number.
        job: u32,
        /// Which of its scenarios.
        index: usize,
        /// What came out.
        point: SimulatedPoint,
    },
    /// A scenario cannot be run.
    Refused {
        /// The job's number.
        job: u32,
        /// Which of its scenarios.
        index: usize,
        /// Why.
        problems: Vec<Problem>,
    },
    /// A job is forgotten.
    Stopped {
        /// The job's number.
        job: u32,
    },
    /// The program has found itself in a state that it thinks impossible; the worker is about to die of it.
    Panicked {
        /// What it found.
        message: String,
    },
}

/// Why a worker died.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Death {
    /// It could not be started: its files did not arrive, or the browser would not have it.
    NotStarted,
    /// There was no more memory for it.
    Memory,
    /// A fault of the program, in its words.
    Fault(String),
}

impl Death {
    /// The cause of a death, from what a browser says of it: whether the worker had listened before, the fault that the
    /// program found itself, and the browser's words.
    pub fn of(listened: bool, panic: Option<&str>, words: &str) -> Self {
        let lower = words.to_ascii_lowercase();
        match panic {
            Some(message) => Self::Fault(message.to_owned()),
            // Memory that cannot grow ends a program without another word: with the instruction that is never reached.
            None if lower.contains("unreachable") || lower.contains("out of memory") => Self::Memory,
            None if listened => Self::Fault(words.to_owned()),
            None => Self::NotStarted,
        }
    }
}

/// From the pool to the page.
#[derive(Debug, Clone, PartialEq)]
pub enum FromWorker {
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
    /// Some points of a sweep are over.
    Points {
        /// The job's number.
        id: u32,
        /// Which of its scenarios, and what came out.
        points: Vec<(usize, SimulatedPoint)>,
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
    /// The worker that was busy with a scenario died. Everything else goes on.
    Died {
        /// The job's number.
        id: u32,
        /// Which of its scenarios.
        index: usize,
        /// Why.
        death: Death,
    },
    /// Every scenario of a job is over.
    Finished {
        /// The job's number.
        id: u32,
    },
}

/// A message as it was sent. It is read by the road that scenarios take out of links and cards.
pub fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    understand(&serde_json::from_str(text).ok()?).ok()
}

/// Columns of a series.
const COLUMNS: usize = 4;

/// The numbers of a series, column by column; whole numbers up to 2^53 keep every digit.
pub fn numbers(series: &Series) -> Vec<f64> {
    let whole = |column: &[u64]| -> Vec<f64> { column.iter().map(|number| *number as f64).collect() };
    let columns = [
        series.throughput_tps.clone(),
        series.latency_ms.clone(),
        whole(&series.dirty_pages),
        whole(&series.checkpoint_age_bytes),
    ];
    columns.concat()
}

/// Puts the seconds in `numbers` behind the first `from` seconds of a series, whatever stood there.
pub fn extend(series: &mut Series, from: usize, numbers: &[f64]) {
    let rows = numbers.len() / COLUMNS;
    let column = |at: usize| &numbers[at * rows..(at + 1) * rows];
    let whole = |at: usize| column(at).iter().map(|number| *number as u64);
    series.throughput_tps.truncate(from);
    series.throughput_tps.extend_from_slice(column(0));
    series.latency_ms.truncate(from);
    series.latency_ms.extend_from_slice(column(1));
    series.dirty_pages.truncate(from);
    series.dirty_pages.extend(whole(2));
    series.checkpoint_age_bytes.truncate(from);
    series.checkpoint_age_bytes.extend(whole(3));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_comes_together_from_its_parts() {
        let part = |counts: &[u64]| Series {
            interval_s: 1.0,
            throughput_tps: counts.iter().map(|n| *n as f64 / 3.0).collect(),
            latency_ms: counts.iter().map(|n| *n as f64 / 7.0).collect(),
            dirty_pages: counts.to_vec(),
            checkpoint_age_bytes: counts.iter().map(|n| n << 40).collect(),
        };
        let mut whole = Series { interval_s: 1.0, ..Series::default() };
        extend(&mut whole, 0, &numbers(&part(&[1, 2, 3])));
        extend(&mut whole, 3, &numbers(&part(&[])));
        extend(&mut whole, 3, &numbers(&part(&[4, 5])));
        assert_eq!(whole, part(&[1, 2, 3, 4, 5]));
        extend(&mut whole, 0, &numbers(&part(&[9])));
        assert_eq!(whole, part(&[9]), "a run that began again");
    }

    #[test]
    fn a_death_has_its_cause() {
        let of = |listened, panic, words| Death::of(listened, panic, words);
        assert_eq!(of(true, None, "Uncaught RuntimeError: unreachable"), Death::Memory);
        assert_eq!(of(true, None, "RuntimeError: Unreachable code should not be executed"), Death::Memory);
        assert_eq!(of(false, None, "RangeError: WebAssembly.instantiate(): Out of memory"), Death::Memory);
        assert_eq!(of(true, Some("at pool.rs:3"), "unreachable"), Death::Fault("at pool.rs:3".into()));
        assert_eq!(of(false, None, ""), Death::NotStarted);
        let words = "RangeError: Maximum call stack size exceeded";
        assert_eq!(of(true, None, words), Death::Fault(words.into()));
    }
}
