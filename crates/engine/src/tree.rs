//! A B+tree as page numbers: where each leaf's keys begin, how many records it holds, and how it splits.
//!
//! A key is its place among all possible keys, as a fraction of 2^64. Nothing else of it matters for pages.

use crate::{
    grouped_leaves::grouped_leaves,
    miniature::Miniature,
    pages::{FileId, PageId, PageSpace},
};
use serde::{Deserialize, Serialize};
use spindle_units::chance::Chance;

/// The order in which keys arrive while a table is loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InsertOrder {
    /// Each key anywhere among the others.
    Random,
    /// Each key behind the last.
    Sequential,
    /// Rows first, the index built afterwards by sorting.
    SortedBuild,
    /// The same, and then rows inserted at random places: few against the rows there are, many against the leaves, so
    /// that each full leaf has split once.
    SplitBuild,
}

/// How many records nodes hold and where they split.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeRule {
    /// Records a leaf can hold.
    pub leaf_max: u32,
    /// From this many on, an insert next to the last inserted record splits the leaf although it would fit: InnoDB
    /// keeps 1/16 of clustered leaves for later growth of rows, but only where inserts look sequential.
    pub leaf_reserve_from: u32,
    /// An insert next to the last inserted record splits at that place instead of the middle
    /// (InnoDB's `btr_page_get_split_rec_to_right` and `_to_left`).
    pub splits_at_insert_point: bool,
    /// Records of a leaf filled in key order.
    pub leaf_sequential: u32,
    /// Records of a leaf filled by a sorted build.
    pub leaf_built: u32,
    /// Children an inner node can hold.
    pub inner_max: u32,
    /// Children of an inner node after random and after ordered loading, as a share of `inner_max`.
    pub inner_fill_random: f64,
    /// See `inner_fill_random`.
    pub inner_fill_ordered: f64,
}

impl NodeRule {
    /// The same where loading in order leaves this share of a leaf in use.
    pub fn filled_to(self, share: f64) -> Self {
        let records = (libm::round(f64::from(self.leaf_max) * share) as u32).max(1);
        Self { leaf_sequential: records, leaf_built: records, ..self }
    }

    fn inner_children(&self, order: InsertOrder) -> usize {
        let fill = match order {
            InsertOrder::Random => self.inner_fill_random,
            InsertOrder::Sequential | InsertOrder::SortedBuild | InsertOrder::SplitBuild => {
                self.inner_fill_ordered
            }
        };
        ((f64::from(self.inner_max) * fill) as usize).max(2)
    }

    /// At how many records a leaf that holds `records` next overflows, and whether it then splits at the insert
    /// point: keys in random order land next to the last one with probability 2/n at n records.
    fn overflow(&self, records: u32, arrivals: u64, chance: &mut Chance) -> Option<(u32, bool)> {
        let last = u64::from(records) + arrivals;
        let first = self.leaf_reserve_from.min(self.leaf_max).max(records);
        for n in first..=self.leaf_max {
            if last <= u64::from(n) {
                return None;
            }
            let adjacent = self.splits_at_insert_point && chance.unit() < 2.0 / f64::from(n.max(2));
            if adjacent || n == self.leaf_max {
                return Some((n, adjacent));
            }
        }
        None
    }
}

#[derive(Debug, Clone, Copy)]
struct Leaf {
    page: PageId,
    records: u32,
}

#[derive(Debug)]
struct Inner {
    page: PageId,
    /// The least key that belongs to each leaf, apart from the rest so that a search touches few cache lines.
    lower: Vec<u64>,
    leaves: Vec<Leaf>,
}

/// Which of the sorted `lower` keys is the last one up to `key`. Keys are spread evenly, so the place is guessed from
/// the key and then corrected step by step: one or two cache lines instead of a binary search's six.
fn last_up_to(lower: &[u64], end: u64, key: u64) -> usize {
    let (first, count) = (lower[0], lower.len());
    let width = end.saturating_sub(first).max(1);
    // Only a guess, so that rounding does not matter: the steps below end at the same place from anywhere.
    let guess = (key.saturating_sub(first) as f64 / width as f64 * count as f64) as usize;
    let mut at = guess.min(count - 1);
    while at > 0 && lower[at] > key {
        at -= 1;
    }
    while at + 1 < count && lower[at + 1] <= key {
        at += 1;
    }
    at
}

