//! Where the closed form misses: `residuals 60` lists the sixty scenarios furthest off; `residuals explain 17 230`
//! simulates these and prints both answers, figure by figure; `residuals time` says how long an estimate takes.

use spindle_scenario::Scenario;
use spindle_simulate::simulate;
use spindle_tests::{
    closed_form::{Compared, known},
    scenarios::random_scenario,
};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("explain") => arguments[1..].iter().filter_map(|n| n.parse().ok()).for_each(explain),
        Some("time") => time(),
        Some(count) => list(count.parse().unwrap_or(60)),
        None => list(60),
    }
}

/// Engine, load and devices of a scenario in a line.
fn words(scenario: &Scenario) -> String {
    let storage = &scenario.storage;
    let device = &storage.device;
    let workload = &scenario.workload;
    let parameters = scenario.engine.parameters.iter().map(|(name, value)| format!("{name}={value:?}"));
    format!(
        "{} {:?} c{} cores {} {}x{} {}{}{} fs {} rows {} x{} keys {:?} range {:.2} think {} trip {} [{}]",
        scenario.engine.profile,
        workload.kind,
        workload.clients,
        scenario.machine.cores,
        device.preset.as_deref().unwrap_or("own"),
        device.count,
        format_args!("raid {:?}", device.raid),
        if device.controller_cache.is_some() { " cache" } else { "" },
        if storage.log_device.is_some() { " logdev" } else { "" },
        format_args!("{:?}{}", storage.file_system, if storage.page_cache { " page_cache" } else { "" }),
        scenario.tables[0].rows,
        scenario.tables[0].count,
        workload.keys,
        workload.search_range,
        workload.think_time,
        workload.round_trip,
        parameters.collect::<Vec<_>>().join(" "),
    )
}

fn list(count: usize) {
    let known = known();
    let mut all: Vec<Compared> = known.iter().map(Compared::with).collect();
    all.sort_by(|a, b| b.distance().total_cmp(&a.distance()));
    for one in all.iter().take(count) {
        let simulated = &known[one.number as usize];
        println!(
            "{:4} {:+7.1} % tps {:.1}/{:.1} hit {:.4}/{:.4} cause {}/{} {}",
            one.number,
            one.error * 100.0,
            one.answer.throughput_tps,
            simulated.tps,
            one.answer.hit_rate,
            simulated.hit_rate,
            one.answer.main_cause().map_or("", |c| c.0),
            simulated.cause,
            words(&random_scenario(one.number)),
        );
    }
}

fn explain(number: u64) {
    let scenario = random_scenario(number);
    let Ok(report) = simulate(&scenario) else { return };
    let Ok(answer) = spindle_estimate::estimate(&scenario) else { return };
    println!("== {number} {}", words(&scenario));
    let line = |name: &str, closed: f64, simulated: f64| {
        if closed != 0.0 || simulated != 0.0 {
            println!("{name:>24} {closed:12.4} {simulated:12.4}");
        }
    };
    println!("{:>24} {:>12} {:>12}", "", "closed form", "simulation");
    line("tps", answer.throughput_tps, report.throughput_tps);
    line("ci95", 0.0, report.throughput_ci95);
    line("hit rate", answer.hit_rate, report.hit_rate);
    for (name, ms) in &report.breakdown_ms {
        line(name, answer.breakdown_ms.get(name).copied().unwrap_or(0.0), *ms);
    }
    let (a, b) = (&answer.per_transaction, &report.per_transaction);
    line("page requests", a.page_requests, b.page_requests);
    line("page reads", a.page_reads, b.page_reads);
    line("pages written", a.pages_written, b.pages_written);
    line("log bytes", a.log_bytes, b.log_bytes);
    line("log syncs", a.log_syncs, b.log_syncs);
    line("data syncs", a.data_syncs, b.data_syncs);
    line("cpu ms", a.cpu_ms, b.cpu_ms);
    for (a, b) in answer.devices.iter().zip(&report.devices) {
        println!("   {}", a.name);
        line("utilisation", a.utilisation, b.utilisation);
        line("reads/s", a.reads_per_s, b.reads_per_s);
        line("writes/s", a.writes_per_s, b.writes_per_s);
        line("syncs/s", a.syncs_per_s, b.syncs_per_s);
        line("read ms", a.read_ms, b.read_ms);
        line("write ms", a.write_ms, b.write_ms);
    }
    let series = &report.series;
    println!("   second by second: {:?}", series.throughput_tps);
    println!("   dirty pages: {:?}", series.dirty_pages);
    println!("   log age: {:?}", series.checkpoint_age_bytes);
}

/// Times of estimates whose device curves and layouts are known, over all scenarios that are kept.
fn time() {
    let mut times: Vec<(f64, u64)> = known()
        .iter()
        .map(|one| {
            let scenario = random_scenario(one.number);
            let mut quickest = f64::INFINITY;
            for _ in 0..3 {
                let begun = std::time::Instant::now();
                let _ = std::hint::black_box(spindle_estimate::estimate(&scenario));
                quickest = quickest.min(begun.elapsed().as_secs_f64() * 1e3);
            }
            (quickest, one.number)
        })
        .collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    for share in [0.5, 0.95, 1.0] {
        let at = ((times.len() as f64 * share) as usize).min(times.len() - 1);
        println!("{share:4}: {:.3} ms, scenario {}", times[at].0, times[at].1);
    }
}
