//! A fit as an HTML page: preprocessing, quality and reproduction.
//!
//! | file | sections |
//! |---|---|
//! | `data` | data and method, data check |
//! | `quality` | certificate, performance |
//! | `validation` | tuning, post-processing |
//! | `misclassified` | misclassified rows |
//! | `reproduce` | how to reproduce |

mod data;
mod misclassified;
mod quality;
mod reproduce;
mod validation;

use super::Report;
use crate::html::Page;
use crate::number::{percent, plural};
use crate::plot::{coefficients, short, svg};
use linsep::io::outputs::Kind;
use linsep::jobs::FitOutcome;
use linsep::jobs::fit::FitEvaluation;
use linsep::jobs::plot::PlotCoefficients;

/// The title of a page, before the name of the data.
const TITLE: &str = "linsep report: ";

/// The kind of file, which a command recognizes before it overwrites one.
pub const KIND: Kind = Kind {
    name: "a linsep report",
    is: |start| String::from_utf8_lossy(start).contains(&format!("<title>{TITLE}")),
};

/// Columns that are listed.
const SHOWN: usize = 12;

/// Features whose coefficients are drawn.
const COEFFICIENTS: usize = 20;

/// The page of an outcome that was requested with a report; `None` without one.
pub fn page(outcome: &FitOutcome) -> Option<String> {
    let (report, evaluated) = (Report(outcome), outcome.evaluated.as_ref()?);
    let shown = evaluated.shown.as_ref()?;
    let mut page = Page::new(&format!("{TITLE}{}", short(&outcome.data)));
    report.data_and_method(&mut page, evaluated);
    report.findings(&mut page);
    report.certificate_section(&mut page);
    report.performance(&mut page, evaluated, shown);
    report.validation(&mut page);
    page.section("Coefficients");
    let plot = PlotCoefficients { top: COEFFICIENTS }.run(&outcome.model_file);
    page.plot(&svg(&coefficients::chart(&plot)));
    misclassified::section(&mut page, shown.worst.as_deref(), &evaluated.on);
    report.reproduce(&mut page);
    Some(page.finish(&report.lead(evaluated)))
}

impl Report<'_> {
    /// The summary in two sentences.
    fn lead(self, evaluated: &FitEvaluation) -> String {
        let model_file = &self.0.model_file;
        let accuracy = Some(evaluated.evaluation.accuracy()).filter(|share| share.is_finite());
        let accuracy = accuracy.map_or_else(|| "–".to_owned(), percent);
        format!(
            "{}: a linear classifier of {}, trained on {}. Accuracy on {}: {accuracy}.",
            short(&self.0.data),
            plural(model_file.model.k(), "class", "classes"),
            plural(model_file.header.training.rows, "row", "rows"),
            evaluated.on,
        )
    }
}
