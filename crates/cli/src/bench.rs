//! `spindle bench`: how fast the simulator is on this machine.

use crate::{
    Outcome, output,
    parallel::{in_order, processors},
};
use clap::Args;
use serde::Serialize;
use spindle_simulate::{bench, simulate};
use std::time::Instant;

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// Print one JSON document on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Figures {
    /// On one processor.
    #[serde(flatten)]
    single: bench::Figures,
    /// Seconds for a sweep of 24 points, each known to 2 %, on all processors.
    sweep_24_points_s: f64,
}

pub(crate) fn bench(arguments: &BenchArguments) -> Outcome {
    let started = Instant::now();
    let clock = || started.elapsed().as_secs_f64() * 1000.0;
    let figures = Figures { single: bench::figures(&clock), sweep_24_points_s: sweep() };
    if arguments.json {
        output::json(&figures);
    } else {
        let Figures { single, sweep_24_points_s } = figures;
        println!("pool: {} million page accesses a second", output::three(single.pool_accesses_per_s / 1e6));
        println!(
            "whole simulation: {} million page requests a second",
            output::three(single.simulated_requests_per_s / 1e6)
        );
        println!("sweep of 24 points known to 2 %: {} s", output::three(sweep_24_points_s));
    }
    Outcome::Done
}

fn sweep() -> f64 {
    let points = bench::lookups().map(|base| spindle_sweep::benchmark(&base)).unwrap_or_default();
    let started = Instant::now();
    in_order(points.len(), processors(), |at| simulate(&points[at]).is_ok(), |_, _| {});
    started.elapsed().as_secs_f64()
}
