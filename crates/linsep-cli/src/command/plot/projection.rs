//! Two classes on a line: along Fisher's direction (upwards), and along the difference of their
//! means (downwards).
//!
//! Both directions have variance 1 within classes, so the distance between the heaps is in
//! deviations.

use super::{Files, Target};
use crate::data::{ColumnArgs, ReadArgs, name_of, problem};
use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::Labels;
use linsep::data::Moments;
use linsep::learner::{Fisher, Learner, Shrinkage, mean_direction};
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};
use std::path::PathBuf;

#[derive(Args)]
pub struct ProjectionArgs {
    /// The data, of two classes
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Draw the scatter towards a plain one: a number from 0 to 1, or auto [default: 0]
    #[arg(long, value_name = "NUMBER|auto")]
    shrinkage: Option<Shrinkage>,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

impl ProjectionArgs {
    /// What it reads and writes.
    pub(super) fn files(&self) -> Files<'_> {
        self.target.files("projection").reads(&self.data).reads(self.columns.weights_file())
    }
}

pub fn run(args: &ProjectionArgs, out: &Output) -> Result<(), Failure> {
    let name = name_of(&args.data);
    // Differences of means depend on units: those of the data.
    let mut training = args.columns.plain_training(&args.data, &args.reading, out)?;
    let weights = training.weights.take();
    let problem = problem(&training, weights, &name)?;
    if training.labels.k() != 2 {
        return Err(Failure::Refused(format!(
            "{name} has {} classes, and this picture compares two",
            training.labels.k()
        )));
    }
    let shrinkage = args.shrinkage.unwrap_or_default();
    let fisher = Fisher { shrinkage, ..Fisher::default() };
    let fit = fisher.learn(&problem, None, None, &mut ())?;
    let moments = Moments::of(&problem)?;
    let directions = [fit.directions[0].clone(), mean_direction(&moments)];
    let projections = directions.map(|direction| direction.scores(&training.x));
    let picture = chart(&projections, &training.labels, problem.weights());
    args.target.write("projection", &picture, out)
}

/// Heaps of both projections, one up, one down.
fn chart(projections: &[Vec<f64>; 2], labels: &Labels, weights: &[f64]) -> Chart {
    const BINS: usize = 40;
    // What weighs nothing is not there.
    let there = |(z, s): (&f64, &f64)| (*s > 0.0).then_some(*z);
    let all = || projections.iter().flat_map(|p| p.iter().zip(weights).filter_map(there));
    let low = all().fold(f64::INFINITY, f64::min);
    let high = all().fold(f64::NEG_INFINITY, f64::max);
    let wide = ((high - low) / BINS as f64).max(f64::MIN_POSITIVE);
    let total: f64 = weights.iter().sum();
    let mut chart = Chart::new(
        "Fisher's projection and that of the means",
        Axis::new("deviations within classes from the mean of all rows"),
        Axis::new("share of rows"),
    )
    .subtitle("Upwards along Fisher's direction, downwards along the difference of the means")
    .describe("Histograms of two classes along two directions; the less they overlap, the better the direction.");
    for (c, class) in labels.classes().iter().enumerate() {
        for (projection, sign) in projections.iter().zip([1.0, -1.0]) {
            let mut bins = vec![0.0; BINS];
            for ((z, code), s) in projection.iter().zip(labels.codes()).zip(weights) {
                if *code as usize == c && *s > 0.0 {
                    bins[(((z - low) / wide) as usize).min(BINS - 1)] += s / total;
                }
            }
            let bar = |(i, share): (usize, &f64)| {
                let (left, top) = (low + wide * i as f64, sign * share);
                vec![(left, 0.0), (left + wide, 0.0), (left + wide, top), (left, top)]
            };
            let bars =
                bins.iter().enumerate().filter(|(_, share)| **share > 0.0).map(bar).collect();
            let look = SeriesStyle { opacity: 0.55, ..SeriesStyle::nth(c) };
            chart = chart.named(&class.to_string(), Mark::Areas(bars), look);
        }
    }
    chart
}
