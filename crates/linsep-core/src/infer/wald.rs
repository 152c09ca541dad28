//! Wald tests and intervals, from standard errors.
//!
//! A maximum-likelihood estimate θ̂ of any combination of coefficients is approximately normal
//! around the true θ for large n, with the standard error as standard deviation. So under θ = 0
//!
//! ```text
//!   z = θ̂/error   is about standard normal,
//!   θ̂ᵀ V⁻¹ θ̂      is about χ²_k for k combinations with covariance V,
//! ```
//!
//! and θ̂ ± quantile · error is an interval of that level. It is fast but always symmetric,
//! although the likelihood is not if few rows determine θ. For very large θ̂ the standard error
//! grows faster than θ̂, and z returns to 0 (Hauck & Donner 1977). The profile likelihood
//! ([`super::profile`]) has neither defect.

use super::{Test, tail};
use crate::math::kernels::dot;
use crate::math::linalg::Cholesky;

/// Returns z and its two-sided p-value.
pub(super) fn test(estimate: f64, error: f64) -> (f64, f64) {
    let z = estimate / error;
    (z, tail::two_sided(z))
}

/// Returns θ̂ ± z · error.
pub(super) fn interval(estimate: f64, error: f64, z: f64) -> [f64; 2] {
    [estimate - z * error, estimate + z * error]
}

/// Returns the test of θ̂ᵀ V⁻¹ θ̂ for several estimates, given the lower triangle of V.
pub(super) fn joint(estimates: &[f64], covariance: &[f64]) -> Option<Test> {
    let k = estimates.len();
    let mut solved = estimates.to_vec();
    Cholesky::exact(covariance, k, f64::EPSILON)?.solve(&mut solved);
    Some(Test::new(dot(estimates, &solved), k))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joint_test_of_one_estimate_equals_its_wald_test() {
        let (z, p) = test(3.0, 2.0);
        let joint = joint(&[3.0], &[4.0]).unwrap();
        assert!((joint.statistic - z * z).abs() < 1e-15 && (joint.p - p).abs() < 1e-15);
        assert_eq!(interval(3.0, 2.0, 1.5), [0.0, 6.0]);
    }

    #[test]
    fn joint_test_uses_the_covariance_of_two_estimates() {
        // V = [[2, 1], [1, 2]], V⁻¹ = [[2, −1], [−1, 2]]/3: (1, 1) gives 2/3.
        let joint = joint(&[1.0, 1.0], &[2.0, 1.0, 0.0, 2.0]).unwrap();
        assert!((joint.statistic - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(joint.df, 2);
        assert!((joint.p - (-1.0_f64 / 3.0).exp()).abs() < 1e-15);
    }
}
