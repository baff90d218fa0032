//! Devices by name, with the source of every number.

use crate::{FixedSpec, HddSpec, NvmeSpec, QueueOrder, SsdSpec, spec::Model};
use spindle_units::{Bytes, Span};

/// A named device.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// The name used in scenarios.
    pub name: &'static str,
    /// What it stands for, in one line.
    pub title: &'static str,
    /// Where its numbers come from.
    pub source: &'static str,
    /// Its numbers.
    pub model: fn() -> Model,
}

/// Finds a preset by name.
pub fn preset(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|p| p.name == name)
}

const fn mb_per_s(n: u64) -> Bytes {
    Bytes(n * 1_000_000)
}

/// All presets.
pub const PRESETS: [Preset; 13] = [
    Preset {
        name: "sas-15k",
        title: "SAS disk, 15 000 rpm, 300 GB",
        source: "Seagate Cheetah 15K.7 product manual: 122 to 204 MB/s sustained, 2.0 ms mean rotational latency; \
                 seek 3.4 ms read (3.9 write), 0.2 ms track to track, 6.6 ms full stroke as in data sheets of the \
                 class; 4 surfaces for 300 GB; write cache off as drives behind a controller are set; time for a \
                 command as for sas-10k",
        model: || Model::Hdd(sas_15k()),
    },
    Preset {
        name: "sas-10k",
        title: "SAS disk, 10 000 rpm, 300 GB",
        source: "Seagate Savvio 10K.3 and 10K.4 product manuals: 67 to 124 MB/s, 3.0 ms mean rotational latency, \
                 3.8 ms read and 4.4 ms write seek; track to track 0.2 ms and full stroke 8 ms of the class; time \
                 for a command from a server's disk over a 1 GB file: 236 reads a second at depth 1, 632 at 32",
        model: || {
            Model::Hdd(HddSpec {
                rpm: 10_000,
                outer_bytes_per_s: mb_per_s(124),
                inner_bytes_per_s: mb_per_s(67),
                seek_average: Span::us(3800),
                seek_full: Span::us(8000),
                write_settle: Span::us(600),
                ..sas_15k()
            })
        },
    },
    Preset {
        name: "sata-7200",
        title: "SATA disk, 7200 rpm, 2 TB",
        source: "Seagate Constellation ES.3 manual: 83 to 175 MB/s, 4.16 ms mean rotational latency; HGST Ultrastar \
                 7K4000: 8.2 ms average seek; track to track 0.6 ms and full stroke 16 ms of the class; 64 MB \
                 volatile write cache, native command queueing of 32",
        model: || Model::Hdd(sata_7200()),
    },
    Preset {
        name: "sata-desktop-4t",
        title: "SATA disk for desktops, 7200 rpm, 4 TB",
        source: "geometry as for sata-7200, with eight surfaces; 64 MB volatile write cache; firmware that sorts what it \
                 holds by place and not by rotation: desktop disks write 0.6 to 1.1 MB/s of 4 KB at random and gain little \
                 from a deep queue (tomshardware.com, ssd-upgrade-hard-drive, 2956-6), which with 5.7 ms a write is 0.7 \
                 MB/s here",
        model: || {
            Model::Hdd(HddSpec {
                capacity: Bytes(4_000_000_000_000),
                surfaces: 8,
                queue_depth: 256,
                order: QueueOrder::Elevator,
                write_cache: Bytes::mib(64),
                ..sata_7200()
            })
        },
    },
    Preset {
        name: "sata-ssd-2010-slc",
        title: "SATA SSD of 2010, SLC, 100 GB class",
        source: "Intel X25-E data sheet: 35 000 random reads and 3300 random writes a second of 4 KB, 75 us read \
                 latency, 250 MB/s over SATA 3 Gb/s; 10 channels; SLC NAND read 25 us, program 200 to 250 us; \
                 volatile write buffer without protection",
        model: || Model::Ssd(sata_ssd_2010()),
    },
    Preset {
        name: "sata-ssd-2010-mlc",
        title: "SATA SSD of 2010, MLC, 100 GB",
        source: "SandForce SF-1500 class: 25 000 reads a second measured of 50 000 claimed, 15 000 writes; \
                 MLC NAND read 50 us, program 900 us; 28 % spare flash in the 100 GB models; capacitor in the \
                 enterprise models",
        model: || {
            Model::Ssd(SsdSpec {
                channels: 8,
                dies_per_channel: 2,
                flash_page: Bytes::kib(8),
                read: Span::us(50),
                program: Span::us(900),
                overhead: Span::us(60),
                dispatch: Span::us(35),
                write_buffer: Bytes::mib(2),
                power_loss_protection: true,
                over_provisioning: 0.28,
                ..sata_ssd_2010()
            })
        },
    },
    Preset {
        name: "sata-ssd-2014",
        title: "SATA SSD of 2013, MLC, 256 GB",
        source: "Plextor M5 Pro: rated 94 000 reads and 86 000 writes a second of 4 KiB, measured 90 883 and \
                 84 081 at queue depth 32 on a fresh drive; SATA 6 Gb/s; 7 % spare flash",
        model: || {
            Model::Ssd(SsdSpec {
                capacity: Bytes(256_000_000_000),
                channels: 8,
                dies_per_channel: 4,
                flash_page: Bytes::kib(16),
                read: Span::us(60),
                program: Span::us(1300),
                channel_bytes_per_s: mb_per_s(333),
                interface_bytes_per_s: mb_per_s(540),
                overhead: Span::us(30),
                dispatch: Span::us(10),
                write_buffer: Bytes::mib(256),
                power_loss_protection: false,
                over_provisioning: 0.07,
            })
        },
    },
    Preset {
        name: "nvme-pm9a3",
        title: "NVMe SSD of 2021, PCIe 4.0, TLC, 3.84 TB (PM9A3 class)",
        source: "Samsung PM9A3 3.84 TB U.2: data sheet 6800 and 4000 MB/s, 1 000 000 and 180 000 random 4 KiB reads and writes \
                 a second; measured by fio at depth 1: 14 000 reads a second, 63, 68, 78, 82 us at 1, 50, 90, 99 %; by three \
                 reads to a write on mirrored 960 GB models: 140 500 and 46 800 of 16 KiB a second. 64 dies of 512 Gbit on 8 \
                 channels of 1200 MB/s, pages of 16 KiB, 2 planes: what fits size and class. Time of a read from depth 1, of a \
                 program from sequential writing, of giving way from mixed loads, spare flash (14.5 % less bad blocks and \
                 parity) from random writing; erase, buffer and write latency (15 us) of the class",
        model: || Model::Nvme(nvme_pm9a3()),
    },
    Preset {
        name: "nvme-pm9a3-960",
        title: "NVMe SSD of 2021, PCIe 4.0, TLC, 960 GB (PM9A3 class)",
        source: "Samsung PM9A3 960 GB: data sheet 6500 and 1500 MB/s, 580 000 and 70 000 random 4 KiB reads and writes a second; by \
                 three reads to a write on a mirror of two: 140 500 and 46 800 of 16 KiB a second. 16 dies of 512 Gbit on 8 \
                 channels; time of a program from sequential writing, all else as nvme-pm9a3",
        model: || Model::Nvme(nvme_pm9a3_960()),
    },
    Preset {
        name: "nvme-p5510",
        title: "NVMe SSD of 2021, PCIe 4.0, TLC, 3.84 TB (D7-P5510 class)",
        source: "Intel, now Solidigm, D7-P5510 3.84 TB: data sheet 6500 and 3400 MB/s, 700 000 and 170 000 random 4 KiB reads \
                 and writes a second; times of a read and of giving way as for nvme-pm9a3, for want of measurements",
        model: || Model::Nvme(nvme_p5510()),
    },
    Preset {
        name: "nvme-roealsen5",
        title: "NVMe SSD of 2022, PCIe 4.0, TLC, 960 GB (Roealsen5 class)",
        source: "DapuStor R5100 with its DP600 controller and KIOXIA's 112-layer eTLC flash over PCIe 4.0: no rate is published. \
                 Ceilings of KIOXIA's own CM6 for an order of size: 6900 MB/s, 1 400 000 random 4 KiB reads a second; dies side by \
                 side fitted on its advantage under GreatSQL (January 2023); all else as nvme-pm9a3-960, its rival there",
        model: || Model::Nvme(nvme_roealsen5()),
    },
    Preset {
        name: "emulated-hdd",
        title: "constant times: 1 slot, read 6 ms, write 6 ms, sync 8 ms",
        source: "the emulated disk under which the measured engines of the test data ran",
        model: || {
            Model::Fixed(FixedSpec {
                slots: 1,
                read: Span::ms(6),
                write: Span::ms(6),
                sync: Span::ms(8),
                late: Span(0),
            })
        },
    },
    Preset {
        name: "emulated-ssd",
        title: "constant times: 8 slots, read 0.15 ms, write 0.1 ms, sync 0.5 ms",
        source: "the emulated SSD under which the measured engines of the test data ran",
        model: || {
            Model::Fixed(FixedSpec {
                slots: 8,
                read: Span::us(150),
                write: Span::us(100),
                sync: Span::us(500),
                late: Span(0),
            })
        },
    },
];

