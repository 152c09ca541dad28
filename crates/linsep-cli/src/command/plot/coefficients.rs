//! Coefficients of a model, the largest first. Those of numeric features are per standard
//! deviation, to be comparable across units. If the model has inference (`fit --infer`, `--firth`),
//! each coefficient is a point with its confidence interval, else a bar.

use super::{Fact, Files, Target};
use crate::command::hyperplane_names;
use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::Hyperplane;
use linsep::model_file::Inference;
use linsep::model_file::inference::Coefficient;
use linsep::{ModelFile, Recipe};
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};
use linsep_report::number::{plural, small_percent};
use serde_json::json;
use std::path::PathBuf;

#[derive(Args)]
pub struct CoefficientsArgs {
    /// Model file
    model: PathBuf,

    /// Show at most this many features, those of the largest coefficients
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,

    #[command(flatten)]
    target: Target,
}

impl CoefficientsArgs {
    /// Returns the files read and written.
    pub(super) fn files(&self) -> Files<'_> {
        self.target.files("coefficients").reads([&self.model])
    }
}

/// Limit of drawn hyperplanes.
const HYPERPLANES: usize = 6;

pub fn run(args: &CoefficientsArgs, out: &Output) -> Result<(), Failure> {
    let model_file = ModelFile::load(&args.model)?;
    let (d, shown) = (model_file.model.d(), model_file.model.d().min(args.top.max(1)));
    let facts = [Fact {
        key: "columns",
        label: "features",
        value: json!(shown),
        text: format!("{shown} of {d}"),
    }];
    args.target.write_with("coefficients", &chart(&model_file, args.top.max(1)), &facts, out)
}

/// Returns the chart of the largest coefficients.
pub fn chart(model_file: &ModelFile, top: usize) -> Chart {
    // 1. Comparable units.
    let recipe = &model_file.header.recipe;
    let hyperplanes: Vec<Hyperplane> = model_file
        .model
        .hyperplanes()
        .iter()
        .take(HYPERPLANES)
        .map(|hyperplane| recipe.to_standardized(hyperplane))
        .collect();
    let features = recipe.features();
    let size =
        |j: usize| hyperplanes.iter().map(|hyperplane| hyperplane.w[j].abs()).fold(0.0, f64::max);
    // Reference levels and linear combinations of other columns have no estimate.
    let estimated = |j: &usize| {
        let known = model_file.header.inference.as_ref();
        known.is_none_or(|known| known.coefficients.iter().any(|c| c.column == Some(*j)))
    };
    let (mut order, fixed): (Vec<usize>, Vec<usize>) = (0..features.len()).partition(estimated);
    let all = order.len();
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    order.truncate(top);

    // 2. Bars from the top downward.
    let names: Vec<String> = order.iter().map(|&j| features[j].clone()).collect();
    let unit = if recipe.standardized {
        "coefficient (numeric features standardized)"
    } else {
        "coefficient"
    };
    let classes = hyperplane_names(&model_file.model);
    let left_out = all - order.len();
    let mut subtitle = match classes.len() {
        1 => format!("{}; positive values favor {}", model_file.header.method, classes[0]),
        _ => model_file.header.multiclass.as_ref().map_or_else(
            || model_file.header.method.clone(),
            |scheme| format!("{}, {scheme}", model_file.header.method),
        ),
    };
    if left_out > 0 {
        let features = plural(left_out, "feature", "features");
        subtitle += &format!("; {features} with smaller coefficients not shown");
    }
    if !fixed.is_empty() {
        let names: Vec<&str> = fixed.iter().take(4).map(|&j| features[j].as_str()).collect();
        let more = if fixed.len() > 4 { ", …" } else { "" };
        subtitle += &format!("; fixed at 0: {}{more}", names.join(", "));
    }
    let height = 150.0 + 21.0 * names.len() as f64;
    let mut chart = Chart::new("Coefficients", Axis::new(unit), Axis::named("", names).reversed())
        .size(720.0, height.max(260.0))
        .subtitle(&subtitle)
        .describe("The largest coefficients of the model by feature, as bars from zero.")
        .layer(Mark::VerticalLine(0.0), SeriesStyle::reference());
    if let Some(known) = &model_file.header.inference {
        return with_intervals(chart, known, recipe, &order);
    }
    let many = hyperplanes.len() as f64;
    for (p, hyperplane) in hyperplanes.iter().enumerate() {
        // Hyperplanes share the height of a line.
        let shift = if hyperplanes.len() > 1 { 0.7 * ((p as f64 + 0.5) / many - 0.5) } else { 0.0 };
        let half = 0.3 / many;
        let bar = |(place, &j): (usize, &usize)| {
            let (y, w) = (place as f64 + shift, hyperplane.w[j]);
            vec![(0.0, y - half), (w, y - half), (w, y + half), (0.0, y + half)]
        };
        let bars: Vec<_> = order.iter().enumerate().map(bar).collect();
        let look = SeriesStyle { opacity: 0.75, ..SeriesStyle::nth(p) };
        let mark = Mark::Areas(bars);
        chart = match hyperplanes.len() {
            1 => chart.layer(mark, look),
            _ => chart.named(&classes[p], mark, look),
        };
    }
    chart
}

/// Adds each estimate with its confidence interval. An infinite end extends to the plot's edge.
fn with_intervals(chart: Chart, known: &Inference, recipe: &Recipe, order: &[usize]) -> Chart {
    // 1. From raw units to those of the plot.
    let ones = Hyperplane { w: vec![1.0; recipe.width()], b: 0.0 };
    let unit = recipe.to_standardized(&ones).w;
    let place = |c: &Coefficient| {
        let j = c.column?;
        Some((order.iter().position(|at| *at == j)? as f64, j))
    };
    let drawn: Vec<(f64, f64, [f64; 2])> = known
        .coefficients
        .iter()
        .filter_map(|c| {
            let (y, j) = place(c)?;
            Some((y, unit[j] * c.estimate, c.interval.map(|end| unit[j] * end.0)))
        })
        .collect();

    // 2. The range of the plot: to the largest finite end.
    let numbers = drawn.iter().flat_map(|(_, w, ends)| [*w, ends[0], ends[1]]);
    let far = numbers.filter(|v| v.is_finite()).fold(0.0_f64, |far, v| far.max(v.abs()));
    let within = |v: f64| v.clamp(-1.1 * far, 1.1 * far);
    let sure = drawn.iter().filter(|(_, _, ends)| !ends.iter().any(|end| end.is_nan()));
    let segments = sure.map(|(y, _, [low, high])| [(within(*low), *y), (within(*high), *y)]);
    let points = drawn.iter().map(|(y, w, _)| (*w, *y)).collect();
    let look = SeriesStyle { width: 2.0, ..SeriesStyle::nth(0) };
    let level = small_percent(known.level);
    chart
        .describe("The largest coefficients of the model by feature, as points with confidence intervals.")
        .named(
            &format!("{level} CI ({})", known.intervals),
            Mark::Segments(segments.collect()),
            look,
        )
        .named("estimate", Mark::Points(points), look)
}
