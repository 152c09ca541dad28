//! Isotonic regression: the nondecreasing function nearest to the observed classes.
//!
//! ```text
//!   minimize Σ sᵢ (pᵢ − tᵢ)²  over p₁ ≤ p₂ ≤ …  in the order of the scores,
//!   with t = 1 for a row of the class, else 0.
//! ```
//!
//! Adjacent violators are pooled into their mean until none is left; rows of equal score are pooled
//! from the start. The solution is constant on blocks. Between the last score of a block and the
//! first of the next it is linear. Outside it is constant, so both ends of every block are stored.
//!
//! A block of w rows without the class does not show that its probability is zero. It gets
//! ½/(w + 1) instead of 0; a block with only the class gets (w + ½)/(w + 1) instead of 1. Both stay
//! within the bounds of the adjacent block. Otherwise a single row beyond the last out-of-fold
//! score could have probability 0, and its log-loss would be unbounded.
//!
//! Cost: a sort of the rows.
//! Sources: Zadrozny & Elkan, *Transforming classifier scores into accurate multiclass probability
//! estimates*, KDD 2002; Krichevsky & Trofimov, *The performance of universal encoding*, IEEE
//! Transactions on Information Theory 27 (1981).

use super::{OutOfFoldScores, hyperplanes};
use crate::metric::levels;
use crate::model::{IsotonicMap, Link};

/// Fits a nondecreasing function per hyperplane.
pub(super) fn isotonic(held: &OutOfFoldScores) -> Link {
    let rise = |(up, z): (Vec<bool>, Vec<f64>)| line(&blocks(&up, &z, &held.weights), likely);
    Link::Isotonic(hyperplanes(held).map(rise).collect())
}

struct Block {
    first: f64,
    last: f64,
    up: f64,
    weight: f64,
}

impl Block {
    /// Share of the class among the rows of the block.
    fn share(&self) -> f64 {
        (self.up / self.weight).clamp(0.0, 1.0)
    }
}

/// Unsmoothed isotonic regression: the nondecreasing function of the scores z nearest to the class
/// indicators. Its values may be 0 and 1.
pub fn isotonic_map(up: &[bool], z: &[f64], s: &[f64]) -> IsotonicMap {
    line(&blocks(up, z, s), |blocks, b| blocks[b].share())
}

/// Blocks of pooled adjacent violators, by increasing score.
fn blocks(up: &[bool], z: &[f64], s: &[f64]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for level in levels(up, z, s).iter().rev() {
        let (first, last, weight) = (level.score, level.score, level.up + level.down);
        let mut block = Block { first, last, up: level.up, weight };
        // A block with a share at least as large precedes: products are compared, to avoid
        // division.
        while let Some(before) = blocks.pop_if(|b| b.up * block.weight >= block.up * b.weight) {
            block.first = before.first;
            block.up += before.up;
            block.weight += before.weight;
        }
        blocks.push(block);
    }
    blocks
}

/// Share of a block, kept away from 0 and 1. Only the first block can be without rows of the class,
/// and only the last without others.
fn likely(blocks: &[Block], b: usize) -> f64 {
    let (block, share) = (&blocks[b], blocks[b].share());
    let next = blocks.get(b + 1).map_or(1.0, Block::share);
    let before = b.checked_sub(1).map_or(0.0, |b| blocks[b].share());
    if share == 0.0 {
        (0.5 / (block.weight + 1.0)).min(next)
    } else if share == 1.0 {
        ((block.weight + 0.5) / (block.weight + 1.0)).max(before)
    } else {
        share
    }
}

/// Piecewise linear function through blocks of the given heights.
fn line(blocks: &[Block], height: impl Fn(&[Block], usize) -> f64) -> IsotonicMap {
    let (mut at, mut p) = (Vec::new(), Vec::new());
    for (b, block) in blocks.iter().enumerate() {
        let share = height(blocks, b);
        at.push(block.first);
        p.push(share);
        if block.last > block.first {
            at.push(block.last);
            p.push(share);
        }
    }
    if at.is_empty() {
        // Without any weight nothing is known.
        (at, p) = (vec![0.0], vec![0.5]);
    }
    // Clamps scores whose distance would overflow; the function is constant there.
    const FAR: f64 = f64::MAX / 4.0;
    at.iter_mut().for_each(|at| *at = at.clamp(-FAR, FAR));
    IsotonicMap { at, p }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    #[test]
    fn pooled_blocks_equal_a_hand_computation() {
        // 0 | 1 0 | 1: the middle two are pooled; a tie is one point.
        let rise = isotonic_map(&[false, true, false, true], &[1.0, 2.0, 3.0, 4.0], &[1.0; 4]);
        assert_eq!(rise, IsotonicMap { at: vec![1.0, 2.0, 3.0, 4.0], p: vec![0.0, 0.5, 0.5, 1.0] });
        let tie = isotonic_map(&[true, false, true], &[1.0, 1.0, 2.0], &[3.0, 1.0, 1.0]);
        assert_eq!(tie, IsotonicMap { at: vec![1.0, 2.0], p: vec![0.75, 1.0] });
    }

    #[test]
    fn calibrated_probabilities_are_neither_0_nor_1() {
        let drawn = |up: &[bool], s: &[f64]| {
            let z: Vec<f64> = (0..up.len()).map(|i| i as f64).collect();
            line(&blocks(up, &z, s), likely)
        };
        // 0 0 0 | ½ | 1: three rows, and one.
        let rise = drawn(&[false, false, false, true, false, true], &[1.0; 6]);
        assert_eq!(rise.at, [0.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(rise.p, [0.125, 0.125, 0.5, 0.5, 0.75]);
        // A single row is weak evidence: its value is bounded by the adjacent blocks.
        let rise = drawn(&[false, true, false], &[1.0, 1.0, 9.0]);
        assert_eq!(rise.p, [0.1, 0.1, 0.1]);
        // Two classes without overlap; a row of weight 3 counts as three rows.
        let rise = drawn(&[false, true], &[3.0, 3.0]);
        assert_eq!(rise.p, [0.125, 0.875]);
        assert_eq!(drawn(&[true, true], &[1.0, 1.0]).p, [2.5 / 3.0; 2]);
    }

    /// Max-min formula: p at i is the maximum over a ≤ i of the minimum over b ≥ i of the mean of
    /// a..b.
    #[test]
    fn isotonic_regression_equals_the_max_min_formula() {
        for seed in 0..60 {
            let mut rng = Rng::new(seed, 9);
            let n = 14;
            let z: Vec<f64> = (0..n).map(|i| i as f64).collect();
            let up: Vec<bool> = (0..n).map(|i| rng.unit() < (i as f64 + 3.0) / 20.0).collect();
            let s: Vec<f64> = (0..n).map(|_| 1.0 + rng.below(3) as f64).collect();
            let got = isotonic_map(&up, &z, &s);
            for i in 0..n {
                let mean = |a: usize, b: usize| {
                    let (mut ups, mut all) = (0.0, 0.0);
                    for j in a..=b {
                        ups += if up[j] { s[j] } else { 0.0 };
                        all += s[j];
                    }
                    ups / all
                };
                let least = |a: usize| (i..n).map(|b| mean(a, b)).fold(f64::INFINITY, f64::min);
                let want = (0..=i).map(least).fold(f64::NEG_INFINITY, f64::max);
                assert!((got.value(i as f64) - want).abs() < 1e-12, "{seed} {i}");
            }
        }
    }
}
