//! The sides that are shown, each with its name, its colour and what is known of it.

use crate::{
    catalogue::Side,
    figure::{Dash, paint_class},
    language::text,
    store::{Outcome, Store},
    words,
};
use spindle_device::Model;
use spindle_estimate::Estimate;
use spindle_scenario::Scenario;
use std::rc::Rc;

/// A side that is shown.
pub struct Seen<'a> {
    /// Which one.
    pub side: Side,
    /// Its name, with a capital letter.
    pub name: String,
    /// The colour of its device.
    pub paint: &'static str,
    /// Whether the other side has the same colour, and this one is told apart by its dash.
    pub twin: bool,
    /// Its Scenario.
    pub scenario: &'a Rc<Scenario>,
    /// What its simulation has shown.
    pub outcome: Option<&'a Outcome>,
    /// Its answer in closed form.
    pub estimate: Option<&'a Rc<Estimate>>,
    /// Whether the outcome belongs to earlier settings.
    pub stale: bool,
}

impl Seen<'_> {
    /// How its lines are broken: those of an estimate, or those of a simulation.
    pub fn dash(&self, estimate: bool) -> Dash {
        match (estimate, self.twin) {
            (false, false) => Dash::Solid,
            (false, true) => Dash::Mixed,
            (true, false) => Dash::Dashed,
            (true, true) => Dash::Dotted,
        }
    }

    /// The estimate, where it has something to say.
    pub fn estimated(&self) -> Option<&Estimate> {
        self.estimate.map(|estimate| &**estimate).filter(|estimate| estimate.throughput_tps > 0.0)
    }
}

/// The sides that are shown, the first one first.
pub fn seen(store: &Store) -> Vec<Seen<'_>> {
    let names = words::shown_names(store);
    let paints = Side::BOTH.map(|side| paint(&store.scenarios[side.index()]));
    let alike = store.compare && paints[0] == paints[1];
    store
        .shown()
        .map(|side| Seen {
            side,
            name: words::capital(&names[side.index()]),
            paint: paints[side.index()],
            twin: alike && side == Side::Base,
            scenario: &store.scenarios[side.index()],
            outcome: store.outcomes[side.index()].as_ref(),
            estimate: store.estimates[side.index()].as_ref(),
            stale: store.is_stale(side),
        })
        .collect()
}

/// The colour of what a Scenario's data lies on.
pub fn paint(scenario: &Scenario) -> &'static str {
    let device = &scenario.storage.device;
    let preset = device.preset.as_deref().unwrap_or_default();
    match device.model() {
        Ok(Model::Hdd(_)) => "disks",
        Ok(Model::Nvme(_)) => "nvme",
        Ok(Model::Ssd(_)) => "ssds",
        Ok(Model::Fixed(_)) if preset.contains("hdd") => "disks",
        Ok(Model::Fixed(_)) if preset.contains("ssd") => "ssds",
        _ => "other-engine",
    }
}

/// The class that gives an element this colour.
pub fn paint_of(scenario: &Scenario) -> String {
    paint_class(paint(scenario))
}

/// Values of the sides in a sentence: `12 on disks and 3 on SSDs`.
pub fn in_words(values: impl Iterator<Item = (String, String)>) -> String {
    let on = |(name, value): (String, String)| text!("value-on", value = value, machine = lower(&name));
    joined("list-and", values.map(on)).unwrap_or_default()
}

/// Parts of a sentence put together by a message of two.
pub fn joined(key: &str, parts: impl Iterator<Item = String>) -> Option<String> {
    parts.reduce(|first, second| text!(key, first = first, second = second))
}

/// A name within a sentence; abbreviations keep their capitals, and so do products, which have a number.
pub fn lower(name: &str) -> String {
    let product =
        name.split_whitespace().next().is_some_and(|word| word.contains(|c: char| c.is_ascii_digit()));
    if product {
        return name.to_owned();
    }
    let mut letters = name.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(std::iter::once(second)).chain(letters).collect()
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A page whose two runs are over.
    pub fn simulated() -> Store {
        (*Store::simulated(20, |_| true)).clone()
    }

    #[test]
    fn colour_means_device() {
        let store = Store::default();
        let sides = seen(&store);
        assert_eq!(sides.iter().map(|side| side.paint).collect::<Vec<_>>(), ["disks", "ssds"]);
        assert!(sides.iter().all(|side| !side.twin));
        assert_eq!(lower("Disks"), "disks");
        assert_eq!(lower("SSDs"), "SSDs");
        assert_eq!(lower("Roealsen5: storage"), "Roealsen5: storage");
    }

    #[test]
    fn sides_of_one_colour_are_told_apart_by_their_dash() {
        let mut store = Store::default();
        store.scenarios[0] = store.scenarios[1].clone();
        let sides = seen(&store);
        assert_ne!(sides[0].dash(false), sides[1].dash(false));
        assert_ne!(sides[0].dash(true), sides[1].dash(true));
    }
}