/// A tree's pages and shape.
#[derive(Debug)]
pub struct Tree {
    rule: NodeRule,
    order: InsertOrder,
    file: FileId,
    inner: Vec<Inner>,
    /// `lower` of each inner node's first leaf, apart so that the search stays within few cache lines.
    inner_lower: Vec<u64>,
    /// Levels above the inner nodes, the root last; empty where the only inner node is the root.
    upper: Vec<Vec<PageId>>,
    leaves: u64,
    records: u64,
    /// Splits so far; a slot found before one no longer holds.
    splits: u64,
}

/// Where a key belongs, as long as the tree does not split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    inner: u32,
    leaf: u32,
    splits: u64,
}

/// What an insert did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inserted {
    /// The leaf the record went to.
    pub leaf: PageId,
    /// The page made by a split, and how many records moved there.
    pub split: Option<(PageId, u32)>,
}

/// Draws how many records each leaf holds after `rows` keys have arrived in random order, in key order:
/// (lower key, records). The tree is split from the root down: a range that ever held one record too many was cut
/// where a leaf cuts, and later keys fell on either side in proportion to width. No row is inserted one by one.
pub fn random_leaves(rows: u64, rule: &NodeRule, chance: &mut Chance) -> Vec<(u64, u32)> {
    struct Part {
        lower: u64,
        width: u64,
        records: u32,
        arrivals: u64,
    }
    let mut leaves = Vec::new();
    let mut parts = vec![Part { lower: 0, width: u64::MAX, records: 0, arrivals: rows }];
    while let Some(part) = parts.pop() {
        let Some((full, at_insert_point)) = rule.overflow(part.records, part.arrivals, chance) else {
            leaves.push((part.lower, part.records + part.arrivals as u32));
            continue;
        };
        let total = full + 1;
        let left = if at_insert_point { 1 + chance.below(u64::from(full)) as u32 } else { total / 2 };
        let share = cut_share(left, total, chance);
        let width = (part.width as f64 * share) as u64;
        let rest = part.arrivals - u64::from(total - part.records);
        let to_left = chance.binomial(rest, share);
        // The left part is handled first, so that leaves come out in key order.
        parts.push(Part {
            lower: part.lower + width,
            width: part.width - width,
            records: total - left,
            arrivals: rest - to_left,
        });
        parts.push(Part { lower: part.lower, width, records: left, arrivals: to_left });
    }
    leaves
}

/// Share of a range's width below its `left`-th of `total` uniform keys: Beta(left, total + 1 - left), taken as
/// normal, which is close for the tens to hundreds of records of a leaf.
fn cut_share(left: u32, total: u32, chance: &mut Chance) -> f64 {
    let (k, n) = (f64::from(left), f64::from(total));
    let mean = k / (n + 1.0);
    let deviation = libm::sqrt(mean * (1.0 - mean) / (n + 2.0));
    (mean + deviation * chance.normal()).clamp(0.02, 0.98)
}

/// Records in each leaf and the leaves' lower keys after loading.
fn loaded_leaves(order: InsertOrder, rows: u64, rule: &NodeRule, chance: &mut Chance) -> Vec<(u64, u32)> {
    let per_leaf = match order {
        InsertOrder::Random => return random_leaves(rows, rule, chance),
        InsertOrder::Sequential => rule.leaf_sequential,
        InsertOrder::SortedBuild => rule.leaf_built,
        InsertOrder::SplitBuild => rule.leaf_built.div_ceil(2),
    };
    let per_leaf = u64::from(per_leaf.max(1));
    let count = rows.div_ceil(per_leaf).max(1);
    (0..count)
        .map(|i| {
            let lower = ((u128::from(i * per_leaf) << 64) / u128::from(rows.max(1))) as u64;
            (lower, (rows - i * per_leaf).min(per_leaf) as u32)
        })
        .collect()
}

/// Rows up to which entries of few values are put in one by one; beyond, they are taken to fill leaves at random.
const GROUPED_ROWS_MAX: u64 = 20_000_000;

/// Rows of which leaves are drawn; a larger tree has as many times more. Its first few cuts decide how far a draw is off,
/// not its size, and a page that draws more of them is late for its frame.
const DRAWN_ROWS_MAX: u64 = 10_000_000;

