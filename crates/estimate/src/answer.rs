//! From demands to an answer: hit rates first, then who waits for whom.

mod course;
mod destage;
mod programs;
mod report;
mod writing;

use crate::{
    Estimate,
    demand::{Commit, Demand, Writer},
    device_curve::{Asked, DeviceCurves},
    load::Load,
    network::{Solution, Station, solve},
    pool::{Pool, Pools, Warmth},
    shape::TableShape,
};
use course::Progress;
use destage::{Cache, Waiting};
use spindle_device::COPY_NS_PER_LINE;
use spindle_engine::{profile::REFERENCE_CLOCK_GHZ, rules};
use spindle_scenario::Scenario;
use std::rc::Rc;

/// Rounds of the iteration in which writes, memory of the system and throughput find each other.
const ROUNDS: usize = 14;
/// Copying a line between the system's page cache and the server.
const COPY_MS: f64 = COPY_NS_PER_LINE as f64 / 1e6;
/// How long a deadlock goes unnoticed.
const DEADLOCK_MS: f64 = rules::POSTGRESQL_DEADLOCK_TIMEOUT_NS as f64 / 1e6;
/// How sharply a hot row's lock bounds throughput.
const LOCK_POWER: f64 = 3.0;

/// Everything that does not change from round to round.
struct Question<'a> {
    scenario: &'a Scenario,
    demand: &'a Demand,
    load: &'a Load,
    data: Rc<DeviceCurves>,
    log: Rc<DeviceCurves>,
    /// Whether the log has a device of its own.
    log_apart: bool,
    /// Whose memory takes writes of pages first.
    cache: Cache,
    /// What the pool holds at the beginning.
    warmth: Warmth,
    clients: f64,
    cores: f64,
    /// Times at the reference clock into milliseconds.
    clock: f64,
    /// Whether data files go through the system's page cache, and its pages.
    cached_pages: Option<f64>,
}

/// The state of the iteration.
#[derive(Debug, Clone, Default)]
struct Round {
    pool: Pool,
    /// Transactions a millisecond.
    rate: f64,
    /// Requests at the data device on average.
    queue: f64,
    /// Milliseconds of a read.
    read_ms: f64,
    /// Share of misses that the system's page cache answers.
    cache_hits: f64,
    /// Pages written back a transaction.
    writes: f64,
    /// Milliseconds of a flush of the log.
    commit_ms: f64,
    /// Bytes of images of pages that a transaction logs.
    images: f64,
    /// What the caches of the data device answer.
    waiting: Waiting,
    residence: Residence,
}

#[derive(Debug, Clone, Default)]
struct Residence {
    cpu: f64,
    cpu_alone: f64,
    read: f64,
    log: f64,
    free_frame: f64,
    forced: f64,
    admission: f64,
    lock: f64,
}

/// The answer, and how many transactions have ended when measuring begins, and when it ends.
pub(crate) fn answer(
    scenario: &Scenario,
    demand: &Demand,
    tables: &[TableShape],
    load: &Load,
) -> Option<(Estimate, (f64, f64))> {
    let span = 2.0 * tables.iter().map(|t| t.bytes).sum::<f64>();
    let asked = Asked::of(scenario, span, demand);
    let (data, log) = (asked[0].curves()?, asked[1].curves()?);
    let cached_pages = (!demand.direct && scenario.storage.page_cache)
        .then(|| scenario.page_cache_bytes() / demand.page_bytes.max(1.0));
    let question = Question {
        scenario,
        demand,
        load,
        data,
        log,
        log_apart: scenario.storage.log_device.is_some(),
        warmth: Warmth::of(demand, &scenario.run),
        cache: Cache::of(&scenario.storage.device),
        clients: f64::from(scenario.workload.clients),
        cores: f64::from(scenario.machine.cores),
        clock: REFERENCE_CLOCK_GHZ / scenario.machine.clock_ghz / 1e6,
        cached_pages,
    };
    let (round, measured) = question.course();
    Some((question.report(&round), measured))
}

/// The chance that at least `least` of `n` clients are at a place where each is with a probability.
fn at_least(least: f64, n: f64, probability: f64) -> f64 {
    // By the normal law with the correction for whole numbers; exact enough for a mean of more than a few.
    let (mean, deviation) = (n * probability, libm::sqrt(n * probability * (1.0 - probability)));
    if deviation <= 0.0 {
        return f64::from(u8::from(mean >= least));
    }
    0.5 * libm::erfc((least - 0.5 - mean) / deviation / std::f64::consts::SQRT_2)
}

