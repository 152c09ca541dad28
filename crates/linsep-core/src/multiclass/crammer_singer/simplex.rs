//! Projection onto the probability simplex: p ≥ 0 with Σ pⱼ = 1.
//!
//! The projection of u is max(0, uⱼ − θ), with θ such that it sums to 1: over the m entries above
//! θ, θ is their mean less 1/m. The iteration starts with max u − 1, a lower bound. θ only rises as
//! entries below it are dropped, so a few rounds suffice. With many classes the first round already
//! drops most.
//!
//! Source: Michelot, *A finite algorithm for finding the projection of a point onto the canonical
//! simplex of ℝⁿ*, J. Optim. Theory Appl. 50 (1986).

/// Lead in v of the class at p over the others, if p is a vertex of the simplex.
pub(super) fn lead(p: &[f64], v: &[f64]) -> Option<f64> {
    let corner = p.iter().position(|p| *p == 1.0)?;
    let others = v.iter().enumerate().filter(|(j, _)| *j != corner);
    Some(v[corner] - others.fold(f64::NEG_INFINITY, |most, (_, v)| most.max(*v)))
}

/// Vector lanes of sums and comparisons.
const LANES: usize = 4;

pub(super) fn most(v: &[f64]) -> f64 {
    let (v4, rest) = v.as_chunks::<LANES>();
    let mut tops = [f64::NEG_INFINITY; LANES];
    for v in v4 {
        for l in 0..LANES {
            tops[l] = if v[l] > tops[l] { v[l] } else { tops[l] };
        }
    }
    tops.iter().chain(rest).fold(f64::NEG_INFINITY, |most, v| most.max(*v))
}

/// Nonzeros of a point of the simplex: the classes with p > 0, and p.
pub(super) type Nonzeros = Vec<(u32, f64)>;

/// Writes the nonzeros of the projection of t/q: p = max(0, tⱼ − θ)/q, where θ makes Σ pⱼ = 1. With
/// q = 0 it is the vertex of the largest t.
/// 1. With q = 0 it is the vertex of the largest t.
pub(super) fn project(t: &[f64], q: f64, held: &mut Nonzeros) {
    let peak = most(t);
    let mut theta = peak - q;
    held.clear();
    held.extend((0..).zip(t).filter(|(_, t)| **t > theta).map(|(j, t)| (j, t - peak)));
    theta = -q;
    let mut left = usize::MAX;
    // The count decreases each time, except by rounding.
    while held.len() < left && !held.is_empty() {
        left = held.len();
        theta = (held.iter().map(|(_, t)| t).sum::<f64>() - q) / left as f64;
        held.retain(|(_, t)| *t > theta);
    }
    held.iter_mut().for_each(|(_, t)| *t -= theta);
    let sum: f64 = held.iter().map(|(_, p)| p).sum();
    if sum > 0.0 && sum.is_finite() {
        held.iter_mut().for_each(|(_, p)| *p /= sum);
    } else {
        let lead = t.iter().position(|t| *t == peak).unwrap_or(0);
        held.clear();
        held.push((lead as u32, 1.0));
    }
}

/// p ← the projection of p + v/q onto the simplex.
pub(super) fn towards(p: &mut [f64], v: &[f64], q: f64, held: &mut Nonzeros) {
    // Relative to the largest v, so that a common shift loses no digits.
    let top = most(v);
    p.iter_mut().zip(v).for_each(|(p, v)| *p = q * *p + (v - top));
    project(p, q, held);
    p.fill(0.0);
    held.iter().for_each(|&(j, share)| p[j as usize] = share);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lead_of_a_vertex_is_its_margin_over_the_others() {
        assert_eq!(lead(&[0.0, 1.0, 0.0], &[2.0, 5.0, 3.0]), Some(2.0));
        assert_eq!(lead(&[0.5, 0.5], &[2.0, 5.0]), None);
        let mut p = [0.25, 0.75];
        towards(&mut p, &[1.0, 2.0], 0.0, &mut vec![]);
        assert_eq!(p, [0.0, 1.0], "a row of zeros goes all the way");
    }

    proptest! {
        /// v that are equal except for the last bits, and any q: rounding could make the iteration
        /// cycle.
        #[test]
        fn projection_terminates_for_nearly_equal_values(
            bits in prop::collection::vec(0..4_u8, 2..30),
            raw in prop::collection::vec(0.0..1.0_f64, 30),
            exponent in -40..40_i32,
            size in -12..12_i32,
        ) {
            let k = bits.len();
            let total: f64 = raw[..k].iter().sum::<f64>() + 1.0;
            let mut p: Vec<f64> = raw[..k].iter().map(|p| p / total).collect();
            p[0] += 1.0 / total;
            let v: Vec<f64> = bits
                .iter()
                .map(|b| 10.0_f64.powi(size) * (1.0 + f64::from(*b) * f64::EPSILON))
                .collect();
            towards(&mut p, &v, 10.0_f64.powi(exponent), &mut vec![]);
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!(p.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p)));
        }

        #[test]
        fn projection_satisfies_its_optimality_conditions(
            v in prop::collection::vec(-5.0..5.0_f64, 2..9),
            raw in prop::collection::vec(0.0..1.0_f64, 9),
            q in 0.01..20.0_f64,
        ) {
            let k = v.len();
            let total: f64 = raw[..k].iter().sum::<f64>() + 1e-3;
            let mut p: Vec<f64> = raw[..k].iter().map(|p| (p + 1e-3 / k as f64) / total).collect();
            let target: Vec<f64> = p.iter().zip(&v).map(|(p, v)| p + v / q).collect();
            towards(&mut p, &v, q, &mut vec![]);
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!(p.iter().all(|p| *p >= 0.0));
            // target − p is constant where p > 0, and no larger elsewhere.
            let theta = target.iter().zip(&p).map(|(t, p)| t - p).fold(f64::NEG_INFINITY, f64::max);
            for (t, p) in target.iter().zip(&p) {
                prop_assert!(t - p <= theta + 1e-9 && (*p == 0.0 || t - p >= theta - 1e-9));
            }
        }
    }
}
