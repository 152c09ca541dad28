//! Dual coordinate descent: one pᵢ in the simplex at a time.
//!
//! Moving pᵢ to p changes D by sᵢ/S times Σⱼ vⱼ (pⱼ − pᵢⱼ) − (q/2)‖p − pᵢ‖² with vⱼ = zᵢⱼ + [j ≠
//! cᵢ] and q = sᵢ‖xᵢ‖²/(λS). The best p is **the projection of pᵢ + v/q onto the simplex**,
//! computed exactly by dropping negative entries until none remain. W is updated with each pᵢ, so a
//! step is one pass over the row for its k scores and one to update W.
//!
//! Intercepts, row order, shrinking, and means are those of the solver `dual-cd`. A proximal term
//! holds each intercept near a center, which follows it. Rows come in runs of neighbors. A row
//! whose p is a vertex that leads by more than the worst violation of the previous epoch is
//! skipped. The mean p of the last epochs is certified as well as p.
//!
//! Without intercepts, the updated W suffices for a certificate. Adding x cᵀ has an error of at
//! most u(‖W‖ + 5‖x‖‖c‖) in norm, u the relative rounding error. So a bound δ on ‖W(p) − W‖ is
//! known. It is small enough for single precision ([`MixedPrecision`]) and usual tolerances;
//! otherwise W is recomputed.
//!
//! # Termination
//!
//! Optimal when the relative gap is at most tol; else at the iteration limit.
//! Cost of an epoch: two passes over the rows not shrunk, k multiplications for each stored value.
//! Memory: four numbers per row and class.
//!
//! Source: Keerthi, Sundararajan, Chang, Hsieh & Lin, *A sequential dual method for large scale
//! multi-class linear SVMs*, KDD (2008); Michelot, *J. Optim. Theory Appl.* 50 (1986), for the
//! projection.

use super::CrammerSinger;
use super::best_certificate::BestCertificate;
use super::points::Points;
use crate::control::{Cancel, Observer, StopReason};
use crate::data::Problem;
use crate::data::row_sweep::in_runs;
use crate::math::rng::Rng;
use crate::multiclass::proximal_intercepts::ProximalIntercepts;
use crate::multiclass::working::MixedPrecision;
use crate::multiclass::{CoefficientMatrix, MulticlassFit};
use crate::solvers::{GapCheck, GapSchedule, report_epoch};

/// Runs from a start until a stop reason holds.
pub(super) fn minimize(
    settings: CrammerSinger,
    problem: &Problem<'_>,
    start: &CoefficientMatrix,
    watch: &mut dyn Observer,
) -> MulticlassFit {
    let mut run = Run::new(settings, problem, start, watch.cancel());
    run.first();
    let (mut epoch, mut pace) = (0, GapSchedule::new(settings.goal.tol, true));
    loop {
        // 1. Is there a reason to stop?
        let best = run.proofs.best;
        let go_on = report_epoch(watch, epoch, &settings.goal, best.primal, best.relative_gap());
        let reasons = [
            (!run.is_finite() || !best.primal.is_finite(), StopReason::Diverged),
            (best.reaches(settings.goal.tol), StopReason::Optimal),
            (best.is_at_the_floor(), StopReason::Stalled),
            (!go_on, StopReason::Interrupted),
            (epoch >= settings.goal.budget.epochs, StopReason::IterationLimit),
        ];
        if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
            if epoch > 0 {
                run.proofs.fall_back(|| run.h.to_matrix());
            }
            return run.proofs.end(stop, epoch, "dual-cd");
        }

        // 2. Run epochs until the estimated gap is small enough, or a mean is due.
        let ask = loop {
            let seen = run.epoch(Rng::new(settings.seed, epoch));
            epoch += 1;
            let go_on = report_epoch(watch, epoch, &settings.goal, best.primal, None);
            match pace.after(epoch, seen, best.primal) {
                GapCheck::Nothing => {}
                GapCheck::Later => run.begin_mean(),
                ask => break ask,
            }
            if !go_on || epoch >= settings.goal.budget.epochs {
                break GapCheck::Now;
            }
        };

        // 3. Certify.
        run.certify();
        if ask == GapCheck::Mean && !run.proofs.best.reaches(settings.goal.tol) {
            run.certify_mean();
        }
    }
}

