//! What a Scenario must hold to be run.

use crate::{NoteKind, Problem, Scenario, Start, Stop, read_configuration};
use spindle_engine::{
    firebird_architecture::has_private_caches,
    profile::{PROFILES, Profile},
    schema::IndexKind,
};
use spindle_units::Bytes;
use spindle_workload::{WorkloadKind, WorkloadSpec};

/// The most clients of a load.
pub const CLIENTS_MAX: u32 = 4096;

/// Share of the page cache's memory that the server's other memory and the system take beforehand.
const SYSTEM_BYTES: f64 = 600e6;
/// A server needs more than its pool: page descriptors, hash tables, sessions (about 8 % for InnoDB of those years).
const SERVER_OVERHEAD: f64 = 1.08;

/// The most pages a scenario may have: of more than that, what there is memory for would be less than a page in some
/// thousands.
const PAGES_MAX: f64 = 2e10;

pub(crate) fn check(scenario: &Scenario) -> Vec<Problem> {
    let mut problems = Vec::new();
    machine(scenario, &mut problems);
    storage(scenario, &mut problems);
    log_device(scenario, &mut problems);
    engine(scenario, &mut problems);
    tables(scenario, &mut problems);
    crate::cluster::check(scenario, &mut problems);
    workload(scenario, "workload", &scenario.workload, &mut problems);
    for (at, earlier) in scenario.run.before.iter().enumerate() {
        workload(scenario, &format!("run.before[{at}].workload"), &earlier.workload, &mut problems);
    }
    run(scenario, &mut problems);
    if problems.is_empty() {
        sizes(scenario, &mut problems);
    }
    problems
}

fn range(path: &str, value: f64, low: f64, high: f64, problems: &mut Vec<Problem>) {
    if !(low..=high).contains(&value) {
        problems.push(Problem::new(path, value, format!("{low} to {high}")));
    }
}

fn machine(scenario: &Scenario, problems: &mut Vec<Problem>) {
    let machine = &scenario.machine;
    range("machine.cores", f64::from(machine.cores), 1.0, 1024.0, problems);
    range("machine.clock_ghz", machine.clock_ghz, 0.1, 10.0, problems);
    if machine.memory < Bytes::mib(16) || machine.memory > Bytes(1 << 45) {
        problems.push(Problem::new("machine.memory", machine.memory, "16 MiB to 32 TiB"));
    }
}

fn storage(scenario: &Scenario, problems: &mut Vec<Problem>) {
    for issue in scenario.storage.device.check() {
        let issue = issue.within("storage.device");
        problems.push(Problem::new(issue.path, issue.found, issue.expected));
    }
}

fn log_device(scenario: &Scenario, problems: &mut Vec<Problem>) {
    let Some(device) = &scenario.storage.log_device else { return };
    for issue in device.check() {
        let issue = issue.within("storage.log_device");
        problems.push(Problem::new(issue.path, issue.found, issue.expected));
    }
}

fn engine(scenario: &Scenario, problems: &mut Vec<Problem>) {
    range("engine.contention", scenario.engine.contention, 0.0, 1.0, problems);
    let Some(profile) = scenario.profile() else {
        let names: Vec<_> = PROFILES.iter().map(|p| p.name).collect();
        let found = format!("`{}`", scenario.engine.profile);
        problems.push(Problem::new("engine.profile", found, format!("one of {}", names.join(", "))));
        return;
    };
    for note in read_configuration(profile, &scenario.engine.configuration).1 {
        if note.kind == NoteKind::BadValue {
            let path = format!("engine.configuration line {}: {}", note.line, note.name);
            let (found, expected) = note.text.split_once(", expected ").unwrap_or((&note.text, ""));
            problems.push(Problem::new(path, found.trim_start_matches("found "), expected));
        }
    }
    for (name, _) in scenario.engine.parameters.iter() {
        let path = format!("engine.parameters.{name}");
        match profile.parameter(name) {
            None => {
                let names: Vec<_> = profile.parameters.iter().map(|p| p.name).collect();
                problems.push(Problem::new(
                    path,
                    "an unknown parameter",
                    format!("one of {}", names.join(", ")),
                ));
            }
            Some(spec) => {
                if let Err(bad) = scenario.engine.parameters.number(spec) {
                    problems.push(Problem::new(path, bad.found, bad.expected));
                }
            }
        }
    }
}

