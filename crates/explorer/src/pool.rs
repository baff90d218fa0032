//! The page's workers: started as they are needed, replaced where they die, ended when nothing is asked of them.

use crate::{
    protocol::{Death, FromWorker, Job, Reply, ToWorker, extend, read},
    schedule::{Command, Schedule},
    view_state::SimulatedPoint,
};
use gloo::{events::EventListener, timers::callback::Timeout};
use spindle_report::Series;
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// How long a worker may go on with what it was told to stop before it is replaced, in milliseconds.
const PATIENCE_MS: u32 = 200;
/// Points of a sweep are gathered for so long, so that the page does not draw for each of them, in milliseconds.
const GATHER_MS: u32 = 100;
/// Workers end when nothing was asked of them for so long, in milliseconds: a worker's memory never shrinks by itself.
const REST_MS: u32 = 30_000;

/// The page's workers.
#[derive(Clone)]
pub struct Pool(Rc<State>);

struct State {
    listener: Box<dyn Fn(FromWorker)>,
    inner: RefCell<Inner>,
}

struct Inner {
    schedule: Schedule,
    workers: BTreeMap<u32, Live>,
    /// The seconds that runs have shown so far.
    series: BTreeMap<(u32, usize), Series>,
    /// Points that the page has not heard of yet, by job.
    points: BTreeMap<u32, Vec<(usize, SimulatedPoint)>>,
    /// When it hears of them.
    gathering: Option<Timeout>,
    /// When workers end.
    resting: Option<Timeout>,
}

struct Live {
    worker: Worker,
    ready: bool,
    /// What is to be said once the worker listens.
    waiting: Vec<String>,
    /// What the program found wrong with itself before it died.
    panic: Option<String>,
    _listeners: [EventListener; 3],
}

impl PartialEq for Pool {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Pool {
    /// Workers for this machine's processors; `listener` hears everything, and never while the pool is asked something.
    pub fn new(listener: impl Fn(FromWorker) + 'static) -> Self {
        let inner = Inner {
            schedule: Schedule::new(processors()),
            workers: BTreeMap::new(),
            series: BTreeMap::new(),
            points: BTreeMap::new(),
            gathering: None,
            resting: None,
        };
        Self(Rc::new(State { listener: Box::new(listener), inner: RefCell::new(inner) }))
    }

    /// Takes a job and says its number.
    pub fn run(&self, job: Job) -> u32 {
        let (number, commands) = {
            let mut inner = self.0.inner.borrow_mut();
            inner.resting = None;
            inner.schedule.add(job)
        };
        match commands.as_slice() {
            // A job of nothing is over before its number is known to anybody.
            [Command::Finished { .. }] => {
                self.later(0, move |pool| pool.obey(commands)).forget();
            }
            _ => self.obey(commands),
        }
        number
    }

    /// Gives a job up: nothing more is heard of it.
    pub fn stop(&self, job: u32) {
        let commands = {
            let mut inner = self.0.inner.borrow_mut();
            inner.series.retain(|(of, _), _| *of != job);
            inner.points.remove(&job);
            inner.schedule.stop(job)
        };
        self.obey(commands);
    }

    fn obey(&self, commands: Vec<Command>) {
        for command in commands {
            match command {
                Command::Start { worker } => self.start(worker),
                Command::Run { worker, task } => self.say(worker, &ToWorker::Run(task)),
                Command::Stop { worker, job } => {
                    self.say(worker, &ToWorker::Stop { job });
                    self.later(PATIENCE_MS, move |pool| {
                        let commands = pool.0.inner.borrow_mut().schedule.replace(worker, job);
                        pool.obey(commands);
                    })
                    .forget();
                }
                Command::End { worker } => self.end(worker),
                Command::Lost { job, index, death } => self.tell(FromWorker::Died { id: job, index, death }),
                Command::Finished { job } => self.tell(FromWorker::Finished { id: job }),
            }
        }
        let mut inner = self.0.inner.borrow_mut();
        if inner.schedule.is_idle() && inner.resting.is_none() && !inner.workers.is_empty() {
            inner.resting = Some(self.later(REST_MS, |pool| {
                let commands = {
                    let mut inner = pool.0.inner.borrow_mut();
                    inner.resting = None;
                    inner.schedule.rest()
                };
                pool.obey(commands);
            }));
        }
    }

    fn start(&self, number: u32) {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let Ok(worker) = Worker::new_with_options("./worker.js", &options) else {
            // Whoever asked for it is not listening yet.
            self.later(0, move |pool| pool.died(number, "")).forget();
            return;
        };
        // The program is compiled already; the worker only needs memory of its own.
        let _ = worker.post_message(&wasm_bindgen::module());
        let on = |name: &'static str, hear: fn(&Self, u32, &web_sys::Event)| {
            let weak = Rc::downgrade(&self.0);
            EventListener::new(&worker, name, move |event| {
                if let Some(state) = weak.upgrade() {
                    hear(&Self(state), number, event);
                }
            })
        };
        let listeners = [
            on("message", |pool, number, event| pool.message(number, event)),
            on("messageerror", |pool, number, _| pool.died(number, "a message that cannot be read")),
            on("error", |pool, number, event| {
                let words = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
                pool.died(number, &words);
            }),
        ];
        let live = Live { worker, ready: false, waiting: Vec::new(), panic: None, _listeners: listeners };
        self.0.inner.borrow_mut().workers.insert(number, live);
    }

