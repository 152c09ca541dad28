//! Regularization path: coefficients over λ. For a tuned model: the cross-validated cost over λ.

use super::Prepared;
use crate::error::Error;
use linsep_core::binary::RegularizedErm;
use linsep_core::data::ClassWeights;
use linsep_core::learner::{Learner, Method, Scheme, path};
use linsep_core::{Label, Observer, float};
use serde::{Deserialize, Serialize};

/// Request for a regularization path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlotPath {
    /// The method, which has a penalty; λ ends at its own.
    pub method: Method,
    /// Factors on the sample weights, by class.
    pub class_weights: ClassWeights,
    /// Number of values of λ.
    pub points: usize,
    /// Class whose coefficients are drawn, of three classes or more; by default the first.
    pub class: Option<Label>,
    /// Number of features with a name, those of the largest coefficients.
    pub top: usize,
}

impl Default for PlotPath {
    fn default() -> Self {
        Self {
            method: Method::default(),
            class_weights: ClassWeights::default(),
            points: 30,
            class: None,
            top: 8,
        }
    }
}

/// Coefficients over λ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Path {
    /// Name of the data.
    pub data: String,
    /// Class of positive scores.
    pub class: String,
    /// Values of λ, decreasing.
    #[serde(with = "float")]
    pub lambdas: Vec<f64>,
    /// Features of the largest coefficients, and their coefficient for every λ.
    #[serde(with = "float::named")]
    pub features: Vec<(String, Vec<f64>)>,
    /// Coefficients of further features, for every λ.
    #[serde(with = "float")]
    pub others: Vec<Vec<f64>>,
}

/// Limit of lines without a name.
const OTHERS: usize = 200;

impl PlotPath {
    /// Refuses a method without a penalty.
    pub(super) fn check(&self) -> Result<(), Error> {
        let learner = self.method.learner(false)?;
        convex(learner.as_ref())?;
        match self.method.options.multiclass {
            Some(scheme) if scheme != Scheme::OneVsRest => Err(Error::Request(format!(
                "a path requires `multiclass=one-vs-rest`, not {}",
                scheme.name()
            ))),
            _ => Ok(()),
        }
    }

    /// Fits the path.
    pub(super) fn run(&self, own: &Prepared, watch: &mut dyn Observer) -> Result<Path, Error> {
        // 1. A fit for each λ.
        let learner = self.method.learner(false)?;
        let mut problem = own.problem()?;
        self.class_weights.apply(&mut problem)?;
        let k = own.training.labels.k();
        let hyperplane = match &self.class {
            Some(class) if k > 2 => problem.class(class)?,
            _ => 0,
        };
        let points = path(&problem, convex(learner.as_ref())?, self.points, watch)?;

        // 2. The largest coefficients of a hyperplane.
        let features = own.training.recipe.features();
        let line = |j: usize| -> Vec<f64> {
            points.iter().map(|p| p.fit.model.hyperplanes()[hyperplane].w[j]).collect()
        };
        let lines: Vec<Vec<f64>> = (0..features.len()).map(line).collect();
        let size = |j: usize| lines[j].iter().map(|w| w.abs()).fold(0.0, f64::max);
        let mut order: Vec<usize> = (0..features.len()).collect();
        order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
        let (named, others) = order.split_at(self.top.min(order.len()));
        let class = if k == 2 { 1 } else { hyperplane };
        Ok(Path {
            data: own.name.clone(),
            class: own.training.labels.classes()[class].to_string(),
            lambdas: points.iter().map(|p| p.lambda).collect(),
            features: named.iter().map(|&j| (features[j].clone(), lines[j].clone())).collect(),
            others: others.iter().take(OTHERS).map(|&j| lines[j].clone()).collect(),
        })
    }
}

/// Returns the regularized risk that a learner minimizes.
fn convex(learner: &dyn Learner) -> Result<&RegularizedErm, Error> {
    let convex = learner.as_reduced().and_then(|reduced| reduced.solver.as_convex());
    convex.ok_or_else(|| {
        Error::Request(format!(
            "plot path: expected `method=logistic`, svm or convex, which have a penalty, found {}",
            learner.name()
        ))
    })
}
