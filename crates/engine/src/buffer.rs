//! The buffer manager: the pool with the waits around it.

use crate::{
    engine::Warming,
    host::{Cause, FileAccess, FileRequest, Host, Ticket, charged, suspend, transfer},
    pages::{FileId, PageId, PageSpace},
    pool::{Frame, Pool},
    statement::PageUse,
};
use spindle_units::chance::Chance;
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

/// Uses and misses for each frame after which a pool is taken to be as a long run would have left it.
pub const WARM_USES_PER_FRAME: u64 = 40;
const WARM_MISSES_PER_FRAME: u64 = 3;
/// Milliseconds between two transactions of the warming, for policies that go by time: a slow load, under which each
/// use counts.
const WARM_PAUSE_MS: u64 = 10_000;
/// Transactions drawn at most for each page that is to be dirty.
const DRAWS_PER_DIRTY_PAGE: u64 = 10;

/// What a look for a page found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The page is in this frame, ready.
    Here(Frame),
    /// Somebody is reading it.
    Arriving,
    /// It has to be read.
    Absent,
}

/// Pool, page numbers, and tasks waiting for pages to arrive.
#[derive(Debug)]
pub struct Buffer {
    /// Frames.
    pub pool: RefCell<Pool>,
    /// Page numbers.
    pub space: RefCell<PageSpace>,
    page_bytes: u32,
    arriving: RefCell<BTreeMap<PageId, Vec<crate::host::TaskId>>>,
    reads: Cell<u64>,
    writes: Cell<u64>,
    warming_ms: Cell<u64>,
}

impl Buffer {
    /// A buffer of `pool` over `space` with pages of `page_bytes`.
    pub fn new(pool: Pool, space: PageSpace, page_bytes: u32) -> Self {
        Self {
            pool: RefCell::new(pool),
            space: RefCell::new(space),
            page_bytes,
            arriving: RefCell::new(BTreeMap::new()),
            reads: Cell::new(0),
            writes: Cell::new(0),
            warming_ms: Cell::new(0),
        }
    }

    /// Bytes of a page.
    pub fn page_bytes(&self) -> u32 {
        self.page_bytes
    }

    /// Milliseconds that the warming stands for.
    pub fn warming_ms(&self) -> u64 {
        self.warming_ms.get()
    }

    /// Pages read and written since the start.
    pub fn transfers(&self) -> (u64, u64) {
        (self.reads.get(), self.writes.get())
    }

    /// Looks for a page and notes its use.
    pub fn look(&self, page: PageId) -> Found {
        let mut pool = self.pool.borrow_mut();
        match pool.find(page) {
            None => Found::Absent,
            Some(frame) if pool.is_reading(frame) => Found::Arriving,
            Some(frame) => {
                pool.touch(frame);
                Found::Here(frame)
            }
        }
    }

    /// The frame of a page that is here, ready; not a use of it.
    pub fn present(&self, page: PageId) -> Option<Frame> {
        let pool = self.pool.borrow();
        pool.find(page).filter(|frame| !pool.is_reading(*frame))
    }

    /// Waits until a page that is being read has arrived, or one that is being written is on the device.
    pub async fn wait_for<H: Host>(&self, host: &H, page: PageId) {
        self.arriving.borrow_mut().entry(page).or_default().push(host.task());
        suspend().await;
    }

    /// Reads `page` into the empty `frame`. Where somebody else has begun to, the frame is given back.
    pub async fn read<H: Host>(&self, host: &H, page: PageId, frame: Frame) {
        if self.begin_read(host, page, frame) {
            transfer(host, self.request(page, FileAccess::Read)).await;
            self.arrived(host, page, frame);
        }
    }

    /// Makes the empty `frame` that of `page`, which is to be read; where somebody else has begun to, gives it back.
    pub(crate) fn begin_read<H: Host>(&self, host: &H, page: PageId, frame: Frame) -> bool {
        let mut pool = self.pool.borrow_mut();
        if pool.find(page).is_some() {
            pool.give_back(frame);
            return false;
        }
        pool.set_user(host.task().0);
        pool.install(page, frame, true);
        self.reads.set(self.reads.get() + 1);
        true
    }

    /// The page in `frame` has been read: whoever waits for it may use it.
    pub(crate) fn arrived<H: Host>(&self, host: &H, page: PageId, frame: Frame) {
        self.pool.borrow_mut().read_done(frame);
        self.wake_waiting(host, page);
    }

    /// Reads a page once more, of which the pool has an old version.
    pub async fn read_again<H: Host>(&self, host: &H, page: PageId) {
        self.reads.set(self.reads.get() + 1);
        transfer(host, self.request(page, FileAccess::Read)).await;
    }

    /// Brings a page into the pool and returns its frame. What differs between engines is handed in: where an empty
    /// frame comes from, and what a task does after a read of its own. One request counts once, however often the
    /// page has to be looked for.
    pub async fn fix<H: Host>(
        &self,
        host: &H,
        page: PageId,
        page_read_ns: u64,
        free_frame: impl AsyncFn() -> Frame,
        after_read: impl AsyncFn(),
    ) -> Frame {
        let mut counted = false;
        let mut count = |hit| {
            if !std::mem::replace(&mut counted, true) {
                self.pool.borrow_mut().count(hit);
            }
        };
        loop {
            self.pool.borrow_mut().set_user(host.task().0);
            match self.look(page) {
                Found::Here(frame) => {
                    count(true);
                    return frame;
                }
                Found::Arriving => {
                    count(true);
                    charged(host, Cause::Read, self.wait_for(host, page)).await;
                }
                Found::Absent => {
                    count(false);
                    let frame = free_frame().await;
                    charged(host, Cause::Read, self.read(host, page, frame)).await;
                    host.cpu(page_read_ns).await;
                    after_read().await;
                }
            }
        }
    }

