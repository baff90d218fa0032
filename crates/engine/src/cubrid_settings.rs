//! What the parameters of CUBRID say, of releases without and with versions.

use crate::{
    cubrid_flush::VOLUME_PAGES,
    layout::StorageFormat,
    miniature::Miniature,
    parameters::{BadValue, Parameters},
    profile::Profile,
    quota_lru::QuotaRules,
};

/// Bytes of a page, heap and tree alike.
pub(crate) const PAGE_BYTES: u32 = 16 << 10;

/// What parameters say, in pages, bytes and nanoseconds.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) frames: u32,
    pub(crate) log_buffer_bytes: u64,
    pub(crate) chains: u32,
    pub(crate) asynchronous: bool,
    pub(crate) group_interval_ns: u64,
    pub(crate) checkpoint_interval_ns: u64,
    pub(crate) checkpoint_log_bytes: u64,
    /// Pages of a volume: each that a block of the double write buffer has pages of is synced by itself.
    pub(crate) volume_pages: u32,
    /// What came with release 10.
    pub(crate) versions: Option<VersionSettings>,
}

/// Settings of releases with versions.
#[derive(Debug, Clone)]
pub(crate) struct VersionSettings {
    pub(crate) lists: QuotaRules,
    pub(crate) double_write_pages: u32,
    pub(crate) neighbours: u32,
    pub(crate) flush_interval_ns: u64,
    pub(crate) vacuum_workers: u32,
}

impl Settings {
    fn with_versions(profile: &Profile, parameters: &Parameters) -> Result<Self, BadValue> {
        let value = |name| profile.value(parameters, name);
        let page = f64::from(PAGE_BYTES);
        let private = value("num_private_chains")?;
        Ok(Self {
            frames: (value("data_buffer_size")? / page) as u32,
            log_buffer_bytes: value("log_buffer_size")? as u64,
            chains: 1,
            volume_pages: VOLUME_PAGES,
            asynchronous: value("async_commit")? > 0.0,
            group_interval_ns: value("group_commit_interval_in_msecs")? as u64 * 1_000_000,
            checkpoint_interval_ns: value("checkpoint_interval_in_mins")? as u64 * 60_000_000_000,
            checkpoint_log_bytes: value("checkpoint_every_size")? as u64,
            versions: Some(VersionSettings {
                lists: QuotaRules {
                    clients: value("max_clients")? as u32,
                    shared_lists: value("num_LRU_chains")? as u32,
                    private_lists: (private >= 0.0).then_some(private as u32),
                    hot: value("lru_hot_ratio")?,
                    buffer: value("lru_buffer_ratio")?,
                },
                double_write_pages: (value("double_write_buffer_size")? / page) as u32,
                neighbours: (value("data_buffer_neighbor_flush_pages")? as u32).max(1),
                // -1 stands for no rounds but those asked for.
                flush_interval_ns: value("page_flush_interval_in_msecs")?.max(0.0) as u64 * 1_000_000,
                vacuum_workers: value("vacuum_worker_count")? as u32,
            }),
        })
    }

    /// What a profile of either release and its parameters say.
    pub(crate) fn new(profile: &Profile, parameters: &Parameters) -> Result<Self, BadValue> {
        if profile.format == StorageFormat::CubridVersions {
            return Self::with_versions(profile, parameters);
        }
        let value = |name| profile.value(parameters, name);
        Ok(Self {
            versions: None,
            volume_pages: VOLUME_PAGES,
            frames: value("data_buffer_pages")? as u32,
            log_buffer_bytes: value("log_buffer_pages")? as u64 * u64::from(PAGE_BYTES),
            chains: value("num_LRU_chains")? as u32,
            asynchronous: value("async_commit")? > 0.0,
            group_interval_ns: value("group_commit_interval_in_msecs")? as u64 * 1_000_000,
            checkpoint_interval_ns: value("checkpoint_interval_in_mins")? as u64 * 60_000_000_000,
            checkpoint_log_bytes: value("checkpoint_every_npages")? as u64 * u64::from(PAGE_BYTES),
        })
    }

    /// What is left of each in a sample of the pages.
    pub(crate) fn in_sample(self, sample: Miniature) -> Self {
        let chains = sample.of(u64::from(self.chains)) as u32;
        Self {
            frames: sample.frames(self.frames),
            chains: chains.max(self.chains.min(1)),
            volume_pages: (sample.of(u64::from(self.volume_pages)) as u32).max(1),
            checkpoint_interval_ns: sample.slow_ns(self.checkpoint_interval_ns),
            checkpoint_log_bytes: sample.log_bytes(self.checkpoint_log_bytes),
            ..self
        }
    }
}
