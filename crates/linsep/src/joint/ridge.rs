//! Dual least squares with a penalty by block conjugate gradients: for sparse X with fewer rows
//! than columns.
//!
//! With Z the centered rows and T the centered targets, both times √sᵢ, S = Σ sᵢ and μ = λS/2, the
//! coefficients are W = `ZᵀA` for an n × k matrix A:
//!
//! ```text
//!   F(W) = (1/S) ‖T − ZW‖² + (λ/2) ‖W‖² = (1/S) (‖T − KA‖² + μ A·KA),     K = ZZᵀ
//!   (K + μI) A = T   at the optimum,     R = T − (K + μI) A   the residual.
//! ```
//!
//! A step searches along all columns of R jointly. They are combined to an orthonormal Q, without
//! directions that R no longer has. Q is made conjugate to the previous directions P. Then A ← A +
//! PC with the best C: k × k numbers, where a common step length is one. So k classes explore k
//! directions per step, and each direction serves all classes: half the steps of a common step
//! length.
//!
//! ```text
//!   P ← Q − P (PᵀLP)⁻¹ PᵀLQ,     C = (PᵀLP)⁻¹ PᵀR,     R ← R − LP C,     L = K + μI
//! ```
//!
//! The targets of a row sum to 1, so the columns of R sum to 0, and so do those of Q C. The scores
//! of a row sum to 1 at any stop.
//!
//! # The lower bound
//!
//! A is also a point of the dual problem, and the duality gap is the residual: F(W) − D(A) =
//! ‖R‖²/S. Products with K are taken in f32 ([`RowKernel`]). When R is small enough, W and R are
//! recomputed from A in double precision. If that gap is not within the tolerance, the iteration
//! continues from the exact R.
//!
//! Cost: K Q passes twice over the stored values per step; all other work is on n × k matrices.
//! Source: O'Leary, *The block conjugate gradient algorithm and related methods*, Linear Algebra
//! and its Applications 29 (1980).
//!
//! Over 400 lines: 120 of them are tests.

use super::fitted::Fitted;
use super::row_kernel::{RowKernel, Scratch};
use super::{Found, tell};
use crate::certify::{Certificate, certify_squares};
use crate::control::{Stop, Watch};
use crate::data::{Plane, Problem};
use crate::math::kernels::{axpy, norm_sq};
use crate::math::linalg::{Cholesky, add_transposed, eigen, times};
use crate::math::parallel::map_blocks;
use crate::minimise::Goal;
use rayon::prelude::*;

/// Rows per parallel block.
const BLOCK: usize = 512;

/// Solves the problem of [`least_squares`](super::least_squares()); `None` if this method does not
/// apply or stalls.
pub(super) fn ridge(
    problem: &Problem<'_>,
    targets: &[Vec<f64>],
    lambda: f64,
    goal: &Goal,
    watch: &mut dyn Watch,
) -> Option<Found> {
    if lambda <= 0.0 {
        return None;
    }
    let mut descent = Descent::new(problem, targets, lambda)?;
    let mut epochs = 0;
    let mut last = f64::INFINITY;
    let (stop, answer) = loop {
        // 1. Test the updated residual.
        let carried = descent.carried();
        let go_on = tell(watch, epochs, goal, carried.primal, carried.relative_gap());
        let reasons = [
            (carried.reaches(goal.tol) || carried.is_at_the_floor(), Stop::Optimal),
            (!go_on, Stop::Asked),
            (epochs >= goal.budget.epochs, Stop::Budget),
        ];

        // 2. If it gives a reason to stop, compute the exact gap.
        if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
            let answer = descent.settle();
            let gap = answer.certificate.relative_gap()?;
            let is_so = answer.certificate.reaches(goal.tol);
            match stop {
                Stop::Optimal if is_so => break (stop, answer),
                Stop::Optimal if answer.certificate.is_at_the_floor() => {
                    break (Stop::Stationary, answer);
                }
                // Products in f32 give no further progress.
                Stop::Optimal if gap.is_nan() || gap > last / 4.0 => return None,
                Stop::Optimal => last = gap,
                _ => break (if is_so { Stop::Optimal } else { stop }, answer),
            }
        }

        // 3. Take a step.
        if !descent.step() {
            return None;
        }
        epochs += 1;
    };
    let Answer { planes, r, .. } = answer;
    // W = Σ √sᵢ (xᵢ − m) Aᵢᵀ is V/λ for these β.
    let rows = descent.a.chunks_exact(descent.k()).zip(descent.kernel.root());
    let beta: Vec<f64> =
        rows.flat_map(|(a, root)| a.iter().map(move |a| 2.0 * descent.mu * root * a)).collect();
    let fitted = Fitted { problem, targets, r: &r };
    let cancel = watch.cancel();
    let (certificate, winners) =
        certify_squares(problem, targets, lambda, &planes, &beta, &cancel).unzip();
    let short = stop == Stop::Optimal && certificate.is_none_or(|own| !own.gap.reaches(goal.tol));
    Some(Found {
        planes,
        stop: if short { Stop::Stationary } else { stop },
        epochs,
        updates: 0,
        mistakes: fitted.mistakes(),
        certificate,
        winners,
        way: Some("conjugate-gradients"),
    })
}

