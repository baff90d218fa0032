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
