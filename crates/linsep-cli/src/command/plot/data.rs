//! Rows of a data set as points, with the decision boundary and the margins of a method.
//!
//! Two features are drawn in raw units. More features are projected onto two directions
//! ([`view`]), and the method is trained on these two coordinates. The plot shows the boundary of
//! this model, not a projection of a boundary in more dimensions.
//!
//! For two classes, margins are drawn beside the boundary. If the boundary separates all rows, they
//! are the parallels through the nearest row of either class, else the lines of scores −1 and 1.

use super::parts::{Points, axes, in_raw_units, no_model, rows, thinned, window};
use super::{Fact, Files, Target};
use linsep_report::certificate::suboptimality;
use crate::data::{ColumnArgs, ReadArgs, name_of, problem};
use crate::failure::Failure;
use crate::method::MethodArgs;
use crate::output::Output;
use clap::Args;
use linsep::TrainingData;
use linsep::learner::{FitResult, Learner, view};
use linsep::model::Window;
use linsep::model_file::CertificateRecord;
use linsep::{Design, Labels, LinearModel, Problem};
use linsep_plot::{Chart, Mark, SeriesStyle};
use linsep_report::number::{number, percent};
use serde_json::json;
use std::path::PathBuf;

#[derive(Args)]
pub struct DataArgs {
    /// Data files, read as one data set
    #[arg(required = true)]
    data: Vec<PathBuf>,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    method: MethodArgs,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

impl DataArgs {
    /// Returns the files read and written.
    pub(super) fn files(&self) -> Files<'_> {
        self.target.files("data").reads(&self.data).reads(self.columns.weights_file())
    }
}

/// Rows in two coordinates and the model trained on them.
struct Scatter {
    points: Points,
    names: [String; 2],
    model: LinearModel,
    fit: FitResult,
    /// Whether the axes are directions, not features.
    projected: bool,
}

pub fn run(args: &DataArgs, out: &Output) -> Result<(), Failure> {
    no_model("data", &args.data)?;
    let learner = args.method.learner(false)?;
    let name = name_of(&args.data);
    let mut training = args.columns.training(&args.data, &args.reading, out)?;
    let weights = training.weights.take();
    let mut problem = problem(&training, weights, &name)?;
    args.method.class_weights()?.apply(&mut problem)?;
    let scatter = match training.x.d() {
        1 => {
            return Err(Failure::Refused(format!(
                "{name}: plot data requires at least 2 features, found 1. Use plot projection."
            )));
        }
        2 => features(&training, &problem, learner.as_ref())?,
        _ => projections(&training, &problem, learner.as_ref())?,
    };
    let window = window(&scatter.points);
    let margins = Margins::of(&scatter, &training.labels);
    let chart = chart(&scatter, &training.labels, learner.name(), &window, margins.as_ref());
    let accuracy = scatter.fit.accuracy;
    let fact =
        Fact { key: "right", label: "accuracy", value: json!(accuracy), text: percent(accuracy) };
    args.target.write_with("data", &chart, &[fact], out)
}

/// Returns two features in raw units.
fn features(
    training: &TrainingData,
    problem: &Problem<'_>,
    learner: &dyn Learner,
) -> Result<Scatter, Failure> {
    let fit = learner.learn(problem, None, None, &mut ())?;
    let features = training.recipe.features();
    Ok(Scatter {
        points: in_raw_units(training),
        names: [features[0].clone(), features[1].clone()],
        model: training.recipe.to_raw_units(&fit.model)?,
        fit,
        projected: false,
    })
}

