//! `spindle run`.

use crate::{
    Outcome, answer,
    input::{self, Source},
    output::{self, three},
    progress::Progress,
    sweep,
};
use clap::Args;
use spindle_report::Report;
use spindle_scenario::Scenario;

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    source: Source,
    /// Print one JSON document on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &RunArguments) -> Outcome {
    let scenario = match arguments.source.read() {
        Ok(scenario) => scenario,
        Err(messages) => return Outcome::BadInput(messages),
    };
    match simulate(&scenario) {
        Ok(report) => {
            if arguments.json {
                output::json(&report);
            } else {
                print(&scenario, &report);
            }
            Outcome::Done
        }
        Err(messages) => Outcome::BadInput(messages),
    }
}

fn simulate(scenario: &Scenario) -> Result<Report, Vec<String>> {
    let progress = Progress::of(1);
    let tell = |before, now| progress.advance(before, now);
    sweep::simulate(scenario, tell).map_err(|problems| input::messages("scenario", &problems))
}

fn print(scenario: &Scenario, report: &Report) {
    answer::title(&scenario.title);
    let known = if report.throughput_ci95 > 0.0 {
        format!(" (± {} %)", three(report.throughput_ci95 * 100.0))
    } else {
        String::new()
    };
    println!(
        "{} transactions a second{known}, {} statements a second",
        three(report.throughput_tps),
        three(report.throughput_qps)
    );
    let l = &report.latency_ms;
    println!(
        "latency {} ms on average; half within {}, 95 % within {}, 99 % within {}, the slowest {} ms",
        three(l.mean),
        three(l.p50),
        three(l.p95),
        three(l.p99),
        three(l.max)
    );
    answer::breakdown(&report.breakdown_ms, l.mean);
    answer::devices(&report.devices);
    answer::transaction(&report.per_transaction, report.hit_rate);
    answer::plans(&report.plans);
    for note in &report.notes {
        println!("{note}");
    }
    println!("digest {}", report.digest);
}
