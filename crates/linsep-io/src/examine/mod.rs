//! The data doctor: what should be known about a file before anything is learned from it.
//!
//! Two rooms of checks. Those here look at the columns as they were read: words, numbers and missing cells. Those of the core
//! ([`linsep::examine`]) look at the rows of numbers that learning would see, neither centred nor scaled. Both are lists of one
//! file per check, and what they find is the same plain value, a [`Finding`].
//!
//! | check | what it looks for |
//! |---|---|
//! | `target` | a column that looks more like the classes than the one taken by default |
//! | `unlabeled-rows` | rows without a class |
//! | `cells` | cells that were not read as they stand |
//! | `left-out` | columns of no use: the same everywhere, missing everywhere, running text |
//! | `identifiers` | columns that number or name the rows |
//! | `dates` | columns of dates and times |
//! | `missing-cells` | cells that are missing, by column, and whether that tells the class |
//! | `poor-scales` | columns too small to standardize, or with numbers so large that the others vanish |
//! | `leaking-categories` | columns of words that tell the classes apart by themselves |

mod cells;
mod dates;
mod identifiers;
mod left_out;
mod missing_cells;
mod poor_scales;
mod raw;
mod target;
mod telling_words;
mod unlabelled_rows;

pub use linsep::examine::{Finding, Report, Severity, Skipped};
pub use raw::Raw;

use crate::dataset::{Answers, Training, TrainingSettings};
use crate::error::Error;
use crate::input::Input;
use crate::place::Place;
use crate::recipe::{Encoding, Recipe};
use linsep::certify::separation::Limits;
use linsep::examine::{Layout, Subject};
use linsep::{Label, Problem, Watch};

/// A check of columns as they were read.
pub struct Check {
    /// The name used in every face.
    pub name: &'static str,
    /// What it looks for, in one line.
    pub about: &'static str,
    /// Looks, and reports what it finds.
    pub run: fn(&Raw<'_>, &mut Report),
}

/// Every check of a table, in the order of their reports.
pub const ALL: &[Check] = &[
    target::CHECK,
    unlabelled_rows::CHECK,
    cells::CHECK,
    left_out::CHECK,
    identifiers::CHECK,
    dates::CHECK,
    missing_cells::CHECK,
    poor_scales::CHECK,
    telling_words::CHECK,
];

/// What was examined, and what was found.
#[derive(Clone, Debug)]
pub struct Examination {
    /// Rows of the data.
    pub rows: usize,
    /// Columns of the data, the target and others that are no features among them; of sparse data, its features.
    pub columns: usize,
    /// Columns of numbers that learning would see.
    pub features: Option<usize>,
    /// The column with the classes; none for sparse data and tables of counts.
    pub target: Option<String>,
    /// The classes and their weights.
    pub classes: Vec<(Label, f64)>,
    /// What was found, the gravest first.
    pub report: Report,
}

/// Examines data. The separation verdict is left out without limits for it.
pub fn examine(
    input: Input,
    settings: &TrainingSettings,
    separation: Option<Limits>,
    watch: &mut dyn Watch,
) -> Result<Examination, Error> {
    let mut report = Report::default();
    let rows = input.rows();
    let name = match &input {
        Input::Table(table) => table.name.clone(),
        Input::Sparse(sparse) => sparse.name.clone(),
    };
    let core = |source| Error::Core { place: Box::new(Place::file(&name)), source };

    // 1. The columns as they were read.
    let (columns, target) = match &input {
        Input::Sparse(sparse) => (sparse.cols, None),
        Input::Table(table) => {
            let answers = Answers::of(table, settings, true)?;
            let raw = Raw::new(table, &answers, settings);
            for check in ALL {
                watch.stage(check.name);
                (check.run)(&raw, &mut report);
            }
            let target = (!answers.target.is_empty()).then_some(answers.target);
            (table.columns.len(), target)
        }
    };

    // 2. The numbers that learning would see, as they are.
    let standardised = settings.recipe.standardise && matches!(input, Input::Table(_));
    let mut plain = settings.clone();
    plain.recipe.standardise = false;
    let mut done = Examination { rows, columns, features: None, target, classes: vec![], report };
    let training = match Training::build(input, &plain, true) {
        Ok(training) => training,
        Err(error) => return unusable(done, error),
    };
    let problem = match Problem::new(&training.x, &training.labels, training.weights.clone()) {
        Ok(problem) => problem,
        Err(source) => return unusable(done, core(source)),
    };
    let layout = layout(&training.recipe, standardised);
    let mut found = Report::default();
    linsep::examine::examine(&Subject::new(&problem, &layout, separation), &mut found, watch);
    if let Some(rows) = &training.rows {
        found.findings.iter_mut().for_each(|finding| renumber(finding, rows));
    }

    // 3. Together, the gravest first.
    done.features = Some(training.x.d());
    let classes = training.labels.classes().iter().cloned();
    done.classes = classes.zip(problem.class_weights()).collect();
    done.report.findings.extend(found.findings);
    done.report.skipped.extend(found.skipped);
    done.report.sort();
    Ok(done)
}

/// Data that nothing can be learned from is a finding; a command that makes no sense is an error.
fn unusable(mut done: Examination, error: Error) -> Result<Examination, Error> {
    let what = match &error {
        Error::NoFeatures { .. }
        | Error::OneRow { .. }
        | Error::NoRowLeft { .. }
        | Error::NoWeight { .. } => error.to_string(),
        Error::Core { source, .. } => source.to_string(),
        _ => return Err(error),
    };
    done.report.add(
        Finding::new("learnable", Severity::Serious, format!("nothing can be learned: {what}"))
            .advice("name the column with the classes, or say what the columns are")
            .setting("target", "COLUMN"),
    );
    done.report.skip("learnable", "the rows as numbers were not looked at");
    done.report.sort();
    Ok(done)
}

/// Row numbers of the design as those of the data, of which several may be one.
fn renumber(finding: &mut Finding, rows: &[usize]) {
    let all = finding.rows.len() == finding.row_count;
    finding.rows.iter_mut().for_each(|row| *row = rows[*row]);
    finding.rows.dedup();
    if all {
        finding.row_count = finding.rows.len();
    }
}

/// What the columns of numbers are.
fn layout(recipe: &Recipe, standardised: bool) -> Layout {
    let mut layout = Layout { names: recipe.features(), standardised, ..Layout::default() };
    if let Recipe::Table(table) = recipe {
        let mut at = 0;
        for step in &table.steps {
            let width = step.encoding.width();
            match &step.encoding {
                Encoding::Number { indicator: true, .. } => layout.indicators.push(at + 1),
                Encoding::Number { .. } => {}
                Encoding::Category { .. } | Encoding::Hashed { .. } => {
                    layout.choices.push(at..at + width);
                }
            }
            at += width;
        }
    }
    layout
}

#[cfg(test)]
mod tests;
