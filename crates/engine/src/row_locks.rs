//! Row locks: held until the end of a transaction, handed over first come first served.

use crate::host::{Cause, Host, TaskId, charged, suspend};
use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
};

/// A row: its table and its number.
pub type Row = (usize, u64);

/// Locked rows, each with those who wait for it.
#[derive(Debug, Default)]
pub struct RowLocks(RefCell<BTreeMap<Row, VecDeque<TaskId>>>);

impl RowLocks {
    /// Locks a row exclusively; `true` where another transaction had to be waited for. The caller has to know which
    /// rows it holds: locking one of them again would wait for ever.
    pub async fn lock<H: Host>(&self, host: &H, row: Row) -> bool {
        {
            let mut locked = self.0.borrow_mut();
            let Some(waiting) = locked.get_mut(&row) else {
                locked.insert(row, VecDeque::new());
                return false;
            };
            waiting.push_back(host.task());
        }
        // Whoever unlocks hands the row over, so that nobody overtakes.
        charged(host, Cause::Lock, suspend()).await;
        true
    }

    /// Unlocks rows and empties the list.
    pub fn unlock<H: Host>(&self, host: &H, rows: &mut Vec<Row>) {
        let mut locked = self.0.borrow_mut();
        for row in rows.drain(..) {
            match locked.get_mut(&row).map(VecDeque::pop_front) {
                Some(Some(next)) => host.wake(next),
                _ => {
                    locked.remove(&row);
                }
            }
        }
    }
}
