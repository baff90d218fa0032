//! Builds, serves, tests and measures Spindle: `cargo xtask help`.

mod bench;
mod browser;
mod bundle;
mod process;
mod serve;
mod sizes;
mod test;
mod toolchain;
mod workspace;

use std::ffi::OsString;
use std::process::ExitCode;
use std::thread;

use anyhow::{Result, anyhow, bail};
use lexopt::prelude::{Long, Short, Value, ValueExt};

use crate::process::Runner;
use crate::serve::Server;

const HELP: &str = "\
Builds, serves, tests and measures Spindle.

usage: cargo xtask <command>

commands:
  build [--debug]           compile the page to WebAssembly and lay it out in dist/, ready for any
                            static web server; --debug is quicker to compile and slow to run
  serve [--port N] [--no-build]
                            build, then serve dist/ on this machine only, on port 8080 or the next
                            free one; --no-build serves what is there
  test [--quick] [FILTER]   formatting, lints, tests, validation, documentation, the command, the
                            page, and the page in Chromium; --quick ends after the tests; with FILTER
                            only tests whose name contains it are run
  bench                     the same measurements natively and in Chromium, side by side
  accuracy [--stored]       compare the models with all measurements, write what the page and the
                            documentation show of it, and lower the ceilings to what was reached;
                            --stored does so for the closed form only, without simulating anew
  help                      this text

environment:
  SPINDLE_CHROMIUM          the Chromium or Chrome to drive, if not the one in PATH
  SPINDLE_TOOLCHAIN_DIR     where a private toolchain is kept, if one must be made; otherwise
                            spindle/wasm-toolchain in the user's cache folder
  RUSTUP_AUTO_INSTALL=0     never add the WebAssembly target with rustup

`build` needs a Rust with the target wasm32-unknown-unknown. It takes the first of these: the current
toolchain, if it has the target; a private toolchain made earlier; `rustup target add`; a private
toolchain made from Debian's packages. The browser tests need Node 20 with npm, and Chromium.
";

/// What to do.
#[derive(Debug, PartialEq, Eq)]
enum Task {
    Build { debug: bool },
    Serve { port: u16, build: bool },
    Test(test::Options),
    Bench,
    Accuracy { stored: bool },
    Help,
}

fn main() -> ExitCode {
    let task = match parse(std::env::args_os().skip(1)) {
        Ok(task) => task,
        Err(error) => {
            eprintln!("xtask: {error:#}\nFor the commands type: cargo xtask help");
            return ExitCode::from(2);
        }
    };
    match run(task) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> Result<()> {
    match task {
        Task::Build { debug } => bundle::build(debug, &mut Runner::new()),
        Task::Serve { port, build } => serve(port, build),
        Task::Test(options) => test::run(&options),
        Task::Bench => bench::run(),
        Task::Accuracy { stored } => test::accuracy(stored),
        Task::Help => {
            print!("{HELP}");
            Ok(())
        }
    }
}

fn serve(port: u16, build: bool) -> Result<()> {
    if build {
        bundle::build(false, &mut Runner::new())?;
    } else if !workspace::dist().join("index.html").is_file() {
        bail!("dist/ is empty; type: cargo xtask build");
    }
    let server = Server::start(&workspace::dist(), port)?;
    println!("Spindle is at {}/ until you press Ctrl-C", server.url());
    loop {
        thread::park();
    }
}

fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Task> {
    let mut parser = lexopt::Parser::from_args(arguments);
    let mut task = match parser.next()? {
        None | Some(Long("help") | Short('h')) => return Ok(Task::Help),
        Some(Value(command)) => match command.string()?.as_str() {
            "build" => Task::Build { debug: false },
            "serve" => Task::Serve { port: 8080, build: true },
            "test" => Task::Test(test::Options::default()),
            "bench" => Task::Bench,
            "accuracy" => Task::Accuracy { stored: false },
            "help" => return Ok(Task::Help),
            other => bail!("there is no command `{other}`"),
        },
        Some(option) => return Err(option.unexpected().into()),
    };
    while let Some(argument) = parser.next()? {
        match (&mut task, argument) {
            (_, Long("help") | Short('h')) => return Ok(Task::Help),
            (Task::Build { debug }, Long("debug")) => *debug = true,
            (Task::Accuracy { stored }, Long("stored")) => *stored = true,
            (Task::Serve { build, .. }, Long("no-build")) => *build = false,
            (Task::Serve { port, .. }, Long("port")) => {
                let value = parser.value()?;
                *port = value.parse().map_err(|_| anyhow!("--port wants a number up to 65535"))?;
            }
            (Task::Test(options), Long("quick")) => options.quick = true,
            (Task::Test(options), Value(filter)) if options.filter.is_none() => {
                options.filter = Some(filter.string()?);
            }
            (_, argument) => return Err(argument.unexpected().into()),
        }
    }
    Ok(task)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Task, String> {
        parse(line.split_whitespace().map(OsString::from)).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn commands_and_their_options() {
        assert_eq!(parsed(""), Ok(Task::Help));
        assert_eq!(parsed("help"), Ok(Task::Help));
        assert_eq!(parsed("serve --help"), Ok(Task::Help));
        assert_eq!(parsed("build"), Ok(Task::Build { debug: false }));
        assert_eq!(parsed("build --debug"), Ok(Task::Build { debug: true }));
        assert_eq!(parsed("serve"), Ok(Task::Serve { port: 8080, build: true }));
        assert_eq!(parsed("serve --no-build --port=81"), Ok(Task::Serve { port: 81, build: false }));
        assert_eq!(parsed("bench"), Ok(Task::Bench));
        assert_eq!(parsed("accuracy"), Ok(Task::Accuracy { stored: false }));
        assert_eq!(parsed("accuracy --stored"), Ok(Task::Accuracy { stored: true }));
        let options = test::Options { quick: true, filter: Some("lru".into()) };
        assert_eq!(parsed("test lru --quick"), Ok(Task::Test(options)));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(parsed("biuld"), Err("there is no command `biuld`".into()));
        for (line, word) in [
            ("build --fast", "--fast"),
            ("bench more", "more"),
            ("test one two", "two"),
            ("serve --port", "--port"),
            ("serve --port 99999", "65535"),
        ] {
            let message = parsed(line).expect_err(line);
            assert!(message.contains(word), "{line}: {message}");
        }
    }
}
