//! The page's state and every way it changes. No view, no worker.

use crate::{
    catalogue::{Pair, Side, chosen, pairs},
    edit,
    knob_catalogue::{knob_at, path_of_problem},
    problem_words::sentence,
    protocol::{Death, FromWorker},
    question::Question,
    session::{Opening, PageState},
    undo::History,
    view_state::{ViewAction, ViewState},
};
use spindle_estimate::{Estimate, estimate};
use spindle_experiments::{CARDS, Card, CaseReport, Experiment, compare};
use spindle_report::Report;
use spindle_scenario::{Problem, Scenario, Stop, Table};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    rc::Rc,
};
use toml::Value;
use yew::Reducible;

/// What one side's run has shown.
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
    /// All runs are over.
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

/// Something the page has to say once, above everything.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// This is where the reader left off the last time.
    Restored,
    /// A link was read in parts, or not at all.
    Damaged {
        /// Whether anything of it could be read.
        opened: bool,
        /// What is wrong with it.
        problems: Vec<Problem>,
    },
}

/// What undo brings back.
#[derive(Debug, Clone, PartialEq)]
struct Setup {
    scenarios: [Rc<Scenario>; 2],
    compare: bool,
    side: Side,
    linked: bool,
    experiment: Option<(usize, usize)>,
    originals: [Rc<Scenario>; 2],
}

impl Setup {
    /// Whether both are the same without looking into the scenarios.
    fn is(&self, other: &Self) -> bool {
        let same = |a: &[Rc<Scenario>; 2], b: &[Rc<Scenario>; 2]| (0..2).all(|at| Rc::ptr_eq(&a[at], &b[at]));
        same(&self.scenarios, &other.scenarios)
            && same(&self.originals, &other.originals)
            && self.compare == other.compare
            && self.linked == other.linked
            && self.experiment == other.experiment
    }
}

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

