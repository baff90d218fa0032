//! The buffer pool: which page is in which frame, which frames are dirty, and in what order they became so.

use crate::{
    lru::{Links, List, NONE},
    pages::PageId,
    quota_lru::QuotaLru,
    replacement::Replacement,
};

/// A frame of the pool.
pub type Frame = u32;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Transfer {
    #[default]
    Idle,
    Reading,
    Writing,
}

#[derive(Debug, Clone, Copy)]
struct FrameState {
    page: u32,
    dirty: bool,
    transfer: Transfer,
    /// Log sequence number of the first change since the frame was clean.
    oldest_change: u64,
    /// Log sequence number of the last change.
    newest_change: u64,
}

/// Frames over pages.
#[derive(Debug)]
pub struct Pool {
    /// Frame of each page plus one, 0 where it is not in the pool.
    table: Vec<u32>,
    frames: Vec<FrameState>,
    free: Vec<Frame>,
    replacement: Replacement,
    /// Dirty frames, the one changed first at the old end.
    dirty_links: Links,
    dirty: List,
    /// Frames that hold a page.
    installed: u32,
    /// Frames that are being read or written.
    moving: u32,
    turn: u32,
    flush_hint: bool,
    hits: u64,
    misses: u64,
}

const NO_PAGE: u32 = u32::MAX;
/// How far a search for a victim goes up a list with a quota (`MAX_DEPTH` of `pgbuf_get_victim_from_lru_list`).
const QUOTA_DEPTH: u32 = 1000;

impl Pool {
    /// A pool of `frames` empty frames.
    pub fn new(frames: u32, replacement: Replacement) -> Self {
        let empty = FrameState {
            page: NO_PAGE,
            dirty: false,
            transfer: Transfer::Idle,
            oldest_change: 0,
            newest_change: 0,
        };
        Self {
            table: Vec::new(),
            frames: vec![empty; frames as usize],
            free: (0..frames).rev().collect(),
            replacement,
            dirty_links: Links::new(frames as usize),
            dirty: List::default(),
            installed: 0,
            moving: 0,
            turn: 0,
            flush_hint: false,
            hits: 0,
            misses: 0,
        }
    }

    /// Frames in all.
    pub fn size(&self) -> u32 {
        self.frames.len() as u32
    }

    /// Empty frames.
    pub fn free_frames(&self) -> u32 {
        self.free.len() as u32
    }

    /// Frames that hold a page.
    pub fn used_frames(&self) -> u32 {
        self.size() - self.free_frames()
    }

    /// Dirty frames.
    pub fn dirty_frames(&self) -> u32 {
        self.dirty.length
    }

    /// Pages asked for and found, and not found.
    pub fn requests(&self) -> (u64, u64) {
        (self.hits, self.misses)
    }

    /// Counts a page request as a hit or a miss. Kept apart from the search, since an engine that finds a page
    /// still being read counts one request, however often it looks.
    pub fn count(&mut self, hit: bool) {
        if hit {
            self.hits += 1;
        } else {
            self.misses += 1;
        }
    }

    /// The frame of `page`, if it is in the pool (perhaps still being read).
    pub fn find(&self, page: PageId) -> Option<Frame> {
        match self.table.get(page.0 as usize) {
            Some(0) | None => None,
            Some(n) => Some(n - 1),
        }
    }

    /// The page in `frame`.
    pub fn page(&self, frame: Frame) -> PageId {
        PageId(self.frames[frame as usize].page)
    }

    /// Tells the replacement policy the time.
    pub fn set_time(&mut self, ms: u64) {
        self.replacement.set_time(ms);
    }

    /// Notes a use of `frame`.
    pub fn touch(&mut self, frame: Frame) {
        self.replacement.touch(frame);
    }

    /// Takes an empty frame.
    pub fn take_free(&mut self) -> Option<Frame> {
        self.free.pop()
    }

    /// Gives an empty frame back.
    pub fn give_back(&mut self, frame: Frame) {
        self.free.push(frame);
    }

