//! `linsep fit`: train a classifier and save it.

mod bounds;
mod existence;
mod facts;
mod infer;
mod model;
mod page;
mod post_processing;
mod report;
mod schemes;
mod separation;
mod start;

use crate::command::evaluate::EvaluationRows;
use crate::command::files::Files;
use crate::data::{ColumnArgs, ReadArgs, name_of, problem};
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::method::MethodArgs;
use crate::output::{Output, note, print_notes};
use crate::progress::Progress;
use clap::Args;
use linsep::learner::{Fit, Learner, PathPoint, path};
use linsep::memory::check_learner;
use linsep::model_file::{ModelFile, check_header_size};
use linsep::recipe::DroppedColumn;
use linsep::solvers::Candidate;
use linsep::validate::hold_out;
use linsep::{Hyperplane, Label, Observer, Problem};
use linsep::{Input, Recipe, SampleWeights, TrainingData, TrainingSettings, check_data};
use model::{default_path, model_file};
use post_processing::{PostProcessingArgs, Setup};
use report::Report;
use serde_json::{Value, json};
use start::{refuse_early_end, starts};
use std::path::PathBuf;
use std::time::Instant;

#[derive(Args)]
pub struct FitArgs {
    /// Data files, read as one data set; - is stdin
    #[arg(required = true)]
    data: Vec<PathBuf>,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    method: MethodArgs,

    /// List the solvers with their estimated costs
    #[arg(long, help_heading = "Optimization", hide_short_help = true)]
    explain_solver: bool,

    /// List the multiclass schemes and their sizes
    #[arg(long = "explain-multiclass", help_heading = "Multiclass", hide_short_help = true)]
    explain_multiclass: bool,

    /// Positive class of two classes [default: the second]
    #[arg(long, value_name = "CLASS", help_heading = "Multiclass", hide_short_help = true)]
    positive: Option<String>,

    /// Fit a regularization path of N values of λ, down to the given one [default: 20]
    #[arg(long, help_heading = "Validation and tuning", hide_short_help = true, value_name = "N", conflicts_with_all = ["positive", "start"], num_args = 0..=1, default_missing_value = "20", value_parser = clap::value_parser!(u16).range(2..))]
    path: Option<u16>,

    /// Evaluate on this test file
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "holdout",
        help_heading = "Validation and tuning"
    )]
    test: Option<PathBuf>,

    /// Hold out this share of each class for evaluation
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Validation and tuning")]
    holdout: Option<f64>,

    #[command(flatten)]
    post_processing: PostProcessingArgs,

    #[command(flatten)]
    infer: infer::InferArgs,

    /// Model file to write [default: DATA.linsep]
    #[arg(short, long, value_name = "MODEL", help_heading = "Output")]
    output: Option<PathBuf>,

    /// HTML report to write
    #[arg(long, value_name = "FILE", value_parser = page::path, help_heading = "Output")]
    report: Option<PathBuf>,

    /// Stop training after this many seconds
    #[arg(long_help = "Stop training after this many seconds and keep the best hyperplanes so far; reading is not counted, and the certificate may take 10 % more (at least 0.5 s)", long, value_name = "SECONDS", value_parser = super::seconds, help_heading = "Limits", hide_short_help = true)]
    timeout: Option<f64>,
}

impl FitArgs {
    /// Files that the command reads and writes.
    pub fn files(&self) -> Files<'_> {
        Files::default()
            .reads(&self.data)
            .reads(&self.test)
            .reads(self.columns.weights_file())
            .writes("output", Some(self.to()), ModelFile::KIND)
            .writes("report", self.report.clone(), page::KIND)
    }

    /// Path of the model file.
    fn to(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| default_path(&self.data[0]))
    }

    /// Time limit in seconds of each analysis beside training: separation, existence, margins.
    fn side_limit(&self) -> Option<f64> {
        self.timeout.map(|seconds| seconds / 4.0)
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("expected a number between 0 and 1".to_owned()),
    }
}

