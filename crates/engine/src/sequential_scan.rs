//! Sequential scans: small tables go through the pool like anything else, large ones through a ring of frames.

use crate::{
    clock_sweep::{RING_PAGES, RING_SHARE},
    pages::PageId,
    pool::{Frame, Pool},
};

/// A scan under way.
#[derive(Debug)]
pub struct SequentialScan {
    /// The ring, where the table is large.
    ring: Option<Vec<Frame>>,
    next: usize,
}

/// What a scan finds for its next page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The page is in this frame.
    Here(Frame),
    /// The page has to be read into this frame of the ring, which is empty now.
    Reuse(Frame),
    /// The page has to be read into a frame that the pool gives up.
    Take,
}

impl SequentialScan {
    /// A scan of a table of `pages` pages.
    pub fn new(pages: u64, pool: &Pool) -> Self {
        let large = pages > u64::from(pool.size() / RING_SHARE);
        Self { ring: large.then(|| Vec::with_capacity(RING_PAGES)), next: 0 }
    }

    /// Looks for the next page and notes its use.
    pub fn step(&mut self, pool: &mut Pool, page: PageId) -> Step {
        if let Some(frame) = pool.find(page) {
            if self.ring.is_some() {
                pool.touch_by_scan(frame);
            } else {
                pool.touch(frame);
            }
            return Step::Here(frame);
        }
        let Some(ring) = &mut self.ring else { return Step::Take };
        if ring.len() < RING_PAGES {
            return Step::Take;
        }
        // A frame that somebody else has used meanwhile, or changed, stays with the pool (`GetBufferFromRing`).
        let frame = ring[self.next];
        if pool.uses(frame) <= 1 && pool.evict(frame) { Step::Reuse(frame) } else { Step::Take }
    }

    /// The page has been put into `frame`.
    pub fn placed(&mut self, frame: Frame) {
        let Some(ring) = &mut self.ring else { return };
        if ring.len() < RING_PAGES {
            ring.push(frame);
        } else {
            ring[self.next] = frame;
            self.next = (self.next + 1) % RING_PAGES;
        }
    }
}

/// Hits and reads of one scan of `pages` over a pool that nobody else uses; no time passes.
pub fn scan_quietly(pool: &mut Pool, pages: &[PageId]) -> (u64, u64) {
    let mut scan = SequentialScan::new(pages.len() as u64, pool);
    let before = pool.requests();
    for page in pages {
        let frame = match scan.step(pool, *page) {
            Step::Here(_) => {
                pool.count(true);
                continue;
            }
            Step::Reuse(frame) => Some(frame),
            Step::Take => pool.take_free().or_else(|| pool.take_victim(u32::MAX)),
        };
        pool.count(false);
        if let Some(frame) = frame {
            pool.install(*page, frame, false);
            scan.placed(frame);
        }
    }
    let after = pool.requests();
    (after.0 - before.0, after.1 - before.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{clock_sweep::ClockSweep, replacement::Replacement};

    fn scans(frames: u32, pages: u32) -> Vec<(u64, u64)> {
        let mut pool = Pool::new(frames, Replacement::Clock(ClockSweep::new(frames as usize)));
        let pages: Vec<PageId> = (0..pages).map(PageId).collect();
        (0..3).map(|_| scan_quietly(&mut pool, &pages)).collect()
    }

    #[test]
    fn a_table_of_a_quarter_of_the_pool_stays() {
        assert_eq!(scans(1000, 250), [(0, 250), (250, 0), (250, 0)]);
    }

    #[test]
    fn a_larger_table_leaves_a_ring_behind_each_time() {
        assert_eq!(scans(1000, 300), [(0, 300), (32, 268), (64, 236)]);
    }
}
