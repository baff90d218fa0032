//! A query's processes on one node of a cluster, the one at the coordinator, and the network between them.
//!
//! All data nodes do the same at the same time, each over its part of the rows; one is simulated, the one with the most. What
//! it sends to others, others send to it: a stream of rows has come as far here as the process that sends it has come on the
//! node itself, and each link carries what that node's links carry.

use crate::{
    kernel::{Ledger, SimHost},
    queries::Query,
};
use spindle_engine::{
    access::{Access, Accesses, Asked, Exchange},
    engine::Engine,
    host::{Cause, Host, WaitQueue},
    miniature::Miniature,
    profile::{ProcessorCosts, REFERENCE_CLOCK_GHZ},
    query_places::{CursorUse, QueryPlaces},
};
use spindle_scenario::Cluster;
use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    rc::Rc,
};

/// Processor time for a message to a node and its answer: two system calls and their interrupts. An assumption.
const MESSAGE_NS: u64 = 10_000;
/// Bytes that a process may be ahead of the one that takes its rows (two of the pieces in which they cross; a shared queue of a
/// node has 64 KiB).
const AHEAD_BYTES: u64 = 8192;
/// Processor time after which the coordinator lets the clock move.
const WORK_SLICE_NS: u64 = 50_000;

/// One direction of a link: what is handed to it goes one after the other.
#[derive(Debug, Default)]
pub(crate) struct Link {
    free_at: Cell<u64>,
    busy_ns: Cell<u64>,
}

impl Link {
    /// Carries what takes `ns` from `since` on; tells when it is over.
    pub(crate) fn carry(&self, since: u64, ns: u64) -> u64 {
        let end = self.free_at.get().max(since) + ns;
        self.free_at.set(end);
        self.busy_ns.set(self.busy_ns.get() + ns);
        end
    }
}

/// The network as the node that is simulated and the coordinator see it.
#[derive(Debug)]
pub(crate) struct Network {
    nodes: u64,
    ns_per_byte: f64,
    coordinator_ns_per_byte: f64,
    latency_ns: u64,
    /// What a query waits for before it begins, for itself and for each crossing: of a sample its share.
    snapshot_ns: u64,
    connecting_ns: u64,
    /// Nanoseconds of the coordinator for one at the reference clock.
    coordinator_scale: f64,
    from_node: Link,
    to_node: Link,
    to_coordinator: Link,
}

impl Network {
    pub(crate) fn new(cluster: &Cluster, sample: Miniature) -> Self {
        let spec = &cluster.network;
        let share = |ns: u64| (ns as f64 * sample.share()) as u64;
        Self {
            nodes: u64::from(cluster.nodes),
            ns_per_byte: 1e3 / spec.mb_per_s,
            coordinator_ns_per_byte: 1e3 / cluster.coordinators.mb_per_s,
            latency_ns: spec.latency.0,
            snapshot_ns: share(spec.snapshot.0 + 2 * spec.latency.0),
            connecting_ns: share(spec.connecting.0),
            coordinator_scale: REFERENCE_CLOCK_GHZ / cluster.coordinators.clock_ghz,
            from_node: Link::default(),
            to_node: Link::default(),
            to_coordinator: Link::default(),
        }
    }

    /// How long the busiest link has been busy.
    pub(crate) fn busy_ns(&self) -> u64 {
        let links = [&self.from_node, &self.to_node, &self.to_coordinator];
        links.into_iter().map(|link| link.busy_ns.get()).max().unwrap_or(0)
    }

