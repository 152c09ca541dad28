//! The fields of a record.
//!
//! ```text
//!   record = field { delimiter field } newline
//!   field  = blanks  quote { any but quote | quote quote } quote  blanks
//!          | blanks  { any but delimiter, newline }  blanks
//! ```
//!
//! (RFC 4180, with blanks around fields.) A quote inside an unquoted field is an ordinary
//! character. Text between a closing quote and the delimiter is a fault. If the delimiter is a
//! blank, a run of blanks separates fields, and blanks at either end of the record do not.
//!
//! Cost: linear; an unquoted field is one `memchr2`.

use crate::blocks::Shape;
use memchr::{memchr, memchr2};
use std::borrow::Cow;

/// A field as in the file, without surrounding blanks and quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field<'a> {
    pub raw: &'a [u8],
    pub quoted: bool,
    /// Whether the field contains doubled quotes.
    pub doubled: bool,
}

/// A field, the start of the next one, and whether the record ended.
pub(crate) struct Step<'a> {
    pub field: Field<'a>,
    pub next: usize,
    pub last: bool,
}

/// Reason why no field could be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The text ends before the record ends.
    Unfinished,
    /// Start of text after a closing quote.
    AfterQuote(usize),
}

impl<'a> Field<'a> {
    /// Returns the text of the field, with single quotes for doubled ones.
    pub(crate) fn text(&self, shape: Shape) -> Cow<'a, [u8]> {
        let (true, Some(quote)) = (self.doubled, shape.quote) else {
            return Cow::Borrowed(self.raw);
        };
        let mut text = Vec::with_capacity(self.raw.len());
        let mut rest = self.raw;
        while let Some(at) = memchr(quote, rest) {
            text.extend_from_slice(&rest[..=at]);
            rest = &rest[(at + 2).min(rest.len())..];
        }
        text.extend_from_slice(rest);
        Cow::Owned(text)
    }
}

/// Reads the field that starts at `at`.
#[inline]
pub(crate) fn field(shape: Shape, s: &[u8], at: usize) -> Result<Step<'_>, Fault> {
    let start = blanks(shape, s, at);
    if shape.quote.is_some() && s.get(start) == shape.quote.as_ref() {
        return quoted(shape, s, start);
    }
    if shape.runs() {
        let ends = |&b: &u8| shape.is_blank(b) || b == shape.newline;
        let length = s[start..].iter().position(ends).ok_or(Fault::Unfinished)?;
        let field = Field { raw: &s[start..start + length], quoted: false, doubled: false };
        let next = blanks(shape, s, start + length);
        let last = *s.get(next).ok_or(Fault::Unfinished)? == shape.newline;
        return Ok(Step { field, next: next + usize::from(last), last });
    }
    let end = memchr2(shape.delimiter, shape.newline, &s[start..]);
    let end = start + end.ok_or(Fault::Unfinished)?;
    let raw = trim_end(shape, &s[start..end]);
    let field = Field { raw, quoted: false, doubled: false };
    Ok(Step { field, next: end + 1, last: s[end] == shape.newline })
}

fn quoted(shape: Shape, s: &[u8], open: usize) -> Result<Step<'_>, Fault> {
    let quote = s[open];
    let (mut at, mut doubled) = (open + 1, false);
    let close = loop {
        let found = at + memchr(quote, &s[at..]).ok_or(Fault::Unfinished)?;
        if s.get(found + 1) != Some(&quote) {
            break found;
        }
        (at, doubled) = (found + 2, true);
    };
    let field = Field { raw: &s[open + 1..close], quoted: true, doubled };
    let after = blanks(shape, s, close + 1);
    match s.get(after) {
        None => Err(Fault::Unfinished),
        Some(&b) if b == shape.newline => Ok(Step { field, next: after + 1, last: true }),
        Some(&b) if b == shape.delimiter => Ok(Step { field, next: after + 1, last: false }),
        Some(_) if shape.runs() && after > close + 1 => {
            Ok(Step { field, next: after, last: false })
        }
        Some(_) => Err(Fault::AfterQuote(after)),
    }
}

