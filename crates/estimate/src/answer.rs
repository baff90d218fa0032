//! From demands to an answer: hit rates first, then who waits for whom.

mod report;

use crate::{
    Estimate,
    demand::{Commit, Demand, Writer},
    device_curve::{Asked, DeviceCurves},
    load::Load,
    network::{Solution, Station, solve},
    pool::{Pool, WriteBack},
    shape::TableShape,
};
use spindle_device::{COPY_NS_PER_LINE, LINE_BYTES, Model};
use spindle_engine::{profile::REFERENCE_CLOCK_GHZ, rules};
use spindle_scenario::{Scenario, Stop};
use std::rc::Rc;

/// Growth or speed-up that a run which stops by confidence does not take for chance.
const NOTICEABLE: f64 = 1.15;
/// Points in time at which a run is looked at while the system's page cache fills.
const FILLING_STEPS: u32 = 4;
/// Rounds of the iteration in which writes, memory of the system and throughput find each other.
const ROUNDS: usize = 14;
/// Virtual seconds that a run which stops by confidence measures at least, and when it begins to.
const SHORTEST_S: f64 = 8.0;
const BEGINS_S: f64 = 2.0;
/// Copying a line between the system's page cache and the server.
const COPY_MS: f64 = COPY_NS_PER_LINE as f64 / 1e6;
/// Longest run of neighbours.
const RUN_PAGES: f64 = rules::INNODB_NEIGHBOUR_RUN as f64;
/// Pages of a batch of 5.1's flush (`FREE_MARGIN` and `EXTRA_MARGIN`, in two parts) and of the page cleaner's.
const USER_BATCH: f64 = 93.0;
const CLEANER_BATCH: f64 = rules::MARIADB_DOUBLEWRITE_PAGES as f64;
/// How sharply a hot row's lock bounds throughput.
const LOCK_POWER: f64 = 3.0;
/// Depth at which the kernel writes back what is synced.
const WRITE_BACK_DEPTH: f64 = 64.0;

/// Everything that does not change from round to round.
struct Question<'a> {
    scenario: &'a Scenario,
    demand: &'a Demand,
    load: &'a Load,
    data: Rc<DeviceCurves>,
    log: Rc<DeviceCurves>,
    /// Whether the log has a device of its own.
    log_apart: bool,
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
    /// Share of misses that the system's page cache answers.
    cache_hits: f64,
    /// Pages written a transaction, as far as the run gets to writing.
    writes: f64,
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

pub(crate) fn answer(
    scenario: &Scenario,
    demand: &Demand,
    tables: &[TableShape],
    load: &Load,
) -> Option<Estimate> {
    let span = 2.0 * tables.iter().map(|t| t.bytes).sum::<f64>();
    let asked =
        Asked::of(scenario, span, demand.page_bytes as u32, demand.log_block, demand.log_bytes.max(64.0));
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
        clients: f64::from(scenario.workload.clients),
        cores: f64::from(scenario.machine.cores),
        clock: REFERENCE_CLOCK_GHZ / scenario.machine.clock_ghz / 1e6,
        cached_pages,
    };
    let round = question.settle();
    Some(question.report(&round))
}

