//! Errors by engine, kind and quantity, sortable by each column.

use crate::{
    engine_mark::EngineMark,
    format::percent,
    language::text,
    measured::{Column, Filter, Measured, Summary, sort_summary},
    quantity::{engine_name, kind_words, quantity},
    route::Route,
    term::Term,
};
use std::rc::Rc;
use yew::prelude::*;

/// What the [`SummaryTable`] shows.
#[derive(Properties, PartialEq)]
pub struct SummaryTableProps {
    /// The measurements.
    pub measured: Rc<Measured>,
    /// Those of interest.
    pub filter: Filter,
}

/// Columns with the beginning of their keys; numbers from the fourth on.
const COLUMNS: [(Column, &str); 7] = [
    (Column::Engine, "column-engine"),
    (Column::Kind, "column-kind"),
    (Column::Quantity, "column-quantity"),
    (Column::Cells, "column-cells"),
    (Column::Median, "column-median"),
    (Column::P90, "column-ninety"),
    (Column::Worst, "column-worst"),
];

/// The summary.
#[component]
pub fn SummaryTable(props: &SummaryTableProps) -> Html {
    let order = use_state(|| (Column::Quantity, false));
    let mut rows: Vec<(Summary, bool)> = Vec::new();
    let mut add = |all: &[Summary], trusted: bool| {
        let mut part: Vec<Summary> =
            all.iter().filter(|row| props.filter.takes_summary(row)).cloned().collect();
        let (column, falling) = *order;
        sort_summary(&mut part, column, falling);
        rows.extend(part.into_iter().map(|row| (row, trusted)));
    };
    add(&props.measured.summary, true);
    if props.filter.low_trust {
        add(&props.measured.low_trust, false);
    }
    if rows.is_empty() {
        return html! { <p class="muted">{ text("summary-empty") }</p> };
    }
    let heads = COLUMNS.iter().enumerate().map(|(at, (column, key))| {
        let column = *column;
        let (sorted, falling) = match *order {
            (by, falling) if by == column => (true, falling),
            // Numbers are looked at from the largest down.
            _ => (false, at < 3),
        };
        let state = match (sorted, falling) {
            (false, _) => "none",
            (true, true) => "descending",
            (true, false) => "ascending",
        };
        let order = order.clone();
        let onclick = Callback::from(move |_: MouseEvent| order.set((column, !falling)));
        html! {
            <th scope="col" aria-sort={state} class={classes!((at >= 3).then_some("number"))}>
                <button class="sort" {onclick} title={text(&format!("{key}-meaning"))}>{ text(key) }<span class="arrow" aria-hidden="true"></span></button>
            </th>
        }
    });
    let body = rows.iter().map(|(row, trusted)| line(row, *trusted, &props.filter));
    html! {
        <>
        <p class="note">{ text("summary-note") }</p>
        <div class="scroll">
            <table class="summary">
                <thead><tr>{ for heads }</tr></thead>
                <tbody>{ for body }</tbody>
            </table>
        </div>
        </>
    }
}

fn line(row: &Summary, trusted: bool, filter: &Filter) -> Html {
    let shown = Filter {
        engine: Some(row.engine.clone()),
        kind: Some(row.kind.clone()),
        load: None,
        quantity: row.quantity.clone(),
        low_trust: filter.low_trust,
    };
    let (label, kind) = (quantity(&row.quantity).label, kind_words(&row.kind).0);
    html! {
        <tr class={classes!((!trusted).then_some("low-trust"))}>
            <th scope="row"><EngineMark engine={row.engine.clone()} /><span class="engine-name">{ engine_name(&row.engine) }</span></th>
            <td>{ kind.clone() }</td>
            <td data-kind={kind}><a href={Route::Accuracy(shown).href()}>{ label }</a>
                if !trusted { { " " }<Term text={text("low-trust")} meaning={text("low-trust-meaning")} /> }
            </td>
            <td class="number">{ row.cells }</td>
            <td class="number">{ share(row.median) }</td>
            <td class="number strong">{ share(row.p90) }</td>
            <td class="number">{ share(row.worst) }</td>
        </tr>
    }
}

/// An error as a share, as far as it is a number.
fn share(value: f64) -> String {
    match value {
        v if !v.is_finite() => "–".into(),
        v if v > 99.0 => text!("error-times", times = v),
        v => percent(v),
    }
}