/// Returns the position of the first non-blank byte from `at` on.
#[inline]
pub(crate) fn blanks(shape: Shape, s: &[u8], mut at: usize) -> usize {
    while s.get(at).is_some_and(|&b| shape.is_blank(b)) {
        at += 1;
    }
    at
}

/// Removes blanks at the end.
#[inline]
pub(crate) fn trim_end(shape: Shape, mut s: &[u8]) -> &[u8] {
    while let [rest @ .., b] = s
        && shape.is_blank(*b)
    {
        s = rest;
    }
    s
}

/// Returns the start of the next line if the line at `at` is blank or a comment.
pub(crate) fn skipped(shape: Shape, s: &[u8], at: usize) -> Option<usize> {
    if shape.comment.is_some() && s.get(at) == shape.comment.as_ref() {
        return Some(memchr(shape.newline, &s[at..]).map_or(s.len(), |n| at + n + 1));
    }
    let end = blanks(shape, s, at);
    (s.get(end) == Some(&shape.newline)).then_some(end + 1)
}

/// Reads all fields of the record at `at` into `out`; returns the start of the next record.
pub(crate) fn record<'a>(
    shape: Shape,
    s: &'a [u8],
    mut at: usize,
    out: &mut Vec<Field<'a>>,
) -> Result<usize, Fault> {
    out.clear();
    loop {
        let step = field(shape, s, at)?;
        out.push(step.field);
        at = step.next;
        if step.last {
            return Ok(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: Shape =
        Shape { newline: b'\n', delimiter: b',', quote: Some(b'"'), comment: Some(b'#') };

    fn fields(shape: Shape, text: &str) -> Result<Vec<String>, Fault> {
        let mut out = Vec::new();
        let end = record(shape, text.as_bytes(), 0, &mut out)?;
        assert_eq!(end, text.len());
        Ok(out.iter().map(|f| String::from_utf8(f.text(shape).into_owned()).unwrap()).collect())
    }

    #[test]
    fn fields_are_split_by_the_grammar() {
        for (text, want) in [
            ("a,b\n", vec!["a", "b"]),
            (" a b ,\t, \r\n", vec!["a b", "", ""]),
            ("\"a,\n\"\"b\"\"\" , c\n", vec!["a,\n\"b\"", "c"]),
            ("5\" pipe,6\"\n", vec!["5\" pipe", "6\""]),
            ("\"\",\"\"\"\"\n", vec!["", "\""]),
            ("\n", vec![""]),
        ] {
            assert_eq!(fields(CSV, text).unwrap(), want, "{text:?}");
        }
        assert_eq!(fields(CSV, "\"a\" b,c\n"), Err(Fault::AfterQuote(4)));
        assert_eq!(fields(CSV, "\"a,c\n"), Err(Fault::Unfinished));
        assert_eq!(fields(CSV, "a,c"), Err(Fault::Unfinished));
    }

    #[test]
    fn runs_of_blanks_separate_and_surround_fields() {
        let shape = Shape { delimiter: b' ', ..CSV };
        for text in ["a b\n", "  a \t b  \r\n", "\"a\"  \"b\" \n"] {
            assert_eq!(fields(shape, text).unwrap(), ["a", "b"], "{text:?}");
        }
        let tabs = Shape { delimiter: b'\t', ..CSV };
        assert_eq!(fields(tabs, " a b \t\tc\n").unwrap(), ["a b", "", "c"]);
    }

    #[test]
    fn blank_lines_and_comments_are_skipped() {
        assert_eq!(skipped(CSV, b" \t\r\nx", 0), Some(4));
        assert_eq!(skipped(CSV, b"#a\nx", 0), Some(3));
        assert_eq!(skipped(CSV, b" ,\n", 0), None);
        assert_eq!(skipped(Shape { comment: None, ..CSV }, b"#a\n", 0), None);
    }
}