/// Result in double precision.
struct Answer {
    planes: Vec<Plane>,
    /// Residual of every row: targets minus scores.
    r: Vec<f64>,
    certificate: Certificate,
}

/// State of the iteration: matrices have a row per row of X, with k or w numbers each.
struct Descent<'a> {
    problem: &'a Problem<'a>,
    kernel: RowKernel<'a>,
    targets: &'a [Vec<f64>],
    mean_target: Vec<f64>,
    total: f64,
    lambda: f64,
    mu: f64,
    /// T.
    t: Vec<f64>,
    /// A.
    a: Vec<f64>,
    /// R.
    rest: Vec<f64>,
    /// P, L P and the factor of `PᵀLP`.
    way: Vec<f64>,
    worth: Vec<f64>,
    energy: Option<Cholesky>,
    /// Padded number of directions of P, and their largest number.
    w: usize,
    rank: usize,
    scratch: Scratch,
}

impl<'a> Descent<'a> {
    /// Starts at A = 0.
    fn new(problem: &'a Problem<'a>, targets: &'a [Vec<f64>], lambda: f64) -> Option<Self> {
        let kernel = RowKernel::new(problem)?;
        let k = targets.len();
        let of_class = problem.class_weights();
        let total: f64 = of_class.iter().sum();
        let mean = |t: &Vec<f64>| t.iter().zip(&of_class).map(|(t, n)| t * n).sum::<f64>() / total;
        let mean_target: Vec<f64> = targets.iter().map(mean).collect();
        let codes = problem.labels().codes().iter().zip(kernel.root());
        let mut t: Vec<f64> = codes
            .flat_map(|(&code, root)| {
                let both = targets.iter().zip(&mean_target);
                both.map(move |(t, mean)| root * (t[code as usize] - mean))
            })
            .collect();
        kernel.centre(&mut t, k);
        let mut own = Self {
            problem,
            targets,
            mean_target,
            total,
            lambda,
            mu: lambda * total / 2.0,
            a: vec![0.0; t.len()],
            rest: t.clone(),
            t,
            kernel,
            way: Vec::new(),
            worth: Vec::new(),
            energy: None,
            w: k,
            rank: k,
            scratch: Scratch::default(),
        };
        // More than one direction is padded to whole vectors.
        own.rank = own.mixture()?.1;
        own.w = if own.rank == 1 { 1 } else { own.rank.next_multiple_of(4) };
        Some(own)
    }

    fn k(&self) -> usize {
        self.targets.len()
    }

