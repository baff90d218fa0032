//! Measurements of real engines beside the model's answers, and what a filter leaves of them. No view.

use crate::{language::text, quantity::rank};
use serde::Deserialize;
use spindle_validate::percentile;
pub use spindle_validate::{CellOutcome as Cell, Quantity as Figure, Summary};

/// Everything that was measured, as `spindle validate --json` writes it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Measured {
    /// The measurements.
    pub cells: Vec<Cell>,
    /// Errors by engine, kind and quantity, over what is to be believed.
    #[serde(default)]
    pub summary: Vec<Summary>,
    /// The same over the rest.
    #[serde(default)]
    pub low_trust: Vec<Summary>,
}

impl Measured {
    /// Reads the file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

fn is_finite(figure: &Figure) -> bool {
    [figure.model, figure.truth, figure.error].iter().all(|value| value.is_finite())
}

/// What a measured load does with the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    /// It only looks rows up.
    Reads,
    /// It changes rows.
    Writes,
}

impl Load {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Reads, Self::Writes];

    /// Its name in links.
    pub fn id(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
        }
    }

    /// In words.
    pub fn words(self) -> String {
        text(match self {
            Self::Reads => "load-reads",
            Self::Writes => "load-writes",
        })
    }
}

/// What a measurement's load does; `None` where there is no load.
fn load_of(cell: &Cell) -> Option<Load> {
    if cell.kind == "sizing" {
        return None;
    }
    Some(if cell.writes { Load::Writes } else { Load::Reads })
}

/// Which figures to look at: one quantity, so that units are not mixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// Of one engine.
    pub engine: Option<String>,
    /// Of one kind.
    pub kind: Option<String>,
    /// Of one sort of load.
    pub load: Option<Load>,
    /// The quantity.
    pub quantity: String,
    /// Whether measurements of low trust count.
    pub low_trust: bool,
}

impl Default for Filter {
    fn default() -> Self {
        Self { engine: None, kind: None, load: None, quantity: "throughput_tps".into(), low_trust: false }
    }
}

impl Filter {
    /// As the part of a link after `#accuracy`, with its question mark; empty for the filter a reader begins with.
    pub fn query(&self) -> String {
        let start = Self::default();
        let mut parts = Vec::new();
        parts.extend(self.engine.as_ref().map(|engine| format!("engine={engine}")));
        parts.extend(self.kind.as_ref().map(|kind| format!("kind={kind}")));
        parts.extend(self.load.map(|load| format!("load={}", load.id())));
        parts.extend((self.quantity != start.quantity).then(|| format!("quantity={}", self.quantity)));
        parts.extend(self.low_trust.then(|| "low-trust=yes".to_owned()));
        if parts.is_empty() { String::new() } else { format!("?{}", parts.join("&")) }
    }

    /// Reads such a part; what is not understood is left out.
    pub fn of_query(query: &str) -> Self {
        let mut filter = Self::default();
        for (name, value) in query.trim_start_matches('?').split('&').filter_map(|part| part.split_once('='))
        {
            // Names of engines, kinds and quantities are made of these.
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
            if value.is_empty() || !value.chars().all(plain) {
                continue;
            }
            match name {
                "engine" => filter.engine = Some(value.into()),
                "kind" => filter.kind = Some(value.into()),
                "load" => filter.load = Load::ALL.into_iter().find(|load| load.id() == value),
                "quantity" => filter.quantity = value.into(),
                "low-trust" => filter.low_trust = value == "yes",
                _ => {}
            }
        }
        filter
    }

    /// Whether a measurement passes, whatever its quantities.
    fn takes(&self, cell: &Cell) -> bool {
        self.engine.as_ref().is_none_or(|engine| *engine == cell.engine)
            && self.kind.as_ref().is_none_or(|kind| *kind == cell.kind)
            && self.load.is_none_or(|load| load_of(cell) == Some(load))
    }

    /// Whether a line of the summary belongs to the chosen engine and kind.
    pub fn takes_summary(&self, row: &Summary) -> bool {
        self.engine.as_ref().is_none_or(|engine| *engine == row.engine)
            && self.kind.as_ref().is_none_or(|kind| *kind == row.kind)
    }

    /// The filter with a quantity that there is: its own, else the first one to choose from.
    pub fn settled(mut self, measured: &Measured) -> Self {
        let quantities = measured.quantities(&self);
        if !quantities.contains(&self.quantity)
            && let Some(first) = quantities.into_iter().next()
        {
            self.quantity = first;
        }
        self
    }
}

/// A figure of a measurement, as a mark in the chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The measurement.
    pub id: String,
    /// Its engine.
    pub engine: String,
    /// Its trust.
    pub trust: String,
    /// The figure.
    pub figure: Figure,
}

/// Errors of several figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// How many figures.
    pub cells: usize,
    /// Half of the errors are not larger.
    pub median: f64,
    /// Nine in ten are not larger.
    pub p90: f64,
}