impl Question<'_> {
    /// What the run does at a point of its course, found from what it did just before.
    fn iterate(&self, progress: &Progress, from: &Round) -> Round {
        let pools = Pools::of(self.demand, self.warmth, self.grown(progress), progress.transactions);
        let waiting = self.waiting(progress, &pools.at(self.demand, from.rate, from.read_ms));
        let mut round = Round { waiting, ..from.clone() };
        for at in 0..ROUNDS {
            let next = self.solve(&round, progress, &pools);
            let settled =
                (next.rate / round.rate - 1.0).abs() < 1e-3 && (next.queue - round.queue).abs() < 0.05;
            // Half-way steps from the third round on, so that what feeds back on itself settles.
            let weight = if at < 2 { 1.0 } else { 0.5 };
            round = Round {
                rate: round.rate * libm::pow(next.rate / round.rate, weight),
                queue: round.queue + (next.queue - round.queue) * weight,
                ..next
            };
            if settled {
                break;
            }
        }
        round
    }

    fn solve(&self, before: &Round, progress: &Progress, pools: &Pools) -> Round {
        let rate = before.rate;
        let pool = pools.at(self.demand, rate, before.read_ms);
        let cache_hits = progress.cached;
        // What others have just written is still in the system's cache.
        let again = if self.cached_pages.is_some() { 0.0 } else { self.demand.refreshed_pages };
        let misses = pool.misses * (1.0 - cache_hits) + again;
        let writes = if self.writes_back(progress, &pool.write_back) { pool.write_back.pages } else { 0.0 };
        // What background writes take of the device.
        let write_rate = |k: f64| self.write_rate(progress, &before.waiting, k);
        let write_ms = self.page_write_ms(progress, before, pool.write_back.dirty);
        let load = self.device_load(progress, before, misses, writes);
        let reads = misses * (1.0 - load.found);
        let written = rate * (writes + self.serial_pages());
        let programs = self.program_wait_ms(before, rate * reads, written);
        // A read that begins where the last one ended costs a disk no positioning, if nobody came between: no other read, and
        // no write that the drive puts down in an idle moment.
        let writes_a_read = written / (rate * reads).max(1e-12);
        let undisturbed = (1.0 - writes_a_read).max(0.0) / before.queue.max(1.0);
        let following = undisturbed * self.demand.following_pages / self.demand.heap_pages.max(1e-9);
        let anywhere_ms = 1000.0 / self.data.reads.at(1.0);
        let read_ms = anywhere_ms + (self.data.next_read_ms.min(anywhere_ms) - anywhere_ms) * following;
        let read_alone =
            reads * (read_ms / load.left() + programs) + reads * self.destage_wait_ms(progress, before);
        let read_rate = |k: f64| self.data.reads.at(k) / self.data.reads.at(1.0);

        let cpu_ns = self.demand.cpu_ns
            + (pool.misses + self.demand.refreshed_pages) * self.demand.page_read_ns
            + if self.demand.commit == Commit::Nothing {
                0.0
            } else {
                self.load.writing * self.demand.log_wait_ns
            };
        let background = (self.demand.background_cpu_ns + writes * self.demand.page_write_ns) * self.clock;
        let contention = self.scenario.engine.contention;
        let all = if self.demand.in_turn { 1.0 } else { self.cores };
        let cores = (all - rate * background).max(0.1 * all);
        let cpu_speed = move |k: f64| {
            let busy = k.min(cores);
            busy / (1.0 + contention * (busy - 1.0).max(0.0))
        };
        let cpu_alone = cpu_ns * self.clock;
        let copies = (pool.misses * cache_hits + self.demand.refreshed_pages - again) * COPY_MS;
        let delay = self.scenario.workload.think_time.0 as f64 / 1e6
            + (self.demand.network_ns + self.demand.wake_up_ns) / 1e6
            + copies;
        let images = self.demand.logged_images(progress.transactions);
        let commit_ms =
            self.commit_ms(progress, before.queue) + self.drain_ms(&load) + self.more_log_ms(before, images);
        let commit = self.load.writing * commit_ms;
        // Who comes to a flush waits for the one under way and then for its own, with all who have come meanwhile. Of two
        // stages one after the other those who leave the first come to the second together: only the longer one makes
        // them wait for others.
        let binary_log_ms = self.binary_log_ms(before.queue);
        let shares = |longer: bool| move |k: f64| (if longer { 0.5 * k } else { k }).max(1.0);
        let under_lock = self.under_lock_ms(progress, before, &load);
        let committed = self.demand.committed_pages;
        let through = self.demand.write_through || self.cached_pages.is_none();
        let page_ms = if through { 1000.0 / write_rate(1.0) } else { COPY_MS };
        let committed_ms = committed * (page_ms + self.demand.page_write_ns / 1e6);
        let user_write = if matches!(self.demand.writer, Writer::UserThread { .. } | Writer::Backend) {
            writes * write_ms
        } else {
            0.0
        };

        // Where no cache takes what is committed, it waits for the same device as reads do.
        let (beside, committed_apart) =
            if self.absorbs() { (0.0, committed_ms) } else { (committed_ms, 0.0) };
        let mut stations =
            vec![Station::new(cpu_alone, cpu_speed), Station::new(read_alone + beside, read_rate)];
        stations.push(Station::new(commit, shares(commit_ms >= binary_log_ms)));
        match self.demand.writer {
            // Flushes run one at a time, and nobody else goes on meanwhile: see below.
            Writer::UserThread { .. } => stations.push(Station::single(0.0)),
            _ => stations.push(Station::new(user_write, read_rate)),
        }
        stations.push(Station::new(committed_apart, |k| write_rate(k) / write_rate(1.0)));
        stations.extend(under_lock.map(Station::single));
        stations.push(Station::new(self.load.writing * binary_log_ms, shares(binary_log_ms > commit_ms)));

        let (mut solution, mut admission) = match self.demand.admission {
            Some(places) if places < self.clients => self.admitted(&stations, delay, places),
            _ => (solve(&stations, delay, self.clients), 0.0),
        };
        if beside > 0.0 {
            let part = solution.residence_ms[1] * beside / (read_alone + beside);
            solution.residence_ms[1] -= part;
            solution.residence_ms[4] += part;
        }
        // Commits that share a flush end together and come to the processor together: each finds half of the others there.
        let together = (solution.rate * self.load.writing * commit_ms).min(self.clients);
        let burst = 0.5 * (together - 1.0).max(0.0) * cpu_alone / cpu_speed(self.clients);
        let more = (burst - (solution.residence_ms[0] - cpu_alone).max(0.0)).max(0.0);
        if more > 0.0 {
            solution.residence_ms[0] += more;
            solution.rate = 1.0 / (1.0 / solution.rate + more / self.clients);
        }
        // A background writer that cannot keep up makes everybody wait for frames.
        let mut starved = 0.0;
        let writer_bound = match self.demand.writer {
            Writer::Cleaner(_) | Writer::Thread | Writer::Blocks { .. } if writes > 0.0 => {
                1.0 / (writes * write_ms).max(1e-12)
            }
            _ => f64::INFINITY,
        };
        if matches!(self.demand.writer, Writer::UserThread { .. }) && user_write > 0.0 {
            // While a batch is written everybody who needs a frame waits for its end; then its frames are used up.
            let alternating = 1.0 / (1.0 / solution.rate + user_write);
            starved = self.clients / alternating - self.clients / solution.rate;
            solution.rate = alternating;
            // Who waits for a frame does so in the engine; those for whom it has no place wait for one.
            let inside = self.demand.admission.unwrap_or(self.clients) / (starved * alternating).max(1e-12);
            let outside = starved * (1.0 - inside.min(1.0));
            (starved, admission) = (starved - outside, admission + outside);
        }
        if solution.rate > writer_bound {
            starved = self.clients / writer_bound - self.clients / solution.rate;
            solution.rate = writer_bound;
        }
        // However places and stations are cut, cores do not work faster than all of them together.
        let cores_bound = if cpu_alone > 0.0 { cpu_speed(self.clients) / cpu_alone } else { f64::INFINITY };
        if solution.rate > cores_bound {
            if let Some(cpu) = solution.residence_ms.first_mut() {
                *cpu += self.clients / cores_bound - self.clients / solution.rate;
            }
            solution.rate = cores_bound;
        }
        let mut locked = 0.0;
        if self.demand.row_locks.taken > 0.0 {
            // Who is handed the hottest row is so at the end of the commit of whoever had it, keeps it for half of its work
            // and its own commit, and until a deadlock is noticed.
            let waiting = (rate * before.residence.lock).min(self.clients - 1.0);
            let held = 0.5 * cpu_alone + commit + self.demand.row_locks.deadlock(waiting) * DEADLOCK_MS;
            let bound = 1.0 / (self.demand.row_locks.hottest() * held);
            let pull = |rate: f64| libm::pow(rate, -LOCK_POWER);
            let joined = libm::pow(pull(solution.rate) + pull(bound), -1.0 / LOCK_POWER);
            locked = self.clients / joined - self.clients / solution.rate;
            solution.rate = joined;
        }
        let at = |n: usize| solution.residence_ms.get(n).copied().unwrap_or(0.0);
        // Cores that hinder each other work longer: that is no waiting for one.
        let busy = (solution.rate * at(0)).min(cores);
        let hindered = 1.0 + contention * (busy - 1.0).max(0.0);
        Round {
            read_ms: if reads > 0.0 { at(1) / reads } else { 0.0 },
            pool,
            rate: solution.rate.max(1e-9),
            queue: (solution.rate * (at(1) + at(4))).min(self.clients),
            cache_hits,
            writes,
            commit_ms,
            images,
            waiting: before.waiting,
            residence: Residence {
                cpu: at(0),
                cpu_alone: cpu_alone * hindered,
                read: at(1) + copies,
                log: at(2) + at(7),
                free_frame: at(3) + starved,
                forced: at(4) + at(5) + at(6),
                admission,
                lock: locked,
            },
        }
    }

    /// With `places` inside the engine: the inner part as one station, which holds no more than that.
    fn admitted(&self, stations: &[Station<'_>], delay: f64, places: f64) -> (Solution, f64) {
        let sleep_ms = rules::INNODB_THREAD_SLEEP_DELAY_NS as f64 / 1e6;
        let share_inside =
            if self.demand.cpu_ns > 0.0 { self.demand.inside_ns / self.demand.cpu_ns } else { 0.0 };
        let cpu = &stations[0];
        let inside = [
            Station::new(cpu.demand_ms * share_inside, &*cpu.speed),
            Station::new(stations[1].demand_ms, &*stations[1].speed),
            Station::new(stations[3].demand_ms, &*stations[3].speed),
        ];
        let rates: Vec<f64> = (1..=places as usize).map(|n| solve(&inside, 0.0, n as f64).rate).collect();
        let alone = rates.first().copied().unwrap_or(1.0);
        let speed = |k: f64| {
            let at = (k.max(1.0) as usize).min(rates.len()) - 1;
            rates.get(at).copied().unwrap_or(alone) / alone
        };
        let outside = [
            Station::new(cpu.demand_ms * (1.0 - share_inside), &*cpu.speed),
            Station::new(1.0 / alone, speed),
            Station::new(stations[2].demand_ms, &*stations[2].speed),
            Station::new(stations[7].demand_ms, &*stations[7].speed),
        ];
        // Who finds all places taken sleeps before it queues; how many do depends on how many sleep.
        let (mut sleepers, mut whole) = (0.0, solve(&outside, delay, self.clients));
        for _ in 0..ROUNDS {
            let there = (whole.rate * whole.residence_ms[1] / self.clients).min(1.0);
            let mut full = at_least(places, self.clients - 1.0, there);
            // Commits that end together send everybody to the door at once; who has slept wakes with the others.
            let awake = self.clients / whole.rate - sleepers * sleep_ms * self.load.count;
            if stations[2].demand_ms > 0.0 && awake < sleep_ms {
                full = full.max(1.0 - places / self.clients);
            }
            let more = 0.5 * (full - sleepers);
            if more.abs() < 1e-3 {
                break;
            }
            sleepers += more;
            whole = solve(&outside, delay + sleepers * sleep_ms * self.load.count, self.clients);
        }
        let held = (whole.rate * whole.residence_ms[1]).min(places);
        let within = solve(&inside, 0.0, held.max(1.0));
        let scale = (held / whole.rate) / within.residence_ms.iter().sum::<f64>().max(1e-12);
        let part: Vec<f64> = within.residence_ms.iter().map(|ms| ms * scale).collect();
        let admission = (whole.residence_ms[1] - part.iter().sum::<f64>()).max(0.0)
            + sleepers * sleep_ms * self.load.count;
        let [cpu, commit, binary_log] = [0, 2, 3].map(|at| whole.residence_ms[at]);
        let residence_ms = vec![cpu + part[0], part[1], commit, part[2], 0.0, 0.0, 0.0, binary_log];
        (Solution { rate: whole.rate, residence_ms }, admission)
    }
}
