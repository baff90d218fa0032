//! The command as scripts use it: exit status, one JSON document, located messages.

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

fn spindle(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_spindle"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // A command that refuses its arguments does not read its input.
    let _ = child.stdin.take().expect("its input is a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the command ends")
}

fn scenario() -> String {
    let output = spindle(&["list", "cubrid-2010/cpu-bound-mysql-ssd"], "");
    let text = String::from_utf8(output.stdout).expect("TOML is text");
    text.replace("rows = 1600000", "rows = 20000").replace("duration = \"10min\"", "duration = \"3s\"")
}

/// Runs a scenario that is expected to be refused, and returns the message.
fn refusal(scenario: &str) -> String {
    let output = spindle(&["run", "-"], scenario);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("a message is text")
}

fn contains_all(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "no `{part}` in: {message}");
    }
}

#[test]
fn json_is_one_document_and_the_same_each_time() {
    let runs = [(); 2].map(|()| spindle(&["run", "-", "--json"], &scenario()));
    assert_eq!(runs[0].status.code(), Some(0), "{}", String::from_utf8_lossy(&runs[0].stderr));
    assert_eq!(runs[0].stdout, runs[1].stdout);
    let report: serde_json::Value = serde_json::from_slice(&runs[0].stdout).expect("one JSON document");
    for field in [
        "throughput_tps",
        "throughput_qps",
        "throughput_ci95",
        "hit_rate",
        "digest",
        "series",
        "notes",
        "fitted",
    ] {
        assert!(report.get(field).is_some(), "{field}");
    }
    let causes = report["breakdown_ms"].as_object().expect("causes by name");
    let sum: f64 = causes.values().filter_map(serde_json::Value::as_f64).sum();
    assert!((sum / report["latency_ms"]["mean"].as_f64().expect("a mean") - 1.0).abs() < 1e-9);
}

#[test]
fn an_unknown_key_is_named_with_its_line() {
    let message = refusal(&scenario().replace("cores = 12", "cores = 12\ncoers = 4"));
    contains_all(&message, &["line", "machine.coers", "unknown field", "expected"]);
}

#[test]
fn a_wrong_unit_is_named_with_what_was_expected() {
    let message = refusal(&scenario().replace("memory = \"8G\"", "memory = \"8 gallons\""));
    contains_all(&message, &["machine.memory", "8 gallons", "4G"]);
}

#[test]
fn a_buffer_larger_than_memory_is_refused() {
    let message = refusal(&scenario().replace("memory = \"8G\"", "memory = \"2G\""));
    contains_all(&message, &["innodb_buffer_pool_size", "4 GiB", "2 GiB"]);
}

#[test]
fn zero_tables_are_refused() {
    let text = scenario();
    let start = text.find("[[table]]").expect("the scenario has tables");
    let end = text.find("[workload]").expect("the scenario has a load");
    let message = refusal(&format!("{}{}", &text[..start], &text[end..]));
    contains_all(&message, &["table", "no table", "at least one"]);
}

#[test]
fn a_device_without_members_is_refused() {
    let message = refusal(&scenario().replace("count = 6", "count = 0"));
    contains_all(&message, &["storage.device.count", "found 0", "1 to 64"]);
}

#[test]
fn a_parameter_of_another_engine_is_refused() {
    let message =
        refusal(&scenario().replace("[engine]", "[engine.parameters]\ndata_buffer_pages = 5\n[engine]"));
    contains_all(
        &message,
        &["engine.parameters.data_buffer_pages", "unknown parameter", "innodb_buffer_pool_size"],
    );
}

#[test]
fn what_is_not_toml_or_not_there_is_refused() {
    contains_all(&refusal("machine = [1,"), &["line 1"]);
    contains_all(&refusal("\u{0}\u{1}\u{ffff}"), &["line 1"]);
    let output = spindle(&["run", "no/such/file.toml"], "");
    assert_eq!(output.status.code(), Some(2));
    let output = spindle(&["replay", "no-such-experiment"], "");
    contains_all(&String::from_utf8_lossy(&output.stderr), &["no-such-experiment", "cubrid-2010"]);
    assert_eq!(spindle(&["frobnicate"], "").status.code(), Some(2));
    assert_eq!(spindle(&["--help"], "").status.code(), Some(0));
}

#[test]
fn size_prints_tables_and_refuses_what_it_does_not_know() {
    let ddl = "CREATE TABLE t (id int NOT NULL, k varchar(20), PRIMARY KEY (id), KEY k (k));";
    let arguments = ["size", "--engine", "innodb-5.1", "--rows", "100000", "--json", "-"];
    let output = spindle(&arguments, ddl);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(answer["tables"][0]["indexes"][1]["name"], "k");
    assert!(answer["tables"][0]["indexes"][0]["leaf_pages"].as_u64() > Some(100));
    let output = spindle(&arguments, "CREATE TABLE t (id geometry);");
    assert_eq!(output.status.code(), Some(2));
    contains_all(&String::from_utf8_lossy(&output.stderr), &["line 1", "geometry"]);
    let output = spindle(&["size", "--engine", "oracle-7", "--rows", "1", "-"], ddl);
    contains_all(&String::from_utf8_lossy(&output.stderr), &["oracle-7", "cubrid-2008-r3"]);
}

#[test]
fn list_names_experiments_profiles_and_devices_with_sources() {
    let output = spindle(&["list", "--json"], "");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(answer["experiments"][0]["id"], "cubrid-2010");
    for kind in ["profiles", "devices"] {
        for entry in answer[kind].as_array().expect("a list") {
            assert!(entry["source"].as_str().is_some_and(|s| s.len() > 20), "{entry}");
        }
    }
}

