//! Tables of the measurements, from their DDL.

use serde_json::Value;
use spindle_engine::schema::{ColumnType, Schema};
use spindle_import::{NoteKind, read_schema};

/// Share of the declared length that variable columns of the article's table use: with it, records have the size
/// that was measured (362 bytes in InnoDB, 400 in CUBRID). A property of the data.
pub(crate) const ARTICLE_FILL: f64 = 0.6;

/// The table of that name among the setup's DDL, which InnoDB and CUBRID share (`innodb.ddl`).
pub(crate) fn named(setup: &Value, name: &str) -> Result<Schema, String> {
    let body = setup["innodb"]["ddl"][name].as_str();
    let body = body.ok_or_else(|| format!("schema `{name}` is not among innodb.ddl of the setup"))?;
    let (tables, notes) = read_schema(&format!("create table t ({body});"));
    if let Some(problem) = notes.iter().find(|note| note.kind == NoteKind::Problem) {
        return Err(format!("the setup's DDL: {}", problem.text));
    }
    tables.into_iter().next().map(|table| table.schema).ok_or_else(|| "the setup's DDL has no table".into())
}

/// Text in a charset of up to `bytes` bytes a character, all of it ASCII. A CHAR is then of variable length, and
/// length bytes count by the longest value there could be.
pub(crate) fn set_charset(schema: &mut Schema, charset: &str) {
    let bytes = match charset {
        "utf8mb4" => 4,
        "utf8" | "utf8mb3" => 3,
        _ => return,
    };
    for column in &mut schema.columns {
        match column.kind {
            ColumnType::Char(n) => {
                column.average_bytes = Some(f64::from(n));
                column.kind = ColumnType::Varchar(n * bytes);
            }
            ColumnType::Varchar(n) => {
                column.average_bytes = column.variable_bytes(ARTICLE_FILL);
                column.kind = ColumnType::Varchar(n * bytes);
            }
            _ => {}
        }
    }
}
