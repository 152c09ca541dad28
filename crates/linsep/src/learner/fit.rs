//! What learning ends in: a model, and how it came about.

use super::Facts;
use crate::certify::{Certificate, Proof};
use crate::control::Stop;
use crate::data::{Plane, Problem};
use crate::error::Error;
use crate::infer::Inference;
use crate::joint::Found;
use crate::loss::{Loss, Perceptron};
use crate::metric::accuracy;
use crate::model::{Cut, Decide, LinearModel, Link};
use crate::options::Setting;
use crate::solver::Solution;

/// A model and how it came about.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The model.
    pub model: LinearModel,
    /// The scheme by which more than two classes were told apart, if there was a choice.
    pub multiclass: Option<&'static str>,
    /// How each plane's run ended; none where the planes were computed directly, or found together.
    pub runs: Vec<Solution>,
    /// How planes that were found together came about.
    pub together: Option<Together>,
    /// Why it ended: of several runs, the worst reason.
    pub stop: Stop,
    /// Passes over the data, of the longest run.
    pub epochs: u64,
    /// Corrections over all runs.
    pub updates: u64,
    /// Weight of the training rows the model predicts wrongly.
    pub mistakes: f64,
    /// Weighted share of the training rows it predicts rightly.
    pub accuracy: f64,
    /// Value of the criterion, where there is one: of several planes the sum, and of perceptrons the weighted mean
    /// of their loss over rows and planes.
    pub criterion: Option<f64>,
    /// The best lower bound on it that is proved, where there is one.
    pub bound: Option<f64>,
    /// Training rows that lie exactly on a plane that decides by sign: prediction gives them to the
    /// positive class.
    pub on_the_plane: usize,
    /// Training rows that the planes leave to no class: see [`Decide::ambiguous`].
    pub ambiguous: usize,
    /// Directions that rows can be projected onto, the most telling first, where the learner has them: wⱼ·x + bⱼ is a
    /// coordinate of the projection.
    pub directions: Vec<Plane>,
    /// What is known of the coefficients, where it was asked: in the units that were asked for.
    pub inference: Option<Inference>,
    /// What else there is to say.
    pub facts: Facts,
    /// Settings that were chosen from the data, where the method was asked to.
    pub chosen: Vec<(&'static str, Setting)>,
}

/// How planes that were found together came about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Together {
    /// Corrections.
    pub updates: u64,
    /// Those of them at which no class had won, where the rule has such.
    pub ties: u64,
    /// How good they are for certain, where a criterion was minimised.
    pub proof: Option<Proof>,
    /// The way of minimising, where there is one.
    pub way: Option<&'static str>,
}

impl Together {
    /// Of what was found, with so many ties.
    pub(super) fn of(found: &Found, ties: u64) -> Self {
        Self { updates: found.updates, ties, proof: found.proof, way: found.way }
    }
}

impl Fit {
    /// What is proved: of each plane, or of all of them together.
    pub fn proofs(&self) -> Vec<(Proof, &'static str)> {
        let of_runs = self.runs.iter().map(|run| (run.proof, run.way));
        let all = of_runs.chain(self.together.map(|all| (all.proof, all.way)));
        all.filter_map(|(proof, way)| Some((proof?, way.unwrap_or_default()))).collect()
    }

