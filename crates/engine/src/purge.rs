//! InnoDB's purge: what transactions have deleted is taken out of the trees once nobody can see it any more.

use crate::{
    host::{Host, WaitQueue},
    innodb::Innodb,
    miniature::Miniature,
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
    /// An old entry of a secondary index, left by an update or a delete.
    Entry {
        /// The table.
        table: usize,
        /// The index.
        index: usize,
        /// The row it belonged to.
        row: u64,
        /// Its key.
        key: u64,
    },
    /// A transaction's undo log: nothing but its place in the history.
    Log,
    /// A row that was changed in place: its transaction id is reset (`row_purge_reset_trx_id`).
    Version {
        /// The table.
        table: usize,
        /// The row.
        row: u64,
    },
    /// A deleted row. Where its key has been inserted again, there is nothing left to do.
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
    /// With the time from which it may go.
    history: RefCell<VecDeque<(u64, Garbage)>>,
    transactions: Cell<u64>,
    asleep: WaitQueue,
    batch: usize,
    lag_ns: u64,
}

/// The coordinator looks for work at most this often: `purge_coordinator_timer` of `srv0srv.cc`, 10 ms.
pub const PAUSE_NS: u64 = 10_000_000;
/// Page requests of a batch: undo log headers and pages are looked up, the rollback segment's list is cut off
/// (`trx_purge_fetch_next_rec`, `trx_purge_truncate_history`). Measured on an otherwise idle 10.11 at 9 to 10.
pub const BATCH_REQUESTS: u32 = 9;
/// Page requests of a look that finds nothing to do yet, while the history is not empty.
pub const LOOK_REQUESTS: u32 = 1;
/// Log of a batch: the list of committed logs is cut off, undo pages become free. Measured at 150 bytes.
const LOG_BATCH_BYTES: u64 = 150;
/// A batch is counted in undo pages of 16 KiB; records in them take several hundred bytes.
const RECORDS_PER_UNDO_PAGE: usize = 16;
/// How far purge follows behind: measured reads of pools of 64 and 128 MB show that it finds its pages gone, those of
/// 512 MB that it does not.
pub const LAG_NS: u64 = 300_000_000;
/// Log of a transaction id reset.
const LOG_RESET_BYTES: f64 = 40.0;
/// Log of an entry taken out.
const LOG_REMOVE_BYTES: f64 = 200.0;

impl Purge {
    /// Purge threads, if the version has them.
    pub(crate) fn new(
        profile: &Profile,
        parameters: &Parameters,
        sample: Miniature,
    ) -> Result<Option<Self>, BadValue> {
        if profile.parameter("innodb_purge_batch_size").is_none() {
            return Ok(None);
        }
        Ok(Some(Self {
            history: RefCell::default(),
            transactions: Cell::new(0),
            asleep: WaitQueue::default(),
            lag_ns: sample.slow_ns(LAG_NS),
            batch: profile.value(parameters, "innodb_purge_batch_size")? as usize * RECORDS_PER_UNDO_PAGE,
        }))
    }

    pub(crate) fn add<H: Host>(&self, host: &H, garbage: Garbage) {
        self.history.borrow_mut().push_back((host.now() + self.lag_ns, garbage));
    }

    fn next(&self, now: u64) -> Option<Garbage> {
        self.history.borrow_mut().pop_front_if(|(from, _)| *from <= now).map(|(_, garbage)| garbage)
    }

    fn is_due(&self, now: u64) -> bool {
        self.history.borrow().front().is_some_and(|(from, garbage)| *from <= now && *garbage != Garbage::Log)
    }

    /// A transaction that has written is over.
    pub(crate) fn committed<H: Host>(&self, host: &H) {
        self.transactions.set(self.transactions.get() + 1);
        self.add(host, Garbage::Log);
        self.asleep.wake_one(host);
    }
}

impl<H: Host> Innodb<H> {
    /// The purge coordinator: batch after batch while there is something to do.
    pub(crate) async fn purge_thread(&self) {
        let Some(purge) = &self.purge else { return };
        loop {
            if purge.history.borrow().is_empty() {
                purge.asleep.wait(&self.host).await;
            }
            if purge.transactions.replace(0) > 0 || purge.is_due(self.host.now()) {
                self.count_again(BATCH_REQUESTS);
                self.log.append(LOG_BATCH_BYTES);
                for _ in 0..purge.batch {
                    let Some(garbage) = purge.next(self.host.now()) else { break };
                    self.take_out(garbage).await;
                }
            } else {
                self.count_again(LOOK_REQUESTS);
            }
            self.host.sleep(PAUSE_NS).await;
        }
    }

    async fn take_out(&self, garbage: Garbage) {
        match garbage {
            Garbage::Log => {}
            Garbage::Entry { table, index, row, key } => {
                // Whether it may go is looked up in its row (`row_purge_poss_sec`).
                self.leaf(table, 0, row).await;
                self.change_or_buffer(table, index, key, LOG_REMOVE_BYTES).await;
                self.tables.borrow_mut()[table].indexes[index].tree.remove(key);
            }
            Garbage::Version { table, row } => {
                let leaf = self.leaf(table, 0, row).await;
                self.change(leaf, LOG_RESET_BYTES).await;
            }
            Garbage::Row { table, row } => {
                self.leaf(table, 0, row).await;
            }
        }
    }
}