    /// Puts `page` into the empty `frame`; `reading` until its content has arrived.
    pub fn install(&mut self, page: PageId, frame: Frame, reading: bool) {
        let at = page.0 as usize;
        if self.table.len() <= at {
            self.table.resize((at + 1).next_power_of_two(), 0);
        }
        debug_assert_eq!(self.table[at], 0, "a page is in one frame at most");
        self.table[at] = frame + 1;
        let transfer = if reading { Transfer::Reading } else { Transfer::Idle };
        self.frames[frame as usize] =
            FrameState { page: page.0, dirty: false, transfer, oldest_change: 0, newest_change: 0 };
        self.moving += u32::from(reading);
        self.installed += 1;
        self.replacement.insert(frame);
    }

    /// Whether the content of `frame` has not arrived yet.
    pub fn is_reading(&self, frame: Frame) -> bool {
        self.frames[frame as usize].transfer == Transfer::Reading
    }

    /// The content of `frame` has arrived.
    pub fn read_done(&mut self, frame: Frame) {
        self.end_transfer(frame);
    }

    fn end_transfer(&mut self, frame: Frame) {
        let transfer = &mut self.frames[frame as usize].transfer;
        self.moving -= u32::from(*transfer != Transfer::Idle);
        *transfer = Transfer::Idle;
    }

    /// Whether there is a page in `frame`.
    pub fn holds_page(&self, frame: Frame) -> bool {
        self.frames[frame as usize].page != NO_PAGE
    }

    /// Whether `frame` differs from its page on the device.
    pub fn is_dirty(&self, frame: Frame) -> bool {
        self.frames[frame as usize].dirty
    }

    /// A change logged at `sequence` reached `frame`.
    pub fn mark_dirty(&mut self, frame: Frame, sequence: u64) {
        let state = &mut self.frames[frame as usize];
        state.newest_change = sequence;
        if !state.dirty {
            state.dirty = true;
            state.oldest_change = sequence;
            self.dirty_links.push_newest(&mut self.dirty, frame);
        }
    }

    /// Log sequence number of the oldest change that is not on the device yet.
    pub fn oldest_change(&self) -> Option<u64> {
        (self.dirty.oldest != NONE).then(|| self.frames[self.dirty.oldest as usize].oldest_change)
    }

    /// Log sequence number of the last change of `frame`: its page may be written once the log is behind it.
    pub fn newest_change(&self, frame: Frame) -> u64 {
        self.frames[frame as usize].newest_change
    }

    /// Starts writing a dirty, idle frame; `false` where it cannot be written now.
    pub fn begin_write(&mut self, frame: Frame) -> bool {
        let state = &mut self.frames[frame as usize];
        if !state.dirty || state.transfer != Transfer::Idle {
            return false;
        }
        state.transfer = Transfer::Writing;
        self.moving += 1;
        true
    }

    /// Whether the page in `frame` is being written.
    pub fn is_writing(&self, frame: Frame) -> bool {
        self.frames[frame as usize].transfer == Transfer::Writing
    }

    /// The frame's page is on the device. A change made while it was written has to be written again.
    pub fn write_done(&mut self, frame: Frame) {
        self.end_transfer(frame);
        let state = &mut self.frames[frame as usize];
        if state.dirty {
            state.dirty = false;
            self.dirty_links.remove(&mut self.dirty, frame);
        }
        if let Some(lists) = self.replacement.quota() {
            lists.cleaned(frame);
        }
    }

    /// Empties a clean, idle frame and returns it for another page; `false` where it cannot be given up.
    pub fn evict(&mut self, frame: Frame) -> bool {
        let state = self.frames[frame as usize];
        if state.dirty || state.transfer != Transfer::Idle || state.page == NO_PAGE {
            return false;
        }
        self.replacement.remove(frame);
        self.installed -= 1;
        self.table[state.page as usize] = 0;
        self.frames[frame as usize].page = NO_PAGE;
        true
    }

