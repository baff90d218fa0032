//! The values along one axis.

use crate::{Kind, POINTS_MAX};
use spindle_scenario::{Problem, Scenario};
use toml::Value;

/// Steps of a range that does not say how many.
pub const STEPS: usize = 10;

/// A range over more than this factor goes in equal proportions where it does not say how.
const WIDE: f64 = 10.0;

/// How a range is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// In equal steps.
    Linear,
    /// In equal proportions.
    Log,
}

/// One value on an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// Where it lies, in the axis' unit: see [`Kind`].
    pub at: f64,
    /// The value as it stands in a scenario.
    pub value: Value,
}

/// Values for one path of a scenario.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    path: String,
    kind: Kind,
    ticks: Vec<Tick>,
}

impl Axis {
    /// Reads `PATH=FROM..TO[,steps=N][,log|linear]` or `PATH=A,B,C`, with values as they are written at that path of
    /// `base`. Where the text does not say so, a range has [`STEPS`] values, in equal proportions where it goes over more
    /// than a factor of ten.
    ///
    /// # Errors
    /// What of it cannot be understood.
    pub fn parse(base: &Scenario, text: &str) -> Result<Self, Problem> {
        let (path, values) = text.split_once('=').ok_or_else(|| {
            Problem::new("", format!("`{text}`"), "PATH=FROM..TO[,steps=N][,log|linear] or PATH=A,B,C")
        })?;
        let (path, mut parts) = (path.trim(), values.split(',').map(str::trim));
        let first = parts.clone().next().unwrap_or("");
        let Some((from, to)) = first.split_once("..") else {
            return Self::of_list(base, path, &parts.collect::<Vec<_>>());
        };
        parts.next();
        let kind = Kind::of(base, path)?;
        let number = |text: &str| {
            kind.parse(text).ok_or_else(|| Problem::new(path, format!("`{text}`"), kind.example()))
        };
        let (from, to) = (number(from)?, number(to)?);
        let wide = from > 0.0 && to > 0.0 && (to / from).max(from / to) > WIDE;
        let (mut steps, mut scale) = (STEPS, if wide { Scale::Log } else { Scale::Linear });
        for part in parts {
            match part.split_once('=') {
                None if part == "log" => scale = Scale::Log,
                None if part == "linear" => scale = Scale::Linear,
                Some((name, count)) if name.trim() == "steps" => {
                    steps = count.trim().parse().map_err(|_| {
                        Problem::new(path, format!("`{part}`"), format!("steps=N, N from 1 to {POINTS_MAX}"))
                    })?;
                }
                _ => return Err(Problem::new(path, format!("`{part}`"), "steps=N, log or linear")),
            }
        }
        Self::range(path, kind, from, to, steps, scale)
    }

    /// A range of numbers at `path` of `base`, in the unit of its [`Kind`].
    ///
    /// # Errors
    /// The path leads nowhere or to words, or the range cannot be divided so.
    pub fn between(
        base: &Scenario,
        path: &str,
        from: f64,
        to: f64,
        steps: usize,
        scale: Scale,
    ) -> Result<Self, Problem> {
        Self::range(path, Kind::of(base, path)?, from, to, steps, scale)
    }

    fn range(
        path: &str,
        kind: Kind,
        from: f64,
        to: f64,
        steps: usize,
        scale: Scale,
    ) -> Result<Self, Problem> {
        if kind == Kind::Word {
            return Err(Problem::new(path, "a range", kind.example()));
        }
        if !(from.is_finite() && to.is_finite()) {
            return Err(Problem::new(path, format!("{from} to {to}"), "two numbers"));
        }
        if !(1..=POINTS_MAX).contains(&steps) {
            return Err(Problem::new(path, format!("{steps} steps"), format!("1 to {POINTS_MAX}")));
        }
        if scale == Scale::Log && from.min(to) <= 0.0 {
            let expected = "numbers above 0 for equal proportions, or `linear`";
            return Err(Problem::new(path, format!("{from} to {to}"), expected));
        }
        let last = (steps - 1).max(1) as f64;
        let number = |step: usize| match (step, scale) {
            (0, _) => from,
            // Both ends are as they were given.
            (step, _) if step == steps - 1 => to,
            (step, Scale::Linear) => kind.rounded(from + (to - from) * step as f64 / last),
            (step, Scale::Log) => kind.rounded(from * libm::pow(to / from, step as f64 / last)),
        };
        let mut numbers: Vec<f64> = (0..steps).map(number).collect();
        if kind == Kind::Whole {
            numbers.iter_mut().for_each(|number| *number = kind.rounded(*number));
        }
        // Rounding can bring neighbours together.
        numbers.dedup();
        let ticks = numbers.into_iter().map(|at| Tick { at, value: kind.value(at) }).collect();
        Ok(Self { path: path.to_owned(), kind, ticks })
    }

