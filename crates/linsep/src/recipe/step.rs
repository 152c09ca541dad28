//! Steps of a recipe, behind one trait.
//!
//! A step maps the cells of one or several columns to features. It is fitted to a table, stored
//! in the model file under the name of its kind, and applied to blocks of rows:
//!
//! ```text
//!   fit:    column, weights, settings ─▶ step, or the reason to drop the column
//!   encode: rows × columns of the step ─▶ rows × features of the step
//! ```
//!
//! A step writes its features through [`Features`], which hides whether the design matrix is dense
//! or sparse. What a feature says about a cell ([`Meaning`]) is all that reference levels,
//! explanations, scorecards and data checks know of a step. A new step is a file in `steps/` and a
//! line in [`ALL`].

use super::RecipeSettings;
use super::steps::{
    bins, category, hashed, level_pair, level_slope, logarithm, number, product, spline, text,
};
use crate::error::Error;
use linsep_core::control::Note;
use linsep_core::features::ColumnStatistics;
use linsep_io::csv::Force;
use linsep_io::location::Location;
use linsep_io::table::{Column, Table, Values};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt::Debug;

/// All kinds of steps. A column is encoded by the first kind that applies to the column.
pub const ALL: &[StepKind] = &[
    #[cfg(test)]
    super::tests::square::KIND,
    logarithm::KIND,
    bins::KIND,
    spline::KIND,
    number::KIND,
    text::KIND,
    category::KIND,
    hashed::KIND,
    product::KIND,
    level_slope::KIND,
    level_pair::KIND,
];

/// Separator of the names of columns.
const BETWEEN: &str = " × ";

/// A kind of steps.
#[derive(Debug)]
pub struct StepKind {
    /// The name in the model file.
    pub name: &'static str,
    /// The adjective of the columns: numeric or categorical.
    pub adjective: &'static str,
    /// Description of the encoded columns, in the plural.
    pub title: &'static str,
    /// Fits a step to a column, or returns the reason to drop the column; `None` if this kind does
    /// not apply.
    pub learn: Learn,
    /// Parses the fields of a stored step; unknown fields are refused.
    pub load: fn(Value) -> serde_json::Result<Box<dyn Step>>,
}

/// Function that fits a step to a column. The last argument collects notes for the user.
pub type Learn = fn(&Sample<'_>, &Column, &mut Vec<Note>) -> Option<Result<Box<dyn Step>, String>>;

/// Data to which steps are fitted.
#[derive(Debug)]
pub struct Sample<'a> {
    /// The table.
    pub table: &'a Table,
    /// The sample weight of each row.
    pub weights: &'a [f64],
    /// Statistics of each numeric column, by slot.
    pub statistics: &'a [ColumnStatistics],
    /// Settings of the recipe.
    pub settings: &'a RecipeSettings,
}

/// Map from the cells of one or several columns to features.
pub trait Step: StepData + Debug + Send + Sync {
    /// Returns the kind of the step.
    fn kind(&self) -> &'static StepKind;

    /// Returns the names of the columns that the step reads.
    fn columns(&self) -> &[String];

    /// Returns the name of the step in output: its columns.
    fn name(&self) -> String {
        self.columns().join(BETWEEN)
    }

    /// Returns the type as which the columns are read.
    fn reads(&self) -> Force;

    /// Returns the number of features.
    fn width(&self) -> usize;

    /// Returns the usual number of nonzero features of a row.
    fn nonzeros(&self) -> usize {
        self.width()
    }

    /// Returns the name of feature j.
    fn feature(&self, j: usize) -> String;

    /// Returns what feature j says about the cell.
    fn meaning(&self, _j: usize) -> Meaning<'_> {
        Meaning::Derived
    }

    /// Returns μ and σ of feature j in training, if training may standardize the feature.
    fn units(&self, _j: usize) -> Option<(f64, f64)> {
        None
    }

    /// Binds the step to its columns of a table; returns the function that encodes rows.
    fn encoder<'a>(&'a self, cells: &Cells<'a>, scaling: Scaling) -> Result<Encoder<'a>, Error>;

    /// Returns the map of a step that replaces the number of each cell by one number. If all steps
    /// are of this form, the numbers of a table become the design matrix in place.
    fn affine(&self, _scaling: Scaling) -> Option<Affine> {
        None
    }
}

