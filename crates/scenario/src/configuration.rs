//! An engine's own configuration file: `my.cnf`, `cubrid.conf`.

use serde::{Deserialize, Serialize};
use spindle_engine::{
    parameters::{Parameters, Value},
    profile::Profile,
};

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// The model follows it.
    Used,
    /// A later line sets the same parameter.
    Replaced,
    /// The model does not follow this parameter.
    NotModelled,
    /// The value is not one the parameter takes.
    BadValue,
}

/// What was made of one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigurationNote {
    /// Line, from 1.
    pub line: usize,
    /// The parameter as written.
    pub name: String,
    /// What became of it.
    pub kind: NoteKind,
    /// In words, where there is more to say.
    pub text: String,
}

/// Groups of an option file that a server does not read.
const OTHER_GROUPS: [&str; 6] = ["client", "mysql", "mysqldump", "mysqld_safe", "mysqladmin", "service"];

/// Reads a configuration: sections, `key = value` or a bare key, comments after `#` and `;`. It never fails: what it
/// does not follow it notes.
pub fn read_configuration(profile: &Profile, text: &str) -> (Parameters, Vec<ConfigurationNote>) {
    let mut parameters = Parameters::default();
    let mut notes: Vec<ConfigurationNote> = Vec::new();
    let mut skipped = false;
    for (at, line) in text.lines().enumerate() {
        let line = line.split(['#', ';']).next().unwrap_or("").trim();
        if let Some(group) = line.strip_prefix('[') {
            let group = group.trim_end_matches(']').trim().to_ascii_lowercase();
            skipped = OTHER_GROUPS.contains(&group.as_str());
            continue;
        }
        if line.is_empty() || skipped {
            continue;
        }
        let (name, value) = line.split_once('=').map_or((line, ""), |(n, v)| (n.trim(), v.trim()));
        let mut note = |kind, text: String| {
            notes.push(ConfigurationNote { line: at + 1, name: name.to_owned(), kind, text });
        };
        let Some(spec) = profile.parameter(name) else {
            note(NoteKind::NotModelled, String::new());
            continue;
        };
        if let Err(bad) = spec.parse(value) {
            note(NoteKind::BadValue, format!("found {}, expected {}", bad.found, bad.expected));
            continue;
        }
        note(NoteKind::Used, String::new());
        if parameters.get(name).is_some()
            && let Some(earlier) = notes.iter_mut().rev().skip(1).find(|n| {
                n.kind == NoteKind::Used && profile.parameter(&n.name).is_some_and(|p| p.name == spec.name)
            })
        {
            earlier.kind = NoteKind::Replaced;
            earlier.text = format!("line {} sets it again", at + 1);
        }
        parameters.set(spec.name, Value::Text(value.to_owned()));
    }
    (parameters, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_two_values_wins() {
        let profile = Profile::find("cubrid-2008-r3").unwrap();
        let text = "[common]\ndata_buffer_pages=25000\nmax_clients=50\n\ndata_buffer_pages=262144 # 4 GiB\n";
        let (parameters, notes) = read_configuration(profile, text);
        assert_eq!(parameters.get("data_buffer_pages").unwrap().to_string(), "262144");
        assert_eq!(notes[0].kind, NoteKind::Replaced);
        assert_eq!((notes[1].kind, notes[1].line), (NoteKind::NotModelled, 3));
        assert_eq!((notes[2].kind, notes[2].line), (NoteKind::Used, 5));
    }

    #[test]
    fn a_bad_value_is_noted_with_its_line() {
        let profile = Profile::find("innodb-5.1").unwrap();
        let (parameters, notes) = read_configuration(
            profile,
            "[client]\nport=1\n[mysqld]\ninnodb-buffer-pool-size=lots\nlog-bin=x\n",
        );
        assert!(parameters.get("innodb_buffer_pool_size").is_none());
        assert_eq!((notes[0].kind, notes[0].line), (NoteKind::BadValue, 4));
        assert_eq!(notes[1].kind, NoteKind::Used, "a name turns the binary log on");
    }
}
