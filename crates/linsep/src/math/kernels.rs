//! The loops over numbers: dot products and scaled additions.
//!
//! Each sum has **one order**, fixed by the length alone: eight running sums, element j going to
//! sum j mod 8, combined pairwise at the end. The compiler turns the eight into vector lanes; the
//! order, and so the rounding, is the same on every machine. Values stored as f32 are widened
//! before they are multiplied, so storage costs no accuracy.

/// A stored number: f64, or f32 where the data came as f32.
pub trait Value: Copy + Send + Sync + 'static {
    /// 0.
    const ZERO: Self;
    /// The number itself, exactly.
    fn get(self) -> f64;
}

impl Value for f64 {
    const ZERO: Self = 0.0;

    #[inline]
    fn get(self) -> f64 {
        self
    }
}

impl Value for f32 {
    const ZERO: Self = 0.0;

    #[inline]
    fn get(self) -> f64 {
        f64::from(self)
    }
}

const LANES: usize = 8;

/// Sums the lanes pairwise: ((0+4)+(2+6)) + ((1+5)+(3+7)).
#[inline]
fn combine(s: [f64; LANES]) -> f64 {
    ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

/// x·w. The shorter of the two lengths counts.
#[inline]
pub fn dot<V: Value>(x: &[V], w: &[f64]) -> f64 {
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

/// out ← out + a x.
#[inline]
pub fn axpy<V: Value>(a: f64, x: &[V], out: &mut [f64]) {
    for (o, v) in out.iter_mut().zip(x) {
        *o += a * v.get();
    }
}

/// `Σ vⱼ w[iⱼ]` over the stored elements of a sparse row.
#[inline]
pub fn sparse_dot<V: Value>(indices: &[u32], values: &[V], w: &[f64]) -> f64 {
    const SPARSE_LANES: usize = 4;
    let mut sums = [0.0; SPARSE_LANES];
    let (i4, i_rest) = indices.as_chunks::<SPARSE_LANES>();
    let (v4, v_rest) = values.as_chunks::<SPARSE_LANES>();
    for (i, v) in i4.iter().zip(v4) {
        for j in 0..SPARSE_LANES {
            sums[j] += v[j].get() * w[i[j] as usize];
        }
    }
    for (j, (i, v)) in i_rest.iter().zip(v_rest).enumerate() {
        sums[j] += v.get() * w[*i as usize];
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

/// `out[iⱼ] ← out[iⱼ] + a vⱼ` over the stored elements of a sparse row.
#[inline]
pub fn sparse_axpy<V: Value>(a: f64, indices: &[u32], values: &[V], out: &mut [f64]) {
    for (i, v) in indices.iter().zip(values) {
        out[*i as usize] += a * v.get();
    }
}

/// Asks for the memory of a slice ahead of its use: the first lines of it, after which the processor's own
/// prefetching takes over. A hint: it changes nothing but the time, and does nothing on other machines.
#[inline]
#[allow(unsafe_code)]
pub fn fetch<T>(slice: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        const LINE: usize = 64;
        const LINES: usize = 8;
        let lines = size_of_val(slice).div_ceil(LINE).min(LINES);
        let start = slice.as_ptr().cast::<i8>();
        for line in 0..lines {
            // SAFETY: a prefetch reads nothing and cannot fault, whatever the address; SSE is part of x86-64.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(line * LINE)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = slice;
}

/// ‖x‖², in the order of [`dot`].
#[inline]
pub fn norm_sq<V: Value>(x: &[V]) -> f64 {
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
            let indices: Vec<u32> = (0..u32::try_from(x.len()).unwrap()).collect();
            prop_assert_eq!(sparse_dot(&indices, &x, &w), plain);
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
            let indices: Vec<u32> = (0..u32::try_from(x.len()).unwrap()).collect();
            let mut out = w.clone();
            sparse_axpy(3.0, &indices, &x, &mut out);
            prop_assert_eq!(&out, &plain);
        }
    }
}
