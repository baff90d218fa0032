//! A run of a Scenario: made, advanced in pieces, looked at while it goes on, reported.

use crate::{
    client::{BIN_NS, Budget, Client, Loaded, Tally},
    cluster::{Network, Slot},
    histogram::Histogram,
    kernel::{Kernel, Ledger, SimHost},
    loading::Loading,
    queries::{Queries, asked},
    sample::{in_sample, sample_of, tables},
    statistics::{relative_half_width, transient_end},
};
use spindle_device::{Activity, FileSystem, PageCacheSpec, Responses};
use spindle_engine::{
    database::TableSpec,
    engine::{Counters, Engine, StartState, Warming},
    host::Cause,
    miniature::Miniature,
    pages::FileId,
    profile::ProcessorCosts,
};
use spindle_report::{
    Breakdown, DeviceReport, LatencyBucket, LatencyMs, LoadPartReport, LoadReport, PerTransaction, Report,
    Series,
};
use spindle_scenario::{CLIENTS_MAX, EarlierLoad, Problem, Scenario, Start, Stop, Table};
use spindle_units::{Bytes, Span};
use spindle_workload::{LoadPart, LoadPhase, Operations, TableShape, WorkloadKind, WorkloadSpec};
use std::{
    cell::{Cell, RefCell},
    collections::VecDeque,
    future::Future,
    pin::Pin,
    rc::Rc,
};

const BINS_PER_SECOND: u64 = 10;
/// The least virtual time measured before a run may stop by confidence.
const MEASURED_BINS_MIN: usize = 60;
/// A run that is so many times its precision from being known, although what follows its transient is known well enough,
/// begins to measure anew.
const FAR_FROM_KNOWN: f64 = 2.0;

/// How far a run has come.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Progress {
    /// Virtual time, in seconds.
    pub virtual_s: f64,
    /// How far along, 0 to 1: by duration, or by how well the throughput is known.
    pub fraction: f64,
}

/// Everything whose growth is reported.
#[derive(Clone, Default)]
struct Snapshot {
    at: u64,
    counters: Counters,
    stores: Vec<(Activity, Responses)>,
    core_ns: u64,
    network_ns: u64,
}

/// A run under way.
pub struct Run {
    /// As it is for the sample.
    scenario: Scenario,
    sample: Miniature,
    kernel: Rc<Kernel>,
    engine: Engine<SimHost>,
    costs: ProcessorCosts,
    /// What the queries of the load ask for, where it is one of queries.
    queries: Option<Rc<Queries>>,
    /// The phase of loading that is simulated, where it is one.
    loading: Option<Rc<Loading>>,
    /// What lies between the servers of a cluster.
    network: Option<Rc<Network>>,
    tasks: Vec<Pin<Box<dyn Future<Output = ()>>>>,
    tally: Rc<RefCell<Tally>>,
    from: Snapshot,
    warming: bool,
    /// The tables one by one.
    shapes: Vec<TableShape>,
    /// Bins that have to be measured before it may stop by confidence.
    measured_bins_min: usize,
    /// Loads that run before the measured one.
    earlier: VecDeque<EarlierLoad>,
    loads_before: usize,
    loads_begun: usize,
    /// How long nobody does anything after the load at work.
    pause_ns: u64,
    /// What the clients at work still have to do.
    budget: Rc<Budget>,
    /// Transactions that the load at work is to carry out.
    to_do: u64,
    finished: bool,
    half_width: Option<f64>,
    dirty_pages: Vec<u64>,
    checkpoint_age: Vec<u64>,
    notes: Vec<String>,
}

