//! Gordan's alternative for integer rows, decided exactly by the fraction-free simplex method.
//!
//! For rows a₁ … aₘ exactly one holds:
//!
//! ```text
//!   Σ λₚ aₚ = 0, Σ λₚ = 1 for some λ ≥ 0       or       aₚ·h > 0 for all p, for some h.
//! ```
//!
//! Phase one of the simplex method searches for λ. It has the equations (aₚ, 1)ᵀλ = (0, 1), one
//! artificial variable each, whose sum is minimized. If the minimum is 0, the basic λ are the
//! solution, at most as many as there are equations. If not, the dual variables v have v·(aₚ, 1) ≤
//! 0 for all p and v·(0, 1) > 0, so h is −v without its last entry.
//!
//! The tableau has one common denominator, the last pivot: T ← (T·pivot − column·row)/denominator.
//! The division is exact, as all entries are minors of the first tableau. The column with the
//! largest reduced cost enters. After a number of degenerate pivots the first column with a
//! positive reduced cost enters (Bland), which rules out cycling.
//!
//! Source: Edmonds & Maurras, *Note sur les Q-matrices d'Edmonds* (1997); Bland, *New finite
//! pivoting rules for the simplex method* (1977).

use crate::certify::Work;
use crate::math::exact::BigInt;
use num_traits::{One, Signed, Zero};

/// The alternative of Gordan's theorem that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Alternative {
    /// Rows and their multipliers λ, up to a common factor.
    Dependent(Vec<(usize, BigInt)>),
    /// h, up to a positive factor.
    Separated(Vec<BigInt>),
}

struct Tableau {
    /// The equations, then the reduced costs; columns: rows a, artificial variables, right-hand
    /// side.
    rows: Vec<Vec<BigInt>>,
    basic: Vec<usize>,
    denominator: BigInt,
    m: usize,
}

/// Decides the alternative; `None` if it takes more work than allowed.
pub(super) fn gordan(a: &[&[BigInt]], work: &mut Work) -> Option<Alternative> {
    let (m, q) = (a.len(), a[0].len());
    let mut tableau = Tableau::new(a, q);
    let mut idle = 0;
    while let Some(column) = tableau.entering(idle > 20) {
        let row = tableau.leaving(column)?;
        let before = tableau.missing().clone();
        let words = tableau.denominator.bits() / 32 + 1;
        let cost = ((q + 2) * (m + q + 2)) as u64 * words * words;
        work.spend(cost)?;
        let old = tableau.denominator.clone();
        tableau.pivot(row, column);
        let gained = tableau.missing() * &old != before * &tableau.denominator;
        idle = if gained { 0 } else { idle + 1 };
    }
    let last = m + q + 1;
    if tableau.missing().is_zero() {
        let basic = tableau.basic.iter().zip(&tableau.rows).filter(|(b, _)| **b < m);
        let weights = basic.map(|(&b, row)| (b, row[last].clone()));
        return Some(Alternative::Dependent(weights.filter(|(_, w)| w.is_positive()).collect()));
    }
    let gains = &tableau.rows[q + 1];
    let h = (0..q).map(|k| -(&tableau.denominator + &gains[m + k])).collect();
    Some(Alternative::Separated(h))
}

impl Tableau {
    fn new(a: &[&[BigInt]], q: usize) -> Self {
        let m = a.len();
        let wide = m + q + 2;
        let mut rows: Vec<Vec<BigInt>> = (0..=q)
            .map(|k| {
                let mut row = vec![BigInt::zero(); wide];
                for (p, a) in a.iter().enumerate() {
                    row[p] = a.get(k).cloned().unwrap_or_else(BigInt::one);
                }
                row[m + k] = BigInt::one();
                row
            })
            .collect();
        rows[q][wide - 1] = BigInt::one();
        // The reduced cost of a row is its column sum, as artificial variables cost 1. They never
        // reenter, so theirs are set to 0.
        let gain = |j: usize| match j {
            j if (m..wide - 1).contains(&j) => BigInt::zero(),
            j => rows.iter().map(|row| &row[j]).sum(),
        };
        let gains = (0..wide).map(gain).collect();
        rows.push(gains);
        Self { rows, basic: (m..=m + q).collect(), denominator: BigInt::one(), m }
    }

