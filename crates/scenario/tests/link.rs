//! Links of scenarios drawn at random: all engines, all loads, all devices.

use proptest::{collection::vec, option, prelude::*, sample::select};
use serde::{Deserialize, Serialize};
use spindle_device::{DeviceSpec, FileSystemKind, PRESETS, RaidLevel};
use spindle_engine::{
    parameters::{Parameters, Value},
    profile::PROFILES,
};
use spindle_scenario::{
    Scenario, Start, Stop,
    link::{Decoded, Link, decode, encode},
    scenario_from_toml,
};
use spindle_units::{Bytes, Span};
use spindle_workload::{Distribution, WorkloadKind};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Look {
    tab: String,
    positions: Vec<f64>,
}

fn base() -> Scenario {
    scenario_from_toml(include_str!("../../simulate/src/bench.toml")).expect("the benchmark's scenario")
}

fn kinds() -> Vec<WorkloadKind> {
    use WorkloadKind::*;
    vec![
        InsertFull,
        ThreeSelects,
        PointSelect,
        UniqueSelect,
        NonUniqueSelect,
        AnySelect,
        ReadOnly,
        ReadWrite,
        WriteOnly,
        UpdateIndex,
        UpdateNonIndex,
        TpcbLike,
        StockSelect,
        StockUpdate,
        OrderLineSelect,
        OrderLineInsert,
        OrderLineDelete,
        OrderEntry,
        NewOrder,
        Payment,
        OrderStatus,
        Delivery,
        StockLevel,
    ]
}

fn engine() -> impl Strategy<Value = (String, String, Parameters, f64)> {
    let profile = select(PROFILES.iter().collect::<Vec<_>>());
    let settings = (vec(any::<(bool, bool)>(), 40), "[a-z_]{0,9}( = .{0,12})?\n?", 0.0..1.0f64);
    (profile, settings).prop_map(|(profile, (chosen, configuration, contention))| {
        let mut parameters = Parameters::default();
        for (spec, (set, as_number)) in profile.parameters.iter().zip(chosen) {
            let number = spec.parse(spec.default).unwrap_or_default();
            let value = if as_number { Value::Number(number) } else { Value::Text(spec.default.to_owned()) };
            if set {
                parameters.set(spec.name, value);
            }
        }
        (profile.name.to_owned(), configuration, parameters, contention)
    })
}

fn device() -> impl Strategy<Value = DeviceSpec> {
    let raid = select(vec![RaidLevel::Single, RaidLevel::Raid0, RaidLevel::Raid1, RaidLevel::Raid10]);
    let preset = select(PRESETS.iter().collect::<Vec<_>>());
    (preset, any::<bool>(), 1..64u32, raid, 0.001..1.0f64).prop_map(
        |(preset, by_name, count, raid, share)| {
            let mut spec =
                DeviceSpec { count, raid, written_share: share, ..DeviceSpec::of_preset(preset.name) };
            if !by_name {
                spec.preset = None;
                match (preset.model)() {
                    spindle_device::Model::Hdd(hdd) => spec.hdd = Some(hdd),
                    spindle_device::Model::Ssd(ssd) => spec.ssd = Some(ssd),
                    spindle_device::Model::Nvme(nvme) => spec.nvme = Some(nvme),
                    spindle_device::Model::Fixed(fixed) => spec.fixed = Some(fixed),
                }
            }
            spec
        },
    )
}

fn keys() -> impl Strategy<Value = Distribution> {
    prop_oneof![
        Just(Distribution::Uniform),
        Just(Distribution::Special),
        Just(Distribution::Pareto),
        (1.1..4.9f64, any::<bool>())
            .prop_map(|(exponent, scattered)| Distribution::Power { exponent, scattered }),
        (1.1..4.9f64, any::<bool>())
            .prop_map(|(exponent, scattered)| Distribution::Zipf { exponent, scattered }),
    ]
}

