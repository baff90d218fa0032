//! What PostgreSQL does for the steps of a query's plan.
//!
//! Counted node by node on PostgreSQL 15 over the 22 queries of TPC-H: a descent asks for the height of the tree (the root is
//! known from the cached metapage), and the leaf stays pinned while its entries are used; rows behind entries take one request
//! a change of heap page (`index_fetch_heap`); a scan asks for each page of the heap once, through a ring where the table is larger
//! than a quarter of the buffer (`initscan`).

use crate::{
    access::{Access, Asked, Cursor},
    host::{Cause, Host, charged},
    innodb::PathPages,
    pages::PageId,
    postgresql::Postgresql,
    query_places::{QueryPlaces, WORK_SLICE_NS},
    sequential_scan::{SequentialScan, Step},
    tree::EntrySpan,
};

impl<H: Host> Postgresql<H> {
    /// Carries out one step of a query.
    pub async fn access(&self, places: &QueryPlaces, cursor: &Cursor, access: &Access) {
        let since = self.host.now();
        places.at_work.set(access.cursor);
        places.add_work(self.costs.plan_row_ns * u64::from(access.work));
        let last = access.first + access.count.max(1) - 1;
        match access.asked {
            Asked::On if cursor.whole => self.scan_on(places, cursor, access).await,
            Asked::Row => self.row_behind(places, cursor, access).await,
            Asked::From => {
                places.add_work(self.costs.plan_lookup_ns);
                places.heap_pages.borrow_mut()[usize::from(access.cursor)] = None;
                self.descend_for(places, cursor, access).await;
                self.leaves_to(places, cursor, access.cursor, last).await;
            }
            Asked::On => {
                if places.leaves.borrow()[usize::from(access.cursor)].is_none() {
                    self.descend_for(places, cursor, access).await;
                }
                self.leaves_to(places, cursor, access.cursor, last).await;
            }
        }
        if places.work_ns.get() >= WORK_SLICE_NS {
            self.work_off(places).await;
        }
        let passed = self.host.now() - since;
        places.count(|used| used.ns += passed);
    }

    /// Work on `rows` rows behind the last step, and what is left of the processor time, passes.
    pub async fn end_query(&self, places: &QueryPlaces, rows: u64) {
        places.add_work(self.costs.plan_row_ns * rows);
        self.work_off(places).await;
    }

    async fn work_off(&self, places: &QueryPlaces) {
        let work = places.work_ns.replace(0);
        if work > 0 {
            self.host.cpu(work).await;
        }
    }

    /// The next rows of a scan: the pages that the scan has not been on yet.
    async fn scan_on(&self, places: &QueryPlaces, cursor: &Cursor, access: &Access) {
        let at = usize::from(access.cursor);
        if access.first == 0 {
            // Scans begin anew for each outer row, and with a ring of their own.
            let pages =
                self.tables.borrow()[cursor.table].live.heap.as_ref().map_or(0, |heap| heap.pages.len());
            let scan = SequentialScan::new(pages as u64, &self.buffer.pool.borrow());
            places.scans.borrow_mut()[at] = Some(scan);
            places.heap_pages.borrow_mut()[at] = None;
        }
        let (from, to) = {
            let tables = self.tables.borrow();
            let heap = &tables[cursor.table].heap;
            (
                heap.page_of(u64::from(access.first)),
                heap.page_of(u64::from(access.first + access.count.max(1) - 1)),
            )
        };
        for number in from..=to {
            let page = self.tables.borrow()[cursor.table].heap_page(number);
            if places.heap_pages.borrow_mut()[at].replace(page) != Some(page) {
                self.scan_page(places, at, page).await;
            }
        }
    }

    async fn scan_page(&self, places: &QueryPlaces, at: usize, page: PageId) {
        let step = {
            let mut scans = places.scans.borrow_mut();
            scans[at].as_mut().map_or(Step::Take, |scan| scan.step(&mut self.buffer.pool.borrow_mut(), page))
        };
        places.count_page(!matches!(step, Step::Here(_)));
        let frame = match step {
            Step::Here(_) => {
                self.buffer.pool.borrow_mut().count(true);
                return;
            }
            Step::Reuse(frame) => {
                self.work_off(places).await;
                frame
            }
            Step::Take => {
                self.work_off(places).await;
                self.free_frame().await
            }
        };
        self.buffer.pool.borrow_mut().count(false);
        charged(&self.host, Cause::Read, self.buffer.read(&self.host, page, frame)).await;
        self.host.cpu(self.costs.page_read_ns).await;
        if let Some(scan) = places.scans.borrow_mut()[at].as_mut() {
            scan.placed(frame);
        }
    }

    /// The row that an entry points at: its page is asked for unless the cursor has it pinned.
    async fn row_behind(&self, places: &QueryPlaces, cursor: &Cursor, access: &Access) {
        let page = {
            let tables = self.tables.borrow();
            let table = &tables[cursor.table];
            table.heap_page(table.heap.page_of(u64::from(access.first)))
        };
        let pinned = places.heap_pages.borrow_mut()[usize::from(access.cursor)].replace(page);
        if pinned != Some(page) {
            self.fix_for_query(places, page).await;
        }
    }

    /// From the root to the leaf of an entry.
    async fn descend_for(&self, places: &QueryPlaces, cursor: &Cursor, access: &Access) {
        let (span, path, leaf) = {
            let tables = self.tables.borrow();
            let Some(index) = tables[cursor.table].live.indexes.get(cursor.index) else { return };
            let span = index.tree.entry_span(u64::from(access.first));
            let path = (index.tree.leaves() > 1).then(|| PathPages::of(index.tree.path(span.slot)));
            (span, path, index.tree.leaf_page(span.slot))
        };
        for page in path.iter().flat_map(PathPages::iter) {
            self.fix_for_query(places, page).await;
        }
        self.fix_for_query(places, leaf).await;
        places.leaves.borrow_mut()[usize::from(access.cursor)] = Some(span);
    }

    /// On from the leaf where a cursor is to the one of `entry`.
    async fn leaves_to(&self, places: &QueryPlaces, cursor: &Cursor, number: u16, entry: u32) {
        loop {
            let Some(span) = places.leaves.borrow()[usize::from(number)] else { return };
            if entry < span.behind {
                return;
            }
            let Some((next, page)) = self.next_leaf_of(cursor, span) else { return };
            self.fix_for_query(places, page).await;
            places.leaves.borrow_mut()[usize::from(number)] = Some(next);
        }
    }

    fn next_leaf_of(&self, cursor: &Cursor, span: EntrySpan) -> Option<(EntrySpan, PageId)> {
        let tables = self.tables.borrow();
        let tree = &tables[cursor.table].live.indexes.get(cursor.index)?.tree;
        let next = tree.next_span(span)?;
        Some((next, tree.leaf_page(next.slot)))
    }

    async fn fix_for_query(&self, places: &QueryPlaces, page: PageId) {
        let absent = self.buffer.present(page).is_none();
        places.count_page(absent);
        if absent {
            self.work_off(places).await;
        }
        self.fix(page).await;
    }
}
