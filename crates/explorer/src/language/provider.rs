//! Keeps the page's language: chosen once, remembered, fetched, and changed under the reader's hands.

use super::{Language, messages, text};
use crate::own_file;
use wasm_bindgen::JsValue;
use web_sys::window;
use yew::prelude::*;

const KEY: &str = "spindle-language";

/// The language and how to change it, for any component: see [`use_language`].
#[derive(Debug, Clone, PartialEq)]
pub struct Handle {
    /// The language that is spoken.
    pub language: Language,
    /// The one whose messages could not be fetched.
    pub failed: Option<Language>,
    /// Speaks another one.
    pub choose: Callback<Language>,
}

/// The language that is spoken; the component is drawn anew when it changes.
#[hook]
pub fn use_language() -> Handle {
    use_context().unwrap_or_else(|| Handle {
        language: messages::active(),
        failed: None,
        choose: Callback::noop(),
    })
}

/// What the page starts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Start {
    language: Language,
    failed: Option<Language>,
}

impl Start {
    /// Speaks what the reader chose on an earlier visit, or else the first of the browser's languages that the page
    /// knows.
    pub async fn prepare() -> Self {
        let wanted = remembered().unwrap_or_else(|| {
            let tags = browser_tags();
            Language::wanted(tags.iter().map(String::as_str))
        });
        let spoken = speak(wanted).await;
        Self {
            language: if spoken { wanted } else { Language::English },
            failed: (!spoken).then_some(wanted),
        }
    }
}

/// What the [`LanguageProvider`] takes.
#[derive(Properties, PartialEq)]
pub struct LanguageProviderProps {
    /// What was spoken when the page started.
    pub start: Start,
    /// The page.
    pub children: Html,
}

/// Gives the language to the components within.
#[component]
pub fn LanguageProvider(props: &LanguageProviderProps) -> Html {
    let state = use_state(|| props.start);
    let choose = {
        let state = state.setter();
        Callback::from(move |language: Language| {
            let state = state.clone();
            wasm_bindgen_futures::spawn_local(async move {
                if speak(language).await {
                    remember(language);
                    state.set(Start { language, failed: None });
                } else {
                    state.set(Start { language: messages::active(), failed: Some(language) });
                }
            });
        })
    };
    let Start { language, failed } = *state;
    html! {
        <ContextProvider<Handle> context={Handle { language, failed, choose }}>
            { props.children.clone() }
        </ContextProvider<Handle>>
    }
}

/// Fetches a language's messages and speaks it; false if they are not to be had.
async fn speak(language: Language) -> bool {
    let source = match language {
        Language::English => String::new(),
        other => match own_file::fetch(&format!("./locales/{}.ftl", other.tag())).await {
            Ok(source) => source,
            Err(_) => return false,
        },
    };
    messages::speak(language, source);
    if let Some(document) = window().and_then(|w| w.document()) {
        if let Some(root) = document.document_element() {
            let _ = root.set_attribute("lang", language.tag());
        }
        document.set_title(&text("title"));
    }
    true
}

fn remembered() -> Option<Language> {
    let tag = window()?.local_storage().ok()??.get_item(KEY).ok()??;
    Language::of_tag(&tag)
}

fn remember(language: Language) {
    // A browser that keeps nothing asks its own settings again next time.
    if let Some(Ok(Some(storage))) = window().map(|w| w.local_storage()) {
        let _ = storage.set_item(KEY, language.tag());
    }
}

fn browser_tags() -> Vec<String> {
    let tags = window().map(|w| w.navigator().languages().to_vec()).unwrap_or_default();
    tags.iter().filter_map(JsValue::as_string).collect()
}
