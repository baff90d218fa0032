//! The page's state and every way it changes. No view, no worker.

use crate::{
    catalogue::{Pair, Side, pairs},
    protocol::FromWorker,
    settings::{self, Setting, sentence},
};
use spindle_estimate::{Estimate, estimate};
use spindle_experiments::{Card, CaseReport, Experiment, cards, compare};
use spindle_report::Report;
use spindle_scenario::{Problem, Scenario, Stop};
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};
use yew::Reducible;

/// What one machine's run has shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The job it comes from.
    pub job: u32,
    /// The scenario that was run.
    pub scenario: Rc<Scenario>,
    /// Name of the system.
    pub system: String,
    /// How far along, 0 to 1.
    pub fraction: f64,
    /// Virtual time so far, in seconds.
    pub virtual_s: f64,
    /// Whether it is over.
    pub done: bool,
    /// The report so far.
    pub report: Rc<Report>,
}

/// Where the page's own job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Settings are about to be run.
    Waiting,
    /// At work.
    Running,
    /// Both runs are over.
    Done,
    /// The reader stopped it.
    Stopped,
    /// The worker died.
    Died,
}

/// All cases of a card, one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// The job's number.
    pub job: u32,
    /// Places of the cases in the card, in the order in which they run.
    pub cases: Vec<usize>,
    /// Which of those that are over.
    over: BTreeSet<usize>,
    /// The first that is not.
    pub at: usize,
    /// How far along that one is.
    pub fraction: f64,
}

impl Replay {
    /// A case has got somewhere. Several are at work at once; the first of them stands for all.
    fn hear(&mut self, index: usize, fraction: f64, over: bool) {
        if over {
            self.over.insert(index);
        }
        let first = (0..self.cases.len()).find(|case| !self.over.contains(case));
        let first = first.unwrap_or(self.cases.len());
        if self.at != first {
            (self.at, self.fraction) = (first, 0.0);
        }
        if self.at == index {
            self.fraction = fraction;
        }
    }
}

/// A typed text that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub message: String,
}

/// The page's state.
#[derive(Debug, Clone, PartialEq)]
pub struct Store {
    /// The cards.
    pub cards: Rc<Vec<Card>>,
    /// Which of them is on the page.
    pub card: usize,
    /// Its pairs.
    pub pairs: Rc<Vec<Pair>>,
    /// Which pair.
    pub pair: usize,
    /// Which machine the machine's and storage's settings belong to.
    pub side: Side,
    /// The scenarios of both machines.
    pub scenarios: [Rc<Scenario>; 2],
    /// Whether both sides are shown; otherwise only the second one is.
    pub compare: bool,
    /// The scenarios answered in closed form; of a scenario that cannot be answered, the last answer before it.
    pub estimates: [Option<Rc<Estimate>>; 2],
    /// The card's scenarios, untouched.
    originals: [Rc<Scenario>; 2],
    /// Typed texts that were not understood.
    pub drafts: BTreeMap<Setting, Draft>,
    /// Number of the latest job.
    pub job: u32,
    /// Number of the page's own job.
    pub pair_job: u32,
    /// Where it stands.
    pub phase: Phase,
    /// The scenarios it runs.
    running: [Rc<Scenario>; 2],
    /// What the runs have shown; kept until a newer run shows something.
    pub outcomes: [Option<Outcome>; 2],
    /// The replay of all cases, while it goes on.
    pub replay: Option<Replay>,
    /// Reports of the card's cases as far as they are known.
    reports: BTreeMap<String, Rc<Report>>,
}

