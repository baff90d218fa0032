//! An engine's own parameters, under their own names.

use serde::{Deserialize, Serialize};
use spindle_units::Bytes;
use std::collections::BTreeMap;

/// How a parameter's value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A size: `4G`, `8M`, `16384`.
    Size,
    /// A whole number.
    Count,
    /// Any number.
    Share,
    /// A switch: `1`/`0`, `on`/`off`, `yes`/`no`, or the bare name.
    Switch,
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// A parameter that the model follows.
#[derive(Debug, Clone, Copy)]
pub struct ParameterSpec {
    /// The engine's own name for it.
    pub name: &'static str,
    /// How its value is written.
    pub kind: ParameterKind,
    /// The engine's default.
    pub default: &'static str,
    /// Least and greatest value, for numbers.
    pub range: (f64, f64),
    /// What it changes, in one sentence.
    pub effect: &'static str,
}

/// Values as they were set; what is not set has the engine's default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Parameters(BTreeMap<String, Value>);

/// A value as it was written: text, number or switch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// `true` or `false`.
    Switch(bool),
    /// A number.
    Number(f64),
    /// Anything else.
    Text(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Switch(on) => write!(f, "{}", u8::from(*on)),
            Self::Number(n) => write!(f, "{n}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// A value that is not what its parameter takes.
#[derive(Debug, Clone, PartialEq)]
pub struct BadValue {
    /// The parameter.
    pub name: String,
    /// The value as found.
    pub found: String,
    /// What it takes.
    pub expected: String,
}

/// The engines treat `-` and `_` in names alike, and case does not matter.
pub fn canonical(name: &str) -> String {
    name.trim().to_ascii_lowercase().replace('-', "_")
}

impl Parameters {
    /// Sets a parameter; a later value replaces an earlier one.
    pub fn set(&mut self, name: &str, value: Value) {
        self.0.insert(canonical(name), value);
    }

    /// The value as it was set.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(&canonical(name))
    }

    /// All names and values, in the order of names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// These values with those of `over` on top.
    pub fn overlaid(&self, over: &Self) -> Self {
        let mut all = self.clone();
        for (name, value) in &over.0 {
            all.set(name, value.clone());
        }
        all
    }

    /// Reads the number of `spec`: bytes, count, or 1 and 0 for a switch; a choice is its place among the words.
    pub fn number(&self, spec: &ParameterSpec) -> Result<f64, BadValue> {
        match self.get(spec.name) {
            None => spec.parse(spec.default),
            Some(value) => spec.parse(&value.to_string()),
        }
    }
}

impl ParameterSpec {
    /// Reads a value.
    pub fn parse(&self, text: &str) -> Result<f64, BadValue> {
        let bad =
            |expected: String| BadValue { name: self.name.into(), found: format!("`{text}`"), expected };
        let trimmed = text.trim().trim_matches(['"', '\'']);
        let number = match self.kind {
            ParameterKind::Size => trimmed.parse::<Bytes>().map_err(|e| bad(e.expected.to_owned()))?.0 as f64,
            ParameterKind::Count => trimmed
                .parse::<f64>()
                .ok()
                .filter(|n| n.is_finite() && n.fract() == 0.0)
                .ok_or_else(|| bad(format!("a whole number from {} to {}", self.range.0, self.range.1)))?,
            ParameterKind::Share => trimmed
                .parse::<f64>()
                .ok()
                .filter(|n| n.is_finite())
                .ok_or_else(|| bad(format!("a number from {} to {}", self.range.0, self.range.1)))?,
            ParameterKind::Switch => match trimmed.to_ascii_lowercase().as_str() {
                "" | "1" | "on" | "yes" | "true" => 1.0,
                "0" | "off" | "no" | "false" => 0.0,
                // A name where a switch is expected turns it on: `log-bin=mysql-bin`.
                other if self.name == "log_bin" && !other.is_empty() => 1.0,
                _ => return Err(bad("on or off".into())),
            },
            ParameterKind::Choice(words) => {
                let at = words.iter().position(|w| w.eq_ignore_ascii_case(trimmed));
                return at.map(|i| i as f64).ok_or_else(|| bad(format!("one of {}", words.join(", "))));
            }
        };
        let (low, high) = self.range;
        if matches!(self.kind, ParameterKind::Switch) || (low..=high).contains(&number) {
            Ok(number)
        } else if matches!(self.kind, ParameterKind::Size) {
            Err(bad(format!("{} to {}", Bytes(low as u64), Bytes(high as u64))))
        } else {
            Err(bad(format!("{low} to {high}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: ParameterSpec = ParameterSpec {
        name: "innodb_buffer_pool_size",
        kind: ParameterKind::Size,
        default: "8M",
        range: (1_048_576.0, 1e13),
        effect: "",
    };

    #[test]
    fn the_last_value_wins_and_dashes_are_underscores() {
        let mut parameters = Parameters::default();
        assert_eq!(parameters.number(&SIZE).unwrap(), 8_388_608.0);
        parameters.set("innodb-buffer-pool-size", Value::Text("25000000".into()));
        parameters.set("innodb_buffer_pool_size", Value::Text("4G".into()));
        assert_eq!(parameters.number(&SIZE).unwrap(), 4_294_967_296.0);
    }

    #[test]
    fn a_bad_value_says_what_it_is_not() {
        let mut parameters = Parameters::default();
        parameters.set("innodb_buffer_pool_size", Value::Text("4 gigs".into()));
        let bad = parameters.number(&SIZE).unwrap_err();
        assert_eq!(bad.found, "`4 gigs`");
        parameters.set("innodb_buffer_pool_size", Value::Number(12.0));
        assert!(parameters.number(&SIZE).unwrap_err().expected.contains("1 MiB"));
    }
}
