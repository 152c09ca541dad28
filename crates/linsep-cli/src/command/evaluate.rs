//! `linsep evaluate`: how well a model predicts data with known classes.

use super::classes_json;
use crate::data::DataArgs;
use crate::failure::Failure;
use crate::output::{Output, note};
use crate::text::{Table, count, percent, plural};
use clap::Args;
use linsep::metric::{Confusion, accuracy};
use linsep::{Label, LinearModel};
use linsep_io::bundle::{Header, number};
use linsep_io::{Bundle, Schema, Scoring};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct EvaluateArgs {
    /// The model
    model: PathBuf,

    /// The data; - is stdin
    data: PathBuf,

    #[command(flatten)]
    reading: DataArgs,
}

pub fn run(args: &EvaluateArgs, out: &Output) -> Result<(), Failure> {
    // 1. Model and data.
    let bundle = Bundle::load(&args.model)?;
    let name = args.data.display().to_string();
    let input = args.reading.read(&args.data, out)?;
    let target = args.reading.target.as_deref();
    let scoring = Scoring::new(input, &bundle.header.schema, target)?;
    scoring.notes.iter().for_each(|text| note(text));
    let Some(labels) = &scoring.labels else {
        let own = match &bundle.header.schema {
            Schema::Table { target, .. } => target.as_str(),
            Schema::Sparse { .. } => "label",
        };
        let column = target.unwrap_or(own);
        return Err(Failure::Refused(format!(
            "{name}: there is no column called {column:?}, so there is nothing to compare with. \
             Name the column with the classes with --target."
        )));
    };

    // 2. Compare.
    let predicted = bundle.model.predict(&scoring.x)?;
    let evaluation = Evaluation::new(&bundle.model, labels.classes(), labels.codes(), &predicted);

    // 3. Report.
    out.result(|| evaluation.json(), || evaluation.text(&name))
}

/// What came out. Rows of classes the model does not know count as wrong, and are listed.
struct Evaluation<'a> {
    model: &'a LinearModel,
    n: usize,
    accuracy: f64,
    confusion: Confusion,
    unknown: Vec<(&'a Label, usize)>,
}

impl<'a> Evaluation<'a> {
    fn new(model: &'a LinearModel, classes: &'a [Label], codes: &[u32], predicted: &[u32]) -> Self {
        const UNKNOWN: u32 = u32::MAX;
        let place = |label| model.classes().iter().position(|class| class == label);
        let class_of: Vec<u32> =
            classes.iter().map(|label| place(label).map_or(UNKNOWN, |at| at as u32)).collect();
        let target: Vec<u32> = codes.iter().map(|&c| class_of[c as usize]).collect();
        let unknown = classes
            .iter()
            .enumerate()
            .filter(|(c, _)| class_of[*c] == UNKNOWN)
            .map(|(c, label)| (label, codes.iter().filter(|&&code| code as usize == c).count()))
            .collect();
        let known: Vec<usize> = (0..target.len()).filter(|&i| target[i] != UNKNOWN).collect();
        let of_known = |all: &[u32]| known.iter().map(|&i| all[i]).collect::<Vec<u32>>();
        Self {
            model,
            n: target.len(),
            accuracy: accuracy(&target, predicted, &vec![1.0; target.len()]),
            confusion: Confusion::new(
                model.k(),
                &of_known(&target),
                &of_known(predicted),
                &vec![1.0; known.len()],
            ),
            unknown,
        }
    }

    fn json(&self) -> Value {
        let per_class: Vec<Value> = self
            .model
            .classes()
            .iter()
            .zip(self.confusion.scores())
            .map(|(class, score)| {
                json!({
                    "class": Header::class(class),
                    "precision": score.precision,
                    "recall": score.recall,
                    "f1": score.f1,
                    "support": number(score.support),
                })
            })
            .collect();
        let cells = |row: &[f64]| row.iter().copied().map(number).collect::<Vec<Value>>();
        let unknown: Vec<Value> = self
            .unknown
            .iter()
            .map(|(label, n)| json!({ "class": Header::class(label), "rows": n }))
            .collect();
        json!({
            "n": self.n,
            "classes": classes_json(self.model.classes()),
            "accuracy": self.accuracy,
            "confusion": self.confusion.rows().map(cells).collect::<Vec<_>>(),
            "per_class": per_class,
            "unknown_labels": unknown,
        })
    }

    fn text(&self, name: &str) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "data      {name}: {}", plural(self.n, "row", "rows"));
        let _ = writeln!(out, "accuracy  {}", percent(self.accuracy));
        for (label, n) in &self.unknown {
            let rows = plural(*n, "row", "rows");
            let _ = writeln!(
                out,
                "unknown   {rows} of class {label}, which the model does not know, count as wrong"
            );
        }
        const MOST: usize = 20;
        if self.model.k() <= MOST {
            out.push_str("\nrows of … predicted as …\n");
            let names: Vec<String> = self.model.classes().iter().map(Label::to_string).collect();
            let header: Vec<&str> =
                [""].into_iter().chain(names.iter().map(String::as_str)).collect();
            let mut table = Table::new(&header, 1);
            for (class, row) in names.iter().zip(self.confusion.rows()) {
                table.row(
                    [class.clone()].into_iter().chain(row.iter().map(|c| count(*c))).collect(),
                );
            }
            out.push_str(&table.show(2));
        }
        out.push('\n');
        let share = |s: Option<f64>| s.map_or_else(|| "–".to_owned(), percent);
        let mut table = Table::new(&["class", "precision", "recall", "F1", "rows"], 1);
        for (class, score) in self.model.classes().iter().zip(self.confusion.scores()) {
            table.row(vec![
                class.to_string(),
                share(score.precision),
                share(score.recall),
                share(score.f1),
                count(score.support),
            ]);
        }
        out.push_str(&table.show(2));
        out
    }
}
