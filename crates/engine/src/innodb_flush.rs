//! How InnoDB 5.1 gets rid of dirty pages: user threads flush the old end of the LRU list when they find too few
//! clean frames, and the oldest changes when the log runs short; a master thread does a little beside.

use crate::{
    host::{Cause, FileAccess, FileRequest, Host, charged, transfer},
    innodb::Innodb,
    pages::FileId,
    pool::{Frame, Pool},
};

/// `BUF_FLUSH_FREE_BLOCK_MARGIN`: replaceable frames wanted at the old end, 5 plus a read-ahead area of 64.
const FREE_MARGIN: u32 = 69;
/// `BUF_FLUSH_EXTRA_MARGIN`: flushed beyond the margin.
const EXTRA_MARGIN: u32 = 117;
/// `BUF_LRU_FREE_SEARCH_LEN`: how far from the old end frames are counted.
const FREE_SEARCH_LENGTH: u32 = 133;
/// `BUF_FLUSH_AREA`: neighbours within an extent of 64 pages are flushed along.
pub const NEIGHBOUR_RUN: u32 = 64;
/// Pages of the doublewrite buffer, written as two blocks of 64.
const DOUBLEWRITE_PAGES: usize = 128;
/// Pages a second the master thread allows itself (`srv_io_capacity` of later versions; 100 is built in here).
const MASTER_PAGES: u32 = 100;

impl<H: Host> Innodb<H> {
    /// An empty frame (`buf_LRU_get_free_block`).
    pub(crate) async fn free_frame(&self) -> Frame {
        if let Some(cleaner) = &self.cleaner {
            return self.free_frame_kept(cleaner).await;
        }
        if let Some(flushing) = &self.flushing {
            return self.free_frame_of_instance(flushing).await;
        }
        let mut round = 0u32;
        loop {
            let found = {
                let mut pool = self.buffer.pool.borrow_mut();
                let depth =
                    (100 + u64::from(round) * u64::from(pool.size()) / 10).min(u64::from(pool.size()));
                pool.take_free().or_else(|| pool.take_victim(depth as u32))
            };
            if let Some(frame) = found {
                return frame;
            }
            let since = self.host.now();
            charged(&self.host, Cause::FreeFrame, self.flush_lru(FREE_MARGIN + EXTRA_MARGIN)).await;
            if self.host.now() == since {
                // Everything at the old end is on its way to the device; time has to pass.
                charged(&self.host, Cause::FreeFrame, self.host.sleep(1_000_000)).await;
            }
            round += 1;
        }
    }

    /// Flushes the old end of the LRU list if it holds too few replaceable frames (`buf_flush_free_margin`).
    pub(crate) async fn flush_free_margin(&self) {
        if self.cleaner.is_some() || self.flushing.is_some() {
            return;
        }
        let replaceable = {
            let pool = self.buffer.pool.borrow();
            let free = pool.free_frames();
            if free >= FREE_MARGIN {
                return;
            }
            free + pool.replaceable_near_end(FREE_SEARCH_LENGTH, FREE_MARGIN)
        };
        if replaceable < FREE_MARGIN {
            let want = FREE_MARGIN + EXTRA_MARGIN - replaceable;
            charged(&self.host, Cause::FreeFrame, self.flush_lru(want)).await;
        }
    }

    /// One batch from the old end. Only one runs at a time; who comes meanwhile waits for its end.
    async fn flush_lru(&self, want: u32) {
        if self.lru_flush_running.replace(true) {
            self.lru_flush_ended.wait(&self.host).await;
            return;
        }
        let frames = {
            let mut pool = self.buffer.pool.borrow_mut();
            let depth = (want * 8).max(1024).min(pool.size());
            let seeds = pool.candidates(0, depth, want as usize, |pool, frame| pool.is_dirty(frame));
            self.with_neighbours(&mut pool, &seeds, want, true)
        };
        self.write_pages(&frames).await;
        self.lru_flush_running.set(false);
        self.lru_flush_ended.wake_all(&self.host);
    }

    /// One batch of the pages changed first, up to `want` and changed before `before`; `false` where one runs.
    pub(crate) async fn flush_list(&self, want: u32, before: u64) -> bool {
        if self.list_flush_running.replace(true) {
            return false;
        }
        let frames = {
            let mut pool = self.buffer.pool.borrow_mut();
            let seeds = pool.oldest_dirty(want, before);
            self.with_neighbours(&mut pool, &seeds, want, false)
        };
        self.write_pages(&frames).await;
        self.list_flush_running.set(false);
        self.list_flush_ended.wake_all(&self.host);
        true
    }

    /// The seeds and the dirty pages beside them (`buf_flush_try_neighbors`), marked as being written. For a flush
    /// of the LRU list only neighbours in its old part count.
    fn with_neighbours(&self, pool: &mut Pool, seeds: &[Frame], want: u32, only_old: bool) -> Vec<Frame> {
        let space = self.buffer.space.borrow();
        let mut frames = Vec::new();
        for seed in seeds {
            if frames.len() as u32 >= want {
                break;
            }
            if !pool.is_dirty(*seed) {
                continue;
            }
            for page in space.neighbours(pool.page(*seed), NEIGHBOUR_RUN) {
                let Some(frame) = pool.find(*page) else { continue };
                if (frame == *seed || !only_old || pool.is_old(frame)) && pool.begin_write(frame) {
                    frames.push(frame);
                }
            }
        }
        frames
    }