/// The spread of errors of the figures that are to be believed.
pub fn spread<'a>(points: impl Iterator<Item = &'a Figure>) -> Option<Spread> {
    let believed = points.filter(|figure| figure.trusted && is_finite(figure));
    let mut sizes: Vec<f64> = believed.map(Figure::counted_error).collect();
    if sizes.is_empty() {
        return None;
    }
    sizes.sort_by(f64::total_cmp);
    Some(Spread { cells: sizes.len(), median: percentile(&sizes, 0.5), p90: percentile(&sizes, 0.9) })
}

impl Measured {
    /// The engines, in the file's order.
    pub fn engines(&self) -> Vec<String> {
        distinct(self.cells.iter().map(|cell| cell.engine.as_str()))
    }

    /// The kinds of measurements of the chosen engine, in the file's order.
    pub fn kinds(&self, engine: Option<&String>) -> Vec<String> {
        let of = |cell: &&Cell| engine.is_none_or(|engine| *engine == cell.engine);
        distinct(self.cells.iter().filter(of).map(|cell| cell.kind.as_str()))
    }

    /// The quantities that a filter's measurements have.
    pub fn quantities(&self, filter: &Filter) -> Vec<String> {
        let cells = self.cells.iter().filter(|cell| filter.takes(cell));
        let mut names = distinct(cells.flat_map(|cell| cell.quantities.iter().map(Figure::kind)));
        names.sort_by_key(|name| rank(name));
        names
    }

    /// The figures that pass a filter, by rising truth.
    pub fn points(&self, filter: &Filter) -> Vec<Point> {
        let mut points: Vec<Point> = self.figures(filter).map(|(cell, figure)| point(cell, figure)).collect();
        points.sort_by(|a, b| a.figure.truth.total_cmp(&b.figure.truth));
        points
    }

    /// The figures that pass a filter, in the file's order.
    pub fn figures<'a>(&'a self, filter: &'a Filter) -> impl Iterator<Item = (&'a Cell, &'a Figure)> {
        let figures = self.cells.iter().filter(|cell| filter.takes(cell)).flat_map(|cell| {
            let figures = cell.quantities.iter();
            figures.map(move |figure| (cell, figure))
        });
        figures.filter(|(_, figure)| {
            figure.kind() == filter.quantity && is_finite(figure) && (filter.low_trust || figure.trusted)
        })
    }

    /// How many measurements there are, and to how many of them the model has an answer.
    pub fn supported(&self) -> (usize, usize) {
        (self.cells.len(), self.cells.iter().filter(|cell| cell.supported).count())
    }

    /// The measurements without an answer: engine, kind, reason, names.
    pub fn unsupported(&self) -> Vec<(&str, &str, &str, Vec<&str>)> {
        let mut groups: Vec<(&str, &str, &str, Vec<&str>)> = Vec::new();
        for cell in self.cells.iter().filter(|cell| !cell.supported) {
            let key = (cell.engine.as_str(), cell.kind.as_str(), cell.reason.as_str());
            match groups.iter_mut().find(|group| (group.0, group.1, group.2) == key) {
                Some(group) => group.3.push(&cell.id),
                None => groups.push((key.0, key.1, key.2, vec![&cell.id])),
            }
        }
        groups
    }
}

fn point(cell: &Cell, figure: &Figure) -> Point {
    Point {
        id: cell.id.clone(),
        engine: cell.engine.clone(),
        trust: cell.trust.clone(),
        figure: figure.clone(),
    }
}

/// The figures with the largest errors, the worst first.
pub fn worst(points: &[Point], count: usize) -> Vec<Point> {
    let mut points: Vec<Point> = points.iter().filter(|p| p.figure.counted_error() > 0.0).cloned().collect();
    points.sort_by(|a, b| b.figure.counted_error().total_cmp(&a.figure.counted_error()));
    points.truncate(count);
    points
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        if !seen.iter().any(|known| known == name) {
            seen.push(name.to_owned());
        }
    }
    seen
}

/// A column of the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// The engine.
    Engine,
    /// The kind of measurement.
    Kind,
    /// The quantity.
    Quantity,
    /// How many figures.
    Cells,
    /// Median error.
    Median,
    /// Error of nine in ten.
    P90,
    /// The largest error.
    Worst,
}

