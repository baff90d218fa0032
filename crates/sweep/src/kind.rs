//! What kind of value belongs at a path.

use spindle_engine::parameters::ParameterKind;
use spindle_scenario::{Problem, Scenario};
use spindle_units::{Bytes, Span};
use toml::Value;

/// What kind of value belongs at a path, and in what unit an axis counts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any number.
    Number,
    /// A whole number.
    Whole,
    /// A size, in bytes.
    Size,
    /// A time, in seconds.
    Time,
    /// One of several words, such as a preset's name or a switch. An axis counts them from 0.
    Word,
}

/// The paths of parameters begin so.
const PARAMETERS: &str = "engine.parameters.";

impl Kind {
    /// The kind of value that belongs at `path` of a scenario.
    ///
    /// # Errors
    /// The path leads nowhere, or not to a single value.
    pub fn of(base: &Scenario, path: &str) -> Result<Self, Problem> {
        if let Some(name) = path.strip_prefix(PARAMETERS) {
            return Self::of_parameter(base, path, name);
        }
        match base.value_at(path) {
            Some(Value::Integer(_)) => Ok(Self::Whole),
            Some(Value::Float(_)) => Ok(Self::Number),
            Some(Value::Table(_) | Value::Array(_)) => {
                Err(Problem::new(path, "several values", "the path of a single value"))
            }
            _ => Self::by_trial(base, path),
        }
    }

    fn of_parameter(base: &Scenario, path: &str, name: &str) -> Result<Self, Problem> {
        let profile = base.profile().ok_or_else(|| {
            Problem::new("engine.profile", format!("`{}`", base.engine.profile), "a known profile")
        })?;
        let spec = profile.parameter(name).ok_or_else(|| {
            let names: Vec<_> = profile.parameters.iter().map(|parameter| parameter.name).collect();
            Problem::new(path, "an unknown parameter", format!("one of {}", names.join(", ")))
        })?;
        Ok(match spec.kind {
            ParameterKind::Size => Self::Size,
            ParameterKind::Count => Self::Whole,
            ParameterKind::Share => Self::Number,
            ParameterKind::Switch | ParameterKind::Choice(_) => Self::Word,
        })
    }

    /// Where the scenario says nothing, or says it in letters: what could be said there instead.
    fn by_trial(base: &Scenario, path: &str) -> Result<Self, Problem> {
        let text = |text: &str| Value::String(text.into());
        let takes = |value: Value| base.with_value(path, value).is_ok();
        let Err(problem) = base.with_value(path, text("?")) else { return Ok(Self::Word) };
        Ok(match () {
            () if takes(text("1k")) => Self::Size,
            () if takes(text("1s")) => Self::Time,
            () if takes(Value::Float(0.5)) => Self::Number,
            () if takes(Value::Integer(1)) => Self::Whole,
            // A word of a list that has no `?`, unless there is no such place at all.
            () if problem.found.starts_with("unknown field") || problem.found == "no such place" => {
                return Err(problem);
            }
            () => Self::Word,
        })
    }

    /// Reads a number of this kind as administrators write it; `None` for what is none, and for words.
    pub(crate) fn parse(self, text: &str) -> Option<f64> {
        let text = text.trim();
        let number = match self {
            Self::Number => match text.strip_suffix('%') {
                Some(percent) => percent.trim().parse::<f64>().ok()? / 100.0,
                None => text.parse().ok()?,
            },
            Self::Whole => {
                let factor = match text.as_bytes().last()? {
                    b'k' | b'K' => 1e3,
                    b'M' | b'm' => 1e6,
                    b'G' | b'g' => 1e9,
                    _ => 1.0,
                };
                let digits = if factor > 1.0 { &text[..text.len() - 1] } else { text };
                digits.trim().replace('_', "").parse::<f64>().ok()? * factor
            }
            Self::Size => text.parse::<Bytes>().ok()?.0 as f64,
            Self::Time => text.parse::<Span>().ok()?.as_seconds(),
            Self::Word => return None,
        };
        number.is_finite().then_some(number)
    }

