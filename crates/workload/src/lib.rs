//! What clients ask for: streams of logical operations and the distributions of their keys.
//!
//! This crate knows operations on tables and rows. It must never know engines or devices: no page, no log, no time
//! but the pause a client makes.

use serde::{Deserialize, Serialize};
use spindle_units::{Span, chance::Chance};

/// The load of a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkloadSpec {
    /// What a transaction does.
    pub kind: WorkloadKind,
    /// Clients at work, each with one transaction at a time, 1 to 4096.
    pub clients: u32,
    /// Share of each table's rows that lookups search, above 0 and up to 1: the first rows in the order of loading.
    #[serde(default = "everything")]
    pub search_range: f64,
    /// Pause of a client between two transactions.
    #[serde(default)]
    pub think_time: Span,
}

fn everything() -> f64 {
    1.0
}

/// What a transaction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkloadKind {
    /// One INSERT of a row with a random key into one of the tables.
    InsertFull,
    /// Three SELECTs of one row each: by primary key, by unique index, by non-unique index.
    ThreeSelects,
}

impl WorkloadKind {
    /// Statements of a transaction.
    pub fn statements(self) -> u32 {
        match self {
            Self::InsertFull => 1,
            Self::ThreeSelects => 3,
        }
    }
}

/// One statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Look up a row by an index.
    Select {
        /// The table.
        table: usize,
        /// The index, by its number in the table.
        index: usize,
        /// The row, by its number in the order of loading.
        row: u64,
    },
    /// Insert a row.
    Insert {
        /// The table.
        table: usize,
    },
}

/// The operations of one client.
#[derive(Debug, Clone)]
pub struct Operations {
    kind: WorkloadKind,
    search_range: f64,
    tables: usize,
    indexes: [usize; 3],
    chance: Chance,
}

impl Operations {
    /// Client `client` of a scenario with `seed` over `tables` tables. `indexes` are the numbers of the indexes that
    /// the three SELECTs use.
    pub fn new(spec: &WorkloadSpec, seed: u64, client: u32, tables: usize, indexes: [usize; 3]) -> Self {
        Self {
            kind: spec.kind,
            search_range: spec.search_range,
            tables,
            indexes,
            chance: Chance::new(seed, 1000 + u64::from(client)),
        }
    }

    /// The next transaction; `rows` tells how many rows a table has.
    pub fn transaction(&mut self, rows: &dyn Fn(usize) -> u64) -> impl Iterator<Item = Operation> + use<> {
        let count = self.kind.statements() as usize;
        let mut operations = [Operation::Insert { table: 0 }; 3];
        for (at, operation) in operations.iter_mut().take(count).enumerate() {
            let table = self.chance.below(self.tables as u64) as usize;
            *operation = match self.kind {
                WorkloadKind::InsertFull => Operation::Insert { table },
                WorkloadKind::ThreeSelects => {
                    let searched = ((rows(table) as f64 * self.search_range) as u64).max(1);
                    Operation::Select { table, index: self.indexes[at], row: self.chance.below(searched) }
                }
            };
        }
        operations.into_iter().take(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_stay_within_the_search_range() {
        let spec = WorkloadSpec {
            kind: WorkloadKind::ThreeSelects,
            clients: 1,
            search_range: 0.25,
            think_time: Span(0),
        };
        let mut operations = Operations::new(&spec, 1, 0, 4, [0, 1, 2]);
        let (mut seen, mut highest) = ([0; 3], 0);
        for _ in 0..3000 {
            for operation in operations.transaction(&|_| 1000) {
                let Operation::Select { index, row, table } = operation else { panic!("only lookups") };
                assert!(row < 250 && table < 4);
                seen[index] += 1;
                highest = highest.max(row);
            }
        }
        assert_eq!(seen, [3000; 3], "each transaction uses each index once");
        assert!(highest > 240);
    }
}
