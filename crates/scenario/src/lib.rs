//! The single description of an experiment, as plain data.
//!
//! This crate knows what a Scenario says, how it is written as TOML and what is wrong with it: machine, storage, engine
//! with its own parameters, tables, load, run. It must never know how a Scenario is answered: no event, no queue, no
//! page.

mod check;
mod cluster;
mod configuration;
mod cut_json;
mod lenient;
pub mod link;
mod path;
mod problem;
mod read;
mod standard;
#[cfg(test)]
mod testing;
mod understand;

pub use check::CLIENTS_MAX;
pub use cluster::{Cluster, Coordinators, Network};
pub use configuration::{ConfigurationNote, NoteKind, read_configuration};
pub use path::{number_in, value_in};
pub use problem::Problem;
pub use read::{from_toml, merge, scenario_from_table, scenario_from_toml, table_from_toml};
pub use standard::StandardTables;
pub use understand::{Fault, Step, understand};

use serde::{Deserialize, Serialize};
use spindle_device::{DeviceSpec, FileSystemKind};
use spindle_engine::{
    database::TableSpec,
    heap_versions::HeapHistory,
    miniature::Miniature,
    parameters::Parameters,
    profile::Profile,
    schema::{Column, FILL_DEFAULT, Index, Schema},
    tree::InsertOrder,
};
use spindle_units::{Bytes, Span};
use spindle_workload::WorkloadSpec;

/// An experiment: everything that decides its outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// A line for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Where chance begins: the same seed gives the same answer, bit for bit.
    #[serde(default = "one")]
    pub seed: u64,
    /// Processors and memory.
    pub machine: Machine,
    /// What the data lies on.
    pub storage: Storage,
    /// The database server.
    pub engine: EngineSpec,
    /// Other servers that answer with it, where there are any: all are alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<Cluster>,
    /// Tables; each may stand for several alike.
    #[serde(rename = "table", default)]
    pub tables: Vec<Table>,
    /// What clients do.
    pub workload: WorkloadSpec,
    /// How long, and from what state.
    #[serde(default)]
    pub run: RunSpec,
}

fn one() -> u64 {
    1
}

/// The machine the server runs on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Processor cores, 1 to 1024.
    pub cores: u32,
    /// Clock in GHz, 0.1 to 10.
    pub clock_ghz: f64,
    /// Memory.
    pub memory: Bytes,
}

/// Devices and the file system on them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Storage {
    /// The device or array.
    pub device: DeviceSpec,
    /// The file system.
    #[serde(default)]
    pub file_system: FileSystemKind,
    /// Whether files that are not opened direct go through the host's page cache.
    #[serde(default = "yes")]
    pub page_cache: bool,
    /// A device of its own for the log; it lies on the same device where this is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_device: Option<DeviceSpec>,
}

fn yes() -> bool {
    true
}

/// The database server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSpec {
    /// Profile: product and version.
    pub profile: String,
    /// The engine's own configuration file, as text; a repeated key: the last one wins.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub configuration: String,
    /// Parameters set over the configuration, by their own names.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub parameters: Parameters,
    /// Multi-core scaling: extra processor time of a statement for each other busy core, as a share, 0 to 1. It
    /// stands for latches and caches that cores share (the contention term of Gunther's scalability law).
    #[serde(default)]
    pub contention: f64,
}

impl EngineSpec {
    /// An engine with `parameters` and no configuration file, whose cores do not hinder each other.
    pub fn new(profile: &str, parameters: Parameters) -> Self {
        Self { profile: profile.into(), configuration: String::new(), parameters, contention: 0.0 }
    }
}

fn is_empty(parameters: &Parameters) -> bool {
    parameters.iter().next().is_none()
}

/// A table, or several alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Name.
    pub name: String,
    /// Tables alike, 1 to 1000.
    #[serde(default = "one_table")]
    pub count: u32,
    /// Rows of each before the run.
    pub rows: u64,
    /// Order in which the rows were loaded.
    #[serde(default = "random")]
    pub order: InsertOrder,
    /// Share of the declared length that variable columns use, 0 to 1.
    #[serde(default = "fill")]
    pub fill: f64,
    /// Rows that the load committed at a time; none where each was committed by itself. It matters where versions are
    /// kept in the pages (CUBRID 10 and later).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_per_commit: Option<u64>,
    /// Columns in order.
    pub columns: Vec<Column>,
    /// Indexes.
    pub indexes: Vec<Index>,
}

fn one_table() -> u32 {
    1
}
fn random() -> InsertOrder {
    InsertOrder::Random
}
fn fill() -> f64 {
    FILL_DEFAULT
}

