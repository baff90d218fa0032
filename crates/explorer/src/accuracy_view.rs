//! How far to trust it: the model's figures against measurements of real engines.

use crate::{
    accuracy_data::Loading,
    engine_mark::EngineMark,
    filter_bar::FilterBar,
    format::{number, percent},
    log_frame::LogFrame,
    measured::{Filter, Measured, Point, spread, worst},
    quantity::{engine_name, kind_words, quantity},
    scatter_chart::ScatterChart,
    summary_table::SummaryTable,
    theme::Theme,
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
                    { format!("The measurements could not be loaded. {reason} The simulation works without them, but says nothing about its errors.") }
                </span>
                <button id="accuracy-again" onclick={props.again.reform(|_: MouseEvent| ())}>{ "Try again" }</button>
            </div>
        },
        Loading::Idle | Loading::Busy => html! {
            <p class="muted" role="status">{ "Loading the measurements, some hundred kilobytes." }</p>
        },
    };
    html! {
        <section class="trust" aria-label="How far to trust it">
            <p class="kicker">{ "How far to trust it" }</p>
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
    let mut engines: Vec<&str> = Vec::new();
    for point in points.iter() {
        if !engines.contains(&point.engine.as_str()) {
            engines.push(&point.engine);
        }
    }
    let key = engines.iter().map(|engine| {
        html! { <span class="key-entry"><EngineMark engine={(*engine).to_owned()} />{ engine_name(engine) }</span> }
    });
    let pairs = points.iter().map(|p| (p.figure.truth, p.figure.model));
    let frame = LogFrame::around(pairs.clone(), (0.0, 0.0));
    let zero = pairs.filter(|(truth, model)| frame.on_edge(*truth) || frame.on_edge(*model)).count();
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
                { "The model is asked the questions that real database servers were asked. A mark on the line is a question it answers exactly; above the line it says too much, below too little." }
            </p>
            { coverage(measured) }
            <div class="comparison">
                <FilterBar measured={measured.clone()} filter={filter.clone()} change={props.change.clone()} />
                <ScatterChart points={points.clone()} unit={words.unit} theme={props.theme} chosen={*chosen} {choose} />
                <div class="beside">
                    <output class="point-reading" id="point-reading" aria-live="polite">
                        { reading.map_or_else(hint, |point| read_out(point, words.unit)) }
                    </output>
                    <div class="key">
                        { for key }
                        <span class="key-entry"><span class="band-swatch inner" aria-hidden="true"></span>{ "off by up to 10 %" }</span>
                        <span class="key-entry"><span class="band-swatch" aria-hidden="true"></span>{ "off by up to 30 %" }</span>
                        if hollow { <span class="key-entry"><span class="hollow-swatch" aria-hidden="true"></span>{ "low trust" }</span> }
                    </div>
                    if zero > 0 {
                        <p class="note" id="zero-note">{ zero_note(zero) }</p>
                    }
                </div>
            </div>
            <h3>{ format!("{}: the measurements missed by most", capital(&words.label)) }</h3>
            <WorstTable points={worst(&points, WORST)} unit={words.unit} />
            <h3>{ "Errors by engine, kind and quantity" }</h3>
            <SummaryTable measured={measured.clone()} filter={filter.clone()} />
        </>
    }
}

fn zero_note(count: usize) -> String {
    let (has, they) = if count == 1 { ("mark has", "it stands") } else { ("marks have", "they stand") };
    format!(
        "{count} {has} a figure of 0 or next to it, which has no place on such an axis: {they} on its edge."
    )
}

fn hint() -> Html {
    html! { <span class="muted">{ "Point at a mark, tap it, or press the arrow keys in the chart to read it." }</span> }
}

fn read_out(point: &Point, unit: &str) -> Html {
    let figure = &point.figure;
    let part = figure.name.rsplit_once('.').map(|(part, _)| format!(", {part}"));
    html! {
        <>
            <span class="reading-name"><EngineMark engine={point.engine.clone()} />{ engine_name(&point.engine) }{ part }</span>
            <span class="cell-id">{ breakable(&point.id) }</span>
            <span class="reading-figures">
                <span>{ "model " }<b>{ number(figure.model) }</b></span>
                <span>{ "measured " }<b>{ number(figure.truth) }</b>{ format!(" {unit}") }</span>
                <span>{ "error " }<b>{ error_words(figure) }</b></span>
            </span>
            if !figure.trusted { <span class="muted">{ format!("low trust: {}", point.trust) }</span> }
        </>
    }
}

/// What the marks show, in a sentence.
fn title(points: &[Point], filter: &Filter) -> String {
    let label = quantity(&filter.quantity).label;
    let of = filter.engine.as_ref().map_or(String::new(), |engine| format!(" of {}", engine_name(engine)));
    match spread(points.iter().map(|point| &point.figure)) {
        None => format!("No measurement of {label}{of} to compare with"),
        Some(found) if found.cells == 1 => {
            format!("The one measured figure for {label}{of} is missed by {}", percent(found.median))
        }
        Some(found) => format!(
            "Half of {} measured figures for {label}{of} are missed by less than {}, nine in ten by less than {}",
            found.cells,
            percent(found.median),
            percent(found.p90)
        ),
    }
}

/// How many measurements the model can be asked at all.
fn coverage(measured: &Measured) -> Html {
    let (whole, supported) = measured.supported();
    let open = measured.unsupported();
    if open.is_empty() {
        return html! { <p class="coverage">{ format!("The model has an answer to all {whole} measurements.") }</p> };
    }
    let groups = open.iter().map(|(engine, kind, reason, ids)| {
        let kind = kind_words(kind).0;
        let names = ids.iter().map(|id| html! { <li>{ *id }</li> });
        html! {
            <li>
                <details>
                    <summary><EngineMark engine={(*engine).to_owned()} />{ format!("{}, {kind}: {} · {reason}", engine_name(engine), ids.len()) }</summary>
                    <ul class="ids">{ for names }</ul>
                </details>
            </li>
        }
    });
    html! {
        <details class="coverage" id="unsupported">
            <summary>{ format!("The model has an answer to {supported} of {whole} measurements; see why not to the other {}.", whole - supported) }</summary>
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
