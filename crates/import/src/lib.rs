//! The files users have, turned into parts of a Scenario with notes on what was made of each line.
//!
//! This crate knows foreign formats. It must never know the page, and it never fails as a whole: it returns what it
//! understood and a list of notes.

mod configuration;
mod import;
mod schema;
mod source;

pub use configuration::{ImportedEngine, read_configuration_file};
pub use import::{FileNote, Imported, import};
pub use schema::{ImportedTable, ROWS_ASSUMED, read_schema, write_schema};
pub use source::Source;

use serde::{Deserialize, Serialize};

/// What was made of a place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Line, from 1.
    pub line: usize,
    /// What became of it.
    pub kind: NoteKind,
    /// In words.
    pub text: String,
}

/// What became of a place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// It could not be understood.
    Problem,
    /// It says nothing that pages depend on.
    Ignored,
    /// Something was taken to be so.
    Assumed,
    /// The Scenario follows it.
    Used,
    /// It lies somewhere else, and has to be given.
    Asked,
}
