//! What can be said of a Boolean function at a glance.
//!
//! * **Chow parameters** (m; s₁, …, sₙ): how many rows have output 1, and how many of them have xⱼ = 1. A threshold
//!   function is the only function with its parameters (Chow, 1961). With b = 2s − m, weight j of any neuron that computes it has
//!   the sign of bⱼ, and |bᵢ| > |bⱼ| makes |wᵢ| > |wⱼ|.
//! * **Unate** in xⱼ: raising xⱼ never lowers the output (positive), or never raises it (negative). A threshold function is unate
//!   in every input.
//! * **Symmetric** inputs: exchanging them changes nothing.
//! * **Self-dual**: f(x̄) = f̄(x).
//!
//! Cost: n 2ⁿ for the inputs, n² 2ⁿ for the pairs.

use super::truth::Truth;

/// How the output goes with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unate {
    /// It does not.
    Independent,
    /// Up, or not at all.
    Positive,
    /// Down, or not at all.
    Negative,
    /// Up in some rows and down in others.
    Binate,
}

impl Unate {
    /// The name used in every face.
    pub fn name(self) -> &'static str {
        match self {
            Self::Independent => "independent",
            Self::Positive => "positive",
            Self::Negative => "negative",
            Self::Binate => "both ways",
        }
    }
}

/// Facts about a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// m: rows with output 1.
    pub ones: usize,
    /// sⱼ: those of them with xⱼ = 1.
    pub chow: Vec<usize>,
    /// How the output goes with each input.
    pub unate: Vec<Unate>,
    /// Inputs that can be exchanged with one another, from 0; each input is in one group.
    pub symmetric: Vec<Vec<usize>>,
    /// Whether f(x̄) is always the opposite of f(x).
    pub self_dual: bool,
}

impl Facts {
    /// Of a function.
    pub fn of(truth: &Truth) -> Self {
        let n = truth.inputs();
        let chow = (0..n)
            .map(|j| truth.where_it_is(true).filter(|row| row & truth.stride(j) != 0).count());
        let unate = (0..n).map(|j| match slopes(truth, j) {
            (None, None) => Unate::Independent,
            (Some(_), None) => Unate::Positive,
            (None, Some(_)) => Unate::Negative,
            (Some(_), Some(_)) => Unate::Binate,
        });
        let mut symmetric: Vec<Vec<usize>> = Vec::new();
        for j in 0..n {
            // Being exchangeable is transitive, so one of each group speaks for it.
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

    /// Whether the output goes one way with every input.
    pub fn is_unate(&self) -> bool {
        !self.unate.contains(&Unate::Binate)
    }

    /// Whether raising an input never lowers the output.
    pub fn is_monotone(&self) -> bool {
        self.unate.iter().all(|u| matches!(u, Unate::Independent | Unate::Positive))
    }

    /// The inputs that matter, from 0.
    pub fn essential(&self) -> Vec<usize> {
        (0..self.unate.len()).filter(|&j| self.unate[j] != Unate::Independent).collect()
    }
}

/// The first row with xⱼ = 0 where raising xⱼ raises the output, and the first where it lowers it.
pub(super) fn slopes(truth: &Truth, j: usize) -> (Option<usize>, Option<usize>) {
    let stride = truth.stride(j);
    let low = || (0..truth.rows()).filter(|row| row & stride == 0);
    let find =
        |from: bool| low().find(|&row| truth.at(row) == from && truth.at(row | stride) != from);
    (find(false), find(true))
}

fn exchangeable(truth: &Truth, i: usize, j: usize) -> bool {
    let (a, b) = (truth.stride(i), truth.stride(j));
    (0..truth.rows())
        .filter(|row| row & a != 0 && row & b == 0)
        .all(|row| truth.at(row) == truth.at(row ^ a ^ b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(bits: &str) -> Facts {
        Facts::of(&Truth::parse(bits).unwrap().unwrap())
    }

    #[test]
    fn of_majority_and_of_xor() {
        let majority = facts("00010111");
        assert_eq!((majority.ones, &majority.chow[..]), (4, &[3, 3, 3][..]));
        assert!(majority.is_monotone() && majority.self_dual);
        assert_eq!(majority.symmetric, [[0, 1, 2]]);
        let xor = facts("0110");
        assert_eq!(xor.unate, [Unate::Binate; 2]);
        assert_eq!((xor.chow, xor.self_dual), (vec![1, 1], false));
    }

    #[test]
    fn of_an_input_that_does_not_matter() {
        // x₁ and not x₃.
        let facts = facts("00001010");
        assert_eq!(facts.unate, [Unate::Positive, Unate::Independent, Unate::Negative]);
        assert_eq!(facts.essential(), [0, 2]);
        assert!(facts.is_unate() && !facts.is_monotone());
        assert_eq!(facts.symmetric, [[0], [1], [2]]);
    }
}
