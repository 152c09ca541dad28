//! Crammer and Singer's support vector machine: each class against its strongest rival, all at once.
//!
//! ```text
//!   F(W, b) = (1/S) Σ sᵢ maxⱼ (zᵢⱼ + [j ≠ cᵢ]) − zᵢ_cᵢ  +  (λ/2) Σⱼ ‖wⱼ‖²,        zᵢⱼ = wⱼ·xᵢ + bⱼ,  cᵢ the class of row i
//! ```
//!
//! A row costs nothing where its own class is ahead of every other by 1. The biases are not penalised.
//!
//! # The dual
//!
//! A maximum over j is a maximum over weights pᵢ ≥ 0 with Σⱼ pᵢⱼ = 1. Minimising over W for fixed p gives wⱼ = (1/λS) Σ sᵢ ([j = cᵢ] − pᵢⱼ) xᵢ, so
//!
//! ```text
//!   D(p) = (1/S) Σ sᵢ (1 − pᵢ_cᵢ) − (λ/2) Σⱼ ‖wⱼ‖²,        and for free biases  Σᵢ sᵢ pᵢⱼ = Sⱼ, the weight of class j, for every j
//! ```
//!
//! is at most F at all planes. Moving one row's pᵢ to p changes D by sᵢ/S times Σⱼ vⱼ (pⱼ − pᵢⱼ) − (q/2)‖p − pᵢ‖² with vⱼ = zᵢⱼ + [j ≠ cᵢ] and
//! q = sᵢ‖xᵢ‖²/(λS): the best p is **the point of the simplex nearest to pᵢ + v/q**, found exactly by leaving out what
//! falls below 0 until nothing does. W is kept up to date, so a step is one pass over the row for its k scores
//! and one to move the planes.
//!
//! Biases, orders of rows, leaving rows out, and means are those of [`minimise::DualCd`](crate::minimise::DualCd): a spring holds each bias to a centre that
//! follows it; rows come in runs of neighbours; a row whose p is a corner that leads by more than the worst violation
//! of the epoch before is left out; and the mean p of the last epochs is certified as well as p.
//!
//! # The certificate
//!
//! Where there are biases, p is put in balance first: as long as a class j has too much weight and l too little, the rows
//! where it costs the least, vⱼ − vₗ, move some of theirs from j to l. That always ends, at a p that is feasible.
//! Then W is made anew from p, each bias is made the best for the others once (a weighted quantile of the scores at
//! which the class would begin to lead), and F − D is the gap. Without biases there is nothing to balance, and W as it was kept up to date does. An addition of x cᵀ to it is off by at most u(‖W‖ + 5‖x‖‖c‖) in
//! norm, u the share that a number may be off by; so a bound δ on ‖W(p) − W‖ is known. The scores that F takes say what W(p)·W = (1/λS) Σ sᵢ (eᵢ − pᵢ)·zᵢ is, and
//!
//! ```text
//!   ‖W(p)‖² = 2 W(p)·W − ‖W‖² + ‖W(p) − W‖²  ≤  2 W(p)·W − ‖W‖² + δ²
//! ```
//!
//! bounds D(p) from below with the square of δ alone: little enough for W in 32 bits ([`Working`]) and usual tolerances. Where
//! it is too much, W is made anew.
//!
//! # When it ends
//!
//! The relative gap is at most tol; else the budget. Cost of an epoch: two passes over the rows that are left, k multiplications
//! for each stored value. Memory: four numbers per row and class.
//!
//! Source: Crammer & Singer, *On the algorithmic implementation of multiclass kernel-based vector machines*, JMLR 2 (2001); Keerthi,
//! Sundararajan, Chang, Hsieh & Lin, *A sequential dual method for large scale multi-class linear SVMs*, KDD (2008); Michelot, *J. Optim. Theory
//! Appl.* 50 (1986), for the projection.

mod balance;
mod points;
mod simplex;
#[cfg(test)]
mod tests;

