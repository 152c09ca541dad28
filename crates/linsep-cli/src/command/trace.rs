//! `linsep trace`: the steps of a learning rule, as in the tables of the lectures: weight vector w
//! and bias b.

use super::{classes_json, joint_trace as joint};
use crate::data::{CountArgs, ReadArgs};
use crate::failure::Failure;
use crate::layout::{Table, entry, paragraph};
use crate::lists::{List, all};
use crate::method::MethodArgs;
use crate::output::Output;
use clap::Args;
use linsep::binary::BinaryFit;
use linsep::control::Record;
use linsep::learner::{Learner, Scheme};
use linsep::model_file::Header;
use linsep::{ClassColumn, Location, RecipeSettings, TrainingData, TrainingSettings};
use linsep::{Hyperplane, Label, Problem, Trace};
use linsep_report::flags::spell;
use linsep_report::number::{number, plural};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Args)]
pub struct TraceArgs {
    /// Data file; - is stdin
    pub data: PathBuf,

    /// Class coded +1; all others are −1 [default: the second of two]
    #[arg(long, value_name = "CLASS", help_heading = "Data")]
    positive: Option<String>,

    /// Show at most this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = "Output")]
    steps: usize,

    #[command(flatten)]
    method: MethodArgs,

    /// Target column [default: target, label, class, y, or the last]
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    target: Option<String>,

    /// Use only these columns as features
    #[arg(long = "columns", value_name = "COLUMN,…", help_heading = "Data")]
    only: Vec<List>,

    #[command(flatten)]
    counts: CountArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

/// A recorded run.
pub struct Followed {
    pub training: TrainingData,
    weights: Option<Vec<f64>>,
    /// Index of the class coded +1.
    pub positive: usize,
    /// Hyperplane at the start.
    pub start: Hyperplane,
    pub trace: Trace,
    pub solution: BinaryFit,
    pub method: &'static str,
}

impl Followed {
    /// Returns the training problem.
    pub fn problem(&self) -> Result<Problem<'_>, Failure> {
        Ok(Problem::new(&self.training.x, &self.training.labels, self.weights.clone())?)
    }
}

pub fn run(args: &TraceArgs, out: &Output) -> Result<(), Failure> {
    let learner = args.learner()?;
    let reduced = learner.as_reduced().expect("a learner without steps was refused");
    let mut training = args.training(out)?;
    if is_joint(reduced.scheme) && training.labels.k() > 2 && args.positive.is_none() {
        let weights = training.weights.take();
        let problem = args.problem(&training, weights)?;
        let mut trace = Trace::new(args.steps);
        let hyperplanes = reduced.scheme.hyperplanes(training.labels.k());
        let starts = args.method.starts(training.x.d(), hyperplanes)?;
        let fit = learner.learn(&problem, starts.as_deref(), None, &mut trace)?;
        let method = reduced.solver.name();
        let shown = joint::Shown { fit: &fit, training: &training, trace: &trace, method };
        return out.result(|| shown.json(), || shown.text());
    }
    let followed = args.record(learner.as_ref(), training)?;
    let shown = Shown {
        method: followed.method,
        columns: followed.training.recipe.features(),
        classes: followed.training.labels.classes(),
        positive: followed.positive,
        trace: &followed.trace,
        solution: &followed.solution,
    };
    out.result(|| shown.json(), || shown.text())
}

/// Returns whether the scheme updates all hyperplanes jointly.
fn is_joint(scheme: Scheme) -> bool {
    matches!(scheme, Scheme::WinnerTakeAll | Scheme::Kesler)
}

impl TraceArgs {
    /// Trains the hyperplane of one class against the rest and records every step.
    pub fn follow(&self, out: &Output) -> Result<Followed, Failure> {
        let learner = self.learner()?;
        self.record(learner.as_ref(), self.training(out)?)
    }

    /// Returns the learner; refuses one without steps.
    fn learner(&self) -> Result<Box<dyn Learner>, Failure> {
        let learner = self.method.learner(false)?;
        let Some(reduced) = learner.as_reduced() else {
            return Err(Failure::Usage(format!(
                "trace: --method {} has no steps to show; use perceptron or batch-perceptron",
                learner.name()
            )));
        };
        let single = is_joint(reduced.scheme) || reduced.scheme == Scheme::OneVsRest;
        if reduced.requested && !single {
            return Err(Failure::Usage(format!(
                "trace: expected --multiclass one-vs-rest, winner-take-all or kesler, found {}",
                reduced.scheme.name()
            )));
        }
        Ok(learner)
    }

