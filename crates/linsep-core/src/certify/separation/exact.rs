//! Decides separation without doubles: Gordan's alternative by the exact simplex method, with
//! facial reduction.
//!
//! The method is that of [`find`](super::find()): rows whose positive combination is zero span L.
//! The other rows are reduced modulo L, here by integer elimination that multiplies each row only
//! by positive numbers. It starts with some rows. An exact sweep over all rows adds those on the
//! wrong side of the direction found, and those with product 0 outside L, until there are none.
//! Exact numbers grow long, so the method is for small problems, and for those that doubles cannot
//! decide.

use super::simplex::{Alternative, gordan};
use crate::certify::{SignedRows, Work};
use crate::math::exact::{BigInt, LinearForm, Rational};
use num_integer::Integer;
use num_traits::{Signed as _, Zero};
use std::cmp::Ordering;

/// Decides separation for all rows, starting with some; `None` if it takes too much work.
pub(super) fn settle(signed: &SignedRows<'_>, some: &[usize], work: &mut Work) -> Option<Reduced> {
    let mut rows = some.to_vec();
    loop {
        let reduced = Reduced::new(signed, &rows, work)?;
        let wrong = reduced.wrong(signed, signed.width().max(8));
        if wrong.is_empty() {
            return Some(reduced);
        }
        rows.extend(wrong);
        rows.sort_unstable();
        rows.dedup();
    }
}

/// The result for some rows: a chain, and a direction that is 0 on L, its span, and positive on all
/// other rows, if any.
pub(super) struct Reduced {
    pub(super) steps: Vec<Vec<(usize, f64)>>,
    pub(super) direction: Option<Vec<Rational>>,
    /// A basis of the orthogonal complement of L.
    null: Vec<LinearForm>,
}

/// A row of L with a column that is 0 in all other rows.
struct Pivot {
    row: Vec<BigInt>,
    column: usize,
}

impl Reduced {
    fn new(signed: &SignedRows<'_>, numbers: &[usize], work: &mut Work) -> Option<Self> {
        let matrix = signed.matrix(numbers);
        let width = matrix.columns();
        let mut rows: Vec<Vec<BigInt>> = (0..matrix.rows())
            .map(|i| primitive((0..width).map(|j| matrix.at(i, j).clone()).collect()))
            .collect();
        let mut pivots: Vec<Pivot> = Vec::new();
        let mut steps = Vec::new();

        // 1. Facial reduction.
        let direction = loop {
            let columns: Vec<usize> =
                (0..width).filter(|j| pivots.iter().all(|p| p.column != *j)).collect();
            let left: Vec<usize> =
                (0..rows.len()).filter(|&i| rows[i].iter().any(|v| !v.is_zero())).collect();
            if left.is_empty() {
                break None;
            }
            let views: Vec<Vec<BigInt>> = left
                .iter()
                .map(|&i| columns.iter().map(|&j| rows[i][j].clone()).collect())
                .collect();
            let views: Vec<&[BigInt]> = views.iter().map(Vec::as_slice).collect();
            match gordan(&views, work)? {
                Alternative::Separated(h) => break Some((columns, h)),
                Alternative::Dependent(weights) => {
                    let total: BigInt = weights.iter().map(|(_, w)| w).sum();
                    let share = |w: &BigInt| Rational::new(w.clone(), total.clone()).to_f64();
                    let step = weights.iter().map(|(p, w)| (numbers[left[*p]], share(w)));
                    steps.push(step.collect::<Vec<_>>());
                    for (p, _) in weights {
                        eliminate(&mut rows, &mut pivots, left[p], work)?;
                    }
                }
            }
        };

        // 2. The full direction, and the orthogonal complement of L.
        let direction =
            direction.map(|(columns, h)| matrix.unscaled(complete(&pivots, width, &columns, &h)));
        let free = (0..width).filter(|j| pivots.iter().all(|p| p.column != *j));
        let one = [BigInt::from(1)];
        let null = free
            .map(|j| LinearForm::new(&matrix.unscaled(complete(&pivots, width, &[j], &one))))
            .collect();
        Some(Self { steps, direction, null })
    }

    /// Returns at most `most` rows that contradict the result: with a negative product, or with
    /// product 0 outside L.
    fn wrong(&self, signed: &SignedRows<'_>, most: usize) -> Vec<usize> {
        let mut wrong = Vec::new();
        let mut on = vec![self.direction.is_none(); signed.count()];
        if let Some(h) = &self.direction {
            signed.signs(&LinearForm::new(h), |at, sign| {
                on[at] = sign == Ordering::Equal;
                if sign == Ordering::Less {
                    wrong.push(at);
                }
                wrong.len() < most
            });
        }
        for v in &self.null {
            signed.signs(v, |at, sign| {
                if sign != Ordering::Equal && on[at] {
                    wrong.push(at);
                }
                wrong.len() < most
            });
        }
        wrong
    }
}

/// Extends h from some free columns to all: 0 on the other free columns, and orthogonal to the
/// pivot rows.
fn complete(pivots: &[Pivot], width: usize, columns: &[usize], h: &[BigInt]) -> Vec<Rational> {
    let mut out = vec![Rational::whole(0); width];
    columns.iter().zip(h).for_each(|(&j, h)| out[j] = Rational::whole(h.clone()));
    for Pivot { row, column } in pivots {
        let sum: BigInt = columns.iter().zip(h).map(|(&j, h)| &row[j] * h).sum();
        out[*column] = Rational::new(-sum, row[*column].clone());
    }
    out
}

/// Adds row i to L: one of its columns becomes 0 in all other rows, which are multiplied by
/// positive numbers only.
fn eliminate(
    rows: &mut [Vec<BigInt>],
    pivots: &mut Vec<Pivot>,
    i: usize,
    work: &mut Work,
) -> Option<()> {
    let row = rows[i].clone();
    // A short pivot keeps the other numbers short.
    let nonzero = (0..row.len()).filter(|&j| !row[j].is_zero());
    let Some(column) = nonzero.min_by_key(|&j| row[j].bits()) else {
        return Some(()); // the row is in L already
    };
    let size = row[column].abs();
    let reduce = |other: &mut Vec<BigInt>| {
        if other[column].is_zero() {
            return;
        }
        let factor =
            if row[column].is_negative() { -&other[column] } else { other[column].clone() };
        for (v, p) in other.iter_mut().zip(&row) {
            *v = &*v * &size - &factor * p;
        }
        *other = primitive(std::mem::take(other));
    };
    let words = row.iter().map(BigInt::bits).max().unwrap_or(0) / 32 + 1;
    work.spend((rows.len() * row.len()) as u64 * words * words)?;
    rows.iter_mut().for_each(reduce);
    pivots.iter_mut().for_each(|pivot| reduce(&mut pivot.row));
    pivots.push(Pivot { row, column });
    Some(())
}

/// Divides the row by the greatest common divisor of its entries.
fn primitive(row: Vec<BigInt>) -> Vec<BigInt> {
    let divisor = row.iter().fold(BigInt::zero(), |all, v| all.gcd(v));
    if divisor.bits() <= 1 { row } else { row.into_iter().map(|v| v / &divisor).collect() }
}
