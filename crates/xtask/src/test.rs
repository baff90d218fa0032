//! Everything that must hold before a change is good, from formatting to the page in a real browser.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::browser::{self, Browser};
use crate::process::Runner;
use crate::serve::Server;
use crate::toolchain::{TARGET, current_has_target};
use crate::{bundle, workspace};

/// How many lines of a failed step are shown again at the end.
const LINES_SHOWN: usize = 80;

/// What `cargo xtask test` was asked to do.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Leave out what needs a release build or a browser.
    pub quick: bool,
    /// Run only tests whose name contains this.
    pub filter: Option<String>,
}

/// A step: its name, and what it does with the options and a runner; it returns a remark.
type Step = (&'static str, fn(&Options, &mut Runner) -> Result<String>);

const FORMAT: Step = ("format", format);
const LINTS: Step = ("lints", lints);
const TESTS: Step = ("tests", tests);
const VALIDATION: Step = ("validation", validation);
const DOCS: Step = ("documentation", docs);
const COMMAND: Step = ("command", command);
const PAGE: Step = ("page", page);
const BROWSER: Step = ("browser", in_browser);

/// A step that was run.
struct Done {
    name: &'static str,
    passed: bool,
    time: Duration,
    remark: String,
}

/// Runs the steps in order and stops at the first that fails.
///
/// # Errors
/// When a step fails; its output and the summary have been printed by then.
pub fn run(options: &Options) -> Result<()> {
    let mut done = Vec::new();
    for &(name, action) in steps(options) {
        println!("\n=== {name} ===");
        let start = Instant::now();
        let mut runner = Runner::keeping();
        let result = action(options, &mut runner);
        let passed = result.is_ok();
        let remark = result.unwrap_or_else(|error| format!("{error:#}"));
        done.push(Done { name, passed, time: start.elapsed(), remark });
        if !passed {
            println!("\n=== the end of what the step {name} said ===\n{}", last_lines(&runner.kept()));
            break;
        }
    }
    println!("\n=== summary ===\n{}", summary(&done));
    match done.last() {
        Some(step) if !step.passed => bail!("the step {} failed: {}", step.name, step.remark),
        _ => Ok(()),
    }
}

/// The steps for these options: someone who filters wants tests, and soon.
fn steps(options: &Options) -> &'static [Step] {
    match (options.quick, options.filter.is_some()) {
        (false, false) => &[FORMAT, LINTS, TESTS, VALIDATION, DOCS, COMMAND, PAGE, BROWSER],
        (true, false) => &[FORMAT, LINTS, TESTS],
        (false, true) => &[TESTS, VALIDATION, COMMAND, PAGE, BROWSER],
        (true, true) => &[TESTS],
    }
}

fn format(_: &Options, runner: &mut Runner) -> Result<String> {
    runner.run(workspace::cargo("fmt").args(["--all", "--check"]))?;
    Ok(String::new())
}

fn lints(_: &Options, runner: &mut Runner) -> Result<String> {
    const STRICT: [&str; 4] = ["--all-targets", "--", "-D", "warnings"];
    let mut others = cargo("clippy");
    runner.run(others.args(["--workspace", "--exclude", "spindle-explorer"]).args(STRICT))?;
    // Where the compiler at hand knows the browser's target, the page is checked for that; a private
    // toolchain has no clippy, so there the page's code is checked as if it were native.
    let mut explorer = cargo("clippy");
    explorer.args(["--package", "spindle-explorer"]);
    if current_has_target() {
        explorer.args(["--target", TARGET]).env("CARGO_TARGET_DIR", workspace::wasm_target());
    }
    runner.run(explorer.args(STRICT))?;
    Ok(String::new())
}

/// The variable from which property tests take the seed of their draws.
const SEED: &str = "PROPTEST_RNG_SEED";

fn tests(options: &Options, runner: &mut Runner) -> Result<String> {
    let filter = options.filter.as_slice();
    runner.run(
        cargo("test")
            .args(["--workspace", "--exclude", "xtask", "--exclude", "spindle-tests", "--no-fail-fast", "--"])
            .args(filter),
    )?;
    // This program's own tests take the profile it was built with, so that its dependencies serve twice.
    runner.run(cargo("test").args(["--package", "xtask", "--profile", "dev", "--"]).args(filter))?;
    Ok(format!("{} passed", passed(&runner.kept(), "test result: ok. ")))
}

/// The model against measured engines and published figures, with every figure printed.
fn validation(options: &Options, runner: &mut Runner) -> Result<String> {
    let filter = options.filter.as_slice();
    runner.run(
        cargo("test")
            .args(["--package", "spindle-tests", "--no-fail-fast", "--", "--nocapture", "--test-threads=1"])
            .args(filter),
    )?;
    Ok(format!("{} passed", passed(&runner.kept(), "test result: ok. ")))
}

