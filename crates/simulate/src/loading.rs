//! Phases of loading a database: COPY through one server or through the coordinators of a cluster, building indexes, sampling for the
//! planner.
//!
//! COPY is a stream of batches. A server's backend reads its text, makes rows of it, and writes heap and log. A coordinator only looks
//! for the distribution key in each line and passes the line on; the nodes' backends do the rest, one for each stream.
//! Indexes and samples are made by each server for itself: steps like those of a query.

use crate::{cluster::Link, kernel::SimHost};
use spindle_engine::{
    access::{Access, Accesses, Asked, Cursor},
    host::{Cause, FileAccess, FileRequest, Host, Places, WaitQueue, charged, transfer},
    pages::FileId,
    profile::REFERENCE_CLOCK_GHZ,
};
use spindle_scenario::{Cluster, Scenario, Table};
use spindle_tpch::WorkMemory;
use spindle_workload::LoadPhase;
use std::{cell::Cell, rc::Rc};

/// Rows of a batch, which is a transaction of the Report.
pub(crate) const BATCH_ROWS: u64 = 1000;
/// Processor time of a backend for a column of a line: its text is cut out, made a value and put into a row, and its part of heap and
/// log. An assumption: 200 000 lines a second of lineitem's 16 columns at 2.5 GHz.
const COLUMN_NS: u64 = 300;
/// Bytes of log for a row beside the row itself (`heap_multi_insert`: header and offset).
const LOG_HEADER_BYTES: f64 = 12.0;
/// Bytes that a backend writes at once.
const WRITE_BYTES: f64 = 131_072.0;
/// Rows that a node may owe a stream before its coordinator waits: what lies in sockets and buffers.
const OWED_ROWS: f64 = 4.0 * BATCH_ROWS as f64;
/// How far a link may be behind before a coordinator waits for it: what sockets hold.
const BUFFERED_NS: u64 = 5_000_000;
/// Work on a row for each index, in rows worked on (0.2 us): it is compared some thirty times and copied twice. An assumption.
const INDEXED_ROW_WORK: u64 = 3;
/// Rows of a step.
const STEP_ROWS: u32 = 512;
/// Pages of each table that are sampled: 300 for each of `default_statistics_target` of 100 (`analyze.c`).
const SAMPLED_PAGES: f64 = 30_000.0;
/// How full a build leaves leaves (`BTREE_DEFAULT_FILLFACTOR`), and a page of 8 KiB.
const LEAF_FILL: f64 = 0.9;
const BLOCK_BYTES: f64 = 8192.0;

/// A phase under way.
pub(crate) enum Loading {
    /// Rows come in.
    Copy(Rc<Copying>),
    /// Steps that each server does for itself.
    Steps(Accesses),
}

impl Loading {
    /// The phase of a scenario; `rows` are those of each table that are there, a `share` of all.
    pub(crate) fn new(scenario: &Scenario, phase: LoadPhase, rows: &[u64], share: f64, file: FileId) -> Self {
        match phase {
            LoadPhase::Copy => Self::Copy(Rc::new(Copying::new(scenario, file))),
            LoadPhase::Index => Self::Steps(indexing(scenario, rows, share)),
            LoadPhase::Analyze => Self::Steps(sampling(scenario, rows, share)),
        }
    }
}

/// COPY into the largest table.
pub(crate) struct Copying {
    columns: u64,
    /// Bytes of a row in heap and log together, and of its line, which has about as many as a row with its header (lineitem: 126 and
    /// 141).
    written_bytes: f64,
    line_bytes: f64,
    file: FileId,
    /// Where the next writes go, in a file that is used over and over.
    end: Cell<u64>,
    coordinators: Option<Coordinating>,
}

/// What a cluster does with lines.
struct Coordinating {
    cluster: Cluster,
    /// Cores and links of each coordinator.
    cores: Vec<Places>,
    links: Vec<Link>,
    to_node: Link,
    /// What the node owes each stream.
    owed: Vec<Owed>,
}

/// Rows that a backend of the node has still to work on.
#[derive(Default)]
struct Owed {
    rows: Cell<f64>,
    more: WaitQueue,
    fewer: WaitQueue,
}