impl Run {
    /// Loads the tables, fills the pool, and puts the clients at their start.
    ///
    /// # Errors
    /// Everything that is wrong with the scenario.
    pub fn new(scenario: &Scenario) -> Result<Self, Vec<Problem>> {
        let problems = scenario.check();
        if !problems.is_empty() {
            return Err(problems);
        }
        let sample = sample_of(scenario);
        let mut tables = tables(scenario, sample);
        let scenario = &in_sample(scenario, sample);
        let profile = scenario.profile().ok_or_else(|| {
            vec![Problem::new("engine.profile", &scenario.engine.profile, "a known profile")]
        })?;
        let device = scenario.storage.device.build().map_err(|issue| {
            let issue = issue.within("storage.device");
            vec![Problem::new(issue.path, issue.found, issue.expected)]
        })?;
        let cache = PageCacheSpec::linux(Bytes(scenario.page_cache_bytes() as u64)).in_sample(sample.share());
        let store = |device| {
            let cache = scenario.storage.page_cache.then_some(&cache);
            FileSystem::new(device, scenario.storage.file_system, cache).in_sample(sample.share())
        };
        let mut stores = vec![store(device)];
        if let Some(spec) = &scenario.storage.log_device {
            stores.push(store(spec.build().map_err(|issue| {
                let issue = issue.within("storage.log_device");
                vec![Problem::new(issue.path, issue.found, issue.expected)]
            })?));
        }
        let machine = &scenario.machine;
        let asks = |load: &WorkloadSpec| load.kind == WorkloadKind::Tpch && load.phase.is_none();
        let any_queries =
            asks(&scenario.workload) || scenario.run.before.iter().any(|load| asks(&load.workload));
        let queries = any_queries.then(|| Queries::new(scenario, sample)).transpose().map_err(|p| vec![p])?;
        if let Some(queries) = &queries {
            // Of a cluster one node is simulated.
            for (at, table) in tables.iter_mut().enumerate() {
                table.rows = (table.rows as f64 * queries.share_here(at)).ceil() as u64;
            }
        } else if let Some(cluster) = &scenario.cluster {
            for (table, spec) in scenario.tables.iter().zip(&mut tables) {
                if cluster.distribution.contains_key(&table.name) {
                    spec.rows = spec.rows.div_ceil(u64::from(cluster.nodes));
                }
            }
        }
        let network = scenario.cluster.as_ref().map(|cluster| Rc::new(Network::new(cluster, sample)));
        let kernel =
            Rc::new(Kernel::new(stores, machine.cores, machine.clock_ghz, scenario.engine.contention));
        let host = SimHost(Rc::clone(&kernel));
        let engine =
            Engine::start(host.clone(), profile, &scenario.parameters(), &tables, sample, scenario.seed)
                .map_err(|bad| {
                    vec![Problem::new(format!("engine.parameters.{}", bad.name), bad.found, bad.expected)]
                })?;
        let phase = scenario.workload.phase;
        let needs_files = any_queries || phase.is_some();
        let query_files = if needs_files { engine.query_files() } else { Vec::new() };
        let loading = phase.map(|phase| {
            let file = FileId(engine.files().len() as u16);
            let rows: Vec<u64> = tables.iter().map(TableSpec::loaded_rows).collect();
            Rc::new(Loading::new(scenario, phase, &rows, sample.share(), file))
        });
        for file in engine.files().into_iter().chain(query_files) {
            kernel.add_file(file);
        }
        let shapes = shapes(scenario, &tables);
        let warms = !asks(&scenario.workload) && !scenario.workload.kind.loads();
        if scenario.run.start != Start::Cold && warms {
            let mut operations = Operations::new(&scenario.workload, scenario.seed, WARMING, &shapes);
            let mut statements = |out: &mut Vec<_>| operations.transaction(&|table| engine.rows(table), out);
            let foreign = scenario.run.start == Start::Shifted;
            engine.warm(Warming { foreign, transactions: scenario.run.warm_up }, &mut statements);
            let state = StartState {
                dirty_pages: scenario.run.dirty_pages,
                checkpoint_age: scenario.run.checkpoint_age.0,
                log_rate: scenario.run.log_rate.0,
                heap: scenario.run.heap,
            };
            if state != StartState::default() {
                engine.set_state(state, &mut statements);
            }
        }
        let mut run = Self {
            scenario: scenario.clone(),
            sample,
            kernel,
            engine,
            costs: profile.costs,
            queries: queries.map(Rc::new),
            loading,
            network,
            tasks: Vec::new(),
            tally: Rc::default(),
            from: Snapshot::default(),
            // Of a load every transaction counts: it is over when all is loaded.
            warming: scenario.run.stop == Stop::Confidence && !scenario.workload.kind.loads(),
            shapes,
            measured_bins_min: MEASURED_BINS_MIN,
            earlier: earlier_loads(scenario),
            loads_before: 0,
            loads_begun: 0,
            pause_ns: 0,
            budget: Rc::default(),
            to_do: u64::MAX,
            finished: false,
            half_width: None,
            dirty_pages: Vec::new(),
            checkpoint_age: Vec::new(),
            notes: notes(scenario, sample),
        };
        run.loads_before = run.earlier.len();
        let query_threads = if any_queries { run.engine.query_threads() } else { Vec::new() };
        for task in run.engine.background().into_iter().chain(query_threads) {
            run.kernel.add_task();
            run.tasks.push(task);
        }
        run.next_load(0);
        run.from = run.snapshot();
        Ok(run)
    }

