//! All points of the simplex together, each held near where it was.
//!
//! ```text
//!   Φ(W, b) = (1/S) Σ sᵢ [max over p in the simplex of p·vᵢ − (γ/2)‖p − p̄ᵢ‖²  −  zᵢ_cᵢ]  +  (λ/2) Σⱼ ‖wⱼ‖²,        vᵢⱼ = zᵢⱼ + [j ≠ cᵢ]
//! ```
//!
//! has a slope everywhere: where it is attained, at **the point pᵢ of the simplex nearest to p̄ᵢ + vᵢ/γ**, it is that of the row's (p − e)·z, e its own class. Its least W is that of these p, which are the best
//! for D(p) − (γ/2S) Σ sᵢ‖pᵢ − p̄ᵢ‖² and in balance. So a stage finds the least of Φ, and the next has its p for p̄: the proximal method on D (the method of multipliers).
//! Unlike with a corner that is merely rounded off, what is wrong with the planes goes to nothing with p − p̄, so γ may stay where doubles can
//! tell; it halves from stage to stage, as a smaller one takes p further.
//!
//! # A stage
//!
//! Newton's method: Φ is made of parabolas, that of rows which hold several classes alone being curved (see `curvature`). Each step is solved by conjugate gradients, and
//! how far to go is found without touching the rows. With G the slope of Φ in W, what the stage is short of is ‖G‖²/(2λ), as W − G/λ is the W of p. A stage ends when
//! that is less than a share of what p has moved by, (γ/2S) Σ sᵢ‖pᵢ − p̄ᵢ‖², and the classes are about as well in balance; then what is proved is found out (see `proofs`).
//!
//! # When it ends
//!
//! The relative gap is at most tol; γ is too small for doubles to tell; else the budget, in steps. Cost of a step: two products with k columns, a few looks at all
//! n × k scores, and the inner steps, which see rows with curvature alone. Memory: five numbers per row and class.
//!
//! Source: Rockafellar, *Augmented Lagrangians and applications of the proximal point algorithm in convex programming*, Math. Oper. Res. 1 (1976); Li, Sun & Toh, *A highly efficient
//! semismooth Newton augmented Lagrangian method for solving Lasso problems*, SIAM J. Optim. 28 (2018).

use super::CrammerSinger;
use super::curvature::Curvature;
use super::proofs::Proofs;
use super::simplex::{Held, nearest};
use crate::control::{Cancel, Stop, Watch};
use crate::data::{Gather, Problem};
use crate::joint::conjugate::Conjugate;
use crate::joint::{Found, Sheaf, tell};
use crate::math::kernels::{axpy, dot, norm_sq};
use crate::math::parallel::map_blocks;
use crate::math::sum::Sum;
use crate::minimise::search;
use rayon::prelude::*;
use std::ops::Range;

/// The first γ, and the least that rounding does not drown.
const FIRST: f64 = 0.3;
const LEAST: f64 = 1e-10;
/// What a stage may be short of, as a share of what p has moved by.
const SHARE: f64 = 0.5;
/// Steps that a stage has at the most.
const STEPS: u64 = 60;
/// By what γ falls from stage to stage.
const FALL: f64 = 0.5;
/// Scores by which a class may be short of being held and still count, in units of γ: at first, at the most, and by what that grows and falls.
const NEAR: (f64, f64) = (0.1, 1e3);
const GROWS: f64 = 4.0;
/// Rows that are looked at by one thread at a time.
const BLOCK: usize = 256;

/// Whether columns are few enough.
pub(super) fn suits(problem: &Problem<'_>) -> bool {
    const ROOM: usize = 1 << 24;
    let wide = problem.x().d() + 1;
    wide.saturating_mul(wide).saturating_mul(problem.labels().k()) <= ROOM
}

