//! CUBRID's vacuum: it follows the log block by block and takes the inserters' numbers out of rows and index entries
//! (`vacuum.c`, release 11.3.2).

use crate::{
    cubrid::Cubrid,
    cubrid_settings::PAGE_BYTES,
    cubrid_versions::VACUUM_BLOCK_PAGES,
    host::{Host, WaitQueue},
    pages::PageId,
};
use std::{cell::RefCell, collections::VecDeque};

/// Pause of the master between two looks for blocks (`vacuum_master_wakeup_interval`).
const MASTER_PAUSE_NS: u64 = 10_000_000;
/// Log of an entry and of a heap page that vacuum has been to.
const LOG_ENTRY_BYTES: f64 = 200.0;
const LOG_PAGE_BYTES: f64 = 100.0;
/// Bytes of log in a block.
pub const BLOCK_BYTES: u64 = VACUUM_BLOCK_PAGES * PAGE_BYTES as u64;

/// Rows inserted in a log block: table and row.
type Block = Vec<(usize, u64)>;

/// What there is to vacuum.
#[derive(Debug, Default)]
pub(crate) struct Vacuum {
    /// Blocks by their number in the log, the last one still being filled.
    blocks: RefCell<VecDeque<(u64, Block)>>,
    jobs: RefCell<VecDeque<Block>>,
    job_ready: WaitQueue,
}

impl Vacuum {
    /// Notes a row whose insert is logged up to `sequence`.
    pub(crate) fn inserted(&self, sequence: u64, table: usize, row: u64) {
        let number = sequence / BLOCK_BYTES;
        let mut blocks = self.blocks.borrow_mut();
        if blocks.back().is_none_or(|(last, _)| *last < number) {
            blocks.push_back((number, Vec::new()));
        }
        if let Some((_, rows)) = blocks.back_mut() {
            rows.push((table, row));
        }
    }

    /// Takes the oldest block, if it is full and the log is written beyond its beginning: vacuum reads the log from the
    /// device (`is_cursor_entry_ready_to_vacuum`).
    fn take_full(&self, end: u64, written: u64) -> Option<Block> {
        let mut blocks = self.blocks.borrow_mut();
        let number = blocks.front()?.0;
        let is_full = end >= (number + 1) * BLOCK_BYTES;
        let is_written = written > number * BLOCK_BYTES + u64::from(PAGE_BYTES);
        if is_full && is_written { blocks.pop_front().map(|(_, rows)| rows) } else { None }
    }
}

impl<H: Host> Cubrid<H> {
    /// The master: hands full blocks to the workers.
    pub(crate) async fn vacuum_master(&self) {
        loop {
            self.host.sleep(MASTER_PAUSE_NS).await;
            while let Some(block) = self.vacuum.take_full(self.log.end(), self.log.written()) {
                self.vacuum.jobs.borrow_mut().push_back(block);
                self.vacuum.job_ready.wake_one(&self.host);
            }
        }
    }

    /// A worker: block after block.
    pub(crate) async fn vacuum_worker(&self) {
        if let Some(lists) = self.buffer.pool.borrow_mut().quota() {
            lists.assign(self.host.task().0, true);
        }
        loop {
            let job = self.vacuum.jobs.borrow_mut().pop_front();
            let Some(job) = job else {
                self.vacuum.job_ready.wait(&self.host).await;
                continue;
            };
            self.vacuum_block(job).await;
        }
    }

    /// Entries in the order of the log, each by a search from the root; then the heap, page by page.
    async fn vacuum_block(&self, rows: Block) {
        let mut pages: Vec<PageId> = Vec::new();
        for (table, row) in rows {
            let (entries, page) = {
                let tables = self.tables.borrow();
                (tables[table].indexes.len(), tables[table].heap_page(row))
            };
            pages.extend(page);
            for index in 0..entries {
                self.host.cpu(self.costs.index_entry_ns).await;
                let key = self.tables.borrow()[table].key_of(index, row);
                let (_, leaf) = self.descend_once(table, index, key).await;
                self.change(leaf, LOG_ENTRY_BYTES).await;
            }
        }
        pages.sort_unstable();
        pages.dedup();
        for page in pages {
            self.host.cpu(self.costs.index_entry_ns).await;
            self.fix(page).await;
            self.change(page, LOG_PAGE_BYTES).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_vacuumed_once_it_is_full_and_its_beginning_written() {
        let vacuum = Vacuum::default();
        vacuum.inserted(10, 0, 1);
        vacuum.inserted(BLOCK_BYTES - 1, 0, 2);
        vacuum.inserted(BLOCK_BYTES + 5, 0, 3);
        assert_eq!(vacuum.take_full(BLOCK_BYTES - 1, BLOCK_BYTES - 1), None, "still being filled");
        assert_eq!(vacuum.take_full(BLOCK_BYTES + 5, 0), None, "not written");
        assert_eq!(vacuum.take_full(BLOCK_BYTES + 5, BLOCK_BYTES), Some(vec![(0, 1), (0, 2)]));
        assert_eq!(vacuum.take_full(BLOCK_BYTES + 5, BLOCK_BYTES + 5), None, "the next one is not full");
    }
}
