//! Times as a reader sees and types them, in nanoseconds.

use crate::{
    format::{milliseconds, plain, span},
    language,
};
use spindle_units::Span;

const MINUTE: f64 = 60e9;

/// A time: in minutes where there is a whole number of them.
pub fn text(nanoseconds: f64) -> String {
    let whole = nanoseconds >= MINUTE && nanoseconds % MINUTE == 0.0;
    if whole { span(nanoseconds / 1e9) } else { milliseconds(nanoseconds / 1e6) }
}

/// Reads a time with its unit.
///
/// # Errors
/// What was found and what was expected.
pub fn parse(typed: &str) -> Result<f64, String> {
    let span = plain(typed).and_then(|text| text.parse::<Span>().ok());
    span.map(|span| span.0 as f64).ok_or_else(|| language::text!("expected-time", found = typed.trim()))
}
