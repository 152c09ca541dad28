//! Platt scaling: p = σ(a z + c), with a and c of maximum likelihood on out-of-fold rows.
//!
//! ```text
//!   minimize Σ sᵢ ( −tᵢ ln pᵢ − (1 − tᵢ) ln(1 − pᵢ) ),
//!   with t = (S₊ + 1)/(S₊ + 2) for a row of the class, 1/(S₋ + 2) for others,
//! ```
//!
//! and S₊ and S₋ the total weights of the two. The targets are shrunk slightly from 0 and 1, as if
//! one more row of each kind had been misclassified. So the minimum exists even for separable
//! scores, and a few rows do not give extreme probabilities. The sum is convex in (a, c). Newton's
//! method with step halving minimizes it, in units in which scores have mean 0 and standard
//! deviation 1. If all scores are equal, a is 0.
//!
//! Cost: about ten passes over the scores.
//! Sources: Platt, *Probabilistic outputs for support vector machines* (1999); Lin, Lin & Weng, *A
//! note on Platt's probabilistic outputs for support vector machines*, Machine Learning 68 (2007).

use super::{OutOfFoldScores, hyperplanes};
use crate::loss::{Logistic, Loss};
use crate::model::{Link, PlattScaling};

/// Fits a slope and an intercept per hyperplane.
pub(super) fn platt(held: &OutOfFoldScores) -> Link {
    Link::Platt(hyperplanes(held).map(|(up, z)| platt_scaling(&up, &z, &held.weights)).collect())
}

/// a and c of one hyperplane.
pub(crate) fn platt_scaling(up: &[bool], z: &[f64], s: &[f64]) -> PlattScaling {
    // 1. Targets, and standardized scores, for which Newton's method is well conditioned.
    let weight = |kind: bool| -> f64 {
        up.iter().zip(s).filter(|(up, _)| **up == kind).map(|(_, s)| s).sum()
    };
    let (ups, downs) = (weight(true), weight(false));
    let total = ups + downs;
    if total == 0.0 {
        return PlattScaling { a: 0.0, c: 0.0 };
    }
    let target = |up: bool| if up { (ups + 1.0) / (ups + 2.0) } else { 1.0 / (downs + 2.0) };
    let t: Vec<f64> = up.iter().map(|&up| target(up)).collect();
    let mean = z.iter().zip(s).map(|(z, s)| s * z).sum::<f64>() / total;
    let square = z.iter().zip(s).map(|(z, s)| s * (z - mean) * (z - mean)).sum::<f64>();
    let spread = (square / total).sqrt();
    let unit: Vec<f64> =
        z.iter().map(|z| if spread > 0.0 { (z - mean) / spread } else { 0.0 }).collect();

    // 2. Newton's method with step halving.
    let mean_t = t.iter().zip(s).map(|(t, s)| s * t).sum::<f64>() / total;
    let mut at = (0.0, (mean_t / (1.0 - mean_t)).ln());
    let mut value = cost(&unit, &t, s, at);
    for _ in 0..MOST {
        let step = newton(&unit, &t, s, at, total);
        let mut length = 1.0;
        let (next, lower) = loop {
            let next = (at.0 + length * step.0, at.1 + length * step.1);
            let there = cost(&unit, &t, s, next);
            if there <= value || length < 1e-10 {
                break (next, there);
            }
            length /= 2.0;
        };
        if lower > value {
            break; // only rounding is left
        }
        let moved = (length * step.0).abs().max((length * step.1).abs());
        (at, value) = (next, lower);
        if moved < 1e-12 * (1.0 + at.0.abs() + at.1.abs()) {
            break;
        }
    }

    // 3. Conversion to the units of the scores.
    let a = if spread > 0.0 { at.0 / spread } else { 0.0 };
    PlattScaling { a, c: at.1 - a * mean }
}

/// Limit on the steps of Newton's method; about ten are usual.
const MOST: usize = 100;

/// Σ s (ln(1 + e^u) − t u), u = a z + c.
fn cost(z: &[f64], t: &[f64], s: &[f64], (a, c): (f64, f64)) -> f64 {
    let of_row = |((z, t), s): ((&f64, &f64), &f64)| {
        let u = a * z + c;
        // ln(1 + e^u) = ℓ(−u) of the logistic loss.
        s * (Logistic.value(-u) - t * u)
    };
    z.iter().zip(t).zip(s).map(of_row).sum()
}

/// −H⁻¹g, with a tiny ridge for scores that do not differ.
fn newton(z: &[f64], t: &[f64], s: &[f64], (a, c): (f64, f64), total: f64) -> (f64, f64) {
    let (mut g, mut h) = ([0.0; 2], [1e-12 * total, 0.0, 1e-12 * total]);
    for ((z, t), s) in z.iter().zip(t).zip(s) {
        let p = Logistic.probability(a * z + c).expect("the logistic loss has one");
        let (miss, bend) = (s * (p - t), s * p * (1.0 - p));
        g[0] += miss * z;
        g[1] += miss;
        h[0] += bend * z * z;
        h[1] += bend * z;
        h[2] += bend;
    }
    let det = h[0] * h[2] - h[1] * h[1];
    (-(h[2] * g[0] - h[1] * g[1]) / det, -(h[0] * g[1] - h[1] * g[0]) / det)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_zero_at_the_minimizer() {
        let z: [f64; 6] = [-300.0, -100.0, 50.0, -20.0, 120.0, 400.0];
        let up = [false, false, false, true, true, true];
        let s = [1.0, 2.0, 1.0, 0.5, 1.0, 1.0];
        let PlattScaling { a, c } = platt_scaling(&up, &z, &s);
        assert!(a > 0.0);
        let (ups, downs) = (2.5, 4.0);
        let (mut slope, mut height) = (0.0, 0.0);
        for i in 0..6 {
            let t = if up[i] { (ups + 1.0) / (ups + 2.0) } else { 1.0 / (downs + 2.0) };
            let p = 1.0 / (1.0 + (-a * z[i] - c).exp());
            slope += s[i] * (p - t) * z[i];
            height += s[i] * (p - t);
        }
        assert!(slope.abs() < 1e-7 && height.abs() < 1e-9, "{slope} {height}");
    }

    #[test]
    fn equal_scores_give_the_class_share() {
        let PlattScaling { a, c } = platt_scaling(&[true, true, false], &[7.0; 3], &[1.0; 3]);
        let p = 1.0 / (1.0 + (-c).exp());
        // Targets 3/4, 3/4 and 1/3: their mean.
        assert!(a == 0.0 && (p - 11.0 / 18.0).abs() < 1e-12, "{a} {p}");
    }
}
