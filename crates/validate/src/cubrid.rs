//! Cells of CUBRID 11.3: sizes of loaded tables, and counters around windows of statements.

use crate::{Answer, Cell, cell::check_size, device::fixed, run::simulate, tables};
use serde_json::Value;
use spindle_engine::{
    layout::{StorageFormat, StorageRules},
    parameters::{Parameters, Value as ParameterValue},
    profile::Profile,
    schema::FILL_DEFAULT,
    tree::InsertOrder,
};
use spindle_report::Report;
use spindle_scenario::{EarlierLoad, EngineSpec, Machine, RunSpec, Scenario, Start, Stop, Table};
use spindle_units::{Bytes, Span};
use spindle_workload::{WorkloadKind, WorkloadSpec};

/// Rows that selects look up: those of the first load, although inserts came on top (`lru_model` in the setup).
const SEARCHED_ROWS: f64 = 400_000.0;
/// Rows of a commit of that load.
const LOAD_COMMIT: u64 = 1000;
/// Bytes of a page of data and of log, and those of them that hold log records.
const PAGE: f64 = 16_384.0;
const LOG_PAGE: f64 = 16_344.0;
/// Statements of a window, where nothing else is said.
const SELECTS: u64 = 6000;
const INSERTS: u64 = 3000;
/// Inserts before a window of inserts: `table_rows` of the cells tell of 2000 to 7000, mostly 2000 to 4000.
const INSERTS_BEFORE: u64 = 3000;
/// Selects that warm the pool before a window is measured from a cold start: this many, or so many for each frame of a
/// larger pool. The cells do not say how long it was; where all pages fit, the reads that are left over in a window tell.
const SELECTS_BEFORE: u64 = 40_000;
const SELECTS_A_FRAME: f64 = 2.5;
/// The server is up for a while before its first client comes, and idle while one load's clients go and the next one's
/// come. The cells do not say how long; quotas of lists change meanwhile.
const FIRST_PAUSE: Span = Span::seconds(8);
const PAUSE: Span = Span::seconds(1);
/// The machine's own disk, which the cells do not describe: a write goes to the system's memory, a sync to the device.
const WRITE_US: f64 = 20.0;
const SYNC_US: f64 = 250.0;
const READ_US: f64 = 10.0;

pub(crate) fn answer(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    match cell.kind.as_str() {
        "sizing" => sizing(cell, setup),
        "counters" => counters(cell, setup),
        other => Err(format!("cells of kind `{other}` are not modelled")),
    }
}

fn sizing(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    let mut schema = tables::named(setup, cell.text("schema").unwrap_or("seed"))?;
    let order = match cell.text("insert_order") {
        Some("random") | None => InsertOrder::Random,
        Some(_) => InsertOrder::Sequential,
    };
    if cell.text("indexes_built").is_some_and(|when| when.contains("after")) {
        schema.indexes.iter_mut().for_each(|index| index.order = Some(InsertOrder::SortedBuild));
    }
    let rows = cell.number("rows").ok_or("the cell names no rows")? as u64;
    let page_bytes = cell.number("page_size").unwrap_or(16_384.0) as u32;
    check_size(rows, u64::from(page_bytes))?;
    let rules = StorageRules {
        format: StorageFormat::CubridVersions,
        page_bytes,
        order,
        fill: FILL_DEFAULT,
        // A load that names no size of its commits was one transaction.
        rows_per_commit: Some(cell.number("rows_per_commit").map_or(rows, |n| n as u64)),
    };
    let layout = rules.table("t", &schema, rows, 1);
    let mut answer = Answer::default();
    let heap = layout.heap.ok_or("the table has no heap")?;
    answer.count(cell, "data_pages", heap.pages as f64, cell.truth("data_pages"));
    answer.count(cell, "record_bytes", layout.row_bytes, cell.truth("record_bytes"));
    for index in &layout.indexes {
        // The engine names the primary key's index after table and columns: pk_t_id_seq.
        let measured = cell.truth["indexes"].as_object().and_then(|all| {
            all.iter().find(|(name, _)| {
                **name == index.name || (index.name == "PRIMARY" && name.starts_with("pk_"))
            })
        });
        let Some((_, truth)) = measured else { continue };
        let number = |name: &str| truth[name].as_f64();
        let name = |quantity: &str| format!("{}.{quantity}", index.name);
        answer.count(cell, name("leaf_pages"), index.leaf_pages as f64, number("Num_leaf_page"));
        answer.count(cell, name("height"), f64::from(index.height), number("Height"));
        let allocated = index.allocated_pages as f64;
        answer.allocation(cell, rows, name("allocated_pages"), allocated, number("Num_total_page"));
    }
    Ok(answer)
}

