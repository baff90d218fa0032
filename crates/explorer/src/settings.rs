//! The settings a reader can turn: how each reads and changes a Scenario, how it is typed, and where its problems are
//! found. No view.

use crate::format::{parse_count, parse_percent, percent, whole};
use spindle_device::{DeviceSpec, RaidLevel};
use spindle_engine::parameters::Value;
use spindle_scenario::{Problem, Scenario};
use spindle_units::Bytes;

/// One setting with a slider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Setting {
    /// Rows of each table.
    Rows,
    /// Number of tables.
    Tables,
    /// How much of their declared length variable columns use.
    Fill,
    /// The engine's buffer.
    Buffer,
    /// Processor cores.
    Cores,
    /// The machine's memory.
    Memory,
    /// Members of the array.
    Devices,
    /// Clients.
    Clients,
    /// Share of rows that lookups search.
    SearchRange,
}

/// Positions of a slider, from 0 to this.
pub const STEPS: f64 = 1000.0;

/// Bytes of a page in both engines of the first experiment.
const PAGE_BYTES: f64 = 16_384.0;

impl Setting {
    /// All of them.
    #[cfg(test)]
    pub const ALL: [Self; 9] = [
        Self::Rows,
        Self::Tables,
        Self::Fill,
        Self::Buffer,
        Self::Cores,
        Self::Memory,
        Self::Devices,
        Self::Clients,
        Self::SearchRange,
    ];

