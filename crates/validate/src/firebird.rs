//! Cells of Firebird 3.0 SuperServer under TPC-C's tables and operations.

use crate::{Answer, Cell, firebird_tables::tables};
use serde_json::Value;
use spindle_engine::{
    firebird_format::{database_bytes, pointer_pages},
    layout::{StorageFormat, StorageRules, TableLayout},
};
use spindle_scenario::Table;

pub(crate) fn answer(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    match cell.kind.as_str() {
        "sizing" => sizing(cell, setup),
        other => Err(format!("kind `{other}` is not asked yet")),
    }
}

fn needed(cell: &Cell, name: &str) -> Result<u64, String> {
    cell.number(name).map(|n| n as u64).ok_or_else(|| format!("setup.{name} is missing"))
}

fn layout(table: &Table, page_bytes: u32) -> TableLayout {
    let spec = table.spec();
    let rules =
        StorageRules { format: StorageFormat::Firebird, page_bytes, order: spec.order, fill: spec.fill };
    rules.table(&table.name, &spec.schema, spec.rows, 1)
}

/// Pages, leaves and depth of one table, and the size of the whole database.
fn sizing(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    let page_bytes = needed(cell, "page_size")? as u32;
    let mut tables = tables(setup, needed(cell, "warehouses")?)?;
    let name = cell.text("table").ok_or("setup.table is missing")?.to_ascii_lowercase();
    let table = tables.iter_mut().find(|t| t.name == name).ok_or("the table is not in the schema")?;
    // How many lines its orders have was drawn when the table was loaded: it is data.
    if let Some(rows) = cell.truth("total_records") {
        table.rows = rows as u64;
    }
    let asked = layout(table, page_bytes);
    let all: u64 = tables.iter().map(|table| layout(table, page_bytes).bytes).sum();
    let mut answer = Answer::default();
    let pages = asked.heap.map_or(0, |heap| heap.pages);
    let pointers = pointer_pages(page_bytes, pages);
    answer.count(cell, "data_pages", pages as f64, cell.truth("data_pages"));
    answer.count(cell, "pointer_pages", pointers as f64, cell.truth("pointer_pages"));
    for index in &asked.indexes {
        let name = index.name.to_ascii_uppercase();
        let truth = |what: &str| cell.truth(&format!("indexes.{name}.{what}"));
        answer.count(cell, format!("{name}.leaf_pages"), index.leaf_pages as f64, truth("leaf_buckets"));
        answer.count(cell, format!("{name}.height"), f64::from(index.height), truth("depth"));
    }
    let bytes = database_bytes(page_bytes, all);
    answer.count(cell, "allocated_bytes", bytes as f64, cell.truth("database_bytes"));
    Ok(answer)
}
