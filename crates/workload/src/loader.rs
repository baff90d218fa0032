//! The load of an order-entry database: a loader fills empty tables, first those it hands over many rows at a time, then orders
//! one by one, and makes the indexes at last.

use crate::{TableShape, order_entry::NAMES};
use spindle_engine::statement::{NewKey, Statement};

/// Rows that a statement, and with it a transaction, of the quick part brings.
const ROWS_A_STATEMENT: u64 = 1000;
/// Tables of the quick part, in the order in which they are filled.
const QUICK: [&str; 6] = ["item", "warehouse", "stock", "district", "customer", "history"];

/// A part of a load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LoadPart {
    /// Tables whose rows come many at a time.
    Quick,
    /// Orders with their lines, each in a transaction of its own.
    Orders,
    /// Indexes.
    Indexes,
}

impl LoadPart {
    /// All parts in their order.
    pub const ALL: [Self; 3] = [Self::Quick, Self::Orders, Self::Indexes];

    /// The name in a report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Orders => "orders",
            Self::Indexes => "indexes",
        }
    }

    /// The part that a transaction of a load belongs to.
    pub fn of(statements: &[Statement]) -> Self {
        match statements.first() {
            Some(Statement::Append { .. }) => Self::Quick,
            Some(Statement::Insert { .. }) => Self::Orders,
            _ => Self::Indexes,
        }
    }
}

/// What is still to be loaded.
#[derive(Debug, Clone)]
pub(crate) struct Loader {
    /// Tables of the quick part and the rows they still lack.
    quick: Vec<(usize, u64)>,
    orders: Part,
    new_orders: Part,
    lines: Part,
    orders_made: u64,
    indexed: Vec<usize>,
}

/// A table of which each order brings its part.
#[derive(Debug, Clone, Copy)]
struct Part {
    table: usize,
    rows: u64,
}

impl Part {
    /// Rows that the order of this number brings, so that `of` orders bring them all.
    fn with_order(self, number: u64, of: u64) -> u64 {
        let until = |number: u64| (u128::from(number) * u128::from(self.rows) / u128::from(of.max(1))) as u64;
        until(number + 1) - until(number)
    }
}

impl Loader {
    pub(crate) fn new(shapes: &[TableShape]) -> Self {
        let find = |name: &str| {
            let at = shapes.iter().position(|shape| shape.name.eq_ignore_ascii_case(name));
            at.map(|table| Part { table, rows: shapes[table].rows_to_load })
        };
        let part = |name: &str| find(name).unwrap_or(Part { table: 0, rows: 0 });
        let with_index =
            |name: &&str| find(name).map(|part| part.table).filter(|at| !shapes[*at].indexes.is_empty());
        Self {
            quick: QUICK.iter().filter_map(|name| find(name)).map(|part| (part.table, part.rows)).collect(),
            orders: part("orders"),
            new_orders: part("new_order"),
            lines: part("order_line"),
            orders_made: 0,
            indexed: NAMES.iter().filter_map(with_index).collect(),
        }
    }

    /// Transactions of the whole load.
    pub(crate) fn transactions(&self) -> u64 {
        let quick: u64 = self.quick.iter().map(|(_, rows)| rows.div_ceil(ROWS_A_STATEMENT)).sum();
        quick + self.orders.rows + self.indexed.len() as u64
    }

    /// Puts the statements of the next transaction into `statements`; none once all is loaded.
    pub(crate) fn transaction(&mut self, statements: &mut Vec<Statement>) {
        if let Some((table, left)) = self.quick.iter_mut().find(|(_, left)| *left > 0) {
            let rows = (*left).min(ROWS_A_STATEMENT);
            *left -= rows;
            statements.push(Statement::Append { table: *table, rows: rows as u32 });
        } else if self.orders_made < self.orders.rows {
            let (number, of) = (self.orders_made, self.orders.rows);
            self.orders_made += 1;
            let key = NewKey::Random;
            statements.push(Statement::Insert { table: self.orders.table, key });
            for part in [self.new_orders, self.lines] {
                let rows = part.with_order(number, of);
                statements.extend((0..rows).map(|_| Statement::Insert { table: part.table, key }));
            }
        } else if !self.indexed.is_empty() {
            statements.push(Statement::MakeIndexes { table: self.indexed.remove(0) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spindle_engine::schema::IndexKind;

    fn shapes() -> Vec<TableShape> {
        let shape = |(at, name): (usize, &&str)| TableShape {
            name: (*name).into(),
            indexes: if *name == "history" { vec![] } else { vec![IndexKind::Primary] },
            rows_to_load: [1, 10, 3000, 3000, 2500, 10_000, 3000, 900, 30_007][at],
        };
        NAMES.iter().enumerate().map(shape).collect()
    }

    #[test]
    fn every_row_is_loaded_once_and_every_index_is_made() {
        let shapes = shapes();
        let mut loader = Loader::new(&shapes);
        let transactions = loader.transactions();
        let (mut rows, mut indexed, mut last) = (vec![0; shapes.len()], Vec::new(), LoadPart::Quick);
        for _ in 0..transactions {
            let mut statements = Vec::new();
            loader.transaction(&mut statements);
            let part = LoadPart::of(&statements);
            assert!(part >= last, "parts follow each other");
            last = part;
            for statement in statements {
                match statement {
                    Statement::Append { table, rows: more } => rows[table] += u64::from(more),
                    Statement::Insert { table, .. } => rows[table] += 1,
                    Statement::MakeIndexes { table } => indexed.push(table),
                    _ => panic!("{statement:?}"),
                }
            }
        }
        assert_eq!(rows, shapes.iter().map(|shape| shape.rows_to_load).collect::<Vec<_>>());
        assert_eq!(indexed.len(), 8, "HISTORY has no index");
        let mut statements = Vec::new();
        loader.transaction(&mut statements);
        assert_eq!(statements, []);
    }
}
