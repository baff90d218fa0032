//! How long transactions take: how many take how long, and how long the slowest ones do.

use super::sides::{Seen, joined, lower, seen};
use crate::{
    figure::{Axis, Body, Datum, Figure, FigureView, Look, Plot, Reading, Scale, Series, Unit},
    format::milliseconds,
    language::text,
    store::Store,
    theme::Theme,
};
use spindle_report::LatencyMs;
use std::rc::Rc;
use yew::prelude::*;

/// What the [`Latency`] view shows.
#[derive(Properties, PartialEq)]
pub struct LatencyProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// Light or dark.
    pub theme: Theme,
}

/// The view.
#[component]
pub fn Latency(props: &LatencyProps) -> Html {
    let sides = seen(&props.store);
    html! {
        <>
            <FigureView figure={Rc::new(figure(&sides))} theme={props.theme} />
            { percentiles(&sides) }
        </>
    }
}

/// Buckets to a doubling of latency; the lowest of a histogram begins where one before it would have ended.
const BUCKETS: f64 = 8.0;

fn figure(sides: &[Seen<'_>]) -> Figure {
    let strength = if sides.len() > 1 { 0.6 } else { 0.8 };
    let series = sides.iter().filter_map(|side| {
        let buckets = &side.outcome?.report.latency_histogram;
        let whole = buckets.iter().map(|bucket| bucket.count).sum::<u64>().max(1) as f64;
        let step = 2f64.powf(-1.0 / BUCKETS);
        let data = buckets.iter().map(|bucket| {
            let share = bucket.count as f64 / whole;
            Datum {
                x: bucket.up_to_ms,
                ..Datum::rectangle([bucket.up_to_ms * step, bucket.up_to_ms], [0.0, share])
            }
        });
        let data: Vec<Datum> = data.filter(|datum| datum.x > 0.0).collect();
        Some(Series::new(&side.name, side.paint, Look::Bars(strength), data).stale(side.stale))
    });
    let name = text("latency-figure");
    Figure {
        id: "latency",
        title: title(sides).unwrap_or_else(|| name.clone()),
        name,
        body: Body::Plot(Plot {
            x: Axis::new(text("axis-latency"), Unit::Milliseconds, Scale::Log),
            y: Axis::new(text("axis-share"), Unit::Share, Scale::Linear),
            series: series.collect(),
            reading: Reading::AtX,
            rank: None,
        }),
    }
}

/// Up to which ratio of the slow hundredth to the half nearly all transactions take the same time.
const ALIKE: f64 = 1.05;

fn title(sides: &[Seen<'_>]) -> Option<String> {
    let parts = sides.iter().filter_map(|side| {
        let latency = side.outcome?.report.latency_ms;
        let (machine, half, slow) = (lower(&side.name), milliseconds(latency.p50), milliseconds(latency.p99));
        Some(match latency.p99 <= latency.p50 * ALIKE {
            true => text!("title-nearly-all-take", machine = machine, time = half),
            false => text!("title-half-and-slow", machine = machine, half = half, slow = slow),
        })
    });
    joined("list-semicolon", parts).map(|title| crate::words::capital(&title))
}

/// The key of a percentile's name, and its value.
type Percentile = (&'static str, fn(&LatencyMs) -> f64);

const PERCENTILES: [Percentile; 6] = [
    ("latency-p50", |latency| latency.p50),
    ("latency-p95", |latency| latency.p95),
    ("latency-p99", |latency| latency.p99),
    ("latency-p999", |latency| latency.p999),
    ("latency-max", |latency| latency.max),
    ("latency-mean", |latency| latency.mean),
];

fn percentiles(sides: &[Seen<'_>]) -> Html {
    let known: Vec<(&Seen<'_>, LatencyMs)> =
        sides.iter().filter_map(|side| Some((side, side.outcome?.report.latency_ms))).collect();
    if known.is_empty() {
        return html! {};
    }
    let heads = known.iter().map(|(side, _)| html! { <th scope="col" class="number">{ &side.name }</th> });
    let rows = PERCENTILES.iter().map(|(key, of)| {
        let cells = known.iter().map(|(side, latency)| {
            html! { <td class={classes!("number", side.stale.then_some("dim"))}>{ milliseconds(of(latency)) }</td> }
        });
        html! { <tr><th scope="row">{ text(key) }</th>{ for cells }</tr> }
    });
    html! {
        <table class="percentiles">
            <thead><tr><th scope="col">{ text("latency-not-slower") }</th>{ for heads }</tr></thead>
            <tbody>{ for rows }</tbody>
        </table>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::sides::tests::simulated;

    #[test]
    fn shares_sum_to_one_and_the_title_says_how_long() {
        let store = simulated();
        let figure = figure(&seen(&store));
        for series in &figure.plot().unwrap().series {
            let whole: f64 = series.data.iter().map(|datum| datum.y).sum();
            assert!((whole - 1.0).abs() < 1e-9, "{whole}");
        }
        assert!(figure.title.starts_with("On disks nearly all transactions take"), "{}", figure.title);
        assert!(figure.title.contains("half of the transactions take at most"), "{}", figure.title);
        let empty = Store::default();
        assert!(super::figure(&seen(&empty)).is_empty());
    }
}
