//! CUBRID's page replacement since version 10: a list of pages for each client and vacuum worker, each with a quota,
//! and lists shared by all (`page_buffer.c`, release 11.3.2; functions are named where their rule is followed).
//!
//! Every list has three zones. Pages of zone 1 stay in place when they are used, pages of zone 2 move to the top if they
//! have been there for a while, pages of zone 3 move to the top and are the only ones that are given up.

use crate::lru::{Links, List, NONE};
use std::collections::VecDeque;

/// Fixes from which on a page counts as hot and leaves its private list (`PGBUF_FIX_COUNT_THRESHOLD`).
const HOT_FIXES: u16 = 64;
/// Each zone of a private list, as a share of its quota (`PGBUF_LRU_ZONE_MIN_RATIO`).
const PRIVATE_ZONE: f64 = 0.05;
/// `PGBUF_PRIVATE_LRU_MAX_HARD_QUOTA`.
const HARD_QUOTA: u32 = 5000;
/// `PGBUF_MIN_PAGES_IN_SHARED_LIST`, and the least number of shared lists.
const SHARED_LIST_PAGES: u32 = 1000;
const SHARED_LISTS_MIN: u32 = 4;
/// `PGBUF_MIN_SHARED_LIST_ADJUST_SIZE`.
const SHARED_SIZE_MIN: u32 = 50;
/// `PBGUF_BIG_PRIVATE_MIN_SIZE`.
const BIG_LIST: u32 = 100;
/// Share of the pool that private lists may have (`MIN_PRIVATE_RATIO`, `MAX_PRIVATE_RATIO`).
const PRIVATE_RATIO: (f64, f64) = (0.01, 0.998);
/// Activity is averaged over ten seconds, and adjusted at most every half second unless a quarter of the pool has been
/// used since.
const AVERAGED_NS: u64 = 10_000_000_000;
const ADJUST_NS: u64 = 500_000_000;
/// Threads of vacuum at most (`VACUUM_MAX_WORKER_COUNT`): each has a private list.
const VACUUM_WORKERS_MAX: u32 = 50;

/// Who uses pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum User {
    /// A thread without a list of its own.
    #[default]
    Nobody,
    /// A client with this private list.
    Client(u16),
    /// A vacuum worker with this private list; its uses move no page.
    Vacuum(u16),
}

#[derive(Debug, Clone, Copy, Default)]
struct Page {
    list: u16,
    /// 1 to 3; 0 where the frame is in no list.
    zone: u8,
    fixes: u16,
    /// The list's tick when the page came to the list.
    tick: u32,
    /// The last adjustment after which a use of the frame was counted (`hit_age`).
    counted: u32,
}

#[derive(Debug, Default)]
struct Lru {
    all: List,
    /// The last page of zone 1 and of zone 2.
    bottom1: u32,
    bottom2: u32,
    /// Pages of each zone.
    zones: [u32; 3],
    limit1: u32,
    limit2: u32,
    quota: u32,
    tick: u32,
    /// Whether it waits in a queue of lists with pages to give up.
    queued: bool,
    sessions: u32,
    hits: u32,
    activity: u64,
}

impl Lru {
    fn new() -> Self {
        Self { bottom1: NONE, bottom2: NONE, ..Self::default() }
    }

    fn over_quota(&self) -> bool {
        self.all.length > self.quota
    }

    fn protected(&self) -> u32 {
        self.zones[0] + self.zones[1]
    }

    /// The part of zone 3 above 90 % of the quota (`pgbuf_compute_lru_vict_target`).
    fn flush_target(&self) -> u32 {
        let kept = (f64::from(self.quota) * 0.9) as u32;
        self.all.length.saturating_sub(kept).min(self.zones[2])
    }
}

/// Sizes and ratios of the lists.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuotaRules {
    /// `max_clients`.
    pub clients: u32,
    /// `num_LRU_chains`; 0 for as many as the pool is worth.
    pub shared_lists: u32,
    /// `num_private_chains`; none for one a client and vacuum worker.
    pub private_lists: Option<u32>,
    /// `lru_hot_ratio`.
    pub hot: f64,
    /// `lru_buffer_ratio`.
    pub buffer: f64,
}

