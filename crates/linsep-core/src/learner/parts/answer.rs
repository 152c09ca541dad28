//! Result of a closed form, before it becomes a fit.

use crate::data::{Hyperplane, Label, Moments, Problem};
use crate::error::Error;
use crate::learner::{Fact, Facts, FitResult};
use crate::math::kernels::dot;
use crate::math::sum::Sum;
use crate::model::{DecisionRule, LinearModel, Link};

/// Hyperplanes, and further results.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClosedFormResult {
    pub(crate) hyperplanes: Vec<Hyperplane>,
    pub(crate) directions: Vec<Hyperplane>,
    pub(crate) facts: Facts,
    pub(crate) criterion: Option<f64>,
}

impl ClosedFormResult {
    /// Applies `change` to every hyperplane and direction.
    pub(crate) fn map(self, mut change: impl FnMut(&Hyperplane) -> Hyperplane) -> Self {
        Self {
            hyperplanes: self.hyperplanes.iter().map(&mut change).collect(),
            directions: self.directions.iter().map(change).collect(),
            ..self
        }
    }

    /// Builds the fit.
    pub(crate) fn fit(
        self,
        problem: &Problem<'_>,
        positive: Option<usize>,
        link: Link,
    ) -> Result<FitResult, Error> {
        let model = model_of(problem, positive, self.hyperplanes)?.with_link(link);
        let mut facts = self.facts;
        if model.hyperplanes().iter().all(|hyperplane| hyperplane.w.iter().all(|w| *w == 0.0)) {
            facts.say("all coefficients are zero: the model ignores the features".to_owned());
        }
        Ok(FitResult {
            directions: self.directions,
            facts,
            objective: self.criterion,
            ..FitResult::of_model(problem, model)?
        })
    }
}

/// A single hyperplane decides by its sign, several by the largest score.
pub(crate) fn model_of(
    problem: &Problem<'_>,
    positive: Option<usize>,
    hyperplanes: Vec<Hyperplane>,
) -> Result<LinearModel, Error> {
    let (classes, decide): (Vec<Label>, _) = match positive {
        Some(positive) => (problem.pair(positive), DecisionRule::Sign),
        None => (problem.labels().classes().to_vec(), DecisionRule::ArgMax),
    };
    LinearModel::new(classes, hyperplanes, decide)
}

/// Intercept b such that w·x + b is `value` at x = hi + lo, summed without cancellation error.
pub(crate) fn intercept_at(w: &[f64], (hi, lo): &(Vec<f64>, Vec<f64>), value: f64) -> f64 {
    let terms = w.iter().zip(hi).chain(w.iter().zip(lo)).map(|(w, x)| -w * x);
    std::iter::once(value).chain(terms).collect::<Sum>().value()
}

/// wᵀSw of a symmetric matrix S, given its lower triangle by columns.
pub(crate) fn quadratic_form(lower: &[f64], w: &[f64]) -> f64 {
    let d = w.len();
    let column = |j: usize| {
        let below = dot(&lower[j * d + j + 1..(j + 1) * d], &w[j + 1..]);
        w[j] * (lower[j * d + j] * w[j] + 2.0 * below)
    };
    (0..d).map(column).sum()
}

/// The lower triangle of a d × d matrix as full rows; `None` for many columns.
pub(crate) fn scatter_rows(moments: &Moments) -> Option<Fact> {
    const MOST: usize = 32;
    let (d, lower) = (moments.d(), moments.within());
    let at = |i: usize, j: usize| lower[i.min(j) * d + i.max(j)];
    let row = |i: usize| (0..d).map(|j| at(i, j)).collect();
    (d <= MOST).then(|| Fact::Scatter((0..d).map(row).collect()))
}
