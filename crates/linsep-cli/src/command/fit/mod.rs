//! `linsep fit`: train a classifier and save it.

mod bounds;
mod existence;
mod facts;
mod infer;
mod page;
mod post_processing;
mod report;
mod schemes;
mod separation;
mod start;

use crate::command::evaluate::Judged;
use crate::command::files::Files;
use crate::data::{ColumnArgs, ReadArgs, name_of, problem};
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::method::MethodArgs;
use crate::output::{Output, note};
use crate::progress::Progress;
use clap::Args;
use infer::Inferring;
use linsep::learner::{Fit, Learner, PathPoint, path};
use linsep::options::Setting;
use linsep::solvers::Candidate;
use linsep::{Hyperplane, Label, Observer, Problem};
use linsep_io::model_file::{
    self, CertificateRecord, CertifiedRecord, Header, ModelFile, check_header_size,
};
use linsep_io::recipe::DroppedColumn;
use linsep_io::{Input, Recipe, SampleWeights, TrainingData, TrainingSettings, check_data};
use post_processing::{Setup, TrustArgs};
use report::Report;
use serde_json::{Value, json};
use start::{refuse_early_end, starts};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
pub struct FitArgs {
    /// The data; - is stdin; several files of one kind are one data set
    #[arg(required = true)]
    data: Vec<PathBuf>,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    method: MethodArgs,

    /// Estimated cost of each solver, and the choice
    #[arg(long, help_heading = "Optimization", hide_short_help = true)]
    explain_solver: bool,

    /// The multiclass schemes, and the choice
    #[arg(long = "explain-multiclass", help_heading = "Multiclass", hide_short_help = true)]
    explain_multiclass: bool,

    /// Of two classes, the one with positive scores [default: the second]
    #[arg(long, value_name = "CLASS", help_heading = "Multiclass", hide_short_help = true)]
    positive: Option<String>,

    /// Fit this many λ, from the largest to the given one, each with a certificate
    #[arg(long, help_heading = "Validation and tuning", hide_short_help = true, value_name = "N", conflicts_with_all = ["positive", "start"], num_args = 0..=1, default_missing_value = "20", value_parser = clap::value_parser!(u16).range(2..))]
    path: Option<u16>,

    /// Evaluate on this file
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "holdout",
        help_heading = "Validation and tuning"
    )]
    test: Option<PathBuf>,

    /// Evaluate on this share of each class, not trained on
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Validation and tuning")]
    holdout: Option<f64>,

    #[command(flatten)]
    trust: TrustArgs,

    #[command(flatten)]
    infer: infer::InferArgs,

    /// Where to save the model [default: DATA.linsep]
    #[arg(short, long, value_name = "MODEL", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Write a report, one HTML file
    #[arg(long, value_name = "FILE", value_parser = page::path, help_heading = "Output")]
    report: Option<PathBuf>,

    /// Stop training after this many seconds
    #[arg(long_help = "Stop training after this many seconds, reading not counted, with the best hyperplanes so far; their certification may take a tenth more, and half a second at least", long, value_name = "SECONDS", value_parser = super::seconds, help_heading = "Limits", hide_short_help = true)]
    timeout: Option<f64>,
}

impl FitArgs {
    /// What it reads and writes.
    pub fn files(&self) -> Files<'_> {
        Files::default()
            .reads(&self.data)
            .reads(&self.test)
            .reads(self.columns.weights_file())
            .writes("output", Some(self.to()), ModelFile::KIND)
            .writes("report", self.report.clone(), page::KIND)
    }

    /// Where the model is saved.
    fn to(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| default_path(&self.data[0]))
    }

    /// Seconds for each question beside training, where there is a time limit.
    fn beside(&self) -> Option<f64> {
        self.timeout.map(|seconds| seconds / 4.0)
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("give a number between 0 and 1".to_owned()),
    }
}

