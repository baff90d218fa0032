//! The 22 queries of TPC-H: what their plans asked of a pool, and how long they took over an emulated device.

use crate::{Answer, Cell, device, run::simulate};
use serde::Deserialize;
use serde_json::json;
use spindle_engine::{
    layout::StorageFormat,
    parameters::{Parameters, Value as Setting},
};
use spindle_scenario::{EngineSpec, Machine, RunSpec, Scenario, StandardTables, Start, Stop, Storage};
use spindle_units::{Bytes, Span};
use spindle_workload::{WorkloadKind, WorkloadSpec};
use std::collections::BTreeMap;

/// The kind of cell.
pub(crate) const KIND: &str = "query";

/// Clock that stands for the machine where nobody else was at work, and beside two busy servers on its two hardware
/// threads, in GHz: the same statement took 1.6 times as long there (Q1 7.2 and 13.3 s, Q6 1.5 and 2.7 s).
const QUIET_GHZ: f64 = 4.0;
const BUSY_GHZ: f64 = 2.5;

/// The longest a query may take; none that was measured came near it.
const LONGEST: Span = Span::seconds(86_400);

/// A document of measured queries: each one's run, and those over an emulated device.
#[derive(Debug, Deserialize)]
struct Document {
    runs: Vec<Measured>,
    #[serde(default)]
    device_emulation: Vec<Measured>,
}

/// A measured run of a query.
#[derive(Debug, Deserialize)]
struct Measured {
    engine: String,
    #[serde(default = "scale_1")]
    sf: f64,
    query: u8,
    #[serde(default)]
    pool: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    tag: Option<String>,
    #[serde(default)]
    device: Option<String>,
    #[serde(default)]
    ahi: u8,
    #[serde(default)]
    join_cache_level: u8,
    #[serde(default)]
    elapsed_s: Option<f64>,
    /// Counters by their names.
    #[serde(default)]
    status: BTreeMap<String, f64>,
    #[serde(default)]
    shared_buffers: String,
    #[serde(default)]
    work_mem: String,
    #[serde(default)]
    max_parallel_workers_per_gather: u8,
    /// EXPLAIN (ANALYZE, BUFFERS): the counts of the operator on top are those of the whole plan.
    #[serde(default)]
    plan: Option<Blocks>,
}

/// Page requests of a plan of PostgreSQL; what was not counted at all is left out.
#[derive(Debug, Deserialize)]
struct Blocks {
    #[serde(default, rename = "Shared Hit Blocks")]
    hit: f64,
    #[serde(default, rename = "Shared Read Blocks")]
    read: f64,
}

fn scale_1() -> f64 {
    1.0
}

/// Cells out of a document of measured queries.
///
/// # Errors
/// What the document lacks.
pub fn cells_of_queries(text: &str) -> Result<Vec<Cell>, String> {
    let document: Document = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let on_devices = document.device_emulation.iter().filter(|run| run.device.is_some());
    Ok(document.runs.iter().chain(on_devices).filter_map(cell).collect())
}

/// The cell of a measured run; none for what no plan is kept of.
fn cell(run: &Measured) -> Option<Cell> {
    match run.engine.as_str() {
        "mariadb" => mariadb(run),
        "postgresql" => postgresql(run),
        _ => None,
    }
}

fn postgresql(run: &Measured) -> Option<Cell> {
    let blocks = run.plan.as_ref().filter(|_| run.max_parallel_workers_per_gather == 0)?;
    let plans = match run.work_mem.as_str() {
        "4MB" => "postgresql-15",
        "64MB" => "postgresql-15-64mb",
        _ => return None,
    };
    let Measured { query, sf, shared_buffers, state, work_mem, .. } = run;
    Some(Cell {
        id: format!("tpch/postgresql/q{query:02}/scale-{sf}/{shared_buffers}/{state}/work_mem-{work_mem}"),
        engine: "postgresql-15".into(),
        kind: KIND.into(),
        setup: json!({
            "query": query,
            "scale": sf,
            "pool": shared_buffers,
            "start": state,
            "plans": plans,
        }),
        truth: json!({ "page_requests": blocks.hit + blocks.read, "page_reads": blocks.read }),
        trust: "counters".into(),
        note: None,
    })
}

