//! The error bands of both machines' figures in words, under the figures.

use crate::{
    accuracy_data::Loading,
    language::text,
    measured::{Filter, Measured},
    quantity::quantity,
    route::Route,
    store::{Outcome, Store},
    trust::{Of, Setup, Trust, judge},
    words,
};
use spindle_report::Report;
use spindle_scenario::Scenario;
use std::rc::Rc;
use yew::prelude::*;

/// A side's place, what was run, and what it has shown.
type Run = (usize, Rc<Scenario>, Rc<Report>);

/// The results whose bands are told, and what their machines are called.
#[derive(Clone)]
pub struct Results {
    runs: Vec<Run>,
    names: [String; 2],
}

impl Results {
    /// What is shown of both sides.
    pub fn of(store: &Store) -> Self {
        let run = |(at, outcome): (usize, &Option<Outcome>)| {
            let outcome = outcome.as_ref()?;
            Some((at, Rc::clone(&outcome.scenario), Rc::clone(&outcome.report)))
        };
        let runs = store.outcomes.iter().enumerate().filter_map(run).collect();
        Self { runs, names: words::shown_names(store) }
    }
}

/// Results are the same where they are one in memory: while a slider moves they are, and nothing is judged anew.
impl PartialEq for Results {
    fn eq(&self, other: &Self) -> bool {
        let same = |((_, a, b), (_, c, d)): (&Run, &Run)| Rc::ptr_eq(a, c) && Rc::ptr_eq(b, d);
        self.names == other.names
            && self.runs.len() == other.runs.len()
            && self.runs.iter().zip(&other.runs).all(same)
    }
}

/// What the [`TrustNote`] shows.
#[derive(Properties, PartialEq)]
pub struct TrustNoteProps {
    /// The results.
    pub results: Results,
    /// The measurements, as far as they are here.
    pub loading: Loading,
}

/// The figures with a band.
const FIGURES: [Of; 4] = [Of::Throughput, Of::MeanLatency, Of::P95Latency, Of::PageReads];

/// The bands in words.
#[component]
pub fn TrustNote(props: &TrustNoteProps) -> Html {
    let Results { runs, names } = &props.results;
    let known: Vec<(usize, Setup)> =
        runs.iter().map(|(at, scenario, report)| (*at, Setup::of(scenario, report))).collect();
    if known.is_empty() {
        return html! {};
    }
    let measured = match &props.loading {
        Loading::Ready(measured) => measured,
        Loading::Failed(reason) => {
            return html! {
                <p class="trust-note" id="trust-note">
                    { text!("trust-not-loaded", reason = reason) }
                </p>
            };
        }
        Loading::Idle | Loading::Busy => return html! {},
    };
    let unknown = |(_, setup): &(usize, Setup)| {
        let band = |of: &Of| matches!(judge(measured, setup, *of), Trust::Band(_));
        !FIGURES.iter().any(band)
    };
    if known.iter().all(unknown) {
        return html! {
            <p class="trust-note" id="trust-note">
                { Trust::nothing(&known[0].1.profile) }{ "; " }
                <a href={Route::Accuracy(Filter::default()).href()}>{ text("trust-see-what-was") }</a>
            </p>
        };
    }
    let lines = FIGURES.iter().map(|of| {
        let judged: Vec<(usize, Trust)> =
            known.iter().map(|(at, setup)| (*at, judge(measured, setup, *of))).collect();
        // Both machines run the same engine and load, so that they mostly share a band.
        let mut sentences: Vec<(Vec<usize>, &Trust)> = Vec::new();
        for (at, trust) in &judged {
            match sentences.iter_mut().find(|(_, known)| known.sentence() == trust.sentence()) {
                Some((sides, _)) => sides.push(*at),
                None => sentences.push((vec![*at], trust)),
            }
        }
        let several = sentences.len() > 1;
        let link = |trust: &Trust| match trust {
            Trust::Band(_) => text("trust-see-cells"),
            Trust::NotValidated { .. } => text("trust-see-what-there-is"),
        };
        let parts = sentences.iter().map(|(sides, trust)| {
            let sentence = trust.sentence();
            let words = if several { on_machine(&names[sides[0]], &sentence) } else { sentence };
            html! { <span class="trust-part">{ words }{ "; " }<a href={Route::Accuracy(trust.filter()).href()}>{ link(trust) }</a></span> }
        });
        html! { <><dt>{ words::capital(&quantity(of.quantity()).label) }</dt><dd data-quantity={of.quantity()}>{ for parts }</dd></> }
    });
    let outside = extrapolated(measured, &known, names);
    html! {
        <div class="trust-note" id="trust-note">
            <h3>{ text("trust-title") }</h3>
            <dl>{ for lines }</dl>
            if !outside.is_empty() {
                <p id="extrapolated">{ text("trust-extrapolated") }</p>
                <ul>{ for outside.into_iter().map(|text| html! { <li>{ text }</li> }) }</ul>
            }
        </div>
    }
}

/// A statement that holds for one machine only.
fn on_machine(machine: &str, statement: &str) -> String {
    text!("on-machine", machine = machine, statement = statement)
}

/// Where the results lie outside of what was measured; what holds for both machines once.
fn extrapolated(measured: &Measured, known: &[(usize, Setup)], names: &[String; 2]) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<usize>)> = Vec::new();
    for (at, setup) in known {
        for of in FIGURES {
            for reason in judge(measured, setup, of).outside() {
                match reasons.iter_mut().find(|(known, _)| known == reason) {
                    Some((_, sides)) if sides.contains(at) => {}
                    Some((_, sides)) => sides.push(*at),
                    None => reasons.push((reason.clone(), vec![*at])),
                }
            }
        }
    }
    reasons
        .into_iter()
        .map(|(reason, sides)| {
            let is_common = sides.len() == known.len();
            let words = if is_common { reason } else { on_machine(&names[sides[0]], &reason) };
            words::capital(&text!("sentence", words = words))
        })
        .collect()
}
