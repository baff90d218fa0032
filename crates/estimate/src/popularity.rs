//! How often rows and pages are asked for: strata of rows alike, and the pages on which they lie.

use spindle_workload::Distribution;

/// Rows that are asked for equally often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stratum {
    /// How many rows.
    pub rows: f64,
    /// Share of all draws that fall on them.
    pub share: f64,
}

/// Pages that are visited equally often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PageGroup {
    /// How many pages.
    pub pages: f64,
    /// Share of all visits that fall on them.
    pub share: f64,
}

/// The strata of `rows` rows, the hottest first. Shares sum to 1.
pub(crate) fn strata(keys: Distribution, rows: f64) -> Vec<Stratum> {
    let rows = rows.max(1.0);
    match keys {
        Distribution::Uniform => vec![Stratum { rows, share: 1.0 }],
        Distribution::Special => special(rows),
        // row = n · u^7.21, so that a share x of the rows gets x^(1/7.21) of the draws.
        Distribution::Pareto => by_rank(rows, |rank| libm::pow(rank / rows, libm::log(0.8) / libm::log(0.2))),
        Distribution::Power { exponent, .. } => {
            let whole = libm::pow(rows + 1.0, 1.0 - exponent) - 1.0;
            by_rank(rows, |rank| (libm::pow(rank + 1.0, 1.0 - exponent) - 1.0) / whole)
        }
        Distribution::Zipf { exponent, .. } => {
            let whole = harmonic(rows, exponent);
            by_rank(rows, |rank| harmonic(rank, exponent) / whole)
        }
    }
}

/// sysbench's `special`: three draws in four into three quarters of a hundredth, the others about the middle with the
/// deviation of a mean of twelve uniform draws, a twelfth of the rows.
fn special(rows: f64) -> Vec<Stratum> {
    let within = |width: f64, share: f64| Stratum { rows: rows * width / 12.0, share: share * 0.25 };
    vec![
        Stratum { rows: (rows * 0.0075).max(1.0), share: 0.75 },
        // Half a deviation to both sides, the next half, the second, the third.
        within(1.0, 0.383),
        within(1.0, 0.300),
        within(2.0, 0.272),
        within(2.0, 0.045),
    ]
}

/// Strata between ranks that double, of a law whose share of the first `rank` rows is `share_of`.
fn by_rank(rows: f64, share_of: impl Fn(f64) -> f64) -> Vec<Stratum> {
    let mut strata = Vec::new();
    let (mut from, mut below) = (0.0, 0.0);
    while from < rows {
        let to = (from * 2.0_f64).max(1.0).min(rows);
        let above = share_of(to).clamp(below, 1.0);
        strata.push(Stratum { rows: to - from, share: above - below });
        (from, below) = (to, above);
    }
    strata
}

/// The sum of k^-s up to `rank`: the first terms one by one, the others by the integral.
fn harmonic(rank: f64, exponent: f64) -> f64 {
    const EXACT: f64 = 32.0;
    let first = rank.min(EXACT) as u32;
    let exact: f64 = (1..=first).map(|k| libm::pow(f64::from(k), -exponent)).sum();
    if rank <= EXACT {
        return exact;
    }
    let tail = |x: f64| libm::pow(x + 0.5, 1.0 - exponent) / (1.0 - exponent);
    exact + tail(rank) - tail(EXACT)
}

/// Whether hot rows lie side by side.
pub(crate) fn is_adjacent(keys: Distribution) -> bool {
    !matches!(keys, Distribution::Power { scattered: true, .. } | Distribution::Zipf { scattered: true, .. })
}

/// The pages that hold the rows of `strata`, of `pages` pages that hold `all_rows` rows: side by side, or anywhere.
pub(crate) fn page_groups(
    strata: &[Stratum],
    pages: f64,
    all_rows: f64,
    side_by_side: bool,
) -> Vec<PageGroup> {
    let a_page = (all_rows / pages).max(1e-9);
    if side_by_side { in_order(strata, a_page) } else { anywhere(strata, pages) }
}

/// Rows in the order of pages: strata smaller than a page share one.
fn in_order(strata: &[Stratum], rows_a_page: f64) -> Vec<PageGroup> {
    let mut groups = Vec::new();
    let (mut rows, mut share) = (0.0, 0.0);
    for stratum in strata {
        rows += stratum.rows;
        share += stratum.share;
        if rows >= rows_a_page {
            groups.push(PageGroup { pages: rows / rows_a_page, share });
            (rows, share) = (0.0, 0.0);
        }
    }
    if share > 0.0 {
        groups.push(PageGroup { pages: (rows / rows_a_page).max(1.0), share });
    }
    groups
}

/// Rows anywhere: a stratum of more rows than there are pages visits all pages alike, a smaller one some.
fn anywhere(strata: &[Stratum], pages: f64) -> Vec<PageGroup> {
    let mut everywhere = 0.0;
    let mut hot = Vec::new();
    for stratum in strata {
        if stratum.rows >= pages {
            everywhere += stratum.share;
        } else {
            // Balls into boxes: rows that meet on a page count once.
            let touched = pages * -libm::expm1(-stratum.rows / pages);
            hot.push(PageGroup { pages: touched, share: stratum.share });
        }
    }
    let hot_pages: f64 = hot.iter().map(|group| group.pages).sum();
    let scale = if hot_pages > pages { pages / hot_pages } else { 1.0 };
    for group in &mut hot {
        group.pages *= scale;
        group.share += everywhere * group.pages / pages;
    }
    let rest = pages - hot_pages * scale;
    if everywhere > 0.0 && rest > 0.0 {
        hot.push(PageGroup { pages: rest, share: everywhere * rest / pages });
    }
    hot
}

#[cfg(test)]
mod tests {
    use super::*;
    use spindle_units::chance::Chance;

    #[test]
    fn shares_are_those_of_the_draws() {
        for keys in [
            Distribution::Uniform,
            Distribution::Special,
            Distribution::Pareto,
            Distribution::Power { exponent: 0.8, scattered: false },
            Distribution::Zipf { exponent: 1.1, scattered: false },
        ] {
            let strata = strata(keys, 100_000.0);
            let whole: f64 = strata.iter().map(|s| s.share).sum();
            assert!((whole - 1.0).abs() < 0.01, "{keys:?}: {whole}");
            // Against draws: how many different rows 20 000 draws find.
            let mut chance = Chance::new(3, 1);
            let drawn: std::collections::HashSet<u64> =
                (0..20_000).map(|_| keys.draw(100_000, &mut chance)).collect();
            let expected: f64 =
                strata.iter().map(|s| s.rows * -(-20_000.0 * s.share / s.rows).exp_m1()).sum();
            let error = expected / drawn.len() as f64 - 1.0;
            assert!(error.abs() < 0.06, "{keys:?}: {expected} against {}", drawn.len());
        }
    }

    #[test]
    fn rows_fall_on_pages() {
        let uniform = [Stratum { rows: 1000.0, share: 1.0 }];
        assert_eq!(page_groups(&uniform, 100.0, 1000.0, true), [PageGroup { pages: 100.0, share: 1.0 }]);
        assert_eq!(page_groups(&uniform, 100.0, 1000.0, false), [PageGroup { pages: 100.0, share: 1.0 }]);
        let few = [Stratum { rows: 50.0, share: 1.0 }];
        assert_eq!(page_groups(&few, 100.0, 1000.0, true)[0].pages, 5.0);
        let touched = page_groups(&few, 100.0, 1000.0, false)[0].pages;
        assert!((touched - 39.3).abs() < 0.1, "{touched}");
    }
}
