//! Where a reader stands in a figure, and what is to be read there. No view.

use super::{
    Body, Datum, Figure, Looking, Plot, Reading, Series, TileGroup,
    axis::Scale,
    clip::{Place, Rectangle},
    frame::Frame,
};

/// Where a reader stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Cursor {
    /// At a place across, in all series.
    X(f64),
    /// At one value: its series, and its place within.
    Datum(usize, usize),
    /// At one tile: its group, and its place within.
    Tile(usize, usize),
}

/// What stands at a cursor.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Spoken {
    /// Where it is.
    pub place: String,
    /// What is there: colour, name, value.
    pub parts: Vec<(&'static str, String, String)>,
}

/// How a figure lies on the page.
#[derive(Debug, Clone, PartialEq)]
pub enum Lying {
    /// A plot in its frame.
    Plot(Frame),
    /// Rectangles of tiles, by group.
    Tiles(Vec<Vec<Rectangle>>),
}

/// How far from a mark it can be pointed at, in CSS pixels.
const REACH: f64 = 28.0;
/// Values of different series that are closer are read together, in CSS pixels.
const TOGETHER: f64 = 1.6;

/// What is pointed at.
pub fn at(figure: &Figure, lying: &Lying, looking: &Looking, place: Place) -> Option<Cursor> {
    match (&figure.body, lying) {
        (Body::Plot(plot), Lying::Plot(frame)) if plot.reading == Reading::AtX => {
            nearest_x(plot, frame, looking, place.0).map(Cursor::X)
        }
        (Body::Plot(plot), Lying::Plot(frame)) => nearest(plot, frame, looking, place),
        (Body::Tiles(_), Lying::Tiles(groups)) => groups.iter().enumerate().find_map(|(group, places)| {
            let tile = places.iter().position(|rectangle| holds(rectangle, place))?;
            Some(Cursor::Tile(group, tile))
        }),
        _ => None,
    }
}

fn holds([left, right, top, bottom]: &Rectangle, (x, y): Place) -> bool {
    (*left..*right).contains(&x) && (*top..*bottom).contains(&y)
}

/// Values that are read.
fn read_series<'a>(
    plot: &'a Plot,
    looking: &'a Looking,
) -> impl Iterator<Item = (usize, &'a Series)> + Clone {
    plot.visible(looking).filter(|(_, series)| !series.guide)
}

fn xs<'a>(plot: &'a Plot, looking: &'a Looking) -> impl Iterator<Item = f64> + Clone + 'a {
    read_series(plot, looking)
        .flat_map(|(_, series)| series.data.iter().map(|datum| datum.x))
        .filter(|x| x.is_finite())
}

fn nearest_x(plot: &Plot, frame: &Frame, looking: &Looking, px: f64) -> Option<f64> {
    let [left, right, ..] = frame.plot;
    let px = px.clamp(left, right);
    let distance = |x: f64| (frame.x.px(x) - px).abs();
    xs(plot, looking).min_by(|a, b| distance(*a).total_cmp(&distance(*b)))
}

/// All values that are seen, with their places.
fn seen<'a>(
    plot: &'a Plot,
    frame: &'a Frame,
    looking: &'a Looking,
) -> impl Iterator<Item = (Cursor, Place, &'a Datum)> + Clone {
    read_series(plot, looking).flat_map(move |(at, series)| {
        series.data.iter().enumerate().filter_map(move |(number, datum)| {
            let place = middle(frame, datum);
            frame.contains(place).then_some((Cursor::Datum(at, number), place, datum))
        })
    })
}

/// Where a value is pointed at: in the middle of its rectangle, or where its mark is.
fn middle(frame: &Frame, datum: &Datum) -> Place {
    match frame.rectangle(datum).filter(|_| datum.across.is_some()) {
        Some([left, right, top, bottom]) => (f64::midpoint(left, right), f64::midpoint(top, bottom)),
        None => frame.place(datum),
    }
}

fn nearest(plot: &Plot, frame: &Frame, looking: &Looking, place: Place) -> Option<Cursor> {
    let inside = |datum: &Datum| frame.rectangle(datum).is_some_and(|rectangle| holds(&rectangle, place));
    if let Some((cursor, ..)) = seen(plot, frame, looking).find(|(.., datum)| inside(datum)) {
        return Some(cursor);
    }
    let distance = |(x, y): Place| (x - place.0).hypot(y - place.1);
    let marks = seen(plot, frame, looking).filter(|(.., datum)| datum.across.is_none());
    let found = marks.map(|(cursor, place, _)| (cursor, distance(place))).min_by(|a, b| a.1.total_cmp(&b.1));
    found.filter(|(_, distance)| *distance <= REACH).map(|(cursor, _)| cursor)
}

