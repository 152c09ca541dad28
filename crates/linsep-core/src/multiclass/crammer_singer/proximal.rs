//! Proximal method on the dual: all pᵢ move jointly, each penalized by its distance to a center.
//!
//! ```text
//!   Φ(W, b) = (1/S) Σ sᵢ [max over p in the simplex of p·vᵢ − (γ/2)‖p − p̄ᵢ‖²  −  zᵢ_cᵢ]
//!             + (λ/2) Σⱼ ‖wⱼ‖²,        vᵢⱼ = zᵢⱼ + [j ≠ cᵢ]
//! ```
//!
//! is differentiable. The maximum of row i is attained at **the projection pᵢ of p̄ᵢ + vᵢ/γ onto
//! the simplex**. Its gradient in z is pᵢ − eᵢ, where eᵢ is the unit vector of the true class. The
//! minimizer W is that of these p, which maximize D(p) − (γ/2S) Σ sᵢ‖pᵢ − p̄ᵢ‖² and satisfy the
//! class constraints. So each stage minimizes Φ, and its p become the p̄ of the next: the proximal
//! method on D (the method of multipliers).
//!
//! Unlike with plain smoothing, the error of W vanishes with p − p̄, so γ may stay above the
//! rounding of doubles. γ is halved from stage to stage, as a smaller γ moves p further.
//!
//! # A stage
//!
//! Newton's method: Φ is piecewise quadratic, and only rows with several pᵢⱼ > 0 have curvature
//! (see `curvature`). Each step is solved by conjugate gradients, and the line search does not
//! touch X. With G the gradient of Φ in W, the suboptimality of the stage is ‖G‖²/(2λ), as W − G/λ
//! is the W of p. A stage ends when that is below a share of the movement of p, (γ/2S) Σ sᵢ‖pᵢ −
//! p̄ᵢ‖², and the class constraints hold to about the same accuracy. Then the gap is certified (see
//! `proofs`).
//!
//! # Termination
//!
//! Optimal when the relative gap is at most tol. Stationary when γ reaches the rounding of doubles.
//! Else at the iteration limit, in Newton steps.
//! Cost of a step: two products with k columns, a few passes over all n × k scores, and the inner
//! steps, which process only rows with curvature.
//! Memory: five numbers per row and class.
//!
//! Source: Rockafellar, *Augmented Lagrangians and applications of the proximal point algorithm in
//! convex programming*, Math. Oper. Res. 1 (1976); Li, Sun & Toh, *A highly efficient semismooth
//! Newton augmented Lagrangian method for solving Lasso problems*, SIAM J. Optim. 28 (2018).
//!
//! Over 400 lines: stages, steps and line search share one state.

use super::CrammerSinger;
use super::best_certificate::BestCertificate;
use super::curvature::Curvature;
use super::simplex::{Nonzeros, project};
use crate::control::{Cancel, Observer, StopReason};
use crate::data::{Gather, Problem};
use crate::math::kernels::{axpy, dot, norm_sq};
use crate::math::parallel::map_blocks;
use crate::math::sum::Sum;
use crate::multiclass::conjugate::ConjugateGradients;
use crate::multiclass::{CoefficientMatrix, MulticlassFit};
use crate::solvers::{PenaltyAlong, report_epoch, search};
use rayon::prelude::*;
use std::ops::Range;

/// First γ, and the smallest; below it rounding errors dominate.
const FIRST: f64 = 0.3;
const LEAST: f64 = 1e-10;
/// Suboptimality of a stage at its end, as a share of the movement of p.
const SHARE: f64 = 0.5;
/// Most steps of a stage.
const STEPS: u64 = 60;
/// Factor of γ from stage to stage.
const FALL: f64 = 0.5;
/// Slack in the scores, in units of γ, by which a class with pᵢⱼ = 0 still enters the curvature:
/// first, largest, and the factor of its growth and decay.
const NEAR: (f64, f64) = (0.1, 1e3);
const GROWS: f64 = 4.0;
/// Rows per parallel block.
const BLOCK: usize = 256;

/// Whether there are few enough features.
pub(super) fn suits(problem: &Problem<'_>) -> bool {
    const ROOM: usize = 1 << 24;
    let wide = problem.x().d() + 1;
    wide.saturating_mul(wide).saturating_mul(problem.labels().k()) <= ROOM
}

