//! The tables of well-known benchmarks, for whoever has none of their own.

use crate::{Scenario, Table, from_toml};
use serde::Deserialize;
use spindle_engine::{
    layout::StorageFormat,
    schema::{Column, ColumnType, Index, IndexKind},
    tree::InsertOrder,
};
use spindle_workload::WorkloadKind;

/// A set of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandardTables {
    /// One with an index of each kind.
    Rows,
    /// sysbench's.
    Sysbench,
    /// pgbench's: accounts, tellers, branches, history.
    Pgbench,
    /// TPC-C's nine.
    OrderEntry,
    /// The same with small integers and one index a table, as load tools of 2014 declared them for Firebird.
    OrderEntryCompact,
    /// TPC-H's eight.
    Tpch,
}

#[derive(Deserialize)]
struct File {
    table: Vec<Table>,
}

/// Tables that hold the same number of rows at any scale.
const UNSCALED: [&str; 4] = ["item", "pgbench_history", "region", "nation"];

impl StandardTables {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Rows, Self::Sysbench, Self::Pgbench, Self::OrderEntry, Self::OrderEntryCompact, Self::Tpch];

    /// The set of that name.
    pub fn find(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.id() == id)
    }

    /// A name for keys and documents.
    pub fn id(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Sysbench => "sysbench",
            Self::Pgbench => "pgbench",
            Self::OrderEntry => "order-entry",
            Self::OrderEntryCompact => "order-entry-compact",
            Self::Tpch => "tpch",
        }
    }

    /// The set that a kind of transaction is about.
    pub fn fitting(kind: WorkloadKind) -> Self {
        if kind.is_order_entry() {
            Self::OrderEntry
        } else if kind == WorkloadKind::Tpch {
            Self::Tpch
        } else if kind == WorkloadKind::TpcbLike {
            Self::Pgbench
        } else if kind == WorkloadKind::InsertFull || kind.needs().contains(&IndexKind::Unique) {
            Self::Rows
        } else {
            Self::Sysbench
        }
    }

    /// The table whose rows are the scale: warehouses, branches; none where tables stand for themselves.
    fn measure(self) -> Option<&'static str> {
        match self {
            Self::Rows | Self::Sysbench | Self::Tpch => None,
            Self::Pgbench => Some("pgbench_branches"),
            Self::OrderEntry | Self::OrderEntryCompact => Some("warehouse"),
        }
    }

    /// The scale at which the set is a database of some gigabytes.
    pub fn usual_scale(self) -> u64 {
        match self {
            Self::Rows | Self::Sysbench | Self::Tpch => 1,
            Self::Pgbench => 500,
            Self::OrderEntry | Self::OrderEntryCompact => 100,
        }
    }

    /// The tables at a scale: so many warehouses or branches; for the other sets, so many times their rows. Where an
    /// engine keeps rows in the leaves of a tree, a table without a primary key gets a hidden one, as InnoDB does it.
    pub fn tables(self, scale: u64, format: StorageFormat) -> Vec<Table> {
        let text = match self {
            Self::Rows => include_str!("../tables/rows.toml"),
            Self::Sysbench => include_str!("../tables/sysbench.toml"),
            Self::Pgbench => include_str!("../tables/pgbench.toml"),
            Self::OrderEntry => include_str!("../tables/order-entry.toml"),
            Self::OrderEntryCompact => include_str!("../tables/order-entry-compact.toml"),
            Self::Tpch => include_str!("../tables/tpch.toml"),
        };
        let mut tables = from_toml::<File>(text).map_or_else(|_| Vec::new(), |file| file.table);
        for table in &mut tables {
            if !UNSCALED.contains(&table.name.as_str()) {
                table.rows = table.rows.saturating_mul(scale);
            }
            for column in table.columns.iter_mut().filter(|column| column.name.ends_with("w_id")) {
                column.distinct = Some(scale as f64);
            }
            if !format.has_bare_heap() && table.spec().schema.primary().is_none() {
                add_hidden_key(table);
            }
        }
        tables
    }

    /// The scale of a Scenario's tables, where they are one of the sets that have one: the set, and the place of the
    /// table whose rows say it.
    pub fn scale_of(scenario: &Scenario) -> Option<(Self, usize)> {
        Self::ALL.into_iter().find_map(|set| {
            let measure = set.measure()?;
            let at = scenario.tables.iter().position(|table| table.name == measure)?;
            Some((set, at))
        })
    }
}

fn add_hidden_key(table: &mut Table) {
    let name = "row_id";
    table.columns.push(Column {
        name: name.into(),
        kind: ColumnType::BigInt,
        nullable: false,
        average_bytes: None,
        distinct: None,
    });
    let order = Some(InsertOrder::Sequential);
    let key = Index { order, ..Index::new("PRIMARY", IndexKind::Primary, vec![name.into()]) };
    table.indexes.insert(0, key);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{scenario_from_toml, testing::SCENARIO};
    use spindle_engine::profile::PROFILES;

    #[test]
    fn every_kind_of_transaction_runs_on_its_tables_with_every_engine() {
        let kinds = [
            WorkloadKind::InsertFull,
            WorkloadKind::ThreeSelects,
            WorkloadKind::ReadWrite,
            WorkloadKind::UpdateIndex,
            WorkloadKind::TpcbLike,
            WorkloadKind::OrderEntry,
            WorkloadKind::StockSelect,
        ];
        for profile in PROFILES {
            for kind in kinds {
                let mut scenario = scenario_from_toml(SCENARIO).unwrap();
                scenario.machine.memory = spindle_units::Bytes::gib(64);
                scenario.engine.profile = profile.name.into();
                scenario.workload.kind = kind;
                let set = StandardTables::fitting(kind);
                scenario.tables = set.tables(set.usual_scale(), profile.format);
                assert_eq!(scenario.check(), [], "{kind:?} {}", profile.name);
                let scale = StandardTables::scale_of(&scenario);
                assert_eq!(scale.map(|(set, _)| set), set.measure().map(|_| set));
                if let Some((_, at)) = scale {
                    assert_eq!(scenario.tables[at].rows, set.usual_scale());
                }
            }
        }
    }
}