/// Leaf pages, inner pages of all levels, and height of a tree after loading, without keeping the tree. `values` is
/// the number of different keys where there are few.
pub fn loaded_shape(
    order: InsertOrder,
    rows: u64,
    values: Option<u64>,
    rule: &NodeRule,
    chance: &mut Chance,
) -> (u64, u64, u32) {
    let leaves = match (order, values) {
        (InsertOrder::Random, Some(values)) if rows <= GROUPED_ROWS_MAX => {
            grouped_leaves(rows, values, rule, chance)
        }
        (InsertOrder::Random, _) => {
            // The first few cuts are shared by all leaves and shift the count by a per cent or two from draw to
            // draw; small trees can afford the mean of several.
            let draws = (10_000_000 / rows.max(1)).clamp(1, 8);
            let drawn = rows.min(DRAWN_ROWS_MAX);
            let total: u64 = (0..draws).map(|_| random_leaves(drawn, rule, chance).len() as u64).sum();
            let mean = (total + draws / 2) / draws;
            (u128::from(mean) * u128::from(rows) / u128::from(drawn.max(1))) as u64
        }
        (InsertOrder::Sequential, _) => rows.div_ceil(u64::from(rule.leaf_sequential.max(1))).max(1),
        (InsertOrder::SortedBuild, _) => rows.div_ceil(u64::from(rule.leaf_built.max(1))).max(1),
        (InsertOrder::SplitBuild, _) => rows.div_ceil(u64::from(rule.leaf_built.div_ceil(2).max(1))).max(1),
    };
    let (mut level, mut inner, mut height) = (leaves, 0, 1);
    while level > 1 {
        level = nodes_above(level, rule, order);
        inner += level;
        height += 1;
    }
    (leaves, inner, height)
}

/// Levels of a tree with so many leaves.
fn height_above(leaves: u64, rule: &NodeRule, order: InsertOrder) -> u32 {
    let levels =
        std::iter::successors(Some(leaves), |level| (*level > 1).then(|| nodes_above(*level, rule, order)));
    levels.count() as u32
}

/// Nodes of the level above `children`: a root holds up to the full count before it splits, others their fill.
fn nodes_above(children: u64, rule: &NodeRule, order: InsertOrder) -> u64 {
    if children <= u64::from(rule.inner_max) {
        1
    } else {
        children.div_ceil(rule.inner_children(order) as u64)
    }
}

/// A leaf by the entries it holds, in key order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntrySpan {
    /// The leaf.
    pub slot: Slot,
    /// Its first entry.
    pub from: u32,
    /// The entry behind its last one; the last leaf has no end.
    pub behind: u32,
}

impl Tree {
    /// Loads `rows` keys into a new tree in `file`.
    pub fn load(
        order: InsertOrder,
        rows: u64,
        rule: NodeRule,
        file: FileId,
        space: &mut PageSpace,
        chance: &mut Chance,
    ) -> Self {
        let leaves = loaded_leaves(order, rows, &rule, chance);
        let count = leaves.len() as u64;
        let nodes = nodes_above(count, &rule, order).max(1);
        let mut upper_sizes = Vec::new();
        let mut level = nodes;
        while level > 1 {
            level = nodes_above(level, &rule, order);
            upper_sizes.push(level);
        }
        let mut upper: Vec<Vec<PageId>> = Vec::new();
        for size in upper_sizes.into_iter().rev() {
            upper.insert(0, (0..size).map(|_| space.allocate(file)).collect());
        }
        let mut inner = Vec::with_capacity(nodes as usize);
        let mut inner_lower = Vec::with_capacity(nodes as usize);
        for node in 0..nodes {
            let (from, to) = ((count * node / nodes) as usize, (count * (node + 1) / nodes) as usize);
            let page = space.allocate(file);
            inner_lower.push(if node == 0 { 0 } else { leaves[from].0 });
            let part = &leaves[from..to];
            let mut lower: Vec<u64> = part.iter().map(|(lower, _)| *lower).collect();
            if node == 0 {
                lower[0] = 0;
            }
            let leaves = part
                .iter()
                .map(|(_, records)| Leaf { page: space.allocate(file), records: *records })
                .collect();
            inner.push(Inner { page, lower, leaves });
        }
        Self { rule, order, file, inner, inner_lower, upper, leaves: count, records: rows, splits: 0 }
    }

