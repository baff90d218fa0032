//! All knobs, in groups whose headers say what is in them even when closed.

use crate::{
    catalogue::{Chosen, Pair, Side, values},
    comparison_list::ComparisonList,
    format::{bytes, number, percent, short_count},
    knob::KnobControl,
    knob_catalogue::{Group, Knob, Reading, Values, knobs, workload_label},
    language::{data_words, text},
    parameter_search::ParameterSearch,
    problem_words::sentence,
    store::{Action, Store},
    table_editor::TableEditor,
    views::paint_of,
    words,
};
use spindle_scenario::StandardTables;
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

/// Up to this width the knobs are a sheet, in which one group is open at a time.
const SHEET_WIDTH: f64 = 720.0;

fn is_narrow() -> bool {
    let width = web_sys::window().and_then(|window| window.inner_width().ok()?.as_f64());
    width.is_some_and(|width| width <= SHEET_WIDTH)
}

/// Where knobs stand now, and where they stood when the Scenario was opened.
struct Readings {
    values: Values,
    /// The knobs of the Scenario as it was opened, with where they stood; none where nothing has changed since.
    opened: Vec<(Knob, Reading)>,
}

impl Readings {
    fn of(store: &Store) -> Self {
        let original = store.original();
        let opened = if Rc::ptr_eq(store.scenario(), original) {
            Vec::new()
        } else {
            let values = Values::of(original);
            let with_reading = |knob: Knob| {
                let reading = knob.reading(&values);
                (knob, reading)
            };
            knobs(original).into_iter().map(with_reading).collect()
        };
        Self { values: Values::of(store.scenario()), opened }
    }

    /// Where a knob stood when the Scenario was opened, if that was elsewhere.
    fn opened(&self, knob: &Knob) -> Option<AttrValue> {
        let (before, reading) = self.opened.iter().find(|(before, _)| before.path == knob.path)?;
        let changed = *reading != knob.reading(&self.values);
        changed.then(|| before.words(reading).into())
    }
}