/// Bytes of the file that stands for heap and log.
const FILE_BYTES: u64 = 1 << 30;

impl Copying {
    fn new(scenario: &Scenario, file: FileId) -> Self {
        let bytes = |table: &Table| row_bytes(scenario, table);
        let largest = scenario.tables.iter().max_by(|a, b| {
            let size = |table: &Table| bytes(table) * table.rows as f64;
            size(a).total_cmp(&size(b))
        });
        let row = largest.map_or(0.0, bytes);
        let coordinators = scenario.cluster.as_ref().map(|cluster| Coordinating {
            cores: (0..cluster.coordinators.count).map(|_| Places::new(cluster.coordinators.cores)).collect(),
            links: (0..cluster.coordinators.count).map(|_| Link::default()).collect(),
            to_node: Link::default(),
            owed: (0..scenario.workload.clients).map(|_| Owed::default()).collect(),
            cluster: cluster.clone(),
        });
        Self {
            columns: largest.map_or(0, |table| table.columns.len()) as u64,
            written_bytes: 2.0 * row + LOG_HEADER_BYTES,
            line_bytes: row,
            file,
            end: Cell::new(0),
            coordinators,
        }
    }

    /// Streams whose rows backends of the node wait for.
    pub(crate) fn backends(&self) -> usize {
        self.coordinators.as_ref().map_or(0, |coordinating| coordinating.owed.len())
    }

    /// A stream's next batch comes in.
    pub(crate) async fn batch(&self, stream: usize, host: &SimHost, pending: &Cell<f64>) {
        match &self.coordinators {
            None => self.take_in(BATCH_ROWS as f64, host, pending).await,
            Some(coordinating) => coordinating.pass_on(self, stream, host).await,
        }
    }

    /// A backend makes rows of lines and writes them.
    async fn take_in(&self, rows: f64, host: &SimHost, pending: &Cell<f64>) {
        host.cpu((rows * (self.columns * COLUMN_NS) as f64) as u64).await;
        pending.set(pending.get() + rows * self.written_bytes);
        while pending.get() >= WRITE_BYTES {
            pending.set(pending.get() - WRITE_BYTES);
            let offset = self.end.get() % FILE_BYTES;
            self.end.set(offset + WRITE_BYTES as u64);
            let request =
                FileRequest { file: self.file, access: FileAccess::Write, offset, bytes: WRITE_BYTES as u32 };
            charged(host, Cause::PageWrite, transfer(host, request)).await;
        }
    }

    /// A backend of the node works on what comes for one stream.
    pub(crate) async fn serve(&self, stream: usize, host: SimHost) {
        let Some(coordinating) = &self.coordinators else { return };
        let owed = &coordinating.owed[stream];
        let pending = Cell::new(0.0);
        loop {
            let rows = owed.rows.get();
            if rows < 1.0 {
                owed.more.wait(&host).await;
                continue;
            }
            self.take_in(rows, &host, &pending).await;
            owed.rows.set(owed.rows.get() - rows);
            owed.fewer.wake_all(&host);
        }
    }
}

impl Coordinating {
    /// A coordinator reads a batch's lines and passes them on to their nodes.
    async fn pass_on(&self, copying: &Copying, stream: usize, host: &SimHost) {
        let spec = &self.cluster.coordinators;
        let at = stream % self.cores.len();
        charged(host, Cause::CpuQueue, self.cores[at].enter(host)).await;
        let scale = REFERENCE_CLOCK_GHZ / spec.clock_ghz;
        let batch = BATCH_ROWS as f64 * copying.line_bytes;
        let ns = batch * spec.copy_byte_ns * scale;
        host.sleep(ns as u64).await;
        host.charge(Cause::Cpu, ns as u64);
        self.cores[at].leave(host);
        let rows = BATCH_ROWS as f64 / f64::from(self.cluster.nodes);
        let carry = |bytes: f64, mb_per_s: f64| (bytes * 1e3 / mb_per_s) as u64;
        let left = self.links[at].carry(host.now(), carry(batch, spec.mb_per_s));
        let here = carry(rows * copying.line_bytes, self.cluster.network.mb_per_s);
        let behind = self.to_node.carry(left, here).saturating_sub(host.now() + BUFFERED_NS);
        if behind > 0 {
            host.sleep(behind).await;
            host.charge(Cause::Network, behind);
        }
        let owed = &self.owed[stream];
        owed.rows.set(owed.rows.get() + rows);
        owed.more.wake_all(host);
        let since = host.now();
        while owed.rows.get() > OWED_ROWS / f64::from(self.cluster.nodes) {
            owed.fewer.wait(host).await;
        }
        host.charge(Cause::PageWrite, host.now() - since);
    }
}

