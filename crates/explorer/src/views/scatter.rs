//! The model's figures against the measured ones, a mark for each measurement.

use crate::{
    engine_mark::Mark,
    figure::{Axis, Body, Dash, Datum, Figure, FigureView, Look, Plot, Reading, Scale, Series, Unit},
    language::text,
    measured::Point,
    quantity::engine_name,
    theme::Theme,
};
use std::rc::Rc;
use yew::prelude::*;

/// What the [`ScatterView`] shows.
#[derive(Properties, PartialEq)]
pub struct ScatterViewProps {
    /// The figures, by rising truth.
    pub points: Rc<Vec<Point>>,
    /// What they are of, in a sentence.
    pub title: String,
    /// Their unit.
    pub unit: AttrValue,
    /// Light or dark.
    pub theme: Theme,
    /// Hears which one is read.
    pub choose: Callback<Option<usize>>,
}

/// Errors up to these are shaded, each over the one before, and how strongly; the style sheet's swatches are alike.
const BANDS: [(f64, f64); 2] = [(0.3, 0.08), (0.1, 0.14)];

/// The chart.
#[component]
pub fn ScatterView(props: &ScatterViewProps) -> Html {
    let figure =
        use_memo((props.points.clone(), props.title.clone(), props.unit.clone()), |(points, title, unit)| {
            figure(points, title, unit)
        });
    html! { <FigureView {figure} theme={props.theme} bare={true} class="square" read={props.choose.clone()} /> }
}

/// From where to where both axes go.
pub fn range(points: &[Point]) -> [f64; 2] {
    let axis = Axis::new("", Unit::Count, Scale::Log);
    let values: Vec<f64> = points.iter().flat_map(|point| [point.figure.truth, point.figure.model]).collect();
    axis.around(values.into_iter())
}

/// Whether a measurement stands on the edge of a range, because one of its figures is 0 or next to it.
pub fn stands_on_edge(point: &Point, [low, _]: [f64; 2]) -> bool {
    point.figure.truth < low || point.figure.model < low
}

fn figure(points: &[Point], title: &str, unit: &str) -> Figure {
    let range = range(points);
    let edge = points.iter().any(|point| stands_on_edge(point, range));
    let axis = |key: &str| {
        let whole =
            Axis::new(text!("axis-with-unit", name = text(key), unit = unit), Unit::Count, Scale::Log);
        Axis { range: Some(range), edge, ..whole }
    };
    let mut series = guides(range);
    for (at, point) in points.iter().enumerate() {
        let trusted = point.figure.trusted;
        let name = match (engine_name(&point.engine), trusted) {
            (name, true) => name,
            (name, false) => text!("series-low-trust", name = name),
        };
        let datum = Datum {
            rank: point.figure.counted_error(),
            label: Some(point.id.as_str().into()),
            key: at,
            ..Datum::at(point.figure.truth, point.figure.model)
        };
        match series.iter_mut().find(|series| series.name == name) {
            Some(series) => Rc::make_mut(&mut series.data).push(datum),
            None => {
                let mark = Mark::of(&point.engine);
                series.push(Series::new(
                    name,
                    mark.class(),
                    Look::Points { mark, hollow: !trusted },
                    vec![datum],
                ));
            }
        }
    }
    Figure {
        id: "scatter",
        name: text("scatter-figure"),
        title: title.to_owned(),
        body: Body::Plot(Plot {
            x: axis("column-measured"),
            y: axis("column-model"),
            series,
            reading: Reading::Ranked,
            rank: None,
        }),
    }
}

/// Where the model would be right, and where it would be nearly right.
fn guides([low, high]: [f64; 2]) -> Vec<Series> {
    let bands = BANDS.into_iter().map(|(share, strength)| {
        let at = |x: f64| Datum::between(x, x, [x * (1.0 - share), x * (1.0 + share)]);
        // Beyond the ends, so that the corners are filled as well.
        let data = vec![at(low / 4.0), at(high * 4.0)];
        Series::new(format!("{share}"), "ink", Look::Band(strength), data).guide()
    });
    let diagonal = vec![Datum::at(low, low), Datum::at(high, high)];
    let diagonal = Series::new(text("scatter-diagonal"), "muted", Look::Line(Dash::Solid), diagonal).guide();
    bands.chain([diagonal]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::{Filter, tests::sample};

    #[test]
    fn every_measurement_has_a_mark_in_its_engines_series() {
        let points = sample().points(&Filter::default());
        let figure = figure(&points, "title", "tps");
        let plot = figure.plot().unwrap();
        let marks: Vec<usize> = plot
            .series
            .iter()
            .filter(|series| !series.guide)
            .flat_map(|series| series.data.iter().map(|datum| datum.key))
            .collect();
        assert_eq!(marks.len(), points.len());
        let legend = plot.legend();
        let low = legend.iter().filter(|series| series.name.ends_with("low trust"));
        assert!(low.clone().all(|series| matches!(series.look, Look::Points { hollow: true, .. })));
    }

    #[test]
    fn zero_stands_on_the_edge_of_both_axes() {
        let mut points = sample().points(&Filter::default());
        points[0].figure.model = 0.0;
        let range = range(&points);
        assert!(stands_on_edge(&points[0], range));
        let figure = figure(&points, "", "");
        assert!(figure.plot().unwrap().x.edge && figure.plot().unwrap().y.edge);
    }
}
