//! A rotating disk: seek curve, rotational position, zones, a queue that may be reordered, a write cache.

use crate::{Access, Activity, Device, Request, schedule::Schedule};
use serde::{Deserialize, Serialize};
use spindle_units::{Bytes, Span};

/// How the disk picks the next request from its queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueOrder {
    /// In the order of arrival.
    Fifo,
    /// Upwards over the platter, then again from the bottom (C-LOOK).
    Elevator,
    /// The request whose seek plus rotational wait is shortest (native and tagged command queueing).
    ShortestPositioning,
}

/// Geometry and timing of a disk, as printed in a data sheet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HddSpec {
    /// Revolutions a minute, 3600 to 15000.
    pub rpm: u32,
    /// Formatted capacity.
    pub capacity: Bytes,
    /// Recording surfaces.
    pub surfaces: u32,
    /// Sustained transfer at the outer edge, bytes a second.
    pub outer_bytes_per_s: Bytes,
    /// Sustained transfer at the inner edge, bytes a second.
    pub inner_bytes_per_s: Bytes,
    /// Seek to the next track.
    pub seek_track: Span,
    /// Average seek (over a third of the stroke).
    pub seek_average: Span,
    /// Full-stroke seek.
    pub seek_full: Span,
    /// Extra settling time of a write over a read.
    pub write_settle: Span,
    /// Controller and interface overhead of each request.
    pub overhead: Span,
    /// Further time before the arm moves for a request that does not continue the last one: firmware, and the margin
    /// that a sector under the head needs to be caught on this turn.
    pub command: Span,
    /// Requests the disk holds and may reorder, 1 to 256.
    pub queue_depth: u32,
    /// Order of service within the queue.
    pub order: QueueOrder,
    /// Bytes of volatile write cache; 0 when it is off and a write is complete only on the platter.
    pub write_cache: Bytes,
}

/// Zones of equal width in cylinders; within one the track length is constant.
const ZONES: usize = 16;

/// Cylinders, tracks and where a byte lies, derived once from the data sheet.
#[derive(Debug)]
struct Geometry {
    revolution_ns: u64,
    cylinders: f64,
    surfaces: u64,
    zones: [Zone; ZONES],
}

#[derive(Debug, Clone, Copy, Default)]
struct Zone {
    first_byte: u64,
    first_cylinder: u64,
    track_bytes: u64,
}

#[derive(Debug, Clone, Copy)]
struct Position {
    cylinder: u64,
    /// Fraction of a turn, in nanoseconds of rotation from the index mark.
    angle_ns: u64,
    ns_per_byte_x1024: u64,
}

impl Geometry {
    fn new(spec: &HddSpec) -> Self {
        let revolution_ns = 60_000_000_000 / u64::from(spec.rpm.max(1));
        let surfaces = u64::from(spec.surfaces.max(1));
        let turns_per_s = 1e9 / revolution_ns as f64;
        let rate = |zone: usize| {
            let inwards = (zone as f64 + 0.5) / ZONES as f64;
            let (outer, inner) = (spec.outer_bytes_per_s.0 as f64, spec.inner_bytes_per_s.0 as f64);
            outer + (inner - outer) * inwards
        };
        let mean_track = (0..ZONES).map(|z| rate(z) / turns_per_s).sum::<f64>() / ZONES as f64;
        let cylinders = (spec.capacity.0 as f64 / (mean_track * surfaces as f64)).max(ZONES as f64);
        let per_zone = (cylinders / ZONES as f64) as u64 + 1;
        let mut zones = [Zone::default(); ZONES];
        let mut first_byte = 0;
        for (index, zone) in zones.iter_mut().enumerate() {
            let track_bytes = ((rate(index) / turns_per_s) as u64).max(4096);
            *zone = Zone { first_byte, first_cylinder: per_zone * index as u64, track_bytes };
            first_byte += track_bytes * surfaces * per_zone;
        }
        Self { revolution_ns, cylinders: (per_zone * ZONES as u64) as f64, surfaces, zones }
    }

