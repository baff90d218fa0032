//! How positions of a slider and values belong together.

/// Positions of a slider, from 0 to this.
pub const STEPS: f64 = 1000.0;

/// A slider's range: equal steps, equal proportions, or one end and then equal proportions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
    /// Where equal proportions begin; equal steps without it.
    from: Option<f64>,
    /// The distance between two values of equal steps.
    pub grain: f64,
}

impl Scale {
    /// Equal steps.
    pub const fn linear(low: f64, high: f64) -> Self {
        Self { low, high, from: None, grain: 1.0 }
    }

    /// Equal proportions.
    pub const fn log(low: f64, high: f64) -> Self {
        Self { low, high, from: Some(low), grain: 1.0 }
    }

    /// Zero, and from `from` on equal proportions.
    pub const fn log_from_zero(from: f64, high: f64) -> Self {
        Self { low: 0.0, high, from: Some(from), grain: 1.0 }
    }

    /// The scale with another distance between two values.
    pub const fn by(self, grain: f64) -> Self {
        Self { grain, ..self }
    }

    /// What has no scale.
    pub const fn none() -> Self {
        Self::linear(0.0, 1.0)
    }

    /// The scale that suits a parameter's range; `from` is where equal proportions begin where it reaches down to zero.
    pub fn for_range(low: f64, high: f64, from: f64) -> Self {
        const WIDE: f64 = 100.0;
        if low > 0.0 && high / low > WIDE {
            Self::log(low, high)
        } else if low <= 0.0 && high > WIDE * from {
            Self { low, high, from: Some(from), grain: 1.0 }
        } else {
            Self::linear(low, high)
        }
    }

    /// Whether its steps are equal.
    pub fn is_linear(&self) -> bool {
        self.from.is_none()
    }

    /// The nearest value within the range.
    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.low, self.high.max(self.low))
    }

    /// The position for a value.
    pub fn position(&self, value: f64) -> f64 {
        let value = self.clamp(value);
        let share = match self.from {
            None => (value - self.low) / (self.high - self.low),
            Some(from) if value < from => 0.0,
            Some(from) => (value / from).ln() / (self.high / from).ln(),
        };
        if share.is_finite() { (share * STEPS).round() } else { 0.0 }
    }

    /// The value for a position.
    pub fn value(&self, position: f64) -> f64 {
        let share = (position / STEPS).clamp(0.0, 1.0);
        match self.from {
            None => self.low + (self.high - self.low) * share,
            Some(_) if share == 0.0 => self.low,
            Some(from) => from * (self.high / from).powf(share),
        }
    }
}

/// `value` with two significant digits.
pub fn two_digits(value: f64) -> f64 {
    if value <= 0.0 {
        return value;
    }
    let unit = 10f64.powf(value.log10().floor() - 1.0);
    (value / unit).round() * unit
}

/// The next multiple of a sixteenth of the power of two below, which reads as a size people choose.
pub fn round_bytes(value: f64) -> f64 {
    if value <= 0.0 {
        return value;
    }
    let step = (value.log2().floor() - 3.0).exp2();
    (value / step).round() * step
}
