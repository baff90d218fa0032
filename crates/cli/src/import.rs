//! `spindle import`.

use crate::{Outcome, input};
use clap::Args;
use spindle_import::{Source, import};
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// The scenario that says what the files do not: a TOML file, EXPERIMENT/CASE, or a link of the page in quotes.
    #[arg(long)]
    base: String,
    /// Configuration files of engines and files of DDL, in any mix.
    #[arg(required = true)]
    files: Vec<String>,
}

/// Prints the scenario as TOML on standard output, so that it can be piped into `spindle run -`, and what became of
/// each line on standard error.
pub(crate) fn run(arguments: &ImportArguments) -> Outcome {
    let base = match input::scenario(&arguments.base) {
        Ok(base) => base,
        Err(messages) => return Outcome::BadInput(messages),
    };
    let sources: Result<Vec<_>, _> = arguments.files.iter().map(|path| source(path)).collect();
    let sources = match sources {
        Ok(sources) => sources,
        Err(message) => return Outcome::BadInput(vec![message]),
    };
    let (scenario, notes) = import(&sources).over(base);
    for note in notes {
        eprintln!("{note}");
    }
    let problems = scenario.check();
    if !problems.is_empty() {
        return Outcome::BadInput(input::messages("the scenario of these files", &problems));
    }
    print!("{}", scenario.to_toml());
    Outcome::Done
}

fn source(path: &str) -> Result<Source, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}, expected a readable file"))?;
    let name = Path::new(path).file_name().map_or_else(|| path.into(), |name| name.to_string_lossy());
    Ok(Source { name: name.into_owned(), bytes })
}
