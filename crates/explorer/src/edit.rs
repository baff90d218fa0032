//! What turning a knob does to a Scenario, with what has to follow so that it stays one that makes sense.

use crate::knob_catalogue::RAID_LEVELS;
use spindle_device::{DeviceSpec, Model, RaidLevel};
use spindle_engine::{
    parameters::{Parameters, Value as Setting, canonical},
    profile::{BufferSize, Profile},
};
use spindle_scenario::{EngineSpec, Problem, Scenario, StandardTables, number_in};
use spindle_workload::Distribution;
use toml::Value;

/// Where an engine's own parameters stand.
const PARAMETERS: &str = "engine.parameters.";

/// Where the parts of a skewed distribution are turned, which the Scenario writes as one text.
pub const EXPONENT: &str = "workload.keys.exponent";
pub const SCATTERED: &str = "workload.keys.scattered";
const KEYS: &str = "workload.keys.";

/// The Scenario with a knob turned.
///
/// # Errors
/// The value is not of the kind that belongs there.
pub fn turned(scenario: &Scenario, path: &str, value: Value) -> Result<Scenario, Problem> {
    let word = value.as_str().unwrap_or_default();
    if let Some((set, at)) = StandardTables::scale_of(scenario)
        && path == format!("table[{at}].rows")
    {
        return scenario.with_value(path, value).map(|next| with_scale(next, set, at));
    }
    match path {
        "engine.profile" => Ok(with_profile(scenario, word)),
        "storage.device.preset" | "storage.device.raid" => {
            let mut next = scenario.clone();
            set_device(&mut next.storage.device, path, word);
            Ok(next)
        }
        "storage.log_device.preset" | "storage.log_device.raid" => {
            let mut next = scenario.clone();
            if let Some(device) = &mut next.storage.log_device {
                set_device(device, path, word);
            }
            Ok(next)
        }
        EXPONENT | SCATTERED => with_skew(scenario, path, &value),
        // A part that is there or not.
        _ if value == Value::Boolean(false) && is_part(path) => scenario.without_value(path),
        _ => scenario.with_value(path, value),
    }
}

/// The other side's Scenario after the same knob was turned on `lead`, which is as it became. An engine's own
/// parameter means nothing to another engine; but for the buffer, which each of them has.
///
/// # Errors
/// The value is not of the kind that belongs there.
pub fn follow(other: &Scenario, lead: &Scenario, path: &str, value: Value) -> Result<Scenario, Problem> {
    let alike = other.engine.profile == lead.engine.profile;
    match (path.strip_prefix(PARAMETERS), lead.profile()) {
        (Some(name), Some(profile)) if !alike => {
            let is_buffer = canonical(profile.buffer_parameter()) == name;
            Ok(if is_buffer { with_buffer(other, lead.buffer_bytes()) } else { other.clone() })
        }
        _ => turned(other, path, value),
    }
}

/// The Scenario with what `original` says at `path`.
///
/// # Errors
/// The path leads nowhere in this Scenario.
pub fn reset(scenario: &Scenario, original: &Scenario, path: &str) -> Result<Scenario, Problem> {
    if let Some((device, before)) = devices(path, scenario, original) {
        return Ok(reset_device(scenario, path, device, before));
    }
    if let Some((exponent, scattered)) = skew(original.workload.keys).filter(|_| path.starts_with(KEYS)) {
        let value = if path == EXPONENT { Value::Float(exponent) } else { Value::Boolean(scattered) };
        return with_skew(scenario, path, &value);
    }
    let other_engine = path.starts_with(PARAMETERS) && scenario.engine.profile != original.engine.profile;
    match original.value_at(path) {
        Some(Value::Table(part)) => scenario.with_value(path, Value::Table(part)),
        Some(value) if !other_engine => turned(scenario, path, value),
        _ => scenario.without_value(path),
    }
}

/// The exponent of a skewed distribution, and whether hot rows lie anywhere.
pub fn skew(keys: Distribution) -> Option<(f64, bool)> {
    match keys {
        Distribution::Power { exponent, scattered } | Distribution::Zipf { exponent, scattered } => {
            Some((exponent, scattered))
        }
        Distribution::Uniform | Distribution::Special | Distribution::Pareto => None,
    }
}

/// The Scenario with another skew of its keys; keys without an exponent stay as they are.
fn with_skew(scenario: &Scenario, path: &str, value: &Value) -> Result<Scenario, Problem> {
    let mut keys = scenario.workload.keys;
    if let Distribution::Power { exponent, scattered } | Distribution::Zipf { exponent, scattered } =
        &mut keys
    {
        match value.as_bool() {
            Some(on) if path == SCATTERED => *scattered = on,
            _ => *exponent = number_in(value).unwrap_or(*exponent),
        }
    }
    // By its words, so that an exponent that makes no sense is told as one.
    scenario.with_value("workload.keys", Value::String(keys.to_string()))
}