/// A way in which the state changes.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Another card.
    Card(usize),
    /// Another value of a choice among the card's pairs.
    Choose {
        /// Which choice.
        at: usize,
        /// The value, in the card's own words.
        value: String,
    },
    /// The knobs of another side.
    Side(Side),
    /// Whether knobs that are not a machine's turn both sides.
    Link(bool),
    /// A knob is turned; `dragged` while it may go on.
    Turn {
        /// The knob.
        path: String,
        /// Its value.
        value: Value,
        /// Whether it belongs to the turn before.
        dragged: bool,
    },
    /// A drag is over.
    Settle,
    /// A text was typed that is none of the knob's values.
    Mistype {
        /// The knob.
        path: String,
        /// The text and what is wrong with it.
        draft: Draft,
    },
    /// A knob goes back to where it was opened.
    ResetKnob(String),
    /// Other tables.
    Tables(Rc<Vec<Table>>),
    /// Everything goes back to where it was opened.
    Reset,
    /// The shown result becomes the first side, and stays.
    Pin,
    /// The sides change places.
    Swap,
    /// The first side goes away.
    Unpin,
    /// One step back.
    Undo,
    /// One step forth.
    Redo,
    /// What a link or an earlier visit says.
    Open(Rc<Opening>),
    /// The first card, as on a first visit.
    OpenExample,
    /// The notice was read.
    Dismiss,
    /// A suggested question.
    Ask(Question),
    /// Something about the views.
    // The views dispatch it; they arrive one by one.
    #[allow(dead_code)]
    View(ViewAction),
    /// A job was handed to the worker.
    Begin {
        /// Its number.
        job: u32,
        /// The sides it runs, in its order, with their scenarios.
        runs: Vec<(Side, Rc<Scenario>)>,
    },
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

    /// What is wrong with a side's scenario.
    pub fn problems_of(&self, side: Side) -> &[Problem] {
        &self.problems[side.index()]
    }

    /// Whether the scenarios can be run.
    pub fn is_sound(&self) -> bool {
        self.drafts.is_empty() && self.shown().all(|side| self.problems_of(side).is_empty())
    }

    /// Messages by the path of the knob beside which they stand.
    pub fn messages(&self) -> BTreeMap<String, String> {
        let drafts = self.drafts.iter().map(|(path, draft)| (path.clone(), draft.message.clone()));
        let mut beside: BTreeMap<String, String> = drafts.collect();
        for problem in self.problems_of(self.side) {
            let path = path_of_problem(self.scenario(), &problem.path, &problem.found);
            if knob_at(self.scenario(), path).is_some() {
                beside.entry(path.to_owned()).or_insert_with(|| sentence(problem));
            }
        }
        beside
    }

    /// Problems that have no knob to stand beside, and those of the other side; nothing twice.
    pub fn other_problems(&self) -> Vec<(Side, Problem)> {
        let mut others: Vec<(Side, Problem)> = Vec::new();
        for side in self.shown() {
            for problem in self.problems_of(side) {
                let path = path_of_problem(&self.scenarios[side.index()], &problem.path, &problem.found);
                let beside = side == self.side && knob_at(self.scenario(), path).is_some();
                let known = others.iter().any(|(_, known)| known == problem)
                    || side != self.side && self.problems_of(self.side).contains(problem);
                if !beside && !known {
                    others.push((side, problem.clone()));
                }
            }
        }
        others
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

    /// Ratio of throughputs, the second side over the first, over the virtual time that both have passed; and
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
        let part = |(side, _): &(Side, Rc<Scenario>)| match &self.outcomes[side.index()] {
            Some(outcome) if outcome.job == self.pair_job => {
                if outcome.done {
                    1.0
                } else {
                    outcome.fraction
                }
            }
            _ => 0.0,
        };
        self.running.iter().map(part).sum::<f64>() / self.running.len().max(1) as f64
    }

    /// Everything that was published beside what is known so far.
    pub fn experiment(&self) -> Option<Rc<Experiment>> {
        self.experiment.clone()
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

    fn setup(&self) -> Setup {
        Setup {
            scenarios: self.scenarios.clone(),
            compare: self.compare,
            side: self.side,
            linked: self.linked,
            experiment: self.pair.map(|pair| (self.card, pair)),
            originals: self.originals.clone(),
        }
    }

    fn restore(&mut self, setup: Setup) {
        if let Some((card, pair)) = setup.experiment {
            if card != self.card {
                self.show_card(card);
            }
            self.pair = Some(pair);
        } else {
            self.pair = None;
        }
        (self.scenarios, self.originals) = (setup.scenarios, setup.originals);
        (self.compare, self.side, self.linked) = (setup.compare, setup.side, setup.linked);
        self.drafts.clear();
    }

    fn open_card(&mut self, at: usize) {
        self.show_card(at);
        self.outcomes = [None, None];
        self.open_pair(0);
    }

    /// Shows another card without opening any of its pairs.
    fn show_card(&mut self, at: usize) {
        let Some(card) = self.cards.get(at) else { return };
        self.pairs = Rc::new(pairs(card));
        self.card = at;
        self.reports.clear();
        self.replay = None;
        self.compare_cases();
    }

    /// Compares what is known of the card's cases with what was published.
    fn compare_cases(&mut self) {
        self.experiment = self.card().map(|card| {
            let known = card.cases.iter().filter_map(|case| {
                let report = self.reports.get(&case.id)?;
                let (id, title) = (case.id.clone(), case.title.clone());
                Some(CaseReport { id, title, report: (**report).clone() })
            });
            Rc::new(compare(card, known.collect()))
        });
    }

    /// A case of the card is known.
    fn know_case(&mut self, id: String, report: Rc<Report>) {
        self.reports.insert(id, report);
        self.compare_cases();
    }

    fn open_pair(&mut self, at: usize) {
        let (Some(card), Some(pair)) = (self.cards.get(self.card), self.pairs.get(at)) else { return };
        let [Ok(base), Ok(other)] = [0, 1].map(|i: usize| card.scenario(&pair.cases[i])) else { return };
        self.pair = Some(at);
        self.scenarios = [Rc::new(base), Rc::new(other)];
        self.originals = self.scenarios.clone();
        (self.compare, self.linked) = (pair.compares(), true);
        if !self.compare {
            self.side = Side::Other;
        }
        self.drafts.clear();
    }

    /// Opens what a link or an earlier visit says. Where it belongs to a card, the card says what was published and what
    /// the scenarios were.
    fn open(&mut self, opening: &Opening) {
        if !opening.scenarios.is_empty() {
            let state = &opening.state;
            let card = self.cards.iter().position(|card| state.card.as_deref() == Some(card.id.as_str()));
            if let Some(card) = card.filter(|card| *card != self.card) {
                self.show_card(card);
            }
            let pair = card.and_then(|_| {
                self.pairs.iter().position(|pair| state.claim.as_deref() == Some(pair.claim.as_str()))
            });
            match pair {
                Some(pair) => self.open_pair(pair),
                None => self.pair = None,
            }
            let second = opening.scenarios.last().cloned().unwrap_or_else(nothing);
            let first = opening.scenarios.first().cloned().unwrap_or_else(nothing);
            self.scenarios = [Rc::new(first), Rc::new(second)];
            if pair.is_none() {
                self.originals = self.scenarios.clone();
            }
            self.compare = state.compare && opening.scenarios.len() > 1;
            (self.side, self.linked) = (if self.compare { state.side } else { Side::Other }, state.linked);
            self.view = state.view.clone();
            self.outcomes = [None, None];
            self.drafts.clear();
        }
        self.notice = opening.notice();
    }

    /// The sides that a knob turns, the one whose knobs are shown first.
    fn reach(&self, path: &str) -> Vec<Side> {
        let shared =
            self.linked && !knob_at(self.scenario(), path).is_some_and(|knob| knob.group.is_of_one_machine());
        let other = self.shown().filter(|side| shared && *side != self.side);
        std::iter::once(self.side).chain(other).collect()
    }

    fn turn(&mut self, path: &str, value: &Value) {
        let sides = self.reach(path);
        match edit::turned(self.scenario(), path, value.clone()) {
            Ok(next) => {
                self.drafts.remove(path);
                let lead = Rc::new(next);
                for side in &sides[1..] {
                    if let Ok(next) = edit::follow(&self.scenarios[side.index()], &lead, path, value.clone())
                    {
                        self.replace(*side, next);
                    }
                }
                self.replace(self.side, (*lead).clone());
            }
            Err(problem) => {
                let draft = Draft { text: problem.found.clone(), message: sentence(&problem) };
                self.drafts.insert(path.to_owned(), draft);
            }
        }
    }

    fn reset_knob(&mut self, path: &str) {
        self.drafts.remove(path);
        for side in self.reach(path) {
            let at = side.index();
            if let Ok(next) = edit::reset(&self.scenarios[at], &self.originals[at], path) {
                self.replace(side, next);
            }
        }
    }

    fn set_tables(&mut self, tables: &[Table]) {
        self.drafts.retain(|path, _| !path.starts_with("table["));
        for side in self.reach("table") {
            let next = Scenario { tables: tables.to_vec(), ..(*self.scenarios[side.index()]).clone() };
            self.replace(side, next);
        }
    }

    /// Puts a scenario in its place, unless it is the one that is there.
    fn replace(&mut self, side: Side, next: Scenario) {
        let place = &mut self.scenarios[side.index()];
        if **place != next {
            *place = Rc::new(next);
        }
    }

    /// Changes the scenarios of both sides alike, as a suggested question does.
    pub fn change_shown(&mut self, change: impl Fn(&Scenario) -> Scenario) {
        for side in self.shown() {
            let next = change(&self.scenarios[side.index()]);
            self.replace(side, next);
        }
    }

    /// Changes what is looked at.
    pub fn look(&mut self, action: ViewAction) {
        self.view = std::mem::take(&mut self.view).reduce(action);
    }

    fn pin(&mut self) {
        let shown = self.side.index();
        self.compare = true;
        self.linked = false;
        self.side = Side::Other;
        self.scenarios = [0, 1].map(|_: usize| Rc::clone(&self.scenarios[shown]));
        self.originals = [0, 1].map(|_: usize| Rc::clone(&self.originals[shown]));
        let outcome = self.outcomes[shown].clone();
        self.outcomes = [outcome.clone(), outcome];
        self.pair = None;
    }

    fn swap(&mut self) {
        self.scenarios.swap(0, 1);
        self.originals.swap(0, 1);
        self.outcomes.swap(0, 1);
        // What was published compares them the other way round.
        self.pair = None;
    }

    fn unpin(&mut self) {
        self.compare = false;
        self.side = Side::Other;
        self.pair = None;
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

    fn pair_progress(&mut self, index: usize, fraction: f64, virtual_s: f64, done: bool, report: Rc<Report>) {
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

    fn replay_progress(&mut self, id: u32, index: usize, fraction: f64, done: bool, report: Rc<Report>) {
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
                self.replay = Some(Replay { job, cases, over: BTreeSet::new(), at: 0, fraction: 0.0 });
            }
            Action::StopReplay => self.replay = None,
            Action::Heard(message) => self.hear(message),
        }
    }

    fn step(&mut self, way: fn(&mut History<Setup>, Setup) -> Option<Setup>) {
        let present = self.setup();
        if let Some(setup) = way(Rc::make_mut(&mut self.history), present) {
            self.restore(setup);
        }
    }

    /// Notes the way back from what `action` has changed.
    fn remember(&mut self, before: Setup, place: Option<String>) {
        let goes_on = place.as_deref().is_some_and(|place| self.history.continues(place));
        if !goes_on && !before.is(&self.setup()) {
            Rc::make_mut(&mut self.history).record(before, place.as_deref());
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
impl Store {
    /// The page with one card.
    pub fn of_card(card: Card) -> Self {
        let mut store = Self { cards: Rc::new(vec![card]), ..Self::default() };
        store.open_card(0);
        store.examine();
        store
    }

    /// The page with a job begun for whatever has to be run.
    pub fn begun(self: Rc<Self>, job: u32) -> Rc<Self> {
        let runs = self.to_run(false);
        self.reduce(Action::Begin { job, runs })
    }

    /// The page with both sides of its first pair simulated for `seconds` over small tables; `done` tells of which side
    /// the run is over.
    pub fn simulated(seconds: u64, done: impl Fn(usize) -> bool) -> Rc<Self> {
        (0..2).fold(Rc::new(Self::default()).begun(1), |store, index| {
            let mut scenario = (*store.scenarios[index]).clone();
            scenario.run.duration = spindle_units::Span::seconds(seconds);
            scenario.tables[0].rows = 2000;
            let report = Box::new(spindle_simulate::simulate(&scenario).unwrap());
            let (virtual_s, done) = (seconds as f64, done(index));
            let progress = FromWorker::Progress { id: 1, index, fraction: 1.0, virtual_s, done, report };
            store.reduce(Action::Heard(progress))
        })
    }
}

#[cfg(test)]
mod tests;
