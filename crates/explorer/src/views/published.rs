//! What was published beside what the model says: ratios of a card, or the curves and maps of one of its grids.

use super::{
    answers::{Answers, Asked, use_answers},
    choice::Choice,
    published_curves, published_map,
};
use crate::{
    card_grid::{CardGrid, GridCase, Measure},
    engine_mark::Mark,
    figure::{Axis, Body, Datum, Figure, FigureView, Look, Plot, Reading, Scale, Series, Unit},
    format::{error, percent},
    language::{data_words, text},
    store::Store,
    theme::Theme,
    view_state::{Picture, PublishedSpec, ViewAction},
    words::capital,
};
use spindle_estimate::Estimate;
use spindle_experiments::{Card, ClaimResult, Experiment, Quantity};
use spindle_scenario::Scenario;
use std::{collections::BTreeMap, rc::Rc};
use yew::prelude::*;

/// What the [`Published`] view shows.
#[derive(Properties, PartialEq)]
pub struct PublishedProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// Which picture.
    pub spec: PublishedSpec,
    /// Shows another one.
    pub act: Callback<ViewAction>,
    /// Light or dark.
    pub theme: Theme,
}

/// The view.
#[component]
pub fn Published(props: &PublishedProps) -> Html {
    let PublishedProps { store, spec, .. } = props;
    let experiment = store.experiment();
    let here = store.pair().or(store.pairs.first()).map(|pair| pair.cases[1].id.clone()).unwrap_or_default();
    let picture = use_memo((store.card, here, *spec), |(_, here, spec)| GridPicture::of(store, here, *spec));
    let answers =
        use_answers(picture.as_ref().as_ref().map(|picture| picture.asked.clone()).unwrap_or_default());
    let shown = picture.as_ref().as_ref().zip(store.card()).zip(experiment.as_ref());
    let body = match shown {
        Some(((picture, card), experiment)) if picture.picture != Picture::Ratios => {
            let known = Known::new(picture, &answers, experiment);
            let figure = Rc::new(match picture.picture {
                Picture::Curves | Picture::Ratios => published_curves::figure(card, picture, &known),
                Picture::Map => published_map::figure(picture, &known, false),
                Picture::ModelMap => published_map::figure(picture, &known, true),
            });
            let class = if picture.picture == Picture::Curves { "" } else { "map" };
            html! { <FigureView {figure} theme={props.theme} {class}>{ choices(props, picture) }</FigureView> }
        }
        _ => {
            let claims = experiment.map(|experiment| experiment.claims.clone()).unwrap_or_default();
            let missing = claims.iter().any(|claim| is_ratio(claim) && claim.model.is_none());
            let choices = picture.as_ref().as_ref().map(|picture| choices(props, picture));
            html! {
                <>
                    <FigureView figure={Rc::new(figure(&claims))} theme={props.theme} class="published-figure">{ choices }</FigureView>
                    if missing { <p class="note">{ text("published-missing") }</p> }
                </>
            }
        }
    };
    html! { <>{ body }{ picture.as_ref().as_ref().filter(|picture| picture.picture == Picture::Curves).map(note) }</> }
}

fn note(_: &GridPicture) -> Html {
    html! { <p class="note">{ text("published-curves-note") }</p> }
}

/// A picture of a grid: which one, of what, and the cases that it takes.
pub struct GridPicture {
    /// The picture.
    pub picture: Picture,
    /// Those that there are.
    pictures: Vec<Picture>,
    /// The grid.
    pub grid: CardGrid,
    /// The case that is on the page.
    pub here: GridCase,
    /// What was published.
    measures: Vec<Measure>,
    at: usize,
    /// The cases that the picture takes, with their Scenarios.
    pub cases: Vec<(GridCase, Rc<Scenario>)>,
    asked: Rc<Asked>,
}