    /// Puts the clients of the next load at their start, `idle_ns` from now: one that runs before, or the measured one.
    fn next_load(&mut self, idle_ns: u64) {
        let (workload, left) = match self.earlier.pop_front() {
            Some(earlier) => {
                self.pause_ns = earlier.pause.0;
                (earlier.workload, earlier.transactions)
            }
            None => {
                let limited = self.scenario.run.stop == Stop::Transactions;
                let left = if limited { self.scenario.run.transactions } else { u64::MAX };
                let workload = self.scenario.workload.clone();
                let load =
                    Operations::new(&workload, self.scenario.seed, 0, &self.shapes).transactions_to_load();
                (workload, load.map_or(left, |load| load.min(left)))
            }
        };
        self.loads_begun += 1;
        self.to_do = left;
        self.budget = Rc::new(Budget { to_begin: Cell::new(left), to_end: Cell::new(left) });
        self.spawn(&workload, idle_ns);
    }

    fn spawn(&mut self, workload: &WorkloadSpec, idle_ns: u64) {
        // Clients of a later load draw other rows than those before them.
        let first = (self.loads_begun - 1) as u32 * CLIENTS_MAX;
        for client in 0..workload.clients {
            let operations = Operations::new(workload, self.scenario.seed, first + client, &self.shapes);
            let client = Client {
                number: client,
                read_only: workload.read_only,
                loads: workload.kind.loads(),
                host: SimHost(Rc::clone(&self.kernel)),
                engine: self.engine.clone(),
                operations,
                queries: self.queries.clone().filter(|_| workload.kind == WorkloadKind::Tpch),
                asked: asked(&workload.queries),
                loading: self.loading.clone(),
                network: self.network.clone(),
                slots: self.slots(workload),
                costs: self.costs,
                tally: Rc::clone(&self.tally),
                budget: Rc::clone(&self.budget),
                think_ns: workload.think_time.0,
                round_trip_ns: workload.round_trip.0,
                // Clients do not begin in step: they are spread over the first 20 milliseconds.
                start_ns: idle_ns + u64::from(client) * 20_000_000 / u64::from(workload.clients),
            };
            let slots = Rc::clone(&client.slots);
            self.kernel.add_task();
            self.tasks.push(Box::pin(client.run()));
            self.spawn_processes(&slots);
        }
        self.spawn_backends();
    }

    /// Where the processes of a client's queries on a node of a cluster wait for them.
    fn slots(&self, workload: &WorkloadSpec) -> Rc<Vec<Slot>> {
        let most = match &self.queries {
            Some(queries) if workload.kind == WorkloadKind::Tpch => {
                queries.processes(&asked(&workload.queries))
            }
            _ => 0,
        };
        Rc::new((0..most).map(|_| Slot::default()).collect())
    }

    /// What the node's backends do for streams of COPY.
    fn spawn_backends(&mut self) {
        if let Some(Loading::Copy(copying)) = self.loading.as_deref() {
            for stream in 0..copying.backends() {
                let (copying, host) = (Rc::clone(copying), SimHost(Rc::clone(&self.kernel)));
                self.kernel.add_task();
                self.tasks.push(Box::pin(async move { copying.serve(stream, host).await }));
            }
        }
    }

