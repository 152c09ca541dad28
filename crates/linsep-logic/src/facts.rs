//! Basic properties of a Boolean function.
//!
//! * **Chow parameters** (m; s₁, …, sₙ): the number of rows with output 1, and of those with
//!   xⱼ = 1. A threshold function is the only function with its parameters (Chow, 1961). With b =
//!   2s − m, weight j of any neuron that computes it has the sign of bⱼ, and |bᵢ| > |bⱼ| implies
//!   |wᵢ| > |wⱼ|.
//! * **Unate** in xⱼ: raising xⱼ never lowers the output (positive), or never raises it (negative).
//!   A threshold function is unate in every input.
//! * **Symmetric** inputs: exchanging them does not change the function.
//! * **Self-dual**: f(x̄) = f̄(x).
//!
//! Cost: n 2ⁿ for the inputs, n² 2ⁿ for the pairs.

use super::truth::TruthTable;
use serde::{Deserialize, Serialize};

/// Dependence of the output on one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unate {
    /// The output does not depend on the input.
    Independent,
    /// Raising the input never lowers the output.
    Positive,
    /// Raising the input never raises the output.
    Negative,
    /// Raising the input raises the output in some rows and lowers it in others.
    Binate,
}

impl Unate {
    /// Returns the name, the same in every interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Independent => "independent",
            Self::Positive => "positive",
            Self::Negative => "negative",
            Self::Binate => "binate",
        }
    }
}

/// Properties of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// m: the number of rows with output 1.
    pub ones: usize,
    /// sⱼ: the number of those rows with xⱼ = 1.
    pub chow: Vec<usize>,
    /// Dependence of the output on each input.
    pub unate: Vec<Unate>,
    /// Groups of exchangeable inputs, from 0; each input is in one group.
    pub symmetric: Vec<Vec<usize>>,
    /// Whether f(x̄) is always the opposite of f(x).
    pub self_dual: bool,
}

impl Facts {
    /// Computes the properties of a function.
    pub fn of(truth: &TruthTable) -> Self {
        let n = truth.inputs();
        let chow =
            (0..n).map(|j| truth.rows_with(true).filter(|row| row & truth.stride(j) != 0).count());
        let unate = (0..n).map(|j| match slopes(truth, j) {
            (None, None) => Unate::Independent,
            (Some(_), None) => Unate::Positive,
            (None, Some(_)) => Unate::Negative,
            (Some(_), Some(_)) => Unate::Binate,
        });
        let mut symmetric: Vec<Vec<usize>> = Vec::new();
        for j in 0..n {
            // Exchangeability is transitive, so one member of each group is tested.
            match symmetric.iter_mut().find(|group| exchangeable(truth, group[0], j)) {
                Some(group) => group.push(j),
                None => symmetric.push(vec![j]),
            }
        }
        let last = truth.rows() - 1;
        Self {
            ones: truth.ones(),
            chow: chow.collect(),
            unate: unate.collect(),
            symmetric,
            self_dual: (0..truth.rows()).all(|row| truth.at(row) != truth.at(last - row)),
        }
    }

    /// Returns whether the function is unate in every input.
    pub fn is_unate(&self) -> bool {
        !self.unate.contains(&Unate::Binate)
    }

    /// Returns whether raising an input never lowers the output.
    pub fn is_monotone(&self) -> bool {
        self.unate.iter().all(|u| matches!(u, Unate::Independent | Unate::Positive))
    }

    /// Returns the essential inputs, from 0: those on which the output depends.
    pub fn essential(&self) -> Vec<usize> {
        (0..self.unate.len()).filter(|&j| self.unate[j] != Unate::Independent).collect()
    }
}

/// Returns the first row with xⱼ = 0 in which raising xⱼ raises the output, and the first in which
/// it lowers it.
pub(super) fn slopes(truth: &TruthTable, j: usize) -> (Option<usize>, Option<usize>) {
    let stride = truth.stride(j);
    let low = || (0..truth.rows()).filter(|row| row & stride == 0);
    let find =
        |from: bool| low().find(|&row| truth.at(row) == from && truth.at(row | stride) != from);
    (find(false), find(true))
}

fn exchangeable(truth: &TruthTable, i: usize, j: usize) -> bool {
    let (a, b) = (truth.stride(i), truth.stride(j));
    (0..truth.rows())
        .filter(|row| row & a != 0 && row & b == 0)
        .all(|row| truth.at(row) == truth.at(row ^ a ^ b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(bits: &str) -> Facts {
        Facts::of(&TruthTable::parse(bits).unwrap().unwrap())
    }

    #[test]
    fn facts_of_majority_and_xor() {
        let majority = facts("00010111");
        assert_eq!((majority.ones, &majority.chow[..]), (4, &[3, 3, 3][..]));
        assert!(majority.is_monotone() && majority.self_dual);
        assert_eq!(majority.symmetric, [[0, 1, 2]]);
        let xor = facts("0110");
        assert_eq!(xor.unate, [Unate::Binate; 2]);
        assert_eq!((xor.chow, xor.self_dual), (vec![1, 1], false));
    }

    #[test]
    fn irrelevant_inputs_are_independent() {
        // x₁ and not x₃.
        let facts = facts("00001010");
        assert_eq!(facts.unate, [Unate::Positive, Unate::Independent, Unate::Negative]);
        assert_eq!(facts.essential(), [0, 2]);
        assert!(facts.is_unate() && !facts.is_monotone());
        assert_eq!(facts.symmetric, [[0], [1], [2]]);
    }
}
