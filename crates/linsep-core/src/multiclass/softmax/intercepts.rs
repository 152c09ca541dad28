//! Best intercepts for fixed W.
//!
//! ```text
//!   min over b of  (1/S) Σ sᵢ (ln Σⱼ e^(zᵢⱼ + bⱼ) − zᵢ,yᵢ − b_yᵢ)
//! ```
//!
//! is a convex problem in k variables that needs only the scores. At its solution the class
//! constraints hold, r = (1/S) Σ sᵢ (pᵢ − eᵢ) = 0, as a lower bound without loss requires. The
//! method is Newton's. A constant added to all intercepts changes nothing, so 11ᵀ/k is added to the
//! curvature. It terminates when r is negligible, or a step has no gain.
//!
//! Cost: k² operations per row and step; a few steps.

use super::criterion::{BLOCK, SoftmaxObjective, normalize};
use crate::math::linalg::Cholesky;
use crate::math::sum::Sum;
use rayon::prelude::*;

/// Largest number of classes; beyond it the cost exceeds the benefit.
pub(super) const MOST_CLASSES: usize = 64;

/// Adds the best intercepts to the scores of all rows, or better ones after cancellation; returns
/// the changes.
pub(super) fn fit_intercepts(criterion: &SoftmaxObjective<'_>, z: &mut [f64]) -> Vec<f64> {
    const MOST: usize = 30;
    /// Tolerance on r, relative to the class share.
    const NOTHING: f64 = 1e-13;
    let k = criterion.k;
    let mut total = vec![0.0; k];
    let mut now = Slope::at(criterion, z);
    for _ in 0..MOST {
        if criterion.cancel.is_set() {
            break;
        }
        let least =
            criterion.shares.iter().zip(&now.r).all(|(share, r)| r.abs() <= NOTHING * share);
        let Some(factor) = Cholesky::new(&now.h, k).filter(|_| !least) else { break };
        let mut by: Vec<f64> = now.r.iter().map(|r| -r).collect();
        factor.solve(&mut by);
        add(z, &by);
        let mut next = Slope::at(criterion, z);
        // Halve the step until the loss falls.
        for _ in 0..MOST {
            if next.value <= now.value {
                break;
            }
            by.iter_mut().for_each(|by| *by *= -0.5);
            add(z, &by);
            by.iter_mut().for_each(|by| *by = -*by);
            next = Slope::at(criterion, z);
        }
        total.iter_mut().zip(&by).for_each(|(total, by)| *total += by);
        let gained = next.value < now.value;
        now = next;
        if !gained {
            break;
        }
    }
    total
}

fn add(z: &mut [f64], by: &[f64]) {
    z.par_chunks_mut(BLOCK * by.len()).for_each(|z| {
        for z in z.chunks_exact_mut(by.len()) {
            z.iter_mut().zip(by).for_each(|(z, by)| *z += by);
        }
    });
}

/// Mean loss, its slope and its curvature in the intercepts.
struct Slope {
    value: f64,
    r: Vec<f64>,
    /// k × k.
    h: Vec<f64>,
}

impl Slope {
    fn at(criterion: &SoftmaxObjective<'_>, z: &[f64]) -> Self {
        let k = criterion.k;
        let parts: Vec<Vec<f64>> = z
            .par_chunks(BLOCK * k)
            .enumerate()
            .map(|(block, z)| {
                let mut sums = vec![0.0; 1 + k + k * k];
                let mut p = vec![0.0; k];
                for (i, z) in z.chunks_exact(k).enumerate() {
                    let i = block * BLOCK + i;
                    let (s, own) = (criterion.s[i], criterion.codes[i] as usize);
                    p.copy_from_slice(z);
                    sums[0] += s * (normalize(&mut p) - z[own]);
                    sums[1 + own] -= s;
                    for (j, pj) in p.iter().enumerate() {
                        sums[1 + j] += s * pj;
                        let row = &mut sums[1 + k + j * k..][..k];
                        row[j] += s * pj;
                        row.iter_mut().zip(&p).for_each(|(h, p)| *h -= s * pj * p);
                    }
                }
                sums
            })
            .collect();
        let sum = |at: usize| parts.iter().map(|part| part[at]).collect::<Sum>().value();
        let mut sums: Vec<f64> = (0..1 + k + k * k).map(|at| sum(at) / criterion.total).collect();
        sums[1 + k..].iter_mut().for_each(|h| *h += 1.0 / k as f64);
        Self { value: sums[0], r: sums[1..=k].to_vec(), h: sums[1 + k..].to_vec() }
    }
}
