//! Every chart of the page: plain data that says what is to be seen, one way to draw it on a canvas or as SVG, one
//! component that shows, reads, zooms and exports it. No chart knows where its data comes from.

mod axis;
mod clip;
pub mod contour;
mod cursor;
mod draw;
mod export;
mod figure_view;
mod frame;
mod line_ends;
mod palette;
mod pen;
mod table;
mod thin;
mod treemap;
mod wrap;
mod zoom;

pub use axis::{Axis, Scale, Unit};
pub use figure_view::{FigureView, paint_class};
#[cfg(test)]
pub use palette::TOKENS;
pub use pen::{FONTS, LETTERS};

use crate::engine_mark::Mark;
use std::rc::Rc;

/// A chart as data.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// Its place on the page.
    pub id: &'static str,
    /// What it is, in a few words; also the name of its files.
    pub name: String,
    /// What it shows, in a sentence.
    pub title: String,
    /// What is drawn.
    pub body: Body,
}

/// What a figure draws.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Series within two axes.
    Plot(Plot),
    /// Areas in proportion to their size.
    Tiles(Vec<TileGroup>),
}

/// Series within two axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// The axis across.
    pub x: Axis,
    /// The axis upwards.
    pub y: Axis,
    /// What is drawn, the lowest first.
    pub series: Vec<Series>,
    /// How a reader goes through it.
    pub reading: Reading,
    /// What the rank of values is, where it is what marks or cells are read for.
    pub rank: Option<(String, Unit)>,
}

/// How a reader goes through a plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// All series at one place across.
    AtX,
    /// One mark at a time, from left to right or by rank.
    Ranked,
    /// One cell at a time, in both directions.
    Plane,
}

/// Data that is drawn alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// The style sheet's token of its colour.
    pub paint: &'static str,
    /// How it is drawn.
    pub look: Look,
    /// Whether it belongs to settings that are no longer the present ones.
    pub stale: bool,
    /// Lines for orientation, which are neither read nor listed.
    pub guide: bool,
    /// The data, by rising `x` where it is a line.
    pub data: Rc<Vec<Datum>>,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Look {
    /// A line, with a band where data has an interval.
    Line(Dash),
    /// Marks, with a bar where data has an interval.
    Points {
        /// The shape.
        mark: Mark,
        /// Whether only the outline is drawn: what was published, and what is trusted little.
        hollow: bool,
    },
    /// An area between two lines, shaded so strongly.
    Band(f64),
    /// Rectangles, shaded so strongly.
    Bars(f64),
    /// Rectangles between two colours: this one for shades below zero, the series' own above.
    Cells(&'static str),
}

/// How a line is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dash {
    /// Not at all: what a model says.
    Solid,
    /// An estimate.
    Dashed,
    /// An estimate of another engine or side in the same colour.
    Dotted,
    /// What a model says of another engine or side in the same colour.
    Mixed,
}

/// A value of a series.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Datum {
    /// Place across.
    pub x: f64,
    /// Place upwards; not a number where a line is broken.
    pub y: f64,
    /// From where to where a rectangle goes across.
    pub across: Option<[f64; 2]>,
    /// From where to where a rectangle or an interval of confidence goes upwards.
    pub up: Option<[f64; 2]>,
    /// Of a cell: −1 to 1, between the colours.
    pub shade: f64,
    /// By what the keys for up and down go through marks; what a cell or bar says.
    pub rank: f64,
    /// What it is called.
    pub label: Option<Rc<str>>,
    /// Its number among the data that the figure was made from.
    pub key: usize,
}

impl Datum {
    /// A value at a place.
    pub fn at(x: f64, y: f64) -> Self {
        Self { x, y, ..Self::default() }
    }

    /// A value with its interval.
    pub fn between(x: f64, y: f64, up: [f64; 2]) -> Self {
        Self { x, y, up: Some(up), ..Self::default() }
    }

    /// A rectangle.
    pub fn rectangle(across: [f64; 2], up: [f64; 2]) -> Self {
        let middle = f64::midpoint(across[0], across[1]);
        Self { x: middle, y: up[1], across: Some(across), up: Some(up), ..Self::default() }
    }
}