/// Sorts the summary by a column; lines alike keep their order.
pub fn sort_summary(rows: &mut [Summary], column: Column, falling: bool) {
    rows.sort_by(|a, b| {
        let order = match column {
            Column::Engine => a.engine.cmp(&b.engine),
            Column::Kind => a.kind.cmp(&b.kind),
            Column::Quantity => rank(&a.quantity).cmp(&rank(&b.quantity)).then(a.quantity.cmp(&b.quantity)),
            Column::Cells => a.cells.cmp(&b.cells),
            Column::Median => a.median.total_cmp(&b.median),
            Column::P90 => a.p90.total_cmp(&b.p90),
            Column::Worst => a.worst.total_cmp(&b.worst),
        };
        if falling { order.reverse() } else { order }
    });
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A small file: two engines, loads that read and write.
    pub fn sample() -> Measured {
        let mut cells = Vec::new();
        for at in 0..10 {
            let error = f64::from(at) / 10.0;
            let figures = format!(
                r#"[{{"name":"throughput_tps","model":{},"truth":100,"error":{error},"trusted":true}},
                    {{"name":"k_1.page_reads","model":0.001,"truth":0,"error":0.001,"trusted":{}}}]"#,
                100.0 * (1.0 + error),
                at != 9
            );
            let writes = at >= 6;
            cells.push(format!(
                r#"{{"id":"innodb/device/hdd/{at}","engine":"mariadb-10.11","kind":"device","writes":{writes},"supported":true,
                    "trust":"good","quantities":{figures}}}"#
            ));
        }
        cells.push(
            r#"{"id":"x","engine":"cubrid-11.3","kind":"counters","supported":false,"reason":"not yet","trust":"good",
                "quantities":[]}"#
                .into(),
        );
        let summary = r#"[{"engine":"mariadb-10.11","kind":"device","quantity":"throughput_tps","cells":10,"median":0.4,
            "p90":0.8,"worst":null},{"engine":"mariadb-10.11","kind":"counters","quantity":"page_reads","cells":7,
            "median":0.1,"p90":0.9,"worst":2}]"#;
        Measured::read(&format!(r#"{{"cells":[{}],"summary":{summary}}}"#, cells.join(","))).unwrap()
    }

    #[test]
    fn a_filter_takes_one_quantity_and_believes_what_is_to_be_believed() {
        let measured = sample();
        let mut filter = Filter::default();
        assert_eq!(measured.points(&filter).len(), 10);
        filter.load = Some(Load::Reads);
        assert_eq!(measured.points(&filter).len(), 6);
        filter = Filter { quantity: "page_reads".into(), ..Filter::default() };
        assert_eq!(measured.points(&filter).len(), 9);
        filter.low_trust = true;
        assert_eq!(measured.points(&filter).len(), 10);
        filter.engine = Some("firebird-3.0".into());
        assert!(measured.points(&filter).is_empty());
        assert_eq!(measured.quantities(&Filter::default()), ["throughput_tps", "page_reads"]);
        let filter = Filter { quantity: "height".into(), ..Filter::default() }.settled(&measured);
        assert_eq!(filter.quantity, "throughput_tps");
    }

    #[test]
    fn links_keep_a_filter() {
        let filter = Filter {
            engine: Some("mariadb-10.11".into()),
            kind: Some("group_commit".into()),
            load: Some(Load::Writes),
            quantity: "log_syncs".into(),
            low_trust: true,
        };
        assert_eq!(Filter::of_query(&filter.query()), filter);
        assert_eq!(Filter::default().query(), "");
        assert_eq!(Filter::of_query("?engine=<b>&quantity=&kind=%20&foo=1&&=&load=x"), Filter::default());
    }

    #[test]
    fn errors_are_summed_up_as_the_command_does() {
        let measured = sample();
        let filter = Filter::default();
        let spread = spread(measured.figures(&filter).map(|(_, figure)| figure)).unwrap();
        assert_eq!((spread.cells, spread.median, spread.p90), (10, 0.5, 0.8));
        assert_eq!(super::spread([].iter()), None);
        let worst = worst(&measured.points(&filter), 3);
        assert_eq!(worst.iter().map(|p| p.figure.error).collect::<Vec<_>>(), [0.9, 0.8, 0.7]);
        // A thousandth of a page a transaction is no error.
        let few = Filter { quantity: "page_reads".into(), ..Filter::default() };
        assert!(super::worst(&measured.points(&few), 3).is_empty());
    }

    #[test]
    fn the_summary_sorts_by_any_column() {
        let mut rows = sample().summary;
        sort_summary(&mut rows, Column::Cells, false);
        assert_eq!(rows[0].cells, 7);
        sort_summary(&mut rows, Column::Quantity, false);
        assert_eq!(rows[0].quantity, "throughput_tps");
        // What is not a number counts as the largest.
        sort_summary(&mut rows, Column::Worst, true);
        assert!(rows[0].worst.is_nan());
    }

    #[test]
    fn bad_files_are_told() {
        for text in ["", "[]", "{}", "<html>", r#"{"cells":[{"id":1}]}"#] {
            assert!(Measured::read(text).is_err(), "{text}");
        }
        assert_eq!(sample().supported(), (11, 10));
        assert_eq!(sample().unsupported(), [("cubrid-11.3", "counters", "not yet", vec!["x"])]);
    }
}
