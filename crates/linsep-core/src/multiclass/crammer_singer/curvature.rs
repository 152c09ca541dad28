//! Curvature of the proximal objective (see `proximal`), and its preconditioner.
//!
//! The projection onto the simplex moves only within the set A of classes with pᵢⱼ > 0. There its
//! derivative subtracts the mean. So
//!
//! ```text
//!   H = Σ (sᵢ/Sγ) (xᵢ, 1)(xᵢ, 1)ᵀ ⊗ (I_A − 1_A 1_Aᵀ/|A|)  +  λ  (not for intercepts)
//!
//!   A = {j : pᵢⱼ > 0}
//! ```
//!
//! If a step with this H is too long, because rows would enter classes outside A, classes with a
//! score near θ are added to A.
//!
//! A row with one class has no curvature, and the others have few classes. A product with H costs
//! |A| multiplications for each of their stored values, twice.
//!
//! An intercept has no curvature if no row with its class in A has another, and a constant added to
//! all intercepts changes nothing. So each intercept gets a curvature equal to the violation of its
//! class constraint. It then moves by at most 1, the unit of margins, and freely at convergence.
//!
//! Preconditioner: H itself if W is small and H is cheap, else its diagonal blocks, one per class;
//! for many rows, from a sample of them.

use crate::control::Cancel;
use crate::data::{Design, Rows, on_rows};
use crate::math::linalg::Cholesky;
use rayon::prelude::*;
use std::ops::Range;

/// Largest (d+1) × k for which H is formed in full.
const FEW_WEIGHTS: usize = 800;

/// Cost limit of a preconditioner, in passes over all rows.
const PASSES: usize = 10;

/// Rows with curvature.
pub(super) struct Curvature<'a> {
    x: &'a Design,
    k: usize,
    lambda: f64,
    /// Curvatures of the intercepts; `None` without intercepts.
    held: Option<&'a [f64]>,
    /// Row, sᵢ/Sγ, and the range of its classes.
    rows: Vec<(usize, f64, Range<usize>)>,
    /// Classes, row after row.
    classes: Vec<u32>,
}

/// Factor of H, or of its diagonal blocks.
pub(super) enum Factor {
    Whole(Cholesky),
    Classes(Vec<Cholesky>),
    Nothing,
}

impl<'a> Curvature<'a> {
    /// Collects the rows with curvature. Row i has the classes up to `ends[i]`, and its sample
    /// weight is multiplied by `scale` = 1/Sγ. `held` are the curvatures of the intercepts.
    pub(super) fn new(
        x: &'a Design,
        (classes, ends): (Vec<u32>, &[usize]),
        (s, scale): (&[f64], f64),
        k: usize,
        lambda: f64,
        held: Option<&'a [f64]>,
    ) -> Self {
        let starts = [0].into_iter().chain(ends.iter().copied());
        let rows = starts.zip(ends).zip(s).enumerate();
        let curved = rows.filter(|(_, ((start, end), s))| **end > start + 1 && **s > 0.0);
        let rows = curved.map(|(i, ((start, end), s))| (i, scale * s, start..*end)).collect();
        Self { x, k, lambda, held, rows, classes }
    }

    /// Rows with curvature: index, sᵢ/Sγ and classes.
    fn each(&self) -> impl Iterator<Item = (usize, f64, &[u32])> {
        self.rows.iter().map(|(i, scale, range)| (*i, *scale, &self.classes[range.clone()]))
    }

    /// out ← H v; for some rows only after cancellation.
    pub(super) fn apply(&self, v: &[f64], out: &mut [f64], cancel: &Cancel) {
        let (k, penalized) = (self.k, self.x.d() * self.k);
        out[..penalized].iter_mut().zip(v).for_each(|(out, v)| *out = self.lambda * v);
        let free = out[penalized..].iter_mut().zip(&v[penalized..]);
        match self.held {
            Some(held) => free.zip(held).for_each(|((out, v), held)| *out = held * v),
            None => free.for_each(|(out, _)| *out = 0.0),
        }
        let mut u = vec![0.0; k];
        for (i, scale, classes) in self.each().take_while(|_| !cancel.is_set()) {
            let u = &mut u[..classes.len()];
            for (u, &j) in u.iter_mut().zip(classes) {
                *u = v[penalized + j as usize];
            }
            self.x.each_nonzero(i, |column, x| {
                let v = &v[column * k..][..k];
                u.iter_mut().zip(classes).for_each(|(u, &j)| *u += x * v[j as usize]);
            });
            let mean = u.iter().sum::<f64>() / u.len() as f64;
            u.iter_mut().for_each(|u| *u = scale * (*u - mean));
            self.x.each_nonzero(i, |column, x| {
                let out = &mut out[column * k..][..k];
                u.iter().zip(classes).for_each(|(u, &j)| out[j as usize] += x * u);
            });
            u.iter().zip(classes).for_each(|(u, &j)| out[penalized + j as usize] += u);
        }
        if self.held.is_none() {
            out[penalized..].fill(0.0);
        }
    }