/// The lists. Shared ones come first.
#[derive(Debug)]
pub struct QuotaLru {
    rules: QuotaRules,
    links: Links,
    pages: Vec<Page>,
    lists: Vec<Lru>,
    shared: usize,
    next_shared: usize,
    private_queue: VecDeque<u16>,
    big_queue: VecDeque<u16>,
    shared_queue: VecDeque<u16>,
    /// Who each task is.
    users: Vec<User>,
    user: User,
    private_ratio: f64,
    shared_pages: u32,
    age: u32,
    uses: u64,
    adjusted_at: u64,
}

/// Where a search for a page to give up stands (`pgbuf_get_victim`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Own,
    Private,
    Shared,
    OwnUnderQuota,
    Done,
}

/// A search for a page to give up: list after list.
#[derive(Debug)]
pub(crate) struct Search {
    stage: Stage,
    searched_own: bool,
    restricted: bool,
    /// The list taken from a queue, and whether it has been put back.
    taken: Option<(u16, bool)>,
}

impl QuotaLru {
    /// Empty lists for `frames` frames.
    pub fn new(frames: usize, rules: QuotaRules) -> Self {
        let shared = match rules.shared_lists {
            0 if frames as u32 / rules.clients.max(1) < SHARED_LIST_PAGES => {
                (frames as u32 / SHARED_LIST_PAGES).max(SHARED_LISTS_MIN)
            }
            0 => rules.clients.max(SHARED_LISTS_MIN),
            n => n,
        };
        let private = rules.private_lists.map_or(rules.clients + VACUUM_WORKERS_MAX, |n| {
            // `PGBUF_PRIVATE_LRU_MIN_COUNT`.
            if n == 0 { 0 } else { n.max(4) }
        });
        Self {
            rules,
            links: Links::new(frames),
            pages: vec![Page::default(); frames],
            lists: (0..shared + private).map(|_| Lru::new()).collect(),
            shared: shared as usize,
            next_shared: 0,
            private_queue: VecDeque::new(),
            big_queue: VecDeque::new(),
            shared_queue: VecDeque::new(),
            users: Vec::new(),
            user: User::Nobody,
            private_ratio: 1.0,
            shared_pages: 0,
            age: 0,
            uses: 0,
            adjusted_at: 0,
        }
    }

    fn is_private(&self, list: u16) -> bool {
        usize::from(list) >= self.shared
    }

    fn has_quotas(&self) -> bool {
        self.lists.len() > self.shared
    }

    /// From here on `task` uses pages.
    pub(crate) fn set_user(&mut self, task: u32) {
        self.user = self.users.get(task as usize).copied().unwrap_or_default();
    }

    /// Gives `task` a private list (`pgbuf_assign_private_lru`): one that nobody uses, with the fewest pages; where all
    /// are used, the least active.
    pub(crate) fn assign(&mut self, task: u32, vacuum: bool) {
        let at = task as usize;
        if self.users.len() <= at {
            self.users.resize(at + 1, User::Nobody);
        }
        if !self.has_quotas() || self.users[at] != User::Nobody {
            return;
        }
        let private = self.shared..self.lists.len();
        let idle = private.clone().filter(|l| self.lists[*l].sessions == 0);
        let found = idle
            .min_by_key(|l| self.lists[*l].all.length)
            .or_else(|| private.clone().min_by_key(|l| self.lists[*l].activity));
        if let Some(list) = found {
            self.lists[list].sessions += 1;
            self.users[at] = if vacuum { User::Vacuum(list as u16) } else { User::Client(list as u16) };
        }
    }

    /// All clients have gone (`pgbuf_release_private_lru`); their pages stay in lists without activity.
    pub(crate) fn release_clients(&mut self) {
        for user in &mut self.users {
            let User::Client(list) = *user else { continue };
            *user = User::Nobody;
            let list = &mut self.lists[usize::from(list)];
            list.sessions = list.sessions.saturating_sub(1);
            if list.sessions == 0 {
                list.activity = 0;
            }
        }
    }

