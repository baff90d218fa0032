//! The texts are complete: every key that is used exists, every language has every key, and nothing is left over.

use super::model_words::data_key;
use super::{
    Language, active,
    messages::{ENGLISH, speak},
    text,
};
use fluent_bundle::FluentResource;
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use spindle_device::PRESETS;
use spindle_engine::profile::PROFILES;
use spindle_experiments::{Card, Case};
use spindle_workload::WorkloadKind;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Does something in a language other than English.
pub fn in_language(language: Language, action: impl FnOnce()) {
    speak(language, source(language));
    action();
    speak(Language::English, String::new());
}

fn source(language: Language) -> String {
    let path = repository().join("www/locales").join(format!("{}.ftl", language.tag()));
    fs::read_to_string(path).unwrap()
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Keys with the variables of each.
fn messages(source: &str) -> BTreeMap<String, BTreeSet<String>> {
    let resource = FluentResource::try_new(source.to_owned()).map_err(|(_, errors)| errors).unwrap();
    let mut messages = BTreeMap::new();
    for entry in resource.entries() {
        let Entry::Message(message) = entry else { continue };
        let mut variables = BTreeSet::new();
        gather(message.value.as_ref().unwrap(), &mut variables);
        let before = messages.insert(message.id.name.to_owned(), variables);
        assert_eq!(before, None, "{} stands twice", message.id.name);
    }
    messages
}

fn gather(pattern: &Pattern<&str>, variables: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        let PatternElement::Placeable { expression } = element else { continue };
        let inline = match expression {
            Expression::Inline(inline) => inline,
            Expression::Select { selector, variants } => {
                variants.iter().for_each(|variant| gather(&variant.value, variables));
                selector
            }
        };
        if let InlineExpression::VariableReference { id } = inline {
            variables.insert(id.name.to_owned());
        }
    }
}

/// The sources of the page, without their tests.
fn sources() -> String {
    let mut all = String::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("language/tests.rs") && !path.ends_with("language/mod.rs") {
                all.push_str(
                    fs::read_to_string(&path).unwrap().split("#[cfg(test)]\nmod tests {").next().unwrap(),
                );
            }
        }
    }
    all
}

/// The text literals of Rust code, as far as keys may stand in them.
fn literals(code: &str) -> BTreeSet<&str> {
    code.lines().flat_map(|line| line.split('"').skip(1).step_by(2)).collect()
}

/// The keys in calls of `text`, with or without values.
fn asked_for(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices("text").filter_map(|(at, word)| {
        let before = code[..at].chars().next_back();
        let is_call = !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.');
        let rest = code[at + word.len()..].trim_start_matches('!').strip_prefix('(')?;
        let key = rest.trim_start().strip_prefix('"')?.split('"').next()?;
        // Drawing functions are called with words that are no keys, such as an axis' zero.
        let is_key = key.starts_with(|c: char| c.is_ascii_lowercase());
        (is_call && is_key).then_some(key)
    })
}

#[test]
fn every_key_that_is_used_exists_and_every_key_is_used() {
    let (code, english) = (sources(), messages(ENGLISH));
    for key in asked_for(&code) {
        assert!(english.contains_key(key), "no message for {key}");
    }
    // A key may be put together: what stands before or behind a pair of braces is then a part of some keys.
    let literals = literals(&code);
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for literal in &literals {
        match (literal.split_once('{'), literal.rsplit_once('}')) {
            (Some(("", _)), Some((_, end))) if end.starts_with('-') => ends.push(end),
            (Some((start, _)), _) if start.ends_with('-') && start.len() > 2 => starts.push(start),
            _ => {}
        }
    }
    for key in english.keys() {
        let is_whole = literals.contains(key.as_str());
        let starts_so = starts.iter().any(|start| key.starts_with(start));
        let ends_so = ends.iter().any(|end| key.strip_suffix(end).is_some_and(|key| literals.contains(key)));
        assert!(is_whole || starts_so || ends_so, "nothing says {key}");
    }
}

