//! Certificates for hyperplanes fitted to numeric targets by penalized least squares:
//!
//! ```text
//!   F(W, b) = (1/S) Σ sᵢ ‖tᵢ − zᵢ‖² + (λ/2)‖W‖²
//!   D(a) = (1/S) Σ sᵢ (aᵢ·tᵢ − ‖aᵢ‖²/4) − ‖V‖²/2λ,     V = (1/S) Σ sᵢ xᵢ aᵢᵀ,     Σ sᵢ aᵢ = 0
//! ```
//!
//! D(a) ≤ F everywhere, as ‖t − z‖² ≥ a·(t − z) − ‖a‖²/4. F is quadratic and its gradient at the
//! optimum is 0, so F − F* = (1/S) Σ sᵢ ‖zᵢ − zᵢ*‖² + (λ/2)‖W − W*‖² exactly. So the scores of row
//! i are within √(gap · S/sᵢ) of those of the optimum. The difference of two scores changes by at
//! most √2 times that.
//!
//! The constraint holds exactly and rounding errors are included as in the binary case:
//! [`dual_point`](super::dual_point), [`optimality`](super::optimality).

use super::dual_point::balanced;
use super::gap::OptimalityGap;
use super::optimality::{
    OptimalityCertificate, TINY, joint_scores, norm, rounding, square_with_error,
};
use super::winner::Winner;
use crate::control::Cancel;
use crate::data::{Gather, Hyperplane, Problem};
use crate::math::kernels::norm_sq;
use crate::math::sum::Sum;
use std::ops::Range;

/// Certifies hyperplanes with a target per class each, from sᵢaᵢ row after row, for λ > 0. Also
/// returns, row by row, the class that wins at every optimum. `None` if the time limit is reached.
pub(crate) fn certify_squares(
    problem: &Problem<'_>,
    targets: &[Vec<f64>],
    lambda: f64,
    hyperplanes: &[Hyperplane],
    beta: &[f64],
    cancel: &Cancel,
) -> Option<(OptimalityCertificate, Vec<Option<Winner>>)> {
    let (x, s, codes) = (problem.x(), problem.weights(), problem.labels().codes());
    let (n, d, k) = (x.n(), x.d(), hyperplanes.len());
    let total = problem.class_weights().iter().copied().collect::<Sum>().value();
    let gamma = rounding(x.longest());
    let target = |i: usize, c: usize| targets[c][codes[i] as usize];

    // 1. Scores, their errors, and an upper bound on F.
    let (z, weights, norms) = joint_scores(x, hyperplanes, cancel);
    if cancel.is_certification_canceled() {
        return None;
    }
    let (size, shift) = (norm(&weights[..d * k]), norm(&weights[d * k..]));
    let error = |i: usize| gamma * (size * norms[i] + shift) + TINY;
    let few = rounding(k);
    let mut loss = Sum::default();
    for i in 0..n {
        let square: f64 = (0..k).map(|c| (target(i, c) - z[i * k + c]).powi(2)).sum();
        let off = error(i) * (2.0 * square.sqrt() + error(i)) * (1.0 + few) + few * square;
        loss.add(s[i] * (square + off));
    }
    let penalty = 0.5 * lambda * norm_sq(&weights[..d * k]) * (1.0 + rounding(d * k));
    let upper = (loss.value() / total + penalty) * (1.0 + 8.0 * f64::EPSILON) + TINY;

    // 2. A lower bound on F; a = 0 gives 0.
    let lower = bound(problem, lambda, beta, &norms, target, cancel).max(0.0);
    if cancel.is_certification_canceled() {
        return None;
    }

    // 3. The certificate and the winners.
    let gap = (upper - lower).next_up();
    let radius = (2.0 * gap / lambda).sqrt() * (1.0 + 8.0 * f64::EPSILON);
    let certificate = OptimalityCertificate {
        gap: OptimalityGap::with_bound(upper, lower),
        radius: Some(radius).filter(|radius| radius.is_finite()),
    };
    let winner = |i: usize| {
        let reach = (gap * total / s[i]).sqrt() * (1.0 + 16.0 * f64::EPSILON) + error(i);
        of_scores(&z[i * k..][..k], reach)
    };
    Some((certificate, (0..n).map(winner).collect()))
}

/// Returns a lower bound on D(a), after balancing the sᵢaᵢ.
fn bound(
    problem: &Problem<'_>,
    lambda: f64,
    beta: &[f64],
    norms: &[f64],
    target: impl Fn(usize, usize) -> f64,
    cancel: &Cancel,
) -> f64 {
    let (x, s) = (problem.x(), problem.weights());
    let (n, k) = (x.n(), beta.len() / x.n());
    let total = problem.class_weights().iter().copied().collect::<Sum>().value();
    let mut exact = vec![0.0; beta.len()];
    for c in 0..k {
        let column = beta.iter().skip(c).step_by(k).copied().collect();
        let Some(column) = balanced(column, s) else { return 0.0 };
        exact.iter_mut().skip(c).step_by(k).zip(column).for_each(|(to, own)| *to = own);
    }
    let beta = exact;

    let mut v = vec![0.0; (x.d() + 1) * k];
    let rows = |rows: Range<usize>, out: &mut [f64]| {
        let rows = &beta[rows.start * k..rows.end * k];
        out.iter_mut().zip(rows).for_each(|(out, beta)| *out = beta / total);
    };
    Gather::new(x, k).of_until(x, &mut v, rows, || cancel.is_certification_canceled());
    v.truncate(x.d() * k);
    let (mut path, mut sum, mut off) = (Sum::default(), Sum::default(), Sum::default());
    for i in (0..n).filter(|i| s[*i] > 0.0) {
        let row = &beta[i * k..][..k];
        path.add(norm_sq(row).sqrt() / total * norms[i]);
        for (c, beta) in row.iter().enumerate() {
            let (gain, square) = (beta * target(i, c), beta * (beta / s[i]) / 4.0);
            sum.add(gain);
            sum.add(-square);
            off.add(8.0 * f64::EPSILON * (gain.abs() + square));
        }
    }
    let (_, square) = square_with_error(&v, n, path.value());
    let losses = (sum.value() - off.value()) / total;
    losses - 4.0 * f64::EPSILON * losses.abs() - square / (2.0 * lambda) - TINY
}

/// Returns the winner of scores with an error of at most `reach` in norm; a single score decides by
/// its sign.
fn of_scores(z: &[f64], reach: f64) -> Option<Winner> {
    if let [z] = z {
        return (z.abs() > reach).then(|| Winner::of(u32::from(*z > 0.0)));
    }
    let first = (1..z.len()).fold(0, |best, j| if z[j] > z[best] { j } else { best });
    let others = z.iter().enumerate().filter(|(j, _)| *j != first);
    let lead = z[first] - others.fold(f64::NEG_INFINITY, |most, (_, z)| most.max(*z));
    let apart = std::f64::consts::SQRT_2 * reach * (1.0 + 8.0 * f64::EPSILON);
    let reach = apart + 4.0 * f64::EPSILON * z[first].abs();
    (lead > reach).then(|| Winner::of(first as u32).with_lead(lead - reach, lead + reach))
}
