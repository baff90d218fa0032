//! What was published beside what the model says.

use crate::{
    card::Card,
    claim::{ClaimKind, Extreme, Mean, Pairs, Quantity},
};
use serde::{Deserialize, Serialize};
use spindle_report::Report;
use std::collections::BTreeMap;

/// Whether a claim was used to set a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A constant was set so that it comes out.
    Fitted,
    /// It follows.
    Predicted,
}

/// A claim and the model's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimResult {
    /// Name.
    pub id: String,
    /// What it says.
    pub title: String,
    /// `ratio`, `order`, `value` or `curve`.
    pub kind: String,
    /// The published number, where there is one.
    pub published: Option<f64>,
    /// The model's number; absent while a case is missing.
    pub model: Option<f64>,
    /// Relative error, where a number was published.
    pub error: Option<f64>,
    /// Whether it was fitted or predicted.
    pub role: Role,
    /// An order or bound: whether it is kept. A number: whether it is within the tolerance.
    pub holds: bool,
    /// Of a curve, its points; of pairs, the ratios of those that are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<ClaimPoint>,
}

/// One point of a claim about several cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClaimPoint {
    /// The case, or the one above the line.
    pub case: String,
    /// The published figure, where it has one of its own.
    pub published: Option<f64>,
    /// The model's figure; absent while a case is missing.
    pub model: Option<f64>,
    /// Relative error, where both are known.
    pub error: Option<f64>,
}

impl ClaimPoint {
    fn new(case: &str, published: Option<f64>, model: Option<f64>) -> Self {
        Self { case: case.to_owned(), published, model, error: relative_error(published, model) }
    }
}

fn relative_error(published: Option<f64>, model: Option<f64>) -> Option<f64> {
    published.zip(model).map(|(published, model)| model / published - 1.0)
}

/// A fitted constant in a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FittedReport {
    /// What it is.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Unit.
    pub unit: String,
    /// Plausible range.
    pub range: [f64; 2],
    /// The claim it was fitted on.
    pub on: String,
}

/// A case and its report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseReport {
    /// Name.
    pub id: String,
    /// A line for people.
    pub title: String,
    /// What came out.
    pub report: Report,
}

/// An experiment replayed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Experiment {
    /// Name.
    pub id: String,
    /// The claims.
    pub claims: Vec<ClaimResult>,
    /// The fitted constants.
    pub fitted: Vec<FittedReport>,
    /// What the source leaves open and the card decides.
    pub assumed: Vec<String>,
    /// The cases.
    pub cases: Vec<CaseReport>,
}

/// Relative error up to which a number counts as reached.
pub const TOLERANCE: f64 = 0.25;

/// What the model says to a claim.
struct Verdict {
    kind: &'static str,
    published: Option<f64>,
    model: Option<f64>,
    error: Option<f64>,
    holds: bool,
    points: Vec<ClaimPoint>,
}

impl Verdict {
    fn new(
        kind: &'static str,
        published: Option<f64>,
        model: Option<f64>,
        holds: impl Fn(f64) -> bool,
    ) -> Self {
        Self {
            kind,
            published,
            model,
            error: relative_error(published, model),
            holds: model.is_some_and(holds),
            points: Vec::new(),
        }
    }
}

/// The reports of a card's cases, as far as they are there.
struct Reports<'a> {
    card: &'a Card,
    cases: BTreeMap<&'a str, &'a Report>,
}