    /// Its name in the document, for labels and tests.
    pub fn id(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Tables => "tables",
            Self::Fill => "fill",
            Self::Buffer => "buffer",
            Self::Cores => "cores",
            Self::Memory => "memory",
            Self::Devices => "devices",
            Self::Clients => "clients",
            Self::SearchRange => "search-range",
        }
    }

    /// What it is called.
    pub fn label(self) -> &'static str {
        match self {
            Self::Rows => "Rows a table",
            Self::Tables => "Tables",
            Self::Fill => "Row fill",
            Self::Buffer => "Data buffer",
            Self::Cores => "Processor cores",
            Self::Memory => "Memory",
            Self::Devices => "Devices",
            Self::Clients => "Clients",
            Self::SearchRange => "Search range",
        }
    }

    /// What the term means, in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Rows => "Rows that each table holds before the run.",
            Self::Tables => "Tables alike; clients pick one at random for each statement.",
            Self::Fill => {
                "Share of their declared length that variable columns use: longer rows, more pages."
            }
            Self::Buffer => "Memory in which the engine keeps pages: what is found there need not be read.",
            Self::Cores => "Cores of the chosen machine; a statement occupies one while it computes.",
            Self::Memory => "Memory of the chosen machine, shared by the buffer and the system's page cache.",
            Self::Devices => "Members of the array on the chosen machine.",
            Self::Clients => "Connections at work, each with one transaction at a time.",
            Self::SearchRange => {
                "Share of the rows that lookups pick from: the smaller, the more stays in memory."
            }
        }
    }

    /// Whether it belongs to the chosen machine alone; the others hold for both.
    pub fn is_of_one_machine(self) -> bool {
        matches!(self, Self::Cores | Self::Memory | Self::Devices)
    }

    /// The slider's range.
    fn range(self) -> (f64, f64) {
        match self {
            Self::Rows => (1e3, 1e7),
            Self::Tables => (1.0, 200.0),
            Self::Fill => (0.0, 1.0),
            Self::Buffer => (64.0 * 1048576.0, 32.0 * 1_073_741_824.0),
            Self::Cores => (1.0, 64.0),
            Self::Memory => (1_073_741_824.0, 64.0 * 1_073_741_824.0),
            Self::Devices => (1.0, 24.0),
            Self::Clients => (1.0, 1000.0),
            Self::SearchRange => (0.001, 1.0),
        }
    }

    fn is_logarithmic(self) -> bool {
        !matches!(self, Self::Fill | Self::Devices)
    }

    /// Where the slider stands for a value, 0 to [`STEPS`].
    pub fn position(self, value: f64) -> f64 {
        let (low, high) = self.range();
        let value = value.clamp(low, high);
        let share = if self.is_logarithmic() {
            (value / low).ln() / (high / low).ln()
        } else {
            (value - low) / (high - low)
        };
        (share * STEPS).round()
    }

    /// The value for a position, at a round number.
    pub fn value_at(self, position: f64, scenario: &Scenario) -> f64 {
        let (low, high) = self.range();
        let share = (position / STEPS).clamp(0.0, 1.0);
        let raw =
            if self.is_logarithmic() { low * (high / low).powf(share) } else { low + (high - low) * share };
        let rounded = match self {
            Self::Buffer | Self::Memory => round_bytes(raw),
            Self::Fill => (raw * 100.0).round() / 100.0,
            Self::Devices => match scenario.storage.device.raid {
                RaidLevel::Raid10 => ((raw / 2.0).round() * 2.0).max(2.0),
                RaidLevel::Raid1 => raw.round().max(2.0),
                _ => raw.round(),
            },
            Self::SearchRange => two_digits(raw),
            _ => two_digits(raw).round(),
        };
        rounded.clamp(low, high)
    }

    /// The value in a scenario.
    pub fn get(self, scenario: &Scenario) -> f64 {
        let table = scenario.tables.first();
        match self {
            Self::Rows => table.map_or(0.0, |t| t.rows as f64),
            Self::Tables => table.map_or(0.0, |t| f64::from(t.count)),
            Self::Fill => table.map_or(0.0, |t| t.fill),
            Self::Buffer => scenario.buffer_bytes(),
            Self::Cores => f64::from(scenario.machine.cores),
            Self::Memory => scenario.machine.memory.0 as f64,
            Self::Devices => f64::from(scenario.storage.device.count),
            Self::Clients => f64::from(scenario.workload.clients),
            Self::SearchRange => scenario.workload.search_range,
        }
    }

    /// Puts a value into a scenario. Values that make no sense go in as well: the scenario's own check speaks of them.
    pub fn set(self, scenario: &mut Scenario, value: f64) {
        match self {
            Self::Rows => scenario.tables.iter_mut().for_each(|t| t.rows = value as u64),
            Self::Tables => scenario.tables.iter_mut().for_each(|t| t.count = value as u32),
            Self::Fill => scenario.tables.iter_mut().for_each(|t| t.fill = value),
            Self::Buffer => {
                let (name, value) = if scenario.engine.profile.starts_with("cubrid") {
                    ("data_buffer_pages", (value / PAGE_BYTES).floor())
                } else {
                    ("innodb_buffer_pool_size", value)
                };
                scenario.engine.parameters.set(name, Value::Number(value));
            }
            Self::Cores => scenario.machine.cores = value as u32,
            Self::Memory => scenario.machine.memory = Bytes(value as u64),
            Self::Devices => scenario.storage.device.count = value as u32,
            Self::Clients => scenario.workload.clients = value as u32,
            Self::SearchRange => scenario.workload.search_range = value,
        }
    }

    /// The value as the field shows it.
    pub fn text(self, scenario: &Scenario) -> String {
        let value = self.get(scenario);
        match self {
            Self::Buffer | Self::Memory => Bytes(value as u64).to_string(),
            Self::Fill | Self::SearchRange => percent(value),
            _ => whole(value),
        }
    }

    /// Reads what was typed.
    ///
    /// # Errors
    /// What was found and what was expected, in a sentence or two.
    pub fn parse(self, text: &str) -> Result<f64, String> {
        match self {
            Self::Buffer | Self::Memory => text
                .parse::<Bytes>()
                .map(|bytes| bytes.0 as f64)
                .map_err(|_| format!("Found “{}”. Expected a size such as 512 MB or 4G.", text.trim())),
            Self::Fill | Self::SearchRange => parse_percent(text),
            _ => parse_count(text).map(f64::floor),
        }
    }

    /// The setting beside which a problem is shown, if it is one of these.
    pub fn of_problem(problem: &Problem) -> Option<Self> {
        let path = problem.path.as_str();
        if let Some(rest) = path.strip_prefix("table[") {
            let name = rest.split_once("].").map_or("", |(_, name)| name);
            return match name {
                "rows" => Some(Self::Rows),
                "count" => Some(Self::Tables),
                "fill" => Some(Self::Fill),
                _ => None,
            };
        }
        match path {
            "table" if problem.found == "no table" => Some(Self::Tables),
            "table" => Some(Self::Rows),
            "engine.parameters.data_buffer_pages" | "engine.parameters.innodb_buffer_pool_size" => {
                Some(Self::Buffer)
            }
            "machine.cores" => Some(Self::Cores),
            "machine.memory" => Some(Self::Memory),
            "storage.device.count" | "storage.device" => Some(Self::Devices),
            "workload.clients" => Some(Self::Clients),
            "workload.search_range" => Some(Self::SearchRange),
            _ => None,
        }
    }
}

/// A problem as a sentence or two.
pub fn sentence(problem: &Problem) -> String {
    let found = problem.found.trim();
    if problem.expected.is_empty() {
        format!("Found {found}.")
    } else {
        format!("Found {found}. Expected {}.", problem.expected.trim_end_matches('.'))
    }
}

