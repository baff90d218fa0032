//! `CREATE TABLE` and `CREATE INDEX` statements.

use crate::{Note, NoteKind};
use serde::{Deserialize, Serialize};
use spindle_engine::{
    schema::{Column, ColumnType, FILL_DEFAULT, Index, IndexKind, Schema},
    tree::InsertOrder,
};
use spindle_scenario::Table;
use sqlparser::{
    ast::{
        ColumnDef, ColumnOption, CreateIndex, CreateTable, DataType, Expr, IndexColumn, ObjectName,
        Statement, TableConstraint,
    },
    dialect::{GenericDialect, MySqlDialect},
    parser::Parser,
};

/// A table as its DDL describes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ImportedTable {
    /// Name.
    pub name: String,
    /// Columns and indexes.
    pub schema: Schema,
}

/// Rows of a table of which only the definition is known.
pub const ROWS_ASSUMED: u64 = 1_000_000;

impl From<ImportedTable> for Table {
    /// The table with what DDL does not say taken for granted: [`ROWS_ASSUMED`] rows, loaded in random order.
    fn from(ImportedTable { name, schema }: ImportedTable) -> Self {
        Self {
            name,
            count: 1,
            rows: ROWS_ASSUMED,
            order: InsertOrder::Random,
            fill: FILL_DEFAULT,
            rows_per_commit: None,
            columns: schema.columns,
            indexes: schema.indexes,
        }
    }
}

/// Reads the tables of a file of DDL. What is not a table or an index is noted and left out.
pub fn read_schema(text: &str) -> (Vec<ImportedTable>, Vec<Note>) {
    let mut tables: Vec<ImportedTable> = Vec::new();
    let mut notes = Vec::new();
    for (line, statement) in statements(text) {
        let mut note = |kind, text: String| notes.push(Note { line, kind, text });
        let parsed = Parser::parse_sql(&MySqlDialect {}, &statement)
            .or_else(|_| Parser::parse_sql(&GenericDialect {}, &statement));
        let parsed = match parsed {
            Ok(parsed) => parsed,
            Err(error) => {
                note(NoteKind::Problem, format!("found {error}, expected CREATE TABLE or CREATE INDEX"));
                continue;
            }
        };
        for statement in parsed {
            match statement {
                Statement::CreateTable(create) => tables.push(table(create, &mut note)),
                Statement::CreateIndex(create) => index(create, &mut tables, &mut note),
                _ => note(NoteKind::Ignored, "not a CREATE TABLE or CREATE INDEX".into()),
            }
        }
    }
    (tables, notes)
}

/// The DDL of tables, as [`read_schema`] reads it.
pub fn write_schema<'a>(tables: impl IntoIterator<Item = (&'a str, &'a Schema)>) -> String {
    let statements = tables.into_iter().map(|(name, schema)| {
        let columns = schema.columns.iter().map(|column| {
            let nullable = if column.nullable { "" } else { " NOT NULL" };
            format!("  {} {}{nullable}", quoted(&column.name), column.kind)
        });
        let indexes = schema.indexes.iter().map(|index| {
            let kind = match index.kind {
                IndexKind::Primary => "PRIMARY KEY".to_owned(),
                IndexKind::Unique => format!("UNIQUE KEY {}", quoted(&index.name)),
                IndexKind::NonUnique => format!("KEY {}", quoted(&index.name)),
            };
            let columns: Vec<String> = index.columns.iter().map(|column| quoted(column)).collect();
            format!("  {kind} ({})", columns.join(", "))
        });
        let lines: Vec<String> = columns.chain(indexes).collect();
        format!("CREATE TABLE {} (\n{}\n);\n", quoted(name), lines.join(",\n"))
    });
    statements.collect::<Vec<_>>().join("\n")
}

/// A name as it may stand in DDL: plain words as they are, all others in backticks.
fn quoted(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && !KEYWORDS.contains(&name.to_ascii_lowercase().as_str());
    if plain { name.to_owned() } else { format!("`{}`", name.replace('`', "")) }
}

/// Words of the tables at hand that SQL would take for its own.
const KEYWORDS: [&str; 12] = [
    "key",
    "index",
    "order",
    "table",
    "primary",
    "unique",
    "check",
    "constraint",
    "foreign",
    "group",
    "date",
    "day",
];

