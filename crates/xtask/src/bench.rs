//! The same measurements natively and in the browser, side by side.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::browser::Browser;
use crate::process::{Runner, output};
use crate::serve::Server;
use crate::{bundle, sizes, workspace};

/// Measured values by name.
type Figures = BTreeMap<String, f64>;

/// Builds the command and the page for release, measures with both and prints the two side by side.
///
/// # Errors
/// When a build or a measurement fails.
pub fn run() -> Result<()> {
    let mut runner = Runner::new();
    bundle::build(false, &mut runner)?;
    let browser = Browser::ensure(&mut runner)?;

    println!("measuring natively");
    let mut cargo = workspace::cargo("run");
    cargo.args(["--quiet", "--release", "--package", "spindle-cli", "--", "bench", "--json"]);
    let native = figures(&output(&mut cargo)?).context("`spindle bench --json`")?;

    println!("measuring in the browser");
    let server = Server::start(&workspace::dist(), 0)?;
    let said = output(browser.node(&server.url()).arg("bench.mjs"))?;
    let in_browser = figures(&said).context("the page's measurements")?;

    println!("\n{}", table(&native, &in_browser));
    let size = sizes::of(&workspace::dist().join("spindle-explorer_bg.wasm"))?;
    let (raw, brotli) = (sizes::kilobytes(size.raw), sizes::kilobytes(size.brotli));
    println!("wasm: {raw} raw, {brotli} brotli");
    Ok(())
}

/// The numbers in a JSON object; those in nested objects get names such as `outer.inner`.
fn figures(json: &str) -> Result<Figures> {
    let value: Value = serde_json::from_str(json.trim()).context("this is no JSON")?;
    let mut figures = Figures::new();
    collect("", &value, &mut figures);
    Ok(figures)
}

fn collect(name: &str, value: &Value, figures: &mut Figures) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                let path = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                collect(&path, member, figures);
            }
        }
        _ => {
            if let Some(number) = value.as_f64() {
                figures.insert(name.into(), number);
            }
        }
    }
}

fn table(native: &Figures, browser: &Figures) -> String {
    let names: std::collections::BTreeSet<&String> = native.keys().chain(browser.keys()).collect();
    let mut text = format!("{:<36}{:>16}{:>16}{:>8}\n", "", "native", "browser", "ratio");
    for name in names {
        let (native, browser) = (native.get(name), browser.get(name));
        let ratio = match (native, browser) {
            (Some(native), Some(browser)) if *native != 0.0 => format!("{:.2}", browser / native),
            _ => String::new(),
        };
        let (native, browser) = (shown(native), shown(browser));
        let _ = writeln!(text, "{name:<36}{native:>16}{browser:>16}{ratio:>8}");
    }
    text
}

/// Large numbers whole and in groups of three digits, small ones with three decimals.
fn shown(number: Option<&f64>) -> String {
    let Some(&number) = number else { return String::from("-") };
    if number.abs() < 1000.0 {
        return format!("{number:.3}");
    }
    let digits = format!("{:.0}", number.abs());
    let mut text = String::from(if number < 0.0 { "-" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_at_any_depth() {
        let figures = figures(r#"{"a": 1, "text": "x", "b": {"c": 2.5}}"#).expect("JSON");
        assert_eq!(figures, Figures::from([("a".into(), 1.0), ("b.c".into(), 2.5)]));
        assert!(super::figures("not JSON").is_err());
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(shown(None), "-");
        assert_eq!(shown(Some(&0.5)), "0.500");
        assert_eq!(shown(Some(&1234.4)), "1 234");
        assert_eq!(shown(Some(&-123_456_789.0)), "-123 456 789");
    }

    #[test]
    fn table_has_a_ratio_where_both_are_known() {
        let native = Figures::from([("both".into(), 200.0), ("one".into(), 1.0)]);
        let text = table(&native, &Figures::from([("both".into(), 150.0)]));
        assert!(text.lines().any(|line| line.starts_with("both") && line.ends_with("0.75")), "{text}");
        assert!(text.lines().any(|line| line.starts_with("one") && line.ends_with("-        ")), "{text}");
    }
}
