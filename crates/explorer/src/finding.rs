//! What the page has found out: the figures behind the answer, from the estimate or from the simulation.

use crate::{catalogue::Side, store::Store};

/// Where figures come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The closed form; a simulation has said nothing yet.
    Estimate,
    /// A simulation that goes on.
    Running,
    /// Simulations that are over.
    Simulated,
}

/// The figures behind the answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finding {
    /// Where they come from.
    pub basis: Basis,
    /// Transactions a second on each side that is shown.
    pub throughput: [Option<f64>; 2],
    /// The second side's throughput over the first one's, where both are shown.
    pub ratio: Option<f64>,
}

/// How far an estimate may lie from the simulation, as a share: what it promises for 95 of 100 scenarios.
pub const ESTIMATE_BAND: f64 = 0.25;

/// How far the estimate of a side lies from its simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disagreement {
    /// The side.
    pub side: Side,
    /// Estimated transactions a second.
    pub estimated: f64,
    /// Simulated transactions a second.
    pub simulated: f64,
}

impl Finding {
    /// What the page knows about the present scenarios; of scenarios that cannot be answered, nothing.
    pub fn of(store: &Store) -> Option<Self> {
        let is_simulated = store.shown().all(|side| !store.is_stale(side));
        if is_simulated {
            let done =
                store.shown().all(|side| store.outcomes[side.index()].as_ref().is_some_and(|o| o.done));
            let throughput =
                each(store, |side| Some(store.outcomes[side.index()].as_ref()?.report.throughput_tps));
            let ratio = if store.compare { store.ratio().map(|(ratio, _)| ratio) } else { None };
            let basis = if done { Basis::Simulated } else { Basis::Running };
            return Some(Self { basis, throughput, ratio });
        }
        let throughput = each(store, |side| Some(store.estimate_of(side)?.throughput_tps));
        if !store.shown().all(|side| throughput[side.index()].is_some_and(|tps| tps > 0.0)) {
            return None;
        }
        let ratio = throughput[0].zip(throughput[1]).map(|(below, above)| above / below);
        Some(Self { basis: Basis::Estimate, throughput, ratio: ratio.filter(|_| store.compare) })
    }
}

fn each(store: &Store, of: impl Fn(Side) -> Option<f64>) -> [Option<f64>; 2] {
    Side::BOTH.map(|side| store.shown().any(|shown| shown == side).then(|| of(side)).flatten())
}

/// The sides whose estimate and simulation differ by more than both may be off together.
pub fn disagreements(store: &Store) -> Vec<Disagreement> {
    let of = |side: Side| {
        let outcome = store.outcomes[side.index()].as_ref().filter(|o| o.done && !store.is_stale(side))?;
        let estimated = store.estimate_of(side)?.throughput_tps;
        let simulated = outcome.report.throughput_tps;
        let band = ESTIMATE_BAND + outcome.report.throughput_ci95;
        let off = (estimated / simulated - 1.0).abs();
        (estimated > 0.0 && simulated > 0.0 && off > band).then_some(Disagreement {
            side,
            estimated,
            simulated,
        })
    };
    store.shown().filter_map(of).collect()
}
