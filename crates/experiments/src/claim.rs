//! What was published, as something that can be held against reports.

use serde::{Deserialize, Serialize};
use spindle_report::Report;

/// Something that was published.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// Name.
    pub id: String,
    /// What it says.
    pub title: String,
    /// The engine's parameters that differ between the cases it compares, where the source varied them; machine and storage
    /// may differ without a word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub varied: Vec<String>,
    /// Whether the cases it compares are of two systems, whose engines and plans differ, too.
    #[serde(default, skip_serializing_if = "spindle_units::is_default")]
    pub between_systems: bool,
    /// What is compared, and how.
    #[serde(flatten)]
    pub kind: ClaimKind,
}

/// A figure of a Report that claims speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Transactions a second.
    #[default]
    Throughput,
    /// Mean latency of a transaction, in milliseconds.
    Latency,
    /// What a load of tables brings in, in MiB a second.
    LoadRate,
}

impl Quantity {
    /// Its value in a report.
    pub fn of(self, report: &Report) -> f64 {
        match self {
            Self::Throughput => report.throughput_tps,
            Self::Latency => report.latency_ms.mean,
            Self::LoadRate => report.load.as_ref().map_or(0.0, |load| load.mib_per_s),
        }
    }
}

/// Cases that a claim compares two by two: above and below the line. Stars stand for one word of a case's name each, and
/// for the same words above and below (`oltp-a-*-48g-*` over `oltp-s-*-48g-*`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairs {
    /// Cases above the line.
    pub above: String,
    /// Cases below it.
    pub below: String,
}

/// Which mean of ratios is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mean {
    /// Their sum over their number.
    Arithmetic,
    /// The root of their product.
    Geometric,
    /// Their number over the sum of their inverses.
    Harmonic,
    /// All figures above the line together over all below it.
    Totals,
}

/// Which of several ratios is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Extreme {
    /// The smallest.
    Least,
    /// The largest.
    Most,
}

/// What is compared, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ClaimKind {
    /// The throughput of one case over that of another has a published value.
    Ratio {
        /// Case above the line.
        above: String,
        /// Case below it.
        below: String,
        /// The published ratio.
        published: f64,
    },
    /// One case has more throughput than another.
    Order {
        /// The case with more.
        above: String,
        /// The case with less.
        below: String,
    },
    /// One case has more throughput than another, but not by much.
    Within {
        /// The case with more.
        above: String,
        /// The case with less.
        below: String,
        /// The largest ratio that the words allow.
        at_most: f64,
    },
    /// Processor and storage of a case are not fully used.
    Idle {
        /// The case.
        case: String,
        /// The largest utilisation that the words allow.
        at_most: f64,
    },
    /// A figure of each of several cases was published.
    Curve {
        /// The cases, in the order of the figures; a star stands for one word of a name.
        cases: String,
        /// The figure.
        #[serde(default)]
        quantity: Quantity,
        /// The published figures.
        published: Vec<f64>,
        /// The fitted constant that a report's figure is multiplied with, where the published ones have a unit of their
        /// own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unit: Option<String>,
        /// Largest relative error at any point.
        tolerance: f64,
    },
    /// Of each pair the case above has more throughput.
    Orders {
        /// The pairs.
        pairs: Vec<Pairs>,
    },
    /// The smallest or largest ratio among pairs was published.
    Range {
        /// The pairs.
        pairs: Vec<Pairs>,
        /// The figure whose ratio it is.
        #[serde(default)]
        quantity: Quantity,
        /// Which of the ratios.
        extreme: Extreme,
        /// The published ratio.
        published: f64,
        /// Largest difference to it.
        points: f64,
    },
    /// The mean ratio of pairs was published.
    Mean {
        /// The pairs.
        pairs: Vec<Pairs>,
        /// The figure whose ratio it is.
        #[serde(default)]
        quantity: Quantity,
        /// Which mean.
        mean: Mean,
        /// The published mean.
        published: f64,
    },
    /// So large a share of pairs has at least this ratio.
    Share {
        /// The pairs.
        pairs: Vec<Pairs>,
        /// The figure whose ratio it is.
        #[serde(default)]
        quantity: Quantity,
        /// The ratio.
        ratio: f64,
        /// The share that the words promise, 0 to 1.
        at_least: f64,
        /// Latencies above this many seconds were published as this many.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cut_s: Option<f64>,
    },
    /// No ratio among pairs is larger than the words allow.
    Bound {
        /// The pairs.
        pairs: Vec<Pairs>,
        /// The figure whose ratio it is.
        #[serde(default)]
        quantity: Quantity,
        /// The largest ratio that the words allow.
        at_most: f64,
    },
}
