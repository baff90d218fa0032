//! Tables of an engine while it runs: trees, heaps, and which row has which key.

use crate::{
    layout::{StorageFormat, StorageRules},
    pages::{FileId, PageId, PageSpace},
    schema::{IndexKind, Schema},
    tree::{InsertOrder, Tree},
};
use spindle_units::chance::{Chance, scatter};

/// What a table is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct TableSpec {
    /// Columns and indexes.
    pub schema: Schema,
    /// Rows before the run.
    pub rows: u64,
    /// Tables alike.
    pub count: u32,
    /// Order in which the rows were loaded.
    pub order: InsertOrder,
    /// Share of the declared length that variable columns use.
    pub fill: f64,
}

impl TableSpec {
    /// How the table is stored.
    pub fn rules(&self, format: StorageFormat, page_bytes: u32) -> StorageRules {
        StorageRules { format, page_bytes, order: self.order, fill: self.fill }
    }
}

/// An index while the engine runs.
#[derive(Debug)]
pub struct LiveIndex {
    /// What it promises.
    pub kind: IndexKind,
    /// Its pages.
    pub tree: Tree,
    /// Bytes of a leaf record.
    pub entry_bytes: f64,
}

/// A heap while the engine runs: pages in the order of arrival, the last one being filled.
#[derive(Debug)]
pub struct LiveHeap {
    /// Pages, oldest first.
    pub pages: Vec<PageId>,
    /// Rows of a full page.
    pub rows_per_page: u32,
    file: FileId,
}

/// A table while the engine runs.
#[derive(Debug)]
pub struct LiveTable {
    /// The file its pages are in.
    pub file: FileId,
    /// Rows.
    pub rows: u64,
    /// Bytes of a row where it is stored.
    pub row_bytes: f64,
    /// Indexes; for InnoDB the first is the table itself.
    pub indexes: Vec<LiveIndex>,
    /// The heap, where rows lie apart.
    pub heap: Option<LiveHeap>,
    order: InsertOrder,
    loaded: u64,
    salt: u64,
}

impl LiveTable {
    /// Loads one of the tables of `spec` into `file`.
    pub fn load(
        spec: &TableSpec,
        rules: &StorageRules,
        number: u32,
        file: FileId,
        space: &mut PageSpace,
        chance: &mut Chance,
    ) -> Self {
        let heap = rules.heap_rows_per_page(&spec.schema).map(|rows_per_page| {
            let count = spec.rows.div_ceil(u64::from(rows_per_page)).max(1);
            LiveHeap { pages: (0..count).map(|_| space.allocate(file)).collect(), rows_per_page, file }
        });
        let indexes = spec
            .schema
            .indexes
            .iter()
            .map(|index| LiveIndex {
                kind: index.kind,
                entry_bytes: rules.entry_bytes(&spec.schema, index),
                tree: Tree::load(
                    spec.order,
                    spec.rows,
                    rules.node_rule(&spec.schema, index),
                    file,
                    space,
                    chance,
                ),
            })
            .collect();
        Self {
            file,
            rows: spec.rows,
            row_bytes: rules.row_bytes(&spec.schema),
            indexes,
            heap,
            order: spec.order,
            loaded: spec.rows,
            salt: scatter(u64::from(number) + 1),
        }
    }

    /// The place of a row's key among all keys. Rows loaded in key order have evenly spaced keys; others, and rows
    /// inserted later, have keys anywhere. All indexes of the tables here begin with the same column, so one place
    /// serves all of them.
    pub fn key_of(&self, row: u64) -> u64 {
        if row < self.loaded && self.order != InsertOrder::Random {
            ((u128::from(row) << 64) / u128::from(self.loaded.max(1))) as u64
        } else {
            scatter(row ^ self.salt)
        }
    }

    /// The heap page of a row, where rows lie apart.
    pub fn heap_page(&self, row: u64) -> Option<PageId> {
        let heap = self.heap.as_ref()?;
        heap.pages.get((row / u64::from(heap.rows_per_page)) as usize).or(heap.pages.last()).copied()
    }

    /// Appends a row to the heap: its page, and whether the page is new.
    pub fn append_to_heap(&mut self, space: &mut PageSpace) -> Option<(PageId, bool)> {
        let heap = self.heap.as_mut()?;
        let index = (self.rows / u64::from(heap.rows_per_page)) as usize;
        let fresh = index >= heap.pages.len();
        if fresh {
            heap.pages.push(space.allocate(heap.file));
        }
        heap.pages.get(index).map(|page| (*page, fresh))
    }

