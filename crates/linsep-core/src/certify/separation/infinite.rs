//! Infinite coefficients: those that diverge in every sequence that approaches the supremum of the
//! likelihood.
//!
//! Let C be the cone of all h with a·h ≥ 0 for every signed row a, and L the rows with a·h = 0 for
//! all h in C. Along a sequence of hyperplanes that approaches the supremum of the likelihood, the
//! products a·h diverge for rows outside L and converge for rows in L. A coefficient hⱼ then
//!
//! * converges, if hⱼ = 0 on all of C;
//! * diverges to **+∞**, if hⱼ ≥ 0 on all of C and not always 0. Then eⱼ is a combination of rows:
//!   Σ λₚ aₚ over rows outside L with λ ≥ 0, not all 0, plus rows in L with any factors (Farkas).
//!   hⱼ is that combination of their products. Likewise −∞;
//! * has an **undetermined sign** otherwise: C has directions with hⱼ > 0 and with hⱼ < 0.
//!
//! If columns are collinear, hyperplanes with the same products differ by N, the orthogonal
//! complement of all rows. As is usual, some coefficients are then fixed at 0, dim N of them, so
//! that they determine the component in N (reference levels). They are chosen among those that are
//! 0 in the given direction. The statements hold for every sequence moved along N to where these
//! coefficients are 0.
//!
//! With v₁ … vₘ a basis of the directions that are 0 on L and on the fixed coefficients, h = Σ tₖ
//! vₖ, and rows become rₚ = (aₚ·vₖ)ₖ. The sign of hⱼ is decided by Gordan's alternative for the
//! rows rₚ outside L and the row −f, f = (vₖⱼ)ₖ. The rₚ alone are positive for some t, so a
//! dependence contains −f and proves the sign. Otherwise some t gives hⱼ the other sign. The
//! alternative is decided exactly on a few rows, and sweeps over all rows add those that
//! contradict.

use super::repair::orthogonal;
use super::simplex::{Alternative, gordan};
use crate::certify::{SeparationKind, SignedRows, Witness, Work};
use crate::math::exact::{Basis, BigInt, LinearForm, Matrix, Rational};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// A coefficient without a finite maximum-likelihood estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InfiniteCoefficient {
    /// The class of its hyperplane, by its position in the problem.
    pub class: usize,
    /// The column; `None` is the intercept.
    pub column: Option<usize>,
    /// The limit of the coefficient.
    pub divergence: Divergence,
}

/// Limit of a coefficient as the likelihood approaches its supremum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Divergence {
    /// +∞ for every sequence.
    Plus,
    /// −∞ for every sequence.
    Minus,
    /// Undetermined: diverges with either sign, or converges, depending on the sequence.
    Undetermined,
    /// Diverges along the direction of the witness; whether for every sequence is undecided.
    Undecided,
}

/// Limits on deciding signs: dimensions of the cone, sweeps for all signs, and machine words
/// multiplied.
const MOST: usize = 12;
const SWEEPS: u32 = 60;
const WORK: u64 = 20_000_000;

/// Returns the infinite coefficients in the quasi-complete case, in the order of hyperplanes and
/// columns.
pub(super) fn infinite(signed: &SignedRows<'_>, evidence: &Witness) -> Vec<InfiniteCoefficient> {
    let (SeparationKind::QuasiComplete, Some(hyperplanes), Some(spanning)) =
        (evidence.verdict, &evidence.hyperplanes, &evidence.spanning)
    else {
        return Vec::new();
    };
    let h = hyperplanes.concat();
    let level: Vec<usize> = spanning.rows.iter().filter_map(|&row| signed.number(row)).collect();
    let toward: Vec<Option<Divergence>> = match directions(signed, &level, &h) {
        Some(basis) => Cone::new(signed, basis, &h).toward(),
        None => h.iter().map(|h| (h.sign() != 0).then_some(Divergence::Undecided)).collect(),
    };
    let (d, stride) = (signed.x().d(), signed.stride());
    let one = |(at, toward): (usize, Option<Divergence>)| {
        let (hyperplane, j) = (at / stride, at % stride);
        let (class, column) = (signed.order()[hyperplane + 1], (j < d).then_some(j));
        toward.map(|toward| InfiniteCoefficient { class, column, divergence: toward })
    };
    toward.into_iter().enumerate().filter_map(one).collect()
}