    /// Coefficients, k × w row-major, that combine the columns of R to at most `rank` orthonormal
    /// ones; and the number of those.
    fn mixture(&self) -> Option<(Vec<f64>, usize)> {
        /// Squared size, relative to the largest, below which a direction counts as lost.
        const LOST: f64 = 1e-10;
        let (k, w) = (self.k(), self.w);
        let (values, vectors) = eigen(&products(&self.rest, k, &self.rest, k), k)?;
        let most = values.last().copied().filter(|most| *most > 0.0)?;
        let there = values.iter().zip(vectors.chunks_exact(k)).rev().take(self.rank);
        let there = there.take_while(|(value, _)| **value > LOST * most);
        let mut mix = vec![0.0; k * w];
        let mut count = 0;
        for (c, (value, vector)) in there.enumerate() {
            vector.iter().enumerate().for_each(|(i, v)| mix[i * w + c] = v / value.sqrt());
            count = c + 1;
        }
        Some((mix, count))
    }

    /// Takes one step; `false` if there is none.
    fn step(&mut self) -> bool {
        // 1. The directions of R, and L times them.
        let (k, w) = (self.k(), self.w);
        let Some((mix, _)) = self.mixture() else { return false };
        let mut q = vec![0.0; self.problem.x().n() * w];
        add_times(&self.rest, &mix, w, &mut q);
        let mut worth = vec![0.0; q.len()];
        self.kernel.apply(&q, w, &mut self.scratch, &mut worth);
        worth.par_chunks_mut(BLOCK * w).zip(q.par_chunks(BLOCK * w)).for_each(|(worth, q)| {
            axpy(self.mu, q, worth);
        });

        // 2. Make them conjugate to the previous ones.
        if let Some(energy) = &self.energy {
            let along = solve(energy, products(&self.way, w, &worth, w), w, -1.0);
            add_times(&self.way, &along, w, &mut q);
            add_times(&self.worth, &along, w, &mut worth);
        }

        // 3. Take the best step along them.
        let Some(energy) = Cholesky::new(&products(&q, w, &worth, w), w) else { return false };
        let by = solve(&energy, products(&q, w, &self.rest, k), k, 1.0);
        if !by.iter().all(|v| v.is_finite()) {
            return false;
        }
        add_times(&q, &by, k, &mut self.a);
        add_times(&worth, &by.iter().map(|v| -v).collect::<Vec<_>>(), k, &mut self.rest);
        (self.way, self.worth, self.energy) = (q, worth, Some(energy));
        true
    }

    /// Certificate from the updated R: with KA = T − R − μA, F = (1/S) (‖R + μA‖² + μ A·(T − R −
    /// μA)), and the gap is ‖R‖²/S.
    fn carried(&self) -> Certificate {
        let block = BLOCK * self.k();
        let sums = map_blocks(self.a.len(), block, |at| {
            let (a, r, t) = (&self.a[at.clone()], &self.rest[at.clone()], &self.t[at]);
            a.iter().zip(r).zip(t).fold([0.0; 2], |[value, left], ((a, r), t)| {
                let miss = r + self.mu * a;
                [value + miss * miss + self.mu * a * (t - miss), left + r * r]
            })
        });
        let sum = |c: usize| sums.iter().map(|sum| sum[c]).sum::<f64>() / self.total;
        Certificate::with_bound(sum(0), sum(0) - sum(1))
    }