    /// Makes `page` in the empty `frame` without reading: a page that did not exist before.
    pub fn create(&self, page: PageId, frame: Frame, sequence: u64) {
        let mut pool = self.pool.borrow_mut();
        match pool.find(page) {
            Some(present) => {
                pool.give_back(frame);
                pool.mark_dirty(present, sequence);
            }
            None => {
                pool.install(page, frame, false);
                pool.mark_dirty(frame, sequence);
            }
        }
    }

    /// Fills the empty pool, leaving `spare` frames free: with everything where everything fits, otherwise with pages
    /// drawn anywhere, or foreign ones. Then uses as `next_uses` hands them out pass, one transaction at a time. Nothing
    /// is counted and no time passes.
    pub fn warm(
        &self,
        spare: u32,
        mut pages: Vec<PageId>,
        seed: u64,
        warming: Warming,
        next_uses: &mut dyn FnMut(&mut Vec<PageUse>),
    ) {
        let mut chance = Chance::new(seed, 0);
        let mut pool = self.pool.borrow_mut();
        let frames = pool.size().saturating_sub(spare).max(8);
        for at in (1..pages.len()).rev() {
            pages.swap(at, chance.below(at as u64 + 1) as usize);
        }
        let fits = pages.len() as u64 <= u64::from(frames);
        if warming.foreign && !fits {
            // Pages of other tables, which nobody will ask for again. They lie in the first file.
            let mut space = self.space.borrow_mut();
            pages = (0..frames).map(|_| space.allocate(FileId(0))).collect();
        }
        for page in pages.into_iter().take(frames as usize) {
            let Some(frame) = pool.take_free() else { break };
            pool.install(page, frame, false);
        }
        let (mut used, mut missed, mut drawn) = (0, 0, 0);
        let mut uses = Vec::new();
        let enough = u64::from(frames) * if fits { 4 } else { WARM_USES_PER_FRAME };
        let goes_on = |drawn: u64, used: u64, missed: u64| match warming.transactions {
            Some(transactions) => drawn < transactions,
            None => used < enough && missed < u64::from(frames) * WARM_MISSES_PER_FRAME,
        };
        while goes_on(drawn, used, missed) {
            uses.clear();
            next_uses(&mut uses);
            drawn += 1;
            pool.set_time(drawn * WARM_PAUSE_MS);
            if uses.is_empty() {
                break;
            }
            for PageUse { page, .. } in &uses {
                used += 1;
                if let Some(frame) = pool.find(*page) {
                    pool.touch(frame);
                    continue;
                }
                missed += 1;
                let Some(frame) = pool.take_victim(frames) else { break };
                pool.install(*page, frame, false);
            }
        }
        self.warming_ms.set((drawn + 1) * WARM_PAUSE_MS);
    }

    /// Marks pages that are here as changed, as `next_uses` hands them out, until `dirty` of them are: the first as old
    /// as `from`, the last as `to`. Where the load has too few pages here, others were changed by whoever was before.
    pub fn dirty(&self, dirty: u64, from: u64, to: u64, next_uses: &mut dyn FnMut(&mut Vec<PageUse>)) {
        let mut pool = self.pool.borrow_mut();
        let age = |so_far: u64| from + (to - from) * so_far / dirty.max(1);
        let mut uses = Vec::new();
        // Few changes may find their page in a small pool; the search for such ends by itself.
        for _ in 0..dirty * DRAWS_PER_DIRTY_PAGE {
            let so_far = u64::from(pool.dirty_frames());
            if so_far >= dirty {
                return;
            }
            uses.clear();
            next_uses(&mut uses);
            for PageUse { page, .. } in uses.iter().filter(|u| u.changes) {
                if let Some(frame) = pool.find(*page) {
                    pool.mark_dirty(frame, age(so_far));
                }
            }
        }
        for frame in 0..pool.size() {
            let so_far = u64::from(pool.dirty_frames());
            if so_far < dirty && pool.holds_page(frame) {
                pool.mark_dirty(frame, to);
            }
        }
    }

    /// The request that transfers a page.
    pub fn request(&self, page: PageId, access: FileAccess) -> FileRequest {
        let (file, number) = self.space.borrow().place(page);
        let offset = u64::from(number) * u64::from(self.page_bytes);
        FileRequest { file, access, offset, bytes: self.page_bytes }
    }

    /// Waits until the page in `frame` is not being written.
    pub async fn wait_until_written<H: Host>(&self, host: &H, frame: Frame) {
        while self.pool.borrow().is_writing(frame) {
            let page = self.pool.borrow().page(frame);
            charged(host, Cause::Latch, self.wait_for(host, page)).await;
        }
    }

    /// The page in `frame` is on the device: whoever waited to change it may do so.
    pub fn written<H: Host>(&self, host: &H, frame: Frame) {
        let page = {
            let mut pool = self.pool.borrow_mut();
            pool.write_done(frame);
            pool.page(frame)
        };
        self.wake_waiting(host, page);
    }

    fn wake_waiting<H: Host>(&self, host: &H, page: PageId) {
        if let Some(waiting) = self.arriving.borrow_mut().remove(&page) {
            waiting.into_iter().for_each(|task| host.wake(task));
        }
    }

    /// Counts a page as written whose write is a part of a larger one.
    pub fn count_write(&self) {
        self.writes.set(self.writes.get() + 1);
    }

    /// Starts writing the page in `frame`, which has been marked as being written.
    pub fn start_write<H: Host>(&self, host: &H, frame: Frame) -> Ticket {
        let page = self.pool.borrow().page(frame);
        self.writes.set(self.writes.get() + 1);
        host.submit(self.request(page, FileAccess::Write))
    }
}
