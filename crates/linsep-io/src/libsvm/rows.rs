//! Conversion of a block of lines to rows: the hot loop of the LIBSVM reader.
//!
//! The loop reads only the simplest pair: a blank, an index, a colon, and a finite number, each
//! ending at the next mark. Indices have at most eight digits and ascend. At any other text the row
//! so far is discarded and read again by `slow`, which reads the whole format and reports errors.

use super::LibsvmOptions;
use super::line::{LineParser, is_nan};
use crate::blocks::Block;
use crate::dictionary::StringDictionary;
use crate::error::Error;
use crate::marks::{ColonOrBlank, Marks};
use crate::number::{scan, scan_between, whole};
use crate::reals::fit_f32;
use crate::table::NO_QUERY;
use memchr::memchr;

/// Settings shared by the threads.
pub(crate) struct Reader<'a> {
    pub file: &'a str,
    pub options: &'a LibsvmOptions,
}

/// The rows of a block.
#[derive(Default)]
pub(crate) struct Rows {
    /// Start of each row in `indices`.
    pub starts: Vec<usize>,
    /// Indices as if the file counted from 1; an index 0 is wrapped around.
    pub indices: Vec<u32>,
    pub values: Vec<f64>,
    /// The values as f32; empty unless all of them are exact.
    pub narrow: Vec<f32>,
    /// Number of pairs. `indices` and `values` are longer, so that the loop only stores.
    pub len: usize,
    pub codes: Vec<u32>,
    pub labels: StringDictionary,
    /// One per row up to the last row with a query; empty if no row has one.
    pub queries: Vec<i64>,
    pub zeros: u64,
    /// Largest index as written, explicit zeros included.
    pub largest: u32,
    /// Whether an index 0 occurs.
    pub zero: bool,
    last_label: (Vec<u8>, u32),
}

impl Reader<'_> {
    /// Reads all lines of a block.
    pub(crate) fn read(&self, block: &Block, rows: &mut Rows) -> Result<(), Error> {
        let s = block.bytes();
        rows.reset(s.len());
        let mut marks = Marks::new(s, ColonOrBlank);
        let (mut at, mut line) = (0, block.first_line);
        while at < s.len() {
            at = self.row(s, &mut marks, at, line, rows)?;
            line += 1;
        }
        rows.narrow();
        Ok(())
    }

    /// Reads a line; returns the start of the next.
    fn row(
        &self,
        s: &[u8],
        marks: &mut Marks<'_, ColonOrBlank>,
        at: usize,
        line: u64,
        rows: &mut Rows,
    ) -> Result<usize, Error> {
        let end = marks.next();
        let label = &s[at..end];
        // Strict labels are numbers, checked by `slow`; only unusual labels are slower.
        let known = end > at
            && s.get(end) != Some(&b':')
            && !label.contains(&b'#')
            && !is_nan(label)
            && (!self.options.strict || scan(label).1 == label.len());
        if known {
            let (start, zeros) = (rows.len, rows.zeros);
            let (query, n) = if self.options.strict { (NO_QUERY, 0) } else { query(&s[end..]) };
            if n > 0 {
                marks.set_to(end + n + 1);
            }
            if let Some((next, last)) = pairs(s, marks, end + n, rows)
                && u64::from(last) <= self.options.max_columns - self.options.base_shift()
            {
                rows.push(start, label, query);
                rows.largest = rows.largest.max(last);
                return Ok(next);
            }
            (rows.len, rows.zeros) = (start, zeros);
        }
        let end = at + memchr(b'\n', &s[at..]).unwrap_or(s.len() - at);
        let slow = LineParser { file: self.file, options: self.options, line, text: &s[at..end] };
        slow.row(rows)?;
        marks.set_to(end + 1);
        Ok(end + 1)
    }
}