/// Runs from a start until a stop reason holds.
pub(super) fn minimize(
    settings: CrammerSinger,
    problem: &Problem<'_>,
    start: &CoefficientMatrix,
    watch: &mut dyn Observer,
) -> MulticlassFit {
    let mut proofs = BestCertificate::new(settings, problem, watch.cancel());
    let mut run = Run::new(&proofs, start);
    if start.norm_sq() > 0.0 {
        run.certify(&mut proofs);
    } else {
        proofs.certify_zero();
    }
    let (mut epoch, mut asked, goal) = (0, false, &settings.goal);
    loop {
        // 1. Is there a reason to stop?
        let best = proofs.best;
        let go_on = report_epoch(watch, epoch, goal, best.primal, best.relative_gap());
        let reasons = [
            (!run.is_finite() || !best.primal.is_finite(), StopReason::Diverged),
            (best.reaches(goal.tol), StopReason::Optimal),
            (best.is_at_the_floor() || run.gamma < LEAST, StopReason::Stalled),
            (asked || !go_on, StopReason::Interrupted),
            (epoch >= goal.budget.epochs, StopReason::IterationLimit),
        ];
        if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
            if epoch > 0 {
                proofs.fall_back(|| CoefficientMatrix::of_tight(run.k, &run.weights));
            }
            return proofs.end(stop, epoch, "proximal-newton");
        }

        // 2. Minimize Φ.
        run.update();
        let mut steps = 0;
        while steps < STEPS && epoch < goal.budget.epochs && !asked && !run.is_enough() {
            if !run.step(epoch == 0) {
                break;
            }
            steps += 1;
            epoch += 1;
            asked = !report_epoch(watch, epoch, goal, best.primal, None);
        }
        asked |= run.cancel.is_set();
        epoch += u64::from(steps == 0 && !asked);

        // 3. Certify; the p become the next p̄.
        run.certify(&mut proofs);
        run.move_centers();
        run.gamma *= FALL;
    }
}

/// State of a run. Weights are (d+1) × k, row-major, the intercepts last.
struct Run<'a> {
    settings: CrammerSinger,
    problem: &'a Problem<'a>,
    k: usize,
    total: f64,
    gamma: f64,
    weights: Vec<f64>,
    /// p̄ᵢⱼ and pᵢⱼ, row-major; ‖p̄ᵢ‖²; zᵢⱼ, and their change along the step.
    center: Vec<f64>,
    p: Vec<f64>,
    squares: Vec<f64>,
    z: Vec<f64>,
    u: Vec<f64>,
    /// Φ, its gradient, and (γ/2S) Σ sᵢ‖pᵢ − p̄ᵢ‖².
    value: f64,
    g: Vec<f64>,
    moved: f64,
    /// Current slack for classes with pᵢⱼ = 0, in units of γ.
    near: f64,
    gather: Gather,
    inner: ConjugateGradients,
    cancel: Cancel,
}

impl<'a> Run<'a> {
    fn new(proofs: &BestCertificate<'a>, start: &CoefficientMatrix) -> Self {
        let (problem, settings, k) = (proofs.problem, proofs.settings, proofs.k);
        let x = problem.x();
        let mut weights = start.tight();
        if !settings.intercept {
            weights[x.d() * k..].fill(0.0);
        }
        let mut z = vec![0.0; x.n() * k];
        x.times_until(&weights, k, &mut z, || proofs.cancel.is_certification_canceled());
        let center = proofs.vertices(start);
        Self {
            settings,
            problem,
            k,
            total: proofs.total,
            gamma: FIRST,
            p: center.clone(),
            squares: vec![1.0; x.n()],
            center,
            u: vec![0.0; z.len()],
            z,
            value: f64::NAN,
            g: vec![0.0; weights.len()],
            moved: 0.0,
            near: 0.0,
            gather: Gather::new(x, k),
            inner: ConjugateGradients::new(weights.len()),
            cancel: proofs.cancel.clone(),
            weights,
        }
    }

    fn is_finite(&self) -> bool {
        self.weights.iter().all(|w| w.is_finite())
    }

    fn penalized(&self) -> usize {
        self.problem.x().d() * self.k
    }

