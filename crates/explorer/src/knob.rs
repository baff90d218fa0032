//! One knob: its name, a field and a slider, or a choice, or a switch; the way back, and what is wrong with it.

use crate::{
    knob_catalogue::{Choice, Kind, Knob, Reading, STEPS},
    language::text,
    store::{Action, Draft},
    term::Term,
};
use std::rc::Rc;
use toml::Value;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What a [`KnobControl`] shows.
#[derive(Properties, PartialEq)]
pub struct KnobProps {
    /// The knob.
    pub knob: Rc<Knob>,
    /// Where it stands.
    pub reading: Reading,
    /// Where it stood when the Scenario was opened, in words, if that was elsewhere.
    pub opened: Option<AttrValue>,
    /// A text that was not understood and is kept.
    pub draft: Option<Draft>,
    /// What is wrong.
    pub message: Option<String>,
    /// Changes it.
    pub dispatch: Callback<Action>,
}

/// One knob.
#[component]
pub fn KnobControl(props: &KnobProps) -> Html {
    let id = &props.knob.id;
    let (label_id, message_id) = (format!("{id}-label"), format!("{id}-message"));
    let message = props.message.clone().unwrap_or_default();
    let control = match (&props.knob.kind, &props.reading) {
        (Kind::Choice(choices), Reading::Word(word)) => select(props, choices, word),
        (_, Reading::On(on)) => switch(props, *on),
        (_, Reading::Number(number)) => html! {
            <NumberControl knob={props.knob.clone()} number={*number} draft={props.draft.clone()}
                invalid={props.message.is_some()} dispatch={props.dispatch.clone()} />
        },
        (_, Reading::Word(_)) => html! {},
    };
    let shape = match props.knob.kind {
        Kind::Choice(_) => "choice-knob",
        _ if props.knob.kind.is_number() => "number-knob",
        _ => "switch-knob",
    };
    html! {
        <div class={classes!("knob", shape, props.message.is_some().then_some("invalid"))} data-path={props.knob.path.clone()}>
            <span class={classes!("knob-label", props.knob.is_own_name().then_some("own-name"))} id={label_id}>
                <Term text={props.knob.label()} meaning={props.knob.meaning()} />
                { reset(props) }
            </span>
            { control }
            <p class="message" id={message_id} role="status">{ message }</p>
        </div>
    }
}

fn reset(props: &KnobProps) -> Html {
    let Some(opened) = &props.opened else { return html! {} };
    let path = props.knob.path.clone();
    let onclick = props.dispatch.reform(move |_: MouseEvent| Action::ResetKnob(path.clone()));
    let label = text!("knob-reset-label", knob = props.knob.label(), value = opened.to_string());
    html! {
        <button class="quiet knob-reset" id={format!("{}-reset", props.knob.id)} {onclick} title={label.clone()} aria-label={label}>
            { text("knob-reset") }
        </button>
    }
}

fn turn(path: &str, value: Value, dragged: bool) -> Action {
    Action::Turn { path: path.to_owned(), value, dragged }
}

fn select(props: &KnobProps, choices: &[Choice], word: &str) -> Html {
    let path = props.knob.path.clone();
    let onchange = props.dispatch.reform(move |event: Event| {
        let select = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
        turn(&path, Value::String(select.map(|select| select.value()).unwrap_or_default()), false)
    });
    let options = choices.iter().map(|choice| {
        html! {
            <option key={choice.value.clone()} value={choice.value.clone()} selected={choice.value == word}>{ choice.label() }</option>
        }
    });
    let id = &props.knob.id;
    html! {
        <select id={id.clone()} aria-labelledby={format!("{id}-label")} {onchange}>{ for options }</select>
    }
}

fn switch(props: &KnobProps, on: bool) -> Html {
    let (path, kind) = (props.knob.path.clone(), props.knob.kind.clone());
    let onchange = props.dispatch.reform(move |event: Event| {
        let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        let value = match (input.is_some_and(|input| input.checked()), &kind) {
            (true, Kind::Part(part)) => part.clone(),
            (on, _) => Value::Boolean(on),
        };
        turn(&path, value, false)
    });
    let id = &props.knob.id;
    html! {
        <input id={id.clone()} type="checkbox" aria-labelledby={format!("{id}-label")} checked={on} {onchange} />
    }
}