pub fn run(args: &FitArgs, out: &Output) -> Result<(), Failure> {
    // 1. What is asked for, before any file is touched.
    let asked = args.infer.settings(&args.method)?;
    let mut learner = args.method.learner(args.trust.tune.is_some())?;
    let weigh = args.method.class_weights()?;

    // 2. Read.
    let clock = Instant::now();
    let (mut input, settings, aside) = read_data(args, out)?;
    let learned = || Judged { input: input.clone(), numbers: None, weights: None };
    let rows = args.report.is_some().then(|| aside.clone().unwrap_or_else(learned));
    let folded = args.trust.folded(&input, &settings, args.method.seed())?;
    let taken = folded.as_ref().map_or_else(Vec::new, |folded| folded.taken.clone());
    taken.iter().for_each(|column| input.drop_column(&column.name));
    let named = args.positive.as_deref();
    let separated = match &asked {
        None => separation::of(learner.as_ref(), &input, &settings, named, args.beside())?,
        Some(_) => None,
    };
    let wanted = |asked| existence::wanted(asked, &input);
    let mut raw = asked.as_ref().is_some_and(wanted).then(|| input.clone());
    let examine = || check_data(input.clone(), &settings, None, &mut ());
    let examined = args.report.is_some().then(examine).transpose()?;
    let name = name_of(&args.data);
    let mut training = encode(input, &settings, taken)?;
    check_header_size(&name, &training.recipe, training.labels.classes(), asked.is_some())?;
    let read = clock.elapsed().as_secs_f64();
    let prepare = |asked| args.infer.prepare(asked, &mut training, args.positive.as_deref(), &name);
    let inferring = asked.map(prepare).transpose()?;
    let weights = training.weights.take();
    let mut problem = problem(&training, weights, &name)?;
    weigh.apply(&mut problem)?;
    out.memory.check_learner(&name, learner.as_ref(), &problem)?;

    // 3. Choose the strength, if that is asked for.
    let clock = Instant::now();
    let positive = args.positive.as_deref().map(Label::parse);
    let setup = Setup { positive: positive.as_ref(), weigh: &weigh, out };
    let mut watch = Progress::new("training", args.timeout);
    let tuned = args.trust.tuned(learner.as_ref(), &problem, folded.as_ref(), &setup, &watch)?;
    let tuning = tuned.map(|(reduced, tuning)| {
        learner = Box::new(reduced);
        tuning
    });
    let learner: &dyn Learner = inferring.as_ref().map_or(learner.as_ref(), |own| &own.learner);

    // 4. Train.
    let start = starts(args, learner, &training)?;
    let candidates = candidates(args, learner, &problem)?;
    let hyperplanes = Asked { positive: positive.as_ref(), start: start.as_deref(), name: &name };
    let mut part = args.trust.training(&mut watch, folded.as_ref(), out)?;
    let (fit, points) = learn(args, learner, &problem, &hyperplanes, &mut part)?;
    refuse_early_end(&fit, start.as_deref(), &name, out)?;
    let folded = folded.as_ref();
    let (mut fit, trust) = args.trust.trusted(fit, learner, &problem, folded, &setup, watch)?;
    if let Some(separated) = &separated {
        separated.correct(&mut fit);
    }
    if let Some(inferring) = &inferring {
        inferring.judge(&fit, &mut raw, &settings, args.timeout)?;
    }
    if let Some(standardize) = training.recipe.standardize() {
        fit = fit.in_raw_units(&problem, &standardize)?;
    }
    let trained = clock.elapsed().as_secs_f64();

    // 5. Save.
    let to = args.to();
    let mut bundle = bundle(&fit, learner, (&training, &problem), inferring.as_ref())?;
    bundle.header.training.tuning =
        tuning.or_else(|| post_processing::left_one_out(&fit, training.x.n()));
    bundle.header.training.trust = trust;
    bundle.save(&to)?;

    // 6. Evaluate on rows it has not seen.
    let evaluation = evaluate(args, &bundle, aside.as_ref(), out)?;

    // 7. Report.
    let apart = inferring.as_ref().and_then(|own| own.positive);
    let existence =
        raw.map(|raw| existence::of(raw, &settings, apart, args.beside())).transpose()?.flatten();
    let report = Report {
        separated: separated.as_ref(),
        existence: existence.as_ref(),
        bounds: &bounds::of(learner, &problem, start.is_some(), named, &fit, args.beside())?,
        fit: &fit,
        bundle: &bundle,
        learner,
        training: &training,
        problem: &problem,
        path: &to,
        candidates: &candidates,
        explain_solver: args.explain_solver,
        points: &points,
        explain: args.explain_multiclass,
        asked: args.method.multiclass(),
        verbose: out.verbose,
    };
    note_majority(&report, evaluation.as_ref());
    let examined = examined.as_ref();
    page::ReportPage { args, rows, examined, evaluation: evaluation.as_ref(), name: &name, out }
        .write(&report)?;
    out.result(
        || {
            let mut json = report.json();
            json["seconds"] = json!({ "read": read, "fit": trained });
            json["threads"] = json!(out.threads);
            json["seed"] = json!(args.method.seed());
            json["report"] = json!(args.report);
            json["test"] = evaluation.as_ref().map_or(Value::Null, |(_, e)| e.json());
            json
        },
        || report.text(&name, evaluation.as_ref()),
    )
}

