//! What came out of an experiment, as plain data.
//!
//! This crate knows the figures of an answer and their names in JSON. It must never know how they were found: by
//! simulation or in closed form.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The answer to a Scenario.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Transactions a second.
    pub throughput_tps: f64,
    /// Statements a second.
    pub throughput_qps: f64,
    /// Relative half-width of the 95 % confidence interval of the throughput; 0 where too little was measured to say.
    pub throughput_ci95: f64,
    /// Latency of a transaction.
    pub latency_ms: LatencyMs,
    /// Transactions by latency, eight buckets to a doubling; none is empty.
    pub latency_histogram: Vec<LatencyBucket>,
    /// What a transaction uses, on average.
    pub per_transaction: PerTransaction,
    /// Share of page requests that found their page in the pool.
    pub hit_rate: f64,
    /// Mean latency by cause, in milliseconds; the causes sum to the mean.
    pub breakdown_ms: Breakdown,
    /// The devices, and the processor cores as the first of them.
    pub devices: Vec<DeviceReport>,
    /// The run second by second.
    pub series: Series,
    /// Queries by their plans: what each operator saw and waited for; empty for other loads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<PlanReport>,
    /// What a load brought in; none for what is no load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<LoadReport>,
    /// Share of all pages that was simulated in place of the whole; none where all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<f64>,
    /// Names of constants that were fitted for this scenario.
    pub fitted: Vec<String>,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// SHA-256 of everything above as JSON, its first 16 hexadecimal digits.
    pub digest: String,
}

/// A load of tables that began empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadReport {
    /// How long it took, in seconds.
    pub seconds: f64,
    /// What the database has grown by, in MiB.
    pub mib: f64,
    /// The one by the other.
    pub mib_per_s: f64,
    /// Its parts in their order.
    pub parts: Vec<LoadPartReport>,
}

impl LoadReport {
    /// The sum of its parts.
    pub fn of(parts: Vec<LoadPartReport>) -> Self {
        let (seconds, mib) =
            (parts.iter().map(|part| part.seconds).sum(), parts.iter().map(|part| part.mib).sum());
        Self { seconds, mib, mib_per_s: if seconds > 0.0 { mib / seconds } else { 0.0 }, parts }
    }
}

/// A part of a load.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadPartReport {
    /// Name: `quick`, `orders`, `indexes`.
    pub name: String,
    /// Rows it brought.
    pub rows: u64,
    /// What the database has grown by, in MiB.
    pub mib: f64,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// Milliseconds by cause.
pub type Breakdown = BTreeMap<String, f64>;

/// Latency of a transaction in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencyMs {
    /// Mean.
    pub mean: f64,
    /// Median.
    pub p50: f64,
    /// 95 % are not slower.
    pub p95: f64,
    /// 99 % are not slower.
    pub p99: f64,
    /// 99.9 % are not slower.
    pub p999: f64,
    /// The slowest.
    pub max: f64,
}

/// Transactions by latency: those slower than the bucket before and not slower than this one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencyBucket {
    /// The slowest that the bucket holds, in milliseconds.
    pub up_to_ms: f64,
    /// Transactions.
    pub count: u64,
}

fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// What a transaction uses, on average.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct PerTransaction {
    /// Pages asked of the pool.
    pub page_requests: f64,
    /// Pages read.
    pub page_reads: f64,
    /// Pages written.
    pub pages_written: f64,
    /// Pages marked as changed, where the engine counts them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub page_marks: f64,
    /// Bytes of log.
    pub log_bytes: f64,
    /// Syncs of the log.
    pub log_syncs: f64,
    /// Writes of the log.
    pub log_writes: f64,
    /// Syncs of data files.
    pub data_syncs: f64,
    /// Processor time of all cores, background threads included.
    pub cpu_ms: f64,
}

/// A device, or the processor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeviceReport {
    /// Name.
    pub name: String,
    /// Share of its servers' time that was used, 0 to 1.
    pub utilisation: f64,
    /// Reads a second.
    pub reads_per_s: f64,
    /// Writes a second.
    pub writes_per_s: f64,
    /// Syncs a second.
    pub syncs_per_s: f64,
    /// Mean time of a read, queueing included.
    pub read_ms: f64,
    /// Mean time of a write, queueing included.
    pub write_ms: f64,
}

/// The run by equal spans of virtual time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Length of a span in seconds.
    pub interval_s: f64,
    /// Transactions a second.
    pub throughput_tps: Vec<f64>,
    /// Mean latency; 0 where no transaction ended.
    pub latency_ms: Vec<f64>,
    /// Dirty pages at the end of the span.
    pub dirty_pages: Vec<u64>,
    /// Log since the oldest change not yet on the device, at the end of the span, in bytes.
    pub checkpoint_age_bytes: Vec<u64>,
}

/// A query by its plan, one asking of it on average.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanReport {
    /// The query of TPC-H, 1 to 22.
    pub query: u8,
    /// Times it was asked.
    pub asked: u64,
    /// Its operators in the order of the plan's lines.
    pub operators: Vec<OperatorReport>,
}

/// An operator of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OperatorReport {
    /// Its line.
    pub text: String,
    /// How deep it stands.
    pub depth: u32,
    /// How often it was begun.
    pub loops: f64,
    /// Rows it found, before its own condition.
    pub found: f64,
    /// Rows it handed on.
    pub kept: f64,
    /// Pages it asked of the pool.
    pub page_requests: f64,
    /// Of those, pages it had to wait for.
    pub page_reads: f64,
    /// Blocks of temporary files that it wrote and read.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub temp_blocks: f64,
    /// Bytes that it sent to other servers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub network_bytes: f64,
    /// Its time: waits, and processor time that passed on its way.
    pub time_ms: f64,
}

impl Report {
    /// Fills in the digest of everything else.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        self.digest = String::new();
        let text = serde_json::to_string(&self).unwrap_or_default();
        let hash = Sha256::digest(text.as_bytes());
        self.digest = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        self
    }

    /// The same report with the names of constants that were fitted for its scenario.
    #[must_use]
    pub fn with_fitted(mut self, fitted: Vec<String>) -> Self {
        self.fitted = fitted;
        self.sealed()
    }

    /// The cause that takes most of a transaction's time.
    pub fn main_cause(&self) -> Option<(&str, f64)> {
        main_cause(&self.breakdown_ms)
    }
}

/// The cause that takes most of a transaction's time: its bottleneck, and milliseconds.
pub fn main_cause(breakdown: &Breakdown) -> Option<(&str, f64)> {
    breakdown.iter().max_by(|a, b| a.1.total_cmp(b.1)).map(|(name, ms)| (name.as_str(), *ms))
}
