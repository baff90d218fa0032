//! What a device gives at each queue depth: the device by itself as one station whose rate depends on how many requests it
//! holds (the flow-equivalent server of Chandy, Herzog and Woo, "Parametric analysis of queuing networks", 1975).
//!
//! The rates are those of the device model: a few hundred requests at each depth, at places spread evenly. They are kept,
//! so that only a change of the device asks for them anew.

use crate::demand::Demand;
use spindle_device::{Access, Device, FileSystem, Model, PageCacheSpec, Request};
use spindle_scenario::{Scenario, Storage};
use spindle_units::{Bytes, chance::scatter};
use std::{cell::RefCell, collections::VecDeque, rc::Rc};

/// Depths at which rates are taken.
const DEPTHS: [u32; 6] = [1, 2, 4, 8, 24, 72];
/// Depths of reads beside which commits are timed.
const BESIDE: [u32; 4] = [0, 1, 4, 16];
/// Pages that fill the caches of a device whose lasting rates are asked for, and log writes that do.
const FEW_PAGES: u64 = 16;
const FILLING: u64 = 48;
/// Bytes of the log's file, and of a flush by which it is found how much longer one takes that has more to write.
const LOG_BYTES: u64 = 512 << 20;
const MUCH_LOG: u64 = 128 << 10;
/// Curves kept.
const KEPT: usize = 48;

/// A quantity at some depths, and between them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Curve {
    depths: &'static [u32],
    values: Vec<f64>,
}

impl Curve {
    /// The value at a depth: on a straight line between two known ones, level beyond the last.
    pub fn at(&self, depth: f64) -> f64 {
        let above = self.depths.iter().position(|d| f64::from(*d) >= depth).unwrap_or(self.depths.len() - 1);
        let below = above.saturating_sub(1);
        let (low, high) = (f64::from(self.depths[below]), f64::from(self.depths[above]));
        if depth <= low || high <= low {
            return self.values[if depth <= low { below } else { above }];
        }
        let share = ((depth - low) / (high - low)).min(1.0);
        self.values[below] + (self.values[above] - self.values[below]) * share
    }
}

/// What one device or array does.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DeviceCurves {
    /// Reads of a page anywhere, a second.
    pub reads: Curve,
    /// Writes of a page anywhere, a second, while caches have room for them.
    pub writes: Curve,
    /// The same once caches are full: what goes on for ever.
    pub lasting_writes: Curve,
    /// Pages that caches take before they are full; 0 where there are none.
    pub cached_pages: f64,
    /// Writes of a little log, and writes with a sync, that they take.
    pub cached_log_writes: f64,
    pub cached_commits: f64,
    /// Milliseconds to read a page right behind the last one.
    pub next_read_ms: f64,
    /// Milliseconds to write a page right behind the last one.
    pub next_write_ms: f64,
    /// Milliseconds to write the same page again and again, while caches have room, and once they are full.
    pub rewrite_ms: f64,
    pub lasting_rewrite_ms: f64,
    /// The same without a controller's cache, which takes one write for another.
    pub bare_rewrite_ms: f64,
    /// Milliseconds to write a mebibyte in one piece.
    pub mebibyte_ms: f64,
    /// Milliseconds of a sync of a data file that was written to.
    pub sync_ms: f64,
    /// Milliseconds to write a little log, by the depth of reads beside it.
    pub log_write_ms: Curve,
    /// Milliseconds to write a little log and make it durable, likewise.
    pub commit_ms: Curve,
    /// Milliseconds that a byte more makes a flush longer.
    pub log_byte_ms: f64,
    /// Both once caches are full.
    pub lasting_log_write_ms: f64,
    pub lasting_commit_ms: f64,
}

/// What the curves depend on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    /// The storage; of its devices only the one asked about.
    pub storage: Storage,
    /// Bytes of a page.
    pub page_bytes: u32,
    /// Bytes over which pages lie.
    pub span: u64,
    /// Block in which the log is written.
    pub log_block: u64,
    /// Log of a commit.
    pub commit_bytes: u64,
    /// Whether data files lie on it as well.
    pub with_data: bool,
    /// Whether one and the same task makes the log durable.
    pub alone: bool,
}

/// Room in a device's caches.
#[derive(Debug, Clone, Copy)]
struct Room {
    bytes: f64,
    /// Bytes of which a write takes whole multiples: pages of flash.
    unit: u64,
}

impl Room {
    /// Bytes that a write takes.
    fn taken_by(self, bytes: u64) -> f64 {
        (bytes.div_ceil(self.unit) * self.unit) as f64
    }
}

