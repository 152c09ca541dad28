//! `linsep-bench fit`: from a matrix to coefficients.
//!
//! The matrix is a folder of numpy arrays and is loaded before timing starts.

use crate::npy::{self, Array};
use crate::process::{self, Meter, Usage};
use clap::Args;
use linsep::core::binary::{
    BinaryFit, BinaryLearner, Perceptron, RegularizationStrength, RegularizedErm,
};
use linsep::core::certify::OptimalityGap;
use linsep::core::control::{Epoch, Observer};
use linsep::core::data::{Csr, Dense};
use linsep::core::model::DecisionRule;
use linsep::core::multiclass::{self, CrammerSinger};
use linsep::core::objective::Objective;
use linsep::core::options::{Loss, Penalty, Solver};
use linsep::core::reduce::reduce;
use linsep::core::solvers::{self, StoppingCriteria};
use linsep::core::{Budget, Design, Hyperplane, Labels, Problem};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Fit to measure
#[derive(Args)]
pub(crate) struct FitArgs {
    /// Folder with the arrays
    #[arg(long)]
    matrix: PathBuf,
    /// Loss; perceptron runs the online perceptron, softmax and crammer-singer train all classes
    /// jointly, one-vs-rest-LOSS each class against the rest
    #[arg(long)]
    loss: String,
    /// Penalty
    #[arg(long, default_value = "l2")]
    penalty: String,
    /// Regularization strength λ
    #[arg(long, default_value_t = 0.0)]
    lambda: f64,
    /// Share of l1 in the elastic net
    #[arg(long, default_value_t = 0.5)]
    l1_ratio: f64,
    /// Optimization algorithm
    #[arg(long, default_value = "auto")]
    solver: String,
    /// Tolerance of the relative duality gap
    #[arg(long, default_value_t = 1e-4)]
    tol: f64,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Fit without an intercept
    #[arg(long)]
    no_intercept: bool,
    /// Iteration limit
    #[arg(long = "max-iter")]
    epochs: Option<u64>,
    /// Output file of the coefficients: d + 1 little-endian doubles per hyperplane, the intercept
    /// last
    #[arg(long)]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    usage: Usage,
    judging_seconds: f64,
    numbering_seconds: f64,
    solver: String,
    stop: &'static str,
    epochs: u64,
    primal: Option<f64>,
    dual: Option<f64>,
    gap: Option<f64>,
    matrix_bytes: usize,
}

/// Observer that records the end of the perceptron's last epoch. Peers return at that time; linsep
/// continues, and counts the misclassified rows.
struct LastPass(Instant);

impl Observer for LastPass {
    fn epoch(&mut self, _now: &Epoch) -> bool {
        self.0 = Instant::now();
        true
    }
}

struct FitResult {
    hyperplanes: Vec<Hyperplane>,
    solver: String,
    stop: linsep::core::StopReason,
    epochs: u64,
    certificate: Option<OptimalityGap>,
    /// Time after the fit itself, not part of the measurement.
    evaluation: Duration,
}

pub(crate) fn run(args: &FitArgs) -> Result<String, String> {
    let (x, labels) = load(&args.matrix)?;
    let pool = process::pool(args.threads)?;
    let clock = Instant::now();
    let x = pool.install(|| x.by_frequency());
    let numbering_seconds = clock.elapsed().as_secs_f64();
    process::reset_peak();
    let meter = Meter::start();
    let found = pool.install(|| fit(args, &x, &labels))?;
    let mut usage = meter.stop(args.threads);
    let judging_seconds = found.evaluation.as_secs_f64();
    usage.seconds -= judging_seconds;
    if let Some(path) = &args.out {
        let bias = |hyperplane: &Hyperplane| (!args.no_intercept).then_some(hyperplane.b);
        let numbers = found
            .hyperplanes
            .iter()
            .flat_map(|hyperplane| hyperplane.w.iter().copied().chain(bias(hyperplane)));
        process::write(path, numbers)?;
    }
    let line = Line {
        usage,
        judging_seconds,
        numbering_seconds,
        solver: found.solver,
        stop: found.stop.name(),
        epochs: found.epochs,
        primal: found.certificate.map(|c| c.primal),
        dual: found.certificate.and_then(|c| c.dual).map(|d| d.value),
        gap: found.certificate.and_then(|c| c.dual).map(|d| d.gap),
        matrix_bytes: x.bytes(),
    };
    serde_json::to_string(&line).map_err(|e| e.to_string())
}

/// Fits with the columns in storage order, and returns coefficients in the given order.
fn fit(args: &FitArgs, x: &Design, labels: &Labels) -> Result<FitResult, String> {
    let Some((x, numbering)) = x.in_storage_order() else { return minimum(args, x, labels) };
    let found = minimum(args, &x, labels)?;
    let hyperplanes =
        found.hyperplanes.iter().map(|hyperplane| numbering.to_given(hyperplane)).collect();
    Ok(FitResult { hyperplanes, ..found })
}

