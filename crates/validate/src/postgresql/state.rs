//! The state in which a cell found its tables, from the order of the measurements.

use crate::Cell;
use spindle_engine::heap_versions::HeapHistory;

/// Updates of the accounts that one script left behind, drawn alike over them: ten seconds at some thousands a second
/// on two processors. No plan says how many there were.
const UPDATES_OF_A_SCRIPT: f64 = 35_000.0;
/// Heap pages of the accounts.
const HEAP_PAGES: f64 = 131_148.0;

/// Share of pages that a number of updates, drawn alike over all rows, has met.
fn met(updates: f64) -> f64 {
    1.0 - libm::exp(-updates / HEAP_PAGES)
}

/// What the accounts' heap had been through. The plans ran one after the other: `buffers` on freshly loaded tables, for
/// each size of the buffer first three scripts that read and then three that update; `fpi` and `wal` on what it left;
/// `device` after VACUUM, but for cells whose note says otherwise.
pub(super) fn heap(cell: &Cell) -> HeapHistory {
    let plan = cell.id.split('/').nth(1).unwrap_or_default();
    let script = cell.text("script").unwrap_or_default();
    match plan {
        "buffers" => buffers(script, cell.number("shared_buffers").unwrap_or(0.0)),
        "fpi" | "wal" => {
            // Four sizes, two scripts at each that update all over; nothing has pruned their pages but updates.
            let updated = met(8.0 * UPDATES_OF_A_SCRIPT + 100_000.0);
            HeapHistory { updated, unpruned: updated, all_visible: false }
        }
        _ if script == "select-only"
            && cell.text("note").is_some_and(|note| note.contains("not vacuumed")) =>
        {
            // The log's plan has updated about every page; half of the time a later visit has pruned it.
            HeapHistory { updated: 1.0, unpruned: met(4.0 * UPDATES_OF_A_SCRIPT), all_visible: false }
        }
        _ => HeapHistory { updated: 1.0, unpruned: 0.0, all_visible: true },
    }
}

fn buffers(script: &str, shared_buffers: f64) -> HeapHistory {
    // Sizes in the order in which they were measured, by factors of four.
    let before = libm::round(libm::log2(shared_buffers / 33_554_432.0) / 2.0).max(0.0);
    let here = match script {
        "zipf_upd_scatter" => 1.0,
        "tpcb-like" => 1.5,
        _ => 0.0,
    };
    // Of the earlier sizes, updates alike over all rows came from two scripts at each.
    let updates = (before * 2.0 + here) * UPDATES_OF_A_SCRIPT;
    // The selects of a size prune what its predecessor left, in part.
    let unpruned = if before > 0.0 { 2.0 } else { 0.0 } + here;
    HeapHistory {
        updated: met(updates),
        unpruned: met(unpruned * UPDATES_OF_A_SCRIPT).min(met(updates)),
        all_visible: before == 0.0,
    }
}
