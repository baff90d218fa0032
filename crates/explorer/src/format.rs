//! Numbers as a reader sees and types them, in the language that is spoken.
//!
//! In the page digits, groups and signs are those of the browser's `Intl.NumberFormat`; natively they are written by
//! hand, which is the same for English.

use crate::language::{Language, active, text};
use spindle_units::{Bytes, significant};

/// Spaces that people type, or that a language puts between groups of digits.
const SPACES: [char; 4] = [' ', '\u{a0}', '\u{202f}', '\u{2009}'];

/// A space that does not break, between a number and its unit.
const NBSP: char = '\u{a0}';

/// Units of bytes, as powers of two.
const BYTE_UNITS: [(u32, &str); 5] = [(50, "PiB"), (40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")];

/// Three significant digits, and all of those in front of the point.
pub fn number(value: f64) -> String {
    digits(value, 3)
}

/// So many significant digits, and all of those in front of the point.
pub fn digits(value: f64, digits: u32) -> String {
    with_decimals(value, decimals(&significant(value, digits)))
}

/// A whole number.
pub fn whole(value: f64) -> String {
    with_decimals(value, 0)
}

/// Digits behind the point of a plain number.
fn decimals(plain: &str) -> u8 {
    plain.split_once('.').map_or(0, |(_, fraction)| u8::try_from(fraction.len()).unwrap_or(u8::MAX))
}

/// A number with so many digits behind the point.
fn with_decimals(value: f64, decimals: u8) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    let digits = unsigned(active(), value.abs(), decimals);
    let is_zero = !digits.contains(|c: char| c.is_numeric() && !is_zero_digit(c));
    if value < 0.0 && !is_zero { format!("−{digits}") } else { digits }
}

#[cfg(target_arch = "wasm32")]
fn unsigned(language: Language, value: f64, decimals: u8) -> String {
    browser::format(language, value, decimals).unwrap_or_else(|| grouped(language, value, decimals))
}

#[cfg(not(target_arch = "wasm32"))]
fn unsigned(language: Language, value: f64, decimals: u8) -> String {
    grouped(language, value, decimals)
}

/// Groups of three digits where there are more than four.
fn grouped(language: Language, value: f64, decimals: u8) -> String {
    let (point, comma) = language.separators();
    let text = format!("{value:.*}", usize::from(decimals));
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) && whole.len() > 4 {
            out.push(comma);
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push(point);
        out.push_str(fraction);
    }
    out
}

/// The browser's own formatters, each made once.
#[cfg(target_arch = "wasm32")]
mod browser {
    use super::Language;
    use js_sys::{Array, Function, Intl::NumberFormat, Object, Reflect};
    use std::{cell::RefCell, collections::HashMap};
    use wasm_bindgen::JsValue;

    thread_local! {
        static FORMATTERS: RefCell<HashMap<(Language, u8), Function>> = RefCell::default();
    }

    /// What the browser writes for a number that is not negative.
    pub fn format(language: Language, value: f64, decimals: u8) -> Option<String> {
        let format = FORMATTERS.with_borrow_mut(|known| {
            known.entry((language, decimals)).or_insert_with(|| formatter(language, decimals)).clone()
        });
        format.call1(&JsValue::UNDEFINED, &value.into()).ok()?.as_string()
    }

    fn formatter(language: Language, decimals: u8) -> Function {
        let options = Object::new();
        let digits = JsValue::from(decimals.min(MOST_DECIMALS));
        for (name, value) in [
            ("minimumFractionDigits", digits.clone()),
            ("maximumFractionDigits", digits),
            ("useGrouping", "min2".into()),
        ] {
            // A plain object takes every property.
            let _ = Reflect::set(&options, &name.into(), &value);
        }
        NumberFormat::new(&Array::of1(&language.tag().into()), &options).format()
    }

    /// More are refused.
    const MOST_DECIMALS: u8 = 20;
}

/// A share as per cent: two digits, `< 0.1 %` for the barely visible.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    if value > 0.0 && value < 0.1 {
        text!("unit-percent-less", value = with_decimals(0.1, 1))
    } else if value.abs() >= 9.95 {
        percent_of(whole(value))
    } else {
        let rounded = (value * 10.0).round() / 10.0;
        percent_of(with_decimals(rounded, decimals(&significant(rounded, 2))))
    }
}

/// A share as per cent with three significant digits, for what is nearly all or nearly nothing.
pub fn fine_percent(share: f64) -> String {
    percent_of(number(share * 100.0))
}

fn percent_of(value: String) -> String {
    text!("unit-percent", value = value)
}

/// A signed relative error.
pub fn error(share: f64) -> String {
    if share.abs() < 0.001 {
        return percent(share.abs());
    }
    if share >= 0.0 { format!("+{}", percent(share)) } else { percent(share) }
}

