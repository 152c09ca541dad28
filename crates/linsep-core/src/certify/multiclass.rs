//! Consequences of a duality gap for jointly trained hyperplanes: softmax regression and the
//! Crammer–Singer SVM.
//!
//! Both minimize (1/S) Σ sᵢ ℓ(zᵢ, yᵢ) + (λ/2)‖W‖² with a loss that is a maximum over distributions
//! q on the classes; with δ = 1 for classes other than the true class of the row,
//!
//! ```text
//!   softmax           ℓ = ln Σ e^(zₖ) − z_y       = max_q  q·z + H(q) − z_y
//!   Crammer–Singer    ℓ = maxₖ (zₖ + δₖ) − z_y    = max_q  q·(z + δ) − z_y
//!
//! D(q) = (1/S) Σ sᵢ c(qᵢ) − ‖V‖²/2λ,     V = (1/S) Σ sᵢ xᵢ(e(yᵢ) − qᵢ)ᵀ,     c = H or q·δ,
//! W(q) = V/λ
//! ```
//!
//! for feasible q ([`Flows`]). As in the binary case ([`optimality`](super::optimality)), P − D ≥
//! (λ/2)(‖W−W*‖² + ‖W(q)−W*‖²) + (1/S) Σ sᵢ φ(zᵢ*, qᵢ). Here φ is the deficit of qᵢ: the maximum
//! that defines ℓ minus its value at qᵢ. So with G = gap · S/sᵢ, for every optimum:
//!
//! * *softmax:* KL(qᵢ ‖ pᵢ*) ≤ G. Class a beats class c if q(a) > q(c) and replacing both by their
//!   mean costs more than G. The cost is smallest for the second largest q(c). The binary
//!   divergence bounds p*(a).
//! * *Crammer–Singer:* q(a) (max v − v(a)) ≤ G with v = z* + δ; so the true class y wins if q(y) >
//!   G.
//!
//! ```text
//!   q(a) ln(2q(a)/(q(a)+q(c))) + q(c) ln(2q(c)/(q(a)+q(c))) > G,     kl(q(a) ‖ p*(a)) ≤ G
//!   z*(a) − z*(c) ≥ δ(c) − δ(a) − G/q(a)
//! ```
//!
//! # Rounding
//!
//! As in the binary case. The error of a score is e ≤ γ(‖w‖‖xᵢ‖ + |b|). The error of a loss is 2e
//! plus that of its own evaluation. The error of V is γ Σ ‖fᵢ‖‖xᵢ‖/S in norm.

use super::flows::Flows;
use super::gap::OptimalityGap;
use super::optimality::{
    MEAN, OptimalityCertificate, TINY, joint_scores, norm, rounding, square_with_error,
};
use super::winner::Winner;
use crate::control::Cancel;
use crate::data::{Gather, Hyperplane, Problem};
use crate::loss::{Logistic, Loss, MulticlassLoss};
use crate::math::kernels;
use crate::math::scalar::{exp_below_zero, ln, ln_1p_of_share};
use crate::math::sum::Sum;
use std::ops::Range;

