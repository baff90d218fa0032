//! The choice of a language, each under its own name.

use super::{Language, text, use_language};
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The choice.
#[component]
pub fn LanguageSelect() -> Html {
    let handle = use_language();
    let select = use_node_ref();
    {
        // After a failure the choice goes back to what is spoken, which a changed attribute alone would not do.
        let select = select.clone();
        use_effect_with(handle.clone(), move |handle| {
            if let Some(select) = select.cast::<HtmlSelectElement>() {
                select.set_value(handle.language.tag());
            }
        });
    }
    let onchange = {
        let choose = handle.choose.clone();
        Callback::from(move |event: Event| {
            let select = event.target().and_then(|t| t.dyn_into::<HtmlSelectElement>().ok());
            if let Some(language) = select.and_then(|select| Language::of_tag(&select.value())) {
                choose.emit(language);
            }
        })
    };
    let options = Language::ALL.into_iter().map(|language| {
        let selected = language == handle.language;
        html! { <option value={language.tag()} lang={language.tag()} {selected}>{ language.name() }</option> }
    });
    html! {
        <label class="language">
            <span class="hidden">{ text("language") }</span>
            <select ref={select} id="language" {onchange}>{ for options }</select>
            if let Some(failed) = handle.failed {
                <span class="message" role="status">{ super::text!("language-failed", name = failed.name()) }</span>
            }
        </label>
    }
}
