//! All settings, in groups whose headers say what is in them even when closed.

use crate::{
    catalogue::{Side, distinct},
    format::{percent, short_count},
    knob::Knob,
    settings::{RAID_LEVELS, Setting},
    store::{Action, Store},
    words,
};
use spindle_device::PRESETS;
use spindle_units::{Bytes, significant};
use spindle_workload::WorkloadKind;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// What the [`Knobs`] show.
#[derive(Properties, PartialEq)]
pub struct KnobsProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// Changes it.
    pub dispatch: Callback<Action>,
    /// Whether the sheet is open, on a narrow screen.
    pub open: bool,
    /// Closes the sheet.
    pub close: Callback<()>,
}

const GROUPS: [&str; 5] = ["Data", "Engine", "Machine", "Storage", "Load"];
/// Up to this width the knobs are a sheet, in which one group is open at a time.
const SHEET_WIDTH: f64 = 720.0;

/// All settings.
#[component]
pub fn Knobs(props: &KnobsProps) -> Html {
    let narrow = web_sys::window()
        .and_then(|w| w.inner_width().ok()?.as_f64())
        .is_some_and(|width| width <= SHEET_WIDTH);
    let open =
        use_state(
            || if narrow { [false, true, false, false, false] } else { [true, true, false, true, true] },
        );
    let store = &props.store;
    let (beside, others) = store.messages();
    let toggle = {
        let open = open.clone();
        Callback::from(move |at: usize| {
            let narrow = web_sys::window()
                .and_then(|w| w.inner_width().ok()?.as_f64())
                .is_some_and(|width| width <= SHEET_WIDTH);
            let mut next = if narrow { [false; 5] } else { *open };
            next[at] = !open[at];
            open.set(next);
        })
    };
    let knob = |setting: Setting| {
        let scenario = store.scenario();
        html! {
            <Knob {setting} text={setting.text(scenario)} position={setting.position(setting.get(scenario))}
                draft={store.drafts.get(&setting).cloned()} message={beside.get(&setting).cloned()}
                dispatch={props.dispatch.clone()} />
        }
    };
    let content = |at: usize| match at {
        0 => html! { <>{ knob(Setting::Rows) }{ knob(Setting::Tables) }{ knob(Setting::Fill) }</> },
        1 => html! { <>{ knob(Setting::Buffer) }</> },
        2 => html! { <>{ knob(Setting::Cores) }{ knob(Setting::Memory) }</> },
        3 => html! { <>{ device_select(props) }{ knob(Setting::Devices) }</> },
        _ => {
            let lookups = store.scenario().workload.kind == WorkloadKind::ThreeSelects;
            html! { <>{ knob(Setting::Clients) }{ if lookups { knob(Setting::SearchRange) } else { html! {} } }</> }
        }
    };
    let onkeydown = {
        let close = props.close.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                close.emit(());
            }
        })
    };
    let machine = store.pair().map(|p| p.machines[store.side.index()].clone()).unwrap_or_default();
    let groups = GROUPS.iter().enumerate().map(|(at, name)| {
        let own = matches!(at, 2 | 3);
        let onclick = toggle.reform(move |_: MouseEvent| at);
        let id = format!("group-{}", name.to_lowercase());
        html! {
            <section class="group" key={*name}>
                <h3>
                    <button aria-expanded={open[at].to_string()} aria-controls={id.clone()} {onclick}>
                        <span class="group-name">
                            { *name }
                            if own { <span class={classes!("of", store.side.class())}>{ format!("of the {machine}") }</span> }
                        </span>
                        <span class="group-summary">{ summary(store, at) }</span>
                    </button>
                </h3>
                <div class="group-body" {id} hidden={!open[at]}>{ content(at) }</div>
            </section>
        }
    });
    html! {
        <aside class="knobs" id="knobs" aria-label="Set-up" {onkeydown}>
            <div class="sheet-handle">
                <b>{ "Set-up" }</b>
                <button class="quiet" onclick={props.close.reform(|_: MouseEvent| ())}>{ "Close" }</button>
            </div>
            { choices(props) }
            { for others.into_iter().map(|message| html! { <p class="message general" role="status">{ message }</p> }) }
            { for groups }
            <div class="reset">
                <button class="quiet" id="reset" disabled={!store.is_changed() && store.drafts.is_empty()}
                    onclick={props.dispatch.reform(|_: MouseEvent| Action::Reset)}>
                    { "Back to the published set-up" }
                </button>
            </div>
        </aside>
    }
}

