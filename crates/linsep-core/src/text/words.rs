//! Symbols of a text: words or characters, in lower case.
//!
//! A **word** is a maximal run of letters, digits and underscores, together with the combining
//! marks that follow them: `\w+` of regular expressions with Unicode, except that `\w` splits words
//! at some marks. ASCII bytes take one table look-up each; other characters are decoded, mapped to
//! lower case and classified.
//!
//! A **character** is a Unicode scalar value, after each run of white space was replaced by one
//! space.

use super::marks::is_mark;
use crate::math::rng::mix;

/// Class of a byte: the lower-case byte of a word, [`BETWEEN`] or [`OTHER`].
static CLASS: [u8; 256] = classes();
/// A byte between words.
const BETWEEN: u8 = 0;
/// A byte of a character beyond ASCII.
const OTHER: u8 = 0xFF;

const fn classes() -> [u8; 256] {
    let mut table = [BETWEEN; 256];
    let mut b = 0_u8;
    loop {
        if b.is_ascii_alphanumeric() || b == b'_' {
            table[b as usize] = b.to_ascii_lowercase();
        } else if !b.is_ascii() {
            table[b as usize] = OTHER;
        }
        if b == u8::MAX {
            return table;
        }
        b += 1;
    }
}

/// Bytes after the last symbol, so that a symbol can be read in groups of eight bytes.
const PADDING: usize = 8;

/// The symbols of one text, one after the other. Reused for many texts.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    /// The symbols without separators, followed by [`PADDING`] bytes.
    bytes: Vec<u8>,
    /// End of each symbol.
    ends: Vec<usize>,
    /// Number of bytes written.
    at: usize,
}

impl Symbols {
    /// Splits a text into words.
    pub(crate) fn words(&mut self, text: &str) {
        self.clear(text.len());
        let (bytes, mut i) = (text.as_bytes(), 0);
        while let Some(&b) = bytes.get(i) {
            match CLASS[usize::from(b)] {
                BETWEEN => self.end(),
                OTHER => {
                    let c = text[i..].chars().next().expect("a character starts at i");
                    c.to_lowercase().for_each(|c| self.continue_word(c));
                    i += c.len_utf8() - 1;
                }
                lower => {
                    self.bytes[self.at] = lower;
                    self.at += 1;
                }
            }
            i += 1;
        }
        self.finish();
    }

    /// Splits a text into characters; white space at both ends is left out.
    pub(crate) fn characters(&mut self, text: &str) {
        self.clear(text.len());
        for (k, run) in text.split_whitespace().enumerate() {
            for c in (k > 0).then_some(' ').into_iter().chain(run.chars()) {
                for c in c.to_lowercase() {
                    self.write(c);
                    self.end();
                }
            }
        }
        self.finish();
    }

    /// Calls `take` with the hash and the bytes of each symbol.
    pub(crate) fn each(&self, mut take: impl FnMut(u64, &[u8])) {
        let mut start = 0;
        for &end in &self.ends {
            take(hash(&self.bytes, start, end), &self.bytes[start..end]);
            start = end;
        }
    }

    fn clear(&mut self, room: usize) {
        self.ends.clear();
        self.at = 0;
        self.bytes.clear();
        self.bytes.resize(room + PADDING, 0);
    }

    fn write(&mut self, c: char) {
        // Lower case can take more bytes than the text.
        let want = self.at + c.len_utf8() + PADDING;
        if self.bytes.len() < want {
            self.bytes.resize(want + self.bytes.len(), 0);
        }
        self.at += c.encode_utf8(&mut self.bytes[self.at..]).len();
    }

    fn continue_word(&mut self, c: char) {
        let started = self.ends.last().is_none_or(|&end| end < self.at) && self.at > 0;
        if c.is_alphanumeric() || (started && is_mark(c)) {
            self.write(c);
        } else {
            self.end();
        }
    }

    /// Ends a symbol, if one was started.
    fn end(&mut self) {
        if self.ends.last().copied().unwrap_or(0) < self.at {
            self.ends.push(self.at);
        }
    }

