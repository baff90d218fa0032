//! What Firebird does to rows: lookups, new versions, deletions, insertions (`vio.cpp`, `dpm.epp`, `btr.cpp`, `idx.cpp`
//! in `src/jrd`).

use crate::{
    firebird::Firebird,
    firebird_garbage::OldVersion,
    firebird_table::Placed,
    host::Host,
    pages::PageId,
    statement::{NewKey, Transaction},
};

/// Page requests of an update that measurements show and the steps below do not account for: 29 in all where the steps
/// come to 27, the same for tables of one index and of two, with and without waiting.
pub const UNEXPLAINED_UPDATE_REQUESTS: u32 = 2;

impl<H: Host> Firebird<H> {
    /// Looks up `rows` rows by an index: the index root page, the buckets from root to leaf (`BTR_find_page`), then each
    /// row.
    pub(crate) async fn select(&self, table: usize, index: usize, row: u64, rows: u32) {
        self.cpu(self.costs.select_ns).await;
        self.seek(table, index, row).await;
        self.work(4 + 2 * u64::from(rows)).await;
        for step in 0..u64::from(rows) {
            let row = self.tables.borrow()[table].row_after(index, row, step);
            self.get(table, row).await;
        }
    }

    async fn seek(&self, table: usize, index: usize, row: u64) {
        let (root, indexed) = {
            let tables = self.tables.borrow();
            (tables[table].index_root, index < tables[table].indexes.len())
        };
        if indexed {
            self.fetch(root).await;
            self.descend(table, index, row).await;
        }
    }

    /// The buckets from the root to the leaf of a row's key.
    pub(crate) fn path(&self, table: usize, index: usize, row: u64) -> Vec<PageId> {
        let tables = self.tables.borrow();
        let live = &tables[table].indexes[index];
        live.descent(live.tree.find(tables[table].key_of(index, row))).collect()
    }

    /// Goes from the root bucket to the leaf of a row's key.
    async fn descend(&self, table: usize, index: usize, row: u64) {
        for page in self.path(table, index, row) {
            self.fetch(page).await;
        }
    }

    /// Reads a row (`DPM_get`): its data page, found through its pointer page unless the table remembers where it is.
    async fn get(&self, table: usize, row: u64) -> u32 {
        let (number, known, pointer, data) = {
            let mut tables = self.tables.borrow_mut();
            let live = &mut tables[table];
            let number = live.data_page_of(row);
            (number, live.remember(number), live.pointer_page(number), live.data_page(number))
        };
        if !known {
            self.fetch(pointer).await;
        }
        self.fetch(data).await;
        number
    }

    fn pages_of(&self, table: usize, number: u32) -> (PageId, PageId, PageId) {
        let tables = self.tables.borrow();
        let live = &tables[table];
        (live.pointer_page(number), live.data_page(number), live.index_root)
    }

    /// Tells the pointer page what the data page says of itself (`mark_full`): both are fetched anew.
    async fn mark_full(&self, pointer: PageId, data: PageId) {
        self.fetch(pointer).await;
        self.fetch(data).await;
        self.cache.precede(pointer, data);
    }

    /// A swept page that is changed is swept no longer, and its pointer page has to know.
    async fn unsweep(&self, transaction: &mut Transaction, table: usize, number: u32) {
        let (pointer, data, _) = self.pages_of(table, number);
        let was_swept = self.tables.borrow_mut()[table].set_swept(number, false);
        if was_swept {
            self.mark_full(pointer, data).await;
            self.change(transaction, pointer).await;
        }
    }

    /// Looks up `rows` rows by the first index and changes them (`VIO_modify`). The old version, as differences, goes to
    /// the row's own page, where room is kept for it (`prepare_update`); then the row is fetched again and replaced.
    pub(crate) async fn update(
        &self,
        transaction: &mut Transaction,
        table: usize,
        row: u64,
        rows: u32,
        index: Option<usize>,
    ) {
        self.cpu(self.costs.select_ns).await;
        self.seek(table, 0, row).await;
        self.work(4 + 8 * u64::from(rows)).await;
        for step in 0..u64::from(rows) {
            let row = self.tables.borrow()[table].row_after(0, row, step);
            let number = self.get(table, row).await;
            let (pointer, data, root) = self.pages_of(table, number);
            self.fetch(pointer).await;
            self.fetch(data).await;
            self.change(transaction, data).await;
            self.unsweep(transaction, table, number).await;
            self.get(table, row).await;
            self.change(transaction, data).await;
            for _ in 0..UNEXPLAINED_UPDATE_REQUESTS {
                self.fetch(data).await;
            }
            // `IDX_modify` compares the keys of all indexes.
            self.fetch(root).await;
            if let Some(index) = index {
                self.insert_entry(transaction, table, index, row).await;
            }
            let version = OldVersion { transaction: transaction.number, row, deleted: false };
            self.garbage.note(table, number, version);
        }
    }

