//! A Firebird table while the engine runs: pointer pages, data pages, index root page, and indexes.

use crate::{
    database::TableSpec,
    firebird_format, firebird_key,
    firebird_load::SORT_RECORD_BYTES,
    layout::{StorageFormat, StorageRules},
    pages::{FileId, PageId, PageSpace},
    statement::NewKey,
    tree::{Slot, Tree},
};
use spindle_units::chance::{Chance, scatter};
use std::collections::VecDeque;

/// Data pages whose numbers a table remembers, so that no pointer page is needed to find them again
/// (`RelationPages::MAX_DPMAP_ITEMS`).
const REMEMBERED_PAGES: usize = 64;

/// An index.
#[derive(Debug)]
pub(crate) struct FirebirdIndex {
    /// Its buckets.
    pub(crate) tree: Tree,
    scattered: bool,
    salt: u64,
}

impl FirebirdIndex {
    /// Buckets from the root to the leaf of `slot`: a tree of one leaf has no other.
    pub(crate) fn descent(&self, slot: Slot) -> impl Iterator<Item = PageId> {
        let single = self.tree.leaves() <= 1;
        let above = self.tree.path(slot).filter(move |_| !single);
        above.chain(std::iter::once(self.tree.leaf_page(slot)))
    }

    /// Whether the root is a leaf.
    pub(crate) fn is_single(&self) -> bool {
        self.tree.leaves() <= 1
    }
}

/// A table.
#[derive(Debug)]
pub(crate) struct FirebirdTable {
    /// Rows.
    pub(crate) rows: u64,
    /// The index root page.
    pub(crate) index_root: PageId,
    /// Indexes in the order of the schema.
    pub(crate) indexes: Vec<FirebirdIndex>,
    data_pages: Vec<PageId>,
    pointer_pages: Vec<PageId>,
    file: FileId,
    rows_per_page: f64,
    data_pages_per_pointer_page: u64,
    /// Structure 12 tells pages without old versions apart, and lets a table remember where pages are.
    marks_swept: bool,
    loaded: u64,
    salt: u64,
    /// Keys of rows inserted behind others, and their data pages, in the order of arrival.
    placed: Vec<(u64, u32)>,
    /// Room for rows left on the last page.
    room: f64,
    /// The indexes that a load makes at last, those still to come, and by what rules.
    to_make: Option<(TableSpec, StorageRules, usize)>,
    number: u32,
    /// Whether each data page is known to have no old version.
    swept: Vec<bool>,
    remembered: VecDeque<u32>,
}

/// An index that was made of rows that were there.
#[derive(Debug)]
pub(crate) struct Made {
    /// Its pages in the order in which they are written.
    pub(crate) pages: Vec<PageId>,
    /// Bytes that each key takes in a sort.
    pub(crate) sort_bytes: f64,
}

/// What a new row needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Placed {
    /// Its number.
    pub(crate) row: u64,
    /// The number of its data page.
    pub(crate) data_page: u32,
    /// The number of the page that turned out to be full, where the row begins a new one.
    pub(crate) full: Option<u32>,
}

impl FirebirdTable {
    /// Loads a table into the database's file: its rows in the order of loading, its indexes built afterwards.
    pub(crate) fn load(
        spec: &TableSpec,
        rules: &StorageRules,
        number: u32,
        file: FileId,
        space: &mut PageSpace,
        chance: &mut Chance,
    ) -> Self {
        let rows_per_page = firebird_format::rows_per_page(rules, &spec.schema);
        let rows = spec.loaded_rows();
        let pages = (rows as f64 / rows_per_page) as u64 + 1;
        let per_pointer_page = firebird_format::data_pages_per_pointer_page(rules.format, rules.page_bytes);
        let mut allocate = |count: u64| -> Vec<PageId> { (0..count).map(|_| space.allocate(file)).collect() };
        let pointer_pages = allocate(pages.div_ceil(per_pointer_page));
        let index_root = allocate(1)[0];
        let data_pages = allocate(pages);
        let salt = scatter(u64::from(number) + 1);
        let mut table = Self {
            rows,
            index_root,
            indexes: Vec::new(),
            to_make: Some((spec.clone(), *rules, 0)),
            number,
            room: pages as f64 * rows_per_page - rows as f64,
            swept: vec![true; data_pages.len()],
            data_pages,
            pointer_pages,
            file,
            rows_per_page,
            data_pages_per_pointer_page: per_pointer_page,
            marks_swept: rules.format == StorageFormat::Firebird,
            loaded: rows,
            salt,
            placed: Vec::new(),
            remembered: VecDeque::new(),
        };
        if !spec.to_load {
            while table.make_index(space, chance).is_some() {}
        }
        table
    }

    /// How many indexes are still to be made.
    pub(crate) fn indexes_to_make(&self) -> usize {
        self.to_make.as_ref().map_or(0, |(spec, _, made)| spec.schema.indexes.len() - made)
    }

