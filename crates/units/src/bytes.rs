//! Sizes in bytes.

use crate::{ParseError, split_number};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{fmt, str::FromStr};

/// A size in bytes. Units are powers of 1024, as in the engines' own configuration files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

const EXPECTED: &str = "a size such as `16384`, `8kB`, `64M`, `4G` or `1.8 TiB`";

impl Bytes {
    /// `n` KiB.
    pub const fn kib(n: u64) -> Self {
        Self(n << 10)
    }
    /// `n` MiB.
    pub const fn mib(n: u64) -> Self {
        Self(n << 20)
    }
    /// `n` GiB.
    pub const fn gib(n: u64) -> Self {
        Self(n << 30)
    }
}

impl FromStr for Bytes {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let fail = || ParseError { found: text.to_owned(), expected: EXPECTED };
        let (number, unit) = split_number(text).ok_or_else(fail)?;
        let shift = match unit.to_ascii_lowercase().as_str() {
            "" | "b" | "byte" | "bytes" => 0,
            "k" | "kb" | "kib" => 10,
            "m" | "mb" | "mib" => 20,
            "g" | "gb" | "gib" => 30,
            "t" | "tb" | "tib" => 40,
            "p" | "pb" | "pib" => 50,
            _ => return Err(fail()),
        };
        let bytes = number * (1u64 << shift) as f64;
        // Above 2^53 a double no longer holds every byte; eight petabytes are more than any scenario needs.
        if bytes > 9.007e15 { Err(fail()) } else { Ok(Self(bytes as u64)) }
    }
}

impl fmt::Display for Bytes {
    /// Three significant digits and a unit; a whole number of a unit prints without a fraction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (shift, unit) in [(50, "PiB"), (40, "TiB"), (30, "GiB"), (20, "MiB"), (10, "KiB")] {
            if self.0 >= 1 << shift {
                let value = self.0 as f64 / (1u64 << shift) as f64;
                return write!(f, "{} {unit}", crate::significant(value, 3));
            }
        }
        write!(f, "{} B", self.0)
    }
}

impl Serialize for Bytes {
    /// The shortest exact form: `4G`, `64M`, `16k`, or plain bytes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        for (shift, unit) in [(40, "T"), (30, "G"), (20, "M"), (10, "k")] {
            if self.0 > 0 && self.0.is_multiple_of(1 << shift) {
                return serializer.collect_str(&format_args!("{}{unit}", self.0 >> shift));
            }
        }
        serializer.collect_str(&self.0)
    }
}

struct Visitor;

impl de::Visitor<'_> for Visitor {
    type Value = Bytes;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXPECTED)
    }
    fn visit_u64<E: de::Error>(self, v: u64) -> Result<Bytes, E> {
        Ok(Bytes(v))
    }
    fn visit_i64<E: de::Error>(self, v: i64) -> Result<Bytes, E> {
        u64::try_from(v).map(Bytes).map_err(|_| E::invalid_value(de::Unexpected::Signed(v), &self))
    }
    fn visit_str<E: de::Error>(self, v: &str) -> Result<Bytes, E> {
        v.parse().map_err(E::custom)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_what_administrators_write() {
        for (text, bytes) in [
            ("16384", 16384),
            ("8kB", 8192),
            ("64M", 64 << 20),
            ("4G", 4 << 30),
            ("512 MB", 512 << 20),
            ("1.5k", 1536),
        ] {
            assert_eq!(text.parse::<Bytes>().unwrap(), Bytes(bytes), "{text}");
        }
    }

    #[test]
    fn refuses_with_what_was_found() {
        for text in ["", "G", "-1G", "4Q", "1e400", "99999P", "NaN"] {
            let error = text.parse::<Bytes>().unwrap_err();
            assert_eq!(error.found, text);
        }
    }

    #[test]
    fn prints_three_digits() {
        assert_eq!(Bytes::gib(4).to_string(), "4 GiB");
        assert_eq!(Bytes(1_948_000_000_000).to_string(), "1.77 TiB");
        assert_eq!(Bytes(13).to_string(), "13 B");
    }

    proptest! {
        #[test]
        fn never_panics(text in ".{0,20}") {
            let _ = text.parse::<Bytes>();
        }
    }
}
