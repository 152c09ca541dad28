//! What can be proved of weights p and planes W: F above, D below, and the best of each that was met.
//!
//! Where there are biases, p is put in balance first: as long as a class j has too much weight and l too little, the rows
//! where it costs the least, vⱼ − vₗ, move some of theirs from j to l. That always ends, at a p that is feasible.
//! Then W is made anew from p for the bound; and of planes, each bias is made the best for the others once (a weighted quantile of the scores at
//! which the class would begin to lead) before F is taken.
//!
//! Without biases there is nothing to balance, and any W that is within δ of that of p does. The scores that F takes say what W(p)·W = (1/λS) Σ sᵢ (eᵢ − pᵢ)·zᵢ is, and
//!
//! ```text
//!   ‖W(p)‖² = 2 W(p)·W − ‖W‖² + ‖W(p) − W‖²  ≤  2 W(p)·W − ‖W‖² + δ²
//! ```
//!
//! bounds D(p) from below with the square of δ alone.

use super::CrammerSinger;
use super::balance::{balance, best_biases};
use super::simplex::most;
use crate::certify::{Certificate, JointLoss, certify_jointly};
use crate::control::{Cancel, Stop};
use crate::data::{Problem, on_rows};
use crate::joint::{Found, Sheaf};
use crate::math::sum::Sum;

/// The problem, and the best that is proved.
pub(super) struct Proofs<'a> {
    pub settings: CrammerSinger,
    pub problem: &'a Problem<'a>,
    pub k: usize,
    /// S.
    pub total: f64,
    pub best: Certificate,
    planes: Sheaf,
    /// Whether any planes were kept.
    kept: bool,
    /// The token of the run. Once the time is over nothing is kept any more, as it may rest on parts of sums.
    pub cancel: Cancel,
    /// The p of the best bound; none where that is of each row its own class.
    p: Option<Vec<f64>>,
}

impl<'a> Proofs<'a> {
    /// Nothing is known yet.
    pub(super) fn new(settings: CrammerSinger, problem: &'a Problem<'a>, cancel: Cancel) -> Self {
        let k = problem.labels().k();
        Self {
            settings,
            problem,
            k,
            total: problem.weights().iter().sum::<f64>(),
            best: Certificate::with_bound(f64::INFINITY, f64::NEG_INFINITY),
            planes: Sheaf::zero(problem.x().d(), k),
            kept: false,
            cancel,
            p: None,
        }
    }

    /// Where W = 0 and every p is its row's own class, F is 1: no more than that is known.
    pub(super) fn of_nothing(&mut self) {
        self.best = Certificate::with_bound(1.0, 0.0);
    }

    /// A p for planes to start from: the corner that leads; of h = 0, the row's own class, which makes W = 0.
    pub(super) fn corners(&self, start: &Sheaf) -> Vec<f64> {
        let (codes, k) = (self.problem.labels().codes(), self.k);
        let mut p = vec![0.0; codes.len() * k];
        if start.norm_sq() == 0.0 {
            codes.iter().enumerate().for_each(|(i, &own)| p[i * k + own as usize] = 1.0);
            return p;
        }
        let lead = |i: usize, z: &[f64]| {
            let v = |j: usize| z[j] + if j == codes[i] as usize { 0.0 } else { 1.0 };
            (1..k).fold(0, |best, j| if v(j) > v(best) { j } else { best })
        };
        let leads = start.map_rows(self.problem.x(), lead).concat();
        leads.iter().enumerate().for_each(|(i, j)| p[i * k + j] = 1.0);
        p
    }

    /// W of p; in place of the biases, `lift` times what the classes are out of balance by.
    pub(super) fn planes(&self, p: &[f64], lift: f64) -> Sheaf {
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        let scale = 1.0 / (self.settings.lambda * self.total);
        let mut h = Sheaf::zero(self.problem.x().d(), self.k);
        let mut c = vec![0.0; h.wide()];
        on_rows!(self.problem.x(), x => for (i, p) in p.chunks_exact(self.k).enumerate() {
            let step = scale * s[i];
            for (j, p) in p.iter().enumerate() {
                c[j] = step * (if j == codes[i] as usize { 1.0 - p } else { -p });
            }
            if self.cancel.is_over() {
                break;
            }
            if c.iter().any(|c| *c != 0.0) {
                h.add_row(x, i, &c, lift);
            }
        });
        h
    }

