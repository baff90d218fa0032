//! How InnoDB 8.0 gets rid of dirty pages and comes to free frames: page cleaners with adaptive flushing, a doublewrite
//! of its own files in small batches, and, in Percona Server and GreatSQL, a manager for the LRU list of each instance.
//!
//! The order of steps follows `buf0flu.cc`, `buf0lru.cc` and `buf0dblwr.cc` of 8.0.25 and of GreatSQL 8.0; function names in
//! comments are their own. The instances of the pool share one LRU list here: pages are spread over instances by their
//! number, so that the lists are alike, and only what works on each list side by side matters.

use crate::{
    engine::StartState,
    host::{Cause, FileAccess, FileRequest, Host, WaitQueue, charged, transfer},
    innodb::Innodb,
    miniature::Miniature,
    pages::FileId,
    parameters::{BadValue, Parameters},
    pool::Frame,
    profile::Profile,
};
use spindle_units::SECOND;
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeSet, VecDeque},
};

/// `buf_flush_lsn_scan_factor`.
const SCAN_FACTOR: u64 = 3;
/// A list this short is not shortened further (`BUF_LRU_MIN_LEN`).
const LRU_MIN: u32 = 256;
/// A user thread that finds no free frame looks this deep for a clean one (`BUF_LRU_SEARCH_SCAN_THRESHOLD`).
const VICTIM_DEPTH: u32 = 100;
/// A user thread that has found nothing twice sleeps before it tries again (`buf_LRU_get_free_block`).
const RETRY_NS: u64 = 10_000_000;
/// Steps in which a manager of an LRU list changes its pause (`buf_lru_manager_adapt_sleep_time`).
const LONGER_NS: u64 = 1_000_000;
const SHORTER_NS: u64 = 50_000_000;
/// How finely the page cleaner's second is watched, as a part of it.
const CLOCK_PARTS: u64 = 16;

/// Settings, and what the threads that flush keep in mind.
#[derive(Debug)]
pub(crate) struct Flushing {
    instances: u32,
    /// Each instance has a thread that keeps frames free; otherwise the page cleaners do so beside their work.
    lru_managers: bool,
    cleaners: u32,
    write_threads: u32,
    /// Frames kept free in each instance.
    scan_depth: u32,
    /// Pages of a pass.
    io_capacity: u64,
    io_capacity_max: u64,
    /// The page cleaner's second, and the longest pause of a manager.
    pass_ns: u64,
    longer_ns: u64,
    shorter_ns: u64,
    max_dirty_percent: f64,
    dirty_low_water_percent: f64,
    low_water_percent: f64,
    average_loops: u32,
    /// The log's age counts little until it is high (`innodb_cleaner_lsn_age_factor = high_checkpoint`).
    high_checkpoint: bool,
    doublewrite: bool,
    /// Copies go around the page cache and need no sync; nor do pages, with `O_DIRECT_NO_FSYNC`.
    copies_are_direct: bool,
    sync_pages: bool,
    batch_pages: usize,
    copies: FileId,
    next_copy: Cell<u64>,
    turn: Cell<u32>,
    /// LRU flushes under way, by instance.
    running: Vec<Cell<bool>>,
    ended: Vec<WaitQueue>,
    asleep: WaitQueue,
    pass_begun: Cell<u64>,
    woken: Cell<bool>,
    jobs: RefCell<VecDeque<Job>>,
    jobs_open: Cell<usize>,
    workers: WaitQueue,
    jobs_done: WaitQueue,
    unsynced: RefCell<BTreeSet<FileId>>,
    syncers: WaitQueue,
    checkpoint: Cell<u64>,
    checkpoint_moved: WaitQueue,
    rates: RefCell<Rates>,
}

/// What one instance is to write in a pass.
#[derive(Debug, Default)]
struct Job {
    frames: Vec<Frame>,
    frees_frames: bool,
}

