//! PostgreSQL at work: a heap in which updates leave old versions, nbtree indexes, a clock-swept buffer, and a log
//! with full-page images that a leader makes durable for all who wait.
//!
//! The order of steps follows `src/backend` of PostgreSQL 15; function names in comments are its own. What a statement
//! does is in `postgresql_statements`, who writes pages and log in `postgresql_flush`.

use crate::{
    buffer::Buffer,
    clock_sweep::ClockSweep,
    database::{LiveTable, TableSpec, load_tables},
    engine::{Background, Counters, FileGrowth, FileNeed, StartState, Warming},
    heap_versions::{HeapHistory, HeapVersions},
    host::{Cause, Host, WaitQueue, charged},
    log::Log,
    miniature::Miniature,
    pages::{FileId, PageId, PageSpace},
    parameters::{BadValue, Parameters},
    pool::{Frame, Pool},
    profile::{ProcessorCosts, Profile},
    replacement::Replacement,
    row_locks::RowLocks,
    statement::{PageUse, Statement, Transaction},
};
use spindle_units::chance::{Chance, scatter};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    rc::Rc,
};

pub(crate) const PAGE_BYTES: u32 = 8192;
/// Log set aside before it is used again; it only has to be long.
/// The least room for temporary files.
const TEMP_BYTES_MIN: u64 = 1 << 30;
const LOG_RING_BYTES: u64 = 4 << 30;
/// A full-page image in the log: `SizeOfXLogRecordBlockImageHeader` and the two bytes that say where the hole is.
const IMAGE_HEADER_BYTES: u64 = 7;
/// A commit record: `SizeOfXLogRecord` 24, header of the main data 2, `xl_xact_commit` 8.
pub const COMMIT_BYTES: u64 = 34;
/// Two wake-ups of a process between client and server for each statement, on an idle Linux machine: a pgbench
/// transaction of seven statements takes 0.36 ms alone, of which 0.24 ms are work.
pub const ROUND_TRIP_NS: u64 = 17_000;
/// Work of a backend that has waited for another's flush and then makes the log durable itself: it has to be scheduled
/// again, for which it queues like others.
pub const FLUSH_WORK_NS: u64 = 30_000;
/// Work of BEGIN or COMMIT as a statement of its own.
pub const BRACKET_NS: u64 = 20_000;

/// The configuration as numbers.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) frames: u32,
    wal_buffer_bytes: u64,
    full_page_writes: bool,
    synchronous_commit: bool,
    pub(crate) wal_writer_delay_ns: u64,
    pub(crate) wal_writer_flush_after: u64,
    pub(crate) checkpoint_timeout_ns: u64,
    pub(crate) checkpoint_log_bytes: u64,
    pub(crate) bgwriter_delay_ns: u64,
    pub(crate) bgwriter_max_pages: u64,
    pub(crate) bgwriter_multiplier: f64,
    /// The background writer goes around the pool at least once in this time.
    pub(crate) whole_pool_ns: u64,
}

/// `checkpoint_completion_target`.
pub const COMPLETION_TARGET: f64 = 0.9;
/// The background writer goes around the pool at least once in this time (`scan_whole_pool_milliseconds`).
const WHOLE_POOL_NS: u64 = 120_000_000_000;
/// `DEFAULT_XLOG_SEG_SIZE`.
const SEGMENT_BYTES: f64 = 16_777_216.0;

impl Settings {
    fn new(profile: &Profile, parameters: &Parameters) -> Result<Self, BadValue> {
        let value = |name| profile.value(parameters, name);
        let shared = value("shared_buffers")?;
        let set = value("wal_buffers")?;
        let wal_buffers = if set > 0.0 { set } else { (shared / 32.0).clamp(65_536.0, SEGMENT_BYTES) };
        // `CalculateCheckpointSegments`.
        let segments = value("max_wal_size")? / SEGMENT_BYTES / (1.0 + COMPLETION_TARGET);
        let ms = |name| value(name).map(|ms| ms as u64 * 1_000_000);
        Ok(Self {
            frames: ((shared / f64::from(PAGE_BYTES)) as u32).max(16),
            wal_buffer_bytes: wal_buffers as u64,
            full_page_writes: value("full_page_writes")? > 0.0,
            synchronous_commit: value("synchronous_commit")? > 0.0,
            wal_writer_delay_ns: ms("wal_writer_delay")?,
            wal_writer_flush_after: value("wal_writer_flush_after")? as u64,
            checkpoint_timeout_ns: value("checkpoint_timeout")? as u64 * 1_000_000_000,
            checkpoint_log_bytes: (libm::floor(segments).max(1.0) * SEGMENT_BYTES) as u64,
            bgwriter_delay_ns: ms("bgwriter_delay")?,
            bgwriter_max_pages: value("bgwriter_lru_maxpages")? as u64,
            bgwriter_multiplier: value("bgwriter_lru_multiplier")?,
            whole_pool_ns: WHOLE_POOL_NS,
        })
    }