    /// Reads the data without standardization, so that the steps can be checked by hand.
    fn training(&self, out: &Output) -> Result<TrainingData, Failure> {
        let mut read = self.reading.options(out);
        read.csv.classes = ClassColumn::of(self.target.as_deref());
        let input = linsep::read(&self.data, &read)?;
        let only = all(&self.only);
        let recipe = RecipeSettings { standardize: false, only, ..RecipeSettings::default() };
        let settings = TrainingSettings {
            target: self.target.clone(),
            counts: self.counts.names(),
            recipe,
            any_target: out.force,
            ..TrainingSettings::default()
        };
        Ok(TrainingData::new(input, &settings)?)
    }

    fn problem<'a>(
        &self,
        training: &'a TrainingData,
        weights: Option<Vec<f64>>,
    ) -> Result<Problem<'a>, Failure> {
        let place = || Box::new(Location::file(&self.data.display().to_string()));
        let problem = Problem::new(&training.x, &training.labels, weights);
        Ok(problem.map_err(|source| linsep::Error::Core { place: place(), source })?)
    }

    fn record(
        &self,
        learner: &dyn Learner,
        mut training: TrainingData,
    ) -> Result<Followed, Failure> {
        // 1. The positive class.
        let weights = training.weights.take();
        let problem = self.problem(&training, weights.clone())?;
        let positive = match (&self.positive, training.labels.k()) {
            (Some(class), _) => problem.class(&Label::parse(class))?,
            (None, 2) => 1,
            (None, k) => {
                return Err(Failure::Usage(format!(
                    "{}: a trace has two classes, found {k}. Choose the class to trace against the rest with \
                     --positive.",
                    self.data.display()
                )));
            }
        };

        // 2. Train and record every step.
        let d = training.x.d();
        let start = self.method.starts(d, 1)?.and_then(|mut hyperplanes| hyperplanes.pop());
        let start = start.unwrap_or_else(|| Hyperplane::zero(d));
        let mut trace = Trace::new(self.steps);
        let reduced = learner.as_reduced().expect("a learner without steps was refused");
        let solver = reduced.solver.as_ref();
        let solution = solver.fit(&problem.against_rest(positive), start.clone(), &mut trace)?;
        let method = solver.name();
        Ok(Followed { training, weights, positive, start, trace, solution, method })
    }
}

struct Shown<'a> {
    method: &'a str,
    columns: Vec<String>,
    classes: &'a [Label],
    positive: usize,
    trace: &'a Trace,
    solution: &'a BinaryFit,
}

