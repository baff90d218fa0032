//! A Rust that can build for wasm32: rustup's where it has the target, else a private one.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{Runner, quiet_output};
use crate::workspace::{find_program, root};

/// The target that the page is compiled for.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Raised whenever `debian-toolchain.sh` arranges its result in another way.
const LAYOUT: &str = "1";

/// The oldest Rust that the workspace accepts.
const MIN_RUST: &str = env!("CARGO_PKG_RUST_VERSION");

/// A Rust toolchain that has the wasm target.
#[derive(Debug, PartialEq, Eq)]
pub enum Toolchain {
    /// The one that cargo takes by itself.
    Current,
    /// One made from Debian's packages, in this folder.
    Private(PathBuf),
}

impl Toolchain {
    /// Makes a cargo command use this toolchain's compiler.
    pub fn apply(&self, cargo: &mut Command) {
        if let Self::Private(folder) = self {
            let bin = folder.join("bin");
            cargo.env("RUSTC", bin.join("rustc")).env("RUSTDOC", bin.join("rustdoc"));
        }
    }
}

/// Finds or makes a toolchain with the wasm target, and says in one line which.
///
/// # Errors
/// When there is no way here to get one; the message says what to type.
pub fn ensure() -> Result<Toolchain> {
    if current_has_target() {
        say("the current toolchain has it");
        return Ok(Toolchain::Current);
    }
    let folder = private_folder()?;
    let private = folder.join("current");
    if is_complete(&private) {
        say(&format!("using the private toolchain in {}", private.display()));
        return Ok(Toolchain::Private(private));
    }
    if env::var_os("RUSTUP_AUTO_INSTALL").is_none_or(|value| value != "0")
        && let Some(rustup) = find_program("rustup")
    {
        say(&format!("adding it with `rustup target add {TARGET}`"));
        let added = Runner::new().run(Command::new(rustup).args(["target", "add", TARGET]));
        if added.is_ok() && current_has_target() {
            return Ok(Toolchain::Current);
        }
    }
    if find_program("apt-get").is_some() {
        say("making a private toolchain from Debian's packages (about a minute and 520 MB, once)");
        Runner::new()
            .run(
                Command::new("sh")
                    .arg(root().join("crates/xtask/debian-toolchain.sh"))
                    .arg(&folder)
                    .args([LAYOUT, MIN_RUST]),
            )
            .with_context(advice)?;
        if is_complete(&private) {
            return Ok(Toolchain::Private(private));
        }
    }
    bail!(advice())
}

/// Whether cargo's own toolchain has the wasm target.
pub fn current_has_target() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    quiet_output(Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]))
        .is_some_and(|folder| has_std(Path::new(&folder)))
}

fn has_std(folder: &Path) -> bool {
    folder.read_dir().is_ok_and(|entries| {
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-"))
    })
}

fn is_complete(folder: &Path) -> bool {
    let marked = std::fs::read_to_string(folder.join(".complete"));
    marked.is_ok_and(|layout| layout.trim() == LAYOUT)
        && quiet_output(Command::new(folder.join("bin/rustc")).arg("-V"))
            .is_some_and(|version| is_new_enough(&version, MIN_RUST))
}

/// Whether `rustc 1.96.0 (…)` is not older than `1.95`.
fn is_new_enough(rustc_says: &str, min: &str) -> bool {
    let numbers = |version: &str| -> Vec<u32> {
        version.split(['.', '-', '+']).map_while(|part| part.parse().ok()).collect()
    };
    rustc_says.split_whitespace().nth(1).is_some_and(|version| numbers(version) >= numbers(min))
}

/// `SPINDLE_TOOLCHAIN_DIR`, or a folder in the user's cache.
fn private_folder() -> Result<PathBuf> {
    let given = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = given("SPINDLE_TOOLCHAIN_DIR") {
        return Ok(root().join(folder));
    }
    let cache = given("XDG_CACHE_HOME").or_else(|| Some(given("HOME")?.join(".cache")));
    let cache = cache.or_else(|| given("LOCALAPPDATA")).context("set HOME or SPINDLE_TOOLCHAIN_DIR")?;
    Ok(cache.join("spindle").join("wasm-toolchain"))
}

fn advice() -> String {
    format!("no Rust with the target {TARGET}. Type: rustup target add {TARGET}")
}

fn say(what: &str) {
    println!("{TARGET}: {what}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        assert!(is_new_enough("rustc 1.96.0 (abc 2026-01-01)", "1.95"));
        assert!(is_new_enough("rustc 1.100.0-nightly (abc)", "1.95"));
        assert!(is_new_enough("rustc 1.95.0", "1.95"));
        assert!(!is_new_enough("rustc 1.9.0", "1.95"));
        assert!(!is_new_enough("rustc 1.85.1 (abc)", "1.95"));
        assert!(!is_new_enough("", "1.95"));
    }

    #[test]
    fn private_toolchain_sets_both_compilers() {
        let mut command = Command::new("cargo");
        Toolchain::Private(PathBuf::from("place")).apply(&mut command);
        let set: Vec<_> = command.get_envs().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(set, ["RUSTC", "RUSTDOC"]);
    }

    #[test]
    fn unfinished_folder_is_not_complete() {
        assert!(!is_complete(Path::new("no such folder")));
    }
}
