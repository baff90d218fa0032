//! Any engine behind one face.

use crate::{
    access::{Access, Cursor},
    cubrid::Cubrid,
    database::TableSpec,
    firebird::Firebird,
    heap_versions::HeapHistory,
    host::Host,
    innodb::Innodb,
    layout::StorageFormat,
    miniature::Miniature,
    parameters::{BadValue, Parameters},
    postgresql::Postgresql,
    profile::Profile,
    query_places::QueryPlaces,
    statement::{PageUse, Statement, Transaction},
};
use std::{future::Future, pin::Pin, rc::Rc};

/// How a file is written, as far as the file system's journal is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FileGrowth {
    /// Not said.
    #[default]
    Unknown,
    /// Writes make it longer.
    Grows,
    /// It has its length and keeps it.
    Keeps,
}

/// A file an engine needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileNeed {
    /// Bytes to set aside.
    pub bytes: u64,
    /// Opened around the host's page cache.
    pub direct: bool,
    /// Opened for write-through: the page cache serves reads, and a write goes through it to the device.
    pub write_through: bool,
    /// The log; it may be given a device of its own.
    pub is_log: bool,
    /// How it is written, as far as a sync's cost depends on it.
    pub growth: FileGrowth,
}

/// Counters since the start of an engine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Pages asked of the pool.
    pub page_requests: u64,
    /// Requests that did not find their page.
    pub page_misses: u64,
    /// Pages read.
    pub page_reads: u64,
    /// Pages written, second copies not counted.
    pub pages_written: u64,
    /// Pages marked as changed, each time they are; 0 for engines that do not count them.
    pub page_marks: u64,
    /// Bytes of log.
    pub log_bytes: u64,
    /// Syncs of the log.
    pub log_syncs: u64,
    /// Writes of the log.
    pub log_writes: u64,
    /// Syncs of data files.
    pub data_syncs: u64,
    /// Dirty pages now.
    pub dirty_pages: u64,
    /// Frames of the pool.
    pub frames: u64,
    /// Log since the oldest change that is not on the device, in bytes.
    pub checkpoint_age: u64,
    /// Pages that tables and indexes have taken.
    pub allocated_pages: u64,
}

/// A flow of control of the engine's own.
pub type Background = Pin<Box<dyn Future<Output = ()>>>;

/// How the pool comes to what it holds when a run begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Warming {
    /// It was full of pages of other tables before, and not of the tables' own.
    pub foreign: bool,
    /// Transactions that have passed since; as many as it takes for a steady state where nothing is said.
    pub transactions: Option<u64>,
}

/// Where a run begins.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StartState {
    /// Pages in the pool that differ from the device.
    pub dirty_pages: u64,
    /// Log since the oldest of their changes, in bytes.
    pub checkpoint_age: u64,
    /// Log that was written each second before, in bytes; engines that flush by averages remember it.
    pub log_rate: u64,
    /// What heap pages have been through, for engines that keep old versions there.
    pub heap: HeapHistory,
}

/// A running engine.
#[derive(Debug)]
pub enum Engine<H> {
    /// InnoDB.
    Innodb(Rc<Innodb<H>>),
    /// CUBRID.
    Cubrid(Rc<Cubrid<H>>),
    /// PostgreSQL.
    Postgresql(Rc<Postgresql<H>>),
    /// Firebird.
    Firebird(Rc<Firebird<H>>),
}

/// Hands a call on to the engine at hand.
macro_rules! each {
    ($self:ident, $engine:ident => $call:expr) => {
        match $self {
            Engine::Innodb($engine) => $call,
            Engine::Cubrid($engine) => $call,
            Engine::Postgresql($engine) => $call,
            Engine::Firebird($engine) => $call,
        }
    };
}

impl<H> Clone for Engine<H> {
    fn clone(&self) -> Self {
        match self {
            Self::Innodb(engine) => Self::Innodb(Rc::clone(engine)),
            Self::Cubrid(engine) => Self::Cubrid(Rc::clone(engine)),
            Self::Postgresql(engine) => Self::Postgresql(Rc::clone(engine)),
            Self::Firebird(engine) => Self::Firebird(Rc::clone(engine)),
        }
    }
}

/// The pages that the statements handed out use, one transaction at a time.
fn page_uses(
    statements: &mut dyn FnMut(&mut Vec<Statement>),
    of: impl Fn(&Statement, &mut Vec<PageUse>),
) -> impl FnMut(&mut Vec<PageUse>) {
    let mut drawn = Vec::new();
    move |uses| {
        drawn.clear();
        statements(&mut drawn);
        drawn.iter().for_each(|statement| of(statement, uses));
    }
}

