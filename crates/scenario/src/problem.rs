//! What is wrong, where, and what was expected.

use serde::{Deserialize, Serialize};

/// Something in a Scenario that cannot be understood or run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Dotted path in the Scenario, such as `storage.device.count`; empty for the text as a whole.
    pub path: String,
    /// Line in the file, from 1, where there is a file.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<usize>,
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: String,
}

impl Problem {
    /// A problem at `path`.
    pub fn new(path: impl Into<String>, found: impl ToString, expected: impl Into<String>) -> Self {
        Self { path: path.into(), line: None, found: found.to_string(), expected: expected.into() }
    }

    /// The same problem seen from outside: `prefix.path`.
    #[must_use]
    pub fn within(mut self, prefix: &str) -> Self {
        self.path = format!("{prefix}.{}", self.path);
        self
    }

    /// A problem at `path` in the words of a deserializer. "unknown field `x`, expected one of …" and "invalid type: …,
    /// expected …" already say both halves.
    pub(crate) fn of_message(path: impl Into<String>, message: &str) -> Self {
        let message = message.trim().replace('\n', "; ");
        let (found, expected) = message.split_once(", expected ").unwrap_or((&message, ""));
        Self::new(path, found, expected)
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.path.is_empty() && self.path != "." {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "found {}", self.found)?;
        if !self.expected.is_empty() {
            write!(f, ", expected {}", self.expected)?;
        }
        Ok(())
    }
}
