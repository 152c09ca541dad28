//! `linsep predict`: the class of every row, one row out per row in.
//!
//! Reads, scores and writes block by block, so the size of the data does not matter.

use super::files::Files;
use super::{classes_json, hyperplane_names};
use crate::data::ReadArgs;
use crate::failure::Failure;
use crate::output::{Output, note, print};
use crate::progress::Phase;
use crate::terminal::{is_formula, safe_json};
use crate::text::plural;
use clap::Args;
use linsep::learner::Scheme;
use linsep::model::{Decision, Link};
use linsep::{Label, LinearModel};
use linsep_io::{
    AtomicFile, Batch, Error, Kind, LabelMap, Location, Memory, ModelFile, Scoring, Source,
};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct PredictArgs {
    /// The model
    model: PathBuf,

    /// The data; - is stdin; several files are scored one after the other
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Where to write the predictions [default: stdout]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Write the score of every hyperplane beside the class
    #[arg(long, help_heading = "Output")]
    scores: bool,

    /// Write the probability of every class beside the class
    #[arg(long, help_heading = "Output")]
    proba: bool,

    /// Rows where no class wins (one-vs-one, one-vs-rest-but-last): let the scores break the tie,
    /// or keep it, with an empty class and a column that says so
    #[arg(long, value_name = "WHAT", value_parser = ["break", "keep"], default_value = "break", help_heading = "Output")]
    ambiguous: String,

    /// Put ' before texts that a spreadsheet would run as formulas: those that begin with =, +, -,
    /// @, tab or CR
    #[arg(long, help_heading = "Output")]
    spreadsheet_safe: bool,

    #[command(flatten)]
    reading: ReadArgs,
}

/// What a file of predictions is to a command that overwrites it.
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
    /// What it reads and writes.
    pub fn files(&self) -> Files<'_> {
        Files::default().reads([&self.model]).reads(&self.data).writes(
            "output",
            self.output.clone(),
            KIND,
        )
    }
}

/// Why a model has no probabilities, and which would have some: it may be for its method, or for
/// its scheme alone.
fn no_probabilities(path: &Path, bundle: &ModelFile) -> Failure {
    let (path, method) = (path.display(), &bundle.header.method);
    let scores = [Scheme::OneVsRest, Scheme::Softmax].map(Scheme::name);
    Failure::Refused(match &bundle.header.multiclass {
        Some(scheme) if method == "logistic" && !scores.contains(&scheme.as_str()) => format!(
            "{path}: a model of {method} by {scheme} has no probabilities, as its planes give no score to each class; \
             fit one with --multiclass {}",
            scores.join(" or ")
        ),
        _ => format!(
            "{path}: a model of {method} has no probabilities; fit one with --method logistic or gaussian, or with --calibrate"
        ),
    })
}

