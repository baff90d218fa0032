//! The tables that were measured, as `setup.json` describes them.

use spindle_engine::{
    schema::{Column, FILL_DEFAULT, Index, IndexKind, Schema},
    tree::InsertOrder,
};
use spindle_scenario::Table;

fn column(name: &str, kind: &str, average_bytes: Option<f64>) -> Option<Column> {
    Some(Column {
        name: name.into(),
        kind: kind.parse().ok()?,
        nullable: false,
        average_bytes,
        distinct: None,
    })
}

/// A column of pgbench's tables that is null in every row.
fn null(name: &str, kind: &str) -> Option<Column> {
    Some(Column { nullable: true, ..column(name, kind, Some(0.0))? })
}

fn index(name: &str, kind: IndexKind, columns: &[&str]) -> Index {
    Index::new(name, kind, columns.iter().map(ToString::to_string).collect())
}

/// The table of that name in the sizing cells, its rows arriving in `order`.
pub(super) fn named(name: &str, order: InsertOrder) -> Option<Schema> {
    match name {
        "sysbench_sbtest" => sysbench(order),
        "seed1_tbl_200" => article(),
        "tpch_lineitem" => lineitem(),
        _ => None,
    }
}

/// sysbench's table; `k` is a random number, so that its index fills in random order unless it is built later.
fn sysbench(order: InsertOrder) -> Option<Schema> {
    let columns = [
        column("id", "int", None),
        column("k", "int", None),
        column("c", "char(120)", None),
        column("pad", "char(60)", None),
    ];
    let by_k = if order == InsertOrder::SortedBuild { order } else { InsertOrder::Random };
    let secondary =
        Index { order: Some(by_k), scattered: true, ..index("k_1", IndexKind::NonUnique, &["k"]) };
    Some(Schema {
        columns: columns.into_iter().collect::<Option<_>>()?,
        indexes: vec![index("sb_pkey", IndexKind::Primary, &["id"]), secondary],
    })
}

/// The article's table with this measurement's values: identifiers of full length. Lengths are read off the tuples of
/// the indexes (40, 87 and 48 bytes) and of the heap (422), which are averages over the data and the same at all sizes.
fn article() -> Option<Schema> {
    let columns = [
        column("id", "varchar(20)", Some(20.0)),
        column("seq", "int", None),
        column("col3", "varchar(16)", Some(16.0)),
        column("col4", "varchar(5)", Some(5.0)),
        column("col5", "varchar(50)", Some(30.0)),
        column("col6", "varchar(1000)", Some(148.0)),
        column("col7", "varchar(300)", Some(60.0)),
        column("col8", "varchar(150)", Some(42.0)),
        column("col9", "timestamp", None),
        column("col10", "smallint", None),
        column("col11", "timestamp", None),
        column("col12", "varchar(15)", Some(15.0)),
        column("col13", "char(1)", None),
        column("col14", "char(1)", None),
        column("col15", "timestamp", None),
    ];
    Some(Schema {
        columns: columns.into_iter().collect::<Option<_>>()?,
        indexes: vec![
            index("t200_pkey", IndexKind::Primary, &["id", "seq"]),
            index("iuk_tbl", IndexKind::Unique, &["id", "col3", "col4", "col5"]),
            index("ind1_200", IndexKind::NonUnique, &["id", "col9", "col14"]),
        ],
    })
}

/// TPC-H's lineitem with bigint keys. A numeric of up to four digits takes 4 bytes, prices 6 or 8; discount and tax
/// are 0 in one row of eleven and of nine, which takes 2.
fn lineitem() -> Option<Schema> {
    let columns = [
        column("l_orderkey", "bigint", None),
        column("l_partkey", "bigint", None),
        column("l_suppkey", "bigint", None),
        column("l_linenumber", "int", None),
        column("l_quantity", "decimal(15,2)", Some(4.0)),
        column("l_extendedprice", "decimal(15,2)", Some(7.3)),
        column("l_discount", "decimal(15,2)", Some(3.8)),
        column("l_tax", "decimal(15,2)", Some(3.8)),
        column("l_returnflag", "char(1)", None),
        column("l_linestatus", "char(1)", None),
        column("l_shipdate", "date", None),
        column("l_commitdate", "date", None),
        column("l_receiptdate", "date", None),
        column("l_shipinstruct", "char(25)", None),
        column("l_shipmode", "char(10)", None),
        // The generator's comments, 10 to 43 characters.
        column("l_comment", "varchar(44)", Some(26.0)),
    ];
    Some(Schema {
        columns: columns.into_iter().collect::<Option<_>>()?,
        indexes: vec![index("li_pkey", IndexKind::Primary, &["l_orderkey", "l_linenumber"])],
    })
}

/// pgbench's scale factor.
const SCALE: u64 = 80;

fn table(name: &str, rows: u64, columns: &[Option<Column>], primary: Option<&str>) -> Option<Table> {
    Some(Table {
        name: name.into(),
        count: 1,
        rows,
        // `pgbench -i` loads in the order of keys and adds the primary keys afterwards.
        order: InsertOrder::SortedBuild,
        fill: FILL_DEFAULT,
        rows_per_commit: None,
        columns: columns.iter().cloned().collect::<Option<_>>()?,
        indexes: primary.map(|key| index("pkey", IndexKind::Primary, &[key])).into_iter().collect(),
    })
}

/// pgbench's table of accounts.
pub(super) fn accounts() -> Option<Table> {
    let columns = [
        column("aid", "int", None),
        column("bid", "int", None),
        column("abalance", "int", None),
        column("filler", "char(84)", None),
    ];
    table("pgbench_accounts", 100_000 * SCALE, &columns, Some("aid"))
}

/// All of pgbench's tables: accounts, tellers, branches, history. Fillers but for those of accounts are null.
pub(super) fn pgbench() -> Option<Vec<Table>> {
    let tellers = [
        column("tid", "int", None),
        column("bid", "int", None),
        column("tbalance", "int", None),
        null("filler", "char(84)"),
    ];
    let branches = [column("bid", "int", None), column("bbalance", "int", None), null("filler", "char(88)")];
    let history = [
        column("tid", "int", None),
        column("bid", "int", None),
        column("aid", "int", None),
        column("delta", "int", None),
        column("mtime", "timestamp", None),
        null("filler", "char(22)"),
    ];
    Some(vec![
        accounts()?,
        table("pgbench_tellers", 10 * SCALE, &tellers, Some("tid"))?,
        table("pgbench_branches", SCALE, &branches, Some("bid"))?,
        table("pgbench_history", 1, &history, None)?,
    ])
}
