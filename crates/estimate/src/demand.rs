//! What a transaction demands of pool, processor, log and devices, before it is known who waits for whom.

use crate::{
    characteristic_time::Used,
    classes::PageKind,
    load::Load,
    popularity::{PageGroup, Stratum, is_adjacent, page_groups, strata},
    shape::TableShape,
};
use spindle_engine::profile::ProcessorCosts;
use spindle_scenario::Scenario;

/// Pages of a class that are used equally often.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Group {
    /// How many pages.
    pub pages: f64,
    /// Share of the visits that go by the load's key distribution.
    pub share: f64,
    /// Visits a transaction: uses that find the page a while after its last one.
    pub visits: f64,
    /// Visits that change the page.
    pub changes: f64,
    /// Visits, with a change each, that come back later: vacuum, purge.
    pub late: f64,
    /// Visits of pages that need not be read: their changes are kept elsewhere until they are.
    pub unread: f64,
}

impl Group {
    pub fn used(&self) -> Used {
        Used { pages: self.pages, visits: self.visits - self.unread }
    }
}

/// A class of pages with its groups.
#[derive(Debug, Clone)]
pub(crate) struct Class {
    pub table: String,
    pub name: String,
    pub kind: PageKind,
    pub groups: Vec<Group>,
    /// Requests a transaction: visits, and uses right after each other.
    pub requests: f64,
}

impl Class {
    pub fn pages(&self) -> f64 {
        self.groups.iter().map(|g| g.pages).sum()
    }
}

/// How a transaction ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Commit {
    /// Nobody waits.
    Nothing,
    /// The log is written.
    Written,
    /// The log is made durable.
    Durable,
}

/// How page cleaners write.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cleaner {
    /// Whether a copy of each batch is written first.
    pub doublewrite: bool,
    /// Whether the copies are made durable by a sync, and the pages.
    pub syncs_copies: bool,
    pub syncs_pages: bool,
    /// Files over which the pages of a batch are spread.
    pub files: f64,
    /// Pages of a batch.
    pub batch: f64,
    /// Batches that are written side by side.
    pub side_by_side: f64,
}

/// Who writes changed pages, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Writer {
    /// InnoDB 5.1: a user's thread, a page at a time, when clean frames at the old end run out or the log is full.
    UserThread { doublewrite: bool, files: f64 },
    /// MariaDB's and MySQL 8.0's page cleaners.
    Cleaner(Cleaner),
    /// CUBRID 2008: a thread, a page at a time.
    Thread,
    /// CUBRID since 10: a daemon through the double write buffer, in blocks of pages.
    Blocks { pages: f64 },
    /// PostgreSQL: a writer ahead of the clock's hand, else whoever needs the frame.
    Backend,
    /// Firebird: whoever commits.
    Committer,
}

/// What a transaction demands.
#[derive(Debug, Clone)]
pub(crate) struct Demand {
    pub classes: Vec<Class>,
    /// Requests of pages that are certainly there.
    pub sure_requests: f64,
    /// Frames that hold pages on average where not all fit.
    pub frames: f64,
    /// Pages that may be in use with none ever given up.
    pub frames_at_most: f64,
    pub page_bytes: f64,
    /// Processor time at the reference clock, page transfers not counted.
    pub cpu_ns: f64,
    /// The part of it that passes while the transaction holds a place in the engine.
    pub inside_ns: f64,
    /// Processor time of threads of the engine's own.
    pub background_cpu_ns: f64,
    pub page_read_ns: f64,
    pub page_write_ns: f64,
    /// Time that passes without a device or processor, booked as messages; and as waiting for a processor.
    pub network_ns: f64,
    pub wake_up_ns: f64,
    pub log_bytes: f64,
    /// Bytes of the image of a page that is logged when the page changes for the first time; 0 where none is.
    pub image_bytes: f64,
    pub log_block: u64,
    /// Whether a thread of its own makes the log durable for all who commit.
    pub log_thread: bool,
    /// Log after which changed pages are written; infinite where nothing but time or frames asks for it.
    pub log_capacity: f64,
    pub commit: Commit,
    /// What becomes of a binary log after that, with the next group of commits behind it.
    pub binary_log: Commit,
    /// Processor time after a commit's wait.
    pub log_wait_ns: f64,
    pub writer: Writer,
    /// Places inside the engine.
    pub admission: Option<f64>,
    /// Whether data files go around the system's page cache.
    pub direct: bool,
    /// Whether what a commit writes goes through the system's page cache to the device.
    pub write_through: bool,
    /// Whether a run begins with the system's page cache full of the pages that the pool does not have.
    pub file_cache_warmed: bool,
    /// Pages read again because another connection with a cache of its own has changed them.
    pub refreshed_pages: f64,
    /// Whether one task at a time works, whatever the number of processors.
    pub in_turn: bool,
    /// Writes of single pages under a lock, each at every transaction (Firebird's header and inventory).
    pub serial_writes: Vec<f64>,
    /// Pages the committer writes beside those.
    pub committed_pages: f64,
    /// How long after a change vacuum or purge comes back to it: transactions, and seconds.
    pub late_after_transactions: f64,
    pub late_after_s: f64,
    /// Whether one task does, a change after the other.
    pub late_in_turn: bool,
    /// Rows by which the tables grow with a transaction, as a share of those there are.
    pub growth: f64,
    /// Pages of rows that it asks for, and how many of them right behind the one before.
    pub heap_pages: f64,
    pub following_pages: f64,
    /// Pages that a transaction adds to tables and does not come back to.
    pub fresh_pages: f64,
    /// Whether the pages that the load uses are brought in before a run.
    pub warmed: bool,
    /// Rows that are locked to the end of a transaction.
    pub row_locks: RowLocks,
}

