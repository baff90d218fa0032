//! How far off a result may be: which measurements of real engines stand nearest to it, and where it lies outside of
//! what was measured. The rule and its bounds are all here; no view.

use crate::{
    format::{bytes, percent, short_count},
    language::text,
    measured::{Figure, Filter, Load, Measured, Spread, spread},
    quantity::{engine_name, quantity},
};
use spindle_device::Model;
use spindle_report::Report;
use spindle_scenario::Scenario;

/// What was covered by the measurements; outside of it a result is extrapolated.
struct Validated {
    /// Bytes of the buffer.
    pool: (f64, f64),
    /// The buffer over all bytes of tables and indexes: what decides how much is found in it.
    pool_per_data: (f64, f64),
    /// Rows of a table.
    rows: (u64, u64),
    /// Clients.
    clients: (u32, u32),
}

/// The range of the setups in `tests/data/ground-truth/cells.jsonl`. All of their devices are emulated and take a set
/// time for each kind of request. The least buffer over its data is 32 MB for pgbench's 1.25 GB, the largest 512 MB for
/// CUBRID's 200 MB.
const VALIDATED: Validated = Validated {
    pool: (32.0 * 1_048_576.0, 2.0 * 1_073_741_824.0),
    pool_per_data: (0.025, 2.5),
    rows: (50_000, 8_000_000),
    clients: (1, 64),
};

/// Profiles that were not measured themselves, and the measured relative that stands in for each.
const RELATIVES: [(&str, &str); 5] = [
    ("innodb-5.1", "mariadb-10.11"),
    ("innodb-5.6", "mariadb-10.11"),
    ("innodb-8.0", "mariadb-10.11"),
    ("greatsql-8.0", "mariadb-10.11"),
    ("cubrid-2008-r3", "cubrid-11.3"),
];

/// With fewer figures of loads of the same sort, those of all loads are taken.
const FEW: usize = 5;

/// A figure of a result that may have an error band.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Transactions a second.
    Throughput,
    /// Mean latency.
    MeanLatency,
    /// Latency of 95 %.
    P95Latency,
    /// Pages read a transaction.
    PageReads,
}

impl Of {
    /// The quantity's name among the measurements.
    pub fn quantity(self) -> &'static str {
        match self {
            Self::Throughput => "throughput_tps",
            Self::MeanLatency => "latency_mean_ms",
            Self::P95Latency => "latency_p95_ms",
            Self::PageReads => "page_reads",
        }
    }

    /// The kind of measurements it is judged by: speeds on devices, counts where nothing but counts was taken.
    fn kind(self) -> &'static str {
        match self {
            Self::PageReads => "counters",
            _ => "device",
        }
    }

    fn is_time(self) -> bool {
        self != Self::PageReads
    }
}

/// What has to be known of a result to judge it.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The engine's profile.
    pub profile: String,
    /// What the load does.
    pub load: Load,
    /// Clients.
    pub clients: u32,
    /// Bytes of the buffer.
    pub pool: f64,
    /// Bytes of tables and indexes.
    pub data: f64,
    /// Rows of the smallest and of the largest table.
    pub rows: (u64, u64),
    /// Whether each kind of request takes the devices a set time.
    pub constant_times: bool,
    /// Whether the processor, rather than a device, sets the pace.
    pub processor_bound: bool,
}

impl Setup {
    /// That of a scenario and what came out of it.
    pub fn of(scenario: &Scenario, report: &Report) -> Self {
        let rows = scenario.tables.iter().map(|table| table.rows);
        let devices = std::iter::once(&scenario.storage.device).chain(&scenario.storage.log_device);
        let constant = |model| matches!(model, Ok(Model::Fixed(_)));
        let ms = |cause: &str| report.breakdown_ms.get(cause).copied().unwrap_or(0.0);
        let whole: f64 = report.breakdown_ms.values().sum();
        Self {
            profile: scenario.engine.profile.clone(),
            load: if scenario.workload.kind.writes() { Load::Writes } else { Load::Reads },
            clients: scenario.workload.clients,
            pool: scenario.buffer_bytes(),
            data: scenario.data_bytes(),
            rows: (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0)),
            constant_times: devices.map(|device| device.model()).all(constant),
            processor_bound: ms("cpu") + ms("cpu_queue") + ms("admission") > whole / 2.0,
        }
    }
}

