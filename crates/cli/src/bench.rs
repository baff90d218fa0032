//! `spindle bench`: how fast the simulator is, on one processor of this machine.

use crate::{Outcome, output};
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// Print one JSON document on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

pub(crate) fn bench(arguments: &BenchArguments) -> Outcome {
    let started = std::time::Instant::now();
    let clock = || started.elapsed().as_secs_f64() * 1000.0;
    let figures = spindle_simulate::bench::figures(&clock);
    if arguments.json {
        output::json(&figures);
    } else {
        println!("pool: {} million page accesses a second", output::three(figures.pool_accesses_per_s / 1e6));
        println!(
            "whole simulation: {} million page requests a second",
            output::three(figures.simulated_requests_per_s / 1e6)
        );
    }
    Outcome::Done
}
