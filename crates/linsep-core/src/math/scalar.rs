//! e^x, ln(1 + x) and ln x on the ranges that losses need, without branches, so that the compiler
//! can vectorize them over rows.
//!
//! ```text
//!   e^x        x ≤ 0:      x = k ln 2 + r, |r| ≤ (ln 2)/2;  e^x = 2ᵏ (1 + r + r²/2! + … + r¹³/13!)
//!   ln(1 + x)  0 ≤ x ≤ 1:  1 + x = 2ᵏ (1 + f), k ∈ {0, 1};   s = f/(2 + f),
//!                          ln(1 + f) = 2 (s + s³/3 + s⁵/5 + …), the tail by a polynomial in s²
//!   ln x       x > 0:      x = 2ᵏ (1 + f), √½ ≤ 1 + f < √2; then the same
//! ```
//!
//! All are within 2 units in the last place. They are sums, products and one division in a fixed
//! order: the same bits on every machine, which the functions of the system do not guarantee. e^x
//! below the smallest normal number is 0.
//!
//! Source: the argument reductions and the polynomial of the logarithm of fdlibm (`e_log.c`, Sun
//! Microsystems).

/// ln 2 in two parts; the first has trailing zero bits, so k times it is exact.
const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;

/// e^x for x ≤ 0.
#[inline(always)]
#[allow(clippy::inline_always)] // a call would prevent vectorization of the caller's loop
pub(crate) fn exp_below_zero(x: f64) -> f64 {
    /// Adding this constant rounds to an integer, which the lowest bits then hold.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    /// ln of the smallest normal number.
    const LEAST: f64 = -708.396_418_532_264_1;
    /// 1/13!, …, 1/2!.
    const TERMS: [f64; 12] = [
        1.0 / 6_227_020_800.0,
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
    ];
    let shifted = x * std::f64::consts::LOG2_E + ROUND;
    let k = shifted - ROUND;
    let r = (x - k * LN2_HIGH) - k * LN2_LOW;
    let tail = TERMS.iter().fold(0.0, |sum, term| sum * r + term);
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0_f64.to_bits()));
    let value = (1.0 + (r + r * r * tail)) * power;
    // The comparison is false for a NaN, so the result is NaN.
    if x < LEAST { 0.0 } else { value }
}

/// ln x for positive normal numbers; NaN for any other.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(crate) fn ln(x: f64) -> f64 {
    /// √½ to 20 bits: x = 2ᵏ m with m in \[√½, √2).
    const LEAST: u64 = 0x3fe6_a09e_0000_0000;
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    /// 2⁵² as bits, whose lowest bits hold an integer; `SHIFTED` removes it and the exponent bias.
    const COUNT: u64 = 0x4330_0000_0000_0000;
    const SHIFTED: f64 = 4_503_599_627_370_496.0 + 1023.0;
    let bits = x.to_bits().wrapping_add(ONE - LEAST);
    let k = f64::from_bits((bits >> 52) | COUNT) - SHIFTED;
    let f = f64::from_bits((bits & FRACTION).wrapping_add(LEAST)) - 1.0;
    let value = ln_of_parts(k, f);
    if (f64::MIN_POSITIVE..=f64::MAX).contains(&x) { value } else { f64::NAN }
}

/// The fraction bits of a double.
const FRACTION: u64 = (1 << 52) - 1;

/// ln(1 + x) for 0 ≤ x ≤ 1.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(crate) fn ln_1p_of_share(x: f64) -> f64 {
    let large = x > std::f64::consts::SQRT_2 - 1.0;
    let f = if large { 0.5 * (x - 1.0) } else { x };
    ln_of_parts(if large { 1.0 } else { 0.0 }, f)
}

/// ln(2ᵏ (1 + f)) for 1 + f in \[√½, √2\].
#[inline(always)]
#[allow(clippy::inline_always)]
fn ln_of_parts(k: f64, f: f64) -> f64 {
    const TERMS: [f64; 7] = [
        1.479_819_860_511_658_6e-1,
        1.531_383_769_920_937_3e-1,
        1.818_357_216_161_805e-1,
        2.222_219_843_214_978_4e-1,
        2.857_142_874_366_239e-1,
        3.999_999_999_940_942e-1,
        6.666_666_666_666_735e-1,
    ];
    let s = f / (2.0 + f);
    let z = s * s;
    let tail = z * TERMS.iter().fold(0.0, |sum, term| sum * z + term);
    let half = 0.5 * f * f;
    k * LN2_HIGH - ((half - (s * (half + tail) + k * LN2_LOW)) - f)
}

