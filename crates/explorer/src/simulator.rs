//! The page's handle on the worker.

use crate::protocol::{FromWorker, ToWorker};
use gloo::events::EventListener;
use std::{cell::RefCell, rc::Rc};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, Worker, WorkerOptions, WorkerType};

/// What comes from the worker's side.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// The worker says something.
    Message(FromWorker),
    /// The worker died; everything it was doing is lost.
    Died,
}

type Listener = Rc<dyn Fn(Heard)>;

/// A worker that is started when it is first needed, and again after it died.
#[derive(Clone)]
pub struct Simulator(Rc<RefCell<State>>);

struct State {
    listener: Listener,
    worker: Option<Live>,
    /// What is to be said once the worker listens.
    waiting: Vec<String>,
}

struct Live {
    worker: Worker,
    ready: bool,
    _listeners: [EventListener; 3],
}

impl PartialEq for Simulator {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Simulator {
    /// A handle; `listener` hears everything.
    pub fn new(listener: impl Fn(Heard) + 'static) -> Self {
        let state = State { listener: Rc::new(listener), worker: None, waiting: Vec::new() };
        let simulator = Self(Rc::new(RefCell::new(state)));
        simulator.ensure();
        simulator
    }

    /// Says something to the worker.
    pub fn say(&self, message: &ToWorker) {
        let Ok(text) = serde_json::to_string(message) else { return };
        self.ensure();
        let mut state = self.0.borrow_mut();
        match &state.worker {
            Some(live) if live.ready => {
                let _ = live.worker.post_message(&JsValue::from_str(&text));
            }
            _ => state.waiting.push(text),
        }
    }

    fn ensure(&self) {
        if self.0.borrow().worker.is_some() {
            return;
        }
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let Ok(worker) = Worker::new_with_options("./worker.js", &options) else {
            self.died();
            return;
        };
        let on = |name: &'static str, hear: fn(&Self, &web_sys::Event)| {
            let weak = Rc::downgrade(&self.0);
            EventListener::new(&worker, name, move |event| {
                if let Some(state) = weak.upgrade() {
                    hear(&Self(state), event);
                }
            })
        };
        let listeners = [
            on("message", |simulator, event| simulator.message(event)),
            on("messageerror", |simulator, _| simulator.died()),
            on("error", |simulator, _| simulator.died()),
        ];
        self.0.borrow_mut().worker = Some(Live { worker, ready: false, _listeners: listeners });
    }

    fn message(&self, event: &web_sys::Event) {
        let text = event.dyn_ref::<MessageEvent>().and_then(|event| event.data().as_string());
        let Some(message) = text.and_then(|text| serde_json::from_str::<FromWorker>(&text).ok()) else {
            return;
        };
        if message == FromWorker::Ready {
            let mut state = self.0.borrow_mut();
            let waiting = std::mem::take(&mut state.waiting);
            if let Some(live) = &mut state.worker {
                live.ready = true;
                for text in waiting {
                    let _ = live.worker.post_message(&JsValue::from_str(&text));
                }
            }
            return;
        }
        let listener = Rc::clone(&self.0.borrow().listener);
        listener(Heard::Message(message));
    }

    fn died(&self) {
        let listener = {
            let mut state = self.0.borrow_mut();
            state.waiting.clear();
            if let Some(live) = state.worker.take() {
                live.worker.terminate();
                // Its listeners are in use right now: they go once this event is over.
                gloo::timers::callback::Timeout::new(0, move || drop(live)).forget();
            }
            Rc::clone(&state.listener)
        };
        listener(Heard::Died);
    }
}
