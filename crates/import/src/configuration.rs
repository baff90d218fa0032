//! Configuration files of engines: `my.cnf`, `postgresql.conf`, `firebird.conf`, `cubrid.conf`.

mod family;
mod option_file;
mod value;

use crate::{Note, NoteKind, Source};
use family::{Family, follows};
use option_file::{Setting, settings};
use spindle_engine::{
    parameters::{Parameters, Value},
    profile::Profile,
};

/// Groups of an option file that a server of MySQL or MariaDB does not read.
const CLIENT_GROUPS: [&str; 6] = ["client", "mysql", "mysqldump", "mysqld_safe", "mysqladmin", "service"];

/// An engine as its configuration describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedEngine {
    /// Name of the profile.
    pub profile: &'static str,
    /// What the file sets of what the profile follows.
    pub parameters: Parameters,
}

/// Reads a configuration. No engine comes back where no setting of any is found; the note says what was tried.
pub fn read_configuration_file(source: &Source) -> (Option<ImportedEngine>, Vec<Note>) {
    let text = source.text();
    let counts = Family::ALL.map(|family| (family.known(&text), family));
    // The first of those that know most.
    let best = counts.into_iter().reduce(|best, next| if next.0 > best.0 { next } else { best });
    let Some((1.., family)) = best else {
        let tried = Family::ALL.map(Family::file).join(", ");
        let text = format!("no setting of an engine was found; it was read as {tried}");
        return (None, vec![Note { line: 1, kind: NoteKind::Problem, text }]);
    };
    let settings = settings(&text, family.notation());
    let (profile, why) = profile(family, &settings);
    let mut notes = vec![why];
    let mut parameters = Parameters::default();
    for setting in &settings {
        notes.push(follow(family, profile, setting, &mut parameters));
    }
    notes.extend(asked(family, profile));
    (Some(ImportedEngine { profile, parameters }), notes)
}

/// The profile that follows most of the settings; of equals the family's first.
fn profile(family: Family, settings: &[Setting]) -> (&'static str, Note) {
    let known = |profile: &str| settings.iter().filter(|s| follows(profile, &family.parameter(s))).count();
    let counts = family.profiles().iter().map(|profile| (known(profile), *profile));
    let best = counts.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let (count, profile) = best.unwrap_or((0, family.profiles()[0]));
    let text = format!(
        "{profile}: a file like {} does not say its version; this profile follows {count} of {} settings, no other more",
        family.file(),
        settings.len()
    );
    (profile, Note { line: 1, kind: NoteKind::Assumed, text })
}

/// Sets what one setting says, and notes what became of it.
fn follow(family: Family, profile: &str, setting: &Setting, parameters: &mut Parameters) -> Note {
    let note = |kind, text| Note { line: setting.line, kind, text };
    let name = family.parameter(setting);
    if family == Family::MySql && CLIENT_GROUPS.contains(&setting.group.as_str()) {
        return note(NoteKind::Ignored, format!("{name}: the server does not read [{}]", setting.group));
    }
    if name.starts_with('!') || name.starts_with("include") {
        return note(NoteKind::Asked, format!("{name}: names other files, whose settings count as well"));
    }
    let (name, written) = switched(family, profile, name, setting.value.as_deref());
    let Some(spec) = Profile::find(profile).and_then(|p| p.parameter(&name)) else {
        return note(NoteKind::Ignored, format!("{name}: the model does not follow it"));
    };
    let value = value::translated(family, spec, &written);
    match spec.parse(&value) {
        Err(bad) => {
            note(NoteKind::Problem, format!("{name}: found {}, expected {}", bad.found, bad.expected))
        }
        Ok(_) => {
            let again =
                if parameters.get(spec.name).is_some() { ", in place of an earlier line" } else { "" };
            let text = format!("{}: {value}{again}", spec.name);
            parameters.set(spec.name, Value::Text(value));
            note(NoteKind::Used, text)
        }
    }
}

/// Name and value, where MySQL's `skip-` and `disable-` turn a switch off and `enable-` turns it on.
fn switched(family: Family, profile: &str, name: String, value: Option<&str>) -> (String, String) {
    let prefixes = [("skip_", "0"), ("disable_", "0"), ("enable_", "1")];
    let plain = prefixes.iter().find_map(|(prefix, value)| {
        let rest =
            name.strip_prefix(prefix).filter(|rest| family == Family::MySql && follows(profile, rest))?;
        Some((rest.to_owned(), (*value).to_owned()))
    });
    plain.unwrap_or_else(|| (name, value.unwrap_or("").to_owned()))
}

