//! InnoDB's statements as page requests, changes and log.
//!
//! Requests were checked statement by statement on MariaDB 10.11: a point select asks for the height, and once more
//! for the first and the last record of a leaf; a range first for an estimate of its rows and then for its rows.

use crate::{
    change_buffer::ChangeBuffer,
    hash_index::KeyPart,
    host::Host,
    innodb::{Innodb, PathPages},
    pages::PageId,
    purge::Garbage,
    schema::IndexKind,
    statement::{NewKey, PageUse, Statement, Transaction},
    tree::Slot,
};

/// Page requests of a transaction's first undo record beside the record's own page: the rollback segment's header
/// and the undo log's (`trx_undo_assign`).
pub const ASSIGN_REQUESTS: u32 = 2;
/// Log of an entry beside its bytes: record descriptor, page number, changed header fields.
pub const LOG_ENTRY_BYTES: f64 = 36.0;
/// Log of a delete mark: the record's info bits, with its transaction id and roll pointer in the clustered tree.
pub const LOG_MARK_BYTES: f64 = 30.0;
/// Log of an undo record beside the old values in it: its own header and the undo page's free pointer.
pub const LOG_UNDO_BYTES: f64 = 40.0;

/// Log of a marked row that becomes a new one, beside its bytes. The four writes of sysbench log some 2900 bytes in
/// sum on 10.11; this is what the other three leave of it, and more than the records alone explain.
pub const LOG_REPLACE_BYTES: f64 = 1500.0;
/// Page requests of a split beside those of the pages it makes and fills: down the tree once more, the parent, the
/// siblings, and the file's own bookkeeping (`btr_page_split_and_insert`, `fseg_alloc_free_page`).
pub const SPLIT_REQUESTS: u32 = 9;

/// How a descent ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// At the leaf.
    Leaf,
    /// The first and the last record of a leaf ask for the leaf beside it, too: the cursor has to know what lies
    /// before or behind its record.
    Beside,
}

impl<H: Host> Innodb<H> {
    /// Carries out a statement.
    pub async fn execute(&self, transaction: &mut Transaction, statement: Statement) {
        match statement {
            Statement::Select { table, index, row } => self.select(table, index, row).await,
            Statement::Range { table, index, row, rows } => self.range(table, index, row, rows).await,
            Statement::Update { table, row, index, bytes } => {
                self.update(transaction, table, row, index, bytes).await;
            }
            Statement::UpdateRange { table, row, rows, bytes } => {
                for row in row..row + u64::from(rows) {
                    self.update(transaction, table, row, None, bytes).await;
                }
            }
            Statement::Insert { table, key } => self.insert(transaction, table, key).await,
            Statement::Delete { table, row } => self.delete(transaction, table, row).await,
            Statement::Scan { table } => self.scan(table).await,
            // Loading is modelled for Firebird (`Profile::loads`).
            Statement::Append { .. } | Statement::MakeIndexes { .. } => {}
        }
    }

    /// The leaf of `key`, if its hash index leads there without a descent.
    fn hashed(&self, table: usize, index: usize, key: u64) -> Option<PageId> {
        let hash = self.hash_index.as_ref()?;
        let tables = self.tables.borrow();
        let tree = &tables[table].indexes[index].tree;
        let slot = tree.find(key);
        let leaf = tree.leaf_page(slot);
        let frame = self.buffer.present(leaf)?;
        hash.borrow_mut().search(leaf, frame, tree.records_in(slot), KeyPart::Whole).then_some(leaf)
    }

    /// Looks up one row by an index.
    async fn select(&self, table: usize, index: usize, row: u64) {
        self.enter_with(self.costs.select_ns).await;
        let key = self.key(table, index, row);
        if index == 0
            && let Some(leaf) = self.hashed(table, index, key)
        {
            self.fix(leaf).await;
            self.leave();
            return;
        }
        if self.kind(table, index) == IndexKind::NonUnique {
            // How many rows there may be is estimated in the index first (`records_in_range`).
            self.descend(table, index, key, Ending::Beside).await;
        }
        self.descend(table, index, key, Ending::Beside).await;
        if index != 0 {
            let primary = self.key(table, 0, row);
            self.descend(table, 0, primary, Ending::Leaf).await;
        }
        self.leave();
    }

    /// Reads rows that follow each other: the ends of the range are looked up for an estimate, then its rows are read,
    /// and the record behind them, which tells that the range is over.
    async fn range(&self, table: usize, index: usize, row: u64, rows: u32) {
        self.enter_with(self.costs.select_ns + self.costs.row_ns * u64::from(rows)).await;
        let key = self.key(table, index, row);
        for _ in 0..2 {
            self.walk(table, index, key, rows + 1).await;
        }
        if index != 0 {
            for row in row..row + u64::from(rows) {
                let primary = self.key(table, 0, row);
                self.descend(table, 0, primary, Ending::Leaf).await;
            }
        }
        self.leave();
    }

