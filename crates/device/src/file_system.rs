//! Files on a device: where they lie, what the page cache absorbs, and what a sync costs.

use crate::{
    Access, Activity, Device, Request,
    page_cache::{LINE_BYTES, PageCache, PageCacheSpec},
    schedule::Schedule,
    spread::Spread,
};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The file system, as far as it adds requests of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileSystemKind {
    /// No journal: a sync is the device's own.
    Raw,
    /// Journal: descriptor and metadata, then the commit block, one after the other. Enterprise Linux 5 mounted
    /// it without write barriers, so the device's cache is not flushed. A sync by another task than the last one
    /// first sleeps for a tick, so that others may join its commit (jbd before 2.6.29).
    Ext3,
    /// The same journal, and a flush of the device's cache with each commit.
    #[default]
    Ext4,
    /// One log write and a flush.
    Xfs,
}

/// Descriptor block, inode and bitmap blocks of a commit of the journal; and its commit block.
const DESCRIPTOR_BYTES: u32 = 12 << 10;
const COMMIT_BLOCK_BYTES: u32 = 4 << 10;

impl FileSystemKind {
    /// Whether a sync has the device empty its own cache.
    pub fn flushes_device(self) -> bool {
        self != Self::Ext3
    }

    /// Bytes of each write of the journal that a sync of a changed file makes.
    pub fn journal_writes(self) -> &'static [u32] {
        match self {
            Self::Raw => &[],
            Self::Ext3 | Self::Ext4 => &[DESCRIPTOR_BYTES, COMMIT_BLOCK_BYTES],
            Self::Xfs => &[DESCRIPTOR_BYTES],
        }
    }
}

/// What a sync of a file finds to be written in the file system's journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Inode {
    /// Nothing is known of how the file is written: each sync behind a write commits its inode, by itself.
    #[default]
    Unknown,
    /// Writes make the file longer: a sync has to commit its length, in a transaction that others share.
    Grows,
    /// Its blocks were set aside and written before, and writes keep to them: only the time of the last change has to be
    /// committed, and that moves once a tick of the kernel's clock.
    Keeps,
}

/// Where a file lies on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileExtent {
    /// First byte.
    pub base: u64,
    /// Bytes set aside.
    pub bytes: u64,
}

/// Copying a line between the page cache and the caller with the system call around it: 16 KiB at about 2 GB/s
/// and 2 us (lmbench figures of processors of 2007 to 2010).
pub const COPY_NS_PER_LINE: u64 = 10_000;
/// Requests the kernel keeps at the device for write-back (`nr_requests` is 128, shared by reads and writes).
const WRITE_BACK_DEPTH: u32 = 64;
/// Lines merged into one write: 512 KiB (`max_sectors_kb`).
const RUN_LINES: usize = 32;
const JOURNAL_BYTES: u64 = 128 << 20;
/// `schedule_timeout_uninterruptible(1)` at 1000 ticks a second: until the tick after the next, 1.5 ms on average.
const BATCHING_SLEEP_NS: u64 = 1_500_000;
/// The clock that file times are taken from moves a thousand times a second on enterprise kernels (`CONFIG_HZ`,
/// `ktime_get_coarse_real_ts64`).
const TIME_STAMP_TICK_NS: u64 = 1_000_000;
/// Marks a completion that is a sync's sleep and not the caller's request.
const SLEEP: u64 = 1 << 62;

/// What a request to the device is for.
enum Purpose {
    /// The caller's request, passed through.
    Direct(u64),
    /// A read that fills lines `first ..= last`.
    Fill { id: u64, first: u64, last: u64 },
    /// Write-back of `count` lines from `first`.
    WriteBack { first: u64, count: u64 },
    /// A step of the commit of a sync.
    Commit { sync: u64, step: u8 },
    /// A step of the commit of the journal's transaction.
    Journal { step: usize },
}

struct PendingSync {
    id: u64,
    from: u64,
    to: u64,
    /// Runs of lines of this file still on their way.
    outstanding: u32,
    /// Sleeps before its commit.
    sleeps: bool,
}

/// What is known of a file's inode.
#[derive(Debug, Clone, Copy)]
struct InodeState {
    kind: Inode,
    /// The journal's transaction in which it was changed last; 0 for none.
    changed_in: u64,
    /// The tick of its time stamp.
    stamp: u64,
}

