//! Conversion of eight digits at a time (SWAR: SIMD within a register).
//!
//! In the word w of eight bytes, first byte lowest, w ⊕ "00000000" has the value of a digit in each
//! byte. The first byte above 9 ends the run. The word is shifted up by the bytes outside the run,
//! so that zeros lead. Three multiplications then fold it into one number: pairs of digits, then
//! both halves at once.
//!
//! Lengths become shifts, never branches: the length of a literal is poorly predictable.

/// 10ⁿ for the length n of a run.
pub(super) const WHOLE_TENS: [u64; 9] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Common bits of all digits.
pub(super) const ZEROS: u64 = 0x3030_3030_3030_3030;

/// A run of up to eight digits, not yet folded.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// The bytes, each digit as its value.
    bytes: u64,
    /// Eight times the number of digits.
    bits: u32,
}

impl Run {
    /// No digits.
    pub(super) const NONE: Self = Self { bytes: 0, bits: 0 };

    /// Returns the run of digits at `at`.
    #[inline]
    pub(super) fn at<const N: usize>(window: &[u8; N], at: usize) -> Self {
        let mut word = [0; 8];
        word.copy_from_slice(&window[at..at + 8]);
        let bytes = u64::from_le_bytes(word) ^ ZEROS;
        Self { bytes, bits: others(bytes).trailing_zeros() & 0x78 }
    }

    /// Returns the number formed by the last `count` bytes, 1 to 8, if all are digits.
    #[inline]
    pub(super) fn before(text: [u8; 8], count: usize) -> Option<u64> {
        let bytes = u64::from_le_bytes(text) ^ ZEROS;
        let digits = bytes & (u64::MAX << (64_usize.wrapping_sub(8 * count) & 63));
        (count.wrapping_sub(1) < 8 && others(digits) == 0).then(|| fold(digits))
    }

    /// Returns the number of digits.
    #[inline]
    pub(super) fn len(self) -> usize {
        self.bits as usize / 8
    }

    /// Returns the value of the run; 0 for an empty run.
    #[inline]
    pub(super) fn value(self) -> u64 {
        // In two halves, because a shift by 64 bits is not defined.
        let half = (64 - self.bits) / 2;
        fold(self.bytes << half << half)
    }
}

/// Returns a word with its lowest set bit at the highest bit of the first byte above 9; 0 if there
/// is none. No other byte can carry, so the first one found is correct.
#[inline]
pub(super) fn others(bytes: u64) -> u64 {
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
    fn a_run_ends_at_the_first_non_digit() {
        for digits in ["", "7", "07", "123", "9999999", "12345678"] {
            for other in 0..=u8::MAX {
                if other.is_ascii_digit() {
                    continue;
                }
                let mut window = [other; 16];
                window[3..3 + digits.len()].copy_from_slice(digits.as_bytes());
                let run = Run::at(&window, 3);
                assert_eq!(run.len(), digits.len(), "{digits} and {other}");
                assert_eq!(run.value(), digits.parse().unwrap_or(0), "{digits} and {other}");
            }
        }
    }

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
            assert_eq!(Run::before(*text, count), want);
        }
    }
}