    fn spawn_processes(&mut self, slots: &Rc<Vec<Slot>>) {
        let Some(network) = &self.network else { return };
        for number in 0..slots.len() {
            let (slots, network) = (Rc::clone(slots), Rc::clone(network));
            let (host, engine) = (SimHost(Rc::clone(&self.kernel)), self.engine.clone());
            self.kernel.add_task();
            self.tasks.push(Box::pin(async move {
                slots[number].serve(number + 1, host, engine, network).await;
            }));
        }
    }

    /// The clients at work have done all they were to do.
    fn load_is_over(&mut self) {
        if self.measures_now() {
            self.finished = true;
            return;
        }
        self.engine.end_clients();
        self.next_load(self.pause_ns);
        if self.measures_now() {
            self.begin_measuring(self.kernel.now());
        }
    }

    /// Goes on for about `events` events; `true` once the run is over.
    pub fn advance(&mut self, events: u64) -> bool {
        for _ in 0..events {
            if self.finished {
                return true;
            }
            let second = self.dirty_pages.len() as u64 + 1;
            let until = (second * BIN_NS * BINS_PER_SECOND).min(self.scenario.run.duration.0);
            if !self.kernel.step(&mut self.tasks, until) {
                self.end_of_second(until);
            }
            if self.budget.to_end.get() == 0 {
                self.load_is_over();
            }
        }
        self.finished
    }

    fn end_of_second(&mut self, now: u64) {
        let counters = self.engine.counters();
        self.dirty_pages.push(self.sample.whole_of(counters.dirty_pages));
        self.checkpoint_age.push(self.sample.whole_of(counters.checkpoint_age));
        {
            // Seconds in which nothing ended count as well.
            let mut tally = self.tally.borrow_mut();
            let bins = (now / BIN_NS) as usize;
            if tally.bins.len() < bins {
                tally.bins.resize(bins, 0);
                tally.bin_latency.resize(bins, 0);
            }
        }
        // A run too short for a start of its own is measured whole.
        if self.warming
            && now < self.scenario.run.duration.0
            && self.measures_now()
            && now >= 2 * BIN_NS * BINS_PER_SECOND
            && self.transactions_since_start() >= self.settled()
        {
            self.warming = false;
            self.begin_measuring(now);
        }
        if now >= self.scenario.run.duration.0 {
            self.half_width = self.measured_half_width();
            self.finished = true;
        } else if self.scenario.run.stop == Stop::Confidence && !self.warming && self.measures_now() {
            let measured = self.measured_bins();
            if measured >= self.measured_bins_min {
                self.half_width = self.measured_half_width();
                let precision = self.scenario.run.precision;
                let within = |width: Option<f64>, most: f64| width.is_some_and(|width| width <= most);
                let (settled, rest) = {
                    let tally = self.tally.borrow();
                    let bins = &tally.bins[..(now / BIN_NS) as usize];
                    let bins = &bins[bins.len() - measured..];
                    let transient = transient_end(bins);
                    (transient <= measured / 2, relative_half_width(&bins[transient..]))
                };
                self.finished = settled && within(self.half_width, precision);
                if within(rest, precision) && !within(self.half_width, FAR_FROM_KNOWN * precision) {
                    self.measure_anew(now);
                }
            }
        }
    }

    /// Leaves out what was measured so far: a transient. What writes has none that it could be rid of: tables grow, logs
    /// and caches fill and empty.
    fn measure_anew(&mut self, now: u64) {
        let left = self.scenario.run.duration.0.saturating_sub(now) / BIN_NS;
        if !self.scenario.writes() && left >= MEASURED_BINS_MIN as u64 {
            // Ever longer, so that what never settles is still measured for a part of its time.
            self.measured_bins_min = MEASURED_BINS_MIN.max((now / BIN_NS / 4) as usize);
            self.begin_measuring(now);
        }
    }

    /// Whether a transaction's work is a share of the whole one's.
    fn asks_queries(&self) -> bool {
        let workload = &self.scenario.workload;
        workload.kind == WorkloadKind::Tpch && workload.phase != Some(LoadPhase::Copy)
    }

