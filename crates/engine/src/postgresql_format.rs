//! PostgreSQL's pages and tuples: a heap in the order of arrival, nbtree indexes that point at it.
//!
//! Formulas follow `storage/bufpage.h`, `access/htup_details.h`, `access/itup.h`, `nbtsort.c`, `nbtsplitloc.c`,
//! `nbtdedup.c`, `freespace.c` and `visibilitymap.c` of PostgreSQL 15.

use crate::{
    layout::{StorageFormat, StorageRules},
    schema::{Column, ColumnType, Index, IndexKind, Schema},
    tree::{InsertOrder, NodeRule},
};

/// `SizeOfPageHeaderData`.
pub(crate) const PAGE_HEADER: f64 = 24.0;
/// `sizeof(ItemIdData)`: a line pointer.
pub(crate) const LINE_POINTER: f64 = 4.0;
/// `SizeofHeapTupleHeader`, before the null bitmap.
const TUPLE_HEADER: f64 = 23.0;
/// `sizeof(IndexTupleData)`.
const INDEX_TUPLE_HEADER: f64 = 8.0;
/// `MAXALIGN(sizeof(BTPageOpaqueData))`: the special space at the end of an nbtree page.
const BTREE_SPECIAL: f64 = 16.0;
/// `BTREE_DEFAULT_FILLFACTOR` and `BTREE_NONLEAF_FILLFACTOR`.
const LEAF_FILL: f64 = 0.90;
const INNER_FILL: f64 = 0.70;
/// Children of inner nodes after splits in no order: they split in halves, and a split in halves leaves ln 2 on
/// average; measured 0.63 to 0.68.
const INNER_FILL_RANDOM: f64 = 0.66;
/// Bytes of a heap pointer in a posting list, and what a leaf's high key may carry beside its key.
const POINTER: f64 = 6.0;
const HIGH_KEY_POINTER: f64 = 8.0;
/// Values up to this many bytes have a length header of one byte (`VARATT_SHORT_MAX`), longer ones of four.
const SHORT_VALUE: f64 = 126.0;
/// Slots of a page of the free space map: 8192 - 24 - 4 bytes of nodes, 4095 of them above the leaves
/// (`LeafNodesPerPage`); it has three levels. Heap pages of a page of the visibility map: two bits each.
const FREE_SPACE_SLOTS: u64 = 4069;
const VISIBILITY_SLOTS: u64 = (8192 - 24) * 4;
/// Rows that could grow beyond this many bytes give their table a TOAST table (`TOAST_TUPLE_THRESHOLD`), of which the
/// empty index takes a page. A character takes up to four bytes in UTF-8.
const TOAST_THRESHOLD: u32 = 2032;
const CHARACTER_BYTES: u32 = 4;
/// Key values of a column of random numbers drawn from as many values as there are rows: Poisson with this mean by
/// the end of a load, and over the last doubling of a tree, in which its leaves split.
const ROWS_PER_VALUE: f64 = 1.0;
const ROWS_PER_VALUE_AT_SPLIT: f64 = 0.75;

/// A length with what is known of it: mean, variance, and its rest modulo `grain`, a power of two up to 8.
#[derive(Debug, Clone, Copy)]
struct Length {
    mean: f64,
    variance: f64,
    rest: u32,
    grain: u32,
}

impl Length {
    fn exact(bytes: f64) -> Self {
        Self { mean: bytes, variance: 0.0, rest: bytes as u32 % 8, grain: 8 }
    }

    /// Pads to a multiple of `to`: exactly where the rest is known, otherwise by the mean over the rests it may have.
    fn align(&mut self, to: u32) {
        let rests = (8 / self.grain).max(1);
        let pads = (0..rests).map(|at| f64::from((to - (self.rest + at * self.grain) % to) % to));
        let (sum, squares) = pads.fold((0.0, 0.0), |(sum, squares), pad| (sum + pad, squares + pad * pad));
        let mean = sum / f64::from(rests);
        self.mean += mean;
        self.variance += (squares / f64::from(rests) - mean * mean).max(0.0);
        // A rest known modulo less than `to` is now known to be a multiple of `to`.
        if self.grain < to {
            (self.rest, self.grain) = (0, to);
        } else {
            self.rest = self.rest.div_ceil(to) * to % self.grain.max(1);
        }
    }

