//! A solid-state drive: dies behind channels behind an interface, a write buffer, and garbage collection at
//! steady state.

use crate::{Access, Activity, Device, Request, schedule::Schedule};
use serde::{Deserialize, Serialize};
use spindle_units::{Bytes, Span};
use std::collections::VecDeque;

/// What a drive is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SsdSpec {
    /// User capacity.
    pub capacity: Bytes,
    /// Flash channels, 1 to 64.
    pub channels: u32,
    /// Dies on each channel, 1 to 64.
    pub dies_per_channel: u32,
    /// Bytes a die reads or programs at once (page × planes).
    pub flash_page: Bytes,
    /// Time from command to data in the die's register.
    pub read: Span,
    /// Time to program a page.
    pub program: Span,
    /// Transfer rate of one channel, bytes a second.
    pub channel_bytes_per_s: Bytes,
    /// Transfer rate of the host interface in each direction, bytes a second.
    pub interface_bytes_per_s: Bytes,
    /// Controller time of each request, not shared with others.
    pub overhead: Span,
    /// Controller time of each request that no other request can use: the ceiling on requests a second.
    pub dispatch: Span,
    /// Bytes of write buffer. A write is complete when it is in the buffer.
    pub write_buffer: Bytes,
    /// Capacitors keep the buffer through a power loss: a sync has nothing to wait for.
    pub power_loss_protection: bool,
    /// Spare flash as a share of the user capacity, 0.02 to 1; it sets the write amplification.
    pub over_provisioning: f64,
}

impl SsdSpec {
    /// Flash pages programmed for each one the host writes at random, at steady state with greedy cleaning:
    /// `(1 + p) / (2 p)` for spare share `p` (Agarwal and Marrow, "A closed-form expression for write
    /// amplification in NAND flash", 2010), and never below 1.
    pub fn write_amplification(&self) -> f64 {
        write_amplification(self.over_provisioning)
    }
}

/// See [`SsdSpec::write_amplification`].
pub(crate) fn write_amplification(spare: f64) -> f64 {
    ((1.0 + spare) / (2.0 * spare)).max(1.0)
}

/// The drive in virtual time. A die serves programs in order of arrival; a read goes before programs that wait, but
/// not into one that is under way.
#[derive(Debug)]
pub struct Ssd {
    spec: SsdSpec,
    die_free_at: Vec<u64>,
    /// When each die is done with its reads.
    reads_done_at: Vec<u64>,
    channel_free_at: Vec<u64>,
    interface_in_free_at: u64,
    interface_out_free_at: u64,
    dispatch_free_at: u64,
    /// When each buffered flash page is programmed; its length is the buffer's occupancy.
    buffered: VecDeque<u64>,
    buffer_pages: usize,
    next_die: usize,
    /// Cleaning owed to the host's writes, in pages × 1024.
    cleaning_x1024: u64,
    amplification_x1024: u64,
    due: Schedule,
    activity: Activity,
}

impl Ssd {
    /// A drive that has been filled and overwritten long enough to be at steady state.
    pub fn new(spec: &SsdSpec) -> Self {
        let dies = (spec.channels.max(1) * spec.dies_per_channel.max(1)) as usize;
        Self {
            die_free_at: vec![0; dies],
            reads_done_at: vec![0; dies],
            channel_free_at: vec![0; spec.channels.max(1) as usize],
            interface_in_free_at: 0,
            interface_out_free_at: 0,
            dispatch_free_at: 0,
            buffered: VecDeque::new(),
            buffer_pages: ((spec.write_buffer.0 / spec.flash_page.0.max(1)) as usize).max(1),
            next_die: 0,
            cleaning_x1024: 0,
            amplification_x1024: (spec.write_amplification() * 1024.0) as u64,
            due: Schedule::default(),
            activity: Activity { servers: dies as u32, ..Activity::default() },
            spec: spec.clone(),
        }
    }

    fn channel_ns(&self, bytes: u64) -> u64 {
        bytes * 1_000_000_000 / self.spec.channel_bytes_per_s.0.max(1)
    }

    fn interface_ns(&self, bytes: u64) -> u64 {
        bytes * 1_000_000_000 / self.spec.interface_bytes_per_s.0.max(1)
    }

    fn occupy_die(&mut self, die: usize, from: u64, ns: u64) -> u64 {
        let end = self.die_free_at[die].max(from) + ns;
        self.die_free_at[die] = end;
        self.activity.busy_ns += ns;
        end
    }

    /// Reads a page of `die`: after the program under way, before those that wait, which are put off.
    fn sense(&mut self, die: usize, from: u64) -> u64 {
        let begin = from.max(self.reads_done_at[die]);
        let backlog = self.die_free_at[die].saturating_sub(begin);
        let begin = begin + backlog % self.spec.program.0.max(1);
        let end = begin + self.spec.read.0;
        self.reads_done_at[die] = end;
        self.die_free_at[die] = self.die_free_at[die].max(begin) + self.spec.read.0;
        self.activity.busy_ns += self.spec.read.0;
        end
    }

