//! InnoDB's statements as visits of pages, processor time and log: the rules of `innodb_statements.rs` in the mean.

use crate::{
    demand::{Builder, Cleaner, Commit, Demand, Writer},
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
    let cleaner = profile.parameter("innodb_lru_scan_depth").is_some();
    let frames = f64::from(rules::innodb_frames(profile, value("innodb_buffer_pool_size", 0.0))).max(64.0);
    // Those of 8.0 work on each part of the pool.
    let version_8 = profile.parameter("innodb_page_cleaners").is_some();
    let instances = if version_8 { value("innodb_buffer_pool_instances", 1.0).max(1.0) } else { 1.0 };
    // The cleaner keeps between half of the depth and the depth free, but a list this short is not shortened further.
    let depth = if cleaner { value("innodb_lru_scan_depth", 0.0) * instances } else { 0.0 };
    let least = 256.0_f64.min(frames);
    let log_bytes = value("innodb_log_file_size", 0.0) * value("innodb_log_files_in_group", 1.0);
    let doublewrite = value("innodb_doublewrite", 0.0) > 0.0;
    let own_files = value("innodb_file_per_table", 0.0) > 0.0;
    let files = if own_files { tables.iter().map(|t| t.count).sum() } else { 1.0 };
    let concurrency = value("innodb_thread_concurrency", 0.0);
    let writer = if cleaner {
        Writer::Cleaner(cleaners(version_8, instances, doublewrite, files, value))
    } else {
        Writer::UserThread { doublewrite, files }
    };
    let mean_frames = (frames - 0.75 * depth).max(least);
    let demand = Demand {
        binary_log: match value("sync_binlog", 0.0) {
            _ if !version_8 || value("log_bin", 0.0) <= 0.0 => Commit::Nothing,
            0.0 => Commit::Written,
            _ => Commit::Durable,
        },
        frames_at_most: (frames - 0.5 * depth).max(least),
        log_block: value("innodb_log_write_ahead_size", 512.0) as u64,
        log_capacity: rules::InnodbLogAges::new(log_bytes, concurrency as u32).modified_async as f64,
        commit: match value("innodb_flush_log_at_trx_commit", 1.0) as u32 {
            0 => Commit::Nothing,
            1 => Commit::Durable,
            _ => Commit::Written,
        },
        log_wait_ns: costs.log_wait_ns as f64,
        admission: (concurrency > 0.0).then_some(concurrency),
        direct: value("innodb_flush_method", 0.0) >= 2.0,
        late_after_s: rules::INNODB_PURGE_LAG_NS as f64 / 1e9,
        late_in_turn: true,
        ..Demand::of(costs, load, tables, mean_frames, 16_384.0, writer)
    };
    let buffering = value("innodb_change_buffering", 1.0);
    let version = Version {
        purges: cleaner,
        // 8.0 leaves a row's transaction number as it is.
        purges_rows: cleaner && !version_8,
        buffers_inserts: buffering > 0.0,
        buffers_marks: version_8 && buffering >= 2.0,
    };
    let mut builder = Builder::new(scenario, tables, demand);
    for (table, asked, often) in &load.statements {
        statement(&mut builder, costs, *table, *asked, *often, version);
    }
    let undo_visits: f64 = load.statements.iter().map(|(_, asked, often)| undo_records(*asked) * often).sum();
    let undo_pages = f64::from(rules::INNODB_ROLLBACK_SEGMENTS);
    builder.own_pages("undo", undo_pages, undo_visits, undo_visits);
    let writing = load.writing;
    builder.again(writing * f64::from(rules::INNODB_COMMIT_REQUESTS + rules::INNODB_ASSIGN_REQUESTS));
    let demand = &mut builder.demand;
    demand.log_bytes += writing * rules::INNODB_LOG_COMMIT_BYTES as f64;
    demand.inside_ns = demand.cpu_ns * rules::INNODB_INSIDE_SHARE;
    builder.demand
}

