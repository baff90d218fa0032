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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::{FileRequest, Ticket};
    use std::{
        cell::Cell,
        future::Future,
        pin::pin,
        task::{Context, Poll, Waker},
    };

    /// A world without time that remembers who was woken.
    #[derive(Default)]
    struct Still {
        task: Cell<u32>,
        woken: RefCell<Vec<u32>>,
    }

    impl Host for Still {
        fn now(&self) -> u64 {
            0
        }
        fn task(&self) -> TaskId {
            TaskId(self.task.get())
        }
        fn wake(&self, task: TaskId) {
            self.woken.borrow_mut().push(task.0);
        }
        fn charge(&self, _cause: Cause, _ns: u64) {}
        fn booked(&self) -> u64 {
            0
        }
        async fn cpu(&self, _ns: u64) {}
        fn submit(&self, _request: FileRequest) -> Ticket {
            Ticket(0)
        }
        async fn done(&self, _ticket: Ticket) {}
        fn processors(&self) -> u32 {
            1
        }
        async fn sleep(&self, _ns: u64) {}
    }

    #[test]
    fn a_row_is_handed_over_in_the_order_of_arrival() {
        let (host, locks) = (Still::default(), RowLocks::default());
        let row = (0, 7);
        let mut context = Context::from_waker(Waker::noop());
        let mut lock = |task: u32, locks: &RowLocks| {
            host.task.set(task);
            let mut future = pin!(locks.lock(&host, row));
            future.as_mut().poll(&mut context)
        };
        assert_eq!(lock(1, &locks), Poll::Ready(false));
        assert_eq!(lock(2, &locks), Poll::Pending);
        assert_eq!(lock(3, &locks), Poll::Pending);
        for next in [2, 3] {
            locks.unlock(&host, &mut vec![row]);
            assert_eq!(host.woken.borrow().last(), Some(&next));
        }
        locks.unlock(&host, &mut vec![row]);
        assert_eq!(lock(4, &locks), Poll::Ready(false), "nobody holds it any more");
    }
}
