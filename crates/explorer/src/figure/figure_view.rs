//! Shows a figure: the picture, what is read in it, its legend, the same data as a table, and its files.

use super::{
    Figure, Look, Looking, Reading, Series,
    axis::Scale,
    cursor::{self, Cursor, Lying, Spoken},
    draw::{Scene, draw},
    export::{File, ground, save},
    frame::Frame,
    palette::Palette,
    pen::Pen,
    table::{Cell, Table},
    treemap,
    zoom::{self, Zoom},
};
use crate::{
    engine_mark::Mark,
    language::text,
    stage::{pixel_ratio, use_scheme, use_size, width_of},
    theme::Theme,
};
use gloo::events::{EventListener, EventListenerOptions};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{HtmlCanvasElement, HtmlElement, WheelEvent};
use yew::prelude::*;

/// What a [`FigureView`] shows.
#[derive(Properties, PartialEq)]
pub struct FigureViewProps {
    /// The figure.
    pub figure: Rc<Figure>,
    /// Light or dark.
    pub theme: Theme,
    /// Whether what surrounds it says its title and what is read in it.
    #[prop_or_default]
    pub bare: bool,
    /// Hears the number of the value that is read, where values have numbers.
    #[prop_or_default]
    pub read: Callback<Option<usize>>,
    /// Further classes.
    #[prop_or_default]
    pub class: Classes,
    /// What stands between title and picture.
    #[prop_or_default]
    pub children: Html,
}

/// Rows of the table, at most.
const TABLE_ROWS: usize = 60;
/// How far a key or a turn of the wheel spreads the plot.
const SPREAD: f64 = 1.5;
/// Pixels that a pointer must be dragged for a part to be chosen.
const DRAG: f64 = 8.0;

/// What the pointers do.
#[derive(Default)]
struct Pointers {
    /// Those that are down: number, where they are.
    down: Vec<(i32, (f64, f64))>,
    /// Where the first one went down.
    start: Option<(f64, f64)>,
}