/// Runs from planes until there is a reason to stop.
pub(super) fn minimise(
    settings: CrammerSinger,
    problem: &Problem<'_>,
    start: &Sheaf,
    watch: &mut dyn Watch,
) -> Found {
    let mut proofs = Proofs::new(settings, problem, watch.cancel());
    let mut run = Run::new(&proofs, start);
    if start.norm_sq() > 0.0 {
        run.certify(&mut proofs);
    } else {
        proofs.of_nothing();
    }
    let (mut epoch, mut asked, goal) = (0, false, &settings.goal);
    loop {
        // 1. Is there a reason to stop?
        let best = proofs.best;
        let go_on = tell(watch, epoch, goal, best.primal, best.relative_gap());
        let reasons = [
            (!run.is_finite() || !best.primal.is_finite(), Stop::Diverged),
            (best.reaches(goal.tol), Stop::Optimal),
            (best.is_at_the_floor() || run.gamma < LEAST, Stop::Stationary),
            (asked || !go_on, Stop::Asked),
            (epoch >= goal.budget.epochs, Stop::Budget),
        ];
        if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
            if epoch > 0 {
                proofs.fall_back(|| Sheaf::of_tight(run.k, &run.weights));
            }
            return proofs.end(stop, epoch, "proximal-newton");
        }

        // 2. The least of Φ.
        run.look();
        let mut steps = 0;
        while steps < STEPS && epoch < goal.budget.epochs && !asked && !run.is_enough() {
            if !run.step(epoch == 0) {
                break;
            }
            steps += 1;
            epoch += 1;
            asked = !tell(watch, epoch, goal, best.primal, None);
        }
        asked |= run.cancel.is_set();
        epoch += u64::from(steps == 0 && !asked);

        // 3. What that proves; its p are the next p̄.
        run.certify(&mut proofs);
        run.centre();
        run.gamma *= FALL;
    }
}

/// One run. Weights are (d+1) × k, row after row, the biases last.
struct Run<'a> {
    settings: CrammerSinger,
    problem: &'a Problem<'a>,
    k: usize,
    total: f64,
    gamma: f64,
    weights: Vec<f64>,
    /// p̄ᵢⱼ and pᵢⱼ, row after row; ‖p̄ᵢ‖²; zᵢⱼ, and what becomes of them along the step.
    centre: Vec<f64>,
    p: Vec<f64>,
    squares: Vec<f64>,
    z: Vec<f64>,
    u: Vec<f64>,
    /// Φ, its gradient, and (γ/2S) Σ sᵢ‖pᵢ − p̄ᵢ‖².
    value: f64,
    g: Vec<f64>,
    moved: f64,
    /// How near to being held is near.
    near: f64,
    gather: Gather,
    inner: Conjugate,
    cancel: Cancel,
}

impl<'a> Run<'a> {
    fn new(proofs: &Proofs<'a>, start: &Sheaf) -> Self {
        let (problem, settings, k) = (proofs.problem, proofs.settings, proofs.k);
        let x = problem.x();
        let mut weights = start.tight();
        if !settings.intercept {
            weights[x.d() * k..].fill(0.0);
        }
        let mut z = vec![0.0; x.n() * k];
        x.times_until(&weights, k, &mut z, || proofs.cancel.is_over());
        let centre = proofs.corners(start);
        Self {
            settings,
            problem,
            k,
            total: proofs.total,
            gamma: FIRST,
            p: centre.clone(),
            squares: vec![1.0; x.n()],
            centre,
            u: vec![0.0; z.len()],
            z,
            value: f64::NAN,
            g: vec![0.0; weights.len()],
            moved: 0.0,
            near: 0.0,
            gather: Gather::new(x, k),
            inner: Conjugate::new(weights.len()),
            cancel: proofs.cancel.clone(),
            weights,
        }
    }

    fn is_finite(&self) -> bool {
        self.weights.iter().all(|w| w.is_finite())
    }

    fn penalised(&self) -> usize {
        self.problem.x().d() * self.k
    }

