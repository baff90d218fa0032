//! `spindle size`.

use crate::{
    Outcome, input,
    output::{self, three},
};
use clap::Args;
use serde::Serialize;
use spindle_engine::{
    layout::{StorageRules, TableLayout},
    profile::{PROFILES, Profile},
    schema::FILL_DEFAULT,
    tree::InsertOrder,
};
use spindle_import::{NoteKind, read_schema};
use spindle_units::Bytes;

#[derive(Debug, Args)]
pub(crate) struct SizeArguments {
    /// The engine's profile (see `spindle list`).
    #[arg(long)]
    engine: String,
    /// Rows of each table.
    #[arg(long)]
    rows: u64,
    /// Order in which the rows' keys arrive.
    #[arg(long, value_enum, default_value = "random")]
    order: Order,
    /// Bytes of a page.
    #[arg(long, default_value = "16k")]
    page_size: String,
    /// Share of the declared length that variable columns use, 0 to 1.
    #[arg(long, default_value_t = FILL_DEFAULT)]
    fill: f64,
    /// Print one JSON document on standard output and nothing else.
    #[arg(long)]
    json: bool,
    /// A file of CREATE TABLE and CREATE INDEX statements, or `-`.
    schema: String,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Order {
    Random,
    Sequential,
}

#[derive(Serialize)]
struct Answer {
    tables: Vec<TableLayout>,
}

pub(crate) fn size(arguments: &SizeArguments) -> Outcome {
    match layouts(arguments) {
        Ok(tables) if arguments.json => output::json(&Answer { tables }),
        Ok(tables) => print(&tables),
        Err(messages) => return Outcome::BadInput(messages),
    }
    Outcome::Done
}

fn layouts(arguments: &SizeArguments) -> Result<Vec<TableLayout>, Vec<String>> {
    let profile = Profile::find(&arguments.engine).ok_or_else(|| {
        let names: Vec<_> = PROFILES.iter().map(|p| p.name).collect();
        vec![format!("--engine: found `{}`, expected one of {}", arguments.engine, names.join(", "))]
    })?;
    let page: Bytes = arguments.page_size.parse().map_err(|e| vec![format!("--page-size: {e}")])?;
    if !(4096..=65_536).contains(&page.0) || !page.0.is_power_of_two() {
        return Err(vec![format!("--page-size: found {page}, expected 4k, 8k, 16k, 32k or 64k")]);
    }
    if !(1..=1_000_000_000_000).contains(&arguments.rows) {
        return Err(vec![format!("--rows: found {}, expected 1 to 10^12", arguments.rows)]);
    }
    if !(0.0..=1.0).contains(&arguments.fill) {
        return Err(vec![format!("--fill: found {}, expected 0 to 1", arguments.fill)]);
    }
    let path = &arguments.schema;
    let (tables, notes) = read_schema(&input::text(path)?);
    let problems: Vec<_> = notes
        .iter()
        .filter(|n| n.kind == NoteKind::Problem)
        .map(|n| format!("{path}: line {}: {}", n.line, n.text))
        .collect();
    if tables.is_empty() || !problems.is_empty() {
        let none = vec![format!("{path}: found no CREATE TABLE, expected at least one")];
        return Err(if problems.is_empty() { none } else { problems });
    }
    let order = match arguments.order {
        Order::Random => InsertOrder::Random,
        Order::Sequential => InsertOrder::Sequential,
    };
    let rules = StorageRules {
        format: profile.format,
        page_bytes: page.0 as u32,
        order,
        fill: arguments.fill,
        rows_per_commit: None,
    };
    let mut layouts = Vec::new();
    for table in &tables {
        if let Some((at, found, expected)) = table.schema.check().into_iter().next() {
            return Err(vec![format!(
                "{path}: table {}: {at}: found {found}, expected {expected}",
                table.name
            )]);
        }
        layouts.push(rules.table(&table.name, &table.schema, arguments.rows, 1));
    }
    Ok(layouts)
}

fn print(tables: &[TableLayout]) {
    for table in tables {
        println!(
            "{}: {} rows of {} bytes, {} in all",
            table.name,
            table.rows,
            three(table.row_bytes),
            Bytes(table.bytes)
        );
        let mut rows = Vec::new();
        if let Some(heap) = table.heap {
            let per_page = heap.rows_per_page.to_string();
            rows.push(vec![
                "(heap)".into(),
                per_page,
                heap.pages.to_string(),
                heap.pages.to_string(),
                "–".into(),
                "–".into(),
            ]);
        }
        for index in &table.indexes {
            rows.push(vec![
                index.name.clone(),
                three(table.rows as f64 / index.leaf_pages as f64),
                index.leaf_pages.to_string(),
                index.pages.to_string(),
                index.height.to_string(),
                Bytes(index.bytes).to_string(),
            ]);
        }
        output::table(&["tree", "rows/leaf", "leaf pages", "pages", "height", "set aside"], &rows);
        println!();
    }
}
