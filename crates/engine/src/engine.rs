//! Any engine behind one face.

use crate::{
    cubrid::Cubrid,
    database::{AccessMix, TableSpec},
    host::Host,
    innodb::Innodb,
    layout::StorageFormat,
    parameters::{BadValue, Parameters},
    profile::Profile,
};
use std::{future::Future, pin::Pin, rc::Rc};

/// A file an engine needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileNeed {
    /// Bytes to set aside.
    pub bytes: u64,
    /// Opened around the host's page cache.
    pub direct: bool,
    /// The log; it may be given a device of its own.
    pub is_log: bool,
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
    /// Bytes of log.
    pub log_bytes: u64,
    /// Syncs of the log.
    pub log_syncs: u64,
    /// Syncs of data files.
    pub data_syncs: u64,
    /// Dirty pages now.
    pub dirty_pages: u64,
    /// Frames of the pool.
    pub frames: u64,
    /// Log since the oldest change that is not on the device, in bytes.
    pub checkpoint_age: u64,
}

/// A running engine.
#[derive(Debug)]
pub enum Engine<H> {
    /// InnoDB.
    Innodb(Rc<Innodb<H>>),
    /// CUBRID.
    Cubrid(Rc<Cubrid<H>>),
}

impl<H> Clone for Engine<H> {
    fn clone(&self) -> Self {
        match self {
            Self::Innodb(engine) => Self::Innodb(Rc::clone(engine)),
            Self::Cubrid(engine) => Self::Cubrid(Rc::clone(engine)),
        }
    }
}

/// A flow of control of the engine's own.
pub type Background = Pin<Box<dyn Future<Output = ()>>>;

impl<H: Host + 'static> Engine<H> {
    /// Starts an engine over freshly loaded tables.
    pub fn start(
        host: H,
        profile: &Profile,
        parameters: &Parameters,
        tables: &[TableSpec],
        seed: u64,
    ) -> Result<Self, BadValue> {
        Ok(match profile.format {
            StorageFormat::Innodb => {
                Self::Innodb(Rc::new(Innodb::new(host, profile, parameters, tables, seed)?))
            }
            StorageFormat::Cubrid => {
                Self::Cubrid(Rc::new(Cubrid::new(host, profile, parameters, tables, seed)?))
            }
        })
    }

    /// Files the engine needs, in the order of their numbers.
    pub fn files(&self) -> Vec<FileNeed> {
        match self {
            Self::Innodb(engine) => engine.files().to_vec(),
            Self::Cubrid(engine) => engine.files().to_vec(),
        }
    }

    /// Fills the pool as a long run of `mix` would have left it.
    pub fn warm(&self, mix: AccessMix) {
        match self {
            Self::Innodb(engine) => engine.warm(mix),
            Self::Cubrid(engine) => engine.warm(mix),
        }
    }

    /// The engine's own threads.
    pub fn background(&self) -> Vec<Background> {
        match self {
            Self::Innodb(engine) => {
                let master = Rc::clone(engine);
                vec![Box::pin(async move { master.master_thread().await })]
            }
            Self::Cubrid(engine) => {
                let [flush, log, overflow, checkpoint] = [(); 4].map(|()| Rc::clone(engine));
                vec![
                    Box::pin(async move { flush.flush_thread().await }),
                    Box::pin(async move { log.log_thread().await }),
                    Box::pin(async move { overflow.log_overflow_thread().await }),
                    Box::pin(async move { checkpoint.checkpoint_thread().await }),
                ]
            }
        }
    }

    /// Looks up one row by an index.
    pub async fn select(&self, table: usize, index: usize, row: u64) {
        match self {
            Self::Innodb(engine) => engine.select(table, index, row).await,
            Self::Cubrid(engine) => engine.select(table, index, row).await,
        }
    }

    /// Inserts one row with a random key and commits.
    pub async fn insert(&self, table: usize) {
        match self {
            Self::Innodb(engine) => engine.insert(table).await,
            Self::Cubrid(engine) => engine.insert(table).await,
        }
    }

    /// Rows of a table.
    pub fn rows(&self, table: usize) -> u64 {
        match self {
            Self::Innodb(engine) => engine.rows(table),
            Self::Cubrid(engine) => engine.rows(table),
        }
    }

    /// Counters since the start.
    pub fn counters(&self) -> Counters {
        match self {
            Self::Innodb(engine) => engine.counters(),
            Self::Cubrid(engine) => engine.counters(),
        }
    }
}
