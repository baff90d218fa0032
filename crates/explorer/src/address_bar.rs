//! The address follows the page, and so does what this machine remembers of it.

use crate::{
    route::{Route, replace},
    session::{keep, link},
    store::{Notice, Store},
};
use gloo::timers::callback::Timeout;
use std::{cell::RefCell, rc::Rc};
use yew::prelude::*;

/// How long the page rests before the address follows, in milliseconds: a browser refuses an address that changes more
/// than some hundred times in half a minute, and packing a scenario is no work for every step of a slider.
const REST_MS: u32 = 400;

/// Writes the page's state into the address once it rests. A first visit's address stays bare.
#[hook]
pub fn use_address(store: &Rc<Store>, route: &Route) {
    let timer = use_mut_ref(|| None::<Timeout>);
    let started = use_mut_ref(|| false);
    let subject = (store.scenarios.clone(), store.page_state(), route.clone());
    let store = Rc::clone(store);
    use_effect_with(subject, move |(_, _, route)| {
        if *route != Route::Simulation {
            timer.borrow_mut().take();
            return;
        }
        let first = !started.replace(true);
        // A damaged link stays where it is until something changes: who gave it may still repair it.
        if first && (store.is_example() || matches!(store.notice, Some(Notice::Damaged { .. }))) {
            return;
        }
        let write: Rc<RefCell<Option<Timeout>>> = Rc::clone(&timer);
        *write.borrow_mut() = Some(Timeout::new(REST_MS, move || {
            let link = link(&store);
            replace(&link);
            keep(&store, &link);
        }));
    });
}
