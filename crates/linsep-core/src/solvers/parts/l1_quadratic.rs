//! Coordinate descent for a quadratic with an L1 term.
//!
//! ```text
//!   ½ pᵀHp + g·p + λ₁‖w + p‖₁       over p;  H ⪰ 0 dense
//! ```
//!
//! For one coefficient, with slope s of the quadratic there, the minimizer is a soft threshold: v =
//! prox(w − s/Hⱼⱼ). A change of one coefficient changes all slopes by a row of H. So a sweep costs
//! one row of H per changed coefficient, independent of n. Coefficients are visited in random
//! order. Zero coefficients that satisfy the optimality condition are skipped until the others
//! converge; then all are checked again. The intercept, if any, comes last and is not penalized.
//!
//! With collinear features, coordinate steps progress slowly. So once the sweeps have cost as much
//! as a factor of H, the nonzero coefficients take a joint Newton step: H p = −(slopes + λ₁ sign w)
//! on that subset. The step ends at the first sign change, where the coefficient becomes zero. The
//! objective falls along that line too, so convergence is preserved.
//!
//! Source: Friedman, Hastie & Tibshirani, *Regularization paths for generalized linear models via
//! coordinate descent*, J. Stat. Software 33 (2010), §2.2 (covariance updates).

use crate::control::Cancel;
use crate::math::kernels;
use crate::math::linalg::Cholesky;
use crate::math::rng::Rng;
use crate::penalty::Penalty;

/// Quadratic with an explicit H, and the iterate of its minimization.
pub(in crate::solvers) struct L1Quadratic {
    /// H, row by row.
    pub square: Vec<f64>,
    /// Slopes of the quadratic at the iterate.
    pub slopes: Vec<f64>,
    /// Iterate.
    pub at: Vec<f64>,
    /// λ₁.
    pub l1: f64,
    /// Whether the last coefficient is the intercept.
    pub bias: bool,
    /// Whether every row has positive curvature: then the quadratic is flat only where the loss is.
    /// Otherwise its minimizer may lie far away, where the model is poor.
    pub has_full_curvature: bool,
}

/// Least number of sweeps before a joint step.
const FEW: usize = 10;

/// Relative curvature below which a direction counts as flat.
const FLAT: f64 = 1e-10;

impl L1Quadratic {
    /// Minimizes until no coefficient violates optimality by more than `tol`, for at most `most`
    /// sweeps, or until cancellation. Every iterate is a descent. Returns the number of sweeps.
    pub(in crate::solvers) fn descend(
        &mut self,
        tol: f64,
        order: &mut Rng,
        most: usize,
        cancel: &Cancel,
    ) -> usize {
        let all: Vec<u32> = (0..self.at.len() as u32).collect();
        let mut active = all.clone();
        let mut since = 0;
        for sweep in 1..=most {
            let is_all = active.len() == all.len();
            if cancel.is_set() {
                return sweep - 1;
            }
            order.shuffle(&mut active);
            if self.sweep(&mut active) <= tol {
                if is_all {
                    return sweep;
                }
                active.clone_from(&all);
            }
            since += 1;
            // A factor of p² numbers takes p³/6 products, and a sweep p².
            if since >= FEW.max(active.len() / 6) {
                self.joint_newton_step();
                active.clone_from(&all);
                since = 0;
            }
        }
        most
    }

    /// Takes a joint Newton step on the nonzero coefficients, up to the first sign change.
    fn joint_newton_step(&mut self) {
        let wide = self.at.len();
        let is_free = |a: &usize| {
            let is_bias = self.bias && a + 1 == wide;
            (is_bias || self.at[*a] != 0.0) && self.square[a * wide + a] > 0.0
        };
        let free: Vec<usize> = (0..wide).filter(is_free).collect();
        let mut among = vec![0.0; free.len() * free.len()];
        for (row, &a) in among.chunks_exact_mut(free.len().max(1)).zip(&free) {
            row.iter_mut().zip(&free).for_each(|(v, &b)| *v = self.square[a * wide + b]);
        }
        let factor = if self.has_full_curvature {
            Cholesky::new(&among, free.len())
        } else {
            Cholesky::exact(&among, free.len(), FLAT)
        };
        let Some(factor) = factor else { return };
        let down = |&a: &usize| -(self.slopes[a] + self.corner(a).l1.copysign(self.at[a]));
        let mut p: Vec<f64> = free.iter().map(down).collect();
        factor.solve(&mut p);
        if !p.iter().all(|p| p.is_finite()) {
            return;
        }
        // Step length to the first sign change.
        let stops = free.iter().zip(&p).filter(|&(&a, &p)| {
            self.corner(a).l1 > 0.0 && p * self.at[a] < 0.0 && p.abs() > self.at[a].abs()
        });
        let first = stops.map(|(&a, p)| (-self.at[a] / p, a)).min_by(|x, y| x.0.total_cmp(&y.0));
        let t = first.map_or(1.0, |(t, _)| t);
        for (&a, p) in free.iter().zip(&p) {
            let to =
                if first.is_some_and(|(_, zero)| zero == a) { 0.0 } else { self.at[a] + t * p };
            let change = to - self.at[a];
            self.at[a] = to;
            kernels::axpy(change, &self.square[a * wide..][..wide], &mut self.slopes);
        }
    }

