//! How a grid of a card is looked at: what lies along the axis of a chart, what is compared, what was published. No view.

use spindle_estimate::Estimate;
use spindle_experiments::{Card, ClaimKind, Grid, Pairs, Quantity};
use spindle_report::Report;
use std::collections::BTreeMap;

/// A case of a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridCase {
    /// Its name.
    pub id: String,
    /// Of each axis the place of its value.
    pub values: Vec<usize>,
}

/// A grid as it is looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct CardGrid {
    /// The grid.
    pub grid: Grid,
    /// Its cases, the last axis varying fastest.
    pub cases: Vec<GridCase>,
    /// The axis along which there are curves: the last one whose values have a place.
    pub along: Option<usize>,
    /// The axis whose values are compared, and which of them: below the line, above it.
    compared: Option<(usize, [usize; 2])>,
}

/// A figure of a grid's cases that was published.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// The figure of a report.
    pub quantity: Quantity,
    /// The fitted constant that a report's figure is multiplied with, where the published ones have a unit of their own.
    pub unit: Option<String>,
    /// The constant.
    factor: f64,
    /// The published figures, by case.
    pub published: BTreeMap<String, f64>,
}

impl Measure {
    fn new(card: &Card, quantity: Quantity, unit: Option<&str>) -> Self {
        let factor = unit.and_then(|name| card.fitted_value(name)).unwrap_or(1.0);
        Self { quantity, unit: unit.map(str::to_owned), factor, published: BTreeMap::new() }
    }

    /// Whether more is better.
    pub fn is_rate(&self) -> bool {
        self.quantity != Quantity::Latency
    }

    /// What a report says of it.
    pub fn of_report(&self, report: &Report) -> f64 {
        self.factor * self.quantity.of(report)
    }

    /// What an estimate says of it.
    pub fn of_estimate(&self, estimate: &Estimate) -> f64 {
        self.factor
            * match self.quantity {
                Quantity::Throughput => estimate.throughput_tps,
                Quantity::Latency => estimate.latency_mean_ms,
                Quantity::LoadRate => estimate.load_mib_per_s,
            }
    }
}

impl CardGrid {
    /// A grid of a card.
    pub fn of(card: &Card, grid: &Grid) -> Self {
        let combinations = grid.axes.iter().fold(vec![Vec::new()], |before, axis| {
            let with = |values: &Vec<usize>, value| values.iter().copied().chain([value]).collect();
            before.iter().flat_map(|values| (0..axis.values.len()).map(|v| with(values, v))).collect()
        });
        let case = |values: Vec<usize>| {
            let chosen: Vec<_> = grid.axes.iter().zip(&values).map(|(axis, at)| &axis.values[*at]).collect();
            GridCase { id: grid.case_id(&chosen), values }
        };
        let several = |axis: usize| grid.axes[axis].values.len() > 1;
        let placed = |axis: usize| grid.axes[axis].values.iter().all(|value| value.at.is_some());
        let along = (0..grid.axes.len()).rev().find(|axis| several(*axis) && placed(*axis));
        let cases: Vec<GridCase> = combinations.into_iter().map(case).collect();
        let first_kinds = || (0..grid.axes.len()).find(|axis| several(*axis) && !placed(*axis));
        let compared = compared(card, &cases).or_else(|| first_kinds().map(|axis| (axis, [0, 1])));
        Self { grid: grid.clone(), cases, along, compared }
    }

    /// The grid that a case belongs to.
    pub fn around(card: &Card, case: &str) -> Option<Self> {
        card.grids.iter().map(|grid| Self::of(card, grid)).find(|grid| grid.case(case).is_some())
    }

    /// A case by its name.
    pub fn case(&self, id: &str) -> Option<&GridCase> {
        self.cases.iter().find(|case| case.id == id)
    }

    /// The axis whose values are compared.
    pub fn compared_axis(&self) -> Option<usize> {
        self.compared.map(|(axis, _)| axis)
    }

    /// The case above the line, for one below it; a case that is not compared is its own.
    pub fn opposite(&self, case: &GridCase) -> Option<&GridCase> {
        let Some((axis, [below, above])) = self.compared else { return self.case(&case.id) };
        let is_below = case.values[axis] == below;
        self.cases.iter().find(|other| {
            is_below && other.values[axis] == above && same_but_for(&[axis], &case.values, &other.values)
        })
    }

    /// The cases that differ from this one in nothing but the values of `axes`.
    pub fn beside<'a>(&'a self, case: &'a GridCase, axes: &'a [usize]) -> impl Iterator<Item = &'a GridCase> {
        self.cases.iter().filter(move |other| same_but_for(axes, &case.values, &other.values))
    }

    /// Where a case stands along the axis of a chart.
    pub fn place(&self, case: &GridCase) -> Option<f64> {
        let axis = self.along?;
        self.grid.axes[axis].values[case.values[axis]].at
    }

    /// The axes that are neither compared nor lie along a chart.
    pub fn others(&self) -> impl Iterator<Item = usize> + use<'_> {
        (0..self.grid.axes.len())
            .filter(|axis| Some(*axis) != self.along && Some(*axis) != self.compared_axis())
    }

    /// What was published of its cases; throughput and latency where nothing was.
    pub fn measures(&self, card: &Card) -> Vec<Measure> {
        let mut measures: Vec<Measure> = Vec::new();
        for claim in &card.claims {
            let ClaimKind::Curve { cases, quantity, published, unit, .. } = &claim.kind else { continue };
            let own = card.cases_like(cases).zip(published).filter(|(id, _)| self.case(id).is_some());
            let own: Vec<(String, f64)> = own.map(|(id, figure)| (id.to_owned(), *figure)).collect();
            if own.is_empty() {
                continue;
            }
            let known = measures.iter().position(|known| known.quantity == *quantity && known.unit == *unit);
            let at = known.unwrap_or_else(|| {
                measures.push(Measure::new(card, *quantity, unit.as_deref()));
                measures.len() - 1
            });
            measures[at].published.extend(own);
        }
        if measures.is_empty() {
            measures = [Quantity::Throughput, Quantity::Latency].map(|q| Measure::new(card, q, None)).into();
        }
        measures
    }
}

