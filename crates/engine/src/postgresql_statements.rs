//! What PostgreSQL does for a statement: descents, fetches with pruning on the way, new versions.

use crate::{
    heap_versions::Placed,
    host::{Cause, Host, charged, transfer},
    innodb::PathPages,
    pages::PageId,
    pool::Frame,
    postgresql::Postgresql,
    row_locks::Obtained,
    schema::IndexKind,
    sequential_scan::{SequentialScan, Step},
    statement::{NewKey, Transaction},
};

/// Records of the log without what a full-page image replaces: `SizeOfXLogRecord` 24, a block reference 20, the header
/// of the main data 2, and the record's own data (`access/heapam_xlog.h`, `nbtxlog.h`). A heap-only update logs what
/// differs of the tuple: header 5, prefix and suffix lengths 4, and of a changed number the lower bytes.
pub const UPDATE_SAME_PAGE_BYTES: u64 = 24 + 20 + 2 + 14 + 5 + 4 + 3;
/// The same across pages: a second block reference of the same relation, and the tuple but for its fixed header.
pub const UPDATE_OTHER_PAGE_BYTES: u64 = 24 + 20 + 8 + 2 + 14 + 5;
/// An insert without its tuple.
pub const INSERT_BYTES: u64 = 24 + 20 + 2 + 3 + 5;
/// The end of a version.
pub const DELETE_BYTES: u64 = 24 + 20 + 2 + 8;
const PRUNE_BYTES: u64 = 24 + 20 + 2 + 8;
/// Offsets that pruning logs for a version.
const PRUNED_VERSION_BYTES: u64 = 6;
/// A new index entry without its bytes.
pub const INDEX_INSERT_BYTES: u64 = 24 + 20 + 2 + 2;
/// `SizeofHeapTupleHeader`: not logged with a tuple.
pub const TUPLE_HEADER_BYTES: u64 = 23;
/// `deadlock_timeout`: one second by default.
pub const DEADLOCK_TIMEOUT_NS: u64 = 1_000_000_000;
/// An nbtree leaf as its build or its splits leave it: what an image of it takes.
pub const LEAF_USED_BYTES: u64 = 8192 * 9 / 10;

impl<H: Host> Postgresql<H> {
    /// Looks up one row by an index.
    pub(crate) async fn select(&self, transaction: &mut Transaction, table: usize, index: usize, row: u64) {
        self.host.cpu(self.costs.select_ns).await;
        self.fetch(transaction, table, index, row).await;
    }

    /// Reads rows that follow each other in an index.
    pub(crate) async fn range(
        &self,
        transaction: &mut Transaction,
        table: usize,
        index: usize,
        row: u64,
        rows: u32,
    ) {
        self.host.cpu(self.costs.select_ns + self.costs.row_ns * u64::from(rows)).await;
        self.fetch(transaction, table, index, row).await;
        let last = self.tables.borrow()[table].live.rows;
        let mut page = None;
        for row in row + 1..(row + u64::from(rows)).min(last) {
            let next = {
                let tables = self.tables.borrow();
                tables[table].heap_page(tables[table].heap.page_of(row))
            };
            // A scan keeps its heap page pinned while rows lie on it (`index_fetch_heap`).
            if page.replace(next) != Some(next) {
                self.fix(next).await;
            }
        }
    }

    /// Descends to a leaf and returns its frame.
    async fn descend(&self, table: usize, index: usize, row: u64) -> Option<Frame> {
        let (path, leaf) = {
            let tables = self.tables.borrow();
            let live = tables[table].live.indexes.get(index)?;
            let slot = live.tree.find(tables[table].live.key_of(index, row));
            let path = (live.tree.leaves() > 1).then(|| PathPages::of(live.tree.path(slot)));
            (path, live.tree.leaf_page(slot))
        };
        // The root is known from the cached metapage (`_bt_getroot`).
        if let Some(path) = path {
            for page in path.iter() {
                self.fix(page).await;
            }
        }
        Some(self.fix(leaf).await)
    }

