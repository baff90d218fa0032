//! Tables as a database administrator declares them: columns, types, indexes.

use crate::tree::InsertOrder;
use serde::{Deserialize, Serialize};

/// A column's type, as far as its stored size depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// 2 bytes.
    SmallInt,
    /// 4 bytes.
    Int,
    /// 8 bytes.
    BigInt,
    /// 4 bytes.
    Float,
    /// 8 bytes.
    Double,
    /// Fixed-point number: digits, digits after the point.
    Decimal(u32, u32),
    /// Calendar day.
    Date,
    /// Seconds since 1970 or the engine's equivalent.
    Timestamp,
    /// Date and time of day.
    DateTime,
    /// Fixed number of characters.
    Char(u32),
    /// Up to this many characters.
    Varchar(u32),
}

const TYPES: &str = "a type such as int, smallint, bigint, float, double, decimal(15,2), date, timestamp, datetime, \
                     char(1) or varchar(20)";

impl std::str::FromStr for ColumnType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fail = || format!("found `{text}`, expected {TYPES}");
        let lower = text.trim().to_ascii_lowercase();
        let (name, arguments) = match lower.split_once('(') {
            Some((name, rest)) => (name.trim(), rest.strip_suffix(')').ok_or_else(fail)?),
            None => (lower.as_str(), ""),
        };
        let numbers: Vec<u32> = arguments
            .split(',')
            .filter(|part| !part.trim().is_empty())
            .map(|part| part.trim().parse().map_err(|_| fail()))
            .collect::<Result<_, _>>()?;
        let length = || match numbers.as_slice() {
            [n] if (1..=65_535).contains(n) => Ok(*n),
            [] => Ok(1),
            _ => Err(fail()),
        };
        Ok(match name {
            "smallint" | "short" => Self::SmallInt,
            "int" | "integer" => Self::Int,
            "bigint" => Self::BigInt,
            "float" | "real" => Self::Float,
            "double" | "double precision" => Self::Double,
            "decimal" | "numeric" => match numbers.as_slice() {
                [p, s] if (1..=65).contains(p) && s <= p => Self::Decimal(*p, *s),
                [p] if (1..=65).contains(p) => Self::Decimal(*p, 0),
                [] => Self::Decimal(10, 0),
                _ => return Err(fail()),
            },
            "date" => Self::Date,
            "timestamp" => Self::Timestamp,
            "datetime" => Self::DateTime,
            "char" | "character" => Self::Char(length()?),
            "varchar" | "character varying" if !numbers.is_empty() => Self::Varchar(length()?),
            _ => return Err(fail()),
        })
    }
}

impl std::fmt::Display for ColumnType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::SmallInt => f.write_str("smallint"),
            Self::Int => f.write_str("int"),
            Self::BigInt => f.write_str("bigint"),
            Self::Float => f.write_str("float"),
            Self::Double => f.write_str("double"),
            Self::Decimal(p, s) => write!(f, "decimal({p},{s})"),
            Self::Date => f.write_str("date"),
            Self::Timestamp => f.write_str("timestamp"),
            Self::DateTime => f.write_str("datetime"),
            Self::Char(n) => write!(f, "char({n})"),
            Self::Varchar(n) => write!(f, "varchar({n})"),
        }
    }
}

impl Serialize for ColumnType {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ColumnType {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// One column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Column {
    /// Name, unique in its table.
    pub name: String,
    /// Type.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// Whether it may be null.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub nullable: bool,
    /// Average bytes of a variable-length value; by the table's fill where left out. For an engine that compresses
    /// records, also the average significant bytes of a number or of a padded text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_bytes: Option<f64>,
    /// How many different values there are; for an engine that compresses keys. Unknown where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct: Option<f64>,
}

/// What an index promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IndexKind {
    /// The primary key.
    Primary,
    /// No two rows alike.
    Unique,
    /// Any number of rows alike.
    NonUnique,
}

/// One index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Index {
    /// Name, unique in its table.
    pub name: String,
    /// What it promises.
    pub kind: IndexKind,
    /// Key columns in order.
    pub columns: Vec<String>,
    /// Order in which its entries arrived while the table was loaded; the table's where left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<InsertOrder>,
    /// Whether its keys lie in no relation to the order of the rows, as those of a column of random numbers. Keys of
    /// a table loaded in random order always do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scattered: bool,
    /// Different values of its columns, where there are few: rows of one value then follow each other in the order of
    /// their arrival.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<u64>,
    /// Share of a leaf that loading left in use, above 0 and up to 1, where it is known of a real table
    /// (`n_leaf_pages` of InnoDB's statistics, `avg_leaf_density` of PostgreSQL's pgstattuple); else by the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaf_fill: Option<f64>,
}

