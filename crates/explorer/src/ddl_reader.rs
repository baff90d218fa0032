//! Reads DDL with the module that lies beside the page, fetched when it is needed first.

use crate::protocol;
use spindle_import::{ImportedTable, Note};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen(raw_module = "./ddl.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = readDdl)]
    async fn read_ddl(text: &str) -> Result<JsValue, JsValue>;
}

/// The tables of a text and what became of its places; `None` where the reader is not to be had.
pub async fn read(text: &str) -> Option<(Vec<ImportedTable>, Vec<Note>)> {
    let json = read_ddl(text).await.ok()?.as_string()?;
    protocol::read(&json)
}
