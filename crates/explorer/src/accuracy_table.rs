//! How sure it is: what was published beside the model, the fitted constants, what was assumed.

use crate::{
    format::{error, number, percent},
    language::{data_words, model_words, text},
    measured::Filter,
    route::Route,
    store::Store,
    term::Term,
};
use spindle_experiments::{Card, ClaimKind, ClaimResult, FittedReport, Role};
use std::rc::Rc;
use yew::prelude::*;

/// What the [`AccuracyTable`] shows.
#[derive(Properties, PartialEq)]
pub struct AccuracyTableProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// Starts or stops the replay of all cases.
    pub replay: Callback<bool>,
}

/// How sure it is.
#[component]
pub fn AccuracyTable(props: &AccuracyTableProps) -> Html {
    let store = &props.store;
    let (Some(card), Some(experiment)) = (store.card(), store.experiment()) else { return html! {} };
    let current = store.pair().map(|pair| pair.claim.as_str());
    let rows = card
        .claims
        .iter()
        .zip(&experiment.claims)
        .map(|(claim, result)| row(&claim.kind, result, current == Some(result.id.as_str())));
    let fitted = experiment.fitted.iter().map(|constant| fitted_row(card, constant));
    let notes = store.outcomes.iter().flatten().flat_map(|o| o.report.notes.iter().cloned());
    let mut assumed: Vec<String> = card.assumed.clone();
    for note in notes {
        if !assumed.contains(&note) {
            assumed.push(note);
        }
    }
    html! {
        <section class="accuracy" aria-label={text("accuracy-label")}>
            <p class="kicker">{ text("accuracy-kicker") }</p>
            <h2>{ title(&experiment.claims) }</h2>
            { replay(props, card) }
            <p class="lead">
                { text("accuracy-lead") }{ " " }
                <a href={Route::Accuracy(Filter::default()).href()}>{ text("accuracy-lead-link") }</a>
            </p>
            <table class="claims">
                <thead>
                    <tr>
                        <th scope="col">{ text("claim") }</th>
                        <th scope="col" class="number">{ text("claim-published") }</th>
                        <th scope="col" class="number">{ text("column-model") }</th>
                        <th scope="col" class="number"><Term text={text("column-error")} meaning={text("claim-error-meaning")} /></th>
                        <th scope="col"><Term text={text("claim-role")} meaning={text("claim-role-meaning")} /></th>
                        <th scope="col"><Term text={text("claim-holds")} meaning={text("claim-holds-meaning")} /></th>
                    </tr>
                </thead>
                <tbody>{ for rows }</tbody>
            </table>
            <h3>{ text("constants-title") }</h3>
            <table class="fitted">
                <thead>
                    <tr>
                        <th scope="col">{ text("constant") }</th>
                        <th scope="col" class="number">{ text("constant-value") }</th>
                        <th scope="col">{ text("constant-range") }</th>
                        <th scope="col">{ text("constant-fitted-on") }</th>
                    </tr>
                </thead>
                <tbody>{ for fitted }</tbody>
            </table>
            <h3>{ text("assumed-title") }</h3>
            <ul class="assumed">{ for assumed.into_iter().map(|text| html! { <li>{ model_words(&data_words(&text)) }</li> }) }</ul>
            <p class="source" lang="en">{ text!("source", source = card.source.as_str()) }</p>
        </section>
    }
}

fn title(claims: &[ClaimResult]) -> String {
    let known: Vec<&ClaimResult> = claims.iter().filter(|c| c.model.is_some()).collect();
    if known.is_empty() {
        return text!("claims-unchecked", whole = claims.len());
    }
    let hold = known.iter().filter(|c| c.holds).count();
    let predicted = known.iter().filter(|c| c.role == Role::Predicted).filter_map(|c| c.error);
    let worst = predicted.map(f64::abs).reduce(f64::max);
    let checked = known.len();
    let open = claims.len() - checked;
    let checked = text!("claims-hold", hold = hold, checked = checked, open = open);
    match worst {
        Some(worst) => text!("claims-hold-error", finding = checked, error = percent(worst)),
        None => checked,
    }
}

fn replay(props: &AccuracyTableProps, card: &Card) -> Html {
    let store = &props.store;
    let whole = card.cases.len();
    let start = props.replay.reform(|_: MouseEvent| true);
    let stop = props.replay.reform(|_: MouseEvent| false);
    match &store.replay {
        Some(replay) => {
            let count = replay.cases.len();
            let at = (replay.at + 1).min(count);
            let case = replay.cases.get(replay.at).and_then(|case| card.cases.get(*case));
            let name = case.map(|case| case_words(&case.title)).unwrap_or_default();
            html! {
                <div class="status" id="replay-status">
                    <span class="status-text">{ text!("replay-running", at = at, count = count, share = percent(replay.fraction), name = name) }</span>
                    <button id="stop-replay" onclick={stop}>{ text("stop") }</button>
                </div>
            }
        }
        None if store.cases_known() < whole => html! {
            <div class="status">
                <span class="status-text">
                    { text!("replay-waiting", known = store.cases_known(), whole = whole) }
                </span>
                <button id="replay" onclick={start}>{ replay_words(store.cases_known(), whole) }</button>
            </div>
        },
        None => {
            html! { <div class="status"><span class="status-text">{ text!("replay-done", whole = whole) }</span></div> }
        }
    }
}

