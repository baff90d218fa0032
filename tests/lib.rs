//! What the tests that cross crates share: ceilings that may only fall.

pub mod closed_form;
pub mod document;
pub mod scenarios;

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Does `work` for each of `items` on all cores; the results are in the order of the items.
///
/// # Panics
/// When `work` does.
pub fn all_of<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, std::num::NonZero::get) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let result = work(item);
                    done.lock().expect("no thread has panicked").push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread has panicked");
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

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
