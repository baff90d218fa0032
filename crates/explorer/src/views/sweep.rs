//! An outcome along a knob: curves from the estimate at once, points from the simulation when they are asked for.

use super::{
    answers::{Answers, Asked, coarse_to_fine, use_answers},
    choice::Choice,
    knob_axis,
    knob_select::KnobSelect,
    sides::{Seen, lower, seen},
};
use crate::{
    engine_mark::Mark,
    figure::{Axis, Body, Dash, Datum, Figure, FigureView, Look, Plot, Reading, Scale, Series, Unit},
    language::text,
    store::Store,
    theme::Theme,
    view_state::{AxisSpec, Family, SimulatedPoint, SimulatedSweep, SweepSpec, ViewAction, Yardstick},
    words::capital,
};
use spindle_estimate::Estimate;
use spindle_scenario::Scenario;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Points along the knob.
pub const STEPS: usize = 24;
/// Of the points, every so many is simulated.
const EVERY: usize = 3;
/// A point is known well enough at this half-width of its interval: many soon say more than few that are exact.
const PRECISION: f64 = 0.02;
/// Values of the second knob that a reader has not chosen: the present one, and by this less and more.
const APART: f64 = 4.0;

/// Points that are to be simulated: their places in the sweep, and their Scenarios.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Points {
    /// Places among all points of the sweep.
    pub places: Vec<usize>,
    /// The Scenarios, none of which has a problem.
    pub scenarios: Vec<Scenario>,
}

/// What the [`Sweep`] view shows.
#[derive(Properties, PartialEq)]
pub struct SweepProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// The question.
    pub spec: SweepSpec,
    /// The points that were simulated.
    pub simulated: Option<Rc<SimulatedSweep>>,
    /// Asks another question.
    pub act: Callback<ViewAction>,
    /// Simulates points, or stops where there are none.
    pub simulate: Callback<Points>,
    /// Light or dark.
    pub theme: Theme,
}

/// The view.
#[component]
pub fn Sweep(props: &SweepProps) -> Html {
    let SweepProps { store, spec, .. } = props;
    let sides = seen(store);
    let plan = Rc::new(Plan::of(store, &sides, spec));
    let answers = use_answers(plan.asked.clone());
    let simulated = props.simulated.as_deref().filter(|sweep| belongs(sweep, store, spec));
    let figure = Rc::new(figure(&sides, spec, &plan, &answers, simulated));
    let change = {
        let (act, spec) = (props.act.clone(), spec.clone());
        move |change: &dyn Fn(&mut SweepSpec)| {
            let mut next = spec.clone();
            change(&mut next);
            act.emit(ViewAction::Sweep(next));
        }
    };
    let knob = {
        let change = change.clone();
        Callback::from(move |axis: AxisSpec| change(&|spec: &mut SweepSpec| spec.x = axis.clone()))
    };
    let chosen = Yardstick::ALL.iter().position(|y| *y == spec.y).unwrap_or_default();
    let yardstick = {
        let change = change.clone();
        Callback::from(move |at: usize| change(&|spec: &mut SweepSpec| spec.y = Yardstick::ALL[at.min(2)]))
    };
    let family = {
        let base = plan.base.clone();
        Callback::from(move |event: Event| {
            let select = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
            let path = select.map(|select| select.value()).filter(|path| !path.is_empty());
            let family = path.and_then(|path| around(&base, &path));
            change(&|spec: &mut SweepSpec| spec.family = family.clone());
        })
    };
    let options = Yardstick::ALL.iter().map(|y| yardstick_name(*y)).collect::<Vec<_>>();
    let seconds = knob_axis::knobs(&plan.base).into_iter().filter(|(path, _)| *path != plan.path).map(
        |(path, name)| {
            let selected = spec.family.as_ref().is_some_and(|family| family.path == path);
            html! { <option value={path} {selected}>{ name }</option> }
        },
    );
    html! {
        <FigureView {figure} theme={props.theme}>
            <div class="view-choices">
                <KnobSelect id="sweep-x" label={text("sweep-along")} scenario={plan.base.clone()} path={plan.path.clone()} spec={spec.x.clone()} change={knob} />
                <Choice legend={text("sweep-outcome")} name="yardstick" {options} {chosen} choose={yardstick} />
                <label class="knob-select"><span>{ text("sweep-family") }</span>
                    <select id="sweep-family" onchange={family}>
                        <option value="" selected={spec.family.is_none()}>{ text("sweep-sides") }</option>{ for seconds }
                    </select>
                </label>
                { points_control(props, &plan, simulated) }
            </div>
            if answers.complete && answers.known.iter().all(Option::is_none) {
                <p class="note" role="status">{ text("sweep-no-answer") }</p>
            }
        </FigureView>
    }
}

