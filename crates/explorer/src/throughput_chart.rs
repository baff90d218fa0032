//! Transactions a second over virtual time, drawn as results stream in, with a read-out and the same data as a table.

use crate::{
    catalogue::Side,
    format::{number, span},
    stage::{pixel_ratio, use_scheme, use_size},
    store::Store,
    theme::{Theme, colour},
    words,
};
use plotters::prelude::*;
use plotters_canvas::CanvasBackend;
use std::rc::Rc;
use web_sys::{HtmlCanvasElement, HtmlElement};
use yew::prelude::*;

/// What the [`ThroughputChart`] shows.
#[derive(Properties, PartialEq)]
pub struct ThroughputChartProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// Light or dark.
    pub theme: Theme,
}

/// Space around the plot, in CSS pixels: left, right, top, bottom.
const MARGINS: [f64; 4] = [52.0, 84.0, 12.0, 44.0];
/// Width of a bucket of seconds, in CSS pixels.
const BUCKET_PX: f64 = 3.0;
/// Rows of the table, at most.
const TABLE_ROWS: usize = 30;

/// Seconds to which the time axis is cut, rising.
const ENDS: [f64; 16] = [
    10.0, 20.0, 30.0, 60.0, 120.0, 180.0, 300.0, 600.0, 900.0, 1200.0, 1800.0, 3600.0, 7200.0, 14_400.0,
    43_200.0, 86_400.0,
];