/// Seconds after which a cache of `room` requests is full that gets `inflow` a second and gives `outflow`.
fn full_after(inflow: f64, outflow: f64, room: f64) -> f64 {
    if inflow > outflow { room / (inflow - outflow) } else { f64::INFINITY }
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
    /// The run as it goes on: with the system's page cache it gets faster as pages come into it.
    fn settle(&self) -> Round {
        let Some(cached) = self.cached_pages else { return self.iterate(0.0) };
        let cold = self.iterate(0.0);
        if cold.pool.misses <= 0.0 {
            return cold;
        }
        let total: f64 = self.demand.groups().filter(|g| g.visits > 0.0).map(|g| g.pages).sum();
        let room = (cached / total.max(1.0)).min(1.0);
        let warm = self.iterate(room);
        // While the device is the bottleneck it fills the cache at its own rate.
        let a_line = (LINE_BYTES as f64 / self.demand.page_bytes).max(1.0);
        let depth = cold.queue.max(1.0);
        let filled_s =
            total * room / (self.data.reads.at(depth).min(cold.rate * 1000.0 * cold.pool.misses) * a_line);
        let ends = self.scenario.run.duration.as_seconds();
        let early = (SHORTEST_S.min(ends) / filled_s).min(1.0);
        let seen = self.scenario.run.stop != Stop::Confidence
            || self.iterate(room * early).rate > cold.rate * NOTICEABLE * NOTICEABLE;
        let (begins, ends) =
            if seen && filled_s > BEGINS_S { (BEGINS_S, ends) } else { (BEGINS_S, SHORTEST_S.min(ends)) };
        if filled_s <= begins {
            return warm;
        }
        let mut mean = cold.clone();
        let rates: Vec<f64> = (0..FILLING_STEPS)
            .map(|step| {
                let at = begins + (ends - begins) * (f64::from(step) + 0.5) / f64::from(FILLING_STEPS);
                let share = (at / filled_s).min(1.0) * room;
                let there = self.iterate(share);
                let rate = there.rate;
                mean = there;
                rate
            })
            .collect();
        let rate = rates.iter().sum::<f64>() / rates.len() as f64;
        // The parts of the transactions' time, most of which end when it is fast.
        let share = (rate - cold.rate) / (warm.rate - cold.rate).max(1e-12);
        Round { rate, ..self.iterate_at(room * share.clamp(0.0, 1.0), mean) }
    }

    fn iterate(&self, cache_hits: f64) -> Round {
        self.iterate_at(cache_hits, Round { rate: 0.1, ..Round::default() })
    }

    fn iterate_at(&self, cache_hits: f64, from: Round) -> Round {
        let mut round = from;
        for at in 0..ROUNDS {
            let next = self.solve(&round, cache_hits);
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

    /// The share of a run in which pages are written, at a rate of transactions.
    fn writing_share(&self, rate: f64, write_back: WriteBack) -> f64 {
        let at_once = self.scenario.run.dirty_pages > 0;
        if at_once { 1.0 } else { self.share_after(write_back.after / (rate * 1000.0)) }
    }

    /// The share of the measured time that lies behind a change after so many seconds. A run that stops by confidence
    /// does not see what comes late, and goes on to its end once it has seen a change.
    fn share_after(&self, seconds: f64) -> f64 {
        let run = &self.scenario.run;
        let ends = run.duration.as_seconds();
        let (begins, seen) = match run.stop {
            Stop::Confidence => (BEGINS_S.min(ends / 2.0), SHORTEST_S.min(ends)),
            _ => (0.0, ends),
        };
        if seconds >= seen { 0.0 } else { ((ends - seconds) / (ends - begins)).clamp(0.0, 1.0) }
    }

    /// Rows in the middle of the run over those at its beginning.
    fn grown(&self, rate: f64) -> f64 {
        let run = &self.scenario.run;
        let grown = |seconds: f64| 1.0 + self.demand.growth * rate * 1000.0 * seconds;
        let ends = run.duration.as_seconds();
        match run.stop {
            Stop::Confidence if grown(SHORTEST_S) < NOTICEABLE => grown(0.5 * (BEGINS_S + SHORTEST_S)),
            _ => grown(0.5 * ends),
        }
    }

    fn solve(&self, before: &Round, cache_hits: f64) -> Round {
        let rate = before.rate;
        let pool = Pool::of(self.demand, self.grown(rate), rate);
        let reads = pool.misses * (1.0 - cache_hits);
        let writes = pool.write_back.pages * self.writing_share(rate, pool.write_back);
        let buffered = self.cached_pages.is_some();
        // What background writes take of the device.
        let lasting = self.lasting_share(rate * 1000.0 * (writes + self.demand.committed_pages));
        let write_rate = |k: f64| {
            1.0 / ((1.0 - lasting) / self.data.writes.at(k) + lasting / self.data.lasting_writes.at(k))
        };
        let write_load = if buffered { 0.0 } else { rate * writes * 1000.0 / write_rate(8.0) };
        let write_ms = self.page_write_ms(rate, before.queue, pool.write_back.dirty, &write_rate);
        let left = (1.0 - write_load.min(0.95)).max(0.05);
        let programs = self.program_wait_ms(rate * (writes + self.serial_pages()));
        let read_alone = reads * (1000.0 / self.data.reads.at(1.0) / left + programs);
        let read_rate = |k: f64| self.data.reads.at(k) / self.data.reads.at(1.0);

        let cpu_ns = self.demand.cpu_ns
            + pool.misses * self.demand.page_read_ns
            + if self.demand.commit == Commit::Nothing {
                0.0
            } else {
                self.load.writing * self.demand.log_wait_ns
            };
        let background = (self.demand.background_cpu_ns + writes * self.demand.page_write_ns) * self.clock;
        let contention = self.scenario.engine.contention;
        let cores = (self.cores - rate * background).max(0.1 * self.cores);
        let cpu_speed = move |k: f64| {
            let busy = k.min(cores);
            busy / (1.0 + contention * (busy - 1.0).max(0.0))
        };
        let cpu_alone = cpu_ns * self.clock;
        let copies = pool.misses * cache_hits * COPY_MS;
        let delay = self.scenario.workload.think_time.0 as f64 / 1e6
            + (self.demand.network_ns + self.demand.wake_up_ns) / 1e6
            + copies;
        let commit = self.load.writing * self.commit_ms(rate, before.queue);
        let group = |k: f64| if k <= 1.0 { 1.0 } else { k / (2.0 - 1.0 / k) };
        // Whoever holds a page under a lock writes it alone, in its place of the disk, beside what others ask of that disk.
        let beside = (1.0 + before.queue) * self.data.reads.at(1.0) / self.data.reads.at(1.0 + before.queue);
        let rewrite = self.rewrite_ms(rate) * beside + self.demand.page_write_ns / 1e6;
        let under_lock = |at: usize| self.demand.serial_writes.get(at).map_or(0.0, |often| often * rewrite);
        let committed = self.demand.committed_pages;
        let committed_ms = committed * (1000.0 / write_rate(1.0) + self.demand.page_write_ns / 1e6);
        let user_write = if matches!(self.demand.writer, Writer::UserThread { .. } | Writer::Backend) {
            writes * write_ms
        } else {
            0.0
        };

        let mut stations = vec![Station::new(cpu_alone, cpu_speed), Station::new(read_alone, read_rate)];
        stations.push(Station::new(commit, group));
        match self.demand.writer {
            // Flushes run one at a time, and nobody else goes on meanwhile: see below.
            Writer::UserThread { .. } => stations.push(Station::single(0.0)),
            _ => stations.push(Station::new(user_write, read_rate)),
        }
        stations.push(Station::new(committed_ms, |k| write_rate(k) / write_rate(1.0)));
        stations.push(Station::single(under_lock(0)));
        stations.push(Station::single(under_lock(1)));

        let (mut solution, admission) = match self.demand.admission {
            Some(places) if places < self.clients => self.admitted(&stations, delay, places),
            _ => (solve(&stations, delay, self.clients), 0.0),
        };
        // A background writer that cannot keep up makes everybody wait for frames.
        let mut starved = 0.0;
        let writer_bound = match self.demand.writer {
            Writer::Cleaner { .. } | Writer::Thread | Writer::Blocks { .. } if writes > 0.0 => {
                1.0 / (writes * write_ms).max(1e-12)
            }
            _ => f64::INFINITY,
        };
        if matches!(self.demand.writer, Writer::UserThread { .. }) && user_write > 0.0 {
            // While a batch is written everybody who needs a frame waits for its end; then its frames are used up.
            let alternating = 1.0 / (1.0 / solution.rate + user_write);
            starved = self.clients / alternating - self.clients / solution.rate;
            solution.rate = alternating;
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
        if self.demand.hottest_row > 0.0 {
            // Who holds the hottest row keeps it to the end of its commit.
            let held = cpu_alone + solution.residence_ms[2];
            let bound = 1.0 / (self.demand.hottest_row * held);
            let pull = |rate: f64| libm::pow(rate, -LOCK_POWER);
            let joined = libm::pow(pull(solution.rate) + pull(bound), -1.0 / LOCK_POWER);
            locked = self.clients / joined - self.clients / solution.rate;
            solution.rate = joined;
        }
        let at = |n: usize| solution.residence_ms.get(n).copied().unwrap_or(0.0);
        Round {
            pool,
            rate: solution.rate.max(1e-9),
            queue: (solution.rate * (at(1) + at(4))).min(self.clients),
            cache_hits,
            writes,
            residence: Residence {
                cpu: at(0),
                cpu_alone: cpu_ns * self.clock,
                read: at(1) + copies,
                log: at(2),
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
            sleepers = 0.5 * (sleepers + full);
            whole = solve(&outside, delay + sleepers * sleep_ms * self.load.count, self.clients);
        }
        let held = (whole.rate * whole.residence_ms[1]).min(places);
        let within = solve(&inside, 0.0, held.max(1.0));
        let scale = (held / whole.rate) / within.residence_ms.iter().sum::<f64>().max(1e-12);
        let part: Vec<f64> = within.residence_ms.iter().map(|ms| ms * scale).collect();
        let admission = (whole.residence_ms[1] - part.iter().sum::<f64>()).max(0.0)
            + sleepers * sleep_ms * self.load.count;
        let residence_ms =
            vec![whole.residence_ms[0] + part[0], part[1], whole.residence_ms[2], part[2], 0.0, 0.0, 0.0];
        (Solution { rate: whole.rate, residence_ms }, admission)
    }

    /// Milliseconds that a read waits for a program on its die, at so many page writes a millisecond: half a program for
    /// the share of time in which a die is programmed (`Ssd::sense`).
    fn program_wait_ms(&self, writes: f64) -> f64 {
        let device = &self.scenario.storage.device;
        let Ok(Model::Ssd(ssd)) = device.model() else { return 0.0 };
        if self.cached_pages.is_some() && !self.demand.direct && self.demand.writer != Writer::Committer {
            return 0.0;
        }
        let dies = f64::from(ssd.channels * ssd.dies_per_channel) * self.groups_of_devices();
        let flash_pages = (self.demand.page_bytes / ssd.flash_page.0.max(1) as f64).ceil();
        let spare = (1.0 + ssd.over_provisioning - device.written_share) / device.written_share.max(1e-3);
        let amplification = ((1.0 + spare) / (2.0 * spare)).max(1.0);
        let program_ms = ssd.program.0 as f64 / 1e6;
        let programmed = (writes * flash_pages * amplification * program_ms / dies).min(1.0);
        programmed * program_ms / 2.0
    }

    /// Devices over which requests are spread.
    fn groups_of_devices(&self) -> f64 {
        let device = &self.scenario.storage.device;
        f64::from(device.count / device.raid.copies(device.count).max(1)).max(1.0)
    }

    /// Milliseconds of a write of the page under a lock, of which one device of an array has to keep up.
    fn rewrite_ms(&self, rate: f64) -> f64 {
        let (quick, lasting) = (self.data.rewrite_ms, self.data.lasting_rewrite_ms);
        let often: f64 = self.demand.serial_writes.iter().sum();
        if lasting <= quick || often <= 0.0 || self.joins_writes() {
            return quick;
        }
        let room = self.data.cached_pages / self.groups_of_devices();
        let full = self.share_after(full_after(rate * often * 1000.0, 1000.0 / lasting, room));
        1.0 / ((1.0 - full) / quick + full / lasting)
    }

    /// Whether a cache takes a second write of the same place for the first.
    fn joins_writes(&self) -> bool {
        let device = &self.scenario.storage.device;
        device.controller_cache.as_ref().is_some_and(|cache| cache.battery)
            || matches!(device.model(), Ok(Model::Hdd(disk)) if disk.write_cache.0 > 0)
    }

    fn serial_pages(&self) -> f64 {
        self.demand.serial_writes.iter().sum::<f64>() + self.demand.committed_pages
    }

    /// The share of the run in which the data device's caches are full, at so many page writes a second.
    fn lasting_share(&self, writes: f64) -> f64 {
        let changing: f64 = self.demand.groups().filter(|g| g.changes > 0.0).map(|g| g.pages).sum();
        if self.joins_writes() && changing < self.data.cached_pages {
            return 0.0;
        }
        self.share_after(full_after(writes, self.data.lasting_writes.at(64.0), self.data.cached_pages))
    }

    fn commit_ms(&self, rate: f64, queue: f64) -> f64 {
        let depth = if self.log_apart { 0.0 } else { queue };
        let (quick, lasting) = match self.demand.commit {
            Commit::Nothing => return 0.0,
            Commit::Written => (self.log.log_write_ms.at(depth), self.log.lasting_log_write_ms),
            Commit::Durable => (self.log.commit_ms.at(depth), self.log.lasting_commit_ms),
        };
        if lasting <= quick {
            return quick;
        }
        let flushes = (rate * self.load.writing).min(1.0 / quick.max(1e-9)) * 1000.0;
        let full = self.share_after(full_after(flushes, 1000.0 / lasting, self.log.cached_pages));
        1.0 / ((1.0 - full) / quick + full / lasting)
    }

    /// Milliseconds for which the writer is occupied by a page.
    fn page_write_ms(&self, rate: f64, queue: f64, dirty: f64, write_rate: &dyn Fn(f64) -> f64) -> f64 {
        let data = &self.data;
        // Neighbours that are dirty as well go along in one run.
        let run = (1.0 / (1.0 - dirty.min(0.99))).min(RUN_PAGES);
        let in_runs = |ms: f64| ms / run + data.next_write_ms.min(ms) * (1.0 - 1.0 / run);
        let one = (1.0 + queue) / write_rate(1.0 + queue) * 1000.0;
        let deep = |depth: f64| 1000.0 / write_rate(depth);
        let buffered = self.cached_pages.is_some();
        let log =
            self.log.commit_ms.at(if self.log_apart { 0.0 } else { queue }).max(self.commit_ms(rate, queue));
        let cpu = self.demand.page_write_ns * self.clock;
        match self.demand.writer {
            Writer::UserThread { doublewrite, files } => {
                let twice = if doublewrite { 2.0 * data.mebibyte_ms + data.sync_ms } else { 0.0 };
                let syncs = files.min(USER_BATCH) * data.sync_ms;
                let page = if buffered { COPY_MS + in_runs(deep(WRITE_BACK_DEPTH)) } else { in_runs(one) };
                page + cpu + (log + twice + syncs) / USER_BATCH
            }
            Writer::Cleaner { doublewrite, files } => {
                let twice = if doublewrite { 2.0 * data.mebibyte_ms + data.sync_ms } else { 0.0 };
                let syncs = files.min(CLEANER_BATCH) * data.sync_ms;
                in_runs(deep(CLEANER_BATCH)) + cpu + (log + twice + syncs) / CLEANER_BATCH
            }
            Writer::Thread => {
                let round = (self.demand.frames * rules::CUBRID_FLUSH_ROUND).max(8.0);
                (if buffered { COPY_MS } else { one }) + cpu + log / round
            }
            Writer::Blocks { pages } => {
                let block = pages * self.demand.page_bytes / (1u64 << 20) as f64 * data.mebibyte_ms;
                let page = if buffered { deep(WRITE_BACK_DEPTH) } else { one };
                page + cpu + (block + 2.0 * data.sync_ms + log) / pages
            }
            Writer::Backend => (if buffered { COPY_MS } else { one }) + cpu,
            Writer::Committer => one,
        }
    }
}
