//! Losses: convex functions ℓ of the margin m = yz, where y ∈ {−1, +1} is the class.
//!
//! | loss | ℓ(m) | slope ℓ′(m) | −ℓ*(−α), for α in |
//! |---|---|---|---|
//! | [`Perceptron`] | max(0, −m) | −1 where m ≤ 0 | 0, \[0, 1\] |
//! | [`Logistic`] | ln(1 + e⁻ᵐ) | −1/(1 + eᵐ) | −α ln α − (1−α) ln(1−α), \[0, 1\] |
//! | [`Hinge`] | max(0, 1−m) | −1 where m < 1 | α, \[0, 1\] |
//! | [`SquaredHinge`] | max(0, 1−m)² | −2 max(0, 1−m) | α − α²/4, α ≥ 0 |
//! | [`SmoothHinge`] | hinge, smoothed on \[0, 1\] | −min(1, max(0, 1−m)) | α − α²/2, \[0, 1\] |
//! | [`Squared`] | (1−m)² | −2 (1−m) | α − α²/4, all α |
//!
//! The last column yields certificates: ℓ*(v) = `sup_m` (vm − ℓ(m)) is the conjugate, and for every
//! hyperplane and every α in range ℓ(m) ≥ −αm − ℓ*(−α). The sum over the rows is a lower bound on
//! the mean loss of any hyperplane ([`crate::certify`]).
//!
//! Loops over rows are provided methods over blocks: a `&dyn Loss` costs one virtual call per
//! block, not one per row.

mod hinge;
mod logistic;
mod loops;
mod perceptron;
mod pieces;
mod smooth_hinge;
mod smoothed;
mod squared;
mod squared_hinge;

pub use hinge::Hinge;
pub use logistic::Logistic;
pub use perceptron::Perceptron;
pub use pieces::PiecewiseQuadratic;
use pieces::outward;
pub use smooth_hinge::SmoothHinge;
pub(crate) use smoothed::SmoothedLoss;
pub use squared::Squared;
pub use squared_hinge::SquaredHinge;

/// Loss of the scores z of all classes, for joint training: y is the true class, and δ is 1 for all
/// others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MulticlassLoss {
    /// ln Σ e^z − `z_y`.
    Softmax,
    /// max (z + δ) − `z_y`.
    CrammerSinger,
}

/// A loss: convex in m, never negative.
pub trait Loss: Sync {
    /// The name, the same in every interface.
    fn name(&self) -> &'static str;
    /// One line for help texts.
    fn about(&self) -> &'static str;

