//! The page cleaner of MariaDB 10.11: keeps a list of free frames, writes old changes so that the log can be reused,
//! and takes checkpoints.
//!
//! The order of steps follows `buf_flush_page_cleaner` of `buf0flu.cc`; function names in comments are its own.

use crate::{
    host::{Cause, FileAccess, FileRequest, Host, WaitQueue, charged, transfer},
    innodb::Innodb,
    pages::{FileId, PageId},
    parameters::{BadValue, Parameters},
    pool::Frame,
    profile::Profile,
};
use spindle_units::SECOND;
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeSet, HashSet, VecDeque},
};

/// How often the clock looks whether the page cleaner's second is over.
const CLOCK_NS: u64 = 100_000_000;
/// `buf_flush_lsn_scan_factor`.
const SCAN_FACTOR: u64 = 3;
/// A list this short is not shortened further (`BUF_LRU_MIN_LEN`): a pool smaller than what is to be kept free would
/// otherwise be emptied for ever.
const LRU_MIN: u32 = 256;
/// A user thread that finds no free frame looks this deep for a clean one (`buf_LRU_scan_and_free_block`).
const VICTIM_DEPTH: u32 = 100;
/// Pages of the doublewrite buffer: two blocks of 1 MiB (`buf_dblwr_t`).
pub const DOUBLEWRITE_PAGES: usize = 128;
/// With the system's asynchronous I/O a whole batch is under way at a time.
const NATIVE_WRITES: usize = DOUBLEWRITE_PAGES;
/// Longest a wait for older changes asks for at once (`log_checkpoint_margin`).
const MARGIN_STEP: u64 = 1 << 20;
/// Log of a checkpoint: `FILE_CHECKPOINT` and the names of changed files.
const LOG_CHECKPOINT_BYTES: u64 = 16;

/// The page cleaner's settings and what it keeps in mind.
#[derive(Debug)]
pub(crate) struct PageCleaner {
    scan_depth: u32,
    io_capacity: u64,
    io_capacity_max: u64,
    low_water_percent: f64,
    average_loops: u32,
    neighbours: bool,
    /// Writes under way at a time. Without the system's asynchronous I/O they are made by a pool of threads, which wakes
    /// no other while more than twice as many as there are processors run (`maybe_wake_or_create_thread`).
    writes_at_once: usize,
    asleep: WaitQueue,
    deadline: Cell<u64>,
    /// Nothing to do: it sleeps until frames run short or the log does. Dirty pages alone do not wake it.
    idle: Cell<bool>,
    /// Somebody waits until changes before this are written; 0 where nobody does.
    sync_limit: Cell<u64>,
    /// Changes before this are to be written soon.
    async_limit: Cell<u64>,
    flushed: WaitQueue,
    freed: WaitQueue,
    checkpoint: Cell<u64>,
    unsynced: RefCell<BTreeSet<FileId>>,
    to_write: RefCell<VecDeque<Frame>>,
    unwritten: Cell<usize>,
    writers: WaitQueue,
    all_written: WaitQueue,
    rates: RefCell<Rates>,
}

/// Averages over some thirty seconds (`page_cleaner_flush_pages_recommendation`).
#[derive(Debug, Default)]
struct Rates {
    since: Option<(u64, u64)>,
    pages: u64,
    passes: u32,
    page_rate: u64,
    log_rate: u64,
}

impl PageCleaner {
    /// A page cleaner, if the version has one.
    pub(crate) fn new(
        profile: &Profile,
        parameters: &Parameters,
        processors: u32,
    ) -> Result<Option<Self>, BadValue> {
        let earlier = profile.parameter("innodb_lru_scan_depth").is_none();
        if earlier || profile.parameter("innodb_page_cleaners").is_some() {
            return Ok(None);
        }
        let value = |name| profile.value(parameters, name);
        let threads = value("innodb_write_io_threads")? as usize;
        let native = value("innodb_use_native_aio")? > 0.0;
        let pool = 2 * processors as usize + 1;
        Ok(Some(Self {
            scan_depth: value("innodb_lru_scan_depth")? as u32,
            io_capacity: value("innodb_io_capacity")? as u64,
            io_capacity_max: value("innodb_io_capacity_max")? as u64,
            low_water_percent: value("innodb_adaptive_flushing_lwm")?,
            average_loops: value("innodb_flushing_avg_loops")? as u32,
            neighbours: value("innodb_flush_neighbors")? > 0.0,
            writes_at_once: if native { NATIVE_WRITES } else { threads.min(pool) },
            asleep: WaitQueue::default(),
            deadline: Cell::new(SECOND),
            idle: Cell::new(true),
            sync_limit: Cell::new(0),
            async_limit: Cell::new(0),
            flushed: WaitQueue::default(),
            freed: WaitQueue::default(),
            checkpoint: Cell::new(0),
            unsynced: RefCell::default(),
            to_write: RefCell::default(),
            unwritten: Cell::new(0),
            writers: WaitQueue::default(),
            all_written: WaitQueue::default(),
            rates: RefCell::default(),
        }))
    }

