//! Conversion of eight digits at a time (SWAR: SIMD within a register).
//!
//! In the word w of eight bytes, first byte lowest, w ⊕ "00000000" has the value of a digit in each
//! byte. The first byte above 9 ends the run. The word is shifted up by the bytes outside the run,
//! so that zeros lead. Three multiplications then fold it into one number: pairs of digits, then
//! both halves at once.
//!
//! Lengths become shifts, never branches: the length of a literal is poorly predictable.

/// Common bits of all digits.
pub(super) const ZEROS: u64 = 0x3030_3030_3030_3030;

/// Returns the number formed by the last `count` bytes, 1 to 8, if all are digits.
#[inline]
pub(super) fn before(text: [u8; 8], count: usize) -> Option<u64> {
    let bytes = u64::from_le_bytes(text) ^ ZEROS;
    let digits = bytes & (u64::MAX << (64_usize.wrapping_sub(8 * count) & 63));
    (count.wrapping_sub(1) < 8 && non_digits(digits) == 0).then(|| fold(digits))
}

/// Returns a word with its lowest set bit at the highest bit of the first byte above 9; 0 if there
/// is none. No other byte can carry, so the first one found is correct.
#[inline]
pub(super) fn non_digits(bytes: u64) -> u64 {
    (bytes.wrapping_add(0x7676_7676_7676_7676) | bytes) & 0x8080_8080_8080_8080
}

/// Returns the number whose eight digits are the bytes of w, the lowest first.
#[inline]
pub(super) fn fold(w: u64) -> u64 {
    let pairs = w.wrapping_mul(10).wrapping_add(w >> 8);
    let high = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(100 + (1_000_000 << 32));
    let low = ((pairs >> 16) & 0x0000_00FF_0000_00FF).wrapping_mul(1 + (10_000 << 32));
    high.wrapping_add(low) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_digits_before_the_end_form_a_number() {
        for (text, count, want) in [
            (b"12345678", 8, Some(12_345_678)),
            (b"1234567x", 1, None),
            (b"xxxxx907", 3, Some(907)),
            (b"xxxxx907", 4, None),
            (b"12345678", 0, None),
            (b"12345678", 9, None),
        ] {
            assert_eq!(before(*text, count), want);
        }
    }
}
