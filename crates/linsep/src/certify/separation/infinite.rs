//! Which coefficients are infinite, whatever sequence of planes makes the likelihood as large as it can be.
//!
//! Let C be the cone of all h with a·h ≥ 0 for every signed row a, and L the rows on which all of them are 0. Planes that come near the
//! supremum of the likelihood have products a·h that grow beyond bounds for rows off L, and converge for those in L. A coefficient hⱼ
//! then
//!
//! * converges, if hⱼ = 0 on all of C;
//! * goes to **+∞**, if hⱼ ≥ 0 on all of C and not always 0: then eⱼ is a combination of rows, Σ λₚ aₚ over rows off L with λ ≥ 0, not
//!   all 0, and rows in L with any factors (Farkas), and hⱼ is that combination of their products. Likewise −∞;
//! * can go either way otherwise: C has directions with hⱼ > 0 and with hⱼ < 0. Its **sign is not determined**.
//!
//! Where columns depend on each other, planes with the same products differ by N, what is orthogonal to all rows. As is usual, some
//! coefficients are then held at 0, as many as N has dimensions and so that they fix it (the levels the others are compared with);
//! they are chosen among those that are 0 in the direction given. What is said is true of every sequence moved along N to where these are 0.
//!
//! With v₁ … vₘ a basis of the directions that are 0 on L and where coefficients are held, h = Σ tₖ vₖ, and rows become rₚ = (aₚ·vₖ)ₖ. Whether hⱼ
//! has one sign is Gordan's alternative for the rows rₚ off L and the row −f, f = (vₖⱼ)ₖ: as the rₚ alone are positive for
//! some t, a dependence has −f in it and proves the sign; otherwise there is a t with hⱼ of the other sign. It is settled exactly, on a few
//! rows, and sweeps over all add those that contradict.

use super::repair::{null_of, orthogonal};
use super::simplex::{Alternative, Work, gordan};
use crate::certify::{Evidence, Signed, Verdict};
use crate::math::exact::{Basis, BigInt, Form, Matrix, Rational};
use std::cmp::Ordering;

/// A coefficient without a finite maximum-likelihood estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infinite {
    /// The class whose plane it belongs to, by its position in the problem.
    pub class: usize,
    /// The column; `None` is the bias.
    pub column: Option<usize>,
    /// Where it goes.
    pub toward: Toward,
}

/// Where a coefficient goes, on the way to the supremum of the likelihood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toward {
    /// +∞ on every way.
    Plus,
    /// −∞ on every way.
    Minus,
    /// Either way, or nowhere: its sign is not determined.
    Open,
    /// Off along the direction of the evidence; whether on every way was not settled.
    Unsettled,
}

/// Dimensions of the cone up to which signs are settled, sweeps for all of them, and words multiplied.
const MOST: usize = 12;
const SWEEPS: u32 = 60;
const WORK: u64 = 20_000_000;

/// The coefficients that are infinite in the quasi-complete case, in the order of planes and columns.
pub(super) fn infinite(signed: &Signed<'_>, evidence: &Evidence) -> Vec<Infinite> {
    let (Verdict::QuasiComplete, Some(planes), Some(spanning)) =
        (evidence.verdict, &evidence.planes, &evidence.spanning)
    else {
        return Vec::new();
    };
    let h = planes.concat();
    let level: Vec<usize> = spanning.rows.iter().filter_map(|&row| signed.number(row)).collect();
    let toward: Vec<Option<Toward>> = match directions(signed, &level, &h) {
        Some(basis) => Cone::new(signed, basis, &h).toward(),
        None => h.iter().map(|h| (h.sign() != 0).then_some(Toward::Unsettled)).collect(),
    };
    let (d, stride) = (signed.x().d(), signed.stride());
    let one = |(at, toward): (usize, Option<Toward>)| {
        let (plane, j) = (at / stride, at % stride);
        let (class, column) = (signed.order()[plane + 1], (j < d).then_some(j));
        toward.map(|toward| Infinite { class, column, toward })
    };
    toward.into_iter().enumerate().filter_map(one).collect()
}

