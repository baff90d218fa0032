//! Properties every device must have.

use crate::{
    Access, Array, Device, Fixed, FixedSpec, Hdd, PRESETS, RaidLevel, Request, Ssd, preset,
    spec::{DeviceSpec, Model},
};
use proptest::prelude::*;
use spindle_units::Span;

/// Keeps `depth` requests outstanding until `count` are done; returns the time of the last in nanoseconds.
fn closed_loop(
    device: &mut dyn Device,
    depth: usize,
    count: usize,
    mut next: impl FnMut(usize) -> (Access, u64, u32),
) -> u64 {
    let mut started_at = Vec::new();
    let mut now = 0;
    let mut finished = 0;
    let mut done = Vec::new();
    let mut kinds = Vec::new();
    let mut start = |device: &mut dyn Device, now: u64, started_at: &mut Vec<u64>| {
        let (access, offset, bytes) = next(started_at.len());
        let id = started_at.len() as u64;
        started_at.push(now);
        kinds.push((access, bytes));
        device.submit(now, Request { id, access, offset, bytes });
        kinds[id as usize]
    };
    let mut floors = Vec::new();
    for _ in 0..depth.min(count) {
        let (access, bytes) = start(device, now, &mut started_at);
        floors.push(device.floor_ns(access, bytes));
    }
    while finished < count {
        let at = device.next_event().expect("a device with work outstanding has an event");
        assert!(at >= now, "time never runs backwards");
        now = at;
        device.advance(now, &mut done);
        for id in done.drain(..) {
            finished += 1;
            let took = now - started_at[id as usize];
            assert!(
                took >= floors[id as usize],
                "{took} ns is under the floor of {} ns",
                floors[id as usize]
            );
            if started_at.len() < count {
                let (access, bytes) = start(device, now, &mut started_at);
                floors.push(device.floor_ns(access, bytes));
            }
        }
    }
    let activity = device.activity(now);
    assert!(activity.busy_ns <= now * u64::from(activity.servers), "utilisation never passes 1");
    now
}

