//! A block of lines to rows: the hot loop of the LIBSVM reader.
//!
//! The loop knows only the simplest pair: a blank, at most eight digits ascending from pair to pair, a
//! colon, a finite number. At anything else the row so far is taken back and read again by `slow`,
//! which knows everything and says what is wrong.

use super::LibsvmOptions;
use super::slow::Slow;
use crate::blocks::Block;
use crate::error::Error;
use crate::number::scan;
use crate::table::NO_QUERY;
use crate::words::Words;
use memchr::memchr;

/// What a thread needs to know.
pub(crate) struct Reader<'a> {
    pub file: &'a str,
    pub options: &'a LibsvmOptions,
}

/// The rows of a block.
#[derive(Default)]
pub(crate) struct Rows {
    /// Where each row starts in `indices`.
    pub starts: Vec<usize>,
    /// Counted as if the file counted from 1; an index 0 is wrapped round.
    pub indices: Vec<u32>,
    pub values: Vec<f64>,
    /// Pairs so far. Both lists are longer, so that the loop only has to store.
    pub len: usize,
    pub codes: Vec<u32>,
    pub labels: Words,
    /// As many as rows up to the last row that has one; empty if none has.
    pub queries: Vec<i64>,
    pub zeros: u64,
    /// Largest index as written, explicit zeros included.
    pub largest: u32,
    /// Did an index 0 occur?
    pub zero: bool,
    last_label: (Vec<u8>, u32),
}

impl Reader<'_> {
    /// Reads all lines of a block.
    pub(crate) fn read(&self, block: &Block, rows: &mut Rows) -> Result<(), Error> {
        let s = block.bytes();
        rows.reset(s.len());
        let (mut at, mut line) = (0, block.first_line);
        while at < s.len() {
            at = self.row(s, at, line, rows)?;
            line += 1;
        }
        Ok(())
    }

    /// One line; returns where the next starts.
    fn row(&self, s: &[u8], at: usize, line: u64, rows: &mut Rows) -> Result<usize, Error> {
        let rest = &s[at..];
        let label = rest.iter().position(|&b| b <= b' ').unwrap_or(rest.len());
        let plain = |b: &u8| !matches!(b, b':' | b'#');
        // Strict labels are numbers, which the slow way checks; it is only slower for odd ones.
        let known = label > 0
            && rest[..label].iter().all(plain)
            && (!self.options.strict || scan(&rest[..label]).1 == label);
        if known {
            let (start, zeros) = (rows.len, rows.zeros);
            let (query, n) =
                if self.options.strict { (NO_QUERY, 0) } else { query(&rest[label..]) };
            if let Some((next, last)) = pairs(s, at + label + n, rows)
                && u64::from(last) <= self.options.max_columns - self.options.base_shift()
            {
                rows.push(start, &rest[..label], query);
                rows.largest = rows.largest.max(last);
                return Ok(next);
            }
            (rows.len, rows.zeros) = (start, zeros);
        }
        let end = at + memchr(b'\n', rest).unwrap_or(rest.len());
        let slow = Slow { file: self.file, options: self.options, line, text: &s[at..end] };
        slow.row(rows)?;
        Ok(end + 1)
    }
}

/// The query that follows a label, if it is written in the simplest way, and how many bytes it takes.
fn query(text: &[u8]) -> (i64, usize) {
    let Some(digits) = text.strip_prefix(b" qid:") else { return (NO_QUERY, 0) };
    let n = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    if !(1..=18).contains(&n) || digits.get(n).is_none_or(|&b| b > b' ') {
        return (NO_QUERY, 0);
    }
    (digits[..n].iter().fold(0, |q, b| q * 10 + i64::from(b - b'0')), 5 + n)
}

/// The pairs from `at` to the line end, if they are all of the simplest kind: where the next line
/// starts, and the last index (0 if there is none).
#[inline]
fn pairs(s: &[u8], mut at: usize, rows: &mut Rows) -> Option<(usize, u32)> {
    let start = rows.len;
    let pairs = rows.indices[start..].iter_mut().zip(&mut rows.values[start..]);
    let (mut before, mut zeros, mut count) = (0, 0, 0);
    for (place, value) in pairs {
        loop {
            // 1. Blanks, or the end.
            while *s.get(at)? <= b' ' {
                if s[at] == b'\n' {
                    rows.len = start + count;
                    rows.zeros += zeros;
                    return Some((at + 1, before));
                }
                at += 1;
            }

            // 2. Index and colon. Indices ascend, so their lengths are easy to foresee, and digit by
            // digit is faster than eight at once.
            let mut index = 0;
            let first = at;
            while let digit @ 0..=9 = s.get(at)?.wrapping_sub(b'0') {
                index = index * 10 + u32::from(digit);
                at += 1;
                if at - first > 8 {
                    return None;
                }
            }
            if index <= before || s[at] != b':' {
                return None; // also an index 0, and no index
            }
            before = index;

            // 3. Value, and a blank or the end behind it.
            let (x, n) = scan(&s[at + 1..]);
            at += 1 + n;
            if n == 0 || *s.get(at)? > b' ' {
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
    /// Room for all pairs that so many bytes can hold: a pair and its blank take at least four.
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

    /// Ends a row whose pairs start at `start`.
    pub(crate) fn push(&mut self, start: usize, label: &[u8], query: i64) {
        if self.last_label.0 != label || self.codes.is_empty() {
            let code = self.labels.number(label);
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
