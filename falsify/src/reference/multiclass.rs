//! Optimum of softmax regression, by Newton's method in double-double.
//!
//! ```text
//!   F(W, b) = (1/S) Σ sᵢ (ln Σⱼ e^(zᵢⱼ) − zᵢ,cᵢ) + (λ/2)‖W‖²,   zⱼ = wⱼ·x + bⱼ
//! ```
//!
//! b is unique up to a common shift, which is fixed by b of the last class = 0. With p = softmax(z)
//! as the dual point, the gap is Σ gⱼ²/(2λ) over the coefficients, plus the residual of the
//! intercepts' constraints. A row of weight s > 0 has probabilities p* at the optimum with KL(p‖p*)
//! ≤ gap·S/s, so |pₐ − pₐ*| ≤ √(gap·S/(2s)) (Pinsker). Other rows are compared by scores, with a
//! large error bound.

use super::program::GAP;
use crate::double_double::{DoubleDouble, dd, dot};
use crate::linear_system::solve;

/// Multiclass problem.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Rows.
    pub x: Vec<Vec<f64>>,
    /// Class of every row.
    pub class: Vec<usize>,
    /// Sample weights ≥ 0.
    pub s: Vec<f64>,
    /// Number of classes.
    pub k: usize,
    /// λ.
    pub l2: f64,
    /// Whether b is free; otherwise b = 0.
    pub intercept: bool,
}

/// Certified optimum.
#[derive(Clone, Debug)]
pub struct Reference {
    /// F at the point found.
    pub value: DoubleDouble,
    /// wⱼ, class by class.
    pub w: Vec<Vec<DoubleDouble>>,
    /// Upper bound on ‖W − W*‖.
    pub radius: f64,
    /// Intercepts of centered rows.
    b: Vec<DoubleDouble>,
    center: Vec<f64>,
}

impl Problem {
    /// Returns F at (W, b).
    pub fn value(&self, w: &[Vec<f64>], b: &[f64]) -> DoubleDouble {
        let total: DoubleDouble = self.s.iter().map(|s| dd(*s)).sum();
        let mut sum = DoubleDouble::ZERO;
        for ((x, &c), s) in self.x.iter().zip(&self.class).zip(&self.s) {
            let score = |j: usize| -> DoubleDouble {
                let products = x.iter().zip(&w[j]).map(|(x, w)| DoubleDouble::product(*x, *w));
                products.sum::<DoubleDouble>() + dd(b[j])
            };
            let z: Vec<DoubleDouble> = (0..self.k).map(score).collect();
            sum += dd(*s) * loss(&z, c);
        }
        let squares: DoubleDouble = w.iter().flatten().map(|w| DoubleDouble::product(*w, *w)).sum();
        sum / total + dd(self.l2 / 2.0) * squares
    }

    /// Returns the columns' centers (0 without an intercept), the centered and scaled rows, and the
    /// scales.
    pub(super) fn centered(&self) -> (Vec<f64>, Vec<Vec<DoubleDouble>>, Vec<f64>) {
        let d = self.x[0].len();
        let total: f64 = self.s.iter().sum();
        let center: Vec<f64> = (0..d)
            .map(|j| {
                let mean = || self.x.iter().zip(&self.s).map(|(x, s)| s / total * x[j]).sum();
                if self.intercept { mean() } else { 0.0 }
            })
            .collect();
        let mut rows: Vec<Vec<DoubleDouble>> = self
            .x
            .iter()
            .map(|row| {
                row.iter().zip(&center).map(|(x, c)| DoubleDouble::difference(*x, *c)).collect()
            })
            .collect();
        let scale: Vec<f64> = (0..d)
            .map(|j| {
                let most = rows.iter().fold(0.0_f64, |m, row| m.max(row[j].abs().value()));
                if (1e-100..1e100).contains(&most) { (-most.log2().round()).exp2() } else { 1.0 }
            })
            .collect();
        for row in &mut rows {
            row.iter_mut().zip(&scale).for_each(|(x, scale)| *x = *x * dd(*scale));
        }
        (center, rows, scale)
    }

