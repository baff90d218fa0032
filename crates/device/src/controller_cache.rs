//! The write-back cache of a RAID controller: what is waiting to go to which member, and how much fits.

use serde::{Deserialize, Serialize};
use spindle_units::{Bytes, Span};
use std::collections::BTreeMap;

/// Cache memory on the controller.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ControllerCacheSpec {
    /// Memory for writes.
    pub size: Bytes,
    /// With a battery a write is complete, and a sync satisfied, once the data is in the cache. Without one the
    /// controller writes through.
    pub battery: bool,
    /// Time the controller needs for a request it answers from its memory.
    pub latency: Span,
}

/// Writes waiting for one member, in the order of their place on it.
#[derive(Debug, Default)]
pub(crate) struct Destage {
    waiting: BTreeMap<u64, u32>,
    hand: u64,
}

/// The longest write the cache joins from neighbours.
pub const MERGED_BYTES_MAX: u32 = 512 << 10;

impl Destage {
    /// Adds a write; returns the bytes by which the cache grows (0 where the same place was already waiting).
    pub(crate) fn add(&mut self, offset: u64, bytes: u32) -> u32 {
        let known = self.waiting.entry(offset).or_insert(0);
        let growth = bytes.saturating_sub(*known);
        *known += growth;
        growth
    }

    /// Whether a read of this range is answered by data that waits here.
    pub(crate) fn holds(&self, offset: u64, bytes: u32) -> bool {
        self.waiting
            .range(..=offset)
            .next_back()
            .is_some_and(|(at, len)| at + u64::from(*len) >= offset + u64::from(bytes))
    }

    /// The next write upwards from the last one (C-LOOK), joined with the neighbours that follow it directly.
    pub(crate) fn take(&mut self) -> Option<(u64, u32)> {
        let first = self.waiting.range(self.hand..).next().or_else(|| self.waiting.iter().next());
        let (&offset, &bytes) = first?;
        self.waiting.remove(&offset);
        let mut joined = bytes;
        while joined < MERGED_BYTES_MAX
            && let Some(next) = self.waiting.remove(&(offset + u64::from(joined)))
        {
            joined += next;
        }
        self.hand = offset + u64::from(joined);
        Some((offset, joined))
    }
}

#[cfg(test)]
mod tests {
    use super::Destage;

    #[test]
    fn leaves_in_order_of_place_and_joins_neighbours() {
        let mut destage = Destage::default();
        for offset in [96, 32, 0, 16, 48] {
            destage.add(offset, 16);
        }
        assert_eq!(destage.add(32, 16), 0, "a rewrite takes no more room");
        assert_eq!(destage.take(), Some((0, 64)));
        assert_eq!(destage.take(), Some((96, 16)));
        assert_eq!(destage.take(), None);
    }

    #[test]
    fn answers_reads_of_waiting_data() {
        let mut destage = Destage::default();
        destage.add(64, 32);
        assert!(destage.holds(64, 32) && destage.holds(80, 16));
        assert!(!destage.holds(80, 32) && !destage.holds(0, 16));
    }
}
