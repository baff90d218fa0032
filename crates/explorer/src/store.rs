//! The page's state and every way it changes. No view, no worker.

mod action;
mod hearing;
mod known;
mod opening;
mod outcome;
mod problems;
mod setup;
mod turning;

pub use action::{Action, Draft, Notice};
pub use outcome::{Outcome, Phase, Replay};

use crate::{
    catalogue::{Pair, Side, chosen},
    protocol::Death,
    session::{Opening, PageState},
    undo::History,
    view_state::ViewState,
};
use setup::Setup;
use spindle_estimate::{Estimate, estimate};
use spindle_experiments::{CARDS, Card, Experiment};
use spindle_report::Report;
use spindle_scenario::{Problem, Scenario};
use std::{
    collections::{BTreeMap, VecDeque},
    rc::Rc,
};
use yew::Reducible;

/// Finished runs that are kept, so that a step back shows its result at once.
const FINISHED_MAX: usize = 12;

/// The page's state.
#[derive(Debug, Clone)]
pub struct Store {
    /// The cards.
    pub cards: Rc<Vec<Card>>,
    /// Which of them is on the page.
    pub card: usize,
    /// Its pairs.
    pub pairs: Rc<Vec<Pair>>,
    /// Which pair; none where the scenarios come from elsewhere.
    pair: Option<usize>,
    /// The side whose knobs are shown.
    pub side: Side,
    /// Whether knobs that are not a machine's turn both sides.
    pub linked: bool,
    /// The scenarios of both sides.
    pub scenarios: [Rc<Scenario>; 2],
    /// Whether both sides are shown; otherwise only the second one is.
    pub compare: bool,
    /// The scenarios answered in closed form; of a scenario that cannot be answered, the last answer before it.
    pub estimates: [Option<Rc<Estimate>>; 2],
    /// The scenarios that were looked at for problems and estimates.
    examined: [Option<Rc<Scenario>>; 2],
    /// What is wrong with them.
    problems: [Rc<Vec<Problem>>; 2],
    /// The scenarios as they were opened.
    originals: [Rc<Scenario>; 2],
    /// Typed texts that were not understood, by the knob's path.
    pub drafts: BTreeMap<String, Draft>,
    /// Steps back and forth.
    history: Rc<History<Setup>>,
    /// Something to be said once.
    pub notice: Option<Notice>,
    /// Which view is open and what it shows.
    pub view: ViewState,
    /// Number of the latest job.
    pub job: u32,
    /// Number of the page's own job.
    pub pair_job: u32,
    /// Where it stands.
    pub phase: Phase,
    /// Why its worker died the last time.
    pub death: Option<Death>,
    /// The sides it runs, in the job's order, with their scenarios.
    running: Vec<(Side, Rc<Scenario>)>,
    /// What the runs have shown; kept until a newer run shows something.
    pub outcomes: [Option<Outcome>; 2],
    /// Runs that are over, the latest first.
    finished: Rc<VecDeque<Outcome>>,
    /// The replay of all cases, while it goes on.
    pub replay: Option<Replay>,
    /// Reports of the card's cases as far as they are known.
    reports: BTreeMap<String, Rc<Report>>,
    /// Everything that was published beside them.
    experiment: Option<Rc<Experiment>>,
}

