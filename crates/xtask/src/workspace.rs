//! Where things lie in the workspace, and how cargo is called there.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root folder of the workspace.
pub fn root() -> PathBuf {
    let manifest =
        env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| OsString::from(env!("CARGO_MANIFEST_DIR")));
    let manifest = Path::new(&manifest);
    manifest.ancestors().nth(2).unwrap_or(manifest).to_path_buf()
}

/// Cargo's target folder for native builds.
pub fn target() -> PathBuf {
    ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"]
        .into_iter()
        .find_map(env::var_os)
        .map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// The folder for builds of the page, apart from the native one: another compiler may be at work there,
/// and neither shall invalidate what the other has built.
pub fn wasm_target() -> PathBuf {
    target().join("wasm")
}

/// Where cargo keeps the sources of dependencies, unless the path cannot be written in its configuration.
pub fn cargo_home() -> Option<PathBuf> {
    let given = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = given("CARGO_HOME").or_else(|| Some(env::home_dir()?.join(".cargo")))?;
    (!home.to_string_lossy().contains(['\'', '='])).then(|| root().join(home))
}

/// The finished page.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// The browser tests and their Node dependencies.
pub fn browser_tests() -> PathBuf {
    root().join("tests").join("browser")
}

/// The path of a native program built with `--release`.
pub fn release_program(name: &str) -> PathBuf {
    target().join("release").join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// A cargo command, to be run in the root with the native target folder.
pub fn cargo(subcommand: &str) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.arg(subcommand).current_dir(root()).env("CARGO_TARGET_DIR", target());
    command
}

/// The first program of this name in `PATH`.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(&file)).find(|path| path.is_file())
}
