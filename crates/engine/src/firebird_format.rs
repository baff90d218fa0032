//! Firebird's pages (on-disk structures 11 and 12): data pages with room kept for versions, pointer pages, and b-tree
//! buckets with prefix-compressed keys.

use crate::{
    firebird_key::{KeyLengths, key_lengths},
    firebird_record,
    layout::{HeapLayout, IndexLayout, StorageFormat, StorageRules, TableLayout},
    schema::{Index, Schema},
    tree::{self, InsertOrder, NodeRule},
};
use spindle_units::chance::Chance;

/// `sizeof(data_page)` without its first slot, and a slot (`src/jrd/ods.h`).
const DATA_PAGE_HEADER: u32 = 24;
const SLOT: u32 = 4;
/// `RHD_SIZE` and `RHDF_SIZE`: header of a record, and of one whose rest lies elsewhere.
const RECORD_HEADER: u32 = 13;
const FRAGMENT_HEADER: u32 = 22;
/// `ODS_ALIGNMENT`.
const ALIGNMENT: u32 = 4;
/// `sizeof(pointer_page)` without its slots.
const POINTER_PAGE_HEADER: u32 = 32;
/// Bits of a slot of a pointer page: a page number, and eight bits of what is known of the page (`dataPagesPerPP`), of
/// which structure 11 has two (`dbb_dp_per_pp` of 2.5).
const POINTER_BITS: u32 = 32 + 8;
const POINTER_BITS_11: u32 = 32 + 2;
/// `PAGES_IN_EXTENT`: from this many on, a table grows by whole extents.
pub(crate) const EXTENT: u64 = 8;
/// `BTR_SIZE`, and what a leaf and an inner bucket keep for their last node (`BTN_LEAF_SIZE`, `BTN_PAGE_SIZE`).
const BUCKET_HEADER: f64 = 39.0;
const LEAF_END: f64 = 6.0;
const INNER_END: f64 = 10.0;
/// Share of a bucket that random inserts leave filled: buckets split in the middle (ln 2).
const RANDOM_FILL: f64 = core::f64::consts::LN_2;

/// Bytes a stored record takes on its page, without its slot: header and packed data, at least a fragment's header
/// (`DPM_store` fills up to it), aligned.
fn stored_bytes(packed: u32) -> u32 {
    (RECORD_HEADER + packed).max(FRAGMENT_HEADER).next_multiple_of(ALIGNMENT)
}

/// Average bytes of a record: header and packed data.
pub(crate) fn row_bytes(schema: &Schema, fill: f64) -> f64 {
    let sample = firebird_record::sample(schema, fill);
    let total: f64 = sample.iter().map(|packed| f64::from(RECORD_HEADER + packed)).sum();
    total / sample.len().max(1) as f64
}

/// Average records of a data page filled one after another: every record already there keeps room for a fragment's
/// header (`SPACE_FUDGE`), so that a later version need not move; the new one only has to fit itself (`find_space`).
pub(crate) fn rows_per_page(rules: &StorageRules, schema: &Schema) -> f64 {
    let sample = firebird_record::sample(schema, rules.fill);
    let mut lengths = sample.iter().cycle().map(|packed| stored_bytes(*packed) + SLOT);
    let (mut pages, mut rows) = (0_u32, 0_u32);
    let mut next = lengths.next().unwrap_or(SLOT);
    // Enough pages that the mean is known, and no more of the sample than is needed for it.
    while pages < 64 || (rows as usize) < sample.len() * 4 {
        let mut used = DATA_PAGE_HEADER;
        let mut on_page = 0;
        while on_page == 0 || used + next <= rules.page_bytes {
            used += next + FRAGMENT_HEADER;
            on_page += 1;
            next = lengths.next().unwrap_or(SLOT);
        }
        rows += on_page;
        pages += 1;
    }
    f64::from(rows) / f64::from(pages)
}