/// Whether simulated points answer the present question of the present Scenarios.
fn belongs(sweep: &SimulatedSweep, store: &Store, spec: &SweepSpec) -> bool {
    let alike = SweepSpec { y: spec.y, ..sweep.spec.clone() };
    alike == *spec && sweep.scenarios == store.scenarios && sweep.compare == store.compare
}

/// Starts and stops the simulation of points, and says how far it is.
fn points_control(props: &SweepProps, plan: &Rc<Plan>, simulated: Option<&SimulatedSweep>) -> Html {
    let start = {
        let plan = plan.clone();
        props.simulate.reform(move |_: MouseEvent| plan.simulated())
    };
    let stop = props.simulate.reform(|_: MouseEvent| Points::default());
    match simulated {
        Some(sweep) if !sweep.over => html! {
            <p class="points-status" role="status">
                { text!("sweep-running", at = (sweep.known() + 1).min(sweep.points.len()), whole = sweep.points.len()) }
                <button id="sweep-stop" onclick={stop}>{ text("stop") }</button>
            </p>
        },
        _ => html! {
            <button id="sweep-simulate" class="points-start" onclick={start} disabled={plan.chosen().is_empty()}>
                { text!("sweep-simulate", count = plan.chosen().len()) }
            </button>
        },
    }
}

/// What is asked: which curves there are, and which points.
#[derive(PartialEq)]
struct Plan {
    /// The Scenario whose knobs there are to choose from.
    base: Rc<Scenario>,
    path: String,
    /// Where the points lie.
    ticks: Vec<f64>,
    asked: Rc<Asked>,
    /// The curves: place of the side, and value of the second knob.
    curves: Vec<(usize, Option<f64>)>,
}