    /// Recomputes W and R from A in double precision, and restarts the iteration from that R.
    fn settle(&mut self) -> Answer {
        let k = self.k();
        let (weights, shift) = self.kernel.weights(&self.a, k);
        let mut r = self.kernel.scores(&self.a, (&weights, &shift), k);
        let codes = self.problem.labels().codes();
        for (r, &code) in r.chunks_exact_mut(k).zip(codes) {
            let targets = self.targets.iter().zip(&self.mean_target);
            r.iter_mut().zip(targets).for_each(|(r, (t, mean))| *r = t[code as usize] - mean - *r);
        }
        let rows = r.chunks_exact(k).zip(self.kernel.root());
        let rest = rows.flat_map(|(r, root)| r.iter().map(move |r| root * r));
        self.rest = rest.zip(&self.a).map(|(r, a)| r - self.mu * a).collect();
        (self.way, self.worth, self.energy) = (Vec::new(), Vec::new(), None);

        let rows = || r.chunks_exact(k).zip(self.problem.weights());
        let loss: f64 = rows().map(|(r, s)| s * norm_sq(r)).sum();
        let value = loss / self.total + self.lambda / 2.0 * norm_sq(&weights);
        let gap = norm_sq(&self.rest) / self.total;
        let planes = self.kernel.in_order(&weights, k).into_iter().zip(&self.mean_target);
        let planes = planes.zip(&shift).map(|((w, mean), shift)| Plane { w, b: mean - shift });
        let (planes, certificate) = (planes.collect(), Certificate::with_bound(value, value - gap));
        self.kernel.centre(&mut self.rest, k);
        Answer { planes, r, certificate }
    }
}

/// `AᵀB` for matrices with `wide_a` and `wide_b` columns, row-major.
fn products(a: &[f64], wide_a: usize, b: &[f64], wide_b: usize) -> Vec<f64> {
    let parts = map_blocks(a.len() / wide_a, BLOCK, |rows| {
        let mut out = vec![0.0; wide_a * wide_b];
        let b = &b[rows.start * wide_b..rows.end * wide_b];
        add_transposed(&a[rows.start * wide_a..rows.end * wide_a], b, wide_b, &mut out);
        out
    });
    let mut sum = vec![0.0; wide_a * wide_b];
    parts.iter().for_each(|part| axpy(1.0, part, &mut sum));
    sum
}

/// out ← out + A C, where C and `out` have w columns.
fn add_times(a: &[f64], c: &[f64], w: usize, out: &mut [f64]) {
    let wide = c.len() / w;
    out.par_chunks_mut(BLOCK * w).zip(a.par_chunks(BLOCK * wide)).for_each(|(out, a)| {
        let mut product = vec![0.0; out.len()];
        times(a, c, w, &mut product);
        axpy(1.0, &product, out);
    });
}

