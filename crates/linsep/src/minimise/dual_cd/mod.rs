//! Dual coordinate descent: one row's α at a time, for an L2 penalty.
//!
//! ```text
//!   D(α) = (1/S) Σ sᵢ (−ℓ*(−αᵢ)) − (λ/2)‖w‖²,     w = (1/λS) Σ sᵢ αᵢ yᵢ xᵢ
//! ```
//!
//! Changing αᵢ to a changes D by sᵢ/S times −ℓ*(−a) + ℓ*(−αᵢ) − (a − αᵢ) mᵢ − qᵢ (a − αᵢ)²/2, where mᵢ is the
//! row's margin and qᵢ = sᵢ‖xᵢ‖²/(λS): a problem of one number that every loss solves for itself
//! ([`dual_step`](crate::loss::Loss::dual_step)). w is kept up to date, so a step is one dot product and one addition of a row.
//! Rows come in runs of sixteen neighbours, the runs in a new random order each epoch: memory is read in long
//! stretches, and still no class comes all at once.
//!
//! **The bias.** A free intercept asks for Σ sᵢ αᵢ yᵢ = 0, which no single α can change and keep. So the bias is
//! held by a spring to a centre that follows it (the method of multipliers): with (μ/2)(b − c)² added to F the
//! constraint is gone and b = c + (1/μS) Σ sᵢ αᵢ yᵢ is one more weight; after each epoch c ← b. μ = λ divided
//! by the mean of ‖xᵢ‖² makes it a weight like the others.
//!
//! **Shrinking.** The gap is a sum over rows, (1/S) Σ sᵢ (ℓ(mᵢ) + αᵢ mᵢ + ℓ*(−αᵢ)), of terms that are never
//! negative. A row at an end of its range whose margin is beyond the flat part of the loss by more than the
//! worst violation of the epoch before has a term of 0 and will keep it: it is left out until the others
//! are done. The terms, taken as rows are visited, also say when it is worth asking for a rigorous gap (a pass or two, for
//! which all rows come back; see [`Pace`]).
//!
//! **Rounding.** The w that is kept up to date differs from that of α by what was rounded on the way. An addition of
//! c xᵢ is off by at most ε(‖w‖ + 4|c|‖xᵢ‖) in norm, so after any number of them a bound δ on the difference is known, and
//!
//! ```text
//!   D(α) ≥ (1/S) Σ sᵢ (−ℓ*(−αᵢ)) − (λ/2)(‖w‖ + δ)²
//! ```
//!
//! needs no pass. Where δ is too large for the tolerance, or where α must be brought into balance for an intercept, w is
//! made anew from α.
//!
//! **Means.** With a kinked loss (hinge) the planes of single epochs jump about the optimum long after D has settled. The
//! set of feasible α is convex and F and D are too, so the mean α of the last epochs is feasible, and its plane is
//! at least as good as they are on average: where it goes slowly the mean is certified as well, each time
//! over the epochs since the time before ([`Pace`]).
//!
//! # When it ends
//!
//! The rigorous relative gap is at most tol, with the bias made the best for w. Else the budget. The answer is the best plane
//! that was proved on the way, with the best bound.
//!
//! Cost of an epoch: one pass over the rows that are left. Memory: n numbers for α, q and the order.
//! Source: Hsieh, Chang, Lin, Keerthi & Sundararajan, *A dual coordinate descent method for large-scale
//! linear SVM*, ICML (2008); Yu, Huang & Lin (2011) for logistic; Bertsekas, *Constrained Optimization and
//! Lagrange Multiplier Methods*, §2.2, for the bias.

mod coordinates;

use super::parts::{Ask, Pace, best_bias};
use super::{Entry, Goal, Minimiser, Minimum, Need, tell};
use crate::certify::{Certificate, gap};
use crate::control::{Stop, Watch};
use crate::data::row_sweep::{in_runs, row_sweep};
use crate::data::{Combination, Plane, on_rows};
use crate::math::kernels;
use crate::math::rng::Rng;
use crate::objective::Objective;
use coordinates::{Coordinates, Row, Seen};
use std::sync::Arc;