/// Data pages set aside for `used` pages: the first extent page by page, then whole extents (`extend_relation`);
/// structure 11 knows no extents.
pub(crate) fn data_pages(format: StorageFormat, used: u64) -> u64 {
    let one_by_one = format == StorageFormat::Firebird11 || used <= EXTENT;
    if one_by_one { used.max(1) } else { used.next_multiple_of(EXTENT) }
}

/// Data pages that a pointer page lists: whole extents, or whole bytes of flags.
pub(crate) fn data_pages_per_pointer_page(format: StorageFormat, page_bytes: u32) -> u64 {
    let (bits, whole) =
        if format == StorageFormat::Firebird11 { (POINTER_BITS_11, 3) } else { (POINTER_BITS, 7) };
    u64::from((page_bytes - POINTER_PAGE_HEADER) * 8 / bits) & !whole
}

/// Record numbers set aside for each data page (`maxRecsPerDP`).
fn records_per_page_max(page_bytes: u32) -> f64 {
    f64::from((page_bytes - DATA_PAGE_HEADER - SLOT) / (SLOT + RECORD_HEADER))
}

/// Average bytes of a record number within a node, beside the five bits beside the node's flags: seven bits a byte
/// (`IndexNode::writeNode`). Record numbers run evenly up to `highest`.
fn number_bytes(highest: f64) -> f64 {
    let mut bytes = 1.0;
    let mut reach = 32.0 * 128.0;
    while highest > reach {
        bytes += 1.0 - reach / highest;
        reach *= 128.0;
    }
    bytes
}

/// Average bytes of a leaf node: flags and record number, prefix length, length, data. The lengths of prefix and
/// data take a byte each, a length of none or one is in the flags.
fn leaf_node(keys: &KeyLengths, highest_record: f64) -> f64 {
    let length_byte = 1.0 - keys.one_byte - keys.duplicate;
    1.0 + number_bytes(highest_record) + 1.0 + length_byte.max(0.0) + keys.data
}

/// Average bytes of an inner node: it also names the page below. `separators` are the lengths of the keys that begin the
/// leaves, which share less than neighbours do.
fn inner_node(separators: &KeyLengths, highest_record: f64, pages: f64) -> f64 {
    let page_bytes =
        1.0 + f64::from(pages > 128.0) + f64::from(pages > 16_384.0) + f64::from(pages > 2_097_152.0);
    2.0 + number_bytes(highest_record) + page_bytes + 1.0 + separators.data
}

/// Bytes of a bucket's jump nodes: one for each stretch of `512 + 16 √longest` bytes (`fast_load`), each with prefix,
/// length, offset, and what its key does not share with the jump node before it.
fn jump_bytes(keys: &KeyLengths, page: f64) -> f64 {
    let stretch = 512.0 + libm::floor(16.0 * libm::sqrt(keys.longest));
    let jumps = libm::floor((page - BUCKET_HEADER) / (stretch + 5.0));
    let shared = (keys.full - keys.data).max(0.0);
    jumps * (4.0 + keys.data.min(2.0)) + shared
}

/// Highest record number of `rows` rows.
fn highest_record(rules: &StorageRules, schema: &Schema, rows: u64) -> f64 {
    rows as f64 / rows_per_page(rules, schema) * records_per_page_max(rules.page_bytes)
}

/// Average bytes of an index entry in a leaf, for `rows` rows.
pub(crate) fn entry_bytes(rules: &StorageRules, schema: &Schema, index: &Index, rows: u64) -> f64 {
    leaf_node(&key_lengths(schema, index, rows, rules.fill), highest_record(rules, schema, rows))
}

/// Bytes before the last in which keys differ that begin buckets above the lowest inner level: of a number as a double
/// the last byte holds but a few bits.
const FAR_APART: f64 = 1.0;

/// Bytes of a bucket that nodes may take.
fn usable_bytes(rules: &StorageRules, keys: &KeyLengths) -> f64 {
    rules.page() - BUCKET_HEADER - jump_bytes(keys, rules.page())
}

