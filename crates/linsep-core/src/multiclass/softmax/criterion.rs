//! F, its gradient and its lower bound at given weights.

use super::intercepts::{MOST_CLASSES, fit_intercepts};
use super::tile::{Along, Normalize, Rows};
use crate::certify::OptimalityGap;
use crate::control::Cancel;
use crate::data::{Design, Gather, Hyperplane, Problem};
use crate::math::kernels::{axpy, norm_sq, with_widest_vectors};
use crate::math::scalar::exp_below_zero;
use crate::math::sum::Sum;
use crate::multiclass::CoefficientMatrix;
use rayon::prelude::*;
use std::ops::Range;

/// Rows per parallel block.
pub(super) const BLOCK: usize = 512;

/// Problem and penalty. Weights are (d+1) × k, row-major, the intercepts last.
pub(super) struct SoftmaxObjective<'a> {
    pub x: &'a Design,
    pub codes: &'a [u32],
    pub s: &'a [f64],
    pub total: f64,
    pub k: usize,
    pub l2: f64,
    pub intercept: bool,
    /// πⱼ: class shares of the sample weight.
    pub shares: Vec<f64>,
    /// Token of the run.
    pub cancel: Cancel,
}

impl<'a> SoftmaxObjective<'a> {
    pub(super) fn new(problem: &'a Problem<'_>, l2: f64, intercept: bool, cancel: Cancel) -> Self {
        let class_weights = problem.class_weights();
        let total: f64 = class_weights.iter().sum();
        let shares = class_weights.iter().map(|weight| weight / total).collect();
        let (x, labels, s) = (problem.x(), problem.labels(), problem.weights());
        Self { x, codes: labels.codes(), s, total, k: labels.k(), l2, intercept, shares, cancel }
    }

    /// Length of the penalized part of the weights.
    pub(super) fn penalized(&self) -> usize {
        self.x.d() * self.k
    }

    /// Weights from a hyperplane per class, or zeros.
    pub(super) fn weights(&self, hyperplanes: Option<&CoefficientMatrix>) -> Vec<f64> {
        let mut weights = hyperplanes
            .map_or_else(|| vec![0.0; self.penalized() + self.k], CoefficientMatrix::tight);
        if !self.intercept {
            weights[self.penalized()..].fill(0.0);
        }
        weights
    }

    /// Hyperplanes of all classes, from weights.
    pub(super) fn hyperplanes(&self, weights: &[f64]) -> Vec<Hyperplane> {
        let (d, k) = (self.x.d(), self.k);
        let column = |c: usize| (0..d).map(|j| weights[j * k + c]).collect();
        (0..k).map(|c| Hyperplane { w: column(c), b: weights[d * k + c] }).collect()
    }

    /// Classes and sample weights of a block of rows.
    fn rows(&self, block: usize) -> Rows<'_> {
        let range = block * BLOCK..self.x.n().min((block + 1) * BLOCK);
        Rows { k: self.k, codes: &self.codes[range.clone()], s: &self.s[range] }
    }

    /// Mean loss at scores z + t u, its slope and its curvature in t; for some rows only after the
    /// time limit.
    pub(super) fn along(&self, z: &[f64], u: &[f64], t: f64) -> [f64; 3] {
        let size = BLOCK * self.k;
        let blocks = z.par_chunks(size).zip(u.par_chunks(size)).enumerate();
        let parts: Vec<[f64; 3]> = blocks
            .filter(|_| !self.cancel.is_certification_canceled())
            .map(|(block, (z, u))| with_widest_vectors(Along { z, u, t, rows: self.rows(block) }))
            .collect();
        [0, 1, 2].map(|c| parts.iter().map(|part| part[c]).collect::<Sum>().value() / self.total)
    }
}

/// Converts scores to probabilities; returns ln Σ e^z.
#[inline]
pub(super) fn normalize(z: &mut [f64]) -> f64 {
    let most = z.iter().fold(f64::NEG_INFINITY, |most, &z| most.max(z));
    let mut sum = 0.0;
    for z in z.iter_mut() {
        *z = exp_below_zero(*z - most);
        sum += *z;
    }
    let share = 1.0 / sum;
    z.iter_mut().for_each(|p| *p *= share);
    most + sum.ln()
}

