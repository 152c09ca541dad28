//! Encoding of rows by a recipe.
//!
//! Columns are matched by name. A table without header, but with as many columns as the recipe
//! reads, is matched by position. If every step replaces one number by one number, the numbers of
//! the table become the design matrix in place, without a copy. The design matrix is sparse if the
//! number of features is more than four times the usual number of nonzero features of a row.

use super::step::{Affine, Block, Cells, Encoder, Features, Scaling};
use super::{MissingPolicy, Recipe, Step};
use crate::error::Error;
use linsep_core::Design;
use linsep_io::input::Input;
use linsep_io::table::{Column, MISSING, Table, Values};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// Counts of irregular cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Missing cells, by column.
    pub missing: BTreeMap<String, u64>,
    /// Levels not seen in training, by column.
    pub unseen: BTreeMap<String, u64>,
}

impl Counts {
    /// Adds the counts of other rows.
    pub fn add(&mut self, other: &Self) {
        for (total, part) in
            [(&mut self.missing, &other.missing), (&mut self.unseen, &other.unseen)]
        {
            for (name, n) in part {
                *total.entry(name.clone()).or_default() += n;
            }
        }
    }
}

/// Encoded rows.
#[derive(Debug)]
pub struct Encoded {
    /// The design matrix of the kept rows; `None` if no row was kept.
    pub x: Option<Design>,
    /// Whether each row was kept.
    pub kept: Vec<bool>,
    /// Counts of irregular cells.
    pub counts: Counts,
    /// Number of index:value pairs with an index unknown to the recipe.
    pub unknown_values: u64,
}

/// A step, bound to its columns of a table.
struct Bound<'a> {
    /// Index of its first feature.
    first: usize,
    encode: Encoder<'a>,
    /// Number of cells with levels not seen in training.
    unseen: u64,
}

impl Recipe {
    /// Encodes rows.
    pub fn encode(&self, input: Input, scaling: Scaling) -> Result<Encoded, Error> {
        match (&self.pairs, input) {
            (None, Input::Table(table)) => self.encode_table(table, scaling),
            (Some(pairs), Input::Sparse(sparse)) => pairs.encode(Arc::unwrap_or_clone(sparse)),
            (_, other) => Err(self.other_kind(&other)),
        }
    }

    fn encode_table(&self, table: Table, scaling: Scaling) -> Result<Encoded, Error> {
        let scaling = if self.standardized { scaling } else { Scaling::Raw };
        let columns = self.columns_of(&table)?;
        let cells = self.cells(&table, &columns);
        let mut bound = self.bind(&cells, scaling)?;
        let missing: Vec<&Column> = columns.into_iter().filter(|c| c.missing > 0).collect();
        let mut counts = Counts::default();
        for column in &missing {
            counts.missing.insert(column.name.clone(), column.missing as u64);
        }

        // 1. The rows to keep.
        let mut kept = vec![true; table.rows];
        match (self.missing, missing.first()) {
            (MissingPolicy::Error, Some(first)) => {
                let hint = "Fill it in, or fit with `missing=impute` or `missing=drop`.";
                return Err(Error::missing_cell(&table, first, "a value", hint));
            }
            (MissingPolicy::Drop, Some(_)) => {
                for column in &missing {
                    for (i, kept) in kept.iter_mut().enumerate() {
                        *kept &= !is_missing(&table, column, i);
                    }
                }
            }
            _ => {}
        }
        let rows: Vec<usize> = (0..table.rows).filter(|&i| kept[i]).collect();
        if rows.is_empty() {
            return Ok(Encoded { x: None, kept, counts, unknown_values: 0 });
        }

        // 2. The features.
        let (width, name) = (self.width(), table.name.clone());
        let sparse = self.is_sparse();
        let x = if let Some(changes) = self.changes(&cells, scaling).filter(|_| !sparse) {
            drop(bound);
            Design::dense(rows.len(), width, in_place(table, &changes, &kept))
        } else {
            let encode = if sparse { encode_sparse } else { encode_dense };
            let x = encode(&mut bound, &rows, width);
            let unseen = bound.iter().zip(&cells).filter(|(b, _)| b.unseen > 0);
            counts.unseen = unseen.map(|(b, cells)| (cells.name(), b.unseen)).collect();
            x
        };
        let x = x.map_err(Error::core(&name))?;
        Ok(Encoded { x: Some(x), kept, counts, unknown_values: 0 })
    }

    /// Whether tables become sparse design matrices.
    fn is_sparse(&self) -> bool {
        self.nonzeros() * 4 < self.width()
    }

    /// Returns the usual number of nonzero features of a row of a table.
    fn nonzeros(&self) -> usize {
        self.steps.iter().map(|step| step.nonzeros()).sum()
    }

    /// Returns an upper bound on the bytes of the encoded table, including temporary memory.
    pub(crate) fn bytes(&self, table: &Table) -> u128 {
        let (rows, width) = (table.rows as u128, self.width() as u128);
        // A sparse entry has a value and an index, and at first takes twice that.
        if self.is_sparse() { rows * self.nonzeros() as u128 * 24 } else { rows * width * 8 }
    }