    /// Fetches a row by an index: the entry of a dead version on the way is visited too, and marked dead once nobody can
    /// see the version; a page short of room is pruned.
    async fn fetch(&self, transaction: &mut Transaction, table: usize, index: usize, row: u64) -> u32 {
        let leaf = self.descend(table, index, row).await;
        let stale = self.tables.borrow()[table].heap.stale_page(row);
        if let Some(stale) = stale {
            self.visit(transaction, table, stale).await;
            let horizon = self.horizon();
            let killed = self.tables.borrow_mut()[table].heap.kill_stale(row, horizon);
            if let (true, Some(leaf)) = (killed, leaf) {
                // `_bt_killitems` looks at the leaf once more; the hint makes it dirty and is not logged.
                let mut pool = self.buffer.pool.borrow_mut();
                pool.count(true);
                pool.mark_dirty(leaf, self.log.end());
            }
        }
        let page = self.tables.borrow()[table].heap.page_of(row);
        self.visit(transaction, table, page).await;
        page
    }

    /// Visits a heap page and prunes it where that is due (`heap_page_prune_opt`).
    async fn visit(&self, transaction: &mut Transaction, table: usize, page: u32) -> Frame {
        let id = self.tables.borrow()[table].heap_page(page);
        let frame = self.fix(id).await;
        let horizon = self.horizon();
        let (pruned, used) = {
            let mut tables = self.tables.borrow_mut();
            let heap = &mut tables[table].heap;
            (heap.prune(page, horizon), heap.used_bytes(page))
        };
        if pruned > 0 {
            let bytes = PRUNE_BYTES + PRUNED_VERSION_BYTES * u64::from(pruned);
            self.log_change(transaction, bytes, &[(frame, used)]);
        }
        frame
    }

    /// Counts a request for a page that the transaction has pinned; its use count stays (`PinBuffer`).
    fn request_pinned(&self) {
        self.buffer.pool.borrow_mut().count(true);
    }

    /// Looks up a row by the primary key and gives it a new version.
    pub(crate) async fn update(
        &self,
        transaction: &mut Transaction,
        table: usize,
        row: u64,
        index: Option<usize>,
    ) {
        self.host.cpu(self.costs.update_ns).await;
        self.fetch(transaction, table, 0, row).await;
        // The old row is fetched again for the columns that stay (`ExecModifyTable`), and `heap_update` asks for its page.
        self.request_pinned();
        self.request_pinned();
        let by = self.number(transaction);
        self.lock_row(transaction, table, row).await;
        let (old, new, bytes) = self.new_version(table, row, by).await;
        match new {
            None => {
                let used = self.tables.borrow()[table].heap.used_bytes(old.0);
                self.log_change(transaction, bytes, &[(old.1, used)]);
                if let Some(index) = index {
                    self.insert_entry(transaction, table, index, row, false).await;
                }
            }
            Some(new) => {
                let used = {
                    let tables = self.tables.borrow();
                    let heap = &tables[table].heap;
                    [heap.used_bytes(old.0), heap.used_bytes(new.0)]
                };
                self.log_change(transaction, bytes, &[(old.1, used[0]), (new.1, used[1])]);
                // Every index gets an entry for a version on another page; for unique ones the old version is looked
                // at once more (`_bt_check_unique`).
                let indexes = self.tables.borrow()[table].live.indexes.len();
                for index in 0..indexes {
                    self.insert_entry(transaction, table, index, row, false).await;
                    if self.tables.borrow()[table].live.indexes[index].kind != IndexKind::NonUnique {
                        self.request_pinned();
                    }
                }
            }
        }
    }

    /// Places a row's new version: its old page and, where it goes elsewhere, its new one, each with its frame; and the
    /// bytes of the log record.
    async fn new_version(
        &self,
        table: usize,
        row: u64,
        by: u64,
    ) -> ((u32, Frame), Option<(u32, Frame)>, u64) {
        let (old, visibility) = {
            let mut tables = self.tables.borrow_mut();
            let table = &mut tables[table];
            let old = table.heap.page_of(row);
            let marked = table.heap.clear_all_visible(old);
            // Two bits a page of the visibility map.
            let map = table.visibility.get(old as usize / (32 * 1021)).copied();
            (old, map.filter(|_| marked))
        };
        if let Some(map) = visibility {
            let frame = self.fix(map).await;
            self.buffer.pool.borrow_mut().mark_dirty(frame, self.log.end());
        }
        let (placed, old_page, tuple) = {
            let mut tables = self.tables.borrow_mut();
            let table = &mut tables[table];
            (table.heap.update(row, by), table.heap_page(old), u64::from(table.version_bytes))
        };
        let new = self.frame_of(table, placed).await;
        // The old page stays pinned meanwhile; a small pool of this model may have dropped it.
        let old_frame = self.present_or_fix(old_page).await;
        let bytes = match new {
            None => UPDATE_SAME_PAGE_BYTES,
            Some(_) => UPDATE_OTHER_PAGE_BYTES + tuple.saturating_sub(TUPLE_HEADER_BYTES),
        };
        ((old, old_frame), new, bytes)
    }