fn two_digits(value: f64) -> f64 {
    if value <= 0.0 {
        return 0.0;
    }
    let unit = 10f64.powf(value.log10().floor() - 1.0);
    (value / unit).round() * unit
}

/// The next multiple of a sixteenth of the power of two below, which reads as a size people choose.
fn round_bytes(value: f64) -> f64 {
    let step = (value.log2().floor() - 3.0).exp2();
    (value / step).round() * step
}

/// Ways to combine devices: the level, its name in the document, what it is called.
pub const RAID_LEVELS: [(RaidLevel, &str, &str); 4] = [
    (RaidLevel::Single, "none", "one device"),
    (RaidLevel::Raid0, "0", "RAID 0"),
    (RaidLevel::Raid1, "1", "RAID 1"),
    (RaidLevel::Raid10, "10", "RAID 0+1"),
];

/// What a RAID level is called.
pub fn raid_label(level: RaidLevel) -> &'static str {
    RAID_LEVELS.iter().find(|(l, ..)| *l == level).map_or("", |(.., label)| label)
}

/// Changes the level and keeps the number of devices sensible for it.
pub fn set_raid(device: &mut DeviceSpec, name: &str) {
    let Some((level, ..)) = RAID_LEVELS.iter().find(|(_, n, _)| *n == name) else { return };
    device.raid = *level;
    device.count = match level {
        RaidLevel::Single => 1,
        RaidLevel::Raid0 => device.count.max(1),
        RaidLevel::Raid1 => device.count.max(2),
        RaidLevel::Raid10 => device.count.max(2).next_multiple_of(2),
    };
}

/// Changes the kind of device to a preset.
pub fn set_preset(device: &mut DeviceSpec, name: &str) {
    device.preset = Some(name.to_owned());
    device.hdd = None;
    device.ssd = None;
    device.fixed = None;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(id: &str) -> Scenario {
        let card = spindle_experiments::card("cubrid-2010").unwrap();
        let case = card.cases.iter().find(|c| c.id == id).unwrap();
        card.scenario(case).unwrap()
    }

    #[test]
    fn every_setting_is_read_back_as_it_was_set() {
        for id in ["insert-cubrid-hdd", "io-bound-mysql-ssd"] {
            for setting in Setting::ALL {
                let mut s = scenario(id);
                let (low, high) = setting.range();
                for value in [low, high] {
                    setting.set(&mut s, value);
                    assert!((setting.get(&s) - value).abs() <= value * 1e-9, "{setting:?} {value}");
                    assert_eq!(
                        setting.parse(&setting.text(&s)).unwrap(),
                        value,
                        "{setting:?}: {}",
                        setting.text(&s)
                    );
                }
            }
        }
    }

    #[test]
    fn sliders_go_to_round_values_and_back() {
        let s = scenario("insert-cubrid-hdd");
        for setting in Setting::ALL {
            for position in [0.0, 250.0, 500.0, 1000.0] {
                let value = setting.value_at(position, &s);
                assert!((setting.position(value) - position).abs() < 45.0, "{setting:?} {position} {value}");
            }
        }
    }

    #[test]
    fn problems_are_shown_beside_their_control() {
        let mut s = scenario("insert-cubrid-hdd");
        for (setting, text) in [
            (Setting::Buffer, "64G"),
            (Setting::Tables, "0"),
            (Setting::Devices, "0"),
            (Setting::Clients, "15k"),
            (Setting::Fill, "200"),
            (Setting::Rows, "0"),
            (Setting::Cores, "99999999999"),
            (Setting::Memory, "1"),
            (Setting::SearchRange, "0"),
        ] {
            let before = s.clone();
            setting.set(&mut s, setting.parse(text).unwrap());
            let problems = s.check();
            assert!(
                problems.iter().any(|p| Setting::of_problem(p) == Some(setting)),
                "{setting:?}: {problems:?}"
            );
            s = before;
        }
        Setting::Rows.set(&mut s, 1e9);
        assert_eq!(Setting::of_problem(&s.check()[0]), Some(Setting::Rows));
    }

    #[test]
    fn a_raid_level_brings_a_fitting_number() {
        let mut s = scenario("insert-cubrid-hdd");
        for (_, name, _) in RAID_LEVELS {
            for count in [0, 1, 3, 6] {
                s.storage.device.count = count;
                set_raid(&mut s.storage.device, name);
                if count > 0 || name != "0" {
                    assert_eq!(s.storage.device.check(), [], "{name} {count}");
                }
            }
        }
    }
}
