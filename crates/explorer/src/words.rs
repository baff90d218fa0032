//! Findings in words, made from what the runs have shown.

use crate::{
    catalogue::{Side, device_word},
    format::{milliseconds, number, span},
    language::{Language, active, data_words, text, text_or},
    store::{Outcome, Store},
};
use spindle_report::Report;
use spindle_scenario::Scenario;

/// Causes in the order in which the page shows them.
pub const CAUSES: [&str; 11] = [
    "cpu",
    "cpu_queue",
    "read",
    "free_frame",
    "log",
    "checkpoint",
    "admission",
    "lock",
    "latch",
    "network",
    "page_write",
];

/// The words for a cause.
pub fn cause(name: &str) -> String {
    text_or(&format!("cause-{name}"), name)
}

/// What a cause means, in a sentence.
pub fn cause_meaning(name: &str) -> String {
    text_or(&format!("cause-{name}-meaning"), "")
}

/// What the two machines are called, by the present settings.
pub fn machine_names(store: &Store) -> [String; 2] {
    names_of(store, Side::BOTH.map(|side| &*store.scenarios[side.index()]))
}

/// The machines' names for what is shown.
pub fn shown_names(store: &Store) -> [String; 2] {
    let scenario = |side: Side| {
        store.outcomes[side.index()].as_ref().map_or(&*store.scenarios[side.index()], |o| &*o.scenario)
    };
    names_of(store, Side::BOTH.map(scenario))
}

/// Machines are called by the kind of their devices; where that is the same, by the names that the card has for them or
/// by their models; by their place where the devices are alike.
fn names_of(store: &Store, scenarios: [&Scenario; 2]) -> [String; 2] {
    let differ = |words: &[String; 2]| words[0] != words[1];
    let kinds = scenarios.map(device_word);
    if differ(&kinds) || !store.compare {
        return kinds;
    }
    let of_card = store.machines_of_card(scenarios).map(|names| names.map(|name| data_words(&name)));
    let known = [of_card, Some(scenarios.map(storage))].into_iter().flatten().find(differ);
    known.unwrap_or_else(|| ["machine-first", "machine-second"].map(text))
}

/// `text` with a capital letter in front.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        // Turkish tells i with and without a dot apart.
        Some('i') if active() == Language::Turkish => format!("İ{}", letters.as_str()),
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// Which cause makes most of the difference between the machines.
pub fn difference(store: &Store) -> Option<String> {
    let names = shown_names(store);
    let [base, other] = Side::BOTH.map(|side| store.outcomes[side.index()].as_ref().map(|o| &o.report));
    let (base, other) = (base?, other?);
    let ms = |report: &Report, name: &str| report.breakdown_ms.get(name).copied().unwrap_or(0.0);
    let gap = |name: &str| (ms(base, name) - ms(other, name)).abs();
    let name = CAUSES.into_iter().max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
    let [base_name, other_name] = names;
    Some(capital(&text!(
        "difference",
        cause = cause(name),
        base = base_name,
        base_time = milliseconds(ms(base, name)),
        other = other_name,
        other_time = milliseconds(ms(other, name)),
    )))
}

