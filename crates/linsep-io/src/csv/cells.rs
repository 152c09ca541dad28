//! Conversion of a block of records to typed cells: the hot loop of the CSV reader.
//!
//! A row of numbers is read in one pass: each literal is parsed in place, and must end at the next
//! mark, a delimiter. Four cells of one digit each, as in binary columns, are recognized by one
//! comparison and stored together. All other cells (blanks, quotes, text, missing cells, the last
//! cell of a row) take the slow path, one cell at a time.
//!
//! A cell that does not fit the plan is not an error here, because the type of a column depends on
//! the whole file. Text in a numeric column is recorded (first line, text, count) and stored as
//! NaN. Only errors of form are returned at once: a ragged record, text after a closing quote.
//!
//! Over 400 lines: the hot loop and the slow path share the state of one record.

use super::missing::Missing;
use super::scan::{Fault, blanks, field, skipped};
use crate::blocks::{Block, Shape, open_quote};
use crate::dictionary::{StringDictionary, to_text};
use crate::error::Error;
use crate::invalid::InvalidCells;
use crate::location::{Location, quoted_excerpt};
use crate::marks::{Either, Marks};
use crate::number::{is_infinity, parse_number, scan, scan_between};
use crate::table::MISSING;
use crate::target::is_exact_number;
use memchr::{memchr, memchr_iter};

/// Planned type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Numeric,
    Categorical,
    Drop,
}

/// Settings shared by the threads that read blocks.
pub(crate) struct Plan<'a> {
    pub file: &'a str,
    pub names: &'a [String],
    pub shape: Shape,
    pub kinds: Vec<Kind>,
    /// For each column, the number of consecutive numeric columns from there on, without the last
    /// column of the table: the length of the fast loop.
    pub runs: Vec<u32>,
    /// Number of numeric columns.
    pub width: usize,
    pub missing: &'a Missing,
    /// The target column, if its type is inferred.
    pub label: Option<usize>,
}

/// The cells of a block.
#[derive(Default)]
pub(crate) struct Cells {
    pub rows: usize,
    /// Row-major, one per numeric column.
    pub numbers: Vec<f64>,
    /// Row-major, one per categorical column; codes into `words` or [`MISSING`].
    pub codes: Vec<u32>,
    pub words: StringDictionary,
    /// Missing cells by column: count, and line of the first.
    pub missing: Vec<(u32, u64)>,
    /// Cells of numeric columns that are not finite numbers, by column.
    pub invalid: InvalidCells,
    pub not_utf8: u64,
    /// Whether the text of some class label differs from its number.
    pub as_written: bool,
    line: u64,
}

impl<'a> Plan<'a> {
    /// Returns the plan to read columns as `kinds`.
    pub(crate) fn new(
        file: &'a str,
        names: &'a [String],
        shape: Shape,
        missing: &'a Missing,
        kinds: Vec<Kind>,
        label: Option<usize>,
    ) -> Self {
        let mut runs = vec![0; kinds.len()];
        for j in (0..kinds.len().saturating_sub(1)).rev() {
            let fast = kinds[j] == Kind::Numeric && !missing.numeric && label != Some(j);
            runs[j] = if fast { runs[j + 1] + 1 } else { 0 };
        }
        let width = kinds.iter().filter(|kind| **kind == Kind::Numeric).count();
        Self { file, names, shape, kinds, runs, width, missing, label }
    }

    /// Reads all records of a block.
    pub(crate) fn read(&self, block: &Block, cells: &mut Cells) -> Result<(), Error> {
        cells.reset(self.kinds.len(), block.first_line);
        let s = block.bytes();
        let comment = self.shape.comment;
        let mut marks = Marks::new(s, Either(self.shape.delimiter, self.shape.newline));
        let mut at = 0;
        while let Some(&first) = s.get(at) {
            if (first <= b' ' || comment == Some(first))
                && let Some(next) = skipped(self.shape, s, at)
            {
                at = next;
                marks.set_to(at);
            } else {
                at = self.record(s, &mut marks, at, cells)?;
                cells.rows += 1;
            }
            cells.line += 1;
        }
        Ok(())
    }