/// All knobs.
#[component]
pub fn Knobs(props: &KnobsProps) -> Html {
    let open = use_state(|| {
        if is_narrow() { [false, true, false, false, false] } else { [true, true, false, true, true] }
    });
    let store = &props.store;
    let messages = store.messages();
    let readings = Readings::of(store);
    let all: Vec<Rc<Knob>> = knobs(store.scenario()).into_iter().map(Rc::new).collect();
    let toggle = {
        let open = open.clone();
        Callback::from(move |at: usize| {
            let mut next = if is_narrow() { [false; 5] } else { *open };
            next[at] = !open[at];
            open.set(next);
        })
    };
    let control = |knob: &Rc<Knob>| {
        html! {
            <KnobControl key={knob.path.clone()} knob={Rc::clone(knob)}
                reading={knob.reading(&readings.values)} opened={readings.opened(knob)}
                draft={store.drafts.get(&knob.path).cloned()} message={messages.get(&knob.path).cloned()}
                dispatch={props.dispatch.clone()} />
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
    let groups = Group::ALL.into_iter().enumerate().map(|(at, group)| {
        let onclick = toggle.reform(move |_: MouseEvent| at);
        let id = format!("group-{}", group.id());
        let of_group = || all.iter().filter(|knob| knob.group == group);
        // What is set or wrong is never hidden behind a search.
        let is_shown = |knob: &Rc<Knob>| {
            knob.is_common || messages.contains_key(&knob.path) || readings.opened(knob).is_some()
        };
        let rest: Vec<Rc<Knob>> = of_group().filter(|knob| !is_shown(knob)).cloned().collect();
        html! {
            <section class="group" key={group.id()}>
                <h3>
                    <button aria-expanded={open[at].to_string()} aria-controls={id.clone()} {onclick}>
                        <span class="group-name">
                            { text(&format!("group-{}", group.id())) }
                            if group.is_of_one_machine() && store.compare { { of_side(store) } }
                        </span>
                        <span class="group-summary">{ summary(store, group) }</span>
                    </button>
                </h3>
                <div class="group-body" {id} hidden={!open[at]}>
                    if open[at] {
                        { for of_group().filter(|knob| is_shown(knob)).map(control) }
                        if group == Group::Load { { fitting_tables(props) } }
                        if group == Group::Data { <TableEditor tables={Rc::new(store.scenario().tables.clone())} dispatch={props.dispatch.clone()} /> }
                        if !rest.is_empty() {
                            <ParameterSearch knobs={rest.clone()} controls={rest.iter().map(control).collect::<Vec<_>>()} />
                        }
                    }
                </div>
            </section>
        }
    });
    let others = store.other_problems().into_iter().map(|(side, problem)| {
        let place = if side == store.side {
            problem.path.clone()
        } else {
            format!("{}: {}", side_name(store, side), problem.path)
        };
        html! { <p class="message general" role="status">{ format!("{place}: {}", sentence(&problem)) }</p> }
    });
    html! {
        <aside class="knobs" id="knobs" aria-label={text("knobs-title")} {onkeydown}>
            <div class="sheet-handle">
                <b>{ text("knobs-title") }</b>
                <button class="quiet" onclick={props.close.reform(|_: MouseEvent| ())}>{ text("knobs-close") }</button>
            </div>
            { choices(props) }
            { for others }
            { for groups }
            <div class="reset">
                <button class="quiet" id="reset" disabled={!store.is_changed() && store.drafts.is_empty()}
                    onclick={props.dispatch.reform(|_: MouseEvent| Action::Reset)}>
                    { text(if store.pair().is_some() { "reset-published" } else { "reset-opened" }) }
                </button>
            </div>
            if store.compare { <ComparisonList store={store.clone()} /> }
        </aside>
    }
}

/// What a side is called: by its devices where those tell the sides apart.
fn side_name(store: &Store, side: Side) -> String {
    let names = words::machine_names(store);
    format!("{} · {}", side.letter(), words::capital(&names[side.index()]))
}

fn of_side(store: &Store) -> Html {
    html! {
        <span class={classes!("of", paint_of(store.scenario()))}>{ text!("group-of-side", side = side_name(store, store.side)) }</span>
    }
}

fn segment(
    name: impl Into<AttrValue>,
    label: &str,
    chosen: bool,
    class: Option<String>,
    onchange: Callback<Event>,
) -> Html {
    html! {
        <label class={classes!("segment", class)}>
            <input type="radio" name={name.into()} checked={chosen} {onchange} />
            <span>{ label.to_owned() }</span>
        </label>
    }
}

/// More values than this are chosen from a list.
const SEGMENTS_MAX: usize = 4;
/// Letters of values that stand side by side in half of the panel.
const LETTERS_MAX: usize = 15;

/// A choice among the pairs of the card.
fn case_choice(props: &KnobsProps, pair: &Pair, at: usize, chosen: &Chosen) -> Html {
    let values = values(&props.store.pairs, pair, at);
    if values.len() < 2 {
        return html! {};
    }
    if values.len() <= SEGMENTS_MAX {
        let segments = values.iter().map(|value| {
            let action = Action::Choose { at, value: value.clone() };
            let onchange = props.dispatch.reform(move |_: Event| action.clone());
            segment(format!("choice-{at}"), &data_words(value), *value == chosen.value, None, onchange)
        });
        let stacked = (chosen.what == "test").then_some("stacked");
        let letters: usize = values.iter().map(|value| data_words(value).chars().count()).sum();
        let wide = stacked.is_some() || letters > LETTERS_MAX;
        return html! {
            <fieldset class={wide.then_some("wide")}><legend>{ chosen.legend() }</legend><div class={classes!("segments", stacked)}>{ for segments }</div></fieldset>
        };
    }
    let options = values.iter().map(|value| {
        html! { <option value={value.clone()} selected={*value == chosen.value}>{ data_words(value) }</option> }
    });
    let onchange = props.dispatch.reform(move |event: Event| {
        let select = event.target().and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
        Action::Choose { at, value: select.map(|select| select.value()).unwrap_or_default() }
    });
    html! {
        <label class="case-choice"><span>{ chosen.legend() }</span>
            <select id={format!("choice-{at}")} {onchange}>{ for options }</select>
        </label>
    }
}

fn choices(props: &KnobsProps) -> Html {
    let store = &props.store;
    let act = |action: Action| props.dispatch.reform(move |_: Event| action.clone());
    let published = store.pair().map(|pair| {
        let choices = pair.choices.iter().enumerate();
        choices.map(|(at, chosen)| case_choice(props, pair, at, chosen)).collect::<Html>()
    });
    let sides = store.compare.then(|| {
        let sides = Side::BOTH.into_iter().map(|side| {
            segment(
                "machine",
                &side_name(store, side),
                side == store.side,
                Some(paint_of(&store.scenarios[side.index()])),
                act(Action::Side(side)),
            )
        });
        let linked = act(Action::Link(!store.linked));
        html! {
            <fieldset class="wide">
                <legend>{ text("choice-side") }</legend>
                <div class="segments">{ for sides }</div>
                <label class="check">
                    <input type="checkbox" id="linked" checked={store.linked} onchange={linked} />
                    { text("choice-linked") }
                </label>
            </fieldset>
        }
    });
    let has_any = published.is_some() || sides.is_some();
    html! { if has_any { <div class="choices">{ published }{ sides }</div> } }
}

/// Offers the tables that the kind of transaction is about where the present ones will not do.
fn fitting_tables(props: &KnobsProps) -> Html {
    let scenario = props.store.scenario();
    let misfit = |path: &str| path == "table" || path.ends_with("].indexes");
    let unfit = props.store.problems_of(props.store.side).iter().any(|problem| misfit(&problem.path));
    let (true, Some(profile)) = (unfit, scenario.profile()) else { return html! {} };
    let set = StandardTables::fitting(scenario.workload.kind);
    let format = profile.format;
    let onclick = props
        .dispatch
        .reform(move |_: MouseEvent| Action::Tables(Rc::new(set.tables(set.usual_scale(), format))));
    html! {
        <p class="offer" role="status">
            { text("tables-misfit") }
            <button id="fitting-tables" {onclick}>{ text(&format!("tables-use-{}", set.id())) }</button>
        </p>
    }
}

fn summary(store: &Store, group: Group) -> String {
    let scenario = store.scenario();
    match group {
        Group::Data => {
            let size = bytes(scenario.data_bytes().clamp(0.0, 9e18));
            match scenario.tables.as_slice() {
                [table] => {
                    let rows = short_count(table.rows as f64);
                    text!("summary-data", tables = table.count, rows = rows, size = size)
                }
                tables => text!("summary-data-several", tables = tables.len(), size = size),
            }
        }
        Group::Engine => {
            let title = scenario.profile().map_or(scenario.engine.profile.as_str(), |profile| profile.title);
            let short = title.split(',').next().unwrap_or(title);
            text!("summary-engine", engine = short.to_owned(), buffer = bytes(scenario.buffer_bytes()))
        }
        Group::Machine => {
            let machine = &scenario.machine;
            let memory = bytes(machine.memory.0 as f64);
            text!(
                "summary-machine",
                cores = machine.cores,
                clock = number(machine.clock_ghz),
                memory = memory
            )
        }
        Group::Storage => words::storage(scenario),
        Group::Load => {
            let workload = &scenario.workload;
            let kind = workload_label(workload.kind);
            let load = text!("summary-load", clients = workload.clients, kind = kind);
            if workload.kind == WorkloadKind::InsertFull || workload.search_range >= 1.0 {
                load
            } else {
                text!("summary-load-range", load = load, range = percent(workload.search_range))
            }
        }
    }
}
