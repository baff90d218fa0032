//! The answer in one sentence, why, how sure it is, and how far the runs are.

use crate::{
    accuracy_data::Loading,
    catalogue::Side,
    finding::{Basis, Disagreement, Finding, disagreements},
    format::{number, percent, span},
    language::text,
    protocol::Death,
    route::Route,
    store::{Phase, Store, system_name},
    trust::{Of, Setup, Trust, judge},
    words,
};
use std::rc::Rc;
use yew::prelude::*;

/// What the [`Answer`] shows.
#[derive(Properties, PartialEq)]
pub struct AnswerProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// The measurements that tell how far off it may be, as far as they are here.
    pub loading: Loading,
    /// Starts the runs; all of them again, or those that are not over.
    pub begin: Callback<bool>,
    /// Stops them.
    pub stop: Callback<()>,
}

/// The answer.
#[component]
pub fn Answer(props: &AnswerProps) -> Html {
    let store = &props.store;
    let finding = Finding::of(store);
    let basis = match finding.map(|finding| finding.basis) {
        Some(Basis::Estimate) => "estimate",
        Some(Basis::Running) => "running",
        Some(Basis::Simulated) => "simulated",
        None => "none",
    };
    let dim = finding.is_none().then_some("dim");
    let published = store.pair().filter(|_| store.compare).and_then(|pair| pair.published).map(|ratio| {
        let key = if store.is_changed() { "published-ratio-elsewhere" } else { "published-ratio" };
        html! { <span class="published">{ text!(key, ratio = number(ratio)) }</span> }
    });
    html! {
        <section class="answer" aria-label={text("answer-label")} data-basis={basis}>
            <h2 class={classes!(dim)}>{ headline(store) }{ " " }{ published }</h2>
            <p class={classes!("reason", dim)}>{ reason(store).unwrap_or_default() }</p>
            { for disagreements(store).iter().map(|found| disagreement(store, found)) }
            { sure(props) }
            { progress(props) }
        </section>
    }
}

/// The answer as a sentence.
pub fn headline(store: &Store) -> String {
    let Some(finding) = Finding::of(store) else { return text("answer-none") };
    let sentence = match finding.ratio {
        Some(ratio) => compared(store, ratio),
        None => alone(store, finding.throughput[Side::Other.index()].unwrap_or(0.0)),
    };
    match finding.basis {
        Basis::Estimate => text!("answer-estimated", finding = sentence),
        Basis::Running => text!("answer-so-far", finding = sentence),
        Basis::Simulated => text!("answer-simulated", finding = words::capital(&sentence)),
    }
}

/// The verb of a kind of transaction, as part of a key.
fn verb(store: &Store) -> &'static str {
    let kind = store.scenarios[Side::Other.index()].workload.kind;
    match (kind == spindle_workload::WorkloadKind::InsertFull, kind.is_order_entry(), kind.writes()) {
        (true, ..) => "insert",
        (_, true, _) => "order",
        (.., true) => "write",
        _ => "read",
    }
}

/// How the second side compares with the first.
fn compared(store: &Store, ratio: f64) -> String {
    let [base, other] = words::machine_names(store);
    let systems = Side::BOTH.map(|side| system_name(&store.scenarios[side.index()]));
    let verb = verb(store);
    // Two systems are compared by their names; one system by what it runs on.
    let (subject, rest) = if systems[0] == systems[1] {
        ("machine", [base.to_string(), other.to_string()])
    } else {
        ("system", systems.clone())
    };
    let how = if ratio >= 1.05 {
        "faster"
    } else if ratio > 0.95 {
        "alike"
    } else {
        "slower"
    };
    let times = if ratio >= 2.0 {
        spindle_units::significant(ratio, 2)
    } else {
        spindle_units::significant(ratio, 3)
    };
    let times = times.parse().map_or(times.clone(), number);
    let [base, other] = rest;
    text!(
        &format!("compared-{subject}-{how}"),
        verb = text(&format!("verb-{verb}")),
        system = systems[1].clone(),
        base = base,
        other = other,
        times = times,
        share = percent(ratio)
    )
}

/// What one side does.
fn alone(store: &Store, throughput: f64) -> String {
    let scenario = &store.scenarios[Side::Other.index()];
    text!("answer-alone", system = system_name(scenario), throughput = number(round(throughput)))
}

/// Three significant digits, also in front of the point: for sentences, not for tables.
fn round(value: f64) -> f64 {
    if value <= 0.0 {
        return 0.0;
    }
    let unit = 10f64.powf(value.log10().floor() - 2.0);
    (value / unit).round() * unit
}

/// Why: what most of a transaction's time goes into, on each side.
fn reason(store: &Store) -> Option<String> {
    let names = words::machine_names(store);
    let share = |side: Side| {
        let simulated = store.outcomes[side.index()].as_ref().filter(|_| !store.is_stale(side));
        let (whole, (cause, ms)) = match simulated {
            Some(outcome) => {
                (outcome.report.breakdown_ms.values().sum::<f64>(), outcome.report.main_cause()?)
            }
            None => {
                let estimate = store.estimate_of(side)?;
                (estimate.breakdown_ms.values().sum(), estimate.main_cause()?)
            }
        };
        (whole > 0.0).then(|| (percent(ms / whole), words::cause(cause)))
    };
    let (share_other, cause_other) = share(Side::Other)?;
    if !store.compare {
        return Some(text!("reason-alone", cause = cause_other, share = share_other));
    }
    let (share_base, cause_base) = share(Side::Base)?;
    let key = if cause_base == cause_other { "reason-same" } else { "reason-different" };
    Some(text!(
        key,
        base = names[0].to_string(),
        other = names[1].to_string(),
        share_base = share_base,
        share_other = share_other,
        cause_base = cause_base,
        cause_other = cause_other
    ))
}