    /// Makes p, Φ and its gradient those of the weights, whose scores are known; or of some rows only, where the time is over.
    fn look(&mut self) {
        let (k, gamma, penalised) = (self.k, self.gamma, self.penalised());
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        let blocks = self.p.par_chunks_mut(BLOCK * k).enumerate();
        let look = Rows { z: &self.z, centre: &self.centre, codes, k, gamma };
        let parts: Vec<[f64; 2]> = blocks
            .map(|(block, p)| {
                let (mut sums, mut t, mut held) = ([0.0; 2], vec![0.0; k], Held::new());
                for (i, p) in (block * BLOCK..).zip(p.chunks_exact_mut(k)) {
                    if self.cancel.is_over() {
                        break;
                    }
                    look.targets(i, None, &mut t);
                    nearest(&t, gamma, &mut held);
                    p.fill(0.0);
                    held.iter().for_each(|&(j, share)| p[j as usize] = share);
                    let (own, centre) = (i * k + codes[i] as usize, &self.centre[i * k..][..k]);
                    let far: f64 = p.iter().zip(centre).map(|(p, c)| (p - c) * (p - c)).sum();
                    let inner: f64 = held
                        .iter()
                        .map(|&(j, p)| p * (t[j as usize] - gamma * centre[j as usize]))
                        .sum();
                    sums[0] += s[i] * (inner - 0.5 * gamma * far - self.z[own]);
                    sums[1] += s[i] * far;
                }
                sums
            })
            .collect();
        let sum = |c: usize| parts.iter().map(|part| part[c]).collect::<Sum>().value() / self.total;
        let (w, lambda, total) = (&self.weights[..penalised], self.settings.lambda, self.total);
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
        let over = || self.cancel.is_over();
        self.gather.of_until(self.problem.x(), &mut self.g, residuals, over);
        axpy(lambda, w, &mut self.g[..penalised]);
        if !self.settings.intercept {
            self.g[penalised..].fill(0.0);
        }
    }

    /// Whether the stage is done.
    fn is_enough(&self) -> bool {
        const NOTHING: f64 = 1e-15;
        let (w, b) = self.g.split_at(self.penalised());
        let short = norm_sq(w) / (2.0 * self.settings.lambda);
        let unbalanced: f64 = b.iter().map(|b| b.abs()).sum();
        let enough = SHARE * self.moved;
        let close = short <= enough && unbalanced * unbalanced <= 0.01 * SHARE * enough;
        close || short + unbalanced <= NOTHING * self.value
    }

    /// A step of Newton's method, and a look; whether there was one to make. Where training is to end, half a direction is better
    /// than none for the first step; after it, the time that is left is for what is proved.
    fn step(&mut self, first: bool) -> bool {
        if self.cancel.is_set() {
            return false;
        }
        let (k, penalised) = (self.k, self.penalised());
        let CrammerSinger { lambda, intercept, .. } = self.settings;
        let (x, s) = (self.problem.x(), self.problem.weights());
        let scale = 1.0 / (self.total * self.gamma);
        let held: Vec<f64> = self.g[penalised..].iter().map(|r| r.abs()).collect();
        let held = intercept.then_some(&held[..]);
        let (classes, ends) = self.held();
        let curvature = Curvature::new(x, (classes, &ends), (s, scale), k, lambda, held);
        let factor = curvature.factor(&self.cancel);
        let turn = |v: &[f64], out: &mut [f64]| curvature.turn(v, out, &self.cancel);
        let divide = |r: &[f64], out: &mut [f64]| curvature.divide(&factor, r, out);
        self.inner.solve(&self.g, turn, divide, &self.cancel);
        let cancel = self.cancel.clone();
        let late = || cancel.is_over() || !first && cancel.is_set();

        x.times_until(&self.inner.p, k, &mut self.u, late);
        if late() {
            return false;
        }
        let half = 0.5 * lambda;
        let (w, p) = (&self.weights[..penalised], &self.inner.p[..penalised]);
        let (none, once, twice) = (half * norm_sq(w), half * 2.0 * dot(w, p), half * norm_sq(p));
        let slope = dot(&self.g, &self.inner.p);
        let found = search(self.value, slope, 1.0, |t| {
            let [value, rising, curvature] = self.along(t);
            [
                value + none + t * (once + t * twice),
                rising + once + 2.0 * t * twice,
                curvature + 2.0 * twice,
            ]
        });
        let Some((t, _)) = found.filter(|_| !cancel.is_over()) else { return false };
        self.near = match self.near {
            near if t < 0.5 => (near * GROWS).clamp(NEAR.0, NEAR.1),
            near if near < 0.02 * NEAR.0 => 0.0,
            near => near / GROWS,
        };
        axpy(t, &self.inner.p, &mut self.weights);
        axpy(t, &self.u, &mut self.z);
        self.look();
        true
    }

