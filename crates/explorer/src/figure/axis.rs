//! Axes: what they measure, from where to where, and where their lines stand.

use crate::{
    format::{bytes, milliseconds, number, percent, short_count, span},
    language::text,
};

/// What values are, and so how they read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Things that are counted.
    Count,
    /// Things in a second.
    PerSecond,
    /// Milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// Bytes.
    Bytes,
    /// Shares from 0 to 1.
    Share,
    /// One quantity over another.
    Ratio,
}

impl Unit {
    /// A value with its unit.
    pub fn words(self, value: f64) -> String {
        match self {
            Self::Count => number(value),
            Self::PerSecond => text!("unit-per-second", value = value),
            Self::Milliseconds => milliseconds(value),
            Self::Seconds => span(value),
            Self::Bytes => bytes(value),
            Self::Share => percent(value),
            Self::Ratio => text!("times", value = value),
        }
    }

    /// A value beside an axis, whose name has the unit.
    fn label(self, value: f64) -> String {
        match self {
            Self::Count | Self::PerSecond | Self::Ratio | Self::Milliseconds => short(value),
            _ => self.words(value),
        }
    }

    /// Steps between lines: the numbers that are round, and the base of their powers.
    fn round_steps(self, span: f64) -> (f64, &'static [f64]) {
        match self {
            Self::Bytes => (1024.0, &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0]),
            Self::Seconds if span > 20.0 => {
                (3600.0, &[5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1800.0, 3600.0])
            }
            _ => (10.0, &[1.0, 2.0, 2.5, 5.0, 10.0]),
        }
    }
}

/// A number in few characters: `0.01`, `300`, `10 k`, `1 M`.
fn short(value: f64) -> String {
    match value.abs() {
        v if v >= 9999.5 => short_count(value),
        v if v >= 1e-4 || v == 0.0 => number(value),
        _ => format!("{value:e}"),
    }
}

/// How values stand along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Equal steps.
    Linear,
    /// Equal proportions.
    Log,
    /// Rows with names, the first on top.
    Rows,
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it measures, with the unit.
    pub name: String,
    /// What its values are.
    pub unit: Unit,
    /// How they stand.
    pub scale: Scale,
    /// From where to where, where the data does not decide it.
    pub range: Option<[f64; 2]>,
    /// The names of rows.
    pub rows: Vec<String>,
    /// Whether what has no place on a logarithmic axis stands on an edge before its beginning.
    pub edge: bool,
}

/// Powers of ten on a logarithmic axis, at most.
const MOST_DECADES: f64 = 7.0;

impl Axis {
    /// An axis whose data decides its range.
    pub fn new(name: impl Into<String>, unit: Unit, scale: Scale) -> Self {
        Self { name: name.into(), unit, scale, range: None, rows: Vec::new(), edge: false }
    }

    /// An axis of rows.
    pub fn of_rows(rows: Vec<String>) -> Self {
        Self { rows, ..Self::new("", Unit::Count, Scale::Rows) }
    }

    /// What a value is called.
    pub fn words(&self, value: f64) -> String {
        match self.scale {
            Scale::Rows => self.rows.get(value.round().max(0.0) as usize).cloned().unwrap_or_default(),
            _ => self.unit.words(value),
        }
    }

    /// From where to where it goes around values: round numbers on a linear axis, some room on a logarithmic one.
    pub fn around(&self, values: impl Iterator<Item = f64> + Clone) -> [f64; 2] {
        if let Some([low, high]) = self.range.filter(|[low, high]| low < high) {
            return [low, high];
        }
        match self.scale {
            Scale::Rows => [-0.5, self.rows.len().max(1) as f64 - 0.5],
            Scale::Linear => {
                let (low, high) = ends(values);
                if low > high {
                    return [0.0, 1.0];
                }
                let end = nice_end(high.abs().max(-low) * 1.02, self.unit);
                [if low < 0.0 { -end } else { 0.0 }, if high > 0.0 || low >= 0.0 { end } else { 0.0 }]
            }
            Scale::Log => {
                let (_, high) = ends(values.clone());
                let floor = high / 10f64.powf(MOST_DECADES);
                let (low, high) = ends(values.filter(|value| *value > 0.0 && *value >= floor));
                if low > high {
                    return [1.0, 10.0];
                }
                let room = ((high / low).powf(0.04)).max(1.1);
                let middle = low.sqrt() * high.sqrt();
                [(low / room).min(middle / 1.4), (high * room).max(middle * 1.4)]
            }
        }
    }

    /// Values for lines and labels within a range, `room` at most.
    pub fn ticks(&self, [low, high]: [f64; 2], room: usize) -> Vec<f64> {
        let room = room.max(2);
        match self.scale {
            Scale::Rows => (0..self.rows.len()).map(|row| row as f64).collect(),
            Scale::Linear => linear_ticks(self.unit, low, high, room),
            Scale::Log => {
                let ticks =
                    if self.unit == Unit::Bytes { powers_of_two(low, high) } else { decades(low, high) };
                // On a short piece of a logarithmic axis equal steps tell more.
                let ticks = if ticks.len() < 2 { linear_ticks(self.unit, low, high, room) } else { ticks };
                let every = ticks.len().div_ceil(room).max(1);
                ticks.into_iter().step_by(every).collect()
            }
        }
    }

