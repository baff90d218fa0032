//! InnoDB at work: lookups, inserts, and the reads and flushes they cause.
//!
//! The order of steps follows `storage/innobase` of MySQL 5.1.47; function names in comments are its own.

use crate::{
    buffer::Buffer,
    change_buffer::ChangeBuffer,
    database::{LiveTable, TableSpec, load_tables},
    engine::{Background, Counters, FileGrowth, FileNeed, StartState, Warming},
    group_commit::{BINARY_LOG_BYTES, GroupCommit},
    hash_index::HashIndex,
    host::{Cause, FileAccess, FileRequest, Host, Places, WaitQueue, charged, transfer},
    innodb_query::ReadAhead,
    innodb8_flush::Flushing,
    log::Log,
    midpoint_lru::MidpointLru,
    miniature::Miniature,
    page_cleaner::PageCleaner,
    pages::{FileId, PageId, PageSpace},
    parameters::{BadValue, Parameters},
    pool::{Frame, Pool},
    profile::{ProcessorCosts, Profile},
    purge::Purge,
    replacement::Replacement,
    schema::IndexKind,
    statement::{PageUse, Transaction},
};
use spindle_units::chance::Chance;
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

const PAGE_BYTES: u32 = 16 << 10;

/// The configuration as numbers.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) pool_bytes: f64,
    log_bytes: f64,
    log_buffer_bytes: f64,
    pub(crate) flush_log_at_commit: u32,
    pub(crate) doublewrite: bool,
    thread_concurrency: u32,
    pub(crate) max_dirty_percent: f64,
    file_per_table: bool,
    binary_log: bool,
    sync_binlog: u64,
    direct: bool,
    log_block: u64,
    old_blocks_percent: u32,
    old_blocks_ms: u64,
    pub(crate) change_buffering: bool,
    /// Marks of deleted entries and their removal are kept like inserts (`innodb_change_buffering` since 5.5).
    pub(crate) mark_buffering: bool,
    hash_index: bool,
    /// Reads ahead go out in one batch (`innodb_use_native_aio`), and not one a thread.
    pub(crate) native_reads: bool,
    /// The rules of 8.0 for flushing and commits.
    version_8: bool,
}

impl Settings {
    pub(crate) fn new(profile: &Profile, parameters: &Parameters) -> Result<Self, BadValue> {
        let value = |name| profile.value(parameters, name);
        // What a version does not let one set has the value built into it.
        let version_8 = profile.parameter("innodb_page_cleaners").is_some();
        let change_buffering = profile
            .parameter("innodb_change_buffering")
            .map_or(Ok(1.0), |_| value("innodb_change_buffering"))?;
        let value_or = |name, built_in| profile.parameter(name).map_or(Ok(built_in), |_| value(name));
        Ok(Self {
            pool_bytes: value("innodb_buffer_pool_size")?,
            log_bytes: value("innodb_log_file_size")? * value_or("innodb_log_files_in_group", 1.0)?,
            log_buffer_bytes: value("innodb_log_buffer_size")?,
            flush_log_at_commit: value("innodb_flush_log_at_trx_commit")? as u32,
            doublewrite: value("innodb_doublewrite")? > 0.0,
            thread_concurrency: value_or("innodb_thread_concurrency", 0.0)? as u32,
            max_dirty_percent: value("innodb_max_dirty_pages_pct")?,
            file_per_table: value("innodb_file_per_table")? > 0.0,
            binary_log: value("log_bin")? > 0.0,
            sync_binlog: value("sync_binlog")? as u64,
            direct: value("innodb_flush_method")? >= 2.0,
            log_block: value_or("innodb_log_write_ahead_size", 512.0)? as u64,
            old_blocks_percent: value_or("innodb_old_blocks_pct", 37.0)? as u32,
            old_blocks_ms: value_or("innodb_old_blocks_time", 0.0)? as u64,
            change_buffering: change_buffering > 0.0,
            mark_buffering: version_8 && change_buffering >= 2.0,
            hash_index: value_or("innodb_adaptive_hash_index", 0.0)? > 0.0,
            native_reads: value_or("innodb_use_native_aio", 1.0)? > 0.0,
            version_8,
        })
    }
}

