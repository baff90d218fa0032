//! What clients ask for: streams of statements and the distributions of their rows.
//!
//! This crate knows statements on tables and rows. It must never know pages, logs or devices, nor any time but the
//! pause a client makes.

mod distribution;
mod loader;
mod order_entry;
mod pgbench;
mod sysbench;

pub use distribution::Distribution;
pub use loader::LoadPart;

use serde::{Deserialize, Serialize};
use spindle_engine::{
    schema::IndexKind,
    statement::{NewKey, Statement},
};
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
    /// How often each of those rows is asked for.
    #[serde(default, skip_serializing_if = "spindle_units::is_default")]
    pub keys: Distribution,
    /// Whether transactions are declared to change nothing, where their kind allows it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
    /// Whether terminals of order entry serve any warehouse, drawn anew for each transaction, and not one of their own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any_warehouse: bool,
    /// Queries of TPC-H that a client asks, one after the other, each a transaction; all 22 where none is given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<u8>,
    /// Whose plans those queries take, by name (`mysql-5.6`); the engine's own where nothing is said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub plans: String,
    /// A phase of loading the database, in place of queries; of COPY a transaction is a batch of 1000 rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<LoadPhase>,
    /// Pause of a client between two transactions.
    #[serde(default)]
    pub think_time: Span,
    /// Time that messages between client and server take, for each statement; transactions of several statements begin
    /// and commit by statements of their own.
    #[serde(default, skip_serializing_if = "spindle_units::is_default")]
    pub round_trip: Span,
}

impl WorkloadSpec {
    /// `clients` that ask for all rows alike, without a pause, at no distance from the server.
    pub fn new(kind: WorkloadKind, clients: u32) -> Self {
        Self {
            kind,
            clients,
            search_range: everything(),
            keys: Distribution::Uniform,
            read_only: false,
            any_warehouse: false,
            queries: Vec::new(),
            plans: String::new(),
            phase: None,
            think_time: Span(0),
            round_trip: Span(0),
        }
    }
}

fn everything() -> f64 {
    1.0
}

/// A phase of loading a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoadPhase {
    /// COPY into the largest table: each client is a stream.
    Copy,
    /// All indexes of all tables are built, one after the other.
    Index,
    /// ANALYZE of all tables.
    Analyze,
}

/// What a transaction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkloadKind {
    /// One INSERT of a row with a random key into one of the tables.
    InsertFull,
    /// Three SELECTs of one row each: by primary key, by unique index, by non-unique index.
    ThreeSelects,
    /// One SELECT by the primary key (sysbench's `oltp_point_select`, pgbench's `select-only`).
    PointSelect,
    /// One SELECT by the unique index.
    UniqueSelect,
    /// One SELECT by the non-unique index.
    NonUniqueSelect,
    /// One SELECT by one of the three kinds of index, in turn by chance.
    AnySelect,
    /// sysbench's `oltp_read_only`: ten SELECTs by key and four of a hundred rows.
    ReadOnly,
    /// sysbench's `oltp_read_write`: those, and the four writes.
    ReadWrite,
    /// sysbench's `oltp_write_only`: an UPDATE of an indexed column and one of another, a DELETE, and an INSERT of the
    /// deleted key.
    WriteOnly,
    /// sysbench's `oltp_update_index`.
    UpdateIndex,
    /// sysbench's `oltp_update_non_index`.
    UpdateNonIndex,
    /// pgbench's `tpcb-like`: tables of accounts, tellers, branches and history, in this order.
    TpcbLike,
    /// One SELECT of TPC-C's STOCK by the primary key.
    StockSelect,
    /// One UPDATE of STOCK by the primary key.
    StockUpdate,
    /// One SELECT of TPC-C's ORDER_LINE by the primary key.
    OrderLineSelect,
    /// One INSERT into ORDER_LINE, behind the lines of an order there is.
    OrderLineInsert,
    /// One DELETE of an order line by the primary key.
    OrderLineDelete,
    /// TPC-C's mix: 45 % new orders, 43 % payments, 4 % each of order status, delivery and stock level.
    OrderEntry,
    /// TPC-C's new order alone.
    NewOrder,
    /// TPC-C's payment alone.
    Payment,
    /// TPC-C's order status alone.
    OrderStatus,
    /// TPC-C's delivery alone.
    Delivery,
    /// TPC-C's stock level alone.
    StockLevel,
    /// The load of an order-entry database into empty tables: customers, stock and the like many rows at a time, orders one by
    /// one, indexes at last. `round_trip` is then the loader's own time for each statement.
    OrderEntryLoad,
    /// Queries of TPC-H.
    Tpch,
}

