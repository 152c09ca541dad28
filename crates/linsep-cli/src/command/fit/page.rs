//! `linsep fit --report`: what was done, how good it is and how to do it again, on one page.

use super::FitArgs;
use super::report::Report;
use crate::command::check::flags;
use crate::command::evaluate::Judged;
use crate::command::plot::curves::{Curve, draw};
use crate::command::plot::parts::short;
use crate::command::plot::path::tuned;
use crate::command::plot::{coefficients, confusion};
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::output::{Output, note};
use crate::page::{Grid, Page};
use crate::text::{count, number, percent, plural, small_percent};
use linsep::Label;
use linsep_io::examine::Examination;
use linsep_io::explain::{Cell, Explain, Explanation};
use linsep_io::recipe::{Encoding, TableRecipe};
use linsep_io::{AtomicFile, Bundle, LabelMap, Picked, Recipe, Scoring, Source, sha256};
use linsep_plot::Format;
use serde_json::Value;
use std::path::PathBuf;

/// Mistakes that are listed, and columns.
const SHOWN: usize = 12;

/// What a page is asked to be about.
pub(super) struct Asked<'a> {
    pub(super) args: &'a FitArgs,
    /// The rows the model is judged by, unless they are a file of their own: those held out, or those it learned from.
    pub(super) rows: Option<Judged>,
    /// What the data doctor found in the rows it learned from.
    pub(super) examined: Option<&'a Examination>,
    /// What came of rows that it did not learn from.
    pub(super) evaluation: Option<&'a (String, Evaluation<'a>)>,
    pub(super) name: &'a str,
    pub(super) out: &'a Output,
}

