//! Firebird at work: a cache with plain LRU, no log, careful writes in their place.
//!
//! Page requests are counted step by step as `src/jrd` of 3.0 takes them; function names in comments are its own. The
//! steps on rows are in `firebird_rows`, the cache in `firebird_cache`, old versions in `firebird_garbage`, what
//! connections share in `firebird_architecture`.

use crate::{
    buffer::Buffer,
    database::{TableSpec, load_tables},
    engine::{Background, Counters, FileGrowth, FileNeed, StartState, Warming},
    firebird_architecture::Architecture,
    firebird_cache::Cache,
    firebird_format,
    firebird_garbage::Garbage,
    firebird_load::SORT_MEMORY_BYTES,
    firebird_table::FirebirdTable,
    host::{Cause, FileAccess, Host, Places, charged},
    layout::{StorageFormat, StorageRules},
    miniature::Miniature,
    pages::{FileId, PageId, PageSpace},
    parameters::{BadValue, Parameters},
    pool::Pool,
    profile::{ProcessorCosts, Profile},
    replacement::{Lru, Replacement},
    statement::{NewKey, PageUse, Statement, Transaction},
};
use spindle_units::chance::Chance;
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

/// Pages at the start of the file: header, page inventory, SCN inventory, transaction inventory.
const FIRST_PAGES: u32 = 4;
/// Page uses for each frame after which a load has shown which pages it uses.
pub const USES_PER_FRAME: usize = 64;
/// Processor time of starting and ending a transaction, the client's round trips included: a transaction of one lookup
/// took 325 µs where nothing had to be read or written (Firebird 3.0.11 and its client on one machine).
pub const TRANSACTION_NS: u64 = 285_000;

/// Reads of a transaction that the own cache does not spare, about: so long a load fills the file cache anew.
const READS_A_TRANSACTION: u64 = 16;
/// Steps from page to page that reach all of them in an order of no meaning: a prime larger than any database has pages.
const SCATTER: u64 = 4_294_967_311;

/// How the database file is opened. That of 3.0 was measured over a device without page cache: forced writes go around
/// it. That of 2.5 goes through the file cache of the system, unless the own cache is as large as the threshold
/// (`FIL_no_fs_cache`), and forced writes are write-through.
fn database_file(
    profile: &Profile,
    parameters: &Parameters,
    frames: u32,
    bytes: u64,
) -> Result<FileNeed, BadValue> {
    let forced = profile.value(parameters, "forced_writes")? > 0.0;
    let uses_file_cache = profile.format == StorageFormat::Firebird11;
    let direct = if uses_file_cache {
        f64::from(frames) >= profile.value(parameters, "file_system_cache_threshold")?
    } else {
        forced
    };
    Ok(FileNeed {
        bytes,
        direct,
        write_through: uses_file_cache && forced,
        is_log: false,
        growth: FileGrowth::Unknown,
    })
}

/// Bytes that the rows will take which a table is still without.
fn planned_bytes(spec: &TableSpec, rules: &StorageRules) -> u64 {
    let rows = spec.sample.rows(spec.rows) as f64 * f64::from(spec.count);
    libm::ceil(rows / firebird_format::rows_per_page(rules, &spec.schema)) as u64
        * u64::from(rules.page_bytes)
}

/// A running Firebird.
#[derive(Debug)]
pub struct Firebird<H> {
    pub(crate) host: H,
    pub(crate) costs: ProcessorCosts,
    pub(crate) cache: Cache,
    pub(crate) tables: RefCell<Vec<FirebirdTable>>,
    pub(crate) chance: RefCell<Chance>,
    pub(crate) garbage: Garbage,
    pub(crate) architecture: Architecture,
    /// The header page is changed and written by one transaction at a time.
    header_lock: Places,
    /// So is the transaction inventory page at commit.
    inventory_lock: Places,
    header: PageId,
    transaction_inventory: PageId,
    next_transaction: Cell<u64>,
    files: Vec<FileNeed>,
    /// Bytes that a sort may use before it writes.
    pub(crate) sort_memory: u64,
}

