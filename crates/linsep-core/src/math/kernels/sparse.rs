//! Kernels of sparse rows: stored values and their column indices.
//!
//! Loops over the coefficients of one hyperplane need no bounds checks: [`Indices`] checks the
//! indices once, when a matrix is built. Loops over k coefficients per column check every index.

use super::{Loop, Number, Value, prefetch, with_widest_vectors};
use std::ops::Range;

/// Column indices that are all below a bound. The constructor checks them, so loops need no bounds
/// checks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Indices {
    list: Vec<u32>,
    below: usize,
}

impl Indices {
    /// Checks the indices; `None` if one of them is not below the bound.
    pub(crate) fn new(list: Vec<u32>, below: usize) -> Option<Self> {
        let most = list.iter().copied().max();
        most.is_none_or(|most| (most as usize) < below).then_some(Self { list, below })
    }

    /// The indices.
    pub(crate) fn list(&self) -> &[u32] {
        &self.list
    }

    /// Returns the indices as a vector.
    pub(crate) fn into_list(self) -> Vec<u32> {
        self.list
    }

    /// The indices at the positions in `range`.
    #[inline]
    pub(crate) fn at(&self, range: Range<usize>) -> IndexSlice<'_> {
        IndexSlice { list: &self.list[range], below: self.below }
    }
}

/// A slice of [`Indices`].
#[derive(Clone, Copy)]
pub(crate) struct IndexSlice<'a> {
    list: &'a [u32],
    below: usize,
}

impl<'a> IndexSlice<'a> {
    /// The indices.
    #[inline]
    pub(crate) fn list(self) -> &'a [u32] {
        self.list
    }

    /// All but the first k indices.
    #[inline]
    pub(crate) fn from(self, k: usize) -> Self {
        Self { list: &self.list[k..], below: self.below }
    }
}

/// Σ vⱼ at(iⱼ), in four partial sums.
#[inline(always)] // one loop for checked and unchecked indices
#[allow(clippy::inline_always)]
fn dot_by<V: Value>(list: &[u32], values: &[V], at: impl Fn(u32) -> f64) -> f64 {
    const SPARSE_LANES: usize = 4;
    let mut sums = [0.0; SPARSE_LANES];
    let (i4, i_rest) = list.as_chunks::<SPARSE_LANES>();
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

/// `Σ vⱼ w[iⱼ]` over the stored elements of a sparse row.
///
/// # Panics
///
/// If w is shorter than the bound of the indices.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn sparse_dot<V: Value>(places: IndexSlice<'_>, values: &[V], w: &[f64]) -> f64 {
    assert!(w.len() >= places.below, "as many coefficients as columns");
    // SAFETY: the constructor of `Indices` checks that every index in a `IndexSlice` is below its
    // bound, and w is at least as long as the bound.
    dot_by(places.list, values, |i| unsafe { *w.get_unchecked(i as usize) })
}

/// `out[iⱼ] ← out[iⱼ] + a vⱼ` over the stored elements of a sparse row.
///
/// # Panics
///
/// If out is shorter than the bound of the indices.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn sparse_axpy<V: Value>(a: f64, places: IndexSlice<'_>, values: &[V], out: &mut [f64]) {
    assert!(out.len() >= places.below, "as many numbers as columns");
    for (i, v) in places.list.iter().zip(values) {
        // SAFETY: as in `sparse_dot`; `out` is at least as long as the bound.
        unsafe { *out.get_unchecked_mut(*i as usize) += a * v.get() };
    }
}

/// A loop over rows that processes a few columns of them at a time.
trait Parts {
    /// Processes `WIDE` columns from `at` on; returns `WIDE`.
    fn part<const WIDE: usize>(&mut self, at: usize) -> usize;
}

/// Processes all columns, as many at a time as fit in registers.
#[inline(always)] // for the reason given at `part`
#[allow(clippy::inline_always)]
fn in_parts(columns: usize, mut work: impl Parts) {
    let mut at = 0;
    while at < columns {
        at += match columns - at {
            24.. => work.part::<24>(at),
            20.. => work.part::<20>(at),
            16.. => work.part::<16>(at),
            12.. => work.part::<12>(at),
            8.. => work.part::<8>(at),
            4.. => work.part::<4>(at),
            3 => work.part::<3>(at),
            2 => work.part::<2>(at),
            _ => work.part::<1>(at),
        };
    }
}

/// `out ← out + Σ vⱼ from[iⱼ]`, where the rows of the matrix `from` are as long as `out`. Every
/// element of `out` is summed separately, in the order of the list, so the bits do not depend on
/// the vector width.
///
/// # Panics
///
/// If `from` has no row for an index in the list.
#[inline]
pub(crate) fn add_rows<V: Value, N: Number>(
    places: &[u32],
    values: &[V],
    from: &[N],
    out: &mut [N],
) {
    with_widest_vectors(AddRows { places, values, from, out });
}

struct AddRows<'a, V, N> {
    places: &'a [u32],
    values: &'a [V],
    from: &'a [N],
    out: &'a mut [N],
}

