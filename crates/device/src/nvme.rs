//! An enterprise NVMe drive: many dies behind channels, programs that give way to reads, a protected write buffer,
//! cleaning by over-provisioning, and the ceilings of controller and PCIe link.
//!
//! A request costs the simulation one event: when it is done is worked out as it comes, from the times up to which each
//! die, channel and direction of the link is promised. Queues, 64 K of them with 64 K commands each, are deep enough not
//! to matter; what many queues give is that requests do not wait for each other in the host.

use crate::{Access, Activity, Device, Request, schedule::Schedule, ssd::write_amplification};
use serde::{Deserialize, Serialize};
use spindle_units::{Bytes, Span, chance::scatter};
use std::collections::VecDeque;

/// What a drive is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NvmeSpec {
    /// User capacity.
    pub capacity: Bytes,
    /// Flash channels, 1 to 64.
    pub channels: u32,
    /// Dies on each channel, 1 to 64.
    pub dies_per_channel: u32,
    /// Planes of a die, 1 to 8: they are programmed together, and read one by one.
    pub planes: u32,
    /// Bytes of a page of one plane: what one read brings.
    pub flash_page: Bytes,
    /// Pages of a plane that are programmed at once: one for each bit of a cell, 1 to 4.
    pub pages_per_program: u32,
    /// Time from command to data in the die's register, for the fast, the middle and the slow page of a cell.
    pub read: [Span; 3],
    /// Time to program all planes' pages.
    pub program: Span,
    /// Time to erase a block.
    pub erase: Span,
    /// Programs that fill a block, from 1.
    pub programs_per_block: u32,
    /// Time from a read's arrival until a program or erase has given way to it.
    pub suspend: Span,
    /// Time from the last read's end until it goes on.
    pub resume: Span,
    /// Reads that a program gives way to before it is finished without a break; 0 where it never does.
    pub suspensions: u32,
    /// Transfer rate of one channel, bytes a second.
    pub channel_bytes_per_s: Bytes,
    /// Transfer rate of the PCIe link in each direction, payload bytes a second.
    pub link_bytes_per_s: Bytes,
    /// Time of a read beside die, channel and link: driver, controller, error correction, interrupt.
    pub read_overhead: Span,
    /// Time of a write beside the link, until it is acknowledged from the buffer.
    pub write_overhead: Span,
    /// Time of a flush while nothing has to be programmed for it.
    pub flush_overhead: Span,
    /// Controller time of each command that no other can use: the ceiling on commands a second.
    pub dispatch: Span,
    /// Share of reads that error correction has to have read again, 0 to 1.
    pub retry_share: f64,
    /// Time of such a second read.
    pub retry: Span,
    /// Bytes of write buffer. A write is complete when it is in the buffer.
    pub write_buffer: Bytes,
    /// Capacitors keep the buffer through a power loss: a flush has nothing to wait for.
    pub power_loss_protection: bool,
    /// Spare flash as a share of the user capacity, 0.02 to 1; it sets the write amplification.
    pub over_provisioning: f64,
}

impl NvmeSpec {
    fn dies(&self) -> usize {
        (self.channels.max(1) * self.dies_per_channel.max(1)) as usize
    }

    /// Bytes that one program puts on a die.
    fn program_bytes(&self) -> u64 {
        self.flash_page.0.max(1) * u64::from(self.planes.max(1)) * u64::from(self.pages_per_program.max(1))
    }
}

/// What a die has promised.
#[derive(Debug, Clone, Copy, Default)]
struct Die {
    /// When its programs and erases are done.
    programmed_at: u64,
    /// When the last of its planes is read.
    read_at: u64,
    /// Reads that programs will still give way to.
    suspensions: u32,
    /// Programs since the last erase.
    programs: u32,
}

/// Something of a fixed rate that requests pass in the order in which they came: it limits the rate, and never holds up
/// a request that is ready for one that is not.
#[derive(Debug, Clone, Copy, Default)]
struct Lane {
    free_at: u64,
}

impl Lane {
    /// Passes what came at `came` and is ready at `ready`, taking `ns`; when it is through.
    fn pass(&mut self, came: u64, ready: u64, ns: u64) -> u64 {
        self.free_at = self.free_at.max(came) + ns;
        self.free_at.max(ready + ns)
    }
}

