//! Firebird's statements in the mean: the rules of `firebird.rs` and `firebird_rows.rs`.

use crate::{
    demand::{Builder, Demand, Writer},
    load::{Asked, Load},
    shape::TableShape,
};
use spindle_engine::{profile::Profile, rules};
use spindle_scenario::{Scenario, Start};

/// Writes beside the data page's own for a row that is changed: what the collector leaves to be written when it has gone
/// over the page.
const COLLECTED: f64 = 0.5;

pub(crate) fn demand(
    scenario: &Scenario,
    profile: &'static Profile,
    tables: &[TableShape],
    load: &Load,
    page_bytes: f64,
    value: &dyn Fn(&str, f64) -> f64,
) -> Demand {
    let costs = profile.costs;
    let declared = scenario.workload.read_only;
    let frames = value("page_buffers", 2048.0).max(16.0);
    let forced = value("forced_writes", 1.0) > 0.0;
    // 2.5 reads through the system's cache unless its own is large, and forced writes go through it; 3.0 goes around it
    // with forced writes (`firebird_architecture.rs`, `Firebird::new`).
    let has_threshold = profile.parameter("file_system_cache_threshold").is_some();
    let direct = if has_threshold { frames >= value("file_system_cache_threshold", 0.0) } else { forced };
    let private = value("architecture", 0.0) > 0.0;
    let in_turn = profile.parameter("architecture").is_some() && !private;
    // The header and the inventory, which others have marked since, whether they wrote or not; whoever asks has them written.
    let others = f64::from(u8::from(private && scenario.workload.clients > 1));
    let demand = Demand {
        cpu_ns: rules::FIREBIRD_TRANSACTION_NS as f64,
        direct,
        write_through: has_threshold && forced,
        // `Firebird::warm_file_cache`.
        file_cache_warmed: has_threshold && scenario.run.start != Start::Cold,
        refreshed_pages: 2.0 * others,
        in_turn,
        // The header when a transaction begins, the inventory when one that has written ends.
        serial_writes: vec![if declared { others } else { 1.0 }, load.writing.max(others)],
        ..Demand::of(costs, load, tables, frames, page_bytes, Writer::Committer)
    };
    let mut builder = Builder::new(scenario, tables, demand);
    builder.own_pages("header and inventory", 2.0, 2.0, 2.0);
    for (table, asked, often) in &load.statements {
        statement(&mut builder, costs, *table, *asked, *often);
    }
    builder.demand.committed_pages -= load.inserted_beside;
    // The pointer page, where a data page was known to have no old version: once a transaction for each table.
    for (at, table) in tables.iter().enumerate() {
        let of_table = load.statements.iter().filter(|(table, ..)| *table == at);
        let changes: f64 = of_table
            .map(|(_, asked, often)| match asked {
                Asked::Update { rows, .. } => often * rows,
                Asked::Delete => *often,
                _ => 0.0,
            })
            .sum();
        builder.demand.committed_pages += table.count * (1.0 - libm::pow(1.0 - 1.0 / table.count, changes));
        if table.count <= 1.0 {
            builder.demand.committed_pages += changes.min(1.0) - f64::from(u8::from(changes > 0.0));
        }
    }
    builder.demand
}

fn statement(
    builder: &mut Builder<'_>,
    costs: spindle_engine::profile::ProcessorCosts,
    table: usize,
    asked: Asked,
    often: f64,
) {
    let select = costs.select_ns as f64 * often;
    let work = |requests: f64| requests * costs.row_ns as f64 * often;
    let indexes = builder.tables[table].indexes.len();
    let rows_a_page = builder.tables[table].heap.map_or(1.0, |(_, rows)| rows);
    // The page with the indexes' roots, always there; then the tree; then pointer page and data page.
    let seek = |builder: &mut Builder<'_>, index: usize, often: f64| {
        builder.again(often);
        builder.descend(table, index, often, 0.0);
    };
    match asked {
        Asked::Select { index } => {
            builder.demand.cpu_ns += select + work(6.0);
            seek(builder, index, often);
            builder.again(often);
            builder.heap(table, often, 0.0);
        }
        Asked::Range { index, rows } => {
            builder.demand.cpu_ns += select + work(4.0 + 2.0 * rows);
            seek(builder, index, often);
            let in_order = builder.tables[table].indexes.get(index).is_none_or(|i| i.in_order);
            let pages = if in_order { 1.0 + (rows - 1.0) / rows_a_page } else { rows };
            builder.heap(table, often * pages, 0.0);
            builder.demand.following_pages += if in_order { often * (pages - 1.0) } else { 0.0 };
            builder.again(often * (2.0 * rows - pages));
        }
        Asked::Update { index, rows, .. } => {
            builder.demand.cpu_ns += select + work(4.0 + 8.0 * rows);
            seek(builder, 0, often);
            builder.heap(table, often * rows, 1.0);
            let more = 5.0 + f64::from(rules::FIREBIRD_UNEXPLAINED_UPDATE_REQUESTS);
            builder.again(often * rows * more);
            builder.demand.committed_pages += often * rows * (1.0 + COLLECTED);
            if let Some(index) = index {
                builder.descend(table, index, often, 1.0);
                builder.demand.committed_pages += often;
            }
        }
        Asked::Delete => {
            builder.demand.cpu_ns += select + work(10.0);
            seek(builder, 0, often);
            builder.heap(table, often, 1.0);
            builder.again(often * 4.0);
            builder.demand.committed_pages += often * (1.0 + COLLECTED);
        }
        Asked::Insert { .. } => {
            builder.demand.cpu_ns += select + work(2.0 + 4.0 * indexes as f64);
            let count = builder.tables[table].count;
            builder.own_pages("last data page", count, often, often);
            builder.demand.fresh_pages +=
                builder.tables[table].heap.map_or(0.0, |(_, rows)| often / rows.max(1.0));
            builder.again(often * (1.0 + indexes as f64));
            builder.demand.committed_pages += often * (1.0 + indexes as f64);
            for index in 0..indexes {
                builder.descend_anywhere(table, index, often, 1.0, 0.0);
            }
        }
        Asked::Scan => {
            let pages = builder.tables[table].heap.map_or(0.0, |(pages, _)| pages);
            builder.demand.cpu_ns += select + work(2.0 * pages);
            builder.heap(table, often * pages, 0.0);
            builder.again(often * pages);
        }
    }
}
