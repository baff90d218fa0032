//! The style sheet's colours, read once for all figures until they change.

use crate::theme::{Rgb, colours};
use std::collections::HashMap;

/// The tokens that figures are drawn with.
pub const TOKENS: [&str; 23] = [
    "paper",
    "ink",
    "muted",
    "hair",
    "disks",
    "ssds",
    "nvme",
    "cpu",
    "cpu-queue",
    "read",
    "free-frame",
    "log",
    "checkpoint",
    "admission",
    "network",
    "latch",
    "lock",
    "page-write",
    "mariadb",
    "postgresql",
    "firebird",
    "cubrid",
    "other-engine",
];

/// Colours by token.
#[derive(Debug, Clone, PartialEq)]
pub struct Palette(HashMap<&'static str, Rgb>);

impl Palette {
    /// The page's present colours.
    pub fn of_page() -> Self {
        Self(TOKENS.into_iter().zip(colours(&TOKENS)).collect())
    }

    /// Greys and a few colours, for where there is no page.
    #[cfg(test)]
    pub fn plain() -> Self {
        Self(
            [("paper", (255, 255, 255)), ("disks", (178, 74, 0)), ("ssds", (0, 105, 168))]
                .into_iter()
                .collect(),
        )
    }

    /// The colour of a token.
    pub fn colour(&self, token: &str) -> Rgb {
        self.0.get(token).copied().unwrap_or((90, 90, 90))
    }

    /// Black or white, whichever is read better on a colour.
    pub fn on(colour: Rgb) -> Rgb {
        if luminance(colour) > 0.18 { (20, 21, 24) } else { (255, 255, 255) }
    }
}

/// Relative luminance as WCAG defines it, 0 to 1.
fn luminance((red, green, blue): Rgb) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/// A colour laid over another, so strongly.
pub fn over(above: Rgb, strength: f64, below: Rgb) -> Rgb {
    let part = |a: u8, b: u8| (f64::from(a) * strength + f64::from(b) * (1.0 - strength)).round() as u8;
    (part(above.0, below.0), part(above.1, below.1), part(above.2, below.2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_out_from_what_they_are_on() {
        assert_eq!(Palette::on((255, 255, 255)), (20, 21, 24));
        assert_eq!(Palette::on((0, 60, 120)), (255, 255, 255));
        assert_eq!(over((0, 0, 0), 0.5, (100, 200, 50)), (50, 100, 25));
    }
}