    /// How many write pages.
    pub(crate) fn writer_count(&self) -> usize {
        self.writes_at_once
    }

    /// Free frames on average: the list is filled up to the scan depth whenever it has fallen below half of it.
    pub(crate) fn mean_free(&self) -> u32 {
        self.scan_depth * 3 / 4
    }

    /// Whether a pool with so many free frames has been filled, so that the list has to be kept.
    pub(crate) fn runs_short_of(&self, free: u32) -> bool {
        free <= self.scan_depth
    }

    /// The log from this sequence number on is needed for recovery, and so much was written each second before. Once
    /// `woken` it goes on as long as there is something to do.
    pub(crate) fn begin_at(&self, checkpoint: u64, log_rate: u64, woken: bool) {
        self.checkpoint.set(checkpoint);
        self.rates.borrow_mut().log_rate = log_rate;
        self.idle.set(!woken);
    }
}

impl<H: Host> Innodb<H> {
    /// Asks for older changes to be written where the log is getting short (`log_close`).
    pub(crate) fn note_log_age(&self) {
        let Some(cleaner) = &self.cleaner else { return };
        let end = self.log.end();
        let age = end - cleaner.checkpoint.get();
        let limit = if age > self.ages.checkpoint_max {
            &cleaner.sync_limit
        } else if age > self.ages.modified_async {
            &cleaner.async_limit
        } else {
            return;
        };
        // `buf_flush_ahead`: changes older than the threshold are to be written.
        let before = end - self.ages.modified_async;
        if limit.get() < before {
            limit.set(before);
            if cleaner.idle.replace(false) || cleaner.sync_limit.get() > 0 {
                cleaner.asleep.wake_one(&self.host);
            }
        }
    }

    /// Waits while the log has no room (`log_checkpoint_margin`).
    pub(crate) async fn wait_for_checkpoint(&self, cleaner: &PageCleaner) {
        loop {
            let (end, checkpoint) = (self.log.end(), cleaner.checkpoint.get());
            if end - checkpoint <= self.ages.checkpoint_max {
                return;
            }
            let limit = (checkpoint + self.ages.checkpoint_max).min(checkpoint + MARGIN_STEP);
            cleaner.sync_limit.set(cleaner.sync_limit.get().max(limit));
            cleaner.asleep.wake_one(&self.host);
            charged(&self.host, Cause::Checkpoint, cleaner.flushed.wait(&self.host)).await;
        }
    }

    /// An empty frame (`buf_LRU_get_free_block`).
    pub(crate) async fn free_frame_kept(&self, cleaner: &PageCleaner) -> Frame {
        loop {
            let found = {
                let mut pool = self.buffer.pool.borrow_mut();
                if pool.free_frames() < cleaner.scan_depth / 2 {
                    cleaner.asleep.wake_one(&self.host);
                }
                pool.take_free().or_else(|| pool.take_victim(VICTIM_DEPTH))
            };
            if let Some(frame) = found {
                return frame;
            }
            cleaner.asleep.wake_one(&self.host);
            charged(&self.host, Cause::FreeFrame, cleaner.freed.wait(&self.host)).await;
        }
    }

    /// Wakes the page cleaner when its second is over.
    pub(crate) async fn page_cleaner_clock(&self) {
        let Some(cleaner) = &self.cleaner else { return };
        loop {
            self.host.sleep(CLOCK_NS).await;
            if !cleaner.idle.get() && self.host.now() >= cleaner.deadline.get() {
                cleaner.asleep.wake_one(&self.host);
            }
        }
    }

