//! Questions for a first visit, to click on.

use crate::{
    language::text,
    question::Question,
    store::{Action, Store},
};
use std::rc::Rc;
use yew::prelude::*;

/// What the [`Suggestions`] show.
#[derive(Properties, PartialEq)]
pub struct SuggestionsProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// Changes it.
    pub dispatch: Callback<Action>,
}

/// Questions, as long as nobody has changed anything.
#[component]
pub fn Suggestions(props: &SuggestionsProps) -> Html {
    if !props.store.is_example() {
        return html! {};
    }
    let buttons = Question::ALL.map(|question| {
        let onclick = props.dispatch.reform(move |_: MouseEvent| Action::Ask(question));
        html! { <li><button class="question" id={format!("ask-{}", question.id())} {onclick}>{ question.words() }</button></li> }
    });
    html! {
        <nav class="suggestions" aria-label={text("questions-label")}>
            <span class="muted">{ text("questions-label") }</span>
            <ul>{ for buttons }</ul>
        </nav>
    }
}
