//! Shared parts of plots: common arguments, rows as points, and the visible window.

use super::{Files, Target};
use crate::data::{ReadArgs, ScoreArgs};
use crate::failure::Failure;
use clap::Args;
use linsep::model::Window;
use linsep::{Label, Labels};
use linsep::{ModelFile, TrainingData};
use linsep_plot::{Axis, Chart, Mark, Rgb, SeriesStyle};
use std::path::PathBuf;

/// Arguments of a plot of a model and of rows with known classes.
#[derive(Args)]
pub struct EvaluationArgs {
    /// Model file
    pub(super) model: PathBuf,

    /// Data files with known classes
    #[arg(required = true)]
    pub(super) data: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) target: Target,

    #[command(flatten)]
    pub(super) scoring: ScoreArgs,

    #[command(flatten)]
    pub(super) reading: ReadArgs,
}

impl EvaluationArgs {
    /// Returns the files read and written.
    pub(super) fn files(&self, plot: &str) -> Files<'_> {
        let files = self.target.files(plot).reads([&self.model]).reads(&self.data);
        files.reads(self.scoring.weights_file())
    }
}

/// Refuses a model file where a plot requires data, and lists the plots of a model.
pub(super) fn no_model(plot: &str, files: &[PathBuf]) -> Result<(), Failure> {
    let Some(model) = files.iter().find(|file| ModelFile::load(file).is_ok()) else {
        return Ok(());
    };
    let model = model.display();
    Err(Failure::Usage(format!(
        "{model}: plot {plot} expects data, found a model. Give the data and --method. Plots of a model are regions, \
         confusion, roc, pr, calibration (MODEL DATA), coefficients and path (MODEL)."
    )))
}

/// Points of a plot.
pub(super) type Points = Vec<(f64, f64)>;

/// Returns the name of a data file without its folder, for a subtitle.
pub fn short(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// Returns the style of reference lines: chance, perfect calibration.
pub(super) fn pale() -> SeriesStyle {
    SeriesStyle { width: 1.2, ..SeriesStyle::reference() }
        .dashed(&[3.0, 4.0])
        .with_color(Rgb(0x75, 0x75, 0x75))
}

/// Limit of drawn rows: more rows overlap and make the file large.
const MOST: usize = 3_000;

/// Returns the window that contains the points, with a border.
pub(super) fn window(points: &[(f64, f64)]) -> Window {
    const BORDER: f64 = 0.08;
    let side = |of: fn(&(f64, f64)) -> f64| {
        let low = points.iter().map(of).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let border = if high > low { BORDER * (high - low) } else { 1.0 + low.abs() };
        (low - border, high + border)
    };
    let ((left, right), (low, high)) = (side(|p| p.0), side(|p| p.1));
    Window { low: [left, low], high: [right, high] }
}

/// Returns the axes of a window.
pub(super) fn axes((x, y): (&str, &str), window: &Window) -> (Axis, Axis) {
    let axis = |name: &str, j: usize| Axis::new(name).range(window.low[j], window.high[j]);
    (axis(x, 0), axis(y, 1))
}

/// Returns the first two features of the training rows in raw units.
pub(super) fn in_raw_units(training: &TrainingData) -> Points {
    let by = training.recipe.standardize();
    let point = |i: usize| {
        let row = training.x.row(i);
        let row = by.as_ref().map_or(row.clone(), |by| by.unscale(&row));
        (row[0], row[1])
    };
    (0..training.x.n()).map(point).collect()
}

/// Adds the rows by class to a chart; of very many rows, every n-th.
pub(super) fn rows(mut chart: Chart, points: &[(f64, f64)], labels: &Labels) -> Chart {
    let step = every(points.len());
    let classes: Vec<String> = labels.classes().iter().map(Label::to_string).collect();
    for (c, class) in classes.iter().enumerate() {
        let own = points.iter().zip(labels.codes()).step_by(step);
        let own = own.filter(|(_, code)| **code as usize == c).map(|(p, _)| *p);
        chart = chart.named(class, Mark::Points(own.collect()), SeriesStyle::nth(c));
    }
    chart
}

/// Returns the remark of the subtitle if not every row is drawn.
pub(super) fn thinned(n: usize) -> String {
    match every(n) {
        1 => String::new(),
        step => format!("; 1 of {step} rows drawn"),
    }
}

fn every(n: usize) -> usize {
    n.div_ceil(MOST).max(1)
}
