//! Certificates of p and W: an upper bound F, a lower bound D, and the best of each so far.
//!
//! With intercepts, p is balanced first: while class j has an excess and class l a deficit, the
//! rows of least cost vⱼ − vₗ move mass from j to l. That terminates at a feasible p. W is then
//! recomputed from p for the lower bound. Before F is evaluated, each intercept is minimized once
//! for the others fixed (a weighted quantile of the scores at which the class would lead).
//!
//! Without intercepts p needs no balancing, and any W within δ of the W of p suffices. The scores
//! computed for F also give W(p)·W = (1/λS) Σ sᵢ (eᵢ − pᵢ)·zᵢ, and
//!
//! ```text
//!   ‖W(p)‖² = 2 W(p)·W − ‖W‖² + ‖W(p) − W‖²  ≤  2 W(p)·W − ‖W‖² + δ²
//! ```
//!
//! bounds D(p) from below with an error of only δ².

use super::CrammerSinger;
use super::balance::{balance, best_biases};
use super::simplex::most;
use crate::certify::{OptimalityGap, certified_stop, certify_multiclass};
use crate::control::{Cancel, StopReason};
use crate::data::{Problem, on_rows};
use crate::loss::MulticlassLoss;
use crate::math::sum::Sum;
use crate::multiclass::{CoefficientMatrix, MulticlassFit};

/// Problem, and the best certificate so far.
pub(super) struct BestCertificate<'a> {
    pub settings: CrammerSinger,
    pub problem: &'a Problem<'a>,
    pub k: usize,
    /// S.
    pub total: f64,
    pub best: OptimalityGap,
    hyperplanes: CoefficientMatrix,
    /// Whether any hyperplanes were kept.
    kept: bool,
    /// Token of the run. After the time limit nothing more is kept, as it may rest on partial sums.
    pub cancel: Cancel,
    /// p of the best lower bound; `None` stands for pᵢ = eᵢ.
    p: Option<Vec<f64>>,
}

impl<'a> BestCertificate<'a> {
    /// Starts without a certificate.
    pub(super) fn new(settings: CrammerSinger, problem: &'a Problem<'a>, cancel: Cancel) -> Self {
        let k = problem.labels().k();
        Self {
            settings,
            problem,
            k,
            total: problem.weights().iter().sum::<f64>(),
            best: OptimalityGap::with_bound(f64::INFINITY, f64::NEG_INFINITY),
            hyperplanes: CoefficientMatrix::zero(problem.x().d(), k),
            kept: false,
            cancel,
            p: None,
        }
    }

    /// Certificate of W = 0 and pᵢ = eᵢ: F = 1 and D = 0.
    pub(super) fn certify_zero(&mut self) {
        self.best = OptimalityGap::with_bound(1.0, 0.0);
    }

    /// p for a start: the vertex of the largest v. For h = 0, pᵢ = eᵢ, which makes W = 0.
    pub(super) fn vertices(&self, start: &CoefficientMatrix) -> Vec<f64> {
        let (codes, k) = (self.problem.labels().codes(), self.k);
        if start.norm_sq() == 0.0 {
            return self.own_classes();
        }
        let mut p = vec![0.0; codes.len() * k];
        let lead = |i: usize, z: &[f64]| {
            let v = |j: usize| z[j] + if j == codes[i] as usize { 0.0 } else { 1.0 };
            (1..k).fold(0, |best, j| if v(j) > v(best) { j } else { best })
        };
        let leads = start.map_rows(self.problem.x(), lead).concat();
        leads.iter().enumerate().for_each(|(i, j)| p[i * k + j] = 1.0);
        p
    }

    /// pᵢ = eᵢ.
    fn own_classes(&self) -> Vec<f64> {
        let mut p = vec![0.0; self.problem.x().n() * self.k];
        let rows = p.chunks_exact_mut(self.k).zip(self.problem.labels().codes());
        rows.for_each(|(p, &own)| p[own as usize] = 1.0);
        p
    }

