//! Every knob by its path in the Scenario: where a person looks for it, what it is called, its unit, range and scale,
//! and how its values are read, typed and written. No view.

mod choices;
mod data_sheet;
mod scale;
mod time;

pub use choices::{Choice, RAID_LEVELS, raid_label, workload_label};
pub use scale::{STEPS, Scale};

use crate::{
    edit::{EXPONENT, SCATTERED, skew, spell_out},
    format,
    language::{text, text_or},
};
use spindle_device::DeviceSpec;
use spindle_engine::{
    parameters::{ParameterKind, ParameterSpec, Parameters, canonical},
    profile::{BufferSize, Profile},
};
use spindle_scenario::{CLIENTS_MAX, Scenario, StandardTables, number_in, value_in};
use spindle_units::{Bytes, Span};
use spindle_workload::Distribution;
use toml::{Table, Value};

const KIB: f64 = 1024.0;
const MIB: f64 = 1_048_576.0;
const GIB: f64 = 1_073_741_824.0;
const TIB: f64 = 1024.0 * GIB;

/// Where a person looks for a knob.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// Tables and rows.
    Data,
    /// The database server.
    Engine,
    /// Processors and memory.
    Machine,
    /// Devices, arrays, file system.
    Storage,
    /// What clients do.
    Load,
}

impl Group {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Data, Self::Engine, Self::Machine, Self::Storage, Self::Load];

    /// Its name in the document and in keys of texts.
    pub fn id(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Engine => "engine",
            Self::Machine => "machine",
            Self::Storage => "storage",
            Self::Load => "load",
        }
    }

    /// Where the knob at a path is found; a run's own settings are part of the load.
    pub fn of_path(path: &str) -> Option<Self> {
        match path.split(['.', '[']).next()? {
            "table" => Some(Self::Data),
            "engine" => Some(Self::Engine),
            "machine" => Some(Self::Machine),
            "storage" => Some(Self::Storage),
            "workload" | "run" => Some(Self::Load),
            _ => None,
        }
    }

    /// Whether it belongs to one machine; the others may hold for both sides.
    pub fn is_of_one_machine(self) -> bool {
        matches!(self, Self::Machine | Self::Storage)
    }
}

/// What a knob's values are.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Bytes.
    Bytes,
    /// Bytes to the reader; pages of this size to the engine.
    Pages(f64),
    /// A whole number.
    Count,
    /// Any number, with a unit.
    Number(&'static str),
    /// A share, shown as per cent.
    Share,
    /// A time, in nanoseconds.
    Time,
    /// On or off.
    Switch,
    /// One of these.
    Choice(Vec<Choice>),
    /// A part of the Scenario that is there, with this to begin with, or is not.
    Part(Value),
}

impl Kind {
    /// Whether its values lie on a scale that a slider can move along.
    pub fn is_number(&self) -> bool {
        !matches!(self, Self::Switch | Self::Choice(_) | Self::Part(_))
    }
}

/// What a knob stands at.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// A number.
    Number(f64),
    /// A switch or a part.
    On(bool),
    /// A choice.
    Word(String),
}

/// Everything that knobs read of a Scenario, looked up once for all of them.
pub struct Values {
    table: Table,
    parameters: Parameters,
    buffer_bytes: f64,
    keys: Distribution,
}

impl Values {
    /// What a Scenario says.
    pub fn of(scenario: &Scenario) -> Self {
        let parameters = scenario.parameters();
        let buffer_bytes = scenario.profile().map_or(0.0, |profile| profile.buffer_bytes(&parameters));
        let mut table = scenario.to_table();
        let storage = &scenario.storage;
        for (name, device) in [("device", Some(&storage.device)), ("log_device", storage.log_device.as_ref())]
        {
            if let Some(device) = device {
                with_data_sheet(&mut table, name, device);
            }
        }
        Self { table, parameters, buffer_bytes, keys: scenario.workload.keys }
    }
}

/// A preset stands for its data sheet, so that a figure that was changed can be told from what it was.
fn with_data_sheet(table: &mut Table, name: &str, device: &DeviceSpec) {
    let mut spelt = device.clone();
    spell_out(&mut spelt);
    let place = table.get_mut("storage").and_then(|storage| storage.get_mut(name));
    if let (Some(place), Ok(sheet)) = (place.and_then(Value::as_table_mut), Table::try_from(spelt)) {
        for (field, value) in sheet {
            place.entry(field).or_insert(value);
        }
    }
}