/// Cuts a file at semicolons outside quotes and comments: (line of the statement's first word, statement).
fn statements(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut line, mut start_line, mut current) = (1, 1, String::new());
    let mut quote: Option<char> = None;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        if current.trim().is_empty() {
            start_line = line;
        }
        if c == '\n' {
            line += 1;
        }
        match (quote, c) {
            (Some(q), _) => {
                current.push(c);
                if c == q {
                    quote = None;
                }
            }
            (None, '\'' | '"' | '`') => {
                quote = Some(c);
                current.push(c);
            }
            (None, '-') if characters.peek() == Some(&'-') => {
                while characters.peek().is_some_and(|c| *c != '\n') {
                    characters.next();
                }
            }
            (None, ';') => {
                if !current.trim().is_empty() {
                    found.push((start_line, std::mem::take(&mut current)));
                }
                current.clear();
            }
            _ => current.push(c),
        }
    }
    if !current.trim().is_empty() {
        found.push((start_line, current));
    }
    found
}

fn bare(name: &ObjectName) -> String {
    name.0.last().map(|part| part.to_string().trim_matches(['`', '"']).to_owned()).unwrap_or_default()
}

fn table(create: CreateTable, note: &mut impl FnMut(NoteKind, String)) -> ImportedTable {
    let mut columns = Vec::new();
    let mut indexes = Vec::new();
    for definition in &create.columns {
        let name = definition.name.value.clone();
        match column_type(&definition.data_type) {
            Some(kind) => columns.push(Column {
                name: name.clone(),
                kind,
                nullable: nullable(definition),
                average_bytes: None,
                distinct: None,
            }),
            None => note(
                NoteKind::Problem,
                format!("column {name}: type {} is not known; it is left out", definition.data_type),
            ),
        }
        for option in &definition.options {
            let kind = match option.option {
                ColumnOption::PrimaryKey(_) => IndexKind::Primary,
                ColumnOption::Unique(_) => IndexKind::Unique,
                _ => continue,
            };
            let index_name = if kind == IndexKind::Primary { "PRIMARY".into() } else { name.clone() };
            indexes.push(Index::new(index_name, kind, vec![name.clone()]));
        }
    }
    for constraint in &create.constraints {
        let (kind, name, key) = match constraint {
            TableConstraint::PrimaryKey(c) => {
                (IndexKind::Primary, c.name.as_ref().or(c.index_name.as_ref()), &c.columns)
            }
            TableConstraint::Unique(c) => {
                (IndexKind::Unique, c.index_name.as_ref().or(c.name.as_ref()), &c.columns)
            }
            TableConstraint::Index(c) => (IndexKind::NonUnique, c.name.as_ref(), &c.columns),
            _ => continue,
        };
        let columns = key_columns(key);
        let default = || if kind == IndexKind::Primary { "PRIMARY".into() } else { columns.join("_") };
        let name = name.map_or_else(default, |n| n.value.clone());
        indexes.push(Index::new(name, kind, columns));
    }
    // The primary key comes first: for InnoDB it is the table itself.
    indexes.sort_by_key(|i| i.kind != IndexKind::Primary);
    ImportedTable { name: bare(&create.name), schema: Schema { columns, indexes } }
}

fn index(create: CreateIndex, tables: &mut [ImportedTable], note: &mut impl FnMut(NoteKind, String)) {
    let name = bare(&create.table_name);
    let Some(table) = tables.iter_mut().find(|t| t.name == name) else {
        note(NoteKind::Problem, format!("found an index on `{name}`, expected a table created before"));
        return;
    };
    let columns = key_columns(&create.columns);
    let kind = if create.unique { IndexKind::Unique } else { IndexKind::NonUnique };
    let name = create.name.as_ref().map_or_else(|| columns.join("_"), bare);
    table.schema.indexes.push(Index::new(name, kind, columns));
}

fn key_columns(columns: &[IndexColumn]) -> Vec<String> {
    columns
        .iter()
        .map(|column| match &column.column.expr {
            Expr::Identifier(ident) => ident.value.clone(),
            // In MySQL's dialect "id" is a string; here it can only be a name.
            other => other.to_string().trim_matches(['"', '`', '\'']).to_owned(),
        })
        .collect()
}