/// Settings of dual coordinate descent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DualCd {
    /// Seed of the order of rows.
    pub seed: u64,
}

pub(super) const ENTRY: Entry = Entry {
    name: "dual-cd",
    about: "one row's dual variable at a time, with shrinking",
    takes: &[],
    build: |options| Box::new(DualCd { seed: options.seed.unwrap_or_default() }),
};

impl Minimiser for DualCd {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn needs(&self) -> &'static [Need] {
        &[Need::L2Alone]
    }

    fn minimise(
        &self,
        objective: &Objective<'_>,
        start: Plane,
        goal: &Goal,
        watch: &mut dyn Watch,
    ) -> Minimum {
        let mut run = Run::new(objective, start, goal.tol);
        let mut best = run.first();
        let kinked = objective.loss().curvature_bound().is_none();
        run.proved = Some(run.h.copy());
        let mut pace = Pace::new(goal.tol, kinked);
        let mut epoch = 0;
        loop {
            // 1. Is there a reason to stop?
            let relative = best.relative_gap();
            let go_on = tell(watch, epoch, goal, best.primal, relative);
            let reasons = [
                (!run.h.is_finite() || !best.primal.is_finite(), Stop::Diverged),
                (best.reaches(goal.tol), Stop::Optimal),
                (best.is_at_the_floor(), Stop::Stationary),
                (!go_on, Stop::Asked),
                (epoch >= goal.budget.epochs, Stop::Budget),
            ];
            if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
                return run.end(stop, epoch, best);
            }

            // 2. Epochs, until the rows say that it may be enough, or a mean is due.
            let ask = loop {
                let seen = run.epoch(Rng::new(self.seed, epoch));
                epoch += 1;
                let value = seen.value.min(best.primal);
                let told = tell(watch, epoch, goal, value, None);
                let ask = pace.after(epoch, seen.gap, value);
                if ask == Ask::Later {
                    run.begin_mean();
                } else if ask != Ask::Nothing {
                    break ask;
                }
                if !told || epoch >= goal.budget.epochs {
                    break Ask::Now;
                }
            };

            // 3. What is proved now?
            let shrunk = run.active.len() < run.alpha.len();
            best = if kinked {
                run.certify_aside(ask == Ask::Mean, best)
            } else {
                let found = run.certify();
                let last = found.reaches(goal.tol); // a large plane is not copied for nothing
                let plane = if last { run.give_up_plane() } else { run.h.clone() };
                run.keep(best, found, plane)
            };
            if shrunk {
                pace.rows_came_back();
            }
        }
    }
}

/// One run.
struct Run<'a, 'b> {
    objective: &'a Objective<'b>,
    h: Plane,
    alpha: Vec<f64>,
    /// qᵢ, and sᵢyᵢ/(λS) by which a change of αᵢ becomes a change of w.
    rows: Arc<[Row]>,
    /// Rows still looked at, ascending.
    active: Vec<u32>,
    /// Worst violation of the epoch before; rows beyond it are left out.
    beyond: f64,
    /// δ: how far at most w is from that of α.
    drift: f64,
    /// The share of F that may be lost to it in a bound.
    bearable: f64,
    /// The largest ‖xᵢ‖.
    longest: f64,
    /// 1/μ in units of 1/λ: the bias is a weight of a column with this square. 0 without intercept.
    spring: f64,
    centre: f64,
    combination: Combination,
    /// Σ of α over the last epochs, and over how many, for losses with kinks.
    sums: Vec<f64>,
    summed: f64,
    /// The best plane that was proved, its margins, and the α of the best bound.
    proved: Option<Plane>,
    margins: Vec<f64>,
    best_alpha: Option<Vec<f64>>,
    /// Margins and room, for certificates.
    m: Vec<f64>,
    room: Vec<f64>,
}