    /// Looks up a row by the first index and deletes it (`VIO_erase`): a stub takes its place, the row becomes its old
    /// version on the same page (`DPM_chain`). The index entries stay until they are collected.
    pub(crate) async fn delete(&self, transaction: &mut Transaction, table: usize, row: u64) {
        self.cpu(self.costs.select_ns).await;
        self.seek(table, 0, row).await;
        self.work(10).await;
        let number = self.get(table, row).await;
        let (_, data, root) = self.pages_of(table, number);
        self.get(table, row).await;
        self.change(transaction, data).await;
        self.unsweep(transaction, table, number).await;
        self.fetch(root).await;
        self.garbage.note(table, number, OldVersion { transaction: transaction.number, row, deleted: true });
    }

    /// Stores a row on the last data page that had room (`rel_last_free_pri_dp`), or on the next one, and an entry in
    /// each index.
    pub(crate) async fn insert(&self, transaction: &mut Transaction, table: usize, key: NewKey) {
        self.cpu(self.costs.select_ns).await;
        let placed = {
            let mut space = self.cache.buffer.space.borrow_mut();
            let mut tables = self.tables.borrow_mut();
            tables[table].add_row(key, &mut space, &mut self.chance.borrow_mut())
        };
        let indexes = self.tables.borrow()[table].indexes.len();
        self.work(2 + 4 * indexes as u64).await;
        self.store(transaction, table, placed).await;
        // `BTR_next_index` fetches the root page before each index and after the last.
        let root = self.tables.borrow()[table].index_root;
        self.fetch(root).await;
        for index in 0..indexes {
            self.insert_entry(transaction, table, index, placed.row).await;
            self.fetch(root).await;
        }
    }

    /// Puts a new row where it belongs, on a new page where the last one is full.
    pub(crate) async fn store(&self, transaction: &mut Transaction, table: usize, placed: Placed) {
        let (pointer, data, _) = self.pages_of(table, placed.data_page);
        if let Some(full) = placed.full {
            let (full_pointer, full_data, _) = self.pages_of(table, full);
            self.fetch(full_data).await;
            self.change(transaction, full_data).await;
            self.mark_full(full_pointer, full_data).await;
            self.change(transaction, full_pointer).await;
            // The empty page is found twice, the second time to change its pointer page.
            self.fetch(pointer).await;
            self.fetch(pointer).await;
            self.change(transaction, pointer).await;
            self.create(data).await;
        } else {
            self.fetch(data).await;
        }
        self.change(transaction, data).await;
        self.unsweep(transaction, table, placed.data_page).await;
    }

    /// Puts a row's key into an index (`BTR_insert`): a root that is a leaf is fetched again to be changed.
    async fn insert_entry(&self, transaction: &mut Transaction, table: usize, index: usize, row: u64) {
        self.descend(table, index, row).await;
        let (leaf, inserted, single) = {
            let mut space = self.cache.buffer.space.borrow_mut();
            let mut tables = self.tables.borrow_mut();
            let live = &mut tables[table];
            let key = live.key_of(index, row);
            let single = live.indexes[index].is_single();
            let tree = &mut live.indexes[index].tree;
            let slot = tree.find(key);
            let leaf = tree.leaf_page(slot);
            (leaf, tree.insert_at(slot, key, &mut space, &mut self.chance.borrow_mut()), single)
        };
        if single {
            self.fetch(leaf).await;
        }
        if let Some((page, _)) = inserted.split {
            self.create(page).await;
            self.change(transaction, page).await;
            self.change(transaction, leaf).await;
            let parent = {
                let tables = self.tables.borrow();
                let live = &tables[table].indexes[index];
                let slot = live.tree.find(tables[table].key_of(index, row));
                live.tree.path(slot).last()
            };
            if let Some(parent) = parent {
                self.fetch(parent).await;
                self.change(transaction, parent).await;
            }
        } else {
            self.change(transaction, inserted.leaf).await;
        }
    }

    /// Reads a whole table, page by page through its pointer pages.
    pub(crate) async fn scan(&self, table: usize) {
        let pages = self.tables.borrow()[table].data_page_count();
        for number in 0..pages {
            let (pointer, data, _) = self.pages_of(table, number);
            self.fetch(pointer).await;
            self.fetch(data).await;
            self.work(2).await;
        }
    }
}
