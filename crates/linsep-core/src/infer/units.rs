//! Standardization of columns for the computation, and conversion to reported units.
//!
//! Coefficients and their tests do not depend on the units of columns, but rounding errors of sums
//! of squares do. A column like a year, whose mean is large relative to its standard deviation, is
//! almost collinear with the intercept. So dense columns are standardized if one of them has |μ| >
//! 8σ, and results are converted to the requested units. With (x − μ)/σ the given columns in terms
//! of the data, and (x′ − m)/q the columns of the computation,
//!
//! ```text
//!   x″ = ((x − μ)/σ − m)/q = (x − (μ + σm))/(σq).
//! ```
//!
//! Sparse columns stay unchanged, as centering would make them dense.

use crate::data::Design;
use crate::features::{Standardization, column_statistics};

/// Returns the standardized rows and the standardization. `None` if unnecessary, by Σ sᵢ (xᵢ,
/// 1)(xᵢ, 1)ᵀ, or if impossible.
pub(super) fn standardized(
    x: &Design,
    s: &[f64],
    gram: &[f64],
) -> Option<(Design, Standardization)> {
    const FAR: f64 = 8.0;
    let (n, d) = (x.n(), x.d());
    let g = |i: usize, j: usize| gram[j * (d + 1) + i];
    let far = |j: usize| {
        let (mean, square) = (g(d, j) / g(d, d), g(j, j) / g(d, d));
        // Also true if the difference is lost to rounding.
        mean * mean > FAR * FAR * (square - mean * mean)
    };
    let dense = !matches!(x, Design::SparseF64(_) | Design::SparseF32(_));
    if !(dense && (0..d).any(far)) {
        return None;
    }
    let mut values: Vec<f64> = (0..n).flat_map(|i| x.row(i)).collect();
    let columns = column_statistics(&values, d, s);
    let scale = |deviation: f64| if deviation > 0.0 { deviation } else { 1.0 };
    let by = Standardization {
        mean: columns.iter().map(|c| c.mean).collect(),
        scale: columns.iter().map(|c| scale(c.deviation)).collect(),
    };
    for row in values.chunks_exact_mut(d) {
        for ((v, mean), scale) in row.iter_mut().zip(&by.mean).zip(&by.scale) {
            *v = (*v - mean) / scale;
        }
    }
    // Rows of sample weight 0 may have any values, even out of range.
    Design::dense(n, d, values).ok().map(|x| (x, by))
}

/// Composes the standardization of the given columns with that of the computation.
pub(super) fn composed(
    given: Option<&Standardization>,
    own: Option<&Standardization>,
    d: usize,
) -> Standardization {
    let nothing = Standardization { mean: vec![0.0; d], scale: vec![1.0; d] };
    match (given, own) {
        (None, None) => nothing,
        (Some(one), None) | (None, Some(one)) => one.clone(),
        (Some(given), Some(own)) => Standardization {
            mean: given.unscale(&own.mean),
            scale: given.scale.iter().zip(&own.scale).map(|(a, b)| a * b).collect(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Hyperplane;

    #[test]
    fn uncentered_columns_are_standardized_and_converted_back() {
        let x = Design::dense(3, 2, vec![2001.0, 1.0, 2002.0, -1.0, 2003.0, 0.0]).unwrap();
        let (work, own) = standardized(&x, &[1.0; 3], &x.gram(&[1.0; 3])).unwrap();
        let given = Standardization { mean: vec![10.0, 2.0], scale: vec![0.5, 4.0] };
        let hyperplane = Hyperplane { w: vec![1.5, -2.0], b: 0.25 };
        let raw = composed(Some(&given), Some(&own), 2).to_raw_units(&hyperplane);
        let twice = given.to_raw_units(&own.to_raw_units(&hyperplane));
        assert!((raw.b - twice.b).abs() < 1e-9 && (raw.w[0] - twice.w[0]).abs() < 1e-12);
        let apart = own.to_raw_units(&hyperplane).at(&x.row(0)) - hyperplane.at(&work.row(0));
        assert!(apart.abs() < 1e-9);
        let near = Design::dense(2, 1, vec![1.0, 2.0]).unwrap();
        assert!(standardized(&near, &[1.0; 2], &near.gram(&[1.0; 2])).is_none());
    }
}
