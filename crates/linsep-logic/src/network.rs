//! A network of threshold neurons for any Boolean function: one neuron, or two layers with few
//! hidden neurons.
//!
//! Two layers compute every function. The lower bound on the number of hidden neurons is proved as
//! follows:
//!
//! | hidden | why there are no fewer |
//! |---|---|
//! | 0 | |
//! | 2 | no neuron computes it ([`Summable`]), and the negation of a hidden neuron is a neuron |
//! | 3 or 4, up to four essential inputs | exhaustive search of smaller networks (`small.rs`) |
//! | 3, more inputs | neither ∧ nor ∨ of two neurons suffices: see below |
//! | more | not known: a lower bound is given |
//!
//! **Not two neurons.** f = a ∧ b means that every row with output 0 is a 0 of a or of b, while all
//! rows with output 1 are 1s of both. Two rows with output 0 whose sum is that of two rows with
//! output 1 cannot both be 0s of one neuron. Such rows are adjacent in a conflict graph; an odd
//! cycle of this graph rules out two neurons. The same for f̄ rules out a ∨ b, and other outputs of
//! two neurons are these with negated neurons.
//!
//! Networks come from `small.rs` or from a decision list (`lists.rs`). Every neuron has minimal
//! weights. The weights of the output neuron are positive (hidden neurons are negated for this),
//! and the network is verified on the whole table. XOR is NAND and OR into AND, as in the lectures.

use super::lists::{self, Entry};
use super::neuron::Neuron;
use super::small;
use super::summable::Sums;
use super::threshold::{Limits, ThresholdResult, decide};
use super::truth::TruthTable;
use super::{Facts, Summable};
use crate::error::Error;
use linsep_core::Error as Size;
use serde::{Deserialize, Serialize};

/// Largest number of inputs for which networks are searched.
pub const MOST_INPUTS: usize = 12;

/// Neurons in at most two layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Network {
    /// The hidden neurons; empty if one neuron suffices.
    pub hidden: Vec<Neuron>,
    /// The output neuron; its inputs are the hidden neurons, or the inputs if there are none.
    pub output: Neuron,
    /// Lower bound on the number of hidden neurons of any two-layer network.
    pub at_least: usize,
    /// Proof of the lower bound.
    pub proof: Proof,
    /// Proof that one neuron is not enough.
    pub summable: Option<Summable>,
}

/// Proof of the lower bound on the number of hidden neurons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// The network has no hidden neurons.
    OneNeuron,
    /// A summable set: no neuron computes the function, nor does a single hidden one.
    Summable,
    /// Exhaustive search of all smaller networks.
    Exhausted,
    /// The conflict graphs of the function and of its negation have odd cycles.
    OddCycles,
    /// No proof.
    Nothing,
}

impl Proof {
    /// Returns the meaning as a sentence fragment for messages.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::OneNeuron => "one neuron computes it",
            Self::Summable => "not a threshold function, and one hidden neuron adds nothing",
            Self::Exhausted => "exhaustive search found no network with fewer hidden neurons",
            Self::OddCycles => "rows that no two neurons can divide form a cycle of odd length",
            Self::Nothing => "no lower bound proved",
        }
    }
}

impl Network {
    /// Returns the output for a row.
    pub fn fires(&self, row: usize) -> bool {
        if self.hidden.is_empty() {
            return self.output.fires(row);
        }
        // Weights of long lists are large; `i128` sums cannot overflow.
        let firing = self.hidden.iter().zip(&self.output.weights).filter(|(h, _)| h.fires(row));
        firing.map(|(_, w)| i128::from(*w)).sum::<i128>() >= self.output.threshold.into()
    }

    /// Returns whether the network computes the function on every row.
    pub fn computes(&self, truth: &TruthTable) -> bool {
        (0..truth.rows()).all(|row| self.fires(row) == truth.at(row))
    }