fn sas_15k() -> HddSpec {
    HddSpec {
        rpm: 15_000,
        capacity: Bytes(300_000_000_000),
        surfaces: 4,
        outer_bytes_per_s: mb_per_s(204),
        inner_bytes_per_s: mb_per_s(122),
        seek_track: Span::us(200),
        seek_average: Span::us(3400),
        seek_full: Span::us(6600),
        write_settle: Span::us(500),
        overhead: Span::us(100),
        command: Span::us(650),
        queue_depth: 32,
        order: QueueOrder::ShortestPositioning,
        write_cache: Bytes(0),
    }
}

fn sata_7200() -> HddSpec {
    HddSpec {
        rpm: 7200,
        capacity: Bytes(2_000_000_000_000),
        surfaces: 6,
        outer_bytes_per_s: mb_per_s(175),
        inner_bytes_per_s: mb_per_s(83),
        seek_track: Span::us(600),
        seek_average: Span::us(8200),
        seek_full: Span::us(16_000),
        write_settle: Span::us(500),
        overhead: Span::us(100),
        command: Span::us(200),
        queue_depth: 32,
        order: QueueOrder::ShortestPositioning,
        write_cache: Bytes::mib(32),
    }
}

fn sata_ssd_2010() -> SsdSpec {
    SsdSpec {
        capacity: Bytes(100_000_000_000),
        channels: 10,
        dies_per_channel: 2,
        flash_page: Bytes::kib(4),
        read: Span::us(25),
        program: Span::us(250),
        channel_bytes_per_s: mb_per_s(40),
        interface_bytes_per_s: mb_per_s(250),
        overhead: Span::us(40),
        dispatch: Span::us(26),
        write_buffer: Bytes::kib(256),
        power_loss_protection: false,
        over_provisioning: 0.28,
    }
}

