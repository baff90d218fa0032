//! The line in a grid along which a value is reached.

use super::Datum;

/// Pieces of the line along which `value` is `level`, one after the other with breaks between them; values of a grid by
/// its rows, each with one value a column. Places are found between those of columns and rows.
pub fn contour(columns: &[f64], rows: &[f64], values: &[Option<f64>], level: f64) -> Vec<Datum> {
    let value = |column: usize, row: usize| values.get(row * columns.len() + column).copied().flatten();
    let mut line = Vec::new();
    for row in 1..rows.len() {
        for column in 1..columns.len() {
            let corners = [(column - 1, row - 1), (column, row - 1), (column, row), (column - 1, row)];
            let crossing = |a: (usize, usize), b: (usize, usize)| {
                let (from, to) = (value(a.0, a.1)? - level, value(b.0, b.1)? - level);
                if (from < 0.0) == (to < 0.0) {
                    return None;
                }
                let share = from / (from - to);
                let between = |places: &[f64], a: usize, b: usize| between(places[a], places[b], share);
                Some((between(columns, a.0, b.0), between(rows, a.1, b.1)))
            };
            let places: Vec<(f64, f64)> =
                (0..4).filter_map(|at| crossing(corners[at], corners[(at + 1) % 4])).collect();
            for piece in places.chunks_exact(2) {
                line.extend(piece.iter().map(|(x, y)| Datum::at(*x, *y)));
                line.push(Datum::at(f64::NAN, f64::NAN));
            }
        }
    }
    line
}

/// In equal proportion where both are above zero, as the axes of grids are mostly logarithmic.
fn between(from: f64, to: f64, share: f64) -> f64 {
    if from > 0.0 && to > 0.0 { from * (to / from).powf(share) } else { from + share * (to - from) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_runs_where_the_level_is_reached() {
        let values = [Some(0.0), Some(2.0), Some(0.0), Some(2.0)];
        let line = contour(&[1.0, 4.0], &[1.0, 2.0], &values, 1.0);
        let places: Vec<(f64, f64)> = line.iter().filter(|d| d.x.is_finite()).map(|d| (d.x, d.y)).collect();
        assert_eq!(places, [(2.0, 1.0), (2.0, 2.0)]);
        assert!(contour(&[1.0, 4.0], &[1.0, 2.0], &[None; 4], 1.0).is_empty());
        assert!(contour(&[], &[], &[], 1.0).is_empty());
    }
}
