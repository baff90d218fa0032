//! Sizes of tables and indexes after loading.

use super::tables;
use crate::{Answer, Cell, cell::check_size};
use serde_json::Value;
use spindle_engine::{
    layout::{StorageFormat, StorageRules},
    schema::FILL_DEFAULT,
    tree::InsertOrder,
};

/// Sizes are drawn once; the seed only moves trees filled in random order, by less than a per cent.
const SEED: u64 = 1;

pub(super) fn answer(cell: &Cell) -> Result<Answer, String> {
    let table = cell.text("table").ok_or("the cell names no table")?;
    let rows = cell.number("rows").ok_or("the cell names no number of rows")? as u64;
    let order = match cell.text("insert_order") {
        Some("load_then_index") => InsertOrder::SortedBuild,
        Some("seq_in_place") => InsertOrder::Sequential,
        Some("random_in_place") => InsertOrder::Random,
        other => return Err(format!("insert order {other:?} is not known")),
    };
    let schema = tables::named(table, order).ok_or_else(|| format!("table `{table}` is not described"))?;
    let page_bytes = cell.number("page_size").unwrap_or(8192.0) as u32;
    check_size(rows, u64::from(page_bytes))?;
    let rules = StorageRules {
        format: StorageFormat::Postgresql,
        page_bytes,
        order,
        fill: FILL_DEFAULT,
        rows_per_commit: None,
    };
    let layout = rules.table(table, &schema, rows, SEED);
    let mut answer = Answer::default();
    if let Some(heap) = layout.heap {
        answer.count(cell, "heap.data_pages", heap.pages as f64, cell.truth("heap_pages"));
    }
    answer.count(cell, "record_bytes", layout.row_bytes, cell.truth("tuple_bytes"));
    for index in &layout.indexes {
        let truth = |name: &str| {
            let Value::Number(number) = cell.truth.get("indexes")?.get(&index.name)?.get(name)? else {
                return None;
            };
            number.as_f64()
        };
        let name = |quantity: &str| format!("{}.{quantity}", index.name);
        answer.count(cell, name("leaf_pages"), index.leaf_pages as f64, truth("leaf_pages"));
        // PostgreSQL counts levels from the leaves, which are level 0.
        answer.count(
            cell,
            name("height"),
            f64::from(index.height),
            truth("bt_level").map(|level| level + 1.0),
        );
        let allocated = index.allocated_pages as f64;
        answer.allocation(cell, rows, name("allocated_pages"), allocated, truth("pages"));
    }
    answer.allocation(cell, rows, "allocated_bytes", layout.bytes as f64, cell.truth("total_bytes"));
    Ok(answer)
}