/// Says where a model is worse than predicting the largest class.
fn note_majority(report: &Report<'_>, evaluation: Option<&(String, Evaluation<'_>)>) {
    if let Some(warning) = report.below_majority() {
        note(&format!("training accuracy is {warning}"));
    }
    let tested = evaluation.and_then(|(name, own)| Some((name, own.below_majority()?)));
    if let Some((name, warning)) = tested {
        note(&format!("accuracy on {name} is {warning}"));
    }
}

/// The rows to learn from and what is to be learned from them; and the rows that are set aside, if
/// any are.
fn read_data(
    args: &FitArgs,
    out: &Output,
) -> Result<(Input, TrainingSettings, Option<Judged>), Failure> {
    let settings = args.columns.settings(out);
    let input = args.columns.read(&args.data, &args.reading, out)?;
    let Some(share) = args.holdout else { return Ok((input, settings, None)) };
    let (rest, aside) = input.hold_out(share, args.method.seed(), &settings)?;
    let weights = match settings.of_rows(&input, &aside)?.weights {
        Some(SampleWeights::Rows(weights)) => Some(weights),
        _ => None,
    };
    let judged = Judged { input: input.select_rows(&aside), numbers: Some(aside), weights };
    Ok((input.select_rows(&rest), settings.of_rows(&input, &rest)?, Some(judged)))
}

/// Features and classes of the rows to train on, without the columns that folds and groups take.
fn encode(
    input: Input,
    settings: &TrainingSettings,
    taken: Vec<DroppedColumn>,
) -> Result<TrainingData, Failure> {
    let mut training = TrainingData::new(input, settings)?;
    if let Recipe::Table(recipe) = &mut training.recipe {
        recipe.left_out.extend(taken);
    }
    training.notes.iter().for_each(|text| note(text));
    Ok(training)
}

/// The model on rows it has not seen, where there are some.
fn evaluate<'b>(
    args: &FitArgs,
    bundle: &'b ModelFile,
    aside: Option<&Judged>,
    out: &Output,
) -> Result<Option<(String, Evaluation<'b>)>, Failure> {
    let scoring = args.columns.scoring();
    let worst = if args.report.is_some() { page::SHOWN } else { 0 };
    Ok(match (&args.test, aside) {
        (Some(test), _) => {
            let test_data = (std::slice::from_ref(test), worst);
            let (evaluation, notes) =
                scoring.evaluate_keeping(bundle, test_data, &args.reading, out)?;
            notes.iter().for_each(|text| note(text));
            Some((test.display().to_string(), evaluation))
        }
        (None, Some(aside)) => {
            Some(("rows held out".to_owned(), scoring.evaluate_rows(bundle, (aside, worst), out)?))
        }
        (None, None) => None,
    })
}