impl<V: Value, N: Number> Loop for AddRows<'_, V, N> {
    type Out = ();

    #[inline(always)] // for the reason given at `part`
    #[allow(clippy::inline_always)]
    fn run(self) {
        in_parts(self.out.len(), self);
    }
}

impl<V: Value, N: Number> Parts for AddRows<'_, V, N> {
    #[inline(always)] // inlined into versions with more target features
    #[allow(clippy::inline_always)]
    fn part<const WIDE: usize>(&mut self, at: usize) -> usize {
        const AHEAD: usize = 8;
        let k = self.out.len();
        let row = |i: u32| &self.from[i as usize * k + at..][..WIDE];
        let mut sums = [N::default(); WIDE];
        sums.copy_from_slice(&self.out[at..at + WIDE]);
        for (p, (&i, v)) in self.places.iter().zip(self.values).enumerate() {
            if let Some(&next) = self.places.get(p + AHEAD) {
                prefetch(row(next));
            }
            let (row, v) = (row(i), N::of(*v));
            for l in 0..WIDE {
                sums[l] = sums[l].plus(v, row[l]);
            }
        }
        self.out[at..at + WIDE].copy_from_slice(&sums);
        WIDE
    }
}

/// `out[iⱼ] ← out[iⱼ] + vⱼ from`, where the rows of the matrix `out` are as long as `from`. As in
/// [`add_rows`], every element is summed separately.
///
/// # Panics
///
/// If `out` has no row for an index in the list.
#[inline]
pub(crate) fn add_to_rows<V: Value, N: Number>(
    places: &[u32],
    values: &[V],
    from: &[N],
    out: &mut [N],
) {
    with_widest_vectors(AddToRows { places, values, from, out });
}

struct AddToRows<'a, V, N> {
    places: &'a [u32],
    values: &'a [V],
    from: &'a [N],
    out: &'a mut [N],
}

impl<V: Value, N: Number> Loop for AddToRows<'_, V, N> {
    type Out = ();

    #[inline(always)] // for the reason given at `part`
    #[allow(clippy::inline_always)]
    fn run(self) {
        in_parts(self.from.len(), self);
    }
}

impl<V: Value, N: Number> Parts for AddToRows<'_, V, N> {
    /// The copies to local arrays rule out aliasing, which would prevent vectorization.
    #[inline(always)] // inlined into versions with more target features
    #[allow(clippy::inline_always)]
    fn part<const WIDE: usize>(&mut self, at: usize) -> usize {
        let k = self.from.len();
        let mut from = [N::default(); WIDE];
        from.copy_from_slice(&self.from[at..at + WIDE]);
        for (&i, v) in self.places.iter().zip(self.values) {
            let (row, v) = (&mut self.out[i as usize * k + at..][..WIDE], N::of(*v));
            let mut sums = [N::default(); WIDE];
            sums.copy_from_slice(row);
            for l in 0..WIDE {
                sums[l] = sums[l].plus(v, from[l]);
            }
            row.copy_from_slice(&sums);
        }
        WIDE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn indices_beyond_their_bound_are_rejected() {
        assert!(Indices::new(vec![0, 3, 2], 3).is_none());
        assert!(Indices::new(vec![], 0).is_some());
    }

    #[test]
    #[should_panic(expected = "as many coefficients as columns")]
    fn sparse_dot_panics_on_too_few_coefficients() {
        let indices = Indices::new(vec![0, 1], 3).unwrap();
        sparse_dot(indices.at(0..2), &[1.0, 1.0], &[1.0, 2.0]);
    }

    proptest! {
        /// Small integers: every sum is exact, so any order must give the same number.
        #[test]
        fn sparse_kernels_match_plain_sums(list in prop::collection::btree_map(5..60_u32, -50..50_i32, 0..40), a in -9..9_i32) {
            let (places, values): (Vec<u32>, Vec<f64>) = list.iter().map(|(i, v)| (*i, f64::from(*v))).unzip();
            let a = f64::from(a);
            let w: Vec<f64> = (0..60).map(|j| f64::from(j % 7) - 3.0).collect();
            let plain: f64 = list.iter().map(|(i, v)| f64::from(*v) * w[*i as usize]).sum();
            let indices = Indices::new(places, 60).unwrap();
            let places = indices.at(0..values.len());
            prop_assert_eq!(sparse_dot(places, &values, &w), plain);
            let mut moved = w.clone();
            list.iter().for_each(|(i, v)| moved[*i as usize] += a * f64::from(*v));
            let mut whole = w.clone();
            sparse_axpy(a, places, &values, &mut whole);
            prop_assert_eq!(&whole, &moved);
        }

        #[test]
        fn add_rows_matches_plain_sums(k in 1..60_usize, list in prop::collection::vec((0..9_u32, -50..50_i32), 0..30)) {
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
        fn add_to_rows_matches_plain_sums(k in 1..60_usize, list in prop::collection::vec((0..9_u32, -50..50_i32), 0..30)) {
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
    }
}