/// State of a run.
pub(super) struct Run<'a> {
    pub proofs: BestCertificate<'a>,
    pub h: MixedPrecision,
    /// pᵢⱼ, row-major.
    pub p: Vec<f64>,
    /// qᵢ, and sᵢ/(λS), the factor from a change of pᵢⱼ to a change of wⱼ.
    rows: Vec<[f64; 2]>,
    /// Rows not shrunk, ascending.
    active: Vec<u32>,
    /// Worst violation of the previous epoch.
    beyond: f64,
    proximal_intercepts: ProximalIntercepts,
    /// δ: bound on the distance of W from the exact W of p.
    pub drift: f64,
    /// Largest ‖xᵢ‖.
    longest: f64,
    /// Σ of p over the last epochs, of the intercepts as well, and their number.
    sums: Vec<f64>,
    bias_sums: Vec<f64>,
    summed: f64,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        settings: CrammerSinger,
        problem: &'a Problem<'a>,
        start: &CoefficientMatrix,
        cancel: Cancel,
    ) -> Self {
        let (x, k) = (problem.x(), problem.labels().k());
        let norms = x.norms_sq();
        let mut center = start.bias().to_vec();
        if !settings.intercept {
            center.fill(0.0);
        }
        let longest = norms.iter().fold(0.0_f64, |most, norm| most.max(*norm)).sqrt();
        let proximal_intercepts = ProximalIntercepts::new(&norms, settings.intercept, &center);
        let total = problem.weights().iter().sum::<f64>();
        let rows = proximal_intercepts.steps(&norms, problem.weights(), settings.lambda * total);
        let proofs = BestCertificate::new(settings, problem, cancel);
        let p = proofs.vertices(start);
        let mut run = Self {
            proofs,
            h: MixedPrecision::zero(start.d(), k, longest, settings.lambda),
            p,
            rows,
            active: Vec::new(),
            beyond: f64::INFINITY,
            proximal_intercepts,
            drift: 0.0,
            longest,
            sums: vec![0.0; x.n() * k],
            bias_sums: vec![0.0; center.len()],
            summed: 0.0,
        };
        run.h.bias.copy_from_slice(&center);
        if start.norm_sq() > 0.0 {
            // The intercept differs from its center by the violation of the class constraint.
            let hyperplanes = run.renew();
            let centers = run.proximal_intercepts.center.iter_mut().zip(hyperplanes.bias());
            centers.for_each(|(center, stretched)| *center -= stretched);
        }
        run.all_rows();
        run
    }

    /// Computes the first certificate. With pᵢ = eᵢ everywhere, W = 0 and F is known without a
    /// pass.
    pub(super) fn first(&mut self) {
        if self.h.norm_sq() > 0.0 {
            self.certify();
        } else {
            self.proofs.certify_zero();
        }
    }

    fn is_finite(&self) -> bool {
        self.drift.is_finite() && self.h.bias.iter().all(|b| b.is_finite())
    }

    fn all_rows(&mut self) {
        let s = self.proofs.problem.weights();
        self.active = (0..s.len() as u32).filter(|&i| s[i as usize] > 0.0).collect();
        self.beyond = f64::INFINITY;
    }

    /// Visits every row not shrunk once, in runs in random order; returns an estimate of the gap.
    pub(super) fn epoch(&mut self, order: Rng) -> f64 {
        let order = in_runs(&self.active, order);
        let mut at = Points {
            codes: self.proofs.problem.labels().codes(),
            s: self.proofs.problem.weights(),
            rows: &self.rows,
            k: self.proofs.k,
            beyond: self.beyond,
            spring: self.proximal_intercepts.square,
            left: vec![false; self.rows.len()],
            p: std::mem::take(&mut self.p),
            bias: std::mem::take(&mut self.h.bias),
            before: vec![0.0; self.proofs.k],
            held: Vec::new(),
            gap: 0.0,
            worst: 0.0,
            norm_sq: self.h.norm_sq(),
            added: 0.0,
            cancel: &self.proofs.cancel,
        };
        self.h.sweep(self.proofs.problem.x(), &order, &mut at);
        let Points { p, bias, left, gap, worst, added, .. } = at;
        (self.p, self.h.bias) = (p, bias);
        // The counted ‖W‖ omits the rounding of this epoch: at most its relative share, compounded.
        let share = self.h.rounding();
        self.drift += share * added * (share * order.len() as f64).exp();
        self.active.retain(|&i| !left[i as usize]);
        self.beyond = if worst > 0.0 { worst } else { f64::INFINITY };
        self.proximal_intercepts.follow(&mut self.h.bias);
        self.sums.iter_mut().zip(&self.p).for_each(|(sum, p)| *sum += p);
        self.bias_sums
            .iter_mut()
            .zip(&self.proximal_intercepts.center)
            .for_each(|(sum, b)| *sum += b);
        self.summed += 1.0;
        gap / self.proofs.total
    }

    /// Recomputes W from p; returns W with the offsets b − c in place of the intercepts.
    pub(super) fn renew(&mut self) -> CoefficientMatrix {
        let mut hyperplanes = self.proofs.hyperplanes(&self.p, self.proximal_intercepts.square);
        if self.proofs.cancel.is_certification_canceled() {
            return hyperplanes; // a partial sum
        }
        self.h.set(&mut hyperplanes);
        self.drift = self.h.rounding() * hyperplanes.norm_sq().sqrt();
        hyperplanes
    }

    fn begin_mean(&mut self) {
        self.sums.fill(0.0);
        self.bias_sums.fill(0.0);
        self.summed = 0.0;
    }

    /// Certifies p and keeps improvements. Restores all rows.
    pub(super) fn certify(&mut self) {
        self.all_rows();
        let allowed = self.proofs.settings.goal.tol * self.proofs.best.primal;
        if self.h.rounding() * self.longest * self.h.norm_sq().sqrt() > allowed {
            self.h.widen();
        }
        let lost = 0.5 * self.proofs.settings.lambda * self.drift * self.drift;
        if lost > 0.2 * allowed {
            self.renew();
        }
        if self.proofs.settings.intercept {
            let bias = self.proximal_intercepts.center.clone();
            self.balanced(self.p.clone(), &bias);
        } else {
            self.proofs.bounded(&self.p, self.h.to_matrix(), self.drift);
        }
    }

    /// Certifies the mean p of the last epochs; the next mean starts.
    fn certify_mean(&mut self) {
        let count = self.summed;
        let p: Vec<f64> = self.sums.iter().map(|sum| sum / count).collect();
        let bias: Vec<f64> = self.bias_sums.iter().map(|sum| sum / count).collect();
        self.begin_mean();
        if self.proofs.settings.intercept {
            self.balanced(p, &bias);
        } else {
            let h = self.proofs.hyperplanes(&p, 0.0);
            self.proofs.bounded(&p, h, 0.0);
        }
    }

    /// Certifies p with intercepts: p is balanced by the current scores, and F is evaluated at the
    /// W of p.
    fn balanced(&mut self, p: Vec<f64>, bias: &[f64]) {
        if self.proofs.cancel.is_certification_canceled() {
            return;
        }
        let v = self.proofs.values(&self.h.to_matrix());
        let mut h = self.proofs.balanced(p, &v);
        if self.proofs.cancel.is_certification_canceled() {
            return;
        }
        h.bias_mut().copy_from_slice(bias);
        let v = self.proofs.values(&h);
        self.proofs.evaluate(h, v);
    }
}
