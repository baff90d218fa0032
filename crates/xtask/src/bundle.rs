//! From the explorer's crate to a folder that any static web server can deliver.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use wasm_bindgen_cli_support::Bindgen;

use crate::process::Runner;
use crate::toolchain::{self, TARGET};
use crate::{sizes, workspace};

/// The crates that become modules of the page, and the stems of the two files made from each: the page itself, and what
/// it fetches when it is needed.
const PACKAGES: [&str; 2] = ["spindle-explorer", "spindle-ddl"];

/// Builds the page into `dist/`, and for a release prints the sizes of its files.
///
/// # Errors
/// When the toolchain, the compiler or wasm-bindgen fails, or `index.html` is missing.
pub fn build(debug: bool, runner: &mut Runner) -> Result<()> {
    let index = workspace::root().join("index.html");
    if !index.is_file() {
        bail!("index.html is missing in the root of the repository");
    }
    let modules = compile(debug, runner)?;

    let dist = workspace::dist();
    empty(&dist)?;
    for package in PACKAGES {
        bind(&modules.join(format!("{package}.wasm")), debug, &dist)?;
        if !debug {
            optimise(&dist.join(format!("{package}_bg.wasm")));
        }
    }
    fs::copy(&index, dist.join("index.html"))?;
    copy_folder(&workspace::root().join("www"), &dist)?;
    if !debug {
        print!("{}", sizes::report(&dist)?);
    }
    println!("dist/ is ready to be served by any static web server");
    Ok(())
}

/// Makes a module and the script that starts it from a raw wasm file.
fn bind(module: &Path, debug: bool, dist: &Path) -> Result<()> {
    Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(false)
        .debug(debug)
        .keep_debug(debug)
        .remove_name_section(!debug)
        .remove_producers_section(!debug)
        // So that `init()` without an argument finds the wasm file beside the script.
        .omit_default_module_path(false)
        .generate(dist)
        .with_context(|| format!("wasm-bindgen failed over {}", module.display()))
}

/// Compiles the crates and returns the folder of their raw wasm files.
fn compile(debug: bool, runner: &mut Runner) -> Result<PathBuf> {
    let toolchain = toolchain::ensure()?;
    let target = workspace::wasm_target();
    let mut cargo = workspace::cargo("build");
    cargo.args(["--target", TARGET]).env("CARGO_TARGET_DIR", &target);
    for package in PACKAGES {
        cargo.args(["--package", package]);
    }
    if !debug {
        cargo.arg("--release");
        // Panic messages name source files. Those of dependencies lie in the builder's home folder, which
        // is nobody's business and would make every machine's result differ.
        if let Some(home) = workspace::cargo_home() {
            let flag = format!("--remap-path-prefix={}=/cargo", home.display());
            cargo.arg("--config").arg(format!("target.{TARGET}.rustflags=['{flag}']"));
        }
    }
    toolchain.apply(&mut cargo);
    runner.run(&mut cargo)?;
    let profile = if debug { "debug" } else { "release" };
    Ok(target.join(TARGET).join(profile))
}

/// Runs wasm-opt over the module when npm's `binaryen` is there already.
///
/// It is not installed by default: on this page it takes 104 MB and some seconds to make the download
/// one per cent smaller once compressed, and nothing measurably faster. Only the features that rustc
/// itself assumes are named, because `--all-features` makes modules that browsers refuse.
fn optimise(module: &Path) {
    let root = workspace::root();
    let Some(wasm_opt) = [root.clone(), workspace::browser_tests()]
        .map(|folder| folder.join("node_modules/.bin/wasm-opt"))
        .into_iter()
        .find(|path| path.is_file())
    else {
        return;
    };
    let smaller = module.with_extension("opt.wasm");
    let result = Runner::new().run(
        Command::new(wasm_opt)
            .args(["-O3", "--enable-bulk-memory", "--enable-mutable-globals", "--enable-multivalue"])
            .args(["--enable-nontrapping-float-to-int", "--enable-reference-types", "--enable-sign-ext"])
            .arg(module)
            .arg("-o")
            .arg(&smaller),
    );
    match result.and_then(|()| Ok(fs::rename(&smaller, module)?)) {
        Ok(()) => println!("wasm-opt: done"),
        Err(error) => println!("wasm-opt: left out, {error}"),
    }
}

fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    Ok(fs::create_dir_all(folder)?)
}

/// Copies the files below one folder into another; a missing source counts as empty.
fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(to)?;
    for entry in from.read_dir()? {
        let entry = entry?;
        let (source, copy) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy_folder(&source, &copy)?;
        } else {
            fs::copy(&source, &copy).with_context(|| format!("cannot copy {}", source.display()))?;
        }
    }
    Ok(())
}
