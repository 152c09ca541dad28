//! Fitting of a recipe to a table.

use super::features::FeatureMap;
use super::step::{ALL, Sample};
use super::{ContentType, DroppedColumn, MissingPolicy, Recipe, content_type};
use linsep_core::control::{Note, literal};
use linsep_core::features::column_statistics;
use linsep_core::text::TextSettings;
use linsep_io::table::{Column, Table, Values};
use serde::{Deserialize, Serialize};

/// Settings of a recipe.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecipeSettings {
    /// Policy for missing values.
    pub missing: MissingPolicy,
    /// Whether numbers are standardized for training.
    pub standardize: bool,
    /// A column with more levels than this is hashed.
    pub max_levels: usize,
    /// Number of features of a hashed column.
    pub buckets: u32,
    /// Columns used as features; all columns if empty.
    pub only: Vec<String>,
    /// Categorical columns that are used whatever their levels look like.
    pub keep: Vec<String>,
    /// Columns of free text.
    pub text: Vec<String>,
    /// Settings of the n-grams of free text.
    pub ngrams: TextSettings,
    /// Nonlinear features of columns.
    pub features: Vec<FeatureMap>,
}

impl Default for RecipeSettings {
    fn default() -> Self {
        Self {
            missing: MissingPolicy::Impute,
            standardize: true,
            max_levels: 1_000,
            buckets: 4_096,
            only: Vec::new(),
            keep: Vec::new(),
            text: Vec::new(),
            ngrams: TextSettings::default(),
            features: Vec::new(),
        }
    }
}

impl Recipe {
    /// Fits a step to each column of a table other than target, counts and weights; returns the
    /// recipe and notes for the user. Columns that look like text are encoded if there are no
    /// others.
    pub(crate) fn fit(
        self,
        table: &Table,
        weights: &[f64],
        settings: &RecipeSettings,
    ) -> (Self, Vec<Note>) {
        let statistics = column_statistics(&table.numbers, table.width, weights);
        let sample = Sample { table, weights, statistics: &statistics, settings };
        let mut recipe = Self {
            header: table.header,
            missing: settings.missing,
            standardized: settings.standardize,
            ..self.clone()
        };
        let roles = self;
        let mut notes = Vec::new();
        let is_feature = |column: &&Column| roles.is_feature(&column.name, settings);
        for column in table.columns.iter().filter(is_feature) {
            match ALL.iter().find_map(|kind| (kind.learn)(&sample, column, &mut notes)) {
                Some(Ok(step)) => recipe.steps.push(step),
                Some(Err(why)) => {
                    recipe.dropped.push(DroppedColumn { name: column.name.clone(), why });
                }
                None => unreachable!("a column is numeric or categorical, and a kind has each"),
            }
        }
        if recipe.steps.is_empty() && settings.text.is_empty() {
            let texts =
                table.columns.iter().filter(is_feature).filter(|c| looks_like_text(table, c));
            let text: Vec<String> = texts.map(|column| column.name.clone()).collect();
            if !text.is_empty() {
                return roles.fit(table, weights, &RecipeSettings { text, ..settings.clone() });
            }
        }
        const SHOWN: usize = 10;
        for left in recipe.dropped.iter().take(SHOWN) {
            let text = format!("column {} dropped: {}", literal(&left.name), left.why);
            notes.push(Note::new("dropped-column", text).about(&left.name));
        }
        if recipe.dropped.len() > SHOWN {
            let more = recipe.dropped.len() - SHOWN;
            let text = format!("{more} more columns dropped; linsep show lists them");
            notes.push(Note::new("dropped-columns", text));
        }
        (recipe, notes)
    }

    /// Whether a column is selected and is neither target, counts nor weights.
    pub(super) fn is_feature(&self, name: &String, settings: &RecipeSettings) -> bool {
        (settings.only.is_empty() || settings.only.contains(name))
            && *name != self.target
            && self.weights.as_ref() != Some(name)
            && !self.counts.contains(name)
    }
}

fn looks_like_text(table: &Table, column: &Column) -> bool {
    let Values::Categorical { levels, .. } = &column.values else { return false };
    content_type(levels, table.rows - column.missing) == ContentType::Text
}