/// Per-transaction counts over a window of statements.
fn counters(cell: &Cell, setup: &Value) -> Result<Answer, String> {
    let scenario = scenario(cell, setup)?;
    let report = simulate(&scenario)?;
    let each = &report.per_transaction;
    let mut answer = Answer::default();
    answer.ran(&scenario);
    for (name, model) in [
        ("page_requests", each.page_requests),
        ("page_reads", each.page_reads),
        ("pages_written", each.pages_written),
        // The server counts syncs of all files.
        ("log_syncs", each.log_syncs + each.data_syncs),
        ("log_pages_written", log_pages(&report)),
    ] {
        answer.count(cell, name, model, cell.truth(name));
    }
    Ok(answer)
}

/// Log pages as the server counts them: with each flush the pages it has filled, the last one that it has not, and
/// that one again, since it is written by a call of its own (`logpb_flush_all_append_pages`).
fn log_pages(report: &Report) -> f64 {
    let each = &report.per_transaction;
    if each.log_writes == 0.0 { 0.0 } else { 2.0 * each.log_writes + each.log_bytes / LOG_PAGE }
}

/// What a cell's run did up to its window.
struct Protocol {
    /// The loads before the window, in their order.
    before: Vec<EarlierLoad>,
    measured: WorkloadSpec,
    transactions: u64,
}

impl Protocol {
    /// Rows that came in before the window.
    fn inserted(&self) -> u64 {
        let inserts = self.before.iter().filter(|load| load.workload.kind == WorkloadKind::InsertFull);
        inserts.map(|load| load.transactions).sum()
    }
}

fn scenario(cell: &Cell, setup: &Value) -> Result<Scenario, String> {
    let parameters = parameters(cell)?;
    let profile = Profile::find("cubrid-11.3").ok_or("there is no profile cubrid-11.3")?;
    let frames = profile.buffer_bytes(&parameters) / PAGE;
    let rows = cell.number("table_rows").ok_or("the cell names no table_rows")?;
    let protocol = protocol(cell, frames, rows)?;
    let schema = tables::named(setup, "seed")?;
    Ok(Scenario {
        title: cell.id.clone(),
        seed: 1,
        machine: Machine { cores: 2, clock_ghz: 2.5, memory: Bytes(16 << 30) },
        storage: fixed(8, [READ_US, WRITE_US, SYNC_US]),
        engine: EngineSpec::new(profile.name, parameters),
        cluster: None,
        tables: vec![Table {
            name: "sd400r".into(),
            count: 1,
            rows: rows as u64 - protocol.inserted(),
            order: InsertOrder::Random,
            fill: FILL_DEFAULT,
            rows_per_commit: Some(LOAD_COMMIT),
            columns: schema.columns,
            indexes: schema.indexes,
        }],
        workload: protocol.measured,
        run: RunSpec {
            duration: Span::seconds(86_400),
            stop: Stop::Transactions,
            start: Start::Cold,
            before: protocol.before,
            transactions: protocol.transactions,
            ..RunSpec::default()
        },
    })
}

/// The server's configuration, as far as the model follows it.
fn parameters(cell: &Cell) -> Result<Parameters, String> {
    let profile = Profile::find("cubrid-11.3").ok_or("there is no profile cubrid-11.3")?;
    let mut parameters = Parameters::default();
    let mut set = |name: &str, value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if profile.parameter(name).is_some() {
            parameters.set(name, ParameterValue::Text(text));
        }
    };
    set("max_clients", &Value::from(50));
    if let Some(configuration) = cell.setup["configuration"].as_object() {
        configuration.iter().for_each(|(name, value)| set(name, value));
    } else {
        set("data_buffer_size", &cell.setup["data_buffer_size"]);
        if cell.text("policy").is_some_and(|policy| policy.contains("num_private_chains=0")) {
            set("num_private_chains", &Value::from(0));
            set("num_LRU_chains", &Value::from(1));
        }
    }
    Ok(parameters)
}

fn workload(kind: WorkloadKind, clients: u32, rows: f64) -> WorkloadSpec {
    WorkloadSpec { search_range: (SEARCHED_ROWS / rows).min(1.0), ..WorkloadSpec::new(kind, clients) }
}