    /// Whether `frame` could be emptied now.
    pub fn is_replaceable(&self, frame: Frame) -> bool {
        let state = self.frames[frame as usize];
        !state.dirty && state.transfer == Transfer::Idle
    }

    /// Whether the page in `frame` is in the old part of the list.
    pub fn is_old(&self, frame: Frame) -> bool {
        self.replacement.is_old(frame)
    }

    /// The next frame of a clock sweep whose use count has run down: the hand goes around at most as often as counts
    /// go up. Frames that are being read or written are passed over, as pinned ones are (`StrategyGetBuffer`).
    pub fn sweep(&mut self) -> Option<Frame> {
        let Replacement::Clock(clock) = &mut self.replacement else { return None };
        for _ in 0..self.frames.len() * 7 {
            let frame = clock.tick();
            let state = &self.frames[frame as usize];
            let idle = state.transfer == Transfer::Idle && state.page != NO_PAGE;
            if idle && clock.has_run_down(frame) {
                return Some(frame);
            }
        }
        None
    }

    /// Where the hand of a clock sweep is and how often it has come around; (0, 0) with other policies.
    pub fn clock_hand(&self) -> (u32, u32) {
        match &self.replacement {
            Replacement::Clock(clock) => clock.hand(),
            _ => (0, 0),
        }
    }

    /// Whether the clock's hand would take `frame` if it stood there: idle, its use count run down.
    pub fn is_run_down(&self, frame: Frame) -> bool {
        let state = &self.frames[frame as usize];
        match &self.replacement {
            Replacement::Clock(clock) => state.transfer == Transfer::Idle && clock.uses(frame) == 0,
            _ => false,
        }
    }

    /// Uses of `frame` as a clock sweep counts them; 0 with other policies.
    pub fn uses(&self, frame: Frame) -> u8 {
        match &self.replacement {
            Replacement::Clock(clock) => clock.uses(frame),
            _ => 0,
        }
    }

    /// Notes a use of `frame` by a scan that goes through a ring.
    pub fn touch_by_scan(&mut self, frame: Frame) {
        match &mut self.replacement {
            Replacement::Clock(clock) => clock.touch_by_scan(frame),
            other => other.touch(frame),
        }
    }

    /// The first clean, idle frame among the `depth` next to go, emptied.
    pub fn take_victim(&mut self, depth: u32) -> Option<Frame> {
        if self.replacement.quota().is_some() {
            return self.take_victim_by_quota();
        }
        if matches!(self.replacement, Replacement::Clock(_)) {
            return self.sweep().filter(|frame| self.evict(*frame));
        }
        let lists = self.replacement.lists();
        for _ in 0..lists.min(8) {
            self.turn = self.turn.wrapping_add(1);
            let mut at = self.replacement.candidate(self.turn, None);
            for _ in 0..depth {
                let Some(frame) = at else { break };
                if self.evict(frame) {
                    return Some(frame);
                }
                at = self.replacement.candidate(self.turn, Some(frame));
            }
        }
        None
    }

    /// The first clean, idle frame of the list that gives up a page, emptied.
    fn take_victim_by_quota(&mut self) -> Option<Frame> {
        let mut search = self.replacement.quota()?.begin_search();
        while let Some(list) = self.replacement.quota()?.next_list(&mut search) {
            let mut at = self.replacement.candidate(u32::from(list), None);
            let has_victims = at.is_some();
            for _ in 0..QUOTA_DEPTH {
                let Some(frame) = at else { break };
                if self.evict(frame) {
                    self.replacement.quota()?.put_back(&mut search, true);
                    let bottom = self.replacement.candidate(u32::from(list), None);
                    self.flush_hint |= bottom.is_some_and(|next| self.is_dirty(next));
                    return Some(frame);
                }
                at = self.replacement.candidate(u32::from(list), Some(frame));
            }
            self.flush_hint |= has_victims;
        }
        None
    }

