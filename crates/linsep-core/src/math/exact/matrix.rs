//! Integer matrix from rows of doubles.
//!
//! Multiplying a column by a power of two changes neither which rows are dependent nor the
//! coefficients of the dependence. Each column is therefore scaled by the power that makes its
//! values integers and at least one of them odd.

use super::{Dyadic, Rational};
use crate::control::Cancel;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// An integer matrix, row-major.
#[derive(Clone, Debug)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<BigInt>,
    /// The values as `i64`, if all are below 2⁵³ in absolute value.
    small: Option<Vec<i64>>,
    /// Exponents e of the columns: column j was multiplied by 2⁻ᵉ.
    powers: Vec<i32>,
    cancel: Cancel,
}

impl Matrix {
    /// Creates the matrix from rows of doubles, with scaled columns.
    ///
    /// # Panics
    ///
    /// If rows differ in length, or a value is not finite.
    pub fn new(rows: &[Vec<f64>]) -> Self {
        let columns = rows.first().map_or(0, Vec::len);
        assert!(rows.iter().all(|row| row.len() == columns), "rows of one length");
        let least = |j: usize| {
            let powers = rows.iter().filter(|row| row[j] != 0.0).map(|row| Dyadic::of(row[j]).e);
            powers.min().unwrap_or(0)
        };
        let powers: Vec<i32> = (0..columns).map(least).collect();
        let whole = |(&v, &power): (&f64, &i32)| {
            let Dyadic { m, e } = Dyadic::of(v);
            if m == 0 { BigInt::ZERO } else { BigInt::from(m) << (e - power) as u32 }
        };
        let values: Vec<BigInt> =
            rows.iter().flat_map(|row| row.iter().zip(&powers).map(whole)).collect();
        let fits = |v: &BigInt| v.to_i64().filter(|v| v.unsigned_abs() < 1 << 53);
        let small = values.iter().map(fits).collect();
        Self { rows: rows.len(), columns, values, small, powers, cancel: Cancel::default() }
    }

    /// The same matrix with a token that ends the solution of its systems.
    pub(crate) fn until(self, cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..self }
    }

    /// Whether the token is set, so that systems need no solution.
    pub(crate) fn is_ended(&self) -> bool {
        self.cancel.is_set()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The value in row i, column j.
    pub fn at(&self, i: usize, j: usize) -> &BigInt {
        &self.values[i * self.columns + j]
    }

    /// The values as `i64`, if all are below 2⁵³ in absolute value.
    pub(super) fn small(&self) -> Option<&[i64]> {
        self.small.as_deref()
    }

    /// Converts a solution for the scaled columns to one for the given columns.
    pub(crate) fn unscaled(&self, v: Vec<Rational>) -> Vec<Rational> {
        let power = |j: usize| Rational::power_of_two(-i64::from(self.powers[j]));
        v.into_iter().enumerate().map(|(j, v)| v.times(&power(j))).collect()
    }

    /// The exponent e of column j, which is 2⁻ᵉ times the given column.
    pub fn power(&self, j: usize) -> i32 {
        self.powers[j]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_scaled_to_integers() {
        let m = Matrix::new(&[vec![0.5, 1e300, 0.0], vec![-1.5, 1e-300, 4.0]]);
        assert_eq!((m.at(0, 0), m.at(1, 0)), (&1.into(), &(-3).into()));
        assert_eq!((m.at(0, 2), m.at(1, 2), m.power(2)), (&0.into(), &1.into(), 2));
        assert!(m.at(0, 1).bits() > 1900 && m.small().is_none());
        assert!(Matrix::new(&[vec![0.1, 3.0]]).small().is_some());
    }
}
