//! The preprocessing recipe: the map from the columns of a table to the features of a hyperplane.
//! It is fitted once, stored with the model, and applied unchanged to all further rows.
//!
//! | column | features |
//! |---|---|
//! | numeric | the number, imputed by the mean if missing, and then a missing indicator (0 or 1) |
//! | categorical, few levels | one-hot encoding, missing is a level; zeros for unseen levels |
//! | categorical, many levels | feature hashing; zeros for missing |
//! | constant, or distinct in every row | dropped, with a note |
//!
//! Numbers are standardized for training: (x − μ)/σ. The hyperplanes are transformed back after
//! training, so a model scores the numbers as given, with coefficients in raw units.
//!
//! A recipe is plain data and contains no code.

mod content_type;
mod encode;
mod learn;
mod reference;
mod scale_problem;

pub(crate) use content_type::{ContentType, content_type};
pub use encode::{Counts, Encoded, Scaling};
pub use learn::RecipeSettings;
pub(crate) use learn::{Roles, is_row_number};
pub use reference::Reference;
pub(crate) use scale_problem::ScaleProblem;

use crate::model_file::float;
use linsep_core::features::Standardization;
use linsep_core::{Hyperplane, LinearModel};
use linsep_io::table::SparseColumns;
use serde::{Deserialize, Serialize};

/// Policy for missing values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingPolicy {
    /// Numbers: mean imputation and a missing indicator. Categories: missing is a level.
    #[default]
    Impute,
    /// Missing values are an error.
    Error,
    /// Rows with missing values are dropped.
    Drop,
}

impl MissingPolicy {
    /// All policies.
    pub const ALL: [Self; 3] = [Self::Impute, Self::Error, Self::Drop];

    /// Returns the name, the same in every interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Impute => "impute",
            Self::Error => "error",
            Self::Drop => "drop",
        }
    }
}

/// Format of a row, and its encoding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Recipe {
    /// A table with columns.
    Table(TableRecipe),
    /// Index:value pairs, used unchanged.
    Sparse {
        /// The columns in use.
        columns: SparseColumns,
        /// Index of the first column: 0 or 1.
        base: u8,
    },
}

/// Encoding of the columns of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableRecipe {
    /// Name of the target column; empty if there are count columns.
    pub target: String,
    /// Names of the count columns, one per class, if any; since 1.2.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<String>,
    /// Name of the column with the sample weights, if any.
    pub weights: Option<String>,
    /// Whether the names are from the file.
    pub header: bool,
    /// Policy for missing values.
    pub missing: MissingPolicy,
    /// Whether numbers were standardized for training.
    #[serde(rename = "standardised")]
    pub standardized: bool,
    /// The columns in use, in order.
    pub steps: Vec<Step>,
    /// The dropped columns.
    pub left_out: Vec<DroppedColumn>,
}

/// A column of the table and its encoding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Name of the column.
    pub name: String,
    /// Encoding of the column.
    #[serde(flatten)]
    pub encoding: Encoding,
}

/// Encoding of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "encoding", rename_all = "kebab-case")]
pub enum Encoding {
    /// The number, optionally with a missing indicator.
    Number {
        /// Mean in training, imputed for missing values.
        #[serde(with = "float")]
        mean: f64,
        /// Standard deviation in training, or 1 if the column is constant.
        #[serde(with = "float")]
        scale: f64,
        /// Whether there is a missing indicator.
        indicator: bool,
    },
    /// One-hot encoding.
    Category {
        /// The levels, sorted.
        levels: Vec<String>,
        /// Whether missing is a level, too.
        missing: bool,
    },
    /// Feature hashing of the levels.
    Hashed {
        /// Number of features.
        buckets: u32,
    },
}

impl Encoding {
    /// Returns the number of features.
    pub fn width(&self) -> usize {
        match self {
            Self::Number { indicator, .. } => 1 + usize::from(*indicator),
            Self::Category { levels, missing } => levels.len() + usize::from(*missing),
            Self::Hashed { buckets } => *buckets as usize,
        }
    }
}

/// A dropped column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedColumn {
    /// Name of the column.
    pub name: String,
    /// The reason, in the notation of messages.
    pub why: String,
}

impl TableRecipe {
    /// Returns the number of features.
    pub fn width(&self) -> usize {
        self.steps.iter().map(|step| step.encoding.width()).sum()
    }

    /// Returns μ and σ of every feature; 0 and 1 for features that are not standardized.
    pub fn standardization(&self) -> Standardization {
        let (mut mean, mut scale) = (vec![0.0; self.width()], vec![1.0; self.width()]);
        let mut at = 0;
        for step in self.steps.iter().filter(|_| self.standardized) {
            if let Encoding::Number { mean: m, scale: s, .. } = step.encoding {
                (mean[at], scale[at]) = (m, s);
            }
            at += step.encoding.width();
        }
        Standardization { mean, scale }
    }

    /// Returns the names of the features.
    pub fn features(&self) -> impl Iterator<Item = String> {
        self.steps.iter().flat_map(|step| (0..step.encoding.width()).map(|j| step.part(j)))
    }
}

impl Step {
    /// Returns the name of feature j of this step.
    fn part(&self, j: usize) -> String {
        let name = &self.name;
        match &self.encoding {
            Encoding::Number { .. } if j == 0 => name.clone(),
            Encoding::Number { .. } => format!("{name}=missing"),
            Encoding::Category { levels, .. } => match levels.get(j) {
                Some(level) => format!("{name}={level}"),
                None => format!("{name}=missing"),
            },
            Encoding::Hashed { .. } => format!("{name}#{j}"),
        }
    }
}

impl Recipe {
    /// Returns the number of features.
    pub fn width(&self) -> usize {
        match self {
            Self::Table(table) => table.width(),
            Self::Sparse { columns, .. } => columns.count(),
        }
    }

    /// Returns the names of the features.
    pub fn features(&self) -> Vec<String> {
        match self {
            Self::Table(table) => table.features().collect(),
            Self::Sparse { columns, base } => {
                let name = |j| (columns.number(j) + usize::from(*base)).to_string();
                (0..columns.count()).map(name).collect()
            }
        }
    }

    /// Returns the name of the target column; `None` for index:value pairs and count columns.
    pub fn target(&self) -> Option<&str> {
        match self {
            Self::Table(table) if !table.target.is_empty() => Some(&table.target),
            Self::Table(_) | Self::Sparse { .. } => None,
        }
    }

    /// Returns μ and σ of every feature; `None` for index:value pairs.
    pub fn standardize(&self) -> Option<Standardization> {
        match self {
            Self::Sparse { .. } => None,
            Self::Table(table) => Some(table.standardization()),
        }
    }

    /// Converts a model over standardized features to raw units.
    pub fn to_raw_units(&self, model: &LinearModel) -> Result<LinearModel, linsep_core::Error> {
        match self.standardize() {
            None => Ok(model.clone()),
            Some(by) => model.map_hyperplanes(|hyperplane| by.to_raw_units(hyperplane)),
        }
    }

    /// Converts a hyperplane in raw units to standardized features.
    pub fn to_standardized(&self, hyperplane: &Hyperplane) -> Hyperplane {
        self.standardize().map_or_else(|| hyperplane.clone(), |by| by.to_standardized(hyperplane))
    }
}

#[cfg(test)]
mod tests;
