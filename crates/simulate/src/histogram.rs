//! Latencies by size: buckets a sixty-fourth of an octave wide, so that a percentile is within 1.6 %.

/// A histogram of nanoseconds.
#[derive(Debug, Clone)]
pub struct Histogram {
    buckets: Vec<u64>,
    count: u64,
    sum: u64,
    max: u64,
}

const SUB_BITS: u32 = 6;

fn bucket_of(ns: u64) -> usize {
    if ns < 1 << SUB_BITS {
        return ns as usize;
    }
    let octave = 63 - ns.leading_zeros();
    let sub = (ns >> (octave - SUB_BITS)) & ((1 << SUB_BITS) - 1);
    (((octave - SUB_BITS + 1) as usize) << SUB_BITS) + sub as usize
}

/// Least value of the bucket after `bucket`.
fn upper_end(bucket: usize) -> u64 {
    let next = bucket + 1;
    let (octave, sub) = (next >> SUB_BITS, (next & ((1 << SUB_BITS) - 1)) as u64);
    if octave == 0 { sub } else { (sub + (1 << SUB_BITS)) << (octave - 1) }
}

impl Default for Histogram {
    fn default() -> Self {
        Self { buckets: vec![0; 64 << SUB_BITS], count: 0, sum: 0, max: 0 }
    }
}

impl Histogram {
    /// Adds a value.
    pub fn add(&mut self, ns: u64) {
        self.buckets[bucket_of(ns)] += 1;
        self.count += 1;
        self.sum += ns;
        self.max = self.max.max(ns);
    }

    /// Values added.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Mean; 0 where there is none.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }

    /// Largest value.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// Counts by latency in buckets an eighth of an octave wide, without empty ones: the end of each in nanoseconds,
    /// and its values.
    pub fn eighths(&self) -> Vec<(u64, u64)> {
        const JOINED: usize = 1 << (SUB_BITS - 3);
        let groups = self.buckets.chunks(JOINED).enumerate();
        groups
            .map(|(at, group)| (at, group.iter().sum()))
            .filter(|(_, count)| *count > 0)
            .map(|(at, count)| (upper_end(at * JOINED + JOINED - 1) - 1, count))
            .collect()
    }

    /// The value that `share` of all do not pass.
    pub fn percentile(&self, share: f64) -> u64 {
        let rank = ((self.count as f64 * share) as u64).clamp(1, self.count.max(1));
        let mut seen = 0;
        for (bucket, count) in self.buckets.iter().enumerate() {
            seen += count;
            if seen >= rank && *count > 0 {
                return upper_end(bucket).saturating_sub(1).min(self.max);
            }
        }
        self.max
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_bucket_holds_its_values_within_two_per_cent(ns in 0u64..1 << 60) {
            let bucket = bucket_of(ns);
            let end = upper_end(bucket);
            prop_assert!(ns < end);
            prop_assert!(end - ns <= ns / 64 + 1, "{ns} ends at {end}");
        }
    }

    #[test]
    fn percentiles_of_a_ramp() {
        let mut histogram = Histogram::default();
        (1..=1000).for_each(|n| histogram.add(n * 1_000_000));
        for (share, expected) in [(0.5, 500e6), (0.95, 950e6), (0.99, 990e6)] {
            assert!((histogram.percentile(share) as f64 / expected - 1.0).abs() < 0.02);
        }
        assert_eq!(histogram.percentile(1.0), 1_000_000_000);
        let eighths = histogram.eighths();
        assert_eq!(eighths.iter().map(|(_, count)| count).sum::<u64>(), 1000);
        assert!(eighths.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let below: u64 = eighths.iter().filter(|(end, _)| *end <= 500_000_000).map(|(_, count)| count).sum();
        assert!((430..=500).contains(&below), "{below}");
    }
}
