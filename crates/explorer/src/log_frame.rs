//! Two logarithmic axes of the same range, and an edge for what has no place on them. No view.

/// Space around the plot, in CSS pixels: left, right, top, bottom.
const MARGINS: [f64; 4] = [48.0, 12.0, 8.0, 24.0];
/// Width of the edge, in CSS pixels.
const EDGE: f64 = 24.0;
/// Powers of ten on an axis, at most: what is smaller stands on the edge.
const MOST_DECADES: f64 = 7.0;

/// Where values stand: the measured one across, the model's one up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogFrame {
    /// Width of the whole, in CSS pixels.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// Logarithm of the axes' lower end.
    low: f64,
    /// Logarithm of their upper end.
    high: f64,
    /// Whether there is an edge for values of 0 and those below the lower end.
    pub edge: bool,
}

impl LogFrame {
    /// A frame around pairs of values.
    pub fn around(values: impl Iterator<Item = (f64, f64)> + Clone, (width, height): (f64, f64)) -> Self {
        let each = values.flat_map(|(x, y)| [x, y]);
        let positive = each.clone().filter(|value| *value > 0.0).map(f64::log10);
        let largest = positive.clone().fold(f64::NEG_INFINITY, f64::max);
        let least = positive.filter(|log| *log >= largest - MOST_DECADES).fold(f64::INFINITY, f64::min);
        let (low, high) = if least.is_finite() && largest.is_finite() {
            // Some room around the marks, and never less than a factor of two.
            let room = ((largest - least) * 0.04).max(0.04);
            let middle = f64::midpoint(least, largest);
            ((least - room).min(middle - 0.15), (largest + room).max(middle + 0.15))
        } else {
            (0.0, 1.0)
        };
        let edge = each.into_iter().any(|value| value <= 0.0 || value.log10() < low);
        Self { width, height, low, high, edge }
    }

    /// Left, right, top and bottom of the part with logarithmic axes.
    pub fn plot(&self) -> [f64; 4] {
        let [left, right, top, bottom] = MARGINS;
        let edge = if self.edge { EDGE } else { 0.0 };
        [
            left + edge,
            (self.width - right).max(left + edge + 1.0),
            top,
            (self.height - bottom - edge).max(top + 1.0),
        ]
    }

    /// Left and bottom of the whole, with its edge.
    pub fn outer(&self) -> (f64, f64) {
        let edge = if self.edge { EDGE } else { 0.0 };
        let [left, _, _, bottom] = self.plot();
        (left - edge, bottom + edge)
    }

    fn share(&self, value: f64) -> Option<f64> {
        let log = if value > 0.0 { value.log10() } else { return None };
        (log >= self.low).then(|| ((log - self.low) / (self.high - self.low)).min(1.0))
    }

    /// Where a measured value stands.
    pub fn x(&self, value: f64) -> f64 {
        let [left, right, ..] = self.plot();
        self.share(value).map_or(left - EDGE / 2.0, |share| left + share * (right - left))
    }

    /// Where a model's value stands.
    pub fn y(&self, value: f64) -> f64 {
        let [_, _, top, bottom] = self.plot();
        self.share(value).map_or(bottom + EDGE / 2.0, |share| bottom - share * (bottom - top))
    }

    /// Whether a value stands on the edge.
    pub fn on_edge(&self, value: f64) -> bool {
        self.share(value).is_none()
    }

    /// Values for lines and labels: powers of ten, with steps of 2 and 5 between them where there are few.
    pub fn ticks(&self) -> Vec<f64> {
        let steps: &[f64] = match self.high - self.low {
            span if span < 0.8 => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0],
            span if span < 2.5 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let powers = self.low.floor() as i32..=self.high.ceil() as i32;
        let values = powers.flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
        values.filter(|value| (self.low..=self.high).contains(&value.log10())).collect()
    }

    /// The corners of the band in which the model is off by no more than `share`, in CSS pixels; cut to the plot.
    pub fn band(&self, share: f64) -> Vec<(f64, f64)> {
        let [left, right, top, bottom] = self.plot();
        let scale = (self.high - self.low).max(1e-9);
        let up = (1.0 + share).log10() / scale;
        let down = (1.0 - share).log10() / scale;
        let at = |x: f64, y: f64| (left + x * (right - left), bottom - y * (bottom - top));
        vec![
            at(0.0, 0.0),
            at(0.0, up.min(1.0)),
            at((1.0 - up).max(0.0), 1.0),
            at(1.0, 1.0),
            at(1.0, (1.0 + down).max(0.0)),
            at((-down).min(1.0), 0.0),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(values: &[(f64, f64)]) -> LogFrame {
        LogFrame::around(values.iter().copied(), (400.0, 400.0))
    }

    #[test]
    fn equal_values_stand_on_the_diagonal() {
        let frame = frame(&[(1.0, 1.2), (1000.0, 900.0)]);
        assert!(!frame.edge);
        let [left, right, top, bottom] = frame.plot();
        for value in [1.0, 30.0, 1000.0] {
            let across = (frame.x(value) - left) / (right - left);
            let up = (bottom - frame.y(value)) / (bottom - top);
            assert!((across - up).abs() < 1e-9 && (0.0..=1.0).contains(&across), "{value}");
        }
        assert_eq!(frame.ticks(), [1.0, 10.0, 100.0, 1000.0]);
    }

    #[test]
    fn zero_and_the_tiny_stand_on_the_edge() {
        let frame = frame(&[(0.0, 5.0), (100.0, 1e-9), (50.0, 60.0)]);
        assert!(frame.edge && frame.on_edge(0.0) && frame.on_edge(1e-9) && !frame.on_edge(5.0));
        let (left, bottom) = frame.outer();
        assert!(frame.x(0.0) > left && frame.x(0.0) < frame.plot()[0]);
        assert!(frame.y(1e-9) < bottom && frame.y(1e-9) > frame.plot()[3]);
    }

    #[test]
    fn nothing_and_one_value_have_a_frame() {
        assert_eq!(frame(&[]).ticks(), [1.0, 2.0, 5.0, 10.0]);
        assert!(frame(&[(0.0, 0.0)]).edge);
        let one = frame(&[(7.0, 7.0)]);
        assert!(one.ticks().len() >= 2, "{:?}", one.ticks());
        assert!(LogFrame::around([(1.0, 2.0)].into_iter(), (0.0, 0.0)).x(1.0).is_finite());
    }

    #[test]
    fn a_band_surrounds_the_diagonal() {
        let frame = frame(&[(1.0, 1.0), (100.0, 100.0)]);
        let band = frame.band(0.3);
        assert!((band[1].1 - frame.y(10.0 * 1.3) - (band[0].1 - frame.y(10.0))).abs() < 1e-6);
        let [left, right, top, bottom] = frame.plot();
        assert!(band.iter().all(|(x, y)| (left..=right).contains(x) && (top..=bottom).contains(y)));
    }
}
