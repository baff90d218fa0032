//! A measurement of a real engine: the question that was put to it, and what came out.

use serde::Deserialize;
use serde_json::Value;

/// One line of a file of cells.
#[derive(Debug, Clone, Deserialize)]
pub struct Cell {
    /// Unique name.
    pub id: String,
    /// Profile of the engine that was measured.
    pub engine: String,
    /// Kind of measurement: `sizing`, `counters`, `group_commit` or `device`.
    pub kind: String,
    /// Everything a model has to be told.
    pub setup: Value,
    /// What was measured.
    pub truth: Value,
    /// How far to believe it.
    #[serde(default)]
    pub trust: String,
    /// What else is known.
    #[serde(default)]
    pub note: Option<String>,
}

impl Cell {
    /// Reads cells, one a line; blank lines are skipped.
    ///
    /// # Errors
    /// The line and what is wrong with it.
    pub fn read_all(text: &str) -> Result<Vec<Self>, String> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(number, line)| {
                serde_json::from_str(line)
                    .map_err(|e| format!("line {number}: {e}, expected a cell as one JSON object"))
            })
            .collect()
    }

    /// A number of the setup, by its path (`device.read_us`); sizes such as `128M` count in bytes.
    pub fn number(&self, path: &str) -> Option<f64> {
        number(&self.setup, path)
    }

    /// A text of the setup, by its path.
    pub fn text(&self, path: &str) -> Option<&str> {
        at(&self.setup, path)?.as_str()
    }

    /// A switch of the setup, by its path.
    pub fn switch(&self, path: &str) -> Option<bool> {
        at(&self.setup, path)?.as_bool()
    }

    /// A measured number, by its path.
    pub fn truth(&self, path: &str) -> Option<f64> {
        number(&self.truth, path)
    }

    /// Whether throughput and latency are truth, and not only counts.
    pub fn times_are_good(&self) -> bool {
        self.trust == "good"
    }

    /// Whether counts are truth.
    pub fn counts_are_good(&self) -> bool {
        matches!(self.trust.as_str(), "good" | "counters" | "after a workload shift")
            || self.trust.contains("counters only")
            || self.trust.contains("not device truth")
    }
}

fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(value, |value, name| value.get(name))
}

fn number(value: &Value, path: &str) -> Option<f64> {
    match at(value, path)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse::<spindle_units::Bytes>().ok().map(|bytes| bytes.0 as f64),
        _ => None,
    }
}
