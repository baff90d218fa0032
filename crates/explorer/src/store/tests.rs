use super::*;
use crate::knob_catalogue::knobs;
use crate::protocol::FromWorker;
use toml::Value;

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

fn after(actions: impl IntoIterator<Item = Action>) -> Rc<Store> {
    let store = Rc::new(Store::default());
    actions.into_iter().fold(store, |store, action| match action {
        Action::Begin { job, .. } => store.begun(job),
        other => store.reduce(other),
    })
}

/// A job for whatever has to be run then.
fn begin(job: u32) -> Action {
    Action::Begin { job, runs: Vec::new() }
}

const BUFFER: &str = "engine.parameters.data_buffer_pages";
const PAGES_OF_64_GIB: i64 = 64 << 16;

fn turn(path: &str, value: impl Into<Value>) -> Action {
    Action::Turn { path: path.into(), value: value.into(), dragged: false }
}

fn drag(path: &str, value: impl Into<Value>) -> Action {
    Action::Turn { path: path.into(), value: value.into(), dragged: true }
}

fn report() -> Box<Report> {
    let mut scenario = (*Store::default().scenarios[0]).clone();
    scenario.run.duration = spindle_units::Span::seconds(2);
    scenario.tables[0].rows = 2000;
    Box::new(spindle_simulate::simulate(&scenario).unwrap())
}

fn progress(id: u32, index: usize, done: bool) -> Action {
    let report = report();
    Action::Heard(FromWorker::Progress { id, index, fraction: 0.5, virtual_s: 2.0, done, report })
}

fn died(id: u32, index: usize) -> Action {
    Action::Heard(FromWorker::Died { id, index, death: Death::Memory })
}

#[test]
fn it_starts_with_a_card_that_can_be_run() {
    let store = Store::default();
    assert!(store.is_sound());
    assert!(!store.is_changed());
    assert!(store.is_example());
    assert_eq!(store.pair().unwrap().claim, "insert-cubrid");
}

#[test]
fn a_shared_knob_reaches_both_sides_and_a_machine_s_only_one() {
    let store = after([turn(BUFFER, 131_072), turn("storage.device.count", 8)]);
    for scenario in &store.scenarios {
        assert_eq!(scenario.buffer_bytes(), 2_147_483_648.0);
    }
    assert_eq!(store.scenarios[0].storage.device.count, 8);
    assert_eq!(store.scenarios[1].storage.device.count, 6);
    assert!(store.is_changed());
    assert!(!store.clone().reduce(Action::Reset).is_changed());
    let alone = store.reduce(Action::Link(false)).reduce(turn("workload.clients", 3));
    assert_eq!(alone.scenarios[0].workload.clients, 3);
    assert_eq!(alone.scenarios[1].workload.clients, 40);
}

#[test]
fn each_change_is_estimated_at_once_on_the_sides_it_reaches() {
    let before = Store::default();
    assert_eq!(before.shown().collect::<Vec<_>>(), Side::BOTH);
    let store = after([turn("storage.device.count", 8)]);
    let same = |side: Side| {
        let [a, b] = [&before, &*store].map(|s| s.estimates[side.index()].as_ref().unwrap());
        Rc::ptr_eq(a, b) || a == b
    };
    assert!(same(Side::Other));
    let refused = store.clone().reduce(turn(BUFFER, PAGES_OF_64_GIB));
    assert_eq!(refused.estimates, store.estimates, "the last good answer stays");
    assert!(refused.estimate_of(Side::Base).is_none(), "but it is not the answer to this");
}

#[test]
fn bad_input_is_told_beside_its_knob_and_keeps_the_last_result() {
    let draft = Draft { text: "lots".into(), message: "Found lots.".into() };
    let store = after([
        begin(1),
        progress(1, 0, true),
        turn(BUFFER, PAGES_OF_64_GIB),
        Action::Mistype { path: "table[0].rows".into(), draft },
    ]);
    let beside = store.messages();
    assert!(beside[BUFFER].contains("8 GiB"), "{beside:?}");
    assert!(beside["table[0].rows"].contains("lots"));
    assert!(store.other_problems().is_empty(), "{:?}", store.other_problems());
    assert!(!store.is_sound());
    assert!(store.outcomes[0].is_some());
    assert!(store.is_stale(Side::Base));
}

#[test]
fn absurd_combinations_are_told_where_they_arise() {
    for (path, value, place) in [
        ("table[0].rows", Value::Integer(1_000_000_000_000), "table[0].rows"),
        ("storage.device.count", Value::Integer(0), "storage.device.count"),
        ("workload.clients", Value::Integer(15_000), "workload.clients"),
        ("workload.clients", Value::Integer(99_999_999_999), "workload.clients"),
        ("machine.memory", Value::Integer(1), "machine.memory"),
        ("table[0].fill", Value::Float(200.0), "table[0].fill"),
    ] {
        let store = after([turn(path, value)]);
        assert!(
            store.messages().contains_key(place),
            "{path}: {:?} {:?}",
            store.messages(),
            store.other_problems()
        );
        assert!(!store.is_sound());
        assert!(store.reduce(Action::ResetKnob(path.into())).is_sound(), "{path}");
    }
}

