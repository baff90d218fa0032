//! Which node of a cluster has which rows.

use crate::{
    columns::{Column, TableName},
    database::{Database, Feature},
    order::IndexOrder,
};
use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

/// Rows of tables over the nodes of a cluster: a distributed table's row lies on the node of its column's hash, a replicated
/// table lies whole on each.
#[derive(Debug)]
pub struct Placement {
    nodes: u32,
    columns: BTreeMap<TableName, Column>,
    /// The node of each row, and the row's place among those of its node.
    places: RefCell<BTreeMap<TableName, Rc<Rows>>>,
    orders: RefCell<BTreeMap<(TableName, usize), NodeOrders>>,
}

/// The order of an index on each node.
pub(crate) type NodeOrders = Rc<Vec<Rc<IndexOrder>>>;

/// Where the rows of a distributed table are.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The node of each row.
    nodes: Vec<u32>,
    /// Its place among the rows of that node.
    pub(crate) places: Vec<u32>,
    /// Rows of each node.
    counts: Vec<u32>,
}

impl Placement {
    /// `nodes` nodes, and the columns by which tables are distributed; all other tables are replicated.
    pub fn new(nodes: u32, columns: BTreeMap<TableName, Column>) -> Self {
        Self { nodes: nodes.max(1), columns, places: RefCell::default(), orders: RefCell::default() }
    }

    /// As the article of the card postgres-xl-2015 has it.
    #[cfg(test)]
    pub(crate) fn of_article(nodes: u32) -> Self {
        let columns = [
            (TableName::Lineitem, Column::LOrderkey),
            (TableName::Orders, Column::OOrderkey),
            (TableName::Part, Column::PPartkey),
            (TableName::Partsupp, Column::PsPartkey),
        ];
        Self::new(nodes, BTreeMap::from(columns))
    }

    /// Nodes.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The node that a value belongs to.
    pub(crate) fn node_of(&self, value: f64) -> u32 {
        hash_of_integer(value as i64 as u32) % self.nodes
    }

    /// Where the rows of a table are; none where it is replicated.
    pub(crate) fn rows(&self, database: &Database, table: TableName) -> Option<Rc<Rows>> {
        let column = *self.columns.get(&table)?;
        if let Some(known) = self.places.borrow().get(&table) {
            return Some(Rc::clone(known));
        }
        let values = database.values(&Feature::Value(column));
        let mut rows = Rows { nodes: Vec::new(), places: Vec::new(), counts: vec![0; self.nodes as usize] };
        for value in values.iter() {
            let node = self.node_of(f64::from(*value));
            let count = &mut rows.counts[node as usize];
            rows.nodes.push(node);
            rows.places.push(*count);
            *count += 1;
        }
        let rows = Rc::new(rows);
        self.places.borrow_mut().insert(table, Rc::clone(&rows));
        Some(rows)
    }

    /// The order of an index on each node; of a replicated table it is the same on all and stands once.
    pub(crate) fn orders(&self, database: &Database, table: TableName, index: usize) -> NodeOrders {
        if let Some(known) = self.orders.borrow().get(&(table, index)) {
            return Rc::clone(known);
        }
        let whole = database.order(table, index);
        let orders = match self.rows(database, table) {
            None => vec![whole],
            Some(rows) => {
                let of = |node| whole.among(|row| rows.nodes[row as usize] == node);
                (0..self.nodes).map(|node| Rc::new(of(node))).collect()
            }
        };
        let orders = Rc::new(orders);
        self.orders.borrow_mut().insert((table, index), Rc::clone(&orders));
        orders
    }

    /// The node with the most lines: it is the last to be done.
    pub fn fullest(&self, database: &Database) -> u32 {
        let Some(rows) = self.rows(database, TableName::Lineitem) else { return 0 };
        let most = rows.counts.iter().max();
        rows.counts.iter().position(|count| Some(count) == most).unwrap_or(0) as u32
    }

    /// The share of a table's rows that lies on a node.
    pub fn share(&self, database: &Database, table: TableName, node: u32) -> f64 {
        let Some(rows) = self.rows(database, table) else { return 1.0 };
        let all: u32 = rows.counts.iter().sum();
        f64::from(rows.counts[node as usize]) / f64::from(all.max(1))
    }
}

/// The hash by which PostgreSQL, and so the cluster, spreads integers (`hash_uint32`; Jenkins' final mix).
fn hash_of_integer(key: u32) -> u32 {
    const SEED: u32 = 0x9e37_79b9_u32.wrapping_add(4).wrapping_add(3_923_095);
    let (mut a, mut b, mut c) = (SEED.wrapping_add(key), SEED, SEED);
    let mix = |x: &mut u32, y: u32, by: u32| *x = (*x ^ y).wrapping_sub(y.rotate_left(by));
    mix(&mut c, b, 14);
    mix(&mut a, c, 11);
    mix(&mut b, a, 25);
    mix(&mut c, b, 16);
    mix(&mut a, c, 4);
    mix(&mut b, a, 14);
    mix(&mut c, b, 24);
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `SELECT hashint4(n)` on PostgreSQL.
    #[test]
    fn integers_have_the_hash_of_postgresql() {
        assert_eq!(hash_of_integer(1) as i32, -1_905_060_026);
        assert_eq!(hash_of_integer(2) as i32, 1_134_484_726);
    }

    #[test]
    fn every_row_lies_on_one_node_and_joins_by_the_key_stay_there() {
        let database = Database::new(0.01);
        let placement = Placement::of_article(4);
        let orders = placement.orders(&database, TableName::Orders, 0);
        let lines = placement.orders(&database, TableName::Lineitem, 0);
        assert_eq!(orders.iter().map(|order| order.len()).sum::<u32>(), 15_000);
        for node in 0..4 {
            for entry in 0..orders[node].len() {
                let key = f64::from(orders[node].row(entry));
                assert!(lines[node].entries(key, None).1 > 0, "order {key} has its lines on node {node}");
            }
        }
        let shares: f64 = (0..4).map(|node| placement.share(&database, TableName::Lineitem, node)).sum();
        assert!((shares - 1.0).abs() < 1e-9);
        assert_eq!(placement.orders(&database, TableName::Customer, 0).len(), 1, "replicated");
    }
}
