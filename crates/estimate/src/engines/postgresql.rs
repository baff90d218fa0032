//! PostgreSQL's statements in the mean: the rules of `postgresql_statements.rs`.

use super::Measured;
use crate::{
    demand::{Builder, Commit, Demand, Writer},
    load::{Asked, Load},
    shape::TableShape,
};
use spindle_engine::{profile::Profile, rules};
use spindle_scenario::Scenario;

/// Bytes of a page.
const PAGE_BYTES: f64 = 8192.0;

pub(crate) fn demand(
    scenario: &Scenario,
    profile: &'static Profile,
    tables: &[TableShape],
    load: &Load,
    measured: Measured,
    value: &dyn Fn(&str, f64) -> f64,
) -> Demand {
    let costs = profile.costs;
    let round_trips = load.count + 2.0 * load.bracketed;
    let frames = (value("shared_buffers", 0.0) / PAGE_BYTES).floor().max(16.0);
    let demand = Demand {
        cpu_ns: 2.0 * load.bracketed * rules::POSTGRESQL_BRACKET_NS as f64,
        wake_up_ns: round_trips * rules::POSTGRESQL_ROUND_TRIP_NS as f64,
        log_bytes: load.writing * rules::POSTGRESQL_COMMIT_BYTES as f64,
        log_capacity: value("max_wal_size", 1e9) / (1.0 + rules::POSTGRESQL_COMPLETION_TARGET),
        commit: if value("synchronous_commit", 1.0) > 0.0 { Commit::Durable } else { Commit::Nothing },
        image_bytes: if value("full_page_writes", 1.0) > 0.0 {
            rules::POSTGRESQL_LEAF_USED_BYTES as f64
        } else {
            0.0
        },
        ..Demand::of(costs, load, tables, frames, PAGE_BYTES, Writer::Backend)
    };
    let mut builder = Builder::new(scenario, tables, demand);
    for (table, asked, often) in &load.statements {
        let moving = moving(&builder, load, *table, measured);
        statement(&mut builder, costs, *table, *asked, *often, moving);
    }
    // `Postgresql::warm` knows the pages of rows that are there already.
    builder.demand.warmed =
        load.statements.iter().any(|(_, asked, _)| !matches!(asked, Asked::Insert { .. } | Asked::Scan));
    if load.writing > 0.0 && builder.demand.commit == Commit::Durable && scenario.workload.clients > 1 {
        builder.demand.background_cpu_ns += rules::POSTGRESQL_FLUSH_WORK_NS as f64 * load.writing
            / libm::sqrt(f64::from(scenario.workload.clients));
    }
    builder.demand
}

/// Share of the updates of a table whose new version goes to another page: tables are loaded into full pages, so that the
/// first one on a page leaves it; what it leaves behind is pruned and makes room for the next one (`heap_versions.rs`).
fn moving(builder: &Builder<'_>, load: &Load, table: usize, measured: Measured) -> f64 {
    let changes: f64 = load
        .statements
        .iter()
        .filter(|(of, ..)| *of == table)
        .map(|(_, asked, often)| match asked {
            Asked::Update { rows, .. } => often * rows,
            Asked::Delete => *often,
            _ => 0.0,
        })
        .sum();
    let pages = builder.tables[table].heap.map_or(1.0, |(pages, _)| pages);
    let earlier = measured.updates_before / pages.max(1.0);
    builder.first_on_page(table, changes, earlier, measured.from, measured.to)
}

/// From the root to a leaf and on to the heap page.
fn fetch(builder: &mut Builder<'_>, table: usize, index: usize, often: f64, changes: f64) {
    builder.descend(table, index, often, 0.0);
    builder.heap(table, often, changes);
}

