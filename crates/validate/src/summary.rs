//! Errors by engine, kind and quantity.

use crate::{answer::number, run::CellOutcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Errors of one quantity of one kind of cells of one engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The engine.
    pub engine: String,
    /// The kind of cells.
    pub kind: String,
    /// The quantity.
    pub quantity: String,
    /// How many figures there are.
    pub cells: usize,
    /// Half of the errors are not larger.
    #[serde(deserialize_with = "number")]
    pub median: f64,
    /// Nine in ten are not larger.
    #[serde(deserialize_with = "number")]
    pub p90: f64,
    /// The largest.
    #[serde(deserialize_with = "number")]
    pub worst: f64,
}

/// The error that `share` of the sorted `errors` do not pass; 0 where there are none.
pub fn percentile(errors: &[f64], share: f64) -> f64 {
    let at = (errors.len().saturating_sub(1) as f64 * share).round() as usize;
    errors.get(at).copied().unwrap_or(0.0)
}

/// Summarises the quantities that are, or are not, to be believed.
pub fn summarise(cells: &[CellOutcome], trusted: bool) -> Vec<Summary> {
    let mut errors: BTreeMap<(String, String, String), Vec<f64>> = BTreeMap::new();
    for cell in cells {
        for quantity in cell.quantities.iter().filter(|q| q.trusted == trusted) {
            let key = (cell.engine.clone(), cell.kind.clone(), quantity.kind().to_owned());
            errors.entry(key).or_default().push(quantity.counted_error());
        }
    }
    errors
        .into_iter()
        .map(|((engine, kind, quantity), mut errors)| {
            errors.sort_by(f64::total_cmp);
            let at = |share: f64| percentile(&errors, share);
            let (median, p90, worst) = (at(0.5), at(0.9), at(1.0));
            Summary { engine, kind, quantity, cells: errors.len(), median, p90, worst }
        })
        .collect()
}
