//! InnoDB's adaptive hash index: a leaf that is looked up often gets its records into a hash table.

use crate::{pages::PageId, pool::Frame};
use std::collections::BTreeMap;

/// Lookups of each leaf since it came into its frame.
#[derive(Debug, Default)]
pub(crate) struct HashIndex(BTreeMap<PageId, (Frame, u32)>);

/// A leaf is hashed after lookups of a sixteenth of its records (`BTR_SEARCH_PAGE_BUILD_LIMIT`).
const BUILD_SHARE: u32 = 16;

impl HashIndex {
    /// Notes a lookup of `leaf`, now in `frame`, with `records` records; whether it is hashed already.
    pub(crate) fn search(&mut self, leaf: PageId, frame: Frame, records: u32) -> bool {
        let entry = self.0.entry(leaf).or_insert((frame, 0));
        if entry.0 != frame {
            *entry = (frame, 0);
        }
        entry.1 += 1;
        entry.1 > records / BUILD_SHARE + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_is_hashed_after_a_sixteenth_of_its_records_and_anew_in_another_frame() {
        let mut hash = HashIndex::default();
        let hits =
            |hash: &mut HashIndex, frame| (0..10).filter(|_| hash.search(PageId(7), frame, 73)).count();
        assert_eq!(hits(&mut hash, 1), 5);
        assert_eq!(hits(&mut hash, 2), 5);
    }
}
