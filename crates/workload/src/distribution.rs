//! How often each row of a table is asked for.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use spindle_units::chance::{Chance, scatter};

/// A distribution of rows. Row 0 is the first in the order of loading.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Distribution {
    /// All rows alike.
    #[default]
    Uniform,
    /// sysbench 1.0's default as release 1.0.20 draws it (`--rand-spec-iter=12 --rand-spec-pct=1 --rand-spec-res=75`):
    /// three draws in four fall into the upper three quarters of the middle hundredth, the others are the mean of
    /// twelve uniform draws.
    Special,
    /// sysbench's Pareto with `--rand-pareto-h=0.2`: row = n · u^(ln 0.2 / ln 0.8).
    Pareto,
    /// Density proportional to x^-s, drawn by inversion; the hottest rows lie side by side at the front, or scattered.
    Power {
        /// The exponent s, above 0, not 1.
        exponent: f64,
        /// Whether hot rows lie anywhere.
        scattered: bool,
    },
    /// Zipf's law, as pgbench's `random_zipfian` draws it: rank k with probability proportional to k^-s.
    Zipf {
        /// The exponent s, above 1.
        exponent: f64,
        /// Whether hot rows lie anywhere.
        scattered: bool,
    },
}

const EXPECTED: &str =
    "`uniform`, `special`, `pareto`, `power 0.8` or `zipf 1.1`, the last two perhaps followed by `scattered`";

impl std::str::FromStr for Distribution {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fail = || format!("found `{text}`, expected {EXPECTED}");
        let lower = text.trim().to_ascii_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        let exponent = |at: usize| words.get(at).and_then(|w| w.parse::<f64>().ok()).ok_or_else(fail);
        let scattered = || match words.get(2) {
            None => Ok(false),
            Some(&"scattered") => Ok(true),
            Some(_) => Err(fail()),
        };
        match words.as_slice() {
            ["uniform"] => Ok(Self::Uniform),
            ["special"] => Ok(Self::Special),
            ["pareto"] => Ok(Self::Pareto),
            ["power", ..] => {
                let exponent = exponent(1)?;
                let in_range = exponent > 0.0 && exponent < 5.0 && (exponent - 1.0).abs() > 1e-6;
                if in_range { Ok(Self::Power { exponent, scattered: scattered()? }) } else { Err(fail()) }
            }
            ["zipf", ..] => {
                let exponent = exponent(1)?;
                let in_range = exponent > 1.0 && exponent < 5.0;
                if in_range { Ok(Self::Zipf { exponent, scattered: scattered()? }) } else { Err(fail()) }
            }
            _ => Err(fail()),
        }
    }
}

impl std::fmt::Display for Distribution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let suffix = |scattered: bool| if scattered { " scattered" } else { "" };
        match *self {
            Self::Uniform => f.write_str("uniform"),
            Self::Special => f.write_str("special"),
            Self::Pareto => f.write_str("pareto"),
            Self::Power { exponent, scattered } => write!(f, "power {exponent}{}", suffix(scattered)),
            Self::Zipf { exponent, scattered } => write!(f, "zipf {exponent}{}", suffix(scattered)),
        }
    }
}

impl Serialize for Distribution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Distribution {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Distribution {
    /// Draws one of `rows` rows.
    pub fn draw(&self, rows: u64, chance: &mut Chance) -> u64 {
        let rows = rows.max(1);
        let n = rows as f64;
        let row = match *self {
            Self::Uniform => return chance.below(rows),
            Self::Special => {
                let t = n - 1.0;
                let d = 0.01 * t;
                if chance.unit() < 0.25 {
                    let sum: f64 = (0..12).map(|_| chance.unit()).sum();
                    (sum / 12.0 * t) as u64
                } else {
                    // The random number that decided on the branch is used again, so only [0.25, 1) is left of it.
                    let rest = 0.25 + 0.75 * chance.unit();
                    (rest * (d + 1.0) + t / 2.0 - t * 0.005) as u64
                }
            }
            Self::Pareto => {
                let power = libm::log(0.2) / libm::log(0.8);
                (n * libm::pow(chance.unit(), power)) as u64
            }
            Self::Power { exponent, scattered } => {
                let rest = 1.0 - exponent;
                let end = libm::pow(n + 1.0, rest);
                let x = libm::pow(1.0 + chance.unit() * (end - 1.0), 1.0 / rest);
                place((x as u64).saturating_sub(1), rows, scattered)
            }
            Self::Zipf { exponent, scattered } => place(zipf(rows, exponent, chance) - 1, rows, scattered),
        };
        row.min(rows - 1)
    }
}

fn place(rank: u64, rows: u64, scattered: bool) -> u64 {
    if scattered { scatter(rank) % rows } else { rank }
}

/// A rank from 1 by Zipf's law (Devroye, "Non-Uniform Random Variate Generation", 1986, page 550; pgbench's
/// `computeIterativeZipfian`).
fn zipf(n: u64, s: f64, chance: &mut Chance) -> u64 {
    let b = libm::pow(2.0, s - 1.0);
    // Each round succeeds with probability above one half.
    for _ in 0..200 {
        let (u, v) = (1.0 - chance.unit(), chance.unit());
        let x = libm::floor(libm::pow(u, -1.0 / (s - 1.0)));
        let t = libm::pow(1.0 + 1.0 / x, s - 1.0);
        if v * x * (t - 1.0) / (b - 1.0) <= t / b && x <= n as f64 {
            return x as u64;
        }
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_read_as_they_print() {
        for text in ["uniform", "special", "pareto", "power 0.8", "power 0.8 scattered", "zipf 1.1"] {
            assert_eq!(text.parse::<Distribution>().unwrap().to_string(), text);
        }
        for text in ["", "zipf", "zipf 0.9", "power 1", "power 0.8 somewhere", "normal"] {
            assert!(text.parse::<Distribution>().unwrap_err().contains("expected"), "{text}");
        }
    }

    #[test]
    fn shares_are_those_of_the_formulas() {
        let share = |distribution: Distribution, low: u64, high: u64| {
            let mut chance = Chance::new(1, 2);
            let rows = 1_000_000;
            let hits = (0..100_000).filter(|_| {
                let row = distribution.draw(rows, &mut chance);
                assert!(row < rows);
                (low..high).contains(&row)
            });
            hits.count() as f64 / 1e5
        };
        let near = |model: f64, formula: f64| assert!((model - formula).abs() < 0.01, "{model} {formula}");
        near(share(Distribution::Uniform, 0, 250_000), 0.25);
        // The upper three quarters of the middle hundredth, and what the bell adds there.
        near(share(Distribution::Special, 497_400, 505_100), 0.77);
        // P(row <= x n) = x^0.13865.
        near(share(Distribution::Pareto, 0, 10_000), libm::pow(0.01, 0.13865));
        // (x^0.2 - 1) / (n^0.2 - 1).
        let power = Distribution::Power { exponent: 0.8, scattered: false };
        near(share(power, 0, 1000), (libm::pow(1000.0, 0.2) - 1.0) / (libm::pow(1e6, 0.2) - 1.0));
        // 1 / H(n, 1.1), H = 8.07 for a million.
        near(share(Distribution::Zipf { exponent: 1.1, scattered: false }, 0, 1), 0.124);
    }
}
