//! How much faster the second side is than the first over two knobs, and where that stops mattering.

use super::{
    answers::{Answers, Asked, use_answers},
    knob_axis,
    knob_select::KnobSelect,
    sides::{Seen, lower, seen},
};
use crate::{
    figure::{Body, Dash, Datum, Figure, FigureView, Look, Plot, Reading, Series, Unit, contour},
    format::percent,
    language::text,
    store::Store,
    theme::Theme,
    view_state::{AxisSpec, CrossoverSpec, ViewAction},
    words::capital,
};
use spindle_scenario::Scenario;
use std::rc::Rc;
use yew::prelude::*;

/// Columns and rows of the map: odd, so that a range around the present values has them in its middle.
const STEPS: [usize; 2] = [17, 11];
/// The ratio below which an advantage stops mattering.
const MATTERS: f64 = 1.1;

/// What the [`Crossover`] map shows.
#[derive(Properties, PartialEq)]
pub struct CrossoverProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// The question.
    pub spec: CrossoverSpec,
    /// Asks another one.
    pub act: Callback<ViewAction>,
    /// Light or dark.
    pub theme: Theme,
}

/// The map.
#[component]
pub fn Crossover(props: &CrossoverProps) -> Html {
    let CrossoverProps { store, spec, .. } = props;
    let sides = seen(store);
    let grid = Rc::new(Grid::of(&sides, spec));
    let answers = use_answers(grid.asked.clone());
    if sides.len() < 2 {
        return html! {
            <p class="empty" id="crossover-empty">{ text("crossover-empty") }</p>
        };
    }
    let figure = Rc::new(figure(&sides, spec, &grid, &answers));
    let knob = |which: fn(&mut CrossoverSpec, AxisSpec)| {
        let (act, spec) = (props.act.clone(), spec.clone());
        Callback::from(move |axis: AxisSpec| {
            let mut next = spec.clone();
            which(&mut next, axis);
            act.emit(ViewAction::Crossover(next));
        })
    };
    html! {
        <FigureView {figure} theme={props.theme} class="map">
            <div class="view-choices">
                <KnobSelect id="crossover-x" label={text("crossover-across")} scenario={grid.base.clone()} path={grid.paths[0].clone()} spec={spec.x.clone()}
                    change={knob(|spec, axis| spec.x = axis)} />
                <KnobSelect id="crossover-y" label={text("crossover-upwards")} scenario={grid.base.clone()} path={grid.paths[1].clone()} spec={spec.y.clone()}
                    change={knob(|spec, axis| spec.y = axis)} />
            </div>
            if answers.complete && answers.known.iter().any(Option::is_none) {
                <p class="note" role="status">{ text(if answers.known.iter().all(Option::is_none) { "crossover-no-answer" } else { "crossover-blank" }) }</p>
            }
        </FigureView>
    }
}

/// What is asked.
struct Grid {
    base: Rc<Scenario>,
    paths: [String; 2],
    columns: Vec<f64>,
    rows: Vec<f64>,
    asked: Rc<Asked>,
}