    /// When bytes that the node sends now have come, and with them those that come from the other nodes.
    fn arrival(&self, now: u64, bytes: u64, exchange: &Exchange) -> u64 {
        let ns = |bytes: f64| (bytes * self.ns_per_byte) as u64;
        let bytes = bytes as f64;
        let taken = bytes * exchange.taken as f64 / exchange.sent.max(1) as f64;
        if exchange.to_coordinator {
            let sent = self.from_node.carry(now, ns(bytes));
            let taken = (taken * self.coordinator_ns_per_byte) as u64;
            return self.to_coordinator.carry(sent, taken) + self.latency_ns;
        }
        // What stays on the node does not cross.
        let crossing = 1.0 - 1.0 / self.nodes as f64;
        let sent = self.from_node.carry(now, ns(bytes * crossing));
        self.to_node.carry(sent, ns(taken * crossing)) + self.latency_ns
    }
}

/// A stream of rows under way.
#[derive(Debug, Default)]
struct Stream {
    /// Bytes sent, and when they come, as far as nobody has taken them.
    coming: RefCell<VecDeque<(u64, u64)>>,
    sent: Cell<u64>,
    taken: Cell<u64>,
    sent_more: WaitQueue,
    taken_more: WaitQueue,
}

impl Stream {
    /// When the first `bytes` have come; none where they have not been sent.
    fn arrival_of(&self, bytes: u64) -> Option<u64> {
        let mut coming = self.coming.borrow_mut();
        while coming.front().is_some_and(|(sent, _)| *sent < bytes) {
            if coming.len() == 1 {
                return None;
            }
            coming.pop_front();
        }
        coming.front().map(|(_, at)| *at)
    }
}

/// One of a query's processes: the coordinator's is number 0.
#[derive(Debug)]
struct Running {
    places: QueryPlaces,
    begun: Cell<bool>,
    ended: Cell<bool>,
    begin: WaitQueue,
    end: WaitQueue,
    /// What its time went to, and how long it waited for rows of others.
    ledger: Cell<Ledger>,
    waits: RefCell<Vec<(usize, u64)>>,
}

/// A query that is being answered.
pub(crate) struct Answering {
    query: Rc<Query>,
    running: Vec<Running>,
    streams: Vec<Stream>,
    /// The exchange of each cursor that has one.
    exchange_of: Vec<Option<usize>>,
}

/// Where a process of the node waits for its next query.
#[derive(Default)]
pub(crate) struct Slot {
    next: RefCell<Option<Rc<Answering>>>,
    waiting: WaitQueue,
}

impl Slot {
    /// Carries out the process of number `number` of each query that comes.
    pub(crate) async fn serve(
        &self,
        number: usize,
        host: SimHost,
        engine: Engine<SimHost>,
        network: Rc<Network>,
    ) {
        loop {
            let next = self.next.borrow_mut().take();
            match next {
                Some(answering) => answering.carry_out(number, &host, &engine, &network).await,
                None => self.waiting.wait(&host).await,
            }
        }
    }
}

impl Answering {
    pub(crate) fn new(query: &Rc<Query>) -> Self {
        let Accesses { cursors, processes, exchanges, .. } = &query.accesses;
        let mut exchange_of = vec![None; cursors.len()];
        for (at, exchange) in exchanges.iter().enumerate() {
            exchange_of[usize::from(exchange.cursor)] = Some(at);
        }
        let running = (0..=processes.len()).map(|_| Running {
            places: QueryPlaces::new(cursors.len()),
            begun: Cell::new(false),
            ended: Cell::new(false),
            begin: WaitQueue::default(),
            end: WaitQueue::default(),
            ledger: Cell::default(),
            waits: RefCell::default(),
        });
        Self {
            query: Rc::clone(query),
            running: running.collect(),
            streams: exchanges.iter().map(|_| Stream::default()).collect(),
            exchange_of,
        }
    }