    /// Whether searches since the last look met dirty pages at the end of a list, which somebody should write.
    pub(crate) fn take_flush_hint(&mut self) -> bool {
        std::mem::take(&mut self.flush_hint)
    }

    /// The lists with quotas, where that is the policy.
    pub(crate) fn quota(&mut self) -> Option<&mut QuotaLru> {
        self.replacement.quota()
    }

    /// From here on `task` uses pages; only a policy with lists of clients cares.
    pub(crate) fn set_user(&mut self, task: u32) {
        if let Some(lists) = self.replacement.quota() {
            lists.set_user(task);
        }
    }

    /// Dirty frames that stand near the end of their lists, `depth` frames looked at in all.
    pub(crate) fn dirty_near_ends(&mut self, depth: u32) -> Vec<Frame> {
        let depths = self.replacement.quota().map(|lists| lists.flush_depths(depth)).unwrap_or_default();
        let mut found = Vec::new();
        for (list, depth) in depths {
            let mut at = self.replacement.candidate(list, None);
            for _ in 0..depth {
                let Some(frame) = at else { break };
                if self.is_dirty(frame) {
                    found.push(frame);
                }
                at = self.replacement.candidate(list, Some(frame));
            }
        }
        found
    }

    /// Of the `depth` frames next to go, spread over all lists from `first_list` on, up to `most` for which `wanted`
    /// holds; in each list next to go first.
    pub fn candidates(
        &self,
        first_list: u32,
        depth: u32,
        most: usize,
        mut wanted: impl FnMut(&Self, Frame) -> bool,
    ) -> Vec<Frame> {
        let lists = self.replacement.lists();
        let each = depth.div_ceil(lists);
        let mut found = Vec::new();
        for list in 0..lists {
            let mut at = self.replacement.candidate(first_list.wrapping_add(list), None);
            for _ in 0..each {
                let Some(frame) = at else { break };
                if wanted(self, frame) {
                    found.push(frame);
                    if found.len() >= most {
                        return found;
                    }
                }
                at = self.replacement.candidate(list, Some(frame));
            }
        }
        found
    }

    /// Whether the frame that would be taken next is dirty or busy.
    pub fn next_is_dirty(&self) -> bool {
        let next = self.replacement.candidate(self.turn.wrapping_add(1), None);
        next.is_some_and(|frame| !self.is_replaceable(frame))
    }

    /// Replaceable frames among the `depth` next to go, counted up to `enough`.
    pub fn replaceable_near_end(&self, depth: u32, enough: u32) -> u32 {
        // Under loads that mostly read there are too few others to matter, wherever they are: no need to look.
        let others = self.dirty_frames() + self.moving;
        if self.replacement.lists() == 1 && depth.min(self.installed) >= enough + others {
            return enough;
        }
        let mut count = 0;
        let mut at = self.replacement.candidate(0, None);
        for _ in 0..depth {
            let Some(frame) = at else { break };
            count += u32::from(self.is_replaceable(frame));
            if count >= enough {
                break;
            }
            at = self.replacement.candidate(0, Some(frame));
        }
        count
    }

    /// From the old end on, empties clean frames until `free` are free or only `kept` are used. Dirty frames met on the way that nobody writes
    /// are returned, up to `most`; at the next one after them the sweep ends.
    pub fn sweep_tail(&mut self, free: u32, kept: u32, most: usize) -> Vec<Frame> {
        let mut dirty = Vec::new();
        let mut at = self.replacement.candidate(0, None);
        while let Some(frame) = at {
            if self.free_frames() >= free || self.used_frames() <= kept {
                break;
            }
            at = self.replacement.candidate(0, Some(frame));
            if self.is_replaceable(frame) {
                if self.evict(frame) {
                    self.free.push(frame);
                }
            } else if self.is_dirty(frame) {
                if dirty.len() >= most {
                    break;
                }
                if !self.is_writing(frame) {
                    dirty.push(frame);
                }
            }
        }
        dirty
    }

