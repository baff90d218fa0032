//! The choice of a knob for an axis, its ends and its scale.

use super::knob_axis;
use crate::{language::text, view_state::AxisSpec};
use spindle_scenario::Scenario;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What a [`KnobSelect`] chooses.
#[derive(Properties, PartialEq)]
pub struct KnobSelectProps {
    /// Its name in the document.
    pub id: AttrValue,
    /// What the knob is for.
    pub label: AttrValue,
    /// The Scenario that it belongs to.
    pub scenario: Rc<Scenario>,
    /// The knob that is chosen.
    pub path: String,
    /// Its axis.
    pub spec: AxisSpec,
    /// Chooses another one, or other ends.
    pub change: Callback<AxisSpec>,
}

/// The choice.
#[component]
pub fn KnobSelect(props: &KnobSelectProps) -> Html {
    let KnobSelectProps { id, scenario, path, spec, .. } = props;
    let options = knob_axis::knobs(scenario).into_iter().map(|(known, name)| {
        let selected = known == *path;
        html! { <option value={known} {selected}>{ name }</option> }
    });
    let choose = props.change.reform(|event: Event| {
        let select = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
        AxisSpec { path: select.map(|select| select.value()), ..AxisSpec::default() }
    });
    let [from, to] = knob_axis::range(scenario, path, spec);
    let unit = knob_axis::unit(scenario, path);
    let end = |which: &'static str, key: &str, value: f64, set: fn(&mut AxisSpec, Option<f64>)| {
        let (spec, change) = (spec.clone(), props.change.clone());
        let bytes = unit == crate::figure::Unit::Bytes;
        let onchange = Callback::from(move |event: Event| {
            let text = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            let typed = text.map(|input| input.value()).unwrap_or_default();
            let mut next = spec.clone();
            // What is not understood leaves the axis as it comes by itself.
            set(&mut next, read_end(&typed, bytes));
            change.emit(next);
        });
        let shown = if bytes { unit.words(value) } else { crate::format::digits(value, 4) };
        html! {
            <label class="axis-end"><span>{ text(key) }</span><input id={format!("{id}-{which}")} class="field" value={shown} {onchange} /></label>
        }
    };
    let scale = {
        let (spec, change) = (spec.clone(), props.change.clone());
        Callback::from(move |_: Event| change.emit(AxisSpec { linear: !spec.linear, ..spec.clone() }))
    };
    html! {
        <div class="knob-select">
            <label><span>{ &props.label }</span><select {id} onchange={choose}>{ for options }</select></label>
            { end("from", "axis-from", from, |spec, value| spec.from = value) }
            { end("to", "axis-to", to, |spec, value| spec.to = value) }
            <label class="axis-log"><input id={format!("{id}-log")} type="checkbox" checked={!spec.linear} onchange={scale} /><span>{ text("axis-log") }</span></label>
        </div>
    }
}

/// A number as administrators write it; bytes where the axis has bytes.
fn read_end(typed: &str, bytes: bool) -> Option<f64> {
    let value = if bytes {
        crate::format::parse_bytes(typed).ok()?
    } else {
        crate::format::parse_count(typed).ok()?
    };
    (value.is_finite() && value > 0.0).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_read_as_they_are_typed() {
        assert_eq!(read_end("4G", true), Some(4.0 * 2f64.powi(30)));
        assert_eq!(read_end("15k", false), Some(15_000.0));
        for text in ["", "many", "-3", "0", "1e999"] {
            assert_eq!(read_end(text, false), None, "{text}");
            assert_eq!(read_end(text, true).filter(|value| *value > 0.0), None, "{text}");
        }
    }
}