    /// From the root to `key`'s leaf and on over `records` records.
    async fn walk(&self, table: usize, index: usize, key: u64, records: u32) {
        let mut slot = self.descend(table, index, key, Ending::Beside).await;
        let mut left = {
            let tables = self.tables.borrow();
            let tree = &tables[table].indexes[index].tree;
            (tree.rank(slot, key) + records).saturating_sub(tree.records_in(slot))
        };
        while left > 0 {
            let next = {
                let tables = self.tables.borrow();
                let tree = &tables[table].indexes[index].tree;
                let current = if tree.is_current(slot) { slot } else { tree.find(key) };
                tree.next_leaf(current).map(|next| (next, tree.leaf_page(next), tree.records_in(next)))
            };
            let Some((next, page, held)) = next else { break };
            self.fix(page).await;
            left = left.saturating_sub(held);
            slot = next;
        }
    }

    /// Reads a whole table in the order of its primary key.
    async fn scan(&self, table: usize) {
        let rows = self.rows(table);
        self.enter_with(self.costs.select_ns + self.costs.row_ns * rows).await;
        self.walk(table, 0, 0, u32::try_from(rows).unwrap_or(u32::MAX)).await;
        self.leave();
    }

    async fn insert(&self, transaction: &mut Transaction, table: usize, key: NewKey) {
        let entries = self.tables.borrow()[table].indexes.len();
        self.enter_with(self.costs.insert_ns + self.costs.index_entry_ns * entries as u64).await;
        self.make_room_in_log().await;
        let row = self.tables.borrow_mut()[table].add_row(key, &mut self.chance.borrow_mut());
        let row_bytes = self.tables.borrow()[table].row_bytes;
        if let NewKey::Same(_) = key {
            // The deleted record is still there, marked: it becomes the new row, and the old one goes to the undo
            // log (`row_ins_clust_index_entry_by_modify`).
            let leaf = self.leaf(table, 0, row).await;
            self.undo(transaction, row, row_bytes).await;
            self.change(leaf, row_bytes + LOG_REPLACE_BYTES).await;
            for index in 1..entries {
                let place = self.key(table, index, row);
                self.insert_entry(table, index, place).await;
            }
        } else {
            self.undo(transaction, row, 0.0).await;
            for index in 0..entries {
                let place = self.key(table, index, row);
                self.insert_entry(table, index, place).await;
            }
        }
        self.leave();
        self.written(transaction, row_bytes);
    }

    async fn update(
        &self,
        transaction: &mut Transaction,
        table: usize,
        row: u64,
        index: Option<usize>,
        bytes: u32,
    ) {
        self.enter_with(self.costs.update_ns).await;
        self.make_room_in_log().await;
        let leaf = self.found_for_change(table, row).await;
        self.undo(transaction, row, f64::from(bytes)).await;
        self.change(leaf, f64::from(bytes) + LOG_ENTRY_BYTES).await;
        if let Some(index) = index {
            // The old entry is marked as deleted and stays until it is purged; the new one lies close by.
            let key = self.key(table, index, row);
            self.mark_entry(table, index, key).await;
            self.insert_entry(table, index, key).await;
            self.leave_garbage(Garbage::Entry { table, index, row, key });
        }
        if self.flushing.is_none() {
            // MariaDB resets the row's transaction id; 8.0 leaves it (`row_purge_parse_undo_rec`).
            self.leave_garbage(Garbage::Version { table, row });
        }
        self.leave();
        self.written(transaction, self.logged_bytes(table, f64::from(bytes)));
    }

    async fn delete(&self, transaction: &mut Transaction, table: usize, row: u64) {
        self.enter_with(self.costs.update_ns).await;
        self.make_room_in_log().await;
        let leaf = self.found_for_change(table, row).await;
        let entries = self.tables.borrow()[table].indexes.len();
        self.undo(transaction, row, 0.0).await;
        self.change(leaf, LOG_MARK_BYTES).await;
        for index in 1..entries {
            let key = self.key(table, index, row);
            self.mark_entry(table, index, key).await;
            self.leave_garbage(Garbage::Entry { table, index, row, key });
        }
        self.leave_garbage(Garbage::Row { table, row });
        self.leave();
        let row_bytes = self.tables.borrow()[table].row_bytes;
        self.written(transaction, row_bytes);
    }

    /// Looks a row up to change it: the statement finds it, the change finds its place again.
    async fn found_for_change(&self, table: usize, row: u64) -> PageId {
        let key = self.key(table, 0, row);
        let slot = self.descend(table, 0, key, Ending::Beside).await;
        self.count_again(1);
        let tables = self.tables.borrow();
        let tree = &tables[table].indexes[0].tree;
        let slot = if tree.is_current(slot) { slot } else { tree.find(key) };
        tree.leaf_page(slot)
    }

