//! `spindle run`.

use crate::{
    Outcome, input,
    output::{self, three},
};
use clap::Args;
use spindle_report::Report;
use spindle_scenario::Scenario;
use spindle_simulate::{Progress, Run};
use std::io::{IsTerminal, Write};

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// A scenario in TOML, `-` for standard input, or EXPERIMENT/CASE (see `spindle list`).
    scenario: String,
    /// Print one JSON document on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &RunArguments) -> Outcome {
    let scenario = match input::scenario(&arguments.scenario) {
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
    let mut run = Run::new(scenario).map_err(|problems| input::messages("scenario", &problems))?;
    let progress = std::io::stderr().is_terminal();
    while !run.advance(500_000) {
        if progress {
            let Progress { fraction, virtual_s } = run.progress();
            eprint!("\r{:3.0} %  {virtual_s:.0} s of virtual time ", fraction * 100.0);
            let _ = std::io::stderr().flush();
        }
    }
    if progress {
        eprint!("\r{:40}\r", "");
    }
    Ok(run.report())
}

fn print(scenario: &Scenario, report: &Report) {
    if !scenario.title.is_empty() {
        println!("{}", scenario.title);
    }
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
    println!();
    let rows: Vec<_> = report
        .breakdown_ms
        .iter()
        .filter(|(_, ms)| **ms > 0.0)
        .map(|(cause, ms)| {
            vec![cause.clone(), three(*ms), format!("{:.0} %", ms / l.mean.max(1e-12) * 100.0)]
        })
        .collect();
    output::table(&["where the time goes", "ms", "share"], &rows);
    println!();
    let rows: Vec<_> = report
        .devices
        .iter()
        .map(|d| {
            let busy = format!("{:.0} %", d.utilisation * 100.0);
            vec![
                d.name.clone(),
                busy,
                three(d.reads_per_s),
                three(d.writes_per_s),
                three(d.syncs_per_s),
                three(d.read_ms),
                three(d.write_ms),
            ]
        })
        .collect();
    output::table(&["device", "busy", "reads/s", "writes/s", "syncs/s", "read ms", "write ms"], &rows);
    println!();
    let t = &report.per_transaction;
    println!(
        "a transaction: {} page requests ({} % found), {} reads, {} writes, {} bytes of log, {} log syncs, {} data syncs, {} ms of processor",
        three(t.page_requests),
        three(report.hit_rate * 100.0),
        three(t.page_reads),
        three(t.pages_written),
        three(t.log_bytes),
        three(t.log_syncs),
        three(t.data_syncs),
        three(t.cpu_ms)
    );
    for note in &report.notes {
        println!("{note}");
    }
    println!("digest {}", report.digest);
}
