//! Data sheets of Firebird.

use super::{BufferSize, ProcessorCosts, Profile, count, size, switch};
use crate::{
    layout::StorageFormat,
    parameters::{ParameterKind, ParameterSpec},
};

/// Processor time of statements of a stored procedure, which make no round trip of their own (measured on 3.0.11).
const COSTS: ProcessorCosts = ProcessorCosts {
    select_ns: 6_000,
    insert_ns: 6_000,
    index_entry_ns: 2_000,
    update_ns: 6_000,
    row_ns: 1_000,
    plan_lookup_ns: 2_000,
    plan_row_ns: 200,
    page_read_ns: 15_000,
    page_write_ns: 5_000,
    log_wait_ns: 0,
};

const GC_POLICY: ParameterSpec = ParameterSpec {
    name: "gc_policy",
    kind: ParameterKind::Choice(&["combined", "cooperative", "background"]),
    default: "combined",
    range: (0.0, 2.0),
    effect: "Who removes old versions of rows: whoever meets them, a thread of its own, or both.",
};

/// Firebird 2.5: SuperServer, whose threads take turns on one processor, or Classic and SuperClassic, which use all of
/// them and keep a cache for each connection.
pub(super) const FIREBIRD_2_5: Profile = Profile {
    name: "firebird-2.5",
    title: "Firebird 2.5",
    format: StorageFormat::Firebird11,
    page_bytes: 4096,
    buffer: BufferSize::Pages("page_buffers"),
    parameters: &[
        ParameterSpec {
            name: "architecture",
            kind: ParameterKind::Choice(&["superserver", "superclassic", "classic"]),
            default: "superserver",
            range: (0.0, 2.0),
            effect: "SuperServer has one cache and uses one processor; the others use all, with a cache for each connection.",
        },
        size("page_size", "4096", 4096.0, 16_384.0, "Bytes of a page, fixed when the database is made."),
        count(
            "page_buffers",
            "2048",
            50.0,
            2_147_483_647.0,
            "Pages in the server's own cache (DefaultDbCachePages), over the file cache of the system.",
        ),
        count(
            "file_system_cache_threshold",
            "65536",
            0.0,
            2_147_483_647.0,
            "Own caches of this many pages and more go around the file cache of the system (FileSystemCacheThreshold).",
        ),
        switch(
            "forced_writes",
            "on",
            "The file is opened for write-through: each page a commit writes has left the file cache before the next.",
        ),
        GC_POLICY,
    ],
    costs: COSTS,
    source: "Firebird 2.5 source (src/jrd: cch, dpm, vio, btr, tra, ods; Database::Checkout around each transfer of a page in \
             os/win32/winnt.cpp), firebird.conf of 2.5 for defaults; processor time as measured on 3.0.11",
};

/// Firebird 3.0 SuperServer: one cache for all connections.
pub(super) const FIREBIRD_3_0: Profile = Profile {
    name: "firebird-3.0",
    title: "Firebird 3.0 SuperServer",
    format: StorageFormat::Firebird,
    page_bytes: 8192,
    buffer: BufferSize::Pages("page_buffers"),
    parameters: &[
        size("page_size", "8192", 4096.0, 16_384.0, "Bytes of a page, fixed when the database is made."),
        count(
            "page_buffers",
            "2048",
            50.0,
            2_147_483_647.0,
            "Pages in the shared cache (DefaultDbCachePages): the more, the fewer reads; writes stay.",
        ),
        switch(
            "forced_writes",
            "on",
            "The file is opened for synchronous writes: each page a commit writes is durable before the next.",
        ),
        GC_POLICY,
    ],
    costs: COSTS,
    source: "Firebird 3.0 source (src/jrd: cch, dpm, vio, btr, tra, ods), firebird.conf of 3.0 for defaults; measurements of \
             3.0.11 for processor time, the client's round trips included",
};
