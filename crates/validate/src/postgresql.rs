//! Cells of PostgreSQL 15: sizes of tables, pgbench, repeated scans.

mod load;
mod scan;
mod sizing;
mod state;
mod tables;

use crate::{Answer, Cell};
use serde_json::Value;

pub(crate) fn answer(cell: &Cell, _setup: &Value) -> Result<Answer, String> {
    match cell.kind.as_str() {
        "sizing" => sizing::answer(cell),
        "counters" | "device" | "group_commit" if cell.text("scan").is_some() => scan::answer(cell),
        "counters" | "device" | "group_commit" => load::answer(cell),
        other => Err(format!("cells of kind `{other}` are not described")),
    }
}
