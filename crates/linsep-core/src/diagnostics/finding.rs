//! Findings of the checks: plain values, shared by text, JSON and report pages.

use crate::control::{SettingValue, literal};
use crate::float;
use crate::names::names;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Information; nothing is wrong.
    #[default]
    Note,
    /// The model may be worse than possible, or misread.
    Warning,
    /// The model is probably not the intended one.
    Serious,
}

names!(Severity {
    Note => "note",
    Warning => "warning",
    Serious => "serious",
});

/// A name that is fixed in the program, or read from a file.
type Name = Cow<'static, str>;

/// Finding of a check.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Name of the check.
    pub check: Name,
    /// Severity.
    pub severity: Severity,
    /// Finding in a sentence, in the [notation](crate::control::literal) of messages.
    pub what: String,
    /// Names of the columns concerned.
    pub columns: Vec<String>,
    /// First of the rows concerned, counted from 0.
    pub rows: Vec<usize>,
    /// Number of rows concerned.
    pub row_count: usize,
    /// Underlying numbers, by name.
    #[serde(with = "float::named")]
    pub numbers: Vec<(Name, f64)>,
    /// Underlying words, by name.
    pub words: Vec<(Name, String)>,
    /// Advice in words, in the same notation.
    pub advice: String,
    /// Recommended settings.
    pub settings: Vec<SettingValue>,
}

impl Finding {
    /// Largest number of listed rows.
    pub const SHOWN: usize = 20;

    /// Creates a finding without columns and rows.
    pub fn new(check: &'static str, severity: Severity, what: impl AsRef<str>) -> Self {
        Self { check: check.into(), severity, ..Self::default() }.what(what)
    }

    /// Sets the sentence, which may contain text of users, but names no setting.
    #[must_use]
    pub fn what(mut self, text: impl AsRef<str>) -> Self {
        self.what = literal(text.as_ref()).into_owned();
        self
    }

    /// Adds the columns concerned.
    #[must_use]
    pub fn columns<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.columns.extend(names.into_iter().map(|name| name.as_ref().to_owned()));
        self
    }

    /// Adds the rows concerned; only the first are listed.
    #[must_use]
    pub fn rows(mut self, rows: impl IntoIterator<Item = usize>) -> Self {
        for row in rows {
            self.row_count += 1;
            if self.rows.len() < Self::SHOWN {
                self.rows.push(row);
            }
        }
        self
    }

    /// Adds an underlying number.
    #[must_use]
    pub fn number(mut self, name: &'static str, value: f64) -> Self {
        self.numbers.push((name.into(), value));
        self
    }

    /// Adds an underlying word.
    #[must_use]
    pub fn word(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.words.push((name.into(), value.into()));
        self
    }

    /// Sets the advice.
    #[must_use]
    pub fn advice(mut self, text: impl Into<String>) -> Self {
        self.advice = text.into();
        self
    }

    /// Adds a recommended setting.
    #[must_use]
    pub fn setting(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.settings.push(SettingValue { name: name.into(), value: value.into() });
        self
    }
}

/// Check that was not run, or not on all of the data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Name of the check.
    pub check: Name,
    /// Reason.
    pub why: String,
}

/// Results of all checks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Findings, in the order of the checks.
    pub findings: Vec<Finding>,
    /// Skipped checks.
    pub skipped: Vec<Skipped>,
}

impl Report {
    /// Adds a finding.
    pub fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Records a skipped check.
    pub fn skip(&mut self, check: &'static str, why: impl Into<String>) {
        self.skipped.push(Skipped { check: check.into(), why: why.into() });
    }

    /// Number of findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Sorts by decreasing severity; findings of one severity stay in order.
    pub fn sort(&mut self) {
        self.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    }
}

/// The first few names, shortened if long, and the number of the remaining ones.
pub(super) fn list<S: AsRef<str>>(names: &[S]) -> String {
    const SHOWN: usize = 6;
    const LONG: usize = 40;
    let short = |name: &S| match name.as_ref().char_indices().nth(LONG) {
        Some((end, _)) => format!("{}…", &name.as_ref()[..end]),
        None => name.as_ref().to_owned(),
    };
    let shown: Vec<String> = names.iter().take(SHOWN).map(short).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A share as a percentage with significant digits; 0 and 100 only if exact.
pub(super) fn percent(share: f64) -> String {
    let value = 100.0 * share;
    let digits = if (0.1..=99.9).contains(&value) { 1 } else { 3 };
    match format!("{value:.digits$}").as_str() {
        "100.000" if share < 1.0 => "just under 100 %".to_owned(),
        "0.000" if share > 0.0 => "just over 0 %".to_owned(),
        text => {
            let text = text.trim_end_matches('0').trim_end_matches('.');
            format!("{text} %")
        }
    }
}

/// A number with up to six significant digits.
pub(super) fn figure(v: f64) -> String {
    if v == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e9).contains(&v.abs()) {
        return format!("{v:.3e}");
    }
    let digits = (5 - v.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{v:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_rows_are_counted_and_the_first_listed() {
        let finding = Finding::new("x", Severity::Note, "y").rows(0..100);
        assert_eq!((finding.rows.len(), finding.row_count), (Finding::SHOWN, 100));
        assert_eq!(finding.rows[..3], [0, 1, 2]);
    }

    #[test]
    fn findings_are_sorted_by_decreasing_severity() {
        let mut report = Report::default();
        for severity in Severity::ALL.into_iter().chain(Severity::ALL) {
            report.add(Finding::new("x", severity, report.findings.len().to_string()));
        }
        report.sort();
        let order: Vec<&str> = report.findings.iter().map(|f| f.what.as_str()).collect();
        assert_eq!(order, ["2", "5", "1", "4", "0", "3"]);
        assert_eq!(report.count(Severity::Serious), 2);
    }

    #[test]
    fn shares_and_numbers_have_significant_digits() {
        assert_eq!([0.0, 0.5, 1.0, 0.999_5].map(percent), ["0 %", "50 %", "100 %", "99.95 %"]);
        assert_eq!(percent(0.999_999_99), "just under 100 %");
        assert_eq!(
            [0.0, 2.0, -0.25, 1e-7, 123_456.0].map(figure),
            ["0", "2", "-0.25", "1.000e-7", "123456"]
        );
        assert_eq!(list(&["a", "b"]), "a, b");
        assert_eq!(list(&["a", "b", "c", "d", "e", "f", "g", "h"]), "a, b, c, d, e, f and 2 more");
    }
}