/// How far off a figure may be.
#[derive(Debug, Clone, PartialEq)]
pub enum Trust {
    /// Nothing was measured that could tell.
    NotValidated {
        /// The profile.
        profile: String,
        /// The quantity's name.
        quantity: &'static str,
    },
    /// Errors of the nearest measurements.
    Band(Band),
}

/// Errors of the nearest measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// The errors.
    pub spread: Spread,
    /// The profile of the result.
    pub profile: String,
    /// Those measurements: engine, kind, load, quantity.
    pub filter: Filter,
    /// Where the result lies outside of what was measured, in words.
    pub outside: Vec<String>,
}

/// The measured engine that tells of a profile.
fn measured_engine(profile: &str) -> &str {
    RELATIVES.iter().find(|(relative, _)| *relative == profile).map_or(profile, |(_, measured)| measured)
}

/// Judges a figure of a result.
pub fn judge(measured: &Measured, setup: &Setup, of: Of) -> Trust {
    let mut filter = Filter {
        engine: Some(measured_engine(&setup.profile).to_owned()),
        kind: Some(of.kind().into()),
        load: Some(setup.load),
        quantity: of.quantity().into(),
        low_trust: false,
    };
    let errors = |filter: &Filter| spread(measured.figures(filter).map(|(_, figure): (_, &Figure)| figure));
    let mut found = errors(&filter);
    if found.is_none_or(|spread| spread.cells < FEW) {
        filter.load = None;
        found = errors(&filter);
    }
    let profile = setup.profile.clone();
    match found {
        None => Trust::NotValidated { profile, quantity: of.quantity() },
        Some(spread) => Trust::Band(Band { spread, profile, filter, outside: outside(setup, of) }),
    }
}

/// Where a result lies outside of what was measured.
fn outside(setup: &Setup, of: Of) -> Vec<String> {
    let Validated { pool, pool_per_data, rows, clients } = VALIDATED;
    let mut found = Vec::new();
    if of.is_time() && !setup.constant_times {
        found.push(text("outside-times"));
    }
    if of.is_time() && setup.processor_bound {
        found.push(text("outside-processor"));
    }
    if setup.pool < pool.0 || setup.pool > pool.1 {
        let (from, to) = (bytes(pool.0), bytes(pool.1));
        found.push(text!("outside-buffer", size = bytes(setup.pool), from = from, to = to));
    }
    let share = setup.pool / setup.data.max(1.0);
    if setup.data > 0.0 && !(pool_per_data.0..=pool_per_data.1).contains(&share) {
        let (from, to) = pool_per_data;
        found.push(text!("outside-buffer-share", share = share, from = from, to = to));
    }
    if setup.rows.0 < rows.0 || setup.rows.1 > rows.1 {
        let odd = if setup.rows.0 < rows.0 { setup.rows.0 } else { setup.rows.1 };
        let words = |rows: u64| short_count(rows as f64);
        found.push(text!("outside-rows", rows = words(odd), from = words(rows.0), to = words(rows.1)));
    }
    if setup.clients < clients.0 || setup.clients > clients.1 {
        let (from, to) = clients;
        found.push(text!("outside-clients", clients = setup.clients, from = from, to = to));
    }
    found
}

impl Trust {
    /// In few characters, to stand under a figure.
    pub fn short(&self) -> String {
        match self {
            Self::NotValidated { .. } => text("trust-none-short"),
            Self::Band(band) => text!("trust-band-short", error = percent(band.spread.p90)),
        }
    }

    /// What the short form means, in a sentence or two.
    pub fn sentence(&self) -> String {
        match self {
            Self::NotValidated { profile, quantity: name } => {
                text!("trust-none", quantity = quantity(name).label, engine = engine_words(profile))
            }
            Self::Band(band) => {
                let Spread { cells, median, p90 } = band.spread;
                text!(
                    "trust-band",
                    error = percent(p90),
                    cells = cells,
                    median = percent(median),
                    engine = engine_words(&band.profile),
                    load = band.filter.load.map_or("any", Load::id)
                )
            }
        }
    }

    /// Says that no figure of a result was measured.
    pub fn nothing(profile: &str) -> String {
        text!("trust-none-at-all", engine = engine_words(profile))
    }

    /// Where the result lies outside of what was measured; empty where it lies within, or where nothing was.
    pub fn outside(&self) -> &[String] {
        match self {
            Self::NotValidated { .. } => &[],
            Self::Band(band) => &band.outside,
        }
    }

    /// The measurements it speaks of.
    pub fn filter(&self) -> Filter {
        match self {
            Self::NotValidated { quantity, .. } => {
                Filter { quantity: (*quantity).into(), ..Filter::default() }
            }
            Self::Band(band) => band.filter.clone(),
        }
    }
}