    /// The method of the registry that minimizes this loss, if it has one of its own.
    fn method(&self) -> Option<&'static str> {
        None
    }
    /// The loss of several classes that equals this one for two.
    fn multiclass(&self) -> Option<MulticlassLoss> {
        None
    }

    /// ℓ(m).
    fn value(&self, m: f64) -> f64;
    /// ℓ′(m); a subgradient at a kink.
    fn slope(&self, m: f64) -> f64;
    /// ℓ″(m); at a kink of the slope, a one-sided value.
    fn curvature(&self, m: f64) -> f64;
    /// The Lipschitz constant of the slope: the largest curvature. `None` if the slope is
    /// discontinuous.
    fn curvature_bound(&self) -> Option<f64> {
        self.pieces().filter(|pieces| pieces.gamma > 0.0).map(|pieces| 1.0 / pieces.gamma)
    }
    /// Whether the loss has a minimum at a finite margin; otherwise it decreases for all m.
    fn has_minimum(&self) -> bool {
        true
    }

    /// The margins (a, b) outside which the slope is constant: α = −ℓ′(m) is at its upper limit for
    /// m ≤ a and 0 for m ≥ b.
    fn flat(&self) -> (f64, f64) {
        self.pieces().map_or((f64::NEG_INFINITY, f64::INFINITY), PiecewiseQuadratic::flat)
    }

    /// The dual form of a nonincreasing piecewise quadratic loss, which determines the provided
    /// methods; `None` for other losses.
    fn pieces(&self) -> Option<PiecewiseQuadratic> {
        None
    }

    /// −ℓ*(−α); −∞ outside the range.
    #[inline]
    fn dual(&self, a: f64) -> f64 {
        self.pieces().map_or(f64::NEG_INFINITY, |pieces| pieces.dual(a))
    }
    /// Smallest and largest α with a finite dual.
    fn dual_range(&self) -> (f64, f64) {
        self.pieces().map_or((f64::NEG_INFINITY, f64::INFINITY), |pieces| (0.0, pieces.most))
    }
    /// The maximizer a of dual(a) − (a − α) m − q (a − α)²/2: the optimal update of the α of one
    /// row, where m is its current margin and q ≥ 0 the derivative of the margin in α.
    fn dual_step(&self, alpha: f64, m: f64, q: f64) -> f64;

    /// Approximate contribution of a row to the duality gap: ℓ(m) + αm + ℓ*(−α), which is 0 where α
    /// = −ℓ′(m).
    fn excess(&self, alpha: f64, m: f64) -> f64 {
        self.value(m) + alpha * m - self.dual(alpha)
    }

    /// The smallest and the largest margin m with ℓ(m) + αm + ℓ*(−α) ≤ g, for an α in range and g
    /// ≥ 0. If g bounds the gap of the row, every optimum has its margin in this interval
    /// ([`crate::certify`]). The interval is rounded outward; a loss without a formula returns the
    /// whole line.
    fn margins_within(&self, alpha: f64, g: f64) -> (f64, f64) {
        self.pieces().map_or((f64::NEG_INFINITY, f64::INFINITY), |pieces| pieces.within(alpha, g))
    }

    /// [`excess`](Self::excess) and [`dual_step`](Self::dual_step) together, for losses that share
    /// work between them.
    fn visit(&self, alpha: f64, m: f64, q: f64) -> (f64, f64) {
        (self.excess(alpha, m), self.dual_step(alpha, m, q))
    }

    /// The probability of the positive class at score z, for losses with a probability model.
    fn probability(&self, _z: f64) -> Option<f64> {
        None
    }

    /// Σ sᵢ ℓ(mᵢ).
    fn sum(&self, m: &[f64], s: &[f64]) -> f64 {
        loops::sum(m, s, |m| self.value(m))
    }

    /// Σ sᵢ (−ℓ*(−αᵢ)).
    fn sum_of_duals(&self, alpha: &[f64], s: &[f64]) -> f64 {
        loops::sum(alpha, s, |alpha| self.dual(alpha))
    }

    /// Σ sᵢ ℓ(mᵢ + t qᵢ), with its first and second derivative in t: a line search never reads the
    /// data.
    fn along(&self, m: &[f64], q: &[f64], t: f64, s: &[f64]) -> [f64; 3] {
        loops::along(m, q, t, s, |m, q, s| {
            let [value, slope, curvature] = self.all(m);
            [s * value, s * slope * q, s * curvature * q * q]
        })
    }

    /// The first and second derivative of Σ sᵢ ℓ(mᵢ + t qᵢ) in t.
    fn derivatives_along(&self, m: &[f64], q: &[f64], t: f64, s: &[f64]) -> [f64; 2] {
        loops::along(m, q, t, s, |m, q, s| [s * self.slope(m) * q, s * self.curvature(m) * q * q])
    }

    /// Value, slope and curvature together, for losses that share work between them.
    fn all(&self, m: f64) -> [f64; 3] {
        [self.value(m), self.slope(m), self.curvature(m)]
    }

    /// Writes ℓ′(mᵢ).
    fn slopes(&self, m: &[f64], out: &mut [f64]) {
        loops::map(m, out, |m| self.slope(m));
    }

    /// Writes −ℓ*(−αᵢ).
    fn duals(&self, alpha: &[f64], out: &mut [f64]) {
        loops::map(alpha, out, |alpha| self.dual(alpha));
    }

    /// Writes sᵢ ℓ″(mᵢ).
    fn curvatures(&self, m: &[f64], s: &[f64], out: &mut [f64]) {
        loops::map(m, out, |m| self.curvature(m));
        out.iter_mut().zip(s).for_each(|(out, s)| *out *= s);
    }
}

