//! Decides whether a Boolean function is a threshold function: minimal integer weights, or a proof
//! that there are none.
//!
//! In the canonical form (w₁ ≥ w₂ ≥ … ≥ 0) write wₖ = uₖ + uₖ₊₁ + … with u ≥ 0, and let pₖ(x) be
//! the number of 1s among the first k inputs of x. A neuron is a solution of
//!
//! ```text
//!   minimize Σ|wₖ| = Σ k uₖ     subject to     p(x)·u ≥ T          lowest rows x with output 1
//!                                              p(x)·u ≤ T − 1      highest rows x with output 0
//!                                              u ≥ 0 integer, T ≥ 0
//! ```
//!
//! since rows above the lowest have sums at least as large. The weights are **minimal among all
//! weights**, not only among those in this order. An input on which f does not depend needs no
//! weight. The sign of every other weight, and the order of any two that are not exchangeable, are
//! the same in every neuron for the function (see [`Facts`](super::Facts)). Exchangeable inputs may
//! have their weights sorted. T ≥ 0 is no restriction, and with integer weights T may be chosen as
//! an integer.
//!
//! The integer program is solved exactly ([`Program`]). If it is infeasible there is no neuron, and
//! a [`Summable`] set is searched. Either result is verified on the whole table.
//!
//! Cost: 2ⁿ n for the canonical form; the program has one row per lowest or highest row, and n + 1
//! columns.

use super::canonical::{Canonical, above, below, prefixes};
use super::neuron::Neuron;
use super::summable::Summable;
use super::truth::TruthTable;
use linsep_core::math::exact::program::{Optimum, Program};
use serde::{Deserialize, Serialize};

/// Limits of the computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest number of branch-and-bound nodes; beyond it the weights found need not be proved
    /// minimal.
    pub parts: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { parts: 20_000 }
    }
}

/// Result of the decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThresholdResult {
    /// A neuron computes the function.
    Threshold(MinimalNeuron),
    /// No neuron computes the function.
    Summable(Summable),
    /// Not decided within the limits.
    Undecided,
}

/// A neuron, with a lower bound on its weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MinimalNeuron {
    /// The neuron.
    pub neuron: Neuron,
    /// Lower bound on Σ|wⱼ| over all neurons with integer weights.
    pub bound: i64,
}

impl MinimalNeuron {
    /// Returns whether the weights are proved minimal.
    pub fn is_proved(&self) -> bool {
        self.bound == self.neuron.size()
    }
}

/// Decides whether the function is a threshold function.
pub fn decide(truth: &TruthTable, limits: &Limits) -> ThresholdResult {
    // 1. The canonical form, or a 2-summable set.
    let canonical = match Canonical::of(truth) {
        Ok(canonical) => canonical,
        Err(summable) => return checked(truth, Some(summable)),
    };

    // 2. The integer program, unless no input is essential.
    let Some((weights, threshold, bound)) = least(&canonical.truth, *limits) else {
        return checked(truth, Summable::find(truth));
    };

    // 3. Conversion to the original inputs, and verification on the whole table.
    let (weights, threshold) = canonical.back(&weights, threshold);
    let neuron = Neuron { weights, threshold };
    if neuron.computes(truth) {
        ThresholdResult::Threshold(MinimalNeuron { neuron, bound })
    } else {
        ThresholdResult::Undecided
    }
}

fn checked(truth: &TruthTable, summable: Option<Summable>) -> ThresholdResult {
    summable
        .filter(|found| found.holds(truth))
        .map_or(ThresholdResult::Undecided, ThresholdResult::Summable)
}

/// Returns weights, threshold and bound for a canonical function; `None` if there are none or none
/// were found.
fn least(truth: &TruthTable, limits: Limits) -> Option<(Vec<i64>, i64, i64)> {
    let n = truth.inputs();
    if n == 0 {
        return Some((Vec::new(), i64::from(!truth.at(0)), 0));
    }
    let (lowest, highest) = extremes(truth);
    let program = program(n, &lowest, &highest);
    // Integer multiples of a solution are solutions, so a scaled fractional solution suffices at
    // the limit.
    let (u, bound) = match program.integer_minimum(n, limits.parts) {
        Optimum::Found { x, bound, .. } => (x, bound),
        Optimum::Open { scaled, bound } => (scaled?, bound),
        Optimum::Infeasible => return None,
    };
    let mut weights = u;
    for k in (0..n - 1).rev() {
        weights[k] += weights[k + 1];
    }
    let neuron = Neuron { weights, threshold: 0 };
    let threshold = lowest.iter().map(|&row| neuron.sum(row)).min()?;
    Some((neuron.weights, threshold, bound))
}

/// Returns the lowest rows with output 1 and the highest with output 0.
fn extremes(truth: &TruthTable) -> (Vec<usize>, Vec<usize>) {
    let n = truth.inputs();
    let lowest = truth.rows_with(true).filter(|&row| below(row, n).all(|row| !truth.at(row)));
    let highest = truth.rows_with(false).filter(|&row| above(row, n).all(|row| truth.at(row)));
    (lowest.collect(), highest.collect())
}

