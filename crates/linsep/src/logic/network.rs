//! A network of threshold neurons for any Boolean function: one neuron, or two layers with as few hidden neurons as are found.
//!
//! Every function is computed by two layers. How few hidden neurons suffice is known
//!
//! | hidden | why there are no fewer |
//! |---|---|
//! | 0 | |
//! | 2 | a certificate that no neuron computes it ([`Summable`]); and one hidden neuron gives the output only itself or its negation, which is a neuron too |
//! | 3 or 4, up to four inputs that matter | all networks with fewer were tried (`small.rs`) |
//! | 3, more inputs | neither ∧ nor ∨ of two neurons will do: see below |
//! | more | not known: a lower bound is given |
//!
//! **No two neurons.** f = a ∧ b means that every row with output 0 is in the 0s of a or of b, while all rows with output 1 are in the 1s of both. Two
//! rows whose sum is that of two rows with output 1 cannot both be 0s of one neuron. Such rows are joined; if walking along the joins goes round in a circle of odd
//! length, two neurons cannot share the rows among them. The same for f̄ settles a ∨ b, and other outputs of two neurons are these with negated
//! neurons.
//!
//! Networks come from `small.rs` or from a decision list (`lists.rs`). Every neuron has its least weights, the output's are
//! positive (hidden neurons are negated for that), and the network is checked on the whole table. XOR is NAND and OR into AND, as in the lectures.

use super::lists::{self, Entry};
use super::neuron::Neuron;
use super::small;
use super::summable::Sums;
use super::threshold::{Limits, Verdict, decide};
use super::truth::Truth;
use super::{Facts, Summable};
use crate::error::Error;

/// Inputs up to which networks are looked for.
pub const MOST_INPUTS: usize = 12;

/// Neurons in at most two layers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The hidden neurons; none where one neuron suffices.
    pub hidden: Vec<Neuron>,
    /// The neuron whose inputs are the hidden ones, or the inputs themselves.
    pub output: Neuron,
    /// No network of two layers has fewer hidden neurons than this.
    pub at_least: usize,
    /// What proves that.
    pub proof: Proof,
    /// What proves that one neuron is not enough.
    pub summable: Option<Summable>,
}

/// Why no network has fewer hidden neurons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// There are none.
    OneNeuron,
    /// A summable set: no neuron computes it, and so does no single hidden one.
    Summable,
    /// Every network with fewer was tried.
    Exhausted,
    /// Rows that cannot share a neuron form circles of odd length.
    OddCircles,
    /// Nothing is known.
    Nothing,
}

impl Proof {
    /// In words for a person.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::OneNeuron => "one neuron computes it",
            Self::Summable => "no neuron computes it, and a single hidden one adds nothing",
            Self::Exhausted => "every network with fewer hidden neurons was tried",
            Self::OddCircles => {
                "rows that no two neurons can share out form a circle of odd length"
            }
            Self::Nothing => "nothing is proved",
        }
    }
}

impl Network {
    /// The output for a row.
    pub fn fires(&self, row: usize) -> bool {
        if self.hidden.is_empty() {
            return self.output.fires(row);
        }
        // The weights of long lists are large, and so many of them may be.
        let firing = self.hidden.iter().zip(&self.output.weights).filter(|(h, _)| h.fires(row));
        firing.map(|(_, w)| i128::from(*w)).sum::<i128>() >= self.output.threshold.into()
    }

    /// Whether it computes the function: on every row.
    pub fn computes(&self, truth: &Truth) -> bool {
        (0..truth.rows()).all(|row| self.fires(row) == truth.at(row))
    }

    /// Whether no network of two layers has fewer hidden neurons.
    pub fn is_minimal(&self) -> bool {
        self.at_least == self.hidden.len()
    }
}

/// A network for a function.
///
/// # Panics
///
/// If the network found does not compute the function, which would be a fault of this program.
pub fn network(truth: &Truth, limits: &Limits) -> Result<Network, Error> {
    if truth.inputs() > MOST_INPUTS {
        return Err(Error::TooLarge { what: "inputs", got: truth.inputs(), most: MOST_INPUTS });
    }
    let network = match decide(truth, limits) {
        Verdict::Threshold(least) => Network {
            hidden: Vec::new(),
            output: least.neuron,
            at_least: 0,
            proof: Proof::OneNeuron,
            summable: None,
        },
        Verdict::Summable(summable) => two_layers(truth, Some(summable), *limits),
        Verdict::Undecided => two_layers(truth, None, *limits),
    };
    assert!(network.computes(truth), "a network computes what it was made for");
    Ok(network)
}

