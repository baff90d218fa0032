//! The answer in one sentence, why, how sure it is, and how far the runs are.

use crate::{
    accuracy_data::Loading,
    catalogue::Side,
    format::{percent, span},
    route::Route,
    store::{Phase, Store},
    trust::{Of, Setup, Trust, judge},
    words,
};
use spindle_units::significant;
use std::rc::Rc;
use yew::prelude::*;

/// What the [`Answer`] shows.
#[derive(Properties, PartialEq)]
pub struct AnswerProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// The measurements that tell how far off it may be, as far as they are here.
    pub loading: Loading,
    /// Starts the runs anew.
    pub begin: Callback<()>,
    /// Stops them.
    pub stop: Callback<()>,
}

/// The answer.
#[component]
pub fn Answer(props: &AnswerProps) -> Html {
    let store = &props.store;
    let stale = Side::BOTH.iter().any(|side| store.is_stale(*side));
    let dim = stale.then_some("dim");
    let sentence = words::answer(store).unwrap_or_else(|| "How much faster does it get on SSDs?".into());
    let published = store.pair().map(|pair| {
        let value = significant(pair.published, 3);
        let remark = if store.is_changed() { ", with the published set-up" } else { "" };
        html! { <span class="published">{ format!("published: {value} times{remark}") }</span> }
    });
    html! {
        <section class="answer" aria-label="Answer">
            <h2 class={classes!(dim)}>{ sentence }{ " " }{ published }</h2>
            <p class={classes!("reason", dim)}>{ words::reason(store).unwrap_or_default() }</p>
            { sure(props) }
            { progress(props) }
        </section>
    }
}

/// How far off the throughputs behind the answer may be.
fn sure(props: &AnswerProps) -> Html {
    let Some(measured) = props.loading.measured() else { return html! {} };
    let Some(outcome) = props.store.outcomes.iter().flatten().next_back() else { return html! {} };
    let trust = judge(measured, &Setup::of(&outcome.scenario, &outcome.report), Of::Throughput);
    let sentence = match &trust {
        Trust::Band(_) => format!("Model error of throughput: {}", trust.sentence()),
        Trust::NotValidated { .. } => words::capital(&trust.sentence()),
    };
    html! {
        <p class="sure" id="sure">
            { sentence }
            if !trust.outside().is_empty() { { "; " }<a href="#extrapolated">{ "extrapolated" }</a> }
            { "; " }<a href={Route::Accuracy(trust.filter()).href()}>{ "how far to trust it" }</a>
        </p>
    }
}

fn progress(props: &AnswerProps) -> Html {
    let store = &props.store;
    let names = words::machine_names([&store.scenarios[0], &store.scenarios[1]]);
    let virtual_s = Side::BOTH.iter().filter(|side| !store.is_stale(**side)).filter_map(|side| {
        let outcome = store.outcomes[side.index()].as_ref()?;
        let name = &names[side.index()];
        let at = if outcome.done { "done".into() } else { percent(outcome.fraction) };
        Some((format!("{name} {at}"), outcome.virtual_s))
    });
    let (parts, times): (Vec<String>, Vec<f64>) = virtual_s.unzip();
    let at = span(times.iter().copied().fold(0.0, f64::max));
    let longest = store.scenario().run.duration;
    let again = |label: &'static str| {
        html! { <button id="run" onclick={props.begin.reform(|_: MouseEvent| ())}>{ label }</button> }
    };
    let (text, button) = match store.phase {
        Phase::Running if parts.is_empty() => {
            ("simulating both machines: loading the tables".to_owned(), stop(props))
        }
        Phase::Running => {
            let at = format!("virtual time {at} of at most {}", span(longest.as_seconds()));
            (format!("simulating: {} · {at}", parts.join(", ")), stop(props))
        }
        Phase::Waiting if !store.is_sound() => {
            ("This set-up cannot be run; below is the last one that could. See the message beside its control.".into(), html! {})
        }
        Phase::Waiting => ("about to simulate".into(), html! {}),
        Phase::Done => (format!("both machines simulated, {at} of virtual time"), again("Run again")),
        Phase::Stopped => (format!("stopped after {at} of virtual time; figures cover what was seen until then"), again("Run")),
        Phase::Died => (
            "The simulator stopped working, perhaps for want of memory. Fewer rows or a smaller buffer may help.".into(),
            again("Start it again"),
        ),
    };
    let running = store.phase == Phase::Running;
    let value = if running { store.fraction() } else { 0.0 };
    html! {
        <div class={classes!("status", (store.phase == Phase::Died || !store.is_sound()).then_some("trouble"))}>
            <svg class="progress" role="progressbar" aria-label="Simulation" aria-valuemin="0" aria-valuemax="100"
                aria-valuenow={format!("{:.0}", value * 100.0)} height="2">
                <rect class="track" x="0" y="0" width="100%" height="2" />
                <rect class="part" x="0" y="0" width={format!("{:.2}%", value * 100.0)} height="2" />
            </svg>
            <span class="status-text">{ text }</span>
            { button }
        </div>
    }
}

fn stop(props: &AnswerProps) -> Html {
    html! { <button id="stop" onclick={props.stop.reform(|_: MouseEvent| ())}>{ "Stop" }</button> }
}
