//! Columns and indexes, as DDL to edit or by the size of a row.

use crate::{
    ddl_reader,
    format::parse_count,
    language::{model_words, text},
    store::Action,
    tables::{DDL_BYTES_MAX, ddl, ddl_by_size, with_the_rest},
};
use spindle_import::{ImportedTable, Note, NoteKind};
use spindle_scenario::Table;
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// What a [`TableEditor`] shows.
#[derive(Properties, PartialEq)]
pub struct TableEditorProps {
    /// The tables.
    pub tables: Rc<Vec<Table>>,
    /// Changes them.
    pub dispatch: Callback<Action>,
}

/// What became of the text that was read last.
#[derive(Debug, Clone, PartialEq, Default)]
struct Reading {
    notes: Vec<Note>,
    message: Option<String>,
}

impl Reading {
    fn saying(message: String) -> Self {
        Self { notes: Vec::new(), message: Some(message) }
    }
}

/// The tables of a text, at least one, with notes on it.
///
/// # Errors
/// What the reader has to know where there are none.
async fn read(ddl: &str) -> Result<(Vec<ImportedTable>, Vec<Note>), Reading> {
    if ddl.len() > DDL_BYTES_MAX {
        return Err(Reading::saying(text!("ddl-too-long", most = DDL_BYTES_MAX)));
    }
    let read = ddl_reader::read(ddl).await;
    let (found, notes) = read.ok_or_else(|| Reading::saying(text("ddl-lost")))?;
    if found.is_empty() {
        return Err(Reading { notes, message: Some(text("ddl-no-table")) });
    }
    Ok((found, notes))
}

/// Columns and indexes.
#[component]
pub fn TableEditor(props: &TableEditorProps) -> Html {
    let open = use_state(|| false);
    let area = use_node_ref();
    let reading = use_state(Reading::default);
    let written = use_memo(props.tables.clone(), |tables| ddl(tables));
    {
        // A text that is not yet read stays until the tables change.
        let area = area.clone();
        use_effect_with(((*written).clone(), *open), move |(written, _)| {
            if let Some(area) = area.cast::<HtmlTextAreaElement>() {
                area.set_value(written);
            }
        });
    }
    let latest = use_mut_ref(|| props.tables.clone());
    *latest.borrow_mut() = props.tables.clone();
    let read = {
        let (latest, dispatch, reading) = (latest, props.dispatch.clone(), reading.setter());
        Callback::from(move |ddl: String| {
            let (latest, dispatch, reading) = (latest.clone(), dispatch.clone(), reading.clone());
            reading.set(Reading::saying(text("ddl-reading")));
            wasm_bindgen_futures::spawn_local(async move {
                match read(&ddl).await {
                    Ok((found, notes)) => {
                        reading.set(Reading { notes, message: None });
                        let tables = with_the_rest(found, &latest.borrow());
                        dispatch.emit(Action::Tables(Rc::new(tables)));
                    }
                    Err(failure) => reading.set(failure),
                }
            });
        })
    };
    let apply = {
        let (read, area) = (read.clone(), area.clone());
        Callback::from(move |_: MouseEvent| {
            if let Some(area) = area.cast::<HtmlTextAreaElement>() {
                read.emit(area.value());
            }
        })
    };
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    let notes = reading.notes.iter().map(|note| {
        let kind = match note.kind {
            NoteKind::Problem => "ddl-problem",
            NoteKind::Ignored | NoteKind::Used => "ddl-ignored",
            NoteKind::Assumed | NoteKind::Asked => "ddl-assumed",
        };
        html! { <li class={kind}>{ text!(kind, line = note.line, note = model_words(&note.text)) }</li> }
    });
    html! {
        <div class="table-editor">
            <button class="quiet" id="edit-tables" aria-expanded={open.to_string()} onclick={toggle}>
                { text(if *open { "ddl-close" } else { "ddl-open" }) }
            </button>
            if *open {
                <label class="area">
                    <span>{ text("ddl-label") }</span>
                    <textarea id="ddl" ref={area} rows="12" spellcheck="false" autocomplete="off" />
                </label>
                <button id="apply-ddl" onclick={apply}>{ text("ddl-apply") }</button>
                <BySize {read} />
                if let Some(message) = &reading.message { <p class="message" role="status">{ message.clone() }</p> }
                if !reading.notes.is_empty() { <ul class="ddl-notes" role="status">{ for notes }</ul> }
            }
        </div>
    }
}

/// What [`BySize`] needs.
#[derive(Properties, PartialEq)]
struct BySizeProps {
    /// Reads DDL.
    read: Callback<String>,
}

/// The most secondary indexes of a table by size.
const SECONDARIES_MAX: f64 = 16.0;
/// The largest row of a table by size: a page's worth in any engine.
const ROW_BYTES_MAX: f64 = 8000.0;

/// A table by the size of its rows.
#[component]
fn BySize(props: &BySizeProps) -> Html {
    let (size, count) = (use_node_ref(), use_node_ref());
    let message = use_state(|| None::<String>);
    let make = {
        let (size, count, message, read) =
            (size.clone(), count.clone(), message.setter(), props.read.clone());
        Callback::from(move |_: MouseEvent| {
            let number = |field: &NodeRef, low: f64, high: f64| {
                let typed = field.cast::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default();
                let number = parse_count(&typed)?;
                let fits = (low..=high).contains(&number);
                fits.then_some(number as u32)
                    .ok_or_else(|| text!("expected-range", found = typed, low = low, high = high))
            };
            let found = number(&size, 1.0, ROW_BYTES_MAX)
                .and_then(|bytes| Ok((bytes, number(&count, 0.0, SECONDARIES_MAX)?)));
            match found {
                Ok((bytes, secondaries)) => {
                    message.set(None);
                    read.emit(ddl_by_size(bytes, secondaries));
                }
                Err(wrong) => message.set(Some(wrong)),
            }
        })
    };
    html! {
        <fieldset class="by-size">
            <legend>{ text("by-size") }</legend>
            <label>{ text("by-size-bytes") }<input id="row-bytes" ref={size} class="field" type="text" value="200" /></label>
            <label>{ text("by-size-indexes") }<input id="secondaries" ref={count} class="field" type="text" value="1" /></label>
            <button id="make-table" onclick={make}>{ text("by-size-make") }</button>
            if let Some(message) = &*message { <p class="message" role="status">{ message.clone() }</p> }
        </fieldset>
    }
}
