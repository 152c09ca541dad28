//! Rows of a data set as points, with the decision boundary and the margins of a method.
//!
//! Two features are drawn in raw units. More features are projected onto two directions
//! ([`view`]), and the method is trained on these two coordinates. The plot shows the boundary of
//! this model, not a projection of a boundary in more dimensions.
//!
//! For two classes, margins are drawn beside the boundary. If the boundary separates all rows, they
//! are the parallels through the nearest row of either class, else the lines of scores −1 and 1.

use super::scatter::in_raw_units;
use super::{Point, Prepared, Scatter, Segment};
use crate::error::Error;
use crate::model_file::CertificateRecord;
use linsep_core::data::ClassWeights;
use linsep_core::learner::{FitResult, Learner, Method, view};
use linsep_core::{Design, Labels, LinearModel, Observer, Problem, float};
use serde::{Deserialize, Serialize};

/// Request for the rows, with the boundary of a method.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlotRows {
    /// The method.
    pub method: Method,
    /// Factors on the sample weights, by class.
    pub class_weights: ClassWeights,
}

/// Rows, with the boundary of a method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowsAndBoundary {
    /// The rows.
    pub rows: Scatter,
    /// The method.
    pub method: String,
    /// Whether the axes are directions, not features.
    pub projected: bool,
    /// Training accuracy.
    #[serde(with = "float")]
    pub accuracy: f64,
    /// Certificates of optimality, if an objective was minimized.
    pub certificates: Vec<CertificateRecord>,
    /// The boundary.
    #[serde(with = "float")]
    pub boundary: Vec<Segment>,
    /// The margins, for two classes.
    pub margins: Option<Margins>,
}

/// Parallels to the boundary of two classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Margins {
    /// Their distance, if they are margins of separated rows; else they are the lines of scores
    /// −1 and 1.
    pub width: Option<f64>,
    /// The lines.
    #[serde(with = "float")]
    pub lines: Vec<Segment>,
}

impl PlotRows {
    /// Trains the method on two coordinates.
    pub(super) fn run(
        &self,
        own: &Prepared,
        watch: &mut dyn Observer,
    ) -> Result<RowsAndBoundary, Error> {
        let (training, learner) = (&own.training, self.method.learner(false)?);
        let mut problem = own.problem()?;
        self.class_weights.apply(&mut problem)?;
        let projected = match training.x.d() {
            1 => {
                let found = "1. Use plot projection.";
                return Err(own.refused("data", "at least 2 features", found));
            }
            d => d > 2,
        };
        let (points, axes, model, fit) = if projected {
            projections(own, &problem, learner.as_ref(), watch)?
        } else {
            let fit = learner.learn(&problem, None, None, watch)?;
            let axes = training.recipe.features();
            (in_raw_units(training), axes, training.recipe.to_raw_units(&fit.model)?, fit)
        };
        let axes = axes.try_into().expect("there are two coordinates");
        let rows = Scatter::new(axes, &points, &training.labels);
        let certificates = fit.certificates();
        let certificates =
            certificates.iter().map(|(own, solver)| CertificateRecord::new(own, solver));
        Ok(RowsAndBoundary {
            method: learner.name().to_owned(),
            projected,
            accuracy: fit.accuracy,
            certificates: certificates.collect(),
            boundary: rows.boundaries(&model),
            margins: margins(&rows, &model, &points, &training.labels),
            rows,
        })
    }
}

/// Projects more features onto two directions, and trains on the coordinates.
fn projections(
    own: &Prepared,
    problem: &Problem<'_>,
    learner: &dyn Learner,
    watch: &mut dyn Observer,
) -> Result<(Vec<Point>, Vec<String>, LinearModel, FitResult), Error> {
    let training = &own.training;
    let [across, up] = view(problem)?.map(|direction| direction.scores(&training.x));
    let points: Vec<Point> = across.into_iter().zip(up).collect();
    let values = points.iter().flat_map(|(x, y)| [*x, *y]).collect();
    let flat = Design::dense(points.len(), 2, values)?;
    let flat = Problem::new(&flat, &training.labels, Some(problem.weights().to_vec()))?;
    let fit = learner.learn(&flat, None, None, watch)?;
    let second = if training.labels.k() > 2 {
        "Fisher's second direction"
    } else {
        "direction of largest within-class variance"
    };
    let axes = ["Fisher's direction", second].map(str::to_owned).to_vec();
    Ok((points, axes, fit.model.clone(), fit))
}

fn margins(
    rows: &Scatter,
    model: &LinearModel,
    points: &[Point],
    labels: &Labels,
) -> Option<Margins> {
    // 1. The nearest row of either class, if all rows are on the correct side.
    let [hyperplane] = model.hyperplanes() else { return None };
    let z = |p: &Point| hyperplane.at(&[p.0, p.1]);
    let positive = u32::from(model.classes()[1] == labels.classes()[1]);
    let all = || points.iter().zip(labels.codes());
    let above = all().filter(|(_, c)| **c == positive).map(|(p, _)| z(p));
    let below = all().filter(|(_, c)| **c != positive).map(|(p, _)| z(p));
    let (low, high) =
        (below.fold(f64::NEG_INFINITY, f64::max), above.fold(f64::INFINITY, f64::min));
    let length = hyperplane.w.iter().fold(0.0, |sum: f64, w| sum.hypot(*w));
    let separated = low < high && low <= 0.0 && high >= 0.0 && length > 0.0;

    // 2. The parallels.
    let scores = if separated { [low, high] } else { [-1.0, 1.0] };
    let parallel = |score: f64| {
        let mut hyperplane = hyperplane.clone();
        hyperplane.b -= score;
        let model = model.map_hyperplanes(|_| hyperplane.clone());
        model.map_or_else(|_| Vec::new(), |model| rows.boundaries(&model))
    };
    let lines = scores.into_iter().flat_map(parallel).collect();
    Some(Margins { width: separated.then(|| (high - low) / length), lines })
}
