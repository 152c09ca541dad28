//! Result of training: the model, and how it was fitted.

use super::certified::{OptimumBounds, ScoreError, by_votes, certified, is_certain, slack};
use super::criterion::{joint_perceptron_loss, perceptron_loss, targets};
use super::{Facts, Scheme};
use crate::binary::BinaryFit;
use crate::certify::{OptimalityCertificate, OptimalityGap};
use crate::control::StopReason;
use crate::data::{Hyperplane, Problem};
use crate::error::Error;
use crate::features::Standardization;
use crate::infer::Inference;
use crate::math::sum::Sum;
use crate::metric::accuracy;
use crate::model::{Decision, DecisionRule, LinearModel, Link, OperatingPoint};
use crate::multiclass::MulticlassFit;
use crate::options::Setting;
use crate::solvers;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// A model, and how it was fitted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FitResult {
    /// The model.
    pub model: LinearModel,
    /// Multiclass scheme, if there was a choice.
    pub multiclass: Option<Scheme>,
    /// Result per hyperplane; empty for closed forms and joint schemes.
    pub runs: Vec<BinaryFit>,
    /// Result of a joint scheme.
    pub joint: Option<JointRun>,
    /// Stop reason; of several runs, the worst.
    pub stop: StopReason,
    /// Epochs of the longest run.
    pub epochs: u64,
    /// Updates, summed over all runs.
    pub updates: u64,
    /// Total weight of the misclassified training rows.
    #[serde(with = "crate::float")]
    pub mistakes: f64,
    /// Training accuracy, weighted.
    #[serde(with = "crate::float")]
    pub accuracy: f64,
    /// Objective, if any, summed over hyperplanes; for perceptrons the weighted mean of the loss.
    #[serde(with = "crate::float")]
    pub objective: Option<f64>,
    /// Best lower bound on the objective, if there is one.
    #[serde(with = "crate::float")]
    pub bound: Option<f64>,
    /// Training rows exactly on a hyperplane that decides by sign, predicted as positive.
    pub on_hyperplane: usize,
    /// Training rows in ambiguous regions: see [`DecisionRule::ambiguous`].
    pub ambiguous: usize,
    /// Directions of projection, if any, the best first: wⱼ·x + bⱼ is a coordinate.
    pub directions: Vec<Hyperplane>,
    /// Inference on the coefficients, if requested, in the requested units.
    pub inference: Option<Inference>,
    /// Further results.
    pub facts: Facts,
    /// Settings selected from the data, if requested.
    pub chosen: Vec<(Cow<'static, str>, Setting)>,
    /// Bounds that hold for every optimum.
    #[serde(skip)]
    pub(super) optimum: Option<OptimumBounds>,
    /// Standardization of the features, if the saved model takes raw rows.
    #[serde(skip)]
    pub(super) units: Option<Standardization>,
    #[serde(skip)]
    pub(super) certified: Option<Vec<bool>>,
    /// Largest change of scores known to alter no prediction, and the largest ‖xᵢ‖².
    #[serde(skip)]
    pub(super) bears: (f64, f64),
}

/// Result of a joint scheme.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointRun {
    /// Number of updates.
    pub updates: u64,
    /// Updates at ties, where no class had won, for rules with ties.
    pub ties: u64,
    /// Certificate of optimality, if an objective was minimized.
    pub certificate: Option<OptimalityCertificate>,
    /// Name of the solver, if there is one.
    pub solver: Option<Cow<'static, str>>,
}

/// Training rows with certified predictions: see [`FitResult::certified`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certified {
    /// Number of certified rows.
    pub rows: usize,
    /// Number of rows of positive weight.
    pub of: usize,
    /// Share of the certified rows in the total weight, not rounded up.
    pub share: f64,
}

impl FitResult {
    /// Name of the solver, if an objective was minimized.
    pub fn solver(&self) -> Option<&str> {
        let joint = self.joint.as_ref().and_then(|all| all.solver.as_deref());
        self.runs.first().and_then(|run| run.solver.as_deref()).or(joint)
    }

