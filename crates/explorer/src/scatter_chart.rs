//! The model's figures against the measured ones, a mark for each measurement.

use crate::{
    engine_mark::Mark,
    format::number,
    log_frame::LogFrame,
    measured::Point,
    stage::{pixel_ratio, use_scheme, use_size},
    theme::{Theme, colour},
};
use plotters::{coord::Shift, prelude::*};
use plotters_canvas::CanvasBackend;
use std::rc::Rc;
use web_sys::{HtmlCanvasElement, HtmlElement};
use yew::prelude::*;

/// What the [`ScatterChart`] shows.
#[derive(Properties, PartialEq)]
pub struct ScatterChartProps {
    /// The figures, by rising truth.
    pub points: Rc<Vec<Point>>,
    /// Their unit.
    pub unit: AttrValue,
    /// Light or dark.
    pub theme: Theme,
    /// The figure that is read.
    pub chosen: Option<usize>,
    /// Reads another one.
    pub choose: Callback<Option<usize>>,
}

/// How far from a mark it can be pointed at, in CSS pixels.
const REACH: f64 = 28.0;
/// Radius of a mark, in CSS pixels.
const RADIUS: f64 = 4.0;
/// Errors up to these are shaded, each over the one before, and how strongly; the style sheet's swatches are alike.
const BANDS: [(f64, f64); 2] = [(0.3, 0.08), (0.1, 0.14)];

/// The chart.
#[component]
pub fn ScatterChart(props: &ScatterChartProps) -> Html {
    let canvas = use_node_ref();
    let stage = use_node_ref();
    let size = use_size(stage.clone(), true);
    let scheme = use_scheme();
    let frame = LogFrame::around(props.points.iter().map(|p| (p.figure.truth, p.figure.model)), size);
    {
        let canvas = canvas.clone();
        let points = props.points.clone();
        use_effect_with((points, frame, props.theme, scheme), move |(points, frame, ..)| {
            if let Some(canvas) = canvas.cast::<HtmlCanvasElement>()
                && frame.width > 0.0
            {
                // A canvas that cannot be drawn on leaves the tables.
                let _ = draw(&canvas, points, frame);
            }
        });
    }

    let point_at = {
        let (stage, points, choose) = (stage.clone(), props.points.clone(), props.choose.clone());
        Callback::from(move |event: PointerEvent| {
            let Some(element) = stage.cast::<HtmlElement>() else { return };
            let rect = element.get_bounding_client_rect();
            let (x, y) =
                (f64::from(event.client_x()) - rect.left(), f64::from(event.client_y()) - rect.top());
            let found = nearest(&points, &frame, (x, y));
            // A finger that misses leaves the last reading.
            if found.is_some() || event.pointer_type() == "mouse" {
                choose.emit(found);
            }
        })
    };
    let onpointerleave = {
        let choose = props.choose.clone();
        Callback::from(move |event: PointerEvent| {
            if event.pointer_type() == "mouse" {
                choose.emit(None);
            }
        })
    };
    let onkeydown = {
        let (points, choose, chosen) = (props.points.clone(), props.choose.clone(), props.chosen);
        Callback::from(move |event: KeyboardEvent| {
            let next = match step(&points, chosen, &event.key()) {
                Some(next) => next,
                None => return,
            };
            event.prevent_default();
            choose.emit(next);
        })
    };
    let overlay = props.chosen.and_then(|at| props.points.get(at)).map(|point| overlay(point, &frame));
    html! {
        <div class="scatter">
            <p class="axis-name">{ format!("model, {}", props.unit) }</p>
            <div class="stage square" id="scatter" ref={stage} tabindex="0" role="group" data-points={props.points.len().to_string()}
                aria-label="Chart of the model's figures against the measured ones; left and right step from mark to mark, up and down by the size of the error"
                onpointermove={point_at.clone()} onpointerdown={point_at} {onpointerleave} {onkeydown}>
                <canvas ref={canvas} aria-hidden="true"></canvas>
                <svg class="overlay" aria-hidden="true">{ overlay }</svg>
            </div>
            <p class="axis-name across">{ format!("measured, {}", props.unit) }</p>
        </div>
    }
}

/// The mark nearest to a place, if one is near.
fn nearest(points: &[Point], frame: &LogFrame, (x, y): (f64, f64)) -> Option<usize> {
    let distance = |point: &Point| {
        let (dx, dy) = (frame.x(point.figure.truth) - x, frame.y(point.figure.model) - y);
        dx.hypot(dy)
    };
    let found = points.iter().map(distance).enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
    found.filter(|(_, distance)| *distance <= REACH).map(|(at, _)| at)
}

