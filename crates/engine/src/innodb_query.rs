//! What InnoDB does for the steps of a query's plan.
//!
//! Counted table by table on MariaDB 10.11 over the 22 queries of TPC-H: a descent asks for the height of the tree, and
//! for the leaf beside it where the first entry (of a unique key also the last) ends a leaf; entries that follow ask for
//! each further leaf once; the row behind a secondary entry takes a descent of the clustered tree.

use crate::{
    access::{Access, Asked, Cursor},
    hash_index::KeyPart,
    host::{FileAccess, Host, WaitQueue, transfer},
    innodb::{Innodb, PathPages},
    linear_read_ahead::{EXTENT_PAGES, LinearReadAhead},
    pages::PageId,
    pool::Frame,
    query_places::QueryPlaces,
    tree::{EntrySpan, Slot},
};
use std::{cell::RefCell, collections::VecDeque};

/// Processor time of a page that is read ahead, in nanoseconds: `buf_page_io_complete` with its checksum (CRC-32C of
/// 16 KiB at some 4 GB/s) and its share of an asynchronous batch.
const READ_AHEAD_NS: u64 = 10_000;
/// `innodb_read_io_threads`: 4 by default.
const READ_IO_THREADS: u32 = 4;

/// Reads that nobody waits for.
#[derive(Debug, Default)]
pub(crate) struct ReadAhead {
    pub(crate) state: RefCell<LinearReadAhead>,
    wanted: RefCell<VecDeque<(PageId, Frame)>>,
    begun: WaitQueue,
}

/// How a descent is made.
#[derive(Debug, Clone, Copy)]
struct Descent {
    /// The leaf before is looked at, too, where the entry is the first of its leaf.
    beside: bool,
    /// By how much of the key; none where the descent is to the beginning of the index.
    key: Option<KeyPart>,
}

/// A leaf of an index, to be used next.
#[derive(Debug, Clone, Copy)]
struct LeafOf {
    table: usize,
    index: usize,
    slot: Slot,
    page: PageId,
}

impl<H: Host> Innodb<H> {
    /// Carries out one step of a query.
    pub async fn access(&self, places: &QueryPlaces, cursor: &Cursor, access: &Access) {
        places.carry_out(&self.host, &self.costs, access, self.ask(places, cursor, access)).await;
    }

    async fn ask(&self, places: &QueryPlaces, cursor: &Cursor, access: &Access) {
        let last = access.first + access.count.max(1) - 1;
        match access.asked {
            // Its temporary tables are not modelled, and no plan asks for their blocks; nor is there a cluster of it.
            Asked::TempWrite | Asked::TempRead | Asked::Send | Asked::Receive | Asked::Call => {}
            Asked::Row => {
                places.add_work(self.costs.plan_lookup_ns);
                let from = Descent { beside: false, key: Some(KeyPart::Whole) };
                self.descend_to(places, cursor.table, 0, access.first, from).await;
            }
            Asked::From => {
                places.add_work(self.costs.plan_lookup_ns);
                let key = if cursor.unique { KeyPart::Whole } else { KeyPart::Prefix };
                let from = Descent { beside: true, key: Some(key) };
                let span = self.descend_to(places, cursor.table, cursor.index, access.first, from).await;
                let Some(span) = span else { return };
                places.comes_to(access.cursor, span);
                if cursor.unique && access.first + 1 == span.behind {
                    // Whether the key has another entry is seen on the next leaf.
                    self.next_leaf(places, cursor, span).await;
                } else {
                    self.walk_to(places, cursor, access.cursor, last).await;
                }
            }
            Asked::On => {
                if !places.has_begun(access.cursor) {
                    let from = Descent { beside: false, key: None };
                    let span = self.descend_to(places, cursor.table, cursor.index, access.first, from).await;
                    let Some(span) = span else { return };
                    places.comes_to(access.cursor, span);
                }
                self.walk_to(places, cursor, access.cursor, last).await;
            }
        }
    }

