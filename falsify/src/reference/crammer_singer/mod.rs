//! Optima of the Crammer–Singer SVM: W* and the polytope of intercepts.
//!
//! ```text
//!   F(W, b) = (1/S) Σ sᵢ maxⱼ (zᵢⱼ − zᵢ,cᵢ + [j ≠ cᵢ]) + (λ/2)‖W‖²
//! ```
//!
//! The maximum is over pᵢ in the simplex. The interior-point method solves for (W, b), p, slacks
//! μ ≥ 0 and levels tᵢ
//!
//! ```text
//!   λW + (1/S) Σ sᵢ(pᵢⱼ − [j = cᵢ])xᵢ = 0,   the same for b,
//!   vᵢⱼ − tᵢ + μᵢⱼ = 0,   Σⱼ pᵢⱼ = 1,   pᵢⱼμᵢⱼ = τ
//! ```
//!
//! with vᵢⱼ = zᵢⱼ − zᵢ,cᵢ + [j ≠ cᵢ]. The gap is (1/S) Σ s (maxⱼ v − p·v), each term
//! Σⱼ pⱼ(max − vⱼ) ≥ 0, plus the residuals.
//!
//! # All optimal intercepts
//!
//! b is optimal if and only if every j with pᵢⱼ* > 0 has the largest vᵢⱼ: a system of inequalities
//! bₗ − bⱼ ≤ r. The largest difference of two intercepts over this system is the length of a
//! shortest path (Floyd & Warshall). A wrong choice of the positive p is detected, because F at the
//! extreme b must also be the optimum.

mod interior;

use self::interior::{CrammerSingerProblem, State};
use super::multiclass::Problem;
use crate::double_double::{DoubleDouble, dd, dot};

/// Maximum relative gap of a certified optimum. A bound above F at the optimum found is false for
/// any gap; radii and certified rows take the gap into account.
pub const GAP: f64 = 1e-17;

/// Certified optima.
#[derive(Clone, Debug)]
pub struct Reference {
    /// F at the point found.
    pub value: DoubleDouble,
    /// wⱼ, class by class.
    pub w: Vec<Vec<DoubleDouble>>,
    /// Upper bound on ‖W − W*‖.
    pub radius: f64,
    center: Vec<f64>,
    /// The largest `b_c − b_a` over all optima, at `[c][a]`.
    most: Vec<Vec<DoubleDouble>>,
}

impl Problem {
    /// Returns F of the SVM at (W, b).
    pub fn crammer_singer_value(&self, w: &[Vec<f64>], b: &[f64]) -> DoubleDouble {
        let total: DoubleDouble = self.s.iter().map(|s| dd(*s)).sum();
        let mut sum = DoubleDouble::ZERO;
        for ((x, &c), s) in self.x.iter().zip(&self.class).zip(&self.s) {
            let z = |j: usize| -> DoubleDouble {
                let products = x.iter().zip(&w[j]).map(|(x, w)| DoubleDouble::product(*x, *w));
                products.sum::<DoubleDouble>() + dd(b[j])
            };
            let own = z(c);
            let rivals = (0..self.k).filter(|j| *j != c).map(|j| z(j) - own + DoubleDouble::ONE);
            sum += dd(*s) * rivals.fold(DoubleDouble::ZERO, DoubleDouble::max);
        }
        let squares: DoubleDouble = w.iter().flatten().map(|w| DoubleDouble::product(*w, *w)).sum();
        sum / total + dd(self.l2 / 2.0) * squares
    }

    /// Returns the optima of the SVM; `None` if the gap is not small enough.
    pub fn crammer_singer_reference(&self) -> Option<Reference> {
        let (center, mut rows, scale) = self.centered();
        let d = scale.len();
        if self.intercept {
            rows.iter_mut().for_each(|row| row.push(DoubleDouble::ONE));
        }
        let width = rows[0].len();
        let live: Vec<usize> = (0..self.s.len()).filter(|&i| self.s[i] > 0.0).collect();
        let total: DoubleDouble = self.s.iter().map(|s| dd(*s)).sum();
        let q = live.iter().map(|&i| dd(self.s[i]) / total).collect();
        let rows = live.iter().map(|&i| rows[i].clone()).collect();
        let lambda = (0..width)
            .map(|j| scale.get(j).map_or(DoubleDouble::ZERO, |t| dd(self.l2) * dd(*t) * dd(*t)))
            .collect();
        let class: Vec<usize> = live.iter().map(|&i| self.class[i]).collect();
        let view = Problem { class, ..self.clone() };
        let machine = CrammerSingerProblem { problem: &view, rows, q, lambda, width };
        let (state, value, gap) = machine.minimize()?;
        let gap = gap.value() + 1e-31 * value.value();
        let w: Vec<Vec<DoubleDouble>> = state
            .h
            .chunks(width)
            .map(|h| h.iter().zip(&scale).map(|(h, scale)| *h * dd(*scale)).collect())
            .collect();
        let most = if self.intercept {
            machine.intercepts(&state, value)?
        } else {
            vec![vec![DoubleDouble::ZERO; self.k]; self.k]
        };
        debug_assert_eq!(w[0].len(), d);
        let radius = (2.0 * gap / self.l2).sqrt() * 1.000_001;
        Some(Reference { value, w, radius, center, most })
    }
}

