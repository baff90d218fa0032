//! The ways in which the state changes, and what they carry.

use crate::{
    catalogue::Side, protocol::FromWorker, question::Question, session::Opening, view_state::ViewAction,
};
use spindle_scenario::{Problem, Scenario, Table};
use std::rc::Rc;
use toml::Value;

/// A typed text that was not understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The text.
    pub text: String,
    /// What is wrong with it.
    pub message: String,
}

/// Something the page has to say once, above everything.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// This is where the reader left off the last time.
    Restored,
    /// A link was read in parts, or not at all.
    Damaged {
        /// Whether anything of it could be read.
        opened: bool,
        /// What is wrong with it.
        problems: Vec<Problem>,
    },
}

/// A way in which the state changes.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Another card.
    Card(usize),
    /// Another value of a choice among the card's pairs.
    Choose {
        /// Which choice.
        at: usize,
        /// The value, in the card's own words.
        value: String,
    },
    /// The knobs of another side.
    Side(Side),
    /// Whether knobs that are not a machine's turn both sides.
    Link(bool),
    /// A knob is turned; `dragged` while it may go on.
    Turn {
        /// The knob.
        path: String,
        /// Its value.
        value: Value,
        /// Whether it belongs to the turn before.
        dragged: bool,
    },
    /// A drag is over.
    Settle,
    /// A text was typed that is none of the knob's values.
    Mistype {
        /// The knob.
        path: String,
        /// The text and what is wrong with it.
        draft: Draft,
    },
    /// A knob goes back to where it was opened.
    ResetKnob(String),
    /// Other tables.
    Tables(Rc<Vec<Table>>),
    /// Everything goes back to where it was opened.
    Reset,
    /// The shown result becomes the first side, and stays.
    Pin,
    /// The sides change places.
    Swap,
    /// The first side goes away.
    Unpin,
    /// One step back.
    Undo,
    /// One step forth.
    Redo,
    /// What a link or an earlier visit says.
    Open(Rc<Opening>),
    /// The first card, as on a first visit.
    OpenExample,
    /// The notice was read.
    Dismiss,
    /// A suggested question.
    Ask(Question),
    /// Something about the views.
    // The views dispatch it; they arrive one by one.
    #[allow(dead_code)]
    View(ViewAction),
    /// A job was handed to the worker.
    Begin {
        /// Its number.
        job: u32,
        /// The sides it runs, in its order, with their scenarios.
        runs: Vec<(Side, Rc<Scenario>)>,
    },
    /// The settings changed under it: it is given up.
    Withdraw,
    /// The reader stops it.
    Stop,
    /// The replay of all cases was handed to the worker.
    BeginReplay(u32),
    /// The reader stops it.
    StopReplay,
    /// The worker says something.
    Heard(FromWorker),
}
