//! InnoDB at work: lookups, inserts, and the reads and flushes they cause.
//!
//! The order of steps follows `storage/innobase` of MySQL 5.1.47; function names in comments are its own.

use crate::{
    buffer::Buffer,
    change_buffer::ChangeBuffer,
    database::{LiveTable, TableSpec},
    engine::{Background, Counters, FileNeed, StartState},
    host::{Cause, FileAccess, FileRequest, Host, Places, WaitQueue, charged, transfer},
    log::Log,
    midpoint_lru::MidpointLru,
    pages::{FileId, PageId, PageSpace},
    parameters::{BadValue, Parameters},
    pool::{Frame, Pool},
    profile::{ProcessorCosts, Profile},
    replacement::Replacement,
    schema::IndexKind,
    statement::{NewKey, PageUse, Statement, Transaction},
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
    flush_log_at_commit: u32,
    pub(crate) doublewrite: bool,
    thread_concurrency: u32,
    pub(crate) max_dirty_percent: f64,
    file_per_table: bool,
    binary_log: bool,
    sync_binlog: u64,
    direct: bool,
}

impl Settings {
    pub(crate) fn new(profile: &Profile, parameters: &Parameters) -> Result<Self, BadValue> {
        let value = |name| profile.value(parameters, name);
        Ok(Self {
            pool_bytes: value("innodb_buffer_pool_size")?,
            log_bytes: value("innodb_log_file_size")? * value("innodb_log_files_in_group")?,
            log_buffer_bytes: value("innodb_log_buffer_size")?,
            flush_log_at_commit: value("innodb_flush_log_at_trx_commit")? as u32,
            doublewrite: value("innodb_doublewrite")? > 0.0,
            thread_concurrency: value("innodb_thread_concurrency")? as u32,
            max_dirty_percent: value("innodb_max_dirty_pages_pct")?,
            file_per_table: value("innodb_file_per_table")? > 0.0,
            binary_log: value("log_bin")? > 0.0,
            sync_binlog: value("sync_binlog")? as u64,
            direct: value("innodb_flush_method")? == 2.0,
        })
    }
}

/// Ages of the log at which flushing begins and at which everybody waits (`log_calc_max_ages`).
#[derive(Debug, Clone, Copy)]
pub(crate) struct LogAges {
    pub(crate) modified_async: u64,
    pub(crate) modified_sync: u64,
    pub(crate) checkpoint_max: u64,
}

impl LogAges {
    fn new(log_bytes: f64, thread_concurrency: u32) -> Self {
        let group = log_bytes - log_bytes / 10.0;
        // Four pages for each thread that may write between two checks, and eight more.
        let spare = f64::from(PAGE_BYTES) * (4.0 * (10.0 + f64::from(thread_concurrency)) + 8.0);
        let margin = (group - spare).max(log_bytes / 4.0);
        let margin = margin - margin / 10.0;
        Self {
            modified_async: (margin - margin / 8.0) as u64,
            modified_sync: (margin - margin / 16.0) as u64,
            checkpoint_max: margin as u64,
        }
    }
}

#[derive(Debug)]
struct BinaryLog {
    file: FileId,
    end: Cell<u64>,
    since_sync: Cell<u64>,
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
    tables: RefCell<Vec<LiveTable>>,
    chance: RefCell<Chance>,
    admission: Option<Places>,
    binary_log: Option<BinaryLog>,
    undo_pages: Vec<PageId>,
    files: Vec<FileNeed>,
}

/// Share of a statement's processor time that passes inside the storage engine, where `innodb_thread_concurrency`
/// counts it; the rest is network, parser and client library.
const INSIDE_SHARE: f64 = 0.4;

/// `innodb_thread_sleep_delay`: 10 000 microseconds by default.
const THREAD_SLEEP_DELAY_NS: u64 = 10_000_000;

/// Log of an insert beside its records: index descriptions and headers of each entry, undo record, undo and
/// transaction headers. With the records it comes to the 1000 bytes measured for the article's table.
const LOG_ENTRY_BYTES: f64 = 36.0;
const LOG_TRANSACTION_BYTES: f64 = 170.0;
/// Event header and statement text around the values in the binary log.
const BINLOG_OVERHEAD_BYTES: f64 = 200.0;

