//! Which view is open and what it was asked to show: the part of the page's state that a link carries beside the
//! Scenarios. No view.

use crate::measured::Filter;
use serde::{Deserialize, Serialize};
use spindle_report::Report;
use spindle_scenario::Scenario;
use std::rc::Rc;

/// A view of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// The run second by second.
    #[default]
    OverTime,
    /// One transaction's milliseconds by cause.
    Time,
    /// An outcome along a knob.
    Sweep,
    /// The ratio of both sides over two knobs.
    Crossover,
    /// Transactions by latency.
    Latency,
    /// Tables and indexes by size.
    Layout,
    /// Devices against offered load.
    Devices,
    /// What was published beside what the model says.
    Published,
    /// The model beside measurements of real engines.
    Accuracy,
}

impl View {
    /// All of them, in the order of their tabs.
    pub const ALL: [Self; 9] = [
        Self::OverTime,
        Self::Time,
        Self::Sweep,
        Self::Crossover,
        Self::Latency,
        Self::Layout,
        Self::Devices,
        Self::Published,
        Self::Accuracy,
    ];
}

/// What is shown over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Course {
    /// Transactions a second.
    #[default]
    Throughput,
    /// Mean latency.
    Latency,
    /// Pages in the buffer that differ from the device.
    DirtyPages,
    /// Log since the oldest change that is not yet on the device.
    CheckpointAge,
}

impl Course {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Throughput, Self::Latency, Self::DirtyPages, Self::CheckpointAge];
}

/// By what a point of a sweep is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Yardstick {
    /// Transactions a second.
    #[default]
    Throughput,
    /// Mean latency.
    Latency,
    /// Share of page requests that find their page in the buffer.
    HitRate,
}

impl Yardstick {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Throughput, Self::Latency, Self::HitRate];
}

/// A knob along an axis.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AxisSpec {
    /// The knob's path in the Scenario; the axis' own first choice where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Where the axis begins; a range around the present value where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Where it ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// Whether its steps are equal instead of in equal proportion.
    #[serde(skip_serializing_if = "is_default")]
    pub linear: bool,
}

/// A second knob, each value of which gives a curve for each side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Family {
    /// The knob's path in the Scenario.
    pub path: String,
    /// Its values; more than [`Family::MOST`] are not drawn.
    pub values: Vec<f64>,
}

impl Family {
    /// Curves that can still be told apart.
    pub const MOST: usize = 5;
}

/// An outcome along a knob.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SweepSpec {
    /// The knob.
    pub x: AxisSpec,
    /// The outcome.
    pub y: Yardstick,
    /// Another knob, for more curves than one a side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<Family>,
}

/// The ratio of both sides over two knobs.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CrossoverSpec {
    /// The knob across.
    pub x: AxisSpec,
    /// The knob upwards.
    pub y: AxisSpec,
}

/// What a simulation says of one point of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SimulatedPoint {
    /// Transactions a second.
    pub throughput_tps: f64,
    /// Relative half-width of the 95 % confidence interval of the throughput; 0 where too little was measured to say.
    pub throughput_ci95: f64,
    /// Mean latency of a transaction.
    pub latency_ms: f64,
    /// Share of page requests that found their page in the buffer.
    pub hit_rate: f64,
}

impl SimulatedPoint {
    /// What a report says.
    pub fn of(report: &Report) -> Self {
        Self {
            throughput_tps: report.throughput_tps,
            throughput_ci95: report.throughput_ci95,
            latency_ms: report.latency_ms.mean,
            hit_rate: report.hit_rate,
        }
    }
}

/// The simulated points of a sweep, as they come.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedSweep {
    /// The job that simulates them.
    pub job: u32,
    /// The question.
    pub spec: SweepSpec,
    /// The Scenarios that it was asked of.
    pub scenarios: [Rc<Scenario>; 2],
    /// Whether both were shown.
    pub compare: bool,
    /// Which of the sweep's points the job has, in its order.
    pub places: Vec<usize>,
    /// What came out of them so far.
    pub points: Vec<Option<SimulatedPoint>>,
    /// Whether the job is over, stopped or given up.
    pub over: bool,
}

