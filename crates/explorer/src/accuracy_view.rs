//! How far to trust it: the model's figures against measurements of real engines.

use crate::{
    accuracy_data::Loading,
    engine_mark::EngineMark,
    filter_bar::FilterBar,
    format::{number, percent},
    language::{data_words, text},
    measured::{Filter, Measured, Point, spread, worst},
    quantity::{engine_name, kind_words, quantity},
    summary_table::SummaryTable,
    theme::Theme,
    views::{ScatterView, range, stands_on_edge},
    words::capital,
    worst_table::{WorstTable, breakable, error_words},
};
use std::rc::Rc;
use yew::prelude::*;

/// What the [`AccuracyView`] shows.
#[derive(Properties, PartialEq)]
pub struct AccuracyViewProps {
    /// The measurements, as far as they are here.
    pub loading: Loading,
    /// Those of interest.
    pub filter: Filter,
    /// Looks at others.
    pub change: Callback<Filter>,
    /// Fetches them again after a failure.
    pub again: Callback<()>,
    /// Light or dark.
    pub theme: Theme,
}

/// How many of the worst measurements are listed.
const WORST: usize = 10;

/// The view.
#[component]
pub fn AccuracyView(props: &AccuracyViewProps) -> Html {
    let body = match &props.loading {
        Loading::Ready(measured) => html! {
            <Comparison measured={measured.clone()} filter={props.filter.clone()} change={props.change.clone()} theme={props.theme} />
        },
        Loading::Failed(reason) => html! {
            <div class="status trouble" role="status" id="accuracy-failed">
                <span class="status-text">
                    { text!("measurements-failed", reason = reason) }
                </span>
                <button id="accuracy-again" onclick={props.again.reform(|_: MouseEvent| ())}>{ text("try-again") }</button>
            </div>
        },
        Loading::Idle | Loading::Busy => html! {
            <p class="muted" role="status">{ text("measurements-loading") }</p>
        },
    };
    html! {
        <section class="trust" aria-label={text("trust-kicker")}>
            <p class="kicker">{ text("trust-kicker") }</p>
            { body }
        </section>
    }
}

/// What the [`Comparison`] shows.
#[derive(Properties, PartialEq)]
struct ComparisonProps {
    measured: Rc<Measured>,
    filter: Filter,
    change: Callback<Filter>,
    theme: Theme,
}

#[component]
fn Comparison(props: &ComparisonProps) -> Html {
    let ComparisonProps { measured, filter, .. } = props;
    let chosen = use_state(|| None::<usize>);
    let points = use_memo((measured.clone(), filter.clone()), |(measured, filter)| measured.points(filter));
    {
        // A mark that was read is another one among other marks.
        let chosen = chosen.clone();
        use_effect_with(points.clone(), move |_| chosen.set(None));
    }
    let words = quantity(&filter.quantity);
    let reading = chosen.and_then(|at| points.get(at));
    let range = range(&points);
    let zero = points.iter().filter(|point| stands_on_edge(point, range)).count();
    let hollow = points.iter().any(|p| !p.figure.trusted);
    let choose = {
        let chosen = chosen.clone();
        Callback::from(move |at: Option<usize>| {
            if *chosen != at {
                chosen.set(at);
            }
        })
    };
    html! {
        <>
            <h2>{ title(&points, filter) }</h2>
            <p class="lead">
                { text("trust-lead") }
            </p>
            { coverage(measured) }
            <div class="comparison">
                <FilterBar measured={measured.clone()} filter={filter.clone()} change={props.change.clone()} />
                <ScatterView points={points.clone()} title={title(&points, filter)} unit={words.unit.clone()} theme={props.theme} {choose} />
                <div class="beside">
                    <output class="point-reading" id="point-reading" aria-live="polite">
                        { reading.map_or_else(hint, |point| read_out(point, &words.unit)) }
                    </output>
                    <div class="key">
                        <span class="key-entry"><span class="band-swatch inner" aria-hidden="true"></span>{ text!("trust-off-by", error = percent(0.1)) }</span>
                        <span class="key-entry"><span class="band-swatch" aria-hidden="true"></span>{ text!("trust-off-by", error = percent(0.3)) }</span>
                        if hollow { <span class="key-entry"><span class="hollow-swatch" aria-hidden="true"></span>{ text("low-trust") }</span> }
                    </div>
                    if zero > 0 {
                        <p class="note" id="zero-note">{ text!("trust-zero-note", count = zero) }</p>
                    }
                </div>
            </div>
            <h3>{ capital(&text!("worst-title", quantity = words.label.clone())) }</h3>
            <WorstTable points={worst(&points, WORST)} unit={words.unit.clone()} />
            <h3>{ text("summary-title") }</h3>
            <SummaryTable measured={measured.clone()} filter={filter.clone()} />
        </>
    }
}

