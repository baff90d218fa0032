//! From demands to an answer: hit rates first, then who waits for whom.

use crate::{
    Estimate,
    characteristic_time::{Used, characteristic_time},
    classes::PageClass,
    demand::{Class, Commit, Demand, Group, Writer},
    device_curve::{Asked, DeviceCurves},
    load::Load,
    network::{Solution, Station, solve},
    shape::TableShape,
};
use spindle_engine::profile::REFERENCE_CLOCK_GHZ;
use spindle_report::{Breakdown, DeviceReport, PerTransaction};
use spindle_scenario::{Scenario, Start, Stop};
use std::rc::Rc;

/// Rounds of the iteration in which writes, memory of the system and throughput find each other.
const ROUNDS: usize = 8;
/// Virtual seconds that a run which stops by confidence measures at least, and when it begins to.
const SHORTEST_S: f64 = 8.0;
const BEGINS_S: f64 = 2.0;
/// Copying a line of 16 KiB between the system's page cache and the server (`file_system.rs`).
const COPY_MS: f64 = 0.01;
const LINE_BYTES: f64 = 16_384.0;
/// Memory of system and server beside the pool (`run.rs`).
const SYSTEM_BYTES: f64 = 600e6;
const SERVER_OVERHEAD: f64 = 1.08;
/// Pages of a batch of 5.1's flush (`FREE_MARGIN` and `EXTRA_MARGIN`) and of the page cleaner's.
const USER_BATCH: f64 = 128.0;
const CLEANER_BATCH: f64 = 128.0;
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
    /// Reads a transaction that the pool does not answer.
    misses: f64,
    time: f64,
    clients: f64,
    cores: f64,
    /// Times at the reference clock into milliseconds.
    clock: f64,
    /// Whether data files go through the system's page cache, and its pages.
    cached_pages: Option<f64>,
    write_back: WriteBack,
}

/// Pages written a transaction once writing has begun, and after how many transactions it does.
#[derive(Debug, Clone, Copy, Default)]
struct WriteBack {
    pages: f64,
    after: f64,
    /// Whether the log, not frames, asks for it.
    for_log: bool,
}

/// The state of the iteration.
#[derive(Debug, Clone, Default)]
struct Round {
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
    serial: f64,
    committed: f64,
    admission: f64,
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
    let used: Vec<Used> = demand.classes.iter().flat_map(|c| c.groups.iter().map(|g| g.used())).collect();
    let time = if scenario.run.start == Start::Cold {
        f64::INFINITY
    } else {
        characteristic_time(&used, demand.frames)
    };
    let misses: f64 = used.iter().map(|u| u.visits * (1.0 - u.residency(time))).sum();
    let memory_left = scenario.machine.memory.0 as f64
        - scenario.buffer_bytes() * SERVER_OVERHEAD
        - SYSTEM_BYTES.min(scenario.machine.memory.0 as f64 / 4.0);
    let cached_pages = (!demand.direct && scenario.storage.page_cache)
        .then(|| memory_left.max(32e6) / demand.page_bytes.max(1.0));
    let question = Question {
        scenario,
        demand,
        load,
        data,
        log,
        log_apart: scenario.storage.log_device.is_some(),
        misses,
        time,
        clients: f64::from(scenario.workload.clients),
        cores: f64::from(scenario.machine.cores),
        clock: REFERENCE_CLOCK_GHZ / scenario.machine.clock_ghz / 1e6,
        cached_pages,
        write_back: write_back(demand, time),
    };
    let mut round = Round { rate: 0.1, ..Round::default() };
    for at in 0..ROUNDS {
        let next = question.solve(&round);
        // Half-way steps from the second round on, so that what feeds back on itself settles.
        let weight = if at < 2 { 1.0 } else { 0.5 };
        round = Round {
            rate: round.rate.powf(1.0 - weight) * next.rate.powf(weight),
            queue: round.queue + (next.queue - round.queue) * weight,
            ..next
        };
    }
    Some(question.report(&round))
}

