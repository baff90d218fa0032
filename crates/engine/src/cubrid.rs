//! CUBRID at work: a heap in the order of arrival, trees that point at it, a flush thread that keeps clean frames at
//! hand, and a log that a commit need not wait for. Release 2008 writes pages once, without a second copy; versions,
//! vacuum, lists with quotas and the double write buffer came with release 10.

use crate::{
    buffer::Buffer,
    cubrid_flush::DoubleWrite,
    cubrid_settings::{PAGE_BYTES, Settings},
    cubrid_vacuum::Vacuum,
    database::{LiveTable, TableSpec, load_tables},
    engine::{Background, Counters, FileGrowth, FileNeed, StartState, Warming},
    host::{Cause, Host, WaitQueue, charged},
    innodb::PathPages,
    log::{Log, LogDaemon},
    lru_chains::LruChains,
    miniature::Miniature,
    pages::{PageId, PageSpace},
    parameters::{BadValue, Parameters},
    pool::{Frame, Pool},
    profile::{ProcessorCosts, Profile},
    quota_lru::QuotaLru,
    replacement::{Lru, Replacement},
    schema::IndexKind,
    statement::{NewKey, PageUse, Statement, Transaction},
    tree::Slot,
};
use spindle_units::chance::Chance;
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

/// Frames near the end of the lists that the flush thread keeps clean, as a share of the pool
/// (`PGBUF_LRU_2_ZONE`: the rear of each chain holds the victims).
const VICTIM_ZONE: f64 = 0.05;
/// How deep a task looks into a chain for a clean frame before it tries another chain.
const VICTIM_DEPTH: u32 = 16;
/// Log of an insert beside its records, undo and redo: record headers and LSAs for the heap record and each entry.
pub const LOG_HEAP_BYTES: f64 = 120.0;
/// Log of an index entry beside its bytes.
pub const LOG_ENTRY_BYTES: f64 = 90.0;
/// Log of a transaction beside its changes.
pub const LOG_TRANSACTION_BYTES: f64 = 80.0;
/// With versions, records also carry the inserter's number, the link that vacuum follows and the tree's identity
/// (`LOG_REC_MVCC_UNDOREDO`), and the commit the counts of unique indexes: what an insert logs beside its data, so that
/// insert and vacuum together come to the 2350 bytes measured.
pub const LOG_VERSION_BYTES: f64 = 120.0;
/// Bytes of log set aside before it is archived and begun again; it only has to be long.
const LOG_BYTES: u64 = 4 << 30;

/// A running CUBRID.
#[derive(Debug)]
pub struct Cubrid<H> {
    pub(crate) host: H,
    pub(crate) settings: Settings,
    pub(crate) costs: ProcessorCosts,
    pub(crate) buffer: Buffer,
    pub(crate) log: Log,
    pub(crate) tables: RefCell<Vec<LiveTable>>,
    chance: RefCell<Chance>,
    files: Vec<FileNeed>,
    /// Tasks that found no clean frame.
    pub(crate) starved: WaitQueue,
    pub(crate) flush_wanted: WaitQueue,
    pub(crate) double_write: DoubleWrite,
    pub(crate) vacuum: Vacuum,
    pub(crate) log_daemon: LogDaemon,
    /// Searches for a page to give up.
    pub(crate) victims: Cell<u64>,
    /// Whether a search met a dirty page since the flush daemon began its last round.
    pub(crate) flush_asked: Cell<bool>,
    pub(crate) group_commit: WaitQueue,
    pub(crate) log_wanted: WaitQueue,
    pub(crate) last_checkpoint: Cell<u64>,
}