fn mariadb(run: &Measured) -> Option<Cell> {
    let (tag, device) = (run.tag.as_deref().unwrap_or_default(), run.device.as_deref().unwrap_or_default());
    let other_plan = tag == "mariadb_default_switches" || run.join_cache_level > 0;
    if other_plan || tag == "repeat" {
        return None;
    }
    let at_once = matches!(tag, "obt0_all" | "old_blocks_time_0");
    let plans = if matches!(tag, "semijoin_off" | "prune_level_1") { "mysql-5.6" } else { "mariadb-10.11" };
    let mut id = format!("tpch/mariadb/q{:02}/scale-{}/{}/{}", run.query, run.sf, run.pool, run.state);
    let hashed = if run.ahi > 0 { "hashed" } else { "" };
    for part in [tag, device, hashed].into_iter().filter(|part| !part.is_empty()) {
        id = format!("{id}/{part}");
    }
    // What was not counted at all is left out of the document.
    let count = |name: &str| run.status.get(name).copied().unwrap_or(0.0);
    let trust = match (device, tag) {
        ("", _) if at_once || run.pool == "4G" => "counters",
        ("", _) => "reads depend on the time in the old part of the list and so on the speed of the query",
        (_, "quiet") => "good",
        _ => "beside other servers",
    };
    Some(Cell {
        id,
        engine: "mariadb-10.11".into(),
        kind: KIND.into(),
        setup: json!({
            "query": run.query,
            "scale": run.sf,
            "pool": run.pool,
            "start": run.state,
            "old_blocks_time": if at_once { 0 } else { 1000 },
            "plans": plans,
            "adaptive_hash_index": run.ahi > 0,
            "device": device,
            "quiet": tag == "quiet",
        }),
        truth: json!({
            "page_requests": count("Innodb_buffer_pool_read_requests"),
            "page_reads": count("Innodb_pages_read"),
            "latency_mean_ms": run.elapsed_s.filter(|_| !device.is_empty()).map(|seconds| seconds * 1e3),
        }),
        trust: trust.into(),
        note: None,
    })
}

pub(crate) fn answer(cell: &Cell) -> Result<Answer, String> {
    let scenario = scenario(cell)?;
    let report = simulate(&scenario)?;
    let mut answer = Answer::default();
    let each = &report.per_transaction;
    answer.count(cell, "page_requests", each.page_requests, cell.truth("page_requests"));
    answer.count(cell, "page_reads", each.page_reads, cell.truth("page_reads"));
    answer.time(cell, "latency_mean_ms", report.latency_ms.mean, cell.truth("latency_mean_ms"));
    answer.ran(&scenario);
    Ok(answer)
}

/// The device of the emulation by its name; served from memory where there was none.
fn storage(name: &str) -> Storage {
    /// A read of `hdd` and of `ssd`, and how late whoever waits is woken where nobody else is at work, in microseconds.
    const HDD_US: f64 = 1000.0;
    const SSD_US: f64 = 100.0;
    const LATE_US: f64 = 22.0;
    match name {
        "hdd" => device::late(device::fixed(1, [HDD_US; 3]), LATE_US),
        "ssd" => device::late(device::fixed(8, [SSD_US; 3]), LATE_US),
        _ => device::memory(),
    }
}

fn scenario(cell: &Cell) -> Result<Scenario, String> {
    let number = |name: &str| cell.number(name).ok_or_else(|| format!("setup.{name} is missing"));
    let text = |name: &str| cell.text(name).unwrap_or_default();
    let scale = number("scale")?;
    if !(0.001..=10.0).contains(&scale) {
        return Err(format!("found scale {scale}, expected 0.001 to 10"));
    }
    let profile = spindle_engine::profile::Profile::find(&cell.engine);
    let profile = profile.ok_or_else(|| format!("engine `{}` has no model", cell.engine))?;
    let pool = text("pool").parse::<Bytes>().map_err(|_| "setup.pool: a size expected")?;
    let pool = Setting::Number(pool.0 as f64);
    let mut parameters = Parameters::default();
    if profile.format == StorageFormat::Innodb {
        parameters.set("innodb_buffer_pool_size", pool);
        let hashed = cell.switch("adaptive_hash_index") == Some(true);
        parameters.set("innodb_adaptive_hash_index", Setting::Switch(hashed));
        // The layer that counts and delays stands below synchronous calls.
        parameters.set("innodb_use_native_aio", Setting::Switch(false));
        parameters.set("innodb_old_blocks_time", Setting::Number(number("old_blocks_time")?));
    } else {
        parameters.set("shared_buffers", pool);
        // Its plans were measured with this work_mem.
        let work_mem = if text("plans").ends_with("64mb") { "64M" } else { "4M" };
        parameters.set("work_mem", Setting::Text(work_mem.into()));
    }
    let mut tables = StandardTables::Tpch.tables(1, profile.format);
    for table in tables.iter_mut().filter(|table| !WorkloadKind::Tpch.keeps_whole(&table.name)) {
        table.rows = (table.rows as f64 * scale) as u64;
    }
    let mut workload = WorkloadSpec::new(WorkloadKind::Tpch, 1);
    workload.queries = vec![number("query")? as u8];
    workload.plans = text("plans").to_owned();
    let clock_ghz = if cell.switch("quiet") == Some(true) { QUIET_GHZ } else { BUSY_GHZ };
    Ok(Scenario {
        title: cell.id.clone(),
        seed: 1,
        machine: Machine { cores: 2, clock_ghz, memory: Bytes::gib(24) },
        storage: storage(text("device")),
        engine: EngineSpec::new(&cell.engine, parameters),
        cluster: None,
        tables,
        workload,
        run: RunSpec {
            duration: LONGEST,
            stop: Stop::Transactions,
            transactions: 1,
            start: if text("start") == "warm" { Start::Warm } else { Start::Cold },
            sample: 1.0,
            ..RunSpec::default()
        },
    })
}
