//! Values of configuration files as the profiles' parameters write them.

use super::family::Family;
use spindle_engine::parameters::{ParameterKind, ParameterSpec};
use spindle_units::{Bytes, Span};

/// Bytes of PostgreSQL's block, in which sizes without a unit are counted (manual, section 20.1.1).
const BLOCK: u64 = 8192;

/// The value as `spec` takes it, or as it stands where nothing has to be changed.
pub(super) fn translated(family: Family, spec: &ParameterSpec, value: &str) -> String {
    match family {
        Family::MySql if spec.kind == ParameterKind::Count => with_suffix(value),
        Family::Postgresql => postgresql(spec, value),
        _ => value.to_owned(),
    }
}

/// MySQL's options of whole numbers take K, M, G and T as sizes do.
fn with_suffix(value: &str) -> String {
    let suffixed = value.ends_with(|c: char| "kKmMgGtT".contains(c));
    let number = value.parse::<Bytes>().ok().filter(|_| suffixed);
    number.map_or_else(|| value.to_owned(), |number| number.0.to_string())
}

/// PostgreSQL's units by parameter (manual, chapter 20): `max_wal_size` counts megabytes, other sizes blocks.
fn postgresql(spec: &ParameterSpec, value: &str) -> String {
    let whole = value.parse::<u64>().ok();
    match (spec.name, whole) {
        ("wal_buffers", _) if value == "-1" => "0".into(),
        ("max_wal_size", Some(number)) => format!("{number}M"),
        (_, Some(number)) if spec.kind == ParameterKind::Size => number.saturating_mul(BLOCK).to_string(),
        ("checkpoint_timeout", None) => counted(value, 1_000_000_000),
        ("wal_writer_delay" | "bgwriter_delay", None) => counted(value, 1_000_000),
        // Stand-bys are not modelled: each of these waits at least for the server's own log.
        ("synchronous_commit", _) if matches!(value, "local" | "remote_write" | "remote_apply") => {
            "on".into()
        }
        _ => value.to_owned(),
    }
}

/// A time such as `5min` in units of so many nanoseconds.
fn counted(value: &str, unit_ns: u64) -> String {
    value.parse::<Span>().map_or_else(|_| value.to_owned(), |span| (span.0 / unit_ns).to_string())
}
