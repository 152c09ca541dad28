//! Explanations of single predictions.

use crate::error::Error;
use crate::explain::{Explain as Explainer, Explanation};
use crate::labels::LabelMap;
use crate::model_file::ModelFile;
use crate::scoring::Scoring;
use linsep_core::Label;
use linsep_core::control::literal;
use linsep_io::{Force, ReadOptions, Source};
use serde::{Deserialize, Serialize};

/// Rows that are explained by default, from the first.
const FIRST: usize = 3;

/// Request for explanations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Explain {
    /// Rows to explain, counted from 0 [default: the first three].
    pub rows: Vec<usize>,
    /// Class to compare with, and class of the counterfactuals [default: the runner-up].
    pub against: Option<Label>,
    /// Columns that may change in counterfactuals; all if empty.
    pub allow: Vec<String>,
    /// Largest number of contributions and changes.
    pub top: usize,
    /// Target column [default: as in training, if present].
    pub target: Option<String>,
    /// Classes of the data to rename to those of the model, as `OLD=NEW`.
    pub label_map: Vec<String>,
}

impl Default for Explain {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            against: None,
            allow: Vec::new(),
            top: 10,
            target: None,
            label_map: Vec::new(),
        }
    }
}

/// Outcome: the explanations, with what their text needs of the model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ExplainOutcome {
    /// Name of the data.
    pub data: String,
    /// Number of rows of the data.
    pub rows: usize,
    /// The classes of the model.
    pub classes: Vec<Label>,
    /// Decision threshold of two classes, and its probability if the model has probabilities.
    pub threshold: (f64, Option<f64>),
    /// Whether lengths are in standard deviations, and contributions relative to the means; else
    /// the features have no known scale.
    pub standardized: bool,
    /// Whether there are categorical columns.
    pub categorical: bool,
    /// Largest number of contributions and changes.
    pub top: usize,
    /// The explanations.
    pub explained: Vec<Explanation>,
    /// Rows without an explanation, as a value is missing, counted from 0.
    pub unscored: Vec<usize>,
}

impl Explain {
    /// Explains rows of a source. `file` is the name of the model.
    pub fn run(
        &self,
        model_file: &ModelFile,
        file: &str,
        source: Source,
        read: &ReadOptions,
    ) -> Result<ExplainOutcome, Error> {
        let (model, name) = (&model_file.model, source.name().to_owned());
        let classes = model.classes();
        let index = |got: &Label| {
            classes.iter().position(|class| class == got).ok_or_else(|| {
                linsep_core::Error::UnknownClass { got: got.clone(), known: classes.to_vec() }
            })
        };
        let explainer = Explainer {
            model_file,
            against: self.against.as_ref().map(index).transpose()?,
            allow: (!self.allow.is_empty()).then_some(&self.allow[..]),
            most: self.top,
        };
        explainer.check(file)?;
        let first: Vec<usize> = (0..FIRST).collect();
        let wanted = if self.rows.is_empty() { &first } else { &self.rows };
        let scoring = Scoring {
            model_file,
            projection: None,
            read,
            labels: true,
            target: self.target.as_deref(),
            counts: &[],
            weights: None,
            map: &LabelMap::onto(&self.label_map, classes)?,
        };
        let (picked, rows) = scoring.pick(source, wanted)?;
        if let Some(&row) = self.rows.iter().find(|row| **row >= rows) {
            return Err(Error::Request(format!(
                "`row={}`: {} has only {rows} row{}, counted from 1",
                row + 1,
                literal(&name),
                if rows == 1 { "" } else { "s" }
            )));
        }
        let (mut explained, mut unscored) = (Vec::new(), Vec::new());
        for picked in &picked {
            match explainer.row(picked)? {
                Some(explanation) => explained.push(explanation),
                None => unscored.push(picked.row),
            }
        }
        let recipe = &model_file.header.recipe;
        let categorical = recipe.steps.iter().any(|step| step.reads() == Force::Categorical);
        let threshold = model.operating_point().threshold;
        Ok(ExplainOutcome {
            data: name,
            rows,
            classes: classes.to_vec(),
            threshold: (threshold, model.probability_at(threshold)),
            standardized: recipe.pairs.is_none(),
            categorical,
            top: self.top,
            explained,
            unscored,
        })
    }
}