impl Series {
    /// A series with a colour.
    pub fn new(name: impl Into<String>, paint: &'static str, look: Look, data: Vec<Datum>) -> Self {
        Self { name: name.into(), paint, look, stale: false, guide: false, data: Rc::new(data) }
    }

    /// The same, drawn weaker where it belongs to earlier settings.
    #[must_use]
    pub fn stale(self, stale: bool) -> Self {
        Self { stale, ..self }
    }

    /// The same, for orientation only.
    #[must_use]
    pub fn guide(self) -> Self {
        Self { guide: true, ..self }
    }
}

/// Tiles that together make one area.
#[derive(Debug, Clone, PartialEq)]
pub struct TileGroup {
    /// What the area is.
    pub name: String,
    /// The tiles.
    pub tiles: Vec<Tile>,
}

/// A part of an area.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    /// Its name.
    pub name: String,
    /// The style sheet's token of its colour.
    pub paint: &'static str,
    /// Its size.
    pub bytes: f64,
    /// The share of it that is filled, where that is known.
    pub filled: Option<f64>,
    /// What else is known of it, each with its name.
    pub details: Vec<(String, String)>,
}

/// What a reader turned off or looks at closely.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Looking {
    /// Names of series that are turned off.
    pub hidden: Vec<String>,
    /// The part of the axes that is looked at.
    pub zoom: Option<zoom::Zoom>,
}

impl Figure {
    /// The plot, where it is one.
    pub fn plot(&self) -> Option<&Plot> {
        match &self.body {
            Body::Plot(plot) => Some(plot),
            Body::Tiles(_) => None,
        }
    }

    /// Whether there is nothing to see.
    pub fn is_empty(&self) -> bool {
        match &self.body {
            Body::Plot(plot) => plot.series.iter().all(|series| series.guide || series.data.is_empty()),
            Body::Tiles(groups) => groups.iter().all(|group| group.tiles.is_empty()),
        }
    }
}

impl Plot {
    /// The series that are not turned off.
    pub fn visible<'a>(&'a self, looking: &'a Looking) -> impl Iterator<Item = (usize, &'a Series)> + Clone {
        let seen = |(_, series): &(usize, &Series)| series.guide || !looking.hidden.contains(&series.name);
        self.series.iter().enumerate().filter(seen)
    }

    /// Names in the order of the series, none twice: one entry of the legend each.
    pub fn legend(&self) -> Vec<&Series> {
        let mut entries: Vec<&Series> = Vec::new();
        for series in self.series.iter().filter(|series| !series.guide) {
            if !entries.iter().any(|entry| entry.name == series.name) {
                entries.push(series);
            }
        }
        entries
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Two lines with an interval, and a published value.
    pub fn sample() -> Figure {
        let line =
            |factor: f64| (0..20).map(|at| Datum::at(f64::from(at), factor * f64::from(at + 1))).collect();
        let hollow = Look::Points { mark: Mark::Diamond, hollow: true };
        Figure {
            id: "sample",
            name: "Sample".into(),
            title: "B is twice A & <b>not</b> less".into(),
            body: Body::Plot(Plot {
                x: Axis::new("time, s", Unit::Seconds, Scale::Linear),
                y: Axis::new("transactions/s", Unit::PerSecond, Scale::Linear),
                series: vec![
                    Series::new("A", "disks", Look::Line(Dash::Solid), line(1.0)),
                    Series::new("B", "ssds", Look::Line(Dash::Dashed), line(2.0)),
                    Series::new("published", "ssds", hollow, vec![Datum::between(10.0, 25.0, [20.0, 30.0])]),
                ],
                reading: Reading::AtX,
                rank: None,
            }),
        }
    }

    #[test]
    fn what_is_turned_off_is_not_visible_but_stays_in_the_legend() {
        let figure = sample();
        let plot = figure.plot().unwrap();
        let looking = Looking { hidden: vec!["B".into()], zoom: None };
        assert_eq!(plot.visible(&looking).map(|(at, _)| at).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(plot.legend().len(), 3);
        assert!(!figure.is_empty());
    }
}