    /// Whether the length of the run is in epochs: a perceptron, or a solver that goes row by row.
    /// Others count iterations. A joint solver counts as the binary solver of its name.
    pub fn counts_epochs(&self) -> bool {
        let none = solvers::Options::default();
        match self.solver() {
            Some(name) => solvers::by_name(name, &none).is_some_and(|own| own.counts_epochs()),
            None => !self.runs.is_empty() || self.joint.is_some(),
        }
    }

    /// Certificate and solver of each hyperplane, or of all of them jointly. Empty if some were not
    /// started, or there was no time to certify them: nothing is known about those.
    pub fn certificates(&self) -> Vec<(OptimalityCertificate, &str)> {
        let of_runs = self.runs.iter().map(|run| (run.certificate, run.solver.as_deref()));
        let joint = self.joint.iter().map(|all| (all.certificate, all.solver.as_deref()));
        let all = of_runs.chain(joint);
        let all: Option<Vec<_>> =
            all.map(|(certificate, way)| Some((certificate?, way.unwrap_or_default()))).collect();
        all.unwrap_or_default()
    }

    /// For every training row, whether the model's prediction is certified to equal that of every
    /// exact optimum, under the decision rule in effect. `None` if nothing is known about any row.
    /// Calibration, thresholds and abstention limits count as given.
    pub fn certified(&self) -> Option<&[bool]> {
        self.certified.as_deref()
    }

    /// Counts the certified rows among the rows of positive weight.
    pub fn certified_rows(&self, problem: &Problem<'_>) -> Option<Certified> {
        let certified = self.certified()?;
        let rows = || problem.weights().iter().zip(certified).filter(|(s, _)| **s > 0.0);
        let weight = |of: bool| {
            let some = rows().filter(|(_, own)| **own == of).map(|(s, _)| *s);
            some.collect::<Sum>().value()
        };
        let (yes, no) = (weight(true), weight(false));
        // All of the weight, or slightly less than the computed share.
        let below = || (yes / (yes + no)).next_down().next_down().max(0.0);
        Some(Certified {
            rows: rows().filter(|(_, own)| **own).count(),
            of: rows().count(),
            share: if no == 0.0 { 1.0 } else { below() },
        })
    }