impl SimulatedSweep {
    /// How many points there are so far.
    pub fn known(&self) -> usize {
        self.points.iter().flatten().count()
    }
}

/// What is shown of devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strain {
    /// Share of the time in which they are at work.
    #[default]
    Utilisation,
    /// Requests that wait or are worked on.
    Queue,
    /// Time of a read.
    ReadLatency,
    /// Time of a write.
    WriteLatency,
}

impl Strain {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Utilisation, Self::Queue, Self::ReadLatency, Self::WriteLatency];
}

/// A picture of what was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Picture {
    /// Published ratios, and the model's beside them.
    Ratios,
    /// Curves along an axis of a grid.
    Curves,
    /// The published advantage over a grid.
    Map,
    /// The model's advantage over a grid.
    ModelMap,
}

impl Picture {
    /// Its name in keys of texts.
    pub fn id(self) -> &'static str {
        match self {
            Self::Ratios => "ratios",
            Self::Curves => "curves",
            Self::Map => "map",
            Self::ModelMap => "model-map",
        }
    }
}

/// What is shown of what was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PublishedSpec {
    /// The picture; the one that fits the card where it is left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
    /// Which of the published figures.
    #[serde(skip_serializing_if = "is_default")]
    pub measure: usize,
}

/// Which view is open and what it shows. What a link leaves out is as a reader finds it first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewState {
    /// The view.
    pub view: View,
    /// What is shown over time.
    #[serde(skip_serializing_if = "is_default")]
    pub course: Course,
    /// The question of the sweep.
    #[serde(skip_serializing_if = "is_default")]
    pub sweep: SweepSpec,
    /// The question of the crossover map.
    #[serde(skip_serializing_if = "is_default")]
    pub crossover: CrossoverSpec,
    /// What is shown of devices.
    #[serde(skip_serializing_if = "is_default")]
    pub strain: Strain,
    /// What is shown of what was published.
    #[serde(skip_serializing_if = "is_default")]
    pub published: PublishedSpec,
    /// Which measurements the accuracy view shows, as [`Filter::query`] writes it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub accuracy: String,
    /// Points of the sweep that were simulated. They are made anew, not sent.
    #[serde(skip)]
    pub simulated: Option<Rc<SimulatedSweep>>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A way in which views change.
#[derive(Debug, Clone, PartialEq)]
pub enum ViewAction {
    /// Another view.
    Open(View),
    /// Something else over time.
    Course(Course),
    /// Another question of the sweep.
    Sweep(SweepSpec),
    /// Another question of the crossover map.
    Crossover(CrossoverSpec),
    /// Something else of devices.
    Strain(Strain),
    /// Something else of what was published.
    Published(PublishedSpec),
    /// Other measurements.
    Accuracy(Filter),
    /// Points are about to be simulated, of these Scenarios and for the present question of the sweep.
    Simulating {
        /// The job's number.
        job: u32,
        /// The Scenarios that the sweep varies.
        scenarios: [Rc<Scenario>; 2],
        /// Whether both are shown.
        compare: bool,
        /// Which of the sweep's points the job has, in its order.
        places: Vec<usize>,
    },
    /// One of them is known.
    Simulated {
        /// The job's number.
        job: u32,
        /// Which of its points.
        index: usize,
        /// What came out.
        point: SimulatedPoint,
    },
    /// No more will come.
    SimulationOver {
        /// The job's number.
        job: u32,
    },
}

