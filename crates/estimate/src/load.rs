//! What a transaction asks for, on average: its statements, counted over transactions drawn from the load itself.

use spindle_engine::statement::{NewKey, Statement};
use spindle_scenario::Scenario;
use spindle_workload::{Operations, TableShape, WorkloadKind};

/// A kind of statement on tables alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Asked {
    Select { index: usize },
    Range { index: usize, rows: f64 },
    Update { index: Option<usize>, bytes: f64, rows: f64 },
    Insert { same_key: bool },
    Delete,
    Scan,
}

impl Asked {
    fn of(statement: &Statement) -> Self {
        match *statement {
            Statement::Select { index, .. } => Self::Select { index },
            Statement::Range { index, rows, .. } => Self::Range { index, rows: f64::from(rows) },
            Statement::Update { index, bytes, .. } => {
                Self::Update { index, bytes: f64::from(bytes), rows: 1.0 }
            }
            Statement::UpdateRange { rows, bytes, .. } => {
                Self::Update { index: None, bytes: f64::from(bytes), rows: f64::from(rows) }
            }
            Statement::Insert { key, .. } => Self::Insert { same_key: matches!(key, NewKey::Same(_)) },
            Statement::Delete { .. } => Self::Delete,
            // Loads are answered by the simulation alone.
            Statement::Scan { .. } | Statement::Append { .. } | Statement::MakeIndexes { .. } => Self::Scan,
        }
    }
}

/// The statements of a transaction.
#[derive(Debug, Clone, Default)]
pub(crate) struct Load {
    /// Place of the tables in the scenario, what is asked of one of them, how often in a transaction.
    pub statements: Vec<(usize, Asked, f64)>,
    /// Rows that a transaction inserts into a table beyond the first: they go to the page of that one.
    pub inserted_beside: f64,
    /// Statements of a transaction.
    pub count: f64,
    /// Share of the transactions that write.
    pub writing: f64,
    /// Transactions with more than one statement, which are bracketed by BEGIN and COMMIT.
    pub bracketed: f64,
}

impl Load {
    /// Draws as many transactions as it takes for means: those of a mix differ, others are all alike but for rows.
    pub fn of(scenario: &Scenario) -> Self {
        let drawn = if mixes(scenario.workload.kind) { 1500 } else { 48 };
        let (mut shapes, mut place) = (Vec::new(), Vec::new());
        for (at, table) in scenario.tables.iter().enumerate() {
            let shape = TableShape {
                name: table.name.clone(),
                indexes: table.indexes.iter().map(|index| index.kind).collect(),
                rows_to_load: if ORDERS.contains(&table.name.to_ascii_lowercase().as_str()) {
                    table.rows
                } else {
                    0
                },
            };
            for _ in 0..table.count {
                shapes.push(shape.clone());
                place.push(at);
            }
        }
        let mut operations = Operations::new(&scenario.workload, 1, 0, &shapes);
        let rows = |table: usize| place.get(table).map_or(1, |at| scenario.tables[*at].rows);
        let mut load = Self::default();
        let mut statements = Vec::new();
        let each = 1.0 / f64::from(drawn);
        for _ in 0..drawn {
            operations.transaction(&rows, &mut statements);
            load.count += statements.len() as f64 * each;
            load.writing += if statements.iter().any(Statement::writes) { each } else { 0.0 };
            load.bracketed += if statements.len() > 1 { each } else { 0.0 };
            let mut inserted = Vec::new();
            for statement in &statements {
                if let Statement::Insert { table, .. } = statement {
                    let beside = inserted.contains(table);
                    load.inserted_beside += if beside { each } else { 0.0 };
                    inserted.push(*table);
                }
                let Some(at) = place.get(statement.table()) else { continue };
                let asked = Asked::of(statement);
                match load.statements.iter_mut().find(|(t, a, _)| t == at && *a == asked) {
                    Some((.., often)) => *often += each,
                    None => load.statements.push((*at, asked, each)),
                }
            }
        }
        load
    }

    /// Rows that a transaction adds, as a share of those there are.
    pub fn growth(&self, tables: &[crate::shape::TableShape]) -> f64 {
        let added = |(table, asked, often): &(usize, Asked, f64)| match asked {
            Asked::Insert { same_key: false } => {
                *often / (tables[*table].rows * tables[*table].count).max(1.0)
            }
            _ => 0.0,
        };
        self.statements.iter().map(added).sum()
    }
}

/// Tables that a load fills one order at a time.
const ORDERS: [&str; 3] = ["orders", "new_order", "order_line"];

/// Whether transactions of a kind differ in their statements.
fn mixes(kind: WorkloadKind) -> bool {
    matches!(
        kind,
        WorkloadKind::OrderEntry
            | WorkloadKind::NewOrder
            | WorkloadKind::Payment
            | WorkloadKind::OrderStatus
            | WorkloadKind::Delivery
            | WorkloadKind::StockLevel
            | WorkloadKind::OrderEntryLoad
            | WorkloadKind::AnySelect
    )
}