use super::springs::Springs;
use super::working::Working;
use super::{Found, Sheaf, start, tell};
use crate::certify::{Certificate, Proof};
use crate::control::{Stop, Watch};
use crate::data::in_step::in_runs;
use crate::data::{Plane, Problem, on_rows};
use crate::error::Error;
use crate::math::rng::Rng;
use crate::math::sum::Sum;
use crate::minimise::{Ask, Goal, Pace};
use crate::solver::Convex;
use balance::{balance, best_biases};
use points::Points;
use simplex::most;

/// Settings of Crammer and Singer's machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrammerSinger {
    /// λ > 0.
    pub lambda: f64,
    /// Whether planes have biases.
    pub intercept: bool,
    /// When it is good enough.
    pub goal: Goal,
    /// Seed of the order of rows.
    pub seed: u64,
}

impl CrammerSinger {
    /// With the strength, the goal and the seed of a criterion of two classes.
    pub fn of(convex: &Convex, problem: &Problem<'_>) -> Self {
        Self {
            lambda: convex.lambda(problem.weights().iter().sum()),
            intercept: convex.intercept,
            goal: convex.goal,
            seed: convex.options.seed.unwrap_or_default(),
        }
    }

    /// Refuses a λ that is not above 0.
    pub fn check(&self) -> Result<(), Error> {
        if !(self.lambda > 0.0 && self.lambda.is_finite()) {
            let want = "finite and above 0";
            return Err(Error::Setting { name: "lambda", got: self.lambda, want });
        }
        self.goal.check()
    }

    /// Runs until there is a reason to stop.
    pub fn minimise(
        &self,
        problem: &Problem<'_>,
        starts: Option<&[Plane]>,
        watch: &mut dyn Watch,
    ) -> Result<Found, Error> {
        self.check()?;
        watch.plane(0, 1);
        let mut run = Run::new(*self, problem, &start(problem, starts)?);
        run.first();
        let (mut epoch, mut pace) = (0, Pace::new(self.goal.tol, true));
        loop {
            // 1. Is there a reason to stop?
            let best = run.best;
            let go_on = tell(watch, epoch, &self.goal, best.primal, best.relative_gap());
            let reasons = [
                (!run.is_finite() || !best.primal.is_finite(), Stop::Diverged),
                (best.reaches(self.goal.tol), Stop::Optimal),
                (best.is_at_the_floor(), Stop::Stationary),
                (!go_on, Stop::Asked),
                (epoch >= self.goal.budget.epochs, Stop::Budget),
            ];
            if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
                return Ok(run.end(stop, epoch));
            }

            // 2. Epochs, until the rows say that it may be enough, or a mean is due.
            let ask = loop {
                let seen = run.epoch(Rng::new(self.seed, epoch));
                epoch += 1;
                let told = tell(watch, epoch, &self.goal, best.primal, None);
                match pace.after(epoch, seen, best.primal) {
                    Ask::Nothing => {}
                    Ask::Later => run.begin_mean(),
                    ask => break ask,
                }
                if !told || epoch >= self.goal.budget.epochs {
                    break Ask::Now;
                }
            };

            // 3. What is proved now?
            run.certify();
            if ask == Ask::Mean && !run.best.reaches(self.goal.tol) {
                run.certify_mean();
            }
        }
    }
}

/// One run.
struct Run<'a> {
    settings: CrammerSinger,
    problem: &'a Problem<'a>,
    k: usize,
    /// S.
    total: f64,
    h: Working,
    /// pᵢⱼ, row after row.
    p: Vec<f64>,
    /// qᵢ, and sᵢ/(λS) by which a change of pᵢⱼ becomes a change of wⱼ.
    rows: Vec<[f64; 2]>,
    /// Rows still looked at, ascending.
    active: Vec<u32>,
    /// Worst violation of the epoch before.
    beyond: f64,
    springs: Springs,
    /// δ: how far at most W is from that of p.
    drift: f64,
    /// The largest ‖xᵢ‖.
    longest: f64,
    /// Σ of p over the last epochs, of the biases as well, and over how many.
    sums: Vec<f64>,
    bias_sums: Vec<f64>,
    summed: f64,
    /// The best that is proved, and the planes.
    best: Certificate,
    proved: Sheaf,
}

