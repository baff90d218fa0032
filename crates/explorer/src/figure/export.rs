//! A figure as a file: PNG and SVG with title and legend, CSV and JSON of its data.

use super::{
    Figure, Looking,
    draw::{Scene, draw_whole},
    palette::Palette,
    pen::{FINE, Pen},
    table::{Table, document},
};
use crate::{
    download::{save_blob, save_text},
    stage::width_of,
};
use plotters_canvas::CanvasBackend;
use plotters_svg::SVGBackend;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::{Blob, CanvasRenderingContext2d, HtmlCanvasElement, window};

/// Size of a picture, in CSS pixels.
const SIZE: (f64, f64) = (840.0, 480.0);
/// Pixels of a PNG to a CSS pixel.
const RATIO: f64 = 2.0;
/// Letters in SVG are drawn smaller than told by this.
const SVG_LETTERS: f64 = 1.24;

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum File {
    /// A picture in pixels.
    Png,
    /// A picture in lines.
    Svg,
    /// The data as comma-separated values.
    Csv,
    /// The data as JSON.
    Json,
}

impl File {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Png, Self::Svg, Self::Csv, Self::Json];

    /// How names of such files end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Svg => "image/svg+xml",
            Self::Csv => "text/csv",
            Self::Json => "application/json",
        }
    }
}

/// Hands a figure to the reader as a file.
pub fn save(figure: &Figure, file: File, looking: &Looking, palette: &Palette) {
    let name = file_name(&figure.name, file);
    match file {
        // A browser that gives no ground to draw on has no picture to give.
        File::Png => drop(png(figure, looking, palette, name)),
        File::Svg => save_text(&name, file.kind(), &svg(figure, looking, palette, &width_of)),
        // Spreadsheets take a file for UTF-8 if it begins like this.
        File::Csv => save_text(&name, file.kind(), &format!("\u{feff}{}", Table::of(figure).csv())),
        File::Json => save_text(&name, file.kind(), &format!("{:#}\n", document(figure))),
    }
}

/// `spindle-throughput-over-time.png`.
fn file_name(name: &str, file: File) -> String {
    let words: Vec<String> = name
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    format!("spindle-{}.{}", words.join("-"), file.ending())
}

/// The figure as SVG.
pub fn svg(figure: &Figure, looking: &Looking, palette: &Palette, width_of: &dyn Fn(&str) -> f64) -> String {
    let fine = |length: f64| (length * FINE) as u32;
    let size = (fine(SIZE.0), fine(SIZE.1));
    let mut text = String::new();
    {
        let mut ground = SVGBackend::with_string(&mut text, size);
        let mut pen = Pen::new(&mut ground, SVG_LETTERS, RATIO);
        // Writing to a text does not fail.
        let _ = draw_whole(&mut pen, figure, Scene { size: SIZE, looking, palette, width_of });
        let _ = pen.done();
    }
    // The picture is as large as on the page; only its units are finer.
    let (fine, plain) = (
        format!("width=\"{}\" height=\"{}\"", size.0, size.1),
        format!("width=\"{}\" height=\"{}\"", SIZE.0, SIZE.1),
    );
    text.replacen(&fine, &plain, 1)
}

fn png(figure: &Figure, looking: &Looking, palette: &Palette, name: String) -> Result<(), JsValue> {
    let none = || JsValue::from_str("no ground to draw on");
    let document = window().and_then(|window| window.document()).ok_or_else(none)?;
    let canvas: HtmlCanvasElement = document.create_element("canvas")?.dyn_into()?;
    canvas.set_width((SIZE.0 * RATIO) as u32);
    canvas.set_height((SIZE.1 * RATIO) as u32);
    let mut ground = ground(&canvas, RATIO).ok_or_else(none)?;
    let mut pen = Pen::new(&mut ground, 1.0, RATIO);
    let scene = Scene { size: SIZE, looking, palette, width_of: &width_of };
    draw_whole(&mut pen, figure, scene).map_err(|error| JsValue::from_str(&error.to_string()))?;
    let done = Closure::once_into_js(move |blob: Option<Blob>| {
        if let Some(blob) = blob {
            save_blob(&name, &blob);
        }
    });
    canvas.to_blob(done.unchecked_ref())
}

/// A canvas as a ground in fine units, so many pixels to a CSS pixel.
pub fn ground(canvas: &HtmlCanvasElement, ratio: f64) -> Option<CanvasBackend> {
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    context.set_transform(ratio / FINE, 0.0, 0.0, ratio / FINE, 0.0, 0.0).ok()?;
    CanvasBackend::with_canvas_object(canvas.clone())
}

#[cfg(test)]
mod tests {
    use super::{super::tests::sample, *};

    fn drawn(figure: &Figure, hidden: &[&str]) -> String {
        let looking = Looking { hidden: hidden.iter().map(|name| (*name).to_owned()).collect(), zoom: None };
        svg(figure, &looking, &Palette::plain(), &|text| text.chars().count() as f64 * 6.5)
    }

    #[test]
    fn an_svg_has_title_legend_and_lines_and_no_markup_of_words() {
        let text = drawn(&sample(), &[]);
        assert!(
            text.starts_with("<svg width=\"840\" height=\"480\" viewBox=\"0 0 6720 3840\""),
            "{}",
            &text[..120]
        );
        assert!(text.trim_end().ends_with("</svg>"));
        assert!(text.contains("B is twice A &amp; &lt;b&gt;not&lt;/b&gt; less"));
        assert!(!text.contains("<b>") && !text.contains("NaN"));
        assert!(text.contains("#B24A00") && text.contains("#0069A8"));
        assert_eq!(text.matches("published").count(), 1, "in the legend");
        let without = drawn(&sample(), &["B"]);
        assert!(without.len() < text.len());
        assert!(!without.contains(">\nB\n<"), "{without}");
    }

    #[test]
    fn files_are_named_by_what_they_show() {
        assert_eq!(file_name("Throughput over time", File::Csv), "spindle-throughput-over-time.csv");
        assert_eq!(file_name("../a/b: <c>", File::Png), "spindle-a-b-c.png");
    }
}
