//! What writes and syncs take, with room in the devices' caches and without.

use super::{
    COPY_MS, Question, Round,
    course::Progress,
    destage::{Cache, DeviceLoad, Waiting},
};
use crate::demand::{Commit, Writer};
use spindle_device::Model;
use spindle_engine::rules;

/// Longest run of neighbours.
const RUN_PAGES: f64 = rules::INNODB_NEIGHBOUR_RUN as f64;
/// Pages of a batch of 5.1's flush (`FREE_MARGIN` and `EXTRA_MARGIN`, in two parts).
const USER_BATCH: f64 = 93.0;
/// Depth at which the kernel writes back what is synced.
const WRITE_BACK_DEPTH: f64 = 64.0;

impl Question<'_> {
    /// Devices over which requests are spread.
    pub(super) fn groups_of_devices(&self) -> f64 {
        let device = &self.scenario.storage.device;
        f64::from(device.count / device.raid.copies(device.count).max(1)).max(1.0)
    }

    /// Pages a second that the device takes with so many of them at it. Once its caches are full a page has to wait for
    /// another one's place, unless it takes that of its former content.
    pub(super) fn write_rate(&self, progress: &Progress, waiting: &Waiting, depth: f64) -> f64 {
        let (quick, lasting) = (self.data.writes.at(depth), self.data.lasting_writes.at(depth));
        if self.data_full(progress) {
            1.0 / (waiting.joined / quick + (1.0 - waiting.joined) / lasting)
        } else {
            quick
        }
    }

    /// Milliseconds a transaction for which each of the pages written under a lock is held. Where the device writes several pages side by side, or takes them into a cache, two
    /// such pages are written independently of each other; else they and whatever others ask of the same device of an
    /// array share its time, and what those leave over is as much slower.
    pub(super) fn under_lock_ms(&self, progress: &Progress, before: &Round, load: &DeviceLoad) -> [f64; 2] {
        let often = |at: usize| self.demand.serial_writes.get(at).copied().unwrap_or(0.0);
        let cpu = self.demand.page_write_ns / 1e6;
        if self.writes_side_by_side(progress) {
            // Into a cache, or beside what others ask of that device: as long as a read there takes longer.
            let slowed = if self.joins_writes() { 1.0 } else { self.slowed_by(before.queue) };
            let rewrite = self.data.rewrite_ms * slowed + cpu;
            return [often(0) * rewrite, often(1) * rewrite];
        }
        let rewrite =
            if self.serial_full(progress) { self.data.lasting_rewrite_ms } else { self.data.rewrite_ms };
        let committed = before.rate * 1000.0 * self.demand.committed_pages;
        let others = load.reading + load.writing + committed / self.data.lasting_writes.at(self.busy_depth());
        let left = (1.0 - others).max(0.05);
        [(often(0) + often(1)) * (rewrite / left + cpu), 0.0]
    }

    /// How many times longer a request takes beside `queue` others that are spread over all devices of an array.
    fn slowed_by(&self, queue: f64) -> f64 {
        let groups = self.groups_of_devices();
        let beside = 1.0 + queue / groups;
        beside * self.data.reads.at(groups) / self.data.reads.at(groups * beside)
    }

    /// Whether a page can be written to its device while another one is.
    fn writes_side_by_side(&self, progress: &Progress) -> bool {
        match self.scenario.storage.device.model() {
            _ if self.joins_writes() => true,
            Ok(Model::Fixed(fixed)) => fixed.slots > 1,
            Ok(Model::Ssd(_)) => !self.serial_full(progress),
            _ => false,
        }
    }

    /// Whether a cache takes a second write of the same place for the first.
    pub(super) fn joins_writes(&self) -> bool {
        matches!(self.cache, Cache::Controller | Cache::Disk)
    }

    pub(super) fn serial_pages(&self) -> f64 {
        self.demand.serial_writes.iter().sum::<f64>() + self.demand.committed_pages
    }

    /// Flushes of the log a millisecond: one a commit, until those who come meanwhile share the next one.
    pub(super) fn log_flushes(&self, round: &Round) -> f64 {
        if round.commit_ms > 0.0 { (round.rate * self.load.writing).min(1.0 / round.commit_ms) } else { 0.0 }
    }

    /// Milliseconds of a flush of the log once the caches of its device are full.
    pub(super) fn lasting_flush_ms(&self) -> f64 {
        match self.demand.commit {
            Commit::Durable => self.log.lasting_commit_ms,
            _ => self.log.lasting_log_write_ms,
        }
    }

    /// Milliseconds of a flush of the log beside `queue` requests for pages.
    pub(super) fn commit_ms(&self, progress: &Progress, queue: f64) -> f64 {
        let depth = if self.log_apart { 0.0 } else { queue };
        let full = self.log_full(progress);
        match self.demand.commit {
            Commit::Nothing => 0.0,
            _ if full => self.lasting_flush_ms(),
            Commit::Written => self.log.log_write_ms.at(depth),
            Commit::Durable => self.log.commit_ms.at(depth),
        }
    }

    /// Milliseconds of a flush of the binary log, which lies with the data.
    pub(super) fn binary_log_ms(&self, queue: f64) -> f64 {
        match self.demand.binary_log {
            Commit::Nothing => 0.0,
            Commit::Written => self.data.log_write_ms.at(queue),
            Commit::Durable => self.data.commit_ms.at(queue),
        }
    }

    /// Milliseconds by which a flush of the log is longer than that of one transaction's without images: for the images, and
    /// for all that share it.
    pub(super) fn more_log_ms(&self, before: &Round, images: f64) -> f64 {
        if self.demand.commit == Commit::Nothing {
            return 0.0;
        }
        let sharing =
            (before.rate * self.load.writing / self.log_flushes(before).max(1e-12)).clamp(1.0, self.clients);
        (images * sharing + self.demand.log_bytes * (sharing - 1.0)) * self.log.log_byte_ms
    }

    /// Pages that are written one right after the other.
    pub(super) fn batch_pages(&self) -> f64 {
        match self.demand.writer {
            Writer::Cleaner(cleaner) => cleaner.batch,
            Writer::Thread => self.flush_round(),
            Writer::Blocks { pages } => pages,
            // While a user's thread writes a batch nobody goes on.
            Writer::UserThread { .. } | Writer::Backend | Writer::Committer => 1.0,
        }
    }

    /// Pages of a round of CUBRID's flush thread.
    fn flush_round(&self) -> f64 {
        (self.demand.frames * rules::CUBRID_FLUSH_ROUND).max(8.0)
    }

    /// Milliseconds for which the writer is occupied by a page.
    pub(super) fn page_write_ms(&self, progress: &Progress, before: &Round, dirty: f64) -> f64 {
        let queue = before.queue;
        let data = &self.data;
        // Who syncs what it has written does not gain by a cache that has to be emptied.
        let syncs = matches!(
            self.demand.writer,
            Writer::UserThread { .. } | Writer::Cleaner(_) | Writer::Blocks { .. }
        );
        let lasts = syncs && self.sync_empties_cache();
        let write_rate = |depth: f64| {
            if lasts {
                self.data.lasting_writes.at(depth)
            } else {
                self.write_rate(progress, &before.waiting, depth)
            }
        };
        // Neighbours that are dirty as well go along in one run.
        let run = (1.0 / (1.0 - dirty.min(0.99))).min(RUN_PAGES);
        let in_runs = |ms: f64| ms / run + data.next_write_ms.min(ms) * (1.0 - 1.0 / run);
        let one = (1.0 + queue) / write_rate(1.0 + queue) * 1000.0 + self.sync_ahead_ms(before);
        let deep = |depth: f64| 1000.0 / write_rate(depth);
        let buffered = self.cached_pages.is_some();
        let log = self
            .log
            .commit_ms
            .at(if self.log_apart { 0.0 } else { queue })
            .max(self.commit_ms(progress, queue));
        let cpu = self.demand.page_write_ns * self.clock;
        match self.demand.writer {
            Writer::UserThread { doublewrite, files } => {
                let twice = if doublewrite { 2.0 * data.mebibyte_ms + data.sync_ms } else { 0.0 };
                let syncs = files.min(USER_BATCH) * data.sync_ms;
                let page = if buffered { COPY_MS + in_runs(deep(WRITE_BACK_DEPTH)) } else { in_runs(one) };
                page + cpu + (log + twice + syncs) / USER_BATCH
            }
            Writer::Cleaner(cleaner) => {
                let copies = if cleaner.doublewrite {
                    let mebibytes = cleaner.batch * self.demand.page_bytes / f64::from(1 << 20);
                    mebibytes * data.mebibyte_ms + if cleaner.syncs_copies { data.sync_ms } else { 0.0 }
                } else {
                    0.0
                };
                let files = if cleaner.syncs_pages { cleaner.files.min(cleaner.batch) } else { 0.0 };
                let together = cleaner.batch * cleaner.side_by_side;
                in_runs(deep(together))
                    + cpu / cleaner.side_by_side
                    + (log + copies + files * data.sync_ms) / together
            }
            Writer::Thread => (if buffered { COPY_MS } else { one }) + cpu + log / self.flush_round(),
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