/// State at given weights: scores, probabilities, objective, gradient.
pub(super) struct SoftmaxState {
    /// zᵢⱼ.
    pub z: Vec<f64>,
    /// pᵢⱼ.
    pub p: Vec<f64>,
    /// F.
    pub value: f64,
    /// ∇F.
    pub g: Vec<f64>,
    /// G and r: the gradient of the mean loss.
    loss_g: Vec<f64>,
    /// (1/S) Σ sᵢ H(pᵢ).
    entropy: f64,
    /// (1/S) Σ sᵢ xᵢ eᵢᵀ: class sums, needed for the lower bound with intercepts.
    class_sums: Vec<f64>,
    pub gather: Gather,
}

impl SoftmaxState {
    /// Computes the state, with the best intercepts for W; `None` after the time limit.
    pub(super) fn settled(criterion: &SoftmaxObjective<'_>, weights: &mut [f64]) -> Option<Self> {
        let mut look = Self::new(criterion, weights)?;
        if criterion.intercept && criterion.k <= MOST_CLASSES {
            let by = fit_intercepts(criterion, &mut look.z);
            axpy(1.0, &by, &mut weights[criterion.penalized()..]);
        }
        look.again(criterion, weights).then_some(look)
    }

    /// Computes the state; `None` after the time limit.
    pub(super) fn at(criterion: &SoftmaxObjective<'_>, weights: &[f64]) -> Option<Self> {
        let mut look = Self::new(criterion, weights)?;
        look.again(criterion, weights).then_some(look)
    }

    /// Computes the scores, and allocates the rest.
    fn new(criterion: &SoftmaxObjective<'_>, weights: &[f64]) -> Option<Self> {
        let (n, k) = (criterion.x.n(), criterion.k);
        let over = || criterion.cancel.is_certification_canceled();
        let mut gather = Gather::new(criterion.x, k);
        let mut class_sums = vec![0.0; weights.len()];
        if criterion.intercept && criterion.l2 > 0.0 {
            let own_class = |rows: Range<usize>, out: &mut [f64]| {
                out.fill(0.0);
                for (i, t) in rows.zip(out.chunks_exact_mut(k)) {
                    t[criterion.codes[i] as usize] = criterion.s[i] / criterion.total;
                }
            };
            gather.of_until(criterion.x, &mut class_sums, own_class, over);
        }
        let mut z = vec![0.0; n * k];
        criterion.x.times_until(weights, k, &mut z, over);
        (!over()).then(|| Self {
            p: vec![0.0; n * k],
            z,
            value: 0.0,
            g: vec![0.0; weights.len()],
            loss_g: vec![0.0; weights.len()],
            entropy: 0.0,
            class_sums,
            gather,
        })
    }

    /// Recomputes the state from changed scores and weights: one pass. `false` after the time
    /// limit; then the state is invalid.
    #[must_use]
    pub(super) fn again(&mut self, criterion: &SoftmaxObjective<'_>, weights: &[f64]) -> bool {
        let (k, total) = (criterion.k, criterion.total);
        let over = || criterion.cancel.is_certification_canceled();
        let blocks = self.p.par_chunks_mut(BLOCK * k).zip(self.z.par_chunks(BLOCK * k));
        let parts: Vec<[f64; 2]> = blocks
            .enumerate()
            .filter(|_| !over())
            .map(|(block, (p, z))| {
                with_widest_vectors(Normalize { z, p, rows: criterion.rows(block) })
            })
            .collect();
        let sum = |c: usize| parts.iter().map(|part| part[c]).collect::<Sum>().value() / total;
        let penalized = criterion.penalized();
        self.value = sum(0) + 0.5 * criterion.l2 * norm_sq(&weights[..penalized]);
        self.entropy = sum(1);

        let p = &self.p;
        let residuals = |rows: Range<usize>, out: &mut [f64]| {
            out.copy_from_slice(&p[rows.start * k..rows.end * k]);
            for (i, t) in rows.zip(out.chunks_exact_mut(k)) {
                t[criterion.codes[i] as usize] -= 1.0;
                t.iter_mut().for_each(|t| *t *= criterion.s[i] / total);
            }
        };
        self.gather.of_until(criterion.x, &mut self.loss_g, residuals, over);
        if !criterion.intercept {
            self.loss_g[penalized..].fill(0.0);
        }
        self.g.copy_from_slice(&self.loss_g);
        axpy(criterion.l2, &weights[..penalized], &mut self.g[..penalized]);
        !over()
    }

