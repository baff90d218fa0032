//! One setting: its name, a field to type into, a slider, and what is wrong with it.

use crate::{
    settings::{STEPS, Setting},
    store::{Action, Draft},
    term::Term,
};
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What a [`Knob`] shows.
#[derive(Properties, PartialEq)]
pub struct KnobProps {
    /// The setting.
    pub setting: Setting,
    /// Its value as text.
    pub text: AttrValue,
    /// Where the slider stands.
    pub position: f64,
    /// A text that was not understood and is kept.
    pub draft: Option<Draft>,
    /// What is wrong.
    pub message: Option<String>,
    /// Changes it.
    pub dispatch: Callback<Action>,
}

/// One setting.
#[component]
pub fn Knob(props: &KnobProps) -> Html {
    let setting = props.setting;
    let slider = use_node_ref();
    let field = use_node_ref();
    let shown = props.draft.as_ref().map_or_else(|| props.text.clone(), |draft| draft.text.clone().into());
    {
        // The style sheet draws the part to the left of the thumb; what a reader typed is replaced by what was
        // understood, which a changed attribute alone would not do.
        let (slider, field) = (slider.clone(), field.clone());
        use_effect_with(
            (props.position, shown.clone(), props.message.clone()),
            move |(position, shown, _)| {
                if let Some(slider) = slider.cast::<HtmlInputElement>() {
                    let share = format!("{}%", position / STEPS * 100.0);
                    let _ = slider.style().set_property("--at", &share);
                    slider.set_value(&position.to_string());
                }
                if let Some(field) = field.cast::<HtmlInputElement>() {
                    field.set_value(shown);
                }
            },
        );
    }
    let oninput = props.dispatch.reform(move |event: InputEvent| {
        let value = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok()).map(|i| i.value());
        Action::Slide(setting, value.and_then(|v| v.parse().ok()).unwrap_or(0.0))
    });
    let onchange = {
        let (dispatch, shown) = (props.dispatch.clone(), shown.clone());
        Callback::from(move |event: Event| {
            let value = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok()).map(|i| i.value());
            let value = value.unwrap_or_default();
            if value != *shown {
                dispatch.emit(Action::Type(setting, value));
            }
        })
    };
    let id = setting.id();
    let (label_id, message_id) = (format!("{id}-label"), format!("{id}-message"));
    let invalid = props.message.is_some();
    html! {
        <div class={classes!("knob", invalid.then_some("invalid"))}>
            <span class="knob-label" id={label_id.clone()}>
                <Term text={setting.label()} meaning={setting.meaning()} />
            </span>
            <input ref={field} class="field" id={id} type="text" inputmode="text" autocomplete="off" spellcheck="false"
                aria-labelledby={label_id.clone()} aria-invalid={invalid.to_string()}
                aria-describedby={invalid.then(|| message_id.clone())} value={shown} {onchange} />
            <input ref={slider} class="slider" id={format!("{id}-slider")} type="range" min="0" max={STEPS.to_string()} step="1"
                aria-labelledby={label_id} aria-valuetext={props.text.clone()} value={props.position.to_string()} {oninput} />
            <p class="message" id={message_id} role="status">{ props.message.clone().unwrap_or_default() }</p>
        </div>
    }
}
