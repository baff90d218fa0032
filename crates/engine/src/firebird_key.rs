//! Firebird's index keys: numbers as doubles, compound keys in groups of four bytes, prefix compression of what
//! follows in sorted order (`compress` in `src/jrd/btr.cpp`, `IndexNode` in `btn.cpp` of 3.0).

use crate::schema::{Column, ColumnType, Index, IndexKind, Schema};

/// Bytes of each group of a compound key, and the group with the segment number before it (`STUFF_COUNT`).
const STUFF: f64 = 4.0;
const GROUP: f64 = STUFF + 1.0;
/// Bits of sign and exponent of a double before the mantissa.
const EXPONENT_BITS: f64 = 12.0;
/// Letters a text of unknown content is made of.
const LETTERS: f64 = 26.0;

/// A key's lengths in sorted order, in bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct KeyLengths {
    /// The whole key.
    pub(crate) full: f64,
    /// What a key does not share with the one before it.
    pub(crate) data: f64,
    /// Share of keys that differ from the one before in exactly one byte: their node needs no length byte.
    pub(crate) one_byte: f64,
    /// Share of keys equal to the one before: their node needs neither length nor data.
    pub(crate) duplicate: f64,
    /// The longest key there may be (`BTR_key_length`), which decides how far jump nodes lie apart.
    pub(crate) longest: f64,
}

fn is_text(column: &Column) -> bool {
    matches!(column.kind, ColumnType::Char(_) | ColumnType::Varchar(_))
}

/// Bytes of a column's own key without trailing zeros or blanks.
fn column_bytes(column: &Column, fill: f64) -> f64 {
    match column.kind {
        ColumnType::Varchar(_) => column.variable_bytes(fill).unwrap_or(0.0),
        ColumnType::Char(n) => column.average_bytes.unwrap_or(f64::from(n)),
        ColumnType::Date => 4.0,
        ColumnType::Timestamp | ColumnType::DateTime | ColumnType::Double | ColumnType::Float => 8.0,
        ColumnType::SmallInt | ColumnType::Int | ColumnType::BigInt | ColumnType::Decimal(..) => {
            let width = match column.kind {
                ColumnType::SmallInt => 2.0,
                ColumnType::BigInt | ColumnType::Decimal(10.., _) => 8.0,
                _ => 4.0,
            };
            let significant = column.average_bytes.unwrap_or(width / 2.0);
            // The leading bit of the mantissa is not stored; trailing zeros of a double are left out.
            libm::ceil((EXPONENT_BITS + 8.0 * significant - 1.0) / 8.0).clamp(1.0, 8.0)
        }
    }
}

/// Declared bytes of a column's key.
fn declared_bytes(column: &Column) -> f64 {
    match column.kind {
        ColumnType::Varchar(n) | ColumnType::Char(n) => f64::from(n),
        ColumnType::Date => 4.0,
        _ => 8.0,
    }
}

/// Groups that `bytes` bytes of a column take; the lengths of texts differ, so that the last group is half full on
/// average.
fn groups(column: &Column, bytes: f64) -> f64 {
    if is_text(column) { (bytes + (STUFF - 1.0) / 2.0) / STUFF } else { libm::ceil(bytes / STUFF) }
}

/// Bytes of a column within a key of `columns` columns; only the last is not padded to a whole group.
fn within(column: &Column, bytes: f64, columns: usize, last: bool) -> f64 {
    if columns == 1 {
        bytes
    } else if last {
        bytes + groups(column, bytes)
    } else {
        GROUP * groups(column, bytes)
    }
}

/// How many of `combinations` keys are present among `rows` rows: as many as there can be where they are part of the
/// primary key, otherwise as many as chance hits.
fn present(combinations: f64, rows: f64, of_primary: bool) -> f64 {
    let hit =
        if of_primary { combinations.min(rows) } else { combinations * -libm::expm1(-rows / combinations) };
    hit.max(1.0)
}

/// Bytes by which a column's value differs from the next smaller one among `values` values.
fn own_bytes(column: &Column, bytes: f64, values: f64) -> f64 {
    if !is_text(column) {
        // Numbers side by side differ in the last byte; a few among many differ earlier.
        let apart = libm::log2(column.distinct.unwrap_or(values).max(1.0) / values.max(1.0));
        return libm::ceil(apart / 8.0).clamp(1.0, bytes.max(1.0));
    }
    // Information is spread evenly over the letters: values that are few for their length share most of them.
    let letters = column.distinct.map_or(LETTERS, |d| libm::pow(d.max(2.0), 1.0 / bytes.max(1.0)));
    let letters = letters.min(LETTERS);
    let shared = (libm::log(values.max(1.0)) - libm::log(LETTERS) / 2.0) / libm::log(letters);
    (bytes - shared.max(0.0)).clamp(1.0, bytes.max(1.0))
}

/// Lengths of the keys of `index` over `rows` rows in sorted order.
///
/// Which column tells a key from the one before it follows from how many different values the columns have. Where
/// that is not known, the last column of a unique index decides, and the first of another one.
pub(crate) fn key_lengths(schema: &Schema, index: &Index, rows: u64, fill: f64) -> KeyLengths {
    let columns: Vec<&Column> = schema.key_columns(index).collect();
    let count = columns.len();
    let rows = rows.max(1) as f64;
    let unique = index.kind != IndexKind::NonUnique;
    let of_primary = |name: &String| schema.primary().is_some_and(|primary| primary.columns.contains(name));
    let of_primary = index.columns.iter().all(of_primary);
    let whole: Vec<f64> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| within(column, column_bytes(column, fill), count, at + 1 == count))
        .collect();
    let (mut data, mut one_byte, mut different, mut combinations) = (0.0, 0.0, 1.0, 1.0);
    for (at, column) in columns.iter().enumerate() {
        let last = at + 1 == count;
        let assumed = if last || !unique { rows } else { 1.0 };
        combinations *= column.distinct.unwrap_or(assumed).max(1.0);
        let so_far = if last && unique { rows } else { present(combinations, rows, of_primary) };
        let decided = ((so_far - different) / rows).max(0.0);
        let bytes = column_bytes(column, fill);
        // From the first byte that differs to the end of the column, padding and segment numbers included.
        let shared = bytes - own_bytes(column, bytes, so_far / different);
        let stuffed = if count == 1 { shared } else { 1.0 + shared + libm::floor(shared / STUFF) };
        let own = (whole[at] - stuffed).max(1.0);
        data += decided * (own + whole[at + 1..].iter().sum::<f64>());
        if last && own < 1.5 {
            one_byte += decided;
        }
        different = so_far.max(different);
    }
    let longest = if count == 1 {
        columns.iter().map(|c| declared_bytes(c)).sum::<f64>() + 1.0
    } else {
        columns.iter().map(|c| GROUP * libm::ceil(declared_bytes(c) / STUFF)).sum()
    };
    KeyLengths {
        full: whole.iter().sum(),
        data,
        one_byte,
        duplicate: (1.0 - different / rows).max(0.0),
        longest,
    }
}
