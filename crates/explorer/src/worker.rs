//! The worker's side: runs under way, advanced piece by piece so that a Stop is heard between two pieces.

use crate::protocol::{FromWorker, Order, ToWorker};
use gloo::{events::EventListener, timers::callback::Timeout};
use spindle_scenario::Scenario;
use spindle_simulate::Run;
use std::{cell::RefCell, collections::VecDeque, rc::Rc};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// The longest the worker works before it listens again, in milliseconds.
const PIECE_MS: f64 = 50.0;
/// The time between two reports on a run, in milliseconds.
const REPORT_MS: f64 = 160.0;
/// Events between two looks at the clock.
const EVENTS: u64 = 8_000;

struct Lane {
    index: usize,
    run: Run,
    virtual_s: f64,
    reported_ms: f64,
    /// Whole virtual seconds that were reported.
    reported_s: f64,
}

struct Job {
    id: u32,
    order: Order,
    waiting: VecDeque<(usize, Scenario)>,
    lanes: Vec<Lane>,
}

struct Bench {
    scope: DedicatedWorkerGlobalScope,
    jobs: VecDeque<Job>,
    /// The next piece of work, while there is any.
    next: Option<Timeout>,
}

/// The worker's own scope, if this is a worker.
pub fn scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

/// Listens for jobs from now on.
pub fn start(scope: DedicatedWorkerGlobalScope) {
    let bench = Rc::new(RefCell::new(Bench { scope: scope.clone(), jobs: VecDeque::new(), next: None }));
    EventListener::new(&scope, "message", move |event| {
        let Some(event) = event.dyn_ref::<MessageEvent>() else { return };
        let Some(message) = event.data().as_string().and_then(|text| serde_json::from_str(&text).ok()) else {
            return;
        };
        hear(&bench, message);
    })
    .forget();
    post(&scope, &FromWorker::Ready);
}

fn hear(bench: &Rc<RefCell<Bench>>, message: ToWorker) {
    match message {
        ToWorker::Run { id, scenarios, order } => {
            let waiting = scenarios.into_iter().enumerate().collect();
            bench.borrow_mut().jobs.push_back(Job { id, order, waiting, lanes: Vec::new() });
            schedule(bench);
        }
        ToWorker::Stop { id } => bench.borrow_mut().jobs.retain(|job| job.id != id),
        ToWorker::Bench => {
            let figures = spindle_simulate::bench::figures(&now_ms);
            post(&bench.borrow().scope, &FromWorker::Bench(figures));
        }
    }
}

fn schedule(bench: &Rc<RefCell<Bench>>) {
    let again = Rc::clone(bench);
    let mut bench = bench.borrow_mut();
    if bench.next.is_some() || bench.jobs.is_empty() {
        return;
    }
    bench.next = Some(Timeout::new(0, move || {
        again.borrow_mut().next = None;
        piece(&mut again.borrow_mut());
        schedule(&again);
    }));
}

/// Works on the first job and puts it at the end of the queue.
fn piece(bench: &mut Bench) {
    let Some(mut job) = bench.jobs.pop_front() else { return };
    let scope = bench.scope.clone();
    let started = now_ms();
    while now_ms() - started < PIECE_MS {
        let room = job.lanes.is_empty() || job.order == Order::Together;
        if room && let Some((index, scenario)) = job.waiting.pop_front() {
            match Run::new(&scenario) {
                Ok(run) => {
                    job.lanes.push(Lane { index, run, virtual_s: 0.0, reported_ms: 0.0, reported_s: 0.0 })
                }
                Err(problems) => post(&scope, &FromWorker::Refused { id: job.id, index, problems }),
            }
            continue;
        }
        let behind = job.lanes.iter_mut().min_by(|a, b| a.virtual_s.total_cmp(&b.virtual_s));
        let Some(lane) = behind else { break };
        let done = lane.run.advance(EVENTS);
        report(&scope, job.id, lane, done);
        if done {
            let index = lane.index;
            job.lanes.retain(|lane| lane.index != index);
        }
    }
    if job.lanes.is_empty() && job.waiting.is_empty() {
        post(&scope, &FromWorker::Finished { id: job.id });
    } else {
        bench.jobs.push_back(job);
    }
}

fn report(scope: &DedicatedWorkerGlobalScope, id: u32, lane: &mut Lane, done: bool) {
    let now = now_ms();
    let partial = lane.run.partial();
    lane.virtual_s = partial.virtual_s;
    if !done && now - lane.reported_ms < REPORT_MS {
        return;
    }
    // Before the first whole second there is nothing to see.
    if !done && (partial.virtual_s.floor() <= lane.reported_s || partial.throughput_tps.is_empty()) {
        return;
    }
    lane.reported_ms = now;
    lane.reported_s = partial.virtual_s.floor();
    let mut report = Box::new(lane.run.report());
    if !done {
        // The page shows neither of these while a run goes on.
        report.series.dirty_pages.clear();
        report.series.checkpoint_age_bytes.clear();
    }
    let (fraction, virtual_s) = (partial.fraction, partial.virtual_s);
    post(scope, &FromWorker::Progress { id, index: lane.index, fraction, virtual_s, done, report });
}

fn post(scope: &DedicatedWorkerGlobalScope, message: &FromWorker) {
    if let Ok(text) = serde_json::to_string(message) {
        // A page that is gone needs no answer.
        let _ = scope.post_message(&JsValue::from_str(&text));
    }
}

/// Milliseconds of wall-clock time, in page and worker alike.
pub fn now_ms() -> f64 {
    let performance = js_sys::Reflect::get(&js_sys::global(), &JsValue::from_str("performance"));
    performance.ok().and_then(|p| p.dyn_into::<web_sys::Performance>().ok()).map_or(0.0, |p| p.now())
}