/// −p ln p − (1−p) ln(1−p) for 0 ≤ p ≤ 1, from the smaller of p and 1 − p, which keeps full
/// accuracy at both ends.
#[inline(always)]
#[allow(clippy::inline_always)]
pub(crate) fn entropy(p: f64) -> f64 {
    let small = p.min(1.0 - p);
    let large = 1.0 - small;
    large * ln_1p_of_share(small / large) - small * ln(small.max(f64::MIN_POSITIVE))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of doubles between two positive ones: the distance in units in the last place.
    fn apart(a: f64, b: f64) -> u64 {
        a.to_bits().abs_diff(b.to_bits())
    }

    #[test]
    fn exp_below_zero_is_within_two_ulps() {
        let grid = (0..=700_000).map(|k| -f64::from(k) * 1.011e-3);
        let near = (0..=1000).map(|k| -(0.5_f64.powi(k)));
        let worst =
            grid.chain(near).map(|x| (apart(exp_below_zero(x), x.exp()), x)).max_by_key(|w| w.0);
        assert!(worst.unwrap().0 <= 2, "{worst:?}");
        assert_eq!((exp_below_zero(0.0), exp_below_zero(-0.0)), (1.0, 1.0));
        for x in [-709.0, -745.0, -800.0, -1e300, f64::NEG_INFINITY] {
            assert_eq!(exp_below_zero(x), 0.0, "{x}");
        }
        assert!(exp_below_zero(-708.39) >= f64::MIN_POSITIVE);
        assert!(exp_below_zero(f64::NAN).is_nan());
    }

    #[test]
    fn ln_is_within_two_ulps() {
        let grid = (1..=400_000).map(|k| f64::from(k) * 1.03e-4);
        let far = (-1022..=1023).flat_map(|k| [1.0, 1.3, 1.9].map(|x| x * 2.0_f64.powi(k)));
        let near = (20..=52).flat_map(|k| [1.0 + 0.5_f64.powi(k), 1.0 - 0.5_f64.powi(k)]);
        for x in grid.chain(far).chain(near) {
            assert!(apart(ln(x).abs(), x.ln().abs()) <= 2, "{x}: {} {}", ln(x), x.ln());
        }
        assert_eq!(ln(1.0), 0.0);
        for x in [0.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert!(ln(x).is_nan(), "{x}");
        }
    }

    #[test]
    fn ln_1p_of_share_is_within_two_ulps() {
        let grid = (0..=1_000_000).map(|k| f64::from(k) * 1e-6);
        let near = (0..=1074).map(|k| 0.5_f64.powi(k));
        let worst =
            grid.chain(near).map(|x| (apart(ln_1p_of_share(x), x.ln_1p()), x)).max_by_key(|w| w.0);
        assert!(worst.unwrap().0 <= 2, "{worst:?}");
        assert_eq!((ln_1p_of_share(0.0), ln_1p_of_share(1.0)), (0.0, std::f64::consts::LN_2));
        assert!(ln_1p_of_share(f64::NAN).is_nan());
    }

    #[test]
    fn entropy_is_accurate_at_both_ends() {
        for p in [0.0, 1.0] {
            assert_eq!(entropy(p), 0.0);
        }
        assert!((entropy(0.5) - std::f64::consts::LN_2).abs() < 1e-15);
        for p in [1e-300, 1e-20, 1e-9, 0.1, 0.3, 0.49999] {
            let plain = -p * f64::ln(p) - (1.0 - p) * (-p).ln_1p();
            assert!((entropy(p) - plain).abs() <= 1e-15 * plain, "{p}");
            assert!(p < 1e-8 || (entropy(1.0 - p) - plain).abs() <= 1e-13 * plain, "1 − {p}");
        }
        assert!(entropy(f64::NAN).is_nan());
    }
}
