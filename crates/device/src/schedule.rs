//! Completions waiting for their time.

use std::{cmp::Reverse, collections::BinaryHeap};

/// A queue of (time, id), earliest first; equal times leave in the order they were put in.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    heap: BinaryHeap<Reverse<(u64, u64, u64)>>,
    next: u64,
}

impl Schedule {
    pub(crate) fn push(&mut self, at: u64, id: u64) {
        self.heap.push(Reverse((at, self.next, id)));
        self.next += 1;
    }

    pub(crate) fn first(&self) -> Option<u64> {
        self.heap.peek().map(|Reverse((at, ..))| *at)
    }

    /// Removes the earliest entry if it is due at `now`.
    pub(crate) fn pop_due(&mut self, now: u64) -> Option<u64> {
        if self.first()? > now {
            return None;
        }
        self.heap.pop().map(|Reverse((.., id))| id)
    }
}
