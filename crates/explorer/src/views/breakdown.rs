//! Where the time of a transaction goes: its milliseconds by cause, a bar for each side.

use super::{
    knob_axis,
    sides::{Seen, joined, lower, seen},
};
use crate::{
    figure::{Axis, Body, Datum, Figure, FigureView, Look, Plot, Reading, Scale, Series, Unit, paint_class},
    format::{error, milliseconds, percent},
    language::text,
    store::Store,
    term::Term,
    theme::Theme,
    words::{self, CAUSES},
};
use spindle_estimate::{Advice, advice};
use spindle_report::Breakdown;
use spindle_scenario::Scenario;
use std::rc::Rc;
use yew::prelude::*;

/// What the [`TimeBreakdown`] shows.
#[derive(Properties, PartialEq)]
pub struct TimeBreakdownProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// Light or dark.
    pub theme: Theme,
}

/// The view.
#[component]
pub fn TimeBreakdown(props: &TimeBreakdownProps) -> Html {
    let sides = seen(&props.store);
    let figure = Rc::new(figure(&props.store, &sides));
    html! {
        <>
            <FigureView {figure} theme={props.theme} class={if sides.len() > 1 { "bars-two" } else { "bars-one" }} />
            { for sides.iter().map(|side| html! { <Turn key={side.side.letter()} name={side.name.clone()} scenario={side.scenario.clone()} /> }) }
            { table(&sides) }
        </>
    }
}

/// What a [`Turn`] speaks of.
#[derive(Properties, PartialEq)]
struct TurnProps {
    /// The side's name.
    name: String,
    /// Its Scenario.
    scenario: Rc<Scenario>,
}

/// The one knob that would change throughput most.
#[component]
fn Turn(props: &TurnProps) -> Html {
    let advice = use_memo(props.scenario.clone(), |scenario| advice(scenario));
    let Some(advice) = &*advice else { return html! {} };
    html! { <p class="turn"><b>{ text("turn-first") }</b>{ " " }{ text!("on-machine", machine = lower(&props.name), statement = turn(&props.scenario, advice)) }</p> }
}

/// `buffer 4 GiB → 8 GiB, +38 %`.
fn turn(scenario: &Scenario, advice: &Advice) -> String {
    let unit = knob_axis::unit(scenario, &advice.path);
    let factor = knob_axis::factor(scenario, &advice.path);
    let [from, to] = [advice.from, advice.to].map(|value| unit.words(value * factor));
    text!(
        "turn-change",
        knob = knob_axis::name(scenario, &advice.path),
        from = from,
        to = to,
        change = error(advice.throughput_factor - 1.0)
    )
}

/// The breakdown of a side: of its simulation, or of its estimate until there is one.
fn breakdown<'a>(side: &'a Seen<'_>) -> Option<(&'a Breakdown, bool)> {
    match side.outcome {
        Some(outcome) => Some((&outcome.report.breakdown_ms, false)),
        None => side.estimated().map(|estimate| (&estimate.breakdown_ms, true)),
    }
}

/// The style sheet's token of a cause.
fn token(cause: &str) -> &'static str {
    match cause {
        "cpu" => "cpu",
        "cpu_queue" => "cpu-queue",
        "read" => "read",
        "free_frame" => "free-frame",
        "log" => "log",
        "checkpoint" => "checkpoint",
        "admission" => "admission",
        "network" => "network",
        "latch" => "latch",
        "lock" => "lock",
        "page_write" => "page-write",
        _ => "other-engine",
    }
}