/// The figure.
#[component]
pub fn FigureView(props: &FigureViewProps) -> Html {
    let figure = &props.figure;
    let (canvas, stage) = (use_node_ref(), use_node_ref());
    let cursor = use_state_eq(|| None::<Cursor>);
    let as_table = use_state_eq(|| false);
    let looking = use_state_eq(Looking::default);
    let brush = use_state_eq(|| None::<(f64, f64)>);
    let pointers = use_mut_ref(Pointers::default);
    let size = use_size(stage.clone(), *as_table);
    let scheme = use_scheme();
    let palette = use_memo((props.theme, scheme), |_| Palette::of_page());
    let lying =
        use_memo((figure.clone(), size, (*looking).clone()), |(figure, size, looking)| match &figure.body {
            super::Body::Plot(plot) => Lying::Plot(Frame::of(plot, *size, looking, &width_of)),
            super::Body::Tiles(groups) => Lying::Tiles(treemap::places(groups, *size)),
        });
    {
        let canvas = canvas.clone();
        let drawn = (figure.clone(), size, (*looking).clone(), palette.clone(), *as_table);
        use_effect_with(drawn, move |(figure, size, looking, palette, _)| {
            if let Some(canvas) = canvas.cast::<HtmlCanvasElement>() {
                paint(&canvas, figure, *size, looking, palette);
            }
        });
    }
    {
        // What was read or looked at closely belongs to another question.
        let (cursor, looking) = (cursor.clone(), looking.clone());
        use_effect_with(question(figure), move |_| {
            cursor.set(None);
            looking.set(Looking { zoom: None, ..(*looking).clone() });
        });
    }
    {
        let read = props.read.clone();
        let key = cursor.and_then(|cursor| cursor::key(figure, cursor));
        use_effect_with(key, move |key| read.emit(*key));
    }

    let change_zoom = {
        let (looking, lying, figure, size) = (looking.clone(), lying.clone(), figure.clone(), size);
        move |change: &dyn Fn(&Frame, &Frame, bool) -> Option<Zoom>| {
            let (Some(plot), Lying::Plot(frame)) = (figure.plot(), &*lying) else { return };
            if plot.reading == Reading::Plane || plot.y.scale == Scale::Rows {
                return;
            }
            let whole = Frame::of(plot, size, &Looking { zoom: None, ..(*looking).clone() }, &width_of);
            let zoom = change(frame, &whole, plot.reading == Reading::Ranked);
            looking.set(Looking { zoom, ..(*looking).clone() });
        }
    };
    {
        // Yew listens to wheels without a way to keep the page from zooming.
        let (stage, change_zoom) = (stage.clone(), change_zoom.clone());
        let deps = (lying.clone(), (*looking).clone(), *as_table);
        use_effect_with(deps, move |_| {
            let listener = stage.cast::<HtmlElement>().map(|element| {
                let options = EventListenerOptions::enable_prevent_default();
                let inner = element.clone();
                EventListener::new_with_options(&element, "wheel", options, move |event| {
                    let Some(event) = event.dyn_ref::<WheelEvent>() else { return };
                    if event.ctrl_key() || event.meta_key() {
                        event.prevent_default();
                        let place = place_of(&inner, event.client_x(), event.client_y());
                        let factor = (-event.delta_y() / 240.0).exp2();
                        change_zoom(&|frame, whole, both| zoom::spread(frame, whole, place, factor, both));
                    }
                })
            });
            move || drop(listener)
        });
    }

    let point = {
        let (cursor, figure, lying, looking) =
            (cursor.clone(), figure.clone(), lying.clone(), looking.clone());
        move |place: (f64, f64), is_mouse: bool| {
            let found = cursor::at(&figure, &lying, &looking, place);
            // A finger that misses leaves the last reading.
            if found.is_some() || is_mouse {
                cursor.set(found);
            }
        }
    };
    let place_in_stage = {
        let stage = stage.clone();
        move |event: &PointerEvent| {
            let element = stage.cast::<HtmlElement>()?;
            Some(place_of(&element, event.client_x(), event.client_y()))
        }
    };
    let onpointerdown = {
        let (pointers, point, place_in_stage) = (pointers.clone(), point.clone(), place_in_stage.clone());
        Callback::from(move |event: PointerEvent| {
            let Some(place) = place_in_stage(&event) else { return };
            let mut pointers = pointers.borrow_mut();
            pointers.down.retain(|(number, _)| *number != event.pointer_id());
            pointers.down.push((event.pointer_id(), place));
            pointers.start = Some(place);
            drop(pointers);
            point(place, event.pointer_type() == "mouse");
        })
    };
    let onpointermove = {
        let (pointers, brush, looking) = (pointers.clone(), brush.clone(), looking.clone());
        let (point, place_in_stage, change_zoom) =
            (point.clone(), place_in_stage.clone(), change_zoom.clone());
        let brushes =
            figure.plot().is_some_and(|plot| plot.reading == Reading::AtX && plot.y.scale != Scale::Rows);
        Callback::from(move |event: PointerEvent| {
            let Some(place) = place_in_stage(&event) else { return };
            let mut pointers = pointers.borrow_mut();
            let Some(at) = pointers.down.iter().position(|(number, _)| *number == event.pointer_id()) else {
                drop(pointers);
                point(place, event.pointer_type() == "mouse");
                return;
            };
            let before = pointers.down[at].1;
            let other = pointers
                .down
                .iter()
                .find(|(number, _)| *number != event.pointer_id())
                .map(|(_, place)| *place);
            pointers.down[at].1 = place;
            let start = pointers.start;
            drop(pointers);
            let moved = (place.0 - before.0, place.1 - before.1);
            if let Some(other) = other {
                // Two fingers spread and push.
                let apart = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1).max(1.0);
                let factor = apart(place, other) / apart(before, other);
                let centre = (f64::midpoint(place.0, other.0), f64::midpoint(place.1, other.1));
                change_zoom(&|frame, whole, both| zoom::spread(frame, whole, centre, factor, both));
            } else if looking.zoom.is_some() {
                change_zoom(&|frame, whole, both| zoom::push(frame, whole, moved, both));
            } else if let (Some(start), true, "mouse") = (start, brushes, event.pointer_type().as_str()) {
                brush.set(((place.0 - start.0).abs() >= DRAG).then_some((start.0, place.0)));
            } else {
                point(place, false);
            }
        })
    };
    let lift = {
        let (pointers, brush, cursor) = (pointers.clone(), brush.clone(), cursor.clone());
        let change_zoom = change_zoom.clone();
        move |event: &PointerEvent, leaves: bool| {
            pointers.borrow_mut().down.retain(|(number, _)| *number != event.pointer_id());
            if let (Some((from, to)), false) = (*brush, leaves) {
                change_zoom(&|frame, _, _| Some(zoom::between(frame, from, to)));
            }
            brush.set(None);
            // A finger that is lifted leaves its reading behind.
            if leaves && event.pointer_type() == "mouse" {
                cursor.set(None);
            }
        }
    };
    let (onpointerup, onpointerleave) = {
        let (up, leave) = (lift.clone(), lift);
        (
            Callback::from(move |event: PointerEvent| up(&event, false)),
            Callback::from(move |event: PointerEvent| leave(&event, true)),
        )
    };
    let ondblclick = {
        let change_zoom = change_zoom.clone();
        Callback::from(move |_: MouseEvent| change_zoom(&|_, _, _| None))
    };
    let onkeydown = {
        let (cursor, figure, lying, looking) =
            (cursor.clone(), figure.clone(), lying.clone(), looking.clone());
        let (as_table, change_zoom) = (as_table.clone(), change_zoom.clone());
        Callback::from(move |event: KeyboardEvent| {
            if event.ctrl_key() || event.meta_key() || event.alt_key() {
                return;
            }
            let key = event.key();
            let factor = match key.as_str() {
                "+" | "=" => Some(SPREAD),
                "-" => Some(1.0 / SPREAD),
                _ => None,
            };
            let next = cursor::step(&figure, &lying, &looking, *cursor, &key, event.shift_key());
            match (key.as_str(), factor, next) {
                ("t" | "T", ..) => as_table.set(true),
                ("0", ..) => change_zoom(&|_, _, _| None),
                (_, Some(factor), _) => change_zoom(&|frame, whole, both| {
                    let here = cursor
                        .and_then(|at| cursor::marks(&figure, &lying, &looking, at).first().map(|m| m.1));
                    let [left, right, top, bottom] = frame.plot;
                    let centre = here.unwrap_or((f64::midpoint(left, right), f64::midpoint(top, bottom)));
                    zoom::spread(frame, whole, centre, factor, both)
                }),
                (.., Some(next)) => cursor.set(next),
                _ => return,
            }
            event.prevent_default();
        })
    };
    let onkeydown_table = {
        let as_table = as_table.clone();
        Callback::from(move |event: KeyboardEvent| {
            if matches!(event.key().as_str(), "t" | "T" | "Escape") {
                event.prevent_default();
                as_table.set(false);
            }
        })
    };
    {
        // The same key leads back, so the focus stays here.
        let stage = stage.clone();
        let first = use_mut_ref(|| true);
        use_effect_with(*as_table, move |_| {
            if !first.replace(false)
                && let Some(element) = stage.cast::<HtmlElement>()
                && keyboard_is_near(&element)
            {
                let _ = element.focus();
            }
        });
    }

    let spoken = cursor.and_then(|at| cursor::read(figure, &lying, &looking, at));
    let id = figure.id;
    let view = |label: String, table: bool| {
        let as_table = as_table.clone();
        html! {
            <button class="tab" aria-pressed={(*as_table == table).to_string()}
                onclick={Callback::from(move |_: MouseEvent| as_table.set(table))}>{ label }</button>
        }
    };
    let reading = spoken.as_ref().map_or_else(|| hint(figure), reading_words);
    let look = {
        let looking = looking.clone();
        Callback::from(move |next: Looking| looking.set(next))
    };
    html! {
        <figure class={classes!("figure", props.class.clone())} id={format!("{id}-figure")} aria-label={figure.name.clone()}>
            if !props.bare {
                <div class="title-row">
                    <p class="kicker">{ &figure.name }</p>
                    <div class="tabs">{ view(text("figure-chart"), false) }{ view(text("figure-table"), true) }{ menu(figure, &looking, &palette) }</div>
                </div>
                <h2>{ &figure.title }</h2>
            }
            { props.children.clone() }
            <div class="axis-row">
                { legend(figure, &looking, &look) }
                if !props.bare {
                    <output class="reading" id={format!("{id}-reading")} aria-live="polite">{ reading }</output>
                } else {
                    <div class="tabs">{ view(text("figure-chart"), false) }{ view(text("figure-table"), true) }{ menu(figure, &looking, &palette) }</div>
                }
            </div>
            if *as_table {
                <div class="series-table" tabindex="0" ref={stage} role="region" aria-label={text!("figure-table-of", name = figure.name.as_str())} onkeydown={onkeydown_table}>
                    { table(figure) }
                </div>
            } else {
                <div class="stage" {id} ref={stage} tabindex="0" role="application" aria-roledescription={text("figure-kind")}
                    aria-label={format!("{}. {}", figure.name, figure.title)} aria-describedby={format!("{id}-keys")}
                    data-points={points(figure).to_string()} data-zoomed={looking.zoom.is_some().to_string()}
                    {onpointerdown} {onpointermove} onpointercancel={onpointerup.clone()} {onpointerup} {onpointerleave} {ondblclick} {onkeydown}>
                    <canvas ref={canvas} aria-hidden="true"></canvas>
                    <svg class="overlay" aria-hidden="true">{ overlay(figure, &lying, &looking, *cursor, *brush) }</svg>
                </div>
            }
            <p class="hidden" id={format!("{id}-keys")}>{ text("figure-keys") }</p>
        </figure>
    }
}