impl<H: Host> Innodb<H> {
    /// Loads the tables; nothing is in the pool yet.
    pub fn new(
        host: H,
        profile: &Profile,
        parameters: &Parameters,
        specs: &[TableSpec],
        seed: u64,
    ) -> Result<Self, BadValue> {
        let settings = Settings::new(profile, parameters)?;
        let mut space = PageSpace::default();
        let mut chance = Chance::new(seed, 10);
        let total: u32 = specs.iter().map(|s| s.count).sum();
        let shared = space.add_file();
        let mut table_files = Vec::new();
        for _ in 0..total {
            table_files.push(if settings.file_per_table { space.add_file() } else { shared });
        }
        let mut tables = Vec::new();
        for spec in specs {
            let rules = spec.rules(profile.format, PAGE_BYTES);
            for _ in 0..spec.count {
                let number = tables.len();
                tables.push(LiveTable::load(
                    spec,
                    &rules,
                    number as u32,
                    table_files[number],
                    &mut space,
                    &mut chance,
                ));
            }
        }
        let entry_bytes = tables
            .iter()
            .flat_map(|t| &t.indexes)
            .filter(|i| i.kind == IndexKind::NonUnique)
            .map(|i| i.entry_bytes)
            .fold(30.0, f64::max);
        let frames = ((settings.pool_bytes / f64::from(PAGE_BYTES)) as u32).max(64);
        let undo_pages = (0..64).map(|_| space.allocate(shared)).collect();
        let change_buffer = ChangeBuffer::new(
            shared,
            PAGE_BYTES,
            entry_bytes,
            u64::from(frames / 2),
            &mut space,
            &mut chance,
        );
        let log_file = space.add_file();
        let binary_log = settings.binary_log.then(|| BinaryLog {
            file: space.add_file(),
            end: Cell::new(0),
            since_sync: Cell::new(0),
        });
        let files = (0..space.files())
            .map(|file| {
                let pages = u64::from(space.length(FileId(file as u16)));
                let is = |id: FileId| usize::from(id.0) == file;
                let bytes = if is(log_file) {
                    settings.log_bytes as u64
                } else if binary_log.as_ref().is_some_and(|b| is(b.file)) {
                    1 << 30
                } else {
                    // Room to grow: a run may as well double a table.
                    (pages * 2 * u64::from(PAGE_BYTES)).max(64 << 20)
                };
                FileNeed {
                    bytes,
                    direct: settings.direct && !is(log_file) && pages > 0,
                    is_log: is(log_file),
                }
            })
            .collect();
        let pool = Pool::new(frames, Replacement::Midpoint(MidpointLru::new(frames as usize, 37)));
        Ok(Self {
            host,
            costs: profile.costs,
            buffer: Buffer::new(pool, space, PAGE_BYTES),
            log: Log::new(log_file, settings.log_bytes as u64, settings.log_buffer_bytes as u64, 512),
            ages: LogAges::new(settings.log_bytes, settings.thread_concurrency),
            change_buffer: RefCell::new(change_buffer),
            system_file: shared,
            doublewrite_lock: Places::new(1),
            lru_flush_running: Cell::new(false),
            lru_flush_ended: WaitQueue::default(),
            list_flush_running: Cell::new(false),
            list_flush_ended: WaitQueue::default(),
            data_syncs: Cell::new(0),
            tables: RefCell::new(tables),
            chance: RefCell::new(chance),
            admission: (settings.thread_concurrency > 0).then(|| Places::new(settings.thread_concurrency)),
            binary_log,
            undo_pages,
            files,
            settings,
        })
    }

    /// Files the engine needs, in the order of their numbers.
    pub fn files(&self) -> &[FileNeed] {
        &self.files
    }

    /// Fills the pool as a long run of the load would have left it, all frames clean.
    pub fn warm(&self, statements: &mut dyn FnMut(&mut Vec<Statement>)) {
        let pages = self.tables.borrow().iter().flat_map(|t| t.all_pages().collect::<Vec<_>>()).collect();
        let frames = self.buffer.pool.borrow().size();
        // The free list and the pages of the system tablespace take their share.
        let spare = 200.min(frames / 2);
        let mut own = Chance::new(self.chance.borrow_mut().bits(), 0);
        let mut drawn = Vec::new();
        self.buffer.warm(spare, pages, &mut own, |uses| {
            drawn.clear();
            statements(&mut drawn);
            drawn.iter().for_each(|statement| self.uses(statement, uses));
        });
    }