impl<'a, 'b> Run<'a, 'b> {
    fn new(objective: &'a Objective<'b>, start: Plane, tol: f64) -> Self {
        let x = objective.x();
        let n = x.n();
        let norms = x.norms_sq();
        let mean = norms.iter().sum::<f64>() / n as f64;
        let spring = if objective.intercept() { if mean > 0.0 { mean } else { 1.0 } } else { 0.0 };
        let scale = 1.0 / (objective.penalty().l2 * objective.total());
        let row = |(i, norm): (usize, &f64)| Row {
            q: scale * objective.s()[i] * (norm + spring),
            step: scale * objective.s()[i] * objective.y()[i],
        };
        let rows = norms.iter().enumerate().map(row).collect();
        let mut run = Self {
            objective,
            alpha: vec![0.0; n],
            rows,
            active: Vec::new(),
            beyond: f64::INFINITY,
            drift: if start.is_zero() { 0.0 } else { f64::INFINITY },
            bearable: 0.01 * tol,
            longest: norms.iter().fold(0.0_f64, |most, norm| most.max(*norm)).sqrt(),
            spring,
            centre: start.b,
            combination: Combination::new(x),
            sums: Vec::new(),
            summed: 0.0,
            proved: None,
            margins: Vec::new(),
            best_alpha: None,
            m: vec![0.0; n],
            room: vec![0.0; n],
            h: start,
        };
        if !run.h.is_zero() {
            // A start plane says which α it would have at the optimum.
            objective.margins(&run.h, &mut run.m);
            gap::alpha_of_margins(objective, &run.m, &mut run.alpha);
        }
        run
    }

    /// What is known at the start: nothing but the value, where all α are 0.
    fn first(&mut self) -> Certificate {
        if !self.h.is_zero() {
            let found = self.certify();
            self.best_alpha = Some(self.alpha.clone());
            return found;
        }
        self.active.extend(0..self.alpha.len() as u32);
        let loss = self.objective.loss();
        Certificate::with_bound(loss.value(0.0), loss.dual(0.0))
    }

    /// Looks at every row that is left once, in runs in random order.
    fn epoch(&mut self, order: Rng) -> Seen {
        let order = in_runs(&self.active, order);
        let before = kernels::norm_sq(&self.h.w).sqrt();
        let mut at = Coordinates::new(self);
        on_rows!(self.objective.x(), x => row_sweep(x, &order, &mut self.h.w, &mut at));
        let Coordinates { alpha, b, left, mut seen, .. } = at;
        (self.alpha, self.h.b) = (alpha, b);
        self.active.retain(|&i| !left[i as usize]);
        self.drift += rounded(before, seen.steps, self.longest * seen.path);
        if self.objective.loss().curvature_bound().is_none() {
            self.sums.resize(self.alpha.len(), 0.0);
            self.sums.iter_mut().zip(&self.alpha).for_each(|(sum, alpha)| *sum += alpha);
            self.summed += 1.0;
        }
        self.beyond = if seen.worst > 0.0 { seen.worst } else { f64::INFINITY };
        // The spring's centre follows the bias, and the bias is as far from it as the sum of sαy says.
        let stretched = self.h.b - self.centre;
        self.centre = self.h.b;
        self.h.b += stretched;
        let l2 = self.objective.penalty().l2;
        let total = self.objective.total();
        seen.gap /= total;
        seen.value = seen.value / seen.sampled.max(f64::MIN_POSITIVE)
            + 0.5 * l2 * kernels::norm_sq(&self.h.w);
        seen
    }

    /// Proves what can be proved. All rows come back.
    fn certify(&mut self) -> Certificate {
        self.active.clear();
        self.active.extend(0..self.alpha.len() as u32);
        self.beyond = f64::INFINITY;
        let bound = self.bound_at_hand().unwrap_or_else(|| self.renew());
        self.objective.margins(&self.h, &mut self.m);
        if self.objective.intercept() {
            let shift = best_bias(self.objective, &self.m);
            self.h.b += shift;
            if shift.abs() > self.h.b.abs() {
                // What was rounded with the larger bias is too much for the smaller one.
                self.objective.margins(&self.h, &mut self.m);
            } else {
                self.m.iter_mut().zip(self.objective.y()).for_each(|(m, y)| *m += shift * y);
            }
            self.centre = self.h.b; // Σ sᵢ αᵢ yᵢ = 0 now, so the spring is at rest
        }
        Certificate::with_bound(self.objective.value(&self.h, &self.m), bound)
    }