/// Averages over some passes (`Adaptive_flush`).
#[derive(Debug, Default)]
struct Rates {
    since: Option<(u64, u64)>,
    pages: u64,
    passes: u32,
    page_rate: u64,
    log_rate: u64,
}

impl Flushing {
    /// The flushing of 8.0, if the profile is of that version. `copies` is the doublewrite file.
    pub(crate) fn new(
        profile: &Profile,
        parameters: &Parameters,
        sample: Miniature,
        copies: FileId,
    ) -> Result<Self, BadValue> {
        let value = |name| profile.value(parameters, name);
        let instances = value("innodb_buffer_pool_instances")?.max(1.0) as u32;
        let write_threads = value("innodb_write_io_threads")? as u32;
        let method = value("innodb_flush_method")?;
        let set_pages = value("innodb_doublewrite_pages")? as u32;
        let lru_managers = profile.parameter("innodb_cleaner_lsn_age_factor").is_some();
        Ok(Self {
            instances,
            lru_managers,
            cleaners: (value("innodb_page_cleaners")? as u32).clamp(1, instances),
            write_threads,
            scan_depth: (sample.of(value("innodb_lru_scan_depth")? as u64) as u32).max(1),
            io_capacity: sample.of(value("innodb_io_capacity")? as u64).max(1),
            io_capacity_max: sample.of(value("innodb_io_capacity_max")? as u64).max(1),
            pass_ns: sample.slow_ns(SECOND),
            longer_ns: sample.slow_ns(LONGER_NS),
            shorter_ns: sample.slow_ns(SHORTER_NS),
            max_dirty_percent: value("innodb_max_dirty_pages_pct")?,
            dirty_low_water_percent: value("innodb_max_dirty_pages_pct_lwm")?,
            low_water_percent: value("innodb_adaptive_flushing_lwm")?,
            average_loops: value("innodb_flushing_avg_loops")? as u32,
            high_checkpoint: lru_managers && value("innodb_cleaner_lsn_age_factor")? > 0.0,
            doublewrite: value("innodb_doublewrite")? > 0.0,
            copies_are_direct: method >= 2.0,
            sync_pages: method != 3.0,
            batch_pages: (if set_pages > 0 { set_pages } else { write_threads }) as usize,
            copies,
            next_copy: Cell::new(0),
            turn: Cell::new(0),
            running: (0..instances).map(|_| Cell::new(false)).collect(),
            ended: (0..instances).map(|_| WaitQueue::default()).collect(),
            asleep: WaitQueue::default(),
            pass_begun: Cell::new(0),
            woken: Cell::new(false),
            jobs: RefCell::default(),
            jobs_open: Cell::new(0),
            workers: WaitQueue::default(),
            jobs_done: WaitQueue::default(),
            unsynced: RefCell::default(),
            syncers: WaitQueue::default(),
            checkpoint: Cell::new(0),
            checkpoint_moved: WaitQueue::default(),
            rates: RefCell::default(),
        })
    }

    /// Free frames on average.
    pub(crate) fn mean_free(&self) -> u32 {
        self.scan_depth * self.instances / 2
    }

    /// Threads beside the page cleaner: others that write for it, managers of LRU lists, threads that complete writes.
    pub(crate) fn threads(&self) -> (u32, u32, u32) {
        let managers = if self.lru_managers { self.instances } else { 0 };
        (self.cleaners - 1, managers, self.write_threads)
    }

    /// The log from here on is needed for recovery, and so much was written each second before.
    pub(crate) fn begin_at(&self, checkpoint: u64, state: StartState) {
        self.checkpoint.set(checkpoint);
        self.rates.borrow_mut().log_rate = state.log_rate * self.pass_ns / SECOND;
    }

    fn wake_cleaner<H: Host>(&self, host: &H) {
        self.woken.set(true);
        self.asleep.wake_one(host);
    }
}