/// Where a key leads; `None` for keys that mean nothing here.
pub fn step(
    figure: &Figure,
    lying: &Lying,
    looking: &Looking,
    from: Option<Cursor>,
    key: &str,
    far: bool,
) -> Option<Option<Cursor>> {
    if key == "Escape" {
        return Some(None);
    }
    if !["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].contains(&key) {
        return None;
    }
    let times = if far { 10 } else { 1 };
    let once = |from: Option<Cursor>| match (&figure.body, lying) {
        (Body::Plot(plot), Lying::Plot(frame)) => match plot.reading {
            Reading::AtX => step_across(plot, frame, looking, from, key),
            Reading::Ranked => step_ranked(plot, frame, looking, from, key),
            Reading::Plane => step_plane(plot, frame, looking, from, key),
        },
        (Body::Tiles(groups), _) => step_tiles(groups, from, key),
        _ => None,
    };
    Some((0..times).fold(from, |cursor, _| once(cursor).or(cursor)))
}

fn step_across(
    plot: &Plot,
    frame: &Frame,
    looking: &Looking,
    from: Option<Cursor>,
    key: &str,
) -> Option<Cursor> {
    let shown = || xs(plot, looking).filter(|x| (-0.001..=1.001).contains(&frame.x.share(*x)));
    let first = || shown().min_by(f64::total_cmp);
    let last = || shown().max_by(f64::total_cmp);
    let at = match from {
        Some(Cursor::X(at)) => at,
        _ => return if key == "ArrowLeft" || key == "End" { last() } else { first() }.map(Cursor::X),
    };
    let px = frame.x.px(at);
    let next = match key {
        "Home" => first(),
        "End" => last(),
        "ArrowRight" => {
            shown().filter(|x| frame.x.px(*x) > px + TOGETHER).min_by(f64::total_cmp).or_else(last)
        }
        "ArrowLeft" => {
            shown().filter(|x| frame.x.px(*x) < px - TOGETHER).max_by(f64::total_cmp).or_else(first)
        }
        _ => return None,
    };
    next.map(Cursor::X)
}

fn step_ranked(
    plot: &Plot,
    frame: &Frame,
    looking: &Looking,
    from: Option<Cursor>,
    key: &str,
) -> Option<Cursor> {
    let mut order: Vec<(Cursor, Place, &Datum)> = seen(plot, frame, looking).collect();
    let ranked = matches!(key, "ArrowUp" | "ArrowDown");
    if ranked {
        order.sort_by(|a, b| b.2.rank.total_cmp(&a.2.rank));
    } else {
        order.sort_by(|a, b| (a.2.x.total_cmp(&b.2.x)).then(a.2.key.cmp(&b.2.key)));
    }
    let last = order.len().checked_sub(1)?;
    let at = from.and_then(|from| order.iter().position(|(cursor, ..)| *cursor == from));
    let next = match (key, at) {
        ("Home", _) | ("ArrowRight" | "ArrowUp" | "ArrowDown", None) => 0,
        ("End", _) | (_, None) => last,
        ("ArrowRight" | "ArrowDown", Some(at)) => (at + 1).min(last),
        (_, Some(at)) => at.saturating_sub(1),
    };
    order.get(next).map(|(cursor, ..)| *cursor)
}

fn step_plane(
    plot: &Plot,
    frame: &Frame,
    looking: &Looking,
    from: Option<Cursor>,
    key: &str,
) -> Option<Cursor> {
    let here = from.and_then(|from| seen(plot, frame, looking).find(|(cursor, ..)| *cursor == from));
    let Some((_, (x, y), _)) = here else {
        let mut all = seen(plot, frame, looking);
        return if key == "End" { all.last() } else { all.next() }.map(|(cursor, ..)| cursor);
    };
    // The nearest in the direction; what lies aside counts for more than what lies ahead.
    let score = |(to_x, to_y): Place| {
        let (ahead, aside) = match key {
            "ArrowRight" => (to_x - x, to_y - y),
            "ArrowLeft" => (x - to_x, to_y - y),
            "ArrowUp" => (y - to_y, to_x - x),
            "ArrowDown" => (to_y - y, to_x - x),
            "Home" => return (to_y == y).then_some(to_x),
            _ => return (to_y == y).then_some(-to_x),
        };
        (ahead > 0.5).then_some(ahead + 8.0 * aside.abs())
    };
    let scored = seen(plot, frame, looking).filter_map(|(cursor, place, _)| Some((cursor, score(place)?)));
    scored.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(cursor, _)| cursor)
}