/// The engine that was measured, and that it is another one than the result's where it is.
fn engine_words(profile: &str) -> String {
    let measured = measured_engine(profile);
    if measured == profile {
        engine_name(profile)
    } else {
        text!("engine-relative", measured = engine_name(measured), engine = engine_name(profile))
    }
}

#[cfg(test)]
mod tests {
    use super::{outside as outside_of, *};
    use crate::{measured::tests::sample, store::Store};

    fn setup() -> Setup {
        Setup {
            profile: "mariadb-10.11".into(),
            load: Load::Reads,
            clients: 4,
            pool: 128.0 * 1_048_576.0,
            data: 1_073_741_824.0,
            rows: (1_250_000, 1_250_000),
            constant_times: true,
            processor_bound: false,
        }
    }

    fn band(trust: Trust) -> Band {
        match trust {
            Trust::Band(band) => band,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_result_like_the_measured_ones_takes_their_errors() {
        let measured = sample();
        let trust = judge(&measured, &setup(), Of::Throughput);
        assert_eq!(
            trust.sentence(),
            "±\u{a0}50\u{a0}% over 6 measured cells (median 30\u{a0}%) of MariaDB 10.11 with loads that only read"
        );
        assert_eq!(trust.short(), "model ±\u{a0}50\u{a0}%");
        let band = band(trust);
        assert!(band.outside.is_empty(), "{:?}", band.outside);
        assert_eq!(measured.points(&band.filter).len(), 6, "the link shows what was counted");
    }

    #[test]
    fn few_measurements_of_a_load_give_way_to_all() {
        let band = band(judge(&sample(), &Setup { load: Load::Writes, ..setup() }, Of::Throughput));
        assert_eq!((band.spread.cells, band.filter.load), (10, None));
    }

    #[test]
    fn relatives_count_and_are_named() {
        let old = Setup { profile: "innodb-5.1".into(), ..setup() };
        let text = judge(&sample(), &old, Of::Throughput).sentence();
        assert!(text.contains("MariaDB 10.11, a later relative of InnoDB 5.1"), "{text}");
    }

    #[test]
    fn what_was_not_measured_is_said() {
        let old = Setup { profile: "cubrid-2008-r3".into(), ..setup() };
        let trust = judge(&sample(), &old, Of::Throughput);
        assert!(trust.sentence().starts_with("not validated: no measurement of throughput for this engine"));
        assert_eq!(trust.filter(), Filter::default());
        // Counts are not judged by speeds.
        let trust = judge(&sample(), &setup(), Of::PageReads);
        assert!(matches!(trust, Trust::NotValidated { .. }));
    }

    #[test]
    fn outside_of_what_was_measured_is_extrapolated() {
        let outside = |setup: Setup, of: Of| outside_of(&setup, of).join("; ");
        let with = |change: fn(&mut Setup)| {
            let mut setup = setup();
            change(&mut setup);
            setup
        };
        assert!(outside(with(|s| s.clients = 65), Of::PageReads).contains("65 clients"));
        assert!(outside(with(|s| s.pool = 16e6), Of::PageReads).contains("buffer is"));
        assert!(outside(with(|s| s.data = 1e12), Of::PageReads).contains("times the data"));
        assert!(outside(with(|s| s.rows.1 = 9_000_000), Of::PageReads).contains("9\u{a0}M rows"));
        assert!(outside(with(|s| s.rows.0 = 1000), Of::PageReads).contains("1\u{a0}k rows"));
        assert!(outside(with(|s| s.constant_times = false), Of::Throughput).contains("vary"));
        assert!(outside(with(|s| s.processor_bound = true), Of::MeanLatency).contains("processor"));
        // How long a device takes changes no count of pages.
        assert_eq!(outside(with(|s| s.constant_times = false), Of::PageReads), "");
    }

    #[test]
    fn a_scenario_of_a_card_is_judged() {
        let store = Store::default();
        let mut scenario = (*store.scenarios[0]).clone();
        scenario.run.duration = spindle_units::Span::seconds(1);
        scenario.tables[0].rows = 2000;
        let report = spindle_simulate::simulate(&scenario).unwrap();
        let setup = Setup::of(&scenario, &report);
        assert_eq!((setup.load, setup.constant_times, setup.rows), (Load::Writes, false, (2000, 2000)));
        assert!(setup.pool > 0.0 && setup.data > 0.0);
    }
}