#[derive(Clone, PartialEq)]
struct Line {
    side: Side,
    name: String,
    stale: bool,
    series: Rc<Vec<f64>>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Frame {
    width: f64,
    height: f64,
    x_end: f64,
    y_end: f64,
}

impl Frame {
    fn plot(&self) -> (f64, f64) {
        let [left, right, top, bottom] = MARGINS;
        ((self.width - left - right).max(20.0), (self.height - top - bottom).max(20.0))
    }
    fn x(&self, seconds: f64) -> f64 {
        MARGINS[0] + seconds / self.x_end * self.plot().0
    }
    fn y(&self, value: f64) -> f64 {
        MARGINS[2] + (1.0 - value / self.y_end) * self.plot().1
    }
    fn second_at(&self, x: f64) -> f64 {
        ((x - MARGINS[0]) / self.plot().0 * self.x_end).clamp(0.0, self.x_end)
    }
    /// Seconds in a bucket.
    fn bucket(&self) -> usize {
        (self.x_end / (self.plot().0 / BUCKET_PX)).ceil().max(1.0) as usize
    }
}

/// Middle second, mean, least and greatest value of each bucket.
fn buckets(series: &[f64], size: usize) -> Vec<(f64, f64, f64, f64)> {
    series
        .chunks(size.max(1))
        .enumerate()
        .map(|(at, part)| {
            let middle = at as f64 * size as f64 + part.len() as f64 / 2.0;
            let mean = part.iter().sum::<f64>() / part.len() as f64;
            let low = part.iter().copied().fold(f64::INFINITY, f64::min);
            let high = part.iter().copied().fold(0.0, f64::max);
            (middle, mean, low, high)
        })
        .collect()
}

/// The next number of the form 1, 1.5, 2, 3, 4, 5, 6, 8 times a power of ten.
fn nice_end(value: f64) -> f64 {
    if value <= 0.0 {
        return 1.0;
    }
    let unit = 10f64.powf(value.log10().floor());
    [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0]
        .into_iter()
        .map(|n| n * unit)
        .find(|end| *end >= value)
        .unwrap_or(value)
}

fn frame(lines: &[Line], size: (f64, f64)) -> Frame {
    let seconds = lines.iter().map(|l| l.series.len()).max().unwrap_or(0) as f64;
    let x_end = ENDS.into_iter().find(|end| *end >= seconds).unwrap_or(seconds.max(1.0));
    let mut frame = Frame { width: size.0, height: size.1, x_end, y_end: 1.0 };
    let highest = lines
        .iter()
        .flat_map(|line| buckets(&line.series, frame.bucket()))
        .map(|(.., high)| high)
        .fold(0.0, f64::max);
    frame.y_end = nice_end(highest * 1.02);
    frame
}

/// The chart.
#[component]
pub fn ThroughputChart(props: &ThroughputChartProps) -> Html {
    let store = &props.store;
    let canvas = use_node_ref();
    let stage = use_node_ref();
    let cursor = use_state(|| None::<f64>);
    let as_table = use_state(|| false);
    let size = use_size(stage.clone(), *as_table);
    let scheme = use_scheme();
    let names = words::shown_names(store);
    let lines: Vec<Line> = Side::BOTH
        .into_iter()
        .filter_map(|side| {
            let outcome = store.outcomes[side.index()].as_ref()?;
            let series = Rc::new(outcome.report.series.throughput_tps.clone());
            Some(Line {
                side,
                name: words::capital(&names[side.index()]),
                stale: store.is_stale(side),
                series,
            })
        })
        .collect();
    let frame = frame(&lines, size);

    {
        let canvas = canvas.clone();
        let lines = lines.clone();
        use_effect_with((lines, frame, props.theme, scheme, *as_table), move |(lines, frame, ..)| {
            if let Some(canvas) = canvas.cast::<HtmlCanvasElement>()
                && frame.width > 0.0
            {
                // A canvas that cannot be drawn on leaves the table view.
                let _ = draw(&canvas, lines, frame);
            }
        });
    }

    let onpointermove = {
        let (cursor, stage) = (cursor.clone(), stage.clone());
        Callback::from(move |event: PointerEvent| {
            let Some(element) = stage.cast::<HtmlElement>() else { return };
            let x = f64::from(event.client_x()) - element.get_bounding_client_rect().left();
            cursor.set(Some(frame.second_at(x).floor()));
        })
    };
    let onpointerleave = {
        let cursor = cursor.clone();
        Callback::from(move |event: PointerEvent| {
            // A finger that is lifted leaves its reading behind.
            if event.pointer_type() == "mouse" {
                cursor.set(None);
            }
        })
    };
    let last = lines.iter().map(|l| l.series.len()).max().unwrap_or(0).saturating_sub(1) as f64;
    let onkeydown = {
        let cursor = cursor.clone();
        Callback::from(move |event: KeyboardEvent| {
            let step = frame.bucket() as f64 * if event.shift_key() { 10.0 } else { 1.0 };
            let at = *cursor;
            let next = match event.key().as_str() {
                "ArrowRight" => at.map_or(0.0, |at| at + step),
                "ArrowLeft" => at.map_or(last, |at| at - step),
                "Home" => 0.0,
                "End" => last,
                "Escape" => {
                    cursor.set(None);
                    return;
                }
                _ => return,
            };
            event.prevent_default();
            cursor.set(Some(next.clamp(0.0, last)));
        })
    };
    let reading = cursor.map(|at| reading(&lines, at));
    let title = words::course(store).unwrap_or_else(|| "Throughput over time".into());
    let view = |label: &'static str, table: bool| {
        let as_table = as_table.clone();
        html! {
            <button class="tab" aria-pressed={(*as_table == table).to_string()}
                onclick={Callback::from(move |_: MouseEvent| as_table.set(table))}>{ label }</button>
        }
    };
    html! {
            <section class="throughput" aria-label="Throughput over time">
                <div class="title-row">
    <p class="kicker">{ "Throughput over time" }</p>
    <div class="tabs">{ view("Chart", false) }{ view("Table", true) }</div>
    </div>
    <h2>{ title }</h2>
                if *as_table {
                    { table(&lines) }
                } else {
                    <div class="axis-row">
                        <span class="axis-name">{ "transactions/s" }</span>
                        <output class="reading" id="reading" aria-live="polite">
                            { reading.unwrap_or_else(|| html! { <span class="muted">{ "Point, or press ← or →, to read values" }</span> }) }
                        </output>
                    </div>
                    <div class="stage" id="chart" ref={stage} tabindex="0" role="group"
                        aria-label="Chart of transactions a second over virtual time; arrow keys move the cursor"
                        {onpointermove} {onpointerleave} {onkeydown}>
                        <canvas ref={canvas} aria-hidden="true"></canvas>
                        <svg class="overlay" aria-hidden="true">{ overlay(&lines, &frame, *cursor) }</svg>
                    </div>
                }
            </section>
        }
}

fn value_at(line: &Line, second: f64) -> Option<f64> {
    line.series.get(second as usize).copied()
}