/// What versions do each in their way.
#[derive(Debug, Clone, Copy)]
struct Version {
    /// Threads of the engine's own come back to what was changed, and to the rows themselves.
    purges: bool,
    purges_rows: bool,
    /// Inserts into leaves of non-unique indexes that are not there are kept, and marks of deleted entries.
    buffers_inserts: bool,
    buffers_marks: bool,
}

/// How pages are written: by MariaDB's one cleaner in batches as large as the doublewrite buffer; by 8.0's, or its managers
/// of LRU lists, one an instance at most, in batches of a page for each write thread (`innodb8_flush.rs`).
fn cleaners(
    version_8: bool,
    instances: f64,
    doublewrite: bool,
    files: f64,
    value: &dyn Fn(&str, f64) -> f64,
) -> Cleaner {
    if !version_8 {
        let batch = rules::MARIADB_DOUBLEWRITE_PAGES as f64;
        return Cleaner {
            doublewrite,
            syncs_copies: true,
            syncs_pages: true,
            files,
            batch,
            side_by_side: 1.0,
        };
    }
    let method = value("innodb_flush_method", 0.0);
    let set = value("innodb_doublewrite_pages", 0.0);
    // -1: the profile has no such parameter, and no managers.
    let managers = value("innodb_cleaner_lsn_age_factor", -1.0) >= 0.0;
    let threads = value("innodb_page_cleaners", 1.0);
    Cleaner {
        doublewrite,
        syncs_copies: method < 2.0,
        syncs_pages: method < 3.0,
        files,
        batch: if set > 0.0 { set } else { value("innodb_write_io_threads", 1.0) }.max(1.0),
        side_by_side: if managers { instances } else { threads.clamp(1.0, instances) },
    }
}

fn undo_records(asked: Asked) -> f64 {
    match asked {
        Asked::Update { rows, .. } => rows,
        Asked::Insert { .. } | Asked::Delete => 1.0,
        _ => 0.0,
    }
}

