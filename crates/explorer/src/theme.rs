//! Light and dark, and the colours of the style sheet for those who draw by themselves.

use web_sys::window;

/// Red, green and blue.
pub type Rgb = (u8, u8, u8);

/// What the reader asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// As the system says.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

const KEY: &str = "spindle-theme";

impl Theme {
    /// Its name on the page and in the document.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The next one as a reader presses the button.
    pub fn next(self) -> Self {
        match self {
            Self::Auto => Self::Dark,
            Self::Dark => Self::Light,
            Self::Light => Self::Auto,
        }
    }

    /// What was asked for on an earlier visit.
    pub fn remembered() -> Self {
        let name = window().and_then(|w| w.local_storage().ok()??.get_item(KEY).ok()?);
        [Self::Light, Self::Dark].into_iter().find(|t| name.as_deref() == Some(t.name())).unwrap_or_default()
    }

    /// Shows it, and remembers it for the next visit.
    pub fn apply(self) {
        let Some(window) = window() else { return };
        if let Some(root) = window.document().and_then(|d| d.document_element()) {
            let _ = root.set_attribute("data-theme", self.name());
        }
        // A browser that keeps nothing asks again next time.
        if let Ok(Some(storage)) = window.local_storage() {
            let _ = storage.set_item(KEY, self.name());
        }
    }
}

/// What is drawn where a colour cannot be read.
const GREY: Rgb = (128, 128, 128);

/// The colours of custom properties of the style sheet, named without their dashes.
pub fn colours(tokens: &[&str]) -> Vec<Rgb> {
    let style = window().and_then(|w| {
        let root = w.document()?.document_element()?;
        let style = w.get_computed_style(&root).ok()??;
        let scheme = style.get_property_value("color-scheme").ok()?;
        let system = || Some(w.match_media("(prefers-color-scheme: dark)").ok()??.matches());
        let dark = scheme.trim() == "dark" || scheme.contains(' ') && system().unwrap_or_default();
        Some((style, dark))
    });
    let colour = |token: &&str| {
        let (style, dark) = style.as_ref()?;
        parse(&style.get_property_value(&format!("--{token}")).ok()?, *dark)
    };
    tokens.iter().map(|token| colour(token).unwrap_or(GREY)).collect()
}

/// Reads `#rrggbb` or `light-dark(#rrggbb, #rrggbb)`.
fn parse(text: &str, dark: bool) -> Option<Rgb> {
    let text = text.trim();
    let text = match text.strip_prefix("light-dark(").and_then(|pair| pair.strip_suffix(')')) {
        Some(pair) => pair.split(',').nth(usize::from(dark))?.trim(),
        None => text,
    };
    let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii())?;
    let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    Some((part(0)?, part(2)?, part(4)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_the_style_sheet_writes_them() {
        assert_eq!(parse(" #0072b2", false), Some((0, 0x72, 0xb2)));
        let pair = "light-dark(#0072b2, #ffffff)";
        assert_eq!(parse(pair, false), Some((0, 0x72, 0xb2)));
        assert_eq!(parse(pair, true), Some((255, 255, 255)));
        for text in ["rgb(1,2,3)", "#äöüa", "", "light-dark(#0072b2)", "light-dark(,)"] {
            assert_eq!(parse(text, true), None, "{text}");
        }
    }

    #[test]
    fn every_colour_that_is_drawn_stands_in_the_style_sheet() {
        let sheet = include_str!("../../../www/spindle.css");
        for name in crate::figure::TOKENS {
            let (_, rest) = sheet.split_once(&format!("--{name}: ")).unwrap();
            let value = rest.split(';').next().unwrap();
            assert!(parse(value, false).is_some() && parse(value, true).is_some(), "{name}: {value}");
        }
    }
}
