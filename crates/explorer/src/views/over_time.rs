//! The run second by second.

use super::{
    choice::Choice,
    sides::{Seen, in_words, seen},
};
use crate::{
    figure::{Axis, Body, Datum, Figure, FigureView, Look, Plot, Reading, Scale, Series, Unit},
    language::text,
    store::Store,
    theme::Theme,
    view_state::{Course, ViewAction},
    words,
};
use std::rc::Rc;
use yew::prelude::*;

/// What the [`OverTime`] view shows.
#[derive(Properties, PartialEq)]
pub struct OverTimeProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// What is shown.
    pub course: Course,
    /// Shows something else.
    pub act: Callback<ViewAction>,
    /// Light or dark.
    pub theme: Theme,
}

/// The view.
#[component]
pub fn OverTime(props: &OverTimeProps) -> Html {
    let figure = Rc::new(figure(&props.store, props.course));
    let chosen = Course::ALL.iter().position(|course| *course == props.course).unwrap_or_default();
    let choose = props.act.reform(|at: usize| ViewAction::Course(Course::ALL[at.min(Course::ALL.len() - 1)]));
    let options = Course::ALL.iter().map(|course| name(*course)).collect::<Vec<_>>();
    html! {
        <FigureView {figure} theme={props.theme}>
            <div class="view-choices">
                <Choice legend={text("filter-quantity")} name="course" {options} {chosen} {choose} />
            </div>
        </FigureView>
    }
}

fn name(course: Course) -> String {
    text(match course {
        Course::Throughput => "course-throughput",
        Course::Latency => "course-latency",
        Course::DirtyPages => "course-dirty-pages",
        Course::CheckpointAge => "course-checkpoint-age",
    })
}

fn axis(course: Course) -> Axis {
    let (key, unit) = match course {
        Course::Throughput => ("figure-throughput", Unit::PerSecond),
        Course::Latency => ("axis-mean-latency", Unit::Milliseconds),
        Course::DirtyPages => ("course-dirty-pages", Unit::Count),
        Course::CheckpointAge => ("axis-checkpoint-age", Unit::Bytes),
    };
    Axis::new(text(key), unit, Scale::Linear)
}

/// The quantity in each span of a run.
fn values(side: &Seen<'_>, course: Course) -> Vec<f64> {
    let Some(outcome) = side.outcome else { return Vec::new() };
    let series = &outcome.report.series;
    let whole = |values: &[u64]| values.iter().map(|value| *value as f64).collect();
    match course {
        Course::Throughput => series.throughput_tps.clone(),
        // No transaction ended: there is no latency.
        Course::Latency => {
            series.latency_ms.iter().map(|ms| if *ms > 0.0 { *ms } else { f64::NAN }).collect()
        }
        Course::DirtyPages => whole(&series.dirty_pages),
        Course::CheckpointAge => whole(&series.checkpoint_age_bytes),
    }
}

/// What the estimate says of the quantity, where it says anything.
fn estimated(side: &Seen<'_>, course: Course) -> Option<f64> {
    let estimate = side.estimated()?;
    match course {
        Course::Throughput => Some(estimate.throughput_tps),
        Course::Latency => Some(estimate.latency_mean_ms),
        Course::DirtyPages | Course::CheckpointAge => None,
    }
}

fn figure(store: &Store, course: Course) -> Figure {
    let sides = seen(store);
    let mut series = Vec::new();
    let interval =
        |side: &Seen<'_>| side.outcome.map_or(1.0, |outcome| outcome.report.series.interval_s.max(1e-3));
    let end = sides.iter().map(|side| values(side, course).len() as f64 * interval(side)).fold(0.0, f64::max);
    let end = if end > 0.0 { end } else { store.scenario().run.duration.as_seconds() };
    for side in &sides {
        if let Some(value) = estimated(side, course) {
            // A value beside each simulated one, so that both are read together.
            let places = (1..=values(side, course).len()).map(|at| at as f64 * interval(side));
            let places: Vec<f64> = if side.outcome.is_some() { places.collect() } else { vec![0.0, end] };
            let data = places.into_iter().map(|x| Datum::at(x, value)).collect();
            let name = text!("series-estimate", name = side.name.as_str());
            series.push(Series::new(name, side.paint, Look::Line(side.dash(true)), data));
        }
    }
    for side in &sides {
        let data: Vec<Datum> = values(side, course)
            .into_iter()
            .enumerate()
            .map(|(at, value)| Datum::at((at + 1) as f64 * interval(side), value))
            .collect();
        if !data.is_empty() {
            series.push(
                Series::new(&side.name, side.paint, Look::Line(side.dash(false)), data).stale(side.stale),
            );
        }
    }
    let figure_name = words::capital(&text!("figure-over-time", quantity = name(course)));
    Figure {
        id: "chart",
        title: title(store, &sides, course).unwrap_or_else(|| figure_name.clone()),
        name: figure_name,
        body: Body::Plot(Plot {
            x: Axis::new(text("axis-virtual-time"), Unit::Seconds, Scale::Linear),
            y: axis(course),
            series,
            reading: Reading::AtX,
            rank: None,
        }),
    }
}

fn title(store: &Store, sides: &[Seen<'_>], course: Course) -> Option<String> {
    let unit = axis(course).unit;
    let each = |of: &dyn Fn(&Seen<'_>) -> Option<f64>| {
        let values: Vec<(String, String)> =
            sides.iter().filter_map(|side| Some((side.name.clone(), unit.words(of(side)?)))).collect();
        (!values.is_empty()).then(|| in_words(values.into_iter()))
    };
    let most = |side: &Seen<'_>| values(side, course).into_iter().filter(|v| v.is_finite()).reduce(f64::max);
    match course {
        Course::Throughput => words::course(store).or_else(|| {
            each(&|side| estimated(side, course)).map(|found| text!("title-estimate", found = found))
        }),
        Course::Latency => {
            let mean = |side: &Seen<'_>| {
                side.outcome.map(|o| o.report.latency_ms.mean).or_else(|| estimated(side, course))
            };
            each(&mean).map(|found| text!("title-latency", found = found))
        }
        Course::DirtyPages => each(&most).map(|found| text!("title-dirty-pages", found = found)),
        Course::CheckpointAge => each(&most).map(|found| text!("title-checkpoint-age", found = found)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::sides::tests::simulated;

    #[test]
    fn each_quantity_has_a_finding_and_a_line_for_each_side() {
        let store = simulated();
        for course in Course::ALL {
            let figure = figure(&store, course);
            assert!(!figure.is_empty(), "{course:?}");
            assert_ne!(figure.title, figure.name, "{course:?}");
            let plot = figure.plot().unwrap();
            assert!(plot.series.iter().filter(|s| !s.name.contains("estimate")).count() == 2, "{course:?}");
        }
    }

    #[test]
    fn without_a_run_there_is_an_empty_picture() {
        let mut store = Store::default();
        store.estimates = [None, None];
        let figure = figure(&store, Course::Throughput);
        assert!(figure.is_empty());
        assert_eq!(figure.title, "Throughput over time");
    }
}
