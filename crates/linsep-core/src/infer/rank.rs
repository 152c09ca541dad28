//! Rank of the columns: linearly dependent columns are aliased.
//!
//! Coefficients are identifiable only if no column is a combination of the others and the constant.
//! The matrix G = Σ sᵢ (xᵢ, 1)(xᵢ, 1)ᵀ is factored column by column, the constant first and then
//! the columns in their order. The residual sum of squares of column j after regression on the
//! earlier columns,
//!
//! ```text
//!   ρⱼ = Gⱼⱼ − ‖l‖²,     L l = (G of the columns kept so far, with j),
//! ```
//!
//! is its pivot. If ρⱼ is at most 10⁻¹⁰ of the column's sum of squares about its mean, the column
//! is **aliased**: it gets no coefficient, like `NA` in R. Lᵀ c = l gives the columns of the
//! combination.
//!
//! The square root of that tolerance, 10⁻⁵, bounds the relative distance of an aliased column from
//! its combination. Sums of squares in doubles cannot resolve much less.
//!
//! Cost: d³/3.

use crate::control::Cancel;
use crate::math::kernels::{dot, norm_sq};
use serde::{Deserialize, Serialize};

/// A column that is a linear combination of earlier columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aliased {
    /// The column.
    pub column: usize,
    /// The columns of the combination, besides the constant; empty for a constant column.
    pub of: Vec<usize>,
}

/// Returns the columns with coefficients, ascending, and the aliased columns, from the lower
/// triangle of G. `None` if the token was set meanwhile.
pub(super) fn independent(
    gram: &[f64],
    d: usize,
    left_out: &[usize],
    cancel: &Cancel,
) -> Option<(Vec<usize>, Vec<Aliased>)> {
    const DEPENDENT: f64 = 1e-10;
    const ROUNDING: f64 = 1e-13;
    // The constant is column d.
    let g = |i: usize, j: usize| gram[i.min(j) * (d + 1) + i.max(j)];
    let mut active = vec![d];
    let mut factor = vec![vec![g(d, d).sqrt()]];
    let mut aliased = Vec::new();
    for j in (0..d).filter(|j| !left_out.contains(j)) {
        if cancel.is_set() {
            return None;
        }
        let mut l: Vec<f64> = Vec::with_capacity(active.len() + 1);
        for (row, &a) in factor.iter().zip(&active) {
            let k = l.len();
            l.push((g(a, j) - dot(&row[..k], &l)) / row[k]);
        }
        let (own, spread) = (g(j, j), g(j, j) - l[0] * l[0]);
        let left = own - norm_sq(&l);
        if left > (DEPENDENT * spread).max(ROUNDING * own) {
            l.push(left.sqrt());
            factor.push(l);
            active.push(j);
        } else {
            let constant = spread <= ROUNDING * own;
            let of = if constant { Vec::new() } else { combination(&factor, &active, l, &g, j) };
            aliased.push(Aliased { column: j, of });
        }
    }
    active.sort_unstable();
    Some((active, aliased))
}

/// Returns the columns of the combination that equals column j.
fn combination(
    factor: &[Vec<f64>],
    active: &[usize],
    mut c: Vec<f64>,
    g: &impl Fn(usize, usize) -> f64,
    j: usize,
) -> Vec<usize> {
    const NOTHING: f64 = 1e-4;
    for k in (0..c.len()).rev() {
        c[k] /= factor[k][k];
        for m in 0..k {
            c[m] -= factor[k][m] * c[k];
        }
    }
    let part = |k: usize| c[k].abs() * g(active[k], active[k]).sqrt();
    let has = |k: &usize| part(*k) > NOTHING * g(j, j).sqrt();
    (1..active.len()).filter(has).map(|k| active[k]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Design;

    #[test]
    fn aliased_columns_list_their_combination_of_earlier_columns() {
        // a, b, 2a − b + 3, constant 7, constant 0, a³, and an excluded column.
        let rows = (0..12).flat_map(|i| {
            let (a, b) = (f64::from(i % 5), f64::from(i * i % 7));
            [a, b, 2.0 * a - b + 3.0, 7.0, 0.0, a * a * a, a]
        });
        let x = Design::dense(12, 7, rows.collect()).unwrap();
        let (active, aliased) =
            independent(&x.gram(&[1.0; 12]), 7, &[6], &Cancel::default()).unwrap();
        assert_eq!(active, [0, 1, 5, 7]);
        let alias = |column, of: &[usize]| Aliased { column, of: of.to_vec() };
        assert_eq!(aliased, [alias(2, &[0, 1]), alias(3, &[]), alias(4, &[])]);
    }

    #[test]
    fn rank_ignores_scales_and_rows_of_weight_zero() {
        let rows = (0..9).flat_map(|i| [1e-8 * f64::from(i % 4), 1e8 * f64::from(i * i % 5), 0.0]);
        let mut values: Vec<f64> = rows.collect();
        values.extend([0.0, 0.0, 5.0]);
        let x = Design::dense(10, 3, values).unwrap();
        let mut s = vec![1.0; 10];
        assert_eq!(independent(&x.gram(&s), 3, &[], &Cancel::default()).unwrap().0, [0, 1, 2, 3]);
        s[9] = 0.0;
        assert_eq!(independent(&x.gram(&s), 3, &[], &Cancel::default()).unwrap().0, [0, 1, 3]);
    }

    #[test]
    fn rank_is_at_most_the_number_of_rows() {
        let x =
            Design::dense(3, 4, vec![1.0, 2.0, 0.0, 5.0, 3.0, 1.0, 1.0, 2.0, 0.0, 1.0, 4.0, 1.0]);
        let (active, aliased) =
            independent(&x.unwrap().gram(&[1.0; 3]), 4, &[], &Cancel::default()).unwrap();
        assert_eq!((active, aliased.len()), (vec![0, 1, 4], 2));
    }
}
