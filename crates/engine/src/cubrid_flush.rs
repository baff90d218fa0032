//! How CUBRID writes pages since release 10: a daemon that looks into the ends of the lists, and the double write
//! buffer (`page_buffer.c`, `double_write_buffer.c`, release 11.3.2).

use crate::{
    cubrid::Cubrid,
    cubrid_settings::PAGE_BYTES,
    host::{FileAccess, FileRequest, Host, transfer},
    pages::{FileId, PageId},
    pool::Frame,
};
use std::cell::{Cell, RefCell};

/// Frames that a round looks at, as a share of the pool (`page_buffer_flush_ratio`), up to ten times as many where many
/// requests miss (`PGBUF_FLUSH_VICTIM_BOOST_MULT`), and 200 MiB of pages at most.
const FLUSH_RATIO: f64 = 0.01;
const BOOST: f64 = 10.0;
const FLUSH_BYTES_MAX: u32 = 200 << 20;
/// The daemon goes on at once while more requests than this share need a victim (`PGBUF_DESIRED_HIT_VS_MISS_RATE`),
/// and there were at least so many of them.
const MISSES_TO_GO_ON: f64 = 0.001;
const VICTIMS_TO_GO_ON: u64 = 10;
/// Pause between quota adjustments (`pgbuf_page_maintenance_daemon_init`).
const MAINTENANCE_NS: u64 = 100_000_000;
/// Pause before tasks without a victim look again.
const LOOK_AGAIN_NS: u64 = 1_000_000;
/// Blocks of the double write buffer (`double_write_buffer_blocks`).
pub const BLOCKS: u32 = 2;
/// Pages of a volume (`db_volume_size` of 256 MiB): each that a block has pages of is synced by itself.
pub(crate) const VOLUME_PAGES: u32 = (256 << 20) / PAGE_BYTES;
/// Without a double write buffer the volumes are synced once in so many pages (`sync_on_nflush`).
const PAGES_PER_SYNC: usize = 200;

/// The double write buffer: copies of pages that are not in their places yet.
#[derive(Debug, Default)]
pub(crate) struct DoubleWrite {
    waiting: RefCell<Vec<PageId>>,
    syncs: Cell<u64>,
}

impl DoubleWrite {
    /// Syncs of data files so far.
    pub(crate) fn syncs(&self) -> u64 {
        self.syncs.get()
    }
}

impl<H: Host> Cubrid<H> {
    /// Adjusts quotas ten times a second.
    pub(crate) async fn maintenance_daemon(&self) {
        loop {
            self.host.sleep(MAINTENANCE_NS).await;
            let mut pool = self.buffer.pool.borrow_mut();
            let free = pool.free_frames();
            let now = self.host.now();
            if let Some(lists) = pool.quota() {
                lists.adjust_quotas(now, free);
            }
        }
    }

    /// Wakes the flush daemon once in `page_flush_interval`.
    pub(crate) async fn flush_ticks(&self) {
        let Some(versions) = self.settings.versions.as_ref().filter(|v| v.flush_interval_ns > 0) else {
            return;
        };
        loop {
            self.host.sleep(versions.flush_interval_ns).await;
            self.flush_wanted.wake_all(&self.host);
        }
    }

    /// The page flush daemon: round after round while victims are wanted.
    pub(crate) async fn flush_daemon(&self) {
        let mut before = (0, 0);
        loop {
            if !self.flush_asked.get() {
                self.flush_wanted.wait(&self.host).await;
            }
            loop {
                let asked = self.flush_asked.replace(false);
                let (hits, misses) = self.buffer.pool.borrow().requests();
                let searches = self.victims.get();
                let (requests, victims) = (hits + misses - before.0, searches - before.1);
                before = (hits + misses, searches);
                let miss_rate = victims as f64 / requests.max(1) as f64;
                let wanted = victims > VICTIMS_TO_GO_ON && miss_rate > MISSES_TO_GO_ON;
                if !asked && !wanted && self.starved.is_empty() {
                    break;
                }
                if !self.flush_round(miss_rate).await {
                    break;
                }
            }
            if !self.starved.is_empty() {
                // Whoever found no page looks again a moment later: pages on their way will have arrived.
                self.host.sleep(LOOK_AGAIN_NS).await;
                self.starved.wake_all(&self.host);
            }
        }
    }