    /// Certificate from the best lower bound of these probabilities; from the gradient norm without
    /// a penalty.
    pub(super) fn certificate(&self, criterion: &SoftmaxObjective<'_>) -> OptimalityGap {
        if criterion.l2 == 0.0 {
            let norm = norm_sq(&self.g).sqrt() / criterion.norm_at_zero();
            return OptimalityGap::with_gradient(self.value, norm);
        }
        let (k, penalized) = (criterion.k, criterion.penalized());
        let (w, r) = self.loss_g.split_at(penalized);
        let share = criterion.mixed(r);
        if share == 0.0 {
            let bound = self.entropy - norm_sq(w) / (2.0 * criterion.l2);
            return OptimalityGap::with_bound(self.value, bound);
        }
        // Entries of q that rounding makes negative are 0.
        let q: Vec<f64> = criterion
            .shares
            .iter()
            .zip(r)
            .map(|(share_of_class, r)| (share_of_class - (1.0 - share) / share * r).max(0.0))
            .collect();
        let entropy_of_q: f64 = q.iter().filter(|q| **q > 0.0).map(|q| -q * q.ln()).sum();
        let mut sum = Sum::default();
        let rows = w.chunks_exact(k).zip(self.class_sums.chunks_exact(k));
        for (g, sums) in rows {
            let mean: f64 = sums.iter().sum();
            for ((g, class_sum), q) in g.iter().zip(sums).zip(&q) {
                let mixed = (1.0 - share) * g + share * (q * mean - class_sum);
                sum.add(mixed * mixed);
            }
        }
        let entropy = (1.0 - share) * self.entropy + share * entropy_of_q;
        OptimalityGap::with_bound(self.value, entropy - sum.value() / (2.0 * criterion.l2))
    }

    /// Total weight of the misclassified rows; a tie counts as one.
    pub(super) fn mistakes(&self, criterion: &SoftmaxObjective<'_>) -> f64 {
        let rows = self.z.chunks_exact(criterion.k).zip(criterion.codes).zip(criterion.s);
        let wrong = rows.filter(|((z, own), _)| {
            let own = **own as usize;
            z.iter().enumerate().any(|(j, &other)| j != own && other >= z[own])
        });
        wrong.map(|(_, s)| s).sum()
    }
}

impl SoftmaxObjective<'_> {
    /// ε: share of q in the mixture.
    fn mixed(&self, r: &[f64]) -> f64 {
        let pairs = self.shares.iter().zip(r).filter(|(_, r)| **r > 0.0);
        let least = pairs.map(|(share, r)| share / r).fold(f64::INFINITY, f64::min);
        1.0 / (1.0 + least)
    }

    /// ‖∇F(0)‖; 1 if it is 0.
    fn norm_at_zero(&self) -> f64 {
        let mut g = vec![0.0; (self.x.d() + 1) * self.k];
        let even = 1.0 / self.k as f64;
        Gather::new(self.x, self.k).of(self.x, &mut g, |rows, out| {
            out.fill(even);
            for (i, t) in rows.zip(out.chunks_exact_mut(self.k)) {
                t[self.codes[i] as usize] -= 1.0;
                t.iter_mut().for_each(|t| *t *= self.s[i] / self.total);
            }
        });
        if !self.intercept {
            g[self.penalized()..].fill(0.0);
        }
        let norm = norm_sq(&g).sqrt();
        if norm > 0.0 { norm } else { 1.0 }
    }
}