    /// Computes p, Φ and its gradient from the current scores; for some rows only after the time
    /// limit.
    fn update(&mut self) {
        let (k, gamma, penalized) = (self.k, self.gamma, self.penalized());
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        let blocks = self.p.par_chunks_mut(BLOCK * k).enumerate();
        let look = Rows { z: &self.z, center: &self.center, codes, k, gamma };
        let parts: Vec<[f64; 2]> = blocks
            .map(|(block, p)| {
                let (mut sums, mut t, mut held) = ([0.0; 2], vec![0.0; k], Nonzeros::new());
                for (i, p) in (block * BLOCK..).zip(p.chunks_exact_mut(k)) {
                    if self.cancel.is_certification_canceled() {
                        break;
                    }
                    look.targets(i, None, &mut t);
                    project(&t, gamma, &mut held);
                    p.fill(0.0);
                    held.iter().for_each(|&(j, share)| p[j as usize] = share);
                    let (own, center) = (i * k + codes[i] as usize, &self.center[i * k..][..k]);
                    let far: f64 = p.iter().zip(center).map(|(p, c)| (p - c) * (p - c)).sum();
                    let inner: f64 = held
                        .iter()
                        .map(|&(j, p)| p * (t[j as usize] - gamma * center[j as usize]))
                        .sum();
                    sums[0] += s[i] * (inner - 0.5 * gamma * far - self.z[own]);
                    sums[1] += s[i] * far;
                }
                sums
            })
            .collect();
        let sum = |c: usize| parts.iter().map(|part| part[c]).collect::<Sum>().value() / self.total;
        let (w, lambda, total) = (&self.weights[..penalized], self.settings.lambda, self.total);
        self.value = sum(0) + 0.5 * lambda * norm_sq(w);
        self.moved = 0.5 * gamma * sum(1);
        let p = &self.p;
        let residuals = |rows: Range<usize>, out: &mut [f64]| {
            out.copy_from_slice(&p[rows.start * k..rows.end * k]);
            for (i, t) in rows.zip(out.chunks_exact_mut(k)) {
                t[codes[i] as usize] -= 1.0;
                t.iter_mut().for_each(|t| *t *= s[i] / total);
            }
        };
        let over = || self.cancel.is_certification_canceled();
        self.gather.of_until(self.problem.x(), &mut self.g, residuals, over);
        axpy(lambda, w, &mut self.g[..penalized]);
        if !self.settings.intercept {
            self.g[penalized..].fill(0.0);
        }
    }

    /// Whether the stage has converged.
    fn is_enough(&self) -> bool {
        const NOTHING: f64 = 1e-15;
        let (w, b) = self.g.split_at(self.penalized());
        let short = norm_sq(w) / (2.0 * self.settings.lambda);
        let unbalanced: f64 = b.iter().map(|b| b.abs()).sum();
        let enough = SHARE * self.moved;
        let close = short <= enough && unbalanced * unbalanced <= 0.01 * SHARE * enough;
        close || short + unbalanced <= NOTHING * self.value
    }

    /// Takes a Newton step and recomputes the state; `false` if no step was made. On cancellation
    /// an inexact direction is still used for the first step; later the remaining time is reserved
    /// for the certificate.
    fn step(&mut self, first: bool) -> bool {
        if self.cancel.is_set() {
            return false;
        }
        let (k, penalized) = (self.k, self.penalized());
        let CrammerSinger { lambda, intercept, .. } = self.settings;
        let (x, s) = (self.problem.x(), self.problem.weights());
        let scale = 1.0 / (self.total * self.gamma);
        let held: Vec<f64> = self.g[penalized..].iter().map(|r| r.abs()).collect();
        let held = intercept.then_some(&held[..]);
        let (classes, ends) = self.nonzeros();
        let curvature = Curvature::new(x, (classes, &ends), (s, scale), k, lambda, held);
        let factor = curvature.factor(&self.cancel);
        let turn = |v: &[f64], out: &mut [f64]| curvature.apply(v, out, &self.cancel);
        let divide = |r: &[f64], out: &mut [f64]| curvature.precondition(&factor, r, out);
        self.inner.solve(&self.g, turn, divide, &self.cancel);
        let cancel = self.cancel.clone();
        let late = || cancel.is_certification_canceled() || !first && cancel.is_set();

        x.times_until(&self.inner.p, k, &mut self.u, late);
        if late() {
            return false;
        }
        let penalty =
            PenaltyAlong::new(lambda, &self.weights[..penalized], &self.inner.p[..penalized]);
        let slope = dot(&self.g, &self.inner.p);
        let found = search(self.value, slope, 1.0, |t| penalty.add_to(self.along(t), t));
        let Some((t, _)) = found.filter(|_| !cancel.is_certification_canceled()) else {
            return false;
        };
        self.near = match self.near {
            near if t < 0.5 => (near * GROWS).clamp(NEAR.0, NEAR.1),
            near if near < 0.02 * NEAR.0 => 0.0,
            near => near / GROWS,
        };
        axpy(t, &self.inner.p, &mut self.weights);
        axpy(t, &self.u, &mut self.z);
        self.update();
        true
    }