    /// The coordinator's part: begins the query, puts the rows together, and is done when all processes are.
    pub(crate) async fn coordinate(
        self: Rc<Self>,
        slots: &[Slot],
        host: &SimHost,
        engine: &Engine<SimHost>,
        costs: &ProcessorCosts,
        network: &Network,
    ) {
        let accesses = &self.query.accesses;
        for slot in &slots[..accesses.processes.len()] {
            *slot.next.borrow_mut() = Some(Rc::clone(&self));
            slot.waiting.wake_all(host);
        }
        let crossings = self.exchange_of.iter().flatten().count() as u64;
        let setting_up = network.snapshot_ns + network.connecting_ns * crossings;
        host.sleep(setting_up).await;
        host.charge(Cause::Network, setting_up);
        self.begin(0, host);
        let work = |rows: u64| (rows * costs.plan_row_ns) as f64 * network.coordinator_scale;
        let mut gathered = 0.0;
        for access in &accesses.steps {
            gathered += work(u64::from(access.work));
            if gathered >= WORK_SLICE_NS as f64 || !matches!(access.asked, Asked::Receive) {
                pass(host, std::mem::take(&mut gathered) as u64).await;
            }
            match access.asked {
                Asked::Receive => {
                    if !self.has_come(access, host) {
                        pass(host, std::mem::take(&mut gathered) as u64).await;
                    }
                    self.receive(0, access, host).await;
                }
                Asked::Call => {
                    let ns = (MESSAGE_NS * network.nodes) as f64 * network.coordinator_scale;
                    pass(host, ns as u64).await;
                    self.travel(0, access, host, network).await;
                }
                // What is called for is carried out by the node.
                _ => {
                    let cursor = &accesses.cursors[usize::from(access.cursor)];
                    engine.access(&self.running[0].places, cursor, &Access { work: 0, ..*access }).await;
                }
            }
        }
        engine.end_query(&self.running[0].places, 0).await;
        pass(host, (gathered + work(accesses.work_left)) as u64).await;
        // Rows that nobody took hold up nobody.
        self.streams.iter().for_each(|stream| {
            stream.taken.set(u64::MAX);
            stream.taken_more.wake_all(host);
        });
        for (number, process) in self.running.iter().enumerate().skip(1) {
            if process.begun.get() {
                let since = host.now();
                while !process.ended.get() {
                    process.end.wait(host).await;
                }
                process_wait(&self.running[0], number, host.now() - since);
            } else {
                // It is not needed, and must not keep its place.
                process.ended.set(true);
                self.begin(number, host);
            }
        }
        self.book_waits(host);
    }

    /// Carries out a process of the node.
    async fn carry_out(&self, number: usize, host: &SimHost, engine: &Engine<SimHost>, network: &Network) {
        let own = &self.running[number];
        while !own.begun.get() {
            own.begin.wait(host).await;
        }
        let process = &self.query.accesses.processes[number - 1];
        let task = host.task();
        host.0.take_ledger(task);
        for access in process.steps.iter().take_while(|_| !own.ended.get()) {
            let aside = async {
                match access.asked {
                    Asked::Send => {
                        engine.work_off(&own.places).await;
                        self.send(access, host, network).await;
                    }
                    Asked::Receive => {
                        if !self.has_come(access, host) {
                            engine.work_off(&own.places).await;
                        }
                        self.receive(number, access, host).await;
                    }
                    Asked::Call => {
                        engine.work_off(&own.places).await;
                        if access.first == 0 {
                            host.cpu(MESSAGE_NS * network.nodes).await;
                        } else {
                            host.cpu(MESSAGE_NS).await;
                        }
                        self.travel(number, access, host, network).await;
                    }
                    _ => {}
                }
            };
            match access.asked {
                Asked::Send | Asked::Receive | Asked::Call => {
                    engine.beside(&own.places, access, aside).await;
                }
                _ => {
                    let cursor = &self.query.accesses.cursors[usize::from(access.cursor)];
                    engine.access(&own.places, cursor, access).await;
                }
            }
        }
        engine.end_query(&own.places, process.work_left).await;
        own.ledger.set(host.0.take_ledger(task));
        own.ended.set(true);
        own.end.wake_all(host);
        for (stream, exchange) in self.streams.iter().zip(&self.query.accesses.exchanges) {
            if exchange.from == number {
                stream.sent_more.wake_all(host);
            }
        }
    }

