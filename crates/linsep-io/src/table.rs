//! Output of the readers: typed columns, or sparse rows.
//!
//! All numeric columns of a [`Table`] share **one row-major block** `numbers`, so that an
//! all-numeric file becomes a design matrix without a copy. The value of row i in the column with
//! slot s is `numbers[i · width + s]`, and NaN means missing. Categorical cells are codes into a
//! list of levels.
//!
//! A [`Sparse`] is compressed by rows: row i has its pairs at `starts[i]..starts[i + 1]`, with
//! ascending columns counted from 0 and no stored zeros.

use crate::location::{Location, Record};
use crate::reals::Reals;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Typed columns as read. Clones share the cells.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Name of the file.
    pub name: String,
    /// Whether the column names are from the file.
    pub header: bool,
    /// Number of rows n.
    pub rows: usize,
    /// The columns, in the order of the file, without the dropped ones.
    pub columns: Vec<Column>,
    /// n × `width` numbers, row by row; NaN means missing, infinities do not occur.
    pub numbers: Arc<Vec<f64>>,
    /// Number of numeric columns.
    pub width: usize,
    /// Number of cells that were not UTF-8 and were read as Latin-1.
    pub not_utf8: u64,
    /// Number of integers that no double represents exactly, rounded to the nearest.
    pub rounded: u64,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// From the header, or V1, V2, … by position in the file.
    pub name: String,
    /// Position in the file, counted from 1.
    pub number: usize,
    /// Number of missing cells.
    pub missing: usize,
    /// Number of missing cells that hold a NaN, in formats that distinguish NaN from null.
    pub nans: usize,
    /// The record with the first missing cell, if known.
    pub first_missing: Option<Record>,
    /// The cells.
    pub values: Values,
}

/// Cells of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Numeric: numbers in the shared block.
    Numeric {
        /// Position within a row of the block.
        slot: usize,
    },
    /// Categorical.
    Categorical {
        /// For each row the index of its level in `levels`, or [`MISSING`].
        codes: Arc<Vec<u32>>,
        /// The distinct levels, in order of first appearance.
        levels: Vec<String>,
    },
}

/// Code of a missing level.
pub const MISSING: u32 = u32::MAX;

impl Table {
    /// Returns the column with the given name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Returns row i of the block of numbers.
    ///
    /// # Panics
    /// If i is out of range.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.numbers[i * self.width..(i + 1) * self.width]
    }

    /// Returns the rows with the given indices, in the given order. The records of missing cells
    /// are dropped.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        let numbers = rows.iter().flat_map(|&i| self.row(i)).copied().collect::<Vec<f64>>();
        let column = |column: &Column| {
            let (values, missing) = match &column.values {
                Values::Numeric { slot } => {
                    let absent = |&&i: &&usize| self.row(i)[*slot].is_nan();
                    (Values::Numeric { slot: *slot }, rows.iter().filter(absent).count())
                }
                Values::Categorical { codes, levels } => {
                    let codes: Vec<u32> = rows.iter().map(|&i| codes[i]).collect();
                    let missing = codes.iter().filter(|c| **c == MISSING).count();
                    (without_unused(codes, levels), missing)
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
            numbers: Arc::new(numbers),
            ..*self
        }
    }
}

impl Column {
    /// Returns the location of the first missing cell, or of the column if the cell is unknown.
    pub fn missing_place(&self, file: &str) -> Location {
        match &self.first_missing {
            Some(record) => Location::in_record(record, self.number, &self.name),
            None => Location::column(file, self.number, &self.name),
        }
    }
}

/// Categorical cells without the levels that no row has.
fn without_unused(mut codes: Vec<u32>, levels: &[String]) -> Values {
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
    Values::Categorical { codes: Arc::new(codes), levels: used }
}

/// The columns of sparse rows, by their numbers in the file, counted from 0. A model file stores
/// the number of columns, or a list, which readers before 1.5 refuse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum SparseColumns {
    /// The first n columns.
    First(usize),
    /// Few among very many columns, ascending.
    Listed(Vec<u32>),
}

impl SparseColumns {
    /// Returns the number of columns.
    pub fn count(&self) -> usize {
        match self {
            Self::First(count) => *count,
            Self::Listed(list) => list.len(),
        }
    }

    /// Returns the number of the j-th column in the file.
    ///
    /// # Panics
    /// If j is out of range.
    pub fn number(&self, j: usize) -> usize {
        match self {
            Self::First(_) => j,
            Self::Listed(list) => list[j] as usize,
        }
    }