impl Asked<'_> {
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
            own = self.args.columns.scoring().evaluate_rows(bundle, rows)?;
            ("the rows it learned from", &own)
        };
        let json = evaluation.json();
        let mut page = Page::new(&format!("linsep report: {}", short(self.name)));
        self.done(&mut page, report);
        self.noticed(&mut page, &report.training.notes);
        certificate(&mut page, report);
        self.quality(&mut page, evaluation, (&json, report.fit.accuracy), on);
        if let Some(chart) = tuned(bundle) {
            page.section("How the penalty was chosen");
            page.picture(&svg(&chart));
        }
        page.section("Coefficients");
        page.picture(&svg(&coefficients::chart(bundle, 20)));
        self.mistakes(&mut page, bundle, (evaluation, rows), on)?;
        self.again(&mut page, report)?;
        Ok(page.finish(&self.lead(report, &json, on)))
    }

    /// What the data doctor found, the gravest first, and what was said about the data while it was read.
    fn noticed(&self, page: &mut Page, notes: &[String]) {
        let findings = self.examined.map_or(&[][..], |examined| &examined.report.findings);
        if notes.is_empty() && findings.is_empty() {
            return;
        }
        page.section("What was noticed");
        for finding in findings.iter().take(2 * SHOWN) {
            let advice = format!("{}{}", finding.advice, flags(finding));
            page.finding(finding.severity.name(), &finding.what, &advice);
        }
        if findings.len() > 2 * SHOWN {
            let more = findings.len() - 2 * SHOWN;
            page.paragraph(&format!("… and {more} more, which linsep check lists."));
        }
        for text in notes {
            let (what, advice) = text.split_once("; ").unwrap_or((text, ""));
            page.finding("note", what, advice);
        }
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

    /// What was done, in plain words.
    fn done(&self, page: &mut Page, report: &Report<'_>) {
        let (training, header) = (report.training, &report.bundle.header);
        page.section("What was done");
        let mut words = vec![
            format!(
                "Read {}: {} that became {}.",
                self.name,
                plural(training.x.n(), "row", "rows"),
                plural(training.x.d(), "column of numbers", "columns of numbers")
            ),
            format!("Classes: {}.", report.classes()),
        ];
        match &header.recipe {
            Recipe::Table(table) => words.extend(columns(table)),
            Recipe::Sparse { base, .. } => {
                words.push(format!("Columns are numbered from {base} and taken as they are."));
            }
        }
        if training.dropped > 0 {
            let rows = plural(training.dropped, "row was", "rows were");
            words.push(format!("{rows} left out for what they miss."));
        }
        let missing: u64 = training.missing.iter().map(|(_, n)| n).sum();
        if missing > 0 {
            let cells = plural(missing as usize, "missing value", "missing values");
            let most = training.missing.iter().map(|(name, n)| format!("{name} {n}"));
            let most: Vec<String> = most.take(SHOWN).collect();
            words.push(format!("{cells}: {}.", most.join(", ")));
        }
        words.push(format!("Method: {}.", report.method()));
        words.push(match self.evaluation {
            Some((on, _)) => format!("Judged on {on}, which it did not learn from."),
            None => "Judged on the rows it learned from, which flatters it: hold rows out with --holdout 0.2, or name \
                     others with --test."
                .to_owned(),
        });
        page.list(&words);
    }

    /// Numbers, curves and the confusion matrix.
    fn quality(
        &self,
        page: &mut Page,
        evaluation: &Evaluation<'_>,
        (json, accuracy): (&Value, f64),
        on: &str,
    ) {
        page.section("How good it is");
        page.paragraph(&format!("On {on}, {}:", plural(rows(json), "row", "rows")));
        let mut facts = measures(json);
        if self.evaluation.is_some() {
            facts.push(("accuracy on the rows it learned from", percent(accuracy)));
        }
        page.facts(&facts);
        if self.evaluation.is_none() {
            page.remark("These rows were learned from: on new ones expect less.");
        }
        let curves = [Curve::Roc, Curve::PrecisionRecall, Curve::Calibration];
        let drawn = curves.into_iter().filter_map(|curve| draw(evaluation, curve, on));
        page.pictures(&drawn.map(|drawn| svg(&drawn.chart)).collect::<Vec<_>>());
        page.picture(&svg(&confusion::chart(evaluation, on)));
        let mut grid =
            Grid::new("Class by class", &["class", "precision", "recall", "F1", "rows"], 1);
        for class in json["per_class"].as_array().into_iter().flatten() {
            let share = |key: &str| class[key].as_f64().map_or_else(|| "–".to_owned(), percent);
            grid.row(vec![
                word(&class["class"]),
                share("precision"),
                share("recall"),
                share("f1"),
                class["support"].as_f64().map_or_else(|| "–".to_owned(), count),
            ]);
        }
        page.table(&grid);
    }

    /// Rows that are predicted wrongly, those first that it was surest of.
    fn mistakes(
        &self,
        page: &mut Page,
        bundle: &Bundle,
        (evaluation, rows): (&Evaluation<'_>, &Judged),
        on: &str,
    ) -> Result<(), Failure> {
        page.section("Worst mistakes");
        let counts =
            matches!(&bundle.header.recipe, Recipe::Table(table) if !table.counts.is_empty());
        let worst = if counts { Vec::new() } else { evaluation.worst(SHOWN) };
        if worst.is_empty() {
            page.paragraph(if counts {
                "Rows with counts are of several classes at once, so there is no single row to show."
            } else {
                "There are none."
            });
            return Ok(());
        }
        page.paragraph(&format!(
            "Among {on}, these are predicted wrongly; those first that the model is surest of. They have their numbers in \
             the file, counted from 0, and beside them what spoke most for the class they were given."
        ));
        let explain = Explain { bundle, against: None, allow: Some(&[]), most: 0 };
        let head = ["row", "is", "predicted as", "sure", "for it"];
        let mut grid = Grid::new("Mistakes", &head, 5);
        for picked in self.picked(bundle, rows, &worst)? {
            if let Some(mut found) = explain.row(&picked)? {
                if let (None, Some(numbers)) = (&self.args.test, &rows.numbers) {
                    found.row = numbers[found.row];
                }
                grid.row(mistake(bundle, &found));
            }
        }
        page.table(&grid);
        Ok(())
    }

    /// Rows by number, from wherever they were judged.
    fn picked(
        &self,
        bundle: &Bundle,
        judged: &Judged,
        rows: &[usize],
    ) -> Result<Vec<Picked>, Failure> {
        let scoring = self.args.columns.scoring();
        let read = self.args.reading.options(self.out.threads);
        let map: LabelMap = scoring.map(bundle)?;
        let scoring = Scoring {
            bundle,
            planes: bundle.model.planes(),
            read: &read,
            labels: true,
            target: scoring.target.as_deref(),
            counts: &[],
            weights: None,
            map: &map,
        };
        Ok(match &self.args.test {
            Some(test) => scoring.pick(Source::open(test)?, rows)?.0,
            None => scoring.pick_from(&judged.input, rows),
        })
    }

    /// All it takes to do it again.
    fn again(&self, page: &mut Page, report: &Report<'_>) -> Result<(), Failure> {
        let header = &report.bundle.header;
        page.section("How to do it again");
        let settings: Vec<String> =
            header.settings.iter().map(|(name, value)| format!("{name} {}", word(value))).collect();
        let facts = [
            ("program", format!("linsep {}", header.linsep)),
            ("model", report.path.display().to_string()),
            ("seed", self.args.method.seed().to_string()),
            ("settings", settings.join(", ")),
        ];
        page.facts(&facts);
        let mut grid = Grid::new("What was read", &["file", "read as", "SHA-256"], 3);
        let files = self.args.data.iter().map(|path| ("data", path));
        for (what, path) in files.chain(self.args.test.iter().map(|path| ("test data", path))) {
            let digest = if path.as_os_str() == "-" { "a pipe".to_owned() } else { sha256(path)? };
            grid.row(vec![path.display().to_string(), what.to_owned(), digest]);
        }
        page.table(&grid);
        page.paragraph(
            "The same data, settings and seed give the same bits, whatever the number of threads:",
        );
        page.verbatim(&command_line(std::env::args().skip(1)));
        Ok(())
    }
}

/// What is proved of the answer.
fn certificate(page: &mut Page, report: &Report<'_>) {
    let fit = report.fit;
    page.section("Certificate");
    page.paragraph(&format!("The run ended as {}: {}.", fit.stop, fit.stop.meaning()));
    match report.proof() {
        Some(proof) => page.paragraph(&format!("What is proved: {proof}.")),
        None => page.paragraph(
            "This method minimises no criterion with a lower bound, so there is no gap to report.",
        ),
    }
    if let Some(separated) = report.separated {
        let planes = crate::command::plane_names(&fit.model);
        separated.text(&planes).iter().for_each(|text| page.paragraph(text));
    }
    let proofs = &report.bundle.header.training.proofs;
    if !proofs.is_empty() {
        let head = ["plane of", "way of minimising", "criterion", "lower bound", "relative gap"];
        let mut grid = Grid::new("Each plane, and what none can be better than", &head, 2);
        let names = crate::command::plane_names(&fit.model);
        let together = proofs.len() != names.len();
        for (j, proof) in proofs.iter().enumerate().take(30) {
            let all = "all classes together".to_owned();
            grid.row(vec![
                if together { all } else { names[j].clone() },
                proof.solver.clone(),
                number(proof.primal),
                proof.dual.map_or_else(|| "–".to_owned(), number),
                proof.relative_gap.map_or_else(|| "–".to_owned(), small_percent),
            ]);
        }
        page.table(&grid);
    }
}

fn svg(chart: &linsep_plot::Chart) -> String {
    String::from_utf8_lossy(&Format::Svg.write(&chart.scene())).into_owned()
}

fn rows(json: &Value) -> usize {
    json["n"].as_u64().unwrap_or(0) as usize
}

/// What is in a JSON value, without quotes.
fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What became of columns, in words.
fn columns(table: &TableRecipe) -> Vec<String> {
    let of = |wanted: fn(&Encoding) -> bool| {
        let names = table.steps.iter().filter(|step| wanted(&step.encoding));
        names.map(|step| step.name.clone()).collect::<Vec<_>>()
    };
    let list = |names: &[String]| {
        let more = names.len().saturating_sub(SHOWN);
        let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        if more > 0 { format!("{shown} and {more} more") } else { shown }
    };
    let numbers = of(|e| matches!(e, Encoding::Number { .. }));
    let words = of(|e| matches!(e, Encoding::Category { .. }));
    let hashed = of(|e| matches!(e, Encoding::Hashed { .. }));
    let mut out = Vec::new();
    if !numbers.is_empty() {
        let how = if table.standardised { ", standardised to learn" } else { "" };
        out.push(format!("Columns of numbers{how}: {}.", list(&numbers)));
    }
    if !words.is_empty() {
        out.push(format!(
            "Columns of words, one column of 0 and 1 for each word: {}.",
            list(&words)
        ));
    }
    if !hashed.is_empty() {
        out.push(format!("Columns of very many words, hashed: {}.", list(&hashed)));
    }
    let left: Vec<String> =
        table.left_out.iter().map(|left| format!("{} ({})", left.name, left.why)).collect();
    if !left.is_empty() {
        out.push(format!("Left out: {}.", list(&left)));
    }
    out
}

/// The measures there are, with their intervals.
fn measures(json: &Value) -> Vec<(&'static str, String)> {
    let with = |key: &str, show: fn(f64) -> String| {
        let value = show(json[key].as_f64()?);
        let ends = &json[format!("{key}_interval").as_str()];
        let range = ends[0].as_f64().zip(ends[1].as_f64());
        let range = range.map(|(a, b)| format!(" (95 %: {} to {})", show(a), show(b)));
        Some(format!("{value}{}", range.unwrap_or_default()))
    };
    type Measure = (&'static str, &'static str, fn(f64) -> String);
    let all: [Measure; 8] = [
        ("accuracy", "accuracy", percent),
        ("balanced accuracy", "balanced_accuracy", percent),
        ("area under the ROC curve", "auc", number),
        ("correlation (Matthews)", "correlation", number),
        ("log-loss", "log_loss", number),
        ("Brier score", "brier", number),
        ("expected calibration error", "calibration_error", number),
        ("rows that get a class", "coverage", percent),
    ];
    all.into_iter().filter_map(|(name, key, show)| Some((name, with(key, show)?))).collect()
}

/// A row that was predicted wrongly, in words.
fn mistake(bundle: &Bundle, found: &Explanation) -> Vec<String> {
    let class = |c: usize| bundle.model.classes()[c].to_string();
    let sure = found
        .probabilities
        .as_ref()
        .map_or_else(|| format!("score {}", number(found.score)), |p| percent(p[found.class]));
    // What speaks for the class that was given.
    let sign = if found.towards == found.class { 1.0 } else { -1.0 };
    let mut reasons: Vec<_> = found.contributions.iter().filter(|c| sign * c.value > 0.0).collect();
    reasons.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    let reasons = reasons.iter().take(3).map(|c| {
        let cell = match &c.cell {
            Cell::Number(v) => number(*v),
            Cell::Word(word) | Cell::Unknown(word) => word.clone(),
            Cell::Missing => "missing".to_owned(),
        };
        format!("{} {cell} (+{})", c.name, number(c.value.abs()))
    });
    vec![
        found.row.to_string(),
        found.actual.as_ref().map_or_else(String::new, Label::to_string),
        class(found.class),
        sure,
        reasons.collect::<Vec<_>>().join(", "),
    ]
}

/// The command as a shell takes it, without the words by which people let programs in somewhere.
fn command_line(args: impl Iterator<Item = String>) -> String {
    let mut out = String::from("linsep");
    for arg in args {
        out.push(' ');
        out.push_str(&quoted(&masked(&arg)));
    }
    out
}

/// `scheme://name:word@host` without the name and the word.
fn masked(arg: &str) -> String {
    let Some((scheme, rest)) = arg.split_once("://") else { return arg.to_owned() };
    match rest.split_once('@') {
        Some((name, host)) if !name.contains('/') => format!("{scheme}://…@{host}"),
        _ => arg.to_owned(),
    }
}

fn quoted(arg: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=,:@%+".contains(c);
    if !arg.is_empty() && arg.chars().all(plain) {
        return arg.to_owned();
    }
    format!("'{}'", arg.replace('\'', "'\\''"))
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
    fn a_command_can_be_pasted_and_tells_no_secrets() {
        let args = [
            "fit",
            "a b.csv",
            "--label-map",
            "it's=x",
            "-C",
            "0.5",
            "",
            "ftp://me:word@host/x.csv",
        ];
        assert_eq!(
            command_line(args.into_iter().map(str::to_owned)),
            "linsep fit 'a b.csv' --label-map 'it'\\''s=x' -C 0.5 '' 'ftp://…@host/x.csv'"
        );
    }

    #[test]
    fn a_page_is_called_html() {
        assert!(path("a/R.HTML").is_ok());
        assert!(path("report.pdf").unwrap_err().ends_with("try report.html"));
    }
}
