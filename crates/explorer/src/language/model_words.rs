//! What scenarios, engines and devices say of mistakes, runs of themselves, and the reader of DDL of what it found, in
//! the reader's language.
//!
//! They speak English and know nothing of the page. Their phrases are messages as well, whose English text is the
//! pattern by which a phrase is recognised: `model-range = { $a } to { $b }` recognises "1 to 64".

use super::{Language, active, compose, messages::english, text_or};
use fluent_bundle::FluentArgs;

/// Phrases, the most particular first. A phrase that is none of these is shown as it is.
const PHRASES: [&str; 47] = [
    "model-run-too-short",
    "model-nothing-ended",
    "model-sample-simulated",
    "model-statement-time",
    "model-ddl-syntax",
    "model-ddl-other",
    "model-ddl-type",
    "model-ddl-no-table",
    "model-buffer-in-memory",
    "model-at-most-memory",
    "model-at-most-simulated",
    "model-tables-on-storage",
    "model-larger-devices",
    "model-size-of-tables",
    "model-unknown-parameter",
    "model-no-table",
    "model-a-table",
    "model-no-primary-key",
    "model-a-primary-key",
    "model-share-above-zero",
    "model-tables-wanted",
    "model-tables-found",
    "model-no-table-named",
    "model-tables-of-order-entry",
    "model-engine-that-loads",
    "model-nothing-before-load",
    "model-index-wanted",
    "model-none-of-them",
    "model-cold-is-clean",
    "model-whole-number",
    "model-number",
    "model-switch",
    "model-a-size",
    "model-a-time",
    "model-one-device",
    "model-even-devices",
    "model-two-devices",
    "model-link-too-long",
    "model-link-cut-off",
    "model-link-whole",
    "model-link-changed",
    "model-link-as-given",
    "model-link-stranger",
    "model-link-letters",
    "model-link-of-future",
    "model-one-of",
    "model-range",
];

/// Stand-ins for values, which no phrase contains.
const GAPS: [(&str, char); 2] = [("a", '\u{1}'), ("b", '\u{2}')];

/// A phrase of the models in the language that is spoken.
pub fn model_words(phrase: &str) -> String {
    if active() == Language::English {
        return phrase.to_owned();
    }
    let known = PHRASES.iter().find_map(|key| Some((key, values(&pattern(key), phrase)?)));
    known.map_or_else(
        || phrase.to_owned(),
        |(key, values)| {
            let mut named = FluentArgs::new();
            for ((name, _), value) in GAPS.iter().zip(values) {
                named.set(*name, value);
            }
            compose(key, &named)
        },
    )
}

/// Words of a replay card or of the measurements in the language that is spoken: only translations have these messages,
/// keyed by the English words.
pub fn data_words(words: &str) -> String {
    text_or(&data_key(words), words)
}

/// The key of such words: `SELECT in memory` has `data-select-in-memory`.
pub fn data_key(words: &str) -> String {
    let parts = words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    // A sentence is known by its beginning.
    let parts: Vec<String> = parts.take(DATA_WORDS).map(str::to_ascii_lowercase).collect();
    format!("data-{}", parts.join("-"))
}

/// Words of a sentence that are in its key.
const DATA_WORDS: usize = 8;

/// The English text of a message with its gaps.
fn pattern(key: &str) -> String {
    let mut gaps = FluentArgs::new();
    for (name, gap) in GAPS {
        gaps.set(name, gap.to_string());
    }
    english(key, &gaps)
}

/// What stands in the gaps, if the phrase is of the pattern.
fn values<'a>(pattern: &str, phrase: &'a str) -> Option<Vec<&'a str>> {
    let mut pieces = pattern.split(|c| GAPS.iter().any(|(_, gap)| *gap == c));
    let mut rest = phrase.strip_prefix(pieces.next()?)?;
    let mut values = Vec::new();
    for piece in pieces {
        let at = if piece.is_empty() { rest.len() } else { rest.find(piece)? };
        values.push(&rest[..at]);
        rest = &rest[at + piece.len()..];
    }
    rest.is_empty().then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;
    use spindle_scenario::Scenario;
    use spindle_units::Bytes;

    #[test]
    fn values_are_found_in_their_gaps() {
        assert_eq!(values("\u{1} to \u{2}", "16 MiB to 32 TiB"), Some(vec!["16 MiB", "32 TiB"]));
        assert_eq!(values("one of \u{1}", "one of a, b"), Some(vec!["a, b"]));
        assert_eq!(values("no table", "no table"), Some(vec![]));
        assert_eq!(values("no table", "no tables"), None);
        assert_eq!(values("\u{1} to \u{2}", "many"), None);
    }

    #[test]
    fn words_of_data_have_short_keys() {
        assert_eq!(data_key("SELECT in memory"), "data-select-in-memory");
        assert_eq!(data_key("a (b) c, d e f g h i j"), "data-a-b-c-d-e-f-g-h");
    }

    #[test]
    fn every_phrase_recognises_itself_first() {
        for key in PHRASES {
            let phrase = pattern(key).replace('\u{1}', "4 GiB").replace('\u{2}', "8 GiB");
            let first = PHRASES.iter().find(|key| values(&pattern(key), &phrase).is_some());
            assert_eq!(first, Some(&key), "{phrase}");
        }
    }

    fn is_known(phrase: &str) -> bool {
        PHRASES.iter().any(|key| values(&pattern(key), phrase).is_some())
    }

    #[test]
    fn what_a_run_notes_is_known() {
        let mut scenario = (*Store::default().scenarios[0]).clone();
        scenario.tables[0].rows = 100_000;
        scenario.run.sample = 0.01;
        scenario.run.duration = spindle_units::Span::seconds(60);
        scenario.run.stop = spindle_scenario::Stop::Confidence;
        scenario.run.precision = 0.001;
        let notes = spindle_simulate::simulate(&scenario).unwrap().notes;
        assert_eq!(notes.len(), 3, "{notes:?}");
        assert!(notes.iter().all(|note| is_known(note)), "{notes:?}");
        // Messages that take longer than the whole run.
        scenario.workload.round_trip = spindle_units::Span::seconds(100);
        let notes = spindle_simulate::simulate(&scenario).unwrap().notes;
        assert!(notes.iter().any(|note| note.starts_with("No transaction ended")), "{notes:?}");
        assert!(notes.iter().all(|note| is_known(note)), "{notes:?}");
    }

    #[test]
    fn what_the_reader_of_ddl_notes_is_known() {
        let ddl = "CREATE TABLE t (a INT, b GEOMETRY); CREATE INDEX i ON u (a); SELECT 1; CREATE TABLE (";
        let notes = spindle_import::read_schema(ddl).1;
        assert_eq!(notes.len(), 4, "{notes:?}");
        assert!(notes.iter().all(|note| is_known(&note.text)), "{notes:?}");
    }

    #[test]
    fn what_a_check_expects_is_known() {
        let broken: [fn(&mut Scenario); 8] = [
            |s| s.machine.cores = 0,
            |s| s.machine.memory = Bytes(1),
            |s| s.machine.memory = Bytes::mib(64),
            |s| s.tables.clear(),
            |s| s.tables[0].rows = 1_000_000_000,
            |s| s.storage.device.count = 0,
            |s| s.workload.search_range = 0.0,
            |s| s.engine.profile = "none".into(),
        ];
        for change in broken {
            let mut scenario = (*Store::default().scenarios[0]).clone();
            change(&mut scenario);
            let problems = scenario.check();
            assert!(!problems.is_empty());
            for problem in problems {
                assert!(is_known(&problem.expected), "{problem}");
            }
        }
    }
}
