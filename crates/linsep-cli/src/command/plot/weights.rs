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

use super::parts::{Points, no_model};
use super::{Fact, Files, Target};
use crate::data::{ColumnArgs, ReadArgs, name_of, problem};
use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::TrainingData;
use linsep::control::Record;
use linsep::learner;
use linsep::model::Window;
use linsep::options::Options;
use linsep::{Hyperplane, Label, Problem, Trace};
use linsep_plot::{Axis, Chart, Mark, Rgb, Scene, SeriesStyle};
use linsep_report::flags::spell;
use linsep_report::number::{number, plural};
use serde_json::json;
use std::path::PathBuf;

#[derive(Args)]
pub struct WeightsArgs {
    /// Data files of two classes with one column, or two with --no-intercept
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Train without bias, on two columns
    #[arg(long, help_heading = "Method")]
    no_intercept: bool,

    /// Learning rule whose path is drawn
    #[arg(long, value_name = "METHOD", help_heading = "Method", default_value = "perceptron", value_parser = ["perceptron", "batch-perceptron"])]
    method: String,

    /// Step length
    #[arg(long, value_name = "NUMBER", help_heading = "Optimization")]
    eta: Option<f64>,

    /// Limit of epochs
    #[arg(long = "max-iter", value_name = "N", help_heading = "Optimization")]
    epochs: Option<u64>,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

impl WeightsArgs {
    /// Returns the files read and written.
    pub(super) fn files(&self) -> Files<'_> {
        self.target.files("weights").reads(&self.data).reads(self.columns.weights_file())
    }
}

/// Limit of drawn lines and path points.
const MOST: usize = 60;

/// Rows and the path in weight space.
struct Space {
    /// Rows, with the constant 1 if there is a bias.
    rows: Points,
    /// Classes as −1 and +1.
    y: Vec<f64>,
    names: [String; 2],
    classes: Vec<String>,
    /// Weight vectors of the run; the last one is the result.
    path: Points,
    stop: &'static str,
}

pub fn run(args: &WeightsArgs, out: &Output) -> Result<(), Failure> {
    no_model("weights", &args.data)?;
    let name = name_of(&args.data);
    let mut training = args.columns.plain_training(&args.data, &args.reading, out)?;
    let (d, k) = (training.x.d(), training.labels.k());
    if k != 2 {
        return Err(Failure::Refused(format!(
            "{name}: plot weights requires 2 classes, found {k}"
        )));
    }
    if d + usize::from(!args.no_intercept) != 2 {
        let bias = if args.no_intercept { "" } else { " and the bias" };
        let columns = plural(d, "column", "columns");
        return Err(Failure::Refused(format!(
            "{name}: plot weights requires 2 weights, found {} (of {columns}{bias}). Choose one column with --columns, or two \
             with --columns and --no-intercept.",
            d + usize::from(!args.no_intercept)
        )));
    }
    let weights = training.weights.take();
    let problem = problem(&training, weights, &name)?;
    let space = args.space(&training, &problem)?;
    let hyperplanes: Vec<Hyperplane> =
        space.normalized().map(|(x, y)| Hyperplane { w: vec![x, y], b: 0.0 }).collect();
    let window = space.window();
    let region = window.inside(&hyperplanes);
    let charts = [space.as_read(&window, &region), space.as_normalized(&window, &region)];
    let names = charts.iter().flat_map(Chart::names).collect::<Vec<_>>();
    let mut unique: Vec<&str> = Vec::new();
    names.iter().for_each(|name| {
        if !unique.contains(name) {
            unique.push(name);
        }
    });
    let region_text = if region.is_empty() {
        "empty: no weight vector classifies all rows correctly"
    } else {
        "not empty"
    };
    let last = space.path.last().copied().unwrap_or_default();
    let facts = [
        Fact {
            key: "region",
            label: "region",
            value: json!(!region.is_empty()),
            text: region_text.to_owned(),
        },
        Fact {
            key: "weights",
            label: "weights",
            value: json!([last.0, last.1]),
            text: format!("({}, {}): {}", number(last.0), number(last.1), spell(space.stop)),
        },
    ];
    let scene = Scene::side_by_side(charts.iter().map(Chart::scene).collect());
    args.target.write_scene("weights", &scene, &unique, &facts, out)
}