impl<H: Host> Firebird<H> {
    /// Loads the tables; nothing is in the cache yet.
    pub fn new(
        host: H,
        profile: &Profile,
        parameters: &Parameters,
        specs: &[TableSpec],
        sample: Miniature,
        seed: u64,
    ) -> Result<Self, BadValue> {
        let frames = sample.frames(profile.value(parameters, "page_buffers")? as u32);
        let cooperative_only = profile.value(parameters, "gc_policy")? as u32 == 1;
        let architecture = Architecture::new(profile, parameters)?;
        let page_bytes = profile.page_bytes(parameters);
        let mut space = PageSpace::default();
        let mut chance = Chance::new(seed, 50);
        let file = space.add_file();
        let first: Vec<PageId> = (0..FIRST_PAGES).map(|_| space.allocate(file)).collect();
        let tables = load_tables(specs, |spec, number| {
            let rules = spec.rules(profile.format, page_bytes);
            FirebirdTable::load(spec, &rules, number, file, &mut space, &mut chance)
        });
        let to_load: u64 = specs
            .iter()
            .filter(|spec| spec.to_load)
            .map(|spec| planned_bytes(spec, &spec.rules(profile.format, page_bytes)))
            .sum();
        let data_bytes = u64::from(space.length(file)) * u64::from(page_bytes) + to_load;
        let mut files = vec![database_file(profile, parameters, frames, data_bytes * 2)?];
        if to_load > 0 {
            // What sorts write lies behind the database, in a file that the system caches.
            files.push(FileNeed { bytes: to_load, direct: false, write_through: false, ..files[0] });
        }
        let pool = Pool::new(frames, Replacement::Lru(Lru::new(frames as usize)));
        Ok(Self {
            host,
            costs: profile.costs,
            cache: Cache::new(Buffer::new(pool, space, page_bytes)),
            tables: RefCell::new(tables),
            chance: RefCell::new(chance),
            garbage: Garbage::new(!cooperative_only && architecture.has_collector()),
            architecture,
            header_lock: Places::new(1),
            inventory_lock: Places::new(1),
            header: first[0],
            transaction_inventory: first[3],
            next_transaction: Cell::new(1),
            files,
            sort_memory: sample.some(SORT_MEMORY_BYTES),
        })
    }

    /// Files the engine needs, in the order of their numbers.
    pub fn files(&self) -> &[FileNeed] {
        &self.files
    }

    /// Fills the cache as a long run of the load would have left it, all frames clean: with pages the load uses, as many
    /// as there is room for, over which its uses then pass.
    pub fn warm(&self, warming: Warming, next_uses: &mut dyn FnMut(&mut Vec<PageUse>)) {
        let frames = self.cache.buffer.pool.borrow().size() as usize;
        let mut with_own_pages = |uses: &mut Vec<PageUse>| {
            uses.extend([self.header, self.transaction_inventory].map(PageUse::read));
            next_uses(uses);
        };
        let pages = self.used_pages(frames, &mut with_own_pages);
        let seed = self.chance.borrow_mut().bits();
        self.cache.buffer.warm(0, pages, seed, warming, &mut with_own_pages);
        self.warm_file_cache(&mut with_own_pages);
    }

    /// Fills the system's file cache as the load of tables, and then about an hour of the load, would have left it:
    /// pages drawn anywhere, over which the reads pass that the own cache does not spare.
    fn warm_file_cache(&self, next_uses: &mut dyn FnMut(&mut Vec<PageUse>)) {
        let buffer = &self.cache.buffer;
        let room = self.host.file_cache_bytes(FileId(0)) / u64::from(buffer.page_bytes());
        if room == 0 {
            return;
        }
        let pages = buffer.space.borrow().len() as u64;
        let read = |page| self.host.read_before(buffer.request(page, FileAccess::Read));
        let first = self.chance.borrow_mut().below(pages);
        (0..pages.min(room)).for_each(|at| {
            read(PageId(((first + at * SCATTER) % pages) as u32));
        });
        if pages <= room {
            return;
        }
        let mut pool = buffer.pool.borrow_mut();
        let frames = pool.size();
        let mut uses = Vec::new();
        for _ in 0..room / READS_A_TRANSACTION {
            uses.clear();
            next_uses(&mut uses);
            for PageUse { page, .. } in &uses {
                if let Some(frame) = pool.find(*page) {
                    pool.touch(frame);
                } else if let Some(frame) = pool.take_victim(frames) {
                    read(*page);
                    pool.install(*page, frame, false);
                }
            }
        }
    }