    /// Computes the preconditioner; `Nothing` after cancellation.
    pub(super) fn factor(&self, cancel: &Cancel) -> Factor {
        let wide = self.x.d() + 1;
        let allowed = PASSES * 2 * self.k * self.x.stored().max(1);
        let squares: usize = self.each().map(|(_, _, classes)| classes.len().pow(2)).sum();
        let whole = wide * self.k <= FEW_WEIGHTS && squares * wide * wide <= allowed;
        // For every class a row costs its length times the mean length.
        let cost = self.rows.iter().map(|(_, _, classes)| classes.len()).sum::<usize>()
            * self.x.stored().div_ceil(self.x.n())
            * wide
            / 2;
        let factor = if whole {
            self.whole(cancel)
        } else {
            self.by_class(cost.div_ceil(allowed).max(1), cancel)
        };
        factor.unwrap_or(Factor::Nothing)
    }

    /// Factors H.
    fn whole(&self, cancel: &Cancel) -> Option<Factor> {
        let (k, d, size) = (self.k, self.x.d(), (self.x.d() + 1) * self.k);
        let mut m = vec![0.0; size * size];
        let mut row = vec![1.0; d + 1];
        for (i, scale, classes) in self.each() {
            if cancel.is_set() {
                return None;
            }
            on_rows!(self.x, x => x.copy_row(i, &mut row[..d]));
            let share = 1.0 / classes.len() as f64;
            for (a, xa) in row.iter().enumerate() {
                for &j in classes {
                    let m = &mut m[(a * k + j as usize) * size..][..size];
                    for (b, xb) in row.iter().enumerate().skip(a) {
                        let both = scale * xa * xb;
                        for &l in classes {
                            m[b * k + l as usize] +=
                                if l == j { both * (1.0 - share) } else { -both * share };
                        }
                    }
                }
            }
        }
        (0..d * k).for_each(|j| m[j * (size + 1)] += self.lambda);
        (0..k).for_each(|j| self.hold(&mut m, d * k + j, j));
        Cholesky::new(&m, size).map(Factor::Whole)
    }

    /// Factors the blocks of H, one per class, from one row in `one_in`.
    fn by_class(&self, one_in: usize, cancel: &Cancel) -> Option<Factor> {
        let (d, wide) = (self.x.d(), self.x.d() + 1);
        let mut rows: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.k];
        for (i, scale, classes) in self.each().step_by(one_in) {
            let share = one_in as f64 * scale * (1.0 - 1.0 / classes.len() as f64);
            classes.iter().for_each(|&j| rows[j as usize].push((i, share)));
        }
        let block = |(class, rows): (usize, &Vec<(usize, f64)>)| {
            let (mut m, mut row) = (vec![0.0; wide * wide], vec![1.0; wide]);
            for &(i, share) in rows {
                if cancel.is_set() {
                    return None;
                }
                on_rows!(self.x, x => x.copy_row(i, &mut row[..d]));
                for (a, xa) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                    let xa = share * xa;
                    let m = &mut m[a * wide + a..(a + 1) * wide];
                    m.iter_mut().zip(&row[a..]).for_each(|(m, xb)| *m += xa * xb);
                }
            }
            (0..d).for_each(|j| m[j * (wide + 1)] += self.lambda);
            self.hold(&mut m, d, class);
            Cholesky::new(&m, wide)
        };
        let blocks: Option<Vec<Cholesky>> = rows.par_iter().enumerate().map(block).collect();
        blocks.map(Factor::Classes)
    }

    /// Adds the curvature of an intercept at index `at`; without intercepts, a row of the identity.
    fn hold(&self, m: &mut [f64], at: usize, class: usize) {
        let size = m.len().isqrt();
        if let Some(held) = self.held {
            m[at * (size + 1)] += held[class];
        } else {
            (0..=at).for_each(|a| m[a * size + at] = 0.0);
            m[at * size..(at + 1) * size].fill(0.0);
            m[at * (size + 1)] = 1.0;
        }
    }

    /// out ← M⁻¹ r.
    pub(super) fn precondition(&self, factor: &Factor, r: &[f64], out: &mut [f64]) {
        let k = self.k;
        out.copy_from_slice(r);
        match factor {
            Factor::Whole(factor) => factor.solve(out),
            Factor::Classes(factors) => {
                let mut column = vec![0.0; r.len() / k];
                for (j, factor) in factors.iter().enumerate() {
                    column.iter_mut().enumerate().for_each(|(a, v)| *v = r[a * k + j]);
                    factor.solve(&mut column);
                    column.iter().enumerate().for_each(|(a, v)| out[a * k + j] = *v);
                }
            }
            Factor::Nothing => {}
        }
        if self.held.is_none() {
            out[self.x.d() * k..].fill(0.0);
        }
    }
}
