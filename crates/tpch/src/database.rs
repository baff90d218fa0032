//! The data of TPC-H at a scale, as columns: what `dbgen` would have written, made by the `tpchgen` crate.
//!
//! Keys are counted from 0, so that a key of a table is the number of its row; money is in cents, shares in hundredths,
//! dates are days since 1992-01-01. Only columns that somebody asks for are made.

use crate::{
    columns::{Column, TableName},
    order::IndexOrder,
    text::like,
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::LazyLock,
};
use tpchgen::{
    distribution::Distributions,
    generators::{
        Customer, CustomerGenerator, LineItem, LineItemGenerator, Nation, NationGenerator, Order,
        OrderGenerator, Part, PartGenerator, PartSupp, PartSuppGenerator, Region, RegionGenerator, Supplier,
        SupplierGenerator,
    },
    text::TextPool,
};

/// Bytes of text that comments are cut from. `dbgen` has 300 MiB of it; a smaller pool changes which comments there are,
/// and hardly how many of them are like a pattern.
const TEXT_BYTES: i32 = 4 << 20;
static TEXTS: LazyLock<TextPool> =
    LazyLock::new(|| TextPool::new(TEXT_BYTES, Distributions::static_default()));

/// The least scale, where each table has a few rows.
const SCALE_MIN: f64 = 0.001;

/// What is kept of a column.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Feature {
    /// Its values; of text, a number for each different one, in the order of their appearance.
    Value(Column),
    /// Whether it is one of these words.
    IsOneOf(Column, Vec<String>),
    /// Whether it is like a pattern.
    IsLike(Column, String),
}

impl Feature {
    fn column(&self) -> Column {
        match self {
            Self::Value(column) | Self::IsOneOf(column, _) | Self::IsLike(column, _) => *column,
        }
    }
}

/// Values of a feature by rows.
pub(crate) type Values = Rc<Vec<u32>>;

/// A value as the generator hands it out.
enum Datum<'a> {
    Number(i64),
    Text(&'a str),
}

/// The data at a scale. Columns and indexes are made when they are first asked for.
#[derive(Debug)]
pub struct Database {
    scale: f64,
    values: RefCell<BTreeMap<Feature, Values>>,
    orders: RefCell<BTreeMap<(TableName, usize), Rc<IndexOrder>>>,
}

impl Database {
    /// The data at `scale`: 1 has some six million rows in `lineitem`. The least is 0.001, where each table has a few.
    pub fn new(scale: f64) -> Self {
        Self { scale: scale.max(SCALE_MIN), values: RefCell::default(), orders: RefCell::default() }
    }

    /// Whether it is the data at `scale`.
    pub fn is_at(&self, scale: f64) -> bool {
        self.scale == scale.max(SCALE_MIN)
    }

    /// Rows of a table.
    pub fn rows(&self, table: TableName) -> u32 {
        self.order(table, 0).len()
    }

    /// Makes what is not there yet of these features.
    pub(crate) fn prepare(&self, wanted: &BTreeSet<Feature>) {
        for table in TableName::ALL {
            let missing: Vec<Feature> = {
                let values = self.values.borrow();
                let of_table = wanted.iter().filter(|feature| feature.column().table() == table);
                of_table.filter(|feature| !values.contains_key(*feature)).cloned().collect()
            };
            if !missing.is_empty() {
                let made = self.generate(table, &missing);
                let made = missing.into_iter().zip(made).map(|(feature, values)| (feature, Rc::new(values)));
                self.values.borrow_mut().extend(made);
            }
        }
    }

    /// The values of a feature.
    pub(crate) fn values(&self, feature: &Feature) -> Values {
        if !self.values.borrow().contains_key(feature) {
            self.prepare(&BTreeSet::from([feature.clone()]));
        }
        self.values.borrow().get(feature).map(Rc::clone).unwrap_or_default()
    }

    /// The order of an index, by its number in [`TableName::indexes`].
    pub(crate) fn order(&self, table: TableName, index: usize) -> Rc<IndexOrder> {
        if let Some(order) = self.orders.borrow().get(&(table, index)) {
            return Rc::clone(order);
        }
        let key = &table.indexes()[index];
        let columns = [Some(key.first), key.second].into_iter().flatten().map(Feature::Value);
        self.prepare(&columns.collect());
        let first = self.values(&Feature::Value(key.first));
        let second = key.second.map(|column| self.values(&Feature::Value(column)));
        let order = Rc::new(IndexOrder::new(&first, second.as_deref().map(Vec::as_slice)));
        self.orders.borrow_mut().insert((table, index), Rc::clone(&order));
        order
    }

