//! What the tests that cross crates share: ceilings that may only fall.

pub mod closed_form;
pub mod scenarios;

use std::collections::BTreeMap;

/// The error each checked figure may have at most, by name. A ceiling may be lowered when the model gets better, and
/// is never raised.
///
/// # Panics
/// When the file is not what it should be.
pub fn ceilings() -> BTreeMap<String, f64> {
    toml::from_str(include_str!("data/ceilings.toml")).expect("data/ceilings.toml holds names and numbers")
}

/// Prints model, truth and error of a figure and returns a message where the error passes its ceiling.
pub fn judge(ceilings: &BTreeMap<String, f64>, name: &str, model: f64, truth: f64) -> Option<String> {
    let error = model / truth - 1.0;
    let ceiling = ceilings.get(name).copied();
    println!("{name}: model {model:.4} truth {truth:.4} error {:+.2} %", error * 100.0);
    match ceiling {
        Some(ceiling) if error.abs() <= ceiling => None,
        Some(ceiling) => Some(format!("{name}: error {error:+.4} passes its ceiling of {ceiling}")),
        None => Some(format!("{name}: no ceiling in data/ceilings.toml")),
    }
}