/// The drive in virtual time. A read goes before programs that wait, and into one that is under way as far as it lets
/// itself be suspended.
#[derive(Debug)]
pub struct Nvme {
    spec: NvmeSpec,
    dies: Vec<Die>,
    /// When the reads of each plane are done, die by die.
    planes_read_at: Vec<u64>,
    channels: Vec<Lane>,
    inward: Lane,
    outward: Lane,
    dispatch_free_at: u64,
    program_bytes: u64,
    /// When the flash has taken each full program's worth of the buffer.
    programs: VecDeque<u64>,
    /// Bytes in the buffer that do not make a whole program yet.
    gathered: u64,
    buffered_programs: usize,
    next_die: usize,
    /// Cleaning owed to the host's writes, in programs × 1024.
    cleaning_x1024: u64,
    amplification_x1024: u64,
    /// Of 2^32 reads, how many are read again.
    retries_x2_32: u64,
    due: Schedule,
    activity: Activity,
}

impl Nvme {
    /// A drive that has been written over long enough for its cleaning to be steady.
    pub fn new(spec: &NvmeSpec) -> Self {
        let dies = spec.dies();
        let program_bytes = spec.program_bytes();
        Self {
            dies: vec![Die { suspensions: spec.suspensions, ..Die::default() }; dies],
            planes_read_at: vec![0; dies * spec.planes.max(1) as usize],
            channels: vec![Lane::default(); spec.channels.max(1) as usize],
            inward: Lane::default(),
            outward: Lane::default(),
            dispatch_free_at: 0,
            program_bytes,
            programs: VecDeque::new(),
            gathered: 0,
            buffered_programs: ((spec.write_buffer.0 / program_bytes) as usize).max(1),
            next_die: 0,
            cleaning_x1024: 0,
            amplification_x1024: (write_amplification(spec.over_provisioning) * 1024.0) as u64,
            retries_x2_32: (spec.retry_share.clamp(0.0, 1.0) * 4_294_967_296.0) as u64,
            due: Schedule::default(),
            activity: Activity { servers: dies as u32, ..Activity::default() },
            spec: spec.clone(),
        }
    }

    fn channel_ns(&self, bytes: u64) -> u64 {
        bytes * 1_000_000_000 / self.spec.channel_bytes_per_s.0.max(1)
    }

    fn link_ns(&self, bytes: u64) -> u64 {
        bytes * 1_000_000_000 / self.spec.link_bytes_per_s.0.max(1)
    }

    /// Time of sensing a flash page: which of a cell's bits it is, and whether it has to be read again, lie in its number
    /// and in how many reads there were before.
    fn sensing_ns(&self, page: u64) -> u64 {
        let bits = scatter(page);
        let read = self.spec.read[(bits >> 40) as usize % 3].0;
        let drawn = scatter(bits ^ self.activity.reads) >> 32;
        read + if drawn < self.retries_x2_32 { self.spec.retry.0 } else { 0 }
    }

    /// Reads a page of a plane. A program under way on its die gives way, unless it has done so too often; while it is
    /// held, reads of the other planes find it so.
    fn sense(&mut self, plane: usize, from: u64, ns: u64) -> u64 {
        let Self { dies, planes_read_at, spec, activity, .. } = self;
        let die = &mut dies[plane / spec.planes.max(1) as usize];
        let mut begin = from.max(planes_read_at[plane]);
        let backlog = die.programmed_at.saturating_sub(begin);
        let is_held = die.read_at > begin;
        let mut resume = 0;
        if backlog > 0 && !is_held && planes_read_at[plane] <= from {
            if die.suspensions > 0 {
                die.suspensions -= 1;
                begin += spec.suspend.0;
                resume = spec.resume.0;
            } else {
                begin += backlog % spec.program.0.max(1);
            }
        }
        let end = begin + ns;
        planes_read_at[plane] = end;
        // The die is busy with reads for as long as any of its planes is.
        let longer = end.saturating_sub(die.read_at.max(from));
        die.read_at = die.read_at.max(end);
        if backlog > 0 {
            die.programmed_at += longer + resume;
            activity.busy_ns += longer + resume;
        } else {
            activity.busy_ns += longer;
        }
        end
    }