impl Shown<'_> {
    fn json(&self) -> Value {
        let step = |record: &Record| match record {
            Record::Batch { step, hyperplane, scores, mistakes, criterion } => json!({
                "step": step,
                "w": hyperplane.w,
                "b": hyperplane.b,
                "scores": scores,
                "mistakes": mistakes,
                "criterion": criterion,
            }),
            Record::Row { epoch, row, z, predicted, target, updated, hyperplane } => json!({
                "epoch": epoch,
                "row": row,
                "z": z,
                "predicted": predicted,
                "target": target,
                "updated": updated,
                "w": hyperplane.w,
                "b": hyperplane.b,
            }),
            Record::Scores { .. } => unreachable!("a single hyperplane was traced"),
        };
        json!({
            "method": self.method,
            "columns": self.columns,
            "classes": classes_json(self.classes),
            "positive": Header::class(&self.classes[self.positive]),
            "steps": self.trace.records().iter().map(step).collect::<Vec<_>>(),
            "cut": self.trace.is_truncated(),
            "stop": self.solution.stop.name(),
            "epochs": self.solution.epochs,
            "updates": self.solution.updates,
            "mistakes": linsep::model_file::number(self.solution.mistakes),
            "w": self.solution.hyperplane.w,
            "b": self.solution.hyperplane.b,
        })
    }

    fn text(&self) -> String {
        let mut out = String::new();
        let positive = &self.classes[self.positive];
        paragraph(
            &mut out,
            0,
            &format!("{}; +1 is {positive}; rows are counted from 1", self.method),
        );
        out.push('\n');
        let batch = matches!(self.trace.records().first(), Some(Record::Batch { .. }));
        out.push_str(&if batch { self.batch_table() } else { self.row_table() });
        if self.trace.is_truncated() {
            let steps = plural(self.trace.records().len(), "step", "steps");
            paragraph(&mut out, 2, &format!("… only {steps} shown; raise --steps for more"));
        }
        let solution = self.solution;
        out.push('\n');
        entry(
            &mut out,
            "status",
            &format!("{}: {}", solution.stop, spell(solution.stop.meaning())),
        );
        let hyperplane = cells(&solution.hyperplane).join(", ");
        let names = with_bias(&self.columns).join(", ");
        entry(&mut out, "result", &format!("({names}) = ({hyperplane})"));
        entry(&mut out, "errors", &number(solution.mistakes));
        out
    }

    fn row_table(&self) -> String {
        let weights = self.columns.iter().map(|name| format!("w({name})"));
        let names: Vec<String> = ["epoch", "row", "z", "predicted", "target", "update"]
            .map(str::to_owned)
            .into_iter()
            .chain(weights)
            .chain(["b".to_owned()])
            .collect();
        let mut table = Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>(), 0);
        for record in self.trace.records() {
            let Record::Row { epoch, row, z, predicted, target, updated, hyperplane } = record
            else {
                continue;
            };
            let head = [
                (epoch + 1).to_string(),
                (row + 1).to_string(),
                number(*z),
                format!("{predicted:+}").replace("+0", "0"),
                format!("{target:+}"),
                if *updated { "yes" } else { "no" }.to_owned(),
            ];
            table.row(head.into_iter().chain(cells(hyperplane)).collect());
        }
        table.show(2)
    }

    fn batch_table(&self) -> String {
        let weights = self.columns.iter().map(|name| format!("w({name})"));
        let names: Vec<String> = ["step".to_owned()]
            .into_iter()
            .chain(weights)
            .chain(["b", "objective", "errors", "misclassified rows"].map(str::to_owned))
            .collect();
        let mut table = Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>(), 0);
        for record in self.trace.records() {
            let Record::Batch { step, hyperplane, mistakes, criterion, .. } = record else {
                continue;
            };
            let tail = [number(*criterion), mistakes.len().to_string(), few(mistakes)];
            table
                .row([step.to_string()].into_iter().chain(cells(hyperplane)).chain(tail).collect());
        }
        format!("{}{}", table.show(2), self.score_table())
    }

    /// Returns the scores of every row at every step; empty for many rows.
    fn score_table(&self) -> String {
        const MOST: usize = 12;
        let mut table = None;
        for record in self.trace.records() {
            let Record::Batch { step, scores, .. } = record else { continue };
            if scores.len() > MOST {
                return String::new();
            }
            let table = table.get_or_insert_with(|| {
                let rows = (1..=scores.len()).map(|i| format!("z({i})"));
                let names: Vec<String> = ["step".to_owned()].into_iter().chain(rows).collect();
                Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>(), 0)
            });
            let cells = scores.iter().map(|z| number(*z));
            table.row([step.to_string()].into_iter().chain(cells).collect());
        }
        table.map_or_else(String::new, |table| format!("\n{}", table.show(2)))
    }
}

/// Returns the names of the columns and of the bias: b, or bias if a column is called b.
pub fn with_bias(columns: &[String]) -> Vec<String> {
    let bias = if columns.iter().any(|name| name == "b") { "bias" } else { "b" };
    columns.iter().cloned().chain([bias.to_owned()]).collect()
}

/// Returns the weights and the bias as text.
fn cells(hyperplane: &Hyperplane) -> Vec<String> {
    hyperplane.w.iter().chain([&hyperplane.b]).map(|v| number(*v)).collect()
}

/// Returns the first row numbers, counted from 1.
fn few(rows: &[usize]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = rows.iter().take(SHOWN).map(|row| (row + 1).to_string()).collect();
    let more = if rows.len() > SHOWN { " …" } else { "" };
    format!("{}{more}", shown.join(" "))
}
