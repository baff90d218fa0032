//! Tables of an engine while it runs: trees, heaps, and which row has which key.

use crate::{
    layout::{StorageFormat, StorageRules},
    miniature::Miniature,
    pages::{FileId, PageId, PageSpace},
    schema::{IndexKind, Schema},
    statement::{NewKey, PageUse},
    tree::{InsertOrder, Tree},
};
use spindle_units::chance::{Chance, scatter};
use std::collections::HashMap;

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
    /// Rows that the load committed at a time; none where each was committed by itself.
    pub rows_per_commit: Option<u64>,
    /// The part of its rows that are there.
    pub sample: Miniature,
    /// Whether its rows are still to be put in: it begins empty and without indexes, which are made of the rows at last.
    pub to_load: bool,
}

impl TableSpec {
    /// How the table is stored.
    pub fn rules(&self, format: StorageFormat, page_bytes: u32) -> StorageRules {
        StorageRules {
            format,
            page_bytes,
            order: self.order,
            fill: self.fill,
            rows_per_commit: self.rows_per_commit,
        }
    }

    /// Rows that are there before the run.
    pub fn loaded_rows(&self) -> u64 {
        if self.to_load { 0 } else { self.sample.rows(self.rows) }
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
    /// Whether keys lie in no relation to the order of the rows.
    scattered: bool,
    salt: u64,
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

/// Loads tables with `load`, each as often as its description says, with their numbers.
pub(crate) fn load_tables<T>(specs: &[TableSpec], mut load: impl FnMut(&TableSpec, u32) -> T) -> Vec<T> {
    let all = specs.iter().flat_map(|spec| (0..spec.count).map(move |_| spec));
    (0..).zip(all).map(|(number, spec)| load(spec, number)).collect()
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
    loaded: u64,
    salt: u64,
    /// Keys of the rows inserted behind others, by the order of their arrival.
    placed: Vec<u64>,
    /// Keys of entries that are no longer where their row was loaded, by index and row.
    moved: HashMap<(usize, u64), u64>,
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
        let rows = spec.loaded_rows();
        let heap = rules.heap_rows_per_page(&spec.schema).map(|rows_per_page| {
            let count = rows.div_ceil(u64::from(rows_per_page)).max(1);
            LiveHeap { pages: (0..count).map(|_| space.allocate(file)).collect(), rows_per_page, file }
        });
        let salt = scatter(u64::from(number) + 1);
        let random = spec.order == InsertOrder::Random;
        let indexes = (1..)
            .zip(&spec.schema.indexes)
            .map(|(at, index)| LiveIndex {
                kind: index.kind,
                entry_bytes: rules.entry_bytes(&spec.schema, index),
                tree: Tree::load(
                    rules.order_of(index),
                    rows,
                    rules.node_rule(&spec.schema, index, spec.rows),
                    file,
                    space,
                    chance,
                )
                .standing_for(spec.sample, space),
                scattered: index.scattered || random,
                // The indexes of a table loaded in random order begin with the same column: one place serves all.
                salt: if index.scattered { scatter(salt ^ at) } else { salt },
            })
            .collect();
        Self {
            file,
            rows,
            row_bytes: rules.row_bytes(&spec.schema),
            indexes,
            heap,
            loaded: rows,
            salt,
            placed: Vec::new(),
            moved: HashMap::new(),
        }
    }

    /// The place of a row's key among all keys of an index, as a fraction of 2^64. Where keys follow the order of the
    /// rows they are evenly spaced; elsewhere, and for rows inserted later, they lie anywhere.
    pub fn key_of(&self, index: usize, row: u64) -> u64 {
        let live = &self.indexes[index];
        if live.scattered {
            let moved = if self.moved.is_empty() { None } else { self.moved.get(&(index, row)) };
            moved.copied().unwrap_or_else(|| scatter(row ^ live.salt))
        } else if row < self.loaded {
            ((u128::from(row) << 64) / u128::from(self.loaded.max(1))) as u64
        } else {
            let placed = self.placed.get((row - self.loaded) as usize);
            placed.copied().unwrap_or_else(|| scatter(row ^ self.salt))
        }
    }

    /// The pages from an index's root to the leaf of `key`, which is changed or only read.
    pub fn descend(&self, index: usize, key: u64, changes: bool, uses: &mut Vec<PageUse>) {
        let tree = &self.indexes[index].tree;
        let slot = tree.find(key);
        uses.extend(tree.path(slot).map(PageUse::read));
        uses.push(PageUse { page: tree.leaf_page(slot), changes });
    }

    /// Gives a new row its number and its place; a row that replaces a deleted one has that row's.
    pub fn add_row(&mut self, key: NewKey, chance: &mut Chance) -> u64 {
        if let NewKey::Same(row) = key {
            // The primary key is the old one; other columns have new values.
            for (at, index) in self.indexes.iter().enumerate() {
                if index.scattered && index.kind != IndexKind::Primary {
                    self.moved.insert((at, row), chance.bits());
                }
            }
            return row;
        }
        let row = self.rows;
        self.rows += 1;
        if let NewKey::After(before) = key
            && let Some(primary) = self.indexes.iter().position(|index| !index.scattered)
        {
            // Somewhere in the gap before the next row of the load.
            let gap = u64::MAX / self.loaded.max(1);
            let place = self.key_of(primary, before).saturating_add(chance.below(gap) / 2);
            self.placed.push(place);
        }
        row
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

    /// All pages of the table.
    pub fn all_pages(&self) -> impl Iterator<Item = PageId> {
        let heap = self.heap.iter().flat_map(|heap| heap.pages.iter().copied());
        self.indexes.iter().flat_map(|index| index.tree.all_pages()).chain(heap)
    }

    /// How many pages the table has.
    pub fn pages(&self) -> u64 {
        self.indexes.iter().map(|i| i.tree.pages()).sum::<u64>()
            + self.heap.as_ref().map_or(0, |h| h.pages.len() as u64)
    }
}
