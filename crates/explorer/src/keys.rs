//! What the keyboard does everywhere on the page, and the list of it.

use crate::{language::text, store::Action};
use gloo::events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{HtmlDialogElement, HtmlElement};
use yew::prelude::*;

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// One step back.
    Undo,
    /// One step forth.
    Redo,
    /// Pins the result.
    Pin,
    /// Lets the sides change places.
    Swap,
    /// Stops or starts the simulation.
    RunOrStop,
    /// Opens what is needed to pass the page on.
    Share,
    /// Opens the list of keys.
    List,
}

impl Command {
    const ALL: [Self; 7] =
        [Self::Undo, Self::Redo, Self::Pin, Self::Swap, Self::RunOrStop, Self::Share, Self::List];

    /// The keys, as they are printed on a keyboard.
    fn keys(self) -> &'static str {
        match self {
            Self::Undo => "Ctrl Z",
            Self::Redo => "Ctrl Shift Z",
            Self::Pin => "Alt P",
            Self::Swap => "Alt X",
            Self::RunOrStop => "Alt R",
            Self::Share => "Alt L",
            Self::List => "?",
        }
    }

    fn words(self) -> String {
        text(match self {
            Self::Undo => "undo",
            Self::Redo => "redo",
            Self::Pin => "pin",
            Self::Swap => "swap",
            Self::RunOrStop => "keys-run",
            Self::Share => "share",
            Self::List => "keys-title",
        })
    }

    /// What a key means; `in_text` where somebody types, whose keys are the field's.
    fn of(key: &str, control: bool, alt: bool, shift: bool, in_text: bool) -> Option<Self> {
        match (control, alt, key.to_ascii_lowercase().as_str()) {
            (true, false, "z") if !in_text => Some(if shift { Self::Redo } else { Self::Undo }),
            (true, false, "y") if !in_text => Some(Self::Redo),
            (false, true, "p" | "π") => Some(Self::Pin),
            (false, true, "x" | "≈") => Some(Self::Swap),
            (false, true, "r" | "®") => Some(Self::RunOrStop),
            (false, true, "l" | "¬") => Some(Self::Share),
            (false, false, "?") if !in_text => Some(Self::List),
            _ => None,
        }
    }

    /// The change of the state it stands for, if that is all.
    pub fn action(self) -> Option<Action> {
        match self {
            Self::Undo => Some(Action::Undo),
            Self::Redo => Some(Action::Redo),
            Self::Pin => Some(Action::Pin),
            Self::Swap => Some(Action::Swap),
            Self::RunOrStop | Self::Share | Self::List => None,
        }
    }
}

/// Where it is kept that the key without a modifier is off.
const KEY: &str = "spindle-single-keys";
const OFF: &str = "off";

/// Whether the key that needs no modifier does anything. Whoever dictates, or presses keys by chance, turns it off.
fn hears_single_keys() -> bool {
    let storage = web_sys::window().and_then(|window| window.local_storage().ok().flatten());
    storage.and_then(|storage| storage.get_item(KEY).ok().flatten()).is_none_or(|kept| kept != OFF)
}

fn hear_single_keys(on: bool) {
    // A browser that keeps nothing hears the key again on the next visit.
    if let Some(Ok(Some(storage))) = web_sys::window().map(|window| window.local_storage()) {
        let _ = if on { storage.remove_item(KEY) } else { storage.set_item(KEY, OFF) };
    }
}

/// Whether keys go into a text.
fn is_typing(event: &Event) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    target.is_some_and(|element| {
        let kind = element.get_attribute("type").unwrap_or_else(|| "text".into());
        match element.tag_name().as_str() {
            "TEXTAREA" | "SELECT" => true,
            "INPUT" => matches!(kind.as_str(), "text" | "search"),
            _ => false,
        }
    })
}

/// Hears the keys of the whole page.
#[hook]
pub fn use_keys(command: Callback<Command>) {
    use_effect_with(command, move |command| {
        let command = command.clone();
        let listener = web_sys::window().and_then(|window| window.document()).map(|document| {
            let options = EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&document, "keydown", options, move |event| {
                let Some(key) = event.dyn_ref::<KeyboardEvent>() else { return };
                let control = key.ctrl_key() || key.meta_key();
                let found =
                    Command::of(&key.key(), control, key.alt_key(), key.shift_key(), is_typing(event));
                let is_single = found == Some(Command::List);
                if let Some(found) = found.filter(|_| !is_single || hears_single_keys()) {
                    event.prevent_default();
                    command.emit(found);
                }
            })
        });
        move || drop(listener)
    });
}

/// What the [`KeyList`] needs.
#[derive(Properties, PartialEq)]
pub struct KeyListProps {
    /// Closes it.
    pub close: Callback<()>,
}

/// Keys that a part of the page understands while it has the focus.
const LOCAL: [(&str, &str); 5] = [
    ("← →", "keys-slider"),
    ("Shift ← →", "keys-slider-small"),
    ("Page ↑ ↓", "keys-slider-large"),
    ("Home End", "keys-slider-ends"),
    ("Esc", "keys-close"),
];

/// The list of keys.
#[component]
pub fn KeyList(props: &KeyListProps) -> Html {
    let dialog = use_node_ref();
    {
        let dialog = dialog.clone();
        use_effect_with((), move |()| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                let _ = dialog.show_modal();
            }
        });
    }
    let single = use_state(hears_single_keys);
    let toggle = {
        let single = single.clone();
        Callback::from(move |_: Event| {
            hear_single_keys(!*single);
            single.set(!*single);
        })
    };
    let global = Command::ALL.map(|command| (command.keys(), command.words()));
    let local = LOCAL.map(|(keys, key)| (keys, text(key)));
    let rows = global.into_iter().chain(local).map(|(keys, words)| {
        let keys = keys.split(' ').map(|key| html! { <kbd>{ key }</kbd> });
        html! { <tr><th scope="row">{ for keys }</th><td>{ words }</td></tr> }
    });
    html! {
        <dialog ref={dialog} class="keys" id="keys" aria-label={text("keys-title")} onclose={props.close.reform(|_: Event| ())}>
            <h2>{ text("keys-title") }</h2>
            <table><tbody>{ for rows }</tbody></table>
            <label class="check">
                <input type="checkbox" id="single-keys" checked={*single} onchange={toggle} />
                { text!("keys-single", key = Command::List.keys()) }
            </label>
            <button onclick={props.close.reform(|_: MouseEvent| ())}>{ text("keys-close-button") }</button>
        </dialog>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_mean_what_they_say_and_leave_fields_alone() {
        assert_eq!(Command::of("z", true, false, false, false), Some(Command::Undo));
        assert_eq!(Command::of("Z", true, false, true, false), Some(Command::Redo));
        assert_eq!(Command::of("z", true, false, false, true), None);
        assert_eq!(Command::of("?", false, false, true, true), None);
        assert_eq!(Command::of("?", false, false, true, false), Some(Command::List));
        assert_eq!(Command::of("p", false, true, false, true), Some(Command::Pin));
        assert_eq!(Command::of("p", false, false, false, false), None);
    }
}
