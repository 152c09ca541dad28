//! A chunk of rows, filled column by column.

use super::text::{days_to_text, decimal_to_f64, decimal_to_text, stamp_to_text, time_to_text};
use super::{Destination, Plan};
use crate::csv::Missing;
use crate::dictionary::{StringDictionary, to_text};
use crate::invalid::InvalidCells;
use crate::number::{is_infinity, parse_number};
use crate::table::MISSING;
use arrow_buffer::i256;
use std::fmt::Write;

/// A non-missing value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Float(f64),
    Single(f32),
    Integer(i64),
    Unsigned(u64),
    Decimal { digits: i256, scale: i32 },
    Bool(bool),
    Text(&'a [u8]),
    Date { days: i64 },
    Time { ticks: i64, per_second: i64 },
    Stamp { ticks: i64, per_second: i64, utc: bool },
    Duration { ticks: i64, per_second: i64 },
    Uuid(&'a [u8]),
}

/// The missing cells of a column.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MissingCells {
    /// Number of missing cells.
    pub cells: usize,
    /// Number of missing cells that hold a NaN.
    pub nans: usize,
    /// Row of the first missing cell.
    pub first: Option<usize>,
}

impl MissingCells {
    /// Counts one missing cell.
    #[inline]
    fn note(&mut self, row: usize, is_nan: bool) {
        self.first.get_or_insert(row);
        self.cells += 1;
        self.nans += usize::from(is_nan);
    }

    /// Adds the cells of a later chunk that starts at `row`.
    pub(crate) fn add(&mut self, later: Self, row: usize) {
        self.cells += later.cells;
        self.nans += later.nans;
        self.first = self.first.or(later.first.map(|at| row + at));
    }
}

/// A filled chunk; its numbers are in the block.
#[derive(Default)]
pub(crate) struct FilledChunk {
    pub rows: usize,
    /// For each categorical column the codes of its cells, and the levels.
    pub words: Vec<(Vec<u32>, StringDictionary)>,
    /// By column.
    pub missing: Vec<MissingCells>,
    pub invalid: InvalidCells,
    pub rounded: u64,
    pub not_utf8: u64,
}

/// A chunk while it is filled.
pub(crate) struct ChunkWriter<'a> {
    plan: &'a Plan,
    /// rows × width numbers, row by row.
    block: &'a mut [f64],
    filled: FilledChunk,
    scratch: String,
}

impl<'a> ChunkWriter<'a> {
    /// Returns a chunk of `rows` rows, whose numbers are written to `block`.
    pub(crate) fn new(plan: &'a Plan, rows: usize, block: &'a mut [f64]) -> Self {
        let words = (0..plan.words).map(|_| (Vec::new(), StringDictionary::default())).collect();
        let missing = vec![MissingCells::default(); plan.names.len()];
        let filled = FilledChunk { rows, words, missing, ..FilledChunk::default() };
        Self { plan, block, filled, scratch: String::new() }
    }

    /// Returns the writer of the cells of column j, from `row` on.
    pub(crate) fn cells(&mut self, j: usize, row: usize) -> Cells<'_> {
        let filled = &mut self.filled;
        let (slot, words) = match self.plan.to[j] {
            Destination::Numbers(slot) => (slot, None),
            Destination::Words(at) => (0, Some(&mut filled.words[at])),
            Destination::Dropped => unreachable!("dropped columns are not read"),
        };
        Cells {
            missing_words: &self.plan.missing,
            block: self.block,
            width: self.plan.width,
            slot,
            row,
            words,
            absent: &mut filled.missing[j],
            strays: &mut filled.invalid,
            column: j,
            rounded: &mut filled.rounded,
            not_utf8: &mut filled.not_utf8,
            scratch: &mut self.scratch,
        }
    }

    /// Returns all but the numbers, which are already in the block.
    pub(crate) fn filled(self) -> FilledChunk {
        self.filled
    }
}

/// Writer of the cells of one column, in order.
pub(crate) struct Cells<'p> {
    missing_words: &'p Missing,
    block: &'p mut [f64],
    width: usize,
    slot: usize,
    row: usize,
    words: Option<&'p mut (Vec<u32>, StringDictionary)>,
    absent: &'p mut MissingCells,
    strays: &'p mut InvalidCells,
    column: usize,
    rounded: &'p mut u64,
    not_utf8: &'p mut u64,
    scratch: &'p mut String,
}