    /// Returns whether no two-layer network has fewer hidden neurons.
    pub fn is_minimal(&self) -> bool {
        self.at_least == self.hidden.len()
    }
}

/// Finds a network for a function.
///
/// # Panics
///
/// If the network found does not compute the function, which would be a bug.
pub fn network(truth: &TruthTable, limits: &Limits) -> Result<Network, Error> {
    if truth.inputs() > MOST_INPUTS {
        let got = truth.inputs();
        return Err(Size::TooLarge { what: "inputs", got, most: MOST_INPUTS }.into());
    }
    let network = match decide(truth, limits) {
        ThresholdResult::Threshold(least) => Network {
            hidden: Vec::new(),
            output: least.neuron,
            at_least: 0,
            proof: Proof::OneNeuron,
            summable: None,
        },
        ThresholdResult::Summable(summable) => two_layers(truth, Some(summable), *limits),
        ThresholdResult::Undecided => two_layers(truth, None, *limits),
    };
    assert!(network.computes(truth), "a network computes what it was made for");
    Ok(network)
}

fn two_layers(truth: &TruthTable, summable: Option<Summable>, limits: Limits) -> Network {
    // 1. Up to four essential inputs: all networks with two or three hidden neurons.
    let essential = Facts::of(truth).essential();
    let small = essential.len() <= small::MOST_INPUTS;
    let tried = if small { small::fewest(&truth.restricted(&essential, 0)) } else { None };
    let (hidden, output) = match tried {
        Some(layers) => {
            let whole = layers.hidden.iter().map(|hidden| widened(truth, &essential, hidden));
            (whole.map(|hidden| neuron(&hidden, limits)).collect(), layers.output)
        }
        None => listed(truth, limits),
    };

    // 2. Lower bound on the number of hidden neurons.
    let summable_says = if summable.is_some() { (2, Proof::Summable) } else { (0, Proof::Nothing) };
    let (at_least, proof) = match hidden.len() {
        0..=2 => summable_says,
        3 if small => (3, Proof::Exhausted),
        _ if small => (4, Proof::Exhausted),
        _ if has_odd_cycle(truth) && has_odd_cycle(&truth.not()) => (3, Proof::OddCycles),
        _ => summable_says,
    };
    let (hidden, output) = positive(hidden, output);
    Network { hidden, output, at_least, proof, summable }
}

/// Extends a function of the essential inputs to all inputs.
fn widened(truth: &TruthTable, essential: &[usize], inner: &TruthTable) -> TruthTable {
    TruthTable::collect(truth.inputs(), |row| {
        let on = |j: &usize| usize::from(row & truth.stride(*j) != 0);
        inner.at(essential.iter().fold(0, |sum, j| 2 * sum + on(j)))
    })
}

/// Returns the minimal neuron for a threshold function.
///
/// # Panics
///
/// If no neuron computes the function.
fn neuron(truth: &TruthTable, limits: Limits) -> Neuron {
    match decide(truth, &limits) {
        ThresholdResult::Threshold(least) => least.neuron,
        other => panic!("the function was made by a neuron: {other:?}"),
    }
}

/// Returns a decision list as two layers.
fn listed(truth: &TruthTable, limits: Limits) -> (Vec<Neuron>, Neuron) {
    let rounds = match truth.inputs() {
        0..=8 => 24,
        9..=10 => 3,
        _ => 1,
    };
    let list = lists::shortest(truth, rounds, None);
    // Weights grow with every change of output along the list. If they grow too large, the list is
    // restricted to one output.
    let (list, output) = if let Some(output) = output_of(&list) {
        (list, output)
    } else {
        let list = lists::shortest(truth, 1, Some(true));
        let output = Neuron { weights: vec![1; list.len()], threshold: 1 };
        (list, output)
    };
    let own = |entry: &Entry| {
        let computed = TruthTable::collect(truth.inputs(), |row| entry.neuron.fires(row));
        neuron(&computed, limits)
    };
    (list.iter().map(own).collect(), least_output(&list, output, limits))
}

