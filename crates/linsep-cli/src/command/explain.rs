//! `linsep explain`: contributions of the columns to a prediction, and counterfactuals.

use super::classes_json;
use crate::data::{ReadArgs, name_of};
use crate::failure::Failure;
use crate::layout::{Table, entry, paragraph};
use crate::lists::{List, all};
use crate::output::{Output, note};
use crate::post_processing::probability_at;
use clap::Args;
use linsep::Label;
use linsep::explain::{Cell, Contribution, Explain, Explanation, Nearest};
use linsep::model_file::Header;
use linsep::recipe::{Encoding, Step};
use linsep::{LabelMap, ModelFile, Recipe, Scoring, Source};
use linsep_report::number::{count, number, percent, plural, small};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;

/// Number of rows explained by default.
const FIRST: usize = 3;

#[derive(Args)]
pub struct ExplainArgs {
    /// Model file
    model: PathBuf,

    /// Data file; - is stdin
    data: PathBuf,

    /// Rows to explain, counted from 1, as 3 or 3,17 [default: the first three]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = row_number, help_heading = "Data")]
    row: Vec<usize>,

    /// Class to compare with, and class of the counterfactuals [default: the runner-up]
    #[arg(long, value_name = "CLASS", help_heading = "Output")]
    against: Option<String>,

    /// Columns that may change in counterfactuals [default: all]
    #[arg(long, value_name = "COLUMN,…", help_heading = "Output")]
    allow: Vec<List>,

    /// Show at most this many contributions and changes
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Output")]
    top: usize,

    /// Target column [default: as in training, if present]
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    target: Option<String>,

    /// Rename classes of the data to those of the model
    #[arg(long, value_name = "OLD=NEW,…", allow_hyphen_values = true, help_heading = "Data")]
    label_map: Vec<List>,

    #[command(flatten)]
    reading: ReadArgs,
}

pub fn run(args: &ExplainArgs, out: &Output) -> Result<(), Failure> {
    // 1. The request.
    let model_file = ModelFile::load(&args.model)?;
    let classes = model_file.model.classes();
    let name = name_of(std::slice::from_ref(&args.data));
    let against = args.against.as_ref().map(|text| {
        let label = Label::parse(text);
        classes.iter().position(|class| *class == label).ok_or_else(|| {
            Failure::from(linsep::core::Error::UnknownClass { got: label, known: classes.to_vec() })
        })
    });
    let allow = all(&args.allow);
    let explain = Explain {
        model_file: &model_file,
        against: against.transpose()?,
        allow: (!allow.is_empty()).then_some(&allow[..]),
        most: args.top,
    };
    explain.check(&args.model.display().to_string())?;

    // 2. The rows.
    let first: Vec<usize> = (0..FIRST).collect();
    let wanted = if args.row.is_empty() { &first } else { &args.row };
    let (read, map) = (args.reading.options(out), LabelMap::onto(&all(&args.label_map), classes)?);
    let scoring = Scoring {
        model_file: &model_file,
        hyperplanes: model_file.model.hyperplanes(),
        read: &read,
        labels: true,
        target: args.target.as_deref(),
        counts: &[],
        weights: None,
        map: &map,
    };
    let (picked, rows) = scoring.pick(Source::open(&args.data)?, wanted)?;
    if let Some(beyond) = args.row.iter().find(|row| **row >= rows) {
        return Err(Failure::Usage(format!(
            "--row {}: {name} has only {}, counted from 1",
            beyond + 1,
            plural(rows, "row", "rows")
        )));
    }

    // 3. Their explanations.
    let mut explained = Vec::new();
    for picked in &picked {
        match explain.row(picked)? {
            Some(explanation) => explained.push(explanation),
            None => note(&format!(
                "row {} has a missing value, which the model does not accept: no prediction",
                picked.row + 1
            )),
        }
    }
    let shown = Shown { model_file: &model_file, top: args.top, explained: &explained };
    out.result(|| shown.json(&name), || shown.text())
}

/// Parses a row number, counted from 1, into an index.
fn row_number(text: &str) -> Result<usize, String> {
    match text.trim().parse::<usize>() {
        Ok(row) if row > 0 => Ok(row - 1),
        _ => Err("expected a row number, counted from 1".to_owned()),
    }
}

struct Shown<'a> {
    model_file: &'a ModelFile,
    top: usize,
    explained: &'a [Explanation],
}