impl Reports<'_> {
    fn figure(&self, id: &str, quantity: Quantity) -> Option<f64> {
        self.cases.get(id).map(|report| quantity.of(report))
    }

    /// The ratio of two cases, whose figures were published as `cut` where they are larger.
    fn ratio(&self, above: &str, below: &str, quantity: Quantity, cut: f64) -> Option<f64> {
        let figure = |id| self.figure(id, quantity).map(|figure| figure.min(cut));
        let (above, below) = (figure(above)?, figure(below)?);
        (below > 0.0).then_some(above / below)
    }

    fn throughput_ratio(&self, above: &str, below: &str) -> Option<f64> {
        self.ratio(above, below, Quantity::Throughput, f64::INFINITY)
    }

    /// The ratios of pairs, each named by the case above the line.
    fn ratios(&self, pairs: &[Pairs], quantity: Quantity) -> Vec<ClaimPoint> {
        self.ratios_up_to(pairs, quantity, f64::INFINITY)
    }

    fn ratios_up_to(&self, pairs: &[Pairs], quantity: Quantity, cut: f64) -> Vec<ClaimPoint> {
        let pairs = self.card.paired(pairs).into_iter();
        let point = |(above, below)| ClaimPoint::new(above, None, self.ratio(above, below, quantity, cut));
        pairs.map(point).collect()
    }

    fn verdict(&self, kind: &ClaimKind) -> Verdict {
        match kind {
            ClaimKind::Ratio { above, below, published } => {
                Verdict::new("ratio", Some(*published), self.throughput_ratio(above, below), |model| {
                    (model / published - 1.0).abs() <= TOLERANCE
                })
            }
            ClaimKind::Order { above, below } => {
                Verdict::new("order", None, self.throughput_ratio(above, below), |model| model > 1.0)
            }
            ClaimKind::Within { above, below, at_most } => {
                Verdict::new("order", None, self.throughput_ratio(above, below), |model| {
                    model > 1.0 && model <= *at_most
                })
            }
            ClaimKind::Idle { case, at_most } => {
                let busiest = self
                    .cases
                    .get(case.as_str())
                    .map(|r| r.devices.iter().map(|d| d.utilisation).fold(0.0, f64::max));
                Verdict::new("value", None, busiest, |model| model <= *at_most)
            }
            ClaimKind::Curve { cases, quantity, published, unit, tolerance } => {
                self.curve(cases, *quantity, published, unit.as_deref(), *tolerance)
            }
            ClaimKind::Orders { pairs } => {
                let points = self.ratios(pairs, Quantity::Throughput);
                let right =
                    points.iter().filter(|point| point.model.is_some_and(|ratio| ratio > 1.0)).count();
                let known = all_known(&points).map(|_| right as f64);
                let whole = points.len() as f64;
                Verdict { points, ..Verdict::new("order", Some(whole), known, |model| model == whole) }
            }
            ClaimKind::Range { pairs, quantity, extreme, published, points: within } => {
                let points = self.ratios(pairs, *quantity);
                let model = all_known(&points).and_then(|ratios| {
                    ratios.into_iter().reduce(match extreme {
                        Extreme::Least => f64::min,
                        Extreme::Most => f64::max,
                    })
                });
                let holds = |model: f64| (model - published).abs() <= *within;
                Verdict { points, ..Verdict::new("ratio", Some(*published), model, holds) }
            }
            ClaimKind::Mean { pairs, quantity, mean, published } => {
                let points = self.ratios(pairs, *quantity);
                let model = match mean {
                    Mean::Totals => self.ratio_of_totals(pairs, *quantity),
                    _ => all_known(&points).map(|ratios| mean.of(&ratios)),
                };
                let holds = |model: f64| (model / published - 1.0).abs() <= TOLERANCE;
                Verdict { points, ..Verdict::new("ratio", Some(*published), model, holds) }
            }
            ClaimKind::Share { pairs, quantity, ratio, at_least, cut_s } => {
                let cut = cut_s.map_or(f64::INFINITY, |seconds| seconds * 1e3);
                let points = self.ratios_up_to(pairs, *quantity, cut);
                let share = all_known(&points).map(|ratios| {
                    let reached = ratios.iter().filter(|found| *found >= ratio).count();
                    reached as f64 / ratios.len().max(1) as f64
                });
                let verdict = Verdict::new("value", Some(*at_least), share, |share| share >= *at_least);
                Verdict { points, ..verdict }
            }
            ClaimKind::Bound { pairs, quantity, at_most } => {
                let points = self.ratios(pairs, *quantity);
                let model = all_known(&points).and_then(|ratios| ratios.into_iter().reduce(f64::max));
                Verdict { points, ..Verdict::new("order", None, model, |model| model <= *at_most) }
            }
        }
    }

    /// All figures above the line together over all below it.
    fn ratio_of_totals(&self, pairs: &[Pairs], quantity: Quantity) -> Option<f64> {
        let pairs = self.card.paired(pairs);
        let sum = |ids: &mut dyn Iterator<Item = &str>| {
            ids.map(|id| self.figure(id, quantity)).sum::<Option<f64>>()
        };
        let above = sum(&mut pairs.iter().map(|(above, _)| *above))?;
        let below = sum(&mut pairs.iter().map(|(_, below)| *below))?;
        (below > 0.0).then_some(above / below)
    }

    /// A curve's number is the published figure at its worst point, and the model's there.
    fn curve(
        &self,
        cases: &str,
        quantity: Quantity,
        published: &[f64],
        unit: Option<&str>,
        tolerance: f64,
    ) -> Verdict {
        let unit = unit.map_or(Some(1.0), |name| self.card.fitted_value(name));
        let model = |id: &str| Some(self.figure(id, quantity)? * unit?);
        let points: Vec<ClaimPoint> = self
            .card
            .cases_like(cases)
            .zip(published)
            .map(|(id, published)| ClaimPoint::new(id, Some(*published), model(id)))
            .collect();
        let size = |point: &&ClaimPoint| point.error.map_or(0.0, f64::abs);
        let worst = points.iter().max_by(|a, b| size(a).total_cmp(&size(b)));
        let worst = worst.filter(|_| all_known(&points).is_some()).cloned();
        let (published, model) = worst.map_or((None, None), |point| (point.published, point.model));
        let mut verdict = Verdict::new("curve", published, model, |_| true);
        verdict.holds = verdict.error.is_some_and(|error| error.abs() <= tolerance);
        Verdict { points, ..verdict }
    }
}

