//! Detection of the CSV dialect from the head of the file, for everything not set in the options.
//!
//! * **Line end**: LF; CR only if the head has no LF at all (CR before LF is a blank).
//! * **Delimiter**: tab, `;`, `|` or `,`. A candidate must split the first record. The winner gives
//!   the most records the number of fields of the first record (at least half of them). On a tie
//!   the order above decides, because a comma is common inside text or numbers and the others are
//!   not. If no candidate qualifies: runs of blanks, provided that all records agree and each after
//!   the first has a number. Else a comma.
//! * **Header**: the first record is a header if none of its cells is a number, and one of three
//!   conditions holds:
//!   1. some column has a text there and a number below it; or
//!   2. there are no numbers at all, the cells of the record are distinct and not missing, none
//!      occurs again in its own column, and in some column the cells below repeat; or
//!   3. it is the only record.
//!
//! Rule 2 is conservative: without repetition below, nothing distinguishes the first row.

use super::missing::Missing;
use super::scan::{Fault, Field, record, skipped};
use crate::blocks::Shape;
use crate::number::{is_infinity, parse_number};
use memchr::memchr;
use std::collections::HashSet;

/// Maximum number of records examined.
const SAMPLE: usize = 1_000;

/// The records at the head of a file.
pub(crate) struct Sample<'a> {
    pub records: Vec<Vec<Field<'a>>>,
    /// Start of the second record.
    pub second: usize,
    /// Whether the sample ended at a fault that more text cannot repair.
    pub broken: bool,
}

impl<'a> Sample<'a> {
    /// Parses the whole records of `head`. A faulty record ends the sample; its error is reported
    /// when the record is read.
    pub(crate) fn new(shape: Shape, head: &'a [u8]) -> Self {
        let mut sample = Self { records: Vec::new(), second: 0, broken: false };
        let mut at = 0;
        while sample.records.len() < SAMPLE && at < head.len() {
            if let Some(next) = skipped(shape, head, at) {
                at = next;
                continue;
            }
            let mut fields = Vec::new();
            match record(shape, head, at, &mut fields) {
                Ok(next) => at = next,
                Err(fault) => {
                    sample.broken = fault != Fault::Unfinished;
                    break;
                }
            }
            if sample.records.is_empty() {
                sample.second = at;
            }
            sample.records.push(fields);
        }
        sample
    }
}

/// Apparent type of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellType {
    Missing,
    Number,
    Text,
}

/// Returns the apparent type of a cell, without surrounding blanks.
pub(crate) fn cell_type(text: &[u8], missing: &Missing) -> CellType {
    let text = text.trim_ascii();
    if missing.has(text) {
        CellType::Missing
    } else if parse_number(text).is_some() || is_infinity(text) {
        CellType::Number
    } else {
        CellType::Text
    }
}

/// Returns the line end of a file with this head.
pub(crate) fn newline(head: &[u8]) -> u8 {
    if memchr(b'\n', head).is_none() && memchr(b'\r', head).is_some() { b'\r' } else { b'\n' }
}

/// Returns the delimiter of a file with this head; `shape` gives the other properties.
pub(crate) fn delimiter(shape: Shape, head: &[u8], missing: &Missing) -> u8 {
    let mut best = (0, b',');
    for delimiter in [b'\t', b';', b'|', b','] {
        let records = Sample::new(Shape { delimiter, ..shape }, head).records;
        let Some(first) = records.first().filter(|first| first.len() > 1) else { continue };
        let agree = records.iter().filter(|r| r.len() == first.len()).count();
        // Per mille, so that samples of different length are comparable.
        let share = 1_000 * agree / records.len();
        if share > best.0.max(499) {
            best = (share, delimiter);
        }
    }
    if best.0 > 0 {
        return best.1;
    }
    let records = Sample::new(Shape { delimiter: b' ', ..shape }, head).records;
    let has_number =
        |r: &Vec<Field<'_>>| r.iter().any(|f| cell_type(f.raw, missing) == CellType::Number);
    let [first, below @ ..] = &records[..] else { return b',' };
    let rows = if below.is_empty() { &records[..] } else { below };
    let alike = records.iter().all(|r| r.len() == first.len() && r.len() > 1);
    if alike && rows.iter().all(has_number) { b' ' } else { b',' }
}

