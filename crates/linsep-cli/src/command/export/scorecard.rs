//! Scorecard: a model of two classes with small integer points, for paper forms and small devices.

use super::ExportArgs;
use crate::data::name_of;
use crate::failure::Failure;
use crate::layout::{Table, entry, paragraph, whole_entry};
use crate::output::{Output, note, print};
use clap::Args;
use linsep::DecisionRule;
use linsep::card::{ColumnPart, Line, lines, read_options, rows};
use linsep::model::scorecard::{Card, Rows};
use linsep::model_file::Header;
use linsep::{AtomicFile, Kind, ModelFile};
use linsep_report::escape::one_line;
use linsep_report::flags::field;
use linsep_report::number::{count, number, percent, plural};
use serde_json::{Value, json};
use std::fmt::Write;

#[derive(Args)]
#[command(next_help_heading = "Scorecard")]
pub struct ScorecardArgs {
    /// Bits per point value, sign included: 4 bits allow points from −7 to 7
    /// [default: the fewest that change no prediction on the data, at most 24; without data 8]
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u32).range(2..=31))]
    bits: Option<u32>,
}

/// Recognition of a scorecard before it is overwritten.
pub(super) const KIND: Kind = Kind {
    name: "a scorecard",
    is: |start| {
        let text = String::from_utf8_lossy(start);
        text.starts_with(HEADER)
            || text.starts_with("{\"form\":\"scorecard\"")
            || text.starts_with("card ") && text.contains("\npoints ")
    },
};

/// First line of a scorecard as CSV.
const HEADER: &str = "column,value,per,points\n";

/// A scorecard with its model and the compared data.
struct Made<'a> {
    model_file: &'a ModelFile,
    lines: Vec<Line>,
    card: Card,
    bits: u32,
    /// Number of compared rows and name of the data.
    data: Option<(usize, String)>,
}

/// Limit of the search for the fewest bits that change no prediction.
const MOST_TRIED: u32 = 24;

pub fn run(args: &ExportArgs, model_file: &ModelFile, out: &Output) -> Result<(), Failure> {
    // 1. Two classes, one hyperplane.
    let name = args.model.display().to_string();
    if model_file.model.decision_rule() != DecisionRule::Sign {
        return Err(Failure::Refused(format!(
            "{name}: a scorecard requires a model of two classes, found {}. Fit a model of two classes, for instance with \
             --label-map.",
            model_file.model.k()
        )));
    }
    let lines = lines(&name, model_file)?;
    let columns: Vec<_> = lines.iter().map(|line| line.weight).collect();
    let intercept =
        model_file.model.hyperplanes()[0].b - model_file.model.operating_point().threshold;

    // 2. The scorecard, compared on the data if given.
    let requested = args.scorecard.bits;
    let (card, bits, data) = if args.data.is_empty() {
        let bits = requested.unwrap_or(8);
        (Card::new(&columns, intercept, bits, None)?, bits, None)
    } else {
        let options = read_options(model_file, args.reading.options(out));
        let rows = rows(model_file, linsep::read_files(&args.data, &options)?)?;
        if rows.dropped > 0 {
            note(&format!("rows with missing values, not compared: {}", rows.dropped));
        }
        let positive: Vec<bool> =
            model_file.model.predict(&rows.model)?.into_iter().map(|c| c == 1).collect();
        let compared = Rows { x: &rows.card, positive: &positive };
        let first = requested.unwrap_or(2);
        let (mut bits, mut card) = (first, Card::new(&columns, intercept, first, Some(compared))?);
        while requested.is_none() && card.changed != Some(0) && bits < MOST_TRIED {
            bits += 1;
            card = Card::new(&columns, intercept, bits, Some(compared))?;
        }
        (card, bits, Some((positive.len(), name_of(&args.data))))
    };

    // 3. Write.
    let made = Made { model_file, lines, card, bits, data };
    let Some(path) = &args.output else { return out.result(|| made.json(), || made.text()) };
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let content = match ending.as_deref() {
        Some("csv") => made.csv(),
        Some("json") => format!("{}\n", made.json()),
        _ => made.text(),
    };
    if path.as_os_str() == "-" {
        return print(content.as_bytes());
    }
    AtomicFile::write_whole(path, content.as_bytes())?;
    let shown = path.display().to_string();
    out.result(
        || {
            let mut json = made.json();
            json["path"] = json!(shown);
            json
        },
        || {
            let mut text = made.summary();
            whole_entry(&mut text, "output", &shown);
            text
        },
    )
}

