//! Several devices behind one controller: RAID 0, 1 and 10, with stripes and a write-back cache.

use crate::{
    Access, Activity, Device, Request,
    controller_cache::{ControllerCacheSpec, Destage},
    schedule::Schedule,
};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// How members are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RaidLevel {
    /// One device, no redundancy.
    #[serde(rename = "none")]
    Single,
    /// Stripes over all members.
    #[serde(rename = "0")]
    Raid0,
    /// Every member holds everything.
    #[serde(rename = "1")]
    Raid1,
    /// Stripes over mirrored pairs (written 0+1 or 1+0 in the field).
    #[serde(rename = "10")]
    Raid10,
}

impl RaidLevel {
    /// Copies of each byte among `members` devices.
    pub fn copies(self, members: u32) -> u32 {
        match self {
            Self::Single | Self::Raid0 => 1,
            Self::Raid1 => members,
            Self::Raid10 => 2,
        }
    }
}

struct Member {
    device: Box<dyn Device>,
    destage: Destage,
    /// Requests of the host the member is working on.
    foreground: u32,
    /// Cache writes the member is working on.
    background: u32,
    /// When the member next has something to say; `u64::MAX` for never. Kept, because asking is a call for each
    /// member at every event.
    next_event: u64,
}

/// What a request to a member belongs to.
enum Part {
    /// A piece of the host's request with this index.
    Host(u64),
    /// Cached bytes on their way to this member.
    Destage(u32),
}

struct Parent {
    id: u64,
    parts: u32,
}

/// Cache writes a member is given at a time: half of what a disk's queue holds (32 commands), so that it can reorder
/// them and still has room for the host's reads.
pub const DESTAGE_DEPTH: u32 = 16;

/// An array in virtual time.
pub struct Array {
    level: RaidLevel,
    stripe: u64,
    members: Vec<Member>,
    cache: Option<ControllerCacheSpec>,
    cached_bytes: u64,
    /// Writes waiting for room in the cache.
    blocked: VecDeque<Request>,
    acknowledged: Schedule,
    parents: FxHashMap<u64, Parent>,
    parts: FxHashMap<u64, Part>,
    next_key: u64,
    done_now: Vec<u64>,
    activity: Activity,
}

impl Array {
    /// Combines `members`; a cache without a battery writes through and is left out of the model.
    ///
    /// # Panics
    /// When `members` is empty: a specification without members is refused before it gets here.
    pub fn new(
        level: RaidLevel,
        stripe: u64,
        members: Vec<Box<dyn Device>>,
        cache: Option<ControllerCacheSpec>,
    ) -> Self {
        assert!(!members.is_empty(), "an array has members");
        let members = members
            .into_iter()
            .map(|device| Member {
                device,
                destage: Destage::default(),
                foreground: 0,
                background: 0,
                next_event: u64::MAX,
            })
            .collect();
        Self {
            level,
            stripe: stripe.max(512),
            members,
            cache: cache.filter(|c| c.battery && c.size.0 > 0),
            cached_bytes: 0,
            blocked: VecDeque::new(),
            acknowledged: Schedule::default(),
            parents: FxHashMap::default(),
            parts: FxHashMap::default(),
            next_key: 0,
            done_now: Vec::new(),
            activity: Activity::default(),
        }
    }

    fn copies(&self) -> u64 {
        u64::from(self.level.copies(self.members.len() as u32))
    }

    /// Cuts a request at stripe boundaries: (first member of the mirror group, offset on it, bytes).
    fn pieces(&self, request: &Request) -> Vec<(usize, u64, u32)> {
        let copies = self.copies();
        let groups = (self.members.len() as u64 / copies).max(1);
        let mut pieces = Vec::with_capacity(1);
        let mut offset = request.offset;
        let end = request.offset + u64::from(request.bytes);
        while offset < end {
            let stripe = offset / self.stripe;
            let length = (self.stripe - offset % self.stripe).min(end - offset);
            let on_member = (stripe / groups) * self.stripe + offset % self.stripe;
            pieces.push(((stripe % groups * copies) as usize, on_member, length as u32));
            offset += length;
        }
        pieces
    }

    fn send(&mut self, now: u64, member: usize, access: Access, offset: u64, bytes: u32, part: Part) {
        let key = self.next_key;
        self.next_key += 1;
        match part {
            Part::Host(_) => self.members[member].foreground += 1,
            Part::Destage(_) => self.members[member].background += 1,
        }
        self.parts.insert(key, part);
        let member = &mut self.members[member];
        member.device.submit(now, Request { id: key, access, offset, bytes });
        member.next_event = member.device.next_event().unwrap_or(u64::MAX);
    }

    /// The mirror with the least to do; the lower number where they are equal.
    fn least_busy(&self, first: usize) -> usize {
        let copies = self.copies() as usize;
        (first..first + copies)
            .min_by_key(|m| self.members[*m].foreground + self.members[*m].background)
            .unwrap_or(first)
    }

