//! What learning ends in: a model, and how it came about.

use super::Facts;
use crate::control::Stop;
use crate::data::{Plane, Problem};
use crate::error::Error;
use crate::loss::{Loss, Perceptron};
use crate::metric::accuracy;
use crate::model::{Decide, LinearModel};
use crate::solver::Solution;

/// A model and how it came about.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The model.
    pub model: LinearModel,
    /// How many classes were made two, if they were.
    pub multiclass: Option<&'static str>,
    /// How each plane's run ended; none where the planes were computed directly.
    pub runs: Vec<Solution>,
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
    /// Directions that rows can be projected onto, the most telling first, where the learner has them: wⱼ·x + bⱼ is a
    /// coordinate of the projection.
    pub directions: Vec<Plane>,
    /// What else there is to say.
    pub facts: Facts,
}

impl Fit {
    /// A model whose planes were found by these runs.
    pub(super) fn of_runs(
        problem: &Problem<'_>,
        model: LinearModel,
        multiclass: Option<&'static str>,
        runs: Vec<Solution>,
    ) -> Result<Self, Error> {
        let (criterion, bound) = match proofs(&runs) {
            Some((value, bound)) => (value, bound),
            None => (perceptron_loss(problem, &model)?, None),
        };
        Ok(Self {
            multiclass,
            stop: runs.iter().map(|s| s.stop).max().unwrap_or(Stop::Budget),
            epochs: runs.iter().map(|s| s.epochs).max().unwrap_or(0),
            updates: runs.iter().map(|s| s.updates).sum(),
            criterion: Some(criterion),
            bound,
            runs,
            ..Self::of_model(problem, model)?
        })
    }

    /// A model whose planes were computed directly, in one pass.
    pub(super) fn of_model(problem: &Problem<'_>, model: LinearModel) -> Result<Self, Error> {
        let scores = model.scores(problem.x())?;
        let (target, predicted) = (targets(problem, &model), model.decide_all(&scores));
        let rows = target.iter().zip(&predicted).zip(problem.weights());
        let on = |z: &&f64| model.decide() == Decide::Sign && **z == 0.0;
        Ok(Self {
            multiclass: None,
            runs: Vec::new(),
            stop: Stop::Computed,
            epochs: 1,
            updates: 0,
            mistakes: rows.filter(|((t, p), _)| t != p).map(|(_, s)| s).sum(),
            accuracy: accuracy(&target, &predicted, problem.weights()),
            criterion: None,
            bound: None,
            on_the_plane: scores.iter().filter(on).count(),
            directions: Vec::new(),
            facts: Facts::default(),
            model,
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

/// The criterion and its lower bound, added up over planes that have them.
fn proofs(runs: &[Solution]) -> Option<(f64, Option<f64>)> {
    let certificates: Option<Vec<_>> =
        runs.iter().map(|run| run.proof.map(|proof| proof.certificate)).collect();
    let certificates = certificates?;
    let value = certificates.iter().map(|c| c.primal).sum();
    let bound = certificates.iter().map(|c| c.dual.map(|d| d.value)).sum();
    Some((value, bound))
}

/// The weighted mean of the perceptrons' loss over rows and planes.
fn perceptron_loss(problem: &Problem<'_>, model: &LinearModel) -> Result<f64, Error> {
    let planes = model.planes().len();
    let mut loss = 0.0;
    for ((row, target), s) in model
        .scores(problem.x())?
        .chunks_exact(planes)
        .zip(targets(problem, model))
        .zip(problem.weights())
    {
        for (j, &z) in row.iter().enumerate() {
            let positive = if model.decide() == Decide::Sign { 1 } else { j };
            let y = if target as usize == positive { 1.0 } else { -1.0 };
            loss += s * Perceptron.value(y * z);
        }
    }
    Ok(loss / (problem.weights().iter().sum::<f64>() * planes as f64))
}
