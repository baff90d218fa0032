//! Where the time of a transaction goes: a bar for each machine, divided by cause.

use crate::{
    catalogue::Side,
    format::{milliseconds, percent},
    store::Store,
    term::Term,
    words::{self, CAUSES, cause, cause_meaning},
};
use std::rc::Rc;
use yew::prelude::*;

/// What the [`TimeBreakdown`] shows.
#[derive(Properties, PartialEq)]
pub struct TimeBreakdownProps {
    /// The page's state.
    pub store: Rc<Store>,
}

/// Where the time goes.
#[component]
pub fn TimeBreakdown(props: &TimeBreakdownProps) -> Html {
    let store = &props.store;
    let names = words::shown_names(store);
    let reports = Side::BOTH.map(|side| store.outcomes[side.index()].as_ref().map(|o| &o.report));
    if reports.iter().all(Option::is_none) {
        return html! {};
    }
    let ms = |side: Side, cause: &str| {
        reports[side.index()].and_then(|r| r.breakdown_ms.get(cause).copied()).unwrap_or(0.0)
    };
    let whole = |side: Side| reports[side.index()].map_or(0.0, |r| r.breakdown_ms.values().sum::<f64>());
    let longest = Side::BOTH.map(whole).into_iter().fold(0.0, f64::max).max(1e-12);
    let bar = |side: Side| {
        let dim = store.is_stale(side).then_some("dim");
        let mut at = 0.0;
        let parts: Vec<Html> = CAUSES
            .iter()
            .filter(|name| ms(side, name) > 0.0)
            .map(|name| {
                let width = ms(side, name) / longest * 100.0;
                let x = at;
                at += width;
                let share = ms(side, name) / whole(side).max(1e-12);
                html! {
                    <g class={format!("cause {name}")}>
                        <title>{ format!("{}: {}, {}", cause(name), milliseconds(ms(side, name)), percent(share)) }</title>
                        <rect x={format!("{x:.3}%")} y="0" width={format!("{width:.3}%")} height="24" />
                        if width > 7.0 {
                            <text x={format!("{:.3}%", x + width / 2.0)} y="16" text-anchor="middle">{ percent(share) }</text>
                        }
                    </g>
                }
            })
            .collect();
        html! {
            <div class={classes!("bar-row", dim)}>
                <span class={classes!("bar-name", side.class())}>{ words::capital(&names[side.index()]) }</span>
                <svg class="bar" height="24" role="img" aria-label={format!("{}: {} a transaction", names[side.index()], milliseconds(whole(side)))}>
                    { for parts }
                </svg>
                <span class="bar-whole number">{ milliseconds(whole(side)) }</span>
            </div>
        }
    };
    let rows = CAUSES.iter().filter(|name| Side::BOTH.iter().any(|s| ms(*s, name) > 0.0)).map(|name| {
        let cell = |side: Side| {
            let value = ms(side, name);
            let share = value / whole(side).max(1e-12);
            let empty = value <= 0.0;
            html! {
                <>
                    <td class="number">{ if empty { "–".into() } else { milliseconds(value) } }</td>
                    <td class="number muted share">{ if empty { String::new() } else { percent(share) } }</td>
                </>
            }
        };
        html! {
            <tr>
                <th scope="row"><svg class="cause-swatch" width="12" height="12" aria-hidden="true"><g class={format!("cause {name}")}><rect width="12" height="12" /></g></svg>
                    <Term text={cause(name)} meaning={cause_meaning(name)} /></th>
                { cell(Side::Base) }{ cell(Side::Other) }
            </tr>
        }
    });
    let title = words::difference(store).unwrap_or_else(|| "Where the time goes".into());
    html! {
        <section class="time" aria-label="Where the time goes">
            <p class="kicker">{ "Where the time goes" }</p>
            <h2>{ title }</h2>
            <div class="bars">{ bar(Side::Base) }{ bar(Side::Other) }</div>
            <div class="scroll">
                <table>
                    <thead>
                        <tr>
                            <td></td>
                            <th scope="col" class="number">{ words::capital(&names[0]) }</th><td class="share"></td>
                            <th scope="col" class="number">{ words::capital(&names[1]) }</th><td class="share"></td>
                        </tr>
                    </thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
        </section>
    }
}
