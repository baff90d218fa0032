//! Scenarios drawn at random over everything a reader may turn: engines, loads, tables, buffers, devices, arrays, clients.

use spindle_scenario::{Scenario, scenario_from_toml};
use spindle_units::chance::Chance;

const ARTICLE: &str = r#"columns = [
  { name = "id", type = "int" },
  { name = "k", type = "varchar(20)" },
  { name = "v", type = "varchar(40)" },
  { name = "c", type = "char(120)" },
]
indexes = [
  { name = "PRIMARY", kind = "primary", columns = ["id"] },
  { name = "u", kind = "unique", columns = ["k"] },
  { name = "n", kind = "non-unique", columns = ["v"] },
]"#;

const SBTEST: &str = r#"columns = [
  { name = "id", type = "int" },
  { name = "k", type = "int" },
  { name = "c", type = "char(120)" },
  { name = "pad", type = "char(60)" },
]
indexes = [
  { name = "PRIMARY", kind = "primary", columns = ["id"] },
  { name = "k_1", kind = "non-unique", columns = ["k"], scattered = true, order = "random" },
]"#;

/// One of `choices`.
fn one<T: Copy>(chance: &mut Chance, choices: &[T]) -> T {
    choices[chance.below(choices.len() as u64) as usize]
}

/// Between `low` and `high`, each factor alike.
fn between(chance: &mut Chance, low: f64, high: f64) -> f64 {
    low * (high / low).powf(chance.unit())
}

/// Engines of the first [`FIRST`] scenarios.
const ENGINES: [&str; 6] =
    ["innodb-5.1", "mariadb-10.11", "cubrid-2008-r3", "cubrid-11.3", "postgresql-15", "firebird-3.0"];
/// Scenarios that were drawn before there were more engines; later ones follow them, so that these stay what they are.
pub const FIRST: u64 = 600;
/// Engines of [`EACH`] scenarios after those, kind by kind.
const LATER_ENGINES: [&[&str]; 2] = [&["innodb-8.0", "greatsql-8.0"], &["firebird-2.5"]];
/// Scenarios of each later kind.
pub const EACH: u64 = 60;
/// All scenarios.
pub const SCENARIOS: u64 = FIRST + EACH * LATER_ENGINES.len() as u64;

/// The engines among which one is drawn for a scenario.
fn engines(number: u64) -> &'static [&'static str] {
    let kind = number.checked_sub(FIRST).and_then(|later| LATER_ENGINES.get((later / EACH) as usize));
    kind.copied().unwrap_or(&ENGINES)
}

/// Devices of the one, and of the others.
const DEVICES: [&str; 8] = [
    "sas-15k",
    "sas-10k",
    "sata-7200",
    "sata-ssd-2010-slc",
    "sata-ssd-2010-mlc",
    "sata-ssd-2014",
    "emulated-hdd",
    "emulated-ssd",
];
const LATER_DEVICES: [&str; 5] = ["sas-15k", "sata-7200", "sata-ssd-2014", "nvme-pm9a3", "emulated-ssd"];
/// The scenario of that number: always the same.
///
/// # Panics
/// When it is not a sound scenario, which a test looks after.
pub fn random_scenario(number: u64) -> Scenario {
    (0..100)
        .find_map(|attempt| scenario_from_toml(&drawn(number, &mut Chance::new(number, 7000 + attempt))).ok())
        .unwrap_or_else(|| panic!("scenario {number} is not sound"))
}