/// Ages of the log at which flushing begins and at which everybody waits (`log_calc_max_ages`).
#[derive(Debug, Clone, Copy)]
pub struct LogAges {
    /// What the log can hold.
    pub capacity: u64,
    /// From this age on one thread writes the oldest changes.
    pub modified_async: u64,
    /// From this age on everybody waits for it.
    pub modified_sync: u64,
    /// No change may be older.
    pub checkpoint_max: u64,
}

impl LogAges {
    /// Of a log of so many bytes in all its files.
    pub fn new(log_bytes: f64, thread_concurrency: u32) -> Self {
        let group = log_bytes - log_bytes / 10.0;
        // Four pages for each thread that may write between two checks, and eight more.
        let spare = f64::from(PAGE_BYTES) * (4.0 * (10.0 + f64::from(thread_concurrency)) + 8.0);
        let margin = (group - spare).max(log_bytes / 4.0);
        let margin = margin - margin / 10.0;
        Self {
            capacity: group as u64,
            modified_async: (margin - margin / 8.0) as u64,
            modified_sync: (margin - margin / 16.0) as u64,
            checkpoint_max: margin as u64,
        }
    }

    fn in_sample(self, sample: Miniature) -> Self {
        Self {
            capacity: sample.log_bytes(self.capacity),
            modified_async: sample.log_bytes(self.modified_async),
            modified_sync: sample.log_bytes(self.modified_sync),
            checkpoint_max: sample.log_bytes(self.checkpoint_max),
        }
    }
}

#[derive(Debug)]
struct BinaryLog {
    file: FileId,
    end: Cell<u64>,
    since_sync: Cell<u64>,
}

/// Frames of a pool. Before the pool was one stretch of memory, frames were what was asked for and descriptors came
/// on top; since MariaDB 10.11.12 each 8 MiB of it begin with the descriptors of their pages, some 160 bytes each
/// (`buf0buf.h`, `innodb_buffer_pool_extent_size`).
pub fn frames_of(profile: &Profile, pool_bytes: f64) -> u32 {
    const EXTENT_BYTES: f64 = 8_388_608.0;
    const DESCRIPTOR_BYTES: f64 = 160.0;
    let page = f64::from(PAGE_BYTES);
    if profile.parameter("innodb_buffer_pool_extent_size").is_none() {
        return (pool_bytes / page) as u32;
    }
    let descriptors = libm::ceil(EXTENT_BYTES / page * DESCRIPTOR_BYTES / page);
    (pool_bytes / EXTENT_BYTES * (EXTENT_BYTES / page - descriptors)) as u32
}

/// Frames that are free on average, with a page cleaner or without one.
fn spare_frames(cleaner: Option<&PageCleaner>) -> u32 {
    cleaner.map_or(200, PageCleaner::mean_free)
}

/// A running InnoDB.
#[derive(Debug)]
pub struct Innodb<H> {
    pub(crate) host: H,
    pub(crate) settings: Settings,
    pub(crate) costs: ProcessorCosts,
    pub(crate) buffer: Buffer,
    pub(crate) log: Log,
    pub(crate) ages: LogAges,
    pub(crate) change_buffer: RefCell<ChangeBuffer>,
    pub(crate) system_file: FileId,
    /// One flush goes through the doublewrite buffer at a time (`trx_doublewrite->mutex`).
    pub(crate) doublewrite_lock: Places,
    pub(crate) lru_flush_running: Cell<bool>,
    pub(crate) lru_flush_ended: WaitQueue,
    pub(crate) list_flush_running: Cell<bool>,
    pub(crate) list_flush_ended: WaitQueue,
    pub(crate) data_syncs: Cell<u64>,
    pub(crate) cleaner: Option<PageCleaner>,
    pub(crate) flushing: Option<Flushing>,
    group_commit: Option<GroupCommit>,
    pub(crate) purge: Option<Purge>,
    pub(crate) read_ahead: ReadAhead,
    pub(crate) hash_index: Option<RefCell<HashIndex>>,
    pub(crate) tables: RefCell<Vec<LiveTable>>,
    pub(crate) chance: RefCell<Chance>,
    admission: Option<Places>,
    binary_log: Option<BinaryLog>,
    pub(crate) undo_pages: Vec<PageId>,
    /// The pool holds less than there is.
    pub(crate) short_of_frames: Cell<bool>,
    files: Vec<FileNeed>,
}

/// Share of a statement's processor time that passes inside the storage engine, where `innodb_thread_concurrency`
/// counts it; the rest is network, parser and client library.
pub const INSIDE_SHARE: f64 = 0.4;

