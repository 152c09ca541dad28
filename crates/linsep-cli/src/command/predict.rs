//! `linsep predict`: the class of every row, one output row per input row.
//!
//! Rows are read, scored and written in blocks, so memory does not grow with the data.
//!
//! Over 400 lines: CSV and JSON outputs have the same columns.

use super::files::Files;
use super::{classes_json, hyperplane_names};
use crate::data::ReadArgs;
use crate::failure::Failure;
use crate::output::{Output, print, print_notes};
use crate::progress::Phase;
use clap::Args;
use linsep::control::Note;
use linsep::learner::Scheme;
use linsep::model::{Decision, Link};
use linsep::{
    AtomicFile, Batch, Error, Kind, LabelMap, Location, Memory, ModelFile, Scoring, Source,
};
use linsep::{Label, LinearModel};
use linsep_report::escape::{is_formula, safe_json};
use linsep_report::number::plural;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct PredictArgs {
    /// Model file
    model: PathBuf,

    /// Data files, predicted one after another; - is stdin
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Write the predictions to this file [default: stdout]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Add the score of every hyperplane
    #[arg(long, help_heading = "Output")]
    scores: bool,

    /// Add the probability of every class
    #[arg(long, help_heading = "Output")]
    proba: bool,

    /// Rows in ambiguous regions (one-vs-one, one-vs-rest-but-last): break ties by score, or keep
    /// them, with an empty prediction and a column "ambiguous"
    #[arg(long, value_name = "RULE", value_parser = ["break", "keep"], default_value = "break", help_heading = "Output")]
    ambiguous: String,

    /// Prefix ' to texts that a spreadsheet would run as formulas: those that begin with =, +, -,
    /// @, tab or CR
    #[arg(long, help_heading = "Output")]
    spreadsheet_safe: bool,

    #[command(flatten)]
    reading: ReadArgs,
}

/// Recognition of a predictions file before it is overwritten.
const KIND: Kind = Kind {
    name: "a file of predictions",
    is: |start| {
        let text = String::from_utf8_lossy(start);
        if text.starts_with('{') {
            return text.starts_with("{\"n\":") && text.contains(",\"classes\":[");
        }
        let mut columns = text.lines().next().unwrap_or_default().split(',');
        let beside = |name: &str| {
            let name = name.trim_start_matches('"');
            ["ambiguous", "abstained", "score"].contains(&name)
                || name.starts_with("score_")
                || name.starts_with("p_")
        };
        columns.next() == Some(FIRST) && columns.next().is_none_or(beside)
    },
};

/// The first column of predictions.
const FIRST: &str = "prediction";

impl PredictArgs {
    /// Returns the files read and written.
    pub fn files(&self) -> Files<'_> {
        Files::default().reads([&self.model]).reads(&self.data).writes(
            "output",
            self.output.clone(),
            KIND,
        )
    }
}

/// Returns the error for a model without probabilities. The cause is its method, or its multiclass
/// scheme alone.
fn no_probabilities(path: &Path, model_file: &ModelFile) -> Failure {
    let (path, method) = (path.display(), &model_file.header.method);
    let scores = [Scheme::OneVsRest, Scheme::Softmax].map(Scheme::name);
    Failure::Refused(match &model_file.header.multiclass {
        Some(scheme) if method == "logistic" && !scores.contains(&scheme.as_str()) => format!(
            "{path}: --proba requires class probabilities, which {method} with {scheme} does not have. Fit a model with \
             --multiclass {}.",
            scores.join(" or ")
        ),
        _ => format!(
            "{path}: --proba requires class probabilities, which {method} does not have. Fit a model with --method logistic or \
             gaussian, or with --calibrate."
        ),
    })
}