    /// The lower bound by w as it is, where α needs no balance and little is lost to rounding.
    fn bound_at_hand(&self) -> Option<f64> {
        if self.objective.intercept() {
            return None;
        }
        let (l2, norm) = (self.objective.penalty().l2, kernels::norm_sq(&self.h.w).sqrt());
        let lost = l2 * self.drift * (norm + 0.5 * self.drift);
        let bound = self.objective.mean_dual(&self.alpha) - 0.5 * l2 * norm * norm - lost;
        (lost <= self.bearable * bound).then_some(bound)
    }

    /// Brings α into balance, makes w anew from it, and returns the lower bound.
    fn renew(&mut self) -> f64 {
        let (objective, l2) = (self.objective, self.objective.penalty().l2);
        let (alpha, combination) = (&mut self.alpha, &mut self.combination);
        let bound = gap::dual_value(objective, alpha, combination, &mut self.h.w, &mut self.room);
        self.h.w.iter_mut().for_each(|u| *u /= l2);
        self.drift = 0.0;
        bound
    }

    fn begin_mean(&mut self) {
        self.sums.fill(0.0);
        self.summed = 0.0;
    }

    /// Certifies the mean α of the last epochs, or α as it is, and keeps the plane if it is better; the run itself goes
    /// on from where it was. All rows come back.
    fn certify_aside(&mut self, mean: bool, best: Certificate) -> Certificate {
        let (alpha, h, centre) = (self.alpha.clone(), self.h.clone(), self.centre);
        let drift = self.drift;
        if mean {
            self.drift = f64::INFINITY; // w belongs to another α
            let count = self.summed;
            self.alpha.iter_mut().zip(&self.sums).for_each(|(alpha, sum)| *alpha = sum / count);
            self.begin_mean();
        }
        let found = self.certify();
        let plane = std::mem::replace(&mut self.h, h);
        let best = self.keep(best, found, plane);
        (self.alpha, self.centre, self.drift) = (alpha, centre, drift);
        best
    }

    /// The plane, of a run that ends.
    fn give_up_plane(&mut self) -> Plane {
        std::mem::replace(&mut self.h, Plane::zero(0))
    }

    /// The better of what was known and what was found: the best plane and the best bound need not be from the same α.
    fn keep(&mut self, best: Certificate, found: Certificate, plane: Plane) -> Certificate {
        let bound = |c: &Certificate| c.dual.map_or(f64::NEG_INFINITY, |dual| dual.value);
        let least = bound(&found).max(bound(&best));
        if bound(&found) > bound(&best) {
            self.best_alpha.get_or_insert_default().clone_from(&self.alpha);
        }
        if found.primal < best.primal {
            self.proved = Some(plane);
            self.margins.clone_from(&self.m);
            return Certificate::with_bound(found.primal, least);
        }
        Certificate::with_bound(best.primal, least)
    }

    fn end(mut self, stop: Stop, epochs: u64, certificate: Certificate) -> Minimum {
        if let Some(plane) = self.proved.take().filter(Plane::is_finite) {
            // Before the first certificate every α is 0.
            let alpha = Some(self.best_alpha.unwrap_or_else(|| vec![0.0; self.m.len()]));
            let margins = (!self.margins.is_empty()).then_some(self.margins);
            return Minimum { plane, stop, epochs, certificate, margins, alpha };
        }
        let zero = Plane::zero(self.h.d());
        let m = vec![0.0; self.m.len()];
        let mut combination = self.combination;
        let certificate = gap::certify(self.objective, &zero, &m, &mut combination);
        Minimum { plane: zero, stop, epochs, certificate, margins: Some(m), alpha: None }
    }
}

/// How far w can at most be, by rounding, from what `steps` additions c x should have made of it: each is off by at most ε(‖w‖ + 4|c|‖x‖) in norm. ‖w‖ was
/// `before` at first, and `path` is Σ|c| times the largest ‖x‖.
fn rounded(before: f64, steps: f64, path: f64) -> f64 {
    f64::EPSILON * (steps * (before + path) + 8.0 * path)
}