impl Index {
    /// An index of which nothing is known but what it is on: loaded in the table's order, its leaves filled by it.
    pub fn new(name: impl Into<String>, kind: IndexKind, columns: Vec<String>) -> Self {
        Self {
            name: name.into(),
            kind,
            columns,
            order: None,
            scattered: false,
            values: None,
            leaf_fill: None,
        }
    }
}

/// A table's columns and indexes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schema {
    /// Columns in order.
    pub columns: Vec<Column>,
    /// Indexes; the primary key among them.
    pub indexes: Vec<Index>,
}

/// How full variable-length columns are where nothing else is known: the fill of the tables that were measured.
pub const FILL_DEFAULT: f64 = 0.6;

/// Declared bytes up to which a column is taken to be sized for its values; a longer declaration is generous, and
/// only a fifth of the rest counts. (With a fill of 0.6 the article's table comes to the record size at which it
/// was measured on MariaDB and CUBRID: 362 and 400 bytes.)
const SIZED_BYTES: f64 = 50.0;
const GENEROUS_SHARE: f64 = 0.2;

impl Column {
    /// Average bytes of this column's value, without length bytes, for variable-length columns; `None` for others.
    pub fn variable_bytes(&self, fill: f64) -> Option<f64> {
        let ColumnType::Varchar(n) = self.kind else { return None };
        let declared = f64::from(n);
        let generous = (declared - SIZED_BYTES).max(0.0) * GENEROUS_SHARE;
        let by_fill = libm::round(fill * (declared.min(SIZED_BYTES) + generous));
        Some(self.average_bytes.unwrap_or(by_fill).clamp(0.0, declared))
    }
}

impl Schema {
    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }

    /// The columns of an index, unknown names left out.
    pub fn key_columns<'a>(&'a self, index: &'a Index) -> impl Iterator<Item = &'a Column> {
        index.columns.iter().filter_map(|name| self.column(name))
    }

    /// The primary key.
    pub fn primary(&self) -> Option<&Index> {
        self.indexes.iter().find(|i| i.kind == IndexKind::Primary)
    }

    /// What is wrong: (path within the table, found, expected).
    pub fn check(&self) -> Vec<(String, String, String)> {
        let mut issues = Vec::new();
        if self.columns.is_empty() {
            issues.push(("columns".into(), "none".into(), "at least one column".into()));
        }
        for (at, column) in self.columns.iter().enumerate() {
            if self.columns[..at].iter().any(|c| c.name == column.name) {
                issues.push((
                    format!("columns[{at}].name"),
                    format!("`{}` again", column.name),
                    "a new name".into(),
                ));
            }
        }
        for (at, index) in self.indexes.iter().enumerate() {
            if let Some(fill) = index.leaf_fill.filter(|fill| !(*fill > 0.0 && *fill <= 1.0)) {
                let expected = "above 0 and up to 1".to_owned();
                issues.push((format!("indexes[{at}].leaf_fill"), fill.to_string(), expected));
            }
            if index.columns.is_empty() {
                issues.push((format!("indexes[{at}].columns"), "none".into(), "at least one column".into()));
            }
            for name in &index.columns {
                if self.column(name).is_none() {
                    let expected = "a column of the table".to_owned();
                    issues.push((format!("indexes[{at}].columns"), format!("`{name}`"), expected));
                }
            }
        }
        if self.indexes.iter().filter(|i| i.kind == IndexKind::Primary).count() > 1 {
            issues.push(("indexes".into(), "two primary keys".into(), "at most one".into()));
        }
        issues
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_read_as_they_print() {
        for text in ["varchar(20)", "int", "decimal(15,2)", "char(1)", "timestamp"] {
            assert_eq!(text.parse::<ColumnType>().unwrap().to_string(), text);
        }
        for text in ["varchar", "blob", "char(0)", "decimal(2,3)", "int(", ""] {
            assert!(text.parse::<ColumnType>().is_err(), "{text}");
        }
    }
}