thread_local! {
    static CURVES: RefCell<VecDeque<(Asked, Rc<DeviceCurves>)>> = const { RefCell::new(VecDeque::new()) };
}

impl Asked {
    /// What a scenario asks of its data device, and of its log device where there is one. Sizes are rounded to a quarter
    /// of an octave, so that a slider does not ask for new curves with every step.
    pub fn of(scenario: &Scenario, span: f64, demand: &Demand) -> [Self; 2] {
        let (page_bytes, log_block) = (demand.page_bytes as u32, demand.log_block);
        let commit_bytes = demand.log_bytes.max(64.0);
        let round = |value: f64| libm::exp2((libm::log2(value.max(1.0)) * 4.0).round() / 4.0) as u64;
        let data = Self {
            storage: Storage { log_device: None, ..scenario.storage.clone() },
            page_bytes,
            span: round(span.max(16e6)),
            log_block,
            commit_bytes: round(commit_bytes),
            with_data: true,
            alone: demand.log_thread || scenario.workload.clients == 1,
        };
        let log = match &scenario.storage.log_device {
            None => data.clone(),
            Some(device) => {
                let storage = Storage { device: device.clone(), ..data.storage.clone() };
                Self { storage, with_data: false, ..data.clone() }
            }
        };
        [data, log]
    }

    /// The curves, from memory where they are known. `None` for a device that cannot be built.
    pub fn curves(&self) -> Option<Rc<DeviceCurves>> {
        let known = CURVES
            .with_borrow(|kept| kept.iter().find(|(asked, _)| asked == self).map(|(_, c)| Rc::clone(c)));
        if known.is_some() {
            return known;
        }
        let curves = Rc::new(self.measure()?);
        CURVES.with_borrow_mut(|kept| {
            if kept.len() >= KEPT {
                kept.pop_front();
            }
            kept.push_back((self.clone(), Rc::clone(&curves)));
        });
        Some(curves)
    }

    fn measure(&self) -> Option<DeviceCurves> {
        let (small, room) = self.with_small_caches();
        let mut bare = small.clone();
        bare.storage.device.controller_cache = None;
        let log_bytes = self.commit_bytes.div_ceil(self.log_block) * self.log_block;
        let journal =
            self.storage.file_system.journal_writes().iter().map(|bytes| room.taken_by(u64::from(*bytes)));
        let commit_bytes = room.taken_by(log_bytes) + journal.sum::<f64>();
        let curve = |asked: &Self, access: Access| {
            let values =
                DEPTHS.iter().map(|depth| asked.rate(access, *depth)).collect::<Option<Vec<f64>>>()?;
            Some(Curve { depths: &DEPTHS, values })
        };
        let beside = |sync: bool| {
            let values =
                BESIDE.iter().map(|depth| self.commit_ms(*depth, sync, 0)).collect::<Option<Vec<f64>>>()?;
            Some(Curve { depths: &BESIDE, values })
        };
        Some(DeviceCurves {
            reads: curve(self, Access::Read)?,
            writes: curve(self, Access::Write)?,
            lasting_writes: curve(&small, Access::Write)?,
            cached_pages: room.bytes / room.taken_by(u64::from(self.page_bytes)),
            cached_log_writes: room.bytes / room.taken_by(log_bytes),
            cached_commits: room.bytes / commit_bytes,
            next_read_ms: self.next_read_ms()?,
            next_write_ms: small.in_sequence_ms(self.page_bytes, 48, &|n| n * u64::from(self.page_bytes))?,
            rewrite_ms: self.in_sequence_ms(self.page_bytes, 8, &|_| 0)?,
            lasting_rewrite_ms: small.in_sequence_ms(self.page_bytes, 48, &|_| 0)?,
            bare_rewrite_ms: bare.in_sequence_ms(self.page_bytes, 48, &|_| 0)?,
            mebibyte_ms: self.in_sequence_ms(1 << 20, 4, &|n| self.place(n))?,
            sync_ms: self.sync_ms()?,
            log_write_ms: beside(false)?,
            commit_ms: beside(true)?,
            log_byte_ms: self.log_byte_ms()?,
            lasting_log_write_ms: small.commit_ms(0, false, FILLING)?,
            lasting_commit_ms: small.commit_ms(0, true, FILLING)?,
        })
    }

