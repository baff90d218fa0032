//! The state in which a cell found its tables, from the order of the measurements.

use crate::Cell;
use spindle_engine::heap_versions::HeapHistory;

/// Updates of accounts, alike over them, that one script of the `buffers` plan left behind: six seconds at some thousands
/// a second on two busy processors. No plan says how many there were.
const UPDATES_OF_A_SCRIPT: f64 = 30_000.0;
/// Selects of the script of that plan that comes first.
const SELECTS_OF_A_SCRIPT: f64 = 60_000.0;
/// Scripts of that plan at each size of the buffer that update accounts alike, and how many sizes there were.
const UPDATING_SCRIPTS: f64 = 2.0;
const SIZES: f64 = 4.0;
/// Updates of the `wal` plan: 27 cells of five seconds, most of them bound by a log of 70 to 2000 syncs' worth a second.
const UPDATES_OF_WAL_PLAN: f64 = 250_000.0;
/// Heap pages of the accounts, and pages of their table with its index.
const HEAP_PAGES: f64 = 131_148.0;
const PAGES: f64 = 153_085.0;

/// What a cell found: the accounts' heap, and pages in the buffer that differ from the device.
pub(super) struct State {
    pub(super) heap: HeapHistory,
    pub(super) dirty_pages: u64,
}

/// The plan a cell belongs to.
pub(super) fn plan(cell: &Cell) -> &str {
    cell.id.split('/').nth(1).unwrap_or_default()
}

/// Share of pages that a number of updates, drawn alike over all rows, has met.
fn met(updates: f64) -> f64 {
    1.0 - libm::exp(-updates / HEAP_PAGES)
}

/// What the tables had been through. The plans ran one after the other: `buffers` on freshly loaded tables, for each size
/// of the buffer first three scripts that read and then three that update; `fpi` and `wal` on what it left; `device`
/// after VACUUM, but for cells whose note says otherwise.
pub(super) fn of(cell: &Cell) -> State {
    let script = cell.text("script").unwrap_or_default();
    let frames = cell.number("shared_buffers").unwrap_or(0.0) / 8192.0;
    let all_buffers = SIZES * UPDATING_SCRIPTS * UPDATES_OF_A_SCRIPT;
    match plan(cell) {
        "buffers" => buffers(script, frames),
        // Nothing has pruned what the plan before updated but further updates of the same pages.
        "fpi" | "wal" => {
            let updates = all_buffers + UPDATES_OF_WAL_PLAN / 2.0;
            let heap = HeapHistory {
                updates: updates as u64,
                unpruned: met(updates),
                all_visible: false,
                ..HeapHistory::default()
            };
            State { heap, dirty_pages: 0 }
        }
        _ => device(cell, script, frames, all_buffers + UPDATES_OF_WAL_PLAN),
    }
}

fn buffers(script: &str, frames: f64) -> State {
    // Sizes in the order in which they were measured, by factors of four from 32 MB.
    let before = libm::round(libm::log2(frames / 4096.0) / 2.0).max(0.0);
    // At each size the table is updated by one script after the other; a restart comes before the first.
    let here = match script {
        "zipf_upd_scatter" => 1.0,
        "tpcb-like" => 1.2,
        _ => 0.0,
    };
    let updates = (before * UPDATING_SCRIPTS + here) * UPDATES_OF_A_SCRIPT;
    let left_over = met(if before > 0.0 { UPDATING_SCRIPTS * UPDATES_OF_A_SCRIPT } else { 0.0 });
    // Selects alike over the rows come first; they prune a part of what the size before has left, for good.
    let pruned = if script == "select-only" { 0.0 } else { left_over * met(SELECTS_OF_A_SCRIPT) };
    let heap = HeapHistory {
        updates: updates as u64,
        unpruned: 1.0 - (1.0 - left_over + pruned) * (1.0 - met(here * UPDATES_OF_A_SCRIPT)),
        all_visible: before == 0.0,
        updates_since_checkpoint: (here * UPDATES_OF_A_SCRIPT) as u64,
        prunings_since_checkpoint: (pruned * HEAP_PAGES) as u64,
    };
    State { heap, dirty_pages: 0 }
}

fn device(cell: &Cell, script: &str, frames: f64, updates: f64) -> State {
    let vacuumed = HeapHistory { updates: updates as u64, all_visible: true, ..HeapHistory::default() };
    // Heap pages of the accounts among the frames.
    let heap_frames = frames.min(PAGES) * HEAP_PAGES / PAGES;
    if script == "select-only" {
        let unpruned = cell.text("note").is_some_and(|note| note.contains("not vacuumed"));
        if !unpruned {
            return State { heap: vacuumed, dirty_pages: 0 };
        }
        let share = met(UPDATES_OF_WAL_PLAN / 2.0);
        let heap = HeapHistory { unpruned: share, all_visible: false, ..vacuumed };
        return State { heap, dirty_pages: (share * heap_frames) as u64 };
    }
    let earlier = earlier_updates(cell, frames);
    let heap = HeapHistory { updates_since_checkpoint: earlier as u64, ..vacuumed };
    let steady = cell.switch("dirty_steady_state").unwrap_or(false);
    // Pages of earlier cells are dirty as long as they stay.
    let dirty = if steady { heap_frames } else { earlier.min(heap_frames) };
    State { heap, dirty_pages: dirty as u64 }
}

/// Updates by the cells of the plan that came before at the same size, without a checkpoint in between: each device
/// with 1, 8 and 32 clients. A lone client waits for one flush of the log, many for two each; a device of one slot also
/// has to read the pages.
fn earlier_updates(cell: &Cell, frames: f64) -> f64 {
    let read = 1.8 * (1.0 - frames / PAGES).max(0.0) * 0.006;
    let this = (cell.text("device").unwrap_or_default(), cell.number("clients").unwrap_or(1.0));
    let mut updates = 0.0;
    for (device, flush, read, seconds) in
        [("HDD", 0.014, read, 10.0), ("SSDx10", 0.006, 0.0, 6.0), ("SSD", 0.000_6, 0.0, 6.0)]
    {
        for clients in [1.0, 8.0, 32.0] {
            if (device, clients) == this {
                return updates;
            }
            let waits: f64 = if clients > 1.0 { clients / (2.0 * flush) } else { 1.0 / (flush + read) };
            updates += seconds * if read > 0.0 { waits.min(1.0 / read) } else { waits };
        }
    }
    updates
}
