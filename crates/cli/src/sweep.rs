//! `spindle sweep`: a scenario at many points, on all processors, as JSON lines.

use crate::{
    Outcome,
    input::{self, Source},
    parallel::{in_order, processors},
    progress::Progress,
};
use clap::Args;
use serde::Serialize;
use serde_json::Value;
use spindle_estimate::Estimate;
use spindle_report::Report;
use spindle_scenario::{Problem, Scenario, Stop};
use spindle_simulate::Run;
use spindle_sweep::{Axis, Kind, Point, points};
use std::{collections::BTreeMap, num::NonZeroUsize, str::FromStr};

#[derive(Debug, Args)]
pub(crate) struct SweepArguments {
    #[command(flatten)]
    source: Source,
    /// Values to try: `PATH=FROM..TO[,steps=N][,log|linear]` or `PATH=A,B,C`; more than once for every combination.
    #[arg(long, required = true, value_name = "PATH=VALUES")]
    vary: Vec<String>,
    /// Estimate in closed form instead of simulating: a thousand times as fast.
    #[arg(long)]
    estimate: bool,
    /// Simulate each point until its throughput is known this well, such as 0.02 or 2%, or to its longest duration.
    #[arg(long, conflicts_with = "estimate", value_name = "SHARE")]
    precision: Option<Share>,
    /// Only each N-th point, beginning with the I-th, I from 1 to N.
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Points at work at the same time; all processors where it is left out.
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// A share, as a number or a percentage.
#[derive(Debug, Clone, Copy)]
struct Share(f64);

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (digits, unit) = text.strip_suffix('%').map_or((text, 1.0), |digits| (digits, 100.0));
        let number = digits.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        number
            .map(|number| Self(number / unit))
            .ok_or_else(|| "expected a share such as 0.02 or 2%".to_owned())
    }
}

/// One part of a sweep that is spread over several machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shard {
    /// From 0.
    part: usize,
    parts: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text
            .split_once('/')
            .and_then(|(part, parts)| Some((part.parse::<usize>().ok()?, parts.parse::<usize>().ok()?)));
        match parts {
            Some((part, parts)) if 1 <= part && part <= parts => Ok(Self { part: part - 1, parts }),
            _ => Err("expected I/N with I from 1 to N, such as 1/8".to_owned()),
        }
    }
}

/// One point, complete in itself.
#[derive(Serialize)]
struct Line<'a> {
    index: usize,
    values: BTreeMap<&'a str, Value>,
    #[serde(flatten)]
    answer: Answer,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Report(Value),
    Estimate(Box<Estimate>),
    Problems(Vec<Problem>),
}

pub(crate) fn run(arguments: &SweepArguments) -> Outcome {
    let (axes, points) = match ask(arguments) {
        Ok(asked) => asked,
        Err(messages) => return Outcome::BadInput(messages),
    };
    // Nobody wants a thousand lines that say the same.
    if let Some(Err(problems)) = points.iter().map(|point| &point.scenario).find(|scenario| scenario.is_err())
        && points.iter().all(|point| point.scenario.is_err())
    {
        return Outcome::BadInput(input::messages("no point can be run", problems));
    }
    let shard = arguments.shard.unwrap_or(Shard { part: 0, parts: 1 });
    let points: Vec<Point> = points.into_iter().skip(shard.part).step_by(shard.parts).collect();
    let refused = sweep(arguments, &axes, &points);
    if refused > 0 {
        eprintln!("spindle: {refused} of {} points cannot be run; their lines say why", points.len());
    }
    Outcome::Done
}

/// The axes and all points of what is asked.
fn ask(arguments: &SweepArguments) -> Result<(Vec<Axis>, Vec<Point>), Vec<String>> {
    let mut base = arguments.source.read()?;
    if let Some(Share(precision)) = arguments.precision {
        base.run.precision = precision;
        base.run.stop = Stop::Confidence;
        let problems = base.check();
        if !problems.is_empty() {
            return Err(input::messages("--precision", &problems));
        }
    }
    let axes = arguments
        .vary
        .iter()
        .map(|text| Axis::parse(&base, text).map_err(|problem| vec![format!("--vary {text}: {problem}")]));
    let axes = axes.collect::<Result<Vec<_>, _>>()?;
    let points = points(&base, &axes).map_err(|problem| input::messages("--vary", &[problem]))?;
    Ok((axes, points))
}

/// Answers the points and prints a line for each; returns how many could not be run.
fn sweep(arguments: &SweepArguments, axes: &[Axis], points: &[Point]) -> usize {
    let progress = Progress::of(points.len());
    progress.over(0);
    let answer = |at: usize| {
        let answer = answer(&points[at], arguments.estimate, &progress);
        line(axes, &points[at], answer)
    };
    let threads = arguments.jobs.map_or_else(processors, NonZeroUsize::get);
    in_order(points.len(), threads, answer, |at, line| {
        progress.over(at + 1);
        progress.suspended(|| println!("{line}"));
    });
    points.iter().filter(|point| point.scenario.is_err()).count()
}

fn answer(point: &Point, estimate: bool, progress: &Progress) -> Answer {
    let scenario = match &point.scenario {
        Ok(scenario) => scenario,
        Err(problems) => {
            progress.advance(0.0, 1.0);
            return Answer::Problems(problems.clone());
        }
    };
    if !estimate {
        return simulate(scenario, |before, now| progress.advance(before, now))
            .map_or_else(Answer::Problems, |report| Answer::Report(without_series(&report)));
    }
    progress.advance(0.0, 1.0);
    spindle_estimate::estimate(scenario)
        .map_or_else(Answer::Problems, |estimate| Answer::Estimate(Box::new(estimate)))
}

/// Runs a scenario to its end and says meanwhile how far it was and how far it is.
pub(crate) fn simulate(scenario: &Scenario, tell: impl Fn(f64, f64)) -> Result<Report, Vec<Problem>> {
    let mut run = Run::new(scenario)?;
    let mut before = 0.0;
    while !run.advance(200_000) {
        let now = run.progress().fraction.max(before);
        tell(before, now);
        before = now;
    }
    tell(before, 1.0);
    Ok(run.report())
}

/// A report without what makes it long.
fn without_series(report: &Report) -> Value {
    let mut value = serde_json::to_value(report).unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        fields.remove("series");
    }
    value
}

fn line(axes: &[Axis], point: &Point, answer: Answer) -> String {
    let values = axes.iter().zip(&point.at).zip(&point.ticks).map(|((axis, at), tick)| {
        let value = match (axis.kind(), &axis.ticks()[*tick].value) {
            (Kind::Word, word) => serde_json::to_value(word).unwrap_or_default(),
            (Kind::Whole | Kind::Size, _) => Value::from(*at as i64),
            _ => Value::from(*at),
        };
        (axis.path(), value)
    });
    let line = Line { index: point.index, values: values.collect(), answer };
    serde_json::to_string(&line).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_and_shares_are_read() {
        assert_eq!("2/3".parse(), Ok(Shard { part: 1, parts: 3 }));
        for text in ["", "0/3", "4/3", "1", "1/0", "a/b", "-1/3", "1/3/4"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        assert_eq!("2 %".parse::<Share>().map(|share| share.0), Ok(0.02));
        assert!("NaN".parse::<Share>().is_err() && "much".parse::<Share>().is_err());
    }
}
