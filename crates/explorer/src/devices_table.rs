//! How busy processor and storage of each machine are.

use crate::{
    catalogue::Side,
    format::{number, percent},
    language::{text, text_or},
    store::Store,
    term::Term,
    views::paint_of,
    words,
};
use spindle_report::DeviceReport;
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
                    text!(
                        "device-of",
                        device = device_name(&device.name),
                        machine = names[side.index()].as_str()
                    ),
                ));
            }
            let machine = if at == 0 { words::capital(&names[side.index()]) } else { String::new() };
            rows.push(html! {
                <tr class={classes!(dim, (at == 0).then_some("first"))}>
                    <th scope="row">if at == 0 { <i class={classes!("swatch", paint_of(&outcome.scenario))}></i> }{ machine }</th>
                    <td>{ device_name(&device.name) }</td>
                    { utilisation(device, paint_of(&outcome.scenario)) }
                    { for [device.reads_per_s, device.writes_per_s, device.syncs_per_s].map(|v| figure(v, number)) }
                    { for [device.read_ms, device.write_ms].map(|v| figure(v, number)) }
                </tr>
            });
        }
    }
    if rows.is_empty() {
        return html! {};
    }
    let title = busiest.map(|(share, name)| text!("devices-busiest", part = name, share = percent(share)));
    html! {
        <section class="devices" aria-label={text("devices")}>
            <p class="kicker">{ text("devices") }</p>
            <h2>{ title }</h2>
            <div class="scroll">
                <table>
                    <thead>
                        <tr>
                            <td></td><td></td>
                            <th scope="col" class="left"><Term text={text("device-utilisation")} meaning={text("device-utilisation-meaning")} /></th>
                            <th scope="col" class="number">{ text("device-reads") }</th>
                            <th scope="col" class="number">{ text("device-writes") }</th>
                            <th scope="col" class="number"><Term text={text("device-syncs")} meaning={text("device-syncs-meaning")} /></th>
                            <th scope="col" class="number">{ text("device-read-time") }</th>
                            <th scope="col" class="number">{ text("device-write-time") }</th>
                        </tr>
                    </thead>
                    <tbody>{ for rows }</tbody>
                </table>
            </div>
        </section>
    }
}

/// What a part of a machine is called.
pub fn device_name(name: &str) -> String {
    text_or(&format!("part-{}", name.replace(' ', "-")), name)
}

fn utilisation(device: &DeviceReport, paint: String) -> Html {
    let share = device.utilisation.clamp(0.0, 1.0);
    html! {
        <td class="utilisation">
            <svg width="64" height="8" aria-hidden="true">
                <rect class="track" width="64" height="8" />
                <rect class={classes!("part", paint)} width={format!("{:.1}", share * 64.0)} height="8" />
            </svg>
            <span class="number">{ percent(share) }</span>
        </td>
    }
}

fn figure(value: f64, words: impl Fn(f64) -> String) -> Html {
    let text = if value == 0.0 { "–".into() } else { words(value) };
    html! { <td class="number">{ text }</td> }
}
