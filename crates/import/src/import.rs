//! Any mix of files at once, put into one Scenario.

use crate::{
    ImportedEngine, ImportedTable, Note, NoteKind, ROWS_ASSUMED, Source, read_configuration_file, read_schema,
};
use spindle_scenario::{Scenario, Table};

/// A note and the file it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileNote {
    /// Name of the file; empty where several together are meant.
    pub file: String,
    /// The note.
    pub note: Note,
}

impl std::fmt::Display for FileNote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = match self.note.kind {
            NoteKind::Problem => "problem",
            NoteKind::Ignored => "ignored",
            NoteKind::Assumed => "assumed",
            NoteKind::Used => "used",
            NoteKind::Asked => "asked",
        };
        match self.file.as_str() {
            "" => write!(f, "{kind}: {}", self.note.text),
            file => write!(f, "{file}:{}: {kind}: {}", self.note.line, self.note.text),
        }
    }
}

/// What files say together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Imported {
    /// The engine, where a configuration names one.
    pub engine: Option<ImportedEngine>,
    /// Tables in their order.
    pub tables: Vec<ImportedTable>,
    /// What became of the files' places, in the order of files.
    pub notes: Vec<FileNote>,
}

/// Reads files. It never fails: what is not understood is noted.
pub fn import(sources: &[Source]) -> Imported {
    let mut all = Imported::default();
    for source in sources {
        let text = source.text();
        let notes = if is_schema(&text) {
            let (tables, notes) = read_schema(&text);
            all.add_tables(&source.name, tables);
            notes
        } else {
            let (engine, notes) = read_configuration_file(source);
            all.add_engine(&source.name, engine);
            notes
        };
        all.notes.extend(notes.into_iter().map(|note| FileNote { file: source.name.clone(), note }));
    }
    all
}

/// Whether a line begins like a definition of a table or an index.
fn is_schema(text: &str) -> bool {
    text.lines().any(|line| {
        let mut words = line.split_whitespace();
        words.next().is_some_and(|word| word.eq_ignore_ascii_case("create"))
            && words.take(2).any(|word| ["table", "index"].iter().any(|w| word.eq_ignore_ascii_case(w)))
    })
}

impl Imported {
    fn add_engine(&mut self, file: &str, engine: Option<ImportedEngine>) {
        let Some(engine) = engine else { return };
        match &mut self.engine {
            Some(known) if known.profile == engine.profile => {
                known.parameters = known.parameters.overlaid(&engine.parameters);
            }
            Some(known) => {
                let text = format!(
                    "left out: a file before it is of {}, this one of {}",
                    known.profile, engine.profile
                );
                self.note(file, NoteKind::Problem, text);
            }
            None => self.engine = Some(engine),
        }
    }

    fn add_tables(&mut self, file: &str, tables: Vec<ImportedTable>) {
        for table in tables {
            if self.tables.iter().any(|known| known.name == table.name) {
                let text = format!("table {}: defined before; the first definition counts", table.name);
                self.note(file, NoteKind::Ignored, text);
            } else {
                self.tables.push(table);
            }
        }
    }

    fn note(&mut self, file: &str, kind: NoteKind, text: String) {
        self.notes.push(FileNote { file: file.to_owned(), note: Note { line: 1, kind, text } });
    }

    /// Lays what the files say over `base`, which says everything else, and notes what is left of `base`.
    pub fn over(mut self, base: Scenario) -> (Scenario, Vec<FileNote>) {
        let mut scenario = base;
        let assumed = |what: &str| format!("{what}: no file says it, so it is the base's");
        self.note("", NoteKind::Assumed, assumed("machine, storage, load and run"));
        // What is a mixture is no longer what the base was called.
        scenario.title = String::new();
        match self.engine.take() {
            Some(engine) => {
                scenario.engine.profile = engine.profile.to_owned();
                scenario.engine.configuration.clear();
                scenario.engine.parameters = engine.parameters;
            }
            None => self.note("", NoteKind::Assumed, assumed("engine")),
        }
        if self.tables.is_empty() {
            self.note("", NoteKind::Assumed, assumed("tables"));
        } else {
            let text = format!("{ROWS_ASSUMED} rows in each table, loaded in random order");
            self.note("", NoteKind::Assumed, text);
            // A share of pages was chosen for the base's tables.
            scenario.run.sample = 0.0;
            scenario.tables = std::mem::take(&mut self.tables).into_iter().map(Table::from).collect();
        }
        (scenario, self.notes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spindle_scenario::scenario_from_toml;

    const BASE: &str = "[machine]\ncores = 4\nclock_ghz = 3.3\nmemory = \"8G\"\n[storage.device]\npreset = \"sata-7200\"\n\
        [engine]\nprofile = \"mariadb-10.11\"\n[[table]]\nname = \"t\"\nrows = 1000\ncolumns = [{ name = \"id\", type = \"int\" }]\n\
        indexes = [{ name = \"PRIMARY\", kind = \"primary\", columns = [\"id\"] }]\n[workload]\nkind = \"point-select\"\nclients = 8\n";

    fn source(name: &str, text: &str) -> Source {
        Source { name: name.into(), bytes: text.into() }
    }

    #[test]
    fn a_configuration_and_a_schema_become_one_scenario() {
        let files = [
            source("my.cnf", "[mysqld]\ninnodb_page_cleaners=4\ninnodb_buffer_pool_size=1G\n"),
            source("a.sql", "create table a (id int primary key);"),
            source("b.sql", "create table a (x bigint primary key);"),
            source("c.conf", "shared_buffers=1GB\n"),
            source("junk", "\0\0"),
        ];
        let mut base = scenario_from_toml(BASE).expect("a sound base");
        base.title = "another experiment".into();
        base.run.sample = 0.5;
        let (scenario, notes) = import(&files).over(base);
        assert_eq!((scenario.title.as_str(), scenario.run.sample), ("", 0.0));
        assert_eq!(scenario.check(), []);
        assert_eq!(
            (scenario.engine.profile.as_str(), scenario.buffer_bytes()),
            ("innodb-8.0", 1_073_741_824.0)
        );
        assert_eq!((scenario.tables.len(), scenario.tables[0].name.as_str()), (1, "a"));
        let of = |file: &str, kind| notes.iter().any(|n| n.file == file && n.note.kind == kind);
        assert!(of("my.cnf", NoteKind::Used) && of("b.sql", NoteKind::Ignored));
        assert!(
            of("c.conf", NoteKind::Problem) && of("junk", NoteKind::Problem) && of("", NoteKind::Assumed)
        );
        assert_eq!(scenario_from_toml(&scenario.to_toml()), Ok(scenario), "what is written can be run");
    }
}