/// Two states are the same where they are one in memory: to compare all that runs have shown, for each component that
/// shows a part of it, would take longer than to show it.
impl PartialEq for Store {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Default for Store {
    fn default() -> Self {
        // A card that cannot be read is lost alone; a test of the cards' crate reads them all.
        let cards: Vec<Card> = CARDS.iter().filter_map(|text| Card::read(text).ok()).collect();
        let nothing = Rc::new(nothing());
        let mut store = Self {
            cards: Rc::new(cards),
            card: 0,
            pairs: Rc::default(),
            pair: None,
            side: Side::Base,
            linked: true,
            scenarios: [nothing.clone(), nothing.clone()],
            compare: true,
            estimates: [None, None],
            examined: [None, None],
            problems: [Rc::default(), Rc::default()],
            originals: [nothing.clone(), nothing],
            drafts: BTreeMap::new(),
            history: Rc::default(),
            notice: None,
            view: ViewState::default(),
            job: 0,
            pair_job: 0,
            phase: Phase::Waiting,
            death: None,
            running: Vec::new(),
            outcomes: [None, None],
            finished: Rc::default(),
            replay: None,
            reports: BTreeMap::new(),
            experiment: None,
        };
        store.open_card(0);
        store.examine();
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
        cluster: None,
        tables: Vec::new(),
        workload: spindle_workload::WorkloadSpec::new(spindle_workload::WorkloadKind::InsertFull, 0),
        run: spindle_scenario::RunSpec::default(),
    }
}

impl Store {
    /// The page with something opened; the first card where there is nothing.
    pub fn opened(opening: Option<Opening>) -> Self {
        let mut store = Self::default();
        if let Some(opening) = opening {
            store.open(&opening);
            store.examine();
        }
        store
    }

    /// The card on the page.
    pub fn card(&self) -> Option<&Card> {
        self.cards.get(self.card)
    }

    /// The pair on the page.
    pub fn pair(&self) -> Option<&Pair> {
        self.pairs.get(self.pair?)
    }

    /// What the card calls the machines, as long as these still are the card's.
    pub fn machines_of_card(&self, scenarios: [&Scenario; 2]) -> Option<[String; 2]> {
        let is_of_card = |side: Side| {
            scenarios[side.index()].storage.device == self.originals[side.index()].storage.device
        };
        self.pair()?.machines.clone().filter(|_| Side::BOTH.into_iter().all(is_of_card))
    }

    /// The scenario of the side whose knobs are shown.
    pub fn scenario(&self) -> &Rc<Scenario> {
        &self.scenarios[self.side.index()]
    }

    /// The same scenario as it was opened.
    pub fn original(&self) -> &Rc<Scenario> {
        &self.originals[self.side.index()]
    }

    /// The sides that are shown, the first one first.
    pub fn shown(&self) -> impl Iterator<Item = Side> + use<> {
        let compare = self.compare;
        Side::BOTH.into_iter().filter(move |side| compare || *side == Side::Other)
    }

    /// Whether anything differs from what was opened.
    pub fn is_changed(&self) -> bool {
        self.shown().any(|side| !is_same(&self.scenarios[side.index()], &self.originals[side.index()]))
    }

    /// Whether the page is as on a first visit.
    pub fn is_example(&self) -> bool {
        self.card == 0 && self.pair == Some(0) && self.compare && !self.is_changed()
    }

    /// Whether there is a step back, and one forth.
    pub fn ways(&self) -> (bool, bool) {
        self.history.ways()
    }

    /// Whether what is shown of a side belongs to another scenario than the present one.
    pub fn is_stale(&self, side: Side) -> bool {
        self.outcomes[side.index()]
            .as_ref()
            .is_none_or(|outcome| !is_same(&outcome.scenario, &self.scenarios[side.index()]))
    }

    /// The estimate of a side, where it is of the present scenario.
    pub fn estimate_of(&self, side: Side) -> Option<&Estimate> {
        let sound = self.problems_of(side).is_empty();
        self.estimates[side.index()].as_deref().filter(|_| sound)
    }

    /// The sides that have to be run, with their scenarios: those whose result is not there yet, or all of them for
    /// whoever wants to see it again.
    pub fn to_run(&self, again: bool) -> Vec<(Side, Rc<Scenario>)> {
        let is_known = |side: &Side| {
            !self.is_stale(*side) && self.outcomes[side.index()].as_ref().is_some_and(|outcome| outcome.done)
        };
        let missing = self.shown().filter(|side| again || !is_known(side));
        missing.map(|side| (side, Rc::clone(&self.scenarios[side.index()]))).collect()
    }

    /// What a link says of the page beside the scenarios.
    pub fn page_state(&self) -> PageState {
        PageState {
            compare: self.compare,
            side: self.side,
            linked: self.linked,
            card: self.pair().and(self.card()).map(|card| card.id.clone()),
            claim: self.pair().map(|pair| pair.claim.clone()),
            view: self.view.clone(),
        }
    }