/// Whether the first record is a header.
pub(crate) fn header(shape: Shape, sample: &Sample<'_>, missing: &Missing) -> bool {
    let Some((first, below)) = sample.records.split_first() else { return false };
    let kinds: Vec<CellType> = first.iter().map(|f| cell_type(&f.text(shape), missing)).collect();
    if kinds.contains(&CellType::Number) {
        return false;
    }
    if below.is_empty() {
        return true;
    }
    let mut numbers = false;
    for row in below {
        for (field, kind) in row.iter().zip(&kinds) {
            if cell_type(&field.text(shape), missing) == CellType::Number {
                if *kind == CellType::Text {
                    return true;
                }
                numbers = true;
            }
        }
    }
    if numbers || kinds.contains(&CellType::Missing) {
        return false;
    }
    let names: HashSet<&[u8]> = first.iter().map(|f| f.raw).collect();
    if names.len() < first.len() {
        return false;
    }
    let mut repeats = false;
    let mut seen = HashSet::new();
    for (j, name) in first.iter().enumerate() {
        seen.clear();
        for field in below.iter().filter_map(|row| row.get(j)) {
            if field.raw == name.raw {
                return false;
            }
            repeats |= !missing.has(field.raw) && !seen.insert(field.raw);
        }
    }
    repeats
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: Shape = Shape { newline: b'\n', delimiter: b',', quote: Some(b'"'), comment: None };

    fn sniff(head: &str) -> (char, bool) {
        let missing = Missing::new(&[String::new(), "?".into(), "NA".into()]);
        let delimiter = delimiter(OPEN, head.as_bytes(), &missing);
        let shape = Shape { delimiter, ..OPEN };
        let sample = Sample::new(shape, head.as_bytes());
        (char::from(delimiter), header(shape, &sample, &missing))
    }

    #[test]
    fn delimiters_are_detected() {
        for (head, want) in [
            ("a,b\n1,2\n", ','),
            ("a;b\n1,5;2,5\n", ';'),
            ("ham\thello, you\nspam\tfree, free, free\n", '\t'),
            ("1|x,y|2\n3|z|4\n", '|'),
            ("id,genre\n1,Action|Comedy\n2,Drama\n", ','),
            ("1 2  3\n 4 5 6 \n", ' '),
            ("x y\n1 2\n", ' '),
            ("one word\ntwo words\n", ','),
            ("single\n1\n2\n", ','),
            ("\"a;b\",c\n\"d\",e\n", ','),
            ("", ','),
        ] {
            assert_eq!(sniff(head).0, want, "{head:?}");
        }
        assert_eq!((newline(b"a\rb\r"), newline(b"a\r\nb")), (b'\r', b'\n'));
    }

    #[test]
    fn headers_are_detected() {
        for (head, want) in [
            ("a,b\n1,2\n", true),
            ("5.1,3.5,Iris-setosa\n4.9,3.0,Iris-setosa\n", false),
            ("?,red\n1,blue\n", false), // the number is below a missing cell
            ("city,x\nToronto,1\n", true),
            ("a,b,c\n", true),
            ("1,2\n", false),
            ("p,x\ne,x\np,y\n", false),      // x and p repeat
            ("class,cap\ne,x\np,x\n", true), // no cell of the first row repeats
            ("ann,bob\ncarl,dora\n", false), // nothing repeats: undecidable
            ("\"1\",\"x\"\n\"2\",\"y\"\n", false),
            ("", false),
        ] {
            assert_eq!(sniff(head).1, want, "{head:?}");
        }
    }
}
