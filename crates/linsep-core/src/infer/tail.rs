//! Tail probabilities of the normal and χ² distributions, and normal quantiles.
//!
//! ```text
//!   P(Z > z)    = ½ erfc(z/√2)
//!   P(χ²_k > x) = Σ_a yᵃ e⁻ʸ/Γ(a + 1)  (+ erfc √y for odd k),     y = x/2,
//!                 a = 0, 1, …, k/2 − 1 for even k,   a = ½, 3/2, …, k/2 − 1 for odd k
//! ```
//!
//! The sum is the recurrence Q(a + 1, y) = Q(a, y) + yᵃ e⁻ʸ/Γ(a + 1) of the incomplete gamma
//! function, started at Q(0, y) = 0 or Q(½, y) = erfc √y. All its terms are positive, so there is
//! no cancellation and the tail keeps its relative accuracy, however small. Terms are computed from
//! the first one; if e⁻ʸ would underflow, from the largest one.
//!
//! The quantile z of p = P(Z > z) ≤ ½ starts from a rational approximation with error 4.5·10⁻⁴, and
//! takes three steps of Halley's method, each of which triples the number of correct digits.
//!
//! The relative error of the tails is about 10⁻¹³ up to z = 30 or x = 900, and grows to about
//! 2·10⁻¹³ toward the end of the range of doubles. The functions are those of the crate `libm`,
//! whose bits are the same on every machine.
//!
//! Source: Abramowitz & Stegun, *Handbook of Mathematical Functions*, 6.5.21 (the recurrence) and
//! 26.2.23 (the initial approximation).

use libm::{erfc, exp, lgamma, log, sqrt};
use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI};

/// Returns P(|Z| > |z|).
pub fn two_sided(z: f64) -> f64 {
    erfc(z.abs() * FRAC_1_SQRT_2)
}

/// Returns P(χ² > x), for k ≥ 1 degrees of freedom.
pub fn chi_squared(x: f64, k: usize) -> f64 {
    // e⁻ʸ is far from underflow up to this y.
    const DIRECT: f64 = 700.0;
    if x <= 0.0 {
        return 1.0;
    }
    let y = 0.5 * x;
    let odd = k % 2 == 1;
    let first = if odd { 0.5 } else { 0.0 };
    let terms = k / 2;
    let start = if odd { erfc(sqrt(y)) } else { 0.0 };
    if y.is_nan() || y.is_infinite() || terms == 0 {
        return if y.is_infinite() { 0.0 } else { start + 0.0 * y };
    }
    // Index and value of the first computed term.
    let (at, term) = if y < DIRECT {
        (0, exp(-y) * if odd { sqrt(y) * FRAC_2_SQRT_PI } else { 1.0 })
    } else {
        let at = ((y - first) as usize).min(terms - 1);
        let a = first + at as f64;
        (at, exp(a * log(y) - y - lgamma(a + 1.0)))
    };
    let (mut sum, mut up, mut down) = (term, term, term);
    for j in at + 1..terms {
        up *= y / (first + j as f64);
        sum += up;
    }
    for j in (0..at).rev() {
        down *= (first + (j + 1) as f64) / y;
        sum += down;
    }
    (start + sum).min(1.0)
}