impl InodeState {
    fn new(kind: Inode) -> Self {
        Self { kind, changed_in: 0, stamp: 0 }
    }

    /// Notes a write at `now` while `transaction` runs.
    fn written(&mut self, now: u64, transaction: u64) {
        let tick = now / TIME_STAMP_TICK_NS + 1;
        if self.kind == Inode::Grows || tick != self.stamp {
            (self.stamp, self.changed_in) = (tick, transaction);
        }
    }
}

/// The journal as one transaction after the other (jbd2; XFS's log with its committed item list behaves alike).
#[derive(Debug)]
struct Journal {
    /// The transaction that changes join, from 1.
    running: u64,
    /// The last one that is durable.
    committed: u64,
    committing: bool,
    /// Syncs with the transactions they wait for.
    waiting: VecDeque<(u64, u64)>,
}

impl Default for Journal {
    fn default() -> Self {
        Self { running: 1, committed: 0, committing: false, waiting: VecDeque::new() }
    }
}

/// Files over a device, with or without a page cache between.
pub struct FileSystem {
    device: Box<dyn Device>,
    kind: FileSystemKind,
    cache: Option<PageCache>,
    spread: Spread,
    files: Vec<FileExtent>,
    /// Files written to since their last sync: their inode has to go through the journal.
    touched: Vec<bool>,
    inodes: Vec<InodeState>,
    journal: Journal,
    /// Files whose writes go through the page cache to the device.
    write_through: Vec<bool>,
    next_base: u64,
    journal_hand: u64,
    purposes: FxHashMap<u64, (Purpose, u64, Access)>,
    syncs: FxHashMap<u64, PendingSync>,
    write_backs: u32,
    next_key: u64,
    acknowledged: Schedule,
    /// Buffered writes held back because too much is dirty: (id, lines).
    throttled: VecDeque<(u64, u64)>,
    /// How often the write-back thread looks for old pages.
    period_ns: u64,
    next_tick: u64,
    finished: Vec<u64>,
    responses: Responses,
    last_sync_writer: Option<u32>,
}

/// Requests that came back from the device, and the time they took, queueing included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Responses {
    /// Reads, writes, syncs.
    pub counts: [u64; 3],
    /// Their times in nanoseconds, summed.
    pub ns: [u64; 3],
}

impl Responses {
    fn add(&mut self, access: Access, ns: u64) {
        let at = match access {
            Access::Read => 0,
            Access::Write => 1,
            Access::Sync => 2,
        };
        self.counts[at] += 1;
        self.ns[at] += ns;
    }
}

impl FileSystem {
    /// An empty file system.
    pub fn new(device: Box<dyn Device>, kind: FileSystemKind, cache: Option<&PageCacheSpec>) -> Self {
        // Without a page cache there is nothing to look for.
        let period_ns = cache.map_or(1 << 62, |cache| cache.period.0.max(1));
        Self {
            device,
            kind,
            cache: cache.map(PageCache::new),
            spread: Spread::new(1.0),
            files: Vec::new(),
            touched: Vec::new(),
            inodes: Vec::new(),
            journal: Journal::default(),
            write_through: Vec::new(),
            next_base: JOURNAL_BYTES,
            journal_hand: 0,
            purposes: FxHashMap::default(),
            syncs: FxHashMap::default(),
            write_backs: 0,
            next_key: 0,
            acknowledged: Schedule::default(),
            throttled: VecDeque::new(),
            period_ns,
            next_tick: period_ns,
            finished: Vec::new(),
            responses: Responses::default(),
            last_sync_writer: None,
        }
    }

    /// Sets `bytes` aside behind the files made before and returns the file's number.
    pub fn add_file(&mut self, bytes: u64) -> u32 {
        self.add_file_with(bytes, Inode::Unknown)
    }

    /// The same for a file of which it is known how it is written.
    pub fn add_file_with(&mut self, bytes: u64, inode: Inode) -> u32 {
        let bytes = bytes.div_ceil(LINE_BYTES).max(1) * LINE_BYTES;
        self.files.push(FileExtent { base: self.next_base, bytes });
        self.touched.push(false);
        self.inodes.push(InodeState::new(inode));
        self.write_through.push(false);
        self.next_base += bytes;
        (self.files.len() - 1) as u32
    }