    fn locate(&self, offset: u64) -> Position {
        let index = self.zones.iter().rposition(|zone| zone.first_byte <= offset).unwrap_or(0);
        let zone = &self.zones[index];
        let within = offset - zone.first_byte;
        let cylinder_bytes = zone.track_bytes * self.surfaces;
        let angle_bytes = within % zone.track_bytes;
        Position {
            cylinder: zone.first_cylinder + within / cylinder_bytes,
            angle_ns: angle_bytes * self.revolution_ns / zone.track_bytes,
            ns_per_byte_x1024: (self.revolution_ns << 10) / zone.track_bytes,
        }
    }
}

/// Seek time over `d` cylinders: `a + b·√d` up to a third of the stroke, then a straight line, through the
/// three points of the data sheet (Ruemmler and Wilkes, "An introduction to disk drive modeling", 1994).
#[derive(Debug)]
struct SeekCurve {
    a: f64,
    b: f64,
    knee: f64,
    average: f64,
    slope: f64,
}

impl SeekCurve {
    fn new(spec: &HddSpec, cylinders: f64) -> Self {
        let (track, average) = (spec.seek_track.0 as f64, spec.seek_average.0 as f64);
        let knee = (cylinders / 3.0).max(2.0);
        let b = (average - track).max(0.0) / (libm::sqrt(knee) - 1.0);
        let slope = ((spec.seek_full.0 as f64) - average).max(0.0) / (cylinders - knee).max(1.0);
        Self { a: track - b, b, knee, average, slope }
    }

    fn ns(&self, distance: u64) -> u64 {
        let d = distance as f64;
        if distance == 0 {
            0
        } else if d <= self.knee {
            (self.a + self.b * libm::sqrt(d)) as u64
        } else {
            (self.average + self.slope * (d - self.knee)) as u64
        }
    }
}

/// A disk with its arm, its queue and its cache.
#[derive(Debug)]
pub struct Hdd {
    spec: HddSpec,
    geometry: Geometry,
    seek: SeekCurve,
    queue: Vec<Request>,
    /// Writes acknowledged from the cache, waiting for the arm.
    cached: Vec<Request>,
    /// What the arm is doing: the request and when it is done.
    serving: Option<(Request, u64)>,
    cylinder: u64,
    /// The byte after the last one transferred, and whether it was read: what follows comes from the track buffer.
    next_byte: u64,
    last_was_read: bool,
    /// When that transfer ended.
    ended: u64,
    /// Writes acknowledged from the cache and not yet on the platter.
    cached_bytes: u64,
    acknowledged: Schedule,
    /// Writes waiting for room in the cache, and syncs waiting for the cache to drain.
    blocked: std::collections::VecDeque<Request>,
    activity: Activity,
}

/// What a disk reads on by itself: a segment of its buffer.
const READ_AHEAD_BYTES: u64 = 256 << 10;

/// Marks the internal platter write of a request that was acknowledged from the cache.
const DESTAGE: u64 = 1 << 63;

impl Hdd {
    /// An idle disk with its arm at the outer edge.
    pub fn new(spec: &HddSpec) -> Self {
        let geometry = Geometry::new(spec);
        let seek = SeekCurve::new(spec, geometry.cylinders);
        Self {
            spec: spec.clone(),
            geometry,
            seek,
            queue: Vec::new(),
            cached: Vec::new(),
            serving: None,
            cylinder: 0,
            next_byte: u64::MAX,
            last_was_read: false,
            ended: 0,
            cached_bytes: 0,
            acknowledged: Schedule::default(),
            blocked: std::collections::VecDeque::new(),
            activity: Activity { servers: 1, ..Activity::default() },
        }
    }

