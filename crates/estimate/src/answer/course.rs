//! The course of a run: stages that end where something changes, each solved by itself and weighted by its time. Caches of
//! devices fill, the log gets long or the pool dirty enough for writing to begin, the system's page cache fills, tables grow.

use super::{Question, Residence, Round, destage::Cache};
use crate::{
    demand::{Commit, Writer},
    pool::{OLD_SHARE, Pool, WriteBack},
};
use spindle_device::LINE_BYTES;
use spindle_scenario::Stop;

/// Stages at most; the last one takes what is left of the run.
const STAGES: usize = 14;
/// Parts in which a cache that answers more and more is filled.
const FILLING_STEPS: f64 = 6.0;
/// Halvings in which the point is found at which a cache is filled as fast as it is emptied.
const BALANCING_STEPS: usize = 5;
/// Growth of the tables in one stage.
const GROWTH_STEP: f64 = 0.15;
/// Transactions of a stage over those that a pool which is still being filled has seen, and misses a transaction from
/// which on it counts as one.
const SEEN_STEP: f64 = 0.4;
const COLD_MISSES: f64 = 1e-3;
/// Images of pages over other log from which on they count.
const IMAGES: f64 = 0.1;
/// Shortest stage, as a share of the run: what passes faster is part of the next.
const SHORTEST_SHARE: f64 = 1e-3;
/// A run that stops by confidence begins to measure after so many virtual seconds and transactions a client, and
/// measures so many seconds at least (`Run::end_of_second`).
const BEGINS_S: f64 = 2.0;
const BEGINS_TRANSACTIONS: f64 = 10.0;
const MEASURES_S: f64 = 6.0;
/// Seconds for which a throughput has to be seen to say how well it is known.
const BATCHES_S: f64 = 4.0;
/// How many times its precision a run is from being known that begins to measure anew (`Run::measure_anew`).
const FAR_FROM_KNOWN: f64 = 2.0;
/// Batches whose means say how well the throughput is known, and Student's t for them (`relative_half_width`).
const BATCHES: usize = 20;
const STUDENT_T: f64 = 2.093;
/// Variance of a number of transactions over its mean: half of that of a Poisson process, whose clients know nothing of
/// each other; in a closed network those who have just ended cannot end again.
const DISPERSION: f64 = 0.5;

/// How far a run has come.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Progress {
    pub transactions: f64,
    /// Pages that wait in the caches of the data device.
    pub data_pages: f64,
    /// The same of the device of an array that holds the pages written under a lock.
    pub serial_pages: f64,
    /// Log flushes that wait in the caches of the log's device.
    pub log_flushes: f64,
    /// Share of the pages in use that the system's page cache holds.
    pub cached: f64,
}

/// A stage of a run: seconds from its start to its end, and what happens meanwhile.
#[derive(Debug, Clone)]
struct Stage {
    from: f64,
    to: f64,
    round: Round,
}

/// Growth of each part of [`Progress`], a second.
type Flows = Progress;

