//! The point of a convex hull nearest to the origin: Wolfe's algorithm.
//!
//! ```text
//!   minimize ‖x‖  over  x = Σ λᵢ pᵢ,  λ ≥ 0,  Σ λᵢ = 1
//! ```
//!
//! The *corral* is a set of affinely independent points. The point of their affine hull nearest to
//! the origin lies inside their convex hull. One iteration adds the point with the smallest p·x to
//! the corral (x is optimal if p·x ≥ ‖x‖² for all p). It then moves to the nearest point of the
//! affine hull. If that lies outside the convex hull, it stops at the boundary and drops the points
//! with λᵢ = 0. Each iteration lowers ‖x‖ and no corral recurs, so the algorithm terminates.
//!
//! * x ≠ 0: p·x ≥ ‖x‖² > 0 for all points, and x/‖x‖ is the direction of largest margin, ‖x‖. For
//!   any other x of the hull, ‖x‖ is an upper bound on the margin, and its smallest p·x/‖x‖ a lower
//!   bound.
//! * x = 0: the λ are a positive dependence of affinely independent points, so of at most
//!   dimension + 1.
//!
//! With P the points of the corral and a row of ones above them, [1; P] = QR; the λ of the nearest
//! point of the affine hull are proportional to R⁻¹q, q the first row of Q. Points are added by
//! Gram–Schmidt with reorthogonalization and removed by Givens rotations, so condition numbers are
//! never squared.
//!
//! Source: Wolfe, *Finding the nearest point in a polytope*, Math. Programming 11 (1976).

use crate::certify::Work;
use crate::math::kernels::{axpy, dot, norm_sq};

/// Points of the corral, their convex coefficients λ, and the resulting nearest point.
#[derive(Clone, Debug)]
pub(super) struct Corral {
    /// Positions of the points in the pool.
    members: Vec<usize>,
    lambda: Vec<f64>,
    x: Vec<f64>,
    /// Orthonormal columns, of the length of a point plus one.
    q: Vec<Vec<f64>>,
    /// Upper triangle, column after column.
    r: Vec<Vec<f64>>,
}

/// End of a search in the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nearest {
    /// The nearest point, up to rounding.
    Found,
    /// The origin is in the hull, up to rounding.
    Origin,
    /// The limit of work is reached.
    Ended,
}

/// Norm of x treated as 0, relative to the longest point.
const ZERO: f64 = 1e-13;
/// Relative distance from the affine hull of the corral below which a point is dependent.
const DEPENDENT: f64 = 1e-11;

impl Corral {
    /// Returns an empty corral.
    pub(super) fn new() -> Self {
        Self {
            members: Vec::new(),
            lambda: Vec::new(),
            x: Vec::new(),
            q: Vec::new(),
            r: Vec::new(),
        }
    }

    /// Returns the points and their λ.
    pub(super) fn weights(&self) -> impl Iterator<Item = (usize, f64)> {
        self.members.iter().copied().zip(self.lambda.iter().copied())
    }

    /// Returns x.
    pub(super) fn x(&self) -> &[f64] {
        &self.x
    }

    /// Renumbers the points after the pool has changed.
    pub(super) fn renumber(&mut self, place: impl Fn(usize) -> usize) {
        self.members.iter_mut().for_each(|m| *m = place(*m));
    }

    /// Moves to the nearest point of the pool's hull, starting from the current corral. An
    /// iteration multiplies each point of the pool once, and each column of Q six times.
    pub(super) fn nearest(&mut self, pool: &[Vec<f64>], work: &mut Work) -> Nearest {
        let longest = pool.iter().map(|p| norm_sq(p)).fold(0.0, f64::max).sqrt();
        if self.members.is_empty() {
            let shortest =
                (0..pool.len()).min_by(|&a, &b| norm_sq(&pool[a]).total_cmp(&norm_sq(&pool[b])));
            let Some(first) = shortest else { return Nearest::Found };
            self.push(first, pool);
            self.lambda = vec![1.0];
            self.x.clone_from(&pool[first]);
        }
        // An iteration that does not lower ‖x‖ is at the rounding level and ends the search.
        let most = 50 * (pool.len() + 10);
        let mut best = f64::INFINITY;
        for _ in 0..most {
            let products = self.x.len() * (pool.len() + 6 * self.q.len());
            if work.spend(products as u64).is_none() {
                return Nearest::Ended;
            }
            let size = norm_sq(&self.x);
            if size.sqrt() <= ZERO * longest {
                return Nearest::Origin;
            }
            if size >= best {
                return Nearest::Found;
            }
            best = size;
            let (next, least) = worst(pool, &self.x);
            let near = least >= size * (1.0 - 1e-10);
            if near || self.members.contains(&next) || !self.push(next, pool) {
                return Nearest::Found;
            }
            self.lambda.push(0.0);
            self.minor_cycles(pool);
        }
        Nearest::Found
    }

    /// Moves to the nearest point of the affine hull, dropping points until it is inside the convex
    /// hull.
    fn minor_cycles(&mut self, pool: &[Vec<f64>]) {
        loop {
            let target = self.affine();
            if target.iter().all(|&v| v > 0.0) {
                self.lambda = target;
                break;
            }
            // Step length up to which all λ stay ≥ 0.
            let shares = self.lambda.iter().zip(&target).filter(|(_, v)| **v <= 0.0);
            let step = shares.map(|(l, v)| l / (l - v)).fold(1.0, f64::min);
            let step = if step.is_finite() { step } else { 0.0 };
            for (l, v) in self.lambda.iter_mut().zip(&target) {
                *l += step * (v - *l);
            }
            let ratio = |(l, v): (&f64, &f64)| if *v <= 0.0 { *l } else { f64::INFINITY };
            let sizes: Vec<f64> = self.lambda.iter().zip(&target).map(ratio).collect();
            let least = (0..sizes.len()).min_by(|&a, &b| sizes[a].total_cmp(&sizes[b]));
            let Some(gone) = least else { break };
            if self.members.len() == 1 {
                self.lambda[0] = 1.0;
                break;
            }
            self.remove(gone);
        }
        let total: f64 = self.lambda.iter().sum();
        self.lambda.iter_mut().for_each(|l| *l /= total);
        self.x.fill(0.0);
        for (&m, &l) in self.members.iter().zip(&self.lambda) {
            axpy(l, &pool[m], &mut self.x);
        }
    }

