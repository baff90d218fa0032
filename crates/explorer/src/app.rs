//! The page as a whole: state, worker, and where things stand.

use crate::{
    accuracy_data::{Loading, fetch},
    accuracy_table::AccuracyTable,
    accuracy_view::AccuracyView,
    answer::Answer,
    catalogue::Side,
    devices_table::DevicesTable,
    figures_table::FiguresTable,
    header::Header,
    knobs::Knobs,
    language::use_language,
    measured::Filter,
    pool::Pool,
    protocol::{Job, Purpose},
    route::{Route, use_route},
    store::{Action, Phase, Store},
    theme::Theme,
    throughput_chart::ThroughputChart,
    time_breakdown::TimeBreakdown,
    trust_note::TrustNote,
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
    let store = use_reducer(Store::default);
    let theme = use_state(Theme::remembered);
    let language = use_language().language;
    let sheet = use_state(|| false);
    let (route, go) = use_route();
    let loading = use_state(Loading::default);
    // The page's own job. It is kept here beside the state, so that whoever starts one knows what it takes the place of.
    let pair_job = use_memo((), |()| Cell::new(0));
    let pool = {
        let dispatcher = store.dispatcher();
        use_memo((), move |()| Pool::new(move |heard| dispatcher.dispatch(Action::Heard(heard))))
    };

    let begin = {
        let (store, pool, pair_job) = (store.clone(), pool.clone(), pair_job.clone());
        Callback::from(move |(): ()| {
            pool.stop(pair_job.get());
            let scenarios = store.scenarios.iter().map(|s| (**s).clone()).collect();
            let id = pool.run(Job { purpose: Purpose::Shown, scenarios });
            pair_job.set(id);
            store.dispatch(Action::Begin(id));
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

    {
        let (begin, pool, dispatcher) = (begin.clone(), pool.clone(), store.dispatcher());
        use_effect_with((store.scenarios.clone(), store.is_sound()), move |(_, sound)| {
            // The settings have changed under the runs, if there are any.
            let first = pair_job.get() == 0;
            if !first {
                pool.stop(pair_job.get());
                dispatcher.dispatch(Action::Withdraw);
            }
            let delay = if first { 0 } else { DEBOUNCE_MS };
            let timer = sound.then(|| Timeout::new(delay, move || begin.emit(())));
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
    let dispatch = {
        let dispatcher = store.dispatcher();
        Callback::from(move |action: Action| dispatcher.dispatch(action))
    };
    let state = match store.phase {
        Phase::Waiting => "waiting",
        Phase::Running => "running",
        Phase::Done => "done",
        Phase::Stopped => "stopped",
        Phase::Died => "died",
    };
    let snapshot: Rc<Store> = Rc::new((*store).clone());
    let change = go.reform(|filter: Filter| Route::Accuracy(filter));
    let stale = Side::BOTH.iter().any(|side| store.is_stale(*side));
    html! {
        // What is shown is made anew in another language; what is known stays.
        <div key={language.tag()} class="app" data-state={state} data-stale={stale.to_string()} data-sheet={if *sheet { "open" } else { "closed" }}
            data-view={if matches!(route, Route::Accuracy(_)) { "accuracy" } else { "simulation" }}>
            <Header store={snapshot.clone()} dispatch={dispatch.clone()} route={route.clone()} theme={*theme} {toggle_theme} />
            if let Route::Accuracy(filter) = &route {
                <main>
                    <AccuracyView loading={(*loading).clone()} filter={filter.clone()} {change} again={load} theme={*theme} />
                </main>
            } else {
                <Knobs store={snapshot.clone()} dispatch={dispatch.clone()} open={*sheet} close={toggle_sheet.reform(|()| false)} />
                <main>
                    <Answer store={snapshot.clone()} loading={(*loading).clone()} {begin} {stop} />
                    <ThroughputChart store={snapshot.clone()} theme={*theme} />
                    <FiguresTable store={snapshot.clone()} loading={(*loading).clone()} />
                    <TrustNote store={snapshot.clone()} loading={(*loading).clone()} />
                    <TimeBreakdown store={snapshot.clone()} />
                    <DevicesTable store={snapshot.clone()} />
                    <AccuracyTable store={snapshot.clone()} {replay} />
                    <footer>
                        { "Everything on this page is simulated in your browser, in virtual time; the same seed gives the same digest everywhere." }
                    </footer>
                </main>
                <button class="sheet-button" aria-expanded={sheet.to_string()} aria-controls="knobs"
                    onclick={toggle_sheet.reform({ let open = *sheet; move |_: MouseEvent| !open })}>
                    <b>{ if *sheet { "Close" } else { "Change the set-up" } }</b>
                    <span>{ summary(&store) }</span>
                </button>
            }
        </div>
    }
}

fn summary(store: &Store) -> String {
    let pair = store.pair().map(|pair| format!("{}, {}", pair.system, pair.test)).unwrap_or_default();
    format!("{pair} · {}", words::storage(store.scenario()))
}
