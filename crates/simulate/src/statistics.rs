//! How well a mean is known.

/// Relative half-width of the 95 % confidence interval of the mean of `values` by batch means: 20 batches, Student's
/// t with 19 degrees of freedom. `None` with fewer than two values a batch or a mean of 0.
pub(crate) fn relative_half_width(values: &[u32]) -> Option<f64> {
    const BATCHES: usize = 20;
    const T_19: f64 = 2.093;
    let size = values.len() / BATCHES;
    if size < 2 {
        return None;
    }
    let means: Vec<f64> = values
        .chunks_exact(size)
        .take(BATCHES)
        .map(|batch| batch.iter().map(|v| f64::from(*v)).sum::<f64>() / size as f64)
        .collect();
    let mean = means.iter().sum::<f64>() / BATCHES as f64;
    if mean <= 0.0 {
        return None;
    }
    let variance = means.iter().map(|m| (m - mean) * (m - mean)).sum::<f64>() / (BATCHES - 1) as f64;
    Some(T_19 * (variance / BATCHES as f64).sqrt() / mean)
}

/// Where the transient ends, by the rule of least standard error (MSER-5: White, 1997): the start that makes the
/// error of the mean of the rest least, looked for in the first half, in steps of five.
pub(crate) fn transient_end(values: &[u32]) -> usize {
    let groups: Vec<f64> =
        values.chunks_exact(5).map(|g| g.iter().map(|v| f64::from(*v)).sum::<f64>() / 5.0).collect();
    let n = groups.len();
    // Sums from the rear, so that each start costs one step.
    let (mut sum, mut squares) = (0.0, 0.0);
    let mut best = (f64::INFINITY, 0);
    for start in (0..n).rev() {
        sum += groups[start];
        squares += groups[start] * groups[start];
        let count = (n - start) as f64;
        if start <= n / 2 && count >= 4.0 {
            let variance = (squares - sum * sum / count).max(0.0);
            let error = variance / (count * count);
            if error <= best.0 {
                best = (error, start);
            }
        }
    }
    best.1 * 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_series_is_known_well_and_has_no_transient() {
        let steady: Vec<u32> = (0..400).map(|i| 1000 + (i * 7919) % 13).collect();
        assert!(relative_half_width(&steady).unwrap() < 0.01);
        assert!(transient_end(&steady) <= 200);
    }

    #[test]
    fn a_slow_start_is_cut_off() {
        let series: Vec<u32> = (0..400).map(|i: u32| if i < 60 { i * 10 } else { 1000 + i % 7 }).collect();
        assert!((55..=120).contains(&transient_end(&series)), "{}", transient_end(&series));
    }

    #[test]
    fn little_says_nothing() {
        assert_eq!(relative_half_width(&[5; 20]), None);
        assert_eq!(relative_half_width(&[0; 400]), None);
    }
}
