//! Where values stand: from axes to CSS pixels and back. No view.

use super::{
    Datum, Look, Looking, Plot, Reading, Series,
    axis::{Axis, Scale},
    clip::{Place, Rectangle},
};

/// Width of the edge for what has no place on a logarithmic axis, in CSS pixels.
const EDGE: f64 = 24.0;
/// Room above the plot for the name of the axis upwards, below it for labels and the other axis' name.
const TOP: f64 = 26.0;
const BOTTOM: f64 = 42.0;
/// Least room to the right, and the width from which on lines are named at their ends.
const RIGHT: f64 = 14.0;
const WIDE: f64 = 520.0;
/// Most room for names at the ends of lines.
const MOST_NAMES: f64 = 150.0;
/// How much wider bold letters are.
pub const BOLD: f64 = 1.16;
/// Height of a label, in CSS pixels.
pub const LINE: f64 = 16.0;

/// From an axis' values to pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mapping {
    /// How values stand.
    pub scale: Scale,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    edge: Option<f64>,
}

impl Mapping {
    fn new(scale: Scale, [low, high]: [f64; 2], from: f64, to: f64, edge: Option<f64>) -> Self {
        let along = |value: f64| along(scale, value);
        Self { scale, low: along(low), high: along(high), from, to, edge }
    }

    /// Where a value stands as a share of the axis.
    pub fn share(&self, value: f64) -> f64 {
        (along(self.scale, value) - self.low) / (self.high - self.low)
    }

    /// Where a value stands, in CSS pixels; not a number where it has no place.
    pub fn px(&self, value: f64) -> f64 {
        let share = self.share(value);
        match self.edge {
            Some(edge) if share.is_nan() || share < 0.0 => edge,
            _ => self.from + share * (self.to - self.from),
        }
    }

    /// The share of the axis at a place.
    pub fn share_at(&self, px: f64) -> f64 {
        (px - self.from) / (self.to - self.from)
    }

    /// The value at a place.
    pub fn value_at(&self, px: f64) -> f64 {
        self.values([self.low + self.share_at(px) * (self.high - self.low), 0.0])[0]
    }

    /// Where the axis begins and ends, along its own scale.
    pub fn ends(&self) -> [f64; 2] {
        [self.low, self.high]
    }

    /// Values of places along the axis' own scale.
    pub fn values(&self, places: [f64; 2]) -> [f64; 2] {
        places.map(|place| if self.scale == Scale::Log { 10f64.powf(place) } else { place })
    }

    /// From where to where the axis goes, in its values.
    pub fn range(&self) -> [f64; 2] {
        self.values(self.ends())
    }
}

fn along(scale: Scale, value: f64) -> f64 {
    match scale {
        Scale::Log if value > 0.0 => value.log10(),
        Scale::Log => f64::NAN,
        _ => value,
    }
}

/// A plot's place on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame {
    /// The plot, without the edge.
    pub plot: Rectangle,
    /// Across.
    pub x: Mapping,
    /// Upwards.
    pub y: Mapping,
    /// Whether lines are named at their ends.
    pub named: bool,
}

impl Frame {
    /// A frame that fills a whole ground. `width_of` tells the width of a label.
    pub fn of(
        plot: &Plot,
        (width, height): (f64, f64),
        looking: &Looking,
        width_of: &dyn Fn(&str) -> f64,
    ) -> Self {
        Self::within(plot, [0.0, width, 0.0, height], looking, width_of)
    }

    /// A frame within a part of the ground.
    pub fn within(plot: &Plot, area: Rectangle, looking: &Looking, width_of: &dyn Fn(&str) -> f64) -> Self {
        let [left, right, top, bottom] = area;
        let zoom = looking.zoom;
        let x_range = zoom.map_or_else(|| plot.x.around(values(plot, looking, None, true)), |zoom| zoom.x);
        let seen = zoom.map(|zoom| zoom.x);
        let y_range =
            zoom.and_then(|zoom| zoom.y).unwrap_or_else(|| plot.y.around(values(plot, looking, seen, false)));
        let [edge_x, edge_y] =
            [plot.x.edge, plot.y.edge].map(|edge| if edge && zoom.is_none() { EDGE } else { 0.0 });
        let labels = plot
            .y
            .ticks(y_range, 6)
            .into_iter()
            .map(|tick| width_of(&plot.y.label(tick)))
            .fold(0.0, f64::max);
        let named =
            plot.reading == Reading::AtX && right - left >= WIDE && ends(plot, looking).next().is_some();
        let names = if named {
            let longest = ends(plot, looking).map(|(series, _)| width_of(&series.name)).fold(60.0, f64::max);
            (longest * BOLD + 12.0).min(MOST_NAMES)
        } else {
            RIGHT
        };
        let low = if plot.y.scale == Scale::Rows { 4.0 } else { (labels + 10.0).max(28.0) };
        let left = left + low + edge_x;
        let right = (right - names).max(left + 20.0);
        let top = top + if plot.y.name.is_empty() { 8.0 } else { TOP };
        let bottom = (bottom - BOTTOM - edge_y).max(top + 20.0);
        let y = if plot.y.scale == Scale::Rows { (top, bottom) } else { (bottom, top) };
        let edge = |there: f64, place: f64| (there > 0.0).then_some(place);
        Self {
            plot: [left, right, top, bottom],
            x: Mapping::new(plot.x.scale, x_range, left, right, edge(edge_x, left - EDGE / 2.0)),
            y: Mapping::new(plot.y.scale, y_range, y.0, y.1, edge(edge_y, bottom + EDGE / 2.0)),
            named,
        }
    }

