//! Decision lists of neurons: two-layer networks for any function, built greedily.
//!
//! ```text
//!   if neuron 1 fires: c₁
//!   else if neuron 2 fires: c₂
//!   …
//!   else if neuron h fires: c_h
//!   else not c_h
//! ```
//!
//! A neuron is appended if all remaining rows for which it fires have the same output; those rows
//! are then removed. For given weights w these rows form a *tail*: the remaining rows whose sum w·x
//! exceeds that of every remaining row with the other output, or is below it. Weights with a long
//! tail are searched by changing one weight by 1 at a time, from several starting points. The
//! vertex weights w = ±1 of any remaining row have a tail of at least one row. So the list ends
//! after at most 2ⁿ − 1 neurons. A parity of n inputs takes n.
//!
//! A list is a threshold function of its neurons, with weights ±2^(h−i), so it is a network of two
//! layers with h hidden neurons. AND, OR and thresholds in the same direction are lists; majorities
//! of neurons are not.

use super::neuron::Neuron;
use super::truth::TruthTable;
use linsep_core::math::rng::Rng;

/// A neuron of a list, and the output if it is the first to fire.
pub(super) struct Entry {
    pub(super) neuron: Neuron,
    pub(super) output: bool,
}

/// Returns the shortest list found in `rounds` rounds, restricted to entries with output `only` if
/// given.
pub(super) fn shortest(truth: &TruthTable, rounds: u64, only: Option<bool>) -> Vec<Entry> {
    let lists = (0..rounds).map(|round| decision_list(truth, only, &mut Rng::new(0, round)));
    lists.min_by_key(Vec::len).unwrap_or_default()
}

/// Returns the output of a list for a pattern of firing neurons: bit h − 1 − i of `firing` is
/// neuron i of h, counted from 0.
pub(super) fn output(entries: &[Entry], firing: usize) -> bool {
    let h = entries.len();
    let first = (0..h).find(|i| firing >> (h - 1 - i) & 1 == 1);
    first.map_or_else(|| !entries[h - 1].output, |i| entries[i].output)
}

/// Rows beyond all rows of the other output, in one direction.
struct Tail {
    count: usize,
    entry: Entry,
}

fn decision_list(truth: &TruthTable, only: Option<bool>, rng: &mut Rng) -> Vec<Entry> {
    let mut left: Vec<usize> = (0..truth.rows()).collect();
    let mut list = Vec::new();
    while left.iter().any(|&row| truth.at(row) != truth.at(left[0])) {
        let Some(Tail { entry, .. }) = longest(truth, &left, only, rng) else { break };
        left.retain(|&row| !entry.neuron.fires(row));
        list.push(entry);
    }
    list
}

/// Returns the longest tail found from several starting points.
fn longest(truth: &TruthTable, left: &[usize], only: Option<bool>, rng: &mut Rng) -> Option<Tail> {
    const CORNERS: usize = 6;
    const RANDOM: usize = 4;
    let n = truth.inputs();
    let mut starts = vec![vec![1; n]];
    let wanted = |row: &usize| only.is_none_or(|output| truth.at(*row) == output);
    let corners: Vec<usize> = left.iter().copied().filter(wanted).collect();
    for _ in 0..CORNERS {
        let row = corners[rng.below(corners.len() as u64) as usize];
        starts.push(truth.row(row).iter().map(|&x| 2 * i64::from(x) - 1).collect());
    }
    for _ in 0..RANDOM {
        starts.push((0..n).map(|_| rng.below(7).cast_signed() - 3).collect());
    }
    let climbed = starts.into_iter().filter_map(|start| climb(truth, left, only, start));
    climbed.reduce(|best, tail| if tail.count > best.count { tail } else { best })
}

/// Changes one weight by 1 as long as the tail grows (hill climbing).
fn climb(
    truth: &TruthTable,
    left: &[usize],
    only: Option<bool>,
    mut weights: Vec<i64>,
) -> Option<Tail> {
    let mut best = tail(truth, left, only, &weights);
    loop {
        let mut better = None;
        for j in 0..weights.len() {
            for step in [-1, 1] {
                weights[j] += step;
                let found = tail(truth, left, only, &weights);
                let count = |tail: &Option<Tail>| tail.as_ref().map_or(0, |tail| tail.count);
                if count(&found) > count(&best) {
                    (best, better) = (found, Some((j, step)));
                }
                weights[j] -= step;
            }
        }
        let Some((j, step)) = better else { return best };
        weights[j] += step;
    }
}

/// Returns the longest of the four tails of these weights: top or bottom, output 0 or 1.
fn tail(truth: &TruthTable, left: &[usize], only: Option<bool>, weights: &[i64]) -> Option<Tail> {
    let up = Neuron { weights: weights.to_vec(), threshold: 0 };
    let sums: Vec<(i64, bool)> = left.iter().map(|&row| (up.sum(row), truth.at(row))).collect();
    let mut best: Option<Tail> = None;
    for (turn, output) in [(1, true), (1, false), (-1, true), (-1, false)] {
        if only.is_some_and(|only| only != output) {
            continue;
        }
        let others = sums.iter().filter(|(_, own)| *own != output);
        let most = others.map(|(sum, _)| turn * sum).max()?;
        let count = sums.iter().filter(|(sum, _)| turn * sum > most).count();
        if count > best.as_ref().map_or(0, |tail| tail.count) {
            let weights = weights.iter().map(|w| turn * w).collect();
            let neuron = Neuron { weights, threshold: most + 1 };
            best = Some(Tail { count, entry: Entry { neuron, output } });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(truth: &TruthTable, only: Option<bool>) -> usize {
        let list = shortest(truth, 4, only);
        assert!(list.iter().all(|entry| only.is_none_or(|output| entry.output == output)));
        for row in 0..truth.rows() {
            let fire = |sum: usize, entry: &Entry| 2 * sum + usize::from(entry.neuron.fires(row));
            let firing = list.iter().fold(0, fire);
            assert_eq!(output(&list, firing), truth.at(row), "{} row {row}", truth.bits());
        }
        list.len()
    }

    #[test]
    fn decision_lists_compute_their_function() {
        for n in 2..=6 {
            let parity = TruthTable::collect(n, |row| row.count_ones() % 2 == 1);
            assert_eq!(check(&parity, None), n);
            assert_eq!(check(&parity, Some(true)), 1 << (n - 1), "no two rows go together");
        }
        for round in 0..40 {
            let mut rng = Rng::new(4, round);
            let code: Vec<bool> = (0..32).map(|_| rng.below(2) == 1).collect();
            let truth = TruthTable::collect(5, |row| code[row]);
            assert!(check(&truth, None) <= 8);
            check(&truth, Some(round % 2 == 0));
        }
    }
}
