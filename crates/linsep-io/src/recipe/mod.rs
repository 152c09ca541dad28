//! The recipe: from the columns of a table to the numbers a plane takes, learned once, kept in the
//! model, applied the same way ever after.
//!
//! | column | becomes |
//! |---|---|
//! | numbers | the number; a missing one becomes the mean, and a further column says where (1) and where not (0) |
//! | few different words | one column per word, 1 where it stands; a missing word is a word of its own; a word never met in training is none of them |
//! | very many different words | as above, but words share columns by a fixed hash |
//! | the same everywhere, different everywhere | left out, and said so |
//!
//! While learning, numbers are standardised: (x − μ)/σ. That is folded back into the planes at the
//! end, so a model scores the numbers as they are and its weights are in their units.
//!
//! A recipe is plain data and has no code in it.

mod encode;
mod learn;
mod look;
mod poor;
mod reference;

pub use encode::{Counts, Encoded, Scaling};
pub use learn::RecipeSettings;
pub(crate) use learn::{Roles, counts_up};
pub(crate) use look::{Looks, look};
pub(crate) use poor::Poor;
pub use reference::Reference;

use crate::bundle::float;
use crate::table::SparseColumns;
use linsep::features::Standardise;
use linsep::{LinearModel, Plane};
use serde::{Deserialize, Serialize};

/// What to do about missing values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MissingPolicy {
    /// Numbers: the mean, and a column that says so. Words: a word of their own.
    #[default]
    Impute,
    /// Refuse them.
    Error,
    /// Leave the row out.
    Drop,
}

impl MissingPolicy {
    /// Every policy.
    pub const ALL: [Self; 3] = [Self::Impute, Self::Error, Self::Drop];

    /// The name used in every face.
    pub fn name(self) -> &'static str {
        match self {
            Self::Impute => "impute",
            Self::Error => "error",
            Self::Drop => "drop",
        }
    }
}

/// What a row looks like and how it becomes numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Recipe {
    /// A table with columns.
    Table(TableRecipe),
    /// Numbered pairs: taken as they are.
    Sparse {
        /// The columns there are.
        columns: SparseColumns,
        /// The number of the first: 0 or 1.
        base: u8,
    },
}

/// How the columns of a table become numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableRecipe {
    /// Name of the column with the classes; empty where there are counts.
    pub target: String,
    /// Names of the columns with counts, one per class, if there were such; since 1.2.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<String>,
    /// Name of the column with the sample weights, if there was one.
    pub weights: Option<String>,
    /// Whether the names came from the file.
    pub header: bool,
    /// What is done about missing values.
    pub missing: MissingPolicy,
    /// Whether numbers were standardised while learning.
    pub standardised: bool,
    /// The columns that are used, in order.
    pub steps: Vec<Step>,
    /// The columns that are not.
    pub left_out: Vec<LeftOut>,
}

/// One column of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// What becomes of it.
    #[serde(flatten)]
    pub encoding: Encoding,
}

/// What becomes of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "encoding", rename_all = "kebab-case")]
pub enum Encoding {
    /// The number itself, and perhaps a column that says where it is missing.
    Number {
        /// Mean in training: stands for missing values.
        #[serde(with = "float")]
        mean: f64,
        /// Standard deviation in training, or 1 where all numbers are the same.
        #[serde(with = "float")]
        scale: f64,
        /// Whether missing values are told by a column of their own.
        indicator: bool,
    },
    /// One column per word.
    Category {
        /// The words, sorted.
        levels: Vec<String>,
        /// Whether "missing" is a word too.
        missing: bool,
    },
    /// Words share so many columns by their hash.
    Hashed {
        /// How many.
        buckets: u32,
    },
}

impl Encoding {
    /// How many columns it becomes.
    pub fn width(&self) -> usize {
        match self {
            Self::Number { indicator, .. } => 1 + usize::from(*indicator),
            Self::Category { levels, missing } => levels.len() + usize::from(*missing),
            Self::Hashed { buckets } => *buckets as usize,
        }
    }
}

/// A column that is not used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// Why.
    pub why: String,
}

impl TableRecipe {
    /// Number of columns that come out.
    pub fn width(&self) -> usize {
        self.steps.iter().map(|step| step.encoding.width()).sum()
    }

    /// μ and σ of every column that comes out.
    pub fn standardise(&self) -> Standardise {
        let (mut mean, mut scale) = (vec![0.0; self.width()], vec![1.0; self.width()]);
        let mut at = 0;
        for step in self.steps.iter().filter(|_| self.standardised) {
            if let Encoding::Number { mean: m, scale: s, .. } = step.encoding {
                (mean[at], scale[at]) = (m, s);
            }
            at += step.encoding.width();
        }
        Standardise { mean, scale }
    }

    /// The names of the columns that come out.
    pub fn features(&self) -> impl Iterator<Item = String> {
        self.steps.iter().flat_map(|step| (0..step.encoding.width()).map(|j| step.part(j)))
    }
}

impl Step {
    /// The name of the j-th column that this one becomes.
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
    /// Number of columns that come out.
    pub fn width(&self) -> usize {
        match self {
            Self::Table(table) => table.width(),
            Self::Sparse { columns, .. } => columns.count(),
        }
    }

    /// The names of the columns that come out.
    pub fn features(&self) -> Vec<String> {
        match self {
            Self::Table(table) => table.features().collect(),
            Self::Sparse { columns, base } => {
                let name = |j| (columns.number(j) + usize::from(*base)).to_string();
                (0..columns.count()).map(name).collect()
            }
        }
    }

    /// The column with the classes; none where there are pairs or counts.
    pub fn target(&self) -> Option<&str> {
        match self {
            Self::Table(table) if !table.target.is_empty() => Some(&table.target),
            Self::Table(_) | Self::Sparse { .. } => None,
        }
    }

    /// What numbers were standardised by, if they were.
    pub fn standardise(&self) -> Option<Standardise> {
        match self {
            Self::Sparse { .. } => None,
            Self::Table(table) => Some(table.standardise()),
        }
    }

    /// The model over the numbers as they are, from one over the standardised ones.
    pub fn fold(&self, model: &LinearModel) -> Result<LinearModel, linsep::Error> {
        match self.standardise() {
            None => Ok(model.clone()),
            Some(by) => model.map_planes(|plane| by.fold(plane)),
        }
    }

    /// A plane over the standardised numbers, from one over the numbers as they are.
    pub fn unfold(&self, plane: &Plane) -> Plane {
        self.standardise().map_or_else(|| plane.clone(), |by| by.unfold(plane))
    }
}

#[cfg(test)]
mod tests;