impl Question<'_> {
    /// The run as its Report would see it: the mean of the stages that are measured. And the transactions that have ended
    /// when measuring begins, and when it ends.
    pub(super) fn course(&self) -> (Round, (f64, f64)) {
        let stages = self.stages();
        let (begins, ends) = self.measured(&stages);
        let within = |stage: &Stage| (stage.to.min(ends) - stage.from.max(begins)).max(0.0);
        let parts: Vec<(f64, &Round)> = stages.iter().map(|stage| (within(stage), &stage.round)).collect();
        (mean(&parts), (ended_by(&stages, begins), ended_by(&stages, ends)))
    }

    fn stages(&self) -> Vec<Stage> {
        let ends = self.scenario.run.duration.as_seconds();
        let cached = if self.demand.file_cache_warmed { self.page_cache_room() } else { 0.0 };
        let mut progress = Progress { cached, ..Progress::default() };
        let mut stages: Vec<Stage> = Vec::new();
        let mut round = Round { rate: 0.1, ..Round::default() };
        // Pages that waited before, and by how many a second they grew.
        let mut before: Option<(f64, f64)> = None;
        let mut balanced = false;
        let mut from = 0.0;
        while from < ends {
            round = self.iterate(&progress, &round);
            let mut flows = self.flows(&progress, &round);
            if let Some((pages, grew)) = before.filter(|(pages, grew)| {
                !balanced
                    && !self.data_full(&progress)
                    && (progress.data_pages - pages) * grew > 0.0
                    && grew * flows.data_pages < 0.0
            }) {
                (progress, round) = self.balance(progress, pages, grew, round);
                balanced = true;
            }
            before = Some((progress.data_pages, flows.data_pages));
            let halt = |flows: Flows, balanced: bool| {
                if balanced { Flows { data_pages: 0.0, ..flows } } else { flows }
            };
            flows = halt(self.flows(&progress, &round), balanced);
            let last = stages.len() + 1 >= STAGES;
            let step = self.next_change(&progress, &flows, &round).max(ends * SHORTEST_SHARE);
            let to = if last { ends } else { (from + step).min(ends) };
            let half = self.after(&progress, &flows, 0.5 * (to - from));
            if self.moves(&progress, &half, &round) {
                let there = self.iterate(&half, &round);
                let turns = self.waiting_grows_by(&half, &there) * flows.data_pages < 0.0;
                if turns && !balanced && self.cache == Cache::Controller && !self.data_full(&half) {
                    (progress, round) = self.balance(half, progress.data_pages, flows.data_pages, there);
                    balanced = true;
                } else {
                    round = there;
                }
            }
            progress = self.after(&progress, &halt(self.flows(&progress, &round), balanced), to - from);
            stages.push(Stage { from, to, round: round.clone() });
            from = to;
        }
        stages
    }

    /// Where what waits in the caches has grown past the point at which it would shrink, or the other way round: that point.
    fn balance(&self, progress: Progress, pages: f64, grew: f64, round: Round) -> (Progress, Round) {
        let (mut there, mut beyond) = (pages, progress.data_pages);
        let (mut progress, mut round) = (progress, round);
        for _ in 0..BALANCING_STEPS {
            progress.data_pages = 0.5 * (there + beyond);
            round = self.iterate(&progress, &round);
            if self.waiting_grows_by(&progress, &round) * grew > 0.0 {
                there = progress.data_pages;
            } else {
                beyond = progress.data_pages;
            }
        }
        (progress, round)
    }

    /// Whether what happens changes little by little between two points.
    fn moves(&self, before: &Progress, after: &Progress, round: &Round) -> bool {
        after.cached - before.cached > 0.01
            || (self.joins_writes() && (after.data_pages - before.data_pages).abs() > 0.01 * self.data_room())
            || (round.pool.full_after < 0.0 && self.grown(after) / self.grown(before) > 1.02)
            || self.is_cold(round)
            || self.logs_images(round)
    }

    /// Seconds until something begins, is full, or has changed noticeably.
    fn next_change(&self, progress: &Progress, flows: &Flows, round: &Round) -> f64 {
        let until = |now: f64, then: f64, flow: f64| {
            if flow > 0.0 && then > now { (then - now) / flow } else { f64::INFINITY }
        };
        let room = self.page_cache_room();
        let part = self.data_room() / FILLING_STEPS;
        let waits = (progress.data_pages + part).min(self.data_room());
        // What shrinks shrinks by as much at a time.
        let shrinks = if self.joins_writes() { progress.data_pages.min(part) } else { f64::INFINITY };
        let step = (progress.cached + room / FILLING_STEPS).min(room);
        // Growth does not matter before the pool is full; once it is, what it has seen does not.
        let pool = &round.pool;
        let grows = if pool.full_after > 0.0 {
            pool.full_after * 1.001
        } else {
            GROWTH_STEP * self.grown(progress) / self.demand.growth.max(1e-12)
        };
        // Ever fewer pages have not changed yet.
        let images = if self.logs_images(round) {
            0.5 * (self.changes_come_around() + progress.transactions)
        } else {
            f64::INFINITY
        };
        let warms = if self.is_cold(round) { SEEN_STEP * pool.seen.max(self.clients) } else { f64::INFINITY };
        [
            until(progress.transactions, round.pool.write_back.after, flows.transactions),
            until(
                progress.data_pages,
                if self.joins_writes() { waits } else { self.data_room() },
                flows.data_pages,
            ),
            until(0.0, shrinks, -flows.data_pages),
            until(progress.serial_pages, self.serial_room(), flows.serial_pages),
            until(progress.log_flushes, self.log_room(), flows.log_flushes),
            until(progress.cached, step, flows.cached),
            until(
                progress.transactions,
                if self.cached_pages.is_some() { self.stays_once_read(round) } else { f64::INFINITY },
                flows.transactions,
            ),
            until(0.0, grows, flows.transactions),
            until(0.0, warms, flows.transactions),
            until(0.0, images, flows.transactions),
        ]
        .into_iter()
        .fold(f64::INFINITY, f64::min)
    }

    fn flows(&self, progress: &Progress, round: &Round) -> Flows {
        let rate = round.rate * 1000.0;
        let written = rate * (round.writes + self.demand.committed_pages);
        let serial = rate * self.demand.serial_writes.iter().sum::<f64>();
        let groups = self.groups_of_devices();
        let reads = rate * round.pool.misses * (1.0 - round.cache_hits);
        let total: f64 = self.demand.groups().filter(|g| g.visits > 0.0).map(|g| g.pages).sum();
        let a_line = (LINE_BYTES as f64 / self.demand.page_bytes).max(1.0);
        Flows {
            transactions: rate,
            data_pages: self.waiting_grows_by(progress, round),
            serial_pages: if self.joins_writes() {
                0.0
            } else {
                serial + written / groups - 1000.0 / self.data.lasting_rewrite_ms
            },
            log_flushes: 1000.0 * (self.log_flushes(round) - 1.0 / self.lasting_flush_ms()),
            // What has been read is asked of the system again only once it has left the pool.
            cached: if self.cached_pages.is_some()
                && progress.transactions >= self.stays_once_read(round) * (1.0 - 1e-9)
            {
                reads * a_line / total.max(1.0)
            } else {
                0.0
            },
        }
    }

    fn after(&self, progress: &Progress, flows: &Flows, seconds: f64) -> Progress {
        let to = |now: f64, flow: f64, most: f64| (now + flow * seconds).clamp(0.0, most.max(0.0));
        // What is full stays full: it was filled faster than it drains.
        let fill =
            |now: f64, flow: f64, most: f64| if is_full(now, most) { now } else { to(now, flow, most) };
        Progress {
            transactions: progress.transactions + flows.transactions * seconds,
            data_pages: fill(progress.data_pages, flows.data_pages, self.data_room()),
            serial_pages: fill(progress.serial_pages, flows.serial_pages, self.serial_room()),
            log_flushes: fill(progress.log_flushes, flows.log_flushes, self.log_room()),
            cached: to(progress.cached, flows.cached, self.page_cache_room()),
        }
    }

    /// Transactions for which a page stays that is not used again after it was read: InnoDB puts it in front of the old part,
    /// and CUBRID's lists with quotas soon give up what a client has read.
    fn stays_once_read(&self, round: &Round) -> f64 {
        match self.demand.writer {
            Writer::UserThread { .. } | Writer::Cleaner(_) => OLD_SHARE * round.pool.time,
            Writer::Blocks { .. } => 0.0,
            _ => round.pool.time,
        }
    }

    /// Whether the pool is still being filled with pages that it needs.
    fn is_cold(&self, round: &Round) -> bool {
        round.pool.seen < round.pool.time && round.pool.misses > COLD_MISSES
    }

    /// Whether images of pages are a good part of the log.
    fn logs_images(&self, round: &Round) -> bool {
        round.images > IMAGES * self.demand.log_bytes
    }

    /// Transactions after which a page that changes has changed once, on average.
    fn changes_come_around(&self) -> f64 {
        let changes: f64 = self.demand.groups().map(|g| g.changes).sum();
        self.changing_pages() / changes.max(1e-12)
    }

    /// Whether changed pages are written back by now.
    pub(super) fn writes_back(&self, progress: &Progress, write_back: &WriteBack) -> bool {
        self.scenario.run.dirty_pages > 0 || progress.transactions >= write_back.after * (1.0 - 1e-9)
    }

    /// Rows there are over those at the beginning.
    pub(super) fn grown(&self, progress: &Progress) -> f64 {
        1.0 + self.demand.growth * progress.transactions
    }

    pub(super) fn data_full(&self, progress: &Progress) -> bool {
        is_full(progress.data_pages, self.data.cached_pages)
    }

    pub(super) fn serial_full(&self, progress: &Progress) -> bool {
        is_full(progress.serial_pages, self.serial_room())
    }

    pub(super) fn log_full(&self, progress: &Progress) -> bool {
        is_full(progress.log_flushes, self.log_room())
    }

    /// Pages that may wait in the data device's caches: all that change, where a second write joins the first.
    fn data_room(&self) -> f64 {
        let room = self.data.cached_pages;
        if self.joins_writes() { room.min(self.changing_pages()) } else { room }
    }

    pub(super) fn changing_pages(&self) -> f64 {
        self.demand.groups().filter(|g| g.changes > 0.0).map(|g| g.pages).sum()
    }

    fn serial_room(&self) -> f64 {
        self.data.cached_pages / self.groups_of_devices()
    }

    /// Flushes of the log that its device's caches take.
    fn log_room(&self) -> f64 {
        match self.demand.commit {
            Commit::Durable => self.log.cached_commits,
            _ => self.log.cached_log_writes,
        }
    }

    /// Share of the pages in use for which the system's page cache has room.
    fn page_cache_room(&self) -> f64 {
        let total: f64 = self.demand.groups().filter(|g| g.visits > 0.0).map(|g| g.pages).sum();
        self.cached_pages.map_or(0.0, |pages| (pages / total.max(1.0)).min(1.0))
    }

    /// From when to when a run is measured.
    fn measured(&self, stages: &[Stage]) -> (f64, f64) {
        let run = &self.scenario.run;
        let ends = run.duration.as_seconds();
        if run.stop != Stop::Confidence {
            return (0.0, ends);
        }
        let settled = BEGINS_TRANSACTIONS * self.clients;
        let mut begins = BEGINS_S;
        while begins < ends && ended_by(stages, begins) < settled {
            begins += 1.0;
        }
        let mut begins = begins.min(ends / 2.0);
        let mut until = begins + MEASURES_S;
        while until < ends {
            if self.half_width(stages, begins, until) <= run.precision {
                break;
            }
            if until + MEASURES_S <= ends && self.is_hidden(stages, begins, until) {
                (begins, until) = (until, until + MEASURES_S.max(until / 4.0));
            } else {
                until += 1.0;
            }
        }
        (begins, until.min(ends))
    }

    /// Whether the throughput is far from being known, although what follows a change in the first half of what was measured is
    /// known well enough by itself. Chance is left out: long transactions end more evenly than `dispersion` has it.
    fn is_hidden(&self, stages: &[Stage], begins: f64, until: f64) -> bool {
        let off = |from| STUDENT_T * libm::sqrt(between(stages, from, until)) / self.scenario.run.precision;
        let last = (until - BATCHES_S).min((begins + until) / 2.0);
        let mut changes = stages.iter().map(|stage| stage.from).filter(|from| (begins..=last).contains(from));
        !self.scenario.writes() && off(begins) > FAR_FROM_KNOWN && changes.any(|from| off(from) <= 1.0)
    }

    /// Half-width of the confidence interval of the throughput between two times: from what the stages differ and from chance.
    fn half_width(&self, stages: &[Stage], begins: f64, ends: f64) -> f64 {
        let whole = ended_by(stages, ends) - ended_by(stages, begins);
        STUDENT_T
            * libm::sqrt(between(stages, begins, ends) + self.dispersion(stages, begins) / whole.max(1e-9))
    }

    /// Variance of the number of transactions over its mean: at least that of a network's departures, and more where few
    /// transactions wait for a read and those long. With m reads a transaction, exponentially spread, that make up a share s
    /// of its time, the variance of that time is 2 s²/m of its mean's square.
    fn dispersion(&self, stages: &[Stage], begins: f64) -> f64 {
        let there = stages.iter().find(|stage| stage.to > begins).or(stages.last());
        let Some(Stage { round, .. }) = there else { return DISPERSION };
        let reads = round.pool.misses * (1.0 - round.cache_hits);
        let share = round.residence.read * round.rate / self.clients;
        DISPERSION * (2.0 * share * share / reads.max(1e-9)).max(1.0)
    }
}