fn reading(lines: &[Line], at: f64) -> Html {
    let values = lines.iter().map(|line| {
        let value = value_at(line, at).map_or_else(|| "–".into(), number);
        html! { <span class="reading-value"><i class={classes!("swatch", line.side.class())}></i>{ format!("{} ", line.name) }<b>{ value }</b></span> }
    });
    html! { <><span class="reading-time">{ format!("at {}", span(at)) }</span>{ for values }</> }
}

fn overlay(lines: &[Line], frame: &Frame, cursor: Option<f64>) -> Html {
    let Some(at) = cursor else { return html! {} };
    let x = format!("{:.1}", frame.x(at + 0.5));
    let marks = lines.iter().filter_map(|line| {
        let y = frame.y(value_at(line, at)?);
        Some(html! { <circle class={line.side.class()} cx={x.clone()} cy={format!("{y:.1}")} r="4" /> })
    });
    let (top, bottom) = (format!("{:.1}", MARGINS[2]), format!("{:.1}", frame.height - MARGINS[3]));
    html! { <><line x1={x.clone()} x2={x.clone()} y1={top} y2={bottom} />{ for marks }</> }
}

fn table(lines: &[Line]) -> Html {
    let seconds = lines.iter().map(|l| l.series.len()).max().unwrap_or(0);
    let size = seconds.div_ceil(TABLE_ROWS).max(1);
    let columns: Vec<_> = lines.iter().map(|line| buckets(&line.series, size)).collect();
    let rows = (0..seconds.div_ceil(size)).map(|at| {
        let from = span((at * size) as f64);
        let to = span((((at + 1) * size).min(seconds)) as f64);
        let cells = columns.iter().map(|column| {
            let text = column.get(at).map_or_else(|| "–".into(), |(_, mean, ..)| number(*mean));
            html! { <td class="number">{ text }</td> }
        });
        html! { <tr><th scope="row">{ format!("{from} to {to}") }</th>{ for cells }</tr> }
    });
    let heads = lines.iter().map(|line| {
        html! { <th scope="col" class="number"><i class={classes!("swatch", line.side.class())}></i>{ &line.name }</th> }
    });
    html! {
        <div class="series-table" tabindex="0">
            <table>
                <thead><tr><th scope="col">{ "virtual time" }</th>{ for heads }</tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
            <p class="muted">{ "Mean transactions a second in each span." }</p>
        </div>
    }
}

type Drawn = Result<(), DrawingAreaErrorKind<plotters_canvas_error::Error>>;

/// The canvas backend's error, which its crate does not name in public.
mod plotters_canvas_error {
    pub type Error = <plotters_canvas::CanvasBackend as plotters::prelude::DrawingBackend>::ErrorType;
}