/// The name of a case, which names test, system and machine.
fn case_words(title: &str) -> String {
    title.split(", ").map(data_words).collect::<Vec<_>>().join(", ")
}

fn replay_words(known: usize, whole: usize) -> String {
    if known == 0 {
        text!("replay-all", whole = whole)
    } else {
        text!("replay-others", count = whole - known)
    }
}

fn row(kind: &ClaimKind, result: &ClaimResult, current: bool) -> Html {
    let times = |value: f64| text!("times", value = value);
    let published = match kind {
        ClaimKind::Ratio { published, .. }
        | ClaimKind::Range { published, .. }
        | ClaimKind::Mean { published, .. } => times(*published),
        ClaimKind::Order { .. } => text!("claim-more-than", bound = times(1.0)),
        ClaimKind::Within { at_most, .. } => text!("claim-within", from = 1, to = times(*at_most)),
        ClaimKind::Bound { at_most, .. } => text!("claim-at-most", bound = times(*at_most)),
        ClaimKind::Idle { at_most, .. } => text!("claim-under", bound = percent(*at_most)),
        ClaimKind::Share { at_least, .. } => text!("claim-more-than", bound = percent(*at_least)),
        ClaimKind::Curve { .. } | ClaimKind::Orders { .. } => {
            result.published.map_or_else(String::new, number)
        }
    };
    let model = result.model.map(|value| match kind {
        ClaimKind::Idle { .. } | ClaimKind::Share { .. } => percent(value),
        ClaimKind::Curve { .. } | ClaimKind::Orders { .. } => number(value),
        _ => times(value),
    });
    let role = match result.role {
        Role::Fitted => "role-fitted",
        Role::Predicted => "role-predicted",
    };
    let holds = match (&model, result.holds) {
        (None, _) => html! { <span class="muted">{ text("claim-open") }</span> },
        (_, true) => html! { <span class="yes">{ text("yes") }</span> },
        (_, false) => html! { <span class="no">{ text("no") }</span> },
    };
    html! {
        <tr class={classes!(current.then_some("current"))}>
            <th scope="row">{ data_words(&result.title) }</th>
            <td class="number" data-label={text("claim-published")}>{ published }</td>
            <td class="number strong" data-label={text("column-model")}>{ model.unwrap_or_else(|| "–".into()) }</td>
            <td class="number" data-label={text("column-error")}>{ result.error.map_or_else(|| "–".into(), error) }</td>
            <td data-label={text("claim-role")}>{ text(role) }</td>
            <td data-label={text("claim-holds")}>{ holds }</td>
        </tr>
    }
}

fn fitted_row(card: &Card, constant: &FittedReport) -> Html {
    let [low, high] = constant.range;
    let place = (constant.value - low) / (high - low).max(1e-12);
    let claim = card
        .claims
        .iter()
        .find(|c| c.id == constant.on)
        .map_or(constant.on.clone(), |c| data_words(&c.title));
    html! {
        <tr>
            <th scope="row">{ data_words(&constant.name) }<span class="unit">{ format!(", {}", data_words(&constant.unit)) }</span></th>
            <td class="number strong" data-label={text("constant-value")}>{ number(constant.value) }</td>
            <td class="range" data-label={text("constant-range")}>
                <span class="number">{ number(low) }</span>
                <svg width="64" height="12" aria-hidden="true">
                    <line class="track" x1="2" x2="62" y1="6" y2="6" />
                    <circle class="mark" cx={format!("{:.1}", 2.0 + place.clamp(0.0, 1.0) * 60.0)} cy="6" r="3.5" />
                </svg>
                <span class="number">{ number(high) }</span>
            </td>
            <td data-label={text("constant-fitted-on")}>{ claim }</td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn the_title_says_how_much_is_checked() {
        let claims = Store::default().experiment().unwrap().claims.clone();
        assert_eq!(title(&claims), "None of the 12 published claims is checked yet");
        let mut some = claims;
        some[1].model = Some(2.6);
        some[1].error = Some(0.04);
        some[1].holds = true;
        assert_eq!(
            title(&some),
            "1 of 1 checked claims hold, 11 are still open; the largest error of a predicted number is 4\u{a0}%"
        );
    }
}
