//! The page as a whole: state, worker, and where things stand.

use crate::{
    accuracy_data::{Loading, fetch},
    accuracy_table::AccuracyTable,
    accuracy_view::AccuracyView,
    address_bar::use_address,
    answer::Answer,
    catalogue::Pair,
    figures_table::FiguresTable,
    header::Header,
    keys::{Command, KeyList, use_keys},
    knobs::Knobs,
    language::{text, use_language},
    measured::Filter,
    notice_bar::NoticeBar,
    pool::Pool,
    protocol::{Job, Purpose},
    route::{Route, linked, use_route},
    session::{Opening, Origin, kept, link},
    share_panel::SharePanel,
    store::{Action, Phase, Store, system_name},
    suggestions::Suggestions,
    theme::Theme,
    trust_note::{Results, TrustNote},
    view_state::ViewAction,
    views::{Points, Views},
    words,
};
use gloo::timers::callback::Timeout;
use std::{cell::Cell, rc::Rc};
use yew::prelude::*;

/// How long settings rest before they are run, in milliseconds.
const DEBOUNCE_MS: u32 = 250;

/// The page.
#[component]
pub fn App() -> Html {
    let store = use_reducer(opening);
    let theme = use_state(Theme::remembered);
    let language = use_language().language;
    let sheet = use_state(|| false);
    let sharing = use_state(|| false);
    let listing = use_state(|| false);
    let opened = {
        let dispatcher = store.dispatcher();
        use_callback((), move |link: String, ()| {
            dispatcher.dispatch(Action::Open(Rc::new(Opening::read(&link, Origin::Link))));
        })
    };
    let (route, go) = use_route(opened);
    let loading = use_state(Loading::default);
    // The page's own job. It is kept here beside the state, so that whoever starts one knows what it takes the place of.
    let pair_job = use_memo((), |()| Cell::new(0));
    let pool = {
        let dispatcher = store.dispatcher();
        use_memo((), move |()| Pool::new(move |heard| dispatcher.dispatch(Action::Heard(heard))))
    };
    let snapshot: Rc<Store> = Rc::new((*store).clone());
    use_address(&snapshot, &route);

    let begin = {
        let (store, pool, pair_job) = (store.clone(), pool.clone(), pair_job.clone());
        Callback::from(move |again: bool| {
            pool.stop(pair_job.get());
            let runs = store.to_run(again);
            let scenarios = runs.iter().map(|(_, scenario)| (**scenario).clone()).collect();
            let job = pool.run(Job { purpose: Purpose::Shown, scenarios });
            pair_job.set(job);
            store.dispatch(Action::Begin { job, runs });
        })
    };
    let stop = {
        let (store, pool, pair_job) = (store.clone(), pool.clone(), pair_job.clone());
        Callback::from(move |(): ()| {
            pool.stop(pair_job.get());
            store.dispatch(Action::Stop);
        })
    };
    let replay = {
        let (store, pool) = (store.clone(), pool.clone());
        Callback::from(move |start: bool| {
            if let Some(replay) = &store.replay {
                pool.stop(replay.job);
            }
            if start {
                let scenarios = store.replay_order().into_iter().map(|(_, scenario)| scenario).collect();
                let id = pool.run(Job { purpose: Purpose::Replay, scenarios });
                store.dispatch(Action::BeginReplay(id));
            } else {
                store.dispatch(Action::StopReplay);
            }
        })
    };

    let simulate = {
        let (store, pool) = (store.clone(), pool.clone());
        Callback::from(move |points: Points| {
            if let Some(sweep) = &store.view.simulated {
                pool.stop(sweep.job);
                store.dispatch(Action::View(ViewAction::SimulationOver { job: sweep.job }));
            }
            let Points { places, scenarios } = points;
            if !scenarios.is_empty() {
                let job = pool.run(Job { purpose: Purpose::Sweep, scenarios });
                let (scenarios, compare) = (store.scenarios.clone(), store.compare);
                store.dispatch(Action::View(ViewAction::Simulating { job, scenarios, compare, places }));
            }
        })
    };

    {
        let (begin, pool, dispatcher) = (begin.clone(), pool.clone(), store.dispatcher());
        let subject = (store.scenarios.clone(), store.compare, store.is_sound());
        use_effect_with(subject, move |(_, _, sound)| {
            // The settings have changed under the runs, if there are any.
            let first = pair_job.get() == 0;
            if !first {
                pool.stop(pair_job.get());
                dispatcher.dispatch(Action::Withdraw);
            }
            let delay = if first { 0 } else { DEBOUNCE_MS };
            let timer = sound.then(|| Timeout::new(delay, move || begin.emit(false)));
            move || drop(timer)
        });
    }

    let load = {
        let loading = loading.setter();
        Callback::from(move |(): ()| {
            let loading = loading.clone();
            loading.set(Loading::Busy);
            wasm_bindgen_futures::spawn_local(async move { loading.set(fetch().await) });
        })
    };
    {
        // The measurements are needed once there is something to judge, or somebody looks at them.
        let needed = matches!(route, Route::Accuracy(_)) || store.outcomes.iter().any(Option::is_some);
        let (load, idle) = (load.clone(), *loading == Loading::Idle);
        use_effect_with(needed, move |needed| {
            if *needed && idle {
                load.emit(());
            }
        });
    }

    let toggle_theme = {
        let theme = theme.clone();
        Callback::from(move |(): ()| {
            let next = theme.next();
            next.apply();
            theme.set(next);
        })
    };
    let toggle_sheet = {
        let sheet = sheet.clone();
        Callback::from(move |open: bool| {
            if open && let Some(window) = web_sys::window() {
                // Answer and picture stay visible above the sheet.
                window.scroll_to_with_x_and_y(0.0, 0.0);
            }
            sheet.set(open);
        })
    };
    let share = {
        let sharing = sharing.clone();
        Callback::from(move |(): ()| sharing.set(!*sharing))
    };
    let show_keys = {
        let listing = listing.setter();
        Callback::from(move |shown: bool| listing.set(shown))
    };
    let dispatch = {
        let dispatcher = store.dispatcher();
        use_callback((), move |action: Action, ()| dispatcher.dispatch(action))
    };
    {
        let (dispatch, share, show_keys) = (dispatch.clone(), share.clone(), show_keys.clone());
        let (begin, stop, phase) = (begin.clone(), stop.clone(), store.phase);
        use_keys(Callback::from(move |command: Command| match (command, command.action()) {
            (_, Some(action)) => dispatch.emit(action),
            (Command::Share, _) => share.emit(()),
            (Command::RunOrStop, _) if phase == Phase::Running => stop.emit(()),
            (Command::RunOrStop, _) => begin.emit(phase == Phase::Done),
            _ => show_keys.emit(true),
        }));
    }
    let state = match store.phase {
        Phase::Waiting => "waiting",
        Phase::Running => "running",
        Phase::Done => "done",
        Phase::Stopped => "stopped",
        Phase::Died => "died",
    };
    let change = go.reform(|filter: Filter| Route::Accuracy(filter));
    let stale = store.shown().any(|side| store.is_stale(side));
    let simulation = if route == Route::Simulation { "#".into() } else { link(&snapshot) };
    html! {
        // What is shown is made anew in another language; what is known stays.
        <div key={language.tag()} class="app" data-state={state} data-stale={stale.to_string()} data-sheet={if *sheet { "open" } else { "closed" }}
            data-view={if matches!(route, Route::Accuracy(_)) { "accuracy" } else { "simulation" }}>
            <Header store={snapshot.clone()} dispatch={dispatch.clone()} route={route.clone()} theme={*theme} {toggle_theme}
                {simulation} sharing={*sharing} toggle_sharing={share.clone()} show_keys={show_keys.reform(|()| true)} />
            if let Route::Accuracy(filter) = &route {
                <main>
                    <AccuracyView loading={(*loading).clone()} filter={filter.clone()} {change} again={load} theme={*theme} />
                </main>
            } else {
                <Knobs store={snapshot.clone()} dispatch={dispatch.clone()} open={*sheet} close={toggle_sheet.reform(|()| false)} />
                <main>
                    if *sharing { <SharePanel store={snapshot.clone()} close={share} /> }
                    <NoticeBar store={snapshot.clone()} dispatch={dispatch.clone()} />
                    <Answer store={snapshot.clone()} loading={(*loading).clone()} {begin} {stop} />
                    <Suggestions store={snapshot.clone()} dispatch={dispatch.clone()} />
                    <Views store={snapshot.clone()} dispatch={dispatch.clone()} {simulate} loading={(*loading).clone()} {load} theme={*theme} />
                    <FiguresTable store={snapshot.clone()} loading={(*loading).clone()} />
                    <TrustNote results={Results::of(&snapshot)} loading={(*loading).clone()} />
                    <AccuracyTable store={snapshot.clone()} {replay} />
                    <footer>{ text("footer") }</footer>
                </main>
                <button class="sheet-button" aria-expanded={sheet.to_string()} aria-controls="knobs"
                    onclick={toggle_sheet.reform({ let open = *sheet; move |_: MouseEvent| !open })}>
                    <b>{ text(if *sheet { "knobs-close" } else { "knobs-open" }) }</b>
                    <span>{ summary(&store) }</span>
                </button>
            }
            if *listing { <KeyList close={show_keys.reform(|()| false)} /> }
        </div>
    }
}

/// What the page opens with: what the address says, or else the last work on this machine, or else the first card.
fn opening() -> Store {
    let opening = linked().map(|link| Opening::read(&link, Origin::Link)).or_else(kept);
    Store::opened(opening)
}

fn summary(store: &Store) -> String {
    let what = store.pair().map_or_else(|| system_name(store.scenario()), Pair::words);
    format!("{what} · {}", words::storage(store.scenario()))
}
