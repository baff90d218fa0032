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
    words,
};
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
        let dim = (outcome.is_some() && store.is_stale(side)).then_some("dim");
        let cells = outcome.map_or_else(
            || html! { <>{ for [(); 6].map(|()| html! { <td class="number">{ "–" }</td> }) }</> },
            |outcome| cells(outcome, props.loading.measured().map(|m| &**m)),
        );
        html! {
            <tr class={classes!(dim)}>
                <th scope="row"><i class={classes!("swatch", side.class())}></i>{ name }</th>
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
                <tbody>{ row(Side::Base) }{ row(Side::Other) }</tbody>
            </table>
        </div>
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
