//! Search for a separating direction, or for rows that rule one out: minimum-norm points and facial
//! reduction, in doubles.
//!
//! Signed rows a (see [`SignedRows`]) are normalized to length 1 in a [`Frame`]. Let x be the point
//! of their convex hull nearest to the origin ([`Corral`]).
//!
//! * x ≠ 0: a·x > 0 for all rows; x separates them.
//! * x = 0: some rows have a positive dependence, Σ λₚ aₚ = 0. An h with a·h ≥ 0 everywhere then
//!   has a·h = 0 on them, and on all of L, their span. So the search can ignore L: rows in L are
//!   **settled**, and the others are projected onto the orthogonal complement of L. The search
//!   continues there, with the next face of the cone.
//!
//! It ends with a direction that is 0 on L and positive on all rows outside L, or with no row
//! outside L. The result is a *chain* of sets of rows: the rows of each set have a positive
//! combination that lies in the span of the earlier sets.
//!
//! The hull is that of a **pool** of a few hundred rows. A sweep over all rows adds those with the
//! smallest products to the pool; a sweep that adds none completes the search. A random direction
//! orthogonal to L identifies the rows in L: it is orthogonal to them and almost surely to no
//! others. Rounding can hide rows of L from this sweep, so each row of the pool is also projected.
//! If the projection settles every row, no row is outside L and the search ends without a
//! direction.
//!
//! The result is not exact and must be verified: see [`repair`](super::repair()).
//!
//! Cost: a sweep is one pass over the data for each hyperplane; the number of sweeps is at most a
//! few times the number of columns.

use super::Limits;
use super::corral::{Corral, Nearest};
use super::frame::Frame;
use crate::certify::{SignedRows, Work};
use crate::control::{Cancel, Epoch, EpochMetric, Observer};
use crate::math::kernels::{dot, norm_sq};
use crate::math::linalg::project;
use crate::math::rng::Rng;

/// Result of the search.
pub(super) struct SearchResult {
    /// The chain: rows with their multipliers, step by step.
    pub(super) steps: Vec<Vec<(usize, f64)>>,
    pub(super) end: SearchEnd,
    /// Rows of the steps and of the pool, each once.
    pub(super) pool: Vec<usize>,
    /// Smallest number of signed rows with a product ≤ 0, over all directions tried while L is
    /// empty.
    pub(super) fewest_misclassified: Option<usize>,
    /// Sweeps over the data.
    pub(super) sweeps: u64,
}

/// End of the search.
pub(super) enum SearchEnd {
    /// A direction that is positive on all rows outside L, in the coordinates of the frame.
    Direction(Vec<f64>),
    /// No row is outside L.
    AllSettled,
    /// A limit is reached, or the observer stopped the search.
    Budget,
    Asked,
    /// The search stalls at the precision of doubles.
    Stalled,
}

/// Products up to this count as 0; rows and directions have length 1.
const NOTHING: f64 = 1e-11;
/// Largest multiplier of a dependence treated as 0.
const SPURIOUS: f64 = 1e-10;
/// Largest residual, for rows of length 1, treated as in L.
const INSIDE: f64 = 1e-9;
/// Rows added to an empty pool at once.
const FEW: usize = 32;

/// L, by an orthonormal basis: concatenated vectors of the length of a signed row.
struct Space {
    basis: Vec<f64>,
}

impl Space {
    /// Projects a vector onto the orthogonal complement of L; returns its length before and after.
    fn project(&self, v: &mut [f64]) -> (f64, f64) {
        let before = norm_sq(v).sqrt();
        project(v, &self.basis);
        (before, norm_sq(v).sqrt())
    }

    /// Adds a vector to the span L.
    fn extend(&mut self, mut v: Vec<f64>) {
        let (before, after) = self.project(&mut v);
        if after > INSIDE * before {
            self.basis.extend(v.iter().map(|v| v / after));
        }
    }
}