fn drawn(number: u64, chance: &mut Chance) -> String {
    let later = number >= FIRST;
    let profile = one(chance, engines(number));
    let cubrid = profile.starts_with("cubrid");
    let article = chance.unit() < 0.4;
    let kind = if article {
        one(chance, &["insert-full", "three-selects", "point-select", "any-select"])
    } else if cubrid {
        "point-select"
    } else {
        one(
            chance,
            &["point-select", "read-only", "read-write", "write-only", "update-index", "update-non-index"],
        )
    };
    let (schema, order) = if article { (ARTICLE, "random") } else { (SBTEST, "sequential") };
    let rows = between(chance, 5e3, 5e5) as u64;
    let tables = between(chance, 1.0, 8.99) as u64;
    let row_bytes = if article { 420.0 } else { 250.0 };
    let page = match profile {
        "postgresql-15" | "firebird-3.0" => 8192.0,
        "firebird-2.5" => 4096.0,
        _ => 16_384.0,
    };
    let data = (rows * tables) as f64 * row_bytes;
    let buffer = (data * between(chance, 0.03, 3.0)).clamp(4e6, 8e9);
    let direct = chance.unit() < 0.6;
    let durable = one(chance, &[1, 1, 1, 2, 0]);
    let parameters = match profile {
        "innodb-5.1" => format!(
            "innodb_buffer_pool_size = {buffer:.0}\ninnodb_log_file_size = \"{}M\"\ninnodb_flush_log_at_trx_commit = {durable}\n\
             innodb_doublewrite = {}\ninnodb_thread_concurrency = {}\ninnodb_flush_method = \"{}\"",
            one(chance, &[16, 64, 256]),
            one(chance, &[0, 1]),
            one(chance, &[0, 8]),
            if direct { "O_DIRECT" } else { "fdatasync" }
        ),
        "mariadb-10.11" => format!(
            "innodb_buffer_pool_size = {buffer:.0}\ninnodb_log_file_size = \"{}M\"\ninnodb_flush_log_at_trx_commit = {durable}\n\
             innodb_doublewrite = {}\ninnodb_flush_method = \"{}\"",
            one(chance, &[16, 96, 512]),
            one(chance, &[0, 1]),
            if direct { "O_DIRECT" } else { "fsync" }
        ),
        "cubrid-11.3" => {
            format!("data_buffer_size = {:.0}\nasync_commit = {}", buffer.max(16e6), durable == 0)
        }
        "cubrid-2008-r3" => {
            format!("data_buffer_pages = {:.0}\nasync_commit = {}", (buffer / page).max(64.0), durable == 0)
        }
        "postgresql-15" => format!(
            "shared_buffers = {buffer:.0}\nsynchronous_commit = {}\nfull_page_writes = {}",
            durable != 0,
            one(chance, &[true, true, false])
        ),
        "firebird-2.5" => format!(
            "page_buffers = {:.0}\narchitecture = \"{}\"",
            (buffer / page).clamp(128.0, 65_000.0),
            one(chance, &["superserver", "superclassic"])
        ),
        "innodb-8.0" | "greatsql-8.0" => format!(
            "innodb_buffer_pool_size = {:.0}\ninnodb_buffer_pool_instances = {}\ninnodb_lru_scan_depth = 256\n\
             innodb_log_file_size = \"{}M\"\ninnodb_flush_log_at_trx_commit = {durable}\ninnodb_doublewrite = {}\n\
             innodb_flush_method = \"{}\"",
            buffer.max(32e6),
            one(chance, &[1, 4]),
            one(chance, &[48, 256, 512]),
            one(chance, &[0, 1]),
            if direct { "O_DIRECT" } else { "fsync" }
        ),
        _ => format!("page_buffers = {:.0}", (buffer / page).max(128.0)),
    };
    let device = if later { one(chance, &LATER_DEVICES) } else { one(chance, &DEVICES) };
    let (raid, count) =
        one(chance, &[("none", 1), ("none", 1), ("0", 2), ("0", 4), ("10", 4), ("10", 6), ("1", 2)]);
    let cache = if chance.unit() < 0.2 {
        "controller_cache = { size = \"256M\", battery = true, latency = \"100us\" }"
    } else {
        ""
    };
    let log_device = if chance.unit() < 0.2 {
        format!("[storage.log_device]\npreset = \"{device}\"")
    } else {
        String::new()
    };
    let keys = if article || chance.unit() < 0.6 {
        "uniform"
    } else {
        one(chance, &["special", "pareto", "zipf 1.1 scattered", "power 0.8 scattered"])
    };
    let range = if chance.unit() < 0.7 { 1.0 } else { between(chance, 0.02, 1.0) };
    let seed = 1 + chance.below(1000);
    let cores = between(chance, 1.0, 32.99) as u32;
    let clock = between(chance, 2.0, 4.0);
    let spare = between(chance, 1e9, 8e9);
    // That of 2.5 lives by the system's page cache: memory from a quarter of the data up.
    let by_file_cache = profile == "firebird-2.5";
    let memory =
        if by_file_cache { (buffer * 1.2 + data * spare / 4e9) * 4.0 / 3.0 } else { buffer * 1.2 + spare };
    format!(
        r#"
seed = {seed}
[machine]
cores = {cores}
clock_ghz = {clock:.1}
memory = {memory:.0}
[storage]
file_system = "{file_system}"
page_cache = {page_cache}
[storage.device]
preset = "{device}"
raid = "{raid}"
count = {count}
{cache}
{log_device}
[engine]
profile = "{profile}"
contention = {contention}
[engine.parameters]
{parameters}
[[table]]
name = "t"
count = {tables}
rows = {rows}
order = "{order}"
{schema}
[workload]
kind = "{kind}"
clients = {clients}
search_range = {range:.3}
keys = "{keys}"
think_time = "{think}ms"
round_trip = "{trip}us"
[run]
duration = "40s"
"#,
        file_system = one(chance, &["raw", "ext3", "ext4", "xfs"]),
        page_cache = chance.unit() < if by_file_cache { 0.8 } else { 0.3 },
        contention = one(chance, &[0.0, 0.0, 0.02, 0.05]),
        clients = between(chance, 1.0, 128.99) as u32,
        think = one(chance, &[0, 0, 0, 0, 0, 5, 50]),
        trip = one(chance, &[0, 0, 100, 500]),
    )
}

#[cfg(test)]
mod tests {
    use super::{SCENARIOS, random_scenario};

    #[test]
    fn every_number_has_a_sound_scenario_of_its_own() {
        let scenarios: Vec<_> = (0..SCENARIOS).map(random_scenario).collect();
        assert!(scenarios.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(scenarios[17], random_scenario(17));
    }
}