    fn measures_now(&self) -> bool {
        self.loads_begun > self.loads_before
    }

    fn transactions_since_start(&self) -> u64 {
        self.tally.borrow().bins.iter().map(|c| u64::from(*c)).sum()
    }

    /// Transactions after which every client has been through its start several times.
    fn settled(&self) -> u64 {
        u64::from(self.scenario.workload.clients) * 10
    }

    fn begin_measuring(&mut self, now: u64) {
        self.from = self.snapshot();
        if let Some(queries) = &self.queries {
            queries.forget();
        }
        let mut tally = self.tally.borrow_mut();
        tally.measuring_since = now;
        tally.histogram = Histogram::default();
        tally.ledger = Ledger::default();
    }

    fn measured_bins(&self) -> usize {
        ((self.kernel.now() - self.tally.borrow().measuring_since) / BIN_NS) as usize
    }

    fn measured_half_width(&self) -> Option<f64> {
        let tally = self.tally.borrow();
        let first = (tally.measuring_since / BIN_NS) as usize;
        let last = ((self.kernel.now() / BIN_NS) as usize).min(tally.bins.len());
        relative_half_width(tally.bins.get(first..last)?)
    }

    fn snapshot(&self) -> Snapshot {
        let stores = self.kernel.device_activity();
        let (core_ns, _) = self.kernel.core_activity();
        let network_ns = self.network.as_ref().map_or(0, |network| network.busy_ns());
        Snapshot { at: self.kernel.now(), counters: self.engine.counters(), stores, core_ns, network_ns }
    }

    /// How far the run has come.
    pub fn progress(&self) -> Progress {
        let simulated_s = self.kernel.now() as f64 / 1e9;
        let by_time = simulated_s / self.scenario.run.duration.as_seconds();
        let by_confidence = match (self.scenario.run.stop, self.half_width) {
            (Stop::Confidence, Some(width)) if width > 0.0 => {
                let need = width / self.scenario.run.precision;
                (1.0 / (need * need)).min(1.0)
            }
            _ => 0.0,
        };
        let by_count = match self.measures_now() {
            true => 1.0 - self.budget.to_end.get() as f64 / self.to_do.max(1) as f64,
            false => 0.0,
        };
        Progress {
            virtual_s: simulated_s / self.sample.share(),
            fraction: by_time.max(by_confidence).max(by_count).min(1.0),
        }
    }

    /// The run second by second, from the whole second `first` on. What was said of a second stays as it is.
    pub fn series(&self, first: usize) -> Series {
        let tally = self.tally.borrow();
        let seconds = self.dirty_pages.len();
        let first = first.min(seconds);
        let per = BINS_PER_SECOND as usize;
        let sum = |second: usize| -> (u64, u64) {
            let bins = second * per..((second + 1) * per).min(tally.bins.len());
            let bins = bins.start.min(bins.end)..bins.end;
            let count = tally.bins[bins.clone()].iter().map(|c| u64::from(*c)).sum();
            (count, tally.bin_latency[bins].iter().sum())
        };
        let sums: Vec<(u64, u64)> = (first..seconds).map(sum).collect();
        Series {
            interval_s: 1.0 / self.sample.share(),
            throughput_tps: sums.iter().map(|(count, _)| *count as f64).collect(),
            latency_ms: sums
                .iter()
                .map(|(count, ns)| if *count == 0 { 0.0 } else { *ns as f64 / *count as f64 / 1e6 })
                .collect(),
            dirty_pages: self.dirty_pages[first..].to_vec(),
            checkpoint_age_bytes: self.checkpoint_age[first..].to_vec(),
        }
    }

    /// The report on what was measured; partial where the run is not over.
    pub fn report(&self) -> Report {
        Report { series: self.series(0), ..self.figures() }.sealed()
    }