/// Writes the figures of a preset down as the device's own data sheet.
pub fn spell_out(device: &mut DeviceSpec) {
    if device.preset.is_none() {
        return;
    }
    let Ok(model) = device.model() else { return };
    device.preset = None;
    match model {
        Model::Hdd(sheet) => device.hdd = Some(sheet),
        Model::Ssd(sheet) => device.ssd = Some(sheet),
        Model::Nvme(sheet) => device.nvme = Some(sheet),
        Model::Fixed(sheet) => device.fixed = Some(sheet),
    }
}

/// Where the path is that of a device's model or of a line in its data sheet: the device, now and as it was opened.
fn devices<'a>(
    path: &str,
    now: &'a Scenario,
    original: &'a Scenario,
) -> Option<(&'a DeviceSpec, &'a DeviceSpec)> {
    let (storage, field) = path.strip_prefix("storage.")?.split_once('.')?;
    if !["preset", "hdd.", "ssd.", "nvme.", "fixed."].iter().any(|start| field.starts_with(start)) {
        return None;
    }
    match storage {
        "device" => Some((&now.storage.device, &original.storage.device)),
        "log_device" => now.storage.log_device.as_ref().zip(original.storage.log_device.as_ref()),
        _ => None,
    }
}

/// The Scenario with a device's model, or one line of its data sheet, as it was; a preset stands for its data sheet.
fn reset_device(scenario: &Scenario, path: &str, device: &DeviceSpec, before: &DeviceSpec) -> Scenario {
    let mut next = scenario.clone();
    let model_of = |device: &DeviceSpec, model: &DeviceSpec| DeviceSpec {
        count: device.count,
        raid: device.raid,
        stripe: device.stripe,
        written_share: device.written_share,
        controller_cache: device.controller_cache.clone(),
        ..model.clone()
    };
    let mut original = next.clone();
    let mut spelt = before.clone();
    spell_out(&mut spelt);
    let is_log = path.starts_with("storage.log_device");
    let place = |scenario: &mut Scenario, device: DeviceSpec| {
        if is_log {
            scenario.storage.log_device = Some(device);
        } else {
            scenario.storage.device = device;
        }
    };
    place(&mut original, model_of(device, &spelt));
    match original.value_at(path) {
        Some(value) => next.with_value(path, value).unwrap_or(next),
        // The model itself, or a line that the original's kind of device does not have.
        None => {
            place(&mut next, model_of(device, before));
            next
        }
    }
}

fn is_part(path: &str) -> bool {
    matches!(path, "storage.log_device" | "storage.device.controller_cache")
}

/// The Scenario with all tables of a benchmark as large as the one that says its scale.
fn with_scale(mut scenario: Scenario, set: StandardTables, at: usize) -> Scenario {
    let Some(profile) = scenario.profile() else { return scenario };
    let scaled = set.tables(scenario.tables[at].rows, profile.format);
    for table in &mut scenario.tables {
        if let Some(scaled) = scaled.iter().find(|scaled| scaled.name == table.name) {
            table.rows = scaled.rows;
        }
    }
    scenario
}

/// The Scenario with another engine: its buffer stays as large, and what both engines call by the same name stays set. How
/// far the one scales with processors says nothing of the other.
fn with_profile(scenario: &Scenario, name: &str) -> Scenario {
    let mut next = scenario.clone();
    let mut parameters = Parameters::default();
    if let Some(profile) = Profile::find(name) {
        for (name, value) in scenario.parameters().iter() {
            if profile.parameter(name).is_some_and(|spec| spec.parse(&value.to_string()).is_ok()) {
                parameters.set(name, value.clone());
            }
        }
    }
    next.engine = EngineSpec::new(name, parameters);
    with_buffer(&next, scenario.buffer_bytes())
}

/// The Scenario with a buffer of so many bytes, by the engine's own parameter.
pub fn with_buffer(scenario: &Scenario, bytes: f64) -> Scenario {
    let mut next = scenario.clone();
    if let Some(profile) = scenario.profile() {
        let unit = match profile.buffer {
            BufferSize::Bytes(_) => 1.0,
            BufferSize::Pages(_) => f64::from(profile.page_bytes(&scenario.parameters())),
        };
        next.engine.parameters.set(profile.buffer_parameter(), Setting::Number((bytes / unit).floor()));
    }
    next
}

fn set_device(device: &mut DeviceSpec, path: &str, word: &str) {
    if path.ends_with("preset") {
        // The empty word stands for a data sheet of the device's own.
        if word.is_empty() {
            spell_out(device);
        } else {
            device.preset = Some(word.to_owned());
            (device.hdd, device.ssd, device.nvme, device.fixed) = (None, None, None, None);
        }
    } else if let Some((level, _)) = RAID_LEVELS.iter().find(|(_, name)| *name == word) {
        set_raid(device, *level);
    }
}

