//! Old versions of rows and the thread that removes them (`Database::garbage_collector`, `src/jrd/vio.cpp`).
//!
//! Every update and delete leaves an old version and a note of its data page. Once no transaction under way can need
//! it, the collector goes through the page, removes the old versions and what only they had in the indexes, and marks
//! the page as swept.

use crate::{
    firebird::Firebird,
    host::{Host, WaitQueue},
    pages::PageId,
};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
};

/// Processor time the collector uses in one turn: a few milliseconds, as schedulers give.
const SLICE_NS: u64 = 3_000_000;

/// A row with an old version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OldVersion {
    /// The transaction that made it old.
    pub(crate) transaction: u64,
    /// The row.
    pub(crate) row: u64,
    /// Whether the row is deleted.
    pub(crate) deleted: bool,
}

/// Data pages with old versions: by table and page number.
type Pages = BTreeMap<(usize, u32), Vec<OldVersion>>;

/// What there is to collect, and which transactions stand in the way.
#[derive(Debug)]
pub(crate) struct Garbage {
    pages: RefCell<Pages>,
    /// Versions noted, by the transaction that made them old.
    ages: RefCell<BTreeMap<u64, u32>>,
    /// Transactions under way that may write, each with the oldest that was under way when it began.
    active: RefCell<BTreeMap<u64, u64>>,
    /// Versions made old by transactions before this one can go (`dbb_oldest_snapshot`, known anew at each start).
    oldest_snapshot: Cell<u64>,
    wanted: WaitQueue,
    in_background: bool,
}

impl Garbage {
    pub(crate) fn new(in_background: bool) -> Self {
        Self {
            pages: RefCell::default(),
            ages: RefCell::default(),
            active: RefCell::default(),
            oldest_snapshot: Cell::new(0),
            wanted: WaitQueue::default(),
            in_background,
        }
    }

    /// A transaction begins.
    pub(crate) fn begin(&self, number: u64) {
        let mut active = self.active.borrow_mut();
        let oldest_active = active.keys().next().map_or(number, |first| (*first).min(number));
        active.insert(number, oldest_active);
        self.oldest_snapshot.set(active.values().copied().min().unwrap_or(number));
    }

    /// A transaction has ended.
    pub(crate) fn end(&self, number: u64) {
        self.active.borrow_mut().remove(&number);
    }

    /// Notes a row's old version (`notify_garbage_collector`).
    pub(crate) fn note(&self, table: usize, page: u32, version: OldVersion) {
        *self.ages.borrow_mut().entry(version.transaction).or_default() += 1;
        self.pages.borrow_mut().entry((table, page)).or_default().push(version);
    }

    /// Wakes the collector if there is a page it can go through.
    pub(crate) fn wake_collector<H: Host>(&self, host: &H) {
        if self.in_background && !self.wanted.is_empty() && self.any_ready() {
            self.wanted.wake_one(host);
        }
    }

    fn is_ready(&self, versions: &[OldVersion]) -> bool {
        versions.iter().any(|version| version.transaction < self.oldest_snapshot.get())
    }

    fn any_ready(&self) -> bool {
        self.ages.borrow().first_key_value().is_some_and(|(oldest, _)| *oldest < self.oldest_snapshot.get())
    }

    /// Takes the versions that can go from the first page that has any; tells whether others stay there.
    fn take(&self) -> Option<(usize, u32, Vec<OldVersion>, bool)> {
        if !self.any_ready() {
            return None;
        }
        let mut pages = self.pages.borrow_mut();
        let (&key, versions) = pages.iter_mut().find(|(_, versions)| self.is_ready(versions))?;
        let oldest = self.oldest_snapshot.get();
        // A row goes once, however many versions it has; it stays while a transaction under way has changed it.
        let young: Vec<OldVersion> =
            versions.iter().filter(|version| version.transaction >= oldest).copied().collect();
        let mut rows = BTreeSet::new();
        let going: Vec<OldVersion> = versions
            .iter()
            .filter(|version| version.transaction < oldest)
            .filter(|version| young.iter().all(|y| y.row != version.row) && rows.insert(version.row))
            .copied()
            .collect();
        let mut ages = self.ages.borrow_mut();
        for version in versions.iter().filter(|version| version.transaction < oldest) {
            if let Some(count) = ages.get_mut(&version.transaction) {
                *count -= 1;
                if *count == 0 {
                    ages.remove(&version.transaction);
                }
            }
        }
        let stays = !young.is_empty();
        if stays {
            *versions = young;
        } else {
            pages.remove(&key);
        }
        Some((key.0, key.1, going, stays))
    }
}

