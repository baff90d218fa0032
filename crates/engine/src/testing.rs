//! What several tests need.

use crate::schema::{Column, Index, IndexKind, Schema};

/// Asserts that a figure is within 2 % of what was measured.
pub(crate) fn close(model: f64, truth: f64) {
    assert!((model / truth - 1.0).abs() < 0.02, "{model} against {truth}");
}

/// The table of the CUBRID and MySQL article.
pub(crate) fn article_schema() -> Schema {
    let column = |name: &str, kind: &str, nullable| Column {
        name: name.into(),
        kind: kind.parse().unwrap(),
        nullable,
        average_bytes: None,
        distinct: None,
    };
    let index = |name: &str, kind, columns: &[&str]| {
        Index::new(name, kind, columns.iter().map(ToString::to_string).collect())
    };
    Schema {
        columns: vec![
            column("id", "varchar(20)", false),
            column("seq", "int", false),
            column("col3", "varchar(16)", false),
            column("col4", "varchar(5)", false),
            column("col5", "varchar(50)", false),
            column("col6", "varchar(1000)", true),
            column("col7", "varchar(300)", false),
            column("col8", "varchar(150)", true),
            column("col9", "timestamp", false),
            column("col10", "smallint", false),
            column("col11", "timestamp", false),
            column("col12", "varchar(15)", false),
            column("col13", "char(1)", false),
            column("col14", "char(1)", false),
            column("col15", "timestamp", false),
        ],
        indexes: vec![
            index("PRIMARY", IndexKind::Primary, &["id", "seq"]),
            index("iuk_tbl", IndexKind::Unique, &["id", "col3", "col4", "col5"]),
            index("ind1", IndexKind::NonUnique, &["id", "col9", "col14"]),
        ],
    }
}
