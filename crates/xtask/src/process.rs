//! Running other programs, with their output shown as it comes and, where wanted, kept.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};

/// Runs programs one after the other.
#[derive(Default)]
pub struct Runner {
    kept: Option<Vec<u8>>,
}

impl Runner {
    /// A runner whose programs write straight to this process's output.
    pub fn new() -> Self {
        Self::default()
    }

    /// A runner that shows what its programs write, and keeps it too.
    pub fn keeping() -> Self {
        Self { kept: Some(Vec::new()) }
    }

    /// All that was kept so far, as text without colours.
    pub fn kept(&self) -> String {
        without_colours(&String::from_utf8_lossy(self.kept.as_deref().unwrap_or_default()))
    }

    /// Runs a command to its end.
    ///
    /// # Errors
    /// When it cannot be started, or ends without success.
    pub fn run(&mut self, command: &mut Command) -> Result<()> {
        let status = if let Some(kept) = &mut self.kept {
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = start(command)?;
            let shared = Arc::new(Mutex::new(Vec::new()));
            let out = child.stdout.take().map(|from| copy(from, io::stdout(), Arc::clone(&shared)));
            let err = child.stderr.take().map(|from| copy(from, io::stderr(), Arc::clone(&shared)));
            let status = child.wait()?;
            for copier in [out, err].into_iter().flatten() {
                let _ = copier.join();
            }
            kept.append(&mut shared.lock().unwrap_or_else(PoisonError::into_inner));
            status
        } else {
            start(command)?.wait()?
        };
        if !status.success() {
            bail!("`{}` failed ({status})", shown(command));
        }
        Ok(())
    }
}

/// Runs a command and returns what it writes to standard output; errors are shown as they come.
///
/// # Errors
/// When it cannot be started, or ends without success.
pub fn output(command: &mut Command) -> Result<String> {
    let child = start(command.stdin(Stdio::null()).stdout(Stdio::piped()))?;
    let output = child.wait_with_output()?;
    if !output.status.success() {
        bail!("`{}` failed ({})", shown(command), output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What a command writes to standard output when it succeeds; nothing is shown.
pub fn quiet_output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn start(command: &mut Command) -> Result<Child> {
    command.spawn().with_context(|| format!("cannot start `{}`", shown(command)))
}

/// A command as one would type it: the program's name without its folder, then the arguments.
fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let mut line = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
    }
    line
}

fn copy(
    mut from: impl Read + Send + 'static,
    mut to: impl Write + Send + 'static,
    kept: Arc<Mutex<Vec<u8>>>,
) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            let bytes = &buffer[..length];
            // A closed standard output must not stop the program from being drained.
            let _ = to.write_all(bytes).and_then(|()| to.flush());
            kept.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        }
    })
}

/// Removes what terminals take as colours: escape, bracket, up to the letter; or escape, parenthesis and
/// one letter.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut parts = text.split('\u{1b}');
    plain.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|character: char| character.is_ascii_alphabetic());
        plain.push_str(end.map_or("", |end| &part[end + 1..]));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_removed() {
        assert_eq!(without_colours("a \u{1b}[1m\u{1b}[32mok\u{1b}[0m\u{1b}(B b"), "a ok b");
        assert_eq!(without_colours("cut \u{1b}[3"), "cut ");
    }

    #[test]
    fn output_is_kept_and_failure_names_the_command() {
        let mut runner = Runner::keeping();
        runner.run(Command::new("rustc").arg("--version")).expect("rustc is here");
        assert!(runner.kept().starts_with("rustc "));
        let error = runner.run(Command::new("rustc").arg("--no-such-option")).expect_err("no such option");
        assert!(error.to_string().contains("`rustc --no-such-option` failed"), "{error}");
        assert!(runner.kept().contains("no-such-option"));
    }
}
