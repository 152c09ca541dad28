//! Collection of the cells of all blocks in one table, and type inference for every column.
//!
//! Among the non-missing cells of a column, p are numbers and q are not. Over the **whole file**:
//!
//! | | the column is |
//! |---|---|
//! | q = 0 | numeric |
//! | p = 0 | categorical |
//! | p + q ≥ 20 and p ≥ 90 % | numeric, with an error for the first non-numeric cell |
//! | p + q < 20 and p > q | the same |
//! | otherwise | categorical, its numbers included |
//!
//! All categorical columns share one dictionary while the file is read. At the end the codes of
//! each column are renumbered in order of first appearance. So no column has its own hash table,
//! and a million columns cost no more than their cells. Cost: O(cells + distinct levels).

use super::cells::{Cells, Kind, Plan};
use super::dialect::{CellType, cell_type};
use crate::dictionary::StringDictionary;
use crate::error::Error;
use crate::invalid::InvalidCells;
use crate::location::{At, Location, Record};
use crate::memory::Memory;
use crate::table::{Column, MISSING, Table, Values};
use std::sync::Arc;

/// Everything read so far.
pub(crate) struct CsvTableBuilder {
    pub rows: usize,
    numbers: Vec<f64>,
    /// For each categorical column its codes in `words`.
    codes: Vec<Vec<u32>>,
    words: StringDictionary,
    /// By column: the count, and the file and line of the first.
    missing: Vec<(usize, (usize, u64))>,
    strays: InvalidCells,
    not_utf8: u64,
    /// Whether the text of some class label differs from its number.
    as_written: bool,
    /// Scratch map from the codes of a block to those of `words`.
    renumber: Vec<u32>,
    /// The files so far, if there are several.
    files: Vec<String>,
    limit: Memory,
}

impl CsvTableBuilder {
    pub(crate) fn new(plan: &Plan<'_>, limit: Memory) -> Self {
        let word_columns = plan.kinds.iter().filter(|k| **k == Kind::Categorical).count();
        Self {
            rows: 0,
            numbers: Vec::new(),
            codes: vec![Vec::new(); word_columns],
            words: StringDictionary::default(),
            missing: vec![(0, (0, 0)); plan.kinds.len()],
            strays: InvalidCells::default(),
            not_utf8: 0,
            as_written: false,
            renumber: Vec::new(),
            files: Vec::new(),
            limit,
        }
    }

    /// Starts the next file: subsequent blocks belong to it.
    pub(crate) fn next_file(&mut self, file: &str) {
        self.files.push(file.to_owned());
    }

    /// Appends the next block.
    pub(crate) fn append(&mut self, file: &str, cells: &mut Cells) -> Result<(), Error> {
        // 1. Numbers and counts.
        self.rows += cells.rows;
        let numbers = 8 * (self.numbers.len() + cells.numbers.len()) as u128;
        let codes = 4 * self.codes.len() as u128 * self.rows as u128;
        let words = self.words.bytes() + cells.words.bytes();
        self.limit.check(file, "the table", numbers + codes + words as u128)?;
        self.numbers.extend_from_slice(&cells.numbers);
        let now = self.files.len().saturating_sub(1);
        for ((total, first), (part, line)) in self.missing.iter_mut().zip(&cells.missing) {
            if *total == 0 {
                *first = (now, *line);
            }
            *total += *part as usize;
        }
        self.not_utf8 += cells.not_utf8;
        self.as_written |= cells.as_written;

        // 2. Levels: each distinct level of the block is looked up once.
        if self.words.len() + cells.words.len() >= MISSING as usize {
            return Err(Error::too_many_levels(file));
        }
        self.renumber.clear();
        self.renumber.extend(cells.words.iter().map(|word| self.words.code_for(word)));
        let code = |&c: &u32| if c == MISSING { c } else { self.renumber[c as usize] };
        let width = self.codes.len();
        for (c, column) in self.codes.iter_mut().enumerate() {
            column.extend(cells.codes.iter().skip(c).step_by(width).map(code));
        }

        // 3. Strays: blocks are in order, so the first of a column is the first of the file.
        self.strays.append(&mut cells.invalid, (now, 0));
        Ok(())
    }

    /// Whether target column j is numeric, but the text of some label differs from its number.
    pub(crate) fn label_text_differs(&self, j: usize) -> bool {
        self.as_written && !self.strays.contains(j)
    }

