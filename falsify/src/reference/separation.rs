//! Complete, quasi-complete or overlap, by exact linear programs.
//!
//! With signed rows aᵢ, let P be the rows with λᵢ > 0 in some λ ≥ 0 with Σ λᵢaᵢ = 0. Sums of such λ
//! are such λ, so one λ is positive on all of P. By the theorems of Gordan and Stiemke
//!
//! * P = ∅: some h has aᵢ·h > 0 for every row: **complete**;
//! * P = all rows: aᵢ·h ≥ 0 for all i implies that all products are 0: **overlap**;
//! * otherwise some h has products 0 on P and positive products elsewhere: **quasi-complete**.
//!
//! P grows by the support of a solution of Σ λᵢaᵢ = 0, Σ λᵢ = 1 over the rows outside P, λ ≥ 0,
//! until there is none. The solution is found by the first phase of the simplex method, in the end
//! with Bland's rule, on a tableau of integers with a common denominator. Doubles are integers
//! times a power of two, so nothing is rounded.
//!
//! Sources: Bland, *New finite pivoting rules for the simplex method*, Math. Oper. Res. 2 (1977);
//! Edmonds, *Systems of distinct representatives and linear algebra*, J. Res. NBS 71B (1967), for
//! pivots without fractions.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// Work limit in products of machine words: less than a second.
const WORK: u64 = 40_000_000;

/// Number of pivots chosen by the largest coefficient.
const LARGEST_FIRST: usize = 40;

/// The three cases of Albert and Anderson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Some h has aᵢ·h > 0 for all rows.
    Complete,
    /// Some h has aᵢ·h ≥ 0 for all rows and > 0 for some; no h has > 0 for all.
    QuasiComplete,
    /// aᵢ·h ≥ 0 for all rows only if all products are 0.
    Overlap,
}

/// Returns the kind of separation and the rows P; `None` if the work limit is exceeded.
pub fn separation(rows: &[Vec<f64>]) -> Option<(Kind, Vec<bool>)> {
    let rows = whole(rows);
    let n = rows.len();
    let mut work = WORK;
    let mut bound = vec![false; n];
    loop {
        let free: Vec<bool> = bound.iter().map(|b| !b).collect();
        if free.iter().all(|free| !free) {
            return Some((Kind::Overlap, bound));
        }
        match combination(&rows, &free, &mut work)? {
            Some(support) => support.into_iter().for_each(|i| bound[i] = true),
            None if bound.iter().any(|b| *b) => return Some((Kind::QuasiComplete, bound)),
            None => return Some((Kind::Complete, bound)),
        }
    }
}

/// Returns the signed rows y(x, 1) of two classes, or y x without an intercept.
pub fn signed_rows(x: &[Vec<f64>], y: &[f64], intercept: bool) -> Vec<Vec<f64>> {
    let row = |(x, y): (&Vec<f64>, &f64)| {
        x.iter().copied().chain(intercept.then_some(1.0)).map(|v| y * v).collect()
    };
    x.iter().zip(y).map(row).collect()
}

/// Returns the signed rows of Kesler's construction: (x, 1) in the block of the row's class, −(x,
/// 1) in the block of another class; the first class has no block.
pub fn kesler_rows(x: &[Vec<f64>], class: &[usize], k: usize) -> Vec<Vec<f64>> {
    let width = x[0].len() + 1;
    let mut rows = Vec::new();
    for (x, &c) in x.iter().zip(class) {
        for rival in (0..k).filter(|rival| *rival != c) {
            let mut row = vec![0.0; (k - 1) * width];
            for (block, sign) in [(c, 1.0), (rival, -1.0)].into_iter().filter(|(b, _)| *b > 0) {
                let from = (block - 1) * width;
                let values = x.iter().copied().chain([1.0]);
                row[from..from + width].iter_mut().zip(values).for_each(|(at, v)| *at = sign * v);
            }
            rows.push(row);
        }
    }
    rows
}

/// Scales every column to integers.
fn whole(rows: &[Vec<f64>]) -> Vec<Vec<BigInt>> {
    let width = rows.first().map_or(0, Vec::len);
    let mut all = vec![Vec::with_capacity(width); rows.len()];
    for j in 0..width {
        let parts: Vec<(i64, i32)> = rows.iter().map(|row| parts(row[j])).collect();
        let least = parts.iter().filter(|p| p.0 != 0).map(|p| p.1).min().unwrap_or(0);
        for (row, (mantissa, exponent)) in all.iter_mut().zip(parts) {
            row.push(if mantissa == 0 {
                BigInt::zero()
            } else {
                BigInt::from(mantissa) << (exponent - least)
            });
        }
    }
    all
}

/// Returns m and e with v = m 2ᵉ.
fn parts(v: f64) -> (i64, i32) {
    if v == 0.0 {
        return (0, 0);
    }
    let bits = v.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)).cast_signed();
    let (mantissa, exponent) =
        if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    let zeros = mantissa.trailing_zeros().cast_signed();
    let mantissa = mantissa >> zeros;
    (if v < 0.0 { -mantissa } else { mantissa }, exponent + zeros)
}

