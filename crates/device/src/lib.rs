//! How long a read, a write and a flush take.
//!
//! This crate knows disks, solid-state drives, arrays with their controller cache, and the host's file system
//! with its page cache. It must never know what is stored: no database, no table, no transaction. Every model
//! is a queueing station driven by virtual time: requests go in, completions come out, nothing reads a clock.

mod array;
mod controller_cache;
mod file_system;
mod fixed;
mod hdd;
mod line_set;
mod nvme;
mod page_cache;
mod preset;
mod schedule;
mod spec;
mod spread;
mod ssd;

pub use array::{Array, DESTAGE_DEPTH, RaidLevel};
pub use controller_cache::{ControllerCacheSpec, MERGED_BYTES_MAX};
pub use file_system::{COPY_NS_PER_LINE, FileExtent, FileSystem, FileSystemKind, Inode, Responses};
pub use fixed::{Fixed, FixedSpec};
pub use hdd::{Hdd, HddSpec, QueueOrder};
pub use nvme::{Nvme, NvmeSpec};
pub use page_cache::{LINE_BYTES, PageCacheSpec};
pub use preset::{PRESETS, Preset, preset};
pub use spec::{DeviceSpec, Issue, Model};
pub use ssd::{Ssd, SsdSpec};

/// What is asked of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Bring bytes from the medium.
    Read,
    /// Take bytes; durable only as far as the device's write cache allows.
    Write,
    /// Make every write completed so far durable.
    Sync,
}

/// One request to a block device. `id` is the caller's and comes back with the completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The caller's name for the request; unique among those outstanding.
    pub id: u64,
    /// What is asked.
    pub access: Access,
    /// First byte on the device.
    pub offset: u64,
    /// Length in bytes; 0 for a sync.
    pub bytes: u32,
}

/// What a device has done since it was made.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Activity {
    /// Reads that reached the medium or its cache.
    pub reads: u64,
    /// Writes taken.
    pub writes: u64,
    /// Syncs taken.
    pub syncs: u64,
    /// Time its servers (arms, dies, slots) were occupied, summed over servers, in nanoseconds.
    pub busy_ns: u64,
    /// How many servers work side by side.
    pub servers: u32,
}

/// A device in virtual time. Times are nanoseconds and never run backwards.
pub trait Device {
    /// Takes a request at `now`.
    fn submit(&mut self, now: u64, request: Request);
    /// When the device next changes state by itself, if it has anything to do.
    fn next_event(&self) -> Option<u64>;
    /// Brings the device to `now` and appends the ids of requests that completed, in order of completion.
    fn advance(&mut self, now: u64, done: &mut Vec<u64>);
    /// The least time any request of this kind and size can take, in nanoseconds.
    fn floor_ns(&self, access: Access, bytes: u32) -> u64;
    /// Counters up to `now`. Work that is queued beyond `now` is not yet counted as busy time.
    fn activity(&self, now: u64) -> Activity;
}

#[cfg(test)]
mod nvme_figures;
#[cfg(test)]
mod testing;
