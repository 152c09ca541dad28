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
//! which the class would begin to lead), and F − D is the gap. Without biases there is nothing to balance, and W as it was kept up to date does:
//! it is within δ of that of p by what was rounded on the way (as in [`minimise::DualCd`](crate::minimise::DualCd)), so that D(p) is at least the
//! value with ‖W‖ + δ in place of ‖W‖. Where that is too little, W is made anew.
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
use super::{Found, Sheaf, start, tell};
use crate::certify::{Certificate, Proof};
use crate::control::{Stop, Watch};
use crate::data::in_step::{in_runs, rounded, walk};
use crate::data::{Plane, Problem, on_rows};
use crate::error::Error;
use crate::math::rng::Rng;
use crate::math::sum::Sum;
use crate::minimise::Goal;
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

/// The epoch at which means are first looked at.
const FIRST_MEAN: u64 = 12;

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
        let (mut epoch, mut next, mut before) = (0, FIRST_MEAN, None);
        let mut asked = f64::INFINITY;
        loop {
            // 1. Is there a reason to stop?
            let best = run.best;
            let go_on = tell(watch, epoch, &self.goal, best.primal, best.relative_gap());
            let reasons = [
                (!run.h.is_finite() || !best.primal.is_finite(), Stop::Diverged),
                (best.reaches(self.goal.tol), Stop::Optimal),
                (best.is_at_the_floor(), Stop::Stationary),
                (!go_on, Stop::Asked),
                (epoch >= self.goal.budget.epochs, Stop::Budget),
            ];
            if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
                return Ok(run.end(stop, epoch));
            }

            // 2. Epochs, until the rows say that it may be enough, or a mean is due.
            loop {
                let seen = run.epoch(Rng::new(self.seed, epoch));
                epoch += 1;
                // What was seen has fallen once more since, by as much as the last time.
                let fell = before.map_or(1.0, |before: f64| (seen / before).min(1.0));
                before = Some(seen);
                let told = tell(watch, epoch, &self.goal, best.primal, None);
                // Where it was asked in vain, it must have fallen well below that before it is asked again.
                let likely = seen * fell;
                let enough = likely <= (0.8 * self.goal.tol * best.primal).min(0.6 * asked);
                if enough {
                    asked = likely;
                }
                if enough || !told || epoch >= self.goal.budget.epochs || epoch >= next {
                    break;
                }
            }

            // 3. What is proved now?
            run.certify(false);
            if epoch >= next && !run.best.reaches(self.goal.tol) {
                run.certify(true);
                next = epoch + (epoch / 2).max(FIRST_MEAN / 2);
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
    h: Sheaf,
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
        let springs = Springs::new(&norms, settings.intercept, &centre);
        let total = problem.weights().iter().sum::<f64>();
        let rows = springs.steps(&norms, problem.weights(), settings.lambda * total);
        // p of a row is the corner that leads there: of h = 0, its own class, which makes W = 0.
        let codes = problem.labels().codes();
        let mut p = vec![0.0; codes.len() * k];
        if start.norm_sq() == 0.0 {
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
            h: start.clone(),
            p,
            rows,
            active: Vec::new(),
            beyond: f64::INFINITY,
            springs,
            drift: 0.0,
            longest: norms.iter().fold(0.0_f64, |most, norm| most.max(*norm)).sqrt(),
            sums: vec![0.0; codes.len() * k],
            bias_sums: vec![0.0; centre.len()],
            summed: 0.0,
            best: Certificate::with_bound(f64::INFINITY, f64::NEG_INFINITY),
            proved: Sheaf::zero(start.d(), k),
        };
        // The bias is as far from its centre as p is out of balance.
        run.h = run.planes(&run.p);
        let centres = &mut run.springs.centre;
        for ((b, centre), start) in run.h.bias_mut().iter_mut().zip(centres).zip(&centre) {
            *centre = start - *b;
            *b = *start;
        }
        run.all_rows();
        run
    }

    /// What is known at the start: where every p is its row's own class, nothing but the value.
    fn first(&mut self) {
        if self.h.norm_sq() > 0.0 || self.k < 2 {
            self.certify(false);
        } else {
            self.best = Certificate::with_bound(1.0, 0.0);
        }
    }

    fn all_rows(&mut self) {
        let s = self.problem.weights();
        self.active = (0..s.len() as u32).filter(|&i| s[i as usize] > 0.0).collect();
        self.beyond = f64::INFINITY;
    }

    /// Looks at every row that is left once, in runs in random order; about the gap, as rows were visited.
    fn epoch(&mut self, order: Rng) -> f64 {
        let order = in_runs(&self.active, order);
        let before = self.h.norm_sq().sqrt();
        let (weights, bias) = self.h.parts_mut();
        let mut at = Points {
            codes: self.problem.labels().codes(),
            s: self.problem.weights(),
            rows: &self.rows,
            k: self.k,
            beyond: self.beyond,
            spring: self.springs.square,
            left: vec![false; self.rows.len()],
            p: std::mem::take(&mut self.p),
            bias: bias.to_vec(),
            before: vec![0.0; self.k],
            gap: 0.0,
            worst: 0.0,
            steps: 0.0,
            path: 0.0,
        };
        on_rows!(self.problem.x(), x => walk(x, &order, weights, &mut at));
        bias.copy_from_slice(&at.bias);
        let Points { p, left, gap, worst, steps, path, .. } = at;
        self.p = p;
        self.drift += rounded(before, steps, self.longest * path);
        self.active.retain(|&i| !left[i as usize]);
        self.beyond = if worst > 0.0 { worst } else { f64::INFINITY };
        self.springs.follow(self.h.bias_mut());
        self.sums.iter_mut().zip(&self.p).for_each(|(sum, p)| *sum += p);
        self.bias_sums.iter_mut().zip(&self.springs.centre).for_each(|(sum, b)| *sum += b);
        self.summed += 1.0;
        gap / self.total
    }

    /// W of p; in place of the biases, how far the springs are stretched.
    fn planes(&self, p: &[f64]) -> Sheaf {
        let codes = self.problem.labels().codes();
        let mut h = Sheaf::zero(self.h.d(), self.k);
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

    /// Proves what can be proved of p, or of the mean p of the last epochs, and keeps what is better. The run goes on from where it was, with
    /// all rows.
    fn certify(&mut self, mean: bool) {
        let (mut p, mut bias) = (self.p.clone(), self.springs.centre.clone());
        if mean {
            p.iter_mut().zip(&self.sums).for_each(|(p, sum)| *p = sum / self.summed);
            bias.iter_mut().zip(&self.bias_sums).for_each(|(b, sum)| *b = sum / self.summed);
            self.sums.fill(0.0);
            self.bias_sums.fill(0.0);
            self.summed = 0.0;
        }
        self.all_rows();
        if !self.settings.intercept {
            let penalty = |norm: f64| 0.5 * self.settings.lambda * norm * norm;
            // W as it is belongs to p as it is, unless too much was rounded.
            let norm = self.h.norm_sq().sqrt();
            let lost = penalty(norm + self.drift) - penalty(norm);
            if !mean && lost > 0.01 * self.settings.goal.tol * self.best.primal {
                self.h = self.planes(&p);
                self.drift = 0.0;
            }
            let (h, drift) =
                if mean { (self.planes(&p), 0.0) } else { (self.h.clone(), self.drift) };
            let norm = h.norm_sq().sqrt();
            let bound = self.slack(&p) - penalty(norm + drift);
            let value = self.loss_of(&h) + penalty(norm);
            self.keep(h, value, bound);
            return;
        }

        // 1. A feasible p, by what the planes say now.
        let v = self.values(&self.h);
        balance(&mut p, &v, self.problem);
        // 2. Its planes, and the bound.
        let mut h = self.planes(&p);
        let penalty = 0.5 * self.settings.lambda * h.norm_sq();
        let bound = self.slack(&p) - penalty;
        // 3. Biases, and the value.
        h.bias_mut().copy_from_slice(&bias);
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

    /// The mean loss of planes.
    fn loss_of(&self, h: &Sheaf) -> f64 {
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        let term = |i: usize, z: &[f64]| {
            let own = z[codes[i] as usize];
            let rivals = z.iter().enumerate().filter(|(j, _)| *j != codes[i] as usize);
            let ahead = rivals.fold(own, |most, (_, z)| most.max(z + 1.0));
            s[i] * (ahead - own)
        };
        let blocks = h.map_rows(self.problem.x(), term);
        blocks.into_iter().flatten().collect::<Sum>().value() / self.total
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