/// The statement of that name and how many clients send it.
fn operation(cell: &Cell) -> Result<(WorkloadKind, u32), String> {
    let name = cell.text("operation").or_else(|| cell.text("mode")).unwrap_or("");
    let kind = match name {
        "pk" => WorkloadKind::PointSelect,
        "uk" => WorkloadKind::UniqueSelect,
        "ix" => WorkloadKind::NonUniqueSelect,
        "ins" => WorkloadKind::InsertFull,
        "mix" => WorkloadKind::AnySelect,
        other => return Err(format!("statement `{other}` is not modelled")),
    };
    let clients = match &cell.setup["clients"] {
        Value::Array(groups) => {
            if groups.iter().any(|group| group[0] == "ins") {
                return Err("selects and inserts side by side are not modelled".into());
            }
            groups.iter().filter_map(|group| group[1].as_u64()).sum()
        }
        number => number.as_u64().ok_or("the cell names no clients")?,
    };
    Ok((kind, clients as u32))
}

/// What ran before a cell's window. The cells name it only in words; a configuration's run without any goes through
/// selects by primary key, unique and non-unique index, then inserts, then one client's selects.
fn protocol(cell: &Cell, frames: f64, rows: f64) -> Result<Protocol, String> {
    let (kind, clients) = operation(cell)?;
    let history = format!("{} {}", cell.text("history").unwrap_or(""), cell.text("tag").unwrap_or(""));
    let load = |kind, clients, transactions| EarlierLoad {
        workload: workload(kind, clients, rows),
        transactions,
        pause: PAUSE,
    };
    let warming = SELECTS_BEFORE.max((frames * SELECTS_A_FRAME) as u64);
    let warm = |kind, clients| load(kind, clients, warming);
    let [pk, uk, ix, ins] = [
        WorkloadKind::PointSelect,
        WorkloadKind::UniqueSelect,
        WorkloadKind::NonUniqueSelect,
        WorkloadKind::InsertFull,
    ];
    let writes = kind == ins;
    let mut transactions = if writes { INSERTS } else { SELECTS };
    let before = if history.contains("first look") {
        Vec::new()
    } else if history.contains("commit") {
        let waits = cell.number("configuration.group_commit_interval_in_msecs").unwrap_or(0.0) > 0.0
            && cell.text("configuration.async_commit") != Some("yes");
        if waits {
            // A second a commit: these windows are short, and their pool is as good as cold.
            transactions = u64::from(clients) * 10;
            vec![load(ins, clients, u64::from(clients))]
        } else {
            transactions = if clients == 1 { 2000 } else { 4000 };
            let first = load(ins, 1, INSERTS);
            if clients == 1 { vec![first] } else { vec![first, load(ins, 1, 2000), load(ins, clients, 1000)] }
        }
    } else if let Some(number) =
        history.split("shift").nth(1).and_then(|rest| rest.trim().parse::<u64>().ok())
    {
        let mut before = vec![warm(uk, clients), load(uk, clients, SELECTS)];
        before.extend((1..number).map(|at| load(ix, clients, if at == 1 { SELECTS } else { 10_000 })));
        if number > 1 {
            transactions = 10_000;
        }
        before
    } else if writes && history.contains("T=") {
        vec![warm(pk, clients), load(pk, clients, SELECTS), load(ins, clients, INSERTS / 2)]
    } else if history.contains("cold") && !writes {
        vec![warm(kind, clients)]
    } else if kind == WorkloadKind::AnySelect {
        transactions = 18_000;
        vec![warm(kind, clients)]
    } else {
        let run = [
            (pk, vec![warm(pk, 4)]),
            (uk, vec![load(pk, 4, 2 * SELECTS), warm(uk, 4)]),
            (ix, vec![load(uk, 4, SELECTS), warm(ix, 4)]),
            (ins, vec![load(ix, 4, SELECTS), load(ins, 4, INSERTS_BEFORE)]),
        ];
        let after_all = kind == pk && clients == 1;
        let last = run.iter().position(|(name, _)| *name == kind && !after_all);
        let steps = last.map_or(run.len(), |at| at + 1);
        let mut before: Vec<EarlierLoad> = run.into_iter().take(steps).flat_map(|(_, loads)| loads).collect();
        if after_all {
            before.extend([load(ins, 4, 2 * INSERTS), load(pk, 1, SELECTS)]);
            transactions = 3000;
        }
        before
    };
    // The server's start, with a first statement of its own.
    let start = EarlierLoad { pause: FIRST_PAUSE, ..load(pk, 1, 1) };
    let before = std::iter::once(start).chain(before).collect();
    Ok(Protocol { before, measured: workload(kind, clients, rows), transactions })
}
