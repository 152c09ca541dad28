//! `linsep fit --report`: preprocessing, quality and reproduction of a fit on one HTML page.
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

use super::FitArgs;
use super::report::Report;
use crate::command::evaluate::EvaluationRows;
use crate::failure::Failure;
use crate::output::{Output, note};
use linsep::diagnostics::DataCheck;
use linsep::jobs::Evaluated;
use linsep::jobs::plot::PlotCoefficients;
use linsep::{AtomicFile, Kind};
use linsep_report::evaluate::evaluation_json;
use linsep_report::html::Page;
use linsep_report::number::{percent, plural};
use linsep_report::plot::{coefficients, short, svg};
use serde_json::Value;
use std::path::PathBuf;

/// The title of a page, before the name of the data.
const TITLE: &str = "linsep report: ";

/// The kind of file, which a command recognizes before it overwrites one.
pub(super) const KIND: Kind = Kind {
    name: "a linsep report",
    is: |start| String::from_utf8_lossy(start).contains(&format!("<title>{TITLE}")),
};

/// Misclassified rows and columns that are listed.
pub(super) const SHOWN: usize = 12;

/// The content of a page beside the report of the fit.
pub(super) struct ReportPage<'a> {
    pub(super) args: &'a FitArgs,
    /// Rows of the evaluation, unless they are a test file: held-out rows, else the training rows.
    pub(super) rows: Option<EvaluationRows>,
    /// The data check of the training rows.
    pub(super) checked: Option<&'a DataCheck>,
    /// The evaluation on the test file or on held-out rows.
    pub(super) evaluation: Option<&'a (String, Evaluated)>,
    pub(super) name: &'a str,
    pub(super) out: &'a Output,
}

impl ReportPage<'_> {
    /// Writes the page, with `--report`.
    pub(super) fn write(&self, report: &Report<'_>) -> Result<(), Failure> {
        let (Some(path), Some(rows)) = (&self.args.report, &self.rows) else { return Ok(()) };
        AtomicFile::write_whole(path, self.page(report, rows)?.as_bytes())?;
        note(&format!("report: {}", path.display()));
        Ok(())
    }

    fn page(&self, report: &Report<'_>, rows: &EvaluationRows) -> Result<String, Failure> {
        let model_file = report.model_file;
        let own;
        let (on, evaluation) = if let Some((on, evaluation)) = self.evaluation {
            (on.as_str(), evaluation)
        } else {
            own = self.args.columns.scoring().evaluate_rows(model_file, (rows, SHOWN), self.out)?;
            ("the training rows", &own)
        };
        let json = evaluation_json(&evaluation.evaluation);
        let mut page = Page::new(&format!("{TITLE}{}", short(self.name)));
        self.method(&mut page, report);
        self.findings(&mut page, report);
        quality::certificate(&mut page, report);
        self.quality(&mut page, evaluation, (&json, report.fit.accuracy), on)?;
        validation::sections(&mut page, model_file);
        page.section("Coefficients");
        page.plot(&svg(&coefficients::chart(&PlotCoefficients::default().run(model_file))));
        self.misclassified(&mut page, model_file, (&evaluation.evaluation, rows), on)?;
        self.reproduce(&mut page, report)?;
        Ok(page.finish(&self.lead(report, &json, on)))
    }

    /// The summary in two sentences.
    fn lead(&self, report: &Report<'_>, json: &Value, on: &str) -> String {
        let x = &report.training.x;
        let accuracy = json["accuracy"].as_f64().map_or_else(|| "–".to_owned(), percent);
        format!(
            "{}: a linear classifier of {}, trained on {}. Accuracy on {on}: {accuracy}.",
            short(self.name),
            plural(report.fit.model.k(), "class", "classes"),
            plural(x.n(), "row", "rows"),
        )
    }
}

/// A JSON value as text, without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The path of a page, which must end in `.html`.
pub(super) fn path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("html" | "htm") => Ok(path),
        _ => Err(format!(
            "expected a path that ends in .html, such as {}",
            path.with_extension("html").display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_of_a_page_ends_in_html() {
        assert!(path("a/R.HTML").is_ok());
        assert!(path("report.pdf").unwrap_err().ends_with("such as report.html"));
    }
}