/// A time in milliseconds, with the unit that suits it.
pub fn milliseconds(ms: f64) -> String {
    if ms > 0.0 && ms < 0.0995 {
        return text!("unit-microseconds", value = number(ms * 1000.0));
    }
    if ms >= 1000.0 {
        text!("unit-seconds", value = number(ms / 1000.0))
    } else {
        text!("unit-milliseconds", value = number(ms))
    }
}

/// A span of virtual time in words of minutes and seconds.
pub fn span(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match (whole / 60, whole % 60) {
        (0, s) => text!("unit-seconds", value = s),
        (m, 0) => text!("unit-minutes", value = m),
        (m, s) => text!("unit-minutes-seconds", minutes = m, seconds = s),
    }
}

/// Bytes in powers of 1024 with three significant digits: `4 GiB`.
pub fn bytes(value: f64) -> String {
    let value = value.max(0.0);
    let unit = BYTE_UNITS.into_iter().find(|(shift, _)| value >= f64::from(*shift).exp2());
    match unit {
        Some((shift, name)) => format!("{}{NBSP}{name}", number(value / f64::from(shift).exp2())),
        None => format!("{}{NBSP}B", whole(value)),
    }
}

/// Factors that a language abbreviates counts with, the largest first.
fn count_units(language: Language) -> &'static [(f64, &'static str)] {
    match language {
        Language::English | Language::Turkish => &[(1e9, "G"), (1e6, "M"), (1e3, "k")],
        Language::Hindi => &[(1e7, "करोड़"), (1e5, "लाख"), (1e3, "हज़ार")],
        Language::ChineseSimplified => &[(1e8, "亿"), (1e4, "万")],
        Language::ChineseTraditional => &[(1e8, "億"), (1e4, "萬")],
    }
}

/// Rows and the like in few characters: `625 k`, `1.6 M`.
pub fn short_count(value: f64) -> String {
    let unit = count_units(active()).iter().find(|(unit, _)| value >= *unit);
    match unit {
        Some((unit, name)) => format!("{}{NBSP}{name}", number(value / unit)),
        None => number(value),
    }
}

/// A number with an optional unit as people type it in their language, as ASCII digits with a point; nothing where
/// groups of digits stand as in no language.
pub fn plain(typed: &str) -> Option<String> {
    let (point, comma) = active().separators();
    let compact: String = typed.chars().filter(|c| !SPACES.contains(c) && *c != '_').map(ascii).collect();
    let parts: Vec<&str> = compact.split(comma).collect();
    // After a separator of groups there are three digits, or two as in India.
    let is_group = |part: &&str| {
        let digits = part.chars().take_while(char::is_ascii_digit).count();
        (2..=3).contains(&digits)
    };
    let grouped = parts.iter().skip(1).all(is_group);
    if grouped && parts.last().is_some_and(|last| parts.len() == 1 || digits_in(last) == 3) {
        Some(parts.concat().replace(point, "."))
    } else if comma == '.' && parts.len() == 2 {
        // A point instead of a comma, as programs write it.
        Some(compact)
    } else {
        None
    }
}

fn digits_in(part: &str) -> usize {
    part.chars().take_while(char::is_ascii_digit).count()
}

/// The same sign on a plain keyboard: digits of other scripts, and the wide forms of Chinese typing.
fn ascii(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{966}'..='\u{96f}' => char::from_u32(u32::from(c) - 0x966 + u32::from('0')).unwrap_or(c),
        _ => c,
    }
}

fn is_zero_digit(c: char) -> bool {
    ascii(c) == '0'
}

/// Reads a count: `40`, `15k`, `1.6 M`, `625 000`, `625,000`.
pub fn parse_count(typed: &str) -> Result<f64, String> {
    read_count(typed).ok_or_else(|| text!("expected-count", found = typed.trim()))
}

fn read_count(typed: &str) -> Option<f64> {
    let compact = plain(typed)?;
    let own = count_units(active())
        .iter()
        .find_map(|(factor, name)| compact.strip_suffix(*name).map(|digits| (digits, *factor)));
    let (digits, factor) = own.unwrap_or_else(|| {
        let factor = match compact.chars().last().map(|c| c.to_ascii_lowercase()) {
            Some('k') => 1e3,
            Some('m') => 1e6,
            Some('g' | 'b') => 1e9,
            _ => return (compact.as_str(), 1.0),
        };
        (&compact[..compact.len() - 1], factor)
    });
    let value = read_digits(digits)? * factor;
    (value < 1e18).then_some(value)
}

/// A finite number without sign and exponent.
fn read_digits(digits: &str) -> Option<f64> {
    let plain = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    digits.parse::<f64>().ok().filter(|value| plain && value.is_finite())
}

