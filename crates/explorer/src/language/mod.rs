//! The reader's language: which there are, which one is spoken, and every text of the page by its key.
//!
//! The texts are messages of Project Fluent. English is part of the program; the others lie beside the page as
//! `locales/TAG.ftl` and are fetched when they are chosen. A text is asked for where it is shown:
//!
//! ```ignore
//! text("stop")                                  // Stop
//! text!("cases-known", known = 3, whole = 12)   // 3 of 12 cases simulated
//! ```
//!
//! Numbers given to a message are written as the language writes them, see [`crate::format`]; a number with a unit is
//! formatted first and given as text.

mod messages;
mod model_words;
mod provider;
mod select;
#[cfg(test)]
mod tests;

pub use messages::{active, compose, text, text_or};
pub use model_words::{data_words, model_words};
pub use provider::{LanguageProvider, Start, use_language};
pub use select::LanguageSelect;
#[cfg(test)]
pub use tests::in_language;

/// The text of a key, with the values that stand in it.
macro_rules! text_with {
    ($key:expr $(, $name:ident = $value:expr)+ $(,)?) => {{
        let mut values = fluent_bundle::FluentArgs::new();
        $( values.set(stringify!($name), $value); )+
        $crate::language::compose($key, &values)
    }};
}
pub(crate) use text_with as text;

/// A language of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Hindi.
    Hindi,
    /// Turkish.
    Turkish,
    /// Chinese in simplified characters.
    ChineseSimplified,
    /// Chinese in traditional characters, as written in Taiwan.
    ChineseTraditional,
}

impl Language {
    /// All of them, in the order of choice.
    pub const ALL: [Self; 5] =
        [Self::English, Self::Hindi, Self::Turkish, Self::ChineseSimplified, Self::ChineseTraditional];

    /// Its tag by BCP 47, which is also the name of its file.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Hindi => "hi",
            Self::Turkish => "tr",
            Self::ChineseSimplified => "zh-Hans",
            Self::ChineseTraditional => "zh-Hant",
        }
    }

    /// Its name as its readers write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Hindi => "हिन्दी",
            Self::Turkish => "Türkçe",
            Self::ChineseSimplified => "简体中文",
            Self::ChineseTraditional => "繁體中文",
        }
    }

    /// The sign between whole and fraction, and the one between groups of digits.
    pub fn separators(self) -> (char, char) {
        match self {
            Self::Turkish => (',', '.'),
            _ => ('.', ','),
        }
    }

    /// The language with this very tag.
    pub fn of_tag(tag: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.tag() == tag)
    }

    /// The first of a reader's languages that the page speaks; English where it speaks none.
    pub fn wanted<'a>(tags: impl IntoIterator<Item = &'a str>) -> Self {
        tags.into_iter().find_map(Self::near).unwrap_or_default()
    }

    /// The page's language for any tag: `zh-TW` is written in traditional characters.
    fn near(tag: &str) -> Option<Self> {
        let tag = tag.to_ascii_lowercase();
        let mut parts = tag.split(['-', '_']);
        match parts.next()? {
            "en" => Some(Self::English),
            "hi" => Some(Self::Hindi),
            "tr" => Some(Self::Turkish),
            "zh" => {
                let parts: Vec<&str> = parts.collect();
                let simplified = parts.contains(&"hans");
                let traditional = parts.iter().any(|part| ["hant", "tw", "hk", "mo"].contains(part));
                Some(if traditional && !simplified {
                    Self::ChineseTraditional
                } else {
                    Self::ChineseSimplified
                })
            }
            _ => None,
        }
    }
}