    /// Marks an entry of a secondary index as deleted.
    async fn mark_entry(&self, table: usize, index: usize, key: u64) {
        self.change_or_buffer(table, index, key, LOG_MARK_BYTES).await;
    }

    /// Changes the leaf of a key, or keeps the change for when the leaf is read anyway.
    pub(crate) async fn change_or_buffer(&self, table: usize, index: usize, key: u64, log_bytes: f64) {
        if self.settings.mark_buffering && self.kind(table, index) == IndexKind::NonUnique {
            let (leaf, entry_bytes) = {
                let tables = self.tables.borrow();
                let live = &tables[table].indexes[index];
                (live.tree.leaf_page(live.tree.find(key)), live.entry_bytes)
            };
            let absent = self.buffer.pool.borrow().find(leaf).is_none();
            if absent && self.change_buffer.borrow().accepts(leaf) {
                return self.buffer_change(leaf, entry_bytes).await;
            }
        }
        let leaf = self.leaf_of_key(table, index, key).await;
        self.change(leaf, log_bytes).await;
    }

    async fn make_room_in_log(&self) {
        self.log_free_check().await;
        self.log.wait_for_room(&self.host).await;
    }

    fn written(&self, transaction: &mut Transaction, bytes: f64) {
        transaction.log_end = self.log.end();
        transaction.changed_bytes += bytes as u64;
    }

    /// Bytes of a changed row in the binary log: by statement those that change, by row (8.0) the row before and after.
    fn logged_bytes(&self, table: usize, changed: f64) -> f64 {
        if self.flushing.is_some() { 2.0 * self.tables.borrow()[table].row_bytes } else { changed }
    }

    /// Writes an undo record with `old_bytes` of old values.
    async fn undo(&self, transaction: &Transaction, row: u64, old_bytes: f64) {
        if transaction.log_end == 0 {
            self.count_again(ASSIGN_REQUESTS);
        }
        let page = self.undo_pages[(row % self.undo_pages.len() as u64) as usize];
        self.fix(page).await;
        self.change(page, LOG_UNDO_BYTES + old_bytes).await;
    }

    fn leave_garbage(&self, garbage: Garbage) {
        if let Some(purge) = &self.purge {
            purge.add(&self.host, garbage);
        }
    }

    fn key(&self, table: usize, index: usize, row: u64) -> u64 {
        self.tables.borrow()[table].key_of(index, row)
    }

    fn kind(&self, table: usize, index: usize) -> IndexKind {
        self.tables.borrow()[table].indexes[index].kind
    }

    /// The leaf of a row's entry, fetched from the root down.
    pub(crate) async fn leaf(&self, table: usize, index: usize, row: u64) -> PageId {
        let key = self.key(table, index, row);
        self.leaf_of_key(table, index, key).await
    }

    /// The leaf of a key, fetched from the root down.
    pub(crate) async fn leaf_of_key(&self, table: usize, index: usize, key: u64) -> PageId {
        self.descend(table, index, key, Ending::Leaf).await;
        let tables = self.tables.borrow();
        let tree = &tables[table].indexes[index].tree;
        tree.leaf_page(tree.find(key))
    }

    /// From the root to the leaf that holds `key`.
    async fn descend(&self, table: usize, index: usize, key: u64, ending: Ending) -> Slot {
        let (slot, path, leaf, beside) = {
            let tables = self.tables.borrow();
            let tree = &tables[table].indexes[index].tree;
            let slot = tree.find(key);
            let rank = if ending == Ending::Beside { tree.rank(slot, key) } else { 1 };
            let beside = if ending == Ending::Leaf {
                None
            } else if rank == 0 {
                tree.previous_leaf(slot)
            } else if rank + 1 == tree.records_in(slot) {
                tree.next_leaf(slot)
            } else {
                None
            };
            let path = PathPages::of(tree.path(slot));
            (slot, path, tree.leaf_page(slot), beside.map(|slot| tree.leaf_page(slot)))
        };
        for page in path.iter() {
            self.fix(page).await;
        }
        self.fix(leaf).await;
        if let Some(page) = beside {
            self.fix(page).await;
        }
        slot
    }