impl WorkloadKind {
    /// Statements of a transaction.
    pub fn statements(self) -> u32 {
        match self {
            Self::ThreeSelects => 3,
            Self::ReadOnly => 14,
            Self::ReadWrite => 18,
            Self::WriteOnly => 4,
            Self::TpcbLike => 5,
            _ => 1,
        }
    }

    /// Whether its transactions change anything.
    pub fn writes(self) -> bool {
        matches!(
            self,
            Self::InsertFull
                | Self::ReadWrite
                | Self::WriteOnly
                | Self::UpdateIndex
                | Self::UpdateNonIndex
                | Self::TpcbLike
                | Self::StockUpdate
                | Self::OrderLineInsert
                | Self::OrderLineDelete
                | Self::OrderEntry
                | Self::NewOrder
                | Self::Payment
                | Self::Delivery
                | Self::OrderEntryLoad
        )
    }

    /// Whether it fills tables that begin empty.
    pub fn loads(self) -> bool {
        self == Self::OrderEntryLoad
    }

    /// How many tables it needs; any number where this is 0.
    pub fn table_count(self) -> usize {
        if self == Self::TpcbLike { pgbench::TABLES } else { 0 }
    }

    /// The kinds of index its statements go by, beside the primary key.
    pub fn needs(self) -> &'static [IndexKind] {
        match self {
            Self::ThreeSelects | Self::AnySelect => &[IndexKind::Unique, IndexKind::NonUnique],
            Self::UniqueSelect => &[IndexKind::Unique],
            Self::NonUniqueSelect => &[IndexKind::NonUnique],
            _ => &[],
        }
    }
}

/// What a stream of statements has to know of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableShape {
    /// Its name.
    pub name: String,
    /// What each of its indexes promises, in their order.
    pub indexes: Vec<IndexKind>,
    /// Rows that a load has to put in; 0 where they are there.
    pub rows_to_load: u64,
}

impl TableShape {
    fn index(&self, kind: IndexKind) -> Option<usize> {
        self.indexes.iter().position(|k| *k == kind)
    }
}

/// The transactions of one client.
#[derive(Debug, Clone)]
pub struct Operations {
    spec: WorkloadSpec,
    tables: Vec<TableShape>,
    chance: Chance,
    orders: order_entry::Orders,
    loader: loader::Loader,
}

impl Operations {
    /// Client `client` of a scenario with `seed` over `tables`.
    pub fn new(spec: &WorkloadSpec, seed: u64, client: u32, tables: &[TableShape]) -> Self {
        Self {
            spec: spec.clone(),
            tables: tables.to_vec(),
            chance: Chance::new(seed, 1000 + u64::from(client)),
            orders: order_entry::Orders::new(tables, client, spec),
            loader: loader::Loader::new(tables),
        }
    }

    /// Transactions after which a load is over; none where the load goes on for ever.
    pub fn transactions_to_load(&self) -> Option<u64> {
        self.spec.kind.loads().then(|| self.loader.transactions())
    }

    /// Puts the statements of the next transaction into `statements`; `rows` tells how many rows a table has.
    pub fn transaction(&mut self, rows: &dyn Fn(usize) -> u64, statements: &mut Vec<Statement>) {
        statements.clear();
        let kind = self.spec.kind;
        let draw = &mut Draw { spec: &self.spec, tables: &self.tables, chance: &mut self.chance, rows };
        match kind {
            WorkloadKind::InsertFull => {
                statements.push(Statement::Insert { table: draw.table(), key: NewKey::Random });
            }
            WorkloadKind::ThreeSelects => {
                let kinds = [IndexKind::Primary, IndexKind::Unique, IndexKind::NonUnique];
                statements.extend(kinds.map(|kind| draw.select(kind)));
            }
            WorkloadKind::UniqueSelect => statements.push(draw.select(IndexKind::Unique)),
            WorkloadKind::NonUniqueSelect => statements.push(draw.select(IndexKind::NonUnique)),
            WorkloadKind::AnySelect => {
                let kinds = [IndexKind::Primary, IndexKind::Unique, IndexKind::NonUnique];
                let kind = kinds[draw.chance.below(3) as usize];
                statements.push(draw.select(kind));
            }
            WorkloadKind::TpcbLike => pgbench::transaction(draw, statements),
            // Queries are no statements on single rows: whoever runs the load asks a plan what they read.
            WorkloadKind::Tpch => {}
            WorkloadKind::OrderEntryLoad => self.loader.transaction(statements),
            _ if kind.is_order_entry() => self.orders.transaction(kind, draw.chance, rows, statements),
            _ => sysbench::transaction(kind, draw, statements),
        }
    }
}

