//! Models: scorecards and counterfactuals of arbitrary hyperplanes.

use super::fit::Data;
use crate::case::Case;
use crate::settings::Scheme;
use linsep_core::explain::ClassScores;
use linsep_core::model::scorecard::{Card, Column, Rows};
use linsep_core::model::{DecisionRule, Link, OperatingPoint};
use linsep_core::{Hyperplane, Label, LinearModel};

/// Coefficients and intercept.
pub type RawHyperplane = (Vec<f64>, f64);

/// Scorecard: the positive class has Σ qⱼ xⱼ/10^eⱼ ≥ digits/10^places.
#[derive(Clone, Debug)]
pub struct Scorecard {
    /// qⱼ.
    pub points: Vec<i64>,
    /// eⱼ.
    pub units: Vec<i32>,
    /// Digits of the threshold.
    pub digits: i64,
    /// Number of decimal places of the threshold.
    pub places: u32,
    /// Claimed number of rows with different predictions of card and model.
    pub changed: usize,
    /// Predictions of the model.
    pub positive: Vec<bool>,
}

/// A changed row, with the claims about it.
#[derive(Clone, Debug)]
pub struct Counterfactual {
    /// Class of the original row.
    pub from: usize,
    /// Claimed class of the changed row.
    pub to: usize,
    /// Class of the changed row by the model.
    pub scored: usize,
    /// Changed row.
    pub x: Vec<f64>,
    /// Claimed distance from the original row.
    pub length: f64,
    /// Whether the change is claimed to be the shortest.
    pub least: bool,
}

fn model(case: &Case, hyperplanes: &[RawHyperplane]) -> Result<LinearModel, String> {
    let decide = match case.settings.scheme {
        _ if case.rows.k == 2 => DecisionRule::Sign,
        Scheme::OneVsRestButLast => DecisionRule::OneOrLast,
        Scheme::OneVsOne => DecisionRule::Vote,
        _ => DecisionRule::ArgMax,
    };
    let classes = (0..case.rows.k).map(|c| Label::Number(c as f64)).collect();
    let hyperplanes = hyperplanes.iter().map(|(w, b)| Hyperplane { w: w.clone(), b: *b }).collect();
    let cut = OperatingPoint { threshold: case.settings.threshold, abstain: None };
    LinearModel::new(classes, hyperplanes, decide)
        .and_then(|model| model.with_trust(Link::None, cut))
        .map_err(|e| e.to_string())
}

/// Returns a scorecard of the first hyperplane for the rows of a case, with points of `bits` bits.
pub fn scorecard(
    case: &Case,
    hyperplanes: &[RawHyperplane],
    bits: u32,
) -> Result<Scorecard, String> {
    let data = Data::of(case)?;
    let model = model(case, hyperplanes)?;
    let text = |e: linsep_core::Error| e.to_string();
    let predicted = model.predict(&data.x).map_err(text)?;
    let positive: Vec<bool> = predicted.iter().map(|class| *class == 1).collect();
    let (w, b) = &hyperplanes[0];
    let columns: Vec<Column> = (0..w.len())
        .map(|j| {
            let binary = case.rows.x.iter().all(|row| row[j] == 0.0 || row[j] == 1.0);
            Column { weight: w[j], spread: (!binary).then_some(1.0) }
        })
        .collect();
    let rows = Rows { x: &data.x, positive: &positive };
    let card = Card::new(&columns, b - case.settings.threshold, bits, Some(rows)).map_err(text)?;
    Ok(Scorecard {
        points: card.points,
        units: card.units,
        digits: card.threshold.digits,
        places: card.threshold.places,
        changed: card.changed.ok_or("no rows were compared")?,
        positive,
    })
}

/// Returns the nearest row of another class, and for each column the nearest value with another
/// class.
#[allow(clippy::type_complexity)]
pub fn counterfactuals(
    case: &Case,
    hyperplanes: &[RawHyperplane],
    row: &[f64],
) -> Result<(Option<Counterfactual>, Vec<Option<Counterfactual>>), String> {
    let model = model(case, hyperplanes)?;
    let contest = ClassScores::new(&model);
    let class = |x: &[f64]| contest.class(&contest.scores(x));
    let from = class(row);
    let nearest = contest.nearest(row, &vec![1.0; row.len()], None).map(|flip| Counterfactual {
        from,
        to: flip.class,
        scored: class(&flip.x),
        length: flip.length,
        least: flip.exact,
        x: flip.x,
    });
    let slides = (0..row.len()).map(|j| {
        contest.nearest_value(row, j, None).map(|(value, to)| {
            let mut x = row.to_vec();
            x[j] = value;
            let length = (value - row[j]).abs();
            Counterfactual { from, to, scored: class(&x), x, length, least: contest.is_convex() }
        })
    });
    Ok((nearest, slides.collect()))
}