/// What decides about pages and does not stand in files of this family.
fn asked(family: Family, profile: &str) -> Option<Note> {
    let text = match (family, profile) {
        (Family::Cubrid, _) => {
            "the page size does not stand in this file: it was given when the database was made"
        }
        (Family::Firebird, "firebird-2.5") => {
            "page size and architecture (SuperServer, SuperClassic, Classic) do not stand in this file"
        }
        (Family::Firebird, _) => {
            "the page size does not stand in this file: it was given when the database was made"
        }
        _ => return None,
    };
    Some(Note { line: 1, kind: NoteKind::Asked, text: text.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> (Option<ImportedEngine>, Vec<Note>) {
        read_configuration_file(&Source { name: "f".into(), bytes: text.into() })
    }

    fn engine(text: &str) -> (&'static str, Vec<(String, String)>) {
        let (engine, notes) = read(text);
        let engine = engine.unwrap_or_else(|| panic!("{notes:?}"));
        let values = engine.parameters.iter().map(|(name, value)| (name.to_owned(), value.to_string()));
        (engine.profile, values.collect())
    }

    fn values(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn an_option_file_of_mysql() {
        let text = "[client]\nlog-bin=x\n[mysqld]\ninnodb-buffer-pool-size = 1G\nloose-innodb_buffer_pool_size='4G' # later\n\
                    innodb_page_cleaners=8\ninnodb_io_capacity=2K\nskip-log-bin\nkey_buffer_size=8M\n!includedir /etc/mysql/conf.d\n";
        let (profile, set) = engine(text);
        assert_eq!(profile, "innodb-8.0");
        let expected = values(&[
            ("innodb_buffer_pool_size", "4G"),
            ("innodb_io_capacity", "2048"),
            ("innodb_page_cleaners", "8"),
            ("log_bin", "0"),
        ]);
        assert_eq!(set, expected);
        let kinds: Vec<_> = read(text).1.iter().map(|n| (n.line, n.kind)).collect();
        use NoteKind::{Asked, Assumed, Ignored, Used};
        let expected = [
            (1, Assumed),
            (2, Ignored),
            (4, Used),
            (5, Used),
            (6, Used),
            (7, Used),
            (8, Used),
            (9, Ignored),
            (10, Asked),
        ];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn names_that_only_one_version_has_decide() {
        assert_eq!(engine("[mysqld]\ninnodb_buffer_pool_extent_size=8M\n").0, "mariadb-10.11");
        assert_eq!(engine("data_buffer_pages=262144\n").0, "cubrid-2008-r3");
        assert_eq!(engine("FileSystemCacheThreshold = 65536\n").0, "firebird-2.5");
    }

    #[test]
    fn units_of_postgresql_go_by_parameter() {
        let text = "shared_buffers = 16384\nmax_wal_size 2048\ncheckpoint_timeout = 15min\nbgwriter_delay = '0.2s'\n\
                    wal_buffers = -1\nsynchronous_commit = remote_write\ninclude_if_exists 'x.conf'\n";
        let expected = values(&[
            ("bgwriter_delay", "200"),
            ("checkpoint_timeout", "900"),
            ("max_wal_size", "2048M"),
            ("shared_buffers", "134217728"),
            ("synchronous_commit", "on"),
            ("wal_buffers", "0"),
        ]);
        assert_eq!(engine(text), ("postgresql-15", expected));
    }

    #[test]
    fn words_of_firebird_and_what_its_file_does_not_say() {
        let text = "#DefaultDbCachePages = 1\nDefaultDbCachePages = 4096\nGCPolicy = background\n";
        assert_eq!(
            engine(text),
            ("firebird-3.0", values(&[("gc_policy", "background"), ("page_buffers", "4096")]))
        );
        assert!(read(text).1.iter().any(|n| n.kind == NoteKind::Asked && n.text.contains("page size")));
    }

    #[test]
    fn of_cubrid_the_later_line_wins_and_a_bad_value_is_told() {
        let text = "[common]\ndata_buffer_size=512M\ndata_buffer_size=2G\nasync_commit=perhaps\n";
        assert_eq!(engine(text), ("cubrid-11.3", values(&[("data_buffer_size", "2G")])));
        assert!(read(text).1.iter().any(|n| (n.line, n.kind) == (4, NoteKind::Problem)));
    }

    #[test]
    fn what_nobody_understands_says_what_was_tried() {
        let (engine, notes) = read("\0\u{1}hello\n[x\n===\n");
        assert_eq!(engine, None);
        assert!(Family::ALL.iter().all(|family| notes[0].text.contains(family.file())));
    }

    proptest! {
        #[test]
        fn notes_lie_in_the_file(lines in proptest::collection::vec("(\\[mysqld\\]|shared_buffers|data_buffer_size|!|[ -~é]{0,9})[= ]?.{0,9}", 0..9)) {
            let text = lines.join("\n");
            let last = text.lines().count().max(1);
            for note in read(&text).1 {
                prop_assert!((1..=last).contains(&note.line), "{note:?}");
            }
        }

        #[test]
        fn bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            read_configuration_file(&Source { name: "f".into(), bytes });
        }
    }
}