impl<H: Host + 'static> Engine<H> {
    /// Starts an engine over freshly loaded tables, or over a sample of them: the tables say which part of theirs is there.
    pub fn start(
        host: H,
        profile: &Profile,
        parameters: &Parameters,
        tables: &[TableSpec],
        sample: Miniature,
        seed: u64,
    ) -> Result<Self, BadValue> {
        Ok(match profile.format {
            StorageFormat::Innodb => {
                Self::Innodb(Rc::new(Innodb::new(host, profile, parameters, tables, sample, seed)?))
            }
            StorageFormat::Cubrid | StorageFormat::CubridVersions => {
                Self::Cubrid(Rc::new(Cubrid::new(host, profile, parameters, tables, sample, seed)?))
            }
            StorageFormat::Postgresql | StorageFormat::Postgresql12 => {
                Self::Postgresql(Rc::new(Postgresql::new(host, profile, parameters, tables, sample, seed)?))
            }
            StorageFormat::Firebird | StorageFormat::Firebird11 => {
                Self::Firebird(Rc::new(Firebird::new(host, profile, parameters, tables, sample, seed)?))
            }
        })
    }

    /// Files the engine needs, in the order of their numbers.
    pub fn files(&self) -> Vec<FileNeed> {
        each!(self, engine => engine.files().to_vec())
    }

    /// Files that queries need behind those.
    pub fn query_files(&self) -> Vec<FileNeed> {
        match self {
            Self::Postgresql(engine) => engine.query_files(),
            _ => Vec::new(),
        }
    }

    /// Fills the pool as the load leaves it. `statements` hands out the load's statements, one transaction at a time.
    pub fn warm(&self, warming: Warming, statements: &mut dyn FnMut(&mut Vec<Statement>)) {
        each!(self, engine => engine.warm(warming, &mut page_uses(statements, |one, uses| engine.uses(one, uses))));
    }

    /// Changes pages as the load would, until the pool is in the state wanted.
    pub fn set_state(&self, state: StartState, statements: &mut dyn FnMut(&mut Vec<Statement>)) {
        each!(self, engine => engine.set_state(state, &mut page_uses(statements, |one, uses| engine.uses(one, uses))));
    }

    /// The engine's own threads.
    pub fn background(&self) -> Vec<Background> {
        each!(self, engine => Rc::clone(engine).background())
    }

    /// Begins a transaction.
    pub async fn begin(&self, transaction: &mut Transaction) {
        each!(self, engine => engine.begin(transaction).await);
    }

    /// Carries out a statement.
    pub async fn execute(&self, transaction: &mut Transaction, statement: Statement) {
        each!(self, engine => engine.execute(transaction, statement).await);
    }

    /// Carries out one step of a query. Engines that know no plans yet do nothing.
    pub async fn access(&self, places: &QueryPlaces, cursor: &Cursor, access: &Access) {
        match self {
            Self::Innodb(engine) => engine.access(places, cursor, access).await,
            Self::Postgresql(engine) => engine.access(places, cursor, access).await,
            _ => {}
        }
    }

    /// Carries out a step of a query that is no server's: `step` comes behind the work on the rows before it.
    pub async fn beside(&self, places: &QueryPlaces, access: &Access, step: impl Future<Output = ()>) {
        match self {
            Self::Innodb(engine) => places.carry_out(&engine.host, &engine.costs, access, step).await,
            Self::Postgresql(engine) => places.carry_out(&engine.host, &engine.costs, access, step).await,
            _ => step.await,
        }
    }

    /// Processor time of a query that has gathered passes.
    pub async fn work_off(&self, places: &QueryPlaces) {
        match self {
            Self::Innodb(engine) => places.work_off(&engine.host).await,
            Self::Postgresql(engine) => places.work_off(&engine.host).await,
            _ => {}
        }
    }

    /// A query is over but for work on `rows` rows: that passes, and what is left of its processor time.
    pub async fn end_query(&self, places: &QueryPlaces, rows: u64) {
        match self {
            Self::Innodb(engine) => places.end(&engine.host, &engine.costs, rows).await,
            Self::Postgresql(engine) => places.end(&engine.host, &engine.costs, rows).await,
            _ => {}
        }
    }

    /// Threads that queries need beside the engine's own.
    pub fn query_threads(&self) -> Vec<Background> {
        match self {
            Self::Innodb(engine) => {
                let threads = (0..engine.read_ahead_threads()).map(|_| {
                    let engine = Rc::clone(engine);
                    Box::pin(async move { engine.read_ahead_thread().await }) as Background
                });
                threads.collect()
            }
            _ => Vec::new(),
        }
    }

    /// Commits.
    pub async fn commit(&self, transaction: &mut Transaction) {
        each!(self, engine => engine.commit(transaction).await);
    }

    /// All clients are gone; others may come.
    pub fn end_clients(&self) {
        if let Self::Cubrid(engine) = self {
            engine.end_clients();
        }
    }

    /// Rows of a table.
    pub fn rows(&self, table: usize) -> u64 {
        each!(self, engine => engine.rows(table))
    }

    /// Counters since the start.
    pub fn counters(&self) -> Counters {
        each!(self, engine => engine.counters())
    }
}