pub fn run(args: &FitArgs, out: &Output) -> Result<(), Failure> {
    // 1. Check the settings before any file is touched.
    let inference = args.infer.settings(&args.method)?;
    let mut learner = args.method.learner(args.post_processing.tune.is_some())?;
    let weigh = args.method.class_weights()?;
    let (name, processing) = (&name_of(&args.data), &args.post_processing);
    let (positive_name, limit) = (args.positive.as_deref(), args.side_limit());

    // 2. Read.
    let clock = Instant::now();
    let (mut input, settings, aside) = read_data(args, out)?;
    let training_rows = || EvaluationRows { input: input.clone(), numbers: None, weights: None };
    let rows = args.report.is_some().then(|| aside.clone().unwrap_or_else(training_rows));
    let folded = processing.folded(&input, &settings, args.method.seed())?;
    let dropped = folded.as_ref().map_or_else(Vec::new, |folded| folded.taken.clone());
    dropped.iter().for_each(|column| input.drop_column(&column.name));
    let separated = match &inference {
        None => separation::of(learner.as_ref(), &input, &settings, positive_name, limit)?,
        Some(_) => None,
    };
    let needs_raw = |own| existence::needs_raw_data(own, &input);
    let mut raw = inference.as_ref().is_some_and(needs_raw).then(|| input.clone());
    let check = || check_data(input.clone(), &settings, None, &mut ());
    let checked = args.report.is_some().then(check).transpose()?;
    let mut training = encode(input, &settings, dropped)?;
    check_header_size(name, &training.recipe, training.labels.classes(), inference.is_some())?;
    let read = clock.elapsed().as_secs_f64();
    let prepare = |own| args.infer.prepare(own, &mut training, positive_name, name);
    let inference = inference.map(prepare).transpose()?;
    let weights = training.weights.take();
    let mut problem = problem(&training, weights, name)?;
    weigh.apply(&mut problem)?;
    check_learner(out.memory, name, learner.as_ref(), &problem)?;

    // 3. Select λ by cross-validation, with --tune.
    let clock = Instant::now();
    let positive = positive_name.map(Label::parse);
    let setup = Setup { positive: positive.as_ref(), weigh: &weigh, out };
    let mut progress = Progress::new("training", args.timeout);
    let folded = folded.as_ref();
    let tuned = processing.tuned(learner.as_ref(), &problem, folded, &setup, &progress)?;
    let tuning = tuned.map(|(reduced, tuning)| {
        learner = Box::new(reduced);
        tuning
    });
    let learner: &dyn Learner = inference.as_ref().map_or(learner.as_ref(), |own| &own.learner);

    // 4. Train.
    let start = starts(args, learner, &training)?;
    let candidates = candidates(args, learner, &problem)?;
    let options = HyperplaneOptions { positive: positive.as_ref(), start: start.as_deref(), name };
    let mut part = processing.training(&mut progress, folded, out)?;
    let (fit, points) = train(args, learner, &problem, &options, &mut part)?;
    refuse_early_end(&fit, start.as_deref(), name, out)?;
    let (mut fit, processed) =
        processing.post_processed(fit, learner, &problem, folded, &setup, progress)?;
    if let Some(separated) = &separated {
        separated.correct(&mut fit);
    }
    if let Some(inference) = &inference {
        inference.require_estimates(&fit, &mut raw, &settings, args.timeout)?;
    }
    if let Some(standardize) = training.recipe.standardize() {
        fit = fit.in_raw_units(&problem, &standardize)?;
    }
    let trained = clock.elapsed().as_secs_f64();

    // 5. Save.
    let to = args.to();
    let mut model_file = model_file(&fit, learner, (&training, &problem), inference.as_ref())?;
    model_file.header.training.tuning =
        tuning.or_else(|| post_processing::leave_one_out_curve(&fit, training.x.n()));
    model_file.header.training.trust = processed;
    model_file.save(&to)?;

    // 6. Evaluate on rows that were not trained on.
    let evaluation = evaluate(args, &model_file, aside.as_ref(), out)?;

    // 7. Report.
    let positive_class = inference.as_ref().and_then(|own| own.positive);
    let existence =
        raw.map(|raw| existence::of(raw, &settings, positive_class, limit)).transpose()?.flatten();
    let report = Report {
        separated: separated.as_ref(),
        existence: existence.as_ref(),
        bounds: &bounds::of(learner, &problem, start.is_some(), positive_name, &fit, limit)?,
        fit: &fit,
        model_file: &model_file,
        learner,
        training: &training,
        problem: &problem,
        path: &to,
        candidates: &candidates,
        explain_solver: args.explain_solver,
        points: &points,
        explain_multiclass: args.explain_multiclass,
        scheme: args.method.multiclass(),
        verbose: out.verbose,
    };
    note_majority(&report, evaluation.as_ref());
    let checked = checked.as_ref();
    page::ReportPage { args, rows, checked, evaluation: evaluation.as_ref(), name, out }
        .write(&report)?;
    let json = || {
        let mut json = report.json();
        json["seconds"] = json!({ "read": read, "fit": trained });
        json["threads"] = json!(out.threads);
        json["seed"] = json!(args.method.seed());
        json["report"] = json!(args.report);
        json["test"] = evaluation.as_ref().map_or(Value::Null, |(_, e)| e.json());
        json
    };
    out.result(json, || report.text(name, evaluation.as_ref()))
}

