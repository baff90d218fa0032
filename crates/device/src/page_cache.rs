//! The host's page cache: which lines of the device are in memory, and which of them are newer than the device.

use crate::line_set::LineSet;
use serde::{Deserialize, Serialize};
use spindle_units::{Bytes, Span};
use std::collections::VecDeque;

/// The page cache of the host, between files opened without `O_DIRECT` and the device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageCacheSpec {
    /// Memory left for it.
    pub size: Bytes,
    /// Share of `size` that may be dirty before the kernel writes back in the background
    /// (`vm.dirty_background_ratio`, 10 % by default).
    pub dirty_background: f64,
    /// Share of `size` that may be dirty before writers are made to wait (`vm.dirty_ratio`).
    pub dirty_limit: f64,
    /// Age at which a dirty page is written back in any case (`vm.dirty_expire_centisecs`, 30 s by default).
    pub expire: Span,
    /// How often the write-back thread looks for such pages (`vm.dirty_writeback_centisecs`, 5 s by default).
    pub period: Span,
}

impl PageCacheSpec {
    /// Linux defaults of the 2.6.18 to 2.6.32 kernels for `size` bytes of memory.
    pub fn linux(size: Bytes) -> Self {
        Self {
            size,
            dirty_background: 0.10,
            dirty_limit: 0.40,
            expire: Span::seconds(30),
            period: Span::seconds(5),
        }
    }

    /// The cache of a sample of the data: `share` of the memory, in which pages grow old in `share` of the time.
    pub fn in_sample(self, share: f64) -> Self {
        let part = |of: u64| libm::round(of as f64 * share) as u64;
        Self {
            size: Bytes(part(self.size.0)),
            expire: Span(part(self.expire.0)),
            period: Span(part(self.period.0).max(1)),
            ..self
        }
    }
}

/// Bytes of a line. The kernel's own page is 4 KiB; engines' pages here are 8 or 16 KiB, and one entry for each
/// is enough.
pub const LINE_BYTES: u64 = 16 << 10;

const NONE: u32 = u32::MAX;

/// The place of each line in the cache plus one, 0 where it is not there. Lines lie in a few parts of a device that may
/// be of any size, so that there is a table for each gibibyte in which there are any.
#[derive(Debug, Clone, Default)]
struct SlotIndex {
    tables: Vec<Vec<u32>>,
}

impl SlotIndex {
    /// Lines of a table, as a power of two.
    const TABLE_BITS: u32 = 16;

    fn places(number: u64) -> (usize, usize) {
        ((number >> Self::TABLE_BITS) as usize, (number & ((1 << Self::TABLE_BITS) - 1)) as usize)
    }

    fn get(&self, number: u64) -> u32 {
        let (table, place) = Self::places(number);
        self.tables.get(table).and_then(|table| table.get(place)).copied().unwrap_or(0)
    }

    fn set(&mut self, number: u64, slot: u32) {
        let (table, place) = Self::places(number);
        if self.tables.len() <= table {
            self.tables.resize(table + 1, Vec::new());
        }
        let table = &mut self.tables[table];
        if table.is_empty() {
            table.resize(1 << Self::TABLE_BITS, 0);
        }
        table[place] = slot;
    }
}

#[derive(Debug, Clone, Copy)]
struct Line {
    number: u64,
    newer: u32,
    older: u32,
    dirty: bool,
    /// Being written back; a write meanwhile makes it dirty again.
    writing: bool,
}

/// Lines in memory, least recently used last, and the dirty ones in the order of their place.
#[derive(Debug)]
pub(crate) struct PageCache {
    lines_max: usize,
    background_lines: usize,
    limit_lines: usize,
    expire_ns: u64,
    /// Slot of each line plus one, 0 where it is not in memory.
    index: SlotIndex,
    lines: Vec<Line>,
    newest: u32,
    oldest: u32,
    dirty: LineSet,
    /// (when it became dirty, line): the front is the oldest; entries may be stale.
    ages: VecDeque<(u64, u64)>,
    writing: usize,
    hand: u64,
}

impl PageCache {
    pub(crate) fn new(spec: &PageCacheSpec) -> Self {
        let lines_max = ((spec.size.0 / LINE_BYTES) as usize).max(64);
        let share = |s: f64| ((lines_max as f64 * s.clamp(0.001, 1.0)) as usize).max(8);
        Self {
            lines_max,
            background_lines: share(spec.dirty_background),
            limit_lines: share(spec.dirty_limit),
            expire_ns: spec.expire.0,
            index: SlotIndex::default(),
            lines: Vec::new(),
            newest: NONE,
            oldest: NONE,
            dirty: LineSet::default(),
            ages: VecDeque::new(),
            writing: 0,
            hand: 0,
        }
    }

    /// Lines it holds at most.
    pub(crate) fn lines_max(&self) -> usize {
        self.lines_max
    }

    fn unlink(&mut self, slot: u32) {
        let Line { newer, older, .. } = self.lines[slot as usize];
        match newer {
            NONE => self.newest = older,
            n => self.lines[n as usize].older = older,
        }
        match older {
            NONE => self.oldest = newer,
            o => self.lines[o as usize].newer = newer,
        }
    }

