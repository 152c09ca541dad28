//! The rows of two columns as points, and where methods draw the line between classes.

use super::parts::{axes, in_units, rows, thinned, window};
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
    /// The data: two columns of numbers and the classes
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Methods, in their plain form [default: logistic and least-squares]
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
    /// What it reads and writes.
    pub(super) fn files(&self) -> Files<'_> {
        self.target.files("boundaries").reads(&self.data).reads(self.columns.weights_file())
    }
}

pub fn run(args: &BoundariesArgs, out: &Output) -> Result<(), Failure> {
    // 1. Two columns.
    let name = name_of(&args.data);
    let mut training = args.columns.training(&args.data, &args.reading, out)?;
    let columns = training.recipe.features();
    let [x, y] = &columns[..] else {
        return Err(Failure::Refused(format!(
            "{name} has {} columns, and a picture shows two: name them with --columns",
            columns.len()
        )));
    };
    let weights = training.weights.take();
    let problem = problem(&training, weights, &name)?;

    // 2. A model per method, in the units of the data.
    let plain = ["logistic", "least-squares"].map(str::to_owned);
    let methods = if args.method.is_empty() { &plain[..] } else { &args.method };
    let mut models = Vec::new();
    for method in methods {
        let learner = learner::by_name(method, &Options::default())?;
        let fit = learner.learn(&problem, None, None, &mut ())?;
        models.push((method.as_str(), training.recipe.to_raw_units(&fit.model)?));
    }

    // 3. The picture.
    let points = in_units(&training);
    args.target.write("boundaries", &chart((x, y), &points, &training.labels, &models), out)
}

/// Points by class, and the boundaries on top.
fn chart(
    (x, y): (&str, &str),
    points: &[(f64, f64)],
    labels: &Labels,
    models: &[(&str, LinearModel)],
) -> Chart {
    let window = window(points);
    let (across, up) = axes((x, y), &window);
    let subtitle = format!("Where the decision changes, method by method{}", thinned(points.len()));
    let chart = Chart::new("Decision boundaries", across, up).subtitle(&subtitle).describe(
        "Rows as points, one marker per class, and a line per method where its decision changes.",
    );
    let mut chart = rows(chart, points, labels);
    for (m, (name, model)) in models.iter().enumerate() {
        let [low, high] = [window.low, window.high].map(|[x, y]| (x, y));
        let pieces = model.boundaries(low, high);
        chart = chart.named(name, Mark::Segments(pieces), SeriesStyle::nth(labels.k() + m));
    }
    chart
}
