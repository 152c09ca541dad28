//! Data check before training.
//!
//! The checks are two lists of the same form. The checks here examine the columns as read: levels,
//! numbers and missing cells. The checks of the core ([`linsep_core::diagnostics`]) examine the
//! design matrix of training, neither centered nor scaled. Each check reports the same plain value,
//! a [`Finding`].
//!
//! | check | finding |
//! |---|---|
//! | `target` | another column looks more like the classes than the default target |
//! | `unlabeled-rows` | rows without a class |
//! | `cells` | cells that were changed on reading |
//! | `left-out` | unused columns: constant, entirely missing, free text |
//! | `identifiers` | columns that number or name the rows |
//! | `dates` | columns of dates and times |
//! | `missing-cells` | missing cells, by column, and their dependence on the class |
//! | `poor-scales` | columns too small to standardize, or with outliers that hide other values |
//! | `leaking-categories` | categorical columns that predict the class alone |

mod cells;
mod dates;
mod identifiers;
mod leaking_categories;
mod left_out;
mod missing_cells;
mod poor_scales;
mod raw;
mod target;
mod unlabeled_rows;

pub use linsep_core::diagnostics::{Finding, Report, Severity, Skipped};
use raw::Raw;

use crate::dataset::{Targets, TrainingData, TrainingSettings};
use crate::error::Error;
use crate::recipe::{Meaning, Recipe};
use linsep_core::certify::separation::Limits;
use linsep_core::diagnostics::{Layout, Subject};
use linsep_core::{Label, Observer, Problem, float};
use linsep_io::input::Input;
use serde::{Deserialize, Serialize};

/// A check of the columns as read.
struct Check {
    /// The name, the same in every interface.
    name: &'static str,
    /// Runs the check and reports its findings.
    run: fn(&Raw<'_>, &mut Report),
}

/// All checks of tables, in the order of their reports.
const ALL: &[Check] = &[
    target::CHECK,
    unlabeled_rows::CHECK,
    cells::CHECK,
    left_out::CHECK,
    identifiers::CHECK,
    dates::CHECK,
    missing_cells::CHECK,
    poor_scales::CHECK,
    leaking_categories::CHECK,
];

/// Result of a data check.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataCheck {
    /// Number of rows of the data.
    pub rows: usize,
    /// Number of columns of the table, including the target; for sparse data, the number of
    /// features.
    pub columns: usize,
    /// Number of features of the design matrix.
    pub features: Option<usize>,
    /// Name of the target column; none for sparse data and for count columns.
    pub target: Option<String>,
    /// The classes and their sample weights.
    #[serde(with = "float::named")]
    pub classes: Vec<(Label, f64)>,
    /// The findings, by descending severity.
    pub report: Report,
}

/// Checks data. `separation` limits the separation test, which is skipped if `None`.
pub(crate) fn check_data(
    input: Input,
    settings: &TrainingSettings,
    separation: Option<Limits>,
    watch: &mut dyn Observer,
) -> Result<DataCheck, Error> {
    let mut report = Report::default();
    let rows = input.rows();
    let name = input.name().to_owned();
    let core = Error::core(&name);

    // 1. The columns as read.
    let answers = Targets::of(&input, settings, true)?;
    let columns = match &input {
        Input::Sparse(sparse) => sparse.cols,
        Input::Table(table) => {
            let raw = Raw::new(table, &answers, settings);
            for check in ALL {
                watch.stage(check.name, None);
                (check.run)(&raw, &mut report);
            }
            table.columns.len()
        }
    };
    let target = (!answers.target.is_empty()).then(|| answers.target.clone());
    settings.check()?;

    // 2. The design matrix, in raw units.
    let standardized = settings.recipe.standardize && matches!(input, Input::Table(_));
    let mut plain = settings.clone();
    plain.recipe.standardize = false;
    let mut done = DataCheck { rows, columns, features: None, target, classes: vec![], report };
    let training = match TrainingData::fit(input, &answers, &plain, false) {
        Ok((training, _)) => training,
        Err(error) => return unusable(done, error),
    };
    let problem = match Problem::new(&training.x, &training.labels, training.weights.clone()) {
        Ok(problem) => problem,
        Err(source) => return unusable(done, core(source)),
    };
    let layout = layout(&training.recipe, standardized);
    let mut found = Report::default();
    linsep_core::diagnostics::run_checks(
        &Subject::new(&problem, &layout, separation),
        &mut found,
        watch,
    );
    if let Some(rows) = &training.rows {
        found.findings.iter_mut().for_each(|finding| renumber(finding, rows));
    }

    // 3. All findings, by descending severity.
    done.features = Some(training.x.d());
    let classes = training.labels.classes().iter().cloned();
    done.classes = classes.zip(problem.class_weights()).collect();
    done.report.findings.extend(found.findings);
    done.report.skipped.extend(found.skipped);
    done.report.sort();
    Ok(done)
}

/// Converts an error about unusable data into a finding; returns other errors, such as invalid
/// settings.
fn unusable(mut done: DataCheck, error: Error) -> Result<DataCheck, Error> {
    let what = match &error {
        Error::Untrainable { .. } => error.to_string(),
        Error::Core { source, .. } => source.to_string(),
        _ => return Err(error),
    };
    done.report.add(
        Finding::new(
            "learnable",
            Severity::Serious,
            format!(
                "the data cannot be used for \
            training: {what}"
            ),
        )
        .advice("name the target column, or set the column types")
        .setting("target", "COLUMN"),
    );
    done.report.skip("learnable", "the encoded rows were not checked");
    done.report.sort();
    Ok(done)
}

/// Converts row indices of the design matrix to those of the data, of which several may be equal.
fn renumber(finding: &mut Finding, rows: &[usize]) {
    let all = finding.rows.len() == finding.row_count;
    finding.rows.iter_mut().for_each(|row| *row = rows[*row]);
    finding.rows.dedup();
    if all {
        finding.row_count = finding.rows.len();
    }
}

/// Describes the features of the design matrix.
fn layout(recipe: &Recipe, standardized: bool) -> Layout {
    let mut layout = Layout { names: recipe.features(), standardized, ..Layout::default() };
    for (step, features) in recipe.spans() {
        if step.is_choice() {
            layout.choices.push(features);
            continue;
        }
        let is_indicator = |j: &usize| step.meaning(j - features.start) == Meaning::Missing;
        layout.indicators.extend(features.clone().filter(is_indicator));
    }
    layout
}

#[cfg(test)]
mod tests;