/// Returns the query after a label and its length in bytes, if it is written in the simplest form.
fn query(text: &[u8]) -> (i64, usize) {
    let Some(digits) = text.strip_prefix(b" qid:") else { return (NO_QUERY, 0) };
    let n = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    if !(1..=18).contains(&n) || digits.get(n).is_none_or(|&b| b > b' ') {
        return (NO_QUERY, 0);
    }
    (digits[..n].iter().fold(0, |q, b| q * 10 + i64::from(b - b'0')), 5 + n)
}

/// Reads the pairs after the blank at `at`, up to the line end, if all are of the simplest form.
/// Returns the start of the next line, and the last index (0 if there is none). The next mark is
/// the first after `at`.
#[inline]
fn pairs(
    s: &[u8],
    all_marks: &mut Marks<'_, ColonOrBlank>,
    mut at: usize,
    rows: &mut Rows,
) -> Option<(usize, u32)> {
    let mut marks = *all_marks;
    let start = rows.len;
    let pairs = rows.indices[start..].iter_mut().zip(&mut rows.values[start..]);
    let (mut before, mut zeros, mut count) = (0, 0, 0);
    for (place, value) in pairs {
        loop {
            // 1. Blanks, or the line end. The blank at `at` is already passed, so a mark directly
            //    after it is another blank, or a colon without index.
            let colon = loop {
                if *s.get(at)? == b'\n' {
                    *all_marks = marks;
                    rows.len = start + count;
                    rows.zeros += zeros;
                    return Some((at + 1, before));
                }
                let mark = marks.next();
                if mark != at + 1 {
                    break mark;
                }
                if *s.get(mark)? == b':' {
                    return None;
                }
                at = mark;
            };

            // 2. Index and colon: eight bytes before the colon and eight from it on.
            let around: &[u8; 16] = s.get(colon.wrapping_sub(8)..)?.first_chunk()?;
            let [digits @ .., b':', first, _, _, _, _, _, _] = around else { return None };
            let index = whole(*digits, colon - at - 1)?;
            if index <= before {
                return None; // also an index 0
            }
            before = index;

            // 3. Value, up to a blank or the line end. Single digits are common in binary data.
            at = marks.next();
            let digit = first.wrapping_sub(b'0');
            let x = if at == colon + 2 && digit <= 9 {
                f64::from(digit)
            } else {
                scan_between(s, colon + 1, at)?
            };
            if *s.get(at)? == b':' {
                return None;
            }
            if x != 0.0 {
                (*place, *value) = (index - 1, x);
                count += 1;
                break;
            }
            zeros += 1;
        }
    }
    None
}

impl Rows {
    /// Makes room for all pairs of a text of `bytes` bytes: a pair and its blank take at least
    /// four.
    fn reset(&mut self, bytes: usize) {
        let most = bytes / 4 + 1;
        if self.indices.len() < most {
            self.indices.resize(most, 0);
            self.values.resize(most, 0.0);
        }
        self.len = 0;
        self.starts.clear();
        self.codes.clear();
        self.labels.clear();
        self.queries.clear();
        self.last_label = (Vec::new(), 0);
        (self.zeros, self.largest, self.zero) = (0, 0, false);
    }

    /// Stores the values as f32 if that is exact.
    fn narrow(&mut self) {
        let values = &self.values[..self.len];
        self.narrow.clear();
        if fit_f32(values) {
            self.narrow.extend(values.iter().map(|&x| x as f32));
        }
    }

    /// Ends a row whose pairs start at `start`.
    pub(crate) fn push(&mut self, start: usize, label: &[u8], query: i64) {
        if self.last_label.0 != label || self.codes.is_empty() {
            let code = self.labels.code_for(label);
            self.last_label.0.clear();
            self.last_label.0.extend_from_slice(label);
            self.last_label.1 = code;
        }
        if query != NO_QUERY {
            self.queries.resize(self.codes.len(), NO_QUERY);
            self.queries.push(query);
        }
        self.starts.push(start);
        self.codes.push(self.last_label.1);
    }
}
