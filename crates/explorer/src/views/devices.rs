//! How busy processor and storage are, and become as more clients ask.

use super::{
    answers::{Answers, Asked, use_answers},
    choice::Choice,
    knob_axis,
    sides::{Seen, seen},
};
use crate::{
    devices_table::{DevicesTable, device_name},
    figure::{Axis, Body, Datum, Figure, FigureView, Look, Plot, Reading, Scale, Series, Unit},
    format::percent,
    language::text,
    store::Store,
    theme::Theme,
    view_state::{AxisSpec, Strain, ViewAction},
    words::capital,
};
use spindle_report::DeviceReport;
use std::rc::Rc;
use yew::prelude::*;

/// Points along the number of clients.
const STEPS: usize = 16;
/// The knob that offers more load.
const CLIENTS: &str = "workload.clients";

/// What the [`Devices`] view shows.
#[derive(Properties, PartialEq)]
pub struct DevicesProps {
    /// The page's state.
    pub store: Rc<Store>,
    /// What is shown of them.
    pub strain: Strain,
    /// Shows something else.
    pub act: Callback<ViewAction>,
    /// Light or dark.
    pub theme: Theme,
}

/// The view.
#[component]
pub fn Devices(props: &DevicesProps) -> Html {
    let store = &props.store;
    let sides = seen(store);
    let spec = AxisSpec::default();
    let base = sides.last().map_or_else(|| store.scenarios[1].clone(), |side| side.scenario.clone());
    let (clients, values): (Vec<f64>, Vec<toml::Value>) =
        knob_axis::ticks(&base, CLIENTS, &spec, STEPS).into_iter().unzip();
    let asked = Asked {
        bases: sides.iter().map(|side| side.scenario.clone()).collect(),
        knobs: vec![(CLIENTS.to_owned(), values)],
    };
    let answers = use_answers(Rc::new(asked));
    let figure = Rc::new(figure(&sides, &clients, &answers, props.strain));
    let options = Strain::ALL.iter().map(|strain| name(*strain)).collect::<Vec<_>>();
    let chosen = Strain::ALL.iter().position(|strain| *strain == props.strain).unwrap_or_default();
    let choose = props.act.reform(|at: usize| ViewAction::Strain(Strain::ALL[at.min(Strain::ALL.len() - 1)]));
    html! {
        <>
            if !figure.is_empty() {
                <FigureView {figure} theme={props.theme}>
                    <div class="view-choices"><Choice legend={text("devices-strain")} name="strain" {options} {chosen} {choose} /></div>
                </FigureView>
            } else if store.outcomes.iter().all(Option::is_none) {
                <p class="empty">{ text("devices-empty") }</p>
            }
            <DevicesTable store={store.clone()} />
        </>
    }
}

fn name(strain: Strain) -> String {
    text(match strain {
        Strain::Utilisation => "device-utilisation",
        Strain::Queue => "strain-queue",
        Strain::ReadLatency => "strain-read-latency",
        Strain::WriteLatency => "strain-write-latency",
    })
}

fn axis(strain: Strain) -> Axis {
    match strain {
        Strain::Utilisation => Axis {
            range: Some([0.0, 1.0]),
            ..Axis::new(text("axis-utilisation"), Unit::Share, Scale::Linear)
        },
        Strain::Queue => Axis::new(text("axis-queue"), Unit::Count, Scale::Linear),
        Strain::ReadLatency => Axis::new(text("axis-read-latency"), Unit::Milliseconds, Scale::Linear),
        Strain::WriteLatency => Axis::new(text("axis-write-latency"), Unit::Milliseconds, Scale::Linear),
    }
}

/// The figure of a device; requests at a time are those of a second times the seconds of each (Little's law).
fn value(device: &DeviceReport, strain: Strain) -> f64 {
    match strain {
        Strain::Utilisation => device.utilisation,
        Strain::Queue => {
            (device.reads_per_s * device.read_ms + device.writes_per_s * device.write_ms) / 1000.0
        }
        Strain::ReadLatency => device.read_ms,
        Strain::WriteLatency => device.write_ms,
    }
}

