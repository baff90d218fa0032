//! Row locks: held until the end of a transaction, handed over first come first served.

use crate::host::{Cause, Host, TaskId, charged, suspend};
use std::{
    cell::RefCell,
    collections::{BTreeMap, VecDeque},
};

/// A row: its table and its number.
pub type Row = (usize, u64);

/// A locked row.
#[derive(Debug)]
struct Locked {
    by: TaskId,
    waiting: VecDeque<TaskId>,
}

#[derive(Debug, Default)]
struct State {
    rows: BTreeMap<Row, Locked>,
    /// Which row each waiting task waits for.
    wanted: BTreeMap<TaskId, Row>,
}

impl State {
    /// Whether the holder of `row` waits, perhaps over others, for a row that `task` holds.
    fn closes_a_circle(&self, task: TaskId, row: Row) -> bool {
        let mut row = row;
        // Each task waits for one row at most, so the chain has an end or comes back to the task.
        for _ in 0..=self.wanted.len() {
            let Some(holder) = self.rows.get(&row).map(|locked| locked.by) else { return false };
            if holder == task {
                return true;
            }
            let Some(next) = self.wanted.get(&holder) else { return false };
            row = *next;
        }
        true
    }
}

/// How a lock was come by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obtained {
    /// Nobody held it.
    AtOnce,
    /// Another transaction had to be waited for.
    Waited,
    /// Not at all: whoever holds it waits for this transaction.
    Deadlock,
}

/// Locked rows, each with those who wait for it.
#[derive(Debug, Default)]
pub struct RowLocks(RefCell<State>);

impl RowLocks {
    /// Locks a row exclusively. The caller has to know which rows it holds: locking one of them again is a deadlock.
    pub async fn lock<H: Host>(&self, host: &H, row: Row) -> Obtained {
        {
            let mut state = self.0.borrow_mut();
            let task = host.task();
            let Some(locked) = state.rows.get_mut(&row) else {
                state.rows.insert(row, Locked { by: task, waiting: VecDeque::new() });
                return Obtained::AtOnce;
            };
            locked.waiting.push_back(task);
            if state.closes_a_circle(task, row) {
                if let Some(locked) = state.rows.get_mut(&row) {
                    locked.waiting.pop_back();
                }
                return Obtained::Deadlock;
            }
            state.wanted.insert(task, row);
        }
        // Whoever unlocks hands the row over, so that nobody overtakes.
        charged(host, Cause::Lock, suspend()).await;
        Obtained::Waited
    }

    /// Unlocks rows and empties the list.
    pub fn unlock<H: Host>(&self, host: &H, rows: &mut Vec<Row>) {
        let mut state = self.0.borrow_mut();
        for row in rows.drain(..) {
            let Some(locked) = state.rows.get_mut(&row) else { continue };
            match locked.waiting.pop_front() {
                Some(next) => {
                    locked.by = next;
                    state.wanted.remove(&next);
                    host.wake(next);
                }
                None => {
                    state.rows.remove(&row);
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
        assert_eq!(lock(1, &locks), Poll::Ready(Obtained::AtOnce));
        assert_eq!(lock(2, &locks), Poll::Pending);
        assert_eq!(lock(3, &locks), Poll::Pending);
        for next in [2, 3] {
            locks.unlock(&host, &mut vec![row]);
            assert_eq!(host.woken.borrow().last(), Some(&next));
        }
        locks.unlock(&host, &mut vec![row]);
        assert_eq!(lock(4, &locks), Poll::Ready(Obtained::AtOnce), "nobody holds it any more");
    }

    #[test]
    fn who_would_close_a_circle_is_told() {
        let (host, locks) = (Still::default(), RowLocks::default());
        let mut context = Context::from_waker(Waker::noop());
        let mut lock = |task: u32, row: u64| {
            host.task.set(task);
            let mut future = pin!(locks.lock(&host, (0, row)));
            future.as_mut().poll(&mut context)
        };
        for (task, row) in [(1, 1), (2, 2), (3, 3)] {
            assert_eq!(lock(task, row), Poll::Ready(Obtained::AtOnce));
        }
        assert_eq!(lock(1, 2), Poll::Pending);
        assert_eq!(lock(2, 3), Poll::Pending);
        assert_eq!(lock(3, 1), Poll::Ready(Obtained::Deadlock));
        // It gives up what it has, and the others go on.
        locks.unlock(&host, &mut vec![(0, 3)]);
        assert_eq!(*host.woken.borrow(), [2]);
        assert_eq!(lock(3, 1), Poll::Pending);
    }
}