impl GridPicture {
    fn of(store: &Store, here: &str, spec: PublishedSpec) -> Option<Self> {
        let card = store.card()?;
        let grid = CardGrid::around(card, here)?;
        let here = grid.case(here)?.clone();
        let measures = grid.measures(card);
        let mut pictures = Vec::new();
        if card.claims.iter().any(|claim| {
            matches!(
                claim.kind,
                spindle_experiments::ClaimKind::Ratio { .. } | spindle_experiments::ClaimKind::Range { .. }
            )
        }) {
            pictures.push(Picture::Ratios);
        }
        if grid.along.is_some() {
            pictures.push(Picture::Curves);
            if grid.compared_axis().is_some() {
                let anything = measures.iter().any(|measure| !measure.published.is_empty());
                pictures.extend(anything.then_some(Picture::Map));
                pictures.push(Picture::ModelMap);
            }
        }
        let picture = spec.picture.filter(|picture| pictures.contains(picture)).or_else(|| {
            pictures.iter().copied().find(|picture| *picture == Picture::Curves).or(pictures.first().copied())
        })?;
        let free: Vec<usize> = grid.along.into_iter().chain(grid.compared_axis()).collect();
        let wanted: Vec<GridCase> = match picture {
            Picture::Ratios => Vec::new(),
            Picture::Curves => grid.beside(&here, &free).cloned().collect(),
            Picture::Map | Picture::ModelMap => grid.cases.clone(),
        };
        let cases: Vec<(GridCase, Rc<Scenario>)> = wanted
            .into_iter()
            .filter_map(|case| scenario(card, &case.id).map(|scenario| (case, scenario)))
            .collect();
        let at = spec.measure.min(measures.len().saturating_sub(1));
        let bases = cases.iter().map(|(_, scenario)| scenario.clone()).collect();
        let asked = Rc::new(Asked { bases, knobs: Vec::new() });
        Some(Self { picture, pictures, grid, here, measures, at, cases, asked })
    }

    /// What is shown of the cases.
    pub fn measure(&self) -> &Measure {
        &self.measures[self.at]
    }

    /// What the values of the compared axis are called.
    pub fn side_name(&self, case: &GridCase) -> String {
        let axis = self.grid.compared_axis();
        let title = axis.map(|axis| self.grid.grid.axes[axis].values[case.values[axis]].title.as_str());
        data_words(title.unwrap_or(&self.grid.grid.title))
    }

    /// How much better the case above the line does than this one below it, by figures of cases.
    pub fn advantage(&self, below: &GridCase, figure: impl Fn(&GridCase) -> Option<f64>) -> Option<f64> {
        let above = self.grid.opposite(below).filter(|above| above.id != below.id)?;
        let (below, above) = (figure(below)?, figure(above)?);
        let (better, worse) = if self.measure().is_rate() { (above, below) } else { (below, above) };
        (better > 0.0 && worse > 0.0).then_some(better / worse)
    }

    /// The axis across.
    pub fn x_axis(&self) -> Axis {
        let places: Vec<f64> = self.grid.cases.iter().filter_map(|case| self.grid.place(case)).collect();
        let (low, high) = places.iter().fold((f64::INFINITY, 0.0f64), |(l, h), at| (l.min(*at), h.max(*at)));
        let scale = if low > 0.0 && high / low > 8.0 { Scale::Log } else { Scale::Linear };
        let name =
            self.grid.along.map(|axis| data_words(&self.grid.grid.axes[axis].name)).unwrap_or_default();
        Axis::new(name, Unit::Count, scale)
    }
}

fn scenario(card: &Card, id: &str) -> Option<Rc<Scenario>> {
    let case = card.cases.iter().find(|case| case.id == id)?;
    card.scenario(case).ok().map(Rc::new)
}

/// What is known of a picture's cases.
pub struct Known<'a> {
    measure: &'a Measure,
    estimates: BTreeMap<&'a str, Rc<Estimate>>,
    simulated: BTreeMap<&'a str, f64>,
}

impl<'a> Known<'a> {
    fn new(picture: &'a GridPicture, answers: &Answers, experiment: &'a Experiment) -> Self {
        let measure = picture.measure();
        // Answers to an earlier question are of other cases.
        let fits = answers.asked == picture.asked;
        let answered = picture.cases.iter().zip(answers.known.iter()).filter(|_| fits);
        Self {
            measure,
            estimates: answered
                .filter_map(|((case, _), answer)| Some((case.id.as_str(), answer.clone()?)))
                .collect(),
            simulated: experiment
                .cases
                .iter()
                .map(|case| (case.id.as_str(), measure.of_report(&case.report)))
                .collect(),
        }
    }

    /// The published figure of a case.
    pub fn published(&self, case: &GridCase) -> Option<f64> {
        self.measure.published.get(&case.id).copied()
    }

    /// What the estimate says of it.
    pub fn estimated(&self, case: &GridCase) -> Option<f64> {
        self.estimates.get(case.id.as_str()).map(|estimate| self.measure.of_estimate(estimate))
    }

    /// What the simulation says of it.
    pub fn simulated(&self, case: &GridCase) -> Option<f64> {
        self.simulated.get(case.id.as_str()).copied()
    }

    /// What the model says of it: by the simulation where that is known.
    pub fn modelled(&self, case: &GridCase) -> Option<f64> {
        self.simulated(case).or_else(|| self.estimated(case))
    }
}

/// What a measure is called, with its unit.
pub fn measure_name(measure: &Measure) -> String {
    match (&measure.unit, measure.quantity) {
        (Some(unit), _) => data_words(unit),
        (None, Quantity::Throughput) => text("figure-throughput"),
        (None, Quantity::Latency) => text("axis-mean-latency"),
        (None, Quantity::LoadRate) => text("axis-load-rate"),
    }
}