    fn generate(&self, table: TableName, features: &[Feature]) -> Vec<Vec<u32>> {
        let words = Distributions::static_default();
        let texts = &*TEXTS;
        let scale = self.scale;
        let mut table_of = Collector::new(features);
        match table {
            TableName::Region => {
                let rows = RegionGenerator::new_with_distributions_and_text_pool(words, texts);
                rows.iter().for_each(|row| table_of.add(|column| region(&row, column)));
            }
            TableName::Nation => {
                let rows = NationGenerator::new_with_distributions_and_text_pool(words, texts);
                rows.iter().for_each(|row| table_of.add(|column| nation(&row, column)));
            }
            TableName::Supplier => {
                let rows = SupplierGenerator::new_with_distributions_and_text_pool(scale, 1, 1, words, texts);
                rows.iter().for_each(|row| table_of.add(|column| supplier(&row, column)));
            }
            TableName::Part => {
                let rows = PartGenerator::new_with_distributions_and_text_pool(scale, 1, 1, words, texts);
                let named = features.iter().any(|feature| feature.column() == Column::PName);
                rows.iter().for_each(|row| {
                    let name = if named { row.p_name.to_string() } else { String::new() };
                    let brand = row.p_brand.to_string();
                    let maker = row.p_mfgr.to_string();
                    table_of.add(|column| part(&row, [&name, &brand, &maker], column));
                });
            }
            TableName::Partsupp => {
                let rows = PartSuppGenerator::new_with_text_pool(scale, 1, 1, texts);
                let mut rows: Vec<PartSupp<'_>> = rows.iter().collect();
                // The primary key's order, which is not that in which suppliers of a part are drawn.
                rows.sort_by_key(|row| (row.ps_partkey, row.ps_suppkey));
                rows.iter().for_each(|row| table_of.add(|column| partsupp(row, column)));
            }
            TableName::Customer => {
                let rows = CustomerGenerator::new_with_distributions_and_text_pool(scale, 1, 1, words, texts);
                rows.iter().for_each(|row| {
                    let phone = row.c_phone.to_string();
                    table_of.add(|column| customer(&row, &phone, column));
                });
            }
            TableName::Orders => {
                let rows = OrderGenerator::new_with_distributions_and_text_pool(scale, 1, 1, words, texts);
                for (number, row) in (0..).zip(rows.iter()) {
                    table_of.add(|column| order(&row, number, column));
                }
            }
            TableName::Lineitem => {
                let rows = LineItemGenerator::new_with_distributions_and_text_pool(scale, 1, 1, words, texts);
                let (mut number, mut last) = (-1, None);
                for row in rows.iter() {
                    if last.replace(row.l_orderkey) != Some(row.l_orderkey) {
                        number += 1;
                    }
                    table_of.add(|column| lineitem(&row, number, column));
                }
            }
        }
        table_of.values
    }
}

/// Gathers features row by row.
struct Collector<'a> {
    features: &'a [Feature],
    values: Vec<Vec<u32>>,
    /// Numbers of the texts of each feature that keeps them.
    texts: Vec<BTreeMap<String, u32>>,
}

impl<'a> Collector<'a> {
    fn new(features: &'a [Feature]) -> Self {
        Self {
            features,
            values: vec![Vec::new(); features.len()],
            texts: vec![BTreeMap::new(); features.len()],
        }
    }

    fn add<'b>(&mut self, of: impl Fn(Column) -> Datum<'b>) {
        for ((feature, values), texts) in self.features.iter().zip(&mut self.values).zip(&mut self.texts) {
            let value = match (feature, of(feature.column())) {
                (Feature::Value(_), Datum::Number(number)) => u32::try_from(number).unwrap_or(0),
                (Feature::Value(_), Datum::Text(text)) => match texts.get(text) {
                    Some(number) => *number,
                    None => {
                        let number = texts.len() as u32;
                        texts.insert(text.to_owned(), number);
                        number
                    }
                },
                (Feature::IsOneOf(_, words), Datum::Text(text)) => {
                    u32::from(words.iter().any(|word| word == text))
                }
                (Feature::IsLike(_, pattern), Datum::Text(text)) => u32::from(like(text, pattern)),
                (Feature::IsOneOf(..) | Feature::IsLike(..), Datum::Number(_)) => 0,
            };
            values.push(value);
        }
    }
}

fn region<'a>(row: &Region<'a>, column: Column) -> Datum<'a> {
    match column {
        Column::RName => Datum::Text(row.r_name),
        _ => Datum::Number(row.r_regionkey),
    }
}

fn nation<'a>(row: &Nation<'a>, column: Column) -> Datum<'a> {
    match column {
        Column::NName => Datum::Text(row.n_name),
        Column::NRegionkey => Datum::Number(row.n_regionkey),
        _ => Datum::Number(row.n_nationkey),
    }
}

/// Balances may be below zero, down to -999.99; columns hold them above it.
pub(crate) const BALANCE_ZERO: i64 = 100_000;

