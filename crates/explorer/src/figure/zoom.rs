//! The part of a plot that is looked at.

use super::{axis::Scale, frame::Frame};

/// From where to where each axis is looked at, in its values; an axis of rows is always whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Zoom {
    /// Across.
    pub x: [f64; 2],
    /// Upwards, where that is looked at closely as well.
    pub y: Option<[f64; 2]>,
}

/// Most that an axis can be spread.
const CLOSEST: f64 = 1000.0;

/// The part that is looked at after the plot is spread around a place by a factor, within `whole`; `None` where that is
/// all of it.
pub fn spread(frame: &Frame, whole: &Frame, (x, y): (f64, f64), factor: f64, both: bool) -> Option<Zoom> {
    let cut = |here: &super::frame::Mapping, all: &super::frame::Mapping, at: f64| {
        let ([low, high], [least, most]) = (here.ends(), all.ends());
        let centre = here.share_at(at).clamp(0.0, 1.0);
        let smallest = (most - least) / CLOSEST;
        let width = ((high - low) / factor).clamp(smallest, most - least);
        let low = (low + centre * (high - low) - centre * width).clamp(least, most - width);
        all.values([low, low + width])
    };
    let next = Zoom { x: cut(&frame.x, &whole.x, x), y: both.then(|| cut(&frame.y, &whole.y, y)) };
    is_closer(&next, whole).then_some(next)
}

/// The part that is looked at after the plot is pushed by some pixels.
pub fn push(frame: &Frame, whole: &Frame, (dx, dy): (f64, f64), both: bool) -> Option<Zoom> {
    let shift = |here: &super::frame::Mapping, all: &super::frame::Mapping, by: f64| {
        let ([low, high], [least, most]) = (here.ends(), all.ends());
        let by = (by * (high - low)).clamp(least - low, most - high);
        all.values([low + by, high + by])
    };
    let [left, right, top, bottom] = frame.plot;
    let next = Zoom {
        x: shift(&frame.x, &whole.x, -dx / (right - left)),
        y: both.then(|| shift(&frame.y, &whole.y, dy / (bottom - top))),
    };
    is_closer(&next, whole).then_some(next)
}

/// The part between two places across.
pub fn between(frame: &Frame, from: f64, to: f64) -> Zoom {
    let (from, to) = (from.min(to), from.max(to));
    Zoom { x: [frame.x.value_at(from), frame.x.value_at(to)], y: None }
}

fn is_closer(zoom: &Zoom, whole: &Frame) -> bool {
    let closer = |[low, high]: [f64; 2], all: &super::frame::Mapping| {
        let width = all.share(high) - all.share(low);
        all.scale != Scale::Rows && width < 0.999
    };
    closer(zoom.x, &whole.x) || zoom.y.is_some_and(|y| closer(y, &whole.y))
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Looking, tests::sample},
        *,
    };

    #[test]
    fn a_plot_is_spread_around_a_place_pushed_and_whole_again() {
        let figure = sample();
        let plot = figure.plot().unwrap();
        let at = |zoom: Option<Zoom>| {
            let looking = Looking { zoom, ..Looking::default() };
            Frame::of(plot, (800.0, 300.0), &looking, &|text| text.len() as f64 * 7.0)
        };
        let whole = at(None);
        let place = whole.x.px(5.0);
        let zoom = spread(&whole, &whole, (place, 100.0), 2.0, false).unwrap();
        let close = at(Some(zoom));
        assert!((close.x.px(5.0) - place).abs() < 1.0);
        assert!((zoom.x[1] - zoom.x[0] - 10.0).abs() < 0.1, "{zoom:?}");
        let pushed = push(&close, &whole, (1e9, 0.0), false).unwrap();
        assert!(pushed.x[0].abs() < 1e-9);
        assert_eq!(spread(&close, &whole, (place, 100.0), 0.1, false), None);
        assert_eq!(between(&whole, whole.x.px(8.0), whole.x.px(4.0)).x.map(f64::round), [4.0, 8.0]);
    }
}
