//! A client of the load: one transaction after the other, each booked as it ends.

use crate::{
    cluster::{Answering, Network, Slot},
    histogram::Histogram,
    kernel::{Ledger, SimHost},
    loading::Loading,
    queries::Queries,
};
use spindle_engine::{
    access::Accesses,
    engine::Engine,
    host::{Cause, Host, charged},
    profile::ProcessorCosts,
    query_places::QueryPlaces,
    statement::{Statement, Transaction},
};
use spindle_workload::{LoadPart, Operations};
use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

/// Virtual time of the bins in which throughput is counted: short enough for the statistics, whole parts of a second.
pub(crate) const BIN_NS: u64 = 100_000_000;

/// What transactions leave behind as they end.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) measuring_since: u64,
    pub(crate) histogram: Histogram,
    pub(crate) ledger: Ledger,
    /// Transactions ended in each bin since the start.
    pub(crate) bins: Vec<u32>,
    /// Nanoseconds of latency by bin.
    pub(crate) bin_latency: Vec<u64>,
    /// What each part of a load brought.
    pub(crate) load: [Loaded; LoadPart::ALL.len()],
}

/// What a part of a load brought, and how long it took.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Loaded {
    pub(crate) ns: u64,
    pub(crate) rows: u64,
    pub(crate) pages: u64,
}

/// What the clients of a load still have to do together.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    /// Transactions nobody has begun.
    pub(crate) to_begin: Cell<u64>,
    /// Transactions that have not ended.
    pub(crate) to_end: Cell<u64>,
}

pub(crate) struct Client {
    pub(crate) number: u32,
    pub(crate) read_only: bool,
    pub(crate) loads: bool,
    pub(crate) host: SimHost,
    pub(crate) engine: Engine<SimHost>,
    pub(crate) operations: Operations,
    pub(crate) queries: Option<Rc<Queries>>,
    /// The queries it asks, over and over.
    pub(crate) asked: Vec<u8>,
    pub(crate) loading: Option<Rc<Loading>>,
    /// Of a cluster, its network and the client's processes on the node.
    pub(crate) network: Option<Rc<Network>>,
    pub(crate) slots: Rc<Vec<Slot>>,
    pub(crate) costs: ProcessorCosts,
    pub(crate) tally: Rc<RefCell<Tally>>,
    pub(crate) budget: Rc<Budget>,
    pub(crate) think_ns: u64,
    pub(crate) round_trip_ns: u64,
    pub(crate) start_ns: u64,
}

impl Client {
    /// One transaction after the other, until the load's budget is used up.
    pub(crate) async fn run(mut self) {
        self.host.sleep(self.start_ns).await;
        let task = self.host.task();
        let mut statements = Vec::new();
        let mut turn = 0;
        let pending = Cell::new(0.0);
        while self.budget.to_begin.get() > 0 {
            self.budget.to_begin.set(self.budget.to_begin.get() - 1);
            let started = self.host.now();
            self.host.0.take_ledger(task);
            let engine = self.engine.clone();
            self.operations.transaction(&|table| engine.rows(table), &mut statements);
            let pages_before = self.pages();
            let mut transaction =
                Transaction { client: self.number, read_only: self.read_only, ..Transaction::default() };
            // A statement of its own commits by itself; several are bracketed by BEGIN and COMMIT.
            let brackets = u64::from(statements.len() > 1);
            self.messages(brackets).await;
            engine.begin(&mut transaction).await;
            for statement in &statements {
                self.messages(1).await;
                engine.execute(&mut transaction, *statement).await;
            }
            match self.loading.as_deref() {
                Some(Loading::Copy(copying)) => {
                    copying.batch(self.number as usize, &self.host, &pending).await;
                }
                Some(Loading::Steps(accesses)) => {
                    self.carry_out(accesses).await;
                }
                None => {}
            }
            if let Some(queries) = &self.queries {
                self.messages(1).await;
                self.ask(queries, self.asked[turn % self.asked.len()]).await;
                turn += 1;
            }
            self.messages(brackets).await;
            engine.commit(&mut transaction).await;
            let latency = self.host.now() - started;
            let ledger = self.host.0.take_ledger(task);
            debug_assert_eq!(
                ledger.iter().sum::<u64>(),
                latency,
                "a transaction's time is the sum of its causes"
            );
            self.book(latency, &ledger);
            if self.loads {
                self.book_load(&statements, latency, self.pages() - pages_before);
            }
            self.budget.to_end.set(self.budget.to_end.get() - 1);
            if self.think_ns > 0 {
                self.host.sleep(self.think_ns).await;
            } else if latency == 0 {
                // A transaction that takes no time at all would never let the clock move.
                self.host.sleep(1).await;
            }
        }
    }

    /// Pages that tables and indexes have taken, as far as anybody wants to know.
    fn pages(&self) -> u64 {
        if self.loads { self.engine.counters().allocated_pages } else { 0 }
    }

    /// Asks a query: the engine does what its plan says, step by step.
    async fn ask(&self, queries: &Queries, query: u8) {
        let asked = queries.query(query);
        if let Some(network) = &self.network {
            let answering = Rc::new(Answering::new(&asked));
            let cluster = Rc::clone(&answering);
            cluster.coordinate(&self.slots, &self.host, &self.engine, &self.costs, network).await;
            queries.answered(query, &answering.uses());
            return;
        }
        let places = self.carry_out(&asked.accesses).await;
        queries.answered(query, &places.uses());
    }

    /// Carries out steps one after the other.
    async fn carry_out(&self, accesses: &Accesses) -> QueryPlaces {
        let places = QueryPlaces::new(accesses.cursors.len());
        for access in &accesses.steps {
            self.engine.access(&places, &accesses.cursors[usize::from(access.cursor)], access).await;
        }
        self.engine.end_query(&places, accesses.work_left).await;
        places
    }

    /// Lets the messages of `statements` statements pass.
    async fn messages(&self, statements: u64) {
        let ns = self.round_trip_ns * statements;
        if ns > 0 {
            charged(&self.host, Cause::Network, self.host.sleep(ns)).await;
        }
    }

    fn book(&self, latency: u64, ledger: &Ledger) {
        let mut tally = self.tally.borrow_mut();
        let bin = (self.host.now() / BIN_NS) as usize;
        if tally.bins.len() <= bin {
            tally.bins.resize(bin + 1, 0);
            tally.bin_latency.resize(bin + 1, 0);
        }
        tally.bins[bin] += 1;
        tally.bin_latency[bin] += latency;
        tally.histogram.add(latency);
        for (sum, part) in tally.ledger.iter_mut().zip(ledger) {
            *sum += part;
        }
    }

    fn book_load(&self, statements: &[Statement], ns: u64, pages: u64) {
        let mut tally = self.tally.borrow_mut();
        let sum = &mut tally.load[LoadPart::of(statements) as usize];
        sum.ns += ns;
        sum.pages += pages;
        sum.rows += statements.iter().map(rows_brought).sum::<u64>();
    }
}

fn rows_brought(statement: &Statement) -> u64 {
    match *statement {
        Statement::Append { rows, .. } => u64::from(rows),
        Statement::Insert { .. } => 1,
        _ => 0,
    }
}
