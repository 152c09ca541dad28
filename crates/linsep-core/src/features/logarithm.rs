//! The logarithm φ(x) = log(1 + x) of numbers x ≥ 0, such as counts: it keeps 0 and its order, and
//! shortens a long right tail.

/// Returns log(1 + x); NaN, a missing value, for x < 0.
pub fn log1p(x: f64) -> f64 {
    if x >= 0.0 { libm::log1p(x) } else { f64::NAN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_is_accurate_and_refuses_negative_numbers() {
        assert_eq!((log1p(0.0), log1p(1e-300)), (0.0, 1e-300));
        assert!((log1p(f64::MAX) - 709.782_712_893_384).abs() < 1e-12);
        assert!(log1p(-0.5).is_nan() && log1p(f64::NAN).is_nan());
    }
}