    fn finish(&mut self) {
        self.end();
        self.bytes.truncate(self.at);
        self.bytes.resize(self.at + PADDING, 0);
    }
}

/// Hash of a symbol.
pub(crate) fn hash_of(symbol: &str) -> u64 {
    let mut bytes = symbol.as_bytes().to_vec();
    bytes.resize(symbol.len() + PADDING, 0);
    hash(&bytes, 0, symbol.len())
}

/// Hash of bytes start..end, the same on every machine. At least 8 bytes follow the end.
#[inline]
fn hash(bytes: &[u8], start: usize, end: usize) -> u64 {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15; // 2⁶⁴ / golden ratio
    let eight = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
    let (mut h, mut at) = ((end - start) as u64, start);
    while end - at > 8 {
        h = (h ^ eight(at)).wrapping_mul(ODD).rotate_left(23);
        at += 8;
    }
    let last = eight(at) & (u64::MAX >> (64 - 8 * (end - at).max(1)));
    mix((h ^ last).wrapping_mul(ODD))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn symbols(split: fn(&mut Symbols, &str), text: &str) -> Vec<String> {
        let (mut symbols, mut out) = (Symbols::default(), Vec::new());
        split(&mut symbols, text);
        symbols.each(|_, s| out.push(String::from_utf8(s.to_vec()).unwrap()));
        out
    }

    fn words(text: &str) -> Vec<String> {
        symbols(Symbols::words, text)
    }

    #[test]
    fn words_are_runs_of_letters_digits_and_underscores() {
        assert_eq!(words("Don't STOP, it's 4x_2!"), ["don", "t", "stop", "it", "s", "4x_2"]);
        assert_eq!(words(""), [""; 0]);
        assert_eq!(words(" \t--"), [""; 0]);
        assert_eq!(words("ÉCOLE Straße ΣΊΣΥΦΟΣ ７"), ["école", "straße", "σίσυφοσ", "７"]);
    }

    #[test]
    fn combining_marks_belong_to_their_word_and_start_none() {
        assert_eq!(words("cafe\u{301}s \u{301}x"), ["cafe\u{301}s", "x"]);
        assert_eq!(words("हिन्दी भाषा।"), ["हिन्दी", "भाषा"]);
        assert_eq!(words("👍🏽ok👨‍👩‍👧"), ["ok"]);
    }

    #[test]
    fn words_agree_with_a_definition_by_characters() {
        let alphabet = ['a', 'Z', '0', '_', ' ', '.', 'ß', 'İ', '日', '\u{301}', '😀', 'ǅ'];
        let mut rng = crate::math::rng::Rng::new(1, 0);
        for _ in 0..2_000 {
            let text: String =
                (0..12).map(|_| alphabet[rng.below(alphabet.len() as u64) as usize]).collect();
            let (mut want, mut word) = (Vec::new(), String::new());
            for c in text.chars().flat_map(char::to_lowercase) {
                if c.is_alphanumeric() || c == '_' || (!word.is_empty() && is_mark(c)) {
                    word.push(c);
                } else if !word.is_empty() {
                    want.push(std::mem::take(&mut word));
                }
            }
            want.extend((!word.is_empty()).then_some(word));
            assert_eq!(words(&text), want, "{text:?}");
        }
    }

    #[test]
    fn characters_have_single_spaces_between_words() {
        assert_eq!(symbols(Symbols::characters, "  A b\n\tÉ "), ["a", " ", "b", " ", "é"]);
    }

    #[test]
    fn hashes_of_many_words_differ() {
        let text: Vec<String> = (0..100_000).map(|i| format!("w{i} {i}xyzuvwabc")).collect();
        let (mut split, mut seen, mut n) = (Symbols::default(), HashSet::new(), 0);
        split.words(&text.join(" "));
        split.each(|h, _| {
            seen.insert(h);
            n += 1;
        });
        assert_eq!((seen.len(), n), (200_000, 200_000));
    }
}
