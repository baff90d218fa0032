//! pgbench cells: counters and emulated devices.

use super::{state, tables};
use crate::{Answer, Cell, device, run::simulate};
use spindle_engine::parameters::{Parameters, Value};
use spindle_report::Report;
use spindle_scenario::{EngineSpec, Machine, RunSpec, Scenario, Start, Stop, Storage};
use spindle_units::{Bytes, Span};
use spindle_workload::{Distribution, WorkloadKind, WorkloadSpec};

/// Processors of a machine of which other work takes four fifths (a load of 15 to 27 on two): clock in GHz. It decides how
/// many transactions the cells without an emulated device had time for; their throughput is not believed.
const BUSY_CLOCK_GHZ: f64 = 0.5;
/// Page requests in catalogues by which a new session fills its caches: pgbench's own clients and two sessions that
/// read the counters fall into each measurement.
const SESSION_LOOKUPS: f64 = 340.0;
const OTHER_SESSIONS: f64 = 2.0;
/// Emulated requests end late, since a sleep does. How late is known of MariaDB on the same machine, in the median of
/// its good cells: 130 us on the fast device with one client, 230 on the slow one, 410 there with 32 clients. It matters
/// where requests do not queue for a slot: with one client, and for the log, which one task at a time writes.
/// A read ends late by the kernel's timer slack, as in the least late of those cells (43 and 53 us).
const LATE_READ_US: f64 = 50.0;
const LATE_FAST_US: f64 = 130.0;
const LATE_US: f64 = 230.0;
const LATE_CROWDED_US: f64 = 410.0;

pub(super) fn answer(cell: &Cell) -> Result<Answer, String> {
    let scenario = scenario(cell)?;
    let report = simulate(&scenario)?;
    let mut answer = Answer::default();
    answer.ran(&scenario);
    counts(cell, &report, &mut answer);
    let latency = &report.latency_ms;
    answer.time(cell, "throughput_tps", report.throughput_tps, cell.truth("throughput_tps"));
    answer.time(cell, "latency_mean_ms", latency.mean, cell.truth("latency_ms.mean"));
    answer.time(cell, "latency_p95_ms", latency.p95, cell.truth("latency_ms.p95"));
    Ok(answer)
}

fn counts(cell: &Cell, report: &Report, answer: &mut Answer) {
    let truth = |name: &str| cell.truth(&format!("per_transaction.{name}"));
    let sum = |names: &[&str]| names.iter().map(|name| truth(name)).sum::<Option<f64>>();
    let each = &report.per_transaction;
    let reads = ["acc_heap_read", "acc_idx_read"];
    if is_read_only(cell) {
        let requests = sum(&["acc_heap_read", "acc_heap_hit", "acc_idx_read", "acc_idx_hit"]);
        answer.count(cell, "page_requests", each.page_requests, requests);
    } else {
        let sessions = cell.number("clients").unwrap_or(1.0) + OTHER_SESSIONS;
        let transactions = (report.throughput_tps * seconds(cell) as f64).max(1.0);
        let model = each.page_requests + sessions * SESSION_LOOKUPS / transactions;
        answer.count(cell, "page_requests", model, sum(&["blks_hit", "blks_read"]));
    }
    answer.count(cell, "page_reads", each.page_reads, sum(&reads));
    // Writes of data files as the device saw them, where that is valid.
    let written = if cell.note.as_deref().or(cell.text("note")).is_some_and(|note| note.contains("INVALID")) {
        sum(&["bgw_buffers_backend", "bgw_buffers_clean", "bgw_buffers_checkpoint"])
    } else {
        truth("dev_data_write_ops")
    };
    answer.count(cell, "pages_written", each.pages_written, written);
    // Less than a byte is what the background writer logs of running transactions every 15 seconds.
    answer.count(cell, "log_bytes", each.log_bytes, truth("wal_bytes").map(f64::round));
    answer.count(cell, "log_syncs", each.log_syncs, truth("wal_sync"));
    answer.count(cell, "log_writes", each.log_writes, truth("wal_write"));
}

/// Length of the measurements of a plan, of which the cells' fractions are whole numbers of events.
fn seconds(cell: &Cell) -> u64 {
    match (state::plan(cell), cell.text("device")) {
        ("wal", _) => 5,
        ("device", Some("HDD")) => 10,
        _ => 6,
    }
}

fn is_read_only(cell: &Cell) -> bool {
    matches!(cell.text("script"), Some("select-only" | "zipf_sel" | "zipf_sel_scatter"))
}

