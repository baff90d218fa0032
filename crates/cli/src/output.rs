//! Tables and JSON.

use serde::Serialize;

/// Prints one JSON document, and nothing else, on standard output.
pub(crate) fn json(value: &impl Serialize) {
    match serde_json::to_string_pretty(value) {
        Ok(text) => println!("{text}"),
        Err(error) => eprintln!("spindle: the answer cannot be written as JSON: {error}"),
    }
}

/// Prints rows as columns; numbers to the right, words to the left.
pub(crate) fn table(heads: &[&str], rows: &[Vec<String>]) {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|c| c.chars().count());
        cells.chain([heads[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let numeric = |cell: &str| cell.chars().next().is_some_and(|c| c.is_ascii_digit() || "+-–".contains(c));
    let right: Vec<bool> = (0..heads.len())
        .map(|c| rows.iter().all(|row| row.get(c).is_none_or(|cell| numeric(cell))))
        .collect();
    let line = |cells: Vec<&str>| {
        let padded: Vec<String> = cells
            .iter()
            .enumerate()
            .map(|(c, cell)| {
                let w = widths[c];
                if right[c] { format!("{cell:>w$}") } else { format!("{cell:<w$}") }
            })
            .collect();
        println!("{}", padded.join("  ").trim_end());
    };
    line(heads.to_vec());
    line(widths.iter().map(|_| "").collect());
    for row in rows {
        line(row.iter().map(String::as_str).collect());
    }
}

/// A number with three significant digits.
pub(crate) fn three(value: f64) -> String {
    spindle_units::significant(value, 3)
}

/// A relative error as a signed percentage.
pub(crate) fn percent(value: f64) -> String {
    format!("{:+.1} %", value * 100.0)
}
