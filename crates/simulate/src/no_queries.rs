//! In place of the queries of TPC-H where a build does without them, as the page's does: its data and plans would be an
//! eighth of the download.

use spindle_engine::{access::Accesses, miniature::Miniature, query_places::CursorUse};
use spindle_report::PlanReport;
use spindle_scenario::{Problem, Scenario};
use std::rc::Rc;

/// No queries.
pub(crate) struct Queries;

impl Queries {
    pub(crate) fn new(_: &Scenario, _: Miniature) -> Result<Self, Problem> {
        Err(Problem::new(
            "workload.kind",
            "tpch",
            "another load here; the command `spindle run` answers this one",
        ))
    }

    pub(crate) fn query(&self, _: u8) -> Rc<Query> {
        Rc::default()
    }

    pub(crate) fn share_here(&self, _: usize) -> f64 {
        1.0
    }

    pub(crate) fn processes(&self, _: &[u8]) -> usize {
        0
    }

    pub(crate) fn answered(&self, _: u8, _: &[CursorUse]) {}

    pub(crate) fn forget(&self) {}

    pub(crate) fn plans(&self, _: f64) -> Vec<PlanReport> {
        Vec::new()
    }
}

/// No query.
#[derive(Default)]
pub(crate) struct Query {
    pub(crate) accesses: Accesses,
}

/// The queries that a client asks: none.
pub(crate) fn asked(_: &[u8]) -> Vec<u8> {
    vec![0]
}
