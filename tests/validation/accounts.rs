//! Closed accounts and repeatability, over scenarios drawn at random.

use proptest::prelude::*;
use spindle_report::Report;
use spindle_scenario::{EarlierLoad, Scenario, Start, Stop, scenario_from_toml};
use spindle_simulate::simulate;

#[derive(Debug, Clone)]
struct Drawn {
    profile: &'static str,
    device: &'static str,
    count: u32,
    buffer_pages: u64,
    rows: u64,
    tables: u32,
    clients: u32,
    inserts: bool,
    range: f64,
    cores: u32,
    seed: u64,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let engine =
        prop_oneof![Just("innodb-5.1"), Just("cubrid-2008-r3"), Just("cubrid-11.3"), Just("firebird-3.0")];
    let device = prop_oneof![
        Just(("sas-15k", 6)),
        Just(("sas-10k", 2)),
        Just(("sata-7200", 1)),
        Just(("sata-ssd-2010-slc", 1)),
        Just(("sata-ssd-2010-mlc", 4)),
        Just(("emulated-hdd", 1)),
        Just(("emulated-ssd", 1)),
    ];
    let load = (1u32..64, any::<bool>(), 0.01f64..=1.0, 1u32..16, any::<u64>());
    (engine, device, 200u64..6000, 1000u64..200_000, 1u32..6, load).prop_map(
        |(profile, (device, count), buffer_pages, rows, tables, (clients, inserts, range, cores, seed))| {
            Drawn {
                profile,
                device,
                count,
                buffer_pages,
                rows,
                tables,
                clients,
                inserts,
                range,
                cores,
                seed: seed >> 1,
            }
        },
    )
}

fn scenario(d: &Drawn) -> Scenario {
    let pool = match d.profile {
        "innodb-5.1" => format!("innodb_buffer_pool_size = {}", d.buffer_pages * 16_384),
        "cubrid-11.3" => format!("data_buffer_size = {}", d.buffer_pages * 16_384),
        "firebird-3.0" => format!("page_buffers = {}", d.buffer_pages),
        _ => format!("data_buffer_pages = {}", d.buffer_pages),
    };
    let raid = if d.count == 1 { "none" } else { "10" };
    let kind = if d.inserts { "insert-full" } else { "three-selects" };
    let Drawn { profile, device, count, rows, tables, clients, range, cores, seed, .. } = d;
    let text = format!(
        r#"
seed = {seed}
[machine]
cores = {cores}
clock_ghz = 2.5
memory = "1G"
[storage]
file_system = "ext3"
[storage.device]
preset = "{device}"
count = {count}
raid = "{raid}"
[engine]
profile = "{profile}"
contention = 0.05
[engine.parameters]
{pool}
[[table]]
name = "t"
count = {tables}
rows = {rows}
columns = [
  {{ name = "id", type = "int" }},
  {{ name = "k", type = "varchar(20)" }},
  {{ name = "v", type = "varchar(40)" }},
  {{ name = "c", type = "char(120)" }},
]
indexes = [
  {{ name = "PRIMARY", kind = "primary", columns = ["id"] }},
  {{ name = "u", kind = "unique", columns = ["k"] }},
  {{ name = "n", kind = "non-unique", columns = ["v"] }},
]
[workload]
kind = "{kind}"
clients = {clients}
search_range = {range}
[run]
duration = "4s"
stop = "duration"
"#
    );
    scenario_from_toml(&text).unwrap_or_else(|problems| panic!("{problems:?}\n{text}"))
}