    /// Makes the log durable once a second (`innodb_flush_log_at_timeout`).
    pub(crate) async fn log_once_a_second(&self) {
        loop {
            self.host.sleep(SECOND).await;
            self.log.flush_to(&self.host, self.log.end(), true).await;
        }
    }

    /// The page cleaner (`buf_flush_page_cleaner`).
    pub(crate) async fn page_cleaner(&self) {
        let Some(cleaner) = &self.cleaner else { return };
        let mut last_pages = 0;
        loop {
            if cleaner.sync_limit.get() == 0 && !self.frames_run_short(cleaner) {
                cleaner.asleep.wait(&self.host).await;
            }
            cleaner.deadline.set(self.host.now() + SECOND);
            if cleaner.sync_limit.get() > 0 {
                self.flush_for_checkpoint(cleaner).await;
                last_pages = 0;
                continue;
            }
            let oldest = self.buffer.pool.borrow().oldest_change();
            let Some(oldest) = oldest else {
                cleaner.idle.set(true);
                if self.frames_run_short(cleaner) {
                    self.flush_tail(cleaner, cleaner.io_capacity_max).await;
                }
                continue;
            };
            if oldest >= cleaner.async_limit.get() {
                cleaner.async_limit.set(0);
            }
            let soft_limit = cleaner.async_limit.get();
            if soft_limit == 0 && self.frames_run_short(cleaner) {
                cleaner.idle.set(false);
                self.wait_for_writers(cleaner).await;
                last_pages += self.flush_tail(cleaner, cleaner.io_capacity_max).await;
                self.take_checkpoint(cleaner).await;
                continue;
            }
            if soft_limit == 0 && !self.changes_have_to_go(cleaner, oldest) {
                cleaner.idle.set(true);
                self.take_checkpoint(cleaner).await;
                continue;
            }
            cleaner.idle.set(false);
            let flushed = if soft_limit > 0 {
                self.flush_oldest(cleaner, cleaner.io_capacity_max, soft_limit).await
            } else {
                let pages = self.pages_to_flush(cleaner, last_pages, oldest);
                last_pages = self.flush_oldest(cleaner, pages, u64::MAX).await;
                last_pages
            };
            let rest = cleaner.io_capacity_max.saturating_sub(flushed);
            let most = rest.max(cleaner.io_capacity_max.min(u64::from(cleaner.scan_depth)));
            last_pages += self.flush_tail(cleaner, most).await;
            self.take_checkpoint(cleaner).await;
        }
    }

    /// `buf_pool_t::need_LRU_eviction`.
    fn frames_run_short(&self, cleaner: &PageCleaner) -> bool {
        let pool = self.buffer.pool.borrow();
        !cleaner.freed.is_empty()
            || (pool.used_frames() > LRU_MIN && pool.free_frames() < cleaner.scan_depth / 2)
    }

    /// Whether there are too many dirty pages, or too old ones (`af_needed_for_redo`).
    fn changes_have_to_go(&self, cleaner: &PageCleaner, oldest: u64) -> bool {
        let dirty = {
            let pool = self.buffer.pool.borrow();
            f64::from(pool.dirty_frames()) * 100.0 / f64::from(pool.size())
        };
        let low_water = cleaner.low_water_percent / 100.0 * self.ages.capacity as f64;
        dirty >= self.settings.max_dirty_percent || (self.log.end() - oldest) as f64 > low_water
    }

