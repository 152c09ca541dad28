//! `linsep evaluate`: a model evaluated on data with known classes.

use super::predict::field;
use crate::data::{ReadArgs, ScoreArgs, name_of};
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::output::{Output, print_notes};
use crate::progress::Phase;
use clap::Args;
use linsep::control::Note;
use linsep::{Evaluator, ModelFile};
use std::path::PathBuf;

#[derive(Args)]
pub struct EvaluateArgs {
    /// Model file
    model: PathBuf,

    /// Data files with known classes, read as one data set; - is stdin
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Add the points of the ROC and precision-recall curves to --json (two classes)
    #[arg(long, requires = "json", help_heading = "Output")]
    curves: bool,

    #[command(flatten)]
    scoring: ScoreArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

pub fn run(args: &EvaluateArgs, out: &Output) -> Result<(), Failure> {
    let model_file = ModelFile::load(&args.model)?;
    let name = name_of(&args.data);
    let (evaluation, notes) = args.scoring.evaluate(&model_file, &args.data, &args.reading, out)?;
    print_notes(&notes);
    out.streamed(|to| evaluation.write_json(args.curves, to), || evaluation.text(&name))
}

impl ScoreArgs {
    /// Returns the scoring of rows with known classes.
    fn labeled_scoring<'s>(
        &'s self,
        model_file: &'s ModelFile,
        read: &'s linsep::ReadOptions,
        map: &'s linsep::LabelMap,
        (counts, weights): (&'s [String], Option<&'s str>),
    ) -> linsep::Scoring<'s> {
        linsep::Scoring {
            model_file,
            hyperplanes: model_file.model.hyperplanes(),
            read,
            labels: true,
            target: self.target.as_deref(),
            counts,
            weights,
            map,
        }
    }

    /// Evaluates a model on files with known classes.
    pub fn evaluate<'a>(
        &self,
        model_file: &'a ModelFile,
        data: &[PathBuf],
        reading: &ReadArgs,
        out: &Output,
    ) -> Result<(Evaluation<'a>, Vec<Note>), Failure> {
        self.evaluate_keeping(model_file, (data, 0), reading, out)
    }

    /// Evaluates a model on files and keeps the `worst` misclassified rows.
    pub fn evaluate_keeping<'a>(
        &self,
        model_file: &'a ModelFile,
        (data, worst): (&[PathBuf], usize),
        reading: &ReadArgs,
        out: &Output,
    ) -> Result<(Evaluation<'a>, Vec<Note>), Failure> {
        let read = reading.options(out);
        let map = self.map(model_file)?;
        let (column, file) = self.weights(&model_file.header.recipe)?;
        let counts = self.counts.names();
        let scoring = self.labeled_scoring(model_file, &read, &map, (&counts, column.as_deref()));
        let mut evaluator = Evaluator::new(&model_file.model, file, worst, out.spill());
        let (mut notes, phase, mut rows) = (Vec::new(), Phase::new("evaluating"), 0);
        for path in data {
            let source = linsep::Source::open(path)?;
            notes.extend(scoring.run(source, |batch| {
                rows += batch.kept.len();
                phase.rows(rows);
                evaluator.add(batch)
            })?);
        }
        let evaluation = Evaluation(evaluator.finish()?);
        evaluation.check(&name_of(data))?;
        Ok((evaluation, notes))
    }
}

/// Rows in memory that a model is evaluated on.
#[derive(Clone)]
pub struct EvaluationRows {
    pub input: linsep::Input,
    /// Their indices in the data, if the rows are a subset.
    pub numbers: Option<Vec<usize>>,
    /// Sample weights of the subset, if a file gives the weights of all rows.
    pub weights: Option<Vec<f64>>,
}

impl ScoreArgs {
    /// Evaluates a model on rows in memory; `rows.weights` replaces a file of sample weights.
    pub fn evaluate_rows<'a>(
        &self,
        model_file: &'a ModelFile,
        (rows, worst): (&EvaluationRows, usize),
        out: &Output,
    ) -> Result<Evaluation<'a>, Failure> {
        let (read, map) = (linsep::ReadOptions::default(), self.map(model_file)?);
        let (column, file) = match &rows.weights {
            Some(own) => (None, Some(own.clone())),
            None => self.weights(&model_file.header.recipe)?,
        };
        let counts = self.counts.names();
        let scoring = self.labeled_scoring(model_file, &read, &map, (&counts, column.as_deref()));
        let mut evaluator = Evaluator::new(&model_file.model, file, worst, out.spill());
        evaluator.add(&scoring.score(rows.input.clone())?)?;
        Ok(Evaluation(evaluator.finish()?))
    }
}

impl Evaluation<'_> {
    /// Refuses data that share no class with the model.
    fn check(&self, name: &str) -> Result<(), Failure> {
        let Some(found) = self.all_unknown() else { return Ok(()) };
        let known: Vec<String> = self.classes().iter().map(ToString::to_string).collect();
        // Suggestion: the longest known name that the unknown name contains.
        let guess = |f: &String| {
            let within = known.iter().filter(|k| f.contains(*k)).max_by_key(|k| k.len())?;
            Some(format!("--label-map '{}'", field(&format!("{f}={within}"))))
        };
        let mut pairs: Vec<String> = found.iter().filter_map(guess).take(known.len()).collect();
        if pairs.is_empty() {
            let pair = field(&format!("{}={}", found[0], known[0]));
            pairs.push(format!("--label-map '{pair}'"));
        }
        let pairs = pairs.join(" ");
        Err(Failure::Refused(format!(
            "{name}: expected classes of the model ({}), found other classes ({}). Rename the classes with \
             {pairs}, or name the target column with --target.",
            known.join(", "),
            found.join(", "),
        )))
    }
}