impl<H: Host> Cubrid<H> {
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
        let mut chance = Chance::new(seed, 20);
        // All tables share the database's volumes.
        let volume = space.add_file();
        let tables = load_tables(specs, |spec, number| {
            let rules = spec.rules(profile.format, PAGE_BYTES);
            LiveTable::load(spec, &rules, number, volume, &mut space, &mut chance)
        });
        let log_file = space.add_file();
        let data_bytes = u64::from(space.length(volume)) * u64::from(PAGE_BYTES);
        let files = vec![
            FileNeed {
                bytes: data_bytes * 2,
                direct: false,
                write_through: false,
                is_log: false,
                growth: FileGrowth::Unknown,
            },
            FileNeed {
                bytes: LOG_BYTES,
                direct: false,
                write_through: false,
                is_log: true,
                growth: FileGrowth::Unknown,
            },
        ];
        let frames = settings.frames;
        let replacement = if let Some(versions) = &settings.versions {
            Replacement::Quota(QuotaLru::new(frames as usize, versions.lists))
        } else if settings.chains > 1 {
            Replacement::Chains(LruChains::new(frames as usize, settings.chains))
        } else {
            Replacement::Lru(Lru::new(frames as usize))
        };
        Ok(Self {
            host,
            costs: profile.costs,
            buffer: Buffer::new(Pool::new(frames, replacement), space, PAGE_BYTES),
            log: Log::new(log_file, LOG_BYTES, settings.log_buffer_bytes, u64::from(PAGE_BYTES)),
            tables: RefCell::new(tables),
            chance: RefCell::new(chance),
            files,
            double_write: DoubleWrite::default(),
            vacuum: Vacuum::default(),
            log_daemon: LogDaemon::default(),
            victims: Cell::new(0),
            flush_asked: Cell::new(false),
            starved: WaitQueue::default(),
            flush_wanted: WaitQueue::default(),
            group_commit: WaitQueue::default(),
            log_wanted: WaitQueue::default(),
            last_checkpoint: Cell::new(0),
            settings,
        })
    }

    /// Files the engine needs, in the order of their numbers.
    pub fn files(&self) -> &[FileNeed] {
        &self.files
    }

    /// Fills the buffer as a long run of the load would have left it, all frames clean.
    pub fn warm(&self, warming: Warming, next_uses: &mut dyn FnMut(&mut Vec<PageUse>)) {
        let pages = self.tables.borrow().iter().flat_map(|t| t.all_pages().collect::<Vec<_>>()).collect();
        let seed = self.chance.borrow_mut().bits();
        self.buffer.warm(0, pages, seed, warming, next_uses);
    }

    /// Changes pages as the load would until the buffer is in the state wanted.
    pub fn set_state(&self, state: StartState, next_uses: &mut dyn FnMut(&mut Vec<PageUse>)) {
        self.log.begin_behind(state.checkpoint_age);
        let end = self.log.end();
        self.buffer.dirty(state.dirty_pages, end - state.checkpoint_age, end, next_uses);
    }

    /// The pages a statement uses.
    pub(crate) fn uses(&self, statement: &Statement, uses: &mut Vec<PageUse>) {
        let tables = self.tables.borrow();
        let live = &tables[statement.table()];
        match *statement {
            Statement::Select { index, row, .. } => {
                live.descend(index, live.key_of(index, row), false, uses);
                uses.extend(live.heap_page(row).map(PageUse::read));
            }
            Statement::Insert { .. } => {
                let place = self.chance.borrow_mut().bits();
                for index in 0..live.indexes.len() {
                    live.descend(index, place, true, uses);
                }
                uses.extend(live.heap_page(live.rows).map(PageUse::change));
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
        let oldest = self.buffer.pool.borrow().oldest_change();
        Counters {
            page_requests: hits + misses,
            page_misses: misses,
            page_reads,
            pages_written,
            page_marks: 0,
            log_bytes,
            log_syncs,
            log_writes,
            data_syncs: self.double_write.syncs(),
            dirty_pages: u64::from(self.buffer.pool.borrow().dirty_frames()),
            frames: u64::from(self.buffer.pool.borrow().size()),
            checkpoint_age: self.log.end() - oldest.unwrap_or_else(|| self.log.end()),
            allocated_pages: self.buffer.space.borrow().len() as u64,
        }
    }

    /// The threads that flush pages, write the log, and take checkpoints.
    pub fn background(self: Rc<Self>) -> Vec<Background>
    where
        H: 'static,
    {
        let [flush, log, overflow, checkpoint] = [(); 4].map(|()| Rc::clone(&self));
        let mut daemons: Vec<Background> = vec![
            Box::pin(async move {
                if flush.settings.versions.is_some() {
                    flush.flush_daemon().await;
                } else {
                    flush.flush_thread().await;
                }
            }),
            Box::pin(async move { log.log_thread().await }),
            Box::pin(async move { overflow.log_overflow_thread().await }),
            Box::pin(async move { checkpoint.checkpoint_thread().await }),
        ];
        if let Some(versions) = &self.settings.versions {
            let [ticks, maintenance, master, log] = [(); 4].map(|()| Rc::clone(&self));
            daemons.push(Box::pin(async move { log.log_flush_daemon().await }));
            daemons.push(Box::pin(async move { ticks.flush_ticks().await }));
            daemons.push(Box::pin(async move { maintenance.maintenance_daemon().await }));
            daemons.push(Box::pin(async move { master.vacuum_master().await }));
            for _ in 0..versions.vacuum_workers {
                let worker = Rc::clone(&self);
                daemons.push(Box::pin(async move { worker.vacuum_worker().await }));
            }
        }
        daemons
    }

    /// All clients are gone; their private lists have no owner any more.
    pub fn end_clients(&self) {
        if let Some(lists) = self.buffer.pool.borrow_mut().quota() {
            lists.release_clients();
        }
    }

    /// Begins a transaction, which costs nothing until it writes. A client's first one gives it its private list.
    pub async fn begin(&self, _transaction: &mut Transaction) {
        if let Some(lists) = self.buffer.pool.borrow_mut().quota() {
            lists.assign(self.host.task().0, false);
        }
    }

    /// Carries out a statement.
    pub async fn execute(&self, transaction: &mut Transaction, statement: Statement) {
        match statement {
            Statement::Select { table, index, row } => self.select(table, index, row).await,
            Statement::Insert { table, key } => self.insert(transaction, table, key).await,
            _ => {}
        }
    }

    /// A statement's work on a processor. The broker's process and the server's thread take turns; since release 10,
    /// whose log daemon needs a processor too, they are two pieces, between which others get theirs.
    async fn statement_cpu(&self, statement_ns: u64, server_ns: u64) {
        if self.settings.versions.is_some() {
            self.host.cpu(statement_ns / 2).await;
            self.host.cpu(statement_ns / 2 + server_ns).await;
        } else {
            self.host.cpu(statement_ns + server_ns).await;
        }
    }

    /// Looks up one row by an index, then its row in the heap.
    async fn select(&self, table: usize, index: usize, row: u64) {
        self.statement_cpu(self.costs.select_ns, 0).await;
        let (key, heap_page) = {
            let tables = self.tables.borrow();
            (tables[table].key_of(index, row), tables[table].heap_page(row))
        };
        self.descend(table, index, key).await;
        if let Some(page) = heap_page {
            self.fix(page).await;
        }
    }

    /// Inserts one row.
    async fn insert(&self, transaction: &mut Transaction, table: usize, key: NewKey) {
        let entries = self.tables.borrow()[table].indexes.len();
        self.statement_cpu(self.costs.insert_ns, self.costs.index_entry_ns * entries as u64).await;
        self.wait_for_log_room().await;
        let row_bytes = self.tables.borrow()[table].row_bytes;
        // A new heap page needs a frame, taken first so that nobody meets the page without one.
        let spare =
            if self.tables.borrow()[table].heap_is_full() { Some(self.free_frame().await) } else { None };
        let (row, appended) = {
            let mut space = self.buffer.space.borrow_mut();
            let mut tables = self.tables.borrow_mut();
            let live = &mut tables[table];
            let appended = live.append_to_heap(&mut space);
            (live.add_row(key, &mut self.chance.borrow_mut()), appended)
        };
        let before = self.log.end();
        self.log.append((row_bytes + LOG_HEAP_BYTES + LOG_TRANSACTION_BYTES + self.version_bytes()) as u64);
        match (appended, spare) {
            (Some((page, true)), Some(frame)) => self.create(page, frame, before),
            (other, spare) => {
                if let Some(frame) = spare {
                    self.buffer.pool.borrow_mut().give_back(frame);
                }
                if let Some((page, _)) = other {
                    self.fix(page).await;
                    self.change(page, 0.0).await;
                }
            }
        }
        for index in 0..entries {
            let key = self.tables.borrow()[table].key_of(index, row);
            self.insert_entry(table, index, key).await;
        }
        transaction.log_end = self.log.end();
        if self.settings.versions.is_some() {
            self.vacuum.inserted(self.log.end(), table, row);
        }
    }

    /// Log beside that of release 2008, for each record.
    fn version_bytes(&self) -> f64 {
        if self.settings.versions.is_some() { LOG_VERSION_BYTES } else { 0.0 }
    }

    fn create(&self, page: PageId, frame: Frame, sequence: u64) {
        self.buffer.pool.borrow_mut().set_user(self.host.task().0);
        self.buffer.create(page, frame, sequence);
    }

    /// Commits what a transaction has written.
    pub async fn commit(&self, transaction: &mut Transaction) {
        if transaction.log_end == 0 {
            return;
        }
        if self.settings.asynchronous {
            // The log daemon is woken all the same, unless commits are to share its writes.
            if self.settings.versions.is_some() && self.settings.group_interval_ns == 0 {
                self.log_daemon.ask(&self.host);
            }
            return;
        }
        let end = self.log.end();
        charged(&self.host, Cause::Log, async {
            if self.settings.group_interval_ns > 0 {
                self.group_commit.wait(&self.host).await;
            } else if self.settings.versions.is_some() {
                self.log_daemon.wait(&self.host, &self.log, end).await;
            } else {
                self.log.flush_to(&self.host, end, true).await;
            }
        })
        .await;
    }

    async fn wait_for_log_room(&self) {
        if self.log.is_half_full() {
            self.log_wanted.wake_all(&self.host);
        }
        self.log.wait_for_room(&self.host).await;
    }

    /// Looks for a key for a reader. The root is fixed twice: once for the tree's header, once as the first node.
    async fn descend(&self, table: usize, index: usize, key: u64) -> (Slot, PageId) {
        let root = {
            let tables = self.tables.borrow();
            let tree = &tables[table].indexes[index].tree;
            tree.path(tree.find(key)).next()
        };
        if let Some(root) = root {
            self.fix(root).await;
        }
        self.descend_once(table, index, key).await
    }

    pub(crate) async fn descend_once(&self, table: usize, index: usize, key: u64) -> (Slot, PageId) {
        let (slot, path, leaf) = {
            let tables = self.tables.borrow();
            let tree = &tables[table].indexes[index].tree;
            let slot = tree.find(key);
            (slot, PathPages::of(tree.path(slot)), tree.leaf_page(slot))
        };
        for page in path.iter() {
            self.fix(page).await;
        }
        self.fix(leaf).await;
        (slot, leaf)
    }

    async fn insert_entry(&self, table: usize, index: usize, key: u64) {
        // With versions a unique index's root is fixed once more for the counts that it keeps; measured are 12.2 fixes of
        // an insert into three trees of three levels: nine for the trees, one for the heap, two more.
        let again = self.settings.versions.is_none()
            || self.tables.borrow()[table].indexes[index].kind != IndexKind::NonUnique;
        let (slot, leaf) = if again {
            self.descend(table, index, key).await
        } else {
            self.descend_once(table, index, key).await
        };
        let (slot, entry_bytes, may_split) = {
            let tables = self.tables.borrow();
            let live = &tables[table].indexes[index];
            let slot = if live.tree.is_current(slot) { slot } else { live.tree.find(key) };
            (slot, live.entry_bytes, live.tree.may_split(slot))
        };
        let spare = if may_split { Some(self.free_frame().await) } else { None };
        let inserted = {
            let mut space = self.buffer.space.borrow_mut();
            let mut tables = self.tables.borrow_mut();
            tables[table].indexes[index].tree.insert_at(slot, key, &mut space, &mut self.chance.borrow_mut())
        };
        match (inserted.split, spare) {
            (Some((page, moved)), Some(frame)) => {
                let before = self.log.end();
                self.log.append((f64::from(moved) * entry_bytes) as u64);
                self.create(page, frame, before);
            }
            (None, Some(frame)) => self.buffer.pool.borrow_mut().give_back(frame),
            _ => {}
        }
        if inserted.leaf != leaf || spare.is_some() {
            self.fix(inserted.leaf).await;
        }
        self.change(inserted.leaf, entry_bytes + LOG_ENTRY_BYTES + self.version_bytes()).await;
    }

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

    pub(crate) async fn fix(&self, page: PageId) -> Frame {
        let read_ns = self.costs.page_read_ns;
        self.buffer.fix(&self.host, page, read_ns, async || self.free_frame().await, async || ()).await
    }

    /// Frames near the ends of the lists that should be clean.
    pub(crate) fn zone(&self) -> u32 {
        ((f64::from(self.settings.frames) * VICTIM_ZONE) as u32).max(8)
    }

    /// An empty frame: a free one, or a clean victim from the rear of a chain.
    async fn free_frame(&self) -> Frame {
        loop {
            let found = {
                let mut pool = self.buffer.pool.borrow_mut();
                pool.set_user(self.host.task().0);
                pool.take_free().or_else(|| {
                    self.victims.set(self.victims.get() + 1);
                    // The flush thread is woken as soon as a dirty page stands at the end of a chain.
                    if self.settings.versions.is_none() && pool.next_is_dirty() {
                        self.flush_wanted.wake_all(&self.host);
                    }
                    let victim = pool.take_victim(VICTIM_DEPTH);
                    if pool.take_flush_hint() {
                        self.flush_asked.set(true);
                        self.flush_wanted.wake_all(&self.host);
                    }
                    victim
                })
            };
            if let Some(frame) = found {
                return frame;
            }
            if self.settings.versions.is_some() {
                self.flush_wanted.wake_all(&self.host);
            }
            charged(&self.host, Cause::FreeFrame, self.starved.wait(&self.host)).await;
        }
    }
}
