//! The row on top: name, experiment, steps back and forth, comparison, sharing, keys, theme.

use crate::{
    language::{LanguageSelect, data_words, text},
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
    /// The link that leads back to the simulation as it is.
    pub simulation: AttrValue,
    /// Light or dark.
    pub theme: Theme,
    /// Goes to the next theme.
    pub toggle_theme: Callback<()>,
    /// Whether the panel for sharing is open.
    pub sharing: bool,
    /// Opens and closes it.
    pub toggle_sharing: Callback<()>,
    /// Opens the list of keys.
    pub show_keys: Callback<()>,
}

/// The row on top.
#[component]
pub fn Header(props: &HeaderProps) -> Html {
    let is_simulation = props.route == Route::Simulation;
    html! {
        <header>
            <h1>{ "Spindle" }</h1>
            if is_simulation {
                { experiment(props) }
                { tools(props) }
            }
            <nav aria-label={text("nav-label")}>
                { link(&text("nav-simulation"), &props.simulation, is_simulation) }
                { link(&text("nav-accuracy"), &Route::Accuracy(Filter::default()).href(), !is_simulation) }
            </nav>
            <LanguageSelect />
            <button class="theme" id="show-keys" onclick={props.show_keys.reform(|_: MouseEvent| ())}>{ text("keys-button") }</button>
            <button class="theme" id="theme" onclick={props.toggle_theme.reform(|_: MouseEvent| ())}
                aria-label={text!("theme-label", theme = text(&format!("theme-{}", props.theme.name())))}>
                <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
                    <circle cx="6" cy="6" r="5.25" fill="none" stroke="currentColor" stroke-width="1.5" />
                    <path d="M6 1a5 5 0 0 1 0 10z" fill="currentColor" />
                </svg>
                <span class="tool-words">{ text(&format!("theme-{}", props.theme.name())) }</span>
            </button>
        </header>
    }
}

fn experiment(props: &HeaderProps) -> Html {
    let store = &props.store;
    let onchange = props.dispatch.reform(|event: Event| {
        let select = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
        let chosen = select.and_then(|select| select.value().parse().ok());
        chosen.map_or(Action::OpenExample, Action::Card)
    });
    let source = store.card().map(|card| card.source.clone()).unwrap_or_default();
    let is_own = store.pair().is_none();
    let options = store.cards.iter().enumerate().map(|(at, card)| {
        let selected = at == store.card && !is_own;
        html! { <option value={at.to_string()} {selected}>{ data_words(&card.title) }</option> }
    });
    html! {
        <label class="experiment">
            <span class="hidden">{ text("experiment") }</span>
            <select id="experiment" {onchange} title={source}>
                if is_own { <option value="own" selected=true disabled=true>{ text("experiment-own") }</option> }
                { for options }
            </select>
        </label>
    }
}

fn tools(props: &HeaderProps) -> Html {
    let store = &props.store;
    let (back, forth) = store.ways();
    let tool = |id: &'static str, words: String, enabled: bool, action: Action| {
        let onclick = props.dispatch.reform(move |_: MouseEvent| action.clone());
        html! { <button class="tool" {id} disabled={!enabled} {onclick}>{ words }</button> }
    };
    html! {
        <div class="tools" role="toolbar" aria-label={text("tools-label")}>
            { tool("undo", text("undo"), back, Action::Undo) }
            { tool("redo", text("redo"), forth, Action::Redo) }
            if store.compare {
                { tool("swap", text("swap"), true, Action::Swap) }
                { tool("unpin", text("unpin"), true, Action::Unpin) }
            }
            { tool("pin", text("pin"), true, Action::Pin) }
            <button class="tool" id="share" aria-expanded={props.sharing.to_string()} aria-controls="share-panel"
                onclick={props.toggle_sharing.reform(|_: MouseEvent| ())}>{ text("share") }</button>
        </div>
    }
}

/// A link to a view, marked where that is the present one.
fn link(words: &str, to: &str, here: bool) -> Html {
    html! { <a href={to.to_owned()} aria-current={here.then_some("page")}>{ words.to_owned() }</a> }
}