/// The probability that a page is dirty when it is given up: that one of its uses since it was read changed it.
fn dirty_share(group: &Group, time: f64) -> f64 {
    let visits = group.visits - group.unread;
    if visits <= 0.0 || time.is_infinite() {
        return 0.0;
    }
    let changing = (group.changes / visits).min(1.0);
    let last = (-visits / group.pages.max(1e-9) * time).exp();
    let clean = (1.0 - changing) * last / (1.0 - (1.0 - changing) * (1.0 - last)).max(1e-12);
    1.0 - clean
}

fn write_back(demand: &Demand, time: f64) -> WriteBack {
    if demand.writer == Writer::Committer {
        return WriteBack::default();
    }
    let groups = || demand.classes.iter().flat_map(|class| &class.groups);
    let given_up: f64 = groups()
        .map(|g| (g.visits - g.unread) * (1.0 - g.used().residency(time)) * dirty_share(g, time))
        .sum();
    let by_frames = WriteBack { pages: given_up, after: time, for_log: false };
    if demand.log_bytes <= 0.0 || demand.log_capacity.is_infinite() {
        return by_frames;
    }
    // The page cleaner begins at a tenth of the log and keeps the age at about a third.
    let (begin, kept) = match demand.writer {
        Writer::Cleaner { .. } => (0.1, 0.33),
        _ => (1.0, 1.0),
    };
    let cycle = demand.log_capacity * kept / demand.log_bytes;
    let changed: f64 =
        groups().map(|g| g.pages * -(-g.changes / g.pages.max(1e-9) * cycle).exp_m1()).sum::<f64>() / cycle;
    let by_log = WriteBack {
        pages: changed.max(given_up),
        after: demand.log_capacity * begin / demand.log_bytes,
        for_log: true,
    };
    if by_log.after < by_frames.after { by_log } else { by_frames }
}