    /// The report without its series and its digest: what changes as a whole while a run goes on.
    pub fn figures(&self) -> Report {
        let to = self.snapshot();
        let from = &self.from;
        let tally = self.tally.borrow();
        let seconds = ((to.at - from.at) as f64 / 1e9).max(1e-9);
        let count = tally.histogram.count();
        // A query over a sample has a share of the work; a short transaction has its own, whatever is around it.
        let whole = if self.asks_queries() { 1.0 / self.sample.share() } else { 1.0 };
        let each = |total: u64| if count == 0 { 0.0 } else { total as f64 / count as f64 * whole };
        let grown = |field: fn(&Counters) -> u64| field(&to.counters) - field(&from.counters);
        let requests = grown(|c| c.page_requests);
        let misses = grown(|c| c.page_misses);
        let tps = count as f64 / seconds / whole;
        let ms = |ns: u64| ns as f64 / 1e6 * whole;
        let mut notes = self.notes.clone();
        if self.finished && count == 0 {
            notes.push(
                "No transaction ended within the longest duration of the run: there is no answer.".into(),
            );
        }
        match self.half_width {
            Some(width)
                if self.scenario.run.stop == Stop::Confidence && width > self.scenario.run.precision =>
            {
                notes.push(format!(
                    "The run reached its longest duration before the throughput was known to {}: it is known to {:.3}.",
                    self.scenario.run.precision, width
                ));
            }
            _ => {}
        }
        let breakdown: Breakdown = Cause::ALL
            .iter()
            .map(|cause| (cause.name().to_owned(), each(tally.ledger[*cause as usize]) / 1e6))
            .collect();
        Report {
            throughput_tps: tps,
            throughput_qps: tps * f64::from(self.scenario.workload.kind.statements()),
            // The parts of a load differ, and are no samples of anything.
            throughput_ci95: self.half_width.filter(|_| !self.scenario.workload.kind.loads()).unwrap_or(0.0),
            latency_ms: LatencyMs {
                mean: tally.histogram.mean() / 1e6 * whole,
                p50: ms(tally.histogram.percentile(0.50)),
                p95: ms(tally.histogram.percentile(0.95)),
                p99: ms(tally.histogram.percentile(0.99)),
                p999: ms(tally.histogram.percentile(0.999)),
                max: ms(tally.histogram.max()),
            },
            latency_histogram: tally
                .histogram
                .eighths()
                .into_iter()
                .map(|(end, count)| LatencyBucket { up_to_ms: ms(end), count })
                .collect(),
            per_transaction: PerTransaction {
                page_requests: each(requests),
                page_reads: each(grown(|c| c.page_reads)),
                pages_written: each(grown(|c| c.pages_written)),
                page_marks: each(grown(|c| c.page_marks)),
                log_bytes: each(grown(|c| c.log_bytes)),
                log_syncs: each(grown(|c| c.log_syncs)),
                log_writes: each(grown(|c| c.log_writes)),
                data_syncs: each(grown(|c| c.data_syncs)),
                cpu_ms: each(to.core_ns - from.core_ns) / 1e6,
            },
            hit_rate: if requests == 0 { 1.0 } else { 1.0 - misses as f64 / requests as f64 },
            breakdown_ms: breakdown,
            devices: self.devices(&to, seconds),
            series: Series::default(),
            load: self.load_report(&tally),
            plans: self.queries.as_ref().map(|queries| queries.plans(whole)).unwrap_or_default(),
            sample: (!self.sample.is_whole()).then_some(self.sample.share()),
            fitted: Vec::new(),
            notes,
            digest: String::new(),
        }
    }

    fn load_report(&self, tally: &Tally) -> Option<LoadReport> {
        self.scenario.workload.kind.loads().then(|| {
            let page_bytes =
                self.scenario.profile().map_or(0, |profile| profile.page_bytes(&self.scenario.parameters()));
            let part = |(part, loaded): (LoadPart, &Loaded)| LoadPartReport {
                name: part.name().into(),
                rows: self.sample.whole_of(loaded.rows),
                mib: self.sample.whole_of(loaded.pages * u64::from(page_bytes)) as f64 / f64::from(1 << 20),
                seconds: loaded.ns as f64 / 1e9 / self.sample.share(),
            };
            LoadReport::of(LoadPart::ALL.into_iter().zip(&tally.load).map(part).collect())
        })
    }

