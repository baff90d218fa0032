//! `spindle list`.

use crate::{Outcome, input, output};
use clap::Args;
use serde::Serialize;
use spindle_engine::profile::PROFILES;

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// Print the scenario of this EXPERIMENT/CASE as TOML, to start from.
    case: Option<String>,
    /// Print one JSON document on standard output and nothing else.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    experiments: Vec<ExperimentEntry>,
    profiles: Vec<ProfileEntry>,
    devices: Vec<DeviceEntry>,
}

#[derive(Serialize)]
struct ExperimentEntry {
    id: String,
    title: String,
    source: String,
    cases: Vec<String>,
}

#[derive(Serialize)]
struct ProfileEntry {
    name: &'static str,
    title: &'static str,
    source: &'static str,
    parameters: Vec<ParameterEntry>,
}

#[derive(Serialize)]
struct ParameterEntry {
    name: &'static str,
    default: &'static str,
    effect: &'static str,
}

#[derive(Serialize)]
struct DeviceEntry {
    name: &'static str,
    title: &'static str,
    source: &'static str,
}

pub(crate) fn list(arguments: &ListArguments) -> Outcome {
    if let Some(case) = &arguments.case {
        return match input::scenario(case) {
            Ok(scenario) => {
                print!("{}", scenario.to_toml());
                Outcome::Done
            }
            Err(messages) => Outcome::BadInput(messages),
        };
    }
    let cards = match spindle_experiments::cards() {
        Ok(cards) => cards,
        Err(problems) => return Outcome::BadInput(input::messages("replay card", &problems)),
    };
    let answer = Answer {
        experiments: cards
            .into_iter()
            .map(|c| ExperimentEntry {
                id: c.id,
                title: c.title,
                source: c.source,
                cases: c.cases.into_iter().map(|case| case.id).collect(),
            })
            .collect(),
        profiles: PROFILES
            .iter()
            .map(|p| ProfileEntry {
                name: p.name,
                title: p.title,
                source: p.source,
                parameters: p
                    .parameters
                    .iter()
                    .map(|s| ParameterEntry { name: s.name, default: s.default, effect: s.effect })
                    .collect(),
            })
            .collect(),
        devices: spindle_device::PRESETS
            .iter()
            .map(|d| DeviceEntry { name: d.name, title: d.title, source: d.source })
            .collect(),
    };
    if arguments.json {
        output::json(&answer);
        return Outcome::Done;
    }
    println!("Experiments (spindle replay ID; one case: spindle run ID/CASE)");
    for e in &answer.experiments {
        println!("  {}  {}\n    {}", e.id, e.title, e.cases.join(" "));
    }
    println!("\nEngine profiles and the parameters they follow");
    for p in &answer.profiles {
        println!("  {}  {}", p.name, p.title);
        for s in &p.parameters {
            println!("    {} = {}  {}", s.name, s.default, s.effect);
        }
    }
    println!("\nDevice presets");
    for d in &answer.devices {
        println!("  {}  {}", d.name, d.title);
    }
    Outcome::Done
}