impl ViewState {
    /// The state after an action; what comes from an older job changes nothing.
    #[must_use]
    pub fn reduce(mut self, action: ViewAction) -> Self {
        match action {
            ViewAction::Open(view) => self.view = view,
            ViewAction::Course(course) => self.course = course,
            ViewAction::Sweep(spec) => self.sweep = spec,
            ViewAction::Crossover(spec) => self.crossover = spec,
            ViewAction::Strain(strain) => self.strain = strain,
            ViewAction::Published(spec) => self.published = spec,
            ViewAction::Accuracy(filter) => self.accuracy = filter.query(),
            ViewAction::Simulating { job, scenarios, compare, places } => {
                let spec = self.sweep.clone();
                let points = vec![None; places.len()];
                let sweep = SimulatedSweep { job, spec, scenarios, compare, places, points, over: false };
                self.simulated = Some(Rc::new(sweep));
            }
            ViewAction::Simulated { job, index, point } => self.change_simulated(job, |sweep| {
                if let Some(place) = sweep.points.get_mut(index) {
                    *place = Some(point);
                }
            }),
            ViewAction::SimulationOver { job } => self.change_simulated(job, |sweep| sweep.over = true),
        }
        self
    }

    fn change_simulated(&mut self, job: u32, change: impl FnOnce(&mut SimulatedSweep)) {
        if let Some(sweep) = self.simulated.as_mut().filter(|sweep| sweep.job == job) {
            change(Rc::make_mut(sweep));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINT: SimulatedPoint =
        SimulatedPoint { throughput_tps: 1.0, throughput_ci95: 0.02, latency_ms: 3.0, hit_rate: 0.5 };

    fn scenarios() -> [Rc<Scenario>; 2] {
        let scenario = Rc::clone(&crate::store::Store::default().scenarios[0]);
        [scenario.clone(), scenario]
    }

    fn simulating(job: u32) -> ViewAction {
        ViewAction::Simulating { job, scenarios: scenarios(), compare: true, places: vec![0, 3] }
    }

    #[test]
    fn the_measurements_that_are_looked_at_are_in_the_link() {
        let filter = Filter { engine: Some("mariadb-10.11".into()), ..Filter::default() };
        let state = ViewState::default().reduce(ViewAction::Accuracy(filter.clone()));
        assert_eq!(Filter::of_query(&state.accuracy), filter);
        assert_eq!(
            ViewState::default().reduce(ViewAction::Accuracy(Filter::default())),
            ViewState::default()
        );
    }

    #[test]
    fn what_a_link_says_is_read_back() {
        let knob = |path: &str| AxisSpec { path: Some(path.into()), ..AxisSpec::default() };
        let family = Family { path: "machine.cores".into(), values: vec![1.0, 2.0] };
        let state = ViewState::default()
            .reduce(ViewAction::Open(View::Sweep))
            .reduce(ViewAction::Course(Course::DirtyPages))
            .reduce(ViewAction::Sweep(SweepSpec {
                x: knob("workload.clients"),
                y: Yardstick::HitRate,
                family: Some(family),
            }))
            .reduce(ViewAction::Crossover(CrossoverSpec { x: knob("machine.cores"), ..Default::default() }));
        let text = serde_json::to_string(&state).unwrap();
        assert_eq!(serde_json::from_str::<ViewState>(&text).unwrap(), state);
        assert_eq!(serde_json::to_string(&ViewState::default()).unwrap(), r#"{"view":"over-time"}"#);
        assert_eq!(serde_json::from_str::<ViewState>("{}").unwrap(), ViewState::default());
    }

    #[test]
    fn points_of_an_older_job_or_beyond_the_last_change_nothing() {
        let state = ViewState::default().reduce(simulating(1)).reduce(simulating(2));
        let later = state
            .clone()
            .reduce(ViewAction::Simulated { job: 1, index: 0, point: POINT })
            .reduce(ViewAction::Simulated { job: 2, index: 7, point: POINT })
            .reduce(ViewAction::SimulationOver { job: 1 });
        assert_eq!(later, state);
        let known = later.reduce(ViewAction::Simulated { job: 2, index: 1, point: POINT });
        assert_eq!(known.simulated.unwrap().points, [None, Some(POINT)]);
    }
}
