//! `linsep fit --report`: what was done, how good it is and how to do it again, on one page.
//!
//! | file | its sections |
//! |---|---|
//! | `data` | what was done, what was noticed |
//! | `quality` | certificate, how good it is |
//! | `trust` | what held-out rows chose and taught |
//! | `mistakes` | the worst mistakes |
//! | `again` | how to do it again |

mod data;
mod mistakes;
mod quality;
mod reproduce;
mod trust;

use super::FitArgs;
use super::report::Report;
use crate::command::evaluate::Judged;
use crate::command::plot::coefficients;
use crate::command::plot::parts::short;
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::output::{Output, note};
use crate::page::Page;
use crate::text::{percent, plural};
use linsep_io::diagnostics::DataCheck;
use linsep_io::{AtomicFile, Kind};
use linsep_plot::Format;
use serde_json::Value;
use std::path::PathBuf;

/// What every page is called, before the name of the data.
const TITLE: &str = "linsep report: ";

/// What a page is to a command that overwrites it.
pub(super) const KIND: Kind = Kind {
    name: "a linsep report",
    is: |start| String::from_utf8_lossy(start).contains(&format!("<title>{TITLE}")),
};

/// Mistakes that are listed, and columns.
pub(super) const SHOWN: usize = 12;

/// What a page is asked to be about.
pub(super) struct ReportPage<'a> {
    pub(super) args: &'a FitArgs,
    /// The rows the model is judged by, unless they are a file of their own: those held out, or
    /// those it learned from.
    pub(super) rows: Option<Judged>,
    /// What the data doctor found in the rows it learned from.
    pub(super) examined: Option<&'a DataCheck>,
    /// What came of rows that it did not learn from.
    pub(super) evaluation: Option<&'a (String, Evaluation<'a>)>,
    pub(super) name: &'a str,
    pub(super) out: &'a Output,
}

impl ReportPage<'_> {
    /// Writes the page, where one is wanted.
    pub(super) fn write(&self, report: &Report<'_>) -> Result<(), Failure> {
        let (Some(path), Some(rows)) = (&self.args.report, &self.rows) else { return Ok(()) };
        AtomicFile::write_whole(path, self.page(report, rows)?.as_bytes())?;
        note(&format!("the report is in {}", path.display()));
        Ok(())
    }

    fn page(&self, report: &Report<'_>, rows: &Judged) -> Result<String, Failure> {
        let bundle = report.bundle;
        let own;
        let (on, evaluation) = if let Some((on, evaluation)) = self.evaluation {
            (on.as_str(), evaluation)
        } else {
            own = self.args.columns.scoring().evaluate_rows(bundle, (rows, SHOWN), self.out)?;
            ("the rows it learned from", &own)
        };
        let json = evaluation.json();
        let mut page = Page::new(&format!("{TITLE}{}", short(self.name)));
        self.done(&mut page, report);
        self.noticed(&mut page, report);
        quality::certificate(&mut page, report);
        self.quality(&mut page, evaluation, (&json, report.fit.accuracy), on)?;
        trust::sections(&mut page, bundle);
        page.section("Coefficients");
        page.picture(&svg(&coefficients::chart(bundle, 20)));
        self.mistakes(&mut page, bundle, (evaluation, rows), on)?;
        self.again(&mut page, report)?;
        Ok(page.finish(&self.lead(report, &json, on)))
    }

    /// All in two sentences.
    fn lead(&self, report: &Report<'_>, json: &Value, on: &str) -> String {
        let x = &report.training.x;
        let right = json["accuracy"].as_f64().map_or_else(|| "–".to_owned(), percent);
        format!(
            "A linear classifier was learned from {} of {}, to tell {} apart. It is right about {right} of {}.",
            plural(x.n(), "row", "rows"),
            short(self.name),
            plural(report.fit.model.k(), "class", "classes"),
            on
        )
    }
}

fn svg(chart: &linsep_plot::Chart) -> String {
    String::from_utf8_lossy(&Format::Svg.write(&chart.scene())).into_owned()
}

/// What is in a JSON value, without quotes.
fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A name that can be a page's.
pub(super) fn path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("html" | "htm") => Ok(path),
        _ => Err(format!(
            "a report is a page of HTML: try {}",
            path.with_extension("html").display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_called_html() {
        assert!(path("a/R.HTML").is_ok());
        assert!(path("report.pdf").unwrap_err().ends_with("try report.html"));
    }
}
