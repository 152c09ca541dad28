//! Decision rules on interval scores.
//!
//! | rule | predicted class |
//! |---|---|
//! | sign | z ≥ t: the second class |
//! | argmax | the class with the largest score |
//! | one-or-last | the class with the largest score ≥ 0; the last class if all scores are < 0 |
//! | vote | the class with the most votes; among ties the largest sum over the class's pairs |
//!
//! With a confidence limit, rows below the limit have no class: "abstained" is one more outcome.
//! [`outcome`] returns an outcome only if every point of the box of intervals has this outcome.

use crate::settings::{Abstain, Scheme, Settings};

/// A closed interval.
pub type Interval = (f64, f64);

/// Prediction of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Predicted class.
    Class(usize),
    /// No prediction: the confidence is below the limit.
    Abstained,
}

/// Returns the common outcome of all scores of a box, if there is one.
pub fn outcome(settings: &Settings, k: usize, z: &[Interval]) -> Option<Outcome> {
    if k == 2 {
        return of_one(settings, z[0]);
    }
    match settings.scheme {
        Scheme::OneVsRestButLast => one_or_last(z).map(Outcome::Class),
        Scheme::OneVsOne => vote(k, z).map(Outcome::Class),
        _ => argmax(settings, z),
    }
}

fn of_one(settings: &Settings, (low, high): Interval) -> Option<Outcome> {
    let t = settings.threshold;
    let sides = (low >= t, high < t);
    match settings.abstain {
        None if sides.0 => Some(Outcome::Class(1)),
        None if sides.1 => Some(Outcome::Class(0)),
        None => None,
        Some(Abstain::Margin(m)) => {
            // Tolerance for the rounding error of z − t.
            let hair = 1e-12 * (1.0 + t.abs() + m);
            if low - t > m + hair || m == 0.0 && sides.0 {
                Some(Outcome::Class(1))
            } else if high - t < -m - hair || m == 0.0 && sides.1 {
                Some(Outcome::Class(0))
            } else if low - t > hair - m && high - t < m - hair {
                Some(Outcome::Abstained)
            } else {
                None
            }
        }
        Some(Abstain::Probability(p)) => {
            let sigmoid = |z: f64| 1.0 / (1.0 + (-z).exp());
            let hair = 1e-12;
            let (least, most, class) = if sides.0 {
                (sigmoid(low), sigmoid(high), 1)
            } else if sides.1 {
                (sigmoid(-high), sigmoid(-low), 0)
            } else {
                // Both sides of t: certain only if the model abstains on both sides.
                let over = sigmoid(high).max(sigmoid(-low)) < p - hair;
                return over.then_some(Outcome::Abstained);
            };
            if least > p + hair {
                Some(Outcome::Class(class))
            } else if most < p - hair {
                Some(Outcome::Abstained)
            } else {
                None
            }
        }
    }
}

fn argmax(settings: &Settings, z: &[Interval]) -> Option<Outcome> {
    let k = z.len();
    let rival = |a: usize, end: fn(&Interval) -> f64| {
        let others = z.iter().enumerate().filter(|(j, _)| *j != a);
        others.map(|(_, z)| end(z)).fold(f64::NEG_INFINITY, f64::max)
    };
    let winner = (0..k).find(|&a| z[a].0 > rival(a, |z| z.1));
    match settings.abstain {
        None => winner.map(Outcome::Class),
        Some(Abstain::Margin(m)) => {
            let hair = 1e-12 * (1.0 + m);
            let sure = winner.filter(|&a| z[a].0 - rival(a, |z| z.1) > m + hair);
            // The lead of every class is below m.
            let open = (0..k).all(|a| z[a].1 - rival(a, |z| z.0) < m - hair);
            sure.map(Outcome::Class).or(open.then_some(Outcome::Abstained))
        }
        Some(Abstain::Probability(p)) => {
            let hair = 1e-9;
            let likely = |a: usize, best: bool| share(settings, z, a, best);
            let sure = winner.filter(|&a| likely(a, false) > p + hair);
            let open = (0..k).all(|a| likely(a, true) < p - hair);
            sure.map(Outcome::Class).or(open.then_some(Outcome::Abstained))
        }
    }
}

/// Returns the largest (`best`) or the least probability of class a in the box.
fn share(settings: &Settings, z: &[Interval], a: usize, best: bool) -> f64 {
    let end = |j: usize| if (j == a) == best { z[j].1 } else { z[j].0 };
    let softmax = settings.scheme == Scheme::Softmax;
    let size = |j: usize| {
        let value = end(j);
        if softmax { (value - end(a)).exp() } else { 1.0 / (1.0 + (-value).exp()) }
    };
    let sum: f64 = (0..z.len()).map(size).sum();
    if sum > 0.0 { size(a) / sum } else { f64::NAN }
}

fn one_or_last(z: &[Interval]) -> Option<usize> {
    if z.iter().all(|z| z.1 < 0.0) {
        return Some(z.len());
    }
    (0..z.len())
        .find(|&a| z[a].0 >= 0.0 && z.iter().enumerate().all(|(j, z_j)| j == a || z_j.1 < z[a].0))
}

fn vote(k: usize, z: &[Interval]) -> Option<usize> {
    let (mut votes, mut sums) = (vec![0_usize; k], vec![(0.0_f64, 0.0_f64); k]);
    let pairs = (0..k).flat_map(|a| (a + 1..k).map(move |b| (a, b)));
    for ((a, b), &(low, high)) in pairs.zip(z) {
        if low >= 0.0 {
            votes[b] += 1;
        } else if high < 0.0 {
            votes[a] += 1;
        } else {
            return None;
        }
        (sums[b].0, sums[b].1) = (sums[b].0 + low, sums[b].1 + high);
        (sums[a].0, sums[a].1) = (sums[a].0 - high, sums[a].1 - low);
    }
    let most = *votes.iter().max()?;
    let tied = || (0..k).filter(|&c| votes[c] == most);
    let hair = 1e-12 * (1.0 + sums.iter().fold(0.0_f64, |m, s| m.max(s.0.abs()).max(s.1.abs())));
    tied().find(|&a| tied().all(|c| c == a || sums[a].0 > sums[c].1 + hair))
}