    /// The files hold a sample: `share` of the data, above 0 and up to 1, spread over the room of all of it.
    pub fn in_sample(mut self, share: f64) -> Self {
        self.spread = Spread::new(share);
        self.spread.keep(0, JOURNAL_BYTES);
        self
    }

    /// A file that is written from its begin to its end, and so is not spread.
    pub fn keep_together(&mut self, file: u32) {
        if let Some(extent) = self.files.get(file as usize) {
            self.spread.keep(extent.base, extent.base + extent.bytes);
        }
    }

    /// From now on writes to a file are complete when the device has them; the page cache keeps what they wrote
    /// (`FILE_FLAG_WRITE_THROUGH`, `O_DSYNC` without a barrier).
    pub fn write_through(&mut self, file: u32) {
        self.write_through[file as usize] = true;
    }

    /// Bytes that the page cache holds at most.
    pub fn cache_bytes(&self) -> u64 {
        self.cache.as_ref().map_or(0, |cache| cache.lines_max() as u64 * LINE_BYTES)
    }

    /// A read that took place before anything that counts: the page cache has it from now on. Tells whether it had it.
    pub fn read_before(&mut self, file: u32, offset: u64, bytes: u32) -> bool {
        let place = self.place(file, offset);
        let Some(cache) = &mut self.cache else { return false };
        let last = (place + u64::from(bytes.max(1)) - 1) / LINE_BYTES;
        (place / LINE_BYTES..=last).fold(true, |all, line| {
            let present = cache.touch(line);
            if !present {
                cache.insert(line);
            }
            all && present
        })
    }

    /// Bytes set aside so far, the journal included.
    pub fn allocated(&self) -> u64 {
        self.next_base
    }

    /// The device below.
    pub fn device(&self) -> &dyn Device {
        &*self.device
    }

    /// What came back from the device so far, and how long it took.
    pub fn responses(&self) -> Responses {
        self.responses
    }

    /// The device's counters up to `now`.
    pub fn activity(&self, now: u64) -> Activity {
        self.device.activity(now)
    }

    fn place(&self, file: u32, offset: u64) -> u64 {
        let extent = self.files[file as usize];
        // A file that outgrows what was set aside wraps: its pages stay pages of this file.
        extent.base + offset % extent.bytes
    }

    fn send_to_device(&mut self, now: u64, access: Access, offset: u64, bytes: u32, purpose: Purpose) {
        let key = self.next_key;
        self.next_key += 1;
        self.purposes.insert(key, (purpose, now, access));
        let offset = match access {
            Access::Read => self.spread.place_to_read(now, offset, bytes),
            _ => self.spread.place(now, offset),
        };
        self.device.submit(now, Request { id: key, access, offset, bytes });
    }

    /// Takes a request by `writer` for a file; `direct` goes around the page cache (`O_DIRECT`).
    pub fn submit(&mut self, now: u64, request: Request, file: u32, writer: u32, direct: bool) {
        let Request { id, access, offset, bytes } = request;
        self.move_ticks_on(now);
        if access == Access::Write {
            self.touched[file as usize] = true;
            self.inodes[file as usize].written(now, self.journal.running);
        }
        if access == Access::Sync {
            self.begin_sync(now, id, file, writer);
        } else if direct || self.cache.is_none() {
            let place = self.place(file, offset);
            self.send_to_device(now, access, place, bytes, Purpose::Direct(id));
        } else {
            let place = self.place(file, offset);
            let first = place / LINE_BYTES;
            let last = (place + u64::from(bytes.max(1)) - 1) / LINE_BYTES;
            match access {
                Access::Read => self.buffered_read(now, id, place, bytes, first, last),
                Access::Write if self.write_through[file as usize] => {
                    if let Some(cache) = &mut self.cache {
                        (first..=last).for_each(|line| cache.insert(line));
                    }
                    self.send_to_device(now, access, place, bytes, Purpose::Direct(id));
                }
                _ => self.buffered_write(now, id, first, last),
            }
        }
        self.pump(now);
    }