/// What a key chooses; `None` for keys that mean nothing here.
fn step(points: &[Point], chosen: Option<usize>, key: &str) -> Option<Option<usize>> {
    let last = points.len().checked_sub(1);
    // Places by falling error, and where the chosen one stands among them.
    let by_error = || {
        let mut places: Vec<usize> = (0..points.len()).collect();
        places
            .sort_by(|a, b| points[*b].figure.counted_error().total_cmp(&points[*a].figure.counted_error()));
        let at = chosen.and_then(|chosen| places.iter().position(|place| *place == chosen));
        (places, at)
    };
    Some(match key {
        "ArrowRight" => chosen.map_or(last.map(|_| 0), |at| last.map(|last| (at + 1).min(last))),
        "ArrowLeft" => chosen.map_or(last, |at| Some(at.saturating_sub(1))),
        "ArrowUp" => {
            let (places, at) = by_error();
            places.get(at.map_or(0, |at| at.saturating_sub(1))).copied()
        }
        "ArrowDown" => {
            let (places, at) = by_error();
            let next = at.map_or(0, |at| (at + 1).min(places.len().saturating_sub(1)));
            places.get(next).copied()
        }
        "Home" => last.map(|_| 0),
        "End" => last,
        "Escape" => None,
        _ => return None,
    })
}

fn overlay(point: &Point, frame: &LogFrame) -> Html {
    let (x, y) = (frame.x(point.figure.truth), frame.y(point.figure.model));
    let (left, bottom) = frame.outer();
    let at = |value: f64| format!("{value:.1}");
    html! {
        <>
            <line x1={at(x)} x2={at(x)} y1={at(y + 9.0)} y2={at(bottom)} />
            <line x1={at(left)} x2={at(x - 9.0)} y1={at(y)} y2={at(y)} />
            <circle class="ring" cx={at(x)} cy={at(y)} r="8" />
        </>
    }
}

type Area = DrawingArea<CanvasBackend, Shift>;
type Drawn = Result<(), DrawingAreaErrorKind<<CanvasBackend as DrawingBackend>::ErrorType>>;

fn draw(canvas: &HtmlCanvasElement, points: &[Point], frame: &LogFrame) -> Drawn {
    let ratio = pixel_ratio();
    canvas.set_width((frame.width * ratio) as u32);
    canvas.set_height((frame.height * ratio) as u32);
    let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) else { return Ok(()) };
    let root: Area = backend.into_drawing_area();
    let (ink, muted, hair) = (colour("--ink"), colour("--muted"), colour("--hair"));
    let px = |value: f64| (value * ratio).round() as i32;
    let at = |(x, y): (f64, f64)| (px(x), px(y));
    let line = |from: (f64, f64), to: (f64, f64), style: ShapeStyle| {
        root.draw(&PathElement::new(vec![at(from), at(to)], style))
    };
    let thin = |colour: RGBColor| colour.stroke_width(ratio.round().max(1.0) as u32);
    let [left, right, top, bottom] = frame.plot();
    let (outer_left, outer_bottom) = frame.outer();

    for (share, strength) in BANDS {
        let corners: Vec<(i32, i32)> = frame.band(share).into_iter().map(at).collect();
        root.draw(&Polygon::new(corners, ink.mix(strength).filled()))?;
    }
    let font = FontDesc::new(FontFamily::Name("system-ui, sans-serif"), 12.0 * ratio, FontStyle::Normal);
    let anchored = |h: HPos, v: VPos| -> TextStyle<'_> {
        font.color(&muted).pos(plotters::style::text_anchor::Pos::new(h, v))
    };
    use plotters::style::text_anchor::{HPos, VPos};
    let text = |words: String, place: (f64, f64), style: TextStyle<'_>| {
        root.draw(&Text::new(words, at(place), style))
    };
    let mut free = f64::NEG_INFINITY;
    for tick in frame.ticks() {
        let (x, y) = (frame.x(tick), frame.y(tick));
        line((x, top), (x, bottom), thin(hair))?;
        line((left, y), (right, y), thin(hair))?;
        let label = tick_label(tick);
        text(label.clone(), (outer_left - 6.0, y), anchored(HPos::Right, VPos::Center))?;
        // Labels across may be wider than the room between two lines.
        let half = label.chars().count() as f64 * 3.5 + 3.0;
        if x - half >= free && x + half <= frame.width {
            text(label, (x, outer_bottom + 6.0), anchored(HPos::Center, VPos::Top))?;
            free = x + half;
        }
    }
    if frame.edge {
        let middle = (f64::midpoint(outer_left, left), f64::midpoint(bottom, outer_bottom));
        line((left, top), (left, outer_bottom), thin(hair))?;
        line((outer_left, bottom), (right, bottom), thin(hair))?;
        text("0".into(), (outer_left - 6.0, middle.1), anchored(HPos::Right, VPos::Center))?;
        text("0".into(), (middle.0, outer_bottom + 6.0), anchored(HPos::Center, VPos::Top))?;
    }
    line((outer_left, top), (outer_left, outer_bottom), thin(muted))?;
    line((outer_left, outer_bottom), (right, outer_bottom), thin(muted))?;
    line((left, bottom), (right, top), thin(muted))?;

    let paper = colour("--paper");
    for point in points {
        let mark = Mark::of(&point.engine);
        let device = colour(&format!("--{}", mark.class()));
        let centre = (frame.x(point.figure.truth), frame.y(point.figure.model));
        let outline = device.stroke_width((1.5 * ratio).round() as u32);
        let fill = if point.figure.trusted { device.mix(0.45) } else { paper.mix(0.8) };
        draw_mark(&root, mark, centre, ratio, fill.filled(), outline)?;
    }
    root.present()
}