    fn say(&self, number: u32, message: &ToWorker) {
        let Ok(text) = serde_json::to_string(message) else { return };
        let mut inner = self.0.inner.borrow_mut();
        match inner.workers.get_mut(&number) {
            Some(live) if live.ready => {
                let _ = live.worker.post_message(&JsValue::from_str(&text));
            }
            Some(live) => live.waiting.push(text),
            None => {}
        }
    }

    /// A worker's words, alone or with the numbers of a series beside them.
    fn message(&self, number: u32, event: &web_sys::Event) {
        let Some(data) = event.dyn_ref::<MessageEvent>().map(MessageEvent::data) else { return };
        let (text, numbers) = match data.dyn_ref::<js_sys::Array>() {
            Some(pair) => (pair.get(0).as_string(), pair.get(1).dyn_into::<js_sys::Float64Array>().ok()),
            None => (data.as_string(), None),
        };
        let Some(reply) = text.and_then(|text| read::<Reply>(&text)) else { return };
        self.hear(number, reply, &numbers.map(|numbers| numbers.to_vec()).unwrap_or_default());
    }

    fn hear(&self, worker: u32, reply: Reply, numbers: &[f64]) {
        let has = |job, index| self.0.inner.borrow().schedule.has(worker, job, index);
        match reply {
            Reply::Ready => self.ready(worker),
            Reply::Busy { job, index } => self.0.inner.borrow_mut().schedule.busy(worker, job, index),
            Reply::Stopped { job } => self.0.inner.borrow_mut().schedule.stopped(worker, job),
            Reply::Panicked { message } => {
                if let Some(live) = self.0.inner.borrow_mut().workers.get_mut(&worker) {
                    live.panic = Some(message);
                }
            }
            Reply::Progress { job, index, fraction, virtual_s, done, mut report, from } => {
                if !has(job, index) {
                    return;
                }
                report.series =
                    self.whole_series((job, index), report.series.interval_s, from, numbers, done);
                self.tell(FromWorker::Progress { id: job, index, fraction, virtual_s, done, report });
                if done {
                    self.done(worker, job, index);
                }
            }
            Reply::Point { job, index, point } => {
                if has(job, index) {
                    self.gather(job, index, point);
                    self.done(worker, job, index);
                }
            }
            Reply::Refused { job, index, problems } => {
                if has(job, index) {
                    self.tell(FromWorker::Refused { id: job, index, problems });
                    self.done(worker, job, index);
                }
            }
        }
    }

    /// The series of a run up to now; `numbers` are its seconds from `from` on. After the last of them it is forgotten.
    fn whole_series(
        &self,
        run: (u32, usize),
        interval_s: f64,
        from: usize,
        numbers: &[f64],
        last: bool,
    ) -> Series {
        let mut inner = self.0.inner.borrow_mut();
        let series = inner.series.entry(run).or_default();
        series.interval_s = interval_s;
        extend(series, from, numbers);
        let whole = series.clone();
        if last {
            inner.series.remove(&run);
        }
        whole
    }

    fn ready(&self, number: u32) {
        let mut inner = self.0.inner.borrow_mut();
        inner.schedule.ready(number);
        let Some(live) = inner.workers.get_mut(&number) else { return };
        live.ready = true;
        for text in std::mem::take(&mut live.waiting) {
            let _ = live.worker.post_message(&JsValue::from_str(&text));
        }
    }

    fn done(&self, worker: u32, job: u32, index: usize) {
        let commands = self.0.inner.borrow_mut().schedule.done(worker, job, index);
        self.obey(commands);
    }

    fn died(&self, number: u32, words: &str) {
        let commands = {
            let mut inner = self.0.inner.borrow_mut();
            let live = inner.workers.get(&number);
            let panic = live.and_then(|live| live.panic.clone());
            let death = Death::of(live.is_some_and(|live| live.ready), panic.as_deref(), words);
            inner.schedule.died(number, &death)
        };
        self.end(number);
        self.obey(commands);
    }

    fn end(&self, number: u32) {
        let Some(live) = self.0.inner.borrow_mut().workers.remove(&number) else { return };
        live.worker.terminate();
        // Its listeners may be in use right now: they go once this event is over.
        Timeout::new(0, move || drop(live)).forget();
    }

    /// Keeps a point until it is told with others.
    fn gather(&self, job: u32, index: usize, point: SimulatedPoint) {
        let mut inner = self.0.inner.borrow_mut();
        inner.points.entry(job).or_default().push((index, point));
        if inner.gathering.is_none() {
            inner.gathering = Some(self.later(GATHER_MS, Self::tell_points));
        }
    }

    fn tell_points(&self) {
        let points = {
            let mut inner = self.0.inner.borrow_mut();
            inner.gathering = None;
            std::mem::take(&mut inner.points)
        };
        for (id, points) in points {
            (self.0.listener)(FromWorker::Points { id, points });
        }
    }

    /// Tells the page, which hears of points before it hears that they were the last.
    fn tell(&self, message: FromWorker) {
        if matches!(message, FromWorker::Finished { .. }) {
            self.tell_points();
        }
        (self.0.listener)(message);
    }

    /// Does something later, unless the page is gone by then.
    fn later(&self, ms: u32, what: impl FnOnce(&Self) + 'static) -> Timeout {
        let weak = Rc::downgrade(&self.0);
        Timeout::new(ms, move || {
            if let Some(state) = weak.upgrade() {
                what(&Self(state));
            }
        })
    }
}

/// Processors of this machine, as far as the browser tells.
fn processors() -> usize {
    web_sys::window().map_or(1, |window| window.navigator().hardware_concurrency() as usize)
}