impl CrammerSingerProblem<'_> {
    /// Returns the largest difference of each pair of intercepts over all optima, verified at the
    /// points that attain it.
    fn intercepts(&self, state: &State, value: DoubleDouble) -> Option<Vec<Vec<DoubleDouble>>> {
        let (k, width) = (self.k(), self.width);
        let at = |class: usize| class * width + width - 1;
        let mut most = vec![vec![dd(f64::MAX / 4.0); k]; k];
        (0..k).for_each(|c| most[c][c] = DoubleDouble::ZERO);
        for i in 0..self.rows.len() {
            let v = self.v(&state.h, i);
            for j in (0..k).filter(|&j| state.p[i][j].value() > 1e-9) {
                for l in (0..k).filter(|&l| l != j) {
                    // v_j + Δb_j ≥ v_l + Δb_l.
                    let now = state.h[at(l)] - state.h[at(j)];
                    most[l][j] = most[l][j].min(v[j] - v[l] + now);
                }
            }
        }
        for via in 0..k {
            for c in 0..k {
                for a in 0..k {
                    most[c][a] = most[c][a].min(most[c][via] + most[via][a]);
                }
            }
        }
        for a in 0..k {
            // The intercepts most[·][a] attain all largest differences to b_a simultaneously.
            let mut h = state.h.clone();
            most.iter().enumerate().for_each(|(c, row)| h[at(c)] = row[a]);
            let over = (self.value(&h) - value).value();
            if over.is_nan() || over > GAP * (1.0 + value.value()) {
                return None;
            }
        }
        Some(most)
    }
}

impl Reference {
    /// Returns the largest `z_c − z_a` of a row over all optima, with an error bound.
    pub fn largest_lead(&self, row: &[f64], c: usize, a: usize) -> (f64, f64) {
        let centered: Vec<DoubleDouble> =
            row.iter().zip(&self.center).map(|(x, c)| DoubleDouble::difference(*x, *c)).collect();
        let (zc, za) = (dot(&self.w[c], &centered), dot(&self.w[a], &centered));
        let norm = centered.iter().map(|x| x.value() * x.value()).sum::<f64>().sqrt();
        let lead = zc - za + self.most[c][a];
        let size = zc.abs().value() + za.abs().value();
        (lead.value(), 100.0 * self.radius * (norm + 1.0) + 1e-9 * (1.0 + size))
    }

    /// Returns a lower bound on ‖W − W*‖.
    pub fn distance_at_least(&self, w: &[Vec<f64>]) -> f64 {
        let pairs = self.w.iter().flatten().zip(w.iter().flatten());
        let square: DoubleDouble = pairs.map(|(a, b)| (*a - dd(*b)).square()).sum();
        square.sqrt().value() * (1.0 - 1e-15) - self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows ±1 of two classes with λ = 10: w = ±0.1 by hand, and intercepts that differ by at most
    /// 0.8.
    #[test]
    fn intercepts_of_two_rows_form_an_interval() {
        let x = vec![vec![-1.0], vec![1.0]];
        let problem =
            Problem { x, class: vec![0, 1], s: vec![1.0; 2], k: 2, l2: 10.0, intercept: true };
        let found = problem.crammer_singer_reference().unwrap();
        assert!((found.w[1][0] - dd(0.1)).abs().value() < 1e-12, "{:?}", found.w);
        let (lead, _) = found.largest_lead(&[0.0], 1, 0);
        let (back, _) = found.largest_lead(&[0.0], 0, 1);
        assert!((lead - 0.8).abs() < 1e-9 && (back - 0.8).abs() < 1e-9, "{lead} {back}");
    }
}