fn disagreement(store: &Store, found: &Disagreement) -> Html {
    let names = words::machine_names(store);
    let estimated = number(round(found.estimated));
    let simulated = number(round(found.simulated));
    let words = if store.compare {
        let side = names[found.side.index()].to_string();
        text!("disagreement-side", side = side, estimated = estimated, simulated = simulated)
    } else {
        text!("disagreement", estimated = estimated, simulated = simulated)
    };
    html! { <p class="disagreement" role="status">{ words }</p> }
}

/// How far off the throughputs behind the answer may be.
fn sure(props: &AnswerProps) -> Html {
    let Some(measured) = props.loading.measured() else { return html! {} };
    let Some(outcome) = props.store.outcomes.iter().flatten().next_back() else { return html! {} };
    let trust = judge(measured, &Setup::of(&outcome.scenario, &outcome.report), Of::Throughput);
    let sentence = match &trust {
        Trust::Band(_) => text!("sure-band", error = trust.sentence()),
        Trust::NotValidated { .. } => words::capital(&trust.sentence()),
    };
    html! {
        <p class="sure" id="sure">
            { sentence }
            if !trust.outside().is_empty() { { "; " }<a href="#extrapolated">{ text("sure-extrapolated") }</a> }
            { "; " }<a href={Route::Accuracy(trust.filter()).href()}>{ text("sure-link") }</a>
        </p>
    }
}

/// How far each run of the present job is.
fn parts(store: &Store) -> Vec<String> {
    let names = words::machine_names(store);
    let part = |side: Side| {
        let outcome = store.outcomes[side.index()].as_ref().filter(|_| !store.is_stale(side))?;
        let at = if outcome.done { text("progress-done") } else { percent(outcome.fraction) };
        Some(if store.compare { format!("{} {at}", names[side.index()]) } else { at })
    };
    store.shown().filter_map(part).collect()
}

/// Why the simulator stopped working, and what may help.
fn death(store: &Store) -> String {
    match &store.death {
        Some(Death::NotStarted) => text("status-died-start"),
        Some(Death::Fault(fault)) => text!("status-died-fault", fault = fault.clone()),
        Some(Death::Memory) | None => text("status-died-memory"),
    }
}

fn progress(props: &AnswerProps) -> Html {
    let store = &props.store;
    let parts = parts(store);
    let known = store.shown().filter(|side| !store.is_stale(*side));
    let seconds = known.filter_map(|side| Some(store.outcomes[side.index()].as_ref()?.virtual_s));
    let at = span(seconds.fold(0.0, f64::max));
    let longest = span(store.scenario().run.duration.as_seconds());
    let again = |key: &str| {
        let again = store.phase == Phase::Done;
        html! { <button id="run" onclick={props.begin.reform(move |_: MouseEvent| again)}>{ text(key) }</button> }
    };
    let (words, button) = match store.phase {
        Phase::Running if parts.is_empty() => (text("status-loading"), stop(props)),
        Phase::Running => {
            (text!("status-running", parts = parts.join(", "), at = at, longest = longest), stop(props))
        }
        Phase::Waiting if !store.is_sound() => (text("status-unsound"), html! {}),
        Phase::Waiting => (text("status-waiting"), html! {}),
        Phase::Done => (text!("status-done", at = at), again("run-again")),
        Phase::Stopped => (text!("status-stopped", at = at), again("run")),
        Phase::Died => (death(store), again("run-anew")),
    };
    let value = if store.phase == Phase::Running { store.fraction() } else { 0.0 };
    let trouble = store.phase == Phase::Died || !store.is_sound();
    html! {
        <div class={classes!("status", trouble.then_some("trouble"))}>
            <svg class="progress" role="progressbar" aria-label={text("status-label")} aria-valuemin="0" aria-valuemax="100"
                aria-valuenow={format!("{:.0}", value * 100.0)} height="2">
                <rect class="track" x="0" y="0" width="100%" height="2" />
                <rect class="part" x="0" y="0" width={format!("{:.2}%", value * 100.0)} height="2" />
            </svg>
            <span class="status-text">{ words }</span>
            { button }
        </div>
    }
}

fn stop(props: &AnswerProps) -> Html {
    html! { <button id="stop" onclick={props.stop.reform(|_: MouseEvent| ())}>{ text("stop") }</button> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Action;
    use yew::Reducible;

    #[test]
    fn the_answer_is_a_sentence_and_says_when_it_is_not_final() {
        let partial = headline(&Store::simulated(2, |_| false));
        assert!(partial.starts_with("So far, on SSDs this CUBRID inserts"), "{partial}");
        assert!(partial.ends_with('.'));
        let whole = headline(&Store::simulated(2, |_| true));
        assert!(whole.starts_with("On SSDs this CUBRID inserts"), "{whole}");
        let why = reason(&Store::simulated(2, |_| true)).unwrap();
        assert!(why.contains("disks") && why.contains('%'), "{why}");
    }

    #[test]
    fn one_side_alone_has_an_answer_of_its_own() {
        let alone = headline(&Store::simulated(2, |_| true).reduce(Action::Unpin));
        assert!(alone.starts_with("This CUBRID does ") && alone.contains("transactions a second"), "{alone}");
    }

    #[test]
    fn two_systems_are_compared_by_their_names() {
        let store = Rc::new(Store::default()).reduce(Action::Link(false)).reduce(Action::Turn {
            path: "engine.profile".into(),
            value: toml::Value::String("innodb-5.1".into()),
            dragged: false,
        });
        let text = compared(&store, 0.5);
        assert!(text.starts_with("CUBRID inserts at 50\u{a0}% of the speed of MySQL"), "{text}");
    }
}
