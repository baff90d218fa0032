//! Findings in words, made from what the runs have shown.

use crate::{
    catalogue::{Side, device_word},
    format::{milliseconds, number, percent, span},
    store::{Outcome, Store},
};
use spindle_report::Report;
use spindle_scenario::Scenario;
use spindle_units::significant;
use spindle_workload::WorkloadKind;

/// Causes in the order in which the page shows them, with their words and what they mean.
pub const CAUSES: [(&str, &str, &str); 11] = [
    ("cpu", "working on a processor", "Time in which a core computes for the transaction."),
    ("cpu_queue", "waiting for a processor", "All cores are busy with other transactions."),
    ("read", "reading pages", "The page is not in the buffer and comes from the device."),
    (
        "free_frame",
        "waiting for a clean frame",
        "The buffer is full of changed pages: one must be written before another can be read.",
    ),
    ("log", "log", "Writing the log, or waiting until it is durable."),
    (
        "checkpoint",
        "waiting for a checkpoint",
        "The log is nearly full: changed pages must be written before it can go on.",
    ),
    (
        "admission",
        "waiting to be let into the engine",
        "innodb_thread_concurrency bounds how many threads work inside the engine.",
    ),
    ("lock", "waiting for a row lock", "Another transaction has changed the row and has not ended yet."),
    ("latch", "waiting for a page being written", "The page cannot be changed while it is being written."),
    (
        "network",
        "messages between client and server",
        "Time in which a statement or its answer is on its way between client and server.",
    ),
    (
        "page_write",
        "writing changed pages",
        "Without a log, a transaction writes the pages it has changed before its commit is done.",
    ),
];

/// The words for a cause.
pub fn cause(name: &str) -> &str {
    CAUSES.iter().find(|(known, ..)| *known == name).map_or(name, |(_, words, _)| words)
}

/// What the two machines are called: by their devices, or by their place where the devices are alike.
pub fn machine_names(scenarios: [&Scenario; 2]) -> [&'static str; 2] {
    let words = scenarios.map(device_word);
    if words[0] == words[1] { ["first machine", "second machine"] } else { words }
}

/// The machines' names for what is shown.
pub fn shown_names(store: &Store) -> [&'static str; 2] {
    let scenario = |side: Side| {
        store.outcomes[side.index()].as_ref().map_or(&*store.scenarios[side.index()], |o| &*o.scenario)
    };
    machine_names(Side::BOTH.map(scenario))
}

/// `text` with a capital letter in front.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn verb(kind: WorkloadKind) -> &'static str {
    match kind {
        WorkloadKind::InsertFull => "inserts",
        WorkloadKind::ReadWrite | WorkloadKind::WriteOnly => "reads and writes rows",
        WorkloadKind::UpdateIndex | WorkloadKind::UpdateNonIndex => "updates rows",
        _ => "looks up rows",
    }
}

/// The answer: how the other machine compares with the base.
pub fn answer(store: &Store) -> Option<String> {
    let (ratio, done) = store.ratio()?;
    let outcome = store.outcomes[1].as_ref()?;
    let [base, other] = shown_names(store);
    let other = if other.ends_with("machine") { format!("the {other}") } else { other.to_owned() };
    let base = if base.ends_with("machine") { format!("the {base}") } else { base.to_owned() };
    let system = &outcome.system;
    let verb = verb(outcome.scenario.workload.kind);
    let finding = if ratio >= 1.05 {
        format!(
            "n {other} this {system} {verb} {} times as fast",
            significant(ratio, if ratio < 2.0 { 3 } else { 2 })
        )
    } else if ratio > 0.95 {
        format!("n {other} this {system} {verb} no faster than on {base}")
    } else {
        format!("n {other} this {system} {verb} at {} of the speed it has on {base}", percent(ratio))
    };
    Some(if done { format!("O{finding}.") } else { format!("So far, o{finding}.") })
}

/// Why: what most of the time goes into, on each machine.
pub fn reason(store: &Store) -> Option<String> {
    let names = shown_names(store);
    let part = |side: Side| {
        let report = &store.outcomes[side.index()].as_ref()?.report;
        let (share, words) = main_share(report)?;
        Some((names[side.index()], share, words))
    };
    let (base, other) = (part(Side::Base)?, part(Side::Other)?);
    Some(if base.2 == other.2 {
        format!(
            "The largest part of a transaction is {}: {} on {}, {} on {}.",
            base.2,
            percent(base.1),
            base.0,
            percent(other.1),
            other.0
        )
    } else {
        format!(
            "On {} {} of a transaction is {}; on {} {} is {}.",
            base.0,
            percent(base.1),
            base.2,
            other.0,
            percent(other.1),
            other.2
        )
    })
}