/// Stored form and copies of a step, the same for every type.
pub trait StepData {
    /// Returns the fields of the step.
    fn fields(&self) -> Value;

    /// Returns a copy.
    fn boxed(&self) -> Box<dyn Step>;
}

impl<T: Step + Clone + Serialize + 'static> StepData for T {
    fn fields(&self) -> Value {
        serde_json::to_value(self).expect("a step is plain data with string keys")
    }

    fn boxed(&self) -> Box<dyn Step> {
        Box::new(self.clone())
    }
}

/// Parses the fields of a step.
pub(super) fn load<T: Step + DeserializeOwned + 'static>(
    fields: Value,
) -> serde_json::Result<Box<dyn Step>> {
    serde_json::from_value::<T>(fields).map(|step| Box::new(step) as Box<dyn Step>)
}

/// What a feature says about a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning<'a> {
    /// The number of the cell; the mean in training if missing.
    Number,
    /// 1 if the cell has this level, else 0. Of the levels of a step at most one is 1.
    Level(&'a str),
    /// 1 if the cell has one of several levels that share the feature, else 0. Of the features of
    /// a step at most one is 1.
    SharedLevels,
    /// 1 if the cell is missing, else 0.
    Missing,
    /// A function of the cells that no single value explains.
    Derived,
}

impl dyn Step + '_ {
    /// Whether the features are a number and its missing indicator.
    pub fn has_indicator(&self) -> bool {
        self.width() == 2
            && (self.meaning(0), self.meaning(1)) == (Meaning::Number, Meaning::Missing)
    }

    /// Whether the features are indicators of which at most one is 1.
    pub fn is_choice(&self) -> bool {
        let indicates = |meaning| matches!(meaning, Meaning::Level(_) | Meaning::SharedLevels);
        self.width() > 0 && indicates(self.meaning(0))
    }

    /// Returns the levels of a one-hot encoded column, without the missing level; none for other
    /// steps.
    pub fn levels(&self) -> impl Iterator<Item = &str> {
        (0..self.width()).map_while(|j| match self.meaning(j) {
            Meaning::Level(level) => Some(level),
            _ => None,
        })
    }
}

/// Scale of the encoded numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// Raw units, for scoring.
    Raw,
    /// Standardized, (x − μ)/σ, for training.
    Standard,
}

/// The map x ↦ (x − μ)/σ or, in raw units, the identity; missing values are imputed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    /// The value imputed.
    imputed: f64,
    /// A power of two that avoids overflow of x − μ; 1 except for huge numbers.
    unit: f64,
    mean: f64,
    scale: f64,
}

impl Affine {
    /// Returns the map with mean μ, which is imputed as well, and standard deviation σ.
    pub fn new(mean: f64, scale: f64, scaling: Scaling) -> Self {
        const HUGE: f64 = 1e290;
        const SMALLER: f64 = 1.0 / 16.0;
        if scaling == Scaling::Raw {
            return Self { imputed: mean, unit: 1.0, mean: 0.0, scale: 1.0 };
        }
        let unit = if mean.abs().max(scale) > HUGE { SMALLER } else { 1.0 };
        Self { imputed: mean, unit, mean: mean * unit, scale: scale * unit }
    }

    /// Returns the image of a number; NaN is a missing value.
    #[inline]
    pub fn of(self, x: f64) -> f64 {
        let x = if x.is_nan() { self.imputed } else { x };
        (x * self.unit - self.mean) / self.scale
    }

    /// Whether every number that is not missing is its own image.
    pub(super) fn is_identity(self) -> bool {
        (self.unit, self.mean, self.scale) == (1.0, 0.0, 1.0)
    }
}

