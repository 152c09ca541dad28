//! The largest margin, between two bounds that hold.
//!
//! For unit u the margin of a signed row is a·u. The largest margin γ that all rows can have is ‖x‖, x the point of the hull of the
//! signed rows nearest to the origin ([`Corral`]), and
//!
//! ```text
//!   minₚ aₚ·x/‖x‖  ≤  γ  ≤  ‖x‖      for every x of the hull,
//! ```
//!
//! so a search that is stopped early still has both. The perceptron, from 0 and for any η and order, makes at most
//! **(R/γ)²** corrections, R = max‖(x, 1)‖ (Novikoff), and with a lower bound for γ that stays true.
//!
//! The widest strip between the classes, where the bias costs nothing, is the same with differences xᵢ − xⱼ of rows of the two
//! classes for signed rows: its half width is the distance that the nearest rows have from the best plane.
//!
//! Bounds are in doubles, widened by what rounding can have done.
//!
//! Source: Novikoff, *On convergence proofs for perceptrons* (1962); Wolfe (1976), as in [`Corral`].

use super::corral::Corral;
use crate::certify::Signed;
use crate::control::{Epoch, Standing, Watch};
use crate::data::{Design, Plane};
use crate::math::kernels::{dot, norm_sq};

/// Bounds on a margin, and the plane that has the lower one.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds {
    /// A plane has it.
    pub least: f64,
    /// No plane has more.
    pub most: f64,
    /// The plane, its weights of length 1 (with the bias, for the margin of signed rows).
    pub plane: Plane,
}

/// The margins of two classes that can be separated.
#[derive(Clone, Debug, PartialEq)]
pub struct Margin {
    /// γ, of the rows with a 1 added to them.
    pub gamma: Bounds,
    /// Distance of the nearest rows from the best plane.
    pub distance: Bounds,
    /// R = max‖(x, 1)‖.
    pub radius: f64,
}

impl Margin {
    /// (R/γ)²: the perceptron makes no more corrections than this.
    pub fn novikoff(&self) -> f64 {
        let ratio = self.radius / self.gamma.least;
        ratio * ratio
    }
}

/// What signed rows are made of.
#[derive(Clone, Copy)]
enum Kind {
    /// y (x, 1).
    Augmented,
    /// Differences of rows of the two classes.
    Strip,
}

/// Stops where the bounds are this near to each other.
const NEAR: f64 = 1e-6;

/// Bounds for both margins, each in at most so many sweeps; `None` where the best plane met has no margin above
/// rounding, or the numbers leave the range of doubles.
pub(super) fn margin(signed: &Signed<'_>, most: u64, watch: &mut dyn Watch) -> Option<Margin> {
    let radius = signed.x().radius_sq().sqrt();
    if signed.planes() > 1 || radius >= 1e150 {
        return None;
    }
    let gamma = bounds(signed, Kind::Augmented, most, radius, watch)?;
    let distance = bounds(signed, Kind::Strip, most, radius, watch)?;
    Some(Margin { gamma, distance, radius: radius * (1.0 + 1e-12) })
}

fn bounds(
    signed: &Signed<'_>,
    kind: Kind,
    most: u64,
    radius: f64,
    watch: &mut dyn Watch,
) -> Option<Bounds> {
    let x = signed.x();
    let mut scores = vec![0.0; signed.n()];
    let mut pool: Vec<Vec<f64>> = Vec::new();
    let mut known = std::collections::HashSet::new();
    let mut corral = Corral::new();
    let mut best: Option<Bounds> = None;
    // Products are off by at most this share of ‖a‖‖x‖.
    let slack = (x.d() + 8) as f64 * f64::EPSILON;
    let mut h = vec![0.0; x.d() + 1];
    for sweep in 0..most {
        // 1. Scores of all rows, and the worst of both classes.
        let (bias, w) = h.split_last().expect("there is a bias");
        x.scores_into(w, *bias, &mut scores);
        let side = |block: usize, y: f64| {
            let rows = (0..signed.n()).filter(|&i| signed.is_live(i) && signed.block(i) == block);
            worst(rows.map(|i| (y * scores[i], i)), x.d().clamp(20, 200))
        };
        let (plus, minus) = (side(1, 1.0), side(0, -1.0));
        let (least_plus, least_minus) = (plus.first()?.0, minus.first()?.0);

        // 2. The bounds of the point at hand.
        if sweep > 0 {
            let size = norm_sq(&h[..x.d()])
                + if matches!(kind, Kind::Augmented) { bias * bias } else { 0.0 };
            let length = size.sqrt();
            let product = match kind {
                Kind::Augmented => least_plus.min(least_minus),
                Kind::Strip => least_plus + least_minus,
            };
            let half = if matches!(kind, Kind::Strip) { 0.5 } else { 1.0 };
            let least = half * (product / length - 2.0 * slack * radius);
            let upper = half * length * (1.0 + slack) + slack * radius;
            let mut plane = Plane { w: w.to_vec(), b: *bias };
            if matches!(kind, Kind::Strip) {
                plane.b = (least_minus - least_plus) / 2.0;
            }
            plane.scale(1.0 / length);
            let upper = best.as_ref().map_or(upper, |b| b.most.min(upper));
            best = Some(match best {
                Some(b) if b.least >= least => Bounds { most: upper, ..b },
                _ => Bounds { least, most: upper, plane },
            });
            let now = best.as_ref()?;
            let epoch = Epoch {
                epoch: sweep,
                of: most,
                standing: Standing::Criterion {
                    value: now.most,
                    relative_gap: Some(1.0 - now.least / now.most),
                },
                plane: &now.plane,
            };
            let go_on = watch.epoch(&epoch);
            if now.least >= now.most * (1.0 - NEAR) || !go_on {
                break;
            }
        }

        // 3. The worst rows join the pool.
        let before = pool.len();
        match kind {
            Kind::Augmented => {
                for (y, (_, i)) in
                    plus.iter().map(|p| (1.0, p)).chain(minus.iter().map(|p| (-1.0, p)))
                {
                    if known.insert((*i, *i)) {
                        pool.push(row(x, *i, y));
                    }
                }
            }
            Kind::Strip => {
                for k in 0..plus.len().max(minus.len()) {
                    let (i, j) = (plus[k.min(plus.len() - 1)].1, minus[k.min(minus.len() - 1)].1);
                    if known.insert((i, j)) {
                        let (a, b) = (row(x, i, 1.0), row(x, j, -1.0));
                        pool.push(a.iter().zip(&b).map(|(a, b)| a + b).collect());
                    }
                }
            }
        }
        if pool.len() == before {
            break;
        }
        corral.nearest(&pool);
        h.copy_from_slice(corral.x());
    }
    best.filter(|b| b.least > 0.0 && dot(&b.plane.w, &b.plane.w).is_finite())
}

/// y (x, 1).
fn row(x: &Design, i: usize, y: f64) -> Vec<f64> {
    let mut row = x.row(i);
    row.push(1.0);
    row.iter_mut().for_each(|v| *v *= y);
    row
}

/// The least so many, in order.
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