#[test]
fn words_from_an_older_job_change_nothing() {
    let store = after([begin(1), begin(2), progress(1, 0, true)]);
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
    let store = after([turn("workload.clients", 8), begin(1), progress(1, 0, true)]);
    assert_eq!(store.cases_known(), 0);
}

#[test]
fn a_drag_is_one_step_back_and_the_next_one_another() {
    let clients = "workload.clients";
    let store = after([
        drag(clients, 50),
        drag(clients, 60),
        drag(clients, 70),
        Action::Settle,
        drag(clients, 80),
        drag(clients, 90),
    ]);
    let back = store.reduce(Action::Undo);
    assert_eq!(back.scenario().workload.clients, 70);
    let start = back.clone().reduce(Action::Undo);
    assert_eq!(start.scenario().workload.clients, 40);
    assert_eq!(start.ways(), (false, true));
    assert!(start.is_example());
    let forth = start.reduce(Action::Redo).reduce(Action::Redo);
    assert_eq!(forth.scenario().workload.clients, 90);
    assert_eq!(forth.ways(), (true, false));
}

#[test]
fn a_step_back_shows_the_finished_run_again() {
    let store = after([begin(1), progress(1, 0, true), progress(1, 1, true)]);
    let changed = store.clone().reduce(turn("workload.clients", 8));
    assert!(changed.is_stale(Side::Base));
    let back = changed.reduce(Action::Undo);
    assert!(!back.is_stale(Side::Base) && !back.is_stale(Side::Other));
    assert!(back.reduce(Action::Withdraw).to_run(false).is_empty());
}

#[test]
fn a_pinned_result_stays_while_the_other_side_changes() {
    let store = after([
        begin(1),
        progress(1, 0, true),
        progress(1, 1, true),
        Action::Side(Side::Other),
        Action::Pin,
        turn("workload.clients", 8),
    ]);
    assert!(store.compare && !store.linked);
    assert_eq!(store.scenarios[0].workload.clients, 40);
    assert_eq!(store.scenarios[1].workload.clients, 8);
    assert!(!store.is_stale(Side::Base));
    let to_run: Vec<Side> = store.to_run(false).into_iter().map(|(side, _)| side).collect();
    assert_eq!(to_run, [Side::Other], "what is known is not simulated again");
    let swapped = store.clone().reduce(Action::Swap);
    assert_eq!(swapped.scenarios[0].workload.clients, 8);
    let alone = swapped.reduce(Action::Unpin);
    assert_eq!(alone.shown().collect::<Vec<_>>(), [Side::Other]);
    assert_eq!(alone.shown_scenarios().len(), 1);
    let back = alone.reduce(Action::Undo).reduce(Action::Undo);
    assert_eq!(back.scenarios, store.scenarios);
}

#[test]
fn a_job_of_one_side_reports_on_that_side() {
    let store = after([
        begin(1),
        progress(1, 0, true),
        progress(1, 1, true),
        Action::Pin,
        turn("workload.clients", 8),
        begin(2),
        progress(2, 0, true),
    ]);
    let outcome = store.outcomes[1].as_ref().unwrap();
    assert_eq!(outcome.scenario.workload.clients, 8);
    assert_eq!(store.fraction(), 1.0);
}

#[test]
fn a_worker_that_died_leaves_what_it_had_found() {
    let store = after([begin(1), progress(1, 0, false), died(1, 0)]);
    assert_eq!(store.phase, Phase::Died);
    let other = store.clone().reduce(progress(1, 1, true));
    assert!(other.outcomes[1].is_some(), "the other side goes on");
    assert!(store.outcomes[0].is_some());
    assert_eq!(store.begun(2).phase, Phase::Running);
}

#[test]
fn another_kind_of_transaction_offers_its_tables() {
    let store = after([turn("workload.kind", "order-entry")]);
    assert!(!store.is_sound());
    let format = store.scenario().profile().unwrap().format;
    let tables = spindle_scenario::StandardTables::OrderEntry.tables(2, format);
    let fitting = store.reduce(Action::Tables(Rc::new(tables)));
    assert!(fitting.is_sound(), "{:?}", fitting.other_problems());
}

#[test]
fn nothing_that_a_knob_may_be_given_panics() {
    let mut store = Rc::new(Store::default());
    for knob in knobs(&store.scenario().clone()) {
        for value in [
            Value::Float(-1.0),
            Value::Float(f64::NAN),
            Value::Float(f64::INFINITY),
            Value::Float(1e308),
            Value::Integer(i64::MIN),
            Value::String("🦀".into()),
            Value::Boolean(true),
        ] {
            store = store.reduce(turn(&knob.path, value));
            let _ = (store.messages(), store.other_problems(), store.is_sound());
            store = store.reduce(Action::ResetKnob(knob.path.clone()));
        }
    }
}
