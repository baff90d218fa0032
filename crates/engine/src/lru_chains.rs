//! CUBRID's LRU chains: frames are dealt to many short lists, so that threads seldom meet on one.

use crate::lru::{Links, List, NONE};

/// The chains. A frame keeps its chain for life.
#[derive(Debug)]
pub struct LruChains {
    links: Links,
    chains: Vec<List>,
    stamp: Vec<u32>,
    clocks: Vec<u32>,
}

impl LruChains {
    /// `chains` empty lists for `frames` frames (`num_LRU_chains`).
    pub fn new(frames: usize, chains: u32) -> Self {
        let chains = (chains.max(1) as usize).min(frames.max(1));
        Self {
            links: Links::new(frames),
            chains: vec![List::default(); chains],
            stamp: vec![0; frames],
            clocks: vec![0; chains],
        }
    }

    fn chain_of(&self, frame: u32) -> usize {
        frame as usize % self.chains.len()
    }

    pub(crate) fn chains(&self) -> u32 {
        self.chains.len() as u32
    }

    pub(crate) fn insert(&mut self, frame: u32) {
        let chain = self.chain_of(frame);
        self.links.push_newest(&mut self.chains[chain], frame);
        self.clocks[chain] = self.clocks[chain].wrapping_add(1);
        self.stamp[frame as usize] = self.clocks[chain];
    }

    /// Pages in the front half of their chain stay where they are (LRU zone 1); others move to the front.
    pub(crate) fn touch(&mut self, frame: u32) {
        let chain = self.chain_of(frame);
        let behind = self.clocks[chain].wrapping_sub(self.stamp[frame as usize]);
        if behind < self.chains[chain].length / 2 {
            return;
        }
        self.links.remove(&mut self.chains[chain], frame);
        self.insert(frame);
    }

    pub(crate) fn remove(&mut self, frame: u32) {
        let chain = self.chain_of(frame);
        self.links.remove(&mut self.chains[chain], frame);
    }

    pub(crate) fn candidate(&self, turn: u32, previous: Option<u32>) -> u32 {
        match previous {
            Some(frame) => self.links.newer(frame),
            None => self.chains.get(turn as usize % self.chains.len()).map_or(NONE, |c| c.oldest),
        }
    }
}