/// Whether values are the same but for those of some axes.
fn same_but_for(axes: &[usize], a: &[usize], b: &[usize]) -> bool {
    a.iter().zip(b).enumerate().all(|(axis, (a, b))| axes.contains(&axis) || a == b)
}

/// The axis in which the pairs of the card's claims differ, and its values below and above the line.
fn compared(card: &Card, cases: &[GridCase]) -> Option<(usize, [usize; 2])> {
    let find = |id: &str| cases.iter().find(|case| case.id == id);
    let of_claim = |kind: &ClaimKind| -> Vec<Pairs> {
        match kind {
            ClaimKind::Orders { pairs }
            | ClaimKind::Range { pairs, .. }
            | ClaimKind::Mean { pairs, .. }
            | ClaimKind::Share { pairs, .. }
            | ClaimKind::Bound { pairs, .. } => pairs.clone(),
            ClaimKind::Ratio { above, below, .. } => {
                vec![Pairs { above: above.clone(), below: below.clone() }]
            }
            _ => Vec::new(),
        }
    };
    card.claims.iter().find_map(|claim| {
        let pairs = of_claim(&claim.kind);
        let (above, below) = card.paired(&pairs).into_iter().find_map(|(a, b)| Some((find(a)?, find(b)?)))?;
        let axis = (0..above.values.len()).find(|axis| above.values[*axis] != below.values[*axis])?;
        Some((axis, [below.values[axis], above.values[axis]]))
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The first card with a grid of lookups on both machines.
    pub fn card_of_grid() -> Card {
        let grid = r#"
[[grid]]
id = "g"
title = "Lookups"
parts = ["data", "cubrid", "select", "io-bound"]
[[grid.axes]]
name = "drive"
values = [{ id = "hdd", title = "disks", parts = ["hdd"] }, { id = "ssd", title = "SSDs", parts = ["ssd"] }]
[[grid.axes]]
name = "memory"
values = [
  { id = "small", title = "small", set = { engine = { parameters = { data_buffer_pages = 100_000 } } } },
  { id = "large", title = "large" },
]
[[grid.axes]]
name = "clients"
values = [
  { id = "10", title = "10 clients", at = 10.0, set = { workload = { clients = 10 } } },
  { id = "40", title = "40 clients", at = 40.0, set = { workload = { clients = 40 } } },
]
[[claim]]
id = "grid-hdd"
title = "Lookups on disks"
kind = "curve"
cases = "g-hdd-small-*"
published = [100.0, 150.0]
tolerance = 0.2
[[claim]]
id = "grid-ssd"
title = "Lookups on SSDs"
kind = "curve"
cases = "g-ssd-small-*"
published = [300.0, 600.0]
tolerance = 0.2
[[claim]]
id = "grid-order"
title = "SSDs are ahead"
kind = "orders"
pairs = [{ above = "g-ssd-*-*", below = "g-hdd-*-*" }]
"#;
        Card::read(&(spindle_experiments::CARDS[0].to_owned() + grid)).unwrap()
    }

    #[test]
    fn a_grid_knows_what_lies_along_and_what_is_compared() {
        let card = card_of_grid();
        let grid = CardGrid::around(&card, "g-ssd-large-40").unwrap();
        assert_eq!((grid.along, grid.compared), (Some(2), Some((0, [0, 1]))));
        assert_eq!(grid.others().collect::<Vec<_>>(), [1]);
        let case = grid.case("g-hdd-small-40").unwrap();
        assert_eq!(grid.place(case), Some(40.0));
        assert_eq!(grid.opposite(case).unwrap().id, "g-ssd-small-40");
        assert_eq!(grid.opposite(grid.case("g-ssd-small-40").unwrap()), None);
        let beside: Vec<&str> = grid.beside(case, &[2]).map(|case| case.id.as_str()).collect();
        assert_eq!(beside, ["g-hdd-small-10", "g-hdd-small-40"]);
        assert!(CardGrid::around(&card, "insert-cubrid-ssd").is_none());
    }

    #[test]
    fn published_figures_of_several_claims_are_one_measure() {
        let card = card_of_grid();
        let measures = CardGrid::of(&card, &card.grids[0]).measures(&card);
        assert_eq!(measures.len(), 1);
        assert_eq!(measures[0].published.len(), 4);
        assert_eq!(measures[0].published["g-ssd-small-40"], 600.0);
    }
}
