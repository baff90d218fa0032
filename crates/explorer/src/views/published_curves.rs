//! The curves of a card's grid through the case that is on the page: published, estimated, simulated.

use super::{
    published::{GridPicture, Known, measure_name},
    sides::{joined, paint},
};
use crate::{
    card_grid::GridCase,
    engine_mark::Mark,
    figure::{Axis, Body, Dash, Datum, Figure, Look, Plot, Reading, Scale, Series, Unit},
    format::percent,
    language::{data_words, text},
    words::capital,
};
use spindle_experiments::Card;
use spindle_scenario::Scenario;
use std::rc::Rc;

/// How the estimates of sides in the same colour are told apart.
const DASHES: [Dash; 3] = [Dash::Dashed, Dash::Dotted, Dash::Mixed];

/// The cases of one side, which are drawn alike.
struct Curve<'a> {
    name: String,
    paint: &'static str,
    cases: Vec<&'a (GridCase, Rc<Scenario>)>,
}

/// The cases of a picture by side.
fn curves(picture: &GridPicture) -> Vec<Curve<'_>> {
    let mut curves: Vec<Curve<'_>> = Vec::new();
    for one in &picture.cases {
        let name = capital(&picture.side_name(&one.0));
        match curves.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.cases.push(one),
            None => curves.push(Curve { name, paint: paint(&one.1), cases: vec![one] }),
        }
    }
    curves
}

/// The figure.
pub fn figure(card: &Card, picture: &GridPicture, known: &Known<'_>) -> Figure {
    let measure = picture.measure();
    let curves = curves(picture);
    let mut series = Vec::new();
    for (number, Curve { name, paint, cases }) in curves.iter().enumerate() {
        let twins = curves[..number].iter().filter(|curve| curve.paint == *paint).count();
        let data = |of: &dyn Fn(&GridCase) -> Option<f64>| -> Vec<Datum> {
            let point =
                |(case, _): &&(GridCase, Rc<Scenario>)| Some(Datum::at(picture.grid.place(case)?, of(case)?));
            let mut data: Vec<Datum> = cases.iter().filter_map(point).collect();
            data.sort_by(|a, b| a.x.total_cmp(&b.x));
            data
        };
        let mark = cases.first().map_or(Mark::Circle, |(_, scenario)| Mark::of(&scenario.engine.profile));
        let line = Look::Line(DASHES[twins.min(DASHES.len() - 1)]);
        let hollow = Look::Points { mark: Mark::Diamond, hollow: true };
        let full = Look::Points { mark, hollow: false };
        for (key, look, data) in [
            ("series-estimate", line, data(&|case| known.estimated(case))),
            ("series-published", hollow, data(&|case| known.published(case))),
            ("series-simulated", full, data(&|case| known.simulated(case))),
        ] {
            if !data.is_empty() {
                series.push(Series::new(text!(key, name = name.as_str()), paint, look, data));
            }
        }
    }
    let x = picture.x_axis();
    let name = capital(&text!("figure-by", quantity = measure_name(measure), knob = x.name.as_str()));
    let own = |axis: usize| &picture.grid.grid.axes[axis].values[picture.here.values[axis]].title;
    let of: Vec<String> = picture.grid.others().map(|axis| data_words(own(axis))).collect();
    let place =
        std::iter::once(data_words(&picture.grid.grid.title)).chain(of).collect::<Vec<_>>().join(", ");
    let unit = if measure.is_rate() { Unit::Count } else { Unit::Milliseconds };
    let y_name = match &measure.unit {
        Some(unit) => card
            .fitted
            .iter()
            .find(|fitted| fitted.name == *unit)
            .map_or(unit.as_str(), |fitted| &fitted.unit),
        None => "",
    };
    let y_name = if y_name.is_empty() { measure_name(measure) } else { data_words(y_name) };
    Figure {
        id: "published",
        title: title(picture, known, &place).unwrap_or_else(|| format!("{name}: {place}")),
        name,
        body: Body::Plot(Plot {
            x,
            y: Axis::new(y_name, unit, Scale::Linear),
            series,
            reading: Reading::AtX,
            rank: None,
        }),
    }
}