/// `innodb_thread_sleep_delay`: 10 000 microseconds by default.
pub const THREAD_SLEEP_DELAY_NS: u64 = 10_000_000;

/// Rollback segments, each with a page for undo records that every transaction of its turn changes
/// (`TRX_SYS_N_RSEGS`).
pub const ROLLBACK_SEGMENTS: u32 = 128;
/// Page requests of a commit beside the log: the undo log's header twice, the rollback segment's header and the
/// neighbour in its list (`trx_undo_set_state_at_finish`, `trx_purge_add_undo_to_history`).
pub const COMMIT_REQUESTS: u32 = 4;
/// Log of a commit: the undo log's state and the list of committed logs.
pub const LOG_COMMIT_BYTES: u64 = 80;
/// Event header and statement text around the values in the binary log.
pub const BINLOG_OVERHEAD_BYTES: u32 = 200;

/// Events around the rows of a transaction in the binary log of 8.0: GTID (79), BEGIN (75), XID (31), and some 60 for
/// each of the four tables.
pub const BINLOG_TRANSACTION_BYTES: u64 = 425;

impl<H: Host> Innodb<H> {
    /// Loads the tables; nothing is in the pool yet.
    pub fn new(
        host: H,
        profile: &Profile,
        parameters: &Parameters,
        specs: &[TableSpec],
        sample: Miniature,
        seed: u64,
    ) -> Result<Self, BadValue> {
        let settings = Settings::new(profile, parameters)?;
        let log_bytes = sample.log_bytes(settings.log_bytes as u64);
        let mut space = PageSpace::default();
        let mut chance = Chance::new(seed, 10);
        let total: u32 = specs.iter().map(|s| s.count).sum();
        let shared = space.add_file();
        let mut table_files = Vec::new();
        for _ in 0..total {
            table_files.push(if settings.file_per_table { space.add_file() } else { shared });
        }
        let tables = load_tables(specs, |spec, number| {
            let rules = spec.rules(profile.format, PAGE_BYTES);
            let file = table_files[number as usize];
            LiveTable::load(spec, &rules, number, file, &mut space, &mut chance)
        });
        let entry_bytes = tables
            .iter()
            .flat_map(|t| &t.indexes)
            .filter(|i| i.kind == IndexKind::NonUnique)
            .map(|i| i.entry_bytes)
            .fold(30.0, f64::max);
        let cleaner = PageCleaner::new(profile, parameters, host.processors())?;
        let frames = frames_of(profile, settings.pool_bytes).max(64);
        // Since 8.0 frames are kept free by a share of the pool in a sample, as everything slow goes there by its share.
        let kept = if settings.version_8 { 0 } else { spare_frames(cleaner.as_ref()) };
        let frames = sample.frames_beside(frames, kept + ROLLBACK_SEGMENTS);
        let undo_pages = (0..ROLLBACK_SEGMENTS).map(|_| space.allocate(shared)).collect();
        let change_buffer = ChangeBuffer::new(
            shared,
            PAGE_BYTES,
            entry_bytes,
            u64::from(frames / 2),
            &mut space,
            &mut chance,
        );
        let log_file = space.add_file();
        let copies_file = settings.version_8.then(|| space.add_file());
        let binary_log = settings.binary_log.then(|| BinaryLog {
            file: space.add_file(),
            end: Cell::new(0),
            since_sync: Cell::new(0),
        });
        let files = (0..space.files())
            .map(|file| {
                let pages = u64::from(space.length(FileId(file as u16)));
                let is = |id: FileId| usize::from(id.0) == file;
                let is_copies = copies_file.is_some_and(is);
                let is_binary_log = binary_log.as_ref().is_some_and(|b| is(b.file));
                let growth = match (settings.version_8, is_binary_log) {
                    (false, _) => FileGrowth::Unknown,
                    (true, true) => FileGrowth::Grows,
                    (true, false) => FileGrowth::Keeps,
                };
                let bytes = if is(log_file) {
                    log_bytes
                } else if is_binary_log {
                    BINARY_LOG_BYTES
                } else {
                    // Room to grow: a run may as well double a table.
                    (pages * 2 * u64::from(PAGE_BYTES)).max(64 << 20)
                };
                FileNeed {
                    bytes,
                    direct: settings.direct && !is(log_file) && (pages > 0 || is_copies),
                    write_through: false,
                    is_log: is(log_file),
                    growth,
                }
            })
            .collect();
        let pool = Pool::new(
            frames,
            Replacement::Midpoint(MidpointLru::new(
                frames as usize,
                settings.old_blocks_percent,
                sample.of(settings.old_blocks_ms),
            )),
        );
        let flushing =
            copies_file.map(|file| Flushing::new(profile, parameters, sample, file)).transpose()?;
        let group_commit = binary_log
            .as_ref()
            .filter(|_| settings.version_8)
            .map(|log| GroupCommit::new(log.file, settings.sync_binlog, settings.flush_log_at_commit == 1));
        Ok(Self {
            host,
            costs: profile.costs,
            buffer: Buffer::new(pool, space, PAGE_BYTES),
            log: Log::new(log_file, log_bytes, settings.log_buffer_bytes as u64, settings.log_block),
            ages: LogAges::new(settings.log_bytes, settings.thread_concurrency).in_sample(sample),
            change_buffer: RefCell::new(change_buffer),
            system_file: shared,
            doublewrite_lock: Places::new(1),
            lru_flush_running: Cell::new(false),
            lru_flush_ended: WaitQueue::default(),
            list_flush_running: Cell::new(false),
            list_flush_ended: WaitQueue::default(),
            data_syncs: Cell::new(0),
            cleaner,
            flushing,
            group_commit,
            purge: Purge::new(profile, parameters, sample)?,
            read_ahead: ReadAhead::default(),
            hash_index: settings.hash_index.then(RefCell::default),
            tables: RefCell::new(tables),
            chance: RefCell::new(chance),
            admission: (settings.thread_concurrency > 0).then(|| Places::new(settings.thread_concurrency)),
            binary_log,
            undo_pages,
            short_of_frames: Cell::new(false),
            files,
            settings,
        })
    }

