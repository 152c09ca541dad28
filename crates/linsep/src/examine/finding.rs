//! What a check has to say: plain values, for text, JSON and report pages alike.

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know; nothing is wrong.
    Note,
    /// The answer may be worse than it could be, or read wrongly.
    Warning,
    /// What is learned is likely not what was meant.
    Serious,
}

impl Severity {
    /// Every severity, from the least to the gravest.
    pub const ALL: [Self; 3] = [Self::Note, Self::Warning, Self::Serious];

    /// The name used in every face.
    pub fn name(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Serious => "serious",
        }
    }
}

/// One thing that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Name of the check that found it.
    pub check: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What was found, in a sentence.
    pub what: String,
    /// The columns it is about, by name.
    pub columns: Vec<String>,
    /// The first of the rows it is about, counted from 0.
    pub rows: Vec<usize>,
    /// How many rows it is about.
    pub row_count: usize,
    /// The numbers behind the sentence, by name.
    pub numbers: Vec<(&'static str, f64)>,
    /// Words behind it, by name.
    pub words: Vec<(&'static str, String)>,
    /// What to do about it, in words.
    pub advice: String,
    /// Settings that do it, by the names they have in every face, with their values (which may be none).
    pub settings: Vec<(&'static str, String)>,
}

impl Finding {
    /// Rows that are listed at most.
    pub const SHOWN: usize = 20;

    /// Something that was found, of no columns and rows yet.
    pub fn new(check: &'static str, severity: Severity, what: impl Into<String>) -> Self {
        Self {
            check,
            severity,
            what: what.into(),
            columns: Vec::new(),
            rows: Vec::new(),
            row_count: 0,
            numbers: Vec::new(),
            words: Vec::new(),
            advice: String::new(),
            settings: Vec::new(),
        }
    }

    /// The columns it is about.
    #[must_use]
    pub fn columns<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.columns.extend(names.into_iter().map(|name| name.as_ref().to_owned()));
        self
    }

    /// The rows it is about, of which the first are kept.
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

    /// A number behind it.
    #[must_use]
    pub fn number(mut self, name: &'static str, value: f64) -> Self {
        self.numbers.push((name, value));
        self
    }

    /// A word behind it.
    #[must_use]
    pub fn word(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.words.push((name, value.into()));
        self
    }

    /// What to do about it.
    #[must_use]
    pub fn advice(mut self, text: impl Into<String>) -> Self {
        self.advice = text.into();
        self
    }

    /// A setting that does it.
    #[must_use]
    pub fn setting(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.settings.push((name, value.into()));
        self
    }
}

/// A check that was not made, or not for all of the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its name.
    pub check: &'static str,
    /// Why.
    pub why: String,
}

/// All that was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What was found, in the order of the checks.
    pub findings: Vec<Finding>,
    /// What was not looked for.
    pub skipped: Vec<Skipped>,
}

impl Report {
    /// Adds a finding.
    pub fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Says that a check was not made.
    pub fn skip(&mut self, check: &'static str, why: impl Into<String>) {
        self.skipped.push(Skipped { check, why: why.into() });
    }

    /// How many findings are of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// The gravest findings first; those of one severity stay in order.
    pub fn sort(&mut self) {
        self.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    }
}

/// A few names in a row, and how many more there are. Long ones are cut.
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

/// A share as a percentage: two digits that tell something, and never 0 or 100 unless it is.
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

/// A number with up to six digits that tell something.
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
    fn rows_are_counted_beyond_those_that_are_kept() {
        let finding = Finding::new("x", Severity::Note, "y").rows(0..100);
        assert_eq!((finding.rows.len(), finding.row_count), (Finding::SHOWN, 100));
        assert_eq!(finding.rows[..3], [0, 1, 2]);
    }

    #[test]
    fn the_gravest_come_first() {
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
    fn shares_and_figures_say_what_they_know() {
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
