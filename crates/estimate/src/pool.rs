//! What the pool holds, reads and gives back to be written.

use crate::{
    characteristic_time::{Used, characteristic_time},
    demand::{Demand, Group, Writer},
};
use spindle_engine::rules::{FIREBIRD_USES_PER_FRAME, WARM_USES_PER_FRAME};
use spindle_scenario::{RunSpec, Start};

/// The old part of InnoDB's list (`innodb_old_blocks_pct`); uses within a page's stay from which on it is in the young
/// part more and more, and how fast: taken from runs of the simulation.
pub(crate) const OLD_SHARE: f64 = 0.37;
const YOUNG_USES: f64 = 1.1;
const YOUNG_RATE: f64 = 1.3;

/// What the pool does, as large as the tables are by then.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pool {
    /// Transactions for which a page stays after its last use.
    pub time: f64,
    /// Reads a transaction.
    pub misses: f64,
    pub write_back: WriteBack,
    /// Transactions after which the pages in use are more than the pool has room for; negative where they are already.
    pub full_after: f64,
    /// Transactions whose pages it has seen, those before the run included.
    pub seen: f64,
}

/// What a pool holds when a run begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Warmth {
    /// Chance that a page is there whether it is used or not.
    pub share: f64,
    /// Transactions whose pages have been brought in since.
    pub transactions: f64,
}

impl Warmth {
    /// As `Buffer::warm` does it: pages drawn anywhere, as many as there is room for, then uses of the load until all that
    /// matters is there. Firebird's cache begins with pages that the load uses.
    pub fn of(demand: &Demand, run: &RunSpec) -> Self {
        let pages: f64 = demand.classes.iter().map(|class| class.pages()).sum();
        let share = if demand.writer == Writer::Committer {
            0.0
        } else {
            (demand.frames_at_most / pages.max(1.0)).min(1.0)
        };
        let visits: f64 = demand.classes.iter().map(|class| class.requests).sum();
        let (uses, a_frame) = match demand.writer {
            Writer::Committer => (visits + demand.sure_requests, FIREBIRD_USES_PER_FRAME as f64),
            _ => (visits, WARM_USES_PER_FRAME as f64),
        };
        let enough = if demand.warmed { a_frame * demand.frames / uses.max(1e-9) } else { 0.0 };
        let transactions = run.warm_up.map_or(enough, |transactions| transactions as f64);
        match run.start {
            Start::Cold => Self { share: 0.0, transactions: 0.0 },
            Start::Shifted => Self { share: 0.0, transactions },
            Start::Warm => Self { share, transactions },
        }
    }
}

/// Pages written a transaction once writing has begun, and after how many transactions it does.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WriteBack {
    pub pages: f64,
    pub after: f64,
    /// Whether the log, not frames, asks for it.
    pub for_log: bool,
    /// Share of the pages around one that is written that are dirty as well.
    pub dirty: f64,
}

/// The pool when the tables have grown by a factor, with vacuum or purge finding their pages still there, and without.
pub(crate) struct Pools {
    early: Pool,
    late: Option<Pool>,
}

impl Pools {
    /// Of a pool that began in a state, after so many transactions, with tables grown by a factor.
    pub fn of(demand: &Demand, warmth: Warmth, grown: f64, transactions: f64) -> Self {
        let pool = |late| Pool::with(demand, warmth, grown, transactions, late);
        let early = pool(false);
        let late = early.time.is_finite() && demand.groups().any(|g| g.late > 0.0);
        Self { early, late: late.then(|| pool(true)) }
    }

    /// What holds at a rate of transactions a millisecond, with reads of so many milliseconds: what comes back after a page
    /// has gone reads it once more.
    pub fn at(&self, demand: &Demand, rate: f64, read_ms: f64) -> Pool {
        let Some(late) = self.late else { return self.early };
        let share = self.gone(demand, rate) * self.keeps_up(demand, rate * read_ms);
        let part = |early: f64, late: f64| early + (late - early) * share;
        let written = |of: &dyn Fn(&WriteBack) -> f64| part(of(&self.early.write_back), of(&late.write_back));
        Pool {
            time: part(self.early.time, late.time),
            misses: part(self.early.misses, late.misses),
            write_back: WriteBack {
                pages: written(&|w| w.pages),
                dirty: written(&|w| w.dirty),
                after: written(&|w| w.after),
                ..self.early.write_back
            },
            ..self.early
        }
    }

    /// The chance that a page that nobody has used meanwhile has gone when vacuum or purge comes back to it. A change has
    /// to wait for the rest of its block of the log, and for those of the block that vacuum takes first: half of it to
    /// one and a half.
    fn gone(&self, demand: &Demand, rate: f64) -> f64 {
        let stays = self.early.time - demand.late_after_s * rate * 1000.0;
        if demand.late_after_transactions > 0.0 {
            (1.5 - stays / demand.late_after_transactions).clamp(0.0, 1.0)
        } else {
            f64::from(u8::from(stays < 0.0))
        }
    }

