//! Minimal number of hidden neurons for functions of up to four inputs, by exhaustive search.
//!
//! Hidden neurons can be replaced by their negations, which are neurons too. So an output neuron
//! that depends on all h hidden ones is, up to such replacements, a *positive* threshold function
//! of h inputs:
//!
//! ```text
//!   h = 2:   a∧b,  a∨b
//!   h = 3:   a∧b∧c,  a∨b∨c,  a∧(b∨c),  a∨(b∧c),  maj(a, b, c)
//! ```
//!
//! The forms with outer ∨ are the forms with outer ∧ of the negated function. The neurons of four
//! inputs are 1882 sets of 16 rows, each a 16-bit number, so every pair and every triple can be
//! tried. If none fits, no network with that number of hidden neurons exists.

use super::neuron::Neuron;
use super::truth::TruthTable;
use std::collections::BTreeMap;

/// Largest number of inputs.
pub(super) const MOST_INPUTS: usize = 4;

/// Hidden functions and the output neuron, whose inputs they are.
pub(super) struct Layers {
    pub(super) hidden: Vec<TruthTable>,
    pub(super) output: Neuron,
}

/// Returns the minimal network with two or three hidden neurons; `None` if there is none.
pub(super) fn fewest(truth: &TruthTable) -> Option<Layers> {
    let n = truth.inputs();
    let code = |truth: &TruthTable| truth.rows_with(true).fold(0_u16, |code, row| code | 1 << row);
    let full = code(&TruthTable::collect(n, |_| true));
    let (all, f) = (threshold_functions(n), code(truth));
    let layers = |codes: &[u16], weights: &[i64], threshold: i64| {
        let hidden = codes.iter().map(|code| TruthTable::collect(n, |row| code >> row & 1 == 1));
        Layers { hidden: hidden.collect(), output: Neuron { weights: weights.to_vec(), threshold } }
    };
    // Negating the function and all hidden ones turns ∧ into ∨.
    let not = |codes: &[u16]| codes.iter().map(|code| !code & full).collect::<Vec<u16>>();
    let g = !f & full;
    let two = match (both(&all, f), both(&all, g)) {
        // The form with the smaller weights; AND in case of a tie.
        (Some((_, c)), None) => Some(layers(&c, &[1, 1], 2)),
        (Some((size, c)), Some((other, _))) if size <= other => Some(layers(&c, &[1, 1], 2)),
        (_, Some((_, c))) => Some(layers(&not(&c), &[1, 1], 1)),
        (None, None) => None,
    };
    let all: Vec<u16> = all.iter().map(|(_, code)| *code).collect();
    two.or_else(|| three(&all, f).map(|c| layers(&c, &[1, 1, 1], 3)))
        .or_else(|| three(&all, g).map(|c| layers(&not(&c), &[1, 1, 1], 1)))
        .or_else(|| majority(&all, f).map(|c| layers(&c, &[1, 1, 1], 2)))
        .or_else(|| one_and_either(&all, f).map(|c| layers(&c, &[2, 1, 1], 3)))
        .or_else(|| one_and_either(&all, g).map(|c| layers(&not(&c), &[2, 1, 1], 2)))
}

/// Returns every threshold function of n ≤ 4 inputs with its Σ|w|, in ascending order. Weights up
/// to 3 suffice, as their number shows.
fn threshold_functions(n: usize) -> Vec<(i64, u16)> {
    const MOST: i64 = 3;
    let side = 2 * MOST as u32 + 1;
    let mut sizes = BTreeMap::new();
    for number in 0..side.pow(n as u32) {
        let weights =
            (0..n).map(|j| i64::from(number / side.pow(j as u32) % side) - MOST).collect();
        let neuron = Neuron { weights, threshold: 0 };
        let sums: Vec<i64> = (0..1 << n).map(|row| neuron.sum(row)).collect();
        let most = sums.iter().map(|sum| sum.abs()).max().unwrap_or(0);
        for threshold in -most..=most + 1 {
            let on = (0..1 << n).filter(|&row: &usize| sums[row] >= threshold);
            let code = on.fold(0_u16, |code, row| code | 1 << row);
            // Ties go to neurons with fewer negative weights.
            let negative = neuron.weights.iter().filter(|w| **w < 0).count();
            let rank = sizes.entry(code).or_insert((i64::MAX, 0));
            *rank = (neuron.size(), negative).min(*rank);
        }
    }
    let mut all: Vec<_> = sizes.into_iter().map(|(code, rank)| (rank, code)).collect();
    all.sort_unstable();
    all.into_iter().map(|((size, _), code)| (size, code)).collect()
}

