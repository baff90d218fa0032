//! How busy processor and storage of each machine are.

use crate::{
    catalogue::Side,
    format::{number, percent},
    store::Store,
    term::Term,
    words,
};
use spindle_report::DeviceReport;
use spindle_units::significant;
use std::rc::Rc;
use yew::prelude::*;

/// What the [`DevicesTable`] shows.
#[derive(Properties, PartialEq)]
pub struct DevicesTableProps {
    /// The page's state.
    pub store: Rc<Store>,
}

/// How busy everything is.
#[component]
pub fn DevicesTable(props: &DevicesTableProps) -> Html {
    let store = &props.store;
    let names = words::shown_names(store);
    let mut busiest: Option<(f64, String)> = None;
    let mut rows = Vec::new();
    for side in Side::BOTH {
        let Some(outcome) = &store.outcomes[side.index()] else { continue };
        let dim = store.is_stale(side).then_some("dim");
        for (at, device) in outcome.report.devices.iter().enumerate() {
            if busiest.as_ref().is_none_or(|(most, _)| device.utilisation > *most) {
                busiest = Some((
                    device.utilisation,
                    format!("{} of the machine with {}", device.name, names[side.index()]),
                ));
            }
            let machine = if at == 0 { words::capital(&names[side.index()]) } else { String::new() };
            rows.push(html! {
                <tr class={classes!(dim, (at == 0).then_some("first"))}>
                    <th scope="row">if at == 0 { <i class={classes!("swatch", side.class())}></i> }{ machine }</th>
                    <td>{ &device.name }</td>
                    { utilisation(device, side) }
                    { for [device.reads_per_s, device.writes_per_s, device.syncs_per_s].map(|v| figure(v, number)) }
                    { for [device.read_ms, device.write_ms].map(|v| figure(v, |ms| significant(ms, 3))) }
                </tr>
            });
        }
    }
    if rows.is_empty() {
        return html! {};
    }
    let title = busiest.map(|(share, name)| format!("The busiest part is the {name}, at {}", percent(share)));
    html! {
        <section class="devices" aria-label="Devices">
            <p class="kicker">{ "Devices" }</p>
            <h2>{ title }</h2>
            <div class="scroll">
                <table>
                    <thead>
                        <tr>
                            <td></td><td></td>
                            <th scope="col" class="left"><Term text="utilisation" meaning="Share of the time in which the device, or each of several, was at work." /></th>
                            <th scope="col" class="number">{ "reads/s" }</th>
                            <th scope="col" class="number">{ "writes/s" }</th>
                            <th scope="col" class="number"><Term text="syncs/s" meaning="Demands that what was written be durable." /></th>
                            <th scope="col" class="number">{ "read, ms" }</th>
                            <th scope="col" class="number">{ "write, ms" }</th>
                        </tr>
                    </thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
        </section>
    }
}

fn utilisation(device: &DeviceReport, side: Side) -> Html {
    let share = device.utilisation.clamp(0.0, 1.0);
    html! {
        <td class="utilisation">
            <svg width="64" height="8" aria-hidden="true">
                <rect class="track" width="64" height="8" />
                <rect class={classes!("part", side.class())} width={format!("{:.1}", share * 64.0)} height="8" />
            </svg>
            <span class="number">{ percent(share) }</span>
        </td>
    }
}

fn figure(value: f64, words: impl Fn(f64) -> String) -> Html {
    let text = if value == 0.0 { "–".into() } else { words(value) };
    html! { <td class="number">{ text }</td> }
}
