//! The largest margin, between rigorous lower and upper bounds.
//!
//! For unit u the margin of a signed row is a·u. The largest margin γ that all rows can have is
//! ‖x‖, x the point of the convex hull of the signed rows nearest to the origin ([`Corral`]), and
//!
//! ```text
//!   minₚ aₚ·x/‖x‖  ≤  γ  ≤  ‖x‖      for every x of the hull,
//! ```
//!
//! so a search stopped early still has both bounds. Started at 0, for any η and order, the
//! perceptron makes at most **(R/γ)²** updates, R = max‖(x, 1)‖ (Novikoff). In doubles this
//! requires an η whose products neither overflow nor underflow, see
//! [`Novikoff::holds_in_doubles`](crate::certify::Novikoff::holds_in_doubles). The bound remains
//! valid with a lower bound on γ.
//!
//! The geometric margin (hard-margin SVM) excludes the intercept from the norm. Its signed rows are
//! the differences xᵢ − xⱼ of rows of the two classes. Half the width of the widest strip between
//! the classes is the distance from the best hyperplane to the nearest rows.
//!
//! Bounds are computed in doubles and widened by the rounding error.
//!
//! Source: Novikoff, *On convergence proofs for perceptrons* (1962); Wolfe (1976), as in
//! [`Corral`].

use super::corral::{Corral, Nearest};
use crate::certify::{SignedRows, Work};
use crate::control::{Epoch, EpochMetric, Observer};
use crate::data::{Design, Hyperplane};
use crate::float;
use crate::math::kernels::{dot, norm_sq};
use serde::{Deserialize, Serialize};

/// Bounds on a margin, and the hyperplane that attains the lower bound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// Lower bound on the largest margin, attained by `hyperplane`.
    #[serde(with = "float")]
    pub least: f64,
    /// Upper bound on the largest margin.
    #[serde(with = "float")]
    pub most: f64,
    /// The hyperplane, with ‖w‖ = 1; for the margin of signed rows, ‖(w, b)‖ = 1.
    pub hyperplane: Hyperplane,
}

/// The margins of two separable classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Margin {
    /// γ, of the rows with a constant entry 1 appended.
    pub gamma: Bounds,
    /// Distance from the best hyperplane to the nearest rows.
    pub distance: Bounds,
    /// R = max‖(x, 1)‖.
    #[serde(with = "float")]
    pub radius: f64,
}

impl Margin {
    /// Returns (R/γ)², an upper bound on the number of perceptron updates.
    pub fn novikoff(&self) -> f64 {
        ratio_sq(self.radius, self.gamma.least)
    }
}

/// Returns (R/γ)², with R an upper bound and γ a lower bound.
pub(crate) fn ratio_sq(radius: f64, gamma: f64) -> f64 {
    let ratio = radius / gamma;
    ratio * ratio
}

/// Kind of signed rows.
#[derive(Clone, Copy)]
enum Kind {
    /// y (x, lift).
    Augmented,
    /// Differences of rows of the two classes.
    Strip,
}

/// Rows with a sign each.
pub(crate) struct SignedData<'a> {
    /// The rows.
    pub(crate) x: &'a Design,
    /// −1 or +1; 0 for ignored rows.
    pub(crate) y: Vec<f64>,
    /// Constant entry of a row for the intercept: 1, or 0 without an intercept.
    pub(crate) lift: f64,
}

impl SignedData<'_> {
    /// Returns R = max‖(x, lift)‖ over the rows with a sign.
    pub(crate) fn radius(&self) -> f64 {
        let norms = self.x.norms_sq();
        let live = norms.iter().zip(&self.y).filter(|(_, y)| **y != 0.0);
        (live.fold(0.0, |most: f64, (norm, _)| most.max(*norm)) + self.lift).sqrt()
    }

    /// Bounds γ, the largest margin of the signed rows, in at most `most` sweeps. `None` if no
    /// hyperplane with a margin above rounding is found, or if values leave the range of doubles.
    pub(crate) fn gamma(
        &self,
        most: u64,
        work: &mut Work,
        watch: &mut dyn Observer,
    ) -> Option<(Bounds, f64)> {
        let radius = self.radius();
        if radius >= HUGE {
            return None;
        }
        let gamma = bounds(self, Kind::Augmented, radius, (most, work), watch)?;
        Some((gamma, radius * (1.0 + 1e-12)))
    }

    /// Returns y (x, lift) of row i.
    fn row(&self, i: usize) -> Vec<f64> {
        let mut row = self.x.row(i);
        row.push(self.lift);
        row.iter_mut().for_each(|v| *v *= self.y[i]);
        row
    }
}

/// Norms from here on are rejected, so that their squares cannot overflow.
const HUGE: f64 = 1e150;
/// Relative difference of the bounds at which the search stops.
const NEAR: f64 = 1e-6;

