//! Fitting of a recipe to a table.

use super::step::{ALL, Sample};
use super::{DroppedColumn, MissingPolicy, Recipe};
use linsep_core::control::{Note, literal};
use linsep_core::features::column_statistics;
use linsep_io::table::Table;
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
        }
    }
}

/// The columns that are not features.
pub(crate) struct Roles<'a> {
    pub(crate) target: &'a str,
    pub(crate) counts: &'a [String],
    pub(crate) weights: Option<&'a str>,
}

impl Roles<'_> {
    fn has(&self, name: &String) -> bool {
        name == self.target || self.weights == Some(name) || self.counts.contains(name)
    }
}

impl Recipe {
    /// Fits a step to each column of a table; returns the recipe and notes for the user.
    pub(crate) fn fit(
        table: &Table,
        roles: &Roles<'_>,
        weights: &[f64],
        settings: &RecipeSettings,
    ) -> (Self, Vec<Note>) {
        let statistics = column_statistics(&table.numbers, table.width, weights);
        let sample = Sample { table, weights, statistics: &statistics, settings };
        let mut recipe = Self {
            target: roles.target.to_owned(),
            counts: roles.counts.to_vec(),
            weights: roles.weights.map(str::to_owned),
            header: table.header,
            missing: settings.missing,
            standardized: settings.standardize,
            ..Self::default()
        };
        let mut notes = Vec::new();
        for column in &table.columns {
            let wanted = settings.only.is_empty() || settings.only.contains(&column.name);
            if roles.has(&column.name) || !wanted {
                continue;
            }
            match ALL.iter().find_map(|kind| (kind.learn)(&sample, column, &mut notes)) {
                Some(Ok(step)) => recipe.steps.push(step),
                Some(Err(why)) => {
                    recipe.dropped.push(DroppedColumn { name: column.name.clone(), why });
                }
                None => unreachable!("a column is numeric or categorical, and a kind has each"),
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
}
