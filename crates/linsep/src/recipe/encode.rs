//! Encoding of a table by a recipe.
//!
//! Columns are matched by name. A table without header, but with as many columns as the recipe has
//! steps, is matched by position. If every column gives one feature, the numbers of the table
//! become the design matrix in place, without a copy. The design matrix is sparse if the number of
//! features is more than four times the number of columns.

use super::{Encoding, MissingPolicy, TableRecipe};
use crate::error::Error;
use linsep_core::Design;
use linsep_io::location::Location;
use linsep_io::table::{Column, MISSING, Table, Values};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Scale of the encoded numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// Raw units, for scoring.
    Raw,
    /// Standardized, (x − μ)/σ, for training.
    Standard,
}

/// Counts of irregular cells, by column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Missing cells.
    pub missing: BTreeMap<String, u64>,
    /// Levels not seen in training.
    pub unseen: BTreeMap<String, u64>,
}

impl Counts {
    /// Adds the counts of another table.
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

/// An encoded table.
#[derive(Debug)]
pub struct Encoded {
    /// The design matrix of the kept rows; `None` if no row was kept.
    pub x: Option<Design>,
    /// Whether each row of the table was kept.
    pub kept: Vec<bool>,
    /// Counts of irregular cells.
    pub counts: Counts,
}

/// A step with its column of the table.
struct Bound<'a> {
    /// First feature of the step.
    at: usize,
    column: &'a Column,
    work: Work<'a>,
}

enum Work<'a> {
    Number {
        slot: usize,
        mean: f64,
        by: Shift,
        indicator: bool,
    },
    /// Offset from `at` of the feature of each level of the column.
    Words {
        codes: &'a [u32],
        places: Vec<Option<u32>>,
        missing: Option<u32>,
    },
}

/// (x − μ)/σ in a unit that avoids overflow of x − μ.
#[derive(Clone, Copy, PartialEq)]
struct Shift {
    /// A power of two; 1 except for huge columns.
    unit: f64,
    mean: f64,
    scale: f64,
}

impl Shift {
    const NONE: Self = Self { unit: 1.0, mean: 0.0, scale: 1.0 };

    fn new(mean: f64, scale: f64) -> Self {
        const HUGE: f64 = 1e290;
        const SMALLER: f64 = 1.0 / 16.0;
        let unit = if mean.abs().max(scale) > HUGE { SMALLER } else { 1.0 };
        Self { unit, mean: mean * unit, scale: scale * unit }
    }

    #[inline]
    fn of(self, x: f64) -> f64 {
        (x * self.unit - self.mean) / self.scale
    }
}

impl TableRecipe {
    /// Encodes the table.
    pub fn encode(&self, table: Table, scaling: Scaling) -> Result<Encoded, Error> {
        let bound = self.bind(&table, scaling)?;
        let mut counts = Counts::default();
        let missing: Vec<&Bound<'_>> = bound.iter().filter(|b| b.column.missing > 0).collect();
        for b in &missing {
            counts.missing.insert(b.column.name.clone(), b.column.missing as u64);
        }

        // 1. The rows to keep.
        let mut kept = vec![true; table.rows];
        match (self.missing, missing.first()) {
            (MissingPolicy::Error, Some(first)) => {
                return Err(Error::MissingCell {
                    place: Box::new(first.column.missing_place(&table.name)),
                    want: "a value",
                    hint: "Fill it in, or fit with `missing=impute` or `missing=drop`.",
                });
            }
            (MissingPolicy::Drop, Some(_)) => {
                for b in &missing {
                    for (i, kept) in kept.iter_mut().enumerate() {
                        *kept &= !b.is_missing(&table, i);
                    }
                }
            }
            _ => {}
        }
        let rows = kept.iter().filter(|kept| **kept).count();
        if rows == 0 {
            return Ok(Encoded { x: None, kept, counts });
        }

        // 2. Levels not seen in training, in the kept rows.
        for b in &bound {
            let unseen = b.unseen(&kept);
            if unseen > 0 {
                counts.unseen.insert(b.column.name.clone(), unseen);
            }
        }

        // 3. The features.
        let width = self.width();
        let name = table.name.clone();
        // Each column gives one nonzero feature, or rarely two.
        let x = if bound.len() * 4 < width {
            sparse(&table, &bound, &kept, width)
        } else if only_numbers(&bound) {
            let works: Vec<Work<'static>> = bound.iter().map(|b| b.work.detached()).collect();
            drop(bound);
            Design::dense(rows, width, in_place(table, &works, &kept))
        } else {
            dense(&table, &bound, &kept, width)
        };
        let x =
            x.map_err(|source| Error::Core { place: Box::new(Location::file(&name)), source })?;
        Ok(Encoded { x: Some(x), kept, counts })
    }

