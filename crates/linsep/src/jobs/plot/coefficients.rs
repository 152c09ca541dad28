//! Coefficients of a model, the largest first. Those of numeric features are per standard
//! deviation, to be comparable across units.

use crate::model_file::Inference;
use crate::model_file::ModelFile;
use crate::recipe::Recipe;
use linsep_core::{Hyperplane, float};
use serde::{Deserialize, Serialize};

/// Limit of drawn hyperplanes.
const HYPERPLANES: usize = 6;

/// Features that are shown.
const TOP: usize = 20;

/// Request for the largest coefficients of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlotCoefficients {
    /// Limit of features.
    pub top: usize,
}

impl Default for PlotCoefficients {
    fn default() -> Self {
        Self { top: TOP }
    }
}

/// The largest coefficients of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coefficients {
    /// The method.
    pub method: String,
    /// The multiclass scheme, if there is a choice.
    pub multiclass: Option<String>,
    /// Name of each hyperplane.
    pub hyperplanes: Vec<String>,
    /// Whether numeric features are standardized.
    pub standardized: bool,
    /// Number of features of the model.
    pub d: usize,
    /// The features shown, the largest first.
    pub features: Vec<String>,
    /// Number of features with smaller coefficients.
    pub omitted: usize,
    /// Features without an estimate: reference levels and linear combinations of others.
    pub fixed: Vec<String>,
    /// Coefficients of the first hyperplanes, by feature.
    #[serde(with = "float")]
    pub values: Vec<Vec<f64>>,
    /// Confidence intervals, if the model has inference.
    pub inference: Option<Intervals>,
}

/// Confidence intervals of coefficients.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intervals {
    /// Confidence level.
    #[serde(with = "float")]
    pub level: f64,
    /// How the intervals are computed.
    pub method: String,
    /// The intervals, in the order of the estimates.
    pub of: Vec<Interval>,
}

/// Estimate and confidence interval of a coefficient.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Position of the feature among those shown.
    pub feature: usize,
    /// The estimate.
    #[serde(with = "float")]
    pub estimate: f64,
    /// Ends of the interval, which may be infinite or undefined.
    #[serde(with = "float")]
    pub ends: (f64, f64),
}

impl PlotCoefficients {
    /// Returns the largest coefficients of a model.
    pub fn run(self, model_file: &ModelFile) -> Coefficients {
        // 1. Comparable units.
        let (header, model) = (&model_file.header, &model_file.model);
        let recipe = &header.recipe;
        let hyperplanes: Vec<Hyperplane> = model
            .hyperplanes()
            .iter()
            .take(HYPERPLANES)
            .map(|hyperplane| recipe.to_standardized(hyperplane))
            .collect();
        let features = recipe.features();

        // 2. The largest that are estimated.
        let size = |j: usize| hyperplanes.iter().map(|h| h.w[j].abs()).fold(0.0, f64::max);
        let estimated = |j: &usize| {
            let known = header.inference.as_ref();
            known.is_none_or(|known| known.coefficients.iter().any(|c| c.column == Some(*j)))
        };
        let (mut order, fixed): (Vec<usize>, Vec<usize>) = (0..features.len()).partition(estimated);
        let all = order.len();
        order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
        order.truncate(self.top.max(1));
        let names = |of: &[usize]| of.iter().map(|&j| features[j].clone()).collect();
        Coefficients {
            method: header.method.clone(),
            multiclass: header.multiclass.clone(),
            hyperplanes: model.decision_rule().hyperplane_names(model.classes()),
            standardized: recipe.standardized,
            d: features.len(),
            features: names(&order),
            omitted: all - order.len(),
            fixed: names(&fixed),
            values: hyperplanes.iter().map(|h| order.iter().map(|&j| h.w[j]).collect()).collect(),
            inference: header.inference.as_ref().map(|known| intervals(known, recipe, &order)),
        }
    }
}

/// Returns the intervals of these features in standardized units.
fn intervals(known: &Inference, recipe: &Recipe, order: &[usize]) -> Intervals {
    let ones = Hyperplane { w: vec![1.0; recipe.width()], b: 0.0 };
    let unit = recipe.to_standardized(&ones).w;
    let of = known.coefficients.iter().filter_map(|c| {
        let j = c.column?;
        let feature = order.iter().position(|at| *at == j)?;
        let [low, high] = c.interval.map(|end| unit[j] * end);
        Some(Interval { feature, estimate: unit[j] * c.estimate, ends: (low, high) })
    });
    Intervals { level: known.level, method: known.intervals.clone(), of: of.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinite_ends_of_intervals_are_saved() {
        let ends = (f64::NEG_INFINITY, f64::INFINITY);
        let interval = Interval { feature: 1, estimate: 0.1, ends };
        let saved = serde_json::to_string(&interval).unwrap();
        assert_eq!(serde_json::from_str::<Interval>(&saved).unwrap(), interval, "{saved}");
    }
}
