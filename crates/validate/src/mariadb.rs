//! Cells of MariaDB 10.11 under sysbench.

use crate::{
    Answer, Cell,
    cell::check_size,
    device,
    run::{report_answer, simulate},
    tables,
};
use serde_json::Value;
use spindle_engine::{
    layout::StorageRules,
    parameters::{Parameters, Value as Setting},
    profile::Profile,
    schema::{ColumnType, Index, IndexKind, Schema},
    tree::InsertOrder,
};
use spindle_scenario::{EngineSpec, Machine, RunSpec, Scenario, Start, Stop, Storage, Table};
use spindle_units::{Bytes, Span};
use spindle_workload::{Distribution, WorkloadKind, WorkloadSpec};

const PROFILE: &str = "mariadb-10.11";

pub(crate) fn answer(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    match cell.kind.as_str() {
        "sizing" => sizing(cell, setup),
        "counters" => counters(cell, setup),
        "group_commit" => group_commit(cell, setup),
        "device" => on_device(cell, setup),
        other => Err(format!("kind `{other}` is not known")),
    }
}

/// The table of a name in the measurements' DDL; `sbtest` got its index `k_1` after the load.
fn schema(setup: &Value, name: &str) -> Result<Schema, String> {
    let mut schema = tables::named(setup, name)?;
    if name == "sbtest" {
        schema.indexes.push(Index::new("k_1", IndexKind::NonUnique, vec!["k".into()]));
    }
    Ok(schema)
}

/// Indexes whose first column has nothing to do with the order of the primary key: `k` of sysbench, part and
/// supplier, customer, and the dates of orders.
fn scatter_secondaries(schema: &mut Schema, rows: u64, order: InsertOrder) {
    let primary = schema.primary().and_then(|p| p.columns.first().cloned());
    let dated: Vec<String> =
        schema.columns.iter().filter(|c| c.kind == ColumnType::Date).map(|c| c.name.clone()).collect();
    for index in schema.indexes.iter_mut().filter(|index| index.kind != IndexKind::Primary) {
        if index.columns.first() != primary.as_ref() {
            index.scattered = true;
            index.order = Some(order);
            index.values = dates(index, &dated).or_else(|| part_suppliers(index, rows));
        }
    }
}

/// Different dates of an index on one: orders are spread over 2406 days, ships follow within 121 (TPC-H specification,
/// clause 4.2.3).
fn dates(index: &Index, dated: &[String]) -> Option<u64> {
    let [column] = index.columns.as_slice() else { return None };
    dated.contains(column).then_some(if column.contains("order") { 2406 } else { 2526 })
}

/// Different pairs of part and supplier among line items: 800 000 to 6 million (TPC-H specification, clause 4.2.5).
fn part_suppliers(index: &Index, rows: u64) -> Option<u64> {
    (index.columns == ["l_partkey", "l_suppkey"]).then_some(rows * 2 / 15)
}

fn sizing(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    let text = |path: &str| cell.text(path).ok_or_else(|| format!("setup.{path} is missing"));
    let rows = cell.number("rows").ok_or("setup.rows is missing")? as u64;
    let page_bytes = cell.number("page_size").unwrap_or(16_384.0) as u32;
    check_size(rows, u64::from(page_bytes))?;
    let mut schema = schema(setup, text("schema")?)?;
    let order = match text("insert_order")? {
        "seq" => InsertOrder::Sequential,
        "rand" => InsertOrder::Random,
        other => return Err(format!("insert order `{other}` is not known")),
    };
    let built = text("secondary")?.contains("after load");
    scatter_secondaries(
        &mut schema,
        rows,
        if built { InsertOrder::SortedBuild } else { InsertOrder::Random },
    );
    tables::set_charset(&mut schema, cell.text("charset").unwrap_or("latin1"));
    let profile = Profile::find(PROFILE).ok_or("the profile is missing")?;
    let rules = StorageRules {
        format: profile.format,
        page_bytes,
        order,
        fill: tables::ARTICLE_FILL,
        rows_per_commit: None,
    };
    let layout = rules.table("t", &schema, rows, 1);
    let name = text("index")?;
    let index = layout.indexes.iter().find(|index| index.name == name);
    let index = index.ok_or_else(|| format!("index `{name}` is not in the table"))?;
    let mut answer = Answer::default();
    answer.count(cell, "leaf_pages", index.leaf_pages as f64, cell.truth("leaf_pages"));
    answer.count(cell, "height", f64::from(index.height), cell.truth("height"));
    let mut add = |name, model, truth| answer.allocation(cell, rows, name, model, truth);
    add("allocated_pages", index.allocated_pages as f64, cell.truth("allocated_pages"));
    add("file_bytes", layout.file_bytes as f64, cell.truth("file_bytes"));
    answer.count(cell, "record_bytes", index.entry_bytes, cell.truth("record_bytes"));
    Ok(answer)
}