/// Whose words name a knob.
#[derive(Debug, Clone, Copy)]
enum Name {
    /// The page's: the texts `knob-KEY` and `knob-KEY-meaning`.
    Ours(&'static str),
    /// The engine's: a parameter of a profile.
    Own(&'static Profile, &'static ParameterSpec),
}

/// One knob.
#[derive(Debug, Clone)]
pub struct Knob {
    /// Where its value stands in the Scenario.
    pub path: String,
    /// Its name in the document.
    pub id: String,
    /// Where it is found.
    pub group: Group,
    /// What its values are.
    pub kind: Kind,
    /// The slider's range.
    pub scale: Scale,
    /// Whether it is shown at once; the others are searched for.
    pub is_common: bool,
    name: Name,
    /// What it belongs to, where there are several of its kind: a table, the log's device.
    owner: Option<String>,
}

impl PartialEq for Knob {
    fn eq(&self, other: &Self) -> bool {
        let same_name = match (self.name, other.name) {
            (Name::Ours(a), Name::Ours(b)) => a == b,
            (Name::Own(_, a), Name::Own(_, b)) => std::ptr::eq(a, b),
            _ => false,
        };
        same_name
            && self.path == other.path
            && self.kind == other.kind
            && self.scale == other.scale
            && self.owner == other.owner
    }
}

impl Knob {
    fn new(path: impl Into<String>, key: &'static str, group: Group, kind: Kind, scale: Scale) -> Self {
        Self {
            path: path.into(),
            id: key.into(),
            group,
            kind,
            scale,
            is_common: true,
            name: Name::Ours(key),
            owner: None,
        }
    }

    /// What it is called.
    pub fn label(&self) -> String {
        let name = match self.name {
            Name::Ours(key) => text(&format!("knob-{key}")),
            Name::Own(_, spec) => spec.name.into(),
        };
        self.owner.as_ref().map_or(name.clone(), |owner| format!("{owner}: {name}"))
    }

    /// Whether it is called as the engine's own documentation calls it.
    pub fn is_own_name(&self) -> bool {
        matches!(self.name, Name::Own(..))
    }

    /// What it changes, in a sentence.
    pub fn meaning(&self) -> String {
        match self.name {
            Name::Ours(key) => text(&format!("knob-{key}-meaning")),
            Name::Own(profile, spec) => {
                // Products of one family mostly mean the same by a name.
                let general = text_or(&format!("effect-{}", spec.name), spec.effect);
                text_or(&format!("effect-{}-{}", profile.name.replace('.', "-"), spec.name), &general)
            }
        }
    }

    /// Where it stands.
    pub fn reading(&self, values: &Values) -> Reading {
        let found = match self.name {
            Name::Own(_, spec) => return parameter_reading(&values.parameters, spec),
            Name::Ours("buffer") => return Reading::Number(values.buffer_bytes),
            Name::Ours("exponent") => return Reading::Number(skew(values.keys).map_or(0.0, |(s, _)| s)),
            Name::Ours("scattered") => return Reading::On(skew(values.keys).is_some_and(|(_, far)| far)),
            Name::Ours(_) => value_in(&values.table, &self.path),
        };
        match &self.kind {
            Kind::Switch => Reading::On(found.and_then(Value::as_bool).unwrap_or(false)),
            Kind::Part(_) => Reading::On(found.is_some()),
            Kind::Choice(choices) => {
                let default = choices.first().map(|choice| choice.value.clone()).unwrap_or_default();
                Reading::Word(found.and_then(Value::as_str).map_or(default, str::to_owned))
            }
            _ => Reading::Number(found.map_or(0.0, |value| self.number(value))),
        }
    }

    /// The number that a value of the Scenario stands for.
    pub fn number(&self, value: &Value) -> f64 {
        let plain = number_in(value);
        match (&self.kind, value.as_str()) {
            (Kind::Pages(bytes), _) => plain.unwrap_or(0.0) * bytes,
            (Kind::Bytes, Some(text)) => text.parse::<Bytes>().map_or(0.0, |bytes| bytes.0 as f64),
            (Kind::Time, Some(text)) => text.parse::<Span>().map_or(0.0, |span| span.0 as f64),
            (_, Some(text)) => text.parse().unwrap_or(0.0),
            _ => plain.unwrap_or(0.0),
        }
    }

    /// The value of the Scenario for a number.
    pub fn value(&self, number: f64) -> Value {
        match self.kind {
            Kind::Pages(bytes) => Value::Float((number / bytes).floor()),
            Kind::Time => Value::String(format!("{:.0}ns", number.max(0.0))),
            Kind::Bytes => Value::Float(number.floor()),
            Kind::Count => Value::Float(number.round()),
            _ => Value::Float(number),
        }
    }

