//! A multiclass dual point that satisfies its constraints exactly.
//!
//! Softmax regression and the Crammer–Singer SVM have the same dual constraints. Every row has a
//! distribution qᵢ over the classes. As intercepts are not penalized, Σ sᵢ qᵢ = N, the total sample
//! weights of the classes. Stored are the parts that row i of class c gives to other classes, fᵢₖ =
//! sᵢ qᵢₖ ≥ 0 for k ≠ c, in whole multiples of one power of two. The true class keeps the rest.
//! Then the constraint says that the flow between classes is a circulation: the inflow of each
//! class equals its outflow. Both are sums of integers.
//!
//! From any distributions:
//!
//! 1. With Q = Σ sᵢqᵢ and 1 − τ = min(1, min Nₖ/Qₖ), qᵢ ← (1−τ) qᵢ + (N − (1−τ)Q)/S, which is ≥ 0
//!    and has the right sums (mixing with the class proportions alone does not).
//! 2. Parts are truncated to multiples of the grid, and to a sum of at most sᵢ.
//! 3. The remaining imbalance of the classes is subtracted from flows along paths from classes with
//!    excess outflow to classes with excess inflow. Without such a path, no point is returned.

use crate::control::Cancel;
use crate::data::Problem;
use crate::math::sum::Sum;
use std::collections::VecDeque;

/// fᵢₖ, row after row; 0 for the true class of the row.
pub(super) struct Flows {
    pub(super) parts: Vec<f64>,
    pub(super) k: usize,
}

/// Largest number of classes with an acceptable k × k table of flows.
const MOST_CLASSES: usize = 4_096;

/// Binary digits of the largest sample weight in units of the grid.
const DIGITS: i32 = 50;

impl Flows {
    /// Returns a feasible point near q; `None` if there is none or the time limit is reached.
    pub(super) fn near(
        problem: &Problem<'_>,
        intercept: bool,
        mut q: Vec<f64>,
        cancel: &Cancel,
    ) -> Option<Self> {
        let (k, s, codes) = (problem.labels().k(), problem.weights(), problem.labels().codes());
        if intercept {
            mix(&mut q, problem, cancel)?;
        }
        let largest = s.iter().fold(0.0_f64, |most, s| most.max(*s));
        let unit = 2.0_f64.powi(largest.log2().floor() as i32 - DIGITS);
        let mut units = q;
        for (i, parts) in units.chunks_exact_mut(k).enumerate() {
            if cancel.is_certification_canceled() {
                return None;
            }
            let own = codes[i] as usize;
            parts[own] = 0.0;
            parts.iter_mut().for_each(|q| *q = (q.max(0.0) * s[i] / unit).trunc());
            // Rounding may have made the sum exceed sᵢ. The integers up to sᵢ/unit are exact.
            let mut over = parts.iter().sum::<f64>() - (s[i] / unit).floor();
            while over > 0.0 {
                let most = (0..k).fold(0, |most, j| if parts[j] > parts[most] { j } else { most });
                let less = over.min(parts[most]);
                parts[most] -= less;
                over -= less;
            }
            if parts.iter().any(|part| !part.is_finite()) {
                return None;
            }
        }
        if intercept && !circulate(&mut units, codes, k, cancel) {
            return None;
        }
        units.iter_mut().for_each(|part| *part *= unit);
        Some(Self { parts: units, k })
    }

    /// Writes qᵢ of row i, with true class `own` and sample weight `s`, one rounding per entry. A
    /// row of sample weight 0 has only its true class.
    pub(super) fn distribution(&self, i: usize, own: usize, s: f64, q: &mut [f64]) {
        q.copy_from_slice(&self.parts[i * self.k..][..self.k]);
        if s == 0.0 {
            q[own] = 1.0;
            return;
        }
        let given: f64 = q.iter().sum();
        q[own] = (s - given).max(0.0);
        q.iter_mut().for_each(|q| *q /= s);
    }
}

/// Performs step 1.
fn mix(q: &mut [f64], problem: &Problem<'_>, cancel: &Cancel) -> Option<()> {
    let (k, s) = (problem.labels().k(), problem.weights());
    let weights = problem.class_weights();
    let total: f64 = weights.iter().sum();
    let of_class =
        |c: usize| q.iter().skip(c).step_by(k).zip(s).map(|(q, s)| q * s).collect::<Sum>().value();
    let sums: Option<Vec<f64>> =
        (0..k).map(|c| (!cancel.is_certification_canceled()).then(|| of_class(c))).collect();
    let sums = sums?;
    let shares = weights.iter().zip(&sums).map(|(weight, sum)| weight / sum);
    let keep = shares.fold(1.0, f64::min);
    let add: Vec<f64> =
        weights.iter().zip(&sums).map(|(n, sum)| (n - keep * sum) / total).collect();
    for q in q.chunks_exact_mut(k) {
        q.iter_mut().zip(&add).for_each(|(q, add)| *q = (keep * *q + add).max(0.0));
    }
    Some(())
}

