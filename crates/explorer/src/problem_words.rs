//! What is wrong, in sentences.

use crate::language::{model_words, text};
use spindle_scenario::Problem;

/// A problem as a sentence or two.
pub fn sentence(problem: &Problem) -> String {
    let found = model_words(problem.found.trim());
    if problem.expected.is_empty() {
        text!("problem-found", found = found)
    } else {
        let expected = model_words(problem.expected.trim_end_matches('.'));
        text!("problem-found-expected", found = found, expected = expected)
    }
}
