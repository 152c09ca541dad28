//! Curves over all thresholds: ROC and precision-recall.
//!
//! Two classes have one curve. More classes have one curve each, of the class against the rest by
//! the score of the class.

use super::Point;
use crate::error::Error;
use crate::evaluation::ClassRanking;
use crate::jobs::Evaluated;
use linsep_core::metric::{
    ranked_auc, ranked_average_precision, ranked_precision_recall, ranked_roc, totals,
};
use serde::{Deserialize, Serialize};

/// Kind of curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Curve {
    /// True positive rate over false positive rate.
    Roc,
    /// Precision over recall.
    #[serde(rename = "pr")]
    PrecisionRecall,
}

impl Curve {
    /// Name of the plot.
    pub fn name(self) -> &'static str {
        match self {
            Self::Roc => "roc",
            Self::PrecisionRecall => "pr",
        }
    }
}

/// Curves of the classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassCurves {
    /// The kind.
    pub kind: Curve,
    /// Name of the data.
    pub data: String,
    /// One curve per class, of the first classes.
    pub classes: Vec<ClassCurve>,
    /// Point of the model's threshold, on the ROC curve of two classes.
    pub operating_point: Option<Point>,
}

/// Curve of a class against the rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassCurve {
    /// The class.
    pub class: String,
    /// Position of its hyperplane.
    pub at: usize,
    /// Area under the ROC curve, or average precision.
    pub value: f64,
    /// Share of the class among the rows.
    pub share: f64,
    /// Points from high to low thresholds.
    pub points: Vec<Point>,
}

/// Limit of curves in one chart.
const MOST: usize = 8;

impl ClassCurves {
    /// Returns the curves of an evaluation; `None` if no class has one.
    pub fn of(evaluated: &Evaluated, kind: Curve, data: &str) -> Result<Option<Self>, Error> {
        let (mut classes, mut operating_point) = (Vec::new(), None);
        for (at, (class, side)) in evaluated.rankings.sides().enumerate().take(MOST) {
            let mut line = Thinned::default();
            let value = match kind {
                Curve::Roc => {
                    let own = roc(&side, evaluated.evaluation.threshold, &mut line)?;
                    if evaluated.evaluation.ranked == 1 {
                        operating_point = own;
                    }
                    ranked_auc(&side)?
                }
                Curve::PrecisionRecall => {
                    steps(&side, &mut line)?;
                    ranked_average_precision(&side)?
                }
            };
            let points = line.points();
            let Some(value) = value.filter(|_| !points.is_empty()) else { continue };
            let (ups, downs) = totals(&side)?;
            let (class, share) = (class.to_string(), ups / (ups + downs));
            classes.push(ClassCurve { class, at, value, share, points });
        }
        let data = data.to_owned();
        Ok((!classes.is_empty()).then_some(Self { kind, data, classes, operating_point }))
    }
}

/// Adds the points of a ROC curve; returns the operating point: the lowest threshold that is at
/// least the model's.
fn roc(
    side: &ClassRanking<'_>,
    threshold: f64,
    line: &mut Thinned,
) -> Result<Option<Point>, Error> {
    let mut own = None;
    ranked_roc(side, &mut |p| {
        let at = (p.false_positive, p.true_positive);
        line.add(at);
        if p.threshold.is_none_or(|t| t >= threshold) {
            own = Some(at);
        }
    })?;
    Ok(own)
}

/// Adds the points of a precision-recall curve, a step function: each precision holds from the
/// previous recall on.
fn steps(side: &ClassRanking<'_>, line: &mut Thinned) -> Result<(), Error> {
    let mut before = 0.0;
    ranked_precision_recall(side, &mut |point| {
        line.add((before, point.precision));
        line.add((point.recall, point.precision));
        before = point.recall;
    })?;
    Ok(())
}

/// A line without the points that coincide with the previous one at any resolution, to limit the
/// file size for very many rows.
#[derive(Default)]
struct Thinned {
    points: Vec<Point>,
    /// The last point, if it was omitted.
    last: Option<Point>,
}

impl Thinned {
    fn add(&mut self, point: Point) {
        /// Far below the size of a pixel.
        const NEAR: f64 = 1e-5;
        /// Number of points that are always kept.
        const FEW: usize = 10_000;
        let near =
            |before: &Point| (before.0 - point.0).abs() < NEAR && (before.1 - point.1).abs() < NEAR;
        if self.points.len() > FEW && self.points.last().is_some_and(near) {
            self.last = Some(point);
        } else {
            // A line that turns must do so at the last omitted point.
            self.points.extend(self.last.take());
            self.points.push(point);
        }
    }

    fn points(mut self) -> Vec<Point> {
        self.points.extend(self.last);
        self.points
    }
}
