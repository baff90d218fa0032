//! The virtual clock, the event queue, the processor cores: the world engines run in.

use spindle_device::{Access, Activity, FileSystem, Inode, Request, Responses};
use spindle_engine::{
    engine::{FileGrowth, FileNeed},
    host::{Cause, FileAccess, FileRequest, Host, TaskId, Ticket, suspend},
    pages::FileId,
    profile::REFERENCE_CLOCK_GHZ,
};
use std::{
    cell::{Cell, RefCell},
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
    future::Future,
    pin::Pin,
    rc::Rc,
    task::{Context, Waker},
};

/// Time booked by cause, in nanoseconds.
pub(crate) type Ledger = [u64; Cause::ALL.len()];

#[derive(Debug, Clone, Copy, Default)]
struct TicketState {
    done: bool,
    waiter: Option<TaskId>,
}

struct Cores {
    total: u32,
    busy: u32,
    waiting: VecDeque<TaskId>,
    busy_ns: u64,
    /// Nanoseconds of this machine for a nanosecond at the reference clock, × 2^16.
    scale_x65536: u64,
    /// Extra work for each other busy core, × 2^16.
    contention_x65536: u64,
}

/// Where a file of the engine is.
#[derive(Debug, Clone, Copy)]
struct FilePlace {
    /// The number of the store.
    store: usize,
    /// The file's number there.
    file: u32,
    /// Opened around the page cache.
    direct: bool,
}

/// Everything tasks share.
pub(crate) struct Kernel {
    now: Cell<u64>,
    current: Cell<TaskId>,
    ready: RefCell<VecDeque<TaskId>>,
    timers: RefCell<BinaryHeap<Reverse<(u64, u64, u32)>>>,
    next_timer: Cell<u64>,
    cores: RefCell<Cores>,
    /// The storage, and behind it a device of its own for the log, if there is one.
    stores: RefCell<Vec<FileSystem>>,
    /// Where the engine's files are, by their numbers.
    file_map: RefCell<Vec<FilePlace>>,
    tickets: RefCell<Vec<TicketState>>,
    free_tickets: RefCell<Vec<u64>>,
    ledgers: RefCell<Vec<Ledger>>,
    /// Kept between events for its memory.
    completed: Cell<Vec<u64>>,
}

/// A handle on the kernel, which is what engines are given as their host.
#[derive(Clone)]
pub(crate) struct SimHost(pub(crate) Rc<Kernel>);

impl std::fmt::Debug for SimHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SimHost")
    }
}

impl Kernel {
    pub(crate) fn new(stores: Vec<FileSystem>, cores: u32, clock_ghz: f64, contention: f64) -> Self {
        Self {
            now: Cell::new(0),
            current: Cell::new(TaskId(0)),
            ready: RefCell::new(VecDeque::new()),
            timers: RefCell::new(BinaryHeap::new()),
            next_timer: Cell::new(0),
            cores: RefCell::new(Cores {
                total: cores,
                busy: 0,
                waiting: VecDeque::new(),
                busy_ns: 0,
                scale_x65536: (REFERENCE_CLOCK_GHZ / clock_ghz * 65_536.0) as u64,
                contention_x65536: (contention * 65_536.0) as u64,
            }),
            stores: RefCell::new(stores),
            file_map: RefCell::new(Vec::new()),
            tickets: RefCell::new(Vec::new()),
            free_tickets: RefCell::new(Vec::new()),
            ledgers: RefCell::new(Vec::new()),
            completed: Cell::default(),
        }
    }

    /// Adds a file of the engine; the log goes to its own device, if there is one.
    pub(crate) fn add_file(&self, need: FileNeed) {
        let mut stores = self.stores.borrow_mut();
        let inode = match need.growth {
            FileGrowth::Unknown => Inode::Unknown,
            FileGrowth::Grows => Inode::Grows,
            FileGrowth::Keeps => Inode::Keeps,
        };
        let store = if need.is_log { stores.len() - 1 } else { 0 };
        let file = stores[store].add_file_with(need.bytes, inode);
        if need.is_log {
            stores[store].keep_together(file);
        }
        if need.write_through {
            stores[store].write_through(file);
        }
        self.file_map.borrow_mut().push(FilePlace { store, file, direct: need.direct });
    }

    /// Registers a task and lets it run; its number is the next one.
    pub(crate) fn add_task(&self) -> TaskId {
        let mut ledgers = self.ledgers.borrow_mut();
        ledgers.push(Ledger::default());
        let task = TaskId((ledgers.len() - 1) as u32);
        self.ready.borrow_mut().push_back(task);
        task
    }

    pub(crate) fn now(&self) -> u64 {
        self.now.get()
    }

    pub(crate) fn take_ledger(&self, task: TaskId) -> Ledger {
        std::mem::take(&mut self.ledgers.borrow_mut()[task.0 as usize])
    }

    pub(crate) fn device_activity(&self) -> Vec<(Activity, Responses)> {
        let now = self.now.get();
        self.stores.borrow().iter().map(|store| (store.activity(now), store.responses())).collect()
    }

    /// Core time used so far, in nanoseconds, and the number of cores.
    pub(crate) fn core_activity(&self) -> (u64, u32) {
        let cores = self.cores.borrow();
        (cores.busy_ns, cores.total)
    }

    fn set_timer(&self, at: u64, task: TaskId) {
        let number = self.next_timer.get();
        self.next_timer.set(number + 1);
        self.timers.borrow_mut().push(Reverse((at, number, task.0)));
    }

