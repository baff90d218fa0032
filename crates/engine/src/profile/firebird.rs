//! Data sheets of Firebird.

use super::{BufferSize, ProcessorCosts, Profile, count, size, switch};
use crate::{
    layout::StorageFormat,
    parameters::{ParameterKind, ParameterSpec},
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
        ParameterSpec {
            name: "gc_policy",
            kind: ParameterKind::Choice(&["combined", "cooperative", "background"]),
            default: "combined",
            range: (0.0, 2.0),
            effect: "Who removes old versions of rows: whoever meets them, a thread of its own, or both.",
        },
    ],
    costs: ProcessorCosts {
        // Statements of a stored procedure: no round trip of their own.
        select_ns: 6_000,
        insert_ns: 6_000,
        index_entry_ns: 2_000,
        update_ns: 6_000,
        row_ns: 1_000,
        page_read_ns: 15_000,
        page_write_ns: 5_000,
        log_wait_ns: 0,
    },
    source: "Firebird 3.0 source (src/jrd: cch, dpm, vio, btr, tra, ods), firebird.conf of 3.0 for defaults; measurements of \
             3.0.11 for processor time, the client's round trips included",
};
