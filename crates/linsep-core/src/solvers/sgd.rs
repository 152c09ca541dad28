//! Averaged stochastic gradient descent: one step per row; the result is the mean of the iterates.
//!
//! ```text
//!   w ← (1 − ηₜλ₂) w − ηₜ y ℓ′(m) x,     b ← b − ηₜ y ℓ′(m),     ηₜ = η / (1 + λ₂ηt)^¾
//! ```
//!
//! for one row after another in random order; a row of weight s counts s/mean(s) times. From the
//! second epoch on the result is the mean of all iterates since. Shrinking w and averaging change
//! every coefficient, a row only its own features. Both are kept as factors, w = v/f and mean =
//! (a + cv)/e, so a step costs one row.
//!
//! The default η is 1/L for a row of mean norm. The method suits streamed data; for data in memory
//! other solvers are much faster.
//!
//! Terminates by the gap, tested after every epoch, or at the iteration limit (100 epochs usually
//! suffice). The result is the mean of least F over all epochs.
//! Cost of an epoch: one pass row by row, and two for the certificate.
//! Source: Xu, *Towards optimal one pass large scale learning with averaged stochastic gradient
//! descent*, arXiv 1107.2490 (2011); Bottou, *Stochastic gradient descent tricks* (2012), for the
//! factors.

use super::parts::work;
use super::{Options, Requirement, Solver, SolverResult, StoppingCriteria, report_epoch};
use crate::certify::gap;
use crate::control::{Observer, StopReason};
use crate::data::{Combination, Hyperplane, Rows, on_rows};
use crate::math::rng::Rng;
use crate::objective::Objective;

/// Settings of averaged stochastic gradient descent.
pub(super) struct Sgd {
    /// First step length; `None` is 1/L.
    eta: Option<f64>,
    /// Seed of the row order.
    seed: u64,
}

impl Sgd {
    pub(super) fn with(options: &Options) -> Self {
        Self { eta: options.eta, seed: options.seed.unwrap_or_default() }
    }
}

impl Solver for Sgd {
    fn name(&self) -> &'static str {
        "sgd"
    }

    fn about(&self) -> &'static str {
        "averaged stochastic gradient descent"
    }

    fn takes(&self) -> &'static [&'static str] {
        &["eta"]
    }

    fn needs(&self) -> &'static [Requirement] {
        &[Requirement::NoL1]
    }

    /// 6 visits per value in each of 1000 epochs, of which it often needs all.
    fn work(&self, objective: &Objective<'_>, _: &StoppingCriteria) -> f64 {
        6e3 * work::pass(objective)
    }

    fn is_last(&self) -> bool {
        true
    }

    fn counts_epochs(&self) -> bool {
        true
    }

    fn solve(
        &self,
        objective: &Objective<'_>,
        start: Hyperplane,
        goal: &StoppingCriteria,
        watch: &mut dyn Observer,
    ) -> SolverResult {
        let x = objective.x();
        let n = x.n();
        let mut walk = Walk::new(objective, start.clone(), self.eta);
        let mut combination = Combination::new(x);
        let mut m = vec![0.0; n];
        objective.margins(&start, &mut m);
        let mut best = (gap::certify(objective, &start, &m, &mut combination), start);
        let mut rows: Vec<u32> = (0..n as u32).collect();
        let mut epoch = 0;
        loop {
            // 1. Is there a reason to stop?
            let (certificate, _) = &best;
            let go_on =
                report_epoch(watch, epoch, goal, certificate.primal, certificate.relative_gap());
            let reasons = [
                (!walk.is_finite(), StopReason::Diverged),
                (certificate.reaches(goal.tol), StopReason::Optimal),
                (!go_on, StopReason::Interrupted),
                (epoch >= goal.budget.epochs, StopReason::IterationLimit),
            ];
            if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
                let (certificate, hyperplane) = best;
                return SolverResult {
                    hyperplane,
                    stop,
                    epochs: epoch,
                    certificate,
                    alpha: None,
                    margins: None,
                };
            }

            // 2. Process every row once.
            Rng::new(self.seed, epoch).shuffle(&mut rows);
            on_rows!(x, x => walk.epoch(x, objective, &rows, epoch > 0));
            epoch += 1;

            // 3. Certify the mean.
            let mean = walk.mean();
            if mean.is_finite() {
                objective.margins(&mean, &mut m);
                let certificate = gap::certify(objective, &mean, &m, &mut combination);
                if certificate.primal < best.0.primal {
                    best = (certificate, mean);
                }
            }
        }
    }
}