    fn buffered_read(&mut self, now: u64, id: u64, place: u64, bytes: u32, first: u64, last: u64) {
        let Some(cache) = &mut self.cache else { return };
        let mut all = true;
        for line in first..=last {
            all &= cache.touch(line);
        }
        if all {
            self.acknowledged.push(now + COPY_NS_PER_LINE * (last - first + 1), id);
        } else {
            self.send_to_device(now, Access::Read, place, bytes, Purpose::Fill { id, first, last });
        }
    }

    fn buffered_write(&mut self, now: u64, id: u64, first: u64, last: u64) {
        let Some(cache) = &mut self.cache else { return };
        for line in first..=last {
            cache.mark_dirty(now, line);
        }
        let lines = last - first + 1;
        if cache.over_limit() {
            self.throttled.push_back((id, lines));
        } else {
            self.acknowledged.push(now + COPY_NS_PER_LINE * lines, id);
        }
    }

    fn begin_sync(&mut self, now: u64, id: u64, file: u32, writer: u32) {
        let extent = self.files[file as usize];
        let (from, to) = (extent.base / LINE_BYTES, (extent.base + extent.bytes) / LINE_BYTES);
        let sync = self.next_key;
        self.next_key += 1;
        let mut outstanding = 0;
        // What is already on its way has to arrive as well.
        for (purpose, ..) in self.purposes.values() {
            if let Purpose::WriteBack { first, .. } = purpose
                && (from..to).contains(first)
            {
                outstanding += 1;
            }
        }
        let mut runs = Vec::new();
        if let Some(cache) = &mut self.cache {
            while let Some(run) = cache.take_within(from, to, RUN_LINES) {
                runs.push(run);
            }
        }
        outstanding += runs.len() as u32;
        let newcomer = self.last_sync_writer.replace(writer) != Some(writer);
        let sleeps = newcomer && self.kind == FileSystemKind::Ext3;
        self.syncs.insert(sync, PendingSync { id, from, to, outstanding, sleeps });
        for (first, count) in runs {
            self.write_back(now, first, count);
        }
        if outstanding == 0 {
            self.commit(now, sync, file);
        }
    }

    fn write_back(&mut self, now: u64, first: u64, count: u64) {
        self.write_backs += 1;
        let bytes = (count * LINE_BYTES) as u32;
        self.send_to_device(
            now,
            Access::Write,
            first * LINE_BYTES,
            bytes,
            Purpose::WriteBack { first, count },
        );
    }

    fn file_at(&self, line: u64) -> u32 {
        self.files.iter().position(|f| f.base / LINE_BYTES == line).unwrap_or(0) as u32
    }

    /// The data is on the device; now the journal, if the inode changed, and the device's own cache.
    fn commit(&mut self, now: u64, sync: u64, file: u32) {
        let inode = self.inodes[file as usize];
        if inode.kind != Inode::Unknown {
            if self.kind == FileSystemKind::Raw || inode.changed_in <= self.journal.committed {
                self.commit_step(now, sync, 2);
            } else {
                self.journal.waiting.push_back((inode.changed_in, sync));
                self.commit_journal(now);
            }
            return;
        }
        let journal =
            !self.kind.journal_writes().is_empty() && std::mem::take(&mut self.touched[file as usize]);
        if journal && self.syncs.get(&sync).is_some_and(|s| s.sleeps) {
            self.acknowledged.push(now + BATCHING_SLEEP_NS, sync | SLEEP);
            return;
        }
        let step = if journal { 0 } else { 2 };
        self.commit_step(now, sync, step);
    }

    /// Commits the running transaction, if syncs wait for it and none is being committed.
    fn commit_journal(&mut self, now: u64) {
        let wanted = self.journal.waiting.iter().any(|(transaction, _)| *transaction == self.journal.running);
        if self.journal.committing || !wanted {
            return;
        }
        self.journal.committing = true;
        self.journal.running += 1;
        self.journal_step(now, 0);
    }

    /// The steps of a transaction's commit, shared by all syncs that wait for it: the journal's writes one after the other,
    /// and a flush of the device's cache with the last one (jbd2's commit block, XFS's log).
    fn journal_step(&mut self, now: u64, step: usize) {
        let writes = self.kind.journal_writes();
        if let Some(bytes) = writes.get(step) {
            let at = self.journal_place(u64::from(*bytes));
            self.send_to_device(now, Access::Write, at, *bytes, Purpose::Journal { step: step + 1 });
        } else if step == writes.len() && self.kind.flushes_device() {
            self.send_to_device(now, Access::Sync, 0, 0, Purpose::Journal { step: step + 1 });
        } else {
            self.journal_committed(now);
        }
    }