pub fn run(args: &PredictArgs, out: &Output) -> Result<(), Failure> {
    let model_file = ModelFile::load(&args.model)?;
    let with = Columns {
        scores: args.scores,
        proba: args.proba,
        keep: args.ambiguous == "keep",
        abstain: model_file.model.operating_point().abstain.is_some(),
        spreadsheet: args.spreadsheet_safe,
    };
    if with.proba && *model_file.model.link() == Link::None {
        return Err(no_probabilities(&args.model, &model_file));
    }
    let read = args.reading.options(out);
    let map = LabelMap::default();
    let scoring = Scoring {
        model_file: &model_file,
        hyperplanes: model_file.model.hyperplanes(),
        read: &read,
        labels: false,
        target: None,
        counts: &[],
        weights: None,
        map: &map,
    };
    let sources = args.data.iter().map(Source::open).collect::<Result<Vec<_>, _>>()?;
    let notes = if out.json {
        let mut all = AsJson::new(&model_file.model, with);
        let mut notes = Vec::new();
        for source in sources {
            notes.extend(scoring.run(source, |batch| all.add(batch, out.memory))?);
        }
        notes.extend(ambiguous_note(all.ambiguous.len(), with.keep));
        notes.extend(abstained_note(all.abstained.len()));
        let text = format!("{}\n", safe_json(&all.finish().to_string()));
        match &args.output {
            None => print(text.as_bytes())?,
            Some(path) => AtomicFile::write_whole(path, text.as_bytes())?,
        }
        notes
    } else {
        match &args.output {
            None => {
                let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout());
                let notes = as_csv(&scoring, sources, with, "stdout", &mut stdout);
                match notes {
                    // A closed pipe, as by head, is no failure.
                    Err(Error::Io(linsep::io::Error::Write { source, .. }))
                        if source.kind() == io::ErrorKind::BrokenPipe =>
                    {
                        return Err(Failure::Silent);
                    }
                    notes => notes?,
                }
            }
            Some(path) => {
                let mut file = AtomicFile::create(path)?;
                let name = path.display().to_string();
                let notes = as_csv(&scoring, sources, with, &name, &mut file)?;
                file.finish()?;
                notes
            }
        }
    };
    print_notes(&notes);
    Ok(())
}

fn unwritten(name: &str, source: io::Error) -> Error {
    linsep::io::Error::Write { place: Box::new(Location::file(name)), source }.into()
}

/// Writes a header and one line per row.
fn as_csv(
    scoring: &Scoring<'_>,
    sources: Vec<Source>,
    with: Columns,
    name: &str,
    out: &mut (impl Write + Send),
) -> Result<Vec<Note>, Error> {
    let model = &scoring.model_file.model;
    let text_of = |class: &Label| match class.to_string() {
        text if with.spreadsheet && is_formula(&text) && !class.is_number() => format!("'{text}"),
        text => text,
    };
    let classes: Vec<String> = model.classes().iter().map(|c| field(&text_of(c))).collect();
    let mut text = String::from(FIRST);
    let (mut ambiguous_rows, mut abstained_rows) = (0, 0);
    let names = with.names(model);
    names.iter().for_each(|name| text.extend([",", &field(name)]));
    let mut p = Vec::new();
    text.push('\n');
    let (phase, mut rows_done) = (Phase::new("predicting"), 0);
    let mut write = |batch: &Batch| {
        rows_done += batch.kept.len();
        phase.rows(rows_done);
        let mut rows = batch.scores.chunks_exact(model.hyperplanes().len());
        for kept in &batch.kept {
            // A row that cannot be scored has an empty prediction: output rows match input rows.
            if let Some(row) = rows.next_if_kept(*kept) {
                let Decision { class, ambiguous, abstained } = model.decision(row);
                ambiguous_rows += usize::from(ambiguous);
                abstained_rows += usize::from(abstained);
                if !(abstained || ambiguous && with.keep) {
                    text.push_str(&classes[class as usize]);
                }
                for (column, flag) in [(with.keep, ambiguous), (with.abstain, abstained)] {
                    if column {
                        text.push_str(if flag { ",1" } else { ",0" });
                    }
                }
                let scores = if with.scores { row } else { &[] };
                if with.proba {
                    model.probabilities(row, &mut p);
                }
                for v in scores.iter().chain(&p) {
                    let _ = write!(text, ",{v}");
                }
            } else {
                text.push_str(&",".repeat(names.len()));
            }
            text.push('\n');
        }
        out.write_all(text.as_bytes()).map_err(|e| unwritten(name, e))?;
        text.clear();
        Ok(())
    };
    let mut notes = Vec::new();
    for source in sources {
        notes.extend(scoring.run(source, &mut write)?);
    }
    out.flush().map_err(|e| unwritten(name, e))?;
    notes.extend(ambiguous_note(ambiguous_rows, with.keep));
    notes.extend(abstained_note(abstained_rows));
    Ok(notes)
}

/// Returns the note on rows for which the model abstains.
fn abstained_note(rows: usize) -> Option<Note> {
    let rows = (rows > 0).then(|| plural(rows, "row", "rows"))?;
    Some(Note::new("abstained-rows", format!("{rows} without a prediction: the model abstains")))
}

/// Returns the note on rows in ambiguous regions.
fn ambiguous_note(rows: usize, keep: bool) -> Option<Note> {
    let result = if keep {
        "without a prediction"
    } else {
        "predicted by score (`ambiguous=keep` leaves the prediction empty)"
    };
    let rows = (rows > 0).then(|| plural(rows, "row", "rows"))?;
    Some(Note::new("ambiguous-rows", format!("{rows} in ambiguous regions: {result}")))
}

