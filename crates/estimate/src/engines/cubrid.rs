//! CUBRID's statements in the mean: the rules of `cubrid.rs` and `cubrid_vacuum.rs`.

use crate::{
    demand::{Builder, Commit, Demand, Writer},
    load::{Asked, Load},
    shape::TableShape,
};
use spindle_engine::{profile::Profile, rules, schema::IndexKind};
use spindle_scenario::Scenario;

pub(crate) fn demand(
    scenario: &Scenario,
    profile: &'static Profile,
    tables: &[TableShape],
    load: &Load,
    value: &dyn Fn(&str, f64) -> f64,
) -> Demand {
    let costs = profile.costs;
    let versions = profile.parameter("double_write_buffer_size").is_some();
    let page = 16_384.0;
    let frames = if versions {
        (value("data_buffer_size", 0.0) / page).floor()
    } else {
        value("data_buffer_pages", 0.0)
    };
    let log_capacity = if versions {
        value("checkpoint_every_size", f64::INFINITY)
    } else {
        value("checkpoint_every_npages", f64::INFINITY) * page
    };
    let writer = if versions {
        Writer::Blocks {
            pages: (value("double_write_buffer_size", 0.0)
                / page
                / f64::from(rules::CUBRID_DOUBLE_WRITE_BLOCKS))
            .max(1.0),
        }
    } else {
        Writer::Thread
    };
    let demand = Demand {
        log_thread: versions,
        log_capacity,
        commit: if value("async_commit", 0.0) > 0.0 { Commit::Nothing } else { Commit::Durable },
        ..Demand::of(costs, load, tables, frames.max(16.0), page, writer)
    };
    let mut builder = Builder::new(scenario, tables, demand);
    for (table, asked, often) in &load.statements {
        statement(&mut builder, costs, *table, *asked, *often, versions);
    }
    if load.writing > 0.0 {
        builder.demand.log_bytes += load.writing * rules::CUBRID_LOG_TRANSACTION_BYTES;
        // Vacuum takes a block of the log when it is full: half of one passes on average, and what is being vacuumed.
        builder.demand.late_after_transactions =
            rules::CUBRID_VACUUM_BLOCK_BYTES as f64 / builder.demand.log_bytes.max(1.0);
        // The daemon that flushes the log takes its time for each flush.
        if versions {
            builder.demand.background_cpu_ns += rules::CUBRID_LOG_FLUSH_NS as f64 * load.writing;
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
    versions: bool,
) {
    match asked {
        Asked::Select { index } => {
            builder.demand.cpu_ns += costs.select_ns as f64 * often;
            // The root is fixed twice.
            let root = f64::from(u8::from(
                builder.tables[table].indexes.get(index).is_some_and(|i| i.height() > 1.0),
            ));
            builder.again(often * root);
            builder.descend(table, index, often, 0.0);
            builder.heap(table, often, 0.0);
        }
        Asked::Insert { .. } => {
            let indexes: Vec<(f64, f64, f64, IndexKind)> = builder.tables[table]
                .indexes
                .iter()
                .map(|i| (i.entry_bytes, i.rows_a_leaf, i.height(), i.kind))
                .collect();
            let (row_bytes, heap) = (builder.tables[table].row_bytes, builder.tables[table].heap);
            let version = if versions { rules::CUBRID_LOG_VERSION_BYTES } else { 0.0 };
            let entries = indexes.len() as f64;
            builder.demand.cpu_ns += (costs.insert_ns as f64 + costs.index_entry_ns as f64 * entries) * often;
            builder.demand.log_bytes += often * (row_bytes + rules::CUBRID_LOG_HEAP_BYTES + version);
            // Rows go to the last page of the heap, which is there.
            let count = builder.tables[table].count;
            let fresh = heap.map_or(0.0, |(_, rows)| often / rows.max(1.0));
            builder.demand.fresh_pages += fresh;
            builder.own_pages("last heap page", count, often, often);
            for (index, (entry, a_leaf, height, kind)) in indexes.into_iter().enumerate() {
                builder.descend_anywhere(table, index, often, 1.0, 0.0);
                if !versions || kind != IndexKind::NonUnique {
                    builder.again(often * f64::from(u8::from(height > 1.0)));
                }
                let splits = often / a_leaf;
                builder.again(splits);
                builder.demand.log_bytes +=
                    often * (entry + rules::CUBRID_LOG_ENTRY_BYTES + version) + splits * a_leaf * 0.7 * entry;
                if versions {
                    builder.again(often * height);
                    builder.again_later(table, index, often);
                    builder.demand.background_cpu_ns += often * costs.index_entry_ns as f64;
                    builder.demand.log_bytes += often * 200.0;
                }
            }
            if versions {
                builder.again(fresh);
                builder.demand.log_bytes += fresh * 100.0;
            }
        }
        // Other statements are not modelled, and cost nothing (`Cubrid::execute`).
        _ => {}
    }
}
