//! Kesler's construction: a multiclass problem becomes a problem of one hyperplane in more
//! dimensions (Duda, Hart and Stork, 5.12).

use super::grouped;
use super::plot::Prepared;
use crate::dataset::TrainingSettings;
use crate::error::Error;
use linsep_core::control::literal;
use linsep_core::float;
use linsep_core::multiclass::expand;
use linsep_io::Input;
use serde::{Deserialize, Serialize};

/// Request for Kesler's construction.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Kesler {
    /// Roles of the columns. The features are not standardized.
    pub data: TrainingSettings,
    /// Whether each class has a column for its intercept.
    pub intercept: bool,
    /// Whether the rows against an earlier class are negated and labeled −1, to train on two
    /// classes.
    pub mirror: bool,
}

impl Default for Kesler {
    fn default() -> Self {
        Self { data: TrainingSettings::default(), intercept: true, mirror: false }
    }
}

/// Kesler's construction of a data set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeslerOutcome {
    /// Number of rows of the data.
    pub from: usize,
    /// Number of classes.
    pub classes: usize,
    /// Names of the columns, one block per class.
    pub columns: Vec<String>,
    /// Rows of the construction.
    #[serde(with = "float")]
    pub rows: Vec<Vec<f64>>,
    /// Side of each row, −1 or +1.
    pub sides: Vec<f64>,
    /// File of the table, if it was written.
    pub file: Option<String>,
}

/// Limit of cells of the construction.
const MOST: usize = 20_000_000;

impl Kesler {
    /// Constructs the rows.
    pub fn run(&self, data: Input) -> Result<KeslerOutcome, Error> {
        // 1. The data, not standardized.
        let mut settings = self.data.clone();
        settings.recipe.standardize = false;
        let own = Prepared::new(data, &settings)?;
        let (problem, training) = (own.problem()?, &own.training);
        let (n, k) = (training.x.n(), training.labels.k());
        let block = training.x.d() + usize::from(self.intercept);
        let (rows, columns) = (n * (k - 1), k * block);
        if rows.saturating_mul(columns) > MOST {
            return Err(Error::Refused(format!(
                "{}: expected at most {} cells, but Kesler's construction has {} rows of {} \
                 columns. Train on the data directly with fit `multiclass=kesler`.",
                literal(&own.name),
                grouped(MOST),
                grouped(rows),
                grouped(columns)
            )));
        }

        // 2. The construction.
        let expanded = expand(&problem, self.intercept, self.mirror)?;
        let constant = self.intercept.then(|| "1".to_owned());
        let features: Vec<String> =
            training.recipe.features().into_iter().chain(constant).collect();
        let names = |class| features.iter().map(move |column| format!("{class}:{column}"));
        let binary = expanded.part.binary();
        let row = |i: usize| binary.x().row(i).into_iter().map(|v| v + 0.0).collect(); // no −0
        Ok(KeslerOutcome {
            from: n,
            classes: k,
            columns: training.labels.classes().iter().flat_map(names).collect(),
            rows: (0..rows).map(row).collect(),
            sides: binary.y().to_vec(),
            file: None,
        })
    }
}