impl<'a> Run<'a> {
    fn new(settings: CrammerSinger, problem: &'a Problem<'a>, start: &Sheaf) -> Self {
        let (x, k) = (problem.x(), problem.labels().k());
        let norms = x.norms_sq();
        let mut centre = start.bias().to_vec();
        if !settings.intercept {
            centre.fill(0.0);
        }
        let longest = norms.iter().fold(0.0_f64, |most, norm| most.max(*norm)).sqrt();
        let springs = Springs::new(&norms, settings.intercept, &centre);
        let total = problem.weights().iter().sum::<f64>();
        let rows = springs.steps(&norms, problem.weights(), settings.lambda * total);
        // p of a row is the corner that leads there: of h = 0, its own class, which makes W = 0.
        let codes = problem.labels().codes();
        let mut p = vec![0.0; codes.len() * k];
        let at_zero = start.norm_sq() == 0.0;
        if at_zero {
            codes.iter().enumerate().for_each(|(i, &own)| p[i * k + own as usize] = 1.0);
        } else {
            let lead = |i: usize, z: &[f64]| {
                let v = |j: usize| z[j] + if j == codes[i] as usize { 0.0 } else { 1.0 };
                (1..k).fold(0, |best, j| if v(j) > v(best) { j } else { best })
            };
            let leads = start.map_rows(x, lead).concat();
            leads.iter().enumerate().for_each(|(i, j)| p[i * k + j] = 1.0);
        }
        let mut run = Self {
            settings,
            problem,
            k,
            total,
            h: Working::zero(start.d(), k, longest, settings.lambda),
            p,
            rows,
            active: Vec::new(),
            beyond: f64::INFINITY,
            springs,
            drift: 0.0,
            longest,
            sums: vec![0.0; codes.len() * k],
            bias_sums: vec![0.0; centre.len()],
            summed: 0.0,
            best: Certificate::with_bound(f64::INFINITY, f64::NEG_INFINITY),
            proved: Sheaf::zero(start.d(), k),
        };
        run.h.bias.copy_from_slice(&centre);
        if !at_zero {
            // The bias is as far from its centre as p is out of balance.
            let planes = run.renew();
            let centres = run.springs.centre.iter_mut().zip(planes.bias());
            centres.for_each(|(centre, stretched)| *centre -= stretched);
        }
        run.all_rows();
        run
    }

    /// What is known at the start: where every p is its row's own class, nothing but the value.
    fn first(&mut self) {
        if self.h.norm_sq() > 0.0 || self.k < 2 {
            self.certify();
        } else {
            self.best = Certificate::with_bound(1.0, 0.0);
        }
    }

    fn is_finite(&self) -> bool {
        self.drift.is_finite() && self.h.bias.iter().all(|b| b.is_finite())
    }

    fn all_rows(&mut self) {
        let s = self.problem.weights();
        self.active = (0..s.len() as u32).filter(|&i| s[i as usize] > 0.0).collect();
        self.beyond = f64::INFINITY;
    }

    /// Looks at every row that is left once, in runs in random order; about the gap, as rows were visited.
    fn epoch(&mut self, order: Rng) -> f64 {
        let order = in_runs(&self.active, order);
        let mut at = Points {
            codes: self.problem.labels().codes(),
            s: self.problem.weights(),
            rows: &self.rows,
            k: self.k,
            beyond: self.beyond,
            spring: self.springs.square,
            left: vec![false; self.rows.len()],
            p: std::mem::take(&mut self.p),
            bias: std::mem::take(&mut self.h.bias),
            before: vec![0.0; self.k],
            gap: 0.0,
            worst: 0.0,
            norm_sq: self.h.norm_sq(),
            added: 0.0,
        };
        self.h.walk(self.problem.x(), &order, &mut at);
        let Points { p, bias, left, gap, worst, added, .. } = at;
        (self.p, self.h.bias) = (p, bias);
        // The ‖W‖ that was counted with leaves out what was rounded in this epoch: a share at most of what it comes to, compounded.
        let share = self.h.rounding();
        self.drift += share * added * (share * order.len() as f64).exp();
        self.active.retain(|&i| !left[i as usize]);
        self.beyond = if worst > 0.0 { worst } else { f64::INFINITY };
        self.springs.follow(&mut self.h.bias);
        self.sums.iter_mut().zip(&self.p).for_each(|(sum, p)| *sum += p);
        self.bias_sums.iter_mut().zip(&self.springs.centre).for_each(|(sum, b)| *sum += b);
        self.summed += 1.0;
        gap / self.total
    }

