//! NVMe presets against published figures: model, truth and error of each are printed.

use crate::{Access, Device, Nvme, NvmeSpec, Request, preset, spec::Model};

/// Writes and reads before anything is measured, so that buffers are full and dies busy.
const SETTLING: usize = 60_000;
const MEASURED: usize = 60_000;

fn drive(name: &str) -> NvmeSpec {
    match (preset(name).expect("a preset").model)() {
        Model::Nvme(spec) => spec,
        _ => unreachable!("{name} is an NVMe drive"),
    }
}

/// The same with so much spare flash that nothing is ever cleaned: files smaller than the drive, or a new drive.
fn hardly_filled(spec: NvmeSpec) -> NvmeSpec {
    NvmeSpec { over_provisioning: 1.0, ..spec }
}

/// A load like fio's: `depth` requests of `bytes` outstanding, `reads` of a hundred of them reads.
#[derive(Clone, Copy)]
struct Load {
    depth: usize,
    bytes: u32,
    reads: u64,
    sequential: bool,
}

/// Requests a second, and the latencies in microseconds, sorted.
fn fio(spec: &NvmeSpec, load: Load) -> (f64, Vec<f64>) {
    let mut device = Nvme::new(spec);
    let (mut now, mut begun) = (0, Vec::new());
    let mut latencies = Vec::new();
    let span = spec.capacity.0 / 16 / u64::from(load.bytes);
    let start = |device: &mut Nvme, now: u64, begun: &mut Vec<u64>| {
        let number = begun.len() as u64;
        let mixed = spindle_units::chance::scatter(number);
        let access = if mixed % 100 < load.reads { Access::Read } else { Access::Write };
        let place = if load.sequential { number } else { (mixed >> 20) % span };
        begun.push(now);
        let offset = place * u64::from(load.bytes);
        device.submit(now, Request { id: number, access, offset, bytes: load.bytes });
    };
    for _ in 0..load.depth {
        start(&mut device, now, &mut begun);
    }
    let (mut done, mut finished, mut since) = (Vec::new(), 0, 0);
    while finished < SETTLING + MEASURED {
        now = device.next_event().expect("requests are outstanding");
        device.advance(now, &mut done);
        for id in done.drain(..) {
            finished += 1;
            match finished {
                SETTLING => since = now,
                n if n > SETTLING => latencies.push((now - begun[id as usize]) as f64 / 1e3),
                _ => {}
            }
            start(&mut device, now, &mut begun);
        }
    }
    latencies.sort_by(f64::total_cmp);
    let seconds = (now - since) as f64 / 1e9;
    (latencies.len() as f64 / seconds, latencies)
}

fn rate(spec: &NvmeSpec, depth: usize, bytes: u32, reads: u64, sequential: bool) -> f64 {
    fio(spec, Load { depth, bytes, reads, sequential }).0
}

/// Prints a figure and holds its error against the ceiling.
fn hold(what: &str, model: f64, truth: f64, ceiling: f64) {
    let error = model / truth - 1.0;
    println!("{what}: model {model:.1}, published {truth:.1}, error {:+.1} %", error * 100.0);
    assert!(error.abs() <= ceiling, "{what}: {model} against {truth}");
}

#[test]
fn data_sheet_rates_come_out() {
    // Sequential MB/s, then thousands of random requests of 4 KiB a second, of full drives.
    for (name, sequential, random) in [
        ("nvme-pm9a3", [6800.0, 4000.0], [1000.0, 180.0]),
        ("nvme-pm9a3-960", [6500.0, 1500.0], [580.0, 70.0]),
        ("nvme-p5510", [6500.0, 3400.0], [700.0, 170.0]),
    ] {
        let full = drive(name);
        let fresh = hardly_filled(full.clone());
        let mb = |reads| rate(&fresh, 64, 128 << 10, reads, true) * f64::from(128 << 10) / 1e6;
        hold(&format!("{name} sequential read MB/s"), mb(100), sequential[0], 0.05);
        hold(&format!("{name} sequential write MB/s"), mb(0), sequential[1], 0.05);
        let thousands = |reads| rate(&full, 512, 4 << 10, reads, false) / 1e3;
        hold(&format!("{name} random read k/s"), thousands(100), random[0], 0.2);
        hold(&format!("{name} random write k/s"), thousands(0), random[1], 0.2);
    }
}

#[test]
fn one_read_at_a_time_takes_what_was_measured() {
    // fio over two PM9A3 in RAID 0, a small file: at depth 1 one drive answers.
    let (rate, latencies) = fio(
        &hardly_filled(drive("nvme-pm9a3")),
        Load { depth: 1, bytes: 4 << 10, reads: 100, sequential: false },
    );
    let mean = latencies.iter().sum::<f64>() / latencies.len() as f64;
    hold("reads a second", rate, 14_000.0, 0.05);
    hold("mean us", mean, 71.1, 0.05);
    for (share, truth, ceiling) in [
        (0.01, 63.0, 0.05),
        (0.5, 68.0, 0.05),
        (0.9, 78.0, 0.05),
        (0.95, 79.0, 0.05),
        (0.99, 82.0, 0.05),
        (0.999, 119.0, 0.1),
        // What takes longest is not reading: the host's interrupts, the drive's housekeeping.
        (0.9999, 396.0, 0.75),
    ] {
        let at = (share * latencies.len() as f64) as usize;
        hold(&format!("p{} us", share * 100.0), latencies[at], truth, ceiling);
    }
}

#[test]
fn reads_and_writes_together_reach_what_was_measured() {
    // Two PM9A3 of 960 GB, mirrored, three reads to a write: each drive has half of the reads and all of the writes.
    let drive = hardly_filled(drive("nvme-pm9a3-960"));
    for (bytes, reads, writes) in [(4 << 10, 407_000.0, 136_000.0), (16 << 10, 140_500.0, 46_800.0)] {
        let of_reads = 0.5 * reads / (0.5 * reads + writes);
        let all = rate(&drive, 128, bytes, (of_reads * 100.0) as u64, false);
        hold(&format!("{} KiB mixed", bytes >> 10), all, 0.5 * reads + writes, 0.25);
    }
}
