//! One of a few things, side by side.

use yew::prelude::*;

/// What a [`Choice`] offers.
#[derive(Properties, PartialEq)]
pub struct ChoiceProps {
    /// What is chosen, in a word or two.
    pub legend: AttrValue,
    /// Name of the group in the document.
    pub name: AttrValue,
    /// What there is to choose from.
    pub options: Vec<String>,
    /// Which one is chosen.
    pub chosen: usize,
    /// Chooses another one.
    pub choose: Callback<usize>,
}

/// The choice.
#[component]
pub fn Choice(props: &ChoiceProps) -> Html {
    let options = props.options.iter().enumerate().map(|(at, label)| {
        let onchange = props.choose.reform(move |_: Event| at);
        html! {
            <label class="segment">
                <input type="radio" name={props.name.clone()} checked={at == props.chosen} {onchange} />
                <span>{ label }</span>
            </label>
        }
    });
    html! {
        <fieldset class="view-choice">
            <legend>{ &props.legend }</legend>
            <div class="segments">{ for options }</div>
        </fieldset>
    }
}
