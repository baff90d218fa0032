//! In place of a cluster's network and processes where a build does without queries, which are all that a cluster answers.

use crate::{kernel::SimHost, queries::Query};
use spindle_engine::{
    engine::Engine, miniature::Miniature, profile::ProcessorCosts, query_places::CursorUse,
};
use spindle_scenario::Cluster;
use std::rc::Rc;

/// No network.
pub(crate) struct Network;

impl Network {
    pub(crate) fn new(_: &Cluster, _: Miniature) -> Self {
        Self
    }

    pub(crate) fn busy_ns(&self) -> u64 {
        0
    }
}

/// No place for a process.
#[derive(Default)]
pub(crate) struct Slot(());

impl Slot {
    pub(crate) async fn serve(&self, _: usize, _: SimHost, _: Engine<SimHost>, _: Rc<Network>) {}
}

/// No query.
pub(crate) struct Answering;

impl Answering {
    pub(crate) fn new(_: &Rc<Query>) -> Self {
        Self
    }

    pub(crate) async fn coordinate(
        self: Rc<Self>,
        _: &[Slot],
        _: &SimHost,
        _: &Engine<SimHost>,
        _: &ProcessorCosts,
        _: &Network,
    ) {
    }

    pub(crate) fn uses(&self) -> Vec<CursorUse> {
        Vec::new()
    }
}