    /// Where a value stands.
    pub fn place(&self, datum: &Datum) -> Place {
        (self.x.px(datum.x), self.y.px(datum.y))
    }

    /// The rectangle of a value that has one, cut to the plot.
    pub fn rectangle(&self, datum: &Datum) -> Option<Rectangle> {
        let ([from, to], [low, high]) = (datum.across?, datum.up?);
        let [left, right, top, bottom] = self.plot;
        // On a logarithmic axis a rectangle that begins at zero begins with the axis.
        let px = |mapping: &Mapping, value: f64, start: f64| {
            let px = mapping.px(value);
            if px.is_nan() { start } else { px }
        };
        let (a, b) = (px(&self.x, from, left), px(&self.x, to, left));
        let (c, d) = (px(&self.y, low, bottom), px(&self.y, high, bottom));
        let rectangle = [a.min(b).max(left), a.max(b).min(right), c.min(d).max(top), c.max(d).min(bottom)];
        (rectangle[0] < rectangle[1] && rectangle[2] < rectangle[3]).then_some(rectangle)
    }

    /// The plot with its edge.
    pub fn outer(&self) -> Rectangle {
        let [left, right, top, bottom] = self.plot;
        let room = |mapping: &Mapping| if mapping.edge.is_some() { EDGE } else { 0.0 };
        [left - room(&self.x), right, top, bottom + room(&self.y)]
    }

    /// Whether a place lies within the plot or its edge, or hardly beside it.
    pub fn contains(&self, (x, y): Place) -> bool {
        let [left, right, top, bottom] = self.outer();
        (left - 0.5..=right + 0.5).contains(&x) && (top - 0.5..=bottom + 0.5).contains(&y)
    }

    /// Lines and labels across, as many as there is room for.
    pub fn x_ticks(&self, axis: &Axis) -> Vec<f64> {
        let [left, right, ..] = self.plot;
        axis.ticks(self.x.range(), ((right - left) / 72.0) as usize)
    }

    /// Lines and labels upwards.
    pub fn y_ticks(&self, axis: &Axis) -> Vec<f64> {
        let [.., top, bottom] = self.plot;
        axis.ticks(self.y.range(), (((bottom - top) / 44.0) as usize).min(6))
    }
}

/// The lines that can be named at their ends, with their last values.
pub fn ends<'a>(
    plot: &'a Plot,
    looking: &'a Looking,
) -> impl Iterator<Item = (&'a Series, &'a Datum)> + Clone {
    plot.visible(looking).filter_map(|(_, series)| {
        let named = matches!(series.look, Look::Line(_)) && !series.guide;
        let last = series.data.iter().rev().find(|datum| datum.y.is_finite());
        last.filter(|_| named).map(|last| (series, last))
    })
}

/// All values of one axis.
fn values<'a>(
    plot: &'a Plot,
    looking: &'a Looking,
    seen: Option<[f64; 2]>,
    across: bool,
) -> impl Iterator<Item = f64> + Clone + 'a {
    let data =
        plot.visible(looking).filter(|(_, series)| !series.guide).flat_map(|(_, series)| series.data.iter());
    let data = data.filter(move |datum| seen.is_none_or(|[from, to]| (from..=to).contains(&datum.x)));
    data.flat_map(move |datum| {
        let (value, extent) = if across { (datum.x, datum.across) } else { (datum.y, datum.up) };
        let [low, high] = extent.unwrap_or([value, value]);
        [value, low, high]
    })
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Unit, tests::sample},
        *,
    };

    fn wide(text: &str) -> f64 {
        text.chars().count() as f64 * 7.0
    }

    #[test]
    fn places_lead_back_to_values() {
        let figure = sample();
        let frame = Frame::of(figure.plot().unwrap(), (800.0, 300.0), &Looking::default(), &wide);
        for value in [0.0, 7.0, 19.0] {
            assert!((frame.x.value_at(frame.x.px(value)) - value).abs() < 1e-9);
        }
        assert!(frame.y.px(40.0) < frame.y.px(1.0));
        assert!(frame.named && frame.plot[1] < 800.0 - RIGHT);
        let narrow = Frame::of(figure.plot().unwrap(), (300.0, 300.0), &Looking::default(), &wide);
        assert!(!narrow.named);
        let nothing = Frame::of(figure.plot().unwrap(), (0.0, 0.0), &Looking::default(), &wide);
        assert!(nothing.x.px(5.0).is_finite());
    }

    #[test]
    fn zero_and_the_tiny_stand_on_the_edge() {
        let mut figure = sample();
        let super::super::Body::Plot(plot) = &mut figure.body else { unreachable!() };
        for axis in [&mut plot.x, &mut plot.y] {
            *axis = Axis { edge: true, range: Some([1.0, 100.0]), ..Axis::new("", Unit::Count, Scale::Log) };
        }
        let frame = Frame::of(plot, (400.0, 400.0), &Looking::default(), &wide);
        assert!(frame.x.px(0.5) < frame.plot[0] && frame.x.px(1.0) >= frame.plot[0]);
        assert!(frame.x.px(0.0) > frame.outer()[0] && frame.x.px(0.0) < frame.plot[0]);
        assert!(frame.y.px(0.0) < frame.outer()[3] && frame.y.px(0.0) > frame.plot[3]);
        assert!(frame.contains((frame.x.px(0.0), frame.y.px(0.0))));
    }
}
