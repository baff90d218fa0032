//! Data from elsewhere, read past its faults.

use crate::{
    Problem,
    understand::{Step, understand},
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// After so many faults reading is given up.
const FAULTS_MAX: usize = 32;

/// Reads a value that lies at `at`. What cannot be understood is left out and told: an unknown field by itself, a value
/// of the wrong kind so that its default holds, a table that lacks something as a whole. `None` where what must be there
/// is not.
pub(crate) fn read<T: DeserializeOwned>(
    mut value: Value,
    at: &str,
    problems: &mut Vec<Problem>,
) -> Option<T> {
    for _ in 0..FAULTS_MAX {
        let fault = match understand(&value) {
            Ok(read) => return Some(read),
            Err(fault) => fault,
        };
        let within = fault.path();
        let separator = if within.is_empty() || within.starts_with('[') { "" } else { "." };
        problems.push(Problem::of_message(format!("{at}{separator}{within}"), fault.message()));
        let steps: Vec<&Step> = fault.steps().collect();
        if !remove(&mut value, &steps) {
            return None;
        }
    }
    None
}

/// Takes out the value at the end of a path, or the innermost there is on the way; `false` where there is none.
fn remove(value: &mut Value, path: &[&Step]) -> bool {
    let Some((first, rest)) = path.split_first() else { return false };
    let inner = match (first, &mut *value) {
        (Step::Key(key), Value::Object(members)) => members.get_mut(key),
        (Step::Place(index), Value::Array(items)) => items.get_mut(*index),
        _ => None,
    };
    let Some(inner) = inner else { return false };
    if remove(inner, rest) {
        return true;
    }
    match (first, value) {
        (Step::Key(key), Value::Object(members)) => members.remove(key).is_some(),
        (Step::Place(index), Value::Array(items)) => {
            items.remove(*index);
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Shelf {
        #[serde(default)]
        height: u32,
        #[serde(default)]
        books: Vec<Book>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Book {
        title: String,
        #[serde(default)]
        pages: u32,
    }

    #[test]
    fn what_is_not_understood_is_left_out_and_told_with_its_place() {
        let value = json!({
            "height": "tall",
            "colour": "red",
            "books": [{"title": "A", "pages": -1}, {"pages": 3}, {"title": "C", "isbn": {"x": 1}}],
        });
        let mut problems = Vec::new();
        let shelf: Shelf = read(value, "shelf", &mut problems).unwrap();
        let book = |title: &str| Book { title: title.into(), pages: 0 };
        assert_eq!(shelf, Shelf { height: 0, books: vec![book("A"), book("C")] });
        let mut paths: Vec<_> = problems.iter().map(|p| p.path.as_str()).collect();
        paths.sort_unstable();
        let expected =
            ["shelf.books[0].pages", "shelf.books[1]", "shelf.books[1].isbn", "shelf.colour", "shelf.height"];
        assert_eq!(paths, expected, "{problems:#?}");
    }

    #[test]
    fn what_lacks_its_beginning_is_nothing() {
        let mut problems = Vec::new();
        assert_eq!(read::<Book>(json!({"pages": 3}), "book", &mut problems), None);
        assert_eq!(problems[0].path, "book");
        assert!(problems[0].found.contains("title"));
        assert_eq!(read::<Book>(json!(7), "book", &mut problems), None);
    }

    #[test]
    fn countless_faults_end() {
        let fields = (0..1000).map(|n| (format!("f{n}"), json!(n))).collect();
        let mut problems = Vec::new();
        assert_eq!(read::<Shelf>(Value::Object(fields), "", &mut problems), None);
        assert_eq!(problems.len(), FAULTS_MAX);
    }
}