    /// Files the engine needs, in the order of their numbers.
    pub fn files(&self) -> &[FileNeed] {
        &self.files
    }

    /// Fills the pool as a long run of the load would have left it, all frames clean.
    pub fn warm(&self, warming: Warming, next_uses: &mut dyn FnMut(&mut Vec<PageUse>)) {
        let pages: Vec<PageId> =
            self.tables.borrow().iter().flat_map(|t| t.all_pages().collect::<Vec<_>>()).collect();
        let frames = self.buffer.pool.borrow().size();
        self.short_of_frames.set(pages.len() > frames as usize);
        // The free list and the pages of the system tablespace take their share.
        let kept = self.flushing.as_ref().map(Flushing::mean_free);
        let spare = kept.unwrap_or_else(|| spare_frames(self.cleaner.as_ref())).min(frames / 2);
        let seed = self.chance.borrow_mut().bits();
        self.buffer.warm(spare, pages, seed, warming, next_uses);
    }

    /// Changes pages as the load would until the pool is in the state wanted.
    pub fn set_state(&self, state: StartState, next_uses: &mut dyn FnMut(&mut Vec<PageUse>)) {
        self.log.begin_behind(state.checkpoint_age);
        let end = self.log.end();
        if let Some(cleaner) = &self.cleaner {
            let free = self.buffer.pool.borrow().free_frames();
            let woken = cleaner.runs_short_of(free) || state.checkpoint_age > self.ages.modified_async;
            cleaner.begin_at(end - state.checkpoint_age, state.log_rate, woken);
        }
        if let Some(flushing) = &self.flushing {
            flushing.begin_at(end - state.checkpoint_age, state);
        }
        self.buffer.dirty(state.dirty_pages, end - state.checkpoint_age, end, next_uses);
    }

    /// Rows of a table.
    pub fn rows(&self, table: usize) -> u64 {
        self.tables.borrow()[table].rows
    }

    /// Counters since the start.
    pub fn counters(&self) -> Counters {
        let (hits, misses) = self.buffer.pool.borrow().requests();
        let (page_reads, pages_written) = self.buffer.transfers();
        let (log_bytes, log_writes, log_syncs) = self.log.counters();
        Counters {
            page_requests: hits + misses,
            page_misses: misses,
            page_reads,
            pages_written,
            page_marks: 0,
            log_bytes,
            log_syncs,
            log_writes,
            data_syncs: self.data_syncs.get(),
            dirty_pages: u64::from(self.buffer.pool.borrow().dirty_frames()),
            frames: u64::from(self.buffer.pool.borrow().size()),
            checkpoint_age: self.checkpoint_age(),
            allocated_pages: self.buffer.space.borrow().len() as u64,
        }
    }

