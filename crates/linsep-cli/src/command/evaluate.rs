//! `linsep evaluate`: how well a model predicts data with known classes.

use super::predict::field;
use crate::data::{ReadArgs, ScoreArgs, name_of};
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::output::{Output, note};
use crate::progress::Phase;
use clap::Args;
use linsep_io::{Evaluator, ModelFile};
use std::path::PathBuf;

#[derive(Args)]
pub struct EvaluateArgs {
    /// The model
    model: PathBuf,

    /// The data; - is stdin; several files are scored one after the other
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// With --json: the points of the curves over all thresholds (ROC, precision and recall), of
    /// two classes
    #[arg(long, requires = "json", help_heading = "Output")]
    curves: bool,

    #[command(flatten)]
    scoring: ScoreArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

pub fn run(args: &EvaluateArgs, out: &Output) -> Result<(), Failure> {
    let bundle = ModelFile::load(&args.model)?;
    let name = name_of(&args.data);
    let (evaluation, notes) = args.scoring.evaluate(&bundle, &args.data, &args.reading, out)?;
    notes.iter().for_each(|text| note(text));
    out.streamed(|to| evaluation.write_json(args.curves, to), || evaluation.text(&name))
}

impl ScoreArgs {
    /// How rows with classes are scored.
    fn judging<'s>(
        &'s self,
        bundle: &'s ModelFile,
        read: &'s linsep_io::ReadOptions,
        map: &'s linsep_io::LabelMap,
        (counts, weights): (&'s [String], Option<&'s str>),
    ) -> linsep_io::Scoring<'s> {
        linsep_io::Scoring {
            bundle,
            hyperplanes: bundle.model.hyperplanes(),
            read,
            labels: true,
            target: self.target.as_deref(),
            counts,
            weights,
            map,
        }
    }

    /// Scores a file with classes.
    pub fn evaluate<'a>(
        &self,
        bundle: &'a ModelFile,
        data: &[PathBuf],
        reading: &ReadArgs,
        out: &Output,
    ) -> Result<(Evaluation<'a>, Vec<String>), Failure> {
        self.evaluate_keeping(bundle, (data, 0), reading, out)
    }

    /// The same, keeping so many of the worst mistakes.
    pub fn evaluate_keeping<'a>(
        &self,
        bundle: &'a ModelFile,
        (data, worst): (&[PathBuf], usize),
        reading: &ReadArgs,
        out: &Output,
    ) -> Result<(Evaluation<'a>, Vec<String>), Failure> {
        let read = reading.options(out);
        let map = self.map(bundle)?;
        let (column, file) = self.weights(&bundle.header.recipe)?;
        let counts = self.counts.names();
        let scoring = self.judging(bundle, &read, &map, (&counts, column.as_deref()));
        let mut evaluator = Evaluator::new(&bundle.model, file, worst, out.spill());
        let (mut notes, phase, mut rows) = (Vec::new(), Phase::new("evaluating"), 0);
        for path in data {
            let source = linsep_io::Source::open(path)?;
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
    pub input: linsep_io::Input,
    /// Which rows of the data they are, where they are not all of them.
    pub numbers: Option<Vec<usize>>,
    /// Their weights, where those were cut from a file.
    pub weights: Option<Vec<f64>>,
}

impl ScoreArgs {
    /// Scores rows that are in memory, with weights of their own where those are not in a column.
    pub fn evaluate_rows<'a>(
        &self,
        bundle: &'a ModelFile,
        (rows, worst): (&EvaluationRows, usize),
        out: &Output,
    ) -> Result<Evaluation<'a>, Failure> {
        let (read, map) = (linsep_io::ReadOptions::default(), self.map(bundle)?);
        let (column, file) = match &rows.weights {
            Some(own) => (None, Some(own.clone())),
            None => self.weights(&bundle.header.recipe)?,
        };
        let counts = self.counts.names();
        let scoring = self.judging(bundle, &read, &map, (&counts, column.as_deref()));
        let mut evaluator = Evaluator::new(&bundle.model, file, worst, out.spill());
        evaluator.add(&scoring.score(rows.input.clone())?)?;
        Ok(Evaluation(evaluator.finish()?))
    }
}

impl Evaluation<'_> {
    /// Refuses data that shares no class with the model, or more weights than rows.
    fn check(&self, name: &str) -> Result<(), Failure> {
        let Some(found) = self.all_unknown() else { return Ok(()) };
        let known: Vec<String> = self.classes().iter().map(ToString::to_string).collect();
        // A guess at what is meant: the known name that the unknown one contains.
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
            "{name}: none of its classes ({}) is known to the model ({}). Rename them with \
             {pairs}, or name another column with --target.",
            found.join(", "),
            known.join(", "),
        )))
    }
}