    /// Lets a process begin, and those that begin with it.
    fn begin(&self, number: usize, host: &SimHost) {
        if self.running[number].begun.replace(true) {
            return;
        }
        self.running[number].begin.wake_all(host);
        for (other, process) in self.query.accesses.processes.iter().enumerate() {
            if process.begins_with == Some(number) {
                self.begin(other + 1, host);
            }
        }
    }

    fn stream(&self, access: &Access) -> Option<(&Stream, &Exchange)> {
        let number = self.exchange_of.get(usize::from(access.cursor)).copied().flatten()?;
        Some((&self.streams[number], &self.query.accesses.exchanges[number]))
    }

    async fn send(&self, access: &Access, host: &SimHost, network: &Network) {
        let Some((stream, exchange)) = self.stream(access) else { return };
        let bytes = u64::from(access.count);
        self.running[exchange.from].places.count_network(bytes);
        stream.sent.set(stream.sent.get() + bytes);
        let at = network.arrival(host.now(), bytes, exchange);
        stream.coming.borrow_mut().push_back((stream.sent.get(), at));
        stream.sent_more.wake_all(host);
        while stream.sent.get().saturating_sub(stream.taken.get()) > AHEAD_BYTES {
            stream.taken_more.wait(host).await;
        }
    }

    /// Whether what a step takes is there without a wait.
    fn has_come(&self, access: &Access, host: &SimHost) -> bool {
        let Some((stream, exchange)) = self.stream(access) else { return true };
        self.running[exchange.from].ended.get()
            || (access.count > 0
                && stream.arrival_of(u64::from(access.first)).is_some_and(|at| at <= host.now()))
    }

    /// Waits until the rows that a step takes are there.
    async fn receive(&self, number: usize, access: &Access, host: &SimHost) {
        let Some((stream, exchange)) = self.stream(access) else { return };
        self.begin(exchange.from, host);
        let sender = &self.running[exchange.from];
        let wanted = u64::from(access.first);
        let since = host.now();
        if access.count == 0 {
            stream.taken.set(u64::MAX);
            stream.taken_more.wake_all(host);
            while !sender.ended.get() {
                sender.end.wait(host).await;
            }
        } else {
            // Whoever waits for rows has room for them.
            stream.taken.set(stream.taken.get().max(wanted));
            stream.taken_more.wake_all(host);
            while stream.arrival_of(wanted).is_none() && !sender.ended.get() {
                stream.sent_more.wait(host).await;
            }
        }
        process_wait(&self.running[number], exchange.from, host.now() - since);
        let there = stream.arrival_of(wanted).unwrap_or(0).saturating_sub(host.now());
        if access.count > 0 && there > 0 {
            host.sleep(there).await;
            host.charge(Cause::Network, there);
        }
    }

    /// A call's way to the nodes and back.
    async fn travel(&self, number: usize, access: &Access, host: &SimHost, network: &Network) {
        self.running[number].places.count_network(u64::from(access.count));
        let ns = 2 * network.latency_ns + (f64::from(access.count) * network.ns_per_byte) as u64;
        host.sleep(ns).await;
        host.charge(Cause::Network, ns);
    }

    /// Books what the coordinator waited for: what the processes it waited for were doing, in the proportions of their time.
    fn book_waits(&self, host: &SimHost) {
        let mut booked = Ledger::default();
        let waits = self.running[0].waits.borrow();
        for (process, ns) in waits.iter() {
            self.share_out(*process, *ns, self.running.len(), &mut booked);
        }
        for (cause, ns) in Cause::ALL.into_iter().zip(booked) {
            host.charge(cause, ns);
        }
        let left = waits.iter().map(|(_, ns)| ns).sum::<u64>() - booked.iter().sum::<u64>();
        host.charge(Cause::Network, left);
    }