    /// A list of values at `path` of `base`, as they are written there.
    ///
    /// # Errors
    /// The path leads nowhere, or a value is not of the kind that belongs there.
    pub fn of_list(base: &Scenario, path: &str, values: &[&str]) -> Result<Self, Problem> {
        let kind = Kind::of(base, path)?;
        let ticks = values.iter().enumerate().map(|(place, text)| {
            if kind != Kind::Word {
                let at = kind
                    .parse(text)
                    .ok_or_else(|| Problem::new(path, format!("`{text}`"), kind.example()))?;
                return Ok(Tick { at, value: kind.value(at) });
            }
            let word = Value::String((*text).to_owned());
            let value = match text.parse().map(Value::Boolean) {
                Ok(switch) if base.with_value(path, switch.clone()).is_ok() => switch,
                _ => word,
            };
            base.with_value(path, value.clone()).map(|_| Tick { at: place as f64, value })
        });
        let ticks = ticks.collect::<Result<Vec<_>, Problem>>()?;
        Ok(Self { path: path.to_owned(), kind, ticks })
    }

    /// The path of the value that varies.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What kind of value that is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The values in order; there is at least one.
    pub fn ticks(&self) -> &[Tick] {
        &self.ticks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::tests::base;
    use proptest::prelude::*;

    fn at(text: &str) -> Vec<f64> {
        let axis = Axis::parse(&base(), text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
        axis.ticks().iter().map(|tick| tick.at).collect()
    }

    #[test]
    fn ranges_are_divided_in_equal_steps_or_proportions() {
        assert_eq!(at("workload.clients=1..9,steps=5"), [1.0, 3.0, 5.0, 7.0, 9.0]);
        assert_eq!(
            at("workload.clients=1..256,steps=9"),
            [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0]
        );
        assert_eq!(at("workload.clients=1..101,steps=3,linear"), [1.0, 51.0, 101.0]);
        assert_eq!(at("workload.clients=1..4,steps=24"), [1.0, 2.0, 3.0, 4.0], "whole numbers, each once");
        assert_eq!(at("workload.clients=8..2,log,steps=3"), [8.0, 4.0, 2.0], "downwards as well");
        assert_eq!(at("workload.clients=5..9,steps=1"), [5.0]);
        assert_eq!(at("machine.clock_ghz=1..3").len(), STEPS);
    }

    #[test]
    fn sizes_and_times_have_few_digits() {
        let axis =
            Axis::parse(&base(), "engine.parameters.innodb_buffer_pool_size = 1G..64G, steps=5").unwrap();
        let values: Vec<_> = axis.ticks().iter().map(|t| t.value.as_str().unwrap().to_owned()).collect();
        assert_eq!(values, ["1G", "2896M", "8G", "23168M", "64G"]);
        assert_eq!(at("workload.think_time=1ms..2ms,steps=3"), [0.001, 0.0015, 0.002]);
    }

    #[test]
    fn lists_are_taken_as_they_are() {
        assert_eq!(at("table[0].rows=10k,1M,5"), [10_000.0, 1_000_000.0, 5.0]);
        assert_eq!(at("storage.device.preset=sas-15k,sata-7200"), [0.0, 1.0]);
        assert_eq!(at("storage.device.raid=0,1,10"), [0.0, 1.0, 2.0]);
        let switch = Axis::parse(&base(), "storage.page_cache=true,false").unwrap();
        assert_eq!(switch.ticks()[1].value, Value::Boolean(false));
        assert_eq!(switch.kind(), Kind::Word);
    }

    #[test]
    fn what_is_not_understood_is_told() {
        for (text, found) in [
            ("clients", "`clients`"),
            ("workload.clients=", "``"),
            ("workload.clients=many", "`many`"),
            ("workload.clients=1..many", "`many`"),
            ("workload.clients=1..8,steps=0", "0 steps"),
            ("workload.clients=1..8,steps=99999999", "99999999 steps"),
            ("workload.clients=1..8,steps=-1", "`steps=-1`"),
            ("workload.clients=1..8,cubic", "`cubic`"),
            ("workload.clients=0..8,log", "0 to 8"),
            ("workload.think_time=1..8", "`1`"),
            ("storage.device.preset=a..b", "`a`"),
            ("storage.file_system=ext9", "unknown variant `ext9`"),
            ("workload.customers=1..8", "unknown field `customers`"),
        ] {
            let problem = Axis::parse(&base(), text).expect_err(text);
            assert!(problem.found.starts_with(found), "{text}: {problem}");
            assert!(!problem.expected.is_empty(), "{text}: {problem}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(workload.clients|machine.memory|seed)=.{0,24}") {
            let _ = Axis::parse(&base(), &text);
        }

        #[test]
        fn a_range_goes_from_its_beginning_to_its_end(from in 1..500u32, to in 1..500u32, steps in 2..40usize) {
            let (low, high) = (f64::from(from.min(to)), f64::from(from.max(to)));
            for scale in [Scale::Linear, Scale::Log] {
                let (from, to) = (f64::from(from), f64::from(to));
                let axis = Axis::between(&base(), "workload.clients", from, to, steps, scale).unwrap();
                let ticks = axis.ticks();
                prop_assert_eq!((ticks[0].at, ticks[ticks.len() - 1].at), (from, to));
                prop_assert!(ticks.iter().all(|tick| (low..=high).contains(&tick.at)));
                prop_assert!(ticks.len() <= steps);
            }
        }
    }
}