fn minimum(args: &FitArgs, x: &Design, labels: &Labels) -> Result<FitResult, String> {
    let text = |e: linsep::core::Error| e.to_string();
    let problem = Problem::new(x, labels, None).map_err(text)?;
    let binary = problem.against_rest(1);
    let start = Hyperplane::zero(x.d());
    if args.loss == "perceptron" {
        let mut rule = Perceptron { intercept: !args.no_intercept, ..Perceptron::default() };
        rule.budget = args.epochs.map_or(rule.budget, Budget::epochs);
        let mut last = LastPass(Instant::now());
        let found = rule.fit(&binary, start, &mut last).map_err(text)?;
        return Ok(FitResult {
            hyperplanes: vec![found.hyperplane],
            solver: "perceptron".to_owned(),
            stop: found.stop,
            epochs: found.epochs,
            certificate: None,
            evaluation: last.0.elapsed(),
        });
    }
    let goal =
        StoppingCriteria { tol: args.tol, budget: Budget::epochs(args.epochs.unwrap_or(100_000)) };
    let strength = RegularizationStrength::Lambda(args.lambda);
    let solver: Solver = args.solver.parse().map_err(text)?;
    let intercept = !args.no_intercept;
    let convex = RegularizedErm { strength, goal, intercept, solver, ..RegularizedErm::default() };
    if let Some(loss) = args.loss.strip_prefix("one-vs-rest-") {
        let loss = loss.parse::<Loss>().map_err(text)?.function();
        let convex = RegularizedErm { loss, ..convex };
        let runs = reduce(&problem, DecisionRule::ArgMax, &convex, None, &mut ()).map_err(text)?;
        return combine(runs).ok_or_else(|| "no hyperplanes".to_owned());
    }
    if args.loss == "softmax" || args.loss == "crammer-singer" {
        let found = if args.loss == "softmax" {
            multiclass::softmax(&convex, &problem, None, &mut ())
        } else {
            CrammerSinger::of(&convex, &problem).minimize(&problem, None, &mut ())
        };
        let found = found.map_err(text)?;
        let (stop, epochs) = (found.stop, found.epochs);
        let certificate = found.certificate.map(|own| own.gap);
        let solver = found.solver.unwrap_or_default().to_owned();
        let (hyperplanes, judging) = (found.hyperplanes, Duration::ZERO);
        return Ok(FitResult {
            hyperplanes,
            solver,
            stop,
            epochs,
            certificate,
            evaluation: judging,
        });
    }
    let loss = args.loss.parse::<Loss>().map_err(text)?.function();
    let penalty: Penalty = args.penalty.parse().map_err(text)?;
    let penalty = penalty.with(args.lambda, args.l1_ratio).map_err(text)?;
    let objective = Objective::new(&binary, loss, penalty, !args.no_intercept).map_err(text)?;
    let minimizer =
        solvers::choose(solver, &objective, &goal, &solvers::Options::default()).map_err(text)?;
    let found = minimizer.solve(&objective, start, &goal, &mut ());
    Ok(FitResult {
        hyperplanes: vec![found.hyperplane],
        solver: minimizer.name().to_owned(),
        stop: found.stop,
        epochs: found.epochs,
        certificate: Some(found.certificate),
        evaluation: Duration::ZERO,
    })
}

/// Combines binary problems: objectives and lower bounds are summed; the stop reason is the worst.
fn combine(runs: Vec<BinaryFit>) -> Option<FitResult> {
    let certificates: Option<Vec<OptimalityGap>> =
        runs.iter().map(|run| run.certificate.map(|own| own.gap)).collect();
    let certificate = certificates.and_then(|all| {
        let bound: Option<f64> = all.iter().map(|c| c.dual.map(|dual| dual.value)).sum();
        Some(OptimalityGap::with_bound(all.iter().map(|c| c.primal).sum(), bound?))
    });
    Some(FitResult {
        solver: runs.iter().find_map(|run| run.solver.clone()).unwrap_or_default().into_owned(),
        stop: runs.iter().map(|run| run.stop).max()?,
        epochs: runs.iter().map(|run| run.epochs).sum(),
        certificate,
        evaluation: Duration::ZERO,
        hyperplanes: runs.into_iter().map(|run| run.hyperplane).collect(),
    })
}

/// Loads the matrix and its labels, the numbers of y.
pub(crate) fn load(folder: &Path) -> Result<(Design, Labels), String> {
    let array = |name: &str| npy::read(&folder.join(name));
    let wrong = |name: &str| format!("{}: {name} has an unexpected number type", folder.display());
    let Array::F64(y) = array("y.npy")? else { return Err(wrong("y.npy")) };
    let n = y.len();
    let classes: Vec<String> = y.iter().map(f64::to_string).collect();
    let labels = Labels::parse(classes.iter().map(String::as_str));
    let text = |e: linsep::core::Error| e.to_string();
    if folder.join("x.npy").exists() {
        let x = match array("x.npy")? {
            Array::F64(x) => Design::DenseF64(Dense::new(n, x.len() / n, x).map_err(text)?),
            Array::F32(x) => Design::DenseF32(Dense::new(n, x.len() / n, x).map_err(text)?),
            _ => return Err(wrong("x.npy")),
        };
        return Ok((x, labels));
    }
    let Array::I64(starts) = array("indptr.npy")? else { return Err(wrong("indptr.npy")) };
    let Array::I32(indices) = array("indices.npy")? else { return Err(wrong("indices.npy")) };
    let starts: Vec<usize> = starts.into_iter().map(|i| i as usize).collect();
    let indices: Vec<u32> = indices.into_iter().map(|j| j as u32).collect();
    let meta = fs::read_to_string(folder.join("meta.json")).map_err(|e| e.to_string())?;
    let meta: serde_json::Value = serde_json::from_str(&meta).map_err(|e| e.to_string())?;
    let d = meta["d"].as_u64().ok_or_else(|| wrong("meta.json"))? as usize;
    let x = match array("data.npy")? {
        Array::F32(v) => Design::SparseF32(Csr::new(d, starts, indices, v).map_err(text)?),
        Array::F64(v) => Design::sparse(d, starts, indices, v).map_err(text)?,
        _ => return Err(wrong("data.npy")),
    };
    Ok((x, labels))
}