fn supplier(row: &Supplier, column: Column) -> Datum<'_> {
    match column {
        Column::SNationkey => Datum::Number(row.s_nationkey),
        Column::SAcctbal => Datum::Number(row.s_acctbal.into_inner() + BALANCE_ZERO),
        Column::SComment => Datum::Text(&row.s_comment),
        _ => Datum::Number(row.s_suppkey - 1),
    }
}

fn part<'a>(row: &Part<'a>, [name, brand, maker]: [&'a str; 3], column: Column) -> Datum<'a> {
    match column {
        Column::PName => Datum::Text(name),
        Column::PMfgr => Datum::Text(maker),
        Column::PBrand => Datum::Text(brand),
        Column::PType => Datum::Text(row.p_type),
        Column::PSize => Datum::Number(row.p_size.into()),
        Column::PContainer => Datum::Text(row.p_container),
        _ => Datum::Number(row.p_partkey - 1),
    }
}

fn partsupp<'a>(row: &PartSupp<'a>, column: Column) -> Datum<'a> {
    match column {
        Column::PsSuppkey => Datum::Number(row.ps_suppkey - 1),
        Column::PsAvailqty => Datum::Number(row.ps_availqty.into()),
        Column::PsSupplycost => Datum::Number(row.ps_supplycost.into_inner()),
        _ => Datum::Number(row.ps_partkey - 1),
    }
}

fn customer<'a>(row: &Customer<'a>, phone: &'a str, column: Column) -> Datum<'a> {
    match column {
        Column::CNationkey => Datum::Number(row.c_nationkey),
        Column::CPhone => Datum::Text(phone),
        Column::CAcctbal => Datum::Number(row.c_acctbal.into_inner() + BALANCE_ZERO),
        Column::CMktsegment => Datum::Text(row.c_mktsegment),
        _ => Datum::Number(row.c_custkey - 1),
    }
}

fn order<'a>(row: &Order<'a>, number: i64, column: Column) -> Datum<'a> {
    match column {
        Column::OCustkey => Datum::Number(row.o_custkey - 1),
        Column::OOrderstatus => Datum::Text(row.o_orderstatus.as_str()),
        Column::OTotalprice => Datum::Number(row.o_totalprice.into_inner()),
        Column::OOrderdate => Datum::Number(row.o_orderdate.into_inner().into()),
        Column::OOrderpriority => Datum::Text(row.o_orderpriority),
        Column::OComment => Datum::Text(row.o_comment),
        _ => Datum::Number(number),
    }
}

fn lineitem<'a>(row: &LineItem<'a>, order: i64, column: Column) -> Datum<'a> {
    match column {
        Column::LPartkey => Datum::Number(row.l_partkey - 1),
        Column::LSuppkey => Datum::Number(row.l_suppkey - 1),
        Column::LQuantity => Datum::Number(row.l_quantity),
        Column::LExtendedprice => Datum::Number(row.l_extendedprice.into_inner()),
        Column::LDiscount => Datum::Number(row.l_discount.into_inner()),
        Column::LTax => Datum::Number(row.l_tax.into_inner()),
        Column::LReturnflag => Datum::Text(row.l_returnflag),
        Column::LLinestatus => Datum::Text(row.l_linestatus),
        Column::LShipdate => Datum::Number(row.l_shipdate.into_inner().into()),
        Column::LCommitdate => Datum::Number(row.l_commitdate.into_inner().into()),
        Column::LReceiptdate => Datum::Number(row.l_receiptdate.into_inner().into()),
        Column::LShipinstruct => Datum::Text(row.l_shipinstruct),
        Column::LShipmode => Datum::Text(row.l_shipmode),
        _ => Datum::Number(order),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_the_rows_of_the_specification() {
        let database = Database::new(0.01);
        let rows = |table| database.rows(table);
        assert_eq!(rows(TableName::Nation), 25);
        assert_eq!(rows(TableName::Supplier), 100);
        assert_eq!(rows(TableName::Partsupp), 8000);
        assert_eq!(rows(TableName::Orders), 15_000);
        // `dbgen -s 0.01` writes 60 175.
        assert_eq!(rows(TableName::Lineitem), 60_175);
    }

    #[test]
    fn a_third_of_the_customers_has_no_orders() {
        let database = Database::new(0.01);
        let by_customer = database.order(TableName::Orders, 1);
        let without = (0..1500).filter(|key| by_customer.entries(f64::from(*key), None).1 == 0).count();
        assert!((500..510).contains(&without), "{without}");
    }

    #[test]
    fn lines_follow_their_orders() {
        let database = Database::new(0.01);
        let lines = database.order(TableName::Lineitem, 0);
        let counts: Vec<u32> = (0..15_000).map(|order| lines.entries(f64::from(order), None).1).collect();
        assert!(counts.iter().all(|count| (1..=7).contains(count)));
    }
}
