//! Assembly of column chunks into one [`Table`]: the common part of Parquet and Arrow.
//!
//! These formats store the types of their columns, so nothing is inferred:
//!
//! | in the file | in the table |
//! |---|---|
//! | integers, floats of any width, decimals, durations (in seconds) | numeric |
//! | text, dictionaries of anything, UUIDs | categorical |
//! | booleans | categorical, `true` and `false` |
//! | dates, times, timestamps | categorical, in ISO 8601 as in a CSV file |
//! | columns of only nulls | numeric, all missing |
//! | lists, structs, maps, intervals | an error that names the column |
//! | raw bytes | the same, unless the column is set to categorical |
//!
//! * **Missing** are nulls, NaNs (counted separately) and markers of missing values: the same data
//!   gives the same table in any format.
//! * Decimals are rounded once, to the nearest double, like the same digits in a CSV file. Integers
//!   beyond 2⁵³ that no double represents exactly are rounded too, and counted.
//! * An infinity in a numeric column is an error with row and column.
//! * A type set in the options takes precedence: numbers become levels as written, text becomes
//!   numbers if all of it is numeric, booleans become 0 and 1.
//!
//! Memory: the caller owns the block of numbers, and every value is written directly to its place
//! in it. Levels are numbered per chunk, so that chunks can be filled on several threads, and
//! renumbered once when the chunks are appended in order. So the table does not depend on the
//! number of threads.

mod part;
mod plan;
mod text;

pub(crate) use part::{Cells, ChunkWriter, FilledChunk, Value};
pub(crate) use plan::{ColumnContent, Destination, Plan, by_name, check_size, too_large};

use crate::dictionary::{StringDictionary, to_text};
use crate::error::{Error, StreamError};
use crate::invalid::InvalidCells;
use crate::location::{At, Location, Record};
use crate::order::stream_blocks;
use crate::table::{Column, MISSING, Table, Values};
use part::MissingCells;
use std::sync::Arc;