/// Whether the focus is nowhere or within the figure: only then it may be moved.
fn keyboard_is_near(element: &HtmlElement) -> bool {
    let active = web_sys::window().and_then(|w| w.document()?.active_element());
    active.is_none_or(|active| active.tag_name() == "BODY" || element.contains(Some(&active)))
}

fn place_of(element: &HtmlElement, x: i32, y: i32) -> (f64, f64) {
    let rectangle = element.get_bounding_client_rect();
    (f64::from(x) - rectangle.left(), f64::from(y) - rectangle.top())
}

fn paint(
    canvas: &HtmlCanvasElement,
    figure: &Figure,
    size: (f64, f64),
    looking: &Looking,
    palette: &Palette,
) {
    if size.0 <= 0.0 || size.1 <= 0.0 {
        return;
    }
    let ratio = pixel_ratio();
    canvas.set_width((size.0 * ratio).round() as u32);
    canvas.set_height((size.1 * ratio).round() as u32);
    let Some(mut ground) = ground(canvas, ratio) else { return };
    let mut pen = Pen::new(&mut ground, 1.0, ratio);
    // A canvas that cannot be drawn on leaves the table.
    let _ = draw(&mut pen, figure, Scene { size, looking, palette, width_of: &width_of });
}

/// What a figure asks: as long as that stays, what is looked at stays too.
fn question(figure: &Figure) -> String {
    let axes = figure.plot().map(|plot| format!("{} {}", plot.x.name, plot.y.name));
    format!("{} {}", figure.id, axes.unwrap_or_default())
}

