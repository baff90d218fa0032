//! Which measurements to look at: engine, kind, load, quantity, trust.

use crate::{
    language::text,
    measured::{Filter, Load, Measured},
    quantity::{engine_name, kind_words, quantity},
    term::Term,
};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What the [`FilterBar`] shows.
#[derive(Properties, PartialEq)]
pub struct FilterBarProps {
    /// What there is to choose from.
    pub measured: Rc<Measured>,
    /// What is chosen.
    pub filter: Filter,
    /// Chooses anew.
    pub change: Callback<Filter>,
}

/// The choices.
#[component]
pub fn FilterBar(props: &FilterBarProps) -> Html {
    let FilterBarProps { measured, filter, .. } = props;
    let change = |set: fn(&mut Filter, Option<String>)| {
        let (measured, filter, change) = (measured.clone(), filter.clone(), props.change.clone());
        Callback::from(move |value: Option<String>| {
            let mut filter = filter.clone();
            set(&mut filter, value);
            // An engine need not have been measured in every way.
            let kinds = measured.kinds(filter.engine.as_ref());
            if filter.kind.as_ref().is_some_and(|kind| !kinds.contains(kind)) {
                filter.kind = None;
            }
            change.emit(filter.settled(&measured));
        })
    };
    let engines = measured.engines().into_iter().map(|name| (name.clone(), engine_name(&name)));
    let kinds =
        measured.kinds(filter.engine.as_ref()).into_iter().map(|name| (name.clone(), kind_words(&name).0));
    let loads = Load::ALL.into_iter().map(|load| (load.id().to_owned(), load.words()));
    let quantities =
        measured.quantities(filter).into_iter().map(|name| (name.clone(), quantity(&name).label));
    let low_trust = {
        let (filter, change) = (filter.clone(), props.change.clone());
        Callback::from(move |event: Event| {
            let input = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok());
            change.emit(Filter { low_trust: input.is_some_and(|i| i.checked()), ..filter.clone() });
        })
    };
    let kind_meaning =
        filter.kind.as_ref().map_or_else(|| text("filter-kind-meaning"), |kind| kind_words(kind).1);
    html! {
        <form class="filters" aria-label={text("filter-label")} onsubmit={|event: SubmitEvent| event.prevent_default()}>
            { select("filter-quantity", text("filter-quantity"), quantity(&filter.quantity).meaning, false, quantities, Some(&filter.quantity),
                change(|filter, value| filter.quantity = value.unwrap_or_default())) }
            { select("filter-engine", text("filter-engine"), text("column-engine-meaning"), true, engines, filter.engine.as_deref(),
                change(|filter, value| filter.engine = value)) }
            { select("filter-kind", text("filter-kind"), kind_meaning, true, kinds, filter.kind.as_deref(),
                change(|filter, value| filter.kind = value)) }
            { select("filter-load", text("filter-load"), text("filter-load-meaning"), true, loads,
                filter.load.map(Load::id),
                change(|filter, value| filter.load = Load::ALL.into_iter().find(|load| Some(load.id()) == value.as_deref()))) }
            <div class="check">
                <input type="checkbox" id="filter-low-trust" checked={filter.low_trust} onchange={low_trust} />
                <label for="filter-low-trust">{ text("filter-low-trust") }</label>
                <Term text="?" meaning={text("filter-low-trust-meaning")} />
            </div>
        </form>
    }
}

fn select(
    id: &'static str,
    label: String,
    meaning: String,
    with_all: bool,
    options: impl Iterator<Item = (String, String)>,
    chosen: Option<&str>,
    change: Callback<Option<String>>,
) -> Html {
    let onchange = change.reform(|event: Event| {
        let select = event.target().and_then(|t| t.dyn_into::<HtmlSelectElement>().ok());
        select.map(|select| select.value()).filter(|value| !value.is_empty())
    });
    let mut options: Vec<(String, String)> = options.collect();
    // What a link asks for is shown even where nothing of that name was measured.
    if let Some(chosen) = chosen
        && !options.iter().any(|(value, _)| value == chosen)
    {
        options.push((chosen.to_owned(), chosen.to_owned()));
    }
    let options = options.into_iter().map(|(value, words)| {
        let selected = chosen == Some(value.as_str());
        html! { <option key={value.clone()} value={value} {selected}>{ words }</option> }
    });
    html! {
        <div class="choice">
            <label class="choice-label" for={id}><Term text={label} {meaning} /></label>
            <select {id} {onchange}>
                if with_all { <option value="" selected={chosen.is_none()}>{ text("filter-all") }</option> }
                { for options }
            </select>
        </div>
    }
}