    /// Returns the optimum; `None` without a penalty, and if the gap is not small enough.
    pub fn reference(&self) -> Option<Reference> {
        if self.l2 == 0.0 {
            return None;
        }
        let (center, mut rows, scale) = self.centered();
        let (d, k) = (scale.len(), self.k);
        if self.intercept {
            rows.iter_mut().for_each(|row| row.push(DoubleDouble::ONE));
        }
        let width = rows[0].len();
        let count = if self.intercept { k * width - 1 } else { k * width };
        let total: DoubleDouble = self.s.iter().map(|s| dd(*s)).sum();
        let lambda = |at: usize| match scale.get(at % width) {
            Some(t) => dd(self.l2) * dd(*t) * dd(*t),
            None => DoubleDouble::ZERO,
        };
        let scores = |h: &[DoubleDouble], row: &[DoubleDouble]| -> Vec<DoubleDouble> {
            h.chunks(width).map(|h| dot(h, row)).collect()
        };
        let value = |h: &[DoubleDouble]| -> DoubleDouble {
            let losses: DoubleDouble = (0..rows.len())
                .map(|i| dd(self.s[i]) / total * loss(&scores(h, &rows[i]), self.class[i]))
                .sum();
            losses + dd(0.5) * (0..h.len()).map(|at| lambda(at) * h[at].square()).sum()
        };
        let mut h = vec![DoubleDouble::ZERO; k * width];
        let mut before = value(&h);
        let mut best: Option<(DoubleDouble, Vec<DoubleDouble>, DoubleDouble)> = None;
        for _ in 0..200 {
            let mut g: Vec<DoubleDouble> = (0..k * width).map(|at| lambda(at) * h[at]).collect();
            let mut matrix = vec![vec![DoubleDouble::ZERO; count]; count];
            for (i, row) in rows.iter().enumerate().filter(|(i, _)| self.s[*i] > 0.0) {
                let p = softmax(&scores(&h, row));
                let q = dd(self.s[i]) / total;
                for a in 0..k {
                    let own =
                        if a == self.class[i] { DoubleDouble::ONE } else { DoubleDouble::ZERO };
                    (0..width).for_each(|j| g[a * width + j] += q * (p[a] - own) * row[j]);
                    for b in 0..k {
                        let same = if a == b { DoubleDouble::ONE } else { DoubleDouble::ZERO };
                        let bend = q * p[a] * (same - p[b]);
                        for j in (0..width).filter(|j| a * width + j < count) {
                            for l in (0..width).filter(|l| b * width + l < count) {
                                matrix[a * width + j][b * width + l] += bend * row[j] * row[l];
                            }
                        }
                    }
                }
            }
            (0..count).for_each(|at| matrix[at][at] += lambda(at));
            let mut gap = DoubleDouble::ZERO;
            for at in 0..k * width {
                let square = g[at].square() / (dd(2.0) * lambda(at));
                let free = g[at].abs() * (h[at].abs() + DoubleDouble::ONE);
                gap += if square.is_finite() { square } else { free };
            }
            if best.as_ref().is_none_or(|best| gap < best.2) {
                best = Some((before, h.clone(), gap));
            }
            if gap.value() <= 1e-31 * before.value() {
                break;
            }
            let right: Vec<DoubleDouble> = g[..count].iter().map(|g| -*g).collect();
            let step = solve(&matrix, &right)?;
            let mut length = DoubleDouble::ONE;
            let moved = |length: DoubleDouble| -> Vec<DoubleDouble> {
                let mut moved = h.clone();
                moved.iter_mut().zip(&step).for_each(|(h, step)| *h += length * *step);
                moved
            };
            let mut next = moved(length);
            let mut after = value(&next);
            while after > before + dd(1e-30) * before && length.value() > 1e-12 {
                length = length * dd(0.5);
                next = moved(length);
                after = value(&next);
            }
            if gap.value() < 1e-20 && best.as_ref().is_some_and(|b| gap > b.2) {
                break;
            }
            (h, before) = (next, after);
        }
        let (value, h, gap) = best?;
        let gap = gap.value() + 1e-31 * value.value();
        if gap.is_nan() || gap > GAP * value.value() {
            return None;
        }
        let hyperplanes = || h.chunks(width);
        let w = hyperplanes()
            .map(|h| h.iter().zip(&scale).map(|(h, scale)| *h * dd(*scale)).collect())
            .collect();
        let b = hyperplanes().map(|h| h.get(d).copied().unwrap_or_default()).collect();
        let radius = (2.0 * gap / self.l2).sqrt() * 1.000_001;
        Some(Reference { value, w, radius, b, center })
    }
}

