//! Storage as a scenario describes it: a preset or a custom device, how many, in what array.

use crate::{
    Array, ControllerCacheSpec, Device, Fixed, FixedSpec, Hdd, HddSpec, Nvme, NvmeSpec, RaidLevel, Ssd,
    SsdSpec, preset,
};
use serde::{Deserialize, Serialize};
use spindle_units::Bytes;

/// What is wrong with a specification: the path within it, what was found, what was expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// Dotted path from the specification's root, such as `hdd.rpm`.
    pub path: String,
    /// The value as found.
    pub found: String,
    /// What would be accepted.
    pub expected: String,
}

impl Issue {
    /// An issue at `path`.
    pub fn new(path: impl Into<String>, found: impl ToString, expected: impl Into<String>) -> Self {
        Self { path: path.into(), found: found.to_string(), expected: expected.into() }
    }

    /// The same issue seen from outside: `prefix.path`.
    pub fn within(mut self, prefix: &str) -> Self {
        self.path = format!("{prefix}.{}", self.path);
        self
    }
}

impl std::fmt::Display for Issue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: found {}, expected {}", self.path, self.found, self.expected)
    }
}

/// The storage of a scenario. Exactly one of `preset`, `hdd`, `ssd`, `nvme` and `fixed` is given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceSpec {
    /// A device by the name of its preset.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub preset: Option<String>,
    /// A disk by its data sheet.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hdd: Option<HddSpec>,
    /// A solid-state drive by its parts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ssd: Option<SsdSpec>,
    /// An NVMe drive by its parts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub nvme: Option<NvmeSpec>,
    /// A device of constant service times.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fixed: Option<FixedSpec>,
    /// Members of the array, 1 to 64.
    #[serde(default = "one")]
    pub count: u32,
    /// Share of each member's capacity that was ever written, above 0 and up to 1. What was not is spare room for a
    /// solid-state drive's cleaning; disks do not care.
    #[serde(default = "full")]
    pub written_share: f64,
    /// How the members are combined.
    #[serde(default = "single")]
    pub raid: RaidLevel,
    /// Bytes on one member before the next one follows.
    #[serde(default = "stripe")]
    pub stripe: Bytes,
    /// Write cache of the controller; none where it is left out.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub controller_cache: Option<ControllerCacheSpec>,
}

fn full() -> f64 {
    1.0
}
fn one() -> u32 {
    1
}
fn single() -> RaidLevel {
    RaidLevel::Single
}
fn stripe() -> Bytes {
    Bytes::kib(64)
}

/// One kind of device with its numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// A disk.
    Hdd(HddSpec),
    /// A solid-state drive.
    Ssd(SsdSpec),
    /// An NVMe drive.
    Nvme(NvmeSpec),
    /// Constant times.
    Fixed(FixedSpec),
}

/// Spare flash as a share of what holds data: of 1 + p units of flash `written_share` do; the rest is spare.
fn spare(over_provisioning: f64, written_share: f64) -> f64 {
    (1.0 + over_provisioning - written_share) / written_share.max(1e-3)
}

impl Model {
    /// Bytes of the address space; a device of constant times has no end.
    pub fn capacity(&self) -> u64 {
        match self {
            Self::Hdd(spec) => spec.capacity.0,
            Self::Ssd(spec) => spec.capacity.0,
            Self::Nvme(spec) => spec.capacity.0,
            Self::Fixed(_) => u64::MAX >> 1,
        }
    }

    fn build(&self, written_share: f64) -> Box<dyn Device> {
        match self {
            Self::Hdd(spec) => Box::new(Hdd::new(spec)),
            Self::Ssd(spec) => {
                let spare = spare(spec.over_provisioning, written_share);
                Box::new(Ssd::new(&SsdSpec { over_provisioning: spare, ..spec.clone() }))
            }
            Self::Nvme(spec) => {
                let spare = spare(spec.over_provisioning, written_share);
                Box::new(Nvme::new(&NvmeSpec { over_provisioning: spare, ..spec.clone() }))
            }
            Self::Fixed(spec) => Box::new(Fixed::new(spec)),
        }
    }
}

