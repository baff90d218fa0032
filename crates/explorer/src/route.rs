//! Which view a link leads to.

use crate::measured::Filter;
use gloo::events::EventListener;
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

    fn current() -> Self {
        let hash = web_sys::window().and_then(|window| window.location().hash().ok());
        Self::of_hash(&hash.unwrap_or_default())
    }

    /// Shows it in the address, in place of the present one.
    fn replace(&self) {
        // An address that cannot be changed is only a link less.
        if let Some(history) = web_sys::window().and_then(|window| window.history().ok()) {
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&self.href()));
        }
    }
}

/// The view that the address names, followed as it changes, and a way to go to another without a step in the history.
#[hook]
pub fn use_route() -> (Route, Callback<Route>) {
    let route = use_state(Route::current);
    {
        let setter = route.setter();
        use_effect_with((), move |()| {
            let listener = web_sys::window().map(|window| {
                let last = RefCell::new(Route::current());
                EventListener::new(&window, "hashchange", move |_| {
                    let next = Route::current();
                    let before = last.replace(next.clone());
                    // Within the simulation a link leads to a place further down; elsewhere to another picture.
                    if (before, &next) != (Route::Simulation, &Route::Simulation)
                        && let Some(window) = web_sys::window()
                    {
                        window.scroll_to_with_x_and_y(0.0, 0.0);
                    }
                    setter.set(next);
                })
            });
            move || drop(listener)
        });
    }
    let setter = route.setter();
    let go = Callback::from(move |next: Route| {
        next.replace();
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
        assert_eq!(Route::of_hash("#accuracy"), Route::Accuracy(Filter::default()));
        let filter = Filter { quantity: "page_reads".into(), low_trust: true, ..Filter::default() };
        let route = Route::Accuracy(filter);
        assert_eq!(route.href(), "#accuracy?quantity=page_reads&low-trust=yes");
        assert_eq!(Route::of_hash(&route.href()), route);
    }
}