    /// Syncs that waited for the transaction are done, and the next one is committed if others wait for it.
    fn journal_committed(&mut self, now: u64) {
        self.journal.committing = false;
        self.journal.committed = self.journal.running - 1;
        for _ in 0..self.journal.waiting.len() {
            let Some((transaction, sync)) = self.journal.waiting.pop_front() else { break };
            if transaction > self.journal.committed {
                self.journal.waiting.push_back((transaction, sync));
            } else if let Some(done) = self.syncs.remove(&sync) {
                self.acknowledged.push(now, done.id);
            }
        }
        self.commit_journal(now);
    }

    fn commit_step(&mut self, now: u64, sync: u64, step: u8) {
        match step {
            0 => {
                let at = self.journal_place(DESCRIPTOR_BYTES.into());
                let next = if self.kind == FileSystemKind::Xfs { 2 } else { 1 };
                let purpose = Purpose::Commit { sync, step: next };
                self.send_to_device(now, Access::Write, at, DESCRIPTOR_BYTES, purpose);
            }
            // The commit block, only after the others have arrived.
            1 => {
                let at = self.journal_place(COMMIT_BLOCK_BYTES.into());
                let next = if self.kind == FileSystemKind::Ext3 { 3 } else { 2 };
                let purpose = Purpose::Commit { sync, step: next };
                self.send_to_device(now, Access::Write, at, COMMIT_BLOCK_BYTES, purpose);
            }
            2 if self.kind.flushes_device() => {
                self.send_to_device(now, Access::Sync, 0, 0, Purpose::Commit { sync, step: 3 });
            }
            _ => {
                if let Some(done) = self.syncs.remove(&sync) {
                    self.acknowledged.push(now, done.id);
                }
            }
        }
    }

    fn journal_place(&mut self, bytes: u64) -> u64 {
        let at = self.journal_hand;
        self.journal_hand = (at + bytes) % (JOURNAL_BYTES - (16 << 10));
        at
    }

    /// Releases throttled writers and starts write-back where the page cache wants it.
    fn pump(&mut self, now: u64) {
        let Some(cache) = &mut self.cache else { return };
        while !cache.over_limit()
            && let Some((id, lines)) = self.throttled.pop_front()
        {
            self.acknowledged.push(now + COPY_NS_PER_LINE * lines, id);
        }
        while self.write_backs < WRITE_BACK_DEPTH {
            let Some(cache) = &mut self.cache else { return };
            let run = if cache.over_background() {
                cache.take_next(RUN_LINES)
            } else {
                cache.take_expired(now, RUN_LINES)
            };
            let Some((first, count)) = run else { return };
            self.write_back(now, first, count);
        }
    }

    /// When something happens next.
    pub fn next_event(&self) -> Option<u64> {
        let tick = self.cache.as_ref().filter(|c| c.has_dirty()).map(|_| self.next_tick);
        [self.device.next_event(), self.acknowledged.first(), tick].into_iter().flatten().min()
    }

    /// Brings the files to `now`; appends the ids that completed.
    pub fn advance(&mut self, now: u64, done: &mut Vec<u64>) {
        while let Some(at) = self.next_event().filter(|at| *at <= now) {
            while let Some(id) = self.acknowledged.pop_due(at) {
                if id & SLEEP == 0 {
                    done.push(id);
                } else {
                    self.commit_step(at, id & !SLEEP, 0);
                }
            }
            let mut finished = std::mem::take(&mut self.finished);
            self.device.advance(at, &mut finished);
            for key in finished.drain(..) {
                self.complete(at, key, done);
            }
            self.finished = finished;
            self.move_ticks_on(at);
            self.pump(at);
        }
        self.move_ticks_on(now);
    }

    /// Ticks at which there was nothing to write have passed, however long nobody asked.
    fn move_ticks_on(&mut self, now: u64) {
        while self.next_tick <= now {
            self.next_tick += self.period_ns;
        }
    }