    /// The p are the next p̄.
    fn centre(&mut self) {
        self.centre.copy_from_slice(&self.p);
        let rows = self.squares.iter_mut().zip(self.p.chunks_exact(self.k));
        rows.for_each(|(square, p)| *square = p.iter().map(|p| p * p).sum());
    }

    /// The classes that rows hold, or nearly, one row after the other; and where each row's end.
    fn held(&self) -> (Vec<u32>, Vec<usize>) {
        let (k, gamma, codes) = (self.k, self.gamma, self.problem.labels().codes());
        let look = Rows { z: &self.z, centre: &self.centre, codes, k, gamma };
        let (mut classes, mut ends, mut t) = (Vec::new(), Vec::new(), vec![0.0; k]);
        for (i, p) in self.p.chunks_exact(k).enumerate() {
            let mut of = (0..).zip(p).filter(|(_, p)| **p > 0.0);
            match of.clone().next() {
                Some((one, p)) if self.near > 0.0 => {
                    look.targets(i, None, &mut t);
                    // tⱼ − γpⱼ is the same for all classes that are held, and above the t of all others.
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

    /// The mean of what Φ has of the rows at scores z + t u, its slope and its curvature in t; of some rows only once the time is over.
    fn along(&self, step: f64) -> [f64; 3] {
        let (k, gamma) = (self.k, self.gamma);
        let (codes, s) = (self.problem.labels().codes(), self.problem.weights());
        let look = Rows { z: &self.z, centre: &self.centre, codes, k, gamma };
        let parts: Vec<[f64; 3]> = map_blocks(codes.len(), BLOCK, |rows| {
            let (mut sums, mut t, mut held) = ([0.0; 3], vec![0.0; k], Held::new());
            for i in rows {
                if self.cancel.is_over() {
                    break;
                }
                let (own, u) = (codes[i] as usize, &self.u[i * k..][..k]);
                look.targets(i, Some((u, step)), &mut t);
                nearest(&t, gamma, &mut held);
                // With t = v + γp̄ the most is p·t − (γ/2)(‖p‖² + ‖p̄‖²).
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

    /// Proves what can be proved of p and of the planes.
    fn certify(&mut self, proofs: &mut Proofs<'_>) {
        let (k, codes) = (self.k, self.problem.labels().codes());
        let mut v = self.z.clone();
        for (v, &own) in v.chunks_exact_mut(k).zip(codes) {
            v.iter_mut()
                .enumerate()
                .filter(|(j, _)| *j != own as usize)
                .for_each(|(_, v)| *v += 1.0);
        }
        if self.settings.intercept {
            proofs.balanced(self.p.clone(), &v);
        } else {
            let h = proofs.planes(&self.p, 0.0);
            let bound = proofs.slack(&self.p) - 0.5 * self.settings.lambda * h.norm_sq();
            proofs.raise(bound, &self.p);
        }
        proofs.judged(Sheaf::of_tight(k, &self.weights), v);
    }
}

/// What rows look at.
struct Rows<'a> {
    z: &'a [f64],
    centre: &'a [f64],
    codes: &'a [u32],
    k: usize,
    gamma: f64,
}

impl Rows<'_> {
    /// t ← v + γp̄ of row i, as its scores are or so far along u.
    #[inline]
    fn targets(&self, i: usize, along: Option<(&[f64], f64)>, t: &mut [f64]) {
        let (z, centre) = (&self.z[i * self.k..][..self.k], &self.centre[i * self.k..][..self.k]);
        let gamma = self.gamma;
        t.iter_mut().zip(z).zip(centre).for_each(|((t, z), c)| *t = z + gamma * c + 1.0);
        if let Some((u, step)) = along {
            t.iter_mut().zip(u).for_each(|(t, u)| *t += step * u);
        }
        t[self.codes[i] as usize] -= 1.0;
    }
}
