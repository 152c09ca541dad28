//! The loops over numbers: dot products and scaled additions.
//!
//! Each sum has **one order**, fixed by the length alone: eight running sums, element j going to
//! sum j mod 8, combined pairwise at the end. The compiler turns the eight into vector lanes; the
//! order, and so the rounding, is the same on every machine. Values stored as f32 are widened
//! before they are multiplied, so storage costs no accuracy.

use std::borrow::Cow;
use std::ops::Range;

/// A stored number: f64, or f32 where the data came as f32.
pub trait Value: Copy + Send + Sync + 'static {
    /// 0.
    const ZERO: Self;
    /// The number itself, exactly.
    fn get(self) -> f64;
    /// All of them as f64: those at hand, or copies.
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

/// What is added up: f64, or f32 where sums are only a means to an end that is checked in f64.
pub trait Number: Copy + Default + Send + Sync + 'static {
    /// A stored number, rounded to what this can hold.
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

/// Column numbers that are all below a bound. Looked at once, when they are put together: loops over them need
/// not look again.
#[derive(Clone, Debug, PartialEq)]
pub struct Indices {
    list: Vec<u32>,
    below: usize,
}

impl Indices {
    /// `None` if one of them is not below the bound.
    pub fn new(list: Vec<u32>, below: usize) -> Option<Self> {
        let most = list.iter().copied().max();
        most.is_none_or(|most| (most as usize) < below).then_some(Self { list, below })
    }

    /// All of them.
    pub fn list(&self) -> &[u32] {
        &self.list
    }

    /// Those at these places.
    #[inline]
    pub fn at(&self, range: Range<usize>) -> Places<'_> {
        Places { list: &self.list[range], below: self.below }
    }
}

/// Some of [`Indices`].
#[derive(Clone, Copy)]
pub struct Places<'a> {
    list: &'a [u32],
    below: usize,
}

impl<'a> Places<'a> {
    /// The numbers.
    #[inline]
    pub fn list(self) -> &'a [u32] {
        self.list
    }

    /// All but the first k.
    #[inline]
    pub fn from(self, k: usize) -> Self {
        Self { list: &self.list[k..], below: self.below }
    }
}

/// `Σ vⱼ w[iⱼ]` over the stored elements of a sparse row.
///
/// # Panics
///
/// If w is shorter than the bound of the indices.
#[inline]
#[allow(unsafe_code)]
pub fn sparse_dot<V: Value>(places: Places<'_>, values: &[V], w: &[f64]) -> f64 {
    const SPARSE_LANES: usize = 4;
    assert!(w.len() >= places.below, "as many weights as columns");
    // SAFETY: `Indices` has seen to it that every number in a `Places` is below its bound, and w is at least as
    // long as the bound.
    let at = |i: u32| unsafe { *w.get_unchecked(i as usize) };
    let mut sums = [0.0; SPARSE_LANES];
    let (i4, i_rest) = places.list.as_chunks::<SPARSE_LANES>();
    let (v4, v_rest) = values.as_chunks::<SPARSE_LANES>();
    for (i, v) in i4.iter().zip(v4) {
        for j in 0..SPARSE_LANES {
            sums[j] += v[j].get() * at(i[j]);
        }
    }
    for (j, (i, v)) in i_rest.iter().zip(v_rest).enumerate() {
        sums[j] += v.get() * at(*i);
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3])
}

/// `out[iⱼ] ← out[iⱼ] + a vⱼ` over the stored elements of a sparse row.
///
/// # Panics
///
/// If out is shorter than the bound of the indices.
#[inline]
#[allow(unsafe_code)]
pub fn sparse_axpy<V: Value>(a: f64, places: Places<'_>, values: &[V], out: &mut [f64]) {
    assert!(out.len() >= places.below, "as many numbers as columns");
    for (i, v) in places.list.iter().zip(values) {
        // SAFETY: as in `sparse_dot`.
        unsafe { *out.get_unchecked_mut(*i as usize) += a * v.get() };
    }
}

