//! The error bands of both machines' figures in words, under the figures.

use crate::{
    accuracy_data::Loading,
    measured::{Filter, Measured},
    route::Route,
    store::Store,
    trust::{Of, Setup, Trust, judge},
    words,
};
use std::rc::Rc;
use yew::prelude::*;

/// What the [`TrustNote`] shows.
#[derive(Properties, PartialEq)]
pub struct TrustNoteProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// The measurements, as far as they are here.
    pub loading: Loading,
}

/// The figures with a band, and what they are called.
const FIGURES: [(Of, &str); 4] = [
    (Of::Throughput, "Throughput"),
    (Of::MeanLatency, "Mean latency"),
    (Of::P95Latency, "95 % within"),
    (Of::PageReads, "Pages read"),
];

/// The bands in words.
#[component]
pub fn TrustNote(props: &TrustNoteProps) -> Html {
    let store = &props.store;
    let known: Vec<(usize, Setup)> = store
        .outcomes
        .iter()
        .enumerate()
        .filter_map(|(at, outcome)| {
            let outcome = outcome.as_ref()?;
            Some((at, Setup::of(&outcome.scenario, &outcome.report)))
        })
        .collect();
    if known.is_empty() {
        return html! {};
    }
    let measured = match &props.loading {
        Loading::Ready(measured) => measured,
        Loading::Failed(reason) => {
            return html! {
                <p class="trust-note" id="trust-note">
                    { format!("How far off these figures may be is not known: the measurements could not be loaded. {reason}") }
                </p>
            };
        }
        Loading::Idle | Loading::Busy => return html! {},
    };
    let unknown = |(_, setup): &(usize, Setup)| {
        let band = |(of, _): &(Of, _)| matches!(judge(measured, setup, *of), Trust::Band(_));
        !FIGURES.iter().any(band)
    };
    if known.iter().all(unknown) {
        return html! {
            <p class="trust-note" id="trust-note">
                { Trust::nothing(&known[0].1.profile) }{ "; " }
                <a href={Route::Accuracy(Filter::default()).href()}>{ "see what was" }</a>
            </p>
        };
    }
    let names = words::shown_names(store);
    let lines = FIGURES.iter().map(|(of, label)| {
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
            Trust::Band(_) => "see them",
            Trust::NotValidated { .. } => "see what there is",
        };
        let parts = sentences.iter().map(|(sides, trust)| {
            let on = if several { format!("on {} ", names[sides[0]]) } else { String::new() };
            html! { <span class="trust-part">{ on }{ trust.sentence() }{ "; " }<a href={Route::Accuracy(trust.filter()).href()}>{ link(trust) }</a></span> }
        });
        html! { <><dt>{ *label }</dt><dd data-quantity={of.quantity()}>{ for parts }</dd></> }
    });
    let outside = extrapolated(measured, &known, names);
    html! {
        <div class="trust-note" id="trust-note">
            <h3>{ "How far off the model may be" }</h3>
            <dl>{ for lines }</dl>
            if !outside.is_empty() {
                <p id="extrapolated"><b>{ "Extrapolated" }</b>{ ": this set-up lies outside of what was measured." }</p>
                <ul>{ for outside.into_iter().map(|text| html! { <li>{ text }</li> }) }</ul>
            }
        </div>
    }
}

/// Where the results lie outside of what was measured; what holds for both machines once.
fn extrapolated(measured: &Measured, known: &[(usize, Setup)], names: [&str; 2]) -> Vec<String> {
    let mut reasons: Vec<(String, Vec<usize>)> = Vec::new();
    for (at, setup) in known {
        for (of, _) in FIGURES {
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
            let on =
                if sides.len() < known.len() { format!("on {}: ", names[sides[0]]) } else { String::new() };
            words::capital(&format!("{on}{reason}."))
        })
        .collect()
}
