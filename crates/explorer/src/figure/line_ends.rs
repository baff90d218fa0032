//! Where lines are named at their ends: what is written beside each, so that nothing lies on anything else.

use super::{
    Looking, Plot, Series,
    clip::{Place, Rectangle},
    frame::{self, BOLD, Frame, LINE},
    thin::mean,
    wrap::shortened,
};

/// Distance between the end of a line and its name, in CSS pixels.
const GAP: f64 = 8.0;
/// Most lines of a name.
const LINES: usize = 2;

/// What stands beside the end of a line.
pub struct LineEnd<'a> {
    /// The line.
    pub series: &'a Series,
    /// The middle of the first row of letters.
    pub at: Place,
    /// Its name, in rows.
    pub name: Vec<String>,
    /// Its last value, below the name where there is room for values.
    pub value: Option<String>,
}

/// The names of the lines that have room, the highest first. Where there are many lines, values make room for names, and
/// names are in one row.
pub fn line_ends<'a>(
    plot: &'a Plot,
    frame: &Frame,
    looking: &'a Looking,
    area: Rectangle,
    width_of: &dyn Fn(&str) -> f64,
) -> Vec<LineEnd<'a>> {
    let [_, right, top, bottom] = frame.plot;
    let mut ends: Vec<(f64, LineEnd<'a>)> = frame::ends(plot, looking)
        .filter_map(|(series, _)| {
            let tail = &series.data[series.data.len() - (series.data.len() / 20).clamp(1, 10)..];
            let last = mean(tail);
            let (x, y) = (frame.x.px(last.x).clamp(area[0], right) + GAP, frame.y.px(last.y));
            let room = area[1] - x;
            let name = |most| shortened(&series.name, room, most, |words| width_of(words) * BOLD);
            let value = Some(plot.y.unit.words(last.y));
            y.is_finite().then(|| (y, LineEnd { series, at: (x, y), name: name(LINES), value }))
        })
        .collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    let room = bottom - top + LINE;
    let height = |end: &LineEnd<'_>| LINE * (end.name.len() + usize::from(end.value.is_some())) as f64;
    let whole = |ends: &[(f64, LineEnd<'_>)]| ends.iter().map(|(_, end)| height(end)).sum::<f64>();
    if whole(&ends) > room {
        ends.iter_mut().for_each(|(_, end)| end.value = None);
    }
    if whole(&ends) > room {
        for (_, end) in &mut ends {
            let width = area[1] - end.at.0;
            end.name = shortened(&end.series.name, width, 1, |words| width_of(words) * BOLD);
        }
    }
    let mut below = whole(&ends);
    let mut free = top - LINE / 2.0;
    for (y, end) in &mut ends {
        // The block is centred on the end of its line, unless others need the room.
        let middle = *y - (height(end) - LINE) / 2.0;
        end.at.1 = middle.min(bottom + LINE - below).max(free);
        free = end.at.1 + height(end);
        below -= height(end);
    }
    ends.into_iter().map(|(_, end)| end).filter(|end| end.at.1 <= bottom).collect()
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Axis, Body, Dash, Datum, Look, Scale, Unit, tests::sample},
        *,
    };

    fn wide(text: &str) -> f64 {
        text.chars().count() as f64 * 7.0
    }

    /// A plot of so many lines that all end close to each other.
    fn plot(count: usize) -> Plot {
        let Body::Plot(mut plot) = sample().body else { unreachable!() };
        let line = |at: usize| vec![Datum::at(0.0, 1.0), Datum::at(10.0, 10.0 + at as f64 / 100.0)];
        let name = |at: usize| format!("line number {at} with a long name of its own");
        plot.series =
            (0..count).map(|at| Series::new(name(at), "disks", Look::Line(Dash::Solid), line(at))).collect();
        plot.y = Axis::new("", Unit::Count, Scale::Linear);
        plot
    }

    #[test]
    fn names_keep_apart_and_within_the_figure() {
        let looking = Looking::default();
        for count in [1, 2, 4, 8, 16, 30] {
            let plot = plot(count);
            let area = [0.0, 800.0, 0.0, 300.0];
            let frame = Frame::within(&plot, area, &looking, &wide);
            let ends = line_ends(&plot, &frame, &looking, area, &wide);
            assert!(!ends.is_empty() && ends.len() <= count);
            let mut free = f64::NEG_INFINITY;
            for end in &ends {
                assert!(end.at.1 >= free, "{count}");
                free = end.at.1 + LINE * (end.name.len() + usize::from(end.value.is_some())) as f64;
                let widest = end.name.iter().map(|line| wide(line) * BOLD).fold(0.0, f64::max);
                assert!(end.at.0 + widest <= area[1] + 0.5, "{count}: {:?}", end.name);
            }
            assert!(free <= area[3], "{count}");
            assert_eq!(ends[0].value.is_some(), count <= 4, "{count}");
        }
    }
}