    fn own_list(&self) -> Option<u16> {
        match self.user {
            User::Nobody => None,
            User::Client(list) | User::Vacuum(list) => Some(list),
        }
    }

    fn ignores_uses(&self) -> bool {
        matches!(self.user, User::Vacuum(_))
    }

    fn leave_zone(&mut self, frame: u32) {
        let page = self.pages[frame as usize];
        self.lists[usize::from(page.list)].zones[usize::from(page.zone) - 1] -= 1;
    }

    fn enter_zone(&mut self, list: u16, frame: u32, zone: u8) {
        let page = &mut self.pages[frame as usize];
        page.list = list;
        page.zone = zone;
        self.lists[usize::from(list)].zones[usize::from(zone) - 1] += 1;
        if zone == 3 {
            self.offer(list);
        }
    }

    /// Queues a list that has pages to give up (`pgbuf_lru_add_victim_candidate`).
    fn offer(&mut self, list: u16) {
        let private = self.is_private(list);
        let state = &mut self.lists[usize::from(list)];
        if state.queued || (private && !state.over_quota()) {
            return;
        }
        state.queued = true;
        if private {
            self.private_queue.push_back(list);
        } else {
            self.shared_queue.push_back(list);
        }
    }

    fn add_to_top(&mut self, list: u16, frame: u32) {
        let state = &mut self.lists[usize::from(list)];
        self.links.push_newest(&mut state.all, frame);
        if state.bottom1 == NONE {
            state.bottom1 = frame;
        }
        state.tick = state.tick.wrapping_add(1);
        self.enter_zone(list, frame, 1);
    }

    fn add_to_middle(&mut self, list: u16, frame: u32) {
        let state = &mut self.lists[usize::from(list)];
        let place = state.bottom1;
        self.links.insert_older_than(&mut state.all, place, frame);
        if state.bottom2 == NONE {
            state.bottom2 = frame;
        }
        self.pages[frame as usize].tick = state.tick;
        state.tick = state.tick.wrapping_add(1);
        self.enter_zone(list, frame, 2);
    }

    /// The last page of zone 2 falls into zone 3; where zone 2 is empty, the last one of zone 1.
    fn fall_to_zone_3(&mut self, list: u16) {
        let state = &mut self.lists[usize::from(list)];
        let from_second = state.bottom2 != NONE;
        let frame = if from_second { state.bottom2 } else { state.bottom1 };
        let newer = self.links.newer(frame);
        let zone = if newer == NONE { 0 } else { self.pages[newer as usize].zone };
        if from_second {
            state.bottom2 = if zone == 2 { newer } else { NONE };
        } else {
            state.bottom1 = newer;
        }
        self.leave_zone(frame);
        self.enter_zone(list, frame, 3);
    }

    /// `pgbuf_lru_adjust_zones`: both protected zones within their limits.
    fn adjust_zones(&mut self, list: u16, least: u32) {
        let at = usize::from(list);
        let limit = (self.lists[at].limit1 + self.lists[at].limit2).max(least);
        while self.lists[at].protected() > limit {
            self.fall_to_zone_3(list);
        }
        self.adjust_zone_1(list, least);
    }

    fn adjust_zone_1(&mut self, list: u16, least: u32) {
        let at = usize::from(list);
        let limit = self.lists[at].limit1.max(least);
        while self.lists[at].zones[0] > limit {
            let state = &mut self.lists[at];
            let frame = state.bottom1;
            if state.bottom2 == NONE {
                state.bottom2 = frame;
            }
            state.bottom1 = self.links.newer(frame);
            self.leave_zone(frame);
            self.enter_zone(list, frame, 2);
        }
    }

    fn adjust_zone_2(&mut self, list: u16, least: u32) {
        let at = usize::from(list);
        let limit = self.lists[at].limit2.max(least);
        while self.lists[at].zones[1] > limit {
            self.fall_to_zone_3(list);
        }
    }