    /// Seek plus rotational wait plus transfer if the arm started on `request` at `now`.
    fn service_ns(&self, now: u64, request: &Request) -> (u64, u64) {
        let place = self.geometry.locate(request.offset);
        let transfer = (u64::from(request.bytes) * place.ns_per_byte_x1024) >> 10;
        let overhead = self.spec.overhead.0;
        if let Some(skipped) = self.skipped(now, request) {
            // Read ahead into the track buffer: the platter has not stopped, and passes what is skipped.
            let passing = (skipped * place.ns_per_byte_x1024) >> 10;
            let passing = passing.saturating_sub(now.saturating_sub(self.ended));
            return (overhead + passing + transfer, passing);
        }
        if request.access == Access::Write && !self.last_was_read && request.offset == self.next_byte {
            return (overhead + transfer, 0);
        }
        let distance = place.cylinder.abs_diff(self.cylinder);
        let settle = if request.access == Access::Write { self.spec.write_settle.0 } else { 0 };
        let arrive = now + overhead + self.spec.command.0 + self.seek.ns(distance) + settle;
        let turn = self.geometry.revolution_ns;
        let wait = (place.angle_ns + turn - arrive % turn) % turn;
        let positioning = arrive - now + wait;
        (positioning + transfer, positioning)
    }

    /// Bytes between the end of the last read and one that follows it, with nothing else in between. A disk that is not wanted
    /// elsewhere goes on reading along the track, so that a little may be skipped by whoever comes after a pause.
    fn skipped(&self, now: u64, request: &Request) -> Option<u64> {
        let reads = request.access == Access::Read && self.last_was_read;
        let skipped = request.offset.checked_sub(self.next_byte)?;
        let read_ahead = if now > self.ended { READ_AHEAD_BYTES } else { 0 };
        (reads && skipped <= read_ahead).then_some(skipped)
    }

    /// Takes the next request from what the host waits for and, as many at a time, from what the cache holds: a read
    /// never queues behind a full cache.
    fn pick(&mut self, now: u64) -> Option<Request> {
        let window = |queue: &[Request]| queue.len().min(self.spec.queue_depth.max(1) as usize);
        let (waiting, cached) = (window(&self.queue), window(&self.cached));
        let all = self.queue[..waiting].iter().chain(&self.cached[..cached]).enumerate();
        let (index, _) = match self.spec.order {
            QueueOrder::Fifo => all.min_by_key(|(at, _)| *at),
            QueueOrder::ShortestPositioning => all.min_by_key(|(_, r)| self.service_ns(now, r).1),
            QueueOrder::Elevator => all.min_by_key(|(_, r)| {
                let cylinder = self.geometry.locate(r.offset).cylinder;
                (cylinder < self.cylinder, cylinder)
            }),
        }?;
        Some(match index.checked_sub(waiting) {
            Some(at) => self.cached.remove(at),
            None => self.queue.remove(index),
        })
    }

    fn start_next(&mut self, now: u64) {
        if self.serving.is_some() {
            return;
        }
        let Some(request) = self.pick(now) else { return };
        let (service, _) = self.service_ns(now, &request);
        self.activity.busy_ns += service;
        self.serving = Some((request, now + service));
    }

    /// Lets in what was blocked: writes while there is room, a sync once the cache is empty, in order.
    fn unblock(&mut self, now: u64) {
        while let Some(first) = self.blocked.front().copied() {
            let rewrites = first.access == Access::Write && self.holds_unwritten(&first);
            let room = rewrites || self.cached_bytes + u64::from(first.bytes) <= self.spec.write_cache.0;
            let ready = match first.access {
                Access::Sync => self.cached_bytes == 0,
                _ => room || self.cached_bytes == 0,
            };
            if !ready {
                return;
            }
            self.blocked.pop_front();
            if first.access == Access::Sync || rewrites {
                self.acknowledged.push(now + self.spec.overhead.0, first.id);
            } else {
                self.accept_cached(now, first);
            }
        }
    }