fn figure(sides: &[Seen<'_>], clients: &[f64], answers: &Answers, strain: Strain) -> Figure {
    let fits = answers.asked.points() == clients.len() && answers.asked.bases.len() == sides.len();
    let mut series: Vec<Series> = Vec::new();
    for (at, side) in sides.iter().enumerate() {
        let known: Vec<(f64, &[DeviceReport])> = clients
            .iter()
            .enumerate()
            .filter(|_| fits)
            .filter_map(|(step, clients)| {
                Some((
                    *clients,
                    &answers.known.get(at * answers.asked.points() + step)?.as_ref()?.devices[..],
                ))
            })
            .collect();
        let names: Vec<&str> = known
            .first()
            .map(|(_, devices)| devices.iter().map(|d| d.name.as_str()).collect())
            .unwrap_or_default();
        for (number, device) in names.iter().enumerate() {
            let data: Vec<Datum> = known
                .iter()
                .filter_map(|(clients, devices)| {
                    Some(Datum::at(*clients, value(devices.get(number)?, strain)))
                })
                .collect();
            // The processor neither reads nor writes, and a device may do only one of them.
            if data.iter().any(|datum| datum.y > 0.0) {
                let dash = if number == 0 { crate::figure::Dash::Dotted } else { side.dash(true) };
                series.push(Series::new(
                    format!("{}: {}", side.name, device_name(device)),
                    side.paint,
                    Look::Line(dash),
                    data,
                ));
            }
        }
    }
    let name = capital(&text!("figure-by-load", quantity = name(strain)));
    // A finding waits for all of the points.
    let found = answers.complete.then(|| title(&series, strain)).flatten();
    Figure {
        id: "load",
        title: found.unwrap_or_else(|| name.clone()),
        name,
        body: Body::Plot(Plot {
            x: Axis::new(text("axis-clients"), Unit::Count, Scale::Log),
            y: axis(strain),
            series,
            reading: Reading::AtX,
            rank: None,
        }),
    }
}

/// The utilisation from which on a device is the bottleneck.
const FULL: f64 = 0.9;

fn title(series: &[Series], strain: Strain) -> Option<String> {
    let unit = axis(strain).unit;
    if strain == Strain::Utilisation {
        let first_full = series.iter().filter_map(|series| {
            let full = series.data.iter().find(|datum| datum.y >= FULL)?;
            Some((full.x, series))
        });
        return Some(match first_full.min_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((clients, series)) => {
                text!("devices-full", device = series.name.as_str(), share = percent(FULL), clients = clients)
            }
            None => {
                let last = series.iter().filter_map(|series| Some((series.data.last()?.y, series)));
                let (share, series) = last.max_by(|a, b| a.0.total_cmp(&b.0))?;
                text!("devices-idle", device = series.name.as_str(), share = percent(share))
            }
        });
    }
    let steepest =
        series.iter().filter_map(|series| Some((series.data.first()?, series.data.last()?, series)));
    let (first, last, series) = steepest.max_by(|a, b| a.1.y.total_cmp(&b.1.y))?;
    Some(text!(
        "devices-change",
        device = series.name.as_str(),
        from = unit.words(first.y),
        few = first.x,
        to = unit.words(last.y),
        many = last.x
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use spindle_estimate::Estimate;

    fn drawn(strain: Strain) -> Figure {
        let store = Store::default();
        let sides = seen(&store);
        let clients = [1.0, 10.0, 100.0];
        let values = vec![toml::Value::Integer(1), toml::Value::Integer(10), toml::Value::Integer(100)];
        let bases = sides.iter().map(|side| side.scenario.clone()).collect();
        let asked = Rc::new(Asked { bases, knobs: vec![(CLIENTS.into(), values)] });
        let sample = spindle_estimate::estimate(&store.scenarios[0]).unwrap();
        let device = |name: &str, utilisation: f64| DeviceReport {
            name: name.into(),
            utilisation,
            reads_per_s: if name == "storage" { 100.0 } else { 0.0 },
            writes_per_s: 0.0,
            syncs_per_s: 0.0,
            read_ms: 10.0 * utilisation,
            write_ms: 0.0,
        };
        let known = (0..6).map(|index| {
            let share = (index % 3) as f64 / 2.0;
            let devices = vec![device("processor", share / 4.0), device("storage", share)];
            Some(Rc::new(Estimate { throughput_tps: 1.0, devices, ..sample.clone() }))
        });
        let answers = Answers { asked, known: Rc::new(known.collect()), complete: true };
        figure(&sides, &clients, &answers, strain)
    }

    #[test]
    fn a_line_for_each_device_and_where_it_is_full() {
        let figure = drawn(Strain::Utilisation);
        assert_eq!(figure.plot().unwrap().series.len(), 4);
        assert_eq!(figure.title, "Disks: storage is busy to 90\u{a0}% from 100 clients on");
        let queue = drawn(Strain::Queue);
        assert_eq!(queue.plot().unwrap().series.len(), 2, "the processor has no requests");
        assert_eq!(queue.plot().unwrap().series[0].data[2].y, 1.0);
        assert!(drawn(Strain::WriteLatency).is_empty());
    }
}