fn step_tiles(groups: &[TileGroup], from: Option<Cursor>, key: &str) -> Option<Cursor> {
    let order: Vec<Cursor> = groups
        .iter()
        .enumerate()
        .flat_map(|(group, tiles)| (0..tiles.tiles.len()).map(move |tile| Cursor::Tile(group, tile)))
        .collect();
    let last = order.len().checked_sub(1)?;
    let at = from.and_then(|from| order.iter().position(|cursor| *cursor == from));
    let next = match (key, at) {
        ("Home", _) => 0,
        ("End", _) | ("ArrowLeft" | "ArrowUp", None) => last,
        (_, None) => 0,
        ("ArrowRight" | "ArrowDown", Some(at)) => (at + 1).min(last),
        (_, Some(at)) => at.saturating_sub(1),
    };
    order.get(next).copied()
}

/// The value of a series at a place across.
fn value_at<'a>(series: &'a Series, frame: &Frame, x: f64) -> Option<&'a Datum> {
    let px = frame.x.px(x);
    let distance = |datum: &Datum| (frame.x.px(datum.x) - px).abs();
    let found = series
        .data
        .iter()
        .filter(|datum| datum.x.is_finite())
        .min_by(|a, b| distance(a).total_cmp(&distance(b)));
    found.filter(|datum| datum.x == x || distance(datum) <= TOGETHER)
}

/// Where the marks of a cursor stand, each with its colour.
pub fn marks(
    figure: &Figure,
    lying: &Lying,
    looking: &Looking,
    cursor: Cursor,
) -> Vec<(&'static str, Place)> {
    let (Body::Plot(plot), Lying::Plot(frame)) = (&figure.body, lying) else { return Vec::new() };
    let marks: Vec<(&'static str, Place)> = match cursor {
        Cursor::X(x) => read_series(plot, looking)
            .filter_map(|(_, series)| Some((series.paint, frame.place(value_at(series, frame, x)?))))
            .collect(),
        Cursor::Datum(at, number) => plot
            .series
            .get(at)
            .and_then(|series| Some((series.paint, middle(frame, series.data.get(number)?))))
            .into_iter()
            .collect(),
        Cursor::Tile(..) => Vec::new(),
    };
    marks.into_iter().filter(|(_, place)| frame.contains(*place)).collect()
}

/// The number that a value at a cursor has among the data that the figure was made from.
pub fn key(figure: &Figure, cursor: Cursor) -> Option<usize> {
    match cursor {
        Cursor::Datum(at, number) => Some(figure.plot()?.series.get(at)?.data.get(number)?.key),
        _ => None,
    }
}

/// What stands at a cursor.
pub fn read(figure: &Figure, lying: &Lying, looking: &Looking, cursor: Cursor) -> Option<Spoken> {
    match (&figure.body, lying, cursor) {
        (Body::Plot(plot), Lying::Plot(frame), Cursor::X(x)) => {
            let parts = read_series(plot, looking).filter_map(|(_, series)| {
                let datum = value_at(series, frame, x).filter(|datum| datum.y.is_finite())?;
                Some((series.paint, series.name.clone(), value(plot, datum)))
            });
            let place = read_series(plot, looking)
                .find_map(|(_, series)| value_at(series, frame, x)?.across)
                .map_or_else(
                    || plot.x.words(x),
                    |[from, to]| format!("{} – {}", plot.x.words(from), plot.x.words(to)),
                );
            Some(Spoken { place, parts: parts.collect() })
        }
        (Body::Plot(plot), _, Cursor::Datum(at, number)) => {
            let series = plot.series.get(at)?;
            let datum = series.data.get(number)?;
            let place = match (&datum.label, plot.y.scale) {
                (_, Scale::Rows) => plot.y.words(datum.y),
                (Some(label), _) => label.to_string(),
                (None, _) => format!("{} · {}", plot.x.words(datum.x), plot.y.words(datum.y)),
            };
            let value = match &plot.rank {
                Some((_, unit)) => unit.words(datum.rank),
                None => plot.x.words(datum.x),
            };
            Some(Spoken { place, parts: vec![(series.paint, series.name.clone(), value)] })
        }
        (Body::Tiles(groups), _, Cursor::Tile(group, tile)) => {
            let group = groups.get(group)?;
            let tile = group.tiles.get(tile)?;
            let mut parts = vec![(tile.paint, tile.name.clone(), super::Unit::Bytes.words(tile.bytes))];
            parts.extend(tile.details.iter().map(|(name, value)| (tile.paint, name.clone(), value.clone())));
            Some(Spoken { place: group.name.clone(), parts })
        }
        _ => None,
    }
}