impl Mean {
    /// The mean of ratios; of totals it is not known from ratios alone, and the arithmetic one stands for it.
    fn of(self, ratios: &[f64]) -> f64 {
        let over = |sum: f64| sum / ratios.len().max(1) as f64;
        match self {
            Self::Arithmetic | Self::Totals => over(ratios.iter().sum()),
            Self::Geometric => libm::exp(over(ratios.iter().map(|ratio| libm::log(*ratio)).sum())),
            Self::Harmonic => 1.0 / over(ratios.iter().map(|ratio| 1.0 / ratio).sum()),
        }
    }
}

/// The model's figures of all points, or none while one is missing.
fn all_known(points: &[ClaimPoint]) -> Option<Vec<f64>> {
    points.iter().map(|point| point.model).collect()
}

/// Puts the claims of a card beside the reports of its cases. Cases may be missing; their claims are then open.
pub fn compare(card: &Card, cases: Vec<CaseReport>) -> Experiment {
    let reports = Reports { card, cases: cases.iter().map(|c| (c.id.as_str(), &c.report)).collect() };
    let claims = card
        .claims
        .iter()
        .map(|claim| {
            let fitted = card.fitted.iter().any(|f| f.on == claim.id);
            let verdict = reports.verdict(&claim.kind);
            ClaimResult {
                id: claim.id.clone(),
                title: claim.title.clone(),
                kind: verdict.kind.into(),
                published: verdict.published,
                model: verdict.model,
                error: verdict.error,
                role: if fitted { Role::Fitted } else { Role::Predicted },
                holds: verdict.holds,
                points: verdict.points,
            }
        })
        .collect();
    let fitted = card
        .fitted
        .iter()
        .map(|f| FittedReport {
            name: f.name.clone(),
            value: f.value,
            unit: f.unit.clone(),
            range: f.range,
            on: f.on.clone(),
        })
        .collect();
    Experiment { id: card.id.clone(), claims, fitted, assumed: card.assumed.clone(), cases }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CARD: &str = r#"
        id = "t"
        title = ""
        source = ""
        question = ""
        summary = ""
        assumed = []
        parts = {}
        fitted = [{ name = "score", value = 2.0, unit = "", range = [1.0, 3.0], on = "curve" }]
        [[grid]]
        id = "g"
        title = ""
        parts = []
        axes = [
          { name = "drive", values = [{ id = "a", title = "" }, { id = "s", title = "" }] },
          { name = "threads", values = [{ id = "1", title = "", at = 1.0 }, { id = "8", title = "", at = 8.0 }] },
        ]
        [[claim]]
        id = "curve"
        title = ""
        kind = "curve"
        cases = "g-s-*"
        published = [20.0, 50.0]
        unit = "score"
        tolerance = 0.1
        [[claim]]
        id = "orders"
        title = ""
        kind = "orders"
        pairs = [{ above = "g-a-*", below = "g-s-*" }]
        [[claim]]
        id = "most"
        title = ""
        kind = "range"
        extreme = "most"
        pairs = [{ above = "g-a-*", below = "g-s-*" }]
        published = 2.05
        points = 0.1
        [[claim]]
        id = "totals"
        title = ""
        kind = "mean"
        quantity = "latency"
        mean = "totals"
        pairs = [{ above = "g-s-*", below = "g-a-*" }]
        published = 1.35
        [[claim]]
        id = "latency"
        title = ""
        kind = "range"
        quantity = "latency"
        extreme = "least"
        pairs = [{ above = "g-a-*", below = "g-s-*" }]
        published = 0.4
        points = 0.01
        [[claim]]
        id = "bound"
        title = ""
        kind = "bound"
        pairs = [{ above = "g-a-*", below = "g-s-*" }]
        at_most = 1.5
        [[claim]]
        id = "share"
        title = ""
        kind = "share"
        quantity = "latency"
        pairs = [{ above = "g-s-*", below = "g-a-*" }]
        ratio = 1.5
        at_least = 0.5
        cut_s = 0.05
    "#;

    fn case(id: &str, tps: f64) -> CaseReport {
        let mut report = Report { throughput_tps: tps, ..Report::default() };
        report.latency_ms.mean = 1000.0 / tps;
        CaseReport { id: id.into(), title: String::new(), report }
    }

    fn results(cases: &[(&str, f64)]) -> Vec<ClaimResult> {
        let card = Card::read(CARD).unwrap();
        compare(&card, cases.iter().map(|(id, tps)| case(id, *tps)).collect()).claims
    }

    #[test]
    fn curves_orders_ranges_and_bounds_are_judged_over_all_their_cases() {
        let claims = results(&[("g-a-1", 12.0), ("g-a-8", 54.0), ("g-s-1", 10.0), ("g-s-8", 27.0)]);
        let [curve, orders, most, totals, latency, bound, share] = &claims[..] else { panic!("{claims:?}") };
        assert!(curve.holds && curve.role == Role::Fitted);
        assert_eq!(
            (curve.published, curve.model),
            (Some(50.0), Some(54.0)),
            "the worst point speaks for a curve"
        );
        assert_eq!((orders.published, orders.model, orders.holds), (Some(2.0), Some(2.0), true));
        assert_eq!((most.model, most.holds), (Some(2.0), true));
        // 100 and 37 ms over 83 and 19 ms.
        assert!(totals.model.is_some_and(|model| (model - 1.346).abs() < 0.001) && totals.holds);
        assert_eq!((latency.model, latency.holds), (Some(0.5), false));
        assert_eq!((bound.model, bound.holds), (Some(2.0), false));
        assert_eq!(bound.points.len(), 2);
        assert_eq!(share.model, Some(0.5), "100 and 83 ms were both published as 50 ms");
        assert!(share.holds);
    }

    #[test]
    fn a_claim_is_open_while_a_case_is_missing() {
        let claims = results(&[("g-a-1", 12.0), ("g-s-1", 10.0), ("g-s-8", 27.0)]);
        for claim in &claims[1..] {
            assert!(claim.model.is_none() && !claim.holds, "{claim:?}");
        }
        assert!(claims[0].holds, "the curve's cases are there");
        assert_eq!(claims[1].points[1].model, None);
    }
}