fn tables(scenario: &Scenario, problems: &mut Vec<Problem>) {
    if scenario.tables.is_empty() {
        problems.push(Problem::new("table", "no table", "at least one [[table]]"));
    }
    for (at, table) in scenario.tables.iter().enumerate() {
        let path = |name: &str| format!("table[{at}].{name}");
        range(&path("count"), f64::from(table.count), 1.0, 1000.0, problems);
        range(&path("fill"), table.fill, 0.0, 1.0, problems);
        range(&path("rows"), table.rows as f64, 1.0, 1e12, problems);
        for (inner, found, expected) in table.spec().schema.check() {
            problems.push(Problem::new(path(&inner), found, expected));
        }
        // A table that lies in a heap, such as TPC-C's HISTORY, can do without; rows in the leaves of a tree need one.
        let heap = scenario.profile().is_some_and(|p| p.format.has_bare_heap());
        if table.spec().schema.primary().is_none() && !heap {
            problems.push(Problem::new(path("indexes"), "no primary key", "one index of kind \"primary\""));
        }
    }
}

fn workload(scenario: &Scenario, path: &str, workload: &WorkloadSpec, problems: &mut Vec<Problem>) {
    range(&format!("{path}.clients"), f64::from(workload.clients), 1.0, f64::from(CLIENTS_MAX), problems);
    if workload.phase.is_some() && workload.kind != WorkloadKind::Tpch {
        let expected = "no phase of loading, or `kind = \"tpch\"`";
        problems.push(Problem::new(format!("{path}.phase"), "a phase", expected));
    }
    if !(workload.search_range > 0.0 && workload.search_range <= 1.0) {
        let expected = "a share above 0 and up to 1";
        problems.push(Problem::new(format!("{path}.search_range"), workload.search_range, expected));
    }
    if workload.kind.loads() {
        if !scenario.profile().is_none_or(Profile::loads) {
            let expected = "firebird-2.5 or firebird-3.0, whose loading is modelled";
            problems.push(Problem::new("engine.profile", &scenario.engine.profile, expected));
        }
        range(&format!("{path}.clients"), f64::from(workload.clients), 1.0, 1.0, problems);
        if !scenario.run.before.is_empty() {
            let found = format!("{} loads", scenario.run.before.len());
            problems.push(Problem::new(
                "run.before",
                found,
                "nothing before tables are loaded that begin empty",
            ));
        }
    }
    let wanted = workload.kind.table_count();
    let found: usize = scenario.tables.iter().map(|t| t.count as usize).sum();
    if wanted > 0 && wanted != found {
        let expected = format!("{wanted} tables, which the workload goes by");
        problems.push(Problem::new("table", format!("{found} tables"), expected));
    }
    for name in workload.kind.tables() {
        if !scenario.tables.iter().any(|table| table.name.eq_ignore_ascii_case(name)) {
            let expected = "the tables of TPC-C, which the workload is about";
            problems.push(Problem::new("table", format!("no table `{name}`"), expected));
        }
    }
    for (at, table) in scenario.tables.iter().enumerate() {
        for kind in workload.kind.needs() {
            if !table.indexes.iter().any(|i| i.kind == *kind) {
                let name = if *kind == IndexKind::Unique { "unique" } else { "non-unique" };
                let expected = format!("an index of kind \"{name}\", which the workload looks rows up by");
                problems.push(Problem::new(format!("table[{at}].indexes"), "none of them", expected));
            }
        }
    }
}