    /// Log since the oldest change that is not on the device.
    pub(crate) fn checkpoint_age(&self) -> u64 {
        let oldest = self.buffer.pool.borrow().oldest_change();
        self.log.end() - oldest.unwrap_or_else(|| self.log.end())
    }

    /// The engine's own threads: one master thread in 5.1; later a page cleaner and purge threads beside it.
    pub fn background(self: Rc<Self>) -> Vec<Background>
    where
        H: 'static,
    {
        if let Some(flushing) = &self.flushing {
            let threads = flushing.threads();
            return self.background_of_version_8(threads);
        }
        let Some(cleaner) = &self.cleaner else {
            return vec![Box::pin(async move { self.master_thread().await })];
        };
        let writers = cleaner.writer_count();
        let [cleaner, clock, purge, log] = [(); 4].map(|()| Rc::clone(&self));
        let mut threads: Vec<Background> = vec![
            Box::pin(async move { cleaner.page_cleaner().await }),
            Box::pin(async move { clock.page_cleaner_clock().await }),
            Box::pin(async move { purge.purge_thread().await }),
            Box::pin(async move { log.log_once_a_second().await }),
        ];
        for _ in 0..writers {
            let writer = Rc::clone(&self);
            threads.push(Box::pin(async move { writer.page_writer().await }));
        }
        threads
    }

    /// Page cleaners, managers of LRU lists, threads that complete writes, purge, and the log's second.
    fn background_of_version_8(self: Rc<Self>, threads: (u32, u32, u32)) -> Vec<Background>
    where
        H: 'static,
    {
        let own = || Rc::clone(&self);
        let [coordinator, clock, purge, log] = [(); 4].map(|()| own());
        let mut tasks: Vec<Background> = vec![
            Box::pin(async move { coordinator.cleaner_coordinator().await }),
            Box::pin(async move { clock.cleaner_clock().await }),
            Box::pin(async move { purge.purge_thread().await }),
            Box::pin(async move { log.log_once_a_second().await }),
        ];
        let (workers, managers, writers) = threads;
        for _ in 0..workers {
            let worker = own();
            tasks.push(Box::pin(async move { worker.cleaner_worker().await }));
        }
        for instance in 0..managers as usize {
            let manager = own();
            tasks.push(Box::pin(async move { manager.lru_manager(instance).await }));
        }
        for _ in 0..writers {
            let writer = own();
            tasks.push(Box::pin(async move { writer.write_thread().await }));
        }
        tasks
    }

    /// Begins a transaction, which costs nothing until it writes.
    pub async fn begin(&self, _transaction: &mut Transaction) {}

    /// Commits what a transaction has written.
    pub async fn commit(&self, transaction: &mut Transaction) {
        if transaction.log_end == 0 {
            return;
        }
        // `trx_write_serialisation_history`: the undo log's state, the rollback segment's list of committed logs.
        self.count_again(COMMIT_REQUESTS);
        self.log.append(LOG_COMMIT_BYTES);
        if let Some(purge) = &self.purge {
            purge.committed(&self.host);
        }
        match &self.group_commit {
            Some(group) => self.commit_in_group(group, transaction.changed_bytes).await,
            None => self.commit_log(transaction.changed_bytes).await,
        }
        if self.cleaner.is_some() {
            self.note_log_age();
        }
    }

    /// Counts requests of pages that were used just before and are certainly there.
    pub(crate) fn count_again(&self, requests: u32) {
        let mut pool = self.buffer.pool.borrow_mut();
        (0..requests).for_each(|_| pool.count(true));
    }

    /// Work of a statement on a processor: outside the engine, then, once let in, inside. `leave` gives the place back.
    pub(crate) async fn enter_with(&self, cost: u64) {
        let inside = (cost as f64 * INSIDE_SHARE) as u64;
        self.host.cpu(cost - inside).await;
        self.enter().await;
        self.host.cpu(inside).await;
    }

    /// `srv_conc_enter_innodb`: who finds no place sleeps once (`innodb_thread_sleep_delay`) and then queues.
    async fn enter(&self) {
        let Some(places) = &self.admission else { return };
        if places.try_enter() {
            return;
        }
        charged(&self.host, Cause::Admission, async {
            self.host.sleep(THREAD_SLEEP_DELAY_NS).await;
            places.enter(&self.host).await;
        })
        .await;
    }