/// What a [`NumberControl`] shows.
#[derive(Properties, PartialEq)]
struct NumberProps {
    knob: Rc<Knob>,
    number: f64,
    draft: Option<Draft>,
    invalid: bool,
    dispatch: Callback<Action>,
}

/// Steps of a key on the slider's scale.
fn key_steps(event: &KeyboardEvent) -> Option<f64> {
    // With Shift the smallest step, which a slider of many values would otherwise jump over.
    let small = if event.shift_key() { 1.0 } else { STEPS / 100.0 };
    match event.key().as_str() {
        "ArrowUp" | "ArrowRight" => Some(small),
        "ArrowDown" | "ArrowLeft" => Some(-small),
        "PageUp" => Some(STEPS / 10.0),
        "PageDown" => Some(-STEPS / 10.0),
        _ => None,
    }
}

/// A field to type into and a slider.
#[component]
fn NumberControl(props: &NumberProps) -> Html {
    let (slider, field) = (use_node_ref(), use_node_ref());
    let knob = &props.knob;
    let (position, text) = (knob.position(props.number), knob.text(props.number));
    let shown = props.draft.as_ref().map_or_else(|| text.clone(), |draft| draft.text.clone());
    {
        // The style sheet draws the part to the left of the thumb; what a reader typed is replaced by what was
        // understood, which a changed attribute alone would not do.
        let (slider, field) = (slider.clone(), field.clone());
        use_effect_with((position, shown.clone(), props.invalid), move |(position, shown, _)| {
            if let Some(slider) = slider.cast::<HtmlInputElement>() {
                let share = format!("{}%", position / STEPS * 100.0);
                let _ = slider.style().set_property("--at", &share);
                slider.set_value(&position.to_string());
            }
            if let Some(field) = field.cast::<HtmlInputElement>() {
                field.set_value(shown);
            }
        });
    }
    let value_of = |event: &Event| {
        event
            .target()
            .and_then(|target| target.dyn_into::<HtmlInputElement>().ok())
            .map(|input| input.value())
    };
    let oninput = {
        let knob = knob.clone();
        props.dispatch.reform(move |event: InputEvent| {
            let position = value_of(&event).and_then(|value| value.parse().ok()).unwrap_or(0.0);
            turn(&knob.path, knob.value(knob.number_at(position)), true)
        })
    };
    let onkeydown = {
        let (knob, dispatch, number) = (knob.clone(), props.dispatch.clone(), props.number);
        Callback::from(move |event: KeyboardEvent| {
            if let Some(steps) = key_steps(&event) {
                event.prevent_default();
                dispatch.emit(turn(&knob.path, knob.value(knob.stepped(number, steps)), true));
            }
        })
    };
    let settle = {
        let dispatch = props.dispatch.clone();
        Callback::from(move |()| dispatch.emit(Action::Settle))
    };
    let onchange = {
        let (knob, dispatch, shown) = (knob.clone(), props.dispatch.clone(), shown.clone());
        Callback::from(move |event: Event| {
            let typed = value_of(&event).unwrap_or_default();
            if typed != shown {
                dispatch.emit(match knob.parse(&typed) {
                    Ok(number) => turn(&knob.path, knob.value(number), false),
                    Err(message) => {
                        let draft = Draft { text: typed, message };
                        Action::Mistype { path: knob.path.clone(), draft }
                    }
                });
            }
        })
    };
    let id = &knob.id;
    let label_id = format!("{id}-label");
    html! {
        <>
            <input ref={field} class="field" id={id.clone()} type="text" inputmode="text" autocomplete="off" spellcheck="false"
                aria-labelledby={label_id.clone()} aria-invalid={props.invalid.to_string()}
                aria-describedby={props.invalid.then(|| format!("{id}-message"))} value={shown} {onchange} />
            <input ref={slider} class="slider" id={format!("{id}-slider")} type="range" min="0" max={STEPS.to_string()} step="1"
                aria-labelledby={label_id} aria-valuetext={text} value={position.to_string()} {oninput} {onkeydown}
                onpointerup={settle.reform(|_: PointerEvent| ())} onpointercancel={settle.reform(|_: PointerEvent| ())}
                onkeyup={settle.reform(|_: KeyboardEvent| ())} onblur={settle.reform(|_: FocusEvent| ())} />
        </>
    }
}
