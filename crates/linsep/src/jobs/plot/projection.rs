//! Histograms of two classes along Fisher's direction and along the difference of their means.
//!
//! Both directions have variance 1 within classes, so distances are in standard deviations.

use super::Prepared;
use crate::error::Error;
use linsep_core::data::Moments;
use linsep_core::learner::{Fisher, Learner, Shrinkage, mean_direction};
use linsep_core::{Observer, float};
use serde::{Deserialize, Serialize};

/// Bins of a histogram.
const BINS: usize = 40;

/// Request for the projections of two classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlotProjection {
    /// Shrinkage of the within-class covariance.
    pub shrinkage: Shrinkage,
}

/// Histograms of two classes along two directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Projection {
    /// Left end of the first bin.
    #[serde(with = "float")]
    pub low: f64,
    /// Width of a bin.
    #[serde(with = "float")]
    pub wide: f64,
    /// Name of each class, and its share of the rows in each bin: along Fisher's direction, then
    /// along the difference of means.
    #[serde(with = "float::named")]
    pub classes: Vec<(String, [Vec<f64>; 2])>,
}

impl PlotProjection {
    /// Projects the rows.
    pub(super) fn run(
        &self,
        own: &Prepared,
        watch: &mut dyn Observer,
    ) -> Result<Projection, Error> {
        // 1. Both projections.
        let (problem, training) = (own.problem()?, &own.training);
        if training.labels.k() != 2 {
            return Err(own.refused("projection", "2 classes", &training.labels.k().to_string()));
        }
        let fisher = Fisher { shrinkage: self.shrinkage, ..Fisher::default() };
        let fit = fisher.learn(&problem, None, None, watch)?;
        let moments = Moments::of(&problem)?;
        let directions = [fit.directions[0].clone(), mean_direction(&moments)];
        let projections = directions.map(|direction| direction.scores(&training.x));

        // 2. Bins of equal width for both. Rows of sample weight 0 are excluded.
        let weights = problem.weights();
        let there = |(z, s): (&f64, &f64)| (*s > 0.0).then_some(*z);
        let all = || projections.iter().flat_map(|p| p.iter().zip(weights).filter_map(there));
        let low = all().fold(f64::INFINITY, f64::min);
        let high = all().fold(f64::NEG_INFINITY, f64::max);
        let wide = ((high - low) / BINS as f64).max(f64::MIN_POSITIVE);
        let total: f64 = weights.iter().sum();
        let histogram = |projection: &Vec<f64>, c: u32| {
            let mut bins = vec![0.0; BINS];
            for ((z, code), s) in projection.iter().zip(training.labels.codes()).zip(weights) {
                if *code == c && *s > 0.0 {
                    bins[(((z - low) / wide) as usize).min(BINS - 1)] += s / total;
                }
            }
            bins
        };
        let [across, along] = &projections;
        let classes = (0..)
            .zip(training.labels.classes())
            .map(|(c, class)| (class.to_string(), [histogram(across, c), histogram(along, c)]));
        Ok(Projection { low, wide, classes: classes.collect() })
    }
}
