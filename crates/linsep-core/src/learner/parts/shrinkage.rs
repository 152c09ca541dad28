//! Shrinkage of a covariance matrix towards a multiple of the identity.
//!
//! ```text
//!   Σ(γ) = (1 − γ) Σ + γ μ U²,     μ = mean of Σⱼⱼ/uⱼ²,   0 ≤ γ ≤ 1
//! ```
//!
//! where uⱼ is the standard deviation of column j over all rows, so that units do not matter. For
//! standardized features the target is μ times the identity. `auto` takes the γ of least expected
//! squared error, estimated as in Ledoit and Wolf. With S the covariance in those units, zᵢ the
//! rows centered by class mean, and n their weight:
//!
//! ```text
//!   γ = min(β², δ²)/δ²,    δ² = ‖S − μI‖²,
//!   β² = (1/n²) Σ ‖zᵢzᵢᵀ − S‖² = (1/n)((1/n) Σ ‖zᵢ‖⁴ − ‖S‖²)
//! ```
//!
//! The sum of fourth powers takes a separate pass, after means and units are known. A single pass
//! would need the products of all squares, a second d × d matrix, at a higher cost than another
//! pass.
//!
//! Source: Ledoit & Wolf, *A well-conditioned estimator for large-dimensional covariance matrices*,
//! Journal of Multivariate Analysis 88 (2004).

use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Shrinkage γ of a covariance matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shrinkage {
    /// No shrinkage; a singular matrix is inverted on its range.
    #[default]
    None,
    /// Fixed γ, from 0 to 1.
    Fixed(f64),
    /// The estimate of Ledoit and Wolf.
    Auto,
}

impl Shrinkage {
    pub(crate) fn check(self) -> Result<(), Error> {
        match self {
            Self::Fixed(got) if !(0.0..=1.0).contains(&got) => Err(Error::Setting {
                name: "shrinkage",
                got,
                want: "a number between 0 and 1, or \
                    auto",
            }),
            _ => Ok(()),
        }
    }

    /// Computes γ from μ, ‖S‖² and Σ‖zᵢ‖⁴ in units of the columns.
    pub(crate) fn gamma(
        self,
        d: f64,
        n: f64,
        mu: f64,
        square: f64,
        fourth: impl FnOnce() -> f64,
    ) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Fixed(gamma) => gamma,
            Self::Auto => {
                let delta = square - d * mu * mu;
                if delta <= 0.0 {
                    return 0.0;
                }
                let beta = (fourth() / n - square) / n;
                (beta / delta).clamp(0.0, 1.0)
            }
        }
    }
}

impl fmt::Display for Shrinkage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("0"),
            Self::Fixed(gamma) => write!(f, "{gamma}"),
            Self::Auto => f.write_str("auto"),
        }
    }
}

impl FromStr for Shrinkage {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        let gamma: f64 = text.trim().parse().unwrap_or(f64::NAN);
        let own = Self::Fixed(gamma);
        own.check().map(|()| if gamma == 0.0 { Self::None } else { own })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shrinkage_is_auto_or_a_number_from_0_to_1() {
        assert_eq!("auto".parse(), Ok(Shrinkage::Auto));
        assert_eq!("0.25".parse(), Ok(Shrinkage::Fixed(0.25)));
        assert_eq!("0".parse(), Ok(Shrinkage::None));
        for wrong in ["1.5", "-0.1", "much", "nan"] {
            let error = wrong.parse::<Shrinkage>().unwrap_err().to_string();
            assert!(error.contains("a number between 0 and 1, or auto"), "{error}");
        }
    }

    /// Two columns, rows (±1, 0) and (0, ±2): S = diag(½, 2), μ = 5/4, ‖S‖² = 17/4, Σ‖z‖⁴ = 34.
    #[test]
    fn the_ledoit_wolf_estimate_equals_a_hand_computation() {
        // δ² = 17/4 − 25/8 = 9/8, β² = (34/4 − 17/4)/4 = 17/16, γ = 17/18.
        let gamma = Shrinkage::Auto.gamma(2.0, 4.0, 1.25, 4.25, || 34.0);
        assert!((gamma - 17.0 / 18.0).abs() < 1e-15);
        assert_eq!(Shrinkage::Auto.gamma(2.0, 4.0, 1.0, 2.0, || 1.0), 0.0, "plain already");
    }
}
