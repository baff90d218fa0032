//! Row versions in heap pages: where each row is now, how much room a page has, which versions are dead.
//!
//! Rules of `heapam.c`, `pruneheap.c` and `hio.c` of PostgreSQL 15. A page has no content; its room is counted.

use serde::{Deserialize, Serialize};
use spindle_units::chance::scatter;
use std::collections::{BTreeMap, VecDeque};

/// Line pointer of a version.
const LINE_POINTER: u16 = 4;
/// A page with less room than a tenth is pruned when it is visited (`heap_page_prune_opt`).
const PRUNE_BELOW: u16 = 8192 / 10;
/// Page size less the page header.
const PAGE_ROOM: u16 = 8192 - 24;

/// What the pages of a table's heap have been through before a run.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HeapHistory {
    /// Updates of each table since it was loaded, alike over its rows. A page of which a row has been updated has room
    /// for one more version.
    pub updates: u64,
    /// Share of pages with a dead version that has not been pruned.
    pub unpruned: f64,
    /// Whether pages without dead versions are marked all-visible, as after VACUUM.
    pub all_visible: bool,
    /// How many of the updates came after the last checkpoint: pages they changed are not logged in full again.
    pub updates_since_checkpoint: u64,
    /// Changes of heap pages since the last checkpoint by pruning alone.
    pub prunings_since_checkpoint: u64,
}

impl HeapHistory {
    /// Share of `pages` heap pages that have changed since the last checkpoint.
    pub fn changed(&self, pages: u64) -> f64 {
        met((self.updates_since_checkpoint + self.prunings_since_checkpoint) as f64, pages)
    }

    /// Share of an index's `leaves` that have changed since the last checkpoint: updates that were the first on their
    /// heap page left it, and their indexes got entries.
    pub fn changed_leaves(&self, pages: u64, leaves: u64) -> f64 {
        let before = self.updates.saturating_sub(self.updates_since_checkpoint);
        let moved = met(self.updates as f64, pages) - met(before as f64, pages);
        met(moved * pages as f64, leaves)
    }
}

/// Share of `pages` that a number of updates, alike over them, has met.
fn met(updates: f64, pages: u64) -> f64 {
    1.0 - libm::exp(-updates / pages.max(1) as f64)
}

#[derive(Debug, Clone, Copy)]
struct Page {
    /// Bytes between line pointers and versions.
    room: u16,
    /// Versions dead since before the run.
    old_dead: u16,
    line_pointers: u16,
    /// Line pointers that can be used again.
    spare: u16,
    all_visible: bool,
}

/// A row that has left the page it was loaded into.
#[derive(Debug, Clone, Copy)]
struct Moved {
    page: u32,
    /// The page with the dead version that an index entry still points at, and the transaction that left it.
    stale: Option<(u32, u64)>,
}

/// The heap of a table.
#[derive(Debug)]
pub struct HeapVersions {
    version_bytes: u16,
    rows_per_page: u16,
    pages: Vec<Page>,
    /// Dead versions of this run by page: the transactions that ended them, in order.
    dead: BTreeMap<u32, VecDeque<u64>>,
    moved: BTreeMap<u64, Moved>,
    /// The page that takes new versions.
    target: u32,
}

/// Where a new version went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placed {
    /// On the page of the old one; the indexes do not notice (a heap-only tuple).
    SamePage,
    /// On another page that has room.
    OtherPage(u32),
    /// On a page that has to be made.
    NewPage(u32),
}

