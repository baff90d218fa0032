//! What the address says: a link to the page's whole state, or to a view beside it.

use crate::measured::Filter;
use gloo::events::EventListener;
use spindle_scenario::link::is_link;
use std::cell::RefCell;
use wasm_bindgen::JsValue;
use yew::prelude::*;

/// A view of the page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Route {
    /// The simulation.
    #[default]
    Simulation,
    /// How far to trust it.
    Accuracy(Filter),
}

impl Route {
    /// The view that the part of an address after its `#` names; the simulation for whatever is not known.
    pub fn of_hash(hash: &str) -> Self {
        let hash = hash.trim_start_matches('#');
        let (name, query) = hash.split_once('?').unwrap_or((hash, ""));
        match name {
            "accuracy" => Self::Accuracy(Filter::of_query(query)),
            _ => Self::Simulation,
        }
    }

    /// A link to it.
    pub fn href(&self) -> String {
        match self {
            Self::Simulation => "#".into(),
            Self::Accuracy(filter) => format!("#accuracy{}", filter.query()),
        }
    }
}

/// The part of the address from its `#` on.
pub fn hash() -> String {
    web_sys::window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}

/// The link to the page's state in the address, if there is one, whole or damaged.
pub fn linked() -> Option<String> {
    let hash = hash();
    (hash.starts_with("#v") && is_link(&hash)).then_some(hash)
}

/// The whole address with another part after its `#`.
pub fn address(hash: &str) -> String {
    let here = web_sys::window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    format!("{}{hash}", here.split('#').next().unwrap_or_default())
}

/// Shows something in the address in place of what is there: no step in the browser's own history.
pub fn replace(hash: &str) {
    // An address that cannot be changed is only a link less.
    if let Some(history) = web_sys::window().and_then(|window| window.history().ok()) {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(hash));
    }
}

/// The view that the address names, followed as it changes, and a way to go to another without a step in the history.
/// `opened` hears of each link to a state that the address changes to.
#[hook]
pub fn use_route(opened: Callback<String>) -> (Route, Callback<Route>) {
    let route = use_state(|| Route::of_hash(&hash()));
    {
        let setter = route.setter();
        use_effect_with((), move |()| {
            let listener = web_sys::window().map(|window| {
                let last = RefCell::new(Route::of_hash(&hash()));
                EventListener::new(&window, "hashchange", move |_| {
                    let next = Route::of_hash(&hash());
                    let before = last.replace(next.clone());
                    // Within the simulation a link leads to a place further down; elsewhere to another picture.
                    if (before, &next) != (Route::Simulation, &Route::Simulation)
                        && let Some(window) = web_sys::window()
                    {
                        window.scroll_to_with_x_and_y(0.0, 0.0);
                    }
                    if let Some(link) = linked() {
                        opened.emit(link);
                    }
                    setter.set(next);
                })
            });
            move || drop(listener)
        });
    }
    let setter = route.setter();
    let go = Callback::from(move |next: Route| {
        replace(&next.href());
        setter.set(next);
    });
    ((*route).clone(), go)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_views() {
        assert_eq!(Route::of_hash(""), Route::Simulation);
        assert_eq!(Route::of_hash("#elsewhere?quantity=x"), Route::Simulation);
        assert_eq!(Route::of_hash("#v1:eJw"), Route::Simulation);
        assert_eq!(Route::of_hash("#accuracy"), Route::Accuracy(Filter::default()));
        let filter = Filter { quantity: "page_reads".into(), low_trust: true, ..Filter::default() };
        let route = Route::Accuracy(filter);
        assert_eq!(route.href(), "#accuracy?quantity=page_reads&low-trust=yes");
        assert_eq!(Route::of_hash(&route.href()), route);
    }
}