/// What the statements of a transaction are drawn from.
pub(crate) struct Draw<'a> {
    spec: &'a WorkloadSpec,
    tables: &'a [TableShape],
    pub(crate) chance: &'a mut Chance,
    rows: &'a dyn Fn(usize) -> u64,
}

impl Draw<'_> {
    /// One of the tables.
    pub(crate) fn table(&mut self) -> usize {
        self.chance.below(self.tables.len() as u64) as usize
    }

    /// One of a table's rows.
    pub(crate) fn row(&mut self, table: usize) -> u64 {
        let searched = (((self.rows)(table) as f64 * self.spec.search_range) as u64).max(1);
        self.spec.keys.draw(searched, self.chance)
    }

    /// One of a table's rows, all alike.
    pub(crate) fn any_row(&mut self, table: usize) -> u64 {
        self.chance.below((self.rows)(table))
    }

    /// The number of a table's primary index.
    pub(crate) fn primary(&self, table: usize) -> usize {
        self.tables[table].index(IndexKind::Primary).unwrap_or(0)
    }

    /// The number of a table's first non-unique index.
    pub(crate) fn non_unique(&self, table: usize) -> Option<usize> {
        self.tables[table].index(IndexKind::NonUnique)
    }

    fn select(&mut self, kind: IndexKind) -> Statement {
        let table = self.table();
        let index = self.tables[table].index(kind).unwrap_or(0);
        Statement::Select { table, index, row: self.row(table) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes() -> Vec<TableShape> {
        let indexes = vec![IndexKind::Primary, IndexKind::Unique, IndexKind::NonUnique];
        (0..4)
            .map(|n| TableShape { name: format!("t{n}"), indexes: indexes.clone(), rows_to_load: 0 })
            .collect()
    }

    fn spec(kind: WorkloadKind) -> WorkloadSpec {
        WorkloadSpec { search_range: 0.25, ..WorkloadSpec::new(kind, 1) }
    }

    #[test]
    fn lookups_stay_within_the_search_range() {
        let mut operations = Operations::new(&spec(WorkloadKind::ThreeSelects), 1, 0, &shapes());
        let (mut seen, mut highest) = ([0; 3], 0);
        let mut statements = Vec::new();
        for _ in 0..3000 {
            operations.transaction(&|_| 1000, &mut statements);
            for statement in &statements {
                let Statement::Select { index, row, table } = *statement else { panic!("only lookups") };
                assert!(row < 250 && table < 4);
                seen[index] += 1;
                highest = highest.max(row);
            }
        }
        assert_eq!(seen, [3000; 3], "each transaction uses each index once");
        assert!(highest > 240);
    }

    #[test]
    fn a_transaction_has_the_statements_its_kind_promises() {
        for kind in [
            WorkloadKind::InsertFull,
            WorkloadKind::AnySelect,
            WorkloadKind::ReadOnly,
            WorkloadKind::ReadWrite,
            WorkloadKind::WriteOnly,
            WorkloadKind::UpdateIndex,
        ] {
            let mut statements = Vec::new();
            Operations::new(&spec(kind), 1, 0, &shapes()).transaction(&|_| 1000, &mut statements);
            assert_eq!(statements.len() as u32, kind.statements(), "{kind:?}");
            let writes = statements.iter().filter(|s| s.writes()).count();
            let expected = match kind {
                WorkloadKind::ReadWrite | WorkloadKind::WriteOnly => 4,
                WorkloadKind::InsertFull | WorkloadKind::UpdateIndex => 1,
                _ => 0,
            };
            assert_eq!(writes, expected, "{kind:?}");
        }
    }
}