impl WeightsArgs {
    fn space(&self, training: &TrainingData, problem: &Problem<'_>) -> Result<Space, Failure> {
        let options = Options {
            intercept: self.no_intercept.then_some(false),
            eta: self.eta,
            epochs: self.epochs,
            ..Options::default()
        };
        let learner = learner::by_name(&self.method, &options)?;
        let reduced = learner.as_reduced().expect("perceptrons are binary learners");
        let mut trace = Trace::new(10_000);
        let d = training.x.d();
        let binary = problem.against_rest(1);
        let solution = reduced.solver.fit(&binary, Hyperplane::zero(d), &mut trace)?;
        let pair = |hyperplane: &Hyperplane| match hyperplane.w[..] {
            [w] => (w, hyperplane.b),
            _ => (hyperplane.w[0], hyperplane.w[1]),
        };
        let mut path = vec![(0.0, 0.0)];
        for record in trace.records() {
            match record {
                Record::Batch { hyperplane, .. }
                | Record::Row { hyperplane, updated: true, .. } => {
                    path.push(pair(hyperplane));
                }
                _ => {}
            }
        }
        path.push(pair(&solution.hyperplane));
        path.dedup();
        let row = |i: usize| match training.x.row(i)[..] {
            [x] => (x, 1.0),
            ref row => (row[0], row[1]),
        };
        let features = training.recipe.features();
        let second = features.get(1).map_or("bias (constant 1)".to_owned(), Clone::clone);
        Ok(Space {
            rows: (0..training.x.n()).map(row).collect(),
            y: binary.y().to_vec(),
            names: [
                format!("weight of {}", features[0]),
                format!("weight of {second}").replace("weight of bias", "bias"),
            ],
            classes: training.labels.classes().iter().map(Label::to_string).collect(),
            path,
            stop: solution.stop.meaning(),
        })
    }
}

impl Space {
    fn normalized(&self) -> impl Iterator<Item = (f64, f64)> {
        self.rows.iter().zip(&self.y).map(|(x, y)| (x.0 * y, x.1 * y))
    }

