//! Quantile bins: φ(x) indicates the interval that contains x.
//!
//! The inner edges e₁ < … < eₘ split the numbers into m + 1 intervals (−∞, e₁), [e₁, e₂), …,
//! [eₘ, ∞), which contain about equal sample weight in training. The model is a step function of x.
//! The same intervals as scikit-learn's `KBinsDiscretizer` with quantiles.

use super::quantiles::quantiles;
use serde::{Deserialize, Serialize};

/// The inner edges of the intervals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bins(Vec<f64>);

impl Bins {
    /// Returns at most `count` intervals; `None` if fewer than two contain values. An interval
    /// without values is merged with the next one.
    pub fn new(values: &[f64], weights: &[f64], count: usize) -> Option<Self> {
        let edges = quantiles(values, weights, count, true);
        let inner = Self(edges.get(1..edges.len().saturating_sub(1))?.to_vec());
        let mut filled = vec![false; inner.count()];
        for (x, _) in values.iter().zip(weights).filter(|(x, s)| !x.is_nan() && **s > 0.0) {
            filled[inner.of(*x)] = true;
        }
        // Edge j ends interval j; the last interval has the largest value.
        let ends = inner.0.iter().zip(filled).filter(|(_, filled)| *filled);
        let bins = Self(ends.map(|(edge, _)| *edge).collect());
        (bins.count() > 1).then_some(bins)
    }

    /// Whether the edges are finite and ascending.
    pub fn is_sound(&self) -> bool {
        self.0.iter().all(|edge| edge.is_finite()) && self.0.is_sorted_by(|a, b| a < b)
    }

    /// Returns the number of intervals.
    pub fn count(&self) -> usize {
        self.0.len() + 1
    }

    /// Returns the index of the interval that contains x.
    pub fn of(&self, x: f64) -> usize {
        self.0.partition_point(|edge| *edge <= x)
    }

    /// Returns the edges below and above interval j.
    pub fn edges(&self, j: usize) -> (Option<f64>, Option<f64>) {
        (j.checked_sub(1).map(|below| self.0[below]), self.0.get(j).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_have_equal_weight_and_are_closed_below() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let bins = Bins::new(&values, &[1.0; 100], 4).unwrap();
        assert_eq!(bins, Bins(vec![24.5, 49.5, 74.5]));
        assert_eq!([-9.0, 24.5, 74.0, 1e300].map(|x| bins.of(x)), [0, 1, 2, 3]);
        assert_eq!((bins.edges(0), bins.edges(3)), ((None, Some(24.5)), (Some(74.5), None)));
    }

    #[test]
    fn every_interval_has_values() {
        let mut values = vec![0.0; 90];
        values.extend((1..=10).map(f64::from));
        let bins = Bins::new(&values, &[1.0; 100], 10).unwrap();
        let mut counts = vec![0; bins.count()];
        values.iter().for_each(|x| counts[bins.of(*x)] += 1);
        assert_eq!(counts, [90, 10]);
        assert_eq!(Bins::new(&[3.0; 9], &[1.0; 9], 5), None);
        assert_eq!(Bins::new(&[f64::NAN; 9], &[1.0; 9], 5), None);
    }
}