    fn take_out(&mut self, frame: u32) {
        let page = self.pages[frame as usize];
        if page.zone == 0 {
            return;
        }
        let newer = self.links.newer(frame);
        let zone = if newer == NONE { 0 } else { self.pages[newer as usize].zone };
        let state = &mut self.lists[usize::from(page.list)];
        if state.bottom1 == frame {
            state.bottom1 = newer;
        }
        if state.bottom2 == frame {
            state.bottom2 = if zone == 2 { newer } else { NONE };
        }
        self.links.remove(&mut state.all, frame);
        self.leave_zone(frame);
        self.pages[frame as usize].zone = 0;
        if !self.is_private(page.list) {
            self.shared_pages -= 1;
        }
    }

    /// Counts the first use of a page since the last adjustment (`pgbuf_bcb_register_hit_for_lru`).
    fn count_use(&mut self, frame: u32) {
        let page = &mut self.pages[frame as usize];
        if page.counted < self.age {
            page.counted = self.age;
            self.lists[usize::from(page.list)].hits += 1;
        }
    }

    fn add_to_shared(&mut self, frame: u32) {
        self.next_shared = (self.next_shared + 1) % self.shared;
        let list = self.next_shared as u16;
        self.add_to_middle(list, frame);
        self.shared_pages += 1;
        self.adjust_zone_2(list, 1);
    }

    /// A page came into `frame` (`pgbuf_unlatch_void_zone_bcb`).
    pub(crate) fn insert(&mut self, frame: u32) {
        self.uses += 1;
        // The frame remembers when it was last counted, whatever page it held: a list that turns its few frames over and
        // over is counted once for each, gains no quota and stays small while others keep what they have.
        let counted = self.pages[frame as usize].counted;
        self.pages[frame as usize] = Page { fixes: 1, counted, ..Page::default() };
        match self.own_list() {
            Some(list) => {
                self.pages[frame as usize].tick = self.lists[usize::from(list)].tick;
                self.add_to_top(list, frame);
                self.adjust_zones(list, 1);
            }
            None => self.add_to_shared(frame),
        }
        if !self.ignores_uses() {
            self.count_use(frame);
        }
    }

    fn is_old_enough(&self, frame: u32) -> bool {
        let page = self.pages[frame as usize];
        let list = &self.lists[usize::from(page.list)];
        list.tick.wrapping_sub(page.tick) >= list.zones[1] / 2
    }

    /// `pgbuf_should_move_private_to_shared`: used by another than the list's owner, or hot.
    fn belongs_to_all(&self, frame: u32) -> bool {
        let page = self.pages[frame as usize];
        self.is_private(page.list)
            && (self.own_list() != Some(page.list) || (page.fixes >= HOT_FIXES && self.is_old_enough(frame)))
    }

    /// The page in `frame` was used (`pgbuf_unlatch_bcb_upon_unfix`).
    pub(crate) fn touch(&mut self, frame: u32) {
        self.uses += 1;
        let page = &mut self.pages[frame as usize];
        page.fixes = page.fixes.saturating_add(1);
        let (zone, list) = (page.zone, page.list);
        if self.ignores_uses() || zone == 0 {
            return;
        }
        if self.belongs_to_all(frame) {
            self.take_out(frame);
            self.add_to_shared(frame);
        } else if zone == 3 || (zone == 2 && self.is_old_enough(frame)) {
            // `pgbuf_lru_boost_bcb`.
            let shared = u32::from(!self.is_private(list));
            self.take_out(frame);
            self.add_to_top(list, frame);
            self.shared_pages += shared;
            if zone == 2 {
                self.adjust_zone_1(list, 1);
            } else {
                self.adjust_zones(list, 1);
            }
        }
        self.count_use(frame);
    }

    /// The page in `frame` is gone.
    pub(crate) fn remove(&mut self, frame: u32) {
        self.take_out(frame);
    }

