//! All cells, on all cores.

use crate::{
    Answer, Cell, Quantity, cubrid, firebird, mariadb, postgresql,
    summary::{Summary, summarise},
    tpch,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use spindle_report::Report;
use spindle_scenario::Scenario;
use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};

/// What became of a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellOutcome {
    /// The cell.
    pub id: String,
    /// Its engine.
    pub engine: String,
    /// Its kind.
    pub kind: String,
    /// Whether the load changes anything.
    #[serde(default)]
    pub writes: bool,
    /// Whether the model could be asked.
    pub supported: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// How far the measurement is to be believed.
    pub trust: String,
    /// Model against truth.
    pub quantities: Vec<Quantity>,
    /// The scenario that the cell's setup became, as TOML.
    #[serde(skip)]
    pub scenario: Option<String>,
    /// Processor time the model took, in milliseconds; not part of a JSON answer, which is the same on all machines.
    #[serde(skip)]
    pub cost_ms: f64,
}

/// All cells and their summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Validation {
    /// The cells in the order of the file.
    pub cells: Vec<CellOutcome>,
    /// By engine, kind and quantity, over what is to be believed.
    pub summary: Vec<Summary>,
    /// The same over the rest: cells marked as not steady, starved or failed.
    pub low_trust: Vec<Summary>,
}

/// Asks the models all `cells`. `setup` is the content of `setup.json`; `seen` is called as each cell is done.
pub fn validate(cells: &[Cell], setup: &Value, seen: &(dyn Fn(&CellOutcome) + Sync)) -> Validation {
    let next = AtomicUsize::new(0);
    let outcomes: Mutex<Vec<Option<CellOutcome>>> = Mutex::new(vec![None; cells.len()]);
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(cells.len().max(1));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(cell) = cells.get(at) else { break };
                    let outcome = ask(cell, setup);
                    seen(&outcome);
                    if let Ok(mut outcomes) = outcomes.lock() {
                        outcomes[at] = Some(outcome);
                    }
                }
            });
        }
    });
    let cells: Vec<CellOutcome> = outcomes.into_inner().unwrap_or_default().into_iter().flatten().collect();
    let (summary, low_trust) = (summarise(&cells, true), summarise(&cells, false));
    Validation { cells, summary, low_trust }
}

fn ask(cell: &Cell, setup: &Value) -> CellOutcome {
    let started = std::time::Instant::now();
    let answer = if cell.trust == "failed" {
        Err("the measurement failed: there is no truth to compare with".to_owned())
    } else {
        match cell.engine.as_str() {
            _ if cell.kind == tpch::KIND => tpch::answer(cell),
            "mariadb-10.11" => mariadb::answer(cell, setup),
            "postgresql-15" => postgresql::answer(cell, setup),
            "firebird-3.0" => firebird::answer(cell, setup),
            "cubrid-11.3" => cubrid::answer(cell, setup),
            other => Err(format!("engine `{other}` has no model")),
        }
    };
    let (supported, reason, (quantities, scenario)) = match answer {
        Ok(answer) => (true, String::new(), answer.into_parts()),
        Err(reason) => (false, reason, (Vec::new(), None)),
    };
    CellOutcome {
        id: cell.id.clone(),
        engine: cell.engine.clone(),
        kind: cell.kind.clone(),
        writes: scenario.as_ref().is_some_and(|scenario| scenario.workload.kind.writes()),
        supported,
        reason,
        trust: cell.trust.clone(),
        quantities,
        scenario: scenario.map(|scenario| scenario.to_toml()),
        cost_ms: started.elapsed().as_secs_f64() * 1e3,
    }
}

/// Runs a scenario to its end; its problems as one text.
pub(crate) fn simulate(scenario: &Scenario) -> Result<Report, String> {
    spindle_simulate::simulate(scenario).map_err(|problems| {
        let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
        texts.join("; ")
    })
}

/// An answer made of one report.
pub(crate) fn report_answer(cell: &Cell, report: &Report) -> Answer {
    let mut answer = Answer::default();
    answer.report(cell, report);
    answer
}
