//! What was published beside what the model says.

use crate::card::{Card, ClaimKind};
use serde::{Deserialize, Serialize};
use spindle_report::Report;

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
    /// An order or bound: whether it is kept. A ratio: whether it is within the tolerance.
    pub holds: bool,
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

/// Puts the claims of a card beside the reports of its cases. Cases may be missing; their claims are then open.
pub fn compare(card: &Card, cases: Vec<CaseReport>) -> Experiment {
    let report = |id: &str| cases.iter().find(|c| c.id == id).map(|c| &c.report);
    let ratio = |above: &str, below: &str| -> Option<f64> {
        let (above, below) = (report(above)?.throughput_tps, report(below)?.throughput_tps);
        (below > 0.0).then_some(above / below)
    };
    let claims = card
        .claims
        .iter()
        .map(|claim| {
            let fitted = card.fitted.iter().any(|f| f.on == claim.id);
            let (kind, published, model, holds) = match &claim.kind {
                ClaimKind::Ratio { above, below, published } => {
                    let model = ratio(above, below);
                    let holds = model.is_some_and(|m| (m / published - 1.0).abs() <= TOLERANCE);
                    ("ratio", Some(*published), model, holds)
                }
                ClaimKind::Order { above, below } => {
                    let model = ratio(above, below);
                    ("order", None, model, model.is_some_and(|m| m > 1.0))
                }
                ClaimKind::Within { above, below, at_most } => {
                    let model = ratio(above, below);
                    ("order", None, model, model.is_some_and(|m| m > 1.0 && m <= *at_most))
                }
                ClaimKind::Idle { case, at_most } => {
                    let model =
                        report(case).map(|r| r.devices.iter().map(|d| d.utilisation).fold(0.0, f64::max));
                    ("value", None, model, model.is_some_and(|m| m <= *at_most))
                }
            };
            let error = published.zip(model).map(|(published, model)| model / published - 1.0);
            ClaimResult {
                id: claim.id.clone(),
                title: claim.title.clone(),
                kind: kind.into(),
                published,
                model,
                error,
                role: if fitted { Role::Fitted } else { Role::Predicted },
                holds,
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
