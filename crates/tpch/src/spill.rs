//! When a sort or a hash table of PostgreSQL outgrows `work_mem`, and what it then writes to temporary files.
//!
//! Rows of a sample are a share of the rows; whether they fit, and into how many parts they fall, is that of the whole.

/// Bytes of a block of a temporary file (`BLCKSZ`).
pub(crate) const BLOCK_BYTES: f64 = 8192.0;
/// Header of a row in memory (`SizeofMinimalTupleHeader`, rounded up).
const HEADER_BYTES: f64 = 16.0;
/// What stands before a row in a hash table (`HJTUPLE_OVERHEAD`), and a pointer for each bucket.
const HASH_ENTRY_BYTES: f64 = 16.0;
const BUCKET_BYTES: f64 = 8.0;
/// What `tuplesort.c` keeps of a row beside it: `SortTuple`, and the header of its piece of memory.
const SORT_ENTRY_BYTES: f64 = 24.0 + 16.0;
/// On a tape a row loses the part of its header before its attributes and gets a length (`writetup_heap`): of 121 bytes
/// in Q4, Q9 and Q16 on PostgreSQL 15 ten are left beside the values.
const TAPE_BYTES: f64 = 10.0;
/// A row's length stands behind it, too, where a tape is read backwards.
pub(crate) const LENGTH_BEHIND_BYTES: f64 = 4.0;
/// In a batch's file its hash value stands before it (`ExecHashJoinSaveTuple`).
const BATCH_BYTES: f64 = 4.0;
/// Room that a merge takes for each run it reads (`MERGE_BUFFER_SIZE`, `TAPE_BUFFER_OVERHEAD`), and the least number of
/// runs that it reads at once (`MINORDER`).
const MERGE_BUFFER_BYTES: f64 = 35.0 * BLOCK_BYTES;
const MERGE_RUNS_MIN: f64 = 6.0;

/// What an operator may keep in memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorkMemory {
    /// Bytes for a sort (`work_mem`).
    pub bytes: f64,
    /// Times as much for a hash table (`hash_mem_multiplier`, 13 and later).
    pub hash_times: f64,
    /// Share of the rows that are there.
    pub share: f64,
}

/// Bytes rounded up to what a processor likes (`MAXALIGN`).
fn aligned(bytes: f64) -> f64 {
    (bytes / 8.0).ceil() * 8.0
}

impl WorkMemory {
    /// Parts into which a hash join over `rows` rows of `bytes` on its inner side falls: 1 where they fit, else a power of
    /// two (`ExecChooseHashTableSize`).
    pub(crate) fn batches(&self, rows: u64, bytes: f64) -> u64 {
        let rows = rows as f64 / self.share;
        let memory = self.bytes * self.hash_times;
        let row = HASH_ENTRY_BYTES + HEADER_BYTES + aligned(bytes);
        let buckets = |rows: f64| power_of_two(rows) as f64 * BUCKET_BYTES;
        if rows * row + buckets(rows) <= memory {
            return 1;
        }
        let room = memory - buckets(memory / (row + BUCKET_BYTES));
        power_of_two(rows * row / room.max(memory / 2.0)).max(2)
    }

    /// How often a sort of `rows` rows of `bytes` writes and reads all of them: not at all where they fit.
    pub fn sort_passes(&self, rows: u64, bytes: f64) -> u64 {
        let memory = rows as f64 / self.share * (SORT_ENTRY_BYTES + aligned(HEADER_BYTES + bytes));
        if memory <= self.bytes {
            return 0;
        }
        let at_once = (self.bytes / MERGE_BUFFER_BYTES).floor().max(MERGE_RUNS_MIN);
        let (mut runs, mut passes) = ((memory / self.bytes).ceil(), 1);
        while runs > at_once {
            runs = (runs / at_once).ceil();
            passes += 1;
        }
        passes
    }
}

/// The least power of two that is not less.
fn power_of_two(count: f64) -> u64 {
    (count.ceil().max(1.0) as u64).next_power_of_two()
}

/// Bytes of a row with `bytes` of values on a tape of a sort.
pub(crate) fn on_tape(bytes: f64) -> f64 {
    TAPE_BYTES + bytes
}

/// Bytes of such a row in the file of a batch.
pub(crate) fn in_batch(bytes: f64) -> f64 {
    BATCH_BYTES + HEADER_BYTES + bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEGABYTE: f64 = 1_048_576.0;
    const FOUR: WorkMemory = WorkMemory { bytes: 4.0 * MEGABYTE, hash_times: 2.0, share: 1.0 };

    /// Rows, bytes and batches of hash tables in EXPLAIN ANALYZE of PostgreSQL 15 at scale 1.
    #[test]
    fn hash_tables_fall_into_the_measured_batches() {
        for (rows, bytes, batches) in [
            (158_960, 172.0, 8),
            (121_324, 30.0, 2),
            (319_404, 31.0, 4),
            (200_000, 25.0, 2),
            (150_000, 4.0, 1),
        ] {
            assert_eq!(FOUR.batches(rows, bytes), batches, "{rows} of {bytes}");
        }
    }

    /// Kilobytes that sorts took on disk there: what was measured, by rows and the bytes of their values.
    #[test]
    fn sorts_take_the_measured_room() {
        for (rows, bytes, kilobytes) in [(52_523, 16.0, 1344.0), (118_274, 42.0, 6040.0)] {
            let model = rows as f64 * on_tape(bytes) / 1024.0;
            assert!((model / kilobytes - 1.0_f64).abs() < 0.03, "{model} of {kilobytes}");
            assert_eq!(FOUR.sort_passes(rows, bytes), u64::from(rows > 60_000));
        }
    }

    #[test]
    fn a_sample_falls_into_the_parts_of_the_whole() {
        let small = WorkMemory { share: 0.01, ..FOUR };
        assert_eq!(small.batches(1589, 172.0), 8);
        assert_eq!(small.sort_passes(1182, 42.0), 1);
        assert_eq!(FOUR.sort_passes(100_000_000, 42.0), 3, "2500 runs, 14 at once");
    }
}