fn two_layers(truth: &Truth, summable: Option<Summable>, limits: Limits) -> Network {
    // 1. Up to four inputs that matter: all networks with two or three.
    let essential = Facts::of(truth).essential();
    let small = essential.len() <= small::MOST_INPUTS;
    let tried = if small { small::fewest(&reduced(truth, &essential)) } else { None };
    let (hidden, output) = match tried {
        Some(layers) => {
            let whole = layers.hidden.iter().map(|hidden| widened(truth, &essential, hidden));
            (whole.map(|hidden| neuron(&hidden, limits)).collect(), layers.output)
        }
        None => listed(truth, limits),
    };

    // 2. What is known about fewer.
    let summable_says = if summable.is_some() { (2, Proof::Summable) } else { (0, Proof::Nothing) };
    let (at_least, proof) = match hidden.len() {
        0..=2 => summable_says,
        3 if small => (3, Proof::Exhausted),
        _ if small => (4, Proof::Exhausted),
        _ if odd_circle(truth) && odd_circle(&truth.not()) => (3, Proof::OddCircles),
        _ => summable_says,
    };
    let (hidden, output) = positive(hidden, output);
    Network { hidden, output, at_least, proof, summable }
}

/// The function of the inputs that matter alone.
fn reduced(truth: &Truth, essential: &[usize]) -> Truth {
    let e = essential.len();
    Truth::collect(e, |row| {
        let on = (0..e).filter(|k| row >> (e - 1 - k) & 1 == 1);
        truth.at(on.fold(0, |sum, k| sum | truth.stride(essential[k])))
    })
}

/// A function of the inputs that matter as one of all inputs.
fn widened(truth: &Truth, essential: &[usize], inner: &Truth) -> Truth {
    Truth::collect(truth.inputs(), |row| {
        let on = |j: &usize| usize::from(row & truth.stride(*j) != 0);
        inner.at(essential.iter().fold(0, |sum, j| 2 * sum + on(j)))
    })
}

/// The least neuron for a function that one computes.
///
/// # Panics
///
/// If none does.
fn neuron(truth: &Truth, limits: Limits) -> Neuron {
    match decide(truth, &limits) {
        Verdict::Threshold(least) => least.neuron,
        other => panic!("the function was made by a neuron: {other:?}"),
    }
}

/// A decision list as two layers.
fn listed(truth: &Truth, limits: Limits) -> (Vec<Neuron>, Neuron) {
    let rounds = match truth.inputs() {
        0..=8 => 24,
        9..=10 => 3,
        _ => 1,
    };
    let list = lists::shortest(truth, rounds, None);
    // Weights grow with every change of output along the list; where they grow too large, all entries have one output.
    let (list, output) = if let Some(output) = output_of(&list) {
        (list, output)
    } else {
        let list = lists::shortest(truth, 1, Some(true));
        let output = Neuron { weights: vec![1; list.len()], threshold: 1 };
        (list, output)
    };
    let own = |entry: &Entry| {
        let computed = Truth::collect(truth.inputs(), |row| entry.neuron.fires(row));
        neuron(&computed, limits)
    };
    (list.iter().map(own).collect(), least_output(&list, output, limits))
}

/// A list as a neuron: each entry outweighs all later ones of the other output. `None` where that takes weights that doubles do not
/// hold.
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
    // Where nothing fires the output is the opposite of the last entry's.
    let threshold = i64::from(list.last()?.output);
    Some(Neuron { weights, threshold })
}

/// The same with the least weights, where the list is short.
fn least_output(list: &[Entry], output: Neuron, limits: Limits) -> Neuron {
    const SHORT: usize = 10;
    if list.len() > SHORT {
        return output;
    }
    neuron(&Truth::collect(list.len(), |firing| lists::output(list, firing)), limits)
}

/// Hidden neurons negated so that the output's weights are positive.
fn positive(mut hidden: Vec<Neuron>, mut output: Neuron) -> (Vec<Neuron>, Neuron) {
    for (neuron, weight) in hidden.iter_mut().zip(&mut output.weights).filter(|(_, w)| **w < 0) {
        output.threshold -= *weight;
        *weight = -*weight;
        *neuron = neuron.not();
    }
    (hidden, output)
}

