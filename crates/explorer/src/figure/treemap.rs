//! Areas in proportion to sizes, as square as they can be (Bruls, Huizing and van Wijk).

use super::{TileGroup, clip::Rectangle};

/// Space between groups, in CSS pixels, and the room for a group's name.
const GAP: f64 = 16.0;
/// Room for a group's name, in CSS pixels.
pub const NAME: f64 = 22.0;

/// Where each tile of each group lies. Groups stand side by side where there is room, one below the other elsewhere.
pub fn places(groups: &[TileGroup], (width, height): (f64, f64)) -> Vec<Vec<Rectangle>> {
    let count = groups.len().max(1) as f64;
    let beside = width >= 480.0;
    groups
        .iter()
        .enumerate()
        .map(|(at, group)| {
            let at = at as f64;
            let area = if beside {
                let part = (width - GAP * (count - 1.0)) / count;
                [at * (part + GAP), at * (part + GAP) + part, NAME, height]
            } else {
                let part = (height - GAP * (count - 1.0)) / count;
                [0.0, width, at * (part + GAP) + NAME, at * (part + GAP) + part]
            };
            let sizes: Vec<f64> = group.tiles.iter().map(|tile| tile.bytes).collect();
            squarified(&sizes, area)
        })
        .collect()
}

/// Rectangles for sizes, in their order; best where that is falling.
fn squarified(sizes: &[f64], area: Rectangle) -> Vec<Rectangle> {
    let size = |at: usize| sizes[at].max(0.0);
    let whole: f64 = (0..sizes.len()).map(size).sum();
    let [mut left, right, mut top, bottom] = area;
    if whole <= 0.0 || right <= left || bottom <= top {
        return vec![[left, left, top, top]; sizes.len()];
    }
    let scale = (right - left) * (bottom - top) / whole;
    let mut places = Vec::with_capacity(sizes.len());
    while places.len() < sizes.len() {
        let first = places.len();
        let across = right - left >= bottom - top;
        let side = if across { bottom - top } else { right - left };
        let mut end = first + 1;
        let mut sum = size(first) * scale;
        // The row takes another tile as long as its worst shape does not get worse.
        while end < sizes.len()
            && worst(sizes, first, end + 1, scale, side) <= worst(sizes, first, end, scale, side)
        {
            sum += size(end) * scale;
            end += 1;
        }
        let depth = if side > 0.0 { sum / side } else { 0.0 };
        let mut at = if across { top } else { left };
        for tile in first..end {
            let length = if depth > 0.0 { size(tile) * scale / depth } else { 0.0 };
            places.push(if across {
                [left, left + depth, at, at + length]
            } else {
                [at, at + length, top, top + depth]
            });
            at += length;
        }
        if across {
            left = (left + depth).min(right);
        } else {
            top = (top + depth).min(bottom);
        }
    }
    places
}

/// How long the longest tile of a row is for its width.
fn worst(sizes: &[f64], from: usize, to: usize, scale: f64, side: f64) -> f64 {
    let areas = || sizes[from..to].iter().map(|size| size.max(0.0) * scale);
    let sum: f64 = areas().sum();
    let (low, high) =
        areas().fold((f64::INFINITY, 0.0f64), |(low, high), area| (low.min(area), high.max(area)));
    (side * side * high / (sum * sum)).max(sum * sum / (side * side * low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_in_proportion_and_fill_the_whole() {
        let sizes = [60.0, 20.0, 10.0, 6.0, 4.0];
        let places = squarified(&sizes, [0.0, 100.0, 0.0, 50.0]);
        for (size, [left, right, top, bottom]) in sizes.iter().zip(&places) {
            assert!(((right - left) * (bottom - top) - size * 50.0).abs() < 1e-6);
            assert!(*left >= 0.0 && *right <= 100.0 + 1e-9 && *top >= 0.0 && *bottom <= 50.0 + 1e-9);
        }
    }

    #[test]
    fn nothing_and_zeros_have_places() {
        assert!(squarified(&[], [0.0, 1.0, 0.0, 1.0]).is_empty());
        assert_eq!(squarified(&[0.0, 0.0], [0.0, 1.0, 0.0, 1.0]).len(), 2);
        assert_eq!(squarified(&[5.0, 0.0, 0.0], [0.0, 10.0, 0.0, 10.0]).len(), 3);
        assert_eq!(squarified(&[1.0], [0.0, 0.0, 0.0, 0.0]).len(), 1);
    }
}