/// Certifies hyperplanes with the distributions q of a solver, for λ > 0. Also returns, row by row,
/// the class that wins at every optimum. `None` if the time limit is reached.
pub(crate) fn certify_multiclass(
    problem: &Problem<'_>,
    loss: MulticlassLoss,
    (lambda, intercept): (f64, bool),
    hyperplanes: &[Hyperplane],
    q: Vec<f64>,
    cancel: &Cancel,
) -> Option<(OptimalityCertificate, Option<Vec<Option<Winner>>>)> {
    let (x, k) = (problem.x(), hyperplanes.len());
    let (s, codes) = (problem.weights(), problem.labels().codes());
    let total = problem.class_weights().iter().copied().collect::<Sum>().value();
    let (gamma, d) = (rounding(x.longest()), x.d());

    // 1. An upper bound on P.
    let (z, _, norms) = joint_scores(x, hyperplanes, cancel);
    let size = hyperplanes.iter().map(|hyperplane| norm(&hyperplane.w)).fold(0.0, f64::max);
    let shift = hyperplanes.iter().map(|hyperplane| hyperplane.b.abs()).fold(0.0, f64::max);
    let (mut losses, mut lost) = (Sum::default(), Sum::default());
    for (i, z) in z.chunks_exact(k).enumerate() {
        if cancel.is_certification_canceled() {
            return None;
        }
        let (value, off) = value(loss, z, codes[i] as usize);
        let e = gamma * (size * norms[i] + shift) + TINY;
        losses.add(s[i] * value);
        lost.add(s[i] * (2.0 * e + off));
    }
    let square: f64 = hyperplanes.iter().map(|hyperplane| kernels::norm_sq(&hyperplane.w)).sum();
    let upper = (losses.value() + lost.value() * (1.0 + MEAN)) / total * (1.0 + MEAN)
        + 0.5 * lambda * square * (1.0 + rounding(d * k))
        + TINY;

    // 2. A lower bound on D.
    let nothing = || (OptimalityGap::with_bound(upper, 0.0), None, None);
    let flows = Flows::near(problem, intercept, q, cancel);
    if cancel.is_certification_canceled() {
        return None;
    }
    let (gap, radius, flows) = match flows {
        None => nothing(),
        Some(flows) => {
            let (lower, v, delta) = bound(problem, loss, lambda, total, &flows, &norms, cancel)?;
            if lower > 0.0 && lower.is_finite() {
                let width = (upper - lower).next_up().max(0.0);
                let radius = distance(hyperplanes, &v, delta, lambda, width);
                (OptimalityGap::with_bound(upper, lower), Some(radius), Some((flows, width)))
            } else {
                nothing()
            }
        }
    };
    let certificate = OptimalityCertificate { gap, radius: radius.filter(|r| r.is_finite()) };

    // 3. Winners.
    if cancel.is_certification_canceled() {
        return None;
    }
    let winners = flows.map(|(flows, width)| {
        let mut q = vec![0.0; k];
        let mut winner = |i: usize| {
            let own = codes[i] as usize;
            flows.distribution(i, own, s[i], &mut q);
            let most = width * (total / s[i]) * (1.0 + 16.0 * f64::EPSILON);
            match loss {
                _ if s[i] == 0.0 => None,
                MulticlassLoss::Softmax => of_softmax(&q, most),
                MulticlassLoss::CrammerSinger => of_margins(&q, own, most),
            }
        };
        (0..x.n()).map(&mut winner).collect()
    });
    Some((certificate, winners))
}

/// Returns the loss of a row and a bound on its evaluation error.
fn value(loss: MulticlassLoss, z: &[f64], own: usize) -> (f64, f64) {
    match loss {
        MulticlassLoss::Softmax => {
            // Relative to the largest score, whose exponential is 1.
            let (first, _) = largest_two(z);
            let others = z.iter().enumerate().filter(|(j, _)| *j != first);
            let rest: f64 = others.map(|(_, other)| exp_below_zero(other - z[first])).sum();
            let lead = z[first] - z[own];
            let log = if rest <= 1.0 { ln_1p_of_share(rest) } else { ln(1.0 + rest) };
            // A difference of scores up to 745 is rounded before it becomes an exponent.
            (lead + log, f64::EPSILON * (4.0 * lead + rest * (400.0 + z.len() as f64)) + TINY)
        }
        MulticlassLoss::CrammerSinger => {
            let others = z.iter().enumerate().filter(|(j, _)| *j != own);
            let most = others.fold(z[own], |most, (_, z)| most.max(z + 1.0));
            (most - z[own], f64::EPSILON * (2.0 + 2.0 * most.abs() + z[own].abs()))
        }
    }
}

