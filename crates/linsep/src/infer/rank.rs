//! Which columns say something of their own.
//!
//! Coefficients can be told apart only where no column is a combination of the others and the constant. The matrix
//! G = Σ sᵢ (xᵢ, 1)(xᵢ, 1)ᵀ is factored column by column, the constant first and then the columns in their order. What is
//! left of column j after those before it are taken out,
//!
//! ```text
//!   ρⱼ = Gⱼⱼ − ‖l‖²,     L l = (G of the columns kept so far, with j),
//! ```
//!
//! is its pivot. Where ρⱼ is at most 10⁻¹⁰ of the column's spread about its mean, the column is **aliased**: it gets no
//! coefficient, like `NA` in R. Lᵀ c = l says which columns it is a combination of.
//!
//! The square root of that share, 10⁻⁵, is how far from its combination a column is at most when it is called aliased. Sums of
//! squares in doubles cannot tell much less.
//!
//! Cost: d³/3.

use crate::control::Cancel;
use crate::math::kernels::{dot, norm_sq};

/// A column that is a combination of columns before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aliased {
    /// The column.
    pub column: usize,
    /// Those it is a combination of, beside the constant; none where it is the same in every row.
    pub of: Vec<usize>,
}

/// The columns that get coefficients, ascending, and those that are aliased, from G (of which the lower triangle counts). `None` where
/// the token was set meanwhile.
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

/// The columns in the combination that column j is.
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
    fn combinations_are_named_and_the_first_columns_kept() {
        // a, b, 2a − b + 3, 7 everywhere, 0 everywhere, a³: and a column left out.
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
    fn scales_do_not_matter_and_rows_of_weight_0_do_not_count() {
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
    fn more_columns_than_rows_keep_as_many_as_there_are_rows() {
        let x =
            Design::dense(3, 4, vec![1.0, 2.0, 0.0, 5.0, 3.0, 1.0, 1.0, 2.0, 0.0, 1.0, 4.0, 1.0]);
        let (active, aliased) =
            independent(&x.unwrap().gram(&[1.0; 3]), 4, &[], &Cancel::default()).unwrap();
        assert_eq!((active, aliased.len()), (vec![0, 1, 4], 2));
    }
}
