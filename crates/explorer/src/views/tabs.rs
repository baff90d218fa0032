//! The bar of tabs and the view that is open.

use super::{
    breakdown::TimeBreakdown,
    crossover::Crossover,
    devices::Devices,
    latency::Latency,
    layout::Layout,
    over_time::OverTime,
    published::Published,
    sweep::{Points, Sweep},
};
use crate::{
    accuracy_data::Loading,
    accuracy_view::AccuracyView,
    language::text,
    measured::Filter,
    store::{Action, Store},
    theme::Theme,
    view_state::{View, ViewAction},
};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

/// What [`Views`] shows.
#[derive(Properties, PartialEq)]
pub struct ViewsProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// Changes it.
    pub dispatch: Callback<Action>,
    /// Simulates points of a sweep, or stops where there are none.
    pub simulate: Callback<Points>,
    /// The measurements, as far as they are here.
    pub loading: Loading,
    /// Fetches them.
    pub load: Callback<()>,
    /// Light or dark.
    pub theme: Theme,
}

/// The name of a view.
fn name(view: View) -> String {
    text(&format!("view-{}", id(view)))
}

/// Its name in the document.
fn id(view: View) -> String {
    serde_json::to_value(view).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Tabs and view.
#[component]
pub fn Views(props: &ViewsProps) -> Html {
    let ViewsProps { store, theme, .. } = props;
    let theme = *theme;
    let state = &store.view;
    let act = props.dispatch.reform(Action::View);
    {
        // The measurements are fetched when somebody looks at them.
        let (load, idle) = (props.load.clone(), props.loading == Loading::Idle);
        use_effect_with((state.view, idle), move |(view, idle)| {
            if *view == View::Accuracy && *idle {
                load.emit(());
            }
        });
    }
    let list = use_node_ref();
    let onkeydown = {
        let (act, list, at) = (act.clone(), list.clone(), state.view);
        Callback::from(move |event: KeyboardEvent| {
            let Some(next) = beside(at, &event.key()) else { return };
            event.prevent_default();
            act.emit(ViewAction::Open(next));
            focus(&list, next);
        })
    };
    let tabs = View::ALL.into_iter().map(|view| {
        let chosen = view == state.view;
        let onclick = act.reform(move |_: MouseEvent| ViewAction::Open(view));
        html! {
            <button role="tab" id={format!("tab-{}", id(view))} class="view-tab" aria-selected={chosen.to_string()} aria-controls="view"
                tabindex={if chosen { "0" } else { "-1" }} {onclick}>{ name(view) }</button>
        }
    });
    let tabs: Html = tabs.collect();
    let body = match state.view {
        View::OverTime => html! { <OverTime store={store.clone()} course={state.course} {act} {theme} /> },
        View::Time => html! { <TimeBreakdown store={store.clone()} {theme} /> },
        View::Sweep => html! {
            <Sweep store={store.clone()} spec={state.sweep.clone()} simulated={state.simulated.clone()} {act}
                simulate={props.simulate.clone()} {theme} />
        },
        View::Crossover => {
            html! { <Crossover store={store.clone()} spec={state.crossover.clone()} {act} {theme} /> }
        }
        View::Latency => html! { <Latency store={store.clone()} {theme} /> },
        View::Layout => html! { <Layout store={store.clone()} {theme} /> },
        View::Devices => html! { <Devices store={store.clone()} strain={state.strain} {act} {theme} /> },
        View::Published => html! { <Published store={store.clone()} spec={state.published} {act} {theme} /> },
        View::Accuracy => {
            let (filter, change) = (Filter::of_query(&state.accuracy), act.reform(ViewAction::Accuracy));
            html! {
                <AccuracyView loading={props.loading.clone()} {filter} {change} again={props.load.clone()} {theme} />
            }
        }
    };
    html! {
        <section class="views" aria-label={text("nav-label")}>
            <div class="view-tabs" role="tablist" aria-label={text("nav-label")} ref={list} {onkeydown}>{ tabs }</div>
            <div id="view" class="view" role="tabpanel" aria-labelledby={format!("tab-{}", id(state.view))} data-view={id(state.view)}>
                { body }
            </div>
        </section>
    }
}

/// The view that a key leads to.
fn beside(view: View, key: &str) -> Option<View> {
    let at = View::ALL.iter().position(|known| *known == view)?;
    let count = View::ALL.len();
    let next = match key {
        "ArrowRight" => (at + 1) % count,
        "ArrowLeft" => (at + count - 1) % count,
        "Home" => 0,
        "End" => count - 1,
        _ => return None,
    };
    View::ALL.get(next).copied()
}

fn focus(list: &NodeRef, view: View) {
    let tab = list
        .cast::<HtmlElement>()
        .and_then(|list| list.query_selector(&format!("#tab-{}", id(view))).ok()?);
    if let Some(tab) = tab.and_then(|tab| tab.dyn_into::<HtmlElement>().ok()) {
        // A tab that cannot have the focus leaves it where it was.
        let _ = tab.focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_around_the_tabs() {
        assert_eq!(beside(View::OverTime, "ArrowLeft"), Some(View::Accuracy));
        assert_eq!(beside(View::Accuracy, "ArrowRight"), Some(View::OverTime));
        assert_eq!(beside(View::Sweep, "Home"), Some(View::OverTime));
        assert_eq!(beside(View::Sweep, "x"), None);
        assert_eq!(id(View::OverTime), "over-time");
    }
}