/// What is asked of the hyperplanes, beside the method.
struct Asked<'a> {
    positive: Option<&'a Label>,
    start: Option<&'a [Hyperplane]>,
    name: &'a str,
}

/// The fit, and the points of a path, if one was asked for.
fn learn(
    args: &FitArgs,
    learner: &dyn Learner,
    problem: &Problem<'_>,
    asked: &Asked<'_>,
    watch: &mut dyn Observer,
) -> Result<(Fit, Vec<PathPoint>), Failure> {
    let (k, name) = (problem.labels().k(), asked.name);
    let solver = learner.as_reduced().map(|reduced| reduced.solver.as_ref());
    let mut points = Vec::new();
    let fit = match asked.positive {
        _ if args.path.is_some() => {
            let Some(convex) = solver.and_then(|solver| solver.as_convex()) else {
                let method = learner.name();
                return Err(Failure::Usage(format!(
                    "--path is for methods with a penalty (logistic, svm, convex), not for {method}"
                )));
            };
            args.method.one_vs_rest_only("--path")?;
            points = path(problem, convex, usize::from(args.path.unwrap_or(2)), watch)?;
            points.last().map(|point| point.fit.clone()).expect("a path has points")
        }
        Some(_) if k > 2 => {
            return Err(Failure::Usage(format!(
                "--positive is for two classes, and {name} has {k}"
            )));
        }
        class => {
            let positive = class.map(|class| problem.class(class));
            learner.learn(problem, asked.start, positive.transpose()?, watch)?
        }
    };
    Ok((fit, points))
}

/// The ways of minimizing that there are, where they are asked for and there is a choice.
fn candidates(
    args: &FitArgs,
    learner: &dyn Learner,
    problem: &Problem<'_>,
) -> Result<Vec<Candidate>, Failure> {
    let Some(reduced) = learner.as_reduced().filter(|_| args.explain_solver) else {
        return Ok(Vec::new());
    };
    let k = problem.labels().k();
    let together = k > 2 && args.path.is_none() && reduced.scheme_for(problem).ways().is_some();
    if together {
        return Ok(Vec::new());
    }
    Ok(reduced.solver.candidates(&problem.against_rest(k - 1))?)
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

fn bundle(
    fit: &Fit,
    learner: &dyn Learner,
    (training, problem): (&TrainingData, &Problem<'_>),
    inferring: Option<&Inferring<'_>>,
) -> Result<ModelFile, Failure> {
    let setting = |(name, value): (&str, Setting)| {
        let value = match value {
            Setting::Number(v) => model_file::number(v),
            Setting::Word(word) => Value::from(word),
            Setting::Text(text) => Value::from(text),
        };
        (name.to_owned(), value)
    };
    let settings = learner.settings().into_iter().chain(fit.chosen.iter().cloned());
    let certificates = fit.certificates();
    let records = certificates.iter().map(|(own, solver)| CertificateRecord::new(own, solver));
    let header = Header {
        settings: settings.map(setting).collect(),
        multiclass: fit.multiclass.map(str::to_owned),
        training: model_file::Training {
            rows: training.x.n(),
            stop: fit.stop.name().to_owned(),
            epochs: fit.epochs,
            updates: fit.updates,
            mistakes: fit.mistakes,
            accuracy: fit.accuracy,
            proofs: records.collect(),
            certified: fit.certified_rows(problem).map(CertifiedRecord::from),
            tuning: None,
            trust: None,
        },
        inference: inferring.and_then(|own| own.known(fit, &training.recipe)),
        ..Header::new(learner.name(), &fit.model, training.recipe.clone())
    };
    let recipe = &training.recipe;
    let directions = match recipe.standardize() {
        None => fit.directions.clone(),
        Some(by) => fit.directions.iter().map(|direction| by.to_raw_units(direction)).collect(),
    };
    Ok(ModelFile { model: recipe.to_raw_units(&fit.model)?, directions, header })
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