fn is_full(now: f64, most: f64) -> bool {
    most > 0.0 && now >= most * (1.0 - 1e-9)
}

/// Variance of the mean throughput between two times over its square, from what the stages differ.
fn between(stages: &[Stage], begins: f64, ends: f64) -> f64 {
    if stages.len() < 2 {
        return 0.0;
    }
    let at = |batch: usize| begins + (ends - begins) * batch as f64 / BATCHES as f64;
    let ended: Vec<f64> = (0..=BATCHES).map(|batch| ended_by(stages, at(batch))).collect();
    let mean = (ended[BATCHES] - ended[0]) / BATCHES as f64;
    let spread: f64 = ended.windows(2).map(|pair| pair[1] - pair[0] - mean).map(|off| off * off).sum();
    spread / (BATCHES * (BATCHES - 1)) as f64 / (mean * mean).max(1e-12)
}

/// Transactions that have ended by a time.
fn ended_by(stages: &[Stage], time: f64) -> f64 {
    stages.iter().map(|s| (time.min(s.to) - s.from).max(0.0) * s.round.rate * 1000.0).sum()
}

/// What happens on average: rates by time, what a transaction meets by transactions.
fn mean(parts: &[(f64, &Round)]) -> Round {
    let seconds: f64 = parts.iter().map(|(seconds, _)| seconds).sum();
    let transactions: f64 = parts.iter().map(|(seconds, round)| seconds * round.rate).sum();
    let longest = parts.iter().max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, round)| *round);
    let Some(longest) = longest.filter(|_| seconds > 0.0 && transactions > 0.0) else {
        return parts.last().map(|(_, round)| (*round).clone()).unwrap_or_default();
    };
    let by_time = |of: &dyn Fn(&Round) -> f64| parts.iter().map(|(s, r)| s * of(r)).sum::<f64>() / seconds;
    let each = |of: &dyn Fn(&Round) -> f64| {
        parts.iter().map(|(s, r)| s * r.rate * of(r)).sum::<f64>() / transactions
    };
    let misses = each(&|r| r.pool.misses);
    let found = each(&|r| r.pool.misses * r.cache_hits);
    Round {
        pool: Pool { misses, ..longest.pool },
        rate: transactions / seconds,
        queue: by_time(&|r| r.queue),
        read_ms: longest.read_ms,
        cache_hits: if misses > 0.0 { found / misses } else { 0.0 },
        writes: each(&|r| r.writes),
        commit_ms: each(&|r| r.commit_ms),
        images: each(&|r| r.images),
        waiting: longest.waiting,
        residence: Residence {
            cpu: each(&|r| r.residence.cpu),
            cpu_alone: each(&|r| r.residence.cpu_alone),
            read: each(&|r| r.residence.read),
            log: each(&|r| r.residence.log),
            free_frame: each(&|r| r.residence.free_frame),
            forced: each(&|r| r.residence.forced),
            admission: each(&|r| r.residence.admission),
            lock: each(&|r| r.residence.lock),
        },
    }
}
