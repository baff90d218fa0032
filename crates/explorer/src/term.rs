//! A term of the field, underlined thinly; its meaning appears on focus, tap or hover.

use yew::prelude::*;

/// What a [`Term`] shows.
#[derive(Properties, PartialEq)]
pub struct TermProps {
    /// The term.
    pub text: AttrValue,
    /// Its meaning.
    pub meaning: AttrValue,
}

/// A term with its meaning.
#[component]
pub fn Term(props: &TermProps) -> Html {
    html! {
        <span class="term" tabindex="0" data-meaning={props.meaning.clone()} aria-description={props.meaning.clone()}>
            { props.text.clone() }
        </span>
    }
}
