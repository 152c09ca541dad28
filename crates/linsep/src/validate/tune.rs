//! Selection of the regularization strength by cross-validation.
//!
//! Each training fold computes the regularization path over the same list of λ, with warm starts.
//! Each point is evaluated on the test fold: by log-loss if the model has probabilities, else by
//! error rate. The mean over the folds is the curve, and [`LambdaRule`] selects a point of it. λ
//! multiplies the penalty against the *mean* loss, so its meaning does not depend on the number of
//! rows.

use super::{CrossValidation, Fold, Tuning, TuningPoint};
use crate::error::Error;
use linsep_core::learner::{MulticlassLearner, along};
use linsep_core::metric::{accuracy, log_loss};
use linsep_core::model::Link;
use linsep_core::validate::{LambdaRule, choose, mean};
use linsep_core::{Cancel, Observer};

/// What a run that was ended early lacks.
const WHAT: &str = "the folds of the selection of λ";

/// Result of one λ on one fold.
struct Cost {
    log_loss: Option<f64>,
    wrong: f64,
    nonzero: f64,
}

impl CrossValidation<'_> {
    /// Evaluates every λ of a list, in decreasing order, and selects one.
    pub(crate) fn tune(
        &self,
        reduced: &MulticlassLearner,
        lambdas: &[f64],
        rule: LambdaRule,
        watch: &mut dyn Observer,
    ) -> Result<Tuning, Error> {
        let count = self.folded.splits.len();
        watch.stage("tuning λ", Some(count));
        let folds =
            self.each(WHAT, watch, |fold, cancel| self.costs(fold, reduced, lambdas, cancel))?;
        let likely = folds.iter().flatten().all(|cost| cost.log_loss.is_some());
        let over = |at: usize, of: &dyn Fn(&Cost) -> f64| {
            let values: Vec<f64> = folds.iter().map(|fold| of(&fold[at])).collect();
            mean(&values).expect("there are two folds or more")
        };
        let costs: Vec<_> = (0..lambdas.len())
            .map(|at| over(at, &|cost| cost.log_loss.filter(|_| likely).unwrap_or(cost.wrong)))
            .collect();
        let (best, chosen) = choose(rule, &costs).expect("there are points");
        let point = |at: usize| TuningPoint {
            lambda: lambdas[at],
            cost: costs[at].mean,
            standard_error: Some(costs[at].error),
            error: over(at, &|cost| cost.wrong).mean,
            nonzero: Some(over(at, &|cost| cost.nonzero).mean),
        };
        Ok(Tuning {
            by: if likely { "log-loss" } else { "error" }.to_owned(),
            choose: rule.name().to_owned(),
            folds: count,
            leave_one_out: false,
            points: (0..lambdas.len()).map(point).collect(),
            best,
            chosen,
        })
    }

    fn costs(
        &self,
        fold: &Fold<'_>,
        reduced: &MulticlassLearner,
        lambdas: &[f64],
        cancel: &mut Cancel,
    ) -> Result<Vec<Cost>, Error> {
        let (core, test) = (Error::core(self.folded.name()), fold.test);
        let path = along(fold.problem, reduced, lambdas, fold.positive, cancel).map_err(core)?;
        cancel.check(WHAT).map_err(core)?;
        let mut costs = Vec::with_capacity(path.len());
        for point in &path {
            let model = &point.fit.model;
            let place = self.places(model);
            let target: Vec<u32> = test.target.iter().map(|&t| place[t as usize]).collect();
            let (likely, link) = (*model.link() != Link::None, model.link());
            let of_row = |i: usize, scores: &[f64]| {
                let mut p = Vec::new();
                if likely {
                    link.probabilities(model.decision_rule(), scores, &mut p);
                }
                (model.decision_rule().class(scores), p.get(target[i] as usize).copied())
            };
            let rows = model.map_rows(&test.x, of_row).map_err(core)?;
            let predicted: Vec<u32> = rows.iter().map(|(class, _)| *class).collect();
            let of_target: Option<Vec<f64>> = rows.iter().map(|(_, p)| *p).collect();
            costs.push(Cost {
                log_loss: of_target.map(|p| log_loss(&p, &test.weights)),
                wrong: 1.0 - accuracy(&target, &predicted, &test.weights),
                nonzero: point.nonzero as f64,
            });
        }
        Ok(costs)
    }
}
