//! Preconditioner of the conjugate gradients: an approximate curvature that is cheap to invert.
//!
//! The curvature of row i is cᵢ = sᵢ/S (diag(pᵢ) − pᵢpᵢᵀ) over the classes, times (xᵢ, 1)(xᵢ, 1)ᵀ
//! over the features. On class vectors that sum to zero, cᵢ is on average ((1 − ‖pᵢ‖²)/(k − 1))
//! times sᵢ/S times the identity (exactly so for uniform pᵢ). So
//!
//! ```text
//!   M = Σ (sᵢ/S) (1 − ‖pᵢ‖²)/(k − 1) (xᵢ, 1)(xᵢ, 1)ᵀ + λ,    the same for each class.
//! ```
//!
//! There are three variants, by size:
//!
//! * few features: M is formed and factored;
//! * that does not suffice, and d × k is small: the exact curvature, with coupled classes, is
//!   formed and factored;
//! * else: the diagonal of M.
//!
//! If M costs more than a pass, or the exact curvature more than ten, correlations between features
//! are estimated from a sample of the rows. Eight rows per dimension of M bring its eigenvalues
//! within a factor of four. The diagonal is computed from all rows, as a feature that is nonzero in
//! few rows would otherwise seem flat. Along vectors that are equal for all classes the coupled
//! curvature is only λ. The mean of its diagonal is added there; the gradient has no such
//! component.

use super::criterion::{SoftmaxObjective, SoftmaxState};
use crate::data::{Combination, Design};
use crate::math::kernels::axpy;
use crate::math::linalg::{self, Cholesky};
use crate::math::parallel::map_blocks;

/// Preconditioner.
pub(super) struct Preconditioner {
    /// Rows of the last sample, and whether it was for coupled classes.
    sample: Option<(bool, Sample)>,
    kind: Kind,
}

enum Kind {
    Coupled(Cholesky),
    Factor(Cholesky),
    Diagonal(Vec<f64>),
}

/// Largest (d+1) × k for which the curvature is formed in full.
const FEW_WEIGHTS: usize = 1_200;
/// Largest d for which M is formed in full.
const FEW_COLUMNS: usize = 2_000;

/// Sample of the rows.
struct Sample {
    /// Sampled rows of X; `None` if all rows are sampled.
    x: Option<Design>,
    rows: Vec<usize>,
}

/// Whether the curvature is small enough to be formed in full.
pub(super) fn couples(criterion: &SoftmaxObjective<'_>) -> bool {
    (criterion.x.d() + 1) * criterion.k <= FEW_WEIGHTS
}

impl Sample {
    /// Samples as many rows as the cost limit allows, with or without coupled classes.
    fn new(criterion: &SoftmaxObjective<'_>, couple: bool) -> Self {
        let (x, d, k) = (criterion.x, criterion.x.d(), criterion.k);
        // A row costs the square of its length here, and 4 k times its length in a pass.
        let (weights, length) = ((d + 1) * k, x.stored().div_ceil(x.n()).max(1));
        let (passes, cost, size) =
            if couple { (10, weights * weights / 2, weights) } else { (1, length * length, d + 1) };
        let most = (passes * 4 * k * length * x.n() / cost).max(8 * size).max(4096);
        let step = x.n().div_ceil(most);
        let rows: Vec<usize> = (0..x.n()).step_by(step).collect();
        Self { x: (step > 1).then(|| x.select_rows(&rows)), rows }
    }
}

impl Preconditioner {
    pub(super) fn new(criterion: &SoftmaxObjective<'_>) -> Self {
        Self { sample: None, kind: Kind::Diagonal(vec![1.0; criterion.x.d() + 1]) }
    }

    /// Recomputes the preconditioner for the current probabilities and damping, with or without
    /// coupled classes.
    pub(super) fn renew(
        &mut self,
        criterion: &SoftmaxObjective<'_>,
        look: &SoftmaxState,
        damped: f64,
        couple: bool,
    ) {
        let k = criterion.k;
        let curvature = |i: usize| {
            let p = &look.p[i * k..][..k];
            let flat = 1.0 - p.iter().map(|p| p * p).sum::<f64>();
            let own = (1.0 - damped) * flat.max(0.0) / (k - 1) as f64;
            criterion.s[i] / criterion.total * (own + damped * 0.5)
        };
        let c: Vec<f64> = (0..criterion.x.n()).map(curvature).collect();
        let built = (criterion.x.d() <= FEW_COLUMNS).then(|| {
            let kept = self.sample.take().filter(|(coupled, _)| *coupled == couple);
            let (_, sample) = &*self
                .sample
                .insert(kept.unwrap_or_else(|| (couple, Sample::new(criterion, couple))));
            if couple {
                coupled(criterion, &c, sample, look, damped).map(Kind::Coupled)
            } else {
                factor(criterion, &c, sample).map(Kind::Factor)
            }
        });
        self.kind = built.flatten().unwrap_or_else(|| diagonal(criterion, &c));
    }

