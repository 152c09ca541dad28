//! Class constraints of free intercepts: balanced p, and the best intercepts for given scores.
//!
//! The dual of F with free intercepts requires Σᵢ sᵢ pᵢⱼ = Sⱼ for every class; otherwise the
//! Lagrangian is unbounded along bⱼ. Any p in the simplex can be balanced: the excess of a class is
//! at most its total, so it can be moved to a class with a deficit.

use crate::control::Cancel;
use crate::data::Problem;
use crate::math::sum::Sum;

/// Enforces Σᵢ sᵢ pᵢⱼ = Sⱼ for every class. Moves mass from classes with an excess to those with a
/// deficit, in the rows where that costs least. After the time limit the result may be unbalanced.
pub(super) fn balance(p: &mut [f64], v: &[f64], problem: &Problem<'_>, cancel: &Cancel) {
    let (k, s) = (problem.labels().k(), problem.weights());
    let mut excess: Vec<f64> = problem.class_weights().iter().map(|weight| -weight).collect();
    for (j, excess) in excess.iter_mut().enumerate() {
        let of_class = p.iter().skip(j).step_by(k).zip(s).map(|(p, s)| p * s);
        *excess += of_class.collect::<Sum>().value();
    }
    let small = f64::EPSILON * s.iter().sum::<f64>();
    for _ in 0..2 * k {
        if cancel.is_certification_canceled() {
            return;
        }
        // Each iteration settles one of the two classes.
        let from = (0..k).fold(0, |best, j| if excess[j] > excess[best] { j } else { best });
        let to = (0..k).fold(0, |best, j| if excess[j] < excess[best] { j } else { best });
        let amount = excess[from].min(-excess[to]);
        if amount <= small {
            return;
        }
        let cost = |i: usize| v[i * k + from] - v[i * k + to];
        let has = |&i: &usize| p[i * k + from] * s[i] > 0.0;
        let mut rows: Vec<usize> = (0..s.len()).filter(has).collect();
        rows.sort_by(|&a, &b| cost(a).total_cmp(&cost(b)));
        let mut left = amount;
        for i in rows {
            let part = (left / s[i]).min(p[i * k + from]);
            p[i * k + from] -= part;
            p[i * k + to] += part;
            left -= part * s[i];
            if left <= 0.0 {
                break;
            }
        }
        excess[from] -= amount;
        excess[to] += amount;
    }
}

/// Minimizes over each intercept in turn, and returns the changes. Where bⱼ rises past tᵢ = maxₗ≠ⱼ
/// vᵢₗ − vᵢⱼ, the loss of row i starts to rise (or, for a row of class j, stops falling). So the
/// slope is Σ_{tᵢ<bⱼ} sᵢ − Sⱼ, and the best bⱼ is a weighted quantile of the tᵢ. After the time
/// limit some intercepts are unchanged.
pub(super) fn best_biases(v: &mut [f64], problem: &Problem<'_>, cancel: &Cancel) -> Vec<f64> {
    let (k, s) = (problem.labels().k(), problem.weights());
    let weights = problem.class_weights();
    let mut shifts = vec![0.0; k];
    let mut tops: Vec<[usize; 2]> = v.chunks_exact(k).map(two_largest).collect();
    for j in (0..k).take_while(|_| !cancel.is_certification_canceled()) {
        let starts = v.chunks_exact(k).zip(&tops).zip(s);
        let start = |((v, tops), s): ((&[f64], &[usize; 2]), &f64)| {
            let rival = if tops[0] == j { tops[1] } else { tops[0] };
            (v[rival] - v[j], *s)
        };
        let mut starts: Vec<(f64, f64)> = starts.map(start).collect();
        starts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut passed = 0.0;
        let best = starts.iter().find(|(_, s)| {
            passed += s;
            passed >= weights[j]
        });
        let shift = best.map_or(0.0, |(t, _)| *t);
        shifts[j] = shift;
        for (v, tops) in v.chunks_exact_mut(k).zip(&mut tops) {
            v[j] += shift;
            if tops.contains(&j) || v[j] > v[tops[1]] {
                *tops = two_largest(v);
            }
        }
    }
    shifts
}

/// Indices of the largest and the second largest value.
fn two_largest(v: &[f64]) -> [usize; 2] {
    let (mut first, mut second) = if v[1] > v[0] { (1, 0) } else { (0, 1) };
    for (j, value) in v.iter().enumerate().skip(2) {
        if *value > v[first] {
            (first, second) = (j, first);
        } else if *value > v[second] {
            second = j;
        }
    }
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::super::simplex::most;
    use super::super::tests::blobs;
    use super::*;
    use crate::math::rng::Rng;
    use proptest::prelude::{any, prop_assert, prop_assume, proptest};

    proptest! {
        #[test]
        fn balance_is_reached_within_the_simplex(seed in any::<u64>(), n in 3..30_usize, k in 2..6_usize) {
            prop_assume!(n >= k);
            let (x, labels, s) = blobs(seed, n, k);
            let problem = Problem::new(&x, &labels, Some(s)).unwrap();
            let mut rng = Rng::new(seed, 5);
            let v: Vec<f64> = (0..n * k).map(|_| rng.unit()).collect();
            let mut p: Vec<f64> = (0..n * k).map(|_| rng.unit() * rng.unit()).collect();
            for row in p.chunks_exact_mut(k) {
                let total: f64 = row.iter().sum();
                row.iter_mut().for_each(|p| *p /= total);
            }
            balance(&mut p, &v, &problem, &Cancel::default());
            for row in p.chunks_exact(k) {
                prop_assert!(row.iter().all(|p| *p >= 0.0));
                prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
            for (j, weight) in problem.class_weights().iter().enumerate() {
                let of = p.iter().skip(j).step_by(k).zip(problem.weights());
                prop_assert!((of.map(|(p, s)| p * s).sum::<f64>() - weight).abs() < 1e-11);
            }
        }

        #[test]
        fn the_last_intercept_is_optimal_for_the_others(seed in any::<u64>(), n in 3..20_usize) {
            let (x, labels, s) = blobs(seed, n, 3);
            let problem = Problem::new(&x, &labels, Some(s)).unwrap();
            let mut rng = Rng::new(seed, 6);
            let mut v: Vec<f64> = (0..3 * n).map(|_| 4.0 * rng.unit()).collect();
            let codes = labels.codes();
            let loss = |v: &[f64]| -> f64 {
                let rows = v.chunks_exact(3).zip(codes).zip(problem.weights());
                rows.map(|((v, &own), s)| s * (most(v) - v[own as usize])).sum()
            };
            let before = loss(&v);
            best_biases(&mut v, &problem, &Cancel::default());
            let after = loss(&v);
            prop_assert!(after <= before + 1e-12);
            // The last intercept is optimal for the others.
            for step in -40..40 {
                let mut other = v.clone();
                other.iter_mut().skip(2).step_by(3).for_each(|v| *v += 0.1 * f64::from(step));
                prop_assert!(loss(&other) >= after - 1e-9);
            }
        }
    }
}