impl Cells<'_> {
    /// Appends a null.
    #[inline]
    pub(crate) fn null(&mut self) {
        self.missing(false);
    }

    /// Appends a missing cell.
    #[inline]
    fn missing(&mut self, is_nan: bool) {
        self.absent.note(self.here(), is_nan);
        match &mut self.words {
            Some((codes, _)) => codes.push(MISSING),
            None => self.put(f64::NAN),
        }
    }

    /// Appends a value.
    #[inline]
    pub(crate) fn value(&mut self, value: Value<'_>) {
        if self.words.is_none() {
            match value {
                Value::Float(x) => self.float(x),
                Value::Single(x) => self.float(f64::from(x)),
                Value::Integer(n) => {
                    *self.rounded +=
                        u64::from(n.unsigned_abs() > 1 << 53 && n as f64 as i128 != n.into());
                    self.put(n as f64);
                }
                Value::Unsigned(n) => {
                    *self.rounded += u64::from(n > 1 << 53 && n as f64 as u128 != n.into());
                    self.put(n as f64);
                }
                other => self.other_number(other),
            }
        } else if let Value::Text(text) = value {
            self.text(text);
        } else {
            self.other_word(value);
        }
    }

    /// Returns the code of a level, for [`Self::code`]: dictionaries store each level once.
    pub(crate) fn code_of(&mut self, value: Option<Value<'_>>) -> u32 {
        let (before, row) = (*self.absent, self.row);
        match value {
            Some(value) => self.value(value),
            None => self.null(),
        }
        (*self.absent, self.row) = (before, row);
        self.words.as_mut().and_then(|(codes, _)| codes.pop()).unwrap_or(MISSING)
    }

    /// Appends the level with this code.
    pub(crate) fn code(&mut self, code: u32) {
        if code == MISSING {
            self.absent.note(self.here(), false);
        }
        if let Some((codes, _)) = &mut self.words {
            codes.push(code);
        }
    }

    /// Returns the row of the next cell. Categorical cells are appended, so it is their count.
    #[inline]
    fn here(&self) -> usize {
        self.words.as_ref().map_or(self.row, |(codes, _)| codes.len())
    }

    /// Whether the column is read as categorical.
    pub(crate) fn is_words(&self) -> bool {
        self.words.is_some()
    }

    #[inline]
    fn put(&mut self, x: f64) {
        self.block[self.row * self.width + self.slot] = x;
        self.row += 1;
    }

    #[inline]
    fn float(&mut self, x: f64) {
        if x.is_nan() {
            return self.missing(true);
        }
        if x.is_infinite() {
            self.strays.push(self.column, self.row as u64, x.to_string().as_bytes(), true);
        }
        self.put(x);
    }

    /// Appends a number that needs conversion.
    fn other_number(&mut self, value: Value<'_>) {
        match value {
            Value::Decimal { digits, scale } => self.float(decimal_to_f64(digits, scale)),
            Value::Bool(is) => self.put(f64::from(u8::from(is))),
            Value::Duration { ticks, per_second } => self.put(ticks as f64 / per_second as f64),
            Value::Text(text) => self.parsed(text),
            other => {
                let text = self.written(other);
                self.parsed(text.as_bytes());
                *self.scratch = text;
            }
        }
    }

    /// Parses text in a numeric column.
    fn parsed(&mut self, text: &[u8]) {
        let text = text.trim_ascii();
        if self.missing_words.has(text) {
            return self.null();
        }
        match parse_number(text) {
            Some(x) if x.is_finite() => return self.put(x),
            other => {
                let infinity = other.is_some() || is_infinity(text);
                self.strays.push(self.column, self.row as u64, text, infinity);
            }
        }
        self.put(f64::NAN);
    }

    /// Appends a value other than text to a categorical column.
    fn other_word(&mut self, value: Value<'_>) {
        let nan = matches!(value, Value::Float(x) if x.is_nan())
            || matches!(value, Value::Single(x) if x.is_nan());
        if nan {
            return self.missing(true);
        }
        let text = self.written(value);
        self.text(text.as_bytes());
        *self.scratch = text;
    }

    /// Returns a value as text. The caller returns the string to `scratch`.
    fn written(&mut self, value: Value<'_>) -> String {
        let mut out = std::mem::take(self.scratch);
        out.clear();
        let done = match value {
            Value::Float(x) => write!(out, "{x}"),
            Value::Single(x) => write!(out, "{x}"),
            Value::Integer(n) => write!(out, "{n}"),
            Value::Unsigned(n) => write!(out, "{n}"),
            Value::Bool(is) => write!(out, "{is}"),
            Value::Text(text) => write!(out, "{}", to_text(text).0),
            Value::Duration { ticks, per_second } => {
                write!(out, "{}", ticks as f64 / per_second as f64)
            }
            Value::Uuid(bytes) => bytes.iter().enumerate().try_for_each(|(i, byte)| {
                let dash = if matches!(i, 4 | 6 | 8 | 10) { "-" } else { "" };
                write!(out, "{dash}{byte:02x}")
            }),
            Value::Decimal { digits, scale } => {
                decimal_to_text(digits, scale, &mut out);
                Ok(())
            }
            Value::Date { days } => {
                days_to_text(days, &mut out);
                Ok(())
            }
            Value::Time { ticks, per_second } => {
                time_to_text(ticks, per_second, &mut out);
                Ok(())
            }
            Value::Stamp { ticks, per_second, utc } => {
                stamp_to_text(ticks, per_second, utc, &mut out);
                Ok(())
            }
        };
        done.expect("a string can always be written to");
        out
    }

    /// Appends text to a categorical column.
    fn text(&mut self, text: &[u8]) {
        if self.missing_words.has(text.trim_ascii()) {
            return self.null();
        }
        let Some((codes, words)) = &mut self.words else { return };
        if text.is_ascii() || std::str::from_utf8(text).is_ok() {
            codes.push(words.code_for(text));
        } else {
            *self.not_utf8 += 1;
            codes.push(words.code_for(to_text(text).0.as_bytes()));
        }
    }
}