    /// Reads a record; returns the start of the next.
    fn record(
        &self,
        s: &[u8],
        marks: &mut Marks<'_, Either>,
        mut at: usize,
        cells: &mut Cells,
    ) -> Result<usize, Error> {
        let last = self.kinds.len() - 1;
        let mut slot = cells.numbers.len();
        cells.numbers.resize(slot + self.width, f64::NAN);
        let mut j = 0;
        loop {
            let run = &mut cells.numbers[slot..slot + self.runs[j] as usize];
            let (next, n) = numbers(self.shape, s, marks, at, run);
            (at, j, slot) = (next, j + n, slot + n);
            if self.shape.runs() {
                at = blanks(self.shape, s, at);
                if j > 0 && s.get(at) == Some(&self.shape.newline) {
                    return Err(self.ragged(cells.line, j)); // trailing blanks are not a field
                }
            }
            if j == last
                && let Some((value, next)) = self.last_number(s, marks, at, cells)
            {
                cells.numbers[slot] = value;
                return Ok(next);
            }
            if self.label == Some(j)
                && let Some((value, next)) = self.label_number(s, marks, at, j, cells)
            {
                cells.numbers[slot] = value;
                (at, j, slot) = (next, j + 1, slot + 1);
                continue;
            }
            let (next, ended) = self.cell(s, at, j, slot, cells)?;
            if marks.peek() + 1 == next {
                marks.pass();
            } else {
                marks.set_to(next);
            }
            slot += usize::from(self.kinds[j] == Kind::Numeric);
            match (ended, j == last) {
                (true, true) => return Ok(next),
                (false, false) => (at, j) = (next, j + 1),
                (true, false) => return Err(self.ragged(cells.line, j + 1)),
                (false, true) => {
                    let found = j + 1 + self.count(s, next);
                    return Err(self.ragged(cells.line, found));
                }
            }
        }
    }

    /// Reads a last cell that is a number before the line end; returns the number and the start of
    /// the next record.
    #[inline]
    fn last_number(
        &self,
        s: &[u8],
        marks: &mut Marks<'_, Either>,
        at: usize,
        cells: &mut Cells,
    ) -> Option<(f64, usize)> {
        let end = marks.peek();
        let newline = self.shape.newline;
        if self.kinds.last() != Some(&Kind::Numeric)
            || self.missing.numeric
            || s.get(end) != Some(&newline)
        {
            return None;
        }
        // If carriage returns end lines, a second carriage return ends an empty line.
        let pair = newline == b'\n' && end > at && s[end - 1] == b'\r';
        let value = scan_between(s, at, end - usize::from(pair))?;
        if self.label == Some(self.kinds.len() - 1) {
            cells.as_written |= !is_exact_number(s[at..end].trim_ascii());
        }
        marks.pass();
        Some((value, end + 1))
    }

    /// Reads a class label that is a number before a delimiter; returns the number and the start of
    /// the next cell. The last cell has no delimiter.
    #[inline]
    fn label_number(
        &self,
        s: &[u8],
        marks: &mut Marks<'_, Either>,
        at: usize,
        j: usize,
        cells: &mut Cells,
    ) -> Option<(f64, usize)> {
        let end = marks.peek();
        // If blanks are delimiters, the mark may already be behind.
        if self.kinds[j] != Kind::Numeric
            || j + 1 == self.kinds.len()
            || self.missing.numeric
            || end <= at
            || s.get(end) != Some(&self.shape.delimiter)
        {
            return None;
        }
        let value = scan_between(s, at, end)?;
        cells.as_written |= !is_exact_number(&s[at..end]);
        marks.pass();
        Some((value, end + 1))
    }

    /// Reads any cell; returns the start of the next, and whether the record ended.
    fn cell(
        &self,
        s: &[u8],
        at: usize,
        j: usize,
        slot: usize,
        cells: &mut Cells,
    ) -> Result<(usize, bool), Error> {
        let step = field(self.shape, s, at).map_err(|f| self.fault(&f, s, at, j, cells.line))?;
        let text = step.field.text(self.shape);
        match self.kinds[j] {
            Kind::Numeric => {
                let text = text.trim_ascii();
                cells.as_written |= self.label == Some(j) && !is_exact_number(text);
                cells.number(j, slot, text, self.missing);
            }
            Kind::Categorical => cells.word(j, &text, self.missing),
            Kind::Drop => {}
        }
        if step.field.quoted {
            cells.line += memchr_iter(self.shape.newline, step.field.raw).count() as u64;
        }
        Ok((step.next, step.last))
    }

    /// Counts the fields from `at` to the end of the record.
    #[cold]
    fn count(&self, s: &[u8], mut at: usize) -> usize {
        let mut n = 0;
        while let Ok(step) = field(self.shape, s, at) {
            (at, n) = (step.next, n + 1);
            if step.last {
                break;
            }
        }
        n
    }

    #[cold]
    fn ragged(&self, line: u64, found: usize) -> Error {
        let delimiter = match self.shape.delimiter {
            b',' => "a comma",
            b';' => "a semicolon",
            b'\t' => "a tab",
            b'|' => "a bar (|)",
            b' ' => "a space",
            _ => "the delimiter",
        };
        let n = self.kinds.len();
        let expected = format!("{n} field{} as in the first record", if n == 1 { "" } else { "s" });
        let remedy = format!(
            "Check for missing or extra delimiters, quote fields that contain {delimiter}, or set \
             it with `delimiter`."
        );
        Error::unexpected(Location::line(self.file, line), expected, found.to_string(), remedy)
    }