    /// out ← M⁻¹ r.
    pub(super) fn apply(&self, criterion: &SoftmaxObjective<'_>, r: &[f64], out: &mut [f64]) {
        let k = criterion.k;
        match &self.kind {
            Kind::Diagonal(diagonal) => {
                let rows = out.chunks_exact_mut(k).zip(r.chunks_exact(k)).zip(diagonal);
                rows.for_each(|((out, r), m)| {
                    out.iter_mut().zip(r).for_each(|(out, r)| *out = r / m);
                });
            }
            Kind::Coupled(factor) => {
                out.copy_from_slice(r);
                factor.solve(out);
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
            out[criterion.penalized()..].fill(0.0);
        }
    }
}

fn factor(criterion: &SoftmaxObjective<'_>, c: &[f64], sample: &Sample) -> Option<Cholesky> {
    let wide = criterion.x.d() + 1;
    let own: Vec<f64> = sample.rows.iter().map(|&i| c[i]).collect();
    let mut m = sample.x.as_ref().unwrap_or(criterion.x).gram_until(&own, &criterion.cancel)?;
    let seen: Vec<f64> = (0..wide).map(|j| m[j * wide + j]).collect();
    resize(criterion, c, sample, &seen, &mut m);
    (0..wide - 1).for_each(|j| m[j * wide + j] += criterion.l2);
    if !criterion.intercept {
        (0..wide).for_each(|j| m[j * wide + wide - 1] = 0.0);
        m[wide * wide - 1] = 1.0;
    }
    Cholesky::new(&m, wide)
}

/// Factors the curvature with coupled classes, in the index order of the weights.
fn coupled(
    criterion: &SoftmaxObjective<'_>,
    c: &[f64],
    sample: &Sample,
    look: &SoftmaxState,
    damped: f64,
) -> Option<Cholesky> {
    const TILE: usize = 1 << 16;
    let (d, k) = (criterion.x.d(), criterion.k);
    let (wide, size) = (d + 1, (d + 1) * k);
    let x = sample.x.as_ref().unwrap_or(criterion.x);
    let p = |i: usize| &look.p[sample.rows[i] * k..][..k];
    let s = |i: usize| criterion.s[sample.rows[i]] / criterion.total;
    let mut m = vec![0.0; size * size];

    // 1. Σ s diag(p) within each class, and μ/2 of the identity.
    for class in 0..k {
        let share = |i: usize| (1.0 - damped) * p(i)[class] + damped * 0.5;
        let own: Vec<f64> = (0..x.n()).map(|i| s(i) * share(i)).collect();
        let gram = x.gram_until(&own, &criterion.cancel)?;
        for j in 0..wide {
            for i in j..wide {
                m[(j * k + class) * size + i * k + class] = gram[j * wide + i];
            }
        }
    }

    // 2. − Σ s (x ⊗ p)(x ⊗ p)ᵀ. The omitted μ/2 of 11ᵀ/k acts on equal classes only, where step 3
    // adds more.
    let high = (TILE / size).max(8);
    let parts = x.n().div_ceil(8).max(high);
    let less = map_blocks(x.n(), parts, |rows| {
        let mut less = vec![0.0; size * size];
        let (mut tile, mut row) = (Vec::with_capacity(high * size), vec![1.0; wide]);
        for start in rows.clone().step_by(high) {
            tile.clear();
            for i in start..rows.end.min(start + high) {
                row[..d].copy_from_slice(&x.row(i));
                let root = s(i).sqrt();
                tile.extend(row.iter().flat_map(|x| p(i).iter().map(move |p| root * x * p)));
            }
            linalg::add_gram(&tile, size, 1.0, &mut less);
        }
        less
    });
    less.iter().for_each(|less| axpy(damped - 1.0, less, &mut m));

    // 3. Rescale to all rows, and add curvature along equal classes.
    let mean =
        |m: &[f64], j: usize| (0..k).map(|c| m[(j * k + c) * (size + 1)]).sum::<f64>() / k as f64;
    // Averaged over classes, the diagonal is (k − 1)/k times that of M.
    let share = k as f64 / (k - 1) as f64;
    let seen: Vec<f64> = (0..wide).map(|j| share * mean(&m, j)).collect();
    resize(criterion, c, sample, &seen, &mut m);
    for j in 0..wide {
        let alike = mean(&m, j) / k as f64;
        for a in 0..k {
            for b in a..k {
                m[(j * k + a) * size + j * k + b] += alike;
            }
            if j < d {
                m[(j * k + a) * (size + 1)] += criterion.l2;
            }
        }
    }
    if !criterion.intercept {
        for a in d * k..size {
            (0..=a).for_each(|j| m[j * size + a] = 0.0);
            m[a * (size + 1)] = 1.0;
        }
    }
    Cholesky::new(&m, size)
}

/// Rescales a sampled matrix, feature by feature, to the diagonal over all rows. `seen` is the
/// sampled diagonal of M.
fn resize(
    criterion: &SoftmaxObjective<'_>,
    c: &[f64],
    sample: &Sample,
    seen: &[f64],
    m: &mut [f64],
) {
    if sample.x.is_none() {
        return;
    }
    let all = squares(criterion, c);
    let ratio = |(all, seen): (&f64, &f64)| if *seen > 0.0 { (all / seen).sqrt() } else { 0.0 };
    let scale: Vec<f64> = all.iter().zip(seen).map(ratio).collect();
    let size = m.len().isqrt();
    let k = size / scale.len();
    for j in 0..size {
        let column = m[j * size..][..size].iter_mut().enumerate();
        column.for_each(|(i, v)| *v *= scale[i / k] * scale[j / k]);
        if scale[j / k] == 0.0 {
            m[j * (size + 1)] = all[j / k];
        }
    }
}

/// Σ cᵢ (xᵢ, 1)², feature by feature.
fn squares(criterion: &SoftmaxObjective<'_>, c: &[f64]) -> Vec<f64> {
    let mut squares = vec![0.0; criterion.x.d()];
    Combination::new(criterion.x).of_squares(criterion.x, c, &mut squares);
    squares.push(c.iter().sum());
    squares
}

fn diagonal(criterion: &SoftmaxObjective<'_>, c: &[f64]) -> Kind {
    let mut diagonal = squares(criterion, c);
    diagonal[..criterion.x.d()].iter_mut().for_each(|v| *v += criterion.l2);
    diagonal.iter_mut().filter(|v| !(**v > 0.0 && v.is_finite())).for_each(|v| *v = 1.0);
    Kind::Diagonal(diagonal)
}