/// The columns of a step in a table.
#[derive(Clone, Debug)]
pub struct Cells<'a> {
    /// The table.
    pub table: &'a Table,
    /// The columns, in the order of the step.
    pub columns: Vec<&'a Column>,
}

impl<'a> Cells<'a> {
    /// Returns the names of the columns in the table.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        names.join(BETWEEN)
    }

    /// Returns the numbers of the c-th column by row, where NaN means missing, or an error if the
    /// column is categorical.
    pub fn numbers(&self, c: usize) -> Result<impl Fn(usize) -> f64 + use<'a>, Error> {
        let (table, column) = (self.table, self.columns[c]);
        match &column.values {
            Values::Numeric { slot } => {
                let (numbers, width, slot) = (&table.numbers[..], table.width, *slot);
                Ok(move |i: usize| numbers[i * width + slot])
            }
            Values::Categorical { levels, .. } => {
                Err(Error::expected_number(table, column, levels))
            }
        }
    }

    /// Returns the codes and the levels of the c-th column, or an error if the column is numeric.
    pub fn levels(&self, c: usize) -> Result<(&'a [u32], &'a [String]), Error> {
        let column = self.columns[c];
        match &column.values {
            Values::Categorical { codes, levels } => Ok((codes, levels)),
            Values::Numeric { .. } => {
                let place = Location::column(&self.table.name, column.number, &column.name);
                let problem = "expected a categorical column, as in training, found numbers.";
                Err(Error::data(place, problem))
            }
        }
    }
}

/// Function that encodes the rows with these indices in the table.
pub type Encoder<'a> = Box<dyn Fn(&[usize], &mut Features<'_>) + 'a>;

/// The features of a block of rows: written by the steps in order, stored dense or sparse.
#[derive(Debug)]
pub struct Features<'a> {
    /// Index of the first feature of the current step.
    pub(super) first: usize,
    /// Number of cells with levels not seen in training.
    pub(super) unseen: u64,
    pub(super) block: Block<'a>,
}

/// Storage of a block.
#[derive(Debug)]
pub(super) enum Block<'a> {
    /// Row-major values, zero at first.
    Dense { values: &'a mut [f64], width: usize },
    /// Index and value of the nonzero features of each row.
    Sparse(&'a mut [Vec<(u32, f64)>]),
}

impl Features<'_> {
    /// Stores feature j of the step for row k of the block. The features of a row are stored in
    /// ascending order, each at most once; the others are 0.
    #[inline]
    pub fn put(&mut self, k: usize, j: usize, v: f64) {
        let j = self.first + j;
        match &mut self.block {
            Block::Dense { values, width } => values[k * *width + j] = v,
            Block::Sparse(rows) => {
                if v != 0.0 {
                    rows[k].push((j as u32, v));
                }
            }
        }
    }

    /// Counts a cell with a level not seen in training.
    #[inline]
    pub fn count_unseen(&mut self) {
        self.unseen += 1;
    }
}

/// Key of the name of the kind in a stored step.
const KIND: &str = "encoding";

impl Serialize for dyn Step {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = Map::from_iter([(KIND.to_owned(), Value::from(self.kind().name))]);
        if let Value::Object(fields) = self.fields() {
            object.extend(fields);
        }
        object.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Box<dyn Step> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut object = Map::deserialize(from)?;
        let name = object.remove(KIND).ok_or_else(|| D::Error::missing_field(KIND))?;
        let kind = ALL.iter().find(|kind| name == kind.name);
        let kind = kind.ok_or_else(|| D::Error::custom(format!("unknown {KIND} {name}")))?;
        (kind.load)(Value::Object(object)).map_err(D::Error::custom)
    }
}

impl Clone for Box<dyn Step> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

impl PartialEq for dyn Step {
    fn eq(&self, other: &Self) -> bool {
        self.kind().name == other.kind().name && self.fields() == other.fields()
    }
}
