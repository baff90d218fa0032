//! Throughput, latency, hit rate and digest of both machines.

use crate::{
    accuracy_data::Loading,
    catalogue::Side,
    format::{milliseconds, number, percent},
    measured::Measured,
    route::Route,
    store::{Outcome, Store},
    term::Term,
    trust::{Of, Setup, judge},
    words,
};
use spindle_units::significant;
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
                        <th scope="col" class="number"><Term text="transactions/s" meaning="Transactions that ended, a second of virtual time." /></th>
                        <th scope="col" class="number"><Term text="±" meaning="Half-width of the 95 % confidence interval of the throughput: how much chance there is in this run. How far off the model may be stands beneath each figure." /></th>
                        <th scope="col" class="number"><Term text="mean latency" meaning="Mean latency: time from the start of a transaction to its end." /></th>
                        <th scope="col" class="number"><Term text="95 % within" meaning="Latency that 95 % of the transactions do not exceed." /></th>
                        <th scope="col" class="number"><Term text="hit rate" meaning="Share of page requests that found their page in the buffer." /></th>
                        <th scope="col" class="number"><Term text="digest" meaning="Fingerprint of the whole report: the same set-up gives the same digest on every machine, in the browser and on the command line." /></th>
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
            let what = if of == Of::PageReads { "of the pages read: " } else { "" };
            let title = format!("{what}{}", trust.sentence());
            html! {
                <>
                    <a class="band" href={Route::Accuracy(trust.filter()).href()} {title}>{ trust.short() }</a>
                    if !trust.outside().is_empty() {
                        <span class="beyond" title={trust.outside().join("; ")}>{ "extrapolated" }</span>
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
            <td class="number">{ format!("{} %", significant(report.hit_rate * 100.0, 3)) }{ band(Of::PageReads) }</td>
            <td class="number digest" data-digest={digest.clone()} {title}>
                { if digest.is_empty() { "when done".to_owned() } else { digest } }
            </td>
        </>
    }
}