    /// The tree as a sample of one that is larger: with the levels that the larger one has on top, so that a descent
    /// asks for as many pages.
    pub fn standing_for(mut self, sample: Miniature, space: &mut PageSpace) -> Self {
        let wanted = height_above(sample.whole_of(self.leaves), &self.rule, self.order);
        while self.height() < wanted {
            self.upper.push(vec![space.allocate(self.file)]);
        }
        self
    }

    /// Levels from the root to the leaves.
    pub fn height(&self) -> u32 {
        2 + self.upper.len() as u32
    }

    /// Leaf pages.
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    /// Records.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Pages of all levels.
    pub fn pages(&self) -> u64 {
        self.leaves + self.inner.len() as u64 + self.upper.iter().map(|l| l.len() as u64).sum::<u64>()
    }

    /// The file the tree is in.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// Finds the leaf for `key`.
    pub fn find(&self, key: u64) -> Slot {
        let inner = self.inner_lower.partition_point(|lower| *lower <= key).saturating_sub(1);
        let end = self.inner_lower.get(inner + 1).copied().unwrap_or(u64::MAX);
        let leaf = last_up_to(&self.inner[inner].lower, end, key);
        Slot { inner: inner as u32, leaf: leaf as u32, splits: self.splits }
    }

    /// The leaf that holds an entry, counted from 0 in key order, all keys lying evenly.
    pub fn entry_span(&self, entry: u64) -> EntrySpan {
        let records = u128::from(self.records.max(1));
        let key = ((u128::from(entry) * 2 + 1) << 63) / records;
        self.span_of(self.find(u64::try_from(key).unwrap_or(u64::MAX)))
    }

    /// The leaf behind, in key order.
    pub fn next_span(&self, span: EntrySpan) -> Option<EntrySpan> {
        self.next_leaf(span.slot).map(|slot| self.span_of(slot))
    }

    fn span_of(&self, slot: Slot) -> EntrySpan {
        let (i, l) = (slot.inner as usize, slot.leaf as usize);
        // Entries whose keys lie before a bound, each in the middle of its share of all keys.
        let before = |bound: u64| ((u128::from(bound) * u128::from(self.records) + (1 << 63)) >> 64) as u32;
        let upper = self.upper_bound(i, l);
        let behind = if upper == u64::MAX { u32::MAX } else { before(upper) };
        EntrySpan { slot, from: before(self.inner[i].lower[l]), behind }
    }

    /// The page of a slot's leaf.
    pub fn leaf_page(&self, slot: Slot) -> PageId {
        self.inner[slot.inner as usize].leaves[slot.leaf as usize].page
    }

    /// Records of a slot's leaf.
    pub fn records_in(&self, slot: Slot) -> u32 {
        self.inner[slot.inner as usize].leaves[slot.leaf as usize].records
    }

    /// How many records of a slot's leaf come before `key`, keys being spread evenly within it.
    pub fn rank(&self, slot: Slot, key: u64) -> u32 {
        let (i, l) = (slot.inner as usize, slot.leaf as usize);
        let lower = self.inner[i].lower[l];
        let width = self.upper_bound(i, l).saturating_sub(lower).max(1);
        let records = u64::from(self.inner[i].leaves[l].records);
        // A key that lies on a record's place must not fall before it by rounding.
        let before = (u128::from(key.saturating_sub(lower)) * u128::from(records) + u128::from(width / 2))
            / u128::from(width);
        (before as u32).min(self.inner[i].leaves[l].records.saturating_sub(1))
    }

    /// The leaf behind a slot's, in key order.
    pub fn next_leaf(&self, slot: Slot) -> Option<Slot> {
        let node = &self.inner[slot.inner as usize];
        if (slot.leaf as usize) + 1 < node.leaves.len() {
            Some(Slot { leaf: slot.leaf + 1, ..slot })
        } else {
            ((slot.inner as usize) + 1 < self.inner.len()).then_some(Slot {
                inner: slot.inner + 1,
                leaf: 0,
                ..slot
            })
        }
    }

    /// The leaf before a slot's, in key order.
    pub fn previous_leaf(&self, slot: Slot) -> Option<Slot> {
        if slot.leaf > 0 {
            return Some(Slot { leaf: slot.leaf - 1, ..slot });
        }
        let inner = slot.inner.checked_sub(1)?;
        let leaves = self.inner[inner as usize].leaves.len() as u32;
        Some(Slot { inner, leaf: leaves - 1, ..slot })
    }