    fn add(&mut self, bytes: f64, variance: f64) {
        self.mean += bytes;
        self.variance += variance;
        if variance > 0.0 || bytes.fract() != 0.0 {
            (self.rest, self.grain) = (0, 1);
        } else {
            self.rest = (self.rest + bytes as u32) % self.grain;
        }
    }

    fn column(&mut self, column: &Column, fill: f64) {
        let (bytes, variance) = match column.kind {
            ColumnType::SmallInt => return self.fixed(2),
            ColumnType::Int | ColumnType::Float | ColumnType::Date => return self.fixed(4),
            ColumnType::BigInt | ColumnType::Double | ColumnType::Timestamp | ColumnType::DateTime => {
                return self.fixed(8);
            }
            // Two bytes of header and two for each four decimal digits (`NumericShort`).
            ColumnType::Decimal(p, s) => {
                let digits = (p - s).div_ceil(4) + s.div_ceil(4);
                (column.average_bytes.unwrap_or(2.0 + 2.0 * f64::from(digits)), 0.0)
            }
            ColumnType::Char(n) => (f64::from(n), 0.0),
            ColumnType::Varchar(n) => {
                let average = column.variable_bytes(fill).unwrap_or(0.0);
                (average, length_variance(average, f64::from(n)))
            }
        };
        if bytes > SHORT_VALUE {
            self.align(4);
            self.add(4.0 + bytes, variance);
        } else {
            self.add(1.0 + bytes, variance);
        }
    }

    fn fixed(&mut self, bytes: u32) {
        self.align(bytes);
        self.add(f64::from(bytes), 0.0);
    }
}

/// Variance of the lengths of a variable column of up to `declared` characters: values are taken to be of any length
/// up to the declared one and as far below the average. Of declarations far beyond the average nothing is known; their
/// values are taken to be alike.
fn length_variance(average: f64, declared: f64) -> f64 {
    let reach = declared - average;
    if reach <= average { reach * reach / 3.0 } else { 0.0 }
}

/// A nullable column of no bytes is null.
fn is_null(column: &Column) -> bool {
    column.nullable && column.average_bytes == Some(0.0)
}

fn heap_tuple(schema: &Schema, fill: f64) -> Length {
    let nulls = schema.columns.iter().any(is_null);
    let bitmap = if nulls { libm::ceil(schema.columns.len() as f64 / 8.0) } else { 0.0 };
    let mut length = Length::exact(TUPLE_HEADER + bitmap);
    length.align(8);
    schema.columns.iter().filter(|c| !is_null(c)).for_each(|c| length.column(c, fill));
    length
}

fn index_tuple<'a>(columns: impl Iterator<Item = &'a Column>, fill: f64) -> Length {
    let mut length = Length::exact(INDEX_TUPLE_HEADER);
    columns.for_each(|c| length.column(c, fill));
    length.align(8);
    length
}

/// Bytes of a tuple in the heap, padding behind it left out (`t_len`).
pub(crate) fn heap_bytes(schema: &Schema, fill: f64) -> f64 {
    heap_tuple(schema, fill).mean
}

/// Bytes of a leaf tuple of an index, its line pointer left out.
pub(crate) fn leaf_entry_bytes(schema: &Schema, index: &Index, fill: f64) -> f64 {
    index_tuple(schema.key_columns(index), fill).mean
}

/// How many records of a length go into `capacity` bytes: as many as fit where all are alike, otherwise the mean over
/// their sum, which is taken as normal.
fn records_in(capacity: f64, length: Length) -> f64 {
    let record = length.mean + LINE_POINTER;
    if length.variance == 0.0 {
        return libm::floor(capacity / record);
    }
    let fits = |count: f64| {
        let deviation = libm::sqrt(2.0 * count * length.variance);
        0.5 * (1.0 + libm::erf((capacity - count * record) / deviation))
    };
    (1..=(2.0 * capacity / record) as u32 + 1).map(|count| fits(f64::from(count))).sum()
}

