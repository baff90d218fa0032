//! Where the pages of a sample lie: among all those that they stand for.

use spindle_units::chance::scatter;

/// Bytes that stay together: pages that engines treat as neighbours, and what is read ahead or merged, are within it.
const RUN_BYTES: u64 = 1 << 20;
/// How long a run of the sample stands for the same one of the whole: long enough for neighbours that are written together,
/// short against the time that a page spends in a write cache.
const WINDOW_NS: u64 = 100_000_000;

/// Places of a sample's bytes on the device. Each run stands for as many runs of the whole as there are parts, for one after
/// the other: so an arm has as far to go as with all the data, and a cache in the device meets a page again as
/// seldom as it would.
#[derive(Debug, Clone)]
pub(crate) struct Spread {
    share: f64,
    /// Bytes that are not spread, from and to: what is written one after the other, as journal and log.
    kept: Vec<(u64, u64)>,
    /// Where the last read ended, the place of that, and how many reads have gone on where the one before them ended.
    read: (u64, u64),
    following: u32,
}

/// How far a read may begin behind the end of the last one and still go on with it.
const SKIPPED_BYTES: u64 = 512 << 10;
/// Reads behind each other that are no chance: somebody reads from end to end.
const FOLLOWING_MIN: u32 = 4;

impl Spread {
    /// Spreads `share` of the data, above 0 and up to 1, over the room of all of it.
    pub(crate) fn new(share: f64) -> Self {
        Self { share, kept: Vec::new(), read: (u64::MAX, 0), following: 0 }
    }

    /// Leaves the bytes from `from` up to `to` where they are.
    pub(crate) fn keep(&mut self, from: u64, to: u64) {
        self.kept.push((from, to));
    }

    /// The place of `bytes` bytes that are read at `now`. What follows the read before it lies behind it: whoever reads a table
    /// from end to end finds its runs side by side.
    pub(crate) fn place_to_read(&mut self, now: u64, offset: u64, bytes: u32) -> u64 {
        let drawn = self.place(now, offset);
        let skipped = offset.checked_sub(self.read.0).filter(|skipped| *skipped <= SKIPPED_BYTES);
        self.following = if skipped.is_some() { self.following + 1 } else { 0 };
        let goes_on = drawn != offset && self.following >= FOLLOWING_MIN;
        let place = skipped.filter(|_| goes_on).map_or(drawn, |skipped| self.read.1 + skipped);
        self.read = (offset + u64::from(bytes), place + u64::from(bytes));
        place
    }

    /// The place of a byte at `now`.
    pub(crate) fn place(&self, now: u64, offset: u64) -> u64 {
        if self.share >= 1.0 || self.kept.iter().any(|(from, to)| (*from..*to).contains(&offset)) {
            return offset;
        }
        let run = offset / RUN_BYTES;
        // One number for each run and window: the same chance in each simulation.
        let drawn = scatter(run ^ scatter(now / WINDOW_NS));
        let within = (drawn >> 11) as f64 / (1u64 << 53) as f64;
        let at = (run as f64 + within) / self.share;
        at as u64 * RUN_BYTES + offset % RUN_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_lies_where_it_lies() {
        assert_eq!(Spread::new(1.0).place(5, 12_345_678), 12_345_678);
    }

    #[test]
    fn runs_that_are_read_one_after_the_other_lie_side_by_side() {
        let mut spread = Spread::new(0.25);
        let page = 16_384;
        let mut read = |now, at: u64| spread.place_to_read(now, 7 * RUN_BYTES + at, page as u32);
        let first = (0..64).map(|at| read(0, at * page)).last().unwrap();
        assert_eq!(read(1, 64 * page), first + page, "the next run follows");
        assert_eq!(
            read(WINDOW_NS, 66 * page),
            first + 3 * page,
            "whenever that is, and with a little left out"
        );
        assert_eq!(spread.place_to_read(2, 3 * RUN_BYTES, 16_384), spread.place(2, 3 * RUN_BYTES));
    }

    #[test]
    fn a_run_stays_together_and_stands_for_all_its_like_in_turn() {
        let mut spread = Spread::new(0.25);
        spread.keep(0, 100);
        assert_eq!(spread.place(0, 50), 50);
        let run = 7 * RUN_BYTES;
        let mut seen = [false; 4];
        for window in 0..100 {
            let now = window * WINDOW_NS;
            let place = spread.place(now, run);
            assert_eq!(spread.place(now, run + 9), place + 9);
            assert_eq!(place % RUN_BYTES, 0);
            seen[(place / RUN_BYTES - 28) as usize] = true;
        }
        assert_eq!(seen, [true; 4]);
    }
}