fn points(figure: &Figure) -> usize {
    figure.plot().map_or(0, |plot| {
        plot.series.iter().filter(|series| !series.guide).map(|series| series.data.len()).sum()
    })
}

fn hint(figure: &Figure) -> Html {
    let key = match figure.plot().map(|plot| plot.reading) {
        Some(Reading::AtX) => "figure-hint-across",
        _ => "figure-hint",
    };
    html! { <span class="muted">{ text(key) }</span> }
}

fn reading_words(spoken: &Spoken) -> Html {
    let parts = spoken.parts.iter().map(|(paint, name, value)| {
        html! { <span class="reading-value"><i class={classes!("swatch", paint_class(paint))}></i>{ format!("{name} ") }<b>{ value }</b></span> }
    });
    html! { <><span class="reading-time">{ &spoken.place }</span>{ for parts }</> }
}

/// The class that gives an element the colour of a token.
pub fn paint_class(paint: &str) -> String {
    format!("paint-{paint}")
}

fn overlay(
    figure: &Figure,
    lying: &Lying,
    looking: &Looking,
    cursor: Option<Cursor>,
    brush: Option<(f64, f64)>,
) -> Html {
    let at = |value: f64| format!("{value:.1}");
    if let (Lying::Tiles(groups), Some(Cursor::Tile(group, tile))) = (lying, cursor) {
        let Some([left, right, top, bottom]) = groups.get(group).and_then(|tiles| tiles.get(tile)) else {
            return html! {};
        };
        return html! { <rect class="ring" x={at(*left)} y={at(*top)} width={at(right - left)} height={at(bottom - top)} /> };
    }
    let Lying::Plot(frame) = lying else { return html! {} };
    let [left, _, top, bottom] = frame.outer();
    let brush = brush.map(|(from, to)| {
        html! { <rect class="brush" x={at(from.min(to))} y={at(top)} width={at((to - from).abs())} height={at(bottom - top)} /> }
    });
    let Some(cursor) = cursor else { return html! { { for brush } } };
    let marks = cursor::marks(figure, lying, looking, cursor);
    let across = match cursor {
        Cursor::X(x) => Some(frame.x.px(x)).filter(|x| (left - 1.0..=frame.plot[1] + 1.0).contains(x)),
        _ => None,
    };
    let line = across.map(|x| html! { <line x1={at(x)} x2={at(x)} y1={at(top)} y2={at(bottom)} /> });
    let dots = marks.iter().map(|(paint, (x, y))| match cursor {
        Cursor::X(_) => html! { <circle class={paint_class(paint)} cx={at(*x)} cy={at(*y)} r="4" /> },
        _ => html! {
            <>
                <line x1={at(*x)} x2={at(*x)} y1={at(y + 9.0)} y2={at(bottom)} />
                <line x1={at(left)} x2={at(x - 9.0)} y1={at(*y)} y2={at(*y)} />
                <circle class="ring" cx={at(*x)} cy={at(*y)} r="8" />
            </>
        },
    });
    html! { <>{ for brush }{ for line }{ for dots }</> }
}