    /// Runs tasks that are ready, then moves the clock to the next event; `false` when nothing is left to happen
    /// before `until`.
    pub(crate) fn step(&self, tasks: &mut [Pin<Box<dyn Future<Output = ()>>>], until: u64) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        loop {
            let Some(task) = self.ready.borrow_mut().pop_front() else { break };
            self.current.set(task);
            // Tasks here never end; a finished one would simply not be woken again.
            let _ = tasks[task.0 as usize].as_mut().poll(&mut context);
        }
        let timer = self.timers.borrow().peek().map(|Reverse((at, ..))| *at);
        let device = self.stores.borrow().iter().filter_map(FileSystem::next_event).min();
        let next = match (timer, device) {
            (Some(a), Some(b)) => a.min(b),
            (a, b) => match a.or(b) {
                Some(at) => at,
                None => return false,
            },
        };
        if next > until {
            self.now.set(until);
            return false;
        }
        debug_assert!(next >= self.now.get(), "time never runs backwards");
        self.now.set(next);
        if device.is_some_and(|at| at <= next) {
            let mut done = self.completed.take();
            self.stores.borrow_mut().iter_mut().for_each(|store| store.advance(next, &mut done));
            let mut tickets = self.tickets.borrow_mut();
            let mut ready = self.ready.borrow_mut();
            for id in done.drain(..) {
                let state = &mut tickets[id as usize];
                state.done = true;
                ready.extend(state.waiter.take());
            }
            self.completed.set(done);
        }
        let mut timers = self.timers.borrow_mut();
        while timers.peek().is_some_and(|Reverse((at, ..))| *at <= next) {
            if let Some(Reverse((.., task))) = timers.pop() {
                self.ready.borrow_mut().push_back(TaskId(task));
            }
        }
        true
    }
}

impl Host for SimHost {
    fn now(&self) -> u64 {
        self.0.now.get()
    }

    fn task(&self) -> TaskId {
        self.0.current.get()
    }

    fn wake(&self, task: TaskId) {
        self.0.ready.borrow_mut().push_back(task);
    }

    fn charge(&self, cause: Cause, ns: u64) {
        self.0.ledgers.borrow_mut()[self.0.current.get().0 as usize][cause as usize] += ns;
    }

    fn booked(&self) -> u64 {
        self.0.ledgers.borrow()[self.0.current.get().0 as usize].iter().sum()
    }

    async fn cpu(&self, ns: u64) {
        let kernel = &*self.0;
        let task = self.task();
        let since = kernel.now.get();
        let free = {
            let mut cores = kernel.cores.borrow_mut();
            let free = cores.busy < cores.total;
            if free {
                cores.busy += 1;
            } else {
                cores.waiting.push_back(task);
            }
            free
        };
        if !free {
            suspend().await;
        }
        self.charge(Cause::CpuQueue, kernel.now.get() - since);
        let service = {
            let mut cores = kernel.cores.borrow_mut();
            let others = u64::from(cores.busy - 1);
            let base = (ns * cores.scale_x65536) >> 16;
            let service = base + ((base * others * cores.contention_x65536) >> 16);
            cores.busy_ns += service;
            service
        };
        kernel.set_timer(kernel.now.get() + service, task);
        suspend().await;
        self.charge(Cause::Cpu, service);
        let mut cores = kernel.cores.borrow_mut();
        // The core goes straight to the next in line, so that nobody overtakes.
        match cores.waiting.pop_front() {
            Some(next) => kernel.ready.borrow_mut().push_back(next),
            None => cores.busy -= 1,
        }
    }

    fn submit(&self, request: FileRequest) -> Ticket {
        let kernel = &*self.0;
        let place = kernel.file_map.borrow()[usize::from(request.file.0)];
        let id = kernel.free_tickets.borrow_mut().pop().unwrap_or_else(|| {
            let mut tickets = kernel.tickets.borrow_mut();
            tickets.push(TicketState::default());
            (tickets.len() - 1) as u64
        });
        kernel.tickets.borrow_mut()[id as usize] = TicketState::default();
        let access = match request.access {
            FileAccess::Read => Access::Read,
            FileAccess::Write => Access::Write,
            FileAccess::Sync => Access::Sync,
        };
        let FileRequest { offset, bytes, .. } = request;
        let request = Request { id, access, offset, bytes };
        let writer = kernel.current.get().0;
        kernel.stores.borrow_mut()[place.store].submit(
            kernel.now.get(),
            request,
            place.file,
            writer,
            place.direct,
        );
        Ticket(id)
    }

    async fn done(&self, ticket: Ticket) {
        let kernel = &*self.0;
        let done = {
            let mut tickets = kernel.tickets.borrow_mut();
            let state = &mut tickets[ticket.0 as usize];
            if !state.done {
                state.waiter = Some(kernel.current.get());
            }
            state.done
        };
        if !done {
            suspend().await;
        }
        kernel.free_tickets.borrow_mut().push(ticket.0);
    }

    fn processors(&self) -> u32 {
        self.0.cores.borrow().total
    }

    fn file_cache_bytes(&self, file: FileId) -> u64 {
        let place = self.0.file_map.borrow()[usize::from(file.0)];
        if place.direct { 0 } else { self.0.stores.borrow()[place.store].cache_bytes() }
    }

    fn read_before(&self, request: FileRequest) -> bool {
        let place = self.0.file_map.borrow()[usize::from(request.file.0)];
        let mut stores = self.0.stores.borrow_mut();
        !place.direct && stores[place.store].read_before(place.file, request.offset, request.bytes)
    }

    async fn sleep(&self, ns: u64) {
        self.0.set_timer(self.0.now.get() + ns, self.task());
        suspend().await;
    }
}