fn statement(
    builder: &mut Builder<'_>,
    costs: spindle_engine::profile::ProcessorCosts,
    table: usize,
    asked: Asked,
    often: f64,
    version: Version,
) {
    let shape = &builder.tables[table];
    let entries = shape.indexes.len();
    let beside = |index: usize| 2.0 / shape.indexes.get(index).map_or(2.0, |i| i.rows_a_leaf.max(2.0));
    let (row_bytes, first_beside) = (shape.row_bytes, beside(0));
    let non_unique = |index: usize| shape.indexes.get(index).is_some_and(|i| i.kind == IndexKind::NonUnique);
    let of: Vec<(f64, f64, bool)> = (0..entries)
        .map(|i| (shape.indexes[i].entry_bytes, shape.indexes[i].rows_a_leaf, non_unique(i)))
        .collect();
    let ns = |ns: u64| ns as f64 * often;
    match asked {
        Asked::Select { index } => {
            builder.demand.cpu_ns += ns(costs.select_ns);
            let looks = if non_unique(index) { 2.0 } else { 1.0 };
            builder.descend(table, index, often, 0.0);
            let height = builder.tables[table].indexes.get(index).map_or(0.0, |i| i.height());
            // A second descent right after the first finds everything there.
            builder.again(often * (looks - 1.0) * height);
            builder.leaves(table, index, often * looks * beside(index));
            if index != 0 {
                builder.descend(table, 0, often, 0.0);
            }
        }
        Asked::Range { index, rows } => {
            builder.demand.cpu_ns += ns(costs.select_ns) + ns(costs.row_ns) * rows;
            let (height, a_leaf) =
                builder.tables[table].indexes.get(index).map_or((0.0, 1.0), |i| (i.height(), i.rows_a_leaf));
            let further = beside(index) + rows / a_leaf;
            builder.descend(table, index, often, 0.0);
            builder.leaves(table, index, often * further);
            builder.again(often * (height + further));
            if index != 0 {
                for _ in 0..rows as u32 {
                    builder.descend(table, 0, often, 0.0);
                }
            }
        }
        Asked::Update { index, bytes, rows } => {
            builder.demand.cpu_ns += ns(costs.update_ns) * rows;
            builder.descend(table, 0, often, 1.0);
            builder.leaves(table, 0, often * first_beside);
            builder.again(often * rows);
            builder.demand.log_bytes +=
                often * rows * (rules::INNODB_LOG_UNDO_BYTES + bytes + bytes + rules::INNODB_LOG_ENTRY_BYTES);
            if let Some(index) = index {
                let (entry, _, non_unique) = of[index];
                let buffered = version.buffers_marks && non_unique;
                if buffered {
                    builder.descend_buffered(table, index, often);
                } else {
                    builder.descend(table, index, often, 1.0);
                }
                let height = builder.tables[table].indexes[index].height();
                builder.again(often * height);
                builder.demand.log_bytes +=
                    often * (rules::INNODB_LOG_MARK_BYTES + entry + rules::INNODB_LOG_ENTRY_BYTES);
                if version.purges {
                    purged_entry(builder, table, index, often, buffered);
                }
            }
            if version.purges_rows {
                builder.again(often * rows * builder.tables[table].indexes[0].height());
                builder.again_later(table, 0, often * rows);
                builder.demand.log_bytes += often * rows * 40.0;
            }
        }
        Asked::Delete => {
            builder.demand.cpu_ns += ns(costs.update_ns);
            builder.descend(table, 0, often, 1.0);
            builder.leaves(table, 0, often * first_beside);
            builder.again(often);
            builder.demand.log_bytes +=
                often * (rules::INNODB_LOG_UNDO_BYTES + rules::INNODB_LOG_MARK_BYTES * entries as f64);
            for (index, (_, _, non_unique)) in of.into_iter().enumerate().skip(1) {
                let buffered = version.buffers_marks && non_unique;
                if buffered {
                    builder.descend_buffered(table, index, often);
                } else {
                    builder.descend(table, index, often, 1.0);
                }
                if version.purges {
                    purged_entry(builder, table, index, often, buffered);
                }
            }
            if version.purges {
                builder.again(often * builder.tables[table].indexes[0].height());
            }
        }
        Asked::Insert { same_key } => {
            builder.demand.cpu_ns += ns(costs.insert_ns) + ns(costs.index_entry_ns) * entries as f64;
            let undo = rules::INNODB_LOG_UNDO_BYTES + if same_key { row_bytes } else { 0.0 };
            builder.demand.log_bytes += often * undo;
            for (index, (entry, a_leaf, non_unique)) in of.into_iter().enumerate() {
                if same_key && index == 0 {
                    // The deleted record, still there, becomes the new row; it was visited a moment ago.
                    builder.again(often * builder.tables[table].indexes[0].height());
                    builder.demand.log_bytes += often * (row_bytes + rules::INNODB_LOG_REPLACE_BYTES);
                    continue;
                }
                let unread = if version.buffers_inserts && non_unique && !same_key { 1.0 } else { 0.0 };
                builder.descend_anywhere(table, index, often, 1.0, unread);
                // Every so many inserts a leaf is full: half of its records move, and are logged.
                let splits = if same_key { 0.0 } else { often / a_leaf };
                builder.again(splits * f64::from(rules::INNODB_SPLIT_REQUESTS));
                builder.demand.log_bytes +=
                    often * (entry + rules::INNODB_LOG_ENTRY_BYTES) + splits * a_leaf * 0.7 * entry;
            }
        }
        Asked::Scan => {
            let (rows, leaves) = (
                builder.tables[table].rows,
                builder.tables[table].indexes.first().map_or(0.0, |i| i.leaves()),
            );
            builder.demand.cpu_ns += ns(costs.select_ns) + ns(costs.row_ns) * rows;
            builder.leaves(table, 0, often * leaves);
        }
    }
}

/// Purge looks an entry's row up, and takes the entry out; both were used a moment ago. Where the leaf is not there
/// any more it is read, unless the change is buffered.
fn purged_entry(builder: &mut Builder<'_>, table: usize, index: usize, often: f64, buffered: bool) {
    let indexes = &builder.tables[table].indexes;
    let requests = indexes[0].height() + indexes[index].height();
    builder.again(often * requests);
    if !buffered {
        builder.again_later(table, index, often);
    }
    builder.demand.log_bytes += often * 200.0;
}