    /// Moves the centers: p̄ ← p.
    fn move_centers(&mut self) {
        self.center.copy_from_slice(&self.p);
        let rows = self.squares.iter_mut().zip(self.p.chunks_exact(self.k));
        rows.for_each(|(square, p)| *square = p.iter().map(|p| p * p).sum());
    }

    /// Classes with pᵢⱼ > 0, or nearly, row after row; and the end of each row.
    fn nonzeros(&self) -> (Vec<u32>, Vec<usize>) {
        let (k, gamma, codes) = (self.k, self.gamma, self.problem.labels().codes());
        let look = Rows { z: &self.z, center: &self.center, codes, k, gamma };
        let (mut classes, mut ends, mut t) = (Vec::new(), Vec::new(), vec![0.0; k]);
        for (i, p) in self.p.chunks_exact(k).enumerate() {
            let mut of = (0..).zip(p).filter(|(_, p)| **p > 0.0);
            match of.clone().next() {
                Some((one, p)) if self.near > 0.0 => {
                    look.targets(i, None, &mut t);
                    // tⱼ − γpⱼ is equal for all classes with pⱼ > 0, and above the t of all others.
                    let least = t[one as usize] - gamma * (p + self.near);
                    classes.extend(
                        (0..).zip(&t).filter(|(_, t)| **t > least).map(|(j, _): (u32, _)| j),
                    );
                }
                _ => classes.extend(of.by_ref().map(|(j, _): (u32, _)| j)),
            }
            ends.push(classes.len());
        }
        (classes, ends)
    }

    /// Mean loss of Φ at scores z + t u, its slope and its curvature in t; for some rows only after
    /// the time limit.
    fn along(&self, step: f64) -> [f64; 3] {
        let (k, gamma) = (self.k, self.gamma);
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        let look = Rows { z: &self.z, center: &self.center, codes, k, gamma };
        let parts: Vec<[f64; 3]> = map_blocks(codes.len(), BLOCK, |rows| {
            let (mut sums, mut t, mut held) = ([0.0; 3], vec![0.0; k], Nonzeros::new());
            for i in rows {
                if self.cancel.is_certification_canceled() {
                    break;
                }
                let (own, u) = (codes[i] as usize, &self.u[i * k..][..k]);
                look.targets(i, Some((u, step)), &mut t);
                project(&t, gamma, &mut held);
                // With t = v + γp̄ the maximum is p·t − (γ/2)(‖p‖² + ‖p̄‖²).
                let (mut most, mut inner, mut sum, mut square) = (0.0, 0.0, 0.0, 0.0);
                for &(j, p) in &held {
                    let u = u[j as usize];
                    most += p * (t[j as usize] - 0.5 * gamma * p);
                    inner += p * u;
                    sum += u;
                    square += u * u;
                }
                let z = self.z[i * k + own] + step * u[own];
                sums[0] += s[i] * (most - 0.5 * gamma * self.squares[i] - z);
                sums[1] += s[i] * (inner - u[own]);
                sums[2] += s[i] * (square - sum * sum / held.len() as f64).max(0.0) / gamma;
            }
            sums
        });
        [0, 1, 2].map(|c| parts.iter().map(|part| part[c]).collect::<Sum>().value() / self.total)
    }

    /// Certifies p and W.
    fn certify(&mut self, proofs: &mut BestCertificate<'_>) {
        let (k, codes) = (self.k, self.problem.labels().codes());
        let mut v = self.z.clone();
        for (v, &own) in v.chunks_exact_mut(k).zip(codes) {
            v.iter_mut()
                .enumerate()
                .filter(|(j, _)| *j != own as usize)
                .for_each(|(_, v)| *v += 1.0);
        }
        proofs.balanced(self.p.clone(), &v);
        proofs.evaluate(CoefficientMatrix::of_tight(k, &self.weights), v);
    }
}

/// Inputs of the projection of each row.
struct Rows<'a> {
    z: &'a [f64],
    center: &'a [f64],
    codes: &'a [u32],
    k: usize,
    gamma: f64,
}

impl Rows<'_> {
    /// t ← v + γp̄ of row i, at the current scores or a step along u.
    #[inline]
    fn targets(&self, i: usize, along: Option<(&[f64], f64)>, t: &mut [f64]) {
        let (z, center) = (&self.z[i * self.k..][..self.k], &self.center[i * self.k..][..self.k]);
        let gamma = self.gamma;
        t.iter_mut().zip(z).zip(center).for_each(|((t, z), c)| *t = z + gamma * c + 1.0);
        if let Some((u, step)) = along {
            t.iter_mut().zip(u).for_each(|(t, u)| *t += step * u);
        }
        t[self.codes[i] as usize] -= 1.0;
    }
}