    /// W of p; in place of the biases, how far the springs are stretched.
    fn planes(&self, p: &[f64]) -> Sheaf {
        let codes = self.problem.labels().codes();
        let mut h = Sheaf::zero(self.problem.x().d(), self.k);
        let mut c = vec![0.0; h.wide()];
        on_rows!(self.problem.x(), x => for (i, p) in p.chunks_exact(self.k).enumerate() {
            let step = self.rows[i][1];
            for (j, p) in p.iter().enumerate() {
                c[j] = step * (if j == codes[i] as usize { 1.0 - p } else { -p });
            }
            if c.iter().any(|c| *c != 0.0) {
                h.add_row(x, i, &c, self.springs.square);
            }
        });
        h
    }

    /// Makes W anew from p, and returns it with how far the springs are stretched in place of the biases.
    fn renew(&mut self) -> Sheaf {
        let mut planes = self.planes(&self.p);
        self.h.set(&mut planes);
        self.drift = self.h.rounding() * planes.norm_sq().sqrt();
        planes
    }

    fn begin_mean(&mut self) {
        self.sums.fill(0.0);
        self.bias_sums.fill(0.0);
        self.summed = 0.0;
    }

    /// Proves what can be proved of p, and keeps what is better. The run goes on with all rows.
    fn certify(&mut self) {
        self.all_rows();
        let allowed = self.settings.goal.tol * self.best.primal;
        if self.h.rounding() * self.longest * self.h.norm_sq().sqrt() > allowed {
            self.h.widen();
        }
        let lost = 0.5 * self.settings.lambda * self.drift * self.drift;
        if lost > 0.2 * allowed {
            self.renew();
        }
        if self.settings.intercept {
            self.balanced(self.p.clone(), &self.springs.centre.clone());
        } else {
            let (p, h) = (std::mem::take(&mut self.p), self.h.sheaf());
            self.bounded(&p, h, self.drift);
            self.p = p;
        }
    }

    /// The same for the mean p of the last epochs, after which the next begins.
    fn certify_mean(&mut self) {
        let count = self.summed;
        let p: Vec<f64> = self.sums.iter().map(|sum| sum / count).collect();
        let bias: Vec<f64> = self.bias_sums.iter().map(|sum| sum / count).collect();
        self.begin_mean();
        if self.settings.intercept {
            self.balanced(p, &bias);
        } else {
            let h = self.planes(&p);
            self.bounded(&p, h, 0.0);
        }
    }

    /// Where there are no biases: planes that are within δ of those of p.
    fn bounded(&mut self, p: &[f64], h: Sheaf, drift: f64) {
        let (codes, s, k) = (self.problem.labels().codes(), self.problem.weights(), self.k);
        // Of each row the loss, and what it adds to W(p)·W.
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
        self.keep(h, loss + 0.5 * lambda * size, bound);
    }