impl<H: Host> Innodb<H> {
    /// An empty frame (`buf_LRU_get_free_block`).
    pub(crate) async fn free_frame_of_instance(&self, flushing: &Flushing) -> Frame {
        let turn = flushing.turn.get();
        flushing.turn.set(turn.wrapping_add(1));
        let instance = (turn % flushing.instances) as usize;
        let mut rounds = 0;
        loop {
            if let Some(frame) = self.buffer.pool.borrow_mut().take_free() {
                return frame;
            }
            if flushing.doublewrite && flushing.running[instance].get() {
                charged(&self.host, Cause::FreeFrame, flushing.ended[instance].wait(&self.host)).await;
                continue;
            }
            if let Some(frame) = self.buffer.pool.borrow_mut().take_victim(VICTIM_DEPTH) {
                return frame;
            }
            flushing.wake_cleaner(&self.host);
            charged(&self.host, Cause::FreeFrame, async {
                if rounds > 1 {
                    self.host.sleep(RETRY_NS).await;
                }
                self.write_single(flushing).await;
            })
            .await;
            rounds += 1;
        }
    }

    /// Writes and empties the dirty frame next to go (`buf_flush_single_page_from_LRU`).
    async fn write_single(&self, flushing: &Flushing) {
        let frame = {
            let mut pool = self.buffer.pool.borrow_mut();
            let found = pool.candidates(0, VICTIM_DEPTH, 1, |pool, frame| {
                pool.is_dirty(frame) && !pool.is_writing(frame)
            });
            found.first().copied().filter(|frame| pool.begin_write(*frame))
        };
        match frame {
            Some(frame) => {
                self.write_pages_of_batch(flushing, &[frame]).await;
                self.sync_pages(flushing).await;
                self.give_up(frame);
            }
            None => self.host.sleep(1_000_000).await,
        }
    }

    fn give_up(&self, frame: Frame) {
        let mut pool = self.buffer.pool.borrow_mut();
        if pool.evict(frame) {
            pool.give_back(frame);
        }
    }

    /// The thread that keeps frames of an instance free (`buf_lru_manager_thread`).
    pub(crate) async fn lru_manager(&self, instance: usize) {
        let Some(flushing) = &self.flushing else { return };
        let (mut pause, mut flushed) = (flushing.pass_ns, 1);
        let mut next = self.host.now() + pause;
        loop {
            let now = self.host.now();
            if next > now {
                self.host.sleep(next - now).await;
            }
            pause = self.pause_of_manager(flushing, pause, flushed);
            next = self.host.now() + pause;
            flushed = self.flush_lru_list(flushing, instance).await;
        }
    }

    /// `buf_lru_manager_adapt_sleep_time`.
    fn pause_of_manager(&self, flushing: &Flushing, pause: u64, flushed: u64) -> u64 {
        let pool = self.buffer.pool.borrow();
        let free = pool.free_frames() / flushing.instances;
        let most = flushing.scan_depth.min(pool.used_frames() / flushing.instances);
        let short = free < most.div_ceil(100);
        if short && flushed > 0 {
            0
        } else if free > most / 5 || short {
            (pause + flushing.longer_ns).min(flushing.pass_ns)
        } else if free < most / 20 && pause >= flushing.shorter_ns {
            pause - flushing.shorter_ns
        } else {
            pause
        }
    }

    /// Empties clean frames at the old end of the list and writes dirty ones, which are emptied once they are written
    /// (`buf_flush_LRU_list_batch`).
    async fn flush_lru_list(&self, flushing: &Flushing, instance: usize) -> u64 {
        if flushing.running[instance].replace(true) {
            return 0;
        }
        let frames = self.buffer.pool.borrow_mut().sweep_tail(
            flushing.scan_depth * flushing.instances,
            LRU_MIN,
            flushing.scan_depth as usize,
        );
        let written = self.write_in_batches(flushing, &frames, true).await;
        flushing.running[instance].set(false);
        flushing.ended[instance].wake_all(&self.host);
        written
    }