fn draw_mark(
    root: &Area,
    mark: Mark,
    (x, y): (f64, f64),
    ratio: f64,
    fill: ShapeStyle,
    outline: ShapeStyle,
) -> Drawn {
    let px = |value: f64| (value * ratio).round() as i32;
    let mut corners: Vec<(i32, i32)> =
        mark.corners().iter().map(|(dx, dy)| (px(x + dx * RADIUS), px(y + dy * RADIUS))).collect();
    if corners.is_empty() {
        root.draw(&Circle::new((px(x), px(y)), px(RADIUS), fill))?;
        return root.draw(&Circle::new((px(x), px(y)), px(RADIUS), outline));
    }
    root.draw(&Polygon::new(corners.clone(), fill))?;
    corners.extend_from_within(..1);
    root.draw(&PathElement::new(corners, outline))
}

/// A label in few characters: `0.01`, `300`, `10 k`, `1 M`.
fn tick_label(value: f64) -> String {
    match value {
        v if v >= 999_999.5 => format!("{}\u{a0}M", number(v / 1e6)),
        v if v >= 9999.5 => format!("{}\u{a0}k", number(v / 1e3)),
        v if v >= 1.0 => number(v),
        v if v >= 1e-4 => format!("{v:.5}").trim_end_matches('0').to_owned(),
        v => format!("{v:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured::{Filter, tests::sample};

    #[test]
    fn keys_step_from_mark_to_mark() {
        let points = sample().points(&Filter::default());
        assert_eq!(step(&points, None, "ArrowRight"), Some(Some(0)));
        assert_eq!(step(&points, Some(9), "ArrowRight"), Some(Some(9)));
        assert_eq!(step(&points, Some(0), "ArrowLeft"), Some(Some(0)));
        assert_eq!(step(&points, None, "End"), Some(Some(9)));
        assert_eq!(step(&points, Some(3), "Escape"), Some(None));
        assert_eq!(step(&points, Some(3), "x"), None);
        let worst = step(&points, None, "ArrowUp").flatten().unwrap();
        assert_eq!(points[worst].figure.error, 0.9);
        let next = step(&points, Some(worst), "ArrowDown").flatten().unwrap();
        assert_eq!(points[next].figure.error, 0.8);
        for key in ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End"] {
            assert_eq!(step(&[], None, key), Some(None), "{key}");
        }
    }

    #[test]
    fn a_pointer_finds_the_mark_it_points_at() {
        let points = sample().points(&Filter::default());
        let frame = LogFrame::around(points.iter().map(|p| (p.figure.truth, p.figure.model)), (400.0, 400.0));
        let place = |at: usize| (frame.x(points[at].figure.truth), frame.y(points[at].figure.model));
        assert_eq!(nearest(&points, &frame, place(4)), Some(4));
        assert_eq!(nearest(&points, &frame, (-100.0, -100.0)), None);
        assert_eq!(nearest(&[], &frame, (0.0, 0.0)), None);
    }

    #[test]
    fn ticks_are_short() {
        let labels = [0.001, 0.5, 1.0, 1000.0, 20_000.0, 1e6, 1e-6].map(tick_label);
        assert_eq!(labels, ["0.001", "0.5", "1", "1000", "20\u{a0}k", "1\u{a0}M", "1e-6"]);
    }
}
