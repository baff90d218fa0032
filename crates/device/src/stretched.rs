//! A device that a sample of the data lies on: the sample is spread over the room of the whole.

use crate::{Access, Activity, Device, Request};

/// Bytes that stay together: what is read ahead, merged or written in one go is shorter.
const RUN_BYTES: u64 = 8 << 20;

/// Puts runs of 8 MiB as far apart as they would lie if all the data were there, so that an arm has as far to go.
pub struct Stretched {
    device: Box<dyn Device>,
    share: f64,
}

impl Stretched {
    /// Spreads `share` of the data, above 0 and up to 1, over the room of all of it.
    pub fn new(device: Box<dyn Device>, share: f64) -> Self {
        Self { device, share }
    }

    fn place(&self, offset: u64) -> u64 {
        let run = (offset / RUN_BYTES) as f64 / self.share;
        run as u64 * RUN_BYTES + offset % RUN_BYTES
    }
}

impl Device for Stretched {
    fn submit(&mut self, now: u64, request: Request) {
        self.device.submit(now, Request { offset: self.place(request.offset), ..request });
    }

    fn next_event(&self) -> Option<u64> {
        self.device.next_event()
    }

    fn advance(&mut self, now: u64, done: &mut Vec<u64>) {
        self.device.advance(now, done);
    }

    fn floor_ns(&self, access: Access, bytes: u32) -> u64 {
        self.device.floor_ns(access, bytes)
    }

    fn activity(&self, now: u64) -> Activity {
        self.device.activity(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceSpec;

    #[test]
    fn runs_lie_apart_and_stay_whole() {
        let device = DeviceSpec::of_preset("sas-15k").build().unwrap();
        let stretched = Stretched::new(device, 0.25);
        assert_eq!(stretched.place(100), 100);
        assert_eq!(stretched.place(RUN_BYTES - 1), RUN_BYTES - 1);
        assert_eq!(stretched.place(RUN_BYTES + 5), 4 * RUN_BYTES + 5);
    }
}
