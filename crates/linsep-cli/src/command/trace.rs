//! `linsep trace`: a learning rule step by step, as the lectures' tables have it.

use super::{classes_json, joint_trace as joint};
use crate::data::{CountArgs, ReadArgs};
use crate::failure::Failure;
use crate::method::MethodArgs;
use crate::output::Output;
use crate::text::{Table, number, plural};
use clap::Args;
use linsep::control::Record;
use linsep::learner::Scheme;
use linsep::solver::Solution;
use linsep::{Label, Plane, Problem, Trace};
use linsep_io::bundle::Header;
use linsep_io::{Place, RecipeSettings, Training, TrainingSettings};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct TraceArgs {
    /// The data; - is stdin
    data: PathBuf,

    /// The class that is +1; all others are −1 [default: the second of two]
    #[arg(long, value_name = "CLASS")]
    positive: Option<String>,

    /// Show this many steps at the most
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    steps: usize,

    #[command(flatten)]
    method: MethodArgs,

    /// Column with the classes [default: target, label, class or y, else the last]
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,

    #[command(flatten)]
    counts: CountArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

pub fn run(args: &TraceArgs, out: &Output) -> Result<(), Failure> {
    // 1. Data and method.
    let learner = args.method.learner(false)?;
    let Some(reduced) = learner.as_reduced() else {
        return Err(Failure::Usage(format!(
            "{} has no steps to trace: its planes are computed directly",
            learner.name()
        )));
    };
    let together = matches!(reduced.scheme, Scheme::WinnerTakeAll | Scheme::Kesler);
    if !together && reduced.scheme != Scheme::OneVsRest {
        return Err(Failure::Usage(format!(
            "a trace shows the plane of a class against the rest, or planes that are corrected together \
             (winner-take-all, kesler), not {}",
            reduced.scheme.name()
        )));
    }
    let solver = reduced.solver.as_ref();
    let name = args.data.display().to_string();
    let input = linsep_io::read(&args.data, &args.reading.options(out.threads))?;
    // A trace shows the numbers of the data, as a person would compute with them.
    let recipe = RecipeSettings { standardise: false, ..RecipeSettings::default() };
    let settings = TrainingSettings {
        target: args.target.clone(),
        counts: args.counts.counts.clone(),
        recipe,
        ..TrainingSettings::default()
    };
    let mut training = Training::new(input, &settings)?;
    let weights = training.weights.take();
    let problem = Problem::new(&training.x, &training.labels, weights)
        .map_err(|source| linsep_io::Error::Core { place: Box::new(Place::file(&name)), source })?;
    if together && training.labels.k() > 2 && args.positive.is_none() {
        let mut trace = Trace::new(args.steps);
        let fit = learner.learn(&problem, None, None, &mut trace)?;
        let shown =
            joint::Shown { fit: &fit, training: &training, trace: &trace, method: solver.name() };
        return out.result(|| shown.json(), || shown.text());
    }
    let positive = match (&args.positive, training.labels.k()) {
        (Some(class), _) => problem.class(&Label::parse(class))?,
        (None, 2) => 1,
        (None, k) => {
            return Err(Failure::Usage(format!(
                "{name} has {k} classes, and a trace tells two apart: choose the one to trace \
                 against the rest with --positive"
            )));
        }
    };

    // 2. Run, writing every step down.
    let d = training.x.d();
    let start = args.method.start(d)?.unwrap_or_else(|| Plane::zero(d));
    let mut trace = Trace::new(args.steps);
    let solution = solver.solve(&problem.against_rest(positive), start, &mut trace)?;

    // 3. Show.
    let shown = Shown {
        method: solver.name(),
        columns: training.recipe.features(),
        classes: training.labels.classes(),
        positive,
        trace: &trace,
        solution: &solution,
    };
    out.result(|| shown.json(), || shown.text())
}

struct Shown<'a> {
    method: &'a str,
    columns: Vec<String>,
    classes: &'a [Label],
    positive: usize,
    trace: &'a Trace,
    solution: &'a Solution,
}

