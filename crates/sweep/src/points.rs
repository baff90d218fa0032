//! Every combination of the values along several axes.

use crate::Axis;
use spindle_scenario::{Problem, Scenario};

/// The most points of a sweep.
pub const POINTS_MAX: usize = 10_000;

/// One combination.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// Its number, from 0; the last axis runs fastest.
    pub index: usize,
    /// Where it lies on each axis, in the axis' unit.
    pub at: Vec<f64>,
    /// Which of each axis' values it has.
    pub ticks: Vec<usize>,
    /// Its scenario, or everything that is wrong with it.
    pub scenario: Result<Scenario, Vec<Problem>>,
}

/// All combinations of the values along `axes`, of which the last runs fastest.
///
/// # Errors
/// There would be more than [`POINTS_MAX`], or two axes vary the same value.
pub fn points(base: &Scenario, axes: &[Axis]) -> Result<Vec<Point>, Problem> {
    for (at, axis) in axes.iter().enumerate() {
        if axes[..at].iter().any(|other| other.path() == axis.path()) {
            return Err(Problem::new(axis.path(), "two axes", "each value varied once"));
        }
    }
    let count = axes.iter().try_fold(1usize, |count, axis| count.checked_mul(axis.ticks().len()));
    if count.is_none_or(|count| count > POINTS_MAX) {
        let factors: Vec<_> = axes.iter().map(|axis| axis.ticks().len().to_string()).collect();
        let found = format!("{} points", factors.join(" × "));
        return Err(Problem::new("", found, format!("at most {POINTS_MAX} in all")));
    }
    let mut points = Vec::new();
    let start = Point { index: 0, at: Vec::new(), ticks: Vec::new(), scenario: Ok(base.clone()) };
    combine(start, axes, &mut points);
    Ok(points)
}

/// Adds every point that begins like `point` and goes on along `axes`.
fn combine(point: Point, axes: &[Axis], points: &mut Vec<Point>) {
    let Some((axis, rest)) = axes.split_first() else {
        let scenario = point.scenario.and_then(|scenario| {
            let problems = scenario.check();
            if problems.is_empty() { Ok(scenario) } else { Err(problems) }
        });
        points.push(Point { index: points.len(), scenario, ..point });
        return;
    };
    for (place, tick) in axis.ticks().iter().enumerate() {
        let scenario = match &point.scenario {
            Ok(scenario) => {
                scenario.with_value(axis.path(), tick.value.clone()).map_err(|problem| vec![problem])
            }
            Err(problems) => Err(problems.clone()),
        };
        let (mut at, mut ticks) = (point.at.clone(), point.ticks.clone());
        at.push(tick.at);
        ticks.push(place);
        let next = Point { index: 0, at, ticks, scenario };
        combine(next, rest, points);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn base() -> Scenario {
        let text = include_str!("../../simulate/src/bench.toml");
        spindle_scenario::scenario_from_toml(text).expect("the benchmark's scenario")
    }

    fn axis(text: &str) -> Axis {
        Axis::parse(&base(), text).unwrap_or_else(|problem| panic!("{text}: {problem}"))
    }

    #[test]
    fn the_last_axis_runs_fastest() {
        let axes =
            [axis("workload.clients=1,2"), axis("storage.device.preset=sas-15k,sata-7200,sata-ssd-2014")];
        let points = points(&base(), &axes).unwrap();
        assert_eq!(points.iter().map(|p| p.index).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        assert_eq!(points[4].at, [2.0, 1.0]);
        let scenario = points[4].scenario.as_ref().unwrap();
        assert_eq!(scenario.workload.clients, 2);
        assert_eq!(scenario.storage.device.preset.as_deref(), Some("sata-7200"));
    }

    #[test]
    fn without_an_axis_there_is_the_scenario_itself() {
        let points = points(&base(), &[]).unwrap();
        assert_eq!(points.len(), 1);
        assert_eq!(points[0].scenario, Ok(base()));
    }

    #[test]
    fn a_point_that_cannot_be_run_says_why_and_the_others_stay() {
        let axes =
            [axis("engine.parameters.innodb_buffer_pool_size=1G,64G"), axis("workload.clients=1,9999")];
        let points = points(&base(), &axes).unwrap();
        let wrong: Vec<_> =
            points.iter().map(|p| p.scenario.as_ref().err().map(|e| e[0].path.clone())).collect();
        assert_eq!(wrong[0], None);
        assert_eq!(wrong[1].as_deref(), Some("workload.clients"));
        assert_eq!(wrong[2].as_deref(), Some("engine.parameters.innodb_buffer_pool_size"));
    }

    #[test]
    fn too_many_points_and_twice_the_same_value_are_refused() {
        let wide = axis("seed=1..2000,steps=2000,linear");
        let problem = points(&base(), &[wide.clone(), axis("workload.clients=1..9,steps=9")]).unwrap_err();
        assert_eq!(problem.found, "2000 × 9 points");
        assert_eq!(points(&base(), &[wide.clone(), wide]).unwrap_err().path, "seed");
    }
}
