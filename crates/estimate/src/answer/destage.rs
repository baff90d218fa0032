//! What waits in the caches of devices to be written, and what that means to reads and syncs.

use super::{Question, Round, course::Progress};
use crate::{
    characteristic_time::Used,
    demand::{Commit, Writer},
    pool::Pool,
};
use spindle_device::{DESTAGE_DEPTH, DeviceSpec, MERGED_BYTES_MAX, Model};

/// Depth of a busy device's queue, and the one at which a cache is emptied.
const BUSY_DEPTH: f64 = 8.0;
const DESTAGE: f64 = 64.0;
/// Width about a half, as a share of the cache, in which it goes to and fro.
const PRESSED_BAND: f64 = 0.05;
/// Share of a device's time that whoever comes in between gets at least.
const LEAST_LEFT: f64 = 0.03;

/// Whose memory takes writes before the medium does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cache {
    /// A controller's with a battery: syncs need not wait, reads go first while it is less than half full (`Array::pump`).
    Controller,
    /// A disk's own: it is emptied beside reads from the first write on, and a sync waits until it is.
    Disk,
    /// A solid-state drive's without capacitors: a sync waits until it is programmed.
    Drive,
    /// None, or one that nobody notices.
    Nobody,
}

impl Cache {
    pub fn of(device: &DeviceSpec) -> Self {
        let battery = device.controller_cache.as_ref().is_some_and(|cache| cache.battery && cache.size.0 > 0);
        match device.model() {
            _ if battery => Self::Controller,
            Ok(Model::Hdd(disk)) if disk.write_cache.0 > 0 => Self::Disk,
            Ok(Model::Ssd(drive)) if !drive.power_loss_protection => Self::Drive,
            _ => Self::Nobody,
        }
    }
}

/// What the pages that wait in caches spare the device.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Waiting {
    /// Share of the pages written that take the place of one that waits.
    pub joined: f64,
    /// Share of the pages read that wait.
    found: f64,
}

/// What the data device is asked for: utilisation, and what caches make of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct DeviceLoad {
    /// Share of the reads that a controller answers because the page waits there to be written.
    pub found: f64,
    /// Share of the device's time that reads take.
    pub reading: f64,
    /// Share that writes in the background take.
    pub writing: f64,
    /// Pages that the caches take in a second, those that take the place of their former content left out.
    pub fresh: f64,
}

impl DeviceLoad {
    /// Share of the device's time that is left to whoever does not belong to the background.
    pub fn left(&self) -> f64 {
        (1.0 - self.writing).max(LEAST_LEFT)
    }
}