    /// The share of what is to be done later that gets done: where one task does it, as much as its reads let it, and it is
    /// left ever further behind by whoever changes more.
    fn keeps_up(&self, demand: &Demand, reading: f64) -> f64 {
        let Some(late) = self.late.filter(|_| demand.late_in_turn) else { return 1.0 };
        let busy = (late.misses - self.early.misses) * reading;
        if busy > 1.0 { 1.0 / busy } else { 1.0 }
    }
}

/// Pages of a group nobody comes back to.
const NEVER_AGAIN: f64 = 1e15;

impl Pool {
    fn with(demand: &Demand, warmth: Warmth, grown: f64, transactions: f64, late: bool) -> Self {
        let mut used: Vec<Used> = demand.groups().map(|g| grown_group(g, grown, late).used()).collect();
        let active: f64 = used.iter().filter(|u| u.visits > 0.0).map(|u| u.pages).sum();
        let filled = active + demand.fresh_pages * transactions;
        let room = demand.frames_at_most.max(1.0);
        used.push(Used { pages: NEVER_AGAIN, visits: demand.fresh_pages });
        let time = if filled <= room { f64::INFINITY } else { characteristic_time(&used, demand.frames) };
        used.pop();
        let seen = warmth.transactions + transactions;
        let absent = |u: &Used| {
            if seen < time {
                (1.0 - warmth.share) * (1.0 - u.residency(seen))
            } else {
                1.0 - u.residency(time)
            }
        };
        let misses = used.iter().map(|u| u.visits * absent(u)).sum();
        let full_after = (room - filled) / (demand.fresh_pages + active / grown * demand.growth).max(1e-12);
        Self { time, misses, write_back: write_back(demand, time, grown, late), full_after, seen }
    }
}

/// The probability that a page is dirty when it is given up: that one of its uses since it was read changed it.
fn dirty_share(group: &Group, time: f64) -> f64 {
    let visits = group.visits - group.unread;
    if visits <= 0.0 || time.is_infinite() {
        return 0.0;
    }
    let changing = (group.changes / visits).min(1.0);
    let last = libm::exp(-visits / group.pages.max(1e-9) * time);
    let clean = (1.0 - changing) * last / (1.0 - (1.0 - changing) * (1.0 - last)).max(1e-12);
    1.0 - clean
}

/// A group of pages when the tables have grown by a factor.
fn grown_group(group: &Group, grown: f64, late: bool) -> Group {
    let more = if late { group.late } else { 0.0 };
    Group {
        pages: if group.pages > 16.0 { group.pages * grown } else { group.pages },
        visits: group.visits + more,
        changes: group.changes + more,
        ..*group
    }
}

fn write_back(demand: &Demand, time: f64, grown: f64, late: bool) -> WriteBack {
    if demand.writer == Writer::Committer {
        return WriteBack { after: f64::INFINITY, ..WriteBack::default() };
    }
    let groups = || {
        demand
            .classes
            .iter()
            .flat_map(|class| &class.groups)
            .map(move |group| grown_group(group, grown, late))
    };
    let given_up: f64 = groups()
        .map(|g| (g.visits - g.unread) * (1.0 - g.used().residency(time)) * dirty_share(&g, time))
        .sum();
    let lost: f64 = groups().map(|g| (g.visits - g.unread) * (1.0 - g.used().residency(time))).sum();
    // 5.1 writes the dirty neighbours of a page at the old end as well, wherever in the old part they are: pages that are
    // changed again are written more often than they are given up.
    let given_up = match demand.writer {
        Writer::UserThread { .. } if time.is_finite() => {
            let old = OLD_SHARE * time;
            let uses = |g: &Group| g.used().visits / g.pages.max(1e-9) * time;
            let stays_young = |g: &Group| libm::exp(-YOUNG_RATE * (uses(g) - YOUNG_USES).max(0.0));
            let written = |g: Group| {
                g.pages * -libm::expm1(-g.changes / g.pages.max(1e-9) * old) / old * stays_young(&g)
            };
            groups().map(written).sum::<f64>().max(given_up)
        }
        _ => given_up,
    };
    // A page that was made and not used again goes as well.
    let fresh = if time.is_finite() { demand.fresh_pages } else { 0.0 };
    let by_frames =
        WriteBack { pages: given_up + fresh, after: time, for_log: false, dirty: given_up / lost.max(1e-12) };
    if demand.log_bytes <= 0.0 || demand.log_capacity.is_infinite() {
        return by_frames;
    }
    // The page cleaner begins at a tenth of the log and lets it grow to more than half.
    let (begin, kept) = match demand.writer {
        Writer::Cleaner(_) => (0.1, 0.6),
        _ => (1.0, 1.0),
    };
    let cycle = demand.log_capacity * kept / demand.log_bytes;
    let changed: f64 =
        groups().map(|g| g.pages * -libm::expm1(-g.changes / g.pages.max(1e-9) * cycle)).sum::<f64>() / cycle;
    let changing: f64 = groups().filter(|g| g.changes > 0.0).map(|g| g.pages).sum();
    let by_log = WriteBack {
        dirty: changed * cycle / changing.max(1.0),
        pages: changed.max(given_up) + fresh,
        after: demand.log_capacity * begin / demand.log_bytes,
        for_log: true,
    };
    if by_log.after < by_frames.after { by_log } else { by_frames }
}