pub fn run(args: &PredictArgs, out: &Output) -> Result<(), Failure> {
    let bundle = ModelFile::load(&args.model)?;
    let with = Columns {
        scores: args.scores,
        proba: args.proba,
        keep: args.ambiguous == "keep",
        abstain: bundle.model.operating_point().abstain.is_some(),
        spreadsheet: args.spreadsheet_safe,
    };
    if with.proba && *bundle.model.link() == Link::None {
        return Err(no_probabilities(&args.model, &bundle));
    }
    let read = args.reading.options(out);
    let map = LabelMap::default();
    let scoring = Scoring {
        bundle: &bundle,
        hyperplanes: bundle.model.hyperplanes(),
        read: &read,
        labels: false,
        target: None,
        counts: &[],
        weights: None,
        map: &map,
    };
    let sources = args.data.iter().map(Source::open).collect::<Result<Vec<_>, _>>()?;
    let notes = if out.json {
        let mut all = AsJson::new(&bundle.model, with);
        let mut notes = Vec::new();
        for source in sources {
            notes.extend(scoring.run(source, |batch| all.add(batch, out.memory))?);
        }
        notes.extend(open_note(all.ambiguous.len(), with.keep));
        notes.extend(unsure_note(all.abstained.len()));
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
                    // A reader that has seen enough is no failure.
                    Err(Error::Write { source, .. })
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
    notes.iter().for_each(|text| note(text));
    Ok(())
}

fn unwritten(name: &str, source: io::Error) -> Error {
    Error::Write { place: Box::new(Location::file(name)), source }
}

/// Writes a header and one line per row.
fn as_csv(
    scoring: &Scoring<'_>,
    sources: Vec<Source>,
    with: Columns,
    name: &str,
    out: &mut (impl Write + Send),
) -> Result<Vec<String>, Error> {
    let model = &scoring.bundle.model;
    let text_of = |class: &Label| match class.to_string() {
        text if with.spreadsheet && is_formula(&text) && !class.is_number() => format!("'{text}"),
        text => text,
    };
    let classes: Vec<String> = model.classes().iter().map(|c| field(&text_of(c))).collect();
    let mut text = String::from(FIRST);
    let (mut open, mut unsure) = (0, 0);
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
            // A row that cannot be scored has an empty prediction, so that rows still match.
            if let Some(row) = rows.next_if_kept(*kept) {
                let Decision { class, ambiguous, abstained } = model.decision(row);
                open += usize::from(ambiguous);
                unsure += usize::from(abstained);
                if !(abstained || ambiguous && with.keep) {
                    text.push_str(&classes[class as usize]);
                }
                for (told, is) in [(with.keep, ambiguous), (with.abstain, abstained)] {
                    if told {
                        text.push_str(if is { ",1" } else { ",0" });
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
    notes.extend(open_note(open, with.keep));
    notes.extend(unsure_note(unsure));
    Ok(notes)
}

/// What is said about rows that the model leaves without a class.
fn unsure_note(rows: usize) -> Option<String> {
    let rows = (rows > 0).then(|| plural(rows, "row has", "rows have"))?;
    Some(format!("{rows} no class, for the model is not sure enough of them"))
}

/// What is said about rows that no class wins.
fn open_note(rows: usize, keep: bool) -> Option<String> {
    let where_ = plural(rows, "row lies", "rows lie");
    let what = if keep {
        "left without a class"
    } else {
        "decided by the scores; --ambiguous keep leaves such rows without a class"
    };
    (rows > 0).then(|| format!("{where_} where no class wins: {what}"))
}

/// The scores of the next row, if it has any.
trait NextIfKept<'a> {
    fn next_if_kept(&mut self, kept: bool) -> Option<&'a [f64]>;
}

impl<'a> NextIfKept<'a> for std::slice::ChunksExact<'a, f64> {
    fn next_if_kept(&mut self, kept: bool) -> Option<&'a [f64]> {
        if kept { self.next() } else { None }
    }
}

/// What is written beside the class.
#[derive(Clone, Copy)]
struct Columns {
    scores: bool,
    proba: bool,
    keep: bool,
    /// Whether the model leaves rows without a class.
    abstain: bool,
    /// Whether no text may be a formula.
    spreadsheet: bool,
}

impl Columns {
    /// Names of the columns: what each score or probability speaks for.
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

/// A text as a CSV field.
pub(in crate::command) fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) || text.trim() != text {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

/// All predictions as one object.
struct AsJson<'a> {
    model: &'a LinearModel,
    classes: Vec<Value>,
    predictions: Vec<Value>,
    scores: Option<Vec<Value>>,
    proba: Option<Vec<Value>>,
    /// Rows that no class wins, and whether they keep no class.
    ambiguous: Vec<usize>,
    keep: bool,
    /// Rows that the model is not sure enough of.
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
        // About what a JSON value takes in memory.
        const VALUE: usize = 80;
        let of_scores = self.scores.as_ref().map_or(0, |_| self.model.hyperplanes().len());
        let of_proba = self.proba.as_ref().map_or(0, |_| self.model.k());
        let rows = self.predictions.len() + batch.kept.len();
        let bytes = rows as u128 * (VALUE * (2 + of_scores + of_proba)) as u128;
        limit.check_or(bytes, "one JSON object of all rows", "predict without --json")?;

        let mut rows = batch.scores.chunks_exact(self.model.hyperplanes().len());
        for kept in &batch.kept {
            let row = rows.next_if_kept(*kept);
            let verdict = row.map(|row| self.model.decision(row));
            let at = self.predictions.len();
            if verdict.is_some_and(|v| v.ambiguous) {
                self.ambiguous.push(at);
            }
            if verdict.is_some_and(|v| v.abstained) {
                self.abstained.push(at);
            }
            let shown = verdict.filter(|v| !(v.abstained || v.ambiguous && self.keep));
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
    fn fields_are_quoted_where_they_must_be() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(field(" blank"), "\" blank\"");
    }
}
