//! Pages, heights and record sizes of the article's table against those counted on running engines.

use serde::Deserialize;
use spindle_engine::{layout::StorageRules, profile::Profile, schema::Schema, tree::InsertOrder};
use spindle_tests::{ceilings, judge};

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
