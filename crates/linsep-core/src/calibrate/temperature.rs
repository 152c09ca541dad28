//! Temperature scaling: scores are divided by a number T before the conversion to probabilities.
//!
//! With β = 1/T, the likelihood of out-of-fold rows is largest where
//!
//! ```text
//!   L(β) = Σ sᵢ ( ln Σⱼ e^(β zᵢⱼ) − β zᵢₜ ),     L′(β) = Σ sᵢ (Σⱼ pⱼ zᵢⱼ − zᵢₜ) = 0,
//! ```
//!
//! with t the true class of the row; with one hyperplane the scores are 0 and z. L is convex, so L′
//! increases. Its zero is bracketed between 10⁻⁹ and 10⁹ on the scale of the scores, and found by
//! Newton's method, safeguarded by bisection. Without a zero in the bracket, uninformative scores
//! end at the smallest β, scores that separate the rows at the largest.
//!
//! T does not change the order of the classes, so accuracy is unchanged.
//!
//! Cost: about ten passes over the scores.
//! Source: Guo, Pleiss, Sun & Weinberger, *On calibration of modern neural networks*, ICML 2017.

use super::OutOfFoldScores;
use crate::model::{DecisionRule, Link};

/// Fits one number for all scores.
pub(super) fn temperature(held: &OutOfFoldScores) -> Link {
    Link::Temperature(1.0 / inverse(held))
}

/// β = 1/T.
fn inverse(held: &OutOfFoldScores) -> f64 {
    // 1. The bracket, on the scale of the scores.
    let most = held.scores.iter().fold(0.0_f64, |most, z| most.max(z.abs()));
    if most == 0.0 {
        return 1.0;
    }
    let (mut low, mut high) = (1e-9 / most, 1e9 / most);
    if slope(held, low).0 >= 0.0 {
        return low;
    }
    if slope(held, high).0 <= 0.0 {
        return high;
    }

    // 2. Newton's method inside the bracket, else bisection in ln β.
    let mut at = (1.0 / most).clamp(low, high);
    for _ in 0..MOST {
        let (rise, bend) = slope(held, at);
        *(if rise > 0.0 { &mut high } else { &mut low }) = at;
        let newton = at - rise / bend;
        let next = if newton > low && newton < high { newton } else { (low * high).sqrt() };
        if (next - at).abs() <= 1e-14 * at || high <= low * (1.0 + 1e-14) {
            return next;
        }
        at = next;
    }
    at
}

/// Limit on the steps; about ten are usual, and bisection alone would take a hundred.
const MOST: usize = 200;

/// L′ and L″.
fn slope(held: &OutOfFoldScores, beta: f64) -> (f64, f64) {
    let (mut rise, mut bend) = (0.0, 0.0);
    let mut pair = [0.0; 2];
    for ((row, &target), s) in held.rows().zip(&held.target).zip(&held.weights) {
        let z = if held.decide == DecisionRule::Sign {
            pair[1] = row[0];
            &pair
        } else {
            row
        };
        let most = z.iter().fold(f64::NEG_INFINITY, |most, z| most.max(*z));
        let (mut total, mut mean, mut square) = (0.0, 0.0, 0.0);
        for &z in z {
            // Differences from the maximum cannot overflow.
            let (p, away) = ((beta * (z - most)).exp(), z - most);
            total += p;
            mean += p * away;
            square += p * away * away;
        }
        let (mean, square) = (mean / total, square / total);
        rise += s * (mean - (z[target as usize] - most));
        bend += s * (square - mean * mean).max(0.0);
    }
    (rise, bend)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubling_the_scores_doubles_the_temperature() {
        let mut held = [
            OutOfFoldScores::new(DecisionRule::ArgMax, 3),
            OutOfFoldScores::new(DecisionRule::ArgMax, 3),
        ];
        let rows = [
            ([1.0, 0.0, -1.0], 0),
            ([0.5, 0.0, 2.0], 1),
            ([0.0, 3.0, 1.0], 1),
            ([2.0, 1.0, 0.0], 0),
        ];
        for (z, target) in rows {
            held[0].push(0, target, 1.0, &z);
            held[1].push(0, target, 1.0, &z.map(|z| 2.0 * z));
        }
        let [once, twice] = held.map(|held| {
            let beta = inverse(&held);
            assert!(slope(&held, beta).0.abs() < 1e-10);
            1.0 / beta
        });
        assert!((twice / once - 2.0).abs() < 1e-10, "{once} {twice}");
    }
}