/// Children of a bucket of a level that has `children` of them: the fewer, the farther the keys that separate them lie
/// apart, and the less they share. `further` bytes come on top of what neighbouring keys do not share.
fn children_of_bucket(
    rules: &StorageRules,
    schema: &Schema,
    index: &Index,
    rows: u64,
    usable: f64,
    children: u64,
    further: f64,
) -> f64 {
    let mut separators = key_lengths(schema, index, children, rules.fill);
    separators.data += further;
    let data = rows as f64 / rows_per_page(rules, schema);
    (usable - INNER_END) / inner_node(&separators, highest_record(rules, schema, rows), data)
}

/// How many records the buckets of an index over `rows` rows hold. A build by sorting fills them to the end, and so
/// do keys in ascending order, since a split at the end of a level moves only the new node (`insert_node`).
pub(crate) fn node_rule(rules: &StorageRules, schema: &Schema, index: &Index, rows: u64) -> NodeRule {
    let keys = key_lengths(schema, index, rows, rules.fill);
    let usable = usable_bytes(rules, &keys);
    // The first node of a bucket has its whole key; the last that would fit half does not.
    let first = keys.full - keys.data;
    let node = leaf_node(&keys, highest_record(rules, schema, rows));
    let leaf = ((usable - LEAF_END - first - node / 2.0) / node).max(2.0);
    let inner = children_of_bucket(rules, schema, index, rows, usable, (rows as f64 / leaf) as u64, 0.0);
    let leaf = libm::round(leaf) as u32;
    NodeRule {
        leaf_max: leaf,
        leaf_reserve_from: leaf,
        splits_at_insert_point: false,
        leaf_sequential: leaf,
        leaf_built: leaf,
        inner_max: (inner as u32).max(4),
        inner_fill_random: RANDOM_FILL,
        inner_fill_ordered: 1.0,
    }
}

/// Leaves, other buckets and levels of an index that is built by sorting, level by level (`fast_load`).
fn built_shape(rules: &StorageRules, schema: &Schema, index: &Index, rows: u64) -> (u64, u64, u32) {
    let usable = usable_bytes(rules, &key_lengths(schema, index, rows, rules.fill));
    let leaves = rows.div_ceil(u64::from(node_rule(rules, schema, index, rows).leaf_built)).max(1);
    let (mut level, mut inner, mut height) = (leaves, 0, 1);
    while level > 1 {
        let further = if height > 1 { FAR_APART } else { 0.0 };
        let children = children_of_bucket(rules, schema, index, rows, usable, level, further).max(4.0);
        level = level.div_ceil(children as u64);
        inner += level;
        height += 1;
    }
    (leaves, inner, height)
}

/// Pages of the system tables, their pointer pages, index roots and indexes: some fifty relations of at least two pages
/// and a hundred indexes, and half a megabyte of rows (an empty database of 3.0).
const SYSTEM_PAGES: u64 = 150;
const SYSTEM_BYTES: u64 = 512 << 10;
/// Part of the file by which it grows at a time, and the most by which it does (`PageSpace::extend`,
/// `DatabaseGrowthIncrement` of 128 MiB).
const GROWTH_SHARE: u64 = 16;
const GROWTH_MAX: u64 = 128 << 20;

/// Pointer pages of a table with that many data pages.
pub fn pointer_pages(format: StorageFormat, page_bytes: u32, data_pages: u64) -> u64 {
    data_pages.div_ceil(data_pages_per_pointer_page(format, page_bytes)).max(1)
}

/// Bytes of a database file whose tables take `table_bytes`: the system's pages come on top, and room is allocated
/// ahead in steps of a sixteenth of the file, of which half is unused on average.
pub fn database_bytes(page_bytes: u32, table_bytes: u64) -> u64 {
    let used = table_bytes + SYSTEM_PAGES * u64::from(page_bytes) + SYSTEM_BYTES;
    used + (used / GROWTH_SHARE).min(GROWTH_MAX) / 2
}