/// A way in which the state changes.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Another card.
    Card(usize),
    /// Another system.
    System(String),
    /// Another test.
    Test(String),
    /// Another machine.
    Machine(Side),
    /// A slider is at a position.
    Slide(Setting, f64),
    /// A text was typed.
    Type(Setting, String),
    /// Another kind of device.
    Preset(String),
    /// Another way to combine devices.
    Raid(String),
    /// Back to the card's own settings.
    Reset,
    /// A job was handed to the worker for the present scenarios.
    Begin(u32),
    /// The settings changed under it: it is given up.
    Withdraw,
    /// The reader stops it.
    Stop,
    /// The replay of all cases was handed to the worker.
    BeginReplay(u32),
    /// The reader stops it.
    StopReplay,
    /// The worker says something.
    Heard(FromWorker),
}

impl Default for Store {
    fn default() -> Self {
        let cards = cards().unwrap_or_default();
        let nothing = Rc::new(nothing());
        let mut store = Self {
            cards: Rc::new(cards),
            card: 0,
            pairs: Rc::default(),
            pair: 0,
            side: Side::Base,
            scenarios: [nothing.clone(), nothing.clone()],
            compare: true,
            estimates: [None, None],
            originals: [nothing.clone(), nothing.clone()],
            drafts: BTreeMap::new(),
            job: 0,
            pair_job: 0,
            phase: Phase::Waiting,
            running: [nothing.clone(), nothing],
            outcomes: [None, None],
            replay: None,
            reports: BTreeMap::new(),
        };
        store.open_card(0);
        store.estimate_where(|_| true);
        store
    }
}

/// A scenario that nothing can be asked of, for a page without cards.
fn nothing() -> Scenario {
    Scenario {
        title: String::new(),
        seed: 1,
        machine: spindle_scenario::Machine { cores: 0, clock_ghz: 0.0, memory: spindle_units::Bytes(0) },
        storage: spindle_scenario::Storage {
            device: spindle_device::DeviceSpec::of_preset(""),
            file_system: spindle_device::FileSystemKind::default(),
            page_cache: true,
            log_device: None,
        },
        engine: spindle_scenario::EngineSpec::new("", spindle_engine::parameters::Parameters::default()),
        tables: Vec::new(),
        workload: spindle_workload::WorkloadSpec::new(spindle_workload::WorkloadKind::InsertFull, 0),
        run: spindle_scenario::RunSpec::default(),
    }
}

impl Store {
    /// The card on the page.
    pub fn card(&self) -> Option<&Card> {
        self.cards.get(self.card)
    }

    /// The pair on the page.
    pub fn pair(&self) -> Option<&Pair> {
        self.pairs.get(self.pair)
    }

    /// The scenario of the chosen machine.
    pub fn scenario(&self) -> &Scenario {
        &self.scenarios[self.side.index()]
    }

    /// The sides that are shown, the first one first.
    pub fn shown(&self) -> impl Iterator<Item = Side> + use<> {
        let compare = self.compare;
        Side::BOTH.into_iter().filter(move |side| compare || *side == Side::Other)
    }

    /// Whether a setting differs from the card's.
    pub fn is_changed(&self) -> bool {
        self.scenarios != self.originals
    }