    fn complete(&mut self, now: u64, key: u64, done: &mut Vec<u64>) {
        let Some((purpose, since, access)) = self.purposes.remove(&key) else {
            debug_assert!(false, "the device completed what it was not given");
            return;
        };
        self.responses.add(access, now - since);
        match purpose {
            Purpose::Direct(id) => done.push(id),
            Purpose::Fill { id, first, last } => {
                if let Some(cache) = &mut self.cache {
                    (first..=last).for_each(|line| cache.insert(line));
                }
                done.push(id);
            }
            Purpose::WriteBack { first, count } => {
                self.write_backs -= 1;
                if let Some(cache) = &mut self.cache {
                    cache.written(first, count);
                }
                let mut ready: Vec<(u64, u64)> = Vec::new();
                for (sync, pending) in &mut self.syncs {
                    if pending.outstanding > 0 && (pending.from..pending.to).contains(&first) {
                        pending.outstanding -= 1;
                        if pending.outstanding == 0 {
                            ready.push((*sync, pending.from));
                        }
                    }
                }
                // The map's order is not part of the answer: syncs that become ready together go in their own order.
                ready.sort_unstable();
                for (sync, from) in ready {
                    let file = self.file_at(from);
                    self.commit(now, sync, file);
                }
            }
            Purpose::Commit { sync, step } => self.commit_step(now, sync, step),
            Purpose::Journal { step } => self.journal_step(now, step),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DeviceSpec, page_cache::PageCacheSpec};
    use spindle_units::Bytes;

    #[test]
    fn a_write_after_a_long_rest_is_not_due_in_the_past() {
        let device = DeviceSpec::of_preset("emulated-ssd").build().expect("a preset");
        let cache = PageCacheSpec::linux(Bytes::mib(64));
        let mut files = FileSystem::new(device, FileSystemKind::Raw, Some(&cache));
        let file = files.add_file(1 << 20);
        let now = 12_000_000_000;
        let request = Request { id: 1, access: Access::Write, offset: 0, bytes: 16_384 };
        files.submit(now, request, file, 0, false);
        assert!(files.next_event().is_some_and(|at| at >= now), "{:?}", files.next_event());
    }

    /// Writes to `file` and syncs it by each of `syncs` tasks at once; the writes and syncs that the device saw.
    fn synced(kind: FileSystemKind, inode: Inode, rounds: u64, syncs: u64) -> [u64; 2] {
        let device = DeviceSpec::of_preset("nvme-pm9a3").build().expect("a preset");
        let mut files = FileSystem::new(device, kind, None);
        let file = files.add_file_with(1 << 20, inode);
        let (mut done, mut now) = (Vec::new(), 5_000_000);
        for _ in 0..rounds {
            let write = Request { id: 0, access: Access::Write, offset: 0, bytes: 4096 };
            files.submit(now, write, file, 0, true);
            for task in 0..syncs {
                let sync = Request { id: task + 1, access: Access::Sync, offset: 0, bytes: 0 };
                files.submit(now, sync, file, task as u32, true);
            }
            while let Some(at) = files.next_event() {
                now = at;
                files.advance(now, &mut done);
            }
        }
        assert_eq!(done.len() as u64, rounds * (syncs + 1), "each request comes back once");
        let Responses { counts: [_, writes, flushes], .. } = files.responses();
        [writes, flushes]
    }

    #[test]
    fn a_file_that_keeps_its_length_needs_the_journal_once_a_tick() {
        // Three writes with a sync each, all within a millisecond: one commit of two writes, and three flushes.
        assert_eq!(synced(FileSystemKind::Ext4, Inode::Keeps, 3, 1), [3 + 2, 3]);
        assert_eq!(synced(FileSystemKind::Xfs, Inode::Keeps, 3, 1), [3 + 1, 3]);
        assert_eq!(synced(FileSystemKind::Raw, Inode::Keeps, 3, 1), [3, 3]);
    }

    #[test]
    fn a_file_that_grows_needs_the_journal_each_time() {
        assert_eq!(synced(FileSystemKind::Ext4, Inode::Grows, 3, 1), [3 + 3 * 2, 3]);
        assert_eq!(synced(FileSystemKind::Xfs, Inode::Grows, 3, 1), [3 + 3, 3]);
    }

    #[test]
    fn syncs_share_a_commit_of_the_journal() {
        assert_eq!(synced(FileSystemKind::Ext4, Inode::Grows, 1, 8), [1 + 2, 1]);
    }
}