    /// From the root to the leaf of an entry, or straight to the leaf where it is hashed.
    async fn descend_to(
        &self,
        places: &QueryPlaces,
        table: usize,
        index: usize,
        entry: u32,
        how: Descent,
    ) -> Option<EntrySpan> {
        let (span, path, leaf, before) = {
            let tables = self.tables.borrow();
            let tree = &tables.get(table)?.indexes.get(index)?.tree;
            let span = tree.entry_span(u64::from(entry));
            let leaf = tree.leaf_page(span.slot);
            let hashed = self.is_hashed(leaf, tree.records_in(span.slot), how.key);
            let path = (!hashed && tree.leaves() > 1).then(|| PathPages::of(tree.path(span.slot)));
            let before = (how.beside && entry == span.from).then(|| tree.previous_leaf(span.slot)).flatten();
            (span, path, leaf, before.map(|slot| tree.leaf_page(slot)))
        };
        for page in path.iter().flat_map(PathPages::iter) {
            self.fix_for_query(places, page, None).await;
        }
        if let Some(page) = before {
            self.fix_for_query(places, page, None).await;
        }
        self.fix_for_query(places, leaf, Some(LeafOf { table, index, slot: span.slot, page: leaf })).await;
        Some(span)
    }

    /// Notes a lookup for the adaptive hash index; whether that leads to the leaf.
    fn is_hashed(&self, leaf: PageId, records: u32, key: Option<KeyPart>) -> bool {
        let (Some(hash), Some(key)) = (&self.hash_index, key) else { return false };
        self.buffer.present(leaf).is_some_and(|frame| hash.borrow_mut().search(leaf, frame, records, key))
    }

    async fn walk_to(&self, places: &QueryPlaces, cursor: &Cursor, number: u16, entry: u32) {
        places.walk_to(number, entry, async |span| self.next_leaf(places, cursor, span).await).await;
    }

    async fn next_leaf(&self, places: &QueryPlaces, cursor: &Cursor, span: EntrySpan) -> Option<EntrySpan> {
        let (next, page) = {
            let tables = self.tables.borrow();
            let tree = &tables.get(cursor.table)?.indexes.get(cursor.index)?.tree;
            let next = tree.next_span(span)?;
            (next, tree.leaf_page(next.slot))
        };
        let leaf = LeafOf { table: cursor.table, index: cursor.index, slot: next.slot, page };
        self.fix_for_query(places, page, Some(leaf)).await;
        Some(next)
    }

    async fn fix_for_query(&self, places: &QueryPlaces, page: PageId, leaf: Option<LeafOf>) {
        let absent = self.buffer.present(page).is_none();
        places.count_page(absent);
        if absent {
            places.work_off(&self.host).await;
        }
        let frame = self.fix(page).await;
        let first_use = {
            let mut ahead = self.read_ahead.state.borrow_mut();
            if absent {
                ahead.forget(frame);
            }
            ahead.note(page, frame)
        };
        if let (true, Some(leaf)) = (first_use, leaf) {
            self.read_next_extent(leaf).await;
        }
    }

    /// Begins to read the extent behind the one that `leaf` ends, if that was read in its order.
    async fn read_next_extent(&self, leaf: LeafOf) {
        let wanted = {
            let space = self.buffer.space.borrow();
            let (_, number) = space.place(leaf.page);
            if number % EXTENT_PAGES != EXTENT_PAGES - 1 {
                return;
            }
            let pool = self.buffer.pool.borrow();
            let extent =
                space.neighbours(leaf.page, EXTENT_PAGES).iter().map(|page| (*page, pool.find(*page)));
            if !self.read_ahead.state.borrow().was_in_order(extent) {
                return;
            }
            let tables = self.tables.borrow();
            let tree = &tables[leaf.table].indexes[leaf.index].tree;
            let Some(next) = tree.next_leaf(leaf.slot) else { return };
            space.neighbours(tree.leaf_page(next), EXTENT_PAGES).to_vec()
        };
        for page in wanted {
            if self.buffer.pool.borrow().find(page).is_some() {
                continue;
            }
            let frame = self.free_frame().await;
            if self.buffer.begin_read(&self.host, page, frame) {
                self.read_ahead.state.borrow_mut().forget(frame);
                self.read_ahead.wanted.borrow_mut().push_back((page, frame));
            }
        }
        self.read_ahead.begun.wake_all(&self.host);
    }

    /// Reads side by side at most: those of a batch that the system takes at once, or one a thread.
    pub(crate) fn read_ahead_threads(&self) -> u32 {
        if self.settings.native_reads { EXTENT_PAGES } else { READ_IO_THREADS }
    }

    /// Reads what nobody waits for yet, for ever.
    pub(crate) async fn read_ahead_thread(&self) {
        loop {
            let next = self.read_ahead.wanted.borrow_mut().pop_front();
            let Some((page, frame)) = next else {
                self.read_ahead.begun.wait(&self.host).await;
                continue;
            };
            transfer(&self.host, self.buffer.request(page, FileAccess::Read)).await;
            self.host.cpu(READ_AHEAD_NS).await;
            self.buffer.arrived(&self.host, page, frame);
        }
    }
}
