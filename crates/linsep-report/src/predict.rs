//! Predictions as CSV and JSON.

use crate::escape::is_formula;
use crate::flags::field;
use crate::layout::Style;
use crate::number::plural;
use linsep::core::Label;
use linsep::jobs::{PredictOutcome, Prediction, PredictionColumns};
use linsep::model_file::Header;
use serde_json::{Value, json};
use std::fmt::Write;

/// The first column of predictions.
pub const FIRST: &str = "prediction";

/// Writer of predictions as CSV.
pub struct Csv {
    columns: PredictionColumns,
    /// The classes, as fields.
    classes: Vec<String>,
    names: Vec<String>,
}

impl Csv {
    /// A writer of these columns.
    pub fn new(columns: PredictionColumns) -> Self {
        let spreadsheet = columns.spreadsheet_safe;
        let text_of = |class: &Label| match class.to_string() {
            text if spreadsheet && is_formula(&text) && !class.is_number() => format!("'{text}"),
            text => text,
        };
        let classes = columns.classes.iter().map(|class| field(&text_of(class))).collect();
        let mut names = Vec::new();
        if columns.keep_ambiguous {
            names.push("ambiguous".to_owned());
        }
        if columns.abstains {
            names.push("abstained".to_owned());
        }
        match columns.scores.as_deref() {
            None => {}
            Some([_]) => names.push("score".to_owned()),
            Some(all) => names.extend(all.iter().map(|name| format!("score_{name}"))),
        }
        if columns.probabilities {
            names.extend(columns.classes.iter().map(|class| format!("p_{class}")));
        }
        Self { columns, classes, names }
    }

    /// Appends the header.
    pub fn header(&self, out: &mut String) {
        out.push_str(FIRST);
        self.names.iter().for_each(|name| out.extend([",", &field(name)]));
        out.push('\n');
    }

    /// Appends a row. A row that cannot be scored is empty: output rows match input rows.
    pub fn row(&self, row: Option<&Prediction<'_>>, out: &mut String) {
        if let Some(row) = row {
            if let Some(class) = row.class {
                out.push_str(&self.classes[class as usize]);
            }
            let flags = [
                (self.columns.keep_ambiguous, row.ambiguous),
                (self.columns.abstains, row.abstained),
            ];
            for (_, flag) in flags.into_iter().filter(|(column, _)| *column) {
                out.push_str(if flag { ",1" } else { ",0" });
            }
            for v in row.scores.iter().chain(row.probabilities) {
                let _ = write!(out, ",{v}");
            }
        } else {
            out.push_str(&",".repeat(self.names.len()));
        }
        out.push('\n');
    }
}

/// The outcome as CSV.
pub fn text(outcome: &PredictOutcome, _: Style) -> String {
    let (csv, mut out) = (Csv::new(outcome.columns.clone()), String::new());
    csv.header(&mut out);
    outcome.rows().for_each(|row| csv.row(row.as_ref(), &mut out));
    out
}

/// The outcome as JSON.
pub fn json(outcome: &PredictOutcome) -> Value {
    let columns = &outcome.columns;
    let classes: Vec<Value> = columns.classes.iter().map(Header::class).collect();
    let class = |class: &Option<u32>| class.map_or(Value::Null, |c| classes[c as usize].clone());
    let mut json = json!({
        "n": outcome.classes.len(),
        "classes": classes,
        "predictions": outcome.classes.iter().map(class).collect::<Vec<_>>(),
    });
    if columns.ambiguous {
        json["ambiguous"] = json!(outcome.ambiguous);
    }
    if columns.abstains {
        json["abstained"] = json!(outcome.abstained);
    }
    if let Some(scores) = &outcome.scores {
        json["scores"] = json!(scores);
    }
    if let Some(probabilities) = &outcome.probabilities {
        json["probabilities"] = json!(probabilities);
    }
    json
}

/// Notes on rows in ambiguous regions, and on rows for which the model abstains.
pub fn notes(ambiguous: usize, keep: bool, abstained: usize) -> Vec<String> {
    let result = if keep {
        "without a prediction"
    } else {
        "predicted by score (--ambiguous keep leaves the prediction empty)"
    };
    let rows = |n| plural(n, "row", "rows");
    let ambiguous =
        (ambiguous > 0).then(|| format!("{} in ambiguous regions: {result}", rows(ambiguous)));
    let abstained = (abstained > 0)
        .then(|| format!("{} without a prediction: the model abstains", rows(abstained)));
    ambiguous.into_iter().chain(abstained).collect()
}