    /// The page in `frame` has been written: it may be given up again.
    pub(crate) fn cleaned(&mut self, frame: u32) {
        let page = self.pages[frame as usize];
        if page.zone == 3 {
            self.offer(page.list);
        }
    }

    /// How many lists there are.
    pub(crate) fn lists(&self) -> u32 {
        self.lists.len() as u32
    }

    /// The page of zone 3 of a list to go after `previous`, the first one for `None`.
    pub(crate) fn victim(&self, list: u32, previous: Option<u32>) -> u32 {
        let frame = match previous {
            Some(frame) => self.links.newer(frame),
            None => self.lists.get(list as usize).map_or(NONE, |l| l.all.oldest),
        };
        if frame != NONE && self.pages[frame as usize].zone == 3 { frame } else { NONE }
    }

    pub(crate) fn begin_search(&self) -> Search {
        Search { stage: Stage::Own, searched_own: false, restricted: false, taken: None }
    }

    /// The next list to look through (`pgbuf_get_victim`): the own one if it is over its quota, another private one, a
    /// shared one, at last the own one whatever its quota.
    pub(crate) fn next_list(&mut self, search: &mut Search) -> Option<u16> {
        self.put_back(search, false);
        loop {
            match search.stage {
                Stage::Own => {
                    search.stage = Stage::Private;
                    let Some(own) = self.own_list() else { continue };
                    let list = &self.lists[usize::from(own)];
                    if list.protected() > list.quota || (list.over_quota() && list.zones[2] > 0) {
                        let slack = 10.max(list.quota / 100);
                        let far_over = list.all.length > list.quota + slack;
                        search.restricted = far_over && !self.ignores_uses();
                        search.searched_own = true;
                        if list.protected() > list.quota {
                            self.adjust_zones(own, 0);
                        }
                        return Some(own);
                    }
                }
                Stage::Private => {
                    search.stage = Stage::Shared;
                    let big = self.big_queue.pop_front();
                    let found =
                        big.or_else(|| if search.restricted { None } else { self.private_queue.pop_front() });
                    let Some(list) = found else { continue };
                    let state = &self.lists[usize::from(list)];
                    let big = state.all.length > BIG_LIST
                        && state.all.length > 2 * state.quota
                        && state.zones[2] > 1;
                    if big {
                        self.big_queue.push_back(list);
                    }
                    search.taken = Some((list, big));
                    return Some(list);
                }
                Stage::Shared => {
                    search.stage = Stage::OwnUnderQuota;
                    let Some(list) = self.shared_queue.pop_front() else { continue };
                    search.taken = Some((list, false));
                    return Some(list);
                }
                Stage::OwnUnderQuota => {
                    search.stage = Stage::Done;
                    if let Some(own) = self.own_list().filter(|_| !search.searched_own) {
                        return Some(own);
                    }
                }
                Stage::Done => return None,
            }
        }
    }

    /// A page was found, or not: the list goes back into its queue if it has more.
    pub(crate) fn put_back(&mut self, search: &mut Search, found: bool) {
        let Some((list, queued)) = search.taken.take() else { return };
        if queued {
            return;
        }
        let state = &mut self.lists[usize::from(list)];
        state.queued = false;
        if found && state.zones[2] > 0 {
            self.offer(list);
        }
    }

    /// How deep the flush daemon looks into the end of each list for dirty pages, of `depth` pages in all
    /// (`pgbuf_compute_lru_vict_target`).
    pub(crate) fn flush_depths(&self, depth: u32) -> Vec<(u32, u32)> {
        let frames = self.pages.len() as f64;
        let real = 1.0 - f64::from(self.shared_pages) / frames;
        let wanted = if self.has_quotas() { self.private_ratio } else { 0.0 };
        let private_share = (real * (1.0 - (wanted - real))).min(1.0);
        let target: u32 = self.lists[self.shared..].iter().map(Lru::flush_target).sum();
        let shared_share = (1.0 - private_share) / self.shared as f64;
        let priority = |at: usize, list: &Lru| {
            if at < self.shared {
                shared_share
            } else {
                private_share * f64::from(list.flush_target()) / f64::from(target.max(1))
            }
        };
        let priorities: Vec<f64> =
            self.lists.iter().enumerate().map(|(at, list)| priority(at, list)).collect();
        let sum: f64 = priorities.iter().sum();
        (0..)
            .zip(priorities)
            .filter(|(_, priority)| *priority > 0.0)
            .map(|(list, priority)| (list, ((priority * f64::from(depth) / sum) as u32).max(1)))
            .collect()
    }