fn check(d: &Drawn, report: &Report) -> Result<(), TestCaseError> {
    let sum: f64 = report.breakdown_ms.values().sum();
    let mean = report.latency_ms.mean;
    prop_assert!((sum - mean).abs() <= 1e-6 * mean.max(1.0), "causes sum to {sum}, mean {mean}");
    for device in &report.devices {
        prop_assert!((0.0..=1.0).contains(&device.utilisation), "{}: {}", device.name, device.utilisation);
    }
    prop_assert!((0.0..=1.0).contains(&report.hit_rate));
    let l = &report.latency_ms;
    prop_assert!(l.p50 <= l.p95 && l.p95 <= l.p99 && l.p99 <= l.max + 1e-9);
    // Little: clients = throughput x latency, as far as transactions that straddle the ends allow.
    let seconds = report.series.throughput_tps.len() as f64;
    let ended = report.throughput_tps * seconds;
    if ended > 200.0 {
        let inside = report.throughput_tps * mean / 1000.0;
        let clients = f64::from(d.clients);
        prop_assert!(inside <= clients * 1.001, "{inside} of {clients} clients inside");
        // Each client may have one transaction under way at the end. Where everybody has waited for seconds by then, that
        // is longer than any that ended.
        let silent = report.series.throughput_tps.iter().rev().take_while(|tps| **tps == 0.0).count();
        let waited = if silent > 0 { silent as f64 + 1.0 } else { 0.0 };
        let straddling = clients * (waited + l.max / 1000.0) / seconds;
        prop_assert!(inside >= clients - straddling - clients * 0.02, "{inside} of {clients} clients inside");
    }
    prop_assert_eq!(report.digest.len(), 16);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn accounts_close_and_the_same_seed_gives_the_same_report(d in drawn()) {
        let first = simulate(&scenario(&d)).expect("a sound scenario");
        check(&d, &first)?;
        let second = simulate(&scenario(&d)).expect("a sound scenario");
        prop_assert_eq!(first, second);
    }
}

fn base() -> Drawn {
    Drawn {
        profile: "cubrid-2008-r3",
        device: "emulated-ssd",
        count: 1,
        buffer_pages: 500,
        rows: 100_000,
        tables: 2,
        clients: 8,
        inserts: false,
        range: 1.0,
        cores: 4,
        seed: 7,
    }
}

/// Loads before the measured one warm the pool and are not counted; the run ends after its transactions.
#[test]
fn earlier_loads_warm_the_pool_and_do_not_count() {
    let mut cold = scenario(&Drawn { profile: "cubrid-11.3", buffer_pages: 8000, ..base() });
    cold.run.start = Start::Cold;
    cold.run.stop = Stop::Transactions;
    cold.run.transactions = 3000;
    cold.run.duration = "3600s".parse().expect("a time");
    let mut warmed = cold.clone();
    let earlier = EarlierLoad {
        workload: cold.workload.clone(),
        transactions: 20_000,
        pause: "2s".parse().expect("a time"),
    };
    warmed.run.before = vec![earlier];
    let (cold, warmed) = (simulate(&cold).expect("sound"), simulate(&warmed).expect("sound"));
    let (before, after) = (cold.per_transaction.page_reads, warmed.per_transaction.page_reads);
    assert!(before > 0.5 && after < 0.1, "{before} reads cold, {after} after an earlier load");
    // Three selects of one row each ask for the same pages, whatever came before.
    let requests = [&cold, &warmed].map(|report| report.per_transaction.page_requests);
    assert!((requests[0] - requests[1]).abs() < 0.01, "{requests:?}");
}

#[test]
fn more_buffer_never_lowers_the_hit_rate_by_more_than_chance() {
    let base = base();
    let mut last = 0.0;
    for buffer_pages in [500, 1000, 2000, 4000, 8000] {
        let report = simulate(&scenario(&Drawn { buffer_pages, ..base.clone() })).expect("a sound scenario");
        println!("{buffer_pages} frames: {:.4} found, {:.0} tps", report.hit_rate, report.throughput_tps);
        assert!(report.hit_rate >= last - 0.005, "{} after {last}", report.hit_rate);
        last = report.hit_rate;
    }
    assert!(last > 0.99, "everything fits at last: {last}");
}