    /// The frame of the page that a new version goes to, if it is not that of the old one.
    async fn frame_of(&self, table: usize, placed: Placed) -> Option<(u32, Frame)> {
        match placed {
            Placed::SamePage => None,
            Placed::OtherPage(page) => {
                let id = self.tables.borrow()[table].heap_page(page);
                Some((page, self.fix(id).await))
            }
            Placed::NewPage(page) => Some((page, self.extend(table).await)),
        }
    }

    /// Adds a page to a heap (`RelationGetBufferForTuple`): it is written empty once.
    async fn extend(&self, table: usize) -> Frame {
        let page = {
            let mut space = self.buffer.space.borrow_mut();
            let mut tables = self.tables.borrow_mut();
            let file = tables[table].live.file;
            let page = space.allocate(file);
            if let Some(heap) = &mut tables[table].live.heap {
                heap.pages.push(page);
            }
            page
        };
        let frame = self.free_frame().await;
        self.buffer.pool.borrow_mut().count(false);
        self.buffer.create(page, frame, self.log.end());
        self.extensions.set(self.extensions.get() + 1);
        let request = self.buffer.request(page, crate::host::FileAccess::Write);
        charged(&self.host, Cause::FreeFrame, transfer(&self.host, request)).await;
        self.present_or_fix(page).await
    }

    /// Locks a row until the transaction ends. Who had to wait looks for the version that the other left
    /// (`heap_lock_tuple`, `EvalPlanQual`).
    async fn lock_row(&self, transaction: &mut Transaction, table: usize, row: u64) {
        if transaction.locked.contains(&(table, row)) {
            return;
        }
        let waited = loop {
            match self.row_locks.lock(&self.host, (table, row)).await {
                Obtained::AtOnce => break false,
                Obtained::Waited => break true,
                Obtained::Deadlock => {
                    // It is noticed after a while, and whoever notices is rolled back and begins again. Here it keeps what
                    // it has written and only lets go of its rows.
                    charged(&self.host, Cause::Lock, self.host.sleep(DEADLOCK_TIMEOUT_NS)).await;
                    self.row_locks.unlock(&self.host, &mut transaction.locked);
                }
            }
        };
        transaction.locked.push((table, row));
        if waited {
            let page = self.tables.borrow()[table].heap.page_of(row);
            self.visit(transaction, table, page).await;
            self.request_pinned();
            self.request_pinned();
        }
    }

    /// Puts an entry into an index. That of a new row makes the index grow; that of a new version takes the place of
    /// one that is dead (bottom-up deletion).
    async fn insert_entry(
        &self,
        transaction: &mut Transaction,
        table: usize,
        index: usize,
        row: u64,
        grows: bool,
    ) {
        self.host.cpu(self.costs.index_entry_ns).await;
        let Some(frame) = self.descend(table, index, row).await else { return };
        let entry = self.tables.borrow()[table].live.indexes[index].entry_bytes;
        let split = if grows { self.grow(table, index, row) } else { None };
        let Some((leaf, page, moved)) = split else {
            let bytes = INDEX_INSERT_BYTES + entry as u64;
            self.log_change(transaction, bytes, &[(frame, LEAF_USED_BYTES)]);
            return;
        };
        let new = self.free_frame().await;
        self.buffer.create(page, new, self.log.end());
        let old = self.present_or_fix(leaf).await;
        // The right half is logged item by item (`_bt_split`).
        let bytes = INDEX_INSERT_BYTES + (f64::from(moved) * entry) as u64;
        self.log_change(transaction, bytes, &[(old, LEAF_USED_BYTES)]);
    }