    /// Explains the stop reason, where possible in more detail than [`StopReason::meaning`].
    pub fn meaning(&self) -> &'static str {
        let certificates = self.certificates();
        let bounded = certificates.iter().all(|(own, _)| own.gap.dual.is_some());
        match self.stop {
            StopReason::Optimal if !bounded => "relative gradient norm ≤ tol",
            StopReason::Stalled if self.inference.is_some() => {
                "no step raises the likelihood beyond rounding"
            }
            StopReason::Stalled if !certificates.is_empty() => "no step lowers the objective",
            StopReason::NoMinimum if self.mistakes > 0.0 => {
                "the objective has no minimizer, as some coefficients diverge; add a penalty"
            }
            stop => stop.meaning(),
        }
    }

    /// Positions of the hyperplanes without a first update, as training was interrupted.
    pub fn not_started(&self) -> Vec<usize> {
        let interrupted = matches!(self.stop, StopReason::Interrupted | StopReason::TimeLimit);
        let joint = self.joint.is_some() && interrupted && self.epochs == 0 && self.updates == 0;
        let pending = |j: &usize| joint || self.runs.get(*j).is_some_and(BinaryFit::is_not_started);
        (0..self.model.hyperplanes().len()).filter(pending).collect()
    }

    /// Replaces the stop reason of an interrupted run by `why`.
    pub(super) fn with_stop_reason(mut self, why: StopReason) -> Self {
        let stops = self.runs.iter_mut().map(|run| &mut run.stop).chain([&mut self.stop]);
        stops.filter(|stop| **stop == StopReason::Interrupted).for_each(|stop| *stop = why);
        self
    }

    /// Fit of a model with one run per hyperplane.
    pub(super) fn of_runs(
        problem: &Problem<'_>,
        model: LinearModel,
        multiclass: Option<Scheme>,
        runs: Vec<BinaryFit>,
    ) -> Result<Self, Error> {
        let gaps: Vec<OptimalityGap> =
            runs.iter().filter_map(|run| run.certificate.map(|own| own.gap)).collect();
        let enclosures: Option<Vec<_>> = runs.iter().map(|run| run.enclosure.clone()).collect();
        let optimum = match enclosures {
            None => None,
            Some(all) if model.decision_rule() == DecisionRule::Vote => {
                Some(OptimumBounds::Winners(Arc::new(by_votes(problem, &model, &all)?)))
            }
            Some(all) => Some(OptimumBounds::Scores(all)),
        };
        let corrected = |run: &BinaryFit| run.solver.is_none() && !run.is_not_started();
        let (criterion, bound) = match gaps.len() {
            all if all == runs.len() => added_up(&gaps),
            0 if runs.iter().all(corrected) => (Some(perceptron_loss(problem, &model)?), None),
            // Nothing is known about hyperplanes that were not started or not certified.
            _ => (None, None),
        };
        Ok(Self {
            multiclass,
            stop: runs.iter().map(|s| s.stop).max().unwrap_or(StopReason::IterationLimit),
            epochs: runs.iter().map(|s| s.epochs).max().unwrap_or(0),
            updates: runs.iter().map(|s| s.updates).sum(),
            objective: criterion,
            bound,
            runs,
            ..Self::evaluated(problem, model, optimum, None)?
        })
    }

    /// Fit of a model whose hyperplanes were trained jointly, with the number of ties.
    pub(super) fn of_joint(
        problem: &Problem<'_>,
        model: LinearModel,
        multiclass: Option<Scheme>,
        found: MulticlassFit,
        ties: u64,
    ) -> Result<Self, Error> {
        let (criterion, bound) = match found.certificate {
            Some(certificate) => added_up(&[certificate.gap]),
            None if found.solver.is_some() => (None, None),
            None => (Some(joint_perceptron_loss(problem, &model)?), None),
        };
        let MulticlassFit { updates, certificate, .. } = found;
        let solver = found.solver.map(Cow::Borrowed);
        let optimum = found.winners.map(|all| OptimumBounds::Winners(Arc::new(all)));
        Ok(Self {
            multiclass,
            stop: found.stop,
            epochs: found.epochs,
            updates,
            objective: criterion,
            bound,
            joint: Some(JointRun { updates, ties, certificate, solver }),
            ..Self::evaluated(problem, model, optimum, None)?
        })
    }

    /// Fit of a model in closed form, in one pass.
    pub(super) fn of_model(problem: &Problem<'_>, model: LinearModel) -> Result<Self, Error> {
        Self::evaluated(problem, model, None, None)
    }

    /// Evaluates a model on its training rows, and certifies predictions. Rows whose decision
    /// rounding could change count as decided by the saved model.
    fn evaluated(
        problem: &Problem<'_>,
        model: LinearModel,
        optimum: Option<OptimumBounds>,
        units: Option<Standardization>,
    ) -> Result<Self, Error> {
        let (x, sign) = (problem.x(), model.decision_rule() == DecisionRule::Sign);
        let error = ScoreError::of(model.hyperplanes(), units.as_ref());
        let largest =
            optimum.as_ref().and_then(OptimumBounds::largest_norm).map(|norm| norm * norm);
        let of_row = |i: usize, z: &[f64]| {
            let norm_sq = largest.unwrap_or_else(|| x.norm_sq(i));
            let (e, slack) = (error.at(norm_sq), slack(&model, z));
            let certain = slack > e || is_certain(&model, z, e);
            let (slack, norm_sq) = ((slack as f32).next_down(), (norm_sq as f32).next_up());
            Row { verdict: model.decision(z), on: sign && z[0] == 0.0, certain, slack, norm_sq }
        };
        let mut rows = model.map_rows(x, of_row)?;
        let bears = rows.iter().fold((f64::INFINITY, 0.0), |(least, most): (f64, f64), row| {
            (least.min(row.slack.into()), most.max(row.norm_sq.into()))
        });
        if let Some(units) = &units {
            let saved = model.map_hyperplanes(|hyperplane| units.to_raw_units(hyperplane))?;
            rows.par_iter_mut().enumerate().filter(|(_, row)| !row.certain).for_each(|(i, row)| {
                let raw = units.unscale(&x.row(i));
                let z: Vec<f64> =
                    saved.hyperplanes().iter().map(|hyperplane| hyperplane.at(&raw)).collect();
                row.verdict = saved.decision(&z);
            });
        }
        let target = targets(problem, &model);
        let predicted: Vec<u32> = rows.iter().map(|row| row.verdict.class).collect();
        let wrong = target.iter().zip(&predicted).zip(problem.weights());
        let said = |i: usize| rows[i].certain.then_some(rows[i].verdict);
        Ok(Self {
            multiclass: None,
            runs: Vec::new(),
            joint: None,
            stop: StopReason::ClosedForm,
            epochs: 1,
            updates: 0,
            mistakes: wrong.filter(|((t, p), _)| t != p).map(|(_, s)| s).sum(),
            accuracy: accuracy(&target, &predicted, problem.weights()),
            objective: None,
            bound: None,
            on_hyperplane: rows.iter().filter(|row| row.on).count(),
            ambiguous: rows.iter().filter(|row| row.verdict.ambiguous).count(),
            directions: Vec::new(),
            inference: None,
            facts: Facts::default(),
            chosen: Vec::new(),
            certified: optimum.as_ref().map(|optimum| certified(optimum, &model, rows.len(), said)),
            bears,
            optimum,
            units,
            model,
        })
    }

    /// Adds probabilities, threshold and abstention limit; mistakes and certified rows follow them.
    pub fn with_post_processing(
        self,
        problem: &Problem<'_>,
        link: Link,
        cut: OperatingPoint,
    ) -> Result<Self, Error> {
        let model = self.model.clone().with_trust(link, cut)?;
        self.reevaluated(problem, model)
    }

    /// Marks the fit as standardized, for a saved model that takes raw rows. A prediction that
    /// rounding in the conversion can change is not certified, and counts as the saved model
    /// decides it.
    pub fn in_raw_units(
        self,
        problem: &Problem<'_>,
        standardize: &Standardization,
    ) -> Result<Self, Error> {
        let (bears, largest) = self.bears;
        let units = Some(standardize.clone());
        let e = ScoreError::of(self.model.hyperplanes(), units.as_ref()).at(largest);
        let model = self.model.clone();
        let fit = Self { units, ..self };
        // Rarely is a prediction so close to another that rounding could change it.
        if bears > e { Ok(fit) } else { fit.reevaluated(problem, model) }
    }

    fn reevaluated(self, problem: &Problem<'_>, model: LinearModel) -> Result<Self, Error> {
        let evaluated = Self::evaluated(problem, model, self.optimum, self.units)?;
        Ok(Self {
            model: evaluated.model,
            mistakes: evaluated.mistakes,
            accuracy: evaluated.accuracy,
            on_hyperplane: evaluated.on_hyperplane,
            ambiguous: evaluated.ambiguous,
            certified: evaluated.certified,
            bears: evaluated.bears,
            optimum: evaluated.optimum,
            units: evaluated.units,
            ..self
        })
    }
}

/// Prediction of a row, and its certainty under rounding.
struct Row {
    verdict: Decision,
    /// Whether the row lies exactly on a hyperplane that decides by sign.
    on: bool,
    certain: bool,
    /// Lower bound on its slack and upper bound on its ‖x‖², in 32 bits to save memory.
    slack: f32,
    norm_sq: f32,
}

/// Sums of the objectives and of their lower bounds.
fn added_up(certificates: &[OptimalityGap]) -> (Option<f64>, Option<f64>) {
    let value = certificates.iter().map(|c| c.primal).sum();
    (Some(value), certificates.iter().map(|c| c.dual.map(|d| d.value)).sum())
}
