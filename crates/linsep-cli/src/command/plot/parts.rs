//! What several pictures share: what they are asked of, rows as points, and how much of the plane is shown.

use super::Target;
use crate::data::{ReadArgs, ScoreArgs};
use clap::Args;
use linsep::model::Window;
use linsep::{Label, Labels};
use linsep_plot::{Axis, Chart, Look, Mark};
use std::path::PathBuf;

/// A model, and rows with known classes that it is judged by.
#[derive(Args)]
pub struct JudgedArgs {
    /// The model
    pub(super) model: PathBuf,

    /// The data, with known classes
    #[arg(required = true)]
    pub(super) data: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) target: Target,

    #[command(flatten)]
    pub(super) scoring: ScoreArgs,

    #[command(flatten)]
    pub(super) reading: ReadArgs,
}

/// Points of a picture.
pub(super) type Points = Vec<(f64, f64)>;

/// The data by the name of its file, without its folder: for the line below a title.
pub fn short(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// More rows than this hide one another, and make the file large.
const MOST: usize = 3_000;

/// Around the points, with some air.
pub(super) fn window(points: &[(f64, f64)]) -> Window {
    const AIR: f64 = 0.08;
    let side = |of: fn(&(f64, f64)) -> f64| {
        let low = points.iter().map(of).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let air = if high > low { AIR * (high - low) } else { 1.0 + low.abs() };
        (low - air, high + air)
    };
    let ((left, right), (low, high)) = (side(|p| p.0), side(|p| p.1));
    Window { low: [left, low], high: [right, high] }
}

/// Axes that show a window.
pub(super) fn axes((x, y): (&str, &str), window: &Window) -> (Axis, Axis) {
    let axis = |name: &str, j: usize| Axis::new(name).range(window.low[j], window.high[j]);
    (axis(x, 0), axis(y, 1))
}

/// Rows by class, on top of what is there: every so many where there are very many.
pub(super) fn rows(chart: Chart, points: &[(f64, f64)], labels: &Labels) -> Chart {
    rows_by(chart, points, labels, every(points.len()))
}

/// The same for every so many rows.
pub(super) fn rows_by(
    mut chart: Chart,
    points: &[(f64, f64)],
    labels: &Labels,
    step: usize,
) -> Chart {
    let classes: Vec<String> = labels.classes().iter().map(Label::to_string).collect();
    for (c, class) in classes.iter().enumerate() {
        let own = points.iter().zip(labels.codes()).step_by(step);
        let own = own.filter(|(_, code)| **code as usize == c).map(|(p, _)| *p);
        chart = chart.named(class, Mark::Points(own.collect()), Look::nth(c));
    }
    chart
}

/// What to add to the words below the title where not every row is drawn.
pub(super) fn thinned(n: usize) -> String {
    match every(n) {
        1 => String::new(),
        step => format!("; one row in {step} is drawn"),
    }
}

fn every(n: usize) -> usize {
    n.div_ceil(MOST).max(1)
}
