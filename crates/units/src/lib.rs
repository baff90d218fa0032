//! Bytes, virtual time and rates, parsed and printed the way database administrators write them, and chance that is
//! the same on every machine.
//!
//! This crate knows quantities and their notation (`4G`, `64M`, `8kB`, `16384`, `30min`). It must never know
//! what a quantity is used for: no device, no engine, no page.

mod bytes;
pub mod chance;
mod significant;
mod span;

pub use bytes::Bytes;
pub use significant::significant;
pub use span::Span;

/// One microsecond in nanoseconds.
pub const MICROSECOND: u64 = 1_000;
/// One millisecond in nanoseconds.
pub const MILLISECOND: u64 = 1_000_000;
/// One second in nanoseconds.
pub const SECOND: u64 = 1_000_000_000;

/// Whether a field says nothing that its absence would not say: for serde's `skip_serializing_if`.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Why a text is not a quantity: what was found and what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The text as it was found.
    pub found: String,
    /// What would have been understood.
    pub expected: &'static str,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "found `{}`, expected {}", self.found, self.expected)
    }
}

impl std::error::Error for ParseError {}

/// Splits `4.5 GB` into the number before the unit and the unit, both trimmed.
fn split_number(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(text.len());
    let number: f64 = text[..end].replace('_', "").parse().ok()?;
    number.is_finite().then_some((number, text[end..].trim()))
}
