//! Leave-one-out cross-validation of least squares, for many λ at once.
//!
//! With `S_T = VΛVᵀ`, c = λS/2 and u = Vᵀ(xᵢ − m), the score of row i in the fit without it (c held
//! fixed) is
//!
//! ```text
//!   t − (t − z)/(1 − h),    h = 1/S + Σⱼ uⱼ²/(Λⱼ + c),
//! ```
//!
//! for every λ from one factorization. A row of weight 2 counts as two rows, of which one is left
//! out.
//!
//! Cost: one eigenvalue problem, n d² for the rotated rows, and n d (k + 1) per λ.
//! Source: Allen, *The relationship between variable selection and data augmentation*,
//! Technometrics 16 (1974).

use super::least_squares::Target;
use crate::control::Cancel;
use crate::data::{Design, Moments, Problem, Rows, on_rows};
use crate::error::Error;
use crate::math::kernels::dot;
use crate::math::linalg::{eigen, multiply};
use crate::math::parallel::map_blocks;
use crate::model::DecisionRule;
use std::ops::Range;

/// Leave-one-out error of one λ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LeaveOneOutError {
    /// λ.
    pub(super) lambda: f64,
    /// Mean over rows of the squared distance from scores to targets, summed over hyperplanes.
    pub(super) error: f64,
    /// Leave-one-out error rate, weighted.
    pub(super) wrong: f64,
}

/// λ from 10⁻⁸ to 10⁴ times the mean variance of a column, two values per power of ten.
pub(super) fn grid(moments: &Moments) -> Vec<f64> {
    let squares = moments.total_squares();
    let columns = squares.iter().filter(|s| **s > 0.0).count().max(1);
    let variance = squares.iter().sum::<f64>() / columns as f64 / moments.total_weight();
    (-16..=8)
        .map(|half| variance.max(f64::MIN_POSITIVE) * 10.0_f64.powf(f64::from(half) / 2.0))
        .collect()
}

/// Leave-one-out errors of every λ.
pub(super) fn leave_one_out_errors(
    problem: &Problem<'_>,
    moments: &Moments,
    targets: &[Target],
    lambdas: &[f64],
    positive: Option<usize>,
    cancel: &Cancel,
) -> Result<Vec<LeaveOneOutError>, Error> {
    // 1. Coordinates in which the scatter is diagonal.
    let (d, n, hyperplanes) = (moments.d(), moments.total_weight(), targets.len());
    const WHAT: &str = "the leave-one-out scores";
    let scatter = moments.total();
    let found = cancel.wait(move || eigen(&scatter, d));
    cancel.check(WHAT)?;
    let (values, vectors) =
        found.flatten().ok_or(Error::Range { column: 0, got: f64::INFINITY })?;
    let none = 16.0 * d.max(8) as f64 * f64::EPSILON * values.last().copied().unwrap_or(0.0);
    let along: Vec<Vec<f64>> = targets
        .iter()
        .map(|target| vectors.chunks_exact(d).map(|v| dot(v, &target.r)).collect())
        .collect();

    // 2. Factors of squares and coordinates: a column per λ, and one per λ and hyperplane.
    let share = |lambda: f64, j: usize| {
        let under = values[j].max(0.0) + lambda * n / 2.0;
        if values[j] <= none && lambda == 0.0 { 0.0 } else { 1.0 / under }
    };
    let reach: Vec<f64> = lambdas
        .iter()
        .flat_map(|&lambda| (0..d).map(move |j| (lambda, j)))
        .map(|(l, j)| share(l, j))
        .collect();
    let mut weights = Vec::with_capacity(d * lambdas.len() * hyperplanes);
    for &lambda in lambdas {
        for along in &along {
            weights.extend((0..d).map(|j| share(lambda, j) * along[j]));
        }
    }

    // 3. All rows, in blocks.
    let (center, offset) = moments.grand_mean();
    let of_block = |rows: Range<usize>| {
        if cancel.is_set() {
            return (Vec::new(), false);
        }
        let turned = turned_rows(problem.x(), rows.clone(), (&center, &offset), &vectors);
        let squares: Vec<f64> = turned.iter().map(|u| u * u).collect();
        let h = multiply(&squares, &reach, d);
        let z = multiply(&turned, &weights, d);
        let mut sums = vec![(0.0, 0.0); lambdas.len()];
        let mut exact = false;
        for (q, i) in rows.enumerate() {
            let (class, s) = (problem.labels().codes()[i] as usize, problem.weights()[i]);
            for (l, sums) in sums.iter_mut().enumerate() {
                let left = 1.0 - 1.0 / n - h[q * lambdas.len() + l];
                exact |= s > 0.0 && left < 1e-9;
                let own = &z[(q * lambdas.len() + l) * hyperplanes..][..hyperplanes];
                let mut without = Vec::with_capacity(hyperplanes);
                for (target, z) in targets.iter().zip(own) {
                    let t = target.of_class[class];
                    let miss = (t - (target.mean + z)) / left;
                    sums.0 += s * miss * miss;
                    without.push(t - miss);
                }
                let right = match positive {
                    Some(positive) => (without[0] >= 0.0) == (class == positive),
                    None => DecisionRule::ArgMax.class(&without) as usize == class,
                };
                sums.1 += if right { 0.0 } else { s };
            }
        }
        (sums, exact)
    };
    let blocks = map_blocks(problem.x().n(), 256, of_block);
    cancel.check(WHAT)?;
    if blocks.iter().any(|(_, exact)| *exact) {
        let got = lambdas.iter().copied().fold(f64::INFINITY, f64::min);
        let want = "a larger value: some row is fitted exactly, so its leave-one-out score is \
            undefined";
        return Err(Error::Setting { name: "lambda", got, want });
    }
    let mut points: Vec<LeaveOneOutError> =
        lambdas.iter().map(|&lambda| LeaveOneOutError { lambda, error: 0.0, wrong: 0.0 }).collect();
    for (sums, _) in blocks {
        for (point, (error, wrong)) in points.iter_mut().zip(sums) {
            point.error += error / n;
            point.wrong += wrong / n;
        }
    }
    Ok(points)
}

/// Vᵀ(xᵢ − m) of these rows, in row-major order.
fn turned_rows(
    x: &Design,
    rows: Range<usize>,
    (center, offset): (&[f64], &[f64]),
    vectors: &[f64],
) -> Vec<f64> {
    let d = x.d();
    let mut tile = vec![0.0; rows.len() * d];
    for (i, row) in rows.zip(tile.chunks_exact_mut(d)) {
        on_rows!(x, x => x.copy_row(i, row));
        for (v, (a, b)) in row.iter_mut().zip(center.iter().zip(offset)) {
            *v = (*v - a) - b;
        }
    }
    multiply(&tile, vectors, d)
}
