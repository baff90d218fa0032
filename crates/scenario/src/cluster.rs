//! Servers that answer queries together.

use crate::{Problem, Scenario};
use serde::{Deserialize, Serialize};
use spindle_units::Span;
use std::collections::BTreeMap;

/// A cluster: data nodes, each with the Scenario's machine, storage and engine; coordinators; the network between all of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cluster {
    /// Data nodes, 1 to 256.
    pub nodes: u32,
    /// The servers that clients talk to.
    pub coordinators: Coordinators,
    /// What lies between the servers.
    pub network: Network,
    /// The column by whose hash a table's rows are spread over the nodes. A table that is not named lies whole on each of them.
    pub distribution: BTreeMap<String, String>,
}

/// The servers that clients talk to: they plan queries, put the nodes' rows together, and pass on what is loaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coordinators {
    /// How many, 1 to 64.
    pub count: u32,
    /// Processor cores of each, 1 to 1024.
    pub cores: u32,
    /// Their clock in GHz, 0.1 to 10.
    pub clock_ghz: f64,
    /// What the link of each carries in each direction, in megabytes (10^6) a second, 1 to 100 000.
    pub mb_per_s: f64,
    /// Processor time, in nanoseconds at 2.5 GHz, that COPY takes there for a byte of a line: the line is read and cut, its key is
    /// hashed, and it is passed on. 1 to 100 000.
    #[serde(default = "copy_byte_ns")]
    pub copy_byte_ns: f64,
}

/// By the rate of loading that was published of 24 streams through two coordinators.
fn copy_byte_ns() -> f64 {
    33.0
}

/// A network in which each server has a link of its own to all others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// What a link carries in each of its two directions, in megabytes (10^6) a second, 1 to 100 000.
    pub mb_per_s: f64,
    /// From one server to another, up to a second.
    pub latency: Span,
    /// Making one connection to each node, for each crossing of a plan, up to a minute.
    pub connecting: Span,
    /// What the global transaction manager takes to hand out a snapshot, up to a second.
    pub snapshot: Span,
}

pub(crate) fn check(scenario: &Scenario, problems: &mut Vec<Problem>) {
    let Some(cluster) = &scenario.cluster else { return };
    let mut range = |path: &str, value: f64, low: f64, high: f64, unit: &str| {
        if !(low..=high).contains(&value) {
            problems.push(Problem::new(format!("cluster.{path}"), value, format!("{low} to {high}{unit}")));
        }
    };
    let Cluster { nodes, coordinators, network, distribution } = cluster;
    range("nodes", f64::from(*nodes), 1.0, 256.0, "");
    range("coordinators.count", f64::from(coordinators.count), 1.0, 64.0, "");
    range("coordinators.cores", f64::from(coordinators.cores), 1.0, 1024.0, "");
    range("coordinators.clock_ghz", coordinators.clock_ghz, 0.1, 10.0, "");
    range("coordinators.mb_per_s", coordinators.mb_per_s, 1.0, 100_000.0, "");
    range("coordinators.copy_byte_ns", coordinators.copy_byte_ns, 1.0, 100_000.0, "");
    range("network.mb_per_s", network.mb_per_s, 1.0, 100_000.0, "");
    range("network.latency", network.latency.as_seconds(), 0.0, 1.0, " seconds");
    range("network.connecting", network.connecting.as_seconds(), 0.0, 60.0, " seconds");
    range("network.snapshot", network.snapshot.as_seconds(), 0.0, 1.0, " seconds");
    for (table, column) in distribution {
        let found = scenario.tables.iter().find(|own| own.name.eq_ignore_ascii_case(table));
        let path = format!("cluster.distribution.{table}");
        match found {
            None => problems.push(Problem::new(path, "no such table", "a table of the scenario")),
            Some(own) if !own.columns.iter().any(|own| own.name.eq_ignore_ascii_case(column)) => {
                problems.push(Problem::new(path, format!("`{column}`"), format!("a column of `{table}`")));
            }
            Some(_) => {}
        }
    }
}
