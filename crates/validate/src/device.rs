//! The emulated devices of the measurements: parallel slots and constant service times.

use crate::cell::Cell;
use spindle_device::{DeviceSpec, FileSystemKind, FixedSpec};
use spindle_scenario::Storage;
use spindle_units::Span;

/// A device of `slots` whose reads, writes and syncs take that many microseconds, without page cache or file system in
/// between.
pub(crate) fn fixed(slots: u32, times_us: [f64; 3]) -> Storage {
    let [read, write, sync] = times_us.map(span);
    Storage {
        device: DeviceSpec::of_fixed(FixedSpec { slots, read, write, sync, late: Span(0) }),
        file_system: FileSystemKind::Raw,
        page_cache: false,
        log_device: None,
    }
}

fn span(us: f64) -> Span {
    Span((us * 1000.0) as u64)
}

/// The same, waking whoever waits so many microseconds late on average: that is the apparatus, not the engine.
pub(crate) fn late(mut storage: Storage, us: f64) -> Storage {
    if let Some(fixed) = &mut storage.device.fixed {
        fixed.late = span(us);
    }
    storage
}

/// No emulation: everything is served from memory in a few microseconds.
pub(crate) fn memory() -> Storage {
    fixed(32, [10.0; 3])
}

/// The device of a cell that describes it in full (`device.slots`, `device.read_us`, …), with the lateness that was
/// measured of it (`late_us_per_io`).
pub(crate) fn described(cell: &Cell) -> Storage {
    let said = |name: &str| cell.number(&format!("device.{name}")).unwrap_or(0.0);
    let slots = said("slots").max(1.0) as u32;
    let device = fixed(slots, ["read_us", "write_us", "fsync_us"].map(said));
    late(device, cell.truth("late_us_per_io").unwrap_or(0.0))
}

/// Slots of the device of that name in `setup.json`, and microseconds of a read, a write and a sync.
pub(crate) fn named(name: &str) -> Option<(u32, [f64; 3])> {
    Some(match name {
        "HDD" => (1, [6000.0, 6000.0, 8000.0]),
        "HDDro" => (1, [6000.0, 0.0, 0.0]),
        "SSD" => (8, [150.0, 100.0, 500.0]),
        "SSDx10" => (8, [1500.0, 1000.0, 5000.0]),
        _ => return None,
    })
}