    fn share_out(&self, process: usize, ns: u64, depth: usize, booked: &mut Ledger) {
        let running = &self.running[process];
        let (ledger, waits) = (running.ledger.get(), running.waits.borrow());
        let all = ledger.iter().sum::<u64>() + waits.iter().map(|(_, ns)| ns).sum::<u64>();
        let part = |of: u64| (u128::from(ns) * u128::from(of) / u128::from(all.max(1))) as u64;
        for (sum, own) in booked.iter_mut().zip(ledger) {
            *sum += part(own);
        }
        for (other, waited) in waits.iter().filter(|_| depth > 0) {
            self.share_out(*other, part(*waited), depth - 1, booked);
        }
    }

    /// What each operator has asked of the node; its time is that of the process it belongs to.
    pub(crate) fn uses(&self) -> Vec<CursorUse> {
        let mut sums = vec![CursorUse::default(); self.exchange_of.len()];
        for (number, running) in self.running.iter().enumerate() {
            let process = number.checked_sub(1).map(|at| &self.query.accesses.processes[at]);
            let answers_others = process.is_some_and(|process| process.begins_with.is_some());
            for (sum, one) in sums.iter_mut().zip(running.places.uses()) {
                let ns = if answers_others { 0 } else { one.ns };
                sum.add(&CursorUse { ns, ..one });
            }
        }
        sums
    }
}

/// A process has waited for another one's rows.
fn process_wait(process: &Running, on: usize, ns: u64) {
    let mut waits = process.waits.borrow_mut();
    match waits.iter_mut().find(|(other, _)| *other == on) {
        Some((_, sum)) => *sum += ns,
        None => waits.push((on, ns)),
    }
}

/// The coordinator works: it has cores enough for its one process.
async fn pass(host: &SimHost, ns: u64) {
    if ns > 0 {
        host.sleep(ns).await;
        host.charge(Cause::Cpu, ns);
    }
}

#[cfg(test)]
mod tests {
    use crate::simulate;
    use spindle_engine::layout::StorageFormat;
    use spindle_report::Report;
    use spindle_scenario::{Scenario, StandardTables, scenario_from_toml};
    use spindle_workload::LoadPhase;

    fn scenario(query: u8, nodes: u32, mb_per_s: f64) -> Scenario {
        let text = format!(
            r#"
            [machine]
            cores = 4
            clock_ghz = 2.5
            memory = "30G"
            [storage]
            file_system = "ext4"
            [storage.device]
            preset = "sata-ssd-2014"
            [engine]
            profile = "postgres-xl-9.5"
            [engine.parameters]
            shared_buffers = "8G"
            [cluster]
            nodes = {nodes}
            coordinators = {{ count = 1, cores = 16, clock_ghz = 2.8, mb_per_s = 250.0 }}
            network = {{ mb_per_s = {mb_per_s:?}, latency = "150us", connecting = "10ms", snapshot = "1ms" }}
            [cluster.distribution]
            lineitem = "l_orderkey"
            orders = "o_orderkey"
            part = "p_partkey"
            partsupp = "ps_partkey"
            [workload]
            kind = "tpch"
            clients = 1
            queries = [{query}]
            [run]
            duration = "24h"
            start = "cold"
            stop = "transactions"
            transactions = 1
            sample = 0.0002
            "#
        );
        let tables = include_str!("../../scenario/tables/tpch.toml");
        let mut scenario: Scenario = scenario_from_toml(&format!("{text}\n{tables}")).unwrap();
        scenario.tables = StandardTables::Tpch.tables(50, StorageFormat::Postgresql12);
        scenario
    }

    fn answer(query: u8, nodes: u32, mb_per_s: f64) -> Report {
        simulate(&scenario(query, nodes, mb_per_s)).unwrap()
    }

    fn ms(query: u8, nodes: u32, mb_per_s: f64) -> f64 {
        answer(query, nodes, mb_per_s).latency_ms.mean
    }