    /// Adds an entry to a tree; where its leaf splits: the leaf, the new page, and the entries that moved there.
    fn grow(&self, table: usize, index: usize, row: u64) -> Option<(PageId, PageId, u32)> {
        let mut tables = self.tables.borrow_mut();
        let live = &mut tables[table].live;
        let key = live.key_of(index, row);
        let tree = &mut live.indexes[index].tree;
        let mut space = self.buffer.space.borrow_mut();
        let inserted = tree.insert(key, &mut space, &mut self.chance.borrow_mut());
        inserted.split.map(|(page, moved)| (inserted.leaf, page, moved))
    }

    /// Inserts one row.
    pub(crate) async fn insert(&self, transaction: &mut Transaction, table: usize, key: NewKey) {
        self.host.cpu(self.costs.insert_ns).await;
        self.number(transaction);
        let (placed, row, tuple) = {
            let mut tables = self.tables.borrow_mut();
            let state = &mut tables[table];
            let row = state.live.add_row(key, &mut self.chance.borrow_mut());
            (state.heap.insert(row), row, u64::from(state.version_bytes))
        };
        let Some((page, frame)) = self.frame_of(table, placed).await else { return };
        let used = self.tables.borrow()[table].heap.used_bytes(page);
        self.log_change(
            transaction,
            INSERT_BYTES + tuple.saturating_sub(TUPLE_HEADER_BYTES),
            &[(frame, used)],
        );
        let indexes = self.tables.borrow()[table].live.indexes.len();
        let grows = !matches!(key, NewKey::Same(_));
        for index in 0..indexes {
            self.insert_entry(transaction, table, index, row, grows).await;
        }
    }

    /// Looks up a row by the primary key and ends its version; the index keeps its entries until VACUUM.
    pub(crate) async fn delete(&self, transaction: &mut Transaction, table: usize, row: u64) {
        self.host.cpu(self.costs.update_ns).await;
        let page = self.fetch(transaction, table, 0, row).await;
        self.request_pinned();
        let by = self.number(transaction);
        self.lock_row(transaction, table, row).await;
        self.tables.borrow_mut()[table].heap.delete(row, by);
        let id = self.tables.borrow()[table].heap_page(page);
        let frame = self.present_or_fix(id).await;
        let used = self.tables.borrow()[table].heap.used_bytes(page);
        self.log_change(transaction, DELETE_BYTES, &[(frame, used)]);
    }

    /// Reads a table from its first page to its last.
    pub(crate) async fn scan(&self, table: usize) {
        let pages: Vec<PageId> = {
            let tables = self.tables.borrow();
            tables[table].live.heap.as_ref().map_or(Vec::new(), |heap| heap.pages.clone())
        };
        let rows = self.tables.borrow()[table].live.rows;
        let work = self.costs.row_ns * rows / pages.len().max(1) as u64;
        let mut scan = SequentialScan::new(pages.len() as u64, &self.buffer.pool.borrow());
        for page in pages {
            self.host.cpu(work).await;
            let step = scan.step(&mut self.buffer.pool.borrow_mut(), page);
            let frame = match step {
                Step::Here(_) => {
                    self.fix(page).await;
                    continue;
                }
                Step::Reuse(frame) => frame,
                Step::Take => self.free_frame().await,
            };
            self.buffer.pool.borrow_mut().count(false);
            charged(&self.host, Cause::Read, self.buffer.read(&self.host, page, frame)).await;
            self.host.cpu(self.costs.page_read_ns).await;
            scan.placed(frame);
        }
    }

    pub(crate) async fn present_or_fix(&self, page: PageId) -> Frame {
        let present = self.buffer.present(page);
        match present {
            Some(frame) => frame,
            None => self.fix(page).await,
        }
    }

    /// Brings a page into the buffer.
    pub(crate) async fn fix(&self, page: PageId) -> Frame {
        let read_ns = self.costs.page_read_ns;
        self.buffer.fix(&self.host, page, read_ns, async || self.free_frame().await, async || ()).await
    }
}
