//! `spindle size`.

use crate::{
    Outcome, input,
    output::{self, three},
};
use clap::Args;
use serde::Serialize;
use spindle_engine::{
    layout::{StorageFormat, TableLayout},
    profile::{PROFILES, Profile},
    schema::FILL_DEFAULT,
    tree::InsertOrder,
};
use spindle_import::{ImportedTable, NoteKind, read_schema};
use spindle_scenario::{StandardTables, Table};
use spindle_units::Bytes;

/// The largest scale of a benchmark's tables: 10^12 rows of the largest of them.
const SCALE_MAX: u64 = 1_000_000;

#[derive(Debug, Args)]
pub(crate) struct SizeArguments {
    /// The engine's profile (see `spindle list`).
    #[arg(long)]
    engine: String,
    /// Rows of each table of the schema.
    #[arg(long, required_unless_present = "tables")]
    rows: Option<u64>,
    /// Tables of a benchmark in place of a schema: rows, sysbench, pgbench, order-entry, order-entry-compact.
    #[arg(long, conflicts_with_all = ["rows", "schema", "order", "fill"])]
    tables: Option<String>,
    /// How large the benchmark is: warehouses, branches, or so many times its rows.
    #[arg(long, requires = "tables")]
    scale: Option<u64>,
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
    #[arg(required_unless_present = "tables")]
    schema: Option<String>,
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
    let tables = match &arguments.tables {
        Some(name) => standard_tables(name, arguments.scale, profile.format)?,
        None => described_tables(arguments)?,
    };
    let sized = |table: &Table| {
        let spec = table.spec();
        spec.rules(profile.format, page.0 as u32).table(&table.name, &spec.schema, spec.rows, 1)
    };
    Ok(tables.iter().map(sized).collect())
}

/// The tables of a benchmark.
fn standard_tables(name: &str, scale: Option<u64>, format: StorageFormat) -> Result<Vec<Table>, Vec<String>> {
    let set = StandardTables::find(name).ok_or_else(|| {
        let names = StandardTables::ALL.map(StandardTables::id);
        vec![format!("--tables: found `{name}`, expected one of {}", names.join(", "))]
    })?;
    let scale = scale.unwrap_or(set.usual_scale());
    if !(1..=SCALE_MAX).contains(&scale) {
        return Err(vec![format!("--scale: found {scale}, expected 1 to {SCALE_MAX}")]);
    }
    Ok(set.tables(scale, format))
}

/// The tables of the schema, each with the rows asked for.
fn described_tables(arguments: &SizeArguments) -> Result<Vec<Table>, Vec<String>> {
    let rows = arguments.rows.unwrap_or(1);
    if !(1..=1_000_000_000_000).contains(&rows) {
        return Err(vec![format!("--rows: found {rows}, expected 1 to 10^12")]);
    }
    if !(0.0..=1.0).contains(&arguments.fill) {
        return Err(vec![format!("--fill: found {}, expected 0 to 1", arguments.fill)]);
    }
    let path = arguments.schema.as_deref().unwrap_or("-");
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
    for table in &tables {
        if let Some((at, found, expected)) = table.schema.check().into_iter().next() {
            return Err(vec![format!(
                "{path}: table {}: {at}: found {found}, expected {expected}",
                table.name
            )]);
        }
    }
    let described = |table: ImportedTable| Table {
        name: table.name,
        count: 1,
        rows,
        order,
        fill: arguments.fill,
        rows_per_commit: None,
        columns: table.schema.columns,
        indexes: table.schema.indexes,
    };
    Ok(tables.into_iter().map(described).collect())
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