/// A basis of the directions that are 0 on L and where coefficients are held at 0; `None` where no coefficients that are
/// 0 in h fix what is orthogonal to all rows.
fn directions(signed: &Signed<'_>, level: &[usize], h: &[Rational]) -> Option<Vec<Vec<Rational>>> {
    let (rows, null) = orthogonal(signed, level)?;
    let held = held(&null, h)?;
    let unit = |&j: &usize| (0..h.len()).map(|i| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
    let with = |numbers: &[usize]| -> Matrix {
        let all = numbers.iter().map(|&at| signed.row(at)).chain(held.iter().map(unit));
        Matrix::new(&all.collect::<Vec<_>>()).until(signed.cancel())
    };
    // The rank modulo a prime is at most the rank, so this settles that nothing is left of N.
    if Basis::of(&with(&rows)).rank() < h.len() {
        return None;
    }
    null_of(&with(level))
}

/// Coefficients that are 0 in h and whose holding fixes what is orthogonal to all rows: by elimination with the largest pivots.
fn held(null: &[Vec<Rational>], h: &[Rational]) -> Option<Vec<usize>> {
    let mut rows: Vec<Vec<f64>> =
        null.iter().map(|v| v.iter().map(Rational::to_f64).collect()).collect();
    let zero: Vec<usize> = (0..h.len()).filter(|&j| h[j].sign() == 0).collect();
    let mut held = Vec::new();
    while let Some(row) = rows.pop() {
        let size = row.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        let best = zero.iter().copied().max_by(|&a, &b| row[a].abs().total_cmp(&row[b].abs()))?;
        if size.is_infinite() || row[best].abs() <= 1e-9 * size {
            return None;
        }
        for other in &mut rows {
            let factor = other[best] / row[best];
            other.iter_mut().zip(&row).for_each(|(o, v)| *o -= factor * v);
        }
        held.push(best);
    }
    held.sort_unstable();
    Some(held)
}

/// C, by coordinates t.
struct Cone<'a> {
    signed: &'a Signed<'a>,
    /// vₖ.
    basis: Vec<Vec<Rational>>,
    /// A direction that is positive on every row off L.
    h: &'a [Rational],
    /// Which rows these are.
    off: Vec<bool>,
    /// Rows off L at hand, with their coordinates.
    pool: Vec<(usize, Vec<BigInt>)>,
    sweeps: u32,
    work: Work,
}

impl<'a> Cone<'a> {
    fn new(signed: &'a Signed<'a>, basis: Vec<Vec<Rational>>, h: &'a [Rational]) -> Self {
        let mut off = vec![false; signed.count()];
        if (2..=MOST).contains(&basis.len()) {
            signed.signs(&Form::new(h), |at, sign| {
                off[at] = sign == Ordering::Greater;
                true
            });
        }
        let work = Work { left: WORK, cancel: signed.cancel().clone() };
        Self { signed, basis, h, off, pool: Vec::new(), sweeps: SWEEPS, work }
    }

    /// Where every coefficient goes; `None` where it converges.
    fn toward(mut self) -> Vec<Option<Toward>> {
        (0..self.h.len()).map(|j| self.of(j)).collect()
    }

    fn of(&mut self, j: usize) -> Option<Toward> {
        if self.basis.iter().all(|v| v[j].sign() == 0) {
            return None;
        }
        let own = self.h[j].sign();
        // Where a direction inside the cone has 0, its neighbours have both signs.
        if own == 0 {
            return Some(Toward::Open);
        }
        let fixed = if own > 0 { Toward::Plus } else { Toward::Minus };
        if self.basis.len() == 1 {
            return Some(fixed);
        }
        let turned = Rational::whole(-i64::from(own));
        let f: Vec<Rational> = self.basis.iter().map(|v| v[j].times(&turned)).collect();
        Some(match self.settle(&Rational::common(&f)) {
            Some(true) => fixed,
            Some(false) => Toward::Open,
            None => Toward::Unsettled,
        })
    }

    /// Whether no t of the cone is positive on −f; `None` where that takes too long.
    fn settle(&mut self, minus: &[BigInt]) -> Option<bool> {
        if self.basis.len() > MOST {
            return None;
        }
        loop {
            let rows = self.pool.iter().map(|(_, row)| row.as_slice());
            let rows: Vec<&[BigInt]> = rows.chain([minus]).collect();
            let t = match gordan(&rows, &mut self.work)? {
                Alternative::Dependent(_) => return Some(true),
                Alternative::Separated(t) => t,
            };
            let before = self.pool.len();
            self.sweeps = self.sweeps.checked_sub(1)?;
            self.add_wrong(&t);
            if self.pool.len() == before {
                return Some(false);
            }
        }
    }

    /// Adds rows off L on which h = Σ tₖ vₖ is not positive.
    fn add_wrong(&mut self, t: &[BigInt]) {
        let h: Vec<Rational> = (0..self.h.len())
            .map(|j| {
                let terms = t.iter().zip(&self.basis).filter(|(_, v)| v[j].sign() != 0);
                terms.fold(Rational::whole(0), |sum, (t, v)| {
                    sum.plus(&v[j].times(&Rational::whole(t.clone())))
                })
            })
            .collect();
        let most = 2 * self.basis.len();
        let (mut some, off) = (Vec::new(), &self.off);
        self.signed.signs(&Form::new(&h), |at, sign| {
            if sign != Ordering::Greater && off[at] {
                some.push(at);
            }
            some.len() < most
        });
        for at in some {
            let row = self.coordinates(at);
            self.pool.push((at, row));
        }
    }

    /// rₚ, up to a positive factor.
    fn coordinates(&self, at: usize) -> Vec<BigInt> {
        let row = self.signed.row(at);
        let product = |v: &Vec<Rational>| {
            let terms = row.iter().zip(v).filter(|(a, v)| **a != 0.0 && v.sign() != 0);
            terms.fold(Rational::whole(0), |sum, (&a, v)| sum.plus(&v.times(&Rational::of(a))))
        };
        Rational::common(&self.basis.iter().map(product).collect::<Vec<_>>())
    }
}