    /// What is wrong with both scenarios; the chosen machine's first, and nothing twice.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = self.scenario().check();
        for side in Side::BOTH {
            for problem in self.scenarios[side.index()].check() {
                if !problems.iter().any(|known| known.path == problem.path) {
                    problems.push(problem);
                }
            }
        }
        problems
    }

    /// Whether the scenarios can be run.
    pub fn is_sound(&self) -> bool {
        self.drafts.is_empty() && self.problems().is_empty()
    }

    /// Messages by setting, and those that belong to none.
    pub fn messages(&self) -> (BTreeMap<Setting, String>, Vec<String>) {
        let mut beside: BTreeMap<Setting, String> =
            self.drafts.iter().map(|(setting, draft)| (*setting, draft.message.clone())).collect();
        let mut others = Vec::new();
        for problem in self.problems() {
            match Setting::of_problem(&problem) {
                Some(setting) => {
                    beside.entry(setting).or_insert_with(|| sentence(&problem));
                }
                None => others.push(format!("{}: {}", problem.path, sentence(&problem))),
            }
        }
        (beside, others)
    }

    /// Whether what is shown of a machine belongs to other settings than the present ones.
    pub fn is_stale(&self, side: Side) -> bool {
        self.outcomes[side.index()].as_ref().is_none_or(|outcome| {
            outcome.scenario != self.scenarios[side.index()] || outcome.job != self.pair_job
        })
    }

    /// Ratio of throughputs, the other machine over the base, over the virtual time that both have passed; and
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
        let part = |outcome: &Option<Outcome>| match outcome {
            Some(outcome) if outcome.job == self.pair_job => {
                if outcome.done {
                    1.0
                } else {
                    outcome.fraction
                }
            }
            _ => 0.0,
        };
        self.outcomes.iter().map(part).sum::<f64>() / 2.0
    }

    /// Everything that was published beside what is known so far.
    pub fn experiment(&self) -> Option<Experiment> {
        let card = self.card()?;
        let known = card.cases.iter().filter_map(|case| {
            let report = self.reports.get(&case.id)?;
            Some(CaseReport { id: case.id.clone(), title: case.title.clone(), report: (**report).clone() })
        });
        Some(compare(card, known.collect()))
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

    fn open_card(&mut self, at: usize) {
        let Some(card) = self.cards.get(at) else { return };
        self.pairs = Rc::new(pairs(card));
        self.card = at;
        self.reports.clear();
        self.replay = None;
        self.outcomes = [None, None];
        self.open_pair(0);
    }

    fn open_pair(&mut self, at: usize) {
        let (Some(card), Some(pair)) = (self.cards.get(self.card), self.pairs.get(at)) else { return };
        let [Ok(base), Ok(other)] = [0, 1].map(|i: usize| card.scenario(&pair.cases[i])) else { return };
        self.pair = at;
        self.scenarios = [Rc::new(base), Rc::new(other)];
        self.originals = self.scenarios.clone();
        self.drafts.clear();
    }

    /// Answers anew the scenarios of the shown sides for which `wanted` holds.
    fn estimate_where(&mut self, wanted: impl Fn(Side) -> bool) {
        for side in self.shown().filter(|side| wanted(*side)) {
            if let Ok(answer) = estimate(&self.scenarios[side.index()]) {
                self.estimates[side.index()] = Some(Rc::new(answer));
            }
        }
    }

    fn choose(&mut self, wanted: impl Fn(&Pair) -> bool) {
        if let Some(at) = self.pairs.iter().position(wanted) {
            self.open_pair(at);
        }
    }

    fn set(&mut self, setting: Setting, value: f64) {
        self.drafts.remove(&setting);
        if setting.is_of_one_machine() {
            setting.set(Rc::make_mut(&mut self.scenarios[self.side.index()]), value);
        } else {
            for scenario in &mut self.scenarios {
                setting.set(Rc::make_mut(scenario), value);
            }
        }
    }

    fn device(&mut self, change: impl FnOnce(&mut spindle_device::DeviceSpec)) {
        self.drafts.remove(&Setting::Devices);
        change(&mut Rc::make_mut(&mut self.scenarios[self.side.index()]).storage.device);
    }

    fn hear(&mut self, message: FromWorker) {
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
                if id == self.pair_job && self.phase == Phase::Running {
                    self.phase = Phase::Done;
                }
                if self.replay.as_ref().is_some_and(|replay| replay.job == id) {
                    self.replay = None;
                }
            }
            // Both sides check a scenario with the same code, so the page has said this already.
            FromWorker::Died { id, index, .. } => {
                if id == self.pair_job && self.phase == Phase::Running {
                    self.phase = Phase::Died;
                }
                if let Some(replay) = self.replay.as_mut().filter(|replay| replay.job == id) {
                    replay.hear(index, 1.0, true);
                }
            }
            FromWorker::Refused { .. } | FromWorker::Points { .. } => {}
        }
    }

    fn pair_progress(&mut self, index: usize, fraction: f64, virtual_s: f64, done: bool, report: Rc<Report>) {
        if self.phase != Phase::Running || index > 1 {
            return;
        }
        let Some(pair) = self.pairs.get(self.pair) else { return };
        if done && self.running[index] == self.originals[index] {
            self.reports.insert(pair.cases[index].id.clone(), Rc::clone(&report));
        }
        self.outcomes[index] = Some(Outcome {
            job: self.pair_job,
            scenario: Rc::clone(&self.running[index]),
            system: pair.system.clone(),
            fraction,
            virtual_s,
            done,
            report,
        });
    }

    fn replay_progress(&mut self, id: u32, index: usize, fraction: f64, done: bool, report: Rc<Report>) {
        let Some(replay) = self.replay.as_mut().filter(|replay| replay.job == id) else { return };
        replay.hear(index, fraction, done);
        if done {
            let case = replay.cases.get(index).copied();
            let case = case.and_then(|at| self.cards.get(self.card)?.cases.get(at));
            if let Some(case) = case {
                self.reports.insert(case.id.clone(), report);
            }
        }
    }
}

