//! The messages of the language that is spoken, and English where it lacks one.

use super::Language;
use crate::format::number;
use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};
use std::cell::RefCell;

/// English is always there.
pub const ENGLISH: &str = include_str!("../../../../www/locales/en.ftl");

type Bundle = FluentBundle<FluentResource>;

/// What the page says, in one language.
struct Voice {
    language: Language,
    /// The messages of a language other than English.
    own: Option<Bundle>,
    english: Bundle,
}

thread_local! {
    static VOICE: RefCell<Voice> = RefCell::new(Voice {
        language: Language::English,
        own: None,
        english: bundle(Language::English, ENGLISH.to_owned()),
    });
}

fn bundle(language: Language, source: String) -> Bundle {
    // A tag that is none cannot be in the list; the plural rules of no language would do.
    let mut bundle = Bundle::new(vec![language.tag().parse().unwrap_or_default()]);
    // The marks would break words that are searched for and copied; nothing here is written from right to left.
    bundle.set_use_isolating(false);
    bundle.set_formatter(Some(|value, _| match value {
        FluentValue::Number(value) => Some(number(value.value)),
        _ => None,
    }));
    // A message that cannot be read is left out, and English stands in for it.
    let resource = FluentResource::try_new(source).unwrap_or_else(|(readable, _)| readable);
    bundle.add_resource_overriding(resource);
    bundle
}

/// Speaks a language from now on, whose messages are given as the text of its file.
pub fn speak(language: Language, source: String) {
    VOICE.with_borrow_mut(|voice| {
        voice.own = (language != Language::English).then(|| bundle(language, source));
        voice.language = language;
    });
}

/// The language that is spoken.
pub fn active() -> Language {
    VOICE.with_borrow(|voice| voice.language)
}

/// The text of a key.
pub fn text(key: &str) -> String {
    found(key, None).unwrap_or_else(|| lost(key))
}

/// The text of a key with values in it; the macro `text!` is the way to call this.
pub fn compose(key: &str, values: &FluentArgs) -> String {
    found(key, Some(values)).unwrap_or_else(|| lost(key))
}

/// The text of a key that only translations have, and the English that it translates.
pub fn text_or(key: &str, english: &str) -> String {
    found(key, None).unwrap_or_else(|| english.to_owned())
}

/// The English text of a key with values in it.
pub fn english(key: &str, values: &FluentArgs) -> String {
    VOICE.with_borrow(|voice| formatted(&voice.english, key, Some(values))).unwrap_or_else(|| lost(key))
}

fn found(key: &str, values: Option<&FluentArgs>) -> Option<String> {
    VOICE.with_borrow(|voice| {
        let own = voice.own.as_ref().and_then(|bundle| formatted(bundle, key, values));
        own.or_else(|| formatted(&voice.english, key, values))
    })
}

fn formatted(bundle: &Bundle, key: &str, values: Option<&FluentArgs>) -> Option<String> {
    let pattern = bundle.get_message(key)?.value()?;
    let mut errors = Vec::new();
    let text = bundle.format_pattern(pattern, values, &mut errors).into_owned();
    #[cfg(test)]
    assert!(errors.is_empty(), "{key}: {errors:?}");
    Some(text)
}

/// A key without any text is a mistake that tests find; a reader sees at least what is meant.
fn lost(key: &str) -> String {
    #[cfg(test)]
    panic!("no message {key}");
    #[cfg(not(test))]
    key.replace('-', " ")
}
