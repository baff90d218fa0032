//! Chromium, Node and the scripts that drive the page.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{Runner, quiet_output};
use crate::workspace::{browser_tests, find_program, release_program, target};

/// The oldest Node that can run the tests.
const MIN_NODE: u32 = 20;

/// All that a script in `tests/browser` needs to drive the page.
pub struct Browser {
    node: PathBuf,
    chromium: PathBuf,
}

impl Browser {
    /// Finds or installs Chromium and the Node dependencies.
    ///
    /// # Errors
    /// When one of them is missing; the message says what to type.
    pub fn ensure(runner: &mut Runner) -> Result<Self> {
        let node = find_node()?;
        let chromium = match find_chromium()? {
            Some(path) => path,
            None => install_chromium(runner)?,
        };
        install_node_dependencies(runner)?;
        println!("browser: {}", chromium.display());
        Ok(Self { node, chromium })
    }

    /// A Node command in `tests/browser` whose scripts find the page at this address.
    pub fn node(&self, url: &str) -> Command {
        let mut command = Command::new(&self.node);
        command
            .current_dir(browser_tests())
            .env("SPINDLE_URL", url)
            .env("SPINDLE_CLI", release_program("spindle"))
            .env("SPINDLE_CHROMIUM", &self.chromium)
            .env("SPINDLE_SCREENSHOTS", target().join("screenshots"));
        command
    }
}

/// The test files in `tests/browser`, by name.
///
/// # Errors
/// When the folder cannot be read or has none.
pub fn test_files() -> Result<Vec<String>> {
    let mut files: Vec<String> = browser_tests()
        .read_dir()?
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.ends_with(".test.mjs"))
        .collect();
    if files.is_empty() {
        bail!("tests/browser has no file that ends in .test.mjs");
    }
    files.sort();
    Ok(files)
}

fn find_node() -> Result<PathBuf> {
    const ADVICE: &str = "the browser tests need Node 20 or newer with npm; on Debian type: \
        apt-get install nodejs npm, else see nodejs.org";
    let node = find_program("node").context(ADVICE)?;
    let version = quiet_output(Command::new(&node).arg("--version")).unwrap_or_default();
    let major = version.trim_start_matches('v').split('.').next().and_then(|number| number.parse().ok());
    if major.is_none_or(|major: u32| major < MIN_NODE) {
        bail!("this is Node {version}: {ADVICE}");
    }
    Ok(node)
}

fn find_chromium() -> Result<Option<PathBuf>> {
    if let Some(given) = env::var_os("SPINDLE_CHROMIUM") {
        let path = PathBuf::from(given);
        if !path.is_file() {
            bail!("SPINDLE_CHROMIUM names no file: {}", path.display());
        }
        return Ok(Some(path));
    }
    let in_path = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
        .into_iter()
        .find_map(find_program);
    let elsewhere = ["Google Chrome", "Chromium"]
        .map(|name| PathBuf::from(format!("/Applications/{name}.app/Contents/MacOS/{name}")))
        .into_iter()
        .find(|path| path.is_file());
    Ok(in_path.or(elsewhere))
}

fn install_chromium(runner: &mut Runner) -> Result<PathBuf> {
    const ADVICE: &str = "the browser tests need Chromium or Chrome; on Debian type: \
        apt-get install chromium, or set SPINDLE_CHROMIUM to the program's path";
    let is_root = quiet_output(Command::new("id").arg("-u")).is_some_and(|id| id == "0");
    let Some(apt) = find_program("apt-get").filter(|_| is_root) else { bail!(ADVICE) };
    println!("browser: installing chromium with apt-get");
    let mut apt_get = |arguments: &[&str]| {
        let mut command = Command::new(&apt);
        runner.run(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive")).context(ADVICE)
    };
    apt_get(&["-qq", "update"])?;
    apt_get(&["-qq", "install", "-y", "chromium", "chromium-driver"])?;
    find_chromium()?.context(ADVICE)
}

/// Installs what `package-lock.json` names, unless that was done already.
fn install_node_dependencies(runner: &mut Runner) -> Result<()> {
    let folder = browser_tests();
    let lock = fs::read(folder.join("package-lock.json")).context("tests/browser/package-lock.json")?;
    let done = folder.join("node_modules").join(".spindle-lock");
    if fs::read(&done).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let npm = find_program("npm").context("npm is missing; on Debian type: apt-get install npm")?;
    println!("browser: npm ci in tests/browser");
    runner.run(
        Command::new(npm)
            .args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"])
            .current_dir(&folder)
            .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"),
    )?;
    Ok(fs::write(done, lock)?)
}
