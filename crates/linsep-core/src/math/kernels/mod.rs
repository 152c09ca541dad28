//! Kernels over slices: dot products and scaled additions.
//!
//! Each sum has **one order**, fixed by the length alone: eight partial sums, element j added to
//! sum j mod 8, combined pairwise at the end. The compiler maps the eight to vector lanes. The
//! order, and so the rounding, is the same on every machine. Values stored as f32 are widened
//! before multiplication, so storage costs no accuracy.
//!
//! This file has the kernels of dense rows, `sparse` those of sparse rows, and `strips` products of
//! many columns at once.

mod sparse;
mod strips;

pub(crate) use sparse::{IndexSlice, Indices, add_rows, add_to_rows, sparse_axpy, sparse_dot};
pub(crate) use strips::{ACROSS, Strip, add_strips, has_fused_multiply_add};

use std::borrow::Cow;

/// A stored value: f64, or f32 for data whose values f32 holds exactly.
pub trait Value: Copy + Send + Sync + 'static {
    /// 0.
    const ZERO: Self;
    /// The value, exactly.
    fn get(self) -> f64;
    /// All values as f64, borrowed if possible, otherwise copied.
    fn widened(values: &[Self]) -> Cow<'_, [f64]>;
}

impl Value for f64 {
    const ZERO: Self = 0.0;

    #[inline]
    fn get(self) -> f64 {
        self
    }

    fn widened(values: &[Self]) -> Cow<'_, [f64]> {
        values.into()
    }
}

impl Value for f32 {
    const ZERO: Self = 0.0;

    #[inline]
    fn get(self) -> f64 {
        f64::from(self)
    }

    fn widened(values: &[Self]) -> Cow<'_, [f64]> {
        values.iter().map(|&v| f64::from(v)).collect()
    }
}

/// The type of sums: f64, or f32 for intermediate results that are verified in f64.
pub trait Number: Value + Default {
    /// A stored value, rounded to this type.
    fn of<V: Value>(v: V) -> Self;
    /// self + a b.
    fn plus(self, a: Self, b: Self) -> Self;
}

impl Number for f64 {
    #[inline]
    fn of<V: Value>(v: V) -> Self {
        v.get()
    }

    #[inline]
    fn plus(self, a: Self, b: Self) -> Self {
        self + a * b
    }
}

impl Number for f32 {
    #[inline]
    fn of<V: Value>(v: V) -> Self {
        v.get() as Self
    }

    #[inline]
    fn plus(self, a: Self, b: Self) -> Self {
        self + a * b
    }
}

const LANES: usize = 8;

