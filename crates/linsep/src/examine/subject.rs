//! What is examined: a problem, what its columns are called and where they come from.

use super::summary::{Summary, summaries};
use super::twins::{Twins, twins};
use crate::certify::separation::Limits;
use crate::data::Problem;
use std::ops::Range;
use std::sync::OnceLock;

/// Where columns come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The name of every column.
    pub names: Vec<String>,
    /// Columns of which just one is 1 in each row, and the others are 0: the levels of a category.
    pub choices: Vec<Range<usize>>,
    /// Columns that say where another one is missing.
    pub indicators: Vec<usize>,
    /// Whether learning puts all numbers on one scale first.
    pub standardised: bool,
}

/// What is examined. What several checks need is computed once.
pub struct Subject<'a> {
    /// Rows with classes and weights, the numbers as they are.
    pub problem: &'a Problem<'a>,
    /// What the columns are.
    pub layout: &'a Layout,
    /// What may be done about the separation verdict; nothing if `None`.
    pub separation: Option<Limits>,
    summaries: OnceLock<Vec<Summary>>,
    twins: OnceLock<Twins>,
}

impl<'a> Subject<'a> {
    /// A problem to be examined.
    ///
    /// # Panics
    ///
    /// If there are not as many names as columns.
    pub fn new(problem: &'a Problem<'a>, layout: &'a Layout, separation: Option<Limits>) -> Self {
        assert_eq!(layout.names.len(), problem.x().d(), "a name for every column");
        let (summaries, twins) = (OnceLock::new(), OnceLock::new());
        Self { problem, layout, separation, summaries, twins }
    }

    /// The name of a column.
    pub(super) fn name(&self, j: usize) -> &str {
        &self.layout.names[j]
    }

    /// What is in every column.
    pub(super) fn summaries(&self) -> &[Summary] {
        self.summaries.get_or_init(|| summaries(self.problem))
    }

    /// Rows that are equal.
    pub(super) fn twins(&self) -> &Twins {
        self.twins.get_or_init(|| twins(self.problem))
    }

    /// Whether a column was made of words or of missing cells, and is no number of its own.
    pub(super) fn is_made(&self, j: usize) -> bool {
        self.layout.indicators.contains(&j) || self.layout.choices.iter().any(|c| c.contains(&j))
    }

    /// Whether row i weighs anything.
    pub(super) fn is_live(&self, i: usize) -> bool {
        self.problem.weights()[i] > 0.0
    }

    /// Weight of all rows.
    pub(super) fn total(&self) -> f64 {
        self.problem.weights().iter().sum()
    }
}