/// Mean rows of a full heap page (heap fill factor 100).
pub(crate) fn heap_rows(rules: &StorageRules, schema: &Schema) -> f64 {
    let mut tuple = heap_tuple(schema, rules.fill);
    tuple.align(8);
    records_in(rules.page() - PAGE_HEADER, tuple).max(1.0)
}

/// Mean bytes of an entry for each row where `rows` rows on average have the same key: equal keys share a posting
/// list of heap pointers behind one key.
fn posting_bytes(tuple: f64, rows: f64) -> f64 {
    // Key values that occur at all have one row, two, three, … by Poisson's law.
    let (mut weight, mut bytes, mut count) = (libm::exp(-rows), 0.0, 0.0);
    for n in 1..30u32 {
        weight *= rows / f64::from(n);
        let size = if n == 1 { tuple } else { align8(tuple + POINTER * f64::from(n)) };
        bytes += weight * (size + LINE_POINTER);
        count += weight * f64::from(n);
    }
    bytes / count - LINE_POINTER
}

fn align8(bytes: f64) -> f64 {
    libm::ceil(bytes / 8.0) * 8.0
}

/// Whether equal keys are to be expected: a non-unique index over one column of random numbers.
fn has_equal_keys(index: &Index) -> bool {
    index.kind == IndexKind::NonUnique && index.scattered && index.columns.len() == 1
}

/// Bytes of a tuple that separates two nodes. A split looks for a place where the first column differs and cuts the
/// rest off (`_bt_findsplitloc`, `_bt_truncate`); a sorted build cuts wherever a page is full, and there the first
/// columns are often equal: the first two are taken to differ.
fn pivot(schema: &Schema, index: &Index, order: InsertOrder, fill: f64) -> f64 {
    let columns = if order == InsertOrder::SortedBuild { 2 } else { 1 };
    index_tuple(schema.key_columns(index).take(columns), fill).mean + LINE_POINTER
}

/// How many records the nodes of an index hold.
pub(crate) fn node_rule(rules: &StorageRules, schema: &Schema, index: &Index) -> NodeRule {
    let order = rules.order_of(index);
    let mut tuple = index_tuple(schema.key_columns(index), rules.fill);
    let single = tuple.mean;
    let space = rules.page() - PAGE_HEADER - BTREE_SPECIAL;
    let record = single + LINE_POINTER;
    // A build fills a page until less than a tenth of it is free; the last tuple then begins the next page.
    let built_space = space - LINE_POINTER - libm::floor(rules.page() * (1.0 - LEAF_FILL));
    let mut built = tuple;
    if has_equal_keys(index) && rules.format == StorageFormat::Postgresql {
        built.mean = posting_bytes(single, ROWS_PER_VALUE);
        tuple.mean = posting_bytes(single, ROWS_PER_VALUE_AT_SPLIT);
    }
    // The rightmost leaf splits so that its left half has a tenth free, the high key counted.
    let left = LEAF_FILL * (space - record - HIGH_KEY_POINTER);
    let pivot = pivot(schema, index, order, rules.fill);
    let (inner_space, ordered) = match order {
        InsertOrder::SortedBuild | InsertOrder::SplitBuild => {
            (space - LINE_POINTER - libm::floor(rules.page() * (1.0 - INNER_FILL)), 1.0)
        }
        InsertOrder::Sequential | InsertOrder::Random => (space - pivot, INNER_FILL),
    };
    let whole = |records: f64| (libm::round(records) as u32).max(2);
    let leaf_max = whole(records_in(space - record, tuple));
    NodeRule {
        leaf_max,
        leaf_reserve_from: leaf_max,
        splits_at_insert_point: false,
        leaf_sequential: whole(left / record),
        leaf_built: whole(records_in(built_space, built)),
        inner_max: ((inner_space / pivot) as u32).max(4),
        inner_fill_random: INNER_FILL_RANDOM,
        inner_fill_ordered: ordered,
    }
}

