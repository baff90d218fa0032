//! PostgreSQL's clock sweep: a hand goes around the frames and takes the first whose use count has run down.
//!
//! Rules of `storage/buffer/freelist.c` and `bufmgr.c` of PostgreSQL 15.

/// Uses are counted up to this many (`BM_MAX_USAGE_COUNT`).
const MOST_USES: u8 = 5;
/// Pages of the ring a large scan goes through (`GetAccessStrategy`: 256 kB of 8 kB pages).
pub const RING_PAGES: usize = 32;
/// A scan of more than this share of the pool goes through a ring (`initscan`: a quarter).
pub const RING_SHARE: u32 = 4;

/// Use counts and the hand.
#[derive(Debug)]
pub struct ClockSweep {
    uses: Vec<u8>,
    hand: u32,
    /// Times the hand has come around.
    passes: u32,
}

impl ClockSweep {
    /// `frames` empty frames.
    pub fn new(frames: usize) -> Self {
        Self { uses: vec![0; frames], hand: 0, passes: 0 }
    }

    /// A page that has come in counts as used once.
    pub(crate) fn insert(&mut self, frame: u32) {
        self.uses[frame as usize] = 1;
    }

    pub(crate) fn touch(&mut self, frame: u32) {
        let uses = &mut self.uses[frame as usize];
        *uses = (*uses + 1).min(MOST_USES);
    }

    /// A use by a scan with a ring of its own raises the count to 1 and no further (`PinBuffer`).
    pub(crate) fn touch_by_scan(&mut self, frame: u32) {
        let uses = &mut self.uses[frame as usize];
        *uses = (*uses).max(1);
    }

    pub(crate) fn remove(&mut self, frame: u32) {
        self.uses[frame as usize] = 0;
    }

    pub(crate) fn uses(&self, frame: u32) -> u8 {
        self.uses[frame as usize]
    }

    /// Moves the hand on by one frame and returns that frame.
    pub(crate) fn tick(&mut self) -> u32 {
        let frame = self.hand;
        self.hand += 1;
        if self.hand as usize >= self.uses.len() {
            self.hand = 0;
            self.passes += 1;
        }
        frame
    }

    /// Takes a use off the frame; `true` where none is left to take.
    pub(crate) fn has_run_down(&mut self, frame: u32) -> bool {
        let uses = &mut self.uses[frame as usize];
        let none = *uses == 0;
        *uses = uses.saturating_sub(1);
        none
    }

    /// The frame after `previous` in the order of the hand, without moving it.
    pub(crate) fn candidate(&self, previous: Option<u32>) -> Option<u32> {
        let Some(previous) = previous else { return Some(self.hand) };
        let next = (previous + 1) % self.uses.len().max(1) as u32;
        (next != self.hand).then_some(next)
    }

    /// Where the hand is, and how often it has come around.
    pub fn hand(&self) -> (u32, u32) {
        (self.hand, self.passes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_survives_a_sweep_for_each_use() {
        let mut clock = ClockSweep::new(3);
        (0..3).for_each(|frame| clock.insert(frame));
        (0..10).for_each(|_| clock.touch(1));
        let mut sweeps = [0; 3];
        for _ in 0..6 {
            for _ in 0..3 {
                let frame = clock.tick();
                if !clock.has_run_down(frame) {
                    sweeps[frame as usize] += 1;
                }
            }
        }
        assert_eq!(sweeps, [1, 5, 1]);
        assert_eq!(clock.hand(), (0, 6));
    }
}
