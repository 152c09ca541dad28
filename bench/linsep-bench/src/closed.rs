//! `linsep-bench closed`: from a matrix with classes to coefficients, by a closed form; or the Gram
//! matrix alone, the necessary part of the work.
//!
//! The matrix is a folder of numpy arrays and is loaded before timing starts.

use crate::fit;
use crate::process::{self, Meter, Usage};
use clap::Args;
use linsep::core::data::Moments;
use linsep::core::learner::{Gaussian, Learner, LeastSquares};
use linsep::core::{Design, Labels, Problem};
use serde::Serialize;
use std::path::PathBuf;

/// Computation to measure
#[derive(Args)]
pub(crate) struct ClosedArgs {
    /// Folder with the arrays
    #[arg(long)]
    matrix: PathBuf,
    /// gaussian, least-squares, or gram for the Gram matrix alone
    #[arg(long)]
    method: String,
    /// Ridge penalty λ of least squares
    #[arg(long, default_value_t = 0.0)]
    lambda: f64,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Output file of the coefficients: d + 1 little-endian doubles per hyperplane, the intercept
    /// last
    #[arg(long)]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    usage: Usage,
    matrix_bytes: usize,
}

pub(crate) fn run(args: &ClosedArgs) -> Result<String, String> {
    let (x, labels) = fit::load(&args.matrix)?;
    let pool = process::pool(args.threads)?;
    process::reset_peak();
    let meter = Meter::start();
    let numbers = pool.install(|| compute(args, &x, &labels))?;
    let line = Line { usage: meter.stop(args.threads), matrix_bytes: x.bytes() };
    if let Some(path) = &args.out {
        process::write(path, numbers.into_iter())?;
    }
    serde_json::to_string(&line).map_err(|e| e.to_string())
}

/// Returns the hyperplanes, one after another. If moments suffice, training ends with the
/// coefficients, as in the other contenders; no row is scored.
fn compute(args: &ClosedArgs, x: &Design, labels: &Labels) -> Result<Vec<f64>, String> {
    const MOST_COLUMNS: usize = 5_000;
    if args.method == "gram" {
        return Ok(x.gram(&vec![1.0; x.n()]));
    }
    let text = |e: linsep::core::Error| e.to_string();
    let problem = Problem::new(x, labels, None).map_err(text)?;
    let least_squares = LeastSquares { lambda: args.lambda, loo: false };
    let moments = || Moments::of(&problem).map_err(text);
    let hyperplanes = match args.method.as_str() {
        "gaussian" => {
            let moments = moments()?;
            let total = moments.total_weight();
            let priors: Vec<f64> = moments.weights().iter().map(|n| n / total).collect();
            Gaussian::default().hyperplanes_of(&moments, &priors, |_| 0.0).map_err(text)?
        }
        "least-squares" if x.d() <= MOST_COLUMNS => {
            least_squares.hyperplanes_of(&moments()?).map_err(text)?
        }
        "least-squares" => {
            let fit = least_squares.learn(&problem, None, None, &mut ()).map_err(text)?;
            fit.model.hyperplanes().to_vec()
        }
        other => return Err(format!("method: unknown {other}")),
    };
    Ok(hyperplanes
        .into_iter()
        .flat_map(|hyperplane| hyperplane.w.into_iter().chain([hyperplane.b]))
        .collect())
}
