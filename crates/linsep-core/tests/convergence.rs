//! Novikoff's theorem as a property: on data with a unit separator of margin γ the online rule
//! makes at most (R/γ)² updates, for any step length and any order; the batch rule at most n(R/γ)².

#![allow(clippy::unwrap_used)] // tests may unwrap

use linsep_core::math::rng::Rng;
use linsep_core::prelude::*;
use proptest::prelude::*;

/// Draws points of `d` columns, labeled by the sides of a random unit u in the augmented space, and
/// returns their margin γ; `None` if all are on one side.
fn separable(seed: u64, n: usize, d: usize) -> Option<(Design, Labels, f64)> {
    let mut rng = Rng::new(seed, 0);
    let mut uniform = || 2.0 * rng.unit() - 1.0;
    let mut u: Vec<f64> = (0..=d).map(|_| uniform()).collect();
    let length = u.iter().map(|u| u * u).sum::<f64>().sqrt();
    u.iter_mut().for_each(|u| *u /= length);

    let (mut x, mut labels, mut gamma) = (Vec::new(), Vec::new(), f64::INFINITY);
    while labels.len() < n {
        let row: Vec<f64> = (0..d).map(|_| 3.0 * uniform()).collect();
        let score = row.iter().zip(&u).map(|(x, u)| x * u).sum::<f64>() + u[d];
        if score.abs() < 0.05 {
            continue; // small margins would make the bound, and so the test, large
        }
        gamma = gamma.min(score.abs());
        labels.push(if score > 0.0 { "b" } else { "a" });
        x.extend(row);
    }
    let labels = Labels::parse(labels);
    (labels.k() == 2).then(|| (Design::dense(n, d, x).unwrap(), labels, gamma))
}

/// Returns R² = maxᵢ ‖(xᵢ, 1)‖².
fn radius_sq(x: &Design) -> f64 {
    (0..x.n()).map(|i| x.norm_sq(i) + 1.0).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn online_updates_stay_within_the_bound(
        seed in any::<u64>(),
        n in 2..60_usize,
        d in 1..8_usize,
        eta in prop::sample::select(vec![1e-6, 0.1, 1.0, 7.0, 1e6]),
        order in prop::sample::select(Order::ALL.to_vec()),
    ) {
        let Some((x, labels, gamma)) = separable(seed, n, d) else { return Ok(()) };
        let problem = Problem::new(&x, &labels, None).unwrap();
        let bound = radius_sq(&x) / (gamma * gamma);
        let budget = Budget::epochs(bound as u64 + 2);
        let rule = Perceptron { eta, order, seed, budget, ..Perceptron::default() };
        let solution = rule.fit(&problem.against_rest(1), Hyperplane::zero(d), &mut ())
            .unwrap();
        prop_assert_eq!(solution.stop, StopReason::Separated);
        prop_assert!(solution.updates as f64 <= bound * (1.0 + 1e-9), "{} > {bound}", solution.updates);
    }

    #[test]
    fn batch_updates_stay_within_the_bound(seed in any::<u64>(), n in 2..30_usize, d in 1..6_usize) {
        let Some((x, labels, gamma)) = separable(seed, n, d) else { return Ok(()) };
        let problem = Problem::new(&x, &labels, None).unwrap();
        let bound = n as f64 * radius_sq(&x) / (gamma * gamma);
        let solver = BatchPerceptron { budget: Budget::epochs(bound as u64 + 2), ..Default::default() };
        let solution = solver.fit(&problem.against_rest(1), Hyperplane::zero(d), &mut ()).unwrap();
        prop_assert_eq!(solution.stop, StopReason::Separated);
        prop_assert!(solution.updates as f64 <= bound * (1.0 + 1e-9));
    }
}
