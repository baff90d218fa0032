//! The measurements that the model misses by most.

use crate::{
    engine_mark::EngineMark,
    format::{error, number},
    language::{data_words, text},
    measured::{Figure, Point},
    term::Term,
};
use yew::prelude::*;

/// What the [`WorstTable`] shows.
#[derive(Properties, PartialEq)]
pub struct WorstTableProps {
    /// The figures, the worst first.
    pub points: Vec<Point>,
    /// Their unit.
    pub unit: AttrValue,
}

/// The worst measurements.
#[component]
pub fn WorstTable(props: &WorstTableProps) -> Html {
    if props.points.is_empty() {
        return html! { <p class="muted">{ text("worst-none") }</p> };
    }
    let rows = props.points.iter().map(|point| {
        html! {
            <tr>
                <th scope="row"><EngineMark engine={point.engine.clone()} /><span class="cell-id">{ breakable(&point.id) }</span>
                    if !point.figure.trusted { <span class="muted">{ " " }{ text!("low-trust-because", reason = data_words(&point.trust)) }</span> }
                </th>
                <td class="number strong" data-label={text("column-model")}>{ number(point.figure.model) }</td>
                <td class="number" data-label={text("column-measured")}>{ number(point.figure.truth) }</td>
                <td class="number" data-label={text("column-error")}>{ error_words(&point.figure) }</td>
            </tr>
        }
    });
    html! {
        <table class="worst">
            <thead>
                <tr>
                    <th scope="col">{ text("column-measurement") }</th>
                    <th scope="col" class="number"><Term text={text("column-model")} meaning={text!("column-model-meaning", unit = props.unit.as_str())} /></th>
                    <th scope="col" class="number"><Term text={text("column-measured")} meaning={text!("column-measured-meaning", unit = props.unit.as_str())} /></th>
                    <th scope="col" class="number">{ text("column-error") }</th>
                </tr>
            </thead>
            <tbody>{ for rows }</tbody>
        </table>
    }
}

/// The error of a figure; where nothing was measured there is no share of it.
pub fn error_words(figure: &Figure) -> String {
    match (figure.truth == 0.0, figure.counted_error() == 0.0) {
        (_, true) => text("error-none"),
        (true, false) => text("error-not-zero"),
        (false, false) if figure.error > 99.0 => text!("error-times", times = figure.error + 1.0),
        (false, false) => error(figure.error),
    }
}

/// A name that may be broken after its slashes.
pub fn breakable(id: &str) -> Html {
    let parts = id.split_inclusive('/').map(|part| html! { <>{ part }<wbr /></> });
    html! { <>{ for parts }</> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_nothing_is_no_share() {
        let figure = |model: f64, truth: f64| {
            let error = if truth == 0.0 { model } else { model / truth - 1.0 };
            Figure { name: "throughput_tps".into(), model, truth, error, trusted: true }
        };
        assert_eq!(error_words(&figure(3.0, 0.0)), "not 0");
        assert_eq!(error_words(&figure(5.0, 5.0)), "none");
        assert_eq!(error_words(&figure(9.0, 10.0)), "−10\u{a0}%");
        assert_eq!(error_words(&figure(1000.0, 1.0)), "1000\u{a0}times");
    }
}
