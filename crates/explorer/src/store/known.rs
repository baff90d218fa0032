//! What is known so far of the runs on the page and of the card's cases.

use super::{Outcome, Store};
use crate::catalogue::Side;
use spindle_experiments::Experiment;
use spindle_scenario::{Scenario, Stop};
use std::rc::Rc;

impl Store {
    /// Ratio of throughputs, the second side over the first, over the virtual time that both have passed; and
    /// whether both runs are over.
    pub fn ratio(&self) -> Option<(f64, bool)> {
        let [Some(base), Some(other)] = &self.outcomes else { return None };
        let tps = |outcome: &Outcome, seconds: usize| {
            let series = &outcome.report.series.throughput_tps;
            let part = &series[..seconds.min(series.len())];
            part.iter().sum::<f64>() / part.len().max(1) as f64
        };
        let done = base.done && other.done;
        let (below, above) = if done {
            (base.report.throughput_tps, other.report.throughput_tps)
        } else {
            let seconds =
                base.report.series.throughput_tps.len().min(other.report.series.throughput_tps.len());
            (tps(base, seconds), tps(other, seconds))
        };
        (below > 0.0).then_some((above / below, done))
    }

    /// Progress of the page's own job, 0 to 1.
    pub fn fraction(&self) -> f64 {
        let part = |(side, _): &(Side, Rc<Scenario>)| match &self.outcomes[side.index()] {
            Some(outcome) if outcome.job == self.pair_job => {
                if outcome.done {
                    1.0
                } else {
                    outcome.fraction
                }
            }
            _ => 0.0,
        };
        self.running.iter().map(part).sum::<f64>() / self.running.len().max(1) as f64
    }

    /// Everything that was published beside what is known so far.
    pub fn experiment(&self) -> Option<Rc<Experiment>> {
        self.experiment.clone()
    }

    /// How many cases of the card are known.
    pub fn cases_known(&self) -> usize {
        self.reports.len()
    }

    /// The cases of a replay in the order of their length: those that stop by confidence are short.
    pub fn replay_order(&self) -> Vec<(usize, Scenario)> {
        let Some(card) = self.card() else { return Vec::new() };
        let mut cases: Vec<(usize, Scenario)> = card
            .cases
            .iter()
            .enumerate()
            .filter(|(_, case)| !self.reports.contains_key(&case.id))
            .filter_map(|(at, case)| Some((at, card.scenario(case).ok()?)))
            .collect();
        cases.sort_by_key(|(_, scenario)| scenario.run.stop == Stop::Duration);
        cases
    }
}