impl HeapVersions {
    /// The heap of `rows` rows, each of `version_bytes` (a multiple of 8), after `history`.
    pub fn new(rows: u64, version_bytes: u16, rows_per_page: u16, history: HeapHistory) -> Self {
        let rows_per_page = rows_per_page.max(1);
        let count = rows.div_ceil(u64::from(rows_per_page)).max(1);
        let used = version_bytes + LINE_POINTER;
        let updated = met(history.updates as f64, count);
        // Rows of a page that has been updated many times over have moved out until pruning kept up with the rest: such
        // pages end about half full.
        let churned = history.updates > rows;
        let pages = (0..count).map(|at| {
            let rows = (rows - at * u64::from(rows_per_page)).min(u64::from(rows_per_page)) as u16;
            let fresh = Page {
                room: PAGE_ROOM.saturating_sub(rows * used),
                old_dead: 0,
                line_pointers: rows,
                spare: 0,
                all_visible: history.all_visible,
            };
            // Which pages were updated is drawn from their numbers; the unpruned are among them.
            let draw = scatter(at ^ 0x5eed) as f64 / u64::MAX as f64;
            if churned {
                Page { room: PAGE_ROOM / 2, ..fresh }
            } else if draw < history.unpruned {
                let room = fresh.room.checked_sub(LINE_POINTER).unwrap_or(fresh.room);
                Page { room, old_dead: 1, line_pointers: rows + 1, all_visible: false, ..fresh }
            } else if draw < updated.max(history.unpruned) {
                Page { room: fresh.room + version_bytes, ..fresh }
            } else {
                fresh
            }
        });
        Self {
            version_bytes,
            rows_per_page,
            pages: pages.collect(),
            dead: BTreeMap::new(),
            moved: BTreeMap::new(),
            target: (count - 1) as u32,
        }
    }

    /// The page of a row's latest version.
    pub fn page_of(&self, row: u64) -> u32 {
        let loaded = (row / u64::from(self.rows_per_page)).min(self.pages.len() as u64 - 1) as u32;
        self.moved.get(&row).map_or(loaded, |moved| moved.page)
    }

    /// The page with a dead version that the index still points at.
    pub fn stale_page(&self, row: u64) -> Option<u32> {
        self.moved.get(&row)?.stale.map(|(page, _)| page)
    }

    /// Forgets the dead version if no transaction before `horizon` can need it; `true` where it did: the index entry
    /// is marked dead (`kill_prior_tuple`).
    pub fn kill_stale(&mut self, row: u64, horizon: u64) -> bool {
        let Some(moved) = self.moved.get_mut(&row) else { return false };
        let killed = moved.stale.is_some_and(|(_, ended_by)| ended_by < horizon);
        if killed {
            moved.stale = None;
        }
        killed
    }

    /// Whether a visit would prune the page, no transaction being under way.
    pub fn is_unpruned(&self, page: u32) -> bool {
        self.pages[page as usize].old_dead > 0
    }

    /// Bytes of a page that a full-page image holds: all but the hole in the middle.
    pub fn used_bytes(&self, page: u32) -> u64 {
        8192 - u64::from(self.pages[page as usize].room)
    }

    /// Takes the all-visible mark off a page; `true` where it had one.
    pub fn clear_all_visible(&mut self, page: u32) -> bool {
        std::mem::take(&mut self.pages[page as usize].all_visible)
    }

    /// Prunes a page that is short of room of the versions no transaction from `horizon` on can see. Returns how many.
    pub fn prune(&mut self, page: u32, horizon: u64) -> u16 {
        let state = &mut self.pages[page as usize];
        if state.room >= PRUNE_BELOW {
            return 0;
        }
        let mut count = std::mem::take(&mut state.old_dead);
        if let Some(dead) = self.dead.get_mut(&page) {
            while dead.front().is_some_and(|ended_by| *ended_by < horizon) {
                dead.pop_front();
                count += 1;
            }
            if dead.is_empty() {
                self.dead.remove(&page);
            }
        }
        // The first dead version of a row leaves its line pointer behind, which the index points at; that of a
        // later one can be used again. Rows are taken to be updated alike.
        let rows = f64::from(self.rows_per_page);
        let redirected = (f64::from(state.line_pointers) / rows - 1.0).clamp(0.0, 1.0);
        state.spare += libm::round(f64::from(count) * redirected) as u16;
        state.room += count * self.version_bytes;
        count
    }