    fn in_sample(self, sample: Miniature) -> Self {
        Self {
            frames: sample.frames(self.frames),
            checkpoint_timeout_ns: sample.slow_ns(self.checkpoint_timeout_ns),
            checkpoint_log_bytes: sample.log_bytes(self.checkpoint_log_bytes),
            whole_pool_ns: sample.slow_ns(self.whole_pool_ns),
            ..self
        }
    }
}

/// A table with the versions of its rows.
#[derive(Debug)]
pub(crate) struct PgTable {
    pub(crate) live: LiveTable,
    pub(crate) heap: HeapVersions,
    /// The visibility map.
    pub(crate) visibility: Vec<PageId>,
    pub(crate) rows_per_page: u16,
    pub(crate) version_bytes: u16,
    loaded: u64,
}

impl PgTable {
    fn load(
        spec: &TableSpec,
        profile: &Profile,
        number: u32,
        file: FileId,
        space: &mut PageSpace,
        chance: &mut Chance,
    ) -> Self {
        let rules = spec.rules(profile.format, PAGE_BYTES);
        let live = LiveTable::load(spec, &rules, number, file, space, chance);
        let version_bytes = (libm::ceil(live.row_bytes / 8.0) * 8.0) as u16;
        let rows_per_page = live.heap.as_ref().map_or(1, |heap| heap.rows_per_page) as u16;
        // Two bits a heap page, less the header (`HEAPBLOCKS_PER_PAGE`).
        let heap_pages = live.heap.as_ref().map_or(0, |heap| heap.pages.len());
        let visibility = (0..=heap_pages / (32 * 1021)).map(|_| space.allocate(file)).collect();
        Self {
            heap: HeapVersions::new(spec.loaded_rows(), version_bytes, rows_per_page, HeapHistory::default()),
            live,
            visibility,
            rows_per_page,
            version_bytes,
            loaded: spec.loaded_rows(),
        }
    }

    /// The page of that number in the heap.
    pub(crate) fn heap_page(&self, number: u32) -> PageId {
        let pages = self.live.heap.as_ref().map_or(&[][..], |heap| &heap.pages);
        pages.get(number as usize).or(pages.last()).copied().unwrap_or(PageId(0))
    }
}

/// A running PostgreSQL.
#[derive(Debug)]
pub struct Postgresql<H> {
    pub(crate) host: H,
    pub(crate) settings: Settings,
    pub(crate) costs: ProcessorCosts,
    pub(crate) buffer: Buffer,
    pub(crate) log: Log,
    pub(crate) tables: RefCell<Vec<PgTable>>,
    pub(crate) chance: RefCell<Chance>,
    pub(crate) row_locks: RowLocks,
    /// Log sequence number of each page's last change.
    page_log_end: RefCell<Vec<u64>>,
    /// Where the last checkpoint began: a page last changed before is logged in full.
    pub(crate) redo: Cell<u64>,
    pub(crate) last_transaction: Cell<u64>,
    /// Transactions under way that have a number.
    active: RefCell<BTreeSet<u64>>,
    /// Frames handed out since the background writer last looked.
    pub(crate) allocations: Cell<u64>,
    /// Somebody has left log behind for the log writer.
    pub(crate) wal_writer_latch: Cell<bool>,
    pub(crate) wal_writer_sleeping: WaitQueue,
    pub(crate) extensions: Cell<u64>,
    pub(crate) data_syncs: Cell<u64>,
    files: Vec<FileNeed>,
    /// The file that stands for all temporary ones, and its bytes, where queries are asked.
    pub(crate) temp_file: Cell<Option<(FileId, u64)>>,
}

