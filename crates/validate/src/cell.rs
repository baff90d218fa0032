//! A measurement of a real engine: the question that was put to it, and what came out.

use crate::tpch::cells_of_queries;
use serde::Deserialize;
use serde_json::Value;

/// One line of a file of cells.
#[derive(Debug, Clone, Deserialize)]
pub struct Cell {
    /// Unique name.
    pub id: String,
    /// Profile of the engine that was measured.
    pub engine: String,
    /// Kind of measurement: `sizing`, `counters`, `group_commit`, `device` or `query`.
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
    /// Reads cells, one a line; blank lines are skipped. A document of measured queries as a whole is read, too.
    ///
    /// # Errors
    /// The line and what is wrong with it.
    pub fn read_all(text: &str) -> Result<Vec<Self>, String> {
        if let Ok(cells) = cells_of_queries(text) {
            return Ok(cells);
        }
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

/// Whether a table of so many rows on pages of such a size can be laid out, and in a time worth waiting for.
pub(crate) fn check_size(rows: u64, page_bytes: u64) -> Result<(), String> {
    if !(1..=ROWS_MAX).contains(&rows) {
        return Err(format!("found {rows} rows, expected 1 to {ROWS_MAX}"));
    }
    if !page_bytes.is_power_of_two() || !(1024..=65_536).contains(&page_bytes) {
        return Err(format!("found a page size of {page_bytes}, expected a power of two from 1024 to 65536"));
    }
    Ok(())
}

/// The most rows of a table whose size is asked for: leaves of trees filled in random order are drawn one by one.
const ROWS_MAX: u64 = 1_000_000_000;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_beyond_reason_are_refused() {
        assert_eq!(check_size(1_500_000, 16_384), Ok(()));
        for (rows, page) in [(0, 8192), (u64::MAX, 8192), (1000, 0), (1000, 16_385), (1000, 1 << 20)] {
            assert!(check_size(rows, page).is_err(), "{rows} {page}");
        }
    }

    #[test]
    fn a_line_that_is_no_cell_is_named() {
        let error = Cell::read_all("\n{\"id\":1}\n").unwrap_err();
        assert!(error.starts_with("line 2: "), "{error}");
    }
}