    fn devices(&self, to: &Snapshot, seconds: f64) -> Vec<DeviceReport> {
        let from = &self.from;
        let (_, cores) = self.kernel.core_activity();
        // Work that a core has begun is booked whole, so that at the end a core may be ahead by one burst.
        let core_share = (to.core_ns - from.core_ns) as f64 / 1e9 / seconds / f64::from(cores.max(1));
        let processor = DeviceReport {
            name: "processor".into(),
            utilisation: core_share.min(1.0),
            reads_per_s: 0.0,
            writes_per_s: 0.0,
            syncs_per_s: 0.0,
            read_ms: 0.0,
            write_ms: 0.0,
        };
        let stores = ["storage", "log"].iter().zip(from.stores.iter().zip(&to.stores));
        let stores = stores.map(|(name, (from, to))| store_report(name, from, to, seconds));
        let network = self.network.as_ref().map(|_| {
            let busy = (to.network_ns - from.network_ns) as f64 / 1e9 / seconds;
            DeviceReport { name: "network".into(), utilisation: busy.min(1.0), ..processor.clone() }
        });
        std::iter::once(processor).chain(stores).chain(network).collect()
    }
}

fn store_report(
    name: &str,
    from: &(Activity, Responses),
    to: &(Activity, Responses),
    seconds: f64,
) -> DeviceReport {
    let busy = (to.0.busy_ns - from.0.busy_ns) as f64 / 1e9 / seconds;
    let counts: Vec<f64> = (0..3).map(|i| (to.1.counts[i] - from.1.counts[i]) as f64).collect();
    let mean_ms = |i: usize| {
        let ns = (to.1.ns[i] - from.1.ns[i]) as f64;
        if counts[i] == 0.0 { 0.0 } else { ns / counts[i] / 1e6 }
    };
    DeviceReport {
        name: name.into(),
        utilisation: (busy / f64::from(to.0.servers.max(1))).min(1.0),
        reads_per_s: counts[0] / seconds,
        writes_per_s: counts[1] / seconds,
        syncs_per_s: counts[2] / seconds,
        read_ms: mean_ms(0),
        write_ms: mean_ms(1),
    }
}

/// The loads that run before the measured one. Queries find warm what they themselves have read before: they are asked
/// once beforehand.
fn earlier_loads(scenario: &Scenario) -> VecDeque<EarlierLoad> {
    let mut loads: VecDeque<EarlierLoad> = scenario.run.before.iter().cloned().collect();
    let workload = &scenario.workload;
    if workload.kind == WorkloadKind::Tpch && workload.phase.is_none() && scenario.run.start != Start::Cold {
        let transactions = asked(&workload.queries).len() as u64;
        loads.push_back(EarlierLoad { workload: workload.clone(), transactions, pause: Span(0) });
    }
    loads
}

/// The number of the client whose statements sort the pool before the run.
const WARMING: u32 = u32::MAX;

/// The tables one by one, as far as statements depend on them.
fn shapes(scenario: &Scenario, specs: &[TableSpec]) -> Vec<TableShape> {
    let shape = |(table, spec): (&Table, &TableSpec)| TableShape {
        name: table.name.clone(),
        indexes: table.indexes.iter().map(|index| index.kind).collect(),
        rows_to_load: if spec.to_load { spec.sample.rows(spec.rows) } else { 0 },
    };
    let all = scenario.tables.iter().zip(specs);
    all.flat_map(|(table, spec)| vec![shape((table, spec)); table.count as usize]).collect()
}

fn notes(scenario: &Scenario, sample: Miniature) -> Vec<String> {
    let mut notes = Vec::new();
    if !sample.is_whole() {
        notes.push(format!(
            "A sample of the database was simulated: one page in {}.",
            (10.0 / sample.share()).round() / 10.0
        ));
    }
    if let Some(profile) = scenario.profile() {
        notes.push(format!(
            "Processor time of a statement is an assumption: lookup {} us, insert {} us at 2.5 GHz.",
            profile.costs.select_ns / 1000,
            profile.costs.insert_ns / 1000
        ));
    }
    notes
}
