//! Which frame to give up: exact LRU, InnoDB's midpoint LRU, CUBRID's chains.

use crate::{
    lru::{Links, List, NONE},
    lru_chains::LruChains,
    midpoint_lru::MidpointLru,
};

/// A replacement policy over frames `0 .. n`.
#[derive(Debug)]
pub enum Replacement {
    /// The frame not used for longest goes first.
    Lru(Lru),
    /// New pages enter at 3/8 from the old end and move to the front when used again.
    Midpoint(MidpointLru),
    /// Many short lists, each with a protected front.
    Chains(LruChains),
}

impl Replacement {
    /// A page came into `frame`.
    pub fn insert(&mut self, frame: u32) {
        match self {
            Self::Lru(p) => p.insert(frame),
            Self::Midpoint(p) => p.insert(frame),
            Self::Chains(p) => p.insert(frame),
        }
    }

    /// The page in `frame` was used.
    pub fn touch(&mut self, frame: u32) {
        match self {
            Self::Lru(p) => p.touch(frame),
            Self::Midpoint(p) => p.touch(frame),
            Self::Chains(p) => p.touch(frame),
        }
    }

    /// Tells the time, where the policy depends on it.
    pub fn set_time(&mut self, ms: u64) {
        if let Self::Midpoint(p) = self {
            p.set_time(ms);
        }
    }

    /// The page in `frame` is gone.
    pub fn remove(&mut self, frame: u32) {
        match self {
            Self::Lru(p) => p.remove(frame),
            Self::Midpoint(p) => p.remove(frame),
            Self::Chains(p) => p.remove(frame),
        }
    }

    /// The next candidate for eviction after `previous` (the first one for `None`), from the list `turn` picks
    /// where there are several.
    pub fn candidate(&self, turn: u32, previous: Option<u32>) -> Option<u32> {
        let frame = match self {
            Self::Lru(p) => previous.map_or(p.list.oldest, |f| p.links.newer(f)),
            Self::Midpoint(p) => p.candidate(previous),
            Self::Chains(p) => p.candidate(turn, previous),
        };
        (frame != NONE).then_some(frame)
    }

    /// Whether `frame` is among those that will go soon (InnoDB's old sublist; the rear half elsewhere is not
    /// known, so every frame counts).
    pub fn is_old(&self, frame: u32) -> bool {
        match self {
            Self::Midpoint(p) => p.is_old(frame),
            Self::Lru(_) | Self::Chains(_) => true,
        }
    }

    /// How many lists there are.
    pub fn lists(&self) -> u32 {
        match self {
            Self::Chains(p) => p.chains(),
            _ => 1,
        }
    }
}

/// Exact least recently used.
#[derive(Debug)]
pub struct Lru {
    links: Links,
    list: List,
}

impl Lru {
    /// An empty list for `frames` frames.
    pub fn new(frames: usize) -> Self {
        Self { links: Links::new(frames), list: List::default() }
    }

    fn insert(&mut self, frame: u32) {
        self.links.push_newest(&mut self.list, frame);
    }

    fn touch(&mut self, frame: u32) {
        if self.list.newest != frame {
            self.links.remove(&mut self.list, frame);
            self.links.push_newest(&mut self.list, frame);
        }
    }

    fn remove(&mut self, frame: u32) {
        self.links.remove(&mut self.list, frame);
    }
}