/// Returns the functions that are 1 wherever f is.
fn over(all: &[u16], f: u16) -> Vec<u16> {
    all.iter().copied().filter(|a| a & f == f).collect()
}

/// Returns a and b with a ∧ b = f and the smallest weights, in the order of their codes.
fn both(all: &[(i64, u16)], f: u16) -> Option<(i64, [u16; 2])> {
    let over: Vec<(i64, u16)> = all.iter().copied().filter(|(_, a)| a & f == f).collect();
    let mut best: Option<(i64, [u16; 2])> = None;
    for (i, &(size, a)) in over.iter().enumerate() {
        // Later functions have no smaller weights.
        if best.is_some_and(|(least, _)| 2 * size >= least) {
            break;
        }
        if let Some(&(other, b)) = over[i + 1..].iter().find(|(_, b)| a & b == f) {
            let sum = size + other;
            if best.is_none_or(|(least, _)| sum < least) {
                best = Some((sum, [a.min(b), a.max(b)]));
            }
        }
    }
    best
}

/// Returns a, b, c with a ∧ b ∧ c = f. Only minimal sets matter: a larger set constrains the others
/// more.
fn three(all: &[u16], f: u16) -> Option<[u16; 3]> {
    let over = least(&over(all, f));
    for (i, &a) in over.iter().enumerate() {
        for (k, &b) in over.iter().enumerate().skip(i + 1) {
            if let Some(&c) = over[k + 1..].iter().find(|&&c| a & b & c == f) {
                return Some([a, b, c]);
            }
        }
    }
    None
}

/// Returns a, b, c with a ∧ (b ∨ c) = f: within a, b and c are subsets of f that cover it.
fn one_and_either(all: &[u16], f: u16) -> Option<[u16; 3]> {
    for a in over(all, f) {
        let parts: Vec<u16> = all.iter().copied().filter(|b| b & a & !f == 0).collect();
        // Uncovered rest of f for each candidate; only minimal rests matter.
        let rests = least(&parts.iter().map(|b| !b & f).collect::<Vec<_>>());
        for (i, x) in rests.iter().enumerate() {
            if let Some(y) = rests[i..].iter().find(|y| x & **y == 0) {
                let leaving = |rest: u16| parts.iter().copied().find(|b| !b & f == rest);
                return Some([a, leaving(*x)?, leaving(*y)?]);
            }
        }
    }
    None
}

/// Returns the sets that contain no other, without repeats.
fn least(sets: &[u16]) -> Vec<u16> {
    let mut sorted = sets.to_vec();
    sorted.sort_unstable_by_key(|set| (set.count_ones(), *set));
    let mut kept: Vec<u16> = Vec::new();
    for set in sorted {
        if kept.iter().all(|small| set & small != *small) {
            kept.push(set);
        }
    }
    kept
}

/// Returns a, b, c with maj(a, b, c) = f: f equals a and b where they agree, and c where they
/// differ.
fn majority(all: &[u16], f: u16) -> Option<[u16; 3]> {
    for (i, &a) in all.iter().enumerate() {
        for &b in all[i + 1..].iter().filter(|&&b| (a ^ f) & (b ^ f) == 0) {
            if let Some(&c) = all.iter().find(|&&c| (c ^ f) & (a ^ b) == 0) {
                return Some([a, b, c]);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threshold_functions_are_enumerated() {
        let counts: Vec<usize> = (0..=4).map(|n| threshold_functions(n).len()).collect();
        assert_eq!(counts, [2, 4, 14, 104, 1_882]);
    }

    #[test]
    fn least_returns_the_minimal_sets() {
        assert_eq!(least(&[0b111, 0b001, 0b110, 0b010, 0b010]), [0b001, 0b010]);
    }
}