/// How far the simulation is from what was published of these curves; what they show where none of it is simulated.
fn title(picture: &GridPicture, known: &Known<'_>, place: &str) -> Option<String> {
    let cases = || picture.cases.iter().map(|(case, _)| case);
    // The estimate is not what the card is judged by.
    let error = |case: &GridCase| Some((known.simulated(case)? / known.published(case)? - 1.0).abs());
    let mut errors: Vec<f64> = cases().filter_map(error).collect();
    errors.sort_by(f64::total_cmp);
    let found = match (errors.get(errors.len() / 2), errors.last()) {
        (Some(median), Some(worst)) => {
            let (median, worst) = (percent(*median), percent(*worst));
            let count = errors.len();
            text!("title-published-curves", place = place, count = count, median = median, worst = worst)
        }
        _ => text!("title-map-of", what = place, found = finding(picture, known)?),
    };
    let open = cases().filter(|case| known.published(case).is_some()).count() - errors.len();
    let open = (open > 0).then(|| text!("curves-open", count = open));
    joined("list-semicolon", [Some(found), open].into_iter().flatten())
}

/// What the curves show: how far one side is ahead, or from where to where the only one goes.
fn finding(picture: &GridPicture, known: &Known<'_>) -> Option<String> {
    let found = advantage(picture, known).or_else(|| course(picture, known))?;
    let simulated = picture.cases.iter().all(|(case, _)| known.simulated(case).is_some());
    Some(if simulated { found } else { text!("curves-estimate", found = found) })
}

fn advantage(picture: &GridPicture, known: &Known<'_>) -> Option<String> {
    let ratio = |case: &GridCase| Some((case.clone(), picture.advantage(case, |case| known.modelled(case))?));
    let found: Vec<(GridCase, f64)> = picture.cases.iter().filter_map(|(case, _)| ratio(case)).collect();
    let least = found.iter().map(|(_, ratio)| *ratio).reduce(f64::min)?;
    let most = found.iter().map(|(_, ratio)| *ratio).reduce(f64::max)?;
    let below = &found.first()?.0;
    let above = picture.grid.opposite(below)?;
    let [low, high] = [least, most].map(|ratio| Unit::Ratio.words(ratio));
    let (first, second) = (picture.side_name(below), picture.side_name(above));
    Some(text!("curves-ratio", second = second, low = low, high = high, first = first))
}

fn course(picture: &GridPicture, known: &Known<'_>) -> Option<String> {
    let point =
        |(case, _): &(GridCase, Rc<Scenario>)| Some((picture.grid.place(case)?, known.modelled(case)?));
    let mut points: Vec<(f64, f64)> = picture.cases.iter().filter_map(point).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (points.first()?, points.last()?);
    let name = picture.x_axis().name;
    let number = |value: f64| Unit::Count.words(value);
    Some(text!(
        "curves-course",
        knob = name,
        from = number(first.0),
        first = number(first.1),
        to = number(last.0),
        last = number(last.1)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        view_state::PublishedSpec,
        views::published::tests::{known, picture},
    };

    #[test]
    fn each_side_has_what_was_published_and_what_is_estimated() {
        let (store, picture, answers) = picture(PublishedSpec::default());
        let figure = figure(store.card().unwrap(), &picture, &known(&store, &picture, &answers));
        let plot = figure.plot().unwrap();
        let names: Vec<&str> = plot.series.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["Disks, estimate", "Disks, published", "SSDs, estimate", "SSDs, published"]);
        assert_eq!((plot.series[1].paint, plot.series[3].paint), ("disks", "ssds"));
        assert_eq!(
            plot.series[3].data.iter().map(|datum| (datum.x, datum.y)).collect::<Vec<_>>(),
            [(10.0, 300.0), (40.0, 600.0)]
        );
        assert_eq!(plot.x.name, "clients");
        assert!(figure.title.starts_with("Lookups, small: by the estimate on SSDs "), "{}", figure.title);
        assert!(figure.title.ends_with("; 4 published points are not simulated yet"), "{}", figure.title);
    }
}