/// Names with samples; each turns its series on or off.
fn legend(figure: &Figure, looking: &UseStateHandle<Looking>, look: &Callback<Looking>) -> Html {
    let entries = figure.plot().map(super::Plot::legend).unwrap_or_default();
    if entries.len() < 2 {
        return html! { <span></span> };
    }
    let entries = entries.into_iter().map(|series| {
        let shown = !looking.hidden.contains(&series.name);
        let (look, name, now) = (look.clone(), series.name.clone(), (**looking).clone());
        let onclick = Callback::from(move |_: MouseEvent| {
            let mut next = now.clone();
            next.hidden.retain(|hidden| *hidden != name);
            next.hidden.extend(shown.then(|| name.clone()));
            look.emit(next);
        });
        html! {
            <button class="legend-entry" aria-pressed={shown.to_string()} {onclick}>{ sample(series) }{ &series.name }</button>
        }
    });
    html! { <div class="legend" role="group" aria-label={text!("figure-series-of", name = figure.name.as_str())}>{ for entries }</div> }
}

/// What a series looks like.
fn sample(series: &Series) -> Html {
    let class = paint_class(series.paint);
    let shape = match series.look {
        Look::Line(dash) => {
            html! { <line class={format!("{dash:?}").to_lowercase()} x1="0" x2="18" y1="6" y2="6" /> }
        }
        Look::Points { mark, hollow } => mark_shape(mark, hollow),
        Look::Band(_) | Look::Bars(_) => html! { <rect x="3" width="12" height="12" /> },
        Look::Cells(other) => html! {
            <><rect class={paint_class(other)} width="9" height="12" /><rect x="9" width="9" height="12" /></>
        },
    };
    html! { <svg class={classes!("sample", class)} width="18" height="12" aria-hidden="true">{ shape }</svg> }
}

fn mark_shape(mark: Mark, hollow: bool) -> Html {
    let class = if hollow { "hollow" } else { "" };
    let corners: Vec<String> =
        mark.corners().iter().map(|(x, y)| format!("{:.2},{:.2}", 9.0 + 4.0 * x, 6.0 + 4.0 * y)).collect();
    if corners.is_empty() {
        return html! { <circle {class} cx="9" cy="6" r="4" /> };
    }
    html! { <polygon {class} points={corners.join(" ")} /> }
}

fn menu(figure: &Rc<Figure>, looking: &UseStateHandle<Looking>, palette: &Rc<Palette>) -> Html {
    let files = File::ALL.into_iter().map(|file| {
        let (figure, looking, palette) = (figure.clone(), (**looking).clone(), palette.clone());
        let ending = file.ending();
        html! {
            <button id={format!("{}-{ending}", figure.id)} onclick={Callback::from(move |_: MouseEvent| save(&figure, file, &looking, &palette))}>
                { ending.to_uppercase() }
            </button>
        }
    });
    html! {
        <details class="files">
            <summary class="tab">{ text("figure-export") }</summary>
            <div class="files-list">{ for files }</div>
        </details>
    }
}

fn table(figure: &Figure) -> Html {
    let whole = Table::of(figure);
    let count = whole.rows.len();
    let table = whole.within(TABLE_ROWS);
    let thinned = table.rows.len() < count;
    let head = table.head.iter().enumerate().map(|(at, name)| {
        let class = (at > 0).then_some("number");
        html! { <th scope="col" {class}>{ name }</th> }
    });
    let rows = table.rows.iter().map(|row| {
        let cells = row.iter().enumerate().map(|(at, cell)| match cell {
            _ if at == 0 => html! { <th scope="row">{ cell.words() }</th> },
            Cell::Words(words) => html! { <td>{ words }</td> },
            _ => html! { <td class="number">{ cell.words() }</td> },
        });
        html! { <tr>{ for cells }</tr> }
    });
    html! {
        <>
            <table>
                <thead><tr>{ for head }</tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
            if thinned { <p class="muted">{ text("figure-thinned") }</p> }
        </>
    }
}
