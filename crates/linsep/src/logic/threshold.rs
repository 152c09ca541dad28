//! Is a Boolean function a threshold function? With the least whole weights, or with the proof that there are none.
//!
//! In the canonical form (w₁ ≥ w₂ ≥ … ≥ 0) write wₖ = uₖ + uₖ₊₁ + … with u ≥ 0, and let pₖ(x) be how many of the first k inputs of x
//! are 1. A neuron is a solution of
//!
//! ```text
//!   minimise Σ|wₖ| = Σ k uₖ     subject to     p(x)·u ≥ T          lowest rows x with output 1
//!                                              p(x)·u ≤ T − 1      highest rows x with output 0,      u ≥ 0 whole, T ≥ 0
//! ```
//!
//! since rows above the lowest have sums no smaller. **Least of all weights**, not only of those in this order: an input
//! that does not matter needs no weight; the sign of every other weight, and the order of any two that are not exchangeable, are
//! those of every neuron for the function (see [`Facts`](super::Facts)); and exchangeable inputs may have their weights sorted. T = 0
//! or more costs nothing, and with whole weights it may be taken whole.
//!
//! The program is solved in whole numbers ([`Program`]): no solution means no neuron, and then a [`Summable`] set is looked for. Either answer
//! is checked on the whole table before it is given.
//!
//! Cost: 2ⁿ n for the canonical form; the program has as many rows as there are lowest and highest rows, and n + 1 columns.

use super::canonical::{Canonical, above, below, prefixes};
use super::neuron::Neuron;
use super::summable::Summable;
use super::truth::Truth;
use crate::math::exact::program::{Optimum, Program};

/// How much may be done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Parts that branch and bound looks at until the weights found are proved to be the least, or not.
    pub parts: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { parts: 20_000 }
    }
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A neuron computes it.
    Threshold(Least),
    /// No neuron does.
    Summable(Summable),
    /// It could not be settled with what was allowed.
    Undecided,
}

/// A neuron, and how small its weights are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Least {
    /// The neuron.
    pub neuron: Neuron,
    /// No neuron with whole weights has a smaller Σ|wⱼ| than this.
    pub bound: i64,
}

impl Least {
    /// Whether no neuron has smaller weights.
    pub fn is_proved(&self) -> bool {
        self.bound == self.neuron.size()
    }
}

/// Settles it.
pub fn decide(truth: &Truth, limits: &Limits) -> Verdict {
    // 1. A canonical form, or two rows against two.
    let canonical = match Canonical::of(truth) {
        Ok(canonical) => canonical,
        Err(summable) => return checked(truth, Some(summable)),
    };

    // 2. The program; without it where nothing matters.
    let Some((weights, threshold, bound)) = least(&canonical.truth, *limits) else {
        return checked(truth, Summable::find(truth));
    };

    // 3. Back, and once over the table.
    let (weights, threshold) = canonical.back(&weights, threshold);
    let neuron = Neuron { weights, threshold };
    if neuron.computes(truth) {
        Verdict::Threshold(Least { neuron, bound })
    } else {
        Verdict::Undecided
    }
}

fn checked(truth: &Truth, summable: Option<Summable>) -> Verdict {
    summable.filter(|found| found.holds(truth)).map_or(Verdict::Undecided, Verdict::Summable)
}

/// Weights, threshold and bound for a canonical function; `None` where there are none or none were found.
fn least(truth: &Truth, limits: Limits) -> Option<(Vec<i64>, i64, i64)> {
    let n = truth.inputs();
    if n == 0 {
        return Some((Vec::new(), i64::from(!truth.at(0)), 0));
    }
    let (lowest, highest) = extremes(truth);
    let program = program(n, &lowest, &highest);
    // Multiplying a solution by a whole number gives a solution, so fractions will do where the budget ends.
    let (u, bound) = match program.least_whole(n, limits.parts) {
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

/// The lowest rows with output 1 and the highest with output 0.
fn extremes(truth: &Truth) -> (Vec<usize>, Vec<usize>) {
    let n = truth.inputs();
    let lowest = truth.where_it_is(true).filter(|&row| below(row, n).all(|row| !truth.at(row)));
    let highest = truth.where_it_is(false).filter(|&row| above(row, n).all(|row| truth.at(row)));
    (lowest.collect(), highest.collect())
}

/// Unknowns u₁, …, uₙ, T.
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

    fn answer(n: usize, f: impl Fn(usize) -> bool) -> Verdict {
        decide(&Truth::collect(n, f), &Limits::default())
    }

    fn neuron(n: usize, f: impl Fn(usize) -> bool) -> (Vec<i64>, i64) {
        match answer(n, f) {
            Verdict::Threshold(least) => {
                assert!(least.is_proved());
                (least.neuron.weights, least.neuron.threshold)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn lectures_and_textbooks() {
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

    /// All functions of up to 4 inputs: how many are threshold functions, and that each answer holds.
    #[test]
    fn every_function_of_up_to_four_inputs() {
        for (n, want) in [(0, 2), (1, 4), (2, 14), (3, 104), (4, 1882)] {
            let least = brute(n);
            let mut threshold = 0;
            for code in 0..1_u64 << (1 << n) {
                let truth = Truth::collect(n, |row| code >> row & 1 == 1);
                match decide(&truth, &Limits::default()) {
                    Verdict::Threshold(found) => {
                        threshold += 1;
                        assert!(found.neuron.computes(&truth) && found.is_proved());
                        assert_eq!(Some(&found.bound), least.get(&code), "{}", truth.bits());
                    }
                    Verdict::Summable(found) => {
                        assert!(found.holds(&truth), "{}", truth.bits());
                        assert!(!least.contains_key(&code));
                    }
                    Verdict::Undecided => panic!("{}", truth.bits()),
                }
            }
            assert_eq!((threshold, least.len()), (want, want));
        }
    }

    /// The least Σ|w| of every function that some neuron with |wⱼ| ≤ 5 computes. The least weights of four inputs sum to 9 at
    /// most, so smaller ones would be among them.
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

    /// Random neurons of 5 to 8 inputs come back with weights that are no larger, and a function one row away from one is settled too.
    #[test]
    fn random_functions_of_more_inputs() {
        use crate::math::rng::Rng;
        let (mut yes, mut no) = (0, 0);
        for round in 0..400 {
            let mut rng = Rng::new(5, round);
            let n = 5 + rng.below(4) as usize;
            let weights: Vec<i64> = (0..n).map(|_| rng.below(15).cast_signed() - 7).collect();
            let threshold = rng.below(11).cast_signed() - 5;
            let made = Neuron { weights, threshold };
            let truth = Truth::collect(n, |row| made.fires(row));
            let Verdict::Threshold(found) = decide(&truth, &Limits::default()) else {
                panic!("{made:?}")
            };
            assert!(found.neuron.computes(&truth) && found.is_proved(), "{found:?}");
            assert!(found.neuron.size() <= made.size());
            let other = rng.below(1 << n) as usize;
            let near = Truth::collect(n, |row| truth.at(row) != (row == other));
            match decide(&near, &Limits::default()) {
                Verdict::Threshold(found) => {
                    yes += 1;
                    assert!(found.neuron.computes(&near));
                }
                Verdict::Summable(found) => {
                    no += 1;
                    assert!(found.holds(&near));
                }
                Verdict::Undecided => panic!("{}", near.bits()),
            }
        }
        assert!(yes > 20 && no > 20, "{yes} {no}");
    }
}