/// Pages, heights and bytes of `rows` rows of a table. Its bytes are those of data, pointer, index root and index
/// pages.
pub(crate) fn table(rules: &StorageRules, name: &str, schema: &Schema, rows: u64, seed: u64) -> TableLayout {
    let per_page = rows_per_page(rules, schema);
    let pages = data_pages(rules.format, libm::ceil(rows as f64 / per_page) as u64);
    let page = u64::from(rules.page_bytes);
    let indexes: Vec<IndexLayout> = (1..)
        .zip(&schema.indexes)
        .map(|(number, index)| {
            let order = rules.order_of(index);
            let (leaf_pages, inner_pages, height) = if order == InsertOrder::SortedBuild {
                built_shape(rules, schema, index, rows)
            } else {
                let rule = node_rule(rules, schema, index, rows);
                tree::loaded_shape(order, rows, index.values, &rule, &mut Chance::new(seed, number))
            };
            let pages = leaf_pages + inner_pages;
            IndexLayout {
                name: index.name.clone(),
                entry_bytes: entry_bytes(rules, schema, index, rows),
                leaf_pages,
                pages,
                allocated_pages: pages,
                height,
                bytes: pages * page,
            }
        })
        .collect();
    let index_pages: u64 = indexes.iter().map(|index| index.pages).sum();
    let root_page = 1;
    let bytes =
        (pages + pointer_pages(rules.format, rules.page_bytes, pages) + root_page + index_pages) * page;
    TableLayout {
        name: name.to_owned(),
        rows,
        row_bytes: row_bytes(schema, rules.fill),
        bytes,
        file_bytes: bytes,
        heap: Some(HeapLayout { pages, rows_per_page: libm::round(per_page) as u32 }),
        indexes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        layout::StorageFormat,
        schema::{Column, IndexKind},
    };

    /// `new_order` of TPC-C.
    fn new_order() -> Schema {
        let column = |name: &str, average_bytes, distinct| Column {
            name: name.into(),
            kind: "int".parse().unwrap(),
            nullable: false,
            average_bytes: Some(average_bytes),
            distinct: Some(distinct),
        };
        let columns = vec![column("w", 1.0, 20.0), column("d", 1.0, 10.0), column("o", 2.0, 900.0)];
        let keys = columns.iter().map(|c| c.name.clone()).collect();
        let order = Some(InsertOrder::SortedBuild);
        let index = Index { order, ..Index::new("pk", IndexKind::Primary, keys) };
        Schema { columns, indexes: vec![index] }
    }

    /// Firebird 3.0.11, 180 000 rows at 16 KiB and 36 000 at 4 KiB: data pages, leaves, depth.
    #[test]
    fn new_order_has_the_measured_pages() {
        for (page_bytes, rows, pages, leaves) in [(16_384, 180_000, 640, 58), (4096, 36_000, 520, 45)] {
            let rules = StorageRules {
                format: StorageFormat::Firebird,
                page_bytes,
                order: InsertOrder::Sequential,
                fill: 0.6,
                rows_per_commit: None,
            };
            let layout = table(&rules, "new_order", &new_order(), rows, 1);
            let index = &layout.indexes[0];
            assert_eq!((layout.heap.unwrap().pages, index.height), (pages, 2));
            assert!(index.leaf_pages.abs_diff(leaves) <= 1, "{}", index.leaf_pages);
        }
    }

    #[test]
    fn pointer_pages_list_whole_extents() {
        let format = StorageFormat::Firebird;
        assert_eq!(data_pages_per_pointer_page(format, 16_384), 3264);
        assert_eq!(data_pages_per_pointer_page(format, 4096), 808);
        assert_eq!(pointer_pages(format, 16_384, 42_536), 14);
        assert_eq!((data_pages(format, 3), data_pages(format, 9)), (3, 16));
        assert_eq!(data_pages_per_pointer_page(StorageFormat::Firebird11, 16_384), 3844);
        assert_eq!(data_pages(StorageFormat::Firebird11, 179), 179);
    }
}