/// Returns ln Σ e^z − z of the class.
fn loss(z: &[DoubleDouble], class: usize) -> DoubleDouble {
    let others = z.iter().enumerate().filter(|(j, _)| *j != class);
    // ln(1 + Σ e^(zⱼ − z_c)), shifted by the largest of the other terms.
    let most = others.clone().fold(dd(f64::MIN), |most, (_, z)| most.max(*z));
    let sum: DoubleDouble = others.map(|(_, z)| (*z - most).exp()).sum();
    (sum.ln() + most - z[class]).softplus()
}

fn softmax(z: &[DoubleDouble]) -> Vec<DoubleDouble> {
    let most = z.iter().fold(dd(f64::MIN), |most, z| most.max(*z));
    let e: Vec<DoubleDouble> = z.iter().map(|z| (*z - most).exp()).collect();
    let sum: DoubleDouble = e.iter().copied().sum();
    e.into_iter().map(|e| e / sum).collect()
}

impl Reference {
    /// Returns the scores of a row, up to a common shift, with an error bound for each difference.
    pub fn scores(&self, row: &[f64]) -> (Vec<DoubleDouble>, f64) {
        let centered: Vec<DoubleDouble> =
            row.iter().zip(&self.center).map(|(x, c)| DoubleDouble::difference(*x, *c)).collect();
        let z: Vec<DoubleDouble> =
            self.w.iter().zip(&self.b).map(|(w, b)| dot(w, &centered) + *b).collect();
        let norm = centered.iter().map(|x| x.value() * x.value()).sum::<f64>().sqrt();
        let size = z.iter().fold(0.0_f64, |most, z| most.max(z.abs().value()));
        (z, 100.0 * self.radius * (norm + 1.0) + 1e-9 * (1.0 + size))
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
    use crate::reference::binary;

    /// For two classes softmax is logistic regression with w = w₂ − w₁ and half the penalty.
    #[test]
    fn softmax_of_two_classes_is_logistic_regression() {
        let x: Vec<Vec<f64>> =
            [0.5, -1.0, 2.0, 0.25, 3.0].iter().map(|v| vec![*v, v * v]).collect();
        let class = vec![0, 0, 1, 1, 0];
        let s = vec![1.0, 2.0, 1.0, 0.5, 1.0];
        let softmax = Problem { x, class, s, k: 2, l2: 0.1, intercept: true };
        let y = softmax.class.iter().map(|c| if *c == 1 { 1.0 } else { -1.0 }).collect();
        let two = binary::Problem {
            x: softmax.x.clone(),
            y,
            s: softmax.s.clone(),
            loss: binary::Loss::Logistic,
            l1: 0.0,
            l2: 0.05,
            intercept: true,
        };
        let (many, two) = (softmax.reference().unwrap(), two.reference().unwrap());
        assert!(((many.value - two.value) / two.value).abs().value() < 1e-26);
        for j in 0..2 {
            let w = many.w[1][j] - many.w[0][j];
            assert!((w - two.w[j]).abs().value() < 1e-12);
        }
    }
}
