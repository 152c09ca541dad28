//! `linsep fit`: train a classifier and save it.

use super::classes_json;
use crate::data::{ColumnArgs, ReadArgs, name_of};
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::method::MethodArgs;
use crate::output::{Output, note};
use crate::progress::Progress;
use crate::text::{Table, count, number, percent, plural, small, small_percent};
use clap::Args;
use linsep::learner::{Fit, PathPoint, fit, fit_against, path};
use linsep::minimise::Candidate;
use linsep::solver::{Setting, Solver};
use linsep::{Decide, Label, Problem};
use linsep_io::bundle::{self, Bundle, FORMAT, Header, Proof};
use linsep_io::{Place, Recipe, Training};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
pub struct FitArgs {
    /// The data; - is stdin; several files of one kind are one data set
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Where to save the model [default: the data's name with .linsep, in this folder]
    #[arg(short, long, value_name = "MODEL")]
    output: Option<PathBuf>,

    /// Of two classes, the one whose scores are positive [default: the second]
    #[arg(long, value_name = "CLASS")]
    positive: Option<String>,

    /// Stop after this many seconds with the best plane met
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<f64>,

    #[command(flatten)]
    method: MethodArgs,

    /// Say which ways of minimising there are for this problem, what each should cost, and which is taken
    #[arg(long)]
    explain_solver: bool,

    /// Fit so many strengths of the penalty as well, from strong to the one asked for, each proved
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20", value_parser = clap::value_parser!(u16).range(2..))]
    path: Option<u16>,

    /// Evaluate on this file as well
    #[arg(long, value_name = "FILE", conflicts_with = "holdout")]
    test: Option<PathBuf>,

    /// Set this share of each class aside, learn from the rest, and evaluate on it
    #[arg(long, value_name = "SHARE", value_parser = share)]
    holdout: Option<f64>,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("give a number between 0 and 1".to_owned()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s.is_finite() && (0.0..1e9).contains(&s) => Ok(s),
        _ => Err("give a number of seconds, at least 0".to_owned()),
    }
}

pub fn run(args: &FitArgs, out: &Output) -> Result<(), Failure> {
    // 1. What is asked for, before any file is touched.
    let solver = args.method.solver()?;

    // 2. Read.
    let clock = Instant::now();
    let input = args.columns.read(&args.data, &args.reading, out)?;
    let settings = args.columns.settings();
    let (input, aside) = match args.holdout {
        None => (input, None),
        Some(share) => {
            let target = settings.target.as_deref();
            let (rest, aside) = input.hold_out(share, args.method.seed(), target)?;
            (rest, Some(aside))
        }
    };
    let mut training = Training::new(input, &settings)?;
    let read = clock.elapsed().as_secs_f64();
    training.notes.iter().for_each(|text| note(text));
    let name = name_of(&args.data);
    let weights = training.weights.take();
    let mut problem = Problem::new(&training.x, &training.labels, weights)
        .map_err(|source| linsep_io::Error::Core { place: Box::new(Place::file(&name)), source })?;
    args.method.weigh_classes(&mut problem)?;

    // 3. Train.
    let clock = Instant::now();
    let mut watch = Progress::new(args.timeout);
    let start =
        args.method.start(training.x.d())?.map(|plane| vec![training.recipe.unfold(&plane)]);
    let start = start.as_deref();
    let k = training.labels.k();
    let candidates = if args.explain_solver {
        solver.candidates(&problem.against_rest(k - 1))?
    } else {
        Vec::new()
    };
    let mut points = Vec::new();
    let fit = match &args.positive {
        _ if args.path.is_some() => {
            let Some(convex) = solver.as_convex() else {
                let method = solver.name();
                return Err(Failure::Usage(format!(
                    "--path is for methods with a penalty (logistic, svm, convex), not for {method}"
                )));
            };
            points = path(&problem, convex, usize::from(args.path.unwrap_or(2)), &mut watch)?;
            points.last().map(|point| point.fit.clone()).expect("a path has points")
        }
        Some(class) if k == 2 => {
            let positive = problem.class(&Label::parse(class))?;
            fit_against(&problem, positive, solver.as_ref(), start, &mut watch)?
        }
        Some(_) => {
            return Err(Failure::Usage(format!(
                "--positive is for two classes, and {name} has {k}"
            )));
        }
        None if start.is_some() && k > 2 => {
            return Err(Failure::Usage(format!("--start is for two classes, and {name} has {k}")));
        }
        None => fit(&problem, solver.as_ref(), start, &mut watch)?,
    };
    drop(watch);
    let trained = clock.elapsed().as_secs_f64();

    // 4. Save.
    let to = args.output.clone().unwrap_or_else(|| default_path(&args.data[0]));
    let bundle = bundle(&fit, solver.as_ref(), &training)?;
    bundle.save(&to)?;

    // 5. Evaluate on rows it has not seen.
    let scoring = args.columns.scoring();
    let evaluation = match (&args.test, aside) {
        (Some(test), _) => {
            let (evaluation, notes) =
                scoring.evaluate(&bundle, std::slice::from_ref(test), &args.reading, out)?;
            notes.iter().for_each(|text| note(text));
            Some((test.display().to_string(), evaluation))
        }
        (None, Some(aside)) => {
            Some(("rows held out".to_owned(), scoring.evaluate_rows(&bundle, aside)?))
        }
        (None, None) => None,
    };

    // 6. Report.
    let report = Report {
        fit: &fit,
        bundle: &bundle,
        solver: solver.as_ref(),
        training: &training,
        problem: &problem,
        path: &to,
        candidates: &candidates,
        points: &points,
    };
    out.result(
        || {
            let mut json = report.json();
            json["seconds"] = json!({ "read": read, "fit": trained });
            json["threads"] = json!(out.threads);
            json["seed"] = json!(args.method.seed());
            json["test"] = evaluation.as_ref().map_or(Value::Null, |(_, e)| e.json());
            json
        },
        || report.text(&name, evaluation.as_ref()),
    )
}

/// iris.csv → iris.linsep in the current folder; data.csv.gz → data.linsep; stdin → model.linsep.
fn default_path(data: &Path) -> PathBuf {
    let name = data.file_name().map(|name| name.to_string_lossy().into_owned());
    let stem = name.as_deref().and_then(|name| name.split('.').find(|part| !part.is_empty()));
    match stem {
        Some(stem) if stem != "-" => PathBuf::from(format!("{stem}.linsep")),
        _ => PathBuf::from("model.linsep"),
    }
}

fn bundle(fit: &Fit, solver: &dyn Solver, training: &Training) -> Result<Bundle, Failure> {
    let setting = |(name, value): (&str, Setting)| {
        let value = match value {
            Setting::Number(v) => bundle::number(v),
            Setting::Word(word) => Value::from(word),
        };
        (name.to_owned(), value)
    };
    let header = Header {
        format: FORMAT,
        linsep: env!("CARGO_PKG_VERSION").to_owned(),
        method: solver.name().to_owned(),
        settings: solver.settings().into_iter().map(setting).collect(),
        multiclass: multiclass(fit).map(str::to_owned),
        classes: classes_json(fit.model.classes()),
        decision: fit.model.decide().name().to_owned(),
        link: fit.model.link().name().to_owned(),
        recipe: training.recipe.clone(),
        training: bundle::Training {
            rows: training.x.n(),
            stop: fit.stop.name().to_owned(),
            epochs: fit.epochs,
            updates: fit.updates,
            mistakes: fit.mistakes,
            accuracy: fit.accuracy,
            proofs: fit.planes.iter().filter_map(Proof::of).collect(),
        },
    };
    Ok(Bundle { model: training.recipe.fold(&fit.model)?, header })
}

fn multiclass(fit: &Fit) -> Option<&'static str> {
    (fit.model.decide() == Decide::ArgMax).then_some("one-vs-rest")
}

