//! Which cells are missing: those whose text, blanks aside and in any case, is on a list.

use crate::number::parse_number;

/// The list, prepared.
#[derive(Debug)]
pub(crate) struct Missing {
    tokens: Vec<Vec<u8>>,
    /// Bit n: some token has n bytes. Nearly every other cell is told apart by its length alone.
    lengths: u64,
    /// Is a token also a number, such as −9? Then no number is safe until it was looked up.
    pub numeric: bool,
}

impl Missing {
    pub(crate) fn new(tokens: &[String]) -> Self {
        let tokens: Vec<Vec<u8>> = tokens.iter().map(|t| t.trim().as_bytes().to_vec()).collect();
        let lengths = tokens.iter().fold(0, |bits, t| bits | 1 << t.len().min(63));
        let numeric = tokens.iter().any(|t| parse_number(t).is_some());
        Self { tokens, lengths, numeric }
    }

    /// Is this cell, already without blanks around it, missing?
    #[inline]
    pub(crate) fn has(&self, text: &[u8]) -> bool {
        self.lengths >> text.len().min(63) & 1 == 1
            && self.tokens.iter().any(|token| token.eq_ignore_ascii_case(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_matched_whole_and_in_any_case() {
        let long = "x".repeat(100);
        let missing = Missing::new(&[" NA ".into(), String::new(), long.clone()]);
        assert!(missing.has(b"") && missing.has(b"na") && missing.has(long.as_bytes()));
        assert!(!missing.has(b"n") && !missing.has(b"nan") && !missing.has(&[b'x'; 99]));
    }
}
