//! What there is to choose from where a knob is not a number.

use super::Scale;
use crate::language::{text, text_or};
use spindle_device::{ControllerCacheSpec, DeviceSpec, PRESETS, RaidLevel};
use spindle_engine::profile::PROFILES;
use spindle_scenario::Stop;
use spindle_units::{Bytes, Span};
use spindle_workload::{Distribution, WorkloadKind};
use toml::Value;

/// One of several values.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// As the Scenario writes it.
    pub value: String,
    /// Where its words come from.
    name: ChoiceName,
}

#[derive(Debug, Clone, PartialEq)]
enum ChoiceName {
    /// The page's text of this key.
    Key(String),
    /// Words that are the same in all languages.
    Own(String),
    /// English words of the models, and the key under which translations have them.
    Translated(String, String),
}

impl Choice {
    fn keyed(value: &str, key: String) -> Self {
        Self { value: value.into(), name: ChoiceName::Key(key) }
    }

    fn own(value: &str, words: &str) -> Self {
        Self { value: value.into(), name: ChoiceName::Own(words.into()) }
    }

    fn translated(value: &str, words: &str, key: String) -> Self {
        Self { value: value.into(), name: ChoiceName::Translated(words.into(), key) }
    }

    /// Its words.
    pub fn label(&self) -> String {
        match &self.name {
            ChoiceName::Key(key) => text(key),
            ChoiceName::Own(words) => words.clone(),
            ChoiceName::Translated(words, key) => text_or(key, words),
        }
    }
}

/// The words for a value.
pub fn label(choices: &[Choice], value: &str) -> String {
    choices.iter().find(|choice| choice.value == value).map_or_else(|| value.to_owned(), Choice::label)
}

/// An engine's own words.
pub fn own(words: &[&str]) -> Vec<Choice> {
    words.iter().map(|word| Choice::own(word, word)).collect()
}

/// Engines.
pub fn profiles() -> Vec<Choice> {
    PROFILES.iter().map(|profile| Choice::own(profile.name, profile.title)).collect()
}

/// Orders of loading; the first is the default.
pub fn orders() -> Vec<Choice> {
    ["random", "sequential", "sorted-build", "split-build"]
        .map(|value| Choice::keyed(value, format!("order-{value}")))
        .into()
}

/// Kinds of device; first a data sheet of its own, which begins as the present device.
pub fn devices() -> Vec<Choice> {
    let custom = Choice::keyed("", "device-own".into());
    let presets = PRESETS
        .iter()
        .map(|preset| Choice::translated(preset.name, preset.title, format!("preset-{}", preset.name)));
    std::iter::once(custom).chain(presets).collect()
}

/// Ways to combine devices.
pub const RAID_LEVELS: [(RaidLevel, &str); 4] = [
    (RaidLevel::Single, "none"),
    (RaidLevel::Raid0, "0"),
    (RaidLevel::Raid1, "1"),
    (RaidLevel::Raid10, "10"),
];

/// What a way to combine devices is called.
pub fn raid_label(level: RaidLevel) -> String {
    let name = RAID_LEVELS.iter().find(|(known, _)| *known == level).map_or("", |(_, name)| name);
    label(&raid_levels(), name)
}

/// Ways to combine devices.
pub fn raid_levels() -> Vec<Choice> {
    RAID_LEVELS.map(|(_, value)| Choice::keyed(value, format!("raid-{value}"))).into()
}

/// How many devices a way to combine them takes.
pub fn members(level: RaidLevel) -> Scale {
    match level {
        RaidLevel::Raid10 => Scale::linear(2.0, 24.0).by(2.0),
        RaidLevel::Raid1 => Scale::linear(2.0, 24.0),
        RaidLevel::Single | RaidLevel::Raid0 => Scale::linear(1.0, 24.0),
    }
}

/// File systems; the first is what holds where nothing is said.
pub fn file_systems() -> Vec<Choice> {
    ["ext4", "ext3", "xfs", "raw"].map(|value| Choice::keyed(value, format!("file-system-{value}"))).into()
}

/// The cache that a controller has to begin with: of the size and speed of servers' controllers of 2010.
pub fn controller_cache() -> Value {
    let cache = ControllerCacheSpec { size: Bytes::mib(256), battery: true, latency: Span::us(130) };
    Value::try_from(cache).unwrap_or(Value::Boolean(false))
}

/// The log's own device to begin with: one like those of the data.
pub fn log_device(data: &DeviceSpec) -> Value {
    let one = DeviceSpec { count: 1, raid: RaidLevel::Single, ..data.clone() };
    Value::try_from(one).unwrap_or(Value::Boolean(false))
}

/// Kinds of transaction on any tables, the next ones on TPC-C's.
const WORKLOADS: [&str; 24] = [
    "insert-full",
    "three-selects",
    "point-select",
    "unique-select",
    "non-unique-select",
    "any-select",
    "read-only",
    "read-write",
    "write-only",
    "update-index",
    "update-non-index",
    "tpcb-like",
    "order-entry",
    "new-order",
    "payment",
    "order-status",
    "delivery",
    "stock-level",
    "order-entry-load",
    "stock-select",
    "stock-update",
    "order-line-select",
    "order-line-insert",
    "order-line-delete",
];

/// Kinds of transaction.
pub fn workloads() -> Vec<Choice> {
    WORKLOADS.map(|value| Choice::keyed(value, format!("workload-{value}"))).into()
}

/// What a kind of transaction is called.
pub fn workload_label(kind: WorkloadKind) -> String {
    let word = Value::try_from(kind).ok().and_then(|value| value.as_str().map(str::to_owned));
    word.map_or_else(String::new, |word| text(&format!("workload-{word}")))
}

/// Whether a kind of transaction goes to rows that a reader may narrow or skew.
pub fn draws_rows(kind: WorkloadKind) -> bool {
    kind != WorkloadKind::InsertFull && !kind.is_order_entry()
}

/// Distributions of keys, with the present one among them.
pub fn distributions(present: &Distribution) -> Vec<Choice> {
    const SHAPES: [&str; 8] = [
        "uniform",
        "special",
        "pareto",
        "power 0.5",
        "power 0.8",
        "zipf 1.1",
        "zipf 1.1 scattered",
        "zipf 1.5",
    ];
    let present = present.to_string();
    let mut choices: Vec<Choice> = SHAPES.iter().map(|shape| distribution(shape)).collect();
    if !SHAPES.contains(&present.as_str()) {
        choices.push(distribution(&present));
    }
    choices
}

/// The distributions without a number in them have words; the others are called as the field writes them.
fn distribution(shape: &str) -> Choice {
    if shape.contains(' ') {
        Choice::own(shape, shape)
    } else {
        Choice::keyed(shape, format!("keys-{shape}"))
    }
}

/// What the buffer holds at the start.
pub fn starts() -> Vec<Choice> {
    ["warm", "cold", "shifted"].map(|value| Choice::keyed(value, format!("start-{value}"))).into()
}

/// When a run ends; after a number of transactions only where it does so already, for the number has no knob.
pub fn stops(present: Stop) -> Vec<Choice> {
    let by_transactions = (present == Stop::Transactions).then_some("transactions");
    let words = ["confidence", "duration"].into_iter().chain(by_transactions);
    words.map(|value| Choice::keyed(value, format!("ends-{value}"))).collect()
}
