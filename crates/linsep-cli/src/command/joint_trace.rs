//! Trace of a multiclass perceptron: scores, winner and update of every row.

use super::classes_json;
use super::trace::with_bias;
use crate::layout::{Table, entry, paragraph};
use linsep::TrainingData;
use linsep::control::Record;
use linsep::learner::Fit;
use linsep::{Hyperplane, Trace};
use linsep_report::flags::spell;
use linsep_report::number::{number, plural};
use serde_json::{Value, json};

/// A trace with its text and JSON forms.
pub struct Shown<'a> {
    pub fit: &'a Fit,
    pub training: &'a TrainingData,
    pub trace: &'a Trace,
    pub method: &'a str,
}

impl Shown<'_> {
    pub fn json(&self) -> Value {
        let classes = classes_json(self.fit.model.classes());
        let hyperplanes = |hyperplanes: &[Hyperplane]| -> Vec<Value> {
            hyperplanes
                .iter()
                .map(|hyperplane| json!({ "w": hyperplane.w, "b": hyperplane.b }))
                .collect()
        };
        let step = |record: &Record| match record {
            Record::Scores { epoch, row, scores, winner, target, updated, hyperplanes: after } => {
                Some(json!({
                    "epoch": epoch,
                    "row": row,
                    "scores": scores,
                    "winner": winner.map(|c| &classes[c]),
                    "target": classes[*target],
                    "updated": updated,
                    "planes": hyperplanes(after),
                }))
            }
            _ => None,
        };
        json!({
            "method": self.method,
            "multiclass": self.fit.multiclass,
            "columns": self.training.recipe.features(),
            "classes": classes,
            "steps": self.trace.records().iter().filter_map(step).collect::<Vec<_>>(),
            "cut": self.trace.is_truncated(),
            "stop": self.fit.stop.name(),
            "epochs": self.fit.epochs,
            "updates": self.fit.updates,
            "mistakes": linsep::model_file::number(self.fit.mistakes),
            "planes": hyperplanes(self.fit.model.hyperplanes()),
        })
    }

    pub fn text(&self) -> String {
        let scheme = self.fit.multiclass.unwrap_or_default();
        let mut out = format!("{}, {scheme}; rows are counted from 1\n\n", self.method);
        out.push_str(&self.rows());
        if self.trace.is_truncated() {
            let steps = plural(self.trace.records().len(), "step", "steps");
            paragraph(&mut out, 2, &format!("… only {steps} shown; raise --steps for more"));
        }
        out.push('\n');
        entry(
            &mut out,
            "status",
            &format!("{}: {}", self.fit.stop, spell(self.fit.stop.meaning())),
        );
        let columns = with_bias(&self.training.recipe.features()).join(", ");
        for (class, hyperplane) in self.fit.model.classes().iter().zip(self.fit.model.hyperplanes())
        {
            entry(&mut out, "result", &format!("{class}: ({columns}) = ({})", cells(hyperplane)));
        }
        entry(&mut out, "errors", &number(self.fit.mistakes));
        out
    }

    fn rows(&self) -> String {
        let names: Vec<String> = self.fit.model.classes().iter().map(ToString::to_string).collect();
        let scores: Vec<String> = names.iter().map(|name| format!("z({name})")).collect();
        let head = ["epoch", "row"].into_iter().chain(scores.iter().map(String::as_str));
        let head: Vec<&str> = head.chain(["winner", "target", "update"]).collect();
        let mut table = Table::new(&head, 0);
        for record in self.trace.records() {
            let Record::Scores { epoch, row, scores, winner, target, updated, .. } = record else {
                continue;
            };
            let head = [(epoch + 1).to_string(), (row + 1).to_string()];
            let tail = [
                winner.map_or("–".to_owned(), |c| names[c].clone()),
                names[*target].clone(),
                if *updated { "yes" } else { "no" }.to_owned(),
            ];
            let scores = scores.iter().map(|z| number(*z));
            table.row(head.into_iter().chain(scores).chain(tail).collect());
        }
        table.show(2)
    }
}

fn cells(hyperplane: &Hyperplane) -> String {
    let numbers: Vec<String> =
        hyperplane.w.iter().chain([&hyperplane.b]).map(|v| number(*v)).collect();
    numbers.join(", ")
}
