//! The curvature of the rounded criterion (see `proximal`), and something to divide by.
//!
//! The nearest point of the simplex moves only within the classes A that it holds, and there by what is left of a move when its mean is taken off. So
//!
//! ```text
//!   H = Σ (sᵢ/Sγ) (xᵢ, 1)(xᵢ, 1)ᵀ ⊗ (I_A − 1_A 1_Aᵀ/|A|)  +  λ  (not for biases),      A = {j : pᵢⱼ > 0}
//! ```
//!
//! Where a step by that would go too far, because rows would come to hold classes that H knows nothing of, classes count that are nearly held.
//!
//! A row with one class has no curvature, and the others have few classes: a product with H costs |A| multiplications for each of their stored values, twice.
//!
//! A bias may have no curvature at all, where no row that holds its class holds another; and a constant added to all of them changes nothing. So each is held by as much as its class is out of
//! balance: it moves by 1 at the most, the unit of margins, and freely in the end.
//!
//! To divide by: H itself where there are few weights in all and that costs little, and else its blocks, one per class, with nothing between them; of some of the rows, where they are many.

use crate::control::Cancel;
use crate::data::{Design, Rows, on_rows};
use crate::math::linalg::Cholesky;
use rayon::prelude::*;
use std::ops::Range;

/// Weights of all planes up to which H is built in full.
const FEW_WEIGHTS: usize = 800;

/// Passes over all rows that something to divide by may cost.
const PASSES: usize = 10;

/// Rows with curvature.
pub(super) struct Curvature<'a> {
    x: &'a Design,
    k: usize,
    lambda: f64,
    /// What holds the biases; nothing where there are none.
    held: Option<&'a [f64]>,
    /// The row, sᵢ/Sγ, and where its classes are.
    rows: Vec<(usize, f64, Range<usize>)>,
    /// The classes of one row after the other.
    classes: Vec<u32>,
}

/// H, or blocks of it, factored.
pub(super) enum Factor {
    Whole(Cholesky),
    Classes(Vec<Cholesky>),
    Nothing,
}

impl<'a> Curvature<'a> {
    /// Of rows that hold these classes, one row after the other up to these ends; their weights sᵢ multiplied with `scale` = 1/Sγ. Biases, if there are any, are held by that.
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

    /// Each row with curvature: its number, sᵢ/Sγ and its classes.
    fn each(&self) -> impl Iterator<Item = (usize, f64, &[u32])> {
        self.rows.iter().map(|(i, scale, range)| (*i, *scale, &self.classes[range.clone()]))
    }

    /// out ← H v; of some rows only, where the token is set.
    pub(super) fn turn(&self, v: &[f64], out: &mut [f64], cancel: &Cancel) {
        let (k, penalised) = (self.k, self.x.d() * self.k);
        out[..penalised].iter_mut().zip(v).for_each(|(out, v)| *out = self.lambda * v);
        let free = out[penalised..].iter_mut().zip(&v[penalised..]);
        match self.held {
            Some(held) => free.zip(held).for_each(|((out, v), held)| *out = held * v),
            None => free.for_each(|(out, _)| *out = 0.0),
        }
        let mut u = vec![0.0; k];
        for (i, scale, classes) in self.each().take_while(|_| !cancel.is_set()) {
            let u = &mut u[..classes.len()];
            for (u, &j) in u.iter_mut().zip(classes) {
                *u = v[penalised + j as usize];
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
            u.iter().zip(classes).for_each(|(u, &j)| out[penalised + j as usize] += u);
        }
        if self.held.is_none() {
            out[penalised..].fill(0.0);
        }
    }

    /// What conjugate gradients are to divide by; nothing, where the token is set meanwhile.
    pub(super) fn factor(&self, cancel: &Cancel) -> Factor {
        let wide = self.x.d() + 1;
        let allowed = PASSES * 2 * self.k * self.x.stored().max(1);
        let squares: usize = self.each().map(|(_, _, classes)| classes.len().pow(2)).sum();
        let whole = wide * self.k <= FEW_WEIGHTS && squares * wide * wide <= allowed;
        // A row costs about its length times that of the others, for every class.
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

    /// H.
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

    /// The blocks of H, one per class, by one row in so many.
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

    /// Holds the bias of a class, whose place that is; without biases, where it is.
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

    /// out ← M⁻¹ r, of what was factored.
    pub(super) fn divide(&self, factor: &Factor, r: &[f64], out: &mut [f64]) {
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