/// Compares the models with all measurements, the closed form with the simulation, and writes what is shown of it. With
/// `stored` only the closed form is, with what the simulation answered before.
///
/// # Errors
/// When an error passes its ceiling.
pub fn accuracy(stored: bool) -> Result<()> {
    let mut test = cargo("test");
    test.args(["--package", "spindle-tests", "--test", "estimate"]);
    if stored {
        test.env("SPINDLE_WRITE", "stored");
    } else {
        test.args(["--test", "measured", "--test", "sample"]).env("SPINDLE_WRITE", "1");
    }
    Runner::new().run(&mut test)
}

fn docs(_: &Options, runner: &mut Runner) -> Result<String> {
    runner.run(
        cargo("doc")
            .args(["--workspace", "--exclude", "xtask", "--no-deps"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    Ok(String::new())
}

fn command(_: &Options, runner: &mut Runner) -> Result<String> {
    runner.run(cargo("build").args(["--release", "--package", "spindle-cli"]))?;
    Ok(String::new())
}

fn page(_: &Options, runner: &mut Runner) -> Result<String> {
    bundle::build(false, runner)?;
    Ok(String::new())
}

fn in_browser(options: &Options, runner: &mut Runner) -> Result<String> {
    let browser = Browser::ensure(runner)?;
    let server = Server::start(&workspace::dist(), 0)?;
    let mut node = browser.node(&server.url());
    node.args(["--test", "--test-reporter=spec"]);
    if let Some(filter) = &options.filter {
        node.arg(format!("--test-name-pattern={}", escaped(filter)));
    }
    runner.run(node.args(browser::test_files()?))?;
    Ok(format!("{} passed", passed(&runner.kept(), "ℹ pass ")))
}

/// Cargo in colour when its output, which passes through here, ends in a terminal. Property tests draw the same cases
/// every time, so that the same tree gets the same verdict; other draws are a question of [`SEED`].
fn cargo(subcommand: &str) -> std::process::Command {
    let mut cargo = workspace::cargo(subcommand);
    if std::env::var_os(SEED).is_none() {
        cargo.env(SEED, "20");
    }
    if std::io::stdout().is_terminal() {
        cargo.env("CARGO_TERM_COLOR", "always");
    }
    cargo
}

/// The sum of the numbers that follow a label in lines that start with it.
fn passed(output: &str, label: &str) -> u32 {
    output
        .lines()
        .filter_map(|line| line.strip_prefix(label)?.split_whitespace().next()?.parse::<u32>().ok())
        .sum()
}

/// A text in which every character of a regular expression's syntax stands for itself.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, character| {
        if r"\^$.|?*+()[]{}/".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
        escaped
    })
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES_SHOWN)..].join("\n")
}

fn summary(done: &[Done]) -> String {
    let mut text = String::new();
    for step in done {
        let mark = if step.passed { "ok" } else { "FAILED" };
        let line = format!("{mark:<8}{:<16}{:>7.1} s  {}", step.name, step.time.as_secs_f64(), step.remark);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let total: Duration = done.iter().map(|step| step.time).sum();
    let _ = writeln!(text, "{:<8}{:<16}{:>7.1} s", "", "together", total.as_secs_f64());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passed_tests_are_summed() {
        let output = "test result: ok. 3 passed; 0 failed\nnoise\ntest result: ok. 40 passed; 1 ignored\n";
        assert_eq!(passed(output, "test result: ok. "), 43);
        assert_eq!(passed("ℹ tests 9\nℹ pass 7\n", "ℹ pass "), 7);
    }

    #[test]
    fn filter_is_taken_literally() {
        assert_eq!(escaped("a.b (c)"), r"a\.b \(c\)");
    }

    #[test]
    fn every_option_runs_the_tests() {
        for quick in [false, true] {
            for filter in [None, Some(String::from("lru"))] {
                let options = Options { quick, filter };
                assert!(steps(&options).iter().any(|step| step.0 == "tests"), "{options:?}");
            }
        }
    }

    #[test]
    fn summary_lines_up() {
        let step = |name, passed, remark: &str| Done {
            name,
            passed,
            time: Duration::from_millis(1250),
            remark: remark.into(),
        };
        let text = summary(&[step("format", true, ""), step("tests", false, "`cargo test` failed")]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "ok      format              1.2 s");
        assert_eq!(lines[1], "FAILED  tests               1.2 s  `cargo test` failed");
        assert_eq!(lines[2], "        together            2.5 s");
    }

    #[test]
    fn only_the_end_of_long_output_is_repeated() {
        let text: String = (0..200).map(|line| format!("{line}\n")).collect();
        let end = last_lines(&text);
        assert_eq!(end.lines().count(), LINES_SHOWN);
        assert!(end.ends_with("199"));
    }
}
