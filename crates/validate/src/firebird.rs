//! Cells of Firebird 3.0 SuperServer under TPC-C's tables and operations.

use crate::{Answer, Cell, cell::check_size, device, firebird_tables::tables, run::simulate};
use serde_json::Value;
use spindle_engine::{
    firebird_format::{database_bytes, pointer_pages},
    layout::{StorageFormat, StorageRules, TableLayout},
    parameters::{Parameters, Value as Setting},
    tree::InsertOrder,
};
use spindle_scenario::{EngineSpec, Machine, RunSpec, Scenario, Start, Stop, Storage, Table};
use spindle_units::{Bytes, Span};
use spindle_workload::{WorkloadKind, WorkloadSpec};

pub(crate) fn answer(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    match cell.kind.as_str() {
        "sizing" => sizing(cell, setup),
        "counters" | "device" => work(cell, setup),
        other => Err(format!("kind `{other}` is not asked yet")),
    }
}

/// Rows of TPC-C's largest table (clause 1.2.1).
const ORDER_LINES_A_WAREHOUSE: u64 = 300_000;

fn needed(cell: &Cell, name: &str) -> Result<u64, String> {
    cell.number(name).map(|n| n as u64).ok_or_else(|| format!("setup.{name} is missing"))
}

fn layout(table: &Table, page_bytes: u32) -> TableLayout {
    let spec = table.spec();
    let rules = StorageRules {
        format: StorageFormat::Firebird,
        page_bytes,
        order: spec.order,
        fill: spec.fill,
        rows_per_commit: None,
    };
    rules.table(&table.name, &spec.schema, spec.rows, 1)
}

/// Pages, leaves and depth of one table, and the size of the whole database.
fn sizing(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    let page_bytes = needed(cell, "page_size")? as u32;
    let warehouses = needed(cell, "warehouses")?;
    check_size(warehouses.saturating_mul(ORDER_LINES_A_WAREHOUSE), u64::from(page_bytes))?;
    let mut tables = tables(setup, warehouses)?;
    let name = cell.text("table").ok_or("setup.table is missing")?.to_ascii_lowercase();
    let table = tables.iter_mut().find(|t| t.name == name).ok_or("the table is not in the schema")?;
    // How many lines its orders have was drawn when the table was loaded: it is data.
    if let Some(rows) = cell.truth("total_records") {
        table.rows = rows as u64;
    }
    let asked = layout(table, page_bytes);
    let all: u64 = tables.iter().map(|table| layout(table, page_bytes).bytes).sum();
    let mut answer = Answer::default();
    let pages = asked.heap.map_or(0, |heap| heap.pages);
    let pointers = pointer_pages(StorageFormat::Firebird, page_bytes, pages);
    answer.count(cell, "data_pages", pages as f64, cell.truth("data_pages"));
    answer.count(cell, "pointer_pages", pointers as f64, cell.truth("pointer_pages"));
    for index in &asked.indexes {
        let name = index.name.to_ascii_uppercase();
        let truth = |what: &str| cell.truth(&format!("indexes.{name}.{what}"));
        answer.count(cell, format!("{name}.leaf_pages"), index.leaf_pages as f64, truth("leaf_buckets"));
        answer.count(cell, format!("{name}.height"), f64::from(index.height), truth("depth"));
    }
    let bytes = database_bytes(page_bytes, all);
    answer.count(cell, "allocated_bytes", bytes as f64, cell.truth("database_bytes"));
    Ok(answer)
}

/// What an operation of the setup does.
fn operation(name: &str) -> Option<WorkloadKind> {
    Some(match name {
        "sel" | "sel_ro" => WorkloadKind::StockSelect,
        "selol" | "selol_ro" => WorkloadKind::OrderLineSelect,
        "ins" => WorkloadKind::OrderLineInsert,
        "upd" => WorkloadKind::StockUpdate,
        "del" => WorkloadKind::OrderLineDelete,
        "mix" => WorkloadKind::OrderEntry,
        "tpcc_neword" => WorkloadKind::NewOrder,
        "tpcc_pay" => WorkloadKind::Payment,
        "tpcc_ordst" => WorkloadKind::OrderStatus,
        "tpcc_deliv" => WorkloadKind::Delivery,
        "tpcc_stock" => WorkloadKind::StockLevel,
        _ => return None,
    })
}

/// Tables that have been worked on: rows were inserted between those of the load, and so each bucket of the indexes they
/// went to, which the build had left full, has split. The cells ran one after the other on the same databases: some ten
/// thousand inserts, against two thousand buckets and millions of rows.
fn in_use(mut tables: Vec<Table>) -> Vec<Table> {
    let grown = tables
        .iter_mut()
        .filter(|table| matches!(table.name.as_str(), "order_line" | "orders" | "new_order"));
    for index in grown.flat_map(|table| &mut table.indexes) {
        index.order = Some(InsertOrder::SplitBuild);
    }
    tables
}

/// The longest a cell is simulated, in seconds of virtual time.
const LONGEST_S: u64 = 600;

/// How late the emulated device wakes whoever waits, in microseconds: the timer slack of Linux. These cells do not
/// say how late it was; in the quietest ones of other engines it was 43 to 90 µs.
const LATE_US: f64 = 50.0;

/// The emulated device of that name; without emulation nothing is late.
fn storage(name: &str) -> Option<Storage> {
    if name.starts_with("none") {
        return Some(device::memory());
    }
    let (slots, times_us) = device::named(name)?;
    Some(device::late(device::fixed(slots, times_us), LATE_US))
}

/// Every cell begins with what a long run of its operation leaves in the cache. The measurements ran one after the other
/// on the same server, so that some of the first with a large cache found it not yet full; which, their setup does not
/// say.
fn scenario(cell: &Cell, setup: &Value) -> Result<Scenario, String> {
    let name = cell.text("operation").ok_or("setup.operation is missing")?;
    let kind = operation(name).ok_or_else(|| format!("operation `{name}` is not known"))?;
    let device = cell.text("device").ok_or("setup.device is missing")?;
    let storage = storage(device).ok_or_else(|| format!("device `{device}` is not known"))?;
    let mut parameters = Parameters::default();
    for parameter in ["page_size", "page_buffers"] {
        parameters.set(parameter, Setting::Number(needed(cell, parameter)? as f64));
    }
    parameters.set("forced_writes", Setting::Switch(cell.switch("forced_writes").unwrap_or(true)));
    Ok(Scenario {
        title: String::new(),
        seed: 1,
        machine: Machine { cores: 2, clock_ghz: 2.5, memory: Bytes(24 << 30) },
        storage,
        engine: EngineSpec::new("firebird-3.0", parameters),
        cluster: None,
        tables: in_use(tables(setup, needed(cell, "warehouses")?)?),
        workload: WorkloadSpec {
            read_only: cell.switch("read_only_transaction").unwrap_or(false),
            ..WorkloadSpec::new(kind, needed(cell, "connections")? as u32)
        },
        run: RunSpec {
            duration: Span::seconds(LONGEST_S),
            stop: Stop::Confidence,
            precision: 0.02,
            start: Start::Warm,
            ..RunSpec::default()
        },
    })
}

/// What a transaction takes, and how fast they go.
fn work(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    let scenario = scenario(cell, setup)?;
    let report = simulate(&scenario)?;
    let mut answer = Answer::default();
    answer.ran(&scenario);
    answer.report(cell, &report);
    answer.count(cell, "marks", report.per_transaction.page_marks, cell.truth("marks"));
    Ok(answer)
}