/// Bounds both margins of two classes, each in at most `most` sweeps. `None` if no hyperplane with
/// a margin above rounding is found, or if values leave the range of doubles.
pub(super) fn margin(
    signed: &SignedRows<'_>,
    most: u64,
    watch: &mut dyn Observer,
) -> Option<Margin> {
    let mut work = Work::new(u64::MAX, watch.cancel());
    if signed.hyperplanes() > 1 {
        return None;
    }
    let sign = |i: usize| match signed.block(i) {
        _ if !signed.is_live(i) => 0.0,
        0 => -1.0,
        _ => 1.0,
    };
    let sides = SignedData { x: signed.x(), y: (0..signed.n()).map(sign).collect(), lift: 1.0 };
    let (gamma, radius) = sides.gamma(most, &mut work, watch)?;
    let distance = bounds(&sides, Kind::Strip, radius, (most, &mut work), watch)?;
    Some(Margin { gamma, distance, radius })
}

fn bounds(
    sides: &SignedData<'_>,
    kind: Kind,
    radius: f64,
    (most, work): (u64, &mut Work),
    watch: &mut dyn Observer,
) -> Option<Bounds> {
    let x = sides.x;
    let mut scores = vec![0.0; x.n()];
    let mut pool: Vec<Vec<f64>> = Vec::new();
    let mut known = std::collections::HashSet::new();
    let mut corral = Corral::new();
    let mut best: Option<Bounds> = None;
    // Relative error of products, as a share of ‖a‖‖x‖.
    let slack = (x.d() + 8) as f64 * f64::EPSILON;
    let mut h = vec![0.0; x.d() + 1];
    // A sweep multiplies every stored value, and selecting rows costs about as much as ten per row.
    let products = (x.stored() + 10 * x.n()) as u64;
    for sweep in 0..most {
        if work.spend(products).is_none() {
            break;
        }
        // 1. Scores of all rows, and the smallest margins of both classes.
        let (bias, w) = h.split_last().expect("there is an intercept");
        x.scores_into(w, *bias, &mut scores);
        let side = |y: f64| {
            let rows = (0..x.n()).filter(|&i| sides.y[i] == y);
            worst(rows.map(|i| (y * scores[i], i)), x.d().clamp(20, 200))
        };
        let (plus, minus) = (side(1.0), side(-1.0));
        let least = |of: &[(f64, usize)]| of.first().map(|first| first.0);

        // 2. The bounds of the current point.
        if sweep > 0 {
            let size = norm_sq(&h[..x.d()])
                + if matches!(kind, Kind::Augmented) { bias * bias } else { 0.0 };
            let length = size.sqrt();
            let product = match kind {
                Kind::Augmented => {
                    least(&plus).into_iter().chain(least(&minus)).reduce(f64::min)?
                }
                Kind::Strip => least(&plus)? + least(&minus)?,
            };
            let half = if matches!(kind, Kind::Strip) { 0.5 } else { 1.0 };
            let lower = half * (product / length - 2.0 * slack * radius);
            let upper = half * length * (1.0 + slack) + slack * radius;
            let mut hyperplane = Hyperplane { w: w.to_vec(), b: *bias };
            if matches!(kind, Kind::Strip) {
                hyperplane.b = (least(&minus)? - least(&plus)?) / 2.0;
            }
            hyperplane.scale(1.0 / length);
            let upper = best.as_ref().map_or(upper, |b| b.most.min(upper));
            best = Some(match best {
                Some(b) if b.least >= lower => Bounds { most: upper, ..b },
                _ => Bounds { least: lower, most: upper, hyperplane },
            });
            let now = best.as_ref()?;
            let epoch = Epoch {
                epoch: sweep,
                of: most,
                standing: EpochMetric::Objective {
                    value: now.most,
                    relative_gap: Some(1.0 - now.least / now.most),
                },
            };
            if now.least >= now.most * (1.0 - NEAR) || !watch.epoch(&epoch) {
                break;
            }
        }

        // 3. The rows of smallest margin join the pool.
        let before = pool.len();
        match kind {
            Kind::Augmented => {
                for &(_, i) in plus.iter().chain(&minus) {
                    if known.insert((i, i)) {
                        pool.push(sides.row(i));
                    }
                }
            }
            Kind::Strip => {
                for k in 0..plus.len().max(minus.len()) {
                    let (i, j) = (plus[k.min(plus.len() - 1)].1, minus[k.min(minus.len() - 1)].1);
                    if known.insert((i, j)) {
                        let (a, b) = (sides.row(i), sides.row(j));
                        pool.push(a.iter().zip(&b).map(|(a, b)| a + b).collect());
                    }
                }
            }
        }
        // No new row, no positive margin, or no work left.
        if pool.len() == before || corral.nearest(&pool, work) != Nearest::Found {
            break;
        }
        h.copy_from_slice(corral.x());
    }
    best.filter(|b| b.least > 0.0 && dot(&b.hyperplane.w, &b.hyperplane.w).is_finite())
}

/// Returns the `take` smallest, sorted.
fn worst(products: impl Iterator<Item = (f64, usize)>, take: usize) -> Vec<(f64, usize)> {
    let mut all: Vec<(f64, usize)> = products.collect();
    let order = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    if all.len() > take {
        all.select_nth_unstable_by(take, order);
        all.truncate(take);
    }
    all.sort_unstable_by(order);
    all
}