    /// Makes the next index of the rows that are there, if one is still to be made.
    pub(crate) fn make_index(&mut self, space: &mut PageSpace, chance: &mut Chance) -> Option<Made> {
        let (spec, rules, made) = self.to_make.as_mut()?;
        let index = spec.schema.indexes.get(*made)?;
        *made += 1;
        let tree = Tree::load(
            rules.order_of(index),
            self.rows,
            firebird_format::node_rule(rules, &spec.schema, index, spec.rows),
            self.file,
            space,
            chance,
        )
        .standing_for(spec.sample, space);
        let lengths = firebird_key::key_lengths(&spec.schema, index, spec.rows, rules.fill);
        let pages = tree.all_pages().collect();
        self.indexes.push(FirebirdIndex {
            tree,
            scattered: index.scattered || spec.order == crate::tree::InsertOrder::Random,
            salt: scatter(scatter(u64::from(self.number) + 1) ^ *made as u64),
        });
        Some(Made { pages, sort_bytes: lengths.longest + SORT_RECORD_BYTES })
    }

    /// The place of a row's key among all keys of an index, as a fraction of 2^64. Rows were loaded in key order; where
    /// keys lie in no relation to that, they lie anywhere.
    pub(crate) fn key_of(&self, index: usize, row: u64) -> u64 {
        let live = &self.indexes[index];
        if live.scattered {
            scatter(row ^ live.salt)
        } else if row < self.loaded {
            ((u128::from(row) << 64) / u128::from(self.loaded.max(1))) as u64
        } else {
            let placed = self.placed.get((row - self.loaded) as usize);
            placed.map_or_else(|| scatter(row ^ self.salt), |(key, _)| *key)
        }
    }

    /// The row that comes `steps` after `row` in the order of an index.
    pub(crate) fn row_after(&self, index: usize, row: u64, steps: u64) -> u64 {
        let scattered = self.indexes.get(index).is_some_and(|index| index.scattered);
        if scattered && steps > 0 {
            scatter(row ^ steps) % self.rows.max(1)
        } else {
            (row + steps) % self.rows.max(1)
        }
    }

    /// The number of a row's data page.
    pub(crate) fn data_page_of(&self, row: u64) -> u32 {
        let last = self.data_pages.len() as u64 - 1;
        match row.checked_sub(self.loaded).and_then(|at| self.placed.get(at as usize)) {
            Some((_, page)) => *page,
            None => ((row as f64 / self.rows_per_page) as u64).min(last) as u32,
        }
    }

    /// Data pages in use.
    pub(crate) fn data_page_count(&self) -> u32 {
        self.data_pages.len() as u32
    }

    /// The data page of that number.
    pub(crate) fn data_page(&self, number: u32) -> PageId {
        self.data_pages[number as usize]
    }

    /// The pointer page that lists a data page.
    pub(crate) fn pointer_page(&self, number: u32) -> PageId {
        self.pointer_pages[(u64::from(number) / self.data_pages_per_pointer_page) as usize]
    }

    /// Whether a data page can be found without its pointer page; it can from now on.
    pub(crate) fn remember(&mut self, number: u32) -> bool {
        if !self.marks_swept || self.remembered.contains(&number) {
            return self.marks_swept;
        }
        if self.remembered.len() >= REMEMBERED_PAGES {
            self.remembered.pop_front();
        }
        self.remembered.push_back(number);
        false
    }

    /// Notes whether a data page has old versions, and tells whether that is new.
    pub(crate) fn set_swept(&mut self, number: u32, swept: bool) -> bool {
        self.marks_swept && std::mem::replace(&mut self.swept[number as usize], swept) != swept
    }

    /// Gives a new row its number, its key and its place on the last page, or on a new one.
    pub(crate) fn add_row(&mut self, key: NewKey, space: &mut PageSpace, chance: &mut Chance) -> Placed {
        let place = match key {
            NewKey::Random => chance.bits(),
            NewKey::Same(row) => self.first_key(row),
            // Somewhere in the gap before the next row of the load.
            NewKey::After(row) => {
                let gap = u64::MAX / self.loaded.max(1);
                self.first_key(row).saturating_add(chance.below(gap.max(1)) / 2)
            }
        };
        let last = self.data_pages.len() as u32 - 1;
        let full = self.room < 1.0;
        if full {
            self.data_pages.push(space.allocate(self.file));
            self.swept.push(false);
            self.room += self.rows_per_page;
            let needed = (self.data_pages.len() as u64).div_ceil(self.data_pages_per_pointer_page);
            if needed > self.pointer_pages.len() as u64 {
                self.pointer_pages.push(space.allocate(self.file));
            }
        }
        self.room -= 1.0;
        let data_page = self.data_pages.len() as u32 - 1;
        let row = self.rows;
        self.rows += 1;
        self.placed.push((place, data_page));
        Placed { row, data_page, full: full.then_some(last) }
    }

    fn first_key(&self, row: u64) -> u64 {
        self.indexes.iter().position(|index| !index.scattered).map_or(0, |index| self.key_of(index, row))
    }
}
