//! A table as it was read, with its answers: what checks look at.

use crate::dataset::{Answers, TrainingSettings};
use crate::table::{Column, MISSING, Table, Values};
use linsep::Label;
use std::collections::HashSet;

/// A table as it was read.
pub struct Raw<'a> {
    /// The table.
    pub table: &'a Table,
    /// What is to be learned from it.
    pub settings: &'a TrainingSettings,
    answers: &'a Answers,
    /// The classes, sorted, and for each of the answers' levels which of them it is.
    classes: Vec<Label>,
    class_of: Vec<usize>,
}

impl<'a> Raw<'a> {
    pub(crate) fn new(
        table: &'a Table,
        answers: &'a Answers,
        settings: &'a TrainingSettings,
    ) -> Self {
        let mut classes = answers.labels.levels.clone();
        classes.sort();
        classes.dedup();
        let place = |level| classes.binary_search(level).unwrap_or_default();
        let class_of = answers.labels.levels.iter().map(place).collect();
        Self { table, settings, answers, classes, class_of }
    }

    /// The column with the classes; none in a table of counts.
    pub(super) fn target(&self) -> Option<&'a Column> {
        self.table.column(&self.answers.target)
    }

    /// The classes, sorted.
    pub(super) fn classes(&self) -> &[Label] {
        &self.classes
    }

    /// The columns that are neither classes nor counts nor weights.
    pub(super) fn features(&self) -> impl Iterator<Item = &'a Column> {
        let other = |column: &&Column| {
            let name = &column.name;
            *name != self.answers.target
                && !self.settings.counts.contains(name)
                && self.settings.weight_column(self.table) != Some(name)
        };
        self.table.columns.iter().filter(move |column| other(column))
    }

    /// Hands row, class (by its place) and weight of every answer to `work`; those of no class and of no weight are none.
    pub(super) fn answers(&self, mut work: impl FnMut(usize, usize, f64)) {
        let Answers { each, labels, weights, .. } = self.answers;
        for (a, &code) in labels.codes.iter().enumerate() {
            let weight = weights.as_ref().map_or(1.0, |weights| weights[a]);
            if let Some(&class) = self.class_of.get(code as usize).filter(|_| weight > 0.0) {
                work(a / each, class, weight);
            }
        }
    }

    /// What each row weighs; 0 where it has no class.
    pub(super) fn row_weights(&self) -> Vec<f64> {
        self.answers.row_weights(self.table.rows)
    }

    /// Rows without a class; those of a table of counts count nothing.
    pub(super) fn unlabelled(&self) -> impl Iterator<Item = usize> {
        let Answers { each, labels, .. } = self.answers;
        let none = move |i: &usize| labels.codes[i * each] as usize >= labels.levels.len();
        (0..self.table.rows).filter(move |i| *each == 1 && none(i))
    }

    /// Whether a cell is missing.
    pub(super) fn is_missing(&self, column: &Column, i: usize) -> bool {
        match &column.values {
            Values::Number { slot } => self.table.row(i)[*slot].is_nan(),
            Values::Words { codes, .. } => codes[i] == MISSING,
        }
    }

    /// The numbers of a column that are there; none of a column of words.
    pub(super) fn numbers(&self, column: &Column) -> Option<impl Iterator<Item = f64>> {
        let Values::Number { slot } = column.values else { return None };
        let all = (0..self.table.rows).map(move |i| self.table.row(i)[slot]);
        Some(all.filter(|v| !v.is_nan()))
    }

    /// Whether a column holds whole numbers and nothing else.
    pub(super) fn is_whole(&self, column: &Column) -> bool {
        let whole = |v: f64| v.fract() == 0.0;
        self.numbers(column).is_some_and(|mut all| all.all(whole))
    }

    /// How many different values a column has, if there are no more than so many.
    pub(super) fn few(&self, column: &Column, most: usize) -> Option<usize> {
        match (&column.values, self.numbers(column)) {
            (Values::Words { levels, .. }, _) => Some(levels.len()).filter(|n| *n <= most),
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
