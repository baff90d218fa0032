//! What the page has to say once, above everything: the last work was opened, or a link was damaged.

use crate::{
    language::text,
    problem_words::sentence,
    store::{Action, Notice, Store},
};
use std::rc::Rc;
use yew::prelude::*;

/// What a [`NoticeBar`] shows.
#[derive(Properties, PartialEq)]
pub struct NoticeBarProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// Changes it.
    pub dispatch: Callback<Action>,
}

/// The most problems of a link that are listed.
const LISTED_MAX: usize = 6;

/// The notice, if there is one.
#[component]
pub fn NoticeBar(props: &NoticeBarProps) -> Html {
    let Some(notice) = &props.store.notice else { return html! {} };
    let act = |action: Action| props.dispatch.reform(move |_: MouseEvent| action.clone());
    let (words, list) = match notice {
        Notice::Restored => (text("notice-restored"), html! {}),
        Notice::Damaged { opened, problems } => {
            let words = text(if *opened { "notice-damaged-part" } else { "notice-damaged" });
            let items = problems.iter().take(LISTED_MAX).map(|problem| {
                let place = problem
                    .path
                    .strip_prefix("link.")
                    .map_or_else(|| format!("{}: ", problem.path), |_| String::new());
                html! { <li>{ format!("{place}{}", sentence(problem)) }</li> }
            });
            let more = problems.len().saturating_sub(LISTED_MAX);
            let list = html! {
                <ul>
                    { for items }
                    if more > 0 { <li>{ text!("notice-more", count = more) }</li> }
                </ul>
            };
            (words, list)
        }
    };
    let class = if *notice == Notice::Restored { "restored" } else { "damaged" };
    html! {
        <section class={classes!("notice", class)} id="notice" role="status" aria-label={text("notice-label")}>
            <p>{ words }</p>
            { list }
            <div class="notice-buttons">
                <button id="open-example" onclick={act(Action::OpenExample)}>{ text("notice-example") }</button>
                <button class="quiet" id="dismiss" onclick={act(Action::Dismiss)}>{ text("notice-dismiss") }</button>
            </div>
        </section>
    }
}