/// Whether the rows with output 0 cannot be shared out among two neurons: see the header.
fn odd_circle(truth: &Truth) -> bool {
    let sums = Sums::of(truth, true);
    let zeros: Vec<usize> = truth.where_it_is(false).collect();
    let mut side: Vec<Option<bool>> = vec![None; zeros.len()];
    for start in 0..zeros.len() {
        if side[start].is_some() {
            continue;
        }
        side[start] = Some(false);
        let mut walk = vec![start];
        while let Some(at) = walk.pop() {
            for other in (0..zeros.len()).filter(|&o| o != at && sums.meets(zeros[at], zeros[o])) {
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
    use crate::math::rng::Rng;

    fn of(truth: &Truth) -> Network {
        network(truth, &Limits::default()).unwrap()
    }

    #[test]
    fn xor_as_in_the_lectures() {
        let xor = of(&Truth::parse("0110").unwrap().unwrap());
        let names: Vec<_> = xor.hidden.iter().chain([&xor.output]).map(Neuron::name).collect();
        assert_eq!(names, [Some("NAND"), Some("OR"), Some("AND")]);
        assert!(xor.is_minimal() && xor.proof == Proof::Summable);
    }

    #[test]
    fn one_neuron_where_that_is_enough() {
        let and = of(&Truth::parse("0001").unwrap().unwrap());
        assert_eq!((and.hidden.len(), and.output.name()), (0, Some("AND")));
        assert!(and.is_minimal());
    }

    /// Every function of three inputs, with the number of hidden neurons against brute force over all outputs and all pairs and triples.
    #[test]
    fn every_function_of_three_inputs_has_the_fewest() {
        let mut counts = [0_usize; 5];
        for code in 0..256_u32 {
            let truth = Truth::collect(3, |row| code >> row & 1 == 1);
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

    /// The functions of three inputs that are no threshold functions, but some function of two such.
    fn brute_two() -> std::collections::BTreeSet<u32> {
        let single = |code: u32| {
            let truth = Truth::collect(3, |row| code >> row & 1 == 1);
            matches!(decide(&truth, &Limits::default()), Verdict::Threshold(_))
        };
        let all: Vec<u32> = (0..256).filter(|&code| single(code)).collect();
        let mut found = std::collections::BTreeSet::new();
        for &a in &all {
            for &b in &all {
                // Every output of two neurons that is a neuron, XOR and its negation left out.
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
    fn functions_of_four_inputs() {
        for round in 0..60 {
            let mut rng = Rng::new(8, round);
            let code = rng.below(1 << 16);
            let truth = Truth::collect(4, |row| code >> row & 1 == 1);
            let network = of(&truth);
            assert!(network.computes(&truth) && network.hidden.len() <= 4, "{}", truth.bits());
            assert!(network.is_minimal(), "{}", truth.bits());
        }
    }

    #[test]
    fn parities_and_random_functions_of_more_inputs() {
        for n in 5..=7 {
            let parity = Truth::collect(n, |row| row.count_ones() % 2 == 1);
            let network = of(&parity);
            assert_eq!((network.hidden.len(), network.at_least), (n, 3));
            assert_eq!(network.proof, Proof::OddCircles);
        }
        for round in 0..10 {
            let mut rng = Rng::new(9, round);
            let code: Vec<bool> = (0..64).map(|_| rng.below(2) == 1).collect();
            let truth = Truth::collect(6, |row| code[row]);
            assert!(of(&truth).computes(&truth));
        }
        // An input that does not matter has no weight.
        let truth = Truth::collect(5, |row| (row >> 2 ^ row) & 1 == 1);
        let network = of(&truth);
        assert_eq!(network.hidden.len(), 2);
        assert!(network.hidden.iter().all(|neuron| neuron.weights[0] == 0));
    }

    #[test]
    fn long_lists_still_fit_numbers() {
        // The weights of such a list are Fibonacci's numbers.
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
        let truth = Truth::collect(10, |row| code[row]);
        let network = of(&truth);
        assert!(network.computes(&truth) && network.hidden.len() > 64);
        assert!(
            super::network(&Truth::collect(13, |row| row % 3 == 1), &Limits::default()).is_err()
        );
    }
}