    /// Why it ended, in words for a person: as [`Stop::meaning`], where the rule that ended it says no more.
    pub fn meaning(&self) -> &'static str {
        let proofs = self.proofs();
        let bounded = proofs.iter().all(|(proof, _)| proof.certificate.dual.is_some());
        match self.stop {
            Stop::Optimal if !bounded => "the gradient is as near to 0 as was asked for",
            Stop::Stationary if !proofs.is_empty() => {
                "no step lowers the criterion any more, as far as doubles can tell"
            }
            Stop::Unbounded if self.mistakes > 0.0 => {
                "the criterion falls for ever as some of the weights grow, so that there is no optimum; add a penalty"
            }
            stop => stop.meaning(),
        }
    }

    /// Planes that were not begun, as the run was to end before it came to them.
    pub fn not_begun(&self) -> usize {
        self.runs.iter().filter(|run| run.is_unbegun()).count()
    }

    /// The same, where a watcher's request to stop has a reason.
    pub(super) fn because(mut self, why: Stop) -> Self {
        let stops = self.runs.iter_mut().map(|run| &mut run.stop).chain([&mut self.stop]);
        stops.filter(|stop| **stop == Stop::Asked).for_each(|stop| *stop = why);
        self
    }

    /// A model whose planes were found by these runs.
    pub(super) fn of_runs(
        problem: &Problem<'_>,
        model: LinearModel,
        multiclass: Option<&'static str>,
        runs: Vec<Solution>,
    ) -> Result<Self, Error> {
        let proofs: Vec<Certificate> =
            runs.iter().filter_map(|run| run.proof.map(|proof| proof.certificate)).collect();
        let (criterion, bound) = match proofs.len() {
            0 => (Some(perceptron_loss(problem, &model)?), None),
            all if all == runs.len() => added_up(&proofs),
            // Of planes that were not begun nothing is known.
            _ => (None, None),
        };
        Ok(Self {
            multiclass,
            stop: runs.iter().map(|s| s.stop).max().unwrap_or(Stop::Budget),
            epochs: runs.iter().map(|s| s.epochs).max().unwrap_or(0),
            updates: runs.iter().map(|s| s.updates).sum(),
            criterion,
            bound,
            runs,
            ..Self::of_model(problem, model)?
        })
    }

    /// A model whose planes were found together.
    pub(super) fn of_together(
        problem: &Problem<'_>,
        model: LinearModel,
        multiclass: Option<&'static str>,
        stop: Stop,
        epochs: u64,
        together: Together,
    ) -> Result<Self, Error> {
        let (criterion, bound) = match together.proof {
            Some(proof) => added_up(&[proof.certificate]),
            None => (Some(joint_perceptron_loss(problem, &model)?), None),
        };
        Ok(Self {
            multiclass,
            stop,
            epochs,
            updates: together.updates,
            criterion,
            bound,
            together: Some(together),
            ..Self::of_model(problem, model)?
        })
    }

    /// A model whose planes were computed directly, in one pass.
    pub(super) fn of_model(problem: &Problem<'_>, model: LinearModel) -> Result<Self, Error> {
        let sign = model.decide() == Decide::Sign;
        let of_row = |_: usize, z: &[f64]| (model.decide().verdict(z), sign && z[0] == 0.0);
        let rows = model.map_rows(problem.x(), of_row)?;
        let target = targets(problem, &model);
        let predicted: Vec<u32> = rows.iter().map(|((class, _), _)| *class).collect();
        let wrong = target.iter().zip(&predicted).zip(problem.weights());
        Ok(Self {
            multiclass: None,
            runs: Vec::new(),
            together: None,
            stop: Stop::Computed,
            epochs: 1,
            updates: 0,
            mistakes: wrong.filter(|((t, p), _)| t != p).map(|(_, s)| s).sum(),
            accuracy: accuracy(&target, &predicted, problem.weights()),
            criterion: None,
            bound: None,
            on_the_plane: rows.iter().filter(|(_, on)| *on).count(),
            ambiguous: rows.iter().filter(|((_, open), _)| *open).count(),
            directions: Vec::new(),
            inference: None,
            facts: Facts::default(),
            chosen: Vec::new(),
            model,
        })
    }
}

impl Fit {
    /// The same with probabilities, a threshold and a limit that were learned; the mistakes are those of the threshold.
    pub fn with_trust(self, problem: &Problem<'_>, link: Link, cut: Cut) -> Result<Self, Error> {
        let model = self.model.with_trust(link, cut)?;
        let (target, predicted) = (targets(problem, &model), model.predict(problem.x())?);
        let rows = target.iter().zip(&predicted).zip(problem.weights());
        Ok(Self {
            mistakes: rows.filter(|((t, p), _)| t != p).map(|(_, s)| s).sum(),
            accuracy: accuracy(&target, &predicted, problem.weights()),
            model,
            ..self
        })
    }
}

/// The class of every row as the model numbers them.
fn targets(problem: &Problem<'_>, model: &LinearModel) -> Vec<u32> {
    let labels = problem.labels();
    let position = |label| model.classes().iter().position(|class| class == label);
    let of_class: Vec<Option<usize>> = labels.classes().iter().map(position).collect();
    let known = "the model was made from these classes";
    labels.codes().iter().map(|&c| of_class[c as usize].expect(known) as u32).collect()
}

/// The criterion and its lower bound, added up.
fn added_up(certificates: &[Certificate]) -> (Option<f64>, Option<f64>) {
    let value = certificates.iter().map(|c| c.primal).sum();
    (Some(value), certificates.iter().map(|c| c.dual.map(|d| d.value)).sum())
}

/// The weighted mean of the perceptrons' loss over the planes and the rows that each of them is about.
fn perceptron_loss(problem: &Problem<'_>, model: &LinearModel) -> Result<f64, Error> {
    let duels = model.decide().duels(model.k());
    let (targets, s) = (targets(problem, model), problem.weights());
    let of_row = |i: usize, row: &[f64]| {
        let target = targets[i] as usize;
        let (mut loss, mut total) = (0.0, 0.0);
        for (&z, duel) in row.iter().zip(&duels) {
            let y = match duel.negative {
                _ if target == duel.positive => 1.0,
                Some(negative) if target != negative => continue,
                _ => -1.0,
            };
            loss += s[i] * Perceptron.value(y * z);
            total += s[i];
        }
        (loss, total)
    };
    let rows = model.map_rows(problem.x(), of_row)?;
    let add = |(loss, total): (f64, f64), row: &(f64, f64)| (loss + row.0, total + row.1);
    let (loss, total) = rows.iter().fold((0.0, 0.0), add);
    Ok(loss / total)
}

/// The weighted mean over rows of how far the winner's score is above that of the row's own class.
fn joint_perceptron_loss(problem: &Problem<'_>, model: &LinearModel) -> Result<f64, Error> {
    let scores = model.scores(problem.x())?;
    let rows = scores.chunks_exact(model.k()).zip(targets(problem, model));
    let short = |(row, target): (&[f64], u32)| {
        let most = row.iter().fold(f64::NEG_INFINITY, |most, z| most.max(*z));
        most - row[target as usize]
    };
    let loss: f64 = rows.zip(problem.weights()).map(|(row, s)| s * short(row)).sum();
    Ok(loss / problem.weights().iter().sum::<f64>())
}