    /// Takes one record out of the leaf for `key`. Pages that become nearly empty stay.
    pub fn remove(&mut self, key: u64) {
        let slot = self.find(key);
        let leaf = &mut self.inner[slot.inner as usize].leaves[slot.leaf as usize];
        if leaf.records > 1 {
            leaf.records -= 1;
            self.records -= 1;
        }
    }

    /// All pages, those above the leaves first.
    pub fn all_pages(&self) -> impl Iterator<Item = PageId> {
        self.inner_pages().chain(self.inner.iter().flat_map(|node| node.leaves.iter().map(|leaf| leaf.page)))
    }

    /// Whether one more record may split the slot's leaf.
    pub fn may_split(&self, slot: Slot) -> bool {
        let records = self.inner[slot.inner as usize].leaves[slot.leaf as usize].records;
        records >= self.rule.leaf_reserve_from.min(self.rule.leaf_max)
    }

    /// Pages above the leaf, root first.
    pub fn path(&self, slot: Slot) -> impl Iterator<Item = PageId> {
        let index = slot.inner as usize;
        let nodes = self.inner.len();
        let above = self.upper.iter().rev().map(move |level| level[index * level.len() / nodes]);
        above.chain(std::iter::once(self.inner[index].page))
    }

    /// Whether a slot that was found before still holds.
    pub fn is_current(&self, slot: Slot) -> bool {
        slot.splits == self.splits
    }

    /// Puts one record with `key` in, splitting the leaf (and its parent) where it no longer fits.
    pub fn insert(&mut self, key: u64, space: &mut PageSpace, chance: &mut Chance) -> Inserted {
        self.insert_at(self.find(key), key, space, chance)
    }

    /// The same with the key's slot, which is looked for again if the tree has split since.
    pub fn insert_at(
        &mut self,
        slot: Slot,
        key: u64,
        space: &mut PageSpace,
        chance: &mut Chance,
    ) -> Inserted {
        let slot = if self.is_current(slot) { slot } else { self.find(key) };
        let (i, l) = (slot.inner as usize, slot.leaf as usize);
        self.records += 1;
        let leaf = self.inner[i].leaves[l];
        let Some((full, at_insert_point)) = self.rule.overflow(leaf.records, 1, chance) else {
            self.inner[i].leaves[l].records += 1;
            return Inserted { leaf: leaf.page, split: None };
        };
        let total = full + 1;
        let left = if at_insert_point { 1 + chance.below(u64::from(full)) as u32 } else { total / 2 };
        let lower = self.inner[i].lower[l];
        let width = ((self.upper_bound(i, l) - lower) as f64 * cut_share(left, total, chance)) as u64;
        let page = space.allocate(self.file);
        let cut = lower + width.max(1);
        self.inner[i].leaves[l].records = left;
        self.inner[i].leaves.insert(l + 1, Leaf { page, records: total - left });
        self.inner[i].lower.insert(l + 1, cut);
        self.leaves += 1;
        self.splits += 1;
        if self.inner[i].leaves.len() > self.rule.inner_max as usize {
            self.split_inner(i, space);
        }
        let target = if key >= cut { page } else { leaf.page };
        Inserted { leaf: target, split: Some((page, total - left)) }
    }

    fn upper_bound(&self, inner: usize, leaf: usize) -> u64 {
        if let Some(next) = self.inner[inner].lower.get(leaf + 1) {
            return *next;
        }
        self.inner_lower.get(inner + 1).copied().unwrap_or(u64::MAX)
    }

    fn split_inner(&mut self, index: usize, space: &mut PageSpace) {
        let half = self.inner[index].leaves.len() / 2;
        let moved = self.inner[index].leaves.split_off(half);
        let moved_lower = self.inner[index].lower.split_off(half);
        let page = space.allocate(self.file);
        if self.upper.is_empty() {
            self.upper.push(vec![space.allocate(self.file)]);
        }
        self.inner_lower.insert(index + 1, moved_lower[0]);
        self.inner.insert(index + 1, Inner { page, lower: moved_lower, leaves: moved });
        // An upper level that no longer fits gains a node; the root above it, once there are two, a level.
        let mut children = self.inner.len();
        for level in 0..self.upper.len() {
            if children > self.upper[level].len() * self.rule.inner_max as usize {
                self.upper[level].push(space.allocate(self.file));
            }
            children = self.upper[level].len();
        }
        if children > 1 {
            self.upper.push(vec![space.allocate(self.file)]);
        }
    }

