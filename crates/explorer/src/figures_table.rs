//! Throughput, latency, hit rate and digest of both machines.

use crate::{
    accuracy_data::Loading,
    catalogue::Side,
    format::{fine_percent, milliseconds, number, percent},
    language::text,
    measured::Measured,
    route::Route,
    store::{Outcome, Store},
    term::Term,
    trust::{Of, Setup, judge},
    views::paint_of,
    words,
};
use spindle_estimate::Estimate;
use std::rc::Rc;
use yew::prelude::*;

/// What the [`FiguresTable`] shows.
#[derive(Properties, PartialEq)]
pub struct FiguresTableProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// The measurements that tell how far off a figure may be, as far as they are here.
    pub loading: Loading,
}

/// The figures of both machines.
#[component]
pub fn FiguresTable(props: &FiguresTableProps) -> Html {
    let store = &props.store;
    let names = words::shown_names(store);
    let row = |side: Side| {
        let name = words::capital(&names[side.index()]);
        let outcome = store.outcomes[side.index()].as_ref();
        let stale = store.is_stale(side);
        let scenario = outcome.map_or(&store.scenarios[side.index()], |outcome| &outcome.scenario);
        let measured = props.loading.measured().map(|measured| &**measured);
        let (cells, dim) = match (store.estimate_of(side).filter(|_| stale), outcome) {
            (Some(estimate), _) => (estimated_cells(estimate), false),
            (None, Some(outcome)) => (cells(outcome, measured), stale),
            (None, None) => {
                (html! { { for [(); 6].map(|()| html! { <td class="number">{ "–" }</td> }) } }, false)
            }
        };
        let dim = dim.then_some("dim");
        html! {
            <tr class={classes!(dim)}>
                <th scope="row"><i class={classes!("swatch", paint_of(scenario))}></i>{ name }</th>
                { cells }
            </tr>
        }
    };
    html! {
        <div class="scroll figures-scroll">
            <table class="figures">
                <thead>
                    <tr>
                        <td></td>
                        <th scope="col" class="number"><Term text={text("figure-throughput")} meaning={text("figure-throughput-meaning")} /></th>
                        <th scope="col" class="number"><Term text="±" meaning={text("figure-interval-meaning")} /></th>
                        <th scope="col" class="number"><Term text={text("figure-latency")} meaning={text("figure-latency-meaning")} /></th>
                        <th scope="col" class="number"><Term text={text("figure-p95")} meaning={text("figure-p95-meaning")} /></th>
                        <th scope="col" class="number"><Term text={text("figure-hit-rate")} meaning={text("figure-hit-rate-meaning")} /></th>
                        <th scope="col" class="number"><Term text={text("figure-digest")} meaning={text("figure-digest-meaning")} /></th>
                    </tr>
                </thead>
                <tbody>{ for store.shown().map(row) }</tbody>
            </table>
        </div>
    }
}

/// What the estimate says, until a simulation says more.
fn estimated_cells(estimate: &Estimate) -> Html {
    let unknown = || html! { <td class="number muted">{ "–" }</td> };
    html! {
        <>
            <td class="number estimated">{ number(estimate.throughput_tps) }</td>
            { unknown() }
            <td class="number estimated">{ milliseconds(estimate.latency_mean_ms) }</td>
            { unknown() }
            <td class="number estimated">{ fine_percent(estimate.hit_rate) }</td>
            <td class="number digest muted" data-digest="">{ text("figure-estimated") }</td>
        </>
    }
}

fn cells(outcome: &Outcome, measured: Option<&Measured>) -> Html {
    let report = &outcome.report;
    let setup = Setup::of(&outcome.scenario, report);
    let band = |of: Of| {
        measured.map(|measured| {
            let trust = judge(measured, &setup, of);
            let sentence = trust.sentence();
            let title = if of == Of::PageReads { text!("figure-of-page-reads", error = sentence) } else { sentence };
            html! {
                <>
                    <a class="band" href={Route::Accuracy(trust.filter()).href()} {title}>{ trust.short() }</a>
                    if !trust.outside().is_empty() {
                        <span class="beyond" title={trust.outside().join("; ")}>{ text("sure-extrapolated") }</span>
                    }
                </>
            }
        })
    };
    let interval = if report.throughput_ci95 > 0.0 { percent(report.throughput_ci95) } else { "–".into() };
    let digest = if outcome.done { report.digest.clone() } else { String::new() };
    let title = digest.clone();
    html! {
        <>
            <td class="number strong">{ number(report.throughput_tps) }{ band(Of::Throughput) }</td>
            <td class="number">{ interval }</td>
            <td class="number">{ milliseconds(report.latency_ms.mean) }{ band(Of::MeanLatency) }</td>
            <td class="number">{ milliseconds(report.latency_ms.p95) }{ band(Of::P95Latency) }</td>
            <td class="number">{ fine_percent(report.hit_rate) }{ band(Of::PageReads) }</td>
            <td class="number digest" data-digest={digest.clone()} {title}>
                { if digest.is_empty() { text("figure-digest-later") } else { digest } }
            </td>
        </>
    }
}
