//! Questions that a first visit suggests, and what the page does with them.

use crate::{
    edit::with_buffer,
    language::text,
    store::Store,
    view_state::{AxisSpec, CrossoverSpec, SweepSpec, View, ViewAction, Yardstick},
};
use spindle_units::Bytes;

/// A suggested question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// How much memory until an SSD stops mattering?
    EnoughMemory,
    /// What if the buffer were 16 GiB?
    LargeBuffer,
    /// What do more clients bring?
    MoreClients,
}

/// The buffer of [`Question::LargeBuffer`], and the memory around it.
const LARGE_BUFFER: Bytes = Bytes::gib(16);
const LARGE_MEMORY: Bytes = Bytes::gib(24);

impl Question {
    /// All of them, in the order in which they are suggested.
    pub const ALL: [Self; 3] = [Self::EnoughMemory, Self::LargeBuffer, Self::MoreClients];

    /// Its name in the document and in keys of texts.
    pub fn id(self) -> &'static str {
        match self {
            Self::EnoughMemory => "enough-memory",
            Self::LargeBuffer => "large-buffer",
            Self::MoreClients => "more-clients",
        }
    }

    /// The question.
    pub fn words(self) -> String {
        text(&format!("question-{}", self.id()))
    }

    /// Turns the page to the answer.
    pub fn ask(self, store: &mut Store) {
        match self {
            Self::EnoughMemory => {
                store.change_shown(|scenario| {
                    let mut next = scenario.clone();
                    next.machine.memory = next.machine.memory.max(Bytes::gib(256));
                    next
                });
                let x = AxisSpec { path: buffer_path(store), ..AxisSpec::default() };
                store.look(ViewAction::Crossover(CrossoverSpec { x, ..CrossoverSpec::default() }));
                store.look(ViewAction::Open(View::Crossover));
            }
            Self::LargeBuffer => {
                store.change_shown(|scenario| {
                    let mut next = with_buffer(scenario, LARGE_BUFFER.0 as f64);
                    next.machine.memory = next.machine.memory.max(LARGE_MEMORY);
                    next
                });
                store.look(ViewAction::Open(View::OverTime));
            }
            Self::MoreClients => {
                let x = AxisSpec { path: Some("workload.clients".into()), ..AxisSpec::default() };
                store.look(ViewAction::Sweep(SweepSpec { x, y: Yardstick::Throughput, family: None }));
                store.look(ViewAction::Open(View::Sweep));
            }
        }
    }
}

/// Where the size of the buffer stands.
fn buffer_path(store: &Store) -> Option<String> {
    let profile = store.scenario().profile()?;
    Some(format!("engine.parameters.{}", profile.buffer_parameter()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Action;
    use std::rc::Rc;
    use yew::Reducible;

    #[test]
    fn each_question_leads_to_something_that_can_be_run() {
        for question in Question::ALL {
            let store = Rc::new(Store::default()).reduce(Action::Ask(question));
            assert!(store.is_sound(), "{question:?}");
            assert!(!question.words().is_empty());
        }
    }

    #[test]
    fn a_question_can_be_taken_back() {
        let before = Store::default();
        let store = Rc::new(Store::default()).reduce(Action::Ask(Question::LargeBuffer));
        assert_eq!(store.scenario().buffer_bytes(), LARGE_BUFFER.0 as f64);
        assert_eq!(store.reduce(Action::Undo).scenarios, before.scenarios);
    }
}
