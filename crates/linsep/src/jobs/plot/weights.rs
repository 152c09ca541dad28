//! Weight space: each row is a line through the origin, and the weight vectors that classify all
//! rows correctly form a cone between these lines.
//!
//! A weight vector a of two weights classifies row x correctly if y a·x > 0. In weight space this
//! is one side of the line a·x = 0, of which x is the normal. The intersection of these sides is
//! the **solution region**. All *normalized* rows y x point to the correct side of their lines, so
//! the region contains the vectors at an acute angle to every normalized row. The path of a
//! perceptron is a sum of such rows that ends in the region.
//!
//! The two weights are those of two columns and a hyperplane through the origin, or of one column
//! and the bias, for rows (x, 1).

use super::{Point, Prepared};
use crate::error::Error;
use linsep_core::control::Record;
use linsep_core::learner::{Entry, Method};
use linsep_core::model::Window;
use linsep_core::options::Options;
use linsep_core::{Hyperplane, Label, StopReason, Trace, float};
use serde::{Deserialize, Serialize};

/// Request for the weight space of two weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlotWeights {
    /// Learning rule whose path is drawn: perceptron or batch-perceptron.
    pub method: &'static Entry,
    /// Its settings; without an intercept, the weights are those of two columns.
    pub options: Options,
}

impl Default for PlotWeights {
    fn default() -> Self {
        Self { method: Method::perceptron().entry(), options: Options::default() }
    }
}

/// Rows, solution region and the path of a learning rule in weight space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightSpace {
    /// Names of the weights.
    pub axes: [String; 2],
    /// The classes.
    pub classes: Vec<String>,
    /// Rows, with the constant 1 if there is a bias.
    #[serde(with = "float")]
    pub rows: Vec<Point>,
    /// Classes of the rows as −1 and +1.
    pub y: Vec<f64>,
    /// Square about the origin that contains all rows, normalized or not.
    pub window: Window,
    /// Corners of the solution region within the window; none if it is empty.
    #[serde(with = "float")]
    pub region: Vec<Point>,
    /// Weight vectors of the run; the last one is the result.
    #[serde(with = "float")]
    pub path: Vec<Point>,
    /// Why the run ended.
    pub stop: StopReason,
}

impl PlotWeights {
    /// Trains the learning rule.
    pub(super) fn run(&self, own: &Prepared) -> Result<WeightSpace, Error> {
        // 1. Two classes and two weights.
        let training = &own.training;
        let (d, k) = (training.x.d(), training.labels.k());
        if k != 2 {
            return Err(own.refused("weights", "2 classes", &k.to_string()));
        }
        let bias = self.options.intercept != Some(false);
        let weights = d + usize::from(bias);
        if weights != 2 {
            let and = if bias { " and the bias" } else { "" };
            let columns = if d == 1 { "column" } else { "columns" };
            let found = format!(
                "{weights} (of {d} {columns}{and}). Choose one column with `columns`, or two with \
                 `columns` and `intercept=false`."
            );
            return Err(own.refused("weights", "2 weights", &found));
        }

        // 2. The path.
        let problem = own.problem()?;
        let learner = self.method.learner(&self.options)?;
        let Some(reduced) = learner.as_reduced() else {
            return Err(Error::Request(format!(
                "plot weights: expected perceptron or batch-perceptron, found {}",
                self.method.name
            )));
        };
        let mut trace = Trace::new(10_000);
        let binary = problem.against_rest(1);
        let solution = reduced.solver.fit(&binary, Hyperplane::zero(d), &mut trace)?;
        let pair = |hyperplane: &Hyperplane| match hyperplane.w[..] {
            [w] => (w, hyperplane.b),
            _ => (hyperplane.w[0], hyperplane.w[1]),
        };
        let changed = trace.records().iter().filter_map(|record| match record {
            Record::Batch { hyperplane, .. } | Record::Row { hyperplane, updated: true, .. } => {
                Some(pair(hyperplane))
            }
            _ => None,
        });
        let mut path = vec![(0.0, 0.0)];
        path.extend(changed.chain([pair(&solution.hyperplane)]));
        path.dedup();

        // 3. Rows and solution region.
        let row = |i: usize| match training.x.row(i)[..] {
            [x] => (x, 1.0),
            ref row => (row[0], row[1]),
        };
        let rows: Vec<Point> = (0..training.x.n()).map(row).collect();
        let y = binary.y().to_vec();
        let half = 1.15 * radius(&rows);
        let window = Window { low: [-half, -half], high: [half, half] };
        let normalized = rows.iter().zip(&y).map(|(x, y)| (x.0 * y, x.1 * y));
        let hyperplanes: Vec<Hyperplane> =
            normalized.map(|(x, y)| Hyperplane { w: vec![x, y], b: 0.0 }).collect();
        let region = window.inside(&hyperplanes).iter().map(|p| (p[0], p[1])).collect();
        let features = training.recipe.features();
        let first = format!("weight of {}", features[0]);
        let second = features
            .get(1)
            .map_or_else(|| "bias (constant 1)".to_owned(), |name| format!("weight of {name}"));
        Ok(WeightSpace {
            axes: [first, second],
            classes: training.labels.classes().iter().map(Label::to_string).collect(),
            rows,
            y,
            window,
            region,
            path,
            stop: solution.stop,
        })
    }
}

/// Returns the largest distance of a row from the origin.
fn radius(rows: &[Point]) -> f64 {
    rows.iter().map(|p| p.0.hypot(p.1)).fold(f64::MIN_POSITIVE, f64::max)
}

impl WeightSpace {
    /// The largest distance of a row from the origin.
    pub fn radius(&self) -> f64 {
        radius(&self.rows)
    }

    /// The normalized rows y x.
    pub fn normalized(&self) -> impl Iterator<Item = Point> {
        self.rows.iter().zip(&self.y).map(|(x, y)| (x.0 * y, x.1 * y))
    }
}