fn candidate_json(candidate: &Candidate) -> Value {
    json!({
        "name": candidate.name,
        "seconds": candidate.work.ok(),
        "needs": candidate.work.err(),
    })
}

fn point_json(point: &PathPoint) -> Value {
    json!({
        "lambda": point.lambda,
        "primal": point.fit.criterion,
        "dual": point.fit.bound,
        "nonzero": point.nonzero,
        "accuracy": point.fit.accuracy,
        "epochs": point.fit.epochs,
        "stop": point.fit.stop.name(),
    })
}

/// A fit, shown.
struct Report<'a> {
    fit: &'a Fit,
    bundle: &'a Bundle,
    solver: &'a dyn Solver,
    training: &'a Training,
    problem: &'a Problem<'a>,
    path: &'a Path,
    /// Ways of minimising, if they are to be explained.
    candidates: &'a [Candidate],
    /// Points of a path, if there is one.
    points: &'a [PathPoint],
}

impl Report<'_> {
    fn json(&self) -> Value {
        let fit = self.fit;
        let planes: Vec<Value> = fit
            .planes
            .iter()
            .zip(self.bundle.model.planes())
            .enumerate()
            .map(|(j, (solution, plane))| {
                json!({
                    "class": Header::class(self.class_of(j)),
                    "w": plane.w,
                    "b": plane.b,
                    "stop": solution.stop.name(),
                    "epochs": solution.epochs,
                    "updates": solution.updates,
                    "mistakes": bundle::number(solution.mistakes),
                })
            })
            .collect();
        let missing: serde_json::Map<String, Value> =
            self.training.missing.iter().map(|(name, n)| (name.clone(), Value::from(*n))).collect();
        let mut json = json!({
            "method": self.solver.name(),
            "multiclass": multiclass(fit),
            "n": self.training.x.n(),
            "d": self.training.x.d(),
            "missing": missing,
            "dropped": self.training.dropped,
            "k": fit.model.k(),
            "classes": classes_json(fit.model.classes()),
            "stop": fit.stop.name(),
            "epochs": fit.epochs,
            "updates": fit.updates,
            "mistakes": bundle::number(fit.mistakes),
            "accuracy": fit.accuracy,
            "on_the_plane": fit.on_the_plane,
            "objective": self.objective(),
            "solver": fit.planes[0].way,
            "proofs": self.bundle.header.training.proofs,
            "planes": if self.training.x.d() <= 1000 { Value::from(planes) } else { Value::Null },
            "model": self.path.display().to_string(),
        });
        if !self.candidates.is_empty() {
            json["candidates"] = self.candidates.iter().map(candidate_json).collect();
        }
        if !self.points.is_empty() {
            json["path"] = self.points.iter().map(point_json).collect();
        }
        json
    }

    /// Value and bound, added up over planes. A perceptron has a criterion but no bound.
    fn objective(&self) -> Value {
        let (primal, dual) = (self.fit.criterion, self.fit.bound);
        let gaps: Option<f64> =
            self.fit.planes.iter().map(|p| p.proof?.certificate.dual.map(|d| d.gap)).sum();
        let gap = gaps.filter(|_| dual.is_some());
        json!({
            "primal": primal,
            "dual": dual,
            "gap": gap,
            "relative_gap": gap.map(|gap| if primal > 0.0 { gap / primal } else { 0.0 }),
        })
    }

    /// What is proved, in words.
    fn proof(&self) -> Option<String> {
        let proofs = &self.bundle.header.training.proofs;
        let worst = |of: fn(&Proof) -> Option<f64>| {
            proofs.iter().map(of).collect::<Option<Vec<f64>>>().filter(|all| !all.is_empty())
        };
        if let Some(gradients) = worst(|p| p.gradient) {
            let most = gradients.into_iter().fold(0.0, f64::max);
            return Some(format!(
                "without a penalty no bound exists; the gradient is {} of what it is at zero weights",
                small(most)
            ));
        }
        let gap = worst(|p| p.relative_gap)?.into_iter().fold(0.0, f64::max);
        let mut text = format!("the optimum is at most {} below this", small_percent(gap));
        if let Some(proved) = worst(|p| p.proved) {
            let least = proved.into_iter().fold(1.0, f64::min);
            text += &format!(
                "; {} of the training predictions provably equal those of the exact optimum",
                percent(least)
            );
        }
        Some(text)
    }

    fn candidates(&self) -> String {
        let mut table = Table::new(&["way of minimising", "about", ""], 1);
        for candidate in self.candidates {
            let chosen = self.fit.planes[0].way == Some(candidate.name);
            let (cost, why) = match candidate.work {
                Ok(seconds) => (format!("{} s", number(seconds)), String::new()),
                Err(lacks) => ("–".to_owned(), format!("needs {lacks}")),
            };
            let why = if chosen { "taken".to_owned() } else { why };
            table.row(vec![candidate.name.to_owned(), cost, why]);
        }
        table.show(2)
    }

    fn points(&self) -> String {
        let mut table = Table::new(&["λ", "criterion", "gap", "weights", "training", "stop"], 0);
        for point in self.points {
            let fit = &point.fit;
            let gap = fit.planes.iter().map(|p| p.proof?.certificate.relative_gap());
            let gap = gap.collect::<Option<Vec<f64>>>();
            table.row(vec![
                number(point.lambda),
                number(fit.criterion),
                gap.map_or("–".to_owned(), |g| small_percent(g.into_iter().fold(0.0, f64::max))),
                point.nonzero.to_string(),
                percent(fit.accuracy),
                fit.stop.to_string(),
            ]);
        }
        table.show(2)
    }

    fn text(&self, name: &str, test: Option<&(String, Evaluation<'_>)>) -> String {
        let (fit, x) = (self.fit, &self.training.x);
        let mut out = String::new();
        let mut line = |key: &str, value: String| {
            let _ = writeln!(out, "{key:<9} {value}");
        };
        line(
            "data",
            format!(
                "{name}: {} of {}",
                plural(x.n(), "row", "rows"),
                plural(x.d(), "column", "columns")
            ),
        );
        line("classes", self.classes());
        line("method", self.method());
        line(
            "training",
            format!("{} of the rows right ({} wrong)", percent(fit.accuracy), count(fit.mistakes)),
        );
        let after = plural(fit.epochs as usize, "epoch", "epochs");
        let how = if let Some(way) = fit.planes[0].way {
            format!("{after} of {way}")
        } else {
            let updates = plural(fit.updates as usize, "correction", "corrections");
            format!("{after}, {updates}")
        };
        line("stop", format!("{}: {} ({how})", fit.stop, fit.stop.meaning()));
        if let Some(proof) = self.proof() {
            line("proof", proof);
        }
        if fit.on_the_plane > 0 {
            let rows = plural(fit.on_the_plane, "row lies", "rows lie");
            line(
                "note",
                format!(
                    "{rows} exactly on the plane; prediction gives such rows to {}",
                    self.class_of(0)
                ),
            );
        }
        line("model", self.path.display().to_string());
        if let Some((name, evaluation)) = test {
            let _ = writeln!(out, "\non {name}");
            evaluation.summary(&mut out);
        }
        for table in [
            (!self.candidates.is_empty()).then(|| self.candidates()),
            (!self.points.is_empty()).then(|| self.points()),
            (fit.planes.len() > 1).then(|| self.planes()),
        ]
        .into_iter()
        .flatten()
        {
            out.push('\n');
            out.push_str(&table);
        }
        out.push_str(&self.formula());
        out
    }

    /// The class that plane j is the plane of.
    fn class_of(&self, j: usize) -> &Label {
        let positive = if self.fit.planes.len() == 1 { 1 } else { j };
        &self.fit.model.classes()[positive]
    }

    fn classes(&self) -> String {
        const SHOWN: usize = 12;
        let weights = self.problem.class_weights();
        let classes = self.training.labels.classes();
        let shown: Vec<String> = classes
            .iter()
            .zip(&weights)
            .take(SHOWN)
            .map(|(class, s)| format!("{class} ({})", count(*s)))
            .collect();
        let more = match classes.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let target = match &self.training.recipe {
            Recipe::Table(table) => format!(", in column {}", table.target),
            Recipe::Sparse { .. } => String::new(),
        };
        format!("{}: {}{more}{target}", classes.len(), shown.join(", "))
    }

    fn method(&self) -> String {
        let settings: Vec<String> =
            self.solver.settings().iter().map(|(name, value)| format!("{name} {value}")).collect();
        let scheme = multiclass(self.fit).map_or(String::new(), |scheme| format!(", {scheme}"));
        format!("{}{scheme} ({})", self.solver.name(), settings.join(", "))
    }

    fn planes(&self) -> String {
        if self.fit.planes[0].proof.is_some() {
            return self.proved_planes();
        }
        let mut table = Table::new(&["plane of", "stop", "epochs", "corrections", "mistakes"], 2);
        for (j, solution) in self.fit.planes.iter().enumerate() {
            table.row(vec![
                self.class_of(j).to_string(),
                solution.stop.to_string(),
                solution.epochs.to_string(),
                count(solution.updates as f64),
                count(solution.mistakes),
            ]);
        }
        table.show(2)
    }

    fn proved_planes(&self) -> String {
        let heads = ["plane of", "stop", "epochs", "criterion", "gap", "mistakes"];
        let mut table = Table::new(&heads, 2);
        for (j, (solution, proof)) in
            self.fit.planes.iter().zip(&self.bundle.header.training.proofs).enumerate()
        {
            table.row(vec![
                self.class_of(j).to_string(),
                solution.stop.to_string(),
                solution.epochs.to_string(),
                number(proof.primal),
                proof.relative_gap.map_or("–".to_owned(), small_percent),
                count(solution.mistakes),
            ]);
        }
        table.show(2)
    }

    /// A plane of few columns, written out.
    fn formula(&self) -> String {
        const MOST: usize = 8;
        let [plane] = self.bundle.model.planes() else { return String::new() };
        if plane.d() > MOST {
            return String::new();
        }
        let terms: Vec<String> = plane
            .w
            .iter()
            .zip(self.training.recipe.features())
            .map(|(w, name)| format!("{} {name}", number(*w)))
            .collect();
        let sum = format!("{} + {}", terms.join(" + "), number(plane.b)).replace("+ -", "− ");
        format!(
            "\n  z = {sum}\n  {} where z ≥ 0, else {}\n",
            self.class_of(0),
            self.fit.model.classes()[0]
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_named_after_their_data() {
        let path = |data: &str| default_path(Path::new(data)).display().to_string();
        assert_eq!(path("examples/iris.csv"), "iris.linsep");
        assert_eq!(path("covtype.csv.gz"), "covtype.linsep");
        assert_eq!(path(".hidden.csv"), "hidden.linsep");
        assert_eq!(path("-"), "model.linsep");
    }
}
