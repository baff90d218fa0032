//! Firebird's page requests, marks and writes, step by step as `src/jrd` of 3.0 takes them and as 3.0.11 was measured.

use spindle_engine::parameters::Value;
use spindle_report::PerTransaction;
use spindle_scenario::{Scenario, scenario_from_toml};
use spindle_simulate::simulate;
use spindle_units::{Bytes, Span};

/// TPC-C's STOCK and ORDER_LINE with two warehouses, at 16 KiB pages, in a cache that holds them.
fn scenario(kind: &str, read_only: bool, clients: u32) -> Scenario {
    let text = format!(
        r#"
[machine]
cores = 2
clock_ghz = 2.5
memory = "4G"
[storage]
page_cache = false
[storage.device]
preset = "emulated-ssd"
[engine]
profile = "firebird-3.0"
parameters = {{ page_size = 16384, page_buffers = 20000 }}
[[table]]
name = "warehouse"
rows = 2
order = "sequential"
columns = [{{ name = "w_id", type = "int" }}]
indexes = [{{ name = "warehouse_pk", kind = "primary", columns = ["w_id"] }}]
[[table]]
name = "stock"
rows = 200000
order = "sequential"
columns = [
  {{ name = "s_w_id", type = "int" }},
  {{ name = "s_i_id", type = "int" }},
  {{ name = "s_data", type = "char(290)" }},
]
indexes = [{{ name = "stock_pk", kind = "primary", columns = ["s_w_id", "s_i_id"], order = "sorted-build" }}]
[[table]]
name = "order_line"
rows = 600000
order = "sequential"
columns = [
  {{ name = "ol_o_id", type = "int" }},
  {{ name = "ol_number", type = "int" }},
  {{ name = "ol_dist_info", type = "char(24)" }},
]
indexes = [{{ name = "order_line_pk", kind = "primary", columns = ["ol_o_id", "ol_number"], order = "split-build" }}]
[workload]
kind = "{kind}"
clients = {clients}
read_only = {read_only}
[run]
duration = "5s"
stop = "duration"
"#
    );
    scenario_from_toml(&text).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn each(kind: &str, read_only: bool) -> PerTransaction {
    simulate(&scenario(kind, read_only, 1)).expect("a sound scenario").per_transaction
}

fn close(model: f64, measured: f64) {
    assert!((model - measured).abs() < 0.06 * measured.max(0.01), "{model} against {measured}");
}

#[test]
fn a_lookup_asks_for_header_inventory_index_root_buckets_pointer_and_data_page() {
    let lookup = each("stock-select", false);
    close(lookup.page_requests, 7.0);
    close(lookup.page_marks, 2.0);
    // The header page, when the transaction begins.
    close(lookup.pages_written, 1.0);
    assert_eq!(each("stock-select", true).pages_written, 0.0, "read-only transactions write nothing");
}

#[test]
fn changes_cost_what_was_measured() {
    // Depth 2; 29, 27 and 7 requests, 9, 9 and 4 marks, 6, 7 and 4 writes.
    for (kind, requests, marks, written) in [
        ("stock-update", 29.0, 9.0, 6.0),
        ("order-line-delete", 27.0, 9.0, 7.0),
        ("order-line-insert", 7.0, 4.0, 4.0),
    ] {
        let change = each(kind, false);
        println!("{kind}: {change:?}");
        close(change.page_requests, requests);
        close(change.page_marks, marks);
        // The collector and the next commit may find the same pointer page changed, and then one write serves both.
        assert!(
            (written * 0.85..=written * 1.02).contains(&change.pages_written),
            "{}",
            change.pages_written
        );
    }
}

/// Lookups a second of 32 clients in Firebird 2.5, and the share of the processors that is busy. All pages are in the
/// caches, and what connections of Classic hand each other through the file goes no further than the file cache: with
/// forced writes the device bounds Classic before its processors do.
fn lookups(architecture: &str, cores: u32) -> (f64, f64) {
    let mut scenario = scenario("stock-select", true, 32);
    scenario.engine.profile = "firebird-2.5".to_owned();
    scenario.engine.parameters.set("architecture", Value::Text(architecture.to_owned()));
    scenario.engine.parameters.set("forced_writes", Value::Switch(false));
    scenario.storage.page_cache = true;
    scenario.machine.cores = cores;
    // Each connection of Classic has a cache of its own.
    scenario.machine.memory = Bytes::gib(16);
    scenario.run.duration = Span::seconds(1);
    let report = simulate(&scenario).expect("a sound scenario");
    println!("{architecture} on {cores} cores: {:?}", report.per_transaction);
    let processor =
        report.devices.iter().find(|device| device.name == "processor").expect("it is always told");
    println!("{} a second, {} busy", report.throughput_tps, processor.utilisation);
    (report.throughput_tps, processor.utilisation)
}

#[test]
fn classic_uses_all_cores_where_superserver_uses_one() {
    let (superserver, busy) = lookups("superserver", 8);
    assert!(busy < 1.01 / 8.0, "SuperServer keeps one of 8 cores busy: {busy}");
    assert_eq!(superserver, lookups("superserver", 1).0, "and more cores are no help");
    for architecture in ["classic", "superclassic"] {
        let (classic, busy) = lookups(architecture, 8);
        assert!(busy > 0.95, "{architecture} keeps all busy: {busy}");
        assert!(classic > 5.0 * superserver, "{architecture}: {classic} against {superserver}");
    }
}