    /// Returns an upper bound on the bytes of the encoded table, including temporary memory.
    pub(crate) fn bytes(&self, table: &Table) -> u128 {
        let (rows, columns, width) =
            (table.rows as u128, self.steps.len() as u128, self.width() as u128);
        // A sparse entry has a value and an index, and at first takes twice that.
        if columns * 4 < width { rows * columns * 24 } else { rows * width * 8 }
    }

    /// Returns the column of each step: by name, or by position if the table has no header and as
    /// many columns as there are steps.
    pub(crate) fn columns<'a>(&self, table: &'a Table) -> Result<Vec<&'a Column>, Error> {
        if !table.header && table.columns.len() == self.steps.len() {
            return Ok(table.columns.iter().collect());
        }
        let by_name: HashMap<&str, &Column> =
            table.columns.iter().map(|column| (column.name.as_str(), column)).collect();
        let find = |name: &String| by_name.get(name.as_str()).copied();
        let found = self
            .steps
            .iter()
            .map(|s| find(&s.name).ok_or_else(|| Error::no_column(table, &s.name)));
        found.collect()
    }

    fn bind<'a>(&'a self, table: &'a Table, scaling: Scaling) -> Result<Vec<Bound<'a>>, Error> {
        let mut at = 0;
        let mut bound = Vec::with_capacity(self.steps.len());
        for (step, column) in self.steps.iter().zip(self.columns(table)?) {
            let work = match (&step.encoding, &column.values) {
                (Encoding::Number { mean, scale, indicator }, Values::Numeric { slot }) => {
                    let by = match scaling {
                        Scaling::Standard if self.standardized => Shift::new(*mean, *scale),
                        _ => Shift::NONE,
                    };
                    let (slot, mean, indicator) = (*slot, *mean, *indicator);
                    Work::Number { slot, mean, by, indicator }
                }
                (Encoding::Number { .. }, Values::Categorical { levels, .. }) => {
                    let place = Location::column(&table.name, column.number, &column.name);
                    let found = levels.first().cloned().unwrap_or_default();
                    return Err(Error::ExpectedNumeric { place: Box::new(place), found });
                }
                (
                    Encoding::Category { levels, missing },
                    Values::Categorical { codes, levels: own },
                ) => {
                    let known: HashMap<&str, u32> =
                        levels.iter().map(String::as_str).zip(0..).collect();
                    let places =
                        own.iter().map(|level| known.get(level.as_str()).copied()).collect();
                    let missing = missing.then_some(levels.len() as u32);
                    Work::Words { codes, places, missing }
                }
                (Encoding::Hashed { buckets }, Values::Categorical { codes, levels }) => {
                    let places = levels.iter().map(|level| Some(bucket(level, *buckets))).collect();
                    Work::Words { codes, places, missing: None }
                }
                (_, Values::Numeric { .. }) => {
                    let place = Location::column(&table.name, column.number, &column.name);
                    return Err(Error::ExpectedCategorical { place: Box::new(place) });
                }
            };
            bound.push(Bound { at, column, work });
            at += step.encoding.width();
        }
        Ok(bound)
    }
}

impl Work<'_> {
    /// Returns the same work without a borrow of the table; only valid for numbers.
    fn detached(&self) -> Work<'static> {
        match *self {
            Work::Number { slot, mean, by, indicator } => {
                Work::Number { slot, mean, by, indicator }
            }
            Work::Words { missing, .. } => Work::Words { codes: &[], places: Vec::new(), missing },
        }
    }
}