impl<H: Host> Firebird<H> {
    /// The collector: page by page while there is something to do, then it writes what it has changed
    /// (`CCH_flush` with `FLUSH_SWEEP`) and waits.
    pub(crate) async fn garbage_collector(&self) {
        let mut changed = false;
        loop {
            while let Some((table, page, versions, stays)) = self.garbage.take() {
                self.collect_page(table, page, &versions, stays, &mut changed).await;
                self.take_slice(SLICE_NS).await;
            }
            if std::mem::take(&mut changed) {
                self.flush_all().await;
            }
            self.take_slice(0).await;
            if !self.garbage.any_ready() {
                self.garbage.wanted.wait(&self.host).await;
            }
        }
    }

    /// Takes the processor time owed, once it is more than a slice.
    async fn take_slice(&self, slice: u64) {
        let debt = self.cache.collector_debt_ns.get();
        if debt > slice {
            self.cache.collector_debt_ns.set(0);
            self.cpu(debt).await;
        }
    }

    async fn collector_changes(&self, page: PageId, changed: &mut bool) {
        self.mark(page).await;
        *changed = true;
    }

    /// Goes through a data page (`DPM_next` with `onepage`).
    async fn collect_page(
        &self,
        table: usize,
        number: u32,
        versions: &[OldVersion],
        stays: bool,
        changed: &mut bool,
    ) {
        let (data, pointer, before) = {
            let tables = self.tables.borrow();
            let live = &tables[table];
            let before = number.checked_sub(1).map(|before| live.pointer_page(before));
            (live.data_page(number), live.pointer_page(number), before)
        };
        // `check_swept` of the page before, which ends at its pointer page where that says so.
        if let Some(before) = before {
            self.collector_fetch(before).await;
        }
        self.collector_fetch(pointer).await;
        self.collector_fetch(data).await;
        for version in versions {
            if version.deleted {
                self.expunge(table, *version, data, changed).await;
            } else {
                self.purge(table, data, changed).await;
            }
            // The search goes on from the page itself.
            self.collector_fetch(data).await;
        }
        // The last search ends through the pointer page, and `check_swept` looks at both once more.
        for page in [pointer, data, pointer, data] {
            self.collector_fetch(page).await;
        }
        let now_swept = !stays && self.tables.borrow_mut()[table].set_swept(number, true);
        if now_swept {
            self.collector_changes(data, changed).await;
            self.collector_fetch(pointer).await;
            self.collector_fetch(data).await;
            self.cache.precede(pointer, data);
            self.collector_changes(pointer, changed).await;
        }
    }

    /// Removes the old version of a row that lives on (`purge`): the row loses its pointer, the old version goes, the
    /// indexes are looked at, and the row is read again.
    async fn purge(&self, table: usize, data: PageId, changed: &mut bool) {
        self.collector_fetch(data).await;
        self.collector_changes(data, changed).await;
        self.collector_fetch(data).await;
        self.collector_changes(data, changed).await;
        let root = self.tables.borrow()[table].index_root;
        self.collector_fetch(root).await;
        self.collector_fetch(data).await;
    }

    /// Removes a deleted row, its old version and its index entries (`expunge`, `IDX_garbage_collect`, `BTR_remove`).
    async fn expunge(&self, table: usize, version: OldVersion, data: PageId, changed: &mut bool) {
        for _ in 0..2 {
            self.collector_fetch(data).await;
            self.collector_changes(data, changed).await;
        }
        let indexes = self.tables.borrow()[table].indexes.len();
        let root = self.tables.borrow()[table].index_root;
        self.collector_fetch(root).await;
        for index in 0..indexes {
            let path = self.path(table, index, version.row);
            for page in &path {
                self.collector_fetch(*page).await;
            }
            if let Some(leaf) = path.last() {
                self.collector_changes(*leaf, changed).await;
            }
            self.collector_fetch(root).await;
        }
    }
}
