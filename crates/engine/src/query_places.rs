//! Where the operators of a query are while its plan is carried out: leaves, heap pages, scans; and processor time that
//! has still to pass.

use crate::{
    access::Access,
    host::{Host, Ticket},
    pages::PageId,
    profile::ProcessorCosts,
    sequential_scan::SequentialScan,
    tree::EntrySpan,
};
use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
};

/// Processor time after which a query lets the clock move, in nanoseconds: a hit takes a function call in between.
const WORK_SLICE_NS: u64 = 50_000;

/// Where the operators of a query are.
#[derive(Debug)]
pub struct QueryPlaces {
    leaves: RefCell<Vec<Option<EntrySpan>>>,
    /// The heap page that each cursor has pinned, where rows lie apart.
    pub(crate) heap_pages: RefCell<Vec<Option<PageId>>>,
    /// Scans of heaps, each with its ring.
    pub(crate) scans: RefCell<Vec<Option<SequentialScan>>>,
    /// The system's read-ahead for each scan: the first heap page that it will have brought, and the read.
    pub(crate) ahead: RefCell<Vec<Option<(u32, Ticket)>>>,
    /// Where temporary files end, all of them in one.
    temp_end: Cell<u64>,
    /// Of each operator's temporary file, the pieces it has written and not read yet: their first bytes and blocks.
    temp: RefCell<Vec<VecDeque<(u64, u32)>>>,
    work_ns: Cell<u64>,
    /// The cursor of the operator at work.
    at_work: Cell<u16>,
    uses: RefCell<Vec<CursorUse>>,
}

/// What an operator has asked of the pool so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CursorUse {
    /// Pages.
    pub requests: u64,
    /// Pages that were not there.
    pub reads: u64,
    /// Blocks of temporary files, written and read.
    pub temp_blocks: u64,
    /// Bytes that it sent to other servers.
    pub network_bytes: u64,
    /// Time that passed while it was at work, in nanoseconds.
    pub ns: u64,
}

impl CursorUse {
    /// Adds what was asked at another time, or by another process.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.reads += other.reads;
        self.temp_blocks += other.temp_blocks;
        self.network_bytes += other.network_bytes;
        self.ns += other.ns;
    }
}

impl QueryPlaces {
    /// None of `cursors` operators has begun.
    pub fn new(cursors: usize) -> Self {
        Self {
            leaves: RefCell::new(vec![None; cursors]),
            heap_pages: RefCell::new(vec![None; cursors]),
            scans: RefCell::new((0..cursors).map(|_| None).collect()),
            ahead: RefCell::new((0..cursors).map(|_| None).collect()),
            temp_end: Cell::new(0),
            temp: RefCell::new(vec![VecDeque::new(); cursors]),
            work_ns: Cell::new(0),
            at_work: Cell::new(0),
            uses: RefCell::new(vec![CursorUse::default(); cursors]),
        }
    }

    /// What each operator has asked of the pool.
    pub fn uses(&self) -> Vec<CursorUse> {
        self.uses.borrow().clone()
    }

    /// Carries out one step of a query: `step` asks for its pages, behind the work on the rows before it. The time that passes
    /// is that of the step's operator.
    pub(crate) async fn carry_out<H: Host>(
        &self,
        host: &H,
        costs: &ProcessorCosts,
        access: &Access,
        step: impl Future<Output = ()>,
    ) {
        let since = host.now();
        self.at_work.set(access.cursor);
        self.add_work(costs.plan_row_ns * u64::from(access.work));
        step.await;
        if self.work_ns.get() >= WORK_SLICE_NS {
            self.work_off(host).await;
        }
        let passed = host.now() - since;
        self.count(|used| used.ns += passed);
    }

    /// Work on `rows` rows behind the last step, and what is left of the processor time, passes.
    pub(crate) async fn end<H: Host>(&self, host: &H, costs: &ProcessorCosts, rows: u64) {
        self.add_work(costs.plan_row_ns * rows);
        self.work_off(host).await;
    }

    /// The processor time that has gathered passes.
    pub(crate) async fn work_off<H: Host>(&self, host: &H) {
        let work = self.work_ns.replace(0);
        if work > 0 {
            host.cpu(work).await;
        }
    }

    /// Whether a cursor has been on a leaf.
    pub(crate) fn has_begun(&self, cursor: u16) -> bool {
        self.leaves.borrow()[usize::from(cursor)].is_some()
    }

    /// A cursor has come to a leaf.
    pub(crate) fn comes_to(&self, cursor: u16, leaf: EntrySpan) {
        self.leaves.borrow_mut()[usize::from(cursor)] = Some(leaf);
    }

    /// On from the leaf where a cursor is to the one of `entry`; `next` asks for the leaf behind one.
    pub(crate) async fn walk_to(
        &self,
        cursor: u16,
        entry: u32,
        next: impl AsyncFn(EntrySpan) -> Option<EntrySpan>,
    ) {
        loop {
            let Some(leaf) = self.leaves.borrow()[usize::from(cursor)] else { return };
            if entry < leaf.behind {
                return;
            }
            let Some(next) = next(leaf).await else { return };
            self.comes_to(cursor, next);
        }
    }

    /// Where the next `blocks` blocks of `block_bytes` of an operator's temporary file go, in a file of `file_bytes` that is used
    /// over and over.
    pub(crate) fn temp_written(&self, cursor: u16, blocks: u32, block_bytes: u32, file_bytes: u64) -> u64 {
        let bytes = u64::from(blocks) * u64::from(block_bytes);
        let end = self.temp_end.get();
        let at = if end + bytes > file_bytes { 0 } else { end };
        self.temp_end.set(at + bytes);
        self.temp.borrow_mut()[usize::from(cursor)].push_back((at, blocks));
        at
    }

    /// The first piece of an operator's temporary file that it has not read: its first byte and its blocks.
    pub(crate) fn temp_read(&self, cursor: u16) -> Option<(u64, u32)> {
        self.temp.borrow_mut()[usize::from(cursor)].pop_front()
    }

    /// Counts for the operator at work.
    fn count(&self, count: impl FnOnce(&mut CursorUse)) {
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

    /// Counts blocks of a temporary file.
    pub(crate) fn count_temp(&self, blocks: u32) {
        self.count(|used| used.temp_blocks += u64::from(blocks));
    }

    /// Counts bytes that the operator at work sends to other servers.
    pub fn count_network(&self, bytes: u64) {
        self.count(|used| used.network_bytes += bytes);
    }

    /// Notes processor time.
    pub(crate) fn add_work(&self, work_ns: u64) {
        self.work_ns.set(self.work_ns.get() + work_ns);
    }
}
