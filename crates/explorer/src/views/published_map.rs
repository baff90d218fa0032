//! How much better one side of a card's grid is than the other, over all of its cases: as published, or by the model.

use super::{
    crossover::cells,
    published::{GridPicture, Known},
    sides::{lower, paint},
};
use crate::{
    card_grid::GridCase,
    figure::{Axis, Body, Datum, Figure, Look, Plot, Reading, Scale, Series, Unit},
    language::{data_words, text},
    words::capital,
};

/// The figure: of the model, or of what was published.
pub fn figure(picture: &GridPicture, known: &Known<'_>, of_model: bool) -> Figure {
    let grid = &picture.grid;
    let value = |case: &GridCase| if of_model { known.modelled(case) } else { known.published(case) };
    let mut rows: Vec<String> = Vec::new();
    let mut places: Vec<f64> = Vec::new();
    let mut found: Vec<(usize, f64, f64)> = Vec::new();
    let mut sides: Option<[&GridCase; 2]> = None;
    for case in &grid.cases {
        let (Some(above), Some(place)) = (grid.opposite(case), grid.place(case)) else { continue };
        sides = sides.or(Some([case, above]));
        let row = row_name(picture, case);
        let at = rows.iter().position(|known| *known == row).unwrap_or_else(|| {
            rows.push(row);
            rows.len() - 1
        });
        if !places.contains(&place) {
            places.push(place);
        }
        found.extend(picture.advantage(case, value).map(|ratio| (at, place, ratio)));
    }
    places.sort_by(f64::total_cmp);
    let x = picture.x_axis();
    let columns = cells(&places, x.scale == Scale::Linear);
    let strongest = found.iter().map(|(_, _, ratio)| ratio.ln().abs()).fold(0.1, f64::max);
    let data = found.iter().filter_map(|(row, place, ratio)| {
        let column = places.iter().position(|known| known == place)?;
        let row = *row as f64;
        Some(Datum {
            x: *place,
            y: row,
            shade: ratio.ln() / strongest,
            rank: *ratio,
            ..Datum::rectangle(columns[column], [row - 0.5, row + 0.5])
        })
    });
    let paint_of = |case: &GridCase| {
        picture
            .cases
            .iter()
            .find(|(known, _)| known.id == case.id)
            .map_or("muted", |(_, scenario)| paint(scenario))
    };
    let [first, second] =
        sides.map(|sides| sides.map(|case| (picture.side_name(case), paint_of(case)))).unwrap_or_default();
    let below = if first.1 == second.1 { "muted" } else { first.1 };
    let what = text!("crossover-series", second = capital(&second.0), first = lower(&first.0));
    let name = text(if of_model { "published-model-map" } else { "published-map" });
    let (low, high) =
        found.iter().fold((f64::INFINITY, 0.0f64), |(low, high), one| (low.min(one.2), high.max(one.2)));
    let title = (low <= high).then(|| {
        let (low, high) = (Unit::Ratio.words(low), Unit::Ratio.words(high));
        let range = text!(
            "crossover-range",
            second = second.0.as_str(),
            low = low,
            high = high,
            first = lower(&first.0)
        );
        let estimated = of_model && grid.cases.iter().any(|case| known.simulated(case).is_none());
        let found = if estimated { text!("curves-estimate", found = range) } else { range };
        text!("title-map-of", what = name.as_str(), found = found)
    });
    let range = columns.first().zip(columns.last()).map(|(first, last)| [first[0], last[1]]);
    Figure {
        id: "published",
        title: title.unwrap_or_else(|| name.clone()),
        name,
        body: Body::Plot(Plot {
            x: Axis { range, ..x },
            y: Axis::of_rows(rows),
            series: vec![Series::new(what, second.1, Look::Cells(below), data.collect())],
            reading: Reading::Plane,
            rank: Some((text("axis-times"), Unit::Ratio)),
        }),
    }
}

/// A row holds the cases that share all but what is compared and what lies along the chart.
fn row_name(picture: &GridPicture, case: &GridCase) -> String {
    let own = |axis: usize| &picture.grid.grid.axes[axis].values[case.values[axis]].title;
    let words: Vec<String> = picture.grid.others().map(|axis| data_words(own(axis))).collect();
    if words.is_empty() { data_words(&picture.grid.grid.title) } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        view_state::{Picture, PublishedSpec},
        views::published::tests::{known, picture},
    };

    #[test]
    fn a_cell_for_each_pair_and_only_where_both_are_known() {
        let spec = PublishedSpec { picture: Some(Picture::Map), measure: 0 };
        let (store, picture, answers) = picture(spec);
        let known = known(&store, &picture, &answers);
        let published = figure(&picture, &known, false);
        let plot = published.plot().unwrap();
        assert_eq!(plot.y.rows, ["small", "large"]);
        let ratios: Vec<f64> = plot.series[0].data.iter().map(|datum| datum.rank).collect();
        assert_eq!(ratios, [3.0, 4.0], "nothing was published of the larger memory");
        assert!(published.title.starts_with("Published advantage: "), "{}", published.title);
        let model = figure(&picture, &known, true);
        assert_eq!(model.plot().unwrap().series[0].data.len(), 4);
        assert!(model.title.starts_with("Model's advantage: by the estimate "), "{}", model.title);
    }
}