impl Reducible for Store {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut next = (*self).clone();
        match action {
            Action::Card(at) => next.open_card(at),
            Action::System(system) => {
                let test = self.pair().map(|pair| pair.test.clone()).unwrap_or_default();
                next.choose(|pair| pair.system == system && pair.test == test);
            }
            Action::Test(test) => {
                let system = self.pair().map(|pair| pair.system.clone()).unwrap_or_default();
                next.choose(|pair| pair.system == system && pair.test == test);
            }
            Action::Machine(side) => {
                next.side = side;
                next.drafts.retain(|setting, _| !setting.is_of_one_machine());
            }
            Action::Slide(setting, position) => {
                let value = setting.value_at(position, self.scenario());
                next.set(setting, value);
            }
            Action::Type(setting, text) => match setting.parse(&text) {
                Ok(value) => next.set(setting, value),
                Err(message) => {
                    next.drafts.insert(setting, Draft { text, message });
                }
            },
            Action::Preset(name) => next.device(|device| settings::set_preset(device, &name)),
            Action::Raid(name) => next.device(|device| settings::set_raid(device, &name)),
            Action::Reset => next.open_pair(self.pair),
            Action::Begin(job) => {
                next.job = job;
                next.pair_job = job;
                next.phase = Phase::Running;
                next.running = self.scenarios.clone();
            }
            Action::Withdraw => next.phase = Phase::Waiting,
            Action::Stop => next.phase = Phase::Stopped,
            Action::BeginReplay(job) => {
                next.job = job;
                let cases = self.replay_order().into_iter().map(|(at, _)| at).collect();
                next.replay = Some(Replay { job, cases, over: BTreeSet::new(), at: 0, fraction: 0.0 });
            }
            Action::StopReplay => next.replay = None,
            Action::Heard(message) => next.hear(message),
        }
        let is_new = |side: Side| !Rc::ptr_eq(&next.scenarios[side.index()], &self.scenarios[side.index()]);
        let changed = Side::BOTH.map(is_new);
        next.estimate_where(|side| changed[side.index()]);
        Rc::new(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(actions: impl IntoIterator<Item = Action>) -> Rc<Store> {
        actions.into_iter().fold(Rc::new(Store::default()), |store, action| store.reduce(action))
    }

    fn report() -> Box<Report> {
        let mut scenario = (*Store::default().scenarios[0]).clone();
        scenario.run.duration = spindle_units::Span::seconds(2);
        Setting::Rows.set(&mut scenario, 2000.0);
        Box::new(spindle_simulate::simulate(&scenario).unwrap())
    }

    fn progress(id: u32, index: usize, done: bool) -> Action {
        let report = report();
        Action::Heard(FromWorker::Progress { id, index, fraction: 0.5, virtual_s: 2.0, done, report })
    }

    #[test]
    fn it_starts_with_a_card_that_can_be_run() {
        let store = Store::default();
        assert!(store.is_sound());
        assert!(!store.is_changed());
        assert_eq!(store.pair().unwrap().claim, "insert-cubrid");
    }

    #[test]
    fn a_shared_setting_reaches_both_machines_and_a_device_only_one() {
        let store =
            after([Action::Type(Setting::Buffer, "2G".into()), Action::Type(Setting::Devices, "8".into())]);
        for scenario in &store.scenarios {
            assert_eq!(Setting::Buffer.get(scenario), 2_147_483_648.0);
        }
        assert_eq!(Setting::Devices.get(&store.scenarios[0]), 8.0);
        assert_eq!(Setting::Devices.get(&store.scenarios[1]), 6.0);
        assert!(store.is_changed());
        assert!(!store.reduce(Action::Reset).is_changed());
    }

    #[test]
    fn each_change_is_estimated_at_once_on_the_sides_it_reaches() {
        let before = Store::default();
        assert_eq!(before.shown().collect::<Vec<_>>(), Side::BOTH);
        let store = after([Action::Type(Setting::Devices, "8".into())]);
        let same = |side: Side| {
            let [a, b] = [&before, &*store].map(|s| s.estimates[side.index()].as_ref().unwrap());
            Rc::ptr_eq(a, b)
        };
        assert!(!same(Side::Base));
        let refused = store.clone().reduce(Action::Type(Setting::Buffer, "64G".into()));
        assert_eq!(refused.estimates, store.estimates, "the last good answer stays");
    }

    #[test]
    fn bad_input_is_told_beside_its_setting_and_keeps_the_last_result() {
        let store = after([
            Action::Begin(1),
            progress(1, 0, true),
            Action::Type(Setting::Buffer, "64G".into()),
            Action::Type(Setting::Rows, "lots".into()),
        ]);
        let (beside, others) = store.messages();
        assert!(beside[&Setting::Buffer].contains("8 GiB"), "{beside:?}");
        assert!(beside[&Setting::Rows].contains("lots"));
        assert!(others.is_empty());
        assert!(!store.is_sound());
        assert!(store.outcomes[0].is_some());
        assert!(store.is_stale(Side::Base));
    }

    #[test]
    fn words_from_an_older_job_change_nothing() {
        let store = after([Action::Begin(1), Action::Begin(2), progress(1, 0, true)]);
        assert_eq!(store.outcomes, [None, None]);
    }

    #[test]
    fn a_replay_fills_the_claims_one_by_one() {
        let store = after([Action::BeginReplay(1), progress(1, 0, true), progress(1, 1, true)]);
        assert_eq!(store.cases_known(), 2);
        let experiment = store.experiment().unwrap();
        assert_eq!(experiment.claims.iter().filter(|claim| claim.model.is_some()).count(), 1);
        assert_eq!(store.reduce(Action::Heard(FromWorker::Finished { id: 1 })).replay, None);
    }

    #[test]
    fn a_result_of_changed_settings_is_no_case_of_the_card() {
        let changed = Action::Type(Setting::Clients, "8".into());
        let store = after([changed, Action::Begin(1), progress(1, 0, true)]);
        assert_eq!(store.cases_known(), 0);
    }

    #[test]
    fn nothing_typed_anywhere_panics() {
        let mut store = Rc::new(Store::default());
        for setting in Setting::ALL {
            for text in ["", "0", "-1", "NaN", "inf", "1e308", "99999999999999", "🦀", "4G", "%", "0.0000001"]
            {
                store = store.reduce(Action::Type(setting, text.into()));
                let _ = (store.messages(), setting.position(setting.get(store.scenario())));
                let _ = setting.text(store.scenario());
            }
        }
    }
}
