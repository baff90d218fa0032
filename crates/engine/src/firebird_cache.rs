//! Firebird's page cache (`src/jrd/cch.cpp`): one for all connections, least recently used first out, and pages written
//! by whoever commits.

use crate::{
    buffer::Buffer,
    firebird::Firebird,
    host::{Cause, Host, WaitQueue, charged},
    pages::PageId,
    pool::{Frame, Pool},
};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
};

/// Pause of a thread that finds every frame busy.
const BUSY_PAUSE_NS: u64 = 100_000;

/// The cache and what waits for its pages.
#[derive(Debug)]
pub(crate) struct Cache {
    pub(crate) buffer: Buffer,
    marks: Cell<u64>,
    /// Pages on their way to the device: nobody may change them meanwhile.
    writing: RefCell<BTreeSet<PageId>>,
    write_ended: WaitQueue,
    /// Pages that have to be written before each page that tells of them (`CCH_precedence`).
    precedence: RefCell<BTreeMap<PageId, BTreeSet<PageId>>>,
    /// The cache writer waits here until somebody finds a changed page where a clean one was wanted.
    writer_wanted: WaitQueue,
    /// Processor time the garbage collector has used and not yet taken.
    pub(crate) collector_debt_ns: Cell<u64>,
}

impl Cache {
    pub(crate) fn new(buffer: Buffer) -> Self {
        Self {
            buffer,
            marks: Cell::new(0),
            writing: RefCell::new(BTreeSet::new()),
            write_ended: WaitQueue::default(),
            precedence: RefCell::default(),
            writer_wanted: WaitQueue::default(),
            collector_debt_ns: Cell::new(0),
        }
    }

    /// `page` tells of `first`, which has to be written before it.
    pub(crate) fn precede(&self, page: PageId, first: PageId) {
        self.precedence.borrow_mut().entry(page).or_default().insert(first);
    }

    /// Pages marked as changed since the start.
    pub(crate) fn marks(&self) -> u64 {
        self.marks.get()
    }
}

impl<H: Host> Firebird<H> {
    /// Brings a page into the cache (`CCH_FETCH`).
    pub(crate) async fn fetch(&self, page: PageId) -> Frame {
        let frame = async || self.free_frame().await;
        let (at_once, in_turn) = self.architecture.at_once_or_in_turn(self.costs.page_read_ns);
        let after_read = async || {
            if in_turn > 0 {
                self.cpu(in_turn).await;
            }
        };
        let frame = self.cache.buffer.fix(&self.host, page, at_once, frame, after_read).await;
        self.refresh(page).await;
        frame
    }

    /// The same for the garbage collector, which takes processor time by the slice: a scheduler does not send a thread to
    /// the rear of the queue after each page.
    pub(crate) async fn collector_fetch(&self, page: PageId) {
        let frame = async || self.free_frame().await;
        let owe = async || self.owe(self.costs.page_read_ns);
        self.owe(self.costs.row_ns);
        self.cache.buffer.fix(&self.host, page, 0, frame, owe).await;
    }

    fn owe(&self, ns: u64) {
        self.cache.collector_debt_ns.set(self.cache.collector_debt_ns.get() + ns);
    }

    /// Processor time of the page requests of a piece of work.
    pub(crate) async fn work(&self, requests: u64) {
        self.cpu(requests * self.costs.row_ns).await;
    }

    /// Marks a page as changed (`CCH_MARK`), which has to wait while it is being written.
    pub(crate) async fn mark(&self, page: PageId) {
        while self.cache.writing.borrow().contains(&page) {
            charged(&self.host, Cause::PageWrite, self.cache.write_ended.wait(&self.host)).await;
        }
        self.cache.marks.set(self.cache.marks.get() + 1);
        self.architecture.changed(page, self.host.task());
        let present = self.cache.buffer.present(page);
        let frame = match present {
            Some(frame) => frame,
            // It was given up since it was fetched, which the latch on it would have prevented.
            None => {
                let frame = self.free_frame().await;
                self.cache.buffer.create(page, frame, 0);
                return;
            }
        };
        self.cache.buffer.pool.borrow_mut().mark_dirty(frame, 0);
    }

    /// Makes a page that did not exist before, changed.
    pub(crate) async fn create(&self, page: PageId) {
        let frame = self.free_frame().await;
        self.cache.marks.set(self.cache.marks.get() + 1);
        self.cache.buffer.pool.borrow_mut().count(true);
        self.cache.buffer.create(page, frame, 0);
    }

