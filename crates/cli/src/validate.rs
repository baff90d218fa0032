//! `spindle validate`.

use crate::{
    Outcome, input,
    output::{self, three},
};
use clap::Args;
use spindle_validate::{
    Cell, CellOutcome, Explanation, Summary, Target, Validation, document, targets, validate,
};

#[derive(Debug, Args)]
pub(crate) struct ValidateArguments {
    /// Only cells whose name begins like this.
    #[arg(long, default_value = "")]
    only: String,
    /// The file that describes how the cells were measured; `setup.json` beside the cells where left out.
    #[arg(long)]
    setup: Option<String>,
    /// Print one JSON document on standard output and nothing else.
    #[arg(long)]
    json: bool,
    /// Also print which cells took the model longest.
    #[arg(long)]
    costs: bool,
    /// Print the errors as Markdown, the worst cells with reasons from this TOML file of names' beginnings.
    #[arg(long, value_name = "REASONS", conflicts_with = "json")]
    markdown: Option<String>,
    /// Print the scenarios that the cells' setups became, as TOML to start from, instead of the errors.
    #[arg(long, conflicts_with = "json")]
    scenarios: bool,
    /// A file of measurements, one JSON object a line.
    cells: String,
}

pub(crate) fn run(arguments: &ValidateArguments) -> Outcome {
    let (cells, setup) = match read(arguments) {
        Ok(read) => read,
        Err(messages) => return Outcome::BadInput(messages),
    };
    let reasons = match arguments.markdown.as_deref().map(read_reasons).transpose() {
        Ok(reasons) => reasons,
        Err(messages) => return Outcome::BadInput(messages),
    };
    let quiet = arguments.json || reasons.is_some();
    let validation = validate(&cells, &setup, &|outcome| {
        if arguments.scenarios {
            if let Some(scenario) = &outcome.scenario {
                println!("# {}\n{scenario}", outcome.id);
            }
        } else if !quiet {
            print_cell(outcome);
        }
    });
    if arguments.scenarios {
        return Outcome::Done;
    }
    if let Some(reasons) = reasons {
        print!("{}", document(&validation, &reasons));
    } else if arguments.json {
        output::json(&validation);
    } else {
        print_summary(&validation);
        print_targets(&validation);
        if arguments.costs {
            print_costs(&validation);
        }
    }
    Outcome::Done
}

fn read(arguments: &ValidateArguments) -> Result<(Vec<Cell>, serde_json::Value), Vec<String>> {
    let path = &arguments.cells;
    let cells = Cell::read_all(&input::text(path)?).map_err(|e| vec![format!("{path}: {e}")])?;
    let cells: Vec<Cell> = cells.into_iter().filter(|cell| cell.id.starts_with(&arguments.only)).collect();
    if cells.is_empty() {
        let found = if arguments.only.is_empty() {
            format!("{path}: found no cell, expected at least one")
        } else {
            format!(
                "--only: found no cell of {path} that begins with `{}`, expected at least one",
                arguments.only
            )
        };
        return Err(vec![found]);
    }
    let beside = std::path::Path::new(path).with_file_name("setup.json");
    let setup = arguments.setup.clone().unwrap_or_else(|| beside.to_string_lossy().into_owned());
    let value = serde_json::from_str(&input::text(&setup)?).map_err(|e| {
        vec![format!("{setup}: {e}, expected the JSON object that describes the measurements")]
    })?;
    Ok((cells, value))
}

fn read_reasons(path: &str) -> Result<Vec<Explanation>, Vec<String>> {
    let table: std::collections::BTreeMap<String, String> =
        toml::from_str(&input::text(path)?).map_err(|e| vec![format!("{path}: {e}")])?;
    Ok(table.into_iter().collect())
}

fn print_cell(outcome: &CellOutcome) {
    let mut lines = vec![format!("{} ({})", outcome.id, outcome.trust)];
    if !outcome.supported {
        lines.push(format!("  unsupported: {}", outcome.reason));
    }
    for quantity in &outcome.quantities {
        lines.push(format!(
            "  {:<28} model {:>12} truth {:>12} error {:+.1} %{}",
            quantity.name,
            three(quantity.model),
            three(quantity.truth),
            quantity.error * 100.0,
            if quantity.trusted { "" } else { "  (not to be believed)" },
        ));
    }
    // One write, so that cells answered side by side do not mix.
    println!("{}", lines.join("\n"));
}

fn print_summary(validation: &Validation) {
    let unsupported: Vec<&CellOutcome> = validation.cells.iter().filter(|cell| !cell.supported).collect();
    let supported = validation.cells.len() - unsupported.len();
    println!();
    println!("{supported} of {} cells supported", validation.cells.len());
    for cell in unsupported {
        println!("  {}: {}", cell.id, cell.reason);
    }
    for (title, rows) in [
        ("Errors of what is to be believed", &validation.summary),
        ("Cells of low trust (not steady, starved, failed)", &validation.low_trust),
    ] {
        if rows.is_empty() {
            continue;
        }
        println!("\n{title}");
        let head = ["engine", "kind", "quantity", "cells", "median", "p90", "worst"];
        output::table(&head, &rows.iter().map(summary_row).collect::<Vec<_>>());
    }
}

fn print_targets(validation: &Validation) {
    println!("\nAims");
    let head = ["figure", "figures", "median", "aim", "p90", "aim", "met"];
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let row = |target: &Target| {
        vec![
            target.what.clone(),
            target.cells.to_string(),
            percent(target.median),
            percent(target.median_aim),
            percent(target.p90),
            percent(target.p90_aim),
            if target.met() { "yes".into() } else { "no".into() },
        ]
    };
    output::table(&head, &targets(&validation.cells).iter().map(row).collect::<Vec<_>>());
}

fn summary_row(row: &Summary) -> Vec<String> {
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    vec![
        row.engine.clone(),
        row.kind.clone(),
        row.quantity.clone(),
        row.cells.to_string(),
        percent(row.median),
        percent(row.p90),
        percent(row.worst),
    ]
}

fn print_costs(validation: &Validation) {
    let mut cells: Vec<&CellOutcome> = validation.cells.iter().collect();
    cells.sort_by(|a, b| b.cost_ms.total_cmp(&a.cost_ms));
    let total: f64 = cells.iter().map(|cell| cell.cost_ms).sum();
    println!("\nProcessor time {:.1} s in all; the cells that cost most:", total / 1e3);
    for cell in cells.iter().take(15) {
        println!("  {:>7.2} s  {}", cell.cost_ms / 1e3, cell.id);
    }
}