    /// A value as a label.
    pub fn label(&self, value: f64) -> String {
        match self.scale {
            Scale::Rows => String::new(),
            _ => self.unit.label(value),
        }
    }
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// The next round number.
fn nice_end(value: f64, unit: Unit) -> f64 {
    if value <= 0.0 || !value.is_finite() {
        return 1.0;
    }
    if unit == Unit::Share && value >= 0.9 {
        return 1.0;
    }
    if unit == Unit::Bytes {
        let step = 2f64.powf(value.log2().floor() - 2.0);
        return (value / step).ceil() * step;
    }
    if unit == Unit::Seconds && value > 10.0 {
        let step = linear_step(unit, value, 10);
        return (value / 1.02 / step).ceil() * step;
    }
    let power = 10f64.powf(value.log10().floor());
    let round = [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0].into_iter().map(|n| n * power);
    round.into_iter().find(|end| *end >= value).unwrap_or(value)
}

fn linear_step(unit: Unit, span: f64, room: usize) -> f64 {
    let rough = (span / room as f64).max(f64::MIN_POSITIVE);
    let (base, steps) = unit.round_steps(span);
    let power = base.powf((rough / steps[0]).log(base).floor().max(if base > 10.0 { 0.0 } else { -300.0 }));
    let found = steps.iter().map(|step| step * power).find(|step| *step >= rough);
    found.unwrap_or_else(|| {
        let last = steps[steps.len() - 1] * power;
        (rough / last).ceil() * last
    })
}

fn linear_ticks(unit: Unit, low: f64, high: f64, room: usize) -> Vec<f64> {
    if !(high - low).is_finite() || high <= low {
        return Vec::new();
    }
    let step = linear_step(unit, high - low, room);
    let first = (low / step - 1e-9).ceil();
    let count = ((high - first * step) / step + 1e-9).floor().clamp(0.0, 100.0) as usize;
    (0..=count).map(|at| (first + at as f64) * step).filter(|tick| *tick <= high * (1.0 + 1e-9)).collect()
}

fn powers_of_two(low: f64, high: f64) -> Vec<f64> {
    let powers = low.max(1.0).log2().ceil() as i32..=high.max(1.0).log2().floor() as i32;
    powers.map(|power| 2f64.powi(power)).collect()
}

/// Powers of ten, with steps between them where there are few.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let [first, last] = [low, high].map(|end| end.log10().clamp(-300.0, 300.0));
    let steps: &[f64] = match last - first {
        span if span < 0.8 => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
        span if span < 2.5 => &[1.0, 2.0, 5.0],
        _ => &[1.0],
    };
    let powers = first.floor() as i32..=last.ceil() as i32;
    let values = powers.flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
    values.filter(|value| (low..=high).contains(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(unit: Unit, scale: Scale) -> Axis {
        Axis::new("", unit, scale)
    }

    #[test]
    fn linear_axes_end_at_round_numbers() {
        let plain = axis(Unit::PerSecond, Scale::Linear);
        assert_eq!(plain.around([1.0, 23_600.0].into_iter()), [0.0, 30_000.0]);
        assert_eq!(plain.around(std::iter::empty()), [0.0, 1.0]);
        assert_eq!(plain.around([0.0].into_iter()), [0.0, 1.0]);
        assert_eq!(
            plain.ticks([0.0, 30_000.0], 6),
            [0.0, 5000.0, 10_000.0, 15_000.0, 20_000.0, 25_000.0, 30_000.0]
        );
        assert_eq!(axis(Unit::Seconds, Scale::Linear).around([1800.0].into_iter()), [0.0, 1800.0]);
        assert_eq!(
            axis(Unit::Seconds, Scale::Linear).ticks([0.0, 1800.0], 7),
            [0.0, 300.0, 600.0, 900.0, 1200.0, 1500.0, 1800.0]
        );
        let bytes = axis(Unit::Bytes, Scale::Linear);
        let gib = 2f64.powi(30);
        assert_eq!(bytes.ticks([0.0, 4.0 * gib], 5), [0.0, gib, 2.0 * gib, 3.0 * gib, 4.0 * gib]);
    }

    #[test]
    fn logarithmic_axes_have_powers() {
        let plain = axis(Unit::Count, Scale::Log);
        assert_eq!(plain.ticks([0.9, 1100.0], 9), [1.0, 10.0, 100.0, 1000.0]);
        let gib = 2f64.powi(30);
        assert_eq!(
            axis(Unit::Bytes, Scale::Log).ticks([gib, 8.5 * gib], 9),
            [1.0, 2.0, 4.0, 8.0].map(|n| n * gib)
        );
        assert_eq!(plain.around(std::iter::empty()), [1.0, 10.0]);
        let [low, high] = plain.around([0.0, 1e-20, 5.0, 50.0].into_iter());
        assert!(low > 1.0 && low < 5.0 && high > 50.0, "{low} {high}");
    }

    #[test]
    fn nothing_asked_of_an_axis_hangs_or_panics() {
        for unit in [Unit::Count, Unit::Seconds, Unit::Bytes, Unit::Share, Unit::Milliseconds] {
            for scale in [Scale::Linear, Scale::Log, Scale::Rows] {
                for values in
                    [[0.0, 0.0], [f64::NAN, 1.0], [-5.0, f64::INFINITY], [1e-300, 1e300], [7.0, 7.0]]
                {
                    let axis = axis(unit, scale);
                    let range = axis.around(values.into_iter());
                    assert!(range[0] < range[1], "{unit:?} {scale:?} {values:?} {range:?}");
                    for room in [0, 5, 50] {
                        let ticks = axis.ticks(range, room);
                        assert!(ticks.len() <= 700, "{} {unit:?} {scale:?} {values:?}", ticks.len());
                        let _ = ticks.iter().map(|tick| axis.label(*tick)).collect::<Vec<_>>();
                    }
                }
            }
        }
    }

    #[test]
    fn labels_are_short() {
        let labels = [0.001, 0.5, 1.0, 1000.0, 20_000.0, 1e6, 1e-6].map(short);
        assert_eq!(labels, ["0.001", "0.5", "1", "1000", "20\u{a0}k", "1\u{a0}M", "1e-6"]);
    }
}
