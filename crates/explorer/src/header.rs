//! The row on top: name, experiment, theme.

use crate::{
    language::LanguageSelect,
    measured::Filter,
    route::Route,
    store::{Action, Store},
    theme::Theme,
};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// What the [`Header`] shows.
#[derive(Properties, PartialEq)]
pub struct HeaderProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// Changes it.
    pub dispatch: Callback<Action>,
    /// The view on the page.
    pub route: Route,
    /// Light or dark.
    pub theme: Theme,
    /// Goes to the next theme.
    pub toggle_theme: Callback<()>,
}

/// The row on top.
#[component]
pub fn Header(props: &HeaderProps) -> Html {
    let onchange = props.dispatch.reform(|event: Event| {
        let select = event.target().and_then(|t| t.dyn_into::<HtmlSelectElement>().ok());
        Action::Card(select.map_or(0, |s| s.selected_index().max(0) as usize))
    });
    let source = props.store.card().map(|card| card.source.clone()).unwrap_or_default();
    let options = props.store.cards.iter().enumerate().map(|(at, card)| {
        html! { <option value={card.id.clone()} selected={at == props.store.card}>{ &card.title }</option> }
    });
    html! {
        <header>
            <h1>{ "Spindle" }</h1>
            if props.route == Route::Simulation {
                <label class="experiment">
                    <span class="hidden">{ "Experiment" }</span>
                    <select id="experiment" {onchange} title={source}>{ for options }</select>
                </label>
            }
            <nav aria-label="Views">
                { link("Simulation", &Route::Simulation, &props.route) }
                { link("Accuracy", &Route::Accuracy(Filter::default()), &props.route) }
            </nav>
            <LanguageSelect />
            <button class="theme" id="theme" onclick={props.toggle_theme.reform(|_: MouseEvent| ())}
                aria-label={format!("Theme: {}. Press to change", props.theme.name())}>
                <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
                    <circle cx="6" cy="6" r="5.25" fill="none" stroke="currentColor" stroke-width="1.5" />
                    <path d="M6 1a5 5 0 0 1 0 10z" fill="currentColor" />
                </svg>
                { format!(" {}", props.theme.name()) }
            </button>
        </header>
    }
}

/// A link to a view, marked where that is the present one whatever its filter.
fn link(words: &'static str, to: &Route, present: &Route) -> Html {
    let here = std::mem::discriminant(to) == std::mem::discriminant(present);
    html! { <a href={to.href()} aria-current={here.then_some("page")}>{ words }</a> }
}