/// Makes the inflow of each class equal its outflow, in integers. Returns whether that was
/// possible.
fn circulate(units: &mut [f64], codes: &[u32], k: usize, cancel: &Cancel) -> bool {
    if k > MOST_CLASSES || cancel.is_certification_canceled() {
        return false;
    }
    // 1. Flow between each pair of classes.
    let mut flow = vec![0_i128; k * k];
    for (parts, own) in units.chunks_exact(k).zip(codes) {
        let row = &mut flow[*own as usize * k..][..k];
        row.iter_mut().zip(parts).for_each(|(flow, part)| *flow += *part as i128);
    }
    let mut excess: Vec<i128> = (0..k)
        .map(|c| (0..k).map(|other| flow[other * k + c] - flow[c * k + other]).sum())
        .collect();

    // 2. Paths from excess outflow to excess inflow, along which the flow is reduced.
    let mut less = vec![0_i128; k * k];
    loop {
        let from = (0..k).fold(0, |best, c| if excess[c] < excess[best] { c } else { best });
        let to = (0..k).fold(0, |best, c| if excess[c] > excess[best] { c } else { best });
        if excess[to] == 0 {
            break;
        }
        if cancel.is_certification_canceled() {
            return false;
        }
        let Some(path) = path(&flow, k, from, to) else { return false };
        let amount = path.iter().map(|&(a, b)| flow[a * k + b]).min().unwrap_or(0);
        let amount = amount.min(-excess[from]).min(excess[to]);
        for (a, b) in path {
            flow[a * k + b] -= amount;
            less[a * k + b] += amount;
        }
        excess[from] += amount;
        excess[to] -= amount;
    }

    // 3. The reductions are subtracted from rows in order.
    for (parts, own) in units.chunks_exact_mut(k).zip(codes) {
        let less = &mut less[*own as usize * k..][..k];
        for (part, less) in parts.iter_mut().zip(less) {
            let by = (*less).min(*part as i128);
            *part -= by as f64;
            *less -= by;
        }
    }
    true
}

/// Returns a shortest path along positive flows.
fn path(flow: &[i128], k: usize, from: usize, to: usize) -> Option<Vec<(usize, usize)>> {
    let mut before = vec![usize::MAX; k];
    let mut queue = VecDeque::from([from]);
    while let Some(a) = queue.pop_front() {
        for b in 0..k {
            if b != from && before[b] == usize::MAX && flow[a * k + b] > 0 {
                before[b] = a;
                queue.push_back(b);
            }
        }
        if before[to] != usize::MAX {
            let mut path = vec![(before[to], to)];
            while path[path.len() - 1].0 != from {
                let a = path[path.len() - 1].0;
                path.push((before[a], a));
            }
            return Some(path);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels};
    use crate::math::rng::Rng;

    #[test]
    fn flow_is_an_exact_circulation_within_sample_weights() {
        let mut rng = Rng::new(5, 5);
        let mut found = 0;
        for case in 0..2_000 {
            let (n, k) = (4 + rng.below(30) as usize, 2 + rng.below(5) as usize);
            let n = n.max(k);
            let x = Design::dense(n, 1, vec![1.0; n]).unwrap();
            let labels = Labels::parse((0..n).map(|i| ["a", "b", "c", "d", "e", "f"][i % k]));
            let weight = |rng: &mut Rng| 10.0_f64.powf((rng.unit() - 0.5) * f64::from(case % 20));
            let weights: Vec<f64> = (0..n)
                .map(|i| if i >= k && rng.unit() < 0.1 { 0.0 } else { weight(&mut rng) })
                .collect();
            let problem = Problem::new(&x, &labels, Some(weights)).unwrap();
            let mut q: Vec<f64> = (0..n * k)
                .map(|_| if rng.unit() < 0.3 { 0.0 } else { rng.unit().powi(4) })
                .collect();
            for q in q.chunks_exact_mut(k) {
                let sum: f64 = q.iter().sum();
                q.iter_mut().for_each(|q| *q = if sum > 0.0 { *q / sum } else { 1.0 / k as f64 });
            }
            let Some(flows) = Flows::near(&problem, true, q, &Cancel::default()) else { continue };
            found += 1;
            // In a unit of which all doubles are multiples: the power of two of their smallest last
            // digit.
            let whole: Vec<f64> = flows.parts.iter().filter(|f| **f > 0.0).copied().collect();
            let unit = whole
                .iter()
                .map(|f| 2.0_f64.powi(f.log2().floor() as i32 - 52))
                .fold(f64::INFINITY, f64::min);
            let mut net = vec![0_i128; k];
            for (i, parts) in flows.parts.chunks_exact(k).enumerate() {
                let own = labels.codes()[i] as usize;
                assert_eq!(parts[own], 0.0);
                assert!(parts.iter().all(|f| *f >= 0.0));
                assert!(parts.iter().sum::<f64>() <= problem.weights()[i]);
                for (c, f) in parts.iter().enumerate() {
                    assert_eq!((f / unit).fract(), 0.0);
                    net[c] += (f / unit) as i128;
                    net[own] -= (f / unit) as i128;
                }
            }
            assert!(net.iter().all(|net| *net == 0), "{net:?}");
        }
        assert!(found > 1_900, "{found}");
    }
}
