//! `spindle estimate`.

use crate::{
    Outcome, answer,
    input::{self, Source},
    output::{self, three},
};
use clap::Args;
use spindle_estimate::{Estimate, estimate};
use spindle_scenario::Scenario;

#[derive(Debug, Args)]
pub(crate) struct EstimateArguments {
    #[command(flatten)]
    source: Source,
    /// Print one JSON document on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &EstimateArguments) -> Outcome {
    let scenario = match arguments.source.read() {
        Ok(scenario) => scenario,
        Err(messages) => return Outcome::BadInput(messages),
    };
    match estimate(&scenario) {
        Ok(estimate) => {
            if arguments.json {
                output::json(&estimate);
            } else {
                print(&scenario, &estimate);
            }
            Outcome::Done
        }
        Err(problems) => Outcome::BadInput(input::messages("scenario", &problems)),
    }
}

fn print(scenario: &Scenario, estimate: &Estimate) {
    answer::title(&scenario.title);
    println!(
        "about {} transactions a second, {} statements a second, {} ms on average",
        three(estimate.throughput_tps),
        three(estimate.throughput_qps),
        three(estimate.latency_mean_ms)
    );
    answer::breakdown(&estimate.breakdown_ms, estimate.latency_mean_ms);
    answer::devices(&estimate.devices);
    answer::transaction(&estimate.per_transaction, estimate.hit_rate);
    for note in &estimate.notes {
        println!("{note}");
    }
}