    /// Writes the dirty pages near the ends of the lists and their dirty neighbours; `false` where there are none.
    async fn flush_round(&self, miss_rate: f64) -> bool {
        let boost = (1.0 + (BOOST - 1.0) * miss_rate).min(BOOST);
        let depth = (f64::from(self.settings.frames) * FLUSH_RATIO * boost) as u32;
        let found = self.buffer.pool.borrow_mut().dirty_near_ends(depth.min(FLUSH_BYTES_MAX / PAGE_BYTES));
        if found.is_empty() {
            return false;
        }
        let frames = self.with_neighbours(found);
        if frames.is_empty() {
            return false;
        }
        self.write_twice(frames).await;
        true
    }

    /// The frames and the dirty pages that lie beside them on the device (`pgbuf_flush_page_and_neighbors_fb`), all
    /// marked as being written, in the order of pages.
    fn with_neighbours(&self, frames: Vec<Frame>) -> Vec<Frame> {
        let run = self.settings.versions.as_ref().map_or(1, |v| v.neighbours);
        let mut pool = self.buffer.pool.borrow_mut();
        let space = self.buffer.space.borrow();
        let mut pages: Vec<PageId> = frames.iter().map(|frame| pool.page(*frame)).collect();
        pages.sort_unstable();
        let mut chosen = Vec::new();
        for page in pages {
            let beside = space.neighbours(page, run);
            let is_dirty = |page: &&PageId| pool.find(**page).is_some_and(|frame| pool.is_dirty(frame));
            let at = beside.iter().position(|p| *p == page).unwrap_or(0);
            let ahead = beside[at..].iter().take_while(is_dirty).count();
            let behind = beside[..at].iter().rev().take_while(is_dirty).count();
            let with = &beside[at - behind..at + ahead];
            let with: Vec<Frame> = with.iter().filter_map(|p| pool.find(*p)).collect();
            chosen.extend(with.into_iter().filter(|frame| pool.begin_write(*frame)));
        }
        chosen
    }

    /// Writes pages through the double write buffer. A page is clean as soon as its copy is there; a full block is
    /// written and synced, then its pages go to their places.
    pub(crate) async fn write_twice(&self, frames: Vec<Frame>) {
        let newest = {
            let pool = self.buffer.pool.borrow();
            frames.iter().map(|frame| pool.newest_change(*frame)).max().unwrap_or(0)
        };
        self.log.flush_to(&self.host, newest, true).await;
        let size = self.settings.versions.as_ref().map_or(0, |v| v.double_write_pages);
        let block = if size == 0 { PAGES_PER_SYNC } else { (size / BLOCKS).max(1) as usize };
        for frame in frames {
            self.host.cpu(self.costs.page_write_ns).await;
            let page = self.buffer.pool.borrow().page(frame);
            let full = {
                let mut waiting = self.double_write.waiting.borrow_mut();
                waiting.push(page);
                waiting.len() >= block
            };
            if size == 0 {
                let ticket = self.buffer.start_write(&self.host, frame);
                self.host.done(ticket).await;
            } else {
                self.buffer.count_write();
            }
            self.buffer.pool.borrow_mut().write_done(frame);
            if !self.starved.is_empty() {
                self.starved.wake_one(&self.host);
            }
            if full {
                self.write_block(size > 0).await;
            }
        }
    }

    /// Writes a full block, one write and one sync, then its pages to their places, and syncs each of their volumes.
    async fn write_block(&self, twice: bool) {
        let mut pages = std::mem::take(&mut *self.double_write.waiting.borrow_mut());
        if twice {
            let bytes = pages.len() as u32 * PAGE_BYTES;
            let request = FileRequest { file: FileId(0), access: FileAccess::Write, offset: 0, bytes };
            transfer(&self.host, request).await;
            self.sync_volume().await;
            pages.sort_unstable();
            for page in &pages {
                transfer(&self.host, self.buffer.request(*page, FileAccess::Write)).await;
            }
        }
        let mut volumes: Vec<u32> = pages
            .iter()
            .map(|page| self.buffer.space.borrow().place(*page).1 / self.settings.volume_pages)
            .collect();
        volumes.sort_unstable();
        volumes.dedup();
        for _ in volumes {
            self.sync_volume().await;
        }
    }

    async fn sync_volume(&self) {
        let request = FileRequest { file: FileId(0), access: FileAccess::Sync, offset: 0, bytes: 0 };
        transfer(&self.host, request).await;
        self.double_write.syncs.set(self.double_write.syncs.get() + 1);
    }
}