impl Bound<'_> {
    fn is_missing(&self, table: &Table, i: usize) -> bool {
        match &self.work {
            Work::Number { slot, .. } => table.row(i)[*slot].is_nan(),
            Work::Words { codes, .. } => codes[i] == MISSING,
        }
    }

    /// Returns the number of cells in kept rows with a level not seen in training.
    fn unseen(&self, kept: &[bool]) -> u64 {
        let Work::Words { codes, places, .. } = &self.work else { return 0 };
        if places.iter().all(Option::is_some) {
            return 0;
        }
        let unknown = |c: u32| c != MISSING && places[c as usize].is_none();
        codes.iter().zip(kept).filter(|(c, kept)| **kept && unknown(**c)).count() as u64
    }

    /// Stores the features of row i.
    #[inline]
    fn put(&self, table: &Table, i: usize, mut put: impl FnMut(usize, f64)) {
        match &self.work {
            Work::Number { slot, mean, by, indicator } => {
                let x = table.numbers[i * table.width + slot];
                let missing = x.is_nan();
                put(self.at, by.of(if missing { *mean } else { x }));
                if *indicator && missing {
                    put(self.at + 1, 1.0);
                }
            }
            Work::Words { codes, places, missing } => {
                let place = match codes[i] {
                    MISSING => *missing,
                    code => places[code as usize],
                };
                if let Some(place) = place {
                    put(self.at + place as usize, 1.0);
                }
            }
        }
    }
}

/// Whether each column gives one feature, in the order of the table: then the numbers of the table
/// can become the design matrix in place.
fn only_numbers(bound: &[Bound<'_>]) -> bool {
    let slots: Option<Vec<usize>> = bound
        .iter()
        .map(|b| match b.work {
            Work::Number { slot, indicator: false, .. } => Some(slot),
            _ => None,
        })
        .collect();
    slots.is_some_and(|slots| slots.is_sorted_by(|a, b| a < b))
}

/// Converts the numbers of the table to the design matrix in place. Each value stays or moves
/// towards the front, so no value is overwritten before it is read.
fn in_place(table: Table, works: &[Work<'static>], kept: &[bool]) -> Vec<f64> {
    let (width, mut numbers) = (table.width, table.numbers);
    let mut slots = Vec::new();
    let mut changes = Vec::new();
    for work in works {
        let Work::Number { slot, mean, by, .. } = *work else { continue };
        slots.push(slot);
        changes.push((mean, by));
    }
    // Adjacent columns move together, and the identity transformation is skipped.
    let spans: Vec<Range<usize>> =
        slots.chunk_by(|a, b| a + 1 == *b).map(|s| s[0]..s[s.len() - 1] + 1).collect();
    let whole = table.columns.iter().all(|column| column.missing == 0);
    let as_they_are = whole && changes.iter().all(|&(_, by)| by == Shift::NONE);
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
            for (x, (mean, by)) in numbers[start..end].iter_mut().zip(&changes) {
                *x = by.of(if x.is_nan() { *mean } else { *x });
            }
        }
    }
    numbers.truncate(end);
    numbers
}

fn dense(
    table: &Table,
    bound: &[Bound<'_>],
    kept: &[bool],
    width: usize,
) -> Result<Design, linsep_core::Error> {
    let rows: Vec<usize> = (0..table.rows).filter(|&i| kept[i]).collect();
    let mut values = vec![0.0; rows.len() * width];
    for (&i, row) in rows.iter().zip(values.chunks_exact_mut(width)) {
        for b in bound {
            b.put(table, i, |j, v| row[j] = v);
        }
    }
    Design::dense(rows.len(), width, values)
}

fn sparse(
    table: &Table,
    bound: &[Bound<'_>],
    kept: &[bool],
    width: usize,
) -> Result<Design, linsep_core::Error> {
    let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in (0..table.rows).filter(|&i| kept[i]) {
        for b in bound {
            b.put(table, i, |j, v| {
                if v != 0.0 {
                    indices.push(j as u32);
                    values.push(v);
                }
            });
        }
        starts.push(indices.len());
    }
    Design::sparse(width, starts, indices, values)
}

/// Returns the feature of a hashed level: FNV-1a over its bytes with a final mix, the same on every
/// machine.
fn bucket(word: &str, buckets: u32) -> u32 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    for byte in word.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (((hash >> 32) * u64::from(buckets)) >> 32) as u32
}