    async fn insert_entry(&self, table: usize, index: usize, key: u64) {
        let (slot, path, leaf, kind, entry_bytes, may_split) = {
            let tables = self.tables.borrow();
            let live = &tables[table].indexes[index];
            let slot = live.tree.find(key);
            let path = PathPages::of(live.tree.path(slot));
            (slot, path, live.tree.leaf_page(slot), live.kind, live.entry_bytes, live.tree.may_split(slot))
        };
        for page in path.iter() {
            self.fix(page).await;
        }
        let buffered = self.settings.change_buffering
            && kind == IndexKind::NonUnique
            && !may_split
            && self.buffer.pool.borrow().find(leaf).is_none()
            && self.change_buffer.borrow().accepts(leaf);
        if buffered {
            self.buffer_change(leaf, entry_bytes).await;
            self.put_entry(table, index, slot, key);
            return;
        }
        self.fix(leaf).await;
        // A split makes a page; its frame is taken first, so that nobody meets the page without one.
        let spare = if may_split { Some(self.free_frame().await) } else { None };
        let inserted = self.put_entry(table, index, slot, key);
        match (inserted.split, spare) {
            (Some((page, moved)), Some(frame)) => {
                let before = self.log.end();
                self.log.append((f64::from(moved) * entry_bytes) as u64);
                self.buffer.create(page, frame, before);
                self.count_again(SPLIT_REQUESTS);
            }
            (None, Some(frame)) => self.buffer.pool.borrow_mut().give_back(frame),
            _ => {}
        }
        if inserted.leaf != leaf || spare.is_some() {
            self.fix(inserted.leaf).await;
        }
        self.change(inserted.leaf, entry_bytes + LOG_ENTRY_BYTES).await;
    }

    fn put_entry(&self, table: usize, index: usize, slot: Slot, key: u64) -> crate::tree::Inserted {
        let mut space = self.buffer.space.borrow_mut();
        let mut tables = self.tables.borrow_mut();
        tables[table].indexes[index].tree.insert_at(slot, key, &mut space, &mut self.chance.borrow_mut())
    }

    /// Keeps an insert for a leaf that is not in the pool (`ibuf_insert`).
    async fn buffer_change(&self, leaf: PageId, entry_bytes: f64) {
        let key = ChangeBuffer::key_of(leaf);
        let (path, own_leaf) = {
            let mut buffer = self.change_buffer.borrow_mut();
            buffer.added(leaf);
            let tree = buffer.tree();
            let slot = tree.find(key);
            (PathPages::of(tree.path(slot)), tree.leaf_page(slot))
        };
        for page in path.iter() {
            self.fix(page).await;
        }
        self.fix(own_leaf).await;
        let split = {
            let mut space = self.buffer.space.borrow_mut();
            let mut buffer = self.change_buffer.borrow_mut();
            buffer.tree().insert(key, &mut space, &mut self.chance.borrow_mut()).split
        };
        if let Some((page, _)) = split {
            let frame = self.free_frame().await;
            let end = self.log.append(u64::from(self.buffer.page_bytes()) / 2);
            self.buffer.create(page, frame, end);
        }
        self.change(own_leaf, entry_bytes + LOG_ENTRY_BYTES * 2.0).await;
    }

    /// The pages a statement uses, without using them.
    pub(crate) fn uses(&self, statement: &Statement, uses: &mut Vec<PageUse>) {
        let tables = self.tables.borrow();
        let live = &tables[statement.table()];
        let all = 0..live.indexes.len();
        // Leaves whose changes are buffered are not read, and what was not read is not there in the long run.
        let buffered = |index: usize| {
            self.short_of_frames.get()
                && self.settings.mark_buffering
                && live.indexes[index].kind == IndexKind::NonUnique
        };
        let mut descend = |index: usize, key: u64, changes: bool| {
            if !(changes && buffered(index)) {
                live.descend(index, key, changes, uses);
            }
        };
        match *statement {
            Statement::Select { index, row, .. } => {
                descend(index, live.key_of(index, row), false);
                if index != 0 {
                    descend(0, live.key_of(0, row), false);
                }
            }
            Statement::Range { index, row, rows, .. } => {
                descend(index, live.key_of(index, row), false);
                descend(index, live.key_of(index, row + u64::from(rows)), false);
            }
            Statement::Update { row, index, .. } => {
                descend(0, live.key_of(0, row), true);
                if let Some(index) = index {
                    descend(index, live.key_of(index, row), true);
                }
            }
            Statement::UpdateRange { row, .. } => descend(0, live.key_of(0, row), true),
            Statement::Delete { row, .. } | Statement::Insert { key: NewKey::Same(row), .. } => {
                all.for_each(|index| descend(index, live.key_of(index, row), true));
            }
            Statement::Insert { key, .. } => {
                let place = match key {
                    NewKey::After(row) => live.key_of(0, row),
                    _ => self.chance.borrow_mut().bits(),
                };
                all.for_each(|index| descend(index, place, true));
            }
            Statement::Scan { .. } | Statement::Append { .. } | Statement::MakeIndexes { .. } => {}
        }
    }
}
