//! The preprocessing recipe: the map from the columns of a table to the features of a hyperplane.
//! It is fitted once, stored with the model, and applied unchanged to all further rows.
//!
//! | column | step |
//! |---|---|
//! | numeric | `number`: imputed by the mean if missing, and then a missing indicator (0 or 1) |
//! | categorical, few levels | `category`: one-hot encoding, zeros for unseen levels |
//! | categorical, many levels | `hashed`: feature hashing, zeros for missing |
//! | numeric, with [`FeatureMap`] | `logarithm`, `bins` or `spline` instead of `number` |
//! | several, with [`FeatureMap`] | `product`, `level-slope` or `level-pair`, as a further step |
//! | constant, or distinct in every row | none: dropped, with a note |
//!
//! A recipe is a list of [`Step`]s, whose kinds are registered in [`step::ALL`]. Index:value pairs
//! are features already: their recipe has no steps.
//!
//! Numbers are standardized for training: (x − μ)/σ. The hyperplanes are transformed back after
//! training, so a model scores the numbers as given, with coefficients in raw units.
//!
//! A recipe is plain data and contains no code.

mod content_type;
mod derive;
mod encode;
mod features;
mod learn;
mod pairs;
mod reference;
mod scale_problem;
pub mod step;
mod steps;

pub(crate) use content_type::{ContentType, content_type};
pub use encode::{Counts, Encoded};
pub use features::FeatureMap;
pub use learn::RecipeSettings;
pub use pairs::Pairs;
pub(crate) use pairs::sparse_design;
pub use reference::Reference;
pub(crate) use scale_problem::ScaleProblem;
pub use step::{Meaning, Scaling, Step, StepKind};
pub(crate) use steps::number::is_row_number;
#[cfg(test)]
pub(crate) use steps::{category::Category, hashed::Hashed, number::Number};

use crate::error::Error;
use linsep_core::features::Standardization;
use linsep_core::{Hyperplane, LinearModel};
use linsep_io::csv::Force;
use linsep_io::input::Input;
use linsep_io::location::Location;
use linsep_io::table::SparseColumns;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::ops::Range;
use step::ALL;

/// Description of index:value pairs, and of other data.
pub(crate) const LIBSVM: &str = "LIBSVM data";
const TABLE: &str = "a table with columns";

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

/// Map from the cells of a row to features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Name of the target column; empty for count columns and index:value pairs.
    pub target: String,
    /// Names of the count columns, one per class, if any.
    pub counts: Vec<String>,
    /// Name of the column with the sample weights, if any.
    pub weights: Option<String>,
    /// Whether the names are from the file.
    pub header: bool,
    /// Policy for missing values.
    pub missing: MissingPolicy,
    /// Whether numbers were standardized for training.
    pub standardized: bool,
    /// The steps, in the order of their features.
    pub steps: Vec<Box<dyn Step>>,
    /// The dropped columns.
    pub dropped: Vec<DroppedColumn>,
    /// The features of index:value pairs, which need no step; `None` for a table.
    pub pairs: Option<Pairs>,
}

/// A dropped column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedColumn {
    /// Name of the column.
    pub name: String,
    /// The reason, in the notation of messages.
    pub why: String,
}

impl Recipe {
    /// Returns the recipe of index:value pairs.
    pub fn of_pairs(columns: SparseColumns, base: u8) -> Self {
        Self { pairs: Some(Pairs { columns, base }), ..Self::default() }
    }

    /// Checks a stored recipe.
    pub(crate) fn check(&self) -> Result<(), String> {
        match &self.pairs {
            Some(pairs) if !pairs.columns.is_sound() => {
                Err("columns are not in ascending order".to_owned())
            }
            Some(_) if !self.steps.is_empty() => Err("index:value pairs have no steps".to_owned()),
            _ => Ok(()),
        }
    }

    /// Returns the number of features.
    pub fn width(&self) -> usize {
        match &self.pairs {
            Some(pairs) => pairs.columns.count(),
            None => self.steps.iter().map(|step| step.width()).sum(),
        }
    }

    /// Returns the names of the features.
    pub fn features(&self) -> Vec<String> {
        if let Some(pairs) = &self.pairs {
            return (0..self.width()).map(|j| pairs.index(j).to_string()).collect();
        }
        let names = self.steps.iter().map(|step| (0..step.width()).map(|j| step.feature(j)));
        names.flatten().collect()
    }

    /// Returns each step with the indices of its features.
    pub fn spans(&self) -> impl Iterator<Item = (&dyn Step, Range<usize>)> {
        self.steps.iter().scan(0, |end, step| {
            let first = *end;
            *end += step.width();
            Some((&**step, first..*end))
        })
    }

    /// Returns the steps in groups by a text of their kinds, in the order of the registry.
    pub fn groups(&self, by: fn(&StepKind) -> &'static str) -> Vec<(&'static str, Vec<&dyn Step>)> {
        let mut groups: Vec<(&str, Vec<&dyn Step>)> = Vec::new();
        for kind in ALL {
            let own = self.steps.iter().map(|step| &**step).filter(|s| s.kind().name == kind.name);
            match groups.iter_mut().find(|(text, _)| *text == by(kind)) {
                Some((_, steps)) => steps.extend(own),
                None => groups.push((by(kind), own.collect())),
            }
        }
        groups.retain(|(_, steps)| !steps.is_empty());
        groups
    }

    /// Returns the columns that the steps read, and the types as which the columns are read.
    pub fn columns(&self) -> Vec<(&str, Force)> {
        let (mut seen, mut columns) = (HashSet::new(), Vec::with_capacity(self.steps.len()));
        for step in &self.steps {
            let own = step.columns().iter().map(String::as_str).filter(|name| seen.insert(*name));
            columns.extend(own.map(|name| (name, step.reads())));
        }
        columns
    }

    /// Returns the name of the target column; `None` for index:value pairs and count columns.
    pub fn target(&self) -> Option<&str> {
        (!self.target.is_empty()).then_some(&*self.target)
    }

    /// Returns μ and σ of every feature in training; 0 and 1 for features that training never
    /// standardizes.
    pub fn units(&self) -> Standardization {
        let d = self.width();
        let mut units = Standardization { mean: vec![0.0; d], scale: vec![1.0; d] };
        for (step, features) in self.spans() {
            for j in features.clone() {
                if let Some((mean, scale)) = step.units(j - features.start) {
                    (units.mean[j], units.scale[j]) = (mean, scale);
                }
            }
        }
        units
    }

    /// Returns μ and σ of every feature; `None` if training did not standardize.
    pub fn standardize(&self) -> Option<Standardization> {
        self.standardized.then(|| self.units())
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

    /// Returns the error for data that are not of the kind of the training data.
    pub(crate) fn other_kind(&self, data: &Input) -> Error {
        let (found, want) = if self.pairs.is_some() { (TABLE, LIBSVM) } else { (LIBSVM, TABLE) };
        let problem = format!("expected {want}, as in training, found {found}.");
        Error::data(Location::file(data.name()), problem)
    }
}

#[cfg(test)]
mod tests;