/// The tables that the cells ran on (`innodb.dataset` of the setup): four sbtest tables of 1.25 million rows, whose
/// index `k` was aged by updates until its leaves were as full as random inserts leave them, or four tables of the
/// article's schema with 250 000 rows each.
fn data(setup: &Value, kind: WorkloadKind, run: &str) -> Result<Table, String> {
    let seed = is_seed(kind, run);
    let mut schema = schema(setup, if seed { "seed" } else { "sbtest" })?;
    let (rows, order) =
        if seed { (250_000, InsertOrder::Random) } else { (1_250_000, InsertOrder::Sequential) };
    if !seed {
        scatter_secondaries(&mut schema, rows, InsertOrder::Random);
    }
    Ok(Table {
        name: if seed { "t".into() } else { "sbtest".into() },
        count: 4,
        rows,
        order,
        fill: tables::ARTICLE_FILL,
        rows_per_commit: None,
        columns: schema.columns,
        indexes: schema.indexes,
    })
}

/// Whether a run went to the article's tables.
fn is_seed(kind: WorkloadKind, run: &str) -> bool {
    run.contains("seed") || kind == WorkloadKind::InsertFull
}

/// What a run did, by its name: `read_write_special`, `seed_insert_random`, `point_zipf0.8_scrambled`.
fn load(run: &str) -> Result<(WorkloadKind, Distribution), String> {
    let kinds = [
        ("point_", WorkloadKind::PointSelect),
        ("read_only_", WorkloadKind::ReadOnly),
        ("read_write_", WorkloadKind::ReadWrite),
        ("write_only_", WorkloadKind::WriteOnly),
        ("update_index_", WorkloadKind::UpdateIndex),
        ("update_non_index_", WorkloadKind::UpdateNonIndex),
        ("seed_insert_", WorkloadKind::InsertFull),
        ("seed_select_pk", WorkloadKind::PointSelect),
        ("seed_select_uk", WorkloadKind::UniqueSelect),
        ("seed_select_ix", WorkloadKind::NonUniqueSelect),
        ("seed_select_all", WorkloadKind::AnySelect),
    ];
    let found =
        kinds.iter().find_map(|(name, kind)| run.find(name).map(|at| (*kind, &run[at + name.len()..])));
    let (kind, rest) = found.ok_or_else(|| format!("run `{run}` is not a load the model knows"))?;
    let keys = rest.split('_').next().unwrap_or("");
    let scattered = if rest.contains("scrambled") { " scattered" } else { "" };
    let keys = match keys {
        "uniform" | "random" | "" => "uniform".to_owned(),
        "special" | "pareto" => keys.to_owned(),
        other => match other.strip_prefix("zipf") {
            Some(exponent) => format!("power {exponent}{scattered}"),
            None => return Err(format!("distribution `{other}` of run `{run}` is not known")),
        },
    };
    Ok((kind, keys.parse()?))
}

fn scenario(setup: &Value, run: &str, storage: Storage, clients: u32) -> Result<Scenario, String> {
    let (kind, keys) = load(run)?;
    let seed = is_seed(kind, run);
    Ok(Scenario {
        title: String::new(),
        seed: 1,
        machine: Machine { cores: 2, clock_ghz: 2.5, memory: Bytes(24 << 30) },
        storage,
        engine: EngineSpec::new(PROFILE, Parameters::default()),
        cluster: None,
        tables: vec![data(setup, kind, run)?],
        workload: WorkloadSpec { keys, ..WorkloadSpec::new(kind, clients) },
        run: RunSpec {
            duration: Span::seconds(WINDOW_S),
            stop: Stop::Duration,
            precision: 0.01,
            // Loads on the article's tables came after those on sysbench's.
            start: if seed { Start::Shifted } else { Start::Warm },
            warm_up: Some(warm_up(kind, run)),
            ..RunSpec::default()
        },
    })
}

/// Length of the windows of commits: short enough for the log to stay far from its end without waiting.
const COMMITS_S: u64 = 10;

/// Transactions before a window: each run began with 8 seconds of its load at full speed, unless its name says
/// otherwise; some 20 000 reading statements a second, 8 000 writing ones, and 5 000 of the article's, which came from
/// a script (`cpu_ms` of the cells is good to a factor of two).
fn warm_up(kind: WorkloadKind, run: &str) -> u64 {
    let seconds = run.split_once("longwarm").and_then(|(_, rest)| rest.trim_end_matches('s').parse().ok());
    let statements = match (kind.writes(), is_seed(kind, run)) {
        (true, _) => 8_000,
        (false, true) => 5_000,
        (false, false) => 20_000,
    };
    seconds.unwrap_or(8) * statements / u64::from(kind.statements())
}