/// Pages of a table's file forks beside the heap: free space map, visibility map, and the empty TOAST table's index.
pub(crate) fn heap_fork_pages(schema: &Schema, heap_pages: u64) -> u64 {
    let longest: u32 = schema
        .columns
        .iter()
        .map(|c| match c.kind {
            ColumnType::Char(n) | ColumnType::Varchar(n) => n.saturating_mul(CHARACTER_BYTES),
            _ => 8,
        })
        .fold(0, u32::saturating_add);
    let free_space = heap_pages.div_ceil(FREE_SPACE_SLOTS) + 2;
    free_space + heap_pages.div_ceil(VISIBILITY_SLOTS) + u64::from(longest > TOAST_THRESHOLD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Column;

    fn column(name: &str, kind: &str) -> Column {
        Column {
            name: name.into(),
            kind: kind.parse().unwrap(),
            nullable: false,
            average_bytes: None,
            distinct: None,
        }
    }

    fn index(name: &str, kind: IndexKind, scattered: bool) -> Index {
        Index { scattered, ..Index::new(name, kind, vec![name.into()]) }
    }

    fn sysbench(order: InsertOrder) -> (StorageRules, Schema) {
        let schema = Schema {
            columns: vec![
                column("id", "int"),
                column("k", "int"),
                column("c", "char(120)"),
                column("pad", "char(60)"),
            ],
            indexes: vec![index("id", IndexKind::Primary, false), index("k", IndexKind::NonUnique, true)],
        };
        let format = StorageFormat::Postgresql;
        (StorageRules { format, page_bytes: 8192, order, fill: 0.6, rows_per_commit: None }, schema)
    }

    /// PostgreSQL 15.18 after a load and CREATE INDEX: 214 bytes a tuple, 37 of them a page, 366 keys a leaf.
    #[test]
    fn the_sysbench_table_has_the_measured_pages() {
        let (rules, schema) = sysbench(InsertOrder::SortedBuild);
        assert_eq!(heap_bytes(&schema, 0.6), 214.0);
        let layout = rules.table("sb", &schema, 500_000, 1);
        assert_eq!(layout.heap.unwrap().pages, 13_514);
        assert_eq!((layout.indexes[0].leaf_pages, layout.indexes[0].pages), (1367, 1373));
        assert_eq!(layout.indexes[0].height, 3);
        // Equal keys share posting lists: 1199 leaves instead of 1367.
        assert!((layout.indexes[1].leaf_pages as f64 / 1199.0 - 1.0).abs() < 0.01);
        assert!((layout.bytes as f64 / 131_899_392.0 - 1.0).abs() < 0.001, "{}", layout.bytes);
    }

    #[test]
    fn a_rightmost_split_leaves_leaves_as_full_as_a_build() {
        let (rules, schema) = sysbench(InsertOrder::Sequential);
        assert_eq!(rules.node_rule(&schema, &schema.indexes[0], 500_000).leaf_sequential, 366);
    }

    #[test]
    fn values_are_aligned_by_their_type() {
        let mut length = Length::exact(24.0);
        length.fixed(2);
        length.fixed(8);
        assert_eq!(length.mean, 40.0);
        // Behind a value of unknown length four bytes are aligned by one and a half on average.
        length.add(10.5, 1.0);
        length.fixed(4);
        assert_eq!(length.mean, 40.0 + 10.5 + 1.5 + 4.0);
        length.align(8);
        assert_eq!(length.mean, 40.0 + 10.5 + 1.5 + 4.0 + 2.0);
    }

    #[test]
    fn null_columns_take_a_bit() {
        let mut schema = sysbench(InsertOrder::Sequential).1;
        schema.columns.truncate(3);
        schema.columns[2].nullable = true;
        schema.columns[2].average_bytes = Some(0.0);
        assert_eq!(heap_bytes(&schema, 0.6), 32.0);
    }
}