    /// Data was written in no particular order, so a logical page lies on a die that its number does not tell:
    /// a fixed mixing of the address (the finaliser of splitmix64) spreads pages evenly and repeatably.
    fn die_of(&self, page: u64) -> usize {
        let mut x = page.wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % self.die_free_at.len() as u64) as usize
    }

    fn read(&mut self, start: u64, request: &Request) -> u64 {
        let page_bytes = self.spec.flash_page.0.max(1);
        let end_byte = request.offset + u64::from(request.bytes.max(1));
        let mut last = start;
        for page in request.offset / page_bytes..end_byte.div_ceil(page_bytes) {
            let wanted = (end_byte.min((page + 1) * page_bytes)) - request.offset.max(page * page_bytes);
            let die = self.die_of(page);
            let sensed = self.sense(die, start);
            let channel = die % self.channel_free_at.len();
            let moved = self.channel_free_at[channel].max(sensed) + self.channel_ns(wanted);
            self.channel_free_at[channel] = moved;
            last = last.max(moved);
        }
        let out = self.interface_out_free_at.max(last) + self.interface_ns(u64::from(request.bytes));
        self.interface_out_free_at = out;
        out
    }

    fn write(&mut self, start: u64, request: &Request) -> u64 {
        let page_bytes = self.spec.flash_page.0.max(1);
        let arrived = self.interface_in_free_at.max(start) + self.interface_ns(u64::from(request.bytes));
        self.interface_in_free_at = arrived;
        let mut accepted = arrived;
        for _ in 0..u64::from(request.bytes).div_ceil(page_bytes) {
            while self.buffered.front().is_some_and(|at| *at <= accepted) {
                self.buffered.pop_front();
            }
            if self.buffered.len() >= self.buffer_pages {
                accepted = self.buffered.pop_front().unwrap_or(accepted).max(accepted);
            }
            // Cleaning reads a live page and programs it elsewhere for every page owed.
            self.cleaning_x1024 += self.amplification_x1024.saturating_sub(1024);
            while self.cleaning_x1024 >= 1024 {
                self.cleaning_x1024 -= 1024;
                self.program(accepted, self.spec.read.0);
            }
            let end = self.program(accepted, 0);
            let at = self.buffered.back().map_or(end, |last| end.max(*last));
            self.buffered.push_back(at);
        }
        accepted
    }

    /// Programs the next page in the drive's own round over the dies, after `extra` on the same die.
    fn program(&mut self, from: u64, extra: u64) -> u64 {
        let die = self.next_die;
        self.next_die = (self.next_die + 1) % self.die_free_at.len();
        let channel = die % self.channel_free_at.len();
        let moved = self.channel_free_at[channel].max(from) + self.channel_ns(self.spec.flash_page.0);
        self.channel_free_at[channel] = moved;
        self.occupy_die(die, moved, self.spec.program.0 + extra)
    }

    fn sync(&self, start: u64) -> u64 {
        if self.spec.power_loss_protection {
            start
        } else {
            self.buffered.back().copied().unwrap_or(start).max(start)
        }
    }
}

impl Device for Ssd {
    fn submit(&mut self, now: u64, request: Request) {
        let dispatched = self.dispatch_free_at.max(now) + self.spec.dispatch.0;
        self.dispatch_free_at = dispatched;
        let start = dispatched.max(now + self.spec.overhead.0);
        let done = match request.access {
            Access::Read => {
                self.activity.reads += 1;
                self.read(start, &request)
            }
            Access::Write => {
                self.activity.writes += 1;
                self.write(start, &request)
            }
            Access::Sync => {
                self.activity.syncs += 1;
                self.sync(start)
            }
        };
        self.due.push(done, request.id);
    }

    fn next_event(&self) -> Option<u64> {
        self.due.first()
    }

    fn advance(&mut self, now: u64, done: &mut Vec<u64>) {
        while let Some(id) = self.due.pop_due(now) {
            done.push(id);
        }
    }

    fn floor_ns(&self, access: Access, bytes: u32) -> u64 {
        let base = self.spec.overhead.0.max(self.spec.dispatch.0);
        let wire = self.interface_ns(u64::from(bytes));
        match access {
            Access::Sync => base,
            Access::Write => base + wire,
            Access::Read => {
                let first = u64::from(bytes).min(self.spec.flash_page.0);
                base + wire + self.spec.read.0 + self.channel_ns(first) / 2
            }
        }
    }

    fn activity(&self, now: u64) -> Activity {
        let ahead: u64 = self.die_free_at.iter().map(|at| at.saturating_sub(now)).sum();
        Activity { busy_ns: self.activity.busy_ns.saturating_sub(ahead), ..self.activity }
    }
}
