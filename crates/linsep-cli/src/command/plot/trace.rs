//! A run, step by step: where the boundary was, and what the criterion did.

use super::parts::{axes, no_model, rows, window};
use super::{Files, Target};
use crate::command::trace::{Followed, TraceArgs};
use crate::failure::Failure;
use crate::output::Output;
use crate::text::{number, plural};
use clap::Args;
use linsep::control::Record;
use linsep::loss::Perceptron;
use linsep::objective::Objective;
use linsep::penalty::Penalty;
use linsep::{DecisionRule, Hyperplane, LinearModel};
use linsep_plot::{Axis, Chart, Mark, Rgb, Scene, SeriesStyle};
use serde_json::json;

#[derive(Args)]
pub struct TracePlotArgs {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    trace: TraceArgs,
}

impl TracePlotArgs {
    /// What it reads and writes.
    pub(super) fn files(&self) -> Files<'_> {
        self.target.files("trace").reads([&self.trace.data])
    }
}

/// Boundaries that are drawn at the most: more cannot be told apart.
const MOST: usize = 9;

/// A hyperplane that was met, after so many steps, and what it cost.
struct Met {
    step: usize,
    hyperplane: Hyperplane,
    criterion: f64,
}

pub fn run(args: &TracePlotArgs, out: &Output) -> Result<(), Failure> {
    no_model("trace", std::slice::from_ref(&args.trace.data))?;
    let followed = args.trace.follow(out)?;
    let (what, met) = met(&followed)?;
    let Some(last) = met.last() else {
        return Err(Failure::Refused("there was no step to draw".to_owned()));
    };
    let steps = last.step;
    let curve = curve(&met, what, followed.method);
    let (from, to) = (number(met[0].criterion), number(last.criterion));
    let words = format!("{}, from {from} to {to}", plural(steps, "step", "steps"));
    let more = [("steps", json!(steps), words)];
    if followed.training.x.d() != 2 {
        return args.target.write_with("trace", &curve, &more, out);
    }
    let (hyperplane, curve) = (boundaries(&followed, &met), curve.size(520.0, 480.0));
    let scene = Scene::side_by_side(vec![hyperplane.scene(), curve.scene()]);
    let names = [hyperplane.names(), curve.names()].concat();
    args.target.write_scene("trace", &scene, &names, &more, out)
}

/// The hyperplanes of a run, where they changed. Row by row no criterion is told: there it is the
/// mean perceptron loss over all rows.
fn met(followed: &Followed) -> Result<(&'static str, Vec<Met>), Failure> {
    let problem = followed.problem()?;
    let binary = problem.against_rest(followed.positive);
    let objective = Objective::new(&binary, &Perceptron, Penalty::default(), true)?;
    let loss = |hyperplane: &Hyperplane| {
        let mut margins = vec![0.0; binary.y().len()];
        objective.margins(hyperplane, &mut margins);
        objective.mean_loss(&margins)
    };
    let mut what = "criterion";
    let mut met = Vec::new();
    for record in followed.trace.records() {
        match record {
            Record::Batch { step, hyperplane, criterion, .. } => {
                met.push(Met {
                    step: *step as usize,
                    hyperplane: hyperplane.clone(),
                    criterion: *criterion,
                });
            }
            Record::Row { updated, hyperplane, .. } => {
                what = "mean perceptron loss";
                if met.is_empty() {
                    let start = followed.start.clone();
                    met.push(Met { step: 0, criterion: loss(&start), hyperplane: start });
                }
                if *updated {
                    met.push(Met {
                        step: met.len(),
                        criterion: loss(hyperplane),
                        hyperplane: hyperplane.clone(),
                    });
                }
            }
            Record::Scores { .. } => {}
        }
    }
    Ok((what, met))
}

fn curve(met: &[Met], what: &str, method: &str) -> Chart {
    let points: Vec<(f64, f64)> = met.iter().map(|m| (m.step as f64, m.criterion)).collect();
    let (one, steps) =
        if what == "criterion" { ("step", "steps") } else { ("correction", "corrections") };
    let taken = plural(met.last().map_or(0, |last| last.step), one, steps);
    let mut chart = Chart::new("Criterion", Axis::new(steps), Axis::new(what))
        .subtitle(&format!("{method}, {taken}"))
        .describe("The value of the criterion after every step.")
        .layer(Mark::Line(points.clone()), SeriesStyle::nth(0));
    if points.len() <= 60 {
        chart = chart.layer(Mark::Points(points), SeriesStyle::nth(0));
    }
    chart
}

/// Rows, and the boundary at some of the steps: pale at first, black at the end.
fn boundaries(followed: &Followed, met: &[Met]) -> Chart {
    let x = &followed.training.x;
    let points: Vec<(f64, f64)> =
        (0..x.n()).map(|i| x.row(i)).map(|row| (row[0], row[1])).collect();
    let window = window(&points);
    let features = followed.training.recipe.features();
    let (across, up) = axes((&features[0], &features[1]), &window);
    let mut chart = Chart::new("Boundaries", across, up)
        .subtitle("From the start (pale) to the end (black)")
        .describe("Rows as points, and the boundary at some of the steps of the run.");
    chart = rows(chart, &points, &followed.training.labels);
    let (low, high) = ((window.low[0], window.low[1]), (window.high[0], window.high[1]));
    let shown = some(met.len());
    for (place, &at) in shown.iter().enumerate() {
        let last = place + 1 == shown.len();
        let line = Line { hyperplane: &met[at].hyperplane, classes: &followed.training.labels };
        let pieces = line.pieces(low, high);
        let share = if shown.len() > 1 { place as f64 / (shown.len() - 1) as f64 } else { 1.0 };
        let gray = (190.0 - 164.0 * share) as u8;
        let look = SeriesStyle { width: if last { 2.6 } else { 1.4 }, ..SeriesStyle::reference() };
        let look =
            look.with_color(Rgb(gray, gray, gray)).dashed(if last { &[] } else { &[6.0, 3.0] });
        let outside = if pieces.is_empty() { " (not in the picture)" } else { "" };
        let name = match met[at].step {
            0 => format!("start{outside}"),
            step if last => format!("end, after {step}{outside}"),
            step => format!("after {step}{outside}"),
        };
        chart = chart.named(&name, Mark::Segments(pieces), look);
    }
    chart
}

/// A line in two columns.
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

/// The first, the last, and some between.
fn some(n: usize) -> Vec<usize> {
    let most = MOST.min(n);
    let mut shown: Vec<usize> =
        (0..most).map(|i| if most > 1 { i * (n - 1) / (most - 1) } else { 0 }).collect();
    shown.dedup();
    shown
}

#[cfg(test)]
mod tests {
    use super::some;

    #[test]
    fn the_first_and_the_last_are_always_shown() {
        for n in 1..100 {
            let shown = some(n);
            assert_eq!((shown[0], shown[shown.len() - 1]), (0, n - 1), "{n}");
            assert!(shown.len() <= 9 && shown.is_sorted_by(|a, b| a < b), "{n}: {shown:?}");
        }
    }
}