    fn send_to_members(&mut self, now: u64, request: Request) {
        let parent = self.next_key;
        self.next_key += 1;
        let mut parts = 0;
        if request.access == Access::Sync {
            for member in 0..self.members.len() {
                self.send(now, member, Access::Sync, 0, 0, Part::Host(parent));
                parts += 1;
            }
        } else {
            for (first, offset, bytes) in self.pieces(&request) {
                if request.access == Access::Read {
                    let member = self.least_busy(first);
                    if self.cache.is_some() && self.members[first].destage.holds(offset, bytes) {
                        continue;
                    }
                    self.send(now, member, Access::Read, offset, bytes, Part::Host(parent));
                    parts += 1;
                } else {
                    for copy in 0..self.copies() as usize {
                        self.send(now, first + copy, Access::Write, offset, bytes, Part::Host(parent));
                        parts += 1;
                    }
                }
            }
        }
        if parts == 0 {
            let latency = self.cache.as_ref().map_or(0, |c| c.latency.0);
            self.acknowledged.push(now + latency, request.id);
        } else {
            self.parents.insert(parent, Parent { id: request.id, parts });
        }
    }

    fn put_in_cache(&mut self, now: u64, request: Request) {
        let Some(latency) = self.cache.as_ref().map(|c| c.latency.0) else { return };
        for (first, offset, bytes) in self.pieces(&request) {
            for copy in 0..self.copies() as usize {
                let growth = self.members[first + copy].destage.add(offset, bytes);
                self.cached_bytes += u64::from(growth);
            }
        }
        self.acknowledged.push(now + latency, request.id);
    }

    fn has_room(&self, bytes: u32) -> bool {
        let Some(cache) = &self.cache else { return false };
        // The cache holds one copy of a byte for all mirrors; it leaves when the last mirror has it.
        let held = self.cached_bytes / self.copies();
        held == 0 || held + u64::from(bytes) <= cache.size.0
    }

    /// Lets blocked writes into the cache and keeps members busy with what waits there. The host's reads go
    /// first: a member destages beside them only once the cache is half full.
    fn pump(&mut self, now: u64) {
        if self.cache.is_none() {
            return;
        }
        while let Some(first) = self.blocked.front().copied() {
            if !self.has_room(first.bytes) {
                break;
            }
            self.blocked.pop_front();
            self.put_in_cache(now, first);
        }
        let size = self.cache.as_ref().map_or(0, |c| c.size.0);
        let pressed = self.cached_bytes / self.copies() > size / 2;
        for index in 0..self.members.len() {
            while self.members[index].background < DESTAGE_DEPTH
                && (pressed || self.members[index].foreground == 0)
            {
                let Some((offset, bytes)) = self.members[index].destage.take() else { break };
                self.send(now, index, Access::Write, offset, bytes, Part::Destage(bytes));
            }
        }
    }

    fn part_done(&mut self, member: usize, key: u64, done: &mut Vec<u64>) {
        match self.parts.remove(&key) {
            Some(Part::Host(parent)) => {
                self.members[member].foreground -= 1;
                if let Some(entry) = self.parents.get_mut(&parent) {
                    entry.parts -= 1;
                    if entry.parts == 0 {
                        done.push(entry.id);
                        self.parents.remove(&parent);
                    }
                }
            }
            Some(Part::Destage(bytes)) => {
                self.members[member].background -= 1;
                self.cached_bytes -= u64::from(bytes);
            }
            None => debug_assert!(false, "a member completed what it was not given"),
        }
    }
}

impl Device for Array {
    fn submit(&mut self, now: u64, request: Request) {
        match request.access {
            Access::Read => self.activity.reads += 1,
            Access::Write => self.activity.writes += 1,
            Access::Sync => self.activity.syncs += 1,
        }
        match (&self.cache, request.access) {
            (Some(_), Access::Write) => self.blocked.push_back(request),
            (Some(cache), Access::Sync) => self.acknowledged.push(now + cache.latency.0, request.id),
            _ => self.send_to_members(now, request),
        }
        self.pump(now);
    }

    fn next_event(&self) -> Option<u64> {
        let members = self.members.iter().map(|m| m.next_event).min().unwrap_or(u64::MAX);
        let next = members.min(self.acknowledged.first().unwrap_or(u64::MAX));
        (next != u64::MAX).then_some(next)
    }

    fn advance(&mut self, now: u64, done: &mut Vec<u64>) {
        while let Some(at) = self.next_event().filter(|at| *at <= now) {
            while let Some(id) = self.acknowledged.pop_due(at) {
                done.push(id);
            }
            for index in 0..self.members.len() {
                let member = &mut self.members[index];
                if member.next_event > at {
                    continue;
                }
                let mut finished = std::mem::take(&mut self.done_now);
                member.device.advance(at, &mut finished);
                member.next_event = member.device.next_event().unwrap_or(u64::MAX);
                for key in finished.drain(..) {
                    self.part_done(index, key, done);
                }
                self.done_now = finished;
            }
            self.pump(at);
        }
    }

    fn floor_ns(&self, access: Access, bytes: u32) -> u64 {
        let cached = self.cache.as_ref().map(|c| c.latency.0);
        let groups = self.members.len() as u64 / self.copies();
        // A request spreads over at most all groups, so the longest piece is at least this long.
        let piece = (u64::from(bytes) / groups.max(1)).min(self.stripe) as u32;
        let member = self.members.iter().map(|m| m.device.floor_ns(access, piece)).min().unwrap_or(0);
        cached.map_or(member, |latency| latency.min(member))
    }

    fn activity(&self, now: u64) -> Activity {
        self.members.iter().fold(self.activity, |sum, member| {
            let part = member.device.activity(now);
            Activity { busy_ns: sum.busy_ns + part.busy_ns, servers: sum.servers + part.servers, ..sum }
        })
    }
}
