//! Tables from DDL, and the DDL of tables. No view.

use spindle_engine::schema::{Column, Index, IndexKind, Schema};
use spindle_import::{ImportedTable, write_schema};
use spindle_scenario::Table;

/// The longest text that is read as DDL, in bytes.
pub const DDL_BYTES_MAX: usize = 200_000;

/// The DDL of tables.
pub fn ddl(tables: &[Table]) -> String {
    let schemas: Vec<Schema> = tables.iter().map(|table| table.spec().schema).collect();
    write_schema(tables.iter().map(|table| table.name.as_str()).zip(&schemas))
}

/// Tables that were read from DDL. What it does not say, such as rows, stays as `present` has it.
pub fn with_the_rest(imported: Vec<ImportedTable>, present: &[Table]) -> Vec<Table> {
    imported.into_iter().map(|table| merged(table, present)).collect()
}

fn merged(table: ImportedTable, present: &[Table]) -> Table {
    let known = present.iter().find(|known| known.name == table.name);
    // A table that stands alone under another name is the same one, renamed.
    let known = known.or_else(|| present.first().filter(|_| present.len() == 1));
    let Some(known) = known else { return table.into() };
    let ImportedTable { name, schema } = table;
    let columns = schema.columns.into_iter().map(|column| {
        let same = known.columns.iter().find(|known| known.name == column.name && known.kind == column.kind);
        same.map_or(column.clone(), |same| Column { nullable: column.nullable, ..same.clone() })
    });
    let indexes = schema.indexes.into_iter().map(|index| {
        // Engines call a primary key by different names.
        let is_same = |known: &&Index| {
            known.name == index.name || known.kind == IndexKind::Primary && index.kind == known.kind
        };
        let same = known.indexes.iter().find(is_same);
        same.map_or(index.clone(), |same| Index {
            kind: index.kind,
            columns: index.columns.clone(),
            ..same.clone()
        })
    });
    let (columns, indexes) = (columns.collect(), indexes.collect());
    Table { name, columns, indexes, ..known.clone() }
}

/// The DDL of a table by size: rows of about so many bytes, with so many secondary indexes on numbers.
pub fn ddl_by_size(row_bytes: u32, secondaries: u32) -> String {
    const KEY_BYTES: u32 = 8;
    const NUMBER_BYTES: u32 = 4;
    let rest = row_bytes.saturating_sub(KEY_BYTES + NUMBER_BYTES * secondaries).clamp(1, 8000);
    let numbers: String = (1..=secondaries).map(|at| format!("  k{at} int NOT NULL,\n")).collect();
    let keys: String = (1..=secondaries).map(|at| format!(",\n  KEY k{at} (k{at})")).collect();
    format!(
        "CREATE TABLE t (\n  id bigint NOT NULL,\n{numbers}  payload char({rest}) NOT NULL,\n  PRIMARY KEY (id){keys}\n);\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;
    use spindle_engine::layout::StorageFormat;
    use spindle_import::{Note, ROWS_ASSUMED, read_schema};
    use spindle_scenario::StandardTables;

    fn from_ddl(text: &str, present: &[Table]) -> (Vec<Table>, Vec<Note>) {
        let (imported, notes) = read_schema(text);
        (with_the_rest(imported, present), notes)
    }

    #[test]
    fn tables_come_back_from_their_ddl_with_all_that_it_does_not_say() {
        let mut sets: Vec<Vec<Table>> = StandardTables::ALL
            .iter()
            .flat_map(|set| {
                [StorageFormat::Innodb, StorageFormat::Firebird].map(|format| set.tables(2, format))
            })
            .collect();
        sets.push(Store::default().scenarios[0].tables.clone());
        for tables in sets {
            let text = ddl(&tables);
            let (again, notes) = from_ddl(&text, &tables);
            assert_eq!(notes, [], "{text}");
            assert_eq!(again, tables, "{text}");
        }
    }

    #[test]
    fn a_new_table_has_rows_and_a_renamed_one_keeps_them() {
        let present = Store::default().scenarios[0].tables.clone();
        let (tables, _) = from_ddl("create table other (id int primary key);", &present);
        assert_eq!((tables[0].rows, tables[0].count), (present[0].rows, present[0].count));
        let two = "create table a (id int primary key); create table b (id int primary key);";
        let (tables, _) = from_ddl(two, &[]);
        assert_eq!(tables.iter().map(|table| table.rows).collect::<Vec<_>>(), [ROWS_ASSUMED, ROWS_ASSUMED]);
    }

    #[test]
    fn a_table_by_size_has_rows_of_that_size() {
        for (bytes, secondaries) in [(1, 0), (200, 1), (2000, 5), (u32::MAX, 3)] {
            let (tables, notes) = from_ddl(&ddl_by_size(bytes, secondaries), &[]);
            assert_eq!(notes, []);
            assert_eq!(tables[0].indexes.len() as u32, 1 + secondaries);
            assert_eq!(tables[0].spec().schema.check(), []);
        }
    }
}
