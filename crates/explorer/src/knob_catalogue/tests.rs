use super::*;
use crate::{edit::turned, store::Store};
use spindle_engine::profile::PROFILES;

fn scenarios() -> Vec<Scenario> {
    let start = Store::default().scenarios[0].clone();
    let engines =
        PROFILES.iter().map(|p| turned(&start, "engine.profile", Value::String(p.name.into())).unwrap());
    let sets = StandardTables::ALL.iter().map(|set| {
        let mut scenario = (*start).clone();
        scenario.tables = set.tables(3, scenario.profile().unwrap().format);
        scenario
    });
    // A data sheet of its own for data and log, of each kind of device; keys that are skewed.
    let sheets = ["sas-15k", "sata-ssd-2010-mlc", "nvme-pm9a3", "emulated-ssd"].map(|preset| {
        let word = |word: &str| Value::String(word.into());
        let with = |scenario: &Scenario, path: &str, value: Value| turned(scenario, path, value).unwrap();
        let mut scenario = with(&start, "workload.keys", word("zipf 1.1"));
        scenario.storage.log_device = Some(DeviceSpec::of_preset(preset));
        for device in ["device", "log_device"] {
            let path = format!("storage.{device}.preset");
            scenario = with(&with(&scenario, &path, word(preset)), &path, word(""));
        }
        assert_eq!(scenario.check(), [], "{preset}");
        scenario
    });
    engines.chain(sets).chain(sheets).collect()
}

#[test]
fn every_knob_has_words_a_place_of_its_own_and_a_range() {
    for scenario in scenarios() {
        let knobs = knobs(&scenario);
        for (at, knob) in knobs.iter().enumerate() {
            assert!(!knob.label().is_empty() && knob.meaning().ends_with('.'), "{}", knob.path);
            assert!(knob.scale.low < knob.scale.high || !knob.kind.is_number(), "{}", knob.path);
            let twin = knobs[..at].iter().find(|other| other.path == knob.path || other.id == knob.id);
            assert!(twin.is_none(), "{} {}", knob.path, knob.id);
            assert_eq!(Group::of_path(&knob.path), Some(knob.group), "{}", knob.path);
            if let Kind::Choice(choices) = &knob.kind {
                assert!(choices.iter().all(|choice| !choice.label().is_empty()), "{}", knob.path);
            }
        }
    }
}

#[test]
fn what_a_knob_is_turned_to_is_where_it_then_stands() {
    for scenario in scenarios() {
        for knob in knobs(&scenario) {
            let readings: Vec<(Value, Reading)> = match &knob.kind {
                Kind::Switch => [true, false].map(|on| (Value::Boolean(on), Reading::On(on))).into(),
                Kind::Part(part) => {
                    vec![(Value::Boolean(false), Reading::On(false)), (part.clone(), Reading::On(true))]
                }
                Kind::Choice(choices) => choices
                    .iter()
                    .filter(|choice| !choice.value.is_empty() && knob.path != "engine.profile")
                    .map(|choice| (Value::String(choice.value.clone()), Reading::Word(choice.value.clone())))
                    .collect(),
                _ => [0.0, 300.0, 500.0, STEPS]
                    .map(|position| knob.number_at(position))
                    .map(|number| (knob.value(number), Reading::Number(number)))
                    .into(),
            };
            for (value, reading) in readings {
                let next = turned(&scenario, &knob.path, value).unwrap();
                let found = knob.reading(&Values::of(&next));
                match (&found, &reading) {
                    (Reading::Number(found), Reading::Number(wanted)) => {
                        // Pages are whole.
                        let grain = if let Kind::Pages(bytes) = knob.kind { bytes } else { 0.0 };
                        assert!(
                            (found - wanted).abs() <= grain + wanted.abs() * 1e-9,
                            "{}: {found} {wanted}",
                            knob.path
                        );
                    }
                    _ => assert_eq!(found, reading, "{}", knob.path),
                }
            }
        }
    }
}

#[test]
fn what_a_field_shows_can_be_typed_again() {
    for scenario in scenarios() {
        for knob in knobs(&scenario).into_iter().filter(|knob| knob.kind.is_number()) {
            for position in [0.0, 250.0, 500.0, STEPS] {
                let number = knob.number_at(position);
                if number < 0.0 {
                    continue;
                }
                let text = knob.text(number);
                let again = knob.parse(&text).unwrap_or_else(|wrong| panic!("{}: {wrong}", knob.path));
                assert!((again - number).abs() <= number * 0.02, "{}: {text} {again}", knob.path);
            }
        }
    }
}

#[test]
fn keys_reach_every_neighbour_and_stay_within_the_ends() {
    let start = Store::default().scenarios[0].clone();
    for knob in knobs(&start).into_iter().filter(|knob| knob.kind.is_number()) {
        let mut number = knob.number_at(0.0);
        for _ in 0..2000 {
            let next = knob.stepped(number, 1.0);
            assert!(next >= number, "{}", knob.path);
            if next == number {
                break;
            }
            number = next;
        }
        assert_eq!(number, knob.number_at(STEPS), "{}", knob.path);
        assert_eq!(knob.stepped(knob.number_at(0.0), -10.0), knob.number_at(0.0), "{}", knob.path);
    }
}

#[test]
fn what_people_type_is_understood_or_told() {
    let start = Store::default().scenarios[0].clone();
    let parse = |path: &str, typed: &str| knob_at(&start, path).unwrap().parse(typed);
    assert_eq!(parse("machine.memory", "4G"), Ok(4.0 * GIB));
    assert_eq!(parse("machine.memory", "512 MB"), Ok(512.0 * MIB));
    assert_eq!(parse("engine.parameters.data_buffer_pages", "2G"), Ok(2.0 * GIB));
    assert_eq!(parse("table[0].rows", "15k"), Ok(15_000.0));
    assert_eq!(parse("table[0].fill", "80 %"), Ok(0.8));
    assert_eq!(parse("machine.clock_ghz", "2.5 GHz"), Ok(2.5));
    assert_eq!(parse("workload.think_time", "10 ms"), Ok(1e7));
    assert_eq!(parse("run.duration", "30min"), Ok(1.8e12));
    let chains = turned(&start, "engine.profile", Value::String("cubrid-11.3".into())).unwrap();
    let chains = knob_at(&chains, "engine.parameters.num_private_chains").unwrap();
    assert_eq!(chains.parse("-1"), Ok(-1.0));
    for knob in knobs(&start).into_iter().filter(|knob| knob.kind.is_number()) {
        for text in ["", "many", "-1", "NaN", "1e400", "🦀", "--", "%", "4 gigs"] {
            assert!(knob.parse(text).is_err(), "{} {text}", knob.path);
        }
    }
}