impl<H: Host> Postgresql<H> {
    /// Loads the tables; nothing is in the buffer yet.
    pub fn new(
        host: H,
        profile: &Profile,
        parameters: &Parameters,
        specs: &[TableSpec],
        sample: Miniature,
        seed: u64,
    ) -> Result<Self, BadValue> {
        let settings = Settings::new(profile, parameters)?.in_sample(sample);
        let mut space = PageSpace::default();
        let mut chance = Chance::new(seed, 30);
        let tables = load_tables(specs, |spec, number| {
            // Each relation has files of its own; a table and its indexes share one here.
            let file = space.add_file();
            PgTable::load(spec, profile, number, file, &mut space, &mut chance)
        });
        let mut files: Vec<FileNeed> = (0..space.files())
            .map(|file| {
                let bytes = u64::from(space.length(FileId(file as u16))) * u64::from(PAGE_BYTES);
                FileNeed {
                    bytes: (bytes * 2).max(64 << 20),
                    direct: false,
                    write_through: false,
                    is_log: false,
                    growth: FileGrowth::Unknown,
                }
            })
            .collect();
        let log_file = space.add_file();
        files.push(FileNeed {
            bytes: LOG_RING_BYTES,
            direct: false,
            write_through: false,
            is_log: true,
            growth: FileGrowth::Unknown,
        });
        let frames = settings.frames;
        let pool = Pool::new(frames, Replacement::Clock(ClockSweep::new(frames as usize)));
        let log = Log::new(log_file, LOG_RING_BYTES, settings.wal_buffer_bytes, u64::from(PAGE_BYTES))
            .with_flush_work(FLUSH_WORK_NS);
        Ok(Self {
            host,
            costs: profile.costs,
            buffer: Buffer::new(pool, space, PAGE_BYTES),
            // A server starts from a checkpoint: whatever page changes first is logged in full.
            redo: Cell::new(log.end()),
            log,
            tables: RefCell::new(tables),
            chance: RefCell::new(chance),
            row_locks: RowLocks::default(),
            page_log_end: RefCell::default(),
            last_transaction: Cell::new(0),
            active: RefCell::default(),
            allocations: Cell::new(0),
            wal_writer_latch: Cell::new(false),
            wal_writer_sleeping: WaitQueue::default(),
            extensions: Cell::new(0),
            data_syncs: Cell::new(0),
            files,
            temp_file: Cell::new(None),
            settings,
        })
    }

    /// Files the engine needs, in the order of their numbers.
    pub fn files(&self) -> &[FileNeed] {
        &self.files
    }

    /// Files that queries need beside: temporary ones, as large together as the tables.
    pub fn query_files(&self) -> Vec<FileNeed> {
        let data = self.files.iter().filter(|file| !file.is_log);
        let bytes = data.map(|file| file.bytes).sum::<u64>().max(TEMP_BYTES_MIN);
        self.temp_file.set(Some((FileId(self.files.len() as u16), bytes)));
        vec![FileNeed { bytes, ..self.files[0] }]
    }

    /// Fills the buffer as a long run of the load would have left it, all frames clean.
    pub fn warm(&self, warming: Warming, next_uses: &mut dyn FnMut(&mut Vec<PageUse>)) {
        let pages =
            self.tables.borrow().iter().flat_map(|t| t.live.all_pages().collect::<Vec<_>>()).collect();
        let seed = self.chance.borrow_mut().bits();
        self.buffer.warm(0, pages, seed, warming, next_uses);
    }