/// A value with its interval.
fn value(plot: &Plot, datum: &Datum) -> String {
    let words = plot.y.words(datum.y);
    match datum.up.filter(|_| datum.across.is_none()) {
        Some([low, high]) => format!("{words} ({} – {})", plot.y.label(low), plot.y.label(high)),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::sample, *};

    fn lying(figure: &Figure) -> Lying {
        let wide = |text: &str| text.len() as f64 * 7.0;
        Lying::Plot(Frame::of(figure.plot().unwrap(), (800.0, 300.0), &Looking::default(), &wide))
    }

    #[test]
    fn a_pointer_reads_all_series_at_a_place() {
        let figure = sample();
        let (lying, looking) = (lying(&figure), Looking::default());
        let Lying::Plot(frame) = &lying else { unreachable!() };
        let cursor = at(&figure, &lying, &looking, (frame.x.px(10.2), 50.0)).unwrap();
        assert_eq!(cursor, Cursor::X(10.0));
        let spoken = read(&figure, &lying, &looking, cursor).unwrap();
        assert_eq!(spoken.place, "10\u{a0}s");
        let values: Vec<&str> = spoken.parts.iter().map(|(.., value)| value.as_str()).collect();
        assert_eq!(values, ["11/s", "22/s", "25/s (20 – 30)"]);
        assert_eq!(marks(&figure, &lying, &looking, cursor).len(), 3);
    }

    #[test]
    fn keys_go_from_value_to_value_and_stop_at_the_ends() {
        let figure = sample();
        let (lying, looking) = (lying(&figure), Looking::default());
        let go = |from, key| step(&figure, &lying, &looking, from, key, false);
        assert_eq!(go(None, "ArrowRight"), Some(Some(Cursor::X(0.0))));
        assert_eq!(go(Some(Cursor::X(0.0)), "ArrowRight"), Some(Some(Cursor::X(1.0))));
        assert_eq!(go(Some(Cursor::X(0.0)), "ArrowLeft"), Some(Some(Cursor::X(0.0))));
        assert_eq!(go(None, "End"), Some(Some(Cursor::X(19.0))));
        assert_eq!(go(Some(Cursor::X(3.0)), "Escape"), Some(None));
        assert_eq!(go(Some(Cursor::X(3.0)), "x"), None);
        let far = step(&figure, &lying, &looking, Some(Cursor::X(0.0)), "ArrowRight", true);
        assert_eq!(far, Some(Some(Cursor::X(10.0))));
    }

    #[test]
    fn marks_are_gone_through_by_place_and_by_rank() {
        let mut figure = sample();
        let Body::Plot(plot) = &mut figure.body else { unreachable!() };
        plot.reading = Reading::Ranked;
        let data = [5.0, 9.0, 1.0].into_iter().enumerate();
        let data = data.map(|(key, rank)| Datum { rank, key, ..Datum::at(key as f64, rank) }).collect();
        plot.series = vec![Series { data: std::rc::Rc::new(data), ..plot.series[2].clone() }];
        let (lying, looking) = (lying(&figure), Looking::default());
        let go = |from, key| step(&figure, &lying, &looking, from, key, false).unwrap();
        assert_eq!(go(None, "ArrowUp"), Some(Cursor::Datum(0, 1)));
        assert_eq!(go(Some(Cursor::Datum(0, 1)), "ArrowDown"), Some(Cursor::Datum(0, 0)));
        assert_eq!(go(Some(Cursor::Datum(0, 0)), "ArrowRight"), Some(Cursor::Datum(0, 1)));
        assert_eq!(key(&figure, Cursor::Datum(0, 2)), Some(2));
        let Lying::Plot(frame) = &lying else { unreachable!() };
        assert_eq!(
            at(&figure, &lying, &looking, (frame.x.px(2.0), frame.y.px(1.0))),
            Some(Cursor::Datum(0, 2))
        );
        assert_eq!(at(&figure, &lying, &looking, (-100.0, -100.0)), None);
    }

    #[test]
    fn cells_are_gone_through_in_both_directions() {
        let mut figure = sample();
        let Body::Plot(plot) = &mut figure.body else { unreachable!() };
        plot.reading = Reading::Plane;
        plot.y.range = Some([0.0, 2.0]);
        let cell = |x: f64, y: f64| Datum::rectangle([x, x + 1.0], [y, y + 1.0]);
        let data = vec![cell(0.0, 0.0), cell(1.0, 0.0), cell(0.0, 1.0), cell(1.0, 1.0)];
        plot.series = vec![Series {
            data: std::rc::Rc::new(data),
            look: super::super::Look::Bars(1.0),
            ..plot.series[2].clone()
        }];
        let (lying, looking) = (lying(&figure), Looking::default());
        let go = |from: usize, key| {
            step(&figure, &lying, &looking, Some(Cursor::Datum(0, from)), key, false).unwrap()
        };
        assert_eq!(go(0, "ArrowRight"), Some(Cursor::Datum(0, 1)));
        assert_eq!(go(1, "ArrowUp"), Some(Cursor::Datum(0, 3)));
        assert_eq!(go(3, "ArrowLeft"), Some(Cursor::Datum(0, 2)));
        assert_eq!(go(2, "ArrowDown"), Some(Cursor::Datum(0, 0)));
        assert_eq!(go(0, "ArrowDown"), Some(Cursor::Datum(0, 0)));
    }
}
