//! The page's whole state as a link, and the last work on this machine.

use crate::{
    catalogue::Side,
    store::{Notice, Store},
    view_state::ViewState,
};
use serde::{Deserialize, Serialize};
use spindle_scenario::{
    Problem, Scenario,
    link::{Decoded, Link, decode, encode},
};

/// What a link says of the page beside the scenarios. What it leaves out is as a reader finds it first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageState {
    /// Whether both sides are shown.
    pub compare: bool,
    /// The side whose knobs are shown.
    pub side: Side,
    /// Whether knobs that are not a machine's turn both sides.
    pub linked: bool,
    /// The card that the scenarios belong to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// The claim of that card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    /// The views.
    pub view: ViewState,
}

impl Default for PageState {
    fn default() -> Self {
        Self {
            compare: true,
            side: Side::Other,
            linked: true,
            card: None,
            claim: None,
            view: ViewState::default(),
        }
    }
}

/// Where something to be opened comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A link.
    Link,
    /// The last work on this machine.
    Memory,
}

/// Something to be opened.
#[derive(Debug, Clone, PartialEq)]
pub struct Opening {
    /// Where it comes from.
    pub origin: Origin,
    /// One scenario, or two that are compared; none where nothing could be read.
    pub scenarios: Vec<Scenario>,
    /// The page.
    pub state: PageState,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

impl Opening {
    /// What a link holds, as far as it can be read.
    pub fn read(link: &str, origin: Origin) -> Self {
        let Decoded { link, mut problems } = decode::<PageState>(link);
        // What is wrong with a scenario that could be read stands beside its knobs.
        problems.retain(|problem| !is_of_scenario(problem, link.as_ref()));
        let (scenarios, state) = link.map_or_else(Default::default, |link| (link.scenarios, link.view));
        Self { origin, scenarios, state, problems }
    }

    /// What the page has to say about it.
    pub fn notice(&self) -> Option<Notice> {
        let opened = !self.scenarios.is_empty();
        if !self.problems.is_empty() || !opened {
            Some(Notice::Damaged { opened, problems: self.problems.clone() })
        } else {
            (self.origin == Origin::Memory).then_some(Notice::Restored)
        }
    }
}

/// Whether a problem is one of the checks of a scenario that was read.
fn is_of_scenario<V>(problem: &Problem, link: Option<&Link<V>>) -> bool {
    let checks = link.iter().flat_map(|link| link.scenarios.iter().enumerate()).flat_map(|(at, scenario)| {
        let place = format!("scenarios[{at}]");
        scenario.check().into_iter().map(move |problem| problem.within(&place))
    });
    checks.into_iter().any(|check| check == *problem)
}

/// The link to what is on the page, from its `#` on.
pub fn link(store: &Store) -> String {
    encode(&Link { scenarios: store.shown_scenarios(), view: store.page_state() })
}

const KEY: &str = "spindle-work";
/// The longest link that is kept on this machine.
const KEPT_BYTES_MAX: usize = 100_000;

/// Keeps the work for the next visit; a page as on a first visit needs nothing.
pub fn keep(store: &Store, link: &str) {
    let storage = web_sys::window().and_then(|window| window.local_storage().ok().flatten());
    let Some(storage) = storage else { return };
    // A browser that keeps nothing, or no more, opens with the example the next time.
    let _ = if store.is_example() || link.len() > KEPT_BYTES_MAX {
        storage.remove_item(KEY)
    } else {
        storage.set_item(KEY, link)
    };
}

/// The last work on this machine, if there is any that can be read.
pub fn kept() -> Option<Opening> {
    let text = web_sys::window()?.local_storage().ok()??.get_item(KEY).ok()??;
    let opening = Opening::read(&text, Origin::Memory);
    (!opening.scenarios.is_empty()).then_some(opening)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        edit::turned,
        knob_catalogue::{Kind, knobs},
        store::Action,
    };
    use spindle_units::chance::Chance;
    use std::rc::Rc;
    use toml::Value;
    use yew::Reducible;

    fn opened(link: &str) -> Rc<Store> {
        opened_over(&Rc::new(Store::default()), link)
    }

    fn opened_over(store: &Rc<Store>, link: &str) -> Rc<Store> {
        let opening = Opening::read(link, Origin::Link);
        Rc::clone(store).reduce(Action::Open(Rc::new(opening)))
    }

    #[test]
    fn the_opening_example_comes_back_with_what_was_published() {
        let store = Store::default();
        let again = opened(&link(&store));
        assert_eq!(again.scenarios, store.scenarios);
        assert_eq!(again.pair(), store.pair());
        assert!(!again.is_changed());
        assert_eq!(again.notice, None);
    }

    /// A scenario with some knobs anywhere on their scales.
    fn random(start: &Scenario, chance: &mut Chance) -> Scenario {
        let mut scenario = start.clone();
        for _ in 0..8 {
            let knobs = knobs(&scenario);
            let knob = &knobs[chance.below(knobs.len() as u64) as usize];
            let value = match &knob.kind {
                Kind::Switch => Value::Boolean(chance.below(2) == 0),
                Kind::Part(part) => part.clone(),
                Kind::Choice(choices) => {
                    Value::String(choices[chance.below(choices.len() as u64) as usize].value.clone())
                }
                _ => knob.value(knob.number_at(chance.unit() * 1000.0)),
            };
            scenario = turned(&scenario, &knob.path, value).unwrap();
        }
        scenario
    }

    #[test]
    fn two_hundred_random_scenarios_come_back_as_they_were() {
        let page = Rc::new(Store::default());
        let start = Rc::clone(&page.scenarios[1]);
        let mut chance = Chance::new(4, 0);
        for at in 0..200 {
            let scenarios = [0, 1].map(|_| random(&start, &mut chance));
            let count = 1 + at % 2;
            let state = PageState { compare: count == 2, ..PageState::default() };
            let text = encode(&Link { scenarios: scenarios[..count].to_vec(), view: state.clone() });
            let store = opened_over(&page, &text);
            let sides: Vec<Scenario> = store.shown_scenarios();
            assert_eq!(sides, scenarios[..count], "{at}");
            assert_eq!(store.page_state().compare, state.compare);
            assert_eq!(store.notice, None, "{at}");
            assert_eq!(opened_over(&page, &link(&store)).shown_scenarios(), sides, "{at}");
        }
    }

    #[test]
    fn a_damaged_link_says_so_and_opens_what_can_be_read() {
        let store = Store::default();
        let whole = link(&store);
        for cut in [0, 1, 4, 8, whole.len() / 2, whole.len() - 3] {
            let store = opened(&whole[..cut]);
            assert!(matches!(store.notice, Some(Notice::Damaged { .. })), "{cut}: {:?}", store.notice);
            assert!(store.card().is_some());
        }
        let future = whole.replacen("#v1:", "#v7:", 1);
        let store = opened(&future);
        assert!(matches!(store.notice, Some(Notice::Damaged { opened: true, .. })));
        opened(&format!("#v1:{}", "A".repeat(1_000_000)));
    }

    #[test]
    fn a_scenario_that_cannot_be_run_is_opened_and_told_beside_its_knob() {
        let mut store = Store::default();
        let mut scenario = (*store.scenarios[0]).clone();
        scenario.machine.cores = 0;
        store.scenarios[0] = Rc::new(scenario);
        let again = opened(&link(&store));
        assert_eq!(again.notice, None);
        assert!(again.messages().contains_key("machine.cores"), "{:?}", again.messages());
    }
}