    /// The scenarios that a link carries.
    pub fn shown_scenarios(&self) -> Vec<Scenario> {
        self.shown().map(|side| (*self.scenarios[side.index()]).clone()).collect()
    }

    /// Looks at the scenarios that have changed: what is wrong with them, what the estimate says, whether a finished run
    /// has answered them already.
    fn examine(&mut self) {
        for side in self.shown() {
            let at = side.index();
            let scenario = &self.scenarios[at];
            if self.examined[at].as_ref().is_some_and(|examined| Rc::ptr_eq(examined, scenario)) {
                continue;
            }
            match estimate(scenario) {
                Ok(answer) => {
                    self.estimates[at] = Some(Rc::new(answer));
                    self.problems[at] = Rc::default();
                }
                Err(problems) => self.problems[at] = Rc::new(problems),
            }
            self.examined[at] = Some(Rc::clone(scenario));
            if let Some(known) = self.finished.iter().find(|outcome| is_same(&outcome.scenario, scenario)) {
                self.outcomes[at] = Some(known.clone());
            }
        }
    }

    fn apply(&mut self, action: Action) {
        match action {
            Action::Card(at) => self.open_card(at),
            Action::Choose { at, value } => {
                let pair = self.pair().and_then(|pair| chosen(&self.pairs, pair, at, &value));
                if let Some(pair) = pair {
                    self.open_pair(pair);
                }
            }
            Action::Side(side) => {
                self.side = side;
                self.drafts.clear();
            }
            Action::Link(linked) => self.linked = linked,
            Action::Turn { path, value, .. } => self.turn(&path, &value),
            Action::Settle => Rc::make_mut(&mut self.history).settle(),
            Action::Mistype { path, draft } => {
                self.drafts.insert(path, draft);
            }
            Action::ResetKnob(path) => self.reset_knob(&path),
            Action::Tables(tables) => self.set_tables(&tables),
            Action::Reset => {
                self.scenarios = self.originals.clone();
                self.drafts.clear();
            }
            Action::Pin => self.pin(),
            Action::Swap => self.swap(),
            Action::Unpin => self.unpin(),
            Action::Undo => self.step(History::undo),
            Action::Redo => self.step(History::redo),
            Action::Open(opening) => self.open(&opening),
            Action::OpenExample => {
                self.notice = None;
                self.side = Side::Base;
                self.view = ViewState::default();
                self.open_card(0);
            }
            Action::Dismiss => self.notice = None,
            Action::Ask(question) => question.ask(self),
            Action::View(action) => self.look(action),
            Action::Begin { job, runs } => {
                self.running = runs;
                (self.job, self.pair_job) = (job, job);
                self.phase = if self.running.is_empty() { Phase::Done } else { Phase::Running };
            }
            Action::Withdraw => self.phase = Phase::Waiting,
            Action::Stop => self.phase = Phase::Stopped,
            Action::BeginReplay(job) => {
                self.job = job;
                let cases = self.replay_order().into_iter().map(|(at, _)| at).collect();
                self.replay = Some(Replay::new(job, cases));
            }
            Action::StopReplay => self.replay = None,
            Action::Heard(message) => self.hear(message),
        }
    }
}

/// Whether two scenarios say the same; most often they are one in memory.
fn is_same(a: &Rc<Scenario>, b: &Rc<Scenario>) -> bool {
    Rc::ptr_eq(a, b) || a == b
}

/// What the maker calls the system: the first word of the profile's title.
pub fn system_name(scenario: &Scenario) -> String {
    let title = scenario.profile().map_or(scenario.engine.profile.as_str(), |profile| profile.title);
    title.split_whitespace().next().unwrap_or_default().to_owned()
}

impl Reducible for Store {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut next = (*self).clone();
        let is_step = matches!(action, Action::Undo | Action::Redo);
        let place = match &action {
            Action::Turn { path, dragged: true, .. } => Some(path.clone()),
            _ => None,
        };
        next.apply(action);
        next.examine();
        if !is_step {
            next.remember(self.setup(), place);
        }
        Rc::new(next)
    }
}

#[cfg(test)]
mod tests;
