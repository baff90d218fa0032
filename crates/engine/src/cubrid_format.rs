//! CUBRID's pages and records: rows in a heap in the order of arrival, trees that point at them.

use crate::{
    layout::StorageRules,
    schema::{Column, ColumnType, Index, Schema},
    tree::NodeRule,
};

/// CUBRID: slotted page header and file header; each record has a slot of 4 bytes.
pub(crate) const PAGE_OVERHEAD: f64 = 72.0;
pub(crate) const SLOT: f64 = 4.0;
/// `unfill_factor`: share of a heap page kept for rows that grow.
const UNFILL: f64 = 0.10;
/// Share of a leaf that ordered inserts fill: entries of one moment go into the same leaf, which splits in the middle.
/// Measured on CUBRID 11.3: 74 % (primary key), 84 % (unique), 75 % (non-unique) of what a page can hold.
const ORDERED_FILL: f64 = 0.77;
/// `index_unfill_factor`: share of a leaf kept free when an index is built by sorting.
pub(crate) const BUILT_FILL: f64 = 0.95;
pub(crate) fn align4(bytes: f64) -> f64 {
    libm::ceil(bytes / 4.0) * 4.0
}

/// Bytes of a fixed-width attribute in a CUBRID heap record, aligned to 4 as `pr_type` does.
fn fixed_bytes(column: &Column) -> Option<f64> {
    Some(match column.kind {
        ColumnType::SmallInt
        | ColumnType::Int
        | ColumnType::Float
        | ColumnType::Timestamp
        | ColumnType::Date => 4.0,
        ColumnType::BigInt | ColumnType::Double | ColumnType::DateTime => 8.0,
        ColumnType::Decimal(..) => 16.0,
        ColumnType::Char(n) => align4(f64::from(n)),
        ColumnType::Varchar(_) => return None,
    })
}

/// A variable attribute: one length byte (five from 255 bytes on), the value, and padding.
fn variable_bytes(bytes: f64) -> f64 {
    // Padding differs with each length; one byte on average brings the article's row to the 400 bytes measured.
    bytes + if bytes < 255.0 { 1.0 } else { 5.0 } + 1.0
}

/// Record header: representation, class and cache-coherence number with the version fields or, in 2008, the
/// class's object identifier.
const HEADER: f64 = 20.0;

/// Bytes of a row in CUBRID's heap.
pub(crate) fn heap_bytes(schema: &Schema, fill: f64) -> f64 {
    let fixed: f64 = schema.columns.iter().filter_map(fixed_bytes).sum();
    let variable: Vec<f64> = schema.columns.iter().filter_map(|c| c.variable_bytes(fill)).collect();
    let values: f64 = variable.iter().map(|b| variable_bytes(*b)).sum();
    // Offsets of the variable attributes and the end, two bytes each for records under 64 KiB, and a bound bit for
    // each fixed attribute.
    let offsets = if variable.is_empty() { 0.0 } else { align4(2.0 * (variable.len() as f64 + 1.0)) };
    let fixed_count = schema.columns.len() - variable.len();
    let bound_bits = align4(libm::ceil(fixed_count as f64 / 8.0));
    align4(HEADER + fixed + offsets + bound_bits + values)
}

/// Bytes of a key in a CUBRID index: a multi-column key packs its values one after another.
pub(crate) fn key_bytes(schema: &Schema, index: &Index, fill: f64) -> f64 {
    schema
        .key_columns(index)
        .map(|c| c.variable_bytes(fill).map_or_else(|| fixed_bytes(c).unwrap_or(0.0), |b| b + 1.0))
        .sum()
}

/// Bytes of a leaf entry: key, the row's object identifier (8) and the record's flags (2), aligned to 2.
pub(crate) fn leaf_entry_bytes(schema: &Schema, index: &Index, fill: f64) -> f64 {
    key_bytes(schema, index, fill) + 10.0
}

/// Rows of a heap page.
pub(crate) fn heap_rows_per_page(rules: &StorageRules, schema: &Schema) -> u32 {
    let usable = rules.page() * (1.0 - UNFILL) - PAGE_OVERHEAD;
    ((usable / (rules.row_bytes(schema) + SLOT)) as u32).max(1)
}

/// How many records the nodes of an index hold.
pub(crate) fn node_rule(rules: &StorageRules, schema: &Schema, index: &Index) -> NodeRule {
    let entry = rules.entry_bytes(schema, index);
    let usable = rules.page() - PAGE_OVERHEAD;
    let slot = entry + SLOT;
    let leaf_max = ((usable / slot) as u32).max(2);
    let share = |s: f64| ((f64::from(leaf_max) * s) as u32).max(2);
    // An inner entry carries a page and volume number (8 bytes with flags) and the shortest prefix of the
    // key that separates two leaves (`btree_get_prefix_separator`), here the first column.
    let first = Index { columns: index.columns.iter().take(1).cloned().collect(), ..index.clone() };
    let pointer = key_bytes(schema, &first, rules.fill) + 8.0 + SLOT;
    NodeRule {
        leaf_max,
        leaf_reserve_from: leaf_max,
        splits_at_insert_point: false,
        leaf_sequential: share(ORDERED_FILL),
        leaf_built: share(BUILT_FILL),
        inner_max: ((usable / pointer) as u32).max(4),
        inner_fill_random: 0.69,
        inner_fill_ordered: 0.75,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{article_schema, close};

    #[test]
    fn the_article_table_has_the_measured_sizes() {
        let schema = article_schema();
        // CUBRID 11.3: 400 bytes in the heap, keys of 17, 59, 21.
        close(heap_bytes(&schema, 0.6), 400.0);
        close(key_bytes(&schema, &schema.indexes[0], 0.6), 17.0);
        close(key_bytes(&schema, &schema.indexes[1], 0.6), 59.0);
        close(key_bytes(&schema, &schema.indexes[2], 0.6), 21.0);
    }
}