    /// Changes pages as the load would until the pool is in the state wanted.
    pub fn set_state(&self, state: StartState, statements: &mut dyn FnMut(&mut Vec<Statement>)) {
        self.log.begin_behind(state.checkpoint_age);
        let end = self.log.end();
        let mut drawn = Vec::new();
        self.buffer.dirty(state.dirty_pages, end - state.checkpoint_age, end, |uses| {
            drawn.clear();
            statements(&mut drawn);
            drawn.iter().for_each(|statement| self.uses(statement, uses));
        });
    }

    /// The pages a statement uses.
    fn uses(&self, statement: &Statement, uses: &mut Vec<PageUse>) {
        let tables = self.tables.borrow();
        let live = &tables[statement.table()];
        let mut descend = |index: usize, key: u64, changes: bool| {
            let tree = &live.indexes[index].tree;
            let slot = tree.find(key);
            uses.extend(tree.path(slot).map(PageUse::read));
            uses.push(PageUse { page: tree.leaf_page(slot), changes });
        };
        match *statement {
            Statement::Select { index, row, .. } => {
                descend(index, live.key_of(index, row), false);
                if index != 0 {
                    descend(0, live.key_of(0, row), false);
                }
            }
            Statement::Insert { key, .. } => {
                let place = match key {
                    NewKey::Random => self.chance.borrow_mut().bits(),
                    NewKey::Same(row) | NewKey::After(row) => live.key_of(0, row),
                };
                for index in 0..live.indexes.len() {
                    descend(index, place, true);
                }
            }
            _ => {}
        }
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
            log_bytes,
            log_syncs,
            log_writes,
            data_syncs: self.data_syncs.get(),
            dirty_pages: u64::from(self.buffer.pool.borrow().dirty_frames()),
            frames: u64::from(self.buffer.pool.borrow().size()),
            checkpoint_age: self.checkpoint_age(),
        }
    }

    /// Log since the oldest change that is not on the device.
    pub(crate) fn checkpoint_age(&self) -> u64 {
        let oldest = self.buffer.pool.borrow().oldest_change();
        self.log.end() - oldest.unwrap_or_else(|| self.log.end())
    }

    /// The master thread.
    pub fn background(self: Rc<Self>) -> Vec<Background>
    where
        H: 'static,
    {
        vec![Box::pin(async move { self.master_thread().await })]
    }

    /// Begins a transaction, which costs nothing until it writes.
    pub async fn begin(&self, _transaction: &mut Transaction) {}

    /// Carries out a statement.
    pub async fn execute(&self, transaction: &mut Transaction, statement: Statement) {
        match statement {
            Statement::Select { table, index, row } => self.select(table, index, row).await,
            Statement::Insert { table, key } => self.insert(transaction, table, key).await,
            _ => {}
        }
    }

    /// Looks up one row by an index.
    async fn select(&self, table: usize, index: usize, row: u64) {
        self.outside(self.costs.select_ns).await;
        self.enter().await;
        self.inside(self.costs.select_ns).await;
        let (key, primary) = {
            let tables = self.tables.borrow();
            (tables[table].key_of(index, row), tables[table].key_of(0, row))
        };
        self.descend(table, index, key).await;
        if index != 0 {
            self.descend(table, 0, primary).await;
        }
        self.leave();
    }

    /// Inserts one row.
    async fn insert(&self, transaction: &mut Transaction, table: usize, key: NewKey) {
        let entries = self.tables.borrow()[table].indexes.len() as u64;
        let cost = self.costs.insert_ns + self.costs.index_entry_ns * entries;
        self.outside(cost).await;
        self.enter().await;
        self.inside(cost).await;
        self.log_free_check().await;
        self.log.wait_for_room(&self.host).await;
        let row = self.tables.borrow_mut()[table].add_row(key, &mut self.chance.borrow_mut());
        let undo = self.undo_pages[(row % self.undo_pages.len() as u64) as usize];
        self.fix(undo).await;
        self.change(undo, LOG_TRANSACTION_BYTES).await;
        for index in 0..entries as usize {
            let key = self.tables.borrow()[table].key_of(index, row);
            self.insert_entry(table, index, key).await;
        }
        self.leave();
        transaction.log_end = self.log.end();
    }

    /// Commits what a transaction has written.
    pub async fn commit(&self, transaction: &mut Transaction) {
        if transaction.log_end > 0 {
            self.commit_log(0).await;
        }
    }

    async fn outside(&self, cost: u64) {
        self.host.cpu((cost as f64 * (1.0 - INSIDE_SHARE)) as u64).await;
    }

    async fn inside(&self, cost: u64) {
        self.host.cpu((cost as f64 * INSIDE_SHARE) as u64).await;
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

    fn leave(&self) {
        if let Some(places) = &self.admission {
            places.leave(&self.host);
        }
    }

    async fn commit_log(&self, table: usize) {
        if let Some(binary_log) = &self.binary_log {
            let bytes = (self.tables.borrow()[table].row_bytes + BINLOG_OVERHEAD_BYTES) as u32;
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
        }
    }

    /// From the root to the leaf that holds `key`; returns the leaf.
    async fn descend(&self, table: usize, index: usize, key: u64) -> PageId {
        let (path, leaf) = {
            let tables = self.tables.borrow();
            let tree = &tables[table].indexes[index].tree;
            let slot = tree.find(key);
            (PathPages::of(tree.path(slot)), tree.leaf_page(slot))
        };
        for page in path.iter() {
            self.fix(page).await;
        }
        self.fix(leaf).await;
        leaf
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
        let absent = self.buffer.pool.borrow().find(leaf).is_none();
        if kind == IndexKind::NonUnique && absent && !may_split && self.change_buffer.borrow().accepts(leaf) {
            self.buffer_change(leaf, entry_bytes).await;
            let mut space = self.buffer.space.borrow_mut();
            let mut tables = self.tables.borrow_mut();
            let tree = &mut tables[table].indexes[index].tree;
            tree.insert_at(slot, key, &mut space, &mut self.chance.borrow_mut());
            return;
        }
        self.fix(leaf).await;
        // A split makes a page; its frame is taken first, so that nobody meets the page without one.
        let spare = if may_split { Some(self.free_frame().await) } else { None };
        let inserted = {
            let mut space = self.buffer.space.borrow_mut();
            let mut tables = self.tables.borrow_mut();
            tables[table].indexes[index].tree.insert_at(slot, key, &mut space, &mut self.chance.borrow_mut())
        };
        match (inserted.split, spare) {
            (Some((page, moved)), Some(frame)) => {
                let end = self.log.append((f64::from(moved) * entry_bytes) as u64);
                self.buffer.create(page, frame, end);
            }
            (None, Some(frame)) => self.buffer.pool.borrow_mut().give_back(frame),
            _ => {}
        }
        if inserted.leaf != leaf || spare.is_some() {
            self.fix(inserted.leaf).await;
        }
        self.change(inserted.leaf, entry_bytes + LOG_ENTRY_BYTES).await;
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
            let end = self.log.append(u64::from(PAGE_BYTES) / 2);
            self.buffer.create(page, frame, end);
        }
        self.change(own_leaf, entry_bytes + LOG_ENTRY_BYTES * 2.0).await;
    }

    /// Makes a page dirty, with its log.
    pub(crate) async fn change(&self, page: PageId, log_bytes: f64) {
        // A page that was just fixed is still here, and changing it is no second request.
        let present = self.buffer.present(page);
        let frame = match present {
            Some(frame) => frame,
            None => self.fix(page).await,
        };
        let before = self.log.end();
        self.log.append(log_bytes as u64);
        self.buffer.pool.borrow_mut().mark_dirty(frame, before);
    }

    /// Brings a page into the pool (`buf_page_get_gen`).
    pub(crate) async fn fix(&self, page: PageId) -> Frame {
        let read_ns = self.costs.page_read_ns;
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
