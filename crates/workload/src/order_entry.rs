//! TPC-C's order entry (Standard Specification 5.11, clause 2), as stored procedures without think times carry it out, and
//! single statements on its tables.
//!
//! Rows are numbered in the order of loading: by warehouse, district, and number within. Order lines follow their
//! orders, ten to an order on average; undelivered orders are the last 900 of each district's 3000.

use crate::{TableShape, WorkloadKind, WorkloadSpec};
use spindle_engine::{
    schema::IndexKind,
    statement::{NewKey, Statement},
};
use spindle_units::chance::{Chance, scatter};

const DISTRICTS: u64 = 10;
const CUSTOMERS: u64 = 3000;
const ORDERS: u64 = 3000;
const UNDELIVERED: u64 = 900;
const ITEMS: u64 = 100_000;
/// Customers of a district that share a last name: 3000 with 1000 names.
const NAMESAKES: u32 = 3;
/// Share of customers that have an order: 3000 orders drawn among 3000 customers, 1 - 1/e.
const HAS_ORDER: f64 = 0.632;
/// Lines of the twenty last orders, which stock level looks at.
const RECENT_LINES: u32 = 200;
/// Bytes of the columns that an update changes, about.
const CHANGED_BYTES: u32 = 12;

/// Tables by their numbers.
#[derive(Debug, Clone, Copy, Default)]
struct Tables {
    warehouse: usize,
    district: usize,
    customer: usize,
    history: usize,
    item: usize,
    stock: usize,
    orders: usize,
    new_order: usize,
    order_line: usize,
}

/// Names of the tables that order entry needs.
pub(crate) const NAMES: [&str; 9] =
    ["warehouse", "district", "customer", "history", "item", "stock", "orders", "new_order", "order_line"];

impl WorkloadKind {
    /// Whether it is TPC-C's order entry, or a statement on its tables.
    pub fn is_order_entry(self) -> bool {
        !self.tables().is_empty()
    }

    /// The table by whose rows the others are counted: a smaller world has fewer of them, and of everything else in
    /// proportion.
    pub fn counted_by(self) -> Option<&'static str> {
        match self {
            Self::TpcbLike => Some("pgbench_branches"),
            _ => self.is_order_entry().then_some("warehouse"),
        }
    }

    /// Whether a table is as large in a smaller world: the items are the same 100 000 for any number of warehouses, but for a
    /// load, of which they are to take their share of the time.
    pub fn keeps_whole(self, table: &str) -> bool {
        match self {
            Self::Tpch => ["region", "nation"].iter().any(|name| table.eq_ignore_ascii_case(name)),
            _ => self.is_order_entry() && !self.loads() && table.eq_ignore_ascii_case("item"),
        }
    }

    /// Names of the tables its statements are about; none where any table will do.
    pub fn tables(self) -> &'static [&'static str] {
        match self {
            Self::StockSelect | Self::StockUpdate => &["warehouse", "stock"],
            Self::OrderLineSelect | Self::OrderLineInsert | Self::OrderLineDelete => {
                &["warehouse", "order_line"]
            }
            Self::OrderEntry
            | Self::OrderEntryLoad
            | Self::NewOrder
            | Self::Payment
            | Self::OrderStatus
            | Self::Delivery
            | Self::StockLevel => &NAMES,
            _ => &[],
        }
    }
}

/// What a terminal knows: its warehouse, and which orders it has delivered.
#[derive(Debug, Clone)]
pub(crate) struct Orders {
    tables: Tables,
    /// The terminal's number, where each works for a warehouse of its own; a single one works for all.
    terminal: Option<u64>,
    warehouses: u64,
    order_lines: u64,
    /// Orders delivered so far in each district.
    delivered: Vec<u64>,
    /// The second index by customer's name and the last one by customer's orders.
    by_name: usize,
    by_customer: usize,
}