fn asks_queries(card: &Card, case: &Case) -> bool {
    card.scenario(case).unwrap().workload.kind == WorkloadKind::Tpch
}

/// Keys that only translations have, because the English stands in the models' own data: those that must be there, and
/// all that may be.
fn keys_of_data() -> (BTreeSet<String>, BTreeSet<String>) {
    // A build for tests may know cards of queries, which the page's own build leaves out.
    let mut cards = spindle_experiments::cards().unwrap();
    cards.retain(|card| card.cases.iter().all(|case| !asks_queries(card, case)));
    let measured = include_str!("../../../../www/accuracy.json");
    let measured = crate::measured::Measured::read(measured).unwrap();
    let mut words: Vec<&str> = Vec::new();
    for card in &cards {
        words.push(&card.title);
        words.extend(card.cases.iter().flat_map(|case| case.title.split(", ")));
        words.extend(card.claims.iter().map(|claim| claim.title.as_str()));
        words
            .extend(card.fitted.iter().flat_map(|constant| [constant.name.as_str(), constant.unit.as_str()]));
        words.extend(card.assumed.iter().map(String::as_str));
    }
    words.extend(measured.cells.iter().flat_map(|cell| [cell.trust.as_str(), cell.reason.as_str()]));
    // Names of products, and sizes, are the same in every language.
    words.retain(|words| !["", "CUBRID", "MySQL", "INSERT FULL", "SSDs", "good", "counters"].contains(words));
    words.retain(|words| !(words.starts_with(|c: char| c.is_ascii_digit()) && words.ends_with(" GB")));
    let mut required: BTreeSet<String> = words.into_iter().map(data_key).collect();
    required.extend(PRESETS.iter().map(|preset| format!("preset-{}", preset.name)));
    let mut all = required.clone();
    let axes = cards.iter().flat_map(|card| &card.grids).flat_map(|grid| &grid.axes);
    all.extend(axes.map(|axis| data_key(&axis.name)));
    for profile in PROFILES {
        for parameter in profile.parameters {
            required.insert(format!("effect-{}", parameter.name));
            all.insert(format!("effect-{}-{}", profile.name.replace('.', "-"), parameter.name));
        }
    }
    all.extend(required.iter().cloned());
    (required, all)
}

#[test]
fn every_language_has_every_key_with_the_same_variables() {
    let english = messages(ENGLISH);
    let (required, data) = keys_of_data();
    for language in Language::ALL.into_iter().skip(1) {
        let own = messages(&source(language));
        for (key, variables) in &english {
            assert_eq!(own.get(key), Some(variables), "{}: {key}", language.tag());
        }
        for key in own.keys() {
            let is_known = english.contains_key(key) || data.contains(key);
            assert!(is_known, "{}: nothing says {key}", language.tag());
        }
        for key in &required {
            assert!(own.contains_key(key), "{}: {key}", language.tag());
        }
    }
}

#[test]
fn a_missing_message_is_said_in_english() {
    speak(Language::Turkish, "language = Dil".into());
    assert_eq!((active(), text("language").as_str()), (Language::Turkish, "Dil"));
    assert_eq!(text("fetch-lost"), "The server did not answer.");
    speak(Language::English, String::new());
    assert_eq!(text("language"), "Language");
}

#[test]
fn the_first_language_of_the_reader_that_the_page_speaks_is_taken() {
    for (tags, language) in [
        (&["de-DE", "tr-TR", "en"][..], Language::Turkish),
        (&["zh-TW"], Language::ChineseTraditional),
        (&["zh-Hant-HK"], Language::ChineseTraditional),
        (&["zh"], Language::ChineseSimplified),
        (&["zh-Hans-MO"], Language::ChineseSimplified),
        (&["hi-IN"], Language::Hindi),
        (&["fr", ""], Language::English),
        (&[], Language::English),
    ] {
        assert_eq!(Language::wanted(tags.iter().copied()), language, "{tags:?}");
    }
}