    /// How many pages to write in this pass: a third each of the I/O capacity, of what was written on average, and of
    /// what the log's growth calls for (`page_cleaner_flush_pages_recommendation`).
    fn pages_to_flush(&self, cleaner: &PageCleaner, last_pages: u64, oldest: u64) -> u64 {
        let mut rates = cleaner.rates.borrow_mut();
        let (now, end) = (self.host.now(), self.log.end());
        let Some((since, log_then)) = rates.since else {
            rates.since = Some((now, end));
            let for_log = self.pages_for_log(cleaner, oldest, rates.log_rate);
            if rates.log_rate > 0 {
                // Under a steady load the average settles where the three thirds make it.
                rates.page_rate = (cleaner.io_capacity + for_log) / 2;
            }
            let dirty = u64::from(self.buffer.pool.borrow().dirty_frames());
            return dirty.min(cleaner.io_capacity);
        };
        rates.pages += last_pages;
        rates.passes += 1;
        let seconds = ((now - since) / SECOND).max(1);
        if rates.passes >= cleaner.average_loops || seconds >= u64::from(cleaner.average_loops) {
            rates.page_rate = (rates.pages / seconds + rates.page_rate) / 2;
            rates.log_rate = ((end - log_then) / seconds + rates.log_rate) / 2;
            rates.since = Some((now, end));
            (rates.passes, rates.pages) = (0, 0);
        }
        let for_log = self.pages_for_log(cleaner, oldest, rates.log_rate);
        ((cleaner.io_capacity + rates.page_rate + for_log) / 3).min(cleaner.io_capacity_max)
    }

    /// Pages that have to be written each second to keep up with a log that grows by `log_rate` bytes a second.
    fn pages_for_log(&self, cleaner: &PageCleaner, oldest: u64, log_rate: u64) -> u64 {
        let target = oldest + log_rate * SCAN_FACTOR;
        let before_target = self.buffer.pool.borrow().count_oldest(target, cleaner.io_capacity_max);
        (before_target / SCAN_FACTOR).max(1)
    }

    /// Writes until somebody who waits for room in the log can go on (`buf_flush_sync_for_checkpoint`).
    async fn flush_for_checkpoint(&self, cleaner: &PageCleaner) {
        let limit = cleaner.sync_limit.get();
        if self.frames_run_short(cleaner) {
            self.flush_tail(cleaner, cleaner.io_capacity).await;
        }
        self.flush_oldest(cleaner, cleaner.io_capacity_max, limit).await;
        self.wait_for_writers(cleaner).await;
        self.take_checkpoint(cleaner).await;
        let oldest = self.buffer.pool.borrow().oldest_change().unwrap_or(u64::MAX);
        if oldest >= cleaner.sync_limit.get() {
            cleaner.sync_limit.set(0);
        }
        if oldest >= cleaner.async_limit.get() {
            cleaner.async_limit.set(0);
        }
        cleaner.flushed.wake_all(&self.host);
    }

    /// Writes the pages changed first, up to `most` and changed before `limit` (`buf_do_flush_list_batch`).
    async fn flush_oldest(&self, cleaner: &PageCleaner, most: u64, limit: u64) -> u64 {
        let frames = {
            let pool = self.buffer.pool.borrow();
            let seeds = pool.oldest_dirty(u32::try_from(most).unwrap_or(u32::MAX), limit);
            let (mut frames, mut chosen) = (Vec::new(), HashSet::new());
            for seed in seeds {
                if frames.len() as u64 >= most {
                    break;
                }
                if chosen.contains(&seed) {
                    continue;
                }
                let run = self.run_around(cleaner, pool.page(seed), |page| {
                    pool.find(page).is_some_and(|frame| pool.is_dirty(frame))
                });
                for frame in run.into_iter().filter_map(|page| pool.find(page)) {
                    if chosen.insert(frame) {
                        frames.push(frame);
                    }
                }
            }
            frames
        };
        self.write_batch(cleaner, &frames).await
    }

    /// A page and the dirty pages that follow each other around it within an extent (`buf_flush_try_neighbors` with
    /// `innodb_flush_neighbors=1`).
    fn run_around(
        &self,
        cleaner: &PageCleaner,
        page: PageId,
        dirty: impl Fn(PageId) -> bool,
    ) -> VecDeque<PageId> {
        const EXTENT: u32 = 64;
        let mut run = VecDeque::from([page]);
        if !cleaner.neighbours {
            return run;
        }
        let space = self.buffer.space.borrow();
        let extent = space.neighbours(page, EXTENT);
        let Some(at) = extent.iter().position(|p| *p == page) else { return run };
        for before in extent[..at].iter().rev().take_while(|p| dirty(**p)) {
            run.push_front(*before);
        }
        run.extend(extent[at + 1..].iter().take_while(|p| dirty(**p)));
        run
    }