impl Orders {
    pub(crate) fn new(shapes: &[TableShape], client: u32, spec: &WorkloadSpec) -> Self {
        let number = |name: &str| shapes.iter().position(|shape| shape.name.eq_ignore_ascii_case(name));
        let find = |name| number(name).unwrap_or(0);
        let last_secondary = |table: usize| {
            shapes.get(table).map_or(0, |shape| {
                shape.indexes.iter().rposition(|kind| *kind != IndexKind::Primary).unwrap_or(0)
            })
        };
        let tables = Tables {
            warehouse: find("warehouse"),
            district: find("district"),
            customer: find("customer"),
            history: find("history"),
            item: find("item"),
            stock: find("stock"),
            orders: find("orders"),
            new_order: find("new_order"),
            order_line: find("order_line"),
        };
        Self {
            by_name: last_secondary(tables.customer),
            by_customer: last_secondary(tables.orders),
            tables,
            terminal: (!spec.any_warehouse && spec.clients > 1 && client < spec.clients)
                .then_some(u64::from(client)),
            warehouses: 0,
            order_lines: 0,
            delivered: Vec::new(),
        }
    }

    /// Puts the statements of a transaction into `statements`.
    pub(crate) fn transaction(
        &mut self,
        kind: WorkloadKind,
        chance: &mut Chance,
        rows: &dyn Fn(usize) -> u64,
        statements: &mut Vec<Statement>,
    ) {
        if self.warehouses == 0 {
            self.warehouses = rows(self.tables.warehouse).max(1);
            self.order_lines = rows(self.tables.order_line).max(1);
            self.delivered = vec![0; (self.warehouses * DISTRICTS) as usize];
        }
        let warehouse = match self.terminal {
            Some(terminal) => terminal % self.warehouses,
            None => chance.below(self.warehouses),
        };
        match kind {
            WorkloadKind::NewOrder => self.new_order(warehouse, chance, statements),
            WorkloadKind::Payment => self.payment(warehouse, chance, statements),
            WorkloadKind::OrderStatus => self.order_status(warehouse, chance, statements),
            WorkloadKind::Delivery => self.delivery(warehouse, chance, statements),
            WorkloadKind::StockLevel => self.stock_level(warehouse, chance, statements),
            WorkloadKind::OrderEntry => {
                let draw = chance.unit();
                if draw < 0.45 {
                    self.new_order(warehouse, chance, statements);
                } else if draw < 0.88 {
                    self.payment(warehouse, chance, statements);
                } else if draw < 0.92 {
                    self.order_status(warehouse, chance, statements);
                } else if draw < 0.96 {
                    self.delivery(warehouse, chance, statements);
                } else {
                    self.stock_level(warehouse, chance, statements);
                }
            }
            _ => statements.push(self.single(kind, chance)),
        }
    }

    /// One statement on STOCK or ORDER_LINE, in any warehouse.
    fn single(&self, kind: WorkloadKind, chance: &mut Chance) -> Statement {
        let Tables { stock, order_line, .. } = self.tables;
        let stock_row = self.warehouse(chance) * ITEMS + chance.below(ITEMS);
        let order = self.district(self.warehouse(chance), chance) * ORDERS + chance.below(ORDERS);
        let line = self.first_line(order);
        match kind {
            WorkloadKind::StockUpdate => update(stock, stock_row),
            WorkloadKind::OrderLineSelect => select(order_line, line),
            WorkloadKind::OrderLineInsert => {
                Statement::Insert { table: order_line, key: NewKey::After(line + chance.below(5)) }
            }
            WorkloadKind::OrderLineDelete => {
                Statement::Delete { table: order_line, row: self.bounded_line(line + chance.below(5)) }
            }
            _ => select(stock, stock_row),
        }
    }

    fn warehouse(&self, chance: &mut Chance) -> u64 {
        chance.below(self.warehouses)
    }

    /// A district of a warehouse, by its number among all districts.
    fn district(&self, warehouse: u64, chance: &mut Chance) -> u64 {
        warehouse * DISTRICTS + chance.below(DISTRICTS)
    }

    /// The first line of an order.
    fn first_line(&self, order: u64) -> u64 {
        let orders = (self.warehouses * DISTRICTS * ORDERS).max(1);
        (u128::from(order) * u128::from(self.order_lines) / u128::from(orders)) as u64
    }

    fn bounded_line(&self, line: u64) -> u64 {
        line.min(self.order_lines - 1)
    }

