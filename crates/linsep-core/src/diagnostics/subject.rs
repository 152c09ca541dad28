//! Subject of the checks: a problem, with the names and origins of its columns.

use super::duplicates::duplicate_groups;
use super::summary::{Summary, summaries};
use crate::certify::separation::Limits;
use crate::data::Problem;
use std::ops::Range;
use std::sync::OnceLock;

/// Names and origins of the columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Name of every column.
    pub names: Vec<String>,
    /// Ranges of columns of which exactly one is 1 in each row, the others 0: the levels of a
    /// category.
    pub choices: Vec<Range<usize>>,
    /// Missing indicators.
    pub indicators: Vec<usize>,
    /// Whether training standardizes the features.
    pub standardized: bool,
}

/// Subject of the checks. Results that several checks need are computed once.
pub struct Subject<'a> {
    /// Rows with classes and sample weights, in raw units.
    pub problem: &'a Problem<'a>,
    /// Names and origins of the columns.
    pub layout: &'a Layout,
    /// Limits of the separation check; `None` to skip it.
    pub separation: Option<Limits>,
    summaries: OnceLock<Vec<Summary>>,
    duplicate_groups: OnceLock<Vec<Vec<u32>>>,
}

impl<'a> Subject<'a> {
    /// Creates the subject of the checks.
    ///
    /// # Panics
    ///
    /// If the number of names differs from the number of columns.
    pub fn new(problem: &'a Problem<'a>, layout: &'a Layout, separation: Option<Limits>) -> Self {
        assert_eq!(layout.names.len(), problem.x().d(), "a name for every column");
        let (summaries, duplicates) = (OnceLock::new(), OnceLock::new());
        Self { problem, layout, separation, summaries, duplicate_groups: duplicates }
    }

    /// Name of a column.
    pub(super) fn name(&self, j: usize) -> &str {
        &self.layout.names[j]
    }

    /// Summary of every column.
    pub(super) fn summaries(&self) -> &[Summary] {
        self.summaries.get_or_init(|| summaries(self.problem))
    }

    /// Groups of identical rows.
    pub(super) fn duplicate_groups(&self) -> &[Vec<u32>] {
        self.duplicate_groups.get_or_init(|| duplicate_groups(self.problem))
    }

    /// Whether a column encodes a category or missing values, and is not numeric itself.
    pub(super) fn is_encoded(&self, j: usize) -> bool {
        self.layout.indicators.contains(&j) || self.layout.choices.iter().any(|c| c.contains(&j))
    }

    /// Whether row i has positive weight.
    pub(super) fn is_live(&self, i: usize) -> bool {
        self.problem.weights()[i] > 0.0
    }

    /// Total weight of all rows.
    pub(super) fn total(&self) -> f64 {
        self.problem.weights().iter().sum()
    }
}