    /// How many frames were first changed before `before`, counted up to `most`.
    pub fn count_oldest(&self, before: u64, most: u64) -> u64 {
        let (mut count, mut frame) = (0, self.dirty.oldest);
        while frame != NONE && count < most && self.frames[frame as usize].oldest_change <= before {
            count += 1;
            frame = self.dirty_links.newer(frame);
        }
        count
    }

    /// The dirty frames changed first, idle ones only, up to `most`, and changed before `before`.
    pub fn oldest_dirty(&self, most: u32, before: u64) -> Vec<Frame> {
        let mut found = Vec::new();
        let mut frame = self.dirty.oldest;
        while frame != NONE && (found.len() as u32) < most {
            let state = self.frames[frame as usize];
            if state.oldest_change >= before {
                break;
            }
            if state.transfer == Transfer::Idle {
                found.push(frame);
            }
            frame = self.dirty_links.newer(frame);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clock_sweep::ClockSweep,
        lru_chains::LruChains,
        midpoint_lru::MidpointLru,
        quota_lru::{QuotaLru, QuotaRules},
        replacement::Lru,
    };
    use proptest::prelude::*;
    use spindle_units::chance::Chance;

    /// Pages that the lists with quotas never give up: in each of the four shared ones the last of its first two zones.
    const LISTS_KEEP: u32 = 4 * 2;

    fn quota(frames: u32, shared_lists: u32, private_lists: Option<u32>) -> Replacement {
        let rules = QuotaRules { clients: 10, shared_lists, private_lists, hot: 0.4, buffer: 0.05 };
        Replacement::Quota(QuotaLru::new(frames as usize, rules))
    }

    fn policies(frames: u32) -> [Replacement; 6] {
        [
            Replacement::Lru(Lru::new(frames as usize)),
            Replacement::Midpoint(MidpointLru::new(frames as usize, 37, 0)),
            Replacement::Chains(LruChains::new(frames as usize, 7)),
            quota(frames, 1, Some(0)),
            quota(frames, 0, None),
            Replacement::Clock(ClockSweep::new(frames as usize)),
        ]
    }

    fn access(pool: &mut Pool, page: PageId) {
        if let Some(frame) = pool.find(page) {
            pool.count(true);
            pool.touch(frame);
            return;
        }
        pool.count(false);
        let frame = pool.take_free().or_else(|| pool.take_victim(64)).expect("clean frames can be given up");
        pool.install(page, frame, false);
    }

    fn hits(replacement: Replacement, frames: u32, pages: u64, seed: u64) -> u64 {
        let mut pool = Pool::new(frames, replacement);
        let mut chance = Chance::new(seed, 0);
        for _ in 0..20_000 {
            // Half of the accesses go to a tenth of the pages.
            let hot = chance.unit() < 0.5;
            let page = chance.below(if hot { pages / 10 + 1 } else { pages });
            access(&mut pool, PageId(page as u32));
        }
        let (hits, misses) = pool.requests();
        assert_eq!(hits + misses, 20_000, "requests = hits + misses");
        hits
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn more_buffer_never_lowers_the_hit_rate_of_lru(frames in 1u32..600, more in 0u32..600, pages in 1u64..3000, seed: u64) {
            let few = hits(Replacement::Lru(Lru::new(frames as usize)), frames, pages, seed);
            let many = frames + more;
            prop_assert!(hits(Replacement::Lru(Lru::new(many as usize)), many, pages, seed) >= few);
        }

        #[test]
        fn every_policy_keeps_its_accounts(frames in LISTS_KEEP + 1..2000, pages in 1u64..5000, seed: u64) {
            for policy in policies(frames) {
                let found = hits(policy, frames, pages, seed);
                if u64::from(frames) >= pages {
                    prop_assert!(found >= 20_000 - pages, "what fits is read once");
                }
            }
        }
    }

    #[test]
    fn one_shared_list_without_quotas_is_an_lru_list() {
        // `num_private_chains = 0`, `num_LRU_chains = 1`: CUBRID's own way back to plain LRU.
        let (plain, lists) =
            (hits(Replacement::Lru(Lru::new(300)), 300, 1000, 5), hits(quota(300, 1, Some(0)), 300, 1000, 5));
        let difference = lists as f64 / plain as f64 - 1.0;
        assert!(difference.abs() < 0.02, "{lists} hits against {plain}");
    }

    /// Four clients use pages in turn; time passes by a millisecond for twenty uses.
    fn use_by_clients(
        pool: &mut Pool,
        first_task: u32,
        uses: u32,
        page: &mut dyn FnMut() -> u32,
        now: &mut u64,
    ) -> u64 {
        let before = pool.requests().1;
        for n in 0..uses {
            let task = first_task + n % 4;
            if let Some(lists) = pool.quota() {
                lists.assign(task, false);
                lists.set_user(task);
            }
            access(pool, PageId(page()));
            if n % 20 == 0 {
                *now += 1_000_000;
                let free = pool.free_frames();
                if let Some(lists) = pool.quota() {
                    lists.adjust_quotas(*now, free);
                }
            }
        }
        pool.requests().1 - before
    }

    #[test]
    fn after_a_shift_of_the_load_lists_with_quotas_keep_the_old_pages() {
        let misses_after_shift = |replacement| {
            let (mut pool, mut chance, mut now) = (Pool::new(2000, replacement), Chance::new(1, 0), 0);
            use_by_clients(&mut pool, 0, 60_000, &mut || chance.below(3000) as u32, &mut now);
            if let Some(lists) = pool.quota() {
                lists.release_clients();
                // Nobody does anything for a while: the lists of those who left lose their quotas.
                for _ in 0..20 {
                    now += 600_000_000;
                    lists.adjust_quotas(now, 0);
                }
            }
            use_by_clients(&mut pool, 10, 10_000, &mut || 10_000 + chance.below(1000) as u32, &mut now)
        };
        // The new pages fit into half of the pool: an LRU list reads each once.
        assert_eq!(misses_after_shift(Replacement::Lru(Lru::new(2000))), 1000);
        let lists = misses_after_shift(quota(2000, 0, None));
        assert!(lists > 3000, "{lists} misses of 10000 uses");
    }

    #[test]
    fn midpoint_keeps_a_hot_set_through_a_scan() {
        let survivors = |replacement| {
            let mut pool = Pool::new(2000, replacement);
            for _ in 0..3 {
                (0..1000).for_each(|page| access(&mut pool, PageId(page)));
            }
            // A scan of pages used once, as long as the pool.
            (10_000..12_000).for_each(|page| access(&mut pool, PageId(page)));
            (0..1000).filter(|page| pool.find(PageId(*page)).is_some()).count()
        };
        assert_eq!(survivors(Replacement::Lru(Lru::new(2000))), 0);
        // The young part, 63 % of the list as it was before the scan; the hot pages behind the midpoint go.
        let kept = survivors(Replacement::Midpoint(MidpointLru::new(2000, 37, 0)));
        assert!((600..=700).contains(&kept), "{kept}");
    }

    #[test]
    fn dirty_frames_stay_until_written() {
        let mut pool = Pool::new(2, Replacement::Lru(Lru::new(2)));
        access(&mut pool, PageId(1));
        access(&mut pool, PageId(2));
        let frame = pool.find(PageId(1)).unwrap();
        pool.mark_dirty(frame, 100);
        assert_eq!(pool.oldest_change(), Some(100));
        access(&mut pool, PageId(3));
        assert!(pool.find(PageId(1)).is_some() && pool.find(PageId(2)).is_none());
        assert!(pool.begin_write(frame));
        pool.write_done(frame);
        assert_eq!((pool.oldest_change(), pool.dirty_frames()), (None, 0));
        access(&mut pool, PageId(4));
        assert!(pool.find(PageId(1)).is_none());
    }
}