impl Plan {
    fn of(store: &Store, sides: &[Seen<'_>], spec: &SweepSpec) -> Self {
        let base = sides.last().map_or_else(|| store.scenarios[1].clone(), |side| side.scenario.clone());
        let path = spec
            .x
            .path
            .clone()
            .or_else(|| knob_axis::buffer_path(&base))
            .unwrap_or_else(|| "workload.clients".into());
        let (ticks, values_along) = knob_axis::ticks(&base, &path, &spec.x, STEPS).into_iter().unzip();
        let values: Vec<Option<f64>> = match &spec.family {
            Some(family) => family.values.iter().take(Family::MOST).copied().map(Some).collect(),
            None => vec![None],
        };
        let mut curves = Vec::new();
        let mut bases = Vec::new();
        for (at, side) in sides.iter().enumerate() {
            for value in &values {
                let changed = match (value, &spec.family) {
                    (Some(value), Some(family)) => {
                        let value = knob_axis::value(side.scenario, &family.path, *value);
                        value
                            .and_then(|value| knob_axis::with_value(side.scenario, &family.path, &value))
                            .map(Rc::new)
                    }
                    _ => Some(side.scenario.clone()),
                };
                if let Some(scenario) = changed {
                    curves.push((at, *value));
                    bases.push(scenario);
                }
            }
        }
        let knobs = vec![(path.clone(), values_along)];
        Self { base, path, ticks, asked: Rc::new(Asked { bases, knobs }), curves }
    }

    /// Points that are simulated: their numbers among all, those far apart first.
    fn chosen(&self) -> Vec<usize> {
        let steps = self.ticks.len();
        let last = steps.saturating_sub(1);
        let of_curve = move |curve: usize| {
            (0..steps)
                .filter(move |step| step.is_multiple_of(EVERY) || *step == last)
                .map(move |step| curve * steps + step)
        };
        let points: Vec<usize> = (0..self.curves.len()).flat_map(of_curve).collect();
        coarse_to_fine(points.len()).into_iter().map(|at| points[at]).collect()
    }

    /// What the simulation says of a curve.
    fn simulated_data(&self, curve: usize, sweep: &SimulatedSweep, y: Yardstick) -> Vec<Datum> {
        let steps = self.ticks.len().max(1);
        let own = sweep.places.iter().zip(&sweep.points).filter(|(place, _)| **place / steps == curve);
        let mut data: Vec<Datum> = own
            .filter_map(|(place, point)| Some(of_point(point.as_ref()?, *self.ticks.get(place % steps)?, y)))
            .collect();
        data.sort_by(|a, b| a.x.total_cmp(&b.x));
        data
    }

    /// The points that are simulated, without those whose Scenarios make no sense.
    fn simulated(&self) -> Points {
        let sound = |scenario: &Scenario| scenario.check().is_empty();
        let point = |place: usize| {
            let mut scenario = self.asked.scenario(place).filter(sound)?;
            scenario.run.precision = scenario.run.precision.max(PRECISION);
            Some((place, scenario))
        };
        let (places, scenarios) = self.chosen().into_iter().filter_map(point).unzip();
        Points { places, scenarios }
    }
}

/// A few values of a second knob around the present one.
fn around(scenario: &Scenario, path: &str) -> Option<Family> {
    let now = knob_axis::value_now(scenario, path).filter(|now| *now > 0.0)?;
    let spec = AxisSpec { from: Some(now / APART), to: Some(now * APART), ..AxisSpec::default() };
    let mut values: Vec<f64> =
        knob_axis::ticks(scenario, path, &spec, 3).into_iter().map(|(at, _)| at).collect();
    if let Some(middle) = values.get_mut(1) {
        *middle = now;
    }
    values.retain(|value| *value > 0.0);
    values.dedup();
    Some(Family { path: path.to_owned(), values })
}

fn yardstick_name(y: Yardstick) -> String {
    text(match y {
        Yardstick::Throughput => "course-throughput",
        Yardstick::Latency => "course-latency",
        Yardstick::HitRate => "figure-hit-rate",
    })
}

fn y_axis(y: Yardstick) -> Axis {
    match y {
        Yardstick::Throughput => Axis::new(text("figure-throughput"), Unit::PerSecond, Scale::Linear),
        Yardstick::Latency => Axis::new(text("axis-mean-latency"), Unit::Milliseconds, Scale::Linear),
        Yardstick::HitRate => {
            Axis { range: Some([0.0, 1.0]), ..Axis::new(text("axis-hit-rate"), Unit::Share, Scale::Linear) }
        }
    }
}

fn of_estimate(estimate: &Estimate, y: Yardstick) -> f64 {
    match y {
        Yardstick::Throughput => estimate.throughput_tps,
        Yardstick::Latency => estimate.latency_mean_ms,
        Yardstick::HitRate => estimate.hit_rate,
    }
}

fn of_point(point: &SimulatedPoint, x: f64, y: Yardstick) -> Datum {
    match y {
        Yardstick::Throughput => {
            let half = point.throughput_tps * point.throughput_ci95;
            Datum::between(
                x,
                point.throughput_tps,
                [point.throughput_tps - half, point.throughput_tps + half],
            )
        }
        Yardstick::Latency => Datum::at(x, point.latency_ms),
        Yardstick::HitRate => Datum::at(x, point.hit_rate),
    }
}

/// How curves of one side are told apart.
const DASHES: [Dash; Family::MOST] = [Dash::Dashed, Dash::Dotted, Dash::Mixed, Dash::Solid, Dash::Dashed];

fn figure(
    sides: &[Seen<'_>],
    spec: &SweepSpec,
    plan: &Plan,
    answers: &Answers,
    simulated: Option<&SimulatedSweep>,
) -> Figure {
    let steps = plan.ticks.len();
    // Answers to an earlier question keep the picture until there are some to this one.
    let fits = answers.asked.points() == steps && answers.asked.bases.len() == plan.curves.len();
    let curve_name = |side: &Seen<'_>, value: Option<f64>| match (value, &spec.family) {
        (Some(value), Some(family)) => {
            let unit = knob_axis::unit(side.scenario, &family.path);
            format!("{}, {} {}", side.name, knob_axis::name(side.scenario, &family.path), unit.words(value))
        }
        _ => side.name.clone(),
    };
    let mut series = Vec::new();
    let mut curves: Vec<Curve> = Vec::new();
    for (at, (side, value)) in plan.curves.iter().enumerate() {
        let side = &sides[*side];
        let number = plan.curves[..at].iter().filter(|(other, _)| sides[*other].side == side.side).count();
        let name = curve_name(side, *value);
        let data: Vec<Datum> = (0..if fits { steps } else { 0 })
            .filter_map(|step| {
                let answer = answers.known.get(at * steps + step)?.as_ref()?;
                Some(Datum::at(plan.ticks[step], of_estimate(answer, spec.y)))
            })
            .collect();
        if !data.is_empty() {
            let dash =
                if spec.family.is_some() { DASHES[number.min(DASHES.len() - 1)] } else { side.dash(true) };
            curves.push(Curve {
                name: name.clone(),
                points: data.iter().map(|datum| (datum.x, datum.y)).collect(),
            });
            series.push(Series::new(name, side.paint, Look::Line(dash), data));
        }
    }
    for (at, (side, value)) in plan.curves.iter().enumerate() {
        let side = &sides[*side];
        let data = simulated.map(|sweep| plan.simulated_data(at, sweep, spec.y)).unwrap_or_default();
        if !data.is_empty() {
            let look = Look::Points { mark: Mark::of(&side.scenario.engine.profile), hollow: false };
            series.push(Series::new(
                text!("series-simulated", name = curve_name(side, *value)),
                side.paint,
                look,
                data,
            ));
        }
    }
    let along = knob_axis::name(&plan.base, &plan.path);
    let name = capital(&text!("figure-by", quantity = yardstick_name(spec.y), knob = along.as_str()));
    let x = knob_axis::figure_axis(&plan.base, &plan.path, &spec.x);
    // A finding waits for all of the points.
    let found = answers.complete.then(|| title(spec.y, &along, x.unit, &curves)).flatten();
    Figure {
        id: "sweep",
        title: found.unwrap_or_else(|| name.clone()),
        name,
        body: Body::Plot(Plot { x, y: y_axis(spec.y), series, reading: Reading::AtX, rank: None }),
    }
}

/// A curve in its title's terms.
struct Curve {
    name: String,
    points: Vec<(f64, f64)>,
}

/// Where an advantage is no longer worth a word.
const ADVANTAGE: f64 = 0.1;

/// What the curves say.
fn title(y: Yardstick, along: &str, unit: Unit, curves: &[Curve]) -> Option<String> {
    match curves {
        [a, b] if a.points.len() == b.points.len() => Some(compared(y, along, unit, a, b)),
        [only] => Some(alone(y, along, unit, only)),
        [] => None,
        _ => {
            let best = curves.iter().filter_map(|curve| {
                let values = curve.points.iter().map(|point| point.1);
                let best =
                    if y == Yardstick::Latency { values.reduce(f64::min) } else { values.reduce(f64::max) };
                Some((curve, best?))
            });
            let sign = if y == Yardstick::Latency { -1.0 } else { 1.0 };
            let (curve, value) = best.max_by(|a, b| (sign * a.1).total_cmp(&(sign * b.1)))?;
            Some(capital(&text!(
                "sweep-best",
                quantity = yardstick_name(y),
                value = y_axis(y).unit.words(value),
                curve = lower(&curve.name)
            )))
        }
    }
}

/// Where the second of two curves is better than the first, and where it no longer matters.
fn compared(y: Yardstick, along: &str, unit: Unit, a: &Curve, b: &Curve) -> String {
    // The advantage of the second side: how many times as fast it is, or as little it takes.
    let gains: Vec<(f64, f64)> = a
        .points
        .iter()
        .zip(&b.points)
        .map(|(a, b)| {
            (a.0, if y == Yardstick::Latency { a.1 / b.1.max(1e-12) } else { b.1 / a.1.max(1e-12) })
        })
        .collect();
    let matters = |gain: f64| (gain - 1.0).abs() >= ADVANTAGE;
    let (first, second) = (lower(&a.name), lower(&b.name));
    let what = yardstick_name(y);
    let last_that_matters = gains.iter().rposition(|(_, gain)| matters(*gain));
    let first_that_matters = gains.iter().position(|(_, gain)| matters(*gain));
    let where_it_matters = |key: &str, value: f64| {
        let (first, second, what) = (first.as_str(), second.as_str(), what.as_str());
        text!(key, value = unit.words(value), knob = along, quantity = what, first = first, second = second)
    };
    let title = match (first_that_matters, last_that_matters) {
        (None, _) | (_, None) => {
            text!("sweep-no-difference", knob = along, quantity = what, first = first, second = second)
        }
        (_, Some(last)) if last + 1 < gains.len() => where_it_matters("sweep-above", gains[last + 1].0),
        (Some(first_at), _) if first_at > 0 => where_it_matters("sweep-only-above", gains[first_at - 1].0),
        _ => {
            let (low, high) = gains
                .iter()
                .fold((f64::INFINITY, 0.0f64), |(low, high), (_, gain)| (low.min(*gain), high.max(*gain)));
            let (low, high) = (Unit::Ratio.words(low), Unit::Ratio.words(high));
            text!(
                "sweep-everywhere",
                knob = along,
                quantity = what,
                first = first,
                second = second,
                low = low,
                high = high
            )
        }
    };
    capital(&title)
}

fn alone(y: Yardstick, along: &str, unit: Unit, curve: &Curve) -> String {
    let words = |value: f64| y_axis(y).unit.words(value);
    let (Some(first), Some(last)) = (curve.points.first(), curve.points.last()) else { return String::new() };
    let what = yardstick_name(y);
    let change = last.1 / first.1.max(1e-12);
    if (change - 1.0).abs() < ADVANTAGE {
        return capital(&text!("sweep-flat", quantity = what, knob = along));
    }
    capital(&text!(
        if change > 1.0 { "sweep-rises" } else { "sweep-falls" },
        quantity = what,
        knob = along,
        from = words(first.1),
        start = unit.words(first.0),
        to = words(last.1),
        end = unit.words(last.0)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers as an estimate would give them: the first side reaches the second one as the knob rises.
    fn synthetic(plan: &Plan) -> Answers {
        let sample = spindle_estimate::estimate(&plan.base).unwrap();
        let steps = plan.ticks.len();
        let known = (0..plan.asked.len()).map(|index| {
            let (curve, step) = (index / steps, index % steps);
            let full = 1000.0 * (curve + 1).min(2) as f64;
            let throughput_tps = if curve == 0 { full + 1000.0 * step as f64 / steps as f64 } else { full };
            Some(Rc::new(Estimate {
                throughput_tps,
                latency_mean_ms: 1000.0 / throughput_tps,
                hit_rate: 0.9,
                ..sample.clone()
            }))
        });
        Answers { asked: plan.asked.clone(), known: Rc::new(known.collect()), complete: true }
    }

    fn drawn(spec: &SweepSpec) -> (Figure, Plan) {
        let store = Store::default();
        let sides = seen(&store);
        let plan = Plan::of(&store, &sides, spec);
        let answers = synthetic(&plan);
        (figure(&sides, spec, &plan, &answers, None), plan)
    }

    #[test]
    fn a_curve_for_each_side_and_where_the_difference_ends() {
        let (figure, plan) = drawn(&SweepSpec::default());
        let plot = figure.plot().unwrap();
        assert_eq!(plot.series.len(), 2);
        assert_eq!(plot.series[0].data.len(), plan.ticks.len());
        assert!(
            figure.title.starts_with("Above ") && figure.title.contains("no longer matters"),
            "{}",
            figure.title
        );
        for y in Yardstick::ALL {
            let (figure, _) = drawn(&SweepSpec { y, ..SweepSpec::default() });
            assert!(!figure.title.contains("NaN") && figure.title != figure.name, "{}", figure.title);
        }
    }

    #[test]
    fn a_second_knob_gives_more_curves() {
        let store = Store::default();
        let family = around(&store.scenarios[1], "workload.clients");
        assert!(family.as_ref().is_some_and(|family| family.values.len() >= 2), "{family:?}");
        let count = family.as_ref().map_or(0, |family| family.values.len());
        let (figure, _) = drawn(&SweepSpec { family, ..SweepSpec::default() });
        assert_eq!(figure.plot().unwrap().series.len(), 2 * count);
        assert!(figure.title.starts_with("The best throughput"), "{}", figure.title);
    }

    #[test]
    fn simulated_points_carry_their_confidence() {
        let store = Store::default();
        let (sides, spec) = (seen(&store), SweepSpec::default());
        let plan = Plan::of(&store, &sides, &spec);
        let point =
            SimulatedPoint { throughput_tps: 100.0, throughput_ci95: 0.1, latency_ms: 3.0, hit_rate: 0.5 };
        let sweep = SimulatedSweep {
            job: 1,
            spec: spec.clone(),
            scenarios: store.scenarios.clone(),
            compare: true,
            places: plan.chosen(),
            points: [vec![Some(point)], vec![None; plan.chosen().len() - 1]].concat(),
            over: false,
        };
        assert!(belongs(&sweep, &store, &spec));
        let last = plan.ticks.len() - 1;
        assert!(sweep.places[..4].contains(&0) && plan.chosen().contains(&last), "{:?}", sweep.places);
        assert!(plan.simulated().scenarios.iter().all(|scenario| scenario.run.precision >= PRECISION));
        let drawn = figure(&sides, &spec, &plan, &synthetic(&plan), Some(&sweep));
        let series = drawn.plot().unwrap().series.last().unwrap().clone();
        assert_eq!(series.data[0].up, Some([90.0, 110.0]));
        assert_eq!(series.data[0].x, plan.ticks[0]);
        let other = SweepSpec { x: AxisSpec { linear: true, ..Default::default() }, ..spec };
        assert!(!belongs(&sweep, &store, &other));
    }

    #[test]
    fn a_knob_that_is_nowhere_leaves_an_empty_picture() {
        let x = AxisSpec { path: Some("no.such[9]".into()), ..Default::default() };
        let (figure, plan) = drawn(&SweepSpec { x, ..SweepSpec::default() });
        assert!(figure.is_empty() && plan.ticks.is_empty() && plan.chosen().is_empty());
    }
}
