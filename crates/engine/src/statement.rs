//! What a client can ask of an engine, and what a transaction has to remember until it ends.

use crate::pages::PageId;

/// The key of a new row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewKey {
    /// Anywhere among the keys there are.
    Random,
    /// The key of this row, which was deleted before: the table does not grow.
    Same(u64),
    /// Just behind the key of this row.
    After(u64),
}

/// One statement. Tables, indexes and rows go by their numbers; rows by the order in which they were loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statement {
    /// Look up one row by an index.
    Select {
        /// The table.
        table: usize,
        /// The index, by its number in the table.
        index: usize,
        /// The row.
        row: u64,
    },
    /// Read `rows` rows that follow each other in an index.
    Range {
        /// The table.
        table: usize,
        /// The index, by its number in the table.
        index: usize,
        /// The first row.
        row: u64,
        /// How many.
        rows: u32,
    },
    /// Look up a row by the primary key and change it.
    Update {
        /// The table.
        table: usize,
        /// The row.
        row: u64,
        /// The secondary index whose key changes, a little; none where no indexed column is touched.
        index: Option<usize>,
        /// Bytes of the columns that change.
        bytes: u32,
    },
    /// Look up `rows` rows that follow each other in the primary key and change a column of each that no index has.
    UpdateRange {
        /// The table.
        table: usize,
        /// The first row.
        row: u64,
        /// How many.
        rows: u32,
        /// Bytes of the columns that change.
        bytes: u32,
    },
    /// Insert a row.
    Insert {
        /// The table.
        table: usize,
        /// Its key.
        key: NewKey,
    },
    /// Look up a row by the primary key and delete it.
    Delete {
        /// The table.
        table: usize,
        /// The row.
        row: u64,
    },
    /// Read a whole table in the order in which it is stored.
    Scan {
        /// The table.
        table: usize,
    },
    /// Put rows behind those there are into a table without indexes, as a loader does that hands over many at a time.
    Append {
        /// The table.
        table: usize,
        /// How many.
        rows: u32,
    },
    /// Make the indexes of a table whose rows were put in without: read it, sort the keys, write the trees.
    MakeIndexes {
        /// The table.
        table: usize,
    },
}

impl Statement {
    /// Whether it changes anything.
    pub fn writes(&self) -> bool {
        matches!(
            self,
            Self::Update { .. }
                | Self::UpdateRange { .. }
                | Self::Insert { .. }
                | Self::Delete { .. }
                | Self::Append { .. }
                | Self::MakeIndexes { .. }
        )
    }

    /// The table it is about.
    pub fn table(&self) -> usize {
        match *self {
            Self::Select { table, .. }
            | Self::Range { table, .. }
            | Self::Update { table, .. }
            | Self::UpdateRange { table, .. }
            | Self::Insert { table, .. }
            | Self::Delete { table, .. }
            | Self::Scan { table }
            | Self::Append { table, .. }
            | Self::MakeIndexes { table } => table,
        }
    }
}

/// A transaction under way.
#[derive(Debug, Clone, Default)]
pub struct Transaction {
    /// Declared to change nothing.
    pub read_only: bool,
    /// The client's number, from 0.
    pub client: u32,
    /// Its number among the transactions that write; 0 until it does.
    pub number: u64,
    /// Statements it has carried out.
    pub statements: u32,
    /// Log sequence number behind its last record; 0 while it has written none.
    pub log_end: u64,
    /// Bytes of the rows it has changed.
    pub changed_bytes: u64,
    /// Pages it has changed, in the order of their first change.
    pub changed: Vec<PageId>,
    /// Rows it has locked: table and row.
    pub locked: Vec<(usize, u64)>,
}

/// A page that a statement uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageUse {
    /// The page.
    pub page: PageId,
    /// Whether the statement changes it.
    pub changes: bool,
}

impl PageUse {
    /// A page that is only read.
    pub fn read(page: PageId) -> Self {
        Self { page, changes: false }
    }

    /// A page that is changed.
    pub fn change(page: PageId) -> Self {
        Self { page, changes: true }
    }
}