/// Searches within the limits.
pub(super) fn find(
    signed: &SignedRows<'_>,
    frame: &Frame<'_>,
    limits: &Limits,
    watch: &mut dyn Observer,
) -> SearchResult {
    let mut work = Work::new(limits.search, signed.cancel().clone());
    let width = signed.width();
    let take = width.clamp(40, 400);
    let mut space = Space { basis: Vec::new() };
    let mut settled = vec![false; signed.count()];
    let mut pool =
        Pool { cancel: signed.cancel().clone(), rows: start(signed, take), points: Vec::new() };
    let mut found = SearchResult {
        steps: Vec::new(),
        end: SearchEnd::Stalled,
        pool: Vec::new(),
        fewest_misclassified: None,
        sweeps: 0,
    };
    let mut used: Vec<usize> = Vec::new();
    let mut rng = Rng::new(0, 0x5E9A);

    'faces: loop {
        if signed.cancel().is_set() {
            found.end = SearchEnd::Asked;
            break;
        }
        // 1. Find the rows outside L: initially all.
        if !space.basis.is_empty() {
            let Some(left) = unsettled(frame, &space, width, &mut settled, &mut rng) else {
                found.end = SearchEnd::AllSettled;
                break;
            };
            found.sweeps += 1;
            pool.rows.retain(|&at| !settled[at]);
            pool.rows.extend(left);
        }
        pool.project(frame, &space, &mut settled);
        if pool.cancel.is_set() {
            continue; // rows not examined are neither in L nor outside
        }
        if !pool.refill(signed, frame, &space, &mut settled) {
            found.end = SearchEnd::AllSettled;
            break;
        }
        let mut corral = Corral::new();

        loop {
            // 2. The point of the pool's hull nearest to the origin.
            let nearest = corral.nearest(&pool.points, &mut work);
            if signed.cancel().is_set() {
                found.end = SearchEnd::Asked;
                break 'faces;
            }
            if nearest == Nearest::Ended {
                found.end = SearchEnd::Budget;
                break 'faces;
            }
            if nearest == Nearest::Origin {
                // Multipliers at the rounding level are dropped: their rows need not belong to L
                // and would corrupt it.
                let weights = corral.weights().filter(|(_, weight)| *weight > SPURIOUS);
                let step: Vec<(usize, f64)> =
                    weights.map(|(m, weight)| (pool.rows[m], weight)).collect();
                for &(at, _) in &step {
                    space.extend(frame.row(at));
                }
                used.extend(step.iter().map(|s| s.0));
                found.steps.push(step);
                continue 'faces;
            }

            // 3. Check the direction on all rows.
            let x = corral.x();
            let size = norm_sq(x);
            let enough = if space.basis.is_empty() { 0.1 * size } else { NOTHING * size.sqrt() };
            let (wrong, worst) = worst(frame, x, enough, take, &settled);
            found.sweeps += 1;
            if space.basis.is_empty() {
                found.fewest_misclassified =
                    Some(found.fewest_misclassified.map_or(wrong, |least| least.min(wrong)));
            }
            if worst.is_empty() {
                found.end = SearchEnd::Direction(x.to_vec());
                break 'faces;
            }
            if let Some(end) = stop(found.sweeps, limits.sweeps, wrong, watch) {
                found.end = end;
                break 'faces;
            }

            // 4. Rows that contradict the direction join the pool.
            if pool.rows.len() > 4 * take + 2 * width {
                pool.shrink(&mut corral, take);
            }
            let before = pool.rows.len();
            pool.add(worst, frame, &space, &mut settled);
            if pool.rows.len() == before && !pool.cancel.is_set() {
                // No new row: either the rows were in L after all, or doubles are too coarse.
                if !all_settled(frame, corral.x(), enough, &settled) {
                    break 'faces;
                }
            }
        }
    }
    used.extend(&pool.rows);
    used.sort_unstable();
    used.dedup();
    found.pool = used;
    found
}

/// Returns the initial rows: an even sample of all.
fn start(signed: &SignedRows<'_>, take: usize) -> Vec<usize> {
    let live: Vec<usize> =
        (0..signed.count()).filter(|&at| signed.is_live(at / signed.hyperplanes())).collect();
    let step = live.len().div_ceil(take).max(1);
    live.into_iter().step_by(step).collect()
}

/// Returns a reason to stop, if any.
fn stop(sweeps: u64, most: u64, wrong: usize, watch: &mut dyn Observer) -> Option<SearchEnd> {
    let standing = EpochMetric::Mistakes(wrong as f64);
    let go_on = watch.epoch(&Epoch { epoch: sweeps, of: most, standing });
    let go_on = go_on && !watch.cancel().is_set();
    if !go_on {
        return Some(SearchEnd::Asked);
    }
    (sweeps >= most).then_some(SearchEnd::Budget)
}

/// Marks the rows in L by a random direction orthogonal to L. Returns a few rows outside L; `None`
/// if there are none.
fn unsettled(
    frame: &Frame<'_>,
    space: &Space,
    width: usize,
    settled: &mut [bool],
    rng: &mut Rng,
) -> Option<Vec<usize>> {
    if space.basis.len() >= width * width {
        return None;
    }
    let mut direction: Vec<f64> = (0..width).map(|_| rng.unit() - 0.5).collect();
    let (_, size) = space.project(&mut direction);
    direction.iter_mut().for_each(|v| *v /= size);
    let inside = frame.sweep(&direction, |prices| {
        prices.map(|(at, price)| (at, price.abs() <= NOTHING)).collect::<Vec<_>>()
    });
    let mut left = Vec::new();
    for (at, inside) in inside.into_iter().flatten() {
        settled[at] = inside;
        if !inside && left.len() < FEW {
            left.push(at);
        }
    }
    (!left.is_empty()).then_some(left)
}