/// Returns D, V and a bound on the error of V in norm; `None` if the time limit is reached.
fn bound(
    problem: &Problem<'_>,
    loss: MulticlassLoss,
    lambda: f64,
    total: f64,
    flows: &Flows,
    norms: &[f64],
    cancel: &Cancel,
) -> Option<(f64, Vec<f64>, f64)> {
    let (x, k) = (problem.x(), flows.k);
    let (s, codes) = (problem.weights(), problem.labels().codes());
    // Row i of f: minus the parts given to other classes, and their sum for the true class.
    let row = |i: usize, f: &mut [f64]| {
        f.copy_from_slice(&flows.parts[i * k..][..k]);
        let given: f64 = f.iter().sum();
        f.iter_mut().for_each(|f| *f = -*f / total);
        f[codes[i] as usize] = given / total;
    };
    let mut v = vec![0.0; (x.d() + 1) * k];
    let rows = |rows: Range<usize>, out: &mut [f64]| {
        rows.zip(out.chunks_exact_mut(k)).for_each(|(i, f)| row(i, f));
    };
    Gather::new(x, k).of_until(x, &mut v, rows, || cancel.is_certification_canceled());
    v.truncate(x.d() * k);

    let (mut f, mut q) = (vec![0.0; k], vec![0.0; k]);
    let (mut path, mut sum, mut off) = (Sum::default(), Sum::default(), Sum::default());
    for i in 0..x.n() {
        if cancel.is_certification_canceled() {
            return None;
        }
        row(i, &mut f);
        path.add(kernels::norm_sq(&f).sqrt() * norms[i]);
        let own = codes[i] as usize;
        match loss {
            MulticlassLoss::Softmax => {
                flows.distribution(i, own, s[i], &mut q);
                let terms = q.iter().filter(|q| **q >= f64::MIN_POSITIVE).map(|q| -q * ln(*q));
                let entropy: f64 = terms.sum();
                sum.add(s[i] * entropy);
                off.add(s[i] * f64::EPSILON * (32.0 + k as f64) * (entropy + 2.0));
            }
            // Whole multiples of a power of two: the sum of a row is exact.
            MulticlassLoss::CrammerSinger => sum.add(f[own] * total),
        }
    }
    let (delta, square) = square_with_error(&v, x.n(), path.value());
    let losses = sum.value() / total;
    let value = losses
        - MEAN * losses
        - off.value() / total * (1.0 + MEAN)
        - square / (2.0 * lambda)
        - TINY;
    Some((value, v, delta))
}

/// Returns an upper bound on ‖W − W*‖.
fn distance(hyperplanes: &[Hyperplane], v: &[f64], delta: f64, lambda: f64, gap: f64) -> f64 {
    const FEW: f64 = 1.0 + 8.0 * f64::EPSILON;
    let k = hyperplanes.len();
    let dual: Vec<f64> = v.iter().map(|v| v / lambda).collect();
    let apart: Vec<f64> =
        dual.iter().enumerate().map(|(at, dual)| hyperplanes[at % k].w[at / k] - dual).collect();
    let off = (delta / lambda + 2.0 * f64::EPSILON * norm(&dual)) * FEW;
    let at_least = (kernels::norm_sq(&apart).sqrt() * (1.0 - rounding(v.len())) - off).max(0.0);
    let square = gap / lambda * FEW - 0.25 * at_least * at_least / FEW;
    let middle = 0.5 * (norm(&apart) + off) + square.max(0.0).sqrt() * FEW;
    middle.min((2.0 * gap / lambda).sqrt()) * FEW
}

/// Returns the index of the largest entry, and the largest of the remaining entries.
fn largest_two(q: &[f64]) -> (usize, f64) {
    let first = (1..q.len()).fold(0, |best, j| if q[j] > q[best] { j } else { best });
    (first, largest_but(q, first))
}

fn largest_but(q: &[f64], this: usize) -> f64 {
    let rest = q.iter().enumerate().filter(|(j, _)| *j != this);
    rest.fold(f64::NEG_INFINITY, |most, (_, q)| most.max(*q))
}

fn of_softmax(q: &[f64], most: f64) -> Option<Winner> {
    let (first, second) = largest_two(q);
    let (a, c) = (q[first], second);
    let part = |p: f64| if p > 0.0 { p * (2.0 * p / (a + c)).ln() } else { 0.0 };
    if !(a > c && part(a) + part(c) - 64.0 * f64::EPSILON * (a + c) > most) {
        return None;
    }
    // kl(q ‖ p) ≤ most is the excess of the logistic loss for α = 1 − q, with p = σ(m).
    let (low, high) = Logistic.margins_within((1.0 - a).max(0.0), most + 1e-14);
    let probability = |m: f64| Logistic.probability(m).unwrap_or(f64::NAN);
    let known = |p: f64, otherwise: f64| if p.is_nan() { otherwise } else { p };
    let bounds = (known(probability(low), 0.0) - 1e-14, known(probability(high), 1.0) + 1e-14);
    Some(Winner::of(first as u32).with_probability(bounds.0, bounds.1))
}

fn of_margins(q: &[f64], own: usize, most: f64) -> Option<Winner> {
    const FEW: f64 = 1.0 + 8.0 * f64::EPSILON;
    // Lower bound on the lead over every class, and upper bound on the lead over some class.
    let least = 1.0 - most / q[own] * FEW;
    let largest = 1.0 + most / largest_but(q, own) * FEW;
    (least > 0.0).then(|| Winner::of(own as u32).with_lead(least - 1e-15, largest + 1e-15))
}
