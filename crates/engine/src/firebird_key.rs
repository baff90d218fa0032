//! Firebird's index keys: numbers as doubles, compound keys in groups of four bytes, prefix compression of what
//! follows in sorted order (`compress` in `src/jrd/btr.cpp`, `IndexNode` in `btn.cpp` of 3.0).

use crate::schema::{Column, ColumnType, Index, Schema};

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

/// Bytes of a column within a key of `columns` columns; only the last is not padded to a whole group.
fn within(bytes: f64, columns: usize, last: bool) -> f64 {
    if columns == 1 {
        bytes
    } else if last {
        bytes + libm::ceil(bytes / STUFF)
    } else {
        GROUP * libm::ceil(bytes / STUFF)
    }
}

/// How many of `combinations` keys are present among `rows` rows.
fn present(combinations: f64, rows: f64) -> f64 {
    combinations.min(rows).max(1.0)
}

/// Bytes by which a column's value differs from the next smaller one among `values` values.
fn own_bytes(column: &Column, bytes: f64, values: f64) -> f64 {
    if !is_text(column) {
        return 1.0;
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
    let unique = index.kind != crate::schema::IndexKind::NonUnique;
    let whole: Vec<f64> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| within(column_bytes(column, fill), count, at + 1 == count))
        .collect();
    let (mut data, mut one_byte, mut groups, mut combinations) = (0.0, 0.0, 1.0, 1.0);
    for (at, column) in columns.iter().enumerate() {
        let last = at + 1 == count;
        let assumed = if last || !unique { rows } else { 1.0 };
        combinations *= column.distinct.unwrap_or(assumed).max(1.0);
        let so_far = if last && unique { rows } else { present(combinations, rows) };
        let decided = ((so_far - groups) / rows).max(0.0);
        let bytes = column_bytes(column, fill);
        let own = own_bytes(column, bytes, so_far / groups);
        let own = if last { own } else { whole[at] * own / bytes.max(1.0) };
        data += decided * (own + whole[at + 1..].iter().sum::<f64>());
        if last && own < 1.5 {
            one_byte += decided;
        }
        groups = so_far.max(groups);
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
        duplicate: (1.0 - groups / rows).max(0.0),
        longest,
    }
}