    /// Writes a page if it is changed, and before it the pages it tells of, whoever changed them (`CCH_write`,
    /// `write_buffer`).
    pub(crate) async fn write(&self, page: PageId) {
        let first = self.cache.precedence.borrow_mut().remove(&page).unwrap_or_default();
        for page in first {
            self.write_one(page).await;
        }
        self.write_one(page).await;
    }

    /// Who finds the page being written waits, and writes it again only if it was changed since.
    async fn write_one(&self, page: PageId) {
        charged(&self.host, Cause::PageWrite, async {
            while self.cache.writing.borrow().contains(&page) {
                self.cache.write_ended.wait(&self.host).await;
            }
            if let Some(frame) = self.cache.buffer.present(page) {
                self.write_frame(page, frame).await;
            }
        })
        .await;
    }

    async fn write_frame(&self, page: PageId, frame: Frame) {
        let begun = self.cache.buffer.pool.borrow_mut().begin_write(frame);
        if !begun {
            return;
        }
        self.cache.writing.borrow_mut().insert(page);
        let ticket = self.cache.buffer.start_write(&self.host, frame);
        self.host.done(ticket).await;
        // The writer holds the page until it runs again.
        self.host.sleep(self.costs.page_write_ns).await;
        self.cache.buffer.pool.borrow_mut().write_done(frame);
        self.cache.writing.borrow_mut().remove(&page);
        self.cache.write_ended.wake_all(&self.host);
    }

    /// Writes those of `pages` that are changed, in the order of their numbers (`CCH_flush` sorts them; what precedence
    /// demands beyond that changes the order but not the count).
    pub(crate) async fn flush(&self, pages: impl Iterator<Item = PageId>) {
        let sorted: BTreeSet<PageId> = pages.collect();
        for page in sorted {
            self.write(page).await;
        }
    }

    /// Writes all changed pages, whoever changed them (`flushAll` with `FLUSH_SWEEP`).
    pub(crate) async fn flush_all(&self) {
        let pages: Vec<PageId> = {
            let pool = self.cache.buffer.pool.borrow();
            let dirty = pool.oldest_dirty(u32::MAX, u64::MAX);
            dirty.into_iter().map(|frame| pool.page(frame)).collect()
        };
        self.flush(pages.into_iter()).await;
    }

    /// An empty frame: that of the page not used for longest (`get_buffer`), which is written first if it is changed.
    async fn free_frame(&self) -> Frame {
        loop {
            let frames = self.cache.buffer.pool.borrow().size();
            let walk = self.architecture.walk(frames);
            let taken = {
                let mut pool = self.cache.buffer.pool.borrow_mut();
                match pool.take_free() {
                    Some(frame) => Some(frame),
                    None => pool.take_victim(walk.unwrap_or(1)),
                }
            };
            if walk.is_some_and(|walk| self.oldest_to_write(walk).is_some()) {
                self.cache.writer_wanted.wake_one(&self.host);
            }
            if let Some(frame) = taken {
                return frame;
            }
            if let Some(page) = self.oldest_to_write(1) {
                charged(&self.host, Cause::FreeFrame, self.write(page)).await;
                continue;
            }
            // The oldest frame is busy: take one a little younger, if need be after it has been written, or wait.
            let victim = self.cache.buffer.pool.borrow_mut().take_victim(walk.unwrap_or(frames));
            if let Some(frame) = victim {
                return frame;
            }
            let wait = async {
                match self.oldest_to_write(frames) {
                    Some(page) => self.write(page).await,
                    // All are on their way in or out: look again soon.
                    None => self.host.sleep(BUSY_PAUSE_NS).await,
                }
            };
            charged(&self.host, Cause::FreeFrame, wait).await;
        }
    }

    /// The thread that writes changed pages not used for long, so that frames are there when they are wanted.
    pub(crate) async fn cache_writer(&self) {
        loop {
            let frames = self.cache.buffer.pool.borrow().size();
            let walk = self.architecture.walk(frames).unwrap_or(1);
            match self.oldest_to_write(walk) {
                Some(page) => self.write(page).await,
                None => self.cache.writer_wanted.wait(&self.host).await,
            }
        }
    }

    /// The page not used for longest, among that many, that is changed and neither on its way in nor out.
    fn oldest_to_write(&self, depth: u32) -> Option<PageId> {
        let pool = self.cache.buffer.pool.borrow();
        let is_idle = |pool: &Pool, frame: Frame| {
            pool.is_dirty(frame) && !pool.is_reading(frame) && !pool.is_writing(frame)
        };
        pool.candidates(0, depth, 1, is_idle).first().map(|frame| pool.page(*frame))
    }
}