    /// The first `most` different pages that a load uses, or all it uses where they are fewer.
    fn used_pages(&self, most: usize, next_uses: &mut dyn FnMut(&mut Vec<PageUse>)) -> Vec<PageId> {
        let mut seen = vec![false; self.cache.buffer.space.borrow().len()];
        let (mut pages, mut uses, mut total) = (Vec::new(), Vec::new(), 0);
        while pages.len() < most && total < most * USES_PER_FRAME {
            uses.clear();
            next_uses(&mut uses);
            total += uses.len().max(1);
            for PageUse { page, .. } in &uses {
                if !std::mem::replace(&mut seen[page.0 as usize], true) {
                    pages.push(*page);
                }
            }
        }
        pages.truncate(most);
        pages
    }

    /// Changes pages as the load would, until the cache is in the state wanted.
    pub fn set_state(&self, state: StartState, next_uses: &mut dyn FnMut(&mut Vec<PageUse>)) {
        self.cache.buffer.dirty(state.dirty_pages, 0, 0, next_uses);
    }

    /// The pages a statement uses.
    pub(crate) fn uses(&self, statement: &Statement, uses: &mut Vec<PageUse>) {
        let tables = self.tables.borrow();
        let live = &tables[statement.table()];
        let index_use = |index: usize, key: u64, uses: &mut Vec<PageUse>| {
            uses.push(PageUse::read(live.index_root));
            if let Some(index) = live.indexes.get(index) {
                uses.extend(index.descent(index.tree.find(key)).map(PageUse::read));
            }
        };
        let row_use = |row: u64, changes: bool, uses: &mut Vec<PageUse>| {
            let page = live.data_page_of(row);
            uses.push(PageUse::read(live.pointer_page(page)));
            uses.push(PageUse { page: live.data_page(page), changes });
        };
        match *statement {
            Statement::Select { index, row, .. } => {
                index_use(index, live.key_of(index, row), uses);
                row_use(row, false, uses);
            }
            Statement::Range { index, row, rows, .. } => {
                index_use(index, live.key_of(index, row), uses);
                for step in 0..u64::from(rows) {
                    row_use(live.row_after(index, row, step), false, uses);
                }
            }
            Statement::Update { row, .. } | Statement::Delete { row, .. } => {
                if !live.indexes.is_empty() {
                    index_use(0, live.key_of(0, row), uses);
                }
                row_use(row, true, uses);
            }
            Statement::UpdateRange { row, rows, .. } => {
                index_use(0, live.key_of(0, row), uses);
                for step in 0..u64::from(rows) {
                    row_use(live.row_after(0, row, step), true, uses);
                }
            }
            Statement::Insert { key, .. } => {
                row_use(live.rows - 1, true, uses);
                for index in 0..live.indexes.len() {
                    let place = match key {
                        NewKey::Same(row) | NewKey::After(row) => live.key_of(index, row),
                        NewKey::Random => self.chance.borrow_mut().bits(),
                    };
                    index_use(index, place, uses);
                }
            }
            Statement::Scan { .. } | Statement::Append { .. } | Statement::MakeIndexes { .. } => {}
        }
    }

    /// Rows of a table.
    pub fn rows(&self, table: usize) -> u64 {
        self.tables.borrow()[table].rows
    }