    /// Where there are no biases: planes that are within δ of those of p.
    pub(super) fn bounded(&mut self, p: &[f64], h: Sheaf, drift: f64) {
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
        self.keep(h, loss + 0.5 * lambda * size);
        self.raise(bound, p);
    }

    /// Where there are biases: the bound of p, put in balance by what the v say. Returns its planes, without biases.
    pub(super) fn balanced(&mut self, mut p: Vec<f64>, v: &[f64]) -> Sheaf {
        balance(&mut p, v, self.problem, &self.cancel);
        let h = self.planes(&p, 0.0);
        self.raise(self.slack(&p) - 0.5 * self.settings.lambda * h.norm_sq(), &p);
        h
    }

    /// The value of planes whose v these are, with biases as they are or as is best for them.
    pub(super) fn judged(&mut self, mut h: Sheaf, mut v: Vec<f64>) {
        if self.cancel.is_over() {
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

    /// Keeps the bound of p, if it is better.
    pub(super) fn raise(&mut self, bound: f64, p: &[f64]) {
        if self.cancel.is_over() {
            return;
        }
        let known = self.best.dual.map_or(f64::NEG_INFINITY, |dual| dual.value);
        if bound > known {
            self.p.get_or_insert_default().clear();
            self.p.get_or_insert_default().extend_from_slice(p);
        }
        self.best = Certificate::with_bound(self.best.primal, known.max(bound));
    }

    /// Keeps planes, if they are better.
    fn keep(&mut self, h: Sheaf, value: f64) {
        if value < self.best.primal && h.is_finite() && !self.cancel.is_over() {
            self.planes = h;
            self.kept = true;
            let known = self.best.dual.map_or(0.0, |dual| dual.value);
            self.best = Certificate::with_bound(value, known);
        }
    }

    /// Takes planes that nothing is known of, where there was no time to find out about any.
    pub(super) fn fall_back(&mut self, planes: impl FnOnce() -> Sheaf) {
        if self.cancel.is_over() && !self.kept {
            let planes = planes();
            if planes.is_finite() {
                self.planes = planes;
            }
        }
    }

    /// The mean of 1 − p over the rows, p that of the own class.
    pub(super) fn slack(&self, p: &[f64]) -> f64 {
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        let rows = p.chunks_exact(self.k).enumerate();
        let terms = rows.map(|(i, p)| s[i] * (1.0 - p[codes[i] as usize]));
        terms.collect::<Sum>().value() / self.total
    }

    /// vᵢⱼ = zᵢⱼ + [j ≠ cᵢ] of every row and class.
    pub(super) fn values(&self, h: &Sheaf) -> Vec<f64> {
        let codes = self.problem.labels().codes();
        let of = |i: usize, z: &[f64]| -> Vec<f64> {
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

    /// The best that was met, and which way led there.
    pub(super) fn end(self, stop: Stop, epochs: u64, way: &'static str) -> Found {
        let (codes, s, k) = (self.problem.labels().codes(), self.problem.weights(), self.k);
        // Whether the first class is the row's own, alone.
        let wins = |i: usize, z: &[f64]| {
            let own = codes[i] as usize;
            z.iter().enumerate().all(|(j, other)| j == own || *other < z[own])
        };
        let mistakes = if self.cancel.is_over() {
            self.total
        } else {
            let right = self.planes.map_rows(self.problem.x(), wins).concat();
            let wrong = right.iter().zip(s).filter(|(right, _)| !**right);
            wrong.map(|(_, s)| s).sum()
        };
        let planes = self.planes.planes();
        let own_class = || {
            let mut p = vec![0.0; codes.len() * k];
            codes.iter().enumerate().for_each(|(i, &own)| p[i * k + own as usize] = 1.0);
            p
        };
        let penalty = (self.settings.lambda, self.settings.intercept);
        let p = self.p.unwrap_or_else(own_class);
        let (loss, cancel) = (JointLoss::CrammerSinger, &self.cancel);
        let (certificate, winners) =
            certify_jointly(self.problem, loss, penalty, &planes, p, cancel).unzip();
        let reached = certificate.is_some_and(|own| own.gap.reaches(self.settings.goal.tol));
        let short = stop == Stop::Optimal && !reached;
        Found {
            mistakes,
            planes,
            stop: if short { Stop::Stationary } else { stop },
            epochs,
            updates: 0,
            certificate,
            winners: winners.flatten(),
            way: Some(way),
        }
    }
}
