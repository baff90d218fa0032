//! Who writes in PostgreSQL: backends that need a dirty frame, the background writer ahead of them, the checkpointer,
//! and the log writer.

use crate::{
    host::{Cause, FileAccess, FileRequest, Host, charged, transfer},
    pages::FileId,
    pool::Frame,
    postgresql::{COMPLETION_TARGET, PAGE_BYTES, Postgresql},
};

/// Rounds over which it smooths what it has seen (`smoothing_samples`).
const SMOOTHING: f64 = 16.0;
/// A checkpoint that is ahead of its time rests this long (`CheckpointWriteDelay`).
const CHECKPOINT_REST_NS: u64 = 100_000_000;

/// What the background writer remembers between rounds (the static variables of `BgBufferSync`).
#[derive(Debug, Clone, Copy)]
struct Rounds {
    seen: bool,
    hand: u32,
    passes: u32,
    next: u32,
    next_passes: u32,
    allocations: f64,
    /// Frames the hand passes for each one it takes.
    density: f64,
}

impl<H: Host> Postgresql<H> {
    /// An empty frame: a free one, or the one the hand comes to; a dirty page in it is written first, its log before it.
    pub(crate) async fn free_frame(&self) -> Frame {
        self.allocations.set(self.allocations.get() + 1);
        loop {
            let (frame, dirty) = {
                let mut pool = self.buffer.pool.borrow_mut();
                let frame = pool.take_free();
                if let Some(frame) = frame {
                    return frame;
                }
                let victim = pool.sweep();
                match victim {
                    Some(frame) if pool.evict(frame) => return frame,
                    Some(frame) => (frame, pool.begin_write(frame)),
                    None => (0, false),
                }
            };
            if dirty {
                charged(&self.host, Cause::FreeFrame, self.write_page(frame)).await;
                if self.buffer.pool.borrow_mut().evict(frame) {
                    return frame;
                }
            } else {
                // Every frame is being read or written.
                charged(&self.host, Cause::FreeFrame, self.host.sleep(100_000)).await;
            }
        }
    }

    /// Writes the page in a frame that is marked as being written, its log first (`FlushBuffer`).
    async fn write_page(&self, frame: Frame) {
        self.log.flush_to(&self.host, self.last_change(frame), true).await;
        self.host.cpu(self.costs.page_write_ns).await;
        let ticket = self.buffer.start_write(&self.host, frame);
        self.host.done(ticket).await;
        self.buffer.pool.borrow_mut().write_done(frame);
    }

    /// The background writer: a round of `BgBufferSync` in every `bgwriter_delay`.
    pub(crate) async fn background_writer(&self) {
        let mut rounds = Rounds {
            seen: false,
            hand: 0,
            passes: 0,
            next: 0,
            next_passes: 0,
            allocations: 0.0,
            density: 10.0,
        };
        loop {
            self.host.sleep(self.settings.bgwriter_delay_ns).await;
            if self.settings.bgwriter_max_pages > 0 {
                self.clean_ahead(&mut rounds).await;
            }
        }
    }

    /// Cleans frames ahead of the clock hand, as many as are likely to be wanted in the next round.
    async fn clean_ahead(&self, rounds: &mut Rounds) {
        let frames = i64::from(self.settings.frames);
        let (hand, passes) = self.buffer.pool.borrow().clock_hand();
        let allocated = self.allocations.replace(0) as f64;
        let moved = if rounds.seen {
            i64::from(hand) - i64::from(rounds.hand) + (i64::from(passes) - i64::from(rounds.passes)) * frames
        } else {
            0
        };
        let to_lap = if rounds.seen && rounds.next_passes > passes {
            i64::from(hand) - i64::from(rounds.next)
        } else if rounds.seen && rounds.next_passes == passes && rounds.next >= hand {
            frames - (i64::from(rounds.next) - i64::from(hand))
        } else {
            (rounds.next, rounds.next_passes) = (hand, passes);
            frames
        };
        (rounds.seen, rounds.hand, rounds.passes) = (true, hand, passes);
        if moved > 0 && allocated > 0.0 {
            rounds.density += (moved as f64 / allocated - rounds.density) / SMOOTHING;
        }
        let ahead = (frames - to_lap) as f64 / rounds.density;
        // Rising use is followed at once, falling use slowly.
        rounds.allocations = if rounds.allocations <= allocated {
            allocated
        } else {
            rounds.allocations + (allocated - rounds.allocations) / SMOOTHING
        };
        let least =
            frames as f64 * self.settings.bgwriter_delay_ns as f64 / self.settings.whole_pool_ns as f64;
        let wanted = (rounds.allocations * self.settings.bgwriter_multiplier).max(least + ahead);
        let (mut clean, mut written) = (ahead, 0);
        for _ in 0..to_lap {
            if clean >= wanted || written >= self.settings.bgwriter_max_pages {
                break;
            }
            let frame = rounds.next;
            rounds.next += 1;
            if i64::from(rounds.next) >= frames {
                (rounds.next, rounds.next_passes) = (0, rounds.next_passes + 1);
            }
            let write = {
                let mut pool = self.buffer.pool.borrow_mut();
                let run_down = pool.is_run_down(frame);
                clean += f64::from(u8::from(run_down));
                run_down && pool.begin_write(frame)
            };
            if write {
                written += 1;
                self.write_page(frame).await;
            }
        }
    }

