//! What is wrong, in sentences.

use spindle_scenario::Problem;

/// A problem as a sentence or two.
pub fn sentence(problem: &Problem) -> String {
    let found = problem.found.trim();
    if problem.expected.is_empty() {
        crate::language::text!("problem-found", found = found)
    } else {
        let expected = problem.expected.trim_end_matches('.');
        crate::language::text!("problem-found-expected", found = found, expected = expected)
    }
}
