//! Positions of delimiter bytes, found 64 bytes at a time.
//!
//! A reader that finds the end of a number by parsing it cannot start the next number earlier. With
//! known positions the reader only checks the end, and the processor works on several numbers at
//! once. Marks are hints: the reader checks the byte at each mark, and may move the marks to any
//! other position.
//!
//! Each group of 64 bytes takes four comparisons of 16 bytes and gives a word with one bit per
//! byte.

use wide::u8x16;

/// Set of marked bytes.
pub(crate) trait Marked {
    /// Returns one bit per byte, the first byte lowest.
    fn of(&self, bytes: &[u8; 64]) -> u64;
}

/// Two bytes: a delimiter and a line end.
#[derive(Clone, Copy)]
pub(crate) struct Either(pub u8, pub u8);

/// Colons, blanks and every byte below a blank.
#[derive(Clone, Copy)]
pub(crate) struct ColonOrBlank;

/// The marks of a text from a position on. A hot loop works on its own copy, which stays in
/// registers.
#[derive(Clone, Copy)]
pub(crate) struct Marks<'a, M> {
    text: &'a [u8],
    marked: M,
    /// Position of the first byte of `bits`.
    base: usize,
    /// The marks still ahead.
    bits: u64,
}

impl<'a, M: Marked> Marks<'a, M> {
    /// Returns all marks of a text.
    pub(crate) fn new(text: &'a [u8], marked: M) -> Self {
        let mut marks = Self { text, marked, base: 0, bits: 0 };
        marks.look();
        marks
    }

    /// Returns the next mark, or the length of the text if none is left.
    #[inline]
    pub(crate) fn peek(&mut self) -> usize {
        while self.bits == 0 {
            if self.base >= self.text.len() {
                return self.text.len();
            }
            self.base += 64;
            self.look();
        }
        self.base + self.bits.trailing_zeros() as usize
    }

    /// Skips the mark returned by `peek`.
    #[inline]
    pub(crate) fn pass(&mut self) {
        self.bits &= self.bits.wrapping_sub(1);
    }

    /// Returns the next mark and skips it.
    #[inline]
    pub(crate) fn next(&mut self) -> usize {
        let at = self.peek();
        self.pass();
        at
    }

    /// Skips the marks before `at`, which lies ahead.
    #[inline]
    pub(crate) fn skip_to(&mut self, at: usize) {
        let ahead = at.wrapping_sub(self.base);
        if ahead < 64 {
            self.bits &= u64::MAX << ahead;
        } else {
            self.set_to(at);
        }
    }

    /// Restarts with the marks from `at` on, at any position.
    #[inline]
    pub(crate) fn set_to(&mut self, at: usize) {
        self.base = at & !63;
        self.look();
        self.bits &= u64::MAX << (at & 63);
    }

    #[inline]
    fn look(&mut self) {
        let rest = self.text.get(self.base..).unwrap_or_default();
        self.bits = match rest.first_chunk() {
            Some(bytes) => self.marked.of(bytes),
            None => last(&self.marked, rest),
        };
    }
}

/// Handles the last, fewer than 64 bytes.
#[cold]
fn last(marked: &impl Marked, rest: &[u8]) -> u64 {
    let mut bytes = [0; 64];
    bytes[..rest.len()].copy_from_slice(rest);
    marked.of(&bytes) & !(u64::MAX << rest.len())
}

impl Marked for Either {
    #[inline]
    fn of(&self, bytes: &[u8; 64]) -> u64 {
        let (a, b) = (u8x16::splat(self.0), u8x16::splat(self.1));
        by_vectors(bytes, |v| v.simd_eq(a) | v.simd_eq(b))
    }
}

impl Marked for ColonOrBlank {
    #[inline]
    fn of(&self, bytes: &[u8; 64]) -> u64 {
        let (colon, blank) = (u8x16::splat(b':'), u8x16::splat(b' '));
        by_vectors(bytes, |v| v.simd_eq(colon) | v.min(blank).simd_eq(v))
    }
}

/// Returns the highest bit of the image of each byte.
#[inline]
fn by_vectors(bytes: &[u8; 64], marks: impl Fn(u8x16) -> u8x16) -> u64 {
    let (vectors, _) = bytes.as_chunks::<16>();
    let bits = vectors.iter().map(|v| u64::from(marks(u8x16::new(*v)).to_bitmask()));
    bits.zip([0, 16, 32, 48]).fold(0, |all, (bits, shift)| all | bits << shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(text: &[u8], marked: impl Fn(u8) -> bool, from: usize) -> Vec<usize> {
        (from..text.len()).filter(|&i| marked(text[i])).collect()
    }

    fn rest<M: Marked>(marks: &mut Marks<'_, M>) -> Vec<usize> {
        let end = marks.text.len();
        std::iter::from_fn(|| Some(marks.next())).take_while(|&at| at < end).collect()
    }

    proptest! {
        #[test]
        fn every_mark_is_returned_once_from_any_position(
            text in prop::collection::vec(prop_oneof![any::<u8>(), Just(b','), Just(b' '), Just(b':')], 0..300),
            from in 0..300usize,
        ) {
            let from = from.min(text.len());
            let mut marks = Marks::new(&text, Either(b',', b'\n'));
            let either = |b| b == b',' || b == b'\n';
            prop_assert_eq!(rest(&mut marks), plain(&text, either, 0));
            marks.set_to(from);
            prop_assert_eq!(rest(&mut marks), plain(&text, either, from));
            let mut marks = Marks::new(&text, ColonOrBlank);
            marks.skip_to(from);
            prop_assert_eq!(rest(&mut marks), plain(&text, |b| b == b':' || b <= b' ', from));
        }
    }
}
