//! How sure it is: what was published beside the model, the fitted constants, what was assumed.

use crate::{
    format::{error, percent},
    measured::Filter,
    route::Route,
    store::Store,
    term::Term,
};
use spindle_experiments::{Card, ClaimKind, ClaimResult, FittedReport, Role};
use spindle_units::significant;
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
        <section class="accuracy" aria-label="Accuracy">
            <p class="kicker">{ "How sure it is" }</p>
            <h2>{ title(&experiment.claims) }</h2>
            { replay(props, card) }
            <p class="lead">
                { "Beside published figures, the model is compared with measurements of real engines: " }
                <a href={Route::Accuracy(Filter::default()).href()}>{ "how far to trust it" }</a>{ "." }
            </p>
            <table class="claims">
                <thead>
                    <tr>
                        <th scope="col">{ "Claim" }</th>
                        <th scope="col" class="number">{ "published" }</th>
                        <th scope="col" class="number">{ "model" }</th>
                        <th scope="col" class="number"><Term text="error" meaning="How far the model is from the published value, as a share of it." /></th>
                        <th scope="col"><Term text="role" meaning="Fitted: a constant was set so that this comes out. Predicted: it follows." /></th>
                        <th scope="col"><Term text="holds" meaning="A number within a quarter of the published one; an order or bound that is kept." /></th>
                    </tr>
                </thead>
                <tbody>{ for rows }</tbody>
            </table>
            <h3>{ "Constants fitted to this article" }</h3>
            <table class="fitted">
                <thead>
                    <tr>
                        <th scope="col">{ "Constant" }</th>
                        <th scope="col" class="number">{ "value" }</th>
                        <th scope="col">{ "plausible range" }</th>
                        <th scope="col">{ "fitted on" }</th>
                    </tr>
                </thead>
                <tbody>{ for fitted }</tbody>
            </table>
            <h3>{ "Assumed, because the article is silent" }</h3>
            <ul class="assumed">{ for assumed.into_iter().map(|text| html! { <li>{ text }</li> }) }</ul>
            <p class="source">{ "Source: " }{ &card.source }{ "." }</p>
        </section>
    }
}

fn title(claims: &[ClaimResult]) -> String {
    let known: Vec<&ClaimResult> = claims.iter().filter(|c| c.model.is_some()).collect();
    if known.is_empty() {
        return format!("None of the {} published claims is checked yet", claims.len());
    }
    let hold = known.iter().filter(|c| c.holds).count();
    let checked = if known.len() == claims.len() {
        format!("{hold} of {} published claims hold", claims.len())
    } else {
        format!(
            "{hold} of {} checked claims hold, {} are still open",
            known.len(),
            claims.len() - known.len()
        )
    };
    let predicted = known.iter().filter(|c| c.role == Role::Predicted).filter_map(|c| c.error);
    match predicted.map(f64::abs).reduce(f64::max) {
        Some(worst) => format!("{checked}; the largest error of a predicted number is {}", percent(worst)),
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
            let name = case.map(|case| case.title.clone()).unwrap_or_default();
            html! {
                <div class="status" id="replay-status">
                    <span class="status-text">{ format!("simulating {at} of {count} cases, {}: {name}", percent(replay.fraction)) }</span>
                    <button id="stop-replay" onclick={stop}>{ "Stop" }</button>
                </div>
            }
        }
        None if store.cases_known() < whole => html! {
            <div class="status">
                <span class="status-text">
                    { format!("{} of {whole} cases simulated. The rest takes some minutes; INSERT tests last half an hour of virtual time.", store.cases_known()) }
                </span>
                <button id="replay" onclick={start}>{ if store.cases_known() == 0 { format!("Replay all {whole} cases") } else { format!("Replay the other {}", whole - store.cases_known()) } }</button>
            </div>
        },
        None => {
            html! { <div class="status"><span class="status-text">{ format!("All {whole} cases simulated.") }</span></div> }
        }
    }
}

fn row(kind: &ClaimKind, result: &ClaimResult, current: bool) -> Html {
    let times = |value: f64| format!("{} ×", significant(value, 3));
    let published = match kind {
        ClaimKind::Ratio { published, .. } => times(*published),
        ClaimKind::Order { .. } => "more than 1 ×".into(),
        ClaimKind::Within { at_most, .. } => format!("1 to {}", times(*at_most)),
        ClaimKind::Idle { at_most, .. } => format!("under {}", percent(*at_most)),
    };
    let model = result.model.map(|value| match kind {
        ClaimKind::Idle { .. } => percent(value),
        _ => times(value),
    });
    let role = match result.role {
        Role::Fitted => "fitted",
        Role::Predicted => "predicted",
    };
    let holds = match (&model, result.holds) {
        (None, _) => html! { <span class="muted">{ "open" }</span> },
        (_, true) => html! { <span class="yes">{ "yes" }</span> },
        (_, false) => html! { <span class="no">{ "no" }</span> },
    };
    html! {
        <tr class={classes!(current.then_some("current"))}>
            <th scope="row">{ &result.title }</th>
            <td class="number" data-label="published">{ published }</td>
            <td class="number strong" data-label="model">{ model.unwrap_or_else(|| "–".into()) }</td>
            <td class="number" data-label="error">{ result.error.map_or_else(|| "–".into(), error) }</td>
            <td data-label="role">{ role }</td>
            <td data-label="holds">{ holds }</td>
        </tr>
    }
}

fn fitted_row(card: &Card, constant: &FittedReport) -> Html {
    let [low, high] = constant.range;
    let place = (constant.value - low) / (high - low).max(1e-12);
    let claim =
        card.claims.iter().find(|c| c.id == constant.on).map_or(constant.on.clone(), |c| c.title.clone());
    html! {
        <tr>
            <th scope="row">{ &constant.name }<span class="unit">{ format!(", {}", constant.unit) }</span></th>
            <td class="number strong" data-label="value">{ significant(constant.value, 3) }</td>
            <td class="range" data-label="plausible">
                <span class="number">{ significant(low, 3) }</span>
                <svg width="64" height="12" aria-hidden="true">
                    <line class="track" x1="2" x2="62" y1="6" y2="6" />
                    <circle class="mark" cx={format!("{:.1}", 2.0 + place.clamp(0.0, 1.0) * 60.0)} cy="6" r="3.5" />
                </svg>
                <span class="number">{ significant(high, 3) }</span>
            </td>
            <td data-label="fitted on">{ claim }</td>
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;

    #[test]
    fn the_title_says_how_much_is_checked() {
        let claims = Store::default().experiment().unwrap().claims;
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
