//! What an engine asks of the world it runs in: time, processors, files, and a place to wait.

use crate::pages::FileId;
use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    future::Future,
    task::Poll,
};

/// A flow of control: a client, or one of the engine's own threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(pub u32);

/// What a task's time goes to. A transaction's latency is the sum over causes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(usize)]
pub enum Cause {
    /// Working on a processor.
    Cpu,
    /// Ready, with all processors busy.
    CpuQueue,
    /// Waiting for a page to be read.
    Read,
    /// Waiting for a frame: dirty pages have to be written before one is free.
    FreeFrame,
    /// Waiting for the log: its buffer, its write, its sync.
    Log,
    /// Waiting for dirty pages to be written so that the log may be reused.
    Checkpoint,
    /// Waiting to be let into the engine (`innodb_thread_concurrency`).
    Admission,
    /// Waiting for changed pages to be written where no log lets them wait: when a transaction begins and commits.
    PageWrite,
    /// Waiting for messages between client and server.
    Network,
    /// Waiting to change a page that is being written.
    Latch,
    /// Waiting for a row that another transaction has locked.
    Lock,
}

impl Cause {
    /// All causes in a fixed order.
    pub const ALL: [Self; 11] = [
        Self::Cpu,
        Self::CpuQueue,
        Self::Read,
        Self::FreeFrame,
        Self::Log,
        Self::Checkpoint,
        Self::Admission,
        Self::PageWrite,
        Self::Network,
        Self::Latch,
        Self::Lock,
    ];

    /// The name in a report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::CpuQueue => "cpu_queue",
            Self::Read => "read",
            Self::FreeFrame => "free_frame",
            Self::Log => "log",
            Self::Checkpoint => "checkpoint",
            Self::Admission => "admission",
            Self::PageWrite => "page_write",
            Self::Network => "network",
            Self::Latch => "latch",
            Self::Lock => "lock",
        }
    }
}

/// What is asked of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileAccess {
    /// Read bytes.
    Read,
    /// Write bytes.
    Write,
    /// Make all writes to the file durable.
    Sync,
}

/// A request to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileRequest {
    /// The file.
    pub file: FileId,
    /// What is asked.
    pub access: FileAccess,
    /// First byte.
    pub offset: u64,
    /// Length in bytes; 0 for a sync.
    pub bytes: u32,
}

/// A request on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket(pub u64);

/// The world an engine runs in.
pub trait Host {
    /// Virtual time in nanoseconds.
    fn now(&self) -> u64;
    /// The task that is running.
    fn task(&self) -> TaskId;
    /// Makes a suspended task run again.
    fn wake(&self, task: TaskId);
    /// Books time of the running task.
    fn charge(&self, cause: Cause, ns: u64);
    /// Time of the running task that has been booked so far, to whatever cause.
    fn booked(&self) -> u64;
    /// Works for `ns` on a processor of the reference clock; books the work and the wait for a processor.
    fn cpu(&self, ns: u64) -> impl Future<Output = ()>;
    /// Starts a request.
    fn submit(&self, request: FileRequest) -> Ticket;
    /// Waits for a request. Each ticket is waited for once.
    fn done(&self, ticket: Ticket) -> impl Future<Output = ()>;
    /// Processors of the machine.
    fn processors(&self) -> u32;
    /// Bytes of the system's page cache that a file may take; none where it goes around it.
    fn file_cache_bytes(&self, _file: FileId) -> u64 {
        0
    }
    /// A read that took place before anything that counts: the page cache has it from now on. Tells whether it had it.
    fn read_before(&self, _request: FileRequest) -> bool {
        false
    }
    /// Lets virtual time pass.
    fn sleep(&self, ns: u64) -> impl Future<Output = ()>;
}

/// Runs `wait` and books the time it took, less what was booked within it: a flush that a client carries out itself
/// needs a processor too, and no nanosecond counts twice.
pub async fn charged<H: Host>(host: &H, cause: Cause, wait: impl Future<Output = ()>) {
    let (since, before) = (host.now(), host.booked());
    wait.await;
    let within = host.booked() - before;
    host.charge(cause, (host.now() - since).saturating_sub(within));
}

/// Starts a request and waits for it.
pub async fn transfer<H: Host>(host: &H, request: FileRequest) {
    let ticket = host.submit(request);
    host.done(ticket).await;
}

/// Gives control back once; the task runs on when somebody wakes it.
pub async fn suspend() {
    let mut suspended = false;
    std::future::poll_fn(|_| {
        if suspended {
            Poll::Ready(())
        } else {
            suspended = true;
            Poll::Pending
        }
    })
    .await;
}

/// Tasks waiting for the same thing, first come first served.
#[derive(Debug, Default)]
pub struct WaitQueue(RefCell<VecDeque<TaskId>>);

impl WaitQueue {
    /// Waits until woken.
    pub async fn wait<H: Host>(&self, host: &H) {
        self.0.borrow_mut().push_back(host.task());
        suspend().await;
    }

    /// Wakes the first task; `false` where none waits.
    pub fn wake_one<H: Host>(&self, host: &H) -> bool {
        let first = self.0.borrow_mut().pop_front();
        if let Some(task) = first {
            host.wake(task);
        }
        first.is_some()
    }

    /// Wakes all tasks.
    pub fn wake_all<H: Host>(&self, host: &H) {
        while self.wake_one(host) {}
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }
}

/// A number of places; whoever finds none waits in order of arrival.
#[derive(Debug)]
pub struct Places {
    free: Cell<u32>,
    waiting: WaitQueue,
}

impl Places {
    /// `places` free places.
    pub fn new(places: u32) -> Self {
        Self { free: Cell::new(places), waiting: WaitQueue::default() }
    }

    /// Takes a place.
    pub async fn enter<H: Host>(&self, host: &H) {
        if self.free.get() > 0 {
            self.free.set(self.free.get() - 1);
        } else {
            // The place is handed over by the one who leaves, so that nobody overtakes.
            self.waiting.wait(host).await;
        }
    }

    /// Takes a place if one is free now.
    pub fn try_enter(&self) -> bool {
        let free = self.free.get() > 0;
        if free {
            self.free.set(self.free.get() - 1);
        }
        free
    }

    /// Gives a place back.
    pub fn leave<H: Host>(&self, host: &H) {
        if !self.waiting.wake_one(host) {
            self.free.set(self.free.get() + 1);
        }
    }
}
