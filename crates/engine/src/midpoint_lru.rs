//! InnoDB's LRU list: new pages enter in the middle and have to be used again to reach the front.

use crate::lru::{Links, List, NONE};

/// The list with its old part at the rear.
#[derive(Debug)]
pub struct MidpointLru {
    links: Links,
    list: List,
    /// First (newest) frame of the old part; `NONE` until the list is long enough to have one.
    old_head: u32,
    old_length: u32,
    old: Vec<bool>,
    /// List clock at which a frame was last put in front; it tells how far from the front a frame is.
    stamp: Vec<u32>,
    clock: u32,
    /// Share of the list that is old, in 1024ths (`innodb_old_blocks_pct` of 37 is 3/8).
    old_share_x1024: u32,
    /// Milliseconds a page stays in the old part after its first use, whatever happens (`innodb_old_blocks_time`).
    old_ms: u64,
    now_ms: u64,
    first_use_ms: Vec<u64>,
}

/// Shorter lists have no old part (`BUF_LRU_OLD_MIN_LEN`).
const OLD_MIN_LENGTH: u32 = 512;
/// The old part may be off its length by this much (`BUF_LRU_OLD_TOLERANCE`).
const OLD_TOLERANCE: u32 = 20;

impl MidpointLru {
    /// An empty list for `frames` frames with `old_percent` of it old, where pages stay at least `old_ms` milliseconds.
    pub fn new(frames: usize, old_percent: u32, old_ms: u64) -> Self {
        Self {
            links: Links::new(frames),
            list: List::default(),
            old_head: NONE,
            old_length: 0,
            old: vec![false; frames],
            stamp: vec![0; frames],
            clock: 0,
            old_share_x1024: old_percent * 1024 / 100,
            old_ms,
            now_ms: 0,
            first_use_ms: vec![0; frames],
        }
    }

    fn old_target(&self) -> u32 {
        ((u64::from(self.list.length) * u64::from(self.old_share_x1024)) >> 10) as u32
    }

    pub(crate) fn is_old(&self, frame: u32) -> bool {
        self.old_head == NONE || self.old[frame as usize]
    }

    pub(crate) fn set_time(&mut self, ms: u64) {
        self.now_ms = ms;
    }

    pub(crate) fn insert(&mut self, frame: u32) {
        self.first_use_ms[frame as usize] = self.now_ms;
        if self.old_head == NONE {
            self.links.push_newest(&mut self.list, frame);
            self.old[frame as usize] = false;
            self.stamp_front(frame);
            if self.list.length >= OLD_MIN_LENGTH {
                self.begin_old();
            }
            return;
        }
        let place = self.links.newer(self.old_head);
        self.links.insert_older_than(&mut self.list, place, frame);
        self.old[frame as usize] = true;
        self.old_head = frame;
        self.old_length += 1;
        self.stamp[frame as usize] = self.clock.wrapping_sub(self.list.length);
        self.balance();
    }

    pub(crate) fn touch(&mut self, frame: u32) {
        let f = frame as usize;
        // A young page moves only once a quarter of the young part has been put in front of it
        // (`buf_block_peek_if_too_old`); moving it at every use would make the list a bottleneck.
        let young = self.list.length - self.old_length;
        if !self.old[f] && self.clock.wrapping_sub(self.stamp[f]) < young / 4 {
            return;
        }
        if self.old[f] && self.now_ms - self.first_use_ms[f] < self.old_ms {
            return;
        }
        self.unlink(frame);
        self.links.push_newest(&mut self.list, frame);
        self.old[f] = false;
        self.stamp_front(frame);
        self.balance();
    }

    pub(crate) fn remove(&mut self, frame: u32) {
        self.unlink(frame);
        if self.old_head != NONE && self.list.length < OLD_MIN_LENGTH {
            self.end_old();
        } else {
            self.balance();
        }
    }

    pub(crate) fn candidate(&self, previous: Option<u32>) -> u32 {
        previous.map_or(self.list.oldest, |f| self.links.newer(f))
    }

    fn stamp_front(&mut self, frame: u32) {
        self.clock = self.clock.wrapping_add(1);
        self.stamp[frame as usize] = self.clock;
    }

    fn unlink(&mut self, frame: u32) {
        if self.old_head == frame {
            self.old_head = self.links.older(frame);
        }
        if self.old[frame as usize] {
            self.old_length -= 1;
        }
        self.links.remove(&mut self.list, frame);
    }

    fn begin_old(&mut self) {
        let mut frame = self.list.oldest;
        for _ in 1..self.old_target().max(1) {
            self.old[frame as usize] = true;
            frame = self.links.newer(frame);
        }
        self.old[frame as usize] = true;
        self.old_head = frame;
        self.old_length = self.old_target().max(1);
    }

    fn end_old(&mut self) {
        let mut frame = self.old_head;
        while frame != NONE {
            self.old[frame as usize] = false;
            frame = self.links.older(frame);
        }
        self.old_head = NONE;
        self.old_length = 0;
    }

    /// Moves the boundary until the old part has its share, within the tolerance.
    fn balance(&mut self) {
        if self.old_head == NONE && self.old_length == 0 && self.list.length < OLD_MIN_LENGTH {
            return;
        }
        let target = self.old_target();
        while self.old_length + OLD_TOLERANCE < target || self.old_head == NONE {
            let frame =
                if self.old_head == NONE { self.list.oldest } else { self.links.newer(self.old_head) };
            if frame == NONE {
                return;
            }
            self.old[frame as usize] = true;
            self.old_head = frame;
            self.old_length += 1;
        }
        while self.old_length > target + OLD_TOLERANCE {
            self.old[self.old_head as usize] = false;
            self.old_head = self.links.older(self.old_head);
            self.old_length -= 1;
        }
    }
}
