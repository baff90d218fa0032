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
    /// Bytes of rows go to other processes of the query.
    Send,
    /// Rows come from another process, which has to have sent its bytes up to the first one here; with no bytes of their own, it has
    /// to be done.
    Receive,
    /// A subquery is carried out on all nodes for one row; or, where `first` is not 0, it came from another node.
    Call,
}

/// One step of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// The number of the cursor.
    pub cursor: u16,
    /// What is asked for.
    pub asked: Asked,
    /// The first entry, counted from 0 in the order of the index; or the row, in the order of the table; or bytes.
    pub first: u32,
    /// Entries looked at; blocks of a temporary file; bytes that cross the network.
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
    /// Of a cluster, what the query's processes on the node at hand do beside: those steps are of the one at the coordinator.
    pub processes: Vec<Process>,
    /// How rows come from one process to another.
    pub exchanges: Vec<Exchange>,
}

/// One of the processes of a query on a node of a cluster.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Process {
    /// Step by step.
    pub steps: Vec<Access>,
    /// Rows that were worked on after the last step.
    pub work_left: u64,
    /// It begins when this one does; else when somebody wants its rows. 0 is the one at the coordinator, n that of number
    /// n - 1 here.
    pub begins_with: Option<usize>,
}

/// A stream of rows from a process on each node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// The cursor of its operator.
    pub cursor: u16,
    /// The number of the process that sends, from 1.
    pub from: usize,
    /// All come to the coordinator; else each node takes its part.
    pub to_coordinator: bool,
    /// Bytes that the process on the node at hand sends.
    pub sent: u64,
    /// Bytes that the one who takes them here gets from all nodes together.
    pub taken: u64,
}
