//! The tables of the Firebird measurements: TPC-C's, as the setup's DDL declares them, with what is known of their data.

use serde_json::Value;
use spindle_engine::{
    schema::{Column, Index, IndexKind, Schema},
    tree::InsertOrder,
};
use spindle_import::read_schema;
use spindle_scenario::Table;

/// Rows of a table for each warehouse, or in all where the number is the second (TPC-C, clause 1.2.1).
fn rows(table: &str, warehouses: u64) -> u64 {
    match table {
        "warehouse" => warehouses,
        "district" => 10 * warehouses,
        "item" => 100_000,
        "stock" => 100_000 * warehouses,
        "new_order" => 9000 * warehouses,
        // Five to fifteen lines an order.
        "order_line" => 300_000 * warehouses,
        _ => 30_000 * warehouses,
    }
}

/// Average significant bytes of a column's values, where they are known: lengths of texts by TPC-C, clause 4.3.3, bytes
/// of small integers by their ranges there; less than one where a value is missing from some rows.
fn average_bytes(column: &Column) -> Option<f64> {
    let name = column.name.as_str();
    let by_suffix = |suffixes: &[&str]| suffixes.iter().any(|s| name.ends_with(s));
    Some(match name {
        "c_data" => 400.0,
        "i_data" | "s_data" => 38.0,
        "h_data" => 18.0,
        "c_first" | "c_last" => 12.0,
        "i_name" => 19.0,
        "w_name" | "d_name" => 8.0,
        // Four digits, then 11111.
        "w_zip" | "d_zip" | "c_zip" => 4.0,
        "c_middle" | "c_credit" | "w_state" | "d_state" | "c_state" => 2.0,
        "s_ytd" | "s_order_cnt" | "s_remote_cnt" | "c_delivery_cnt" => 0.0,
        // The last 900 of 3000 orders are not delivered: no carrier, no date, and only they have amounts.
        "o_carrier_id" | "ol_delivery_d" => 0.7,
        "ol_amount" => 0.3,
        "c_credit_lim" | "w_ytd" | "d_ytd" => 3.0,
        "c_balance" | "c_ytd_payment" | "c_discount" | "h_amount" | "i_price" | "i_im_id" => 2.0,
        _ if by_suffix(&["_street_1", "_street_2", "_city"]) => 15.0,
        // One in three item numbers is above 65535.
        _ if by_suffix(&["i_id"]) => 2.3,
        _ if by_suffix(&["_o_id", "_c_id", "o_id", "c_id"]) && !by_suffix(&["d_id", "w_id"]) => 1.9,
        _ if by_suffix(&["w_id", "d_id", "number", "quantity", "cnt", "local"]) => 1.0,
        _ => return None,
    })
}

/// How many different values a key column has (TPC-C, clause 4.3.3: a thousand last names).
fn distinct(column: &str, warehouses: u64) -> Option<f64> {
    Some(match column {
        "c_last" => 1000.0,
        "no_o_id" => 900.0,
        "ol_number" => 10.0,
        "i_id" | "s_i_id" => 100_000.0,
        "c_id" | "o_id" | "o_c_id" | "ol_o_id" => 3000.0,
        _ if column.ends_with("d_id") => 10.0,
        _ if column.ends_with("w_id") => warehouses as f64,
        _ => return None,
    })
}

/// An index from a line such as `alter table item add constraint item_pk primary key (i_id);`.
fn index(line: &str) -> Option<(String, Index)> {
    let (head, rest) = line.split_once('(')?;
    let columns: Vec<String> = rest.split_once(')')?.0.split(',').map(|c| c.trim().to_owned()).collect();
    let words: Vec<&str> = head.split_whitespace().collect();
    let after = |word: &str| words.iter().position(|w| *w == word).and_then(|at| words.get(at + 1));
    let (table, name, kind) = match after("constraint") {
        Some(name) => (after("table")?, name, IndexKind::Primary),
        None => (after("on")?, after("index")?, IndexKind::NonUnique),
    };
    // Keys that begin with what the rows were loaded by follow their order; names and customers lie anywhere.
    let scattered = kind == IndexKind::NonUnique;
    let order = Some(InsertOrder::SortedBuild);
    Some(((*table).to_owned(), Index { order, scattered, ..Index::new(*name, kind, columns) }))
}

/// All tables of `setup.json` for a number of warehouses.
pub(crate) fn tables(setup: &Value, warehouses: u64) -> Result<Vec<Table>, String> {
    let firebird = setup.get("firebird").ok_or("the setup says nothing of firebird")?;
    let ddl = firebird.get("schema").and_then(Value::as_str).ok_or("firebird.schema is missing")?;
    let ddl = ddl.replace("commit;", "");
    let (imported, _) = read_schema(&ddl);
    let mut tables: Vec<Table> = imported
        .into_iter()
        .map(|table| Table {
            count: 1,
            rows: rows(&table.name, warehouses),
            order: InsertOrder::Sequential,
            fill: spindle_engine::schema::FILL_DEFAULT,
            columns: described(table.schema, warehouses),
            indexes: Vec::new(),
            rows_per_commit: None,
            name: table.name,
        })
        .collect();
    let lines = firebird.get("indexes").and_then(Value::as_array).ok_or("firebird.indexes is missing")?;
    for line in lines.iter().filter_map(Value::as_str) {
        let (name, index) = index(line).ok_or_else(|| format!("found `{line}`, expected an index"))?;
        let table = tables.iter_mut().find(|table| table.name == name);
        table.ok_or_else(|| format!("found an index on `{name}`, expected a table"))?.indexes.push(index);
    }
    Ok(tables)
}

fn described(schema: Schema, warehouses: u64) -> Vec<Column> {
    let describe = |column: Column| Column {
        average_bytes: average_bytes(&column),
        distinct: distinct(&column.name, warehouses),
        ..column
    };
    schema.columns.into_iter().map(describe).collect()
}
