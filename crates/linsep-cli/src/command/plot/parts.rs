//! What several pictures share: what they are asked of, rows as points, and how much of the
//! hyperplane is shown.

use super::{Files, Target};
use crate::data::{ReadArgs, ScoreArgs};
use crate::failure::Failure;
use clap::Args;
use linsep::model::Window;
use linsep::{Label, Labels};
use linsep_io::{ModelFile, TrainingData};
use linsep_plot::{Axis, Chart, Mark, Rgb, SeriesStyle};
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

impl JudgedArgs {
    /// What is read, and where the picture of this name is written.
    pub(super) fn files(&self, picture: &str) -> Files<'_> {
        let files = self.target.files(picture).reads([&self.model]).reads(&self.data);
        files.reads(self.scoring.weights_file())
    }
}

/// Says what to do with a model where a picture is of what a method makes of data.
pub(super) fn no_model(picture: &str, files: &[PathBuf]) -> Result<(), Failure> {
    let Some(model) = files.iter().find(|file| ModelFile::load(file).is_ok()) else {
        return Ok(());
    };
    let model = model.display();
    Err(Failure::Usage(format!(
        "plot {picture} shows what a method makes of data, and {model} is a model: name the data and --method. Of a model \
         there are plot regions, confusion, roc, pr and calibration (MODEL DATA), plot coefficients and path (MODEL)"
    )))
}

/// Points of a picture.
pub(super) type Points = Vec<(f64, f64)>;

/// The data by the name of its file, without its folder: for the line below a title.
pub fn short(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// A line that is there to compare with: chance, or how it should be.
pub(super) fn pale() -> SeriesStyle {
    SeriesStyle { width: 1.2, ..SeriesStyle::reference() }
        .dashed(&[3.0, 4.0])
        .with_color(Rgb(0x75, 0x75, 0x75))
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

/// The first two columns of rows that were learned from, in the units of the data.
pub(super) fn in_units(training: &TrainingData) -> Points {
    let by = training.recipe.standardize();
    let point = |i: usize| {
        let row = training.x.row(i);
        let row = by.as_ref().map_or(row.clone(), |by| by.unscale(&row));
        (row[0], row[1])
    };
    (0..training.x.n()).map(point).collect()
}

/// Rows by class, on top of what is there: every so many where there are very many.
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
