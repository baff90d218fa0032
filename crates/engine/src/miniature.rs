//! A sample of the database in place of the whole: a world with fewer pages, in which all that a page meets is as often
//! and as long as in the whole one.
//!
//! Rows, frames and room in the log are `share` of what they are; clients, processors, devices and what they do in a
//! second are not. A page is then used 1 / share times as often, and stays in memory, dirty or in the log's reach, for
//! share of the time: how often it is hit, changed again before it is written, or found full, is the same. It is the
//! argument of miniature simulation (Waldspurger, Saemundsson, Ahmad and Park, "Cache modeling and optimization using
//! miniature simulations", USENIX ATC 2017) for a simulation that keeps time. What passes slowly because there is much
//! to fill (a log, a pool, an age of pages) passes in `share` of the time; what happens so often a second because it is
//! a rate of work does not.

/// How much of the database a simulation holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Miniature {
    share: f64,
}

/// Frames that a pool in a sample keeps at least, where the whole one has more: roots and their like do not become fewer.
const FRAMES_MIN: u32 = 512;
/// Bytes of log that remain at least: some hundred transactions, so that they do not run into its end one by one.
const LOG_BYTES_MIN: u64 = 1 << 20;

impl Default for Miniature {
    fn default() -> Self {
        Self { share: 1.0 }
    }
}

impl Miniature {
    /// A sample of `share` of all pages, above 0 and up to 1.
    pub fn new(share: f64) -> Self {
        Self { share: if share > 0.0 { share.min(1.0) } else { 1.0 } }
    }

    /// The share of pages that are there.
    pub fn share(self) -> f64 {
        self.share
    }

    /// Whether all pages are there.
    pub fn is_whole(self) -> bool {
        self.share >= 1.0
    }

    /// Rows of a table of `rows`.
    pub fn rows(self, rows: u64) -> u64 {
        self.some(rows)
    }

    /// Frames of a pool of `frames`.
    pub fn frames(self, frames: u32) -> u32 {
        if self.is_whole() { frames } else { (self.of(u64::from(frames)) as u32).max(frames.min(FRAMES_MIN)) }
    }

    /// Frames of a pool of `frames`, of which `apart` are there for a rate of work or for pages that everybody uses, and
    /// so do not become fewer: frames kept free for what arrives, undo pages.
    pub fn frames_beside(self, frames: u32, apart: u32) -> u32 {
        let apart = apart.min(frames / 2);
        self.frames(frames - apart) + apart
    }

    /// Room in a log of `bytes`.
    pub fn log_bytes(self, bytes: u64) -> u64 {
        if self.is_whole() { bytes } else { self.of(bytes).max(bytes.min(LOG_BYTES_MIN)) }
    }

    /// How long what takes `ns` to fill or to grow old takes here, in nanoseconds; at least one.
    pub fn slow_ns(self, ns: u64) -> u64 {
        self.some(ns)
    }

    /// Share of a count, and at least one where there is any.
    pub fn some(self, count: u64) -> u64 {
        self.of(count).max(count.min(1))
    }

    /// Share of a count of pages, bytes or transactions.
    pub fn of(self, count: u64) -> u64 {
        if self.is_whole() { count } else { libm::round(count as f64 * self.share) as u64 }
    }

    /// What a count of pages or bytes here stands for.
    pub fn whole_of(self, count: u64) -> u64 {
        if self.is_whole() { count } else { libm::round(count as f64 / self.share) as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_changes_nothing() {
        let whole = Miniature::default();
        for n in [0, 1, 7, 1 << 40] {
            assert_eq!(
                (whole.rows(n), whole.log_bytes(n), whole.slow_ns(n), whole.whole_of(n)),
                (n, n, n, n)
            );
        }
        assert_eq!(whole.frames(10), 10);
    }

    #[test]
    fn a_sample_never_loses_a_table_or_a_pool() {
        let small = Miniature::new(1e-6);
        assert_eq!((small.rows(0), small.rows(5)), (0, 1));
        assert_eq!((small.frames(100), small.frames(1 << 20)), (100, FRAMES_MIN));
        assert_eq!(small.log_bytes(1 << 30), LOG_BYTES_MIN);
        assert_eq!(Miniature::new(0.25).whole_of(100), 400);
        assert_eq!(Miniature::new(0.25).frames_beside(10_000, 1000), 3250);
    }
}