    /// Clause 2.4: five to fifteen lines, one in a hundred from another warehouse.
    fn new_order(&self, warehouse: u64, chance: &mut Chance, out: &mut Vec<Statement>) {
        let t = &self.tables;
        let district = self.district(warehouse, chance);
        let last_order = district * ORDERS + ORDERS - 1;
        out.push(select(t.warehouse, warehouse));
        out.push(select(t.customer, district * CUSTOMERS + chance.below(CUSTOMERS)));
        out.push(update(t.district, district));
        out.push(insert_after(t.orders, last_order));
        out.push(insert_after(t.new_order, district * UNDELIVERED + UNDELIVERED - 1));
        let lines = 5 + chance.below(11);
        let last_line = self.first_line(last_order + 1).saturating_sub(1);
        for _ in 0..lines {
            let item = chance.below(ITEMS);
            let supplier = if chance.unit() < 0.01 { self.warehouse(chance) } else { warehouse };
            out.push(select(t.item, item));
            out.push(select(t.stock, supplier * ITEMS + item));
            out.push(update(t.stock, supplier * ITEMS + item));
            out.push(insert_after(t.order_line, last_line));
        }
    }

    /// Clause 2.5: six in ten customers are found by their last name, fifteen in a hundred live elsewhere.
    fn payment(&self, warehouse: u64, chance: &mut Chance, out: &mut Vec<Statement>) {
        let t = &self.tables;
        let within = chance.below(DISTRICTS);
        let home = if chance.unit() < 0.15 { self.warehouse(chance) } else { warehouse };
        let customer = (home * DISTRICTS + within) * CUSTOMERS + chance.below(CUSTOMERS);
        out.push(update(t.warehouse, warehouse));
        out.push(update(t.district, warehouse * DISTRICTS + within));
        if chance.unit() < 0.6 {
            let index = self.by_name;
            out.push(Statement::Range { table: t.customer, index, row: customer, rows: NAMESAKES });
        }
        out.push(update(t.customer, customer));
        out.push(Statement::Insert { table: t.history, key: NewKey::Random });
    }

    /// Clause 2.6: a customer and the lines of the last order.
    fn order_status(&self, warehouse: u64, chance: &mut Chance, out: &mut Vec<Statement>) {
        let t = &self.tables;
        let district = self.district(warehouse, chance);
        let order = district * ORDERS + chance.below(ORDERS);
        out.push(select(t.customer, district * CUSTOMERS + chance.below(CUSTOMERS)));
        out.push(Statement::Select { table: t.orders, index: self.by_customer, row: order });
        if chance.unit() < HAS_ORDER {
            out.push(self.lines(order, chance));
        }
    }

    fn lines(&self, order: u64, chance: &mut Chance) -> Statement {
        let rows = 5 + chance.below(11) as u32;
        Statement::Range { table: self.tables.order_line, index: 0, row: self.first_line(order), rows }
    }

    /// Clause 2.7: the oldest undelivered order of each district.
    fn delivery(&mut self, warehouse: u64, chance: &mut Chance, out: &mut Vec<Statement>) {
        for within in 0..DISTRICTS {
            let t = &self.tables;
            let district = warehouse * DISTRICTS + within;
            let next = &mut self.delivered[district as usize];
            let oldest = *next % UNDELIVERED;
            *next += 1;
            let order = district * ORDERS + ORDERS - UNDELIVERED + oldest;
            let waiting = district * UNDELIVERED + oldest;
            out.push(select(t.new_order, waiting));
            out.push(Statement::Delete { table: t.new_order, row: waiting });
            out.push(update(t.orders, order));
            out.push(select(t.orders, order));
            let rows = 5 + chance.below(11) as u32;
            let (table, row) = (t.order_line, self.first_line(order));
            out.push(Statement::UpdateRange { table, row, rows, bytes: CHANGED_BYTES });
            out.push(Statement::Range { table, index: 0, row, rows });
            out.push(update(t.customer, district * CUSTOMERS + chance.below(CUSTOMERS)));
        }
    }