impl Made<'_> {
    /// Returns the lines with nonzero points, with their points and units.
    fn nonzero(&self) -> impl Iterator<Item = (&Line, i64, i32)> {
        let points = self.card.points.iter().zip(&self.card.units);
        self.lines
            .iter()
            .zip(points)
            .map(|(line, (&q, &e))| (line, q, e))
            .filter(|(_, q, _)| *q != 0)
    }

    /// Returns the threshold as text with a minus sign.
    fn threshold(&self) -> String {
        self.card.threshold.to_string().replace('-', "−")
    }

    /// Returns the classes as texts of one line.
    fn classes(&self) -> [String; 2] {
        let classes = self.model_file.model.classes();
        [0, 1].map(|c| one_line(&classes[c].to_string()).into_owned())
    }

    fn summary(&self) -> String {
        let [negative, positive] = self.classes();
        let most = (1_i64 << (self.bits - 1)) - 1;
        let mut out = String::new();
        let mut line = |key: &str, value: String| entry(&mut out, key, &value);
        line("card", format!("{positive} if total ≥ {}, else {negative}", self.threshold()));
        line(
            "points",
            format!(
                "{} bits, from −{most} to {most}; {} of {} lines nonzero",
                self.bits,
                self.nonzero().count(),
                self.lines.len()
            ),
        );
        line(
            "verified",
            match (&self.data, self.card.changed) {
                (Some((n, name)), Some(0)) => {
                    format!(
                        "all {} predictions on {name} equal the model's, in exact arithmetic",
                        count(*n as f64)
                    )
                }
                (Some((n, name)), Some(changed)) => format!(
                    "{} of {} on {name} differ from the model's ({}), in exact arithmetic; more --bits may reduce the number",
                    plural(changed, "prediction", "predictions"),
                    count(*n as f64),
                    percent(changed as f64 / *n as f64)
                ),
                _ => "no: give --data to compare the predictions with the model's".to_owned(),
            },
        );
        out
    }

    /// Returns the scorecard as a form to fill in.
    fn text(&self) -> String {
        let mut table = Table::new(&["column", "value", "points"], 2);
        let mut last = "";
        for (line, q, e) in self.nonzero() {
            let name = if line.column == last { String::new() } else { line.column.clone() };
            last = &line.column;
            table.row(vec![name, value(line, e), signed(q)]);
        }
        let [negative, positive] = self.classes();
        let instead: Vec<String> = self
            .nonzero()
            .filter_map(|(line, _, _)| match line.part {
                ColumnPart::Number { imputed: Some(mean) } => {
                    Some(format!("{} {}", one_line(&line.column), number(mean)))
                }
                _ => None,
            })
            .collect();
        let mut out = format!("{}\n{}", self.summary(), table.show(2));
        out.push('\n');
        let total = format!("total ≥ {}: {positive}; less: {negative}", self.threshold());
        paragraph(&mut out, 2, &total);
        if !instead.is_empty() {
            let text = format!("replace missing values: {}", instead.join(", "));
            paragraph(&mut out, 2, &text);
        }
        out
    }

    /// Returns the scorecard as CSV, the threshold last.
    fn csv(&self) -> String {
        let mut out = String::from(HEADER);
        for (line, q, e) in self.nonzero() {
            let (value, per) = match &line.part {
                ColumnPart::Number { .. } => (String::new(), unit(e)),
                ColumnPart::Level(level) => (level.clone(), String::new()),
                ColumnPart::Missing => ("(missing)".to_owned(), String::new()),
            };
            let _ = writeln!(out, "{},{},{per},{q}", field(&line.column), field(&value));
        }
        let _ = writeln!(out, "(threshold),,,{}", self.card.threshold);
        out
    }

    fn json(&self) -> Value {
        let one = |(line, q, e): (&Line, i64, i32)| {
            let mut json = json!({ "column": line.column, "points": q });
            match &line.part {
                ColumnPart::Number { imputed: instead } => {
                    json["per"] = json!(10_f64.powi(e));
                    json["per_text"] = json!(unit(e));
                    if let Some(mean) = instead {
                        json["if_missing"] = json!(mean);
                    }
                }
                ColumnPart::Level(level) => json["value"] = json!(level),
                ColumnPart::Missing => json["missing"] = json!(true),
            }
            json
        };
        let classes: Vec<Value> =
            self.model_file.model.classes().iter().map(Header::class).collect();
        json!({
            "form": "scorecard",
            "classes": classes,
            "positive": classes[1],
            "bits": self.bits,
            "lines": self.nonzero().map(one).collect::<Vec<Value>>(),
            "threshold": self.card.threshold.exact().to_f64(),
            "threshold_text": self.card.threshold.to_string(),
            "rows": self.data.as_ref().map(|(n, _)| n),
            "changed": self.card.changed,
        })
    }
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

fn value(line: &Line, e: i32) -> String {
    match &line.part {
        ColumnPart::Number { .. } => format!("per {}", unit(e)),
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
