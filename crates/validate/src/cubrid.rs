//! Cells of CUBRID 11.3: sizes of loaded tables, and counters around windows of statements.

use crate::{Answer, Cell};
use serde_json::Value;
use spindle_engine::{
    layout::{StorageFormat, StorageRules},
    schema::{FILL_DEFAULT, Schema},
    tree::InsertOrder,
};
use spindle_import::read_schema;

pub(crate) fn answer(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    match cell.kind.as_str() {
        "sizing" => sizing(cell, setup),
        other => Err(format!("cells of kind `{other}` are not modelled")),
    }
}

/// The table of that name, from the DDL that comes with the cells.
fn schema(setup: &Value, name: &str) -> Result<Schema, String> {
    let columns = setup["innodb"]["ddl"][name].as_str();
    let columns = columns.ok_or_else(|| format!("found no DDL of `{name}` in the setup"))?;
    let (mut tables, _) = read_schema(&format!("create table t ({columns});"));
    tables.pop().map(|table| table.schema).ok_or_else(|| format!("the DDL of `{name}` was not understood"))
}

fn sizing(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    let mut schema = schema(setup, cell.text("schema").unwrap_or("seed"))?;
    let order = match cell.text("insert_order") {
        Some("random") | None => InsertOrder::Random,
        Some(_) => InsertOrder::Sequential,
    };
    if cell.text("indexes_built").is_some_and(|when| when.contains("after")) {
        schema.indexes.iter_mut().for_each(|index| index.order = Some(InsertOrder::SortedBuild));
    }
    let rows = cell.number("rows").ok_or("the cell names no rows")? as u64;
    let rules = StorageRules {
        format: StorageFormat::CubridVersions,
        page_bytes: cell.number("page_size").unwrap_or(16_384.0) as u32,
        order,
        fill: FILL_DEFAULT,
        // A load that names no size of its commits was one transaction.
        rows_per_commit: Some(cell.number("rows_per_commit").map_or(rows, |n| n as u64)),
    };
    let layout = rules.table("t", &schema, rows, 1);
    let mut answer = Answer::default();
    let heap = layout.heap.ok_or("the table has no heap")?;
    answer.count(cell, "data_pages", heap.pages as f64, cell.truth("data_pages"));
    answer.count(cell, "record_bytes", layout.row_bytes, cell.truth("record_bytes"));
    for index in &layout.indexes {
        // The engine names the primary key's index after table and columns: pk_t_id_seq.
        let measured = cell.truth["indexes"].as_object().and_then(|all| {
            all.iter().find(|(name, _)| **name == index.name || (index.name == "PRIMARY" && name.starts_with("pk_")))
        });
        let Some((_, truth)) = measured else { continue };
        let number = |name: &str| truth[name].as_f64();
        let mut add = |name: &str, model: f64, truth| answer.count(cell, format!("{}.{name}", index.name), model, truth);
        add("leaf_pages", index.leaf_pages as f64, number("Num_leaf_page"));
        add("height", f64::from(index.height), number("Height"));
        add("allocated_pages", index.allocated_pages as f64, number("Num_total_page"));
    }
    Ok(answer)
}
