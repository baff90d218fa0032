//! A device without unknowns: `slots` requests at a time, constant service times, first come first served.

use crate::{Access, Activity, Device, Request, schedule::Schedule};
use serde::{Deserialize, Serialize};
use spindle_units::{
    Span,
    chance::{exponential, scatter},
};
use std::{cmp::Reverse, collections::BinaryHeap};

/// Constant service times. The measured cells of the test data ran over such a device: size and place of a
/// request do not matter, a sync takes a slot like a write and is no barrier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixedSpec {
    /// Requests served side by side, 1 to 4096.
    pub slots: u32,
    /// Service time of a read.
    pub read: Span,
    /// Service time of a write.
    pub write: Span,
    /// Service time of a sync.
    pub sync: Span,
    /// How late whoever waits is told on average, after the slot is free again; exponentially spread. An emulated
    /// device on a busy machine wakes its callers late.
    #[serde(default, skip_serializing_if = "spindle_units::is_default")]
    pub late: Span,
}

/// The station: completion = max(now, earliest free slot) + service time.
#[derive(Debug)]
pub struct Fixed {
    spec: FixedSpec,
    free_at: BinaryHeap<Reverse<u64>>,
    due: Schedule,
    activity: Activity,
    requests: u64,
}

impl Fixed {
    /// An idle device.
    pub fn new(spec: &FixedSpec) -> Self {
        let free_at = (0..spec.slots.max(1)).map(|_| Reverse(0)).collect();
        let activity = Activity { servers: spec.slots.max(1), ..Activity::default() };
        Self { spec: spec.clone(), free_at, due: Schedule::default(), activity, requests: 0 }
    }

    /// Exponential lateness of this request, by its number, so that no draw is needed.
    fn lateness(&self) -> u64 {
        if self.spec.late.0 == 0 {
            return 0;
        }
        (self.spec.late.0 as f64 * exponential(scatter(self.requests))) as u64
    }
}

impl Device for Fixed {
    fn submit(&mut self, now: u64, request: Request) {
        let service = self.floor_ns(request.access, request.bytes);
        match request.access {
            Access::Read => self.activity.reads += 1,
            Access::Write => self.activity.writes += 1,
            Access::Sync => self.activity.syncs += 1,
        }
        let Reverse(free) = self.free_at.pop().unwrap_or(Reverse(now));
        let done = free.max(now) + service;
        self.free_at.push(Reverse(done));
        self.activity.busy_ns += service;
        self.requests += 1;
        self.due.push(done + self.lateness(), request.id);
    }

    fn next_event(&self) -> Option<u64> {
        self.due.first()
    }

    fn advance(&mut self, now: u64, done: &mut Vec<u64>) {
        while let Some(id) = self.due.pop_due(now) {
            done.push(id);
        }
    }

    fn floor_ns(&self, access: Access, _bytes: u32) -> u64 {
        match access {
            Access::Read => self.spec.read.0,
            Access::Write => self.spec.write.0,
            Access::Sync => self.spec.sync.0,
        }
    }

    fn activity(&self, now: u64) -> Activity {
        let ahead: u64 = self.free_at.iter().map(|Reverse(at)| at.saturating_sub(now)).sum();
        Activity { busy_ns: self.activity.busy_ns.saturating_sub(ahead), ..self.activity }
    }
}
