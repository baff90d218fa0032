//! MariaDB 10.11, rule by rule: what a statement asks of the pool, what commits share, and when the page cleaner works.

use spindle_report::Report;
use spindle_scenario::{Scenario, scenario_from_toml};
use spindle_simulate::simulate;

/// sysbench's table with as many rows as were measured, on constant service times of 1 ms.
fn scenario(kind: &str, clients: u32, pool: &str, run: &str) -> Scenario {
    let text = format!(
        r#"
[machine]
cores = 4
clock_ghz = 2.5
memory = "4G"
[storage]
page_cache = false
[storage.device.fixed]
slots = 1
read = "1ms"
write = "1ms"
sync = "1ms"
[engine]
profile = "mariadb-10.11"
parameters = {{ innodb_buffer_pool_size = "{pool}", innodb_log_file_size = "96M" }}
[[table]]
name = "sbtest1"
rows = 1250000
order = "sequential"
columns = [
  {{ name = "id", type = "int" }},
  {{ name = "k", type = "int" }},
  {{ name = "c", type = "char(120)" }},
  {{ name = "pad", type = "char(60)" }},
]
indexes = [
  {{ name = "PRIMARY", kind = "primary", columns = ["id"] }},
  {{ name = "k_1", kind = "non-unique", columns = ["k"] }},
]
[workload]
kind = "{kind}"
clients = {clients}
[run]
duration = "5s"
stop = "duration"
{run}
"#
    );
    scenario_from_toml(&text).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn report(kind: &str, clients: u32, pool: &str, run: &str) -> Report {
    simulate(&scenario(kind, clients, pool, run)).expect("a sound scenario")
}

fn near(found: f64, expected: f64, share: f64) {
    assert!((found / expected - 1.0).abs() < share, "{found}, expected {expected}");
}

/// Three levels; two rows in 73, those at a leaf's ends, need its neighbour as well: 3.027 was measured.
#[test]
fn a_look_up_asks_for_each_level_and_at_a_leafs_ends_for_one_more() {
    near(report("point-select", 1, "1G", "").per_transaction.page_requests, 3.0 + 2.0 / 73.0, 0.002);
}

#[test]
fn commits_that_come_together_share_a_sync() {
    let alone = report("update-non-index", 1, "1G", "").per_transaction;
    near(alone.log_syncs, 1.0, 0.02);
    // While one group is written all others arrive and are the next one: half of the clients at most share a sync.
    let together = report("update-non-index", 16, "1G", "").per_transaction;
    near(together.log_syncs, 2.0 / 16.0, 0.3);
    // A group also shares the padding of its last block.
    near(together.log_bytes, alone.log_bytes, 0.15);
}

/// `buf_flush_page_cleaner` sleeps until frames run short or the log does.
#[test]
fn dirty_pages_alone_do_not_wake_the_page_cleaner() {
    let idle = report("update-non-index", 1, "1G", "dirty_pages = 5000\ncheckpoint_age = \"20M\"");
    assert_eq!(idle.per_transaction.pages_written, 0.0);
    // Near its end the log has to be made free.
    let short = report("update-non-index", 1, "1G", "dirty_pages = 5000\ncheckpoint_age = \"79M\"");
    assert!(short.per_transaction.pages_written > 0.0);
}

/// A page of the batch that is being written cannot be changed: somebody waits, and it is booked.
#[test]
fn changes_wait_for_pages_that_are_being_written() {
    let busy = report("update-non-index", 16, "64M", "dirty_pages = 3000\ncheckpoint_age = \"60M\"");
    assert!(busy.breakdown_ms["latch"] > 0.0);
    let calm = report("point-select", 16, "64M", "");
    assert_eq!(calm.breakdown_ms["latch"], 0.0);
}