    fn read(&mut self, start: u64, request: &Request) -> u64 {
        let page_bytes = self.spec.flash_page.0.max(1);
        let end_byte = request.offset + u64::from(request.bytes.max(1));
        let mut last = start;
        for page in request.offset / page_bytes..end_byte.div_ceil(page_bytes) {
            let wanted = (end_byte.min((page + 1) * page_bytes)) - request.offset.max(page * page_bytes);
            // Data was written in no particular order, so a logical page lies on a plane that its number does not tell.
            let plane = (scatter(page) % self.planes_read_at.len() as u64) as usize;
            let sensed = self.sense(plane, start, self.sensing_ns(page));
            let ns = self.channel_ns(wanted);
            let channel = plane / self.spec.planes.max(1) as usize % self.channels.len();
            last = last.max(self.channels[channel].pass(start, sensed, ns));
        }
        let ns = self.link_ns(u64::from(request.bytes));
        self.outward.pass(start, last, ns)
    }

    fn write(&mut self, start: u64, request: &Request) -> u64 {
        let ns = self.link_ns(u64::from(request.bytes));
        let mut accepted = self.inward.pass(start, start, ns);
        self.gathered += u64::from(request.bytes);
        while self.gathered >= self.program_bytes {
            self.gathered -= self.program_bytes;
            while self.programs.front().is_some_and(|at| *at <= accepted) {
                self.programs.pop_front();
            }
            if self.programs.len() >= self.buffered_programs {
                accepted = self.programs.pop_front().unwrap_or(accepted).max(accepted);
            }
            // Cleaning reads live pages and programs them elsewhere for every program owed.
            self.cleaning_x1024 += self.amplification_x1024.saturating_sub(1024);
            while self.cleaning_x1024 >= 1024 {
                self.cleaning_x1024 -= 1024;
                let sensed = self.spec.read.iter().map(|read| read.0).sum::<u64>() / 3;
                self.program(accepted, sensed * u64::from(self.spec.pages_per_program));
            }
            let end = self.program(accepted, 0);
            let at = self.programs.back().map_or(end, |last| end.max(*last));
            self.programs.push_back(at);
        }
        accepted
    }

    /// Programs the next die in the drive's own round over them, after `extra` on the same die.
    fn program(&mut self, from: u64, extra: u64) -> u64 {
        let number = self.next_die;
        self.next_die = (self.next_die + 1) % self.dies.len();
        let channel = number % self.channels.len();
        let ns = self.channel_ns(self.program_bytes);
        let moved = self.channels[channel].pass(from, from, ns);
        let die = &mut self.dies[number];
        let mut work = self.spec.program.0 + extra;
        die.programs += 1;
        if die.programs >= self.spec.programs_per_block.max(1) {
            die.programs = 0;
            work += self.spec.erase.0;
        }
        let begin = die.programmed_at.max(moved).max(die.read_at);
        die.programmed_at = begin + work;
        die.suspensions = (die.suspensions + self.spec.suspensions).min(2 * self.spec.suspensions);
        self.activity.busy_ns += work;
        die.programmed_at
    }

    fn flush(&self, start: u64) -> u64 {
        if self.spec.power_loss_protection {
            start
        } else {
            self.programs.back().copied().unwrap_or(start).max(start)
        }
    }

    fn overhead_ns(&self, access: Access) -> u64 {
        match access {
            Access::Read => self.spec.read_overhead.0,
            Access::Write => self.spec.write_overhead.0,
            Access::Sync => self.spec.flush_overhead.0,
        }
    }
}

impl Device for Nvme {
    fn submit(&mut self, now: u64, request: Request) {
        let dispatched = self.dispatch_free_at.max(now) + self.spec.dispatch.0;
        self.dispatch_free_at = dispatched;
        let start = dispatched.max(now + self.overhead_ns(request.access));
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
                self.flush(start)
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
        let base = self.overhead_ns(access).max(self.spec.dispatch.0);
        let wire = self.link_ns(u64::from(bytes));
        match access {
            Access::Sync => base,
            Access::Write => base + wire,
            Access::Read => {
                let first = u64::from(bytes).min(self.spec.flash_page.0);
                let fastest = self.spec.read.iter().map(|read| read.0).min().unwrap_or(0);
                base + wire + fastest + self.channel_ns(first) / 2
            }
        }
    }

    fn activity(&self, now: u64) -> Activity {
        let until = |die: &Die| die.programmed_at.max(die.read_at);
        let ahead: u64 = self.dies.iter().map(|die| until(die).saturating_sub(now)).sum();
        Activity { busy_ns: self.activity.busy_ns.saturating_sub(ahead), ..self.activity }
    }
}
