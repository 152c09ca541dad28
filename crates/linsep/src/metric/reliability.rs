//! Reliability: do rows that are given a probability p happen with that probability?
//!
//! Probabilities are put into bins of equal width, (0, 1/m], (1/m, 2/m], …, the first with its left end. A bin tells the mean
//! probability of its rows and the share of them that happened. The **expected calibration error** is the mean distance of
//! the two, weighted by what the bins weigh:
//!
//! ```text
//!   ECE = Σ_b (S_b/S) |mean p of b − share that happened in b|
//! ```
//!
//! Of two classes p is the probability of the positive one; of more, that of the class with the largest, and "it happened"
//! means that it was the class of the row.

/// What is known of the rows in a bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// Weight of its rows.
    pub weight: f64,
    /// Their mean probability.
    pub probability: f64,
    /// The weighted share of them that happened.
    pub happened: f64,
}

/// The bins that have rows, from low to high probabilities. `probabilities` holds k numbers per row; with k = 2 the second
/// class is the positive one.
pub fn reliability(
    probabilities: &[f64],
    k: usize,
    target: &[u32],
    weights: &[f64],
    bins: usize,
) -> Vec<Bin> {
    let mut sums = Reliability::new(bins);
    let rows = probabilities.chunks_exact(k).zip(target).zip(weights);
    rows.for_each(|((p, t), s)| sums.add(p, *t, *s));
    sums.bins()
}

/// The same row by row.
#[derive(Clone, Debug)]
pub struct Reliability {
    /// By bin: weight, and the weighted sums of probabilities and of what happened.
    sums: Vec<(f64, f64, f64)>,
}

impl Reliability {
    /// No rows in so many bins.
    pub fn new(bins: usize) -> Self {
        Self { sums: vec![(0.0, 0.0, 0.0); bins.max(1)] }
    }

    /// Adds a row by the probabilities of all classes.
    pub fn add(&mut self, p: &[f64], target: u32, s: f64) {
        let m = self.sums.len();
        let class = if p.len() == 2 { 1 } else { most_likely(p) };
        let (p, happened) = (p[class], target as usize == class);
        // Inner edges below p: an edge belongs to the bin on its left.
        let bin = (1..m).rev().find(|&b| (b as f64 / m as f64) < p).unwrap_or(0);
        let (weight, mean, share) = &mut self.sums[bin];
        *weight += s;
        *mean += s * p;
        *share += if happened { s } else { 0.0 };
    }

    /// The bins that have rows so far.
    pub fn bins(&self) -> Vec<Bin> {
        let there = self.sums.iter().filter(|(weight, ..)| *weight > 0.0);
        let bin = |&(weight, mean, share): &(f64, f64, f64)| Bin {
            weight,
            probability: mean / weight,
            happened: share / weight,
        };
        there.map(bin).collect()
    }
}

/// The expected calibration error of these bins; none where nothing weighs.
pub fn calibration_error(bins: &[Bin]) -> Option<f64> {
    let total: f64 = bins.iter().map(|bin| bin.weight).sum();
    let miss = |bin: &Bin| bin.weight * (bin.probability - bin.happened).abs();
    (total > 0.0).then(|| bins.iter().map(miss).sum::<f64>() / total)
}

/// The position of the largest; of equals the first.
fn most_likely(p: &[f64]) -> usize {
    (0..p.len()).reduce(|best, c| if p[c] > p[best] { c } else { best }).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_computed() {
        // Positive probabilities 0.1 (−), 0.5 (+; its edge belongs to the left bin), 0.9 (+, weight 2).
        let p = [0.9, 0.1, 0.5, 0.5, 0.1, 0.9];
        let bins = reliability(&p, 2, &[0, 1, 1], &[1.0, 1.0, 2.0], 2);
        assert_eq!(bins.len(), 2);
        assert_eq!((bins[0].weight, bins[0].happened), (2.0, 0.5));
        assert!((bins[0].probability - 0.3).abs() < 1e-15);
        let error = calibration_error(&bins).unwrap();
        assert!((error - (0.5 * 0.2 + 0.5 * 0.1)).abs() < 1e-15, "{error}");
        assert_eq!(calibration_error(&[]), None);
    }

    #[test]
    fn of_many_classes_the_most_likely_counts() {
        let p = [0.2, 0.5, 0.3, 0.7, 0.2, 0.1];
        let bins = reliability(&p, 3, &[1, 2], &[1.0; 2], 1);
        assert_eq!(bins[0].happened, 0.5);
        assert!((bins[0].probability - 0.6).abs() < 1e-15);
    }
}