/// Changes the level and keeps the number of devices sensible for it.
fn set_raid(device: &mut DeviceSpec, level: RaidLevel) {
    device.raid = level;
    device.count = match level {
        RaidLevel::Single => 1,
        RaidLevel::Raid0 => device.count.max(1),
        RaidLevel::Raid1 => device.count.max(2),
        RaidLevel::Raid10 => device.count.max(2).next_multiple_of(2),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;
    use spindle_engine::profile::PROFILES;

    fn scenario() -> Scenario {
        (*Store::default().scenarios[0]).clone()
    }

    fn word(text: &str) -> Value {
        Value::String(text.into())
    }

    #[test]
    fn another_engine_keeps_the_bytes_of_the_buffer() {
        let start = scenario();
        for profile in PROFILES {
            let next = turned(&start, "engine.profile", word(profile.name)).unwrap();
            let page = f64::from(profile.page_bytes(&next.parameters()));
            assert!((next.buffer_bytes() - start.buffer_bytes()).abs() < page, "{}", profile.name);
            assert_eq!(next.check(), [], "{}", profile.name);
            assert_eq!(next.engine.contention, 0.0, "a fitted constant of the other engine");
        }
    }

    #[test]
    fn what_both_engines_know_stays_set() {
        let mysql = turned(&scenario(), "engine.profile", word("innodb-5.1")).unwrap();
        let path = "engine.parameters.innodb_flush_log_at_trx_commit";
        let loose = turned(&mysql, path, Value::Integer(2)).unwrap();
        let maria = turned(&loose, "engine.profile", word("mariadb-10.11")).unwrap();
        assert_eq!(maria.value_at(path).and_then(|v| v.as_float()), Some(2.0));
    }

    #[test]
    fn a_raid_level_brings_a_fitting_number() {
        for (_, name) in RAID_LEVELS {
            for count in [0, 1, 3, 6] {
                let mut start = scenario();
                start.storage.device.count = count;
                let next = turned(&start, "storage.device.raid", word(name)).unwrap();
                if count > 0 || name != "0" {
                    assert_eq!(next.storage.device.check(), [], "{name} {count}");
                }
            }
        }
    }

    #[test]
    fn the_other_side_follows_as_its_engine_understands_it() {
        let lead = scenario();
        let other = turned(&lead, "engine.profile", word("innodb-5.1")).unwrap();
        let path = "engine.parameters.data_buffer_pages";
        let pages = Value::Integer(131_072);
        let lead = turned(&lead, path, pages.clone()).unwrap();
        let followed = follow(&other, &lead, path, pages).unwrap();
        assert_eq!(followed.buffer_bytes(), 2_147_483_648.0);
        let chains = follow(&other, &lead, "engine.parameters.num_lru_chains", Value::Integer(3)).unwrap();
        assert_eq!(chains, other);
    }

    #[test]
    fn a_device_has_its_presets_figures_until_one_is_turned() {
        let start = scenario();
        let own = turned(&start, "storage.device.preset", word("")).unwrap();
        assert_eq!(own.storage.device.model(), start.storage.device.model());
        assert_eq!((own.storage.device.preset.as_deref(), own.check()), (None, vec![]));
        let slow = turned(&own, "storage.device.hdd.rpm", Value::Float(7200.0)).unwrap();
        assert_ne!(slow.storage.device.model(), start.storage.device.model());
        assert_eq!(reset(&slow, &start, "storage.device.hdd.rpm").unwrap(), own);
        assert_eq!(reset(&slow, &start, "storage.device.preset").unwrap(), start);
        let other = turned(&slow, "storage.device.preset", word("nvme-pm9a3")).unwrap();
        assert_eq!(reset(&other, &slow, "storage.device.preset").unwrap(), slow, "a data sheet comes back");
        let worse = turned(&slow, "storage.device.hdd.seek_average", Value::String("90ms".into())).unwrap();
        assert_eq!(worse.check()[0].path, "storage.device.hdd.seek_average");
    }

    #[test]
    fn skew_is_turned_where_there_is_one() {
        let start = scenario();
        assert_eq!(turned(&start, EXPONENT, Value::Float(1.3)).unwrap(), start);
        let skewed = turned(&start, "workload.keys", word("zipf 1.1")).unwrap();
        let more = turned(&skewed, EXPONENT, Value::Float(1.3)).unwrap();
        assert_eq!(more.workload.keys.to_string(), "zipf 1.3");
        let apart = turned(&more, SCATTERED, Value::Boolean(true)).unwrap();
        assert_eq!(apart.workload.keys.to_string(), "zipf 1.3 scattered");
        assert_eq!(reset(&apart, &skewed, SCATTERED).unwrap(), more);
        assert_eq!(reset(&more, &skewed, EXPONENT).unwrap(), skewed);
        assert!(turned(&skewed, EXPONENT, Value::Float(0.5)).is_err(), "below one it is no law of Zipf");
    }

    #[test]
    fn a_part_comes_and_goes() {
        let start = scenario();
        let path = "storage.device.controller_cache";
        let without = turned(&start, path, Value::Boolean(false)).unwrap();
        assert_eq!(without.storage.device.controller_cache, None);
        assert_eq!(reset(&without, &start, path).unwrap(), start);
    }

    #[test]
    fn a_reset_forgets_what_was_set_over_the_configuration() {
        let start = scenario();
        let path = "engine.parameters.data_buffer_pages";
        let more = turned(&start, path, Value::Integer(1000)).unwrap();
        assert_eq!(reset(&more, &start, path).unwrap(), start);
    }
}
