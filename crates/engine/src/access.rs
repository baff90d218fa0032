//! What a query's plan asks of tables and indexes: entries and rows, in the order in which it does.
//!
//! Which entries and rows those are does not depend on the engine or on time; which pages it takes does.

/// Where an operator of a plan reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The table.
    pub table: usize,
    /// The index, by its number in the table; the first one is the primary key.
    pub index: usize,
    /// The whole table is read in the order in which it is stored, whatever its indexes.
    pub whole: bool,
    /// At most one entry has the key that is looked up.
    pub unique: bool,
}

impl Cursor {
    /// Where an operator works beside tables: its temporary file.
    pub const ASIDE: Self = Self { table: 0, index: 0, whole: false, unique: false };
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// Entries that follow those before, or the first ones of all.
    On,
    /// Entries from a key on, which has to be found from the root.
    From,
    /// The row that an entry points at.
    Row,
    /// Blocks of 8 KiB behind those that the operator has written to its temporary file.
    TempWrite,
    /// Blocks of that file behind those that it has read.
    TempRead,
}

/// One step of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// The number of the cursor.
    pub cursor: u16,
    /// What is asked for.
    pub asked: Asked,
    /// The first entry, counted from 0 in the order of the index; or the row, in the order of the table.
    pub first: u32,
    /// Entries looked at; blocks of a temporary file.
    pub count: u32,
    /// Rows that were worked on since the step before.
    pub work: u32,
}

/// Everything that a query asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Accesses {
    /// Where its operators read.
    pub cursors: Vec<Cursor>,
    /// Step by step.
    pub steps: Vec<Access>,
    /// Rows that were worked on after the last step.
    pub work_left: u64,
}