/// Returns more features projected onto two directions.
fn projections(
    training: &TrainingData,
    problem: &Problem<'_>,
    learner: &dyn Learner,
) -> Result<Scatter, Failure> {
    let [across, up] = view(problem)?.map(|direction| direction.scores(&training.x));
    let points: Points = across.into_iter().zip(up).collect();
    let values = points.iter().flat_map(|(x, y)| [*x, *y]).collect();
    let flat = Design::dense(points.len(), 2, values)?;
    let flat = Problem::new(&flat, &training.labels, Some(problem.weights().to_vec()))?;
    let fit = learner.learn(&flat, None, None, &mut ())?;
    let second = if training.labels.k() > 2 {
        "Fisher's second direction"
    } else {
        "direction of largest within-class variance"
    };
    Ok(Scatter {
        points,
        names: ["Fisher's direction".to_owned(), second.to_owned()],
        model: fit.model.clone(),
        fit,
        projected: true,
    })
}

/// Parallels to the boundary of two classes, by their scores.
struct Margins {
    scores: [f64; 2],
    label: String,
}

impl Margins {
    fn of(scatter: &Scatter, labels: &Labels) -> Option<Self> {
        let [hyperplane] = scatter.model.hyperplanes() else { return None };
        let z = |p: &(f64, f64)| hyperplane.at(&[p.0, p.1]);
        // The nearest row of either class, if all rows are on the correct side.
        let positive = usize::from(scatter.model.classes()[1] == labels.classes()[1]) as u32;
        let rows = || scatter.points.iter().zip(labels.codes());
        let above = rows().filter(|(_, c)| **c == positive).map(|(p, _)| z(p));
        let below = rows().filter(|(_, c)| **c != positive).map(|(p, _)| z(p));
        let (low, high) =
            (below.fold(f64::NEG_INFINITY, f64::max), above.fold(f64::INFINITY, f64::min));
        let length = hyperplane.w.iter().fold(0.0, |sum: f64, w| sum.hypot(*w));
        if low < high && low <= 0.0 && high >= 0.0 && length > 0.0 {
            let width = number((high - low) / length);
            return Some(Self { scores: [low, high], label: format!("margins, {width} apart") });
        }
        Some(Self { scores: [-1.0, 1.0], label: "scores −1 and 1".to_owned() })
    }
}

fn chart(
    scatter: &Scatter,
    labels: &Labels,
    method: &str,
    window: &Window,
    margins: Option<&Margins>,
) -> Chart {
    let (x, y) = axes((&scatter.names[0], &scatter.names[1]), window);
    let space = if scatter.projected { " in this projection" } else { "" };
    let certificates = scatter.fit.certificates();
    let records = certificates.iter().map(|(own, solver)| CertificateRecord::new(own, solver));
    let certified = suboptimality(&records.collect::<Vec<_>>());
    let subtitle = format!(
        "Boundary of {method}{space}; accuracy {}{}{}",
        percent(scatter.fit.accuracy),
        certified.map_or_else(String::new, |certified| format!("; {certified}")),
        thinned(scatter.points.len())
    );
    let (low, high) = ((window.low[0], window.low[1]), (window.high[0], window.high[1]));
    let mut chart = Chart::new("Rows and boundary", x, y)
        .subtitle(&subtitle)
        .describe("Rows as points, one marker per class, and the decision boundary.");
    chart = rows(chart, &scatter.points, labels);
    let boundary = Mark::Segments(scatter.model.boundaries(low, high));
    chart =
        chart.named("boundary", boundary, SeriesStyle { width: 2.0, ..SeriesStyle::reference() });
    if let (Some(margins), [hyperplane]) = (margins, scatter.model.hyperplanes()) {
        let at = |score: f64| {
            let mut hyperplane = hyperplane.clone();
            hyperplane.b -= score;
            let model = scatter.model.map_hyperplanes(|_| hyperplane.clone());
            model.map_or_else(|_| Vec::new(), |model| model.boundaries(low, high))
        };
        let lines = margins.scores.iter().flat_map(|score| at(*score)).collect();
        chart = chart.named(
            &margins.label,
            Mark::Segments(lines),
            SeriesStyle::reference().dashed(&[5.0, 4.0]),
        );
    }
    chart
}