/// Passes on the tables that `next` returns until `None`: `work` on any thread, `take` in the order
/// of the file. Pages and messages are sequential, so decoding is too; only the work is parallel.
pub(crate) fn stream_tables<T: Send, E: StreamError>(
    name: &str,
    threads: usize,
    mut next: impl FnMut() -> Result<Option<Table>, Error> + Send,
    work: impl Fn(Table) -> Result<T, E> + Sync,
    take: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<(), E> {
    let next = |table: &mut Option<Table>| {
        *table = next()?;
        Ok(table.is_some())
    };
    match stream_blocks(threads, next, |table| Ok(table.take()), work, take)? {
        0 => Err(Error::no_rows(name, false).into()),
        _ => Ok(()),
    }
}

/// Returns the table of a batch of rows of a larger file, which `fill` writes.
pub(crate) fn batch(
    plan: &Plan,
    file: &str,
    rows: usize,
    fill: impl FnOnce(&mut ChunkWriter<'_>) -> Result<(), Error>,
) -> Result<Table, Error> {
    let mut numbers = vec![0.0; rows * plan.width];
    let mut part = ChunkWriter::new(plan, rows, &mut numbers);
    fill(&mut part)?;
    let filled = part.filled();
    let mut builder = Builder::new(plan);
    builder.file(file);
    builder.append(filled)?;
    builder.finish(numbers)
}

/// The columns so far.
pub(crate) struct Builder<'a> {
    plan: &'a Plan,
    /// The files, and the first row of each.
    files: Vec<(String, usize)>,
    rows: usize,
    words: Vec<(Vec<u32>, StringDictionary)>,
    /// By column.
    missing: Vec<MissingCells>,
    strays: InvalidCells,
    rounded: u64,
    not_utf8: u64,
    renumber: Vec<u32>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            files: Vec::new(),
            rows: 0,
            words: (0..plan.words).map(|_| (Vec::new(), StringDictionary::default())).collect(),
            missing: vec![MissingCells::default(); plan.names.len()],
            strays: InvalidCells::default(),
            rounded: 0,
            not_utf8: 0,
            renumber: Vec::new(),
        }
    }

    /// Starts the next file: subsequent chunks belong to it.
    pub(crate) fn file(&mut self, name: &str) {
        self.files.push((name.to_owned(), self.rows));
    }

    /// Appends the next chunk.
    pub(crate) fn append(&mut self, mut part: FilledChunk) -> Result<(), Error> {
        let rows = (self.rows + part.rows) as u128;
        let mut bytes = rows * (8 * self.plan.width + 4 * self.plan.words) as u128;
        let file = self.files.last().map_or("", |f| &f.0);
        for ((codes, words), (part_codes, part_words)) in self.words.iter_mut().zip(part.words) {
            bytes += (words.bytes() + part_words.bytes()) as u128;
            self.plan.memory.check(file, "the table", bytes)?;
            if words.len() + part_words.len() >= MISSING as usize {
                return Err(Error::too_many_levels(file));
            }
            self.renumber.clear();
            self.renumber.extend(part_words.iter().map(|word| words.code_for(word)));
            let code = |c: u32| if c == MISSING { c } else { self.renumber[c as usize] };
            codes.extend(part_codes.into_iter().map(code));
        }
        for (all, part) in self.missing.iter_mut().zip(part.missing) {
            all.add(part, self.rows);
        }
        self.strays.append(&mut part.invalid, (0, self.rows as u64));
        self.rounded += part.rounded;
        self.not_utf8 += part.not_utf8;
        self.rows += part.rows;
        Ok(())
    }

    /// Returns the table with this block of numbers, or the error for the first invalid cell.
    pub(crate) fn finish(self, mut numbers: Vec<f64>) -> Result<Table, Error> {
        if let Some(error) = self.first_invalid_cell() {
            return Err(error);
        }
        let name = crate::input::set_name(self.files.iter().map(|f| f.0.as_str()));
        if self.rows == 0 {
            return Err(Error::no_rows(&name, false));
        }
        let files: Vec<Arc<str>> =
            self.files.iter().map(|(name, _)| name.as_str().into()).collect();
        let mut words = self.words.into_iter();
        let mut columns = Vec::new();
        for (j, to) in self.plan.to.iter().enumerate() {
            let values = match to {
                Destination::Dropped => continue,
                Destination::Numbers(slot) => Values::Numeric { slot: *slot },
                Destination::Words(_) => {
                    let (codes, words) = words.next().expect("one list per categorical column");
                    let levels = words.iter().map(|word| to_text(word).0).collect();
                    Values::Categorical { codes: Arc::new(codes), levels }
                }
            };
            let MissingCells { cells: missing, nans, first } = self.missing[j];
            let first_missing = first.and_then(|row| {
                let at = self.files.iter().rposition(|(_, start)| *start <= row)?;
                let row = row - self.files[at].1;
                Some(Record { file: Arc::clone(&files[at]), at: At::Row(row) })
            });
            let name = self.plan.names[j].clone();
            columns.push(Column { name, number: j + 1, missing, nans, first_missing, values });
        }
        numbers.shrink_to_fit();
        Ok(Table {
            name,
            header: true,
            rows: self.rows,
            columns,
            numbers: Arc::new(numbers),
            width: self.plan.width,
            not_utf8: self.not_utf8,
            rounded: self.rounded,
        })
    }

    fn first_invalid_cell(&self) -> Option<Error> {
        self.strays.first_error(|(_, row), j| {
            let row = usize::try_from(row).expect("rows are counted by usize");
            let file = self.files.iter().rfind(|(_, start)| *start <= row);
            let (file, start) = file.expect("the first file starts at row 0");
            Location::row(file, row - start, j + 1, &self.plan.names[j])
        })
    }
}
