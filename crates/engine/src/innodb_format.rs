//! InnoDB's pages and records: COMPACT and DYNAMIC rows in the leaves of the primary key's tree.

use crate::{
    layout::{IndexLayout, StorageRules},
    schema::{Column, ColumnType, Index, IndexKind, Schema},
    tree::{InsertOrder, NodeRule},
};

/// InnoDB: file header 38 and trailer 8, page header 36, two segment headers 20, infimum and supremum 26 bytes.
const PAGE_OVERHEAD: f64 = 128.0;
/// One directory slot of two bytes for every four records is held free for an insert.
const DIRECTORY: f64 = 0.5;
/// A sorted build of InnoDB keeps 1/16 of clustered leaves and a little of others: 94 to 95 % measured on 10.11.
const BUILT_FILL: f64 = 0.955;

/// Bytes a column takes in InnoDB, without length bytes (single-byte character set).
fn value(column: &Column, fill: f64) -> f64 {
    match column.kind {
        ColumnType::SmallInt => 2.0,
        ColumnType::Int | ColumnType::Float | ColumnType::Timestamp => 4.0,
        ColumnType::BigInt | ColumnType::Double => 8.0,
        ColumnType::Date => 3.0,
        // Before MySQL 5.6.4 a DATETIME took 8 bytes.
        ColumnType::DateTime => 8.0,
        ColumnType::Decimal(p, s) => f64::from(packed_decimal(p - s) + packed_decimal(s)),
        ColumnType::Char(n) => f64::from(n),
        ColumnType::Varchar(_) => column.variable_bytes(fill).unwrap_or(0.0),
    }
}

/// MySQL packs nine decimal digits into four bytes (manual, "Data Type Storage Requirements").
fn packed_decimal(digits: u32) -> u32 {
    const REST: [u32; 9] = [0, 1, 1, 2, 2, 3, 3, 4, 4];
    digits / 9 * 4 + REST[(digits % 9) as usize]
}

/// Length bytes of a variable column in COMPACT and DYNAMIC rows: one, or two where the column can be longer than
/// 255 bytes and the value is longer than 127.
fn length_bytes(column: &Column, fill: f64) -> f64 {
    match (column.kind, column.variable_bytes(fill)) {
        (ColumnType::Varchar(n), Some(bytes)) => {
            if n > 255 && bytes > 127.0 {
                2.0
            } else {
                1.0
            }
        }
        _ => 0.0,
    }
}

/// Record header of COMPACT and DYNAMIC rows (`REC_N_NEW_EXTRA_BYTES`).
const HEADER: f64 = 5.0;
/// Transaction id (6) and roll pointer (7) of clustered records.
const SYSTEM_COLUMNS: f64 = 13.0;

fn record<'a>(columns: impl Iterator<Item = &'a Column>, fill: f64) -> f64 {
    let (mut bytes, mut nullable) = (HEADER, 0);
    for column in columns {
        bytes += value(column, fill) + length_bytes(column, fill);
        nullable += u32::from(column.nullable);
    }
    bytes + f64::from(nullable.div_ceil(8))
}

/// Bytes of a row in InnoDB's clustered tree.
pub(crate) fn clustered_bytes(schema: &Schema, fill: f64) -> f64 {
    record(schema.columns.iter(), fill) + SYSTEM_COLUMNS
}

/// Bytes of an entry of a secondary index: its columns and those of the primary key it does not have yet.
pub(crate) fn secondary_bytes(schema: &Schema, index: &Index, fill: f64) -> f64 {
    let primary = schema.primary().map(|p| p.columns.as_slice()).unwrap_or_default();
    let extra = primary.iter().filter(|name| !index.columns.contains(name));
    let all = schema.key_columns(index).chain(extra.filter_map(|name| schema.column(name)));
    // A table without primary key carries a hidden row id of 6 bytes.
    record(all, fill) + if primary.is_empty() { 6.0 } else { 0.0 }
}