fn choices(props: &PublishedProps, picture: &GridPicture) -> Html {
    let spec = props.spec;
    let options = picture
        .pictures
        .iter()
        .map(|picture| text(&format!("published-{}", picture.id())))
        .collect::<Vec<_>>();
    let chosen = picture.pictures.iter().position(|known| *known == picture.picture).unwrap_or_default();
    let choose = {
        let pictures = picture.pictures.clone();
        props.act.reform(move |at: usize| {
            ViewAction::Published(PublishedSpec { picture: pictures.get(at).copied(), ..spec })
        })
    };
    let measures = picture.measures.iter().map(measure_name).map(|name| capital(&name)).collect::<Vec<_>>();
    let measure =
        props.act.reform(move |at: usize| ViewAction::Published(PublishedSpec { measure: at, ..spec }));
    let of_grid = picture.picture != Picture::Ratios && measures.len() > 1;
    html! {
        <div class="view-choices">
            if options.len() > 1 {
                <Choice legend={text("published-picture")} name="picture" {options} {chosen} {choose} />
            }
            if of_grid {
                <Choice legend={text("published-measure")} name="measure" options={measures} chosen={picture.at} choose={measure} />
            }
        </div>
    }
}

/// Whether a claim is about a published ratio; curves have units of their own.
fn is_ratio(claim: &ClaimResult) -> bool {
    claim.kind == "ratio" && claim.published.is_some()
}

fn figure(claims: &[ClaimResult]) -> Figure {
    let known: Vec<(&ClaimResult, f64)> = claims
        .iter()
        .filter(|claim| is_ratio(claim))
        .filter_map(|claim| Some((claim, claim.published.filter(|value| *value > 0.0)?)))
        .collect();
    let rows = known.iter().map(|(claim, _)| match claim.error {
        // In front, where it is seen however long the words are.
        Some(share) => format!("{}  {}", error(share), data_words(&claim.title)),
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
    let claims = || claims.iter().filter(|claim| is_ratio(claim));
    let published: Vec<f64> = claims().filter_map(|claim| claim.published).collect();
    let errors: Vec<f64> = claims().filter_map(|claim| claim.error.map(f64::abs)).collect();
    let Some(worst) = errors.iter().copied().reduce(f64::max) else {
        let (low, high) =
            (published.iter().copied().reduce(f64::min)?, published.iter().copied().reduce(f64::max)?);
        let (low, high) = (Unit::Ratio.words(low), Unit::Ratio.words(high));
        return Some(text!("title-published-open", count = published.len(), low = low, high = high));
    };
    let open = published.len() - errors.len();
    Some(text!("title-published", count = errors.len(), worst = percent(worst), open = open))
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::{card_grid::tests::card_of_grid, views::sides::tests::simulated};

    /// A picture of a grid, with every estimate.
    pub fn picture(spec: PublishedSpec) -> (Store, GridPicture, Answers) {
        let store = Store::of_card(card_of_grid());
        let picture = GridPicture::of(&store, "g-ssd-small-10", spec).unwrap();
        let known =
            picture.cases.iter().map(|(_, scenario)| spindle_estimate::estimate(scenario).ok().map(Rc::new));
        let known = Rc::new(known.collect());
        let answers = Answers { asked: picture.asked.clone(), known, complete: true };
        (store, picture, answers)
    }

    /// What is known of its cases.
    pub fn known<'a>(store: &Store, picture: &'a GridPicture, answers: &Answers) -> Known<'a> {
        let experiment = Box::leak(Box::new((*store.experiment().unwrap()).clone()));
        Known::new(picture, answers, experiment)
    }

    #[test]
    fn a_grid_shows_its_curves_first_and_other_pictures_on_demand() {
        let (_, curves, _) = picture(PublishedSpec::default());
        assert_eq!((curves.picture, curves.cases.len()), (Picture::Curves, 4));
        let all = [Picture::Ratios, Picture::Curves, Picture::Map, Picture::ModelMap];
        assert_eq!(curves.pictures, all);
        let (_, map, _) = picture(PublishedSpec { picture: Some(Picture::Map), measure: 9 });
        assert_eq!((map.cases.len(), map.at), (8, 0));
        let card = spindle_experiments::card("cubrid-2010").unwrap();
        assert!(
            GridPicture::of(&Store::of_card(card), "insert-cubrid-ssd", PublishedSpec::default()).is_none()
        );
    }

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
        assert!(figure.plot().unwrap().y.rows[0].starts_with("+10\u{a0}%"));
    }
}