    /// W of p; in place of the intercepts, `lift` times the violations of the class constraints.
    pub(super) fn hyperplanes(&self, p: &[f64], lift: f64) -> CoefficientMatrix {
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        let scale = 1.0 / (self.settings.lambda * self.total);
        let mut h = CoefficientMatrix::zero(self.problem.x().d(), self.k);
        let mut c = vec![0.0; h.wide()];
        on_rows!(self.problem.x(), x => for (i, p) in p.chunks_exact(self.k).enumerate() {
            let step = scale * s[i];
            for (j, p) in p.iter().enumerate() {
                c[j] = step * (if j == codes[i] as usize { 1.0 - p } else { -p });
            }
            if self.cancel.is_certification_canceled() {
                break;
            }
            if c.iter().any(|c| *c != 0.0) {
                h.add_row(x, i, &c, lift);
            }
        });
        h
    }

    /// Certifies p without intercepts, from an `h` within δ of the W of p.
    pub(super) fn bounded(&mut self, p: &[f64], h: CoefficientMatrix, drift: f64) {
        let (codes, s, k) = (self.problem.labels().codes(), self.problem.weights(), self.k);
        // Loss of each row, and its term of W(p)·W.
        let look = |i: usize, z: &[f64]| {
            let (own, p) = (codes[i] as usize, &p[i * k..][..k]);
            let rivals = z.iter().enumerate().filter(|(j, _)| *j != own);
            let ahead = rivals.fold(z[own], |most, (_, z)| most.max(z + 1.0));
            let inner: f64 = p.iter().zip(z).map(|(p, z)| p * z).sum();
            (s[i] * (ahead - z[own]), s[i] * (z[own] - inner))
        };
        let rows = h.map_rows(self.problem.x(), look).concat();
        let mean =
            |of: fn(&(f64, f64)) -> f64| rows.iter().map(of).collect::<Sum>().value() / self.total;
        let (loss, lambda, size) = (mean(|row| row.0), self.settings.lambda, h.norm_sq());
        // ‖W(p)‖² = 2 W(p)·W − ‖W‖² + ‖W(p) − W‖².
        let size_of_p = 2.0 * mean(|row| row.1) / lambda - size + drift * drift;
        let bound = self.slack(p) - 0.5 * lambda * size_of_p;
        self.keep(h, loss + 0.5 * lambda * size);
        self.raise(bound, p);
    }

    /// Raises the lower bound of p, with intercepts balanced by the scores v. Returns the W of p,
    /// without intercepts.
    pub(super) fn balanced(&mut self, mut p: Vec<f64>, v: &[f64]) -> CoefficientMatrix {
        if self.settings.intercept {
            balance(&mut p, v, self.problem, &self.cancel);
        }
        let h = self.hyperplanes(&p, 0.0);
        self.raise(self.slack(&p) - 0.5 * self.settings.lambda * h.norm_sq(), &p);
        h
    }

    /// Evaluates F at `h` with scores v, with the given intercepts or the best ones for them.
    pub(super) fn evaluate(&mut self, mut h: CoefficientMatrix, mut v: Vec<f64>) {
        if self.cancel.is_certification_canceled() {
            return;
        }
        let mut value = self.loss(&v);
        if self.settings.intercept {
            let shifts = best_biases(&mut v, self.problem, &self.cancel);
            let other = self.loss(&v);
            if other < value {
                value = other;
                h.bias_mut().iter_mut().zip(&shifts).for_each(|(b, shift)| *b += shift);
            }
        }
        let penalty = 0.5 * self.settings.lambda * h.norm_sq();
        self.keep(h, value + penalty);
    }