/// Reads a share in per cent, with or without the sign.
pub fn parse_percent(typed: &str) -> Result<f64, String> {
    let read = || read_digits(plain(typed)?.trim_matches('%')).map(|value| value / 100.0);
    read().ok_or_else(|| text!("expected-percent", found = typed.trim()))
}

/// Reads bytes: `512 MB`, `4G`.
pub fn parse_bytes(typed: &str) -> Result<f64, String> {
    let read = || plain(typed)?.parse::<Bytes>().ok().map(|bytes| bytes.0 as f64);
    read().ok_or_else(|| text!("expected-bytes", found = typed.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::in_language;

    #[test]
    fn numbers_read_well() {
        assert_eq!(number(4839.6), "4840");
        assert_eq!(number(23_612.0), "23,612");
        assert_eq!(number(1_234_567.0), "1,234,567");
        assert_eq!(number(4.8765), "4.88");
        assert_eq!(number(-0.5), "−0.5");
        assert_eq!(whole(-0.2), "0");
        assert_eq!(number(f64::NAN), "–");
        assert_eq!(percent(0.0959), "9.6\u{a0}%");
        assert_eq!(percent(0.79), "79\u{a0}%");
        assert_eq!(percent(0.00001), "< 0.1\u{a0}%");
        assert_eq!(error(-0.123), "−12\u{a0}%");
        assert_eq!(error(0.0004), "< 0.1\u{a0}%");
        assert_eq!(span(200.0), "3\u{a0}min 20\u{a0}s");
        assert_eq!(short_count(625_000.0), "625\u{a0}k");
        assert_eq!(milliseconds(1766.0), "1.77\u{a0}s");
        assert_eq!(milliseconds(0.000_666), "0.666\u{a0}µs");
        assert_eq!(bytes(1536.0 * 1_048_576.0), "1.5\u{a0}GiB");
        assert_eq!(bytes(12.0), "12\u{a0}B");
    }

    #[test]
    fn languages_abbreviate_counts_their_own_way() {
        in_language(Language::ChineseSimplified, || assert_eq!(short_count(625_000.0), "62.5\u{a0}万"));
        in_language(Language::Hindi, || assert_eq!(short_count(625_000.0), "6.25\u{a0}लाख"));
        in_language(Language::Turkish, || {
            assert_eq!(short_count(1_600_000.0), "1,6\u{a0}M");
            assert_eq!(number(23_612.0), "23.612");
        });
    }

    #[test]
    fn counts_are_understood_as_people_type_them() {
        for (text, value) in [
            ("40", 40.0),
            ("15k", 15e3),
            ("1.6 M", 1.6e6),
            ("625 000", 625e3),
            ("625,000", 625e3),
            ("6,25,000", 625e3),
            ("１５ｋ", 15e3),
            ("४०", 40.0),
        ] {
            assert_eq!(parse_count(text), Ok(value), "{text}");
        }
        for text in
            ["", "k", "-5", "1e3", "many", "4.4.4", "4,5", "1,2345", "1e400", "√", "99999999999999999999999"]
        {
            assert!(parse_count(text).is_err(), "{text}");
        }
        assert_eq!(parse_percent("12 %"), Ok(0.12));
        assert!(parse_percent("%").is_err());
        assert!(parse_percent("-1").is_err());
        assert_eq!(parse_bytes("512 MB"), Ok(512.0 * 1_048_576.0));
        assert!(parse_bytes("4 elephants").is_err());
    }

    #[test]
    fn separators_are_those_of_the_language() {
        in_language(Language::Turkish, || {
            for (text, value) in
                [("625.000", 625e3), ("1,6M", 1.6e6), ("1.6M", 1.6e6), ("1.234.567,5", 1_234_567.5)]
            {
                assert_eq!(parse_count(text), Ok(value), "{text}");
            }
            assert_eq!(parse_percent("%9,6"), Ok(0.096));
            assert_eq!(parse_bytes("1,5 GiB"), Ok(1.5 * 1_073_741_824.0));
        });
        in_language(Language::ChineseSimplified, || assert_eq!(parse_count("62.5万"), Ok(625e3)));
    }

    #[test]
    fn what_is_printed_can_be_read_again() {
        for language in Language::ALL {
            in_language(language, || {
                for value in [1.0, 40.0, 625_000.0, 1_600_000.0, 12_345_678.0] {
                    assert_eq!(parse_count(&whole(value)), Ok(value), "{language:?}");
                    assert!(parse_count(&short_count(value)).is_ok(), "{language:?}");
                }
                assert_eq!(parse_percent(&percent(0.096)), Ok(0.096), "{language:?}");
                assert!(parse_bytes(&bytes(1.5e9)).is_ok(), "{language:?}");
            });
        }
    }
}