/// Returns `factor` · M⁻¹B for the factored M; B and the result have k columns, row-major.
fn solve(matrix: &Cholesky, mut b: Vec<f64>, k: usize, factor: f64) -> Vec<f64> {
    for c in 0..k {
        let mut column: Vec<f64> = b.iter().skip(c).step_by(k).copied().collect();
        matrix.solve(&mut column);
        b.iter_mut().skip(c).step_by(k).zip(column).for_each(|(b, v)| *b = factor * v);
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels};
    use crate::math::kernels::dot;
    use crate::math::rng::Rng;

    /// Sparse rows: some columns are filled often, some by one row only and one by none; the first
    /// k depend on the class.
    fn words(n: usize, d: usize, k: usize) -> (Design, Labels) {
        let mut rng = Rng::new(23, 0);
        let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
        for i in 0..n {
            let mut own: Vec<u32> = (0..12)
                .map(|_| (rng.unit() * rng.unit() * (d - n - 1) as f64) as u32)
                .chain([(i % k) as u32, (d - 1 - i) as u32])
                .collect();
            own.sort_unstable();
            own.dedup();
            values.extend(own.iter().map(|_| 0.1 + rng.unit()));
            indices.extend(own);
            starts.push(indices.len());
        }
        let x = Design::sparse(d, starts, indices, values).unwrap();
        let class = |i: usize| format!("c{}", if rng.unit() < 0.1 { i / 2 % k } else { i % k });
        let names: Vec<String> = (0..n).map(class).collect();
        (x, Labels::parse(names.iter().map(String::as_str)))
    }

    fn of_classes(k: usize) -> Vec<Vec<f64>> {
        (0..k).map(|c| (0..k).map(|own| f64::from(u8::from(own == c))).collect()).collect()
    }

    fn solved(problem: &Problem<'_>, lambda: f64, tol: f64) -> Found {
        let goal = Goal { tol, ..Goal::default() };
        let k = problem.labels().k();
        let targets = if k == 2 { vec![vec![-1.0, 1.0]] } else { of_classes(k) };
        ridge(problem, &targets, lambda, &goal, &mut ()).unwrap()
    }

    /// The optimality conditions hold at the end, computed here row by row in doubles, and scores
    /// sum to one.
    #[test]
    fn the_gradient_vanishes() {
        for (k, lambda) in [(2, 1e-3), (3, 1e-2), (7, 1e-3), (7, 1e-5)] {
            let (x, labels) = words(90, 400, k);
            let weights: Vec<f64> = (0..90).map(|i| f64::from(i % 3)).collect();
            let problem = Problem::new(&x, &labels, Some(weights.clone())).unwrap();
            let found = solved(&problem, lambda, 1e-11);
            assert_eq!(found.stop, Stop::Optimal);
            let total: f64 = weights.iter().sum();
            for (c, plane) in found.planes.iter().enumerate() {
                let mut g: Vec<f64> = plane.w.iter().map(|w| lambda * w).chain([0.0]).collect();
                for (i, s) in weights.iter().enumerate() {
                    let code = labels.codes()[i] as usize;
                    let target = match k {
                        2 => [-1.0, 1.0][code],
                        _ => f64::from(u8::from(code == c)),
                    };
                    let row = x.row(i);
                    let pull = -2.0 * s / total * (target - dot(&plane.w, &row) - plane.b);
                    row.iter().chain([&1.0]).zip(&mut g).for_each(|(v, g)| *g += pull * v);
                }
                assert!(g.iter().all(|g| g.abs() < 1e-7), "{k}, {lambda}: {g:?}");
            }
            if k > 2 {
                for i in 0..90 {
                    let row = x.row(i);
                    let sum: f64 = found.planes.iter().map(|h| dot(&h.w, &row) + h.b).sum();
                    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
                }
            }
        }
    }

    #[test]
    fn lower_bounds_hold_and_the_objective_is_that_of_the_hyperplanes() {
        let (x, labels) = words(120, 600, 5);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let least = solved(&problem, 1e-3, 1e-14).certificate.unwrap().gap.primal;
        for tol in [1.0, 0.1, 1e-3, 1e-8] {
            let found = solved(&problem, 1e-3, tol);
            let certificate = found.certificate.unwrap().gap;
            let dual = certificate.dual.unwrap();
            assert!(
                dual.value <= least * (1.0 + 1e-12) && least <= certificate.primal * (1.0 + 1e-12)
            );
            assert!(certificate.reaches(tol), "{tol}: {certificate:?}");
            let misfit: f64 = (0..120)
                .flat_map(|i| found.planes.iter().enumerate().map(move |(c, h)| (i, c, h)))
                .map(|(i, c, h)| {
                    let t = f64::from(u8::from(labels.codes()[i] as usize == c));
                    (t - dot(&h.w, &x.row(i)) - h.b).powi(2) / 120.0
                })
                .sum();
            let square: f64 = found.planes.iter().map(|h| dot(&h.w, &h.w)).sum();
            assert!((misfit + 1e-3 / 2.0 * square - certificate.primal).abs() < 1e-12);
        }
    }

    #[test]
    fn same_bits_for_any_thread_count() {
        let (x, labels) = words(1_500, 4_000, 4);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| solved(&problem, 1e-4, 1e-6))
        };
        assert_eq!(on(1), on(3));
    }

    #[test]
    fn unsuitable_problems_are_declined() {
        let (x, labels) = words(30, 100, 3);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let goal = Goal::default();
        assert!(ridge(&problem, &of_classes(3), 0.0, &goal, &mut ()).is_none(), "no penalty");
        let dense = Design::dense(2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 7.0]).unwrap();
        let two = Labels::parse(["a", "b"]);
        let problem = Problem::new(&dense, &two, None).unwrap();
        assert!(ridge(&problem, &[vec![-1.0, 1.0]], 0.1, &goal, &mut ()).is_none(), "dense");
    }
}
