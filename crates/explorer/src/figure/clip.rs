//! What of a line or an area lies within a rectangle, and where a line is broken by dashes. Grounds to draw on do not
//! cut by themselves.

/// A place in CSS pixels.
pub type Place = (f64, f64);

/// A rectangle in CSS pixels: left, right, top, bottom.
pub type Rectangle = [f64; 4];

/// The pieces of a line that lie within a rectangle. A place that is not a number breaks the line.
pub fn line(places: &[Place], within: Rectangle) -> Vec<Vec<Place>> {
    let mut pieces: Vec<Vec<Place>> = Vec::new();
    let mut piece: Vec<Place> = Vec::new();
    for pair in places.windows(2) {
        let Some((from, to)) = segment(pair[0], pair[1], within) else {
            pieces.extend((piece.len() > 1).then(|| std::mem::take(&mut piece)));
            piece.clear();
            continue;
        };
        if piece.last() != Some(&from) {
            pieces.extend((piece.len() > 1).then(|| std::mem::take(&mut piece)));
            piece.clear();
            piece.push(from);
        }
        piece.push(to);
    }
    pieces.extend((piece.len() > 1).then_some(piece));
    pieces
}

/// The part of a straight line within a rectangle (Liang and Barsky).
fn segment(from: Place, to: Place, [left, right, top, bottom]: Rectangle) -> Option<(Place, Place)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    if !(dx.is_finite() && dy.is_finite()) {
        return None;
    }
    let (mut start, mut end) = (0.0f64, 1.0f64);
    for (step, room) in
        [(-dx, from.0 - left), (dx, right - from.0), (-dy, from.1 - top), (dy, bottom - from.1)]
    {
        if step == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if step < 0.0 {
            start = start.max(room / step);
        } else {
            end = end.min(room / step);
        }
    }
    let at = |share: f64| match share {
        0.0 => from,
        1.0 => to,
        _ => (from.0 + share * dx, from.1 + share * dy),
    };
    (start <= end).then(|| (at(start), at(end)))
}

/// The part of an area within a rectangle (Sutherland and Hodgman).
pub fn area(places: &[Place], [left, right, top, bottom]: Rectangle) -> Vec<Place> {
    let mut area: Vec<Place> =
        places.iter().copied().filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
    let edges: [(bool, f64, f64); 4] =
        [(true, left, 1.0), (true, right, -1.0), (false, top, 1.0), (false, bottom, -1.0)];
    for (across, edge, sign) in edges {
        let inside = |place: Place| (if across { place.0 } else { place.1 } - edge) * sign;
        let whole = std::mem::take(&mut area);
        for (at, place) in whole.iter().enumerate() {
            let before = whole[(at + whole.len() - 1) % whole.len()];
            let (a, b) = (inside(before), inside(*place));
            if (a < 0.0) != (b < 0.0) {
                let share = a / (a - b);
                area.push((before.0 + share * (place.0 - before.0), before.1 + share * (place.1 - before.1)));
            }
            if b >= 0.0 {
                area.push(*place);
            }
        }
    }
    area
}

/// The drawn pieces of a line with dashes: `pattern` has lengths that are drawn and left out in turn.
pub fn dashes(places: &[Place], pattern: &[f64]) -> Vec<Vec<Place>> {
    if pattern.is_empty() || pattern.iter().any(|length| *length <= 0.0) {
        return vec![places.to_vec()];
    }
    let mut pieces = Vec::new();
    let (mut at, mut left, mut piece) = (0usize, pattern[0], places.first().map_or(Vec::new(), |p| vec![*p]));
    for pair in places.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        let mut length = (to.0 - from.0).hypot(to.1 - from.1);
        while length > left {
            let share = left / length;
            let cut = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
            if at.is_multiple_of(2) {
                piece.push(cut);
                pieces.push(std::mem::take(&mut piece));
            } else {
                piece = vec![cut];
            }
            length -= left;
            from = cut;
            at += 1;
            left = pattern[at % pattern.len()];
        }
        left -= length;
        if at.is_multiple_of(2) {
            piece.push(to);
        }
    }
    pieces.extend((piece.len() > 1).then_some(piece));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Rectangle = [0.0, 10.0, 0.0, 10.0];

    #[test]
    fn a_line_is_cut_where_it_leaves_and_broken_where_it_has_no_value() {
        let pieces = line(&[(-5.0, 5.0), (5.0, 5.0), (15.0, 5.0), (15.0, 20.0), (5.0, -5.0)], BOX);
        assert_eq!(pieces[0], [(0.0, 5.0), (5.0, 5.0), (10.0, 5.0)]);
        assert_eq!(pieces.len(), 2);
        let broken = line(&[(0.0, 1.0), (1.0, 1.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, 1.0)], BOX);
        assert_eq!(broken, [vec![(0.0, 1.0), (1.0, 1.0)], vec![(3.0, 1.0), (4.0, 1.0)]]);
        assert!(line(&[(1.0, 1.0)], BOX).is_empty());
    }

    #[test]
    fn an_area_stays_within() {
        let cut = area(&[(-10.0, -10.0), (20.0, -10.0), (20.0, 20.0), (-10.0, 20.0)], BOX);
        assert_eq!(cut.len(), 4);
        assert!(cut.iter().all(|(x, y)| (0.0..=10.0).contains(x) && (0.0..=10.0).contains(y)));
        assert!(area(&[(20.0, 20.0), (30.0, 20.0), (30.0, 30.0)], BOX).is_empty());
        assert!(area(&[], BOX).is_empty());
    }

    #[test]
    fn dashes_go_around_corners() {
        let pieces = dashes(&[(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)], &[3.0, 1.0]);
        assert_eq!(pieces[0], [(0.0, 0.0), (3.0, 0.0)]);
        assert_eq!(pieces[1], [(4.0, 0.0), (5.0, 0.0), (5.0, 2.0)]);
        assert_eq!(dashes(&[(0.0, 0.0), (5.0, 0.0)], &[0.0]).len(), 1);
    }
}
