//! A scorecard as text, CSV and JSON.

use crate::escape::one_line;
use crate::flags::field;
use crate::layout::{Style, Text};
use crate::number::{count, number, percent, plural};
use crate::table::Table;
use linsep::card::ColumnPart;
use linsep::jobs::{CardLine, ScorecardOutcome};
use serde_json::{Value, json};
use std::fmt::Write;

/// First line of a scorecard as CSV.
pub const HEADER: &str = "column,value,per,points\n";

/// The threshold with a minus sign.
fn threshold(card: &ScorecardOutcome) -> String {
    card.threshold.to_string().replace('-', "−")
}

/// The classes as texts of one line.
fn classes(card: &ScorecardOutcome) -> [String; 2] {
    [0, 1].map(|c| one_line(&card.classes[c].to_string()).into_owned())
}

/// The scorecard in three lines.
fn summary(out: &mut Text, card: &ScorecardOutcome) {
    let [negative, positive] = classes(card);
    let most = (1_i64 << (card.bits - 1)) - 1;
    let mut line = |key: &str, value: String| out.entry(key, &value);
    line("card", format!("{positive} if total ≥ {}, else {negative}", threshold(card)));
    line(
        "points",
        format!(
            "{} bits, from −{most} to {most}; {} of {} lines nonzero",
            card.bits,
            card.lines.len(),
            card.of
        ),
    );
    line(
        "verified",
        match (&card.data, card.changed) {
            (Some((name, n)), Some(0)) => {
                format!(
                    "all {} predictions on {name} equal the model's, in exact arithmetic",
                    count(*n as f64)
                )
            }
            (Some((name, n)), Some(changed)) => format!(
                "{} of {} on {name} differ from the model's ({}), in exact arithmetic; more --bits may reduce the number",
                plural(changed, "prediction", "predictions"),
                count(*n as f64),
                percent(changed as f64 / *n as f64)
            ),
            _ => "no: give --data to compare the predictions with the model's".to_owned(),
        },
    );
}

/// The scorecard as a form to fill in; its summary, if it is in a file.
pub fn text(card: &ScorecardOutcome, style: Style) -> String {
    let mut out = Text::new(style);
    summary(&mut out, card);
    if let Some(path) = &card.saved {
        out.whole_entry("output", path);
    } else {
        form(&mut out, card);
    }
    out.finish()
}

/// The content of a file of a scorecard as text.
pub fn file_text(card: &ScorecardOutcome, style: Style) -> String {
    let mut out = Text::new(style);
    summary(&mut out, card);
    form(&mut out, card);
    out.finish()
}

fn form(out: &mut Text, card: &ScorecardOutcome) {
    let mut table = Table::new(&["column", "value", "points"], 2);
    let mut last = "";
    for line in &card.lines {
        let name = if line.column == last { String::new() } else { line.column.clone() };
        last = &line.column;
        table.row(vec![name, value(line), signed(line.points)]);
    }
    let [negative, positive] = classes(card);
    let instead: Vec<String> = card
        .lines
        .iter()
        .filter_map(|line| match line.part {
            ColumnPart::Number { imputed: Some(mean) } => {
                Some(format!("{} {}", one_line(&line.column), number(mean)))
            }
            _ => None,
        })
        .collect();
    out.gap();
    out.table(&table, 2);
    out.gap();
    let total = format!("total ≥ {}: {positive}; less: {negative}", threshold(card));
    out.paragraph(2, &total);
    if !instead.is_empty() {
        let text = format!("replace missing values: {}", instead.join(", "));
        out.paragraph(2, &text);
    }
}

/// The scorecard as CSV, the threshold last.
pub fn csv(card: &ScorecardOutcome) -> String {
    let mut out = String::from(HEADER);
    for line in &card.lines {
        let (value, per) = match &line.part {
            ColumnPart::Number { .. } => (String::new(), unit(line.unit)),
            ColumnPart::Level(level) => (level.clone(), String::new()),
            ColumnPart::Missing => ("(missing)".to_owned(), String::new()),
        };
        let _ = writeln!(out, "{},{},{per},{}", field(&line.column), field(&value), line.points);
    }
    let _ = writeln!(out, "(threshold),,,{}", card.threshold);
    out
}

/// The scorecard as JSON.
pub fn json(card: &ScorecardOutcome) -> Value {
    let one = |line: &CardLine| {
        let mut json = json!({ "column": line.column, "points": line.points });
        match &line.part {
            ColumnPart::Number { imputed: instead } => {
                json["per"] = json!(10_f64.powi(line.unit));
                json["per_text"] = json!(unit(line.unit));
                if let Some(mean) = instead {
                    json["if_missing"] = json!(mean);
                }
            }
            ColumnPart::Level(level) => json["value"] = json!(level),
            ColumnPart::Missing => json["missing"] = json!(true),
        }
        json
    };
    let mut json = json!({
        "form": "scorecard",
        "classes": card.classes,
        "positive": card.classes[1],
        "bits": card.bits,
        "lines": card.lines.iter().map(one).collect::<Vec<Value>>(),
        "threshold": card.threshold.exact().to_f64(),
        "threshold_text": card.threshold.to_string(),
        "rows": card.data.as_ref().map(|(_, n)| n),
        "changed": card.changed,
    });
    if let Some(path) = &card.saved {
        json["path"] = json!(path);
    }
    json
}

fn signed(q: i64) -> String {
    if q < 0 { format!("−{}", q.unsigned_abs()) } else { format!("+{q}") }
}

/// Returns 10^e in decimal notation, or in scientific notation if long.
fn unit(e: i32) -> String {
    match e {
        0..=9 => 10_i64.pow(e.unsigned_abs()).to_string(),
        -6..0 => format!("0.{}1", "0".repeat(e.unsigned_abs() as usize - 1)),
        _ => format!("1e{e}"),
    }
}

fn value(line: &CardLine) -> String {
    match &line.part {
        ColumnPart::Number { .. } => format!("per {}", unit(line.unit)),
        ColumnPart::Level(level) => level.clone(),
        ColumnPart::Missing => "(missing)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_written_out() {
        assert_eq!([2, 0, -1, -3, 12, -8].map(unit), ["100", "1", "0.1", "0.001", "1e12", "1e-8"]);
        assert_eq!([5, -5].map(signed), ["+5", "−5"]);
    }
}