impl Question<'_> {
    /// The share of a run in which pages are written, at a rate of transactions.
    fn writing_share(&self, rate: f64) -> f64 {
        let begins = self.write_back.after / (rate * 1000.0);
        let run = &self.scenario.run;
        match run.stop {
            Stop::Duration => {
                let ends = run.duration.as_seconds();
                ((ends - begins) / (ends - 1.0).max(1.0)).clamp(0.0, 1.0)
            }
            _ => {
                if run.dirty_pages > 0 || begins < SHORTEST_S.min(run.duration.as_seconds()) {
                    1.0
                } else {
                    0.0
                }
            }
        }
    }

    /// The share of misses that the system's page cache answers, in the mean of the run: pages that were read before.
    fn cache_hits(&self, rate: f64) -> f64 {
        let Some(pages) = self.cached_pages else { return 0.0 };
        let seconds = match self.scenario.run.stop {
            Stop::Duration => self.scenario.run.duration.as_seconds() / 2.0,
            _ => 0.5 * (BEGINS_S + SHORTEST_S),
        };
        let transactions = rate * 1000.0 * seconds;
        let a_line = (LINE_BYTES / self.demand.page_bytes).max(1.0);
        let (mut hits, mut all) = (0.0, 0.0);
        let total: f64 = self.demand.classes.iter().map(Class::pages).sum();
        let room = (pages / total.max(1.0)).min(1.0);
        for group in self.demand.classes.iter().flat_map(|c| &c.groups) {
            let missed = (group.visits - group.unread) * (1.0 - group.used().residency(self.time));
            let seen = -(-missed * a_line * transactions / group.pages.max(1e-9)).exp_m1();
            hits += missed * seen * room;
            all += missed;
        }
        if all > 0.0 { hits / all } else { 0.0 }
    }

    fn solve(&self, before: &Round) -> Round {
        let rate = before.rate;
        let cache_hits = self.cache_hits(rate);
        let reads = self.misses * (1.0 - cache_hits);
        let writes = self.write_back.pages * self.writing_share(rate);
        let write_ms = self.page_write_ms(before.queue);
        let buffered = self.cached_pages.is_some();
        // What background writes take of the device.
        let write_load = if buffered {
            0.0
        } else {
            rate * (writes + self.serial_pages()) * 1000.0 / self.data.writes.at(8.0)
        };
        let left = (1.0 - write_load.min(0.95)).max(0.05);
        let read_alone = reads * 1000.0 / self.data.reads.at(1.0) / left;
        let read_rate = |k: f64| self.data.reads.at(k) / self.data.reads.at(1.0);

        let cpu_ns = self.demand.cpu_ns
            + self.misses * self.demand.page_read_ns
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
        let copies = self.misses * cache_hits * COPY_MS;
        let delay = self.scenario.workload.think_time.0 as f64 / 1e6
            + (self.demand.network_ns + self.demand.wake_up_ns) / 1e6
            + copies;
        let commit = self.load.writing * self.commit_ms(before.queue);
        let group = |k: f64| if k <= 1.0 { 1.0 } else { k / (2.0 - 1.0 / k) };
        let page_ms = (1.0 + before.queue) / self.data.writes.at(1.0 + before.queue) * 1000.0
            + self.demand.page_write_ns / 1e6;
        let serial: Vec<f64> = self.demand.serial_writes.iter().map(|often| often * page_ms).collect();
        let committed = self.demand.committed_pages * page_ms;
        let user_write = if matches!(self.demand.writer, Writer::UserThread { .. } | Writer::Backend) {
            writes * write_ms
        } else {
            0.0
        };

        let mut stations = vec![Station::new(cpu_alone, cpu_speed), Station::new(read_alone, read_rate)];
        stations.push(Station::new(commit, group));
        match self.demand.writer {
            // Flushes run one at a time.
            Writer::UserThread { .. } => stations.push(Station::single(user_write)),
            _ => stations.push(Station::new(user_write, read_rate)),
        }
        stations.push(Station::single(serial.first().copied().unwrap_or(0.0)));
        stations.push(Station::single(serial.get(1).copied().unwrap_or(0.0)));
        stations.push(Station::new(committed, |k| self.data.writes.at(k) / self.data.writes.at(1.0)));

        let (mut solution, admission) = match self.demand.admission {
            Some(places) if places < self.clients => self.admitted(&stations, delay, places),
            _ => (solve(&stations, delay, self.clients), 0.0),
        };
        // A background writer that cannot keep up makes everybody wait for frames.
        let mut starved = 0.0;
        let writer_bound = match self.demand.writer {
            Writer::Cleaner { .. } | Writer::Thread | Writer::Blocks { .. } if !buffered && writes > 0.0 => {
                1.0 / (writes * write_ms).max(1e-12)
            }
            _ => f64::INFINITY,
        };
        if solution.rate > writer_bound {
            starved = self.clients / writer_bound - self.clients / solution.rate;
            solution.rate = writer_bound;
        }
        let at = |n: usize| solution.residence_ms.get(n).copied().unwrap_or(0.0);
        Round {
            rate: solution.rate.max(1e-9),
            queue: (solution.rate * at(1)).min(self.clients),
            cache_hits,
            writes,
            residence: Residence {
                cpu: at(0),
                cpu_alone: cpu_ns * self.clock,
                read: at(1) + copies,
                log: at(2),
                free_frame: at(3) + starved,
                serial: at(4) + at(5),
                committed: at(6),
                admission,
            },
        }
    }

    /// With `places` inside the engine: the inner part as one station, which holds no more than that.
    fn admitted(&self, stations: &[Station<'_>], delay: f64, places: f64) -> (Solution, f64) {
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
        let whole = solve(&outside, delay, self.clients);
        let held = (whole.rate * whole.residence_ms[1]).min(places);
        let within = solve(&inside, 0.0, held.max(1.0));
        let scale = (held / whole.rate) / within.residence_ms.iter().sum::<f64>().max(1e-12);
        let part: Vec<f64> = within.residence_ms.iter().map(|ms| ms * scale).collect();
        let admission = (whole.residence_ms[1] - part.iter().sum::<f64>()).max(0.0);
        let residence_ms =
            vec![whole.residence_ms[0] + part[0], part[1], whole.residence_ms[2], part[2], 0.0, 0.0, 0.0];
        (Solution { rate: whole.rate, residence_ms }, admission)
    }

    fn serial_pages(&self) -> f64 {
        self.demand.serial_writes.iter().sum::<f64>() + self.demand.committed_pages
    }

    fn commit_ms(&self, queue: f64) -> f64 {
        let depth = if self.log_apart { 0.0 } else { queue };
        match self.demand.commit {
            Commit::Nothing => 0.0,
            Commit::Written => self.log.log_write_ms.at(depth),
            Commit::Durable => self.log.commit_ms.at(depth),
        }
    }

    /// Milliseconds for which the writer is occupied by a page.
    fn page_write_ms(&self, queue: f64) -> f64 {
        let data = &self.data;
        let one = (1.0 + queue) / data.writes.at(1.0 + queue) * 1000.0;
        let deep = |depth: f64| 1000.0 / data.writes.at(depth);
        let buffered = self.cached_pages.is_some();
        let log = self.log.commit_ms.at(if self.log_apart { 0.0 } else { queue });
        let cpu = self.demand.page_write_ns * self.clock;
        match self.demand.writer {
            Writer::UserThread { doublewrite, files } => {
                let twice = if doublewrite { 2.0 * data.mebibyte_ms + data.sync_ms } else { 0.0 };
                let syncs = files.min(USER_BATCH) * data.sync_ms;
                let page = if buffered { deep(WRITE_BACK_DEPTH) } else { one };
                page + cpu + (log + twice + syncs) / USER_BATCH
            }
            Writer::Cleaner { doublewrite, files } => {
                let twice = if doublewrite { 2.0 * data.mebibyte_ms + data.sync_ms } else { 0.0 };
                let syncs = files.min(CLEANER_BATCH) * data.sync_ms;
                deep(CLEANER_BATCH) + cpu + (log + twice + syncs) / CLEANER_BATCH
            }
            Writer::Thread => (if buffered { COPY_MS } else { one }) + cpu,
            Writer::Blocks { pages } => {
                let block = pages * self.demand.page_bytes / (1u64 << 20) as f64 * data.mebibyte_ms;
                let page = if buffered { deep(WRITE_BACK_DEPTH) } else { one };
                page + cpu + (block + 2.0 * data.sync_ms + log) / pages
            }
            Writer::Backend => (if buffered { COPY_MS } else { one }) + cpu,
            Writer::Committer => one,
        }
    }

    fn report(&self, round: &Round) -> Estimate {
        let tps = round.rate * 1000.0;
        let think = self.scenario.workload.think_time.0 as f64 / 1e6;
        let latency = (self.clients / round.rate - think).max(0.0);
        let parts = &round.residence;
        let mut breakdown = Breakdown::new();
        let mut put = |name: &str, ms: f64| {
            breakdown.insert(name.to_owned(), ms.max(0.0));
        };
        put("cpu", parts.cpu.min(parts.cpu_alone));
        put("cpu_queue", (parts.cpu - parts.cpu_alone).max(0.0) + self.demand.wake_up_ns / 1e6);
        put("read", parts.read);
        put("log", parts.log);
        put(if self.write_back.for_log { "checkpoint" } else { "free_frame" }, parts.free_frame);
        put(if self.write_back.for_log { "free_frame" } else { "checkpoint" }, 0.0);
        put("admission", parts.admission);
        put("page_write", parts.serial + parts.committed);
        put("network", self.demand.network_ns / 1e6);
        put("latch", 0.0);
        put("lock", 0.0);
        let sum: f64 = breakdown.values().sum();
        if sum > 0.0 {
            breakdown.values_mut().for_each(|ms| *ms *= latency / sum);
        }
        let demand = self.demand;
        let requests: f64 = demand.classes.iter().map(|c| c.requests).sum::<f64>() + demand.sure_requests;
        let reads = self.misses * (1.0 - round.cache_hits);
        let written = round.writes + self.serial_pages();
        let durable = demand.commit == Commit::Durable;
        // Commits that come together share a sync: those at the log beside the one it works for.
        let sharing = (round.rate * parts.log / self.commit_ms(round.queue).max(1e-12)).max(1.0);
        let syncs = if durable { self.load.writing / sharing } else { 0.0 };
        let cpu_ms =
            parts.cpu_alone + (demand.background_cpu_ns + round.writes * demand.page_write_ns) * self.clock;
        Estimate {
            throughput_tps: tps,
            throughput_qps: tps * f64::from(self.scenario.workload.kind.statements()),
            latency_mean_ms: latency,
            per_transaction: PerTransaction {
                page_requests: requests,
                page_reads: self.misses,
                pages_written: written,
                page_marks: 0.0,
                log_bytes: demand.log_bytes,
                log_syncs: syncs,
                log_writes: syncs,
                data_syncs: 0.0,
                cpu_ms,
            },
            hit_rate: if requests > 0.0 { (1.0 - self.misses / requests).clamp(0.0, 1.0) } else { 1.0 },
            breakdown_ms: breakdown,
            devices: self.devices(round, reads, written, syncs, cpu_ms),
            classes: self.classes(),
            notes: Vec::new(),
        }
    }

    fn devices(&self, round: &Round, reads: f64, written: f64, syncs: f64, cpu_ms: f64) -> Vec<DeviceReport> {
        let tps = round.rate * 1000.0;
        let report = |name: &str,
                      utilisation: f64,
                      reads: f64,
                      writes: f64,
                      syncs: f64,
                      read_ms: f64,
                      write_ms: f64| {
            DeviceReport {
                name: name.into(),
                utilisation: utilisation.clamp(0.0, 1.0),
                reads_per_s: reads,
                writes_per_s: writes,
                syncs_per_s: syncs,
                read_ms,
                write_ms,
            }
        };
        let busy = tps * reads / self.data.reads.at(128.0) + tps * written / self.data.writes.at(128.0);
        let log_busy = tps * syncs * self.commit_ms(round.queue) / 1000.0;
        let read_ms = if reads > 0.0 { round.residence.read / reads } else { 0.0 };
        let write_ms = 1000.0 / self.data.writes.at(1.0);
        let mut devices =
            vec![report("processor", round.rate * cpu_ms / self.cores, 0.0, 0.0, 0.0, 0.0, 0.0)];
        let (log_writes, log_syncs) = if self.log_apart { (0.0, 0.0) } else { (tps * syncs, tps * syncs) };
        let shared = if self.log_apart { 0.0 } else { log_busy };
        devices.push(report(
            "storage",
            busy + shared,
            tps * reads,
            tps * written + log_writes,
            log_syncs,
            read_ms,
            write_ms,
        ));
        if self.log_apart {
            let ms = self.log.log_write_ms.at(0.0);
            devices.push(report("log", log_busy, 0.0, tps * syncs, tps * syncs, 0.0, ms));
        }
        devices
    }

    fn classes(&self) -> Vec<PageClass> {
        let classes = self.demand.classes.iter();
        classes
            .map(|class| {
                let resident = class.groups.iter().map(|g| g.pages * g.used().residency(self.time));
                let visits: f64 = class.groups.iter().map(|g| g.visits - g.unread).sum();
                let found: f64 =
                    class.groups.iter().map(|g| (g.visits - g.unread) * g.used().residency(self.time)).sum();
                PageClass {
                    table: class.table.clone(),
                    name: class.name.clone(),
                    kind: class.kind,
                    pages: class.pages(),
                    resident_pages: resident.sum(),
                    requests: class.requests,
                    hit_rate: if visits > 0.0 { found / visits } else { 1.0 },
                }
            })
            .collect()
    }
}
