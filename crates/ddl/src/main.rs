//! The reader of DDL as a WebAssembly module of its own, which the page fetches when somebody edits tables.
//!
//! A parser of SQL is larger than everything else that a visit needs together, and few visits need it.

use spindle_import::read_schema;
use wasm_bindgen::prelude::wasm_bindgen;

fn main() {}

/// Reads DDL: the tables that were found and the notes, as JSON of a pair, `[[{ name, schema }…], [{ line, kind, text }…]]`.
#[wasm_bindgen]
pub fn read_ddl(text: &str) -> String {
    serde_json::to_string(&read_schema(text)).unwrap_or_default()
}