/// Iterate w = v/f, b and mean (a + cv)/e, `mean_b`.
struct Walk {
    v: Vec<f64>,
    f: f64,
    b: f64,
    a: Vec<f64>,
    c: f64,
    e: f64,
    mean_b: f64,
    /// Steps taken, and steps in the mean.
    t: f64,
    averaged: f64,
    eta: f64,
    /// n/S: factor of a sample weight.
    scale: f64,
}

impl Walk {
    fn new(objective: &Objective<'_>, start: Hyperplane, eta: Option<f64>) -> Self {
        let n = objective.x().n() as f64;
        let mean = objective.x().norms_sq().iter().sum::<f64>() / n + 1.0;
        let curvature = objective.loss().curvature_bound().unwrap_or(1.0);
        let own = 1.0 / (curvature * mean + objective.penalty().l2);
        Self {
            a: vec![0.0; start.d()],
            v: start.w,
            f: 1.0,
            mean_b: start.b,
            b: start.b,
            c: 1.0,
            e: 1.0,
            t: 0.0,
            averaged: 0.0,
            eta: eta.unwrap_or(own),
            scale: n / objective.total(),
        }
    }

    fn is_finite(&self) -> bool {
        self.b.is_finite() && self.f.is_finite() && self.v.iter().all(|v| v.is_finite())
    }

    /// Processes the rows of an epoch: the hot loop.
    fn epoch<X: Rows>(&mut self, x: &X, objective: &Objective<'_>, rows: &[u32], average: bool) {
        let (y, s, loss) = (objective.y(), objective.s(), objective.loss());
        let l2 = objective.penalty().l2;
        for &i in rows {
            let i = i as usize;
            let eta = self.eta / (1.0 + l2 * self.eta * self.t).powf(0.75);
            self.t += 1.0;
            let m = y[i] * (x.dot(i, &self.v) / self.f + self.b);
            self.f /= 1.0 - (eta * l2).min(0.5);
            let step = -eta * s[i] * self.scale * y[i] * loss.slope(m);
            if step != 0.0 {
                x.axpy(step * self.f, i, &mut self.v);
                if objective.intercept() {
                    self.b += step;
                }
            }
            self.fold_in(x, i, step * self.f, average);
            if self.f > 1e100 || self.e > 1e100 {
                self.refresh();
            }
        }
    }

    /// Adds the iterate after a step to the mean.
    fn fold_in<X: Rows>(&mut self, x: &X, i: usize, step: f64, average: bool) {
        if !average {
            return;
        }
        self.averaged += 1.0;
        let share = 1.0 / self.averaged;
        self.mean_b += share * (self.b - self.mean_b);
        if self.averaged == 1.0 {
            // The first term: the mean is the iterate itself.
            self.a.fill(0.0);
            (self.e, self.c) = (self.f, 1.0);
            return;
        }
        if step != 0.0 {
            x.axpy(-self.c * step, i, &mut self.a);
        }
        self.e /= 1.0 - share;
        self.c += share * self.e / self.f;
    }

    /// Multiplies the factors out before they overflow.
    fn refresh(&mut self) {
        let mean = self.mean();
        for ((a, v), mean) in self.a.iter_mut().zip(&mut self.v).zip(mean.w) {
            *v /= self.f;
            *a = mean;
        }
        (self.f, self.e, self.c) = (1.0, 1.0, 0.0);
    }

    fn mean(&self) -> Hyperplane {
        if self.averaged == 0.0 {
            return Hyperplane { w: self.v.iter().map(|v| v / self.f).collect(), b: self.b };
        }
        let mean = |(a, v): (&f64, &f64)| (a + self.c * v) / self.e;
        Hyperplane { w: self.a.iter().zip(&self.v).map(mean).collect(), b: self.mean_b }
    }
}
