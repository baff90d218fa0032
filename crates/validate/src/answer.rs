//! The model's answer to a cell.

use crate::cell::Cell;
use serde::{Deserialize, Deserializer, Serialize};
use spindle_report::Report;
use spindle_scenario::Scenario;

/// A quantity of a cell: what the model says and what was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quantity {
    /// Its name, the same for all engines; a part such as an index stands before a dot: `k_1.leaf_pages`.
    pub name: String,
    /// The model's figure.
    #[serde(deserialize_with = "number")]
    pub model: f64,
    /// The measured figure.
    #[serde(deserialize_with = "number")]
    pub truth: f64,
    /// Relative error: model / truth - 1; for a truth of 0, the model's figure itself.
    #[serde(deserialize_with = "number")]
    pub error: f64,
    /// Whether the measurement is to be believed, as far as this quantity goes.
    pub trusted: bool,
}

/// A number; what JSON cannot write stands there as null.
pub(crate) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

impl Quantity {
    /// The name without the part it belongs to.
    pub fn kind(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// The size of the error, where a page or sync in a hundred transactions counts as none.
    pub fn counted_error(&self) -> f64 {
        let few = matches!(self.kind(), "page_reads" | "pages_written" | "log_syncs" | "log_writes")
            && (self.model - self.truth).abs() < FEW;
        if few { 0.0 } else { self.error.abs() }
    }
}

/// An absolute error below this many a transaction counts as none.
pub(crate) const FEW: f64 = 0.01;

/// Rows from which the allocated size of a table is asked for.
const ALLOCATION_FROM_ROWS: u64 = 400_000;

/// The quantities of a cell, as they are collected.
#[derive(Debug, Default)]
pub struct Answer {
    quantities: Vec<Quantity>,
    scenario: Option<Scenario>,
}

impl Answer {
    /// Adds a count: sizes, pages, bytes, syncs. Nothing is added where nothing was measured.
    pub fn count(&mut self, cell: &Cell, name: impl Into<String>, model: f64, truth: Option<f64>) {
        self.add(name.into(), model, truth, cell.counts_are_good());
    }

    /// Adds what a table of `rows` rows takes on disk. Small ones are not asked for: they are mostly allocation ahead.
    pub fn allocation(
        &mut self,
        cell: &Cell,
        rows: u64,
        name: impl Into<String>,
        model: f64,
        truth: Option<f64>,
    ) {
        if rows >= ALLOCATION_FROM_ROWS {
            self.count(cell, name, model, truth);
        }
    }

    /// Adds a time or a rate.
    pub fn time(&mut self, cell: &Cell, name: impl Into<String>, model: f64, truth: Option<f64>) {
        self.add(name.into(), model, truth, cell.times_are_good());
    }

    fn add(&mut self, name: String, model: f64, truth: Option<f64>, trusted: bool) {
        let Some(truth) = truth else { return };
        let error = if truth == 0.0 { model } else { model / truth - 1.0 };
        self.quantities.push(Quantity { name, model, truth, error, trusted });
    }

    /// Adds what a report says of a transaction, beside the truth under the cells' usual names.
    pub fn report(&mut self, cell: &Cell, report: &Report) {
        let each = &report.per_transaction;
        for (name, model) in [
            ("page_requests", each.page_requests),
            ("page_reads", each.page_reads),
            ("pages_written", each.pages_written),
            ("log_bytes", each.log_bytes),
            ("log_syncs", each.log_syncs),
            ("log_writes", each.log_writes),
        ] {
            self.count(cell, name, model, cell.truth(name));
        }
        let latency = &report.latency_ms;
        self.time(cell, "throughput_tps", report.throughput_tps, cell.truth("throughput_tps"));
        let mean = cell.truth("latency_ms.avg").or_else(|| cell.truth("latency_ms.mean"));
        self.time(cell, "latency_mean_ms", latency.mean, mean);
        self.time(cell, "latency_p95_ms", latency.p95, cell.truth("latency_ms.p95"));
    }

    /// Notes the scenario that was run.
    pub fn ran(&mut self, scenario: &Scenario) {
        self.scenario = Some(scenario.clone());
    }

    /// What was collected, and the scenario behind it.
    pub fn into_parts(self) -> (Vec<Quantity>, Option<Scenario>) {
        (self.quantities, self.scenario)
    }
}
