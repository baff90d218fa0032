//! The redo log: a buffer, a ring of files, and one flush at a time that serves all who wait for it.

use crate::{
    host::{Cause, FileAccess, FileRequest, Host, WaitQueue, charged, transfer},
    pages::FileId,
};
use std::cell::Cell;

/// A write-ahead log in virtual time. Sequence numbers count bytes.
#[derive(Debug)]
pub struct Log {
    file: FileId,
    ring_bytes: u64,
    buffer_bytes: u64,
    block_bytes: u64,
    start: Cell<u64>,
    appended: Cell<u64>,
    written: Cell<u64>,
    durable: Cell<u64>,
    flushing: Cell<bool>,
    flushed: WaitQueue,
    flush_work_ns: u64,
    syncs: Cell<u64>,
    writes: Cell<u64>,
}

impl Log {
    /// An empty log of `ring_bytes` in `file`, written in blocks, with a buffer of `buffer_bytes`.
    pub fn new(file: FileId, ring_bytes: u64, buffer_bytes: u64, block_bytes: u64) -> Self {
        Self {
            file,
            ring_bytes: ring_bytes.max(1 << 20),
            buffer_bytes: buffer_bytes.max(block_bytes * 2),
            block_bytes,
            // Sequence number 0 means "before any change", so the log begins after it.
            start: Cell::new(block_bytes),
            appended: Cell::new(block_bytes),
            written: Cell::new(block_bytes),
            durable: Cell::new(block_bytes),
            flushing: Cell::new(false),
            flushed: WaitQueue::default(),
            flush_work_ns: 0,
            syncs: Cell::new(0),
            writes: Cell::new(0),
        }
    }

    /// The file it is written to.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The same with processor time for a flush by a task that has waited for another's.
    pub fn with_flush_work(self, ns: u64) -> Self {
        Self { flush_work_ns: ns, ..self }
    }

    /// The sequence number behind the last byte appended.
    pub fn end(&self) -> u64 {
        self.appended.get()
    }

    /// Bytes appended, writes and syncs since the start.
    pub fn counters(&self) -> (u64, u64, u64) {
        (self.appended.get() - self.start.get(), self.writes.get(), self.syncs.get())
    }

    /// The sequence number up to which the log is on the device.
    pub fn written(&self) -> u64 {
        self.written.get()
    }

    /// The sequence number up to which the log is durable.
    pub fn durable(&self) -> u64 {
        self.durable.get()
    }

    /// Takes `bytes` of durable log for granted, as if it had been written before the run.
    pub fn begin_behind(&self, bytes: u64) {
        let start = self.block_bytes + bytes;
        for position in [&self.appended, &self.written, &self.durable, &self.start] {
            position.set(start);
        }
    }

    /// Appends `bytes` to the buffer and returns the sequence number behind them.
    pub fn append(&self, bytes: u64) -> u64 {
        self.appended.set(self.appended.get() + bytes);
        self.appended.get()
    }

    /// Waits while the buffer has no room; whoever finds it full has it written.
    pub async fn wait_for_room<H: Host>(&self, host: &H) {
        while self.appended.get() - self.written.get() > self.buffer_bytes {
            charged(host, Cause::Log, self.flush_to(host, self.appended.get(), false)).await;
        }
    }

    /// Whether half of the buffer waits to be written, at which point writers have it written.
    pub fn is_half_full(&self) -> bool {
        self.appended.get() - self.written.get() > self.buffer_bytes / 2
    }

    /// Waits until everything before `sequence` is written, and durable if `sync`. One flush runs at a time; it
    /// takes along all that has been appended when it starts, so that waiting tasks share it (group commit).
    pub async fn flush_to<H: Host>(&self, host: &H, sequence: u64, sync: bool) {
        let mut waited = false;
        loop {
            let reached = if sync { self.durable.get() } else { self.written.get() };
            if reached >= sequence {
                return;
            }
            if self.flushing.get() {
                self.flushed.wait(host).await;
                waited = true;
                continue;
            }
            self.flushing.set(true);
            if waited && self.flush_work_ns > 0 {
                host.cpu(self.flush_work_ns).await;
            }
            let target = self.appended.get();
            self.write(host, target).await;
            if sync {
                let request = FileRequest { file: self.file, access: FileAccess::Sync, offset: 0, bytes: 0 };
                transfer(host, request).await;
                self.syncs.set(self.syncs.get() + 1);
                self.durable.set(target);
            }
            self.flushing.set(false);
            self.flushed.wake_all(host);
        }
    }

    async fn write<H: Host>(&self, host: &H, target: u64) {
        let mut from = self.written.get() / self.block_bytes * self.block_bytes;
        let end = target.div_ceil(self.block_bytes) * self.block_bytes;
        while from < end && self.written.get() < target {
            let offset = from % self.ring_bytes;
            let bytes = (end - from).min(self.ring_bytes - offset).min(1 << 20);
            let request =
                FileRequest { file: self.file, access: FileAccess::Write, offset, bytes: bytes as u32 };
            transfer(host, request).await;
            self.writes.set(self.writes.get() + 1);
            from += bytes;
        }
        self.written.set(target.max(self.written.get()));
    }
}

/// A thread that flushes the log for those who commit.
#[derive(Debug, Default)]
pub struct LogDaemon {
    wanted: Cell<bool>,
    daemon: WaitQueue,
    committing: WaitQueue,
}

impl LogDaemon {
    /// Asks for a flush and does not wait for it.
    pub fn ask<H: Host>(&self, host: &H) {
        self.wanted.set(true);
        self.daemon.wake_all(host);
    }

    /// Asks for a flush and waits until everything before `sequence` is durable.
    pub async fn wait<H: Host>(&self, host: &H, log: &Log, sequence: u64) {
        while log.durable() < sequence {
            self.ask(host);
            self.committing.wait(host).await;
        }
    }

    /// The daemon's own wait until somebody asks.
    pub async fn asked<H: Host>(&self, host: &H) {
        while !self.wanted.replace(false) {
            self.daemon.wait(host).await;
        }
    }

    /// A flush is over: those who wait look whether it was theirs.
    pub fn flushed<H: Host>(&self, host: &H) {
        self.committing.wake_all(host);
    }
}