/// What the throughput does over time.
pub fn course(store: &Store) -> Option<String> {
    let names = shown_names(store);
    let known: Vec<(&str, &Outcome)> = Side::BOTH
        .iter()
        .filter_map(|side| Some((names[side.index()].as_str(), store.outcomes[side.index()].as_ref()?)))
        .collect();
    let changes = known.iter().filter_map(|(name, outcome)| {
        let series = &outcome.report.series.throughput_tps;
        let part = series.len() / 10;
        if series.len() < 30 {
            return None;
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        // The very beginning is the start of the clients, not of the system.
        let (first, last) = (mean(&series[part / 2..part / 2 + part]), mean(&series[series.len() - part..]));
        let change = last / first.max(1e-9);
        (!(0.8..=1.25).contains(&change)).then_some((*name, first, last, series.len()))
    });
    let steepest = changes.max_by(|a, b| {
        let steep = |c: &(&str, f64, f64, usize)| (c.2.max(1e-9) / c.1.max(1e-9)).ln().abs();
        steep(a).total_cmp(&steep(b))
    });
    if let Some((name, first, last, seconds)) = steepest {
        let key = if last < first { "course-falls" } else { "course-rises" };
        let (first, last) = (number(round(first)), number(round(last)));
        return Some(text!(key, machine = name, first = first, last = last, within = span(seconds as f64)));
    }
    let swings = known.iter().filter_map(|(name, outcome)| {
        let (low, high) = spread(&outcome.report.series.throughput_tps)?;
        let tps = outcome.report.throughput_tps.max(1e-9);
        ((high - low) / tps > 0.4).then_some((*name, low, high, (high - low) / tps))
    });
    if let Some((name, low, high, _)) = swings.max_by(|a, b| a.3.total_cmp(&b.3)) {
        let (low, high) = (number(round(low)), number(round(high)));
        return Some(text!("course-swings", machine = name, low = low, high = high));
    }
    let rate = |outcome: &Outcome| number(round(outcome.report.throughput_tps));
    match known.as_slice() {
        [] => None,
        [(_, one)] => Some(text!("course-steady", throughput = rate(one))),
        [(base, below), (other, above), ..] => Some(text!(
            "course-steady-both",
            base = *base,
            base_throughput = rate(below),
            other = *other,
            other_throughput = rate(above)
        )),
    }
}

/// What one second in twenty falls below, and what one in twenty rises above.
fn spread(series: &[f64]) -> Option<(f64, f64)> {
    let mut sorted = series.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = |share: f64| sorted.get((share * sorted.len() as f64) as usize).copied();
    if series.len() < 20 { None } else { at(0.05).zip(at(0.95)) }
}

/// Three significant digits, also in front of the point: for sentences, not for tables.
fn round(value: f64) -> f64 {
    if value <= 0.0 {
        return 0.0;
    }
    let unit = 10f64.powf(value.log10().floor() - 2.0);
    (value / unit).round() * unit
}

/// A machine's storage in few words.
pub fn storage(scenario: &Scenario) -> String {
    let device = &scenario.storage.device;
    let kind = device.preset.clone().unwrap_or_else(|| device_word(scenario));
    match device.count {
        1 if device.raid == spindle_device::RaidLevel::Single => kind,
        count => format!("{count} × {kind}, {}", crate::knob_catalogue::raid_label(device.raid)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn difference_and_course_are_sentences() {
        let store = Store::simulated(2, |index| index == 0);
        assert!(difference(&store).unwrap().contains("makes most of the difference"));
        assert!(course(&store).unwrap().starts_with("Throughput stays near"));
    }

    #[test]
    fn a_spread_leaves_out_the_rare_seconds() {
        let series: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(spread(&series), Some((5.0, 95.0)));
        assert_eq!(spread(&series[..10]), None);
    }

    #[test]
    fn machines_alike_are_told_apart() {
        let mut store = Store::default();
        store.scenarios[0] = store.scenarios[1].clone();
        assert_eq!(machine_names(&store), ["the first machine", "the second machine"]);
        let mut other = (*store.scenarios[1]).clone();
        other.storage.device = spindle_device::DeviceSpec::of_preset("nvme-pm9a3");
        store.scenarios[0] = std::rc::Rc::new(other);
        assert!(machine_names(&store)[0].starts_with("nvme-pm9a3"), "by their models");
    }

    #[test]
    fn a_card_names_its_machines_until_their_devices_change() {
        let card = spindle_experiments::card("greatsql-2023").unwrap();
        let mut store = Store::of_card(card);
        assert_eq!(machine_names(&store), ["company S", "Roealsen5"]);
        let mut other = (*store.scenarios[0]).clone();
        other.storage.device = spindle_device::DeviceSpec::of_preset("nvme-p5510");
        store.scenarios[0] = std::rc::Rc::new(other);
        assert!(machine_names(&store)[0].contains("nvme-p5510"));
    }

    #[test]
    fn sentences_round_in_front_of_the_point() {
        assert_eq!(round(23_612.0), 23_600.0);
        assert_eq!(capital("disks"), "Disks");
        assert_eq!(storage(&Store::default().scenarios[0]), "6 × sas-15k, RAID 0+1");
    }

    #[test]
    fn every_cause_of_the_engine_has_words() {
        for cause in spindle_engine::host::Cause::ALL {
            assert!(CAUSES.contains(&cause.name()), "{}", cause.name());
        }
        for name in CAUSES {
            assert!(!cause(name).is_empty() && !cause_meaning(name).is_empty(), "{name}");
        }
    }
}