impl Question<'_> {
    /// What the data device is asked for at a rate of transactions that read and write back so many pages each.
    pub(super) fn device_load(
        &self,
        progress: &Progress,
        before: &Round,
        misses: f64,
        writes: f64,
    ) -> DeviceLoad {
        let deep = BUSY_DEPTH * self.groups_of_devices();
        let rate = before.rate * 1000.0;
        let Waiting { joined, found } = before.waiting;
        let reading = (rate * misses * (1.0 - found) / self.data.reads.at(deep)).min(1.0);
        let background = if self.cached_pages.is_some() { 0.0 } else { rate * writes };
        let committed = rate * self.demand.committed_pages;
        let fresh = (background + committed) * (1.0 - joined);
        // What a user's thread writes and syncs it has waited for, with everybody else (`Question::solve`).
        let waited_for = matches!(self.demand.writer, Writer::UserThread { .. }) && self.sync_empties_cache();
        let written = match self.cache {
            _ if waited_for => 0.0,
            // What was committed has not been waited for.
            Cache::Controller | Cache::Disk => {
                fresh / (self.data.lasting_writes.at(deep) * self.run_pages(progress))
            }
            _ => background / self.write_rate(progress, &before.waiting, BUSY_DEPTH),
        };
        let writing = match self.cache {
            Cache::Controller => {
                let share = self.destage_share(progress, before, misses * (1.0 - found));
                self.pressed(progress) * written.min(share)
            }
            _ => written,
        };
        DeviceLoad { found, reading, writing, fresh }
    }

    /// The chance that none of so many clients reads from a device of the array, each by itself.
    fn idle_of(&self, clients: f64, before: &Round) -> f64 {
        libm::pow(1.0 - self.reads_at_member(before) / self.clients, clients)
    }

    fn idle(&self, before: &Round) -> f64 {
        self.idle_of(self.clients, before)
    }

    fn reads_at_member(&self, before: &Round) -> f64 {
        let members = f64::from(self.scenario.storage.device.count.max(1));
        (before.rate * before.residence.read / members).min(self.clients)
    }

    /// Share of the time in which a controller's cache is more than half full: where it would fill with what is written in
    /// idle moments and empty with what is written beside reads, it goes to and fro about its half.
    fn pressed(&self, progress: &Progress) -> f64 {
        let filled = progress.data_pages / self.data.cached_pages.max(1.0);
        (0.5 + (filled - 0.5) / PRESSED_BAND).clamp(0.0, 1.0)
    }

    /// Share of its devices' time in which a controller writes what it holds: what reads leave of it, because a device is
    /// given work whenever it has no read; and at least its part of the queue once the cache is half full. Before that a
    /// device that is seldom without a read writes no more than it is given then: for as long as it has none, and
    /// several pages more each time, which it writes when reads have come again.
    fn destage_share(&self, progress: &Progress, before: &Round, misses: f64) -> f64 {
        let members = f64::from(self.scenario.storage.device.count.max(1));
        let (queue, depth) = (self.reads_at_member(before), f64::from(DESTAGE_DEPTH));
        let together = members * (queue + self.idle(before) * depth).max(1.0);
        let reading = before.rate * 1000.0 * misses / self.data.reads.at(together);
        let left = (1.0 - reading).max(0.0);
        let beside_reads = left.max(depth / (depth + queue));
        let groups = self.groups_of_devices();
        let several_ms = 1000.0 * groups * depth / self.data.lasting_writes.at(depth * groups);
        let idling = left.min(self.idle(before) * (1.0 + before.rate * misses / members * several_ms));
        let pressed = self.pressed(progress);
        pressed * beside_reads + (1.0 - pressed) * idling
    }

    /// Milliseconds that a read waits for what a controller had a device write while nobody read from it. Of what waits for
    /// long it gives a device several pages at a time, and a read comes after half of them, since the device takes
    /// requests in the order of their places; what it can write at once, and the pages written under a lock, which lie on
    /// one of the devices, are under way for the share of time that they take.
    pub(super) fn destage_wait_ms(&self, progress: &Progress, before: &Round) -> f64 {
        if self.cache != Cache::Controller {
            return 0.0;
        }
        let groups = self.groups_of_devices();
        let rate = before.rate * 1000.0;
        let waiting = (progress.data_pages / groups).min(f64::from(DESTAGE_DEPTH));
        let write = |depth: f64| 1000.0 * groups / self.data.lasting_writes.at(depth.max(1.0) * groups);
        let written = rate * (before.writes + self.demand.committed_pages) * (1.0 - before.waiting.joined);
        let rewrite = self.data.bare_rewrite_ms;
        let locked = rate * self.demand.serial_writes.iter().sum::<f64>() * rewrite / 1000.0;
        let several = 0.5 * waiting * write(waiting);
        let at_once = 0.5 * write(1.0) * (written * write(1.0) / groups / 1000.0).min(1.0);
        // Who comes to read finds the others there, not itself.
        (1.0 - self.pressed(progress))
            * self.idle_of(self.clients - 1.0, before)
            * (several + at_once + rewrite * locked.min(1.0) / groups)
    }

    /// Pages a second by which what waits in the data device's caches grows.
    pub(super) fn waiting_grows_by(&self, progress: &Progress, round: &Round) -> f64 {
        let reads = round.pool.misses * (1.0 - round.cache_hits);
        let load = self.device_load(progress, round, reads, round.writes);
        let share = match self.cache {
            Cache::Controller => self.destage_share(progress, round, reads * (1.0 - load.found)),
            _ => 1.0,
        };
        let rate = round.rate * 1000.0;
        let taken = match self.cache {
            Cache::Controller | Cache::Disk => load.fresh,
            _ => rate * (round.writes + self.demand.committed_pages),
        };
        taken - self.data.lasting_writes.at(DESTAGE) * self.run_pages(progress) * share
    }

    /// Pages that a controller writes in one piece: those that wait side by side, of as many as wait of all that change.
    fn run_pages(&self, progress: &Progress) -> f64 {
        if self.cache != Cache::Controller {
            return 1.0;
        }
        let longest = f64::from(MERGED_BYTES_MAX) / self.demand.page_bytes;
        let alone = 1.0 - progress.data_pages / self.changing_pages().max(1.0);
        (1.0 / alone.max(1e-9)).clamp(1.0, longest.max(1.0))
    }

    /// Of the pages written, the share that takes the place of one that waits; of the pages read, the share that waits
    /// here. A cache is emptied in the order of places, round after round (`Destage::take`): how long a round takes
    /// follows from how much waits.
    pub(super) fn waiting(&self, progress: &Progress, pool: &Pool) -> Waiting {
        if !self.joins_writes() || progress.data_pages < 1.0 {
            return Waiting::default();
        }
        let time = pool.time;
        let at_commit = self.demand.writer == Writer::Committer;
        let lost = |visits: f64, pages: f64| {
            if time.is_finite() { visits * libm::exp(-visits / pages.max(1e-9) * time) } else { 0.0 }
        };
        let written: Vec<Used> = self
            .demand
            .groups()
            .map(|g| {
                let visits = g.used().visits;
                let often = if at_commit || time.is_infinite() {
                    g.changes
                } else {
                    lost(visits, g.pages) * g.changes.min(visits) / visits.max(1e-12)
                };
                Used { pages: g.pages, visits: often }
            })
            .collect();
        let most: f64 = written.iter().filter(|w| w.visits > 0.0).map(|w| w.pages).sum();
        let round = round_time(&written, progress.data_pages.min(0.999 * most));
        let sum = |of: &dyn Fn(usize) -> f64| (0..written.len()).map(of).sum::<f64>();
        let all = sum(&|at| written[at].visits);
        let joined = sum(&|at| written[at].visits * waits(rate(&written[at]) * round)) / all.max(1e-12);
        // What the system's page cache does not have it gave up long after it was written.
        if self.cache != Cache::Controller || time.is_infinite() || self.cached_pages.is_some() {
            return Waiting { joined, found: 0.0 };
        }
        let groups: Vec<Used> = self.demand.groups().map(|g| g.used()).collect();
        let changed: Vec<f64> =
            self.demand.groups().map(|g| (g.changes / g.used().visits.max(1e-12)).min(1.0)).collect();
        let missed = |at: usize| lost(groups[at].visits, groups[at].pages);
        let here = |at: usize| {
            // Of pages that are not in the pool: written at commit, longer ago than the pool remembers; or when given up.
            let again = rate(&groups[at]);
            if at_commit {
                let left = (round - time).max(0.0);
                left / round.max(1e-12) * waits(again * left)
            } else {
                // Pages are away for times that are exponentially spread, and so is how long they have been.
                changed[at] * waits(again * round)
            }
        };
        let all = sum(&missed);
        Waiting { joined, found: sum(&|at| missed(at) * here(at)) / all.max(1e-12) }
    }

    /// Whether the data device takes a write without the time that it needs for it.
    pub(super) fn absorbs(&self) -> bool {
        self.cache != Cache::Nobody
            || !matches!(self.scenario.storage.device.model(), Ok(Model::Hdd(_) | Model::Fixed(_)))
    }

    /// Whether a sync waits until the device has emptied its cache.
    pub(super) fn sync_empties_cache(&self) -> bool {
        matches!(self.cache, Cache::Disk | Cache::Drive) && self.scenario.storage.file_system.flushes_device()
    }

    /// Whether a sync of the log waits for data pages as well.
    fn sync_waits_for_data(&self) -> bool {
        self.sync_empties_cache()
            && !self.log_apart
            && self.cached_pages.is_none()
            && self.demand.commit == Commit::Durable
    }

    /// Milliseconds that a sync of the log waits for data pages in the device's own cache: the work that whoever comes at
    /// any time finds at a server to which work comes in batches (Pollaczek and Khinchine's formula).
    pub(super) fn drain_ms(&self, load: &DeviceLoad) -> f64 {
        if !self.sync_waits_for_data() {
            return 0.0;
        }
        let deep = BUSY_DEPTH * self.groups_of_devices();
        let page = 1000.0 / self.data.lasting_writes.at(deep);
        let read = 1000.0 / self.data.reads.at(deep);
        let writing = load.fresh * page / 1000.0;
        let reading = if self.cache == Cache::Disk { load.reading } else { 0.0 };
        let left = (1.0 - writing - reading).max(LEAST_LEFT);
        (writing * self.batch_pages() * page + reading * read) / (2.0 * left)
    }

    /// Milliseconds that a write waits for a sync under way: a disk lets none into its cache before that is empty.
    pub(super) fn sync_ahead_ms(&self, before: &Round) -> f64 {
        if self.cache != Cache::Disk || !self.sync_waits_for_data() {
            return 0.0;
        }
        self.log_flushes(before) * before.commit_ms * before.commit_ms / 2.0
    }

    pub(super) fn busy_depth(&self) -> f64 {
        BUSY_DEPTH * self.groups_of_devices()
    }
}