impl DeviceSpec {
    /// One device of a preset.
    pub fn of_preset(name: &str) -> Self {
        Self {
            preset: Some(name.to_owned()),
            hdd: None,
            ssd: None,
            nvme: None,
            fixed: None,
            count: 1,
            written_share: 1.0,
            raid: RaidLevel::Single,
            stripe: stripe(),
            controller_cache: None,
        }
    }

    /// One device of constant service times.
    pub fn of_fixed(spec: FixedSpec) -> Self {
        Self { preset: None, fixed: Some(spec), ..Self::of_preset("") }
    }

    /// The member device's model, from the preset or as given.
    pub fn model(&self) -> Result<Model, Issue> {
        let given = [
            self.preset.is_some(),
            self.hdd.is_some(),
            self.ssd.is_some(),
            self.nvme.is_some(),
            self.fixed.is_some(),
        ];
        match given.iter().filter(|g| **g).count() {
            1 => {}
            n => {
                return Err(Issue::new(
                    "preset",
                    format!("{n} of preset, hdd, ssd, nvme, fixed"),
                    "exactly one of them",
                ));
            }
        }
        if let Some(name) = &self.preset {
            let names = || crate::PRESETS.iter().map(|p| p.name).collect::<Vec<_>>().join(", ");
            return preset(name)
                .map(|p| (p.model)())
                .ok_or_else(|| Issue::new("preset", format!("`{name}`"), format!("one of {}", names())));
        }
        let hdd = self.hdd.clone().map(Model::Hdd);
        let ssd = || self.ssd.clone().map(Model::Ssd);
        let nvme = || self.nvme.clone().map(Model::Nvme);
        let fixed = || self.fixed.clone().map(Model::Fixed);
        hdd.or_else(ssd)
            .or_else(nvme)
            .or_else(fixed)
            .ok_or_else(|| Issue::new("preset", "nothing", "a device"))
    }

    /// Bytes that fit on the device: on all members of an array, less what mirrors hold a second time.
    pub fn capacity(&self) -> Result<u64, Issue> {
        let member = self.model()?.capacity();
        let members = u64::from(self.count.max(1) / self.raid.copies(self.count).max(1)).max(1);
        Ok(member.saturating_mul(members))
    }

    /// Everything that is wrong with this specification.
    pub fn check(&self) -> Vec<Issue> {
        let mut issues = Vec::new();
        match self.model() {
            Err(issue) => issues.push(issue),
            Ok(Model::Hdd(h)) => check_hdd(&h, &mut issues),
            Ok(Model::Ssd(s)) => check_ssd(&s, &mut issues),
            Ok(Model::Nvme(n)) => check_nvme(&n, &mut issues),
            Ok(Model::Fixed(f)) => {
                range("fixed.slots", f64::from(f.slots), 1.0, 4096.0, &mut issues);
            }
        }
        range("count", f64::from(self.count), 1.0, 64.0, &mut issues);
        range("written_share", self.written_share, 0.001, 1.0, &mut issues);
        let fits = match self.raid {
            RaidLevel::Single => self.count <= 1,
            RaidLevel::Raid0 => true,
            RaidLevel::Raid1 => self.count >= 2,
            RaidLevel::Raid10 => self.count >= 2 && self.count.is_multiple_of(2),
        };
        if self.count >= 1 && !fits {
            let expected = match self.raid {
                RaidLevel::Single => "1 device, or `raid` set to \"0\", \"1\" or \"10\"",
                RaidLevel::Raid10 => "an even number of devices for RAID 10",
                _ => "at least 2 devices for RAID 1",
            };
            issues.push(Issue::new("count", self.count, expected));
        }
        range("stripe", self.stripe.0 as f64, 512.0, (64u64 << 20) as f64, &mut issues);
        if let Some(cache) = &self.controller_cache {
            range("controller_cache.size", cache.size.0 as f64, 0.0, (1u64 << 40) as f64, &mut issues);
        }
        issues
    }