/// Scores of the next row, if the row was scored.
trait NextIfKept<'a> {
    fn next_if_kept(&mut self, kept: bool) -> Option<&'a [f64]>;
}

impl<'a> NextIfKept<'a> for std::slice::ChunksExact<'a, f64> {
    fn next_if_kept(&mut self, kept: bool) -> Option<&'a [f64]> {
        if kept { self.next() } else { None }
    }
}

/// Columns written besides the predicted class.
#[derive(Clone, Copy)]
struct Columns {
    scores: bool,
    proba: bool,
    keep: bool,
    /// Whether the model can abstain.
    abstain: bool,
    /// Whether texts that look like formulas are escaped.
    spreadsheet: bool,
}

impl Columns {
    /// Returns the names of the columns.
    fn names(self, model: &LinearModel) -> Vec<String> {
        let mut names = Vec::new();
        if self.keep {
            names.push("ambiguous".to_owned());
        }
        if self.abstain {
            names.push("abstained".to_owned());
        }
        match model.hyperplanes().len() {
            _ if !self.scores => {}
            1 => names.push("score".to_owned()),
            _ => names.extend(hyperplane_names(model).iter().map(|name| format!("score_{name}"))),
        }
        if self.proba {
            names.extend(model.classes().iter().map(|class| format!("p_{class}")));
        }
        names
    }
}

/// Returns a text as a CSV field, quoted if necessary.
pub(in crate::command) fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) || text.trim() != text {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

/// All predictions as one JSON object.
struct AsJson<'a> {
    model: &'a LinearModel,
    classes: Vec<Value>,
    predictions: Vec<Value>,
    scores: Option<Vec<Value>>,
    proba: Option<Vec<Value>>,
    /// Rows in ambiguous regions; `keep` leaves their predictions empty.
    ambiguous: Vec<usize>,
    keep: bool,
    /// Rows for which the model abstains.
    abstained: Vec<usize>,
}

impl<'a> AsJson<'a> {
    fn new(model: &'a LinearModel, with: Columns) -> Self {
        let classes = classes_json(model.classes());
        let (scores, proba) = (with.scores.then(Vec::new), with.proba.then(Vec::new));
        let (predictions, ambiguous, keep) = (Vec::new(), Vec::new(), with.keep);
        let abstained = Vec::new();
        Self { model, classes, predictions, scores, proba, ambiguous, keep, abstained }
    }

    fn add(&mut self, batch: &Batch, limit: Memory) -> Result<(), Error> {
        // Approximate memory of a JSON value, in bytes.
        const VALUE: usize = 80;
        let of_scores = self.scores.as_ref().map_or(0, |_| self.model.hyperplanes().len());
        let of_proba = self.proba.as_ref().map_or(0, |_| self.model.k());
        let rows = self.predictions.len() + batch.kept.len();
        let bytes = rows as u128 * (VALUE * (2 + of_scores + of_proba)) as u128;
        limit.check_or(bytes, "one JSON object of all rows", "predict without --json")?;

        let mut rows = batch.scores.chunks_exact(self.model.hyperplanes().len());
        for kept in &batch.kept {
            let row = rows.next_if_kept(*kept);
            let decision = row.map(|row| self.model.decision(row));
            let at = self.predictions.len();
            if decision.is_some_and(|v| v.ambiguous) {
                self.ambiguous.push(at);
            }
            if decision.is_some_and(|v| v.abstained) {
                self.abstained.push(at);
            }
            let shown = decision.filter(|v| !(v.abstained || v.ambiguous && self.keep));
            let class = shown.map(|v| self.classes[v.class as usize].clone());
            self.predictions.push(class.unwrap_or(Value::Null));
            if let Some(scores) = &mut self.scores {
                scores.push(json!(row));
            }
            if let Some(proba) = &mut self.proba {
                let mut p = Vec::new();
                let known = row.is_some_and(|row| self.model.probabilities(row, &mut p));
                proba.push(if known { json!(p) } else { Value::Null });
            }
        }
        Ok(())
    }

    fn finish(self) -> Value {
        let mut json = json!({ "n": self.predictions.len(), "classes": self.classes });
        json["predictions"] = Value::from(self.predictions);
        if self.model.decision_rule().has_ambiguous_regions() {
            json["ambiguous"] = json!(self.ambiguous);
        }
        if self.model.operating_point().abstain.is_some() {
            json["abstained"] = json!(self.abstained);
        }
        if let Some(scores) = self.scores {
            json["scores"] = Value::from(scores);
        }
        if let Some(proba) = self.proba {
            json["probabilities"] = Value::from(proba);
        }
        json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_separators_quotes_or_outer_blanks_are_quoted() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(field(" blank"), "\" blank\"");
    }
}
