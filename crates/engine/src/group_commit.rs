//! MySQL's commit by stages: who comes to a stage while another is at work there is taken along by the next.
//!
//! The order of steps follows `MYSQL_BIN_LOG::ordered_commit` of `sql/binlog.cc` (8.0): in the first stage the redo log
//! is made durable and the binary log is written for the whole group; in the second the binary log is made durable, while
//! the next group is in the first.

use crate::{
    host::{FileAccess, FileRequest, Host, Places, transfer},
    log::Log,
    pages::FileId,
};
use std::cell::Cell;

/// Bytes after which the server begins another binary log file (`max_binlog_size`).
pub const BINARY_LOG_BYTES: u64 = 1 << 30;

/// The binary log with the stages of a commit.
#[derive(Debug)]
pub(crate) struct GroupCommit {
    file: FileId,
    end: Cell<u64>,
    /// Bytes of transactions that wait to be written.
    waiting_bytes: Cell<u64>,
    /// Commits that have come, have been written, and are durable.
    come: Cell<u64>,
    written: Cell<u64>,
    durable: Cell<u64>,
    first_stage: Places,
    second_stage: Places,
    since_sync: Cell<u64>,
    sync_every: u64,
    flush_redo: bool,
}

impl GroupCommit {
    /// Commits to the binary log in `file`, made durable every `sync_every` groups (`sync_binlog`), behind a redo log
    /// that is made durable first if `flush_redo`.
    pub(crate) fn new(file: FileId, sync_every: u64, flush_redo: bool) -> Self {
        Self {
            file,
            end: Cell::new(0),
            waiting_bytes: Cell::new(0),
            come: Cell::new(0),
            written: Cell::new(0),
            durable: Cell::new(0),
            first_stage: Places::new(1),
            second_stage: Places::new(1),
            since_sync: Cell::new(0),
            sync_every,
            flush_redo,
        }
    }

    /// Takes a transaction of `bytes` of binary log through the stages.
    pub(crate) async fn commit<H: Host>(&self, host: &H, log: &Log, bytes: u64) {
        let mine = self.come.get() + 1;
        self.come.set(mine);
        self.waiting_bytes.set(self.waiting_bytes.get() + bytes);
        self.first_stage.enter(host).await;
        if self.written.get() < mine {
            let (group, bytes) = (self.come.get(), self.waiting_bytes.take());
            log.flush_to(host, log.end(), self.flush_redo).await;
            self.append(host, bytes).await;
            self.written.set(group);
        }
        self.first_stage.leave(host);
        if self.sync_every == 0 {
            return;
        }
        self.second_stage.enter(host).await;
        if self.durable.get() < mine {
            let group = self.written.get();
            self.sync(host).await;
            self.durable.set(group);
        }
        self.second_stage.leave(host);
    }

    async fn append<H: Host>(&self, host: &H, bytes: u64) {
        let offset = self.end.get();
        self.end.set((offset + bytes) % BINARY_LOG_BYTES);
        let request = FileRequest { file: self.file, access: FileAccess::Write, offset, bytes: bytes as u32 };
        transfer(host, request).await;
    }

    async fn sync<H: Host>(&self, host: &H) {
        self.since_sync.set(self.since_sync.get() + 1);
        if self.since_sync.get() >= self.sync_every {
            self.since_sync.set(0);
            let request = FileRequest { file: self.file, access: FileAccess::Sync, offset: 0, bytes: 0 };
            transfer(host, request).await;
        }
    }
}