/// Notes an accuracy below that of predicting the largest class for every row.
fn note_majority(report: &Report<'_>, evaluation: Option<&(String, Evaluation<'_>)>) {
    if let Some(warning) = report.below_majority() {
        note(&format!("training {warning}"));
    }
    let tested = evaluation.and_then(|(name, own)| Some((name, own.below_majority()?)));
    if let Some((name, warning)) = tested {
        note(&format!("{name}: {warning}"));
    }
}

/// Training rows and their settings, and the rows held out by `--holdout`.
fn read_data(
    args: &FitArgs,
    out: &Output,
) -> Result<(Input, TrainingSettings, Option<EvaluationRows>), Failure> {
    let settings = args.columns.settings(out);
    let input = args.columns.read(&args.data, &args.reading, out)?;
    let Some(share) = args.holdout else { return Ok((input, settings, None)) };
    let (rest, aside) = hold_out(&input, share, args.method.seed(), &settings)?;
    let weights = match settings.of_rows(&input, &aside)?.weights {
        Some(SampleWeights::Rows(weights)) => Some(weights),
        _ => None,
    };
    let held_out =
        EvaluationRows { input: input.select_rows(&aside), numbers: Some(aside), weights };
    Ok((input.select_rows(&rest), settings.of_rows(&input, &rest)?, Some(held_out)))
}

/// Design matrix and labels of the training rows, without the columns that define folds.
fn encode(
    input: Input,
    settings: &TrainingSettings,
    dropped: Vec<DroppedColumn>,
) -> Result<TrainingData, Failure> {
    let mut training = TrainingData::new(input, settings)?;
    if let Recipe::Table(recipe) = &mut training.recipe {
        recipe.left_out.extend(dropped);
    }
    print_notes(&training.notes);
    Ok(training)
}

/// The evaluation on the test file or on held-out rows.
fn evaluate<'b>(
    args: &FitArgs,
    model_file: &'b ModelFile,
    aside: Option<&EvaluationRows>,
    out: &Output,
) -> Result<Option<(String, Evaluation<'b>)>, Failure> {
    let scoring = args.columns.scoring();
    let worst = if args.report.is_some() { page::SHOWN } else { 0 };
    Ok(match (&args.test, aside) {
        (Some(test), _) => {
            let test_data = (std::slice::from_ref(test), worst);
            let (evaluation, notes) =
                scoring.evaluate_keeping(model_file, test_data, &args.reading, out)?;
            print_notes(&notes);
            Some((test.display().to_string(), evaluation))
        }
        (None, Some(aside)) => Some((
            "held-out rows".to_owned(),
            scoring.evaluate_rows(model_file, (aside, worst), out)?,
        )),
        (None, None) => None,
    })
}

/// Options of the hyperplanes beside the method.
struct HyperplaneOptions<'a> {
    positive: Option<&'a Label>,
    start: Option<&'a [Hyperplane]>,
    name: &'a str,
}

/// The fit, and the points of a regularization path with `--path`.
fn train(
    args: &FitArgs,
    learner: &dyn Learner,
    problem: &Problem<'_>,
    options: &HyperplaneOptions<'_>,
    observer: &mut dyn Observer,
) -> Result<(Fit, Vec<PathPoint>), Failure> {
    let (k, name) = (problem.labels().k(), options.name);
    let solver = learner.as_reduced().map(|reduced| reduced.solver.as_ref());
    let mut points = Vec::new();
    let fit = match options.positive {
        _ if args.path.is_some() => {
            let Some(convex) = solver.and_then(|solver| solver.as_convex()) else {
                let method = learner.name();
                return Err(Failure::Usage(format!(
                    "--path requires a method with a penalty (logistic, svm, convex), not {method}"
                )));
            };
            args.method.one_vs_rest_only("--path")?;
            points = path(problem, convex, usize::from(args.path.unwrap_or(2)), observer)?;
            points.last().map(|point| point.fit.clone()).expect("a path has at least two points")
        }
        Some(_) if k > 2 => {
            return Err(Failure::Usage(format!(
                "{name}: --positive requires two classes, found {k}"
            )));
        }
        class => {
            let positive = class.map(|class| problem.class(class));
            learner.learn(problem, options.start, positive.transpose()?, observer)?
        }
    };
    Ok((fit, points))
}

/// The solvers with their costs, for `--explain-solver` and a method that has a choice.
fn candidates(
    args: &FitArgs,
    learner: &dyn Learner,
    problem: &Problem<'_>,
) -> Result<Vec<Candidate>, Failure> {
    let Some(reduced) = learner.as_reduced().filter(|_| args.explain_solver) else {
        return Ok(Vec::new());
    };
    let k = problem.labels().k();
    let joint = k > 2 && args.path.is_none() && reduced.scheme_for(problem).ways().is_some();
    if joint {
        return Ok(Vec::new());
    }
    Ok(reduced.solver.candidates(&problem.against_rest(k - 1))?)
}
