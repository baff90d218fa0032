//! What an answer says, whether it was simulated or estimated, as tables for people.

use crate::output::{self, three};
use spindle_report::{Breakdown, DeviceReport, OperatorReport, PerTransaction, PlanReport};

/// The title of a scenario, if it has one.
pub(crate) fn title(title: &str) {
    if !title.is_empty() {
        println!("{title}");
    }
}

/// Where a transaction's `mean_ms` goes.
pub(crate) fn breakdown(breakdown: &Breakdown, mean_ms: f64) {
    println!();
    let rows: Vec<_> = breakdown
        .iter()
        .filter(|(_, ms)| **ms > 0.0)
        .map(|(cause, ms)| {
            vec![cause.clone(), three(*ms), format!("{:.0} %", ms / mean_ms.max(1e-12) * 100.0)]
        })
        .collect();
    output::table(&["where the time goes", "ms", "share"], &rows);
}

/// What the devices do.
pub(crate) fn devices(devices: &[DeviceReport]) {
    println!();
    let rows: Vec<_> = devices
        .iter()
        .map(|d| {
            let busy = format!("{:.0} %", d.utilisation * 100.0);
            vec![
                d.name.clone(),
                busy,
                three(d.reads_per_s),
                three(d.writes_per_s),
                three(d.syncs_per_s),
                three(d.read_ms),
                three(d.write_ms),
            ]
        })
        .collect();
    output::table(&["device", "busy", "reads/s", "writes/s", "syncs/s", "read ms", "write ms"], &rows);
}

/// What a transaction uses.
pub(crate) fn transaction(t: &PerTransaction, hit_rate: f64) {
    println!();
    println!(
        "a transaction: {} page requests ({} % found), {} reads, {} writes, {} bytes of log, {} log syncs, {} data syncs, {} ms of processor",
        three(t.page_requests),
        three(hit_rate * 100.0),
        three(t.page_reads),
        three(t.pages_written),
        three(t.log_bytes),
        three(t.log_syncs),
        three(t.data_syncs),
        three(t.cpu_ms)
    );
}

/// Plans of queries, operator by operator.
pub(crate) fn plans(plans: &[PlanReport]) {
    for plan in plans {
        println!();
        println!("Q{}, {} time(s)", plan.query, plan.asked);
        let any = |count: Count| plan.operators.iter().any(|one| count(one) > 0.0);
        let beside: Vec<(&str, Count)> = BESIDE.into_iter().filter(|(_, count)| any(*count)).collect();
        let row = |operator: &OperatorReport| {
            let indent = "  ".repeat(operator.depth as usize);
            let text: String = operator.text.chars().take(PLAN_WIDTH).collect();
            let mut row = vec![format!("{indent}{text}")];
            row.extend([operator.loops, operator.found, operator.kept].map(three));
            row.extend([operator.page_requests, operator.page_reads].map(three));
            row.extend(beside.iter().map(|(_, count)| three(count(operator))));
            row.push(three(operator.time_ms));
            row
        };
        let rows: Vec<Vec<String>> = plan.operators.iter().map(row).collect();
        let mut titles = vec!["operator", "begun", "rows found", "rows kept", "page requests", "page reads"];
        titles.extend(beside.iter().map(|(title, _)| *title));
        titles.push("ms");
        output::table(&titles, &rows);
    }
}

/// A count of an operator.
type Count = fn(&OperatorReport) -> f64;

/// Counts that are shown where some operator of a plan has any.
const BESIDE: [(&str, Count); 2] =
    [("temp blocks", |operator| operator.temp_blocks), ("network bytes", |operator| operator.network_bytes)];

/// Characters of an operator's line that are shown.
const PLAN_WIDTH: usize = 56;
