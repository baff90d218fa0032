//! All measurements of real engines against the models: errors may not pass their ceilings, and what the page and the
//! documentation show is what comes out.
//!
//! With `SPINDLE_WRITE` set the shown figures are written instead, and ceilings fall to what was reached.

use serde_json::Value;
use spindle_validate::{Cell, Explanation, Summary, Validation, document, targets, validate};
use std::{collections::BTreeMap, fs, path::PathBuf};

/// The shown figures are rounded to so many digits.
const DIGITS: usize = 5;

const BEGIN: &str = "<!-- measured: written by `cargo xtask accuracy` -->\n";
const END: &str = "<!-- measured: end -->\n";

/// The largest median and 90th percentile, by engine, kind and quantity.
type Ceilings = BTreeMap<String, [f64; 2]>;

fn path(below_root: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(below_root)
}

fn text(below_root: &str) -> String {
    fs::read_to_string(path(below_root)).unwrap_or_else(|error| panic!("{below_root}: {error}"))
}

#[test]
fn models_agree_with_measured_engines() {
    let files = ["cells.jsonl", "queries.json"].map(|name| text(&format!("tests/data/ground-truth/{name}")));
    let cells = files.iter().flat_map(|file| Cell::read_all(file).expect("cells, one a line, or queries"));
    let cells: Vec<Cell> = cells.collect();
    let setup: Value = serde_json::from_str(&text("tests/data/ground-truth/setup.json")).expect("a setup");
    let validation = validate(&cells, &setup, &|_| {});
    print(&validation);

    let reasons: BTreeMap<String, String> =
        toml::from_str(&text("tests/data/reasons.toml")).expect("reasons");
    let reasons: Vec<Explanation> = reasons.into_iter().collect();
    let shown = [
        ("www/accuracy.json", rounded(&validation)),
        ("docs/accuracy.md", with_section(&text("docs/accuracy.md"), &document(&validation, &reasons))),
    ];
    let mut wrong = Vec::new();
    if std::env::var_os("SPINDLE_WRITE").is_some() {
        for (name, new) in &shown {
            fs::write(path(name), new).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        lower_ceilings(&validation.summary);
    } else {
        for (name, new) in &shown {
            if text(name) != *new {
                wrong.push(format!("{name} does not show these errors; `cargo xtask accuracy` writes it"));
            }
        }
    }

    let supported = validation.cells.iter().filter(|cell| cell.supported).count();
    if supported * 100 < validation.cells.len() * 95 {
        wrong.push(format!("{supported} of {} measurements can be asked", validation.cells.len()));
    }
    let ceilings = ceilings();
    for row in &validation.summary {
        match ceilings.get(&name(row)) {
            Some(&[median, p90]) if row.median <= median && row.p90 <= p90 => {}
            Some(ceiling) => {
                wrong.push(format!("{}: {:.4} {:.4} passes {ceiling:?}", name(row), row.median, row.p90));
            }
            None => wrong.push(format!("{}: no ceiling in tests/data/measured.toml", name(row))),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn print(validation: &Validation) {
    for cell in &validation.cells {
        for q in &cell.quantities {
            let trust = if q.trusted { "" } else { " (not to be believed)" };
            let error = q.error * 100.0;
            println!(
                "{}: {}: model {} truth {} error {error:+.1} %{trust}",
                cell.id, q.name, q.model, q.truth
            );
        }
        if !cell.supported {
            println!("{}: unsupported: {}", cell.id, cell.reason);
        }
    }
    for target in targets(&validation.cells) {
        let met = if target.met() { "met" } else { "missed" };
        let [median, p90] = [target.median, target.p90].map(|share| share * 100.0);
        println!("{}: median {median:.1} % 90th percentile {p90:.1} %: {met}", target.what);
    }
}

/// The outcome as one line of JSON, its numbers as long as a reader can use.
fn rounded(validation: &Validation) -> String {
    fn round(value: &mut Value) {
        match value {
            Value::Number(number) if !number.is_u64() => {
                let text = format!("{:.*e}", DIGITS - 1, number.as_f64().expect("a number"));
                let short: f64 = text.parse().expect("what was just written");
                // Whole numbers stand without a fraction.
                *value = if short.fract() == 0.0 && short.abs() < 1e15 {
                    Value::from(short as i64)
                } else {
                    Value::from(short)
                };
            }
            Value::Array(values) => values.iter_mut().for_each(round),
            Value::Object(fields) => fields.values_mut().for_each(round),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(validation).expect("it can be written");
    round(&mut value);
    format!("{value}\n")
}

fn with_section(page: &str, section: &str) -> String {
    let (before, rest) = page.split_once(BEGIN).expect("docs/accuracy.md has the section's begin");
    let (_, after) = rest.split_once(END).expect("docs/accuracy.md has the section's end");
    format!("{before}{BEGIN}\n{section}{END}{after}")
}

fn name(row: &Summary) -> String {
    format!("{} {} {}", row.engine, row.kind, row.quantity)
}

fn ceilings() -> Ceilings {
    toml::from_str(&text("tests/data/measured.toml")).expect("names and pairs of numbers")
}

/// Writes the lower of the old ceiling and of what was reached, in steps of a thousandth.
fn lower_ceilings(rows: &[Summary]) {
    let mut ceilings = ceilings();
    for row in rows {
        let reached = [row.median, row.p90].map(|error| (error * 1e3).ceil() / 1e3);
        let ceiling = ceilings.entry(name(row)).or_insert(reached);
        *ceiling = [ceiling[0].min(reached[0]), ceiling[1].min(reached[1])];
    }
    let mut text = String::from(
        "# Errors that the median and the 90th percentile of each kind of measured figure may have at most. They may only\n\
         # fall; `cargo xtask accuracy` lowers them.\n\n",
    );
    for (name, [median, p90]) in ceilings {
        text.push_str(&format!("\"{name}\" = [{median}, {p90}]\n"));
    }
    fs::write(path("tests/data/measured.toml"), text).expect("tests/data/measured.toml can be written");
}