    /// What a number of this kind looks like, for messages.
    pub(crate) fn example(self) -> &'static str {
        match self {
            Self::Number => "a number such as 0.5",
            Self::Whole => "a whole number such as 16 or 20k",
            Self::Size => "a size such as 512M or 4G",
            Self::Time => "a time such as 5ms or 10min",
            Self::Word => "words in a list, such as sas-15k,sata-ssd-2014",
        }
    }

    /// A number as this kind can hold it: whole, or of so few digits as make a difference.
    pub(crate) fn rounded(self, number: f64) -> f64 {
        match self {
            Self::Number | Self::Word => number,
            Self::Whole => libm::round(number),
            Self::Size => {
                // A thousandth of a size matters to nobody, and 1226 MiB reads better than 1285892105 bytes.
                let grain = libm::exp2(libm::floor(libm::log2(number.max(1.0))) - 9.0).max(1.0);
                libm::round(number / grain) * grain
            }
            Self::Time => libm::round(number * 1e9) / 1e9,
        }
    }

    /// A number as it stands in a scenario.
    pub(crate) fn value(self, number: f64) -> Value {
        let whole = |text: Result<Value, toml::ser::Error>| text.unwrap_or(Value::Float(number));
        match self {
            Self::Number | Self::Word => Value::Float(number),
            Self::Whole => Value::Integer(number as i64),
            Self::Size => whole(Value::try_from(Bytes(number as u64))),
            Self::Time => whole(Value::try_from(Span(libm::round(number * 1e9) as u64))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::tests::base;

    #[test]
    fn every_place_of_a_scenario_has_its_kind() {
        for (path, kind) in [
            ("workload.clients", Kind::Whole),
            ("workload.search_range", Kind::Number),
            ("workload.think_time", Kind::Time),
            ("workload.round_trip", Kind::Time),
            ("workload.keys", Kind::Word),
            ("workload.kind", Kind::Word),
            ("workload.read_only", Kind::Word),
            ("machine.memory", Kind::Size),
            ("machine.clock_ghz", Kind::Number),
            ("table[0].rows", Kind::Whole),
            ("table[0].rows_per_commit", Kind::Whole),
            ("table[0].name", Kind::Word),
            ("run.dirty_pages", Kind::Whole),
            ("run.checkpoint_age", Kind::Size),
            ("run.heap.unpruned", Kind::Number),
            ("run.duration", Kind::Time),
            ("storage.page_cache", Kind::Word),
            ("storage.file_system", Kind::Word),
            ("storage.device.preset", Kind::Word),
            ("storage.device.raid", Kind::Word),
            ("storage.device.count", Kind::Whole),
            ("storage.log_device.preset", Kind::Word),
            ("storage.log_device.count", Kind::Whole),
            ("storage.log_device.raid", Kind::Word),
            ("engine.profile", Kind::Word),
            ("engine.parameters.innodb_buffer_pool_size", Kind::Size),
            ("engine.parameters.innodb_flush_log_at_trx_commit", Kind::Whole),
            ("seed", Kind::Whole),
        ] {
            assert_eq!(Kind::of(&base(), path), Ok(kind), "{path}");
        }
    }

    #[test]
    fn a_path_that_leads_nowhere_is_refused() {
        for path in
            ["workload.client", "machine", "table", "table[9].rows", "", "engine.parameters.nothing", "x.y"]
        {
            let problem = Kind::of(&base(), path).expect_err(path);
            assert_eq!(problem.path, path);
        }
    }

    #[test]
    fn numbers_are_read_as_administrators_write_them() {
        for (kind, text, number) in [
            (Kind::Whole, "20k", Some(20_000.0)),
            (Kind::Whole, "1_000", Some(1000.0)),
            (Kind::Size, "4G", Some(4_294_967_296.0)),
            (Kind::Time, "5ms", Some(0.005)),
            (Kind::Number, "2 %", Some(0.02)),
            (Kind::Number, "1e400", None),
            (Kind::Whole, "k", None),
            (Kind::Whole, "", None),
            (Kind::Whole, "🦀", None),
            (Kind::Time, "5", None),
        ] {
            assert_eq!(kind.parse(text), number, "{text}");
        }
    }
}
