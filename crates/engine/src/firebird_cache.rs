//! Firebird's page cache (`src/jrd/cch.cpp`): one for all connections, least recently used first out, and pages written
//! by whoever commits.

use crate::{
    buffer::Buffer,
    firebird::Firebird,
    host::{Cause, Host, WaitQueue, charged},
    pages::PageId,
    pool::Frame,
};
use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
};

/// Processor time of a page request: hash, latch, and the work on the page (Firebird 3.0.11: transactions of 400
/// requests took about 1 ms more than those of 7).
const FETCH_NS: u64 = 2_000;

/// The cache and what waits for its pages.
#[derive(Debug)]
pub(crate) struct Cache {
    pub(crate) buffer: Buffer,
    marks: Cell<u64>,
    /// Pages on their way to the device: nobody may change them meanwhile.
    writing: RefCell<BTreeSet<PageId>>,
    write_ended: WaitQueue,
}

impl Cache {
    pub(crate) fn new(buffer: Buffer) -> Self {
        Self {
            buffer,
            marks: Cell::new(0),
            writing: RefCell::new(BTreeSet::new()),
            write_ended: WaitQueue::default(),
        }
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
        self.cache.buffer.fix(&self.host, page, self.costs.page_read_ns, frame, async || {}).await
    }

    /// Processor time of the page requests of a piece of work.
    pub(crate) async fn work(&self, requests: u64) {
        self.host.cpu(requests * FETCH_NS).await;
    }

    /// Marks a page as changed (`CCH_MARK`), which has to wait while it is being written.
    pub(crate) async fn mark(&self, page: PageId) {
        while self.cache.writing.borrow().contains(&page) {
            charged(&self.host, Cause::PageWrite, self.cache.write_ended.wait(&self.host)).await;
        }
        self.cache.marks.set(self.cache.marks.get() + 1);
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

    /// Writes a page if it is changed (`CCH_write`, `write_buffer`). Who finds it being written waits, and writes it
    /// again only if it was changed since.
    pub(crate) async fn write(&self, page: PageId) {
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
        self.host.cpu(self.costs.page_write_ns).await;
        let ticket = self.cache.buffer.start_write(&self.host, frame);
        self.host.done(ticket).await;
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

    /// An empty frame: that of the page not used for longest (`get_buffer`), which is written first if it is changed.
    async fn free_frame(&self) -> Frame {
        loop {
            let frames = self.cache.buffer.pool.borrow().size();
            let taken = {
                let mut pool = self.cache.buffer.pool.borrow_mut();
                match pool.take_free() {
                    Some(frame) => Some(frame),
                    None => pool.take_victim(1),
                }
            };
            if let Some(frame) = taken {
                return frame;
            }
            let oldest = {
                let pool = self.cache.buffer.pool.borrow();
                let dirty = pool.candidates(0, 1, 1, |pool, frame| pool.is_dirty(frame));
                dirty.first().map(|frame| pool.page(*frame))
            };
            match oldest {
                Some(page) if !self.cache.writing.borrow().contains(&page) => {
                    charged(&self.host, Cause::FreeFrame, self.write(page)).await;
                }
                // The oldest frame is busy: take one a little younger, or wait for a write to end.
                _ => {
                    let victim = self.cache.buffer.pool.borrow_mut().take_victim(frames);
                    if let Some(frame) = victim {
                        return frame;
                    }
                    charged(&self.host, Cause::FreeFrame, self.cache.write_ended.wait(&self.host)).await;
                }
            }
        }
    }
}