    /// Empties clean frames at the old end of the LRU list until the free list is full, and writes up to `most` dirty
    /// ones met on the way (`buf_flush_LRU_list_batch`).
    async fn flush_tail(&self, cleaner: &PageCleaner, most: u64) -> u64 {
        let frames = self.buffer.pool.borrow_mut().sweep_tail(cleaner.scan_depth, LRU_MIN, most as usize);
        cleaner.freed.wake_all(&self.host);
        self.write_batch(cleaner, &frames).await
    }

    /// Has pages written: the log up to their changes, their copies and a sync; then the writers take them. It does not
    /// wait for them. Pages are latched as they come into a batch, which fills while the one before is written.
    async fn write_batch(&self, cleaner: &PageCleaner, frames: &[Frame]) -> u64 {
        let mut written = 0;
        for chunk in frames.chunks(DOUBLEWRITE_PAGES) {
            let part: Vec<Frame> = {
                let mut pool = self.buffer.pool.borrow_mut();
                chunk.iter().copied().filter(|frame| pool.begin_write(*frame)).collect()
            };
            if part.is_empty() {
                continue;
            }
            written += part.len() as u64;
            // A batch begins when all pages of the one before are written (`buf_dblwr_t::batch_running`).
            self.wait_for_writers(cleaner).await;
            self.log.flush_to(&self.host, self.log.end(), true).await;
            self.host.cpu(self.costs.page_write_ns * part.len() as u64).await;
            if self.settings.doublewrite {
                self.write_copies(part.len()).await;
            }
            cleaner.to_write.borrow_mut().extend(&part);
            cleaner.unwritten.set(cleaner.unwritten.get() + part.len());
            while cleaner.writers.wake_one(&self.host) {}
        }
        written
    }

    /// One of those that write pages (`io_write_thread`, or the system's asynchronous I/O).
    pub(crate) async fn page_writer(&self) {
        let Some(cleaner) = &self.cleaner else { return };
        loop {
            let next = cleaner.to_write.borrow_mut().pop_front();
            let Some(frame) = next else {
                cleaner.writers.wait(&self.host).await;
                continue;
            };
            let page = self.buffer.pool.borrow().page(frame);
            let (file, _) = self.buffer.space.borrow().place(page);
            cleaner.unsynced.borrow_mut().insert(file);
            let ticket = self.buffer.start_write(&self.host, frame);
            self.host.done(ticket).await;
            self.buffer.written(&self.host, frame);
            if self.settings.doublewrite && cleaner.unwritten.get() == 1 {
                // The last page of a batch: the next may not overwrite the copies before all pages are durable
                // (`buf_dblwr_t::write_completed`).
                self.sync_written(cleaner).await;
            }
            cleaner.unwritten.set(cleaner.unwritten.get() - 1);
            if cleaner.unwritten.get() == 0 {
                cleaner.all_written.wake_all(&self.host);
            }
        }
    }

    /// `os_aio_wait_until_no_pending_writes`.
    async fn wait_for_writers(&self, cleaner: &PageCleaner) {
        while cleaner.unwritten.get() > 0 {
            cleaner.all_written.wait(&self.host).await;
        }
    }

    /// Makes written pages durable (`fil_flush_file_spaces`).
    async fn sync_written(&self, cleaner: &PageCleaner) {
        let files = std::mem::take(&mut *cleaner.unsynced.borrow_mut());
        for file in files {
            self.sync(file).await;
        }
    }

    /// Makes written pages durable and notes in the log's header from where on the log is needed (`log_checkpoint`).
    async fn take_checkpoint(&self, cleaner: &PageCleaner) {
        self.sync_written(cleaner).await;
        let end = self.log.end();
        let oldest = self.buffer.pool.borrow().oldest_change().unwrap_or(end);
        if oldest <= cleaner.checkpoint.get() + LOG_CHECKPOINT_BYTES {
            return;
        }
        self.log.append(LOG_CHECKPOINT_BYTES);
        self.log.flush_to(&self.host, self.log.end(), true).await;
        let file = self.log.file();
        let header = FileRequest { file, access: FileAccess::Write, offset: 0, bytes: 4096 };
        transfer(&self.host, header).await;
        transfer(&self.host, FileRequest { file, access: FileAccess::Sync, offset: 0, bytes: 0 }).await;
        cleaner.checkpoint.set(oldest);
        cleaner.flushed.wake_all(&self.host);
    }
}