impl Grid {
    fn of(sides: &[Seen<'_>], spec: &CrossoverSpec) -> Self {
        let base = sides
            .last()
            .map(|side| side.scenario.clone())
            .unwrap_or_else(|| Store::default().scenarios[1].clone());
        let x = spec
            .x
            .path
            .clone()
            .or_else(|| knob_axis::buffer_path(&base))
            .unwrap_or_else(|| "machine.memory".into());
        let y = spec.y.path.clone().unwrap_or_else(|| "table[0].rows".into());
        let axis = |path: &str, spec: &AxisSpec, steps: usize| {
            knob_axis::ticks(&base, path, spec, steps).into_iter().unzip()
        };
        let (columns, across): (Vec<f64>, Vec<toml::Value>) = axis(&x, &spec.x, STEPS[0]);
        let (rows, upwards): (Vec<f64>, Vec<toml::Value>) = axis(&y, &spec.y, STEPS[1]);
        let bases = if sides.len() < 2 {
            Vec::new()
        } else {
            sides.iter().map(|side| side.scenario.clone()).collect()
        };
        // Rows run slower than columns.
        let knobs = vec![(y.clone(), upwards), (x.clone(), across)];
        Self { base, paths: [x, y], columns, rows, asked: Rc::new(Asked { bases, knobs }) }
    }

    /// The second side's throughput over the first one's, by row and column.
    fn ratios(&self, answers: &Answers) -> Vec<Option<f64>> {
        let points = self.columns.len() * self.rows.len();
        let throughput = |index: usize| Some(answers.known.get(index)?.as_ref()?.throughput_tps);
        if answers.asked.points() != points {
            return vec![None; points];
        }
        (0..points)
            .map(|at| {
                let (below, above) = (throughput(at)?, throughput(points + at)?);
                (below > 0.0).then_some(above / below).filter(|ratio| ratio.is_finite())
            })
            .collect()
    }
}

/// From where to where the cells of an axis go, so that each value lies within its own.
pub fn cells(values: &[f64], linear: bool) -> Vec<[f64; 2]> {
    let between = |a: f64, b: f64| if linear || a <= 0.0 { f64::midpoint(a, b) } else { (a * b).sqrt() };
    let beyond =
        |edge: f64, inner: f64| if linear || edge <= 0.0 { 2.0 * edge - inner } else { edge * edge / inner };
    let edge = |at: usize| match (at.checked_sub(1).and_then(|before| values.get(before)), values.get(at)) {
        (Some(before), Some(here)) => between(*before, *here),
        (None, Some(here)) => values.get(1).map_or(*here / 1.5, |next| between(*here, beyond(*here, *next))),
        (Some(last), None) => {
            let before = values.len().checked_sub(2).and_then(|at| values.get(at));
            before.map_or(*last * 1.5, |before| between(*last, beyond(*last, *before)))
        }
        (None, None) => 0.0,
    };
    (0..values.len()).map(|at| [edge(at), edge(at + 1)]).collect()
}

fn figure(sides: &[Seen<'_>], spec: &CrossoverSpec, grid: &Grid, answers: &Answers) -> Figure {
    let ratios = grid.ratios(answers);
    let (columns, rows) = (cells(&grid.columns, spec.x.linear), cells(&grid.rows, spec.y.linear));
    let strongest = ratios.iter().flatten().map(|ratio| ratio.ln().abs()).fold(MATTERS.ln(), f64::max);
    let mut data = Vec::new();
    for (at, ratio) in ratios.iter().enumerate() {
        let (column, row) = (at % columns.len().max(1), at / columns.len().max(1));
        if let Some(ratio) = ratio {
            data.push(Datum {
                x: grid.columns[column],
                y: grid.rows[row],
                shade: ratio.ln() / strongest,
                rank: *ratio,
                ..Datum::rectangle(columns[column], rows[row])
            });
        }
    }
    let [first, second] = [&sides[0], &sides[1]];
    let below = if first.twin { "muted" } else { first.paint };
    let what = text!("crossover-series", second = second.name.as_str(), first = lower(&first.name));
    let mut series = vec![Series::new(what, second.paint, Look::Cells(below), data)];
    for (level, key) in [(MATTERS, "crossover-advantage"), (1.0 / MATTERS, "crossover-disadvantage")] {
        let line = contour::contour(&grid.columns, &grid.rows, &ratios, level);
        if !line.is_empty() {
            series.push(
                Series::new(text!(key, share = percent(MATTERS - 1.0)), "ink", Look::Line(Dash::Solid), line)
                    .guide(),
            );
        }
    }
    if let Some(now) = now(grid) {
        series.push(
            Series::new(
                text("crossover-now"),
                "ink",
                Look::Points { mark: crate::engine_mark::Mark::Circle, hollow: true },
                vec![now],
            )
            .guide(),
        );
    }
    let [x, y] =
        [(&grid.paths[0], &spec.x, &columns), (&grid.paths[1], &spec.y, &rows)].map(|(path, spec, cells)| {
            let axis = knob_axis::figure_axis(&grid.base, path, spec);
            let range = cells.first().zip(cells.last()).map(|(first, last)| [first[0], last[1]]);
            crate::figure::Axis { range, ..axis }
        });
    let name = text!("crossover-figure", across = x.name.as_str(), upwards = y.name.as_str());
    // A finding waits for all of the points.
    let found = answers.complete.then(|| title(grid, &ratios, [first, second], x.unit)).flatten();
    Figure {
        id: "crossover",
        title: found.unwrap_or_else(|| name.clone()),
        name,
        body: Body::Plot(Plot {
            x,
            y,
            series: series.into_iter().filter(|series| !series.data.is_empty()).collect(),
            reading: Reading::Plane,
            rank: Some((text("axis-times"), Unit::Ratio)),
        }),
    }
}

/// Where the present Scenario stands on the map.
fn now(grid: &Grid) -> Option<Datum> {
    let [x, y] = [0, 1].map(|at: usize| knob_axis::value_now(&grid.base, &grid.paths[at]));
    Some(Datum::at(x?, y?))
}

/// Where the advantage ends in the row of the present Scenario, or how large it is where it does not.
fn title(grid: &Grid, ratios: &[Option<f64>], [first, second]: [&Seen<'_>; 2], unit: Unit) -> Option<String> {
    let (first, second) = (lower(&first.name), lower(&second.name));
    let columns = grid.columns.len();
    let along = knob_axis::name(&grid.base, &grid.paths[0]);
    let now = now(grid).map(|now| now.y);
    let row = now.and_then(|now| {
        let distance = |row: &f64| (row.max(1e-300).ln() - now.max(1e-300).ln()).abs();
        grid.rows.iter().map(distance).enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(row, _)| row)
    });
    let here: Vec<(f64, f64)> = row
        .map(|row| {
            (0..columns)
                .filter_map(|at| Some((grid.columns[at], ratios.get(row * columns + at).copied().flatten()?)))
                .collect()
        })
        .unwrap_or_default();
    let matters = |ratio: f64| !(1.0 / MATTERS..MATTERS).contains(&ratio);
    if let Some(last) = here.iter().rposition(|(_, ratio)| matters(*ratio))
        && let Some((from, _)) = here.get(last + 1)
    {
        return Some(text!(
            "crossover-ends",
            value = unit.words(*from),
            knob = along,
            second = second,
            first = first
        ));
    }
    let (low, high) = ratios
        .iter()
        .flatten()
        .fold((f64::INFINITY, 0.0f64), |(low, high), ratio| (low.min(*ratio), high.max(*ratio)));
    if low > high {
        return None;
    }
    Some(capital(&text!(
        "crossover-range",
        second = second,
        low = Unit::Ratio.words(low),
        high = Unit::Ratio.words(high),
        first = first
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spindle_estimate::Estimate;

    fn drawn(ratio: impl Fn(usize, usize) -> Option<f64>) -> Figure {
        let store = Store::default();
        let sides = seen(&store);
        let spec = CrossoverSpec::default();
        let grid = Grid::of(&sides, &spec);
        let sample = spindle_estimate::estimate(&grid.base).unwrap();
        let columns = grid.columns.len();
        let points = columns * grid.rows.len();
        let known = (0..2 * points).map(|index| {
            let (at, second) = (index % points, index >= points);
            let ratio = ratio(at % columns, at / columns)?;
            Some(Rc::new(Estimate {
                throughput_tps: if second { 100.0 * ratio } else { 100.0 },
                ..sample.clone()
            }))
        });
        let answers = Answers { asked: grid.asked.clone(), known: Rc::new(known.collect()), complete: true };
        figure(&sides, &spec, &grid, &answers)
    }

    #[test]
    fn the_title_says_where_the_advantage_ends() {
        let figure = drawn(|column, _| Some(if column < 8 { 5.0 } else { 1.02 }));
        assert!(figure.title.contains("no longer matter against disks"), "{}", figure.title);
        let plot = figure.plot().unwrap();
        assert_eq!(plot.series[0].data.len(), STEPS[0] * STEPS[1]);
        assert!(
            plot.series[0]
                .data
                .iter()
                .all(|datum| datum.across.unwrap()[0] <= datum.x && datum.x <= datum.across.unwrap()[1])
        );
        assert!(plot.series.iter().any(|series| series.name == "advantage 10\u{a0}%"));
    }

    #[test]
    fn an_advantage_everywhere_is_told_with_its_size_and_missing_points_are_left_out() {
        let figure = drawn(|column, row| (row > 0).then_some(2.0 + column as f64));
        assert!(figure.title.starts_with("On SSDs 2\u{a0}× to 18\u{a0}×"), "{}", figure.title);
        assert_eq!(figure.plot().unwrap().series[0].data.len(), STEPS[0] * (STEPS[1] - 1));
        assert!(drawn(|_, _| None).is_empty());
    }

    #[test]
    fn cells_touch_each_other() {
        let edges = cells(&[1.0, 4.0, 16.0], false);
        assert_eq!(edges, [[0.5, 2.0], [2.0, 8.0], [8.0, 32.0]]);
        assert_eq!(cells(&[1.0, 2.0], true), [[0.5, 1.5], [1.5, 2.5]]);
        assert_eq!(cells(&[3.0], true).len(), 1);
        assert!(cells(&[], false).is_empty());
    }
}
