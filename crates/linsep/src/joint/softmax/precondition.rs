//! What conjugate gradients are helped by: something like the curvature that is cheap to divide by.
//!
//! The curvature of row i is cᵢ = sᵢ/S (diag(pᵢ) − pᵢpᵢᵀ) over the classes, times (xᵢ, 1)(xᵢ, 1)ᵀ over the columns. On class
//! vectors that add up to zero the former is on average ((1 − ‖pᵢ‖²)/(k − 1)) times the identity (for even pᵢ exactly), so
//!
//! ```text
//!   M = Σ (sᵢ/S) (1 − ‖pᵢ‖²)/(k − 1) (xᵢ, 1)(xᵢ, 1)ᵀ + λ,    the same for each class.
//! ```
//!
//! Where columns are few, M is built and factored; else its diagonal must do. Where building it would cost more than a few
//! passes, how columns go together is taken from some of the rows (8 per column bring the eigenvalues within a factor of
//! four), and how large they are from all: a column that hardly any row has would otherwise seem flat.

use super::criterion::{Criterion, Look};
use crate::data::{Combination, Design};
use crate::math::linalg::Cholesky;

/// Divides by something like the curvature.
pub(super) struct Preconditioner {
    sample: Option<Sample>,
    kind: Kind,
}

enum Kind {
    Factor(Cholesky),
    Diagonal(Vec<f64>),
}

/// Some of the rows.
struct Sample {
    /// None of its own where it is all of them.
    x: Option<Design>,
    rows: Vec<usize>,
}

impl Preconditioner {
    pub(super) fn new(criterion: &Criterion<'_>) -> Self {
        const FEW_COLUMNS: usize = 2_000;
        const PASSES: usize = 10;
        let (x, d) = (criterion.x, criterion.x.d());
        let sample = (d <= FEW_COLUMNS).then(|| {
            // A row costs the square of its length here, and 4 k times its length in a pass.
            let cheap = x.stored() / x.n() <= 4 * criterion.k * PASSES;
            let step = if cheap { 1 } else { (x.n() / (8 * (d + 1)).max(4096)).max(1) };
            let rows: Vec<usize> = (0..x.n()).step_by(step).collect();
            Sample { x: (step > 1).then(|| x.select_rows(&rows)), rows }
        });
        Self { sample, kind: Kind::Diagonal(vec![1.0; d + 1]) }
    }

    /// Makes it fit the probabilities.
    pub(super) fn renew(&mut self, criterion: &Criterion<'_>, look: &Look) {
        let k = criterion.k;
        let curvature = |i: usize| {
            let p = &look.p[i * k..][..k];
            let flat = 1.0 - p.iter().map(|p| p * p).sum::<f64>();
            criterion.s[i] / criterion.total * flat.max(0.0) / (k - 1) as f64
        };
        let c: Vec<f64> = (0..criterion.x.n()).map(curvature).collect();
        self.kind = self
            .sample
            .as_ref()
            .and_then(|sample| factor(criterion, &c, sample))
            .map_or_else(|| diagonal(criterion, &c), Kind::Factor);
    }

    /// out ← M⁻¹ r.
    pub(super) fn apply(&self, criterion: &Criterion<'_>, r: &[f64], out: &mut [f64]) {
        let k = criterion.k;
        match &self.kind {
            Kind::Diagonal(diagonal) => {
                let rows = out.chunks_exact_mut(k).zip(r.chunks_exact(k)).zip(diagonal);
                rows.for_each(|((out, r), m)| {
                    out.iter_mut().zip(r).for_each(|(out, r)| *out = r / m);
                });
            }
            Kind::Factor(factor) => {
                let mut column = vec![0.0; r.len() / k];
                for c in 0..k {
                    column.iter_mut().enumerate().for_each(|(j, v)| *v = r[j * k + c]);
                    factor.solve(&mut column);
                    column.iter().enumerate().for_each(|(j, v)| out[j * k + c] = *v);
                }
            }
        }
        if !criterion.intercept {
            out[criterion.penalised()..].fill(0.0);
        }
    }
}

fn factor(criterion: &Criterion<'_>, c: &[f64], sample: &Sample) -> Option<Cholesky> {
    let wide = criterion.x.d() + 1;
    let mut m = match &sample.x {
        None => criterion.x.gram(c),
        Some(x) => {
            let own: Vec<f64> = sample.rows.iter().map(|&i| c[i]).collect();
            let mut m = x.gram(&own);
            let all = squares(criterion, c);
            let seen: Vec<f64> = (0..wide).map(|j| m[j * wide + j]).collect();
            let scale = |j: usize| if seen[j] > 0.0 { (all[j] / seen[j]).sqrt() } else { 0.0 };
            let scale: Vec<f64> = (0..wide).map(scale).collect();
            for j in 0..wide {
                m[j * wide..][..wide].iter_mut().zip(&scale).for_each(|(v, s)| *v *= s * scale[j]);
                m[j * wide + j] = all[j];
            }
            m
        }
    };
    (0..wide - 1).for_each(|j| m[j * wide + j] += criterion.l2);
    if !criterion.intercept {
        (0..wide).for_each(|j| m[j * wide + wide - 1] = 0.0);
        m[wide * wide - 1] = 1.0;
    }
    Cholesky::new(&m, wide)
}

/// Σ cᵢ (xᵢ, 1)², column by column.
fn squares(criterion: &Criterion<'_>, c: &[f64]) -> Vec<f64> {
    let mut squares = vec![0.0; criterion.x.d()];
    Combination::new(criterion.x).of_squares(criterion.x, c, &mut squares);
    squares.push(c.iter().sum());
    squares
}

fn diagonal(criterion: &Criterion<'_>, c: &[f64]) -> Kind {
    let mut diagonal = squares(criterion, c);
    diagonal[..criterion.x.d()].iter_mut().for_each(|v| *v += criterion.l2);
    diagonal.iter_mut().filter(|v| !(**v > 0.0 && v.is_finite())).for_each(|v| *v = 1.0);
    Kind::Diagonal(diagonal)
}