/// Returns a basis of the directions that are 0 on L and on the fixed coefficients. `None` if no
/// set of coefficients that are 0 in h determines the component in N.
fn directions(
    signed: &SignedRows<'_>,
    level: &[usize],
    h: &[Rational],
) -> Option<Vec<Vec<Rational>>> {
    let (rows, null) = orthogonal(signed, level)?;
    let held = held(&null, h)?;
    let unit = |&j: &usize| (0..h.len()).map(|i| f64::from(u8::from(i == j))).collect::<Vec<f64>>();
    let with = |numbers: &[usize]| -> Matrix {
        let all = numbers.iter().map(|&at| signed.row(at)).chain(held.iter().map(unit));
        Matrix::new(&all.collect::<Vec<_>>()).until(signed.cancel())
    };
    // The rank modulo a prime is at most the rank, so full rank here proves that no component in N
    // is left.
    if Basis::of(&with(&rows)).rank() < h.len() {
        return None;
    }
    let matrix = with(level);
    Basis::of(&matrix).null(&matrix)
}

/// Returns coefficients that are 0 in h and that determine the component in N, by elimination with
/// partial pivoting.
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

/// The cone C, in coordinates t.
struct Cone<'a> {
    signed: &'a SignedRows<'a>,
    /// vₖ.
    basis: Vec<Vec<Rational>>,
    /// A direction that is positive on every row outside L.
    h: &'a [Rational],
    /// Whether each signed row is outside L.
    off: Vec<bool>,
    /// Rows outside L used so far, with their coordinates.
    pool: Vec<(usize, Vec<BigInt>)>,
    sweeps: u32,
    work: Work,
}

impl<'a> Cone<'a> {
    fn new(signed: &'a SignedRows<'a>, basis: Vec<Vec<Rational>>, h: &'a [Rational]) -> Self {
        let mut off = vec![false; signed.count()];
        if (2..=MOST).contains(&basis.len()) {
            signed.signs(&LinearForm::new(h), |at, sign| {
                off[at] = sign == Ordering::Greater;
                true
            });
        }
        let work = Work::new(WORK, signed.cancel().clone());
        Self { signed, basis, h, off, pool: Vec::new(), sweeps: SWEEPS, work }
    }

    /// Returns the limit of every coefficient; `None` if it converges.
    fn toward(mut self) -> Vec<Option<Divergence>> {
        (0..self.h.len()).map(|j| self.of(j)).collect()
    }

    fn of(&mut self, j: usize) -> Option<Divergence> {
        if self.basis.iter().all(|v| v[j].sign() == 0) {
            return None;
        }
        let own = self.h[j].sign();
        // h is in the relative interior of the cone, so if hⱼ = 0 there, nearby directions have
        // both signs.
        if own == 0 {
            return Some(Divergence::Undetermined);
        }
        let fixed = if own > 0 { Divergence::Plus } else { Divergence::Minus };
        if self.basis.len() == 1 {
            return Some(fixed);
        }
        let turned = Rational::whole(-i64::from(own));
        let f: Vec<Rational> = self.basis.iter().map(|v| v[j].times(&turned)).collect();
        Some(match self.settle(&Rational::common(&f)) {
            Some(true) => fixed,
            Some(false) => Divergence::Undetermined,
            None => Divergence::Undecided,
        })
    }

    /// Returns whether no t of the cone is positive on −f; `None` if the limits are reached.
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
            if self.signed.cancel().is_set() {
                return None;
            }
            if self.pool.len() == before {
                return Some(false);
            }
        }
    }

    /// Adds rows outside L on which h = Σ tₖ vₖ is not positive.
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
        self.signed.signs(&LinearForm::new(&h), |at, sign| {
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

    /// Returns rₚ, up to a positive factor.
    fn coordinates(&self, at: usize) -> Vec<BigInt> {
        let row = self.signed.row(at);
        let product = |v: &Vec<Rational>| {
            let terms = row.iter().zip(v).filter(|(a, v)| **a != 0.0 && v.sign() != 0);
            terms.fold(Rational::whole(0), |sum, (&a, v)| sum.plus(&v.times(&Rational::of(a))))
        };
        Rational::common(&self.basis.iter().map(product).collect::<Vec<_>>())
    }
}
