//! Tables of documents that tests write and compare, and the ceilings of the errors in them.

use std::{collections::BTreeMap, fmt::Write, fs, path::PathBuf};

/// A place below the project's root.
pub fn path(below_root: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(below_root)
}

/// The text of a file below the project's root.
///
/// # Panics
/// When it cannot be read.
pub fn text(below_root: &str) -> String {
    fs::read_to_string(path(below_root)).unwrap_or_else(|error| panic!("{below_root}: {error}"))
}

/// Whether tests write what they find (`cargo xtask accuracy`) or compare with what was written.
pub fn writing() -> bool {
    std::env::var_os("SPINDLE_WRITE").is_some()
}

/// A part of a document between two marks, written by a test.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// The document, below the project's root.
    pub file: &'static str,
    /// The name in its marks.
    pub name: &'static str,
}

impl Section {
    /// Writes the section's text and lowers the ceilings in `ceilings_file` to the errors reached; or, where tests only
    /// compare, checks that the document says this and that no error passes its ceiling. Ceilings are rounded up to a
    /// thousandth.
    ///
    /// # Panics
    /// When the document has no such section, says something else, or a ceiling is passed.
    pub fn hold(&self, new: &str, ceilings_file: &str, reached: &BTreeMap<String, f64>) {
        let begin = format!("<!-- {}: written by `cargo xtask accuracy` -->\n", self.name);
        let end = format!("<!-- {}: end -->\n", self.name);
        let old = text(self.file);
        let (before, rest) = old.split_once(&begin).expect("the document has the section's begin");
        let (_, after) = rest.split_once(&end).expect("the document has the section's end");
        let page = format!("{before}{begin}\n{new}\n{end}{after}");
        let known = fs::read_to_string(path(ceilings_file)).unwrap_or_default();
        let mut ceilings: BTreeMap<String, f64> = toml::from_str(&known).expect("names and numbers");
        if writing() {
            fs::write(path(self.file), page).expect("the document can be written");
            for (name, reached) in reached {
                let reached = (reached * 1e3).ceil() / 1e3;
                let ceiling = ceilings.entry(name.clone()).or_insert(reached);
                *ceiling = ceiling.min(reached);
            }
            let mut lines = String::from(
                "# Errors that figures may have. They only fall; `cargo xtask accuracy` lowers them.\n\n",
            );
            for (name, ceiling) in &ceilings {
                let _ = writeln!(lines, "{name} = {ceiling}");
            }
            fs::write(path(ceilings_file), lines).expect("the ceilings can be written");
        } else {
            assert_eq!(
                old, page,
                "{} does not show these errors; `cargo xtask accuracy` writes it",
                self.file
            );
        }
        for (name, reached) in reached {
            let ceiling = ceilings.get(name).copied().unwrap_or(0.0);
            assert!(*reached <= ceiling + 1e-9, "{name}: {reached} passes its ceiling of {ceiling}");
        }
    }
}
