//! Points of a simplex: p ≥ 0 that sum to 1.
//!
//! The point nearest to u is max(0, uⱼ − θ), with the θ that makes it sum to 1: θ is the mean of what stays, less its share of 1. Begun
//! with all, it only rises as what falls below is left out, so a few rounds find it.
//!
//! Source: Michelot, *A finite algorithm for finding the projection of a point onto the canonical simplex of ℝⁿ*, J. Optim. Theory
//! Appl. 50 (1986).

/// By how much the only class that p holds leads the others, if it is a corner.
pub(super) fn lead(p: &[f64], v: &[f64]) -> Option<f64> {
    let corner = p.iter().position(|p| *p == 1.0)?;
    let others = v.iter().enumerate().filter(|(j, _)| *j != corner);
    Some(v[corner] - others.fold(f64::NEG_INFINITY, |most, (_, v)| most.max(*v)))
}

/// Side by side, so that they are added up or compared by vectors.
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

/// The sum of those above θ, and how many they are.
fn above(theta: f64, t: &[f64]) -> (f64, f64) {
    let (t4, rest) = t.as_chunks::<LANES>();
    let (mut sums, mut counts) = ([0.0; LANES], [0.0; LANES]);
    for t in t4 {
        for l in 0..LANES {
            let stays = t[l] > theta;
            sums[l] += if stays { t[l] } else { 0.0 };
            counts[l] += if stays { 1.0 } else { 0.0 };
        }
    }
    let rest = rest.iter().filter(|t| **t > theta);
    rest.fold((sums.iter().sum(), counts.iter().sum()), |(sum, count), t| (sum + t, count + 1.0))
}

/// p ← the point of the simplex nearest to p + v/q: max(0, tⱼ − θ)/q with t = qp + v, and θ such that they sum to 1. θ rises from
/// the mean, as what falls below is left out. With q = 0 it is the corner that leads.
pub(super) fn nearest(p: &mut [f64], v: &[f64], q: f64) {
    // Relative to the largest v, so that nothing is lost to a common shift.
    let top = most(v);
    let t = p;
    t.iter_mut().zip(v).for_each(|(t, v)| *t = q * *t + (v - top));
    let (mut theta, mut left) = (f64::NEG_INFINITY, f64::INFINITY);
    loop {
        let (sum, count) = above(theta, t);
        // Fewer each time, but for rounding.
        if count >= left || count == 0.0 {
            break;
        }
        left = count;
        theta = (sum - q) / count;
    }
    let p = t;
    p.iter_mut().for_each(|t| *t = (*t - theta).max(0.0));
    let (sum, _) = above(0.0, p);
    if sum > 0.0 && sum.is_finite() {
        p.iter_mut().for_each(|p| *p /= sum);
    } else {
        let lead = v.iter().position(|v| *v == top).unwrap_or(0);
        p.iter_mut().enumerate().for_each(|(j, p)| *p = if j == lead { 1.0 } else { 0.0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_corner_knows_its_lead() {
        assert_eq!(lead(&[0.0, 1.0, 0.0], &[2.0, 5.0, 3.0]), Some(2.0));
        assert_eq!(lead(&[0.5, 0.5], &[2.0, 5.0]), None);
        let mut p = [0.25, 0.75];
        nearest(&mut p, &[1.0, 2.0], 0.0);
        assert_eq!(p, [0.0, 1.0], "a row of zeros goes all the way");
    }

    proptest! {
        /// Where rounding could turn the search in a circle: v that are equal but for the last bits, any q.
        #[test]
        fn the_search_ends_whatever_the_numbers(
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
            nearest(&mut p, &v, 10.0_f64.powi(exponent));
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!(p.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p)));
        }

        #[test]
        fn the_nearest_point_of_the_simplex(
            v in prop::collection::vec(-5.0..5.0_f64, 2..9),
            raw in prop::collection::vec(0.0..1.0_f64, 9),
            q in 0.01..20.0_f64,
        ) {
            let k = v.len();
            let total: f64 = raw[..k].iter().sum::<f64>() + 1e-3;
            let mut p: Vec<f64> = raw[..k].iter().map(|p| (p + 1e-3 / k as f64) / total).collect();
            let target: Vec<f64> = p.iter().zip(&v).map(|(p, v)| p + v / q).collect();
            nearest(&mut p, &v, q);
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            prop_assert!(p.iter().all(|p| *p >= 0.0));
            // target − p is the same number wherever p > 0, and no larger elsewhere.
            let theta = target.iter().zip(&p).map(|(t, p)| t - p).fold(f64::NEG_INFINITY, f64::max);
            for (t, p) in target.iter().zip(&p) {
                prop_assert!(t - p <= theta + 1e-9 && (*p == 0.0 || t - p >= theta - 1e-9));
            }
        }
    }
}
