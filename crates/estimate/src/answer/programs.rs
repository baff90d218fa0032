//! What reads of flash wait for: programs of what is written meanwhile.

use super::{Question, Round};
use crate::demand::{Commit, Writer};
use spindle_device::Model;

/// Flash of one device, as far as reads and programs are in each other's way.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Flash {
    dies: f64,
    /// Bytes of a page that a read brings, and bytes that a program puts on a die.
    page: f64,
    programmed: f64,
    /// Milliseconds of a program under way, which a read may have to wait for; and all that it occupies its die for, with
    /// its part of cleaning and erasing.
    program_ms: f64,
    occupied_ms: f64,
    over_provisioning: f64,
    /// Milliseconds until a program has given way to a read, and to how many reads it does; `None` where it never does.
    gives_way: Option<(f64, f64)>,
}

impl Flash {
    fn of(model: &Model) -> Option<Self> {
        match model {
            Model::Ssd(ssd) => {
                let program_ms = ssd.program.0 as f64 / 1e6;
                let page = ssd.flash_page.0.max(1) as f64;
                Some(Self {
                    dies: f64::from(ssd.channels * ssd.dies_per_channel),
                    page,
                    programmed: page,
                    program_ms,
                    occupied_ms: program_ms,
                    over_provisioning: ssd.over_provisioning,
                    gives_way: None,
                })
            }
            Model::Nvme(nvme) => {
                let program_ms = nvme.program.0 as f64 / 1e6;
                let page = nvme.flash_page.0.max(1) as f64;
                let erased_ms = nvme.erase.0 as f64 / 1e6 / f64::from(nvme.programs_per_block.max(1));
                Some(Self {
                    dies: f64::from(nvme.channels * nvme.dies_per_channel),
                    page,
                    programmed: page * f64::from(nvme.planes.max(1) * nvme.pages_per_program.max(1)),
                    program_ms,
                    occupied_ms: program_ms + erased_ms,
                    over_provisioning: nvme.over_provisioning,
                    gives_way: (nvme.suspensions > 0)
                        .then(|| (nvme.suspend.0 as f64 / 1e6, f64::from(nvme.suspensions))),
                })
            }
            _ => None,
        }
    }

    /// Bytes programmed for each one written, with the flash that is not written as spare (`SsdSpec::write_amplification`).
    fn amplification(&self, written_share: f64) -> f64 {
        let spare = (1.0 + self.over_provisioning - written_share) / written_share.max(1e-3);
        ((1.0 + spare) / (2.0 * spare)).max(1.0)
    }

    /// Milliseconds that a read of several flash pages waits, with each of their dies occupied by programs for a share of
    /// the time and so many reads of a flash page a millisecond on each. What a program does not give way to waits for
    /// what is left of it, anything up to the whole alike; the read is done with the last of its pages.
    fn wait_ms(&self, pages: f64, occupied: f64, reads: f64) -> f64 {
        let (gives_way_ms, yielding) = match self.gives_way {
            Some((ms, times)) => (ms, (times / (reads * self.program_ms).max(1e-9)).min(1.0)),
            None => (0.0, 0.0),
        };
        let met = |share: f64| 1.0 - libm::pow(1.0 - share, pages);
        let stands = (occupied * (1.0 - yielding)).min(1.0);
        let longest = if stands > 1e-9 {
            1.0 - (1.0 - libm::pow(1.0 - stands, pages + 1.0)) / (stands * (pages + 1.0))
        } else {
            0.0
        };
        longest * self.program_ms + met((occupied * yielding).min(1.0)) * gives_way_ms
    }
}

impl Question<'_> {
    /// Milliseconds that a read of a page waits for programs, with so many reads of pages and pages written a millisecond.
    pub(super) fn program_wait_ms(&self, before: &Round, reads: f64, writes: f64) -> f64 {
        let device = &self.scenario.storage.device;
        let Some(flash) = device.model().ok().as_ref().and_then(Flash::of) else { return 0.0 };
        if self.cached_pages.is_some() && !self.demand.direct && self.demand.writer != Writer::Committer {
            return 0.0;
        }
        let dies = flash.dies * self.groups_of_devices();
        // A program takes whole flash pages, and so does each copy of a page.
        let whole = |bytes: f64| (bytes / flash.page).ceil() * flash.page;
        let pages = writes * self.copies_written() * whole(self.demand.page_bytes);
        let log = self.log_bytes_beside(before);
        let flushed = if log > 0.0 { self.log_flushes(before) * whole(log) } else { 0.0 };
        let programs = (pages + flushed) * flash.amplification(device.written_share) / flash.programmed;
        let occupied = (programs * flash.occupied_ms / dies).min(1.0);
        let read_pages = (self.demand.page_bytes / flash.page).ceil().max(1.0);
        flash.wait_ms(read_pages, occupied, reads * read_pages / dies)
    }

    /// How often a page is written each time.
    fn copies_written(&self) -> f64 {
        match self.demand.writer {
            Writer::UserThread { doublewrite: true, .. } | Writer::Blocks { .. } => 2.0,
            Writer::Cleaner(cleaner) if cleaner.doublewrite => 2.0,
            _ => 1.0,
        }
    }

    /// Bytes of a flush of the log to the data device.
    fn log_bytes_beside(&self, before: &Round) -> f64 {
        if self.log_apart || self.demand.commit == Commit::Nothing {
            return 0.0;
        }
        self.demand.log_bytes + before.images
    }
}

#[cfg(test)]
mod tests {
    use super::Flash;

    const FLASH: Flash = Flash {
        dies: 64.0,
        page: 16_384.0,
        programmed: 16_384.0,
        program_ms: 1.0,
        occupied_ms: 1.0,
        over_provisioning: 0.1,
        gives_way: None,
    };

    #[test]
    fn a_read_waits_for_half_a_program_on_a_die_that_is_always_programmed() {
        assert!((FLASH.wait_ms(1.0, 1.0, 0.0) - 0.5).abs() < 1e-9);
        assert!((FLASH.wait_ms(1.0, 0.2, 0.0) - 0.1).abs() < 1e-9);
        assert_eq!(FLASH.wait_ms(4.0, 0.0, 0.0), 0.0);
    }

    #[test]
    fn a_read_of_several_pages_waits_for_the_last() {
        // The largest of three that are anything between nothing and a whole program.
        assert!((FLASH.wait_ms(3.0, 1.0, 0.0) - 0.75).abs() < 1e-9);
    }

    #[test]
    fn a_program_that_gives_way_costs_little_until_it_has_done_so_too_often() {
        let yielding = Flash { gives_way: Some((0.02, 4.0)), ..FLASH };
        assert!((yielding.wait_ms(1.0, 0.5, 1.0) - 0.01).abs() < 1e-9);
        let often = yielding.wait_ms(1.0, 0.5, 8.0);
        assert!(often > 0.1 && often < FLASH.wait_ms(1.0, 0.5, 8.0), "{often}");
    }
}
