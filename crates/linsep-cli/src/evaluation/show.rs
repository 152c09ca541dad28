//! JSON and text of an evaluation.

use super::Evaluation;
use crate::failure::Failure;
use crate::layout::{Table, entry};
use linsep::Label;
use linsep::evaluation::{ClassRanking, RejectOptionMetrics};
use linsep::metric::{
    Bin, calibration_error, ranked_average_precision, ranked_precision_recall, ranked_roc,
    share_interval,
};
use linsep::model_file::{self, Header};
use linsep_report::escape::safe_json;
use linsep_report::number::{count, number, percent, plural};
use serde_json::{Value, json};
use std::io::Write;

impl Evaluation<'_> {
    /// Returns all metrics and the confusion matrix, without the curves.
    pub fn json(&self) -> Value {
        let mut json = self.facts();
        let cells = |row: Vec<f64>| row.into_iter().map(model_file::number).collect::<Vec<Value>>();
        json["confusion"] = self.confusion.rows().map(cells).collect();
        json
    }

    /// Returns all metrics, without the confusion matrix and the curves.
    fn facts(&self) -> Value {
        let (confusion, likely) = (&self.confusion, &self.likely);
        let per_class: Vec<Value> = self
            .model
            .classes()
            .iter()
            .zip(confusion.scores())
            .map(|(class, score)| {
                json!({
                    "class": Header::class(class),
                    "precision": score.precision,
                    "recall": score.recall,
                    "f1": score.f1,
                    "support": model_file::number(score.support),
                })
            })
            .collect();
        let unknown: Vec<Value> = self
            .unknown
            .iter()
            .map(|(label, n)| json!({ "class": Header::class(label), "rows": n }))
            .collect();
        let mut json = json!({
            "n": self.met,
            "classes": crate::command::classes_json(self.model.classes()),
            "accuracy": self.accuracy,
            "balanced_accuracy": confusion.balanced_accuracy(),
            "auc": self.auc,
            "accuracy_interval": share_interval(self.accuracy, self.weight),
            "auc_interval": self.auc_interval,
            "correlation": confusion.correlation(),
            "log_loss": likely.as_ref().map(|likely| likely.log_loss),
            "brier": likely.as_ref().map(|likely| likely.brier),
            "confusion": Value::Null,
            "per_class": per_class,
            "unknown_labels": unknown,
            "unscored": self.unscored,
            "majority": self.majority().map(|(class, share)| {
                let class = Header::class(&self.model.classes()[class]);
                json!({ "class": class, "accuracy": share })
            }),
            "below_majority": self.below_majority().is_some(),
        });
        if self.model.decision_rule().has_ambiguous_regions() {
            json["ambiguous"] = json!(self.ambiguous);
        }
        if let Some(likely) = likely {
            let bin = |bin: &Bin| json!({ "weight": bin.weight, "probability": bin.probability, "happened": bin.observed });
            json["calibration_error"] = json!(calibration_error(&likely.bins));
            json["reliability"] = likely.bins.iter().map(bin).collect();
        }
        if self.unlisted > 0 {
            json["unlisted_labels"] = json!({ "rows": self.unlisted });
        }
        if let Some(RejectOptionMetrics { coverage, error, weight: named }) = self.named {
            json["coverage"] = json!(coverage);
            json["error_of_named"] = json!(error);
            json["error_of_named_interval"] = json!(error.and_then(|e| share_interval(e, named)));
        }
        json
    }

    /// Streams the JSON: neither the confusion matrix nor the points of the curves are in memory as
    /// a whole.
    pub fn write_json(&self, curves: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let facts = self.facts();
        let put = |out: &mut dyn Write, text: &str| {
            out.write_all(safe_json(text).as_bytes()).map_err(Failure::stdout)
        };
        let mut before = "{";
        for (key, value) in facts.as_object().into_iter().flatten() {
            put(out, &format!("{before}{}:", Value::from(key.as_str())))?;
            before = ",";
            if key != "confusion" {
                put(out, &value.to_string())?;
                continue;
            }
            let mut list = List::begin(out);
            for row in self.confusion.rows() {
                list.put(&row.into_iter().map(model_file::number).collect())?;
            }
            list.end(true)?;
        }
        if curves {
            put(out, ",\"curves\":")?;
            match self.positive() {
                Some((_, side)) => write_curves(&side, out)?,
                None => put(out, "null")?,
            }
        }
        put(out, "}")?;
        out.write_all(b"\n").map_err(Failure::stdout)
    }

    /// Appends one line per main metric.
    pub fn summary(&self, out: &mut String) {
        let range =
            |(low, high): (f64, f64)| format!(" (95 % CI {} to {})", percent(low), percent(high));
        let interval = share_interval(self.accuracy, self.weight);
        let interval = interval.map_or_else(String::new, range);
        let mut line = |key: &str, value: String| entry(out, key, &value);
        line("accuracy", format!("{}{interval}", percent(self.accuracy)));
        if let Some(warning) = self.below_majority() {
            line("warning", warning);
        }
        let share = |s: Option<f64>| s.map_or_else(|| "–".to_owned(), percent);
        line(
            "balanced",
            format!("{} (balanced accuracy)", share(self.confusion.balanced_accuracy())),
        );
        if let Some(auc) = self.auc {
            let mean =
                if self.model.hyperplanes().len() > 1 { " (mean over the classes)" } else { "" };
            let interval = self.auc_interval.map_or_else(String::new, |(low, high)| {
                format!(" (95 % CI {} to {})", number(low), number(high))
            });
            line("AUC", format!("{}{mean}{interval}", number(auc)));
        }
        if let Some(likely) = &self.likely {
            line("log-loss", number(likely.log_loss));
            line("Brier", number(likely.brier));
            if let Some(error) = calibration_error(&likely.bins) {
                line("ECE", format!("{} (expected calibration error)", number(error)));
            }
        }
        if let Some(RejectOptionMetrics { coverage, error, weight: named }) = self.named {
            let error_rate = error.map_or_else(String::new, |error| {
                let interval = share_interval(error, named).map_or_else(String::new, range);
                format!(", error rate {}{interval}", percent(error))
            });
            line("coverage", format!("{}{error_rate}", percent(coverage)));
        }
        for (label, n) in &self.unknown {
            let rows = plural(*n as usize, "row", "rows");
            line(
                "unknown",
                format!(
                    "{rows} of class {label}, not a class of the model, counted as misclassified"
                ),
            );
        }
        if self.unlisted > 0 {
            let rows = plural(self.unlisted as usize, "row", "rows");
            line("unknown", format!("{rows} of further unknown classes, counted as misclassified"));
        }
        if self.ambiguous > 0 {
            let rows = plural(self.ambiguous, "row", "rows");
            line("ambiguous", format!("{rows} in ambiguous regions, predicted by score"));
        }
        if self.unscored > 0 {
            let rows = plural(self.unscored as usize, "row", "rows");
            line("unscored", format!("{rows} with missing values, not counted"));
        }
    }

    pub fn text(&self, name: &str) -> String {
        const MOST: usize = 20;
        let confusion = &self.confusion;
        let mut out = String::new();
        entry(&mut out, "data", &format!("{name}: {}", plural(self.met, "row", "rows")));
        self.summary(&mut out);
        if self.model.k() <= MOST {
            out.push_str("\nconfusion matrix (rows: true class, columns: predicted class)\n");
            let names: Vec<String> = self.model.classes().iter().map(Label::to_string).collect();
            let header: Vec<&str> =
                [""].into_iter().chain(names.iter().map(String::as_str)).collect();
            let mut table = Table::new(&header, 1);
            for (class, row) in names.iter().zip(confusion.rows()) {
                let cells = row.iter().map(|c| count(*c));
                table.row([class.clone()].into_iter().chain(cells).collect());
            }
            out.push_str(&table.show(2));
        }
        out.push('\n');
        let share = |s: Option<f64>| s.map_or_else(|| "–".to_owned(), percent);
        let mut table =
            Table::new(&["class", "precision", "recall", "F1", "rows"], 1).drop_first(&[4]);
        for (class, score) in self.model.classes().iter().zip(confusion.scores()) {
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

/// Writes the points of the ROC and precision-recall curves over all thresholds.
fn write_curves(side: &ClassRanking<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let put =
        |out: &mut dyn Write, text: &str| out.write_all(text.as_bytes()).map_err(Failure::stdout);
    put(out, "{\"roc\":")?;
    let mut list = List::begin(out);
    let mut written = Ok(());
    let there = ranked_roc(side, &mut |p| {
        let point = json!({ "threshold": p.threshold, "false_positive": p.false_positive, "true_positive": p.true_positive });
        list.add(&mut written, &point);
    })?;
    written?;
    list.end(there)?;
    put(out, ",\"precision_recall\":")?;
    let mut list = List::begin(out);
    let mut written = Ok(());
    let there = ranked_precision_recall(side, &mut |p| {
        let point =
            json!({ "threshold": p.threshold, "precision": p.precision, "recall": p.recall });
        list.add(&mut written, &point);
    })?;
    written?;
    list.end(there)?;
    let average = Value::from(ranked_average_precision(side)?);
    put(out, &format!(",\"average_precision\":{average}}}"))
}

/// A JSON list, written entry by entry.
struct List<'a> {
    out: &'a mut dyn Write,
    any: bool,
}

impl<'a> List<'a> {
    fn begin(out: &'a mut dyn Write) -> Self {
        Self { out, any: false }
    }

    fn put(&mut self, value: &Value) -> Result<(), Failure> {
        let before = if std::mem::replace(&mut self.any, true) { "," } else { "[" };
        write!(self.out, "{before}{value}").map_err(Failure::stdout)
    }

    /// Appends an entry inside a callback that cannot return an error; the first error is kept.
    fn add(&mut self, written: &mut Result<(), Failure>, value: &Value) {
        if written.is_ok() {
            *written = self.put(value);
        }
    }

    /// Ends the list; a list without entries is empty if `there`, else `null`.
    fn end(self, there: bool) -> Result<(), Failure> {
        let end = match (self.any, there) {
            (true, _) => "]",
            (false, true) => "[]",
            (false, false) => "null",
        };
        self.out.write_all(end.as_bytes()).map_err(Failure::stdout)
    }
}