fn draw(canvas: &HtmlCanvasElement, lines: &[Line], frame: &Frame) -> Drawn {
    let ratio = pixel_ratio();
    canvas.set_width((frame.width * ratio) as u32);
    canvas.set_height((frame.height * ratio) as u32);
    let Some(backend) = CanvasBackend::with_canvas_object(canvas.clone()) else { return Ok(()) };
    let px = |value: f64| (value * ratio).round() as i32;
    let (ink, muted, hair) = (colour("--ink"), colour("--muted"), colour("--hair"));
    let root = backend.into_drawing_area();
    let font = |bold: bool| {
        let style = if bold { FontStyle::Bold } else { FontStyle::Normal };
        FontDesc::new(FontFamily::Name("system-ui, sans-serif"), 12.0 * ratio, style)
    };
    let minutes = frame.x_end > 120.0;
    let unit = if minutes { 60.0 } else { 1.0 };
    let [left, right, top, bottom] = MARGINS;
    let mut chart = ChartBuilder::on(&root)
        .margin_top(px(top))
        .margin_right(px(right))
        .margin_bottom(px(bottom - 24.0))
        .set_label_area_size(LabelAreaPosition::Left, px(left))
        .set_label_area_size(LabelAreaPosition::Bottom, px(24.0))
        .build_cartesian_2d(0.0..frame.x_end / unit, 0.0..frame.y_end)?;
    let wide = frame.width > 560.0;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(if wide { 8 } else { 5 })
        .y_labels(5)
        .light_line_style(TRANSPARENT)
        .bold_line_style(hair.stroke_width(ratio as u32))
        .axis_style(muted.stroke_width(ratio as u32))
        .label_style(font(false).color(&muted))
        .x_label_formatter(&|x| number(*x))
        .y_label_formatter(&|y| number(*y))
        .set_all_tick_mark_size(px(4.0))
        .draw()?;
    for line in lines {
        let device = colour(&format!("--{}", line.side.class()));
        let points = buckets(&line.series, frame.bucket());
        let strength = if line.stale { 0.5 } else { 1.0 };
        if frame.bucket() > 1 {
            let upper = points.iter().map(|(x, _, _, high)| (x / unit, *high));
            let lower = points.iter().rev().map(|(x, _, low, _)| (x / unit, *low));
            let band: Vec<(f64, f64)> = upper.chain(lower).collect();
            if band.len() > 2 {
                chart
                    .draw_series(std::iter::once(Polygon::new(band, device.mix(0.16 * strength).filled())))?;
            }
        }
        let mean = points.iter().map(|(x, mean, ..)| (x / unit, *mean));
        let style = device.mix(strength).stroke_width((2.0 * ratio).round() as u32);
        chart.draw_series(LineSeries::new(mean, style))?;
    }
    let text = |words: &str, x: f64, y: f64, style: TextStyle<'_>| {
        root.draw(&Text::new(words.to_owned(), (px(x), px(y)), style))
    };
    let axis = if minutes { "virtual time, minutes" } else { "virtual time, seconds" };
    text(axis, left, frame.height - 16.0, font(false).color(&muted))?;
    let mut ends: Vec<(f64, f64, &Line)> = lines
        .iter()
        .filter_map(|line| {
            let points = buckets(&line.series, frame.bucket());
            let tail = &points[points.len().saturating_sub(5)..];
            let mean = tail.iter().map(|p| p.1).sum::<f64>() / tail.len().max(1) as f64;
            Some((frame.y(mean), frame.x(points.last()?.0), line))
        })
        .collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Two lines of text each: they must not lie on one another, nor leave the plot.
    let mut free = top;
    let last_y = frame.height - bottom - 28.0;
    let count = ends.len();
    for (at, (y, x, line)) in ends.into_iter().enumerate() {
        let room = last_y - 32.0 * (count - 1 - at) as f64;
        let y = (y - 14.0).max(free).min(room.max(top));
        free = y + 32.0;
        let device = colour(&format!("--{}", line.side.class())).mix(if line.stale { 0.6 } else { 1.0 });
        let x = x.min(frame.width - right) + 8.0;
        text(&line.name, x, y, font(true).color(&device))?;
        text(&format!("{}/s", number(rounded(line))), x, y + 15.0, font(false).color(&ink))?;
    }
    root.present()
}

/// The throughput of the last seconds, as a number for a label.
fn rounded(line: &Line) -> f64 {
    let tail = &line.series[line.series.len().saturating_sub(10)..];
    let mean = tail.iter().sum::<f64>() / tail.len().max(1) as f64;
    let unit = if mean > 0.0 { 10f64.powf(mean.log10().floor() - 2.0) } else { 1.0 };
    (mean / unit).round() * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_cover_every_second_once() {
        let series: Vec<f64> = (0..10).map(f64::from).collect();
        let parts = buckets(&series, 4);
        assert_eq!(parts, [(2.0, 1.5, 0.0, 3.0), (6.0, 5.5, 4.0, 7.0), (9.0, 8.5, 8.0, 9.0)]);
        assert!(buckets(&[], 4).is_empty());
    }

    #[test]
    fn axes_end_at_round_numbers() {
        assert_eq!(nice_end(0.0), 1.0);
        assert_eq!(nice_end(23_600.0), 30_000.0);
        assert_eq!(nice_end(999.0), 1000.0);
        let line = |n: usize| Line {
            side: Side::Base,
            name: String::new(),
            stale: false,
            series: Rc::new(vec![5.0; n]),
        };
        assert_eq!(frame(&[line(75), line(3)], (800.0, 300.0)).x_end, 120.0);
        assert_eq!(frame(&[], (0.0, 0.0)).x_end, 10.0);
    }

    #[test]
    fn a_pointer_finds_the_second_it_points_at() {
        let frame = Frame { width: 800.0, height: 300.0, x_end: 120.0, y_end: 10.0 };
        for second in [0.0, 17.0, 119.0] {
            assert_eq!(frame.second_at(frame.x(second) + 0.01).floor(), second);
        }
        assert_eq!(frame.second_at(-50.0), 0.0);
    }
}