    /// Counters since the start.
    pub fn counters(&self) -> Counters {
        let pool = self.cache.buffer.pool.borrow();
        let (hits, misses) = pool.requests();
        let (page_reads, pages_written) = self.cache.buffer.transfers();
        Counters {
            page_requests: hits + misses,
            page_misses: misses,
            page_reads,
            pages_written,
            page_marks: self.cache.marks(),
            dirty_pages: u64::from(pool.dirty_frames()),
            frames: u64::from(pool.size()),
            allocated_pages: self.cache.buffer.space.borrow().len() as u64,
            ..Counters::default()
        }
    }

    /// The garbage collector's thread, and where there is one the cache writer's.
    pub fn background(self: Rc<Self>) -> Vec<Background>
    where
        H: 'static,
    {
        let writer = self.architecture.has_cache_writer().then(|| Rc::clone(&self));
        let writer =
            writer.map(|engine| -> Background { Box::pin(async move { engine.cache_writer().await }) });
        let collector: Background = Box::pin(async move { self.garbage_collector().await });
        std::iter::once(collector).chain(writer).collect()
    }

    /// Begins a transaction (`TRA_start`). One that may write takes its number from the header page and writes that page
    /// before it goes on, one transaction of the server at a time (`bump_transaction_id`); for one that is declared
    /// read-only the page is only marked.
    pub async fn begin(&self, transaction: &mut Transaction) {
        self.cpu(TRANSACTION_NS / 2).await;
        let number = self.next_transaction.get();
        self.next_transaction.set(number + 1);
        if transaction.read_only {
            self.fetch(self.header).await;
            self.mark(self.header).await;
            return;
        }
        transaction.number = number;
        charged(&self.host, Cause::PageWrite, self.header_lock.enter(&self.host)).await;
        self.fetch(self.header).await;
        self.mark(self.header).await;
        self.write(self.header).await;
        self.header_lock.leave(&self.host);
        self.garbage.begin(number);
        self.garbage.wake_collector(&self.host);
    }

    /// Carries out a statement.
    pub async fn execute(&self, transaction: &mut Transaction, statement: Statement) {
        match statement {
            Statement::Select { table, index, row } => self.select(table, index, row, 1).await,
            Statement::Range { table, index, row, rows } => self.select(table, index, row, rows).await,
            Statement::Update { table, row, index, .. } => {
                self.update(transaction, table, row, 1, index).await;
            }
            Statement::UpdateRange { table, row, rows, .. } => {
                self.update(transaction, table, row, rows, None).await;
            }
            Statement::Insert { table, key } => self.insert(transaction, table, key).await,
            Statement::Delete { table, row } => self.delete(transaction, table, row).await,
            Statement::Scan { table } => self.scan(table).await,
            Statement::Append { table, rows } => self.append(transaction, table, rows).await,
            Statement::MakeIndexes { table } => self.make_indexes(transaction, table).await,
        }
    }

    /// Commits: the pages the transaction has changed are written one by one, each before the page that points at it,
    /// then the transaction inventory page (`CCH_flush`, `TRA_set_state`). Who changed nothing writes nothing.
    pub async fn commit(&self, transaction: &mut Transaction) {
        let changed = std::mem::take(&mut transaction.changed);
        self.cpu(TRANSACTION_NS / 2).await;
        self.flush(changed.iter().copied()).await;
        if changed.is_empty() {
            self.fetch(self.transaction_inventory).await;
            self.mark(self.transaction_inventory).await;
        } else {
            // The page is written before it is let go (`CCH_MARK_MUST_WRITE`): one commit a write.
            charged(&self.host, Cause::PageWrite, self.inventory_lock.enter(&self.host)).await;
            self.fetch(self.transaction_inventory).await;
            self.mark(self.transaction_inventory).await;
            self.write(self.transaction_inventory).await;
            self.inventory_lock.leave(&self.host);
        }
        if transaction.number > 0 {
            self.garbage.end(transaction.number);
        }
    }

    /// Changes a page for a transaction, which will write it when it commits.
    pub(crate) async fn change(&self, transaction: &mut Transaction, page: PageId) {
        self.mark(page).await;
        if !transaction.changed.contains(&page) {
            transaction.changed.push(page);
        }
    }
}