    /// Clause 2.8: how many items of a district's last orders are low in stock.
    fn stock_level(&self, warehouse: u64, chance: &mut Chance, out: &mut Vec<Statement>) {
        let t = &self.tables;
        let district = self.district(warehouse, chance);
        let end = self.first_line((district + 1) * ORDERS);
        let row = end.saturating_sub(u64::from(RECENT_LINES));
        out.push(select(t.district, district));
        out.push(Statement::Range { table: t.order_line, index: 0, row, rows: RECENT_LINES });
        // The same lines have the same items whenever they are looked at.
        for line in row..end {
            out.push(select(t.stock, warehouse * ITEMS + scatter(line) % ITEMS));
        }
    }
}

fn select(table: usize, row: u64) -> Statement {
    Statement::Select { table, index: 0, row }
}

fn update(table: usize, row: u64) -> Statement {
    Statement::Update { table, row, index: None, bytes: CHANGED_BYTES }
}

fn insert_after(table: usize, row: u64) -> Statement {
    Statement::Insert { table, key: NewKey::After(row) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes() -> Vec<TableShape> {
        let indexes = |name: &str| match name {
            "history" => vec![],
            "customer" | "stock" => vec![IndexKind::Primary, IndexKind::NonUnique],
            "orders" => vec![IndexKind::Primary, IndexKind::NonUnique, IndexKind::NonUnique],
            _ => vec![IndexKind::Primary],
        };
        NAMES
            .iter()
            .map(|name| TableShape { name: (*name).into(), indexes: indexes(name), rows_to_load: 0 })
            .collect()
    }

    fn spec(clients: u32) -> WorkloadSpec {
        WorkloadSpec::new(WorkloadKind::OrderEntry, clients)
    }

    fn rows(table: usize) -> u64 {
        [4, 40, 120_000, 120_000, 100_000, 400_000, 120_000, 36_000, 1_200_000][table]
    }

    #[test]
    fn every_row_asked_for_is_there() {
        let mut orders = Orders::new(&shapes(), 0, &spec(1));
        let (mut chance, mut statements) = (Chance::new(1, 0), Vec::new());
        for _ in 0..3000 {
            statements.clear();
            orders.transaction(WorkloadKind::OrderEntry, &mut chance, &rows, &mut statements);
            for statement in &statements {
                let table = statement.table();
                let last = match *statement {
                    Statement::Select { row, .. }
                    | Statement::Update { row, .. }
                    | Statement::Delete { row, .. }
                    | Statement::Insert { key: NewKey::After(row), .. } => row,
                    Statement::Range { row, .. } | Statement::UpdateRange { row, .. } => row,
                    _ => 0,
                };
                assert!(last < rows(table), "{statement:?}");
            }
        }
    }

    #[test]
    fn a_terminal_of_several_has_its_own_warehouse() {
        let mut orders = Orders::new(&shapes(), 2, &spec(20));
        let (mut chance, mut statements) = (Chance::new(1, 0), Vec::new());
        for _ in 0..50 {
            statements.clear();
            orders.transaction(WorkloadKind::Payment, &mut chance, &rows, &mut statements);
            assert_eq!(statements[0], update(0, 2));
        }
    }

    #[test]
    fn a_terminal_that_serves_any_warehouse_draws_one_for_each_transaction() {
        let spec = WorkloadSpec { any_warehouse: true, ..spec(20) };
        let mut orders = Orders::new(&shapes(), 2, &spec);
        let (mut chance, mut statements) = (Chance::new(1, 0), Vec::new());
        let mut served = [false; 4];
        for _ in 0..50 {
            statements.clear();
            orders.transaction(WorkloadKind::Payment, &mut chance, &rows, &mut statements);
            let Statement::Update { row, .. } = statements[0] else { panic!("{statements:?}") };
            served[row as usize] = true;
        }
        assert_eq!(served, [true; 4]);
    }

    #[test]
    fn deliveries_take_one_order_after_the_other() {
        let mut orders = Orders::new(&shapes(), 0, &spec(4));
        let (mut chance, mut seen) = (Chance::new(1, 0), Vec::new());
        for _ in 0..3 {
            let mut statements = Vec::new();
            orders.transaction(WorkloadKind::Delivery, &mut chance, &rows, &mut statements);
            let Some(Statement::Delete { row, .. }) =
                statements.iter().find(|s| matches!(s, Statement::Delete { .. }))
            else {
                panic!("a delivery deletes a waiting order")
            };
            seen.push(*row);
        }
        assert_eq!(seen, [0, 1, 2]);
    }
}
