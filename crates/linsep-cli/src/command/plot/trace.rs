//! Decision boundary and objective at the steps of a run.

use super::parts::{axes, no_model, rows, window};
use super::{Fact, Files, Target};
use crate::command::trace::{Followed, TraceArgs};
use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::control::Record;
use linsep::loss::Perceptron;
use linsep::objective::Objective;
use linsep::penalty::Penalty;
use linsep::{DecisionRule, Hyperplane, LinearModel};
use linsep_plot::{Axis, Chart, Mark, Rgb, Scene, SeriesStyle};
use linsep_report::number::{number, plural};
use serde_json::json;

#[derive(Args)]
pub struct TracePlotArgs {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    trace: TraceArgs,
}

impl TracePlotArgs {
    /// Returns the files read and written.
    pub(super) fn files(&self) -> Files<'_> {
        self.target.files("trace").reads([&self.trace.data])
    }
}

/// Limit of drawn boundaries; more cannot be distinguished.
const MOST: usize = 9;

/// Hyperplane after a number of steps, and its objective.
struct Snapshot {
    step: usize,
    hyperplane: Hyperplane,
    objective: f64,
}

pub fn run(args: &TracePlotArgs, out: &Output) -> Result<(), Failure> {
    no_model("trace", std::slice::from_ref(&args.trace.data))?;
    let followed = args.trace.follow(out)?;
    let (objective_name, snapshots) = snapshots(&followed)?;
    let Some(last) = snapshots.last() else {
        return Err(Failure::Refused("plot trace: the run has no steps".to_owned()));
    };
    let steps = last.step;
    let curve = curve(&snapshots, objective_name, followed.method);
    let (from, to) = (number(snapshots[0].objective), number(last.objective));
    let text = format!("{}, {objective_name} from {from} to {to}", plural(steps, "step", "steps"));
    let facts = [Fact { key: "steps", label: "steps", value: json!(steps), text }];
    if followed.training.x.d() != 2 {
        return args.target.write_with("trace", &curve, &facts, out);
    }
    let (hyperplane, curve) = (boundaries(&followed, &snapshots), curve.size(520.0, 480.0));
    let scene = Scene::side_by_side(vec![hyperplane.scene(), curve.scene()]);
    let names = [hyperplane.names(), curve.names()].concat();
    args.target.write_scene("trace", &scene, &names, &facts, out)
}

/// Returns the name of the objective and the hyperplanes of a run after each change. Row-by-row
/// methods record no objective; theirs is the mean perceptron loss over all rows.
fn snapshots(followed: &Followed) -> Result<(&'static str, Vec<Snapshot>), Failure> {
    let problem = followed.problem()?;
    let binary = problem.against_rest(followed.positive);
    let objective = Objective::new(&binary, &Perceptron, Penalty::default(), true)?;
    let loss = |hyperplane: &Hyperplane| {
        let mut margins = vec![0.0; binary.y().len()];
        objective.margins(hyperplane, &mut margins);
        objective.mean_loss(&margins)
    };
    let mut objective_name = "objective";
    let mut snapshots = Vec::new();
    for record in followed.trace.records() {
        match record {
            Record::Batch { step, hyperplane, criterion, .. } => {
                snapshots.push(Snapshot {
                    step: *step as usize,
                    hyperplane: hyperplane.clone(),
                    objective: *criterion,
                });
            }
            Record::Row { updated, hyperplane, .. } => {
                objective_name = "mean perceptron loss";
                if snapshots.is_empty() {
                    let start = followed.start.clone();
                    snapshots.push(Snapshot {
                        step: 0,
                        objective: loss(&start),
                        hyperplane: start,
                    });
                }
                if *updated {
                    snapshots.push(Snapshot {
                        step: snapshots.len(),
                        objective: loss(hyperplane),
                        hyperplane: hyperplane.clone(),
                    });
                }
            }
            Record::Scores { .. } => {}
        }
    }
    Ok((objective_name, snapshots))
}

fn curve(snapshots: &[Snapshot], objective_name: &str, method: &str) -> Chart {
    let points: Vec<(f64, f64)> = snapshots.iter().map(|s| (s.step as f64, s.objective)).collect();
    let (one, steps) =
        if objective_name == "objective" { ("step", "steps") } else { ("update", "updates") };
    let length = plural(snapshots.last().map_or(0, |last| last.step), one, steps);
    let mut chart = Chart::new("Objective", Axis::new(steps), Axis::new(objective_name))
        .subtitle(&format!("{method}, {length}"))
        .describe("The objective after every step.")
        .layer(Mark::Line(points.clone()), SeriesStyle::nth(0));
    if points.len() <= 60 {
        chart = chart.layer(Mark::Points(points), SeriesStyle::nth(0));
    }
    chart
}

/// Returns the chart of the rows and of the boundary at some of the steps.
fn boundaries(followed: &Followed, snapshots: &[Snapshot]) -> Chart {
    let x = &followed.training.x;
    let points: Vec<(f64, f64)> =
        (0..x.n()).map(|i| x.row(i)).map(|row| (row[0], row[1])).collect();
    let window = window(&points);
    let features = followed.training.recipe.features();
    let (across, up) = axes((&features[0], &features[1]), &window);
    let mut chart = Chart::new("Decision boundaries", across, up)
        .subtitle("From the start (pale) to the end (black)")
        .describe("Rows as points, and the boundary at some of the steps of the run.");
    chart = rows(chart, &points, &followed.training.labels);
    let (low, high) = ((window.low[0], window.low[1]), (window.high[0], window.high[1]));
    let shown = evenly_spaced(snapshots.len());
    for (place, &at) in shown.iter().enumerate() {
        let last = place + 1 == shown.len();
        let line =
            Line { hyperplane: &snapshots[at].hyperplane, classes: &followed.training.labels };
        let pieces = line.pieces(low, high);
        let share = if shown.len() > 1 { place as f64 / (shown.len() - 1) as f64 } else { 1.0 };
        let gray = (190.0 - 164.0 * share) as u8;
        let look = SeriesStyle { width: if last { 2.6 } else { 1.4 }, ..SeriesStyle::reference() };
        let look =
            look.with_color(Rgb(gray, gray, gray)).dashed(if last { &[] } else { &[6.0, 3.0] });
        let outside = if pieces.is_empty() { " (outside the plot)" } else { "" };
        let name = match snapshots[at].step {
            0 => format!("start{outside}"),
            step if last => format!("end, after {step}{outside}"),
            step => format!("after {step}{outside}"),
        };
        chart = chart.named(&name, Mark::Segments(pieces), look);
    }
    chart
}

/// Boundary of two classes in two features.
struct Line<'a> {
    hyperplane: &'a Hyperplane,
    classes: &'a linsep::Labels,
}

impl Line<'_> {
    fn pieces(&self, low: (f64, f64), high: (f64, f64)) -> Vec<[(f64, f64); 2]> {
        let classes = self.classes.classes()[..2].to_vec();
        let model = LinearModel::new(classes, vec![self.hyperplane.clone()], DecisionRule::Sign);
        model.map_or_else(|_| Vec::new(), |model| model.boundaries(low, high))
    }
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
