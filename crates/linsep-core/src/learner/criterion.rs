//! The perceptron criterion of a trained model: the objective that is reported for learners without
//! one of their own.

use crate::data::Problem;
use crate::error::Error;
use crate::loss::{Loss, Perceptron};
use crate::model::LinearModel;

/// Class of every row, in the numbering of the model.
pub(super) fn targets(problem: &Problem<'_>, model: &LinearModel) -> Vec<u32> {
    let labels = problem.labels();
    let position = |label| model.classes().iter().position(|class| class == label);
    let of_class: Vec<Option<usize>> = labels.classes().iter().map(position).collect();
    let known = "the model was made from these classes";
    labels.codes().iter().map(|&c| of_class[c as usize].expect(known) as u32).collect()
}

/// Weighted mean of the perceptron loss over the hyperplanes and the rows of each.
pub(super) fn perceptron_loss(problem: &Problem<'_>, model: &LinearModel) -> Result<f64, Error> {
    let class_pairs = model.decision_rule().class_pairs(model.k());
    let (targets, s) = (targets(problem, model), problem.weights());
    let of_row = |i: usize, row: &[f64]| {
        let target = targets[i] as usize;
        let (mut loss, mut total) = (0.0, 0.0);
        for (&z, class_pair) in row.iter().zip(&class_pairs) {
            let y = match class_pair.negative {
                _ if target == class_pair.positive => 1.0,
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

/// Weighted mean over rows of the winning score minus the score of the true class.
pub(super) fn joint_perceptron_loss(
    problem: &Problem<'_>,
    model: &LinearModel,
) -> Result<f64, Error> {
    let (targets, s) = (targets(problem, model), problem.weights());
    let of_row = |i: usize, row: &[f64]| {
        let most = row.iter().fold(f64::NEG_INFINITY, |most, z| most.max(*z));
        s[i] * (most - row[targets[i] as usize])
    };
    let loss: f64 = model.map_rows(problem.x(), of_row)?.iter().sum();
    Ok(loss / s.iter().sum::<f64>())
}