    /// A number as the field shows it.
    pub fn text(&self, number: f64) -> String {
        match self.kind {
            Kind::Bytes | Kind::Pages(_) => format::bytes(number),
            Kind::Share => format::fine_percent(number),
            Kind::Time => time::text(number),
            Kind::Number("") => format::number(number),
            Kind::Number(unit) => format!("{}\u{a0}{unit}", format::number(number)),
            _ => format::whole(number),
        }
    }

    /// A reading in words.
    pub fn words(&self, reading: &Reading) -> String {
        match reading {
            Reading::Number(number) => self.text(*number),
            Reading::On(true) => text("switch-on"),
            Reading::On(false) => text("switch-off"),
            Reading::Word(word) => match &self.kind {
                Kind::Choice(choices) => choices::label(choices, word),
                _ => word.clone(),
            },
        }
    }

    /// Reads what was typed.
    ///
    /// # Errors
    /// What was found and what was expected, in a sentence or two.
    pub fn parse(&self, typed: &str) -> Result<f64, String> {
        // Below zero is a word of its own in engines, such as "as many as there are clients".
        let negative = (self.scale.low < 0.0).then(|| typed.trim().strip_prefix(['-', '−'])).flatten();
        if let Some(rest) = negative {
            return format::parse_count(rest).map(|number| -number);
        }
        match &self.kind {
            Kind::Bytes | Kind::Pages(_) => format::parse_bytes(typed),
            Kind::Share => format::parse_percent(typed),
            Kind::Time => time::parse(typed),
            Kind::Number(unit) => format::parse_count(typed.trim().trim_end_matches(unit)),
            _ => format::parse_count(typed).map(f64::floor),
        }
    }

    /// Where the slider stands for a number, 0 to [`STEPS`].
    pub fn position(&self, number: f64) -> f64 {
        self.scale.position(number)
    }

    /// The number for a position of the slider, at a round value.
    pub fn number_at(&self, position: f64) -> f64 {
        self.rounded(self.scale.value(position))
    }

    /// The next different number from `number`, about `steps` positions away.
    pub fn stepped(&self, number: f64, steps: f64) -> f64 {
        let from = self.scale.position(number);
        let mut position = from + steps;
        while (0.0..=STEPS).contains(&position) {
            let next = self.number_at(position);
            if (next > number) == (steps > 0.0) && next != number {
                return next;
            }
            position += steps.signum();
        }
        self.number_at(position)
    }

    fn rounded(&self, raw: f64) -> f64 {
        let round = match self.kind {
            Kind::Bytes | Kind::Pages(_) => scale::round_bytes(raw),
            Kind::Share if self.scale.is_linear() => (raw * 100.0).round() / 100.0,
            Kind::Count if self.scale.is_linear() => (raw / self.scale.grain).round() * self.scale.grain,
            Kind::Count => scale::two_digits(raw).round(),
            _ => scale::two_digits(raw),
        };
        self.scale.clamp(round)
    }
}

fn parameter_reading(parameters: &Parameters, spec: &ParameterSpec) -> Reading {
    let number = parameters.number(spec).or_else(|_| spec.parse(spec.default)).unwrap_or_default();
    match spec.kind {
        ParameterKind::Switch => Reading::On(number != 0.0),
        ParameterKind::Choice(words) => {
            Reading::Word(words.get(number as usize).copied().unwrap_or_default().to_owned())
        }
        _ => Reading::Number(number),
    }
}

/// All knobs of a Scenario, in the order in which they are shown.
pub fn knobs(scenario: &Scenario) -> Vec<Knob> {
    [data(scenario), engine(scenario), machine(), storage(scenario), load(scenario)].concat()
}

/// The knob whose value stands at `path`.
pub fn knob_at(scenario: &Scenario, path: &str) -> Option<Knob> {
    knobs(scenario).into_iter().find(|knob| knob.path == path)
}

/// The knob beside which a problem is shown.
pub fn path_of_problem<'a>(scenario: &Scenario, path: &'a str, found: &str) -> &'a str {
    match path {
        "table" if found != "no table" && !scenario.tables.is_empty() && found.ends_with("of tables") => {
            "table[0].rows"
        }
        "storage.device" => "storage.device.count",
        "storage.log_device" => "storage.log_device.count",
        _ => path,
    }
}