/// Returns the program in the unknowns u₁, …, uₙ, T.
fn program(n: usize, lowest: &[usize], highest: &[usize]) -> Program {
    let c = (1..).take(n).chain([0]).collect();
    let ones = lowest.iter().map(|&row| prefixes(row, n).chain([-1]).collect());
    let zeros = highest.iter().map(|&row| prefixes(row, n).map(|p| -p).chain([1]).collect());
    let b = vec![0; lowest.len()].into_iter().chain(vec![1; highest.len()]).collect();
    Program { c, a: ones.chain(zeros).collect(), b }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(n: usize, f: impl Fn(usize) -> bool) -> ThresholdResult {
        decide(&TruthTable::collect(n, f), &Limits::default())
    }

    fn neuron(n: usize, f: impl Fn(usize) -> bool) -> (Vec<i64>, i64) {
        match answer(n, f) {
            ThresholdResult::Threshold(least) => {
                assert!(least.is_proved());
                (least.neuron.weights, least.neuron.threshold)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn known_functions_have_minimal_weights() {
        assert_eq!(neuron(2, |row| row == 3), (vec![1, 1], 2));
        assert_eq!(neuron(2, |row| row != 3), (vec![-1, -1], -1));
        assert_eq!(neuron(3, |row| row.count_ones() >= 2), (vec![1, 1, 1], 2));
        assert_eq!(neuron(3, |_| true), (vec![0, 0, 0], 0));
        assert_eq!(neuron(0, |_| false), (vec![], 1));
        // x₁ ∧ ¬(x₂ ∨ x₃).
        assert_eq!(neuron(3, |row| row == 4), (vec![1, -1, -1], 1));
        // Nested: x₁ ∨ x₂(x₃ ∨ x₄ x₅) has the weights 5, 3, 2, 1, 1.
        let nested = |row: usize| {
            let x = |j: usize| row >> (5 - j) & 1 == 1;
            x(1) || x(2) && (x(3) || x(4) && x(5))
        };
        assert_eq!(neuron(5, nested), (vec![5, 3, 2, 1, 1], 5));
    }

    /// All functions of up to 4 inputs: the number of threshold functions, and the validity of each
    /// result.
    #[test]
    fn functions_of_up_to_four_inputs_agree_with_brute_force() {
        for (n, want) in [(0, 2), (1, 4), (2, 14), (3, 104), (4, 1882)] {
            let least = brute(n);
            let mut threshold = 0;
            for code in 0..1_u64 << (1 << n) {
                let truth = TruthTable::collect(n, |row| code >> row & 1 == 1);
                match decide(&truth, &Limits::default()) {
                    ThresholdResult::Threshold(found) => {
                        threshold += 1;
                        assert!(found.neuron.computes(&truth) && found.is_proved());
                        assert_eq!(Some(&found.bound), least.get(&code), "{}", truth.bits());
                    }
                    ThresholdResult::Summable(found) => {
                        assert!(found.holds(&truth), "{}", truth.bits());
                        assert!(!least.contains_key(&code));
                    }
                    ThresholdResult::Undecided => panic!("{}", truth.bits()),
                }
            }
            assert_eq!((threshold, least.len()), (want, want));
        }
    }

    /// Returns the minimal Σ|w| of every function that some neuron with |wⱼ| ≤ 5 computes. The
    /// minimal weights of four inputs sum to at most 9, so they are among these.
    fn brute(n: usize) -> std::collections::HashMap<u64, i64> {
        const MOST: i64 = 5;
        let side = 2 * MOST as u32 + 1;
        let mut least = std::collections::HashMap::new();
        for code in 0..side.pow(n as u32) {
            let weights: Vec<i64> =
                (0..n).map(|j| i64::from(code / side.pow(j as u32) % side) - MOST).collect();
            let neuron = Neuron { weights, threshold: 0 };
            if neuron.size() > 9 {
                continue;
            }
            let sums: Vec<i64> = (0..1 << n).map(|row| neuron.sum(row)).collect();
            for threshold in -10..=10 {
                let on = sums.iter().enumerate().filter(|(_, sum)| **sum >= threshold);
                let code = on.fold(0, |code, (row, _)| code | 1_u64 << row);
                let size = least.entry(code).or_insert(i64::MAX);
                *size = neuron.size().min(*size);
            }
        }
        least
    }

    /// Random neurons of 5 to 8 inputs are recovered with weights no larger. Functions that differ
    /// in one row are decided too.
    #[test]
    fn random_neurons_are_recovered_with_no_larger_weights() {
        use linsep_core::math::rng::Rng;
        let (mut yes, mut no) = (0, 0);
        for round in 0..400 {
            let mut rng = Rng::new(5, round);
            let n = 5 + rng.below(4) as usize;
            let weights: Vec<i64> = (0..n).map(|_| rng.below(15).cast_signed() - 7).collect();
            let threshold = rng.below(11).cast_signed() - 5;
            let made = Neuron { weights, threshold };
            let truth = TruthTable::collect(n, |row| made.fires(row));
            let ThresholdResult::Threshold(found) = decide(&truth, &Limits::default()) else {
                panic!("{made:?}")
            };
            assert!(found.neuron.computes(&truth) && found.is_proved(), "{found:?}");
            assert!(found.neuron.size() <= made.size());
            let other = rng.below(1 << n) as usize;
            let near = TruthTable::collect(n, |row| truth.at(row) != (row == other));
            match decide(&near, &Limits::default()) {
                ThresholdResult::Threshold(found) => {
                    yes += 1;
                    assert!(found.neuron.computes(&near));
                }
                ThresholdResult::Summable(found) => {
                    no += 1;
                    assert!(found.holds(&near));
                }
                ThresholdResult::Undecided => panic!("{}", near.bits()),
            }
        }
        assert!(yes > 20 && no > 20, "{yes} {no}");
    }
}
