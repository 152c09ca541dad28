//! What the readers give: typed columns, or sparse rows.
//!
//! All numeric columns of a [`Table`] share **one row-major block** `numbers`, so that an all-numeric
//! file becomes a design without a copy: the value of row i in the column with slot s is
//! `numbers[i · width + s]`, and NaN means missing. Words are codes into a list of levels.
//!
//! A [`Sparse`] is the usual compressed form: row i has its pairs at `starts[i]..starts[i + 1]`, with
//! ascending columns counted from 0 and no stored zeros.

use crate::place::{Place, Record};
use crate::reals::Reals;

/// Typed columns as read.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Name of the file.
    pub name: String,
    /// Did the column names come from the file?
    pub header: bool,
    /// Number of rows n.
    pub rows: usize,
    /// The columns, in the order of the file, without those dropped.
    pub columns: Vec<Column>,
    /// n × `width` numbers, row by row; NaN is missing, infinities do not occur.
    pub numbers: Vec<f64>,
    /// Number of numeric columns.
    pub width: usize,
    /// Cells that were not UTF-8 and were read as Latin-1.
    pub not_utf8: u64,
    /// Integers that no double holds exactly and that were rounded to the nearest.
    pub rounded: u64,
}

/// One column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// From the header, or V1, V2, … by place in the file.
    pub name: String,
    /// Its place in the file, counted from 1.
    pub number: usize,
    /// Cells that are missing.
    pub missing: usize,
    /// Those of them that hold a NaN rather than nothing, where the format tells the two apart.
    pub nans: usize,
    /// The record with the first of them, where that is known.
    pub first_missing: Option<Record>,
    /// Its cells.
    pub values: Values,
}

/// The cells of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Numbers, in the shared block.
    Number {
        /// Place within a row of the block.
        slot: usize,
    },
    /// Words.
    Words {
        /// For each row the place of its word in `levels`, or [`MISSING`].
        codes: Vec<u32>,
        /// The different words, in order of first appearance.
        levels: Vec<String>,
    },
}

/// The code of a missing word.
pub const MISSING: u32 = u32::MAX;

impl Table {
    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Row i of the block of numbers.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.numbers[i * self.width..(i + 1) * self.width]
    }

    /// The rows at these places, in this order. Which records they were is no longer known.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        let numbers = rows.iter().flat_map(|&i| self.row(i)).copied().collect::<Vec<f64>>();
        let column = |column: &Column| {
            let (values, missing) = match &column.values {
                Values::Number { slot } => {
                    let absent = |&&i: &&usize| self.row(i)[*slot].is_nan();
                    (Values::Number { slot: *slot }, rows.iter().filter(absent).count())
                }
                Values::Words { codes, levels } => {
                    let codes: Vec<u32> = rows.iter().map(|&i| codes[i]).collect();
                    let missing = codes.iter().filter(|c| **c == MISSING).count();
                    (Values::Words { codes, levels: levels.clone() }.without_unused(), missing)
                }
            };
            {
                let (name, nans) = (column.name.clone(), column.nans.min(missing));
                Column { name, missing, nans, first_missing: None, values, ..*column }
            }
        };
        Self {
            name: self.name.clone(),
            rows: rows.len(),
            columns: self.columns.iter().map(column).collect(),
            numbers,
            ..*self
        }
    }

    /// Are all columns numbers, so that the block is the whole table?
    pub fn is_numeric(&self) -> bool {
        self.width == self.columns.len()
    }
}

impl Column {
    /// Where its first missing cell is: the cell, or the column where more is not known.
    pub(crate) fn missing_place(&self, file: &str) -> Place {
        match &self.first_missing {
            Some(record) => Place::in_record(record, self.number, &self.name),
            None => Place::column(file, self.number, &self.name),
        }
    }
}

impl Values {
    /// The same words without those that no row has; numbers as they are.
    fn without_unused(self) -> Self {
        let Self::Words { mut codes, levels } = self else { return self };
        let mut place = vec![MISSING; levels.len()];
        let mut used = Vec::new();
        for code in codes.iter_mut().filter(|c| **c != MISSING) {
            let new = &mut place[*code as usize];
            if *new == MISSING {
                *new = used.len() as u32;
                used.push(levels[*code as usize].clone());
            }
            *code = *new;
        }
        Self::Words { codes, levels: used }
    }
}

/// Sparse rows with a label each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sparse {
    /// Name of the file.
    pub name: String,
    /// Number of rows n.
    pub rows: usize,
    /// Number of columns d: one more than the largest index, counted from 0.
    pub cols: usize,
    /// n + 1 places in `indices` and `values`.
    pub starts: Vec<usize>,
    /// Columns, counted from 0, ascending within a row.
    pub indices: Vec<u32>,
    /// Their values, finite and not zero.
    pub values: Reals,
    /// For each row the place of its label in `levels`.
    pub codes: Vec<u32>,
    /// The different labels as written, in order of first appearance.
    pub levels: Vec<String>,
    /// Index of the first column in the file: 0 or 1.
    pub base: u8,
    /// The query of each row ([`NO_QUERY`] where it has none), if any row has one.
    pub queries: Option<Vec<i64>>,
    /// Explicit zeros that were left out.
    pub zeros: u64,
}

impl Sparse {
    /// The rows at these places, in this order.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        let mut out = Self {
            name: self.name.clone(),
            rows: rows.len(),
            starts: vec![0],
            indices: Vec::new(),
            values: self.values.select(rows.iter().map(|&i| self.starts[i]..self.starts[i + 1])),
            codes: rows.iter().map(|&i| self.codes[i]).collect(),
            levels: self.levels.clone(),
            queries: self.queries.as_ref().map(|all| rows.iter().map(|&i| all[i]).collect()),
            ..*self
        };
        for &i in rows {
            out.indices.extend_from_slice(&self.indices[self.starts[i]..self.starts[i + 1]]);
            out.starts.push(out.indices.len());
        }
        out
    }
}

/// The query of a row without `qid:`.
pub const NO_QUERY: i64 = i64::MIN;