fn nullable(definition: &ColumnDef) -> bool {
    !definition
        .options
        .iter()
        .any(|o| matches!(o.option, ColumnOption::NotNull | ColumnOption::PrimaryKey(_)))
}

/// The type by its text, without attributes that do not change its size.
fn column_type(kind: &DataType) -> Option<ColumnType> {
    let text = kind.to_string().to_ascii_lowercase();
    let text = text.replace(" unsigned", "").replace(" zerofill", "");
    // A display width, as in int(11), says nothing about storage.
    let name = text.split('(').next().unwrap_or("").trim();
    if matches!(name, "int" | "integer" | "bigint" | "smallint" | "timestamp" | "datetime") {
        return name.parse().ok();
    }
    let aliases = [
        ("character varying", "varchar"),
        ("nvarchar", "varchar"),
        ("character", "char"),
        ("dec", "decimal"),
    ];
    let renamed = aliases.iter().find(|(from, _)| *from == name);
    renamed.map_or(text.clone(), |(from, to)| text.replacen(from, to, 1)).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_mysql_table_with_its_keys() {
        let text = "-- the article's table\nCREATE TABLE `t` (\n id varchar(20) NOT NULL, seq int(11) NOT NULL,\n c char(1) DEFAULT NULL,\n \
                    PRIMARY KEY (id, seq), UNIQUE KEY u (id, c), KEY k (seq DESC)\n) ENGINE=InnoDB;\nSELECT 1;\n";
        let (tables, notes) = read_schema(text);
        let [table] = tables.as_slice() else { panic!("{tables:?} {notes:?}") };
        assert_eq!(table.name, "t");
        let kinds: Vec<_> = table.schema.indexes.iter().map(|i| (i.name.as_str(), i.kind)).collect();
        assert_eq!(
            kinds,
            [("PRIMARY", IndexKind::Primary), ("u", IndexKind::Unique), ("k", IndexKind::NonUnique)]
        );
        assert_eq!(table.schema.columns[1].kind, ColumnType::Int);
        assert!(table.schema.columns[2].nullable && !table.schema.columns[0].nullable);
        assert_eq!((notes[0].line, notes[0].kind), (7, NoteKind::Ignored));
    }

    #[test]
    fn reads_an_index_created_afterwards() {
        let text = "create table t (a bigint primary key, b varchar(10));\ncreate unique index tb on t (b);\ncreate index x on other (b);";
        let (tables, notes) = read_schema(text);
        assert_eq!(tables[0].schema.indexes[1].kind, IndexKind::Unique);
        assert_eq!((notes[0].line, notes[0].kind), (3, NoteKind::Problem));
    }

    #[test]
    fn names_may_stand_in_double_quotes() {
        let text = "CREATE TABLE \"t\" (\"id\" CHARACTER VARYING(20) NOT NULL, CONSTRAINT p PRIMARY KEY (\"id\"));\nCREATE INDEX \"i\" ON \"t\" (\"id\" DESC);";
        let (tables, notes) = read_schema(text);
        assert_eq!(notes, []);
        assert_eq!(tables[0].schema.check(), []);
        assert_eq!(tables[0].schema.indexes.len(), 2);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = "create table `order` (id varchar(20) not null, `key` int, t timestamp not null, d decimal(12,2), \
                    primary key (id, t), unique key u (`key`), key k (d));\ncreate table b (x bigint primary key);";
        let (tables, _) = read_schema(text);
        let written = write_schema(tables.iter().map(|table| (table.name.as_str(), &table.schema)));
        let (again, notes) = read_schema(&written);
        assert_eq!(notes, [], "{written}");
        assert_eq!(again, tables, "{written}");
    }

    #[test]
    fn what_is_not_sql_is_noted_where_it_stands() {
        let (tables, notes) = read_schema("\n\nhello world;\ncreate table t (a int);");
        assert_eq!(tables.len(), 1);
        assert_eq!((notes[0].line, notes[0].kind), (3, NoteKind::Problem));
        for junk in ["\0\u{1}", "create table", "'", "create table t (a geometry)", "((((("] {
            read_schema(junk);
        }
    }
}
