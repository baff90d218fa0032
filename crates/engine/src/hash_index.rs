//! InnoDB's adaptive hash index: a leaf that is looked up often gets its records into a hash table.

use crate::{pages::PageId, pool::Frame};
use std::collections::BTreeMap;

/// Lookups of each leaf since it came into its frame and since they were of another sort.
#[derive(Debug, Default)]
pub(crate) struct HashIndex(BTreeMap<PageId, Lookups>);

#[derive(Debug, Clone, Copy)]
struct Lookups {
    frame: Frame,
    sort: KeyPart,
    count: u32,
}

/// By how much of an index' key a lookup goes. A leaf is hashed for one sort of lookup at a time; each change of sort
/// begins anew (`btr_search_info_update_hash`, `btr_search_update_block_hash_info`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyPart {
    Whole,
    Prefix,
}

/// A leaf is hashed after lookups of a sixteenth of its records (`BTR_SEARCH_PAGE_BUILD_LIMIT`).
const BUILD_SHARE: u32 = 16;

impl HashIndex {
    /// Notes a lookup of `leaf`, now in `frame`, with `records` records; whether it is hashed already.
    pub(crate) fn search(&mut self, leaf: PageId, frame: Frame, records: u32, sort: KeyPart) -> bool {
        let new = Lookups { frame, sort, count: 0 };
        let lookups = self.0.entry(leaf).or_insert(new);
        if lookups.frame != frame || lookups.sort != sort {
            *lookups = new;
        }
        lookups.count += 1;
        lookups.count > records / BUILD_SHARE + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_is_hashed_after_a_sixteenth_of_its_records_and_anew_in_another_frame() {
        let mut hash = HashIndex::default();
        let hits = |hash: &mut HashIndex, frame| {
            (0..10).filter(|_| hash.search(PageId(7), frame, 73, KeyPart::Whole)).count()
        };
        assert_eq!(hits(&mut hash, 1), 5);
        assert_eq!(hits(&mut hash, 2), 5);
    }

    #[test]
    fn lookups_of_two_sorts_in_turn_hash_nothing() {
        let mut hash = HashIndex::default();
        let sorts = [KeyPart::Whole, KeyPart::Prefix].into_iter().cycle().take(100);
        let hits = sorts.filter(|sort| hash.search(PageId(7), 1, 73, *sort)).count();
        assert_eq!(hits, 0);
    }
}
