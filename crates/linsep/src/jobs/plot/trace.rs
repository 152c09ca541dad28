//! Decision boundary and objective at the steps of a run.

use super::{Point, Prepared, Scatter, Segment};
use crate::error::Error;
use crate::jobs::Steps;
use crate::jobs::trace::Followed;
use linsep_core::control::Record;
use linsep_core::loss::Perceptron;
use linsep_core::objective::Objective;
use linsep_core::penalty::Penalty;
use linsep_core::{DecisionRule, Hyperplane, Label, LinearModel, float};
use serde::{Deserialize, Serialize};

/// Limit of drawn boundaries; more cannot be distinguished.
const MOST: usize = 9;

/// Boundary and objective at the steps of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TracePlot {
    /// The method.
    pub method: String,
    /// Whether a step is an update by one row, and the objective is the mean perceptron loss.
    pub by_row: bool,
    /// Step and objective.
    #[serde(with = "float")]
    pub objective: Vec<Point>,
    /// The rows, for two features.
    pub rows: Option<Scatter>,
    /// Boundaries at some of the steps, for two features.
    pub boundaries: Vec<StepBoundary>,
}

/// Boundary after a number of steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepBoundary {
    /// Number of steps.
    pub step: usize,
    /// The boundary within the window.
    #[serde(with = "float")]
    pub boundary: Vec<Segment>,
}

/// Hyperplane after a number of steps, and its objective.
struct Snapshot {
    step: usize,
    hyperplane: Hyperplane,
    objective: f64,
}

/// Records a run and its boundaries.
pub(super) fn run(steps: &Steps, own: &Prepared) -> Result<TracePlot, Error> {
    let followed = steps.follow(own)?;
    let (by_row, snapshots) = snapshots(own, &followed)?;
    if snapshots.is_empty() {
        return Err(Error::Refused("plot trace: the run has no steps".to_owned()));
    }
    let mut plot = TracePlot {
        method: followed.method.to_owned(),
        by_row,
        objective: snapshots.iter().map(|s| (s.step as f64, s.objective)).collect(),
        rows: None,
        boundaries: Vec::new(),
    };
    let (x, labels) = (&own.training.x, &own.training.labels);
    if let Ok(axes) = <[String; 2]>::try_from(own.training.recipe.features()) {
        let points: Vec<Point> = (0..x.n()).map(|i| x.row(i)).map(|row| (row[0], row[1])).collect();
        let rows = Scatter::new(axes, &points, labels);
        let shown = evenly_spaced(snapshots.len()).into_iter().map(|at| &snapshots[at]);
        let step = |s: &Snapshot| StepBoundary {
            step: s.step,
            boundary: boundary(&rows, &s.hyperplane, labels.classes()),
        };
        plot.boundaries = shown.map(step).collect();
        plot.rows = Some(rows);
    }
    Ok(plot)
}

/// Returns whether the run is row by row, and the hyperplanes after each change. Row-by-row methods
/// record no objective; theirs is the mean perceptron loss over all rows.
fn snapshots(own: &Prepared, followed: &Followed) -> Result<(bool, Vec<Snapshot>), Error> {
    let problem = own.problem()?;
    let binary = problem.against_rest(followed.positive);
    let objective = Objective::new(&binary, &Perceptron, Penalty::default(), true)?;
    let loss = |hyperplane: &Hyperplane| {
        let mut margins = vec![0.0; binary.y().len()];
        objective.margins(hyperplane, &mut margins);
        objective.mean_loss(&margins)
    };
    let (mut by_row, mut snapshots) = (false, Vec::new());
    let after = |step: usize, hyperplane: &Hyperplane| Snapshot {
        step,
        hyperplane: hyperplane.clone(),
        objective: loss(hyperplane),
    };
    for record in followed.trace.records() {
        match record {
            Record::Batch { step, hyperplane, criterion, .. } => snapshots.push(Snapshot {
                step: *step as usize,
                hyperplane: hyperplane.clone(),
                objective: *criterion,
            }),
            Record::Row { updated, hyperplane, .. } => {
                by_row = true;
                if snapshots.is_empty() {
                    snapshots.push(after(0, &followed.start));
                }
                if *updated {
                    snapshots.push(after(snapshots.len(), hyperplane));
                }
            }
            Record::Scores { .. } => {}
        }
    }
    Ok((by_row, snapshots))
}

/// Returns the boundary of a hyperplane between two classes.
fn boundary(rows: &Scatter, hyperplane: &Hyperplane, classes: &[Label]) -> Vec<Segment> {
    let classes = classes[..2].to_vec();
    let model = LinearModel::new(classes, vec![hyperplane.clone()], DecisionRule::Sign);
    model.map_or_else(|_| Vec::new(), |model| rows.boundaries(&model))
}

/// Returns at most [`MOST`] evenly spaced indices, the first and the last included.
fn evenly_spaced(n: usize) -> Vec<usize> {
    let most = MOST.min(n);
    let mut shown: Vec<usize> =
        (0..most).map(|i| if most > 1 { i * (n - 1) / (most - 1) } else { 0 }).collect();
    shown.dedup();
    shown
}

#[cfg(test)]
mod tests {
    use super::evenly_spaced;

    #[test]
    fn the_first_and_the_last_are_always_shown() {
        for n in 1..100 {
            let shown = evenly_spaced(n);
            assert_eq!((shown[0], shown[shown.len() - 1]), (0, n - 1), "{n}");
            assert!(shown.len() <= 9 && shown.is_sorted_by(|a, b| a < b), "{n}: {shown:?}");
        }
    }
}
