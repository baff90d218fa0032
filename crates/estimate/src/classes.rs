//! Pages that are used alike.

use serde::Serialize;

/// What a page holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageKind {
    /// Inner nodes of an index.
    Inner,
    /// Leaves of an index.
    Leaf,
    /// Rows, where they do not lie in an index.
    Rows,
    /// What else an engine needs: space maps, inventories, headers, versions of rows.
    Other,
}

/// Pages of one index or table that are used alike.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageClass {
    /// The table's name; with several alike, of all of them together.
    pub table: String,
    /// The index's name, or the table's own where rows lie by themselves.
    pub name: String,
    /// What the pages hold.
    pub kind: PageKind,
    /// How many pages there are.
    pub pages: f64,
    /// How many of them are in the buffer on average.
    pub resident_pages: f64,
    /// Requests a transaction.
    pub requests: f64,
    /// Share of the requests that find their page in the buffer.
    pub hit_rate: f64,
}
