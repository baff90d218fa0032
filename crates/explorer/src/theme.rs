//! Light and dark, and the colours of the style sheet for those who draw by themselves.

use plotters::style::RGBColor;
use web_sys::window;

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

/// The colour of a custom property of the style sheet.
pub fn colour(name: &str) -> RGBColor {
    let text = window().and_then(|w| {
        let root = w.document()?.document_element()?;
        w.get_computed_style(&root).ok()??.get_property_value(name).ok()
    });
    text.as_deref().and_then(parse).unwrap_or(RGBColor(128, 128, 128))
}

fn parse(text: &str) -> Option<RGBColor> {
    let digits = text.trim().strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii())?;
    let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    Some(RGBColor(part(0)?, part(2)?, part(4)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_as_the_style_sheet_writes_them() {
        assert_eq!(parse(" #0072b2"), Some(RGBColor(0, 0x72, 0xb2)));
        assert_eq!(parse("rgb(1,2,3)"), None);
        assert_eq!(parse("#äöüa"), None);
    }
}
