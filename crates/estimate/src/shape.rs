//! Tables as far as closed forms need them: pages of each level, rows of a page, who lies in whose order.

use spindle_engine::{
    database::TableSpec,
    layout::{StorageFormat, TableLayout},
    profile::Profile,
    schema::IndexKind,
    tree::InsertOrder,
};
use spindle_scenario::{Scenario, Table};
use std::{cell::RefCell, collections::VecDeque, rc::Rc};

/// Layouts kept: drawing a tree filled in random order takes longer than the whole estimate.
const KEPT: usize = 64;

/// An index of a table.
#[derive(Debug, Clone)]
pub(crate) struct IndexShape {
    pub name: String,
    pub kind: IndexKind,
    /// Pages of each level from the root down, leaves last.
    pub levels: Vec<f64>,
    /// Rows of a leaf.
    pub rows_a_leaf: f64,
    /// Bytes of a leaf record.
    pub entry_bytes: f64,
    /// Whether keys follow the order of the rows.
    pub in_order: bool,
}

impl IndexShape {
    pub fn height(&self) -> f64 {
        self.levels.len() as f64
    }

    pub fn leaves(&self) -> f64 {
        self.levels.last().copied().unwrap_or(1.0)
    }
}

/// Tables alike.
#[derive(Debug, Clone)]
pub(crate) struct TableShape {
    pub name: String,
    pub count: f64,
    pub rows: f64,
    pub row_bytes: f64,
    pub indexes: Vec<IndexShape>,
    /// Pages of rows that lie apart from the indexes, and rows of one.
    pub heap: Option<(f64, f64)>,
    /// Bytes of the files of all of them.
    pub bytes: f64,
}

type Known = (TableSpec, &'static str, u32, Rc<TableLayout>);

thread_local! {
    static LAYOUTS: RefCell<VecDeque<Known>> = const { RefCell::new(VecDeque::new()) };
}

fn layout(profile: &'static Profile, page_bytes: u32, name: &str, spec: &TableSpec) -> Rc<TableLayout> {
    let known = LAYOUTS.with_borrow(|kept| {
        kept.iter()
            .find(|(s, p, b, _)| s == spec && *p == profile.name && *b == page_bytes)
            .map(|k| Rc::clone(&k.3))
    });
    known.unwrap_or_else(|| {
        let layout = spec.rules(profile.format, page_bytes).table(name, &spec.schema, spec.rows, 1);
        let layout = Rc::new(layout);
        LAYOUTS.with_borrow_mut(|kept| {
            if kept.len() >= KEPT {
                kept.pop_front();
            }
            kept.push_back((spec.clone(), profile.name, page_bytes, Rc::clone(&layout)));
        });
        layout
    })
}

/// The shapes of a scenario's tables.
pub(crate) fn shapes(scenario: &Scenario, profile: &'static Profile, page_bytes: u32) -> Vec<TableShape> {
    scenario.tables.iter().map(|table| shape(table, profile, page_bytes)).collect()
}

fn shape(table: &Table, profile: &'static Profile, page_bytes: u32) -> TableShape {
    let spec = table.spec();
    let layout = layout(profile, page_bytes, &table.name, &spec);
    let rows = (table.rows as f64).max(1.0);
    let indexes = table.indexes.iter().zip(&layout.indexes).map(|(index, pages)| IndexShape {
        name: index.name.clone(),
        kind: index.kind,
        levels: levels(pages.leaf_pages as f64, pages.pages as f64, pages.height),
        rows_a_leaf: (rows / pages.leaf_pages.max(1) as f64).max(1.0),
        entry_bytes: pages.entry_bytes,
        in_order: !index.scattered && table.order != InsertOrder::Random,
    });
    let heap_in_tree = profile.format == StorageFormat::Innodb;
    TableShape {
        name: table.name.clone(),
        count: f64::from(table.count),
        rows,
        row_bytes: layout.row_bytes,
        indexes: indexes.collect(),
        heap: layout
            .heap
            .filter(|_| !heap_in_tree)
            .map(|heap| (heap.pages as f64, (rows / heap.pages.max(1) as f64).max(1e-3))),
        bytes: layout.bytes as f64 * f64::from(table.count),
    }
}

/// Pages of each level: the inner ones grow by the same factor from the root down.
fn levels(leaves: f64, pages: f64, height: u32) -> Vec<f64> {
    let inner = (pages - leaves).max(0.0);
    match height {
        0 | 1 => vec![leaves],
        2 => vec![1.0, leaves],
        3 => vec![1.0, (inner - 1.0).max(1.0), leaves],
        _ => {
            let fanout = (leaves / inner.max(1.0)).max(2.0);
            let mut levels = vec![leaves];
            for _ in 1..height {
                let below = levels.last().copied().unwrap_or(1.0);
                levels.push((below / fanout).max(1.0));
            }
            levels.reverse();
            levels
        }
    }
}

#[cfg(test)]
mod tests {
    use super::levels;

    #[test]
    fn levels_add_up() {
        assert_eq!(levels(1.0, 1.0, 1), [1.0]);
        assert_eq!(levels(50.0, 51.0, 2), [1.0, 50.0]);
        assert_eq!(levels(5000.0, 5012.0, 3), [1.0, 11.0, 5000.0]);
        assert_eq!(levels(1e6, 1e6 + 10_101.0, 4).len(), 4);
    }
}
