//! Fetches the measurements from the page's own origin, once they are needed.

use crate::measured::Measured;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

/// Where the file lies, beside the page.
const FILE: &str = "./accuracy.json";

/// How far the fetching is.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Loading {
    /// Not asked for yet.
    #[default]
    Idle,
    /// On its way.
    Busy,
    /// Here.
    Ready(Rc<Measured>),
    /// Not to be had; why.
    Failed(String),
}

impl Loading {
    /// The measurements, once they are here.
    pub fn measured(&self) -> Option<&Rc<Measured>> {
        match self {
            Self::Ready(measured) => Some(measured),
            _ => None,
        }
    }
}

/// Fetches and reads the file.
pub async fn fetch() -> Loading {
    match text().await.and_then(|text| {
        Measured::read(&text).map_err(|_| "The file with them is not as it should be.".to_owned())
    }) {
        Ok(measured) => Loading::Ready(Rc::new(measured)),
        Err(reason) => Loading::Failed(reason),
    }
}

async fn text() -> Result<String, String> {
    let lost = || "The server did not answer.".to_owned();
    let window = web_sys::window().ok_or_else(lost)?;
    let response = JsFuture::from(window.fetch_with_str(FILE)).await.map_err(|_| lost())?;
    let response: Response = response.dyn_into().map_err(|_| lost())?;
    if !response.ok() {
        return Err(format!("The server answered with code {}.", response.status()));
    }
    let text = response.text().map_err(|_| lost())?;
    JsFuture::from(text).await.ok().and_then(|text| text.as_string()).ok_or_else(lost)
}