fn data(scenario: &Scenario) -> Vec<Knob> {
    let several = scenario.tables.len() > 1;
    let of_table = |at: usize, name: &str, key, kind, scale| {
        let mut knob = Knob::new(format!("table[{at}].{name}"), key, Group::Data, kind, scale);
        if several {
            knob.id = format!("{key}-{at}");
            knob.owner = scenario.tables.get(at).map(|table| table.name.clone());
        }
        knob
    };
    if let Some((set, at)) = StandardTables::scale_of(scenario) {
        let key = if set == StandardTables::OrderEntry { "warehouses" } else { "branches" };
        let path = format!("table[{at}].rows");
        return vec![Knob::new(path, key, Group::Data, Kind::Count, Scale::log(1.0, 10_000.0))];
    }
    let mut knobs = Vec::new();
    for (at, table) in scenario.tables.iter().enumerate() {
        let mut add = |name, key, kind, scale| knobs.push(of_table(at, name, key, kind, scale));
        add("rows", "rows", Kind::Count, Scale::log(1e3, 1e9));
        // Of many tables, how large they are is what matters; the rest is in their definition.
        if several {
            continue;
        }
        add("count", "tables", Kind::Count, Scale::log(1.0, 200.0));
        if table.columns.iter().any(|column| column.variable_bytes(1.0).is_some()) {
            add("fill", "fill", Kind::Share, Scale::linear(0.0, 1.0));
        }
        add("order", "order", Kind::Choice(choices::orders()), Scale::none());
    }
    knobs
}

fn engine(scenario: &Scenario) -> Vec<Knob> {
    let profiles = Kind::Choice(choices::profiles());
    let mut knobs = vec![Knob::new("engine.profile", "profile", Group::Engine, profiles, Scale::none())];
    let Some(profile) = scenario.profile() else { return knobs };
    let parameters = scenario.parameters();
    let kind = match profile.buffer {
        BufferSize::Bytes(_) => Kind::Bytes,
        BufferSize::Pages(_) => Kind::Pages(f64::from(profile.page_bytes(&parameters))),
    };
    let path = format!("engine.parameters.{}", canonical(profile.buffer_parameter()));
    knobs.push(Knob::new(path, "buffer", Group::Engine, kind, Scale::log(16.0 * MIB, 512.0 * GIB)));
    // What has only one value is nothing to turn.
    let is_free =
        |spec: &ParameterSpec| spec.name != profile.buffer_parameter() && spec.range.0 < spec.range.1;
    let own = profile.parameters.iter().filter(|spec| is_free(spec));
    let mut own: Vec<Knob> = own.map(|spec| parameter(profile, spec)).collect();
    own.sort_by_key(|knob| !knob.is_common);
    knobs.extend(own);
    let contention = Scale::linear(0.0, 0.5);
    let mut knob = Knob::new("engine.contention", "contention", Group::Engine, Kind::Share, contention);
    knob.is_common = false;
    knobs.push(knob);
    knobs
}

/// Parameters that most administrators set first.
const COMMON: [&str; 11] = [
    "innodb_flush_log_at_trx_commit",
    "innodb_log_file_size",
    "innodb_flush_method",
    "innodb_io_capacity",
    "async_commit",
    "checkpoint_interval_in_mins",
    "double_write_buffer_size",
    "synchronous_commit",
    "max_wal_size",
    "checkpoint_timeout",
    "forced_writes",
];

fn parameter(profile: &'static Profile, spec: &'static ParameterSpec) -> Knob {
    let (low, high) = spec.range;
    let (kind, scale) = match spec.kind {
        ParameterKind::Size => (Kind::Bytes, Scale::for_range(low, high.min(TIB), 4.0 * KIB)),
        ParameterKind::Count => (Kind::Count, Scale::for_range(low, high.floor(), 1.0)),
        ParameterKind::Share => (Kind::Number(""), Scale::linear(low, high)),
        ParameterKind::Switch => (Kind::Switch, Scale::none()),
        ParameterKind::Choice(words) => (Kind::Choice(choices::own(words)), Scale::none()),
    };
    let name = canonical(spec.name);
    Knob {
        path: format!("engine.parameters.{name}"),
        id: format!("parameter-{name}"),
        group: Group::Engine,
        kind,
        scale,
        is_common: COMMON.contains(&spec.name),
        name: Name::Own(profile, spec),
        owner: None,
    }
}

fn machine() -> Vec<Knob> {
    let knob = |path, key, kind, scale| Knob::new(path, key, Group::Machine, kind, scale);
    vec![
        knob("machine.cores", "cores", Kind::Count, Scale::log(1.0, 128.0)),
        knob("machine.clock_ghz", "clock", Kind::Number("GHz"), Scale::linear(0.5, 6.0)),
        knob("machine.memory", "memory", Kind::Bytes, Scale::log(GIB, TIB)),
    ]
}