/// Visits of one page a transaction.
fn rate(used: &Used) -> f64 {
    used.visits / used.pages.max(1e-9)
}

/// The chance that a page still waits that is asked for after a time that is exponentially spread, with the round of
/// whoever empties the cache as many times as long as that: the hand comes by after any part of its round alike.
fn waits(rounds: f64) -> f64 {
    if rounds < 1e-3 { 0.5 * rounds } else { 1.0 + libm::expm1(-rounds) / rounds }
}

/// Transactions in a round of the hand, with so many pages waiting on average. What waits grows ever more slowly with it,
/// so that Newton's steps from below never pass the answer.
fn round_time(written: &[Used], waiting: f64) -> f64 {
    const STEPS: usize = 40;
    let visits: f64 = written.iter().map(|w| w.visits).sum();
    let mut time = 2.0 * waiting / visits.max(1e-12);
    for _ in 0..STEPS {
        let (mut held, mut slope) = (0.0, 0.0);
        for group in written.iter().filter(|w| w.visits > 0.0) {
            let often = rate(group);
            let rounds = often * time;
            held += group.pages * waits(rounds);
            let steep = if rounds < 1e-3 {
                0.5
            } else {
                (-libm::expm1(-rounds) / rounds - libm::exp(-rounds)) / rounds
            };
            slope += group.pages * often * steep;
        }
        let missing = waiting - held;
        if missing < 1e-4 * waiting || slope <= 0.0 {
            break;
        }
        time += missing / slope;
    }
    time
}