impl Table {
    /// What the engine needs to know.
    pub fn spec(&self) -> TableSpec {
        TableSpec {
            schema: Schema { columns: self.columns.clone(), indexes: self.indexes.clone() },
            rows: self.rows,
            count: self.count,
            order: self.order,
            fill: self.fill,
            rows_per_commit: self.rows_per_commit,
            sample: Miniature::default(),
            to_load: false,
        }
    }
}

/// When a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// When throughput is known well enough, or at `duration`.
    #[default]
    Confidence,
    /// At `duration`; everything from the first second on counts.
    Duration,
    /// After `transactions`, or at `duration`; every one of them counts.
    Transactions,
}

/// A load that ran before the one that is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EarlierLoad {
    /// What its clients did. They are gone when the next load begins.
    pub workload: WorkloadSpec,
    /// Transactions of all its clients.
    pub transactions: u64,
    /// How long nobody does anything afterwards.
    #[serde(default)]
    pub pause: Span,
}

/// What the buffer holds when a run begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// What a long run of the same load would have left, clean but for `dirty_pages`.
    #[default]
    Warm,
    /// Nothing.
    Cold,
    /// Pages of other tables: the load has just changed.
    Shifted,
}

/// How long, and from what state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSpec {
    /// The longest a run lasts, in virtual time.
    #[serde(default = "ten_minutes")]
    pub duration: Span,
    /// When it ends.
    #[serde(default)]
    pub stop: Stop,
    /// Half-width of the 95 % confidence interval of throughput at which it is known well enough, as a share.
    #[serde(default = "two_percent")]
    pub precision: f64,
    /// What the buffer holds at the start.
    #[serde(default)]
    pub start: Start,
    /// Transactions that passed before a warm or shifted start; as many as it takes for a steady state where this is
    /// left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_up: Option<u64>,
    /// Share of all pages that is simulated in place of the whole, up to 1; 0 stands for as many as there is memory for.
    #[serde(default, skip_serializing_if = "spindle_units::is_default")]
    pub sample: f64,
    /// Loads that run before the measured one, in their order; nothing of them is counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<EarlierLoad>,
    /// Transactions after which a run with `stop = "transactions"` ends.
    #[serde(default, skip_serializing_if = "spindle_units::is_default")]
    pub transactions: u64,
    /// Pages in the buffer that differ from the device at the start.
    #[serde(default, skip_serializing_if = "spindle_units::is_default")]
    pub dirty_pages: u64,
    /// Log since the oldest of their changes.
    #[serde(default, skip_serializing_if = "spindle_units::is_default")]
    pub checkpoint_age: Bytes,
    /// Log that was written each second before the run; engines that flush by averages remember it.
    #[serde(default, skip_serializing_if = "spindle_units::is_default")]
    pub log_rate: Bytes,
    /// What heap pages have been through, for engines that keep old versions of rows there.
    #[serde(default, skip_serializing_if = "spindle_units::is_default")]
    pub heap: HeapHistory,
}

fn ten_minutes() -> Span {
    Span::seconds(600)
}
fn two_percent() -> f64 {
    0.02
}

impl Default for RunSpec {
    fn default() -> Self {
        Self {
            duration: ten_minutes(),
            stop: Stop::default(),
            precision: two_percent(),
            start: Start::default(),
            warm_up: None,
            sample: 0.0,
            before: Vec::new(),
            transactions: 0,
            dirty_pages: 0,
            checkpoint_age: Bytes(0),
            log_rate: Bytes(0),
            heap: HeapHistory::default(),
        }
    }
}

impl Scenario {
    /// The engine's profile, if there is one of that name.
    pub fn profile(&self) -> Option<&'static Profile> {
        Profile::find(&self.engine.profile)
    }

    /// The engine's parameters: its configuration, and what is set over it.
    pub fn parameters(&self) -> Parameters {
        let Some(profile) = self.profile() else { return self.engine.parameters.clone() };
        read_configuration(profile, &self.engine.configuration).0.overlaid(&self.engine.parameters)
    }

    /// What the engine needs to know of the tables.
    pub fn table_specs(&self) -> Vec<TableSpec> {
        self.tables.iter().map(Table::spec).collect()
    }

    /// Whether pages are changed by the load, or left changed by what was before it.
    pub fn writes(&self) -> bool {
        let loads = self.run.before.iter().map(|earlier| &earlier.workload).chain([&self.workload]);
        self.run.dirty_pages > 0 || loads.into_iter().any(|load| load.kind.writes())
    }

    /// Everything that is wrong with the scenario; empty where it can be run.
    pub fn check(&self) -> Vec<Problem> {
        check::check(self)
    }

    /// The scenario as TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }
}
