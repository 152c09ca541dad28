//! Tests and intervals from standard errors.
//!
//! A maximum-likelihood estimate θ̂ of any combination of coefficients is about normal about the true θ for large n, with the standard error
//! as deviation. So under θ = 0
//!
//! ```text
//!   z = θ̂/error  is about standard normal,     and   θ̂ᵀ V⁻¹ θ̂  about χ²_k  for k combinations with covariance V,
//! ```
//!
//! and θ̂ ± quantile · error is an interval of that level. It is quick and always symmetric, which the truth is not where few rows
//! tell about θ; and where θ̂ is very large, error grows faster than θ̂ and z falls back to 0 (Hauck & Donner 1977). The
//! profile ([`super::profile`]) has neither fault.

use super::{Test, tail};
use crate::math::kernels::dot;
use crate::math::linalg::Cholesky;

/// z and its two-sided p.
pub(super) fn test(estimate: f64, error: f64) -> (f64, f64) {
    let z = estimate / error;
    (z, tail::two_sided(z))
}

/// θ̂ ± z · error.
pub(super) fn interval(estimate: f64, error: f64, z: f64) -> [f64; 2] {
    [estimate - z * error, estimate + z * error]
}

/// θ̂ᵀ V⁻¹ θ̂ of several estimates, given V (of which the lower triangle counts).
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
    fn one_estimate_alone_is_its_own_joint_test() {
        let (z, p) = test(3.0, 2.0);
        let joint = joint(&[3.0], &[4.0]).unwrap();
        assert!((joint.statistic - z * z).abs() < 1e-15 && (joint.p - p).abs() < 1e-15);
        assert_eq!(interval(3.0, 2.0, 1.5), [0.0, 6.0]);
    }

    #[test]
    fn a_joint_test_counts_what_two_estimates_share_once() {
        // V = [[2, 1], [1, 2]], V⁻¹ = [[2, −1], [−1, 2]]/3: (1, 1) gives 2/3.
        let joint = joint(&[1.0, 1.0], &[2.0, 1.0, 0.0, 2.0]).unwrap();
        assert!((joint.statistic - 2.0 / 3.0).abs() < 1e-15);
        assert_eq!(joint.df, 2);
        assert!((joint.p - (-1.0_f64 / 3.0).exp()).abs() < 1e-15);
    }
}
