//! The `spindle` command: what would this database do on that disk, with that buffer?
//!
//! It knows arguments, files and how to print. It must never know a model's formula.

mod answer;
mod bench;
mod estimate;
mod import;
mod input;
mod list;
mod output;
mod parallel;
mod progress;
mod replay;
mod run;
mod size;
mod sweep;
mod validate;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// A laboratory for database storage: engines and devices in virtual time.
#[derive(Debug, Parser)]
#[command(name = "spindle", version, about, max_term_width = 110)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Simulate a scenario and report throughput, latency and where each millisecond goes.
    Run(run::RunArguments),
    /// Answer a scenario in closed form, in less than a millisecond.
    Estimate(estimate::EstimateArguments),
    /// Simulate or estimate a scenario at many points, on all processors, and print a line of JSON for each.
    Sweep(sweep::SweepArguments),
    /// Replay published experiments and print the model's error beside each published figure.
    Replay(replay::ReplayArguments),
    /// Work out pages, heights and bytes of the tables in a file of DDL.
    Size(size::SizeArguments),
    /// Put configuration files and DDL into a scenario, and say what became of each line.
    Import(import::ImportArguments),
    /// Put the questions of measurements of real engines to the models, and print the errors.
    Validate(validate::ValidateArguments),
    /// List experiments, engine profiles with their parameters, and device presets.
    List(list::ListArguments),
    /// Measure the simulator itself (used by `cargo xtask bench`).
    #[command(hide = true)]
    Bench(bench::BenchArguments),
}

/// How a command ended.
pub(crate) enum Outcome {
    /// Done.
    Done,
    /// A claim or ceiling was missed.
    Missed,
    /// The input cannot be used; the messages say where, what was found, what was expected.
    BadInput(Vec<String>),
}

fn main() -> ExitCode {
    // A reader such as `head` that has seen enough ends the command without a word.
    sigpipe::reset();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are answers; everything else is bad input.
            let code = u8::from(error.use_stderr()) * 2;
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    let outcome = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Estimate(arguments) => estimate::run(&arguments),
        Command::Sweep(arguments) => sweep::run(&arguments),
        Command::Replay(arguments) => replay::replay(&arguments),
        Command::Size(arguments) => size::size(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Validate(arguments) => validate::run(&arguments),
        Command::List(arguments) => list::list(&arguments),
        Command::Bench(arguments) => bench::bench(&arguments),
    };
    match outcome {
        Outcome::Done => ExitCode::SUCCESS,
        Outcome::Missed => ExitCode::from(1),
        Outcome::BadInput(messages) => {
            for message in messages {
                eprintln!("spindle: {message}");
            }
            ExitCode::from(2)
        }
    }
}