    /// Returns the sum of the artificial variables, scaled by the denominator.
    fn missing(&self) -> &BigInt {
        self.rows.last().and_then(|gains| gains.last()).expect("a tableau has a corner")
    }

    fn entering(&self, careful: bool) -> Option<usize> {
        let gains = &self.rows.last()?[..self.m];
        let mut wanted = (0..self.m).filter(|&j| gains[j].is_positive());
        if careful {
            wanted.next()
        } else {
            wanted.max_by(|&a, &b| gains[a].cmp(&gains[b]).then(b.cmp(&a)))
        }
    }

    /// Returns the row of the smallest ratio of right-hand side to column; ties go to the smallest
    /// basic variable.
    fn leaving(&self, column: usize) -> Option<usize> {
        let equations = self.rows.len() - 1;
        let fits = (0..equations).filter(|&i| self.rows[i][column].is_positive());
        let right = |i: usize| self.rows[i].last().expect("there is a right side");
        fits.min_by(|&a, &b| {
            let (left, other) =
                (right(a) * &self.rows[b][column], right(b) * &self.rows[a][column]);
            left.cmp(&other).then(self.basic[a].cmp(&self.basic[b]))
        })
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let pivot_row = std::mem::take(&mut self.rows[row]);
        let pivot = &pivot_row[column];
        for other in self.rows.iter_mut().filter(|other| !other.is_empty()) {
            let factor = other[column].clone();
            for (v, p) in other.iter_mut().zip(&pivot_row) {
                *v *= pivot;
                if !factor.is_zero() && !p.is_zero() {
                    *v -= &factor * p;
                }
                if !self.denominator.is_one() {
                    *v /= &self.denominator;
                }
            }
        }
        self.denominator.clone_from(pivot);
        self.rows[row] = pivot_row;
        self.basic[row] = column;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Cancel;
    use crate::math::rng::Rng;

    fn settle(rows: &[Vec<i64>]) -> Alternative {
        let rows: Vec<Vec<BigInt>> =
            rows.iter().map(|row| row.iter().map(|&v| v.into()).collect()).collect();
        let views: Vec<&[BigInt]> = rows.iter().map(Vec::as_slice).collect();
        gordan(&views, &mut Work::new(u64::MAX, Cancel::default())).unwrap()
    }

    #[test]
    fn exactly_one_alternative_holds() {
        let (mut dependent, mut separated) = (0, 0);
        for round in 0..2_000 {
            let mut rng = Rng::new(6, round);
            let (m, q) = (1 + rng.below(9) as usize, 1 + rng.below(4) as usize);
            let away = rng.below(3).cast_signed();
            let rows: Vec<Vec<i64>> = (0..m)
                .map(|_| (0..q).map(|_| rng.below(7).cast_signed() - 3 + away).collect())
                .collect();
            match settle(&rows) {
                Alternative::Dependent(weights) => {
                    dependent += 1;
                    assert!(!weights.is_empty() && weights.len() <= q + 1);
                    assert!(weights.iter().all(|(_, w)| w.is_positive()));
                    let sum =
                        |j: usize| weights.iter().map(|(p, w)| w * rows[*p][j]).sum::<BigInt>();
                    assert!((0..q).all(|j| sum(j).is_zero()));
                }
                Alternative::Separated(h) => {
                    separated += 1;
                    for row in &rows {
                        let product: BigInt = row.iter().zip(&h).map(|(&a, h)| h * a).sum();
                        assert!(product.is_positive(), "{rows:?} {h:?}");
                    }
                }
            }
        }
        assert!(dependent > 200 && separated > 200, "{dependent} {separated}");
    }

    #[test]
    fn work_limit_ends_the_search() {
        let one = [BigInt::one()];
        let minus = [-BigInt::one()];
        assert_eq!(gordan(&[&one, &minus], &mut Work::new(3, Cancel::default())), None);
    }
}
