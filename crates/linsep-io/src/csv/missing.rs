//! Missing cells: the text, without surrounding blanks and ignoring case, is in a list of markers.

use crate::number::parse_number;

/// The list of markers, prepared for search.
#[derive(Debug)]
pub(crate) struct Missing {
    tokens: Vec<Vec<u8>>,
    /// Bit n: some marker has n bytes. The length alone excludes nearly every other cell.
    lengths: u64,
    /// Whether a marker is also a number, for example −9. Then every number must be searched for.
    pub numeric: bool,
}

impl Missing {
    pub(crate) fn new(tokens: &[String]) -> Self {
        let tokens: Vec<Vec<u8>> = tokens.iter().map(|t| t.trim().as_bytes().to_vec()).collect();
        let lengths = tokens.iter().fold(0, |bits, t| bits | 1 << t.len().min(63));
        let numeric = tokens.iter().any(|t| parse_number(t).is_some());
        Self { tokens, lengths, numeric }
    }

    /// Whether a cell, already without surrounding blanks, is missing.
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
    fn markers_match_whole_cells_in_any_case() {
        let long = "x".repeat(100);
        let missing = Missing::new(&[" NA ".into(), String::new(), long.clone()]);
        assert!(missing.has(b"") && missing.has(b"na") && missing.has(long.as_bytes()));
        assert!(!missing.has(b"n") && !missing.has(b"nan") && !missing.has(&[b'x'; 99]));
    }
}