/// Returns a list as an output neuron: each entry outweighs all later ones of the other output.
/// `None` if a weight exceeds the integers that doubles represent exactly.
fn output_of(list: &[Entry]) -> Option<Neuron> {
    const MOST: i64 = 1 << 53;
    let (mut weights, mut against) = (vec![0_i64; list.len()], [0_i64; 2]);
    for (entry, weight) in list.iter().zip(&mut weights).rev() {
        let size = against[usize::from(!entry.output)] + 1;
        let own = &mut against[usize::from(entry.output)];
        *own += size;
        if *own > MOST {
            return None;
        }
        *weight = if entry.output { size } else { -size };
    }
    // If no neuron fires, the output is the opposite of the last entry's.
    let threshold = i64::from(list.last()?.output);
    Some(Neuron { weights, threshold })
}

/// Minimizes the weights of the output neuron if the list is short.
fn least_output(list: &[Entry], output: Neuron, limits: Limits) -> Neuron {
    const SHORT: usize = 10;
    if list.len() > SHORT {
        return output;
    }
    neuron(&TruthTable::collect(list.len(), |firing| lists::output(list, firing)), limits)
}

/// Negates hidden neurons so that the output's weights are positive.
fn positive(mut hidden: Vec<Neuron>, mut output: Neuron) -> (Vec<Neuron>, Neuron) {
    for (neuron, weight) in hidden.iter_mut().zip(&mut output.weights).filter(|(_, w)| **w < 0) {
        output.threshold -= *weight;
        *weight = -*weight;
        *neuron = neuron.not();
    }
    (hidden, output)
}

