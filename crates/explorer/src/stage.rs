//! What a canvas has to follow: the size of the element it fills, the system's choice between light and dark, and how
//! wide its words are.

use crate::figure::{FONTS, LETTERS};
use gloo::events::EventListener;
use std::{cell::RefCell, collections::HashMap};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement, ResizeObserver};
use yew::prelude::*;

/// Width and height of an element in CSS pixels; `key` changes when the element is another one.
#[hook]
pub fn use_size(stage: NodeRef, key: bool) -> (f64, f64) {
    let size = use_state(|| (0.0, 0.0));
    {
        let size = size.clone();
        use_effect_with(key, move |_| {
            let observer = stage.cast::<HtmlElement>().and_then(|element| {
                let measured = element.clone();
                let measure = Closure::<dyn FnMut()>::new(move || {
                    size.set((f64::from(measured.client_width()), f64::from(measured.client_height())));
                });
                let observer = ResizeObserver::new(measure.as_ref().unchecked_ref()).ok()?;
                observer.observe(&element);
                Some((observer, measure))
            });
            move || {
                if let Some((observer, _)) = observer {
                    observer.disconnect();
                }
            }
        });
    }
    *size
}

/// A number that changes with the system's own choice between light and dark.
#[hook]
pub fn use_scheme() -> u32 {
    let scheme = use_state(|| 0u32);
    {
        let scheme = scheme.clone();
        use_effect_with((), move |()| {
            let media = web_sys::window().and_then(|w| w.match_media("(prefers-color-scheme: dark)").ok()?);
            let listener = media.map(|media| {
                let count = std::cell::Cell::new(0);
                EventListener::new(&media, "change", move |_| {
                    count.set(count.get() + 1);
                    scheme.set(count.get());
                })
            });
            move || drop(listener)
        });
    }
    *scheme
}

/// Device pixels to a CSS pixel.
pub fn pixel_ratio() -> f64 {
    web_sys::window().map_or(1.0, |window| window.device_pixel_ratio()).clamp(1.0, 4.0)
}

/// Widths of words that were measured.
struct Ruler {
    context: Option<CanvasRenderingContext2d>,
    known: HashMap<String, f64>,
}

/// Words whose widths are remembered, at most.
const MOST_WORDS: usize = 4096;

thread_local! {
    static RULER: RefCell<Ruler> = RefCell::new(Ruler { context: context(), known: HashMap::new() });
}

fn context() -> Option<CanvasRenderingContext2d> {
    let document = web_sys::window()?.document()?;
    let canvas: HtmlCanvasElement = document.create_element("canvas").ok()?.dyn_into().ok()?;
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    context.set_font(&format!("{LETTERS}px {FONTS}"));
    Some(context)
}

/// The width of words in a figure, in CSS pixels. Each is measured once.
pub fn width_of(words: &str) -> f64 {
    RULER.with_borrow_mut(|ruler| {
        if let Some(width) = ruler.known.get(words) {
            return *width;
        }
        let measured = ruler.context.as_ref().and_then(|context| context.measure_text(words).ok());
        // About as wide as letters are, where nothing measures them.
        let width = measured.map_or(words.chars().count() as f64 * 6.5, |measured| measured.width());
        if ruler.known.len() >= MOST_WORDS {
            ruler.known.clear();
        }
        ruler.known.insert(words.to_owned(), width);
        width
    })
}