/// Returns z with P(|Z| > z) = p, for 0 < p < 1.
pub fn two_sided_quantile(p: f64) -> f64 {
    let p = 0.5 * p;
    let t = sqrt(-2.0 * log(p));
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut z = t - above / below;
    for _ in 0..3 {
        let density = exp(-0.5 * z * z) / sqrt(2.0 * PI);
        let u = (0.5 * erfc(z * FRAC_1_SQRT_2) - p) / density;
        z += u / (1.0 - 0.5 * z * u);
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(got: f64, want: f64, most: f64) {
        assert!((got - want).abs() <= most * want.abs(), "{got:e} instead of {want:e}");
    }

    /// z and P(|Z| > z).
    const TWO_SIDED: [(f64, f64); 7] = [
        (0.125, 0.900_523_550_339_774_2),
        (0.5, 0.617_075_077_451_973_8),
        (1.0, 0.317_310_507_862_914_1),
        (1.96875, 0.048_981_806_528_466_55),
        (5.0, 5.733_031_437_583_878e-07),
        (12.0, 3.552_964_224_155_358e-33),
        (30.0, 9.813_427_854_296_374e-198),
    ];

    /// x, k and P(χ² > x).
    const CHI_SQUARED: [(f64, usize, f64); 12] = [
        (0.25, 1, 0.617_075_077_451_973_8),
        (3.84375, 1, 0.049_931_727_563_749_466),
        (100.0, 1, 1.523_970_604_832_105e-23),
        (1.0, 2, 0.606_530_659_712_633_4),
        (7.5, 3, 0.057_558_451_972_636_406),
        (0.007_812_5, 4, 0.999_992_390_444_610_2),
        (20.0, 5, 0.001_249_730_563_031_375_3),
        (60.0, 12, 2.257_348_746_396_284_2e-08),
        (600.0, 31, 1.338_186_197_321_659_4e-106),
        (1390.0, 900, 1.198_790_576_397_526e-23),
        (1500.0, 1000, 1.045_464_038_597_965_8e-22),
        (2500.0, 2001, 1.203_245_714_300_252_7e-13),
    ];

    /// p and z with P(|Z| > z) = p.
    const QUANTILES: [(f64, f64); 6] = [
        (0.5, 0.674_489_750_196_081_7),
        (0.25, 1.150_349_380_376_008),
        (0.0625, 1.862_731_867_421_651_5),
        (0.05, 1.959_963_984_540_054_3),
        (0.01, 2.575_829_303_548_901),
        (0.000_001, 4.891_638_475_698_59),
    ];

    /// References: mpmath 1.3 with 40 digits.
    #[test]
    fn tails_and_quantiles_match_references() {
        for (z, p) in TWO_SIDED {
            near(two_sided(z), p, 1e-13);
            near(two_sided(-z), p, 1e-13);
        }
        for (x, k, p) in CHI_SQUARED {
            near(chi_squared(x, k), p, 2e-12);
        }
        for (p, z) in QUANTILES {
            near(two_sided_quantile(p), z, 4e-16);
        }
    }

    #[test]
    fn quantile_inverts_its_tail() {
        for e in 1..300 {
            let p = 10.0_f64.powi(-e) * 3.0;
            near(two_sided(two_sided_quantile(p)), p, 1e-12);
        }
        for i in 1..100 {
            let p = f64::from(i) / 100.0;
            near(two_sided(two_sided_quantile(p)), p, 1e-14);
        }
    }

    #[test]
    fn chi_squared_of_one_degree_is_a_squared_normal() {
        for i in 1..60 {
            let z = f64::from(i) / 2.0;
            near(chi_squared(z * z, 1), two_sided(z), 1e-12);
        }
    }

    #[test]
    fn direct_and_underflow_safe_sums_agree() {
        // The two sums at both sides of the switch, for several degrees of freedom.
        for k in [2, 3, 1400, 1401, 3000] {
            let (a, b) = (chi_squared(1399.999, k), chi_squared(1400.001, k));
            assert!(a >= b && a - b <= 2e-3 * a, "{k}: {a:e} {b:e}");
        }
    }

    #[test]
    fn limits_at_zero_infinity_and_nan() {
        assert_eq!((chi_squared(0.0, 3), chi_squared(-1.0, 1), two_sided(0.0)), (1.0, 1.0, 1.0));
        assert_eq!((chi_squared(f64::INFINITY, 2), chi_squared(1e9, 7)), (0.0, 0.0));
        assert!(chi_squared(f64::NAN, 1).is_nan() && chi_squared(f64::NAN, 4).is_nan());
    }
}