    /// The checkpointer: by time or by log, all dirty pages are written, spread over most of the time until the next.
    pub(crate) async fn checkpointer(&self) {
        let mut since = self.host.now();
        loop {
            self.host.sleep(1_000_000_000).await;
            let by_time = self.host.now() - since >= self.settings.checkpoint_timeout_ns;
            let by_log = self.log.end() - self.redo.get() >= self.settings.checkpoint_log_bytes;
            if by_time || by_log {
                since = self.host.now();
                self.checkpoint(since).await;
            }
        }
    }

    async fn checkpoint(&self, since: u64) {
        let redo = self.log.end();
        self.redo.set(redo);
        // In the order of files and pages (`BufferSync`).
        let mut frames = self.buffer.pool.borrow().oldest_dirty(u32::MAX, redo);
        frames.sort_unstable_by_key(|frame| self.buffer.pool.borrow().page(*frame));
        let total = frames.len() as f64;
        for (done, frame) in frames.into_iter().enumerate() {
            let mine = self.buffer.pool.borrow_mut().begin_write(frame);
            if mine {
                self.write_page(frame).await;
            }
            while done as f64 / total * COMPLETION_TARGET > self.checkpoint_due(since, redo) {
                self.host.sleep(CHECKPOINT_REST_NS).await;
            }
        }
        let tables = self.tables.borrow().len();
        for file in 0..tables {
            self.data_syncs.set(self.data_syncs.get() + 1);
            let file = FileId(file as u16);
            transfer(&self.host, FileRequest { file, access: FileAccess::Sync, offset: 0, bytes: 0 }).await;
        }
    }

    /// How much of the way to the next checkpoint has gone, by time or by log (`IsCheckpointOnSchedule`).
    fn checkpoint_due(&self, since: u64, redo: u64) -> f64 {
        let by_log = (self.log.end() - redo) as f64 / self.settings.checkpoint_log_bytes as f64;
        let by_time = (self.host.now() - since) as f64 / self.settings.checkpoint_timeout_ns as f64;
        by_log.max(by_time)
    }

    /// Wakes the log writer where a page of the log is full that is not durable (`XLogSetAsyncXactLSN`).
    pub(crate) fn nudge_wal_writer(&self, end: u64) {
        let page = u64::from(PAGE_BYTES);
        if end / page * page > self.log.durable() {
            self.wal_writer_latch.set(true);
            self.wal_writer_sleeping.wake_all(&self.host);
        }
    }

    /// Wakes the log writer in every `wal_writer_delay`.
    pub(crate) async fn wal_writer_timer(&self) {
        loop {
            self.host.sleep(self.settings.wal_writer_delay_ns).await;
            self.wal_writer_sleeping.wake_all(&self.host);
        }
    }

    /// The log writer (`XLogBackgroundFlush`): writes full pages of the log whenever it is woken, and makes the log
    /// durable once in `wal_writer_delay` or when `wal_writer_flush_after` has come together.
    pub(crate) async fn wal_writer(&self) {
        let page = u64::from(PAGE_BYTES);
        let mut last_sync = 0;
        loop {
            if !self.wal_writer_latch.replace(false) {
                self.wal_writer_sleeping.wait(&self.host).await;
                self.wal_writer_latch.set(false);
            }
            let durable = self.log.durable();
            let full = self.log.end() / page * page;
            // Where no page is full since the last sync, the part of one will do.
            let target = if full > durable { full } else { self.log.end() };
            if target <= durable {
                continue;
            }
            let due = self.host.now() - last_sync >= self.settings.wal_writer_delay_ns
                || target - durable >= self.settings.wal_writer_flush_after;
            if due {
                last_sync = self.host.now();
            }
            self.log.flush_to(&self.host, target, due).await;
        }
    }
}
