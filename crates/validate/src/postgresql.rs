//! Cells of PostgreSQL 15 under pgbench, and of its tables' sizes.

mod sizing;
mod tables;

use crate::{Answer, Cell};
use serde_json::Value;

pub(crate) fn answer(cell: &Cell, _setup: &Value) -> Result<Answer, String> {
    match cell.kind.as_str() {
        "sizing" => sizing::answer(cell),
        other => Err(format!("cells of kind `{other}` are not asked yet")),
    }
}