    /// Puts heaps and buffer into the state wanted.
    pub fn set_state(&self, state: StartState, next_uses: &mut dyn FnMut(&mut Vec<PageUse>)) {
        for table in self.tables.borrow_mut().iter_mut() {
            table.heap =
                HeapVersions::new(table.loaded, table.version_bytes, table.rows_per_page, state.heap);
        }
        self.log.begin_behind(state.checkpoint_age);
        let end = self.log.end();
        // At least a byte of log lies between the checkpoint and now, so that a change can come after it.
        self.redo.set(end - state.checkpoint_age.max(1));
        self.take_for_logged(state.heap);
        self.buffer.dirty(state.dirty_pages, end - state.checkpoint_age, end, next_uses);
        // Where all dirty pages can be those of the latest updates, they have been used since the hand came by; it cleans
        // what it passes.
        if state.dirty_pages <= state.heap.updates_since_checkpoint {
            let mut pool = self.buffer.pool.borrow_mut();
            for frame in pool.oldest_dirty(u32::MAX, u64::MAX) {
                pool.touch(frame);
            }
        }
    }

    /// Takes pages that have changed since the last checkpoint for logged in full.
    fn take_for_logged(&self, history: HeapHistory) {
        let mut last_changes = self.page_log_end.borrow_mut();
        last_changes.resize(self.buffer.space.borrow().len(), 0);
        // Not the draw that decides which pages were updated.
        let drawn = |page: &PageId| scatter(u64::from(page.0) ^ 0x10_66ed) as f64 / u64::MAX as f64;
        for table in self.tables.borrow().iter() {
            let heap = table.live.heap.as_ref().map_or(&[][..], |heap| &heap.pages);
            let pages = heap.len() as u64;
            let in_heap = heap.iter().filter(|page| drawn(page) < history.changed(pages));
            let mut changed: Vec<PageId> = in_heap.copied().collect();
            for index in &table.live.indexes {
                let share = history.changed_leaves(pages, index.tree.leaves());
                changed.extend(index.tree.leaf_pages(0, u64::MAX).filter(|page| drawn(page) < share));
            }
            for page in changed {
                last_changes[page.0 as usize] = self.redo.get() + 1;
            }
        }
    }

    /// The pages a statement uses.
    pub(crate) fn uses(&self, statement: &Statement, uses: &mut Vec<PageUse>) {
        let tables = self.tables.borrow();
        let table = &tables[statement.table()];
        let (index, row, changes) = match *statement {
            // A look-up changes a page that it prunes.
            Statement::Select { index, row, .. } | Statement::Range { index, row, .. } => {
                (index, row, table.heap.is_unpruned(table.heap.page_of(row)))
            }
            Statement::Update { row, .. }
            | Statement::UpdateRange { row, .. }
            | Statement::Delete { row, .. } => (0, row, true),
            Statement::Insert { .. }
            | Statement::Scan { .. }
            | Statement::Append { .. }
            | Statement::MakeIndexes { .. } => return,
        };
        if let Some(live) = table.live.indexes.get(index) {
            let slot = live.tree.find(table.live.key_of(index, row));
            if live.tree.leaves() > 1 {
                uses.extend(live.tree.path(slot).map(PageUse::read));
            }
            uses.push(PageUse::read(live.tree.leaf_page(slot)));
        }
        uses.push(PageUse { page: table.heap_page(table.heap.page_of(row)), changes });
    }

