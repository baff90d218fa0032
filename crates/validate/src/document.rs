//! The table a sceptic would want, as Markdown.

use crate::{
    Quantity,
    run::{CellOutcome, Validation},
    targets::targets,
};
use std::fmt::Write as _;

/// Why a cell is missed: the beginning of its name, and the reason.
pub type Explanation = (String, String);

/// How many of the worst cells are explained.
const WORST: usize = 10;

/// The document: aims and what was reached, errors by engine, kind and quantity, the worst cells with a reason each,
/// and what could not be asked. Reasons are found by the longest beginning of the cell's name.
pub fn document(validation: &Validation, explanations: &[Explanation]) -> String {
    let mut text = String::new();
    let supported = validation.cells.iter().filter(|cell| cell.supported).count();
    let _ = writeln!(text, "{supported} of {} measurements can be asked.\n", validation.cells.len());
    aims(validation, &mut text);
    summary(validation, &mut text);
    worst(validation, explanations, &mut text);
    unsupported(validation, &mut text);
    text
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn aims(validation: &Validation, text: &mut String) {
    text.push_str(
        "| figure | figures | median | aim | 90th percentile | aim | met |\n|---|---|---|---|---|---|---|\n",
    );
    for target in targets(&validation.cells) {
        let met = if target.met() { "yes" } else { "no" };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {met} |",
            target.what,
            target.cells,
            percent(target.median),
            percent(target.median_aim),
            percent(target.p90),
            percent(target.p90_aim),
        );
    }
    text.push('\n');
}

fn summary(validation: &Validation, text: &mut String) {
    text.push_str("### By engine, kind and quantity\n\n");
    text.push_str("| engine | kind | quantity | figures | median | 90th percentile | worst |\n|---|---|---|---|---|---|---|\n");
    for row in &validation.summary {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} |",
            row.engine,
            row.kind,
            row.quantity,
            row.cells,
            percent(row.median),
            percent(row.p90),
            percent(row.worst)
        );
    }
    text.push('\n');
}

/// The cells whose worst trusted figure is furthest off, by the ratio between model and truth.
fn worst_cells(validation: &Validation) -> Vec<(&CellOutcome, &Quantity)> {
    // What is less than a page or sync in a hundred transactions is not told apart.
    let distance =
        |q: &Quantity| (q.model.max(crate::answer::FEW) / q.truth.max(crate::answer::FEW)).ln().abs();
    let mut worst: Vec<(&CellOutcome, &Quantity)> = validation
        .cells
        .iter()
        .filter_map(|cell| {
            let trusted = cell.quantities.iter().filter(|q| q.trusted && q.counted_error() > 0.0);
            let worst = trusted.max_by(|a, b| distance(a).total_cmp(&distance(b)))?;
            Some((cell, worst))
        })
        .collect();
    worst.sort_by(|a, b| distance(b.1).total_cmp(&distance(a.1)));
    worst.truncate(WORST);
    worst
}

fn worst(validation: &Validation, explanations: &[Explanation], text: &mut String) {
    text.push_str(
        "### The ten cells furthest off\n\n| cell | figure | model | truth | why |\n|---|---|---|---|---|\n",
    );
    for (cell, quantity) in worst_cells(validation) {
        let why = explanations
            .iter()
            .filter(|(beginning, _)| cell.id.starts_with(beginning.as_str()))
            .max_by_key(|(beginning, _)| beginning.len())
            .map_or("not understood yet", |(_, why)| why.as_str());
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {why} |",
            cell.id,
            quantity.name,
            spindle_units::significant(quantity.model, 3),
            spindle_units::significant(quantity.truth, 3)
        );
    }
    text.push('\n');
}

fn unsupported(validation: &Validation, text: &mut String) {
    let cells: Vec<&CellOutcome> = validation.cells.iter().filter(|cell| !cell.supported).collect();
    if cells.is_empty() {
        return;
    }
    text.push_str("### What could not be asked\n\n");
    for cell in cells {
        let _ = writeln!(text, "- {}: {}", cell.id, cell.reason);
    }
    text.push('\n');
}