/// All losses.
pub const ALL: &[&dyn Loss] =
    &[&Logistic, &Hinge, &SquaredHinge, &SmoothHinge, &Squared, &Perceptron];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const GRID: [f64; 13] =
        [-800.0, -40.0, -3.0, -1.0, -0.25, 0.0, 0.25, 0.75, 1.0, 1.5, 3.0, 40.0, 800.0];

    fn pairs() -> impl Iterator<Item = (f64, f64)> {
        GRID.into_iter().flat_map(|m| GRID.into_iter().map(move |v| (m, v)))
    }

    /// ℓ(v) ≥ ℓ(m) + slope(m) (v − m) for all m, v: ℓ is convex, and the slope is a subgradient.
    #[test]
    fn the_slope_is_a_subgradient_everywhere() {
        for loss in ALL {
            for (m, v) in pairs() {
                let below = loss.value(m) + loss.slope(m) * (v - m);
                let rounding = 1e-12 * (1.0 + loss.value(m).abs() + loss.value(v).abs());
                assert!(loss.value(v) >= below - rounding, "{} at {m}, {v}", loss.name());
            }
        }
    }

    #[test]
    fn losses_are_nonnegative_and_finite() {
        for loss in ALL {
            for m in GRID {
                let all = loss.all(m);
                assert!(all.iter().all(|v| v.is_finite()), "{} at {m}: {all:?}", loss.name());
                assert!(all[0] >= 0.0 && all[2] >= 0.0, "{} at {m}: {all:?}", loss.name());
                let one_by_one = [loss.value(m), loss.slope(m), loss.curvature(m)];
                for (a, b) in all.iter().zip(one_by_one) {
                    assert!((a - b).abs() <= 1e-15 * b.abs(), "{} at {m}", loss.name());
                }
            }
        }
    }

    /// Compares slope and curvature with central differences, away from kinks.
    #[test]
    fn slope_and_curvature_are_derivatives() {
        for loss in ALL {
            for m in [-37.3, -3.3, -0.7, 0.3, 0.6, 1.3, 4.7] {
                let e = 1e-5;
                let slope = (loss.value(m + e) - loss.value(m - e)) / (2.0 * e);
                let curvature = (loss.slope(m + e) - loss.slope(m - e)) / (2.0 * e);
                let (near, name) = (1e-8 * (1.0 + m.abs()), loss.name());
                assert!((slope - loss.slope(m)).abs() < near, "slope of {name} at {m}");
                assert!((curvature - loss.curvature(m)).abs() < near, "curvature of {name} at {m}");
            }
        }
    }

    #[test]
    fn the_curvature_bound_bounds() {
        for loss in ALL {
            let Some(bound) = loss.curvature_bound() else { continue };
            for (m, v) in pairs() {
                let change = (loss.slope(m) - loss.slope(v)).abs();
                assert!(change <= bound * (m - v).abs() * (1.0 + 1e-12), "{}", loss.name());
            }
        }
    }

    /// −ℓ*(−α) = `inf_m` (ℓ(m) + αm): at most every term, and equal to it at the margin with slope
    /// −α.
    #[test]
    fn the_dual_is_the_conjugate() {
        for loss in ALL {
            let (least, most) = loss.dual_range();
            for m in GRID {
                let alpha = -loss.slope(m);
                assert!((least..=most).contains(&alpha), "{}: {alpha}", loss.name());
                let reached = loss.value(m) + alpha * m;
                let rounding = 1e-12 * (1.0 + alpha.abs() * m.abs() + loss.value(m));
                assert!((loss.dual(alpha) - reached).abs() <= rounding, "{} at {m}", loss.name());
                for v in GRID {
                    let term = loss.value(v) + alpha * v;
                    assert!(
                        term >= loss.dual(alpha) - rounding * (1.0 + v.abs()),
                        "{}",
                        loss.name()
                    );
                }
            }
            for outside in [least - 0.5, most + 0.5] {
                let finite = outside.is_finite();
                assert!(!finite || loss.dual(outside) == f64::NEG_INFINITY, "{}", loss.name());
            }
        }
    }

    #[test]
    fn the_excess_is_the_fenchel_young_gap() {
        for loss in ALL {
            let (least, most) = loss.dual_range();
            for m in [-2.0, -0.3, 0.4, 0.9, 1.7] {
                let best = -loss.slope(m);
                for alpha in [best - 1e-3, best + 1e-3, best].map(|a| a.clamp(least, most)) {
                    let exact = loss.value(m) + alpha * m - loss.dual(alpha);
                    let near = (loss.excess(alpha, m) - exact).abs() <= 0.05 * exact + 1e-15;
                    assert!(near, "{} at {m}, {alpha}", loss.name());
                }
            }
        }
    }

    #[test]
    fn the_pieces_match_the_dual() {
        for loss in ALL {
            let Some(PiecewiseQuadratic { corner, gamma, most }) = loss.pieces() else { continue };
            assert_eq!(loss.dual_range(), (0.0, most), "{}", loss.name());
            assert_eq!(loss.flat().1, corner, "{}", loss.name());
            for a in [0.0, 0.25, 0.5, 1.0] {
                assert_eq!(loss.dual(a), corner * a - 0.5 * gamma * a * a, "{}", loss.name());
            }
        }
    }

    #[test]
    fn the_slope_is_constant_outside_the_flat_margins() {
        for loss in ALL {
            let (least, most) = loss.dual_range();
            let (low, high) = loss.flat();
            for e in [1e-3, 1.0, 50.0] {
                assert!(low.is_infinite() || -loss.slope(low - e) == most, "{}", loss.name());
                assert!(high.is_infinite() || -loss.slope(high + e) == least, "{}", loss.name());
            }
        }
    }

    proptest! {
        /// No other a has a larger gain than the step.
        #[test]
        fn the_dual_step_is_optimal(
            u in 0.0..1.0_f64, m in -5.0..5.0_f64, q in prop_oneof![Just(0.0), 1e-3..50.0_f64],
            v in 0.0..1.0_f64,
        ) {
            for loss in ALL {
                if q == 0.0 && loss.dual_range() == (f64::NEG_INFINITY, f64::INFINITY) && m == 1.0 {
                    continue;
                }
                let gain = |a: f64| loss.dual(a) - (a - u) * m - 0.5 * q * (a - u) * (a - u);
                let best = loss.dual_step(u, m, q);
                prop_assert!(gain(best) >= gain(v) - 1e-12, "{}: {best} against {v}", loss.name());
                prop_assert!(gain(best) >= gain(u) - 1e-12, "{}: {best} against {u}", loss.name());
            }
        }
    }

    /// The excess ℓ(m) + αm + ℓ*(−α) is at most g just inside each end of the interval and above g
    /// just outside.
    #[test]
    fn margins_within_match_the_excess() {
        for loss in ALL {
            for alpha in [0.0, 1e-9, 0.05, 0.5, 0.93, 1.0 - 1e-9, 1.0] {
                let conjugate = loss.dual(alpha);
                let excess = |m: f64| loss.value(m) + alpha * m - conjugate;
                // A margin with an excess of at most 1e-9.
                let within = |m: &f64| excess(*m) <= 1e-9;
                let mid = (-4000..4000).map(|k| f64::from(k) * 0.01).find(within);
                for g in [1e-3, 0.1, 2.0, 30.0] {
                    let (least, largest) = loss.margins_within(alpha, g);
                    let Some(mid) = mid else { continue };
                    let name = loss.name();
                    assert!(least <= mid && mid <= largest, "{name} {alpha} {g}");
                    for (end, away) in [(least, -1.0), (largest, 1.0)] {
                        if end.is_infinite() || end.abs() > 1e6 {
                            let far = excess(mid + away * 1e5);
                            assert!(far <= g + 1e-3 * g + 2e-4, "{name} {alpha} {g}: {far}");
                            continue;
                        }
                        let step = 1e-5 * (1.0 + end.abs());
                        assert!(
                            excess(end + away * step) > g * (1.0 - 1e-12),
                            "{name} {alpha} {g}"
                        );
                        assert!(excess(end - away * step) <= g + 1e-7, "{name} {alpha} {g} {end}");
                    }
                }
            }
        }
    }
}