/// Any scenario that can be written down; whether it can be run is another question.
fn scenario() -> impl Strategy<Value = Scenario> {
    let machine = (1..=1024u32, 0.1..10.0f64, (1u64 << 24)..(1 << 45));
    let file_system = select(vec![FileSystemKind::Ext3, FileSystemKind::Ext4, FileSystemKind::Xfs]);
    let storage = (device(), option::of(device()), file_system, any::<bool>());
    let load = (select(kinds()), 1..=4096u32, 0.0001..1.0f64, keys(), any::<(bool, u16, u16)>());
    let run = (1..86_400u64, select(vec![Stop::Confidence, Stop::Duration, Stop::Transactions]), 0..3usize);
    let tables = vec(("\\PC{1,12}", 1..1000u32, 1..1_000_000_000_000u64, 0.0..1.0f64), 1..4);
    (any::<u64>(), ".{0,20}", machine, storage, engine(), load, run, tables).prop_map(
        |(seed, title, machine, storage, engine, load, run, tables)| {
            let mut scenario = base();
            (scenario.seed, scenario.title) = (seed, title);
            (scenario.machine.cores, scenario.machine.clock_ghz) = (machine.0, machine.1);
            scenario.machine.memory = Bytes(machine.2);
            (scenario.storage.device, scenario.storage.log_device) = (storage.0, storage.1);
            (scenario.storage.file_system, scenario.storage.page_cache) = (storage.2, storage.3);
            (scenario.engine.profile, scenario.engine.configuration) = (engine.0, engine.1);
            (scenario.engine.parameters, scenario.engine.contention) = (engine.2, engine.3);
            let workload = &mut scenario.workload;
            (workload.kind, workload.clients, workload.search_range) = (load.0, load.1, load.2);
            (workload.keys, workload.read_only) = (load.3, load.4.0);
            (workload.think_time, workload.round_trip) =
                (Span::us(load.4.1.into()), Span::us(load.4.2.into()));
            scenario.run.duration = Span::seconds(run.0);
            scenario.run.stop = run.1;
            scenario.run.start = [Start::Warm, Start::Cold, Start::Shifted][run.2];
            let table = scenario.tables[0].clone();
            scenario.tables = tables
                .into_iter()
                .map(|(name, count, rows, fill)| spindle_scenario::Table {
                    name,
                    count,
                    rows,
                    fill,
                    ..table.clone()
                })
                .collect();
            scenario
        },
    )
}

fn link() -> impl Strategy<Value = Link<Look>> {
    let look = ("\\PC{0,8}", vec(-1e9..1e9f64, 0..4)).prop_map(|(tab, positions)| Look { tab, positions });
    (vec(scenario(), 1..=2), look).prop_map(|(scenarios, view)| Link { scenarios, view })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_link_brings_back_what_it_was_made_of(link in link()) {
        let decoded: Decoded<Look> = decode(&encode(&link));
        let wrong: usize = link.scenarios.iter().map(|scenario| scenario.check().len()).sum();
        prop_assert_eq!(decoded.problems.len(), wrong, "only what was wrong before is told");
        prop_assert_eq!(decoded.link, Some(link));
    }

    #[test]
    fn a_damaged_link_never_panics_and_never_keeps_silent(
        link in link(),
        damages in vec((any::<prop::sample::Index>(), any::<char>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let whole = encode(&link);
        let mut characters: Vec<char> = whole.chars().collect();
        for (at, character) in damages {
            let at = at.index(characters.len());
            characters[at] = character;
        }
        let damaged: String = characters.iter().collect();
        let letters = |text: &str| text.trim().trim_end_matches('=').replace(char::is_whitespace, "");
        if letters(&damaged) != whole {
            let decoded = decode::<Look>(&damaged);
            let told = decoded.problems.iter().any(|problem| problem.path.starts_with("link."));
            prop_assert!(told || decoded.link == Some(link), "{:?}", decoded.problems);
        }
        let part: String = whole.chars().take(cut.index(whole.len())).collect();
        prop_assert!(!decode::<Look>(&part).problems.is_empty());
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in "(#v[0-9]{1,3}:)?[A-Za-z0-9_=-]{0,400}.{0,20}") {
        let decoded = decode::<Look>(&text);
        prop_assert!(decoded.link.is_none() && !decoded.problems.is_empty());
    }
}