fn storage(scenario: &Scenario) -> Vec<Knob> {
    let knob = |path: &str, key, kind, scale| Knob::new(path, key, Group::Storage, kind, scale);
    let storage = &scenario.storage;
    let mut knobs =
        vec![knob("storage.device.preset", "device", Kind::Choice(choices::devices()), Scale::none())];
    knobs.extend(data_sheet::data_sheet("storage.device", &storage.device, false));
    knobs.extend([
        knob("storage.device.raid", "raid", Kind::Choice(choices::raid_levels()), Scale::none()),
        knob("storage.device.count", "devices", Kind::Count, choices::members(storage.device.raid)),
        knob("storage.device.written_share", "written-share", Kind::Share, Scale::linear(0.01, 1.0)),
        knob("storage.file_system", "file-system", Kind::Choice(choices::file_systems()), Scale::none()),
        knob("storage.page_cache", "page-cache", Kind::Switch, Scale::none()),
        knob(
            "storage.device.controller_cache",
            "controller-cache",
            Kind::Part(choices::controller_cache()),
            Scale::none(),
        ),
    ]);
    if storage.device.controller_cache.is_some() {
        let path = "storage.device.controller_cache";
        let sizes = Scale::log(16.0 * MIB, 8.0 * GIB);
        knobs.push(knob(&format!("{path}.size"), "controller-cache-size", Kind::Bytes, sizes));
        knobs.push(knob(&format!("{path}.battery"), "controller-battery", Kind::Switch, Scale::none()));
    }
    let log_device = Kind::Part(choices::log_device(&storage.device));
    knobs.push(knob("storage.log_device", "log-device", log_device, Scale::none()));
    if let Some(device) = &storage.log_device {
        let presets = Kind::Choice(choices::devices());
        knobs.push(knob("storage.log_device.preset", "log-device-kind", presets, Scale::none()));
        knobs.extend(data_sheet::data_sheet("storage.log_device", device, true));
        let levels = Kind::Choice(choices::raid_levels());
        knobs.push(knob("storage.log_device.raid", "log-device-raid", levels, Scale::none()));
        let members = choices::members(device.raid);
        knobs.push(knob("storage.log_device.count", "log-devices", Kind::Count, members));
    }
    knobs
}

fn load(scenario: &Scenario) -> Vec<Knob> {
    let knob = |path, key, kind, scale| Knob::new(path, key, Group::Load, kind, scale);
    let kind = scenario.workload.kind;
    let clients = Scale::log(1.0, f64::from(CLIENTS_MAX));
    let mut knobs = vec![
        knob("workload.kind", "workload", Kind::Choice(choices::workloads()), Scale::none()),
        knob("workload.clients", "clients", Kind::Count, clients),
    ];
    if choices::draws_rows(kind) {
        let keys = Kind::Choice(choices::distributions(&scenario.workload.keys));
        knobs.push(knob("workload.search_range", "search-range", Kind::Share, Scale::log(0.001, 1.0)));
        knobs.push(knob("workload.keys", "keys", keys, Scale::none()));
        if skew(scenario.workload.keys).is_some() {
            let is_zipf = matches!(scenario.workload.keys, Distribution::Zipf { .. });
            let exponents = Scale::linear(if is_zipf { 1.01 } else { 0.05 }, 3.0);
            knobs.push(knob(EXPONENT, "exponent", Kind::Number(""), exponents));
            knobs.push(knob(SCATTERED, "scattered", Kind::Switch, Scale::none()));
        }
    }
    knobs.extend([
        knob("workload.think_time", "think-time", Kind::Time, Scale::log_from_zero(1e5, 6e10)),
        knob("workload.round_trip", "round-trip", Kind::Time, Scale::log_from_zero(1e4, 2e8)),
        knob("run.duration", "duration", Kind::Time, Scale::log(1e9, 7.2e12)),
        knob("run.stop", "stop-rule", Kind::Choice(choices::stops(scenario.run.stop)), Scale::none()),
        knob("run.precision", "precision", Kind::Share, Scale::log(0.002, 0.2)),
        knob("run.sample", "sample", Kind::Share, Scale::log_from_zero(0.001, 1.0)),
        knob("run.start", "start", Kind::Choice(choices::starts()), Scale::none()),
    ]);
    if !kind.writes() {
        knobs.push(knob("workload.read_only", "read-only", Kind::Switch, Scale::none()));
    }
    knobs
}

#[cfg(test)]
mod tests;
