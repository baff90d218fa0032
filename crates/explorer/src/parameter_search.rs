//! The knobs that few people need, behind a search by name and effect.

use crate::{knob_catalogue::Knob, language::text};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What a [`ParameterSearch`] shows.
#[derive(Properties, PartialEq)]
pub struct ParameterSearchProps {
    /// The knobs.
    pub knobs: Vec<Rc<Knob>>,
    /// Their controls, in the same order.
    pub controls: Vec<Html>,
}

/// Knobs behind a search.
#[component]
pub fn ParameterSearch(props: &ParameterSearchProps) -> Html {
    let wanted = use_state(String::new);
    let open = use_state(|| false);
    let oninput = {
        let (wanted, open) = (wanted.setter(), open.setter());
        Callback::from(move |event: InputEvent| {
            let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            let value = input.map(|input| input.value()).unwrap_or_default();
            open.set(!value.trim().is_empty());
            wanted.set(value.trim().to_lowercase());
        })
    };
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let is_wanted = |knob: &Knob| {
        let about = format!("{} {}", knob.label(), knob.meaning()).to_lowercase();
        wanted.split_whitespace().all(|word| about.contains(word))
    };
    let found: Vec<Html> = props
        .knobs
        .iter()
        .zip(&props.controls)
        .filter(|(knob, _)| is_wanted(knob))
        .map(|(_, control)| control.clone())
        .collect();
    html! {
        <div class="search">
            <div class="search-row">
                <input id="parameter-search" type="search" autocomplete="off" spellcheck="false"
                    placeholder={text("parameter-search")} aria-label={text("parameter-search")} {oninput} />
                <button class="quiet" id="parameters-more" aria-expanded={open.to_string()} onclick={toggle}>
                    { if *open { text("parameters-fewer") } else { text!("parameters-more", count = props.knobs.len()) } }
                </button>
            </div>
            if *open {
                if found.is_empty() { <p class="muted small" role="status">{ text("parameters-none") }</p> }
                { for found }
            }
        </div>
    }
}