/// Rows that transactions lock one after the other and keep to their end.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowLocks {
    /// Rows that a transaction locks.
    pub taken: f64,
    /// Of each table that rows are locked in: how many a transaction locks, and how they are drawn.
    tables: Vec<(usize, f64, Vec<Stratum>)>,
}

impl RowLocks {
    /// Locks of `taken` rows more of a table.
    pub fn add(&mut self, table: usize, taken: f64, drawn: impl FnOnce() -> Vec<Stratum>) {
        self.taken += taken;
        match self.tables.iter_mut().find(|(known, ..)| *known == table) {
            Some((_, of_table, _)) => *of_table += taken,
            None => self.tables.push((table, taken, drawn())),
        }
    }

    /// Rows alike, with the share of the locks that falls on each of them, and on all.
    fn drawn(&self) -> impl Iterator<Item = (f64, f64)> {
        self.tables.iter().flat_map(move |(_, taken, strata)| {
            let part = taken / self.taken.max(1e-12);
            strata.iter().map(move |s| (part * s.share / s.rows.max(1.0), part * s.share))
        })
    }

    /// The share of the locks that falls on the row that is locked most.
    fn most(&self) -> f64 {
        self.drawn().map(|(each, _)| each).fold(0.0, f64::max).min(1.0)
    }

    /// The share of transactions that lock the row that is locked most: who draws it again has it already.
    pub fn hottest(&self) -> f64 {
        1.0 - libm::pow(1.0 - self.most(), self.taken)
    }

    /// The chance that whoever holds the row that is locked most, and is waited for by so many others, closes a circle
    /// before it has all its rows. Both it and they have half of their rows on average, drawn alike; a circle closes when
    /// one that it draws is among theirs.
    pub fn deadlock(&self, waiting: f64) -> f64 {
        let half = 0.5 * (self.taken - 1.0).max(0.0);
        let held = half * waiting;
        let met = |each: f64, share: f64| share * -libm::expm1(-held * each);
        // The row that it holds itself stands in nobody's way.
        let own = met(self.most(), self.most());
        let chance = self.drawn().map(|(each, share)| met(each, share)).sum::<f64>() - own;
        1.0 - libm::pow(1.0 - chance.clamp(0.0, 1.0), half)
    }
}

impl Demand {
    /// Nothing but what every transaction of an engine brings along: a pool of `frames` frames, the processor's part of
    /// page transfers, and tables that grow. Pages are written in blocks of their own size, and nobody waits for a log.
    pub fn of(
        costs: ProcessorCosts,
        load: &Load,
        tables: &[TableShape],
        frames: f64,
        page_bytes: f64,
        writer: Writer,
    ) -> Self {
        Self {
            classes: Vec::new(),
            sure_requests: 0.0,
            frames,
            frames_at_most: frames,
            page_bytes,
            cpu_ns: 0.0,
            inside_ns: 0.0,
            background_cpu_ns: 0.0,
            page_read_ns: costs.page_read_ns as f64,
            page_write_ns: costs.page_write_ns as f64,
            network_ns: 0.0,
            wake_up_ns: 0.0,
            log_bytes: 0.0,
            log_block: page_bytes as u64,
            image_bytes: 0.0,
            log_thread: false,
            log_capacity: f64::INFINITY,
            commit: Commit::Nothing,
            binary_log: Commit::Nothing,
            log_wait_ns: 0.0,
            writer,
            admission: None,
            direct: false,
            write_through: false,
            file_cache_warmed: false,
            refreshed_pages: 0.0,
            in_turn: false,
            serial_writes: Vec::new(),
            committed_pages: 0.0,
            row_locks: RowLocks::default(),
            fresh_pages: 0.0,
            heap_pages: 0.0,
            following_pages: 0.0,
            warmed: true,
            growth: load.growth(tables),
            late_after_transactions: 0.0,
            late_after_s: 0.0,
            late_in_turn: false,
        }
    }

