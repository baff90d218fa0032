//! What came out, in the words of a Report.

use super::{Question, Round};
use crate::{Estimate, classes::PageClass, demand::Commit};
use spindle_report::{Breakdown, DeviceReport, PerTransaction};
use spindle_scenario::Start;

impl Question<'_> {
    pub(super) fn report(&self, round: &Round) -> Estimate {
        let tps = round.rate * 1000.0;
        let think = self.scenario.workload.think_time.0 as f64 / 1e6;
        let latency = (self.clients / round.rate - think).max(0.0);
        let parts = &round.residence;
        let mut breakdown = Breakdown::new();
        let mut put = |name: &str, ms: f64| {
            breakdown.insert(name.to_owned(), ms.max(0.0));
        };
        put("cpu", parts.cpu.min(parts.cpu_alone));
        put("cpu_queue", (parts.cpu - parts.cpu_alone).max(0.0) + self.demand.wake_up_ns / 1e6);
        put("read", parts.read);
        put("log", parts.log);
        put(if round.pool.write_back.for_log { "checkpoint" } else { "free_frame" }, parts.free_frame);
        put(if round.pool.write_back.for_log { "free_frame" } else { "checkpoint" }, 0.0);
        put("admission", parts.admission);
        put("page_write", parts.forced);
        put("network", self.demand.network_ns / 1e6);
        put("latch", 0.0);
        put("lock", parts.lock);
        let sum: f64 = breakdown.values().sum();
        if sum > 0.0 {
            breakdown.values_mut().for_each(|ms| *ms *= latency / sum);
        }
        let demand = self.demand;
        let requests: f64 = demand.classes.iter().map(|c| c.requests).sum::<f64>() + demand.sure_requests;
        let reads = round.pool.misses * (1.0 - round.cache_hits);
        let written = round.writes + self.serial_pages();
        let durable = demand.commit == Commit::Durable;
        let syncs = if durable { self.log_flushes(round) / round.rate } else { 0.0 };
        let cpu_ms =
            parts.cpu_alone + (demand.background_cpu_ns + round.writes * demand.page_write_ns) * self.clock;
        Estimate {
            load_mib_per_s: 0.0,
            throughput_tps: tps,
            throughput_qps: tps * f64::from(self.scenario.workload.kind.statements()),
            latency_mean_ms: latency,
            per_transaction: PerTransaction {
                page_requests: requests,
                page_reads: round.pool.misses,
                pages_written: written,
                page_marks: 0.0,
                log_bytes: demand.log_bytes + round.images,
                log_syncs: syncs,
                log_writes: syncs,
                data_syncs: 0.0,
                cpu_ms,
            },
            hit_rate: if requests > 0.0 { (1.0 - round.pool.misses / requests).clamp(0.0, 1.0) } else { 1.0 },
            breakdown_ms: breakdown,
            devices: self.devices(round, reads, written, syncs, cpu_ms),
            classes: self.classes(round.pool.time),
            notes: self.notes(),
        }
    }

    fn devices(&self, round: &Round, reads: f64, written: f64, syncs: f64, cpu_ms: f64) -> Vec<DeviceReport> {
        let tps = round.rate * 1000.0;
        let report = |name: &str,
                      utilisation: f64,
                      reads: f64,
                      writes: f64,
                      syncs: f64,
                      read_ms: f64,
                      write_ms: f64| {
            DeviceReport {
                name: name.into(),
                utilisation: utilisation.clamp(0.0, 1.0),
                reads_per_s: reads,
                writes_per_s: writes,
                syncs_per_s: syncs,
                read_ms,
                write_ms,
            }
        };
        let busy = tps * reads / self.data.reads.at(72.0) + tps * written / self.data.writes.at(72.0);
        let log_busy = tps * syncs * round.commit_ms / 1000.0;
        let read_ms = if reads > 0.0 { round.residence.read / reads } else { 0.0 };
        let write_ms = 1000.0 / self.data.writes.at(1.0);
        let mut devices =
            vec![report("processor", round.rate * cpu_ms / self.cores, 0.0, 0.0, 0.0, 0.0, 0.0)];
        let (log_writes, log_syncs) = if self.log_apart { (0.0, 0.0) } else { (tps * syncs, tps * syncs) };
        let shared = if self.log_apart { 0.0 } else { log_busy };
        devices.push(report(
            "storage",
            busy + shared,
            tps * reads,
            tps * written + log_writes,
            log_syncs,
            read_ms,
            write_ms,
        ));
        if self.log_apart {
            let ms = self.log.log_write_ms.at(0.0);
            devices.push(report("log", log_busy, 0.0, tps * syncs, tps * syncs, 0.0, ms));
        }
        devices
    }

    fn classes(&self, time: f64) -> Vec<PageClass> {
        let classes = self.demand.classes.iter();
        classes
            .map(|class| {
                let resident = class.groups.iter().map(|g| g.pages * g.used().residency(time));
                let visits: f64 = class.groups.iter().map(|g| g.visits - g.unread).sum();
                let found: f64 =
                    class.groups.iter().map(|g| (g.visits - g.unread) * g.used().residency(time)).sum();
                PageClass {
                    table: class.table.clone(),
                    name: class.name.clone(),
                    kind: class.kind,
                    pages: class.pages(),
                    resident_pages: resident.sum(),
                    requests: class.requests,
                    hit_rate: if visits > 0.0 { found / visits } else { 1.0 },
                }
            })
            .collect()
    }

    fn notes(&self) -> Vec<String> {
        let cold = self.scenario.run.start == Start::Cold;
        cold.then(|| "The estimate takes the buffer to be warm.".to_owned()).into_iter().collect()
    }
}