    /// The same with caches that a few requests fill, and the room that there is in the real ones.
    fn with_small_caches(&self) -> (Self, Room) {
        let mut small = self.clone();
        let device = &mut small.storage.device;
        let few = Bytes(u64::from(self.page_bytes) * FEW_PAGES);
        let shared = f64::from(device.count) / f64::from(device.raid.copies(device.count));
        let (mut bytes, mut unit) = (0.0, 1);
        match device.model() {
            Ok(Model::Hdd(mut hdd)) => {
                bytes += hdd.write_cache.0 as f64 * shared;
                hdd.write_cache = hdd.write_cache.min(few);
                (device.preset, device.hdd) = (None, Some(hdd));
            }
            Ok(Model::Ssd(mut ssd)) => {
                bytes += ssd.write_buffer.0 as f64 * shared;
                unit = ssd.flash_page.0.max(1);
                ssd.write_buffer = ssd.write_buffer.min(few);
                (device.preset, device.ssd) = (None, Some(ssd));
            }
            Ok(Model::Nvme(mut nvme)) => {
                bytes += nvme.write_buffer.0 as f64 * shared;
                nvme.write_buffer = nvme.write_buffer.min(few);
                (device.preset, device.nvme) = (None, Some(nvme));
            }
            _ => {}
        }
        if let Some(cache) = &mut device.controller_cache
            && cache.battery
        {
            bytes += cache.size.0 as f64;
            cache.size = cache.size.min(Bytes(few.0 * u64::from(device.count)));
        }
        (small, Room { bytes, unit })
    }

    fn device(&self) -> Option<Box<dyn Device>> {
        self.storage.device.build().ok()
    }

    /// The offset of the `n`-th request: pages spread evenly over the span.
    fn place(&self, n: u64) -> u64 {
        let page = u64::from(self.page_bytes);
        scatter(n) % (self.span / page).max(1) * page
    }

    /// Requests a second with `depth` of them at the device at any time.
    fn rate(&self, access: Access, depth: u32) -> Option<f64> {
        let mut device = self.device()?;
        let (warm, counted) =
            (u64::from(depth) + FEW_PAGES * u64::from(self.storage.device.count), 32 + u64::from(depth));
        let (mut now, mut begun, mut sent, mut ended) = (0, 0, 0, 0);
        let mut done = Vec::new();
        let mut send = |device: &mut Box<dyn Device>, now: u64| {
            device
                .submit(now, Request { id: sent, access, offset: self.place(sent), bytes: self.page_bytes });
            sent += 1;
        };
        (0..depth).for_each(|_| send(&mut device, 0));
        while ended < warm + counted {
            now = device.next_event()?.max(now);
            device.advance(now, &mut done);
            for _ in done.drain(..) {
                ended += 1;
                if ended == warm {
                    begun = now;
                }
                send(&mut device, now);
            }
        }
        let ended_since = (ended - warm) as f64;
        Some(ended_since / ((now - begun).max(1) as f64 / 1e9))
    }

    /// Milliseconds of a read that begins where the last one ended, one at a time.
    fn next_read_ms(&self) -> Option<f64> {
        const READS: u64 = 33;
        let mut device = self.device()?;
        let (mut now, mut begun) = (0, 0);
        for id in 0..READS {
            let offset = id * u64::from(self.page_bytes);
            device.submit(now, Request { id, access: Access::Read, offset, bytes: self.page_bytes });
            let mut done = Vec::new();
            while done.is_empty() {
                now = device.next_event()?.max(now);
                device.advance(now, &mut done);
            }
            if id == 0 {
                begun = now;
            }
        }
        Some((now - begun) as f64 / 1e6 / (READS - 1) as f64)
    }

    fn files(&self) -> Option<FileSystem> {
        // Little memory: what is written shall reach the device.
        let cache = PageCacheSpec::linux(Bytes::mib(64));
        let cache = self.storage.page_cache.then_some(&cache);
        let mut files = FileSystem::new(self.device()?, self.storage.file_system, cache);
        files.add_file(self.span);
        files.add_file(LOG_BYTES);
        Some(files)
    }