    /// Bytes of images of pages that a transaction logs, after so many of them: a page has not changed yet with the
    /// probability that none of them has come by.
    pub fn logged_images(&self, transactions: f64) -> f64 {
        if self.image_bytes <= 0.0 {
            return 0.0;
        }
        let first = |g: &Group| g.changes * libm::exp(-g.changes / g.pages.max(1e-9) * transactions);
        self.image_bytes * self.groups().map(first).sum::<f64>()
    }

    /// The groups of pages of all classes.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.classes.iter().flat_map(|class| &class.groups)
    }
}

/// Adds up visits, statement by statement.
pub(crate) struct Builder<'a> {
    scenario: &'a Scenario,
    pub tables: &'a [TableShape],
    pub demand: Demand,
    /// Places of the classes: by table, then index (the heap after the indexes), then level.
    places: Vec<Vec<Vec<usize>>>,
}

impl<'a> Builder<'a> {
    /// Classes for all levels of all indexes and heaps.
    pub fn new(scenario: &'a Scenario, tables: &'a [TableShape], demand: Demand) -> Self {
        let mut builder = Self { scenario, tables, demand, places: Vec::new() };
        for table in tables {
            let searched = (table.rows * scenario.workload.search_range).max(1.0);
            let keys = strata(scenario.workload.keys, searched);
            let mut places = Vec::new();
            for index in &table.indexes {
                let mut levels = Vec::new();
                for (level, pages) in index.levels.iter().enumerate() {
                    let leaf = level + 1 == index.levels.len();
                    let kind = if leaf { PageKind::Leaf } else { PageKind::Inner };
                    levels.push(builder.class(table, &index.name, kind, *pages, index.in_order, &keys));
                }
                places.push(levels);
            }
            if let Some((pages, _)) = table.heap {
                places.push(vec![builder.class(table, &table.name, PageKind::Rows, pages, true, &keys)]);
            }
            builder.places.push(places);
        }
        builder
    }

    fn class(
        &mut self,
        table: &TableShape,
        name: &str,
        kind: PageKind,
        pages: f64,
        in_order: bool,
        keys: &[Stratum],
    ) -> usize {
        let side_by_side = in_order && is_adjacent(self.scenario.workload.keys);
        // The first rows of the load lie on the first pages where pages are in the order of rows.
        let searched = if in_order { self.scenario.workload.search_range } else { 1.0 };
        let within = (pages * searched).max(1.0);
        let mut groups = page_groups(keys, within, table.rows * searched, side_by_side);
        let asked: f64 = groups.iter().map(|g| g.pages).sum();
        if asked < pages {
            groups.push(PageGroup { pages: pages - asked, share: 0.0 });
        }
        let groups = groups
            .into_iter()
            .map(|g| Group {
                pages: g.pages * table.count,
                share: g.share,
                visits: 0.0,
                changes: 0.0,
                late: 0.0,
                unread: 0.0,
            })
            .collect();
        let class = Class { table: table.name.clone(), name: name.into(), kind, groups, requests: 0.0 };
        self.demand.classes.push(class);
        self.demand.classes.len() - 1
    }

    /// A class of pages that belong to no table, all used alike.
    pub fn own_pages(&mut self, name: &str, pages: f64, visits: f64, changes: f64) {
        let group = Group { pages, share: 1.0, visits, changes, late: 0.0, unread: 0.0 };
        self.demand.classes.push(Class {
            table: String::new(),
            name: name.into(),
            kind: PageKind::Other,
            groups: vec![group],
            requests: visits,
        });
    }

    /// `visits` of a class by the load's keys, of which `changes` change the page.
    fn keyed(&mut self, class: usize, visits: f64, changes: f64) {
        for group in &mut self.demand.classes[class].groups {
            group.visits += visits * group.share;
            group.changes += changes * group.share;
        }
        self.demand.classes[class].requests += visits;
    }

    /// `visits` of a class's pages all alike.
    fn alike(&mut self, class: usize, visits: f64, changes: f64, unread: f64) {
        let pages = self.demand.classes[class].pages().max(1e-9);
        for group in &mut self.demand.classes[class].groups {
            let share = group.pages / pages;
            group.visits += visits * share;
            group.changes += changes * share;
            group.unread += unread * share;
        }
        self.demand.classes[class].requests += visits;
    }

