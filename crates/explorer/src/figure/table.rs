//! The data of a figure as a table: for readers, as CSV, and as JSON.

use super::{
    Body, Datum, Figure, Plot, Reading, Series, TileGroup, Unit,
    axis::{Axis, Scale},
};
use crate::language::text;
use serde_json::{Value, json};

/// A table.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Names of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// What stands in a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// Words.
    Words(String),
    /// A number of some kind.
    Number(f64, Unit),
}

impl Cell {
    fn of(value: f64, axis: &Axis) -> Self {
        match axis.scale {
            Scale::Rows => Self::Words(axis.words(value)),
            _ if value.is_finite() => Self::Number(value, axis.unit),
            _ => Self::Empty,
        }
    }

    /// For readers.
    pub fn words(&self) -> String {
        match self {
            Self::Empty => "–".into(),
            Self::Words(words) => words.clone(),
            Self::Number(value, unit) => unit.words(*value),
        }
    }

    fn csv(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Words(words) => quoted(words),
            Self::Number(value, _) => value.to_string(),
        }
    }
}

fn quoted(words: &str) -> String {
    if words.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", words.replace('"', "\"\""))
    } else {
        words.to_owned()
    }
}

impl Table {
    /// The data of a figure.
    pub fn of(figure: &Figure) -> Self {
        match &figure.body {
            Body::Plot(plot) if plot.reading == Reading::AtX => across(plot),
            Body::Plot(plot) => one_by_one(plot),
            Body::Tiles(groups) => tiles(groups),
        }
    }

    /// At most so many rows: where there are more, means of several that follow each other.
    #[must_use]
    pub fn within(self, most: usize) -> Self {
        let size = self.rows.len().div_ceil(most.max(1));
        if size < 2 {
            return self;
        }
        let rows = self.rows.chunks(size).map(|part| {
            (0..self.head.len())
                .map(|column| {
                    let cells: Vec<&Cell> = part.iter().filter_map(|row| row.get(column)).collect();
                    mean(&cells, column == 0)
                })
                .collect()
        });
        Self { rows: rows.collect(), head: self.head }
    }

    /// As comma-separated values, numbers in full.
    pub fn csv(&self) -> String {
        let line = |cells: Vec<String>| cells.join(",") + "\r\n";
        let head = line(self.head.iter().map(|name| quoted(name)).collect());
        let rows = self.rows.iter().map(|row| line(row.iter().map(Cell::csv).collect()));
        std::iter::once(head).chain(rows).collect()
    }
}

/// One cell for several: where they are, or their mean.
fn mean(cells: &[&Cell], first: bool) -> Cell {
    let numbers: Vec<(f64, Unit)> = cells
        .iter()
        .filter_map(|cell| if let Cell::Number(value, unit) = cell { Some((*value, *unit)) } else { None })
        .collect();
    match (numbers.first(), numbers.last()) {
        (Some((from, unit)), Some((to, _))) if first && from != to => {
            Cell::Words(format!("{} – {}", unit.words(*from), unit.words(*to)))
        }
        (Some((_, unit)), _) => {
            Cell::Number(numbers.iter().map(|(value, _)| value).sum::<f64>() / numbers.len() as f64, *unit)
        }
        _ => cells.first().map_or(Cell::Empty, |cell| (*cell).clone()),
    }
}

fn read(plot: &Plot) -> impl Iterator<Item = &Series> + Clone {
    plot.series.iter().filter(|series| !series.guide)
}

/// A row for each place across, a column for each series, and two more for an interval.
fn across(plot: &Plot) -> Table {
    let mut xs: Vec<f64> = read(plot).flat_map(|series| series.data.iter().map(|datum| datum.x)).collect();
    xs.retain(|x| x.is_finite());
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let intervals: Vec<bool> = read(plot)
        .map(|series| series.data.iter().any(|datum| datum.up.is_some() && datum.across.is_none()))
        .collect();
    let bars = read(plot).any(|series| series.data.iter().any(|datum| datum.across.is_some()));
    let mut head = if bars {
        vec![format!("{} >", plot.x.name), format!("{} ≤", plot.x.name)]
    } else {
        vec![plot.x.name.clone()]
    };
    for (series, interval) in read(plot).zip(&intervals) {
        head.push(format!("{}: {}", series.name, plot.y.name));
        if *interval {
            head.extend([format!("{}: ≥", series.name), format!("{}: ≤", series.name)]);
        }
    }
    let found = |series: &Series, x: f64| -> Option<Datum> {
        let at = series.data.partition_point(|datum| datum.x < x);
        let sorted = series.data.get(at).filter(|datum| datum.x == x);
        sorted.or_else(|| series.data.iter().find(|datum| datum.x == x)).cloned()
    };
    let row = |x: f64| {
        let data: Vec<Option<Datum>> = read(plot).map(|series| found(series, x)).collect();
        let extent = data.iter().flatten().find_map(|datum| datum.across);
        let mut row = match extent {
            Some([from, to]) if bars => vec![Cell::of(from, &plot.x), Cell::of(to, &plot.x)],
            _ if bars => vec![Cell::of(x, &plot.x), Cell::of(x, &plot.x)],
            _ => vec![Cell::of(x, &plot.x)],
        };
        for (datum, interval) in data.iter().zip(&intervals) {
            let cell = |value: Option<f64>| value.map_or(Cell::Empty, |value| Cell::of(value, &plot.y));
            row.push(cell(datum.as_ref().map(|datum| datum.y)));
            if *interval {
                row.extend(
                    [0, 1].map(|end: usize| cell(datum.as_ref().and_then(|datum| Some(datum.up?[end])))),
                );
            }
        }
        row
    };
    Table { rows: xs.into_iter().map(row).collect(), head }
}

