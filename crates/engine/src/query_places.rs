//! Where the operators of a query are while its plan is carried out: leaves, heap pages, scans; and processor time that
//! has still to pass.

use crate::{pages::PageId, sequential_scan::SequentialScan, tree::EntrySpan};
use std::cell::{Cell, RefCell};

/// Processor time after which a query lets the clock move, in nanoseconds: a hit takes a function call in between.
pub(crate) const WORK_SLICE_NS: u64 = 50_000;

/// Where the operators of a query are.
#[derive(Debug)]
pub struct QueryPlaces {
    pub(crate) leaves: RefCell<Vec<Option<EntrySpan>>>,
    /// The heap page that each cursor has pinned, where rows lie apart.
    pub(crate) heap_pages: RefCell<Vec<Option<PageId>>>,
    /// Scans of heaps, each with its ring.
    pub(crate) scans: RefCell<Vec<Option<SequentialScan>>>,
    pub(crate) work_ns: Cell<u64>,
    /// The cursor of the operator at work.
    pub(crate) at_work: Cell<u16>,
    uses: RefCell<Vec<CursorUse>>,
}

/// What an operator has asked of the pool so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CursorUse {
    /// Pages.
    pub requests: u64,
    /// Pages that were not there.
    pub reads: u64,
    /// Time that passed while it was at work, in nanoseconds.
    pub ns: u64,
}

impl QueryPlaces {
    /// None of `cursors` operators has begun.
    pub fn new(cursors: usize) -> Self {
        Self {
            leaves: RefCell::new(vec![None; cursors]),
            heap_pages: RefCell::new(vec![None; cursors]),
            scans: RefCell::new((0..cursors).map(|_| None).collect()),
            work_ns: Cell::new(0),
            at_work: Cell::new(0),
            uses: RefCell::new(vec![CursorUse::default(); cursors]),
        }
    }

    /// What each operator has asked of the pool.
    pub fn uses(&self) -> Vec<CursorUse> {
        self.uses.borrow().clone()
    }

    /// Counts for the operator at work.
    pub(crate) fn count(&self, count: impl FnOnce(&mut CursorUse)) {
        if let Some(used) = self.uses.borrow_mut().get_mut(usize::from(self.at_work.get())) {
            count(used);
        }
    }

    /// Counts a page that the operator at work has asked for.
    pub(crate) fn count_page(&self, absent: bool) {
        self.count(|used| {
            used.requests += 1;
            used.reads += u64::from(absent);
        });
    }

    /// Notes processor time.
    pub(crate) fn add_work(&self, work_ns: u64) {
        self.work_ns.set(self.work_ns.get() + work_ns);
    }
}
