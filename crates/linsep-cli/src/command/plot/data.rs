//! The rows of a data set as points, with the boundary of a method and its margins.
//!
//! Two columns are drawn as they are. More are looked at along two directions (Fisher's, and where
//! else rows differ most), and the method is applied to those two coordinates: what is drawn is its
//! boundary in the hyperplane of the picture, not a shadow of one in more dimensions.
//!
//! Of two classes, margins are drawn beside the boundary: where it separates all rows, the
//! parallels through the nearest row of either class; else the places where the score is −1 and 1.

use super::parts::{Points, axes, in_units, no_model, rows, thinned, window};
use super::{Files, Target};
use crate::data::{ColumnArgs, ReadArgs, name_of, problem};
use crate::failure::Failure;
use crate::method::MethodArgs;
use crate::output::Output;
use crate::text::{number, percent};
use clap::Args;
use linsep::learner::{Fit, Learner, view};
use linsep::model::Window;
use linsep::{Design, Labels, LinearModel, Problem};
use linsep_io::TrainingData;
use linsep_plot::{Chart, Mark, SeriesStyle};
use serde_json::json;
use std::path::PathBuf;

#[derive(Args)]
pub struct DataArgs {
    /// The data; several files of one kind are one data set
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
    /// What it reads and writes.
    pub(super) fn files(&self) -> Files<'_> {
        self.target.files("data").reads(&self.data).reads(self.columns.weights_file())
    }
}

/// What is drawn.
struct Scatter {
    points: Points,
    names: [String; 2],
    model: LinearModel,
    fit: Fit,
    /// Whether the axes are directions, not columns.
    along: bool,
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
                "{name} has one column, and a picture shows two: see plot projection"
            )));
        }
        2 => columns(&training, &problem, learner.as_ref())?,
        _ => directions(&training, &problem, learner.as_ref())?,
    };
    let window = window(&scatter.points);
    let margins = Margins::of(&scatter, &training.labels);
    let picture = chart(&scatter, &training.labels, learner.name(), &window, margins.as_ref());
    let accuracy = scatter.fit.accuracy;
    let words = format!("{} of the rows lie on their own side", percent(accuracy));
    args.target.write_with("data", &picture, &[("right", json!(accuracy), words)], out)
}

/// Two columns in their own units.
fn columns(
    training: &TrainingData,
    problem: &Problem<'_>,
    learner: &dyn Learner,
) -> Result<Scatter, Failure> {
    let fit = learner.learn(problem, None, None, &mut ())?;
    let features = training.recipe.features();
    Ok(Scatter {
        points: in_units(training),
        names: [features[0].clone(), features[1].clone()],
        model: training.recipe.to_raw_units(&fit.model)?,
        fit,
        along: false,
    })
}

/// More columns along two directions.
fn directions(
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
        "where rows of a class differ most"
    };
    Ok(Scatter {
        points,
        names: ["Fisher's direction".to_owned(), second.to_owned()],
        model: fit.model.clone(),
        fit,
        along: true,
    })
}

/// Parallels to the boundary of two classes, by the scores they lie at.
struct Margins {
    scores: [f64; 2],
    what: String,
}

impl Margins {
    fn of(scatter: &Scatter, labels: &Labels) -> Option<Self> {
        let [hyperplane] = scatter.model.hyperplanes() else { return None };
        let z = |p: &(f64, f64)| hyperplane.at(&[p.0, p.1]);
        // The nearest of either class, if all are on their own side.
        let positive = usize::from(scatter.model.classes()[1] == labels.classes()[1]) as u32;
        let rows = || scatter.points.iter().zip(labels.codes());
        let above = rows().filter(|(_, c)| **c == positive).map(|(p, _)| z(p));
        let below = rows().filter(|(_, c)| **c != positive).map(|(p, _)| z(p));
        let (low, high) =
            (below.fold(f64::NEG_INFINITY, f64::max), above.fold(f64::INFINITY, f64::min));
        let length = hyperplane.w.iter().fold(0.0, |sum: f64, w| sum.hypot(*w));
        if low < high && low <= 0.0 && high >= 0.0 && length > 0.0 {
            let wide = number((high - low) / length);
            return Some(Self { scores: [low, high], what: format!("nearest rows, {wide} apart") });
        }
        Some(Self { scores: [-1.0, 1.0], what: "score −1 and 1".to_owned() })
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
    let where_ = if scatter.along { " in the plane of the picture" } else { "" };
    let subtitle = format!(
        "Boundary of {method}{where_}; {} on their own side{}",
        percent(scatter.fit.accuracy),
        thinned(scatter.points.len())
    );
    let (low, high) = ((window.low[0], window.low[1]), (window.high[0], window.high[1]));
    let mut chart = Chart::new("Rows and boundary", x, y).subtitle(&subtitle).describe(
        "Rows as points, one marker per class, and the lines where the decision changes.",
    );
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
            &margins.what,
            Mark::Segments(lines),
            SeriesStyle::reference().dashed(&[5.0, 4.0]),
        );
    }
    chart
}
