//! Regularization path: coefficients over λ. For a tuned model: the cross-validated cost over λ.

use super::parts::short;
use super::{Fact, Files, Target};
use crate::data::{ColumnArgs, ReadArgs, name_of, problem};
use crate::failure::Failure;
use crate::method::MethodArgs;
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use linsep::Label;
use linsep::ModelFile;
use linsep::learner::{PathPoint, path};
use linsep::validate::TuningPoint;
use linsep_plot::{Axis, Chart, Mark, Rgb, SeriesStyle};
use linsep_report::number::{number, plural};
use serde_json::json;
use std::path::PathBuf;

#[derive(Args)]
pub struct PathArgs {
    /// Data files, to fit the regularization path; or a tuned model
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Number of values of λ
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(2..), help_heading = "Method")]
    points: u16,

    /// Class whose coefficients are drawn, of three classes or more [default: the first]
    #[arg(long, value_name = "CLASS", help_heading = "Data")]
    class: Option<String>,

    /// Name this many features, those of the largest coefficients
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "Output")]
    top: usize,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    method: MethodArgs,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

impl PathArgs {
    /// Returns the files read and written.
    pub(super) fn files(&self) -> Files<'_> {
        self.target.files("path").reads(&self.data).reads(self.columns.weights_file())
    }
}

pub fn run(args: &PathArgs, out: &Output) -> Result<(), Failure> {
    if let [file] = &args.data[..]
        && let Ok(model_file) = ModelFile::load(file)
    {
        let chart = tuned(&model_file).ok_or_else(|| {
            Failure::Refused(format!(
                "{}: expected a tuned model or data, found a model that was not tuned. Fit the model with --tune, or give the \
                 data.",
                file.display()
            ))
        })?;
        return args.target.write("path", &chart, out);
    }
    let learner = args.method.learner(false)?;
    let Some(convex) = learner.as_reduced().and_then(|reduced| reduced.solver.as_convex()) else {
        return Err(Failure::Usage(format!(
            "plot path: expected --method logistic, svm or convex, which have a penalty, found {}",
            learner.name()
        )));
    };
    args.method.one_vs_rest_only("a path")?;
    let name = name_of(&args.data);
    let mut training = args.columns.training(&args.data, &args.reading, out)?;
    let weights = training.weights.take();
    let mut problem = problem(&training, weights, &name)?;
    args.method.class_weights()?.apply(&mut problem)?;
    let hyperplane = match &args.class {
        Some(class) if training.labels.k() > 2 => problem.class(&Label::parse(class))?,
        _ => 0,
    };
    let mut watch = Progress::within("regularization path", None);
    let points = path(&problem, convex, usize::from(args.points), &mut watch)?;
    drop(watch);
    let of = training.labels.classes()[if training.labels.k() == 2 { 1 } else { hyperplane }]
        .to_string();
    let features = training.recipe.features();
    let chart = coefficients_chart(
        &points,
        hyperplane,
        &features,
        args.top,
        &format!("{}: coefficients of {of}", short(&name)),
    );
    let fact = Fact {
        key: "strengths",
        label: "path",
        value: json!(points.len()),
        text: plural(points.len(), "value of λ", "values of λ"),
    };
    args.target.write_with("path", &chart, &[fact], out)
}

/// Returns the chart with a line per feature; those of the largest coefficients are named.
fn coefficients_chart(
    points: &[PathPoint],
    hyperplane: usize,
    features: &[String],
    top: usize,
    subtitle: &str,
) -> Chart {
    /// Limit of lines without a name.
    const PALE: usize = 200;
    let coefficient = |point: &PathPoint, j: usize| point.fit.model.hyperplanes()[hyperplane].w[j];
    let size = |j: usize| points.iter().map(|p| coefficient(p, j).abs()).fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..features.len()).collect();
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    let line =
        |j: usize| Mark::Line(points.iter().map(|p| (p.lambda, coefficient(p, j))).collect());
    let x = Axis::log("λ (regularization strength)").reversed();
    let mut chart = Chart::new(
        "Regularization path",
        x,
        Axis::new("coefficient (numeric features standardized)"),
    )
    .size(760.0, 480.0)
    .subtitle(&format!("{subtitle}; λ decreases to the right"))
    .describe(
        "The coefficient of each feature over the regularization strength, on a logarithmic axis.",
    );
    let gray = SeriesStyle { width: 0.9, dash: &[], ..SeriesStyle::reference() }
        .with_color(Rgb(0xb5, 0xb5, 0xb5));
    for &j in order.iter().skip(top).take(PALE) {
        chart = chart.layer(line(j), gray);
    }
    for (i, &j) in order.iter().take(top).enumerate() {
        chart = chart.named(&features[j], line(j), SeriesStyle::nth(i));
    }
    chart
}

/// Returns the chart of the cross-validated cost by which λ was selected.
pub fn tuned(model_file: &ModelFile) -> Option<Chart> {
    let tuning = model_file.header.training.tuning.as_ref()?;
    let points = &tuning.points;
    let line: Vec<(f64, f64)> = points.iter().map(|p| (p.lambda, p.cost)).collect();
    let spread = |p: &TuningPoint| {
        let error = p.standard_error?;
        Some([(p.lambda, p.cost - error), (p.lambda, p.cost + error)])
    };
    let spread: Vec<_> = points.iter().filter_map(spread).collect();
    let mut chart = Chart::new(
        "Selection of λ",
        Axis::log("λ (regularization strength)").reversed(),
        Axis::new(&format!("out-of-fold {}", tuning.by)),
    )
    .subtitle(&format!("{}; selected λ = {} ({})", tuning.how(), number(tuning.lambda()), tuning.choose))
    .describe("The mean out-of-fold cost over the regularization strength, with intervals of one standard error.");
    if !spread.is_empty() {
        let look = SeriesStyle { width: 1.4, dash: &[], ..SeriesStyle::nth(5) };
        chart = chart.named("one standard error", Mark::Segments(spread), look);
    }
    let over = if tuning.leave_one_out { "mean over the rows" } else { "mean over the folds" };
    chart = chart
        .named(over, Mark::Line(line.clone()), SeriesStyle::nth(0))
        .layer(Mark::Points(line), SeriesStyle::nth(0));
    let same = tuning.best == tuning.chosen;
    for (name, at, look) in [
        ("minimum", tuning.best, SeriesStyle::nth(2)),
        (if same { "minimum, selected" } else { "selected" }, tuning.chosen, SeriesStyle::nth(1)),
    ] {
        if let Some(point) = points.get(at).filter(|_| !same || name != "minimum") {
            chart = chart.named(name, Mark::VerticalLine(point.lambda), look);
        }
    }
    Some(chart)
}
