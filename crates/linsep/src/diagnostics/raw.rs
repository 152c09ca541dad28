//! A table as read, with its targets: the input of the checks.

use crate::dataset::{Targets, TrainingSettings};
use crate::recipe::{ContentType, content_type};
use linsep_core::Label;
use linsep_io::table::{Column, MISSING, Table, Values};
use std::collections::HashSet;

/// A table as read.
pub(super) struct Raw<'a> {
    /// The table.
    pub(super) table: &'a Table,
    /// The settings of training.
    pub(super) settings: &'a TrainingSettings,
    answers: &'a Targets,
    /// The classes, sorted; `class_of` maps the levels of the targets to them.
    classes: Vec<Label>,
    class_of: Vec<usize>,
}

impl<'a> Raw<'a> {
    pub(super) fn new(
        table: &'a Table,
        answers: &'a Targets,
        settings: &'a TrainingSettings,
    ) -> Self {
        let mut classes = answers.labels.levels.clone();
        classes.sort();
        classes.dedup();
        let place = |level| classes.binary_search(level).unwrap_or_default();
        let class_of = answers.labels.levels.iter().map(place).collect();
        Self { table, settings, answers, classes, class_of }
    }

    /// Returns the target column; `None` with count columns.
    pub(super) fn target(&self) -> Option<&'a Column> {
        self.table.column(&self.answers.target)
    }

    /// Returns the classes, sorted.
    pub(super) fn classes(&self) -> &[Label] {
        &self.classes
    }

    /// Returns the columns that are neither target nor counts nor sample weights.
    pub(super) fn features(&self) -> impl Iterator<Item = &'a Column> {
        let other = |column: &&Column| {
            let name = &column.name;
            *name != self.answers.target
                && !self.settings.counts.contains(name)
                && self.settings.weight_column(self.table) != Some(name)
        };
        self.table.columns.iter().filter(move |column| other(column))
    }

    /// Calls `work` with row, class index and sample weight of every label; labels without class or
    /// weight are skipped.
    pub(super) fn for_each_label(&self, mut work: impl FnMut(usize, usize, f64)) {
        let Targets { each, labels, weights, .. } = self.answers;
        for (a, &code) in labels.codes.iter().enumerate() {
            let weight = weights.as_ref().map_or(1.0, |weights| weights[a]);
            if let Some(&class) = self.class_of.get(code as usize).filter(|_| weight > 0.0) {
                work(a / each, class, weight);
            }
        }
    }

    /// Returns the sample weight of each row; 0 if it has no class.
    pub(super) fn row_weights(&self) -> Vec<f64> {
        self.answers.row_weights(self.table.rows)
    }

    /// Returns the rows without a class; with count columns there are none.
    pub(super) fn unlabeled_rows(&self) -> impl Iterator<Item = usize> {
        let Targets { each, labels, .. } = self.answers;
        let none = move |i: &usize| labels.codes[i * each] as usize >= labels.levels.len();
        (0..self.table.rows).filter(move |i| *each == 1 && none(i))
    }

    /// Returns the apparent content of a categorical column; `None` for a numeric column, and for a
    /// column that is used whatever its levels look like.
    pub(super) fn content(&self, column: &Column) -> Option<ContentType> {
        let Values::Categorical { levels, .. } = &column.values else { return None };
        let recipe = &self.settings.recipe;
        let kept = recipe.keep.contains(&column.name) || recipe.text.contains(&column.name);
        (!kept).then(|| content_type(levels, self.table.rows - column.missing))
    }

    /// Whether a cell is missing.
    pub(super) fn is_missing(&self, column: &Column, i: usize) -> bool {
        match &column.values {
            Values::Numeric { slot } => self.table.row(i)[*slot].is_nan(),
            Values::Categorical { codes, .. } => codes[i] == MISSING,
        }
    }

    /// Returns the numbers of a column without the missing ones; `None` for a categorical column.
    pub(super) fn numbers(&self, column: &Column) -> Option<impl Iterator<Item = f64>> {
        let Values::Numeric { slot } = column.values else { return None };
        let all = (0..self.table.rows).map(move |i| self.table.row(i)[slot]);
        Some(all.filter(|v| !v.is_nan()))
    }

    /// Whether a column has only integers.
    pub(super) fn is_whole(&self, column: &Column) -> bool {
        let whole = |v: f64| v.fract() == 0.0;
        self.numbers(column).is_some_and(|mut all| all.all(whole))
    }

    /// Returns the number of distinct values of a column, if it is at most `most`.
    pub(super) fn distinct_up_to(&self, column: &Column, most: usize) -> Option<usize> {
        match (&column.values, self.numbers(column)) {
            (Values::Categorical { levels, .. }, _) => Some(levels.len()).filter(|n| *n <= most),
            (_, None) => None,
            (_, Some(all)) => {
                let mut seen = HashSet::new();
                for v in all {
                    seen.insert((v + 0.0).to_bits());
                    if seen.len() > most {
                        return None;
                    }
                }
                Some(seen.len())
            }
        }
    }
}
