//! Isotonic regression: of all lines that never fall, the one nearest to what happened.
//!
//! ```text
//!   minimise Σ sᵢ (pᵢ − tᵢ)²  over p₁ ≤ p₂ ≤ …  in the order of the scores,   t = 1 of a row of the class, else 0.
//! ```
//!
//! Neighbours that are in the wrong order are pooled into their mean until none is left (pool adjacent violators); rows of
//! one score are one from the start. The answer is constant on blocks. Between the last score of a block and the first of the next
//! it is a straight line, and flat outside, so it is kept as the two ends of every block.
//!
//! Cost: sorting.
//! Source: Zadrozny & Elkan, *Transforming classifier scores into accurate multiclass probability estimates*, KDD 2002.

use super::{Entry, planes};
use crate::metric::levels;
use crate::model::{Link, Rise};

pub(super) const ENTRY: Entry = Entry {
    name: "isotonic",
    about: "any rising line for each plane: for a thousand rows and more",
    fit: |held| Link::Isotonic(planes(held).map(|(up, z)| rise(&up, &z, &held.weights)).collect()),
};

struct Block {
    first: f64,
    last: f64,
    up: f64,
    weight: f64,
}

/// The line of one plane.
pub(crate) fn rise(up: &[bool], z: &[f64], s: &[f64]) -> Rise {
    let mut blocks: Vec<Block> = Vec::new();
    for level in levels(up, z, s).iter().rev() {
        let (first, last, weight) = (level.score, level.score, level.up + level.down);
        let mut block = Block { first, last, up: level.up, weight };
        // Is the one before as high? Shares are compared without dividing.
        while let Some(before) = blocks.pop_if(|b| b.up * block.weight >= block.up * b.weight) {
            block.first = before.first;
            block.up += before.up;
            block.weight += before.weight;
        }
        blocks.push(block);
    }
    let (mut at, mut p) = (Vec::new(), Vec::new());
    for block in &blocks {
        let share = (block.up / block.weight).clamp(0.0, 1.0);
        at.push(block.first);
        p.push(share);
        if block.last > block.first {
            at.push(block.last);
            p.push(share);
        }
    }
    if at.is_empty() {
        // Nothing weighs anything: nothing is known.
        (at, p) = (vec![0.0], vec![0.5]);
    }
    // Ends so far apart that their distance is no number are drawn in: the line is flat there all the same.
    const FAR: f64 = f64::MAX / 4.0;
    at.iter_mut().for_each(|at| *at = at.clamp(-FAR, FAR));
    Rise { at, p }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    #[test]
    fn hand_pooled() {
        // 0 | 1 0 | 1: the middle two are pooled; a tie is one point.
        let rise = rise(&[false, true, false, true], &[1.0, 2.0, 3.0, 4.0], &[1.0; 4]);
        assert_eq!(rise, Rise { at: vec![1.0, 2.0, 3.0, 4.0], p: vec![0.0, 0.5, 0.5, 1.0] });
        let tie = super::rise(&[true, false, true], &[1.0, 1.0, 2.0], &[3.0, 1.0, 1.0]);
        assert_eq!(tie, Rise { at: vec![1.0, 2.0], p: vec![0.75, 1.0] });
    }

    /// The largest of the least means: p at i is max over a ≤ i of min over b ≥ i of the mean of a..b.
    #[test]
    fn as_the_formula_of_largest_least_means_has_it() {
        for seed in 0..60 {
            let mut rng = Rng::new(seed, 9);
            let n = 14;
            let z: Vec<f64> = (0..n).map(|i| i as f64).collect();
            let up: Vec<bool> = (0..n).map(|i| rng.unit() < (i as f64 + 3.0) / 20.0).collect();
            let s: Vec<f64> = (0..n).map(|_| 1.0 + rng.below(3) as f64).collect();
            let got = rise(&up, &z, &s);
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
