//! Rows of two features as points, with the decision boundaries of several methods.

use super::parts::{axes, in_raw_units, rows, thinned, window};
use super::{Files, Target};
use crate::data::{ColumnArgs, ReadArgs, name_of, problem};
use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::options::Options;
use linsep::{Labels, LinearModel, learner};
use linsep_plot::{Chart, Mark, SeriesStyle};
use std::path::PathBuf;

#[derive(Args)]
pub struct BoundariesArgs {
    /// Data files with two features and the target
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Methods, with default settings [default: logistic and least-squares]
    #[arg(long, value_name = "METHOD,…", value_delimiter = ',', value_parser = crate::method::methods(), help_heading = "Method")]
    method: Vec<String>,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

impl BoundariesArgs {
    /// Returns the files read and written.
    pub(super) fn files(&self) -> Files<'_> {
        self.target.files("boundaries").reads(&self.data).reads(self.columns.weights_file())
    }
}

pub fn run(args: &BoundariesArgs, out: &Output) -> Result<(), Failure> {
    // 1. Two features.
    let name = name_of(&args.data);
    let mut training = args.columns.training(&args.data, &args.reading, out)?;
    let columns = training.recipe.features();
    let [x, y] = &columns[..] else {
        return Err(Failure::Refused(format!(
            "{name}: plot boundaries requires 2 features, found {}. Choose two with --columns.",
            columns.len()
        )));
    };
    let weights = training.weights.take();
    let problem = problem(&training, weights, &name)?;

    // 2. A model per method, in raw units.
    let default = ["logistic", "least-squares"].map(str::to_owned);
    let methods = if args.method.is_empty() { &default[..] } else { &args.method };
    let mut models = Vec::new();
    for method in methods {
        let learner = learner::by_name(method, &Options::default())?;
        let fit = learner.learn(&problem, None, None, &mut ())?;
        models.push((method.as_str(), training.recipe.to_raw_units(&fit.model)?));
    }

    // 3. The plot.
    let points = in_raw_units(&training);
    args.target.write("boundaries", &chart((x, y), &points, &training.labels, &models), out)
}

/// Returns the points by class with the boundaries on top.
fn chart(
    (x, y): (&str, &str),
    points: &[(f64, f64)],
    labels: &Labels,
    models: &[(&str, LinearModel)],
) -> Chart {
    let window = window(points);
    let (across, up) = axes((x, y), &window);
    let subtitle = format!("Decision boundary of each method{}", thinned(points.len()));
    let chart = Chart::new("Decision boundaries", across, up).subtitle(&subtitle).describe(
        "Rows as points, one marker per class, and the decision boundary of each method.",
    );
    let mut chart = rows(chart, points, labels);
    for (m, (name, model)) in models.iter().enumerate() {
        let [low, high] = [window.low, window.high].map(|[x, y]| (x, y));
        let pieces = model.boundaries(low, high);
        chart = chart.named(name, Mark::Segments(pieces), SeriesStyle::nth(labels.k() + m));
    }
    chart
}