    #[test]
    fn every_query_is_answered_and_the_same_way_each_time() {
        for query in 1..=22 {
            let (first, second) = (answer(query, 4, 125.0), answer(query, 4, 125.0));
            assert!(first.latency_ms.mean > 0.0, "Q{query}");
            assert_eq!(first.digest, second.digest, "Q{query}");
            let causes: f64 = first.breakdown_ms.values().sum();
            assert!((causes / first.latency_ms.mean - 1.0).abs() < 1e-6, "Q{query}");
        }
    }

    #[test]
    fn what_stays_on_its_node_scales_with_the_nodes() {
        let ratio = ms(1, 2, 125.0) / ms(1, 8, 125.0);
        assert!((ratio / 4.0 - 1.0).abs() < 0.1, "{ratio}");
    }

    #[test]
    fn a_slow_network_holds_up_what_crosses_it() {
        let slowed = |query| ms(query, 4, 1.0) / ms(query, 4, 125.0);
        // Of Q1 a few groups cross, which do not become fewer in a sample; of Q8 all of lineitem.
        let (few, many) = (slowed(1), slowed(8));
        assert!(few < 1.5 && many > 2.0 * few, "{few} {many}");
    }

    #[test]
    fn indexes_are_built_by_all_nodes_and_samples_are_as_large_on_each() {
        let ms = |nodes, phase| {
            let mut scenario = scenario(1, nodes, 125.0);
            scenario.workload.phase = Some(phase);
            simulate(&scenario).unwrap().latency_ms.mean
        };
        let index = ms(2, LoadPhase::Index) / ms(8, LoadPhase::Index);
        // Customers are indexed whole on each; of a smaller part more stays in the page cache.
        assert!((3.0..5.0).contains(&index), "{index}");
        let analyze = ms(2, LoadPhase::Analyze) / ms(8, LoadPhase::Analyze);
        assert!((0.8..1.2).contains(&analyze), "{analyze}");
    }

    #[test]
    fn streams_of_copy_want_cores_of_coordinators() {
        let rate = |coordinators| {
            let mut scenario = scenario(1, 4, 1250.0);
            scenario.workload.phase = Some(LoadPhase::Copy);
            scenario.workload.clients = 12;
            scenario.run.stop = spindle_scenario::Stop::Duration;
            scenario.run.duration = spindle_units::Span::seconds(2);
            scenario.run.sample = 1.0;
            scenario.tables = StandardTables::Tpch.tables(1, StorageFormat::Postgresql12);
            if let Some(cluster) = &mut scenario.cluster {
                cluster.coordinators.count = coordinators;
                cluster.coordinators.cores = 8;
                cluster.coordinators.mb_per_s = 1250.0;
            }
            scenario.machine.cores = 16;
            simulate(&scenario).unwrap().throughput_tps
        };
        let rates = [1, 2, 3].map(rate);
        assert!((rates[1] / rates[0] - 1.5).abs() < 0.1, "12 streams on 8 cores, and on 16: {rates:?}");
        assert!((rates[2] / rates[1] - 1.0).abs() < 0.02, "{rates:?}");
    }

    #[test]
    fn plans_that_cross_want_a_cluster_and_others_want_none() {
        let mut alone = scenario(1, 4, 125.0);
        alone.cluster = None;
        let problem = |scenario: &Scenario| simulate(scenario).unwrap_err()[0].path.clone();
        assert_eq!(problem(&alone), "cluster");
        let mut other = scenario(1, 4, 125.0);
        other.workload.plans = "postgresql-15".into();
        assert_eq!(problem(&other), "workload.plans");
        let mut nowhere = scenario(1, 4, 125.0);
        if let Some(cluster) = &mut nowhere.cluster {
            cluster.distribution.insert("orders".into(), "o_clerkname".into());
        }
        assert_eq!(problem(&nowhere), "cluster.distribution.orders");
        let mut loads = scenario(1, 4, 125.0);
        loads.workload.phase = Some(LoadPhase::Copy);
        loads.workload.kind = spindle_workload::WorkloadKind::PointSelect;
        assert_eq!(problem(&loads), "workload.phase");
    }
}