    pub(crate) fn leave(&self) {
        if let Some(places) = &self.admission {
            places.leave(&self.host);
        }
    }

    async fn commit_in_group(&self, group: &GroupCommit, changed_bytes: u64) {
        let bytes = changed_bytes + BINLOG_TRANSACTION_BYTES;
        charged(&self.host, Cause::Log, group.commit(&self.host, &self.log, bytes)).await;
        self.host.cpu(self.costs.log_wait_ns).await;
    }

    async fn commit_log(&self, changed_bytes: u64) {
        if let Some(binary_log) = &self.binary_log {
            let bytes = changed_bytes as u32 + BINLOG_OVERHEAD_BYTES;
            let offset = binary_log.end.get();
            binary_log.end.set((offset + u64::from(bytes)) % (1 << 30));
            let mut request = FileRequest { file: binary_log.file, access: FileAccess::Write, offset, bytes };
            charged(&self.host, Cause::Log, transfer(&self.host, request)).await;
            binary_log.since_sync.set(binary_log.since_sync.get() + 1);
            if self.settings.sync_binlog > 0 && binary_log.since_sync.get() >= self.settings.sync_binlog {
                binary_log.since_sync.set(0);
                request = FileRequest { access: FileAccess::Sync, offset: 0, bytes: 0, ..request };
                charged(&self.host, Cause::Log, transfer(&self.host, request)).await;
            }
        }
        let end = self.log.end();
        let flush = self.log.flush_to(&self.host, end, self.settings.flush_log_at_commit == 1);
        if self.settings.flush_log_at_commit > 0 {
            charged(&self.host, Cause::Log, flush).await;
            if self.costs.log_wait_ns > 0 {
                self.host.cpu(self.costs.log_wait_ns).await;
            }
        }
    }

    /// Makes a page dirty, with its log.
    pub(crate) async fn change(&self, page: PageId, log_bytes: f64) {
        loop {
            // A page that was just fixed is still here, and changing it is no second request.
            let present = self.buffer.present(page);
            let frame = match present {
                Some(frame) => frame,
                None => self.fix(page).await,
            };
            // A page is latched against changes from the moment it is chosen for writing until it is written.
            if self.buffer.pool.borrow().is_writing(frame) {
                self.buffer.wait_until_written(&self.host, frame).await;
                continue;
            }
            let before = self.log.end();
            self.log.append(log_bytes as u64);
            self.buffer.pool.borrow_mut().mark_dirty(frame, before);
            return;
        }
    }

    /// Brings a page into the pool (`buf_page_get_gen`).
    pub(crate) async fn fix(&self, page: PageId) -> Frame {
        let read_ns = self.costs.page_read_ns;
        self.buffer.pool.borrow_mut().set_time(self.since_warming_ms(self.host.now()));
        self.buffer
            .fix(
                &self.host,
                page,
                read_ns,
                async || self.free_frame().await,
                async || self.after_read(page).await,
            )
            .await
    }

    /// The pool's clock: the time of the run, which begins after that of the warming.
    fn since_warming_ms(&self, now_ns: u64) -> u64 {
        self.buffer.warming_ms() + now_ns / 1_000_000
    }

    async fn after_read(&self, page: PageId) {
        let waiting = self.change_buffer.borrow_mut().take(page);
        if waiting > 0 {
            // `ibuf_merge_or_delete_for_page`: the entries go where they belong; both pages are dirty then.
            self.host.cpu(self.costs.index_entry_ns / 4 * u64::from(waiting)).await;
            let before = self.log.end();
            self.log.append(u64::from(waiting) * 60);
            let mut pool = self.buffer.pool.borrow_mut();
            if let Some(frame) = pool.find(page) {
                pool.mark_dirty(frame, before);
            }
        }
        self.flush_free_margin().await;
    }
}

/// The pages of a path from the root down, without an allocation.
pub(crate) struct PathPages {
    pages: [PageId; 8],
    length: usize,
}

impl PathPages {
    pub(crate) fn of(path: impl Iterator<Item = PageId>) -> Self {
        let mut own = Self { pages: [PageId(0); 8], length: 0 };
        for page in path.take(8) {
            own.pages[own.length] = page;
            own.length += 1;
        }
        own
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = PageId> {
        self.pages[..self.length].iter().copied()
    }
}