    /// Returns the columns of a table that the recipe reads: by name, or by position if the table
    /// has no header and as many columns as the recipe reads.
    fn columns_of<'a>(&self, table: &'a Table) -> Result<Vec<&'a Column>, Error> {
        let names = self.columns();
        if !table.header && table.columns.len() == names.len() {
            return Ok(table.columns.iter().collect());
        }
        let by_name: HashMap<&str, &Column> =
            table.columns.iter().map(|column| (column.name.as_str(), column)).collect();
        let find = |name| by_name.get(name).copied().ok_or_else(|| Error::no_column(table, name));
        names.into_iter().map(|(name, _)| find(name)).collect()
    }

    /// Returns the cells of each step; `columns` are those of [`Recipe::columns_of`].
    fn cells<'a>(&self, table: &'a Table, columns: &[&'a Column]) -> Vec<Cells<'a>> {
        let names = self.columns().into_iter().map(|(name, _)| name);
        let by_name: HashMap<&str, &Column> = names.zip(columns.iter().copied()).collect();
        let own = |name: &String| by_name[name.as_str()];
        let cells =
            |columns: &[String]| Cells { table, columns: columns.iter().map(own).collect() };
        self.steps.iter().map(|step| cells(step.columns())).collect()
    }

    /// Returns the cells of each step in a table.
    pub(crate) fn cells_of<'a>(&self, table: &'a Table) -> Result<Vec<Cells<'a>>, Error> {
        Ok(self.cells(table, &self.columns_of(table)?))
    }

    fn bind<'a>(&'a self, cells: &[Cells<'a>], scaling: Scaling) -> Result<Vec<Bound<'a>>, Error> {
        let bind = |((step, features), cells): ((&'a dyn Step, Range<usize>), &Cells<'a>)| {
            let encode = step.encoder(cells, scaling)?;
            Ok(Bound { first: features.start, encode, unseen: 0 })
        };
        self.spans().zip(cells).map(bind).collect()
    }

    /// Returns the slot and the map of each step if the numbers of the table can become the design
    /// matrix in place: each step replaces one number, in the order of the table.
    fn changes(&self, cells: &[Cells<'_>], scaling: Scaling) -> Option<Vec<(usize, Affine)>> {
        let mut changes = Vec::with_capacity(cells.len());
        for (step, cells) in self.steps.iter().zip(cells) {
            match cells.columns[..] {
                [Column { values: Values::Numeric { slot }, .. }] => {
                    changes.push((*slot, step.affine(scaling)?));
                }
                _ => return None,
            }
        }
        changes.is_sorted_by(|(a, _), (b, _)| a < b).then_some(changes)
    }
}

fn is_missing(table: &Table, column: &Column, i: usize) -> bool {
    match &column.values {
        Values::Numeric { slot } => table.row(i)[*slot].is_nan(),
        Values::Categorical { codes, .. } => codes[i] == MISSING,
    }
}

/// Converts the numbers of the table to the design matrix in place. Each value stays or moves
/// towards the front, so no value is overwritten before it is read.
fn in_place(table: Table, changes: &[(usize, Affine)], kept: &[bool]) -> Vec<f64> {
    let (width, mut numbers) = (table.width, Arc::unwrap_or_clone(table.numbers));
    // Adjacent columns move together, and the identity transformation is skipped.
    let spans: Vec<Range<usize>> = changes
        .chunk_by(|(a, _), (b, _)| a + 1 == *b)
        .map(|s| s[0].0..s[s.len() - 1].0 + 1)
        .collect();
    let whole = table.columns.iter().all(|column| column.missing == 0);
    let as_they_are = whole && changes.iter().all(|(_, by)| by.is_identity());
    let mut end = 0;
    for i in (0..table.rows).filter(|&i| kept[i]) {
        let start = end;
        for span in &spans {
            let from = i * width + span.start..i * width + span.end;
            if from.start != end {
                numbers.copy_within(from, end);
            }
            end += span.len();
        }
        if !as_they_are {
            for (x, (_, by)) in numbers[start..end].iter_mut().zip(changes) {
                *x = by.of(*x);
            }
        }
    }
    numbers.truncate(end);
    numbers
}

/// Number of values of a block of rows, which stays in the cache while each step adds its features.
const BLOCK: usize = 1 << 12;

/// Encodes a block of rows, step by step.
fn encode_block(bound: &mut [Bound<'_>], rows: &[usize], block: Block<'_>) {
    let mut out = Features { first: 0, unseen: 0, block };
    for b in bound {
        (out.first, out.unseen) = (b.first, 0);
        (b.encode)(rows, &mut out);
        b.unseen += out.unseen;
    }
}

fn encode_dense(
    bound: &mut [Bound<'_>],
    rows: &[usize],
    width: usize,
) -> Result<Design, linsep_core::Error> {
    let mut values = vec![0.0; rows.len() * width];
    let most = BLOCK.div_ceil(width);
    for (rows, values) in rows.chunks(most).zip(values.chunks_mut(most * width)) {
        encode_block(bound, rows, Block::Dense { values, width });
    }
    Design::dense(rows.len(), width, values)
}

fn encode_sparse(
    bound: &mut [Bound<'_>],
    rows: &[usize],
    width: usize,
) -> Result<Design, linsep_core::Error> {
    let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    let most = BLOCK.div_ceil(bound.len());
    let mut entries = vec![Vec::new(); most.min(rows.len())];
    for rows in rows.chunks(most) {
        let entries = &mut entries[..rows.len()];
        encode_block(bound, rows, Block::Sparse(entries));
        for row in entries {
            indices.extend(row.iter().map(|(j, _)| j));
            values.extend(row.iter().map(|(_, v)| v));
            starts.push(indices.len());
            row.clear();
        }
    }
    Design::sparse(width, starts, indices, values)
}