impl Shown<'_> {
    fn json(&self) -> Value {
        let step = |record: &Record| match record {
            Record::Batch { step, plane, scores, mistakes, criterion } => json!({
                "step": step,
                "w": plane.w,
                "b": plane.b,
                "scores": scores,
                "mistakes": mistakes,
                "criterion": criterion,
            }),
            Record::Row { epoch, row, z, predicted, target, updated, plane } => json!({
                "epoch": epoch,
                "row": row,
                "z": z,
                "predicted": predicted,
                "target": target,
                "updated": updated,
                "w": plane.w,
                "b": plane.b,
            }),
            Record::Scores { .. } => unreachable!("one plane was traced"),
        };
        json!({
            "method": self.method,
            "columns": self.columns,
            "classes": classes_json(self.classes),
            "positive": Header::class(&self.classes[self.positive]),
            "steps": self.trace.records().iter().map(step).collect::<Vec<_>>(),
            "cut": self.trace.was_cut(),
            "stop": self.solution.stop.name(),
            "epochs": self.solution.epochs,
            "updates": self.solution.updates,
            "mistakes": linsep_io::bundle::number(self.solution.mistakes),
            "w": self.solution.plane.w,
            "b": self.solution.plane.b,
        })
    }

    fn text(&self) -> String {
        let mut out = String::new();
        let positive = &self.classes[self.positive];
        let _ = writeln!(out, "{}; +1 is {positive}; rows are counted from 0\n", self.method);
        let batch = matches!(self.trace.records().first(), Some(Record::Batch { .. }));
        out.push_str(&if batch { self.batch_table() } else { self.row_table() });
        if self.trace.was_cut() {
            let _ = writeln!(
                out,
                "  … cut after {}; see --steps",
                plural(self.trace.records().len(), "step", "steps")
            );
        }
        let solution = self.solution;
        let _ = writeln!(out, "\nstop: {} – {}", solution.stop, solution.stop.meaning());
        let plane = cells(&solution.plane).join(", ");
        let names = [&self.columns[..], &["b".to_owned()]].concat().join(", ");
        let _ = writeln!(out, "({names}) = ({plane}), {} wrong", number(solution.mistakes));
        out
    }

    fn row_table(&self) -> String {
        let weights = self.columns.iter().map(|name| format!("w({name})"));
        let names: Vec<String> = ["pass", "row", "z", "predicted", "target", "update"]
            .map(str::to_owned)
            .into_iter()
            .chain(weights)
            .chain(["b".to_owned()])
            .collect();
        let mut table = Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>(), 0);
        for record in self.trace.records() {
            let Record::Row { epoch, row, z, predicted, target, updated, plane } = record else {
                continue;
            };
            let head = [
                (epoch + 1).to_string(),
                row.to_string(),
                number(*z),
                format!("{predicted:+}").replace("+0", "0"),
                format!("{target:+}"),
                if *updated { "yes" } else { "no" }.to_owned(),
            ];
            table.row(head.into_iter().chain(cells(plane)).collect());
        }
        table.show(2)
    }

    fn batch_table(&self) -> String {
        let weights = self.columns.iter().map(|name| format!("w({name})"));
        let names: Vec<String> = ["step".to_owned()]
            .into_iter()
            .chain(weights)
            .chain(["b", "criterion", "wrong", "rows"].map(str::to_owned))
            .collect();
        let mut table = Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>(), 0);
        for record in self.trace.records() {
            let Record::Batch { step, plane, mistakes, criterion, .. } = record else { continue };
            let tail = [number(*criterion), mistakes.len().to_string(), few(mistakes)];
            table.row([step.to_string()].into_iter().chain(cells(plane)).chain(tail).collect());
        }
        format!("{}{}", table.show(2), self.score_table())
    }

    /// The scores of few rows, step by step.
    fn score_table(&self) -> String {
        const MOST: usize = 12;
        let mut table = None;
        for record in self.trace.records() {
            let Record::Batch { step, scores, .. } = record else { continue };
            if scores.len() > MOST {
                return String::new();
            }
            let table = table.get_or_insert_with(|| {
                let rows = (0..scores.len()).map(|i| format!("z({i})"));
                let names: Vec<String> = ["step".to_owned()].into_iter().chain(rows).collect();
                Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>(), 0)
            });
            let cells = scores.iter().map(|z| number(*z));
            table.row([step.to_string()].into_iter().chain(cells).collect());
        }
        table.map_or_else(String::new, |table| format!("\n{}", table.show(2)))
    }
}

/// The weights and the bias.
fn cells(plane: &Plane) -> Vec<String> {
    plane.w.iter().chain([&plane.b]).map(|v| number(*v)).collect()
}

/// The first few row numbers.
fn few(rows: &[usize]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = rows.iter().take(SHOWN).map(usize::to_string).collect();
    let more = if rows.len() > SHOWN { " …" } else { "" };
    format!("{}{more}", shown.join(" "))
}
