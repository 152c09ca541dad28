//! The weights of a model, the largest first: for numbers per deviation, so that columns of
//! different units can be compared. Where the model knows how sure they are (`fit --infer`,
//! `--firth`), each is a point with its interval; else a bar.

use super::{Files, Target};
use crate::command::hyperplane_names;
use crate::failure::Failure;
use crate::output::Output;
use crate::text::{plural, small_percent};
use clap::Args;
use linsep::Hyperplane;
use linsep_io::model_file::Inference;
use linsep_io::model_file::inference::Coefficient;
use linsep_io::{ModelFile, Recipe};
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};
use serde_json::json;
use std::path::PathBuf;

#[derive(Args)]
pub struct CoefficientsArgs {
    /// The model
    model: PathBuf,

    /// Show this many columns at the most, those of the largest weights
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,

    #[command(flatten)]
    target: Target,
}

impl CoefficientsArgs {
    /// What it reads and writes.
    pub(super) fn files(&self) -> Files<'_> {
        self.target.files("coefficients").reads([&self.model])
    }
}

/// Planes that are drawn at the most.
const PLANES: usize = 6;

pub fn run(args: &CoefficientsArgs, out: &Output) -> Result<(), Failure> {
    let bundle = ModelFile::load(&args.model)?;
    let (d, shown) = (bundle.model.d(), bundle.model.d().min(args.top.max(1)));
    let words = format!("{} of {d}", plural(shown, "column", "columns"));
    let more = [("columns", json!(shown), words)];
    args.target.write_with("coefficients", &chart(&bundle, args.top.max(1)), &more, out)
}

/// The picture of the largest weights.
pub fn chart(bundle: &ModelFile, top: usize) -> Chart {
    // 1. In units that compare.
    let recipe = &bundle.header.recipe;
    let hyperplanes: Vec<Hyperplane> = bundle
        .model
        .hyperplanes()
        .iter()
        .take(PLANES)
        .map(|hyperplane| recipe.to_standardized(hyperplane))
        .collect();
    let features = recipe.features();
    let size =
        |j: usize| hyperplanes.iter().map(|hyperplane| hyperplane.w[j].abs()).fold(0.0, f64::max);
    // Words that others are compared with, and columns that depend on others, have no weight to be
    // sure of.
    let estimated = |j: &usize| {
        let known = bundle.header.inference.as_ref();
        known.is_none_or(|known| known.coefficients.iter().any(|c| c.column == Some(*j)))
    };
    let (mut order, held): (Vec<usize>, Vec<usize>) = (0..features.len()).partition(estimated);
    let all = order.len();
    order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    order.truncate(top);

    // 2. From the top downwards.
    let names: Vec<String> = order.iter().map(|&j| features[j].clone()).collect();
    let unit = match recipe {
        Recipe::Table(table) if table.standardized => "weight (of numbers: per deviation)",
        Recipe::Table(_) | Recipe::Sparse { .. } => "weight",
    };
    let classes = hyperplane_names(&bundle.model);
    let left_out = all - order.len();
    let mut subtitle = match classes.len() {
        1 => format!("{}; to the right: for {}", bundle.header.method, classes[0]),
        _ => bundle.header.multiclass.as_ref().map_or_else(
            || bundle.header.method.clone(),
            |scheme| format!("{}, {scheme}", bundle.header.method),
        ),
    };
    if left_out > 0 {
        subtitle +=
            &format!("; {} of smaller weight left out", plural(left_out, "column", "columns"));
    }
    if !held.is_empty() {
        let names: Vec<&str> = held.iter().take(4).map(|&j| features[j].as_str()).collect();
        let more = if held.len() > 4 { ", …" } else { "" };
        subtitle += &format!("; held at 0: {}{more}", names.join(", "));
    }
    let height = 150.0 + 21.0 * names.len() as f64;
    let mut chart = Chart::new("Coefficients", Axis::new(unit), Axis::named("", names).reversed())
        .size(720.0, height.max(260.0))
        .subtitle(&subtitle)
        .describe("The largest weights of the model by column, as bars from zero.")
        .layer(Mark::VerticalLine(0.0), SeriesStyle::reference());
    if let Some(known) = &bundle.header.inference {
        return with_intervals(chart, known, recipe, &order);
    }
    let many = hyperplanes.len() as f64;
    for (p, hyperplane) in hyperplanes.iter().enumerate() {
        // Planes share the height of a line.
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

/// A point for every weight that is known, and its interval. An end at infinity is drawn as far as
/// the picture goes.
fn with_intervals(chart: Chart, known: &Inference, recipe: &Recipe, order: &[usize]) -> Chart {
    // 1. From the units of the data to those of the picture.
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

    // 2. How far the picture goes: to the last end that is one.
    let numbers = drawn.iter().flat_map(|(_, w, ends)| [*w, ends[0], ends[1]]);
    let far = numbers.filter(|v| v.is_finite()).fold(0.0_f64, |far, v| far.max(v.abs()));
    let within = |v: f64| v.clamp(-1.1 * far, 1.1 * far);
    let sure = drawn.iter().filter(|(_, _, ends)| !ends.iter().any(|end| end.is_nan()));
    let segments = sure.map(|(y, _, [low, high])| [(within(*low), *y), (within(*high), *y)]);
    let points = drawn.iter().map(|(y, w, _)| (*w, *y)).collect();
    let look = SeriesStyle { width: 2.0, ..SeriesStyle::nth(0) };
    let level = small_percent(known.level);
    chart
        .describe("The largest weights of the model by column, as points with their intervals.")
        .named(
            &format!("{level} interval ({})", known.intervals),
            Mark::Segments(segments.collect()),
            look,
        )
        .named("estimate", Mark::Points(points), look)
}