fn hint() -> Html {
    html! { <span class="muted">{ text("trust-hint") }</span> }
}

fn read_out(point: &Point, unit: &str) -> Html {
    let figure = &point.figure;
    let part = figure.name.rsplit_once('.').map(|(part, _)| format!(", {part}"));
    html! {
        <>
            <span class="reading-name"><EngineMark engine={point.engine.clone()} />{ engine_name(&point.engine) }{ part }</span>
            <span class="cell-id">{ breakable(&point.id) }</span>
            <span class="reading-figures">
                <span>{ text("column-model") }{ " " }<b>{ number(figure.model) }</b></span>
                <span>{ text("column-measured") }{ " " }<b>{ number(figure.truth) }</b>{ format!(" {unit}") }</span>
                <span>{ text("column-error") }{ " " }<b>{ error_words(figure) }</b></span>
            </span>
            if !figure.trusted { <span class="muted">{ text!("low-trust-because", reason = data_words(&point.trust)) }</span> }
        </>
    }
}

/// What the marks show, in a sentence.
fn title(points: &[Point], filter: &Filter) -> String {
    let quantity = quantity(&filter.quantity).label;
    let engine = filter.engine.as_deref().map(engine_name);
    let (engine, scope) = engine.map_or((String::new(), "all"), |engine| (engine, "one"));
    match spread(points.iter().map(|point| &point.figure)) {
        None => text!("trust-title-none", quantity = quantity, engine = engine, scope = scope),
        Some(found) => text!(
            "trust-title-errors",
            scope = scope,
            quantity = quantity,
            engine = engine,
            cells = found.cells,
            median = percent(found.median),
            ninety = percent(found.p90)
        ),
    }
}

/// How many measurements the model can be asked at all.
fn coverage(measured: &Measured) -> Html {
    let (whole, supported) = measured.supported();
    let open = measured.unsupported();
    if open.is_empty() {
        return html! { <p class="coverage">{ text!("coverage-all", whole = whole) }</p> };
    }
    let groups = open.iter().map(|(engine, kind, reason, ids)| {
        let kind = kind_words(kind).0;
        let names = ids.iter().map(|id| html! { <li>{ *id }</li> });
        html! {
            <li>
                <details>
                    <summary><EngineMark engine={(*engine).to_owned()} />{ format!("{}, {kind}: {} · {}", engine_name(engine), ids.len(), data_words(reason)) }</summary>
                    <ul class="ids">{ for names }</ul>
                </details>
            </li>
        }
    });
    html! {
        <details class="coverage" id="unsupported">
            <summary>{ text!("coverage", supported = supported, whole = whole, open = whole - supported) }</summary>
            <ul>{ for groups }</ul>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::tests::sample;

    #[test]
    fn the_title_is_a_finding() {
        let measured = sample();
        let filter = Filter::default();
        assert_eq!(
            title(&measured.points(&filter), &filter),
            "Half of 10 measured figures for throughput are missed by less than 50\u{a0}%, nine in ten by less than 80\u{a0}%"
        );
        let filter = Filter { engine: Some("cubrid-11.3".into()), ..filter };
        assert_eq!(title(&[], &filter), "No measurement of throughput of CUBRID 11.3 to compare with");
    }
}
