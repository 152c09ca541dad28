//! Double-double arithmetic for reference results: the unevaluated sum of two doubles.
//!
//! Source: Dekker, *A floating-point technique for extending the available precision*, Numerische
//! Mathematik 18 (1971).

use std::ops::{Add, Div, Mul, Neg, Sub};

/// hi + lo, |lo| ≤ half a unit in the last place of hi.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DoubleDouble {
    hi: f64,
    lo: f64,
}

impl DoubleDouble {
    pub(crate) fn value(self) -> f64 {
        self.hi
    }

    fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        let part = hi - a;
        Self { hi, lo: (a - (hi - part)) + (b - part) }
    }
}

impl From<f64> for DoubleDouble {
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let high = Self::sum(self.hi, other.hi);
        let low = Self::sum(self.lo, other.lo);
        let once = Self::sum(high.hi, high.lo + low.hi);
        Self::sum(once.hi, once.lo + low.lo)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let hi = self.hi * other.hi;
        let lo = self.hi.mul_add(other.hi, -hi) + (self.hi * other.lo + self.lo * other.hi);
        Self::sum(hi, lo)
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let rest = self - other * Self::from(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * Self::from(second);
        Self::sum(first, second) + Self::from(rest.hi / other.hi)
    }
}

/// Solves A x = b by elimination with partial pivoting.
pub(crate) fn solve(a: &[Vec<DoubleDouble>], b: &[DoubleDouble]) -> Vec<DoubleDouble> {
    let n = b.len();
    let mut rows: Vec<Vec<DoubleDouble>> =
        a.iter().zip(b).map(|(row, b)| row.iter().copied().chain([*b]).collect()).collect();
    for p in 0..n {
        // Pivots are compared after row scaling, because units may differ by powers of ten.
        let size =
            |row: &Vec<DoubleDouble>| row[..n].iter().fold(0.0_f64, |m, v| m.max(v.hi.abs()));
        let best = (p..n)
            .max_by(|&i, &j| {
                let share = |i: usize| rows[i][p].hi.abs() / size(&rows[i]);
                share(i).total_cmp(&share(j))
            })
            .unwrap();
        rows.swap(p, best);
        for i in 0..n {
            if i != p {
                let pivot = rows[p].clone();
                let factor = rows[i][p] / pivot[p];
                rows[i].iter_mut().zip(&pivot).for_each(|(v, pivot)| *v = *v - factor * *pivot);
            }
        }
    }
    (0..n).map(|i| rows[i][n] / rows[i][i]).collect()
}