    /// Returns the largest distance of a row from the origin.
    fn radius(&self) -> f64 {
        self.rows.iter().map(|p| p.0.hypot(p.1)).fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Returns a square about the origin that contains all rows, normalized or not.
    fn window(&self) -> Window {
        let half = 1.15 * self.radius();
        Window { low: [-half, -half], high: [half, half] }
    }

    /// Returns the path, scaled to fit; the solution region is a cone, so lengths do not matter.
    fn shown_path(&self) -> (f64, Points) {
        let longest = self.path.iter().map(|p| p.0.hypot(p.1)).fold(0.0, f64::max);
        let scale = if longest > self.radius() { self.radius() / longest } else { 1.0 };
        (scale, self.path.iter().map(|p| (p.0 * scale, p.1 * scale)).collect())
    }

    fn axes(&self, window: &Window) -> (Axis, Axis) {
        super::parts::axes((&self.names[0], &self.names[1]), window)
    }

    /// Returns the line of the weight vectors whose hyperplane contains a row.
    fn line(&self, (x, y): (f64, f64)) -> [(f64, f64); 2] {
        let far = 4.0 * self.radius() / x.hypot(y).max(f64::MIN_POSITIVE);
        [(-y * far, x * far), (y * far, -x * far)]
    }

    fn points(&self, chart: Chart, points: &[(f64, f64)]) -> Chart {
        let of = |sign: f64| {
            let own = points.iter().zip(&self.y).filter(move |(_, y)| **y == sign);
            Mark::Points(own.map(|(p, _)| *p).collect())
        };
        chart.named(&self.classes[0], of(-1.0), SeriesStyle::nth(0)).named(
            &self.classes[1],
            of(1.0),
            SeriesStyle::nth(1),
        )
    }

    /// Returns the chart of the rows: the weight vector points to the positive class, and the
    /// boundary is perpendicular to the weight vector.
    fn as_read(&self, window: &Window, region: &[[f64; 2]]) -> Chart {
        let (x, y) = self.axes(window);
        let mut chart = Chart::new("Rows x", x, y)
            .size(560.0, 520.0)
            .equal()
            .subtitle("The weight vector points to the positive side of the boundary")
            .describe("Rows as points in weight space, the solution region, the weight vector found as an arrow from the origin, and its boundary.");
        chart = solutions(chart, region);
        let (_, path) = self.shown_path();
        let last = path.last().copied().unwrap_or_default();
        let length = last.0.hypot(last.1);
        if length > 0.0 {
            let boundary = Mark::Segments(vec![self.line(last)]);
            chart = chart.named("boundary", boundary, SeriesStyle::reference().dashed(&[6.0, 4.0]));
            let grown = 0.9 * self.radius() / length;
            let tip = (last.0 * grown, last.1 * grown);
            chart = chart.named(
                "weight vector found",
                arrow((0.0, 0.0), tip, 0.06 * self.radius()),
                SeriesStyle { width: 2.2, ..SeriesStyle::reference() },
            );
        }
        self.points(chart, &self.rows)
    }

    /// Returns the chart of the normalized rows, on whose positive sides the solution region lies.
    fn as_normalized(&self, window: &Window, region: &[[f64; 2]]) -> Chart {
        let (x, y) = self.axes(window);
        let (scale, path) = self.shown_path();
        let scaled =
            if scale < 1.0 { format!("; path scaled by {scale:.3}") } else { String::new() };
        let lines = if self.rows.len() > MOST {
            format!("; lines of the first {MOST} rows")
        } else {
            String::new()
        };
        let mut chart = Chart::new("Normalized rows y·x", x, y)
            .size(600.0, 520.0)
            .equal()
            .subtitle(&format!("Each row admits one side of its line{lines}{scaled}"))
            .describe("Normalized rows in weight space, the line of each row, the solution region, and the path of the perceptron.");
        chart = solutions(chart, region);
        let normalized: Points = self.normalized().collect();
        let lines = normalized.iter().take(MOST).map(|p| self.line(*p)).collect();
        let gray = SeriesStyle { width: 0.9, ..SeriesStyle::reference() }
            .with_color(Rgb(0x8c, 0x8c, 0x8c));
        chart = chart.named("line of a row", Mark::Segments(lines), gray);
        let purple = SeriesStyle { width: 2.2, dash: &[], ..SeriesStyle::nth(3) };
        chart = chart.named("path", Mark::Line(path.clone()), purple);
        if path.len() <= MOST {
            chart = chart.layer(
                Mark::Points(path),
                SeriesStyle { marker: linsep_plot::Marker::Ring, ..purple },
            );
        }
        self.points(chart, &normalized)
    }
}

/// Adds the solution region if it is not empty; the region of normalized rows is the same.
fn solutions(chart: Chart, region: &[[f64; 2]]) -> Chart {
    if region.is_empty() {
        return chart;
    }
    let corners = region.iter().map(|p| (p[0], p[1])).collect();
    let green = SeriesStyle { opacity: 0.3, ..SeriesStyle::nth(2) };
    chart.named("solution region", Mark::Areas(vec![corners]), green)
}

/// Returns an arrow as three segments.
fn arrow(from: (f64, f64), to: (f64, f64), head: f64) -> Mark {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(f64::MIN_POSITIVE);
    let (dx, dy) = (dx / length * head, dy / length * head);
    let wing = |side: f64| (to.0 - dx - side * 0.5 * dy, to.1 - dy + side * 0.5 * dx);
    Mark::Segments(vec![[from, to], [wing(1.0), to], [wing(-1.0), to]])
}