    /// Has pages written, batch by batch.
    async fn write_in_batches(&self, flushing: &Flushing, frames: &[Frame], frees: bool) -> u64 {
        let mut written = 0;
        for chunk in frames.chunks(flushing.batch_pages.max(1)) {
            let batch: Vec<Frame> = {
                let mut pool = self.buffer.pool.borrow_mut();
                chunk.iter().copied().filter(|frame| pool.begin_write(*frame)).collect()
            };
            if batch.is_empty() {
                continue;
            }
            self.write_pages_of_batch(flushing, &batch).await;
            if frees {
                batch.iter().for_each(|frame| self.give_up(*frame));
            }
            if flushing.sync_pages {
                flushing.syncers.wake_one(&self.host);
            }
            written += batch.len() as u64;
        }
        written
    }

    /// The log up to the pages' changes, their copies in one write, and the pages side by side (`Double_write::write_pages`).
    async fn write_pages_of_batch(&self, flushing: &Flushing, batch: &[Frame]) {
        let newest = {
            let pool = self.buffer.pool.borrow();
            batch.iter().map(|frame| pool.newest_change(*frame)).max().unwrap_or(0)
        };
        self.log.flush_to(&self.host, (newest + 1).min(self.log.end()), true).await;
        self.host.cpu(self.costs.page_write_ns * batch.len() as u64).await;
        if flushing.doublewrite {
            self.write_copies_of_batch(flushing, batch.len()).await;
        }
        let mut tickets = Vec::with_capacity(batch.len());
        for frame in batch {
            let page = self.buffer.pool.borrow().page(*frame);
            flushing.unsynced.borrow_mut().insert(self.buffer.space.borrow().place(page).0);
            tickets.push(self.buffer.start_write(&self.host, *frame));
        }
        for (frame, ticket) in batch.iter().zip(tickets) {
            self.host.done(ticket).await;
            self.buffer.written(&self.host, *frame);
        }
    }

    async fn write_copies_of_batch(&self, flushing: &Flushing, pages: usize) {
        let page_bytes = self.buffer.page_bytes();
        let slots = u64::from(flushing.instances * 2) * flushing.batch_pages as u64;
        let first = flushing.next_copy.get();
        flushing.next_copy.set((first + flushing.batch_pages as u64) % slots.max(1));
        let request = FileRequest {
            file: flushing.copies,
            access: FileAccess::Write,
            offset: first * u64::from(page_bytes),
            bytes: pages as u32 * page_bytes,
        };
        transfer(&self.host, request).await;
        if !flushing.copies_are_direct {
            self.sync(flushing.copies).await;
        }
    }

    /// A thread that completes writes: behind each batch it makes the files written to durable
    /// (`Double_write::write_complete`, `fil_flush_file_spaces`).
    pub(crate) async fn write_thread(&self) {
        let Some(flushing) = &self.flushing else { return };
        loop {
            if flushing.unsynced.borrow().is_empty() || !flushing.sync_pages {
                flushing.syncers.wait(&self.host).await;
            }
            self.sync_pages(flushing).await;
        }
    }

    async fn sync_pages(&self, flushing: &Flushing) {
        if !flushing.sync_pages {
            return;
        }
        let files = std::mem::take(&mut *flushing.unsynced.borrow_mut());
        for file in files {
            self.sync(file).await;
        }
    }

    /// Wakes the page cleaner when its second is over.
    pub(crate) async fn cleaner_clock(&self) {
        let Some(flushing) = &self.flushing else { return };
        loop {
            self.host.sleep((flushing.pass_ns / CLOCK_PARTS).max(1)).await;
            if self.host.now() >= flushing.pass_begun.get() + flushing.pass_ns {
                flushing.asleep.wake_one(&self.host);
            }
        }
    }

