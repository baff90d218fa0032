//! The emulated devices of the measurements: parallel slots and constant service times.

use crate::cell::Cell;
use spindle_device::{DeviceSpec, FileSystemKind, FixedSpec};
use spindle_scenario::Storage;
use spindle_units::Span;

/// A device of `slots` with service times in microseconds, without page cache or file system in between.
pub(crate) fn fixed(slots: u32, read_us: f64, write_us: f64, sync_us: f64) -> Storage {
    let span = |us: f64| Span((us * 1000.0) as u64);
    let (read, write, sync) = (span(read_us), span(write_us), span(sync_us));
    of(FixedSpec { slots, read, write, sync, late: Span(0) })
}

fn of(spec: FixedSpec) -> Storage {
    Storage {
        device: DeviceSpec::of_fixed(spec),
        file_system: FileSystemKind::Raw,
        page_cache: false,
        log_device: None,
    }
}

/// No emulation: everything is served from memory in a few microseconds.
pub(crate) fn memory() -> Storage {
    fixed(32, 10.0, 10.0, 10.0)
}

/// The device of a cell that describes it in full (`device.slots`, `device.read_us`, …), with the lateness that was
/// measured of it (`late_us_per_io`): that is the apparatus, not the engine.
pub(crate) fn described(cell: &Cell) -> Storage {
    let time = |name: &str| cell.number(&format!("device.{name}")).unwrap_or(0.0);
    let span = |us: f64| Span((us * 1000.0) as u64);
    of(FixedSpec {
        slots: time("slots").max(1.0) as u32,
        read: span(time("read_us")),
        write: span(time("write_us")),
        sync: span(time("fsync_us")),
        late: span(cell.truth("late_us_per_io").unwrap_or(0.0)),
    })
}

/// The device of that name in `setup.json`: slots, read, write and sync in microseconds.
pub(crate) fn named(name: &str) -> Option<Storage> {
    Some(match name {
        "HDD" => fixed(1, 6000.0, 6000.0, 8000.0),
        "HDDro" => fixed(1, 6000.0, 0.0, 0.0),
        "SSD" => fixed(8, 150.0, 100.0, 500.0),
        "SSDx10" => fixed(8, 1500.0, 1000.0, 5000.0),
        name if name.starts_with("none") => memory(),
        _ => return None,
    })
}
