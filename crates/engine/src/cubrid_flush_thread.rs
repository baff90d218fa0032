//! How CUBRID wrote pages before release 10: a flush thread that keeps the rear of the chains clean, and one copy of each.

use crate::{cubrid::Cubrid, host::Host, pool::Frame};

/// Pages of one round of the flush thread, as a share of the pool (`page_buffer_flush_ratio` of 0.01).
pub const FLUSH_ROUND: f64 = 0.01;
/// Writes the flush thread issues in one turn on a processor; a scheduler does not send it to the rear of the queue
/// after each of them.
const WRITES_PER_SLICE: usize = 64;
/// Pause of the flush thread after a round that found little to do.
const FLUSH_PAUSE_NS: u64 = 50_000_000;

impl<H: Host> Cubrid<H> {
    /// The flush thread: keeps the rear of the chains clean, in the order of pages, the log first. It sleeps until
    /// somebody meets a dirty page at the end of a chain.
    pub async fn flush_thread(&self) {
        let round = ((f64::from(self.settings.frames) * FLUSH_ROUND) as usize).max(8);
        let mut first_list = 0;
        loop {
            let frames = {
                let mut pool = self.buffer.pool.borrow_mut();
                let mut frames =
                    pool.candidates(first_list, self.zone(), round, |pool, frame| pool.is_dirty(frame));
                first_list = first_list.wrapping_add(self.settings.chains / 5 + 1);
                frames.retain(|frame| pool.begin_write(*frame));
                frames
            };
            if frames.is_empty() {
                // Whoever is starved must not be left waiting: pages at the ends are on their way and will do soon.
                if self.starved.is_empty() {
                    self.flush_wanted.wait(&self.host).await;
                } else {
                    self.host.sleep(1_000_000).await;
                    self.starved.wake_all(&self.host);
                }
                continue;
            }
            let few = frames.len() < round / 2;
            self.write_pages(frames).await;
            if few && self.starved.is_empty() {
                // The zone holds enough clean frames for a while; looking through it again at once would find little.
                self.host.sleep(FLUSH_PAUSE_NS).await;
            }
        }
    }

    /// Writes pages in their order, the log first.
    pub(crate) async fn write_pages(&self, mut frames: Vec<Frame>) {
        self.log.flush_to(&self.host, self.log.end(), true).await;
        {
            let pool = self.buffer.pool.borrow();
            frames.sort_unstable_by_key(|frame| pool.page(*frame));
        }
        for (at, frame) in frames.into_iter().enumerate() {
            if at % WRITES_PER_SLICE == 0 {
                self.host.cpu(self.costs.page_write_ns * WRITES_PER_SLICE as u64).await;
            }
            let ticket = self.buffer.start_write(&self.host, frame);
            self.host.done(ticket).await;
            let mut pool = self.buffer.pool.borrow_mut();
            pool.write_done(frame);
            // A starved task takes the frame that has just become clean.
            if !self.starved.is_empty() && pool.evict(frame) {
                pool.give_back(frame);
                self.starved.wake_one(&self.host);
            }
        }
    }
}