/// A sweep of the small scenario over two axes.
const SWEEP: [&str; 6] =
    ["sweep", "-", "--vary", "workload.clients=1,4,9999", "--vary", "machine.clock_ghz=1..3,steps=2"];

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8(output.stdout.clone()).expect("JSON is text").lines().map(str::to_owned).collect()
}

fn index(line: &str) -> u64 {
    let value: serde_json::Value = serde_json::from_str(line).expect("a line is a JSON document");
    value["index"].as_u64().expect("a point has its number")
}

#[test]
fn a_sweep_is_one_line_a_point_in_order_whatever_the_threads() {
    let sweep = |jobs: &str| {
        let output = spindle(&[&SWEEP[..], &["--jobs", jobs]].concat(), &scenario());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        contains_all(&String::from_utf8_lossy(&output.stderr), &["2 of 6 points cannot be run"]);
        lines(&output)
    };
    let whole = sweep("1");
    assert_eq!(whole, sweep("4"));
    assert_eq!(whole.iter().map(|line| index(line)).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    let third: serde_json::Value = serde_json::from_str(&whole[3]).expect("JSON");
    assert_eq!(third["values"], serde_json::json!({"workload.clients": 4, "machine.clock_ghz": 3.0}));
    assert!(third["report"]["throughput_tps"].as_f64() > Some(0.0));
    assert!(third["report"]["series"].is_null(), "a line is short");
    assert!(whole[5].contains(r#""problems":[{"path":"workload.clients""#), "{}", whole[5]);
}

#[test]
fn shards_put_together_are_the_whole_sweep() {
    let part =
        |shard: &str| lines(&spindle(&[&SWEEP[..], &["--estimate", "--shard", shard]].concat(), &scenario()));
    let whole = lines(&spindle(&[&SWEEP[..], &["--estimate"]].concat(), &scenario()));
    let mut together: Vec<String> = ["1/4", "2/4", "3/4", "4/4"].into_iter().rev().flat_map(part).collect();
    together.sort_by_key(|line| index(line));
    assert_eq!(together, whole);
    assert!(whole[0].contains(r#""estimate":{"throughput_tps""#), "{}", whole[0]);
}

#[test]
fn a_sweep_that_cannot_be_understood_is_refused_with_the_place() {
    let refused = |arguments: &[&str], parts: &[&str]| {
        let output = spindle(&[&["sweep", "-"], arguments].concat(), &scenario());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(output.stdout.is_empty());
        contains_all(&message, parts);
    };
    refused(&["--vary", "workload.customers=1..8"], &["workload.customers", "unknown field", "expected"]);
    refused(&["--vary", "workload.clients=some..8"], &["`some`", "whole number"]);
    refused(&["--vary", "workload.clients=5000,6000"], &["no point can be run", "5000", "1 to 4096"]);
    refused(&["--vary", "seed=1..9,steps=20000"], &["20000 steps"]);
    refused(&["--vary", "seed=1,2", "--precision", "7"], &["--precision", "0.001 to 0.5"]);
    refused(&["--vary", "seed=1,2", "--shard", "3/2"], &["--shard", "I from 1 to N"]);
    refused(&[], &["--vary"]);
}

#[test]
fn precision_makes_a_sweep_end_sooner() {
    let sweep = |precision: &str| {
        let arguments = ["sweep", "-", "--vary", "workload.clients=4", "--precision", precision];
        let text = scenario().replace("duration = \"3s\"", "duration = \"60s\"");
        let line: serde_json::Value =
            serde_json::from_str(&lines(&spindle(&arguments, &text))[0]).expect("JSON");
        line["report"]["throughput_ci95"].as_f64().expect("a confidence interval")
    };
    let known = sweep("5%");
    assert!(known > 0.0 && known <= 0.05, "{known}");
}

#[test]
fn an_estimate_is_one_document_or_a_page_of_text() {
    let output = spindle(&["estimate", "-", "--json"], &scenario());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let estimate: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert!(estimate["throughput_tps"].as_f64() > Some(0.0));
    let text = spindle(&["estimate", "cubrid-2010/cpu-bound-mysql-ssd"], "");
    contains_all(&String::from_utf8_lossy(&text.stdout), &["transactions a second", "where the time goes"]);
}

#[test]
fn a_link_is_as_good_as_a_file() {
    let link = include_str!("../../scenario/tests/links/v1.txt");
    let of = |arguments: &[&str], input: &str| {
        let output = spindle(arguments, input);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let address = format!("https://example.org/spindle/{link}");
    let second = of(&["list", link], "");
    assert!(String::from_utf8_lossy(&second).contains("seed = 7"), "the second scenario is the one shown");
    assert_eq!(of(&["estimate", link, "--json"], ""), of(&["estimate", "-", "--json"], &address));
    of(&["estimate", &address, "--side", "a"], "");
    let damaged = spindle(&["run", &link[..link.len() - 30]], "");
    assert_eq!(damaged.status.code(), Some(2));
    contains_all(&String::from_utf8_lossy(&damaged.stderr), &["link.data", "cut off"]);
}

#[test]
fn a_reader_that_has_seen_enough_ends_a_sweep_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_spindle"))
        .args([
            "sweep",
            "cubrid-2010/cpu-bound-mysql-ssd",
            "--estimate",
            "--vary",
            "seed=1..5000,steps=5000,linear",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