impl Shown<'_> {
    fn class(&self, c: usize) -> &Label {
        &self.model_file.model.classes()[c]
    }

    /// Returns the unit of lengths, as JSON value and as text.
    fn units(&self) -> (&'static str, &'static str) {
        match self.model_file.header.recipe {
            Recipe::Table(_) => ("deviations", "standard deviations"),
            Recipe::Sparse { .. } => ("units", "units"),
        }
    }

    /// Returns the unit of lengths as text.
    fn unit(&self) -> &'static str {
        self.units().1
    }

    fn json(&self, name: &str) -> Value {
        let class = |c: usize| Header::class(self.class(c));
        let row = |e: &Explanation| {
            let contribution = |c: &Contribution| json!({ "column": c.name, "value": cell_json(&c.cell), "contribution": c.value });
            let nearest = e.nearest.as_ref().map(|nearest| {
                let change =
                    |(name, from, to): &(String, f64, f64)| json!({ "column": name, "from": from, "to": to });
                json!({
                    "class": class(nearest.class),
                    "length": nearest.length,
                    "exact": nearest.exact,
                    "changes": nearest.changes.iter().map(change).collect::<Vec<_>>(),
                })
            });
            let number_changes = e.number_changes.iter().map(|s| {
                json!({
                    "column": s.name,
                    "from": cell_json(&s.from),
                    "to": s.to,
                    "length": s.deviations,
                    "class": class(s.class),
                })
            });
            let level_changes = e.level_changes.iter().map(|s| {
                json!({ "column": s.name, "from": cell_json(&s.from), "to": s.to, "class": class(s.class) })
            });
            json!({
                "row": e.row,
                "class": class(e.class),
                "actual": e.actual.as_ref().map(Header::class),
                "against": class(e.rival),
                "towards": class(e.towards),
                "ambiguous": e.ambiguous,
                "abstained": e.abstained,
                "scores": e.scores,
                "probabilities": e.probabilities,
                "score": e.score,
                "distance": e.distance,
                "base": e.base,
                "contributions": e.contributions.iter().map(contribution).collect::<Vec<_>>(),
                "sum": e.sum,
                "difference": e.sum - e.score,
                "nearest": nearest,
                "numbers": number_changes.collect::<Vec<_>>(),
                "words": level_changes.collect::<Vec<_>>(),
            })
        };
        json!({
            "data": name,
            "classes": classes_json(self.model_file.model.classes()),
            "units": self.units().0,
            "rows": self.explained.iter().map(row).collect::<Vec<_>>(),
        })
    }

    fn text(&self) -> String {
        let mut out = String::new();
        for (i, explanation) in self.explained.iter().enumerate() {
            if i > 0 {
                out.push('\n');
            }
            self.head(&mut out, explanation);
            out.push('\n');
            out.push_str(&self.why(explanation));
            out.push('\n');
            self.what_if(&mut out, explanation);
        }
        out
    }

    fn head(&self, out: &mut String, e: &Explanation) {
        let mut line = |key: &str, value: String| entry(out, key, &value);
        let truth = match &e.actual {
            Some(actual) if actual == self.class(e.class) => " (correct)".to_owned(),
            Some(actual) => format!(" (true class {actual})"),
            None => String::new(),
        };
        line(&format!("row {}", e.row + 1), format!("predicted {}{truth}", self.class(e.class)));
        if let Some(p) = &e.probabilities {
            let mut order: Vec<usize> = (0..p.len()).collect();
            order.sort_by(|&a, &b| p[b].total_cmp(&p[a]));
            let shown =
                order.iter().take(3).map(|&c| format!("{} {}", self.class(c), percent(p[c])));
            line("probability", shown.collect::<Vec<_>>().join(", "));
        }
        let score = if self.model_file.model.k() == 2 {
            let from = match self.model_file.model.operating_point().threshold {
                0.0 => String::new(),
                threshold => match probability_at(&self.model_file.model, threshold) {
                    Some(p) => format!(", relative to the threshold, probability {}", number(p)),
                    None => format!(", relative to the threshold {}", number(threshold)),
                },
            };
            format!("{}{from}; positive scores predict {}", number(e.score), self.class(1))
        } else {
            format!(
                "{}, score of {} minus score of {}",
                number(e.score),
                self.class(e.class),
                self.class(e.rival)
            )
        };
        line("score", score);
        if let Some(distance) = e.distance {
            let unit = self.unit();
            line(
                "distance",
                format!("{} {unit} from the hyperplane between the two classes", number(distance)),
            );
        }
        if e.abstained {
            line("abstains", "the model makes no prediction for this row".to_owned());
        }
        if e.ambiguous {
            line("ambiguous", "the row lies in an ambiguous region; predicted by score".to_owned());
        }
    }

    fn why(&self, e: &Explanation) -> String {
        let toward = format!("toward {}", self.class(e.towards));
        let mut table = Table::new(&["column", "value", &toward], 2);
        let shown = e.contributions.len().min(self.top);
        for c in &e.contributions[..shown] {
            table.row(vec![c.name.clone(), cell_text(&c.cell), signed(c.value)]);
        }
        let rest = &e.contributions[shown..];
        if !rest.is_empty() {
            let value = rest.iter().map(|c| c.value).sum();
            let name = plural(rest.len(), "other column", "other columns");
            table.row(vec![format!("({name})"), String::new(), signed(value)]);
        }
        let base = match self.model_file.header.recipe {
            Recipe::Table(_) => "(numeric columns at their means)",
            Recipe::Sparse { .. } => "(intercept)",
        };
        table.row(vec![base.to_owned(), String::new(), signed(e.base)]);
        let difference = (e.sum - e.score).abs();
        let check = if difference == 0.0 {
            "score".to_owned()
        } else {
            format!("score (± {})", small(difference))
        };
        table.row(vec!["sum".to_owned(), check, signed(e.sum)]);
        table.show(2)
    }

    fn what_if(&self, out: &mut String, e: &Explanation) {
        match &e.nearest {
            Some(nearest) => self.nearest(out, nearest),
            None => {
                entry(out, "nearest", "no change of the allowed numeric columns changes the class");
            }
        }
        if !e.number_changes.is_empty() {
            out.push_str("\nchange of one numeric column, all others fixed:\n");
            let unit = self.unit();
            let mut table = Table::new(&["column", "from", "to", unit, "class"], 1);
            for s in &e.number_changes {
                table.row(vec![
                    s.name.clone(),
                    cell_text(&s.from),
                    number(s.to),
                    number(s.deviations),
                    self.class(s.class).to_string(),
                ]);
            }
            out.push_str(&table.show(2));
        }
        if !e.level_changes.is_empty() {
            out.push_str("\nchange of one categorical column, all others fixed:\n");
            let mut names: Vec<&str> = e.level_changes.iter().map(|s| s.name.as_str()).collect();
            names.dedup();
            for name in names {
                let own: Vec<_> = e.level_changes.iter().filter(|s| s.name == name).collect();
                let levels = own.iter().take(self.top).map(|s| {
                    let then = if self.model_file.model.k() == 2 {
                        String::new()
                    } else {
                        format!(" ({})", self.class(s.class))
                    };
                    format!("{}{then}", s.to)
                });
                let more = match own.len().saturating_sub(self.top) {
                    0 => String::new(),
                    more => format!(" and {} more", count(more as f64)),
                };
                let levels = levels.collect::<Vec<_>>().join(", ");
                let line = format!("{name} {} → {levels}{more}", cell_text(&own[0].from));
                paragraph(out, 2, &line);
            }
        }
    }

    fn nearest(&self, out: &mut String, nearest: &Nearest) {
        let unit = self.unit();
        let categorical = |step: &Step| !matches!(step.encoding, Encoding::Number { .. });
        let mixed = matches!(&self.model_file.header.recipe, Recipe::Table(table) if table.steps.iter().any(categorical));
        let fixed = if mixed { ", categorical columns fixed" } else { "" };
        let change = if nearest.exact {
            "smallest change of numeric columns"
        } else {
            "a change of numeric columns"
        };
        let (length, class) = (number(nearest.length), self.class(nearest.class));
        entry(out, "nearest", &format!("{class} at distance {length} {unit}: {change}{fixed}"));
        let mut table = Table::new(&["column", "from", "to"], 1);
        for (name, from, to) in nearest.changes.iter().take(self.top) {
            table.row(vec![name.clone(), number(*from), number(*to)]);
        }
        out.push_str(&table.show(2));
        if nearest.changes.len() > self.top {
            let more = plural(nearest.changes.len() - self.top, "column", "columns");
            let _ = writeln!(out, "  … and {more} that change less");
        }
    }
}

fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Number(v) => number(*v),
        Cell::Word(level) => level.clone(),
        Cell::Unknown(level) => format!("{level} (not seen in training)"),
        Cell::Missing => "(missing)".to_owned(),
    }
}

fn cell_json(cell: &Cell) -> Value {
    match cell {
        Cell::Number(v) => linsep::model_file::number(*v),
        Cell::Word(level) | Cell::Unknown(level) => Value::from(level.as_str()),
        Cell::Missing => Value::Null,
    }
}

fn signed(v: f64) -> String {
    if v > 0.0 { format!("+{}", number(v)) } else { number(v) }
}
