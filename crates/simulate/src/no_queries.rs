//! In place of the queries of TPC-H where a build does without them, as the page's does: its data and plans would be an
//! eighth of the download.

use spindle_engine::{access::Accesses, miniature::Miniature};
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

    pub(crate) fn accesses(&self, _: u8) -> Rc<Accesses> {
        Rc::default()
    }
}

/// The queries that a client asks: none.
pub(crate) fn asked(_: &[u8]) -> Vec<u8> {
    vec![0]
}
