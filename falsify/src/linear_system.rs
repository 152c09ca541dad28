//! Symmetric positive semidefinite linear systems in double-double.
//!
//! A is scaled to a unit diagonal, shifted by 1e-31 and factored by Cholesky. Two steps of
//! iterative refinement remove the effect of the shift if A is regular.

use crate::double_double::{DoubleDouble, dd, dot};

/// Solves A x = r; `None` if x is not finite.
pub fn solve(a: &[Vec<DoubleDouble>], r: &[DoubleDouble]) -> Option<Vec<DoubleDouble>> {
    let n = r.len();
    let one = DoubleDouble::ONE;
    let scale: Vec<DoubleDouble> =
        (0..n).map(|i| if a[i][i].value() > 0.0 { one / a[i][i].sqrt() } else { one }).collect();
    let mut l = vec![vec![DoubleDouble::ZERO; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let inner = dot(&l[i][..j], &l[j][..j]);
            let entry = a[i][j] * scale[i] * scale[j] - inner;
            if i == j {
                let pivot = (entry + dd(1e-31)).max(dd(1e-31));
                l[i][i] = pivot.sqrt();
            } else {
                l[i][j] = entry / l[j][j];
            }
        }
    }
    let back = |r: &[DoubleDouble]| {
        let mut x: Vec<DoubleDouble> = r.iter().zip(&scale).map(|(r, s)| *r * *s).collect();
        for i in 0..n {
            x[i] = (x[i] - dot(&l[i][..i], &x[..i])) / l[i][i];
        }
        for i in (0..n).rev() {
            let inner: DoubleDouble = (i + 1..n).map(|k| l[k][i] * x[k]).sum();
            x[i] = (x[i] - inner) / l[i][i];
        }
        x.iter_mut().zip(&scale).for_each(|(x, s)| *x = *x * *s);
        x
    };
    let mut x = back(r);
    for _ in 0..2 {
        let rest: Vec<DoubleDouble> = a.iter().zip(r).map(|(row, r)| *r - dot(row, &x)).collect();
        let step = back(&rest);
        x.iter_mut().zip(&step).for_each(|(x, step)| *x += *step);
    }
    x.iter().all(|x| x.is_finite()).then_some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_are_exact_to_1e_31() {
        let a = [[4.0, 1.0], [1.0, 3.0]].map(|row| row.map(dd).to_vec());
        let x = solve(&a, &[dd(1.0), dd(2.0)]).unwrap();
        for (x, numerator) in x.iter().zip([1.0, 7.0]) {
            assert!((*x - dd(numerator) / dd(11.0)).abs().value() < 1e-31);
        }
    }
}