/// A row for each value.
fn one_by_one(plot: &Plot) -> Table {
    let labels =
        plot.rank.is_none() && read(plot).any(|series| series.data.iter().any(|datum| datum.label.is_some()));
    // Of marks in rows the place across is what they are read for, and stands behind; cells have one beside it.
    let placed = plot.reading == Reading::Plane || plot.y.scale != Scale::Rows || plot.rank.is_none();
    let mut head = vec![String::new()];
    head.extend(labels.then(String::new));
    head.extend(placed.then(|| plot.x.name.clone()));
    head.push(plot.y.name.clone());
    head.extend(plot.rank.as_ref().map(|(name, _)| name.clone()));
    let rows = read(plot).flat_map(|series| series.data.iter().map(move |datum| (series, datum)));
    let rows = rows.filter(|(_, datum)| datum.x.is_finite()).map(|(series, datum)| {
        let mut row = vec![Cell::Words(series.name.clone())];
        row.extend(
            labels.then(|| datum.label.as_ref().map_or(Cell::Empty, |label| Cell::Words(label.to_string()))),
        );
        row.extend(placed.then(|| Cell::of(datum.x, &plot.x)));
        row.push(Cell::of(datum.y, &plot.y));
        row.extend(plot.rank.as_ref().map(|(_, unit)| Cell::Number(datum.rank, *unit)));
        row
    });
    Table { rows: rows.collect(), head }
}

fn tiles(groups: &[TileGroup]) -> Table {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in groups.iter().flat_map(|group| &group.tiles).flat_map(|tile| &tile.details) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let mut head = vec![String::new(), String::new(), text("layout-bytes")];
    head.extend(names.iter().map(|name| (*name).to_owned()));
    let rows = groups.iter().flat_map(|group| group.tiles.iter().map(move |tile| (group, tile))).map(
        |(group, tile)| {
            let mut row = vec![
                Cell::Words(group.name.clone()),
                Cell::Words(tile.name.clone()),
                Cell::Number(tile.bytes, Unit::Bytes),
            ];
            row.extend(names.iter().map(|name| {
                let value = tile.details.iter().find(|(known, _)| known == name);
                value.map_or(Cell::Empty, |(_, value)| Cell::Words(value.clone()))
            }));
            row
        },
    );
    Table { rows: rows.collect(), head }
}

/// The data of a figure as JSON: what is said, what the axes are, and every value.
pub fn document(figure: &Figure) -> Value {
    let mut document = json!({ "name": figure.name, "title": figure.title });
    let parts = match &figure.body {
        Body::Plot(plot) => json!({
            "x": axis(&plot.x),
            "y": axis(&plot.y),
            "value": plot.rank.as_ref().map(|(name, unit)| json!({ "name": name, "unit": unit })),
            "series": read(plot).map(|series| json!({
                "name": series.name,
                "data": series.data.iter().filter(|d| d.x.is_finite()).map(|d| datum(plot, d)).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        }),
        Body::Tiles(groups) => json!({
            "groups": groups.iter().map(|group| json!({
                "name": group.name,
                "tiles": group.tiles.iter().map(|tile| json!({
                    "name": tile.name,
                    "bytes": tile.bytes,
                    "filled": tile.filled,
                    "details": tile.details.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
                })).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        }),
    };
    if let (Some(document), Value::Object(parts)) = (document.as_object_mut(), parts) {
        document.extend(parts);
    }
    document
}

fn axis(axis: &Axis) -> Value {
    match axis.scale {
        Scale::Rows => json!({ "rows": axis.rows }),
        _ => json!({ "name": axis.name, "unit": axis.unit, "scale": axis.scale }),
    }
}

fn datum(plot: &Plot, datum: &Datum) -> Value {
    let mut value = json!({ "x": datum.x, "y": datum.y });
    let Some(parts) = value.as_object_mut() else { return value };
    let mut add = |name: &str, part: Option<Value>| parts.extend(part.map(|part| (name.to_owned(), part)));
    add("across", datum.across.map(|ends| json!(ends)));
    add("up", datum.up.map(|ends| json!(ends)));
    add("value", plot.rank.as_ref().map(|_| json!(datum.rank)));
    add("label", datum.label.as_ref().map(|label| json!(**label)));
    value
}

#[cfg(test)]
mod tests {
    use super::{super::tests::sample, *};

    #[test]
    fn a_row_has_the_values_of_all_series_at_a_place() {
        let table = Table::of(&sample());
        assert_eq!(table.head.len(), 6);
        assert_eq!(table.rows.len(), 20);
        let words: Vec<String> = table.rows[10].iter().map(Cell::words).collect();
        assert_eq!(words, ["10\u{a0}s", "11/s", "22/s", "25/s", "20/s", "30/s"]);
        let csv = table.csv();
        assert_eq!(csv.lines().count(), 21);
        assert!(csv.starts_with("\"time, s\",A: transactions/s,"), "{csv}");
        assert!(csv.contains("\r\n3,4,8,,,\r\n"), "{csv}");
    }

    #[test]
    fn long_tables_become_means() {
        let table = Table::of(&sample()).within(5);
        assert_eq!(table.rows.len(), 5);
        let words: Vec<String> = table.rows[0].iter().map(Cell::words).collect();
        assert_eq!(words[..3], ["0\u{a0}s – 3\u{a0}s", "2.5/s", "5/s"]);
    }

    #[test]
    fn the_document_is_whole_json() {
        let text = document(&sample()).to_string();
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["series"][2]["data"][0]["up"], json!([20.0, 30.0]));
        assert_eq!(read["x"]["scale"], "linear");
        assert_eq!(read["title"], sample().title);
    }

    #[test]
    fn words_in_csv_are_quoted() {
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(quoted("plain"), "plain");
    }
}
