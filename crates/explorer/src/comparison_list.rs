//! What differs between both sides, in words.

use crate::{catalogue::Side, comparison::differences, language::text, store::Store, views::paint_of};
use std::rc::Rc;
use yew::prelude::*;

/// What a [`ComparisonList`] shows.
#[derive(Properties, PartialEq)]
pub struct ComparisonListProps {
    /// The page's state.
    pub store: Rc<Store>,
}

/// What differs between both sides.
#[component]
pub fn ComparisonList(props: &ComparisonListProps) -> Html {
    let scenarios = props.store.scenarios.clone();
    let found = use_memo(scenarios, |[first, second]| differences([first, second]));
    let rows = found.iter().map(|difference| {
        let cells = Side::BOTH.map(|side| {
            let paint = paint_of(&props.store.scenarios[side.index()]);
            html! { <td class={paint}>{ difference.values[side.index()].clone() }</td> }
        });
        html! {
            <tr key={difference.path.clone()} data-path={difference.path.clone()}>
                <th scope="row" title={difference.path.clone()}>{ difference.name.clone() }</th>
                { for cells }
            </tr>
        }
    });
    html! {
        <section class="differences" aria-label={text("differences-title")}>
            <h3>{ text("differences-title") }</h3>
            if found.is_empty() {
                <p class="muted small">{ text("differences-none") }</p>
            } else {
                <div class="scroll">
                    <table>
                        <thead><tr><td></td><th scope="col">{ Side::Base.letter() }</th><th scope="col">{ Side::Other.letter() }</th></tr></thead>
                        <tbody>{ for rows }</tbody>
                    </table>
                </div>
            }
        </section>
    }
}