fn scenario(cell: &Cell) -> Result<Scenario, String> {
    let script = cell.text("script").ok_or("the cell names no script")?;
    let clients = cell.number("clients").ok_or("the cell names no number of clients")? as u32;
    let kind = match script {
        "select-only" | "zipf_sel" | "zipf_sel_scatter" => WorkloadKind::PointSelect,
        "upd_uniform" | "zipf_upd" | "zipf_upd_scatter" => WorkloadKind::UpdateNonIndex,
        "tpcb-like" => WorkloadKind::TpcbLike,
        other => return Err(format!("script `{other}` is not described")),
    };
    let tables =
        if kind == WorkloadKind::TpcbLike { tables::pgbench() } else { tables::accounts().map(|t| vec![t]) };
    let keys = if script.starts_with("zipf") {
        Distribution::Zipf { exponent: 1.1, scattered: script.ends_with("scatter") }
    } else {
        Distribution::Uniform
    };
    Ok(Scenario {
        title: cell.id.clone(),
        seed: 1,
        machine: Machine { cores: 2, clock_ghz: clock(cell), memory: Bytes(24 << 30) },
        storage: storage(cell, clients)?,
        engine: EngineSpec::new("postgresql-15", parameters(cell)?),
        cluster: None,
        tables: tables.ok_or("pgbench's tables are not described")?,
        workload: WorkloadSpec { keys, read_only: is_read_only(cell), ..WorkloadSpec::new(kind, clients) },
        run: run(cell),
    })
}

fn clock(cell: &Cell) -> f64 {
    let idle = cell.text("device").is_some_and(|device| device.starts_with("none"));
    if idle { BUSY_CLOCK_GHZ } else { 2.5 }
}

fn parameters(cell: &Cell) -> Result<Parameters, String> {
    let mut parameters = Parameters::default();
    for name in ["shared_buffers", "full_page_writes", "synchronous_commit"] {
        let value = cell.text(name).ok_or_else(|| format!("the cell names no {name}"))?;
        parameters.set(name, Value::Text(value.into()));
    }
    parameters.set("checkpoint_timeout", Value::Number(1800.0));
    parameters.set("max_wal_size", Value::Text("1GB".into()));
    Ok(parameters)
}

fn run(cell: &Cell) -> RunSpec {
    let state = state::of(cell);
    RunSpec {
        duration: Span::seconds(seconds(cell)),
        stop: Stop::Duration,
        start: Start::Warm,
        dirty_pages: state.dirty_pages,
        heap: state.heap,
        ..RunSpec::default()
    }
}

fn storage(cell: &Cell, clients: u32) -> Result<Storage, String> {
    let name = cell.text("device").ok_or("the cell names no device")?;
    let (bare, is_log) = name.strip_prefix("WAL-").map_or((name, false), |bare| (bare, true));
    if bare.starts_with("none") {
        return Ok(device::memory());
    }
    let (slots, times) = device::named(bare).ok_or_else(|| format!("device `{bare}` is not described"))?;
    let late = match (clients, times[2] < 1000.0) {
        (1, true) => LATE_FAST_US,
        (1, false) => LATE_US,
        _ if slots == 1 && !is_log => 0.0,
        _ => LATE_CROWDED_US.min(times[2] * LATE_FAST_US / 500.0),
    };
    let later = |us: f64| if us > 0.0 { us + late } else { 0.0 };
    let read = times[0] + if clients == 1 { LATE_READ_US } else { 0.0 };
    let (write, sync) = (later(times[1]), later(times[2]));
    let slow = device::fixed(slots, [read, write, sync]);
    Ok(if is_log { Storage { log_device: Some(slow.device), ..device::memory() } } else { slow })
}

#[cfg(test)]
mod tests {
    use super::*;
    use spindle_report::PerTransaction;

    fn asked(device: &str, clients: u32, full_pages: &str, synchronous: &str) -> PerTransaction {
        let text = format!(
            r#"{{"id": "postgres/wal/x", "engine": "postgresql-15", "kind": "device", "truth": {{}}, "setup": {{
                "script": "tpcb-like", "shared_buffers": "512MB", "full_page_writes": "{full_pages}",
                "synchronous_commit": "{synchronous}", "device": "{device}", "clients": {clients}}}}}"#
        );
        let cell: Cell = serde_json::from_str(&text).unwrap();
        simulate(&scenario(&cell).unwrap()).unwrap().per_transaction
    }

    /// Rule 9 of the measurements: one sync a commit alone, 0.08 with 32 clients whatever a sync takes, since they wait
    /// for 80 branches; hardly one where commits do not wait.
    #[test]
    fn commits_share_syncs_as_measured() {
        let alone = asked("WAL-SSDx10", 1, "on", "on");
        assert!((alone.log_syncs - 1.0).abs() < 0.01, "{}", alone.log_syncs);
        for device in ["WAL-HDD", "WAL-SSDx10"] {
            let shared = asked(device, 32, "on", "on");
            assert!((shared.log_syncs / 0.080 - 1.0).abs() < 0.1, "{device}: {}", shared.log_syncs);
        }
        assert!(asked("WAL-HDD", 1, "on", "off").log_syncs < 0.01);
    }

    /// Rule 10: after a checkpoint a transaction logs about one full page, 392 bytes without.
    #[test]
    fn first_changes_log_full_pages() {
        let full = asked("WAL-HDD", 32, "on", "on").log_bytes;
        assert!((full / 8700.0 - 1.0).abs() < 0.1, "{full}");
        let bare = asked("WAL-HDD", 32, "off", "on").log_bytes;
        assert!((bare / 392.0 - 1.0).abs() < 0.1, "{bare}");
    }
}