fn statement(
    builder: &mut Builder<'_>,
    costs: spindle_engine::profile::ProcessorCosts,
    table: usize,
    asked: Asked,
    often: f64,
    moving: f64,
) {
    let ns = |ns: u64| ns as f64 * often;
    let shape = &builder.tables[table];
    let indexes: Vec<(f64, f64, f64)> =
        shape.indexes.iter().map(|i| (i.entry_bytes, i.rows_a_leaf, i.height())).collect();
    let tuple_bytes = (shape.row_bytes - rules::POSTGRESQL_TUPLE_HEADER_BYTES as f64).max(0.0);
    match asked {
        Asked::Select { index } => {
            builder.demand.cpu_ns += ns(costs.select_ns);
            fetch(builder, table, index, often, 0.0);
        }
        Asked::Range { index, rows } => {
            builder.demand.cpu_ns += ns(costs.select_ns) + ns(costs.row_ns) * rows;
            fetch(builder, table, index, often, 0.0);
            let (a_page, in_order) = {
                let shape = &builder.tables[table];
                (
                    shape.heap.map_or(1.0, |(_, rows)| rows),
                    shape.indexes.get(index).is_none_or(|i| i.in_order),
                )
            };
            let further = if in_order { (rows - 1.0) / a_page } else { rows - 1.0 };
            builder.heap(table, often * further, 0.0);
        }
        Asked::Update { index, rows, .. } => {
            builder.demand.cpu_ns += ns(costs.update_ns) * rows;
            builder.lock_rows(table, often * rows);
            fetch(builder, table, 0, often * rows, 1.0);
            builder.again(often * rows * 2.0);
            let moves = often * rows * moving;
            let stays = often * rows * (1.0 - moving);
            builder.demand.log_bytes += stays * rules::POSTGRESQL_UPDATE_SAME_PAGE_BYTES as f64
                + moves * (rules::POSTGRESQL_UPDATE_OTHER_PAGE_BYTES as f64 + tuple_bytes);
            builder.again(moves);
            for (number, (entry, _, height)) in indexes.into_iter().enumerate() {
                let entries = if index == Some(number) { often * rows } else { moves };
                builder.demand.cpu_ns += entries * costs.index_entry_ns as f64;
                if number == 0 {
                    builder.again(entries * (height + 1.0));
                    builder.change_leaf(table, number, entries);
                } else {
                    builder.descend(table, number, entries, 1.0);
                }
                builder.demand.log_bytes += entries * (rules::POSTGRESQL_INDEX_INSERT_BYTES as f64 + entry);
            }
        }
        Asked::Delete => {
            builder.demand.cpu_ns += ns(costs.update_ns);
            builder.lock_rows(table, often);
            fetch(builder, table, 0, often, 1.0);
            builder.again(often);
            builder.demand.log_bytes += often * rules::POSTGRESQL_DELETE_BYTES as f64;
        }
        Asked::Insert { same_key } => {
            builder.demand.cpu_ns += ns(costs.insert_ns) + ns(costs.index_entry_ns) * indexes.len() as f64;
            builder.demand.log_bytes += often * (rules::POSTGRESQL_INSERT_BYTES as f64 + tuple_bytes);
            let count = builder.tables[table].count;
            builder.own_pages("last heap page", count, often, often);
            builder.demand.fresh_pages +=
                builder.tables[table].heap.map_or(0.0, |(_, rows)| often / rows.max(1.0));
            for (number, (entry, a_leaf, _)) in indexes.into_iter().enumerate() {
                builder.descend_anywhere(table, number, often, 1.0, 0.0);
                let splits = if same_key { 0.0 } else { often / a_leaf };
                builder.demand.log_bytes += often * (rules::POSTGRESQL_INDEX_INSERT_BYTES as f64 + entry)
                    + splits * a_leaf * 0.7 * entry;
            }
        }
        Asked::Scan => {
            let (rows, pages) =
                (builder.tables[table].rows, builder.tables[table].heap.map_or(0.0, |(pages, _)| pages));
            builder.demand.cpu_ns += ns(costs.row_ns) * rows;
            builder.heap(table, often * pages, 0.0);
        }
    }
}
