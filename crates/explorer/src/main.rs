//! The page: components, state, worker, chart.
//!
//! This crate knows what a reader sees and can turn, how the page's state changes, and how a worker is kept busy
//! without holding up the page. It must never know how an answer comes about: no formula of a device, an engine or a
//! load stands here, and what it says about a result it reads from the report.

mod accuracy_data;
mod accuracy_table;
mod accuracy_view;
mod address_bar;
mod answer;
mod app;
mod card_grid;
mod catalogue;
mod comparison;
mod comparison_list;
mod ddl_reader;
mod devices_table;
mod download;
mod edit;
mod engine_mark;
mod figure;
mod figures_table;
mod filter_bar;
mod finding;
mod format;
mod header;
mod keys;
mod knob;
mod knob_catalogue;
mod knobs;
mod language;
mod measured;
mod notice_bar;
mod own_file;
mod parameter_search;
mod pool;
mod problem_words;
mod protocol;
mod quantity;
mod question;
mod route;
mod schedule;
mod session;
mod share_panel;
mod stage;
mod store;
mod suggestions;
mod summary_table;
mod table_editor;
mod tables;
mod term;
mod theme;
mod trust;
mod trust_note;
mod undo;
mod view_state;
mod views;
mod words;
mod worker;
mod worst_table;

use protocol::{FromWorker, Job, Purpose};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

fn main() {
    if let Some(scope) = worker::scope() {
        worker::start(scope);
    } else if web_sys::window().and_then(|w| w.location().search().ok()).as_deref() == Some("?bench") {
        bench();
    } else {
        theme::Theme::remembered().apply();
        wasm_bindgen_futures::spawn_local(async {
            let start = language::Start::prepare().await;
            yew::Renderer::<Page>::with_props(PageProps { start }).render();
        });
    }
}

/// What the page starts with.
#[derive(yew::Properties, PartialEq)]
struct PageProps {
    start: language::Start,
}

/// The page in the reader's language.
#[yew::component]
fn Page(props: &PageProps) -> yew::Html {
    yew::html! {
        <language::LanguageProvider start={props.start}><app::App /></language::LanguageProvider>
    }
}

/// Measures the simulator's speed and leaves the figures where `cargo xtask bench` looks for them: first alone, then with
/// a sweep of 24 points on all workers.
fn bench() {
    let figures = serde_json::json!(spindle_simulate::bench::figures(&worker::now_ms));
    let points = spindle_simulate::bench::lookups().map(|base| spindle_sweep::benchmark(&base));
    let started = worker::now_ms();
    let pool = pool::Pool::new(move |heard| {
        if matches!(heard, FromWorker::Finished { .. }) {
            let mut figures = figures.clone();
            figures["sweep_24_points_s"] = serde_json::json!((worker::now_ms() - started) / 1000.0);
            let name = JsValue::from_str("__spindle_bench");
            let _ = js_sys::Reflect::set(&js_sys::global(), &name, &JsValue::from_str(&figures.to_string()));
        }
    });
    pool.run(Job { purpose: Purpose::Sweep, scenarios: points.unwrap_or_default() });
    std::mem::forget(pool);
}

/// Runs a scenario in TOML to its end and returns the report as JSON, or what is wrong with the scenario as
/// `{"problems": […]}`.
#[wasm_bindgen]
pub fn simulate_toml(text: &str) -> String {
    let report = spindle_scenario::scenario_from_toml(text).and_then(|s| spindle_simulate::simulate(&s));
    let json = match &report {
        Ok(report) => serde_json::to_string(report),
        Err(problems) => serde_json::to_string(&serde_json::json!({ "problems": problems })),
    };
    json.unwrap_or_default()
}