fn row_bytes(scenario: &Scenario, table: &Table) -> f64 {
    scenario.profile().map_or(0.0, |profile| {
        let spec = table.spec();
        spec.rules(profile.format, profile.page_bytes).row_bytes(&spec.schema)
    })
}

/// Each index of each table is built: the table is read, its keys are sorted, the leaves are written.
fn indexing(scenario: &Scenario, rows: &[u64], share: f64) -> Accesses {
    let mut accesses = Accesses::default();
    let Some(profile) = scenario.profile() else { return accesses };
    let parameters = scenario.parameters();
    let bytes = profile.parameter("work_mem").and_then(|spec| parameters.number(spec).ok());
    let memory = WorkMemory { bytes: bytes.unwrap_or(f64::INFINITY), hash_times: 1.0, share };
    for (table, (spec, rows)) in scenario.tables.iter().map(Table::spec).zip(rows).enumerate() {
        let rules = spec.rules(profile.format, profile.page_bytes);
        for index in &spec.schema.indexes {
            let scan = cursor(&mut accesses, Cursor { table, index: 0, whole: true, unique: false });
            let aside = cursor(&mut accesses, Cursor::ASIDE);
            let mut first = 0;
            while u64::from(first) < *rows {
                let count = STEP_ROWS.min((*rows - u64::from(first)) as u32);
                let work = count * (1 + INDEXED_ROW_WORK) as u32;
                accesses.steps.push(Access { cursor: scan, asked: Asked::On, first, count, work });
                first += count;
            }
            let entry = rules.entry_bytes(&spec.schema, index);
            for _ in 0..memory.sort_passes(*rows, entry) {
                write(&mut accesses, aside, *rows as f64 * entry);
                read(&mut accesses, aside, *rows as f64 * entry);
            }
            let built = cursor(&mut accesses, Cursor::ASIDE);
            write(&mut accesses, built, *rows as f64 * entry / LEAF_FILL);
        }
    }
    accesses
}

/// Pages of each table are read here and there.
fn sampling(scenario: &Scenario, rows: &[u64], share: f64) -> Accesses {
    let mut accesses = Accesses::default();
    for (table, rows) in rows.iter().enumerate().take(scenario.tables.len()) {
        let at = cursor(&mut accesses, Cursor { table, index: 0, whole: false, unique: true });
        let pages = (SAMPLED_PAGES * share).ceil().min(*rows as f64) as u64;
        for page in 0..pages {
            let first = (rows * page / pages.max(1)) as u32;
            accesses.steps.push(Access {
                cursor: at,
                asked: Asked::Row,
                first,
                count: 1,
                work: STEP_ROWS / 8,
            });
        }
    }
    accesses
}

fn cursor(accesses: &mut Accesses, cursor: Cursor) -> u16 {
    accesses.cursors.push(cursor);
    (accesses.cursors.len() - 1) as u16
}

fn write(accesses: &mut Accesses, cursor: u16, bytes: f64) {
    blocks(accesses, cursor, Asked::TempWrite, bytes);
}

fn read(accesses: &mut Accesses, cursor: u16, bytes: f64) {
    blocks(accesses, cursor, Asked::TempRead, bytes);
}

fn blocks(accesses: &mut Accesses, cursor: u16, asked: Asked, bytes: f64) {
    let mut left = (bytes / BLOCK_BYTES).ceil() as u32;
    while left > 0 {
        let count = left.min((WRITE_BYTES / BLOCK_BYTES) as u32);
        accesses.steps.push(Access { cursor, asked, first: 0, count, work: 0 });
        left -= count;
    }
}
