//! Work of known size for the benchmarks. The clock is the caller's, since nothing here may read one.

use crate::Run;
use serde::{Deserialize, Serialize};
use spindle_engine::{
    pages::PageId,
    pool::Pool,
    replacement::{Lru, Replacement},
};
use spindle_scenario::{Scenario, scenario_from_toml};
use spindle_units::chance::Chance;

/// How fast the simulator was.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Accesses a second to an LRU pool of one million frames, uniform over four million pages.
    pub pool_accesses_per_s: f64,
    /// Page requests a second of a whole simulation: lookups with three quarters of the pages in the pool.
    pub simulated_requests_per_s: f64,
}

/// Four million pages; a power of two, so that drawing one costs a shift.
const PAGE_BITS: u32 = 22;
const FRAMES: u32 = 1_000_000;
const ACCESSES: u64 = 8_000_000;

/// Measures both with `clock_ms`, a clock in milliseconds.
pub fn figures(clock_ms: &dyn Fn() -> f64) -> Figures {
    Figures { pool_accesses_per_s: pool(clock_ms), simulated_requests_per_s: simulation(clock_ms) }
}

fn pool(clock_ms: &dyn Fn() -> f64) -> f64 {
    let mut pool = Pool::new(FRAMES, Replacement::Lru(Lru::new(FRAMES as usize)));
    let mut chance = Chance::new(1, 0);
    let mut access = |count: u64| {
        for _ in 0..count {
            let page = PageId((chance.bits() >> (64 - PAGE_BITS)) as u32);
            if let Some(frame) = pool.find(page) {
                pool.count(true);
                pool.touch(frame);
            } else {
                pool.count(false);
                if let Some(frame) = pool.take_free().or_else(|| pool.take_victim(64)) {
                    pool.install(page, frame, false);
                }
            }
        }
    };
    access(u64::from(FRAMES) * 2);
    let started = clock_ms();
    access(ACCESSES);
    ACCESSES as f64 / ((clock_ms() - started) / 1000.0).max(1e-9)
}

/// A scenario of lookups for benchmarks.
pub fn lookups() -> Option<Scenario> {
    scenario_from_toml(include_str!("bench.toml")).ok()
}

fn simulation(clock_ms: &dyn Fn() -> f64) -> f64 {
    let Some(mut run) = lookups().and_then(|scenario| Run::new(&scenario).ok()) else { return 0.0 };
    let started = clock_ms();
    while !run.advance(100_000) {}
    let seconds = ((clock_ms() - started) / 1000.0).max(1e-9);
    let report = run.report();
    report.per_transaction.page_requests * report.throughput_tps * report.series.throughput_tps.len() as f64
        / seconds
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_benchmark_scenario_can_be_run() {
        assert!(super::lookups().is_some());
    }
}
