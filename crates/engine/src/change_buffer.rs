//! InnoDB's change buffer (insert buffer in 5.1): inserts into leaves of non-unique indexes that are not in the
//! pool are kept in a tree of the system tablespace, and merged when the leaf is read anyway or by and by.

use crate::{
    pages::{FileId, PageId, PageSpace},
    tree::{InsertOrder, NodeRule, Tree},
};
use spindle_units::chance::{Chance, scatter};
use std::collections::BTreeMap;

/// Entries kept for leaves that are not in the pool.
#[derive(Debug)]
pub struct ChangeBuffer {
    tree: Tree,
    /// Entries waiting for each leaf.
    waiting: BTreeMap<PageId, u32>,
    entries: u64,
    pages_max: u64,
    hand: PageId,
}

/// Bytes of an entry beside the record: space, page number, marker and the types of the fields
/// (`ibuf_entry_build`), with a record header and the directory.
const ENTRY_OVERHEAD_BYTES: f64 = 40.0;
/// Entries of one leaf until it has to be read: what is known of its free space is two bits
/// (`IBUF_BITMAP_FREE`), at most half a page.
const ENTRIES_PER_LEAF_MAX: u32 = 64;

impl ChangeBuffer {
    /// An empty change buffer in `file` for entries of `entry_bytes`, of at most `pages_max` pages.
    pub fn new(
        file: FileId,
        page_bytes: u32,
        entry_bytes: f64,
        pages_max: u64,
        space: &mut PageSpace,
        chance: &mut Chance,
    ) -> Self {
        let per_leaf = ((f64::from(page_bytes) - 128.0) / (entry_bytes + ENTRY_OVERHEAD_BYTES)) as u32;
        let rule = NodeRule {
            leaf_max: per_leaf.max(4),
            leaf_reserve_from: per_leaf.max(4),
            splits_at_insert_point: true,
            leaf_sequential: per_leaf.max(4),
            leaf_built: per_leaf.max(4),
            inner_max: 400,
            inner_fill_random: 0.64,
            inner_fill_ordered: 0.95,
        };
        let tree = Tree::load(InsertOrder::Sequential, 1, rule, file, space, chance);
        Self { tree, waiting: BTreeMap::new(), entries: 0, pages_max, hand: PageId(0) }
    }

    /// Where entries for a leaf lie in the buffer's own tree: ordered by page number, which says nothing about keys.
    pub fn key_of(leaf: PageId) -> u64 {
        scatter(u64::from(leaf.0))
    }

    /// The buffer's tree.
    pub fn tree(&mut self) -> &mut Tree {
        &mut self.tree
    }

    /// Whether an entry for `leaf` may be added.
    pub fn accepts(&self, leaf: PageId) -> bool {
        self.tree.pages() < self.pages_max
            && self.waiting.get(&leaf).copied().unwrap_or(0) < ENTRIES_PER_LEAF_MAX
    }

    /// Counts an entry for `leaf`.
    pub fn added(&mut self, leaf: PageId) {
        *self.waiting.entry(leaf).or_insert(0) += 1;
        self.entries += 1;
    }

    /// Entries in all.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Takes the entries of `leaf` out, to be merged.
    pub fn take(&mut self, leaf: PageId) -> u32 {
        let taken = self.waiting.remove(&leaf).unwrap_or(0);
        self.entries -= u64::from(taken);
        taken
    }

    /// The next `count` leaves to merge, going round.
    pub fn next_leaves(&mut self, count: usize) -> Vec<PageId> {
        let mut leaves: Vec<PageId> =
            self.waiting.range(self.hand..).map(|(leaf, _)| *leaf).take(count).collect();
        if leaves.len() < count {
            leaves.extend(self.waiting.range(..self.hand).map(|(leaf, _)| *leaf).take(count - leaves.len()));
        }
        self.hand = leaves.last().map_or(PageId(0), |leaf| PageId(leaf.0 + 1));
        leaves
    }
}
