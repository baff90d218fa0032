//! In place of the phases of loading where a build does without queries and clusters.

use crate::kernel::SimHost;
use spindle_engine::{access::Accesses, pages::FileId};
use spindle_scenario::Scenario;
use spindle_workload::LoadPhase;
use std::{cell::Cell, rc::Rc};

/// No phase.
pub(crate) enum Loading {
    /// No rows.
    Copy(Rc<Copying>),
    /// No steps.
    Steps(Accesses),
}

impl Loading {
    pub(crate) fn new(_: &Scenario, _: LoadPhase, _: &[u64], _: f64, _: FileId) -> Self {
        let _ = |copying| Self::Copy(copying);
        Self::Steps(Accesses::default())
    }
}

/// No rows.
pub(crate) struct Copying;

impl Copying {
    pub(crate) fn backends(&self) -> usize {
        0
    }

    pub(crate) async fn batch(&self, _: usize, _: &SimHost, _: &Cell<f64>) {}

    pub(crate) async fn serve(&self, _: usize, _: SimHost) {}
}