fn run(scenario: &Scenario, problems: &mut Vec<Problem>) {
    let run = &scenario.run;
    range("run.precision", run.precision, 0.001, 0.5, problems);
    if run.start == Start::Cold && run.dirty_pages > 0 {
        let expected = "0 with a cold start: what is not in the buffer cannot be dirty";
        problems.push(Problem::new("run.dirty_pages", run.dirty_pages, expected));
    }
    if run.stop == Stop::Transactions && run.transactions == 0 {
        let expected = "at least 1 with `stop = \"transactions\"`";
        problems.push(Problem::new("run.transactions", run.transactions, expected));
    }
    range("run.sample", run.sample, 0.0, 1.0, problems);
    range("run.heap.unpruned", run.heap.unpruned, 0.0, 1.0, problems);
    let seconds = run.duration.as_seconds();
    // Queries of terabytes and the load of a large database may take days; such a run ends when all is done.
    let (longest, expected) = match run.stop == Stop::Transactions || scenario.workload.kind.loads() {
        true => (8_640_000.0, "1 s to 2400 h"),
        false => (86_400.0, "1 s to 24 h"),
    };
    if !(1.0..=longest).contains(&seconds) {
        problems.push(Problem::new("run.duration", run.duration, expected));
    }
}

/// What only makes sense once every part does: the buffer in memory, the data on the device, the whole in bounds.
fn sizes(scenario: &Scenario, problems: &mut Vec<Problem>) {
    let Some(profile) = scenario.profile() else { return };
    let parameters = scenario.parameters();
    let page_bytes = f64::from(profile.page_bytes(&parameters));
    let (name, bytes) = (profile.buffer_parameter(), scenario.pools_bytes());
    let memory = scenario.machine.memory;
    if bytes > memory.0 as f64 {
        problems.push(Problem::new(
            format!("engine.parameters.{name}"),
            format!("{} of buffer in {memory} of memory", Bytes(bytes as u64)),
            format!("at most the machine's memory, {memory}"),
        ));
    }
    let data = scenario.data_bytes();
    if data / page_bytes > PAGES_MAX {
        let expected = format!("at most {} in all", Bytes((PAGES_MAX * page_bytes) as u64));
        problems.push(Problem::new("table", format!("{} of tables", Bytes(data as u64)), expected));
    }
    if let Ok(capacity) = scenario.storage.device.capacity() {
        // Room to grow and the log come on top.
        if data * 1.2 > capacity as f64 {
            let found = format!("{} of tables on {} of storage", Bytes(data as u64), Bytes(capacity));
            problems.push(Problem::new("storage.device", found, "more or larger devices, or fewer rows"));
        }
    }
}

impl Scenario {
    /// Bytes of the buffer pool, by the profile's own parameter.
    pub fn buffer_bytes(&self) -> f64 {
        let Some(profile) = self.profile() else { return 0.0 };
        profile.buffer_bytes(&self.parameters())
    }

    /// Bytes of all buffer pools: of one a client, where each connection has its own.
    fn pools_bytes(&self) -> f64 {
        let private = self.profile().is_some_and(|profile| has_private_caches(profile, &self.parameters()));
        self.buffer_bytes() * if private { f64::from(self.workload.clients) } else { 1.0 }
    }

    /// Bytes that server and system leave to the page cache, at least 32 MB.
    pub fn page_cache_bytes(&self) -> f64 {
        let memory = self.machine.memory.0 as f64;
        let left = memory - self.pools_bytes() * SERVER_OVERHEAD - SYSTEM_BYTES.min(memory / 4.0);
        left.max(32e6)
    }

    /// Bytes of all tables and indexes before the run (of a cluster, on one node), by a quick estimate: rows times stored bytes at a typical fill.
    pub fn data_bytes(&self) -> f64 {
        let Some(profile) = self.profile() else { return 0.0 };
        let page_bytes = profile.page_bytes(&self.parameters());
        let here = |table: &crate::Table| match &self.cluster {
            Some(cluster) if cluster.distribution.contains_key(&table.name) => {
                1.0 / f64::from(cluster.nodes.max(1))
            }
            _ => 1.0,
        };
        self.tables
            .iter()
            .map(|table| {
                let spec = table.spec();
                let rules = spec.rules(profile.format, page_bytes);
                let entries: f64 =
                    spec.schema.indexes.iter().map(|i| rules.entry_bytes(&spec.schema, i)).sum();
                let heap =
                    rules.heap_rows_per_page(&spec.schema).map_or(0.0, |_| rules.row_bytes(&spec.schema));
                (entries / 0.7 + heap / 0.88) * table.rows as f64 * f64::from(table.count) * here(table)
            })
            .sum()
    }
}