    /// Requests right after a visit of the same page.
    pub fn again(&mut self, requests: f64) {
        self.demand.sure_requests += requests;
    }

    /// A descent to the leaf of a row drawn by the load's keys: visits, and whether the leaf changes.
    pub fn descend(&mut self, table: usize, index: usize, often: f64, changes: f64) {
        self.walk_down(table, index, 0, often, changes);
    }

    /// The same without the `skipped` levels at the top.
    pub fn walk_down(&mut self, table: usize, index: usize, skipped: usize, often: f64, changes: f64) {
        let Some(levels) = self.places[table].get(index).cloned() else { return };
        let leaf = levels.len().saturating_sub(1);
        for (level, class) in levels.into_iter().enumerate().skip(skipped.min(leaf)) {
            self.keyed(class, often, if level == leaf { changes * often } else { 0.0 });
        }
    }

    /// A descent whose change of the leaf is kept elsewhere where the leaf is not there.
    pub fn descend_buffered(&mut self, table: usize, index: usize, often: f64) {
        self.descend(table, index, often, 1.0);
        if let Some(class) = self.places[table].get(index).and_then(|levels| levels.last().copied()) {
            for group in &mut self.demand.classes[class].groups {
                group.unread += often * group.share;
            }
        }
    }

    /// A descent to the leaf of a new key, anywhere.
    pub fn descend_anywhere(&mut self, table: usize, index: usize, often: f64, changes: f64, unread: f64) {
        let Some(levels) = self.places[table].get(index).cloned() else { return };
        let leaf = levels.len().saturating_sub(1);
        for (level, class) in levels.into_iter().enumerate() {
            let at_leaf = if level == leaf { often } else { 0.0 };
            self.alike(class, often, changes * at_leaf, unread * at_leaf);
        }
    }

    /// Vacuum or purge comes back to the leaves that changes of an index have visited.
    pub fn again_later(&mut self, table: usize, index: usize, often: f64) {
        let Some(class) = self.places[table].get(index).and_then(|levels| levels.last().copied()) else {
            return;
        };
        let groups = &mut self.demand.classes[class].groups;
        let changes: f64 = groups.iter().map(|g| g.changes).sum();
        for group in groups.iter_mut().filter(|_| changes > 0.0) {
            group.late += often * group.changes / changes;
        }
    }

    /// Visits of further leaves after a descent.
    pub fn leaves(&mut self, table: usize, index: usize, often: f64) {
        if let Some(class) = self.places[table].get(index).and_then(|levels| levels.last().copied()) {
            self.keyed(class, often, 0.0);
        }
    }

    /// Locks of `often` rows of a table, drawn by the load's keys.
    pub fn lock_rows(&mut self, table: usize, often: f64) {
        let shape = &self.tables[table];
        let searched = (shape.rows * self.scenario.workload.search_range).max(1.0);
        let of_all = |s: Stratum| Stratum { rows: s.rows * shape.count, ..s };
        let drawn = || strata(self.scenario.workload.keys, searched).into_iter().map(of_all).collect();
        self.demand.row_locks.add(table, often, drawn);
    }

    /// A change of the leaf that a descent has just come to.
    pub fn change_leaf(&mut self, table: usize, index: usize, often: f64) {
        if let Some(class) = self.places[table].get(index).and_then(|levels| levels.last().copied()) {
            for group in &mut self.demand.classes[class].groups {
                group.changes += often * group.share;
            }
        }
    }

    /// Of changes of rows that lie apart, the share that is the first on its page, with so many changes of the table a
    /// transaction, after `earlier` changes of each page, between the two numbers of transactions.
    pub fn first_on_page(&self, table: usize, changes: f64, earlier: f64, from: f64, to: f64) -> f64 {
        let heap = self.tables[table].indexes.len();
        let Some(class) = self.places[table].get(heap).and_then(|levels| levels.last().copied()) else {
            return 0.0;
        };
        let first = |g: &Group| {
            let each = changes * g.share / g.pages.max(1e-9);
            let (begun, more) = (each * from + earlier, (each * (to - from)).max(1e-9));
            g.share * libm::exp(-begun) * -libm::expm1(-more) / more
        };
        self.demand.classes[class].groups.iter().map(first).sum()
    }

    /// Visits of pages of rows that lie apart.
    pub fn heap(&mut self, table: usize, often: f64, changes: f64) {
        self.demand.heap_pages += often;
        let indexes = self.tables[table].indexes.len();
        if let Some(class) = self.places[table].get(indexes).and_then(|levels| levels.last().copied()) {
            self.keyed(class, often, changes * often);
        }
    }
}