fn figure(store: &Store, sides: &[Seen<'_>]) -> Figure {
    let known: Vec<(&Seen<'_>, &Breakdown, bool)> =
        sides.iter().filter_map(|side| breakdown(side).map(|(ms, estimate)| (side, ms, estimate))).collect();
    let whole = |ms: &Breakdown| ms.values().sum::<f64>();
    let rows = known.iter().map(|(side, ms, estimate)| {
        let name =
            if *estimate { text!("series-estimate", name = side.name.as_str()) } else { side.name.clone() };
        text!("bar-of-side", name = name, time = milliseconds(whole(ms)))
    });
    let mut series = Vec::new();
    for (at, cause) in CAUSES.iter().enumerate() {
        let data: Vec<Datum> = known
            .iter()
            .enumerate()
            .filter_map(|(row, (_, ms, _))| {
                let own = ms.get(*cause).copied().filter(|own| *own > 0.0)?;
                let before: f64 = CAUSES[..at].iter().filter_map(|earlier| ms.get(*earlier)).sum();
                let row = row as f64;
                let bar = Datum::rectangle([before, before + own], [row - 0.16, row + 0.34]);
                let label = Some(percent(own / whole(ms).max(1e-12)).into());
                Some(Datum { y: row, rank: own, label, ..bar })
            })
            .collect();
        if !data.is_empty() {
            series.push(Series::new(
                words::capital(&words::cause(cause)),
                token(cause),
                Look::Bars(1.0),
                data,
            ));
        }
    }
    let name = text("view-time");
    Figure {
        id: "time",
        title: title(store, &known).unwrap_or_else(|| name.clone()),
        name,
        body: Body::Plot(Plot {
            x: Axis::new(text("axis-transaction-time"), Unit::Milliseconds, Scale::Linear),
            y: Axis::of_rows(rows.collect()),
            series,
            reading: Reading::Plane,
            rank: Some((text("column-time"), Unit::Milliseconds)),
        }),
    }
}

fn title(store: &Store, known: &[(&Seen<'_>, &Breakdown, bool)]) -> Option<String> {
    let simulated = known.len() > 1 && known.iter().all(|(.., estimate)| !estimate);
    if let (true, Some(title)) = (simulated, words::difference(store)) {
        return Some(title);
    }
    let parts = known.iter().filter_map(|(side, ms, _)| {
        let (cause, own) = spindle_report::main_cause(ms)?;
        let share = percent(own / ms.values().sum::<f64>().max(1e-12));
        Some(text!("share-of-time", share = share, machine = lower(&side.name), cause = words::cause(cause)))
    });
    joined("list-comma", parts).map(|title| words::capital(&title))
}

/// The same with what each cause means.
fn table(sides: &[Seen<'_>]) -> Html {
    let known: Vec<(&Seen<'_>, &Breakdown)> =
        sides.iter().filter_map(|side| breakdown(side).map(|(ms, _)| (side, ms))).collect();
    if known.is_empty() {
        return html! {};
    }
    let has = |cause: &str| known.iter().any(|(_, ms)| ms.get(cause).is_some_and(|own| *own > 0.0));
    let rows = CAUSES.iter().filter(|cause| has(cause)).map(|cause| {
        let cells = known.iter().map(|(_, ms)| {
            let own = ms.get(*cause).copied().unwrap_or(0.0);
            let share = own / ms.values().sum::<f64>().max(1e-12);
            let empty = own <= 0.0;
            html! {
                <>
                    <td class="number">{ if empty { "–".into() } else { milliseconds(own) } }</td>
                    <td class="number muted part-share">{ if empty { String::new() } else { percent(share) } }</td>
                </>
            }
        });
        html! {
            <tr>
                <th scope="row"><i class={classes!("cause-swatch", paint_class(token(cause)))}></i><Term text={words::cause(cause)} meaning={words::cause_meaning(cause)} /></th>
                { for cells }
            </tr>
        }
    });
    let heads = known.iter().map(|(side, _)| {
        html! { <><th scope="col" class="number">{ &side.name }</th><td class="part-share"></td></> }
    });
    html! {
        <div class="scroll">
            <table class="causes">
                <thead><tr><td></td>{ for heads }</tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::sides::tests::simulated;

    #[test]
    fn bars_follow_each_other_and_sum_to_the_whole() {
        let store = simulated();
        let figure = figure(&store, &seen(&store));
        let plot = figure.plot().unwrap();
        assert_eq!(plot.y.rows.len(), 2);
        for row in 0..2 {
            let mut ends: Vec<[f64; 2]> = plot
                .series
                .iter()
                .flat_map(|series| series.data.iter())
                .filter(|datum| datum.y == f64::from(row))
                .filter_map(|datum| datum.across)
                .collect();
            ends.sort_by(|a, b| a[0].total_cmp(&b[0]));
            assert_eq!(ends[0][0], 0.0);
            assert!(ends.windows(2).all(|pair| (pair[0][1] - pair[1][0]).abs() < 1e-9));
            let whole: f64 =
                store.outcomes[row as usize].as_ref().unwrap().report.breakdown_ms.values().sum();
            assert!((ends.last().unwrap()[1] - whole).abs() < 1e-9);
        }
    }

    #[test]
    fn the_knob_to_turn_first_is_named_with_what_it_brings() {
        let scenario = &Store::default().scenarios[0];
        let advice = Advice {
            path: "machine.memory".into(),
            from: 2f64.powi(32),
            to: 2f64.powi(33),
            throughput_factor: 1.38,
        };
        assert_eq!(
            turn(scenario, &advice).to_lowercase(),
            "memory 4\u{a0}gib → 8\u{a0}gib, +38\u{a0}% throughput by the estimate".to_lowercase()
        );
    }

    #[test]
    fn every_cause_has_a_colour() {
        for cause in spindle_engine::host::Cause::ALL {
            assert_ne!(token(cause.name()), "other-engine", "{}", cause.name());
        }
    }
}
