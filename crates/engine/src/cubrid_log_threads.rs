//! CUBRID's threads that write the log, in groups, when asked or when its buffer fills, and the checkpoint that lets go of it.

use crate::{
    cubrid::Cubrid,
    host::{FileAccess, FileRequest, Host, transfer},
    pages::FileId,
};

/// Processor time of a flush of the log, as for writing two pages.
pub const LOG_FLUSH_NS: u64 = 25_000;

impl<H: Host> Cubrid<H> {
    /// The log thread: writes the log once in a group commit interval, or when its buffer is half full.
    pub async fn log_thread(&self) {
        loop {
            let interval = if self.settings.group_interval_ns > 0 {
                self.settings.group_interval_ns
            } else {
                1_000_000_000
            };
            self.host.sleep(interval).await;
            self.log.flush_to(&self.host, self.log.end(), true).await;
            self.group_commit.wake_all(&self.host);
        }
    }

    /// The log flush daemon since release 10: it works on a processor as everybody else, and whoever commits while it
    /// waits for one is served by the same write.
    pub(crate) async fn log_flush_daemon(&self) {
        loop {
            self.log_daemon.asked(&self.host).await;
            self.host.cpu(LOG_FLUSH_NS).await;
            self.log.flush_to(&self.host, self.log.end(), true).await;
            self.log_daemon.flushed(&self.host);
        }
    }

    /// Writes the log whenever somebody found its buffer half full.
    pub async fn log_overflow_thread(&self) {
        loop {
            self.log_wanted.wait(&self.host).await;
            self.log.flush_to(&self.host, self.log.end(), false).await;
        }
    }

    /// The checkpoint thread: by time or by log, all dirty pages are written.
    pub async fn checkpoint_thread(&self) {
        let mut since = self.host.now();
        loop {
            self.host.sleep(1_000_000_000).await;
            let by_time = self.host.now() - since >= self.settings.checkpoint_interval_ns;
            let by_log = self.log.end() - self.last_checkpoint.get() >= self.settings.checkpoint_log_bytes;
            if !by_time && !by_log {
                continue;
            }
            since = self.host.now();
            let end = self.log.end();
            loop {
                let frames = {
                    let mut pool = self.buffer.pool.borrow_mut();
                    let mut frames = pool.oldest_dirty(200, end);
                    frames.retain(|frame| pool.begin_write(*frame));
                    frames
                };
                if frames.is_empty() {
                    break;
                }
                if self.settings.versions.is_some() {
                    self.write_twice(frames).await;
                } else {
                    self.write_pages(frames).await;
                }
            }
            let request = FileRequest { file: FileId(0), access: FileAccess::Sync, offset: 0, bytes: 0 };
            transfer(&self.host, request).await;
            self.last_checkpoint.set(end);
        }
    }
}