    /// Rows of a table.
    pub fn rows(&self, table: usize) -> u64 {
        self.tables.borrow()[table].live.rows
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
            pages_written: pages_written + self.extensions.get(),
            page_marks: 0,
            log_bytes,
            log_syncs,
            log_writes,
            data_syncs: self.data_syncs.get(),
            dirty_pages: u64::from(self.buffer.pool.borrow().dirty_frames()),
            frames: u64::from(self.settings.frames),
            checkpoint_age: self.log.end() - self.redo.get(),
            allocated_pages: self.buffer.space.borrow().len() as u64,
        }
    }

    /// The log writer, the background writer, the checkpointer.
    pub fn background(self: Rc<Self>) -> Vec<Background>
    where
        H: 'static,
    {
        let [log, timer, pages, checkpoints] = [(); 4].map(|()| Rc::clone(&self));
        vec![
            Box::pin(async move { log.wal_writer().await }),
            Box::pin(async move { timer.wal_writer_timer().await }),
            Box::pin(async move { pages.background_writer().await }),
            Box::pin(async move { checkpoints.checkpointer().await }),
        ]
    }

    /// Begins a transaction, which costs nothing until it writes.
    pub async fn begin(&self, _transaction: &mut Transaction) {}

    /// Carries out a statement.
    pub async fn execute(&self, transaction: &mut Transaction, statement: Statement) {
        transaction.statements += 1;
        self.round_trip().await;
        match statement {
            Statement::Select { table, index, row } => self.select(transaction, table, index, row).await,
            Statement::Range { table, index, row, rows } => {
                self.range(transaction, table, index, row, rows).await;
            }
            Statement::Update { table, row, index, .. } => self.update(transaction, table, row, index).await,
            Statement::UpdateRange { table, row, rows, .. } => {
                for row in row..row + u64::from(rows) {
                    self.update(transaction, table, row, None).await;
                }
            }
            Statement::Insert { table, key } => self.insert(transaction, table, key).await,
            Statement::Delete { table, row } => self.delete(transaction, table, row).await,
            Statement::Scan { table } => self.scan(table).await,
            // Loading is modelled for Firebird (`Profile::loads`).
            Statement::Append { .. } | Statement::MakeIndexes { .. } => {}
        }
    }

    /// Commits (`RecordTransactionCommit`). A transaction that changed rows waits for its log; one that has only pruned
    /// leaves it to the log writer.
    pub async fn commit(&self, transaction: &mut Transaction) {
        if transaction.statements > 1 {
            for _ in ["BEGIN", "COMMIT"] {
                self.round_trip().await;
                self.host.cpu(BRACKET_NS).await;
            }
        }
        if transaction.log_end == 0 {
            return;
        }
        if transaction.number > 0 {
            transaction.log_end = self.log.append(COMMIT_BYTES);
        }
        if transaction.number > 0 && self.settings.synchronous_commit {
            charged(&self.host, Cause::Log, self.log.flush_to(&self.host, transaction.log_end, true)).await;
        } else {
            self.nudge_wal_writer(transaction.log_end);
        }
        if transaction.number > 0 {
            self.active.borrow_mut().remove(&transaction.number);
            self.row_locks.unlock(&self.host, &mut transaction.locked);
        }
    }

    async fn round_trip(&self) {
        charged(&self.host, Cause::CpuQueue, self.host.sleep(ROUND_TRIP_NS)).await;
    }

    /// Gives a transaction that begins to write its number.
    pub(crate) fn number(&self, transaction: &mut Transaction) -> u64 {
        if transaction.number == 0 {
            let number = self.last_transaction.get() + 1;
            self.last_transaction.set(number);
            transaction.number = number;
            self.active.borrow_mut().insert(number);
        }
        transaction.number
    }

    /// Versions ended by transactions before this one are of no use to anybody (`GetOldestNonRemovableTransactionId`).
    pub(crate) fn horizon(&self) -> u64 {
        let oldest = self.active.borrow().first().copied();
        oldest.unwrap_or(self.last_transaction.get() + 1)
    }

    /// Logs a change of `bytes` to pages, each given with the bytes an image of it takes, and marks them dirty. A page
    /// that has not changed since the last checkpoint is logged in full (`XLogRecordAssemble`).
    pub(crate) fn log_change(&self, transaction: &mut Transaction, bytes: u64, pages: &[(Frame, u64)]) {
        let before = self.log.end();
        let mut total = bytes;
        let mut last_changes = self.page_log_end.borrow_mut();
        let mut pool = self.buffer.pool.borrow_mut();
        for (frame, used) in pages {
            let page = pool.page(*frame).0 as usize;
            if last_changes.len() <= page {
                last_changes.resize((page + 1).next_power_of_two(), 0);
            }
            if self.settings.full_page_writes && last_changes[page] <= self.redo.get() {
                total += used + IMAGE_HEADER_BYTES;
            }
            pool.mark_dirty(*frame, before);
        }
        let end = self.log.append(total);
        for (frame, _) in pages {
            last_changes[pool.page(*frame).0 as usize] = end;
        }
        transaction.log_end = end;
    }

    /// Log sequence number of the last change of the page in `frame`.
    pub(crate) fn last_change(&self, frame: Frame) -> u64 {
        let page = self.buffer.pool.borrow().page(frame);
        self.page_log_end.borrow().get(page.0 as usize).copied().unwrap_or(0)
    }
}