    /// Returns the inferred type of each column; only columns marked in `free` may change.
    pub(crate) fn wanted(&self, plan: &Plan<'_>, free: &[bool]) -> Vec<Kind> {
        let mut numeric = Vec::new();
        let mut columns = self.codes.iter();
        let mut wanted = plan.kinds.clone();
        for (j, kind) in wanted.iter_mut().enumerate() {
            let present = (self.rows - self.missing[j].0) as u64;
            let words = match kind {
                Kind::Drop => continue,
                Kind::Numeric => self.strays.words(j),
                Kind::Categorical => {
                    let codes = columns.next().expect("one list of codes per categorical column");
                    if !free[j] {
                        continue;
                    }
                    if numeric.is_empty() {
                        // Missing cells have no code, so a cell that is not a number here is a
                        // level.
                        let is = |word| cell_type(word, plan.missing) == CellType::Number;
                        numeric = self.words.iter().map(is).collect();
                    }
                    let is_number = |&&c: &&u32| c != MISSING && numeric[c as usize];
                    present - codes.iter().filter(is_number).count() as u64
                }
            };
            if free[j] && present > 0 {
                *kind = inferred_kind(present - words, words);
            }
        }
        wanted
    }

    /// Returns the error for the first invalid cell of the file, if any.
    pub(crate) fn first_invalid_cell(&self, plan: &Plan<'_>) -> Option<Error> {
        self.strays.first_error(|(file, line), j| {
            let name = plan.names.get(j).map(String::as_str);
            let file = self.files.get(file).map_or(plan.file, String::as_str);
            Location::cell(file, line, j + 1, name)
        })
    }

    /// Returns the table. With `trailing`, an unnamed and empty last column is dropped: it means
    /// that every record ends with a delimiter.
    pub(crate) fn finish(mut self, plan: &Plan<'_>, header: bool, trailing: bool) -> Table {
        let mut columns = Vec::new();
        let (mut width, mut codes) = (0, std::mem::take(&mut self.codes).into_iter());
        // For each level: the last column that contains it, and its code there.
        let mut met = vec![(u32::MAX, 0); self.words.len()];
        let only = [plan.file.to_owned()];
        let files = if self.files.is_empty() { &only[..] } else { &self.files[..] };
        let files: Vec<Arc<str>> = files.iter().map(|file| file.as_str().into()).collect();
        for (j, kind) in plan.kinds.iter().enumerate() {
            let values = match kind {
                Kind::Drop => continue,
                Kind::Numeric => {
                    width += 1;
                    Values::Numeric { slot: width - 1 }
                }
                Kind::Categorical => {
                    let codes = codes.next().expect("one list of codes per categorical column");
                    let last = j + 1 == plan.kinds.len();
                    if trailing && last && self.missing[j].0 == self.rows {
                        continue;
                    }
                    self.levels(codes, u32::try_from(j).unwrap_or(u32::MAX - 1), &mut met)
                }
            };
            let (missing, (file, line)) = self.missing[j];
            let first_missing = (missing > 0)
                .then(|| Record { file: Arc::clone(&files[file]), at: At::Line(line) });
            let name = plan.names[j].clone();
            columns.push(Column { name, number: j + 1, missing, nans: 0, first_missing, values });
        }
        // The block grew by doubling: the unused capacity would count as memory in use.
        self.numbers.shrink_to_fit();
        Table {
            name: plan.file.to_owned(),
            header,
            rows: self.rows,
            columns,
            numbers: Arc::new(self.numbers),
            width,
            not_utf8: self.not_utf8,
            rounded: 0,
        }
    }

    fn levels(&self, mut codes: Vec<u32>, column: u32, met: &mut [(u32, u32)]) -> Values {
        let mut levels = Vec::new();
        for code in codes.iter_mut().filter(|c| **c != MISSING) {
            let (seen, own) = &mut met[*code as usize];
            if *seen != column {
                let text = String::from_utf8_lossy(self.words.get(*code)).into_owned();
                (*seen, *own) = (
                    column,
                    u32::try_from(levels.len()).expect(
                        "fewer codes than \
                    levels",
                    ),
                );
                levels.push(text);
            }
            *code = *own;
        }
        codes.shrink_to_fit();
        Values::Categorical { codes: Arc::new(codes), levels }
    }
}

/// Returns the type of a column with these counts; see the table above.
fn inferred_kind(numbers: u64, words: u64) -> Kind {
    let all = numbers + words;
    let mostly = if all < 20 { numbers > words } else { numbers * 10 >= all * 9 };
    if words == 0 || mostly { Kind::Numeric } else { Kind::Categorical }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inferred_types_follow_the_table() {
        for (numbers, words, kind) in [
            (1, 0, Kind::Numeric),
            (0, 1, Kind::Categorical),
            (2, 1, Kind::Numeric),
            (1, 1, Kind::Categorical),
            (10, 9, Kind::Numeric),
            (18, 2, Kind::Numeric),
            (17, 3, Kind::Categorical),
            (899, 100, Kind::Categorical),
            (900, 100, Kind::Numeric),
        ] {
            assert_eq!(inferred_kind(numbers, words), kind, "{numbers} numbers, {words} words");
        }
    }
}