    /// Whether the next row needs a new heap page.
    pub fn heap_is_full(&self) -> bool {
        self.heap.as_ref().is_some_and(|h| self.rows / u64::from(h.rows_per_page) >= h.pages.len() as u64)
    }

    /// Pages of the table.
    pub fn pages(&self) -> u64 {
        self.indexes.iter().map(|i| i.tree.pages()).sum::<u64>()
            + self.heap.as_ref().map_or(0, |h| h.pages.len() as u64)
    }
}

/// What clients do, as far as it decides which pages are warm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AccessMix {
    /// One row is inserted into one of the tables, with a random key.
    Inserts,
    /// One row of the first `range` (a share of the rows, 0 to 1) is looked up by each index.
    Selects {
        /// Share of each table's rows that is searched.
        range: f64,
    },
}

/// Pages of like popularity: how often a transaction uses each of them.
#[derive(Debug, Clone, PartialEq)]
pub struct PageClass {
    /// The pages.
    pub pages: Vec<PageId>,
    /// Uses of one page in one transaction.
    pub rate: f64,
}

/// Pages a transaction uses, by popularity. `lookup_through_clustered` is true where a secondary lookup goes on to
/// the clustered tree.
pub fn page_classes(tables: &[LiveTable], mix: AccessMix, lookup_through_clustered: bool) -> Vec<PageClass> {
    let mut classes = Vec::new();
    let share = 1.0 / tables.len().max(1) as f64;
    let mut add = |pages: Vec<PageId>, uses: f64| {
        if !pages.is_empty() {
            let rate = uses * share / pages.len() as f64;
            classes.push(PageClass { pages, rate });
        }
    };
    for table in tables {
        for (number, index) in table.indexes.iter().enumerate() {
            let uses = match mix {
                AccessMix::Selects { .. } if lookup_through_clustered && number == 0 => {
                    table.indexes.len() as f64
                }
                _ => 1.0,
            };
            let leaves = match mix {
                AccessMix::Selects { range } if table.order != InsertOrder::Random => {
                    index.tree.leaf_pages(0, (range.clamp(0.0, 1.0) * u64::MAX as f64) as u64).collect()
                }
                // Rows of a range of arrival have keys anywhere.
                _ => index.tree.leaf_pages(0, u64::MAX).collect(),
            };
            add(leaves, uses);
            add(index.tree.inner_pages().collect(), uses);
        }
        if let (Some(heap), AccessMix::Selects { range }) = (&table.heap, mix) {
            let count = (heap.pages.len() as f64 * range.clamp(0.0, 1.0)).ceil() as usize;
            add(heap.pages[..count.min(heap.pages.len())].to_vec(), table.indexes.len() as f64);
        }
    }
    classes
}

/// The characteristic time of an LRU pool of `frames`, in transactions: the time over which that many different
/// pages are used (Che, Tung and Wang, 2002). Infinite where everything fits.
pub fn characteristic_time(classes: &[PageClass], frames: f64) -> f64 {
    let total: f64 = classes.iter().map(|c| c.pages.len() as f64).sum();
    if total <= frames {
        return f64::INFINITY;
    }
    let used = |t: f64| -> f64 {
        classes.iter().map(|c| c.pages.len() as f64 * (1.0 - libm::exp(-c.rate * t))).sum()
    };
    let (mut low, mut high) = (0.0, 1.0);
    while used(high) < frames {
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if used(middle) < frames { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// Pages in an LRU pool of `frames` at steady state, least recently used first, drawn page by page: a page of rate
/// r is there with probability 1 - exp(-r T), and its age is exponential, cut at T.
pub fn warm_pages(classes: &[PageClass], frames: u32, chance: &mut Chance) -> Vec<PageId> {
    let time = characteristic_time(classes, f64::from(frames));
    let mut present: Vec<(u64, PageId)> = Vec::new();
    for class in classes {
        if class.rate <= 0.0 {
            continue;
        }
        for page in &class.pages {
            let age = chance.exponential() / class.rate;
            if age < time {
                // Ages are compared as integers: nanotransactions are exact enough and sort alike everywhere.
                present.push(((age * 1e6) as u64, *page));
            }
        }
    }
    present.sort_unstable();
    present.truncate(frames as usize);
    present.reverse();
    present.into_iter().map(|(_, page)| page).collect()
}