/// `out ← out + Σ vⱼ from[iⱼ]`, where `from` is a matrix whose rows are as long as `out`. Every number of `out` is added up in the order of the list, by itself:
/// it does not matter how many of them a processor can do at a time, and a machine that can do four does.
///
/// # Panics
///
/// If `from` has no row of a number in the list.
#[inline]
#[allow(unsafe_code)]
pub fn add_rows<V: Value, N: Number>(places: &[u32], values: &[V], from: &[N], out: &mut [N]) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: this processor has what the function asks for.
        unsafe { add_rows_by_four(places, values, from, out) };
        return;
    }
    add_rows_in_parts(places, values, from, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_rows_by_four<V: Value, N: Number>(places: &[u32], values: &[V], from: &[N], out: &mut [N]) {
    add_rows_in_parts(places, values, from, out);
}

/// As many columns at a time as there are registers for.
#[inline(always)] // into what is compiled for more than every processor has
#[allow(clippy::inline_always)]
fn add_rows_in_parts<V: Value, N: Number>(places: &[u32], values: &[V], from: &[N], out: &mut [N]) {
    let mut at = 0;
    while at < out.len() {
        at += match out.len() - at {
            24.. => add_part::<V, N, 24>(places, values, from, at, out),
            20.. => add_part::<V, N, 20>(places, values, from, at, out),
            16.. => add_part::<V, N, 16>(places, values, from, at, out),
            12.. => add_part::<V, N, 12>(places, values, from, at, out),
            8.. => add_part::<V, N, 8>(places, values, from, at, out),
            4.. => add_part::<V, N, 4>(places, values, from, at, out),
            3 => add_part::<V, N, 3>(places, values, from, at, out),
            2 => add_part::<V, N, 2>(places, values, from, at, out),
            _ => add_part::<V, N, 1>(places, values, from, at, out),
        };
    }
}

/// The columns from `at` on; returns how many there are.
#[inline(always)]
#[allow(clippy::inline_always)]
fn add_part<V: Value, N: Number, const WIDE: usize>(
    places: &[u32],
    values: &[V],
    from: &[N],
    at: usize,
    out: &mut [N],
) -> usize {
    const AHEAD: usize = 8;
    let k = out.len();
    let mut sums = [N::default(); WIDE];
    sums.copy_from_slice(&out[at..at + WIDE]);
    for (p, (&i, v)) in places.iter().zip(values).enumerate() {
        if let Some(&next) = places.get(p + AHEAD) {
            fetch(&from[next as usize * k + at..][..WIDE]);
        }
        let row = &from[i as usize * k + at..][..WIDE];
        let v = N::of(*v);
        for l in 0..WIDE {
            sums[l] = sums[l].plus(v, row[l]);
        }
    }
    out[at..at + WIDE].copy_from_slice(&sums);
    WIDE
}

/// Numbers side by side in a row: as many as one vector of the widest kind holds.
pub const ACROSS: usize = 8;

/// Some columns of one row.
pub type Strip = [f64; ACROSS];

/// Whether this processor multiplies and adds in one step, which [`add_strips`] needs to be fast.
#[cfg(target_arch = "x86_64")]
pub fn fuses() -> bool {
    std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("fma")
        && std::is_x86_feature_detected!("bmi1")
}

/// Whether this processor multiplies and adds in one step, which [`add_strips`] needs to be fast.
#[cfg(not(target_arch = "x86_64"))]
pub fn fuses() -> bool {
    cfg!(target_arch = "aarch64")
}

/// sums ← sums + the products of columns with one another, for rows that are zero in many places.
///
/// Columns are cut into strips of [`ACROSS`]. Strip j of row r is `strips[64 w j + r]`, where w words of 64 bits tell of each strip which rows have
/// it: those are visited, the others not even read. Of every two strips j ≤ i, in order (0, 0), (0, 1), …, (1, 1), …, `sums` has the products of each
/// number of j with each of i. Every product is added by one fused step, in the order of the rows: the bits are the same on every machine.
///
/// # Panics
///
/// If the lengths do not fit.
#[allow(unsafe_code)]
pub fn add_strips(strips: &[Strip], filled: &[u64], words: usize, sums: &mut [[Strip; ACROSS]]) {
    #[cfg(target_arch = "x86_64")]
    if fuses() {
        if std::is_x86_feature_detected!("avx512f") {
            // SAFETY: this processor has what the function asks for.
            unsafe { add_strips_by_eight(strips, filled, words, sums) };
        } else {
            // SAFETY: likewise.
            unsafe { add_strips_by_four(strips, filled, words, sums) };
        }
        return;
    }
    add_pairs::<4>(strips, filled, words, sums);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma,bmi1")]
fn add_strips_by_eight(s: &[Strip], filled: &[u64], words: usize, sums: &mut [[Strip; ACROSS]]) {
    add_pairs::<8>(s, filled, words, sums);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1")]
fn add_strips_by_four(s: &[Strip], filled: &[u64], words: usize, sums: &mut [[Strip; ACROSS]]) {
    add_pairs::<4>(s, filled, words, sums);
}

/// Every two strips; so many columns of the first at a time as there are registers for.
#[inline(always)] // as above
#[allow(clippy::inline_always)]
fn add_pairs<const HIGH: usize>(
    strips: &[Strip],
    filled: &[u64],
    words: usize,
    sums: &mut [[Strip; ACROSS]],
) {
    let wide = filled.len() / words;
    let rows = 64 * words;
    let mut at = 0;
    for j in 0..wide {
        let (a, in_a) = (&strips[j * rows..][..rows], &filled[j * words..][..words]);
        for i in j..wide {
            let (b, in_b) = (&strips[i * rows..][..rows], &filled[i * words..][..words]);
            for (h, part) in sums[at].as_chunks_mut::<HIGH>().0.iter_mut().enumerate() {
                add_pair(a, b, in_a, in_b, h * HIGH, part);
            }
            at += 1;
        }
    }
}

/// The products of columns `from..from + HIGH` of one strip with another, where both are there.
#[inline(always)]
#[allow(clippy::inline_always)]
fn add_pair<const HIGH: usize>(
    a: &[Strip],
    b: &[Strip],
    in_a: &[u64],
    in_b: &[u64],
    from: usize,
    out: &mut [Strip; HIGH],
) {
    let mut sums = *out;
    let words = a.as_chunks::<64>().0.iter().zip(b.as_chunks::<64>().0);
    for ((a, b), (in_a, in_b)) in words.zip(in_a.iter().zip(in_b)) {
        let mut both = in_a & in_b;
        while both != 0 {
            let r = both.trailing_zeros() as usize;
            both &= both - 1;
            let (a, b) = (&a[r], &b[r]);
            for p in 0..HIGH {
                for q in 0..ACROSS {
                    sums[p][q] = a[from + p].mul_add(b[q], sums[p][q]);
                }
            }
        }
    }
    *out = sums;
}

/// `out[iⱼ] ← out[iⱼ] + vⱼ from`, where `out` is a matrix whose rows are as long as `from`. As in [`add_rows`], every number is added up by itself.
///
/// # Panics
///
/// If `out` has no row of a number in the list.
#[inline]
#[allow(unsafe_code)]
pub fn add_to_rows<V: Value>(places: &[u32], values: &[V], from: &[f64], out: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if std::is_x86_feature_detected!("avx2") {
        // SAFETY: this processor has what the function asks for.
        unsafe { add_to_rows_by_four(places, values, from, out) };
        return;
    }
    add_to_rows_in_parts(places, values, from, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_to_rows_by_four<V: Value>(places: &[u32], values: &[V], from: &[f64], out: &mut [f64]) {
    add_to_rows_in_parts(places, values, from, out);
}

#[inline(always)] // as `add_rows_in_parts`
#[allow(clippy::inline_always)]
fn add_to_rows_in_parts<V: Value>(places: &[u32], values: &[V], from: &[f64], out: &mut [f64]) {
    let k = from.len();
    for (&i, v) in places.iter().zip(values) {
        let (row, v) = (&mut out[i as usize * k..][..k], v.get());
        let (row4, row_rest) = row.as_chunks_mut::<4>();
        let (from4, from_rest) = from.as_chunks::<4>();
        for (row, from) in row4.iter_mut().zip(from4) {
            for l in 0..4 {
                row[l] += v * from[l];
            }
        }
        for (row, from) in row_rest.iter_mut().zip(from_rest) {
            *row += v * from;
        }
    }
}

/// A loop over numbers that do not depend on each other, so that it gives the same bits however many of them are done at a time.
pub trait Loop {
    /// What it gives.
    type Out;
    /// Runs it. To be marked `#[inline(always)]`: it is compiled once for each kind of processor.
    fn run(self) -> Self::Out;
}

/// Runs a loop with the widest vectors that this processor has.
#[inline]
#[allow(unsafe_code)]
pub fn widest<L: Loop>(work: L) -> L::Out {
    #[cfg(target_arch = "x86_64")]
    {
        if std::is_x86_feature_detected!("avx512f") {
            // SAFETY: this processor has what the function asks for.
            return unsafe { by_eight(work) };
        }
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: this processor has what the function asks for.
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

    #[test]
    fn indices_beyond_their_bound_are_never_made() {
        assert!(Indices::new(vec![0, 3, 2], 3).is_none());
        assert!(Indices::new(vec![], 0).is_some());
    }

    #[test]
    #[should_panic(expected = "as many weights as columns")]
    fn weights_that_are_too_few_are_noticed() {
        let indices = Indices::new(vec![0, 1], 3).unwrap();
        sparse_dot(indices.at(0..2), &[1.0, 1.0], &[1.0, 2.0]);
    }

    proptest! {
        #[test]
        fn dot_is_the_sum_of_products((x, w) in (0..40_usize).prop_flat_map(integers)) {
            let plain: f64 = x.iter().zip(&w).map(|(a, b)| a * b).sum();
            prop_assert_eq!(dot(&x, &w), plain);
            let indices = Indices::new((0..u32::try_from(x.len()).unwrap()).collect(), x.len()).unwrap();
            prop_assert_eq!(sparse_dot(indices.at(0..x.len()), &x, &w), plain);
            let single: Vec<f32> = x.iter().map(|&v| v as f32).collect();
            prop_assert_eq!(dot(&single, &w), plain);
            prop_assert_eq!(norm_sq(&x), dot(&x, &x));
        }

        #[test]
        fn rows_are_added_up_column_by_column(k in 1..60_usize, list in prop::collection::vec((0..9_u32, -50..50_i32), 0..30)) {
            let from: Vec<f64> = (0..9 * k).map(|v| (v % 17) as f64 - 8.0).collect();
            let (places, values): (Vec<u32>, Vec<f32>) = list.iter().map(|&(i, v)| (i, v as f32)).unzip();
            let mut out: Vec<f64> = (0..k).map(|c| c as f64).collect();
            let mut plain = out.clone();
            add_rows(&places, &values, &from, &mut out);
            for (i, v) in &list {
                for c in 0..k {
                    plain[c] += f64::from(*v) * from[*i as usize * k + c];
                }
            }
            prop_assert_eq!(out, plain);
        }

        #[test]
        fn strips_give_the_products_of_columns(words in 1..3_usize, wide in 1..4_usize, seed in any::<u64>()) {
            let mut rng = crate::math::rng::Rng::new(seed, 0);
            let rows = 64 * words;
            let mut filled = vec![0_u64; wide * words];
            // What is not there is never read.
            let mut strips = vec![[f64::NAN; ACROSS]; wide * rows];
            let mut plain = vec![vec![0.0; wide * ACROSS]; rows];
            for j in 0..wide {
                for r in (0..rows).filter(|_| rng.unit() < 0.3).collect::<Vec<_>>() {
                    filled[j * words + r / 64] |= 1 << (r % 64);
                    strips[j * rows + r] = std::array::from_fn(|_| (rng.unit() * 200.0).round() - 100.0);
                    plain[r][j * ACROSS..][..ACROSS].copy_from_slice(&strips[j * rows + r]);
                }
            }
            let pairs: Vec<(usize, usize)> = (0..wide).flat_map(|j| (j..wide).map(move |i| (j, i))).collect();
            let mut sums = vec![[[1.0; ACROSS]; ACROSS]; pairs.len()];
            let mut by_four = sums.clone();
            add_strips(&strips, &filled, words, &mut sums);
            add_pairs::<4>(&strips, &filled, words, &mut by_four);
            prop_assert_eq!(&sums, &by_four);
            for ((j, i), sums) in pairs.into_iter().zip(&sums) {
                for p in 0..ACROSS {
                    for q in 0..ACROSS {
                        let want: f64 = plain.iter().map(|row| row[j * ACROSS + p] * row[i * ACROSS + q]).sum();
                        prop_assert_eq!(sums[p][q], want + 1.0);
                    }
                }
            }
        }

        #[test]
        fn a_row_is_added_to_rows(k in 1..60_usize, list in prop::collection::vec((0..9_u32, -50..50_i32), 0..30)) {
            let mut out: Vec<f64> = (0..9 * k).map(|v| (v % 17) as f64 - 8.0).collect();
            let (places, values): (Vec<u32>, Vec<f32>) = list.iter().map(|&(i, v)| (i, v as f32)).unzip();
            let from: Vec<f64> = (0..k).map(|c| c as f64 - 3.0).collect();
            let mut plain = out.clone();
            add_to_rows(&places, &values, &from, &mut out);
            for (i, v) in &list {
                for c in 0..k {
                    plain[*i as usize * k + c] += f64::from(*v) * from[c];
                }
            }
            prop_assert_eq!(out, plain);
        }

        #[test]
        fn axpy_adds_a_multiple((x, w) in (0..40_usize).prop_flat_map(integers)) {
            let plain: Vec<f64> = x.iter().zip(&w).map(|(a, b)| b + 3.0 * a).collect();
            let mut out = w.clone();
            axpy(3.0, &x, &mut out);
            prop_assert_eq!(&out, &plain);
            let indices = Indices::new((0..u32::try_from(x.len()).unwrap()).collect(), x.len()).unwrap();
            let mut out = w.clone();
            sparse_axpy(3.0, indices.at(0..x.len()), &x, &mut out);
            prop_assert_eq!(&out, &plain);
        }
    }
}