    /// Keeps the lower bound of p if it is better.
    pub(super) fn raise(&mut self, bound: f64, p: &[f64]) {
        if self.cancel.is_certification_canceled() {
            return;
        }
        let known = self.best.dual.map_or(f64::NEG_INFINITY, |dual| dual.value);
        if bound > known {
            self.p.get_or_insert_default().clear();
            self.p.get_or_insert_default().extend_from_slice(p);
        }
        self.best = OptimalityGap::with_bound(self.best.primal, known.max(bound));
    }

    /// Keeps hyperplanes if they are better.
    fn keep(&mut self, h: CoefficientMatrix, value: f64) {
        if value < self.best.primal && h.is_finite() && !self.cancel.is_certification_canceled() {
            self.hyperplanes = h;
            self.kept = true;
            let known = self.best.dual.map_or(0.0, |dual| dual.value);
            self.best = OptimalityGap::with_bound(value, known);
        }
    }

    /// Keeps uncertified hyperplanes if the time limit left none certified.
    pub(super) fn fall_back(&mut self, hyperplanes: impl FnOnce() -> CoefficientMatrix) {
        if self.cancel.is_certification_canceled() && !self.kept {
            let hyperplanes = hyperplanes();
            if hyperplanes.is_finite() {
                self.hyperplanes = hyperplanes;
            }
        }
    }

    /// Mean of 1 − `pᵢ_cᵢ` over the rows.
    pub(super) fn slack(&self, p: &[f64]) -> f64 {
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        let rows = p.chunks_exact(self.k).enumerate();
        let terms = rows.map(|(i, p)| s[i] * (1.0 - p[codes[i] as usize]));
        terms.collect::<Sum>().value() / self.total
    }

    /// vᵢⱼ = zᵢⱼ + [j ≠ cᵢ] of every row and class.
    pub(super) fn values(&self, h: &CoefficientMatrix) -> Vec<f64> {
        let codes = self.problem.labels().codes();
        let of = |i: usize, z: &[f64]| -> Vec<f64> {
            let own = codes[i] as usize;
            z.iter().enumerate().map(|(j, z)| z + if j == own { 0.0 } else { 1.0 }).collect()
        };
        let blocks: Vec<Vec<Vec<f64>>> = h.map_rows(self.problem.x(), of);
        blocks.into_iter().flatten().flatten().collect()
    }

    /// Mean loss.
    fn loss(&self, v: &[f64]) -> f64 {
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        let rows = v.chunks_exact(self.k).enumerate();
        let terms = rows.map(|(i, v)| s[i] * (most(v) - v[codes[i] as usize]));
        terms.collect::<Sum>().value() / self.total
    }

    /// Returns the best hyperplanes with their certificate, and the name of the solver.
    pub(super) fn end(mut self, stop: StopReason, epochs: u64, way: &'static str) -> MulticlassFit {
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        // Whether the true class has the unique largest score.
        let wins = |i: usize, z: &[f64]| {
            let own = codes[i] as usize;
            z.iter().enumerate().all(|(j, other)| j == own || *other < z[own])
        };
        let mistakes = if self.cancel.is_certification_canceled() {
            self.total
        } else {
            let right = self.hyperplanes.map_rows(self.problem.x(), wins).concat();
            let wrong = right.iter().zip(s).filter(|(right, _)| !**right);
            wrong.map(|(_, s)| s).sum()
        };
        let hyperplanes = self.hyperplanes.hyperplanes();
        let penalty = (self.settings.lambda, self.settings.intercept);
        let p = self.p.take().unwrap_or_else(|| self.own_classes());
        let (loss, cancel) = (MulticlassLoss::CrammerSinger, &self.cancel);
        let (certificate, winners) =
            certify_multiclass(self.problem, loss, penalty, &hyperplanes, p, cancel).unzip();
        MulticlassFit {
            mistakes,
            hyperplanes,
            stop: certified_stop(stop, certificate.as_ref(), self.settings.goal.tol),
            epochs,
            updates: 0,
            certificate,
            winners: winners.flatten(),
            solver: Some(way),
        }
    }
}