    fn link_newest(&mut self, slot: u32) {
        let line = &mut self.lines[slot as usize];
        line.newer = NONE;
        line.older = self.newest;
        match self.newest {
            NONE => self.oldest = slot,
            n => self.lines[n as usize].newer = slot,
        }
        self.newest = slot;
    }

    fn slot(&self, number: u64) -> Option<u32> {
        match self.index.get(number) {
            0 => None,
            n => Some(n - 1),
        }
    }

    /// Finds a line and makes it the most recently used.
    pub(crate) fn touch(&mut self, number: u64) -> bool {
        let Some(slot) = self.slot(number) else { return false };
        self.unlink(slot);
        self.link_newest(slot);
        true
    }

    /// Puts a line in, clean, dropping the least recently used clean one where there is no room.
    pub(crate) fn insert(&mut self, number: u64) {
        if self.touch(number) {
            return;
        }
        let fresh = Line { number, newer: NONE, older: NONE, dirty: false, writing: false };
        let slot = if self.lines.len() < self.lines_max {
            self.lines.push(fresh);
            (self.lines.len() - 1) as u32
        } else {
            let mut victim = self.oldest;
            // Dirty lines cannot be dropped; the dirty limit keeps them a minority, so the search is short.
            for _ in 0..self.lines_max {
                let line = self.lines[victim as usize];
                if !line.dirty && !line.writing {
                    break;
                }
                self.unlink(victim);
                self.link_newest(victim);
                victim = self.oldest;
            }
            self.unlink(victim);
            self.index.set(self.lines[victim as usize].number, 0);
            self.lines[victim as usize] = fresh;
            victim
        };
        self.index.set(number, slot + 1);
        self.link_newest(slot);
    }

    pub(crate) fn mark_dirty(&mut self, now: u64, number: u64) {
        self.insert(number);
        let Some(slot) = self.slot(number) else { return };
        let line = &mut self.lines[slot as usize];
        if !line.dirty {
            line.dirty = true;
            self.dirty.insert(number);
            self.ages.push_back((now, number));
        }
    }

    /// Dirty lines, including those being written back: what counts against the limits.
    fn unclean(&self) -> usize {
        self.dirty.len() + self.writing
    }

    pub(crate) fn over_limit(&self) -> bool {
        self.unclean() > self.limit_lines
    }

    pub(crate) fn over_background(&self) -> bool {
        self.unclean() > self.background_lines
    }

    pub(crate) fn has_dirty(&self) -> bool {
        self.dirty.len() > 0
    }

    /// Takes the lines that are dirty since before `now - expire`.
    pub(crate) fn take_expired(&mut self, now: u64, run_max: usize) -> Option<(u64, u64)> {
        while let Some(&(since, number)) = self.ages.front() {
            if since + self.expire_ns > now {
                return None;
            }
            self.ages.pop_front();
            if self.dirty.contains(number) {
                return Some(self.take_run(number, run_max));
            }
        }
        None
    }

    /// Takes the next run of neighbouring dirty lines upwards from the last one.
    pub(crate) fn take_next(&mut self, run_max: usize) -> Option<(u64, u64)> {
        let first = self.dirty.next(self.hand).or_else(|| self.dirty.next(0))?;
        let run = self.take_run(first, run_max);
        self.hand = run.0 + run.1;
        Some(run)
    }

    /// Takes the first run of dirty lines in `[from, to)`.
    pub(crate) fn take_within(&mut self, from: u64, to: u64, run_max: usize) -> Option<(u64, u64)> {
        let first = self.dirty.next(from).filter(|line| *line < to)?;
        Some(self.take_run(first, run_max))
    }

    /// Takes up to `run_max` neighbouring dirty lines from `first`: (first, count).
    fn take_run(&mut self, first: u64, run_max: usize) -> (u64, u64) {
        let mut count = 0;
        while (count as usize) < run_max && self.dirty.remove(first + count) {
            if let Some(slot) = self.slot(first + count) {
                let line = &mut self.lines[slot as usize];
                line.dirty = false;
                line.writing = true;
            }
            self.writing += 1;
            count += 1;
        }
        (first, count)
    }

    /// Lines `first .. first + count` reached the device.
    pub(crate) fn written(&mut self, first: u64, count: u64) {
        for number in first..first + count {
            self.writing -= 1;
            if let Some(slot) = self.slot(number) {
                self.lines[slot as usize].writing = false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_the_least_recently_used_clean_line() {
        let mut cache = PageCache::new(&PageCacheSpec::linux(Bytes(64 * LINE_BYTES)));
        for line in 0..64 {
            cache.insert(line);
        }
        cache.touch(0);
        cache.mark_dirty(0, 1);
        cache.insert(100);
        assert!(cache.touch(0), "recently used stays");
        assert!(cache.touch(1), "dirty stays");
        assert!(!cache.touch(2), "the oldest clean one went");
    }

    #[test]
    fn takes_runs_of_neighbours() {
        let mut cache = PageCache::new(&PageCacheSpec::linux(Bytes::mib(16)));
        for line in [5, 6, 7, 20] {
            cache.mark_dirty(0, line);
        }
        assert_eq!(cache.take_next(32), Some((5, 3)));
        assert_eq!(cache.take_next(32), Some((20, 1)));
        assert_eq!(cache.take_next(32), None);
    }
}