    /// Leaf pages that hold keys of `[from, to)`, in key order.
    pub fn leaf_pages(&self, from: u64, to: u64) -> impl Iterator<Item = PageId> {
        let start = self.find(from);
        let inner = self.inner.iter().skip(start.inner as usize);
        inner
            .flat_map(|node| node.lower.iter().zip(&node.leaves))
            .skip(start.leaf as usize)
            .take_while(move |(lower, _)| **lower < to)
            .map(|(_, leaf)| leaf.page)
    }

    /// Pages above the leaves, all levels.
    pub fn inner_pages(&self) -> impl Iterator<Item = PageId> {
        self.upper.iter().flatten().copied().chain(self.inner.iter().map(|n| n.page))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rule(leaf_max: u32) -> NodeRule {
        NodeRule {
            leaf_max,
            leaf_reserve_from: leaf_max,
            splits_at_insert_point: false,
            leaf_sequential: leaf_max,
            leaf_built: leaf_max,
            inner_max: 50,
            inner_fill_random: 0.66,
            inner_fill_ordered: 0.95,
        }
    }

    fn counted(tree: &Tree) -> u64 {
        tree.inner.iter().flat_map(|n| &n.leaves).map(|l| u64::from(l.records)).sum()
    }

    fn ordered(tree: &Tree) -> bool {
        tree.inner.iter().flat_map(|n| &n.lower).is_sorted_by(|a, b| a < b)
    }

    proptest! {
        #[test]
        fn no_record_is_lost(rows in 0u64..20_000, leaf_max in 4u32..200, more in 0u64..3000, seed: u64) {
            let (mut space, mut chance) = (PageSpace::default(), Chance::new(seed, 0));
            let file = space.add_file();
            let mut tree = Tree::load(InsertOrder::Random, rows, rule(leaf_max), file, &mut space, &mut chance);
            for _ in 0..more {
                let key = chance.bits();
                let inserted = tree.insert(key, &mut space, &mut chance);
                prop_assert_eq!(tree.leaf_page(tree.find(key)), inserted.leaf);
            }
            prop_assert_eq!(counted(&tree), rows + more);
            prop_assert!(ordered(&tree));
            prop_assert_eq!(tree.pages(), space.len() as u64);
            prop_assert!(tree.inner.iter().flat_map(|n| &n.leaves).all(|l| l.records <= leaf_max));
        }
    }

    #[test]
    fn drawing_a_random_tree_is_like_growing_it() {
        // The same number of rows, drawn at once and inserted one by one: the same leaves within chance.
        for (rows, leaf_max) in [(60_000, 42), (90_000, 237), (200_000, 560)] {
            let (mut drawn, mut grown) = (0.0, 0.0);
            for seed in 0..8 {
                let (mut space, mut chance) = (PageSpace::default(), Chance::new(seed, 0));
                let file = space.add_file();
                drawn += random_leaves(rows, &rule(leaf_max), &mut chance).len() as f64;
                let mut tree =
                    Tree::load(InsertOrder::Random, 0, rule(leaf_max), file, &mut space, &mut chance);
                for _ in 0..rows {
                    let key = chance.bits();
                    tree.insert(key, &mut space, &mut chance);
                }
                grown += tree.leaves() as f64;
            }
            assert!(
                (drawn / grown - 1.0).abs() < 0.02,
                "{rows} rows, {leaf_max} a leaf: {drawn} and {grown}"
            );
        }
    }

    #[test]
    fn leaves_are_found_by_range() {
        let (mut space, mut chance) = (PageSpace::default(), Chance::new(1, 0));
        let file = space.add_file();
        let tree = Tree::load(InsertOrder::Sequential, 10_000, rule(100), file, &mut space, &mut chance);
        assert_eq!(tree.leaves(), 100);
        assert_eq!(tree.height(), 3);
        let half = tree.leaf_pages(0, u64::MAX / 2).count();
        assert!((50..=51).contains(&half), "{half}");
    }
}