/// Returns the support of a λ ≥ 0 with Σ λᵢaᵢ = 0 and Σ λᵢ = 1 over the free rows, or `Some(None)`
/// if there is none; `None` if the work limit is exceeded.
#[allow(clippy::option_option)] // `None`: work limit; `Some(None)`: no solution
fn combination(rows: &[Vec<BigInt>], free: &[bool], work: &mut u64) -> Option<Option<Vec<usize>>> {
    let (n, width) = (rows.len(), rows[0].len());
    // Equations, then their sum: the objective of the artificial variables.
    let mut tableau: Vec<Vec<BigInt>> = (0..width)
        .map(|j| rows.iter().map(|row| row[j].clone()).chain([BigInt::zero()]).collect())
        .collect();
    let ones = free.iter().map(|free| if *free { BigInt::one() } else { BigInt::zero() });
    tableau.push(ones.chain([BigInt::one()]).collect());
    let sums: Vec<BigInt> = (0..=n).map(|j| tableau.iter().map(|row| &row[j]).sum()).collect();
    let equations = tableau.len();
    tableau.push(sums);
    let mut basis: Vec<usize> = (n..n + equations).collect();
    let mut denominator = BigInt::one();
    for step in 0.. {
        // First the largest coefficient, for fewer pivots; later Bland's rule, which cannot cycle.
        let positive = (0..n).filter(|&j| tableau[equations][j].is_positive());
        let enters = if step < LARGEST_FIRST {
            positive.max_by(|&a, &b| tableau[equations][a].cmp(&tableau[equations][b]))
        } else {
            positive.min()
        };
        let Some(enters) = enters else { break };
        let mut leaves: Option<usize> = None;
        for i in (0..equations).filter(|&i| tableau[i][enters].is_positive()) {
            let better = leaves.is_none_or(|l| {
                let left = &tableau[i][n] * &tableau[l][enters];
                let right = &tableau[l][n] * &tableau[i][enters];
                left < right || left == right && basis[i] < basis[l]
            });
            if better {
                leaves = Some(i);
            }
        }
        let leaves = leaves.expect("the sum of the artificial variables is at least 0");
        let words = 1 + denominator.bits() / 64;
        let cost = ((equations + 1) * (n + 1)) as u64 * (words * words + 8);
        *work = work.checked_sub(cost)?;
        pivot(&mut tableau, leaves, enters, &denominator);
        denominator.clone_from(&tableau[leaves][enters]);
        basis[leaves] = enters;
    }
    if !tableau[equations][n].is_zero() {
        return Some(None);
    }
    let rows = basis.iter().enumerate().filter(|(i, at)| **at < n && tableau[*i][n].is_positive());
    Some(Some(rows.map(|(_, at)| *at).collect()))
}

/// Replaces every row except the pivot row by (row · p − factor · pivot row) / denominator, which
/// is exact.
fn pivot(tableau: &mut [Vec<BigInt>], at: usize, column: usize, denominator: &BigInt) {
    let row = tableau[at].clone();
    let p = &row[column];
    for (i, other) in tableau.iter_mut().enumerate().filter(|(i, _)| *i != at) {
        debug_assert_ne!(i, at);
        let factor = other[column].clone();
        for (v, r) in other.iter_mut().zip(&row) {
            let mut next = &*v * p;
            if !factor.is_zero() && !r.is_zero() {
                next -= &factor * r;
            }
            *v = if denominator.is_one() { next } else { next / denominator };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Random;

    fn on_a_line(x: &[f64], y: &[f64]) -> Kind {
        let rows: Vec<Vec<f64>> = x.iter().map(|x| vec![*x]).collect();
        separation(&signed_rows(&rows, y, true)).unwrap().0
    }

    #[test]
    fn kinds_of_rows_in_one_dimension() {
        assert_eq!(on_a_line(&[0.0, 1.0], &[-1.0, 1.0]), Kind::Complete);
        assert_eq!(on_a_line(&[0.0, 1.0, 1.0, 2.0], &[-1.0, -1.0, 1.0, 1.0]), Kind::QuasiComplete);
        assert_eq!(on_a_line(&[0.0, 1.0, 2.0], &[-1.0, 1.0, -1.0]), Kind::Overlap);
        assert_eq!(on_a_line(&[5e-324, 0.0], &[-1.0, 1.0]), Kind::Complete);
        assert_eq!(on_a_line(&[1e12, 1e12 + 0.000_122_070_312_5], &[-1.0, 1.0]), Kind::Complete);
        assert_eq!(on_a_line(&[0.5, 0.5], &[-1.0, 1.0]), Kind::Overlap);
    }

    /// For one column the kind of separation depends only on the extremes of both classes.
    #[test]
    fn kinds_in_one_dimension_follow_from_the_extremes() {
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let n = 2 + random.below(5);
            let x: Vec<f64> = (0..n).map(|_| random.below(4) as f64).collect();
            let y: Vec<f64> = (0..n)
                .map(|i| if i == 0 || i > 1 && random.chance(0.5) { 1.0 } else { -1.0 })
                .collect();
            let ends = |sign: f64| {
                let of = || x.iter().zip(&y).filter(|(_, y)| **y == sign).map(|(x, _)| *x);
                (of().fold(f64::INFINITY, f64::min), of().fold(f64::NEG_INFINITY, f64::max))
            };
            let ((a, b), (c, d)) = (ends(1.0), ends(-1.0));
            let want = if b < c || d < a {
                Kind::Complete
            } else if (b <= c || d <= a) && a.min(c) < b.max(d) {
                Kind::QuasiComplete
            } else {
                Kind::Overlap
            };
            assert_eq!(on_a_line(&x, &y), want, "{x:?} {y:?}");
        }
    }

    #[test]
    fn xor_overlaps_and_three_corners_are_separable() {
        let x: Vec<Vec<f64>> =
            [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]].map(|x| x.to_vec()).to_vec();
        let rows = signed_rows(&x, &[-1.0, 1.0, 1.0, -1.0], true);
        assert_eq!(separation(&rows).unwrap().0, Kind::Overlap);
        let rows = kesler_rows(&x[..3], &[0, 1, 2], 3);
        assert_eq!(separation(&rows).unwrap().0, Kind::Complete);
    }
}