    /// The coordinator of the page cleaners (`buf_flush_page_coordinator_thread`).
    pub(crate) async fn cleaner_coordinator(&self) {
        let Some(flushing) = &self.flushing else { return };
        let mut last_pages = 0;
        loop {
            let limit = self.sync_flush_limit();
            let whole_pass = self.host.now() >= flushing.pass_begun.get() + flushing.pass_ns;
            if limit.is_none() && !whole_pass && !flushing.woken.replace(false) {
                flushing.asleep.wait(&self.host).await;
                continue;
            }
            if whole_pass {
                flushing.pass_begun.set(self.host.now());
            }
            let began = self.host.now();
            let (pages, before) = match limit {
                Some(limit) => (self.pages_before(flushing, limit), limit),
                None if whole_pass => (self.pages_of_pass(flushing, last_pages), u64::MAX),
                None => (0, 0),
            };
            let written = self.flush_instances(flushing, pages, before).await;
            if whole_pass || limit.is_some() {
                last_pages = if limit.is_some() { 0 } else { written };
                self.take_checkpoint_of_pass(flushing).await;
            }
            if self.host.now() == began {
                // Whoever is to be waited for has the pages; time has to pass.
                self.host.sleep((flushing.pass_ns / CLOCK_PARTS).max(1)).await;
            }
        }
    }

    /// Another page cleaner (`buf_flush_page_cleaner_thread`).
    pub(crate) async fn cleaner_worker(&self) {
        let Some(flushing) = &self.flushing else { return };
        loop {
            if !self.flush_slot(flushing).await {
                flushing.workers.wait(&self.host).await;
            }
        }
    }

    /// Spreads the oldest `pages` dirty pages over the cleaners and waits until they are written (`pc_request`,
    /// `pc_flush_slot`, `pc_wait_finished`).
    async fn flush_instances(&self, flushing: &Flushing, pages: u64, before: u64) -> u64 {
        let most = u32::try_from(pages).unwrap_or(u32::MAX);
        let oldest =
            if most == 0 { Vec::new() } else { self.buffer.pool.borrow().oldest_dirty(most, before) };
        {
            let mut jobs = flushing.jobs.borrow_mut();
            let mut parts: Vec<Job> = (0..flushing.instances)
                .map(|_| Job { frames: Vec::new(), frees_frames: !flushing.lru_managers })
                .collect();
            for (at, frame) in oldest.iter().enumerate() {
                parts[at % flushing.instances as usize].frames.push(*frame);
            }
            flushing.jobs_open.set(parts.len());
            jobs.extend(parts);
        }
        flushing.workers.wake_all(&self.host);
        while self.flush_slot(flushing).await {}
        while flushing.jobs_open.get() > 0 {
            flushing.jobs_done.wait(&self.host).await;
        }
        oldest.len() as u64
    }

    async fn flush_slot(&self, flushing: &Flushing) -> bool {
        let Some(job) = flushing.jobs.borrow_mut().pop_front() else { return false };
        if job.frees_frames {
            let instance = flushing.jobs.borrow().len() % flushing.instances as usize;
            self.flush_lru_list(flushing, instance).await;
        }
        self.write_in_batches(flushing, &job.frames, false).await;
        flushing.jobs_open.set(flushing.jobs_open.get() - 1);
        if flushing.jobs_open.get() == 0 {
            flushing.jobs_done.wake_all(&self.host);
        }
        true
    }

    /// Up to where pages have to be written at once, when the log is nearly full (`log_sync_flush_lsn`).
    fn sync_flush_limit(&self) -> Option<u64> {
        let age = self.checkpoint_age();
        (age > self.ages.modified_sync).then(|| self.log.end() - self.ages.modified_async)
    }

    fn pages_before(&self, flushing: &Flushing, limit: u64) -> u64 {
        let most = flushing.io_capacity_max * 2;
        self.buffer.pool.borrow().count_oldest(limit, most).max(flushing.io_capacity)
    }