    /// Sets quotas by what each list was used since the last time (`pgbuf_adjust_quotas`); `free` frames hold no page.
    pub(crate) fn adjust_quotas(&mut self, now: u64, free: u32) {
        let frames = self.pages.len() as u32;
        let since = now - self.adjusted_at;
        if !self.has_quotas() || since < 1_000_000 || (self.uses < u64::from(frames / 4) && since < ADJUST_NS)
        {
            return;
        }
        let low_activity = self.uses < u64::from(frames / 400);
        self.uses = 0;
        self.adjusted_at = now;
        self.age += 1;
        let (private_hits, shared_hits, activity) = self.collect_activity(since);
        let ratio = if low_activity {
            PRIVATE_RATIO.0
        } else {
            let ratio = private_hits as f64 / (private_hits + shared_hits.max(1)) as f64;
            ratio.clamp(PRIVATE_RATIO.0, PRIVATE_RATIO.1)
        };
        self.private_ratio = if since >= AVERAGED_NS {
            ratio
        } else {
            let weight = since as f64 / AVERAGED_NS as f64;
            self.private_ratio * (1.0 - weight) + ratio * weight
        };
        let all_private =
            if activity == 0 { 0 } else { (f64::from(frames - free) * self.private_ratio) as u32 };
        self.set_private_quotas(all_private, activity);
        self.set_shared_limits(frames - all_private);
    }

    /// Uses a second of private and of shared lists, and the private lists' averaged activity in all.
    fn collect_activity(&mut self, since: u64) -> (u64, u64, u64) {
        let (mut private_hits, mut shared_hits, mut total) = (0, 0, 0);
        for (at, list) in self.lists.iter_mut().enumerate() {
            let hits =
                (1_000_000_000 * u128::from(std::mem::take(&mut list.hits)) / u128::from(since)) as u64;
            if at < self.shared {
                shared_hits += hits;
                continue;
            }
            list.activity = if since >= AVERAGED_NS {
                hits
            } else {
                let sum = u128::from(AVERAGED_NS - since) * u128::from(list.activity)
                    + u128::from(since) * u128::from(hits);
                (sum / u128::from(AVERAGED_NS)) as u64
            };
            total += list.activity;
            private_hits += hits;
        }
        (private_hits, shared_hits, total)
    }

    fn set_private_quotas(&mut self, all: u32, activity: u64) {
        let half = self.pages.len() as u32 / 2;
        for at in self.shared..self.lists.len() {
            let list = &mut self.lists[at];
            let share = list.activity as f64 / activity.max(1) as f64;
            list.quota = ((share * f64::from(all)) as u32).min(HARD_QUOTA).min(half);
            list.limit1 = (f64::from(list.quota) * PRIVATE_ZONE) as u32;
            list.limit2 = list.limit1;
            if list.protected() > list.quota {
                self.adjust_zones(at as u16, 0);
            }
            if self.lists[at].zones[2] > 0 {
                self.offer(at as u16);
            }
        }
    }

    fn set_shared_limits(&mut self, pages: u32) {
        let size = f64::from((pages / self.shared as u32).max(SHARED_SIZE_MIN));
        for at in 0..self.shared {
            let list = &mut self.lists[at];
            list.limit1 = (size * self.rules.hot) as u32;
            list.limit2 = (size * self.rules.buffer) as u32;
            if list.protected() > list.limit1 + list.limit2 {
                self.adjust_zones(at as u16, 0);
            }
            if self.lists[at].zones[2] > 0 {
                self.offer(at as u16);
            }
        }
    }
}