    /// Largest violation of the optimality condition, as a slope.
    pub(in crate::solvers) fn largest_violation(&self) -> f64 {
        let want = |a: usize| self.corner(a).distance(self.at[a], self.slopes[a]);
        (0..self.at.len()).map(want).fold(0.0, f64::max)
    }

    fn corner(&self, a: usize) -> Penalty {
        let is_bias = self.bias && a + 1 == self.at.len();
        Penalty::l1(if is_bias { 0.0 } else { self.l1 })
    }

    /// Visits every active coefficient once; zeros that satisfy optimality leave. Returns the
    /// largest violation of the optimality condition before each change.
    fn sweep(&mut self, active: &mut Vec<u32>) -> f64 {
        let wide = self.at.len();
        let mut worst: f64 = 0.0;
        active.retain(|&a| {
            let a = a as usize;
            let row = &self.square[a * wide..][..wide];
            let (curvature, w, slope) = (row[a], self.at[a], self.slopes[a]);
            if curvature <= 0.0 {
                return false; // no row depends on it
            }
            let corner = self.corner(a);
            worst = worst.max(corner.distance(w, slope));
            let v = corner.prox(w - slope / curvature, 1.0 / curvature);
            let change = v - w;
            if change != 0.0 {
                self.at[a] = v;
                kernels::axpy(change, row, &mut self.slopes);
            }
            v != 0.0 || change != 0.0
        });
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// H = (2 1; 1 2), g = (−4, −1), λ₁ = 1: with w₂ = 0 the first is 3/2, and the second slope is
    /// ½ ≤ λ₁.
    #[test]
    fn minimizer_matches_the_hand_computation() {
        let mut parabola = L1Quadratic {
            square: vec![2.0, 1.0, 1.0, 2.0],
            slopes: vec![-4.0, -1.0],
            at: vec![0.0; 2],
            l1: 1.0,
            bias: false,
            has_full_curvature: true,
        };
        assert_eq!(parabola.largest_violation(), 3.0);
        let sweeps = parabola.descend(1e-12, &mut Rng::new(1, 0), 1000, &Cancel::default());
        assert!(sweeps < 1000 && parabola.largest_violation() <= 1e-12);
        assert!((parabola.at[0] - 1.5).abs() < 1e-12, "{:?}", parabola.at);
        assert_eq!(parabola.at[1], 0.0);
    }

    /// Two nearly equal features, and a third: sweeps alone would take a million.
    #[test]
    fn nearly_collinear_features_converge_in_few_sweeps() {
        let e = 1e-6;
        let mut parabola = L1Quadratic {
            square: vec![1.0, 1.0 - e, 0.0, 1.0 - e, 1.0, 0.1, 0.0, 0.1, 1.0],
            slopes: vec![-1.5 + e, -1.5, 0.05],
            at: vec![0.0; 3],
            l1: 0.1,
            bias: false,
            has_full_curvature: true,
        };
        let sweeps = parabola.descend(1e-12, &mut Rng::new(1, 0), 1000, &Cancel::default());
        assert!(
            sweeps <= 10 * FEW && parabola.largest_violation() <= 1e-12,
            "{sweeps}: {:?}",
            parabola.at
        );
        assert!(parabola.at.iter().all(|w| w.is_finite()));
    }

    /// The second coefficient, as intercept, has no L1 term: 2p₁ + p₂ = 3 and p₁ + 2p₂ = 1.
    #[test]
    fn the_intercept_is_not_penalized() {
        let mut parabola = L1Quadratic {
            square: vec![2.0, 1.0, 1.0, 2.0],
            slopes: vec![-4.0, -1.0],
            at: vec![0.0; 2],
            l1: 1.0,
            bias: true,
            has_full_curvature: true,
        };
        parabola.descend(1e-13, &mut Rng::new(1, 0), 1000, &Cancel::default());
        assert!((parabola.at[0] - 5.0 / 3.0).abs() < 1e-12, "{:?}", parabola.at);
        assert!((parabola.at[1] + 1.0 / 3.0).abs() < 1e-12, "{:?}", parabola.at);
    }
}
