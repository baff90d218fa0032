//! The knobs of a device that is described by its own data sheet: what a maker prints of it, as far as it matters here.

use super::{GIB, Group, KIB, Kind, Knob, MIB, Scale, TIB};
use crate::language::text;
use spindle_device::{DeviceSpec, Model};

/// A line of a data sheet: field of the specification, key of its words, kind, scale.
type Line = (&'static str, &'static str, Kind, Scale);

/// Nanoseconds in a microsecond and in a millisecond.
const US: f64 = 1e3;
const MS: f64 = 1e6;

/// The knobs of the device at `path`, where it has a data sheet of its own; `log` where the log lies on it.
pub fn data_sheet(path: &str, device: &DeviceSpec, log: bool) -> Vec<Knob> {
    if device.preset.is_some() {
        return Vec::new();
    }
    let Ok(model) = device.model() else { return Vec::new() };
    let (sheet, lines) = match model {
        Model::Hdd(_) => ("hdd", hdd()),
        Model::Ssd(_) => ("ssd", ssd()),
        Model::Nvme(_) => ("nvme", nvme()),
        Model::Fixed(_) => ("fixed", fixed()),
    };
    let knob = |(field, key, kind, scale): Line| {
        let mut knob = Knob::new(format!("{path}.{sheet}.{field}"), key, Group::Storage, kind, scale);
        if log {
            knob.id = format!("log-{key}");
            knob.owner = Some(text("knob-log-device-kind"));
        }
        knob
    };
    lines.into_iter().map(knob).collect()
}

fn hdd() -> Vec<Line> {
    vec![
        ("rpm", "sheet-rpm", Kind::Count, Scale::linear(3600.0, 15_000.0).by(100.0)),
        ("seek_track", "sheet-seek-track", Kind::Time, Scale::log(50.0 * US, 5.0 * MS)),
        ("seek_average", "sheet-seek-average", Kind::Time, Scale::log(0.5 * MS, 20.0 * MS)),
        ("seek_full", "sheet-seek-full", Kind::Time, Scale::log(MS, 50.0 * MS)),
        ("outer_bytes_per_s", "sheet-outer-rate", Kind::Bytes, Scale::log(10.0 * MIB, GIB)),
        ("inner_bytes_per_s", "sheet-inner-rate", Kind::Bytes, Scale::log(5.0 * MIB, GIB)),
        ("queue_depth", "sheet-queue", Kind::Count, Scale::log(1.0, 256.0)),
        ("write_cache", "sheet-write-cache", Kind::Bytes, Scale::log_from_zero(MIB, GIB)),
        ("capacity", "sheet-capacity", Kind::Bytes, CAPACITY),
    ]
}

/// Capacities from the first drives with flash to arrays that look like one drive.
const CAPACITY: Scale = Scale::log(8.0 * GIB, 64.0 * TIB);
const PARTS: Scale = Scale::log(1.0, 64.0);
/// From single-level cells to four bits a cell.
const READ: Scale = Scale::log(5.0 * US, 500.0 * US);
const PROGRAM: Scale = Scale::log(50.0 * US, 10.0 * MS);
const OVERHEAD: Scale = Scale::log_from_zero(US, MS);
const SPARE: Scale = Scale::linear(0.02, 1.0);
const WRITE_BUFFER: Scale = Scale::log_from_zero(64.0 * KIB, 4.0 * GIB);

fn ssd() -> Vec<Line> {
    vec![
        ("channels", "sheet-channels", Kind::Count, PARTS),
        ("dies_per_channel", "sheet-dies", Kind::Count, PARTS),
        ("read", "sheet-read", Kind::Time, READ),
        ("program", "sheet-program", Kind::Time, PROGRAM),
        ("overhead", "sheet-overhead", Kind::Time, OVERHEAD),
        ("interface_bytes_per_s", "sheet-link", Kind::Bytes, Scale::log(50.0 * MIB, 16.0 * GIB)),
        ("write_buffer", "sheet-write-buffer", Kind::Bytes, WRITE_BUFFER),
        ("power_loss_protection", "sheet-protection", Kind::Switch, Scale::none()),
        ("over_provisioning", "sheet-spare", Kind::Share, SPARE),
        ("capacity", "sheet-capacity", Kind::Bytes, CAPACITY),
    ]
}

fn nvme() -> Vec<Line> {
    vec![
        ("channels", "sheet-channels", Kind::Count, PARTS),
        ("dies_per_channel", "sheet-dies", Kind::Count, PARTS),
        ("planes", "sheet-planes", Kind::Count, Scale::linear(1.0, 8.0)),
        ("read[0]", "sheet-read-fast", Kind::Time, READ),
        ("read[1]", "sheet-read-middle", Kind::Time, READ),
        ("read[2]", "sheet-read-slow", Kind::Time, READ),
        ("program", "sheet-program", Kind::Time, PROGRAM),
        ("read_overhead", "sheet-read-overhead", Kind::Time, OVERHEAD),
        ("write_overhead", "sheet-write-overhead", Kind::Time, OVERHEAD),
        ("link_bytes_per_s", "sheet-link", Kind::Bytes, Scale::log(256.0 * MIB, 64.0 * GIB)),
        ("write_buffer", "sheet-write-buffer", Kind::Bytes, WRITE_BUFFER),
        ("power_loss_protection", "sheet-protection", Kind::Switch, Scale::none()),
        ("over_provisioning", "sheet-spare", Kind::Share, SPARE),
        ("capacity", "sheet-capacity", Kind::Bytes, CAPACITY),
    ]
}

fn fixed() -> Vec<Line> {
    let times = Scale::log(US, 100.0 * MS);
    vec![
        ("slots", "sheet-slots", Kind::Count, Scale::log(1.0, 4096.0)),
        ("read", "sheet-fixed-read", Kind::Time, times),
        ("write", "sheet-fixed-write", Kind::Time, times),
        ("sync", "sheet-fixed-sync", Kind::Time, times),
    ]
}
