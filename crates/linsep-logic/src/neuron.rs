//! A threshold neuron of `McCulloch` and Pitts: it fires if w·x ≥ T.
//!
//! Weights and threshold are integers and inputs 0 or 1, so w·x ≥ T and w·x > T − ½ are equivalent,
//! and no sum equals T − ½. With w₀ = ½ − T the neuron is the lectures' sign(w·x + w₀), and AND is
//! w = (1, 1), w₀ = −1.5.

use super::truth::TruthTable;
use serde::{Deserialize, Serialize};

/// Integer weights and a threshold.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Neuron {
    /// The weight of each input.
    pub weights: Vec<i64>,
    /// Smallest sum of the weights of active inputs for which the neuron fires.
    pub threshold: i64,
}

impl Neuron {
    /// Returns whether the neuron fires; inputs are the bits of `row`, the first input the highest.
    #[inline]
    pub fn fires(&self, row: usize) -> bool {
        self.sum(row) >= self.threshold
    }

    /// Returns w·x.
    #[inline]
    pub fn sum(&self, row: usize) -> i64 {
        let n = self.weights.len();
        self.weights
            .iter()
            .enumerate()
            .map(|(j, w)| if row >> (n - 1 - j) & 1 == 1 { *w } else { 0 })
            .sum()
    }

    /// Returns whether the neuron computes the function on every row.
    pub fn computes(&self, truth: &TruthTable) -> bool {
        self.weights.len() == truth.inputs()
            && (0..truth.rows()).all(|row| self.fires(row) == truth.at(row))
    }

    /// Returns Σ|wⱼ|.
    pub fn size(&self) -> i64 {
        self.weights.iter().map(|w| w.abs()).sum()
    }

    /// Returns the negation of this neuron.
    pub fn not(&self) -> Self {
        Self { weights: self.weights.iter().map(|w| -w).collect(), threshold: 1 - self.threshold }
    }

    /// Returns the usual name of the computed function, if any.
    pub fn name(&self) -> Option<&'static str> {
        let used: Vec<i64> = self.weights.iter().copied().filter(|w| *w != 0).collect();
        let count = used.iter().map(|_| 1_i64).sum();
        let all = |v: i64| used.iter().all(|w| *w == v);
        match (count, self.threshold) {
            (0, t) => Some(if t <= 0 { "always" } else { "never" }),
            (1, 1) if all(1) => Some("input"),
            (1, 0) if all(-1) => Some("NOT"),
            (n, t) if all(1) && t == n => Some("AND"),
            (_, 1) if all(1) => Some("OR"),
            (n, t) if all(-1) && t == 1 - n => Some("NAND"),
            (_, 0) if all(-1) => Some("NOR"),
            (n, t) if all(1) && n % 2 == 1 && t == (n + 1) / 2 => Some("majority"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn neuron(weights: &[i64], threshold: i64) -> Neuron {
        Neuron { weights: weights.to_vec(), threshold }
    }

    #[test]
    fn standard_gates_have_their_names() {
        for (weights, threshold, bits, name) in [
            ([1, 1], 2, "0001", "AND"),
            ([1, 1], 1, "0111", "OR"),
            ([-1, -1], -1, "1110", "NAND"),
            ([-1, -1], 0, "1000", "NOR"),
            ([-1, 0], 0, "1100", "NOT"),
        ] {
            let gate = neuron(&weights, threshold);
            let truth = TruthTable::parse(bits).unwrap().unwrap();
            assert!(gate.computes(&truth), "{name}");
            assert_eq!(gate.name(), Some(name));
            assert!(gate.not().computes(&truth.not()), "{name}");
        }
        assert_eq!(neuron(&[1, 1, 1], 2).name(), Some("majority"));
        assert_eq!(neuron(&[2, 1], 2).name(), None);
    }
}