/// Which cause makes most of the difference between the machines.
pub fn difference(store: &Store) -> Option<String> {
    let names = shown_names(store);
    let [base, other] = Side::BOTH.map(|side| store.outcomes[side.index()].as_ref().map(|o| &o.report));
    let (base, other) = (base?, other?);
    let ms = |report: &Report, name: &str| report.breakdown_ms.get(name).copied().unwrap_or(0.0);
    let (name, words, _) = CAUSES.iter().max_by(|a, b| {
        let gap = |name: &str| (ms(base, name) - ms(other, name)).abs();
        gap(a.0).total_cmp(&gap(b.0))
    })?;
    let (a, b) = (ms(base, name), ms(other, name));
    Some(format!(
        "{} makes most of the difference: {} on {}, {} on {}",
        capital(words),
        milliseconds(a),
        names[0],
        milliseconds(b),
        names[1]
    ))
}

fn main_share(report: &Report) -> Option<(f64, &str)> {
    let (name, ms) = report.main_cause()?;
    let whole: f64 = report.breakdown_ms.values().sum();
    (whole > 0.0).then(|| (ms / whole, cause(name)))
}

/// What the throughput does over time.
pub fn course(store: &Store) -> Option<String> {
    let names = shown_names(store);
    let known: Vec<(&str, &Outcome)> = Side::BOTH
        .iter()
        .filter_map(|side| Some((names[side.index()], store.outcomes[side.index()].as_ref()?)))
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
        let verb = if last < first { "falls" } else { "rises" };
        return Some(format!(
            "On {name} throughput {verb} from {} to {} a second within {}",
            number(round(first)),
            number(round(last)),
            span(seconds as f64)
        ));
    }
    let swings = known.iter().filter_map(|(name, outcome)| {
        let (low, high) = spread(&outcome.report.series.throughput_tps)?;
        let tps = outcome.report.throughput_tps.max(1e-9);
        ((high - low) / tps > 0.4).then_some((*name, low, high, (high - low) / tps))
    });
    if let Some((name, low, high, _)) = swings.max_by(|a, b| a.3.total_cmp(&b.3)) {
        let (low, high) = (number(round(low)), number(round(high)));
        return Some(format!("On {name} throughput swings between {low} and {high} a second"));
    }
    let parts: Vec<String> = known
        .iter()
        .map(|(name, outcome)| format!("{} on {name}", number(round(outcome.report.throughput_tps))))
        .collect();
    (!parts.is_empty()).then(|| format!("Throughput stays near {} a second", parts.join(" and ")))
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
    let kind = device.preset.clone().unwrap_or_else(|| device_word(scenario).into());
    match device.count {
        1 if device.raid == spindle_device::RaidLevel::Single => kind,
        count => format!("{count} × {kind}, {}", crate::settings::raid_label(device.raid)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{protocol::FromWorker, settings::Setting, store::Action};
    use std::rc::Rc;
    use yew::Reducible;

    fn store(seconds: u64) -> Rc<Store> {
        let mut store = Rc::new(Store::default()).reduce(Action::Begin(1));
        for index in 0..2 {
            let mut scenario = (*store.scenarios[index]).clone();
            scenario.run.duration = spindle_units::Span::seconds(seconds);
            Setting::Rows.set(&mut scenario, 2000.0);
            let report = Box::new(spindle_simulate::simulate(&scenario).unwrap());
            let progress = FromWorker::Progress {
                id: 1,
                index,
                fraction: 1.0,
                virtual_s: 2.0,
                done: index == 0,
                report,
            };
            store = store.reduce(Action::Heard(progress));
        }
        store
    }

    #[test]
    fn the_answer_is_a_sentence_and_says_when_it_is_not_final() {
        let store = store(2);
        let text = answer(&store).unwrap();
        assert!(text.starts_with("So far, on SSDs this CUBRID inserts"), "{text}");
        assert!(text.ends_with('.'));
        let text = reason(&store).unwrap();
        assert!(text.contains("disks") && text.contains('%'), "{text}");
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
        let store = Store::default();
        let twice = [&*store.scenarios[1], &*store.scenarios[1]];
        assert_eq!(machine_names(twice), ["first machine", "second machine"]);
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
            assert!(CAUSES.iter().any(|(name, ..)| *name == cause.name()), "{}", cause.name());
        }
    }
}
