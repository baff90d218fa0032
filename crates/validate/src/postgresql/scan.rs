//! Repeated sequential scans over an empty buffer.

use crate::{Answer, Cell};
use serde_json::Value;
use spindle_engine::{
    clock_sweep::ClockSweep, pages::PageId, pool::Pool, replacement::Replacement,
    sequential_scan::scan_quietly,
};

const PAGE_BYTES: f64 = 8192.0;

pub(super) fn answer(cell: &Cell) -> Result<Answer, String> {
    let buffer = cell.number("shared_buffers").ok_or("the cell names no shared_buffers")?;
    let table = cell.number("table_pages").ok_or("the cell names no number of pages")? as u32;
    let frames = (buffer / PAGE_BYTES) as u32;
    let mut pool = Pool::new(frames, Replacement::Clock(ClockSweep::new(frames as usize)));
    let pages: Vec<PageId> = (0..table).map(PageId).collect();
    let runs = cell.truth.get("runs").and_then(Value::as_array).ok_or("the cell lists no scans")?;
    let mut answer = Answer::default();
    for (at, run) in runs.iter().enumerate() {
        let (hits, reads) = scan_quietly(&mut pool, &pages);
        let held = pages.iter().filter(|page| pool.find(**page).is_some()).count();
        let truth = |name: &str| run.get(name).and_then(Value::as_f64);
        let name = |quantity: &str| format!("scan{}.{quantity}", at + 1);
        let requested = truth("hit").zip(truth("read")).map(|(hit, read)| hit + read);
        answer.count(cell, name("page_requests"), (hits + reads) as f64, requested);
        answer.count(cell, name("page_reads"), reads as f64, truth("read"));
        answer.count(cell, name("pages_held"), held as f64, truth("buffers_held_after"));
    }
    Ok(answer)
}