/// Bytes of a node pointer: the entry's key part and a page number of 4 bytes.
pub(crate) fn node_pointer(schema: &Schema, index: &Index, fill: f64) -> f64 {
    let clustered = schema.primary().is_some_and(|p| p.name == index.name);
    let key = if clustered {
        record(schema.key_columns(index), fill)
    } else {
        secondary_bytes(schema, index, fill)
    };
    key + 4.0
}

/// How many records the nodes of an index hold.
pub(crate) fn node_rule(rules: &StorageRules, schema: &Schema, index: &Index) -> NodeRule {
    let entry = rules.entry_bytes(schema, index);
    let usable = rules.page() - PAGE_OVERHEAD;
    let slot = entry + DIRECTORY;
    let leaf_max = ((usable / slot) as u32).max(2);
    // The insert that would leave less than 1/16 of a clustered page free splits it instead, if it
    // looks sequential (`dict_index_get_space_reserve`).
    let reserve = rules.page() / 16.0 + entry;
    let sequential = (((usable - reserve) / slot).max(1.0) as u32 + 1).min(leaf_max);
    let clustered = index.kind == IndexKind::Primary;
    let pointer = node_pointer(schema, index, rules.fill) + DIRECTORY;
    NodeRule {
        leaf_max,
        leaf_reserve_from: if clustered { sequential } else { leaf_max },
        splits_at_insert_point: true,
        leaf_sequential: if clustered { sequential } else { leaf_max },
        leaf_built: ((rules.page() * BUILT_FILL / entry) as u32).clamp(2, leaf_max),
        inner_max: ((usable / pointer) as u32).max(4),
        inner_fill_random: 0.64,
        inner_fill_ordered: 0.95,
    }
}

/// Pages InnoDB sets aside for a tree: each of its two segments takes 32 single pages, then extents of 64; a leaf
/// segment that grows in no order is given up to four extents ahead, an eighth of its size at most
/// (`fseg_alloc_free_page_low`, `fseg_fill_free_list`).
pub(crate) fn allocated(leaf_pages: u64, inner_pages: u64, order: InsertOrder) -> u64 {
    const SINGLE_PAGES: u64 = 32;
    const EXTENT: u64 = 64;
    let segment = |pages: u64| {
        if pages <= SINGLE_PAGES {
            pages
        } else {
            SINGLE_PAGES + (pages - SINGLE_PAGES).div_ceil(EXTENT) * EXTENT
        }
    };
    let ahead = match order {
        InsertOrder::Sequential => 0,
        InsertOrder::Random | InsertOrder::SortedBuild | InsertOrder::SplitBuild => {
            let eighth_extents = (segment(leaf_pages) as f64 / 8.0 / EXTENT as f64 + 0.5) as u64;
            eighth_extents.min(4) * EXTENT
        }
    };
    segment(leaf_pages) + segment(inner_pages) + ahead
}

/// Pages of a table's file. While trees grow, free extents are kept in reserve: two, a hundredth of the file, and what
/// one insert may need (`fsp_reserve_free_extents`). A file of 32 extents and more grows by four at a time
/// (`fsp_get_pages_to_extend_ibd`).
pub(crate) fn file_pages(rules: &StorageRules, schema: &Schema, indexes: &[IndexLayout]) -> u64 {
    const EXTENT: u64 = 64;
    const INSERT_MAY_NEED: u64 = 3;
    let used = indexes.iter().map(|index| index.allocated_pages).sum::<u64>().div_ceil(EXTENT);
    let grows = schema.indexes.iter().all(|index| rules.order_of(index) != InsertOrder::SortedBuild);
    let needed = if grows { used + 2 + used / 100 + INSERT_MAY_NEED } else { used };
    let extents = if needed < 32 { needed } else { needed.div_ceil(4) * 4 };
    extents * EXTENT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{article_schema, close};

    #[test]
    fn the_article_table_has_the_measured_sizes() {
        let schema = article_schema();
        // MariaDB 10.11, DYNAMIC rows.
        close(clustered_bytes(&schema, 0.6), 362.0);
        close(secondary_bytes(&schema, &schema.indexes[1], 0.6), 68.0);
        close(secondary_bytes(&schema, &schema.indexes[2], 0.6), 27.0);
    }
}