    #[cold]
    fn fault(&self, fault: &Fault, s: &[u8], at: usize, j: usize, line: u64) -> Error {
        let end = if let Fault::AfterQuote(end) = fault { *end } else { at };
        let line = line + memchr_iter(self.shape.newline, &s[at..end]).count() as u64;
        let name = self.names.get(j).map(String::as_str);
        let place = Location::cell(self.file, line, j + 1, name);
        match fault {
            Fault::Unfinished => open_quote(place),
            Fault::AfterQuote(_) => {
                let rest = &s[end..];
                let rest = &rest[..memchr(self.shape.newline, rest).unwrap_or(rest.len()).min(400)];
                let found = quoted_excerpt(to_text(rest).0.trim_end());
                let remedy = "Double the quotes inside the field, or read quotes as ordinary \
                              characters with `quote=none`.";
                let expected = "the end of the field after a closing quote";
                Error::unexpected(place, expected, found, remedy)
            }
        }
    }
}

/// Fills `run` with numbers followed by the delimiter, as long as possible; returns the position
/// reached, in bytes and in cells. The next mark is the first from that position on.
#[inline]
fn numbers(
    shape: Shape,
    s: &[u8],
    all_marks: &mut Marks<'_, Either>,
    mut at: usize,
    run: &mut [f64],
) -> (usize, usize) {
    let mut marks = *all_marks;
    let mut n = 0;
    loop {
        // Four one-digit cells at a time.
        while let (Some(text), Some(slots)) = (s[at..].first_chunk(), run[n..].first_chunk_mut())
            && let Some(values) = flags(*text, shape.delimiter)
        {
            *slots = values;
            (at, n) = (at + 8, n + 4);
            marks.skip_to(at);
        }
        let Some(slot) = run.get_mut(n) else { break };
        let end = marks.peek();
        if let Some(value) = scan_between(s, at, end)
            && s.get(end) == Some(&shape.delimiter)
        {
            *slot = value;
            marks.pass();
            (at, n) = (end + 1, n + 1);
        } else if s.get(at) == Some(&b' ') {
            at += 1;
            marks.skip_to(at); // only if blanks are delimiters
        } else if let Some((value, next)) = quoted(shape, s, at) {
            *slot = value;
            marks.skip_to(next);
            (at, n) = (next, n + 1);
        } else {
            break;
        }
    }
    *all_marks = marks;
    (at, n)
}

/// Returns the values of four digits, each followed by a delimiter.
#[inline]
fn flags(text: [u8; 8], delimiter: u8) -> Option<[f64; 4]> {
    let d = delimiter;
    let digits =
        u64::from_le_bytes(text) ^ u64::from_le_bytes([b'0', d, b'0', d, b'0', d, b'0', d]);
    // A byte above 9 sets bit 7, by the addition or already; no other byte can carry.
    let wrong = (digits.wrapping_add(0x0076_0076_0076_0076) | digits) & 0xFF80_FF80_FF80_FF80;
    (wrong == 0).then(|| [0, 16, 32, 48].map(|bit| f64::from((digits >> bit) as u8)))
}

/// Reads a quoted number and its delimiter; returns the number and the start of the next cell.
fn quoted(shape: Shape, s: &[u8], at: usize) -> Option<(f64, usize)> {
    let quote = shape.quote.filter(|quote| s.get(at) == Some(quote))?;
    let (value, n) = scan(&s[at + 1..]);
    let behind = s.get(at + 1 + n..at + 3 + n)?;
    (n > 0 && behind == [quote, shape.delimiter]).then_some((value, at + 3 + n))
}

impl Cells {
    fn reset(&mut self, columns: usize, line: u64) {
        self.rows = 0;
        self.numbers.clear();
        self.codes.clear();
        self.words.clear();
        self.missing.clear();
        self.missing.resize(columns, (0, 0));
        self.invalid.clear();
        self.not_utf8 = 0;
        self.as_written = false;
        self.line = line;
    }

    /// Stores a number in its slot, which holds NaN so far.
    fn number(&mut self, j: usize, slot: usize, text: &[u8], missing: &Missing) {
        if missing.has(text) {
            self.is_missing(j);
            return;
        }
        let value = parse_number(text);
        if let Some(value) = value.filter(|x| x.is_finite()) {
            self.numbers[slot] = value;
            return;
        }
        let infinity = value.is_some() || is_infinity(text);
        self.invalid.push(j, self.line, text, infinity);
    }

    fn is_missing(&mut self, j: usize) {
        let (count, first) = &mut self.missing[j];
        if *count == 0 {
            *first = self.line;
        }
        *count += 1;
    }

    fn word(&mut self, j: usize, text: &[u8], missing: &Missing) {
        if missing.has(text.trim_ascii()) {
            self.is_missing(j);
            self.codes.push(MISSING);
        } else if text.is_ascii() || std::str::from_utf8(text).is_ok() {
            self.codes.push(self.words.code_for(text));
        } else {
            self.not_utf8 += 1;
            self.codes.push(self.words.code_for(to_text(text).0.as_bytes()));
        }
    }
}