    /// How many pages to write in this pass (`Adaptive_flush::page_recommendation`).
    fn pages_of_pass(&self, flushing: &Flushing, last_pages: u64) -> u64 {
        let mut rates = flushing.rates.borrow_mut();
        let (now, end) = (self.host.now(), self.log.end());
        let Some((since, log_then)) = rates.since else {
            rates.since = Some((now, end));
            return 0;
        };
        rates.pages += last_pages;
        rates.passes += 1;
        let passed = ((now - since) as f64 / flushing.pass_ns as f64).max(1.0);
        if rates.passes >= flushing.average_loops || passed >= f64::from(flushing.average_loops) {
            rates.page_rate = ((rates.pages as f64 / passed) as u64 + rates.page_rate) / 2;
            rates.log_rate = (((end - log_then) as f64 / passed) as u64 + rates.log_rate) / 2;
            rates.since = Some((now, end));
            (rates.passes, rates.pages) = (0, 0);
        }
        let age = self.checkpoint_age();
        let percent = self.percent_for_dirty(flushing).max(self.percent_for_age(flushing, age));
        let target = end - age + rates.log_rate * SCAN_FACTOR;
        let most = flushing.io_capacity_max * 2;
        let for_log = self.buffer.pool.borrow().count_oldest(target, most * SCAN_FACTOR) / SCAN_FACTOR;
        let by_percent = (percent / 100.0 * flushing.io_capacity as f64) as u64;
        ((by_percent + rates.page_rate + for_log.clamp(1, most)) / 3).min(flushing.io_capacity_max)
    }

    /// `get_pct_for_dirty`.
    fn percent_for_dirty(&self, flushing: &Flushing) -> f64 {
        let dirty = {
            let pool = self.buffer.pool.borrow();
            f64::from(pool.dirty_frames()) * 100.0 / f64::from(pool.size())
        };
        if flushing.dirty_low_water_percent == 0.0 {
            return if dirty >= flushing.max_dirty_percent { 100.0 } else { 0.0 };
        }
        if dirty >= flushing.dirty_low_water_percent {
            dirty * 100.0 / (flushing.max_dirty_percent + 1.0)
        } else {
            0.0
        }
    }

    /// `get_pct_for_lsn`.
    fn percent_for_age(&self, flushing: &Flushing, age: u64) -> f64 {
        if (age as f64) < flushing.low_water_percent / 100.0 * self.ages.checkpoint_max as f64 {
            return 0.0;
        }
        let factor = age as f64 * 100.0 / self.ages.modified_async as f64;
        let times = (flushing.io_capacity_max / flushing.io_capacity) as f64;
        if flushing.high_checkpoint {
            times * factor * factor * libm::sqrt(factor) / 700.5
        } else {
            times * factor * libm::sqrt(factor) / 7.5
        }
    }

    /// Waits while the log has no room (`log_free_check`).
    pub(crate) async fn wait_for_log_room(&self, flushing: &Flushing) {
        while self.log.end() - flushing.checkpoint.get() > self.ages.checkpoint_max {
            flushing.wake_cleaner(&self.host);
            charged(&self.host, Cause::Checkpoint, flushing.checkpoint_moved.wait(&self.host)).await;
        }
    }

    /// Notes in the log's header from where on the log is needed (`log_checkpointer`).
    async fn take_checkpoint_of_pass(&self, flushing: &Flushing) {
        let end = self.log.end();
        let oldest = self.buffer.pool.borrow().oldest_change().unwrap_or(end);
        if oldest <= flushing.checkpoint.get() {
            return;
        }
        self.log.flush_to(&self.host, oldest, true).await;
        let file = self.log.file();
        let header = FileRequest { file, access: FileAccess::Write, offset: 0, bytes: 512 };
        transfer(&self.host, header).await;
        transfer(&self.host, FileRequest { file, access: FileAccess::Sync, offset: 0, bytes: 0 }).await;
        flushing.checkpoint.set(oldest);
        flushing.checkpoint_moved.wake_all(&self.host);
    }
}
