//! Lines of more points than there are pixels: a mean, a least and a greatest value for each few pixels.

use super::Datum;

/// Width for which one value is drawn, in CSS pixels.
const BUCKET_PX: f64 = 3.0;

/// The data, or means with their range where it lies closer than a few pixels apart. `px` is where a value stands.
pub fn thin(data: &[Datum], px: impl Fn(f64) -> f64) -> Vec<Datum> {
    let (Some(first), Some(last)) = (data.first(), data.last()) else { return Vec::new() };
    let width = px(last.x) - px(first.x);
    let plain = data.iter().all(|datum| datum.up.is_none() && datum.y.is_finite());
    let size = (data.len() as f64 * BUCKET_PX / width.max(1.0)).ceil() as usize;
    if !plain || size < 2 || data.len() < 64 {
        return data.to_vec();
    }
    data.chunks(size).map(mean).collect()
}

/// One value for several.
pub fn mean(part: &[Datum]) -> Datum {
    let count = part.len().max(1) as f64;
    let values = || part.iter().map(|datum| datum.y);
    let x = part.iter().map(|datum| datum.x).sum::<f64>() / count;
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    Datum::between(x, values().sum::<f64>() / count, [low, high])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_points_become_means_with_their_range() {
        let data: Vec<Datum> = (0..1000).map(|at| Datum::at(f64::from(at), f64::from(at % 2))).collect();
        let thinned = thin(&data, |x| x * 0.31);
        assert_eq!(thinned.len(), 100);
        assert_eq!(thinned[0], Datum::between(4.5, 0.5, [0.0, 1.0]));
        assert_eq!(thin(&data, |x| x * 30.0).len(), 1000);
        assert!(thin(&[], |x| x).is_empty());
    }
}