/// Log that the warming wrote each second: 8 000 statements of about a kilobyte in each that writes.
fn warm_log_rate(kind: WorkloadKind) -> u64 {
    let writing = if kind == WorkloadKind::InsertFull { 1 } else { 4 };
    8_000 * writing * 1_000 / u64::from(kind.statements())
}

/// Linux wakes sleepers up to this much late to save wake-ups.
const TIMER_SLACK_US: f64 = 50.0;

/// Length of the measured windows: 12 to 25 seconds.
const WINDOW_S: u64 = 25;

/// Settings of a cell that are parameters of the engine, under their own names, and those of the servers measured
/// (`innodb.meta.my_cnf`).
fn configure(scenario: &mut Scenario, cell: &Cell) {
    let parameters = &mut scenario.engine.parameters;
    parameters.set("innodb_write_io_threads", Setting::Number(16.0));
    parameters.set("innodb_use_native_aio", Setting::Switch(false));
    // Neighbours are flushed along only where the file system lies on a rotating disk; here it did not.
    parameters.set("innodb_flush_neighbors", Setting::Number(0.0));
    parameters.set("innodb_old_blocks_time", Setting::Number(0.0));
    for (path, name) in [
        ("innodb_buffer_pool_size", "innodb_buffer_pool_size"),
        ("innodb_old_blocks_time", "innodb_old_blocks_time"),
        ("innodb_flush_log_at_trx_commit", "innodb_flush_log_at_trx_commit"),
        ("lru_scan_depth", "innodb_lru_scan_depth"),
    ] {
        if let Some(value) = cell.number(path) {
            parameters.set(name, Setting::Number(value));
        }
    }
    if let Some(words) = cell.text("change_buffering") {
        parameters.set("innodb_change_buffering", Setting::Text(words.into()));
    }
    let run = cell.text("run").unwrap_or("");
    if run.starts_with("ahi_on") {
        parameters.set("innodb_adaptive_hash_index", Setting::Switch(true));
    }
    if let Some(size) = run.strip_prefix("redo").and_then(|rest| rest.split('_').next()) {
        parameters.set("innodb_log_file_size", Setting::Text(size.into()));
    }
}

fn counters(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    let run = cell.text("run").ok_or("setup.run is missing")?;
    let clients = cell.number("threads").unwrap_or(4.0) as u32;
    let mut scenario = scenario(setup, run, device::memory(), clients)?;
    configure(&mut scenario, cell);
    if !scenario.workload.kind.writes() {
        scenario.run.stop = Stop::Confidence;
    }
    report(cell, &scenario)
}

fn group_commit(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    let clients = cell.number("threads").ok_or("setup.threads is missing")? as u32;
    let mut scenario = scenario(setup, "update_non_index_uniform", device::described(cell), clients)?;
    configure(&mut scenario, cell);
    scenario.run.duration = Span::seconds(COMMITS_S);
    // The statement is told to be cached.
    scenario.run.warm_up = None;
    scenario.engine.parameters.set("innodb_buffer_pool_size", Setting::Text("1536M".into()));
    report(cell, &scenario)
}

fn on_device(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    let run = cell.text("workload").ok_or("setup.workload is missing")?;
    let clients = cell.number("threads").ok_or("setup.threads is missing")? as u32;
    let mut scenario = scenario(setup, run, device::described(cell), clients)?;
    configure(&mut scenario, cell);
    let before = |name: &str| {
        let value = &cell.setup["state_before_after"][name][0];
        value.as_u64().unwrap_or(0)
    };
    // On the busy machine an answer is as late as the device's, less the slack of the timer that the device goes by.
    let late_us = cell.truth("late_us_per_io").unwrap_or(0.0) - TIMER_SLACK_US;
    scenario.workload.round_trip = Span((late_us.max(0.0) * 1000.0) as u64);
    if scenario.workload.kind.writes() {
        scenario.run.dirty_pages = before("buffer_pool_pages_dirty");
        scenario.run.checkpoint_age = Bytes(before("checkpoint_age"));
        scenario.run.log_rate = Bytes(warm_log_rate(scenario.workload.kind));
    }
    report(cell, &scenario)
}

fn report(cell: &Cell, scenario: &Scenario) -> Result<Answer, String> {
    let report = simulate(scenario)?;
    let mut answer = report_answer(cell, &report);
    answer.ran(scenario);
    // A SELECT of the `seed` runs is measured by statement, which is what one transaction is here.
    if cell.truth("log_syncs").is_none() {
        let syncs = cell.truth("physical_redo_fsync");
        answer.count(cell, "log_syncs", report.per_transaction.log_syncs, syncs);
    }
    Ok(answer)
}
