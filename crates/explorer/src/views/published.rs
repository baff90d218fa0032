//! What was published beside what the model says.

use crate::{
    engine_mark::Mark,
    figure::{Axis, Body, Datum, Figure, FigureView, Look, Plot, Reading, Scale, Series, Unit},
    format::{error, percent},
    language::{data_words, text},
    store::Store,
    theme::Theme,
    words::capital,
};
use spindle_experiments::ClaimResult;
use std::rc::Rc;
use yew::prelude::*;

/// What the [`Published`] view shows.
#[derive(Properties, PartialEq)]
pub struct PublishedProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// Light or dark.
    pub theme: Theme,
}

/// The view.
#[component]
pub fn Published(props: &PublishedProps) -> Html {
    let claims = props.store.experiment().map(|experiment| experiment.claims.clone()).unwrap_or_default();
    let figure = Rc::new(figure(&claims));
    let missing = claims.iter().any(|claim| claim.published.is_some() && claim.model.is_none());
    html! {
        <>
            <FigureView {figure} theme={props.theme} class="published-figure" />
            if missing {
                <p class="note">{ text("published-missing") }</p>
            }
        </>
    }
}

fn figure(claims: &[ClaimResult]) -> Figure {
    let known: Vec<(&ClaimResult, f64)> = claims
        .iter()
        .filter_map(|claim| Some((claim, claim.published.filter(|value| *value > 0.0)?)))
        .collect();
    let rows = known.iter().map(|(claim, _)| match claim.error {
        Some(share) => format!("{}: {}", data_words(&claim.title), error(share)),
        None => data_words(&claim.title),
    });
    let mark = |row: usize, value: f64| Datum { rank: value, ..Datum::at(value, row as f64) };
    let published = known.iter().enumerate().map(|(row, (_, value))| mark(row, *value)).collect();
    let model =
        known.iter().enumerate().filter_map(|(row, (claim, _))| Some(mark(row, claim.model?))).collect();
    // From the published value to the model's, so that the error is seen.
    let mut gaps = Vec::new();
    for (row, (claim, value)) in known.iter().enumerate() {
        if let Some(model) = claim.model {
            gaps.extend([mark(row, *value), mark(row, model), Datum::at(f64::NAN, f64::NAN)]);
        }
    }
    let series = vec![
        Series::new(text("column-error"), "muted", Look::Line(crate::figure::Dash::Solid), gaps).guide(),
        Series::new(
            capital(&text("claim-published")),
            "ink",
            Look::Points { mark: Mark::Diamond, hollow: true },
            published,
        ),
        Series::new(
            capital(&text("column-model")),
            "ink",
            Look::Points { mark: Mark::Circle, hollow: false },
            model,
        ),
    ];
    let name = text("view-published");
    Figure {
        id: "published",
        title: title(claims).unwrap_or_else(|| name.clone()),
        name,
        body: Body::Plot(Plot {
            x: Axis::new(text("axis-times"), Unit::Ratio, Scale::Log),
            y: Axis::of_rows(rows.collect()),
            series: series.into_iter().filter(|series| !series.data.is_empty()).collect(),
            reading: Reading::Ranked,
            rank: Some((text("axis-times"), Unit::Ratio)),
        }),
    }
}

fn title(claims: &[ClaimResult]) -> Option<String> {
    let published: Vec<f64> = claims.iter().filter_map(|claim| claim.published).collect();
    let errors: Vec<f64> = claims.iter().filter_map(|claim| claim.error.map(f64::abs)).collect();
    let Some(worst) = errors.iter().copied().reduce(f64::max) else {
        let (low, high) =
            (published.iter().copied().reduce(f64::min)?, published.iter().copied().reduce(f64::max)?);
        let (low, high) = (Unit::Ratio.words(low), Unit::Ratio.words(high));
        return Some(format!(
            "{} figures were published, from {low} to {high}; none of them is simulated yet",
            published.len()
        ));
    };
    let open = published.len() - errors.len();
    Some(text!("title-published", count = errors.len(), worst = percent(worst), open = open))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::sides::tests::simulated;

    #[test]
    fn published_figures_stand_without_a_run() {
        let claims = Store::default().experiment().unwrap().claims.clone();
        let figure = figure(&claims);
        let plot = figure.plot().unwrap();
        assert!(plot.y.rows.len() >= 6);
        assert_eq!(plot.legend().len(), 1, "only what was published");
        assert!(figure.title.contains("none of them is simulated yet"), "{}", figure.title);
        assert!(!figure.is_empty());
        assert!(super::figure(&[]).is_empty());
    }

    #[test]
    fn what_was_simulated_stands_beside_it() {
        let store = simulated();
        let mut claims = store.experiment().unwrap().claims.clone();
        claims[0].model = claims[0].published.map(|value| value * 1.1);
        claims[0].error = Some(0.1);
        let figure = figure(&claims);
        assert_eq!(figure.plot().unwrap().legend().len(), 2);
        assert!(figure.title.starts_with("The one published figure"), "{}", figure.title);
        assert!(figure.plot().unwrap().y.rows[0].ends_with("+10\u{a0}%"));
    }
}
