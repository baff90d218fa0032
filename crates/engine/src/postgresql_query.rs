//! What PostgreSQL does for the steps of a query's plan.
//!
//! Counted node by node on PostgreSQL 15 over the 22 queries of TPC-H: a descent asks for the height of the tree (the root is
//! known from the cached metapage), and the leaf stays pinned while its entries are used; rows behind entries take one request
//! a change of heap page (`index_fetch_heap`); a scan asks for each page of the heap once, through a ring where the table is larger
//! than a quarter of the buffer (`initscan`).

use crate::{
    access::{Access, Asked, Cursor},
    host::{Cause, FileAccess, FileRequest, Host, charged, transfer},
    innodb::PathPages,
    pages::PageId,
    postgresql::{PAGE_BYTES, Postgresql},
    query_places::QueryPlaces,
    sequential_scan::{SequentialScan, Step},
    tree::EntrySpan,
};

/// Pages of the system's read-ahead (`read_ahead_kb` of 128).
const READ_AHEAD_PAGES: u32 = 16;

impl<H: Host> Postgresql<H> {
    /// Carries out one step of a query.
    pub async fn access(&self, places: &QueryPlaces, cursor: &Cursor, access: &Access) {
        places.carry_out(&self.host, &self.costs, access, self.ask(places, cursor, access)).await;
    }

    async fn ask(&self, places: &QueryPlaces, cursor: &Cursor, access: &Access) {
        let last = access.first + access.count.max(1) - 1;
        match access.asked {
            Asked::On if cursor.whole => self.scan_on(places, cursor, access).await,
            Asked::Row => self.row_behind(places, cursor, access).await,
            Asked::TempWrite => self.write_temp(places, access).await,
            Asked::TempRead => self.read_temp(places, access).await,
            // The cluster's part, not a server's.
            Asked::Send | Asked::Receive | Asked::Call => {}
            Asked::From => {
                places.add_work(self.costs.plan_lookup_ns);
                places.heap_pages.borrow_mut()[usize::from(access.cursor)] = None;
                self.descend_for(places, cursor, access).await;
                self.walk_to(places, cursor, access.cursor, last).await;
            }
            Asked::On => {
                if !places.has_begun(access.cursor) {
                    self.descend_for(places, cursor, access).await;
                }
                self.walk_to(places, cursor, access.cursor, last).await;
            }
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
            places.ahead.borrow_mut()[at] = None;
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
                self.read_ahead(places, cursor.table, at, number).await;
                self.scan_page(places, at, page).await;
            }
        }
    }

    /// The system sees that a file is read in order and reads ahead of it: while a window's pages are used, those of the next one
    /// come into the page cache.
    async fn read_ahead(&self, places: &QueryPlaces, table: usize, at: usize, number: u32) {
        if !number.is_multiple_of(READ_AHEAD_PAGES) {
            return;
        }
        let coming = places.ahead.borrow_mut()[at].take();
        if let Some((_, ticket)) = coming.filter(|(first, _)| *first == number) {
            places.work_off(&self.host).await;
            charged(&self.host, Cause::Read, self.host.done(ticket)).await;
        }
        let next = number + READ_AHEAD_PAGES;
        let request = {
            let tables = self.tables.borrow();
            let heap = tables[table].live.heap.as_ref().map_or(&[][..], |heap| &heap.pages);
            let pages = heap.len().saturating_sub(next as usize).min(READ_AHEAD_PAGES as usize) as u32;
            let Some(first) = heap.get(next as usize) else { return };
            let request = self.buffer.request(*first, FileAccess::Read);
            FileRequest { bytes: pages * PAGE_BYTES, ..request }
        };
        if self.host.file_cache_bytes(request.file) > 0 {
            let ticket = self.host.submit(request);
            places.ahead.borrow_mut()[at] = Some((next, ticket));
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
                places.work_off(&self.host).await;
                frame
            }
            Step::Take => {
                places.work_off(&self.host).await;
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

    /// Blocks go to a temporary file, which as a rule is a copy into the system's page cache.
    async fn write_temp(&self, places: &QueryPlaces, access: &Access) {
        let Some((file, file_bytes)) = self.temp_file.get() else { return };
        let offset = places.temp_written(access.cursor, access.count, PAGE_BYTES, file_bytes);
        let bytes = access.count * PAGE_BYTES;
        places.add_work(self.costs.page_write_ns * u64::from(access.count));
        places.work_off(&self.host).await;
        let request = FileRequest { file, access: FileAccess::Write, offset, bytes };
        charged(&self.host, Cause::PageWrite, transfer(&self.host, request)).await;
        places.count_temp(access.count);
    }

    /// The next blocks come back from a temporary file, in the pieces in which they were written.
    async fn read_temp(&self, places: &QueryPlaces, access: &Access) {
        let Some((file, _)) = self.temp_file.get() else { return };
        let Some((offset, blocks)) = places.temp_read(access.cursor) else { return };
        places.add_work(self.costs.page_read_ns * u64::from(blocks));
        places.work_off(&self.host).await;
        let bytes = blocks * PAGE_BYTES;
        let request = FileRequest { file, access: FileAccess::Read, offset, bytes };
        charged(&self.host, Cause::Read, transfer(&self.host, request)).await;
        places.count_temp(blocks);
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
        places.comes_to(access.cursor, span);
    }

    async fn walk_to(&self, places: &QueryPlaces, cursor: &Cursor, number: u16, entry: u32) {
        places.walk_to(number, entry, async |span| self.next_leaf(places, cursor, span).await).await;
    }

    async fn next_leaf(&self, places: &QueryPlaces, cursor: &Cursor, span: EntrySpan) -> Option<EntrySpan> {
        let (next, page) = {
            let tables = self.tables.borrow();
            let tree = &tables[cursor.table].live.indexes.get(cursor.index)?.tree;
            let next = tree.next_span(span)?;
            (next, tree.leaf_page(next.slot))
        };
        self.fix_for_query(places, page).await;
        Some(next)
    }

    async fn fix_for_query(&self, places: &QueryPlaces, page: PageId) {
        let absent = self.buffer.present(page).is_none();
        places.count_page(absent);
        if absent {
            places.work_off(&self.host).await;
        }
        self.fix(page).await;
    }
}