    /// Returns the λ of the nearest point of the affine hull: R λ ∝ q, Σ λ = 1.
    fn affine(&self) -> Vec<f64> {
        let m = self.q.len();
        let mut v: Vec<f64> = self.q.iter().map(|q| q[0]).collect();
        for k in (0..m).rev() {
            v[k] /= self.r[k][k];
            let value = v[k];
            axpy(-value, &self.r[k][..k], &mut v[..k]);
        }
        let total: f64 = v.iter().sum();
        v.iter_mut().for_each(|v| *v /= total);
        v
    }

    /// Adds a point; returns false if it lies in the affine hull of the others.
    fn push(&mut self, member: usize, pool: &[Vec<f64>]) -> bool {
        let mut column = Vec::with_capacity(pool[member].len() + 1);
        column.push(1.0);
        column.extend_from_slice(&pool[member]);
        let before = norm_sq(&column).sqrt();
        let mut r = vec![0.0; self.q.len() + 1];
        for _ in 0..2 {
            for (q, r) in self.q.iter().zip(&mut r) {
                let part = dot(q, &column);
                axpy(-part, q, &mut column);
                *r += part;
            }
        }
        let after = norm_sq(&column).sqrt();
        if after <= DEPENDENT * before {
            return false;
        }
        column.iter_mut().for_each(|v| *v /= after);
        r[self.q.len()] = after;
        self.q.push(column);
        self.r.push(r);
        self.members.push(member);
        true
    }

    /// Removes the k-th point.
    fn remove(&mut self, k: usize) {
        self.members.remove(k);
        self.lambda.remove(k);
        self.r.remove(k);
        // The columns to its right are upper Hessenberg; Givens rotations restore the triangle.
        for i in k..self.r.len() {
            let (a, b) = (self.r[i][i], self.r[i][i + 1]);
            let length = a.hypot(b);
            let (c, s) = if length > 0.0 { (a / length, b / length) } else { (1.0, 0.0) };
            for column in &mut self.r[i..] {
                let (a, b) = (column[i], column[i + 1]);
                (column[i], column[i + 1]) = (c * a + s * b, c * b - s * a);
            }
            let (left, right) = self.q.split_at_mut(i + 1);
            for (a, b) in left[i].iter_mut().zip(&mut right[0]) {
                (*a, *b) = (c * *a + s * *b, c * *b - s * *a);
            }
            self.r[i].truncate(i + 1);
        }
        self.q.pop();
    }
}

/// Returns the point with the smallest p·x, and that product.
fn worst(pool: &[Vec<f64>], x: &[f64]) -> (usize, f64) {
    let products = pool.iter().map(|p| dot(p, x)).enumerate();
    products.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Cancel;
    use crate::math::rng::Rng;

    fn endless() -> Work {
        Work::new(u64::MAX, Cancel::default())
    }

    #[test]
    fn nearest_points_of_small_hulls() {
        let mut corral = Corral::new();
        let pool = vec![vec![2.0, 0.0], vec![0.0, 2.0], vec![5.0, 5.0]];
        assert_eq!(corral.nearest(&pool, &mut endless()), Nearest::Found);
        assert!(corral.x().iter().all(|v| (v - 1.0).abs() < 1e-12), "{:?}", corral.x());

        let mut corral = Corral::new();
        let around = vec![vec![1.0, 0.0], vec![-1.0, 1.0], vec![-1.0, -1.0], vec![9.0, 9.0]];
        assert_eq!(corral.nearest(&around, &mut endless()), Nearest::Origin);
        let mut weights: Vec<(usize, f64)> = corral.weights().collect();
        weights.sort_by_key(|w| w.0);
        let expected = [(0, 0.5), (1, 0.25), (2, 0.25)];
        for (w, e) in weights.iter().zip(expected) {
            assert!(w.0 == e.0 && (w.1 - e.1).abs() < 1e-12, "{weights:?}");
        }
    }

    #[test]
    fn optimality_conditions_hold_at_the_end() {
        for round in 0..300 {
            let mut rng = Rng::new(4, round);
            let (n, d) = (1 + rng.below(40) as usize, 1 + rng.below(8) as usize);
            let away = rng.unit() * 2.0;
            let pool: Vec<Vec<f64>> = (0..n)
                .map(|_| {
                    (0..d).map(|j| rng.unit() - 0.5 + if j == 0 { away } else { 0.0 }).collect()
                })
                .collect();
            let mut corral = Corral::new();
            let end = corral.nearest(&pool, &mut endless());
            let size = norm_sq(corral.x());
            assert!(corral.weights().all(|(_, l)| l > 0.0));
            assert!((corral.weights().map(|w| w.1).sum::<f64>() - 1.0).abs() < 1e-12);
            if end == Nearest::Found {
                assert!(worst(&pool, corral.x()).1 >= size * (1.0 - 1e-8), "round {round}");
            } else {
                assert!(corral.weights().count() <= d + 1);
            }
        }
    }
}