    /// Where there are biases: p is put in balance first.
    fn balanced(&mut self, mut p: Vec<f64>, bias: &[f64]) {
        // 1. A feasible p, by what the planes say now.
        let v = self.values(&self.h.sheaf());
        balance(&mut p, &v, self.problem);
        // 2. Its planes, and the bound.
        let mut h = self.planes(&p);
        let penalty = 0.5 * self.settings.lambda * h.norm_sq();
        let bound = self.slack(&p) - penalty;
        // 3. Biases, and the value.
        h.bias_mut().copy_from_slice(bias);
        let mut v = self.values(&h);
        let mut value = self.loss(&v);
        let shifts = best_biases(&mut v, self.problem);
        let other = self.loss(&v);
        if other < value {
            value = other;
            h.bias_mut().iter_mut().zip(&shifts).for_each(|(b, shift)| *b += shift);
        }
        self.keep(h, value + penalty, bound);
    }

    /// Keeps planes and a bound, each if it is better.
    fn keep(&mut self, h: Sheaf, value: f64, bound: f64) {
        let least = self.best.dual.map_or(bound, |dual| dual.value.max(bound));
        if value < self.best.primal && h.is_finite() {
            self.proved = h;
            self.best = Certificate::with_bound(value, least);
        } else {
            self.best = Certificate::with_bound(self.best.primal, least);
        }
    }

    /// The mean of 1 − p over the rows, p that of the own class.
    fn slack(&self, p: &[f64]) -> f64 {
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        let rows = p.chunks_exact(self.k).enumerate();
        let terms = rows.map(|(i, p)| s[i] * (1.0 - p[codes[i] as usize]));
        terms.collect::<Sum>().value() / self.total
    }

    /// vᵢⱼ = zᵢⱼ + [j ≠ cᵢ] of every row and class.
    fn values(&self, h: &Sheaf) -> Vec<f64> {
        let codes = self.problem.labels().codes();
        let of = |i: usize, z: &[f64]| {
            let own = codes[i] as usize;
            z.iter().enumerate().map(|(j, z)| z + if j == own { 0.0 } else { 1.0 }).collect()
        };
        let blocks: Vec<Vec<Vec<f64>>> = h.map_rows(self.problem.x(), of);
        blocks.into_iter().flatten().flatten().collect()
    }

    /// The mean loss.
    fn loss(&self, v: &[f64]) -> f64 {
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        let rows = v.chunks_exact(self.k).enumerate();
        let terms = rows.map(|(i, v)| s[i] * (most(v) - v[codes[i] as usize]));
        terms.collect::<Sum>().value() / self.total
    }

    fn end(self, stop: Stop, epochs: u64) -> Found {
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        // Of each row the lead of the first class over the second, and whether it is its own, alone.
        let lead = |i: usize, z: &[f64]| {
            let first = (1..z.len()).fold(0, |best, j| if z[j] > z[best] { j } else { best });
            let rest = z.iter().enumerate().filter(|(j, _)| *j != first);
            let lead = z[first] - rest.fold(f64::NEG_INFINITY, |most, (_, z)| most.max(*z));
            (lead, first == codes[i] as usize && lead > 0.0)
        };
        let leads = self.proved.map_rows(self.problem.x(), lead).concat();
        let wrong = leads.iter().zip(s).filter(|((_, right), _)| !right);
        let radius = self.best.radius(self.settings.lambda);
        let proved =
            radius.filter(|_| !self.settings.intercept).map(|rho| self.settled(&leads, rho));
        Found {
            mistakes: wrong.map(|(_, s)| s).sum(),
            planes: self.proved.planes(),
            stop,
            epochs,
            updates: 0,
            proof: Some(Proof { certificate: self.best, radius, proved }),
            way: Some("dual-cd"),
        }
    }

    /// Weighted share of the rows that the exact optimum, whose weights are within ρ of these, decides alike: a difference of two scores
    /// moves by at most √2 ρ‖x‖. Of biases nothing is known, so there must be none.
    fn settled(&self, leads: &[(f64, bool)], rho: f64) -> f64 {
        let x = self.problem.x();
        let rows = leads.iter().enumerate().zip(self.problem.weights());
        let settled = rows.filter(|((i, (lead, _)), _)| *lead > (2.0 * x.norm_sq(*i)).sqrt() * rho);
        settled.map(|(_, s)| s).sum::<f64>() / self.total
    }
}