    /// The device in virtual time.
    pub fn build(&self) -> Result<Box<dyn Device>, Issue> {
        let model = self.model()?;
        if self.count <= 1 && self.controller_cache.is_none() {
            return Ok(model.build(self.written_share));
        }
        let members = (0..self.count.max(1)).map(|_| model.build(self.written_share)).collect();
        Ok(Box::new(Array::new(self.raid, self.stripe.0, members, self.controller_cache.clone())))
    }
}

fn range(path: &str, value: f64, low: f64, high: f64, issues: &mut Vec<Issue>) {
    if !(low..=high).contains(&value) {
        issues.push(Issue::new(path, value, format!("{low} to {high}")));
    }
}

fn check_hdd(h: &HddSpec, issues: &mut Vec<Issue>) {
    range("hdd.rpm", f64::from(h.rpm), 1000.0, 30_000.0, issues);
    range("hdd.capacity", h.capacity.0 as f64, 1e9, 1e15, issues);
    range("hdd.surfaces", f64::from(h.surfaces), 1.0, 64.0, issues);
    range("hdd.outer_bytes_per_s", h.outer_bytes_per_s.0 as f64, 1e6, 1e10, issues);
    range("hdd.inner_bytes_per_s", h.inner_bytes_per_s.0 as f64, 1e6, h.outer_bytes_per_s.0 as f64, issues);
    range("hdd.queue_depth", f64::from(h.queue_depth), 1.0, 256.0, issues);
    if !(h.seek_track <= h.seek_average && h.seek_average <= h.seek_full) {
        let found = format!("{}, {}, {}", h.seek_track, h.seek_average, h.seek_full);
        issues.push(Issue::new("hdd.seek_average", found, "seek_track ≤ seek_average ≤ seek_full"));
    }
}

fn check_ssd(s: &SsdSpec, issues: &mut Vec<Issue>) {
    range("ssd.capacity", s.capacity.0 as f64, 1e9, 1e15, issues);
    range("ssd.channels", f64::from(s.channels), 1.0, 64.0, issues);
    range("ssd.dies_per_channel", f64::from(s.dies_per_channel), 1.0, 64.0, issues);
    range("ssd.flash_page", s.flash_page.0 as f64, 512.0, 1048576.0, issues);
    range("ssd.channel_bytes_per_s", s.channel_bytes_per_s.0 as f64, 1e6, 1e11, issues);
    range("ssd.interface_bytes_per_s", s.interface_bytes_per_s.0 as f64, 1e6, 1e12, issues);
    range("ssd.over_provisioning", s.over_provisioning, 0.02, 1.0, issues);
}

fn check_nvme(n: &NvmeSpec, issues: &mut Vec<Issue>) {
    range("nvme.capacity", n.capacity.0 as f64, 1e9, 1e15, issues);
    range("nvme.channels", f64::from(n.channels), 1.0, 64.0, issues);
    range("nvme.dies_per_channel", f64::from(n.dies_per_channel), 1.0, 64.0, issues);
    range("nvme.planes", f64::from(n.planes), 1.0, 8.0, issues);
    range("nvme.flash_page", n.flash_page.0 as f64, 512.0, 1048576.0, issues);
    range("nvme.pages_per_program", f64::from(n.pages_per_program), 1.0, 4.0, issues);
    range("nvme.programs_per_block", f64::from(n.programs_per_block), 1.0, 100_000.0, issues);
    range("nvme.channel_bytes_per_s", n.channel_bytes_per_s.0 as f64, 1e6, 1e11, issues);
    range("nvme.link_bytes_per_s", n.link_bytes_per_s.0 as f64, 1e6, 1e12, issues);
    range("nvme.retry_share", n.retry_share, 0.0, 1.0, issues);
    range("nvme.over_provisioning", n.over_provisioning, 0.02, 1.0, issues);
}
