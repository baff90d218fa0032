//! Loading a Firebird database: rows first, indexes afterwards (`IDX_create_index`, `sort.cpp`, `fast_load` in `btr.cpp`).

use crate::{
    firebird::Firebird,
    host::{Cause, FileAccess, FileRequest, Host, charged},
    pages::{FileId, PageId},
    statement::{NewKey, Transaction},
};

/// Memory that sorts of the server may use before they write (`TempCacheLimit`, 64 MiB in 2.5 and 3.0).
pub(crate) const SORT_MEMORY_BYTES: u64 = 64 << 20;
/// Temporary files grow and are read in such blocks (`TempBlockSize`).
const SORT_BLOCK_BYTES: u64 = 1 << 20;
/// What a sort keeps with each key: two links and a record number (`sort_record`, `index_sort_record`).
pub(crate) const SORT_RECORD_BYTES: f64 = 24.0;
/// Page requests' worth of work for each key: it is made, goes through the sort, and is put into a bucket.
const KEY_WORK: u64 = 2;
/// The file that sorts write, behind the database.
const SORT_FILE: FileId = FileId(1);

impl<H: Host> Firebird<H> {
    /// Stores `rows` rows behind the others; what a statement costs falls due once.
    pub(crate) async fn append(&self, transaction: &mut Transaction, table: usize, rows: u32) {
        self.cpu(self.costs.select_ns).await;
        for _ in 0..rows {
            let placed = {
                let mut space = self.cache.buffer.space.borrow_mut();
                let mut tables = self.tables.borrow_mut();
                tables[table].add_row(NewKey::Random, &mut space, &mut self.chance.borrow_mut())
            };
            self.work(2).await;
            self.store(transaction, table, placed).await;
        }
    }

    /// Makes the indexes that a table of a load is still without: for each, the table is read, its keys are sorted, and
    /// buckets are written from left to right.
    pub(crate) async fn make_indexes(&self, transaction: &mut Transaction, table: usize) {
        let count = self.tables.borrow()[table].indexes_to_make();
        for _ in 0..count {
            self.scan(table).await;
            let rows = self.tables.borrow()[table].rows;
            self.work(KEY_WORK * rows).await;
            let made = {
                let mut space = self.cache.buffer.space.borrow_mut();
                self.tables.borrow_mut()[table].make_index(&mut space, &mut self.chance.borrow_mut())
            };
            let Some(made) = made else { return };
            self.sort(libm::round(rows as f64 * made.sort_bytes) as u64).await;
            for page in made.pages {
                self.create(page).await;
                self.change(transaction, page).await;
            }
            let root: PageId = self.tables.borrow()[table].index_root;
            self.fetch(root).await;
            self.change(transaction, root).await;
        }
    }

    /// Writes and reads back what a sort of so many bytes has no memory for: all of it.
    async fn sort(&self, bytes: u64) {
        if bytes <= self.sort_memory {
            return;
        }
        for (access, cause) in [(FileAccess::Write, Cause::FreeFrame), (FileAccess::Read, Cause::Read)] {
            for offset in (0..bytes).step_by(SORT_BLOCK_BYTES as usize) {
                let length = SORT_BLOCK_BYTES.min(bytes - offset) as u32;
                let ticket = self.host.submit(FileRequest { file: SORT_FILE, access, offset, bytes: length });
                charged(&self.host, cause, self.host.done(ticket)).await;
            }
        }
    }
}