    /// Gives a row a new version by transaction `by`.
    pub fn update(&mut self, row: u64, by: u64) -> Placed {
        let old = self.page_of(row);
        let placed = if self.has_room(old) { Placed::SamePage } else { self.place_elsewhere(old) };
        self.dead.entry(old).or_default().push_back(by);
        match placed {
            Placed::SamePage => self.take_room(old),
            Placed::OtherPage(page) | Placed::NewPage(page) => {
                self.take_room(page);
                self.moved.insert(row, Moved { page, stale: Some((old, by)) });
            }
        }
        placed
    }

    /// Puts a new row on the page that takes new ones.
    pub fn insert(&mut self, row: u64) -> Placed {
        let placed = self.place_elsewhere(u32::MAX);
        if let Placed::OtherPage(page) | Placed::NewPage(page) = placed {
            self.take_room(page);
            self.moved.insert(row, Moved { page, stale: None });
        }
        placed
    }

    /// Ends a row's version by transaction `by`.
    pub fn delete(&mut self, row: u64, by: u64) {
        let page = self.page_of(row);
        self.dead.entry(page).or_default().push_back(by);
    }

    fn has_room(&self, page: u32) -> bool {
        let state = &self.pages[page as usize];
        state.room >= self.version_bytes + LINE_POINTER
    }

    fn place_elsewhere(&mut self, old: u32) -> Placed {
        if self.target != old && self.has_room(self.target) {
            return Placed::OtherPage(self.target);
        }
        let page = self.pages.len() as u32;
        self.pages.push(Page {
            room: PAGE_ROOM,
            old_dead: 0,
            line_pointers: 0,
            spare: 0,
            all_visible: false,
        });
        self.target = page;
        Placed::NewPage(page)
    }

    fn take_room(&mut self, page: u32) {
        let state = &mut self.pages[page as usize];
        if state.spare > 0 {
            state.spare -= 1;
        } else {
            state.line_pointers += 1;
            state.room = state.room.saturating_sub(LINE_POINTER);
        }
        state.room = state.room.saturating_sub(self.version_bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// pgbench's accounts: 61 rows of 128 bytes a page.
    fn accounts(history: HeapHistory) -> HeapVersions {
        HeapVersions::new(6100, 128, 61, history)
    }

    #[test]
    fn the_first_update_of_a_full_page_leaves_it_and_the_second_stays() {
        let mut heap = accounts(HeapHistory::default());
        assert_eq!(heap.update(0, 1), Placed::NewPage(100));
        assert_eq!((heap.page_of(0), heap.stale_page(0)), (100, Some(0)));
        // Nobody has looked at the page since, so there is still no room.
        assert_eq!(heap.update(1, 2), Placed::OtherPage(100));
        assert_eq!(heap.prune(0, 3), 2);
        assert_eq!(heap.update(2, 3), Placed::SamePage);
    }

    #[test]
    fn versions_that_somebody_may_see_are_not_pruned() {
        let mut heap = accounts(HeapHistory::default());
        heap.update(0, 7);
        assert_eq!(heap.prune(0, 7), 0);
        assert!(!heap.kill_stale(0, 7));
        assert_eq!(heap.prune(0, 8), 1);
        assert!(heap.kill_stale(0, 8));
    }

    #[test]
    fn room_neither_grows_nor_shrinks_in_the_long_run() {
        let mut heap = accounts(HeapHistory { updates: 1000, ..HeapHistory::default() });
        let mut elsewhere = 0;
        for by in 1..10_000u64 {
            let row = by * 7 % 61;
            heap.prune(heap.page_of(row), by);
            elsewhere += u32::from(heap.update(row, by) != Placed::SamePage);
        }
        assert!(elsewhere < 100, "{elsewhere}");
        assert!(heap.used_bytes(0) <= 8192);
    }
}