/// Returns the number of rows with a product ≤ 0, and up to `take` rows with the smallest products
/// below `enough`.
fn worst(
    frame: &Frame<'_>,
    x: &[f64],
    enough: f64,
    take: usize,
    settled: &[bool],
) -> (usize, Vec<usize>) {
    let blocks = frame.sweep(x, |prices| {
        let mut wrong = 0;
        let mut few: Vec<(f64, usize)> = Vec::new();
        for (at, price) in prices.filter(|(at, _)| !settled[*at]) {
            wrong += usize::from(price <= 0.0);
            if price < enough {
                few.push((price, at));
            }
        }
        cut(&mut few, take);
        (wrong, few)
    });
    let wrong = blocks.iter().map(|b| b.0).sum();
    let mut all: Vec<(f64, usize)> = blocks.into_iter().flat_map(|b| b.1).collect();
    cut(&mut all, take);
    (wrong, all.into_iter().map(|(_, at)| at).collect())
}

/// Keeps the `take` smallest, sorted.
fn cut(prices: &mut Vec<(f64, usize)>, take: usize) {
    prices.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    prices.truncate(take);
}

/// Returns whether no row outside L has a product below `enough`.
fn all_settled(frame: &Frame<'_>, x: &[f64], enough: f64, settled: &[bool]) -> bool {
    worst(frame, x, enough, 1, settled).1.is_empty()
}

/// Rows of the current hull, projected onto the orthogonal complement of L and of length 1.
struct Pool {
    cancel: Cancel,
    rows: Vec<usize>,
    points: Vec<Vec<f64>>,
}

impl Pool {
    /// Recomputes the points after L has grown. Rows now in L are settled.
    fn project(&mut self, frame: &Frame<'_>, space: &Space, settled: &mut [bool]) {
        let rows = std::mem::take(&mut self.rows);
        self.points.clear();
        self.add(rows, frame, space, settled);
    }

    /// Returns whether any row is outside L. The sweep can mistake rows of L for rows outside
    /// (rounding of the raw columns), so the projection decides. If it settles the whole pool,
    /// unsettled rows are added until one is outside L.
    fn refill(
        &mut self,
        signed: &SignedRows<'_>,
        frame: &Frame<'_>,
        space: &Space,
        settled: &mut [bool],
    ) -> bool {
        let mut next = 0;
        while self.rows.is_empty() && next < settled.len() {
            let end = settled.len().min(next + FEW);
            let live = |at: &usize| signed.is_live(at / signed.hyperplanes());
            let rows = (next..end).filter(|at| !settled[*at]).filter(live).collect();
            self.add(rows, frame, space, settled);
            next = end;
        }
        !self.rows.is_empty()
    }

    /// Adds rows that are not in the pool yet.
    fn add(&mut self, rows: Vec<usize>, frame: &Frame<'_>, space: &Space, settled: &mut [bool]) {
        let known: std::collections::HashSet<usize> = self.rows.iter().copied().collect();
        let mut seen = known;
        for at in rows {
            if !seen.insert(at) {
                continue;
            }
            if self.cancel.is_set() {
                break;
            }
            let mut point = frame.row(at);
            let (before, after) = space.project(&mut point);
            if after <= INSIDE * before {
                settled[at] = true;
                continue;
            }
            point.iter_mut().for_each(|v| *v /= after);
            self.rows.push(at);
            self.points.push(point);
        }
    }

    /// Drops rows with large products: keeps the corral and the `keep` smallest.
    fn shrink(&mut self, corral: &mut Corral, keep: usize) {
        let x = corral.x();
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        let price: Vec<f64> = self.points.iter().map(|p| dot(p, x)).collect();
        order.sort_by(|&a, &b| price[a].total_cmp(&price[b]).then(a.cmp(&b)));
        let mut stays = vec![false; self.rows.len()];
        corral.weights().for_each(|(m, _)| stays[m] = true);
        order.iter().take(keep).for_each(|&m| stays[m] = true);
        let mut place = vec![0; self.rows.len()];
        let mut next = 0;
        for m in 0..stays.len() {
            place[m] = next;
            next += usize::from(stays[m]);
        }
        corral.renumber(|m| place[m]);
        let mut kept = stays.iter();
        self.rows.retain(|_| kept.next() == Some(&true));
        let mut kept = stays.iter();
        self.points.retain(|_| kept.next() == Some(&true));
    }
}
