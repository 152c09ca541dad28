//! Histograms of two classes along Fisher's direction (upward) and along the difference of their
//! means (downward).
//!
//! Both directions have variance 1 within classes, so distances are in standard deviations.

use super::{Files, Target};
use crate::data::{ColumnArgs, ReadArgs, name_of, problem};
use crate::failure::Failure;
use crate::method::parsed;
use crate::output::Output;
use clap::Args;
use linsep::Labels;
use linsep::data::Moments;
use linsep::learner::{Fisher, Learner, Shrinkage, mean_direction};
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};
use std::path::PathBuf;

#[derive(Args)]
pub struct ProjectionArgs {
    /// Data files of two classes
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Shrinkage of the within-class covariance: from 0 to 1, or auto [default: 0]
    #[arg(long, value_name = "NUMBER|auto", value_parser = parsed::<Shrinkage>)]
    shrinkage: Option<Shrinkage>,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

impl ProjectionArgs {
    /// Returns the files read and written.
    pub(super) fn files(&self) -> Files<'_> {
        self.target.files("projection").reads(&self.data).reads(self.columns.weights_file())
    }
}

pub fn run(args: &ProjectionArgs, out: &Output) -> Result<(), Failure> {
    let name = name_of(&args.data);
    // The direction of the means depends on the units, so the data are not standardized.
    let mut training = args.columns.plain_training(&args.data, &args.reading, out)?;
    let weights = training.weights.take();
    let problem = problem(&training, weights, &name)?;
    if training.labels.k() != 2 {
        return Err(Failure::Refused(format!(
            "{name}: plot projection requires 2 classes, found {}",
            training.labels.k()
        )));
    }
    let shrinkage = args.shrinkage.unwrap_or_default();
    let fisher = Fisher { shrinkage, ..Fisher::default() };
    let fit = fisher.learn(&problem, None, None, &mut ())?;
    let moments = Moments::of(&problem)?;
    let directions = [fit.directions[0].clone(), mean_direction(&moments)];
    let projections = directions.map(|direction| direction.scores(&training.x));
    let chart = chart(&projections, &training.labels, problem.weights());
    args.target.write("projection", &chart, out)
}

/// Returns the histograms of both projections, one upward, one downward.
fn chart(projections: &[Vec<f64>; 2], labels: &Labels, weights: &[f64]) -> Chart {
    const BINS: usize = 40;
    // Rows of sample weight 0 are excluded.
    let there = |(z, s): (&f64, &f64)| (*s > 0.0).then_some(*z);
    let all = || projections.iter().flat_map(|p| p.iter().zip(weights).filter_map(there));
    let low = all().fold(f64::INFINITY, f64::min);
    let high = all().fold(f64::NEG_INFINITY, f64::max);
    let wide = ((high - low) / BINS as f64).max(f64::MIN_POSITIVE);
    let total: f64 = weights.iter().sum();
    let mut chart = Chart::new(
        "Fisher's direction and the difference of means",
        Axis::new("within-class standard deviations from the overall mean"),
        Axis::new("share of rows"),
    )
    .subtitle("Upward: along Fisher's direction; downward: along the difference of means")
    .describe(
        "Histograms of two classes along two directions; less overlap means better separation.",
    );
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
