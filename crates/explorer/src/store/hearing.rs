//! What workers say.

use super::{FINISHED_MAX, Outcome, Phase, Store, is_same, system_name};
use crate::{protocol::FromWorker, view_state::ViewAction};
use spindle_report::Report;
use std::rc::Rc;

impl Store {
    pub(super) fn hear(&mut self, message: FromWorker) {
        match message {
            FromWorker::Progress { id, index, fraction, virtual_s, done, report } => {
                let report = Rc::new(*report);
                if id == self.pair_job {
                    self.pair_progress(index, fraction, virtual_s, done, report);
                } else {
                    self.replay_progress(id, index, fraction, done, report);
                }
            }
            FromWorker::Finished { id } => {
                self.look(ViewAction::SimulationOver { job: id });
                if id == self.pair_job && self.phase == Phase::Running {
                    self.phase = Phase::Done;
                }
                if self.replay.as_ref().is_some_and(|replay| replay.job == id) {
                    self.replay = None;
                }
            }
            FromWorker::Died { id, index, death } => {
                if id == self.pair_job && self.phase == Phase::Running {
                    self.phase = Phase::Died;
                    self.death = Some(death);
                }
                if let Some(replay) = self.replay.as_mut().filter(|replay| replay.job == id) {
                    replay.hear(index, 1.0, true);
                }
            }
            // Both sides check a scenario with the same code, so the page has said this already.
            FromWorker::Points { id, points } => {
                for (index, point) in points {
                    self.look(ViewAction::Simulated { job: id, index, point });
                }
            }
            FromWorker::Refused { .. } => {}
        }
    }

    pub(super) fn pair_progress(
        &mut self,
        index: usize,
        fraction: f64,
        virtual_s: f64,
        done: bool,
        report: Rc<Report>,
    ) {
        let Some((side, scenario)) = self.running.get(index).cloned() else { return };
        // Where one side's worker died the other side goes on.
        if !matches!(self.phase, Phase::Running | Phase::Died) {
            return;
        }
        if done
            && let Some(pair) = self.pair()
            && is_same(&scenario, &self.originals[side.index()])
        {
            let case = pair.cases[side.index()].id.clone();
            self.know_case(case, Rc::clone(&report));
        }
        let system = system_name(&scenario);
        let job = self.pair_job;
        let outcome = Outcome { job, scenario, system, fraction, virtual_s, done, report };
        if done {
            let finished = Rc::make_mut(&mut self.finished);
            finished.push_front(outcome.clone());
            finished.truncate(FINISHED_MAX);
        }
        self.outcomes[side.index()] = Some(outcome);
    }

    pub(super) fn replay_progress(
        &mut self,
        id: u32,
        index: usize,
        fraction: f64,
        done: bool,
        report: Rc<Report>,
    ) {
        let Some(replay) = self.replay.as_mut().filter(|replay| replay.job == id) else { return };
        replay.hear(index, fraction, done);
        if done {
            let case = replay.cases.get(index).copied();
            let case = case.and_then(|at| self.cards.get(self.card)?.cases.get(at));
            if let Some(id) = case.map(|case| case.id.clone()) {
                self.know_case(id, report);
            }
        }
    }
}