    /// Returns the index j of the column with the given number.
    pub fn place(&self, number: usize) -> Option<usize> {
        match self {
            Self::First(count) => (number < *count).then_some(number),
            Self::Listed(list) => list.binary_search(&u32::try_from(number).ok()?).ok(),
        }
    }

    /// Whether a list ascends.
    pub fn is_sound(&self) -> bool {
        match self {
            Self::First(_) => true,
            Self::Listed(list) => list.windows(2).all(|pair| pair[0] < pair[1]),
        }
    }
}

impl From<usize> for SparseColumns {
    fn from(count: usize) -> Self {
        Self::First(count)
    }
}

/// Sparse rows with one label each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sparse {
    /// Name of the file.
    pub name: String,
    /// Number of rows n.
    pub rows: usize,
    /// Number of columns d: one more than the largest index, counted from 0, or the length of
    /// `listed`.
    pub cols: usize,
    /// The columns that occur, ascending and counted from 0, if they are few among very many
    /// numbers. Then `indices` are positions in this list.
    pub listed: Option<Vec<u32>>,
    /// n + 1 positions in `indices` and `values`.
    pub starts: Vec<usize>,
    /// Columns, counted from 0, ascending within a row.
    pub indices: Vec<u32>,
    /// Values of the pairs, finite and not zero.
    pub values: Reals,
    /// For each row the index of its label in `levels`.
    pub codes: Vec<u32>,
    /// The distinct labels as written, in order of first appearance.
    pub levels: Vec<String>,
    /// Index of the first column in the file: 0 or 1.
    pub base: u8,
    /// The query of each row ([`NO_QUERY`] for a row without one), if any row has one.
    pub queries: Option<Vec<i64>>,
    /// Number of explicit zeros that were dropped.
    pub zeros: u64,
}

impl Sparse {
    /// Returns the columns.
    pub fn columns(&self) -> SparseColumns {
        self.listed.clone().map_or(SparseColumns::First(self.cols), SparseColumns::Listed)
    }

    /// Renumbers the columns by position among those that occur, if those are far fewer: a model
    /// takes memory for every column.
    pub(crate) fn list_columns(&mut self) {
        /// Number of columns below which the memory is negligible.
        const FEW: usize = 1 << 16;
        if self.listed.is_some() || self.cols <= FEW {
            return;
        }
        let mut there;
        if self.cols / 32 <= self.indices.len() {
            // One bit per column takes no more memory than the indices.
            let mut bits = vec![0_u64; self.cols.div_ceil(64)];
            self.indices.iter().for_each(|&j| bits[j as usize / 64] |= 1 << (j % 64));
            let count: usize = bits.iter().map(|word| word.count_ones() as usize).sum();
            if count > self.cols / 4 {
                return;
            }
            there = Vec::with_capacity(count);
            let set = |j: &u32| bits[*j as usize / 64] >> (j % 64) & 1 == 1;
            there.extend((0..self.cols as u32).filter(set));
        } else {
            there = self.indices.clone();
            there.sort_unstable();
            there.dedup();
        }
        for j in &mut self.indices {
            *j = there.binary_search(j).expect("every index is in the list") as u32;
        }
        self.cols = there.len().max(1);
        if there.is_empty() {
            there.push(0);
        }
        self.listed = Some(there);
    }

    /// Numbers the columns like a model; returns the number of values in columns unknown to the
    /// model, which are dropped.
    pub fn renumber_for(&mut self, columns: &SparseColumns) -> u64 {
        let own = self.columns();
        if own == *columns {
            return 0;
        }
        let before = self.values.len();
        let mut kept = 0;
        for i in 0..self.rows {
            let range = self.starts[i]..self.starts[i + 1];
            self.starts[i] = kept;
            for at in range {
                if let Some(place) = columns.place(own.number(self.indices[at] as usize)) {
                    self.indices[kept] = place as u32;
                    self.values.copy(at, kept);
                    kept += 1;
                }
            }
        }
        self.starts[self.rows] = kept;
        self.indices.truncate(kept);
        self.values.truncate(kept);
        self.cols = columns.count();
        self.listed = match columns {
            SparseColumns::First(_) => None,
            SparseColumns::Listed(list) => Some(list.clone()),
        };
        (before - kept) as u64
    }

    /// Returns the rows with the given indices, in the given order.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        let mut out = Self {
            name: self.name.clone(),
            rows: rows.len(),
            starts: vec![0],
            indices: Vec::new(),
            values: self.values.select(rows.iter().map(|&i| self.starts[i]..self.starts[i + 1])),
            codes: rows.iter().map(|&i| self.codes[i]).collect(),
            levels: self.levels.clone(),
            listed: self.listed.clone(),
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

/// Query of a row without `qid:`.
pub const NO_QUERY: i64 = i64::MIN;
