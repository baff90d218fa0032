//! The worker's side: runs under way, advanced piece by piece so that it hears between two pieces what it is to stop.

use crate::{
    protocol::{Purpose, Reply, Task, ToWorker, numbers, read},
    schedule::turn,
    view_state::SimulatedPoint,
};
use gloo::{events::EventListener, timers::callback::Timeout};
use spindle_report::{Report, Series};
use spindle_simulate::{Progress, Run};
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// The longest the worker works before it listens again, in milliseconds.
const PIECE_MS: f64 = 50.0;
/// The time between two reports on a run, in milliseconds.
const REPORT_MS: f64 = 160.0;
/// Events between two looks at the clock.
const EVENTS: u64 = 8_000;

/// A task and how far it is.
struct Lane {
    task: Task,
    /// The run, once its tables are loaded.
    run: Option<Run>,
    reported_ms: f64,
    /// Whole virtual seconds that were reported.
    reported_s: usize,
}

struct Bench {
    scope: DedicatedWorkerGlobalScope,
    /// The most urgent first.
    lanes: Vec<Lane>,
    /// Pieces of work so far.
    turns: u64,
    /// Job and scenario of the last of them.
    busy: Option<(u32, usize)>,
    /// The next piece of work, while there is any.
    next: Option<Timeout>,
}

impl Bench {
    fn add(&mut self, lane: Lane) {
        self.lanes.push(lane);
        self.lanes.sort_by_key(|lane| lane.task.purpose);
    }
}

/// The worker's own scope, if this is a worker.
pub fn scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

/// Listens for tasks from now on.
pub fn start(scope: DedicatedWorkerGlobalScope) {
    std::panic::set_hook(Box::new(|info| {
        if let Some(scope) = self::scope() {
            post(&scope, &Reply::Panicked { message: info.to_string() });
        }
    }));
    let bench = Rc::new(RefCell::new(Bench {
        scope: scope.clone(),
        lanes: Vec::new(),
        turns: 0,
        busy: None,
        next: None,
    }));
    EventListener::new(&scope, "message", move |event| {
        let Some(event) = event.dyn_ref::<MessageEvent>() else { return };
        let Some(message) = event.data().as_string().and_then(|text| read(&text)) else { return };
        hear(&bench, message);
    })
    .forget();
    post(&scope, &Reply::Ready);
}

fn hear(bench: &Rc<RefCell<Bench>>, message: ToWorker) {
    match message {
        ToWorker::Run(task) => {
            let lane = Lane { task: *task, run: None, reported_ms: 0.0, reported_s: 0 };
            bench.borrow_mut().add(lane);
            schedule(bench);
        }
        ToWorker::Stop { job } => {
            let mut bench = bench.borrow_mut();
            bench.lanes.retain(|lane| lane.task.job != job);
            post(&bench.scope, &Reply::Stopped { job });
        }
    }
}

fn schedule(bench: &Rc<RefCell<Bench>>) {
    let again = Rc::clone(bench);
    let mut bench = bench.borrow_mut();
    if bench.next.is_some() || bench.lanes.is_empty() {
        return;
    }
    bench.next = Some(Timeout::new(0, move || {
        again.borrow_mut().next = None;
        piece(&mut again.borrow_mut());
        schedule(&again);
    }));
}

/// Works for a while on the lane whose turn it is.
fn piece(bench: &mut Bench) {
    let started = now_ms();
    bench.turns += 1;
    let at = turn(bench.turns, bench.lanes.len());
    let Some(lane) = bench.lanes.get_mut(at) else { return };
    let (job, index) = (lane.task.job, lane.task.index);
    if bench.busy.replace((job, index)) != Some((job, index)) {
        post(&bench.scope, &Reply::Busy { job, index });
    }
    while now_ms() - started < PIECE_MS {
        if step(&bench.scope, lane) {
            bench.lanes.remove(at);
            return;
        }
    }
}

/// Takes a lane a little further; `true` where it has come to its end.
fn step(scope: &DedicatedWorkerGlobalScope, lane: &mut Lane) -> bool {
    let Some(run) = &mut lane.run else {
        match Run::new(&lane.task.scenario) {
            Ok(run) => lane.run = Some(run),
            Err(problems) => {
                let (job, index) = (lane.task.job, lane.task.index);
                post(scope, &Reply::Refused { job, index, problems });
                return true;
            }
        }
        return false;
    };
    let done = run.advance(EVENTS);
    if lane.task.purpose != Purpose::Sweep {
        report(scope, lane, done);
    } else if done {
        let (job, index, point) = (lane.task.job, lane.task.index, SimulatedPoint::of(&run.figures()));
        post(scope, &Reply::Point { job, index, point });
    }
    done
}

/// Reports on a run that is shown: at its end, and before that whenever a whole second of it is over, but not too often.
fn report(scope: &DedicatedWorkerGlobalScope, lane: &mut Lane, done: bool) {
    let Some(run) = &lane.run else { return };
    let now = now_ms();
    let Progress { fraction, virtual_s } = run.progress();
    let too_soon = now - lane.reported_ms < REPORT_MS || virtual_s as usize <= lane.reported_s;
    if !done && too_soon {
        return;
    }
    let from = lane.reported_s;
    let part = run.series(from);
    lane.reported_ms = now;
    lane.reported_s += part.dirty_pages.len();
    // A digest is only asked for at the end, and it costs a look at the whole series.
    let report = if done { run.report() } else { run.figures() };
    let series = Series { interval_s: part.interval_s, ..Series::default() };
    let report = Box::new(Report { series, ..report });
    let (job, index) = (lane.task.job, lane.task.index);
    let reply = Reply::Progress { job, index, fraction, virtual_s, done, report, from };
    post_with(scope, &reply, &numbers(&part));
}

fn post(scope: &DedicatedWorkerGlobalScope, reply: &Reply) {
    if let Ok(text) = serde_json::to_string(reply) {
        // A page that is gone needs no answer.
        let _ = scope.post_message(&JsValue::from_str(&text));
    }
}

/// Posts a reply with numbers beside it, which the page takes over as they are.
fn post_with(scope: &DedicatedWorkerGlobalScope, reply: &Reply, numbers: &[f64]) {
    let Ok(text) = serde_json::to_string(reply) else { return };
    let numbers = js_sys::Float64Array::from(numbers);
    let pair = js_sys::Array::of2(&JsValue::from_str(&text), &numbers);
    let _ = scope.post_message_with_transfer(&pair, &js_sys::Array::of1(&numbers.buffer()));
}

/// Milliseconds of wall-clock time, in page and worker alike.
pub fn now_ms() -> f64 {
    let performance = js_sys::Reflect::get(&js_sys::global(), &JsValue::from_str("performance"));
    performance.ok().and_then(|p| p.dyn_into::<web_sys::Performance>().ok()).map_or(0.0, |p| p.now())
}
