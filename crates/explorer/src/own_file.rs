//! Fetches files that lie beside the page.

use crate::language::text;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// The text of a file, by its address relative to the page.
///
/// # Errors
/// Why it is not to be had, in a sentence.
pub async fn fetch(address: &str) -> Result<String, String> {
    let lost = || text("fetch-lost");
    let window = web_sys::window().ok_or_else(lost)?;
    let response = JsFuture::from(window.fetch_with_str(address)).await.map_err(|_| lost())?;
    let response: Response = response.dyn_into().map_err(|_| lost())?;
    if !response.ok() {
        return Err(text!("fetch-refused", code = response.status().to_string()));
    }
    let body = response.text().map_err(|_| lost())?;
    JsFuture::from(body).await.ok().and_then(|body| body.as_string()).ok_or_else(lost)
}