fn nvme_pm9a3() -> NvmeSpec {
    NvmeSpec {
        capacity: Bytes(3_840_000_000_000),
        channels: 8,
        dies_per_channel: 8,
        planes: 2,
        flash_page: Bytes::kib(16),
        pages_per_program: 3,
        read: [Span::us(40), Span::us(44), Span::us(54)],
        program: Span::us(1550),
        erase: Span::ms(5),
        programs_per_block: 384,
        suspend: Span::us(60),
        resume: Span::us(140),
        suspensions: 16,
        channel_bytes_per_s: mb_per_s(1200),
        link_bytes_per_s: mb_per_s(6800),
        read_overhead: Span::us(20),
        write_overhead: Span::us(15),
        flush_overhead: Span::us(10),
        dispatch: Span(1000),
        retry_share: 0.0015,
        retry: Span::us(45),
        write_buffer: Bytes::mib(12),
        power_loss_protection: true,
        over_provisioning: 0.11,
    }
}

fn nvme_pm9a3_960() -> NvmeSpec {
    NvmeSpec {
        capacity: Bytes(960_000_000_000),
        dies_per_channel: 2,
        program: Span::us(1030),
        link_bytes_per_s: mb_per_s(6500),
        ..nvme_pm9a3()
    }
}

fn nvme_p5510() -> NvmeSpec {
    NvmeSpec {
        program: Span::us(1840),
        over_provisioning: 0.12,
        link_bytes_per_s: mb_per_s(6500),
        dispatch: Span(1428),
        ..nvme_pm9a3()
    }
}

fn nvme_roealsen5() -> NvmeSpec {
    NvmeSpec {
        dies_per_channel: 6,
        link_bytes_per_s: mb_per_s(6900),
        dispatch: Span(714),
        ..nvme_pm9a3_960()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_passes_its_own_checks() {
        for preset in &PRESETS {
            let spec = crate::DeviceSpec::of_preset(preset.name);
            assert_eq!(spec.check(), [], "{}", preset.name);
            assert!(!preset.source.is_empty());
        }
    }
}
