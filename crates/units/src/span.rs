//! Spans of virtual time.

use crate::{ParseError, split_number};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, str::FromStr};

/// A span of virtual time, in whole nanoseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(pub u64);

const EXPECTED: &str = "a time such as `75us`, `6ms`, `1.5s`, `30min` or `2h`";

impl Span {
    /// `n` microseconds.
    pub const fn us(n: u64) -> Self {
        Self(n * crate::MICROSECOND)
    }
    /// `n` milliseconds.
    pub const fn ms(n: u64) -> Self {
        Self(n * crate::MILLISECOND)
    }
    /// `n` seconds.
    pub const fn seconds(n: u64) -> Self {
        Self(n * crate::SECOND)
    }
    /// The span in seconds.
    pub fn as_seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }
    /// The span in milliseconds.
    pub fn as_ms(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

/// Nanoseconds in each unit, longest first, so that printing finds the largest that divides.
const UNITS: [(u64, &str); 6] = [
    (3_600_000_000_000, "h"),
    (60_000_000_000, "min"),
    (1_000_000_000, "s"),
    (1_000_000, "ms"),
    (1_000, "us"),
    (1, "ns"),
];

impl FromStr for Span {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let fail = || ParseError { found: text.to_owned(), expected: EXPECTED };
        let (number, unit) = split_number(text).ok_or_else(fail)?;
        let unit = if unit == "µs" { "us" } else { unit };
        let (ns, _) = UNITS.iter().find(|(_, name)| *name == unit).ok_or_else(fail)?;
        let total = number * *ns as f64;
        // 2^53 ns are 104 days: longer than any measurement, and still exact.
        if total > 9.007e15 { Err(fail()) } else { Ok(Self((total + 0.5) as u64)) }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ns, unit) = UNITS.iter().find(|(ns, _)| self.0 >= *ns).copied().unwrap_or((1, "ns"));
        write!(f, "{} {unit}", crate::significant(self.0 as f64 / ns as f64, 3))
    }
}

impl Serialize for Span {
    /// The shortest exact form: `30min`, `6ms`, `1500us`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (ns, unit) = UNITS
            .iter()
            .find(|(ns, _)| self.0 > 0 && self.0.is_multiple_of(*ns))
            .copied()
            .unwrap_or((1, "ns"));
        serializer.collect_str(&format_args!("{}{unit}", self.0 / ns))
    }
}

struct Visitor;

impl de::Visitor<'_> for Visitor {
    type Value = Span;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXPECTED)
    }
    fn visit_str<E: de::Error>(self, v: &str) -> Result<Span, E> {
        v.parse().map_err(E::custom)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_prints() {
        assert_eq!("6ms".parse::<Span>().unwrap(), Span::ms(6));
        assert_eq!("0.15 ms".parse::<Span>().unwrap(), Span::us(150));
        assert_eq!("30min".parse::<Span>().unwrap(), Span::seconds(1800));
        assert_eq!(Span::us(150).to_string(), "150 us");
        assert!("6".parse::<Span>().is_err(), "a time without a unit is not a time");
    }
}
