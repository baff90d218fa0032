//! `spindle replay`.

use crate::{
    Outcome, input,
    output::{self, percent, three},
    parallel::{in_order, processors},
};
use clap::Args;
use serde::Serialize;
use spindle_experiments::{Card, CaseReport, Experiment, Role, cards, compare};
use spindle_simulate::simulate;

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// Experiments to replay; all where none is named.
    ids: Vec<String>,
    /// Replay all experiments.
    #[arg(long)]
    all: bool,
    /// Print one JSON document on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    experiments: Vec<Experiment>,
}

pub(crate) fn replay(arguments: &ReplayArguments) -> Outcome {
    let all = match cards() {
        Ok(cards) => cards,
        Err(problems) => return Outcome::BadInput(input::messages("replay card", &problems)),
    };
    let mut chosen: Vec<&Card> = Vec::new();
    for id in &arguments.ids {
        match all.iter().find(|card| card.id == *id) {
            Some(card) => chosen.push(card),
            None => {
                let ids: Vec<_> = all.iter().map(|c| c.id.as_str()).collect();
                return Outcome::BadInput(vec![format!(
                    "found no experiment `{id}`, expected one of {}",
                    ids.join(", ")
                )]);
            }
        }
    }
    if arguments.all || chosen.is_empty() {
        chosen = all.iter().collect();
    }
    let mut experiments = Vec::new();
    for card in chosen {
        match cases(card) {
            Ok(reports) => experiments.push(compare(card, reports)),
            Err(messages) => return Outcome::BadInput(messages),
        }
    }
    let missed = experiments.iter().flat_map(|e| &e.claims).any(|claim| !claim.holds);
    if arguments.json {
        output::json(&Answer { experiments });
    } else {
        for (card, experiment) in
            all.iter().filter_map(|c| Some((c, experiments.iter().find(|e| e.id == c.id)?)))
        {
            print(card, experiment);
        }
    }
    if missed { Outcome::Missed } else { Outcome::Done }
}

/// Runs the cases of a card, one on each processor, and puts their reports in the card's order.
fn cases(card: &Card) -> Result<Vec<CaseReport>, Vec<String>> {
    let run = |at: usize| {
        let case = &card.cases[at];
        eprintln!("{}: {}", card.id, case.title);
        let report = card.scenario(case).and_then(|scenario| simulate(&scenario))?;
        let report = report.with_fitted(card.fitted_in(case));
        Ok(CaseReport { id: case.id.clone(), title: case.title.clone(), report })
    };
    let mut reports = Vec::new();
    let mut failures = Vec::new();
    in_order(card.cases.len(), processors(), run, |at, result: Result<_, Vec<_>>| match result {
        Ok(report) => reports.push(report),
        Err(problems) => {
            failures.extend(input::messages(&format!("{}/{}", card.id, card.cases[at].id), &problems))
        }
    });
    if failures.is_empty() { Ok(reports) } else { Err(failures) }
}

fn print(card: &Card, experiment: &Experiment) {
    println!("{}\n{}\n", card.title, card.source);
    let rows: Vec<_> = experiment
        .claims
        .iter()
        .map(|claim| {
            let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), three);
            let role = match claim.role {
                Role::Fitted => "fitted",
                Role::Predicted => "predicted",
            };
            vec![
                claim.title.clone(),
                number(claim.published),
                number(claim.model),
                claim.error.map_or_else(|| "–".to_owned(), percent),
                role.to_owned(),
                if claim.holds { "holds" } else { "MISSED" }.to_owned(),
            ]
        })
        .collect();
    output::table(&["claim", "published", "model", "error", "role", ""], &rows);
    println!();
    let rows: Vec<_> = experiment
        .fitted
        .iter()
        .map(|f| {
            let range = format!("{} to {}", three(f.range[0]), three(f.range[1]));
            vec![f.name.clone(), three(f.value), f.unit.clone(), range, f.on.clone()]
        })
        .collect();
    output::table(&["fitted constant", "value", "unit", "plausible", "on"], &rows);
    println!();
    let rows: Vec<_> = experiment
        .cases
        .iter()
        .map(|case| {
            let r = &case.report;
            let busy = |name: &str| {
                let device = r.devices.iter().find(|d| d.name == name);
                device.map_or_else(String::new, |d| format!("{:.0} %", d.utilisation * 100.0))
            };
            let main = r.main_cause().map_or_else(String::new, |(cause, ms)| {
                format!("{cause} {:.0} %", ms / r.latency_ms.mean.max(1e-12) * 100.0)
            });
            vec![
                case.id.clone(),
                three(r.throughput_tps),
                three(r.latency_ms.mean),
                three(r.hit_rate * 100.0),
                three(r.per_transaction.page_reads),
                three(r.per_transaction.pages_written),
                busy("processor"),
                busy("storage"),
                main,
                r.digest.clone(),
            ]
        })
        .collect();
    let heads = ["case", "tps", "ms", "hit %", "reads", "writes", "cpu", "storage", "mostly", "digest"];
    output::table(&heads, &rows);
    println!("\nAssumed, where the source is silent:");
    for line in &experiment.assumed {
        println!("  {line}");
    }
}
