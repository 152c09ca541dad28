//! The rows of two columns as points, and where methods draw the line between classes.

use super::Target;
use crate::data::{ColumnArgs, ReadArgs, name_of};
use crate::failure::Failure;
use crate::output::{Output, note};
use clap::Args;
use linsep::options::Options;
use linsep::{Label, Labels, LinearModel, Problem, learner};
use linsep_io::{Place, Training};
use linsep_plot::{Axis, Chart, Look, Mark};
use std::path::PathBuf;

#[derive(Args)]
pub struct BoundariesArgs {
    /// The data: two columns of numbers and the classes
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// A method, in its plain form; may be given several times [default: logistic and least-squares]
    #[arg(long, value_name = "METHOD", value_parser = crate::method::methods())]
    method: Vec<String>,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

pub fn run(args: &BoundariesArgs, out: &Output) -> Result<(), Failure> {
    // 1. Two columns.
    let name = name_of(&args.data);
    let input = args.columns.read(&args.data, &args.reading, out)?;
    let mut training = Training::new(input, &args.columns.settings())?;
    training.notes.iter().for_each(|text| note(text));
    let columns = training.recipe.features();
    let [x, y] = &columns[..] else {
        return Err(Failure::Refused(format!(
            "{name} has {} columns, and a picture shows two: leave others out with --drop",
            columns.len()
        )));
    };
    let weights = training.weights.take();
    let problem = Problem::new(&training.x, &training.labels, weights)
        .map_err(|source| linsep_io::Error::Core { place: Box::new(Place::file(&name)), source })?;

    // 2. A model per method, in the units of the data.
    let plain = ["logistic", "least-squares"].map(str::to_owned);
    let methods = if args.method.is_empty() { &plain[..] } else { &args.method };
    let mut models = Vec::new();
    for method in methods {
        let learner = learner::by_name(method, &Options::default())?;
        let fit = learner.learn(&problem, None, None, &mut ())?;
        models.push((method.as_str(), training.recipe.fold(&fit.model)?));
    }

    // 3. The picture.
    let unscale = |i: usize| {
        let row = training.x.row(i);
        let row = training.recipe.standardise().map_or(row.clone(), |by| by.unscale(&row));
        (row[0], row[1])
    };
    let points: Vec<(f64, f64)> = (0..training.x.n()).map(unscale).collect();
    args.target.write("boundaries", &chart((x, y), &points, &training.labels, &models), out)
}

/// Points by class, and the boundaries on top.
fn chart(
    (x, y): (&str, &str),
    points: &[(f64, f64)],
    labels: &Labels,
    models: &[(&str, LinearModel)],
) -> Chart {
    let range = |of: fn(&(f64, f64)) -> f64| {
        let (low, high) = points
            .iter()
            .map(of)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        let air = if high > low { (high - low) * 0.08 } else { 1.0 };
        (low - air, high + air)
    };
    let (across, up) = (range(|p| p.0), range(|p| p.1));
    let mut chart = Chart::new(
        "Decision boundaries",
        Axis::new(x).range(across.0, across.1),
        Axis::new(y).range(up.0, up.1),
    )
    .describe(
        "Rows as points, one marker per class, and a line per method where its decision changes.",
    );
    let k = labels.k();
    let classes: Vec<String> = labels.classes().iter().map(Label::to_string).collect();
    for (c, class) in classes.iter().enumerate() {
        let own = points.iter().zip(labels.codes()).filter(|(_, code)| **code as usize == c);
        chart = chart.named(class, Mark::Points(own.map(|(p, _)| *p).collect()), Look::nth(c));
    }
    for (m, (name, model)) in models.iter().enumerate() {
        let pieces = model.boundaries((across.0, up.0), (across.1, up.1));
        chart = chart.named(name, Mark::Segments(pieces), Look::nth(k + m));
    }
    chart
}