    /// Milliseconds of a log write, with a sync or not, beside `depth` reads that never end, after `filling` others.
    fn commit_ms(&self, depth: u32, sync: bool, filling: u64) -> Option<f64> {
        const COMMITS: u64 = 24;
        const COMMIT_ID: u64 = 1 << 40;
        /// Work between two commits.
        const GAP_NS: u64 = 200_000;
        let gap_ns = if filling > 0 { 0 } else { GAP_NS };
        if depth > 0 && !self.with_data {
            return self.commit_ms(0, sync, filling);
        }
        let mut files = self.files()?;
        let page = self.page_bytes;
        let mut reads = 0u64;
        let read = |files: &mut FileSystem, reads: &mut u64, now: u64| {
            let request =
                Request { id: *reads, access: Access::Read, offset: self.place(*reads), bytes: page };
            *reads += 1;
            files.submit(now, request, 0, 1, true);
        };
        (0..depth).for_each(|_| read(&mut files, &mut reads, 0));
        let (mut now, mut total, mut position) = (0u64, 0u64, 0u64);
        let mut done = Vec::new();
        let journaled = sync && !self.storage.file_system.journal_writes().is_empty();
        // Before the first one that is timed there is another, so that its writer is no newcomer.
        let filling = filling.max(1);
        for commit in 0..filling + COMMITS {
            let begun = now;
            for access in [Access::Write, Access::Sync].into_iter().take(if sync { 2 } else { 1 }) {
                let from = position / self.log_block * self.log_block;
                let to = (position + self.commit_bytes).div_ceil(self.log_block) * self.log_block;
                let bytes = if access == Access::Write { (to - from).min(1 << 20) as u32 } else { 0 };
                files.submit(
                    now,
                    Request { id: COMMIT_ID, access, offset: from, bytes },
                    1,
                    if self.alone { 2 } else { 2 + commit as u32 },
                    false,
                );
                let mut waiting = true;
                while waiting {
                    now = files.next_event()?.max(now);
                    files.advance(now, &mut done);
                    for id in done.drain(..) {
                        if id == COMMIT_ID {
                            waiting = false;
                        } else {
                            read(&mut files, &mut reads, now);
                        }
                    }
                }
            }
            // Log and journal move on; how they lie to each other on a platter changes so slowly that a few commits would
            // tell of one place only.
            position = if journaled { scatter(commit) % LOG_BYTES } else { position + self.commit_bytes };
            if commit < filling {
                continue;
            }
            total += now - begun;
            let until = now + gap_ns;
            while let Some(next) = files.next_event().filter(|next| *next <= until) {
                now = next.max(now);
                files.advance(now, &mut done);
                for _ in done.drain(..) {
                    read(&mut files, &mut reads, now);
                }
            }
            now = until;
        }
        Some(total as f64 / COMMITS as f64 / 1e6)
    }

    fn log_byte_ms(&self) -> Option<f64> {
        let more = Self { commit_bytes: self.commit_bytes + MUCH_LOG, ..self.clone() };
        let longer = more.commit_ms(0, true, 0)? - self.commit_ms(0, true, 0)?;
        Some((longer / MUCH_LOG as f64).max(0.0))
    }

    fn wait(files: &mut FileSystem, mut now: u64, id: u64) -> Option<u64> {
        let mut done = Vec::new();
        loop {
            now = files.next_event()?.max(now);
            files.advance(now, &mut done);
            if done.drain(..).any(|ended| ended == id) {
                return Some(now);
            }
        }
    }

    /// Milliseconds of a write of `bytes`, one of `count` after each other.
    fn in_sequence_ms(&self, bytes: u32, count: u64, offset: &dyn Fn(u64) -> u64) -> Option<f64> {
        let mut device = self.device()?;
        let (mut now, mut done) = (0u64, Vec::new());
        for n in 0..count {
            device.submit(now, Request { id: n, access: Access::Write, offset: offset(n), bytes });
            while done.is_empty() {
                now = device.next_event()?.max(now);
                device.advance(now, &mut done);
            }
            done.clear();
        }
        Some(now as f64 / count as f64 / 1e6)
    }

    fn sync_ms(&self) -> Option<f64> {
        let mut files = self.files()?;
        let (mut now, mut total) = (0, 0);
        for n in 0..4 {
            let write =
                Request { id: 0, access: Access::Write, offset: self.place(n), bytes: self.page_bytes };
            files.submit(now, write, 0, 1, true);
            now = Self::wait(&mut files, now, 0)?;
            files.submit(now, Request { id: 1, access: Access::Sync, offset: 0, bytes: 0 }, 0, 1, true);
            let ended = Self::wait(&mut files, now, 1)?;
            total += ended - now;
            now = ended;
        }
        Some(total as f64 / 4e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_straight_between_its_points_and_level_beyond() {
        let curve = Curve { depths: &DEPTHS, values: DEPTHS.iter().map(|d| f64::from(*d)).collect() };
        assert_eq!(curve.at(0.5), 1.0);
        assert_eq!(curve.at(1.0), 1.0);
        assert_eq!(curve.at(3.0), 3.0);
        assert_eq!(curve.at(40.0), 40.0);
        assert_eq!(curve.at(1000.0), 72.0);
    }
}
