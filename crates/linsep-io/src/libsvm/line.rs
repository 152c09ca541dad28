//! Parser of a single LIBSVM line: the whole lenient format, and all errors with their location.

use super::LibsvmOptions;
use super::rows::Rows;
use crate::dictionary::to_text;
use crate::error::Error;
use crate::location::{Location, quoted_excerpt};
use crate::number::{is_infinity, parse_number};
use crate::table::NO_QUERY;
use memchr::memchr;

/// A line.
pub(crate) struct LineParser<'a> {
    pub file: &'a str,
    pub options: &'a LibsvmOptions,
    pub line: u64,
    pub text: &'a [u8],
}

/// A token and its start, in bytes from 0.
type Token<'a> = (usize, &'a [u8]);

impl LineParser<'_> {
    /// Reads the line into `rows`; blank lines and comments give no row.
    pub(crate) fn row(&self, rows: &mut Rows) -> Result<(), Error> {
        // 1. Remove the comment.
        let comment = memchr(b'#', self.text);
        if let (Some(at), true) = (comment, self.options.strict) {
            return Err(self.not_strict(at, "a comment"));
        }
        let mut tokens = tokens(&self.text[..comment.unwrap_or(self.text.len())]).peekable();

        // 2. Label and query.
        let Some(label) = tokens.next() else { return Ok(()) };
        self.check_label(label)?;
        let mut query = NO_QUERY;
        if let Some(&token) = tokens.peek()
            && let Some(number) = token.1.strip_prefix(b"qid:")
        {
            query = self.query(token, number)?;
            tokens.next();
        }

        // 3. Read the pairs and sort them if necessary. The sort is stable, so the second
        //    occurrence of an index stays second.
        let mut pairs: Vec<(u32, f64, usize)> = Vec::new();
        let mut sorted = true;
        for token in tokens {
            let (index, value) = self.pair(token)?;
            if let Some(&(before, ..)) = pairs.last()
                && index <= before
            {
                if index == before {
                    return Err(self.duplicate(token.0, index));
                }
                if self.options.strict {
                    let remedy = "Sort the pairs of the line, or remove `strict`.";
                    let found = format!("{index} after {before}");
                    let place = self.place(token.0);
                    return Err(Error::unexpected(place, "ascending indices", found, remedy));
                }
                sorted = false;
            }
            pairs.push((index, value, token.0));
        }
        if !sorted {
            pairs.sort_by_key(|&(index, ..)| index);
            let repeated = pairs.windows(2).filter(|w| w[0].0 == w[1].0).map(|w| (w[1].2, w[1].0));
            if let Some((at, index)) = repeated.min() {
                return Err(self.duplicate(at, index));
            }
        }

        // 4. Append to the rows.
        let start = rows.len;
        for (index, value, _) in pairs {
            rows.largest = rows.largest.max(index);
            rows.zero |= index == 0;
            if value == 0.0 {
                rows.zeros += 1;
            } else {
                rows.indices[rows.len] = index.wrapping_sub(1);
                rows.values[rows.len] = value;
                rows.len += 1;
            }
        }
        rows.push(start, label.1, query);
        Ok(())
    }

    fn check_label(&self, (at, text): Token<'_>) -> Result<(), Error> {
        let number = parse_number(text).is_some_and(f64::is_finite);
        let want = if memchr(b':', text).is_some() {
            "a class before the first pair, as in +1 3:0.5"
        } else if is_nan(text) {
            "a class (remove rows without a class)"
        } else if self.options.strict && !number {
            "a numeric class (remove `strict` to allow others)"
        } else {
            return Ok(());
        };
        Err(self.unexpected((at, text), want, ""))
    }

    fn query(&self, (at, text): Token<'_>, number: &[u8]) -> Result<i64, Error> {
        if self.options.strict {
            return Err(self.not_strict(at, "a query id (qid:)"));
        }
        let parsed = std::str::from_utf8(number).ok().and_then(|n| n.parse().ok());
        parsed
            .filter(|&n| n != NO_QUERY)
            .ok_or_else(|| self.wrong((at, text), "a query id, as in qid:3"))
    }

    fn pair(&self, token: Token<'_>) -> Result<(u32, f64), Error> {
        let (at, text) = token;
        let Some(colon) = memchr(b':', text) else {
            return Err(self.wrong(token, "a pair with a colon"));
        };
        let (index, value) = (&text[..colon], &text[colon + 1..]);

        // 1. The index: digits, within range.
        if index.is_empty() || !index.iter().all(u8::is_ascii_digit) {
            return Err(self.wrong(token, "a pair with an integer before the colon"));
        }
        let zero_based = self.options.zero_based;
        let first = u64::from(zero_based == Some(false) || self.options.strict);
        let last = self.options.max_columns - self.options.base_shift();
        let parsed = std::str::from_utf8(index).ok().and_then(|i| i.parse().ok());
        let found = parsed.filter(|i| (first..=last).contains(i));
        let Some(found) = found.and_then(|i| u32::try_from(i).ok()) else {
            let hint = if parsed == Some(0) {
                "If indices start at 0, use `zero-based`."
            } else {
                "Renumber or hash the features."
            };
            let want = format!("an index from {first} to {last}");
            return Err(self.unexpected((at, index), &want, hint));
        };

        // 2. The value: finite.
        match parse_number(value) {
            Some(x) if x.is_finite() => Ok((found, x)),
            None if !is_infinity(value) && !is_nan(value) => {
                Err(self.wrong(token, "a pair with a number after the colon"))
            }
            _ => {
                let remedy = "Remove pairs with unknown values, and replace infinities.";
                Err(self.unexpected(token, "a finite value", remedy))
            }
        }
    }

    #[cold]
    fn unexpected(&self, (at, text): Token<'_>, want: &str, remedy: &str) -> Error {
        Error::unexpected(self.place(at), want, quoted_excerpt(&to_text(text).0), remedy)
    }

    fn wrong(&self, token: Token<'_>, want: &str) -> Error {
        self.unexpected(token, want, "Write pairs as index:value.")
    }

    #[cold]
    fn duplicate(&self, at: usize, index: u32) -> Error {
        let problem = format!("duplicate index {index} in one line");
        Error::fault(self.place(at), problem, "Keep one of the two.")
    }

    #[cold]
    fn not_strict(&self, at: usize, what: &str) -> Error {
        let problem = format!("found {what}, which the strict format does not allow");
        Error::fault(self.place(at), problem, "Remove it, or remove `strict`.")
    }

    /// Returns the location of the byte `at`, as a character of the line.
    #[cold]
    fn place(&self, at: usize) -> Location {
        let character = to_text(&self.text[..at]).0.chars().count() + 1;
        Location::character(self.file, self.line, character)
    }
}

/// Returns the tokens of a line.
fn tokens(text: &[u8]) -> impl Iterator<Item = Token<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].iter().position(|&b| b > b' ')?;
        let start = at;
        at += text[at..].iter().position(|&b| b <= b' ').unwrap_or(text.len() - at);
        Some((start, &text[start..at]))
    })
}

/// Whether the token is `digits:number` (even a number refused later) or `qid:digits`.
pub(crate) fn is_pair(token: &[u8]) -> bool {
    let Some(colon) = memchr(b':', token) else { return false };
    let (index, value) = (&token[..colon], &token[colon + 1..]);
    let index = index == b"qid" || !index.is_empty() && index.iter().all(u8::is_ascii_digit);
    index && (parse_number(value).is_some() || is_nan(value) || is_infinity(value))
}

/// Whether the text is a NaN.
pub(crate) fn is_nan(text: &[u8]) -> bool {
    text.strip_prefix(b"-").unwrap_or(text).eq_ignore_ascii_case(b"nan")
}