    /// Whether the cache holds a write of the same place that the arm has not begun with: the new content takes its place.
    fn holds_unwritten(&self, request: &Request) -> bool {
        self.cached.iter().any(|q| q.offset == request.offset && q.bytes == request.bytes)
    }

    fn accept_cached(&mut self, now: u64, request: Request) {
        self.cached_bytes += u64::from(request.bytes);
        self.acknowledged.push(now + self.spec.overhead.0, request.id);
        self.cached.push(Request { id: request.id | DESTAGE, ..request });
    }
}

impl Device for Hdd {
    fn submit(&mut self, now: u64, request: Request) {
        debug_assert_eq!(request.id & DESTAGE, 0, "the top bit of an id is the disk's own");
        match request.access {
            Access::Read => self.activity.reads += 1,
            Access::Write => self.activity.writes += 1,
            Access::Sync => self.activity.syncs += 1,
        }
        let cached = self.spec.write_cache.0 > 0;
        match request.access {
            Access::Sync if !cached => self.acknowledged.push(now + self.spec.overhead.0, request.id),
            Access::Write | Access::Sync if cached => {
                self.blocked.push_back(request);
                self.unblock(now);
            }
            _ => self.queue.push(request),
        }
        self.start_next(now);
    }

    fn next_event(&self) -> Option<u64> {
        let serving = self.serving.map(|(_, at)| at);
        match (serving, self.acknowledged.first()) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    fn advance(&mut self, now: u64, done: &mut Vec<u64>) {
        while let Some(at) = self.next_event().filter(|at| *at <= now) {
            while let Some(id) = self.acknowledged.pop_due(at) {
                done.push(id);
            }
            if let Some((request, _)) = self.serving.take_if(|(_, end)| *end <= at) {
                let end = self.geometry.locate(request.offset + u64::from(request.bytes));
                self.cylinder = end.cylinder;
                self.next_byte = request.offset + u64::from(request.bytes);
                self.last_was_read = request.access == Access::Read;
                self.ended = at;
                if request.id & DESTAGE == 0 {
                    done.push(request.id);
                } else {
                    self.cached_bytes -= u64::from(request.bytes);
                    self.unblock(at);
                }
            }
            self.start_next(at);
        }
    }

    fn floor_ns(&self, access: Access, bytes: u32) -> u64 {
        let overhead = self.spec.overhead.0;
        let fastest = self.geometry.locate(0).ns_per_byte_x1024;
        match access {
            Access::Sync => overhead,
            Access::Write if self.spec.write_cache.0 > 0 => overhead,
            _ => overhead + ((u64::from(bytes) * fastest) >> 10),
        }
    }

    fn activity(&self, now: u64) -> Activity {
        let ahead = self.serving.map_or(0, |(_, end)| end.saturating_sub(now));
        Activity { busy_ns: self.activity.busy_ns.saturating_sub(ahead), ..self.activity }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use spindle_units::chance::scatter;

    #[test]
    fn a_cached_write_of_the_same_place_replaces_the_one_that_waits() {
        let Ok(crate::Model::Hdd(spec)) = crate::DeviceSpec::of_preset("sata-7200").model() else { panic!() };
        let time = |offset: &dyn Fn(u64) -> u64| {
            let mut disk = Hdd::new(&spec);
            let (mut now, mut done) = (0, Vec::new());
            // Three times what the cache holds.
            for id in 0..6000 {
                disk.submit(now, Request { id, access: Access::Write, offset: offset(id), bytes: 16_384 });
                while done.is_empty() {
                    now = disk.next_event().expect("a write is on its way");
                    disk.advance(now, &mut done);
                }
                done.clear();
            }
            now
        };
        let page = |n: u64| scatter(n) % 100_000 * 16_384;
        let (other, same) = (time(&page), time(&|n| page(n % 100)));
        assert!(same * 5 < other, "{same} ns against {other}");
    }
}