fn choices(props: &KnobsProps) -> Html {
    let store = &props.store;
    let Some(pair) = store.pair() else {
        return html! { <p class="message general">{ "No experiment could be read." }</p> };
    };
    let segment =
        |name: &'static str, label: &str, chosen: bool, class: Option<&'static str>, action: Action| {
            let onchange = props.dispatch.reform(move |_: Event| action.clone());
            html! {
                <label class={classes!("segment", class)}>
                    <input type="radio" {name} checked={chosen} {onchange} />
                    <span>{ label.to_owned() }</span>
                </label>
            }
        };
    let systems = distinct(&store.pairs, |p| &p.system)
        .into_iter()
        .map(|s| segment("system", &s, s == pair.system, None, Action::System(s.clone())));
    let tests = distinct(&store.pairs, |p| &p.test)
        .into_iter()
        .map(|t| segment("test", &t, t == pair.test, None, Action::Test(t.clone())));
    let machines = Side::BOTH.into_iter().map(|side| {
        let name = &pair.machines[side.index()];
        segment("machine", name, side == store.side, Some(side.class()), Action::Machine(side))
    });
    html! {
        <div class="choices">
            <fieldset><legend>{ "System" }</legend><div class="segments">{ for systems }</div></fieldset>
            <fieldset>
                <legend>{ "Machine to change" }</legend>
                <div class="segments">{ for machines }</div>
            </fieldset>
            <fieldset class="wide"><legend>{ "Test" }</legend><div class="segments stacked">{ for tests }</div></fieldset>
        </div>
    }
}

fn device_select(props: &KnobsProps) -> Html {
    let device = &props.store.scenario().storage.device;
    let chosen = |event: &Event| {
        event
            .target()
            .and_then(|t| t.dyn_into::<HtmlSelectElement>().ok())
            .map(|s| s.value())
            .unwrap_or_default()
    };
    let presets = PRESETS.iter().map(|preset| {
        let selected = device.preset.as_deref() == Some(preset.name);
        html! { <option value={preset.name} {selected}>{ preset.title }</option> }
    });
    let levels = RAID_LEVELS.iter().map(|(level, name, label)| {
        html! { <option value={*name} selected={device.raid == *level}>{ *label }</option> }
    });
    html! {
        <>
            <label class="choice"><span>{ "Device" }</span>
                <select id="device" onchange={props.dispatch.reform(move |e: Event| Action::Preset(chosen(&e)))}>{ for presets }</select>
            </label>
            <label class="choice"><span>{ "Array" }</span>
                <select id="raid" onchange={props.dispatch.reform(move |e: Event| Action::Raid(chosen(&e)))}>{ for levels }</select>
            </label>
        </>
    }
}

fn summary(store: &Store, group: usize) -> String {
    let scenario = store.scenario();
    let table = scenario.tables.first();
    match group {
        0 => {
            let (rows, count) = table.map_or((0, 0), |t| (t.rows, t.count));
            let size = Bytes(scenario.data_bytes().clamp(0.0, 9e18) as u64);
            format!("{count} × {} rows, about {size}", short_count(rows as f64))
        }
        1 => {
            let title = scenario.profile().map_or("unknown engine", |p| p.title);
            let short = title.split(',').next().unwrap_or(title);
            format!("{short}, {} buffer", Bytes(scenario.buffer_bytes() as u64))
        }
        2 => format!(
            "{} × {} GHz, {}",
            scenario.machine.cores,
            significant(scenario.machine.clock_ghz, 3),
            scenario.machine.memory
        ),
        3 => words::storage(scenario),
        _ => {
            let load = format!("{} clients", scenario.workload.clients);
            match scenario.workload.kind {
                WorkloadKind::InsertFull => format!("{load}, one INSERT each"),
                WorkloadKind::ThreeSelects => {
                    format!("{load}, 3 SELECTs in {} of the rows", percent(scenario.workload.search_range))
                }
                kind => format!("{load}, {} statements each", kind.statements()),
            }
        }
    }
}
