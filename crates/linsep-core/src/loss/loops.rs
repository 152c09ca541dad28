//! Loops of a loss over rows, with the widest vector instructions of the processor.
//!
//! The order of a sum depends on the number of rows alone: row i is added to partial sum i mod 8.

use crate::math::kernels::{Loop, with_widest_vectors};

/// Partial sums, which the compiler maps to vector lanes.
const LANES: usize = 8;

/// Rows whose terms are computed before they are summed: enough for the compiler to vectorize the
/// loop.
const STRIP: usize = 64;

/// Σ sᵢ f(vᵢ).
#[inline]
pub(super) fn sum(v: &[f64], s: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    let [sum] = along(v, s, 0.0, s, |v, s, _| [s * f(v)]);
    sum
}

/// Σ f(mᵢ + t qᵢ, qᵢ, sᵢ), for K sums together.
#[inline]
pub(super) fn along<const K: usize>(
    m: &[f64],
    q: &[f64],
    t: f64,
    s: &[f64],
    f: impl Fn(f64, f64, f64) -> [f64; K],
) -> [f64; K] {
    with_widest_vectors(Along { m, q, t, s, f })
}

/// Writes f(vᵢ).
#[inline]
pub(super) fn map(v: &[f64], out: &mut [f64], f: impl Fn(f64) -> f64) {
    with_widest_vectors(Map { v, out, f });
}

struct Along<'a, F> {
    m: &'a [f64],
    q: &'a [f64],
    t: f64,
    s: &'a [f64],
    f: F,
}

impl<const K: usize, F: Fn(f64, f64, f64) -> [f64; K]> Loop for Along<'_, F> {
    type Out = [f64; K];

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run(self) -> [f64; K] {
        let mut sums = [[0.0; LANES]; K];
        let (m, m_rest) = self.m.as_chunks::<STRIP>();
        let (q, q_rest) = self.q.as_chunks::<STRIP>();
        let (s, s_rest) = self.s.as_chunks::<STRIP>();
        for ((m, q), s) in m.iter().zip(q).zip(s) {
            self.add(m, q, s, &mut sums);
        }
        self.add(m_rest, q_rest, s_rest, &mut sums);
        sums.map(|lanes| lanes.iter().sum())
    }
}

impl<F> Along<'_, F> {
    /// Adds the terms of a strip of rows: first computes the terms, which are independent, then
    /// adds them.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn add<const K: usize>(&self, m: &[f64], q: &[f64], s: &[f64], sums: &mut [[f64; LANES]; K])
    where
        F: Fn(f64, f64, f64) -> [f64; K],
    {
        let mut terms = [[0.0; STRIP]; K];
        for (i, ((m, q), s)) in m.iter().zip(q).zip(s).enumerate().take(STRIP) {
            let own = (self.f)(m + self.t * q, *q, *s);
            (0..K).for_each(|k| terms[k][i] = own[k]);
        }
        for (sums, terms) in sums.iter_mut().zip(&terms) {
            for eight in terms[..m.len()].chunks(LANES) {
                sums.iter_mut().zip(eight).for_each(|(sum, term)| *sum += term);
            }
        }
    }
}

struct Map<'a, F> {
    v: &'a [f64],
    out: &'a mut [f64],
    f: F,
}

impl<F: Fn(f64) -> f64> Loop for Map<'_, F> {
    type Out = ();

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run(self) {
        for (out, v) in self.out.iter_mut().zip(self.v) {
            *out = (self.f)(*v);
        }
    }
}
