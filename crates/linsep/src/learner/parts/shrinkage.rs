//! Shrinkage: a covariance matrix drawn towards a plain one.
//!
//! ```text
//!   Σ(γ) = (1 − γ) Σ + γ μ U²,     μ = mean of Σⱼⱼ/uⱼ²,   0 ≤ γ ≤ 1
//! ```
//!
//! where uⱼ is the deviation of column j over all rows, so that units do not matter: in standardised columns the
//! target is μ times the identity. `auto` takes the γ of least expected squared error as Ledoit and Wolf estimate
//! it, with S the covariance in those units, zᵢ the rows about the mean of their class, n their weight:
//!
//! ```text
//!   γ = min(β², δ²)/δ²,    δ² = ‖S − μI‖²,    β² = (1/n²) Σ ‖zᵢzᵢᵀ − S‖² = (1/n)((1/n) Σ ‖zᵢ‖⁴ − ‖S‖²)
//! ```
//!
//! The sum of fourth powers takes a pass of its own, after means and units are known: in one pass it would take the products of all squares, a second
//! d × d matrix, and that is more work than to look at every row again.
//!
//! Source: Ledoit & Wolf, *A well-conditioned estimator for large-dimensional covariance matrices*, Journal of
//! Multivariate Analysis 88 (2004).

use crate::error::Error;
use std::fmt;
use std::str::FromStr;

/// How far a covariance matrix is drawn towards a plain one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Shrinkage {
    /// Not at all; a singular matrix is inverted where it can be.
    #[default]
    None,
    /// By this much, from 0 to 1.
    Fixed(f64),
    /// As Ledoit and Wolf estimate it.
    Auto,
}

impl Shrinkage {
    pub(crate) fn check(self) -> Result<(), Error> {
        match self {
            Self::Fixed(got) if !(0.0..=1.0).contains(&got) => {
                Err(Error::Setting { name: "shrinkage", got, want: "between 0 and 1, or auto" })
            }
            _ => Ok(()),
        }
    }

    /// γ, from μ, ‖S‖² and Σ‖zᵢ‖⁴ in units of the columns.
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
    fn words_and_numbers_from_0_to_1() {
        assert_eq!("auto".parse(), Ok(Shrinkage::Auto));
        assert_eq!("0.25".parse(), Ok(Shrinkage::Fixed(0.25)));
        assert_eq!("0".parse(), Ok(Shrinkage::None));
        for wrong in ["1.5", "-0.1", "much", "nan"] {
            let error = wrong.parse::<Shrinkage>().unwrap_err().to_string();
            assert!(error.contains("between 0 and 1, or auto"), "{error}");
        }
    }

    /// Two columns, rows (±1, 0) and (0, ±2): S = diag(½, 2), μ = 5/4, ‖S‖² = 17/4, Σ‖z‖⁴ = 34.
    #[test]
    fn ledoit_and_wolf_by_hand() {
        // δ² = 17/4 − 25/8 = 9/8, β² = (34/4 − 17/4)/4 = 17/16, γ = 17/18.
        let gamma = Shrinkage::Auto.gamma(2.0, 4.0, 1.25, 4.25, || 34.0);
        assert!((gamma - 17.0 / 18.0).abs() < 1e-15);
        assert_eq!(Shrinkage::Auto.gamma(2.0, 4.0, 1.0, 2.0, || 1.0), 0.0, "plain already");
    }
}
