//! InnoDB's purge: what transactions have deleted is taken out of the trees once nobody can see it any more.

use crate::{
    host::{Host, WaitQueue},
    innodb::Innodb,
    parameters::{BadValue, Parameters},
    profile::Profile,
};
use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
};

/// Something to be taken out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Garbage {
    /// An old entry of a secondary index, left by an update.
    Entry {
        /// The table.
        table: usize,
        /// The index.
        index: usize,
        /// The row.
        row: u64,
    },
    /// A deleted row with its entries. Where the row has been inserted again, only its old entries go.
    Row {
        /// The table.
        table: usize,
        /// The row.
        row: u64,
    },
}

/// Committed transactions whose garbage waits.
#[derive(Debug)]
pub(crate) struct Purge {
    garbage: RefCell<VecDeque<Garbage>>,
    transactions: Cell<u64>,
    asleep: WaitQueue,
    batch: usize,
}

/// The coordinator looks for work at most this often: `purge_coordinator_timer` of `srv0srv.cc`, 10 ms.
const PAUSE_NS: u64 = 10_000_000;
/// Page requests of a batch: undo log headers and pages are looked up, the rollback segment's list is cut off
/// (`trx_purge_fetch_next_rec`, `trx_purge_truncate_history`). Measured on an otherwise idle 10.11 at 9 to 10.
const BATCH_REQUESTS: u32 = 9;
/// Log of a batch: the list of committed logs is cut off, undo pages become free. Measured at 150 bytes.
const LOG_BATCH_BYTES: u64 = 150;
/// A batch is counted in undo pages of 16 KiB; records in them take several hundred bytes.
const RECORDS_PER_UNDO_PAGE: usize = 16;
/// Log of an entry taken out.
const LOG_REMOVE_BYTES: f64 = 40.0;

impl Purge {
    /// Purge threads, if the version has them.
    pub(crate) fn new(profile: &Profile, parameters: &Parameters) -> Result<Option<Self>, BadValue> {
        if profile.parameter("innodb_purge_batch_size").is_none() {
            return Ok(None);
        }
        Ok(Some(Self {
            garbage: RefCell::default(),
            transactions: Cell::new(0),
            asleep: WaitQueue::default(),
            batch: profile.value(parameters, "innodb_purge_batch_size")? as usize * RECORDS_PER_UNDO_PAGE,
        }))
    }

    pub(crate) fn add(&self, garbage: Garbage) {
        self.garbage.borrow_mut().push_back(garbage);
    }

    /// A transaction that has written is over.
    pub(crate) fn committed<H: Host>(&self, host: &H) {
        self.transactions.set(self.transactions.get() + 1);
        self.asleep.wake_one(host);
    }
}

impl<H: Host> Innodb<H> {
    /// The purge coordinator: batch after batch while there is something to do.
    pub(crate) async fn purge_thread(&self) {
        let Some(purge) = &self.purge else { return };
        loop {
            if purge.transactions.get() == 0 && purge.garbage.borrow().is_empty() {
                purge.asleep.wait(&self.host).await;
            }
            purge.transactions.set(0);
            self.count_again(BATCH_REQUESTS);
            self.log.append(LOG_BATCH_BYTES);
            for _ in 0..purge.batch {
                let next = purge.garbage.borrow_mut().pop_front();
                let Some(garbage) = next else { break };
                self.take_out(garbage).await;
            }
            self.host.sleep(PAUSE_NS).await;
        }
    }

    async fn take_out(&self, garbage: Garbage) {
        match garbage {
            Garbage::Entry { table, index, row } => self.take_out_entry(table, index, row).await,
            Garbage::Row { table, row } => {
                let entries = self.tables.borrow()[table].indexes.len();
                for index in 1..entries {
                    self.take_out_entry(table, index, row).await;
                }
                self.leaf(table, 0, row).await;
            }
        }
    }

    /// Whether an entry may go is looked up in its row (`row_purge_poss_sec`); then it goes.
    async fn take_out_entry(&self, table: usize, index: usize, row: u64) {
        self.leaf(table, 0, row).await;
        let leaf = self.leaf(table, index, row).await;
        self.change(leaf, LOG_REMOVE_BYTES).await;
        let mut tables = self.tables.borrow_mut();
        let key = tables[table].key_of(index, row);
        tables[table].indexes[index].tree.remove(key);
    }
}