/// Returns whether the conflict graph of the rows with output 0 has an odd cycle, that is, whether
/// no two neurons cover them: see the header.
fn has_odd_cycle(truth: &TruthTable) -> bool {
    let sums = Sums::of(truth, true);
    let zeros: Vec<usize> = truth.rows_with(false).collect();
    let mut side: Vec<Option<bool>> = vec![None; zeros.len()];
    for start in 0..zeros.len() {
        if side[start].is_some() {
            continue;
        }
        side[start] = Some(false);
        let mut walk = vec![start];
        while let Some(at) = walk.pop() {
            for other in
                (0..zeros.len()).filter(|&o| o != at && sums.contains_sum(zeros[at], zeros[o]))
            {
                if side[other] == side[at] {
                    return true;
                }
                if side[other].is_none() {
                    side[other] = side[at].map(|side| !side);
                    walk.push(other);
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use linsep_core::math::rng::Rng;

    fn of(truth: &TruthTable) -> Network {
        network(truth, &Limits::default()).unwrap()
    }

    #[test]
    fn xor_is_nand_and_or_into_and() {
        let xor = of(&TruthTable::parse("0110").unwrap().unwrap());
        let names: Vec<_> = xor.hidden.iter().chain([&xor.output]).map(Neuron::name).collect();
        assert_eq!(names, [Some("NAND"), Some("OR"), Some("AND")]);
        assert!(xor.is_minimal() && xor.proof == Proof::Summable);
    }

    #[test]
    fn threshold_functions_take_one_neuron() {
        let and = of(&TruthTable::parse("0001").unwrap().unwrap());
        assert_eq!((and.hidden.len(), and.output.name()), (0, Some("AND")));
        assert!(and.is_minimal());
    }

    /// Every function of three inputs; the number with two hidden neurons is compared with brute
    /// force over all outputs and pairs.
    #[test]
    fn three_input_functions_have_minimal_networks() {
        let mut counts = [0_usize; 5];
        for code in 0..256_u32 {
            let truth = TruthTable::collect(3, |row| code >> row & 1 == 1);
            let network = of(&truth);
            assert!(network.computes(&truth) && network.is_minimal(), "{}", truth.bits());
            counts[network.hidden.len()] += 1;
        }
        // 104 threshold functions; parity and its negation take three.
        assert_eq!(counts[0], 104);
        assert_eq!(counts.iter().sum::<usize>(), 256);
        let brute = brute_two();
        assert_eq!(counts[2], brute.len());
    }

    /// Returns the functions of three inputs that are no threshold functions, but a function of two
    /// of them.
    fn brute_two() -> std::collections::BTreeSet<u32> {
        let single = |code: u32| {
            let truth = TruthTable::collect(3, |row| code >> row & 1 == 1);
            matches!(decide(&truth, &Limits::default()), ThresholdResult::Threshold(_))
        };
        let all: Vec<u32> = (0..256).filter(|&code| single(code)).collect();
        let mut found = std::collections::BTreeSet::new();
        for &a in &all {
            for &b in &all {
                // Every threshold function of two neurons, that is, all but XOR and its negation.
                for gate in (0..16_u32).filter(|gate| ![6, 9].contains(gate)) {
                    let out = |row: u32| gate >> (2 * (a >> row & 1) + (b >> row & 1)) & 1;
                    let code = (0..8).fold(0, |code, row| code | out(row) << row);
                    if !single(code) {
                        found.insert(code);
                    }
                }
            }
        }
        found
    }

    #[test]
    fn four_input_functions_have_minimal_networks() {
        for round in 0..60 {
            let mut rng = Rng::new(8, round);
            let code = rng.below(1 << 16);
            let truth = TruthTable::collect(4, |row| code >> row & 1 == 1);
            let network = of(&truth);
            assert!(network.computes(&truth) && network.hidden.len() <= 4, "{}", truth.bits());
            assert!(network.is_minimal(), "{}", truth.bits());
        }
    }

    #[test]
    fn networks_of_parities_and_random_functions() {
        for n in 5..=7 {
            let parity = TruthTable::collect(n, |row| row.count_ones() % 2 == 1);
            let network = of(&parity);
            assert_eq!((network.hidden.len(), network.at_least), (n, 3));
            assert_eq!(network.proof, Proof::OddCycles);
        }
        for round in 0..10 {
            let mut rng = Rng::new(9, round);
            let code: Vec<bool> = (0..64).map(|_| rng.below(2) == 1).collect();
            let truth = TruthTable::collect(6, |row| code[row]);
            assert!(of(&truth).computes(&truth));
        }
        // An input on which the function does not depend has weight 0.
        let truth = TruthTable::collect(5, |row| (row >> 2 ^ row) & 1 == 1);
        let network = of(&truth);
        assert_eq!(network.hidden.len(), 2);
        assert!(network.hidden.iter().all(|neuron| neuron.weights[0] == 0));
    }

    #[test]
    fn long_decision_lists_stay_within_integer_range() {
        // The weights of this list are the Fibonacci numbers.
        let entry = |i: usize| Entry {
            neuron: Neuron { weights: vec![1], threshold: 1 },
            output: i.is_multiple_of(2),
        };
        let list = |h: usize| (0..h).map(entry).collect::<Vec<_>>();
        let few = output_of(&list(5)).unwrap();
        assert_eq!((&few.weights[..], few.threshold), (&[8, -5, 3, -2, 1][..], 1));
        assert!(output_of(&list(70)).is_some() && output_of(&list(90)).is_none());
        // More hidden neurons than a word has bits.
        let mut rng = Rng::new(10, 0);
        let code: Vec<bool> = (0..1024).map(|_| rng.below(2) == 1).collect();
        let truth = TruthTable::collect(10, |row| code[row]);
        let network = of(&truth);
        assert!(network.computes(&truth) && network.hidden.len() > 64);
        assert!(
            super::network(&TruthTable::collect(13, |row| row % 3 == 1), &Limits::default())
                .is_err()
        );
    }
}
