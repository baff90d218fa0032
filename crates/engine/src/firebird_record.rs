//! Firebird's records: the unpacked image of a row, and what run-length compression leaves of it.
//!
//! How far a record shrinks depends on its bytes, so a sample of records is made as the columns describe them and is
//! compressed by Firebird's own rule (`Compressor`, `src/jrd/sqz.cpp` of 3.0).

use crate::schema::{Column, ColumnType, Schema};
use spindle_units::chance::Chance;
use std::{cell::RefCell, collections::VecDeque, rc::Rc};

/// Records of a sample: the mean length is known to some tenths of a per cent.
const SAMPLE: usize = 768;
/// Longest literal run and longest repeated run (`sqz.cpp`).
const LITERAL_MAX: usize = 127;
const REPEAT_MAX: usize = 128;
/// Significant bytes of a number where the column does not say: half of its width.
const SIGNIFICANT_SHARE: f64 = 0.5;

/// Bytes a column takes in the unpacked image, and how they are aligned (`type_alignments` and `type_lengths`,
/// `src/common/dsc.cpp`; alignment of timestamps as measured: ORDERS unpacks to 44 bytes).
fn image(column: &Column) -> (usize, usize) {
    match column.kind {
        ColumnType::SmallInt => (2, 2),
        ColumnType::Int | ColumnType::Float | ColumnType::Date => (4, 4),
        ColumnType::BigInt | ColumnType::Double | ColumnType::Timestamp | ColumnType::DateTime => (8, 8),
        // Up to 4, 9 and 18 digits (Language Reference, NUMERIC).
        ColumnType::Decimal(digits, _) if digits <= 4 => (2, 2),
        ColumnType::Decimal(digits, _) if digits <= 9 => (4, 4),
        ColumnType::Decimal(..) => (8, 8),
        ColumnType::Char(n) => (n as usize, 1),
        ColumnType::Varchar(n) => (n as usize + 2, 2),
    }
}

/// Offsets of the columns and the length of the image: null flags in units of 32 bits come first (`FLAG_BYTES`).
fn offsets(schema: &Schema) -> (Vec<usize>, usize) {
    let mut at = (schema.columns.len() + 32) / 32 * 4;
    let mut offsets = Vec::with_capacity(schema.columns.len());
    for column in &schema.columns {
        let (bytes, alignment) = image(column);
        at = at.next_multiple_of(alignment);
        offsets.push(at);
        at += bytes;
    }
    (offsets, at)
}

/// Draws a whole number whose mean is `mean`.
fn rounded(mean: f64, chance: &mut Chance) -> usize {
    (mean + chance.unit()) as usize
}

/// Draws the length of a variable value: evenly spread around its mean, as far as the declared length lets it.
fn length(mean: f64, declared: u32, chance: &mut Chance) -> usize {
    let spread = (f64::from(declared) - mean).min(mean).max(0.0);
    let low = mean - spread;
    ((low + chance.unit() * (2.0 * spread + 1.0)) as usize).min(declared as usize)
}

/// A byte that is like no other nearby: values do not repeat themselves by chance.
fn value_byte(at: usize, chance: &mut Chance) -> u8 {
    (1 + 2 * (at % 61) + chance.below(2) as usize) as u8
}

fn put(record: &mut [u8], offset: usize, bytes: usize, chance: &mut Chance) {
    for at in offset..(offset + bytes).min(record.len()) {
        record[at] = value_byte(at, chance);
    }
}

/// Whether a value is missing: a nullable column whose values have less than one significant byte on average is null
/// where it has none.
fn is_null(column: &Column, chance: &mut Chance) -> bool {
    let mean = column.average_bytes.unwrap_or(1.0);
    column.nullable && mean > 0.0 && mean < 1.0 && chance.unit() >= mean
}

/// Writes a column's value into the image, which is zero so far.
fn fill_column(record: &mut [u8], offset: usize, column: &Column, fill: f64, chance: &mut Chance) {
    let (bytes, _) = image(column);
    match column.kind {
        ColumnType::Varchar(declared) => {
            let used = length(column.variable_bytes(fill).unwrap_or(0.0), declared, chance);
            record[offset] = used as u8;
            record[offset + 1] = (used >> 8) as u8;
            put(record, offset + 2, used, chance);
        }
        ColumnType::Char(_) => {
            // What is not significant is one and the same byte: blanks as a rule.
            let used = column.average_bytes.map_or(bytes, |mean| rounded(mean, chance)).min(bytes);
            record[offset..offset + bytes].fill(b' ');
            put(record, offset, used, chance);
        }
        // Days since 1858 fill two bytes of four; ten thousandths of a second fill four.
        ColumnType::Date => put(record, offset, 2, chance),
        ColumnType::Timestamp | ColumnType::DateTime => {
            put(record, offset, 2, chance);
            put(record, offset + 4, 4, chance);
        }
        ColumnType::Float | ColumnType::Double => put(record, offset, bytes, chance),
        _ => {
            let mean = column.average_bytes.unwrap_or(bytes as f64 * SIGNIFICANT_SHARE);
            let mean = if column.nullable && mean > 0.0 { mean.max(1.0) } else { mean };
            put(record, offset, rounded(mean, chance).min(bytes), chance);
        }
    }
}

