//! Numbers as a reader sees and types them.

use spindle_units::significant;

/// A narrow space that does not break, between thousands.
const THIN: char = '\u{202f}';

/// A space that does not break, between a number and its unit.
const NBSP: char = '\u{a0}';

/// Three significant digits, thousands apart.
pub fn number(value: f64) -> String {
    grouped(&significant(value, 3))
}

/// A whole number, thousands apart.
pub fn whole(value: f64) -> String {
    grouped(&format!("{value:.0}"))
}

fn grouped(text: &str) -> String {
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |rest| ("−", rest));
    let (whole, rest) = text.find('.').map_or((text, ""), |at| text.split_at(at));
    let mut out = String::from(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) && whole.len() > 4 {
            out.push(THIN);
        }
        out.push(digit);
    }
    out.push_str(rest);
    out
}

/// A share as per cent: two digits, `< 0.1 %` for the barely visible.
pub fn percent(share: f64) -> String {
    let value = share * 100.0;
    if value > 0.0 && value < 0.1 {
        format!("< 0.1{NBSP}%")
    } else if value.abs() >= 9.95 {
        format!("{value:.0}{NBSP}%").replace('-', "−")
    } else {
        format!("{}{NBSP}%", significant((value * 10.0).round() / 10.0, 2)).replace('-', "−")
    }
}

/// A signed relative error.
pub fn error(share: f64) -> String {
    if share.abs() < 0.001 {
        return percent(share.abs());
    }
    if share >= 0.0 { format!("+{}", percent(share)) } else { format!("−{}", percent(-share)) }
}

/// A time in milliseconds, with the unit that suits it.
pub fn milliseconds(ms: f64) -> String {
    if ms > 0.0 && ms < 0.0995 {
        return format!("{}{NBSP}µs", significant(ms * 1000.0, 3));
    }
    if ms >= 1000.0 {
        format!("{}{NBSP}s", significant(ms / 1000.0, 3))
    } else {
        format!("{}{NBSP}ms", significant(ms, 3))
    }
}

/// A span of virtual time in words of minutes and seconds.
pub fn span(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match (whole / 60, whole % 60) {
        (0, s) => format!("{s} s"),
        (m, 0) => format!("{m} min"),
        (m, s) => format!("{m} min {s} s"),
    }
}

/// Rows and the like in few characters: `625 k`, `1.6 M`.
pub fn short_count(value: f64) -> String {
    for (unit, name) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] {
        if value >= unit {
            return format!("{} {name}", significant(value / unit, 3));
        }
    }
    significant(value, 3)
}

/// Reads a count: `40`, `15k`, `1.6 M`, `625 000`, `625,000`.
pub fn parse_count(text: &str) -> Result<f64, String> {
    let fail = || format!("Found “{}”. Expected a number such as 40, 15k or 1.6M.", text.trim());
    let compact: String =
        text.chars().filter(|c| !c.is_whitespace() && *c != ',' && *c != '_' && *c != THIN).collect();
    let (digits, factor) = match compact.chars().last().map(|c| c.to_ascii_lowercase()) {
        Some('k') => (&compact[..compact.len() - 1], 1e3),
        Some('m') => (&compact[..compact.len() - 1], 1e6),
        Some('g' | 'b') => (&compact[..compact.len() - 1], 1e9),
        _ => (compact.as_str(), 1.0),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return Err(fail());
    }
    let value = digits.parse::<f64>().map_err(|_| fail())? * factor;
    if value.is_finite() && value < 1e18 { Ok(value) } else { Err(fail()) }
}

/// Reads a share in per cent, with or without the sign.
pub fn parse_percent(text: &str) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim();
    let plain = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit() || c == '.');
    match number.parse::<f64>() {
        Ok(value) if plain && value.is_finite() => Ok(value / 100.0),
        _ => Err(format!("Found “{}”. Expected per cent, such as 12 or 0.5 %.", text.trim())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(number(4839.6), "4840");
        assert_eq!(number(23_612.0), "23\u{202f}612");
        assert_eq!(number(1_234_567.0), "1\u{202f}234\u{202f}567");
        assert_eq!(number(4.8765), "4.88");
        assert_eq!(percent(0.0959), "9.6\u{a0}%");
        assert_eq!(percent(0.79), "79\u{a0}%");
        assert_eq!(percent(0.00001), "< 0.1\u{a0}%");
        assert_eq!(error(-0.123), "−12\u{a0}%");
        assert_eq!(error(0.0004), "< 0.1\u{a0}%");
        assert_eq!(span(200.0), "3 min 20 s");
        assert_eq!(short_count(625_000.0), "625 k");
        assert_eq!(milliseconds(1766.0), "1.77\u{a0}s");
        assert_eq!(milliseconds(0.000_666), "0.666\u{a0}µs");
    }

    #[test]
    fn counts_are_understood_as_people_type_them() {
        for (text, value) in
            [("40", 40.0), ("15k", 15e3), ("1.6 M", 1.6e6), ("625 000", 625e3), ("625,000", 625e3)]
        {
            assert_eq!(parse_count(text), Ok(value), "{text}");
        }
        for text in ["", "k", "-5", "1e3", "many", "4.4.4", "1e400", "√", "99999999999999999999999"] {
            assert!(parse_count(text).is_err(), "{text}");
        }
        assert_eq!(parse_percent("12 %"), Ok(0.12));
        assert!(parse_percent("%").is_err());
        assert!(parse_percent("-1").is_err());
    }

    #[test]
    fn what_is_printed_can_be_read_again() {
        for value in [1.0, 40.0, 625_000.0, 1_600_000.0, 12_345_678.0] {
            assert_eq!(parse_count(&whole(value)), Ok(value));
        }
    }
}