/// Sums the lanes pairwise: ((0+4)+(2+6)) + ((1+5)+(3+7)).
#[inline]
fn combine(s: [f64; LANES]) -> f64 {
    ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

/// x·w over the shorter of the two lengths.
#[inline]
pub(crate) fn dot<V: Value>(x: &[V], w: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (x8, x_rest) = x.as_chunks::<LANES>();
    let (w8, w_rest) = w.as_chunks::<LANES>();
    for (a, b) in x8.iter().zip(w8) {
        for j in 0..LANES {
            sums[j] += a[j].get() * b[j];
        }
    }
    for (j, (a, b)) in x_rest.iter().zip(w_rest).enumerate() {
        sums[j] += a.get() * b;
    }
    combine(sums)
}

/// (x − c)·w and ‖x − c‖², each in the order of [`dot`].
#[inline]
pub(crate) fn centered<V: Value>(x: &[V], c: &[f64], w: &[f64]) -> (f64, f64) {
    let (mut dots, mut squares) = ([0.0; LANES], [0.0; LANES]);
    let mut add = |j: usize, x: V, c: f64, w: f64| {
        let apart = x.get() - c;
        dots[j] += apart * w;
        squares[j] += apart * apart;
    };
    let (x8, x_rest) = x.as_chunks::<LANES>();
    let (c8, c_rest) = c.as_chunks::<LANES>();
    let (w8, w_rest) = w.as_chunks::<LANES>();
    for ((x, c), w) in x8.iter().zip(c8).zip(w8) {
        (0..LANES).for_each(|j| add(j, x[j], c[j], w[j]));
    }
    for (j, ((&x, &c), &w)) in x_rest.iter().zip(c_rest).zip(w_rest).enumerate() {
        add(j, x, c, w);
    }
    (combine(dots), combine(squares))
}

/// out ← out + a x.
#[inline]
pub(crate) fn axpy<V: Value, N: Number>(a: N, x: &[V], out: &mut [N]) {
    for (o, v) in out.iter_mut().zip(x) {
        *o = o.plus(a, N::of(*v));
    }
}

/// A loop over independent elements: its bits do not depend on the width of the vectors.
pub(crate) trait Loop {
    /// The result.
    type Out;
    /// Runs the loop. Must be `#[inline(always)]`: it is compiled once for each instruction set.
    fn run(self) -> Self::Out;
}

/// Runs a loop with the widest vector instructions of the processor.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn with_widest_vectors<L: Loop>(work: L) -> L::Out {
    #[cfg(target_arch = "x86_64")]
    {
        if std::is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has the target features of the function, as just detected.
            return unsafe { by_eight(work) };
        }
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has the target features of the function, as just detected.
            return unsafe { by_four(work) };
        }
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn by_eight<L: Loop>(work: L) -> L::Out {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn by_four<L: Loop>(work: L) -> L::Out {
    work.run()
}

/// Prefetches a cache line. A hint: it affects only time, and does nothing on other architectures.
#[inline]
#[allow(unsafe_code)]
fn fetch_line<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads no memory and cannot fault at any address; SSE is part of
        // x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}

/// Prefetches a slice: all of it, except for very long ones, where the hardware prefetcher takes
/// over.
#[inline]
pub(crate) fn prefetch<T>(slice: &[T]) {
    const LINE: usize = 64;
    const LINES: usize = 64;
    let lines = size_of_val(slice).div_ceil(LINE).min(LINES);
    let start = slice.as_ptr().cast::<u8>();
    (0..lines).for_each(|line| fetch_line(start.wrapping_add(line * LINE)));
}

/// ‖x‖², in the order of [`dot`].
#[inline]
pub(crate) fn norm_sq<V: Value>(x: &[V]) -> f64 {
    let mut sums = [0.0; LANES];
    let (chunks, rest) = x.as_chunks::<LANES>();
    for a in chunks {
        for j in 0..LANES {
            sums[j] += a[j].get() * a[j].get();
        }
    }
    for (j, a) in rest.iter().enumerate() {
        sums[j] += a.get() * a.get();
    }
    combine(sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Small integers: every sum is exact, so any order must give the same number.
    fn integers(n: usize) -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
        let one = prop::collection::vec((-1000..1000_i32).prop_map(f64::from), n);
        let two = prop::collection::vec((-1000..1000_i32).prop_map(f64::from), n);
        (one, two)
    }

    proptest! {
        #[test]
        fn dot_is_the_sum_of_products((x, w) in (0..40_usize).prop_flat_map(integers)) {
            let plain: f64 = x.iter().zip(&w).map(|(a, b)| a * b).sum();
            prop_assert_eq!(dot(&x, &w), plain);
            let single: Vec<f32> = x.iter().map(|&v| v as f32).collect();
            prop_assert_eq!(dot(&single, &w), plain);
            prop_assert_eq!(norm_sq(&x), dot(&x, &x));
        }

        #[test]
        fn axpy_adds_a_multiple((x, w) in (0..40_usize).prop_flat_map(integers)) {
            let plain: Vec<f64> = x.iter().zip(&w).map(|(a, b)| b + 3.0 * a).collect();
            let mut out = w.clone();
            axpy(3.0, &x, &mut out);
            prop_assert_eq!(&out, &plain);
        }
    }
}
