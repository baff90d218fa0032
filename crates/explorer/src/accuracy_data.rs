//! Fetches the measurements from the page's own origin, once they are needed.

use crate::{language::text, measured::Measured, own_file};
use std::rc::Rc;

/// Where the file lies, beside the page.
const FILE: &str = "./accuracy.json";

/// How far the fetching is.
#[derive(Debug, Clone, Default)]
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

/// The measurements are fetched once: where they are two, they are one in memory.
impl PartialEq for Loading {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ready(a), Self::Ready(b)) => Rc::ptr_eq(a, b),
            (Self::Failed(a), Self::Failed(b)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
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
    match own_file::fetch(FILE)
        .await
        .and_then(|source| Measured::read(&source).map_err(|_| text("fetch-unreadable")))
    {
        Ok(measured) => Loading::Ready(Rc::new(measured)),
        Err(reason) => Loading::Failed(reason),
    }
}
