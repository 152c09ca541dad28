//! m · 10ᵏ to the nearest double by one or two multiplications (Eisel; Lemire 2021).
//!
//! ```text
//!   m · 10ᵏ = (m · 5ᵏ) · 2ᵏ,     5ᵏ ≈ c · 2ᵉ with 128 bits of c
//! ```
//!
//! m is shifted up until its highest bit is set. Its product with the upper half of c gives the 53
//! bits of a double, the rounding bit, and a few more. The lower half of c can carry into these few
//! bits only if all of them are ones: then the lower half is multiplied too. For −27 ≤ k ≤ 55 no
//! other method is needed. For k ≥ 0 the product is exact, since 5⁵⁵ < 2¹²⁸. For k < 0 it is close
//! enough that no m < 2⁶⁴ is rounded incorrectly (Lemire's paper, section 8). The value m · 10ᵏ is
//! between 10⁻²⁷ and 10⁷⁵: it is never subnormal and never overflows.
//!
//! m · 10ᵏ can be exactly halfway between two doubles only for −4 ≤ k ≤ 23; ties go to even.

/// Range of k.
pub(super) const POWERS: std::ops::RangeInclusive<i32> = LOWEST..=55;

const LOWEST: i32 = -27;
const COUNT: usize = 55 + 27 + 1;

/// 5ᵏ as 128 bits with the highest bit set: truncated for k ≥ 0, rounded up for k < 0.
static FIVES: [(u64, u64); COUNT] = fives();

const fn fives() -> [(u64, u64); COUNT] {
    let mut table = [(0, 0); COUNT];
    let mut i = 0;
    while i < COUNT {
        let k = LOWEST + (i as u32).cast_signed();
        let power = 5_u128.pow(k.unsigned_abs());
        let c = if k < 0 { reciprocal(power) + 1 } else { power << power.leading_zeros() };
        table[i] = ((c >> 64) as u64, c as u64);
        i += 1;
    }
    table
}

/// Returns the first 128 bits of 1/d, by long division. d is not a power of two and has at most 127
/// bits.
const fn reciprocal(d: u128) -> u128 {
    // The first remainder is the largest power of two below d, so the first bit is one.
    let mut rest = 1_u128 << d.ilog2();
    let (mut bits, mut n) = (0, 0);
    while n < 128 {
        rest <<= 1;
        bits <<= 1;
        if rest >= d {
            rest -= d;
            bits |= 1;
        }
        n += 1;
    }
    bits
}

/// Returns m · 10ᵏ for k in [`POWERS`], rounded to nearest, ties to even.
#[inline]
pub(super) fn round(m: u64, k: i32) -> f64 {
    if m == 0 {
        return 0.0;
    }
    // 1. The product.
    let (upper, lower) = FIVES[(k - LOWEST) as usize];
    let zeros = m.leading_zeros();
    let w = m << zeros;
    let product = u128::from(w) * u128::from(upper);
    let (mut high, mut low) = ((product >> 64) as u64, product as u64);
    const FEW: u64 = u64::MAX >> 55;
    if high & FEW == FEW {
        let more = ((u128::from(w) * u128::from(lower)) >> 64) as u64;
        let (sum, carry) = low.overflowing_add(more);
        (low, high) = (sum, high + u64::from(carry));
    }

    // 2. Its first 54 bits, and the exponent: ⌊k log₂ 10⌋ = (217706 k) >> 16 in this range.
    let top = (high >> 63) as u32;
    let mut bits = high >> (top + 9);
    let exponent = ((217_706 * k) >> 16) + 63 + top.cast_signed() - zeros.cast_signed() + 1_023;

    // 3. Rounding: an exact tie goes to even, all others by the 54th bit.
    if low <= 1 && (-4..=23).contains(&k) && bits & 3 == 1 && bits << (top + 9) == high {
        bits &= !1;
    }
    let rounded = (bits + (bits & 1)) >> 1;
    // The highest bit is added to the exponent field, which is one less to compensate; a carry to
    // 2⁵³ adds two.
    f64::from_bits((((exponent - 1) as u64) << 52) + rounded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(m: u64, k: i32) {
        let want: f64 = format!("{m}e{k}").parse().unwrap();
        assert_eq!(round(m, k).to_bits(), want.to_bits(), "{m}e{k}");
    }

    #[test]
    fn extreme_mantissas_agree_for_every_power() {
        for k in POWERS {
            for shift in 0..64 {
                for near in [u64::MAX, 0, 1] {
                    check((1_u64 << shift).wrapping_add(near), k);
                    check((u64::MAX >> shift).wrapping_sub(near), k);
                }
            }
        }
    }

    #[test]
    fn ties_go_to_even() {
        for m in (0..200).flat_map(|i| [(1_u64 << 53) + i, (1 << 54) + 2 * i, (1 << 62) + 256 * i])
        {
            check(m, 0);
            for k in 1..=4 {
                check(m, k);
                // The same number with more digits, if they fit.
                if let Some(longer) = m.checked_mul(10_u64.pow(k as u32)) {
                    check(longer, -k);
                }
            }
        }
        // m · 5²³ just fits 2⁶⁴ · 2⁵³: the largest power with ties.
        check(4_503_599_627_370_497, 23);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn any_number_agrees_with_the_standard_library(m in any::<u64>(), shift in 0..64, k in POWERS) {
            check(m >> shift, k);
        }
    }
}
