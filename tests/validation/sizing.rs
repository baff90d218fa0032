//! Pages, heights and record sizes of published tables against those counted on running engines.

use serde::Deserialize;
use spindle_engine::{layout::StorageRules, profile::Profile, schema::Schema, tree::InsertOrder};
use spindle_scenario::StandardTables;
use spindle_tests::{ceilings, judge};

/// Bytes of a page of the Firebird database.
const PAGE_BYTES: u32 = 16_384;
/// Header of a record, which its published length leaves out.
const RECORD_HEADER: f64 = 13.0;
/// Bytes of the whole database of 21 000 warehouses, 1813.969 GiB.
const DATABASE_BYTES: f64 = 1_813.969_025 * (1_u64 << 30) as f64;

#[derive(Deserialize)]
struct Counted {
    table: String,
    rows: u64,
    record_bytes: f64,
    data_pages: u64,
    index_mib: Option<f64>,
    deepest: Option<u32>,
}

#[test]
fn the_order_entry_database_has_the_published_pages() {
    let ceilings = ceilings();
    let format = Profile::find("firebird-2.5").expect("a known profile").format;
    let tables = StandardTables::OrderEntryCompact.tables(21_000, format);
    let (mut missed, mut bytes) = (Vec::new(), 0);
    for line in include_str!("../data/order-entry-sizing.jsonl").lines() {
        let counted: Counted = serde_json::from_str(line).expect("a table a line");
        println!("{}", counted.table);
        let table = tables.iter().find(|table| table.name == counted.table).expect("a table of the set");
        let spec = table.spec();
        let layout = spec.rules(format, PAGE_BYTES).table(&table.name, &spec.schema, counted.rows, 1);
        bytes += layout.bytes;
        let mut held = |figure: &str, model: f64, truth: f64| {
            missed.extend(judge(&ceilings, &format!("sizing.order-entry.{figure}"), model, truth));
        };
        held("record_bytes", layout.row_bytes - RECORD_HEADER, counted.record_bytes);
        held("data_pages", layout.heap.expect("rows lie apart").pages as f64, counted.data_pages as f64);
        if let Some(mib) = counted.index_mib {
            let leaves: u64 = layout.indexes.iter().map(|index| index.leaf_pages).sum();
            held("index_bytes", (leaves * u64::from(PAGE_BYTES)) as f64, mib * f64::from(1 << 20));
        }
        let deepest = layout.indexes.iter().map(|index| index.height).max();
        if counted.deepest.is_some() && deepest != counted.deepest {
            missed.push(format!("{}: depth {deepest:?}, published {:?}", counted.table, counted.deepest));
        }
    }
    missed.extend(judge(&ceilings, "sizing.order-entry.database_bytes", bytes as f64, DATABASE_BYTES));
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[derive(Deserialize)]
struct Cell {
    id: String,
    engine: String,
    order: InsertOrder,
    rows: u64,
    index: String,
    leaf_pages: u64,
    height: Option<u32>,
    allocated_pages: Option<u64>,
    record_bytes: Option<f64>,
}

fn article_schema() -> Schema {
    let card = spindle_experiments::card("cubrid-2010").expect("the card is there");
    let scenario = card.scenario(&card.cases[0]).expect("its first case can be run");
    scenario.tables[0].spec().schema
}

#[test]
fn the_article_table_has_the_measured_pages() {
    let (schema, ceilings) = (article_schema(), ceilings());
    let mut missed = Vec::new();
    let mut errors = Vec::new();
    for line in include_str!("../data/sizing.jsonl").lines() {
        let cell: Cell = serde_json::from_str(line).expect("a cell a line");
        let profile = Profile::find(&cell.engine).expect("a known profile");
        let rules = StorageRules {
            format: profile.format,
            page_bytes: 16_384,
            order: cell.order,
            fill: 0.6,
            rows_per_commit: None,
        };
        let table = rules.table("t", &schema, cell.rows, 1);
        let (leaf_pages, height, allocated, bytes) = if cell.index == "heap" {
            (table.heap.expect("CUBRID has a heap").pages, None, None, table.row_bytes)
        } else {
            let index = table.indexes.iter().find(|i| i.name == cell.index).expect("the index is there");
            (index.leaf_pages, Some(index.height), Some(index.allocated_pages), index.entry_bytes)
        };
        let name = if cell.rows >= 400_000 { "sizing.leaf_pages" } else { "sizing.leaf_pages.small" };
        println!("{}", cell.id);
        missed.extend(judge(&ceilings, name, leaf_pages as f64, cell.leaf_pages as f64));
        errors.push((leaf_pages as f64 / cell.leaf_pages as f64 - 1.0).abs());
        if let (Some(truth), Some(model)) = (cell.height, height)
            && truth != model
        {
            missed.push(format!("{}: height {model}, measured {truth}", cell.id));
        }
        if let (Some(truth), Some(model)) = (cell.allocated_pages, allocated)
            && cell.rows >= 400_000
        {
            missed.extend(judge(&ceilings, "sizing.allocated_pages", model as f64, truth as f64));
        }
        if let Some(truth) = cell.record_bytes {
            missed.extend(judge(&ceilings, "sizing.record_bytes", bytes, truth));
        }
    }
    errors.sort_by(f64::total_cmp);
    println!("median error of leaf pages {:.4} over {} trees", errors[errors.len() / 2], errors.len());
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