fn scatter(index: usize, seed: u64, pages: u64) -> u64 {
    let mut x = (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed.wrapping_mul(0xd134_2543_de82_ef95);
    x = (x ^ (x >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (x ^ (x >> 29)) % pages * 16384
}

fn build(name: &str) -> Box<dyn Device> {
    DeviceSpec::of_preset(name).build().unwrap()
}

fn disk(name: &str) -> Hdd {
    match (preset(name).unwrap().model)() {
        Model::Hdd(spec) => Hdd::new(&spec),
        _ => unreachable!("{name} is a disk"),
    }
}

const RANGE_PAGES: u64 = 4_000_000;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn more_queue_depth_never_lowers_throughput(seed in 0u64..1000, which in 0usize..PRESETS.len()) {
        let name = PRESETS[which].name;
        let mut last = u64::MAX;
        for depth in [1, 2, 4, 8, 16, 32] {
            let took = closed_loop(&mut *build(name), depth, 2000, |i| (Access::Read, scatter(i, seed, RANGE_PAGES), 16384));
            // 2 % for the chance of one order of requests against another.
            prop_assert!(took as f64 <= last as f64 * 1.02, "{name} at depth {depth}: {took} after {last}");
            last = took;
        }
    }

    #[test]
    fn random_is_never_faster_than_sequential_on_a_disk(seed in 0u64..1000, depth in 1usize..16, writes: bool) {
        let access = if writes { Access::Write } else { Access::Read };
        for name in ["sas-15k", "sas-10k", "sata-7200"] {
            let random = closed_loop(&mut *build(name), depth, 500, |i| (access, scatter(i, seed, RANGE_PAGES), 16384));
            let sequential = closed_loop(&mut *build(name), depth, 500, |i| (access, i as u64 * 16384, 16384));
            prop_assert!(random >= sequential, "{name}: random {random}, sequential {sequential}");
        }
    }

    #[test]
    fn raid_0_of_n_never_beats_n_times_one(seed in 0u64..1000, n in 2u32..8, which in 0usize..PRESETS.len()) {
        let name = PRESETS[which].name;
        let depth = 4;
        let one = closed_loop(&mut *build(name), depth, 4000, |i| (Access::Read, scatter(i, seed, RANGE_PAGES), 16384));
        let members = (0..n).map(|_| build(name)).collect();
        let mut array = Array::new(RaidLevel::Raid0, 65536, members, None);
        let count = 4000 * n as usize;
        // Each member is given as wide a range as the single device, else shorter seeks would flatter the array.
        let wide = RANGE_PAGES * u64::from(n);
        let all = closed_loop(&mut array, depth * n as usize, count, |i| (Access::Read, scatter(i, seed, wide), 16384));
        // 4 % for the chance of one order of requests against another: the mean of 4000 spreads by a good half per cent.
        prop_assert!(all as f64 >= one as f64 * 0.96, "{name} x {n}: {all} against {one}");
    }

    #[test]
    fn a_mixed_load_stays_above_the_floor(seed in 0u64..1000, which in 0usize..PRESETS.len(), depth in 1usize..40) {
        closed_loop(&mut *build(PRESETS[which].name), depth, 600, |i| {
            let access = match scatter(i, seed ^ 77, 10) / 16384 {
                0..=4 => Access::Read,
                5..=8 => Access::Write,
                _ => Access::Sync,
            };
            (access, scatter(i, seed, RANGE_PAGES), if access == Access::Sync { 0 } else { 16384 })
        });
    }
}

#[test]
fn fixed_device_is_a_queue_of_slots() {
    let spec =
        FixedSpec { slots: 2, read: Span::ms(1), write: Span::ms(2), sync: Span::ms(3), late: Span(0) };
    let took = closed_loop(&mut Fixed::new(&spec), 8, 100, |_| (Access::Read, 0, 4096));
    assert_eq!(took, 50 * 1_000_000);
}

#[test]
fn one_random_read_takes_seek_and_half_a_turn() {
    // Over the whole platter at queue depth 1: average seek + half a turn + overhead and command + transfer.
    let capacity = DeviceSpec::of_preset("sas-15k").capacity().expect("a preset") / 16384;
    let took = closed_loop(&mut disk("sas-15k"), 1, 4000, |i| (Access::Read, scatter(i, 5, capacity), 16384));
    let mean_ms = took as f64 / 4000.0 / 1e6;
    assert!((5.8..6.6).contains(&mean_ms), "{mean_ms} ms, data sheet 3.4 + 2.0 + 0.1, and 0.75 of commands");
}

#[test]
fn a_short_range_at_two_depths_is_as_measured() {
    // A 10k disk of a Dell R610 over a file of 1 GB: 236 reads of 4 KB a second at depth 1, 632 at depth 32.
    for (depth, truth, band) in [(1, 236.0, 0.1), (32, 632.0, 0.3)] {
        let took =
            closed_loop(&mut disk("sas-10k"), depth, 4000, |i| (Access::Read, scatter(i, 6, 61_035), 4096));
        let reads = 4000.0 / (took as f64 / 1e9);
        println!("depth {depth}: {reads:.0} reads a second, measured {truth}");
        assert!(
            (reads / truth - 1.0).abs() < band,
            "depth {depth}: {reads} reads a second, measured {truth}"
        );
    }
}

#[test]
fn sequential_reads_reach_the_sustained_rate() {
    let took = closed_loop(&mut disk("sas-15k"), 1, 2000, |i| (Access::Read, i as u64 * 262_144, 262_144));
    let mb_per_s = 2000.0 * 262_144.0 / (took as f64 / 1e9) / 1e6;
    assert!((170.0..205.0).contains(&mb_per_s), "{mb_per_s} MB/s at the outer edge, data sheet 204");
}

#[test]
fn a_solid_state_drive_of_2010_reaches_its_data_sheet() {
    let Model::Ssd(spec) = (preset("sata-ssd-2010-slc").unwrap().model)() else { unreachable!() };
    let run = |access, depth| {
        let took = closed_loop(&mut Ssd::new(&spec), depth, 20_000, |i| {
            (access, scatter(i, 9, RANGE_PAGES) / 4, 4096)
        });
        20_000.0 / (took as f64 / 1e9)
    };
    let (reads, writes) = (run(Access::Read, 32), run(Access::Write, 32));
    // X25-E: 35 000 reads; 3300 writes in the data sheet's worst case, about 5000 mixed and more on drives with spare.
    assert!((28_000.0..40_000.0).contains(&reads), "{reads} reads a second");
    assert!((3_300.0..36_000.0).contains(&writes), "{writes} writes a second");
}

#[test]
fn a_battery_lets_writes_finish_in_the_controller() {
    let cache = crate::ControllerCacheSpec {
        size: spindle_units::Bytes::mib(256),
        battery: true,
        latency: Span::us(60),
    };
    let members = |n: u32| (0..n).map(|_| build("sas-15k")).collect::<Vec<_>>();
    let write = |i| (Access::Write, scatter(i, 3, RANGE_PAGES), 16384);
    let cached =
        closed_loop(&mut Array::new(RaidLevel::Raid10, 65536, members(6), Some(cache)), 1, 500, write);
    let through = closed_loop(&mut Array::new(RaidLevel::Raid10, 65536, members(6), None), 1, 500, write);
    assert_eq!(cached, 500 * 60_000);
    assert!(through > 20 * cached, "{through}");
}