/// Bytes of `data` after run-length compression (`Compressor::Compressor`): a run of three and more equal bytes
/// becomes two, anything else is copied behind a control byte for each run of up to 127.
pub(crate) fn packed_bytes(data: &[u8]) -> usize {
    let (mut at, mut total) = (0, 0);
    while at < data.len() {
        let start = at;
        while at + 2 < data.len() && !(data[at] == data[at + 1] && data[at] == data[at + 2]) {
            at += 1;
        }
        if at + 2 >= data.len() {
            at = data.len();
        }
        let literal = at - start;
        total += literal + literal.div_ceil(LITERAL_MAX);
        if at < data.len() {
            let run = data[at..].iter().take(REPEAT_MAX).take_while(|b| **b == data[at]).count();
            total += 2;
            at += run;
        }
    }
    total
}

/// Samples kept: a sample takes longer to make than all that is done with it.
const KEPT: usize = 32;

/// The columns and the fill of a sample, and the sample.
type Known = (Vec<Column>, f64, Rc<[u32]>);

thread_local! {
    static SAMPLES: RefCell<VecDeque<Known>> = const { RefCell::new(VecDeque::new()) };
}

/// Packed lengths of a sample of rows, the same each time.
pub(crate) fn sample(schema: &Schema, fill: f64) -> Rc<[u32]> {
    let is_known = |known: &&Known| known.0 == schema.columns && known.1 == fill;
    let known = SAMPLES.with_borrow(|kept| kept.iter().find(is_known).map(|known| Rc::clone(&known.2)));
    known.unwrap_or_else(|| {
        let sample: Rc<[u32]> = drawn(schema, fill).into();
        SAMPLES.with_borrow_mut(|kept| {
            if kept.len() >= KEPT {
                kept.pop_front();
            }
            kept.push_back((schema.columns.clone(), fill, Rc::clone(&sample)));
        });
        sample
    })
}

fn drawn(schema: &Schema, fill: f64) -> Vec<u32> {
    let (offsets, bytes) = offsets(schema);
    let mut chance = Chance::new(bytes as u64, 40);
    (0..SAMPLE)
        .map(|_| {
            let mut record = vec![0; bytes];
            // Flags begin as null for whole bytes of columns; those beyond the last column stay so.
            let columns = schema.columns.len();
            for at in columns..columns.next_multiple_of(8) {
                record[at / 8] |= 1 << (at % 8);
            }
            for (at, (column, offset)) in schema.columns.iter().zip(&offsets).enumerate() {
                if is_null(column, &mut chance) {
                    record[at / 8] |= 1 << (at % 8);
                } else {
                    fill_column(&mut record, *offset, column, fill, &mut chance);
                }
            }
            packed_bytes(&record) as u32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, kind: &str, average_bytes: Option<f64>) -> Column {
        Column {
            name: name.into(),
            kind: kind.parse().unwrap(),
            nullable: true,
            average_bytes,
            distinct: None,
        }
    }

    #[test]
    fn runs_are_packed_as_firebird_packs_them() {
        assert_eq!(packed_bytes(&[1, 2, 3]), 4);
        assert_eq!(packed_bytes(&[0, 0, 0]), 2);
        // Two equal bytes are no run.
        assert_eq!(packed_bytes(&[1, 0, 0, 2]), 5);
        assert_eq!(packed_bytes(&[1, 0, 0, 0, 0, 2, 3]), 2 + 2 + 3);
        assert_eq!(packed_bytes(&[7; 300]), 6);
        let distinct: Vec<u8> = (0..200).collect();
        assert_eq!(packed_bytes(&distinct), 202);
    }

    /// Firebird 3.0.11: HISTORY unpacks to 62 bytes and packs to 56.8, NEW_ORDER to 16 and 17.
    #[test]
    fn measured_records_come_out() {
        let int = |name: &str, bytes| column(name, "int", Some(bytes));
        let history = Schema {
            columns: vec![
                int("c", 2.0),
                int("cd", 1.0),
                int("cw", 1.0),
                int("d", 1.0),
                int("w", 1.0),
                column("date", "timestamp", None),
                column("amount", "decimal(6,2)", Some(2.0)),
                column("data", "varchar(24)", Some(18.0)),
            ],
            indexes: Vec::new(),
        };
        assert_eq!(offsets(&history).1, 62);
        let packed = sample(&history, 0.6);
        let mean = packed.iter().map(|b| f64::from(*b)).sum::<f64>() / packed.len() as f64;
        assert!((mean / 56.77 - 1.0).abs() < 0.01, "{mean}");
        let new_order =
            Schema { columns: vec![int("w", 1.0), int("d", 1.0), int("o", 2.0)], indexes: Vec::new() };
        assert_eq!(offsets(&new_order).1, 16);
        assert!(sample(&new_order, 0.6).iter().all(|bytes| *bytes == 17));
    }
}
