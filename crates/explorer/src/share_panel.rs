//! The page's state to take along: a link, the scenario for the command line, a snippet for a document.

use crate::{
    answer::headline, catalogue::Side, download::save_text, language::text, route::address, session::link,
    store::Store,
};
use std::rc::Rc;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What the [`SharePanel`] shows.
#[derive(Properties, PartialEq)]
pub struct SharePanelProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// Closes it.
    pub close: Callback<()>,
}

/// A link, files, a snippet.
#[component]
pub fn SharePanel(props: &SharePanelProps) -> Html {
    let said = use_state(String::new);
    let field = use_node_ref();
    let store = &props.store;
    let whole = use_memo((store.scenarios.clone(), store.page_state()), |_| address(&link(store)));
    {
        let (field, whole) = (field.clone(), whole.clone());
        use_effect_with((), move |()| {
            if let Some(field) = field.cast::<HtmlInputElement>() {
                field.set_value(&whole);
                let _ = field.focus();
                field.select();
            }
        });
    }
    let copy = |content: String, done: &'static str| {
        let said = said.setter();
        Callback::from(move |_: MouseEvent| {
            let (said, content) = (said.clone(), content.clone());
            spawn_local(async move {
                said.set(text(if copied(&content).await { done } else { "share-not-copied" }));
            });
        })
    };
    let files = store.shown().map(|side| {
        let name = if store.compare {
            format!("spindle-{}.toml", side.letter().to_lowercase())
        } else {
            "spindle.toml".into()
        };
        let content = store.scenarios[side.index()].to_toml();
        let label =
            if store.compare { text!("share-toml-side", side = side.letter()) } else { text("share-toml") };
        let onclick = Callback::from(move |_: MouseEvent| save_text(&name, "application/toml", &content));
        html! { <button id={format!("share-toml-{}", side_id(side))} {onclick}>{ label }</button> }
    });
    let onkeydown = {
        let close = props.close.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                close.emit(());
            }
        })
    };
    html! {
        <section class="share" id="share-panel" aria-label={text("share")} {onkeydown}>
            <label class="share-link">
                <span>{ text("share-link") }</span>
                <input id="share-link" ref={field} type="text" readonly=true value={(*whole).clone()} />
            </label>
            <div class="share-buttons">
                <button id="copy-link" onclick={copy((*whole).clone(), "share-link-copied")}>{ text("share-copy") }</button>
                { for files }
                <button id="copy-markdown" onclick={copy(markdown(store, &whole), "share-markdown-copied")}>{ text("share-markdown") }</button>
                <button class="quiet" onclick={props.close.reform(|_: MouseEvent| ())}>{ text("share-close") }</button>
            </div>
            <p class="muted small" role="status">{ if said.is_empty() { text("share-private") } else { (*said).clone() } }</p>
        </section>
    }
}

fn side_id(side: Side) -> String {
    side.letter().to_lowercase()
}

/// The answer in Markdown, with the link.
fn markdown(store: &Store, link: &str) -> String {
    // What could open a mark of Markdown stands in no sentence of the page but through names of tables.
    let sentence = headline(store).replace(['[', ']', '<', '>', '`', '*', '_'], " ");
    format!("**{}** [{}]({link})\n", sentence.trim(), text("share-open"))
}

/// Whether a text is now in the clipboard.
async fn copied(content: &str) -> bool {
    let clipboard = web_sys::window().map(|window| window.navigator().clipboard());
    match clipboard.filter(|clipboard| clipboard.is_object()) {
        Some(clipboard) => JsFuture::from(clipboard.write_text(content)).await.is_ok(),
        None => false,
    }
}