    /// Writes pages through the doublewrite buffer (`buf_flush_buffered_writes`): the log up to the pages' changes,
    /// the copies and a sync, the pages themselves by the one write thread, a sync of every file written to.
    async fn write_pages(&self, frames: &[Frame]) {
        for part in frames.chunks(DOUBLEWRITE_PAGES) {
            self.doublewrite_lock.enter(&self.host).await;
            self.log.flush_to(&self.host, self.log.end(), true).await;
            self.host.cpu(self.costs.page_write_ns * part.len() as u64).await;
            if self.settings.doublewrite {
                self.write_copies(part.len()).await;
            }
            let mut order: Vec<(FileId, u32, Frame)> = {
                let (pool, space) = (self.buffer.pool.borrow(), self.buffer.space.borrow());
                part.iter()
                    .map(|frame| {
                        let (file, number) = space.place(pool.page(*frame));
                        (file, number, *frame)
                    })
                    .collect()
            };
            order.sort_unstable();
            for (_, _, frame) in &order {
                let ticket = self.buffer.start_write(&self.host, *frame);
                self.host.done(ticket).await;
            }
            order.dedup_by_key(|(file, ..)| *file);
            for (file, ..) in &order {
                self.sync(*file).await;
            }
            part.iter().for_each(|frame| self.buffer.written(&self.host, *frame));
            self.doublewrite_lock.leave(&self.host);
        }
    }

    /// Copies `pages` pages into the doublewrite buffer.
    pub(crate) async fn write_copies(&self, pages: usize) {
        for block in 0..pages.div_ceil(DOUBLEWRITE_PAGES / 2) {
            let first = block * DOUBLEWRITE_PAGES / 2;
            let count = (pages - first).min(DOUBLEWRITE_PAGES / 2) as u32;
            let page_bytes = self.buffer.page_bytes();
            let request = FileRequest {
                file: self.system_file,
                access: FileAccess::Write,
                // The buffer lies in the second megabyte of the system tablespace.
                offset: u64::from(page_bytes) * (64 + first as u64),
                bytes: count * page_bytes,
            };
            transfer(&self.host, request).await;
        }
        self.sync(self.system_file).await;
    }

    pub(crate) async fn sync(&self, file: FileId) {
        self.data_syncs.set(self.data_syncs.get() + 1);
        transfer(&self.host, FileRequest { file, access: FileAccess::Sync, offset: 0, bytes: 0 }).await;
    }

    /// Keeps the log from overtaking the oldest change that is not on the device (`log_check_margins`): from the
    /// first age on one thread flushes, from the second on all wait.
    pub(crate) async fn log_free_check(&self) {
        if let Some(cleaner) = &self.cleaner {
            return self.wait_for_checkpoint(cleaner).await;
        }
        if let Some(flushing) = &self.flushing {
            return self.wait_for_log_room(flushing).await;
        }
        loop {
            let age = self.checkpoint_age();
            let end = self.log.end();
            if age > self.ages.modified_sync {
                let advance = 2 * (age - self.ages.modified_sync);
                let before = end - age + advance;
                let since = self.host.now();
                charged(&self.host, Cause::Checkpoint, async {
                    if !self.flush_list(u32::MAX, before).await {
                        self.list_flush_ended.wait(&self.host).await;
                    }
                    if self.host.now() == since {
                        self.host.sleep(1_000_000).await;
                    }
                })
                .await;
                if self.checkpoint_age() <= self.ages.checkpoint_max {
                    return;
                }
            } else {
                if age > self.ages.modified_async {
                    let before = end - self.ages.modified_async;
                    charged(&self.host, Cause::Checkpoint, async {
                        self.flush_list(u32::MAX, before).await;
                    })
                    .await;
                }
                return;
            }
        }
    }

    /// The master thread (`srv_master_thread`): once a second, and every ten seconds.
    pub async fn master_thread(&self) {
        let mut transfers_before = [0; 2];
        let mut second = 0u32;
        let mut skip_sleep = false;
        loop {
            if !std::mem::take(&mut skip_sleep) {
                self.host.sleep(1_000_000_000).await;
            }
            second = (second + 1) % 10;
            self.log.flush_to(&self.host, self.log.end(), true).await;
            if self.transfers() - std::mem::replace(&mut transfers_before[0], self.transfers()) < 5 {
                self.merge_changes(5).await;
            }
            if self.dirty_percent() > self.settings.max_dirty_percent {
                self.flush_list(MASTER_PAGES, u64::MAX).await;
                skip_sleep = true;
            }
            if second == 0 {
                let past = self.transfers() - std::mem::replace(&mut transfers_before[1], self.transfers());
                if past < 200 {
                    self.flush_list(MASTER_PAGES, u64::MAX).await;
                }
                self.merge_changes(5).await;
                let pages = if self.dirty_percent() > 70.0 { MASTER_PAGES } else { MASTER_PAGES / 10 };
                self.flush_list(pages, u64::MAX).await;
            }
        }
    }

    fn transfers(&self) -> u64 {
        let (reads, writes) = self.buffer.transfers();
        reads + writes
    }

    fn dirty_percent(&self) -> f64 {
        let pool = self.buffer.pool.borrow();
        f64::from(pool.dirty_frames()) * 100.0 / f64::from(pool.size())
    }

    /// Reads leaves that have entries waiting; reading merges them (`ibuf_contract_for_n_pages`).
    async fn merge_changes(&self, leaves: usize) {
        let pages = self.change_buffer.borrow_mut().next_leaves(leaves);
        for page in pages {
            self.fix(page).await;
        }
    }
}
